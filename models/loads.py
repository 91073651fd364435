"""Demands with their intervals, bases and evidence: CPU and disk I/O of every VM."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from models.arrays import Arrays
from models.calibration import Calibration
from models.coverage import (
    Coverage,
    FamilyAPlaces,
    FamilyBPlaces,
    RunTable,
    family_a_coverage,
    family_a_places,
    family_b_places,
    run_table,
)
from models.demand import (
    A_VCPUS,
    MAIL85_HALF_WIDTH,
    Laws,
    family_b_core_seconds,
    generic_core_seconds,
    iops_per_user,
)
from models.estimates import (
    INTERPOLATED,
    MEASURED,
    NO_DATA,
    RULE,
    TRANSFERRED,
    Estimate,
    Sources,
)
from models.family_a import cpu_pct
from models.family_constants import USERS_PER_VM, VCPUS_PER_VM, Constant
from models.quantities import BoolArray, FloatArray, IntArray
from models.uncertainty import WIDENING_PER_STEP, log_half_width

CPU = "cpu_pct"


@dataclass(frozen=True, eq=False)
class Inputs:
    """What every demand needs: arrays, laws, offered benchmark users, RAM, calibration.

    `exact_users`: a user is a benchmark user (derating 1), so that a run can count as measured.
    """

    arrays: Arrays
    laws: Laws
    users: FloatArray
    ram_gib: FloatArray
    exact_users: bool
    calibration: Calibration
    sources: Sources

    @cached_property
    def _runs(self) -> RunTable:
        return run_table(self.calibration.runs)

    @cached_property
    def _places_a(self) -> FamilyAPlaces:
        return family_a_places(self._runs, self.laws, self.users, self.ram_gib)

    def family_a(self, quantity: str) -> Coverage:
        """How near the VMs of family A stand to its runs of `quantity`."""
        return family_a_coverage(
            self._runs,
            quantity,
            places=self._places_a,
            exact_users=self.exact_users,
            sources=self.sources,
        )

    @cached_property
    def family_b(self) -> FamilyBPlaces:
        """Where the VMs of family B, iNotes among them, stand among its runs."""
        return family_b_places(self.laws, self.users, self.ram_gib, self.arrays.vms.clustered)

    def with_membership(self, ids: tuple[str, ...], factor: str) -> npt.NDArray[np.int64]:
        """Code of the evidence `ids`, with family C's for members of a Domino cluster, (n,)."""
        constant: Constant = getattr(self.calibration.constants.cluster_r5, factor)
        codes = [self.sources.code(each) for each in (ids, ids + constant.evidence)]
        return np.where(self.arrays.vms.clustered, codes[1], codes[0])

    @cached_property
    def half_width_b(self) -> FloatArray:
        """Family B's own half width in ln, growing outside its runs."""
        return MAIL85_HALF_WIDTH * (1 + WIDENING_PER_STEP * self.family_b.steps)

    @cached_property
    def workload_b(self) -> IntArray:
        """Of family B: 0 iNotes, 1 member of a Domino cluster, 2 other mail."""
        return np.where(self.laws.inotes, 0, np.where(self.arrays.vms.clustered, 1, 2))


def core_seconds(inputs: Inputs) -> Estimate:
    """CPU load of every VM on its host [core-seconds per second]; 0 when powered off.

    No data where no family or figure says, where a VM isn't placed, and where its host has no SPEC
    rate to come from the measured machine by.
    """
    vms, laws = inputs.arrays.vms, inputs.laws
    load = _Demand.nothing(len(vms))
    if laws.some_b:
        _add_family_b(load, inputs)
    if laws.some_a:
        _add_family_a(load, inputs)
    if laws.generic.any():
        own = generic_core_seconds(vms.own_cpu_mhz, vms.at.base_mhz)
        load.add(laws.generic, own, half_width=0.0, basis=RULE, evidence=0)
    load.value[vms.host < 0] = np.nan
    return load.estimate(vms.powered_on)


def iops(inputs: Inputs) -> Estimate:
    """Host I/Os per second of every VM; 0 when powered off."""
    vms, laws, c = inputs.arrays.vms, inputs.laws, inputs.calibration.constants
    load = _Demand.nothing(len(vms))
    rate = inputs.users * iops_per_user(laws, inputs.ram_gib, vms.clustered, c)
    if laws.some_b:
        _add_iops_b(load, inputs, rate)
    if laws.some_a:
        mail, factor = c.mail85.iops_per_user, c.releases.iops_factor_851
        load.add(
            laws.family_a,
            rate,
            half_width=np.hypot(MAIL85_HALF_WIDTH, laws.iops_half_width),
            basis=TRANSFERRED,
            evidence=inputs.with_membership(mail.evidence + factor.evidence, "disk_factor"),
        )
    load.add(laws.generic, vms.own_iops, half_width=0.0, basis=RULE, evidence=0)
    load.measured[~vms.powered_on] = np.nan
    return load.estimate(vms.powered_on)


@dataclass(frozen=True, slots=True, eq=False)
class _Demand:
    """A demand family by family, shape (n,); `half_width` of its interval in ln."""

    value: FloatArray
    half_width: FloatArray
    basis: npt.NDArray[np.int8]
    evidence: npt.NDArray[np.int32]
    measured: FloatArray

    @classmethod
    def nothing(cls, count: int) -> _Demand:
        value, measured = np.full((2, count), np.nan)
        basis = np.full(count, NO_DATA, dtype=np.int8)
        return cls(value, np.zeros(count), basis, np.zeros(count, dtype=np.int32), measured)

    def add(
        self,
        where: BoolArray,
        value: FloatArray,
        *,
        half_width: FloatArray | float,
        basis: np.ndarray | int,
        evidence: np.ndarray | int,
    ) -> None:
        """The items `where`, out of columns of all items."""
        np.copyto(self.value, value, where=where)
        np.copyto(self.half_width, half_width, where=where)
        np.copyto(self.basis, basis, where=where, casting="unsafe")
        np.copyto(self.evidence, evidence, where=where, casting="unsafe")

    def estimate(self, powered_on: BoolArray) -> Estimate:
        """With intervals; no data where there is no value, and exactly 0 when powered off."""
        ends = np.empty((3, len(self.value)))
        widening = np.exp(np.minimum(self.half_width, LARGEST_HALF_WIDTH))
        ends[0] = self.value
        np.multiply(self.value, 1 / widening, out=ends[1])
        np.multiply(self.value, widening, out=ends[2])
        load = Estimate(ends, self.basis, self.evidence, self.measured)
        load.drop(np.isnan(self.value))
        if not powered_on.all():
            load.put(~powered_on, 0.0, basis=RULE)
        return load


def vm_cpu_pct(load: Estimate, vcpus: FloatArray) -> Estimate:
    """The load in per cent of each VM's vCPUs: what runs can't pass 100, what is asked can."""
    share = 100.0 / vcpus
    return Estimate(
        np.minimum(load.ends * share, 100.0),
        load.basis.copy(),
        load.evidence.copy(),
        load.measured * share,
    )


def _add_family_a(load: _Demand, inputs: Inputs) -> None:
    laws = inputs.laws
    cover = inputs.family_a(CPU)
    pct = cpu_pct(
        inputs.calibration.law,
        platform=laws.platform,
        storage=laws.storage,
        ram_gib=inputs.ram_gib,
        users=inputs.users,
    )
    width = log_half_width(
        inputs.calibration.uncertainty.cpu,
        steps_outside=cover.steps,
        measured_configuration=cover.configuration_measured,
        transfer=laws.cpu_half_width,
    )
    load.add(
        laws.family_a,
        pct / 100.0 * A_VCPUS * laws.slowness * laws.cpu_factor,
        half_width=width,
        basis=cover.basis,
        evidence=cover.evidence,
    )
    np.copyto(load.measured, cover.measured / 100.0 * A_VCPUS, where=laws.family_a)


def _add_family_b(load: _Demand, inputs: Inputs) -> None:
    laws, c = inputs.laws, inputs.calibration.constants
    clustered = inputs.arrays.vms.clustered
    own = family_b_core_seconds(laws, inputs.users, inputs.ram_gib, clustered, c)
    basis, itself = inputs.family_b.basis(laws.at_home, inputs.exact_users)
    load.add(
        laws.b_law,
        own * laws.slowness * laws.cpu_factor,
        half_width=np.hypot(inputs.half_width_b, laws.cpu_half_width),
        basis=basis,
        evidence=_cpu_evidence(inputs),
    )
    itself &= laws.b_law
    if itself.any():
        figure = _family_b_figure(inputs)
        np.copyto(load.measured, figure / 100.0 * VCPUS_PER_VM, where=itself)


def _add_iops_b(load: _Demand, inputs: Inputs, rate: FloatArray) -> None:
    laws = inputs.laws
    basis, itself = inputs.family_b.basis(laws.release_measured, inputs.exact_users)
    released = laws.iops_factor == 1.0
    basis[~released] = TRANSFERRED
    # What equals a run in users and RAM but ran elsewhere is interpolated, not measured.
    basis[(basis == MEASURED) & ~laws.as_measured] = INTERPOLATED
    load.add(
        laws.b_law,
        rate,
        half_width=np.hypot(inputs.half_width_b, laws.iops_half_width),
        basis=basis,
        evidence=_iops_evidence(inputs),
    )
    np.copyto(load.measured, rate, where=laws.b_law & itself & released & laws.as_measured)


def _family_b_figure(inputs: Inputs) -> FloatArray:
    """CPU of family B's runs as printed [% of 2 vCPUs], by workload and RAM."""
    c, laws = inputs.calibration.constants, inputs.laws
    to_pct = USERS_PER_VM / VCPUS_PER_VM
    small, large = c.inotes85.cpu_core_pct_per_user_8gb, c.inotes85.cpu_core_pct_per_user_16gb
    inotes = np.where(inputs.ram_gib < 12.0, small.value, large.value) * to_pct
    mail = np.where(
        inputs.arrays.vms.clustered,
        c.cluster85.cpu_pct.value,
        c.mail85.cpu_core_pct_per_user.value * to_pct,
    )
    return np.where(laws.inotes, inotes, mail)


def _cpu_evidence(inputs: Inputs) -> np.ndarray:
    c = inputs.calibration.constants
    small, large = c.inotes85.cpu_core_pct_per_user_8gb, c.inotes85.cpu_core_pct_per_user_16gb
    return _by_workload(
        inputs,
        small.evidence + large.evidence,
        c.cluster85.cpu_pct.evidence,
        c.mail85.cpu_core_pct_per_user.evidence,
    )


def _iops_evidence(inputs: Inputs) -> np.ndarray:
    c = inputs.calibration.constants
    return _by_workload(
        inputs,
        c.inotes85.iops_per_user_8gb.evidence + c.inotes85.iops_per_user_16gb.evidence,
        c.cluster85.iops.evidence,
        c.mail85.iops_per_user.evidence,
    )


def _by_workload(
    inputs: Inputs, inotes: tuple[str, ...], member: tuple[str, ...], mail: tuple[str, ...]
) -> np.ndarray:
    codes = np.array([inputs.sources.code(ids) for ids in (inotes, member, mail)], dtype=np.int32)
    return codes[inputs.workload_b]


LARGEST_HALF_WIDTH = 7.0
"""A factor of 1,100 either way says all there is to say: nothing is known here."""

"""Demands with their intervals, bases and evidence: CPU and disk I/O of every VM."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

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
from models.estimates import INTERPOLATED, MEASURED, RULE, TRANSFERRED, Estimate, Sources
from models.family_a import cpu_pct
from models.family_constants import USERS_PER_VM, VCPUS_PER_VM
from models.quantities import BoolArray, FloatArray
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


def core_seconds(inputs: Inputs) -> Estimate:
    """CPU load of every VM on its host [core-seconds per second]; 0 when powered off.

    No data where no family or figure says, where a VM isn't placed, and where its host has no SPEC
    rate to come from the measured machine by.
    """
    load = Estimate.no_data(len(inputs.users))
    if inputs.laws.family_a.any():
        _put_family_a(load, inputs)
    family_b = inputs.laws.family_b | inputs.laws.inotes
    if family_b.any():
        _put_family_b(load, inputs, family_b)
    vms, hosts = inputs.arrays.vms, inputs.arrays.hosts
    if inputs.laws.generic.any() and len(hosts):
        own = generic_core_seconds(vms.own_cpu_mhz, hosts.base_mhz[vms.host])
        known = inputs.laws.generic & ~np.isnan(own)
        load.put(known, own[known], basis=RULE)
    load.drop((vms.host < 0) | np.isnan(load.value))
    load.put(~vms.powered_on, 0.0, basis=RULE)
    return load


def iops(inputs: Inputs) -> Estimate:
    """Host I/Os per second of every VM; 0 when powered off."""
    vms, laws, c = inputs.arrays.vms, inputs.laws, inputs.calibration.constants
    load = Estimate.no_data(len(inputs.users))
    rate = inputs.users * iops_per_user(laws, inputs.ram_gib, vms.clustered, c)
    family_b = laws.family_b | laws.inotes
    places = inputs.family_b
    basis, itself = places.basis(laws.release_measured, inputs.exact_users)
    width = MAIL85_HALF_WIDTH * (1 + WIDENING_PER_STEP * places.steps)
    released = laws.iops_factor[family_b] == 1.0
    _put(
        load,
        family_b,
        rate[family_b],
        np.hypot(width, laws.iops_half_width[family_b]),
        np.where(released, basis, TRANSFERRED),
        _iops_evidence(inputs)[family_b],
    )
    load.measured[family_b] = np.where(
        itself & released & inputs.exact_users & laws.as_measured[family_b],
        rate[family_b],
        np.nan,
    )
    _not_the_run(load, family_b, laws.as_measured)
    a = laws.family_a
    _put(
        load,
        a,
        rate[a],
        np.hypot(MAIL85_HALF_WIDTH, laws.iops_half_width[a]),
        TRANSFERRED,
        inputs.sources.code(c.mail85.iops_per_user.evidence + c.releases.iops_factor_851.evidence),
    )
    own = laws.generic & ~np.isnan(vms.own_iops)
    load.put(own, vms.own_iops[own], basis=RULE)
    load.put(~vms.powered_on, 0.0, basis=RULE)
    load.measured[~vms.powered_on] = np.nan
    return load


def vm_cpu_pct(load: Estimate, vcpus: FloatArray) -> Estimate:
    """The load in per cent of each VM's vCPUs: what runs can't pass 100, what is asked can."""
    share = 100.0 / vcpus
    return Estimate(
        np.minimum(load.value * share, 100.0),
        np.minimum(load.low * share, 100.0),
        np.minimum(load.high * share, 100.0),
        load.basis.copy(),
        load.evidence.copy(),
        load.measured * share,
    )


def _put_family_a(load: Estimate, inputs: Inputs) -> None:
    laws, a = inputs.laws, inputs.laws.family_a
    cover = inputs.family_a(CPU)
    pct = cpu_pct(
        inputs.calibration.law,
        platform=laws.platform[a],
        storage=laws.storage[a],
        ram_gib=inputs.ram_gib[a],
        users=inputs.users[a],
    )
    width = log_half_width(
        inputs.calibration.uncertainty.cpu,
        steps_outside=cover.steps,
        measured_configuration=cover.configuration_measured,
        transfer=laws.cpu_half_width[a],
    )
    value = pct / 100.0 * A_VCPUS * laws.slowness[a] * laws.cpu_factor[a]
    _put(load, a, value, width, cover.basis, cover.evidence)
    load.measured[a] = cover.measured / 100.0 * A_VCPUS


def _put_family_b(load: Estimate, inputs: Inputs, where: BoolArray) -> None:
    laws, c = inputs.laws, inputs.calibration.constants
    clustered = inputs.arrays.vms.clustered
    own = family_b_core_seconds(laws, inputs.users, inputs.ram_gib, clustered, c)
    value = own * laws.slowness * laws.cpu_factor
    places = inputs.family_b
    at_home = laws.as_measured & (laws.cpu_factor == 1.0)
    basis, itself = places.basis(at_home, inputs.exact_users)
    width = MAIL85_HALF_WIDTH * (1 + WIDENING_PER_STEP * places.steps)
    _put(
        load,
        where,
        value[where],
        np.hypot(width, laws.cpu_half_width[where]),
        basis,
        _cpu_evidence(inputs)[where],
    )
    figure = _family_b_figure(inputs)[where]
    load.measured[where] = np.where(itself, figure / 100.0 * VCPUS_PER_VM, np.nan)


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
    codes = [inputs.sources.code(ids) for ids in (inotes, member, mail)]
    workload = np.where(inputs.laws.inotes, 0, np.where(inputs.arrays.vms.clustered, 1, 2))
    return np.array(codes, dtype=np.int32)[workload]


def _not_the_run(load: Estimate, where: BoolArray, as_measured: BoolArray) -> None:
    """What equals a run in users and RAM but ran elsewhere is interpolated, not measured."""
    elsewhere = where & ~as_measured & (load.basis == MEASURED)
    load.basis[elsewhere] = INTERPOLATED


def _put(
    load: Estimate,
    where: BoolArray,
    value: FloatArray,
    half_width: FloatArray,
    basis: np.ndarray | int,
    evidence: np.ndarray | int,
) -> None:
    widening = np.exp(np.minimum(half_width, LARGEST_HALF_WIDTH))
    load.put(where, value, below=1 / widening, above=widening, basis=basis, evidence=evidence)


LARGEST_HALF_WIDTH = 7.0
"""A factor of 1,100 either way says all there is to say: nothing is known here."""

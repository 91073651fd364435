"""Demands with their intervals, bases and evidence: CPU and disk I/O of every VM."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from models.base.lazily import lazy
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.base.rounding import steady
from models.catalog.catalog import Catalog, Product
from models.catalog.published import PRODUCTION_TO_BENCHMARK, largest_load, release_of
from models.evidence.calibration import Calibration
from models.evidence.constants import USERS_PER_VM, VCPUS_PER_VM
from models.evidence.family_a import cpu_pct
from models.evidence.knowledge import Knowledge
from models.evidence.uncertainty import log_half_width, widening
from models.formulas.traced import PER_CENT, labelled, times, where
from models.physics.arrays import USERS, Arrays, VmArrays
from models.physics.columns import blank, filled, some
from models.physics.coverage import (
    Coverage,
    FamilyAPlaces,
    FamilyBPlaces,
    RunTable,
    family_a_coverage,
    family_a_places,
    family_b_places,
    run_table,
)
from models.physics.cpu import CORES, of_vcpus_pct
from models.physics.demand import (
    FILES_EXPONENT,
    MAIL85_HALF_WIDTH,
    Cache,
    MemberCosts,
    MoreCopies,
    base_iops,
    cache_of,
    family_b_pct_per_user,
    iops_per_user,
    member_costs,
    more_copies,
    received_iops_per_user,
)
from models.physics.estimates import (
    EXTRAPOLATED,
    INTERPOLATED,
    MEASURED,
    RULE,
    TRANSFERRED,
    Estimate,
    Sources,
)
from models.physics.laws import A_VCPUS, MAIL_FILE_TOLERANCE, Laws
from models.physics.measured_load import MeasuredLoad, evidence_of, measured_load, spread_of
from models.physics.origins import FactorIds, factor_ids
from models.physics.other_work import OtherDemand, other_work
from models.physics.site_load import shift_of_each, site_shift
from models.scenario.scenario import Derating

FIRST_COUNTED = 3
"""Ordinal of Domino 6, from which on somebody compared I/O with an earlier release."""

CPU, RESPONSE = "cpu_pct", "response_ms"


def benchmark_users(vms: VmArrays, derating: Derating) -> FloatArray:
    """Benchmark users of every VM [users], (n,): active users · derating. Valid as the policy says.
    Source: docs/model.md, "From users to a verdict".

    >>> from types import SimpleNamespace
    >>> vms = SimpleNamespace(active_users=np.full(2, 900.0), chatting=np.array([False, True]))
    >>> benchmark_users(vms, Derating(2.0, 1.0)).tolist()
    [1800.0, 900.0]
    """
    each = where(vms.chatting, derating.chat, derating.mail)
    return labelled("benchmark users", vms.active_users * each, USERS)


@record(slots=False)
class Inputs:
    """What every demand needs: arrays, laws, offered benchmark users, RAM, calibration, catalog.

    `derating`: how users are counted.
    """

    arrays: Arrays
    laws: Laws
    users: FloatArray
    ram_gib: FloatArray
    derating: Derating
    knowledge: Knowledge
    sources: Sources

    @property
    def catalog(self) -> Catalog:
        return self.knowledge.catalog

    @property
    def calibration(self) -> Calibration:
        return self.knowledge.calibration

    @lazy
    def compared_users(self) -> FloatArray:
        """Benchmark users of each VM to compare with published loads, (n,)."""
        return self.users * (PRODUCTION_TO_BENCHMARK if self.derating.production else 1.0)

    @lazy
    def beyond_published(self) -> BoolArray:
        """Domino servers with more benchmark users than the largest load ever published, (n,)."""
        largest = largest_load(self.catalog)
        if largest is None or largest.users is None:
            return filled(len(self.users), False, np.bool_)
        return self.arrays.vms.domino & (self.compared_users > largest.users)

    @lazy
    def without_io(self) -> BoolArray:
        """Domino servers whose I/O nobody counted, (n,): of releases before 6, of which shares of
        busy disks are published, and no comparison with a later one."""
        lines = [
            release_of(self.catalog, Product.DOMINO, text) for text in self.arrays.vms.releases
        ]
        old = [line is not None and line.ordinal < FIRST_COUNTED for line in lines]
        return self.arrays.vms.domino & np.array(old, dtype=np.bool_).take(self.arrays.vms.release)

    @property
    def exact_users(self) -> bool:
        """Whether a user is a benchmark user, so that a run can count as measured."""
        return self.derating.exact

    @lazy
    def _runs(self) -> RunTable:
        return run_table(self.calibration.runs)

    @lazy
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

    @lazy
    def responses_a(self) -> Coverage:
        """How near the VMs of family A stand to its responses."""
        return self.family_a(RESPONSE)

    @lazy
    def last_users(self) -> FloatArray:
        """Users of the last run with a response like that of each VM, (n,)."""
        if not self.laws.some_a:
            return filled(len(self.users), USERS_PER_VM)
        last = np.where(self.laws.family_a, self.responses_a.last, USERS_PER_VM)
        return np.where(self.laws.between, np.minimum(last, USERS_PER_VM), last)

    @lazy
    def costs(self) -> MemberCosts:
        """What members of Domino clusters take more."""
        return member_costs(self.calibration.constants)

    @lazy
    def pct_per_user_b(self) -> FloatArray:
        """CPU of one user by family B on its own machine [% of a core], (n,)."""
        replicating, c = self.arrays.vms.replicating, self.calibration.constants
        return family_b_pct_per_user(self.laws, self.ram_gib, replicating, c, self.costs)

    @lazy
    def base_iops(self) -> FloatArray:
        """Host I/Os per second of one active user at 8 GB, (n,)."""
        c = self.calibration.constants
        return base_iops(self.laws, self.arrays.vms.replicating, c, self.costs)

    @lazy
    def iops_per_user(self) -> FloatArray:
        """The same here, NaN where no family says, (n,)."""
        return iops_per_user(self.laws, self.base_iops, self.cache)

    @lazy
    def cache(self) -> Cache:
        """What RAM and the size of mail files make of I/O, (n,)."""
        vms, exponent = self.arrays.vms, self.calibration.constants.inotes85.ram_exponent_iops
        return cache_of(
            self.ram_gib,
            vms.mail_file_mb,
            vms.files_kept,
            exponent.value,
            vms.buffer_pool_mb,
        )

    @lazy
    def received(self) -> FloatArray | None:
        """Benchmark users of partners whose changes each VM takes, (n,); None where nobody does."""
        vms = self.arrays.vms
        if not vms.some_clustered:
            return None
        users: FloatArray = vms.received_users * self.derating.mail
        return labelled("benchmark users of its partners", users, USERS)

    @lazy
    def other(self) -> OtherDemand | None:
        """Other work of production servers; None in the benchmark's basis."""
        if not self.derating.production:
            return None
        esx = self.calibration.law.esx_cpu_factor
        load = self.derating.mail  # in production nothing but what a user's load grew by
        return other_work(self.arrays, self.catalog, esx, self.sources, load=load)

    @lazy
    def own(self) -> MeasuredLoad | None:
        """Loads that somebody measured, where they stand; None where there is none."""
        if not some(self.laws.generic):
            return None
        return measured_load(self.arrays, self.catalog, self.calibration.constants)

    @lazy
    def more_copies(self) -> MoreCopies | None:
        """What more than one further copy of mail files adds; None where nobody keeps more."""
        vms = self.arrays.vms
        several = (vms.further_copies != 1.0) | (vms.received_copies != 1.0)
        if not (vms.some_clustered and some(several)):
            return None
        return more_copies(
            self.laws,
            self.calibration.constants,
            further=vms.further_copies,
            received=vms.received_copies,
            pushes=vms.replicating & (vms.active_users > 0),
            receives=vms.received_users > 0,
        )

    @lazy
    def factor_ids(self) -> FactorIds:
        """Evidence behind the factors of releases and Domino clusters."""
        return factor_ids(self.arrays.vms, self.laws, self.calibration.constants)

    @lazy
    def family_b(self) -> FamilyBPlaces:
        """Where the VMs of family B, iNotes among them, stand among its runs."""
        member = self.arrays.vms.replicating
        return family_b_places(self.laws, self.users, self.ram_gib, member, self.received)

    @lazy
    def cpu_basis_b(self) -> tuple[npt.NDArray[np.int64], BoolArray]:
        """Basis codes of family B's CPU, and which VMs are the very run, (n,)."""
        return self.family_b.basis(self.laws.at_home, self.exact_users)

    @lazy
    def half_width_b(self) -> FloatArray:
        """Family B's own half width in ln, growing outside its runs."""
        return MAIL85_HALF_WIDTH * widening(self.family_b.steps)

    @lazy
    def workload_b(self) -> IntArray:
        """Of family B: 0 iNotes, 1 member of a Domino cluster, 2 other mail."""
        member = self.arrays.vms.replicating
        mail = np.where(member, 1, 2) if self.arrays.vms.some_clustered else 2
        return np.where(self.laws.inotes, 0, mail)


def core_seconds(inputs: Inputs) -> Estimate:
    """CPU load of every VM on its host [core-seconds per second]; 0 when powered off.

    No data where no family or figure says, where a VM isn't placed, and where its host has no SPEC
    rate to come from the measured machine by.

    users·CPU per user·slowness·factor of the release, and what partners' users cost members of
    Domino clusters. Valid as the VM's law is: `family_a.cpu_pct`, `demand.family_b_pct_per_user`.
    Source: docs/model.md, "From users to a verdict".

    The building block, 4,000 users on 28.7 % of 2 vCPUs:

    >>> from tests.models.worlds import a_scenario, a_vm, inputs_of
    >>> core_seconds(inputs_of(a_scenario(vms=(a_vm(users=4000.0),)))).value.round(3).tolist()
    [0.575]
    """
    vms, laws = inputs.arrays.vms, inputs.laws
    load = _Demand.stated(filled(len(vms), np.nan))
    if inputs.own is not None:
        load.add_measured(laws.generic, inputs.own, inputs)
    by_b = _by_family_b(inputs) if laws.some_b else None
    if by_b is not None:
        load.add(laws.b_law, by_b.value, **by_b.words)
        np.copyto(load.measured, by_b.measured, where=laws.b_law)
    if laws.some_a:
        by_a = _by_family_a(inputs)
        load.add(laws.family_a, by_a.value, **by_a.words)
        np.copyto(load.measured, by_a.measured, where=laws.family_a)
        if by_b is not None and laws.some_between:
            _blend(load, by_a, by_b, inputs)
    _transfer_copies(load, inputs)
    load.value[vms.host < 0] = np.nan
    if inputs.other is not None:
        load.add_other(vms.domino, inputs.other.cores, inputs)
    load.shift_to_site(inputs, "cpu")
    if vms.window_mhz is not None:
        load.add_stated(vms.domino, vms.window_mhz / vms.at.base_mhz)
    return beyond_evidence(load.estimate(vms), inputs)


def beyond_evidence(estimate: Estimate, inputs: Inputs) -> Estimate:
    """The same, extrapolated where a server carries more than any published load (in place)."""
    if some(inputs.beyond_published):
        where = inputs.beyond_published & estimate.known & (estimate.value > 0)
        np.copyto(estimate.basis, EXTRAPOLATED, where=where, casting="unsafe")
    return estimate


def _transfer_copies(load: _Demand, inputs: Inputs) -> None:
    """Nobody measured more than one further copy on what any family is of."""
    if (more := inputs.more_copies) is not None:
        several = more.several & (load.basis != RULE)
        load.basis[several] = np.maximum(load.basis[several], TRANSFERRED)
        load.measured[several] = np.nan


@record
class _Said:
    """What one family says of CPU [core-seconds per second], shape (n,); `half_width` in ln."""

    value: FloatArray
    half_width: FloatArray
    basis: np.ndarray
    evidence: npt.NDArray[np.int32]
    measured: FloatArray

    @property
    def words(self) -> dict[str, np.ndarray]:
        return {"half_width": self.half_width, "basis": self.basis, "evidence": self.evidence}


def _blend(load: _Demand, by_a: _Said, by_b: _Said, inputs: Inputs) -> None:
    """Between the families: the weighted mean of the logarithms, with both intervals."""
    laws = inputs.laws
    value = laws.mixed_cpu(by_a.value, by_b.value)
    either = np.array([by_a.value, by_b.value])
    ratio = np.divide(value, either, out=np.ones_like(either), where=laws.between & (value > 0))
    apart = np.log(ratio)
    load.add(
        laws.between,
        value,
        half_width=laws.union(by_a.half_width, by_b.half_width, apart),
        basis=TRANSFERRED,
        evidence=inputs.sources.both(by_a.evidence, by_b.evidence),
    )
    np.copyto(load.measured, np.nan, where=laws.between)


def iops(inputs: Inputs) -> Estimate:
    """Host I/Os of every VM [IO/s]; 0 when powered off.

    users·I/Os per user + partners' users·I/Os that theirs cost a member of a Domino cluster.
    Valid and from where `demand.iops_per_user` and `demand.received_iops_per_user` are.

    The building block, 4,000 users with 8 GB, and twice as many:

    >>> from tests.models.worlds import a_scenario, a_vm, inputs_of
    >>> both = a_scenario(vms=(a_vm(users=4000.0), a_vm("m2", users=8000.0)))
    >>> iops(inputs_of(both)).value.round().tolist()
    [721.0, 1443.0]
    """
    vms, laws, c = inputs.arrays.vms, inputs.laws, inputs.calibration.constants
    load = _Demand.stated(vms.own_iops.copy(), spread_of(vms.own_iops_spread))
    rate = iops_of_users(inputs)
    if laws.some_b:
        _add_iops_b(load, inputs, rate)
    if laws.some_a:
        mail = np.full(len(vms), inputs.sources.code(c.mail85.iops_per_user.evidence), np.int32)
        own = np.where(laws.family_b, inputs.half_width_b, MAIL85_HALF_WIDTH)
        load.add(
            laws.family_a,
            rate,
            half_width=_with_files(inputs, np.hypot(own, laws.iops_half_width)),
            basis=TRANSFERRED,
            evidence=inputs.sources.joined(mail, inputs.factor_ids.iops, inputs.factor_ids.which),
        )
    _transfer_copies(load, inputs)
    if inputs.other is not None:
        load.add_other(vms.domino, inputs.other.iops, inputs)
    load.shift_to_site(inputs, "iops")
    if vms.window_iops is not None:
        load.add_stated(vms.domino, vms.window_iops)
    found = load.estimate(vms)
    if some(inputs.without_io):
        found.drop(inputs.without_io & vms.powered_on)
    return beyond_evidence(found, inputs)


def iops_of_users(inputs: Inputs) -> FloatArray:
    """Host I/Os of every VM by its family [IO/s], (n,): the sum of `iops`, valid and from where
    that is.

    >>> from tests.models.worlds import a_scenario, a_vm, inputs_of
    >>> iops_of_users(inputs_of(a_scenario(vms=(a_vm(users=4000.0),)))).round().tolist()
    [721.0]
    """
    own = inputs.users * inputs.iops_per_user
    if inputs.more_copies is not None:
        own = own * inputs.more_copies.io
    if inputs.received is None:
        return own
    c = inputs.calibration.constants
    each = received_iops_per_user(inputs.laws, inputs.cache, c, inputs.costs)
    own = labelled("I/O of its own users", own, "IOPS")
    return own + labelled("I/O for its partners' users", inputs.received * each, "IOPS")


def _with_files(inputs: Inputs, half_width: FloatArray) -> FloatArray:
    """The same, below and above, with what the size of mail files, those in memory and more copies
    of them add."""
    width = np.hypot(half_width, inputs.cache.files_half_width)
    width = np.array([width, np.hypot(width, inputs.cache.fading_half_width)])
    if (more := inputs.more_copies) is not None:
        width = np.hypot(width, more.io_width)
    return np.asarray(width)


@record
class _Demand:
    """A demand family by family, shape (n,); `half_width` below and above in ln, (2, n)."""

    value: FloatArray
    half_width: FloatArray
    basis: npt.NDArray[np.int8]
    evidence: npt.NDArray[np.int32]
    measured: FloatArray

    @classmethod
    def stated(cls, own: FloatArray, half_width: FloatArray | float = 0.0) -> _Demand:
        """What VMs bring themselves, exact unless it is assumed; NaN where they bring nothing."""
        count = len(own)
        basis, evidence = filled(count, RULE, np.int8), np.zeros(count, dtype=np.int32)
        return cls(own, np.zeros((2, count)) + half_width, basis, evidence, blank(count))

    def add(
        self,
        where: BoolArray,
        value: FloatArray,
        *,
        half_width: FloatArray,
        basis: np.ndarray | int,
        evidence: np.ndarray,
    ) -> None:
        """The items `where`, out of columns of all items."""
        np.copyto(self.value, value, where=where)
        np.copyto(self.half_width, half_width, where=where)
        np.copyto(self.basis, basis, where=where, casting="unsafe")
        np.copyto(self.evidence, evidence, where=where, casting="unsafe")

    def add_measured(self, where: BoolArray, own: MeasuredLoad, inputs: Inputs) -> None:
        """Loads that somebody measured; *transferred* unless it was on this very machine."""
        ends = own.ends
        ids = evidence_of(inputs.calibration.constants)
        codes = np.where(own.by_io[2] > 0, inputs.sources.code(ids), 0).astype(np.int32)
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = np.log(np.array([ends[0] / ends[1], ends[2] / ends[0]]))
        half_width = np.where(ends[0] > 0, ratio, 0.0)
        basis = np.where(own.exact | (ends[0] == 0), RULE, TRANSFERRED)
        self.add(where, ends[0], half_width=half_width, basis=basis, evidence=codes)

    def add_other(self, where: BoolArray, more: FloatArray, inputs: Inputs) -> None:
        """Other work of servers on top, (3, n): values and ends add up, as they err together for
        all that is known."""
        assert inputs.other is not None
        ends = self._ends() + more
        with np.errstate(invalid="ignore", divide="ignore"):
            widths = np.log(np.array([ends[0] / ends[1], ends[2] / ends[0]]))
        np.copyto(self.half_width, widths, where=where & (ends[0] > 0))
        np.copyto(self.value, ends[0], where=where)
        np.copyto(self.basis, TRANSFERRED, where=where, casting="unsafe")
        np.copyto(self.measured, np.nan, where=where)
        both = inputs.sources.both(self.evidence, inputs.other.evidence)
        np.copyto(self.evidence, both, where=where)

    def add_stated(self, where: BoolArray, more: FloatArray) -> None:
        """What is stated as exact on top, (n,): value and ends are higher by it; NaN takes away
        what is known."""
        ends = np.where(where, self._ends() + more, self._ends())
        with np.errstate(invalid="ignore", divide="ignore"):
            widths = np.log(np.array([ends[0] / ends[1], ends[2] / ends[0]]))
        np.copyto(self.half_width, widths, where=where & (ends[0] > 0))
        np.copyto(self.value, ends[0], where=where)
        np.copyto(self.measured, np.nan, where=where)
        measured = where & (self.basis == MEASURED)
        np.copyto(self.basis, INTERPOLATED, where=measured, casting="unsafe")

    def shift_to_site(self, inputs: Inputs, quantity: str) -> None:
        """Domino servers as this customer's measured ones have it, those themselves as measured."""
        site = inputs.derating.site
        if site is None or (shift := site_shift(site, quantity)) is None:
            return
        vms = inputs.arrays.vms
        own, width = {
            "cpu": (vms.calibrated_cpu, vms.calibrated_cpu_width),
            "iops": (vms.calibrated_iops, vms.calibrated_iops_width),
        }[quantity]
        where, each = vms.domino, shift_of_each(shift, own, width)
        np.copyto(self.half_width, each.half_width(self.half_width), where=where)
        np.multiply(self.value, each.factor, out=self.value, where=where)
        np.copyto(self.measured, np.nan, where=where)
        measured = self.basis == MEASURED
        np.copyto(self.basis, INTERPOLATED, where=where & measured, casting="unsafe")

    def _ends(self) -> FloatArray:
        widening = np.exp(np.minimum(self.half_width, LARGEST_HALF_WIDTH))
        return np.array([self.value, self.value / widening[0], self.value * widening[1]])

    def estimate(self, vms: VmArrays) -> Estimate:
        """With intervals; no data where there is no value, and exactly 0 when powered off."""
        ends, measured = steady(self._ends()), steady(self.measured)
        load = Estimate(ends, self.basis, self.evidence, measured)
        load.drop(np.isnan(self.value))
        if not vms.all_on:
            load.put(~vms.powered_on, 0.0, basis=RULE)
        return load


def vm_cpu_pct(load: Estimate, vcpus: FloatArray) -> Estimate:
    """Load of each VM [% of its vCPUs], 100·cores/vCPUs: what runs can't pass 100, what is asked
    can.

    Valid at any load. Source: the utilisation law, U = X·D per server.

    The building block on 2 vCPUs, and one that asks for more than it has:

    >>> vm_cpu_pct(Estimate.exact(np.array([0.5748, 2.5]), RULE), np.full(2, 2.0)).value.tolist()
    [28.74, 100.0]
    """
    return Estimate(
        pct_of_vcpus(load.ends, vcpus),
        load.basis.copy(),
        load.evidence.copy(),
        of_vcpus_pct(load.measured, vcpus),
    )


def pct_of_vcpus(cores: FloatArray, vcpus: FloatArray) -> FloatArray:
    """Load of vCPUs, what runs [%], any shape: min(100·cores/vCPUs, 100). Valid and from where
    `vm_cpu_pct` is.

    >>> pct_of_vcpus(np.array([0.5, 3.0]), np.full(2, 2.0)).tolist()
    [25.0, 100.0]
    """
    return np.minimum(labelled("CPU asked for", of_vcpus_pct(cores, vcpus), "%"), PER_CENT)


def _by_family_a(inputs: Inputs) -> _Said:
    laws, cover = inputs.laws, inputs.family_a(CPU)
    width = log_half_width(
        inputs.calibration.uncertainty.cpu,
        steps_outside=cover.steps,
        measured_configuration=cover.configuration_measured,
        transfer=laws.of_a.half_width,
    )
    if (more := inputs.more_copies) is not None:
        width = np.hypot(width, more.cpu_width)
    return _Said(
        cores_by_a(inputs),
        width,
        cover.basis,
        _with_cpu_factors(inputs, cover.evidence),
        cover.measured / 100.0 * A_VCPUS,
    )


def _by_family_b(inputs: Inputs) -> _Said:
    width = np.hypot(inputs.half_width_b, inputs.laws.of_b.half_width)
    if (more := inputs.more_copies) is not None:
        width = np.hypot(width, more.cpu_width)
    basis, itself = inputs.cpu_basis_b
    figure = blank(len(basis))
    if some(itself):
        np.copyto(figure, _family_b_figure(inputs) / 100.0 * VCPUS_PER_VM, where=itself)
    return _Said(
        cores_by_b(inputs),
        width,
        basis,
        _with_cpu_factors(inputs, _cpu_evidence(inputs)),
        figure,
    )


def cores_by_a(inputs: Inputs) -> FloatArray:
    """CPU of every VM by family A [core-seconds per second], (n,), with what its partners' users
    cost a member of a Domino cluster: a share of what they would ask for here.

    (CPU(users)·member + CPU(partners' users)·share)·4·slowness·factor. Valid and from where
    `family_a.cpu_pct` and `demand.member_costs` are.

    2,000 users on the Clovertown machine without ESX, 7.3 % of its four CPUs:

    >>> from tests.models.worlds import inputs_of, wv21
    >>> cores_by_a(inputs_of(wv21("clovertown", "physical", 7.25, 2000.0))).round(2).tolist()
    [0.29]
    """
    laws, more = inputs.laws, inputs.more_copies
    load = times(_on_machine_a(inputs, inputs.users), laws.member)
    if more is not None:
        load = load * more.cpu
    if inputs.received is not None:
        load = labelled("CPU load on the measured machine", load, CORES)
        taken = times(_on_machine_a(inputs, inputs.received), inputs.costs.cpu_received_a)
        if more is not None:
            taken = taken * more.received
        load = load + labelled("CPU load for its partners' users", taken, CORES)
        load = labelled("CPU load with its partners' users", load, CORES)
    return times(times(load, laws.of_a.slowness), laws.of_a.cpu_factor)


def _on_machine_a(inputs: Inputs, users: FloatArray) -> FloatArray:
    """CPU of so many users on family A's machine [core-seconds per second], (n,)."""
    laws = inputs.laws
    pct = cpu_pct(
        inputs.calibration.law,
        platform=laws.platform,
        storage=laws.storage,
        ram_gib=inputs.ram_gib,
        users=users,
        lossy=laws.lossy,
    )
    return labelled("share of its CPUs", pct / PER_CENT) * A_VCPUS


def cores_by_b(inputs: Inputs) -> FloatArray:
    """The same by family B, which has no partners' users for iNotes.

    (users·CPU of a user + partners' users·CPU of a mail user·share)·slowness·factor. Valid and from
    where `demand.family_b_pct_per_user` and `demand.member_costs` are.

    The building block, 4,000 users on 28.7 % of 2 vCPUs:

    >>> from tests.models.worlds import a_scenario, a_vm, inputs_of
    >>> cores_by_b(inputs_of(a_scenario(vms=(a_vm(users=4000.0),)))).round(3).tolist()
    [0.575]
    """
    laws, more = inputs.laws, inputs.more_copies
    each = labelled("CPU load of a user", inputs.pct_per_user_b / PER_CENT, CORES)
    load = inputs.users * each
    if more is not None:
        load = load * more.cpu
    if inputs.received is not None:
        load = labelled("CPU load of its own users", load, CORES)
        mail = inputs.calibration.constants.mail85.cpu_core_pct_per_user.value / PER_CENT
        mail = labelled("CPU load of a mail user", mail, CORES)
        taken = inputs.received * mail * inputs.costs.cpu_received
        if more is not None:
            taken = taken * more.received
        taken = labelled("CPU load for its partners' users", taken, CORES)
        load = load + where(laws.family_b, taken, 0.0)
        load = labelled("CPU load on the measured machine", load, CORES)
    return times(times(load, laws.of_b.slowness), laws.of_b.cpu_factor)


def _add_iops_b(load: _Demand, inputs: Inputs, rate: FloatArray) -> None:
    laws = inputs.laws
    basis, itself = inputs.family_b.basis(laws.release_measured, inputs.exact_users)
    released = (laws.iops_factor == 1.0) & (inputs.cache.files_half_width <= LIKE_FILES)
    basis[~released] = TRANSFERRED
    if some(itself):
        # What equals a run in users and RAM but ran elsewhere is interpolated, not measured.
        basis[(basis == MEASURED) & ~laws.as_measured] = INTERPOLATED
        np.copyto(load.measured, rate, where=laws.b_law & itself & released & laws.as_measured)
    load.add(
        laws.b_law,
        rate,
        half_width=_with_files(inputs, np.hypot(inputs.half_width_b, laws.iops_half_width)),
        basis=basis,
        evidence=inputs.sources.joined(
            _iops_evidence(inputs), inputs.factor_ids.iops, inputs.factor_ids.which
        ),
    )


LIKE_FILES = FILES_EXPONENT * MAIL_FILE_TOLERANCE * 1.03
"""Half width that mail files add which count as those that ran."""


def _family_b_figure(inputs: Inputs) -> FloatArray:
    """CPU of family B's runs as printed [% of 2 vCPUs], by workload and RAM."""
    c, laws = inputs.calibration.constants, inputs.laws
    to_pct = USERS_PER_VM / VCPUS_PER_VM
    small, large = c.inotes85.cpu_core_pct_per_user_8gb, c.inotes85.cpu_core_pct_per_user_16gb
    inotes = np.where(inputs.ram_gib < 12.0, small.value, large.value) * to_pct
    mail = np.where(
        inputs.arrays.vms.replicating,
        c.cluster85.cpu_pct.value,
        c.mail85.cpu_core_pct_per_user.value * to_pct,
    )
    return np.where(laws.inotes, inotes, mail)


def _with_cpu_factors(inputs: Inputs, codes: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    return inputs.sources.joined(codes, inputs.factor_ids.cpu, inputs.factor_ids.which)


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

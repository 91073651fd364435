"""Which family's law holds for a VM, and what leads from its measurement to where the VM stands.

Where a VM runs decides the family: WV21's machines, physical servers and ESX before 4.0 follow
family A, vSphere 4.0 and later family B (the vSphere 4 paper). To other releases, machines and
settings leads a stated factor, and the result is *transferred*; an upgrade of Domino on the same
host is never more than its factor.

A law depends on a few words only: machine and hypervisor, workload, release, and whether vCPUs and
surroundings are those of a measurement. So the laws of all cases that the machines and releases at
hand can make are worked out once, and every VM looks its own up.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from models.catalog import Array, Catalog, Disk, Platform
from models.evidence.constants import VCPUS_PER_VM, ClusterR5, FamilyConstants, Releases
from models.evidence.family_a import PlatformA, StorageA
from models.identity import Itself
from models.lazily import lazy
from models.physics.arrays import GIVEN, INOTES, LAWS, NOT_TO_ARRAY, NRPC, RDM, VMFS, Arrays
from models.physics.columns import filled, looked_up, some
from models.physics.machines import (
    CLOVERTOWN,
    NEHALEM,
    PHYSICAL,
    PLATFORMS,
    X366,
    Machine,
    release_number,
)
from models.quantities import BoolArray, FloatArray, IntArray
from models.record import record

A_VCPUS = 4.0
"""CPUs and vCPUs of every run of family A."""

A_HYPERVISOR, B_HYPERVISOR = (3, 0, 1), (4, 0, 0)
A_ARRAY, B_ARRAY = "ibm-ds4800", "netapp-fas3020"
A_DISK, A_SPINDLES = "fc-15k-36gb", 35
A_MAIL_FILE_MB = 87.5
MAIL_FILE_TOLERANCE = 0.05
"""What ran: ESX 3.0.1 and vSphere 4.0; DS4800 with "35+ spindles used for Lotus Domino Data" and
mail files of 87.5 MB (family A), FAS3020 (family B, whose drives and mail files aren't stated)."""

SPEC_HALF_WIDTH = 0.30
"""What a step to another machine by SPEC rate per core adds to ln CPU (90 %): the two suites'
bridge alone is uncertain by −20 to +8 %, and mail is not SPEC. Stated, not measured."""

SETTING_HALF_WIDTH = 0.25
"""The same for an unmeasured hypervisor release, storage path or number of vCPUs. Stated."""

RELEASE_HALF_WIDTH = 0.30
"""The same for a release without evidence, taken as its neighbour with factor 1, or that a source
counts together with another. Stated."""

MEMBER_HALF_WIDTH = 0.50
"""The same for membership in a Domino cluster with family A: family C measured it with R5, 500
users and one partner; its own text says from 5 % more CPU to three times as much. Stated."""


@dataclass(frozen=True, slots=True)
class ReleaseCost:
    """How a Domino release is costed.

    Attributes:
        like: the release whose figures are used.
        exact: whether that is the release itself.
        cpu, iops: cost over that of 8.5.1.
        guess: half width in ln that a neighbour's figures add; 0 for its own.
    """

    like: str
    exact: bool
    cpu: float
    iops: float
    guess: float


OLDER, BEFORE_NEWEST, NEWEST = "7.0.2", "8.0", "8.5.1"
MEASURED = (OLDER, NEWEST)
_NUMBER = re.compile(r"(\d+)(?:\.(\d+))?(?:\.(\d+))?")
_KNOWN = {6.5: "6.5", 7.002: OLDER, 8.0: BEFORE_NEWEST, 8.501: NEWEST}


def release_cost(release: str, factors: Releases) -> ReleaseCost:
    """The cost of a Domino release: its own where there is evidence, else its neighbour's.

    Evidence: 7.0.2 and 8.5.1 were measured; 8.5.1 saves up to 38 % of the CPU and 33 % of the I/O
    of 8.0 and earlier (vSphere 4 paper), and 7 up to 28 % of the CPU of 6.5 (zSeries article). Any
    other text is taken as the nearest of these, factor 1; a text without a number as 8.5.1.
    """
    like, exact = nearest_release(release)
    cpu, iops = 1.0, 1.0
    if like != NEWEST:
        cpu, iops = 1 / factors.cpu_factor_851.value, 1 / factors.iops_factor_851.value
    if like == "6.5":
        cpu /= factors.cpu_factor_7.value
    return ReleaseCost(like, exact, cpu, iops, 0.0 if exact else RELEASE_HALF_WIDTH)


@lru_cache(maxsize=256)
def nearest_release(release: str) -> tuple[str, bool]:
    """The release with evidence that a text stands nearest to, and whether it is that very one.

    >>> nearest_release("8.5.1"), nearest_release("Domino 9.0.1 FP10")
    (('8.5.1', True), ('8.5.1', False))
    """
    found = _NUMBER.search(release)
    number = _as_number(found) if found else max(_KNOWN)
    nearest = min(_KNOWN, key=lambda known: (abs(known - number), known))
    return _KNOWN[nearest], found is not None and nearest == number


def _as_number(found: re.Match[str]) -> float:
    major, minor, patch = (int(part or 0) for part in found.groups())
    return major + min(minor, 9) / 10 + min(patch, 99) / 1000


@record(slots=False)
class Laws:
    """Which law holds for each VM, and how far from its measurement, shape (n,).

    Attributes:
        family_a: NRPC mail by family A; `family_b`: NRPC mail by family B; `inotes`, `generic`;
            `b_law`: the VMs of family B and iNotes.
        platform, storage: codes of family A (`PlatformA`, `StorageA`), of use for its VMs only.
        direct: on the very machine, hypervisor (patch level too), storage path and array of the
            family, family A also with its mail files and without cluster partners; nothing
            transferred but what `release_measured` and `vcpus_as_measured` say.
        drives_as_measured: family A on drives like those of its runs, and as many; for responses.
        slowness: core-seconds here per core-second there, by SPEC rate per core; NaN: unknown.
        cpu_factor, iops_factor: of the release; `cpu_factor` also of the hypervisor.
        cpu_half_width, iops_half_width: what transfers add, ln.
        some_a, some_b: whether there is a VM of `family_a`, of `b_law`.
    """

    family_a: BoolArray
    family_b: BoolArray
    inotes: BoolArray
    b_law: BoolArray
    generic: BoolArray
    direct: BoolArray
    release_measured: BoolArray
    vcpus_as_measured: BoolArray
    slowness: FloatArray
    cpu_factor: FloatArray
    iops_factor: FloatArray
    cpu_half_width: FloatArray
    iops_half_width: FloatArray
    platform: IntArray
    storage: IntArray
    drives_as_measured: BoolArray
    some_a: bool
    some_b: bool

    @lazy
    def as_measured(self) -> BoolArray:
        """Machine, hypervisor, storage path, release and vCPUs of a measurement."""
        return self.direct & self.release_measured & self.vcpus_as_measured

    @lazy
    def at_home(self) -> BoolArray:
        """The same, for CPU of family B: nothing is transferred by a factor either."""
        return np.asarray(self.as_measured & (self.cpu_factor == 1.0))


def assign_laws(
    arrays: Arrays, catalog: Catalog, constants: FamilyConstants, esx_cpu_factor: float
) -> Laws:
    """The law of every VM.

    NRPC mail on vSphere 4.0 and later follows family B, except on WV21's own machines; all other
    NRPC mail follows family A. On a machine nobody measured, family A is taken from the Clovertown
    machine, family B from the Nehalem machine. iNotes is family B throughout: ESX before 4.0 costs
    it family A's ESX factor on top (family B ran on EPT). vSphere 4 and later gives family A
    nothing back: no evidence says how much. Members of a Domino cluster cost family A family C's
    factors on top; what a member takes for its partners' replicas is a demand of its own (`loads`).

    Args:
        esx_cpu_factor: CPU under ESX 3.0.1 over native CPU, of family A's law.
    """
    vms, machines = arrays.vms, arrays.hosts.machines
    cases = _cases(catalog, Itself(constants), esx_cpu_factor, machines, vms.releases)
    machine = looked_up(arrays.hosts.machine, vms.host, len(machines))
    some_a = some(cases.makes_a[machine] & (vms.law == NRPC))
    case = (machine * len(LAWS) + vms.law) * len(vms.releases) + vms.release
    case = case * len(_VCPUS) + (vms.vcpus == A_VCPUS) + 2 * (vms.vcpus == VCPUS_PER_VM)
    case = 2 * case + _as_b_ran(arrays)
    case = 2 * case + (_as_a_ran(arrays) if some_a else 0)
    family_a, family_b, inotes, b_law, generic, direct, release, vcpus = cases.conditions.take(
        case, axis=1
    )
    slowness, cpu, io, cpu_width, io_width = cases.figures.take(case, axis=1)
    platform, storage, drives = _path_of_a(arrays, family_a) if some_a else _no_path(len(vms))
    laws = Laws(
        family_a=family_a,
        family_b=family_b,
        inotes=inotes,
        b_law=b_law,
        generic=generic,
        platform=platform,
        storage=storage,
        direct=direct,
        drives_as_measured=drives,
        release_measured=release,
        vcpus_as_measured=vcpus,
        slowness=slowness,
        cpu_factor=cpu,
        iops_factor=io,
        cpu_half_width=cpu_width,
        iops_half_width=io_width,
        some_a=some_a,
        some_b=some(b_law),
    )
    return _with_members(laws, vms.replicating, constants.cluster_r5) if some_a else laws


def _with_members(laws: Laws, replicating: BoolArray, added: ClusterR5) -> Laws:
    """Family C's factors for members of Domino clusters under family A."""
    member = laws.family_a & replicating
    if not some(member):
        return laws
    width = MEMBER_HALF_WIDTH * member
    return replace(
        laws,
        cpu_factor=laws.cpu_factor * np.where(member, added.cpu_factor.value, 1.0),
        iops_factor=laws.iops_factor * np.where(member, added.disk_factor.value, 1.0),
        cpu_half_width=np.hypot(laws.cpu_half_width, width),
        iops_half_width=np.hypot(laws.iops_half_width, width),
    )


def _as_b_ran(arrays: Arrays) -> BoolArray:
    """VMs with the array of family B and a path that a VM can have to it; which one it was isn't
    printed."""
    on_array = _stands_on(arrays, arrays.pools.array, arrays.pools.arrays, B_ARRAY)
    return np.asarray(on_array & ~NOT_TO_ARRAY.take(arrays.vms.mode))


def _as_a_ran(arrays: Arrays) -> BoolArray:
    """VMs with path, array and mail files of family A, and no cluster partner that runs."""
    vms = arrays.vms
    found = (vms.at.physical | (vms.mode == VMFS) | (vms.mode == RDM)) & ~vms.replicating
    found &= _stands_on(arrays, arrays.pools.array, arrays.pools.arrays, A_ARRAY)
    found &= np.abs(vms.mail_file_mb / A_MAIL_FILE_MB - 1) <= MAIL_FILE_TOLERANCE
    return np.asarray(found)


def _stands_on(
    arrays: Arrays, code: IntArray, entries: Sequence[Array] | Sequence[Disk], id: str
) -> BoolArray:
    """VMs whose pool has a catalog entry of this id; `code` is the entry of each pool."""
    like = [entry.id == id for entry in entries]
    if not any(like):
        return np.zeros(len(arrays.vms), dtype=np.bool_)
    return np.array([*(like[entry] for entry in code.tolist()), False]).take(arrays.vms.pool)


def _path_of_a(arrays: Arrays, family_a: BoolArray) -> tuple[IntArray, IntArray, BoolArray]:
    """`platform`, `storage`, `drives_as_measured` of `Laws`.

    Paths under a hypervisor that nobody measured count as VMFS.
    """
    vms, pools = arrays.vms, arrays.pools
    on_x366 = vms.at.platform == X366
    platform = np.where(on_x366, int(PlatformA.X366), int(PlatformA.CLOVERTOWN))
    storage = np.where(vms.mode == RDM, int(StorageA.RDM), int(StorageA.VMFS))
    storage[vms.at.physical] = StorageA.PHYSICAL
    enough = looked_up(pools.spindles - pools.hot_spares >= A_SPINDLES, vms.pool, False)
    drives = enough & _stands_on(arrays, pools.disk, pools.disks, A_DISK)
    return platform, storage, ~family_a | drives


def _no_path(count: int) -> tuple[IntArray, IntArray, BoolArray]:
    """The same where nobody follows family A."""
    nothing = np.zeros(count, dtype=np.int64)
    return nothing, nothing, filled(count, True, np.bool_)


_VCPUS = (math.nan, A_VCPUS, VCPUS_PER_VM)
"""Numbers of vCPUs that make a case: any other, and those of the families."""


@record
class _Cases:
    """The laws of all cases, for VMs to look up.

    Attributes:
        makes_a: machines on which NRPC mail follows family A; the last is no machine.
        conditions, figures: the conditions and the figures of `Laws`, a row each.
    """

    makes_a: BoolArray
    conditions: BoolArray
    figures: FloatArray


@lru_cache(maxsize=8)
def _cases(
    catalog: Catalog,
    constants: Itself[FamilyConstants],
    esx_cpu_factor: float,
    machines: tuple[Machine, ...],
    releases: tuple[str, ...],
) -> _Cases:
    """Every combination of machine (or none), workload, release, number of vCPUs, and whether
    surroundings are those of family B and of family A; the last varies fastest."""
    platform, physical, version, spec, runs_a, runs_b = _machine_figures(catalog, machines)
    virtual, on_machine_of_a = physical == 0, (platform == X366) | (platform == CLOVERTOWN)
    makes_a = ~(virtual & ~on_machine_of_a & (version >= 4.0))
    shape = (len(makes_a), len(LAWS), len(releases), len(_VCPUS), 2, 2)
    machine, law, release, vcpus, around_b, around_a = np.indices(shape).reshape(len(shape), -1)
    factors = constants.value.releases
    older, newest, mail, guess, iops, iops_width = _cost_table(releases, factors)[:, release]
    nrpc, inotes = law == NRPC, law == INOTES
    family_a = nrpc & makes_a[machine]
    family_b = nrpc & ~family_a
    b_law = family_b | inotes
    at_home = np.where(family_a, on_machine_of_a[machine], (platform == NEHALEM)[machine])
    as_ran_a = ((physical > 0) | (runs_a > 0))[machine] & (around_a > 0)
    as_ran_b = (runs_b > 0)[machine] & (around_b > 0)
    direct = at_home & np.where(family_a, as_ran_a, b_law & as_ran_b)
    old_esx = b_law & (virtual & (version < 4.0))[machine]
    vcpus_as_measured = np.array(_VCPUS)[vcpus] == np.where(family_a, A_VCPUS, VCPUS_PER_VM)
    spec_a, spec_b = _spec_of(catalog, Platform.CLOVERTOWN), _spec_of(catalog, Platform.NEHALEM)
    slowness = np.where(at_home, 1.0, np.where(family_a, spec_a, spec_b) / spec[machine])
    early = 1 / factors.cpu_factor_851.value
    counted_together = family_a & ~(older > 0) & (mail == early)
    guess = np.where(counted_together, RELEASE_HALF_WIDTH, guess)
    cpu, release_width = _release_steps(mail, guess, family_a, inotes, early)
    steps = SETTING_HALF_WIDTH**2 * (~vcpus_as_measured * 1.0 + ~(direct | old_esx))
    steps += SPEC_HALF_WIDTH**2 * (slowness != 1.0) + math.log(esx_cpu_factor) ** 2 * old_esx
    release_measured = np.where(family_a, older, newest) > 0
    conditions = family_a, family_b, inotes, b_law, law == GIVEN, direct
    cpu_factor = np.where(old_esx, cpu * esx_cpu_factor, cpu)
    figures = slowness, cpu_factor, iops, np.sqrt(steps + release_width**2), iops_width
    return _Cases(
        makes_a, np.array([*conditions, release_measured, vcpus_as_measured]), np.array(figures)
    )


def _machine_figures(catalog: Catalog, machines: Sequence[Machine]) -> FloatArray:
    """Platform, physical, version, SPEC rate per core, and whether the hypervisor is that of family
    A and of family B, (6, machines and none)."""
    rows: list[tuple[float | None, ...]] = []
    for server_id, hypervisor_id in machines:
        server, hypervisor = catalog.servers[server_id], catalog.hypervisors[hypervisor_id]
        physical = hypervisor_id == PHYSICAL
        rows.append(
            (
                PLATFORMS.index(server.platform),
                physical,
                release_number(hypervisor),
                server.spec_rate_per_core,
                not physical and hypervisor.version == A_HYPERVISOR,
                not physical and hypervisor.version == B_HYPERVISOR,
            )
        )
    rows.append((-1, False, None, None, False, False))
    return np.array(rows, dtype=np.float64).T


def _cost_table(releases: tuple[str, ...], factors: Releases) -> FloatArray:
    """Per release: whether 7.0.2, whether 8.5.1, CPU, guess, I/O and its half width (6, r)."""
    costs = [release_cost(release, factors) for release in releases]
    rows = [
        (
            cost.exact and cost.like == OLDER,
            cost.exact and cost.like == NEWEST,
            cost.cpu,
            cost.guess,
            cost.iops,
            math.hypot(math.log(cost.iops), cost.guess),
        )
        for cost in costs
    ]
    return np.array(rows, dtype=np.float64).T if rows else np.empty((6, 0))


def _release_steps(
    mail: FloatArray, guess: FloatArray, family_a: BoolArray, inotes: BoolArray, early: float
) -> tuple[FloatArray, FloatArray]:
    """CPU over that of the family's own release, and the half width in ln that the step adds.

    Family A was measured with 7.0.2, family B with 8.5.1. What a document calls "up to" may be
    nothing as well, so the half width is the whole step. iNotes before 8.5.1 costs as 8.0.

    Args:
        mail: CPU of each VM's release over that of 8.5.1; `guess` its half width.
        early: CPU of 7.0.2 and 8.0 over that of 8.5.1.
    """
    factor = np.where(inotes, np.minimum(mail, early), mail) / np.where(family_a, early, 1.0)
    return factor, np.hypot(np.log(factor), guess)


def _spec_of(catalog: Catalog, platform: Platform) -> float:
    """SPEC rate per core of the measured machine, NaN when the catalog doesn't have it."""
    for server in catalog.servers.values():
        if server.platform is platform and server.spec_rate_per_core is not None:
            return server.spec_rate_per_core
    return float("nan")

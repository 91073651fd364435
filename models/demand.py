"""What users ask for: which family's law holds for a VM, its CPU load and its disk I/O.

Where a VM runs decides the family: WV21's machines, physical servers and ESX before 4.0 follow
family A, vSphere 4.0 and later family B (the vSphere 4 paper). To other releases, machines and
settings leads a stated factor, and the result is *transferred*; an upgrade of Domino on the same
host is never more than its factor. Users are benchmark users: active users times the policy's
derating.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from models.arrays import (
    CLOVERTOWN,
    GENERIC,
    INOTES,
    LOCAL,
    NEHALEM,
    NRPC,
    PHYSICAL,
    RDM,
    VMFS,
    X366,
    Arrays,
)
from models.catalog import Array, Catalog, Disk, Platform
from models.family_a import PlatformA, StorageA
from models.family_constants import USERS_PER_VM, VCPUS_PER_VM, ClusterR5, FamilyConstants, Releases
from models.quantities import BoolArray, FloatArray, IntArray

A_VCPUS = 4.0
"""CPUs and vCPUs of every run of family A."""

A_HYPERVISOR, B_HYPERVISOR = (3, 0, 1), (4, 0, 0)
A_ARRAY, B_ARRAY = "ibm-ds4800", "netapp-fas3020"
A_DISK, A_SPINDLES = "fc-15k-36gb", 35
A_MAIL_FILE_MB = 87.5
MAIL_FILE_TOLERANCE = 0.05
"""What ran: ESX 3.0.1 and vSphere 4.0; DS4800 with "35+ spindles used for Lotus Domino Data" and
mail files of 87.5 MB (family A), FAS3020 (family B, whose drives and mail files aren't stated)."""

B_RAM_GIB = 8.0
"""RAM of the VMs of family B that the other RAM sizes are compared with."""

SPEC_HALF_WIDTH = 0.30
"""What a step to another machine by SPEC rate per core adds to ln CPU (90 %): the two suites'
bridge alone is uncertain by −20 to +8 %, and mail is not SPEC. Stated, not measured."""

SETTING_HALF_WIDTH = 0.25
"""The same for an unmeasured hypervisor release, storage path or number of vCPUs. Stated."""

RELEASE_HALF_WIDTH = 0.30
"""The same for a release without evidence, taken as its neighbour with factor 1. Stated."""

MEMBER_HALF_WIDTH = 0.50
"""The same for membership in a Domino cluster with family A: family C measured it with R5, 500
users and one partner; its own text says from 5 % more CPU to three times as much. Stated."""

MAIL85_HALF_WIDTH = 0.20
"""Family B's own: its two VMs agree within 4 % in CPU and 6 % in I/O, but whether the averages
include the ramp is not said. Stated."""


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


OLDER, NEWEST = "7.0.2", "8.5.1"
MEASURED = (OLDER, NEWEST)
_NUMBER = re.compile(r"(\d+)(?:\.(\d+))?(?:\.(\d+))?")
_KNOWN = {6.5: "6.5", 7.002: "7.0.2", 8.0: "8.0", 8.501: NEWEST}


def release_cost(release: str, factors: Releases) -> ReleaseCost:
    """The cost of a Domino release: its own where there is evidence, else its neighbour's.

    Evidence: 7.0.2 and 8.5.1 were measured; 8.5.1 saves up to 38 % of the CPU and 33 % of the I/O
    of 8.0 and earlier (vSphere 4 paper), and 7 up to 28 % of the CPU of 6.5 (zSeries article). Any
    other text is taken as the nearest of these, factor 1; a text without a number as 8.5.1.
    """
    found = _NUMBER.search(release)
    number = _as_number(found) if found else max(_KNOWN)
    nearest = min(_KNOWN, key=lambda known: (abs(known - number), known))
    exact = found is not None and nearest == number
    like = _KNOWN[nearest]
    cpu, iops = 1.0, 1.0
    if like != NEWEST:
        cpu, iops = 1 / factors.cpu_factor_851.value, 1 / factors.iops_factor_851.value
    if like == "6.5":
        cpu /= factors.cpu_factor_7.value
    return ReleaseCost(like, exact, cpu, iops, 0.0 if exact else RELEASE_HALF_WIDTH)


def _as_number(found: re.Match[str]) -> float:
    major, minor, patch = (int(part or 0) for part in found.groups())
    return major + min(minor, 9) / 10 + min(patch, 99) / 1000


@dataclass(frozen=True, eq=False)
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
    platform: IntArray
    storage: IntArray
    direct: BoolArray
    drives_as_measured: BoolArray
    release_measured: BoolArray
    vcpus_as_measured: BoolArray
    slowness: FloatArray
    cpu_factor: FloatArray
    iops_factor: FloatArray
    cpu_half_width: FloatArray
    iops_half_width: FloatArray
    some_a: bool
    some_b: bool

    @cached_property
    def as_measured(self) -> BoolArray:
        """Machine, hypervisor, storage path, release and vCPUs of a measurement."""
        return self.direct & self.release_measured & self.vcpus_as_measured

    @cached_property
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
    factors on top; what a member takes for its partners' replicas isn't in them.

    Args:
        esx_cpu_factor: CPU under ESX 3.0.1 over native CPU, of family A's law.
    """
    vms, at = arrays.vms, arrays.vms.at
    older, newest, mail, guess, iops, iops_width = _cost_table(
        vms.releases, constants.releases
    ).take(vms.release, axis=1)
    nrpc, inotes = vms.kind == NRPC, vms.kind == INOTES
    platform, physical, version = at.platform, at.physical, at.version
    virtual, at_home, x366 = ~physical, platform == NEHALEM, platform == X366
    on_a = x366 | (platform == CLOVERTOWN)
    family_b = nrpc & virtual & ~on_a & (version >= 4.0)
    family_a, b_law = nrpc & ~family_b, family_b | inotes
    direct = b_law & at_home & _as_b_ran(arrays)
    drives = np.ones(len(vms), dtype=np.bool_)
    some_a, spec_a, spec_b = bool(family_a.any()), *_measured_specs(catalog)
    slowness = np.full(len(vms), spec_b)
    if some_a:
        direct |= family_a & on_a & _as_a_ran(arrays)
        drives = ~family_a | _on_drives_of_a(arrays)
        at_home = np.where(family_a, on_a, at_home)
        slowness[family_a] = spec_a
    slowness = np.where(at_home, 1.0, slowness / at.spec_per_core)
    old_esx = b_law & virtual & (version < 4.0)
    vcpus = np.where(family_a, A_VCPUS, VCPUS_PER_VM) == vms.vcpus
    steps = SETTING_HALF_WIDTH**2 * (~vcpus * 1.0 + ~(direct | old_esx))
    steps += SPEC_HALF_WIDTH**2 * (slowness != 1.0) + math.log(esx_cpu_factor) ** 2 * old_esx
    early = constants.releases.cpu_factor_851.value
    cpu, release_width = _release_steps(mail, guess, family_a, inotes, 1 / early)
    laws = Laws(
        family_a=family_a,
        family_b=family_b,
        inotes=inotes,
        b_law=b_law,
        generic=vms.kind == GENERIC,
        platform=np.where(x366, int(PlatformA.X366), int(PlatformA.CLOVERTOWN)),
        storage=_storage(physical, vms.mode),
        direct=direct,
        drives_as_measured=drives,
        release_measured=np.where(family_a, older, newest) > 0,
        vcpus_as_measured=vcpus,
        slowness=slowness,
        cpu_factor=np.where(old_esx, cpu * esx_cpu_factor, cpu),
        iops_factor=iops,
        cpu_half_width=np.sqrt(steps + release_width**2),
        iops_half_width=iops_width,
        some_a=some_a,
        some_b=bool(b_law.any()),
    )
    return _with_members(laws, vms.clustered, constants.cluster_r5)


def _with_members(laws: Laws, clustered: BoolArray, added: ClusterR5) -> Laws:
    """Family C's factors for members of Domino clusters under family A."""
    member = laws.family_a & clustered
    if not member.any():
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
    """VMs with hypervisor, path and array of family B."""
    path = (arrays.vms.mode != LOCAL) & _runs(arrays, B_HYPERVISOR)
    return np.asarray(path & _stands_on(arrays, arrays.pools.array, arrays.pools.arrays, B_ARRAY))


def _as_a_ran(arrays: Arrays) -> BoolArray:
    """VMs with hypervisor, path, array and mail files of family A, and no cluster partners."""
    vms = arrays.vms
    on_path = _runs(arrays, A_HYPERVISOR) & ((vms.mode == VMFS) | (vms.mode == RDM))
    found = (vms.at.physical | on_path) & ~vms.clustered
    found &= _stands_on(arrays, arrays.pools.array, arrays.pools.arrays, A_ARRAY)
    found &= np.abs(vms.mail_file_mb / A_MAIL_FILE_MB - 1) <= MAIL_FILE_TOLERANCE
    return np.asarray(found)


def _runs(arrays: Arrays, version: tuple[int, int, int]) -> BoolArray:
    """VMs under a hypervisor of this very version."""
    like = [h.id != PHYSICAL and h.version == version for h in arrays.hosts.hypervisors]
    return np.array([*like, False])[arrays.vms.at.hypervisor.astype(np.int64)]


def _stands_on(
    arrays: Arrays, code: IntArray, entries: Sequence[Array] | Sequence[Disk], id: str
) -> BoolArray:
    """VMs whose pool has a catalog entry of this id; `code` is the entry of each pool."""
    like = np.array([*(entry.id == id for entry in entries), False])
    return np.asarray(like[np.append(code, -1)[arrays.vms.pool]])


def _on_drives_of_a(arrays: Arrays) -> BoolArray:
    pools, vms = arrays.pools, arrays.vms
    enough = np.append(pools.spindles - pools.hot_spares >= A_SPINDLES, False)[vms.pool]
    return enough & _stands_on(arrays, pools.disk, pools.disks, A_DISK)


def _storage(physical: BoolArray, mode: IntArray) -> IntArray:
    """Path of family A; paths under a hypervisor that nobody measured count as VMFS."""
    storage = np.where(mode == RDM, int(StorageA.RDM), int(StorageA.VMFS))
    storage[physical] = StorageA.PHYSICAL
    return storage


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


def family_b_core_seconds(
    laws: Laws, users: FloatArray, ram_gib: FloatArray, clustered: BoolArray, c: FamilyConstants
) -> FloatArray:
    """CPU load of family B on its own machine [core-seconds per second], shape (n,).

    Straight in users, as service demands are: 4,000 users took 28.7 % of 2 vCPUs (NRPC), 32 % as
    member of a Domino cluster, 67.5 % (iNotes at 8 GB) and 66 % (at 16 GB); iNotes follows
    RAM^x between and beyond those two.
    """
    mail = c.mail85.cpu_core_pct_per_user.value
    member = c.cluster85.cpu_pct.value * VCPUS_PER_VM / USERS_PER_VM
    small, large = c.inotes85.cpu_core_pct_per_user_8gb, c.inotes85.cpu_core_pct_per_user_16gb
    exponent = math.log2(large.value / small.value)
    per_user = np.where(clustered, member, mail)
    per_user = np.where(laws.inotes, small.value * (ram_gib / B_RAM_GIB) ** exponent, per_user)
    return users * per_user / 100.0


def iops_per_user(
    laws: Laws, ram_gib: FloatArray, clustered: BoolArray, c: FamilyConstants
) -> FloatArray:
    """Host I/Os per second of one active user, shape (n,); NaN where no family says.

    Family B's figures (8.5.1, 8 GB; a Domino cluster member 16 GB) times the release's factor,
    falling with RAM as RAM^−0.42, which is what iNotes showed between 8 and 16 GB and the cache
    literature's square-root rule of miss rates expects.
    """
    exponent = c.inotes85.ram_exponent_iops.value
    at_8 = (ram_gib / B_RAM_GIB) ** -exponent
    member = c.cluster85.iops.value / USERS_PER_VM * (16.0 / B_RAM_GIB) ** exponent
    base = np.where(clustered & ~laws.family_a, member, c.mail85.iops_per_user.value)
    base = np.where(laws.inotes, c.inotes85.iops_per_user_8gb.value, base)
    return np.where(laws.b_law | laws.family_a, base * at_8 * laws.iops_factor, np.nan)


def generic_core_seconds(own_cpu_mhz: FloatArray, base_mhz: FloatArray) -> FloatArray:
    """CPU load of a customer's own figure: MHz over the clock of the host's cores.

    >>> generic_core_seconds(np.array([1166.5]), np.array([2333.0])).tolist()
    [0.5]
    """
    return own_cpu_mhz / base_mhz


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


@lru_cache(maxsize=8)
def _measured_specs(catalog: Catalog) -> tuple[float, float]:
    """SPEC rate per core of the machines of families A and B; a catalog does not change."""
    return _spec_of(catalog, Platform.CLOVERTOWN), _spec_of(catalog, Platform.NEHALEM)


def _spec_of(catalog: Catalog, platform: Platform) -> float:
    """SPEC rate per core of the measured machine, NaN when the catalog doesn't have it."""
    for server in catalog.servers.values():
        if server.platform is platform and server.spec_rate_per_core is not None:
            return server.spec_rate_per_core
    return float("nan")

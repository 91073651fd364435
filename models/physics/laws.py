"""Which family's law holds for a VM, and what leads from its measurement to where the VM stands.

Machine and hypervisor decide it: family A (WV21) on its machines with ESX up to 3.0 or none, family
B (the vSphere 4 paper) on others under vSphere 4.0 and later, and between them both, weighed by
distance, so that no seam lies between neighbours (`seam_weight`). To other releases, machines and
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

from models.base.identity import Itself
from models.base.lazily import lazy
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.base.texts import say
from models.catalog.catalog import Array, Catalog, Disk, Platform, RaidLevel, Server
from models.catalog.distance import MEASURED_ON, on_bare_metal
from models.evidence.constants import VCPUS_PER_VM, FamilyConstants, Releases
from models.evidence.domino_cluster import ClusterR5
from models.evidence.family_a import PlatformA, StorageA
from models.formulas.traced import ONE, Figure, labelled, renamed, where
from models.physics.arrays import GIVEN, INOTES, LAWS, NOT_TO_ARRAY, NRPC, RDM, VMFS, Arrays
from models.physics.columns import looked_up, some
from models.physics.cpu import CORES
from models.physics.host_columns import (
    CLOVERTOWN,
    NEHALEM,
    PHYSICAL,
    PLATFORMS,
    X366,
    Machine,
    release_number,
)
from models.physics.transfer_distance import GENERATIONS, HYPERVISORS, RELEASES, grown, steps

A_VCPUS = Figure(4.0, say("CPUs of the measured machine"), CORES, why=say("WV21: four"))
"""CPUs and vCPUs of every run of family A."""

A_HYPERVISOR, B_HYPERVISOR = (3, 0, 1), (4, 0, 0)
A_ARRAY, B_ARRAY = "ibm-ds4800", "netapp-fas3020"
A_DISK, A_SPINDLES, A_RAID = "fc-15k-36gb", 35, "5"
MAIL_FILE_MB = 87.5
MAIL_FILE_TOLERANCE = 0.05
"""What ran: ESX 3.0.1 and vSphere 4.0; DS4800 with "35+ spindles used for Lotus Domino Data" in
RAID 5 and mail files of 87.5 MB (family A), FAS3020 (family B, whose mail files aren't printed and
are taken to be those of family A)."""

B_DISK_IOPS, B_SPINDLES, B_RAID = 180.0, 22, "dp"
"""Drives of family B, which aren't printed: the 15,000 rpm and the RAID-DP of its array, as many as
its own maxima keep busy, 2·1,993 IO/s·(0.7·0.7 + 0.3·1.65)/180 IO/s. Stated."""

SPEC_HALF_WIDTH = 0.30
"""What a generation of processors by SPEC rate per core adds to ln CPU (90 %): the two suites'
bridge alone is uncertain by −20 to +8 %, and mail is not SPEC. Stated, not measured."""

SETTING_HALF_WIDTH = 0.25
"""The same for an unmeasured major release of the hypervisor, storage path or number of vCPUs.
Stated."""

RELEASE_HALF_WIDTH = 0.30
"""The same for each major release without evidence, taken as its neighbour with factor 1, or that a
source counts together with another. Stated; published steps are 0.33 (6.5 to 7, CPU), 0.36 (R5 to
6), 0.40 and 0.48 (8.0 to 8.5.1, I/O and CPU), each "up to"."""

MEMBER_HALF_WIDTH = 0.50
"""The same for membership in a Domino cluster with family A: family C measured it with R5, 500
users and one partner; its own text says from 5 % more CPU to three times as much. Stated."""


@dataclass(frozen=True, slots=True)
class ReleaseCost:
    """How a Domino release is costed.

    Attributes:
        like: the release whose figures are used.
        exact: whether that is the release itself.
        cpu, cpu_inotes, iops: cost over that of 8.5.1.
        cpu_a: the same over that of 7.0.2, which family A ran.
        guess: half width in ln that a neighbour's figures add; 0 for its own.
    """

    like: str
    exact: bool
    cpu: float
    cpu_inotes: float
    cpu_a: float
    iops: float
    guess: float


OLDEST, OLDER, BEFORE_NEWEST, NEWEST = "6.5", "7.0.2", "8.0", "8.5.1"
MEASURED = (OLDER, NEWEST)
_NUMBER = re.compile(r"(\d+)(?:\.(\d+))?(?:\.(\d+))?")
_KNOWN = {6.5: OLDEST, 7.002: OLDER, 8.0: BEFORE_NEWEST, 8.501: NEWEST}


def release_cost(release: str, factors: Releases) -> ReleaseCost:
    """The cost of a Domino release: its own where there is evidence, else its neighbour's.

    Evidence: 7.0.2 and 8.5.1 were measured; 8.5.1 saves up to 38 % of the CPU and 33 % of the I/O
    of 8.0 and earlier (vSphere 4 paper), and 7 up to 28 % of the CPU of 6.5 (zSeries article). Any
    other text is taken as the nearest of these, factor 1; a text without a number as 8.5.1.
    """
    like, exact = nearest_release(release)
    late, seven = factors.cpu_factor_851.value, factors.cpu_factor_7.value
    cpu = inotes = of_a = iops = 1.0
    if like == NEWEST:
        of_a = late
    else:
        cpu = inotes = 1.0 / late
        iops = older_io(factors, release, exact=exact)
    if like == OLDEST:
        cpu, of_a = 1.0 / labelled("both steps", late * seven), 1.0 / seven
    cpu, inotes, of_a = (
        renamed(
            "CPU of release {release} over the measured one",
            each,
            note=_costed_as(like, exact=exact),
            release=release,
        )
        for each in (cpu, inotes, of_a)
    )
    return ReleaseCost(like, exact, cpu, inotes, of_a, iops, 0.0 if exact else RELEASE_HALF_WIDTH)


def older_io(factors: Releases, release: str, *, exact: bool = True) -> float:
    """I/O of a release before 8.5.1 over that of 8.5.1 [1], 1/0.67. Valid and from where
    `release_cost` is.

    >>> from app.calibrated import shipped_calibration
    >>> round(older_io(shipped_calibration().constants.releases, OLDER), 2)
    1.49
    """
    return labelled(
        "I/O of release {release} over {newest}",
        1.0 / factors.iops_factor_851.value,
        note=_costed_as(nearest_release(release)[0], exact=exact),
        release=release,
        newest=NEWEST,
    )


def _costed_as(like: str, *, exact: bool) -> str:
    return "" if exact else say("without evidence of its own, taken as {like}", like=like)


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


@record
class Carried:
    """A family's CPU as it is carried to each VM, shape (n,).

    Attributes:
        slowness: core-seconds here per core-second on the family's machine, by SPEC rate per core;
            NaN: unknown.
        cpu_factor: of the release and the hypervisor.
        half_width: what these steps add, ln.
    """

    slowness: FloatArray
    cpu_factor: FloatArray
    half_width: FloatArray


@record
class UnderEsx3:
    """What ESX 3.0 was on the machine of each VM under a later one, shape (n,).

    Attributes:
        weight: `Laws.weight` there; NaN where the hypervisor isn't later.
        of_b: CPU by family B there over that here.
    """

    weight: FloatArray
    of_b: FloatArray


@record(slots=False)
class Laws:
    """Which law holds for each VM, and how far from its measurement, shape (n,).

    Attributes:
        family_a, family_b: NRPC mail in which family A, family B has a part; between them both
            have. `inotes`, `generic`; `b_law`: the VMs of family B and iNotes.
        weight: share of family B in the logarithm, 0 to 1 (`seam_weight`).
        under_3: the same under ESX 3.0 on the same machine.
        knee: share of the load of family A's storage path that counts: 1 − w behind the array of
            its runs, nothing behind any other, where the pool's own drives say what waiting is.
        lossy: whether the loss of family A's path costs CPU: on its machine, behind its array.
        platform, storage: codes of family A (`PlatformA`, `StorageA`), of use for its VMs only.
        direct: on the very machine, hypervisor (patch level too), storage path and array of the
            family, with mail files like its own, family A also without cluster partners; nothing
            transferred but what `release_measured`, `vcpus_as_measured`, `drives_as_measured` say.
        drives_as_measured: on drives like those of the runs, as many, in their RAID level.
        of_a, of_b: CPU of either family here.
        member: CPU of family A as a member of a Domino cluster over that of a server alone.
        iops_factor: of the release; `iops_half_width` what it and membership add, ln.
        some_a, some_b, some_between: whether there is a VM of `family_a`, of `b_law`, of both.
    """

    family_a: BoolArray
    family_b: BoolArray
    inotes: BoolArray
    b_law: BoolArray
    generic: BoolArray
    direct: BoolArray
    release_measured: BoolArray
    vcpus_as_measured: BoolArray
    weight: FloatArray
    under_3: UnderEsx3
    of_a: Carried
    of_b: Carried
    member: FloatArray
    iops_factor: FloatArray
    iops_half_width: FloatArray
    knee: FloatArray
    lossy: BoolArray
    platform: IntArray
    storage: IntArray
    drives_as_measured: BoolArray
    some_a: bool
    some_b: bool
    some_between: bool

    @lazy
    def as_measured(self) -> BoolArray:
        """All that a run was: machine, hypervisor, path, array, drives, RAID level, mail files,
        release and vCPUs."""
        found = self.direct & self.release_measured & self.vcpus_as_measured
        return np.asarray(found & self.drives_as_measured)

    @lazy
    def at_home(self) -> BoolArray:
        """The same, for CPU of family B: nothing is transferred by a factor either."""
        return np.asarray(self.as_measured & (self.of_b.cpu_factor == 1.0))

    @lazy
    def between(self) -> BoolArray:
        """VMs in which both families have a part."""
        return np.asarray(self.family_a & self.family_b)

    @lazy
    def unrated(self) -> BoolArray:
        """VMs on a machine that no SPEC rate leads to."""
        lost = self.family_a & np.isnan(self.of_a.slowness)
        return np.asarray(lost | (self.b_law & np.isnan(self.of_b.slowness)))

    def mixed(
        self,
        of_a: FloatArray | float,
        of_b: FloatArray | float,
        what: str = "",
        unit: str = "",
    ) -> FloatArray:
        """What both families say, in the unit of either, by `weight` in the logarithm.

        A^(1 − w)·B^w; either alone where w is 0 or 1. Valid and from where `seam_weight` is.

        Args:
            what: it is, for a derivation.

        Half way between 1 and 4:

        >>> from tests.models.worlds import a_host, a_scenario, a_vm, inputs_of
        >>> laws = inputs_of(a_scenario(hosts=(a_host(hypervisor="esx-3.0.1"),))).laws
        >>> laws.mixed(np.ones(1), np.full(1, 4.0)).tolist()
        [2.0]
        """
        either = where(self.family_a, of_a, of_b)
        if not self.some_between:
            return either
        return where(self.between, _weighed(of_a, of_b, self.weight, what, unit), either)

    def mixed_cpu(self, of_a: FloatArray, of_b: FloatArray) -> FloatArray:
        """The same of CPU [core-seconds per second], which under a later hypervisor is no more than
        under ESX 3.0 there.

        min(A^(1 − w)·B^w, A^(1 − w₃)·(B·f)^w₃): w₃ the weight under ESX 3.0, f what that costs
        family B more. Stated, as nobody measured a hypervisor that costs more than the one before
        it. Valid and from where `seam_weight` is. Source: docs/model.md, "Between the families".

        On the Clovertown machine vSphere costs 1, as ESX 3.0 did, and not √(1·4):

        >>> from tests.models.worlds import a_host, a_scenario, inputs_of
        >>> host = a_host(server="intel-clovertown-whitebox", hypervisor="vsphere-4.0")
        >>> laws = inputs_of(a_scenario(hosts=(host,))).laws
        >>> laws.mixed_cpu(np.ones(1), np.full(1, 4.0)).tolist()
        [1.0]
        """
        here = self.mixed(of_a, of_b, CPU_LOAD, CORES)
        if not self.some_between:
            return here
        before = labelled("CPU load on ESX 3.0", of_b * self.under_3.of_b, CORES)
        older = _weighed(of_a, before, self.under_3.weight, CPU_LOAD_BEFORE, CORES)
        older = labelled("CPU load on ESX 3.0", older, CORES)
        least = np.fmin(labelled("CPU load", here, CORES), older)
        least = labelled("CPU load, no more than on ESX 3.0", least, CORES)
        return where(self.between, least, here)

    def union(self, of_a: FloatArray, of_b: FloatArray, apart: FloatArray) -> FloatArray:
        """Half widths below and above what `mixed` says that hold both intervals [ln], (2, n).

        The larger of t_A ± ln(mixed/A) and t_B ± ln(mixed/B). Valid and from where
        `seam_weight` is: which of them holds nobody knows.

        Args:
            of_a, of_b: half widths of either, (n,) or (2, n).
            apart: ln of what `mixed` says over what A, what B says, (2, n).

        >>> from tests.models.worlds import a_host, a_scenario, a_vm, inputs_of
        >>> laws = inputs_of(a_scenario(hosts=(a_host(hypervisor="esx-3.0.1"),))).laws
        >>> laws.union(np.full(1, 0.2), np.full(1, 0.3), np.array([[0.5], [-0.5]])).tolist()
        [[0.7], [0.8]]
        """
        either = np.where(self.family_a, of_a, of_b)
        if not self.some_between:
            return np.broadcast_to(either, (2, either.shape[-1])).copy()
        side = np.array([[1.0], [-1.0]])
        both = np.maximum(of_a + side * apart[0], of_b + side * apart[1])
        return np.where(self.between, both, either)


RUNS_A, RUNS_B = say("the runs on ESX 3"), say("the runs on vSphere 4")
CPU_LOAD, CPU_LOAD_BEFORE = say("CPU load"), say("CPU load on ESX 3.0")


def _weighed(
    of_a: FloatArray | float,
    of_b: FloatArray | float,
    weight: FloatArray,
    what: str,
    unit: str,
) -> FloatArray:
    """A^(1 − w)·B^w, w the weight of family B."""
    by_a = renamed("{what}, by {runs}", of_a, unit, what=what, runs=RUNS_A)
    by_a = by_a ** labelled("share of {runs}", ONE - weight, runs=RUNS_A)
    by_b = renamed("{what}, by {runs}", of_b, unit, what=what, runs=RUNS_B) ** weight
    by_a = labelled("{what}, by {runs}, weighed", by_a, what=what, runs=RUNS_A)
    return by_a * labelled("{what}, by {runs}, weighed", by_b, what=what, runs=RUNS_B)


def before_esx_4(esx_cpu_factor: float, left: FloatArray | float) -> FloatArray | float:
    """CPU under ESX before vSphere 4 over native [1], f^left, of which so much is `esx_left`. Valid
    and from where `assign_laws` is.

    >>> before_esx_4(2.25, np.array([1.0, 0.5, 0.0])).tolist()
    [2.25, 1.5, 1.0]
    """
    return labelled("CPU under ESX 3.5 over native", esx_cpu_factor**left)


def over_esx_3(esx_cpu_factor: float, gone: FloatArray | float) -> FloatArray | float:
    """CPU on ESX 3.0 over that under a later hypervisor [1], f^gone, that much of it gone. Valid
    and from where `Laws.mixed_cpu` is.

    >>> over_esx_3(2.25, np.array([0.5, 1.0])).tolist()
    [1.5, 2.25]
    """
    return labelled("CPU on ESX 3.0 over that here", esx_cpu_factor**gone)


def assign_laws(
    arrays: Arrays, catalog: Catalog, constants: FamilyConstants, esx_cpu_factor: float
) -> Laws:
    """The law of every VM.

    NRPC mail follows family A on its machines with ESX up to 3.0 or none, family B under vSphere
    4.0 and later on all others, and on physical ones of them that have nested paging; between them
    the logarithms of both are weighed by the distances to either (`seam_weight`). On a machine
    nobody measured, family A is taken from the Clovertown machine, family B from the Nehalem
    machine. iNotes is family B throughout. ESX before 4.0 costs family B family A's ESX factor on
    top, half of it in the logarithm at 3.5 (family B ran on EPT). vSphere 4 and later gives family
    A nothing back: no evidence says how much; nor does it take more (`Laws.mixed_cpu`). Members of
    a Domino cluster cost family A family C's factors on top; what a member takes for its partners'
    replicas is a demand of its own (`loads`).

    Args:
        esx_cpu_factor: CPU under ESX 3.0.1 over native CPU, of family A's law.
    """
    vms, machines = arrays.vms, arrays.hosts.machines
    cases = _cases(catalog, Itself(constants), esx_cpu_factor, machines, vms.releases)
    machine = looked_up(arrays.hosts.machine, vms.host, len(machines))
    case = (machine * len(LAWS) + vms.law) * len(vms.releases) + vms.release
    case = case * len(_VCPUS) + (vms.vcpus == A_VCPUS) + 2 * (vms.vcpus == VCPUS_PER_VM)
    some_a = some(cases.makes_a[machine] & (vms.law == NRPC))
    like_files = np.abs(vms.mail_file_mb / MAIL_FILE_MB - 1) <= MAIL_FILE_TOLERANCE
    case = 2 * case + (_as_b_ran(arrays) & like_files)
    case = 2 * case + (_as_a_ran(arrays) & like_files if some_a else 0)
    family_a, family_b, inotes, b_law, generic, direct, release, vcpus = cases.conditions.take(
        case, axis=1
    )
    weight, under_3, of_b_3, *cpu, io, io_width = cases.figures.take(case, axis=1)
    drives = _drives_of_b(arrays)
    platform = storage = np.zeros(len(vms), dtype=np.int64)
    knee = np.zeros(len(vms))
    if some_a:
        platform, storage = _path_of_a(arrays)
        knee = np.where(family_a & _on_paths_of_a(arrays), 1.0 - weight, 0.0)
        drives = np.where(family_a, _drives_of_a(arrays), drives)
    laws = Laws(
        family_a=family_a,
        family_b=family_b,
        inotes=inotes,
        b_law=b_law,
        generic=generic,
        direct=direct,
        release_measured=release,
        vcpus_as_measured=vcpus,
        weight=weight,
        under_3=UnderEsx3(under_3, of_b_3),
        of_a=Carried(*cpu[0::2]),
        of_b=Carried(*cpu[1::2]),
        member=np.ones(len(vms)),
        iops_factor=io,
        iops_half_width=io_width,
        knee=knee,
        lossy=(knee > 0.0) & (vms.at.platform == CLOVERTOWN),
        platform=platform,
        storage=storage,
        drives_as_measured=drives,
        some_a=some_a,
        some_b=some(b_law),
        some_between=some_a and some(family_a & family_b),
    )
    return _with_members(laws, vms.replicating, constants.cluster_r5) if some_a else laws


def _with_members(laws: Laws, replicating: BoolArray, added: ClusterR5) -> Laws:
    """Family C's factors for members of Domino clusters under family A."""
    member = laws.family_a & replicating
    if not some(member):
        return laws
    width, of_a = MEMBER_HALF_WIDTH * member, laws.of_a
    return replace(
        laws,
        of_a=replace(of_a, half_width=np.hypot(of_a.half_width, width)),
        member=np.where(member, added.cpu_factor.value, 1.0),
        iops_half_width=np.hypot(laws.iops_half_width, width),
    )


def seam_weight(hardware: FloatArray, hypervisor: FloatArray) -> FloatArray:
    """Share of family B in the logarithm of what families A and B say [1].

    w = a/(a + b): a is the distance from family A, √(h² + v²), b that from family B,
    √((1 − h)² + (1 − v)²).

    So it is exactly 0 where family A ran, exactly 1 where family B ran, and no step from one
    hypervisor or machine of the catalog to the next changes a prediction threefold. Neither the
    speed of a machine nor the release moves it: a faster machine and a newer release never answer
    later. Stated: no document has both families on one machine. Valid from 0 to 1 of each.

    Args:
        hardware: h, 0 on the machines of family A and 1 on all others.
        hypervisor: v, 0 up to ESX 3.0, 0.5 at 3.5, 1 from vSphere 4.0 on. Of physical servers 1 as
            well where processors have nested paging, 0 where not: with it "performance in a
            virtualized environment is close to that in a native environment" [2].

    Sources: [1] inverse distance weighting (D. Shepard, Proc. 23rd ACM National Conference, 1968);
    [2] vSphere 4 paper, "Server CPU enhancements".

    ESX 3.0, 3.5 and vSphere on the Clovertown machine, none, ESX 3.5 and vSphere on another:

    >>> hardware = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0])
    >>> hypervisor = np.array([0.0, 0.5, 1.0, 0.0, 0.5, 1.0])
    >>> seam_weight(hardware, hypervisor).round(2).tolist()
    [0.0, 0.31, 0.5, 0.5, 0.69, 1.0]
    """
    from_a = np.hypot(hardware, hypervisor)
    from_b = np.hypot(1.0 - hardware, 1.0 - hypervisor)
    return np.asarray(from_a / (from_a + from_b))


def _as_b_ran(arrays: Arrays) -> BoolArray:
    """VMs with the array of family B and a path that a VM can have to it; which one it was isn't
    printed."""
    on_array = _stands_on(arrays, arrays.pools.array, arrays.pools.arrays, B_ARRAY)
    return np.asarray(on_array & ~NOT_TO_ARRAY.take(arrays.vms.mode))


def _on_paths_of_a(arrays: Arrays) -> BoolArray:
    """VMs with a path and the array of family A."""
    vms = arrays.vms
    found = vms.at.physical | (vms.mode == VMFS) | (vms.mode == RDM)
    return np.asarray(found & _stands_on(arrays, arrays.pools.array, arrays.pools.arrays, A_ARRAY))


def _as_a_ran(arrays: Arrays) -> BoolArray:
    """The same, and no cluster partner that runs."""
    return np.asarray(_on_paths_of_a(arrays) & ~arrays.vms.replicating)


def _stands_on(
    arrays: Arrays,
    code: IntArray,
    entries: Sequence[Array] | Sequence[Disk] | Sequence[RaidLevel],
    id: str,
) -> BoolArray:
    """VMs whose pool has a catalog entry of this id; `code` is the entry of each pool."""
    like = [entry.id == id for entry in entries]
    if not any(like):
        return np.zeros(len(arrays.vms), dtype=np.bool_)
    return np.array([*(like[entry] for entry in code.tolist()), False]).take(arrays.vms.pool)


def _path_of_a(arrays: Arrays) -> tuple[IntArray, IntArray]:
    """`platform`, `storage` of `Laws`; paths under a hypervisor that nobody measured are VMFS."""
    vms = arrays.vms
    on_x366 = vms.at.platform == X366
    platform = np.where(on_x366, int(PlatformA.X366), int(PlatformA.CLOVERTOWN))
    storage = np.where(vms.mode == RDM, int(StorageA.RDM), int(StorageA.VMFS))
    storage[vms.at.physical] = StorageA.PHYSICAL
    return platform, storage


def _drives_of_a(arrays: Arrays) -> BoolArray:
    """VMs on at least as many drives like those of family A, in their RAID level."""
    vms, pools = arrays.vms, arrays.pools
    enough = looked_up(pools.spindles - pools.hot_spares >= A_SPINDLES, vms.pool, False)
    enough &= _stands_on(arrays, pools.disk, pools.disks, A_DISK)
    return np.asarray(enough & _stands_on(arrays, pools.raid, pools.raids, A_RAID))


def _drives_of_b(arrays: Arrays) -> BoolArray:
    """The same of family B, whose drives aren't printed: 15,000 rpm, and enough for its maxima."""
    vms, pools = arrays.vms, arrays.pools
    like = (pools.spindles - pools.hot_spares >= B_SPINDLES) & (pools.disk_iops == B_DISK_IOPS)
    like = looked_up(like, vms.pool, False)
    return np.asarray(like & _stands_on(arrays, pools.raid, pools.raids, B_RAID))


_VCPUS = (math.nan, A_VCPUS, VCPUS_PER_VM)
"""Numbers of vCPUs that make a case: any other, and those of the families."""


@record
class _Cases:
    """The laws of all cases, for VMs to look up.

    Attributes:
        makes_a: machines on which family A has a part in NRPC mail; the last is no machine.
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
    platform, physical, version, spec, runs_a, runs_b, nested = _machine_figures(catalog, machines)
    specs = spec_of(catalog, Platform.CLOVERTOWN), spec_of(catalog, Platform.NEHALEM)
    on_a, on_b = (platform == X366) | (platform == CLOVERTOWN), platform == NEHALEM
    virtual = np.where(physical == 0, np.clip(np.nan_to_num(version) - 3.0, 0.0, 1.0), 0.0)
    of_machine, under_3 = _weights(on_a, virtual, (physical > 0) & (nested > 0))
    makes_a = of_machine < 1.0
    shape = (len(makes_a), len(LAWS), len(releases), len(_VCPUS), 2, 2)
    machine, law, release, vcpus, around_b, around_a = np.indices(shape).reshape(len(shape), -1)
    older, newest, mail, inotes_cost, cost_a, guess, iops = _cost_table(
        releases, constants.value.releases
    )[:, release]
    steps_a, steps_b = (
        table(catalog, machines, releases)[:, machine, release] for table in (_steps_a, _steps_b)
    )
    nrpc, inotes = law == NRPC, law == INOTES
    weight = np.where(nrpc, of_machine[machine], 1.0)
    family_a, family_b = nrpc & (weight < 1.0), nrpc & (weight > 0.0)
    as_ran_a = (on_a & ((physical > 0) | (runs_a > 0)))[machine] & (around_a > 0) & nrpc
    as_ran_b = (on_b & (runs_b > 0))[machine] & (around_b > 0) & (family_b | inotes)
    count, early = np.array(_VCPUS)[vcpus], 1 / constants.value.releases.cpu_factor_851.value
    counted_together = ~(older > 0) & (mail == early)
    guess_a = np.where(counted_together, RELEASE_HALF_WIDTH, guess)
    esx = esx_left(np.nan_to_num(version), physical > 0)[machine]
    of_a = cost_a, guess_a, on_a[machine], count == A_VCPUS, as_ran_a
    cost = np.where(inotes, inotes_cost, mail)
    of_b = cost, guess, on_b[machine], count == VCPUS_PER_VM, as_ran_b | (esx > 0)
    slow_a, cpu_a, width_a = _carried(*of_a, slower(specs[0], spec[machine]), steps_a)
    slow_b, cpu_b, width_b = _carried(*of_b, slower(specs[1], spec[machine]), steps_b)
    iops_width = np.hypot(np.log(iops), grown(1.0, steps_b[RELEASES]) * guess)
    early_esx = math.log(esx_cpu_factor) * (esx > 0)
    is_a = weight == 0.0
    conditions = (
        *(family_a, family_b, inotes, family_b | inotes, law == GIVEN),
        (is_a & as_ran_a) | ((weight == 1.0) & as_ran_b),
        np.where(is_a, older, newest) > 0,
        np.where(is_a, count == A_VCPUS, count == VCPUS_PER_VM),
    )
    figures = (
        *(weight, under_3[machine], over_esx_3(esx_cpu_factor, virtual[machine])),
        *(slow_a, slow_b, cpu_a, cpu_b * before_esx_4(esx_cpu_factor, esx)),
        *(width_a, np.hypot(width_b, early_esx), iops, iops_width),
    )
    return _Cases(makes_a, np.array(conditions), np.array(figures))


def _weights(
    on_a: BoolArray, virtual: FloatArray, near_native: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """`seam_weight` of each machine, and under ESX 3.0 on it, NaN where that isn't older.

    Args:
        virtual: v of its hypervisor; `near_native`: physical and with nested paging.
    """
    hardware = np.where(on_a, 0.0, 1.0)
    here = seam_weight(hardware, np.maximum(virtual, near_native & ~on_a))
    under_3 = seam_weight(hardware, np.zeros(len(hardware)))
    return here, np.where(virtual > 0, under_3, np.nan)


def _carried(
    factor: FloatArray,
    guess: FloatArray,
    at_home: BoolArray,
    vcpus: BoolArray,
    as_ran: BoolArray,
    by_spec: FloatArray,
    apart: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Slowness, factor of the release, and the half width in ln that the steps add.

    What a document calls "up to" may be nothing as well, so the release adds its whole step. What
    is carried over several generations of processors, hypervisors or releases adds each of them
    (`steps.grown`).

    Args:
        apart: `steps` from where the family was measured.
    """
    slowness = np.where(at_home, 1.0, by_spec)
    machine = grown(SPEC_HALF_WIDTH, apart[GENERATIONS]) * (slowness != 1)
    setting = grown(SETTING_HALF_WIDTH, apart[HYPERVISORS]) * ~as_ran
    release = grown(1.0, apart[RELEASES]) * guess
    steps = SETTING_HALF_WIDTH**2 * ~vcpus + machine**2 + setting**2
    return slowness, factor, np.sqrt(steps + np.log(factor) ** 2 + release**2)


def _steps_a(
    catalog: Catalog, machines: tuple[Machine, ...], releases: tuple[str, ...]
) -> FloatArray:
    """`steps` from family A, which ran under ESX and without it, (3, machines + 1, releases)."""
    virtual = MEASURED_ON[Platform.CLOVERTOWN]
    found = steps(catalog, virtual, machines, releases)
    bare = steps(catalog, on_bare_metal(virtual), machines, releases)
    physical = [hypervisor == PHYSICAL for _, hypervisor in machines]
    return np.where(np.array([*physical, False])[:, None], bare, found)


def steps_of(arrays: Arrays, catalog: Catalog, *, of_a: bool) -> FloatArray:
    """`steps` of each VM from a family, (3, n)."""
    vms, machines = arrays.vms, arrays.hosts.machines
    table = (_steps_a if of_a else _steps_b)(catalog, machines, vms.releases)
    machine = looked_up(arrays.hosts.machine, vms.host, len(machines))
    return np.asarray(table[:, machine, vms.release])


def _steps_b(
    catalog: Catalog, machines: tuple[Machine, ...], releases: tuple[str, ...]
) -> FloatArray:
    """The same from family B."""
    return steps(catalog, MEASURED_ON[Platform.NEHALEM], machines, releases)


def _machine_figures(catalog: Catalog, machines: Sequence[Machine]) -> FloatArray:
    """Platform, physical, version, SPEC rate per core, whether the hypervisor is that of family A
    and of family B, and whether processors have nested paging, (7, machines and none)."""
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
                server.nested_paging is not False,
            )
        )
    rows.append((-1, False, None, None, False, False, False))
    return np.array(rows, dtype=np.float64).T


def _cost_table(releases: tuple[str, ...], factors: Releases) -> FloatArray:
    """Per release: whether 7.0.2, whether 8.5.1, CPU of mail, of iNotes and over 7.0.2, guess and
    I/O, (7, r)."""
    costs = [release_cost(release, factors) for release in releases]
    rows = [
        (
            cost.exact and cost.like == OLDER,
            cost.exact and cost.like == NEWEST,
            *(cost.cpu, cost.cpu_inotes, cost.cpu_a),
            cost.guess,
            cost.iops,
        )
        for cost in costs
    ]
    return np.array(rows, dtype=np.float64).T if rows else np.empty((7, 0))


def measured_machine(catalog: Catalog, platform: Platform) -> Server | None:
    """The machine that a family ran on, with its SPEC rate; None where the catalog has none."""
    for server in catalog.servers.values():
        if server.platform is platform and server.spec_rate_per_core is not None:
            return server
    return None


def spec_of(catalog: Catalog, platform: Platform) -> float:
    """SPEC rate per core of the measured machine, NaN when the catalog doesn't have it."""
    found = measured_machine(catalog, platform)
    return math.nan if found is None else found.spec_rate_per_core or math.nan


def slower(there: FloatArray | float, here: FloatArray) -> FloatArray:
    """Core-seconds on a machine per core-second on another, by SPEC rates per core: there/here [1].

    Valid for work like that of the SPEC rate; `SPEC_HALF_WIDTH` says how far. Source: the catalog.

    >>> slower(2.0, np.array([1.0, 4.0])).tolist()
    [2.0, 0.5]
    """
    return labelled("core-seconds here per core-second there", there / here)


def esx_left(version: FloatArray, physical: BoolArray) -> FloatArray:
    """Power of what ESX before vSphere 4 costs over native [1], = 4 − version: 1 up to 3.0, half at
    3.5, none from 4.0 on and on bare metal. Valid for any release. Source: stated, docs/model.md,
    "Families B to F".

    >>> esx_left(np.array([3.0, 3.5, 4.0, 0.0]), np.array([False, False, False, True])).tolist()
    [1.0, 0.5, 0.0, 0.0]
    """
    return np.where(physical, 0.0, np.clip(4.0 - version, 0.0, 1.0))

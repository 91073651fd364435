"""What users ask for: CPU load and disk I/O by the law that holds for a VM.

Users are benchmark users: active users times the policy's derating. Sources: the vSphere 4 paper
for family B, docs/families.md, for what is transferred from it.

RAM and the size of mail files make of disk I/O what caches leave of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from models.base.identity import Itself
from models.base.lazily import lazy
from models.base.quantities import BoolArray, FloatArray
from models.base.record import record
from models.base.texts import say
from models.evidence.constants import USERS_PER_VM, VCPUS_PER_VM, FamilyConstants
from models.evidence.domino_cluster import (
    RECEIVED_EXPONENT,
    cluster_law,
    copies_growth,
    split_extra,
)
from models.formulas.traced import (
    GIB,
    ONE,
    Figure,
    at_least,
    at_most,
    changed,
    labelled,
    times,
    where,
)
from models.physics.columns import some
from models.physics.laws import MAIL_FILE_MB, Laws
from models.physics.memory import MIB_PER_GIB
from models.physics.storage import DEFAULT_READ_SHARE, MB_IN_GB

PCT_OF_CORE = say("% of a core")

B_RAM_GIB = Figure(8.0, say("RAM of the measured VM"), "GiB", why=say("vSphere 4 paper"))
"""RAM of the VMs of family B that the other RAM sizes are compared with."""

LARGEST_RAM_RUN_GIB = Figure(
    2 * B_RAM_GIB, say("largest RAM that was run"), "GiB", why=say("vSphere 4 paper")
)
"""Largest memory that was run (vSphere 4 paper, tables 3 and 6)."""

PROGRAM_GIB = Figure(4.0, say("RAM of programs"), "GiB", why=say("2 to 8: docs/model.md"))
"""Memory of the system and the server itself, its buffer pool of 512 MB and views among it; the
rest caches files. Stated, 2 to 8: HCL's least for production is 4 GB, a 32-bit server could have
no more than 4 (IBM technote 1296452), and IBM saw nothing gained by a larger pool."""

FILES_EXPONENT = Figure(
    0.21,
    say("growth of I/O with mail files"),
    why=say("between no effect (IBM 2005) and that of the share that is cached, 0.42"),
)
"""I/Os per user grow with the size of mail files to this power. Stated, between 0 (IBM 2005, “Best
practices for large Lotus Notes mail files”: 700 MB on average without a noticeable effect) and the
0.42 by which misses follow the share that is cached: the vSphere 4 paper offset the I/O of its
large mail files with twice the RAM."""


FADING_FROM = Figure(
    0.5,
    say("share in memory from which reads fall"),
    why=say("what is read most is cached first"),
)
"""Share of all mail files in memory from which reads fall faster than by the power law, down to
none where all are: what is read most is cached first, so that the law holds up to there. Stated."""


@record(slots=False)
class Cache:
    """What RAM and mail files make of a user's disk I/O, shape (n,).

    Attributes:
        as_run: I/Os over those at 8 GB, of mail files as they ran, no further than RAM was run.
        effect: I/Os here over those at 8 GB: of RAM, as far as caches can use it, and of files.
        waited: the same as responses have it, which are credited nothing for files in memory.
        fading: share of reads left by how much of the files is in memory, 1 up to half of them.
        files: of `effect` what the size of mail files makes of it.
    """

    as_run: FloatArray
    effect: FloatArray
    waited: FloatArray
    fading: FloatArray
    files: FloatArray

    @lazy
    def fading_half_width(self) -> FloatArray:
        """What the high end adds for files that may not be in memory after all, ln."""
        return np.asarray(np.log(self.waited / self.effect))

    @lazy
    def files_half_width(self) -> FloatArray:
        """Half width of `files`, ln."""
        return np.asarray(np.abs(np.log(self.files)))


WRITES = Figure(
    1.0 - DEFAULT_READ_SHARE,
    say("share of writes, which no cache spares"),
    why=say("70 % are reads"),
)
FILES_RUN_MB = Figure(MAIL_FILE_MB, say("mail file of the runs"), "MB", why=say("WV21"))


def effect_of_ram(ram_gib: FloatArray, exponent: FloatArray | float) -> FloatArray:
    """I/Os over those at 8 GB [share]: (8/RAM)^x, down to the writes. Valid and from where
    `cache_of` is.

    >>> effect_of_ram(np.array([8.0, 16.0, 512.0]), 0.42).round(2).tolist()
    [1.0, 0.75, 0.3]
    """
    smaller = labelled("RAM of the measured VM over this one’s", B_RAM_GIB / ram_gib)
    effect = at_least(labelled("effect of RAM", smaller**exponent), WRITES)
    return labelled("effect of RAM, down to the writes", effect)


def effect_of_memory(by_ram: FloatArray, fading: FloatArray) -> FloatArray:
    """The same less the reads of files that are in memory, w + (by RAM − w)·share of reads left.
    Valid and from where `cache_of` is.

    >>> effect_of_memory(np.array([0.8, 0.8]), np.array([1.0, 0.0])).round(2).tolist()
    [0.8, 0.3]
    """
    reads = labelled("reads", labelled("reads by RAM", by_ram - WRITES) * fading)
    return changed(by_ram, labelled("effect of RAM and of files in memory", WRITES + reads))


def as_run(ram_gib: FloatArray) -> FloatArray:
    """RAM as far as it was run [GiB], ≤ 16. Valid for any. Source: vSphere 4 paper, table 3.

    >>> as_run(np.array([8.0, 64.0])).tolist()
    [8.0, 16.0]
    """
    return labelled("RAM, as far as it was run", at_most(ram_gib, LARGEST_RAM_RUN_GIB), "GiB")


def effect_of_files(mail_file_mb: FloatArray) -> FloatArray:
    """I/Os over those with mail files as they ran [share], (size/87.5 MB)^0.21. Valid and from
    where `cache_of` is.

    >>> effect_of_files(np.array([87.5, 700.0])).round(2).tolist()
    [1.0, 1.55]
    """
    larger = labelled("mail file over that of the runs", mail_file_mb / FILES_RUN_MB)
    return labelled("effect of mail files", larger**FILES_EXPONENT)


POOL_MB = Figure(
    512.0, say("buffer pool within that"), "MB", why=say("as much as a 32-bit server could have")
)
"""Buffer pool within `PROGRAM_GIB` where none is stated."""


def cache_of(
    ram_gib: FloatArray,
    mail_file_mb: FloatArray,
    mail_files: FloatArray,
    exponent: float,
    buffer_pool_mb: FloatArray,
) -> Cache:
    """How disk I/O follows RAM and mail files.

    I/O(8 GB)·(w + (max((RAM/8)^−x, w) − w)·min(1, 2·(1 − c)))·(size/87.5 MB)^0.21: w the writes,
    which reach the disks whatever is cached and are what reads leave at 8 GB, x the `exponent`, c
    the share of all mail files that is in memory beside the programs. So RAM counts as far as there
    are files to cache, and with larger files or more owners there are never fewer I/Os. Sizes that
    aren't stated count as those that ran, with more files than memory.

    Valid from 8 to 16 GB and for files much larger than that, and beyond as a statement. Sources:
    of x the vSphere 4 paper, tables 5 and 6; of w `storage.DEFAULT_READ_SHARE`; `PROGRAM_GIB`,
    `FADING_FROM`, `FILES_EXPONENT`.

    A server of 1,000 with 8, 64 and 512 GiB: never less than 30 % of the I/Os, which are writes.

    >>> ram, thousand, unsaid = np.array([8.0, 64.0, 512.0]), np.full(3, 1000.0), np.full(3, np.nan)
    >>> cache = cache_of(ram, np.full(3, 87.5), thousand, 0.42, unsaid)
    >>> cache.fading.round(2).tolist(), cache.effect.round(2).tolist()
    ([1.0, 0.53, 0.0], [1.0, 0.36, 0.3])
    """
    stated = mail_file_mb > 0
    pool = where(np.isnan(buffer_pool_mb), POOL_MB, buffer_pool_mb)
    larger = labelled("buffer pool beyond that", pool - POOL_MB, "MB")
    larger = labelled("pool beyond that in GiB", larger / MIB_PER_GIB, "GiB")
    spare = labelled("RAM beyond that of programs", ram_gib - PROGRAM_GIB, "GiB")
    spare = changed(spare, labelled("RAM that caches files", spare - larger, "GiB"))
    files_mb = labelled("all mail files in MB", mail_files * mail_file_mb)
    files_gb = labelled("all mail files in GB", files_mb / MB_IN_GB)
    all_files = labelled("all mail files", files_gb * GIB, "GiB")
    all_files = where(stated, at_least(all_files, _NO_FILES_GIB), np.inf)
    cached = labelled("share of all mail files in memory", at_least(spare, 0.0) / all_files)
    uncached = labelled("share that isn’t in memory", at_least(ONE - cached, 0.0))
    left = labelled("over that from which reads fall", uncached / (ONE - FADING_FROM))
    fading = labelled("share of reads left", at_most(left, ONE), note=FADING)
    by_ram = effect_of_ram(ram_gib, exponent)
    here = effect_of_memory(by_ram, fading)
    files = effect_of_files(where(stated, mail_file_mb, MAIL_FILE_MB))
    run = effect_of_ram(as_run(ram_gib), exponent)
    return Cache(run, times(here, files), times(by_ram, files), fading, files)


FADING = say("1 while less than half of all mail files is in memory, none where all are")
_NO_FILES_GIB = 1e-9

MAIL85_HALF_WIDTH = 0.20
"""Family B's own: its two VMs agree within 4 % in CPU and 6 % in I/O, but whether the averages
include the ramp is not said. Stated."""


@dataclass(frozen=True, slots=True)
class MemberCosts:
    """What members of Domino clusters take more than servers alone, as shares of these [1].

    Attributes:
        cpu_push, io_push: for their own users, under family B (family A: factors of its `Laws`).
        cpu_received, io_received: for users of partners, under family B; `_a` under family A.
    """

    cpu_push: float
    cpu_received: float
    io_push: float
    io_received: float
    cpu_received_a: float
    io_received_a: float


def member_costs(c: FamilyConstants) -> MemberCosts:
    """Family C's law for family A; for family B its own clustered run, divided as family C does.

    Two like members of family B come out at what was measured: 32 % CPU, 1,130 IO/s at 16 GB.
    """
    return _member_costs(Itself(c))


@lru_cache(maxsize=4)
def _member_costs(key: Itself[FamilyConstants]) -> MemberCosts:
    c = key.value
    law, mail = cluster_law(c.cluster_r5), c.mail85
    exponent = c.inotes85.ram_exponent_iops.value
    cpu = c.cluster85.cpu_pct.value * VCPUS_PER_VM / mail.cpu_core_pct_per_user.value
    io = c.cluster85.iops.value * (16.0 / B_RAM_GIB) ** exponent / mail.iops_per_user.value
    return MemberCosts(
        *split_extra(cpu / USERS_PER_VM - 1.0, law.push_cpu, law.receive_cpu),
        *split_extra(io / USERS_PER_VM - 1.0, law.push_disk, law.receive_disk),
        law.receive_cpu.value,
        law.receive_disk.value,
    )


@dataclass(frozen=True, slots=True)
class MoreCopies:
    """What members of Domino clusters take with more than one further copy of each mail file, over
    what they take with one, shape (n,).

    Attributes:
        cpu, io: of their own users' load; `received`: of CPU for partners' users.
        cpu_width, io_width: what that adds to half widths below and above [ln], (2, n).
        several: which members push or take more than one.
    """

    cpu: FloatArray
    io: FloatArray
    received: FloatArray
    cpu_width: FloatArray
    io_width: FloatArray
    several: BoolArray


def more_copies(
    laws: Laws,
    c: FamilyConstants,
    *,
    further: FloatArray,
    received: FloatArray,
    pushes: BoolArray,
    receives: BoolArray,
) -> MoreCopies:
    """Growth with the number of copies, from the one that family C and the clustered run have.

    Valid and from where `copies_growth` and `RECEIVED_EXPONENT` are. I/O of what is received is
    received once by each copy, as before.

    Args:
        further: further copies of each member's databases, `received` of those it takes, (n,).
        pushes, receives: whether it does, (n,).
    """
    costs, a = member_costs(c), c.cluster_r5
    copies = np.where(pushes, further, 1.0)
    cpu, io = (
        copies_growth(copies, quantity, np.where(laws.family_b, of_b, of_a.value - 1.0))
        for quantity, of_b, of_a in (
            ("cpu", costs.cpu_push, a.cpu_factor),
            ("disk", costs.io_push, a.disk_factor),
        )
    )
    taken = np.where(receives, received, 1.0)
    value, least, most = (taken**exponent for exponent in RECEIVED_EXPONENT)
    widths = [np.log(np.array([each[0] / each[1], each[2] / each[0]])) for each in (cpu, io)]
    of_received = np.log(np.array([value / least, most / value]))
    cpu_width = np.maximum(widths[0], of_received)
    several = (copies != 1.0) | (taken != 1.0)
    return MoreCopies(cpu[0], io[0], value, cpu_width, widths[1], several)


def family_b_pct_per_user(
    laws: Laws,
    ram_gib: FloatArray,
    replicating: BoolArray,
    c: FamilyConstants,
    costs: MemberCosts,
) -> FloatArray:
    """CPU load of one user of family B on its own machine [% of a core], shape (n,).

    Load is straight in users, as service demands are: 4,000 users took 28.7 % of 2 vCPUs (NRPC),
    32 % as member of a Domino cluster beside a like one (whose part is apart), 67.5 %
    (iNotes at 8 GB) and 66 % (at 16 GB); iNotes follows RAM^x between and beyond those two. Valid
    at 4,000 users, and by straight line below. Source: vSphere 4 paper, tables 1, 3, 5 and 6.

    >>> from types import SimpleNamespace
    >>> from app.calibrated import shipped_calibration
    >>> shipped = shipped_calibration()
    >>> laws, alone = SimpleNamespace(inotes=np.array([False, True])), np.zeros(2, dtype=bool)
    >>> c = shipped.constants
    >>> ram = np.array([8.0, 16.0])
    >>> per_user = family_b_pct_per_user(laws, ram, alone, c, member_costs(c))
    >>> (4000 / 2 * per_user).round(1).tolist()  # of 2 vCPUs
    [28.7, 66.0]
    """
    mail = c.mail85.cpu_core_pct_per_user.value
    pushed = labelled("a member over a server alone", ONE + costs.cpu_push)
    member = labelled("CPU of a clustered user", mail * pushed, PCT_OF_CORE)
    larger = labelled("RAM over that of the measured VM", ram_gib / B_RAM_GIB)
    effect = labelled("effect of RAM", larger**c.inotes85.ram_exponent_cpu.value)
    http = c.inotes85.cpu_core_pct_per_user_8gb.value * effect
    http = labelled("CPU of an iNotes user", http, PCT_OF_CORE)
    return where(laws.inotes, http, where(replicating, member, mail))


def base_iops(
    laws: Laws, replicating: BoolArray, c: FamilyConstants, costs: MemberCosts
) -> FloatArray:
    """Host I/Os of one active user of 8.5.1 at 8 GB with mail files as they ran [IO/s], shape (n,).

    Family B's figures; members of a Domino cluster, what they take for partners apart
    (`received_iops_per_user`), by its clustered run, under family A by family C's factor. Valid as
    `iops_per_user` is. Source: vSphere 4 paper, tables 1, 3 and 5.

    >>> from tests.models.worlds import a_scenario, inputs_of
    >>> round(4000 * float(inputs_of(a_scenario()).base_iops[0]))
    721
    """
    mail, pushing = c.mail85.iops_per_user.value, replicating & ~laws.inotes
    base = where(laws.inotes, c.inotes85.iops_per_user_8gb.value, mail)
    if not some(pushing):
        return base
    of_b = labelled("a member over a server alone", ONE + costs.io_push)
    over = laws.mixed(c.cluster_r5.disk_factor.value, of_b, IO_OF_MEMBER)
    over = labelled("I/O of a member over a server alone", over)
    return where(pushing, labelled("I/O of a clustered user at 8 GB", mail * over, "IOPS"), base)


IO_OF_MEMBER = say("I/O of a member over a server alone")
IO_OF_PARTNER = say("I/O for a partner’s users")


def iops_per_user(laws: Laws, base: FloatArray, cache: Cache) -> FloatArray:
    """Host I/Os of one active user [IO/s], shape (n,); NaN where no family says.

    Figures of family B (8.5.1, 8 GB) times the release's factor and what RAM and mail files make of
    it (`Cache`). Family A measured none: all of it is transferred. Valid from 8 to 16 GB. Source:
    vSphere 4 paper, tables 1, 3, 5 and 6.

    Args:
        base: `base_iops`.

    >>> from types import SimpleNamespace
    >>> from app.calibrated import shipped_calibration
    >>> exponent = shipped_calibration().constants.inotes85.ram_exponent_iops.value
    >>> ram, unsaid = np.array([8.0, 16.0]), np.full(2, np.nan)
    >>> cache = cache_of(ram, np.full(2, 87.5), np.full(2, 4e3), exponent, unsaid)
    >>> both = np.array([True, True])
    >>> laws = SimpleNamespace(family_a=~both, b_law=both, iops_factor=1.0)
    >>> (4000 * iops_per_user(laws, np.array([0.18, 0.17]), cache)).round().tolist()
    [720.0, 509.0]
    """
    each = times(base * cache.effect, laws.iops_factor)
    return where(laws.b_law | laws.family_a, labelled("I/O of a user", each, "IOPS"), np.nan)


def received_iops_per_user(
    laws: Laws, cache: Cache, c: FamilyConstants, costs: MemberCosts
) -> FloatArray:
    """Host I/Os per second that each user of a partner causes here, (n,); 0 with other workloads.

    A share of what the user would cause here alone; iNotes servers take none, as nobody measured
    it. Valid as `member_costs` is, and from where it is.

    Two like members with 4,000 users took 1,130 IO/s each at 16 GB, 432 of them for the other:

    >>> from tests.models.worlds import a_scenario, a_vm, inputs_of
    >>> pair = [
    ...     a_vm(id, users=4e3, ram_gib=16.0, cluster_partners=(other,))
    ...     for id, other in (("m1", "m2"), ("m2", "m1"))
    ... ]
    >>> inputs = inputs_of(a_scenario(vms=tuple(pair)))
    >>> c = inputs.calibration.constants
    >>> each = received_iops_per_user(inputs.laws, inputs.cache, c, member_costs(c))
    >>> (4000 * each).round().tolist()
    [432.0, 432.0]
    """
    share = laws.mixed(costs.io_received_a, costs.io_received, IO_OF_PARTNER)
    share = labelled("I/O for a partner’s users", share)
    alone = times(c.mail85.iops_per_user.value * cache.effect, laws.iops_factor)
    each = labelled("I/O of a partner’s user", alone * share, "IOPS")
    return where(laws.family_a | laws.family_b, each, 0.0)

"""Evidence behind the factors that lead from a family's measurement to a VM.

The rows of a family stand behind every figure of its law; the rows of a factor join them where the
factor is not 1: another Domino release than the family's, membership in a Domino cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from models.base.identity import Itself
from models.base.quantities import IntArray
from models.base.record import record
from models.evidence.constants import FamilyConstants, Releases
from models.physics.arrays import VmArrays
from models.physics.laws import NEWEST, Laws, nearest_release

Ids = tuple[str, ...]

_FAMILY_A, _FAMILY_B, _INOTES, _BETWEEN = range(4)
_LAWS = 4


@record
class FactorIds:
    """Ids behind the factors of every VM.

    Attributes:
        cpu, iops: of every case; the figures of disk I/O are family B's throughout.
        which: the case of each VM, (n,).
    """

    cpu: tuple[Ids, ...]
    iops: tuple[Ids, ...]
    which: IntArray


def factor_ids(vms: VmArrays, laws: Laws, c: FamilyConstants) -> FactorIds:
    """Ids behind the factors by release, law, and membership in a Domino cluster (family A's)."""
    law = np.where(laws.inotes, _INOTES, _FAMILY_B)
    which = vms.release * _LAWS
    if laws.some_a:
        law = np.where(laws.family_a, np.where(laws.family_b, _BETWEEN, _FAMILY_A), law)
        which += len(vms.releases) * _LAWS * (laws.family_a & vms.replicating)
    cpu, iops = _cases(vms.releases, Itself(c))
    return FactorIds(cpu, iops, which + law)


@lru_cache(maxsize=32)
def _cases(
    releases: tuple[str, ...], constants: Itself[FamilyConstants]
) -> tuple[tuple[Ids, ...], tuple[Ids, ...]]:
    """Ids of CPU and of disk I/O: every release by every law, then the same for members."""
    c, likes = constants.value, [nearest_release(release)[0] for release in releases]
    of_cluster = c.cluster_r5
    cpu = of_cluster.cpu_factor.evidence + of_cluster.receive_cpu_share.evidence
    iops = of_cluster.disk_factor.evidence + of_cluster.receive_disk_share.evidence
    return _with_members(_cpu_release_ids, likes, c.releases, cpu), _with_members(
        _iops_release_ids, likes, c.releases, iops
    )


def _with_members(
    of_release: Callable[[str, int, Releases], Ids],
    likes: Sequence[str],
    factors: Releases,
    member: Ids,
) -> tuple[Ids, ...]:
    ids = [of_release(like, law, factors) for like in likes for law in range(_LAWS)]
    return (*ids, *(each + member for each in ids))


def _cpu_release_ids(like: str, law: int, factors: Releases) -> Ids:
    """Family A ran 7.0.2, which costs as 8.0; family B 8.5.1; iNotes before it costs as 8.0."""
    ids: Ids = ()
    if law == _BETWEEN or (like == NEWEST) == (law == _FAMILY_A):
        ids += factors.cpu_factor_851.evidence
    if like == "6.5" and law != _INOTES:
        ids += factors.cpu_factor_7.evidence
    return ids


def _iops_release_ids(like: str, _law: int, factors: Releases) -> Ids:
    return () if like == NEWEST else factors.iops_factor_851.evidence

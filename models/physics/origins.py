"""Evidence behind the factors that lead from a family's measurement to a VM.

The rows of a family stand behind every figure of its law; the rows of a factor join them where the
factor is not 1: another Domino release than the family's, membership in a Domino cluster.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from models.evidence.constants import FamilyConstants, Releases
from models.physics.arrays import VmArrays
from models.physics.columns import some
from models.physics.laws import NEWEST, Laws, nearest_release
from models.quantities import IntArray

Ids = tuple[str, ...]

_FAMILY_A, _FAMILY_B, _INOTES = range(3)
_LAWS = 3


def cpu_factor_ids(
    vms: VmArrays, laws: Laws, c: FamilyConstants
) -> tuple[tuple[Ids, ...], IntArray]:
    """Ids behind the factors of CPU: every combination, and which of them each VM has, (n,)."""
    cluster = c.cluster_r5.cpu_factor.evidence + c.cluster_r5.receive_cpu_share.evidence
    return _combined(vms, laws, _cpu_release_ids, c.releases, cluster)


def iops_factor_ids(
    vms: VmArrays, laws: Laws, c: FamilyConstants
) -> tuple[tuple[Ids, ...], IntArray]:
    """The same for disk I/O, whose figures are family B's throughout."""
    cluster = c.cluster_r5.disk_factor.evidence + c.cluster_r5.receive_disk_share.evidence
    return _combined(vms, laws, _iops_release_ids, c.releases, cluster)


def _combined(
    vms: VmArrays,
    laws: Laws,
    of_release: Callable[[str, int, Releases], Ids],
    factors: Releases,
    member: Ids,
) -> tuple[tuple[Ids, ...], IntArray]:
    """`member` is of use for members of Domino clusters under family A alone."""
    likes = [nearest_release(release)[0] for release in vms.releases]
    ids = [of_release(like, law, factors) for like in likes for law in range(_LAWS)]
    law = np.where(laws.family_a, _FAMILY_A, np.where(laws.inotes, _INOTES, _FAMILY_B))
    which = vms.release * _LAWS + law
    if laws.some_a:
        is_member = laws.family_a & vms.clustered
        if some(is_member):
            return tuple(ids + [each + member for each in ids]), which + len(ids) * is_member
    return tuple(ids), which


def _cpu_release_ids(like: str, law: int, factors: Releases) -> Ids:
    """Family A ran 7.0.2, which costs as 8.0; family B 8.5.1; iNotes before it costs as 8.0."""
    ids: Ids = ()
    if (like == NEWEST) == (law == _FAMILY_A):
        ids += factors.cpu_factor_851.evidence
    if like == "6.5" and law != _INOTES:
        ids += factors.cpu_factor_7.evidence
    return ids


def _iops_release_ids(like: str, _law: int, factors: Releases) -> Ids:
    return () if like == NEWEST else factors.iops_factor_851.evidence

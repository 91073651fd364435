"""Sets of hosts gone, cluster by cluster: every distinct one is worked out once for all modes.

A mode takes hosts of one or several clusters; what happens in a cluster depends on its own losses
only. So a *loss* is a cluster and the hosts that it loses, and a mode is one or more losses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.failure.availability import restart_entries
from models.failure.failover import Failover, HostLoads
from models.failure.mode import Mode
from models.physics.arrays import Arrays
from models.quantities import BoolArray, IntArray

NOBODY = -1


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """Distinct losses, shape (r,), and which modes consist of which.

    Attributes:
        cluster: that loses hosts; `down`: which ones, shape (r, h).
        evacuated: host in maintenance among them, −1 for none.
        mode, loss: pairs of a mode and a loss of it, shape (k,).
        alone: hosts outside clusters that are gone, by mode.
    """

    cluster: IntArray
    down: BoolArray
    evacuated: IntArray
    mode: IntArray
    loss: IntArray
    alone: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.cluster)


def losses_of(arrays: Arrays, modes: Sequence[Mode]) -> Losses:
    """The losses behind the modes; modes without hosts have none."""
    row = {id: position for position, id in enumerate(arrays.hosts.ids)}
    cluster_of = arrays.hosts.cluster.tolist()
    seen: dict[tuple[int, tuple[int, ...], int], int] = {}
    pairs: list[tuple[int, int]] = []
    alone: list[tuple[int, ...]] = []
    for number, mode in enumerate(modes):
        gone = [row[id] for id in mode.hosts]
        alone.append(tuple(host for host in gone if cluster_of[host] < 0))
        away = NOBODY if mode.maintenance is None else row[mode.maintenance]
        for cluster in dict.fromkeys(cluster_of[host] for host in gone if cluster_of[host] >= 0):
            hosts = tuple(sorted(host for host in gone if cluster_of[host] == cluster))
            key = (cluster, hosts, away if away in hosts else NOBODY)
            pairs.append((number, seen.setdefault(key, len(seen))))
    down = np.zeros((len(seen), len(row)), dtype=np.bool_)
    for (_, hosts, _), loss in seen.items():
        down[loss, list(hosts)] = True
    keys = np.array([(key[0], key[2]) for key in seen], dtype=np.int64).reshape(-1, 2)
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return Losses(keys[:, 0], down, keys[:, 1], table[:, 0], table[:, 1], tuple(alone))


@dataclass(frozen=True, slots=True, eq=False)
class Lost:
    """VMs that ran on hosts that are gone, one entry a loss and VM, shape (k,).

    Attributes:
        vm, loss: which.
        evacuated: moved away before; `stays_down`: not restarted by HA; `taken_over`: runs on in
            its Fault Tolerance secondary.
    """

    vm: IntArray
    loss: IntArray
    evacuated: BoolArray
    stays_down: BoolArray
    taken_over: BoolArray

    @property
    def to_restart(self) -> BoolArray:
        return np.asarray(self.evacuated | ~(self.stays_down | self.taken_over))


def lost_vms(arrays: Arrays, losses: Losses, secondary: IntArray) -> Lost:
    """What ran on the hosts of each loss.

    Args:
        secondary: host of each VM's Fault Tolerance secondary, −1 for none.
    """
    vms = arrays.vms
    loss, host = losses.down.nonzero()
    vm, place = arrays.vms_by_host.on(host)
    of = loss[place]
    evacuated = (vms.host[vm] == losses.evacuated[of]) & ~(vms.rooted | arrays.refused)[vm]
    there = secondary[vm]
    alive = (there >= 0) & ~losses.down[of, np.maximum(there, 0)]
    stays_down = arrays.stays_down[vm] & ~evacuated
    return Lost(vm, of, evacuated, stays_down & ~alive, alive & ~evacuated)


def restart_all(arrays: Arrays, loads: HostLoads, losses: Losses, lost: Lost) -> Failover:
    """Restart what each loss took, moved VMs first; a row a loss."""
    rows, taken = np.flatnonzero(lost.to_restart), np.flatnonzero(lost.taken_over)
    return restart_entries(
        arrays,
        loads,
        losses.down,
        losses.cluster,
        rows=lost.vm[rows],
        mode=lost.loss[rows],
        stage=np.where(lost.evacuated[rows], 0, 1),
        taken=(lost.loss[taken], lost.vm[taken]),
    )

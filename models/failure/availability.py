"""Host failures: one host of a cluster gone, several at once, or any sets of them."""

from __future__ import annotations

import numpy as np

from models.base.quantities import BoolArray, IntArray
from models.failure.failover import Failover, HostLoads
from models.failure.restarting import restart_all
from models.physics.arrays import Arrays
from models.physics.columns import NOBODY, filled, inverse, looked_up


def fail_each_host(arrays: Arrays, loads: HostLoads, clusters: BoolArray | None = None) -> Failover:
    """Take each host of each cluster away, alone, and restart its VMs on the survivors.

    VMs restart by priority, within it the largest memory first; those with a Fault Tolerance
    secondary on a survivor run on there. Each goes to the survivor that is least full with it, by
    memory, by CPU over its limit or by the VM's own vCPUs where it asks for more than before, of
    those where its memory fits; if there is none, it stays down. Hosts outside clusters and VMs
    that are not to be restarted don't take part. What a VM asks of a host of another kind is what
    the formulas say of it there (`HostLoads.on`); what has no data there counts as nothing here,
    and `failures` says so. Where rules bind restarts (`Arrays.rules`), only hosts that they leave
    take part.

    Args:
        clusters: which clusters to look at; None: all of them.
    """
    cluster = arrays.hosts.cluster
    wanted = cluster >= 0 if clusters is None else looked_up(clusters, cluster, False)
    failed = wanted.nonzero()[0]
    members = arrays.hosts.members.take(cluster[failed], axis=0)
    alive = (members >= 0) & (members != failed[:, None])
    return _restarted(arrays, loads, failed, members, alive, np.arange(len(failed)))


def fail_together(arrays: Arrays, loads: HostLoads, down: BoolArray) -> Failover:
    """Take the hosts `down`, shape (h,), away at once: a mode is a cluster that loses some.

    As `fail_each_host` otherwise; `failed` is one of the hosts that are gone.
    """
    cluster = arrays.hosts.cluster
    gone = (down & (cluster >= 0)).nonzero()[0]
    clusters, first, mode = np.unique(cluster[gone], return_index=True, return_inverse=True)
    members = arrays.hosts.members[clusters]
    alive = (members >= 0) & ~down[members]
    return _restarted(arrays, loads, gone[first], members, alive, mode, gone)


def _restarted(
    arrays: Arrays,
    loads: HostLoads,
    failed: IntArray,
    members: IntArray,
    alive: BoolArray,
    mode: IntArray,
    gone: IntArray | None = None,
) -> Failover:
    """Restart what ran on the hosts `gone` (`failed` where not given), each in its `mode`."""
    mode_of_host = filled(len(arrays.hosts) + 1, NOBODY, np.int64)
    mode_of_host[failed if gone is None else gone] = mode
    mode_of_vm = mode_of_host[arrays.vms.place]
    in_mode = taken = np.zeros(0, dtype=np.int64)
    if arrays.vms.some_protected:
        taken = ((mode_of_vm >= 0) & (loads.secondary != NOBODY)).nonzero()[0]
        down = np.zeros(len(arrays.hosts), dtype=np.bool_)
        down[gone if gone is not None else []] = True
        taken = taken[~down[loads.secondary[taken]]]
        in_mode = mode_of_vm[taken]
        mode_of_vm[taken] = NOBODY
    restarts = (mode_of_vm >= 0) & ~arrays.stays_down
    rows = loads.in_turn[restarts.take(loads.in_turn)]
    restarting = rows, mode_of_vm.take(rows)
    return restart_all(arrays, loads, failed, members, alive, restarting, (in_mode, taken))


def fail_sets(arrays: Arrays, loads: HostLoads, cluster: IntArray, gone: BoolArray) -> Failover:
    """As `fail_each_host` for sets of one or more hosts, each of one cluster; `failed` is the first
    of a set.

    Args:
        cluster: of each set, shape (m,).
        gone: which of its hosts are gone, as columns of `HostArrays.members`, shape (m, w).
    """
    members = arrays.hosts.members.take(cluster, axis=0)
    alive = (members >= 0) & ~gone
    mode, column = gone.nonzero()
    vm, place = arrays.vms_by_host.on(members[mode, column])
    of = mode[place]
    there = loads.secondary[vm]
    runs_on = (there != NOBODY).nonzero()[0]
    at = members[of[runs_on]] == there[runs_on][:, None]
    runs_on = runs_on[(at & alive[of[runs_on]]).any(axis=1)]
    restarts = ~arrays.stays_down[vm]
    restarts[runs_on] = False
    restarting = _in_turn(loads, vm[restarts], of[restarts])
    failed = members[np.arange(len(cluster)), gone.argmax(axis=1)]
    taken = of[runs_on], vm[runs_on]
    return restart_all(arrays, loads, failed, members, alive, restarting, taken)


def restart_entries(
    arrays: Arrays,
    loads: HostLoads,
    down: BoolArray,
    cluster: IntArray,
    *,
    rows: IntArray,
    mode: IntArray,
    stage: IntArray,
    taken: tuple[IntArray, IntArray],
) -> Failover:
    """As `fail_each_host` for any sets of hosts, of which the same host may be in several.

    Args:
        down: hosts that are gone in each mode, shape (m, h); `cluster` it speaks of, shape (m,).
        rows, mode, stage: VMs to restart, in which mode, and those of stage 0 before those of
            stage 1, shape (k,).
        taken: VMs that run on in their secondaries: in which mode, and which, ordered by mode.
    """
    members = arrays.hosts.members[cluster]
    alive = (members >= 0) & ~np.take_along_axis(down, np.maximum(members, 0), axis=1)
    failed = down.argmax(axis=1) if down.size else np.zeros(len(down), dtype=np.int64)
    restarting = _in_turn(loads, rows, mode, stage)
    return restart_all(arrays, loads, failed, members, alive, restarting, taken)


def _in_turn(
    loads: HostLoads, rows: IntArray, mode: IntArray, stage: IntArray | int = 0
) -> tuple[IntArray, IntArray]:
    """The VMs `rows`, each with its mode, by stage and turn."""
    order = np.lexsort((inverse(loads.in_turn)[rows], np.broadcast_to(stage, rows.shape)))
    return rows[order], mode[order]

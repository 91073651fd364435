"""Loads of hosts after the restarts of each failure mode, with ends and with what isn't known."""

from __future__ import annotations

import numpy as np

from models.failure.failover import Failover
from models.physics.arrays import Arrays
from models.physics.columns import at_each, filled, some, with_rows
from models.physics.elsewhere import Elsewhere
from models.quantities import BoolArray, FloatArray, IntArray
from models.record import record


@record
class HostsKnown:
    """What is known of the hosts' CPU in normal operation, shape (h,) but for `busy`.

    Attributes:
        busy: known load with its ends [core-seconds per second], shape (3, h).
        unknown: vCPUs of VMs without CPU data; `unfounded`: those of them that nothing vouches for.
        vms: number of VMs with CPU data.
    """

    busy: FloatArray
    unknown: FloatArray
    unfounded: FloatArray
    vms: FloatArray


@record
class Restarted:
    """Hosts after the restarts, columns as in `Failover.members`.

    Attributes:
        busy: value, low and high end [core-seconds per second], shape (3, m, h); the high end takes
            VMs without data at their vCPUs, as in normal operation.
        judged_high: the same without what is vouched for, shape (m, h).
        known: hosts of whose load something is known, or on which nothing runs, shape (m, h).
        unlike_pct: as the function of that name has it, shape (2, m).
    """

    busy: FloatArray
    judged_high: FloatArray
    known: BoolArray
    unlike_pct: FloatArray

    def with_modes(self, modes: IntArray, part: Restarted) -> Restarted:
        """The same with the rows `modes` those of `part`."""
        busy = self.busy.copy()
        busy[:, modes] = part.busy
        return Restarted(
            busy,
            with_rows(self.judged_high.T, modes, part.judged_high.T).T,
            with_rows(self.known.T, modes, part.known.T).T,
            with_rows(self.unlike_pct, modes, part.unlike_pct),
        )


def after_restarts(
    arrays: Arrays,
    failover: Failover,
    places: Elsewhere,
    before: HostsKnown,
    *,
    vouched: BoolArray,
    ram_limit_gib: FloatArray,
) -> Restarted:
    """Hosts after the restarts of `failover`.

    Args:
        vouched: VMs without data that are known to have worked, shape (n,).
        ram_limit_gib: memory that a host may carry, shape (h,).
    """
    vms, cell = arrays.vms, failover.landed_cell
    vm = failover.moved_vm[failover.landed]
    if len(places.kinds) == 1:
        moved = places.cores[:, 0].take(vm, axis=1)
    else:
        moved = places.cores[:, places.of_host[failover.members.take(cell)], vm]
    blank = np.isnan(moved[0])
    everything = not some(blank) and not some(before.unknown > 0)
    of_hosts, of_vms = [before.busy[1:]], [moved[1:]]
    if not everything:
        vcpus = np.where(blank, vms.vcpus[vm], 0.0)
        of_hosts.append(np.array([before.unknown, before.unfounded, before.vms]))
        of_vms.append(np.array([vcpus, np.where(vouched[vm], 0.0, vcpus), ~blank]))
    low, high, *others = _spread(failover, np.concatenate(of_hosts), np.concatenate(of_vms))
    unlike = unlike_pct(arrays, failover, places, ram_limit_gib)
    if everything:
        known = filled(high.shape, True, np.bool_)
        return Restarted(np.array([failover.cores_busy, low, high]), high, known, unlike)
    unknown, unfounded, seen = others
    return Restarted(
        np.array([failover.cores_busy, low, high + unknown]),
        high + unfounded,
        (seen > 0) | (unknown == 0),
        unlike,
    )


def _spread(failover: Failover, of_hosts: FloatArray, of_vms: FloatArray) -> FloatArray:
    """Sums on the survivors (k, m, h): what stood there (k, hosts) and what restarts (k, landed);
    NaN is nothing."""
    standing = np.fmax(of_hosts, 0.0).take(failover.position, axis=1)
    sums = np.where(failover.alive, standing, 0.0)
    at_each(np.add, sums.reshape(len(sums), -1), failover.landed_cell, np.fmax(of_vms, 0.0))
    return sums


def own_pct(
    arrays: Arrays, failover: Failover, places: Elsewhere, unlike: FloatArray
) -> FloatArray:
    """Highest load of a VM that runs in each mode [% of its vCPUs], with high end, (2, m); NaN for
    none.

    The greatest 100·asked/vCPUs of those on survivors, as they stood before, and of those that
    restart: as before where all hosts of the cluster are alike, else as `unlike_pct`, (2, m), has
    it. More than 100 where they ask for more than they have. Valid and from where `core_seconds`
    is.

    Two VMs of 2 vCPUs on a host each ask for 0.6 (at most 0.8) and 1 (1.2) cores; the first
    host is lost without a restart, then the second, whose VM restarts on the first:

    >>> from types import SimpleNamespace
    >>> from models.physics.crews import Crews
    >>> arrays = SimpleNamespace(vms=SimpleNamespace(vcpus=np.full(2, 2.0)))
    >>> arrays.crews = Crews.of(np.array([0, 1]), hosts=2)
    >>> asked = np.array([[[0.6, 1.0]], [[0.5, 0.9]], [[0.8, 1.2]]])
    >>> places = SimpleNamespace(asked=asked, of_host=np.zeros(2, dtype=int))
    >>> hosts, alive = np.array([[0, 1], [0, 1]]), np.array([[False, True], [True, False]])
    >>> failover = SimpleNamespace(failed=np.arange(2), position=hosts, alive=alive)
    >>> failover.elsewhere = np.array([1]), np.array([1]), np.array([2])  # mode, VM, cell
    >>> own_pct(arrays, failover, places, np.full((2, 2), np.nan)).round(1).tolist()
    [[50.0, 50.0], [60.0, 60.0]]
    """
    here = 100.0 * places.asked[::2, 0] / arrays.vms.vcpus
    staying = arrays.crews.greatest(here).take(failover.position, axis=1)
    staying = np.where(failover.alive, staying, -np.inf)
    own: FloatArray = np.maximum.reduce(staying, axis=2, initial=-np.inf)
    mode, vm, _ = failover.elsewhere
    alike = places.of_host[failover.failed[mode]] == ALIKE
    at_each(np.fmax, own, mode, np.where(alike, here[:, vm], -np.inf))
    np.fmax(own, unlike, out=own)
    own[own == -np.inf] = np.nan
    return own


ALIKE = 0
"""Kind of the hosts of a cluster of one kind, as `Elsewhere.of_host` has it."""


def unlike_pct(
    arrays: Arrays, failover: Failover, places: Elsewhere, ram_limit_gib: FloatArray
) -> FloatArray:
    """Highest load of a VM that is to run elsewhere in a cluster of several kinds of machines [% of
    its vCPUs], with high end, shape (2, m); NaN for none.

    The greatest 100·asked/vCPUs over the survivors on which the VM may restart: that a must-rule
    leaves it, that have the memory for it, and of these the standby hosts where the cluster has
    some. HA looks for unreserved capacity, not for speed (VMware, vSphere Availability 6.0, "VM
    Restart Priority"): that a VM lands on the faster machine is nothing to rely on. Where it was
    put counts in any case. Valid and from where `core_seconds` is.

    A VM of 1 vCPU asks for 0.4 cores (at most 0.5) of the one survivor, on which it was put,
    and for 0.6 (0.8) of the other, slower one; then that has no memory for it [GiB]:

    >>> from types import SimpleNamespace
    >>> arrays = SimpleNamespace(vms=SimpleNamespace(vcpus=np.ones(1)), binding=None)
    >>> asked = np.array([[[0.4], [0.4], [0.6]], [[0.3], [0.3], [0.5]], [[0.5], [0.5], [0.8]]])
    >>> places = SimpleNamespace(
    ...     kinds=(None,) * 3,
    ...     of_host=np.array([1, 1, 2]),
    ...     asked=asked,
    ...     ram_gib=np.full((3, 1), 8.0),
    ... )
    >>> hosts, alive = np.array([[0, 1, 2]]), np.array([[False, True, True]])
    >>> failover = SimpleNamespace(failed=np.array([0]), position=hosts, alive=alive)
    >>> failover.moved_mode = failover.moved_vm = failover.landed = np.array([0])
    >>> failover.moved_to = np.array([1])
    >>> failover.taken_mode = failover.taken_vm = failover.taken_to = np.array([], dtype=int)
    >>> unlike_pct(arrays, failover, places, np.full(3, 16.0)).round(1).tolist()
    [[60.0], [80.0]]
    >>> unlike_pct(arrays, failover, places, np.array([16.0, 16.0, 4.0])).round(1).tolist()
    [[40.0], [50.0]]
    """
    found = filled((2, len(failover.failed)), np.nan)
    if len(places.kinds) == 1:
        return found
    mode, vm, may = _options(arrays, failover, places, ram_limit_gib)
    kinds = places.of_host[failover.position[mode]]
    for kind in range(ALIKE + 1, len(places.kinds)):
        there = (may & (kinds == kind)).any(axis=1)
        pct = 100.0 * places.asked[::2, kind, vm] / arrays.vms.vcpus[vm]
        at_each(np.fmax, found, mode, np.where(there, pct, np.nan))
    return found


def slowest_restart(
    arrays: Arrays, failover: Failover, places: Elsewhere, ram_limit_gib: FloatArray, row: int
) -> tuple[int, int] | None:
    """The VM, and the host, that `unlike_pct` of a mode is of; None where there is none."""
    mode, vm, may = _options(arrays, failover, places, ram_limit_gib)
    there = mode == row
    if not some(there):
        return None
    vm, hosts = vm[there], failover.position[row]
    share = places.asked[0][places.of_host[hosts], vm[:, None]] / arrays.vms.vcpus[vm][:, None]
    share = np.where(may[there] & ~np.isnan(share), share, -np.inf)
    entry, column = np.unravel_index(share.argmax(), share.shape)
    return int(vm[entry]), int(hosts[column])


def _options(
    arrays: Arrays, failover: Failover, places: Elsewhere, ram_limit_gib: FloatArray
) -> tuple[IntArray, IntArray, BoolArray]:
    """VMs that are to run elsewhere: mode, VM, and columns of hosts on which they may, (k, w)."""
    mode, vm = failover.moved_mode, failover.moved_vm
    hosts, may = failover.position[mode], failover.alive[mode]
    if (rules := arrays.binding) is not None:
        standing_by = rules.standing_by[hosts] & may
        may &= standing_by | ~standing_by.any(axis=1, keepdims=True)
        may &= rules.allowed(vm[:, None], hosts)
    may &= places.ram_gib[places.of_host[hosts], vm[:, None]] <= ram_limit_gib[hosts]
    may[failover.landed, failover.moved_to[failover.landed]] = True
    taken = np.arange(may.shape[1]) == failover.taken_to[:, None]
    return (
        np.concatenate([mode, failover.taken_mode]),
        np.concatenate([vm, failover.taken_vm]),
        np.concatenate([may, taken]),
    )

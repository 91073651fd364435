"""Loads of hosts after the restarts of each failure mode, with ends and with what isn't known."""

from __future__ import annotations

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray, judged_end
from models.base.record import record
from models.failure.failover import Failover
from models.physics import cpu
from models.physics.arrays import Arrays
from models.physics.columns import at_each, filled, some, spread
from models.physics.other_hosts import OtherHosts
from models.physics.sametime import Vouching
from models.scenario.scenario import Policy


@record
class HostsKnown:
    """What is known of the hosts' CPU in normal operation, shape (h,) but for `busy`.

    Attributes:
        busy: known load with its ends [core-seconds per second], shape (3, h).
        unknown: vCPUs of VMs without CPU data; `unfounded`: those of them that nothing vouches for.
        blind, vms: number of VMs without and with CPU data; those that no list has are without.
    """

    busy: FloatArray
    unknown: FloatArray
    unfounded: FloatArray
    blind: FloatArray
    vms: FloatArray


@record
class Restarted:
    """Hosts after the restarts, columns as in `Failover.members`.

    Attributes:
        busy: value, low and high end [core-seconds per second], shape (3, m, h); the high end takes
            VMs without data at their vCPUs, as in normal operation.
        known_high: the high end of what is known, shape (m, h).
        unfounded: vCPUs of VMs without data that nothing vouches for; `blind`: number of VMs
            without, shape (m, h).
        known: hosts of whose load something is known, or on which nothing runs, shape (m, h).
        unlike_pct: highest load of a VM that runs elsewhere than before and asks for more there, in
            a cluster of several kinds of machines [% of its vCPUs], with the end that is judged,
            shape (2, m); NaN for none.
    """

    busy: FloatArray
    known_high: FloatArray
    unfounded: FloatArray
    blind: FloatArray
    known: BoolArray
    unlike_pct: FloatArray

    def judged_high(self, policy: Policy) -> FloatArray:
        """`cpu.judged_high` of each host by the policy's posture, shape (m, h)."""
        high = judged_end(self.busy[0], self.known_high, policy.posture.share)
        return cpu.judged_high(high, self.unfounded, policy.peak_factor_cpu)


def after_restarts(
    arrays: Arrays,
    failover: Failover,
    places: OtherHosts,
    before: HostsKnown,
    *,
    vouched: Vouching | None,
    share: float = 1.0,
) -> Restarted:
    """Hosts after the restarts of `failover`.

    Args:
        vouched: what vouches for VMs without data, None for nothing. It is asked of what stands on
            each survivor and what restarts there together: where that is more than what worked,
            nothing there is vouched for.
        share: of the policy's posture (`quantities.judged_end`).
    """
    vms, cell = arrays.vms, failover.landed_cell
    vm = failover.moved_vm[failover.landed]
    if len(places.kinds) == 1:
        moved = places.cores[:, 0].take(vm, axis=1)
    else:
        moved = places.cores[:, places.of_host[failover.members.take(cell)], vm]
    blank = np.isnan(moved[0])
    everything = not some(blank) and not some(before.blind > 0)
    of_hosts, of_vms = [before.busy[1:]], [moved[1:]]
    if not everything:
        vcpus = np.where(blank, vms.vcpus[vm], 0.0)
        of_hosts.append(np.array([before.unknown, before.unfounded, before.blind, before.vms]))
        founded = vouched is not None and vouched.alone[vm]
        of_vms.append(np.array([vcpus, np.where(founded, 0.0, vcpus), blank, ~blank]))
        if vouched is not None:
            of_hosts.append(vouched.standing)
            of_vms.append(vouched.users[:, vm])
    low, high, *others = _spread(failover, np.concatenate(of_hosts), np.concatenate(of_vms))
    unlike = filled((2, len(failover.failed)), np.nan)
    if len(places.kinds) > 1:
        slower = OnSlower.of(failover, places, share)
        at_each(np.fmax, unlike, slower.mode, slower.pct)
    if everything:
        known, nothing = filled(high.shape, True, np.bool_), np.zeros(high.shape)
        busy = np.array([failover.cores_busy, low, high])
        return Restarted(busy, busy[2], nothing, nothing, known, unlike)
    unknown, unfounded, blind, seen, *users = others
    if vouched is not None:
        carried = vouched.able[failover.position] & (np.array(users) <= vouched.most).all(axis=0)
        unfounded = np.where(carried, unfounded, unknown)
    return Restarted(
        np.array([failover.cores_busy, low, high + unknown]),
        high,
        unfounded,
        blind,
        (seen > 0) | (blind == 0),
        unlike,
    )


def _spread(failover: Failover, of_hosts: FloatArray, of_vms: FloatArray) -> FloatArray:
    """Sums on the survivors (k, m, h): what stood there (k, hosts) and what restarts (k, landed);
    NaN is nothing."""
    standing, restarting = np.fmax(of_hosts, 0.0), np.fmax(of_vms, 0.0)
    return spread(failover.position, failover.alive, standing, failover.landed_cell, restarting)


def own_pct(
    arrays: Arrays, failover: Failover, places: OtherHosts, share: float = 1.0
) -> FloatArray:
    """Highest load of a VM that runs in each mode [% of its vCPUs], with the end that is judged
    (`share` of the way to its high end, `quantities.judged_end`), (2, m); NaN for none.

    The greatest 100·asked/vCPUs of those on survivors, as they stood or where they restarted; more
    than 100 where they ask for more than they have. Valid and from where `core_seconds` is.

    Two VMs of 2 vCPUs on a host each ask for 0.6 (at most 0.8) and 1 (1.2) cores; the first
    host is lost without a restart, then the second, whose VM restarts on the first:

    >>> from types import SimpleNamespace
    >>> from models.physics.columns import VmsByHost
    >>> arrays = SimpleNamespace(vms=SimpleNamespace(vcpus=np.full(2, 2.0)))
    >>> arrays.vms_by_host = VmsByHost.of(np.array([0, 1]), hosts=2)
    >>> asked = np.array([[[0.6, 1.0]], [[0.5, 0.9]], [[0.8, 1.2]]])
    >>> places = SimpleNamespace(asked=asked, of_host=np.zeros(2, dtype=int))
    >>> hosts, alive = np.array([[0, 1], [0, 1]]), np.array([[False, True], [True, False]])
    >>> failover = SimpleNamespace(members=hosts, position=hosts, alive=alive)
    >>> failover.elsewhere = np.array([1]), np.array([1]), np.array([2])  # mode, VM, cell
    >>> own_pct(arrays, failover, places).round(1).tolist()
    [[50.0, 50.0], [60.0, 60.0]]
    """
    here = _with_judged(100.0 * places.asked[::2, 0] / arrays.vms.vcpus, share)
    staying = arrays.vms_by_host.greatest(here).take(failover.position, axis=1)
    staying = np.where(failover.alive, staying, -np.inf)
    own: FloatArray = np.maximum.reduce(staying, axis=2, initial=-np.inf)
    mode, pct = _elsewhere_pct(arrays, failover, places)
    at_each(np.fmax, own, mode, _with_judged(pct, share))
    own[own == -np.inf] = np.nan
    return own


def _with_judged(pct: FloatArray, share: float) -> FloatArray:
    """Values and high ends (2, …), the high one as it is judged."""
    return pct if share == 1.0 else np.array([pct[0], judged_end(pct[0], pct[1], share)])


@record
class Restart:
    """A VM that runs elsewhere than before, on slower cores: its row, that of its host there, and
    what it asks for there with the end that is judged [% of its vCPUs]."""

    vm: int
    host: int
    pct: float
    high: float


@record
class OnSlower:
    """VMs that run elsewhere, one after the other: mode, row, that of the host there, (k,), and
    load [% of their vCPUs] with the end that is judged, (2, k); NaN of those that ask for no more
    there than before."""

    mode: IntArray
    vm: IntArray
    host: IntArray
    pct: FloatArray

    @classmethod
    def of(cls, failover: Failover, places: OtherHosts, share: float) -> OnSlower:
        mode, vm, cell = failover.elsewhere
        host = failover.members.take(cell)
        pct = places.more_of_vcpus[:, places.of_host[host], vm]
        return cls(mode, vm, host, _with_judged(pct, share))

    def fullest(self, row: int, *, by_high: bool) -> Restart | None:
        """Of a mode the VM that `Restarted.unlike_pct` is of, by its value or by its high end;
        None for none."""
        ranked = self.pct[1 if by_high else 0]
        there = ((self.mode == row) & ~np.isnan(ranked)).nonzero()[0]
        return self._at(int(there[ranked[there].argmax()])) if len(there) else None

    def over(self, row: int, limit: float) -> list[Restart]:
        """Of a mode the VMs that pass `limit` [% of their vCPUs] on slower cores, those that ask
        for most first."""
        there = ((self.mode == row) & (self.pct[0] > limit)).nonzero()[0]
        return [self._at(at) for at in there[(-self.pct[0, there]).argsort(kind="stable")].tolist()]

    def _at(self, at: int) -> Restart:
        return Restart(int(self.vm[at]), int(self.host[at]), *self.pct[:, at].tolist())


def _elsewhere_pct(
    arrays: Arrays, failover: Failover, places: OtherHosts
) -> tuple[IntArray, FloatArray]:
    """Of VMs that run elsewhere: mode, and load of their vCPUs with high end [%]."""
    mode, vm, cell = failover.elsewhere
    kind = places.of_host[failover.members.take(cell)]
    return mode, 100.0 * places.asked[::2, kind, vm] / arrays.vms.vcpus[vm]

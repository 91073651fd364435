"""Loads of hosts after the restarts of each failure mode, with ends and with what isn't known."""

from __future__ import annotations

import numpy as np

from models.base.lazily import lazy
from models.base.quantities import BoolArray, FloatArray, IntArray, judged_end
from models.base.record import record
from models.failure.failover import Failover, Modes
from models.physics import cpu
from models.physics.arrays import Arrays
from models.physics.columns import at_each, filled, some
from models.physics.host_sums import unfounded_vcpus
from models.physics.hosts import in_use_gib
from models.physics.other_hosts import OtherHosts
from models.physics.sametime import Vouching
from models.scenario.scenario import Policy


@record
class HostsAfter:
    """Hosts of some failure modes after the restarts, columns as in `Failover.members`, (m, h).

    Attributes:
        busy: value, low and high end [core-seconds per second], shape (3, m, h); the high end takes
            VMs without data at their vCPUs, as in normal operation.
        known_high: the high end of what is known.
        ram_gib: memory in use.
        unfounded: vCPUs of VMs without data that nothing vouches for; `blind`: number of VMs
            without, among them those that no list has.
        known: hosts of whose load something is known, or on which nothing runs.
    """

    busy: FloatArray
    known_high: FloatArray
    ram_gib: FloatArray
    unfounded: FloatArray
    blind: FloatArray
    known: BoolArray

    def judged_high(self, policy: Policy) -> FloatArray:
        """`cpu.judged_high` of each host by the policy's posture."""
        high = judged_end(self.busy[0], self.known_high, policy.posture.share)
        return cpu.judged_high(high, self.unfounded, policy.peak_factor_cpu)


_OF_UNKNOWN = "vms", "blind", "blind_vcpus", "unvouched_vcpus", "chat_users"


@record(slots=False)
class Restarted:
    """Hosts after the restarts of a failover.

    Attributes:
        vouched: what vouches for VMs without data, None for nothing. It is asked of what stands on
            each survivor and what restarts there together: where that is more than what worked,
            nothing there is vouched for.
        unlisted: VMs that no list has, (h,).
        unlike_pct: highest load of a VM that runs elsewhere than before and asks for more there, in
            a cluster of several kinds of machines [% of its vCPUs], with the end that is judged,
            shape (2, m); NaN for none.
    """

    failover: Failover
    vouched: Vouching | None
    unlisted: FloatArray
    unlike_pct: FloatArray

    @classmethod
    def of(
        cls,
        failover: Failover,
        places: OtherHosts,
        unlisted: FloatArray,
        *,
        vouched: Vouching | None,
        share: float = 1.0,
    ) -> Restarted:
        """Args: share: of the policy's posture (`quantities.judged_end`)."""
        unlike = filled((2, len(failover.failed)), np.nan)
        if len(places.kinds) > 1:
            slower = OnSlower.of(failover, places, share)
            at_each(np.fmax, unlike, slower.mode, slower.pct)
        return cls(failover, vouched, unlisted, unlike)

    def at(self, modes: Modes) -> HostsAfter:
        """The hosts of some modes."""
        if isinstance(modes, slice) and modes == self._only:
            return self._all
        return self._worked_out(modes)

    @lazy
    def _only(self) -> slice | None:
        """All modes, where they are few enough to be worked out once."""
        found = list(self.failover.blocks())
        return found[0] if len(found) == 1 else None

    @lazy
    def _all(self) -> HostsAfter:
        return self._worked_out(slice(None))

    def _worked_out(self, modes: Modes) -> HostsAfter:
        failover, loads = self.failover, self.failover.loads
        hosts, alive = failover.position[modes], failover.alive[modes]
        is_known = not loads.sums.is_whole and not some(self.unlisted > 0)
        sums = failover.sums("cpu", "ram_gib", *(() if is_known else _OF_UNKNOWN), modes=modes)
        ends, console = sums["cpu"], np.where(alive, loads.console_gib[hosts], 0.0)
        ram_gib = in_use_gib(sums["ram_gib"], console)
        if is_known:
            known, nothing = filled(alive.shape, True, np.bool_), np.zeros(alive.shape)
            return HostsAfter(ends, ends[2], ram_gib, nothing, nothing, known)
        blind = sums["blind"] + np.where(alive, self.unlisted[hosts], 0.0)
        return HostsAfter(
            np.array([*ends[:2], ends[2] + sums["blind_vcpus"]]),
            ends[2],
            ram_gib,
            unfounded_vcpus(sums, self.vouched, hosts),
            blind,
            (sums["vms"] > sums["blind"]) | (blind == 0),
        )

    def busy_of_crowded(self) -> FloatArray:
        """Load of the hosts that VMs come to (`Failover.crowded`), as `HostsAfter.busy`, (3, c)."""
        sums = self.failover.sums_of_crowded("cpu", "blind_vcpus")
        sums["cpu"][2] += sums["blind_vcpus"]
        return sums["cpu"]


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
    >>> failover = SimpleNamespace(members=hosts)
    >>> failover.greatest_left = lambda pct: np.where(alive, pct[:, None], 0.0).max(axis=2)
    >>> failover.elsewhere = np.array([1]), np.array([1]), np.array([2])  # mode, VM, cell
    >>> own_pct(arrays, failover, places).round(1).tolist()
    [[50.0, 50.0], [60.0, 60.0]]
    """
    here = _with_judged(cpu.of_vcpus_pct(places.asked[::2, 0], arrays.vms.vcpus), share)
    own = failover.greatest_left(arrays.vms_by_host.greatest(here))
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
    return mode, cpu.of_vcpus_pct(places.asked[::2, kind, vm], arrays.vms.vcpus[vm])

"""A closed network of users in time: they think, ask for CPU, ask for disk, and think again.

Fluid and stepwise: users are an amount, not persons, and every step of time moves them on by the
rates at its end (`share_per_job`). CPU is the vCPUs of each server behind the cores of its host;
disks are those of a pool, shared by all who name it. A *storm* takes all users off the network and
brings them back, each with a login that costs several actions, within a stretch of time; after that
they may be more active than usual for a while.

Jobs at a station share c servers equally (processor sharing, which is what a scheduler and a disk
queue come to on average). How many servers are busy follows from how many jobs there are, as it
would be if that number stood still: the *pointwise stationary fluid flow approximation*. With a
servers busy on average there are

    Q(a) = a·(1 + W(a)),  W(a) = ρ^(√(2(c+1)) − 1) / (c·(1 − ρ)),  ρ = a/c

jobs, which is M/M/c by Sakasegawa's formula for the waiting; the other way round Q jobs keep a(Q)
servers busy. Far above c that is all of them, and the fluid is exact; well below it is every job's
own; between the two it is good to a few per cent.

Sources: W. P. Wang, D. Tipper, S. Banerjee, "A simple approximation for modeling nonstationary
queues", IEEE INFOCOM 1996; H. Sakasegawa, "An approximation formula L_q ≈ α·ρ^β/(1−ρ)", Annals of
the Institute of Statistical Mathematics 29 (1977), pp. 67-75.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from models.base.quantities import FloatArray, IntArray

FULLEST = 1 - 1e-9
MOST_ITERATIONS = 60
PRECISION = 1e-7


def jobs_and_slope(busy: FloatArray, servers: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean number of jobs Q [1] when `busy` of `servers` are busy on average, and dQ/da.

    Valid up to ρ = 1 − 10⁻⁹, where a fluid has all servers busy. Source: Sakasegawa, as above.

    >>> jobs_and_slope(np.array([0.5, 6.4]), np.array([1.0, 8.0]))[0].round(2).tolist()
    [1.0, 8.34]
    """
    power = np.sqrt(2 * (servers + 1)) - 1
    rho = np.minimum(busy / servers, FULLEST)
    spare = 1 - rho
    waits = rho**power / (servers * spare)
    slope = waits * (np.where(rho > 0, power / np.where(rho > 0, rho, 1.0), 0.0) + 1 / spare)
    return busy * (1 + waits), 1 + waits + busy * slope / servers


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Which of n columns share a station: `index` of each, −1 for none, of `count`."""

    index: IntArray
    count: int
    matrix: FloatArray

    @classmethod
    def of(cls, index: IntArray, count: int) -> Groups:
        return cls(index, count, (index[:, None] == np.arange(count)).astype(np.float64))

    def sums(self, values: FloatArray) -> FloatArray:
        """Sums over the columns of each station, (b, n) to (b, g)."""
        return np.asarray(values @ self.matrix)

    def each(self, values: FloatArray, nowhere: float) -> FloatArray:
        """The station's value for each column, (b, g) to (b, n)."""
        beyond = np.full((len(values), 1), nowhere)
        return np.asarray(np.concatenate([values, beyond], axis=1)[:, self.index])


def share_per_job(
    ready: FloatArray,
    service_s: FloatArray,
    servers: FloatArray,
    step_s: float,
    speed: FloatArray,
    groups: Groups | None = None,
    *,
    start: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Servers that each job gets at the end of a step [1], (b, g): between 0 and `speed`; and
    1/(1 − ρ) there, from which the search of the next step may `start`.

    Of `ready` jobs, those that were there and those that came, B_k of each class k, there stay
    B_k/(1 + h·s/D_k) when each job gets s servers over the step h: an implicit step, which stays
    stable however short the services are. s follows from the number that stays, Q = Σ B_k/(1 +
    h·s/D_k), as s = speed·a(Q)/Q; it is found by Newton's method on 1/(1 − ρ), in which Q is nearly
    straight.

    Args:
        ready: (2, b, n); service_s: D of each class, (2, 1, n) or (2, b, n).
        servers: c > 0, (b, g); speed: what a server does of its nominal rate, (b, g).
        groups: columns that share a station; None: each has its own, and g is n.

    Valid for any step and any number of jobs; good to a few per cent about saturation. Source:
    Wang, Tipper, Banerjee, as above.

    100 jobs of 1 s at one server: within a second it finishes one, 99 stay, and each had 1/99.

    >>> ready, one = np.array([[[0.0]], [[100.0]]]), np.ones((1, 1))
    >>> share, _ = share_per_job(ready, np.ones((2, 1, 1)), one, 1.0, one)
    >>> share.round(3).tolist()
    [[0.01]]
    """

    def together(values: FloatArray) -> FloatArray:
        summed: FloatArray = values.sum(axis=0)
        return summed if groups is None else groups.sums(summed)

    total = together(ready)
    pace = step_s / service_s
    low, high = np.ones(servers.shape), np.full(servers.shape, 1 / (1 - FULLEST))
    crowd, per_job = np.clip(1 + total / servers if start is None else start, low, high), speed
    for _ in range(MOST_ITERATIONS):
        busy = servers * (1 - 1 / crowd)
        jobs, slope = jobs_and_slope(busy, servers)
        safe = np.where(jobs > 0, jobs, 1.0)
        per_job = np.where(jobs > 0, busy / safe, 1.0) * speed
        each = per_job if groups is None else groups.each(per_job, 1.0)
        stays = ready / (1 + pace * each)
        excess = jobs - together(stays)
        found = np.abs(excess) <= PRECISION * (1 + jobs)
        if found.all():
            break
        high, low = np.where(excess > 0, crowd, high), np.where(excess > 0, low, crowd)
        leaving = together(stays * pace / (1 + pace * each))
        steep = slope + leaving * speed * (jobs - busy * slope) / safe**2
        following = crowd - excess * crowd**2 / (servers * np.where(steep > 0, steep, 1.0))
        inside = (following > low) & (following < high) & (steep > 0)
        tried = np.where(inside, following, np.sqrt(low * high))
        crowd = np.where(found, crowd, tried)
    return per_job, crowd


LOGIN, ACTION = 0, 1
STEPS_OF_WINDOW = 240
FINEST_S, COARSEST_S = 0.25, 30.0
GROWTH = 1.01
MOST_EVEN = 10_000
"""Even steps that a storm has at most after its logins."""

SETTLING_STEPS, SETTLING_SHARE = 2000, 0.1
"""Steps, in shares of the think time, after which normal operation counts as settled."""
DRAINED = 0.05
"""Share of the peak's excess that may be left when a storm counts as over."""

CALM = 0.005
"""Share of the peak’s excess, and of users still in a login, at which there is no more to see."""

NOTICED = 0.01
"""Share of an undisturbed action below which nobody notices an excess."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ClosedNetwork:
    """n servers with their users, in b variants side by side.

    Attributes:
        users: (n,); think_s: between an answer and the next action.
        cpu_s, disk_s: what an action asks of a core and of the disks, (n,) > 0.
        vcpus: (b, n).
        host, pool: of each server, (n,); a server without a pool has −1.
        cores: of each host, what other load takes left out, (h,) > 0.
        disks: that work at once in each pool, (p,) > 0.
    """

    users: FloatArray
    think_s: float
    cpu_s: FloatArray
    disk_s: FloatArray
    vcpus: FloatArray
    host: IntArray
    pool: IntArray
    cores: FloatArray
    disks: FloatArray

    @cached_property
    def hosts_shared(self) -> Groups:
        return Groups.of(self.host, len(self.cores))

    @cached_property
    def pools_shared(self) -> Groups:
        return Groups.of(self.pool, len(self.disks))


@dataclass(frozen=True, slots=True, kw_only=True)
class Disturbance:
    """What a storm is.

    Attributes:
        login_s: within which all users log in, evenly.
        login_actions: work of a login in actions.
        activity: actions over the usual number while `active_s` lasts, from the start on.
    """

    login_s: float
    login_actions: float
    activity: float = 1.0
    active_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Transient:
    """How it went, t moments, b variants, n servers.

    Attributes:
        time_s: (t,).
        offline: users that have not logged in yet; `waiting`: those in a login or an action,
            (t, b, n).
        action_s, login_s: how long the actions and logins took that end at that moment, (t, b, n).
        settled_s: how long an action takes when nothing disturbs, (b, n).
        over: whether it ended before the horizon did, (b,).
    """

    time_s: FloatArray
    offline: FloatArray
    waiting: FloatArray
    action_s: FloatArray
    login_s: FloatArray
    settled_s: FloatArray
    over: np.ndarray

    @property
    def peak_s(self) -> FloatArray:
        """Longest that an action takes, (b, n)."""
        longest: FloatArray = self.action_s.max(axis=0)
        return longest

    @property
    def peak_at_s(self) -> FloatArray:
        """When that is, (b, n)."""
        return np.asarray(self.time_s[self.action_s.argmax(axis=0)])

    @property
    def peak_waiting(self) -> FloatArray:
        """Most users that wait at once, (b, n)."""
        most: FloatArray = self.waiting.max(axis=0)
        return most

    @property
    def drained_s(self) -> FloatArray:
        """When the last of the excess over `settled_s` but `DRAINED` of its peak is gone, (b, n).

        Infinite where it was not over at the end, 0 where nobody noticed any (`NOTICED`).
        """
        return drained_at(self.time_s, self.action_s, self.settled_s)


def drained_at(time_s: FloatArray, action_s: FloatArray, settled_s: FloatArray) -> FloatArray:
    """Moment after which actions take at most 5 % of the peak's excess longer [s], (b, n).

    The last t with R(t) − R > max(0.05·(peak − R), 0.01·R), read off in a straight line between
    two moments; infinite where that is the end, 0 where nobody noticed any excess. Valid for an
    excess that falls in the end. Source: both thresholds are stated (`DRAINED`, `NOTICED`).

    Actions of 1 s take 11 s at 1 s, 6 s at 2 s and 1 s at 3 s: 0.5 s of 5 are left at 2.9 s.

    >>> took = np.array([1.0, 11.0, 6.0, 1.0, 1.0])[:, None, None]
    >>> drained_at(np.arange(5.0), took, np.ones((1, 1))).round(3).tolist()
    [[2.9]]
    """
    excess = action_s - settled_s
    limit = np.maximum(DRAINED * excess.max(axis=0), NOTICED * settled_s)
    late = excess > limit
    last = len(time_s) - 1 - late[::-1].argmax(axis=0)
    after = np.minimum(last + 1, len(time_s) - 1)
    rows = np.indices(last.shape)
    one, two = excess[last, *rows], excess[after, *rows]
    share = np.where(one > two, (one - limit) / np.where(one > two, one - two, 1.0), 0.0)
    between = time_s[last] + np.clip(share, 0.0, 1.0) * (time_s[after] - time_s[last])
    found = np.where(late.any(axis=0), between, 0.0)
    return np.where(late[-1], np.inf, found)


def run_storm(
    network: ClosedNetwork,
    storm: Disturbance,
    *,
    horizon_s: float,
    check: Callable[[], None] = lambda: None,
    only: int | None = None,
) -> Transient:
    """Let the storm go over the network until it has drained, or to the horizon.

    Args:
        check: called at every step of time; may raise to give up.
        only: the server whose course is kept, n being 1 then; None: that of each.
    """
    kept = np.s_[:] if only is None else np.s_[only : only + 1]
    state = _State.settled(network)
    settled = state.took_s()[ACTION]
    state.disconnect(network)
    moments, time = [], 0.0
    busy_until = max(storm.login_s, storm.active_s)
    peak = settled.copy()
    over = np.zeros(len(network.vcpus), dtype=np.bool_)
    for step in _steps(storm, network.think_s, horizon_s):
        check()
        state.advance(
            network,
            storm,
            step,
            arriving_share=_arriving(time, step, storm.login_s),
            activity=storm.activity if time < storm.active_s else 1.0,
        )
        time += step
        login, action = state.took_s()
        peak = np.maximum(peak, action)
        course = (state.offline, state.waiting(), action, login)
        moments.append((time, *(each[:, kept].copy() for each in course)))
        calm = action - settled <= np.maximum(CALM * (peak - settled), NOTICED / 2 * settled)
        calm &= state.logging_in() <= CALM * network.users
        over = np.asarray(calm.all(axis=1) & (time >= busy_until))
        if over.all():
            break
    columns = [np.array(column) for column in zip(*moments, strict=True)]
    return Transient(
        time_s=columns[0],
        offline=columns[1],
        waiting=columns[2],
        action_s=columns[3],
        login_s=columns[4],
        settled_s=settled[:, kept],
        over=over,
    )


def _arriving(time: float, step: float, login_s: float) -> float:
    """Share of those still offline who log in during a step."""
    left = login_s - time
    return 1.0 if step >= left else step / left


def _steps(storm: Disturbance, think_s: float, horizon_s: float) -> Iterator[float]:
    """Steps of time: even while the storm lasts, then ever coarser.

    Of a stretch of more activity that takes longer than `MOST_EVEN` of them, these are even; the
    steps grow up to its end, as long as nobody acts twice in one, and from there on anew.

    >>> day = Disturbance(login_s=60.0, login_actions=5.0, activity=1.5, active_s=86_400.0)
    >>> steps = list(_steps(day, 80.0, 90_000.0))
    >>> len(steps), max(steps)
    (13681, 30.0)
    """
    first, busy_until = (
        float(np.clip(storm.login_s / STEPS_OF_WINDOW, FINEST_S, COARSEST_S)),
        max(storm.login_s, storm.active_s),
    )
    even_until = min(busy_until, max(storm.login_s, MOST_EVEN * first))
    once = max(first, think_s / storm.activity)
    time, step = 0.0, first
    while time < horizon_s:
        if even_until < time < busy_until:
            step = min(step, once, busy_until - time)
        yield step
        before, time = time, time + step
        if even_until < before < busy_until <= time:
            step = first
        elif time > even_until:
            step = min(step * GROWTH, COARSEST_S)


@dataclass(slots=True, eq=False)
class _State:
    """Users of each class by place: `cpu`, `disk` (2, b, n); `offline`, `thinking` (b, n).

    `cpu_age`, `disk_age`: how long those in CPU and disk have been under way, in sum, (2, b, n):
    whoever finishes took as long as the average of those who are there. `least_s`: what an action
    takes without any waiting. `speed`: what the hosts' cores left of the vCPUs' rate, (b, n).
    `returning`: users who came back to thinking in a second of the last step, (b, n). `cpu_crowd`,
    `disk_crowd`: where the search for the shares of vCPUs and of pools ended last.
    """

    offline: FloatArray
    thinking: FloatArray
    cpu: FloatArray
    disk: FloatArray
    cpu_age: FloatArray
    disk_age: FloatArray
    least_s: FloatArray
    speed: FloatArray
    returning: FloatArray
    cpu_crowd: FloatArray | None = None
    disk_crowd: FloatArray | None = None

    @classmethod
    def settled(cls, network: ClosedNetwork) -> _State:
        """As it stands when nothing disturbs."""
        shape = network.vcpus.shape
        users = np.broadcast_to(network.users, shape).copy()
        nothing = np.zeros((2, *shape))
        least = np.broadcast_to(network.cpu_s + network.disk_s, (2, *shape)).copy()
        state = cls(
            offline=np.zeros(shape),
            thinking=users,
            cpu=nothing,
            disk=nothing.copy(),
            cpu_age=nothing.copy(),
            disk_age=nothing.copy(),
            least_s=least,
            speed=np.ones(shape),
            returning=np.zeros(shape),
        )
        calm = Disturbance(login_s=0.0, login_actions=1.0)
        for _ in range(SETTLING_STEPS):
            before = state.thinking
            step = SETTLING_SHARE * network.think_s
            state.advance(network, calm, step, arriving_share=0.0, activity=1.0)
            if np.abs(state.thinking - before).max(initial=0.0) < 1e-6:
                break
        return state

    def disconnect(self, network: ClosedNetwork) -> None:
        """Everybody is off."""
        self.offline = np.broadcast_to(network.users, self.offline.shape).copy()
        self.thinking, self.returning = np.zeros_like(self.thinking), np.zeros_like(self.thinking)
        self.cpu, self.disk = np.zeros_like(self.cpu), np.zeros_like(self.disk)
        self.cpu_age, self.disk_age = np.zeros_like(self.cpu), np.zeros_like(self.disk)

    def advance(
        self,
        network: ClosedNetwork,
        storm: Disturbance,
        step_s: float,
        *,
        arriving_share: float,
        activity: float,
    ) -> None:
        """One step on: log in, act, and think again.

        Args:
            arriving_share: of those who are offline.
            activity: actions over the usual number.
        """
        work = np.array([max(storm.login_actions, 1e-6), 1.0])[:, None, None]
        cpu_s, disk_s = network.cpu_s * work, network.disk_s * work
        arriving = self.offline * arriving_share
        rate = activity * step_s / network.think_s
        # Who comes back within the step acts in it too; how many is foreseen from the last one.
        there = self.thinking + self.returning * step_s
        acting = np.minimum(there * rate / (1 + rate), self.thinking)
        ready = self.cpu + np.array([arriving, acting])
        served = np.broadcast_to(cpu_s, ready.shape)
        share, self.cpu_crowd = share_per_job(
            ready, served, network.vcpus, step_s, self.speed, start=self.cpu_crowd
        )
        left = 1 + step_s * share / cpu_s
        self.cpu = ready / left
        self.cpu_age = (self.cpu_age + step_s * self.cpu) / left
        at_disk = self.disk + (ready - self.cpu)
        pace = step_s * self._disk_share(network, at_disk, disk_s, step_s) / disk_s
        self.disk = at_disk / (1 + pace)
        come = (left - 1) * self.cpu_age
        self.disk_age = (self.disk_age + come + step_s * self.disk) / (1 + pace)
        self.least_s = np.broadcast_to(cpu_s + disk_s, ready.shape)
        self.offline = self.offline - arriving
        returned = (at_disk - self.disk).sum(axis=0)
        self.thinking, self.returning = self.thinking - acting + returned, returned / step_s
        self.speed = self._speed(network)

    def waiting(self) -> FloatArray:
        """Users in a login or an action, (b, n)."""
        found: FloatArray = (self.cpu + self.disk).sum(axis=0)
        return found

    def logging_in(self) -> FloatArray:
        """Users in a login, (b, n)."""
        return np.asarray(self.cpu[LOGIN] + self.disk[LOGIN])

    def took_s(self) -> FloatArray:
        """How long the logins and actions took that end now, (2, b, n)."""
        there = self.disk > 1e-12
        took = np.where(there, self.disk_age / np.where(there, self.disk, 1.0), self.least_s)
        return np.asarray(np.maximum(took, self.least_s))

    def _disk_share(
        self, network: ClosedNetwork, ready: FloatArray, disk_s: FloatArray, step_s: float
    ) -> FloatArray:
        """Drives that each job gets: all who name a pool share them, (b, n)."""
        batch = len(network.vcpus)
        drives = np.broadcast_to(network.disks, (batch, len(network.disks)))
        found, self.disk_crowd = share_per_job(
            ready,
            disk_s,
            drives,
            step_s,
            np.ones(drives.shape),
            network.pools_shared,
            start=self.disk_crowd,
        )
        return network.pools_shared.each(found, 1.0)

    def _speed(self, network: ClosedNetwork) -> FloatArray:
        """Share of the vCPUs' rate that the cores of each host leave, (b, n)."""
        busy = np.minimum(self.cpu.sum(axis=0), network.vcpus)
        asked = network.hosts_shared.sums(busy)
        left = np.minimum(1.0, network.cores / np.maximum(asked, 1e-12))
        return network.hosts_shared.each(left, 1.0)

"""The network of queues that a scenario is, for given throughputs of what nobody waits for.

A closed class for each server with a response; queues for its virtual CPUs, for the cores of its
host where they are fewer than the virtual CPUs there, and for every drive of its pool; a delay for
what is left of an idle response. Open classes keep stations busy without being waited for: one
follows the throughputs (writes that a cache acknowledged, CPU beyond an action, servers that are
like one in the network), one is what has no response.

It is solved together with what follows its throughputs: the more is written, the less gets through,
and they meet once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray
from models.physics.columns import sum_by
from models.queueing.network import CustomerClass, Network, Station
from models.queueing.solve import Method, Solution, solve
from models.second_opinion.demands import Demands

MOST_QUEUES = 256
"""Queues of a pool: of more drives several share a queue."""

NEXT_TO_NOTHING = 1e-9
"""Load [servers] that is left out."""

FOLLOWING, OTHERS = "writes and work beside actions", "VMs without a response"
REST = "rest of an idle response"


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A station, or several that are like each other, as drives of a pool are.

    Attributes:
        name: of the station; several are numbered.
        kind: what it stands for: ``vcpus``, ``cores``, ``drives`` or ``rest``.
        count, servers: stations, and servers of each; 0 servers for a delay.
        visits, service_s: of an action of each class at all of them together, and per visit, (r,).
        following_s: work there per action of each class that no response waits for [s], (r,).
        others: servers of them all that VMs without a response keep busy.
    """

    name: str
    kind: str
    count: int
    servers: int
    visits: FloatArray
    service_s: FloatArray
    following_s: FloatArray
    others: float

    @property
    def demand_s(self) -> FloatArray:
        return self.visits * self.service_s


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The network but for its open load.

    Attributes:
        rows: the VM of each class, (r,); `stands_for` how many servers are like it, it included.
        names: of the classes; `population`, `think_s` likewise, (r,).
        twice: classes whose virtual CPU holds a core: an action is at both at once, and what it
            takes stands at both stations, once for think time, (r,).
        width: by how much demands of servers in one class differ [1].
    """

    rows: IntArray
    stands_for: IntArray
    names: tuple[str, ...]
    population: FloatArray
    think_s: FloatArray
    cpu_s: FloatArray
    twice: BoolArray
    places: tuple[Place, ...]
    width: float

    def network(self, throughput: FloatArray) -> Network:
        """The network in which what nobody waits for comes at these throughputs [1/s], (r,)."""
        rate = float(throughput.sum())
        classes = [
            CustomerClass(name, int(count), float(think))
            for name, count, think in zip(self.names, self.population, self.think_s, strict=True)
        ]
        following = [float(throughput @ place.following_s) for place in self.places]
        others = [place.others for place in self.places]
        beside = [
            (name, loads)
            for name, loads in ((FOLLOWING, following), (OTHERS, others))
            if max(loads, default=0.0) > NEXT_TO_NOTHING
        ]
        classes += [CustomerClass(name, arrival_rate=rate) for name, _ in beside]
        stations = []
        for m, place in enumerate(self.places):
            loads = [each[m] for _, each in beside]
            opened = tuple(b / rate / place.count if b > NEXT_TO_NOTHING else 0.0 for b in loads)
            stations += _stations(place, opened)
        return Network(tuple(classes), tuple(stations))

    def of_places(self, per_station: FloatArray) -> FloatArray:
        """Sums of a measure over the stations of each place, (places, classes)."""
        first = np.cumsum([0, *(place.count for place in self.places[:-1])])
        return np.add.reduceat(per_station, first, axis=0)[:, : len(self.rows)]


def _stations(place: Place, opened: tuple[float, ...]) -> list[Station]:
    visits = (*(place.visits / place.count), *(float(each > 0) for each in opened))
    service = (*place.service_s, *opened)
    return [
        Station(
            place.name if place.count == 1 else f"{place.name} {number + 1}",
            "queue" if place.servers else "delay",
            tuple(map(float, visits)),
            tuple(map(float, service)),
            max(place.servers, 1),
        )
        for number in range(place.count)
    ]


@dataclass(frozen=True, slots=True)
class Names:
    """What people call VMs, hosts and pools, in the order of the arrays."""

    vms: tuple[str, ...]
    hosts: tuple[str, ...]
    pools: tuple[str, ...]


def plan_of(asks: Demands, group: IntArray, width: float, names: Names) -> Plan:
    """The network of the first server of each group; the others load what they share with it."""
    first = np.unique(group, return_index=True)[1]
    stands_for = np.bincount(group)
    twice = asks.contended[asks.host[first]]
    builder = _Builder(asks, group, first)
    places = [builder.vcpus(r, f"vCPUs of {names.vms[asks.rows[j]]}") for r, j in enumerate(first)]
    hosts = {int(asks.host[j]) for j in first if asks.contended[asks.host[j]]}
    places += [builder.cores(host, f"cores of {names.hosts[host]}") for host in sorted(hosts)]
    pools = {int(asks.pool[j]) for j in first if asks.drive_s[j] > 0}
    places += [builder.drives(pool, f"{names.pools[pool]}, drive") for pool in sorted(pools)]
    ones = np.ones(len(first))
    places.append(Place(REST, "rest", 1, 0, ones, asks.rest_s[first], 0 * ones, 0.0))
    return Plan(
        rows=asks.rows[first],
        stands_for=np.asarray(stands_for, dtype=np.int64),
        names=tuple(names.vms[row] for row in asks.rows[first]),
        population=asks.users[first],
        think_s=asks.think_s - np.where(twice, asks.cpu_s[first], 0.0),
        cpu_s=asks.cpu_s[first],
        twice=twice,
        places=tuple(places),
        width=width,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Builder:
    """Places, from the demands of all servers and the first of each group."""

    asks: Demands
    group: IntArray
    first: IntArray

    def vcpus(self, r: int, name: str) -> Place:
        asks, j = self.asks, self.first[r]
        only = np.zeros(len(self.first))
        only[r] = 1.0
        cpu, more = asks.cpu_s[self.first], asks.cpu_more_s[self.first]
        return Place(name, "vcpus", 1, int(asks.vcpus[j]), only, cpu * only, more * only, 0.0)

    def cores(self, host: int, name: str) -> Place:
        asks = self.asks
        here = (asks.host[self.first] == host).astype(np.float64)
        cpu = asks.cpu_s[self.first]
        following = self._following(asks.host == host, asks.cpu_s, asks.cpu_more_s)
        servers, others = int(asks.cores[host]), float(asks.others_cores[host])
        return Place(name, "cores", 1, servers, here, cpu * here, following, others)

    def drives(self, pool: int, name: str) -> Place:
        asks = self.asks
        drives = int(asks.drives[pool])
        servers = math.ceil(drives / MOST_QUEUES)
        count = math.ceil(drives / servers)
        longer = count * servers / drives
        here = asks.pool[self.first] == pool
        misses = np.where(here, asks.misses[self.first], 0.0)
        each = np.where(misses > 0, asks.drive_s[self.first] / np.fmax(misses, 1e-12), 0.0)
        following = self._following(asks.pool == pool, asks.drive_s, asks.drive_more_s)
        others = float(asks.others_drives[pool])
        return Place(
            name, "drives", count, servers, misses, longer * each, longer * following,
            longer * others,
        )  # fmt: skip

    def _following(self, here: BoolArray, action: FloatArray, more: FloatArray) -> FloatArray:
        """Work per action of each class here that nobody in the network waits for [s], (r,).

        Of its own server what is beyond an action, of the others like it all that they do.
        """
        asks, group = self.asks, self.group
        likewise = np.ones(len(group), dtype=np.bool_)
        likewise[self.first] = False
        work = (more + np.where(likewise, action, 0.0)) * asks.users
        total = sum_by(np.where(here, group, -1), work, len(self.first))
        return np.asarray(total / asks.users[self.first])


ROUGH_ROUNDS, ROUNDS = 60, 8
ROUGH_ENOUGH, ENOUGH = 1e-9, 1e-7
"""Relative differences of throughputs, found and taken, that end the search."""

MOST_BESIDE = 0.9995
"""Load of a station by what nobody waits for, at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """A network, its solution, and how far the throughputs are from those that it was made for."""

    network: Network
    solution: Solution
    mismatch: float


def solved(plan: Plan, tick: Callable[[float], None] = lambda _share: None) -> Solved:
    """The network of a plan, in which open load and throughputs agree.

    By the fast approximation first, then by the best method that is affordable. Each class has a
    secant of its own: what gets through falls with what is taken to get through.

    Args:
        tick: told the share that is done, between two solutions; what it raises ends the search.
    """
    taken = _at_most(plan)
    taken, _ = _met(plan, taken, "fast", ROUGH_ROUNDS, ROUGH_ENOUGH, lambda n: tick(0.3 * n))
    _, found = _met(plan, taken, "auto", ROUNDS, ENOUGH, lambda n: tick(0.3 + 0.7 * n))
    return found


def _met(
    plan: Plan,
    taken: FloatArray,
    method: Method,
    rounds: int,
    enough: float,
    tick: Callable[[float], None],
) -> tuple[FloatArray, Solved]:
    step = np.full(len(taken), 0.5)
    before: tuple[FloatArray, FloatArray] | None = None
    best: tuple[FloatArray, Solved] | None = None
    for number in range(rounds):
        tick(number / rounds)
        network = plan.network(taken)
        solution = solve(network, method)
        there = solution.throughput[: len(taken)]
        missing = there - taken
        found = Solved(network, solution, float(np.max(np.abs(missing) / there)))
        if best is None or found.mismatch < best[1].mismatch:
            best = taken, found
        if found.mismatch < enough:
            break
        if before is not None:
            moved = taken - before[0]
            slope = np.divide(missing - before[1], moved, out=-1.0 / step, where=np.abs(moved) > 0)
            step = np.clip(-1.0 / np.minimum(slope, -1e-9), 1e-3, 1.0)
        before = taken, missing
        taken = _affordable(plan, np.maximum(taken + step * missing, 1e-3 * taken))
    assert best is not None
    return best


def _at_most(plan: Plan) -> FloatArray:
    """Throughputs that nobody exceeds who doesn't wait, and that no station is too slow for."""
    idle = sum((place.demand_s for place in plan.places), np.zeros(len(plan.rows)))
    throughput = plan.population / (plan.think_s + idle)
    share = np.ones(len(throughput))
    for place in plan.places:
        if not place.servers:
            continue
        each = throughput * (place.demand_s + place.following_s)
        room = 0.999 * place.count * place.servers - place.others
        if each.sum() > room:
            share = np.where(each > 0, np.minimum(share, room / each.sum()), share)
    return _affordable(plan, share * throughput)


def _affordable(plan: Plan, throughput: FloatArray) -> FloatArray:
    """The same, less where what nobody waits for would fill a station."""
    for place in plan.places:
        most = MOST_BESIDE * place.count * place.servers - place.others
        each = throughput * place.following_s
        if place.servers and each.sum() > most:
            throughput = np.where(each > 0, throughput * most / each.sum(), throughput)
    return throughput

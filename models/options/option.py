"""What a search finds: designs, what each of them is best at, and what was left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from models.base.texts import Text, say
from models.catalog.catalog import Hypervisor, Server
from models.options.purchasable import Refused, Storage
from models.options.requirement import Requirement, Units
from models.options.vm_plans import VmPlan
from models.predict.prediction import Prediction
from models.prices.cost import Cost
from models.prices.licences import licensed_cores
from models.scenario.scenario import Scenario

FEWEST_HOSTS, MOST_HEADROOM = "fewest hosts", "most headroom"
LEAST_UNITS, LEAST_COST = "least units", "least cost"
NAMES = {
    FEWEST_HOSTS: say("fewest hosts"),
    MOST_HEADROOM: say("most headroom"),
    LEAST_UNITS: say("least units"),
    LEAST_COST: say("least cost"),
}


@dataclass(frozen=True, slots=True)
class Stand:
    """So many like hosts with so much memory for a plan."""

    server: Server
    hypervisor: Hypervisor
    plan: VmPlan
    hosts: int
    ram_gib: float


@dataclass(frozen=True, slots=True)
class Disks:
    """So many drives for a plan, in each of so many pools.

    Attributes:
        most_left: what is left of space and I/Os with as many drives as the array takes [%].
    """

    storage: Storage
    each: int
    pools: int = 1
    most_left: float = 100.0

    @property
    def drives(self) -> int:
        return self.each * self.pools


@dataclass(frozen=True, slots=True)
class Holds:
    """What breaks with one host less, the next smaller memory, and one drive less."""

    hosts: Text
    ram_gib: Text
    drives: Text


@dataclass(frozen=True, slots=True, eq=False)
class Lacking:
    """What does not hold: why, and the prediction that says so."""

    reason: Text
    end: Prediction


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """A design that fits today and at the end of the planned years.

    Attributes:
        holds: why there is no less of it; None for one that isn't named.
        names: what it is best at: ``fewest hosts``, ``most headroom``, and ``least units``, or
            ``least cost`` where money ranks.
        headroom: what is left of each limit at the end of the growth [%]; None without data.
        units: by the requirement's own weights.
        order: what it is ranked by, the least first: its units, or its cost over the years.
        cost: by the price book, where there is one.
        runs_out: resource and month of what passes its limit first; None: nothing in sight.
    """

    scenario: Scenario
    stand: Stand
    disks: Disks
    today: Prediction
    end: Prediction
    units: float
    order: float
    names: tuple[str, ...] = ()
    runs_out: tuple[str, float] | None = None
    holds: Holds | None = None
    cost: Cost | None = None

    @property
    def storage(self) -> Storage:
        return self.disks.storage

    @property
    def plan(self) -> VmPlan:
        return self.stand.plan

    @property
    def server(self) -> str:
        return self.scenario.hosts[0].server

    @property
    def hosts(self) -> int:
        return len(self.scenario.hosts)

    @property
    def drives(self) -> int:
        return sum(pool.spindles for pool in self.scenario.pools)

    @property
    def licensed_cores(self) -> int | None:
        """Of the hypervisors, by the makers' rules; None where there is none."""
        least = self.stand.hypervisor.licensed_cores
        return None if least is None else self.hosts * licensed_cores(self.stand.server, least)

    @property
    def headroom(self) -> dict[str, float | None]:
        return headroom_of(self.end, self.scenario)

    @property
    def least_headroom(self) -> float:
        """What is left at the resource that is nearest to its limit [%]."""
        return least_of(self.headroom)

    @property
    def tightest(self) -> str | None:
        """The resource that is nearest to its limit; None where nothing is known."""
        known = {name: left for name, left in self.headroom.items() if left is not None}
        return min(known, key=lambda name: known[name], default=None)


@dataclass(frozen=True, slots=True, eq=False)
class Options:
    """All that was found: `considered` combinations, those that fit, by `order`, and the others;
    `by_cost`: that is money; `is_cut`: as many as were wanted, more may fit."""

    requirement: Requirement
    considered: int
    options: tuple[Option, ...]
    refused: tuple[Refused, ...]
    by_cost: bool = False
    is_cut: bool = False

    @property
    def is_priced(self) -> bool:
        """Whether a price book was there."""
        return any(each.cost is not None for each in self.options)

    def named(self, name: str) -> Option | None:
        return next((each for each in self.options if name in each.names), None)


@dataclass(frozen=True, slots=True)
class Measure:
    """What is weighed against headroom: `of` an option, None where it isn't known."""

    name: Text
    of: Callable[[Option], float | None]


def _total(option: Option) -> float | None:
    cost = option.cost
    return None if cost is None or cost.lacks_hardware else float(cost.total)


UNITS = Measure(say("units"), attrgetter("units"))
COST = Measure(say("cost"), _total)


def front_of(options: Sequence[Option], measure: Measure = UNITS) -> tuple[Option, ...]:
    """Options of which no other has as little of a measure and as much headroom, by the measure."""
    weighed = [(value, each) for each in options if (value := measure.of(each)) is not None]
    best, found = -1.0, list[Option]()
    for _, each in sorted(weighed, key=lambda pair: (pair[0], -pair[1].least_headroom)):
        if each.least_headroom > best:
            best = each.least_headroom
            found.append(each)
    return tuple(found)


def headroom_of(end: Prediction, scenario: Scenario) -> dict[str, float | None]:
    """What is left of each limit [%]; None without data."""
    left = end.headroom
    full = [end.pools.quantity(id, "capacity_pct").value for id in end.pools.ids]
    space = max((each for each in full if each is not None), default=None)
    limit = scenario.policy.capacity_limit_pct
    return {
        "cpu": left.cpu_pct,
        "ram": left.ram_pct,
        "iops": left.iops_pct,
        "space": None if space is None else 100.0 * (1.0 - space / limit),
        "failure": left.failure_pct,
    }


def least_of(headroom: dict[str, float | None]) -> float:
    """Of the resource that is nearest to its limit [%]; 0 where nothing is known."""
    return min((each for each in headroom.values() if each is not None), default=0.0)


def units_of(units: Units, hosts: int, cores: int, ram_gib: float, drives: int) -> float:
    """Hosts, their cores and memory, and drives in the requirement's own units.

    >>> units_of(Units(), 2, 64, 512.0, 24)
    67.84
    """
    each = units.host + units.core * cores + units.gib * ram_gib
    return round(hosts * each + units.drive * drives, 6)


def of_each(refused: Sequence[Refused]) -> tuple[Refused, ...]:
    """One line for each machine or combination, the last reason of it."""
    return tuple({(each.server, each.array): each for each in refused}.values())

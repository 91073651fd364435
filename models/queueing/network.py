"""A queueing network as a value: classes of customers and stations."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from models.base.errors import ModelError
from models.base.texts import Numeral, say

StationKind = Literal["queue", "delay"]

MOST_SERVERS = 10_000
MOST_CUSTOMERS = 10**9


@dataclass(frozen=True, slots=True)
class CustomerClass:
    """A class of customers: closed with a population, or open with an arrival rate.

    Attributes:
        name: shown to people.
        population: customers N of a closed class; None for an open one.
        think_time: time between a response and the next request Z [s]; closed classes only.
        arrival_rate: arrivals λ [1/s] of an open class; None for a closed one.
    """

    name: str
    population: int | None = None
    think_time: float = 0.0
    arrival_rate: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether customers come from outside and leave."""
        return self.arrival_rate is not None


@dataclass(frozen=True, slots=True)
class Station:
    """A place where customers are served.

    Attributes:
        name: shown to people.
        kind: "queue", or "delay" where nobody waits.
        servers: number of servers c of a queue; without meaning for a delay.
        visits: visits of one job, per class.
        service: service time per visit [s], per class.
    """

    name: str
    kind: StationKind
    visits: tuple[float, ...]
    service: tuple[float, ...]
    servers: int = 1


@dataclass(frozen=True, slots=True)
class Network:
    """Classes and stations of a closed, open or mixed network.

    Queues are product-form stations: processor sharing with any service times, or first come
    first served with one exponential service time. Where service times of classes differ at a
    first-come-first-served station, product form does not hold and the answers are those of
    processor sharing.

    Raises:
        ModelError: with the path of the offending field.
    """

    classes: tuple[CustomerClass, ...]
    stations: tuple[Station, ...] = field(default=())

    def __post_init__(self) -> None:
        if not self.classes:
            raise ModelError(say("at least one class is needed"), field="classes")
        if not self.stations:
            raise ModelError(say("at least one station is needed"), field="stations")
        for r, customer_class in enumerate(self.classes):
            _check_class(customer_class, f"classes[{r}]")
        for m, station in enumerate(self.stations):
            _check_station(station, f"stations[{m}]", len(self.classes))
        for r, customer_class in enumerate(self.classes):
            self._check_cycle(r, customer_class)

    def _check_cycle(self, r: int, customer_class: CustomerClass) -> None:
        if customer_class.is_open or not customer_class.population:
            return
        demand = sum(station.visits[r] * station.service[r] for station in self.stations)
        if demand + customer_class.think_time <= 0:
            reason = "must be > 0 where no station has a demand for the class"
            raise ModelError(reason, field=f"classes[{r}].think_time")


def _check_class(customer_class: CustomerClass, path: str) -> None:
    population, rate = customer_class.population, customer_class.arrival_rate
    if population is None and rate is None:
        raise ModelError(say("either population or arrival_rate is needed"), field=path)
    if population is not None and rate is not None:
        raise ModelError(say("population and arrival_rate exclude each other"), field=path)
    _check_number(customer_class.think_time, f"{path}.think_time")
    if rate is not None:
        _check_number(rate, f"{path}.arrival_rate")
        if customer_class.think_time:
            raise ModelError(say("only a closed class has one"), field=f"{path}.think_time")
    if population is not None:
        _check_count(population, 0, MOST_CUSTOMERS, f"{path}.population")


def _check_station(station: Station, path: str, classes: int) -> None:
    if station.kind not in {"queue", "delay"}:
        raise ModelError(say("must be queue or delay"), field=f"{path}.type")
    _check_count(station.servers, 1, MOST_SERVERS, f"{path}.servers")
    for key, values in (("visits", station.visits), ("service", station.service)):
        if len(values) != classes:
            reason = f"must have one number per class ({classes}), has {len(values)}"
            raise ModelError(reason, field=f"{path}.{key}")
        for r, value in enumerate(values):
            _check_number(value, f"{path}.{key}[{r}]")


def _check_number(value: float, path: str) -> None:
    if not math.isfinite(value):
        raise ModelError(say("must be a finite number"), field=path)
    if value < 0:
        raise ModelError(say("must be ≥ 0"), field=path)
    if value > 1e12 or 0 < value < 1e-12:
        raise ModelError(say("must be 0 or between 1e-12 and 1e12"), field=path)


def _check_count(value: int, least: int, most: int, path: str) -> None:
    if value != int(value):
        raise ModelError(say("must be a whole number"), field=path)
    if value < least:
        raise ModelError(say("must be ≥ {least}", least=Numeral(f"{least}")), field=path)
    if value > most:
        raise ModelError(say("must be ≤ {most}", most=Numeral(f"{most:,}")), field=path)

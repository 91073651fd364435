"""Designs by money: a price book, and whether it ranks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from models.catalog.catalog import Catalog
from models.prices.book import HARDWARE, PriceBook
from models.prices.cost import Cost, cost_of
from models.scenario.scenario import Scenario

LACKING = 1e12
"""What a missing price of hardware weighs: more than any sum, as `Cost.rank` has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyRank:
    """A price book by which the designs of a requirement are told.

    Attributes:
        by_cost: it ranks them, too.
        years: as `cost_of` has it.
    """

    book: PriceBook
    catalog: Catalog
    by_cost: bool = True
    years: int | None = None

    def cost_of(self, scenario: Scenario) -> Cost:
        return cost_of(scenario, self.catalog, self.book, self.years)

    def of_hosts(self, scenario: Scenario) -> float:
        """What all of a design but its storage costs over the years; infinite where hardware has no
        price, which can't be compared."""
        return _sum(self.cost_of(scenario), of_storage=False)

    def of_storage(self, scenario: Scenario) -> float:
        """The same of its storage."""
        alone = replace(scenario, hosts=(), vms=(), clusters=())
        return _sum(self.cost_of(alone), of_storage=True)


def _sum(cost: Cost, *, of_storage: bool) -> float:
    lacking = [m for m in cost.missing if m.article in HARDWARE and m.of_storage == of_storage]
    lines = [line for line in cost.lines if line.position.of_storage == of_storage]
    return len(lacking) * LACKING + float(sum(line.once + line.yearly for line in lines))

"""The cost of a design over years: what is bought when, what is paid each year, and what has no
price."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from models.base.texts import Text, say
from models.catalog.catalog import Catalog
from models.prices.book import HARDWARE, Article, Price, PriceBook, alternatives_of, cents, total
from models.prices.positions import Position, positions
from models.scenario.growth import grown
from models.scenario.scenario import Growth, Scenario

USUAL_YEARS, MOST_YEARS = 5, 30
"""Of a sum of costs where neither plan nor anybody says how long."""
NONE = Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One article in one year, from 1.

    Attributes:
        bought: how many are bought in this year; `kept`: how many are paid for each year.
        price: None: there is none.
    """

    year: int
    position: Position
    bought: Decimal
    kept: Decimal
    price: Price | None

    @property
    def once(self) -> Decimal:
        return _amount(self.bought, self.price.once if self.price else None)

    @property
    def yearly(self) -> Decimal:
        return _amount(self.kept, self.price.yearly if self.price else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """What has no price, or of which it isn't known how much there is."""

    article: Article
    what: Text | str
    why: Text | str
    of_storage: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a design costs, in the currency of its book.

    Attributes:
        lines: of the first year every article, of the others what costs anything.
        missing: what is not in the sums; then these are the least that it costs.
    """

    book: PriceBook
    years: int
    lines: tuple[Line, ...]
    missing: tuple[Missing, ...]

    @property
    def capex(self) -> Decimal:
        """What is bought at the beginning."""
        return self.once_in(1)

    @property
    def first_year(self) -> Decimal:
        """What is paid for the first year besides."""
        return self.yearly_in(1)

    @property
    def total(self) -> Decimal:
        return total(line.once + line.yearly for line in self.lines)

    @property
    def at_least(self) -> bool:
        return bool(self.missing)

    @property
    def lacks_hardware(self) -> int:
        """How many articles of hardware have no price: such sums can't be compared."""
        return sum(each.article in HARDWARE for each in self.missing)

    @property
    def rank(self) -> tuple[int, Decimal, Decimal]:
        """By money, the least first; what lacks a price of hardware stands behind."""
        return self.lacks_hardware, self.total, self.capex

    def once_in(self, year: int) -> Decimal:
        return total(line.once for line in self.lines if line.year == year)

    def yearly_in(self, year: int) -> Decimal:
        return total(line.yearly for line in self.lines if line.year == year)


def years_of(growth: Growth, years: int | None = None) -> int:
    """For how many years costs are summed: as asked, else as planned, else five.

    >>> years_of(Growth(years=2.5)), years_of(Growth()), years_of(Growth(years=3.0), 7)
    (3, 5, 7)
    """
    return years or min(ceil(growth.years), MOST_YEARS) or USUAL_YEARS


def cost_of(
    scenario: Scenario, catalog: Catalog, book: PriceBook, years: int | None = None
) -> Cost:
    """The cost of a design.

    Hosts and drives are bought at the beginning; licences by users and backup by space grow with
    the plan and are bought in the year in which they are needed. Each line is rounded to the cent,
    so that sums are those of a spreadsheet.
    """
    count = years_of(scenario.growth, years)
    plan = scenario.growth
    grows = any((plan.users_pct, plan.mail_pct, plan.load_pct))
    first = positions(scenario, catalog, book)
    by_year = [first] + [
        positions(grown(scenario, float(year)), catalog, book) if grows else first
        for year in range(1, count)
    ]
    series = [_lines([each[place] for each in by_year], book) for place in range(len(first))]
    chosen = _cheapest(series)
    lines = [line for each in chosen for line in each]
    lines.sort(key=lambda line: line.year)
    return Cost(
        book=book,
        years=count,
        lines=tuple(each for each in lines if each.year == 1 or each.once or each.yearly),
        missing=tuple(_missing(each[0]) for each in chosen if _lacks(each[0])),
    )


def bought_more(
    before: Scenario, after: Scenario, catalog: Catalog, book: PriceBook
) -> Decimal | None:
    """What is bought at the beginning for one design more than for another; None where hardware
    that makes the difference has no price."""
    more, at_least = least_more(before, after, catalog, book)
    return None if at_least else more


def least_more(
    before: Scenario, after: Scenario, catalog: Catalog, book: PriceBook
) -> tuple[Decimal, bool]:
    """The same as far as there are prices, and whether hardware without one is part of it."""
    costs = [cost_of(each, catalog, book, 1) for each in (before, after)]
    unpriced = [
        {
            (line.position.article, line.position.what): line.bought
            for line in cost.lines
            if line.position.article in HARDWARE and line.price is None and line.bought
        }
        for cost in costs
    ]
    return costs[1].capex - costs[0].capex, unpriced[0] != unpriced[1]


def _lines(of_years: Sequence[Position], book: PriceBook) -> list[Line]:
    """One article, year by year: bought is what there was less of before."""
    first = of_years[0]
    price = book.price_of(first.article, *first.names)
    least = first.least if price is None or price.minimum is None else price.minimum
    lines, owned = list[Line](), NONE
    for year, position in enumerate(of_years, 1):
        new, count = position.new or NONE, position.count or NONE
        kept = max(count, Decimal(least)) if count else NONE
        wanted = (max(new, Decimal(least)) if new else NONE) if year == 1 else new
        bought = max(wanted - owned, NONE)
        owned = max(owned, wanted)
        lines.append(Line(year=year, position=position, bought=bought, kept=kept, price=price))
    return lines


def _cheapest(series: Sequence[list[Line]]) -> list[list[Line]]:
    """Without what another article of its group is paid for instead."""
    best: dict[tuple[Article, ...], list[Line]] = {}
    for each in series:
        group = alternatives_of(each[0].position.article)
        there = best.get(group)
        if group and (there is None or _dearness(each) < _dearness(there)):
            best[group] = each
    groups = {id(each) for each in best.values()}
    return [
        each
        for each in series
        if not alternatives_of(each[0].position.article) or id(each) in groups
    ]


def _dearness(lines: Sequence[Line]) -> tuple[bool, bool, Decimal]:
    """What is still sold stands before what only old contracts have."""
    is_old = lines[0].position.article is Article.DOMINO_PVU
    return _lacks(lines[0]), is_old, total(line.once + line.yearly for line in lines)


def _lacks(line: Line) -> bool:
    return line.position.count is None or (
        line.price is None and bool(line.position.count or line.position.new)
    )


def _missing(line: Line) -> Missing:
    position = line.position
    why = position.why if position.count is None else say("no price in the book")
    return Missing(
        article=position.article, what=position.what, why=why, of_storage=position.of_storage
    )


def _amount(count: Decimal, price: Decimal | None) -> Decimal:
    return Decimal("0.00") if price is None else cents(count * price)

"""A price book: what one customer or reseller pays, by article, in one currency.

No price is shipped and none is made up: what the book doesn't say has no price, which is said.
Amounts are decimal numbers, so that sums are those of a spreadsheet to the cent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from models.base.fields import Word
from models.base.texts import Numeral, Text, joined, say
from models.catalog.catalog import Metric

CENT = Decimal("0.01")
MOST_PRICES = 10_000
MOST_MONEY = Decimal(10) ** 12
"""Of one price; what is more is no price of a part."""


class Article(Word):
    """What a price can be of."""

    SERVER = "server", say("server")
    PROCESSOR = "processor", say("processor")
    RAM = "ram", say("RAM, a GiB")
    ARRAY = "array", say("storage array")
    DRIVE = "drive", say("drive")
    RACK_UNIT = "rack-unit", say("rack unit")
    KWH = "kwh", say("electricity, a kWh")
    HYPERVISOR_CORE = Metric.HYPERVISOR_CORE.value, Metric.HYPERVISOR_CORE.label
    WINDOWS_DATACENTER = Metric.WINDOWS_DATACENTER.value, Metric.WINDOWS_DATACENTER.label
    WINDOWS_STANDARD = Metric.WINDOWS_STANDARD.value, Metric.WINDOWS_STANDARD.label
    DOMINO_USER = Metric.DOMINO_USER.value, Metric.DOMINO_USER.label
    DOMINO_PVU = Metric.DOMINO_PVU.value, Metric.DOMINO_PVU.label
    BACKUP_VM = "backup-vm", say("backup, a VM")
    BACKUP_TB = "backup-tb", say("backup, a TB")


HARDWARE = (Article.SERVER, Article.PROCESSOR, Article.RAM, Article.ARRAY, Article.DRIVE)
ALTERNATIVES = (
    (Article.WINDOWS_DATACENTER, Article.WINDOWS_STANDARD),
    (Article.DOMINO_USER, Article.DOMINO_PVU),
    (Article.BACKUP_VM, Article.BACKUP_TB),
)
"""One of each is paid: of those that a book prices, the one that costs less; users of Domino before
processor value units, which are not sold any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """One row of a book.

    Attributes:
        what: id or name in the catalog; empty: of every article of the kind.
        once, yearly: of one, when it is bought and in each year; None: not said.
        minimum: fewest of an order; None: as the maker's rule says.
        watts: power that one draws [W]; None: not said.
        row: number of the row, as people count it.
    """

    article: Article
    what: str = ""
    once: Decimal | None = None
    yearly: Decimal | None = None
    minimum: int | None = None
    watts: Decimal | None = None
    row: int = 0

    @property
    def is_said(self) -> bool:
        """Whether it is a price, not a gap."""
        return self.once is not None or self.yearly is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceBook:
    """Prices in one currency.

    Attributes:
        name: of the file that it comes from, without folder.
        day: of the oldest price; `valid_until`: up to which all of them hold; None: not said.
        asked_on: the day on which sums by it are told; None: nobody says.
    """

    prices: tuple[Price, ...]
    currency: str
    name: str = ""
    day: date | None = None
    valid_until: date | None = None
    asked_on: date | None = field(default=None, compare=False)

    def row_of(self, article: Article, *names: str) -> Price | None:
        """The row of an article by an id or name, else the one of every such article."""
        wanted = {each.casefold() for each in names if each}
        rows = [each for each in self.prices if each.article is article]
        own = next((each for each in rows if each.what.casefold() in wanted and each.what), None)
        return own or next((each for each in rows if not each.what), None)

    def price_of(self, article: Article, *names: str) -> Price | None:
        """The same where it says a price; None for a gap."""
        found = self.row_of(article, *names)
        return found if found is not None and found.is_said else None

    @property
    def gaps(self) -> tuple[Price, ...]:
        """Rows that say no price."""
        return tuple(each for each in self.prices if not each.is_said)

    @property
    def lacking(self) -> tuple[Article, ...]:
        """Articles without any price; of alternatives only where none of them has one."""
        there = {each.article for each in self.prices if each.is_said}
        return tuple(
            each
            for each in Article
            if each not in there and there.isdisjoint(alternatives_of(each))
        )

    @property
    def is_over(self) -> bool:
        """Whether it says a day until which it is valid, and that is gone."""
        last, now = self.valid_until, self.asked_on
        return last is not None and now is not None and last < now


def alternatives_of(article: Article) -> tuple[Article, ...]:
    """Articles of which one is paid, this one among them; none where it has no alternative."""
    return next((group for group in ALTERNATIVES if article in group), ())


def cents(amount: Decimal) -> Decimal:
    """An amount to the cent, halves up, as spreadsheets round.

    >>> cents(Decimal("0.285") * 3), cents(Decimal("2.345"))
    (Decimal('0.86'), Decimal('2.35'))
    """
    return amount.quantize(CENT, ROUND_HALF_UP)


def total(amounts: Iterable[Decimal]) -> Decimal:
    """Their sum, 0.00 of none."""
    return sum(amounts, Decimal("0.00"))


def money(amount: Decimal, currency: str) -> Text:
    """An amount with its currency, cents only where there are any to a small sum.

    >>> str(money(Decimal("11200.00"), "EUR")).split(), str(money(Decimal("0.285"), "EUR")).split()
    (['11,200.00', 'EUR'], ['0.285', 'EUR'])
    """
    places = max(2, -int(amount.normalize().as_tuple().exponent))
    return joined(
        "\N{NO-BREAK SPACE}", (Numeral(f"{amount:,.{places}f}"), given_currency(currency))
    )


def given_currency(currency: str) -> Text:
    """A code, the same in every language."""
    return joined("", (currency,))

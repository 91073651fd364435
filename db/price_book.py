"""A price book from a table (XLSX or CSV), and as one.

Every row names an article by its `Item`; what can't be read is refused by file, row and column,
so that no price is lost or turned into another one.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from db.errors import StoreError
from db.importers.figures import GROUPS, Marks, marks_of
from db.importers.opening import open_source
from db.importers.profile import ColumnOf, Profile, read_profile
from db.importers.saved_profiles import TableFound, table_found
from db.importers.tables import Table, keyed, shown, tables_of
from db.importers.watch import Watch
from db.plain import plain, rounded
from models.base.spreadsheets import inert
from models.base.texts import Text, joined, say
from models.catalog.catalog import Catalog
from models.options.purchasable import is_sold
from models.prices.book import MOST_MONEY, MOST_PRICES, Article, Price, PriceBook
from models.prices.cost import Cost
from models.prices.lasting import Lasting

HEADINGS = (
    *("Item", "What", "Price", "Price a year", "Currency"),
    *("Minimum order", "Power W", "Date", "Valid until", "Remark"),
)
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "item": (
        "item",
        "article",
        "position",
        "kind",
        "artikel",
        "art",
        "posten",
        "komponente",
        *("category", "kategorie", "produktgruppe"),
    ),
    "what": (
        *("what", "model", "catalogid", "id", "name", "description", "product"),
        *("modell", "bezeichnung", "produkt", "beschreibung"),
        *("type", "typ", "sku", "partnumber", "artikelnummer"),
    ),
    "once": (
        *("price", "unitprice", "once", "netprice", "listprice", "preis", "einzelpreis"),
        *("stückpreis", "einmalig", "nettopreis", "listenpreis"),
        *("net", "netto", "cost", "unitcost", "kosten"),
    ),
    "yearly": (
        *("priceayear", "priceperyear", "yearly", "annual", "ayear", "supportayear", "supportyear"),
        *("preisjejahr", "preisprojahr", "jährlich", "projahr", "jejahr", "supportjejahr"),
        *("maintenance", "wartung", "wartungpa", "supportpa", "annualsupport"),
    ),
    "currency": ("currency", "währung", "devise"),
    "minimum": (
        *("minimumorder", "minimum", "minorder", "mindestabnahme", "mindestmenge"),
        "mindestbestellmenge",
    ),
    "watts": ("power", "powerw", "watts", "watt", "leistung", "leistungw", "stromaufnahme"),
    "day": ("date", "pricedate", "asof", "datum", "stand", "preisstand"),
    "valid_until": ("validuntil", "validto", "valid", "gültigbis"),
    "file": ("pricefile",),
}
"""Headings of each column as `keyed`; a currency behind a price's heading is taken off first."""
COLUMN_WORDS: Mapping[str, str] = {
    "item": say("item"),
    "what": say("model"),
    "once": say("price"),
    "yearly": say("price a year"),
    "currency": say("currency"),
    "minimum": say("minimum order"),
    "watts": say("power, W"),
    "day": say("date of the price"),
    "valid_until": say("valid until"),
}
"""What people call each column."""
PROFILE_ENDING = ".columns.toml"
_MOST_TABLES = 20
_ITEMS: Mapping[str, Article] = {
    **{re.sub(r"[^a-z]", "", each.value): each for each in Article},
    "serverchassis": Article.SERVER,
    "host": Article.SERVER,
    "cpu": Article.PROCESSOR,
    "prozessor": Article.PROCESSOR,
    "memory": Article.RAM,
    "ramgib": Article.RAM,
    "memorygib": Article.RAM,
    "arbeitsspeicher": Article.RAM,
    "speichergib": Article.RAM,
    "storagearray": Article.ARRAY,
    "storage": Article.ARRAY,
    "speichersystem": Article.ARRAY,
    "disk": Article.DRIVE,
    "laufwerk": Article.DRIVE,
    "festplatte": Article.DRIVE,
    "höheneinheit": Article.RACK_UNIT,
    "electricity": Article.KWH,
    "electricitykwh": Article.KWH,
    "strom": Article.KWH,
    "vspherecore": Article.HYPERVISOR_CORE,
    "vmwarecore": Article.HYPERVISOR_CORE,
    "hypervisorkern": Article.HYPERVISOR_CORE,
    "dominocal": Article.DOMINO_USER,
    "dominoccb": Article.DOMINO_USER,
    "dominobenutzer": Article.DOMINO_USER,
}
_WORTH_NOTHING = frozenset(
    (
        *("included", "inclusive", "incl.", "none", "not needed", "enthalten", "inklusive"),
        *("inkl.", "keine", "nicht nötig", "entfällt"),
    )
)
"""Words for a price of 0: it is paid for elsewhere, or not needed."""
_UNSAID = frozenset(
    (
        *("", "-", "–", "—", "?", "n/a", "na", "tbd", "on request", "open"),
        *("auf anfrage", "a. a.", "k. a.", "offen"),
    )
)
_CODES = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "Fr.": "CHF", "zł": "PLN"}
_CURRENCY = re.compile(r"[A-Z]{3}")
_AMOUNT = re.compile(
    r"(?P<before>[^\d\s.,+'’-]{1,3}\.?)?\s*(?P<figure>[-+]?\d[\d.,\s\u00a0\u202f\u2009'’]*)"
    r"(?:[.,]?[-–—]{1,2})?\s*(?P<behind>[^\d\s.,]{1,3}\.?)?"
)
_UNSURE = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
_DAYS = ("%Y-%m-%d", "%d.%m.%Y", "%d.%m.%y", "%d %B %Y", "%Y/%m/%d")


def tables_of_prices(path: str | Path) -> tuple[TableFound, ...]:
    """The tables of a file that may be a price book, with what their headings mean, as far as it is
    known: for a person to confirm.

    Raises:
        StoreError: it can't be read.
    """
    watch = Watch()
    try:
        tables = [each for file in open_source(path, watch) for each in tables_of(file).values()]
        return tuple(table_found(each, _guessed(each)) for each in tables[:_MOST_TABLES])
    finally:
        watch.rest()


def _guessed(table: Table) -> Profile:
    at = _columns_of(table, {})
    columns = {name: ColumnOf(table.head[place]) for name, place in at.items()}
    return Profile(columns=columns, sheet=table.name)


def is_plain(tables: Sequence[TableFound]) -> bool:
    """Whether one is a book with the headings of the template: nobody has to say what they mean."""
    known = set(map(_key, KEPT_HEADINGS))
    guesses = [each.guess.columns for each in tables]
    return any(
        _is_book(found) and all(_key(each.heading) in known for each in found.values())
        for found in guesses
    )


def _is_book(columns: Collection[str]) -> bool:
    return "item" in columns and ("once" in columns or "yearly" in columns)


def read_price_book(path: str | Path, profile: str | Path | Profile | None = None) -> PriceBook:
    """The prices of a table with the headings `HEADINGS`, or others that mean the same.

    Args:
        profile: says which heading each column has: all of it, or a TOML file (`[columns]`, by
            `COLUMN_WORDS`) that says what isn't guessed; None: `NAME.columns.toml` beside a book
            NAME, where there is one.

    Raises:
        StoreError: it can't be read, is no price book, or holds a cell that is no price; the
            sentence names row and column.
    """
    beside = Path(path).with_suffix(PROFILE_ENDING)
    if profile is None and beside.is_file():
        profile = beside
    is_whole = isinstance(profile, Profile)
    if profile is not None and not isinstance(profile, Profile):
        profile = read_profile(profile, tuple(COLUMN_WORDS))
    profile = profile or Profile()
    said = {name: each.heading for name, each in profile.columns.items()}
    watch = Watch()
    try:
        for file in open_source(path, watch):
            for table in tables_of(file).values():
                if profile.sheet and table.name != profile.sheet:
                    continue
                columns = _columns_of(table, said, is_whole=is_whole)
                if _is_book(columns):
                    return _book(table, columns, Path(path).name)
    finally:
        watch.rest()
    headings = joined(", ", HEADINGS)
    raise StoreError(
        say("is no price book: a table has the headings {headings}", headings=headings), path
    )


def _columns_of(table: Table, said: Mapping[str, str], *, is_whole: bool = False) -> dict[str, int]:
    """Where each column stands; a heading that somebody said comes first, and where that is the
    whole of it no other is guessed."""
    keys = [_key(each) for each in table.head]
    found = {}
    for name, known in _COLUMNS.items():
        wanted = [_key(said[name])] if name in said else () if is_whole else known
        place = next((keys.index(each) for each in wanted if each in keys), None)
        if place is not None:
            found[name] = place
    return found


def _key(heading: str) -> str:
    """A heading as `keyed`, without a currency behind it."""
    bare = re.sub(r"[\s(\[/]*(?:in )?(?:[A-Z]{3}|[€$£¥])[)\]\s]*$", "", heading.strip())
    return keyed(bare or heading)[0]


def _currency_of(heading: str) -> str:
    """The currency that a heading ends with; empty for none."""
    found = re.search(r"(?:^|[\s(\[/])([A-Z]{3}|[€$£¥])[)\]\s]*$", heading.strip())
    return "" if found is None else _CODES.get(found[1], found[1])


@dataclass(slots=True)
class _Cells:
    """Reads the cells of one table, and hears which currency they say."""

    table: Table
    columns: Mapping[str, int]
    marks: Marks
    currency: str = ""
    said_at: str = ""

    def refuse(self, row: int, name: str, reason: Text | str) -> StoreError:
        heading = self.table.head[self.columns[name]] if name in self.columns else name
        sheet = f"{self.table.name}, " if self.table.name else ""
        place = say("{sheet}row {row}, {column}", sheet=sheet, row=str(row), column=heading)
        return StoreError(reason, self.table.file.name, field=place)

    def text(self, cells: Sequence[Any], name: str) -> str:
        place = self.columns.get(name)
        return "" if place is None or place >= len(cells) else shown(cells[place]).strip()

    def raw(self, cells: Sequence[Any], name: str) -> Any:
        place = self.columns.get(name)
        return None if place is None or place >= len(cells) else cells[place]

    def amount(self, row: int, cells: Sequence[Any], name: str) -> Decimal | None:
        """A price; None for a gap."""
        cell = self.raw(cells, name)
        if cell is None or isinstance(cell, bool | date | datetime):
            if cell is None:
                return None
            raise self.refuse(row, name, say("must be an amount"))
        if isinstance(cell, int | float):
            return self._checked(row, name, Decimal(repr(cell)))
        word = str(cell).strip()
        if word.casefold() in _UNSAID:
            return None
        if word.casefold() in _WORTH_NOTHING:
            return Decimal(0)
        found = _AMOUNT.fullmatch(word)
        if found is None:
            text = say("“{text}” is no amount; leave it empty where there is none", text=word[:40])
            raise self.refuse(row, name, text)
        self.hear(row, name, found["before"] or found["behind"] or "")
        return self._checked(row, name, self._figure(row, name, found["figure"]))

    def _figure(self, row: int, name: str, figure: str) -> Decimal:
        bare = figure.strip().strip("".join(GROUPS))
        if _UNSURE.fullmatch(bare) and not self.marks.is_sure:
            text = say(
                "“{text}” is a thousand or three decimals: write it without a mark, or with cents",
                text=bare,
            )
            raise self.refuse(row, name, text)
        value = self.marks.number(bare)
        if value is None:
            raise self.refuse(row, name, say("“{text}” is no amount", text=bare[:40]))
        return Decimal(repr(value))

    def _checked(self, row: int, name: str, value: Decimal) -> Decimal:
        if not value.is_finite() or not 0 <= value <= MOST_MONEY:
            raise self.refuse(row, name, say("must be an amount of 0 or more"))
        return value

    def hear(self, row: int, name: str, word: str) -> None:
        """A currency by its sign or code, which has to be the same everywhere."""
        code = _CODES.get(word, word.upper())
        if not code:
            return
        if not _CURRENCY.fullmatch(code):
            raise self.refuse(row, name, say("“{word}” is no currency", word=word))
        if self.currency and code != self.currency:
            text = say(
                "{currency}, but {place} has {other}: a price book has one currency",
                currency=code,
                place=self.said_at,
                other=self.currency,
            )
            raise self.refuse(row, name, text)
        if not self.currency:
            self.currency, self.said_at = code, say("row {row}", row=str(row))

    def whole(self, row: int, cells: Sequence[Any], name: str) -> int | None:
        found = self.amount(row, cells, name)
        if found is None:
            return None
        if found != found.to_integral_value() or found > 10**6:
            raise self.refuse(row, name, say("must be a whole number"))
        return int(found)

    def day(self, row: int, cells: Sequence[Any], name: str) -> date | None:
        cell = self.raw(cells, name)
        if isinstance(cell, datetime):
            return cell.date()
        if isinstance(cell, date):
            return cell
        word = self.text(cells, name)
        if not word:
            return None
        for form in _DAYS:
            try:
                return datetime.strptime(word, form).astimezone().date()
            except ValueError:
                continue
        raise self.refuse(row, name, say("must be a day such as 2026-11-30"))


def _book(table: Table, columns: Mapping[str, int], name: str) -> PriceBook:
    reader = _Cells(table, columns, _marks_of(table, columns))
    for column in ("once", "yearly"):
        if column in columns:
            reader.hear(table.first - 1, column, _currency_of(table.head[columns[column]]))
    prices, days, ends = list[Price](), list[date](), list[date]()
    names = list[str]()
    seen: dict[tuple[Article, str], int] = {}
    for row, cells in table.rows():
        price = _price(reader, row, cells)
        if price is None:
            continue
        first = seen.setdefault((price.article, price.what.casefold()), row)
        if first != row:
            text = say("stands in row {first} as well", first=str(first))
            raise reader.refuse(row, "item", text)
        if len(prices) >= MOST_PRICES:
            raise StoreError(
                say("has more than {count} prices", count=f"{MOST_PRICES:,}"), table.file.name
            )
        prices.append(price)
        days += filter(None, [reader.day(row, cells, "day")])
        ends += filter(None, [reader.day(row, cells, "valid_until")])
        names.append(reader.text(cells, "file"))
    if not any(each.is_said for each in prices):
        raise StoreError(say("has no price in it"), table.file.name)
    if not reader.currency:
        text = say("says no currency: fill in the column Currency, such as EUR")
        raise StoreError(text, table.file.name)
    return PriceBook(
        prices=tuple(prices),
        currency=reader.currency,
        name=next(filter(None, names), name),
        day=min(days, default=None),
        valid_until=min(ends, default=None),
        asked_on=datetime.now().astimezone().date(),
    )


def _marks_of(table: Table, columns: Mapping[str, int]) -> Marks:
    """How its texts write amounts, by the cells that can only mean one thing."""
    cells = list[str]()
    for _, row in table.rows():
        for name in ("once", "yearly"):
            place = columns.get(name)
            cell: object = row[place] if place is not None and place < len(row) else None
            found = _AMOUNT.fullmatch(cell.strip()) if isinstance(cell, str) else None
            if found is not None:
                cells.append(found["figure"])
    return marks_of(cells, "")


def _price(reader: _Cells, row: int, cells: Sequence[Any]) -> Price | None:
    """A row; None for a heading between rows, which has no price."""
    once, yearly = (reader.amount(row, cells, name) for name in ("once", "yearly"))
    word = reader.text(cells, "item")
    article = _ITEMS.get("".join(each for each in word.casefold() if each.isalpha()))
    if article is None:
        if once is None and yearly is None:
            return None
        items = joined(", ", [each.value for each in Article])
        text = say("“{item}” is no item; there are {items}", item=word[:40], items=items)
        raise reader.refuse(row, "item", text)
    reader.hear(row, "currency", reader.text(cells, "currency"))
    is_used = article is Article.KWH  # and never bought
    return Price(
        article=article,
        what=reader.text(cells, "what"),
        once=None if is_used else once,
        yearly=once if is_used and once is not None else yearly,
        minimum=reader.whole(row, cells, "minimum"),
        watts=reader.amount(row, cells, "watts"),
        row=row,
    )


# --- writing ----------------------------------------------------------------------------------


def template_rows(catalog: Catalog) -> Iterator[tuple[str, ...]]:
    """The rows of an empty book: what of the catalog can be bought today, and the rest by kind."""
    kinds: tuple[tuple[Article, Iterable[Any]], ...] = (
        (Article.SERVER, catalog.servers.values()),
        (Article.ARRAY, catalog.arrays.values()),
        (Article.DRIVE, catalog.disks.values()),
    )
    listed = {article: list(entries) for article, entries in kinds}
    for article in Article:
        sold = [each for each in listed.get(article, []) if is_sold(each)]
        for entry in sold:
            yield _row(article, entry.id, entry.name)
        if article not in listed:
            yield _row(article, "", article.label)


def _row(article: Article, what: str, remark: str) -> tuple[str, ...]:
    return (article.value, what, *[""] * (len(HEADINGS) - 3), remark)


KEPT_HEADINGS = (*HEADINGS, "Price file")
"""With the name of the file that they come from: where they are kept has another."""


def book_rows(book: PriceBook) -> Iterator[tuple[str, ...]]:
    """A book as rows below `KEPT_HEADINGS`, which `read_price_book` reads again."""
    days = ["" if each is None else each.isoformat() for each in (book.day, book.valid_until)]
    for each in book.prices:
        figures = ["" if value is None else f"{value:f}" for value in (each.once, each.yearly)]
        minimum = "" if each.minimum is None else str(each.minimum)
        watts = "" if each.watts is None else f"{each.watts:f}"
        kept = (each.article.value, each.what, *figures, book.currency, minimum, watts, *days, "")
        yield (*kept, book.name)


def csv_text(rows: Iterable[Sequence[str]], headings: Sequence[str] = HEADINGS) -> str:
    """Rows below the headings of a book, as CSV without formulas."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow(headings)
    writer.writerows([inert(cell) for cell in row] for row in rows)
    return out.getvalue()


# --- JSON -------------------------------------------------------------------------------------


def book_to_json(book: PriceBook, catalog: Catalog) -> dict[str, Any]:
    """What a book has and lacks."""
    return {
        "format": "headroom-prices",
        "version": 1,
        "file": book.name,
        "currency": book.currency,
        "date": None if book.day is None else book.day.isoformat(),
        "valid_until": None if book.valid_until is None else book.valid_until.isoformat(),
        "is_over": book.is_over,
        "prices": [
            {
                "item": each.article.value,
                "what": each.what or None,
                "price": _said(each.once),
                "price_a_year": _said(each.yearly),
                "minimum_order": each.minimum,
                "power_w": _said(each.watts),
                "row": each.row,
            }
            for each in book.prices
        ],
        "without_price": [each.row for each in book.gaps],
        "lacking": [each.value for each in book.lacking],
        "not_in_catalog": [each.row for each in unmatched(book, catalog)],
    }


def unmatched(book: PriceBook, catalog: Catalog) -> tuple[Price, ...]:
    """Rows that name what the catalog doesn't have: they price nothing."""
    names: dict[Article, set[str]] = {
        Article.SERVER: _names(catalog.servers),
        Article.PROCESSOR: {each.processor.casefold() for each in catalog.servers.values()},
        Article.ARRAY: _names(catalog.arrays),
        Article.DRIVE: _names(catalog.disks),
        Article.HYPERVISOR_CORE: _names(catalog.hypervisors),
    }
    return tuple(
        each
        for each in book.prices
        if each.what and each.what.casefold() not in names.get(each.article, {each.what.casefold()})
    )


def _names(entries: Mapping[str, Any]) -> set[str]:
    return {name.casefold() for each in entries.values() for name in (each.id, each.name)}


def _said(amount: Decimal | None) -> str | None:
    """Amounts are text, exact to the cent: numbers of JSON are not."""
    return None if amount is None else f"{amount:f}"


def lasting_to_json(last: Lasting) -> dict[str, Any]:
    """Whether a design lasts, and its next host."""
    return {
        "years": rounded(last.years),
        "chance_pct": rounded(last.chance_pct),
        "next_host": _said(last.host_once),
        "next_host_a_year": _said(last.host_yearly),
        "regret": _said(last.regret),
        "at_least": last.at_least,
    }


def cost_to_json(cost: Cost) -> dict[str, Any]:
    """The cost of a design: amounts as text with cents."""
    return {
        "currency": cost.book.currency,
        "prices_are_over": cost.book.is_over,
        "years": cost.years,
        "capex": _said(cost.capex),
        "first_year": _said(cost.first_year),
        "total": _said(cost.total),
        "at_least": cost.at_least,
        "by_year": [
            {"year": year, "once": _said(cost.once_in(year)), "yearly": _said(cost.yearly_in(year))}
            for year in range(1, cost.years + 1)
        ],
        "lines": [
            {
                "year": each.year,
                "item": each.position.article.value,
                "what": str(each.position.what),
                "bought": _said(each.bought),
                "kept": _said(each.kept),
                "price": _said(each.price.once) if each.price else None,
                "price_a_year": _said(each.price.yearly) if each.price else None,
                "once": _said(each.once),
                "yearly": _said(each.yearly),
            }
            for each in cost.lines
        ],
        "missing": [
            plain({"item": e.article, "what": str(e.what), "why": str(e.why)}) for e in cost.missing
        ],
    }

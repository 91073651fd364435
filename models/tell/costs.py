"""What a price book has, and what a design costs by it: told once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from models.base.texts import Numeral, Text, joined, opening, say, say_many
from models.prices.book import PriceBook, money, total
from models.prices.cost import Cost, Line
from models.prices.lasting import Lasting
from models.scenario.wording import first_of, number, with_unit
from models.tell.blocks import Block, Column, Definitions, Paragraph, Section, Table

MOST_NAMES = 6


def book_sections(book: PriceBook, unmatched: int) -> tuple[Section, ...]:
    """A price book, and what it lacks."""
    rows = tuple(
        (
            opening(each.article.label),
            each.what or say("any"),
            _priced(each.once, book),
            _priced(each.yearly, book),
        )
        for each in book.prices
    )
    blocks: list[Block] = [Definitions(_about(book)), *_over(book), Table(_BOOK, rows)]
    if book.lacking:
        lacking = first_of([each.label for each in book.lacking], MOST_NAMES)
        blocks.append(
            Paragraph(
                say(
                    "Without a price: {lacking}. A design that takes any of it costs at least "
                    "what its sum says.",
                    lacking=lacking,
                )
            )
        )
    if book.gaps:
        rows_text = first_of([str(each.row) for each in book.gaps], MOST_NAMES)
        blocks.append(Paragraph(say("Rows without an amount: {rows}.", rows=rows_text)))
    if unmatched:
        blocks.append(
            Paragraph(
                say_many(
                    "{count} row names what the catalog doesn’t have: it prices nothing.",
                    "{count} rows name what the catalog doesn’t have: they price nothing.",
                    unmatched,
                )
            )
        )
    return (Section(say("Price book"), tuple(blocks)),)


_BOOK = (
    Column(say("Item")),
    Column(say("What"), wide=True),
    Column(say("Price"), numeric=True),
    Column(say("A year"), numeric=True),
)


def _about(book: PriceBook) -> tuple[tuple[str, str], ...]:
    day, end = book.day, book.valid_until
    return (
        (say("File"), book.name),
        (say("Currency"), book.currency),
        (say("Prices of"), say("not said") if day is None else day.isoformat()),
        (say("Valid until"), say("not said") if end is None else end.isoformat()),
    )


def over_text(book: PriceBook) -> Text | None:
    """That a list is past its day, before an order is made of it; None where it isn't."""
    if not book.is_over:
        return None
    day = str(book.valid_until)
    return say("{file} was valid until {day}: ask for new prices.", file=book.name, day=day)


def _over(book: PriceBook) -> tuple[Paragraph, ...]:
    told = over_text(book)
    return () if told is None else (Paragraph(told),)


def _priced(amount: Decimal | None, book: PriceBook) -> Text | str:
    return "" if amount is None else money(amount, book.currency)


def total_text(cost: Cost) -> Text:
    """The total over the years; where something has no price, the least that it is."""
    amount = money(cost.total, cost.book.currency)
    return say("at least {amount}", amount=amount) if cost.at_least else amount


def capex_text(cost: Cost) -> Text:
    amount = money(cost.capex, cost.book.currency)
    return say("at least {amount}", amount=amount) if cost.at_least else amount


def more_text(difference: Decimal, currency: str) -> Text:
    """What a change costs: ``+11,200.00 EUR``."""
    sign = "+" if difference > 0 else "\N{MINUS SIGN}" if difference < 0 else "±"
    return joined("", (sign, money(abs(difference), currency)))


def cost_sentence(cost: Cost) -> Text:
    """Purchase and total of a design in a sentence."""
    return say(
        "{capex} to buy, {total} over {years}",
        capex=capex_text(cost),
        total=total_text(cost),
        years=years_text(cost.years),
    )


def years_text(years: int) -> Text:
    return say_many("{count} year", "{count} years", years)


def lasting_text(last: Lasting, cost: Cost | None = None) -> Text:
    """Whether a design lasts, and what the next host costs if it doesn't, in a sentence."""
    time = say("today") if not last.years else say("for {years}", years=span_text(last.years))
    if last.chance_pct is None:
        chance = say("whether it fits {time} is not known", time=time)
    else:
        share = with_unit(number(last.chance_pct), "%")
        chance = say("it fits {time} with a chance of {share}", time=time, share=share)
    if last.host_once is None or last.host_yearly is None or cost is None:
        return joined("", (chance, "."))
    currency = cost.book.currency
    host = say(
        "{least}{once}, and {yearly} a year",
        least=joined(" ", (say("at least"), "")) if last.at_least else "",
        once=money(last.host_once, currency),
        yearly=money(last.host_yearly, currency),
    )
    if last.regret is None:
        return say("{chance}; the next host costs {host}.", chance=chance, host=host)
    return say(
        "{chance}; if it doesn’t, the next host costs {host}, which is {regret} on average.",
        chance=chance,
        host=host,
        regret=money(last.regret, currency),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Costed:
    """A scenario by its name, what it costs, and whether it lasts."""

    name: str
    cost: Cost
    lasts: Lasting


def costs_section(sides: Sequence[Costed]) -> Section:
    """Costs of scenarios side by side, and what the cheaper one is at the risk of."""
    columns = (
        Column(say("Scenario"), wide=True),
        Column(say("To buy"), numeric=True),
        Column(say("First year besides"), numeric=True),
        Column(say("Total over {years}", years=years_text(sides[0].cost.years)), numeric=True),
        Column(say("Against the first"), numeric=True),
    )
    first = sides[0].cost
    rows = tuple(
        (
            side.name,
            capex_text(side.cost),
            money(side.cost.first_year, side.cost.book.currency),
            total_text(side.cost),
            "" if place == 0 else more_text(side.cost.total - first.total, first.book.currency),
        )
        for place, side in enumerate(sides)
    )
    told = [
        say("{name}: {lasts}", name=side.name, lasts=lasting_text(side.lasts, side.cost))
        for side in sides
    ]
    lacking = [
        say("{name}: {missing}", name=side.name, missing=missing)
        for side in sides
        if (missing := missing_text(side.cost)) is not None
    ]
    risk = risk_text(sides)
    lines = [*([] if risk is None else [risk]), *told, *lacking]
    blocks: tuple[Block, ...] = (
        Table(columns, rows),
        *_over(first.book),
        *map(Paragraph, lines),
    )
    return Section(say("Costs"), blocks)


def risk_text(sides: Sequence[Costed]) -> Text | None:
    """What the cheapest saves, and what of that its next host would take, in a sentence; None
    where hardware without a price keeps them from being compared."""
    if len(sides) < 2 or any(side.cost.lacks_hardware for side in sides):
        return None
    cheap, dear = sorted(sides, key=lambda side: side.cost.rank)[:2]
    saved, currency = dear.cost.total - cheap.cost.total, cheap.cost.book.currency
    if not saved:
        return say("{cheap} and {dear} cost the same.", cheap=cheap.name, dear=dear.name)
    chance, once = cheap.lasts.chance_pct, cheap.lasts.host_once
    given = {"cheap": cheap.name, "dear": dear.name, "saved": money(saved, currency)}
    if chance is None:
        return say(
            "{cheap} costs {saved} less than {dear}; whether it lasts is not known.", **given
        )
    given |= {"share": with_unit(number(chance), "%")}
    if once is None:
        return say(
            "{cheap} costs {saved} less than {dear} and lasts with a chance of {share}; one more "
            "host would not change that.",
            **given,
        )
    given |= {"host": money(once, currency)}
    if once >= saved:
        return say(
            "{cheap} costs {saved} less than {dear} and lasts with a chance of {share}; if it "
            "doesn’t, its next host, {host}, takes all of that.",
            **given,
        )
    return say(
        "{cheap} costs {saved} less than {dear} and lasts with a chance of {share}; if it doesn’t, "
        "its next host, {host}, still leaves it the cheaper one.",
        **given,
    )


def span_text(years: float) -> Text:
    """Years of a plan, parts of one included."""
    return (
        say_many("{count} year", "{count} years", int(years))
        if years.is_integer()
        else say("{years} years", years=Numeral(f"{years:g}"))
    )


def missing_text(cost: Cost) -> Text | None:
    """What is not in the sums; None for nothing."""
    if not cost.missing:
        return None
    named = [
        say("{article} ({what}: {why})", article=each.article.label, what=each.what, why=each.why)
        for each in cost.missing
    ]
    return say(
        "Not in the sums, which are the least that it costs: {named}.",
        named=joined("; ", named),
    )


def cost_section(cost: Cost) -> Section:
    """A design’s costs: what is bought, what is paid each year, and the years one by one."""
    missing = missing_text(cost)
    blocks: tuple[Block, ...] = (
        Definitions(
            (
                (say("To buy"), capex_text(cost)),
                (say("First year besides"), money(cost.first_year, cost.book.currency)),
                (say("Total over {years}", years=years_text(cost.years)), total_text(cost)),
                *_of_book(cost.book),
            )
        ),
        *_over(cost.book),
        *([Paragraph(missing)] if missing is not None else []),
        _first_year(cost),
        _years(cost),
    )
    return Section(say("Costs"), blocks)


def _of_book(book: PriceBook) -> tuple[tuple[str, str], ...]:
    name = say("{file}, in {currency}", file=book.name, currency=book.currency)
    rows: list[tuple[str, str]] = [(say("Prices"), name)]
    if book.day is not None:
        rows.append((say("Prices of"), book.day.isoformat()))
    valid = say("not said: ask before an order") if book.valid_until is None else None
    rows.append((say("Valid until"), valid or str(book.valid_until)))
    return tuple(rows)


def _first_year(cost: Cost) -> Table:
    columns = (
        Column(say("Item")),
        Column(say("What"), wide=True),
        Column(say("Bought"), numeric=True),
        Column(say("Price"), numeric=True),
        Column(say("Once"), numeric=True),
        Column(say("Paid for"), numeric=True),
        Column(say("Price a year"), numeric=True),
        Column(say("A year"), numeric=True),
    )
    rows = [_cells(line) for line in cost.lines if line.year == 1]
    sums = (say("Sum"), "", "", "", _plain(cost.capex), "", "", _plain(cost.first_year))
    note = say(
        "Amounts in {currency}, without taxes. Cabling, switches, racks and labour are not "
        "counted.",
        currency=cost.book.currency,
    )
    return Table(columns, (*rows, sums), note)


def _cells(line: Line) -> tuple[str, ...]:
    price, position = line.price, line.position
    once = None if price is None else price.once
    yearly = None if price is None else price.yearly
    return (
        opening(position.article.label),
        position.what,
        "" if once is None else _count(line.bought),
        say("no price") if price is None else "" if once is None else _plain(once),
        "" if once is None else _plain(line.once),
        "" if yearly is None else _count(line.kept),
        "" if yearly is None else _plain(yearly),
        "" if yearly is None else _plain(line.yearly),
    )


def _years(cost: Cost) -> Table:
    columns = (
        Column(say("Year"), numeric=True),
        Column(say("What is bought"), wide=True),
        Column(say("Once"), numeric=True),
        Column(say("Running"), numeric=True),
        Column(say("Sum"), numeric=True),
    )
    rows = []
    for year in range(1, cost.years + 1):
        once, yearly = cost.once_in(year), cost.yearly_in(year)
        sums = map(_plain, (once, yearly, once + yearly))
        rows.append((number(year), _bought(cost, year), *sums))
    once = total(line.once for line in cost.lines)
    rows.append((say("Sum"), "", *map(_plain, (once, cost.total - once, cost.total))))
    return Table(columns, tuple(rows))


def _bought(cost: Cost, year: int) -> Text | str:
    if year == 1:
        return say("all hardware and licences, as above")
    bought = [line for line in cost.lines if line.year == year and line.once]
    named = [
        say("{count} × {what}", count=_count(line.bought), what=line.position.article.label)
        for line in bought
    ]
    return joined("; ", named)


def _plain(amount: Decimal) -> Text:
    places = max(2, -int(amount.normalize().as_tuple().exponent))
    return Numeral(f"{amount:,.{places}f}")


def _count(count: Decimal) -> Text:
    return Numeral(f"{count:,f}")

"""Workbooks of prices: the template of a price book, and a design's costs with live formulas."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import xlsxwriter

from app.language import Language
from app.report.plain import plain
from db.price_book import HEADINGS
from models.base.spreadsheets import inert
from models.base.texts import Text, opening, said, say
from models.prices.cost import Cost, Line

_OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}
_WIDTHS = (20, 34, 14, 14, 10, 15, 10, 12, 12, 60)


def template_xlsx(rows: Iterable[Sequence[str]]) -> bytes:
    """An empty price book as XLSX: a row for each article, its prices to be filled in."""
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, _OPTIONS) as book:
        page: Any = book.add_worksheet("Prices")
        head = book.add_format({"bold": True, "bottom": 1})
        money = book.add_format({"num_format": "#,##0.00##"})
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        for column, (heading, width) in enumerate(zip(HEADINGS, _WIDTHS, strict=True)):
            form = money if column in (2, 3) else day if column in (7, 8) else None
            page.set_column(column, column, width, form)
            page.write_string(0, column, heading, head)
        for line, row in enumerate(rows, start=1):
            for column, cell in enumerate(row):
                if cell:
                    page.write_string(line, column, inert(cell))
        page.freeze_panes(1, 2)
    return stream.getvalue()


COST_HEADS = (
    *(say("Scenario"), say("Year"), say("Item"), say("What")),
    *(say("Bought"), say("Price"), say("Once")),
    *(say("Paid for"), say("Price a year"), say("A year")),
)


def costs_xlsx(costs: Sequence[tuple[str, Cost]], language: Language) -> bytes:
    """The costs of scenarios as a workbook of one sheet."""
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, _OPTIONS) as book:
        write_costs(book, costs, language)
    return stream.getvalue()


def write_costs(book: Any, costs: Sequence[tuple[str, Cost]], language: Language) -> Any:
    """The sheet of costs, a row for each article and year, amounts and sums as formulas; returns
    it."""
    page = book.add_worksheet(said(say("Costs"), language))
    head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True})
    amount = book.add_format({"num_format": "#,##0.00##"})
    strong = book.add_format({"num_format": "#,##0.00", "bold": True, "top": 1})
    for column, heading in enumerate(COST_HEADS):
        page.write_string(0, column, said(heading, language), head)
    for column, width in enumerate((24, 6, 30, 44, 12, 14, 16, 12, 14, 16)):
        page.set_column(column, column, width)
    row = 1
    for name, cost in costs:
        first = row
        for line in cost.lines:
            _write_line(page, row, name, line, language, amount)
            row += 1
        row = _write_sums(page, row, first, name, cost, language, strong)
        for each in cost.missing:
            words = say("Not in the sums: {what}: {why}", what=each.what, why=each.why)
            page.write_string(row, 0, plain(name))
            page.write_string(row, 2, _words(opening(each.article.label), language))
            page.write_string(row, 3, _words(words, language))
            row += 1
        row += 1
    page.freeze_panes(1, 4)
    page.set_landscape()
    page.fit_to_pages(1, 0)
    page.repeat_rows(0)
    return page


def _write_line(
    page: Any, row: int, name: str, line: Line, language: Language, amount: Any
) -> None:
    page.write_string(row, 0, plain(name))
    page.write_number(row, 1, line.year)
    page.write_string(row, 2, _words(opening(line.position.article.label), language))
    page.write_string(row, 3, _words(line.position.what, language))
    price = line.price
    halves = (
        (4, line.bought, None if price is None else price.once, line.once),
        (7, line.kept, None if price is None else price.yearly, line.yearly),
    )
    for column, count, each, value in halves:
        page.write_number(row, column, float(count))
        if each is not None:
            page.write_number(row, column + 1, float(each), amount)
            _product(page, row, column, value, amount)


def _product(page: Any, row: int, column: int, value: Decimal, form: Any) -> None:
    count, price = (f"{_letter(at)}{row + 1}" for at in (column, column + 1))
    page.write_formula(row, column + 2, f"=ROUND({count}*{price},2)", form, float(value))


def _write_sums(
    page: Any, row: int, first: int, name: str, cost: Cost, language: Language, form: Any
) -> int:
    """Sums of each year, and of all of them; returns the row below."""
    last = row
    for year in range(1, cost.years + 1):
        page.write_string(row, 0, plain(name))
        page.write_number(row, 1, year)
        page.write_string(row, 2, _words(say("Sum of the year"), language))
        for column, value in ((6, cost.once_in(year)), (9, cost.yearly_in(year))):
            letter = _letter(column)
            span = f"{letter}{first + 1}:{letter}{last}"
            formula = f"=SUMIF(B{first + 1}:B{last},B{row + 1},{span})"
            page.write_formula(row, column, formula, form, float(value))
        row += 1
    page.write_string(row, 0, plain(name))
    label = say("Total, at least") if cost.at_least else say("Total")
    page.write_string(row, 2, _words(label, language))
    page.write_string(row, 3, cost.book.currency)
    spans = ",".join(f"{_letter(at)}{last + 1}:{_letter(at)}{row}" for at in (6, 9))
    page.write_formula(row, 9, f"=SUM({spans})", form, float(cost.total))
    return row + 1


def _words(text: Text | str, language: Language) -> str:
    return plain(said(text, language))


def _letter(column: int) -> str:
    return "ABCDEFGHIJ"[column]

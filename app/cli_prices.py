"""``prices``: the template of a price book, and what a book has and lacks."""

from __future__ import annotations

from pathlib import Path

from app.cli_file import given, json_text
from app.language import ENGLISH, language_of
from app.render.terminal import sections_text
from app.report.price_sheets import costs_xlsx, template_xlsx
from db.atomic import check_writable, write_atomically
from db.errors import StoreError
from db.price_book import (
    book_to_json,
    cost_to_json,
    csv_text,
    read_price_book,
    template_rows,
    unmatched,
)
from models.base.texts import say
from models.prices.cost import cost_of
from models.tell.costs import book_sections, cost_section
from resources.catalog_files import load_catalog


def template_text() -> str:
    """An empty price book as CSV."""
    return csv_text(template_rows(load_catalog()))


def write_template(output: str) -> None:
    """An empty price book in a file, by its ending.

    Raises:
        StoreError: it ends otherwise, or can't be written.
    """
    ending = Path(output).suffix.lower()
    if ending not in (".csv", ".xlsx"):
        raise StoreError(say("must end in {endings}", endings=".csv, .xlsx"), output)
    check_writable(output)
    rows = template_rows(load_catalog())
    # A spreadsheet takes a text for UTF-8 by its mark.
    content = template_xlsx(rows) if ending == ".xlsx" else csv_text(rows).encode("utf-8-sig")
    write_atomically(output, content)


def prices_of_file(
    path: str,
    of: str | None,
    name: str | None,
    years: int | None,
    columns: str | None,
    output: str | None,
    *,
    as_json: bool,
) -> str:
    """What ``prices PRICES`` prints of the book, and with a FILE of the cost of its scenario; an
    `output` gets that as a workbook.

    Raises:
        StoreError: it is no price book, with row and column; or the file can't be read; or the
            workbook can't be written.
    """
    book, catalog = read_price_book(path, columns), load_catalog()
    if of is None:
        if output is not None:
            raise StoreError(say("a FILE is needed, whose cost it is to hold"), output)
        if as_json:
            return json_text(book_to_json(book, catalog))
        return sections_text(book_sections(book, len(unmatched(book, catalog))))
    found = given(of, name)
    cost = cost_of(found.scenario, found.catalog, book, years)
    if output is not None:
        _check_sheet(output)
        write_atomically(output, costs_xlsx([(found.scenario.name, cost)], language_of(ENGLISH)))
    if as_json:
        return json_text({"scenario": found.scenario.name, **cost_to_json(cost)})
    return sections_text((cost_section(cost),))


def _check_sheet(output: str) -> None:
    if Path(output).suffix.lower() != ".xlsx":
        raise StoreError(say("must end in {endings}", endings=".xlsx"), output)
    check_writable(output)

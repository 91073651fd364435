"""Price books as people write them: gaps, currencies, marks of thousands, text in cells."""

from __future__ import annotations

import io
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pytest
import xlsxwriter

from db.errors import StoreError
from db.price_book import (
    HEADINGS,
    KEPT_HEADINGS,
    book_rows,
    book_to_json,
    csv_text,
    read_price_book,
    template_rows,
)
from models.prices.book import Article
from tests.models.worlds import CATALOG


def written(
    folder: Path, *lines: str, heading: str = "Item;What;Price;Price a year;Currency"
) -> Path:
    path = folder / "prices.csv"
    path.write_text("\n".join((heading, *lines)), encoding="utf-8")
    return path


def as_workbook(folder: Path, rows: Sequence[Sequence[str | float]]) -> Path:
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        page = book.add_worksheet("Prices")
        for line, row in enumerate(rows):
            page.write_row(line, 0, row)
    path = folder / "prices.xlsx"
    path.write_bytes(stream.getvalue())
    return path


def test_marks_of_thousands_and_currencies_in_cells(tmp_path: Path) -> None:
    german = read_price_book(
        written(tmp_path, "server;;12.400,50 €;;", "ram;;6,50;;", "drive;;1.234;;EUR")
    )
    assert german.currency == "EUR"
    assert [each.once for each in german.prices] == [
        Decimal("12400.5"),
        Decimal("6.5"),
        Decimal(1234),
    ]
    english = read_price_book(written(tmp_path, "server;;USD 1,234.56;;", "kWh;;0.285;;USD"))
    assert [(each.once, each.yearly) for each in english.prices] == [
        (Decimal("1234.56"), None),
        (None, Decimal("0.285")),
    ]


def test_a_workbook_has_the_same_prices(tmp_path: Path) -> None:
    rows: list[list[str | float]] = [
        ["Artikel", "Modell", "Preis in EUR"],
        ["Server", "", 12400.5],
        ["RAM", "", 6.5],
    ]
    book = read_price_book(as_workbook(tmp_path, rows))
    assert (book.currency, book.prices[0].once) == ("EUR", Decimal("12400.5"))


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (("server;;1000;;EUR", "ram;;5;;USD"), "row 3, Currency: USD, but row 2 has EUR"),
        (("server;;about 900;;EUR",), "row 2, Price: “about 900” is no amount"),
        (("server;;1.234;;EUR",), "row 2, Price: “1.234” is a thousand or three decimals"),
        (("server;;-5;;EUR",), "row 2, Price: must be an amount of 0 or more"),
        (("toaster;;5;;EUR",), "row 2, Item: “toaster” is no item; there are server"),
        (("server;a;5;;EUR", "server;A;6;;EUR"), "row 3, Item: stands in row 2 as well"),
        (("server;;5;;",), "says no currency"),
        (("server;;;;EUR",), "has no price in it"),
    ],
)
def test_what_is_no_price_is_refused_by_row_and_column(
    tmp_path: Path, lines: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(StoreError) as refusal:
        read_price_book(written(tmp_path, *lines))
    assert sentence in str(refusal.value)
    assert "prices.csv" in str(refusal.value)


def test_gaps_are_kept_and_named(tmp_path: Path) -> None:
    book = read_price_book(
        written(tmp_path, "server;;on request;;EUR", "processor;;included;;", "nonsense;;;;")
    )
    told = book_to_json(book, CATALOG)
    assert told["without_price"] == [2]
    assert book.prices[1].once == 0
    assert "server" in told["lacking"]
    assert "processor" not in told["lacking"]


def test_columns_by_a_profile(tmp_path: Path) -> None:
    path = written(tmp_path, "server;7,50;EUR", heading="Warengruppe;Netto;Währung")
    with pytest.raises(StoreError, match="is no price book"):
        read_price_book(path)
    profile = tmp_path / "columns.toml"
    profile.write_text('[columns]\nitem = "Warengruppe"\nonce = "Netto"\n', encoding="utf-8")
    assert read_price_book(path, profile).prices[0].once == Decimal("7.5")
    profile.rename(path.with_suffix(".columns.toml"))
    assert read_price_book(path).prices[0].once == Decimal("7.5")


def test_a_book_is_read_again_as_it_was_written(tmp_path: Path) -> None:
    book = read_price_book(written(tmp_path, "server;r760-6530;1.234,56;7,5;EUR", "kWh;;0,285;;"))
    path = tmp_path / "again.csv"
    path.write_text(csv_text(book_rows(book), KEPT_HEADINGS), encoding="utf-8")
    again = read_price_book(path)
    assert (again.name, path.name) == (book.name, "again.csv")
    assert [(e.article, e.what, e.once, e.yearly) for e in again.prices] == [
        (e.article, e.what, e.once, e.yearly) for e in book.prices
    ]


def test_the_template_has_every_article_and_no_price(tmp_path: Path) -> None:
    rows = list(template_rows(CATALOG))
    assert {row[0] for row in rows} == {each.value for each in Article}
    assert all(len(row) == len(HEADINGS) and not any(row[2:-1]) for row in rows)
    path = tmp_path / "template.csv"
    path.write_text(csv_text(rows), encoding="utf-8")
    with pytest.raises(StoreError, match="has no price in it"):
        read_price_book(path)

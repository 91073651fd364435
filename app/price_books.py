"""Where a user's price book is kept: beside a project, or for all of them."""

from __future__ import annotations

from pathlib import Path

from db.atomic import write_atomically
from db.errors import StoreError
from db.price_book import KEPT_HEADINGS, book_rows, csv_text, read_price_book
from models.base.texts import say
from models.prices.book import PriceBook

ENDING = ".prices.csv"


def beside(project: Path) -> Path:
    """Where the price book of a project alone is kept."""
    return project.with_name(f"{project.stem}{ENDING}")


def kept_book(project: Path | None, of_all: Path) -> PriceBook | None:
    """That of a project, else the one for all; None where there is neither.

    Raises:
        StoreError: it can't be read any more.
    """
    for path in ([] if project is None else [beside(project)]) + [of_all]:
        if path.exists():
            return read_price_book(path)
    return None


def keep_book(book: PriceBook, path: Path) -> PriceBook:
    """Keeps a price book in place of what is there; returns it as it will be read.

    Raises:
        StoreError: it can't be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(say("can’t be written: its folder can’t be made"), path) from error
    write_atomically(path, csv_text(book_rows(book), KEPT_HEADINGS).encode("utf-8-sig"))
    return read_price_book(path)

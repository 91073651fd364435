"""A price book of the user's own in the window: kept, told, and printed where costs are asked."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from threading import Event

import pytest
from pytestqt.qtbot import QtBot

from app.price_books import beside
from app.studies import costs_told
from app.widgets.costs import CostsPanel
from app.widgets.nudges import NudgeStrip
from app.windows.export import Export, order_of
from app.windows.import_page.columns import VALUE
from app.windows.price_columns import PriceColumns
from app.windows.window import MainWindow
from app.work import Context, InlineWorker
from db.errors import StoreError
from db.importers.profile import Profile
from db.importers.saved_profiles import TableFound
from models.prices.book import HARDWARE, Article, Price, PriceBook
from models.single_changes.nudge import Knob
from tests.app.sessions import two_hosts
from tests.app.windows import whole
from tests.app.windows.own import Answers, answers, show, window

__all__ = ["answers", "show", "window"]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
BOOK = "Item;Price;Currency\nserver;8.400,05;EUR\nram;6,50;EUR\n"


def a_file(folder: Path, text: str = BOOK) -> Path:
    path = folder / "reseller.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_prices_are_kept_for_all_projects_and_told(
    qtbot: QtBot, window: MainWindow, answers: Answers, tmp_path: Path
) -> None:
    window.session.edit(two_hosts(), "Example")
    answers.path = a_file(tmp_path)
    whole.trigger(window, "own.add_prices")
    book = window.session.prices
    assert book is not None
    assert [each.article for each in book.prices] == [Article.SERVER, Article.RAM]
    assert window.settings.prices.exists()
    assert beside(Path("/a/b.headroom")) == Path("/a/b.prices.csv")
    worker, session = InlineWorker(window), window.session
    panel = CostsPanel(session, worker, costs_told, name="", icon="file-text", nothing="none")
    qtbot.addWidget(panel)
    with qtbot.waitExposed(panel):
        panel.show()
    qtbot.waitUntil(lambda: bool(panel.view.sections))
    assert [each.title for each in panel.view.sections] == ["Costs", "Price book"]
    session.set_prices(None)
    qtbot.waitUntil(lambda: not panel.view.isVisible())


def test_what_is_no_price_book_changes_nothing(
    window: MainWindow, answers: Answers, tmp_path: Path
) -> None:
    window.own.add_price_book(a_file(tmp_path))
    kept = window.session.prices
    assert not window.own.add_price_book(a_file(tmp_path, "Item;Price;Currency\nserver;much;EUR\n"))
    assert "row 2, Price" in answers.problems[-1]
    assert window.session.prices == kept


FOREIGN = "Warengruppe;Netto EUR;Stand\nServer;8.400,05;heute\nRAM;6,50;heute\n"


def test_columns_of_a_price_list_are_confirmed_once_and_kept(
    qtbot: QtBot,
    window: MainWindow,
    answers: Answers,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = list[Profile]()

    def said(name: str, tables: Sequence[TableFound]) -> Profile | None:
        dialog = PriceColumns(name, tables, window)
        qtbot.addWidget(dialog)
        panel = dialog.panel
        asked.append(panel.profile())
        for row, field in enumerate(("item", "once", "")):  # none for the day, which says "heute"
            cell = panel.columns.item(row, 2)
            assert cell is not None
            cell.setData(VALUE, field)
        return panel.profile() if answers.yes else None

    monkeypatch.setattr(answers, "price_columns", said, raising=False)
    path = a_file(tmp_path, FOREIGN)
    answers.yes = False
    assert not window.own.add_price_book(path)
    assert window.session.prices is None
    answers.yes = True
    assert window.own.add_price_book(path)
    assert set(asked[-1].columns) == {"once", "day"}
    book = window.session.prices
    assert book is not None
    assert (book.name, book.currency, book.prices[0].once) == (path.name, "EUR", Decimal("8400.05"))
    assert window.own.add_price_book(a_file(tmp_path, FOREIGN.replace("6,50", "7,50")))
    assert len(asked) == 2
    assert window.session.prices is not None
    assert window.session.prices.prices[1].once == Decimal("7.50")


def test_costs_are_printed_by_the_book_and_not_without(window: MainWindow, tmp_path: Path) -> None:
    session = window.session
    session.edit(two_hosts(), "Example")
    asked = Export(path=tmp_path / "a.pdf", sections=("costs",))
    with pytest.raises(StoreError, match="need a price book"):
        order_of(session, asked, "")
    window.own.add_price_book(a_file(tmp_path))
    ready = order_of(session, asked, "")(Context(Event(), lambda _share: None))
    assert ready.how.book == session.prices
    assert ready.signed is not None
    assert ready.signed.book == session.prices


def test_a_nudge_says_what_it_costs(window: MainWindow) -> None:
    session = window.session
    session.edit(two_hosts(), "Example")
    prices = tuple(Price(article=each, once=Decimal(5)) for each in HARDWARE)
    session.set_prices(PriceBook(prices=prices, currency="EUR"))
    strip = window.findChild(NudgeStrip)
    assert strip is not None
    strip.nudge(Knob.HOSTS, 1)
    strip.finish()
    assert session.stack.undoText().endswith("EUR")
    assert ": +" in session.stack.undoText()

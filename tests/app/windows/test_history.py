"""The list of steps: all of them, by name, and the way to each."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.session import UNDO_LIMIT
from app.windows.history import HistoryPage
from app.windows.window import MainWindow
from tests.app.gestures import LEFT
from tests.app.windows.whole import trigger

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
STEPS = 200


def opened(window: MainWindow) -> HistoryPage:
    trigger(window, "history.open")
    assert window.history.opened is not None
    return window.history.opened


def rows(dialog: HistoryPage) -> list[str]:
    model = dialog.list.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def move(window: MainWindow, number: int) -> None:
    host = f"h{number % 3 + 1}"
    window.session.change(lambda s: s.place(["m1"], host), f"Step {number}")


def test_steps_are_listed_as_they_happen(window: MainWindow) -> None:
    dialog = opened(window)
    assert rows(dialog) == ["As it was opened"]
    for number in (1, 2):
        move(window, number)
    assert rows(dialog) == ["As it was opened", "Step 1", "Step 2"]


def test_a_click_goes_back_and_forth(window: MainWindow) -> None:
    before = window.session.scenario
    for number in (1, 2, 3):
        move(window, number)
    after = window.session.scenario
    dialog = opened(window)
    model = dialog.list.model()
    for row, scenario in ((0, before), (3, after)):
        spot = dialog.list.visualRect(model.index(row, 0)).center()
        QTest.mouseClick(dialog.list.viewport(), LEFT, pos=spot)
        assert window.session.scenario == scenario
    QTest.keyClick(dialog.list, Qt.Key.Key_Up)
    assert window.session.stack.index() == 2


def test_two_hundred_steps_are_kept(window: MainWindow) -> None:
    assert UNDO_LIMIT >= STEPS
    before = window.session.scenario
    for number in range(1, STEPS + 1):
        move(window, number)
    dialog = opened(window)
    assert len(rows(dialog)) == STEPS + 1
    dialog.list.setCurrentIndex(dialog.list.model().index(0, 0))
    assert window.session.scenario == before


def test_it_is_opened_once(window: MainWindow) -> None:
    first = opened(window)
    assert opened(window) is first
    window.files.open_example("building-block")
    assert window.history.opened is None

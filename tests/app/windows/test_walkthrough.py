"""From the start page to a comparison of two scenarios: without a mouse, and without a keyboard.

Real events in a real X server: a two-host design is laid out from totals, sized until it no longer
fits and back, kept beside a second one, and the two are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.settings import Settings
from app.widgets.nudges import Nudger
from app.windows.window import MainWindow
from models.predict.prediction import Verdict
from tests.app.gestures import LEFT
from tests.app.windows.whole import Answers, at_start, complete

pytestmark = pytest.mark.xvfb
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier
MOST_TABS, MOST_NUDGES = 120, 60


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """A window as it opens without a file."""
    window = at_start(qtbot, Settings(tmp_path / "settings.ini"), Answers())
    complete(qtbot, window)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    return window


def verdict(window: MainWindow) -> Verdict:
    window.session.flush()
    return window.session.view.prediction.verdict


def users(window: MainWindow) -> float:
    return sum(vm.workload.active_users for vm in window.session.scenario.vms)


def compared(qtbot: QtBot, window: MainWindow) -> None:
    """The comparison is on the screen and names both scenarios."""
    qtbot.waitUntil(lambda: window.compare.opened is not None)
    assert window.compare.opened is not None
    qtbot.waitUntil(window.compare.opened.isVisible)
    names = [entry.scenario.name for entry in window.session.project.entries]
    assert names == ["First design", "First design 2"]
    panel = window.compare.opened.panel
    qtbot.waitUntil(lambda: panel.comparison is not None)
    found = panel.comparison
    assert found is not None
    assert {each.field for each in found.inputs} >= {"workload.active_users"}
    assert found.outcomes
    assert any(f"({sign}" in panel.view.text for sign in "+\N{MINUS SIGN}")


class Hands:
    """A keyboard."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot

    @property
    def focus(self) -> QWidget:
        self._qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
        widget = QApplication.focusWidget()
        assert widget is not None
        return widget

    def press(self, key: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(self.focus, key, keys)

    def type(self, text: str) -> None:
        QTest.keyClicks(self.focus, text)

    def tab_to(self, wanted: Callable[[QWidget], bool]) -> QWidget:
        for _ in range(MOST_TABS):
            if wanted(self.focus):
                return self.focus
            self.press(Qt.Key.Key_Tab)
        raise AssertionError("Tab does not get there")


def test_without_a_mouse(qtbot: QtBot, window: MainWindow) -> None:
    hands = Hands(qtbot)
    hands.press(Qt.Key.Key_T, CTRL)
    form = window.start.page.totals if window.start.page else None
    assert form is not None
    with qtbot.waitSignal(form.refreshed):
        hands.type("7200")
    hands.tab_to(lambda widget: widget is form.accept)
    hands.press(Qt.Key.Key_Return)
    assert len(window.session.scenario.hosts) == 2
    assert (users(window), verdict(window)) == (7200, Verdict.FITS)

    hands.press(Qt.Key.Key_D, CTRL | SHIFT)
    hands.tab_to(
        lambda widget: isinstance(widget, Nudger) and widget.accessibleName().startswith("Users")
    )
    for _ in range(MOST_NUDGES):
        if verdict(window) is not Verdict.FITS:
            break
        hands.press(Qt.Key.Key_Plus)
    assert verdict(window) is not Verdict.FITS
    most = users(window)
    assert most > 7200
    hands.press(Qt.Key.Key_Z, CTRL)
    assert users(window) < most
    hands.press(Qt.Key.Key_Z, CTRL | SHIFT)
    assert users(window) == most

    hands.press(Qt.Key.Key_C, CTRL | SHIFT)
    compared(qtbot, window)


def click(widget: QWidget, at: QPoint | None = None) -> None:
    QTest.mouseClick(widget, LEFT, NONE, widget.rect().center() if at is None else at)


def choose(qtbot: QtBot, window: MainWindow, menu: str, id: str) -> None:
    """Opens a menu of the menu bar by a click, and clicks an entry."""
    bar = window.menuBar()
    title = next(each for each in bar.actions() if each.text() == menu)
    click(bar, bar.actionGeometry(title).center())
    popup = title.menu()
    assert isinstance(popup, QMenu)
    qtbot.waitUntil(popup.isVisible)
    click(popup, popup.actionGeometry(window.actions_by_id[id]).center())


def test_without_a_keyboard(qtbot: QtBot, window: MainWindow) -> None:
    form = window.start.page.totals if window.start.page else None
    assert form is not None
    qtbot.waitUntil(lambda: form.design is not None)
    click(form.accept)
    assert len(window.session.scenario.hosts) == 2
    before = users(window)
    assert verdict(window) is Verdict.FITS

    buttons = window.scenarios.findChildren(QToolButton)
    click(next(button for button in buttons if button.accessibleName() == "Duplicate"))
    qtbot.waitUntil(lambda: len(window.session.project.entries) == 2)
    nudgers = window.verdict.findChildren(Nudger)
    nudger = next(each for each in nudgers if each.accessibleName().startswith("Users"))
    for _ in range(MOST_NUDGES):
        if verdict(window) is not Verdict.FITS:
            break
        click(nudger.more)
    assert verdict(window) is not Verdict.FITS
    assert users(window) > before

    choose(qtbot, window, "&Scenario", "compare.open")
    compared(qtbot, window)

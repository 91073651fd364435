"""The tour: five steps, each beside what it is about, left at any time and not forced on anyone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.settings import Settings
from app.windows.tour import STOPS, Tour, corner_beside
from app.windows.window import MainWindow
from models.project.project import Project
from models.scenario.scenario import Scenario
from tests.app import samples
from tests.app.gestures import LEFT, at_rest
from tests.app.windows.whole import Answers, forget_changes, made, trigger, wait_for_charts
from tests.sweeps import some

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def opened(qtbot: QtBot, settings: Settings, scenario: Scenario) -> MainWindow:
    window = made(Project.of(scenario), settings, Answers())
    qtbot.addWidget(window, before_close_func=forget_changes)
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.resize(1366, 768)
    with qtbot.waitExposed(window):
        window.show()
    wait_for_charts(qtbot, window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> MainWindow:
    return opened(qtbot, settings, samples.scenario())


def begun(window: MainWindow) -> Tour:
    trigger(window, "tour.start")
    assert window.tour.shown is not None
    return window.tour.shown


def click(tour: Tour, text: str) -> None:
    buttons = tour.findChildren(QPushButton)
    QTest.mouseClick(next(button for button in buttons if button.text() == text), LEFT)


def test_each_step_lights_its_place(window: MainWindow) -> None:
    tour = begun(window)
    for stop in STOPS:
        assert tour.stop is stop
        place = window.place(stop.place)
        corner = place.mapTo(window, QPoint(0, 0))
        assert tour.bright.contains(QRect(corner, place.size()))
        assert window.rect().contains(tour.bubble)
        assert not tour.bubble.intersects(tour.bright)
        click(tour, "Done" if stop is STOPS[-1] else "Next")
    assert window.tour.shown is None


def test_the_keyboard_goes_through_it(window: MainWindow) -> None:
    tour = begun(window)
    for _ in STOPS[1:]:
        QTest.keyClick(tour, Qt.Key.Key_Right)
    assert tour.stop is STOPS[-1]
    QTest.keyClick(tour, Qt.Key.Key_Left)
    assert tour.stop is STOPS[-2]
    QTest.keyClick(tour, Qt.Key.Key_Escape)
    assert window.tour.shown is None


def test_tab_stays_in_the_bubble(qtbot: QtBot, window: MainWindow) -> None:
    tour = begun(window)
    for _ in range(6):
        now = QApplication.focusWidget()
        assert now is not None
        assert tour.isAncestorOf(now)
        QTest.keyClick(now, Qt.Key.Key_Tab)
    click(tour, "Skip the tour")
    qtbot.waitUntil(window.board.hasFocus)


@pytest.mark.parametrize("by_tab", some([False, True]))
def test_nothing_goes_with_it(qtbot: QtBot, window: MainWindow, by_tab: bool) -> None:
    """When Qt has deleted it, menus and board work on: focus goes on as a focused widget hides."""
    tour = begun(window)
    buttons = tour.findChildren(QPushButton)
    qtbot.waitUntil(lambda: any(button.hasFocus() for button in buttons))
    if by_tab:
        now = QApplication.focusWidget()
        assert now is not None
        QTest.keyClick(now, Qt.Key.Key_Tab)
    for stop in STOPS:
        click(tour, "Done" if stop is STOPS[-1] else "Next")
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert not isValid(tour)
    assert all(isValid(menu) for menu in (*window.menus, window.menuBar(), window.statusBar()))
    window.selection.set(("m1",))
    assert window.actions_by_id.submenu("move").isEnabled()
    trigger(window, "files.new")
    assert not window.session.scenario.vms


def test_it_is_remembered(window: MainWindow, settings: Settings) -> None:
    trigger(window, "start.open")
    assert window.start.page is not None
    assert window.start.page.tour.text() == "New here? Take the tour"
    QTest.mouseClick(window.start.page.tour, LEFT)
    assert window.tour.shown is not None
    assert not window.start.is_open
    window.tour.shown.end()
    assert settings.has_toured
    trigger(window, "start.open")
    assert window.start.page.tour.text() == "Take the tour"


def test_it_does_not_come_by_itself(window: MainWindow) -> None:
    assert window.tour.shown is None


def test_with_nothing_on_the_board_it_opens_an_example(qtbot: QtBot, settings: Settings) -> None:
    window = opened(qtbot, settings, Scenario(name="Empty"))
    tour = begun(window)
    assert window.session.scenario.hosts
    tour.end()


def test_it_follows_the_size_of_the_window(qtbot: QtBot, window: MainWindow) -> None:
    tour = begun(window)
    window.resize(1600, 900)
    at_rest(qtbot, window)
    assert tour.size() == window.size()
    place = window.place("verdict")
    assert tour.bright.width() >= place.width()
    tour.end()


@pytest.mark.parametrize(
    "bright",
    [
        QRect(0, 0, 1366, 120),
        QRect(0, 500, 300, 260),
        QRect(1000, 120, 366, 640),
        QRect(0, 0, 1366, 768),
        QRect(),
    ],
)
def test_the_bubble_is_always_inside(bright: QRect) -> None:
    room, size = QRect(0, 0, 1366, 768), QSize(330, 180)
    box = QRect(corner_beside(bright, size, room), size)
    assert room.contains(box)

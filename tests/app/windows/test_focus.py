"""The focus can be seen wherever Tab brings it, and Tab goes where one reads."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.look import LOOK
from app.settings import Settings
from app.theme import DARK, HIGH_CONTRAST, LIGHT, THEMES
from app.widgets.sections.table import TableView
from app.windows.help import KeysDialog
from app.windows.own_form import OwnForm
from app.windows.own_kinds import WORKLOAD_KIND, array_kind, server_kind
from app.windows.window import MainWindow
from models.project.project import Project
from resources.catalog_files import load_catalog, load_processors
from resources.example_files import load_examples
from tests.app import samples
from tests.app.gestures import at_rest
from tests.app.pictures import Pixels, changed_visibly, picture_of
from tests.app.windows.whole import (
    WITH_CHARTS,
    Answers,
    at_start,
    forget_changes,
    made,
    trigger,
    wait_for_charts,
)
from tests.sweeps import some

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
LEAST_PX = 40
AROUND = 3
MOST_STOPS = 150
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    project = Project.of(samples.scenario())
    window = made(project, Settings(tmp_path / "settings.ini"), Answers())
    qtbot.addWidget(window, before_close_func=forget_changes)
    shown(qtbot, window)
    wait_for_charts(qtbot, window)
    begin_at(qtbot, window.board)
    return window


@pytest.fixture
def start_window(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    window = at_start(qtbot, Settings(tmp_path / "settings.ini"), Answers())
    with qtbot.waitSignal(window.completed):
        shown(qtbot, window)
    assert window.start.page is not None
    begin_at(qtbot, window.start.page.cards[0])
    return window


def shown(qtbot: QtBot, window: QWidget) -> None:
    window.resize(*WITH_CHARTS)
    with qtbot.waitExposed(window):
        window.show()


def begin_at(qtbot: QtBot, widget: QWidget) -> None:
    widget.window().activateWindow()
    qtbot.waitUntil(widget.isActiveWindow)
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)


def stops(
    window: QWidget, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> Iterator[QWidget]:
    """The widgets that Tab reaches, once around."""
    first: QWidget | None = None
    for _ in range(MOST_STOPS):
        now = QApplication.focusWidget()
        assert now is not None
        QTest.keyClick(now, Qt.Key.Key_Tab, keys)
        QApplication.processEvents()
        now = QApplication.focusWidget()
        if now is first or now is None:
            return
        first = first or now
        yield now


def place_in(window: QWidget, widget: QWidget) -> QRect:
    area = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
    return area.adjusted(-AROUND, -AROUND, AROUND, AROUND).intersected(window.rect())


def part(picture: Pixels, area: QRect) -> Pixels:
    return picture[area.top() : area.bottom() + 1, area.left() : area.right() + 1]


def unseen(window: QWidget) -> list[str]:
    """Widgets that look the same with and without the focus."""
    top = window.window()  # the ring is drawn over all of it
    found, before = [], picture_of(top)
    for widget in stops(window):
        after = picture_of(top)
        area = place_in(top, widget)
        if changed_visibly(part(before, area), part(after, area)) < LEAST_PX:
            found.append(f"{type(widget).__name__} {widget.accessibleName()}")
        before = after
    return found


def themes(*now: str) -> list[ParameterSet]:
    """All, but in every run only these; the one ring of a theme goes around window and page."""
    return [pytest.param(name, marks=() if name in now else pytest.mark.slow) for name in THEMES]


@pytest.mark.parametrize("name", themes(HIGH_CONTRAST.name))
def test_the_focus_is_seen_in_the_window(window: MainWindow, name: str) -> None:
    window.looks.set_theme(THEMES[name])
    assert unseen(window) == []


@pytest.mark.parametrize("name", themes(DARK.name))
@pytest.mark.slow
def test_the_focus_is_seen_on_the_start_page(start_window: MainWindow, name: str) -> None:
    start_window.looks.set_theme(THEMES[name])
    assert unseen(start_window) == []


def test_the_focus_is_seen_in_the_evidence_and_goes_as_one_reads(
    qtbot: QtBot, window: MainWindow
) -> None:
    """Also on words that merely scroll: without the focus no key would move them."""
    window.looks.set_theme(LIGHT)
    trigger(window, "evidence.open")
    opened = window.evidence.opened
    assert opened is not None
    tab = opened.page.accuracy
    qtbot.waitUntil(lambda: bool(tab.view.sections))
    begin_at(qtbot, tab.view)
    assert unseen(opened) == []
    begin_at(qtbot, tab.view)
    order = list(stops(opened))
    errors, naive = tab.view.findChildren(TableView)
    assert order.index(errors) < order.index(naive)
    areas = tab.view.findChildren(QScrollArea)
    assert all(area in order for area in areas if area.verticalScrollBar().maximum())
    window.evidence.close()


def test_the_focus_is_seen_and_named_among_the_keys(qtbot: QtBot, window: MainWindow) -> None:
    window.looks.set_theme(LIGHT)
    dialog = KeysDialog(window)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    (area,) = dialog.findChildren(QScrollArea)
    begin_at(qtbot, area)
    assert area.accessibleName()
    assert unseen(dialog) == []


def test_tab_reads_the_window_from_left_to_right(window: MainWindow) -> None:
    names = ("verdict", "catalog", "scenarios", "board", "charts", "inspector", "findings")
    seen = [
        next(name for name in names if window.place(name).isAncestorOf(widget))
        for widget in stops(window)
        if any(window.place(name).isAncestorOf(widget) for name in names)
    ]
    once = list(dict.fromkeys(seen))
    assert [name for name in names if name in once] == sorted(once, key=names.index)
    assert {"verdict", "catalog", "scenarios", "board", "charts", "inspector"} <= set(once)
    # Each part is left for good before the next one begins, but for the one it started in.
    turns = [name for name, before in zip(seen, [None, *seen], strict=False) if name != before]
    assert len(turns) <= len(once) + 1


def test_tab_reads_each_side_from_its_top_down(qtbot: QtBot, window: MainWindow) -> None:
    """A heading comes before what it folds, a tab before what it shows, whatever was made first."""
    window.selection.clear()
    window.resize(1366, 768)
    at_rest(qtbot, window)
    around = list(stops(window))
    inspector = [window.right.isAncestorOf(each) for each in around].index(True)
    assert around[inspector] is window.right.tabs
    for side in (window.left, window.inspector):
        inside = [each for each in around if side.isAncestorOf(each)]
        heights = [each.mapTo(window, QPoint(0, 0)).y() for each in inside]
        assert len(heights) >= 6
        assert heights == sorted(heights)


def test_the_row_that_enter_would_take_is_marked(window: MainWindow) -> None:
    """Also the first, which Qt makes the current one without selecting it."""
    catalog = window.catalog
    QTest.keyClicks(catalog.search, "fas30")
    QTest.keyClick(catalog.search, Qt.Key.Key_Down)
    assert catalog.list.hasFocus()
    assert catalog.list.selectedIndexes() == [catalog.list.model().index(0, 0)]
    catalog.clear_search()
    assert catalog.list.selectedIndexes() == []
    section = catalog.sections[0]
    section.setFocus()
    QTest.keyClick(section, Qt.Key.Key_Tab)
    assert catalog.list.hasFocus()
    assert catalog.list.selectedIndexes() == [catalog.list.currentIndex()]


@pytest.mark.parametrize("name", some(["failures", "findings"]))
def test_the_row_of_a_list_that_the_keys_are_at_is_marked(
    qtbot: QtBot, window: MainWindow, name: str
) -> None:
    view: QAbstractItemView
    if name == "failures":
        window.charts.setCurrentWidget(window.charts.failures)
        view = window.charts.failures.view
    else:
        window.right.bring(1)
        view = window.findings.view
    at_rest(qtbot, window)
    model = view.model()
    qtbot.waitUntil(lambda: model.rowCount() > 1)
    assert view.selectedIndexes() == []
    begin_at(qtbot, window.board)
    assert view in list(stops(window))
    assert {index.row() for index in view.selectedIndexes()} == {0}


@pytest.mark.parametrize("kind", ["server", "array", "workload"])
def test_tab_goes_down_the_form_of_an_own_entry(qtbot: QtBot, kind: str) -> None:
    dialog: OwnForm[Any]
    if kind == "server":
        dialog = OwnForm(server_kind(load_processors()), set())
    elif kind == "array":
        dialog = OwnForm(array_kind(load_catalog().raid_levels), set())
    else:
        dialog = OwnForm(WORKLOAD_KIND, set())
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    begin_at(qtbot, dialog.fields["name"])
    *below, first = stops(dialog)
    assert first is dialog.fields["name"]
    heights = [each.mapTo(dialog, QPoint(0, 0)).y() for each in below]
    assert len(heights) >= 8
    assert heights == sorted(heights)


def test_shift_tab_goes_the_same_way_back(window: MainWindow) -> None:
    there = list(stops(window))
    back = list(stops(window, SHIFT))
    assert set(there) == set(back)


def test_rows_that_are_made_anew_stay_in_their_place(qtbot: QtBot, window: MainWindow) -> None:
    """Qt alone would put them at the end."""
    window.selection.select("m1")
    window.session.flush()
    at_rest(qtbot, window)
    page = window.inspector
    inside = [page.isAncestorOf(widget) for widget in stops(window)]
    first, last = inside.index(True), len(inside) - inside[::-1].index(True)
    assert all(inside[first:last]) or not inside[0] or not inside[-1]
    trigger(window, "journey.board")


def test_the_theme_changes_in_a_window_that_began_on_the_start_page(
    start_window: MainWindow,
) -> None:
    start_window.files.open_example(load_examples()[0].id)
    gc.collect()
    for theme in THEMES.values():
        start_window.looks.set_theme(theme)
        assert LOOK.theme is theme

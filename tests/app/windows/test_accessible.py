"""Whatever is painted says to a screen reader what it is, what it is called and what it shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from app.settings import Settings
from app.widgets.dials import Dial
from app.widgets.fields.choice import Dropdown
from app.widgets.fields.stepper import Stepper
from app.widgets.labels import Sign
from app.widgets.nudges import Nudger
from app.windows.journey import JOURNEY
from app.windows.tabbing import FocusRing
from app.windows.window import MainWindow
from models.project.project import Project
from models.scenario.scenario import Scenario
from tests.app import samples
from tests.app.sessions import two_hosts
from tests.app.windows.whole import WITH_CHARTS, Answers, forget_changes, made, wait_for_charts

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
DECORATION = (FocusRing, Sign, Stepper, QMainWindow)
"""What says nothing of its own: the thing beside it does."""

NOTHING_SAID = (QAccessible.Role.Client, QAccessible.Role.NoRole)


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    return opened(qtbot, tmp_path, samples.scenario())


def opened(qtbot: QtBot, tmp_path: Path, scenario: Scenario) -> MainWindow:
    window = made(Project.of(scenario), Settings(tmp_path / "settings.ini"), Answers())
    qtbot.addWidget(window, before_close_func=forget_changes)
    window.resize(*WITH_CHARTS)
    with qtbot.waitExposed(window):
        window.show()
    wait_for_charts(qtbot, window)
    return window


def painted(window: QWidget) -> Iterator[QWidget]:
    """What is in sight and painted by the program."""
    for widget in window.findChildren(QWidget):
        own = (kind for kind in type(widget).__mro__ if kind.__module__.startswith("app."))
        if widget.isVisibleTo(window) and any("paintEvent" in vars(kind) for kind in own):
            yield widget


def mute(window: QWidget) -> list[str]:
    """What has no role or no name."""
    found = []
    for widget in painted(window):
        access = cast("QAccessibleInterface | None", QAccessible.queryAccessibleInterface(widget))
        name = "" if access is None else access.text(QAccessible.Text.Name)
        if isinstance(widget, DECORATION) or not widget.isEnabled():
            continue
        if access is None or access.role() in NOTHING_SAID or not (name or _shows_nothing(widget)):
            found.append(
                f"{type(widget).__name__}: {None if access is None else access.role()}, {name!r}"
            )
    return found


def _shows_nothing(widget: QWidget) -> bool:
    """Labels that are empty now, and the field inside of a choice that has the name."""
    text = getattr(widget, "text", None)
    parent = widget.parentWidget()
    is_inside = parent is not None and bool(parent.accessibleName())
    return is_inside or (callable(text) and not text())


def nameless(item: QAccessibleInterface) -> list[str]:
    """What the focus can come to and has no name, from one item down."""
    found, state, kind = [], item.state(), item.role()
    if kind in (QAccessible.Role.Table, QAccessible.Role.List, QAccessible.Role.Tree):
        return []  # rows say what they hold
    is_reached = state.focusable and not state.invisible and not state.disabled
    if is_reached and not (item.text(QAccessible.Text.Name) or item.relations()):
        found.append(f"{kind}: {item.object()}")
    for at in range(item.childCount()):
        child = cast("QAccessibleInterface | None", item.child(at))
        if child is not None:
            found += nameless(child)
    return found


def look_at_every_page(window: MainWindow) -> None:
    """But for the evidence, which takes seconds to work out; `packaging/at_spi.py` reads it."""
    names = [page.name for stage in JOURNEY for page in stage.pages]
    for name in (name for name in names if name != "evidence"):
        window.stack.bring(name)
        page = window.stack._pages.currentWidget()
        assert page is not None
        assert mute(page) == [], name
        item = QAccessible.queryAccessibleInterface(page)
        assert item is not None
        assert item.text(QAccessible.Text.Name), name
        assert nameless(item) == [], name
    window.stack.close_pages()


def test_everything_painted_has_role_and_name(qtbot: QtBot, window: MainWindow) -> None:
    assert len(list(painted(window))) > 30
    assert mute(window) == []
    for id in ("h1", "m1", window.session.scenario.pools[0].id):
        window.selection.select(id)
        window.session.flush()
        assert mute(window) == []


def test_every_tab_of_the_charts_and_every_page(qtbot: QtBot, tmp_path: Path) -> None:
    window = opened(qtbot, tmp_path, two_hosts(1))  # a storm over many servers takes seconds
    for place in range(window.charts.count()):
        window.charts.setCurrentIndex(place)
        qtbot.waitUntil(lambda: window.session.is_settled)
        assert mute(window.charts) == []
    look_at_every_page(window)


def test_what_is_chosen_and_what_for(qtbot: QtBot) -> None:
    """Over AT-SPI a list is called by what is chosen in it."""
    field = Dropdown()
    qtbot.addWidget(field)
    field.addItem("Notes client")
    field.setAccessibleName("Kind of users")
    access = QAccessible.queryAccessibleInterface(field)
    assert access is not None
    words = {access.text(QAccessible.Text.Name), access.text(QAccessible.Text.Description)}
    assert "Kind of users" in words


def test_the_start_page_and_the_meeting_screen(qtbot: QtBot, window: MainWindow) -> None:
    window.start.open()
    assert window.start.page is not None
    assert mute(window.start.page) == []
    window.start.leave()
    window.meeting.toggle()
    assert window.meeting.opened is not None
    assert mute(window.meeting.opened) == []
    window.meeting.toggle()


def said(widget: QWidget) -> tuple[QAccessible.Role, str]:
    access = QAccessible.queryAccessibleInterface(widget)
    assert access is not None
    return access.role(), access.text(QAccessible.Text.Value)


def test_dials_knobs_numbers_and_charts_tell_their_values(window: MainWindow) -> None:
    dial = window.verdict.findChildren(Dial)[0]
    assert said(dial) == (QAccessible.Role.Dial, dial.text.value)
    knob = window.verdict.findChildren(Nudger)[0]
    assert said(knob) == (QAccessible.Role.SpinBox, knob.aim.value)
    chart = window.charts.curve.chart
    assert chart is not None
    assert said(chart) == (QAccessible.Role.Chart, chart.accessibleDescription())
    assert chart.accessibleDescription()
    window.selection.select("h1")
    window.session.flush()
    row = window.inspector.numbers.rows[0]
    role, value = said(row)
    assert role is QAccessible.Role.Button
    assert value in row.accessibleName()

"""The page of recommendations: what is asked, what is found, and what becomes of a row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.session import Session
from app.settings import Settings
from app.windows.recommend_window import RecommendWindow
from models.options.purchasable import is_sold
from models.prediction import Verdict
from models.scenario import Scenario
from tests.app.sessions import session_of, two_hosts


@pytest.fixture(scope="module")
def session() -> Session:
    return session_of(Scenario(name="Empty"))


@pytest.fixture
def page(qtbot: QtBot, session: Session, tmp_path: Path) -> Iterator[RecommendWindow]:
    window = RecommendWindow(session, Settings(tmp_path / "settings.ini"))
    window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(window)
    window.server.show_value("xeon6-6730p")
    window.array.show_value("aff-a800")
    window.numbers["users"].show_value(3000)
    window.numbers["registered"].show_value(7000)
    yield window
    window.give_up()


def found(page: RecommendWindow, qtbot: QtBot) -> None:
    page.look()
    qtbot.waitUntil(lambda: page.option is not None)


def test_options_are_found_and_a_row_becomes_a_scenario(
    page: RecommendWindow, session: Session, qtbot: QtBot
) -> None:
    found(page, qtbot)
    before = session.project
    page.choose("1")
    page.adopt()
    assert session.view.committed.verdict is Verdict.FITS
    assert session.project.baseline == session.project.active
    session.stack.undo()
    assert session.project == before


def test_a_point_of_the_chart_is_an_option(page: RecommendWindow, qtbot: QtBot) -> None:
    found(page, qtbot)
    page.resize(1100, 700)
    page.front.grab()
    chart = page.front
    last = chart.options[-1]
    at = chart.canvas.mapFromScene(chart.place_of(last.units, last.least_headroom))
    with qtbot.waitSignal(chart.chosen) as chosen:
        QTest.mouseClick(chart.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert chosen.args == [str(len(chart.options))]
    assert page.option is last


def test_the_board_is_what_is_asked_for_where_it_has_vms(qtbot: QtBot, tmp_path: Path) -> None:
    session = session_of(two_hosts())
    window = RecommendWindow(session, Settings(tmp_path / "settings.ini"))
    window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(window)
    assert window.requirement().vms == session.scenario.vms
    window.of.setCurrentIndex(0)
    assert not window.requirement().vms
    assert window.requirement().loads[0].work.active_users == 12_000


def test_a_search_can_be_stopped(page: RecommendWindow) -> None:
    page.server.show_value(None)
    page.look()
    assert not page.stop.isHidden()
    page.give_up()
    assert page.stop.isHidden()
    assert page.go.isEnabled()


def test_nothing_found_says_so(page: RecommendWindow, qtbot: QtBot) -> None:
    page.numbers["max_hosts"].show_value(1)
    page.look()
    qtbot.waitUntil(lambda: page._found is not None)
    assert page.option is None
    assert not page.take.isEnabled()


def test_servers_and_arrays_are_found_by_any_part_of_their_name(
    page: RecommendWindow, session: Session
) -> None:
    for field, kind, part in ((page.server, "servers", "6730P"), (page.array, "arrays", "NVMe")):
        field.show_value(None)
        entries = getattr(session.catalog, kind).items()
        names = {each.name: id for id, each in entries if is_sold(each)}
        name = next(name for name in names if part in name)
        line = field.lineEdit()
        assert line is not None
        line.setText(name.lower())
        QTest.keyClick(line, Qt.Key.Key_Return)
        assert field.value == names[name]

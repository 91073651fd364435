"""Scenarios side by side on screen, by mouse and keys."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.look import LOOK
from app.session import Session
from app.theme import DARK
from app.widgets.compare.panel import ComparePanel
from app.widgets.sections.table import TableView
from models.scenario.scenario import Host, Scenario
from models.scenario.wording import THIN
from tests.app.sessions import Place

LEFT = Qt.MouseButton.LeftButton


def with_ram(scenario: Scenario, ram_gib: float) -> Scenario:
    return scenario.edit(Host, "h1", lambda host: replace(host, ram_gib=ram_gib))


@pytest.fixture
def panel(qtbot: QtBot, place: Place, mail_session: Session) -> ComparePanel:
    """Three scenarios: the first, a copy of it with more RAM, and a copy of that copy."""
    for source in ("s1", "s2"):
        project = mail_session.project.duplicated(source)
        mail_session.edit_project(project, "Duplicate")
        ram = 40.0 if source == "s1" else 48.0
        mail_session.edit(with_ram(mail_session.scenario, ram), "Set RAM")
    mail_session.flush()
    panel = ComparePanel(mail_session)
    place(panel, 900, 420)
    panel.choose(["s1", "s2", "s3"])
    return panel


def tables(panel: ComparePanel) -> list[TableView]:
    """That of the scenarios, then the parts of the comparison."""
    return panel.view.findChildren(TableView)


def place_of(panel: ComparePanel, label: str) -> tuple[TableView, int]:
    return next(
        (view, n)
        for view in tables(panel)
        for n, row in enumerate(view.table.rows)
        if row.words[0] == label
    )


def cell(panel: ComparePanel, label: str, column: int) -> str:
    view, row = place_of(panel, label)
    words: str = view.table.rows[row].words[1 + column]
    return words.replace(THIN, " ")


def test_columns_are_compared_with_the_first_or_with_their_parents(panel: ComparePanel) -> None:
    assert cell(panel, "esx1: RAM", 2) == "48 GiB (+16 GiB)"
    panel.against_field.setFocus()
    QTest.keyClick(panel.against_field, Qt.Key.Key_Down)
    assert cell(panel, "esx1: RAM", 2) == "48 GiB (+8 GiB)"
    assert panel.comparison is not None
    assert panel.comparison.references == (None, 0, 1)


def test_the_original_comes_first_however_they_were_picked(panel: ComparePanel) -> None:
    panel.choose(["s3", "s2", "s1"])
    assert panel.chosen == ("s1", "s2", "s3")


def test_an_edit_is_followed(qtbot: QtBot, panel: ComparePanel, mail_session: Session) -> None:
    mail_session.edit(with_ram(mail_session.scenario, 64.0), "Set RAM")
    qtbot.waitUntil(lambda: cell(panel, "esx1: RAM", 2) == "64 GiB (+32 GiB)")
    mail_session.stack.undo()
    qtbot.waitUntil(lambda: cell(panel, "esx1: RAM", 2) == "48 GiB (+16 GiB)")


def test_identical_ones_say_so(qtbot: QtBot, panel: ComparePanel, mail_session: Session) -> None:
    mail_session.edit_project(mail_session.project.duplicated("s1"), "Duplicate")
    panel.choose(["s1", "s4"])
    said = [label.text() for label in panel.view.findChildren(QLabel)]
    assert "Identical: no input differs, so every number is the same." in said
    assert len(tables(panel)) == 1
    assert not panel.copy_button.isEnabled()
    mail_session.flush()


def test_the_baseline_comes_first_and_four_are_most(
    panel: ComparePanel, mail_session: Session
) -> None:
    project = mail_session.project
    for _ in range(2):
        project = project.duplicated("s1")
    mail_session.edit_project(project.with_baseline("s3"), "More")
    panel.choose(["s1", "s2", "s3", "s4", "s5"])
    assert list(panel.chosen) == ["s3", "s1", "s2", "s4"]
    choices = {action.data(): action for action in panel.choose_button.menu().actions()}
    assert not choices["s5"].isEnabled()
    choices["s1"].trigger()
    assert list(panel.chosen) == ["s3", "s2", "s4"]
    mail_session.flush()


def test_one_that_is_deleted_leaves(
    qtbot: QtBot, panel: ComparePanel, mail_session: Session
) -> None:
    mail_session.edit_project(mail_session.project.removed("s2"), "Delete")
    qtbot.waitUntil(lambda: panel.chosen == ("s1", "s3"))
    mail_session.edit_project(mail_session.project.removed("s3"), "Delete")
    qtbot.waitUntil(lambda: not panel.view.isVisible())
    assert panel.comparison is None
    mail_session.flush()


def test_a_click_on_a_scenario_asks_to_see_it(qtbot: QtBot, panel: ComparePanel) -> None:
    scenarios = tables(panel)[0]
    with qtbot.waitSignal(panel.shown_requested) as asked:
        at = scenarios.visualRect(scenarios.model().index(1, 0)).center()
        QTest.mouseClick(scenarios.viewport(), LEFT, pos=at)
    assert asked.args == ["s2"]


@pytest.mark.parametrize("key", [Qt.Key.Key_E, Qt.Key.Key_Return])
def test_e_asks_why_a_number_is_as_it_is(qtbot: QtBot, panel: ComparePanel, key: Qt.Key) -> None:
    view, row = place_of(panel, "esx1: RAM in use")
    view.setCurrentIndex(view.model().index(row, 3))
    with qtbot.waitSignal(panel.why_requested) as asked:
        QTest.keyClick(view, key)
    assert asked.args == ["s3", "h1", "ram_pct"]


def test_the_table_goes_to_the_clipboard(panel: ComparePanel) -> None:
    QTest.mouseClick(panel.copy_button, LEFT)
    assert "esx1: RAM\t" in QGuiApplication.clipboard().text()
    QGuiApplication.clipboard().clear()


def test_it_is_painted_in_both_themes(panel: ComparePanel) -> None:
    light = panel.grab().toImage()
    LOOK.use(DARK)
    assert panel.grab().toImage() != light

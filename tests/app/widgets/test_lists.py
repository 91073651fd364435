"""Findings, failures and scenarios on screen, by mouse and keys."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QLineEdit
from pytestqt.qtbot import QtBot

from app.qtmodels import failures
from app.selection import Selection
from app.session import Session
from app.theme import DARK
from app.widgets.failures import FailureTable
from app.widgets.findings import FindingsPanel, counts_text
from app.widgets.scenarios import ScenarioList
from models.scenario import Scenario, Vm
from tests.app.widgets.conftest import Place


def spot(view: QAbstractItemView, row: int, column: int = 0) -> QPoint:
    index = view.model().index(row, column)
    view.scrollTo(index)
    return view.visualRect(index).center()


def click(view: QAbstractItemView, row: int) -> None:
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot(view, row))


# --- findings ---------------------------------------------------------------------------------


@pytest.fixture
def findings(place: Place, mail_session: Session, selection: Selection) -> FindingsPanel:
    panel = FindingsPanel(mail_session, selection)
    place(panel, 300, 400)
    return panel


def with_fault_tolerance(scenario: Scenario) -> Scenario:
    """ESX 3.0.1 knows no Fault Tolerance, and four vCPUs are too many for it."""
    return scenario.edit(Vm, "m1", lambda vm: replace(vm, fault_tolerance=True))


def test_findings_are_counted_and_lead_to_their_subject(
    findings: FindingsPanel, mail_session: Session, selection: Selection
) -> None:
    mail_session.edit(with_fault_tolerance(mail_session.scenario), "FT on")
    mail_session.flush()
    found = mail_session.view.prediction.findings
    assert found
    assert findings.counts == counts_text(found)
    rows = [row.finding for row in findings.model.rows]
    number = next(n for n, finding in enumerate(rows) if finding.subject == "m1")
    click(findings.view, number)
    assert selection.ids == ("m1",)
    selection.clear()
    QTest.keyClick(findings.view, Qt.Key.Key_Return)
    assert selection.ids == ("m1",)


def test_a_head_selects_all_that_it_speaks_of_and_opens(
    findings: FindingsPanel, mail_session: Session, selection: Selection
) -> None:
    scenario = mail_session.scenario
    vms = tuple(
        replace(scenario.vms[0], id=f"m{n}", name=f"Mail-{n}", fault_tolerance=True)
        for n in range(1, 7)
    )
    mail_session.edit(replace(scenario, vms=vms), "Crowd")
    mail_session.flush()
    number = next(n for n, row in enumerate(findings.model.rows) if row.count)
    head = findings.model.rows[number]
    before = len(findings.model.rows)
    click(findings.view, number)
    assert set(selection.ids) == set(head.subjects)
    assert len(findings.model.rows) == before + head.count
    QTest.keyClick(findings.view, Qt.Key.Key_Left)
    assert len(findings.model.rows) == before


def test_no_finding_is_said(findings: FindingsPanel, mail_session: Session) -> None:
    mail_session.edit(Scenario(name="Empty"), "Remove everything")
    mail_session.flush()
    assert findings.is_empty == (not mail_session.view.prediction.findings)


def test_rows_are_as_high_as_their_text(findings: FindingsPanel, mail_session: Session) -> None:
    mail_session.edit(with_fault_tolerance(mail_session.scenario), "FT on")
    mail_session.flush()
    wide = findings.view.sizeHintForRow(0)
    findings.resize(180, 400)
    assert findings.view.sizeHintForRow(0) > wide
    findings.set_theme(DARK)


# --- failures ---------------------------------------------------------------------------------


@pytest.fixture
def table(place: Place, mail_session: Session, selection: Selection) -> FailureTable:
    table = FailureTable(mail_session, selection)
    place(table, 820, 260)
    return table


def test_a_failure_leads_to_its_host_however_sorted(
    table: FailureTable, selection: Selection
) -> None:
    table.view.sortByColumn(failures.MODE, Qt.SortOrder.DescendingOrder)
    for row in range(table.sorted.rowCount()):
        label = table.sorted.index(row, failures.MODE).data()
        selection.clear()
        click(table.view, row)
        expected = () if label == failures.NORMAL else (f"h{label[3]}",)
        assert selection.ids == expected


def test_the_table_is_the_predictions(table: FailureTable, mail_session: Session) -> None:
    modes = mail_session.view.prediction.failures
    shown = [row for row in table.model.rows if row.subject]
    assert [row.subject for row in shown] == [mode.host for mode in modes]
    assert [row.verdict for row in shown] == [mode.verdict for mode in modes]
    assert [row.numbers[0].quantity for row in shown] == [mode.cpu_pct for mode in modes]


def test_without_anything_the_table_says_so(table: FailureTable, mail_session: Session) -> None:
    mail_session.edit(Scenario(name="Empty"), "Remove everything")
    mail_session.flush()
    assert not table.view.isVisibleTo(table)
    table.set_theme(DARK)


# --- scenarios --------------------------------------------------------------------------------


@pytest.fixture
def scenarios(qtbot: QtBot, place: Place, mail_session: Session) -> ScenarioList:
    panel = ScenarioList(mail_session)
    place(panel, 240, 300)
    panel.view.setFocus()
    qtbot.waitUntil(panel.view.hasFocus)
    return panel


def names(panel: ScenarioList) -> list[str]:
    return [row.name for row in panel.model.rows]


def test_duplicate_by_key_and_undo(scenarios: ScenarioList, mail_session: Session) -> None:
    QTest.keyClick(scenarios.view, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert names(scenarios) == ["Two hosts", "Two hosts 2"]
    assert mail_session.stack.undoText() == "Duplicate “Two hosts”"
    assert scenarios.current_id == mail_session.project.active == "s2"
    mail_session.stack.undo()
    assert names(scenarios) == ["Two hosts"]


def test_a_click_shows_a_scenario_and_is_no_step(
    scenarios: ScenarioList, mail_session: Session
) -> None:
    scenarios.duplicate()
    steps = mail_session.stack.count()
    click(scenarios.view, 0)
    assert mail_session.project.active == "s1"
    QTest.keyClick(scenarios.view, Qt.Key.Key_Down)
    QTest.keyClick(scenarios.view, Qt.Key.Key_Return)
    assert mail_session.project.active == "s2"
    assert mail_session.stack.count() == steps


def test_renaming_in_place(qtbot: QtBot, scenarios: ScenarioList, mail_session: Session) -> None:
    QTest.keyClick(scenarios.view, Qt.Key.Key_F2)
    editor = scenarios.view.findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, "Plan B")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: mail_session.scenario.name == "Plan B")
    assert mail_session.stack.undoText() == "Rename to “Plan B”"


def test_a_name_that_is_taken_is_refused_in_words(
    qtbot: QtBot, scenarios: ScenarioList, mail_session: Session
) -> None:
    scenarios.duplicate()
    with qtbot.waitSignal(mail_session.message) as said:
        scenarios.model.setData(scenarios.model.index(1, 0), "Two hosts")
    assert said.args == ["Not renamed: another scenario is called “Two hosts”."]


def test_deleting_can_be_undone_and_the_last_one_stays(
    scenarios: ScenarioList, mail_session: Session
) -> None:
    assert not scenarios.delete_action.isEnabled()
    scenarios.duplicate()
    QTest.keyClick(scenarios.view, Qt.Key.Key_Delete)
    assert names(scenarios) == ["Two hosts"]
    assert mail_session.stack.undoText() == "Delete “Two hosts 2”"
    mail_session.stack.undo()
    assert names(scenarios) == ["Two hosts", "Two hosts 2"]


def test_the_baseline_is_marked_and_can_be_taken_back(
    scenarios: ScenarioList, mail_session: Session
) -> None:
    scenarios.baseline_action.trigger()
    assert scenarios.model.rows[0].is_baseline
    assert scenarios.baseline_action.text() == "No baseline"
    scenarios.baseline_action.trigger()
    assert mail_session.project.baseline is None
    assert mail_session.stack.count() == 2


def test_every_scenario_gets_its_verdict(
    qtbot: QtBot, scenarios: ScenarioList, mail_session: Session
) -> None:
    scenarios.duplicate()
    crowded = mail_session.scenario.place(["m1", "m2", "m3"], "h1")
    mail_session.edit(crowded, "Move 3 VMs to esx1")
    scenarios.duplicate()
    qtbot.waitUntil(lambda: all(row.shown is not None for row in scenarios.model.rows))
    shown = {row.key: row.shown for row in scenarios.model.rows}
    assert shown[mail_session.project.active] == mail_session.view.prediction.shown


def test_the_menu_holds_every_act(scenarios: ScenarioList) -> None:
    menu = scenarios.menu()
    texts = [action.text() for action in menu.actions()]
    assert texts == ["Duplicate", "Rename", "Use as baseline", "Delete"]
    menu.deleteLater()
    scenarios.set_theme(DARK)


def test_rows_survive_an_update(scenarios: ScenarioList, mail_session: Session) -> None:
    scenarios.duplicate()
    current = scenarios.view.currentIndex()
    assert current != QModelIndex()
    mail_session.edit(replace(mail_session.scenario, notes="x"), "Write notes")
    mail_session.flush()
    assert scenarios.view.currentIndex().row() == current.row()

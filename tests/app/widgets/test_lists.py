"""Findings, failures and scenarios on screen, by mouse and keys."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QStyleOptionViewItem, QToolButton
from pytestqt.qtbot import QtBot

from app.look import LOOK
from app.qtmodels import failures
from app.selection import Selection
from app.session import Session
from app.theme import DARK
from app.widgets.failures import FLAG_LINES, MISSING_LINES, FailureTable
from app.widgets.findings import Block, FindingsPanel, counts_text, fewer_counts
from app.widgets.labels import in_lines
from app.widgets.scenarios import ScenarioList
from app.work import InlineWorker, Job, Worker
from models.failure.mode import ModeKind
from models.predict.prediction import Finding, Severity, Verdict
from models.project.project import Project
from models.resilience.mode_words import NORMAL
from models.scenario.scenario import Scenario, Vm, Workload
from models.scenario.workloads import WorkloadKind
from models.tell import failures as failure_rows
from tests.app.sessions import Place


class HeldPool:
    """Keeps jobs until they are wanted."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def start(self, job: Job, /) -> None:
        self.jobs.append(job)

    def run(self) -> None:
        jobs, self.jobs = self.jobs, []
        for job in jobs:
            job.run()


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
    assert findings.counts.text() == counts_text(found)
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


def waivable(session: Session, findings: FindingsPanel) -> int:
    """Row of the first finding about a VM with Fault Tolerance on ESX 3.0.1."""
    session.edit(with_fault_tolerance(session.scenario), "FT on")
    session.flush()
    rows = enumerate(findings.model.rows)
    return next(n for n, row in rows if row.finding.subject == "m1" and not row.count)


def test_a_finding_is_waived_with_a_reason_by_keys_alone(
    findings: FindingsPanel, mail_session: Session
) -> None:
    number = waivable(mail_session, findings)
    wanted = findings.model.rows[number].finding
    findings.view.setCurrentIndex(findings.model.index(number, 0))
    QTest.keyClick(findings.view, Qt.Key.Key_W)
    assert findings.waiving.reason.hasFocus()
    QTest.keyClick(findings.waiving.reason, Qt.Key.Key_Return)
    assert findings.waiving.is_asking, "a waiver needs a reason"
    QTest.keyClicks(findings.waiving.reason, "Upgrade in March")
    QTest.keyClick(findings.waiving.reason, Qt.Key.Key_Return)
    waiver = mail_session.scenario.waivers[0]
    assert (waiver.rule, waiver.subject) == (wanted.rule, "m1")
    assert waiver.reason == "Upgrade in March"
    assert mail_session.stack.undoText().startswith("Waive ")
    last = findings.model.rows[-1]
    assert last.is_waived
    assert "Accepted: Upgrade in March" in findings.model.index(
        len(findings.model.rows) - 1, 0
    ).data(Qt.ItemDataRole.AccessibleTextRole)
    assert findings.counts.text().endswith("1 waived")
    assert findings.view.hasFocus()
    assert findings.view.currentIndex().row() == len(findings.model.rows) - 1
    QTest.keyClick(findings.view, Qt.Key.Key_W)
    assert not mail_session.scenario.waivers
    assert "waived" not in findings.counts.text()
    mail_session.stack.undo()
    assert mail_session.scenario.waivers == (waiver,)


def test_a_waiver_is_changed_and_taken_back_by_mouse(
    findings: FindingsPanel, mail_session: Session
) -> None:
    click(findings.view, waivable(mail_session, findings))
    bar = findings.waiving
    for reason in ("Because", " of the budget"):
        QTest.mouseClick(bar.waive, Qt.MouseButton.LeftButton)
        bar.reason.end(False)
        QTest.keyClicks(bar.reason, reason)
        QTest.keyClick(bar.reason, Qt.Key.Key_Return)
    assert [waiver.reason for waiver in mail_session.scenario.waivers] == ["Because of the budget"]
    QTest.mouseClick(bar.take_back, Qt.MouseButton.LeftButton)
    assert not mail_session.scenario.waivers


def test_escape_leaves_the_finding_as_it_is(findings: FindingsPanel, mail_session: Session) -> None:
    click(findings.view, waivable(mail_session, findings))
    steps = mail_session.stack.count()
    QTest.keyClick(findings.view, Qt.Key.Key_W)
    QTest.keyClicks(findings.waiving.reason, "No")
    QTest.keyClick(findings.waiving.reason, Qt.Key.Key_Escape)
    assert not findings.waiving.is_asking
    assert findings.view.hasFocus()
    assert mail_session.stack.count() == steps


def test_a_head_waives_all_below_it_as_one_step(
    findings: FindingsPanel, mail_session: Session
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
    findings.view.setCurrentIndex(findings.model.index(number, 0))
    steps = mail_session.stack.count()
    QTest.keyClick(findings.view, Qt.Key.Key_W)
    QTest.keyClicks(findings.waiving.reason, "Accepted")
    QTest.keyClick(findings.waiving.reason, Qt.Key.Key_Return)
    assert mail_session.stack.count() == steps + 1
    waived = {waiver.subject for waiver in mail_session.scenario.waivers}
    assert waived == set(head.subjects)
    assert findings.counts.text().endswith(f"{head.count} waived")


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
    LOOK.use(DARK)


# --- failures ---------------------------------------------------------------------------------


@pytest.fixture
def table(place: Place, mail_session: Session, selection: Selection) -> FailureTable:
    table = FailureTable(mail_session, selection, worker=InlineWorker())
    place(table, 820, 260)
    return table


def test_a_failure_leads_to_its_host_however_sorted(
    table: FailureTable, selection: Selection
) -> None:
    table.view.sortByColumn(failure_rows.MODE, Qt.SortOrder.DescendingOrder)
    for row in range(table.sorted.rowCount()):
        label = table.sorted.index(row, failure_rows.MODE).data()
        selection.clear()
        click(table.view, row)
        expected = (f"h{label[3]}",) if label.startswith("esx") else ("p1",)
        assert selection.ids == (() if label == NORMAL else expected)


def test_the_numbers_of_a_design_that_is_far_off_are_not_cut(
    table: FailureTable, mail_session: Session
) -> None:
    for id in ("m1", "m2", "m3"):
        vm = mail_session.scenario.vm(id)
        busy = replace(vm, workload=replace(vm.workload, active_users=200_000.0))
        mail_session.edit(mail_session.scenario.with_item(busy), "Set users")
    mail_session.flush()
    texts = [row[failure_rows.RESPONSE] for row in cells(table)]
    assert any(len(text) > len("100,000 ms") for text in texts)
    flagged = frozenset({failure_rows.RESPONSE})
    table.model.set_rows([replace(row, worst=flagged) for row in table.model.rows])
    table._set_widths()
    flag = FLAG_LINES * table.view.fontMetrics().height()
    room = table.view.columnWidth(failure_rows.RESPONSE) - 16 - flag
    metrics = QFontMetricsF(table.view.font())
    assert [text for text in texts if metrics.horizontalAdvance(text) > room] == []


def test_what_is_missing_has_room_before_the_ready_time(place: Place, table: FailureTable) -> None:
    least = (MISSING_LINES - 1) * table.view.fontMetrics().height()
    hidden = set()
    for width in range(600, 1000, 20):
        place(table, width, 260)
        is_hidden = table.view.isColumnHidden(failure_rows.READY)
        assert is_hidden or table.view.columnWidth(failure_rows.MISSING) >= least
        hidden.add(is_hidden)
    assert hidden == {False, True}


def without_figures(scenario: Scenario) -> Scenario:
    """Of Sametime servers neither CPU nor response times are known."""
    kinds = (WorkloadKind.SAMETIME_MUX, WorkloadKind.SAMETIME_COMMUNITY)
    for place, vm in enumerate(scenario.vms):
        users = 1000.0 if place else 2000.0
        work = Workload(
            kind=kinds[min(place, 1)], release="7.5.1", active_users=users, mail_file_mb=0.0
        )
        scenario = scenario.with_item(replace(vm, workload=work))
    return scenario


def test_a_fit_of_what_is_not_known_is_not_claimed(
    table: FailureTable, mail_session: Session
) -> None:
    mail_session.edit(without_figures(mail_session.scenario), "Chat")
    mail_session.flush()
    known = [at for at, row in enumerate(table.model.rows) if not row.is_waiting]
    assert len(known) == 3
    for row in known:
        texts = cells(table)[row]
        assert texts[failure_rows.CPU] == texts[failure_rows.RESPONSE] == "no data"
        assert texts[failure_rows.VERDICT] == "not known"
        verdict = table.model.index(row, failure_rows.VERDICT).data(failures.VERDICT_ROLE)
        assert verdict is Verdict.NOT_KNOWN


def test_that_there_is_no_data_goes_on_in_a_second_line(
    table: FailureTable, mail_session: Session
) -> None:
    mail_session.edit(without_figures(mail_session.scenario), "Chat")
    mail_session.flush()
    option = QStyleOptionViewItem()
    option.widget, option.font = table.view, table.view.font()
    room = table.view.fontMetrics().horizontalAdvance("no data") - 8
    image = QImage(room + 16, 40, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    option.rect = image.rect()
    with QPainter(image) as painter:
        row = next(at for at, row in enumerate(table.model.rows) if not row.is_waiting)
        index = table.model.index(row, failure_rows.RESPONSE)
        table.view.itemDelegate().paint(painter, option, index)
    edge = {image.pixel(x, y) for x in range(10) for y in range(image.height())}
    assert edge == {0xFFFFFFFF}


def cells(table: FailureTable) -> list[list[str]]:
    model = table.model
    columns = range(model.columnCount())
    return [[model.index(n, c).data() or "" for c in columns] for n in range(model.rowCount())]


def rows_of(table: FailureTable, kind: ModeKind) -> dict[str, failure_rows.FailureRow]:
    return {row.subject: row for row in table.model.rows if row.kind is kind}


def test_single_hosts_are_the_predictions_studied_or_not(
    place: Place, mail_session: Session, selection: Selection
) -> None:
    """At once from the prediction, later from the study: the same numbers, and more of them."""
    pool = HeldPool()
    table = FailureTable(mail_session, selection, worker=Worker(pool))
    place(table, 820, 260)
    modes = mail_session.view.prediction.failures
    for is_studied in (False, True):
        if is_studied:
            pool.run()
        shown = rows_of(table, ModeKind.HOST)
        for mode in modes:
            row = shown[mode.host]
            assert row.verdict is mode.verdict
            assert row.numbers[0].quantity.value == mode.cpu_pct.value
            assert row.numbers[1].quantity.value == mode.ram_pct.value
            assert row.numbers[3].quantity.value == mode.response_ms.value
            assert (failure_rows.READY in row.waiting) is not is_studied
        assert table.is_calculating is not is_studied
        assert ("p1" in rows_of(table, ModeKind.CONTROLLER)) is is_studied


def test_an_edit_makes_the_other_modes_wait_and_the_late_study_is_dropped(
    qtbot: QtBot, place: Place, mail_session: Session, selection: Selection
) -> None:
    pool = HeldPool()
    table = FailureTable(mail_session, selection, worker=Worker(pool))
    place(table, 820, 260)
    pool.run()
    mail_session.edit(mail_session.scenario.place(["m2"], "h1"), "Move")
    mail_session.flush()
    row = rows_of(table, ModeKind.CONTROLLER)["p1"]
    assert row.is_waiting
    index = table.model.index(table.model.rows.index(row), failure_rows.VERDICT)
    assert index.data() == failure_rows.WAITING
    qtbot.waitUntil(lambda: len(pool.jobs) == 1)
    mail_session.edit(mail_session.scenario.place(["m2"], "h2"), "Move back")
    mail_session.flush()
    pool.run()
    assert rows_of(table, ModeKind.CONTROLLER)["p1"].is_waiting
    qtbot.waitUntil(lambda: len(pool.jobs) == 1)
    pool.run()
    assert not rows_of(table, ModeKind.CONTROLLER)["p1"].is_waiting


def test_two_hosts_and_maintenance_on_demand(table: FailureTable, selection: Selection) -> None:
    assert not rows_of(table, ModeKind.TWO_HOSTS)
    for kind in (ModeKind.TWO_HOSTS, ModeKind.MAINTENANCE):
        button = table.buttons[kind]
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        rows = [row for row in table.model.rows if row.kind is kind]
        assert rows
        assert set(rows[0].subjects) == {"h1", "h2"}
        click(table.view, table.sorted.mapFromSource(_first(table, kind)).row())
        assert set(selection.ids) == {"h1", "h2"}
    table.buttons[ModeKind.MAINTENANCE].click()
    assert not rows_of(table, ModeKind.MAINTENANCE)


def _first(table: FailureTable, kind: ModeKind) -> QModelIndex:
    at = next(n for n, row in enumerate(table.model.rows) if row.kind is kind)
    return table.model.index(at, 0)


def test_the_worst_modes_stand_first_and_the_worst_host_is_flagged(
    table: FailureTable, mail_session: Session
) -> None:
    scenario = mail_session.scenario
    other = replace(scenario.hosts[1], server="nehalem-ept", ram_gib=64.0)
    mail_session.edit(scenario.with_item(other), "Exchange esx2")
    mail_session.flush()
    rows = [row for row in table.model.rows if row.kind is not ModeKind.NORMAL]
    codes = [-1 if row.verdict is None else int(row.verdict) for row in rows]
    assert codes == sorted(codes, reverse=True)
    hosts = [row for row in rows if row.kind is ModeKind.HOST]
    most = max(hosts, key=lambda row: row.numbers[0].quantity.value or 0.0)
    assert failure_rows.CPU in most.worst
    assert sum(failure_rows.CPU in row.worst for row in hosts) == 1


def test_words_have_lines_where_the_table_has_room(table: FailureTable) -> None:
    view = table.view
    metrics = QFontMetricsF(view.font())
    text = "one of two controllers gone: what they carry shrinks by its share of all paths"
    assert in_lines(text, metrics, 160.0, 2)[-1].endswith("…")
    whole = in_lines(text, metrics, 160.0, 9)
    assert len(whole) > 2
    assert " ".join(whole) == text
    rows = table.sorted.rowCount()
    view.resize(view.width(), 4000)
    view.setColumnWidth(failure_rows.MODE, 40)
    view.set_heights()
    usual = view.verticalHeader().defaultSectionSize()
    assert max(view.rowHeight(row) for row in range(rows)) > usual
    view.resize(view.width(), 120)
    view.set_heights()
    assert {view.rowHeight(row) for row in range(rows)} == {usual}


def test_the_row_in_hand_says_where_its_vms_restart(table: FailureTable) -> None:
    at = next(n for n, row in enumerate(table.model.rows) if row.subject == "h1")
    click(table.view, table.sorted.mapFromSource(table.model.index(at, 0)).row())
    assert "restarts on esx2" in table.reading.text()
    assert "with transaction logs" in table.reading.text()


def test_an_empty_host_has_nothing_to_fail_over(table: FailureTable, mail_session: Session) -> None:
    mail_session.edit(mail_session.scenario.place(["m1", "m2", "m3"], "h1"), "Move 3 VMs")
    mail_session.flush()
    row = rows_of(table, ModeKind.HOST)["h2"]
    assert (row.verdict, row.note) == (None, "nothing to fail over")


def test_without_anything_the_table_says_so(table: FailureTable, mail_session: Session) -> None:
    mail_session.edit(Scenario(name="Empty"), "Remove everything")
    mail_session.flush()
    assert not table.view.isVisibleTo(table)
    LOOK.use(DARK)


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


def test_a_name_for_a_scenario_that_is_gone_is_no_rename(
    scenarios: ScenarioList, mail_session: Session
) -> None:
    """An editor may hold on to its row until the list has heard of the change."""
    scenarios.duplicate()
    mail_session.stack.undo()
    before = mail_session.project
    scenarios.model.rename_asked.emit("s2", "Late")
    assert mail_session.project is before


def test_a_name_for_another_project_is_no_rename(
    scenarios: ScenarioList, mail_session: Session
) -> None:
    """The scenarios of all projects are called s1, s2 … inside."""
    other = Project.of(mail_session.scenario)

    def late(project: Project) -> None:
        if project is other:
            scenarios.model.rename_asked.emit("s1", "Late")

    mail_session.project_changed.disconnect(scenarios._project_changed)
    mail_session.project_changed.connect(late)
    mail_session.project_changed.connect(scenarios._project_changed)
    scenarios.rename()
    mail_session.open(other, None)
    assert mail_session.scenario.name == "Two hosts"
    assert scenarios.view.state() is not QAbstractItemView.State.EditingState
    scenarios.model.rename_asked.emit("s1", "In time")
    assert mail_session.scenario.name == "In time"


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
    button = next(
        each
        for each in scenarios.findChildren(QToolButton)
        if each.defaultAction() is scenarios.baseline_action
    )
    assert button.accessibleName() == button.toolTip() == "Use as baseline"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert scenarios.model.rows[0].is_baseline
    assert scenarios.baseline_action.text() == "No baseline"
    assert button.accessibleName() == button.toolTip() == "No baseline"
    scenarios.baseline_action.trigger()
    assert mail_session.project.baseline is None
    assert mail_session.stack.count() == 2


def test_the_baseline_action_speaks_of_the_current_row(
    scenarios: ScenarioList, mail_session: Session
) -> None:
    scenarios.baseline_action.trigger()
    scenarios.duplicate()
    assert scenarios.baseline_action.text() == "Use as baseline"
    scenarios.view.setFocus()
    QTest.keyClick(scenarios.view, Qt.Key.Key_Up)
    assert scenarios.baseline_action.text() == "No baseline"


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
    LOOK.use(DARK)


def test_rows_survive_an_update(scenarios: ScenarioList, mail_session: Session) -> None:
    scenarios.duplicate()
    current = scenarios.view.currentIndex()
    assert current != QModelIndex()
    mail_session.edit(replace(mail_session.scenario, notes="x"), "Write notes")
    mail_session.flush()
    assert scenarios.view.currentIndex().row() == current.row()


def test_counts_without_room_are_added_up_instead_of_cut() -> None:
    severities = (Severity.ERROR, *3 * (Severity.WARNING,), *8 * (Severity.ADVICE,))
    found = tuple(
        Finding(rule="r", severity=each, subject="", clause="", fix="", source="")
        for each in severities
    )
    assert counts_text(found) == "1 error · 3 warnings · 8 advice notes"
    assert fewer_counts(found) == ("1 error · 3 warnings · +8", "1 error · +11")


def test_no_line_of_a_finding_ends_within_io_or_before_a_unit() -> None:
    block = Block("about 8 GB, 29 I/Os", QFont(), "", 0.0)
    parts = ("about 8\N{NO-BREAK SPACE}GB", "29 I/\N{WORD JOINER}Os")
    assert block.text == ", ".join(parts)

"""The import page: what is dropped is read, shown, and taken over in one step."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QFileDialog,
    QLineEdit,
    QPlainTextEdit,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
)
from pytestqt.qtbot import QtBot

from app.session import Session
from app.settings import Settings
from app.widgets.fields.choice import Dropdown
from app.windows.import_page import ImportPage
from app.windows.import_page.columns import FIELD, UNIT, VALUE
from app.windows.import_page.files import HOLDS, KIND, LETTERS
from app.windows.import_page.guesses import KIND as GUESSED_KIND
from app.windows.import_page.guesses import LOAD, NAME, USERS
from app.windows.import_page.powers import MEANS
from app.windows.import_page.ticks import TickList
from app.windows.import_page.ties import OWN
from db.codec import scenario_to_json
from models.intake.assumed import GroupBy
from models.intake.chosen import Whole
from models.intake.confirmed import Confirmed
from models.intake.options import DiskBasis, Reason
from models.project.project import Project
from models.scenario.inputs import origin_of
from models.scenario.origin import Origin
from models.scenario.scenario import Scenario
from models.scenario.workloads import WorkloadKind
from tests.app.sessions import session_of, two_hosts
from tests.app.windows.whole import Answers, made
from tests.db.importers.estates import one_host

TABLE = (
    "Name\tPower state\tvCPUs\tMemory MB\tProvisioned MB\tHost\tCluster\n"
    "mail-01\tpoweredOn\t4\t8192\t102400\tesx-1\tProd\n"
    "sql-02\tpoweredOn\t2\t4096\t51200\tesx-1\tProd\n"
    "old-01\tpoweredOff\t2\t4096\t51200\tesx-1\tProd\n"
)
ODD = "Kürzel;Kerne;Hauptspeicher;Betrieb\na;2;1,5;läuft\nb;1;2;steht\n"


@pytest.fixture
def session() -> Session:
    return session_of(Scenario(name="Empty"))


@pytest.fixture
def page(qtbot: QtBot, session: Session, tmp_path: Path) -> Iterator[ImportPage]:
    found = ImportPage(session, (), TABLE, tmp_path / "kept")
    qtbot.addWidget(found)
    again(found, qtbot)
    yield found
    found.give_up()


def again(page: ImportPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not page.work.is_running)


def cell(table: QTableWidget, row: int, column: int) -> QTableWidgetItem:
    item = table.item(row, column)
    assert item is not None
    return item


def words(page: ImportPage, row: int, column: int) -> str:
    return cell(page.files, row, column).text()


def test_what_was_pasted_is_shown_and_taken_in_one_step(page: ImportPage, session: Session) -> None:
    assert words(page, 0, KIND) == "Any table"
    assert words(page, 0, HOLDS) == "3 VMs"
    assert page.rows.model.rowCount() == 3
    before = session.project
    told: list[str] = []
    session.message.connect(told.append)
    page.take_over()
    assert sorted(vm.name for vm in session.scenario.vms) == ["mail-01", "sql-02"]
    assert "2 VMs" in told[-1]
    assert len(session.project.entries) == 1
    session.stack.undo()
    assert session.project == before


def test_where_a_value_stands_goes_with_it(page: ImportPage, session: Session) -> None:
    page.take_over()
    vm = session.scenario.vms[0]
    assert origin_of(vm, "ram_gib") is Origin.IMPORTED
    assert "Memory MB" in vm.imported_from


def test_every_choice_says_what_it_comes_to(page: ImportPage, qtbot: QtBot) -> None:
    choosing = page.choosing
    assert "1 left out" in choosing.reasons[Reason.OFF].text()
    assert "150 GiB" in choosing.disk.currentText()
    choosing.reasons[Reason.OFF].setChecked(True)
    again(page, qtbot)
    assert page.result_shown is not None
    assert page.result_shown.taken == 3
    assert "200 GiB" in choosing.disk.currentText()
    assert choosing.disk.currentData() == DiskBasis.PROVISIONED.value
    choosing.disk.setCurrentIndex(list(DiskBasis).index(DiskBasis.USED))
    again(page, qtbot)
    assert page.result_shown.options.disk is DiskBasis.USED


def test_a_guess_counts_only_where_it_is_confirmed(
    page: ImportPage, session: Session, qtbot: QtBot
) -> None:
    table = page.guesses.table
    assert not page.guesses.confirmed
    assert "1" in page.choosing.guesses.text()
    page.choosing.guesses.click()
    assert page.answers.currentWidget() is page.guesses
    cell(table, 0, NAME).setCheckState(Qt.CheckState.Checked)
    assert "not known" in cell(table, 0, LOAD).text()
    page.choosing.reasons[Reason.OFF].setChecked(True)
    again(page, qtbot)
    (said,) = page.guesses.confirmed.values()
    assert said == Confirmed(WorkloadKind.DOMINO_NRPC)
    before = session.project
    page.take_over()
    kinds = {vm.name: vm.workload.kind for vm in session.scenario.vms}
    assert (kinds["mail-01"], kinds["sql-02"]) == (
        WorkloadKind.DOMINO_OTHER,
        WorkloadKind.GENERIC,
    )
    session.stack.undo()
    assert session.project == before


def test_users_that_are_typed_make_a_mail_server(page: ImportPage, session: Session) -> None:
    table = page.guesses.table
    cell(table, 0, GUESSED_KIND).setData(VALUE, WorkloadKind.DOMINO_OTHER.value)
    assert cell(table, 0, LOAD).text() == "not known"
    cell(table, 0, GUESSED_KIND).setData(VALUE, WorkloadKind.DOMINO_NRPC.value)
    assert "enter its users" in cell(table, 0, LOAD).text()
    cell(table, 0, USERS).setText("1,200")
    cell(table, 0, USERS).setText("many")
    assert cell(table, 0, USERS).text() == "1,200"
    page.take_over()
    vm = next(vm for vm in session.scenario.vms if vm.name == "mail-01")
    assert (vm.workload.kind, vm.workload.active_users) == (WorkloadKind.DOMINO_NRPC, 1200)
    assert origin_of(vm, "workload.active_users") is Origin.MANUAL


def test_real_names_go_to_a_file_of_their_own(
    page: ImportPage,
    session: Session,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = tmp_path / "p.names.json"
    answers = ["", str(kept)]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (answers.pop(0), ""))
    page.choosing.pseudonyms.setChecked(True)
    again(page, qtbot)
    before = session.project
    page.take_over()
    assert session.project is before
    page.take_over()
    assert "mail-01" in json.loads(kept.read_text())["vm"].values()
    assert "mail-01" not in scenario_to_json(session.scenario).decode()


def test_what_can_not_be_read_keeps_nothing_else_out(
    page: ImportPage, qtbot: QtBot, tmp_path: Path
) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear all,\n\nsee below.\n")
    page.add_paths([letter])
    again(page, qtbot)
    assert "of no known kind" in words(page, 0, HOLDS)
    assert "Not read: 1" in page.state.text()
    assert page.take.isEnabled()
    page.files.setCurrentCell(0, 0)
    page._remove()
    again(page, qtbot)
    assert page.files.rowCount() == 1


def test_columns_of_an_unknown_table_are_told_and_kept(
    qtbot: QtBot, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd, kept = tmp_path / "odd.csv", tmp_path / "columns.toml"
    odd.write_text(ODD)
    page = ImportPage(session, [odd], "", tmp_path / "kept")
    qtbot.addWidget(page)
    again(page, qtbot)
    assert not page.take.isEnabled()
    assert page.answers.currentWidget() is page.columns
    for row, field in enumerate(("name", "vcpus", "ram_mib", "power")):
        cell(page.columns.columns, row, FIELD).setData(VALUE, field)
    cell(page.columns.columns, 2, UNIT).setData(VALUE, "gb")
    page.columns.on.setText("läuft")
    page.columns.apply.click()
    again(page, qtbot)
    assert page.result_shown is not None
    (vm,) = page.result_shown.scenario.vms
    assert vm.imported_from.startswith("odd.csv")
    assert (vm.name, vm.vcpus, vm.ram_gib) == ("a", 2, 1.5)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(kept), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(kept), ""))
    said = page.columns.profile()
    page.columns.save.click()
    cell(page.columns.columns, 0, FIELD).setData(VALUE, "")
    page.columns.load.click()
    again(page, qtbot)
    assert page.columns.profile() == said


def test_each_table_has_columns_of_its_own_and_they_are_known_again(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    odd, other = tmp_path / "odd.csv", tmp_path / "other.csv"
    odd.write_text(ODD)
    other.write_text("Bezeichnung;Rechenwerke\nc;3\n")
    page = ImportPage(session, [odd, other], "", tmp_path / "kept")
    qtbot.addWidget(page)
    again(page, qtbot)
    for at, fields in enumerate((("name", "vcpus"), ("name", "vcpus"))):
        page.files.setCurrentCell(at, 0)
        assert (odd, other)[at].name in page.columns.head.text()
        for row, field in enumerate(fields):
            cell(page.columns.columns, row, FIELD).setData(VALUE, field)
        page.columns.apply.click()
        again(page, qtbot)
    assert [words(page, at, HOLDS) for at in (0, 1)] == ["2 VMs", "1 VM"]
    later = ImportPage(session, [other], "", tmp_path / "kept")
    qtbot.addWidget(later)
    again(later, qtbot)
    assert words(later, 0, HOLDS) == "1 VM"
    assert "other.csv" in later.state.text()


def test_a_kind_can_be_said(page: ImportPage, qtbot: QtBot) -> None:
    cell(page.files, 0, KIND).setData(Qt.ItemDataRole.UserRole, "vcenter-csv")
    again(page, qtbot)
    assert words(page, 0, KIND) == "vCenter, PowerCLI"
    assert page.take.isEnabled()
    cell(page.files, 0, KIND).setData(Qt.ItemDataRole.UserRole, "vmstat")
    again(page, qtbot)
    assert not page.take.isEnabled()


def test_a_list_in_a_cell_has_its_choices(page: ImportPage, qtbot: QtBot) -> None:
    index = page.files.model().index(0, KIND)
    delegate = page.files.itemDelegateForColumn(KIND)
    assert delegate is not None
    box = delegate.createEditor(page.files, QStyleOptionViewItem(), index)
    assert isinstance(box, Dropdown)
    assert box.currentData() is None
    box.setCurrentIndex(box.findData("vmstat"))
    delegate.setModelData(box, page.files.model(), index)
    again(page, qtbot)
    assert "Not read: 1" in page.state.text()


def test_scenarios_come_with_the_customer_s_files_in_one_step(
    page: ImportPage, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "two.json"
    path.write_bytes(scenario_to_json(two_hosts()))
    page.add_paths([path])
    again(page, qtbot)
    assert words(page, 0, HOLDS) == "1 scenario"
    before = session.project
    page.take_over()
    assert [each.scenario.name for each in session.project.entries] == ["Two hosts", "two"]
    session.stack.undo()
    assert session.project == before


def test_reading_can_be_stopped(session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    page = ImportPage(session, (), TABLE, tmp_path)
    qtbot.addWidget(page)
    page.stop.click()
    assert not page.take.isEnabled()
    assert page.state.text() == "Stopped."


def test_files_and_tables_open_the_page_from_the_window(qtbot: QtBot, tmp_path: Path) -> None:
    window = made(Project.of(two_hosts()), Settings(tmp_path / "s.ini"), Answers())
    qtbot.addWidget(window)
    seen: list[tuple[tuple[Path, ...], str]] = []
    window.files.import_wanted.disconnect()
    window.files.import_wanted.connect(lambda paths, text: seen.append((paths, text)))
    path = tmp_path / "vms.csv"
    path.write_text(TABLE.replace("\t", ","))
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)
    qtbot.waitUntil(lambda: bool(seen))
    fields = window.findChildren(QLineEdit) + window.findChildren(QPlainTextEdit)
    assert not [each for each in fields if each.acceptDrops()]
    QGuiApplication.clipboard().setText(TABLE)
    window.editing.paste()
    window.start.open()
    assert window.start.page is not None
    window.start.page.bring.click()
    QTest.keyClick(window.start.page, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert seen == [((path,), ""), ((), TABLE), ((), ""), ((), TABLE)]
    QGuiApplication.clipboard().setText("Dear all,\nsee below")
    window.editing.paste()
    assert len(seen) == 4


def test_statistics_of_no_vm_are_tied_to_one(
    page: ImportPage, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    stat = tmp_path / "old.txt"
    pairs = {"Server.Users.Active15Min": "71", "Server.Trans.PerMinute": "12", "Mem.Allocated": "9"}
    stat.write_text("".join(f"  {key} = {value}\r\n" for key, value in pairs.items()))
    page.add_paths([stat])
    again(page, qtbot)
    again(page, qtbot)
    ties = page.guesses.ties
    assert [cell(ties.table, 0, column).text() for column in (0, 1)] == ["old", "–"]
    cell(ties.table, 0, 1).setData(Qt.ItemDataRole.UserRole, "sql-02")
    again(page, qtbot)
    assert ties.same == {"old": "sql-02"}
    assert cell(ties.table, 0, 1).text() == "sql-02"
    assert page.result_shown is not None
    assert list(page.result_shown.unmatched) == []
    assert {guess.name for guess in page.result_shown.guesses} == {"mail-01", "sql-02"}
    cell(ties.table, 0, 1).setData(Qt.ItemDataRole.UserRole, "")
    again(page, qtbot)
    assert not ties.same
    assert page.result_shown.unmatched[0] == "old"
    cell(ties.table, 0, 1).setData(Qt.ItemDataRole.UserRole, OWN)
    again(page, qtbot)
    assert "old" in {vm.name for vm in page.result_shown.scenario.vms}
    assert cell(ties.table, 0, 1).text() == "a VM of its own"
    cell(ties.table, 0, 1).setData(Qt.ItemDataRole.UserRole, "")
    again(page, qtbot)
    assert page.result_shown.unmatched[0] == "old"


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_name_is_searched_in_its_cell_and_two_clicks_choose_nothing(
    page: ImportPage, qtbot: QtBot, tmp_path: Path
) -> None:
    stat = tmp_path / "old.txt"
    pairs = {"Server.Users.Active15Min": "71", "Server.Trans.PerMinute": "12", "Mem.Allocated": "9"}
    stat.write_text("".join(f"  {key} = {value}\r\n" for key, value in pairs.items()))
    with qtbot.waitExposed(page):
        page.show()
    page.add_paths([stat])
    again(page, qtbot)
    again(page, qtbot)
    page.answers.setCurrentWidget(page.guesses)
    table = page.guesses.ties.table
    assert [cell(table, row, 0).text() for row in range(table.rowCount())] == ["old"]
    place = table.visualItemRect(cell(table, 0, 1)).center()
    left = Qt.MouseButton.LeftButton
    QTest.mouseClick(table.viewport(), left, pos=place)
    QTest.mouseDClick(table.viewport(), left, pos=place)
    assert not page.guesses.ties.same
    (line,) = [each for each in table.findChildren(QLineEdit) if each.isVisible()]
    assert line.selectedText() == "–"
    field = line.parentWidget()
    assert field is not None
    QTest.keyClicks(field, "SQL")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(page.guesses.ties.same))
    again(page, qtbot)
    assert page.guesses.ties.same == {"old": "sql-02"}


def test_a_host_that_is_called_otherwise_is_tied_and_untied(
    page: ImportPage, qtbot: QtBot, tmp_path: Path
) -> None:
    files = [
        one_host(tmp_path / f"{at}.xlsx", on=on, host=f"esx{at}", vcenter="vc1")
        for at, on in ((1, "esx1.acme.local"), (2, "bo-esx2.acme.local"))
    ]
    page.add_paths(files)
    again(page, qtbot)
    again(page, qtbot)
    table = page.guesses.ties.table
    shown = {cell(table, row, 0).text(): row for row in range(table.rowCount())}
    assert {"esx1.acme.local", "bo-esx2.acme.local"} <= set(shown)
    cell(table, shown["bo-esx2.acme.local"], 1).setData(Qt.ItemDataRole.UserRole, "esx2")
    again(page, qtbot)
    assert page.result_shown is not None
    placed = {vm.name: vm.host for vm in page.result_shown.scenario.vms if vm.name == "app"}
    assert None not in placed.values()
    row = next(at for at in range(table.rowCount()) if cell(table, at, 1).text() == "esx1")
    cell(table, row, 1).setData(Qt.ItemDataRole.UserRole, "")
    again(page, qtbot)
    assert page.guesses.ties.same["esx1.acme.local"] == ""
    assert "esx1.acme.local" in page.result_shown.unlisted_hosts


def test_letters_can_be_said(page: ImportPage, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "vms.csv"
    path.write_bytes("Name;vCPUs;Memory MB\nZażółć;2;4096\n".encode("cp1250"))
    page._text = ""
    page.add_paths([path])
    again(page, qtbot)
    item = cell(page.files, 0, LETTERS)
    item.setData(Qt.ItemDataRole.UserRole, "cp1252")
    again(page, qtbot)
    assert words(page, 0, LETTERS) == "cp1252"
    assert page.result_shown is not None
    assert [vm.name for vm in page.result_shown.scenario.vms] == ["Za¿ó³æ"]
    cell(page.files, 0, LETTERS).setData(Qt.ItemDataRole.UserRole, "cp1250")
    again(page, qtbot)
    assert page.result_shown is not None
    assert [vm.name for vm in page.result_shown.scenario.vms] == ["Zażółć"]


def test_words_for_power_are_asked_about(page: ImportPage, qtbot: QtBot) -> None:
    page._text = TABLE.replace("poweredOff", "wach")
    page.read()
    again(page, qtbot)
    powers = page.choosing.powers
    assert not powers.isHidden()
    assert [cell(powers.table, 0, column).text() for column in range(2)] == ["wach", "–"]
    assert page.result_shown is not None
    assert page.result_shown.taken == 2
    cell(powers.table, 0, MEANS).setData(Qt.ItemDataRole.UserRole, "on")
    again(page, qtbot)
    assert page.result_shown is not None
    assert page.result_shown.taken == 3
    assert cell(powers.table, 0, MEANS).text() == "it runs"
    cell(powers.table, 0, MEANS).setData(Qt.ItemDataRole.UserRole, "")
    again(page, qtbot)
    assert page.result_shown is not None
    assert page.result_shown.taken == 2


SITES = """Name\tvCPUs\tMemory MB\tHost\tCluster\tDatacenter\tvCenter\tFolder
a\t2\t4096\tesx1\tProd\tNorth\tvc1\t/prod
b\t2\t4096\tesx2\tTest\tSouth\tvc1\t/test
c\t2\t4096\tesx3\tFar\tEast\tvc2\t/prod
"""


def pasted(page: ImportPage, qtbot: QtBot, text: str) -> None:
    page._text = text
    page.read()
    again(page, qtbot)
    again(page, qtbot)


def shown_in(ticks: TickList) -> list[str]:
    return [ticks.list.item(row).text() for row in range(ticks.list.count())]


def tick(page: ImportPage, qtbot: QtBot, whole: Whole, row: int, *, on: bool) -> None:
    state = Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
    page.choosing.wholes.lists[whole].list.item(row).setCheckState(state)
    again(page, qtbot)


def taken(page: ImportPage) -> list[str]:
    assert page.result_shown is not None
    return [vm.name for vm in page.result_shown.scenario.vms]


def test_ticks_stay_when_files_come_and_go(page: ImportPage, qtbot: QtBot) -> None:
    """Of vCenters, data centers and clusters alike; below what is unticked nothing is asked."""
    pasted(page, qtbot, SITES)
    lists = page.choosing.wholes.lists
    assert shown_in(lists[Whole.VCENTER]) == ["vc1", "vc2"]
    assert shown_in(lists[Whole.SITE]) == ["East, vc2", "North, vc1", "South, vc1"]
    tick(page, qtbot, Whole.VCENTER, 1, on=False)
    assert taken(page) == ["a", "b"]
    assert shown_in(lists[Whole.SITE]) == ["North, vc1", "South, vc1"]
    tick(page, qtbot, Whole.SITE, 1, on=False)
    assert taken(page) == ["a"]
    pasted(page, qtbot, TABLE)
    assert taken(page) == ["mail-01", "sql-02"]
    pasted(page, qtbot, SITES)
    assert taken(page) == ["a"]
    tick(page, qtbot, Whole.VCENTER, 1, on=True)
    tick(page, qtbot, Whole.SITE, 2, on=True)
    assert taken(page) == ["a", "b", "c"]


def test_a_tick_follows_its_name_when_another_vcenter_has_it_too(
    page: ImportPage, qtbot: QtBot
) -> None:
    head, *_ = SITES.splitlines(keepends=True)
    one = "a\t2\t4096\tesx1\tProd\tNorth\tvc1\t/\nb\t2\t4096\tesx2\tTest\tNorth\tvc1\t/\n"
    pasted(page, qtbot, head + one)
    tick(page, qtbot, Whole.CLUSTER, 0, on=False)
    assert taken(page) == ["b"]
    pasted(page, qtbot, head + one + "c\t2\t4096\tesx3\tProd\tSouth\tvc2\t/\n")
    clusters = page.choosing.wholes.lists[Whole.CLUSTER]
    assert "Prod (vc1), North" in shown_in(clusters)
    assert taken(page) == ["b", "c"]
    pasted(page, qtbot, head + one)
    assert taken(page) == ["b"]


def test_a_long_list_is_searched(page: ImportPage, qtbot: QtBot) -> None:
    head, *_ = SITES.splitlines(keepends=True)
    rows = [f"v{at}\t1\t1024\tesx\tc{at:02}\tNorth\tvc1\t/\n" for at in range(31)]
    pasted(page, qtbot, "".join((head, *rows[:30])))
    ticks = page.choosing.wholes.lists[Whole.CLUSTER]
    assert ticks.search.isHidden()
    pasted(page, qtbot, "".join((head, *rows)))
    assert not ticks.search.isHidden()
    ticks.search.setText("C30")
    seen = [row for row in range(ticks.list.count()) if not ticks.list.item(row).isHidden()]
    assert seen == [30]


def test_groups_of_vms_are_named_on_the_page(
    page: ImportPage, qtbot: QtBot, tmp_path: Path
) -> None:
    pasted(page, qtbot, SITES)
    groups = page.choosing.groups
    whose = groups.fields
    whose.by.setCurrentIndex(whose.by.findData(GroupBy.FOLDER.value))
    assert [whose.pattern.itemText(at) for at in range(whose.pattern.count())] == ["/prod", "/test"]
    groups.add.click()
    again(page, qtbot)
    assert taken(page) == ["a", "c"]
    assert "2 VMs" in groups.list.item(0).text()
    names = tmp_path / "names.txt"
    names.write_text("B\n")
    groups.add_list(names)
    again(page, qtbot)
    assert taken(page) == ["a", "b", "c"]
    pasted(page, qtbot, TABLE)
    assert page.result_shown is not None
    assert "0 VMs" in groups.list.item(0).text(), "what holds nothing refuses nothing"
    groups.take_back()
    groups.take_back()
    again(page, qtbot)
    assert taken(page) == ["mail-01", "sql-02"]
    groups.add_list(tmp_path / "none.txt")
    assert groups.complaint.text()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_totals_alone_become_equal_vms(page: ImportPage, session: Session, qtbot: QtBot) -> None:
    form = page.ask_totals()
    for name, text in (("vms", "4"), ("vcpus", "3"), ("ram_gib", "0.5 TiB"), ("iops", "100")):
        form.fields[name].setText(text)
    form.state()
    assert "vCPUs" in form.complaint.text()
    form.fields["vcpus"].setText("10")
    form.state()
    again(page, qtbot)
    again(page, qtbot)
    page.take_over()
    vms = session.scenario.vms
    assert [vm.vcpus for vm in vms] == [3, 3, 2, 2]
    assert {vm.ram_gib for vm in vms} == {128.0}
    assert origin_of(vms[0], "workload.iops") is Origin.ASSUMED


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_only_ticked_clusters_are_taken(page: ImportPage, qtbot: QtBot, tmp_path: Path) -> None:
    """By a click into the box; what is unticked stays in the list, to be ticked again."""
    head = "Name\tvCPUs\tMemory MB\tHost\tCluster\tDatacenter\n"
    rows = "a\t2\t4096\tesx1\tProd\tNorth\nb\t2\t4096\tesx2\tTest\tSouth\n"
    QGuiApplication.clipboard().setText(head + rows)
    page.paste_table()
    again(page, qtbot)
    again(page, qtbot)
    clusters = page.choosing.wholes.lists[Whole.CLUSTER]
    shown = [clusters.list.item(row).text() for row in range(clusters.list.count())]
    assert shown == ["Prod, North", "Test, South"]
    with qtbot.waitExposed(page):
        page.show()
    place = clusters.list.visualItemRect(clusters.list.item(1))
    QTest.mouseClick(
        clusters.list.viewport(),
        Qt.MouseButton.LeftButton,
        pos=QPoint(place.left() + 10, place.center().y()),
    )
    again(page, qtbot)
    assert page.result_shown is not None
    assert [vm.name for vm in page.result_shown.scenario.vms] == ["a"]
    assert page.result_shown.left_out[Reason.NOT_CHOSEN] == 1
    assert clusters.list.count() == 2
    clusters.list.item(1).setCheckState(Qt.CheckState.Checked)
    again(page, qtbot)
    assert len(page.result_shown.scenario.vms) == 2

"""VMs that nobody measured: assumed on the import page, and on the board in one step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.selection import Selection
from app.session import Session
from app.widgets.verdict import VerdictBar
from app.windows.assume import AssumeBar, AssumeDialog
from app.windows.import_page import ImportPage
from app.work import InlineWorker
from models.intake.assumed import Assumed, CpuUnit, GroupBy, Range, lacking, with_assumed
from models.scenario.inputs import origin_of, with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import DataGrade, Scenario, Workload
from models.scenario.workloads import WorkloadKind
from resources.catalog_files import load_catalog
from tests.app.sessions import session_of
from tests.models.worlds import a_scenario, a_vm

TABLE = (
    "Name\tPower state\tvCPUs\tMemory MB\tProvisioned MB\tGuest OS\tTags\n"
    "web\tpoweredOn\t4\t8192\t102400\tWindows 2019\tweb, gold\n"
    "db\tpoweredOn\t2\t4096\t51200\tDebian 12\tgold\n"
)


@pytest.fixture
def session() -> Session:
    return session_of(Scenario(name="Empty"))


@pytest.fixture
def page(qtbot: QtBot, session: Session, tmp_path: Path) -> Iterator[ImportPage]:
    found = ImportPage(session, (), TABLE, tmp_path / "kept")
    qtbot.addWidget(found)
    qtbot.waitUntil(lambda: not found.work.is_running)
    yield found
    found.give_up()


def typed(page: ImportPage, low: str, high: str = "") -> None:
    cpu = page.assume.form.cpu
    cpu.unit.setCurrentIndex(cpu.unit.findData(CpuUnit.MHZ.value))
    cpu.low.clear()
    cpu.high.clear()
    QTest.keyClicks(cpu.low, low)
    QTest.keyClicks(cpu.high, high)
    QTest.mouseClick(page.assume.assume, Qt.MouseButton.LeftButton)


def test_a_rule_for_a_group_is_taken_over_with_the_files(
    page: ImportPage, session: Session
) -> None:
    assert "2 VMs not measured" in page.choosing.assume.text()
    page.choosing.assume.click()
    assert page.answers.currentWidget() is page.assume
    form = page.assume.form
    form.whose.by.setCurrentIndex(form.whose.by.findData(GroupBy.GUEST.value))
    form.whose.pattern.setEditText("windows*")
    typed(page, "100", "400")
    assert page.assume.list.count() == 1
    assert "1 VM (windows*)" in page.assume.list.item(0).text()
    assert page.assume.left.cpu == 1
    page.take_over()
    vms = {vm.name: vm for vm in session.scenario.vms}
    assert vms["web"].workload.cpu_mhz == pytest.approx(800)
    assert origin_of(vms["web"], "workload.cpu_mhz") is Origin.ASSUMED
    assert vms["db"].workload.cpu_mhz is None
    assert any(note.rule == "assumed" for note in session.scenario.import_notes)


def test_tags_are_offered_and_found_by_any_part(page: ImportPage) -> None:
    whose = page.assume.form.whose
    whose.by.setCurrentIndex(whose.by.findData(GroupBy.TAG.value))
    offered = [whose.pattern.itemText(at) for at in range(whose.pattern.count())]
    assert offered == ["gold", "web"]
    search = whose.pattern.completer()
    assert search is not None
    assert search.filterMode() == Qt.MatchFlag.MatchContains
    whose.pattern.setEditText("web")
    typed(page, "100", "400")
    assert page.assume.left.cpu == 1
    assert whose.by.findData(GroupBy.POWER.value) < 0


def test_a_rule_can_be_taken_back(page: ImportPage) -> None:
    typed(page, "300")
    assert page.assume.left.cpu == 0
    QTest.mouseClick(page.assume.remove, Qt.MouseButton.LeftButton)
    assert (page.assume.left.cpu, page.assume.rules) == (2, [])


def test_what_can_t_be_is_said_and_assumes_nothing(page: ImportPage) -> None:
    for low, high in (("", ""), ("400", "100"), ("999999", "")):
        typed(page, low, high)
        assert page.assume.form.complaint.text()
        assert page.assume.rules == []


def unmeasured(*, is_imported: bool) -> Scenario:
    work = Workload(kind=WorkloadKind.GENERIC, disk_gib=10.0)
    vm = replace(a_vm("a"), workload=work)
    if is_imported:
        vm = with_origin(vm, Origin.IMPORTED, "vcpus")
    return a_scenario(vms=(vm,))


def test_the_board_says_how_many_and_one_step_assumes_them(qtbot: QtBot) -> None:
    session = session_of(unmeasured(is_imported=True))
    around = QWidget()
    qtbot.addWidget(around)
    window = AssumeBar(session, around)
    assert "1 VM without CPU or I/O" in window.sentence
    dialog = AssumeDialog(session)
    qtbot.addWidget(dialog)
    QTest.keyClicks(dialog.form.cpu.low, "10")
    QTest.keyClicks(dialog.form.cpu.high, "30")
    QTest.keyClicks(dialog.form.io.low, "20")
    QTest.mouseClick(dialog.take, Qt.MouseButton.LeftButton)
    assert lacking(session.scenario).either == 0
    (vm,) = session.scenario.vms
    assert origin_of(vm, "workload.iops") is Origin.ASSUMED
    qtbot.waitUntil(window.isHidden)
    session.stack.undo()
    assert lacking(session.scenario).either == 1
    qtbot.waitUntil(lambda: not window.isHidden())


def test_a_vm_that_is_drawn_by_hand_is_nobody_s_import(qtbot: QtBot) -> None:
    bar = AssumeBar(session_of(unmeasured(is_imported=False)))
    qtbot.addWidget(bar)
    assert bar.isHidden()


def test_the_verdict_says_that_it_rests_on_assumptions(qtbot: QtBot) -> None:
    """By its word where all fits, by a chip beside it where it doesn't anyhow."""
    rule = Assumed(cpu=Range(10.0, 20.0), io=Range(10.0, 20.0))
    fitting = with_assumed(unmeasured(is_imported=True), [rule], load_catalog().servers)
    session = session_of(replace(fitting, grade=DataGrade(measured_vms_pct=0.0, days=0.0)))
    window = QWidget()
    qtbot.addWidget(window)
    bar = VerdictBar(session, Selection(window), InlineWorker(window), window)
    assert bar.word.text() == "Fits, on assumptions"
    assert "1 VM of 1" in bar.word.toolTip()
    chips = {id: chip.text() for id, chip in bar.chips.items() if not chip.isHidden()}
    assert chips == {"grade": "0 % measured"}
    (host,) = fitting.hosts
    session.edit(session.scenario.with_item(replace(host, ram_gib=1.0)), "less memory")
    qtbot.waitUntil(lambda: "assum" not in bar.word.text())
    assert bar.chips["assumed"].text() == "on assumptions"
    assert bar.chips["assumed"].toolTip()

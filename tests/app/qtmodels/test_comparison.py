"""Comparisons as rows of a model."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.language import Language
from app.qtmodels.comparison import (
    CHANGE_ROLE,
    FIRST,
    ROW_ROLE,
    WHAT,
    CompareRow,
    ComparisonModel,
    compare_rows,
)
from app.widgets.gauge_text import number_text
from models.compare import Comparison, Group, Side, compare
from models.compare_text import Words
from models.judgement.gauges import gauges
from models.predicted import FAILURE
from models.scenario import DiskMode, Host, RestartPriority, Scenario, Vm
from models.texts import said
from models.wording import ENGLISH, GERMAN, THIN
from resources.translation_files import load_messages
from tests.models.worlds import CATALOG, a_cluster_of, predict, workload


def compared(*scenarios: Scenario) -> Comparison:
    return compare([Side(f"s{n}", each, predict(each)) for n, each in enumerate(scenarios)])


def more_ram(scenario: Scenario, ram_gib: float) -> Scenario:
    return scenario.edit(Host, "h1", lambda host: replace(host, ram_gib=ram_gib))


def shown(model: ComparisonModel, comparison: Comparison) -> None:
    model.show_comparison(comparison, Words(comparison, CATALOG))


def test_rows_are_headings_and_differences(qtbot: QtBot) -> None:
    base = a_cluster_of(2, vms=2)
    model = ComparisonModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    shown(model, compared(base, more_ram(base, 96.0)))
    rows: list[CompareRow] = model.rows
    assert [row.label for row in rows[:3]] == ["Inputs", "H1: RAM", "Outcomes"]
    ram = model.index(1, FIRST + 1)
    assert (ram.data(), ram.data(CHANGE_ROLE)) == (f"96{THIN}GiB", f"+24{THIN}GiB")
    spoken = ram.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == f"test: H1: RAM: 96{THIN}GiB, +24{THIN}GiB"
    assert not model.flags(model.index(0, WHAT)) & Qt.ItemFlag.ItemIsSelectable
    assert model.flags(model.index(1, WHAT)) & Qt.ItemFlag.ItemIsSelectable


@pytest.mark.parametrize("users", [1.0, 1210.0, 9000.0, 30_000.0])
def test_a_dial_and_its_line_have_the_same_digits(users: float) -> None:
    base = a_cluster_of(2, vms=2)
    other = base.edit(Vm, "m1", lambda vm: replace(vm, workload=workload(users)))
    comparison = compared(base, other)
    words = Words(comparison, CATALOG)
    lines = {row.field: row for row in comparison.outcomes if row.group == Group.SUMMARY}
    assert lines
    assert FAILURE in lines or users < 9000.0
    for column, side in enumerate(comparison.sides):
        for gauge in gauges(side.scenario, side.prediction):
            if gauge.field not in lines or gauge.quantity.value is None or gauge.stranded:
                continue
            dial = number_text(gauge, style=ENGLISH).removeprefix("> ").removesuffix(" left")
            if dial.endswith(" short"):
                dial = f"\N{MINUS SIGN}{dial.removesuffix(' short')}"
            said = words.value(lines[gauge.field], column)
            assert said.removesuffix(f"{THIN}IOPS") == dial.removesuffix(f"{THIN}IOPS")


def test_another_value_changes_cells_another_set_resets(qtbot: QtBot) -> None:
    base = a_cluster_of(2, vms=2)
    model = ComparisonModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    shown(model, compared(base, more_ram(base, 96.0)))
    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.dataChanged):
        shown(model, compared(base, more_ram(base, 128.0)))
    with qtbot.waitSignal(model.modelReset):
        shown(model, compared(base, more_ram(base, 96.0), more_ram(base, 128.0)))
    assert model.columnCount() == FIRST + 3
    renamed = replace(base, name="Renamed")
    with qtbot.waitSignal(model.headerDataChanged):
        shown(model, compared(renamed, more_ram(base, 96.0), more_ram(base, 128.0)))
    assert model.headerData(FIRST, Qt.Orientation.Horizontal) == "Renamed"


def test_identical_ones_have_no_rows(qtbot: QtBot) -> None:
    base = a_cluster_of(1, vms=1)
    comparison = compared(base, base)
    assert compare_rows(Words(comparison, CATALOG)) == []


def test_the_data_are_what_is_shown(qtbot: QtBot) -> None:
    base = a_cluster_of(2, vms=2)
    model = ComparisonModel()
    shown(model, compared(base, more_ram(base, 96.0)))
    lines = model.as_data().splitlines()
    assert lines[0] == "\ttest\ttest"
    assert f"H1: RAM\t72{THIN}GiB\t96{THIN}GiB (+24{THIN}GiB)" in lines


def test_words_that_merely_differ_speak_for_themselves(qtbot: QtBot) -> None:
    base = a_cluster_of(2, vms=2)
    model = ComparisonModel()
    shown(model, compared(base, base.edit(Vm, "m1", _by_raw_device)))
    mode = model.index(1, FIRST + 1)
    assert (mode.data(), mode.data(CHANGE_ROLE)) == ("RDM", "changed")
    assert "changed" not in mode.data(Qt.ItemDataRole.ToolTipRole)
    assert "changed" not in model.as_data()


def _by_raw_device(vm: Vm) -> Vm:
    return replace(vm, disk_mode=DiskMode.RDM)


def test_the_first_row_is_a_heading(qtbot: QtBot) -> None:
    base = a_cluster_of(2, vms=2)
    rows = compare_rows(Words(compared(base, more_ram(base, 96.0)), CATALOG))
    assert rows[0].difference is None
    assert rows[0] == next(row for row in rows if row.level == 0)
    assert ROW_ROLE != CHANGE_ROLE


def test_a_comparison_is_german_all_through() -> None:
    """Whatever is put together of words stays theirs: labels, items, what came and what went."""
    base = a_cluster_of(2, vms=2)
    first = base.vms[0]
    smaller = replace(
        first,
        vcpus=1,
        workload=replace(first.workload, active_users=1.0),
        fault_tolerance=True,
        restart_priority=RestartPriority.HIGH,
    )
    new = replace(smaller, id="n", name="Neu", host=None)
    comparison = compared(base, replace(base, vms=(smaller, base.vms[1], new)))
    words = Words(comparison, CATALOG, GERMAN)
    german = Language("de", load_messages("de"), GERMAN)
    told = {
        said(words.label(row), german): (
            said(words.value(row, 1), german).replace(THIN, " "),
            said(words.change(row, 1), german).replace(THIN, " "),
        )
        for row in (*comparison.inputs, *comparison.outcomes)
    }
    assert told["VM Neu"] == ("1 vCPU, 8,0 GiB, 1 Benutzer", "hinzugefügt")
    assert told["M1: vCPUs"] == ("1 vCPU", "−1 vCPU")
    assert told["M1: aktive Benutzer"] == ("1 Benutzer", "−999 Benutzer")
    assert told["Aktive Benutzer von Mail"] == ("1.002", "−998")
    assert told["Urteil"] == ("gefährdet", "geändert")
    assert told["M1: Fault Tolerance"] == ("ja", "geändert")
    assert told["M1: Neustartpriorität"] == ("hoch", "geändert")
    assert any(change.endswith(" Punkte") for _, change in told.values())
    assert "H1: CPU im schlimmsten Fall ohne ihn" in told

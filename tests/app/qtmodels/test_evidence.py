"""Evidence and accuracy as tables: every row is there, doubted and blank cells say so."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.calibrated import shipped_evidence
from app.qtmodels import evidence as columns
from app.qtmodels.accuracy import (
    POINT_COLUMNS,
    PointFilter,
    plot_points,
    point_rows,
)
from app.qtmodels.cells import MARK_ROLE, ROW_ROLE, CellTable
from app.qtmodels.evidence import (
    EvidenceFilter,
    EvidenceProxy,
    choices,
    evidence_row,
    printed_text,
)
from models.evidence.rows import EvidenceRow, by_id
from models.fitting.point_errors import DOUBTED
from models.fitting.validation import HeldOutPoint
from models.scenario.wording import GERMAN, THIN, Style

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
POINT = HeldOutPoint(
    family="A",
    quantity="response_ms",
    split="inside",
    evidence="wv21/clovertown/vmfs/14.5gb/1000/response_ms",
    measured=22.0,
    predicted=33.9,
    low=16.0,
    high=71.8,
)


@pytest.fixture
def proxy(qtbot: QtBot) -> EvidenceProxy:
    return EvidenceProxy(shipped_evidence(), Style(), None)


def ids(proxy: EvidenceProxy) -> list[str]:
    return [proxy.index(n, 0).data(ROW_ROLE).key for n in range(proxy.rowCount())]


def test_every_row_is_there_and_the_model_is_sound(proxy: EvidenceProxy) -> None:
    testers = [QAbstractItemModelTester(model, FATAL) for model in (proxy.sourceModel(), proxy)]
    assert ids(proxy) == [row.id for row in shipped_evidence()]
    for wanted in (
        EvidenceFilter(family="A"),
        EvidenceFilter(words=("sametime",)),
        EvidenceFilter(words=("no", "such", "word", "anywhere")),
        EvidenceFilter(),
    ):
        proxy.set_wanted(wanted)
        expected = [
            row.id for row in shipped_evidence() if wanted.holds(row, columns.haystack(row))
        ]
        assert ids(proxy) == expected
    assert len(ids(proxy)) == len(shipped_evidence())
    del testers


def test_filters_narrow_together(proxy: EvidenceProxy) -> None:
    proxy.set_wanted(
        EvidenceFilter(words=("clovertown", "4000"), family="A", metric="cpu_pct", kind="measured")
    )
    assert set(ids(proxy)) == {
        f"wv21/clovertown/{series}/4000/cpu_pct"
        for series in ("physical/7.25gb", "rdm/7.25gb", "rdm/14.5gb", "vmfs/7.25gb", "vmfs/14.5gb")
    }


def test_a_letter_more_sorts_nothing_anew(qtbot: QtBot, proxy: EvidenceProxy) -> None:
    proxy.sort(columns.VALUE)
    with qtbot.assertNotEmitted(proxy.layoutChanged):
        proxy.set_wanted(EvidenceFilter(words=("domino",)))
    assert 0 < proxy.rowCount() < len(shipped_evidence())


def test_doubted_and_blank_cells_are_seen_as_such(proxy: EvidenceProxy) -> None:
    proxy.set_wanted(EvidenceFilter(kind="doubted"))
    assert len(ids(proxy)) == 3
    index = proxy.index(0, columns.VALUE)
    assert (index.data(), index.data(MARK_ROLE)) == (f"861{THIN}ms", "doubted")
    assert proxy.index(0, columns.KIND).data() == "doubted"
    assert proxy.index(0, columns.KIND).data(Qt.ItemDataRole.ToolTipRole) == (
        "doubted by its authors"
    )
    proxy.set_wanted(EvidenceFilter(kind="blank"))
    assert len(ids(proxy)) == 21
    assert {proxy.index(n, columns.VALUE).data() for n in range(21)} == {"blank"}
    assert {proxy.index(n, columns.VALUE).data(MARK_ROLE) for n in range(21)} == {"blank"}


def test_numbers_sort_as_numbers_and_rows_stay_whole(proxy: EvidenceProxy) -> None:
    proxy.set_wanted(EvidenceFilter(family="A", metric="response_ms", kind="measured"))
    proxy.sort(columns.VALUE, Qt.SortOrder.DescendingOrder)
    rows: list[EvidenceRow] = [
        proxy.index(n, 0).data(ROW_ROLE).value for n in range(proxy.rowCount())
    ]
    values = [row.value for row in rows if row.value is not None]
    assert values == sorted(values, reverse=True)
    assert rows[0].id == "wv21/x366/physical/6gb/4000/response_ms"


def test_the_print_keeps_its_unit_and_gets_none_twice() -> None:
    rows = by_id(shipped_evidence())
    cpu = rows["wv21/clovertown/vmfs/14.5gb/4000/cpu_pct"]
    assert printed_text(cpu) == "46.00%"
    assert printed_text(replace(cpu, unit="ms", printed="861")) == f"861{THIN}ms"
    assert printed_text(replace(cpu, unit="vmstat column", printed="3")) == "3"
    assert printed_text(replace(cpu, printed="", value=None)) == "–"
    assert evidence_row(cpu, GERMAN).cells[columns.USERS] == "4.000"


def test_choices_are_counted() -> None:
    families = dict(choices(shipped_evidence(), "family"))
    assert sum(families.values()) == len(shipped_evidence())
    assert dict(choices(shipped_evidence(), "kind"))["doubted"] == 3


def test_points_are_named_judged_and_never_counted_when_doubted(qtbot: QtBot) -> None:
    outside = replace(POINT, measured=87.0, low=20.0, high=71.0)
    doubted = replace(POINT, split=DOUBTED, measured=861.0)
    points = plot_points((POINT, outside, doubted), by_id(shipped_evidence()))
    assert {each.label for each in points} == {f"Clovertown VMFS 14.5{THIN}GB"}
    assert {each.users for each in points} == {1000}
    owner = QObject()
    table = CellTable(POINT_COLUMNS, owner)
    tester = QAbstractItemModelTester(table, FATAL)
    table.set_rows(point_rows(points[1:]))
    table.set_rows(point_rows(points[::2]))
    cells = [[table.index(row, column).data() for column in (2, 5, 6)] for row in range(2)]
    assert cells == [
        [f"22{THIN}ms", f"+54{THIN}%", "yes"],
        [f"861{THIN}ms", f"\N{MINUS SIGN}96{THIN}%", "doubted"],
    ]
    assert [row.cells[6] for row in point_rows(points)] == ["yes", "outside", "doubted"]
    del tester


def test_a_filter_of_points_lets_doubted_ones_of_its_quantity_through() -> None:
    doubted = replace(POINT, split=DOUBTED)
    points = plot_points((POINT, replace(POINT, split="series"), doubted), {})
    wanted = PointFilter(family="A", quantity="response_ms", splits=frozenset({"inside"}))
    assert [each.point.split for each in points if wanted.holds(each)] == ["inside", DOUBTED]
    other = replace(wanted, quantity="cpu_pct")
    assert not any(other.holds(each) for each in points)
    assert not any(replace(wanted, series="elsewhere").holds(each) for each in points)

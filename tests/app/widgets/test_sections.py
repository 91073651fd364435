"""Sections in the window: every block is seen, tables are copied and clicked, a tab waits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import nan
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.language import local
from app.look import LOOK
from app.selection import Selection
from app.session import Session
from app.widgets.sections.block import BlockWidget
from app.widgets.sections.table import TableView
from app.widgets.sections.view import (
    CALCULATING,
    PlotWidget,
    SectionsPanel,
    SectionsView,
)
from app.work import Context, InlineWorker, Job, Worker
from models.base.errors import ModelError
from models.evidence.knowledge import Knowledge
from models.predict.prediction import Severity, Shown, Verdict
from models.scenario.scenario import Scenario
from models.scenario.wording import number
from models.tell.blocks import (
    Bar,
    Bars,
    Bullets,
    Column,
    Curve,
    Definitions,
    FindingBlock,
    Paragraph,
    ResponsePlot,
    Section,
    Signature,
    Table,
    TimePlot,
    VerdictBox,
    VerdictGrid,
)
from tests.app.pictures import pixels_of
from tests.app.sessions import Place

LONG = "a name that a column has no room for " * 6


def hosts(why: str = "room to spare") -> Table:
    return Table(
        (Column("Host"), Column("CPU", numeric=True), Column("Verdict"), Column("Why", wide=True)),
        (
            ("=1+1", number(4500), Shown.of(Verdict.FITS), why),
            ("esx2", number(98), Shown(None, "nothing to judge"), LONG),
        ),
        "Note.",
        ("h1", "h2"),
    )


BLOCKS = (
    Paragraph("Measure."),
    VerdictBox(Shown.of(Verdict.AT_RISK), "Little to spare.", "Remark."),
    hosts(),
    Definitions((("CPU", "45 %"), ("Memory", "12 GiB"))),
    Bullets(("one", "two")),
    FindingBlock(Severity.ERROR, "error", "No spare drive.", "Add one.", "Source", ""),
    Bars((Bar("esx1", 45.0, 70.0, "45 of 70 %", Verdict.FITS),), "Bars"),
    TimePlot(
        x=(0.0, 1.0, 2.0),
        x_label="minutes",
        y_label="users",
        curves=(Curve("waiting", (5.0, 2.0, 0.0)), Curve("offline", (3.0, 1.0, 0.0), dashed=True)),
        limit=3.0,
        alt="Users over time.",
    ),
    ResponsePlot(
        vm="Mail-01",
        users=(0.0, 100.0),
        value=(50.0, 90.0),
        low=(40.0, 60.0),
        high=(60.0, 120.0),
        covered=(True, True),
        points=(),
        limit=100.0,
        limit_label="limit",
        knee=None,
        current_users=50.0,
        current_ms=70.0,
        current_label="now",
        alt="Response over users.",
        note="",
    ),
    Signature(("Customer", "Supplier")),
    VerdictGrid(
        x_label="Users",
        y_label="Mail",
        x=("1,000", "2,000"),
        y=("50 MB",),
        verdicts=((Verdict.FITS, Verdict.DOES_NOT_FIT),),
        texts=(("fits", "does not fit"),),
        here=(0.0, 0.0),
        alt="Map",
    ),
)


@pytest.fixture
def view(place: Place) -> SectionsView:
    view = SectionsView("Results")
    place(view, 700, 500)
    return view


def read(widget: BlockWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel))


def test_every_block_is_seen(view: SectionsView) -> None:
    view.show_sections((Section("All", BLOCKS),))
    seen = [read(widget) for widget in view.blocks]
    assert [type(widget) for widget in view.blocks] == [view.KINDS[type(b)] for b in BLOCKS]
    assert "Measure." in seen[0]
    assert {"At risk", "Little to spare.", "Remark."} <= set(seen[1].split("\n"))
    assert seen[2] == "Note."
    assert "45\N{NO-BREAK SPACE}%" in seen[3]
    assert "• one\n• two" in seen[4]
    assert "No spare drive." in seen[5]
    assert view.blocks[6].accessibleName() == "Bars"
    plot = view.blocks[7]
    assert isinstance(plot, PlotWidget)
    assert plot.chart.data_text().startswith("minutes\twaiting\toffline\n0\t5\t3\n")
    assert "Customer" in seen[9]


def test_a_span_reaches_from_its_start_to_its_end(qtbot: QtBot, view: SectionsView) -> None:
    """The spans of a tornado are drawn, the wider one wider."""
    spans = (
        Bar("users", 90.0, 70.0, "50–90", Verdict.NOT_KNOWN, start=50.0),
        Bar("mail", 75.0, 70.0, "65–75", Verdict.NOT_KNOWN, start=65.0),
    )
    view.show_sections((Section("", (Bars(spans, "Tornado"),)),))
    (bars,) = view.blocks
    qtbot.waitUntil(lambda: bars.width() > 100 and bars.height() > 20)
    ink = pixels_of(bars.grab().toImage()).astype(int)
    accent = np.array(QColor(LOOK.theme.accent).getRgb()[2::-1])  # type: ignore[index]
    is_span: np.ndarray[Any, np.dtype[np.bool_]] = (np.abs(ink - accent) < 8).all(axis=2)
    half = len(is_span) // 2
    first, second = (part.any(axis=0).sum() for part in (is_span[:half], is_span[half:]))
    assert first > 3 * second > 0


def table_of(view: SectionsView) -> TableView:
    return view.findChildren(TableView)[0]


def test_a_table_is_copied_whole_and_its_rows_are_chosen(qtbot: QtBot, view: SectionsView) -> None:
    view.show_sections((Section("Hosts", (hosts(),)),))
    table = table_of(view)
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text().split("\n")
    assert copied[0] == "Host\tCPU\tVerdict\tWhy"
    assert copied[1] == "'=1+1\t4,500\tfits\troom to spare"
    with qtbot.waitSignal(view.chosen) as chosen:
        at = table.visualRect(table.model().index(1, 0)).center()
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert chosen.args == ["h2"]


@pytest.mark.parametrize("width", [300, 700, 1400])
def test_columns_share_the_room_and_words_have_lines(view: SectionsView, width: int) -> None:
    view.resize(width, 500)
    view.show_sections((Section("Hosts", (hosts(),)),))
    table = table_of(view)
    assert sum(table.columnWidth(n) for n in range(4)) <= table.viewport().width()
    assert table.rowHeight(1) >= table.sizeHintForRow(1)
    assert table.height() <= view.viewport().height()


def test_the_same_shape_is_filled_in_its_place(view: SectionsView) -> None:
    view.show_sections((Section("Hosts", (hosts(),)),))
    table = table_of(view)
    table.setCurrentIndex(table.model().index(1, 0))
    view.show_sections((Section("Hosts", (hosts("less room"),)),))
    assert table_of(view) is table
    assert table.currentIndex().row() == 1
    assert table.model().index(0, 3).data() == "less room"
    view.show_sections((Section("Other", (Paragraph("words"),)),))
    assert [type(each) for each in view.blocks] == [view.KINDS[Paragraph]]


# ------------------------------------------------------------------ a tab


def told(scenario: Scenario, knowledge: Knowledge, context: Context) -> tuple[Section, ...]:
    if scenario.name == "bad":
        raise ModelError("this can't be studied")
    if not scenario.hosts:
        return ()
    row = (scenario.hosts[0].name,)
    return (Section("", (Table((Column("Host"),), (row,), "", (scenario.hosts[0].id,)),)),)


def panel_of(session: Session, selection: Selection, worker: Worker) -> SectionsPanel:
    return SectionsPanel(
        session,
        worker,
        told,
        name="Hosts",
        icon="server",
        nothing="Add a host.",
        selection=selection,
    )


def test_a_tab_shows_its_study_and_selects(
    qtbot: QtBot, place: Place, mail_session: Session, selection: Selection
) -> None:
    panel = panel_of(mail_session, selection, InlineWorker())
    place(panel, 500, 300)
    table = table_of(panel.view)
    assert table.table.rows[0].words == ("esx1",)
    table.clicked.emit(table.model().index(0, 0))
    assert selection.ids == ("h1",)
    mail_session.edit(replace(mail_session.scenario, name="bad"), "Bad")
    mail_session.flush()
    qtbot.waitUntil(lambda: panel.state.text() == "this can't be studied")
    assert not panel.view.isEnabled()
    nothing = replace(mail_session.scenario, name="none", hosts=(), vms=())
    mail_session.edit(nothing, "Nothing")
    mail_session.flush()
    qtbot.waitUntil(lambda: panel.empty.isVisible() and panel.empty.text == "Add a host.")


class Held:
    """Never runs a job."""

    def start(self, job: Job, /) -> None:
        pass


def test_a_tab_says_that_it_waits(
    place: Place, mail_session: Session, selection: Selection
) -> None:
    panel = panel_of(mail_session, selection, Worker(Held()))
    place(panel, 500, 300)
    assert panel.empty.isVisible()
    assert panel.empty.text == local(CALCULATING)


# --- a list ---------------------------------------------------------------------------------------


class Columns:
    """Remembers columns as the settings do."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[str, bool]] = {}

    def columns(self, table: str) -> dict[str, bool]:
        return self.kept.get(table, {})

    def set_columns(self, table: str, shown: Mapping[str, bool]) -> None:
        self.kept[table] = dict(shown)


def listed() -> Table:
    return Table(
        (
            Column("No.", numeric=True),
            Column("Server", in_line=True, wide=True),
            Column("Units", numeric=True),
            Column("Year", numeric=True, aside=True),
        ),
        (
            ("1", "16 × HPE ProLiant DL380 Gen10 Plus", "9", "2020"),
            ("2", "2 × small", number(1200), "no data"),
            ("3", "4 × small", "80", "2018"),
        ),
        subjects=("a", "b", "c"),
        values=((1.0, None, 9.0, 2020.0), (2.0, None, 1200.0, nan), (3.0, None, 80.0, 2018.0)),
    )


def subjects_of(view: TableView) -> list[str]:
    return [row.subject for row in view.table.rows]


def test_a_list_is_sorted_by_value_and_what_has_none_is_last(qtbot: QtBot) -> None:
    view = TableView("List")
    qtbot.addWidget(view)
    view.show_table(listed())
    view.mark("b")
    view.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    assert subjects_of(view) == ["b", "c", "a"]
    assert view.currentIndex().row() == 0
    for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
        view.sortByColumn(3, order)
        assert subjects_of(view)[-1] == "b"
    view.show_table(listed())
    assert subjects_of(view) == ["a", "c", "b"]
    view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    assert subjects_of(view) == ["a", "b", "c"]


def test_columns_of_a_list_are_chosen_and_remembered(qtbot: QtBot) -> None:
    store = Columns()
    for is_first in (True, False):
        view = TableView("List")
        qtbot.addWidget(view)
        view.keep_columns(store, "list")
        view.show_table(listed())
        assert view.isColumnHidden(3) is is_first
        if is_first:
            view._columns.actions()[3].trigger()
            assert not view.isColumnHidden(3)
    assert store.kept == {"list": {"Year": True}}


def test_a_row_of_a_list_takes_one_line_and_no_column_is_under_its_title(qtbot: QtBot) -> None:
    view = TableView("List")
    qtbot.addWidget(view)
    view.show_table(listed())
    view.fit(150, 0)
    titles = view.horizontalHeader().fontMetrics()
    for place in range(3):
        assert view.columnWidth(place) > titles.horizontalAdvance(view.table.heads[place].title)
    assert {view.rowHeight(row) for row in range(3)} == {view.verticalHeader().defaultSectionSize()}

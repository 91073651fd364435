"""HA alone, a Domino cluster, or both: three designs of the scenario in view, side by side."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.background import StudyPanel
from app.language import local, tr
from app.qtmodels.cells import ROW_ROLE, CellRow, CellTable
from app.qtmodels.designs import (
    COLUMNS,
    DECIDES,
    NORMAL,
    WORST,
    design_rows,
    source_text,
)
from app.selection import Selection
from app.session import Session, View
from app.widgets.labels import Empty, OneLine, ShorterLine
from app.widgets.marks import chip_size
from app.widgets.plain_table import PaintedDelegate, draw_verdict_cell, make_plain
from app.wording import locale_style
from app.work import Context, Worker
from models.calibration import Calibration
from models.catalog import Catalog
from models.resilience.design_words import MOST_NAMED, pairing_text
from models.resilience.designs import MOST_HOSTS, DesignRow, compare_designs
from models.scenario import Scenario

Index = QModelIndex | QPersistentModelIndex

NOTHING = tr("Put a Domino server on a host to compare HA, a Domino cluster, and both.")
TOO_MANY = tr("Compared up to {most_hosts} hosts.", most_hosts=MOST_HOSTS)
CALCULATING = tr("calculating …")
PADDING = 18


def compared(
    scenario: Scenario, catalog: Catalog, calibration: Calibration, context: Context
) -> tuple[DesignRow, ...]:
    """The designs of a scenario that isn't too large for that, in a thread of the pool."""
    if len(scenario.hosts) > MOST_HOSTS:
        return ()
    return compare_designs(scenario, catalog, calibration, check=context.check)


class ChipDelegate(PaintedDelegate):
    """Verdicts as icon and word; everything else as text."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: CellRow | None = index.data(ROW_ROLE)
        if row is None or index.column() not in (NORMAL, WORST):
            super().paint(painter, option, index)
            return
        self.draw_ground(painter, option, index)
        design: DesignRow = row.value
        standing = design.normal if index.column() == NORMAL else design.worst
        verdict, words = standing.shown.verdict, row.cells[index.column()]
        painter.save()
        draw_verdict_cell(painter, QRectF(option.rect), verdict, words, option.font)
        painter.restore()


class DesignsPanel(StudyPanel):
    """The three designs with verdicts, downtimes, replicas and what decides each.

    A click selects the host whose loss is worst.
    """

    def __init__(
        self,
        session: Session,
        selection: Selection,
        worker: Worker | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(session, worker, compared, parent)
        self._selection = selection
        self.reading = ShorterLine(self)
        self.model = CellTable(COLUMNS, self)
        self.view = QTableView(self)
        self._delegate = ChipDelegate(self.view)
        self.source = OneLine(source_text(), self)
        self._empty = Empty("layers", NOTHING, self)
        self._set_up_view()
        self._lay_out()

    def show_view(self, view: View) -> None:
        if view.lost:
            view = self._session.stored_view
        found: tuple[DesignRow, ...] | None = self._background.value
        if found is None or view.is_preview:
            self._wait()
            return
        scenario = view.scenario
        self.reading.say(
            *(local(pairing_text(found, scenario, most)) for most in range(MOST_NAMED, 0, -1))
        )
        self.view.setEnabled(True)
        self.model.set_rows(design_rows(found, scenario, locale_style()))
        self._empty.say(TOO_MANY if len(scenario.hosts) > MOST_HOSTS else NOTHING)
        self._show_rows()

    def _wait(self) -> None:
        """What stands there is of another design until the new one is worked out."""
        words = self._background.problem or CALCULATING
        self.reading.say(words if self.model.rows else "")
        self._empty.say(words)
        self.view.setEnabled(False)
        self._show_rows()

    def _show_rows(self) -> None:
        has_rows = bool(self.model.rows)
        for widget in (self.reading, self.view, self.source):
            widget.setVisible(has_rows)
        self._empty.setVisible(not has_rows)
        self._set_sizes()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_sizes()

    def _set_sizes(self) -> None:
        """Columns as wide as their words; the last one takes the rest, in as many lines."""
        metrics = QFontMetricsF(self.view.font())
        for column in range(DECIDES):
            words = [row.cells[column] for row in self.model.rows]
            wide = max((metrics.horizontalAdvance(each) for each in words), default=0.0)
            if column in (NORMAL, WORST):
                wide = max(
                    (chip_size(self.view.font(), each).width() for each in words), default=0.0
                )
            head = metrics.horizontalAdvance(COLUMNS[column].title)
            self.view.setColumnWidth(column, round(max(wide, head) + PADDING))
        self.view.resizeRowsToContents()
        least = round(metrics.height() * 1.8)
        high = 0
        for row in range(len(self.model.rows)):
            self.view.setRowHeight(row, max(self.view.rowHeight(row), least))
            high += self.view.rowHeight(row)
        self.view.setMaximumHeight(high + self.view.horizontalHeader().sizeHint().height() + 4)

    def _set_up_view(self) -> None:
        view = self.view
        view.setModel(self.model)
        view.setItemDelegate(self._delegate)
        make_plain(view, tr("HA, Domino cluster, or both"))
        view.setWordWrap(True)
        header = view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(DECIDES, QHeaderView.ResizeMode.Stretch)
        view.clicked.connect(self._activated)
        view.activated.connect(self._activated)

    def _activated(self, index: QModelIndex) -> None:
        row: CellRow | None = index.data(ROW_ROLE)
        host = row.value.worst_host if row is not None else ""
        if any(each.id == host for each in self._session.view.scenario.hosts):
            self._selection.set((host,), host)

    def _lay_out(self) -> None:
        self.source.setProperty("role", "muted")
        self.source.setContentsMargins(10, 0, 8, 4)
        self.reading.setContentsMargins(10, 4, 6, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.reading)
        column.addWidget(self.view, 1)
        column.addWidget(self.source)
        column.addWidget(self._empty, 1)
        column.addStretch()

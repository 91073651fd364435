"""The failure table: where the survivors stand when something is gone."""

from __future__ import annotations

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.qtmodels.failures import (
    CPU,
    GAUGE_ROLE,
    MISSING,
    MODE,
    RAM,
    RESPONSE,
    ROW_ROLE,
    SORT_ROLE,
    VERDICT,
    VERDICT_ROLE,
    FailureRow,
    FailuresModel,
    failure_rows,
)
from app.selection import Selection
from app.session import Session, View
from app.theme import LIGHT, Theme
from app.widgets.dials import draw_bar
from app.widgets.gauge_text import reading
from app.widgets.labels import Empty
from app.widgets.marks import VERDICT_ICONS, chip_size, draw_chip, scaled_font, verdict_colour
from app.wording import locale_style
from models.gauges import Gauge
from models.prediction import Verdict

Index = QModelIndex | QPersistentModelIndex

NUMBER_LINES = 7.2
"""Width of a column of numbers, in lines of text."""


class FailureDelegate(QStyledItemDelegate):
    """Numbers with their bar, verdicts as icon and word."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        verdict: Verdict | None = index.data(VERDICT_ROLE)
        gauge: Gauge | None = index.data(GAUGE_ROLE)
        if gauge is None and verdict is None:
            super().paint(painter, option, index)
            return
        style = QStyleOptionViewItem(option)
        self.initStyleOption(style, index)
        style.text = ""
        widget = option.widget
        widget.style().drawControl(
            widget.style().ControlElement.CE_ItemViewItem, style, painter, widget
        )
        painter.save()
        if gauge is not None:
            self._paint_number(painter, option, index, gauge)
        elif verdict is not None:
            self._paint_verdict(painter, option, index, verdict)
        painter.restore()

    def _paint_number(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, gauge: Gauge
    ) -> None:
        box = QRectF(option.rect).adjusted(6, 0, -8, 0)
        font = scaled_font(option.font, 1.0, QFont.Weight.Medium)
        painter.setFont(font)
        known = gauge.quantity.value is not None
        colour = verdict_colour(gauge.verdict, self.theme) if known else self.theme.muted
        painter.setPen(QColor(colour))
        painter.drawText(box, int(index.data(Qt.ItemDataRole.TextAlignmentRole)), index.data())
        if gauge.load is not None:
            widest = "10,000 ms" if index.column() == RESPONSE else "100.0 %"
            room = QFontMetricsF(font).horizontalAdvance(widest) + 8
            bar = QRectF(box.left(), box.center().y() - 6, box.width() - room, 12)
            draw_bar(painter, bar, reading(gauge), self.theme)

    def _paint_verdict(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, verdict: Verdict
    ) -> None:
        font = _chip_font(option.font)
        size = chip_size(font, index.data())
        box = QRectF(option.rect)
        chip = QRectF(
            box.left() + 5, box.center().y() - size.height() / 2, size.width(), size.height()
        )
        painter.setFont(font)
        colour = verdict_colour(verdict, self.theme)
        draw_chip(painter, chip, VERDICT_ICONS[verdict], index.data(), colour)


def _chip_font(font: QFont) -> QFont:
    return scaled_font(font, 0.92, QFont.Weight.Medium)


class FailureTable(QWidget):
    """Every failure mode beside normal operation; a click selects the host that fails."""

    def __init__(
        self,
        session: Session,
        selection: Selection,
        theme: Theme = LIGHT,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._selection = selection
        self.model = FailuresModel(self)
        self.sorted = QSortFilterProxyModel(self)
        self.view = QTableView(self)
        self._delegate = FailureDelegate(self.view)
        self._empty = Empty("server", "No host, no failure: add hosts and VMs first.", self)
        self._set_up_view()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view, 1)
        column.addWidget(self._empty, 1)
        session.view_changed.connect(self._view_changed)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme
        self._empty.set_theme(theme)
        self.view.viewport().update()

    def show_view(self, view: View) -> None:
        self.model.style = locale_style()
        rows = failure_rows(view.scenario, view.prediction, self.model.style)
        self.model.set_rows(rows)
        self._set_widths()
        self.view.setVisible(bool(rows))
        self._empty.setVisible(not rows)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_view(self._session.view)

    def _view_changed(self, view: View) -> None:
        """Behind another tab the table waits: it is brought up to date when it is shown."""
        if self.isVisible():
            self.show_view(view)

    def _set_widths(self) -> None:
        """Set from the words: letting Qt measure every cell costs a hundred times as much."""
        metrics = QFontMetricsF(self.view.font())
        names = max((len(row.label) for row in self.model.rows), default=0)
        mode = min(names * metrics.averageCharWidth() + 24, metrics.height() * 14)
        chip = chip_size(_chip_font(self.view.font()), Verdict.DOES_NOT_FIT.label).width()
        for column in (CPU, RAM, RESPONSE):
            self._set_width(column, metrics.height() * NUMBER_LINES)
        self._set_width(MODE, mode)
        self._set_width(VERDICT, chip + 10)

    def _set_width(self, column: int, width: float) -> None:
        if self.view.columnWidth(column) != round(width):
            self.view.setColumnWidth(column, round(width))

    def _set_up_view(self) -> None:
        view = self.view
        self.sorted.setSourceModel(self.model)
        self.sorted.setSortRole(SORT_ROLE)
        view.setModel(self.sorted)
        view.setItemDelegate(self._delegate)
        view.setSortingEnabled(True)
        view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setShowGrid(False)
        view.setTabKeyNavigation(False)
        view.setAccessibleName("Failure modes")
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(round(view.fontMetrics().height() * 2.6))
        header = view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(MISSING, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        view.clicked.connect(self._activated)
        view.activated.connect(self._activated)

    def _activated(self, index: QModelIndex) -> None:
        row: FailureRow | None = index.data(ROW_ROLE)
        if row is not None and row.subject:
            self._selection.select(row.subject)

"""The table of a comparison: a painted head a scenario, changes set apart from values."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from app.icons import draw_icon
from app.language import local, tr
from app.look import LOOK
from app.qtmodels.comparison import CHANGE_ROLE, FIRST, ROW_ROLE, WHAT, CompareRow, ComparisonModel
from app.widgets.marks import scaled_font, verdict_colour, verdict_icon
from app.widgets.plain_table import make_plain
from models.compare import Comparison
from models.compare_text import CHANGED
from models.lettering import set_apart
from models.wording import THIN

Index = QModelIndex | QPersistentModelIndex
HEAD_LINES = 3.9
LABEL_LINES, SIDE_LINES = 15, 23
"""Widths in heights of a line: labels have the first at least, and what is left where scenarios
have the second; findings are long."""
GAP_PX = 12
MIDDLE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class CompareDelegate(QStyledItemDelegate):
    """A value with its change beside it, without its unit where there is little room; headings
    across the table."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: CompareRow = index.data(ROW_ROLE)
        painter.save()
        box = QRectF(option.rect)
        if row.level is not None:
            self._heading(painter, box, option.font, row)
        else:
            self._ground(painter, box, option)
            self._cell(painter, box.adjusted(9, 0, -6, 0), option, index)
        painter.restore()

    def _heading(self, painter: QPainter, box: QRectF, font: QFont, row: CompareRow) -> None:
        theme, is_top = LOOK.theme, row.level == 0
        painter.fillRect(box, QColor(theme.raised if is_top else theme.panel))
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawLine(box.topLeft(), box.topRight())
        painter.setFont(scaled_font(font, 1.05 if is_top else 0.95, QFont.Weight.DemiBold))
        painter.setPen(QColor(theme.text if is_top else theme.muted))
        painter.drawText(box.adjusted(9, 0, 0, 0), MIDDLE, row.label)

    def _ground(self, painter: QPainter, box: QRectF, option: QStyleOptionViewItem) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, QColor(LOOK.theme.accent_soft))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, QColor(LOOK.theme.raised))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(LOOK.theme.accent), 1.5))
            painter.drawRect(box.adjusted(1, 1, -1, -1))

    def _cell(
        self, painter: QPainter, box: QRectF, option: QStyleOptionViewItem, index: Index
    ) -> None:
        theme, change = LOOK.theme, index.data(CHANGE_ROLE)
        weight = QFont.Weight.Medium if change else option.font.weight()
        font = scaled_font(option.font, 1.0, weight)
        metrics = QFontMetricsF(font)
        beside = "" if change == local(CHANGED) else change
        if GAP_PX + sum(map(metrics.horizontalAdvance, (index.data(), beside))) > box.width():
            beside = beside.split(THIN)[0]
        room = box.width() - (metrics.horizontalAdvance(beside) + GAP_PX if beside else 0)
        words = metrics.elidedText(index.data(), Qt.TextElideMode.ElideRight, room)
        painter.setFont(font)
        is_quiet = index.column() >= FIRST and not change
        painter.setPen(QColor(theme.muted if is_quiet else theme.text))
        painter.drawText(box, MIDDLE, words)
        if beside:
            painter.setPen(QColor(theme.accent))
            at = min(metrics.horizontalAdvance(words) + GAP_PX, room + GAP_PX)
            painter.drawText(box.adjusted(at, 0, 0, 0), MIDDLE, beside)


class CompareHead(QHeaderView):
    """Name, verdict, and what each scenario is compared with.

    Signals:
        picked: column that was clicked.
    """

    picked = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._comparison: Comparison | None = None
        self._baseline: str | None = None
        self._active = ""
        self.setSectionsClickable(True)
        self.sectionClicked.connect(self._clicked)

    def show_comparison(self, comparison: Comparison, baseline: str | None, active: str) -> None:
        self._comparison, self._baseline, self._active = comparison, baseline, active
        self.viewport().update()

    def sizeHint(self) -> QSize:
        size = super().sizeHint()
        return QSize(size.width(), round(QFontMetricsF(self.font()).height() * HEAD_LINES))

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        comparison, theme = self._comparison, LOOK.theme
        column = section - FIRST
        painter.save()
        painter.fillRect(rect, QColor(theme.panel))
        painter.setPen(QPen(QColor(theme.line_strong), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if comparison is not None and 0 <= column < len(comparison.sides):
            self._paint_side(painter, QRectF(rect).adjusted(9, 3, -6, -4), comparison, column)
        painter.restore()

    def _paint_side(
        self, painter: QPainter, box: QRectF, comparison: Comparison, column: int
    ) -> None:
        side, theme = comparison.sides[column], LOOK.theme
        line = QFontMetricsF(self.font()).height()
        name = QRectF(box.left(), box.top(), box.width(), line * 1.25)
        if side.id == self._baseline:
            sign = QRectF(name.right() - line, name.top() + 2, line, line)
            draw_icon(painter, sign, "flag", theme.accent)
            name.setRight(sign.left() - 4)
        colour = theme.accent if side.id == self._active else theme.text
        _text(
            painter,
            name,
            set_apart(side.scenario.name),
            scaled_font(self.font(), 1.05, BOLD),
            colour,
        )
        shown = side.prediction.shown
        second = QRectF(box.left(), name.bottom(), box.width(), line)
        icon = verdict_icon(shown.verdict)
        ink = verdict_colour(shown.verdict, theme)
        draw_icon(painter, QRectF(second.left(), second.top() + 1, line - 2, line - 2), icon, ink)
        _text(painter, second.adjusted(line + 4, 0, 0, 0), local(shown.words), self.font(), ink)
        third = QRectF(box.left(), second.bottom(), box.width(), line)
        _text(
            painter, third, standing(comparison, column), scaled_font(self.font(), 0.9), theme.muted
        )

    def _clicked(self, section: int) -> None:
        if section >= FIRST:
            self.picked.emit(section - FIRST)


BOLD = QFont.Weight.DemiBold


def standing(comparison: Comparison, column: int) -> str:
    """What a column is compared with: ``identical to “WV21 today”``."""
    reference = comparison.references[column]
    if reference is None:
        return tr("the others are compared with it")
    name = comparison.sides[reference].scenario.name
    if comparison.identical_to_reference(column):
        return tr("identical to “{name}”", name=name)
    return tr("against “{name}”", name=name)


def _text(painter: QPainter, box: QRectF, words: str, font: QFont, colour: str) -> None:
    painter.setFont(font)
    painter.setPen(QColor(colour))
    shown = QFontMetricsF(font).elidedText(words, Qt.TextElideMode.ElideRight, box.width())
    painter.drawText(box, MIDDLE, shown)


class CompareTable(QTableView):
    """The lines of a comparison.

    Signals:
        asked: a `CompareRow` and the column of a scenario, by Return, `E` or a double click.
    """

    asked = Signal(object, int)

    def __init__(self, model: ComparisonModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.head = CompareHead(self)
        self.delegate = CompareDelegate(self)
        self.setHorizontalHeader(self.head)
        self.setModel(model)
        self.setItemDelegate(self.delegate)
        self._set_up()
        model.modelReset.connect(self._span)
        model.rowsInserted.connect(self._span)
        model.rowsRemoved.connect(self._span)

    def _set_up(self) -> None:
        make_plain(self, tr("Differences"), lines=1.75)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.head.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.head.setMinimumSectionSize(self.fontMetrics().averageCharWidth() * 14)

    def _span(self) -> None:
        """Headings go across; the labels get room, the scenarios share the rest."""
        self.clearSpans()
        model = self.model()
        for row in range(model.rowCount()):
            if model.index(row, WHAT).data(ROW_ROLE).level is not None:
                self.setSpan(row, WHAT, 1, model.columnCount())
        if model.columnCount() > FIRST:
            self.head.setSectionResizeMode(WHAT, QHeaderView.ResizeMode.Interactive)
        self._share()

    def _share(self) -> None:
        line, sides = self.fontMetrics().height(), self.model().columnCount() - FIRST
        if sides:
            left = self.viewport().width() - sides * SIDE_LINES * line
            self.setColumnWidth(WHAT, max(LABEL_LINES * line, left))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_E):
            self._ask(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._ask(self.indexAt(event.position().toPoint()))

    def _ask(self, index: QModelIndex) -> None:
        row: CompareRow | None = index.data(ROW_ROLE) if index.isValid() else None
        if row is not None and row.difference is not None:
            self.asked.emit(row, max(index.column() - FIRST, 0))

"""How a scenario looks in the list: its board, its name, and how it fares."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPixmap
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.icons import draw_icon
from app.language import local, tr
from app.look import LOOK
from app.qtmodels.scenarios import ROW_ROLE, ScenarioRow
from app.widgets.marks import scaled_font, verdict_colour, verdict_icon
from app.widgets.painting import draw_box, draw_line, draw_row_ground
from models.predict.prediction import Shown

Index = QModelIndex | QPersistentModelIndex
Picture = Callable[[str, QSize], QPixmap | None]
CALCULATING = Shown(None, tr("calculating"))
ROW_LINES = 2.9
PICTURE_SHAPE = 1.4
"""Width of the picture over its height."""


class ScenarioDelegate(QStyledItemDelegate):
    """A small picture of the board, name, verdict as icon and word, and the baseline's flag.

    `picture` gives the board of a scenario by its id, in this size; None where there is none.
    """

    def __init__(self, parent: QWidget, picture: Picture) -> None:
        super().__init__(parent)
        self._picture = picture

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, round(QFontMetricsF(option.font).height() * ROW_LINES))

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """The name is edited where it stands, beside the picture."""
        super().updateEditorGeometry(editor, option, index)
        left = round(self._picture_box(QRectF(option.rect)).right()) + 2
        editor.setGeometry(QRect(QPoint(left, option.rect.top()), option.rect.bottomRight()))

    def _picture_box(self, row: QRectF) -> QRectF:
        height = row.height() - 8
        return QRectF(row.left() + 11, row.top() + 4, height * PICTURE_SHAPE, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ScenarioRow = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(2, 1, -2, -1)
        draw_row_ground(painter, box, option.state, is_chosen=row.is_shown)
        if row.is_shown:
            mark = box.adjusted(3, 6, -(box.width() - 6), -6)
            draw_box(painter, mark, 1.5, ground=LOOK.theme.accent)
        line = QFontMetricsF(option.font).height()
        board = self._picture_box(QRectF(option.rect))
        picture = self._picture(row.key, board.size().toSize())
        if picture is not None:
            painter.drawPixmap(board.topLeft(), picture)
        inner = QRectF(box)
        inner.setLeft(board.right() + 7)
        inner.adjust(0, line * 0.28, -8, -line * 0.28)
        if row.is_baseline:
            sign = QRectF(inner.right() - line, inner.top() + line * 0.1, line, line)
            draw_icon(painter, sign, "flag", LOOK.theme.accent)
            inner.setRight(sign.left() - 4)
        half = inner.height() / 2
        weight = QFont.Weight.DemiBold if row.is_shown else QFont.Weight.Medium
        name = QRectF(inner.left(), inner.top(), inner.width(), half)
        draw_line(painter, name, row.name, scaled_font(option.font, 1.0, weight), LOOK.theme.text)
        right = box.right() - 8
        second = QRectF(inner.left(), name.bottom(), right - inner.left(), half)
        self._second(painter, second, row)
        painter.restore()

    def _second(self, painter: QPainter, box: QRectF, row: ScenarioRow) -> None:
        font = scaled_font(painter.font(), 0.9)
        shown = row.shown or CALCULATING
        colour = verdict_colour(shown, LOOK.theme)
        side = QFontMetricsF(font).ascent() + 2
        sign = QRectF(box.left(), box.center().y() - side / 2, side, side)
        name = verdict_icon(shown)
        draw_icon(painter, sign, name, colour)
        left = box.adjusted(side + 5, 0, 0, 0)
        draw_line(painter, left, local(shown.words), font, colour)
        used = side + 5 + QFontMetricsF(font).horizontalAdvance(local(shown.words))
        rest = " · ".join([tr("baseline")] * row.is_baseline + [row.detail] * bool(row.detail))
        if rest:
            after = box.adjusted(used, 0, 0, 0)
            draw_line(painter, after, f" · {rest}", font, LOOK.theme.muted)

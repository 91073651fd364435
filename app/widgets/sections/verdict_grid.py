"""A map of two inputs: a cell for each pair, in the colour and with the sign of its verdict."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.language import local, tr
from app.look import LOOK
from app.theme import Theme
from app.widgets.legend import VERDICT_SIGNS, Legend
from app.widgets.marks import draw_verdict, scaled_font
from app.widgets.roles import tell_value
from app.widgets.sections.block import BlockWidget, words
from app.wording import tip_text
from models.tell.blocks import VerdictGrid

LEAST_ROW_LINES, MOST_ROW_LINES, TYPE = 0.85, 1.6, 0.92
AXES_LINES = 3.4
MOST_CELL_LINES, GAP_PX, HERE_PX, KEY_PX = 5.0, 6, 9.0, 5.5
"""Widest a cell gets, in lines; room between numbers and cells; radius of the ring on
the map and in its legend [px]."""

TITLE_LINES = 3.0
"""Below and above a map, in lines: the title of its section, and what is read of a cell."""

HERE, SIGN_SIDE_PX = "here", 14
KEYS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}


class GridWidget(QWidget):
    """The cells with their axes; a line where the verdict turns, a ring where the scenario stands.

    Signals:
        read: what there is to say of the cell under the pointer, or of the one that arrow keys have
            come to; empty for none.
    """

    read = Signal(str)
    spoken_role = QAccessible.Role.Chart

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.grid: VerdictGrid | None = None
        self.at: tuple[int, int] | None = None
        """Column and row of the cell that is read."""
        self._row_lines = MOST_ROW_LINES
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        LOOK.changed.connect(self.update)

    @property
    def spoken_value(self) -> str:
        """What there is to say of the cell that is read."""
        if self.grid is None or self.at is None:
            return ""
        return local(self.grid.texts[self.at[1]][self.at[0]])

    def show_grid(self, grid: VerdictGrid) -> None:
        self.grid, self.at = grid, None
        self.setAccessibleName(local(grid.alt))
        self.read.emit("")
        self.updateGeometry()
        self.update()

    def fit(self, height: int) -> None:
        """As high as there is room for [px], within what can be read."""
        if self.grid is None:
            return
        lines = (height / self.fontMetrics().height() - AXES_LINES) / len(self.grid.y)
        self._row_lines = min(max(lines, LEAST_ROW_LINES), MOST_ROW_LINES)
        self.updateGeometry()

    def cell(self, column: int, row: int) -> QRectF:
        """Where a cell lies; row 0 is the lowest."""
        room, grid = self._room(), self.grid
        if grid is None:
            return QRectF()
        wide, high = room.width() / len(grid.x), room.height() / len(grid.y)
        return QRectF(room.left() + column * wide, room.bottom() - (row + 1) * high, wide, high)

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        rows = 0 if self.grid is None else len(self.grid.y)
        return QSize(0, round(line * (rows * self._row_lines + AXES_LINES)))

    def _room(self) -> QRectF:
        """The cells' own room: between the names of the axes, and no wider than they need."""
        metrics, grid = self.fontMetrics(), self.grid
        if grid is None:
            return QRectF()
        left = max(metrics.horizontalAdvance(local(each)) for each in grid.y) + 2 * GAP_PX
        line = metrics.height()
        most = MOST_CELL_LINES * line * len(grid.x)
        return QRectF(
            left,
            line * 1.2,
            min(self.width() - left - GAP_PX, most),
            line * self._row_lines * len(grid.y),
        )

    # ------------------------------------------------------------------ painting

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.grid is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(scaled_font(self.font(), TYPE))
        theme = LOOK.theme
        self._paint_cells(painter, self.grid, theme)
        self._paint_border(painter, self.grid, theme)
        self._paint_axes(painter, self.grid, theme)
        x, y = self.grid.here
        first = self.cell(0, 0)
        middle = first.center() + QPointF(x * first.width(), -y * first.height())
        draw_here(painter, middle, HERE_PX, theme)
        if self.at is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.drawRect(self.cell(*self.at).adjusted(1, 1, -1, -1))
        painter.end()

    def _paint_cells(self, painter: QPainter, grid: VerdictGrid, theme: Theme) -> None:
        for row, verdicts in enumerate(grid.verdicts):
            for column, verdict in enumerate(verdicts):
                cell = self.cell(column, row)
                ground = QColor(theme.verdict(verdict))
                ground.setAlphaF(0.22)
                painter.fillRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), ground)
                side = min(cell.height(), cell.width()) * 0.62
                sign = QRectF(0, 0, side, side)
                sign.moveCenter(cell.center())
                draw_verdict(painter, sign, verdict, theme)

    def _paint_border(self, painter: QPainter, grid: VerdictGrid, theme: Theme) -> None:
        painter.setPen(
            QPen(QColor(theme.text), 2.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap)
        )
        for row, verdicts in enumerate(grid.verdicts):
            for column, verdict in enumerate(verdicts):
                cell = self.cell(column, row)
                if column + 1 < len(verdicts) and verdicts[column + 1] is not verdict:
                    painter.drawLine(cell.topRight(), cell.bottomRight())
                if row + 1 < len(grid.y) and grid.verdicts[row + 1][column] is not verdict:
                    painter.drawLine(cell.topLeft(), cell.topRight())

    def _paint_axes(self, painter: QPainter, grid: VerdictGrid, theme: Theme) -> None:
        metrics, room = painter.fontMetrics(), self._room()
        line = self.fontMetrics().height()
        painter.setPen(QColor(theme.text))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for row, name in enumerate(grid.y):
            cell = self.cell(0, row)
            at = QRectF(0, cell.top(), room.left() - GAP_PX, cell.height())
            painter.drawText(at, right, local(name))
        names = list(map(local, grid.x))
        widest = max(map(metrics.horizontalAdvance, names)) + GAP_PX
        every = max(1, -(-widest // max(int(self.cell(0, 0).width()), 1)))
        middle = (len(names) - 1) // 2
        for column, name in enumerate(names):
            if (column - middle) % every:
                continue
            center = self.cell(column, 0).center().x()
            at = QRectF(center - widest / 2, room.bottom() + 2, widest, line)
            painter.drawText(at, Qt.AlignmentFlag.AlignCenter, name)
        painter.setPen(QColor(theme.muted))
        painter.drawText(QRectF(0, 0, room.right(), line), right ^ right, local(grid.y_label))
        below = QRectF(room.left(), room.bottom() + line + 2, room.width(), line)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, local(grid.x_label))

    # ------------------------------------------------------------------ pointer and keys

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        room, grid = self._room(), self.grid
        if grid is None or not room.contains(event.position()):
            self._go(None)
            return
        at = event.position() - room.bottomLeft()
        column = int(at.x() / room.width() * len(grid.x))
        row = int(-at.y() / room.height() * len(grid.y))
        self._go((min(column, len(grid.x) - 1), min(row, len(grid.y) - 1)))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._go(None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._go(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step, grid = KEYS.get(Qt.Key(event.key())), self.grid
        if step is None or grid is None:
            super().keyPressEvent(event)
            return
        here = (round(grid.here[0]), round(grid.here[1]))
        column, row = here if self.at is None else self.at
        if self.at is not None:
            column, row = column + step[0], row + step[1]
        self._go((min(max(column, 0), len(grid.x) - 1), min(max(row, 0), len(grid.y) - 1)))

    def _go(self, at: tuple[int, int] | None) -> None:
        if at == self.at:
            return
        self.at = at
        self.setToolTip(tip_text(self.spoken_value))
        tell_value(self)
        self.read.emit(self.spoken_value)
        self.update()


class GridLegend(Legend):
    """What the signs of a map mean."""

    def __init__(self, parent: QWidget | None = None) -> None:
        verdicts = ((name, local(verdict.label)) for name, verdict in VERDICT_SIGNS.items())
        super().__init__(((HERE, tr("as it stands")), *verdicts), parent)

    def draw_sign(self, painter: QPainter, box: QRectF, sign: str, theme: Theme) -> None:
        if sign == HERE:
            draw_here(painter, box.center(), KEY_PX, theme)
            return
        square = QRectF(0, 0, SIGN_SIDE_PX, SIGN_SIDE_PX)
        square.moveCenter(box.center())
        draw_verdict(painter, square, VERDICT_SIGNS[sign], theme)


class VerdictGridWidget(BlockWidget):
    """A map over its legend; what is read of a cell stands beside that."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cells = GridWidget(self)
        self.legend = GridLegend(self)
        self.reading = words(parent=self)
        self.column.addWidget(self.cells)
        self.column.addWidget(self.legend)
        self.column.addWidget(self.reading)
        self.cells.read.connect(self.reading.setText)

    def show_block(self, block: VerdictGrid) -> None:
        self.cells.show_grid(block)

    def fit(self, width: int, height: int) -> None:
        below = self.legend.sizeHint().height() + TITLE_LINES * self.fontMetrics().height()
        self.cells.fit(height - round(below))


def draw_here(painter: QPainter, middle: QPointF, radius: float, theme: Theme) -> None:
    """The ring about the place where the scenario stands."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((theme.panel, 5.0), (theme.accent, 2.6)):
        painter.setPen(QPen(QColor(colour), width))
        painter.drawEllipse(middle, radius, radius)

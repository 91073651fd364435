"""Two small arrows at the end of a number: press, hold, or drag up and down."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QHideEvent, QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QWidget

from app.language import tr

FIRST_MS = 400
NEXT_MS = 60
DRAG_PX = 6.0
"""Way of the pointer that is one step."""


class Stepper(QWidget):
    """Asks for steps up and down; the keys Up and Down of the field do the same.

    Signals:
        stepped: how many steps, while the button is held or the pointer drags.
        let_go: the button was let go, or there is nothing left to hold it on.
    """

    stepped = Signal(int)
    let_go = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._direction = 0
        self._pressed_at: QPointF | None = None
        self._dragged = 0
        self._again = QTimer(self)
        self._again.timeout.connect(self._repeat)
        self.setFixedSize(self.sizeHint())
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setToolTip(tr("Click or hold for more or less; drag up or down"))

    def sizeHint(self) -> QSize:
        return QSize(16, 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        middle = QRectF(self.rect()).center()
        for direction in (1, -1):
            pressed = self._direction == direction
            role = self.palette().highlight() if pressed else self.palette().placeholderText()
            painter.setBrush(QColor(role.color()))
            tip = middle.y() - direction * 6.5
            base = middle.y() - direction * 2.5
            left, right = QPointF(middle.x() - 4, base), QPointF(middle.x() + 4, base)
            painter.drawPolygon(QPolygonF([QPointF(middle.x(), tip), right, left]))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        self._pressed_at = event.position()
        self._dragged = 0
        self._direction = 1 if event.position().y() < self.height() / 2 else -1
        self.stepped.emit(self._direction)
        self._again.start(FIRST_MS)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed_at is None:
            return
        steps = int((self._pressed_at.y() - event.position().y()) / DRAG_PX)
        if steps != self._dragged:
            self._again.stop()
            self.stepped.emit(steps - self._dragged)
            self._dragged = steps

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._let_go()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody sees what it would go on doing, and the button may be let go elsewhere."""
        super().hideEvent(event)
        self._let_go()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.EnabledChange, QEvent.Type.UngrabMouse):
            self._let_go()
        return super().event(event)

    def _let_go(self) -> None:
        if self._pressed_at is None:
            return
        self._pressed_at = None
        self._direction = 0
        self._again.stop()
        self.update()
        self.let_go.emit()

    def _repeat(self) -> None:
        self._again.setInterval(NEXT_MS)
        self.stepped.emit(self._direction)

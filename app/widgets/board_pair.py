"""Two boards beside each other, as it is and as it would be, with what moves marked in both."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.language import local, tr, trn
from app.look import LOOK
from app.widgets.board.arrange import layout_board
from app.widgets.meters import draw_text, draw_verdict
from app.widgets.thumbnails import BOARD_PX, Look, thumbnail
from models.predict.prediction import Prediction
from models.scenario.scenario import Scenario

HIGH_PX, LEAST_PX, HEAD_PX, GAP_PX = 200, 320, 22, 16
State = tuple[Scenario, Prediction]


class BoardPair(QWidget):
    """The boards before and after; VMs of another host have an edge in both."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._states: tuple[State, State] | None = None
        self._moved: frozenset[str] = frozenset()
        self.setFixedHeight(HIGH_PX)
        self.setMinimumWidth(LEAST_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()
        LOOK.changed.connect(self.update)

    @property
    def moved(self) -> frozenset[str]:
        """Ids of the VMs that stand elsewhere afterwards."""
        return self._moved

    def show_states(self, before: State | None, after: State | None) -> None:
        """Shows both; without one of them there is nothing to compare."""
        self._states = None if before is None or after is None else (before, after)
        self._moved = frozenset()
        if self._states is not None:
            hosts = [{vm.id: vm.host for vm in each.vms} for each, _ in self._states]
            self._moved = frozenset(id for id in hosts[0] if hosts[0][id] != hosts[1].get(id))
            words = trn("{count} VM moves", "{count} VMs move", len(self._moved))
            shown = [local(prediction.shown.words) for _, prediction in self._states]
            said = tr("Before: {before}; after: {after}", before=shown[0], after=shown[1])
            self.setAccessibleName(f"{words}. {said}")
        self.setVisible(self._states is not None)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._states is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = (self.width() - GAP_PX) / 2
        names = tr("Today"), tr("With these moves")
        for place, (name, state) in enumerate(zip(names, self._states, strict=True)):
            left = place * (width + GAP_PX)
            self._paint_state(painter, QRectF(left, 0, width, self.height()), name, state)
        painter.end()

    def _paint_state(self, painter: QPainter, box: QRectF, name: str, state: State) -> None:
        scenario, prediction = state
        theme = LOOK.theme
        head = QRectF(box.x(), box.y(), box.width(), HEAD_PX)
        draw_text(painter, head, name, colour=theme.text, size_px=13)
        draw_verdict(painter, head, prediction.shown, theme, 12)
        size = QSize(int(box.width()), int(box.height()) - HEAD_PX)
        look = Look(size, theme, self.devicePixelRatioF())
        drawn = thumbnail(scenario, prediction, look)
        painter.drawPixmap(int(box.x()), HEAD_PX, drawn.picture)
        painter.save()
        painter.setClipRect(QRectF(box.x(), HEAD_PX, size.width(), size.height()))
        painter.setPen(QPen(QColor(theme.accent), 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        scale = drawn.ground.scale
        for id, each in layout_board(scenario, BOARD_PX, 1.0).vms.items():
            if id in self._moved:
                at = QRectF(each.x * scale, each.y * scale, each.w * scale, each.h * scale)
                painter.drawRect(at.translated(box.x() + 2, HEAD_PX + 2))
        painter.restore()

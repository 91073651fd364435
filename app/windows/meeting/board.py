"""The board in type that is read from the back of a room; it shows and takes no gestures."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QAccessible, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from app.language import tr
from app.session import View
from app.theme import LIGHT, Theme
from app.widgets.board.arrange import layout_board
from app.widgets.board.faces import FaceBook
from app.widgets.board.layout import BoardLayout, Box
from app.widgets.board.paint import paint_board, paint_empty
from app.widgets.board.scene import BoardState, Scene
from app.wording import locale_style
from models.catalog import Catalog
from models.scenario import Scenario

SMALLEST_TYPE = 9.5
"""Size of the smallest type on the board at 100 % [px]."""

LARGER = (1.5, 1.35, 1.2, 1.1, 1.0)
"""Zooms tried, over the one at which the smallest type is just large enough."""

MOST_SCREENS = 3.0
"""A board that is higher than this many screens is folded."""


class MeetingBoard(QAbstractScrollArea):
    """Paints the board of a view as large as it fits, and at least so large that it can be read.

    What doesn't fit is scrolled to; a very large estate is folded, first its hosts, then its
    clusters.
    """

    spoken_role = QAccessible.Role.Graphic

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._unit = 24.0
        self._shown: tuple[View, Scenario, Catalog] | None = None
        self._state = BoardState()
        self._scene: Scene | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        # The wheel and the keys scroll; a bar would only take room.
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Board"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def layout_shown(self) -> BoardLayout | None:
        return None if self._scene is None else self._scene.layout

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._arrange()

    def set_unit(self, unit: float) -> None:
        """The smallest size of type that may be used [px]."""
        self._unit = unit
        self._arrange()

    def show_view(self, view: View, stored: Scenario, catalog: Catalog, state: BoardState) -> None:
        self._shown = (view, stored, catalog)
        self._state = state
        self._arrange()

    def reveal(self, id: str) -> None:
        """Scrolls to an item."""
        box = None if self._scene is None else self._scene.layout.box(id)
        bar = self.verticalScrollBar()
        if box is not None:
            high = self.viewport().height()
            if box.y < bar.value() or box.bottom > bar.value() + high:
                bar.setValue(round(box.y - max(0.0, (high - box.h) / 2)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        if self._shown is None or self.viewport().width() < 2:
            return
        view, stored, catalog = self._shown
        layout = self._layout(stored)
        self._scene = Scene(
            layout=layout,
            scenario=stored,
            faces=FaceBook(view, stored, catalog, locale_style(), is_compact=layout.is_compact),
            theme=self._theme,
            state=self._state,
        )
        over = max(0, round(layout.height) - self.viewport().height())
        self.verticalScrollBar().setRange(0, over)
        self.verticalScrollBar().setPageStep(self.viewport().height())
        self.verticalScrollBar().setSingleStep(round(self._unit * 2))
        self.viewport().update()

    def _layout(self, scenario: Scenario) -> BoardLayout:
        """The first arrangement that is seen at once; else the first that is not too high."""
        size, least = self.viewport().size(), self._unit / SMALLEST_TYPE
        layout = None
        for folded in _foldings(scenario):
            for larger in LARGER:
                layout = layout_board(scenario, float(size.width()), least * larger, folded=folded)
                if layout.height <= size.height():
                    return layout
            if layout is not None and layout.height <= MOST_SCREENS * size.height():
                break
        assert layout is not None
        return layout

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        rect = QRectF(self.viewport().rect())
        painter.fillRect(rect, self.palette().window())
        scene = self._scene
        if scene is not None and scene.scenario.items():
            offset = self.verticalScrollBar().value()
            painter.translate(0, -offset)
            paint_board(painter, scene, Box(0, offset, rect.width(), rect.height()))
        elif scene is not None:
            paint_empty(painter, Box(0, 0, rect.width(), rect.height()), self._theme)
        painter.end()


def _foldings(scenario: Scenario) -> Iterator[frozenset[str]]:
    """What is folded: nothing, all hosts, all clusters too."""
    hosts = frozenset(host.id for host in scenario.hosts)
    yield frozenset()
    yield hosts
    yield hosts | {cluster.id for cluster in scenario.clusters}

"""A tour of the window in five steps: a light on each part, and two sentences about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QColor, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from app.language import tr
from app.look import LOOK
from app.session import Session
from app.settings import Settings
from app.widgets.parts import STRETCH, in_column, in_row, styled, wrapped
from app.windows.files import FileCommands
from app.windows.frame import Frame
from app.windows.journey import BOARD
from app.windows.tabbing import go_on
from resources.example_files import load_examples

GAP, EDGE, RADIUS = 12, 12, 10
WIDTH = 330
SHADE = 150


@dataclass(frozen=True, slots=True)
class Stop:
    """One step: the place of the window it is about, its title and its words."""

    place: str
    title: str
    words: str


STOPS = (
    Stop(
        "verdict",
        tr("The answer is always here"),
        tr(
            "One sentence says whether it fits, what decides and how far the limit is. Every "
            "change moves the dials at once: there is no Run button."
        ),
    ),
    Stop(
        "board",
        tr("Try it by hand"),
        tr(
            "Drag a VM over the hosts: each shows where it would stand, and the best one glows. "
            "Hold a host down to see it fail. Undo takes anything back."
        ),
    ),
    Stop(
        "inspector",
        tr("Change any input"),
        tr(
            "What is selected is edited here: users, memory, processors, limits. Select nothing to "
            "edit the limits of the whole scenario."
        ),
    ),
    Stop(
        "charts",
        tr("See where it breaks"),
        tr(
            "Response time by users with the knee, the load of each host, and what every failure "
            "would do."
        ),
    ),
    Stop(
        "scenarios",
        tr("Keep alternatives, then print"),
        tr(
            "Duplicate a scenario, change it, compare the two. File ▸ Export proposal writes the "
            "PDF. Ctrl+K finds every command by its name."
        ),
    ),
)


class TourCommands(QObject):
    """Owner of Help ▸ Take the tour; remembers that it was taken."""

    def __init__(
        self, window: Frame, session: Session, files: FileCommands, settings: Settings
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._files = files
        self._settings = settings
        self.shown: Tour | None = None

    def start(self) -> None:
        """Shows the first step; with nothing on the board, on a worked example."""
        if self.shown is not None:
            return
        if not self._session.scenario.items():
            self._files.open_example(load_examples()[1].id)
        self._window.stack.bring(BOARD)
        self._settings.has_toured = True
        self.shown = Tour(self._window, self._window.place)
        self.shown.ended.connect(self._forget)
        self.shown.begin()

    def _forget(self) -> None:
        if self.shown is not None:
            self.shown.deleteLater()
            self.shown = None
            self._window.place("board").setFocus()


class Tour(QWidget):
    """Lies over the whole window and leaves one place of it bright.

    Signals:
        ended: the last step is done, or it was skipped.
    """

    spoken_role = QAccessible.Role.Dialog

    ended = Signal()

    def __init__(self, window: QWidget, place: Callable[[str], QWidget]) -> None:
        super().__init__(window)
        self._window = window
        self._place = place
        self._at = 0
        self._bright = QRect()
        self.setAccessibleName(tr("Tour"))
        self._bubble = self._made_bubble()
        window.installEventFilter(self)

    def _made_bubble(self) -> QFrame:
        bubble = styled(QFrame(self), "panel")
        bubble.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        bubble.setFixedWidth(WIDTH)
        self._count = styled(QLabel(bubble), "muted")
        self._title = wrapped("", bubble, role="title")
        self._words = wrapped("", bubble)
        self._skip = self._button(tr("Skip the tour"), self.end)
        self._back = self._button(tr("Back"), self.back)
        self._next = self._button(tr("Next"), self.next)
        self._next.setProperty("role", "primary")
        row = in_row().put(self._skip, (STRETCH, 1), self._back, self._next)
        column = in_column(bubble, gap=8, around=(16, 12, 16, 14))
        for label in (self._count, self._title, self._words):
            column.addWidget(label)
        column.addLayout(row)
        return bubble

    def _button(self, text: str, act: Callable[[], None]) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(True)
        button.clicked.connect(act)
        return button

    # ------------------------------------------------------------------ steps

    @property
    def stop(self) -> Stop:
        return STOPS[self._at]

    def begin(self) -> None:
        self.setGeometry(self._window.rect())
        self.show()
        self.raise_()
        self._go(0)

    def next(self) -> None:
        if self._at + 1 == len(STOPS):
            self.end()
        else:
            self._go(self._at + 1)

    def back(self) -> None:
        self._go(max(0, self._at - 1))

    def end(self) -> None:
        self._window.removeEventFilter(self)
        self.hide()
        self.ended.emit()

    def _go(self, at: int) -> None:
        self._at = at
        stop = STOPS[at]
        self._count.setText(tr("{at} of {count}", at=at + 1, count=len(STOPS)))
        self._title.setText(stop.title)
        self._words.setText(stop.words)
        self._bubble.setAccessibleName(f"{stop.title}. {stop.words}")
        self._back.setVisible(at > 0)
        self._skip.setVisible(at + 1 < len(STOPS))
        self._next.setText(tr("Done") if at + 1 == len(STOPS) else tr("Next"))
        self._arrange()
        self._next.setFocus()

    # ------------------------------------------------------------------ where it stands

    @property
    def bright(self) -> QRect:
        """What is left bright, in coordinates of the window."""
        return self._bright

    @property
    def bubble(self) -> QRect:
        return self._bubble.geometry()

    def _arrange(self) -> None:
        self.setGeometry(self._window.rect())
        place = self._place(self.stop.place)
        if place.isVisible():
            corner = place.mapTo(self._window, QPoint(0, 0))
            self._bright = QRect(corner, place.size()).adjusted(-3, -3, 3, 3)
        else:
            self._bright = QRect()
        layout = self._bubble.layout()
        assert layout is not None
        self._bubble.resize(WIDTH, layout.totalHeightForWidth(WIDTH))
        self._bubble.move(corner_beside(self._bright, self._bubble.size(), self.rect()))
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self._arrange()
        return super().eventFilter(watched, event)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Tab stays in the bubble: what is below can't be used now."""
        return go_on([self._bubble], self._window, 1 if next else -1, within=self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.end()
        elif event.key() == Qt.Key.Key_Right:
            self.next()
        elif event.key() == Qt.Key.Key_Left:
            self.back()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shade = QPainterPath()
        shade.addRect(QRectF(self.rect()))
        hole = QPainterPath()
        hole.addRoundedRect(QRectF(self._bright), RADIUS, RADIUS)
        dark = QColor("black")
        dark.setAlpha(SHADE)
        painter.fillPath(shade.subtracted(hole), dark)
        painter.setPen(QPen(QColor(LOOK.theme.accent), 2))
        painter.drawPath(hole)
        painter.end()


def corner_beside(bright: QRect, size: QSize, room: QRect) -> QPoint:
    """Where a bubble of this size stands: below, above, right or left of what is bright.

    The first of these with room; over its middle where there is none. Always inside `room`.
    """
    width, height = size.width(), size.height()
    across = bright.center().x() - width // 2
    along = bright.center().y() - height // 2
    places = (
        QPoint(across, bright.bottom() + GAP),
        QPoint(across, bright.top() - GAP - height),
        QPoint(bright.right() + GAP, along),
        QPoint(bright.left() - GAP - width, along),
    )
    inner = room.adjusted(EDGE, EDGE, -EDGE, -EDGE)
    for place in places:
        box = _pushed(QRect(place.x(), place.y(), width, height), inner)
        if inner.contains(box) and not box.intersects(bright):
            return box.topLeft()
    middle = QRect(across, along, width, height)
    return _pushed(middle, inner).topLeft()


def _pushed(box: QRect, inner: QRect) -> QRect:
    """The box, moved as little as needed to lie inside."""
    x = max(inner.left(), min(box.left(), inner.right() - box.width() + 1))
    y = max(inner.top(), min(box.top(), inner.bottom() - box.height() + 1))
    return QRect(x, y, box.width(), box.height())

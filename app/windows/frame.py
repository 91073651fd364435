"""The window before there is anything in it: menu bar, status bar, and a place for every part.

It needs Qt alone, so that it is on the screen while model, catalog and panels are still being
read; each part then fills its place, which does not move.
"""

from __future__ import annotations

from PySide6.QtCore import QByteArray, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QLabel,
    QMainWindow,
    QMenu,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.actions import MENUS
from app.language import tr
from app.lifetime import hold
from app.settings import Settings
from app.widgets.parts import in_column
from app.widgets.stack_or_tabs import SidePanels
from app.windows.journey import BOARD, START, JourneyBar, stage_of
from app.windows.pages import Pages, PageStack
from app.windows.scroll_area import Room
from app.windows.tabbing import FocusRing, go_on

UNTITLED = tr("Untitled")
DEFAULT_SIZE = (1360, 740)
LEFT_PX, RIGHT_PX = 254, 308
BOARD_PX, BELOW_PX = 500, 240
BOARD_SHARE, BELOW_SHARE = 7, 3
"""Heights of board and charts, and their shares of what a higher window has more."""

LEFT_TABS_BELOW = 350
NARROW_PX = 1220
"""Below this width of the window its right side is folded away at first: beside it the board would
not show one VM whole."""

ROOMY_PX = 940
"""From this height of the window on the verdict has room for all its words, and a chart below the
board for what can be read; else its tabs alone stand there, and a click on one puts the chart in
the place of the board."""

VERDICT_LINES, LOW_VERDICT_LINES, TABS_LINES = 11.0, 10.0, 2.2
CHARTS_PX = 240
"""Least height of the charts where they are no tabs alone: 160 px for the drawing."""


class Frame(QMainWindow):
    """Places for the parts of a project's window; remembers their sizes.

    Signals:
        painted: the frame is on the screen for the first time.
        sides_changed: a side was folded away because there is no room for it, or came back.
        flattened: of the charts the tabs alone are shown (`is_flat`), or not any more.
        roominess_changed: the verdict has room for all its words (`is_roomy`), or not any more.
    """

    painted = Signal()
    sides_changed = Signal()
    flattened = Signal(bool)
    roominess_changed = Signal(bool)

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self._is_painted = False
        self.is_roomy, self.is_flat = True, False
        self._short: set[str] = set()
        self._folded: set[str] = set()
        self.setAccessibleName("Headroom")
        self.menus: list[QMenu] = [self.menuBar().addMenu(menu.text) for menu in MENUS]
        self._opening = QLabel(self)
        self._places: dict[str, QWidget] = {}
        self._build()
        self.show_name(UNTITLED)
        self._restore()

    def _build(self) -> None:
        # In the order of reading. Verdict and board bring a ground of their own; until then
        # something stands in for them.
        self._places["verdict"] = place(panel())
        for name in ("catalog", "scenarios", "board", "ahead", "charts", "inspector", "findings"):
            self._places[name] = place() if name == "ahead" else panel()
        self._places["board"] = FocusRing(self._opening)
        self._opening.setProperty("role", "muted")
        self._opening.setAlignment(Qt.AlignmentFlag.AlignCenter)
        vertical = Qt.Orientation.Vertical
        parts = self._split(vertical, "catalog", "scenarios")
        self.left = SidePanels(parts, (tr("Catalog"), tr("Scenarios")), tabs_below=LEFT_TABS_BELOW)
        self.middle = place(self._places["board"], self._places["ahead"])
        self.centre = split(vertical, self.middle, self._places["charts"])
        for position, share in enumerate((BOARD_SHARE, BELOW_SHARE)):
            self.centre.setStretchFactor(position, share)
        side = self._split(vertical, "inspector", "findings")
        self.right = SidePanels(side, (tr("Inspector"), tr("Findings")))
        self.columns = split(Qt.Orientation.Horizontal, self.left, self.centre, self.right)
        for position, share in enumerate((1, 6, 1)):
            self.columns.setStretchFactor(position, share)
        body = QWidget(self)
        layout = self._body = QVBoxLayout(body)
        layout.setContentsMargins(8, 8, 8, 6)
        layout.setSpacing(8)
        self.journey = JourneyBar(self)
        self.stack = PageStack(self.columns, self.settings, self, home=self._places["board"])
        self.stack.changed.connect(self._page_changed)
        self._work = QWidget(self)
        in_column(self._work, gap=8).put(self._places["verdict"], (self.stack, 1))
        self._pages = Pages(self)
        self._pages.addWidget(self._work)
        layout.addWidget(self.journey)
        layout.addWidget(self._pages, 1)
        self.room = Room(body, self)
        self.setCentralWidget(self.room)
        self._places["catalog"].setMinimumWidth(LEFT_PX)
        self.right.setMinimumWidth(RIGHT_PX)
        self._make_room()
        self._zoom_label = QLabel(self)
        self._zoom_label.setContentsMargins(8, 0, 12, 0)
        self.show_zoom(1.0)
        self.statusBar().addPermanentWidget(self._zoom_label)
        self.statusBar().setSizeGripEnabled(False)

    def _split(self, orientation: Qt.Orientation, *names: str) -> QSplitter:
        return split(orientation, *(self._places[name] for name in names))

    def say_opening(self, what: str) -> None:
        """Says what is being opened, until the board is there."""
        self._opening.setText(tr("Opening {what}…", what=what))

    def show_name(self, name: str) -> None:
        self.setWindowTitle(f"{name}[*] \N{EN DASH} Headroom")

    def show_zoom(self, zoom: float) -> None:
        self._zoom_label.setText(tr("Board {zoom}", zoom=f"{zoom * 100:.0f}\u202f%"))

    def commit_typed(self) -> None:
        """Makes what is being typed count, as leaving its field would."""
        from app.widgets.fields.line import commit_typed

        commit_typed(self)

    def add_notice(self, bar: QWidget) -> None:
        """Puts a strip above everything else; it takes room only while it is shown."""
        self._body.insertWidget(0, bar)

    def add_page(self, page: QWidget) -> None:
        """Adds something that can take the whole place of the project."""
        self._pages.addWidget(page)

    def bring(self, page: QWidget | None) -> None:
        """Brings the start page to the front; None: the project."""
        self._pages.setCurrentWidget(page or self._work)
        self._mark(self.stack.name if page is None else START)

    def _page_changed(self, name: str) -> None:
        """Whichever page is brought, the project is seen."""
        self._pages.setCurrentWidget(self._work)
        self._mark(name)

    def _mark(self, name: str) -> None:
        self.journey.mark(stage_of(name).name)
        self._zoom_label.setVisible(name == BOARD)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc, where nothing in a page has a use for it, goes back to the board."""
        if event.key() != Qt.Key.Key_Escape or not self.stack.go_back():
            super().keyPressEvent(event)

    def shows(self, page: QWidget) -> bool:
        return self._pages.currentWidget() is page

    def put(self, name: str, widget: QWidget) -> None:
        """Puts a part in its place."""
        layout = self._places[name].layout()
        assert layout is not None
        stand_in = layout.takeAt(0)
        if stand_in is not None and (widget_before := stand_in.widget()) is not None:
            widget_before.deleteLater()
        layout.addWidget(widget)
        self._places[name].setFocusProxy(widget)

    def place(self, name: str) -> QWidget:
        return self._places[name]

    @property
    def sides(self) -> dict[str, QWidget]:
        """The parts that can be folded away."""
        return {"left": self.left, "below": self._places["charts"], "right": self.right}

    def focusNextPrevChild(self, next: bool) -> bool:
        """Tab goes from place to place as one reads, whenever their content was made."""
        return go_on([self.journey, *self._places.values()], self, 1 if next else -1)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        hold(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._is_painted:
            self._is_painted = True
            self.painted.emit()

    # ------------------------------------------------------------------ sizes

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_roomy = event.size().height() >= ROOMY_PX
        if is_roomy != self.is_roomy:
            self.is_roomy = is_roomy
            self._make_room()
            self.roominess_changed.emit(is_roomy)
        self._fold("right", self.right, event.size().width() < NARROW_PX)

    def _make_room(self) -> None:
        """Verdict and charts keep their places before they are there."""
        lines = VERDICT_LINES if self.is_roomy else LOW_VERDICT_LINES
        high = QFontMetricsF(self.font()).height() * lines
        self._places["verdict"].setMinimumHeight(round(high))
        self._fit_charts()

    def cover_board(self, is_covered: bool) -> None:
        """Leaves the place of the board to the charts, or gives it back."""
        self.middle.setHidden(is_covered)
        self._fit_charts()

    def _fit_charts(self) -> None:
        charts, was_flat = self._places["charts"], self.is_flat
        self.is_flat = not self.is_roomy and not self.middle.isHidden()
        tabs = round(QFontMetricsF(self.font()).height() * TABS_LINES)
        charts.setMinimumHeight(tabs if self.is_flat else CHARTS_PX)
        charts.setMaximumHeight(tabs if self.is_flat else self.maximumHeight())
        if was_flat and not self.is_flat:
            self.centre.setSizes([BOARD_SHARE * self.height(), BELOW_SHARE * self.height()])
        self.flattened.emit(self.is_flat)

    def _fold(self, name: str, side: QWidget, is_short: bool) -> None:
        """Folds a side away when its room gets short, and brings it back; else it is the user's."""
        if is_short == (name in self._short):
            return
        if is_short:
            self._short.add(name)
            if not side.isHidden():
                self._folded.add(name)
                side.hide()
        else:
            self._short.discard(name)
            if name in self._folded:
                side.show()
            self._folded.discard(name)
        self.sides_changed.emit()

    def keep_sizes(self) -> None:
        """Notes where the window is and how it is divided, for the next start."""
        self.settings.set_state("window", self.saveGeometry())
        for name, splitter, _ in self._splitters():
            self.settings.set_state(name, splitter.saveState())
        hidden = [name for name, side in self.sides.items() if side.isHidden()]
        mine = [name for name in hidden if name not in self._folded]
        self.settings.set_state("hidden", QByteArray(" ".join(mine).encode()))
        self.settings.flush()

    def _restore(self) -> None:
        geometry = self.settings.state("window")
        if geometry is None or not self.restoreGeometry(geometry):
            self._fit_screen()
        room = self.screen().availableGeometry().size()
        if self.width() > room.width() or self.height() > room.height():
            self.resize(self.size().boundedTo(room))
        for name, splitter, sizes in self._splitters():
            state = self.settings.state(name)
            if state is None or not splitter.restoreState(state):
                splitter.setSizes(sizes)
        kept = self.settings.state("hidden")
        hidden = () if kept is None else bytes(kept.data()).decode().split()
        for name in self.sides.keys() & set(hidden):
            self.sides[name].hide()

    def _splitters(self) -> tuple[tuple[str, QSplitter, list[int]], ...]:
        right = 0 if self.width() < NARROW_PX else RIGHT_PX
        return (
            ("columns", self.columns, [LEFT_PX, self.width() - LEFT_PX - right, right]),
            ("left", self.left.splitter, [440, 200]),
            ("centre", self.centre, [BOARD_PX, BELOW_PX]),
            ("right", self.right.splitter, [380, 260]),
        )

    def _fit_screen(self) -> None:
        room = self.screen().availableGeometry().size()
        self.resize(min(DEFAULT_SIZE[0], room.width()), min(DEFAULT_SIZE[1], room.height()))
        if room.width() < DEFAULT_SIZE[0] + 40 or room.height() < DEFAULT_SIZE[1] + 40:
            self.setWindowState(Qt.WindowState.WindowMaximized)


def place(*widgets: QWidget) -> QWidget:
    """Where a part of the window goes, or parts below each other."""
    result = QWidget()
    layout = in_column(result, gap=0)
    for at, widget in enumerate(widgets):
        layout.addWidget(widget, 0 if at else 1)
    return result


def panel() -> QWidget:
    """A place with a border."""
    result = place()
    result.setProperty("role", "panel")
    result.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    result.setContentsMargins(1, 1, 1, 1)
    return result


def split(orientation: Qt.Orientation, *parts: QWidget) -> QSplitter:
    """Parts beside or below each other; the first one takes what room there is."""
    splitter = QSplitter(orientation)
    splitter.setHandleWidth(8)
    splitter.setChildrenCollapsible(False)
    for part in parts:
        splitter.addWidget(part)
    splitter.setStretchFactor(0, 1)
    return splitter

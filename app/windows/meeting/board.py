"""The board in type that is read from the back of a room; it shows and takes no gestures."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFont,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from app.language import tr, trn
from app.look import LOOK
from app.session import View
from app.widgets.board.arrange import layout_board
from app.widgets.board.faces import FaceBook, HostFace, brief
from app.widgets.board.layout import BoardLayout, Box
from app.widgets.board.paint import paint_board, paint_empty
from app.widgets.board.scene import BoardState, Face, Scene
from app.widgets.board.sites import site_verdicts
from app.widgets.meters import CENTRE, draw_text, text_width
from app.wording import locale_style
from models.catalog.catalog import Catalog
from models.scenario.scenario import Scenario

SMALLEST_TYPE = 9.5
"""Size of the smallest type on the board at 100 % [px]."""

LARGER = (1.5, 1.35, 1.2, 1.1, 1.0)
"""Zooms tried, over the one at which the smallest type is just large enough."""

MOST_SCREENS = 3.0
"""A board that is higher than this many screens shows less."""

FEW = 2
"""Cards on a host of a board that has to be scrolled."""

REST_LINES = 1.5
"""Height of what counts the things beyond an edge, in the smallest type."""


class MeetingBoard(QAbstractScrollArea):
    """Paints the board of a view as large as it fits, and at least so large that it can be read.

    What has no room is counted: VMs on their host, hosts at the edge beyond which they stand, to be
    scrolled to. Pools have a place of their own.
    """

    spoken_role = QAccessible.Role.Graphic

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unit = 24.0
        self._shown: tuple[View, Scenario, Catalog] | None = None
        self._state = BoardState()
        self._scene: Scene | None = None
        self._laid_out: tuple[tuple[object, ...], BoardLayout] | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        # The wheel and the keys scroll; a bar would only take room.
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Board"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        LOOK.changed.connect(self._arrange)

    @property
    def layout_shown(self) -> BoardLayout | None:
        return None if self._scene is None else self._scene.layout

    def set_unit(self, unit: float) -> None:
        """The smallest size of type that may be used [px]."""
        self._unit = unit
        self._arrange()

    def show_view(self, view: View, stored: Scenario, catalog: Catalog, state: BoardState) -> None:
        self._shown = (view, stored, catalog)
        self._state = state
        self._arrange()

    def reveal(self, id: str) -> None:
        """Scrolls to an item; to its host where it has no card."""
        layout = self.layout_shown
        box = None if layout is None else layout.box(id)
        if layout is not None and box is None:
            homes = (host for host, vms in layout.hidden.items() if id in vms)
            box = next((layout.hosts.get(host) for host in homes), None)
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
        layout = self._layout_of(view, stored)
        book = FaceBook(view, stored, catalog, locale_style(), is_compact=layout.is_compact)
        self._scene = Scene(
            layout=layout,
            scenario=stored,
            faces=_BriefFaces(book) if layout.is_brief else book,
            theme=LOOK.theme,
            state=self._state,
            verdicts=site_verdicts(layout, view.scenario, view.prediction),
        )
        over = max(0, round(layout.height) - self.viewport().height())
        self.verticalScrollBar().setRange(0, over)
        self.verticalScrollBar().setPageStep(self.viewport().height())
        self.verticalScrollBar().setSingleStep(round(self._unit * 2))
        self.viewport().update()

    def _layout_of(self, view: View, stored: Scenario) -> BoardLayout:
        """The arrangement, found once: while something is being dragged it stays."""
        size = self.viewport().size()
        wanted = (stored, view.committed, self._state.selected, size, self._unit)
        if self._laid_out is None or self._laid_out[0] != wanted:
            self._laid_out = (wanted, self._layout(stored))
        return self._laid_out[1]

    def _layout(self, scenario: Scenario) -> BoardLayout:
        """The first arrangement that is seen at once, else the first that is not too high.

        Cards of VMs become low, then fewer, and hosts brief. Where hosts are too many for the
        screen it is scrolled; of a very large estate only its sites or clusters are shown.
        """
        high, ranked = self.viewport().height(), self._ranked(scenario)
        layout = self._largest(scenario, is_compact=None)
        if layout.height > high:
            layout = self._largest(scenario, is_compact=True)
        for is_brief, least in ((False, 1), (True, 0)):
            if layout.height > high:
                layout = self._fewer(scenario, ranked, least, is_brief=is_brief)
        if layout.height > high:
            few = self._with(scenario, ranked, FEW, is_brief=True)
            layout = few if few.height <= MOST_SCREENS * high else layout
        if layout.height > MOST_SCREENS * high:
            clusters = frozenset(cluster.id for cluster in scenario.clusters)
            folded = frozenset(layout.in_site) or clusters
            layout = self._largest(scenario, is_compact=True, folded=folded)
        return layout

    def _largest(
        self,
        scenario: Scenario,
        *,
        is_compact: bool | None,
        folded: frozenset[str] = frozenset(),
    ) -> BoardLayout:
        """At the largest zoom that is seen at once; none is: at the smallest."""
        layouts = (
            self._arranged(scenario, larger, is_compact=is_compact, folded=folded)
            for larger in LARGER
        )
        return self._first_that_fits(layouts)

    def _fewer(
        self, scenario: Scenario, ranked: list[list[str]], least: int, *, is_brief: bool
    ) -> BoardLayout:
        """As many cards on each host as are seen at once; none are: `least`.

        A host that shows all its cards needs no line for the others, so that all of one host's may
        fit where one card fewer doesn't.
        """
        high = self.viewport().height()
        layout = self._with(scenario, ranked, least, is_brief=is_brief)
        if layout.height > high:
            return layout
        few, many = least, max(map(len, ranked), default=0)
        while few < many:
            middle = (few + many + 1) // 2
            tried = self._with(scenario, ranked, middle, is_brief=is_brief)
            if tried.height <= high:
                few, layout = middle, tried
            else:
                many = middle - 1
        for count in sorted({len(ids) for ids in ranked if len(ids) > few}, reverse=True):
            tried = self._with(scenario, ranked, count, is_brief=is_brief)
            if tried.height <= high:
                return tried
        return layout

    def _first_that_fits(self, layouts: Iterable[BoardLayout]) -> BoardLayout:
        """The last one where none does."""
        layout = None
        for layout in layouts:
            if layout.height <= self.viewport().height():
                break
        assert layout is not None
        return layout

    def _with(
        self, scenario: Scenario, ranked: list[list[str]], count: int, *, is_brief: bool
    ) -> BoardLayout:
        """At most so many cards on each host, low ones."""
        hidden = frozenset(id for ids in ranked for id in ids[count:])
        return self._arranged(scenario, 1.0, is_compact=True, hidden=hidden, is_brief=is_brief)

    def _arranged(
        self,
        scenario: Scenario,
        larger: float,
        *,
        is_compact: bool | None,
        hidden: frozenset[str] = frozenset(),
        folded: frozenset[str] = frozenset(),
        is_brief: bool = False,
    ) -> BoardLayout:
        return layout_board(
            scenario,
            float(self.viewport().width()),
            self._unit / SMALLEST_TYPE * larger,
            folded=folded,
            hidden=hidden,
            is_compact=is_compact,
            is_bare=True,
            is_brief=is_brief,
        )

    def _ranked(self, scenario: Scenario) -> list[list[str]]:
        """The VMs of each host: what is selected, then the worst and the slowest first."""
        assert self._shown is not None
        vms = self._shown[0].committed.vms
        slow = np.nan_to_num(vms.response_ms.value)
        keys = {
            id: (id not in self._state.selected, -int(code), -float(ms))
            for id, code, ms in zip(vms.ids, vms.verdict, slow, strict=True)
        }
        by_host: dict[str, list[str]] = {host.id: [] for host in scenario.hosts}
        for vm in scenario.vms:
            if vm.host in by_host:
                by_host[vm.host].append(vm.id)
        last = (True, 0, 0.0)
        return [sorted(ids, key=lambda id: keys.get(id, last)) for ids in by_host.values()]

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        rect = QRectF(self.viewport().rect())
        painter.fillRect(rect, self.palette().window())
        scene = self._scene
        if scene is not None and scene.scenario.items():
            offset = self.verticalScrollBar().value()
            painter.translate(0, -offset)
            paint_board(painter, scene, Box(0, offset, rect.width(), rect.height()))
            painter.translate(0, offset)
            self._paint_beyond(painter, rect)
        elif scene is not None:
            paint_empty(painter, Box(0, 0, rect.width(), rect.height()), LOOK.theme)
        painter.end()

    @property
    def above(self) -> str:
        """What stands above what is seen, wholly or in part, in words; empty for nothing."""
        top = self.verticalScrollBar().value()
        return self._counted([box for box in self._boxes() if box.y < top])

    @property
    def below(self) -> str:
        """What stands below it."""
        bottom = self.verticalScrollBar().value() + self.viewport().height()
        return self._counted([box for box in self._boxes() if box.bottom > bottom])

    def _boxes(self) -> list[Box]:
        """Of the hosts, else of clusters or sites; and of what holds the VMs that stand nowhere."""
        layout = self.layout_shown
        if layout is None:
            return []
        boxes = list((layout.hosts or layout.clusters or layout.sites).values())
        return boxes if layout.tray is None else [*boxes, layout.tray]

    def _counted(self, boxes: list[Box]) -> str:
        layout, parts = self.layout_shown, list[str]()
        if layout is None:
            return ""
        if count := sum(box is not layout.tray for box in boxes):
            hosts = trn("{count} host", "{count} hosts", count)
            clusters = trn("{count} cluster", "{count} clusters", count)
            sites = trn("{count} site", "{count} sites", count)
            parts.append(hosts if layout.hosts else clusters if layout.clusters else sites)
        if any(box is layout.tray for box in boxes):
            parts.append(
                trn("{count} VM not placed", "{count} VMs not placed", len(layout.tray_cards))
            )
        return ", ".join(parts)

    def _paint_beyond(self, painter: QPainter, rect: QRectF) -> None:
        """At the edges: what lies beyond them."""
        high, edge = REST_LINES * self._unit, 0.2 * self._unit
        if above := self.above:
            words = tr("{what} further up", what=above)
            self._paint_pill(painter, rect.top() + edge, high, f"\N{UPWARDS ARROW} {words}")
        if below := self.below:
            words = tr("{what} further down", what=below)
            top = rect.bottom() - edge - high
            self._paint_pill(painter, top, high, f"\N{DOWNWARDS ARROW} {words}")

    def _paint_pill(self, painter: QPainter, top: float, high: float, words: str) -> None:
        unit, weight = self._unit, QFont.Weight.DemiBold
        wide = text_width(words, unit, weight) + 2 * unit
        pill = QRectF((self.viewport().width() - wide) / 2, top, wide, high)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(LOOK.theme.accent), 0.08 * unit))
        painter.setBrush(QColor(LOOK.theme.accent_soft))
        painter.drawRoundedRect(pill, high / 2, high / 2)
        colour = LOOK.theme.text
        draw_text(painter, pill, words, colour=colour, size_px=unit, weight=weight, align=CENTRE)


class _BriefFaces:
    """The faces of a book, those of hosts in brief."""

    def __init__(self, book: FaceBook) -> None:
        self._book = book

    def face(self, id: str) -> Face:
        face = self._book.face(id)
        return brief(face) if isinstance(face, HostFace) else face

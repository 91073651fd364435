"""The board to look at: the session's view as cards, with zoom, folding, colours and search.

What the hand does to it is `BoardView`'s business.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from app.language import tr
from app.look import LOOK
from app.selection import Selection
from app.session import Session, View
from app.widgets.board.arrange import layout_board
from app.widgets.board.bar import HEIGHT, BoardBar
from app.widgets.board.camera import Camera
from app.widgets.board.canvas import Canvas
from app.widgets.board.face_store import Books
from app.widgets.board.find import Highlight
from app.widgets.board.hand_paint import paint_hand
from app.widgets.board.layout import SITE, BoardLayout, Box, Hit, hit_test
from app.widgets.board.paint import paint_empty
from app.widgets.board.scene import BoardState, Faces, Scene
from app.widgets.board.sites import site_verdicts
from app.widgets.board.sizes import card_sizes
from app.widgets.board.ties import Mirrors
from app.widgets.board.tints import ColourBy
from app.widgets.board.tips import Said, said, said_of_site
from app.work import pause
from models.predict.prediction import Prediction, Shown
from models.scenario.places import site_names
from models.scenario.scenario import Scenario

HURRY_S = 0.006
"""What a frame may take while the user pans or zooms; cards it has no time for come later."""


class BoardSurface(QAbstractScrollArea):
    """Shows the session's view as cards.

    Signals:
        zoom_changed: the new zoom, 1 is 100 %.
        painted: the first frame is on the screen.
    """

    zoom_changed = Signal(float)
    painted = Signal()

    def __init__(
        self, session: Session, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._selection = selection
        self._is_painted = False
        self._is_hurried = False
        self._canvas = Canvas()
        self._books = Books(session)
        self.folded: frozenset[str] = frozenset()
        """Ids of the sites, clusters and hosts that show their heading alone."""
        self._sizes: dict[str, int] = {}
        self.cut: frozenset[str] = frozenset()
        """Ids of the VMs that move when they are pasted."""
        self._laid_out = Scenario(name="")
        self.board_layout = layout_board(self._laid_out, 800.0)
        self._judged: tuple[BoardLayout, Prediction, dict[str, Shown]] | None = None
        self._secondaries: dict[str, str] = {}
        self._restarts: Mapping[str, str] = {}
        self._mirrors = Mirrors(session)
        self._is_receiving = False
        self._pivot: str | None = None
        self._is_at_first = self._is_awaited = False
        self._empty: QWidget | None = None
        self.camera = Camera(self)
        self.bar = BoardBar(self)
        self._lens = Highlight(session, self.bar)
        self._more = pause(self, 0, self.viewport().update)
        self._set_up()
        self._take_in(session.view)
        session.view_changed.connect(self._show)

    def _set_up(self) -> None:
        self.setObjectName("board")
        self.setAccessibleName(tr("Board of clusters, hosts, VMs and pools"))
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(300, 180)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.camera.zoom_changed.connect(self._zoomed)
        self.bar.field.textChanged.connect(self.search)
        self.bar.colour.committed.connect(self.colour_by)
        self.bar.fold.toggled.connect(self.fold_all)

    # ------------------------------------------------------------------ what is shown

    @property
    def matches(self) -> frozenset[str] | None:
        """Ids of what the search finds; None while nothing is searched for."""
        return self._lens.matches

    @property
    def is_complete(self) -> bool:
        """All that is visible is painted."""
        return not self._is_hurried

    @property
    def state(self) -> BoardState:
        """What the next frame shows of the user's doing."""
        return BoardState(
            selected=frozenset(self._selection.ids),
            current=self._selection.current,
            has_focus=self.hasFocus(),
            cut=self.cut,
            matches=self._lens.matches,
            tints=self._lens.tints,
        )

    @property
    def scene(self) -> Scene:
        state = self.state
        return Scene(
            layout=self.board_layout,
            scenario=self._laid_out,
            faces=self._faces(),
            theme=LOOK.theme,
            state=state,
            is_live=True,
            ghosts=self._books.ghosts(state.lost),
            verdicts=self._site_verdicts(),
        )

    def _site_verdicts(self) -> dict[str, Shown]:
        """Worked out once for numbers and a layout: many frames show both."""
        view = self._session.view
        at = self.board_layout, view.prediction
        if self._judged is None or self._judged[0] is not at[0] or self._judged[1] is not at[1]:
            self._judged = (*at, site_verdicts(self.board_layout, view.scenario, view.prediction))
        return self._judged[2]

    def secondaries(self) -> dict[str, str]:
        """Host of the Fault Tolerance secondary of each VM that has one, by id."""
        return self._mirrors.of_now()

    def _faces(self) -> Faces:
        return self._books.plain

    def set_empty_state(self, widget: QWidget) -> None:
        """What stands on the board while there is nothing on it."""
        widget.setParent(self.viewport())
        self._empty = widget
        self._place_empty()

    def forget(self) -> None:
        """Another project is open, seen from its beginning, with nothing folded, sought or cut."""
        self._canvas.clear()
        self.cut = frozenset()
        self.bar.field.clear()
        self._fold(frozenset())
        self.fit_at_first()
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.setValue(0)

    def fit_at_first(self) -> None:
        """Until somebody zooms, the whole board is in view where it can be read so."""
        self._is_at_first = True
        self._is_awaited = self._laid_out is not self._session.scenario
        if not self._is_awaited:
            self.camera.zoom_at_first(self._laid_out_at)

    def start(self) -> None:
        """Gives the focus to the board, or to what stands on it while it is empty."""
        empty = self._empty
        is_empty = not self._session.scenario.items()
        (empty if is_empty and empty is not None else self).setFocus()

    def sizeHint(self) -> QSize:
        return QSize(860, 480)

    def _place_empty(self) -> None:
        has_items = bool(self._laid_out.items())
        self.bar.setVisible(has_items)
        top = HEIGHT if has_items else 0
        if self.viewportMargins().top() != top:
            self.setViewportMargins(0, top, 0, 0)
        self.bar.setGeometry(0, 0, self.viewport().width(), HEIGHT)
        if self._empty is not None:
            self._empty.setGeometry(self.viewport().rect())
            self._empty.setVisible(not has_items and not self._is_receiving)

    # ------------------------------------------------------------------ from the session

    def _show(self, view: View) -> None:
        self._take_in(view)
        self.viewport().update()

    def _take_in(self, view: View) -> None:
        """Lays out another scenario, and finds and colours by the new numbers."""
        scenario = self._session.scenario
        secondaries = self.secondaries()
        if scenario is not self._laid_out or secondaries != self._secondaries:
            self._laid_out, self._secondaries = scenario, secondaries
            self._sizes = card_sizes(scenario, view.committed, self._session.catalog)
            clusters = {cluster.id for cluster in scenario.clusters}
            hosts = {host.id for host in scenario.hosts}
            self.folded &= clusters | hosts | {SITE, *(SITE + id for id in site_names(scenario))}
            self._lay_out()
            if self._is_awaited:
                self.fit_at_first()
        self._books.show(view, self._laid_out, is_compact=self.board_layout.is_compact)
        if not view.is_preview:
            self._lens.look(self._laid_out)

    def _restart(self, places: Mapping[str, str]) -> None:
        """Makes room for the VMs of a lost host where they go on; what is seen stays in place."""
        id, y = self._anchor()
        self._restarts = places
        self._lay_out()
        self._hold(id, y)

    def _lay_out(self) -> None:
        """Places what `_show` was last given: faces and boxes are always of one scenario."""
        self.board_layout = self._laid_out_at(self.camera.zoom)
        self.camera.fit_bars(self.board_layout)
        self.bar.show_folded(self._is_all_folded())
        self._place_empty()
        self.viewport().update()

    def _laid_out_at(self, zoom: float) -> BoardLayout:
        width = float(self.viewport().width())
        return layout_board(
            self._laid_out,
            width,
            zoom,
            folded=self.folded,
            sizes=self._sizes,
            secondaries=self._secondaries,
            restarts=self._restarts,
        )

    # ------------------------------------------------------------------ zoom

    def set_zoom(self, zoom: float) -> None:
        self._is_at_first = False
        self.camera.set_zoom(zoom)

    def zoom_in(self) -> None:
        self._is_at_first = False
        self.camera.zoom_in()

    def zoom_out(self) -> None:
        self._is_at_first = False
        self.camera.zoom_out()

    def zoom_reset(self) -> None:
        self.set_zoom(1.0)

    def zoom_to_fit(self) -> None:
        """The largest zoom up to 100 % at which the whole board is in view."""
        self._is_at_first = False
        self.camera.zoom_to_fit(self._laid_out_at)

    def _zoomed(self, zoom: float) -> None:
        id, y = self._anchor()
        self._hurry()
        self._lay_out()
        self._hold(id, y)
        self.zoom_changed.emit(zoom)

    def _hold(self, id: str | None, y: float) -> None:
        """Scrolls so that an item is where `_anchor` found it."""
        box = self.shown_box(id) if id is not None else None
        if box is not None:
            self.verticalScrollBar().setValue(round(box.y - y))

    def _anchor(self) -> tuple[str | None, float]:
        """What stays where it is while all around it changes its size, and how far down that is.

        What the pointer is on, else what is current, else the first thing in sight.
        """
        seen, current = self.camera.seen, self._selection.current
        candidates = [id for id in (self._pivot, current) if id is not None]
        for id in (*candidates, *self.board_layout.hosts, *self.board_layout.pools):
            box = self.shown_box(id)
            if box is not None and seen.y <= box.y < seen.bottom:
                return id, box.y - seen.y
        return None, 0.0

    # ------------------------------------------------------------------ folding

    def fold_all(self, is_folded: bool) -> None:
        """All hosts by their meters alone, or everything unfolded."""
        self._fold(frozenset(host.id for host in self._laid_out.hosts if is_folded))

    def fold_sites(self) -> None:
        """All sites by their heading and sums alone."""
        self._fold(self.folded.union(self.board_layout.in_site))

    def toggle_fold(self, id: str) -> None:
        """Folds a site, cluster or host, or unfolds it."""
        self._fold(self.folded ^ {id})

    def unfold_to(self, id: str) -> None:
        """Unfolds what hides an item."""
        holders = {id}
        for vm in self._laid_out.vms:
            if vm.id == id and vm.host is not None:
                holders.add(vm.host)
        for host in self._laid_out.hosts:
            if host.id in holders and host.cluster is not None:
                holders.add(host.cluster)
        for key, site in self.board_layout.in_site.items():
            if holders.intersection((*site.clusters, *site.hosts, *site.pools)):
                holders.add(key)
        if self.shown_box(id) is None or self.board_layout.box(id) is None:
            self._fold(self.folded - (holders - {id}))

    def _fold(self, folded: frozenset[str]) -> None:
        if folded != self.folded:
            self.folded = folded
            self._lay_out()

    def _is_all_folded(self) -> bool:
        hosts = {host.id for host in self._laid_out.hosts}
        return bool(hosts) and hosts <= self.folded

    # ------------------------------------------------------------------ looking

    def colour_by(self, by: ColourBy) -> None:
        """Colours the VM cards by something else."""
        self._lens.colour_by(by, self._laid_out)
        self.viewport().update()

    def search(self, text: str) -> None:
        """Dims all that the words are not said of."""
        self._lens.search(text, self._laid_out)
        self.viewport().update()

    def set_cut(self, ids: frozenset[str]) -> None:
        """Shows these VMs faintly: they move when they are pasted."""
        self.cut = ids
        self.viewport().update()

    def said(self, id: str) -> Said:
        """An item for somebody who doesn't see it; nothing for what is not on the board."""
        layout = self.board_layout
        known = id in layout.vms or id in layout.hosts or id in layout.pools
        site = layout.in_site.get(id)
        if site is not None:
            return said_of_site(site, self.scene.verdicts.get(id))
        face = self._faces().face(id) if known else None
        return said(self._laid_out, id, face) if layout.box(id) is not None else Said()

    # ------------------------------------------------------------------ where things are

    def hit(self, position: QPointF) -> Hit:
        """What lies at a position of the viewport."""
        return hit_test(self.board_layout, *self.camera.to_board(position))

    def shown_box(self, id: str) -> Box | None:
        """The box of an item; of what is folded away, that of the one that hides it."""
        box = self.board_layout.box(id)
        if box is not None:
            return box
        for host, vms in self.board_layout.cards.items():
            if id in vms:
                return self.shown_box(host)
        for cluster, hosts in self.board_layout.members.items():
            if id in hosts and cluster in self.board_layout.clusters:
                return self.board_layout.clusters[cluster]
        for key, site in self.board_layout.in_site.items():
            if id in site.clusters or id in site.hosts or id in site.pools:
                return self.board_layout.sites[key]
        return None

    def reveal(self, id: str) -> None:
        """Scrolls so far that the item is in view."""
        box = self.shown_box(id)
        if box is not None:
            self.camera.reveal(box)

    # ------------------------------------------------------------------ painting

    def paintEvent(self, event: QPaintEvent) -> None:
        scene, area = self.scene, self.camera.seen
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), QColor(LOOK.theme.ground))
        painter.translate(-QPointF(area.x, area.y))
        within_s = HURRY_S if self._is_hurried else None
        self._is_hurried = not self._canvas.paint(painter, scene, area, within_s=within_s)
        paint_hand(painter, scene, area, self._canvas.cards)
        if scene.state.carry is not None and not scene.scenario.items():
            paint_empty(painter, area, scene.theme)
        painter.end()
        if self._is_hurried:
            self._more.start()
        if not self._is_painted:
            self._is_painted = True
            self.painted.emit()

    def _hurry(self) -> None:
        """The next frames come quickly rather than complete."""
        self._is_hurried = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()
        if self._is_at_first:
            self.camera.zoom_at_first(self._laid_out_at)

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self._hurry()
        self.viewport().update()

"""The start page: worked examples, totals, and files."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from app.icons import APP_ICON, icon, icon_pixmap
from app.language import local, tr
from app.session import Session
from app.settings import Settings
from app.widgets.parts import STRETCH, Line, in_column, in_row, styled, wrapped
from app.windows.start.cards import ExampleCard
from app.windows.start.projects import ProjectsPanel
from app.windows.start.totals import TotalsForm
from app.work import Worker
from resources.example_files import Example

WIDEST = 1400
MOST_COLUMNS = 3
"""Of the form of totals."""

FILES_PX, BESIDE_PX, EDGE_PX = 270, 28, 8
CARD_GAP_PX, CARD_PX = 12, 186
"""Below this width of its card a story takes more lines than there are, so fewer stand in a row."""

SIGN = 40
CLAIM = tr("Will these servers run well as virtual machines, and what if a host dies?")


class StartPage(QScrollArea):
    """What the window shows while no project is open, and whenever it is asked for.

    Signals:
        painted: it is on the screen for the first time.
        example_chosen: id. project_chosen: path. design_accepted: scenario.
        new_requested, open_requested, import_requested, paste_requested, recommend_requested,
            tour_requested: what their names say.
        left: back to work.
    """

    painted = Signal()
    example_chosen = Signal(str)
    project_chosen = Signal(object)
    design_accepted = Signal(object)
    new_requested = Signal()
    open_requested = Signal()
    import_requested = Signal()
    recommend_requested = Signal()
    paste_requested = Signal()
    tour_requested = Signal()
    left = Signal()

    def __init__(
        self,
        session: Session,
        worker: Worker,
        settings: Settings,
        examples: Sequence[Example],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._is_painted = False
        self._is_narrow = False
        self._columns = 0
        self._needed_px = 0
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(tr("Start page"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.cards = [
            ExampleCard(each.id, local(each.title), local(each.story)) for each in examples
        ]
        self.projects = ProjectsPanel(session, worker, settings)
        self.totals = TotalsForm(session, worker)
        self.totals.setProperty("role", "panel")
        self.totals.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._lay_out()
        self._connect()
        self.setFocusProxy(self.cards[0])

    # ------------------------------------------------------------------ parts

    def _lay_out(self) -> None:
        page = QWidget()
        page.setMaximumWidth(WIDEST)
        page.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        grid = QGridLayout(page)
        grid.setContentsMargins(EDGE_PX, 2, EDGE_PX, EDGE_PX)
        grid.setVerticalSpacing(6)
        grid.addLayout(self._head(), 1, 0, 1, 2)
        grid.addWidget(self._heading(tr("Open a worked example")), 2, 0)
        self._card_grid = QGridLayout()
        self._card_grid.setSpacing(CARD_GAP_PX)
        grid.addLayout(self._card_grid, 3, 0)
        self._place_cards(len(self.cards))
        self.totals_heading = self._heading(tr("Start from totals"))
        grid.addWidget(self.totals_heading, 4, 0)
        grid.addWidget(self.totals, 5, 0)
        self._grid = grid
        self._files_heading = self._heading(tr("Your files"))
        self._files_column = QWidget()
        self._files_column.setLayout(self._files())
        self._place_files(is_below=False)
        grid.setColumnStretch(0, 1)
        # The cards grow first; what room is then left stands around everything.
        for row, stretch in ((0, 1), (3, 20), (6, 2)):
            grid.setRowStretch(row, stretch)
        around = QWidget()
        in_row(around).put((STRETCH, 1), (page, 1000), (STRETCH, 1))
        self.setWidget(around)
        self.viewport().setAutoFillBackground(False)
        around.setAutoFillBackground(False)

    def _place_files(self, *, is_below: bool) -> None:
        """Beside the rest, or below it where a window is too narrow for both."""
        self._is_narrow = is_below
        self._grid.setHorizontalSpacing(0 if is_below else BESIDE_PX)
        for part, wide, narrow in (
            (self._files_heading, (2, 1, 1, 1), (7, 0, 1, 1)),
            (self._files_column, (3, 1, 3, 1), (8, 0, 1, 1)),
        ):
            self._grid.removeWidget(part)
            self._grid.addWidget(part, *(narrow if is_below else wide))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._is_narrow:
            self._needed_px = self._grid.minimumSize().width()
        width = self.viewport().width()
        is_narrow = width < self._needed_px
        if is_narrow is not self._is_narrow:
            self._place_files(is_below=is_narrow)
        width = min(width, WIDEST) - (0 if is_narrow else FILES_PX + BESIDE_PX)
        across = (width - 2 * EDGE_PX + CARD_GAP_PX) // (CARD_PX + CARD_GAP_PX)
        self._place_cards(min(max(across, 1), len(self.cards)))

    def _head(self) -> Line:
        sign = QLabel(self)
        sign.setPixmap(icon_pixmap(APP_ICON, "", SIGN, self.devicePixelRatioF()))
        name = styled(QLabel("Headroom", self), "title")
        claim = wrapped(CLAIM, self, role="muted")
        words = in_column(gap=0).put(name, claim)
        self.tour = self._button(tr("Take the tour"), "own-tour")
        self.back = self._button(tr("Back to the project"), "x")
        return in_row(gap=12).put(sign, (words, 1), self.tour, self.back)

    def _place_cards(self, columns: int) -> None:
        """So many beside each other, the examples and what is asked for alike."""
        if columns == self._columns:
            return
        self._columns = columns
        for place, card in enumerate(self.cards):
            self._card_grid.removeWidget(card)
            self._card_grid.addWidget(card, *divmod(place, columns))
        for column in range(len(self.cards)):
            self._card_grid.setColumnStretch(column, int(column < columns))
        self.totals.set_columns(min(columns, MOST_COLUMNS))

    def _files(self) -> Line:
        self.new = self._button(tr("New, empty project"), "file-plus")
        self.open = self._button(tr("Open a project or scenario…"), "folder-open")
        column = in_column(gap=6)
        self.bring = self._button(tr("Import a customer’s files…"), "file-down")
        self.recommend = self._button(tr("Recommend designs…"), "own-fix")
        for button in (self.open, self.bring, self.recommend, self.new):
            button.setFixedWidth(FILES_PX)
            column.addWidget(button)
        column.addWidget(self._heading(tr("Projects of this machine")))
        self.projects.setFixedWidth(FILES_PX)
        column.addWidget(self.projects, 1)
        return column

    def _heading(self, text: str) -> QLabel:
        label = styled(QLabel(text, self), "heading")
        label.setContentsMargins(2, 6, 0, 0)
        label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        return label

    def _button(self, text: str, icon_name: str) -> QPushButton:
        button = QPushButton(icon(icon_name), text, self)
        button.setAutoDefault(True)
        return button

    def _connect(self) -> None:
        for card in self.cards:
            card.clicked.connect(self._choose_example)
        self.projects.chosen.connect(self.project_chosen)
        self.totals.accepted.connect(self.design_accepted)
        self.new.clicked.connect(self.new_requested)
        self.open.clicked.connect(self.open_requested)
        self.bring.clicked.connect(self.import_requested)
        self.recommend.clicked.connect(self.recommend_requested)
        self.tour.clicked.connect(self.tour_requested)
        self.back.clicked.connect(self.left)

    # ------------------------------------------------------------------ content

    def offer_tour(self, is_new: bool) -> None:
        """Who has not taken the tour yet sees it first."""
        self.tour.setText(tr("New here? Take the tour") if is_new else tr("Take the tour"))

    def offer_back(self, is_offered: bool) -> None:
        """Whether there is a project to go back to."""
        self.back.setVisible(is_offered)

    # ------------------------------------------------------------------ events

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._is_painted:
            self._is_painted = True
            self.painted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.back.isHidden():
            self.left.emit()
        elif event.matches(QKeySequence.StandardKey.Paste):
            self.paste_requested.emit()
        else:
            super().keyPressEvent(event)

    def _choose_example(self) -> None:
        card = self.sender()
        if isinstance(card, ExampleCard):
            self.example_chosen.emit(card.id)

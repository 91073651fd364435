"""Shows the start page in the window's place, and does what is chosen there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session import Session
from app.settings import Settings
from app.windows.files import FileCommands, example_project
from app.windows.frame import Frame
from app.windows.menus import ActionBook
from app.windows.steps import Steps
from app.work import Worker
from models.evidence.knowledge import Knowledge
from models.project.project import Project
from models.scenario.scenario import Scenario
from resources.example_files import load_examples

if TYPE_CHECKING:
    from app.windows.start.page import StartPage

STAYING = (
    *("files.", "recovery.", "start.", "tour.", "meeting.", "journey.", "window."),
    *("view.palette", "view.keys", "view.about", "view.manual", "view.full_screen"),
    *("view.follow_system", "view.light", "view.dark", "view.contrast"),
)
"""Acts, by the beginning of their ids, that leave the start page where it is; after all others the
project is seen, for it is what they act on."""


class StartCommands(QObject):
    """Owner of File ▸ Start page.

    Signals:
        tour_requested: the user wants to be shown around. recommend_requested: designs are to be
            recommended.
        users_asked: users that are to be worked out, as `UsersAsked`.
        paste_requested: what is on the clipboard, should it be a table.
    """

    tour_requested = Signal()
    recommend_requested = Signal()
    users_asked = Signal(object)
    paste_requested = Signal()

    def __init__(
        self,
        window: Frame,
        session: Session,
        files: FileCommands,
        worker: Worker,
        settings: Settings,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._files = files
        self._worker = worker
        self._settings = settings
        self.page: StartPage | None = None
        session.project_changed.connect(self.leave)

    @property
    def is_open(self) -> bool:
        return self.page is not None and self._window.shows(self.page)

    def set_actions(self, actions: ActionBook) -> None:
        for spec in actions:
            if not spec.id.startswith(STAYING):
                actions[spec.id].triggered.connect(self.leave)

    def open(self) -> None:
        """Brings the start page; the project stays as it is behind it."""
        page = self.page or self._made()
        page.projects.show_known()
        page.offer_tour(not self._settings.has_toured)
        page.offer_back(bool(self._session.scenario.items()) or self._session.is_modified)
        self._window.bring(page)
        page.setFocus()

    def open_totals(self) -> None:
        """Brings the start page where totals are entered."""
        self.open()
        assert self.page is not None
        self.page.ensureWidgetVisible(self.page.totals)
        self.page.totals.setFocus()
        self.page.ensureWidgetVisible(self.page.totals_heading)
        self.page.totals.numbers["users"].selectAll()

    def leave(self, _what: object = None) -> None:
        """Brings the project back."""
        if self.is_open:
            self._window.bring(None)
            self._window.place("board").setFocus()

    def _made(self) -> StartPage:
        from app.windows.start.page import StartPage

        page = self.page = StartPage(self._session, self._worker, self._settings, load_examples())
        self._window.add_page(page)
        page.example_chosen.connect(self._files.open_example)
        page.project_chosen.connect(self._open_project)
        page.design_accepted.connect(self._lay_out)
        page.new_requested.connect(self._files.new)
        page.open_requested.connect(self._files.open)
        page.import_requested.connect(self._files.import_files)
        page.recommend_requested.connect(self.recommend_requested)
        page.paste_requested.connect(self.paste_requested)
        page.tour_requested.connect(self.tour_requested)
        page.totals.users_asked.connect(self.users_asked)
        page.left.connect(self.leave)
        self._files.opened.connect(self.leave)
        page.painted.connect(self._draw_examples)
        return page

    # ------------------------------------------------------------------ what is chosen

    def _open_project(self, path: Path) -> None:
        if self._files.may_close():
            self._files.open_path(path)

    def _lay_out(self, scenario: Scenario) -> None:
        if self._files.may_close():
            self._files.resume(Project.of(scenario), None, scenario.name)

    # ------------------------------------------------------------------ pictures

    def _draw_examples(self) -> None:
        Steps(self._drawing(), self).start()

    def _drawing(self) -> Iterator[None]:
        """The board of each example, one after the other between events."""
        from models.evaluate import evaluate

        assert self.page is not None
        knowledge = Knowledge(self._session.known_catalog, self._session.calibration)
        for card, example in zip(self.page.cards, load_examples(), strict=True):
            yield
            scenario = example_project(example).scenario
            card.show_board(scenario, evaluate(scenario, knowledge), knowledge.catalog)

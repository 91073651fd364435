"""The main window: puts the parts into the frame and lets them speak to each other.

The frame is painted first. What fills it is imported when it is called for, in `furnish`; the
parts that can wait come once the board is seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QWidget

from app.language import local, tr
from app.memory import give_back
from app.settings import Settings
from app.windows.frame import Frame
from app.windows.journey import BOARD
from app.windows.journey_commands import JourneyCommands
from app.windows.steps import Steps

if TYPE_CHECKING:
    from app.session import Session
    from app.widgets.users_asked import UsersAsked
    from app.windows.arrange_page import ArrangePage
    from app.windows.asked import Asked
    from app.windows.changed_page import ChangedPage
    from app.windows.compare_page import ComparePage
    from app.windows.dialogs import Dialogs
    from app.windows.export import ProposalPage
    from app.windows.import_page import ImportPage
    from app.windows.places import Place
    from app.windows.recommend_page import RecommendPage
    from app.windows.site_page import SitePage
    from app.windows.years_page import YearsPage
    from app.work import Worker

MESSAGE_MS = 8000


class MainWindow(Frame):
    """One project in one window.

    Signals:
        furnished: verdict and board are on the screen with their numbers.
        completed: every part is in its place.
    """

    furnished = Signal()
    completed = Signal()

    def __init__(
        self,
        settings: Settings,
        *,
        worker: Worker | None = None,
        dialogs: Dialogs | None = None,
    ) -> None:
        super().__init__(settings)
        self._worker = worker
        self._dialogs = dialogs
        self._is_furnished = False
        self._is_loading = False

    # ------------------------------------------------------------------ parts

    def furnish(self, session: Session, *, at_start: bool = False) -> None:
        """Fills the frame with what shows and edits the project of `session`.

        With `at_start` the start page stands in front of it.
        """
        from app.icons import app_icon
        from app.predictions import Predictions
        from app.selection import Selection
        from app.windows.dialogs import Dialogs
        from app.work import Worker

        QGuiApplication.setWindowIcon(app_icon())
        self.session = session
        self.selection = Selection(self)
        self.worker = self._worker or Worker(parent=self)
        self.predictions = Predictions(self.session, self)
        self._build_parts()
        dialogs = self._dialogs or Dialogs(self)
        self._command(dialogs)
        self._command_more(dialogs)
        self._put_into_menus()
        self._connect()
        self.put("verdict", self.verdict)
        self.put("catalog", self.catalog)
        self.put("board", self.board)
        self.board.show()  # what is hidden yet is given no focus
        self.board.setFocus()
        self._is_furnished = True
        self._title()
        self.board.start()
        if at_start:
            self.start.open()
            assert self.start.page is not None
            self.start.page.painted.connect(self._load_rest, Qt.ConnectionType.QueuedConnection)

    def _build_parts(self) -> None:
        from app.widgets import roles
        from app.widgets.board.empty import EmptyBoard
        from app.widgets.board.view import BoardView
        from app.widgets.catalog_panel import CatalogPanel
        from app.widgets.verdict import VerdictBar
        from resources.example_files import load_examples

        roles.install()
        self.verdict = VerdictBar(self.session, selection=self.selection, worker=self.worker)
        self.catalog = CatalogPanel(self.session.catalog)
        self.board = BoardView(self.session, self.selection)
        self.empty = EmptyBoard([(example.id, local(example.title)) for example in load_examples()])
        self.board.set_empty_state(self.empty)

    def _command(self, dialogs: Dialogs) -> None:
        from app.windows.advisors import AdvisorCommands
        from app.windows.editing import EditCommands
        from app.windows.evidence import EvidenceCommands
        from app.windows.files import FileCommands
        from app.windows.own import OwnEntries
        from app.windows.pages import OnePage
        from app.windows.scenarios import ScenarioCommands
        from app.windows.view_menu import ViewCommands
        from app.windows.why import WhyCommands

        self.files = FileCommands(
            self.session, self.settings, self.worker, dialogs, self.stack, self
        )
        self.editing = EditCommands(self.session, self.selection, self.board, self.catalog, self)
        self.own = OwnEntries(
            self.session,
            self.catalog,
            self.settings.library,
            dialogs,
            self,
            prices=self.settings.prices,
            profiles=self.settings.profiles,
        )
        self.scenario_commands = ScenarioCommands(self.session, dialogs, self)
        self.compare = OnePage("compare", self._compare_page, self.stack)
        self.imports = OnePage("files", self._import_page, self.stack)
        self.proposal = OnePage("proposal", self._proposal_page, self.stack)
        self.recommend = OnePage("recommend", self._recommend_page, self.stack)
        self.arrange = OnePage("arrange", partial(self._arrange_page, dialogs), self.stack)
        self.years = OnePage("years", self._years_page, self.stack)
        self.changed = OnePage("changed", self._changed_page, self.stack)
        self.site = OnePage("site", partial(self._site_page, dialogs), self.stack)
        self.looks = ViewCommands(
            self,
            self.board,
            self.catalog,
            self.settings,
            self.model_version,
            self.places,
            self.asked,
        )
        self.looks.set_sides(self.sides)
        self.evidence = EvidenceCommands(self.stack, self.worker, self.session)
        self.advisors = AdvisorCommands(self.stack, dialogs, self.session)
        self.why = WhyCommands(self.session, self.selection, self, self.verdict)

    def _compare_page(self) -> ComparePage:
        from app.windows.compare_page import ComparePage

        page = ComparePage(self.session, self.predictions)
        page.panel.why_requested.connect(self.why.ask_of)
        return page

    def _import_page(self) -> ImportPage:
        from app.windows.import_page import ImportPage

        page = ImportPage(self.session, (), "", self.settings.profiles)
        page.ended.connect(self.imports.close)
        return page

    def _proposal_page(self) -> ProposalPage:
        from app.windows.export import ProposalPage

        page = ProposalPage(self.session, self.settings, partial(self.files.proposed, ".pdf"))
        page.wanted.connect(self.files.write_proposal)
        return page

    def _bring_in(self, paths: tuple[Path, ...], text: str) -> None:
        self.imports.shown().bring_in(paths, text)

    def _recommend_page(self) -> RecommendPage:
        from app.windows.recommend_page import RecommendPage

        return RecommendPage(self.session, columns=self.settings)

    def _arrange_page(self, dialogs: Dialogs) -> ArrangePage:
        """Looks at once."""
        from app.windows.arrange_page import ArrangePage

        page = ArrangePage(self.session, dialogs)
        page.look()
        return page

    def _years_page(self) -> YearsPage:
        from app.windows.years_page import YearsPage

        page = YearsPage(self.session, self.worker)
        page.why_requested.connect(self.why.ask)
        page.plan_requested.connect(self._show_rates)
        return page

    def _changed_page(self) -> ChangedPage:
        from app.windows.changed_page import ChangedPage

        return ChangedPage(self.session, self.selection, self.worker)

    def _site_page(self, dialogs: Dialogs) -> SitePage:
        from app.windows.site_page import SitePage

        return SitePage(self.session, dialogs)

    def _command_more(self, dialogs: Dialogs) -> None:
        """What stands beside the project or in its place."""
        from app.windows.assume import AssumeBar
        from app.windows.author_dialog import PeopleBar
        from app.windows.history import HistoryCommands
        from app.windows.meeting.commands import MeetingCommands
        from app.windows.recovery import RecoveryCommands
        from app.windows.start.commands import StartCommands
        from app.windows.tour import TourCommands

        self.recovery = RecoveryCommands(
            self.session, self.files, self.worker, dialogs, self.settings.recovery, self
        )
        self.add_notice(self.recovery.bar)
        self.people = PeopleBar(self.session, self.files, self.settings, self)
        self.add_notice(self.people)
        self.assume = AssumeBar(self.session, self)
        self.add_notice(self.assume)
        self.meeting = MeetingCommands(self, self.session, self.selection, self.verdict.outlook)
        self.history = HistoryCommands(self.session, self.stack)
        self.tour = TourCommands(self, self.session, self.files, self.settings)
        self.start = StartCommands(self, self.session, self.files, self.worker, self.settings)
        board = partial(self.looks.unfold, self.board)
        self.go = JourneyCommands(self.journey, self.stack, self.start.open, board, self)

    def _put_into_menus(self) -> None:
        """The acts of the table find their owners, and the owners their acts."""
        from app.windows.menus import Acting, ActionBook
        from app.windows.origins import OriginCommands

        owners: dict[str, object] = {
            "files": self.files,
            "editing": self.editing,
            "scenarios": self.scenario_commands,
            "compare": self.compare,
            "changed": self.changed,
            "recommend": self.recommend,
            "arrange": self.arrange,
            "assume": self.assume,
            "site": self.site,
            "view": self.looks,
            "evidence": self.evidence,
            "advisors": self.advisors,
            "why": self.why,
            "own": self.own,
            "origins": OriginCommands(self.session, self),
            "recovery": self.recovery,
            "start": self.start,
            "meeting": self.meeting,
            "history": self.history,
            "tour": self.tour,
            "stack": self.session.stack,
            "journey": self.go,
            "window": self,
        }
        self.actions_by_id = ActionBook(self, owners)
        for owner in owners.values():
            if isinstance(owner, Acting):
                owner.set_actions(self.actions_by_id)

    def _connect(self) -> None:
        stack = self.session.stack
        stack.undoTextChanged.connect(self._undo_changed)
        stack.redoTextChanged.connect(self._undo_changed)
        stack.indexChanged.connect(self._undo_changed)
        self.session.file_changed.connect(self._title)
        self.session.project_changed.connect(self._title)
        self.session.message.connect(self._say)
        self.session.commit_wanted.connect(self.commit_typed)
        self.session.view_changed.connect(self.right.show_view)
        self.sides_changed.connect(self.looks.show_sides)
        self.roominess_changed.connect(self.verdict.set_roomy)
        self.verdict.set_roomy(self.is_roomy)
        self.looks.side_shown.connect(self.room.reveal)
        self.selection.changed.connect(self._reveal)
        self.verdict.subject_activated.connect(self._show_item)
        self.verdict.why_requested.connect(self.why.ask)
        self.why.evidence_requested.connect(self.evidence.open_row)
        self.why.input_requested.connect(self._show_input)
        self.files.opened.connect(self._begin)
        self.files.import_wanted.connect(self._bring_in)
        self.files.proposal_wanted.connect(self.proposal.open)
        self.editing.table_pasted.connect(self.files.take_pasted)
        self.setAcceptDrops(True)
        self.board.activated.connect(self._inspect)
        self.board.why_requested.connect(self.why.ask_item)
        self.empty.example_chosen.connect(self.files.open_example)
        self.empty.import_requested.connect(self.files.import_files)
        self.empty.catalog_requested.connect(self.looks.search_catalog)
        self.empty.totals_requested.connect(self.start.open_totals)
        self.start.tour_requested.connect(self.tour.start)
        self.start.recommend_requested.connect(self.recommend.open)
        self.start.users_asked.connect(self._ask_from_start)
        self.start.paste_requested.connect(self.editing.paste_table)
        self.board.zoom_changed.connect(self.show_zoom)
        self.board.fit_at_first()
        self.board.painted.connect(self._load_rest, Qt.ConnectionType.QueuedConnection)
        self._undo_changed()
        self.right.show_view(self.session.view)

    def _ask_from_start(self, asked: UsersAsked) -> None:
        """User arithmetic, and back to the start page."""
        self.advisors.ask_users(asked)
        page = self.advisors.shown()
        page.left.connect(self.start.open, Qt.ConnectionType.SingleShotConnection)

    def model_version(self) -> str:
        return self.session.view.prediction.model_version

    def go_to(self, place: QWidget) -> None:
        """Brings a part of the window into sight, whatever hides it."""
        self.stack.bring(BOARD)
        self.looks.unfold(place)

    def places(self) -> Iterable[Place]:
        """Where one can go by name."""
        from app.windows.places import places

        return places(self)

    def asked(self, typed: str) -> Iterable[Asked]:
        """Acts with the value that is typed behind them."""
        from app.windows.asked import asked

        return asked(self, typed)

    def _load_rest(self) -> None:
        """Once, when board or start page is seen."""
        if not self._is_loading:
            self._is_loading = True
            self.furnished.emit()
            Steps(self._rest(), self).start()

    def _rest(self) -> Iterator[None]:
        """What can wait until the board is seen: it fills its place a moment later.

        The charts come last, for they bring pyqtgraph with them.
        """
        from app.widgets.inspector.inspector import Inspector

        yield
        self.own.report_library()
        yield
        self.recovery.begin()
        yield
        self.inspector = Inspector(self.session, self.selection)
        self.inspector.why_requested.connect(self.why.ask_item)
        self.inspector.users_asked.connect(self.advisors.ask_users)
        self.put("inspector", self.inspector)
        yield
        from app.widgets.findings import FindingsPanel
        from app.widgets.scenarios import ScenarioList
        from app.widgets.years_ahead import YearsAhead

        self.findings = FindingsPanel(self.session, self.selection)
        self.put("findings", self.findings)
        self.scenarios = ScenarioList(self.session, self.predictions)
        self.put("scenarios", self.scenarios)
        self.ahead = YearsAhead(self.session)
        self.put("ahead", self.ahead)
        yield
        from app.widgets.charts_panel import ChartsPanel

        yield
        self.charts = ChartsPanel(self.session, self.selection, worker=self.worker)
        self.charts.why_requested.connect(self.why.ask)
        self.charts.told.connect(self.why.tell)
        self.charts.offer(self.actions_by_id["view.charts_over"])
        self.put("charts", self.charts)
        self.charts.set_flat(self.is_flat)
        self.flattened.connect(self.charts.set_flat)
        self.charts.room_wanted.connect(self.looks.charts_over)
        self.files.opened.connect(self.charts.forget)
        self.completed.emit()

    # ------------------------------------------------------------------ what changes

    def _title(self, _change: object = None) -> None:
        self.show_name(self.files.title)
        self.setWindowModified(self.session.is_modified)

    def _undo_changed(self, _change: object = None) -> None:
        stack = self.session.stack
        for id, can, word, text in (
            ("stack.undo", stack.canUndo(), tr("&Undo"), stack.undoText()),
            ("stack.redo", stack.canRedo(), tr("&Redo"), stack.redoText()),
        ):
            action: QAction = self.actions_by_id[id]
            action.setEnabled(can)
            action.setText(f"{word} {text}".strip().replace("&&", "&") if can else word)

    def _say(self, sentence: str) -> None:
        self.statusBar().showMessage(sentence, MESSAGE_MS)

    def _reveal(self) -> None:
        """What is selected elsewhere comes into view on the board."""
        current = self.selection.current
        if current is not None and not self.board.hasFocus():
            self.board.reveal(current)

    def _begin(self) -> None:
        """Another project: nothing of the one before stays on the screen."""
        self.selection.clear()
        self.catalog.clear_search()
        self.why.close()
        self.statusBar().clearMessage()
        self.room.to_top()
        self.stack.close_pages()
        self.verdict.forget()
        self.board.forget()
        give_back()
        self.board.start()

    def _show_item(self, id: str) -> None:
        self.selection.select(id)
        self.go_to(self.place("board"))

    def _inspect(self, id: str) -> None:
        self.selection.select(id)
        self.looks.unfold(self.right)
        self.right.bring(0)
        self.place("inspector").setFocus()

    def _show_input(self, id: str, path: str) -> None:
        """The field behind an input of a formula; that of the policy where no item is named."""
        self.selection.set((id,) if id else ())
        self.looks.unfold(self.right)
        self.right.bring(0)
        self.inspector.show_field(path)

    def _show_rates(self) -> None:
        """The fields in which it is stated how the design grows."""
        self._show_input("", "growth.users_pct")

    def _let_go(self) -> None:
        """The stack speaks once more when it is destroyed; by then nobody listens."""
        stack = self.session.stack
        for signal in (stack.undoTextChanged, stack.redoTextChanged, stack.indexChanged):
            signal.disconnect(self._undo_changed)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files of any kind; what is dragged from the catalog is the board's own."""
        if self._is_furnished and event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        urls = event.mimeData().urls()
        paths = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
        event.acceptProposedAction()
        # Whoever dragged them waits until this returns: the page comes after it.
        QTimer.singleShot(0, partial(self.files.take_dropped, paths))

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._is_furnished:
            if not self.files.may_close():
                event.ignore()
                return
            self.stack.close_pages()
            self.meeting.close()
            self.recovery.close()
            self.verdict.give_up()
            self.worker.cancel_all()
            self._let_go()
        self.keep_sizes()
        event.accept()

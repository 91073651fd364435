"""The main window: puts the parts together and lets them speak to each other."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QCloseEvent
from PySide6.QtWidgets import QLabel, QMainWindow, QSplitter, QVBoxLayout, QWidget

from app.icons import app_icon
from app.selection import Selection
from app.session import Session
from app.settings import Settings
from app.widgets.board.empty import EmptyBoard
from app.widgets.board.view import BoardView
from app.widgets.catalog_panel import CatalogPanel
from app.widgets.verdict import VerdictBar
from app.windows.dialogs import Dialogs
from app.windows.editing import EditCommands
from app.windows.files import FileCommands
from app.windows.looks import Themed, ViewCommands
from app.windows.menus import ActionBook
from app.windows.scenarios import ScenarioCommands
from app.work import Worker
from resources.example_files import load_examples

MESSAGE_MS = 8000
DEFAULT_SIZE = (1360, 740)
LEFT_PX, RIGHT_PX, BELOW_PX = 236, 300, 220


class Stack:
    """Undo and redo as the action table calls them."""

    def __init__(self, session: Session) -> None:
        self._stack = session.stack

    def undo(self) -> None:
        self._stack.undo()

    def redo(self) -> None:
        self._stack.redo()


class MainWindow(QMainWindow):
    """One project in one window."""

    def __init__(
        self,
        session: Session,
        settings: Settings,
        *,
        worker: Worker | None = None,
        dialogs: Dialogs | None = None,
    ) -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        self.selection = Selection(self)
        self.worker = worker or Worker(parent=self)
        self._build()
        self._command(dialogs or Dialogs(self))
        self._connect()
        self._restore()
        self._title()

    # ------------------------------------------------------------------ parts

    def _build(self) -> None:
        self.setWindowIcon(app_icon())
        self.setAccessibleName("Headroom")
        self.verdict = VerdictBar(self.session)
        self.catalog = CatalogPanel(self.session.catalog)
        self.board = BoardView(self.session, self.selection)
        self.empty = EmptyBoard([(example.id, example.title) for example in load_examples()])
        self.board.set_empty_state(self.empty)
        self._places = {name: panel() for name in ("scenarios", "inspector", "findings", "charts")}
        vertical = Qt.Orientation.Vertical
        self._left = split(vertical, panel(self.catalog), self._places["scenarios"])
        self._centre = split(vertical, self.board, self._places["charts"])
        self._right = split(vertical, self._places["inspector"], self._places["findings"])
        self._columns = split(Qt.Orientation.Horizontal, self._left, self._centre, self._right)
        for position, share in enumerate((1, 6, 1)):
            self._columns.setStretchFactor(position, share)
        body = QWidget(self)
        layout = QVBoxLayout(body)
        layout.setContentsMargins(8, 8, 8, 6)
        layout.setSpacing(8)
        layout.addWidget(self.verdict)
        layout.addWidget(self._columns, 1)
        self.setCentralWidget(body)
        self._zoom_label = QLabel(self)
        self._zoom_label.setContentsMargins(8, 0, 12, 0)
        self.statusBar().addPermanentWidget(self._zoom_label)
        self.statusBar().setSizeGripEnabled(False)

    def _command(self, dialogs: Dialogs) -> None:
        self.files = FileCommands(self.session, self.settings, self.worker, dialogs, self)
        self.editing = EditCommands(self.session, self.selection, self.board, self.catalog, self)
        self.scenario_commands = ScenarioCommands(self.session, dialogs, self)
        self.looks = ViewCommands(self, self.board, self.catalog, self.settings, self.model_version)
        self.looks.set_sides(self._left, self._places["charts"], self._right)
        self._stack = Stack(self.session)
        self.actions_by_id = ActionBook(
            self,
            {
                "files": self.files,
                "editing": self.editing,
                "scenarios": self.scenario_commands,
                "view": self.looks,
                "stack": self._stack,
                "window": self,
            },
        )
        self.editing.set_actions(self.actions_by_id)
        self.scenario_commands.set_actions(self.actions_by_id)
        self.looks.set_actions(self.actions_by_id)
        for widget in (self.verdict, self.catalog, self.board, self.empty):
            self.looks.add_themed(widget)

    def _connect(self) -> None:
        stack = self.session.stack
        stack.undoTextChanged.connect(self._undo_changed)
        stack.redoTextChanged.connect(self._undo_changed)
        stack.indexChanged.connect(self._undo_changed)
        self.session.file_changed.connect(self._title)
        self.session.project_changed.connect(self._title)
        self.session.message.connect(self._say)
        self.selection.changed.connect(self._reveal)
        self.board.activated.connect(self._inspect)
        self.empty.example_chosen.connect(self.files.open_example)
        self.empty.import_requested.connect(self.files.import_json)
        self.empty.catalog_requested.connect(self.looks.search_catalog)
        self.board.zoom_changed.connect(self._show_zoom)
        self.board.painted.connect(self._load_rest, Qt.ConnectionType.QueuedConnection)
        self._undo_changed()
        self._show_zoom(self.board.zoom)

    def model_version(self) -> str:
        return self.session.view.prediction.model_version

    def _load_rest(self) -> None:
        """What can wait until the board is seen: it fills its place a moment later.

        The charts come last, for they bring pyqtgraph with them.
        """
        from app.widgets.findings import FindingsPanel
        from app.widgets.inspector import Inspector
        from app.widgets.scenarios import ScenarioList

        self.inspector = Inspector(self.session, self.selection)
        self._place("inspector", self.inspector)
        self.findings = FindingsPanel(self.session, self.selection)
        self._place("findings", self.findings)
        self.scenarios = ScenarioList(self.session)
        self._place("scenarios", self.scenarios)
        self.looks.add_themed(self.actions_by_id)
        QTimer.singleShot(0, self._load_charts)

    def _load_charts(self) -> None:
        from app.widgets.charts_panel import ChartsPanel

        self.charts = ChartsPanel(self.session)
        self._place("charts", self.charts)

    def _place(self, name: str, widget: Themed) -> None:
        layout = self._places[name].layout()
        assert layout is not None
        assert isinstance(widget, QWidget)
        layout.addWidget(widget)
        self._places[name].setFocusProxy(widget)
        self.looks.add_themed(widget)

    # ------------------------------------------------------------------ what changes

    def _title(self, _change: object = None) -> None:
        self.setWindowTitle(f"{self.files.title}[*] \N{EN DASH} Headroom")
        self.setWindowModified(self.session.is_modified)

    def _undo_changed(self, _change: object = None) -> None:
        stack = self.session.stack
        for id, can, word, text in (
            ("stack.undo", stack.canUndo(), "&Undo", stack.undoText()),
            ("stack.redo", stack.canRedo(), "&Redo", stack.redoText()),
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

    def _inspect(self, id: str) -> None:
        self.selection.select(id)
        self._places["inspector"].setFocus()

    def _show_zoom(self, zoom: float) -> None:
        self._zoom_label.setText(f"Board {zoom:.0%}")

    # ------------------------------------------------------------------ coming and going

    def _restore(self) -> None:
        self.board.set_zoom(self.settings.zoom)
        geometry = self.settings.state("window")
        if geometry is None or not self.restoreGeometry(geometry):
            self._fit_screen()
        for name, splitter, sizes in self._splitters():
            state = self.settings.state(name)
            if state is None or not splitter.restoreState(state):
                splitter.setSizes(sizes)

    def _splitters(self) -> tuple[tuple[str, QSplitter, list[int]], ...]:
        return (
            ("columns", self._columns, [LEFT_PX, self.width() - LEFT_PX - RIGHT_PX, RIGHT_PX]),
            ("left", self._left, [440, 200]),
            ("centre", self._centre, [420, BELOW_PX]),
            ("right", self._right, [380, 260]),
        )

    def _fit_screen(self) -> None:
        room = self.screen().availableGeometry().size()
        self.resize(min(DEFAULT_SIZE[0], room.width()), min(DEFAULT_SIZE[1], room.height()))
        if room.width() < DEFAULT_SIZE[0] + 40 or room.height() < DEFAULT_SIZE[1] + 40:
            self.setWindowState(Qt.WindowState.WindowMaximized)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.files.may_close():
            event.ignore()
            return
        self.worker.cancel_all()
        self.settings.set_state("window", self.saveGeometry())
        for name, splitter, _ in self._splitters():
            self.settings.set_state(name, splitter.saveState())
        self.settings.flush()
        event.accept()


def panel(widget: QWidget | None = None) -> QWidget:
    """A framed place for a part of the window."""
    frame = QWidget()
    frame.setProperty("role", "panel")
    frame.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    layout = QVBoxLayout(frame)
    layout.setContentsMargins(1, 1, 1, 1)
    layout.setSpacing(0)
    if widget is not None:
        layout.addWidget(widget)
    return frame


def split(orientation: Qt.Orientation, *parts: QWidget) -> QSplitter:
    """Parts beside or below each other; the first one takes what room there is."""
    splitter = QSplitter(orientation)
    splitter.setHandleWidth(8)
    splitter.setChildrenCollapsible(False)
    for part in parts:
        splitter.addWidget(part)
    splitter.setStretchFactor(0, 1)
    return splitter

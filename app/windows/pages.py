"""The pages of the window: each takes the place of the board, or stands in a window of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QProgressBar, QPushButton, QStackedWidget, QTabBar, QWidget

from app.language import tr
from app.lifetime import hold
from app.settings import Settings
from app.widgets.parts import STRETCH, in_column, in_row, tool_button, wrapped
from app.windows.journey import BOARD, Stage, stage_of
from app.work import OneTask, Worker, raise_own, reason


class Page(QWidget):
    """One page; what stands in it stays as it is while another is in front.

    Signals:
        left: it is done with for now, and the board comes back.
    """

    left = Signal()

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        hold(self)

    def leave(self) -> None:
        self.left.emit()

    def give_up(self) -> None:
        """What it still works out is of no use any more."""

    def holds_work(self) -> str:
        """What of a user's work stands here alone and would go with the page, as a sentence; empty
        for nothing."""
        return ""


class WorkingPage(Page):
    """One that works something out in the background, says how that stands, and can stop it."""

    def __init__(
        self,
        title: str,
        stop: str,
        parent: QWidget | None = None,
        *,
        worker: Worker | None = None,
    ) -> None:
        super().__init__(title, parent)
        self.work = OneTask(worker or Worker(parent=self), self.show_work)
        self.progress = QProgressBar(self)
        self.stop = QPushButton(stop, self)
        self.stop.clicked.connect(self.give_up)
        self.state = wrapped("", self)

    def show_work(self) -> None:
        """Whether something is under way."""
        for widget in (self.progress, self.stop):
            widget.setVisible(self.work.is_running)

    def give_up(self) -> None:
        self.work.cancel()

    def failed(self, error: Exception) -> None:
        self.state.setText(f"{reason(error)}.")
        raise_own(error)


class Pages(QStackedWidget):
    """Asks for the room of the page in front alone, not for that of the widest one."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.currentChanged.connect(self.updateGeometry)

    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget()
        return super().minimumSizeHint() if page is None else page.minimumSizeHint()


PageT = TypeVar("PageT", bound=Page)


class PageStack(QWidget):
    """The middle of the window: the board, or a page in its place.

    Signals:
        changed: another page is in front, or none: its name, or that of the board.
    """

    changed = Signal(str)

    def __init__(
        self,
        board: QWidget,
        settings: Settings,
        parent: QWidget | None = None,
        *,
        home: QWidget | None = None,
    ) -> None:
        """`home`: what has the focus when the board comes back."""
        super().__init__(parent)
        self._settings = settings
        self._board, self._home = board, home or board
        self._owners: dict[str, OnePage[Page]] = {}
        self._torn: dict[str, TornPage] = {}
        self._last: dict[str, str] = {}
        self.name = BOARD
        self._pages = Pages(self)
        self._pages.addWidget(board)
        self.tabs = QTabBar(self)
        self.tabs.setAccessibleName(tr("Pages"))
        self.tabs.setExpanding(False)
        self.tabs.currentChanged.connect(self._tab_chosen)
        words = tr("In a window of its own")
        self.tear = tool_button(self, "own-tear", tip=words)
        self.tear.clicked.connect(self.tear_off)
        self._head = QWidget(self)
        in_row(self._head).put(self.tabs, STRETCH, self.tear)
        in_column(self, gap=2).put(self._head, (self._pages, 1))
        self._head.hide()

    # ---------------------------------------------------------------- which is in front

    def add(self, owner: OnePage[Page]) -> None:
        self._owners[owner.name] = owner

    def bring(self, name: str) -> None:
        """Brings a page, or the board, to the front; a page that was torn off, in its window."""
        owner = self._owners.get(name)
        if owner is not None and name in self._torn:
            self._torn[name].show()
            self._torn[name].raise_()
            self._torn[name].activateWindow()
            self._show_tabs(stage_of(self.name))
            self.changed.emit(self.name)
            return
        page = self._board if owner is None else owner.made()
        if self._pages.indexOf(page) < 0:
            self._pages.addWidget(page)
        self.name = BOARD if owner is None else name
        stage = stage_of(self.name)
        self._last[stage.name] = self.name
        self._show_tabs(stage)
        is_back = owner is None and self._pages.currentWidget() is not page
        self._pages.setCurrentWidget(page)
        self.changed.emit(self.name)
        if is_back:
            self._home.setFocus()

    def bring_stage(self, stage: Stage) -> None:
        """The page of a stage that was in front last; the first one, before any was."""
        first = stage.pages[0].name if stage.pages else stage.name
        self.bring(self._last.get(stage.name, first))

    def _show_tabs(self, stage: Stage) -> None:
        """The pages of the stage side by side, where it has several."""
        names = [each.name for each in stage.pages]
        before = self.tabs.blockSignals(True)
        if [self.tabs.tabData(at) for at in range(self.tabs.count())] != names:
            while self.tabs.count():
                self.tabs.removeTab(0)
            for each in stage.pages:
                self.tabs.setTabData(self.tabs.addTab(each.words), each.name)
        if self.name in names:
            self.tabs.setCurrentIndex(names.index(self.name))
        self.tabs.blockSignals(before)
        self.tabs.setVisible(len(names) > 1)
        self._head.setVisible(self.name != BOARD)

    def _tab_chosen(self, at: int) -> None:
        if at >= 0:
            self.bring(self.tabs.tabData(at))

    # ---------------------------------------------------------------- windows of their own

    def tear_off(self) -> None:
        """Puts the page in front into a window of its own; the board comes in its place."""
        owner = self._owners.get(self.name)
        if owner is None or owner.opened is None:
            return
        torn = self._torn[self.name] = TornPage(
            owner.opened, self.name, self._settings, self.window()
        )
        torn.closed.connect(self.take_back)
        self.bring(BOARD)
        torn.show()

    def take_back(self, name: str) -> None:
        """A page that was torn off comes to the front of the window again."""
        if self._let_go(name):
            self.bring(name)

    def _let_go(self, name: str) -> bool:
        torn = self._torn.pop(name, None)
        if torn is None:
            return False
        self._pages.addWidget(torn.page)
        torn.keep_place()
        torn.hide()
        torn.deleteLater()
        return True

    def leave(self, name: str) -> None:
        """A page is done with: the board comes back."""
        self._let_go(name)
        self.bring(BOARD)

    def go_back(self) -> bool:
        """Leaves the page in front; False: there is none."""
        owner = self._owners.get(self.name)
        if owner is None or owner.opened is None:
            return False
        owner.opened.leave()
        return True

    def holding(self) -> Iterator[tuple[str, str]]:
        """Names of the pages with work that would go with them, and what that is."""
        for name, owner in self._owners.items():
            work = "" if owner.opened is None else owner.opened.holds_work()
            if work:
                yield name, work

    def close_pages(self) -> None:
        """All pages go: they are of a project that is not open any more."""
        for owner in self._owners.values():
            owner.close()

    def remove(self, name: str, page: Page) -> None:
        self._let_go(name)
        if self.name == name:
            self.bring(BOARD)
        self._pages.removeWidget(page)


class TornPage(QWidget):
    """The window of a page that was torn off; it remembers where it stood, and how large it was.

    Signals:
        closed: name of the page, which goes back.
    """

    closed = Signal(str)

    def __init__(self, page: Page, name: str, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.page = page
        self._name, self._settings = name, settings
        self.setWindowTitle(tr("{page} \N{EN DASH} Headroom", page=page.windowTitle()))
        size = page.size()
        in_column(self, around=None).put((page, 1))
        page.show()
        geometry = settings.state(name)
        if geometry is None or not self.restoreGeometry(geometry):
            self.resize(size.boundedTo(self.screen().availableGeometry().size()))
        hold(self)

    def keep_place(self) -> None:
        self._settings.set_state(self._name, self.saveGeometry())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()
        self.closed.emit(self._name)


class OnePage(QObject, Generic[PageT]):
    """Owner of one page, which is made when it is first asked for.

    Args:
        name: of the page in `journey.JOURNEY`.
        make: imports the page and makes it.

    Attributes:
        opened: the page, once it is made.
    """

    def __init__(self, name: str, make: Callable[[], PageT], stack: PageStack) -> None:
        super().__init__(stack)
        self.name = name
        self._make = make
        self._stack = stack
        self.opened: PageT | None = None
        stack.add(self)  # type: ignore[arg-type]

    def open(self) -> None:
        self.shown()

    def shown(self) -> PageT:
        """The page, in front."""
        page = self.made()
        self._stack.bring(self.name)
        return page

    def made(self) -> PageT:
        if self.opened is None:
            self.opened = self._make()
            self.opened.left.connect(self._leave)
        return self.opened

    def close(self) -> None:
        """The page goes, and what it was working out."""
        page, self.opened = self.opened, None
        if page is not None:
            page.give_up()
            self._stack.remove(self.name, page)
            page.hide()
            page.deleteLater()

    def _leave(self) -> None:
        self._stack.leave(self.name)

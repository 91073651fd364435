"""Windows beside the project: each opens once, and keeps its place until the next time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtWidgets import QDialog, QProgressBar, QPushButton, QWidget

from app.settings import Settings
from app.widgets.parts import wrapped
from app.work import OneTask, Worker, raise_own, reason

PageT = TypeVar("PageT", bound=QDialog)


class OnePage(QObject, Generic[PageT]):
    """Opens the one page, or brings it to the front.

    Args:
        make: imports the page and makes it, when it is first asked for.

    Attributes:
        opened: the page while it is open.
    """

    def __init__(self, make: Callable[[], PageT], window: QWidget) -> None:
        super().__init__(window)
        self._make = make
        self.opened: PageT | None = None

    def open(self) -> None:
        self.shown()

    def shown(self) -> PageT:
        """The page, at the front."""
        page = self.opened
        if page is None:
            page = self.opened = self._make()
            page.finished.connect(self._forget)
        page.show()
        page.raise_()
        page.activateWindow()
        return page

    def close(self) -> None:
        if self.opened is not None:
            self.opened.close()

    def _forget(self) -> None:
        self.opened = None


class BesideWindow(QDialog):
    """A window beside that of the project, which remembers where it stood and how large.

    Args:
        kept_as: the name that its place goes by in the settings.
    """

    def __init__(
        self, title: str, kept_as: str, settings: Settings, parent: QWidget | None
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self._settings, self._kept_as = settings, kept_as

    def take_place(self, size: QSize) -> None:
        """Where it stood last; at first so large, as far as the screen has room."""
        geometry = self._settings.state(self._kept_as)
        if geometry is None or not self.restoreGeometry(geometry):
            self.resize(size.boundedTo(self.screen().availableGeometry().size()))

    def give_up(self) -> None:
        """What it still works out is of no use any more."""

    def done(self, result: int) -> None:
        """However it is closed, it comes by here."""
        self.give_up()
        self._settings.set_state(self._kept_as, self.saveGeometry())
        super().done(result)


class WorkingWindow(BesideWindow):
    """One that works something out in the background, says how that stands, and can stop it."""

    def __init__(
        self, title: str, kept_as: str, stop: str, settings: Settings, parent: QWidget | None
    ) -> None:
        super().__init__(title, kept_as, settings, parent)
        self.work = OneTask(Worker(parent=self), self.show_work)
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

"""Two panels above each other where there is height for both, as two tabs where there is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QTabBar, QWidget

from app.language import tr
from app.widgets.parts import in_column

if TYPE_CHECKING:
    from app.session import View

TABS_BELOW = 720
"""Height [px] that inspector and findings need to stand above each other."""


class SidePanels(QWidget):
    """A splitter with two parts; on a low screen only one of them, chosen by a tab."""

    def __init__(
        self,
        splitter: QSplitter,
        names: tuple[str, str],
        parent: QWidget | None = None,
        *,
        tabs_below: int = TABS_BELOW,
    ) -> None:
        super().__init__(parent)
        self._tabs_below = tabs_below
        self.splitter = splitter
        self._names = names
        self.tabs = QTabBar(self)
        self.tabs.setExpanding(True)
        self.tabs.setDrawBase(False)
        self.tabs.setAccessibleName(tr(" and ").join(names))
        for name in names:
            self.tabs.addTab(name)
        in_column(self, gap=4).put(self.tabs, (splitter, 1))
        self.tabs.hide()
        self.tabs.currentChanged.connect(self._turn)

    @property
    def is_tabbed(self) -> bool:
        return not self.tabs.isHidden()

    def bring(self, position: int) -> None:
        """Brings one of the two into sight."""
        self.tabs.setCurrentIndex(position)

    def count(self, position: int, number: int) -> None:
        """Says on a tab how many entries stand behind it."""
        name = self._names[position]
        self.tabs.setTabText(position, f"{name} ({number})" if number else name)

    def show_view(self, view: View) -> None:
        """Says on the second tab how many findings there are."""
        self.count(1, len((view.committed if view.lost else view.prediction).findings))

    def sizeHint(self) -> QSize:
        return self.splitter.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Of the mode that needs less, so that the window can become low enough for it."""
        least = [part.minimumSizeHint().expandedTo(part.minimumSize()) for part in self._parts()]
        highest = max((size.height() for size in least), default=0)
        widest = max((size.width() for size in least), default=0)
        return QSize(widest, highest + self.tabs.sizeHint().height())

    def _parts(self) -> list[QWidget]:
        parts = (self.splitter.widget(position) for position in range(self.splitter.count()))
        return [part for part in parts if part is not None]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_low = event.size().height() < self._tabs_below
        if is_low != self.is_tabbed:
            self.tabs.setVisible(is_low)
            self._turn()

    def _turn(self, _position: int = 0) -> None:
        for position, part in enumerate(self._parts()):
            part.setVisible(not self.is_tabbed or position == self.tabs.currentIndex())

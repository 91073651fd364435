"""The room of the window's content: what is larger than the window scrolls."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.work import pause

LEAST = QSize(480, 240)
"""So small the window can become; a laptop of 1366 × 768 at 200 % has 683 × 384."""

SETTLED_MS = 200
"""So long after a part is shown its layout may still change."""


class _Plain(QVBoxLayout):
    """As high as its content needs at least, not as high as its text would like to be."""

    def hasHeightForWidth(self) -> bool:
        return False


class Room(QScrollArea):
    """Shows its content whole where there is room for it, and scrolls where there is not.

    Without it the window would grow over the edge of a screen that is small or scaled up.
    """

    def __init__(self, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        whole = QWidget(self)
        layout = _Plain(whole)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(content)
        self.setWidget(whole)
        whole.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        self._sought: QWidget | None = None
        self._settling = pause(self, SETTLED_MS, self._settled)
        self.verticalScrollBar().rangeChanged.connect(self._reveal)

    def reveal(self, part: QWidget) -> None:
        """Scrolls to a part of the content, also while its place is being made."""
        self._sought = part
        self._settling.start()
        self._reveal()

    def to_top(self) -> None:
        """Shows what stands first."""
        self._sought = None
        self.verticalScrollBar().setValue(0)

    def _reveal(self) -> None:
        if self._sought is not None:
            self.ensureWidgetVisible(self._sought, 0, 0)

    def _settled(self) -> None:
        self._reveal()
        self._sought = None

    def minimumSizeHint(self) -> QSize:
        return LEAST

    def sizeHint(self) -> QSize:
        content = self.widget()
        return LEAST if content is None else content.sizeHint()

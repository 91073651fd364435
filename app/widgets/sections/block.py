"""What blocks of sections are made of on screen."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.widgets.parts import in_column


def words(role: str = "", parent: QWidget | None = None) -> QLabel:
    """A label for a paragraph: it takes as many lines as it needs, and no width of its own."""
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    if role:
        label.setProperty("role", role)
    return label


class BlockWidget(QWidget):
    """A block on screen; `show_block` gives it another one of its kind.

    Signals:
        chosen: id of the item that was clicked.
        asked: its `place` among the blocks, row and column of the cell that is asked about.
    """

    chosen = Signal(str)
    asked = Signal(int, int, int)
    place = 0

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.column = in_column(self, gap=3)

    def show_block(self, block: Any) -> None:
        raise NotImplementedError

    def fit(self, width: int, height: int) -> None:
        """The room that the view has [px]."""

    def name(self, title: str) -> None:
        """The title of its section, for what has to be called something."""

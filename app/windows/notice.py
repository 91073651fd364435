"""A strip above the window's content: one sentence, and what to do about it. It blocks nothing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from app.widgets.labels import Sign
from app.widgets.parts import in_row

ICON = 20


class NoticeBar(QFrame):
    """Says a sentence and offers acts; the first one is the one to be expected."""

    def __init__(self, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "notice")
        self._sign = Sign(icon, "accent", self, side=ICON)
        self._sentence = QLabel(self)
        self._sentence.setTextFormat(Qt.TextFormat.PlainText)
        self._sentence.setWordWrap(True)
        self._row = in_row(self, gap=10, around=(12, 6, 8, 6)).put(self._sign, (self._sentence, 1))
        self.hide()

    def add(self, text: str, act: Callable[[], None]) -> QPushButton:
        """Adds a button for one act; `act` is a bound method."""
        button = QPushButton(text, self)
        button.setCursor(Qt.CursorShape.ArrowCursor)
        button.setProperty("role", "primary" if self._row.count() == 2 else "")
        button.clicked.connect(act)
        self._row.addWidget(button)
        return button

    def say(self, sentence: str) -> None:
        self._sentence.setText(sentence)
        self.setAccessibleName(sentence)
        self.show()

    @property
    def sentence(self) -> str:
        return self._sentence.text()

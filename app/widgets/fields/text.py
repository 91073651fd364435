"""Texts of one line and of several."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QStringListModel, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QCompleter, QPlainTextEdit, QWidget

from app.widgets.fields.line import MIXED, LineEditor, elided, is_history_key
from app.wording import tip_text
from app.work import pause
from models.base.lettering import set_apart

PAUSE_MS = 1000
"""Pause in writing after which notes count, so that a copy of unsaved work has them too."""


class TextField(LineEditor):
    """One line of text, with suggestions where there are any."""

    committed = Signal(object)
    said = Signal(str, bool)
    finished = Signal()

    def __init__(self, *, empty: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._empty = empty
        self._suggested = QStringListModel(self)
        self.setPlaceholderText(empty)
        self.editingFinished.connect(self._enter)

    def suggest(self, texts: Sequence[str]) -> None:
        if not texts or list(texts) == self._suggested.stringList():
            return
        self._suggested.setStringList(list(texts))
        if self.completer() is None:
            completer = QCompleter(self._suggested, self)
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            self.setCompleter(completer)

    def show_value(self, value: str, *, mixed: bool = False) -> None:
        self.setPlaceholderText(MIXED if mixed else self._empty)
        before = self.text()
        self.show_text("" if mixed else value)
        if self.text() != before:
            self.setCursorPosition(0)

    def refuse(self, reason: str) -> None:
        self.said.emit(reason, True)

    def commit(self) -> None:
        if self.is_edited:
            self._enter()

    def _enter(self) -> None:
        changed = self.is_edited
        self.setModified(False)
        self.said.emit("", False)
        if changed:
            self.committed.emit(self.text().strip())
        self.finished.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text() != self._shown:
            self.setText(self._shown)
            self.setModified(False)
            self.said.emit("", False)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving the window is leaving the field too; `editingFinished` leaves that out."""
        super().focusOutEvent(event)
        if event.reason() is Qt.FocusReason.ActiveWindowFocusReason:
            self.commit()


class HeadingField(TextField):
    """A name in large letters: at rest a long one takes two lines, whole as the tool tip.

    What has no room there either ends in an ellipsis, and what hides in the name is written out.
    """

    def show_value(self, value: str, *, mixed: bool = False) -> None:
        super().show_value(value, mixed=mixed)
        self.setToolTip(tip_text(set_apart(value)))
        self._make_room()

    @property
    def lines(self) -> tuple[str, ...]:
        """What is shown at rest."""
        metrics, room, text = self.fontMetrics(), self._room(), set_apart(self.text())
        if metrics.horizontalAdvance(text) <= room:
            return (text,)
        layout = QTextLayout(text, self.font())
        anywhere = QTextOption()
        anywhere.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(anywhere)
        layout.beginLayout()
        first = layout.createLine()
        first.setLineWidth(room)
        layout.endLayout()
        rest = text[first.textLength() :]
        return text[: first.textLength()].rstrip(), elided(rest.lstrip(), metrics, room)

    def _room(self) -> int:
        margins = self.textMargins()
        return max(self.contentsRect().width() - margins.left() - margins.right() - 4, 1)

    def _make_room(self) -> None:
        """Of the height that the name takes, so that nothing jumps while it is being edited."""
        many = len(self.lines)
        spacing = self.fontMetrics().lineSpacing()
        self.setMinimumHeight(0 if many == 1 else many * spacing + 6)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def paintEvent(self, event: QPaintEvent) -> None:
        lines = self.lines
        if self.hasFocus() or lines == (self.text(),):
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        box = self.contentsRect().adjusted(2, 0, -2, 0)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, "\n".join(lines))
        painter.end()


class NotesField(QPlainTextEdit):
    """Several lines of text; what was written counts after a pause and when the focus leaves."""

    committed = Signal(object)
    said = Signal(str, bool)
    finished = Signal()

    def __init__(self, *, empty: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self.setAcceptDrops(False)
        self.setPlaceholderText(empty)
        self.setTabChangesFocus(True)
        self.setFixedHeight(self.fontMetrics().lineSpacing() * 5 + 14)
        self._pause = pause(self, PAUSE_MS, self.commit)
        self.textChanged.connect(self._pause.start)

    @property
    def is_edited(self) -> bool:
        return self.toPlainText() != self._shown

    def show_value(self, value: str, *, mixed: bool = False) -> None:
        is_typing = self.hasFocus() and self.is_edited
        self._shown = "" if mixed else value
        if not is_typing:
            self.forget()

    def forget(self) -> None:
        """Drops what is being written: it was for something else than what is shown next."""
        if self.is_edited:
            self.setPlainText(self._shown)
            self.moveCursor(QTextCursor.MoveOperation.End)
        self._pause.stop()

    def commit(self) -> None:
        self._pause.stop()
        if self.is_edited:
            self.committed.emit(self.toPlainText())
            self.finished.emit()

    def refuse(self, reason: str) -> None:
        self.said.emit(reason, True)

    def event(self, event: QEvent) -> bool:
        """Undo is the window's where nothing is being written."""
        is_question = event.type() is QEvent.Type.ShortcutOverride
        if is_question and is_history_key(event) and not self.is_edited:
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_history_key(event) and not self.is_edited:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.commit()
        self.finished.emit()

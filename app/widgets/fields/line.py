"""A line of text whose undo ends where the session's begins."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from app.language import tr

MIXED = tr("several values")

_HISTORY = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


def is_history_key(event: QEvent) -> bool:
    """Whether a key event, or the question whose it is, means undo or redo."""
    return isinstance(event, QKeyEvent) and any(event.matches(key) for key in _HISTORY)


@runtime_checkable
class Typing(Protocol):
    """An editor whose text counts once it is committed: by leaving it, or by asking for it."""

    def commit(self) -> None: ...


def commit_typed(window: QWidget) -> None:
    """Commits what is being typed in this window or part of one, as leaving the field would.

    Fields commit when their window is left, so the focus of the program is the one to ask for; to
    ask the window for its own would make PySide take the field for a child of the window.
    """
    widget: QWidget | None = QApplication.focusWidget()
    if widget is not None and not window.isAncestorOf(widget):
        return
    while widget is not None and not isinstance(widget, Typing):
        widget = widget.parentWidget()
    if widget is not None:
        widget.commit()


class LineEditor(QLineEdit):
    """A line whose own undo ends where the session's begins: at the value that is stored.

    While something is typed, undo and redo are the line's; else they pass to the window.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(False)  # What is dropped on a window is for the window.
        self._shown = ""

    @property
    def is_edited(self) -> bool:
        """The text is not the one that is stored."""
        return self.text() != self._shown

    def event(self, event: QEvent) -> bool:
        is_question = event.type() is QEvent.Type.ShortcutOverride
        if is_question and is_history_key(event) and not self.is_edited:
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Undo that the window has nothing for must not bring an old text back."""
        if is_history_key(event) and not self.is_edited:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def forget(self) -> None:
        """Drops what is being typed: it was for something else than what is shown next."""
        self.setModified(False)
        if self.text() != self._shown:
            self.setText(self._shown)

    def show_text(self, text: str) -> None:
        """Shows what is stored, and forgets what was typed before; what is being typed stays."""
        is_typing = self.hasFocus() and self.isModified() and self.is_edited
        self._shown = text
        if not is_typing and (self.text() != text or self.isUndoAvailable()):
            self.setText(text)


def elided(text: str, metrics: QFontMetrics, room: int) -> str:
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)


def elided_name(text: str, metrics: QFontMetrics, room: int) -> str:
    """Cut in its middle: names of a kind differ at their ends."""
    return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, room)


def paint_at_rest(line: QLineEdit) -> bool:
    """Paints the text cut in its middle where it has no room and nobody writes; False otherwise."""
    margins = line.textMargins()
    room = line.contentsRect().width() - margins.left() - margins.right() - 4
    if line.hasFocus() or line.fontMetrics().horizontalAdvance(line.text()) <= room:
        return False
    painter = QPainter(line)
    painter.setPen(line.palette().color(line.foregroundRole()))
    box = line.contentsRect().adjusted(2, 0, -2, 0)
    text = elided_name(line.text(), line.fontMetrics(), room)
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
    painter.end()
    return True

"""Input fields that speak people's language: locale's marks, units beside, refusals in words.

A field shows a value (`show_value`) and asks for another one (`committed`); it never decides.
`said` carries what to write beside it: a refusal, or how an ambiguous number was read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QCompleter,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from app.icons import draw_icon
from app.theme import LIGHT, Theme
from app.wording import exact_text, locale_style, read_number
from models.errors import ModelError
from models.limits import Limit

MIXED = "several values"
SEARCHABLE_FROM = 12
ECHO_MS = 350
"""Pause in typing after which an ambiguous number is echoed: not between two digits."""

_HISTORY = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


def is_history_key(event: QEvent) -> bool:
    """Whether a key event, or the question whose it is, means undo or redo."""
    return isinstance(event, QKeyEvent) and any(event.matches(key) for key in _HISTORY)


class LineEditor(QLineEdit):
    """A line whose own undo ends where the session's begins: at the value that is stored.

    While something is typed, undo and redo are the line's; else they pass to the window.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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

    def show_text(self, text: str) -> None:
        """Shows what is stored, and forgets what was typed before; what is being typed stays."""
        is_typing = self.hasFocus() and self.isModified() and self.is_edited
        self._shown = text
        if not is_typing and (self.text() != text or self.isUndoAvailable()):
            self.setText(text)


class NumberField(LineEditor):
    """A number; Up and Down step it, Page Up and Page Down by ten steps, Escape takes back.

    Signals:
        committed: the number as float, or None for an empty optional field.
        said: text to write beside the field ("" for none), and whether it is a refusal.
        finished: the hand has left the field.
    """

    committed = Signal(object)
    said = Signal(str, bool)
    finished = Signal()

    def __init__(
        self,
        *,
        limit: Limit | None = None,
        step: float = 1.0,
        whole: bool = False,
        scale: float = 1.0,
        optional: bool = False,
        empty: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._limit = limit or Limit()
        self._step = step
        self._whole = whole
        self._scale = scale
        self._optional = optional
        self._empty = empty
        self._value: float | None = None
        self._echo = QTimer(self)
        self._echo.setSingleShot(True)
        self._echo.setInterval(ECHO_MS)
        self._echo.timeout.connect(self._say_echo)
        self.setPlaceholderText(empty)
        self.textEdited.connect(self._typed)
        self.returnPressed.connect(self._enter)

    @property
    def value(self) -> float | None:
        """The value last shown, in the model's unit."""
        return self._value

    def show_value(self, value: float | None, *, mixed: bool = False) -> None:
        """Shows a value; what the user is typing stays."""
        self._value = None if mixed else value
        self.setPlaceholderText(MIXED if mixed else self._empty)
        self.show_text(self._words(self._value))

    @property
    def is_edited(self) -> bool:
        """Something was typed that is not committed (or was refused)."""
        return self.isModified() and super().is_edited

    def _words(self, value: float | None) -> str:
        return "" if value is None else exact_text(value * self._scale, style=locale_style())

    def read(self) -> float | None:
        """The typed number in the model's unit.

        Raises:
            ModelError: it is none, or out of bounds.
        """
        text = self.text().strip()
        if not text and self._optional:
            return None
        if not text:
            raise ModelError("a number is needed here")
        value = read_number(text).value
        self._check(value)
        return value / self._scale

    def _typed(self, _text: str) -> None:
        """What was said was about another text."""
        self.said.emit("", False)
        self._echo.start()

    def _say_echo(self) -> None:
        """How an ambiguous number will be read, while it is not committed yet."""
        try:
            echo = read_number(self.text()).echo
        except ModelError:
            return
        if echo and self.is_edited:
            self.said.emit(echo, False)

    def _check(self, value: float) -> None:
        if self._whole and value != math.floor(value):
            raise ModelError("must be a whole number")
        reason = self._limit.broken(value / self._scale)
        if reason is not None:
            raise ModelError(reason if self._scale == 1 else self._scaled_reason(value))

    def _scaled_reason(self, value: float) -> str:
        bounds = (self._limit.ge, self._limit.gt, self._limit.le)
        ge, gt, le = (None if b is None else b * self._scale for b in bounds)
        return Limit(ge=ge, gt=gt, le=le).broken(value) or ""

    def refuse(self, reason: str) -> None:
        """Says why the typed text can't be; it stays, to be mended."""
        self._echo.stop()
        self.said.emit(reason, True)

    def _enter(self) -> None:
        """Commits what was typed; a text that nobody typed gives way to what is stored."""
        if not self.is_edited:
            self._take_back()
            return
        try:
            value = self.read()
        except ModelError as error:
            self.refuse(error.reason)
            return
        self._settle()
        self.committed.emit(value)
        self.finished.emit()

    def _settle(self) -> None:
        """The text is what is asked for now: nothing is left to say about it."""
        self._echo.stop()
        self.setModified(False)
        self.said.emit("", False)

    def step_by(self, steps: int) -> None:
        """Adds steps to the number as it stands, held within the bounds, and commits it."""
        try:
            start = self.read()
        except ModelError:
            start = self._value
        self._settle()
        moved = self._within(((start or 0.0) * self._scale + steps * self._step) / self._scale)
        if moved != start:
            self.committed.emit(moved)

    def _within(self, value: float) -> float:
        limit = self._limit
        if limit.ge is not None:
            value = max(value, limit.ge)
        if limit.gt is not None and value <= limit.gt:
            value = self._value or self._step / self._scale
        return value if limit.le is None else min(value, limit.le)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = _STEP_KEYS.get(Qt.Key(event.key()))
        if steps is not None:
            self.step_by(steps)
        elif event.key() == Qt.Key.Key_Escape and self.text() != self._shown:
            self._take_back()
        else:
            super().keyPressEvent(event)

    def _take_back(self) -> None:
        if self.text() != self._shown:
            self.setText(self._shown)
        self._settle()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Never changed by scrolling over it; the form scrolls."""
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self._enter()
            self.finished.emit()


_STEP_KEYS = {
    Qt.Key.Key_Up: 1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_PageUp: 10,
    Qt.Key.Key_PageDown: -10,
}


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


class NotesField(QPlainTextEdit):
    """Several lines of text; what was written counts when the focus leaves."""

    committed = Signal(object)
    said = Signal(str, bool)
    finished = Signal()

    def __init__(self, *, empty: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self.setPlaceholderText(empty)
        self.setTabChangesFocus(True)
        self.setFixedHeight(self.fontMetrics().lineSpacing() * 5 + 14)

    @property
    def is_edited(self) -> bool:
        return self.toPlainText() != self._shown

    def show_value(self, value: str, *, mixed: bool = False) -> None:
        is_typing = self.hasFocus() and self.is_edited
        self._shown = "" if mixed else value
        if not is_typing and self.is_edited:
            self.setPlainText(self._shown)

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
        if self.toPlainText() != self._shown:
            self.committed.emit(self.toPlainText())
        self.finished.emit()


_PLAIN_ARROW = """
QComboBox { padding-right: 20px; }
QComboBox::drop-down { border: none; background: transparent; width: 20px; }
QComboBox::down-arrow { image: none; }
QComboBox QLineEdit { border: none; background: transparent; padding: 0; }
"""


class ChoiceLine(LineEditor):
    """The line of a list that is searched by typing; at rest a long name ends in an ellipsis."""

    def settle(self, text: str) -> None:
        self._shown = text
        self.setText(text)
        self.setCursorPosition(0)

    def paintEvent(self, event: QPaintEvent) -> None:
        room = self.contentsRect().width() - 4
        if self.hasFocus() or self.fontMetrics().horizontalAdvance(self.text()) <= room:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        box = self.contentsRect().adjusted(2, 0, -2, 0)
        painter.drawText(
            box, Qt.AlignmentFlag.AlignVCenter, _elided(self.text(), self.fontMetrics(), room)
        )
        painter.end()


def _elided(text: str, metrics: QFontMetrics, room: int) -> str:
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry of a `ChoiceField`: the value behind it and its words."""

    value: object
    text: str


class ChoiceField(QComboBox):
    """One of several; long lists can be searched by typing any part of a name."""

    committed = Signal(object)
    said = Signal(str, bool)
    finished = Signal()

    def __init__(self, *, empty: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choices: tuple[Choice, ...] = ()
        self._index = -1
        self._empty = empty
        self._theme = LIGHT
        self._line: ChoiceLine | None = None
        self.setPlaceholderText(empty)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.setMaxVisibleItems(18)
        self.setStyleSheet(_PLAIN_ARROW)
        self.activated.connect(self._chosen)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """As Qt paints it, but a name that has no room ends in an ellipsis."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        if not self.isEditable():
            room = self.style().subControlRect(
                QStyle.ComplexControl.CC_ComboBox,
                option,
                QStyle.SubControl.SC_ComboBoxEditField,
                self,
            )
            words = option.currentText or self.placeholderText()
            option.currentText = _elided(words, self.fontMetrics(), room.width() - 2)
            painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        box = QRectF(self.rect())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        sign = QRectF(box.right() - 20, box.center().y() - 7, 14, 14)
        draw_icon(painter, sign, "chevron-down", self._theme.muted)
        painter.end()

    def offer(self, choices: Sequence[Choice]) -> None:
        """Fills the list; the value shown stays chosen."""
        if tuple(choices) == self._choices:
            return
        value = self.value
        self._choices = tuple(choices)
        self.clear()
        for position, choice in enumerate(choices):
            self.addItem(choice.text)
            self.setItemData(position, choice.text, Qt.ItemDataRole.ToolTipRole)
        if len(choices) >= SEARCHABLE_FROM and not self.isEditable():
            self._make_searchable()
        self.show_value(value)

    @property
    def value(self) -> object:
        return self._choices[self._index].value if 0 <= self._index < len(self._choices) else None

    def show_value(self, value: object, *, mixed: bool = False) -> None:
        indices = (i for i, choice in enumerate(self._choices) if choice.value == value)
        self._index = -1 if mixed else next(indices, -1)
        self.setPlaceholderText(MIXED if mixed else self._empty)
        self.setCurrentIndex(self._index)
        line = self._line
        if line is not None:
            line.setPlaceholderText(MIXED if mixed else "")
            line.settle("" if self._index < 0 else self._choices[self._index].text)
        self.setToolTip(self.currentText())

    def refuse(self, reason: str) -> None:
        self.said.emit(reason, True)
        if 0 <= self._index < len(self._choices):
            self.show_value(self._choices[self._index].value)

    def _chosen(self, index: int) -> None:
        if index != self._index and 0 <= index < len(self._choices):
            self.said.emit("", False)
            self.committed.emit(self._choices[index].value)
        self.finished.emit()

    def _make_searchable(self) -> None:
        self._line = ChoiceLine(self)
        self.setLineEdit(self._line)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        completer = self.completer()
        if completer is None:
            return
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self._line.editingFinished.connect(self._typed)

    def _typed(self) -> None:
        """Typed words that name one entry choose it; others are taken back."""
        typed = self.currentText().strip().casefold()
        found = [i for i, choice in enumerate(self._choices) if typed in choice.text.casefold()]
        exact = [i for i in found if self._choices[i].text.casefold() == typed]
        if typed and (exact or len(found) == 1):
            self._chosen((exact or found)[0])
        else:
            self.show_value(self.value)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Never changed by scrolling over it."""
        event.ignore()


class FlagField(QCheckBox):
    """Yes or no."""

    committed = Signal(object)
    said = Signal(str, bool)
    finished = Signal()

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._value = False
        self.clicked.connect(self._clicked)

    def show_value(self, value: bool, *, mixed: bool = False) -> None:
        self._value = value
        state = Qt.CheckState.Checked if value else Qt.CheckState.Unchecked
        self.setCheckState(Qt.CheckState.PartiallyChecked if mixed else state)

    def refuse(self, reason: str) -> None:
        self.said.emit(reason, True)
        self.show_value(self._value)

    def _clicked(self) -> None:
        self.said.emit("", False)
        self.committed.emit(self.checkState() is not Qt.CheckState.Unchecked)
        self.finished.emit()


_SLIDER = """
QSlider {{ min-height: 20px; }}
QSlider::groove:horizontal {{ height: 4px; border-radius: 2px; background: {track}; }}
QSlider::sub-page:horizontal {{ height: 4px; border-radius: 2px; background: {accent}; }}
QSlider::handle:horizontal {{
    width: 12px; height: 12px; margin: -6px 0; border-radius: 8px;
    background: {knob}; border: 2px solid {accent};
}}
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus {{ background: {accent}; }}
"""


class UserSlider(QSlider):
    """Active users by hand; its range stays as long as the same items are shown.

    It grows when a typed number does not fit into it, but never under the hand.

    Signals:
        moved_to: the number under the handle, while it moves.
        finished: the handle was let go.
    """

    moved_to = Signal(object)
    finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._is_showing = False
        self._owner = ""
        self.valueChanged.connect(self._moved)
        self.sliderReleased.connect(self.finished)

    def set_theme(self, theme: Theme) -> None:
        self.setStyleSheet(_SLIDER.format(track=theme.track, accent=theme.accent, knob=theme.panel))

    def show_value(self, value: float | None, owner: str = "") -> None:
        """Puts the handle at a number of users of `owner`, the items it belongs to."""
        if self.isSliderDown():
            return
        self._is_showing = True
        if owner != self._owner or self.maximum() < max(value or 0.0, 100.0):
            self._owner = owner
            self._set_range(slider_top(value or 0.0))
        self.setValue(round(value or 0.0))
        self._is_showing = False

    def _set_range(self, top: int) -> None:
        self.setRange(0, top)
        self.setSingleStep(max(1, top // 100))
        self.setPageStep(max(1, top // 20))

    def _moved(self, value: int) -> None:
        if not self._is_showing:
            step = self.singleStep()
            self.moved_to.emit(float(round(value / step) * step))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.finished.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


def slider_top(value: float) -> int:
    """End of the slider's range: 1, 2, 5 or 10 thousand …, at least twice the number.

    >>> slider_top(4000), slider_top(0), slider_top(12_000)
    (10000, 1000, 50000)
    """
    top = 1000
    factors = (2, 2.5, 2)
    index = 0
    while top < 2 * value and top < 1_000_000_000:
        top = int(top * factors[index % 3])
        index += 1
    return top

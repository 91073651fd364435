"""A number in people's own writing: locale's marks, units, steps, refusals in words."""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.language import local, tr
from app.widgets.fields.line import MIXED, LineEditor
from app.widgets.fields.stepper import Stepper
from app.wording import locale_style, read_amount
from app.work import pause
from models.base.errors import ModelError
from models.base.limits import Limit
from models.scenario.wording import exact_text

ECHO_MS = 350
"""Pause in typing after which an ambiguous number is echoed: not between two digits."""


class NumberField(LineEditor):
    """A number; Up and Down step it, Page Up and Page Down by ten steps, Escape takes back.

    The click that enters it marks all of it, to be typed over; the next one goes to a digit.

    It is typed with or without its unit; another unit of the same kind is converted, and said.
    What is stored is read from the text only while something is typed: the text may round it.

    Args:
        grouped: with marks between thousands; a year has none.

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
        unit: str = "",
        grouped: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.unit = unit
        self._grouped = grouped
        self._limit = limit or Limit()
        self._step = step
        self._whole = whole
        self._scale = scale
        self._optional = optional
        self._empty = empty
        self.value: float | None = None
        """The value last shown, in the model's unit."""
        self._is_entered = False
        self._echo = pause(self, ECHO_MS, self._say_echo)
        self._stepper = Stepper(self)
        self._stepper.stepped.connect(self._step_by_hand)
        self._stepper.let_go.connect(self.finished)
        self.setPlaceholderText(empty)
        self.textEdited.connect(self._typed)
        self.textChanged.connect(self._place_stepper)
        self._place_stepper()
        self.returnPressed.connect(self._enter)

    def show_value(self, value: float | None, *, mixed: bool = False) -> None:
        """Shows a value; what the user is typing stays."""
        self.value = None if mixed else value
        self.setPlaceholderText(MIXED if mixed else self._empty)
        self.show_text(self._words(self.value))

    @property
    def is_edited(self) -> bool:
        """Something was typed that is not committed (or was refused)."""
        return self.isModified() and super().is_edited

    def _words(self, value: float | None) -> str:
        if value is None:
            return ""
        style = locale_style() if self._grouped else replace(locale_style(), group="")
        return exact_text(value * self._scale, style=style)

    def read(self) -> float | None:
        """The number in the model's unit: as typed, or as stored where nothing is.

        Raises:
            ModelError: it is none, or out of bounds.
        """
        text = self.text().strip()
        if self.value is not None and text == self._shown:
            self._check(self.value * self._scale)
            return self.value
        if not text and self._optional:
            return None
        if not text:
            raise ModelError(tr("a number is needed here"))
        value = read_amount(text, self.unit).value
        self._check(value)
        return value / self._scale

    def _typed(self, _text: str) -> None:
        """What was said was about another text."""
        self.said.emit("", False)
        self._echo.start()

    def _say_echo(self) -> None:
        """How an ambiguous number will be read, while it is not committed yet."""
        echo = self._reading()
        if echo and self.is_edited:
            self.said.emit(echo, False)

    def _reading(self) -> str:
        """How the text is read, where that needs words."""
        try:
            return read_amount(self.text(), self.unit).echo
        except ModelError:
            return ""

    def _check(self, value: float) -> None:
        if self._whole and value != math.floor(value):
            raise ModelError(tr("must be a whole number"))
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

    def commit(self) -> None:
        if self.is_edited:
            self._enter()

    def _enter(self) -> None:
        """Commits what was typed; a text that nobody typed gives way to what is stored.

        Typed and entered at once, an ambiguous number is echoed afterwards.
        """
        if not self.is_edited:
            self._take_back()
            return
        try:
            value = self.read()
        except ModelError as error:
            self.refuse(local(error.reason))
            return
        unsaid = self._reading() if self._echo.isActive() else ""
        self._settle()
        self.committed.emit(value)
        self.finished.emit()
        if unsaid:
            self.said.emit(unsaid, False)

    def _settle(self) -> None:
        """The text is what is asked for now: nothing is left to say about it."""
        self._echo.stop()
        self.setModified(False)
        self.said.emit("", False)

    def step_by(self, steps: int) -> None:
        """Adds steps to the number as it stands, held within the bounds, and commits it."""
        try:
            start, is_typed = self.read(), self.is_edited
        except ModelError:
            start, is_typed = self.value, False
        self._settle()
        moved = ((start or 0.0) * self._scale + steps * self._step) / self._scale
        moved = self._within(moved, start)
        if moved != start or is_typed:
            self.committed.emit(moved)

    def _step_by_hand(self, steps: int) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._is_entered = False
        self.step_by(steps)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_stepper()

    def _place_stepper(self) -> None:
        """The room is for the words of an empty field until somebody turns to it."""
        stepper = self._stepper
        stepper.move(self.width() - stepper.width() - 3, (self.height() - stepper.height()) // 2)
        stepper.setVisible(bool(self.text()) or self.hasFocus())
        self.setTextMargins(0, 0, stepper.width() - 5 if stepper.isVisibleTo(self) else 0, 0)

    def _within(self, value: float, start: float | None) -> float:
        limit, step, least = self._limit, self._step / self._scale, self._limit.ge or 0.0
        # A bound above 0 that is less than a step guards arithmetic; nobody steps down to it.
        is_below = 0.0 < least < step and value < least
        if is_below or (limit.gt is not None and value <= limit.gt):
            value = min(start or step, step)
        elif limit.ge is not None:
            value = max(value, limit.ge)
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
        self._place_stepper()
        self._is_entered = event.reason() is Qt.FocusReason.MouseFocusReason
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.selectAll()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self._is_entered and not self.hasSelectedText():
            self.selectAll()
        self._is_entered = False

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._place_stepper()
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self._enter()
            self.finished.emit()


_STEP_KEYS = {
    Qt.Key.Key_Up: 1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_PageUp: 10,
    Qt.Key.Key_PageDown: -10,
}

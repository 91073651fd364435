"""A list of the scenario under a heading: entries with fields, kept and only refilled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from app.language import local, tr
from app.session import Session
from app.widgets.inspector.page import refusal
from app.widgets.inspector.rows import Remark
from app.widgets.labels import FoldButton
from app.widgets.parts import in_column, in_row, styled, tool_button
from app.wording import tip_text
from models.base.errors import ModelError
from models.scenario.scenario import Scenario


class Entry(QWidget):
    """One entry: its fields below each other, and a button that takes it away.

    Signals:
        asked: the value that the entry is to have.
        removal_asked: the value that is to go.
    """

    asked = Signal(object)
    removal_asked = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.value: Any = None
        self.remove = tool_button(self, "trash-2")
        self.remove.setAutoRaise(True)
        self.remove.setIconSize(QSize(14, 14))
        self.remove.clicked.connect(self._ask_removal)
        self.column = in_column(gap=4)
        in_row(self, around=(0, 0, 0, 6)).put(
            (self.column, 1), (self.remove, 0, Qt.AlignmentFlag.AlignTop)
        )

    def show_entry(self, value: Any, scenario: Scenario) -> None:
        """Shows a value of the list."""
        self.value = value
        self._fill(scenario)

    def forget(self) -> None:
        """Drops what is being typed: another value is shown now."""

    def _fill(self, scenario: Scenario) -> None:
        raise NotImplementedError

    def _name(self, words: str) -> None:
        self.remove.setToolTip(tip_text(tr("Remove: {words}", words=words)))
        self.remove.setAccessibleName(tr("Remove: {words}", words=words))

    def _ask_removal(self) -> None:
        self.removal_asked.emit(self.value)


class ListBox(QWidget):
    """Entries under a heading, and what adds one below them."""

    def __init__(
        self, title: str, hint: str, session: Session, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._title = title
        self._session = session
        self._entries: list[Entry] = []
        self._place = session.place
        self._scenario: Scenario | None = None
        self.fold = FoldButton(title, self)
        self.remark = Remark(self)
        self._hint = styled(QLabel(hint, self), "muted")
        self._hint.setWordWrap(True)
        self._body = QWidget(self)
        self._column = in_column(self._body, gap=4, around=(0, 0, 0, 4)).put(
            self._hint, self.remark
        )
        in_column(self, gap=6).put(self.fold, self._body)
        self._body.hide()
        self.fold.toggled.connect(self._turn)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries in use."""
        return tuple(entry for entry in self._entries if not entry.isHidden())

    def show_scenario(self, scenario: Scenario) -> None:
        """Shows the list of a scenario; while it is folded only how long it is."""
        if self._session.place != self._place:
            self._place = self._session.place
            self._forget()
        self._scenario = scenario
        count = len(self._values(scenario))
        self.fold.setText(f"{self._title} ({count})" if count else self._title)
        self.fold.setAccessibleName(self.fold.text())
        if self.fold.isChecked():
            self._fill(scenario)

    def _turn(self, is_open: bool) -> None:
        if is_open and self._scenario is not None:
            self._fill(self._scenario)
        self._body.setVisible(is_open)

    def _forget(self) -> None:
        """Drops what is being typed: another scenario is shown now."""
        self.remark.say("", False)
        for entry in self._entries:
            entry.forget()

    def _values(self, scenario: Scenario) -> Sequence[Any]:
        raise NotImplementedError

    def _fill(self, scenario: Scenario) -> None:
        self._show(self._values(scenario), scenario)

    def _make(self) -> Entry:
        raise NotImplementedError

    def _show(self, values: Sequence[Any], scenario: Scenario) -> None:
        while len(self._entries) < len(values):
            entry = self._make()
            entry.asked.connect(self._change)
            entry.removal_asked.connect(self._remove)
            self._column.insertWidget(len(self._entries) + 1, entry)
            self._entries.append(entry)
        for entry, value in zip(self._entries, values, strict=False):
            entry.show_entry(value, scenario)
        for place, entry in enumerate(self._entries):
            entry.setVisible(place < len(values))
        self._hint.setVisible(not values)

    def _change(self, value: Any) -> None:
        raise NotImplementedError

    def _remove(self, value: Any) -> None:
        raise NotImplementedError

    def _edit(self, change: Callable[[Scenario], Scenario], text: str) -> None:
        """Makes the edit, or says why it can't be; none where another scenario is in view now."""
        if self._session.place != self._place:
            return
        before = self._session.scenario
        try:
            after = change(before)
            reason = refusal(before, after, self._session)
        except ModelError as error:
            reason = local(error.reason)
        else:
            if reason is None:
                self._session.edit(after, text)
        self.remark.say(reason or "", reason is not None)
        if reason is not None:
            self.show_scenario(before)

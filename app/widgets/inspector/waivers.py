"""Findings that somebody answers for: which, why, and the way to answer for another one."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from app.language import local, tr
from app.session import Session
from app.widgets.fields.choice import Choice, ChoiceField
from app.widgets.fields.text import TextField
from app.widgets.inspector.lists import Entry, ListBox
from models.base.lettering import set_apart
from models.judgement.rules import rule_title
from models.scenario.scenario import Scenario, Waiver

Key = tuple[str, str]


def _key(waiver: Waiver) -> Key:
    return waiver.rule, waiver.subject


def waived_text(scenario: Scenario, waiver: Waiver) -> str:
    """Rule and item in words: ``Disk latency, DS4800 data``."""
    names = {item.id: set_apart(item.name) for item in scenario.items()}
    parts = (local(rule_title(waiver.rule)), names.get(waiver.subject, ""))
    return ", ".join(part for part in parts if part)


class WaiverEntry(Entry):
    """One waived finding and the reason, which can be mended."""

    value: Waiver

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._key: Key | None = None
        self.what = QLabel(self)
        self.what.setTextFormat(Qt.TextFormat.PlainText)
        self.what.setWordWrap(True)
        self.reason = TextField(parent=self)
        self.column.addWidget(self.what)
        self.column.addWidget(self.reason)
        self.reason.committed.connect(self._ask)

    def say(self, sentence: str) -> None:
        """Says what was found, where it is still found."""
        self.what.setText(sentence)

    def forget(self) -> None:
        self.reason.forget()

    def _fill(self, scenario: Scenario) -> None:
        if _key(self.value) != self._key:
            self._key = _key(self.value)
            self.forget()
        words = waived_text(scenario, self.value)
        self.what.setText(words)
        self.reason.setAccessibleName(tr("Reason to waive {words}", words=words))
        self.reason.show_value(self.value.reason)
        self._name(words)

    def _ask(self, reason: str) -> None:
        value = self.value
        self.asked.emit(Waiver(rule=value.rule, subject=value.subject, reason=reason))


class WaiversBox(ListBox):
    """All waivers, and the findings that could be waived."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        hint = tr("None. A waived finding stays listed, with the reason.")
        super().__init__(tr("Waived findings"), hint, session, parent)
        self.finding = ChoiceField(empty=tr("Waive a finding…"), parent=self)
        self.finding.setAccessibleName(tr("Finding to waive"))
        self.reason = TextField(empty=tr("Why it is accepted, then Enter"), parent=self)
        self.reason.setAccessibleName(tr("Reason to waive the finding"))
        self._key: Key | None = None
        for field in (self.finding, self.reason):
            self._column.addWidget(field)
        self.finding.committed.connect(self._choose)
        self.reason.committed.connect(self._add)
        self.reason.hide()

    def _values(self, scenario: Scenario) -> tuple[Waiver, ...]:
        return scenario.waivers

    def _fill(self, scenario: Scenario) -> None:
        super()._fill(scenario)
        texts = {(f.rule, f.subject): f.text for f in self._session.view.prediction.findings}
        for entry in self.entries:
            assert isinstance(entry, WaiverEntry)
            key = _key(entry.value)
            if key in texts:
                entry.say(local(texts[key]))
        waived = set(map(_key, scenario.waivers))
        found = self._session.view.prediction.findings
        choices = {
            (each.rule, each.subject): Choice((each.rule, each.subject), each.text)
            for each in found
            if (each.rule, each.subject) not in waived
        }
        self.finding.offer(tuple(choices.values()))
        if self._key not in choices:
            self._choose(None)

    def _forget(self) -> None:
        super()._forget()
        self.reason.forget()
        self._choose(None)

    def _make(self) -> WaiverEntry:
        return WaiverEntry(self._body)

    def _choose(self, key: Key | None) -> None:
        self._key = key
        self.finding.show_value(key)
        self.reason.setVisible(key is not None)
        if key is not None:
            self.reason.setFocus()

    def _add(self, reason: str) -> None:
        if self._key is None:
            return
        rule, subject = self._key
        waiver = Waiver(rule=rule, subject=subject, reason=reason)
        change = partial(Scenario.waive, rule=rule, subject=subject, reason=reason)
        self._edit(change, tr("Waive {waived}", waived=waived_text(self._session.scenario, waiver)))
        self.reason.show_value("")
        self._choose(None)

    def _change(self, waiver: Waiver) -> None:
        words = waived_text(self._session.scenario, waiver)
        change = partial(
            Scenario.waive, rule=waiver.rule, subject=waiver.subject, reason=waiver.reason
        )
        self._edit(change, tr("Change the reason to waive {words}", words=words))

    def _remove(self, waiver: Waiver) -> None:
        words = waived_text(self._session.scenario, waiver)
        change = partial(Scenario.without_waiver, rule=waiver.rule, subject=waiver.subject)
        self._edit(change, tr("Take back the waiver of {words}", words=words))

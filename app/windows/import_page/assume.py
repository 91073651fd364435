"""VMs that nobody measured: what to assume of them, group by group, before they are taken over."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QListWidget, QPushButton, QWidget

from app.language import local, tr, trn
from app.widgets.assume_form import AssumeForm
from app.widgets.parts import STRETCH, in_column, in_row, styled, wrapped
from models.catalog.catalog import Server
from models.intake.assumed import Assumed, Lacking, Traits, groups_of, lacking, with_assumed
from models.scenario.scenario import Scenario
from models.scenario.wording import number


class AssumePanel(QWidget):
    """A form for one rule, and the rules that are stated, each with what it was taken for.

    Signals:
        changed: other rules hold.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rules: list[Assumed] = []
        self.left = Lacking(0, 0, 0)
        self.head = wrapped("", self)
        self.form = AssumeForm(self)
        self.assume = styled(QPushButton(tr("Assume"), self), "primary")
        self.list = QListWidget(self)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(tr("Assumed so far"))
        self.list_heading = styled(QLabel(self.list.accessibleName(), self), "heading")
        self.remove = QPushButton(tr("Take back"), self)
        acts = in_row().put(self.assume, (STRETCH, 1))
        below = in_row().put(self.remove, (STRETCH, 1))
        in_column(self, around=None).put(
            self.head, self.form, acts, self.list_heading, (self.list, 1), below, STRETCH
        )
        self.assume.clicked.connect(self._assume)
        self.remove.clicked.connect(self._take_back)

    @property
    def is_filled(self) -> bool:
        return bool(self.rules) or self.left.either > 0

    def assumed(
        self, scenario: Scenario, servers: Mapping[str, Server], traits: Traits
    ) -> Scenario:
        """The scenario with what is assumed."""
        return with_assumed(scenario, self.rules, servers, traits)

    def show_scenario(
        self, scenario: Scenario | None, servers: Mapping[str, Server], traits: Traits
    ) -> None:
        """How many VMs are left without figures, and what each rule gives; None: nothing was
        read."""
        self.list.clear()
        if scenario is None:
            self.left = Lacking(0, 0, 0)
            return
        notes = len(scenario.import_notes)
        for rule in self.rules:
            scenario = with_assumed(scenario, [rule], servers, traits)
            new = scenario.import_notes[notes:]
            notes = len(scenario.import_notes)
            words = " ".join(local(each.words) for each in new)
            self.list.addItem(words or tr("No VM is left that this rule is for."))
        self.left = lacking(scenario)
        self.head.setText(self._told())
        self.form.offer(groups_of(scenario, traits))
        for widget in (self.list_heading, self.list, self.remove):
            widget.setVisible(bool(self.rules))

    def _told(self) -> str:
        if not self.left.either:
            return tr("Every VM that runs has figures of CPU and I/O, measured or assumed.")
        return trn(
            "Nobody measured {count} VM (CPU: {cpu}, I/O: {io}): what it takes is not known, and "
            "so is whether it fits. Say what to assume.",
            "Nobody measured {count} VMs (CPU: {cpu}, I/O: {io}): what they take is not known, and "
            "so is whether they fit. Say what to assume.",
            self.left.either,
            cpu=local(number(self.left.cpu)),
            io=local(number(self.left.io)),
        )

    def words(self) -> str:
        """For the button that leads here; empty where there is nothing to assume."""
        if self.left.either:
            return trn(
                "{count} VM not measured: assume…",
                "{count} VMs not measured: assume…",
                self.left.either,
            )
        return tr("Assumed, not measured…") if self.rules else ""

    def _assume(self) -> None:
        rule = self.form.read()
        if rule is not None:
            self.rules.append(rule)
            self.form.clear()
            self.changed.emit()

    def _take_back(self) -> None:
        """The rule that is chosen, else the last one."""
        at = self.list.currentRow()
        if self.rules:
            self.rules.pop(at if 0 <= at < len(self.rules) else -1)
            self.changed.emit()

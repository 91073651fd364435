"""The affinity rules of a scenario: what must and should stand together, apart, or on a host."""

from __future__ import annotations

from functools import partial
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.language import local, tr
from app.session import Session
from app.widgets.fields.choice import Choice, ChoiceField
from app.widgets.fields.several import SeveralField
from app.widgets.inspector.lists import Entry, ListBox
from models.base.errors import ModelError
from models.scenario.affinity import (
    HOST_RULES,
    KIND_WORDS,
    as_kind,
    new_rule,
    rule_text,
    with_rule,
    without_rule,
)
from models.scenario.scenario import Affinity, AffinityKind, Scenario

KINDS = tuple(Choice(kind, words) for kind, words in KIND_WORDS.items())


class RuleEntry(Entry):
    """One rule: its kind, its VMs, and for a host rule its hosts."""

    value: Affinity

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.kind = ChoiceField(parent=self)
        self.kind.offer(KINDS)
        self.kind.setAccessibleName(tr("Kind of rule"))
        self.vms = SeveralField(empty=tr("no VM"), parent=self)
        self.vms.setAccessibleName(tr("VMs of the rule"))
        self.hosts = SeveralField(empty=tr("no host"), parent=self)
        self.hosts.setAccessibleName(tr("Hosts of the rule"))
        for field in (self.kind, self.vms, self.hosts):
            self.column.addWidget(field)
        self.kind.committed.connect(self._ask_kind)
        self.vms.committed.connect(self._ask_vms)
        self.hosts.committed.connect(self._ask_hosts)
        self._scenario: Scenario | None = None

    def _fill(self, scenario: Scenario) -> None:
        self._scenario = scenario
        rule = self.value
        self.kind.show_value(rule.kind)
        self.vms.offer(tuple(Choice(vm.id, vm.name) for vm in scenario.vms))
        self.vms.show_value(rule.vms)
        self.hosts.offer(tuple(Choice(host.id, host.name) for host in scenario.hosts))
        self.hosts.show_value(rule.hosts)
        self.hosts.setVisible(rule.kind in HOST_RULES)
        self._name(rule_text(scenario, rule))

    def _ask_kind(self, kind: object) -> None:
        assert self._scenario is not None
        try:
            changed = as_kind(self._scenario, self.value, AffinityKind(cast("str", kind)))
        except ModelError as error:
            self.kind.refuse(local(error.reason))
            return
        self.asked.emit(changed)

    def _ask_vms(self, vms: tuple[str, ...]) -> None:
        self._ask(Affinity(id=self.value.id, kind=self.value.kind, vms=vms, hosts=self.value.hosts))

    def _ask_hosts(self, hosts: tuple[str, ...]) -> None:
        self._ask(Affinity(id=self.value.id, kind=self.value.kind, vms=self.value.vms, hosts=hosts))

    def _ask(self, rule: Affinity) -> None:
        self.asked.emit(rule)


class RulesBox(ListBox):
    """All rules, and a list to begin another one with."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        hint = tr("None yet. A rule keeps VMs together, apart, or on some hosts.")
        super().__init__(tr("Affinity rules"), hint, session, parent)
        self.add = SeveralField(empty=tr("Add a rule for VMs…"), parent=self)
        self.add.setAccessibleName(tr("Add a rule for VMs"))
        self.add.setCursor(Qt.CursorShape.PointingHandCursor)
        self.add.committed.connect(self._add)
        self._column.addWidget(self.add)

    def _values(self, scenario: Scenario) -> tuple[Affinity, ...]:
        return scenario.affinity

    def _fill(self, scenario: Scenario) -> None:
        super()._fill(scenario)
        self.add.offer(tuple(Choice(vm.id, vm.name) for vm in scenario.vms))
        self.add.show_value(())

    def _make(self) -> RuleEntry:
        entry = RuleEntry(self._body)
        entry.kind.said.connect(self.remark.say)
        return entry

    def _add(self, vms: tuple[str, ...]) -> None:
        rule = new_rule(self._session.scenario, vms)
        text = tr("Add rule: {rule}", rule=rule_text(self._session.scenario, rule))
        self._edit(partial(with_rule, rule=rule), text)

    def _change(self, rule: Affinity) -> None:
        text = tr("Change rule to: {rule}", rule=rule_text(self._session.scenario, rule))
        self._edit(partial(with_rule, rule=rule), text)

    def _remove(self, rule: Affinity) -> None:
        text = tr("Remove rule: {rule}", rule=rule_text(self._session.scenario, rule))
        self._edit(partial(without_rule, id=rule.id), text)

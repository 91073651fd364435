"""Affinity rules as people make them: add one, change its kind, say it in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from models.errors import ModelError
from models.scenario import Affinity, AffinityKind, Scenario
from models.texts import say

HOST_RULES = (AffinityKind.MUST_RUN_ON, AffinityKind.SHOULD_RUN_ON)
KIND_WORDS = {
    AffinityKind.TOGETHER: say("Keep together"),
    AffinityKind.APART: say("Keep apart"),
    AffinityKind.MUST_RUN_ON: say("Must run on"),
    AffinityKind.SHOULD_RUN_ON: say("Should run on"),
}


def new_rule(scenario: Scenario, vms: Sequence[str]) -> Affinity:
    """A rule that keeps these VMs apart, with an id that no rule has."""
    taken = {rule.id for rule in scenario.affinity}
    number = 1
    while f"r{number}" in taken:
        number += 1
    return Affinity(id=f"r{number}", kind=AffinityKind.APART, vms=tuple(vms))


def with_rule(scenario: Scenario, rule: Affinity) -> Scenario:
    """The scenario with `rule` in place of the one of its id, or added at the end."""
    if all(each.id != rule.id for each in scenario.affinity):
        return replace(scenario, affinity=(*scenario.affinity, rule))
    rules = tuple(rule if each.id == rule.id else each for each in scenario.affinity)
    return replace(scenario, affinity=rules)


def without_rule(scenario: Scenario, id: str) -> Scenario:
    return replace(scenario, affinity=tuple(r for r in scenario.affinity if r.id != id))


def as_kind(scenario: Scenario, rule: Affinity, kind: AffinityKind) -> Affinity:
    """The rule as one of another kind; a host rule begins with the hosts its VMs are on.

    Raises:
        ModelError: there is no host that a host rule could name.
    """
    if kind not in HOST_RULES:
        return replace(rule, kind=kind, hosts=())
    if rule.hosts:
        return replace(rule, kind=kind)
    homes = {vm.host for vm in scenario.vms if vm.id in rule.vms}
    hosts = tuple(host.id for host in scenario.hosts if host.id in homes)
    if not scenario.hosts:
        raise ModelError(say("there is no host to run on yet"))
    return replace(rule, kind=kind, hosts=hosts or (scenario.hosts[0].id,))


def rule_text(scenario: Scenario, rule: Affinity) -> str:
    """The rule in words: ``Keep apart: Mail-01, Mail-02``."""
    names = {item.id: item.name for item in scenario.items()}
    vms = ", ".join(names.get(id, id) for id in rule.vms)
    if rule.kind not in HOST_RULES:
        return f"{KIND_WORDS[rule.kind]}: {vms}"
    hosts = ", ".join(names.get(id, id) for id in rule.hosts)
    return f"{KIND_WORDS[rule.kind]} {hosts}: {vms}"

"""Affinity rules as people make them: add one, change its kind, say it in words; and which of them
exclude each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from models.base.errors import ModelError
from models.base.texts import joined, say
from models.scenario.scenario import Affinity, AffinityKind, Scenario

HOST_RULES = (AffinityKind.MUST_RUN_ON, AffinityKind.SHOULD_RUN_ON)
KIND_WORDS = {
    AffinityKind.TOGETHER: say("Keep together"),
    AffinityKind.APART: say("Keep apart"),
    AffinityKind.MUST_RUN_ON: say("Must run on"),
    AffinityKind.SHOULD_RUN_ON: say("Should run on"),
}


def broken(scenario: Scenario) -> list[Affinity]:
    """Rules that VMs don't keep where they stand, in their order, but those that contradict another
    one: VM-VM rules and must-rules; what they merely should keep is nobody's risk."""
    return [each for each in not_kept(scenario) if each.kind is not AffinityKind.SHOULD_RUN_ON]


def not_kept(scenario: Scenario) -> list[Affinity]:
    """The same with what VMs should keep."""
    if not scenario.affinity:
        return []
    home = {vm.id: vm.host for vm in scenario.vms}
    excluded = {rule.id for each in contradictions(scenario) for rule in each.rules}
    found = []
    for rule in scenario.affinity:
        hosts = [host for id in rule.vms if (host := home.get(id))]
        wrong = {
            AffinityKind.TOGETHER: len(set(hosts)) > 1,
            AffinityKind.APART: len(set(hosts)) < len(hosts),
        }.get(rule.kind, any(host not in rule.hosts for host in hosts))
        if wrong and rule.id not in excluded:
            found.append(rule)
    return found


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
    vms = joined(", ", (names.get(id, id) for id in rule.vms))
    if rule.kind not in HOST_RULES:
        return joined("", (KIND_WORDS[rule.kind], ": ", vms))
    hosts = joined(", ", (names.get(id, id) for id in rule.hosts))
    return joined("", (KIND_WORDS[rule.kind], " ", hosts, ": ", vms))


# --- rules that exclude each other ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Rules that cannot be kept at once, and the VMs that they leave no way, by ids."""

    rules: tuple[Affinity, ...]
    vms: tuple[str, ...]


def contradictions(scenario: Scenario) -> tuple[Contradiction, ...]:
    """Rules that no placement keeps, whatever stands where: of rules that must be kept those that
    name no host in common, VMs kept both together and apart, and more VMs kept apart than hosts on
    which they must run. Preferences contradict nothing.
    """
    if len(scenario.affinity) < 2:
        return ()
    found: dict[tuple[str, ...], tuple[tuple[Affinity, ...], list[str]]] = {}
    kinds = (_hosts_apart, _together_and_apart, _crowded)
    for rules, vms in (each for find in kinds for each in find(scenario)):
        ordered = tuple(rule for rule in scenario.affinity if rule in rules)
        known = found.setdefault(tuple(rule.id for rule in ordered), (ordered, []))
        known[1].extend(vm for vm in vms if vm not in known[1])
    return tuple(Contradiction(rules, tuple(vms)) for rules, vms in found.values())


_Found = Iterator[tuple[Sequence[Affinity], Sequence[str]]]


def _musts(scenario: Scenario) -> dict[str, list[Affinity]]:
    """Rules on which hosts each VM must run."""
    found: dict[str, list[Affinity]] = {}
    for rule in scenario.affinity:
        for vm in rule.vms if rule.kind is AffinityKind.MUST_RUN_ON else ():
            found.setdefault(vm, []).append(rule)
    return found


def _groups(scenario: Scenario) -> list[tuple[list[str], list[Affinity]]]:
    """VMs that rules keep together, also by way of others, and these rules."""
    groups: list[tuple[list[str], list[Affinity]]] = []
    for rule in scenario.affinity:
        if rule.kind is not AffinityKind.TOGETHER:
            continue
        vms, rules = list(rule.vms), [rule]
        for group in [each for each in groups if not set(each[0]).isdisjoint(vms)]:
            groups.remove(group)
            vms = [*group[0], *(vm for vm in vms if vm not in group[0])]
            rules = [*group[1], *rules]
        groups.append((vms, rules))
    return groups


def _in_common(rules: Sequence[Affinity]) -> set[str]:
    """Hosts that all of these rules name."""
    return set.intersection(*(set(rule.hosts) for rule in rules)) if rules else set()


def _excluding(rules: Sequence[Affinity]) -> Sequence[Affinity]:
    """Two of the rules that name no host in common; all of them where it takes more than two."""
    pairs = combinations(rules, 2)
    return next((pair for pair in pairs if not _in_common(pair)), rules)


def _hosts_apart(scenario: Scenario) -> _Found:
    musts = _musts(scenario)
    for vm, rules in musts.items():
        if not _in_common(rules):
            yield _excluding(rules), (vm,)
    for vms, together in _groups(scenario):
        rules = list(dict.fromkeys(rule for vm in vms for rule in musts.get(vm, ())))
        each = all(_in_common(musts[vm]) for vm in vms if vm in musts)
        if rules and each and not _in_common(rules):
            yield (*_excluding(rules), *together), vms


def _together_and_apart(scenario: Scenario) -> _Found:
    groups = _groups(scenario)
    for rule in scenario.affinity:
        for vms, together in groups if rule.kind is AffinityKind.APART else ():
            both = [vm for vm in vms if vm in rule.vms]
            if len(both) > 1:
                direct = [each for each in together if len(set(each.vms) & set(both)) > 1]
                yield (*(direct[:1] or together), rule), both


def _crowded(scenario: Scenario) -> _Found:
    musts = _musts(scenario)
    open_to = {vm: _in_common(rules) for vm, rules in musts.items()}
    for rule in scenario.affinity:
        bound = [vm for vm in rule.vms if open_to.get(vm)]
        for hosts in [open_to[vm] for vm in bound] if rule.kind is AffinityKind.APART else ():
            inside = [vm for vm in bound if open_to[vm] <= hosts]
            if len(inside) > len(hosts):
                yield (rule, *(each for vm in inside for each in musts[vm])), inside
                break

"""Rules about affinity rules: those that nothing can keep, and those that aren't kept."""

from __future__ import annotations

from collections.abc import Iterator

from models.affinity import contradictions, rule_text
from models.judgement.rulebook import (
    Context,
    Found,
    advice,
    error,
    names,
    rule,
    some_affinity,
    warning,
)
from models.scenario import AffinityKind
from models.texts import joined, say

CONFLICTS = "VMware, vSphere Resource Management 6.7, “Using affinity rules”: conflicting rules"


@rule(
    "affinity-contradictory", say("Affinity rules that contradict each other"), when=some_affinity
)
def affinity_contradictory(context: Context) -> Iterator[Found]:
    scenario = context.scenario
    by_id = {vm.id: vm for vm in scenario.vms}
    for found in contradictions(scenario):
        vms = [by_id[id] for id in found.vms if id in by_id]
        if not vms:
            continue
        said = [joined("", ("“", rule_text(scenario, each), "”")) for each in found.rules]
        yield error(
            min(vms, key=lambda vm: vm.id),
            say(
                "{names}: the rules {rules} contradict each other, and no placement keeps them",
                names=names([vm.name for vm in vms]),
                rules=joined(say(" and "), said),
            ),
            say("Drop one of these rules, or change it."),
            CONFLICTS,
        )


@rule("affinity-broken", say("Affinity rule broken"), when=some_affinity)
def affinity_broken(context: Context) -> Iterator[Found]:
    home = {vm.id: vm.host for vm in context.scenario.vms}
    called = {vm.id: vm.name for vm in context.scenario.vms}
    by_id = {vm.id: vm for vm in context.scenario.vms}
    excluded = {rule.id for each in contradictions(context.scenario) for rule in each.rules}
    for affinity in context.scenario.affinity:
        if affinity.id in excluded:
            continue
        placed = [id for id in affinity.vms if home.get(id)]
        hosts = [home[id] for id in placed]
        wrong = {
            AffinityKind.TOGETHER: len(set(hosts)) > 1,
            AffinityKind.APART: len(set(hosts)) < len(hosts),
        }.get(affinity.kind, any(host not in affinity.hosts for host in hosts))
        if wrong:
            make = advice if affinity.kind is AffinityKind.SHOULD_RUN_ON else warning
            yield make(
                by_id[placed[0]],
                say(
                    "{names}: the rule “{value}” is not kept",
                    names=names([called[id] for id in placed]),
                    value=affinity.kind.label,
                ),
                say("Move them as the rule says, or drop the rule."),
                "VMware, vSphere Resource Management 6.7, “Using affinity rules”",
            )

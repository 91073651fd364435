"""Rules about affinity rules: those that nothing can keep."""

from __future__ import annotations

from collections.abc import Iterator

from models.affinity import contradictions, rule_text
from models.judgement.rulebook import Context, error, names, rule, some_affinity
from models.prediction import Finding
from models.texts import joined, say

CONFLICTS = "VMware, vSphere Resource Management 6.7, “Using affinity rules”: conflicting rules"


@rule("affinity-contradictory", when=some_affinity)
def affinity_contradictory(context: Context) -> Iterator[Finding]:
    scenario = context.scenario
    by_id = {vm.id: vm for vm in scenario.vms}
    for found in contradictions(scenario):
        vms = [by_id[id] for id in found.vms if id in by_id]
        if not vms:
            continue
        said = [joined("", ("“", rule_text(scenario, each), "”")) for each in found.rules]
        yield error(
            "affinity-contradictory",
            min(vms, key=lambda vm: vm.id),
            say(
                "{names}: the rules {rules} contradict each other, and no placement keeps them.",
                names=names([vm.name for vm in vms]),
                rules=joined(say(" and "), said),
            ),
            say("Drop one of these rules, or change it."),
            CONFLICTS,
        )

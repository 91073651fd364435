"""What a comparison of designs made up, in words: for window, command line and proposal."""

from __future__ import annotations

from collections.abc import Sequence

from models.resilience.designs import Design, DesignRow
from models.scenario import Scenario
from models.texts import joined, say, say_many

MOST_NAMED = 4


def pairing_text(rows: Sequence[DesignRow], scenario: Scenario, most: int = MOST_NAMED) -> str:
    """What a Domino cluster would be here: partners assumed, and servers left without one.

    Args:
        scenario: that the designs are of.
        most: pairs, and servers without one, that are named.
    """
    clustered = next((row.scenario for row in rows if row.design is Design.BOTH), scenario)
    before = {vm.id: vm.cluster_partners for vm in scenario.vms}
    running = [
        vm for vm in clustered.vms if vm.workload.kind.is_domino and vm.powered_on and vm.host
    ]
    groups = {
        tuple(vm.name for vm in running if vm.id in (each.id, *each.cluster_partners))
        for each in running
        if each.cluster_partners and not before[each.id]
    }
    single = [vm.name for vm in running if not vm.cluster_partners]
    parts = [say("Both cluster designs pair all Domino servers")]
    if groups:
        named = _some(sorted(joined(" + ", group) for group in groups), most)
        parts.append(say("assumed: {groups}", groups=named))
    if single:
        parts.append(say("no partner on another host for {names}", names=_some(single, most)))
    return joined("; ", parts)


def _some(names: Sequence[str], most: int) -> str:
    rest, first = len(names) - most, joined(", ", names[:most])
    if rest <= 0:
        return first
    return say_many("{first} and {count} more", "{first} and {count} more", rest, first=first)

"""What each section of a proposal comes to, in a sentence below its title."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from models.base.texts import Text, joined, opening, say, say_many
from models.judgement.binding import amounts_text, bound_words, nearest
from models.judgement.rules import grouped
from models.proposal.requests import Turn, request_of
from models.proposal.summary import when_a_host_dies
from models.proposal.verdict import verdict_line
from models.scenario.scenario import Host, Pool, Vm, active_users
from models.scenario.wording import counted, input_text, number, users_text, with_unit
from models.tell.materials import materials
from models.tell.storms import storm_facts
from models.tell.subject import Subject


def _drawn(of: Subject) -> Text:
    scenario = of.scenario
    kinds = ((Host, scenario.hosts), (Pool, scenario.pools), (Vm, scenario.vms))
    parts = [counted(kind, len(items)) for kind, items in kinds if items]
    people = active_users(scenario.vms)
    if people.mail or people.chat:
        parts.append(users_text(people, active=True))
    return _sentence(joined(", ", parts))


def _bought(of: Subject) -> Text | str:
    """How many servers are there, to be bought, or can't be bought any more."""
    found: Counter[str] = Counter()
    for each in materials(of.scenario, of.catalog):
        if each.adds == "" and each.items and each.whence:
            found[each.whence] += int(each.count)
    if not found:
        return ""
    counts = joined(", ", (joined(" ", (number(n), whence)) for whence, n in found.items()))
    return say("Servers: {counts}.", counts=counts)


def _built(of: Subject) -> Text | str:
    """Cores, memory and drives in all."""
    scenario, servers = of.scenario, of.catalog.servers
    if not scenario.hosts:
        return ""
    return say(
        "In all {cores} cores, {ram} of memory and {drives} drives.",
        cores=number(sum(servers[host.server].cores for host in scenario.hosts)),
        ram=with_unit(input_text(sum(host.ram_gib for host in scenario.hosts)), "GiB"),
        drives=number(sum(pool.spindles for pool in scenario.pools)),
    )


def _nearest(of: Subject) -> Text | str:
    first = next((each for _, each in nearest(of.prediction)), None)
    if first is None or of.prediction.idle or first.rule or first.stranded:
        return ""
    what = bound_words(first, of.name_of)
    return say("Nearest its limit: {what}, {amounts}.", what=what, amounts=amounts_text(first))


def _admitted(of: Subject) -> Text:
    refused = {each.subject for each in of.prediction.findings if each.rule == "admission-not-met"}
    if refused:
        names = joined(", ", (of.name_of(each) for each in refused))
        return say("Admission control refuses more VMs: {clusters}.", clusters=names)
    return say("No admission control refuses a VM of this design, as far as it is known.")


def _protected(of: Subject) -> Text:
    return say_many(
        "{count} VM is to be protected by Fault Tolerance.",
        "{count} VMs are to be protected by Fault Tolerance.",
        len(of.protections),
    )


def _stormed(of: Subject) -> Text | str:
    facts = [fact for each in of.storms for fact in storm_facts(each.study, of.scenario)[:1]]
    return _sentence(joined("; ", (joined(": ", fact) for fact in facts))) if facts else ""


def _asked(of: Subject) -> Text | str:
    """How many findings are whose turn."""
    open_ones = [each for each in of.prediction.findings if not each.waived]
    counts = Counter(request_of(each.first).turn for each in grouped(open_ones, of.name_of))
    parts = [joined(": ", (turn.words, number(counts[turn]))) for turn in Turn if counts[turn]]
    return _sentence(joined(". ", parts)) if parts else ""


def _sentence(text: Text | str) -> Text:
    return joined("", (opening(text), "."))


MESSAGES: Mapping[str, Callable[[Subject], Text | str]] = {
    "requirement": verdict_line,
    "drawing": _drawn,
    "materials": _bought,
    "design": _built,
    "numbers": _nearest,
    "failures": lambda of: next((text for _, text in when_a_host_dies(of)), ""),
    "admission": _admitted,
    "fault-tolerance": _protected,
    "storms": _stormed,
    "findings": _asked,
}
"""By section; the others say it themselves, or are what stands behind the design: lists."""

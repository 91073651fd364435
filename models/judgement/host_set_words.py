"""What losses come to in words, for the sentence and findings: of several hosts at once, and where
what has no data could take CPU over its limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from models.base.record import record
from models.base.texts import Text, joined, say, say_many
from models.judgement.against_limits import NEAR
from models.judgement.host_sets import Several, WorstSet
from models.judgement.judging_inputs import Evaluated
from models.judgement.rulebook import names
from models.judgement.sentence import figures_of, reach_of
from models.predict.predicted import title_of
from models.predict.prediction import Verdict
from models.scenario.scenario import Scenario
from models.scenario.wording import (
    enough,
    number,
)

MOST_CLUSTERS = 2
"""Clusters that the sentence names."""


def at_risk_by(scenario: Scenario, several: Several | None) -> str:
    """The worst loss that puts the scenario at risk by what it brings about, as a clause; empty
    where none does."""
    if several is None or not several.some_doubtful:
        return ""
    worst = [several.worst(row) for row in several.clusters()]
    told = [each for each in worst if is_told(each)]
    if not told:
        return ""
    first = max(told, key=_severity)
    lost = say("with {who} gone, ", who=gone(scenario, first))
    return joined("", (lost, outcome(scenario, first)))


def is_told(worst: WorstSet) -> bool:
    """Whether a loss brings something about, or may do so unseen, that puts a design at risk."""
    return worst.unseen or (worst.code >= Verdict.AT_RISK and not worst.as_before)


def tells_unseen(worst: WorstSet) -> bool:
    """Whether what has no data is all that a loss is told for."""
    known = worst.stranded or (worst.code >= Verdict.AT_RISK and not worst.as_before)
    return worst.unseen and not known


def _severity(worst: WorstSet) -> tuple[int, bool, int, float]:
    return worst.code, worst.unseen, worst.stranded, worst.load


def may_fail(scenario: Scenario, several: Several | None) -> str:
    """How many hosts may fail at once and of which clusters, as a clause; empty for none."""
    if several is None:
        return ""
    rows = [row for row in several.clusters() if several.loses_something(row)]
    said = [_may_fail(scenario, several, row) for row in rows[:MOST_CLUSTERS]]
    more = len(rows) - MOST_CLUSTERS
    if more > 0:
        said.append(
            say_many(
                "{count} more cluster may lose as many as it tolerates",
                "{count} more clusters may lose as many as they tolerate",
                more,
            )
        )
    return joined("; ", said)


def _may_fail(scenario: Scenario, several: Several, row: int) -> Text:
    cluster, count = scenario.clusters[row].name, several.at_once(row)
    tried, of = int(several.sets.tried[row]), int(several.sets.of[row])
    if tried == of:
        return say("any {count} hosts of {cluster} may fail at once", count=count, cluster=cluster)
    return say(
        "{count} hosts of {cluster} may fail at once in {tried} of {of} sets, others were not "
        "tried",
        count=count,
        tried=number(tried),
        of=number(of),
        cluster=cluster,
    )


def gone(scenario: Scenario, worst: WorstSet) -> str:
    """The hosts that are gone, by name."""
    return names([scenario.hosts[row].name for row in worst.hosts])


def outcome(scenario: Scenario, worst: WorstSet) -> Text:
    """What comes of it, as a clause."""
    if worst.stranded and worst.short_gib > 0:
        return say_many(
            "{count} VM finds no room, {short} GiB of RAM short",
            "{count} VMs find no room, {short} GiB of RAM short",
            worst.stranded,
            short=enough(worst.short_gib),
        )
    if worst.stranded:
        return say_many(
            "{count} VM finds no room that rules, reservations and limits leave",
            "{count} VMs find no room that rules, reservations and limits leave",
            worst.stranded,
        )
    if tells_unseen(worst):
        return say("what has no data could take the CPU of the survivors over its limit")
    if worst.as_before:
        hosts = [scenario.hosts[row].name for row in worst.before]
        return over_before(worst.binding.resource, hosts)
    return _amount(scenario, worst)


def _amount(scenario: Scenario, worst: WorstSet) -> Text:
    """The number that decides, as a clause."""
    binding = worst.binding
    values = figures_of(binding)
    may_exceed = worst.code == Verdict.AT_RISK and binding.value <= NEAR * binding.limit
    reach = reach_of(binding) if may_exceed else ""
    if binding.vm:
        vm, host = scenario.vm(binding.vm), scenario.host(binding.host)
        values |= {"vm": vm.name, "host": host.name}
        if may_exceed:
            return say(
                "CPU of {vm} on {host} is {about} of {limit} but may reach {reach}",
                reach=reach,
                **values,
            )
        return say("CPU of {vm} on {host} would reach {about}, limit {limit}", **values)
    if may_exceed:
        return say(
            "{what} of the survivors is {about} of {limit} but may reach {reach}",
            reach=reach,
            **values,
        )
    if worst.over_too:
        return say(
            "{what} of the survivors, over its limit without any failure too, would reach {about}, "
            "limit {limit}",
            **values,
        )
    return say("{what} of the survivors would reach {about}, limit {limit}", **values)


def over_before(resource: str, hosts: Sequence[str]) -> Text:
    """Hosts that pass a limit in normal operation already, as a clause; response is of no host.

    Args:
        hosts: their names.
    """
    if not hosts:
        return say("{what} passes its limit as without any failure", what=title_of(resource))
    return say(
        "{what} of {hosts} is over its limit without any failure",
        what=title_of(resource),
        hosts=names(hosts),
    )


@record
class Unseen:
    """A host of whose CPU nothing is known and that could pass its limit, or a failure after which
    that is so of survivors.

    Attributes:
        host: position of the host, or of that which is gone; `over`: of those that could pass it.
    """

    host: int
    over: list[int]

    def words(self, scenario: Scenario) -> Text:
        """What could happen, as a clause."""
        who = names([scenario.hosts[row].name for row in self.over])
        if self.host in self.over:
            return say("what has no data could take the CPU of {who} over its limit", who=who)
        return say(
            "with {gone} gone, what has no data could take the CPU of {who} over its limit",
            gone=scenario.hosts[self.host].name,
            who=who,
        )


def unseen(e: Evaluated) -> Iterator[Unseen]:
    """Each of them, in the order of the hosts' ids; of failures those that bring it about, unless
    the host that is gone is one of them itself."""
    normal, ids = e.hosts_unseen.nonzero()[0].tolist(), e.inputs.arrays.hosts.ids
    found = [Unseen(row, [row]) for row in normal]
    table, limit = e.failures, e.policy.cpu_limit_pct
    failover = table.inputs.failover
    peak = e.policy.peak_factor_cpu
    for mode in e.failures.unseen.nonzero()[0].tolist():
        at = failover.members[mode][failover.alive[mode]]
        after = table.inputs.restarted.at(slice(mode, mode + 1))
        high = after.judged_high(e.policy)[0, failover.alive[mode]] * peak
        pct = high * e.inputs.arrays.hosts.pct_of_cores[at]
        host, over = int(failover.failed[mode]), at[(pct > limit) & ~e.hosts_unseen[at]].tolist()
        if over and not e.hosts_unseen[host]:
            found.append(Unseen(host, over))
    yield from sorted(found, key=lambda each: ids[each.host])

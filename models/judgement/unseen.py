"""What has no data where it could take CPU over its limit: on a host as it is, or after a loss."""

from __future__ import annotations

from collections.abc import Iterator

from models.judgement.evaluated import Evaluated
from models.judgement.rulebook import names
from models.physics.columns import some
from models.record import record
from models.scenario import Scenario
from models.texts import Text, say


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
    if not some(e.hosts_at_risk):
        return
    normal, ids = e.hosts_unseen.nonzero()[0].tolist(), e.inputs.arrays.hosts.ids
    found = [Unseen(row, [row]) for row in normal]
    table, limit = e.failures, e.policy.cpu_limit_pct
    failover = table.inputs.failover
    peak = e.policy.peak_factor_cpu
    judged_high = table.inputs.restarted.judged_high(e.policy) * peak
    for mode in e.failures.unseen.nonzero()[0].tolist():
        at = failover.members[mode][failover.alive[mode]]
        high = judged_high[mode][failover.alive[mode]]
        pct = high / e.inputs.arrays.hosts.cores[at] * 100.0
        host, over = int(failover.failed[mode]), at[(pct > limit) & ~e.hosts_unseen[at]].tolist()
        if over and not e.hosts_unseen[host]:
            found.append(Unseen(host, over))
    yield from sorted(found, key=lambda each: ids[each.host])

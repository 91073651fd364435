"""The verdict: what decides, and how near it is. `weighing` judges resources, `sentence` says it.

A resource **does not fit** when its value is over its limit. It is **at risk** when its value is
over 90 % of the limit, or the high end of its interval is over the limit. Otherwise it **fits**.
CPU and disks are judged at peak (average times the policy's peak factor), CPU by what is asked
rather than by what can run. RAM, network, space and response time are judged as they are.

The scenario's verdict is the worst of its resources in normal operation: CPU and response time of
running VMs; CPU, RAM and network of hosts; disks and space of pools. A VM that can't be powered on
as it stands (`Arrays.refused`) does not fit, and nor does the scenario, whatever its load; the
finding that says so decides then. Besides, it is at risk

- when the loss of what the policy wants survived (`Policy.survive`) leaves VMs without room or
  what is left over a limit: a host of a cluster whose admission control reserves for one, or as
  many at once as it tolerates, a controller, a Domino cluster partner, a group of hosts,
- when a rule finds an error or what weighs as much (`refusals.WEIGHTS`), waived or not, or a VM has
  no host,
- when parts without data could take a host over its CPU limit with all their vCPUs, unless the
  configuration is one that is known to have worked.

What has no data is never counted as fitting: the sentence says what isn't known. So with the loss
of a controller that is to be survived, where no figure is known of what the controllers carry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np

from models.judgement.against_limits import NORMAL, Candidate, Judged
from models.judgement.failure_modes import FailureModes
from models.judgement.platform_limits import Tripped
from models.judgement.ranking import Ranking, with_stranded
from models.judgement.sentence import Circumstances, sentence
from models.predict.prediction import Binding, Finding, Headroom, Verdict, Why

POWER_ON = "power_on"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Verdict, what decides it, and the sentence."""

    verdict: Verdict
    why: Why
    binding: Binding | None
    runner_up: Binding | None
    ranking: Ranking


def judge(
    resources: Iterable[Judged],
    failures: FailureModes,
    findings: Sequence[Finding],
    tripped: Sequence[Tripped],
    circumstances: Circumstances,
    losses: Callable[[], tuple[Binding, ...]],
) -> Judgement:
    """The verdict on a scenario from all its resources, the failing ones among them, and from what
    its VMs, hosts and pools trip.

    Args:
        losses: gives what is nearest its limit after losses beside those of hosts.
    """
    resources = tuple(resources)
    known = [each for each in resources if each.greatest_load is not None]
    known.sort(key=lambda each: each.rank, reverse=True)
    objections = [finding for finding in findings if finding.weight >= Verdict.AT_RISK]
    objections.sort(key=lambda finding: (-finding.weight, bool(finding.waived)))
    verdict = Verdict(known[0].rank[0]) if known else Verdict.FITS
    verdict = max([verdict, *(finding.weight for finding in objections)])
    verdict = max([verdict, *(each.weight.at_least for each in tripped)])
    if circumstances.at_risk:
        verdict = max(verdict, Verdict.AT_RISK)
    if circumstances.lacking:
        verdict = max(verdict, Verdict.NOT_KNOWN)
    if verdict is Verdict.FITS and not circumstances.running:
        known = []  # what stands there without running is near no limit
    first = _worst_of(known[0], failures) if known else None
    other = next((each for each in known[1:] if not each.alike(known[0])), None)
    second = _worst_of(other, failures) if other is not None else None
    bindings = [with_stranded(each.binding, failures) for each in (first, second) if each]
    if first is None or first.verdict < Verdict.AT_RISK:
        lost = [each.binding for each in circumstances.outages if each.binding is not None]
        bindings[:0] = sorted(lost, key=attrgetter("load"), reverse=True)[:1]
    if circumstances.refusal is not None:
        verdict = Verdict.DOES_NOT_FIT
        bindings.insert(0, _refused(circumstances.refusal))
    return Judgement(
        verdict=verdict,
        why=sentence(verdict, first, failures, objections, circumstances),
        binding=bindings[0] if bindings else None,
        runner_up=bindings[1] if bindings[1:] else None,
        ranking=Ranking(known, failures, tuple(bindings), losses),
    )


def _worst_of(judged: Judged, failures: FailureModes) -> Candidate | None:
    """What decides of a resource, a VM that restarts named."""
    found = judged.worst()
    if found is None or not found.binding.own:
        return found
    named = failures.with_restart(found.binding)
    return replace(found, binding=named, high=found.high if named.high is None else named.high)


def _refused(finding: Finding) -> Binding:
    """A VM that can't be powered on decides: there is no amount of it."""
    return Binding(
        subject=finding.subject,
        resource=POWER_ON,
        mode=NORMAL,
        value=np.inf,
        limit=0.0,
        rule=finding.rule,
    )


def headroom(
    *,
    cpu: Sequence[Judged],
    ram: Judged,
    iops: Judged,
    response: Judged,
    failing: Sequence[Judged],
) -> Headroom:
    """What is left of each limit; `failing` are CPU and RAM of all failure modes."""
    cpus = [left for each in cpu if (left := each.headroom_pct()) is not None]
    left_failing = [left for each in failing if (left := each.headroom_pct()) is not None]
    return Headroom(
        cpu_pct=min(cpus, default=None),
        ram_pct=ram.headroom_pct(),
        iops_pct=iops.headroom_pct(),
        response_pct=response.headroom_pct(),
        failure_pct=min(left_failing, default=None),
    )

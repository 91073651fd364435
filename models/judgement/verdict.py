"""The verdict: what decides, how near it is, and one sentence that can be projected.

A resource **does not fit** when its value is over its limit. It is **at risk** when its value is
over 90 % of the limit, or the high end of its interval is over the limit. Otherwise it **fits**.
CPU and disks are judged at peak (average times the policy's peak factor), CPU by what is asked
rather than by what can run. RAM, network, space and response time are judged as they are.

The scenario's verdict is the worst of its resources in normal operation: CPU and response time of
running VMs; CPU, RAM and network of hosts; disks and space of pools. A VM that can't be powered on
as it stands (`Arrays.refused`) does not fit, and nor does the scenario, whatever its load; the
finding that says so decides then. Besides, it is at risk

- when a single failing host of a cluster leaves VMs without room or survivors over a limit, or as
  many at once as its admission control tolerates,
- when a rule finds an error, waived or not, or a VM has no host,
- when parts without data could take a host over its CPU limit with all their vCPUs, unless the
  configuration is one that is known to have worked.

What has no data is never counted as fitting: the sentence says what isn't known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Protocol

import numpy as np
import numpy.typing as npt

from models.prediction import Binding, FailureMode, Finding, Headroom, Severity, Verdict
from models.quantities import Basis, FloatArray, Quantity
from models.record import record
from models.texts import Text, joined, opening, say, say_many, without_stop
from models.wording import (
    RESOURCES,
    UNITS,
    about_text,
    enough,
    exact_text,
    reach_text,
    value_text,
)

NEAR = 0.9
"""Share of a limit from which on a resource is at risk."""

EPSILON = 1e-9
NORMAL = "normal"
POWER_ON = "power_on"
NOTHING_TO_FAIL_OVER = say("nothing to fail over")
STANDS_ALONE = say("stands alone: its VMs are down until it is repaired")
PARTNERS_SERVE = say("stands alone: its users go on with their cluster partners")
_VERDICTS = tuple(Verdict)


def never_ran(count: int) -> Text:
    """Why VMs aren't restarted that can't be powered on."""
    return say_many(
        "{count} VM can’t be powered on, so it did not run before either",
        "{count} VMs can’t be powered on, so they did not run before either",
        count,
    )


def judged(value: FloatArray, high: FloatArray, limit: npt.ArrayLike) -> npt.NDArray[np.int8]:
    """`Verdict` codes of values against their limits; no data fits, for others to speak of.

    >>> value = np.array([50.0, 65.0, 50.0, 71.0, np.nan])
    >>> judged(value, np.array([60.0, 66.0, 75.0, 72.0, np.nan]), 70.0).tolist()
    [0, 1, 1, 2, 0]
    """
    bound = np.asarray(limit) * (1 + EPSILON)
    over = value > bound
    doubtful = over | (value > NEAR * bound) | (high > bound)
    codes: npt.NDArray[np.int8] = over.view(np.int8) + doubtful.view(np.int8)
    return codes


@record
class Weighed:
    """One resource of all items of a kind, as the verdict is to see it.

    Attributes:
        ids: of the items; of the failed hosts where `failing`.
        resource: field name, such as ``cpu_pct``.
        value, high: as judged (at peak where that applies), NaN for no data.
        limit: one for all, unless there are `limits`.
        limits: of each item, NaN for none.
        failing: one row a failure mode: over the limit makes the scenario at risk, no worse.
        own: of the vCPUs of VMs that restart, not of what survives.
    """

    ids: Sequence[str]
    resource: str
    value: FloatArray
    high: FloatArray
    limit: float
    limits: FloatArray | None = None
    failing: bool = False
    own: bool = False


@record
class Judged:
    """The same with its judgement.

    Attributes:
        codes: `Verdict` codes of the items; `worst_code`: the worst of those with data.
        load: value over limit, NaN for no data; `greatest_load`: None when nothing is known.
    """

    ids: Sequence[str]
    resource: str
    value: FloatArray
    high: FloatArray
    limit: float
    limits: FloatArray | None
    failing: bool
    own: bool
    codes: npt.NDArray[np.int8]
    load: FloatArray
    worst_code: int
    greatest_load: float | None

    @property
    def rank(self) -> tuple[int, float]:
        """Verdict code and greatest load, by which resources stand in line to decide."""
        code = min(self.worst_code, 1) if self.failing else self.worst_code
        return code, self.greatest_load or 0.0

    @property
    def fits(self) -> bool:
        """No item with data is near its limit, with its interval or without."""
        return self.worst_code == 0

    def limit_of(self, row: int) -> float:
        """The limit of one item."""
        return self.limit if self.limits is None else float(self.limits[row])

    def alike(self, other: Judged) -> bool:
        """The same resource in the same kind of mode."""
        return self.resource == other.resource and self.failing == other.failing

    def worst(self) -> Candidate | None:
        """The item that decides: the worst verdict, then nearest to or furthest over its limit.

        Of items at risk by their interval alone, the one whose high end reaches furthest. The
        first of equals by id.
        """
        if self.greatest_load is None:
            return None
        code = self.worst_code
        if code == 1:
            limits = self.limit if self.limits is None else self.limits
            rank = np.fmax(self.load, self.high / limits)
            rank = np.where((self.codes == code) & ~np.isnan(self.value), rank, -np.inf)
            rows = (rank == np.fmax.reduce(rank)).nonzero()[0].tolist()
        else:
            rows = (self.load == self.greatest_load).nonzero()[0].tolist()
        row = min(rows, key=lambda index: self.ids[index])
        id = self.ids[row]
        binding = Binding(
            subject=id,
            resource=self.resource,
            mode=f"host {id}" if self.failing else NORMAL,
            value=float(self.value[row]),
            limit=self.limit_of(row),
            high=float(self.high[row]),
            own=self.own,
        )
        verdict = _VERDICTS[min(code, 1) if self.failing else code]
        return Candidate(verdict, binding, float(self.high[row]))

    def headroom_pct(self) -> float | None:
        """What is left until the limit at the worst item, in per cent of the limit."""
        return None if self.greatest_load is None else 100 * (1 - self.greatest_load)


def judge_each(resources: Sequence[Weighed]) -> list[Judged]:
    """Judge resources, all in one column: most have few items, and each call costs as much."""
    value = np.concatenate([each.value for each in resources])
    high = np.concatenate([each.high for each in resources])
    sizes = [len(each.value) for each in resources]
    limit = np.array([each.limit for each in resources], dtype=np.float64).repeat(sizes)
    starts = list(accumulate(sizes, initial=0))
    for start, each in zip(starts, resources, strict=False):
        if each.limits is not None:
            limit[start : start + len(each.limits)] = each.limits
    codes, load = judged(value, high, limit), value / limit
    filled = [row for row, size in enumerate(sizes) if size]
    worst, greatest = [0] * len(sizes), [-np.inf] * len(sizes)
    if filled:
        firsts = [starts[row] for row in filled]
        known = codes * ~np.isnan(value)
        worst_there = np.maximum.reduceat(known, firsts).tolist()
        for row, code, most in zip(
            filled, worst_there, np.fmax.reduceat(load, firsts).tolist(), strict=True
        ):
            worst[row], greatest[row] = code, most
    found = []
    for row, each in enumerate(resources):
        part = slice(starts[row], starts[row + 1])
        most = greatest[row]
        found.append(
            Judged(
                each.ids,
                each.resource,
                each.value,
                each.high,
                each.limit,
                each.limits,
                each.failing,
                each.own,
                codes[part],
                load[part],
                worst[row],
                most if most > -np.inf else None,
            )
        )
    return found


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may decide the verdict."""

    verdict: Verdict
    binding: Binding
    high: float


class Failures(Protocol):
    """What the sentence asks of the failure modes."""

    @property
    def some_tested(self) -> bool:
        """Whether any host has something to fail over, and somewhere to."""

    @property
    def some_alone(self) -> bool:
        """Whether VMs run on a host that stands alone."""

    @property
    def network_holds(self) -> bool:
        """Whether the network of the survivors stays within its limit, whichever host fails."""

    @property
    def left_down(self) -> int:
        """How many VMs of clusters stay down with their host."""

    def of(self, mode: str) -> FailureMode | None:
        """The mode of that name."""

    def with_restart(self, binding: Binding) -> Binding:
        """One of the vCPUs of a VM that restarts, with the VM, and where."""

    def stranded_in(self, mode: str) -> int:
        """How many VMs find no room in the mode of that name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Verdict, what decides it, and the sentence."""

    verdict: Verdict
    sentence: str
    binding: Binding | None
    runner_up: Binding | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What the sentence has to say besides the deciding number.

    Attributes:
        name_of: display name by id.
        derating: benchmark users per user.
        unknown: what isn't known, as a clause, such as ``CPU of 4 VMs``; empty when all is.
        unplaced: number of VMs without a host.
        running: number of VMs that run; `counts_users`: whether they have users.
        unknown_risk: whether what isn't known could exceed a limit.
        alone: whom the loss of a host that stands alone leaves without a server, as a clause;
            `alone_risk`: whether a policy wants such a host's failure to be survived.
        refusal: the finding by which a VM can't be powered on; None where all can.
        several_gone: what the loss of several hosts at once comes to, as a clause; empty where it
            puts nothing at risk. `several_may_fail`: what to say of it then.
    """

    name_of: Callable[[str], str]
    derating: float
    unknown: str
    unplaced: int
    running: int
    counts_users: bool
    unknown_risk: bool
    alone: str = ""
    alone_risk: bool = False
    refusal: Finding | None = None
    several_gone: str = ""
    several_may_fail: str = ""

    @property
    def at_risk(self) -> bool:
        """Whether any of this puts a scenario at risk."""
        reasons = (self.unplaced, self.unknown_risk, self.several_gone, self.alone_risk)
        return any(map(bool, reasons))


def judge(
    resources: Iterable[Judged],
    failures: Failures,
    findings: Sequence[Finding],
    circumstances: Circumstances,
) -> Judgement:
    """The verdict on a scenario from all its resources, the failing ones among them."""
    known = [each for each in resources if each.greatest_load is not None]
    known.sort(key=lambda each: each.rank, reverse=True)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    errors.sort(key=lambda finding: bool(finding.waived))
    verdict = _VERDICTS[known[0].rank[0]] if known else Verdict.FITS
    if errors or circumstances.at_risk:
        verdict = max(verdict, Verdict.AT_RISK)
    if verdict is Verdict.FITS and not circumstances.running:
        known = []  # what stands there without running is near no limit
    first = _worst_of(known[0], failures) if known else None
    other = next((each for each in known[1:] if not each.alike(known[0])), None)
    second = _worst_of(other, failures) if other is not None else None
    bindings = [with_stranded(each.binding, failures) for each in (first, second) if each]
    if circumstances.refusal is not None:
        verdict = Verdict.DOES_NOT_FIT
        bindings.insert(0, _refused(circumstances.refusal))
    sentence = _sentence(verdict, first, failures, errors, circumstances)
    return Judgement(
        verdict=verdict,
        sentence=sentence,
        binding=bindings[0] if bindings else None,
        runner_up=bindings[1] if bindings[1:] else None,
    )


def _worst_of(judged: Judged, failures: Failures) -> Candidate | None:
    """What decides of a resource, a VM that restarts named."""
    found = judged.worst()
    if found is None or not found.binding.own:
        return found
    return replace(found, binding=failures.with_restart(found.binding))


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


def with_stranded(binding: Binding, failures: Failures) -> Binding:
    """The same with the number of VMs that find no room in its mode."""
    found = failures.stranded_in(binding.mode) if binding.resource == "ram_pct" else 0
    return replace(binding, stranded=found) if found else binding


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


def _sentence(
    verdict: Verdict,
    first: Candidate | None,
    failures: Failures,
    errors: Sequence[Finding],
    circumstances: Circumstances,
) -> str:
    innocent = first is None or first.verdict is Verdict.FITS
    several = circumstances.several_gone
    parts: list[str]
    unplaced_said = alone_said = False
    if circumstances.refusal is not None:
        parts, others = [_objecting(verdict, circumstances.refusal)], len(errors) - 1
    elif innocent and several and not errors:
        head = opening(verdict.label)
        parts = [say("{verdict}: {finding}", verdict=head, finding=several)]
        several, others = "", 0
    elif innocent and not errors and first is not None and verdict is not Verdict.FITS:
        parts, others = [_doubting(verdict, circumstances)], 0
        alone_said = circumstances.alone_risk and not circumstances.unknown_risk
        unplaced_said = not circumstances.unknown_risk and not alone_said
    elif errors and innocent:
        parts = [_objecting(verdict, errors[0])]
        others = len(errors) - 1
    else:
        parts = [_stranding(verdict, first, failures, circumstances)]
        parts[0] = parts[0] or _deciding(verdict, first, circumstances)
        others = len(errors)
    if verdict is Verdict.FITS and first is not None:
        parts += [_one_host_may_fail(failures), circumstances.several_may_fail]
        parts.append(_stay_down(failures))
    parts += [several, "" if alone_said else circumstances.alone]
    if others:
        parts.append(_others(others, is_more=len(errors) > others))
    if circumstances.unplaced and not unplaced_said:
        parts.append(_unplaced(circumstances.unplaced))
    sentences = [joined("", (joined("; ", filter(None, parts)), "."))]
    if circumstances.unknown:
        sentences.append(say("Not known (no data): {what}.", what=circumstances.unknown))
    if circumstances.counts_users and circumstances.derating != 1:
        factor = exact_text(circumstances.derating)
        sentences.append(say("One user counts as {factor} benchmark users.", factor=factor))
    elif circumstances.counts_users:
        sentences.append(say("Users are counted as benchmark users."))
    return joined(" ", sentences)


def _objecting(verdict: Verdict, error: Finding) -> Text:
    head = opening(verdict.label)
    text = without_stop(error.text)
    if error.waived:
        return say("{verdict}: {finding} (waived)", verdict=head, finding=text)
    return say("{verdict}: {finding}", verdict=head, finding=text)


def _doubting(verdict: Verdict, circumstances: Circumstances) -> Text:
    """The reason where no number, finding or failure is one."""
    if circumstances.unknown_risk:
        reason: Text = say("what has no data could take the CPU of a host over its limit")
    elif circumstances.alone_risk:
        reason = say(
            "{loss}, though its cluster is to survive the failure of a host",
            loss=circumstances.alone,
        )
    else:
        reason = _unplaced(circumstances.unplaced)
    return say("{verdict}: {finding}", verdict=opening(verdict.label), finding=reason)


def _unplaced(count: int) -> Text:
    return say_many("{count} VM has no host", "{count} VMs have no host", count)


def _others(count: int, *, is_more: bool) -> Text:
    if is_more:
        return say_many("one more finding is an error", "{count} more findings are errors", count)
    return say_many("one finding is an error", "{count} findings are errors", count)


def _stranding(
    verdict: Verdict,
    first: Candidate | None,
    failures: Failures,
    circumstances: Circumstances,
) -> str:
    """What to say when VMs without room decide; empty when something else does."""
    if first is None or first.binding.resource != "ram_pct":
        return ""
    if not failures.stranded_in(first.binding.mode):
        return ""
    mode = failures.of(first.binding.mode)
    if mode is None or not mode.not_restarted:
        return ""
    who = circumstances.name_of(mode.host)
    if not mode.shortfall.ram_gib:
        return say_many(
            "{verdict}: with {who} gone, {count} VM finds no room that rules, reservations and "
            "limits leave",
            "{verdict}: with {who} gone, {count} VMs find no room that rules, reservations and "
            "limits leave",
            len(mode.not_restarted),
            verdict=opening(verdict.label),
            who=who,
        )
    short = enough(mode.shortfall.ram_gib)
    return say_many(
        "{verdict}: with {who} gone, {count} VM finds no room, {short}\u202fGiB of RAM short",
        "{verdict}: with {who} gone, {count} VMs find no room, {short}\u202fGiB of RAM short",
        len(mode.not_restarted),
        verdict=opening(verdict.label),
        who=who,
        short=short,
    )


def _deciding(verdict: Verdict, first: Candidate | None, circumstances: Circumstances) -> str:
    if first is None:
        is_empty = not circumstances.running
        nothing = say("nothing runs yet") if is_empty else say("nothing could be predicted")
        if verdict is Verdict.FITS:
            return opening(nothing)
        return say("{verdict}: {finding}", verdict=opening(verdict.label), finding=nothing)
    binding = first.binding
    unit = UNITS.get(binding.resource, "")
    about = about_text(_estimated(first), unit, limit=binding.limit)
    limit = value_text(_known(binding.limit), unit)
    values = {
        "verdict": opening(verdict.label),
        "who": circumstances.name_of(binding.subject),
        "what": RESOURCES.get(binding.resource, binding.resource),
        "about": about,
        "limit": limit,
    }
    may_exceed = first.verdict is Verdict.AT_RISK and binding.value <= NEAR * binding.limit
    reach = reach_text(first.high, unit, limit=binding.limit) if may_exceed else ""
    if binding.mode != NORMAL:
        doubtful = bool(circumstances.unknown) and binding.resource == "cpu_pct"
        if binding.own:
            values |= {
                "vm": circumstances.name_of(binding.vm),
                "host": circumstances.name_of(binding.host),
            }
        return _after_failure(binding, reach, doubtful, values)
    if first.verdict is Verdict.FITS:
        return say("{verdict}: {who}’s {what} is the nearest limit, {about} of {limit}", **values)
    if may_exceed:
        return say(
            "{verdict}: {who}’s {what} is {about} of {limit} but may reach {reach}",
            reach=reach,
            **values,
        )
    return say("{verdict}: {who}’s {what} is {about}, limit {limit}", **values)


def _after_failure(
    binding: Binding, reach: str, doubtful: bool, values: Mapping[str, object]
) -> Text:
    """What a failure takes nearest to its limit, or over it.

    Args:
        reach: the high end where it alone passes the limit, else empty.
        doubtful: parts without data are in that end.
    """
    if binding.own and reach:
        return say(
            "{verdict}: with {who} gone, CPU of {vm} on {host} would reach {about}, up to "
            "{reach} (90\u202f% interval), limit {limit}",
            reach=reach,
            **values,
        )
    if binding.own:
        return say(
            "{verdict}: with {who} gone, CPU of {vm} on {host} would reach {about}, limit {limit}",
            **values,
        )
    if reach and doubtful:
        return say(
            "{verdict}: with {who} gone, {what} of the survivors is {about} of {limit} but "
            "may reach {reach}",
            reach=reach,
            **values,
        )
    if reach:
        return say(
            "{verdict}: with {who} gone, {what} of the survivors would reach {about}, up to "
            "{reach} (90\u202f% interval), limit {limit}",
            reach=reach,
            **values,
        )
    return say(
        "{verdict}: with {who} gone, {what} of the survivors would reach {about}, limit {limit}",
        **values,
    )


def _estimated(candidate: Candidate) -> Quantity:
    """The deciding number with its interval, the low end mirrored in ratio."""
    value, high = candidate.binding.value, max(candidate.high, candidate.binding.value)
    low = value * (value / high) if high else value  # exactly the value where both are equal
    return Quantity(value, low, high, Basis.INTERPOLATED)


def _known(value: float) -> Quantity:
    return Quantity(value, value, value, Basis.RULE)


def _one_host_may_fail(failures: Failures) -> str:
    alone = failures.some_alone
    if not failures.some_tested:
        return ""
    may = say("any one host of a cluster may fail") if alone else say("any one host may fail")
    if failures.network_holds:
        return may
    return joined("", (may, say(", but the network of those left then passes its limit")))


def _stay_down(failures: Failures) -> str:
    if not (failures.some_tested and failures.left_down):
        return ""
    return say_many(
        "{count} VM stays down with its host",
        "{count} VMs stay down with their hosts",
        failures.left_down,
    )

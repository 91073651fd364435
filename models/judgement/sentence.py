"""The verdict in one sentence that can be projected: what decides it, and what isn’t known.

Besides: losses beside single hosts that a verdict is to survive, judged: a server of a Domino
cluster, a controller of a pool, a group of hosts. A loss that takes what is left over a limit, or
near it, or leaves users without any server, puts the scenario at risk and no worse, as the loss of
a host does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from models.base.texts import Text, joined, opening, say, say_many
from models.judgement.against_limits import NEAR, NORMAL, Candidate, is_vague, quantity_of
from models.judgement.failure_modes import FailureModes
from models.judgement.resource_verdicts import Lack, not_known, of_whom
from models.predict.predicted import title_of, unit_of
from models.predict.prediction import Binding, Finding, Outage, Severity, Verdict, Why
from models.scenario.scenario import LoadBasis, Loss, Policy, Posture
from models.scenario.wording import about_text, enough, exact_text, number, reach_text, with_unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What the sentence has to say besides the deciding number.

    Attributes:
        name_of: display name by id.
        policy: of the scenario: on which basis users are counted, and which ends are judged.
        lacking: what isn't known and decides; empty when all is known. `known`: resources that fit
            as far as data goes, in words; `within`: what is within a published design, a clause.
        unplaced: number of VMs without a host.
        running: number of VMs that run; `counts_users`: whether they have users.
        unseen: where what isn't known could exceed a limit, as a clause; empty for nowhere.
        down: whom the loss of a host leaves without a server, as a clause; `down_risk`: whether
            that host's failure is to be survived.
        refusal: the finding by which a VM can't be powered on; None where all can.
        several_gone: what the loss of several hosts at once comes to, as a clause; empty where it
            puts nothing at risk. `several_may_fail`: what to say of it then.
        outages: losses beside hosts that put the scenario at risk, the worst of each kind, and
            those that aren't known or not all tried.
    """

    name_of: Callable[[str], str]
    policy: Policy
    lacking: tuple[Lack, ...]
    known: str
    within: str
    unplaced: int
    running: int
    counts_users: bool
    unseen: str
    down: str = ""
    down_risk: bool = False
    refusal: Finding | None = None
    several_gone: str = ""
    several_may_fail: str = ""
    outages: tuple[Outage, ...] = ()

    @property
    def losses(self) -> str:
        """What the loss of several hosts, of servers, controllers or groups puts at risk."""
        return joined("; ", self.each_loss())

    def each_loss(self) -> Iterator[str]:
        """The same, one by one."""
        if self.several_gone:
            yield self.several_gone
        yield from (outage_text(each, self.name_of) for each in self.outages if each.harms)

    @property
    def some_doubt(self) -> bool:
        """Whether there is a reason that is no number, no finding and no failure of several."""
        return bool(self.unseen or self.down_risk or self.unplaced)

    @property
    def at_risk(self) -> bool:
        """Whether any of this puts a scenario at risk."""
        reasons = (self.unplaced, self.unseen, self.several_gone, self.down_risk)
        return any(map(bool, reasons)) or any(each.harms for each in self.outages)


def sentence(
    verdict: Verdict,
    first: Candidate | None,
    failures: FailureModes,
    objections: Sequence[Finding],
    circumstances: Circumstances,
) -> Why:
    """What decides, what may fail besides, who has no host, what isn't known, and whose users are
    counted.

    Args:
        first: what decides by its number, None where nothing has one.
        objections: findings that the verdict can't be better than, those that count first.
    """
    innocent = first is None or first.verdict is Verdict.FITS or first.verdict < verdict
    several = circumstances.losses
    errors = sum(each.severity is Severity.ERROR for each in objections)
    parts: list[str]
    unplaced_said = down_said = False
    led, brief, host_loss = True, "", ""
    if circumstances.refusal is not None:
        parts, others = [_objecting(circumstances.refusal)], errors - 1
    elif innocent and several and not objections and not circumstances.unseen:
        parts, others, several = [several], 0, ""
        brief = next(circumstances.each_loss(), "")
    elif verdict is Verdict.NOT_KNOWN:
        parts, others, led = [_knowing(circumstances), circumstances.within], 0, False
    elif innocent and not objections and circumstances.some_doubt:
        parts, others = [_doubting(circumstances)], 0
        down_said = circumstances.down_risk and not circumstances.unseen
        brief = circumstances.down if down_said else ""
        unplaced_said = not circumstances.unseen and not down_said
    elif objections and innocent:
        parts = [_objecting(objections[0])]
        others = errors - (objections[0].severity is Severity.ERROR)
    else:
        stranding = _stranding(first, failures, circumstances)
        parts, others = [stranding or _deciding(verdict, first, circumstances)], errors
        led = first is not None or verdict is not Verdict.FITS
    all_survived = innocent and (not circumstances.lacking or failures.all_known)
    if verdict <= Verdict.NOT_KNOWN and first is not None and all_survived:
        host_loss = _one_host_may_fail(failures)
        parts += [host_loss, circumstances.several_may_fail]
        untried = (each for each in circumstances.outages if not (each.harms or each.unknown))
        parts += [untried_text(each) for each in untried]
    parts += [several, "" if down_said else circumstances.down]
    if others:
        parts.append(_others(others, is_more=errors > others))
    if circumstances.unplaced and not unplaced_said:
        parts.append(_unplaced(circumstances.unplaced))
    lacking = ""
    if circumstances.lacking and verdict is not Verdict.NOT_KNOWN:
        lacking = say("Not known (no data): {what}.", what=of_whom(circumstances.lacking))
    counted = tuple(_counted(circumstances.policy)) if circumstances.counts_users else ()
    said = list(filter(None, parts))
    besides = joined("; ", [each for each in said[1:] if each != host_loss])
    return Why(joined("; ", said), lacking, counted, led, parts[0], brief, besides, host_loss)


def _counted(policy: Policy) -> Iterator[Text]:
    """On which basis users are counted, which end is judged, and what would narrow it."""
    yield basis_remark(policy)
    if policy.load_factor != 1.0:
        yield load_remark(policy)
    yield posture_remark(policy)


def basis_remark(policy: Policy) -> Text:
    """Whose load a user’s is."""
    if policy.load_basis is LoadBasis.PRODUCTION:
        return say("Load of production: users as in the benchmark and the server’s other work.")
    if policy.benchmark_derating == 1:
        return say("Users are counted as benchmark users: the benchmark’s part of the load.")
    return say(
        "One user counts as {factor} benchmark users: the benchmark’s part of the load.",
        factor=exact_text(policy.benchmark_derating),
    )


def load_remark(policy: Policy) -> Text:
    """How much more a user asks for than today."""
    return say("Load of a user: {factor} times today’s.", factor=exact_text(policy.load_factor))


def posture_remark(policy: Policy) -> Text:
    """Which end of each number is judged."""
    if policy.posture is Posture.CONSERVATIVE:
        return say("Judged by the high ends (conservative); measure one server.")
    if policy.posture is Posture.STANDARD:
        return say("Judged by the 80th percentiles (standard); measure one server.")
    return say("Judged by the values (aggressive); measure one server.")


def _knowing(circumstances: Circumstances) -> Text:
    """What is known first, then what isn't."""
    lacking = not_known(circumstances.lacking)
    if not circumstances.known:
        return opening(lacking)
    return say("Fits in {known}; {lacking}", known=circumstances.known, lacking=lacking)


def _objecting(error: Finding) -> str:
    return say("{finding} (waived)", finding=error.clause) if error.waived else error.clause


def _doubting(circumstances: Circumstances) -> str:
    """The reason where no number, finding or failure is one."""
    if circumstances.unseen:
        return circumstances.unseen
    if circumstances.down_risk:
        return say(
            "{loss}, though the failure of a host is to be survived", loss=circumstances.down
        )
    return say_many(
        "{count} VM has no host, and how it would run is not known",
        "{count} VMs have no host, and how they would run is not known",
        circumstances.unplaced,
    )


def _unplaced(count: int) -> Text:
    return say_many("{count} VM has no host", "{count} VMs have no host", count)


def _others(count: int, *, is_more: bool) -> Text:
    if is_more:
        return say_many("one more finding is an error", "{count} more findings are errors", count)
    return say_many("one finding is an error", "{count} findings are errors", count)


def _stranding(
    first: Candidate | None, failures: FailureModes, circumstances: Circumstances
) -> str:
    """What to say when VMs without room decide; empty when something else does."""
    if first is None or first.binding.resource != "ram_pct":
        return ""
    if not failures.stranded_in(first.binding.mode):
        return ""
    mode = next((each for each in failures.all if each.id == first.binding.mode), None)
    if mode is None or not mode.not_restarted:
        return ""
    who = circumstances.name_of(mode.host)
    if not mode.shortfall.ram_gib:
        return say_many(
            "with {who} gone, {count} VM finds no room that rules, reservations and limits leave",
            "with {who} gone, {count} VMs find no room that rules, reservations and limits leave",
            len(mode.not_restarted),
            who=who,
        )
    short = enough(mode.shortfall.ram_gib)
    return say_many(
        "with {who} gone, {count} VM finds no room, {short}\u202fGiB of RAM short",
        "with {who} gone, {count} VMs find no room, {short}\u202fGiB of RAM short",
        len(mode.not_restarted),
        who=who,
        short=short,
    )


def figures_of(binding: Binding) -> dict[str, str]:
    """The number that decides by its name, about how much it is, and its limit."""
    unit = unit_of(binding.resource)
    return {
        "what": title_of(binding.resource),
        "about": about_text(quantity_of(binding), unit, limit=binding.limit),
        "limit": with_unit(exact_text(binding.limit), unit),
    }


def reach_of(binding: Binding) -> str:
    """The high end of the number that decides, which is known."""
    assert binding.high is not None
    return reach_text(binding.high, unit_of(binding.resource), limit=binding.limit)


def _deciding(verdict: Verdict, first: Candidate | None, circumstances: Circumstances) -> str:
    if first is None:
        is_empty = not circumstances.running
        nothing = say("nothing runs yet") if is_empty else say("nothing could be predicted")
        return opening(nothing) if verdict is Verdict.FITS else nothing
    binding = first.binding
    if is_vague(binding):
        return _vague(binding, circumstances.name_of)
    values = {"who": circumstances.name_of(binding.subject), **figures_of(binding)}
    may_exceed = first.verdict is Verdict.AT_RISK and binding.value <= NEAR * binding.limit
    reach = reach_of(binding) if may_exceed else ""
    if binding.mode != NORMAL:
        doubtful = bool(circumstances.lacking) and binding.resource == "cpu_pct"
        if binding.own:
            values |= {
                "vm": circumstances.name_of(binding.vm),
                "host": circumstances.name_of(binding.host),
            }
        values["end"] = _ENDS[circumstances.policy.posture]
        return _after_failure(binding, reach, doubtful, values)
    if first.verdict is Verdict.FITS:
        return say("{who}’s {what} is the nearest limit, {about} of {limit}", **values)
    if may_exceed:
        return say(
            "{who}’s {what} is {about} of {limit} but may reach {reach}",
            reach=reach,
            **values,
        )
    return say("{who}’s {what} is {about}, limit {limit}", **values)


_ENDS = {
    Posture.CONSERVATIVE: say("90\u202f% interval"),
    Posture.STANDARD: say("80th percentile"),
    Posture.AGGRESSIVE: say("value"),
}
"""What the end is that a posture judges."""


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
            "with {who} gone, CPU of {vm} on {host} would reach {about}, up to "
            "{reach} ({end}), limit {limit}",
            reach=reach,
            **values,
        )
    if binding.own:
        return say(
            "with {who} gone, CPU of {vm} on {host} would reach {about}, limit {limit}",
            **values,
        )
    if reach and doubtful:
        return say(
            "with {who} gone, {what} of the survivors is {about} of {limit} but may reach {reach}",
            reach=reach,
            **values,
        )
    if reach:
        return say(
            "with {who} gone, {what} of the survivors would reach {about}, up to "
            "{reach} ({end}), limit {limit}",
            reach=reach,
            **values,
        )
    return say(
        "with {who} gone, {what} of the survivors would reach {about}, limit {limit}",
        **values,
    )


def _one_host_may_fail(failures: FailureModes) -> str:
    alone = failures.some_alone
    if not failures.some_tested:
        return ""
    if not failures.all_fit or failures.some_left_down:
        return say("not every host may fail, which the policy doesn’t ask for")
    return say("any one host of a cluster may fail") if alone else say("any one host may fail")


def outage_text(outage: Outage, name_of: Callable[[str], str]) -> Text:
    """What it comes to, as a clause: ``with Mail-02 gone, CPU of Mail-01 would reach …``."""
    if outage.loss is Loss.HOST and outage.binding is None:
        return joined("", (outage.reason,))
    gone = gone_text(outage.loss, name_of(outage.subject))
    what = outage.reason if outage.binding is None else _reached(outage.binding, name_of)
    said = say("with {gone} gone, {what}", gone=gone, what=what)
    if outage.tried == outage.of:
        return said
    tried = say(" ({tried} of {of} losses tried)", tried=number(outage.tried), of=number(outage.of))
    return joined("", (said, tried))


def untried_text(outage: Outage) -> Text:
    """That not all losses were tried, none of those that were does harm."""
    return say(
        "any one of the {tried} Domino servers may fail whose loss brings others most users, of "
        "{of}; others were not tried",
        tried=number(outage.tried),
        of=number(outage.of),
    )


def _vague(binding: Binding, name_of: Callable[[str], str]) -> Text:
    """Of a response that isn't known, and may pass its limit."""
    values = {
        "who": name_of(binding.subject),
        "limit": with_unit(exact_text(binding.limit), "ms"),
        "reach": reach_of(binding),
    }
    if binding.mode == NORMAL or binding.lost is not None:
        return say(
            "{who}’s response time isn’t known and may reach {reach}, limit {limit}", **values
        )
    return say(
        "with {who} gone, the response time isn’t known and may reach {reach}, limit {limit}",
        **values,
    )


def _reached(binding: Binding, name_of: Callable[[str], str]) -> Text:
    if is_vague(binding):
        return _vague(binding, name_of)
    values = {"who": name_of(binding.subject), **figures_of(binding)}
    if binding.value > NEAR * binding.limit or binding.high is None:
        return say("{what} of {who} would reach {about}, limit {limit}", **values)
    return say(
        "{what} of {who} would reach {about} of {limit} and may reach {reach}",
        reach=reach_of(binding),
        **values,
    )


def gone_text(loss: Loss, name: str) -> str:
    """What is gone, in words."""
    if loss is Loss.CONTROLLER:
        return say("a controller of {name}", name=name)
    if loss is Loss.GROUP:
        return say("group {name}", name=name)
    return name

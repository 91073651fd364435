"""What decides: of a verdict the number or the finding, of a row its reason; and in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from models.base.quantities import NO_DATA, Quantity, judged_end
from models.base.texts import Text, joined, opening, say
from models.failure.mode import ModeKind
from models.judgement.against_limits import NEAR, NORMAL, is_vague, judged, quantity_of
from models.judgement.rules import is_of_pools, rule_title
from models.judgement.sentence import gone_text
from models.predict.predicted import failing_of, judged_of, limit_of, peak_of, title_of, unit_of
from models.predict.prediction import Binding, FailureMode, Finding, Prediction, Severity, Verdict
from models.scenario.scenario import Policy
from models.scenario.wording import (
    ENGLISH,
    Style,
    exact_text,
    judged_quantity,
    listed,
    number,
    passing_text,
    reach_text,
    unknown_text,
    value_text,
    wait_text,
    with_unit,
)

Cause = Binding | Finding

PUT_AT_RISK = (
    "sametime-no-data",
    "unknown-cpu",
    "n-plus-k",
    "generic-no-data",
    "traveler-no-data",
    "unplaced",
)
"""Rules whose warnings may be why a scenario is at risk though no number is near its limit; what
says most of the reason first."""


def deciding(prediction: Prediction) -> Cause | None:
    """The number that presses, else the first finding that puts the scenario at risk; None where
    it fits or isn't known, or nothing is known of either."""
    binding = prediction.binding
    if prediction.verdict <= Verdict.NOT_KNOWN:
        return None
    found = grounds(prediction)
    first = next(iter(found.values()), None)
    if binding is not None and presses(binding) and not _outdoes(first, prediction):
        return binding
    return first or binding


def _outdoes(finding: Finding | None, prediction: Prediction) -> bool:
    """A finding alone is why it does not fit; numbers merely press."""
    binding = prediction.binding
    if finding is None or binding is None or binding.rule:
        return False
    return finding.weight is Verdict.DOES_NOT_FIT and binding.load <= 1


def presses(binding: Binding) -> bool:
    """It is over its limit, near it, or may be over it."""
    is_out = bool(binding.rule or binding.stranded)
    may_be = binding.high is not None and binding.high > binding.limit
    return is_out or may_be or binding.load > NEAR


def grounds(prediction: Prediction) -> dict[tuple[str, str, Severity], Finding]:
    """Findings that the verdict can't be better than, and others that put a scenario at risk unless
    a number does."""
    binding = prediction.binding
    is_pressed = binding is not None and presses(binding)
    found = [
        f
        for f in prediction.findings
        if f.weight >= Verdict.AT_RISK
        or (f.severity is Severity.WARNING and f.rule in PUT_AT_RISK and not is_pressed)
    ]
    found.sort(key=_order)
    return {(f.rule, f.subject, f.severity): f for f in found}


def _order(finding: Finding) -> int:
    """What can't be first, then errors; others as `PUT_AT_RISK` has them."""
    if finding.weight >= Verdict.AT_RISK:
        return -int(finding.weight)
    return PUT_AT_RISK.index(finding.rule)


SAME = 1e-6
"""Relative difference up to which two ends of an interval are one."""
ALL_VCPUS_PCT = 100.0


def binding_quantity(prediction: Prediction, binding: Binding, share: float = 1.0) -> Quantity:
    """The number of what decides as it was judged, at peak where that applies, with its 90 %
    interval; no data where it has none.

    What is predicted on average is raised to the number judged, both ends by the same factor. Where
    the high end is then not the one that was judged, as what has no data may add to it, there is no
    interval of this number alone. A VM is shown with no more than its vCPUs and judged by what it
    asks for, so that the judged end stands for the high one there.

    Args:
        share: of the policy's posture, by which the number was judged (`quantities.judged_end`).
    """
    if binding.rule or binding.stranded or binding.high is None:
        return NO_DATA
    found = _on_average(prediction, binding)
    value, low, high = found.value, found.low, found.high
    if not value or low is None or high is None:
        return NO_DATA
    factor = binding.value / value
    of_vcpus = binding.resource == "cpu_pct" and (binding.own or binding.subject in prediction.vms)
    is_cut = of_vcpus and value < ALL_VCPUS_PCT <= high
    ends = np.array([value]), np.array([high])
    judged = float(judged_end(*ends, share)[0])
    if is_cut:
        return Quantity(binding.value, low * factor, binding.high, found.basis, found.evidence)
    if not math.isclose(judged * factor, binding.high, rel_tol=SAME):
        return NO_DATA
    return Quantity(binding.value, low * factor, high * factor, found.basis, found.evidence)


def _on_average(prediction: Prediction, binding: Binding) -> Quantity:
    if binding.mode != NORMAL:
        return _after_failure(prediction, binding)
    for table in (prediction.vms, prediction.hosts, prediction.pools):
        if binding.subject in table and hasattr(table, binding.resource):
            return table.quantity(binding.subject, binding.resource)
    return NO_DATA


def _after_failure(prediction: Prediction, binding: Binding) -> Quantity:
    modes = (*prediction.failures, *prediction.together)
    mode = next((m for m in modes if m.id == binding.mode), None)
    if mode is None:
        return NO_DATA
    field = "vm_cpu_pct" if binding.own else binding.resource
    found: Quantity = getattr(mode, field, NO_DATA)
    return found


def binding_text(binding: Binding, name_of: Callable[[str], str], style: Style = ENGLISH) -> str:
    """Resource, item, value and limit: ``RAM of esx1: 79 of 100 %``; and where the interval alone
    passes the limit its end: ``disk utilisation of data: 45 of 70 %, may reach 76 %``.

    In a failure mode `binding.subject` is the host that is gone; the number is that of what is
    left: ``RAM of the fullest survivor with esx1 lost: 79 of 100 %``; or of the VMs that find no
    room: ``VMs that find no room with esx1 lost: 3``. What can't be powered on has no number:
    ``Mail-01 can’t be powered on (Maximum of a VM)``.
    """
    if binding.rule:
        return bound_words(binding, name_of)
    if binding.stranded:
        return joined(": ", (bound_words(binding, name_of), number(binding.stranded, style=style)))
    return joined(": ", (bound_words(binding, name_of), amounts_text(binding, style)))


def bound_words(binding: Binding, name_of: Callable[[str], str]) -> str:
    """The resource and whose it is, without numbers."""
    resource, name = title_of(binding.resource), name_of(binding.subject)
    if binding.rule:
        who = say("What stands on {pool}", pool=name) if is_of_pools(binding.rule) else name
        return say("{who} can’t be powered on ({rule})", who=who, rule=rule_title(binding.rule))
    if binding.stranded:
        return say("VMs that find no room with {host} lost", host=name)
    if binding.mode == NORMAL:
        return say("{resource} of {item}", resource=resource, item=name)
    if binding.lost is not None:
        loss, id = binding.lost
        return say(
            "{resource} of {item} with {lost} lost",
            resource=resource,
            item=name,
            lost=gone_text(loss, name_of(id)),
        )
    if binding.own:
        return say(
            "CPU of {vm} on {host} with {lost} lost",
            vm=name_of(binding.vm),
            host=name_of(binding.host),
            lost=name,
        )
    return say("{resource} with {host} lost", resource=failing_of(binding.resource), host=name)


def amounts_text(binding: Binding, style: Style = ENGLISH) -> str:
    """Value and limit, and what it may reach: ``45 of 70 %, may reach 76 %``."""
    unit = unit_of(binding.resource)
    if is_vague(binding):
        found = quantity_of(binding)
        return say(
            "not known, {low} to {high}; limit {limit}",
            low=wait_text(found.low or 0.0, style),
            high=wait_text(found.high or 0.0, style),
            limit=with_unit(exact_text(binding.limit, style=style), unit),
        )
    if binding.low is None and binding.value >= 1000:
        value = passing_text(binding.value, binding.limit, style=style)
    else:
        value = value_text(quantity_of(binding), limit=binding.limit, style=style)
    limit, end = with_unit(exact_text(binding.limit, style=style), unit), binding.high
    amount = say("{value} of {limit}", value=value, limit=limit)
    if end is None or not end > binding.limit or binding.value > NEAR * binding.limit:
        return amount
    return say(
        "{amount}, may reach {reach}",
        amount=amount,
        reach=reach_text(end, unit, limit=binding.limit, style=style),
    )


def whose_words(binding: Binding, name_of: Callable[[str], str]) -> str:
    """Whose number it is, and in which mode: ``Mail-02, with Mail-01 lost``; of the worst survivor
    of a host the mode alone."""
    name = name_of(binding.subject)
    if binding.rule or binding.mode == NORMAL:
        return name
    if binding.lost is not None:
        loss, id = binding.lost
        if id == binding.subject:
            return say("{item}, with a controller lost", item=name)
        return say("{item}, with {lost} lost", item=name, lost=gone_text(loss, name_of(id)))
    if binding.own:
        vm, host = name_of(binding.vm), name_of(binding.host)
        return say("{vm} on {host}, with {lost} lost", vm=vm, host=host, lost=name)
    kind, _, ids = binding.mode.partition(" ")
    if kind == "hosts":
        name = listed([name_of(id) for id in ids.split(", ")])
    return say("with {lost} lost", lost=name)


DECIDED_BY = say("Decided by")


def nearest(prediction: Prediction) -> tuple[tuple[Text, Binding], ...]:
    """The numbers nearest to their limits, each with what it is to the verdict: where one isn't
    known, or something else is why it is no fit, the first is merely near its limit."""
    is_known = prediction.verdict is not Verdict.NOT_KNOWN
    decides = is_known and not other_reason(prediction)
    first = DECIDED_BY if decides else say("Nearest limit")
    heads = (first, *[say("Next in line")] * len(prediction.nearest))
    return tuple(zip(heads, prediction.nearest, strict=False))


def other_reason(prediction: Prediction) -> str:
    """Why a verdict is no fit where no number is the reason: as a clause, empty where one is."""
    return opening(prediction.why.clause) if isinstance(deciding(prediction), Finding) else ""


DISKS_JUDGED = (ModeKind.NORMAL, ModeKind.CONTROLLER, ModeKind.PARTNER)
"""Ways to fail that may load disks more than before; without a host disks carry no more."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """Reasons of the rows of one prediction, under its policy; empty where a row fits."""

    policy: Policy
    prediction: Prediction

    def of_vm(self, index: int) -> str:
        return self._of_row("vms", index)

    def of_host(self, index: int) -> str:
        own = {"ram_pct": float(self.prediction.hosts.ram_limit_pct[index])}
        return self._of_row("hosts", index, own)

    def of_pool(self, index: int) -> str:
        return self._of_row("pools", index)

    def of_worst(self) -> tuple[str, str]:
        """The first item with the worst verdict that a number is the reason of: its id and that
        reason; empty where there is none."""
        prediction = self.prediction
        tables = (
            (prediction.vms, self.of_vm),
            (prediction.hosts, self.of_host),
            (prediction.pools, self.of_pool),
        )
        most = max(int(table.verdict.max(initial=Verdict.FITS)) for table, _ in tables)
        for table, reason_of in tables if most > Verdict.FITS else ():
            for index in np.flatnonzero(table.verdict == most).tolist():
                if words := reason_of(index):
                    return table.ids[index], words
        return "", ""

    def _of_row(
        self,
        table: str,
        index: int,
        own_limits: Mapping[str, float] | None = None,
    ) -> str:
        items = getattr(self.prediction, table)
        numbers = [(field, getattr(items, field)[index]) for field in judged_of(table)]
        verdict = items.verdict_of(index) or Verdict.FITS
        return reason(self.policy, verdict, numbers, own_limits)


def mode_reason(policy: Policy, mode: FailureMode) -> str:
    """Of a way to fail; empty where nothing fails over."""
    numbers = [(field, getattr(mode, field)) for field in judged_of("failures")]
    own = {"ram_pct": math.nan if mode.ram_limit_pct is None else mode.ram_limit_pct}
    if mode.mode.kind in DISKS_JUDGED:
        numbers.append(("utilisation_pct", mode.disk_pct))
    return "" if mode.verdict is None else reason(policy, mode.verdict, numbers, own)


def reason(
    policy: Policy,
    verdict: Verdict,
    numbers: Iterable[tuple[str, Quantity]],
    own_limits: Mapping[str, float] | None = None,
) -> str:
    """The number that decides, or the end of its interval, or the one that isn't known; empty for a
    fit, and where none of the numbers is the reason.

    Args:
        numbers: quantities by the field of the prediction that shows them, as averages.
        own_limits: by field, where they are not those of the policy; NaN for none.

    >>> from models.base.quantities import Basis
    >>> from models.scenario.wording import THIN
    >>> disks = Quantity(47.0, 27.0, 79.0, Basis.RULE)
    >>> reason(Policy(), Verdict.AT_RISK, [("utilisation_pct", disks)]).replace(THIN, " ")
    'disk utilisation may reach 79 %, limit 70 %'
    """
    if verdict is Verdict.NOT_KNOWN:
        return _unknown(numbers)
    worst, text = (Verdict.FITS, 0.0), ""
    for field, quantity in numbers:
        if quantity.value is None or quantity.high_to_judge is None:
            continue
        limit = (own_limits or {}).get(field, limit_of(policy, field))
        peak = peak_of(policy, field)
        value, high = quantity.value * peak, quantity.high_to_judge * peak
        low = value if quantity.low is None else quantity.low * peak
        code = Verdict(int(judged(np.array(value), np.array(high), limit)))
        if code is not Verdict.FITS and (code, value / limit) > worst:
            at_peak = judged_quantity(value, low, high)
            worst, text = (code, value / limit), _words(field, at_peak, limit, peak)
    return text if verdict is not Verdict.FITS and min(worst[0], verdict) is verdict else ""


def _unknown(numbers: Iterable[tuple[str, Quantity]]) -> str:
    """Which numbers are known in part only, and how many VMs they leave out."""
    partial = [(field, quantity.unknown) for field, quantity in numbers if quantity.at_least]
    if not partial:
        return ""
    what = listed([title_of(field) for field, _ in partial])
    return say("{what}: {left_out}", what=what, left_out=unknown_text(max(n for _, n in partial)))


def _words(field: str, quantity: Quantity, limit: float, peak: float) -> str:
    """Args: quantity: as it is judged, with data."""
    unit, is_average = unit_of(field), peak == 1.0
    what, known = title_of(field), with_unit(exact_text(limit), unit)
    if (quantity.value or 0.0) <= NEAR * limit:
        reach = reach_text(quantity.high or 0.0, unit, limit=limit)
        if is_average:
            return say(
                "{what} may reach {reach}, limit {limit}", what=what, reach=reach, limit=known
            )
        return say(
            "{what} may reach {reach} at peak, limit {limit}", what=what, reach=reach, limit=known
        )
    shown = value_text(quantity, unit, limit=limit)
    if is_average:
        return say("{what} {value}, limit {limit}", what=what, value=shown, limit=known)
    return say("{what} {value} at peak, limit {limit}", what=what, value=shown, limit=known)


def distance_pct(binding: Binding) -> float:
    """What is left of the limit [%]; negative beyond it.

    >>> distance_pct(Binding(subject="h1", resource="cpu_pct", mode="normal", value=63, limit=70))
    10.0
    """
    return round(100.0 * (1.0 - binding.load), 9)

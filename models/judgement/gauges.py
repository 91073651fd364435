"""The five numbers on the dials: the worst item of each resource, and how near its limit it is.

One place picks them, so that the window, the proposal and a comparison never show different
"worst" numbers for the same prediction.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from models.base.quantities import NO_DATA, Basis, Quantity, Series
from models.base.texts import Numeral, opening, say
from models.judgement.against_limits import is_vague, judged, left_pct, may_exceed, quantity_of
from models.judgement.binding import binding_quantity, deciding, presses
from models.judgement.rules import rule_title
from models.predict.predicted import DIALS, FAILURE, PREDICTED
from models.predict.prediction import (
    Binding,
    Down,
    FailureMode,
    Finding,
    Prediction,
    Verdict,
    VmPrediction,
    worst_first,
)
from models.scenario.scenario import Policy, Scenario

REASON = "reason"
"""In place of a number: what no number is the reason of."""

OWN_RAM = say("no limit: a physical server’s RAM is its own system’s")
NOTHING_RUNS = say("nothing runs yet")
NOTHING_FAILS_OVER = say("n/a: nothing to fail over")
NO_MAIL_USERS = say("n/a: no mail users")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """One dial.

    Attributes:
        field: what it shows, id of a predicted number.
        quantity: the worst item's number, in the field's unit. Of ``failure_pct``: what is left
            of the limit in the worst failure [%], negative when the limit is passed.
        limit: in the same unit; None where none is known.
        load, low, high: number and interval over the limit; 1 is the limit; None without data.
            `judged_high`: as `Quantity` has it, over the limit.
        subject: id of the item it is the worst of; of ``failure_pct`` of the host that failed.
        note: why there is no number, or what was done to it.
        others: of ``failure_pct`` further hosts that are gone with it.
        stranded: VMs that find no room in the worst failure: to be shown in the number's place.
        down: what is down with the host `subject`, which stands alone; so is this, where no other
            host fails over.
        unknown: VMs whose number has no data; then this is the worst that is known.
        worse: of ``failure_pct``, a number of CPU and RAM alone, the worst failure whose verdict is
            worse, as by response; else one that takes VMs down, which changes no verdict.
        binding: the number as one that decides, with its mode.
        stated: the verdict where no number is the reason of it; `note` says what is.
    """

    field: str
    quantity: Quantity = NO_DATA
    limit: float | None = None
    load: float | None = None
    low: float | None = None
    high: float | None = None
    judged_high: float | None = None
    subject: str = ""
    note: str = ""
    others: tuple[str, ...] = ()
    stranded: int = 0
    down: Down | None = None
    unknown: int = 0
    worse: FailureMode | None = None
    binding: Binding | None = None
    stated: Verdict | None = None

    @property
    def high_to_judge(self) -> float | None:
        """The high end that the verdict looks at, over the limit."""
        return self.high if self.judged_high is None else self.judged_high

    @property
    def may_pass(self) -> bool:
        """Whether its interval alone puts it at risk."""
        reach = self.high_to_judge
        return self.load is not None and reach is not None and may_exceed(self.load, reach, 1.0)

    def times(self, factor: float) -> Gauge:
        """The same with number and interval further from nothing, in no other measure."""
        ends = (self.load, self.low, self.high, self.judged_high)
        load, low, high, judged_high = (None if end is None else end * factor for end in ends)
        return replace(self, load=load, low=low, high=high, judged_high=judged_high)

    @property
    def verdict(self) -> Verdict | None:
        """As `judgement.against_limits` judges it, no better than a failure that is worse, nor
        *not known* where a part is; None where there is nothing to judge."""
        high = self.high_to_judge
        if self.stated is not None:
            return self.stated
        if self.load is None or high is None:
            return Verdict.NOT_KNOWN if self.unknown else None
        if self.worse is not None and self.worse.down is None:
            return self.worse.verdict
        known = Verdict(int(judged(np.array(self.load), np.array(high), 1.0)))
        return max(known, Verdict.NOT_KNOWN) if self.unknown else known


class Worst(NamedTuple):
    """The item with the highest number over its limit."""

    subject: str
    quantity: Quantity
    limit: float


def gauges(scenario: Scenario, prediction: Prediction) -> tuple[Gauge, ...]:
    """CPU, RAM, IOPS, response and failure headroom, in this order."""
    unlisted = sum(host.unlisted_vms for host in scenario.hosts)
    if not (unlisted or (scenario.vms and prediction.hosts.vcpus_per_core.any())):
        return tuple(Gauge(field=field, note=NOTHING_RUNS) for field in DIALS)
    policy = scenario.policy
    return (
        _cpu(policy, prediction, unlisted),
        partly(_ram(prediction), unlisted),
        _iops(policy, prediction),
        _response(policy, prediction),
        _with_worse(_survivors(policy, prediction), prediction)
        if prediction.hosts.vcpus_per_core.any()
        else partly(Gauge(field=FAILURE), unlisted),
    )


def nearest_gauges(scenario: Scenario, prediction: Prediction) -> tuple[Gauge, ...]:
    """What decides, then what isn't known, then the numbers nearest their limits, in normal
    operation and after every loss that is to be survived: five where there are as many numbers. The
    last of them gives way to users who have nowhere to go when a host is lost."""
    fixed = gauges(scenario, prediction)
    if all(each.note == NOTHING_RUNS for each in fixed):
        return fixed
    share = scenario.policy.posture.share
    unknown = {PREDICTED[each.field].resource: each.unknown for each in fixed}
    numbers = [
        partly(
            _number_near(each, binding_quantity(prediction, each, share)),
            unknown.get(PREDICTED[each.resource].resource, 0),
        )
        for each in prediction.nearest
        if not each.rule and not is_vague(each)
    ]
    silent = [each for each in fixed if each.verdict is Verdict.NOT_KNOWN and each.load is None]
    first = _stated(prediction)
    shown = [*([] if first is None else [first]), *silent, *numbers]
    shown.sort(key=lambda each: (each is not first, -(each.verdict or Verdict.FITS)))
    there = {each.field for each in shown}
    shown += [each for each in fixed if each.field not in there]
    lost = fixed[-1]
    if lost.down is not None or (lost.worse is not None and lost.worse.down is not None):
        shown = [*[each for each in shown if each is not lost][: len(DIALS) - 1], lost]
    return tuple(shown[: len(DIALS)])


def _number_near(binding: Binding, found: Quantity) -> Gauge:
    """Args: found: the number with what it rests on; no data where that isn't told."""
    quantity = quantity_of(binding)
    if found.value is not None:
        quantity = replace(found, judged_high=binding.high)
    gauge = gauge_of(binding.resource, quantity, binding.limit, subject=binding.subject)
    return replace(gauge, binding=binding, stranded=binding.stranded)


def _stated(prediction: Prediction) -> Gauge | None:
    """Why a verdict is no fit where no number is the reason; None where one is."""
    if prediction.verdict < Verdict.AT_RISK:
        return None
    cause = deciding(prediction)
    if isinstance(cause, Finding):
        return Gauge(
            field=REASON,
            subject=cause.subject,
            note=rule_title(cause.rule),
            stated=prediction.verdict,
        )
    if cause is not None and presses(cause) and not cause.rule:
        return None
    if cause is not None and cause.rule:
        return Gauge(
            field=REASON,
            subject=cause.subject,
            note=rule_title(cause.rule),
            stated=prediction.verdict,
        )
    lost = next((each.subject for each in prediction.outages if each.harms), "")
    why = prediction.why
    note = why.brief or why.first or why.clause
    return Gauge(field=REASON, subject=lost, note=opening(note), stated=prediction.verdict)


def worst(ids: tuple[str, ...], numbers: Series, limits: npt.ArrayLike) -> Worst | None:
    """The item nearest to (or furthest over) its limit, of equals the first by id; None when none
    has number and limit."""
    limits = np.broadcast_to(np.asarray(limits, dtype=np.float64), numbers.value.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        load = numbers.value / limits
    if not np.isfinite(load).any():
        return None
    most = np.nanmax(np.where(np.isfinite(load), load, np.nan))
    index = min(np.flatnonzero(load == most).tolist(), key=ids.__getitem__)
    return Worst(ids[index], numbers[index], float(limits[index]))


def gauge_of(
    field: str, quantity: Quantity, limit: float | None, *, subject: str = "", note: str = ""
) -> Gauge:
    """A number against its limit; without data or limit there is no load and no verdict."""
    value = quantity.value
    if value is None or not limit:
        return Gauge(
            field=field,
            quantity=quantity,
            limit=limit,
            subject=subject,
            note=note,
            unknown=quantity.unknown,
        )
    return Gauge(
        field=field,
        quantity=quantity,
        limit=limit,
        load=value / limit,
        low=(value if quantity.low is None else quantity.low) / limit,
        high=(value if quantity.high is None else quantity.high) / limit,
        judged_high=None if quantity.judged_high is None else quantity.judged_high / limit,
        subject=subject,
        note=note,
        unknown=quantity.unknown,
    )


def _gauge(field: str, found: Worst | None, note: str = "") -> Gauge:
    if found is None:
        return Gauge(field=field, note=note)
    return gauge_of(field, found.quantity, found.limit, subject=found.subject, note=note)


def _cpu(policy: Policy, prediction: Prediction, unlisted: int) -> Gauge:
    """CPU of the host or VM nearest to the limit, at peak: that is what the verdict looks at.

    Args:
        unlisted: VMs that run and that no list has.
    """
    limit = policy.cpu_limit_pct
    tables = (prediction.hosts, prediction.vms)
    unknown = lacking(prediction.vms, "cpu") + unlisted
    candidates = [worst(table.ids, table.cpu_pct, limit) for table in tables]
    known = [each for each in candidates if each is not None]
    found = max(known, key=lambda each: each.quantity.value or 0.0, default=None)
    if unknown and found is not None and not found.quantity.value:
        found = None  # idle hosts say nothing of those that are not
    factor = policy.peak_factor_cpu
    note = (
        "" if factor == 1 else say("at peak, {factor} × the average", factor=Numeral(f"{factor:g}"))
    )
    return partly(
        _gauge("cpu_pct", _at_peak(found, factor), "" if found is None else note), unknown
    )


def _at_peak(found: Worst | None, factor: float) -> Worst | None:
    if found is None or factor == 1:
        return found
    return found._replace(quantity=found.quantity.times(factor))


def lacking(items: VmPrediction, resource: str) -> int:
    """How many VMs have no data of a resource that they need."""
    codes = items.by_resource.get(resource)
    return 0 if codes is None else int(np.count_nonzero(codes == Verdict.NOT_KNOWN))


def partly(gauge: Gauge, unknown: int) -> Gauge:
    """The same where so many VMs have no data: it is no more than the worst that is known."""
    if not unknown:
        return gauge
    return replace(gauge, unknown=unknown, quantity=replace(gauge.quantity, unknown=unknown))


def _response(policy: Policy, prediction: Prediction) -> Gauge:
    """The slowest VM; where none has mail users there is nothing that could be slow."""
    vms = prediction.vms
    found = worst(vms.ids, vms.response_ms, policy.response_limit_ms)
    unknown = lacking(vms, "response")
    note = NO_MAIL_USERS if found is None and not unknown else ""
    return partly(_gauge("response_ms", found, note), unknown)


def _ram(prediction: Prediction) -> Gauge:
    """RAM of the fullest host that shares it out, of those on which something runs; of physical
    servers alone there is no limit."""
    hosts = prediction.hosts
    among = hosts.vcpus_per_core > 0
    if found := worst(hosts.ids, hosts.ram_pct, np.where(among, hosts.ram_limit_pct, np.nan)):
        return _gauge("ram_pct", found)
    fullest = worst(hosts.ids, hosts.ram_pct, np.where(among, 100.0, np.nan))
    if fullest is None:
        return Gauge(field="ram_pct")
    return gauge_of("ram_pct", fullest.quantity, None, subject=fullest.subject, note=OWN_RAM)


def _iops(policy: Policy, prediction: Prediction) -> Gauge:
    pools = prediction.pools
    found, factor = worst(pools.ids, pools.iops, pools.limit_iops), policy.peak_factor_iops
    unknown = lacking(prediction.vms, "iops")
    if found is None or factor == 1:
        return partly(_gauge("iops", found), unknown)
    note = say("at peak, {factor} × the average", factor=Numeral(f"{factor:g}"))
    return partly(_gauge("iops", _at_peak(found, factor), note), unknown)


def _failure(policy: Policy, prediction: Prediction) -> Gauge:
    """What is left in the worst failure; its interval is that of the deciding resource."""
    left = prediction.headroom.failure_pct
    if left is None or not math.isfinite(left):
        modes = prediction.failures
        if any(mode.verdict is not None for mode in (*modes, *prediction.together)):
            return _failure_as_known(policy, prediction)
        lost = [(mode.down, mode.host) for mode in modes if mode.down is not None]
        if not lost:
            return Gauge(field=FAILURE, note=NOTHING_FAILS_OVER)
        down, host = min(lost, key=lambda each: (-each[0].people.first, -each[0].vms, each[1]))
        return Gauge(field=FAILURE, subject=host, note=down.words, down=down)
    if prediction.headroom.stranding_pct is not None:
        left = prediction.headroom.stranding_pct
    load = 1 - left / 100
    if host := prediction.headroom.stranding:
        return Gauge(
            field=FAILURE,
            quantity=Quantity(left, left, left, Basis.RULE),
            limit=0.0,
            load=load,
            low=load,
            high=load,
            subject=host,
            others=prediction.headroom.together[1:],
            note=prediction.headroom.stranding_mode,
            stranded=prediction.headroom.stranded,
        )
    mode, deciding = _restarting(prediction) or _worst_failure(
        policy, (*prediction.failures, *prediction.together)
    )
    low, high, judged_high = _relative(deciding)
    quantity = Quantity(left, left_pct(load * high), left_pct(load * low), deciding.basis)
    return Gauge(
        field=FAILURE,
        quantity=replace(quantity, evidence=deciding.evidence),
        limit=0.0,
        load=load,
        low=load * low,
        high=load * high,
        judged_high=None if judged_high is None else load * judged_high,
        subject="" if mode is None else mode.mode.hosts[0],
        others=() if mode is None else mode.mode.hosts[1:],
        note="" if mode is None else mode.id,
    )


def _survivors(policy: Policy, prediction: Prediction) -> Gauge:
    """The worst failure; no more than its known part where VMs without data run on."""
    modes = (*prediction.failures, *prediction.together)
    unknown = max((mode.cpu_pct.unknown for mode in modes), default=0)
    return partly(_failure(policy, prediction), unknown)


def _failure_as_known(policy: Policy, prediction: Prediction) -> Gauge:
    """What is known of the worst failure, where parts of it have no data."""
    mode, deciding = _worst_failure(policy, (*prediction.failures, *prediction.together))
    if mode is None or deciding.value is None:
        return Gauge(field=FAILURE)
    limits = (policy.cpu_limit_pct / policy.peak_factor_cpu, policy.memory_overcommit * 100.0)
    load = deciding.value / (limits[0] if deciding == mode.cpu_pct else limits[1])
    left = left_pct(load)
    return Gauge(
        field=FAILURE,
        quantity=Quantity(left, left, left, Basis.RULE, deciding.evidence),
        limit=0.0,
        load=load,
        low=load,
        high=load,
        subject=mode.mode.hosts[0],
        others=mode.mode.hosts[1:],
        note=mode.id,
    )


def _with_worse(gauge: Gauge, prediction: Prediction) -> Gauge:
    """The same with the failure that is worse than what is left says, if there is one."""
    own = gauge.verdict
    if own is None:
        return gauge
    modes = worst_first((*prediction.failures, *prediction.together))
    judged = [mode for mode in modes if mode.down is None and (mode.verdict or own) > own]
    down = [mode for mode in modes[:1] if mode.down is not None]
    found = next(iter((*judged, *down)), None)
    return gauge if found is None else replace(gauge, worse=found)


def _restarting(prediction: Prediction) -> tuple[FailureMode, Quantity] | None:
    """The failure in which the vCPUs of a VM that restarts decide, and their load; None where they
    don't."""
    load, modes = prediction.headroom.restarting, (*prediction.failures, *prediction.together)
    mode = next((each for each in modes if load is not None and each.id == load.mode), None)
    if load is None or mode is None:
        return None
    high = load.value if load.high is None else load.high
    basis = Basis.RULE if mode.cpu_pct.value is None else mode.cpu_pct.basis
    return mode, Quantity(load.value, load.value, high, basis)


def _worst_failure(
    policy: Policy, modes: Iterable[FailureMode]
) -> tuple[FailureMode | None, Quantity]:
    limits = (policy.cpu_limit_pct / policy.peak_factor_cpu, policy.memory_overcommit * 100.0)
    found: FailureMode | None = None
    deciding, highest = NO_DATA, -math.inf
    for mode in modes:
        if mode.verdict is None:
            continue
        for quantity, limit in zip((mode.cpu_pct, mode.ram_pct), limits, strict=True):
            if quantity.value is not None and quantity.value / limit > highest:
                found, deciding, highest = mode, quantity, quantity.value / limit
    return found, deciding


def _relative(quantity: Quantity) -> tuple[float, float, float | None]:
    """Ends of the interval over the value, and the high end to judge where that is another."""
    value, low, high = quantity.value, quantity.low, quantity.high
    if not value or low is None or high is None:
        return 1.0, 1.0, None
    judged_high = quantity.judged_high
    return low / value, high / value, None if judged_high is None else judged_high / value

"""Which inputs move a design most, one at a time, and where each would turn the verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import isfinite

from models.base.errors import no_such
from models.base.fields import Grows
from models.base.rounding import ranked
from models.base.texts import Text, say
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.predict.predicted import average_limit
from models.predict.prediction import Prediction
from models.scenario.growth import busier, growing, with_more
from models.scenario.scenario import LoadBasis, Policy, Scenario
from models.uncertainty.chance import Uncertain, uncertain_inputs

MOST_BARS = 12
LOAD = "load_pct"
"""The number nearest to its limit, in per cent of it."""

OF = {
    LOAD: ("", ""),
    "cpu_pct": ("hosts", "cpu_pct"),
    "ram_pct": ("hosts", "ram_pct"),
    "disk_pct": ("pools", "utilisation_pct"),
    "space_pct": ("pools", "capacity_pct"),
    "response_ms": ("vms", "response_ms"),
    "failure_pct": ("", ""),
}
"""What can be asked about: the highest of its items, and headroom in the worst failure."""

_JUDGED = (
    ("vms", "cpu_pct", "vm_cpu_pct"),
    ("vms", "response_ms", "response_ms"),
    ("hosts", "cpu_pct", "cpu_pct"),
    ("hosts", "ram_pct", "ram_pct"),
    ("pools", "utilisation_pct", "utilisation_pct"),
    ("pools", "capacity_pct", "capacity_pct"),
)
STEPS = 14
"""Halvings of a range: the border is found to a ten thousandth of it."""
REACH = 4.0
"""How far beyond its range an input is followed, as a factor, until the verdict turns."""

Change = Callable[[Scenario, float], Scenario]


@dataclass(frozen=True, slots=True)
class Swing:
    """An input with its range, and how a scenario looks with another value of it."""

    input: str
    subject: str
    label: Text | str
    low: float
    base: float
    high: float
    source: Text | str
    change: Change


@dataclass(frozen=True, slots=True)
class Bar:
    """What an input does over its range; `turns_at`: its value where the verdict becomes another,
    None where it stays the same within reach."""

    swing: Swing
    at_low: float | None
    at_high: float | None
    turns_at: float | None

    @property
    def width(self) -> float:
        if self.at_low is None or self.at_high is None:
            return 0.0
        return abs(self.at_high - self.at_low)


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The widest bars first; `base`: the number as the scenario stands."""

    of: str
    base: float | None
    bars: tuple[Bar, ...]


def sensitivity(
    scenario: Scenario,
    knowledge: Knowledge,
    *,
    of: str = LOAD,
    check: Callable[[], None] = lambda: None,
) -> Sensitivity:
    """Each input from the low to the high end of its range, all others as they are.

    Raises:
        ModelError: there is no such number.
    """
    if of not in OF:
        raise no_such(say("number"), of, OF, field="of")

    def predicted(other: Scenario) -> Prediction:
        check()
        return evaluate(other, knowledge)

    base = predicted(scenario)
    bars = [_bar(scenario, base, each, predicted, of) for each in swings(scenario)]
    bars.sort(key=lambda bar: -ranked(bar.width))
    return Sensitivity(of, number(base, scenario.policy, of), tuple(bars[:MOST_BARS]))


def swings(scenario: Scenario) -> Iterator[Swing]:
    """The inputs that are moved, with their ranges."""
    changes: dict[str, Change] = {
        "active_users": lambda scenario, factor: with_more(scenario, factor, *growing(Grows.USERS)),
        "work": busier,
        "mail_file_mb": lambda scenario, factor: with_more(scenario, factor, "mail_file_mb"),
    }
    for each in uncertain_inputs(scenario):
        yield _factor(each, changes[each.id])
    policy = scenario.policy
    if policy.load_basis is LoadBasis.BENCHMARK:
        yield _of_policy(
            "benchmark_derating",
            say("benchmark users of an active user"),
            1.0,
            policy.benchmark_derating,
            max(4.0, policy.benchmark_derating),
            say("WV21 divides by 2; field servers: 4 (2 to 12)"),
        )
    yield _of_policy(
        "peak_factor_cpu",
        say("CPU peak over average"),
        1.0,
        policy.peak_factor_cpu,
        max(2.4, policy.peak_factor_cpu),
        say("vSphere 4 paper: peaks up to 2.4 times the average"),
    )
    yield _of_policy(
        "peak_factor_iops",
        say("I/O peak over average"),
        1.0,
        policy.peak_factor_iops,
        max(2.7, policy.peak_factor_iops),
        say("vSphere 4 paper: peaks up to 2.7 times the average"),
    )
    for pool in scenario.pools[:2]:
        if pool.read_share is None:
            continue
        low, high = max(pool.read_share - 0.15, 0.0), min(pool.read_share + 0.15, 1.0)
        yield Swing(
            "read_share",
            pool.id,
            say("share of reads of {pool}", pool=pool.name),
            low,
            pool.read_share,
            high,
            say("assumed: 15 points either way"),
            _with_reads(pool.id),
        )


def _factor(each: Uncertain, change: Change) -> Swing:
    return Swing(each.id, "", each.label, each.low, 1.0, each.high, each.source, change)


def _of_policy(name: str, label: Text, low: float, base: float, high: float, source: Text) -> Swing:
    def change(scenario: Scenario, value: float) -> Scenario:
        policy: Policy = replace(scenario.policy, **{name: value})  # type: ignore[arg-type]
        return replace(scenario, policy=policy)

    return Swing(f"policy.{name}", "", label, low, base, high, source, change)


def _with_reads(id: str) -> Change:
    def change(scenario: Scenario, share: float) -> Scenario:
        return scenario.with_item(replace(scenario.pool(id), read_share=share))

    return change


def number(prediction: Prediction, policy: Policy, of: str) -> float | None:
    """The number that is asked about; None without data."""
    if of == "failure_pct":
        return prediction.headroom.failure_pct
    if of != LOAD:
        return _highest(prediction, *OF[of])
    loads = [
        100.0 * value / average_limit(policy, limit)
        for table, field, limit in _JUDGED
        if (value := _highest(prediction, table, field)) is not None
    ]
    return max(loads, default=None)


def _highest(prediction: Prediction, table: str, field: str) -> float | None:
    part = getattr(prediction, table)
    values = [part.quantity(id, field).value for id in part.ids]
    return max((each for each in values if each is not None and isfinite(each)), default=None)


def _bar(
    scenario: Scenario,
    base: Prediction,
    swing: Swing,
    predicted: Callable[[Scenario], Prediction],
    of: str,
) -> Bar:
    ends = [swing.change(scenario, value) for value in (swing.low, swing.high)]
    found = [predicted(each) for each in ends]
    low, high = (number(p, each.policy, of) for p, each in zip(found, ends, strict=True))

    def differs(value: float) -> bool:
        return predicted(swing.change(scenario, value)).verdict is not base.verdict

    return Bar(swing, low, high, _turning(swing, differs))


def _turning(swing: Swing, differs: Callable[[float], bool]) -> float | None:
    """The value nearest to today's at which the verdict is another, up first, then down."""
    bounded = swing.input == "read_share"
    ends = (
        swing.high if bounded else swing.base * REACH,
        swing.low if bounded else swing.base / REACH,
    )
    for end in ends:
        if end == swing.base or not differs(end):
            continue
        same, other = swing.base, end
        for _ in range(STEPS):
            middle = (same + other) / 2.0
            same, other = (same, middle) if differs(middle) else (middle, other)
        return other
    return None

"""Where the verdict flips: how many users, how much load per user, how many hosts lost.

The verdict is a step function of each; the step is found on the model itself, by grids of what-ifs
that narrow down on the first point with another verdict. Verdicts worsen as load grows; below the
smallest run that was measured intervals widen again, so that fewer users need not be safer. What is
told is therefore the first step on the way from today, in either direction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice

import numpy as np
import numpy.typing as npt

from models.base.fields import bounds_of
from models.base.quantities import FloatArray
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.failure.standalone_hosts import down_by_design
from models.host_loss import lose_host
from models.judgement.binding import Cause, grounds
from models.judgement.resources import Resources
from models.judgement.summary import summarise
from models.physics.scenario_to_arrays import to_arrays
from models.predict.demands import demands_of
from models.predict.prediction import Prediction, Verdict
from models.scenario.scenario import Admission, Policy, Scenario, active_users
from models.single_changes.changes import grown
from models.stages import undisturbed, without_failures
from models.version import MODEL_VERSION
from models.whatif import what_if

MOST, LEAST = 64.0, 1.0 / 64.0
"""Factors where the search ends, up and down."""

FIRST_POINTS, POINTS, ROUNDS = 36, 9, 5
"""Points of the first grid, of those after it, and how many: to 1 part in 200,000 in the end, so
that a step found from below and from above is told as the same number."""

MOST_HOSTS_LOST = 3
MOST_VARIANTS = 64
"""Sets of hosts that are tried for a number of hosts lost."""

BATCH = 8_000
"""VMs times variants of one batch: what is worked out between two chances to give up."""

BEYOND = 1.001
"""So far beyond a step it is asked what gave way: further than the step is exact."""

Verdicts = Callable[[FloatArray], npt.NDArray[np.int8]]
Grown = Callable[[Scenario, float], Scenario]
Check = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Step:
    """The first change of the verdict in one direction: at this value it becomes `to`.

    `by` is what gives way there: a resource, or the error of a rule; None where nobody looked.
    """

    at: float
    to: Verdict
    by: Cause | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """Where the verdict flips along one quantity.

    Attributes:
        now: today's value, in the unit of the steps.
        up, down: first change as it grows or shrinks; None: none within a factor of 64.
        beyond: where it no longer fits, past an `up` to at risk; None: nowhere, or nobody looked.
        of_mail: of users those of mail, beside which there are some of chat.
    """

    now: float
    up: Step | None
    down: Step | None
    beyond: Step | None = None
    of_mail: bool = False


@dataclass(frozen=True, slots=True)
class Lost:
    """Hosts whose loss changes the verdict: the fewest, and of those the worst.

    What is left is judged as it then runs; that yet another host might fail is not held against it.
    `by` is what gives way without them. `alone`: one of them stands alone, outside clusters or left
    out by HA.
    """

    hosts: tuple[str, ...]
    to: Verdict
    by: Cause | None = None
    alone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Flips:
    """How far today's verdict holds.

    Attributes:
        users: active users of the whole scenario, in proportion, registered ones with them: those
            of mail, while those of chat stay, and of chat where there are no others. None where
            there are none.
        load: work of each user, over today's; users and mail files stay as they are.
        lost: None where up to three hosts may be lost, or there is nothing to lose.
        tried: number of hosts up to which losses were tried.
    """

    verdict: Verdict
    users: Flip | None
    load: Flip | None
    lost: Lost | None
    tried: int


def flips(
    scenario: Scenario,
    knowledge: Knowledge,
    *,
    check: Check = lambda: None,
) -> Flips:
    """Flip distances of a scenario.

    Args:
        check: called between batches of what-ifs; may raise to give up.

    Raises:
        ModelError: an id that leads nowhere.
    """

    def more_users(factors: FloatArray) -> npt.NDArray[np.int8]:
        check()
        return what_if(scenario, knowledge, users=_active(scenario, factors)).verdict

    def more_load(factors: FloatArray) -> npt.NDArray[np.int8]:
        check()
        return what_if(scenario, knowledge, work=factors).verdict

    if not scenario.vms:
        return Flips(verdict=Verdict.FITS, users=None, load=None, lost=None, tried=0)
    batch = _batch(scenario)
    now = Verdict(int(more_users(np.ones(1))[0]))
    total = active_users(scenario.vms).first
    users = load = None
    causes = _Causes(scenario, knowledge, check)
    if total > 0:
        flip = with_beyond(find_flip(more_users, now, batch), more_users, now, batch)
        users = scaled(causes.named(flip, scenario, with_more_users), total)
        users = replace(users, of_mail=active_users(scenario.vms).are_mixed)
        load = causes.named(find_flip(more_load, now, batch), scenario, with_more_load)
    tried, lost = _lost(scenario, knowledge, now, check)
    if lost is not None:
        lost = replace(lost, by=causes.without(lost))
    return Flips(verdict=now, users=users, load=load, lost=lost, tried=tried)


@dataclass(frozen=True, slots=True, eq=False)
class _Causes:
    """Looks up what gives way beyond a step."""

    scenario: Scenario
    knowledge: Knowledge
    check: Check

    def named(self, flip: Flip, of: Scenario, grown: Grown) -> Flip:
        """The step upwards with its cause; downwards today's is the cause."""
        if flip.up is None:
            return flip
        cause = self._of(grown(of, flip.up.at * BEYOND), flip.up.to)
        return replace(flip, up=replace(flip.up, by=cause))

    def without(self, lost: Lost) -> Cause | None:
        loss = lose_host(self.scenario, self.knowledge, *lost.hosts)
        arrays = to_arrays(self.scenario, self.knowledge.catalog)
        gone = np.array([id in lost.hosts for id in arrays.hosts.ids])
        off = {arrays.vms.ids[row] for row in down_by_design(arrays, gone).nonzero()[0].tolist()}
        down = frozenset(loss.down) - off
        vms = tuple(
            replace(vm, host=None, powered_on=True) if vm.id in down else vm
            for vm in loss.scenario.vms
        )
        clusters = tuple(
            replace(cluster, admission=Admission()) for cluster in loss.scenario.clusters
        )
        left = replace(loss.scenario, vms=vms, clusters=clusters)
        self.check()
        stage = demands_of(left, self.knowledge)
        numbers = without_failures(undisturbed(stage, left.policy))
        return self._by(summarise(left, numbers, Resources.of(numbers), MODEL_VERSION), lost.to)

    def _of(self, scenario: Scenario, to: Verdict) -> Cause | None:
        self.check()
        return self._by(evaluate(scenario, self.knowledge), to)

    def _by(self, prediction: Prediction, to: Verdict) -> Cause | None:
        """None where the scenario, made by hand, is judged otherwise than the batch of copies, or
        no number of it decides."""
        if prediction.verdict is not to:
            return None
        found = {
            who: finding
            for who, finding in grounds(prediction).items()
            if to < Verdict.DOES_NOT_FIT or finding.weight is to
        }
        if found:
            known = grounds(evaluate(self.scenario, self.knowledge))
            new = [finding for who, finding in found.items() if who not in known]
            if new:
                return new[0]
        return prediction.binding


def with_more_users(scenario: Scenario, factor: float) -> Scenario:
    """The scenario with so many times its users on every VM, their mail files with them; those of
    chat stay where there are others."""
    growing = _growing(scenario)
    vms = (
        grown(vm, vm.workload.active_users * factor) if grows else vm
        for vm, grows in zip(scenario.vms, growing, strict=True)
    )
    return replace(scenario, vms=tuple(vms))


def _growing(scenario: Scenario) -> list[bool]:
    """Whose users are varied together, a VM each."""
    are_mixed = active_users(scenario.vms).are_mixed
    return [not (are_mixed and vm.workload.kind.is_chat) for vm in scenario.vms]


def _active(scenario: Scenario, factors: FloatArray) -> FloatArray:
    """Active users at each factor as `with_more_users` has them, (s, n)."""
    now = np.array([vm.workload.active_users for vm in scenario.vms])
    return np.asarray(np.where(_growing(scenario), factors[:, None], 1.0) * now)


def _batch(scenario: Scenario) -> int:
    return max(BATCH // max(len(scenario.vms), 1), 4)


def find_flip(verdicts: Verdicts, now: Verdict, batch: int = FIRST_POINTS) -> Flip:
    """First change of the verdict along a factor, up from 1 and down from 1.

    Args:
        batch: how many factors are asked for at once.

    >>> def over(factors):  # fits up to 1.5, does not fit beyond
    ...     return np.where(factors > 1.5, 3, 0).astype(np.int8)
    >>> flip = find_flip(over, Verdict.FITS)
    >>> round(flip.up.at, 2), flip.up.to.label, flip.down
    (1.5, 'does not fit', None)
    """
    up, down = (_step(verdicts, now, end, batch) for end in (MOST, LEAST))
    return Flip(now=1.0, up=up, down=down)


def with_beyond(flip: Flip, verdicts: Verdicts, now: Verdict, batch: int = FIRST_POINTS) -> Flip:
    """The flip of a factor with the end of the way as well, where it fits now and is at risk next.

    >>> def over(factors):  # at risk beyond 1.5, does not fit beyond 2
    ...     return np.where(factors > 2.0, 3, np.where(factors > 1.5, 2, 0)).astype(np.int8)
    >>> flip = with_beyond(find_flip(over, Verdict.FITS), over, Verdict.FITS)
    >>> round(flip.up.at, 2), flip.up.to.label, round(flip.beyond.at, 2), flip.beyond.to.label
    (1.5, 'at risk', 2.0, 'does not fit')
    """
    if now is not Verdict.FITS or flip.up is None or flip.up.to is not Verdict.AT_RISK:
        return flip
    beyond = _step(verdicts, flip.up.to, MOST, batch, start=flip.up.at)
    is_end = beyond is not None and beyond.to is Verdict.DOES_NOT_FIT
    return replace(flip, beyond=beyond if is_end else None)


def _step(
    verdicts: Verdicts, now: Verdict, end: float, batch: int, *, start: float = 1.0
) -> Step | None:
    """The first other verdict between `start` and `end`, narrowed down grid by grid."""
    first, last, points = start, end, FIRST_POINTS
    found = now
    for _ in range(1 + ROUNDS):
        grid = np.geomspace(first, last, points)
        met = _first_other(verdicts, now, grid, batch)
        if met is None:
            return None if found is now else Step(float(last), found)
        at, found = met
        first, last, points = float(grid[at - 1]), float(grid[at]), POINTS
    return Step(first if end > 1 else last, found)


def _first_other(
    verdicts: Verdicts, now: Verdict, grid: FloatArray, batch: int
) -> tuple[int, Verdict] | None:
    """The first point of the grid after its start that has another verdict; batch by batch."""
    for start in range(1, len(grid), batch):
        codes = verdicts(grid[start : start + batch])
        others = np.flatnonzero(codes != int(now))
        if len(others):
            return start + int(others[0]), Verdict(int(codes[others[0]]))
    return None


def scaled(flip: Flip, total: float) -> Flip:
    """The same in other units: what was a factor, times today's total."""

    def step(each: Step | None) -> Step | None:
        return None if each is None else replace(each, at=each.at * total)

    now, beyond = flip.now * total, step(flip.beyond)
    return Flip(now=now, up=step(flip.up), down=step(flip.down), beyond=beyond)


def with_more_load(scenario: Scenario, factor: float) -> Scenario:
    """The scenario with so many times the work of each user, as many users and mail files."""
    load = bounds_of(Policy, "load_factor").held(scenario.policy.load_factor * factor)
    return replace(scenario, policy=replace(scenario.policy, load_factor=load))


# --- hosts lost --------------------------------------------------------------------------------


def _lost(
    scenario: Scenario,
    knowledge: Knowledge,
    now: Verdict,
    check: Check,
) -> tuple[int, Lost | None]:
    """How many were tried, and the fewest hosts whose loss makes the verdict worse.

    The fullest hosts are tried alone, then sets of them, at most `MOST_VARIANTS` of each size.
    """
    rows = _worth_trying(scenario)
    if not rows or now is Verdict.DOES_NOT_FIT:
        return 0, None
    count = 0
    for count in range(1, min(MOST_HOSTS_LOST, len(rows)) + 1):
        sets = [*islice(combinations(rows, count), MOST_VARIANTS)]
        codes = _verdicts_without(scenario, knowledge, sets, check)
        worst = int(np.argmax(codes))
        if codes[worst] > int(now):
            ids = tuple(scenario.hosts[row].id for row in sets[worst])
            alone = to_arrays(scenario, knowledge.catalog).hosts.cluster[list(sets[worst])] < 0
            return count, Lost(ids, Verdict(int(codes[worst])), alone=bool(alone.any()))
    return count, None


def _worth_trying(scenario: Scenario) -> list[int]:
    """Hosts that carry something, the fullest first."""
    loads = [sum(vm.ram_gib for vm in scenario.vms_on(host.id)) for host in scenario.hosts]
    rows = [row for row, host in enumerate(scenario.hosts) if scenario.vms_on(host.id)]
    return sorted(rows, key=lambda row: -loads[row])


def _verdicts_without(
    scenario: Scenario,
    knowledge: Knowledge,
    sets: Sequence[tuple[int, ...]],
    check: Check,
) -> npt.NDArray[np.int8]:
    down = np.zeros((len(sets), len(scenario.hosts)), dtype=np.bool_)
    for variant, rows in enumerate(sets):
        down[variant, list(rows)] = True
    codes = []
    for start in range(0, len(sets), batch := _batch(scenario)):
        check()
        some = down[start : start + batch]
        found = what_if(scenario, knowledge, hosts_down=some, others_fail=False)
        codes.append(found.verdict)
    return np.concatenate(codes)

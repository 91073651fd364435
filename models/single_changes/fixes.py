"""The cheapest single change that mends a design, found by trying changes on the model.

There are no prices, so changes are ranked by what they ask of people, and within a kind by size:

1. move a VM to another host: nothing is bought;
2. RAM of VMs, then their vCPUs: a setting;
3. drives in a pool;
4. RAM in hosts;
5. more hosts.

Every candidate is a whole scenario that goes through `evaluate`. It is a fix only if what decides
the verdict is mended, nothing else gets worse, and no rule finds an error or gives a warning that
it did not give before. Where several things are wrong at once a single change may leave the verdict
as it is; the fix then says what comes next. Of each kind the smallest amount that mends the most
counts. Pinned values are left alone. Where a VM's own vCPUs decide after a restart, vCPUs alone are
tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial

from models.base.errors import ModelError
from models.base.texts import say
from models.catalog.catalog import Catalog
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.judgement.against_limits import NORMAL
from models.judgement.verdict import POWER_ON
from models.predict.prediction import Prediction, Severity, Verdict
from models.scenario.inputs import Subject, is_pinned
from models.scenario.scenario import Host, Pool, Scenario, Vm
from models.single_changes import changes
from models.single_changes.changes import Change

Check = Callable[[], None]
Make = Callable[[float], Change]


class Rank(IntEnum):
    """What a change asks of people, the cheapest first."""

    MOVE = 1
    VM_RAM = 2
    VCPUS = 3
    DRIVES = 4
    HOST_RAM = 5
    HOSTS = 6


ORDER_WORDS = say(
    "Smallest change first, since there are no prices: move a VM, RAM of VMs, vCPUs, drives, "
    "RAM in hosts, more hosts."
)

RAM_STEPS_GIB = (8.0, 16.0, 32.0, 64.0, 128.0, 256.0)
VM_RAM_STEPS_GIB = (-8.0, -4.0, -2.0, -1.0, 1.0, 2.0, 4.0, 8.0, 16.0)
VCPU_STEPS = (1.0, 2.0, 4.0)
FEWER_VCPUS = (-1.0, -2.0, -4.0, -8.0, -16.0, -32.0, -64.0)
"""For a VM that has too many to be powered on."""

DRIVE_SHARES = (0.1, 0.25, 0.5, 1.0, 2.0)
HOST_STEPS = (1.0, 2.0, 3.0)
MOST_MOVES = 24
"""Moves that are tried: the binding VM everywhere, then the smallest VMs of the binding host."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fix:
    """A change that mends what decides the verdict.

    Attributes:
        prediction: of the changed scenario.
        amount: how much of its kind, to compare fixes of one rank.
        left: how much trouble is left, counted over items and failure modes.
    """

    change: Change
    rank: Rank
    amount: float
    prediction: Prediction
    left: int

    @property
    def verdict(self) -> Verdict:
        return self.prediction.verdict

    @property
    def how_well(self) -> tuple[int, int]:
        return (int(self.verdict), self.left)

    @property
    def key(self) -> tuple[int, int, int, float]:
        """By which fixes stand in line: how well, how cheap, how much."""
        return (*self.how_well, int(self.rank), self.amount)


@dataclass(frozen=True, slots=True)
class Fixes:
    """All that were found, the best first, and how many scenarios were tried."""

    found: tuple[Fix, ...]
    tried: int

    @property
    def best(self) -> Fix | None:
        """The cheapest of those with the best verdict; None where no single change helps."""
        return self.found[0] if self.found else None


def fixes(
    scenario: Scenario,
    knowledge: Knowledge,
    prediction: Prediction,
    *,
    check: Check = lambda: None,
) -> Fixes:
    """Single changes that mend what decides the verdict on `scenario`; none where it fits, nor
    where what decides isn't known: no change makes figures known.

    Args:
        prediction: of the scenario as it is.
        check: called before each trial; may raise to give up.
    """
    if prediction.verdict <= Verdict.NOT_KNOWN or not scenario.vms:
        return Fixes((), 0)
    trial = _Trial(scenario, knowledge, prediction, check)
    aim = _Aim.of(scenario, prediction)
    found: list[Fix] = []
    for rank, steps, make in _candidates(scenario, knowledge.catalog, aim):
        fix = trial.smallest(rank, steps, make)
        if fix is not None:
            found.append(fix)
    return Fixes(tuple(sorted(found, key=lambda fix: fix.key)), trial.tried)


class _Trial:
    """Tries changes one after the other."""

    def __init__(
        self,
        scenario: Scenario,
        knowledge: Knowledge,
        prediction: Prediction,
        check: Check,
    ) -> None:
        self._scenario = scenario
        self._knowledge = knowledge
        self._before = prediction
        self._troubles = troubles(prediction)
        self._known = _objections(prediction)
        self._check = check
        self.tried = 0

    def smallest(self, rank: Rank, steps: Sequence[float], make: Make) -> Fix | None:
        """The smallest of these steps that mends as much as any of them does."""
        best: Fix | None = None
        for step in sorted(steps, key=abs):
            fix = self._tried(rank, step, make)
            if fix is not None and (best is None or fix.how_well < best.how_well):
                best = fix
            if best is not None and best.verdict <= Verdict.NOT_KNOWN:
                break
        return best

    def _tried(self, rank: Rank, step: float, make: Make) -> Fix | None:
        self._check()
        try:
            change = make(step)
        except ModelError:
            return None
        if _touches_pins(self._scenario, change):
            return None
        self.tried += 1
        after = evaluate(change.scenario, self._knowledge)
        if not self._mends(after):
            return None
        left = sum(troubles(after).values())
        return Fix(change=change, rank=rank, amount=abs(step), prediction=after, left=left)

    def _mends(self, after: Prediction) -> bool:
        """Whether what decides is mended and nothing else is worse than before."""
        if after.verdict > self._before.verdict or _objections(after) - self._known:
            return False
        now = troubles(after)
        if any(code > self._troubles.get(key, 0) for key, code in now.items()):
            return False
        if after.verdict < self._before.verdict:
            return True
        deciding = _deciding(self._before)
        return deciding is not None and now.get(deciding, 0) < self._troubles.get(deciding, 0)


Key = tuple[str, str]


def troubles(prediction: Prediction) -> dict[Key, int]:
    """Every item and failure mode that is no plain fit, with its verdict's code."""
    found = {
        (name, id): int(code)
        for name in ("vms", "hosts", "pools")
        for id, code in zip(
            getattr(prediction, name).ids, getattr(prediction, name).verdict, strict=True
        )
    }
    found |= {
        ("failures", mode.host): int(mode.verdict)
        for mode in prediction.failures
        if mode.verdict is not None
    }
    found |= {
        ("failures", each.mode): int(Verdict.AT_RISK) for each in prediction.outages if each.harms
    }
    return {key: code for key, code in found.items() if code > Verdict.FITS}


def _deciding(prediction: Prediction) -> Key | None:
    """The item or failure mode that decides the verdict."""
    binding = prediction.binding
    if binding is None:
        return None
    if binding.lost is not None:
        return ("failures", binding.mode)
    if binding.mode != NORMAL:
        return ("failures", binding.subject)
    tables = (("vms", prediction.vms), ("hosts", prediction.hosts), ("pools", prediction.pools))
    return next(((name, binding.subject) for name, each in tables if binding.subject in each), None)


def _objections(prediction: Prediction) -> frozenset[tuple[str, str]]:
    """Rules that find an error or warn, each with what it speaks of."""
    return frozenset(
        (each.rule, each.subject)
        for each in prediction.findings
        if each.severity is not Severity.ADVICE
    )


_FIELDS = {Host: ("ram_gib",), Pool: ("spindles",), Vm: ("ram_gib", "vcpus", "host")}


def _touches_pins(before: Scenario, change: Change) -> bool:
    """Whether the change alters a value that somebody pinned."""
    stored: dict[str, Subject] = {item.id: item for item in before.items()}
    for item in change.scenario.items():
        was = stored.get(item.id)
        if was is None or was is item:
            continue
        for field in _FIELDS.get(type(item), ()):
            if getattr(was, field) != getattr(item, field) and is_pinned(was, field):
                return True
    return False


# --- candidates --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Aim:
    """What is worth changing: the items that decide, and those that share their fate.

    Attributes:
        vm: the VM that decides by itself, if one does; `restarts`: with its own vCPUs, where it
            restarts.
    """

    vm: tuple[str, ...]
    restarts: bool
    vms: tuple[str, ...]
    hosts: tuple[str, ...]
    pools: tuple[str, ...]
    every_host: tuple[str, ...]
    every_vm: tuple[str, ...]
    refused: tuple[str, ...]

    @classmethod
    def of(cls, scenario: Scenario, prediction: Prediction) -> _Aim:
        """The binding item with its host, pool and VMs; clusters and all VMs beside them."""
        bindings = (prediction.binding, prediction.runner_up)
        subjects = {id for each in bindings if each for id in (each.subject, each.vm) if id}
        vms = _vms_of(scenario, subjects) or tuple(vm.id for vm in scenario.vms)
        there = [scenario.vm(id) for id in vms]
        hosts = {vm.host for vm in there if vm.host} | {
            host.id for host in scenario.hosts if host.id in subjects
        }
        clusters = {scenario.host(id).cluster for id in hosts} - {None}
        every = [h.id for h in scenario.hosts if h.cluster in clusters and changes.is_virtual(h)]
        pools = {vm.pool for vm in there if vm.pool} | {
            pool.id for pool in scenario.pools if pool.id in subjects
        }
        off = {each.subject for each in bindings if each and each.resource == POWER_ON}
        first = prediction.binding
        decides = "" if first is None else first.vm or first.subject
        return cls(
            tuple(vm.id for vm in scenario.vms if vm.id == decides),
            first is not None and first.own and _deciding(prediction) in troubles(prediction),
            vms,
            tuple(h.id for h in scenario.hosts if h.id in hosts),
            tuple(p.id for p in scenario.pools if p.id in pools),
            tuple(every),
            tuple(vm.id for vm in scenario.vms if vm.workload.kind.is_domino),
            tuple(vm.id for vm in scenario.vms if vm.id in off),
        )


def _vms_of(scenario: Scenario, subjects: set[str]) -> tuple[str, ...]:
    return tuple(
        vm.id
        for vm in scenario.vms
        if vm.id in subjects or vm.host in subjects or vm.pool in subjects
    )


Candidate = tuple[Rank, Sequence[float], Make]


def _candidates(scenario: Scenario, catalog: Catalog, aim: _Aim) -> Iterator[Candidate]:
    """Of changes that help, the cheapest kind first.

    VMs that ask too much of their own vCPUs where they restart are helped by vCPUs. Memory and
    moves could take them to a faster host, but no further than the next change takes them back.
    """
    groups = dict.fromkeys(filter(None, (aim.vm, *_groups(aim.vms, aim.every_vm))))
    if aim.restarts:
        for vms in groups:
            yield Rank.VCPUS, VCPU_STEPS, partial(_more_vcpus, scenario, vms)
        return
    yield from _moves(scenario, catalog, aim)
    for vms in groups:
        yield Rank.VM_RAM, VM_RAM_STEPS_GIB, partial(changes.vm_ram, scenario, vms)
        yield Rank.VCPUS, VCPU_STEPS, partial(_more_vcpus, scenario, vms)
    for vm in aim.refused:
        yield Rank.VCPUS, FEWER_VCPUS, partial(_more_vcpus, scenario, [vm])
    for pool in aim.pools:
        steps = _drive_steps(scenario.pool(pool))
        yield Rank.DRIVES, steps, partial(_more_drives, scenario, pool)
    for hosts in _groups(aim.hosts, aim.every_host):
        yield Rank.HOST_RAM, RAM_STEPS_GIB, partial(changes.host_ram, scenario, hosts)
    if aim.hosts:
        yield Rank.HOSTS, HOST_STEPS, partial(_more_hosts, scenario, _model_host(scenario, aim))


def _groups(few: Sequence[str], all_of_them: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Each of a few alone where they are few, then together, then all there are."""
    singles = [(id,) for id in few] if len(few) <= 4 else []
    groups: Iterable[tuple[str, ...]] = (*singles, tuple(few), tuple(all_of_them))
    yield from dict.fromkeys(group for group in groups if group)


def _moves(scenario: Scenario, catalog: Catalog, aim: _Aim) -> Iterator[Candidate]:
    """VMs that decide, the smallest first, to every other host that may take them."""
    vms = sorted((scenario.vm(id) for id in aim.vms), key=lambda vm: vm.ram_gib)
    pairs = [
        (vm, host)
        for vm in vms
        for host in scenario.hosts
        if host.id != vm.host and changes.is_virtual(host) and not host.in_maintenance
    ]
    for vm, host in pairs[:MOST_MOVES]:
        yield Rank.MOVE, (vm.ram_gib,), partial(_moved, scenario, catalog, vm.id, host.id)


def _moved(scenario: Scenario, catalog: Catalog, vm: str, host: str, _step: float) -> Change:
    return changes.moved(scenario, catalog, vm, host)


def _more_vcpus(scenario: Scenario, vms: Sequence[str], step: float) -> Change:
    return changes.vcpus(scenario, vms, round(step))


def _more_drives(scenario: Scenario, pool: str, step: float) -> Change:
    return changes.drives(scenario, [pool], round(step))


def _drive_steps(pool: Pool) -> tuple[float, ...]:
    """About a tenth, a quarter … of the drives; pairs where they are mirrored."""
    by = 2 if pool.raid in ("1", "10") else 1
    counts = {by * max(round(pool.spindles * share / by), 1) for share in DRIVE_SHARES}
    return tuple(float(count) for count in sorted(counts))


def _model_host(scenario: Scenario, aim: _Aim) -> str:
    """The host that another one is to be like: one of the cluster that is short."""
    clustered = [id for id in aim.hosts if scenario.host(id).cluster is not None]
    return clustered[0] if clustered else aim.hosts[0]


def _more_hosts(scenario: Scenario, like: str, step: float) -> Change:
    change = changes.add_host(scenario, like)
    for _ in range(round(step) - 1):
        more = changes.add_host(change.scenario, like)
        change = Change(more.scenario, more.text, (*change.subjects, *more.subjects))
    if step > 1:
        return Change(change.scenario, say("+{step} hosts", step=round(step)), change.subjects)
    return change

"""The next best question: inputs that nobody has answered, by what knowing them would change.

The load of a scenario rests on inputs, and on the model. What is not known of an input is a range;
the scenario is evaluated at both of its ends. With s the half width that the range makes in a load
over its limit, in logarithms, and h that of the model's own interval, all of them independent,

    narrows = 1 − √(1 − s²/(h² + Σs²))

is how much narrower the interval gets when this one is known, of the resource that it narrows most.
It *turns* the verdict where one of its ends has another one. Ranges are published where they can
be, else stated. Source of the sum of squares: variances of independent errors add up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from models.base.fields import value_at, with_value
from models.base.quantities import Series
from models.base.texts import Text, say
from models.customer.site import Z90
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.predict.prediction import Prediction, Verdict
from models.scenario.inputs import SPREADS, Subject, applies, frozen, origin_of
from models.scenario.origin import Origin
from models.scenario.owners import LEAST_ACTIVE, MOST_ACTIVE
from models.scenario.scenario import NO_HYPERVISOR, LoadBasis, Pool, Profile, Scenario, Site, Vm

MOST_ASKED = 12
"""Questions that are answered: nobody asks a customer for more at once."""

MOST_OF_A_KIND = 4
"""Kinds of item that are asked about one by one; of the same question the others are asked
together."""

LEAST_PCT = 0.5
"""What narrows no interval by so much and turns no verdict isn't worth a question [%]."""

UNANSWERED = frozenset(
    origin for origin in Origin if origin.is_assumed or origin is Origin.BENCHMARK
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What to find out, and what for.

    Attributes:
        input: path of the input; `subjects`: ids of the items, empty for the scenario's own.
        what: for people; `command`: what to run, and `system`: where.
        narrows_pct: how much narrower the interval gets that it narrows most [%].
        turns: other verdicts than now's at the ends of what it may be.
    """

    input: str
    subjects: tuple[str, ...]
    what: Text
    system: Text
    command: str
    narrows_pct: float
    turns: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """Where an answer comes from: the system, and the line to run there."""

    system: Text
    command: str


ESXTOP = "esxtop -b -a -d 20 -n 4320 | gzip > esxtop.csv.gz"
TYPEPERF = (
    r'typeperf "\Processor(_Total)\% Processor Time" "\Memory\Available MBytes" '
    r'"\PhysicalDisk(_Total)\Disk Transfers/sec" "\System\Processor Queue Length" '
    r"-si 15 -sc 11520 -o perfmon.csv"
)
SAR = "sar -A -o sar.bin 60 2880 >/dev/null; sadf -d -- -A sar.bin > sadf.csv"


Ends = Callable[[Any], tuple[Any, Any]]
"""The low and the high end of what an input of an item may be."""

Ways = tuple[Scenario, Scenario]
"""The same input of one or several items at either end."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One input that may be asked for.

    Attributes:
        when: whether it is asked of an item, besides not being answered.
        around: a value that nobody vouches for may be half and twice of it, whatever its ends; an
            assumed one with a range of its own anything in that.
    """

    path: str
    what: Text
    ends: Ends
    source: Callable[[Scenario, Subject], Source]
    when: Callable[[Scenario, Subject], bool] = lambda _scenario, _item: True
    around: bool = False

    def at(self, item: Subject, side: int) -> Subject:
        """The item with its input at the low (−1) or the high end (+1)."""
        spread = value_at(item, SPREADS[self.path]) if self.path in SPREADS else None
        is_around = self.around or spread is not None
        value = float(value_at(item, self.path) or 0.0) if is_around else 0.0
        factor = spread or 2.0
        low, high = (value / factor, factor * value) if value > 0 else self.ends(item)
        return with_value(item, self.path, high if side > 0 else low)


def _between(low: Any, high: Any) -> Ends:
    return lambda _item: (low, high)


SourceOf = Callable[[Scenario, Subject], Source]


def _console(command: str) -> SourceOf:
    """On the console of the Domino server that the item is, or of each."""

    def source(_scenario: Scenario, item: Subject) -> Source:
        if isinstance(item, Vm):
            return Source(say("Domino console of {server}", server=item.name), command)
        return Source(say("Domino console of each server"), command)

    return source


def _shell(command: str) -> SourceOf:
    """In the data directory of the item's Domino server."""

    def source(_scenario: Scenario, item: Subject) -> Source:
        return Source(say("shell of {server}, data directory", server=_name(item)), command)

    return source


def _name(item: Subject) -> str:
    return item.name


def _of_array(_scenario: Scenario, item: Subject) -> Source:
    return Source(say("ESX host with {pool}", pool=_name(item)), ESXTOP)


def where_measured(scenario: Scenario, item: Subject) -> Source:
    """Where CPU, I/O and memory of a VM are measured: at its host, else in its own system."""
    host = None
    if isinstance(item, Vm) and item.host is not None:
        host = scenario.host(item.host)
    elif isinstance(item, Scenario) and scenario.hosts:
        host = scenario.hosts[0]
    if host is not None and host.hypervisor != NO_HYPERVISOR:
        return Source(say("ESX host {name}, shell", name=host.name), ESXTOP)
    if isinstance(item, Vm):
        return Source(
            say("Windows server {name}; on Linux: {sar}", name=item.name, sar=SAR), TYPEPERF
        )
    return Source(say("each Windows server; on Linux: {sar}", sar=SAR), TYPEPERF)


def _is_domino(_scenario: Scenario, item: Subject) -> bool:
    return isinstance(item, Vm) and item.workload.kind.is_domino


def _in_production(scenario: Scenario, _item: Subject) -> bool:
    return scenario.policy.load_basis is LoadBasis.PRODUCTION


def _in_benchmark(scenario: Scenario, _item: Subject) -> bool:
    return not _in_production(scenario, _item)


def _owners(vm: Vm) -> tuple[float, float]:
    users = vm.workload.active_users
    return users / MOST_ACTIVE, users / LEAST_ACTIVE


def _per_vcpu(low: float, high: float) -> Ends:
    return lambda vm: (low * vm.vcpus, high * vm.vcpus)


MHZ_OF_VCPU = 2500.0
"""Of a vCPU whose CPU nobody measured, so that its range has ends: a common clock. Stated."""

OF_SCENARIO: tuple[Asked, ...] = (
    Asked(
        "policy.benchmark_derating",
        say("transactions and users of a busy hour"),
        _between(1.0, 4.0),
        _console("show stat Server.*"),
        _in_benchmark,
    ),
    Asked(
        "policy.peak_factor_cpu",
        say("CPU over a week, a sample a minute at most"),
        _between(1.0, 1.5),
        where_measured,
    ),
    Asked(
        "policy.peak_factor_iops",
        say("I/O over a week, a sample a minute at most"),
        _between(1.0, 1.5),
        where_measured,
    ),
    Asked(
        "policy.mail_growth_pct",
        say("space of mail files now and a year ago"),
        _between(0.0, 50.0),
        _console("show stat Disk.*"),
    ),
)
OF_POOL: tuple[Asked, ...] = (
    Asked(
        "read_share",
        say("reads and writes of the volumes"),
        _between(0.5, 0.85),
        _of_array,
    ),
)
OF_VM: tuple[Asked, ...] = (
    Asked(
        "workload.active_users",
        say("users with a transaction within 15 minutes, in a busy hour"),
        _per_vcpu(50.0, 1000.0),
        _console("show stat Server.Users*"),
        around=True,
    ),
    Asked(
        "workload.registered_users",
        say("mail files on the server"),
        _owners,
        _console("show directory mail"),
        lambda scenario, item: _is_domino(scenario, item) and _in_production(scenario, item),
    ),
    Asked(
        "workload.mail_file_mb",
        say("size of the mail files"),
        lambda _vm: (100.0, 2000.0),
        _console("show directory mail"),
        around=True,
    ),
    Asked(
        "workload.profile",
        say("tasks that the server runs"),
        _between(Profile.MAIL, Profile.MAKER),
        _console("show tasks"),
        _in_production,
    ),
    Asked(
        "workload.daos_saving_pct",
        say("space in DAOS"),
        _between(0.0, 50.0),
        _console("tell daosmgr status"),
    ),
    Asked(
        "workload.full_text_pct",
        say("space of full-text indexes"),
        _between(0.0, 30.0),
        _shell("du -scm mail/*.ft"),
    ),
    Asked(
        "workload.view_index_pct",
        say("space of view indexes"),
        _between(0.0, 30.0),
        _shell("du -scm mail/*.ndx"),
    ),
    Asked(
        "workload.cpu_mhz",
        say("CPU over a working day"),
        _per_vcpu(0.05 * MHZ_OF_VCPU, MHZ_OF_VCPU),
        where_measured,
    ),
    Asked(
        "workload.iops",
        say("I/O over a working day"),
        _per_vcpu(5.0, 200.0),
        where_measured,
    ),
    Asked(
        "workload.memory_gib",
        say("memory in use"),
        lambda vm: (0.3 * vm.ram_gib, vm.ram_gib),
        where_measured,
    ),
    Asked(
        "workload.disk_gib",
        say("space in use"),
        lambda vm: (20.0, 20.0 + 10.0 * vm.ram_gib),
        _shell("df -m"),
    ),
)
SITE = "policy.site"


def questions(
    scenario: Scenario,
    knowledge: Knowledge,
    *,
    most: int = MOST_ASKED,
    check: Callable[[], None] = lambda: None,
) -> tuple[Question, ...]:
    """What to find out next, what changes most first; nothing where it changes nothing.

    Args:
        check: called between evaluations; may raise to end it.

    Raises:
        ModelError: the scenario can't exist.
    """
    now = evaluate(scenario, knowledge)
    loads, model = _loads(now)
    asked: list[tuple[Question, dict[str, float]]] = []
    for question, ways in _all_ways(scenario, now):
        check()
        ends = [evaluate(each, knowledge) for each in ways]
        spread = _spread(loads, [_loads(each)[0] for each in ends])
        turns = {each.verdict for each in ends} - {now.verdict}
        if turns or spread:
            found = tuple(sorted(turns, key=lambda verdict: verdict.value))
            asked.append((replace(question, turns=found), spread))
    whole = {
        name: model.get(name, 0.0) ** 2 + sum(spread.get(name, 0.0) ** 2 for _, spread in asked)
        for name in loads
    }
    ranked = [
        replace(question, narrows_pct=_narrows_pct(spread, whole)) for question, spread in asked
    ]
    ranked = [each for each in ranked if each.turns or each.narrows_pct >= LEAST_PCT]
    ranked.sort(key=lambda each: (-bool(each.turns), -each.narrows_pct, each.input, each.subjects))
    return tuple(ranked[:most])


def _narrows_pct(spread: Mapping[str, float], whole: Mapping[str, float]) -> float:
    shares = [s**2 / whole[name] for name, s in spread.items() if whole[name] > 0]
    return 100.0 * (1.0 - math.sqrt(max(1.0 - max(shares, default=0.0), 0.0)))


def _loads(prediction: Prediction) -> tuple[dict[str, float], dict[str, float]]:
    """The largest load of each resource, and the half width [ln] of its own interval."""
    loads: dict[str, float] = {}
    widths: dict[str, float] = {}
    tables: tuple[tuple[str, Series], ...] = (
        ("cpu", prediction.hosts.cpu_pct),
        ("ram", prediction.hosts.ram_pct),
        ("iops", prediction.pools.iops),
        ("disks", prediction.pools.utilisation_pct),
        ("space", prediction.pools.capacity_pct),
        ("response", prediction.vms.response_ms),
    )
    for name, series in tables:
        known = [
            (value, low, high)
            for value, low, high in zip(
                series.value.tolist(), series.low.tolist(), series.high.tolist(), strict=True
            )
            if value > 0
        ]
        value, low, high = max(known, default=(0.0, 0.0, 0.0))
        loads[name] = value
        widths[name] = 0.5 * math.log(high / low) if low > 0 else 0.0
    return loads, widths


def _spread(now: Mapping[str, float], ends: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Half width [ln] that the ends make of each load that changes."""
    found = {}
    for name, value in now.items():
        values = [each[name] for each in ends]
        there = [each for each in (*values, value) if each > 0]
        if len(there) > 1 and max(there) > min(there) * (1 + 1e-9):
            found[name] = 0.5 * math.log(max(there) / min(there))
    return found


# --- what may be asked ------------------------------------------------------------------------


def _all_ways(scenario: Scenario, now: Prediction) -> Iterator[tuple[Question, Ways]]:
    site = _of_site(scenario, now)
    if site is not None:
        yield site
    for each in OF_SCENARIO:
        if _is_open(each, scenario, scenario):
            yield _asked(each, scenario, [scenario])
    weight = {pool.id: row for row, pool in enumerate(scenario.pools)}
    for each in OF_POOL:
        pools = [pool for pool in scenario.pools if _is_open(each, scenario, pool)]
        pools.sort(key=lambda pool: weight[pool.id])
        yield from _in_groups(each, scenario, pools)
    for each in OF_VM:
        vms = [vm for vm in scenario.vms if _is_open(each, scenario, vm)]
        vms.sort(key=lambda vm: (-vm.workload.active_users, -vm.vcpus, -vm.ram_gib, vm.id))
        yield from _in_groups(each, scenario, vms)


def _is_open(asked: Asked, scenario: Scenario, item: Subject) -> bool:
    """Whether an input means something here and nobody has answered it."""
    if not applies(item, asked.path) or not asked.when(scenario, item):
        return False
    if isinstance(item, Vm) and not item.powered_on:
        return False
    return origin_of(item, asked.path) in UNANSWERED


def _in_groups(
    asked: Asked, scenario: Scenario, items: Sequence[Pool] | Sequence[Vm]
) -> Iterator[tuple[Question, Ways]]:
    """Items that are alike are asked about together, for knowing one is knowing all."""
    groups: dict[Subject, list[Subject]] = {}
    for item in items:
        groups.setdefault(_but_for_names(item), []).append(item)
    each = list(groups.values())
    for group in each[:MOST_OF_A_KIND]:
        yield _asked(asked, scenario, group)
    if each[MOST_OF_A_KIND:]:
        yield _asked(asked, scenario, [item for group in each[MOST_OF_A_KIND:] for item in group])


def _but_for_names(item: Pool | Vm) -> Subject:
    """What makes two items alike: all but their names, places and origins."""
    nameless = {"id": "", "name": "", "imported_from": "", "origins": frozen({}), "pins": ()}
    if isinstance(item, Pool):
        return replace(item, hosts=(), **nameless)  # type: ignore[arg-type]
    placed = {"host": None, "pool": None, "log_pool": None, "lun": None}
    return replace(item, cluster_partners=(), groups=(), **placed, **nameless)  # type: ignore[arg-type]


def _asked(asked: Asked, scenario: Scenario, items: Sequence[Subject]) -> tuple[Question, Ways]:
    source = asked.source(scenario, items[0])
    ids = tuple(item.id for item in items if not isinstance(item, Scenario))
    low, high = (_with(scenario, [asked.at(item, side) for item in items]) for side in (-1, 1))
    question = Question(
        input=asked.path,
        subjects=ids,
        what=asked.what,
        system=source.system
        if len(items) == 1
        else say("{system}, and the others alike", system=source.system),
        command=source.command,
        narrows_pct=0.0,
        turns=(),
    )
    return question, (low, high)


def _with(scenario: Scenario, items: Sequence[Subject]) -> Scenario:
    """The scenario with these items in place of those of their kind and id."""
    vms = {item.id: item for item in items if isinstance(item, Vm)}
    if vms:
        return replace(scenario, vms=tuple(vms.get(vm.id, vm) for vm in scenario.vms))
    for item in items:
        if isinstance(item, Scenario):
            return item
        scenario = scenario.with_item(item)
    return scenario


def _of_site(scenario: Scenario, now: Prediction) -> tuple[Question, Ways] | None:
    """Measured servers to calibrate by, where the CPU of Domino servers is predicted."""
    site = scenario.policy.site
    if scenario.policy.uses_site and site is not None and not site.is_of_others:
        return None
    column = now.vms.cpu_pct
    widths = [
        0.5 * math.log(column.high[row] / column.low[row])
        for row, vm in enumerate(scenario.vms)
        if vm.workload.kind.is_domino and vm.powered_on and column.low[row] > 0
    ]
    half = sum(widths) / len(widths) / math.sqrt(2.0) if widths else 0.0
    if half <= 0:
        return None
    policy = scenario.policy
    low, high = (
        replace(
            scenario,
            policy=replace(
                policy,
                site=Site(
                    load_basis=policy.load_basis,
                    benchmark_derating=policy.benchmark_derating,
                    cpu_factor=math.exp(side * min(half, 4 * Z90)),
                ),
            ),
        )
        for side in (-1, 1)
    )
    most = max(
        (vm for vm in scenario.vms if vm.workload.kind.is_domino),
        key=lambda vm: vm.workload.active_users,
    )
    source = where_measured(scenario, most)
    question = Question(
        input=SITE,
        subjects=(most.id,),
        what=say("CPU of Domino servers over a working day, four of them or more"),
        system=source.system,
        command=source.command,
        narrows_pct=0.0,
        turns=(),
    )
    return question, (low, high)

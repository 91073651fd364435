"""Random scenarios that can exist, apart from the catalog ids that they name."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from models.inputs import frozen, input_paths
from models.limits import LIMITS
from models.origin import Origin
from models.project import Entry, Project
from models.scenario import (
    Admission,
    AdmissionPolicy,
    Affinity,
    AffinityKind,
    Assumptions,
    Cluster,
    DiskMode,
    Host,
    Policy,
    Pool,
    RestartPriority,
    Scenario,
    Vm,
    Waiver,
    Workload,
)
from models.workloads import WorkloadKind

_letters = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))
lines = st.text(_letters, min_size=1, max_size=12).filter(lambda text: bool(text.strip()))
optional_lines = st.none() | lines
texts = st.text(_letters | st.sampled_from("\n\t"), max_size=40)


def numbers(cls: type, name: str) -> SearchStrategy[float]:
    limit = LIMITS[cls][name]
    low = limit.ge if limit.ge is not None else limit.gt
    exclusive = limit.ge is None
    return st.floats(low, limit.le, exclude_min=exclusive, allow_nan=False)


def whole(cls: type, name: str) -> SearchStrategy[int]:
    limit = LIMITS[cls][name]
    assert limit.ge is not None
    assert limit.le is not None
    return st.integers(int(limit.ge), int(limit.le))


def _numbers(cls: type, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    names = [name for name in LIMITS[cls] if name not in without]
    hints = {each.name: str(each.type) for each in fields(cls)}
    strategies: dict[str, Any] = {}
    for name in names:
        strategy = whole(cls, name) if hints[name].startswith("int") else numbers(cls, name)
        strategies[name] = strategy | st.none() if "None" in hints[name] else strategy
    return strategies


policies = st.builds(Policy, **_numbers(Policy))
assumptions = st.builds(Assumptions, **_numbers(Assumptions))
workloads = st.builds(
    Workload, kind=st.sampled_from(WorkloadKind), release=lines, **_numbers(Workload)
)


SubjectT = TypeVar("SubjectT", bound=Cluster | Host | Pool | Vm | Scenario)


def with_marks(draw: DrawFn, item: SubjectT) -> SubjectT:
    """The item with a few origins and pins, or with none."""
    paths = st.sampled_from(input_paths(type(item)))
    said = draw(st.dictionaries(paths, st.sampled_from(Origin), max_size=3))
    pins = draw(st.lists(paths, max_size=2, unique=True))
    return replace(item, origins=frozen(said), pins=tuple(sorted(pins)))


@st.composite
def scenarios(draw: DrawFn) -> Scenario:
    """A scenario with a handful of everything, in which every reference leads somewhere."""
    return with_marks(draw, draw(_unmarked()))


@st.composite
def _unmarked(draw: DrawFn) -> Scenario:
    ids = draw(st.lists(lines, min_size=0, max_size=10, unique=True))
    parts: dict[str, list[str]] = {"cluster": [], "host": [], "pool": [], "vm": []}
    for id in ids:
        parts[draw(st.sampled_from(sorted(parts)))].append(id)
    return Scenario(
        name=draw(lines),
        policy=draw(policies),
        clusters=tuple(with_marks(draw, _cluster(draw, id, parts)) for id in parts["cluster"]),
        hosts=tuple(with_marks(draw, _host(draw, id, parts)) for id in parts["host"]),
        pools=tuple(with_marks(draw, _pool(draw, id)) for id in parts["pool"]),
        vms=tuple(with_marks(draw, _vm(draw, id, parts)) for id in parts["vm"]),
        affinity=_rules(draw, parts),
        waivers=_waivers(draw, ids),
        assumptions=draw(assumptions),
        customer=draw(st.just("") | lines),
        author=draw(st.just("") | lines),
        notes=draw(texts),
    )


@st.composite
def projects(draw: DrawFn) -> Project:
    """A project of one to three scenarios of different names; the catalogs are empty."""
    ids = draw(st.lists(lines, min_size=1, max_size=3, unique=True))
    names = draw(st.lists(lines, min_size=len(ids), max_size=len(ids), unique=True))
    entries = tuple(
        Entry(
            id=id,
            scenario=replace(draw(scenarios()), name=name),
            parent=draw(_one_of(ids[:place])),
        )
        for place, (id, name) in enumerate(zip(ids, names, strict=True))
    )
    return Project(
        entries=entries,
        active=draw(st.sampled_from(ids)),
        baseline=draw(st.none() | st.sampled_from(ids)),
    )


def _one_of(ids: list[str]) -> SearchStrategy[str | None]:
    return st.none() | st.sampled_from(ids) if ids else st.none()


def _some_of(ids: list[str], *, at_least: int = 0) -> SearchStrategy[tuple[str, ...]]:
    if not ids:
        return st.just(())
    return st.lists(st.sampled_from(ids), min_size=at_least, unique=True).map(tuple)


def _waivers(draw: DrawFn, ids: list[str]) -> tuple[Waiver, ...]:
    subjects = st.sampled_from([*ids, ""])
    pairs = draw(st.lists(st.tuples(lines, subjects), max_size=3, unique=True))
    reasons = texts.filter(lambda text: bool(text.strip()))
    return tuple(
        Waiver(rule=rule, subject=subject, reason=draw(reasons)) for rule, subject in pairs
    )


def _cluster(draw: DrawFn, id: str, parts: dict[str, list[str]]) -> Cluster:
    standing_by = draw(_some_of(parts["host"]))
    admission = st.builds(
        Admission,
        policy=st.sampled_from(AdmissionPolicy),
        failover_host=st.just(standing_by[0] if standing_by else None),
        more_failover_hosts=st.just(standing_by[1:]),
        **_numbers(Admission),
    )
    return Cluster(id=id, name=draw(lines), admission=draw(admission))


def _host(draw: DrawFn, id: str, parts: dict[str, list[str]]) -> Host:
    return draw(
        st.builds(
            Host,
            id=st.just(id),
            name=lines,
            server=lines,
            hypervisor=lines.filter(lambda text: text != "none"),
            cluster=_one_of(parts["cluster"]),
            failure_group=optional_lines,
            **_numbers(Host),
        )
    )


def _pool(draw: DrawFn, id: str) -> Pool:
    spindles = draw(whole(Pool, "spindles"))
    return draw(
        st.builds(
            Pool,
            id=st.just(id),
            name=lines,
            array=lines,
            disk=lines,
            spindles=st.just(spindles),
            raid=lines,
            hot_spares=st.integers(0, spindles - 1),
            **_numbers(Pool, without=("spindles", "hot_spares")),
        )
    )


def _vm(draw: DrawFn, id: str, parts: dict[str, list[str]]) -> Vm:
    ram = draw(numbers(Vm, "ram_gib"))
    return draw(
        st.builds(
            Vm,
            id=st.just(id),
            name=lines,
            host=_one_of(parts["host"]),
            pool=_one_of(parts["pool"]),
            log_pool=_one_of(parts["pool"]),
            ram_gib=st.just(ram),
            disk_mode=st.sampled_from(DiskMode),
            workload=workloads,
            fault_tolerance=st.booleans(),
            powered_on=st.booleans(),
            guest_bits=st.sampled_from([None, 32, 64]),
            memory_limit_gib=st.none() | st.just(ram),
            memory_reservation_gib=st.none() | st.floats(0, ram),
            restart_priority=st.sampled_from(RestartPriority),
            lun=optional_lines,
            dedicated_nic=st.booleans(),
            cluster_partners=_some_of([other for other in parts["vm"] if other != id]),
            groups=st.lists(lines, max_size=3).map(tuple),
            **_numbers(Vm, without=("ram_gib", "memory_limit_gib", "memory_reservation_gib")),
        )
    )


def _rules(draw: DrawFn, parts: dict[str, list[str]]) -> tuple[Affinity, ...]:
    if not parts["vm"]:
        return ()
    rules = []
    for id in draw(st.lists(lines, max_size=3, unique=True)):
        kind = draw(st.sampled_from(AffinityKind))
        by_host = kind in {AffinityKind.MUST_RUN_ON, AffinityKind.SHOULD_RUN_ON}
        if by_host and not parts["host"]:
            continue
        rules.append(
            Affinity(
                id=id,
                kind=kind,
                vms=draw(_some_of(parts["vm"], at_least=1)),
                hosts=draw(_some_of(parts["host"], at_least=1)) if by_host else (),
            )
        )
    return tuple(rules)

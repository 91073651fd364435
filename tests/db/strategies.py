"""Random scenarios that can exist, apart from the catalog ids that they name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from models.base.fields import Field, fields_of
from models.base.lettering import is_seen
from models.project.project import Entry, Project
from models.scenario.inputs import frozen, input_paths
from models.scenario.origin import Origin
from models.scenario.scenario import (
    Admission,
    Affinity,
    AffinityKind,
    Assumptions,
    Cluster,
    Host,
    ImportNote,
    Policy,
    Pool,
    Scenario,
    Vm,
    Waiver,
)

_letters = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))
lines = st.text(_letters, min_size=1, max_size=12).filter(is_seen)
texts = st.text(_letters | st.sampled_from("\n\t"), max_size=40)


def values(field: Field) -> SearchStrategy[Any]:
    """What a field may be; ids are the business of whoever has the other items."""
    if field.is_list:
        return st.lists(_one(field), max_size=3, unique=True).map(tuple)
    return st.none() | _one(field) if field.is_optional else _one(field)


def _one(field: Field) -> SearchStrategy[Any]:
    if field.is_nested:
        return built(field.type)
    if field.choices:
        return st.sampled_from(field.choices)
    if field.type is bool:
        return st.booleans()
    if field.type is int:
        assert field.ge is not None
        assert field.le is not None
        return st.integers(int(field.ge), int(field.le))
    if field.type is float:
        return st.floats(field.ge, field.le, allow_nan=False)
    if field.type is not str:
        return st.sampled_from(field.type)
    if field.text == "lines":
        return texts.filter(is_seen) if field.is_needed else texts
    return lines if field.text == "name" or field.ids else st.just("") | lines


def built(kind: type, **given: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """Values of a class, each field within its bounds; ids that are not given name nothing."""
    found = {
        name: st.just(()) if each.is_list and each.ids else values(each)
        for name, each in fields_of(kind).items()
        if name not in given
    }
    return st.builds(kind, **found, **given)


def at(kind: type, name: str) -> SearchStrategy[Any]:
    """What a field of a class may be."""
    return values(fields_of(kind)[name])


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
        policy=draw(built(Policy)),
        clusters=tuple(with_marks(draw, _cluster(draw, id, parts)) for id in parts["cluster"]),
        hosts=tuple(with_marks(draw, _host(draw, id, parts)) for id in parts["host"]),
        pools=tuple(with_marks(draw, _pool(draw, id)) for id in parts["pool"]),
        vms=tuple(with_marks(draw, _vm(draw, id, parts)) for id in parts["vm"]),
        affinity=_rules(draw, parts),
        waivers=_waivers(draw, ids),
        import_notes=tuple(draw(st.lists(built(ImportNote), max_size=2))),
        assumptions=draw(built(Assumptions)),
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
    return tuple(
        draw(built(Waiver, rule=st.just(rule), subject=st.just(subject))) for rule, subject in pairs
    )


def _cluster(draw: DrawFn, id: str, parts: dict[str, list[str]]) -> Cluster:
    standing_by = draw(_some_of(parts["host"]))
    admission = built(
        Admission,
        failover_host=st.just(standing_by[0] if standing_by else None),
        more_failover_hosts=st.just(standing_by[1:]),
    )
    cluster: Cluster = draw(built(Cluster, id=st.just(id), admission=admission))
    return cluster


def _host(draw: DrawFn, id: str, parts: dict[str, list[str]]) -> Host:
    host: Host = draw(
        built(
            Host,
            id=st.just(id),
            hypervisor=lines.filter(lambda text: text != "none"),
            cluster=_one_of(parts["cluster"]),
        )
    )
    return host


def _pool(draw: DrawFn, id: str) -> Pool:
    spindles = draw(at(Pool, "spindles"))
    spares = st.integers(0, spindles - 1)
    pool: Pool = draw(built(Pool, id=st.just(id), spindles=st.just(spindles), hot_spares=spares))
    return pool


def _vm(draw: DrawFn, id: str, parts: dict[str, list[str]]) -> Vm:
    ram = draw(at(Vm, "ram_gib"))
    vm: Vm = draw(
        built(
            Vm,
            id=st.just(id),
            host=_one_of(parts["host"]),
            pool=_one_of(parts["pool"]),
            log_pool=_one_of(parts["pool"]),
            ram_gib=st.just(ram),
            memory_limit_gib=st.none() | st.just(ram),
            memory_reservation_gib=st.none() | st.floats(0, ram),
            cluster_partners=_some_of([other for other in parts["vm"] if other != id]),
        )
    )
    return vm


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

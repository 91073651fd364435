"""Entries of the catalog are held to one table of fields, wherever they come from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest

from models.base.errors import ModelError
from models.base.fields import fields_of
from models.base.limits import LINE_LENGTH
from models.catalog.catalog import Catalog, Hypervisor, RaidLevel, Server
from models.catalog.catalog_check import check_catalog, check_entry
from models.catalog.own_hardware import custom_array, custom_server, rated_server
from models.project.importing import beside
from models.project.project import Project, copy_name, unique_name
from models.scenario.scenario import Scenario
from resources.catalog_files import load_catalog, load_processors

WHOLE = load_catalog().merged(Catalog(processors=load_processors()))
NUMBERS = {"int", "float", "int | None", "float | None"}


def examples() -> Iterator[tuple[str, Any]]:
    """An entry of each kind."""
    for kind in Catalog.__slots__:
        entry = next(iter(getattr(WHOLE, kind).values()), None)
        if entry is not None:
            yield kind, entry


def bounds() -> Iterator[Any]:
    """Each number of each kind of entry, with an entry that has it."""
    for kind, entry in examples():
        for each in fields(entry):
            if str(each.type) in NUMBERS:
                yield pytest.param(entry, each.name, id=f"{kind}-{each.name}")


@pytest.mark.parametrize("kind", [pytest.param(type(entry), id=kind) for kind, entry in examples()])
def test_every_field_has_its_words_and_bounds(kind: Any) -> None:
    known = fields_of(kind)
    assert {each.name for each in fields(kind)} == set(known)
    for each in known.values():
        assert each.label, each.name
        if each.is_number and not each.is_list:
            assert each.limit.ge is not None, each.name
            assert each.limit.le is not None, each.name


def test_every_shipped_entry_can_exist() -> None:
    check_catalog(WHOLE)


@pytest.mark.parametrize(("entry", "name"), list(bounds()))
def test_a_number_beyond_its_bounds_is_refused(entry: Any, name: str) -> None:
    limit = fields_of(type(entry))[name].limit
    whole = fields_of(type(entry))[name].type is int
    assert limit.ge is not None
    assert limit.le is not None
    beyond = (int(limit.ge) - 1, int(limit.le) + 1) if whole else (limit.ge / 2 - 1, limit.le * 2)
    for value in (*beyond, float("nan"), float("inf")):
        with pytest.raises(ModelError) as caught:
            check_entry(replace(entry, **{name: value}))
        assert caught.value.field == name


@pytest.mark.parametrize("entry", [pytest.param(entry, id=kind) for kind, entry in examples()])
def test_an_entry_needs_its_name_and_its_source(entry: Any) -> None:
    for name, changed in (
        ("name", replace(entry, name=" ")),
        ("source", replace(entry, provenance=replace(entry.provenance, source=""))),
    ):
        with pytest.raises(ModelError) as caught:
            check_entry(changed)
        assert caught.value.field == name


def test_a_number_that_is_one_of_few_is_no_other() -> None:
    statement = next(each for each in WHOLE.support.values() if each.guest_bits == 64)
    with pytest.raises(ModelError, match=r"^guest_bits: must be 32 or 64$"):
        check_entry(replace(statement, guest_bits=48))


def test_what_does_not_go_together_is_refused() -> None:
    server: Server = WHOLE.servers["ibm-x3650"]
    raid: RaidLevel = WHOLE.raid_levels["5"]
    for entry in (
        replace(server, cores=server.sockets - 1),
        replace(server, threads=server.cores - 1),
        replace(raid, group_drives=1),
    ):
        with pytest.raises(ModelError):
            check_entry(entry)


def test_an_entry_stands_under_its_own_id() -> None:
    server = WHOLE.servers["ibm-x3650"]
    with pytest.raises(ModelError, match=r"^servers\.other\.id: must be"):
        check_catalog(Catalog(servers={"other": server}))


def test_a_ragged_table_is_refused() -> None:
    release: Hypervisor = next(h for h in WHOLE.hypervisors.values() if h.memory_overhead)
    assert release.memory_overhead is not None
    ragged = replace(release.memory_overhead, mib=release.memory_overhead.mib[1:])
    with pytest.raises(ModelError) as caught:
        check_entry(replace(release, memory_overhead=ragged))
    assert caught.value.field == "memory_overhead.mib"


# --- names that are as long as names can be ---------------------------------------------------

LONGEST = "N" * LINE_LENGTH


@pytest.mark.parametrize("name", [LONGEST, "9" * LINE_LENGTH, f"{'N' * 199}9", f"{'N' * 198} 9"])
def test_a_copy_of_the_longest_name_is_one(name: str) -> None:
    taken = {name}
    for make in (unique_name, copy_name):
        for _ in range(12):
            new = make(name, taken)
            assert new not in taken
            assert len(new) <= LINE_LENGTH
            taken.add(new)


def test_the_longest_scenario_is_duplicated() -> None:
    project = Project.of(Scenario(name=LONGEST)).duplicated("s1")
    assert [len(each.scenario.name) for each in project.entries] == [LINE_LENGTH, LINE_LENGTH]
    assert len({each.scenario.name for each in project.entries}) == 2


def test_entries_of_the_longest_name_can_exist() -> None:
    processor = WHOLE.processors["intel-xeon-e5-2650-v4"]
    taken: set[str] = set()
    for _ in range(3):
        server = custom_server(name=LONGEST, processor=processor, sockets=2, taken=taken)
        rated = rated_server(name=LONGEST, sockets=2, cores=4, spec_rate=None, taken=taken)
        for entry in (server, rated, custom_array(name=LONGEST, taken=taken)):
            check_entry(entry)
        taken |= {server.id}


def test_an_imported_entry_of_the_longest_name_can_exist() -> None:
    mine = rated_server(name=LONGEST, sockets=2, cores=4, spec_rate=None)
    theirs = Project.of(Scenario(name="x"))
    theirs = replace(
        theirs, own_catalog=Catalog(servers={mine.id: replace(mine, cores=8, threads=8)})
    )
    check_catalog(beside(theirs, Catalog(servers={mine.id: mine})).own_catalog)

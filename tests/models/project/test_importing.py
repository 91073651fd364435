"""An import changes neither the project nor what is imported, whatever the ids."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.catalog.catalog import Catalog, Processor, Provenance, Server
from models.check import check_catalog_ids
from models.project.catalog_use import catalog_for, with_used_rows
from models.project.importing import with_imported
from models.project.project import Project
from models.scenario.scenario import Host, Scenario
from resources.catalog_files import load_catalog
from tests.app import samples

SHIPPED = load_catalog()


def server(cores: int, processor: str = "") -> Server:
    like = SHIPPED.servers[samples.scenario().hosts[0].server]
    return replace(like, id="own-x", name="X", cores=cores, processor=processor or like.processor)


def processor(base_mhz: float) -> Processor:
    return Processor(
        id="xeon",
        name="Xeon",
        vendor="Intel",
        generation="nehalem",
        chips=2,
        cores_per_socket=4,
        threads_per_core=2,
        base_mhz=base_mhz,
        spec_rate=None,
        spec_basis="",
        hardware_virtualisation=None,
        nested_paging=None,
        provenance=Provenance(source="test", confidence="assumed"),
    )


def using(id: str) -> Scenario:
    scenario = samples.scenario()
    return scenario.edit(Host, scenario.hosts[0].id, lambda host: replace(host, server=id))


def project_with(own: Server) -> Project:
    return replace(Project.of(using(own.id)), own_catalog=Catalog(servers={own.id: own}))


def as_saved(project: Project, library: Catalog | None = None) -> Project:
    return with_used_rows(project, catalog_for(project, SHIPPED.merged(library or Catalog())))


def servers_of(project: Project) -> list[Server]:
    catalog = catalog_for(project, SHIPPED)
    for entry in project.entries:
        check_catalog_ids(entry.scenario, catalog)
    return [catalog.servers[entry.scenario.hosts[0].server] for entry in project.entries]


def test_a_lone_blank_scenario_gives_way() -> None:
    blank, imported = Project.of(Scenario(name="Scenario 1")), Project.of(samples.scenario())
    assert with_imported(blank, imported, SHIPPED).entries == imported.entries
    assert len(with_imported(imported, imported, SHIPPED).entries) == 2


@pytest.mark.parametrize("scenario", [Scenario(name="Scenario 1"), samples.scenario()])
def test_the_rows_of_a_file_come_along(scenario: Scenario) -> None:
    """The colleague has the server in the library: the file has it as a row that is used."""
    theirs = as_saved(Project.of(using("own-x")), Catalog(servers={"own-x": server(3)}))
    both = with_imported(Project.of(scenario), theirs, SHIPPED)
    assert servers_of(both)[-1] == server(3)


def test_another_entry_of_the_same_id_gets_one_of_its_own() -> None:
    mine, theirs = project_with(server(8)), as_saved(project_with(server(1)))
    both = with_imported(mine, theirs, catalog_for(mine, SHIPPED))
    first, second = servers_of(both)
    assert first == server(8)
    assert second == replace(server(1), id="own-x-2", name="X (imported)")
    assert set(both.own_catalog.servers) == {"own-x", "own-x-2"}
    again = with_imported(both, theirs, catalog_for(both, SHIPPED))
    assert servers_of(again) == [first, second, second]
    third = with_imported(again, as_saved(project_with(server(2))), catalog_for(again, SHIPPED))
    assert servers_of(third)[-1].name == "X (imported 2)"


def test_the_same_entry_is_there_once() -> None:
    mine = project_with(server(8))
    both = with_imported(mine, as_saved(mine), catalog_for(mine, SHIPPED))
    assert servers_of(both) == [server(8), server(8)]
    assert both.own_catalog.servers == mine.own_catalog.servers


def test_the_blank_projects_own_entries_stay() -> None:
    blank = replace(project_with(server(8)), entries=Project.of(Scenario(name="Blank")).entries)
    both = with_imported(blank, as_saved(project_with(server(1))), catalog_for(blank, SHIPPED))
    assert [each.cores for each in servers_of(both)] == [1]
    assert both.own_catalog.servers["own-x"] == server(8)


def test_a_server_follows_its_processor() -> None:
    mine, theirs = (
        replace(
            project_with(server(4, "xeon")),
            used_catalog=Catalog(processors={"xeon": processor(mhz)}),
        )
        for mhz in (2660.0, 2930.0)
    )
    both = with_imported(mine, theirs, catalog_for(mine, SHIPPED))
    processors = catalog_for(both, SHIPPED).processors
    clocks = [processors[each.processor].base_mhz for each in servers_of(both)]
    assert clocks == [2660.0, 2930.0]


def test_raid_levels_and_hypervisors_are_those_that_are_there() -> None:
    raid, hypervisor = SHIPPED.raid_levels["5"], SHIPPED.hypervisors["esx-3.0.1"]
    rows = Catalog(
        raid_levels={"5": replace(raid, write_penalty=9.0), "5x": replace(raid, id="5x")},
        hypervisors={hypervisor.id: replace(hypervisor, console_gib=9.0)},
    )
    mine = Project.of(samples.scenario())
    both = with_imported(mine, replace(mine, used_catalog=rows), SHIPPED)
    assert set(both.used_catalog.raid_levels) == {"5x"}
    assert catalog_for(both, SHIPPED).raid_levels["5"] == raid
    assert catalog_for(both, SHIPPED).hypervisors[hypervisor.id] == hypervisor

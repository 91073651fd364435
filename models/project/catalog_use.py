"""Which catalog entries a project uses, and the catalog it is to be read with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from models.catalog.catalog import Catalog
from models.project.project import Project
from models.scenario.scenario import Scenario

T = TypeVar("T")


def catalog_for(project: Project, shipped: Catalog) -> Catalog:
    """The catalog to evaluate a project with: the rows it was saved with, its own entries on top.

    The rows of the file come before the shipped ones, so that an old proposal keeps its numbers
    when a later program ships other figures.
    """
    return shipped.merged(project.used_catalog).merged(project.own_catalog)


def with_used_rows(project: Project, catalog: Catalog) -> Project:
    """The project with those rows of `catalog` that its scenarios name, for saving."""
    used = used_rows((entry.scenario for entry in project.entries), catalog)
    return replace(project, used_catalog=used)


def used_rows(scenarios: Iterable[Scenario], catalog: Catalog) -> Catalog:
    """The rows of `catalog` that the scenarios name, in the catalog's order.

    Ids that the catalog does not have are left out; `check_scenario` speaks about those.
    """
    known = tuple(scenarios)
    hosts = [host for scenario in known for host in scenario.hosts]
    pools = [pool for scenario in known for pool in scenario.pools]
    works = [vm.workload for scenario in known for vm in scenario.vms]
    measured = [work.measured_on for work in works if work.measured_on is not None]
    on_servers = [host.server for host in hosts] + [each.server for each in measured]
    under = [host.hypervisor for host in hosts] + [each.hypervisor for each in measured]
    servers = _picked(catalog.servers, on_servers)
    return Catalog(
        servers=servers,
        arrays=_picked(catalog.arrays, (pool.array for pool in pools)),
        disks=_picked(catalog.disks, (pool.disk for pool in pools)),
        raid_levels=_picked(catalog.raid_levels, (pool.raid for pool in pools)),
        hypervisors=_picked(catalog.hypervisors, under),
        processors=_picked(catalog.processors, (each.processor for each in servers.values())),
    )


def _picked(entries: Mapping[str, T], ids: Iterable[str | None]) -> dict[str, T]:
    wanted = set(ids)
    return {id: entry for id, entry in entries.items() if id in wanted}


def users_of(project: Project, kind: str, id: str) -> tuple[tuple[str, str], ...]:
    """Who names an entry: name of the scenario, and of the item in it.

    Args:
        kind: name of the entry's collection in a `Catalog`, such as ``servers``.
    """
    named = _NAMED.get(kind)
    if named is None:
        return ()
    items, field = named
    return tuple(
        (entry.scenario.name, item.name)
        for entry in project.entries
        for item in getattr(entry.scenario, items)
        if getattr(item, field) == id
    )


def naming(scenario: Scenario, ids: Mapping[str, Mapping[str, str]]) -> Scenario:
    """The scenario with catalog ids exchanged.

    Args:
        ids: new id by old one, by the name of the collection in a `Catalog`.
    """
    for kind, (items, field) in _NAMED.items():
        known = ids.get(kind, {})
        renamed = tuple(
            replace(item, **{field: known.get(getattr(item, field), getattr(item, field))})
            for item in getattr(scenario, items)
        )
        changed: dict[str, Any] = {items: renamed}
        scenario = replace(scenario, **changed)
    return scenario


_NAMED = {
    "servers": ("hosts", "server"),
    "hypervisors": ("hosts", "hypervisor"),
    "arrays": ("pools", "array"),
    "disks": ("pools", "disk"),
    "raid_levels": ("pools", "raid"),
}

"""Scenarios and catalog entries of another project, brought into one without changing either."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from models.base.limits import fitting
from models.catalog.catalog import Catalog
from models.project.catalog_use import naming
from models.project.project import Project
from models.scenario import edit_origins
from models.scenario.origin import Origin

_RENAMED = ("processors", "servers", "arrays", "disks", "profiles")
"""Collections whose ids mean nothing by themselves, those that others name first."""


def as_imported(project: Project) -> Project:
    """The project with *imported* as the origin of what came with its file and says no other."""
    entries = tuple(
        replace(entry, scenario=edit_origins.with_unsaid(entry.scenario, Origin.IMPORTED))
        for entry in project.entries
    )
    return replace(project, entries=entries)


def with_imported(project: Project, imported: Project, catalog: Catalog) -> Project:
    """The project with the other's scenarios and entries; a lone blank scenario gives way.

    Args:
        catalog: everything that the scenarios of `project` may name.
    """
    is_blank = len(project.entries) == 1 and not project.scenario.items()
    imported = beside(imported, project.own_catalog if is_blank else catalog)
    own = project.own_catalog.merged(imported.own_catalog)
    if is_blank:
        return replace(imported, own_catalog=own)
    for entry in imported.entries:
        project = project.added(entry.scenario)
    used = project.used_catalog.merged(imported.used_catalog)
    return replace(project, own_catalog=own, used_catalog=used)


def beside(imported: Project, catalog: Catalog) -> Project:
    """`imported` with catalog ids that mean the same in `catalog`, or nothing there.

    An entry that says something else than the one of its id in `catalog` gets an id and a name of
    its own, and its scenarios name it by that. RAID levels and hypervisors keep their ids, for the
    model and the arrays know those; where `catalog` has them, they are the ones of `catalog`.
    """
    new_ids: dict[str, dict[str, str]] = {}
    own: dict[str, dict[str, Any]] = {}
    used: dict[str, dict[str, Any]] = {}
    for kind in (*_RENAMED, "raid_levels", "hypervisors"):
        there = getattr(catalog, kind)
        ours, theirs = getattr(imported.own_catalog, kind), getattr(imported.used_catalog, kind)
        own[kind], used[kind], new_ids[kind] = {}, {}, {}
        for id, entry in {**theirs, **ours}.items():
            new = entry
            if kind == "servers":
                processor = new_ids["processors"].get(entry.processor, entry.processor)
                new = replace(entry, processor=processor)
            if kind in _RENAMED:
                new = _distinct(new, there, {*theirs, *ours})
                new_ids[kind][id] = new.id
            if new.id not in there:
                (own if id in ours else used)[kind][new.id] = new
    return replace(
        imported,
        entries=tuple(
            replace(each, scenario=naming(each.scenario, new_ids)) for each in imported.entries
        ),
        own_catalog=Catalog(**own),
        used_catalog=Catalog(**used),
    )


def _distinct(entry: Any, there: Mapping[str, Any], imported: set[str]) -> Any:
    """The entry, under another id and name where its id means another one."""
    new, number = entry, 1
    while there.get(new.id, new) != new or (number > 1 and new.id in imported):
        number += 1
        mark = "imported" if number == 2 else f"imported {number - 1}"
        new = replace(
            entry, id=fitting(entry.id, f"-{number}"), name=fitting(entry.name, f" ({mark})")
        )
    return new

"""``study``: what Domino clusters can take over, which design keeps users served, and storms."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from app.calibrated import shipped_calibration
from app.cli_evaluate import cell, chosen, text_table
from db.errors import refused
from db.files import open_any
from db.resilience_study import study_to_json
from models.calibration import Calibration
from models.catalog import Catalog
from models.catalog_use import catalog_for
from models.errors import ModelError
from models.evaluate import MODEL_VERSION
from models.lettering import set_apart
from models.predicted import title_of, unit_of
from models.resilience.design_words import pairing_text
from models.resilience.designs import DesignRow, compare_designs
from models.resilience.domino_members import MemberCapacity, member_capacities
from models.resilience.storms import StormKind, StormStudy, study_storm, vcpus_to_drain
from models.scenario import Scenario
from models.wording import number
from resources.catalog_files import load_catalog

Needed = Mapping[tuple[str, str], int | None]
"""vCPUs by kind of storm and VM; None: all cores of its host are not enough."""


def study_of_file(path: str, name: str | None, *, within_s: float | None, as_json: bool) -> str:
    """What ``study`` prints about the scenario called `name` in the file.

    Args:
        within_s: time in which every server shall be through its storm; None: not asked.

    Raises:
        StoreError: the file can't be read, or its scenario can't exist.
    """
    project = open_any(path, load_catalog())
    scenario = chosen(project, name, path).scenario
    catalog, calibration = catalog_for(project, load_catalog()), shipped_calibration()
    try:
        members = member_capacities(scenario, catalog, calibration)
        designs = compare_designs(scenario, catalog, calibration)
        storms = [study_storm(scenario, catalog, calibration, kind) for kind in StormKind]
        needed = _needed(scenario, catalog, calibration, storms, within_s)
    except ModelError as error:
        raise refused(error, path) from error
    if as_json:
        found = study_to_json(scenario.name, MODEL_VERSION, members, designs, storms, needed)
        return json.dumps(found, ensure_ascii=False) + "\n"
    return as_text(scenario, members, designs, storms, needed)


def _needed(
    scenario: Scenario,
    catalog: Catalog,
    calibration: Calibration,
    storms: Iterable[StormStudy],
    within_s: float | None,
) -> Needed | None:
    if within_s is None:
        return None
    return {
        (storm.kind.value, server.vm): vcpus_to_drain(
            scenario, catalog, calibration, storm.kind, vm=server.vm, within_s=within_s
        )
        for storm in storms
        for server in storm.servers
    }


def as_text(
    scenario: Scenario,
    members: Sequence[MemberCapacity],
    designs: Sequence[DesignRow],
    storms: Sequence[StormStudy],
    needed: Needed | None = None,
) -> str:
    """The study as tables, items by name."""
    names = {item.id: set_apart(item.name) for item in scenario.items()}
    parts = (
        f"{scenario.name}: clusters and storms; model {MODEL_VERSION}\n",
        _members(names, members),
        _designs(names, designs, scenario),
        *(_storm(names, storm, needed) for storm in storms if _has_servers(storm)),
    )
    return "\n".join(part for part in parts if part)


def _has_servers(storm: StormStudy) -> bool:
    return bool(storm.servers or storm.silent or storm.refused)


def _members(names: Mapping[str, str], members: Sequence[MemberCapacity]) -> str:
    rows = [
        (
            names[each.vm],
            number(each.users),
            number(each.in_failover),
            names.get(each.lost, "none"),
            "no data" if each.limit_users is None else number(each.limit_users),
            {True: "yes", False: "no", None: "no data"}[each.fits],
            number(each.replicators),
        )
        for each in members
    ]
    head = ("Domino cluster member", "Users", "In failover", "When lost", "At most", "Can take")
    return text_table((*head, "Replicators"), rows, "<>><><>")


def _designs(names: Mapping[str, str], designs: Sequence[DesignRow], scenario: Scenario) -> str:
    rows = [
        (
            row.design.value,
            row.downtime.value,
            row.patching.value,
            cell(row.normal.cpu_pct),
            cell(row.worst.cpu_pct),
            cell(row.worst.response_ms),
            row.shown.words,
            _decided_by(row, names),
            names.get(row.worst_host, ""),
            number(row.without_server),
            number(row.replica_gib),
        )
        for row in designs
    ]
    head = ("Design", "Host dies", "Patching", "CPU %", "CPU %, worst", "Response ms, worst")
    more = ("Verdict", "Decided by", "Worst host", "Users without server", "Replicas GiB")
    table = text_table((*head, *more), rows, "<<<>>><<<>>")
    return f"{table}{pairing_text(designs, scenario)}.\n" if rows else table


def _decided_by(row: DesignRow, names: Mapping[str, str]) -> str:
    """``disk utilisation 77 (60–98) t of 70 %, normal``."""
    standing = row.deciding
    when = "normal" if standing is row.normal else f"{names.get(row.worst_host, '')} lost"
    if row.without_server > 0:
        return f"users without server, {names.get(row.worst_host, '')} lost"
    if standing.refused:
        return f"{names.get(standing.refused, standing.refused)} can’t be powered on, {when}"
    if standing.deciding is None:
        return "no data"
    found = standing.deciding
    what, unit = title_of(found.resource), unit_of(found.resource)
    return f"{what} {cell(found.quantity)} of {number(found.limit)} {unit}, {when}"


def _storm(names: Mapping[str, str], storm: StormStudy, needed: Needed | None) -> str:
    rows = [
        tuple(_server(names, storm, position, needed)) for position in range(len(storm.servers))
    ]
    head = [f"Storm: {storm.kind.value}", "Users", "Most waiting", "Peak response ms", "Drained s"]
    given = ", ".join(
        f"{each.field} {number(each.value, 1).removesuffix('.0')} ({each.origin})"
        for each in storm.inputs
    )
    if needed is not None:
        head.append("vCPUs needed")
    left_out = [f"{names[id]} (no CPU data)" for id in storm.silent]
    left_out += [f"{names[id]} (can’t be powered on)" for id in storm.refused]
    last = f"Left out: {', '.join(left_out)}.\n" if left_out else ""
    table = text_table(head, rows, "<" + ">" * (len(head) - 1)) or f"{head[0]}\n"
    return f"{table}Inputs: {given}.\n{last}"


def _server(
    names: Mapping[str, str], storm: StormStudy, position: int, needed: Needed | None
) -> Iterator[str]:
    server = storm.servers[position]
    peak, drained = server.peak_response_ms, server.drained_s
    yield names[server.vm]
    yield number(server.users)
    yield number(server.peak_waiting)
    yield "no data" if peak is None else number(peak, -1)
    yield "not in hours" if drained is None else number(drained)
    if needed is not None:
        count = needed[storm.kind.value, server.vm]
        yield "more than its host has" if count is None else number(count)

"""``study``: what Domino clusters can take over, which design keeps users served, and storms."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from app.calibrated import shipped_calibration
from app.cli_evaluate import cell, chosen
from app.cli_text import text_lines, text_table
from db.errors import refused
from db.files import open_any
from db.resilience_study import study_to_json
from models.calibration import Calibration
from models.catalog import Catalog
from models.catalog_use import catalog_for
from models.errors import ModelError
from models.fields import field_at
from models.lettering import set_apart
from models.predicted import title_of, unit_of
from models.resilience.assumed import AssumedInput
from models.resilience.design_words import pairing_text
from models.resilience.designs import DesignRow, compare_designs
from models.resilience.domino_members import MemberCapacity, member_capacities
from models.resilience.storms import StormKind, StormStudy, study_storm, vcpus_to_drain
from models.scenario import Scenario
from models.texts import joined, say
from models.version import MODEL_VERSION
from models.wording import NO_DATA_TEXT, exact_text, number, with_unit
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
    head = say(
        "{scenario}: clusters and storms; model {version}",
        scenario=scenario.name,
        version=MODEL_VERSION,
    )
    parts = (
        text_lines([head]),
        _members(names, members),
        _designs(names, designs, scenario),
        *(_storm(names, storm, needed) for storm in storms if _has_servers(storm)),
    )
    return joined("\n", filter(None, parts))


def _has_servers(storm: StormStudy) -> bool:
    return bool(storm.servers or storm.silent or storm.refused)


def _members(names: Mapping[str, str], members: Sequence[MemberCapacity]) -> str:
    rows = [
        (
            names[each.vm],
            number(each.users),
            number(each.in_failover),
            names[each.lost] if each.lost in names else say("none"),
            NO_DATA_TEXT if each.limit_users is None else number(each.limit_users),
            {True: say("yes"), False: say("no"), None: NO_DATA_TEXT}[each.fits],
            number(each.replicators),
        )
        for each in members
    ]
    head = (
        *(say("Domino cluster member"), say("Users"), say("In failover"), say("When lost")),
        *(say("At most"), say("Can take"), say("Replicators")),
    )
    return text_table(head, rows, "<>><><>")


def _designs(names: Mapping[str, str], designs: Sequence[DesignRow], scenario: Scenario) -> str:
    rows = [
        (
            row.design.label,
            row.downtime.label,
            row.patching.label,
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
    head = (
        *(say("Design"), say("Host dies"), say("Patching"), "CPU %", say("CPU %, worst")),
        *(say("Response ms, worst"), say("Verdict"), say("Decided by"), say("Worst host")),
        *(say("Users without server"), say("Replicas GiB")),
    )
    table = text_table(head, rows, "<<<>>><<<>>")
    return joined("", (table, pairing_text(designs, scenario), ".\n")) if rows else table


def _decided_by(row: DesignRow, names: Mapping[str, str]) -> str:
    """``disk utilisation 77 (60–98) t of 70 %, normal``."""
    standing = row.deciding
    lost = say("{host} lost", host=names.get(row.worst_host, ""))
    when = say("normal") if standing is row.normal else lost
    if row.without_server > 0:
        return joined(", ", (say("users without server"), lost))
    if standing.refused:
        refused = names.get(standing.refused, standing.refused)
        return say("{vm} can’t be powered on, {when}", vm=refused, when=when)
    if standing.deciding is None:
        return NO_DATA_TEXT
    found = standing.deciding
    return say(
        "{what} {value} of {limit}, {when}",
        what=title_of(found.resource),
        value=cell(found.quantity),
        limit=joined(" ", (number(found.limit), unit_of(found.resource))),
        when=when,
    )


def _storm(names: Mapping[str, str], storm: StormStudy, needed: Needed | None) -> str:
    rows = [
        tuple(_server(names, storm, position, needed)) for position in range(len(storm.servers))
    ]
    head = [
        *(say("Storm: {kind}", kind=storm.kind.label), say("Users"), say("Most waiting")),
        *(say("Peak response ms"), say("Over after s")),
    ]
    if needed is not None:
        head.append(say("vCPUs needed"))
    left_out = [say("{vm} (no CPU data)", vm=names[id]) for id in storm.silent]
    left_out += [say("{vm} (can’t be powered on)", vm=names[id]) for id in storm.refused]
    table = text_table(head, rows, "<" + ">" * (len(head) - 1)) or text_lines(head[:1])
    lines = [say("Inputs: {inputs}.", inputs=joined(", ", map(_input, storm.inputs)))]
    if left_out:
        lines.append(say("Left out: {vms}.", vms=joined(", ", left_out)))
    return joined("", (table, text_lines(lines)))


def _input(each: AssumedInput) -> str:
    """``time in which users come back 15 min (assumed)``."""
    words = field_at(Scenario, f"assumptions.{each.field}")
    value = with_unit(exact_text(each.value), words.unit)
    return joined("", (words.label, " ", value, " (", each.origin, ")"))


def _server(
    names: Mapping[str, str], storm: StormStudy, position: int, needed: Needed | None
) -> Iterator[str]:
    server = storm.servers[position]
    peak, drained = server.peak_response_ms, server.drained_s
    yield names[server.vm]
    yield number(server.users)
    yield number(server.peak_waiting)
    yield NO_DATA_TEXT if peak is None else number(peak, -1)
    yield say("not within four hours") if drained is None else number(drained)
    if needed is not None:
        count = needed[storm.kind.value, server.vm]
        yield say("more than its host has") if count is None else number(count)

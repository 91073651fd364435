"""A cap sheet of each server for the engineer who builds it: what to set, where its files lie, who
restarts when, and what it has to show at each step of a ramp before users come.

What nobody stated is said to be open; a line of NOTES.INI stands only where a published rule or the
scenario has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from models.advise.advice import CitedKnowledge
from models.advise.upgrade import cache_entries, own_entries
from models.base.fields import Grows
from models.base.quantities import Quantity
from models.base.texts import Text, joined, opening, say, say_many
from models.catalog.catalog import Catalog
from models.evaluate import evaluate
from models.evidence.domino_cluster import recommended_replicators
from models.failure.mode import ModeKind
from models.physics.scenario_to_arrays import to_arrays
from models.physics.storage import SPACE
from models.predict.predicted import head_with_unit
from models.predict.prediction import Prediction
from models.resilience.study import FailureStudy, study_failures
from models.scenario.growth import growing, with_more
from models.scenario.scenario import RestartPriority, Scenario, Vm
from models.scenario.wording import (
    NO_DATA_TEXT,
    input_text,
    number,
    range_text,
    with_unit,
)
from models.scenario.workloads import WORKLOADS
from models.tell.blocks import Bullets, Column, Definitions, Paragraph, Section, Table

RAMP = (0.25, 0.5, 0.75, 1.0)
"""Shares of the planned users, a step each."""
MEASURED = ("cpu_pct", "iops", "response_ms")
"""What is measured at each step; `score` reads the same names."""
OPEN = say("open: nobody stated it")


@dataclass(frozen=True, slots=True, eq=False)
class CapSheet:
    """The sheet of one server, its title first."""

    vm: Vm
    sections: tuple[Section, ...]


def cap_sheets(scenario: Scenario, knowledge: CitedKnowledge) -> Iterator[CapSheet]:
    """One of each VM that runs, in the order of the scenario."""
    ramp = [evaluate(at_step(scenario, share), knowledge) for share in RAMP]
    study = study_failures(scenario, knowledge, which=(ModeKind.HOST,))
    space = _space(scenario, knowledge)
    for row, vm in enumerate(scenario.vms):
        if not vm.powered_on:
            continue
        title = say("Cap sheet: {vm}", vm=vm.name)
        yield CapSheet(
            vm,
            (
                Section(title, (Definitions(_size(scenario, vm, knowledge)),)),
                Section("NOTES.INI", _ini(vm, knowledge)),
                Section(
                    say("Storage layout"),
                    (Definitions(_layout(scenario, vm, space[row], knowledge.catalog)),),
                ),
                Section(say("Order of restart"), (Bullets(_restart(scenario, vm, study)),)),
                Section(say("Acceptance test"), _acceptance(vm, ramp)),
            ),
        )


def _size(
    scenario: Scenario, vm: Vm, knowledge: CitedKnowledge
) -> tuple[tuple[Text | str, Text | str], ...]:
    work = vm.workload
    host = None if vm.host is None else scenario.host(vm.host)
    size = say_many(
        "{count} vCPU, {ram}",
        "{count} vCPUs, {ram}",
        vm.vcpus,
        ram=with_unit(input_text(vm.ram_gib), "GiB"),
    )
    kept = [
        say("{what} reserved", what=with_unit(input_text(value), unit))
        for value, unit in ((vm.cpu_reservation_mhz, "MHz"), (vm.memory_reservation_gib, "GiB"))
        if value
    ]
    there: Text | str = say("not placed")
    if host is not None:
        platform = knowledge.catalog.hypervisors[host.hypervisor].name
        server = knowledge.catalog.servers[host.server].name
        there = joined(", ", (host.name, server, platform))
    cap = say("no users of its own")
    if work.active_users:
        owners = work.registered_users
        cap = say("{active} active users", active=number(work.active_users))
        if owners is not None:
            cap = say("{cap}, {owners} registered", cap=cap, owners=number(owners))
    return (
        (say("Server"), joined(" ", filter(None, (WORKLOADS[work.kind].name, work.release)))),
        (say("VM"), joined(", ", (size, *kept))),
        (say("Host"), there),
        (say("Users at most"), cap),
    )


def at_step(scenario: Scenario, share: float) -> Scenario:
    """The scenario with this share of its users."""
    return with_more(scenario, share, *growing(Grows.USERS))


def _ini(vm: Vm, knowledge: CitedKnowledge) -> tuple[Bullets | Paragraph, ...]:
    """Lines that a published rule or the scenario has."""
    work, lines = vm.workload, list[str]()
    if work.buffer_pool_mb is not None:
        lines.append(f"NSF_Buffer_Pool_Size_MB={work.buffer_pool_mb:.0f}")
    if work.kind.is_domino and work.active_users:
        entries = cache_entries(work.active_users, knowledge)
        if entries > own_entries(work.buffer_pool_mb):
            lines.append(f"NSF_DbCache_MaxEntries={entries}")
    if work.kind.is_domino and vm.cluster_partners:
        beyond = knowledge.calibration.constants.cluster_r5.replicators_beyond
        count = recommended_replicators(len(vm.cluster_partners), beyond)
        tasks = ",".join(("CLDBDIR", *("CLREPL",) * count))
        lines.append(say("add to the server’s own line ServerTasks: {tasks}", tasks=tasks))
    if not lines:
        return (Paragraph(say("No line follows from the design: the server’s defaults stay.")),)
    return (Bullets(tuple(lines)),)


def _space(scenario: Scenario, knowledge: CitedKnowledge) -> list[list[tuple[Text, float]]]:
    """Of each VM what takes space on the pool of its data [GiB]."""
    vms = to_arrays(scenario, knowledge.catalog).vms
    growth = scenario.policy.mail_growth_pct
    parts = [(name, of(vms, growth)) for name, of in SPACE]
    return [
        [(name, float(found[row])) for name, found in parts] for row in range(len(scenario.vms))
    ]


def _layout(
    scenario: Scenario, vm: Vm, space: Sequence[tuple[Text, float]], catalog: Catalog
) -> tuple[tuple[Text | str, Text | str], ...]:
    taken = [
        say("{what} {gib}", what=name, gib=with_unit(number(gib), "GiB"))
        for name, gib in space
        if gib > 0
    ]
    log = OPEN
    if vm.log_disk_gib is not None:
        where = vm.pool if vm.log_pool is None else vm.log_pool
        log = joined(
            ", ", (_pool(scenario, where, catalog), with_unit(input_text(vm.log_disk_gib), "GiB"))
        )
    return (
        (say("Data"), joined(", ", (_pool(scenario, vm.pool, catalog), *(taken or [OPEN])))),
        (say("Transaction log"), log),
        (say("Disks by"), vm.disk_mode.label),
    )


def _pool(scenario: Scenario, id: str | None, catalog: Catalog) -> Text | str:
    if id is None:
        return say("no storage pool")
    pool = scenario.pool(id)
    drives = say_many("{count} drive", "{count} drives", pool.spindles)
    raid = catalog.raid_levels[pool.raid].name
    return say("{pool} ({drives}, {raid})", pool=pool.name, drives=drives, raid=raid)


def _restart(scenario: Scenario, vm: Vm, study: FailureStudy) -> tuple[Text | str, ...]:
    """Its priority, and where and after how many others it restarts when its host is lost."""
    told: list[Text | str] = [say("Priority: {priority}", priority=vm.restart_priority.label)]
    names = {host.id: host.name for host in scenario.hosts}
    if vm.restart_priority is RestartPriority.DISABLED or vm.host is None:
        return (*told, say("It is not restarted."))
    modes = map(study.__getitem__, range(len(study)))
    mode = next((each for each in modes if each.host == vm.host), None)
    order = [] if mode is None else [each.vm for each in mode.restarted]
    if vm.id in order and mode is not None:
        place = order.index(vm.id)
        where = names.get(mode.restarted[place].host, "")
        told.append(
            say(
                "Without {lost}: number {place} of {all} to restart, on {host}",
                lost=names[vm.host],
                place=number(place + 1),
                all=number(len(order)),
                host=where,
            )
        )
    elif mode is not None and vm.id in mode.stranded:
        told.append(say("Without {lost}: it finds no room", lost=names[vm.host]))
    else:
        told.append(say("Without {lost}: it is not restarted by HA", lost=names[vm.host]))
    partners = [scenario.vm(id).name for id in vm.cluster_partners]
    if partners:
        told.append(say("Domino partners take its users: {names}", names=joined(", ", partners)))
    return tuple(told)


def _acceptance(vm: Vm, ramp: Sequence[Prediction]) -> tuple[Table | Paragraph, ...]:
    """What is to be measured at each step, and the band in which it is expected."""
    has_users = bool(vm.workload.active_users)
    steps = list(zip(RAMP, ramp, strict=True)) if has_users else [(1.0, ramp[-1])]
    columns = [Column(say("Users"), numeric=True)]
    for name in MEASURED:
        columns += [Column(opening(head_with_unit(name)), numeric=True), Column(say("measured"))]
    rows = []
    for share, prediction in steps:
        users = number(vm.workload.active_users * share) if has_users else say("as it runs")
        cells: list[Text | str] = [users]
        row = prediction.vms.ids.index(vm.id)
        for name in MEASURED:
            asked = name != "response_ms" or prediction.vms.has_response(row)
            found = prediction.vms.quantity(vm.id, name)
            cells += [_band(found), "______"] if asked else ["–", ""]
        rows.append(tuple(cells))
    how = say(
        "Hold each step for 15 minutes of a busy hour and write down the means. A step is passed "
        "with all figures inside their bands or below; the next one is begun only then. Nine of "
        "ten measurements lie inside where the model is right: write them into measured.json of "
        "the step’s folder, and `headroom score design.json --measured measured.json` says so."
    )
    return (Table(tuple(columns), tuple(rows)), Paragraph(how))


def _band(found: Quantity) -> Text | str:
    return range_text(found) or NO_DATA_TEXT

"""What to buy and what else would do: told once."""

from __future__ import annotations

from collections.abc import Sequence

from models.base.texts import Text, joined, opening, say, say_many
from models.catalog.catalog import Catalog
from models.evidence.profiles import FIELD_MB_PER_OWNER
from models.options.chat import BUSY, is_chat, is_unpublished
from models.options.option import NAMES, Option, Options
from models.options.purchasable import Refused
from models.options.requirement import Requirement
from models.predict.prediction import Verdict
from models.scenario.scenario import Scenario
from models.scenario.wording import NO_DATA_TEXT, exact_text, first_of, number, with_unit
from models.tell.blocks import Block, Column, Paragraph, Section, Table
from models.tell.growth import RESOURCES, month_text

MOST_ROWS, MOST_REFUSED, MOST_NAMES = 50, 40, 4
HOW_FAR = say(
    "Each option fits today and at the end of the planned years as far as is known, with all "
    "failures that the policy asks to survive, and no rule has an error or a warning against it. "
    "Units are the weights of the requirement: there are no prices here."
)
HOW = say(
    "Each option fits today and at the end of the planned years, with all failures that the policy "
    "asks to survive, and no rule has an error or a warning against it. Units are the weights of "
    "the requirement: there are no prices here."
)


def option_sections(found: Options, catalog: Catalog) -> tuple[Section, ...]:
    """The three that are best at something, the list, and what was left out."""
    if found.requirement.silent:
        return (Section(say("Options"), (Paragraph(unanswered(found.requirement)),)),)
    considered = say_many(
        "{count} combination looked at", "{count} combinations looked at", found.considered
    )
    if not found.options:
        head = say(
            "{considered}; none fits. What each lacks stands below. All VMs of an option share one "
            "array: where none carries them all, ask for a part of the load at a time.",
            considered=considered,
        )
        return (Section(say("Options"), (Paragraph(head),)), *_refused(found, catalog))
    head = say(
        "{considered}; {fits}.",
        considered=considered,
        fits=say_many("{count} option fits", "{count} options fit", len(found.options)),
    )
    unknown = any(each.end.verdict is Verdict.NOT_KNOWN for each in found.options)
    known = [Paragraph(_not_known(found))] if unknown else []
    if raised := _raised(found.requirement):
        known.append(Paragraph(_more_memory(raised)))
    table, same = _table(found, catalog)
    blocks: tuple[Block, ...] = (
        Paragraph(head),
        *known,
        *([Paragraph(same)] if same else []),
        table,
        Paragraph(HOW_FAR if unknown else HOW),
    )
    return (Section(say("Options"), blocks), *_held(found, catalog), *_refused(found, catalog))


def _raised(requirement: Requirement) -> list[str]:
    """Names of the VMs that have more memory in the options than on the board."""
    board = requirement.board
    before = {} if board is None else {vm.id: vm.ram_gib for vm in board.vms}
    return [vm.name for vm in requirement.vms if vm.ram_gib > before.get(vm.id, vm.ram_gib)]


def _more_memory(names: list[str]) -> Text:
    least, most = map(exact_text, FIELD_MB_PER_OWNER)
    return say(
        "{names}: more memory than now, as on two field servers Domino took {least} to {most} MB "
        "for each registered user. Pin the memory of a VM to keep it.",
        names=first_of(names, MOST_NAMES),
        least=least,
        most=most,
    )


def _held(found: Options, catalog: Catalog) -> tuple[Section, ...]:
    """Of each that is named why there is no less of it."""
    rows = tuple(
        (
            opening(joined(", ", [NAMES[name] for name in each.names])),
            _hosts_of(each, catalog),
            opening(each.holds.hosts),
            opening(each.holds.ram_gib),
            opening(each.holds.drives),
            _runs_out(each),
        )
        for each in found.options
        if each.holds is not None and each.names
    )
    if not rows:
        return ()
    columns = (
        Column(say("Best at")),
        Column(say("Hosts"), wide=True),
        Column(say("One host less"), wide=True, weight=2),
        Column(say("The next smaller memory"), wide=True, weight=2),
        Column(say("Fewer drives"), wide=True, weight=2),
        Column(say("Runs out")),
    )
    return (Section(say("What holds it"), (Table(columns, rows),)),)


def _hosts_of(option: Option, catalog: Catalog) -> Text:
    return say(
        "{count} × {server}, {ram}",
        count=number(option.hosts),
        server=catalog.servers[option.server].name,
        ram=with_unit(exact_text(option.stand.ram_gib), "GiB"),
    )


def unanswered(requirement: Requirement) -> Text:
    """Why no design can be said to carry these VMs, and the way out."""
    silent = requirement.silent
    count = max(silent.values())
    return say_many(
        "Not known: {count} VM brings no figure of its {what}, so that no design can be said to "
        "carry it. Measure it, enter the figure, or state an assumption "
        "({options} when it is imported), and ask again.",
        "Not known: {count} VMs bring no figure of their {what}, so that no design can be said to "
        "carry them. Measure them, enter the figures, or state an assumption "
        "({options} when they are imported), and ask again.",
        count,
        what=joined(say(" and "), [SILENT[each][0] for each in silent]),
        options=joined(", ", [SILENT[each][1] for each in silent]),
    )


SILENT = {"cpu": ("CPU", "--assume-cpu"), "iops": (say("I/O"), "--assume-iops")}
"""What nobody measured is called, and the option of `import` that assumes it."""


def _not_known(found: Options) -> Text:
    """What the verdict on the options does not know, and what was done about it."""
    vms = found.options[0].scenario.vms
    if any(is_unpublished(vm) and not is_chat(vm) for vm in vms):
        return say(
            "Verdict of each: not known, as CPU and I/O of Traveler were never published. Its "
            "servers are as many as their maker has for so many devices, and the hosts have room "
            "for each at {share} % of the policy’s limit of CPU; all else fits. Measure a "
            "pilot to know.",
            share=number(100.0 * BUSY),
        )
    if any(is_chat(vm) for vm in vms):
        return say(
            "Verdict of each: not known, as CPU and I/O of Sametime servers were never published. "
            "They stand as in the one published design, each community server behind multiplexers, "
            "and the hosts have room for them at {share} % of the policy’s limit of CPU; all "
            "else fits. Measure a pilot to know.",
            share=number(100.0 * BUSY),
        )
    return say(
        "Verdict of each: not known, as nothing was published of the response time of some of "
        "these VMs; everything else fits."
    )


def option_name(option: Option, catalog: Catalog) -> Text:
    """An option in a line: hosts, drives."""
    ram = with_unit(exact_text(option.stand.ram_gib), "GiB")
    return say(
        "{hosts} × {server} with {ram}, {drives} × {disk} in {array}",
        hosts=number(option.hosts),
        server=catalog.servers[option.server].name,
        ram=ram,
        drives=number(option.drives),
        disk=option.storage.disk.name,
        array=option.storage.array.name,
    )


DESIGN = (
    Column(say("Hosts")),
    Column(say("Server"), wide=True, weight=3, in_line=True),
    Column(say("Drives")),
    Column(say("Storage"), wide=True, weight=2, in_line=True),
)
"""Columns of what is bought."""

_LEFT = ("cpu", "ram", "iops", "space", "failure")


def design_cells(option: Option, catalog: Catalog) -> tuple[Text | str, ...]:
    """What is bought, by the columns `DESIGN`."""
    storage, times = option.storage, "\N{MULTIPLICATION SIGN}"
    ram = with_unit(exact_text(option.stand.ram_gib), "GiB")
    return (
        joined(" ", (number(option.hosts), times, ram)),
        catalog.servers[option.server].name,
        joined(" ", (number(option.drives), times, storage.disk.name)),
        joined(", ", (storage.raid.name, storage.array.name)),
    )


def _table(found: Options, catalog: Catalog) -> tuple[Table, Text | None]:
    """A row an option, and what is the same in all of them, which is no column."""
    options = found.options[:MOST_ROWS]
    columns = (
        Column(say("No."), numeric=True),
        Column(say("Best at")),
        *DESIGN,
        Column("VMs", in_line=True),
        Column(say("Units"), numeric=True),
        Column("CPU", numeric=True),
        Column("RAM", numeric=True),
        Column("IOPS", numeric=True),
        Column(say("Space"), numeric=True),
        Column(say("Failure"), numeric=True),
    )
    rows = tuple(
        (
            number(rank),
            opening(joined(", ", [NAMES[name] for name in each.names])) if each.names else "",
            *design_cells(each, catalog),
            _vms(each),
            number(each.units, 1),
            *(_left(each.headroom[name]) for name in _LEFT),
        )
        for rank, each in enumerate(options, 1)
    )
    same = [
        place
        for place, column in enumerate(columns)
        if column.in_line and len(rows) > 1 and len({row[place] for row in rows}) == 1
    ]
    kept = [place for place in range(len(columns)) if place not in same]
    subjects = tuple(str(rank) for rank in range(1, len(rows) + 1))
    note = say(
        "CPU to space: what is left of each limit at the end of the planned years; failure: what "
        "is left of CPU and RAM in the worst one."
    )
    table = Table(
        tuple(columns[place] for place in kept),
        tuple(tuple(row[place] for place in kept) for row in rows),
        note,
        subjects=subjects,
    )
    shared = joined("; ", [rows[0][place] for place in same])
    return table, say("The same in all: {what}.", what=shared) if same else None


def _vms(option: Option) -> Text:
    made = [
        say(
            "{count} × {vcpus}, {ram}",
            count=number(each.count),
            vcpus=say_many("{count} vCPU", "{count} vCPUs", each.vcpus),
            ram=with_unit(exact_text(each.ram_gib), "GiB"),
        )
        for each in option.plan.made
    ]
    own = len(option.scenario.vms) - sum(each.count for each in option.plan.made)
    if own:
        made.append(say_many("{count} that is there", "{count} that are there", own))
    return joined("; ", made)


def _left(value: float | None) -> str:
    return NO_DATA_TEXT if value is None else with_unit(number(value), "%")


def _runs_out(option: Option) -> str:
    if option.runs_out is None:
        return ""
    resource, month = option.runs_out
    return joined(", ", (RESOURCES[resource], month_text(month)))


def _refused(found: Options, catalog: Catalog) -> tuple[Section, ...]:
    """What was left out: a row a reason, however many it holds for."""
    by_reason: dict[str, list[str]] = {}
    for each in sorted(found.refused, key=_of_today_first):
        by_reason.setdefault(each.reason, []).append(_name_of(each, catalog))
    if not by_reason:
        return ()
    rows = tuple((_several(names), reason) for reason, names in by_reason.items())
    columns = (Column(say("What"), wide=True), Column(say("Why not"), wide=True, weight=2))
    return (Section(say("Left out"), (Table(columns, rows[:MOST_REFUSED]),)),)


def _name_of(refused: Refused, catalog: Catalog) -> Text | str:
    server, array = catalog.servers.get(refused.server), catalog.arrays.get(refused.array)
    if server is not None and array is not None:
        return say("{server} with {array}", server=server.name, array=array.name)
    entry = server or array
    return refused.server or refused.array if entry is None else entry.name


def _several(names: Sequence[str]) -> Text:
    """The first few names, and how many more."""
    few = joined("; ", names[:MOST_NAMES])
    more = len(names) - MOST_NAMES
    if more <= 0:
        return few
    return say_many("{names} and {count} more", "{names} and {count} more", more, names=few)


def _of_today_first(each: object) -> bool:
    """What could be bought before what can't."""
    return str(getattr(each, "reason", "")).startswith(("out of date", "a reference"))


def requirement_of(scenario: Scenario, name: str) -> Requirement:
    """What the VMs of a scenario require, taken as they are, under its policy and growth."""
    return Requirement(
        name=name,
        vms=scenario.vms,
        board=scenario,
        policy=scenario.policy,
        growth=scenario.growth,
    )

"""What to buy and what else would do: told once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import nan

from models.base.texts import Text, joined, opening, say, say_many
from models.catalog.catalog import Catalog, Hypervisor
from models.evidence.profiles import FIELD_MB_PER_OWNER
from models.options.chat import BUSY, is_chat, is_unpublished
from models.options.option import COST, NAMES, UNITS, Measure, Option, Options
from models.options.purchasable import Refused
from models.options.requirement import Requirement
from models.options.shrink import wider
from models.predict.prediction import Shown, Verdict
from models.prices.cost import least_more
from models.prices.lasting import Lasting
from models.scenario.scenario import Scenario
from models.scenario.wording import NO_DATA_TEXT, exact_text, first_of, number, with_unit
from models.tell.blocks import Block, Cell, Column, Paragraph, Section, Table, cell_text
from models.tell.costs import (
    capex_text,
    cost_sentence,
    lasting_text,
    more_text,
    over_text,
    total_text,
    years_text,
)
from models.tell.growth import RESOURCES, month_text
from models.tell.materials import support_text

MOST_ROWS, MOST_REFUSED, MOST_NAMES = 50, 40, 4
HOW_FAR = say(
    "Each option fits today and at the end of the planned years as far as is known, with all "
    "failures that the policy asks to survive, and no rule has an error or a warning against it."
)
HOW = say(
    "Each option fits today and at the end of the planned years, with all failures that the policy "
    "asks to survive, and no rule has an error or a warning against it."
)
WEIGHTS = say("Units are the weights of the requirement: there are no prices here.")


def option_sections(
    found: Options, catalog: Catalog, lasts: Mapping[str, Lasting] | None = None
) -> tuple[Section, ...]:
    """The three that are best at something, the list, and what was left out.

    Args:
        lasts: of options with a cost, by what they are best at, whether they last.
    """
    if found.requirement.silent:
        return (Section(say("Options"), (Paragraph(unanswered(found.requirement)),)),)
    if not found.options:
        head = say(
            "{considered}; none fits. What each lacks stands below. All VMs of an option share one "
            "array: where none carries them all, ask for a part of the load at a time.",
            considered=_considered(found),
        )
        return (Section(say("Options"), (Paragraph(head),)), *_refused(found, catalog))
    table = option_table(found, catalog)
    before, how = _notes(found)
    blocks: tuple[Block, ...] = (
        Paragraph(fitting_text(found)),
        *before,
        *_shared(table),
        _in_few(table),
        how,
    )
    return (
        Section(say("Options"), blocks),
        *_held(found, catalog),
        *_lasting(found, lasts or {}),
        *_refused(found, catalog),
    )


def listed_sections(found: Options, catalog: Catalog) -> tuple[Section, ...]:
    """The same with the whole list first: for a page that has said how many there are."""
    if not found.options:
        return option_sections(found, catalog)
    before, how = _notes(found)
    table = option_table(found, catalog)
    blocks: tuple[Block, ...] = (table, *_shared(table), *before, how)
    return (Section("", blocks), *_held(found, catalog), *_refused(found, catalog))


def _considered(found: Options) -> Text:
    return say_many(
        "{count} combination looked at", "{count} combinations looked at", found.considered
    )


def fitting_text(found: Options) -> Text:
    """How many were looked at, and how many fit, as far as is known."""
    if found.is_cut:
        return say(
            "{considered}; {best}, and more may.",
            considered=_considered(found),
            best=say_many(
                "the best {count} that fits stands here",
                "the best {count} that fit stand here",
                len(found.options),
            ),
        )
    return say(
        "{considered}; {fits}.",
        considered=_considered(found),
        fits=say_many("{count} option fits", "{count} options fit", len(found.options)),
    )


def _notes(found: Options) -> tuple[list[Paragraph], Paragraph]:
    """What is said before the list, and how it came about."""
    unknown = any(each.end.verdict is Verdict.NOT_KNOWN for each in found.options)
    known = [Paragraph(_not_known(found))] if unknown else []
    if raised := _raised(found.requirement):
        known.append(Paragraph(_more_memory(raised)))
    how = joined(" ", (HOW_FAR if unknown else HOW, priced_by(found) or WEIGHTS))
    return known, Paragraph(how)


def priced_by(found: Options) -> Text | None:
    """Whose prices rank or stand beside the options, and what they lack; None without a book."""
    cost = found.options[0].cost if found.options else None
    if cost is None:
        return None
    by = say("Options stand by cost.") if found.by_cost else say("Options stand by units.")
    of = say(
        "Costs are by {file}, in {currency}, over {years}.",
        file=cost.book.name,
        currency=cost.book.currency,
        years=years_text(cost.years),
    )
    if (over := over_text(cost.book)) is not None:
        of = joined(" ", (of, over))
    missing = [each for o in found.options if o.cost for each in o.cost.missing]
    lacking = {each.article: each.article.label for each in missing}
    if not lacking:
        return joined(" ", (by, of))
    named = joined(", ", list(lacking.values()))
    without = say("Without a price, and in no sum: {named}.", named=named)
    return joined(" ", (by, of, without))


def _lasting(found: Options, lasts: Mapping[str, Lasting]) -> Iterator[Section]:
    """Of each that is named whether it lasts, and what the next host costs if not."""
    rows = tuple(
        (_best_at(each), opening(lasting_text(last, each.cost)))
        for each in found.options
        if each.cost is not None
        and (last := next((lasts[name] for name in each.names if name in lasts), None))
    )
    if rows:
        columns = (Column(say("Best at")), Column(say("Whether it lasts"), wide=True))
        yield Section(say("If it doesn’t last"), (Table(columns, rows),))


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
            _best_at(each),
            _hosts_of(each, catalog),
            opening(each.holds.hosts),
            opening(each.holds.ram_gib),
            opening(each.holds.drives),
            _runs_out(each),
            *([wider_text(each, catalog)] if found.is_priced else []),
        )
        for each in found.options
        if each.holds is not None and each.names
    )
    if not rows:
        return ()
    columns = (
        Column(say("Best at")),
        Column(say("Hosts"), in_line=True),
        Column(say("One host less"), wide=True, weight=2),
        Column(say("The next smaller memory"), wide=True, weight=2),
        Column(say("Fewer drives"), wide=True, weight=2),
        Column(say("Runs out")),
        *([WIDER] if found.is_priced else []),
    )
    return (Section(say("What holds it"), (Table(columns, rows),)),)


WIDER = Column(say("What the next step costs"), wide=True)


def wider_text(option: Option, catalog: Catalog) -> Text:
    """What one step more of hosts, memory and drives costs to buy, by the book of the option."""
    if option.cost is None:
        return NO_DATA_TEXT
    book = option.cost.book
    steps = []
    for what, after in wider(option):
        more, at_least = least_more(option.scenario, after, catalog, book)
        cost = more_text(more, book.currency)
        told = say("at least {amount}", amount=cost) if at_least else cost
        steps.append(say("{step}: {cost}", step=what, cost=told))
    return opening(joined("; ", steps))


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


def option_sentence(option: Option, catalog: Catalog) -> Text:
    """An option in a line with its units and what it leaves, and its cost where that is known."""
    told = say(
        "{option}; {units} units, {left} left at least",
        option=option_name(option, catalog),
        units=number(option.units, 1),
        left=left_text(option),
    )
    return told if option.cost is None else joined("; ", (told, cost_sentence(option.cost)))


def measure_of(found: Options) -> Measure:
    """What headroom is set against: money, as far as hardware has prices, else units."""
    cost = next((o.cost for o in found.options if o.cost is not None and COST.of(o)), None)
    if cost is None:
        return UNITS
    name = say(
        "cost over {years}, {currency}", years=years_text(cost.years), currency=cost.book.currency
    )
    return replace(COST, name=name)


DESIGN = (
    Column(say("Hosts")),
    Column(say("Server"), wide=True, weight=3, in_line=True),
    Column(say("Drives")),
    Column(say("Storage"), wide=True, weight=2, in_line=True),
)
"""Columns of what is bought."""

VMS = Column("VMs")
LICENSED = Column(
    say("Licensed cores"),
    numeric=True,
    tip=say("of the hypervisor, by its maker’s rule; an order may have to be larger"),
)
SHARED = (DESIGN[1], DESIGN[3], VMS)
"""Columns that are often the same in all rows."""

_LEFT = {
    "cpu": "CPU",
    "ram": "RAM",
    "iops": "IOPS",
    "space": say("Space"),
    "failure": say("Failure"),
}
LEFT_NOTE = say(
    "CPU to space: what is left of each limit at the end of the planned years; failure: what "
    "is left of CPU and RAM in the worst one."
)
TIGHT = {**RESOURCES, "failure": say("the worst failure")}
"""What a resource is called that is nearest its limit."""


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


@dataclass(frozen=True, slots=True)
class _Fact:
    """A column of the list: what it says of an option, and the number that it is sorted by."""

    column: Column
    says: Callable[[Option], Cell]
    value: Callable[[Option], float | None] | None = None


def _capex(option: Option) -> float | None:
    return None if option.cost is None else float(option.cost.capex)


_UNITS = _Fact(Column(say("Units"), numeric=True), lambda o: number(o.units, 1), lambda o: o.units)
_COSTS = (
    _Fact(
        Column(say("Units"), numeric=True, aside=True),
        _UNITS.says,
        _UNITS.value,
    ),
    _Fact(
        Column(say("To buy"), numeric=True),
        lambda o: NO_DATA_TEXT if o.cost is None else capex_text(o.cost),
        _capex,
    ),
    _Fact(
        Column(say("Total"), numeric=True),
        lambda o: NO_DATA_TEXT if o.cost is None else total_text(o.cost),
        COST.of,
    ),
)


def _facts(catalog: Catalog, *, priced: bool) -> tuple[_Fact, ...]:
    """What is listed of each option; what stands aside is of the window alone."""
    hosts, server, drives, storage = (
        partial(_part, catalog=catalog, place=place) for place in range(len(DESIGN))
    )
    return (
        _Fact(Column(say("Best at"), in_line=True), _best_at),
        *(_COSTS if priced else (_UNITS,)),
        _Fact(Column(say("Least left"), numeric=True), left_text, lambda o: o.least_headroom),
        _Fact(DESIGN[0], hosts, lambda o: o.hosts),
        _Fact(DESIGN[1], server),
        _Fact(DESIGN[2], drives, lambda o: o.drives),
        _Fact(DESIGN[3], storage),
        _Fact(VMS, _vms, lambda o: len(o.scenario.vms)),
        _Fact(
            Column(say("Hypervisor"), in_line=True, aside=True),
            lambda o: _hypervisor(o.stand.hypervisor),
        ),
        _Fact(
            Column(say("Server of"), numeric=True, aside=True),
            lambda o: _known(catalog.servers[o.server].year),
            lambda o: catalog.servers[o.server].year,
        ),
        _Fact(
            Column(say("Cores"), numeric=True, aside=True),
            lambda o: number(o.hosts * o.stand.server.cores),
            lambda o: o.hosts * o.stand.server.cores,
        ),
        _Fact(
            LICENSED,
            lambda o: _count(o.licensed_cores),
            lambda o: o.licensed_cores,
        ),
        _Fact(
            Column(say("Verdict"), aside=True),
            lambda o: o.end.shown,
            lambda o: o.end.shown.badness[0],
        ),
        *(
            _Fact(
                Column(title, numeric=True),
                partial(_left_words, name=name),
                partial(_left_value, name=name),
            )
            for name, title in _LEFT.items()
        ),
    )


def _part(option: Option, *, catalog: Catalog, place: int) -> Text | str:
    return design_cells(option, catalog)[place]


def _left_value(option: Option, *, name: str) -> float | None:
    return option.headroom[name]


def _left_words(option: Option, *, name: str) -> str:
    return _left(option.headroom[name])


def option_table(found: Options, catalog: Catalog) -> Table:
    """A row an option, with all that can be said of it; what is the same in all stands aside."""
    options, facts = found.options[:MOST_ROWS], _facts(catalog, priced=found.is_priced)
    columns = (Column(say("No."), numeric=True), *(fact.column for fact in facts))
    rows = tuple(
        (number(rank), *(fact.says(each) for fact in facts)) for rank, each in enumerate(options, 1)
    )
    same = _same_in_all(rows, columns)
    return Table(
        tuple(
            replace(column, aside=column.aside or place in same)
            for place, column in enumerate(columns)
        ),
        rows,
        LEFT_NOTE,
        subjects=tuple(str(rank) for rank in range(1, len(options) + 1)),
        values=tuple(
            (float(rank), *(_value(fact, each) for fact in facts))
            for rank, each in enumerate(options, 1)
        ),
    )


def _value(fact: _Fact, option: Option) -> float | None:
    if fact.value is None:
        return None
    value = fact.value(option)
    return nan if value is None else float(value)


def _same_in_all(rows: Sequence[tuple[Cell, ...]], columns: Sequence[Column]) -> list[int]:
    """Places of what is often the same in all rows, and is here."""
    return [
        place
        for place, column in enumerate(columns)
        if column in SHARED and len(rows) > 1 and len({row[place] for row in rows}) == 1
    ]


def _shared(table: Table) -> list[Paragraph]:
    """What is the same in all rows of the list, in a sentence."""
    titles = {column.title for column in SHARED}
    same = [
        cell_text(table.rows[0][place])
        for place, column in enumerate(table.columns)
        if column.aside and column.title in titles
    ]
    return [Paragraph(say("The same in all: {what}.", what=joined("; ", same)))] if same else []


def _in_few(table: Table) -> Table:
    """The table without what stands aside."""
    kept = [place for place, column in enumerate(table.columns) if not column.aside]
    return replace(
        table,
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(tuple(row[place] for place in kept) for row in table.rows),
        values=(),
    )


def _best_at(option: Option) -> Text | str:
    return opening(joined(", ", [NAMES[name] for name in option.names])) if option.names else ""


def _count(value: int | None) -> str:
    return NO_DATA_TEXT if value is None else number(value)


def _known(value: int | None) -> str:
    return NO_DATA_TEXT if value is None else str(value)


def _hypervisor(hypervisor: Hypervisor) -> Text:
    return joined(", ", (hypervisor.name, support_text(hypervisor)))


@dataclass(frozen=True, slots=True)
class Card:
    """An option in a few lines: what it is best at, what is bought, how it fares, what holds it.

    Attributes:
        left: what is left at the resource nearest its limit.
        cost: to buy and over the years; empty without a price book.
        holds: what breaks with less of each; none where nobody asked.
    """

    title: Text | str
    parts: tuple[Text, ...]
    shown: Shown
    left: Text
    holds: tuple[Text, ...]
    cost: Text | str = ""


def card_of(option: Option, catalog: Catalog, site: str = "") -> Card:
    """What a card says of an option, of one of several sites by the name of that."""
    storage, holds = option.storage, option.holds
    times = "\N{MULTIPLICATION SIGN}"
    each = say("{ram} each", ram=with_unit(exact_text(option.stand.ram_gib), "GiB"))
    parts = (
        joined(" ", (number(option.hosts), times, catalog.servers[option.server].name)),
        joined(", ", (each, option.stand.hypervisor.name)),
        joined(" ", (number(option.drives), times, f"{storage.disk.name},", storage.raid.name)),
        joined("", ("VMs: ", _vms(option))),
    )
    name = option.tightest
    left = say("nothing known of its limits")
    if name is not None:
        left = say("{left} left: {resource}", left=left_text(option), resource=TIGHT[name])
    less = (
        ()
        if holds is None
        else (
            say("One host less: {why}", why=holds.hosts),
            say("Less memory: {why}", why=holds.ram_gib),
            say("Fewer drives: {why}", why=holds.drives),
            *([] if option.cost is None else [wider_text(option, catalog)]),
        )
    )
    title = joined(": ", (site, joined(", ", [NAMES[name] for name in option.names])))
    cost = "" if option.cost is None else cost_sentence(option.cost)
    return Card(title if site else _best_at(option), parts, option.end.shown, left, less, cost)


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


def left_text(option: Option) -> str:
    """What is left at the resource nearest its limit."""
    return _left(option.least_headroom)


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

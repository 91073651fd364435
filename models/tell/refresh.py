"""A hardware refresh: what is replaced by what, before and after side by side."""

from __future__ import annotations

from models.base.texts import Text, joined, opening, say, say_many
from models.catalog.catalog import Catalog
from models.options.age import Aged
from models.options.option import NAMES, Option
from models.options.refresh import Choice, Figures, Refresh, Refreshed
from models.predict.prediction import Shown
from models.prices.book import money, total
from models.prices.cost import Cost
from models.scenario.wording import NO_DATA_TEXT, first_of, number, with_unit
from models.tell.blocks import Cell, Column, Paragraph, Section, Table
from models.tell.costs import capex_text, total_text, years_text
from models.tell.options import (
    DESIGN,
    LICENSED,
    MOST_NAMES,
    WIDER,
    design_cells,
    left_text,
    priced_by,
    unanswered,
    wider_text,
)

HOW = say(
    "Each site has a design of its own, the one of the least units that was found unless another "
    "is taken. Years left: until something passes its limit by the growth that is planned."
)
HOW_BY_COST = say(
    "Each site has a design of its own, the one of the least cost that was found unless another "
    "is taken. Years left: until something passes its limit by the growth that is planned."
)


def refresh_sections(found: Refresh, catalog: Catalog) -> tuple[Section, ...]:
    """Before and after of every site and in all, what each gets, and what holds it."""
    return (
        _side_by_side(found),
        *_designs(found, catalog),
        *_held(found, catalog),
        *_by_age(found.aged, catalog),
        *_without(found),
    )


def subject_of(part: int, choice: int) -> str:
    """How a row of a design is told apart: places of its site and of it among the choices."""
    return f"{part}/{choice}"


def choice_of(subject: str) -> tuple[int, int] | None:
    """Places of a site and a choice, by a row of a design; None for another row."""
    part, _, choice = subject.partition("/")
    return (int(part), int(choice)) if part.isdecimal() and choice.isdecimal() else None


_COLUMNS = (
    Column(say("Site"), wide=True),
    Column(""),
    Column("VMs", numeric=True),
    Column(say("Hosts"), numeric=True),
    Column(say("Cores"), numeric=True),
    LICENSED,
    Column("RAM", numeric=True),
    Column(say("Drives"), numeric=True),
    Column(say("Rack U"), numeric=True),
    Column(say("Years left"), numeric=True),
    Column(say("Verdict")),
)


def _side_by_side(found: Refresh) -> Section:
    rows = list[tuple[Cell, ...]]()
    subjects = list[str]()
    done = [(place, each) for place, each in enumerate(found.parts) if each.choices]
    if len(done) > 1:
        vms = number(sum(len(each.part.now.vms) for _, each in done))
        rows.append(_row(say("In all"), say("before"), vms, found.before))
        rows.append(_row("", say("after"), vms, found.after))
        subjects += ["", ""]
    for place, each in done:
        vms = number(len(each.part.now.vms))
        rows.append(_row(each.part.name, say("before"), vms, each.before))
        subjects.append("")
        for at, choice in enumerate(each.choices):
            is_taken = at == each.taken
            rows.append(_row("", _when(choice, is_taken, each), vms, choice.figures))
            subjects.append(subject_of(place, at))
    stays = list[Text]()
    if found.stays:
        stays.append(say_many("{count} host stays", "{count} hosts stay", found.stays))
    if found.unplaced:
        stays.append(
            say_many(
                "{count} VM without a host is in no design",
                "{count} VMs without a host are in no design",
                found.unplaced,
            )
        )
    said = joined("", (opening(joined("; ", stays)), ".")) if stays else ""
    table = Table(_COLUMNS, tuple(rows), subjects=tuple(subjects))
    by_cost = any(each.found.by_cost for each in found.parts)
    blocks = (table, Paragraph(HOW_BY_COST if by_cost else HOW)) if rows else ()
    return Section(say("Before and after"), (*([Paragraph(said)] if stays else ()), *blocks))


def _by_age(aged: Aged | None, catalog: Catalog) -> tuple[Section, ...]:
    """Which hosts are old enough to be replaced, and of which that isn't known."""
    if aged is None:
        return ()
    columns = (
        Column(say("Host"), wide=True),
        Column(say("Server")),
        Column(say("Of"), numeric=True),
        Column(say("By")),
        Column(""),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            each.host.name,
            catalog.servers[each.host.server].name,
            str(each.year),
            each.by,
            say("replaced"),
        )
        for each in aged.older
    ]
    rows += [
        (
            host.name,
            catalog.servers[host.server].name,
            NO_DATA_TEXT,
            "",
            say("stays: age not known"),
        )
        for host in aged.unknown
    ]
    how = say(
        "Replaced are hosts older than {years} years in {year}, by the year in which they were "
        "bought, else by that in which the server model or its processors came out.",
        years=number(aged.years),
        year=str(aged.year),
    )
    return (Section(say("Hosts by age"), (Paragraph(how), Table(columns, tuple(rows)))),)


def _when(choice: Choice, is_taken: bool, of: Refreshed) -> Text:
    if len(of.choices) == 1:
        return say("after")
    if is_taken:
        return say("after: {names}", names=_best_at(choice.option))
    return say("or: {names}", names=_best_at(choice.option))


def _best_at(option: Option) -> Text:
    return joined(", ", [NAMES[name] for name in option.names])


def _row(name: str, when: str, vms: str, figures: Figures) -> tuple[Cell, ...]:
    height, verdict = figures.rack_units, figures.verdict
    return (
        name,
        when,
        vms,
        _hosts(figures),
        number(figures.cores),
        NO_DATA_TEXT if figures.licensed_cores is None else number(figures.licensed_cores),
        with_unit(number(figures.ram_gib), "GiB"),
        NO_DATA_TEXT if figures.drives is None else number(figures.drives),
        NO_DATA_TEXT if height is None else number(height),
        _years(figures),
        NO_DATA_TEXT if verdict is None else Shown.of(verdict, is_assumed=figures.is_assumed),
    )


def _hosts(figures: Figures) -> str:
    if not figures.in_maintenance:
        return number(figures.hosts)
    away = number(figures.in_maintenance)
    return say("{count}, {away} in maintenance", count=number(figures.hosts), away=away)


def _years(figures: Figures) -> str:
    if figures.years_left is not None:
        return number(figures.years_left, 1)
    if not figures.years_seen:
        return say("no growth")
    return joined(" ", (">", number(figures.years_seen)))


def _designs(found: Refresh, catalog: Catalog) -> tuple[Section, ...]:
    rows, subjects, values = [], [], list[tuple[float | None, ...]]()
    cost = cost_of_taken(found)
    for place, each in enumerate(found.parts):
        for at, choice in enumerate(each.choices):
            option = choice.option
            what = design_cells(option, catalog)
            units = number(option.units, 1)
            order = [units] if option.cost is None else _costs(option.cost)
            rows.append(
                (each.part.name, opening(_best_at(option)), *what, *order, left_text(option))
            )
            hosts, drives = float(option.hosts), float(option.drives)
            sums: tuple[float, ...] = (option.units,)
            if option.cost is not None:
                sums = float(option.cost.capex), float(option.cost.total)
            values.append((None, None, hosts, None, drives, None, *sums, option.least_headroom))
            subjects.append(subject_of(place, at))
    columns = (
        Column(say("Site"), in_line=True),
        Column(say("Best at"), in_line=True),
        *DESIGN,
        *([Column(say("Units"), numeric=True)] if cost is None else _COSTS),
        Column(say("Least left"), numeric=True),
    )
    table = Table(columns, tuple(rows), subjects=tuple(subjects), values=tuple(values))
    told = () if cost is None else (Paragraph(cost),)
    return (Section(say("Designs"), (table, *told)),) if rows else ()


_COSTS = Column(say("To buy"), numeric=True), Column(say("Over the years"), numeric=True)


def _costs(cost: Cost) -> list[str]:
    return [capex_text(cost), total_text(cost)]


def cost_of_taken(found: Refresh) -> Text | None:
    """What the designs that are taken cost together, and whose prices these are; None without a
    price book."""
    costs = [each.option.cost for each in found.parts if each.option is not None]
    known = [each for each in costs if each is not None]
    priced = next((by for each in found.parts if (by := priced_by(each.found))), None)
    if not known or priced is None:
        return None
    book = known[0].book
    least = say("at least") if any(each.at_least for each in known) else ""
    capex, whole = (
        joined(" ", [each for each in (least, money(total(sums), book.currency)) if each])
        for sums in ([each.capex for each in known], [each.total for each in known])
    )
    in_all = say(
        "In all {capex} to buy, {total} over {years}.",
        capex=capex,
        total=whole,
        years=years_text(known[0].years),
    )
    return joined(" ", (in_all, priced))


def found_sentence(one: Refreshed, catalog: Catalog) -> Text:
    """The design of one site, as soon as it is found; or that there is none."""
    if one.option is None:
        return say("{site}: no design fits", site=one.part.name)
    what = joined(", ", design_cells(one.option, catalog))
    return say("{site}: {what}", site=one.part.name, what=what)


def _held(found: Refresh, catalog: Catalog) -> tuple[Section, ...]:
    rows, subjects = [], []
    for place, each in enumerate(found.parts):
        for at, choice in enumerate(each.choices):
            holds = choice.option.holds
            if holds is not None:
                name = "" if at else each.part.name
                why = map(opening, (holds.hosts, holds.ram_gib, holds.drives))
                more = [wider_text(choice.option, catalog)] if choice.option.cost else []
                rows.append((name, opening(_best_at(choice.option)), *why, *more))
                subjects.append(subject_of(place, at))
    columns = (
        Column(say("Site")),
        Column(say("Best at")),
        Column(say("One host less"), wide=True, weight=2),
        Column(say("The next smaller memory"), wide=True, weight=2),
        Column(say("Fewer drives"), wide=True, weight=2),
        *([WIDER] if any(each.found.is_priced for each in found.parts) else []),
    )
    table = Table(columns, tuple(rows), subjects=tuple(subjects))
    return (Section(say("What holds it"), (table,)),) if rows else ()


def _without(found: Refresh) -> tuple[Section, ...]:
    rows = tuple((each.part.name, why_none(each)) for each in found.parts if each.option is None)
    if not rows:
        return ()
    columns = (Column(say("Site")), Column(say("Why not"), wide=True))
    return (Section(say("Without a design"), (Table(columns, rows),)),)


def why_none(each: Refreshed) -> Text | str:
    """Why a site has no design."""
    if not each.part.now.vms:
        return say("No VM stands there.")
    if each.found.requirement.silent:
        return unanswered(each.found.requirement)
    told = [refused for refused in reversed(each.found.refused) if refused.is_sold]
    of_servers = [refused for refused in told if refused.server]
    reasons = dict.fromkeys(str(refused.reason) for refused in of_servers or told)
    if not reasons:
        return say("Nothing was looked at.")
    why = first_of(list(reasons), MOST_NAMES)
    if len(each.part.now.clusters) < 2:
        return why
    return joined(". ", (opening(why), say("Choose its clusters one after another.")))

"""A hardware refresh: what is replaced by what, before and after side by side."""

from __future__ import annotations

from models.catalog import Catalog
from models.options.refresh import Figures, Refresh, Refreshed
from models.tell.blocks import Cell, Column, Paragraph, Section, Table
from models.tell.options import MOST_NAMES, option_name, unanswered
from models.texts import Text, joined, opening, say, say_many
from models.wording import NO_DATA_TEXT, first_of, number, with_unit

HOW = say(
    "Each site has a design of its own, the one of the least units that was found; VMs stay in "
    "their site. Years left: until something passes its limit by the growth that is planned."
)


def refresh_sections(found: Refresh, catalog: Catalog) -> tuple[Section, ...]:
    """Before and after of every site and in all, what each gets, and what holds it."""
    return (
        _side_by_side(found),
        _designs(found, catalog),
        *_held(found),
        *_without(found),
    )


_COLUMNS = (
    Column(say("Site"), wide=True),
    Column(""),
    Column(say("Hosts"), numeric=True),
    Column(say("Cores"), numeric=True),
    Column("RAM", numeric=True),
    Column(say("Drives"), numeric=True),
    Column(say("Rack units"), numeric=True),
    Column(say("Years left"), numeric=True),
    Column(say("Verdict")),
)


def _side_by_side(found: Refresh) -> Section:
    rows: list[tuple[Cell, ...]] = []
    done = [each for each in found.parts if each.after is not None]
    for each in done:
        rows.append(_row(each.part.name, say("before"), each.before))
        if each.after is not None:
            rows.append(_row("", say("after"), each.after))
    if len(done) > 1:
        rows.append(_row(say("In all"), say("before"), found.before))
        rows.append(_row("", say("after"), found.after))
    stays = [say_many("{count} host stays", "{count} hosts stay", found.stays)]
    if found.unplaced:
        stays.append(
            say_many(
                "{count} VM without a host is in no design",
                "{count} VMs without a host are in no design",
                found.unplaced,
            )
        )
    head = Paragraph(joined("", (opening(joined("; ", stays)), ".")))
    blocks = (head, Table(_COLUMNS, tuple(rows)), Paragraph(HOW)) if rows else (head,)
    return Section(say("Before and after"), blocks)


def _row(name: str, when: str, figures: Figures) -> tuple[Cell, ...]:
    height = figures.rack_units
    return (
        name,
        when,
        number(figures.hosts),
        number(figures.cores),
        with_unit(number(figures.ram_gib), "GiB"),
        number(figures.drives),
        NO_DATA_TEXT if height is None else number(height),
        _years(figures),
        NO_DATA_TEXT if figures.verdict is None else figures.verdict.label,
    )


def _years(figures: Figures) -> str:
    if figures.years_left is not None:
        return number(figures.years_left, 1)
    if not figures.years_seen:
        return say("no growth")
    return joined(" ", (">", number(figures.years_seen)))


def _designs(found: Refresh, catalog: Catalog) -> Section:
    rows = tuple(
        (each.part.name, number(len(each.part.now.vms)), option_name(each.option, catalog))
        for each in found.parts
        if each.option is not None
    )
    columns = (Column(say("Site")), Column("VMs", numeric=True), Column(say("Design"), wide=True))
    return Section(say("Designs"), (Table(columns, rows),) if rows else ())


def _held(found: Refresh) -> tuple[Section, ...]:
    rows = tuple(
        (each.part.name, *map(opening, (holds.hosts, holds.ram_gib, holds.drives)))
        for each in found.parts
        if each.option is not None and (holds := each.option.holds) is not None
    )
    if not rows:
        return ()
    columns = (
        Column(say("Site")),
        Column(say("One host less"), wide=True),
        Column(say("The next smaller memory"), wide=True),
        Column(say("Fewer drives"), wide=True),
    )
    return (Section(say("What holds it"), (Table(columns, rows),)),)


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
    reasons = dict.fromkeys(
        str(refused.reason) for refused in reversed(each.found.refused) if refused.server
    )
    if not reasons:
        return say("Nothing was looked at.")
    return joined("; ", [first_of(list(reasons), MOST_NAMES)])

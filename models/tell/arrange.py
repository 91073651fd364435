"""Where the VMs had better stand: told once."""

from __future__ import annotations

from models.arrange.plan import Plan, Standing
from models.base.texts import Text, say, say_many
from models.scenario.scenario import Scenario
from models.scenario.wording import number, with_unit
from models.tell.blocks import Block, Cell, Column, Paragraph, Section, Table

HOW = say(
    "Load is the fuller of memory and CPU of a host, as a share of its limit. The bound is what "
    "no placement of these VMs goes under. Moves stand in an order in which each is admissible; "
    "VMs whose host is pinned stay."
)


def plan_sections(plan: Plan, scenario: Scenario) -> tuple[Section, ...]:
    """What the moves gain, the moves, and what finds no room."""
    blocks: tuple[Block, ...] = (Paragraph(headline(plan)), _gain(plan), Paragraph(HOW))
    return (
        Section(say("Arrangement"), blocks),
        *_moves(plan, scenario),
        *_unplaced(plan, scenario),
    )


def headline(plan: Plan) -> Text:
    """The plan in a sentence."""
    if plan.unplaced and not plan.scenario.hosts:
        return say("There is no host for the VMs to stand on: add hosts first.")
    if not plan.moves:
        return say("Nothing better was found: the VMs may stay where they are.")
    return say(
        "{moves}: peak load from {before} to {after}, which is {distance} above the bound.",
        moves=say_many("{count} move", "{count} moves", len(plan.moves)),
        before=_share(plan.before.peak_load),
        after=_share(plan.after.peak_load),
        distance=with_unit(number(plan.distance_pct, 1), "%"),
    )


def _share(value: float) -> str:
    return with_unit(number(value * 100.0, 1), "%")


def _gain(plan: Plan) -> Table:
    def row(title: str, of: Standing) -> tuple[Cell, ...]:
        return (
            title,
            of.shown,
            number(of.hosts_used),
            _share(of.peak_load),
            number(of.stranded),
            number(of.without_room),
        )

    bound = (
        say("Bound"),
        "",
        number(plan.bound_hosts),
        _share(plan.bound_load),
        "",
        "",
    )
    columns = (
        Column(say("Placement"), wide=True),
        Column(say("Verdict")),
        Column(say("Hosts used"), numeric=True),
        Column(say("Peak load"), numeric=True),
        Column(say("Without room after a failure"), numeric=True),
        Column(say("Without room"), numeric=True),
    )
    return Table(
        columns, (row(say("Now"), plan.before), row(say("After the moves"), plan.after), bound)
    )


def _moves(plan: Plan, scenario: Scenario) -> tuple[Section, ...]:
    if not plan.moves:
        return ()
    names = {item.id: item.name for item in scenario.items()}
    rows = tuple(
        (
            number(place) if move.in_order else say("not in order"),
            names[move.vm],
            say("no host") if move.origin is None else names[move.origin],
            names[move.to],
            move.why,
        )
        for place, move in enumerate(plan.moves, start=1)
    )
    columns = (
        Column(say("Step"), numeric=True),
        Column(say("VM")),
        Column(say("From host")),
        Column(say("To host")),
        Column(say("Why"), wide=True),
    )
    table = Table(columns, rows, subjects=tuple(move.vm for move in plan.moves))
    return (Section(say("Moves"), (table,)),)


def _unplaced(plan: Plan, scenario: Scenario) -> tuple[Section, ...]:
    if not plan.unplaced:
        return ()
    names = {vm.id: vm.name for vm in scenario.vms}
    rows = tuple((names[vm], why) for vm, why in plan.unplaced)
    table = Table(
        (Column(say("VM")), Column(say("Why not"), wide=True)),
        rows,
        subjects=tuple(vm for vm, _ in plan.unplaced),
    )
    return (Section(say("Without room"), (table,)),)

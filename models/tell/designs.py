"""HA alone, a Domino cluster, or both: what each does to users, which is the better, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from models.base.texts import Text, joined, opening, say, say_many
from models.failure.restart_time import Downtime
from models.judgement.against_limits import NEAR
from models.predict.predicted import title_of, unit_of
from models.predict.prediction import Verdict
from models.resilience.designs import SOURCE, Deciding, Design, DesignRow, Standing
from models.resilience.domino_members import MemberCapacity
from models.scenario.scenario import Scenario
from models.scenario.wording import (
    NO_DATA_TEXT,
    about_text,
    first_of,
    number,
    ranged,
    reach_text,
    shared_text,
    with_ends,
    with_unit,
)
from models.tell.blocks import Block, Bullets, Cell, Column, Paragraph, Section, Table

Names = Mapping[str, str]
MOST_NAMED = 4
DOWNTIMES = (Downtime.NONE, Downtime.SECONDS, Downtime.MINUTES, Downtime.REPAIR)
"""From the best to the worst."""

NAMES = {
    Design.HA: say("HA alone"),
    Design.CLUSTER: say("a Domino cluster alone"),
    Design.BOTH: say("HA and a Domino cluster, both"),
}


def design_sections(rows: Sequence[DesignRow], scenario: Scenario) -> tuple[Section, ...]:
    """HA alone, a Domino cluster, or both, with their downtime; none where it isn't a question."""
    if not rows:
        return ()
    names = {item.id: item.name for item in scenario.items()}
    blocks: list[Block] = [_comparison(rows, scenario, names), *_better(rows, names)]
    blocks.append(_numbers(rows, names))
    return (Section(say("HA, Domino cluster, or both"), tuple(blocks)),)


def _comparison(rows: Sequence[DesignRow], scenario: Scenario, names: Names) -> Table:
    columns = (
        Column(say("Design")),
        Column(say("Host dies"), tip=say("How long users are without a server when a host dies")),
        Column(say("Patching"), tip=say("How long when guest or Domino are patched")),
        Column(say("Replicas"), numeric=True, tip=say("Mail files held a second time")),
        Column(say("Normal"), tip=say("Verdict in normal operation")),
        Column(
            say("Worst host lost"),
            tip=say("Verdict with the host gone that is worst for the design"),
        ),
        Column(say("What decides"), wide=True),
    )
    cells = tuple(
        (
            row.design.label,
            row.downtime.label,
            row.patching.label,
            with_unit(number(row.replica_gib), "GiB") if row.replica_gib else "–",
            row.normal.shown,
            row.worst.shown,
            decides_text(row, names),
        )
        for row in rows
    )
    note = say(
        "Downtime of users, in the words of the documents. What decides: whom the loss of the "
        "worst host leaves without a server, and the limit that the design is nearest to, or over, "
        "at peak. {pairing}. Source: {source}.",
        pairing=pairing_text(rows, scenario),
        source=SOURCE,
    )
    return Table(columns, cells, note, tuple(row.worst_host for row in rows))


def decides_text(row: DesignRow, names: Names) -> str:
    """Whom the worst loss leaves without a server, and which limit the design is nearest to."""
    nearest = _nearest(row, names)
    if row.without_server <= 0:
        return nearest
    return say(
        "{host} gone: {users} without a server; {nearest}",
        host=names.get(row.worst_host, row.worst_host),
        users=_users(row),
        nearest=nearest,
    )


def _users(row: DesignRow) -> str:
    """Whom the loss of the worst host leaves without a server."""
    return say_many("{count} user", "{count} users", round(row.without_server))


def _nearest(row: DesignRow, names: Names) -> str:
    """Which limit the design is nearest to, or over, and when."""
    standing = row.deciding
    lost = standing is not row.normal and row.worst_host
    worst = names.get(row.worst_host, row.worst_host)
    when = say("{host} gone", host=worst) if lost else say("normal operation")
    if standing.refused:
        refused = names.get(standing.refused, standing.refused)
        return say("{when}: {vm} can’t be powered on", when=when, vm=refused)
    found = standing.deciding
    if found is None:
        return joined(": ", (when, NO_DATA_TEXT))
    return say(
        "{when}: {resource} of {item} {amount}, limit {limit}",
        when=when,
        resource=title_of(found.resource),
        item=names.get(found.subject, found.subject),
        amount=_amount(found),
        limit=with_unit(number(found.limit), unit_of(found.resource)),
    )


def _amount(found: Deciding) -> str:
    unit, high = unit_of(found.resource), found.quantity.high
    if found.verdict is Verdict.AT_RISK and found.load <= NEAR and high is not None:
        reach = reach_text(high, unit, limit=found.limit)
        about = about_text(found.quantity, unit)
        return say("{amount}, may reach {reach}", amount=about, reach=reach)
    return with_ends(found.quantity, unit)


# --- which is the better ----------------------------------------------------------------------


def _better(rows: Sequence[DesignRow], names: Names) -> Iterator[Block]:
    """The best of the designs, what it costs, and what the others lack against it."""
    best = min(rows, key=_badness)
    others = [row for row in rows if row is not best]
    head = say(
        "The better one here, by users left without a server, then verdict, downtime and "
        "replicas: {design}.",
        design=NAMES[best.design],
    )
    if best.verdict is Verdict.DOES_NOT_FIT:
        head = say(
            "None of them fits as it is; the best of them, by users left without a server, then "
            "downtime and replicas: {design}.",
            design=NAMES[best.design],
        )
    yield Paragraph(joined(" ", (head, *_price(best, others, names), say("Against it:"))))
    lines = [(NAMES[row.design], ": ", _lack(row, best, names), ".") for row in others]
    yield Bullets(tuple(opening(joined("", line)) for line in lines))


def _price(best: DesignRow, others: Sequence[DesignRow], names: Names) -> Iterator[Text]:
    """What the best takes that another does without: replicas, and a higher load."""
    if best.replica_gib:
        size = with_unit(number(best.replica_gib), "GiB")
        yield say("It takes {size} of replicas.", size=size)
    least = min(others, key=_load)
    if _load(best) > _load(least):
        yield say(
            "It has less left: {here}. With {other}: {there}.",
            here=_nearest(best, names),
            other=NAMES[least.design],
            there=_nearest(least, names),
        )


def _load(row: DesignRow) -> float:
    """Number over limit where the design is nearest to one."""
    return row.deciding.deciding.load if row.deciding.deciding else 0.0


def _badness(row: DesignRow) -> tuple[float, int, int, int, float]:
    return (
        row.without_server,
        row.verdict,
        *_downtimes(row),
        row.replica_gib,
    )


def _downtimes(row: DesignRow) -> tuple[int, int]:
    return DOWNTIMES.index(row.downtime), DOWNTIMES.index(row.patching)


def _lack(row: DesignRow, best: DesignRow, names: Names) -> str:
    """What is worse than with the best."""
    parts: list[str] = []
    if row.without_server > best.without_server:
        parts.append(
            say(
                "with {host} gone {users} without a server",
                host=names.get(row.worst_host, row.worst_host),
                users=_users(row),
            )
        )
    elif row.deciding.verdict > best.verdict:
        parts.append(joined(", ", (row.shown.words, _nearest(row, names))))
    (dies, patched), (best_dies, best_patched) = _downtimes(row), _downtimes(best)
    if dies > best_dies and row.downtime is not Downtime.REPAIR:
        parts.append(say("{time} without a server when a host dies", time=row.downtime.label))
    if patched > best_patched:
        parts.append(
            say(
                "{time} without a server when guest or Domino are patched",
                time=row.patching.label,
            )
        )
    more = row.replica_gib - best.replica_gib
    if more > 0:
        parts.append(say("{size} more of replicas", size=with_unit(number(more), "GiB")))
    return joined("; ", parts) or say("nothing is worse in this; it is no better either")


# --- numbers ----------------------------------------------------------------------------------


def _numbers(rows: Sequence[DesignRow], names: Names) -> Table:
    columns = (
        Column(say("Design")),
        Column(say("Standing"), wide=True),
        Column("CPU", numeric=True),
        Column("RAM", numeric=True),
        Column(say("Disks"), numeric=True),
        Column(say("Response"), numeric=True),
        Column(say("Verdict")),
    )
    standings = [
        (name, *cells)
        for row in rows
        for name, cells in zip((row.design.label, ""), _standings(row, names), strict=False)
    ]
    note = say(
        "The host, pool and VM that are worst off, CPU and disks on average. Below a number its "
        "nominal 90\u202f% interval."
    )
    return Table(columns, tuple(standings), note)


def _standings(row: DesignRow, names: Names) -> Iterator[Sequence[Cell]]:
    yield say("normal operation"), *_cells(row.normal)
    if row.worst_host:
        lost = say("worst host, {host}, lost", host=names.get(row.worst_host, row.worst_host))
        yield lost, *_cells(row.worst)


def _cells(standing: Standing) -> Sequence[Cell]:
    return (
        ranged(standing.cpu_pct, "%"),
        shared_text(standing.ram_pct, "%"),
        ranged(standing.disk_pct, "%"),
        ranged(standing.response_ms, "ms"),
        standing.shown,
    )


# --- members of Domino clusters ---------------------------------------------------------------


def member_sections(members: Sequence[MemberCapacity], scenario: Scenario) -> tuple[Section, ...]:
    """What each member of a Domino cluster has to take over; none without members."""
    if not members:
        return ()
    names = {item.id: item.name for item in scenario.items()}
    columns = (
        Column(say("Member"), wide=True),
        Column(say("Users"), numeric=True),
        Column(say("In failover"), numeric=True),
        Column(say("When lost")),
        Column(say("At most"), numeric=True),
        Column(say("Can take")),
        Column(say("Replicators"), numeric=True),
    )
    rows = tuple(
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
    )
    table = Table(columns, rows, subjects=tuple(each.vm for each in members))
    return (Section(say("Members of Domino clusters"), (table,)),)


# --- what the comparison made up --------------------------------------------------------------


def pairing_text(rows: Sequence[DesignRow], scenario: Scenario, most: int = MOST_NAMED) -> str:
    """What a Domino cluster would be here: partners assumed, and servers left without one.

    Args:
        scenario: that the designs are of.
        most: pairs, and servers without one, that are named.
    """
    clustered = next((row.scenario for row in rows if row.design is Design.BOTH), scenario)
    before = {vm.id: vm.cluster_partners for vm in scenario.vms}
    running = [
        vm for vm in clustered.vms if vm.workload.kind.is_domino and vm.powered_on and vm.host
    ]
    groups = {
        tuple(vm.name for vm in running if vm.id in (each.id, *each.cluster_partners))
        for each in running
        if each.cluster_partners and not before[each.id]
    }
    single = [vm.name for vm in running if not vm.cluster_partners]
    parts = [say("Both cluster designs pair all Domino servers")]
    if groups:
        named = first_of(sorted(joined(" + ", group) for group in groups), most)
        parts.append(say("assumed: {groups}", groups=named))
    if single:
        parts.append(say("no partner on another host for {names}", names=first_of(single, most)))
    return joined("; ", parts)

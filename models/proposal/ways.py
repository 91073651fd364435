"""HA alone, a Domino cluster, or both: what each does to users, which is the better, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from models.failure.restart_time import Downtime, RestartTime
from models.judgement.weighing import NEAR
from models.predicted import title_of, unit_of
from models.prediction import Verdict
from models.proposal.ranges import ranged, with_ends
from models.resilience.design_words import pairing_text
from models.resilience.designs import SOURCE, Deciding, Design, DesignRow, Standing
from models.tell.blocks import Block, Bullets, Column, Paragraph, Section, Table
from models.tell.subject import Subject
from models.texts import Text, joined, opening, say, say_many
from models.wording import (
    NO_DATA_TEXT,
    about_text,
    duration_text,
    number,
    reach_text,
    shared_text,
    with_unit,
)

MOST_VMS = 60
DOWNTIMES = (Downtime.NONE, Downtime.SECONDS, Downtime.MINUTES, Downtime.REPAIR)
"""From the best to the worst."""

NAMES = {
    Design.HA: say("HA alone"),
    Design.CLUSTER: say("a Domino cluster alone"),
    Design.BOTH: say("HA and a Domino cluster, both"),
}


def designs(subject: Subject) -> Section | None:
    """HA alone, a Domino cluster, or both, with their downtime; None where it isn't a question."""
    if not subject.designs:
        return None
    blocks: list[Block] = [_comparison(subject), *_better(subject), _numbers(subject)]
    times = subject.availability.restart_times if subject.availability is not None else ()
    if times:
        blocks += [Paragraph(_RESTARTS), _restart_table(subject, times)]
    return Section(say("HA, Domino cluster, or both"), tuple(blocks))


def _comparison(subject: Subject) -> Table:
    columns = (
        Column(say("Design")),
        Column(say("When a host dies")),
        Column(say("When patched")),
        Column(say("Replicas"), numeric=True),
        Column(say("Verdict")),
        Column(say("Why"), wide=True),
    )
    rows = tuple(
        (
            row.design.label,
            row.downtime.label,
            row.patching.label,
            with_unit(number(row.replica_gib), "GiB") if row.replica_gib else "–",
            row.shown.words,
            _why(subject, row),
        )
        for row in subject.designs
    )
    note = say(
        "Downtime of users, in the words of the documents. Why: whom the loss of the worst host "
        "leaves without a server, and the limit that the design is nearest to, or over, at peak. "
        "{pairing}. Source: {source}.",
        pairing=pairing_text(subject.designs, subject.scenario),
        source=SOURCE,
    )
    return Table(columns, rows, note)


def _why(subject: Subject, row: DesignRow) -> str:
    nearest = _nearest(subject, row)
    if row.without_server <= 0:
        return nearest
    return say(
        "{host} gone: {users} without a server; {nearest}",
        host=subject.name_of(row.worst_host),
        users=_users(row),
        nearest=nearest,
    )


def _users(row: DesignRow) -> str:
    """Whom the loss of the worst host leaves without a server."""
    return say_many("{count} user", "{count} users", round(row.without_server))


def _nearest(subject: Subject, row: DesignRow) -> str:
    """Which limit the design is nearest to, or over, and when."""
    standing = row.deciding
    lost = standing is not row.normal and row.worst_host
    worst = subject.name_of(row.worst_host)
    when = say("{host} gone", host=worst) if lost else say("normal operation")
    if standing.refused:
        refused = subject.name_of(standing.refused)
        return say("{when}: {vm} can’t be powered on", when=when, vm=refused)
    found = standing.deciding
    if found is None:
        return joined(": ", (when, NO_DATA_TEXT))
    return say(
        "{when}: {resource} of {item} {amount}, limit {limit}",
        when=when,
        resource=title_of(found.resource),
        item=subject.name_of(found.subject),
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


def _better(subject: Subject) -> Iterator[Block]:
    """The best of the designs, what it costs, and what the others lack against it."""
    best = min(subject.designs, key=_badness)
    others = [row for row in subject.designs if row is not best]
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
    yield Paragraph(joined(" ", (head, *_price(subject, best, others), say("Against it:"))))
    lines = [(NAMES[row.design], ": ", _lack(subject, row, best), ".") for row in others]
    yield Bullets(tuple(opening(joined("", line)) for line in lines))


def _price(subject: Subject, best: DesignRow, others: Sequence[DesignRow]) -> Iterator[Text]:
    """What the best takes that another does without: replicas, and a higher load."""
    if best.replica_gib:
        size = with_unit(number(best.replica_gib), "GiB")
        yield say("It takes {size} of replicas.", size=size)
    least = min(others, key=_load)
    if _load(best) > _load(least):
        yield say(
            "It has less left: {here}. With {other}: {there}.",
            here=_nearest(subject, best),
            other=NAMES[least.design],
            there=_nearest(subject, least),
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


def _lack(subject: Subject, row: DesignRow, best: DesignRow) -> str:
    """What is worse than with the best."""
    parts: list[str] = []
    if row.without_server > best.without_server:
        parts.append(
            say(
                "with {host} gone {users} without a server",
                host=subject.name_of(row.worst_host),
                users=_users(row),
            )
        )
    elif row.deciding.verdict > best.verdict:
        parts.append(joined(", ", (row.shown.words, _nearest(subject, row))))
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


def _numbers(subject: Subject) -> Table:
    columns = (
        Column(say("Design")),
        Column(say("Standing"), wide=True),
        Column("CPU", numeric=True),
        Column("RAM", numeric=True),
        Column(say("Disks"), numeric=True),
        Column(say("Response"), numeric=True),
        Column(say("Verdict")),
    )
    rows = [
        (name, *cells)
        for row in subject.designs
        for name, cells in zip((row.design.label, ""), _standings(subject, row), strict=False)
    ]
    note = say(
        "The host, pool and VM that are worst off, CPU and disks on average. Below a number its "
        "nominal 90\u202f% interval."
    )
    return Table(columns, tuple(rows), note)


def _standings(subject: Subject, row: DesignRow) -> Iterator[Sequence[str]]:
    yield say("normal operation"), *_cells(row.normal)
    if row.worst_host:
        lost = say("worst host, {host}, lost", host=subject.name_of(row.worst_host))
        yield lost, *_cells(row.worst)


def _cells(standing: Standing) -> Sequence[str]:
    return (
        ranged(standing.cpu_pct, "%"),
        shared_text(standing.ram_pct, "%"),
        ranged(standing.disk_pct, "%"),
        ranged(standing.response_ms, "ms"),
        standing.shown.words,
    )


_RESTARTS = say(
    "A restart by HA takes “minutes” in the documents, without a figure. The parts below are "
    "inputs of the scenario, none of them measured unless it says so:"
)


def _restart_table(subject: Subject, times: tuple[RestartTime, ...]) -> Table:
    first = times[0]
    columns = (
        Column("VM", wide=True),
        Column(say("With transaction logs"), numeric=True),
        Column(say("Without"), numeric=True),
    )
    rows = tuple(
        (
            subject.name_of(each.vm),
            duration_text(each.logged_s),
            duration_text(each.unlogged_s),
        )
        for each in times[:MOST_VMS]
    )
    parts = [*first.logged, first.unlogged[-1]]
    note = joined("; ", [joined(": ", (part.what, part.origin)) for part in parts])
    return Table(columns, rows, joined("", (opening(note), ".")))

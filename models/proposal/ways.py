"""HA alone, a Domino cluster, or both: what each does to users, which is the better, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from models.failure.restart_time import Downtime, RestartTime
from models.judgement.weighing import NEAR
from models.predicted import title_of, unit_of
from models.prediction import Verdict
from models.proposal.blocks import Block, Bullets, Column, Paragraph, Section, Table
from models.proposal.ranges import ranged, with_ends
from models.proposal.subject import Subject
from models.resilience.design_words import pairing_text
from models.resilience.designs import SOURCE, Deciding, Design, DesignRow, Standing
from models.wording import THIN, about_text, duration_text, number, reach_text, shared_text

MOST_VMS = 60
DOWNTIMES = (Downtime.NONE, Downtime.SECONDS, Downtime.MINUTES, Downtime.REPAIR)
"""From the best to the worst."""

NAMES = {
    Design.HA: "HA alone",
    Design.CLUSTER: "a Domino cluster alone",
    Design.BOTH: "HA and a Domino cluster, both",
}


def designs(subject: Subject) -> Section | None:
    """HA alone, a Domino cluster, or both, with their downtime; None where it isn't a question."""
    if not subject.designs:
        return None
    blocks: list[Block] = [_comparison(subject), *_better(subject), _numbers(subject)]
    times = subject.availability.restart_times if subject.availability is not None else ()
    if times:
        blocks += [Paragraph(_RESTARTS), _restart_table(subject, times)]
    return Section("HA, Domino cluster, or both", tuple(blocks))


def _comparison(subject: Subject) -> Table:
    columns = (
        Column("Design"),
        Column("When a host dies"),
        Column("When patched"),
        Column("Replicas", numeric=True),
        Column("Verdict"),
        Column("Why", wide=True),
    )
    rows = tuple(
        (
            row.design.value,
            row.downtime.value,
            row.patching.value,
            f"{number(row.replica_gib)}{THIN}GiB" if row.replica_gib else "–",
            row.shown.words,
            _why(subject, row),
        )
        for row in subject.designs
    )
    note = (
        "Downtime of users, in the words of the documents. Why: whom the loss of the worst host "
        "leaves without a server, and the limit that the design is nearest to, or over, at peak. "
        f"{pairing_text(subject.designs, subject.scenario)}. Source: {SOURCE}."
    )
    return Table(columns, rows, note)


def _why(subject: Subject, row: DesignRow) -> str:
    nearest = _nearest(subject, row)
    if row.without_server <= 0:
        return nearest
    return f"{subject.name_of(row.worst_host)} gone: {_users(row)} without a server; {nearest}"


def _users(row: DesignRow) -> str:
    """Whom the loss of the worst host leaves without a server."""
    count = round(row.without_server)
    return "1 user" if count == 1 else f"{number(count)} users"


def _nearest(subject: Subject, row: DesignRow) -> str:
    """Which limit the design is nearest to, or over, and when."""
    standing = row.deciding
    lost = standing is not row.normal and row.worst_host
    when = f"{subject.name_of(row.worst_host)} gone" if lost else "normal operation"
    if standing.refused:
        return f"{when}: {subject.name_of(standing.refused)} can’t be powered on"
    found = standing.deciding
    if found is None:
        return f"{when}: no data"
    limit = f"limit {number(found.limit)}{THIN}{unit_of(found.resource)}"
    what = f"{title_of(found.resource)} of {subject.name_of(found.subject)}"
    return f"{when}: {what} {_amount(found)}, {limit}"


def _amount(found: Deciding) -> str:
    unit, high = unit_of(found.resource), found.quantity.high
    if found.verdict is Verdict.AT_RISK and found.load <= NEAR and high is not None:
        reach = reach_text(high, unit, limit=found.limit)
        return f"{about_text(found.quantity, unit)}, may reach {reach}"
    return with_ends(found.quantity, unit)


# --- which is the better ----------------------------------------------------------------------


def _better(subject: Subject) -> Iterator[Block]:
    """The best of the designs, what it costs, and what the others lack against it."""
    best = min(subject.designs, key=_badness)
    others = [row for row in subject.designs if row is not best]
    head = (
        "The better one here, by users left without a server, then verdict, downtime and replicas"
    )
    if best.verdict is Verdict.DOES_NOT_FIT:
        head = (
            "None of them fits as it is; the best of them, by users left without a server, then "
            "downtime and replicas"
        )
    yield Paragraph(f"{head}: {NAMES[best.design]}.{_price(subject, best, others)} Against it:")
    lines = (f"{NAMES[row.design]}: {_lack(subject, row, best)}." for row in others)
    yield Bullets(tuple(f"{line[:1].upper()}{line[1:]}" for line in lines))


def _price(subject: Subject, best: DesignRow, others: Sequence[DesignRow]) -> str:
    """What the best takes that another does without: replicas, and a higher load."""
    text = f" It takes {number(best.replica_gib)}{THIN}GiB of replicas." if best.replica_gib else ""
    least = min(others, key=_load)
    if _load(best) <= _load(least):
        return text
    here, there = _nearest(subject, best), _nearest(subject, least)
    return f"{text} It has less left: {here}. With {NAMES[least.design]}: {there}."


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
    parts = []
    if row.without_server > best.without_server:
        lost = subject.name_of(row.worst_host)
        parts.append(f"with {lost} gone {_users(row)} without a server")
    elif row.deciding.verdict > best.verdict:
        parts.append(f"{row.shown.words}, {_nearest(subject, row)}")
    (dies, patched), (best_dies, best_patched) = _downtimes(row), _downtimes(best)
    if dies > best_dies and row.downtime is not Downtime.REPAIR:
        parts.append(f"{row.downtime.value} without a server when a host dies")
    if patched > best_patched:
        parts.append(f"{row.patching.value} without a server when guest or Domino are patched")
    more = row.replica_gib - best.replica_gib
    if more > 0:
        parts.append(f"{number(more)}{THIN}GiB more of replicas")
    return "; ".join(parts) or "nothing is worse in this; it is no better either"


# --- numbers ----------------------------------------------------------------------------------


def _numbers(subject: Subject) -> Table:
    columns = (
        Column("Design"),
        Column("Standing", wide=True),
        *(Column(name, numeric=True) for name in ("CPU", "RAM", "Disks", "Response")),
        Column("Verdict"),
    )
    rows = [
        (name, *cells)
        for row in subject.designs
        for name, cells in zip((row.design.value, ""), _standings(subject, row), strict=False)
    ]
    note = (
        "The host, pool and VM that are worst off, CPU and disks on average. Below a number its "
        f"nominal 90{THIN}% interval."
    )
    return Table(columns, tuple(rows), note)


def _standings(subject: Subject, row: DesignRow) -> Iterator[Sequence[str]]:
    yield "normal operation", *_cells(row.normal)
    if row.worst_host:
        yield f"worst host, {subject.name_of(row.worst_host)}, lost", *_cells(row.worst)


def _cells(standing: Standing) -> Sequence[str]:
    return (
        ranged(standing.cpu_pct, "%"),
        shared_text(standing.ram_pct, "%"),
        ranged(standing.disk_pct, "%"),
        ranged(standing.response_ms, "ms"),
        standing.shown.words,
    )


_RESTARTS = (
    "A restart by HA takes “minutes” in the documents, without a figure. The parts below are "
    "inputs of the scenario, none of them measured unless it says so:"
)


def _restart_table(subject: Subject, times: tuple[RestartTime, ...]) -> Table:
    first = times[0]
    columns = (
        Column("VM", wide=True),
        Column("With transaction logs", numeric=True),
        Column("Without", numeric=True),
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
    note = "; ".join(f"{part.what}: {part.origin}" for part in parts)
    return Table(columns, rows, f"{note[:1].upper()}{note[1:]}.")

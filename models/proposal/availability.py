"""What happens when something fails: modes, admission control, Fault Tolerance."""

from __future__ import annotations

from collections.abc import Iterator

from models.failure.mode import ModeKind
from models.predicted import average_limit, title_of, unit_of
from models.prediction import FailureMode, worst_first
from models.reasons import mode_reason
from models.resilience.mode_words import mode_text, shortfall_text
from models.resilience.modes import beside_text
from models.resilience.study import FailureStudy, WorstHost
from models.tell.blocks import (
    Block,
    Bullets,
    Column,
    Definitions,
    Paragraph,
    Section,
    Table,
)
from models.tell.ranges import ranged, with_ends
from models.tell.subject import Subject
from models.texts import joined, opening, say, say_many
from models.wording import number, shared_text, with_unit

_NONE = say("n/a")
MOST_MODES = 60
MOST_NAMES = 6
MOST_REASONS = 12
NOTE = say(
    "Load after every VM of a lost host has restarted on the hosts left in its cluster: CPU on "
    "average and RAM, each of the host that is then worst off, IOPS of the pool nearest its limit, "
    "response and ready time of the VM worst off there; other clusters and hosts go on as before. "
    "CPU and disks are judged at peak. Below a number its nominal 90\u202f% interval. A host that "
    "fails loads disks no more than before, so the verdict on its failure leaves them out. "
    "Admission control, which looks at reservations, is a different question."
)


def failures(subject: Subject) -> Section:
    """Every way to fail, worst first: where the rest would stand."""
    title = say("When something fails")
    if subject.prediction.idle:
        return Section(title, (Paragraph(say("Nothing runs yet.")),))
    study = subject.study
    if study is None:
        modes = subject.prediction.failures
        if not modes:
            return Section(title, (Paragraph(say("There is no host that could fail.")),))
        return Section(title, (_hosts_table(subject),))
    ranked = [row for row in study.ranked() if study.modes[row].kind is not ModeKind.NORMAL]
    if not ranked:
        return Section(title, (Paragraph(say("There is no host that could fail.")),))
    shown = [study[row] for row in ranked[:MOST_MODES]]
    normal = [mode for mode in study[:1] if mode.mode.kind is ModeKind.NORMAL]
    note: str = NOTE
    if len(ranked) > len(shown):
        worst_of = say(
            "The {shown} worst of {all} modes.", shown=number(len(shown)), all=number(len(ranked))
        )
        note = joined(" ", (worst_of, NOTE))
    rows = tuple(_mode_row(subject, mode) for mode in (*normal, *shown))
    blocks: list[Block] = [Table(_MODE_COLUMNS, rows, note)]
    happens = tuple(_happens(subject, mode) for mode in shown if mode.note and _has_room(mode))
    if happens:
        blocks += [Paragraph(say("What happens in them:")), Bullets(happens)]
    reasons = tuple(line for mode in shown for line in _reasons(subject, mode))
    if reasons:
        blocks += [Paragraph(say("Why VMs find no place:")), Bullets(_first(reasons))]
    worst = _worst_hosts(subject, study)
    if worst:
        blocks += [Paragraph(say("The single host whose failure is worst, by resource:")), worst]
    return Section(title, tuple(blocks))


_MODE_COLUMNS = (
    Column(say("What fails"), wide=True, weight=11),
    Column(say("Host CPU"), numeric=True),
    Column(say("Host RAM"), numeric=True),
    Column("IOPS", numeric=True),
    Column(say("Response"), numeric=True),
    Column(say("Ready"), numeric=True),
    Column(say("Verdict"), wide=True, weight=8),
    Column(say("Why, and what is missing"), wide=True, weight=13),
)


def _mode_row(subject: Subject, mode: FailureMode) -> tuple[str, ...]:
    name = mode_text(mode.mode, subject.names)
    if (verdict := mode.shown) is None:
        return (name, *[_NONE] * 6, mode.note)
    if mode.verdict is None:
        return (name, *[_NONE] * 5, verdict.words, mode.note)
    cpu, ram, response = _worst_numbers(subject, mode)
    return (
        name,
        cpu,
        ram,
        ranged(mode.iops),
        response,
        ranged(mode.ready_pct, "%"),
        verdict.words,
        _missing(subject, mode),
    )


def _worst_numbers(subject: Subject, mode: FailureMode) -> tuple[str, str, str]:
    """CPU, RAM and response of the worst survivors."""
    policy = subject.scenario.policy
    cpu, ram, response = (
        average_limit(policy, field) for field in ("cpu_pct", "ram_pct", "response_ms")
    )
    return (
        ranged(mode.cpu_pct, "%", limit=cpu),
        shared_text(mode.ram_pct, "%", limit=ram),
        ranged(mode.response_ms, "ms", limit=response),
    )


def _missing(subject: Subject, mode: FailureMode) -> str:
    parts = [mode_reason(subject.scenario.policy, mode), shortfall_text(mode.shortfall)]
    stranded = [subject.name_of(each.vm) for each in mode.not_restarted]
    if stranded:
        parts.append(say("no place for {vms}", vms=_listed(stranded)))
    verdict = None if mode.shown is None else mode.shown.verdict
    parts.append(beside_text(mode.mode, subject.scenario, verdict))
    return joined("; ", filter(None, parts)) or "–"


def _has_room(mode: FailureMode) -> bool:
    """Whether it has numbers, so that its note stands below the table and not in their place."""
    return mode.verdict is not None and mode.shown is not None


def _happens(subject: Subject, mode: FailureMode) -> str:
    return joined(": ", (mode_text(mode.mode, subject.names), mode.note))


def _reasons(subject: Subject, mode: FailureMode) -> Iterator[str]:
    """What the hosts lack, once for all VMs that it keeps down."""
    alike: dict[str, list[str]] = {}
    for each in mode.not_restarted:
        alike.setdefault(each.reason, []).append(subject.name_of(each.vm))
    for reason, vms in alike.items():
        yield joined("", (mode_text(mode.mode, subject.names), ", ", _listed(vms), ": ", reason))


def _first(lines: tuple[str, ...]) -> tuple[str, ...]:
    more = len(lines) - MOST_REASONS
    return (
        lines
        if more <= 0
        else (*lines[:MOST_REASONS], say_many("and {count} more", "and {count} more", more))
    )


def _listed(words: list[str]) -> str:
    first, more = joined(", ", words[:MOST_NAMES]), len(words) - MOST_NAMES
    if more <= 0:
        return first
    return say_many("{first} and {count} more", "{first} and {count} more", more, first=first)


def _worst_hosts(subject: Subject, study: FailureStudy) -> Definitions | None:
    rows = tuple(
        (opening(title_of(each.resource)), _worst_text(subject, each))
        for each in study.worst_hosts()
        if each.resource != "disk_pct"
    )
    return Definitions(rows) if rows else None


def _worst_text(subject: Subject, each: WorstHost) -> str:
    unit = unit_of(each.resource)
    return say(
        "{host}: {value}, limit {limit}",
        host=subject.name_of(each.host),
        value=with_ends(each.value, unit),
        limit=with_unit(number(each.limit), unit),
    )


def _hosts_table(subject: Subject) -> Table:
    """Without a study: single hosts as the prediction has them."""
    columns = tuple(column for column in _MODE_COLUMNS if column.title not in ("IOPS", "Ready"))
    modes = worst_first((*subject.prediction.failures, *subject.prediction.together))
    rows = tuple(_host_row(subject, mode) for mode in modes)
    return Table(columns, rows, NOTE)


def _host_row(subject: Subject, mode: FailureMode) -> tuple[str, ...]:
    name = mode_text(mode.mode, subject.names)
    if (verdict := mode.shown) is None:
        return (name, *[_NONE] * 4, mode.note)
    if mode.verdict is None:
        return (name, *[_NONE] * 3, verdict.words, mode.note)
    stranded = _listed([subject.name_of(id) for id in mode.stranded])
    reason = mode_reason(subject.scenario.policy, mode)
    parts = [
        reason,
        shortfall_text(mode.shortfall),
        say("not restarted: {vms}", vms=stranded) if stranded else "",
    ]
    parts.append(mode.note)
    return (
        name,
        *_worst_numbers(subject, mode),
        verdict.words,
        joined("; ", filter(None, parts)) or "–",
    )

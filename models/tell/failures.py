"""Normal operation and every way to fail, worst first: their rows, and sections of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

import numpy as np

from models.base.quantities import Quantity
from models.base.texts import joined, opening, say, say_many
from models.failure.mode import Mode, ModeKind
from models.failure.restart_time import RestartTime
from models.judgement.binding import DISKS_JUDGED, Reasons, mode_reason
from models.judgement.failure_modes import NOTHING_TO_FAIL_OVER
from models.judgement.gauges import Gauge, gauge_of, gauges, lacking, partly, worst
from models.predict.predicted import title_of, unit_of
from models.predict.prediction import (
    NOTHING_TO_JUDGE,
    Down,
    FailureMode,
    Prediction,
    Shown,
    Verdict,
    shown_mode,
)
from models.resilience.availability_study import away_text, times_away
from models.resilience.mode_words import NORMAL, detail_lines, missing_text, mode_text
from models.resilience.modes import beside_text
from models.resilience.study import READY_LIMIT_PCT, FailureStudy
from models.scenario.scenario import Policy, Scenario
from models.scenario.wording import (
    ENGLISH,
    NONE_TEXT,
    Style,
    first_of,
    number,
    ranged,
    shared_text,
    value_text,
    with_ends,
    with_unit,
)
from models.tell.blocks import Block, Bullets, Cell, Column, Paragraph, Section, Table

MODE, CPU, RAM, IOPS, RESPONSE, READY, VERDICT, MISSING = range(8)
UNITS = {CPU: "%", RAM: "%", IOPS: "", RESPONSE: "ms", READY: "%"}
NOT_JUDGED = say("n/a")
NONE_LEFT = say("no host is left")
WAITING = "…"
MOST_ROWS = 200
"""More modes than anybody reads: the worst ones are shown, the rest is counted."""

Names = Mapping[str, str]
Numbers = tuple[Gauge, Gauge, Gauge, Gauge, Gauge]
UNKNOWN: Numbers = (
    Gauge(field="cpu_pct"),
    Gauge(field="ram_pct"),
    Gauge(field="iops"),
    Gauge(field="response_ms"),
    Gauge(field="ready_pct"),
)


@dataclass(frozen=True, slots=True)
class FailureRow:
    """One mode.

    Attributes:
        subject: id of what fails; empty for normal operation.
        kind: what kind of failure it is.
        numbers: CPU, RAM, IOPS, response and ready time against their limits.
        subjects: ids of all that fail in it.
        reason: which number decides the verdict; empty where it fits.
        happens: in a mode that is judged, in a sentence.
        details: what becomes of its VMs, a sentence each.
        waiting: columns of numbers that are still being worked out.
        worst: columns in which no other single host comes out worse.
        down: what is down with hosts that stand alone.
        survives: a host of the clusters that lose hosts is left.
        is_idle: nothing runs that could pass a limit.
        is_plain: one of its numbers has the verdict of the row, so that a surface which colours
            numbers need not say the reason.
    """

    key: str
    subject: str
    label: str
    numbers: Numbers
    verdict: Verdict | None
    missing: str
    note: str
    down: Down | None = None
    reason: str = ""
    kind: ModeKind = ModeKind.HOST
    subjects: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    short_ram_gib: float = 0.0
    waiting: frozenset[int] = frozenset()
    worst: frozenset[int] = frozenset()
    survives: bool = True
    happens: str = ""
    is_idle: bool = False
    is_plain: bool = False
    is_assumed: bool = False

    @property
    def shown(self) -> Shown | None:
        """The verdict as it is shown, or what is down; None where there is nothing to fail over."""
        if self.is_idle:
            return Shown(None, NOTHING_TO_JUDGE)
        return shown_mode(self.verdict, self.down, is_assumed=self.is_assumed)

    @property
    def why(self) -> str:
        """Why its verdict is what it is, what is missing, and what else there is to say."""
        parts = ("" if self.is_plain else self.reason, self.missing, self.happens, self.note)
        return joined("; ", filter(None, parts))

    @property
    def told(self) -> str:
        """The same with its reason whatever the numbers show, and without what happens in it."""
        return joined("; ", filter(None, (self.reason, self.missing, self.note)))

    @property
    def is_waiting(self) -> bool:
        """Nothing of it is known yet, not even its verdict."""
        return VERDICT in self.waiting

    def is_of_host(self, id: str) -> bool:
        """It is the failure of this single host."""
        return bool(id) and self.kind is ModeKind.HOST and self.subject == id


_LATER = frozenset({IOPS, READY})
_ALL = frozenset(range(CPU, MISSING))


def failure_rows(
    scenario: Scenario,
    prediction: Prediction,
    *,
    most: int = MOST_ROWS,
    study: FailureStudy | None = None,
    before: Sequence[FailureRow] = (),
) -> list[FailureRow]:
    """Normal operation first, then the modes, worst first.

    Args:
        most: of a study, modes that are shown.
        study: of this scenario. Without it single hosts are those of the prediction, and what
            `before` shows of other modes waits in its place.
    """
    if study is None:
        found = _foreseen(scenario, prediction)
        ids = {item.id for item in scenario.items()}
        kept = [row for row in before if _is_studied(row) and ids.issuperset(row.subjects)]
        waiting = [_unknown(row) for row in kept]
        rows = _in_order([*found, *waiting], before)
    else:
        rows = _studied(scenario, study, most)
    elsewhere = Unaffected(scenario, prediction)
    rows = [_with_elsewhere(_with_survivors(row, scenario), elsewhere) for row in rows]
    first = [_normal(scenario, prediction)] if scenario.vms else []
    return [*first, *_with_worst(rows)]


def _with_elsewhere(row: FailureRow, elsewhere: Unaffected) -> FailureRow:
    """Says of a host's failure which slower VMs it leaves alone."""
    if row.kind not in _BY_HOSTS or row.verdict is None:
        return row
    response = row.numbers[RESPONSE - CPU].quantity
    said = elsewhere.text(row.subjects, response)
    return replace(row, note=joined("; ", filter(None, (row.note, said)))) if said else row


def _with_survivors(row: FailureRow, scenario: Scenario) -> FailureRow:
    """Says of the loss of a whole cluster that nothing is left to run on."""
    if row.kind not in _BY_HOSTS or row.verdict is None:
        return row
    gone = set(row.subjects)
    clusters = {host.cluster for host in scenario.hosts if host.id in gone} - {None}
    if any(host.cluster in clusters and host.id not in gone for host in scenario.hosts):
        return row
    return replace(
        row, survives=False, missing=joined(", ", filter(None, (NONE_LEFT, row.missing)))
    )


def _is_studied(row: FailureRow) -> bool:
    return row.kind not in (ModeKind.NORMAL, ModeKind.HOST, ModeKind.SEVERAL)


def _unknown(row: FailureRow) -> FailureRow:
    if row.is_waiting:
        return row
    return replace(
        row,
        numbers=UNKNOWN,
        verdict=None,
        missing="",
        note="",
        reason="",
        down=None,
        details=(),
        waiting=_ALL,
    )


def _in_order(rows: list[FailureRow], before: Sequence[FailureRow]) -> list[FailureRow]:
    """Rows hold still while numbers are on their way; without any before, worst first."""
    place = {row.key: position for position, row in enumerate(before)}
    return sorted(sorted(rows, key=_badness), key=lambda row: place.get(row.key, len(place)))


def _badness(row: FailureRow) -> tuple[int, float, float, float]:
    """As `FailureStudy.ranked`: who is down, verdict, memory short, and nearest limit; the worst is
    least."""
    loads = [gauge.load for gauge in row.numbers[:4] if gauge.load is not None]
    code = -1 if row.verdict is None else int(row.verdict)
    users = 0.0
    if row.down is not None:
        code, users = Verdict.DOES_NOT_FIT + 1, row.down.people.first
    return (-code, -users, -row.short_ram_gib, -max(loads, default=-1.0))


def _with_worst(rows: list[FailureRow]) -> list[FailureRow]:
    """Marks, column by column, the single host whose failure is worst; of one host nothing."""
    hosts = [row for row in rows if row.kind is ModeKind.HOST and row.verdict is not None]
    marks: dict[str, set[int]] = {}
    for column in UNITS:
        values = [(value, row.key) for row in hosts if (value := value_at(row, column)) is not None]
        most, key = max(values, key=itemgetter(0), default=(0.0, ""))
        if any(value != most for value, _ in values):
            marks.setdefault(key, set()).add(column)
    return [
        replace(row, worst=frozenset(marks[row.key])) if row.key in marks else row for row in rows
    ]


def limit_of(gauge: Gauge) -> float | None:
    """The limit of a number as it is shown, which is judged at peak; None where there is none, or
    it is of another number. A last digit more or less would hide that the limit is passed."""
    value = gauge.quantity.value
    if not value or not gauge.load or gauge.field == "iops":
        return None
    return round(value / gauge.load, 9)


def cell_of(row: FailureRow, column: int, *, is_ranged: bool = False) -> Cell:
    """What stands in a column; of a number also its interval below it, where that is asked."""
    if column == MODE:
        return row.label
    if column in row.waiting:
        return WAITING
    if column == VERDICT:
        return NOT_JUDGED if row.shown is None else row.shown
    if column == MISSING:
        return row.why
    gauge = row.numbers[column - CPU]
    if row.verdict is None or (gauge.quantity.value is None and not row.survives):
        return NONE_TEXT
    write = ranged if is_ranged else value_text
    if column == RAM:
        write = shared_text
    return write(gauge.quantity, UNITS[column], limit=limit_of(gauge))


def value_at(row: FailureRow, column: int) -> float | None:
    """The number in a column, in its unit; None for no data."""
    return row.numbers[column - CPU].quantity.value


# --- from the prediction ----------------------------------------------------------------------


def _normal(scenario: Scenario, prediction: Prediction) -> FailureRow:
    """As the failure modes: of hosts and pools what they bear on average, judged at peak."""
    _cpu, ram, _iops, response, _failure = gauges(scenario, prediction)
    policy, vms = scenario.policy, prediction.vms
    cpu = partly(_host_cpu(policy, prediction), lacking(vms, "cpu"))
    iops = _pool_iops(policy, prediction)
    found = worst(vms.ids, vms.ready_pct, READY_LIMIT_PCT)
    ready = (
        Gauge(field="ready_pct")
        if found is None
        else gauge_of("ready_pct", found.quantity, READY_LIMIT_PCT, subject=found.subject)
    )
    numbers = (cpu, ram, iops, response, ready)
    placed = [vm.host is not None for vm in scenario.vms]
    runs = any(vm.powered_on for vm, there in zip(scenario.vms, placed, strict=True) if there)
    verdict = prediction.normal
    is_idle = verdict is Verdict.FITS and not runs
    reason = "" if verdict is Verdict.FITS else _worst_reason(scenario, prediction)
    return FailureRow(
        key="normal",
        subject="",
        label=(NORMAL),
        numbers=numbers,
        verdict=None if is_idle else verdict,
        is_assumed=prediction.rests_on_assumptions,
        missing="",
        note="",
        is_plain=_is_visible(ModeKind.NORMAL, verdict, numbers),
        reason=reason,
        kind=ModeKind.NORMAL,
        is_idle=is_idle,
    )


def _worst_reason(scenario: Scenario, prediction: Prediction) -> str:
    subject, reason = Reasons(scenario.policy, prediction).of_worst()
    name = next((item.name for item in scenario.items() if item.id == subject), "")
    return joined(": ", (name, reason)) if reason else ""


def _is_visible(kind: ModeKind, verdict: Verdict | None, numbers: Numbers) -> bool:
    """Whether one of the numbers that are judged has the verdict of its row."""
    cpu, ram, iops, response, _ready = numbers
    told = (cpu, ram, iops, response) if kind in DISKS_JUDGED else (cpu, ram, response)
    return verdict in [gauge.verdict for gauge in told]


def _host_cpu(policy: Policy, prediction: Prediction) -> Gauge:
    """CPU of the busiest host; what the vCPUs of a VM do is another number."""
    found = worst(prediction.hosts.ids, prediction.hosts.cpu_pct, policy.cpu_limit_pct)
    if found is None:
        return Gauge(field="cpu_pct")
    gauge = gauge_of("cpu_pct", found.quantity, policy.cpu_limit_pct, subject=found.subject)
    return gauge.times(policy.peak_factor_cpu)


def _pool_iops(policy: Policy, prediction: Prediction) -> Gauge:
    """IOPS of the pool whose disks are nearest to their limit, with their utilisation."""
    pools = prediction.pools
    found = worst(pools.ids, pools.utilisation_pct, policy.disk_limit_pct)
    if found is None:
        return Gauge(field="iops")
    disk = gauge_of("iops", found.quantity, policy.disk_limit_pct, subject=found.subject)
    iops = pools.iops[pools.index(found.subject)]
    return replace(disk.times(policy.peak_factor_iops), quantity=iops)


def _foreseen(scenario: Scenario, prediction: Prediction) -> list[FailureRow]:
    """Single hosts as the prediction has them, and as many as a cluster tolerates."""
    names = {item.id: item.name for item in scenario.items()}
    modes = (*prediction.failures, *prediction.together)
    return [
        replace(
            _row(scenario.policy, mode, names),
            waiting=frozenset() if mode.verdict is None else _LATER,
        )
        for mode in modes
    ]


def _row(policy: Policy, mode: FailureMode, names: Names) -> FailureRow:
    numbers = _numbers(policy, mode)
    is_judged, is_well = mode.verdict is not None, mode.verdict is Verdict.FITS
    by_number = mode_reason(policy, mode)
    of_hosts = mode.mode.kind in (ModeKind.HOST, ModeKind.SEVERAL)
    told = mode.note if of_hosts and is_judged and not (by_number or is_well) else ""
    return FailureRow(
        key=mode.id,
        subject=mode.mode.subject,
        label=mode_text(mode.mode, names),
        numbers=numbers,
        verdict=mode.verdict,
        is_assumed=mode.is_assumed,
        missing=missing_text(mode.shortfall, mode.stranded, names),
        note="" if is_judged else mode.note or NOTHING_TO_FAIL_OVER,
        happens=mode.note if is_judged and not told else "",
        is_plain=_is_visible(mode.mode.kind, mode.verdict, numbers),
        reason=by_number or told,
        down=mode.down,
        kind=mode.mode.kind,
        subjects=_subjects(mode.mode),
        short_ram_gib=mode.shortfall.ram_gib,
    )


# --- from the study ---------------------------------------------------------------------------


def _studied(scenario: Scenario, study: FailureStudy, most: int) -> list[FailureRow]:
    names = {item.id: item.name for item in scenario.items()}
    times = times_away(scenario)
    ranked = [row for row in study.ranked() if study.modes[row].kind is not ModeKind.NORMAL]
    return [_studied_row(scenario, study[row], names, times) for row in ranked[:most]]


def _studied_row(
    scenario: Scenario, mode: FailureMode, names: Names, times: Sequence[RestartTime]
) -> FailureRow:
    away = away_text(mode, times)
    row = _row(scenario.policy, mode, names)
    beside = beside_text(mode.mode, scenario, mode.verdict)
    return replace(
        row,
        note=joined("; ", filter(None, (row.note, beside))),
        details=(*([away] if away else []), *detail_lines(mode, names)),
    )


def _subjects(mode: Mode) -> tuple[str, ...]:
    return mode.hosts if mode.kind in _BY_HOSTS else (mode.subject,)


_BY_HOSTS = (
    ModeKind.HOST,
    ModeKind.SEVERAL,
    ModeKind.TWO_HOSTS,
    ModeKind.GROUP,
    ModeKind.MAINTENANCE,
)


def _numbers(policy: Policy, mode: FailureMode) -> Numbers:
    """CPU and disks are judged at peak and shown as they are on average."""
    cpu = gauge_of("cpu_pct", mode.cpu_pct, policy.cpu_limit_pct)
    disk = gauge_of("iops", mode.disk_pct, policy.disk_limit_pct, subject=mode.pool)
    return (
        cpu.times(policy.peak_factor_cpu),
        gauge_of("ram_pct", mode.ram_pct, mode.ram_limit_pct),
        replace(disk.times(policy.peak_factor_iops), quantity=mode.iops),
        gauge_of("response_ms", mode.response_ms, policy.response_limit_ms),
        gauge_of("ready_pct", mode.ready_pct, READY_LIMIT_PCT),
    )


# --- sections ---------------------------------------------------------------------------------

COLUMNS = (
    Column(say("What fails"), wide=True, weight=11),
    Column(
        say("Host CPU"),
        numeric=True,
        tip=say("CPU of the busiest host, per cent of its cores on average; the bar is at peak"),
    ),
    Column(
        say("Host RAM"),
        numeric=True,
        tip=say("RAM of the fullest host, per cent of what is installed"),
    ),
    Column(
        "IOPS",
        numeric=True,
        tip=say("I/Os per second of the pool nearest its limit; the bar is its disks’ utilisation"),
    ),
    Column(
        say("Response"), numeric=True, tip=say("Mean response time of the slowest VM that runs")
    ),
    Column(
        say("Ready"),
        numeric=True,
        tip=say(
            "Ready time of the VM that waits longest; from {ready_limit_pct} % users notice",
            ready_limit_pct=f"{READY_LIMIT_PCT:.0f}",
        ),
    ),
    Column(
        say("Verdict"),
        wide=True,
        weight=8,
        tip=say("What the mode would mean for the whole design"),
    ),
    Column(say("Why, and what is missing"), wide=True, weight=13),
)
MOST_MODES, MOST_REASONS, MOST_NAMED = 60, 12, 6
NOTE = say(
    "Load after every VM of a lost host has restarted on the hosts left in its cluster: CPU on "
    "average and RAM, each of the host that is then worst off, IOPS of the pool nearest its limit, "
    "response and ready time of the VM worst off there; other clusters and hosts go on as before. "
    "CPU and disks are judged at peak. Below a number its nominal 90\u202f% interval. A host that "
    "fails loads disks of an array no more than before, so the verdict on its failure leaves them "
    "out; drives of vSAN it takes along. "
    "Admission control, which looks at reservations, is a different question."
)


def failure_sections(
    scenario: Scenario,
    prediction: Prediction,
    study: FailureStudy | None = None,
    *,
    most: int = MOST_MODES,
) -> tuple[Section, ...]:
    """Every way to fail, worst first: where the rest would stand."""
    title = say("When something fails")
    if prediction.idle:
        return (Section(title, (Paragraph(say("Nothing runs yet.")),)),)
    rows = failure_rows(scenario, prediction, study=study, most=most)
    if all(row.kind is ModeKind.NORMAL for row in rows):
        return (Section(title, (Paragraph(say("There is no host that could fail.")),)),)
    note, count = NOTE, 0 if study is None else len(study) - 1
    if count > most:
        worst_of = say("The {shown} worst of {all} modes.", shown=number(most), all=number(count))
        note = joined(" ", (worst_of, NOTE))
    cells = tuple(
        (*(cell_of(row, column, is_ranged=True) for column in range(MISSING)), row.told or "–")
        for row in rows
    )
    blocks: list[Block] = [Table(COLUMNS, cells, note, tuple(row.subject for row in rows))]
    happens: dict[str, list[str]] = {}
    for row in rows:
        if row.happens:
            happens.setdefault(row.happens, []).append(row.label)
    if happens:
        told = (joined(": ", (first_of(who, MOST_NAMED), it)) for it, who in happens.items())
        blocks += [Paragraph(say("What happens in them:")), Bullets(tuple(told))]
    if study is not None:
        blocks += _studied_blocks(scenario, study, rows)
    return (Section(title, tuple(blocks)),)


def _studied_blocks(
    scenario: Scenario, study: FailureStudy, rows: Sequence[FailureRow]
) -> Iterable[Block]:
    """What only the study knows: who finds no room and why, and which single host is worst."""
    names = {item.id: item.name for item in scenario.items()}
    shown = {row.key for row in rows}
    reasons = [
        line
        for row in study.ranked()
        if study.modes[row].id in shown
        for line in _reasons(study[row], names)
    ]
    if len(reasons) > MOST_REASONS:
        more = say_many("and {count} more", "and {count} more", len(reasons) - MOST_REASONS)
        reasons = [*reasons[:MOST_REASONS], more]
    if reasons:
        yield Paragraph(say("Why VMs find no room:"))
        yield Bullets(tuple(reasons))
    worst_hosts = study.worst_hosts()
    if len({each.host for each in worst_hosts}) == 1:
        host = worst_hosts[0].host
        yield Paragraph(
            say(
                "Of the hosts whose VMs restart elsewhere, {host} is the worst to lose by every "
                "resource.",
                host=names.get(host, host),
            )
        )
    elif worst_hosts:
        yield Paragraph(say("The single host whose failure is worst, by resource:"))
        yield Table(
            (
                Column(say("Resource"), wide=True),
                Column(say("What fails"), wide=True),
                Column(say("Value"), numeric=True),
                Column(say("Limit"), numeric=True),
                Column(say("Of limit, at peak"), numeric=True),
            ),
            tuple(
                (
                    opening(title_of(each.resource)),
                    say("{subject} fails", subject=names.get(each.host, each.host)),
                    with_ends(each.value, unit_of(each.resource)),
                    with_unit(number(each.limit), unit_of(each.resource)),
                    with_unit(number(100 * each.load), "%"),
                )
                for each in worst_hosts
            ),
            subjects=tuple(each.host for each in worst_hosts),
        )


def _reasons(mode: FailureMode, names: Names) -> Iterable[str]:
    """What the hosts lack, once for all VMs that it keeps down."""
    alike: dict[str, list[str]] = {}
    for each in mode.not_restarted:
        alike.setdefault(each.reason, []).append(names.get(each.vm, each.vm))
    for reason, vms in alike.items():
        who = (mode_text(mode.mode, names), first_of(vms, MOST_NAMED))
        yield joined(": ", (joined(", ", who), reason))


def detail_sections(rows: Sequence[FailureRow]) -> tuple[Section, ...]:
    """What becomes of the VMs, mode by mode; none where there is nothing to tell."""
    blocks: list[Block] = []
    for row in rows:
        if row.details:
            blocks += [Paragraph(joined("", (row.label, ":"))), Bullets(row.details)]
    return (Section(say("What becomes of the VMs"), tuple(blocks)),) if blocks else ()


class Unaffected:
    """The VMs that run, slowest first, to find those that a failure leaves alone."""

    def __init__(self, scenario: Scenario, prediction: Prediction) -> None:
        self._vms = prediction.vms
        self._cluster_of = {host.id: host.cluster for host in scenario.hosts}
        values = prediction.vms.response_ms.value
        self._slowest = [
            (float(values[row]), row, scenario.vms[row])
            for row in np.argsort(-values).tolist()
            if scenario.vms[row].powered_on and not np.isnan(values[row])
        ]

    def text(self, gone: Collection[str], response: Quantity, style: Style = ENGLISH) -> str:
        """``elsewhere 180 ms as before (Mail-01)``: the slowest VM that the failure leaves alone.

        Empty where none is slower than the mode's own `response`: only then could losing a host
        look like a gain.

        Args:
            gone: ids of the hosts that are gone.
        """
        clusters = {self._cluster_of.get(host) for host in gone} - {None}
        for value, row, vm in self._slowest:
            if value <= (response.value or 0.0):
                return ""
            if vm.host is None or vm.host in gone or self._cluster_of[vm.host] in clusters:
                continue
            shown = value_text(self._vms.response_ms[row], "ms", style=style)
            return say("elsewhere {value} as before ({vm})", value=shown, vm=vm.name)
        return ""

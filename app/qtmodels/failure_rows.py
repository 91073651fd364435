"""Normal operation and every failure mode as rows, worst first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from app.language import local, tr
from models.failure.mode import Mode, ModeKind
from models.failure.restart_time import RestartTime
from models.judgement.gauges import Gauge, gauge_of, gauges, lacking, partly, worst
from models.lettering import set_apart
from models.prediction import (
    NOTHING_TO_JUDGE,
    Down,
    FailureMode,
    Prediction,
    Shown,
    Verdict,
    shown_mode,
)
from models.reasons import DISKS_JUDGED, Reasons, mode_reason
from models.resilience.elsewhere import Elsewhere
from models.resilience.mode_words import NORMAL, detail_lines, missing_text, mode_text
from models.resilience.modes import beside_text
from models.resilience.study import READY_LIMIT_PCT, FailureStudy
from models.resilience.time_away import away_text, times_away
from models.scenario import Policy, Scenario
from models.wording import ENGLISH, Style

MODE, CPU, RAM, IOPS, RESPONSE, READY, VERDICT, MISSING = range(8)
UNITS = {CPU: "%", RAM: "%", IOPS: "", RESPONSE: "ms", READY: "%"}
NOT_JUDGED = tr("n/a")
NOTHING_FAILS_OVER = tr("nothing to fail over")
NONE_LEFT = tr("no host is left")
CALCULATING = tr("calculating …")
WAITING = "…"
MOST_ROWS = 200
"""More modes than anybody reads: the worst ones are shown, the rest is counted."""

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
        details: what becomes of its VMs, a sentence each.
        waiting: columns of numbers that are still being worked out.
        worst: columns in which no other single host comes out worse.
        down: what is down with hosts that stand alone.
        survives: a host of the clusters that lose hosts is left.
        is_idle: nothing runs that could pass a limit.
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
    is_idle: bool = False

    @property
    def shown(self) -> Shown | None:
        """The verdict as it is shown, or what is down; None where there is nothing to fail over."""
        if self.is_idle:
            return Shown(None, NOTHING_TO_JUDGE)
        return shown_mode(self.verdict, self.down)

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
    style: Style = ENGLISH,
    *,
    study: FailureStudy | None = None,
    before: Sequence[FailureRow] = (),
) -> list[FailureRow]:
    """Normal operation first, then the modes, worst first.

    Args:
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
        rows = _studied(scenario, study, style)
    elsewhere = Elsewhere(scenario, prediction)
    rows = [_with_elsewhere(_with_survivors(row, scenario), elsewhere, style) for row in rows]
    first = [_normal(scenario, prediction)] if scenario.vms else []
    return [*first, *_with_worst(rows)]


def _with_elsewhere(row: FailureRow, elsewhere: Elsewhere, style: Style) -> FailureRow:
    """Says of a host's failure which slower VMs it leaves alone."""
    if row.kind not in _BY_HOSTS or row.verdict is None:
        return row
    response = row.numbers[RESPONSE - CPU].quantity
    said = local(elsewhere.text(row.subjects, response, style))
    return replace(row, note="; ".join(filter(None, (row.note, said)))) if said else row


def _with_survivors(row: FailureRow, scenario: Scenario) -> FailureRow:
    """Says of the loss of a whole cluster that nothing is left to run on."""
    if row.kind not in _BY_HOSTS or row.verdict is None:
        return row
    gone = set(row.subjects)
    clusters = {host.cluster for host in scenario.hosts if host.id in gone} - {None}
    if any(host.cluster in clusters and host.id not in gone for host in scenario.hosts):
        return row
    return replace(row, survives=False, missing=", ".join(filter(None, (NONE_LEFT, row.missing))))


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
        label=local(NORMAL),
        numbers=numbers,
        verdict=None if is_idle else verdict,
        missing="",
        note="" if _is_visible(ModeKind.NORMAL, verdict, numbers) else reason,
        reason=reason,
        kind=ModeKind.NORMAL,
        is_idle=is_idle,
    )


def _worst_reason(scenario: Scenario, prediction: Prediction) -> str:
    subject, reason = Reasons(scenario.policy, prediction).of_worst()
    name = next((set_apart(item.name) for item in scenario.items() if item.id == subject), "")
    return f"{name}: {local(reason)}" if reason else ""


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
    names = {item.id: set_apart(item.name) for item in scenario.items()}
    modes = (*prediction.failures, *prediction.together)
    return [
        replace(
            _row(scenario.policy, mode, names),
            waiting=frozenset() if mode.verdict is None else _LATER,
        )
        for mode in modes
    ]


def _row(policy: Policy, mode: FailureMode, names: dict[str, str]) -> FailureRow:
    numbers = _numbers(policy, mode)
    return FailureRow(
        key=mode.id,
        subject=mode.mode.subject,
        label=local(mode_text(mode.mode, names)),
        numbers=numbers,
        verdict=mode.verdict,
        missing=local(missing_text(mode.shortfall, mode.stranded, names)),
        note=_note(policy, mode, mode.mode.kind, numbers),
        reason=local(mode_reason(policy, mode)),
        down=mode.down,
        kind=mode.mode.kind,
        subjects=_subjects(mode.mode),
        short_ram_gib=mode.shortfall.ram_gib,
    )


def _note(policy: Policy, mode: FailureMode, kind: ModeKind, numbers: Numbers) -> str:
    """Why there is no verdict; why it is as it is, where no number shows it or somebody says so."""
    if mode.verdict is not None:
        reason = (
            "" if _is_visible(kind, mode.verdict, numbers) else local(mode_reason(policy, mode))
        )
        return "; ".join(filter(None, (reason, local(mode.note))))
    return local(mode.note) or NOTHING_FAILS_OVER


# --- from the study ---------------------------------------------------------------------------


def _studied(scenario: Scenario, study: FailureStudy, style: Style) -> list[FailureRow]:
    names = {item.id: set_apart(item.name) for item in scenario.items()}
    times = times_away(scenario)
    ranked = [row for row in study.ranked() if study.modes[row].kind is not ModeKind.NORMAL]
    return [_studied_row(scenario, study[row], names, times, style) for row in ranked[:MOST_ROWS]]


def _studied_row(
    scenario: Scenario,
    mode: FailureMode,
    names: dict[str, str],
    times: Sequence[RestartTime],
    style: Style,
) -> FailureRow:
    away = away_text(mode, times, style)
    row = _row(scenario.policy, mode, names)
    beside = local(beside_text(mode.mode, scenario, mode.verdict))
    return replace(
        row,
        note="; ".join(filter(None, (row.note, beside))),
        details=tuple(map(local, [*([away] if away else []), *detail_lines(mode, names)])),
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
    ram_limit_pct = None if math.isnan(mode.ram_limit_pct) else mode.ram_limit_pct
    return (
        cpu.times(policy.peak_factor_cpu),
        gauge_of("ram_pct", mode.ram_pct, ram_limit_pct),
        replace(disk.times(policy.peak_factor_iops), quantity=mode.iops),
        gauge_of("response_ms", mode.response_ms, policy.response_limit_ms),
        gauge_of("ready_pct", mode.ready_pct, READY_LIMIT_PCT),
    )

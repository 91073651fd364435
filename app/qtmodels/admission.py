"""Admission control in words: its verdict, its arithmetic, and the demand-based check beside it."""

from __future__ import annotations

from collections.abc import Iterable

from app.language import local, tr
from app.qtmodels.cells import CellRow, Column
from app.qtmodels.failure_rows import missing_text
from models.failure.admission import Step
from models.failure.admission_words import pct_text
from models.failure.reservations import AdmissionCheck
from models.lettering import set_apart
from models.prediction import FailureMode, Prediction, Verdict
from models.scenario import Scenario
from models.wording import ENGLISH, Style, number, value_text

COLUMNS = (
    Column(tr("Step")),
    Column(tr("Arithmetic")),
    Column(tr("Result"), is_number=True),
)
BY_RESERVATION = tr("By reservation, as vCenter counts")
BY_DEMAND = tr("By demand: another question")
ANOTHER = tr("Would all VMs find room and be served well? Reservations say nothing about that.")


def step_rows(steps: Iterable[Step]) -> list[CellRow]:
    """The arithmetic, a row a step, in the language of the window."""
    return [
        CellRow(
            key=(position, step.what),
            cells=(local(step.what), local(step.arithmetic), local(step.result)),
        )
        for position, step in enumerate(steps)
    ]


def verdict_of(check: AdmissionCheck) -> Verdict | None:
    """Allowed or refused as a verdict, so that it looks like one; None: nothing is said."""
    if check.admitted is None:
        return None
    return Verdict.FITS if check.admitted else Verdict.DOES_NOT_FIT


# --- by demand --------------------------------------------------------------------------------


def worst_failure(scenario: Scenario, prediction: Prediction, cluster: str) -> FailureMode | None:
    """The worst failure of a single host of the cluster; None where nothing fails over."""
    members = {host.id for host in scenario.hosts if host.cluster == cluster}
    judged = [
        mode for mode in prediction.failures if mode.host in members and mode.verdict is not None
    ]
    return max(judged, key=_badness, default=None)


def _badness(mode: FailureMode) -> tuple[int, float, float]:
    assert mode.verdict is not None
    cpu, ram = mode.cpu_pct.value or 0.0, mode.ram_pct.value or 0.0
    return (int(mode.verdict), mode.shortfall.ram_gib, max(cpu, ram))


def demand_lines(
    scenario: Scenario, prediction: Prediction, mode: FailureMode | None, style: Style = ENGLISH
) -> list[str]:
    """What the worst failure of one host comes to."""
    if mode is None or mode.shown is None:
        return [tr("n/a: nothing to fail over")]
    names = {item.id: set_apart(item.name) for item in scenario.items()}
    policy = scenario.policy
    missing = missing_text(mode.shortfall, mode.not_restarted, names, style)
    cpu, ram = (
        local(value_text(mode.cpu_pct, "%", style=style)),
        local(value_text(mode.ram_pct, "%", style=style)),
    )
    response = local(value_text(mode.response_ms, "ms", style=style))
    return [
        tr(
            "Worst single failure: {name}, {verdict}",
            name=names.get(mode.host, mode.host),
            verdict=mode.shown.words,
        ),
        tr("CPU {cpu}, limit {pct}", cpu=cpu, pct=pct_text(policy.cpu_limit_pct, style)),
        tr(
            "RAM {ram}, limit {pct}", ram=ram, pct=pct_text(policy.memory_overcommit * 100.0, style)
        ),
        tr(
            "Response {response}, limit {response_limit_ms}\u202fms",
            response=response,
            response_limit_ms=number(policy.response_limit_ms, style=style),
        ),
        *([tr("Missing: {missing}", missing=missing)] if missing else []),
    ]

"""How well files know the load of the VMs that are taken: who was measured, and for how long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median_low

from models.intake.performance import Measured
from models.intake.records import Quantity, Summary, VmRecord
from models.scenario.origin import Origin
from models.scenario.scenario import DataGrade, Scenario

DAY_S = 86_400.0
MOST_DAYS = 36_525.0
"""A century: a longer series has a clock that was wrong, or a spoiled date."""
FIGURES = (
    *("vcpus", "ram_gib", "workload.cpu_mhz", "workload.iops"),
    *("workload.memory_gib", "workload.disk_gib"),
)
"""What a size is made of."""
_CPU = (Quantity.CPU_MHZ, Quantity.CPU_PCT, Quantity.CPU_CORE_PCT)


def grade_of(scenario: Scenario, taken: Sequence[VmRecord], measured: Measured) -> DataGrade | None:
    """The grade of an import; None where it takes no VM that runs.

    A VM counts as measured where files have both its CPU and its I/O, be they samples or what a
    tool made of them, but the moment of an export.

    Args:
        taken: records of the scenario's VMs, in their order.
    """
    running = [
        (vm, record) for vm, record in zip(scenario.vms, taken, strict=True) if vm.powered_on
    ]
    if not running:
        return None
    known = [record for _, record in running if _is_measured(measured, record)]
    spans = [span for record in known if (span := _days(measured, record)) is not None]
    return DataGrade(
        measured_vms_pct=100.0 * len(known) / len(running),
        days=median_low(spans) if spans else None if known else 0.0,
    )


def _is_measured(measured: Measured, vm: VmRecord) -> bool:
    there = measured.by_vm.get(id(vm), {})
    return Quantity.IOPS in there and any(each in there for each in _CPU)


def _days(measured: Measured, vm: VmRecord) -> float | None:
    """Days that its I/O was measured for; None where its file does not say."""
    series = measured.by_vm.get(id(vm), {}).get(Quantity.IOPS)
    return None if series is None else span_days(series.summary)


def span_days(summary: Summary) -> float | None:
    """Days that a series is long; None where its clock says what no measurement takes."""
    if summary.n < 2 or summary.interval_s is None:
        return None
    span_s = summary.n * summary.interval_s
    if summary.start is not None and summary.end is not None:
        span_s = summary.end - summary.start + summary.interval_s
    return span_s / DAY_S if 0.0 <= span_s <= MOST_DAYS * DAY_S else None


def assumed_of(scenario: Scenario) -> Mapping[str, int]:
    """How many VMs have which of their figures by an assumption."""
    counts: Counter[str] = Counter()
    for vm in scenario.vms:
        said = dict(vm.origins)
        counts.update(path for path in FIGURES if said.get(path) is Origin.ASSUMED)
    return {path: counts[path] for path in FIGURES if counts[path]}

"""Every resource against its limit, and which of them is the bottleneck.

The bottleneck of operational analysis is the resource with the highest utilisation: it saturates
first as load grows. Here each resource is taken at the item that is nearest to its limit, as the
verdict judges it; what is full but doesn't queue (memory, space) is in the same list, because a
design ends there as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from models.base.quantities import Quantity, Series
from models.base.texts import say
from models.judgement.gauges import Gauge, gauge_of, worst
from models.predict.predicted import limit_of, peak_of
from models.predict.prediction import FailureMode, Prediction
from models.scenario.scenario import Scenario


@dataclass(frozen=True, slots=True)
class ResourceLoad:
    """One resource at the item nearest to its limit.

    Attributes:
        label: such as ``host CPU``; `table` and `gauge.subject` say whose it is.
        gauge: number, limit and load.
        failing: in the failure that is worst for it.
    """

    label: str
    table: str
    gauge: Gauge
    failing: bool = False

    @property
    def load(self) -> float | None:
        """Number over limit; None without data."""
        return self.gauge.load


def resource_loads(scenario: Scenario, prediction: Prediction) -> tuple[ResourceLoad, ...]:
    """All resources, normal operation first; those without data too, without a load.

    But for the RAM of physical servers, where no host shares any out: it has no limit.
    """
    if not scenario.vms:
        return ()
    return (*_normal(scenario, prediction), *_failing(scenario, prediction))


def bottleneck(loads: Sequence[ResourceLoad]) -> ResourceLoad | None:
    """The resource of normal operation with the highest load; None where none is known."""
    known = [each for each in loads if each.load is not None and not each.failing]
    return max(known, key=lambda each: each.load or 0.0, default=None)


def nearest_failing(loads: Sequence[ResourceLoad]) -> ResourceLoad | None:
    """What a failure brings nearer to its limit than the bottleneck is; None where nothing is."""
    first = bottleneck(loads)
    known = [each for each in loads if each.load is not None and each.failing]
    nearest = max(known, key=lambda each: each.load or 0.0, default=None)
    if first is None or nearest is None or (nearest.load or 0.0) <= (first.load or 0.0):
        return None
    return nearest


COLUMNS = (
    ("vCPUs", "vms", "cpu_pct"),
    (say("host CPU"), "hosts", "cpu_pct"),
    (say("host RAM"), "hosts", "ram_pct"),
    (say("network"), "hosts", "network_pct"),
    (say("disks"), "pools", "utilisation_pct"),
    (say("disk space"), "pools", "capacity_pct"),
    (say("response time"), "vms", "response_ms"),
)


def _normal(scenario: Scenario, prediction: Prediction) -> Iterator[ResourceLoad]:
    policy = scenario.policy
    for label, table, field in COLUMNS:
        items = getattr(prediction, table)
        shared = field == "ram_pct"
        limits = prediction.hosts.ram_limit_pct if shared else limit_of(policy, field)
        if shared and len(items.ids) and np.isnan(limits).all():
            continue
        series, factor = getattr(items, field), peak_of(policy, field)
        gauge = _worst_gauge(items.ids, field, series, limits, factor)
        yield ResourceLoad(label, table, gauge)


def _worst_gauge(
    ids: tuple[str, ...], field: str, series: Series, limits: npt.ArrayLike, factor: float
) -> Gauge:
    found = worst(ids, series, limits)
    if found is None:
        return Gauge(field=field)
    quantity = found.quantity if factor == 1.0 else found.quantity.times(factor)
    return gauge_of(field, quantity, found.limit, subject=found.subject)


def _failing(scenario: Scenario, prediction: Prediction) -> Iterator[ResourceLoad]:
    """Host CPU, RAM and response in the failure that is worst for each."""
    policy = scenario.policy
    modes = [mode for mode in prediction.failures if mode.verdict is not None]
    if not modes:
        return
    for label, field in (
        (say("CPU, worst failure"), "cpu_pct"),
        (say("RAM, worst failure"), "ram_pct"),
        (say("response, worst failure"), "response_ms"),
    ):
        mode = max(modes, key=partial(_number, field=field))
        quantity: Quantity = getattr(mode, field)
        factor = peak_of(policy, field)
        scaled = quantity if factor == 1.0 else quantity.times(factor)
        gauge = gauge_of(field, scaled, limit_of(policy, field), subject=mode.host)
        yield ResourceLoad(label, "failures", gauge, failing=True)


def _number(mode: FailureMode, *, field: str) -> float:
    value = getattr(mode, field).value
    return -math.inf if value is None else float(value)

"""The number that decides, with the interval that it was judged by."""

from __future__ import annotations

import math

import numpy as np

from models.judgement.weighing import NORMAL
from models.prediction import Binding, Prediction
from models.quantities import NO_DATA, Quantity, judged_end

SAME = 1e-6
"""Relative difference up to which two ends of an interval are one."""
ALL_VCPUS_PCT = 100.0


def decided_by(prediction: Prediction, binding: Binding, share: float = 1.0) -> Quantity:
    """The number of what decides as it was judged, at peak where that applies, with its 90 %
    interval; no data where it has none.

    What is predicted on average is raised to the number judged, both ends by the same factor. Where
    the high end is then not the one that was judged, as what has no data may add to it, there is no
    interval of this number alone. A VM is shown with no more than its vCPUs and judged by what it
    asks for, so that the judged end stands for the high one there.

    Args:
        share: of the policy's posture, by which the number was judged (`quantities.judged_end`).
    """
    if binding.rule or binding.stranded or binding.high is None:
        return NO_DATA
    found = _on_average(prediction, binding)
    value, low, high = found.value, found.low, found.high
    if not value or low is None or high is None:
        return NO_DATA
    factor = binding.value / value
    of_vcpus = binding.resource == "cpu_pct" and (binding.own or binding.subject in prediction.vms)
    is_cut = of_vcpus and value < ALL_VCPUS_PCT <= high
    ends = np.array([value]), np.array([high])
    judged = float(judged_end(*ends, share)[0])
    if is_cut:
        return Quantity(binding.value, low * factor, binding.high, found.basis, found.evidence)
    if not math.isclose(judged * factor, binding.high, rel_tol=SAME):
        return NO_DATA
    return Quantity(binding.value, low * factor, high * factor, found.basis, found.evidence)


def _on_average(prediction: Prediction, binding: Binding) -> Quantity:
    if binding.mode != NORMAL:
        return _after_failure(prediction, binding)
    for table in (prediction.vms, prediction.hosts, prediction.pools):
        if binding.subject in table and hasattr(table, binding.resource):
            return table.quantity(binding.subject, binding.resource)
    return NO_DATA


def _after_failure(prediction: Prediction, binding: Binding) -> Quantity:
    modes = (*prediction.failures, *prediction.together)
    mode = next((m for m in modes if m.id == binding.mode), None)
    if mode is None:
        return NO_DATA
    field = "vm_cpu_pct" if binding.own else binding.resource
    found: Quantity = getattr(mode, field, NO_DATA)
    return found

"""What decides is told with the interval that it was judged by, and with none that nobody knows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from models.base.quantities import NO_DATA
from models.judgement.binding import binding_quantity
from models.predict.prediction import Binding
from models.proposal.design import requirement
from models.scenario.scenario import Policy, Scenario
from models.scenario.wording import THIN
from models.scenario.workloads import WorkloadKind
from models.tell.blocks import Definitions
from models.tell.subject import Subject
from tests.models.worlds import (
    CATALOG,
    MEASURED_HERE,
    a_cluster_of,
    a_scenario,
    a_vm,
    predict,
    wv21,
)

BUSY = wv21("clovertown", "vmfs", 14.5, 6000.0)


def subject(scenario: Scenario) -> Subject:
    return Subject(scenario=scenario, prediction=predict(scenario), catalog=CATALOG)


@pytest.mark.parametrize("peak", [1.0, 1.25])
def test_the_interval_is_that_of_the_average_at_peak(peak: float) -> None:
    scenario = replace(BUSY, policy=replace(BUSY.policy, peak_factor_cpu=peak))
    prediction = predict(scenario)
    binding = prediction.binding
    assert binding is not None
    assert binding.resource == "cpu_pct"
    average = prediction.vms.quantity(binding.subject, "cpu_pct")
    found = binding_quantity(prediction, binding)
    assert average.low is not None
    assert found.value == binding.value
    assert found.low == pytest.approx(average.low * peak)
    assert found.high == binding.high


def test_what_decides_carries_its_interval() -> None:
    told = subject(BUSY)
    found = f"63–99{THIN}%"
    first = next(b for b in requirement(told).blocks if isinstance(b, Definitions))
    assert first.rows[0][1].endswith(f"(90{THIN}% interval {found})")


def test_after_a_failure_it_is_that_of_the_mode() -> None:
    prediction = predict(a_cluster_of(2, vms=2, users=6000.0))
    mode = prediction.failures[0]
    binding = Binding(
        subject=mode.host,
        resource="response_ms",
        mode=mode.id,
        value=mode.response_ms.value or 0.0,
        limit=1000.0,
        high=mode.response_ms.high,
    )
    found = binding_quantity(prediction, binding)
    assert (found.low, found.high) == (mode.response_ms.low, mode.response_ms.high)


def test_what_asks_for_more_than_its_vcpus_ends_where_it_was_judged() -> None:
    prediction = predict(a_scenario(vms=(a_vm(users=8000.0),)))
    shown = prediction.vms.quantity("m1", "cpu_pct")
    assert shown.value is not None
    assert shown.high == 100.0
    binding = Binding(
        subject="m1", resource="cpu_pct", mode="normal", value=shown.value, limit=70.0, high=130.0
    )
    assert (
        binding_quantity(prediction, binding).low,
        binding_quantity(prediction, binding).high,
    ) == (
        shown.low,
        130.0,
    )


def test_where_other_things_without_data_raise_the_end_there_is_no_interval() -> None:
    prediction = predict(BUSY)
    assert prediction.binding is not None
    assert prediction.binding.high is not None
    raised = replace(prediction.binding, high=prediction.binding.high * 1.1)
    assert binding_quantity(prediction, replace(raised, stranded=1)) == NO_DATA
    host = replace(raised, subject=prediction.hosts.ids[0])
    assert binding_quantity(prediction, host) == NO_DATA


def test_an_exact_number_and_no_number_have_none() -> None:
    work: dict[str, Any] = {"kind": WorkloadKind.GENERIC, "cpu_mhz": 5000.0, "iops": 10.0}
    exact = a_vm(release="", measured_on=MEASURED_HERE, **work)
    for scenario in (a_scenario(vms=(exact,)), a_scenario(vms=())):
        for policy in (scenario.policy, Policy()):
            told = requirement(subject(replace(scenario, policy=policy)))
            assert "90" not in str(told.blocks[0]), "no interval"

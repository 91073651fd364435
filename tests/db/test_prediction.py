"""A prediction as JSON: the keys of the description, and no number that JSON can't say."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from db.prediction import prediction_to_json
from models.base.quantities import NO_DATA, Basis, Quantity, Series, series
from models.failure.mode import Mode, Stranded
from models.predict.prediction import (
    Binding,
    FailureMode,
    Finding,
    Headroom,
    HostPrediction,
    PoolPrediction,
    Prediction,
    Severity,
    Shortfall,
    Verdict,
    VmPrediction,
    Why,
)
from models.scenario.scenario import Admission, AdmissionPolicy, Affinity, AffinityKind
from models.scenario.workloads import WorkloadKind
from tests.models.worlds import a_cluster_of, a_scenario, a_vm, predict


def column(value: float, basis: Basis = Basis.INTERPOLATED, measured: float = np.nan) -> Series:
    one = np.array([value])
    return series(
        one,
        one * 0.9,
        one * 1.1,
        basis=int(basis),
        sources=(("wv21/clovertown/vmfs/14.5gb/4000/cpu_pct",),),
        measured=np.array([measured]),
    )


NOTHING = column(np.nan, Basis.NO_DATA)


@pytest.fixture
def told() -> dict[str, Any]:
    """A prediction of one VM, host and pool, through JSON and back."""
    fits = np.array([0], dtype=np.int8)
    prediction = Prediction(
        scenario="WV21 migration",
        model_version="1",
        verdict=Verdict.AT_RISK,
        by_resource={"cpu": Verdict.AT_RISK, "response": None},
        normal=Verdict.AT_RISK,
        why=Why("It is close", led=False),
        binding=Binding(subject="m1", resource="response_ms", mode="normal", value=900, limit=1000),
        runner_up=None,
        headroom=Headroom(
            cpu_pct=30.0, ram_pct=None, iops_pct=None, response_pct=10.0, failure_pct=None
        ),
        vms=VmPrediction(
            ids=("m1",),
            cpu_pct=column(46.123456789, Basis.MEASURED, measured=44.0),
            iops=NOTHING,
            ram_gib=column(14.8),
            ready_pct=NOTHING,
            response_ms=column(900.0),
            network_mbps=NOTHING,
            transactions_per_min=NOTHING,
            offered_users=np.array([8000.0]),
            verdict=fits,
        ),
        hosts=HostPrediction(
            ids=("h1",),
            cpu_pct=column(23.0),
            cpu_peak_pct=np.array([23.0]),
            ram_pct=column(93.0),
            ram_limit_pct=np.array([100.0]),
            network_pct=NOTHING,
            vcpus_per_core=np.array([0.5]),
            failure_cpu_pct=np.array([np.nan]),
            failure_ram_pct=np.array([np.nan]),
            verdict=fits,
        ),
        pools=PoolPrediction(
            ids=("p1",),
            iops=NOTHING,
            utilisation_pct=NOTHING,
            latency_ms=column(np.inf),
            capacity_pct=column(40.0),
            usable_gib=np.array([1000.0]),
            limit_iops=np.array([4000.0]),
            verdict=fits,
        ),
        failures=(
            FailureMode(
                mode=Mode.of_hosts(("h1",)),
                cpu_pct=Quantity(80.0, 70.0, 90.0, Basis.RULE),
                ram_pct=Quantity(120.0, 110.0, 130.0, Basis.RULE),
                response_ms=NO_DATA,
                shortfall=Shortfall(ram_gib=514.0),
                not_restarted=(Stranded(vm="m1"),),
                verdict=Verdict.DOES_NOT_FIT,
            ),
            FailureMode(
                mode=Mode.of_hosts(("h2",)),
                cpu_pct=NO_DATA,
                ram_pct=NO_DATA,
                response_ms=NO_DATA,
                shortfall=Shortfall(),
                not_restarted=(),
                verdict=None,
                note="nothing to fail over",
            ),
        ),
        findings=(
            Finding(
                rule="ft-single-vcpu",
                severity=Severity.ERROR,
                subject="m1",
                clause="t",
                fix="f",
                source="s",
            ),
        ),
    )
    text = json.dumps(prediction_to_json(prediction), allow_nan=False)
    answer: dict[str, Any] = json.loads(text)
    return answer


def test_the_top(told: dict[str, Any]) -> None:
    assert (told["format"], told["version"]) == ("headroom-prediction", 1)
    assert (told["scenario"], told["model_version"]) == ("WV21 migration", "1")
    assert told["verdict"] == "at risk"
    binding = {key: told["binding"][key] for key in ("subject", "resource", "mode")}
    assert binding == {"subject": "m1", "resource": "response_ms", "mode": "normal"}
    assert told["runner_up"] is None


def test_quantities_carry_range_basis_and_evidence(told: dict[str, Any]) -> None:
    assert told["vms"][0]["cpu_pct"] == {
        "value": 46.1235,
        "low": 41.5111,
        "high": 50.7358,
        "basis": "measured",
        "evidence": ["wv21/clovertown/vmfs/14.5gb/4000/cpu_pct"],
        "measured": 44.0,
    }
    assert "measured" not in told["vms"][0]["ram_gib"]


def test_no_data_is_null_and_said(told: dict[str, Any]) -> None:
    nothing = told["vms"][0]["iops"]
    assert (nothing["value"], nothing["low"], nothing["high"]) == (None, None, None)
    assert nothing["basis"] == "no data"
    assert told["headroom"]["ram_pct"] is None


def test_rows_have_the_described_keys(told: dict[str, Any]) -> None:
    vm, host, pool = told["vms"][0], told["hosts"][0], told["pools"][0]
    assert {"id", "cpu_pct", "iops", "ram_gib", "ready_pct", "response_ms", "verdict"} <= set(vm)
    assert {"id", "cpu_pct", "ram_pct", "network_pct", "vcpus_per_core"} <= set(host)
    assert {"id", "iops", "utilisation_pct", "latency_ms", "capacity_pct"} <= set(pool)
    assert (vm["verdict"], host["vcpus_per_core"]) == ("fits", 0.5)
    assert pool["latency_ms"]["value"] is None  # infinite: JSON has no word for it


def test_failures_and_findings(told: dict[str, Any]) -> None:
    first, second = told["failures"]
    assert (first["mode"], first["verdict"]) == ("host h1", "does not fit")
    assert first["shortfall"] == {"ram_gib": 514.0, "cpu_ghz": 0.0, "iops": 0.0}
    assert first["ram_pct"]["value"] == 120.0
    assert (second["verdict"], second["note"]) == ("n/a", "nothing to fail over")
    assert told["findings"] == [
        {
            "rule": "ft-single-vcpu",
            "severity": "error",
            "subject": "m1",
            "text": "t.",
            "fix": "f",
            "source": "s",
        }
    ]


@pytest.mark.parametrize(("ram_gib", "lacks_ram"), [(8.0, False), (60.0, True)])
def test_memory_that_is_enough_is_no_number_where_vms_find_no_room(
    ram_gib: float, lacks_ram: bool
) -> None:
    """A rule keeps m2 on its host: with that one gone it finds no room, whatever memory is free."""
    rule = Affinity(id="r1", kind=AffinityKind.MUST_RUN_ON, vms=("m2",), hosts=("h2",))
    base = a_cluster_of(3, vms=3, ram_gib=ram_gib)
    told = prediction_to_json(predict(base if lacks_ram else replace(base, affinity=(rule,))))
    assert (told["binding"]["resource"], told["binding"]["stranded"]) == ("ram_pct", 1)
    assert told["headroom"]["stranded"] == 1
    assert (told["binding"]["value"] is not None) == lacks_ram
    assert (told["headroom"]["failure_pct"] is not None) == lacks_ram


def test_memory_that_one_failure_lacks_is_not_lacking_in_another_of_the_same_host() -> None:
    """With h1 gone a rule keeps m1 down; with h2 gone too all VMs lack memory."""
    rule = Affinity(id="r1", kind=AffinityKind.MUST_RUN_ON, vms=("m1",), hosts=("h1",))
    base = a_cluster_of(3, vms=3, ram_gib=40.0)
    counted = Admission(policy=AdmissionPolicy.HOST_FAILURES, host_failures=2)
    cluster = replace(base.clusters[0], admission=counted)
    prediction = predict(replace(base, clusters=(cluster,), affinity=(rule,)))
    (both, *_) = prediction.together
    assert both.mode.hosts[0] == "h1"
    assert both.shortfall.ram_gib
    assert not prediction.failures[0].shortfall.ram_gib
    told = prediction_to_json(prediction)
    assert (told["binding"]["mode"], told["binding"]["value"]) == ("host h1", None)
    assert told["headroom"]["failure_pct"] is not None
    assert told["headroom"]["stranding"] == "hosts h1, h2"


def test_a_restart_on_slower_cores_names_the_vm_and_the_host() -> None:
    busy = a_vm(kind=WorkloadKind.GENERIC, vcpus=1, cpu_mhz=2933 * 0.6, iops=1.0)
    base = replace(a_cluster_of(2, vms=0), vms=(busy,))
    slower = replace(base.hosts[1], server="intel-clovertown-whitebox")
    binding = prediction_to_json(predict(base.with_item(slower)))["binding"]
    assert (binding["mode"], binding["vm"], binding["host"]) == ("host h1", "m1", "h2")
    assert "vm" not in prediction_to_json(predict(base))["binding"]


def test_a_waived_finding_carries_its_reason() -> None:
    scenario = a_scenario(vms=(a_vm(vcpus=9),)).waive("vm-maximum", "m1", "A test\nof it")
    told = prediction_to_json(predict(scenario))["findings"]
    reasons = {each["rule"]: each.get("waived") for each in told}
    assert reasons.pop("vm-maximum") == "A test\nof it"
    assert set(reasons.values()) <= {None}

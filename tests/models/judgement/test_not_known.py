"""*Not known* is a verdict: what has no data and would decide never wears a fit."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from db.prediction import prediction_to_json
from models.base.quantities import NO_DATA, Quantity
from models.failure.mode import ModeKind
from models.judgement.gauges import gauges
from models.predict.predicted import RESOURCES
from models.predict.prediction import NOTHING_TO_JUDGE, Finding, Severity, Verdict
from models.resilience.study import study_failures
from models.scenario.scenario import Scenario
from models.scenario.wording import range_text, value_text
from models.scenario.workloads import WorkloadKind
from models.single_changes.fixes import fixes
from models.whatif import what_if
from tests.models.worlds import (
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    found,
    predict,
)

CHAT: dict[str, Any] = {
    "kind": WorkloadKind.SAMETIME_COMMUNITY,
    "release": "7.5.1",
    "mail_file_mb": 0.0,
}
OTHER: dict[str, Any] = {"kind": WorkloadKind.GENERIC, "users": 0.0, "system_disk_gib": 20.0}
FITS, NOT_KNOWN = Verdict.FITS, Verdict.NOT_KNOWN


def crowd() -> Scenario:
    """Two million chat users on one vCPU."""
    return a_scenario(vms=(a_vm(users=2e6, vcpus=1, ram_gib=1.0, **CHAT),))


def silent() -> Scenario:
    """A VM of which nobody brought a figure."""
    return a_scenario(vms=(a_vm(**OTHER),))


def mixed() -> Scenario:
    """A mail server beside a VM without CPU, and a host of its own for a third."""
    return a_scenario(
        hosts=(a_host(), a_host("h2")),
        vms=(a_vm(), a_vm("m2", iops=5.0, **OTHER), a_vm("m3", host="h2")),
    )


def quiet() -> Scenario:
    """A VM with CPU and without I/O."""
    return a_scenario(vms=(a_vm(), a_vm("m2", cpu_mhz=100.0, **OTHER)))


def browser() -> Scenario:
    """Mail by browser: no document has a response time of it."""
    return a_scenario(vms=(a_vm(kind=WorkloadKind.DOMINO_INOTES),))


CASES = {
    "chat": (crowd(), "Fits in RAM; CPU and I/O not known for 1 VM, space not known for 1 pool;"),
    "no figures": (silent(), "Fits in RAM and space; CPU and I/O not known for 1 VM"),
    "no CPU": (mixed(), "Fits in RAM, I/O, space, network and response time; CPU not known for 1"),
    "no I/O": (quiet(), "Fits in CPU, RAM, space, network and response time; I/O not known for 1"),
    "no response": (browser(), "Fits in CPU, RAM, I/O, space and network; response time not known"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_number_that_would_decide_makes_all_that_needs_it_not_known(case: str) -> None:
    scenario, words = CASES[case]
    prediction = predict(scenario)
    assert prediction.verdict is prediction.normal is NOT_KNOWN
    assert prediction.sentence.startswith(words)
    assert max(each or FITS for each in prediction.by_resource.values()) is NOT_KNOWN
    tables = (prediction.vms, prediction.hosts, prediction.pools)
    parts = [table.verdict_of(row) for table in tables for row in range(len(table.ids))]
    assert max(part or FITS for part in parts) is NOT_KNOWN
    for table in tables:
        for row in range(len(table.ids)):
            verdicts = [each for each in table.resources_of(row).values() if each is not None]
            assert table.verdict_of(row) is max(verdicts, default=None)
    (variant,) = what_if(scenario, KNOWLEDGE, factor=[1.0]).verdict.tolist()
    assert variant == NOT_KNOWN
    (normal,) = study_failures(scenario, KNOWLEDGE, which=[ModeKind.NORMAL])
    assert normal.verdict is NOT_KNOWN
    assert fixes(scenario, KNOWLEDGE, prediction).best is None


def test_by_resource_is_told_in_json() -> None:
    told = json.loads(json.dumps(prediction_to_json(predict(mixed()))))
    assert told["verdict"] == "not known"
    assert told["by_resource"].keys() == RESOURCES.keys()
    assert told["by_resource"]["cpu"] == "not known"
    assert told["by_resource"]["ram"] == "fits"
    first, second = told["hosts"]
    assert first["cpu_pct"]["at_least"] is True
    assert first["cpu_pct"]["unknown_vms"] == 1
    assert "at_least" not in second["cpu_pct"]
    assert (first["verdict"], second["verdict"]) == ("not known", "fits")
    assert told["vms"][1]["by_resource"] == {"cpu": "not known", "iops": "fits", "response": None}


def test_a_part_of_a_sum_is_shown_as_the_least_that_it_is() -> None:
    host = predict(mixed()).hosts.quantity("h1", "cpu_pct")
    assert host.at_least
    assert value_text(host, "%").startswith("\N{GREATER-THAN OR EQUAL TO} ")
    assert range_text(host, "%") == "1 VM unknown"
    pool = predict(quiet()).pools
    for name in ("iops", "utilisation_pct", "latency_ms"):
        assert pool.quantity("p1", name).at_least
    assert not pool.quantity("p1", "capacity_pct").at_least
    assert not replace(NO_DATA, unknown=2).at_least


def test_one_unknown_vm_leaves_the_dials_of_all_others() -> None:
    scenario = mixed()
    cpu, _ram, iops, response, _failure = gauges(scenario, predict(scenario))
    assert cpu.load is not None
    assert (cpu.unknown, cpu.verdict) == (1, NOT_KNOWN)
    assert (iops.verdict, response.verdict) == (FITS, FITS)
    dark = predict(silent())
    cpu, _ram, iops, response, _failure = gauges(silent(), dark)
    assert (cpu.load, cpu.verdict) == (None, NOT_KNOWN)
    assert response.verdict is None, "nobody waits for a response of it"


def test_what_is_over_its_limit_is_worse_than_what_is_not_known() -> None:
    scenario = a_scenario(vms=(a_vm(users=11_000.0, ram_gib=24.0), a_vm("m2", **OTHER)))
    prediction = predict(scenario)
    assert prediction.verdict is Verdict.DOES_NOT_FIT
    assert "Not known (no data): CPU and I/O of 1 VM." in prediction.sentence
    for fix in fixes(scenario, KNOWLEDGE, prediction).found:
        assert fix.verdict is not FITS


def test_figures_of_its_own_are_enough() -> None:
    figures: dict[str, Any] = {"cpu_mhz": 300.0, "iops": 20.0}
    prediction = predict(a_scenario(vms=(a_vm(**figures, **OTHER),)))
    assert prediction.verdict is FITS
    assert prediction.by_resource["response"] is None
    assert prediction.by_resource["network"] is None


def test_a_failure_after_which_a_load_is_unknown_is_not_known() -> None:
    base = a_cluster_of(3, vms=3)
    dark = a_vm("d1", host="h1", vcpus=1, iops=5.0, **OTHER)
    modes = predict(replace(base, vms=(*base.vms, dark))).failures
    assert {mode.verdict for mode in modes} == {NOT_KNOWN}
    assert all(mode.cpu_pct.at_least for mode in modes)
    off = replace(dark, powered_on=False)
    assert {mode.verdict for mode in predict(replace(base, vms=(*base.vms, off))).failures} == {
        FITS
    }


def test_logs_alone_wear_no_verdict_and_decide_none() -> None:
    scenario = a_scenario(pools=(a_pool(), a_pool("p2")), vms=(a_vm(log_pool="p2"),))
    prediction = predict(scenario)
    assert prediction.verdict is FITS
    assert prediction.pools.verdict_of(1) is None
    assert prediction.pools.shown(1).words == NOTHING_TO_JUDGE
    assert [each.subject for each in found(prediction, "log-pool-no-data")] == ["p2"]
    assert prediction_to_json(prediction)["pools"][1]["verdict"] == "n/a"


def test_a_vm_that_is_off_is_not_judged() -> None:
    prediction = predict(a_scenario(vms=(a_vm(), a_vm("m2", powered_on=False, **OTHER))))
    assert prediction.verdict is FITS
    assert prediction.vms.verdict_of(1) is None


def test_what_an_error_stands_on_wears_no_fit() -> None:
    """More RAM than a server takes can't be; nor can the whole."""
    prediction = predict(a_scenario(hosts=(a_host(ram_gib=256.0),)))
    assert [each.subject for each in found(prediction, "host-maximum")] == ["h1"]
    assert prediction.hosts.verdict_of(0) is Verdict.DOES_NOT_FIT
    assert prediction.hosts.resources_of(0)["ram"] is Verdict.DOES_NOT_FIT
    assert prediction.verdict is prediction.by_resource["ram"] is Verdict.DOES_NOT_FIT
    assert prediction.sentence.startswith("Does not fit: H1 has 256")


def test_a_rule_says_what_a_finding_weighs() -> None:
    plain = Finding(
        rule="r", severity=Severity.WARNING, subject="m1", clause="", fix="", source="here"
    )
    assert plain.weight is FITS
    assert replace(plain, at_least=Verdict.AT_RISK).weight is Verdict.AT_RISK
    error = replace(plain, severity=Severity.ERROR)
    assert error.weight is Verdict.AT_RISK
    assert replace(error, at_least=Verdict.DOES_NOT_FIT).weight is Verdict.DOES_NOT_FIT


@pytest.mark.parametrize("unknown", [0, 1, 3])
def test_a_number_says_how_many_it_leaves_out(unknown: int) -> None:
    whole = Quantity(3.0, 2.5, 3.5, NO_DATA.basis, unknown=unknown)
    text = value_text(whole, "%"), range_text(whole, "%")
    assert text[0].startswith("\N{GREATER-THAN OR EQUAL TO}") is bool(unknown)
    assert ("unknown" in text[1]) is bool(unknown)


def test_a_host_with_vms_that_no_list_has_fits_in_nothing() -> None:
    """What those take is in no number: of host, its pool and its loss nothing plainly fits."""
    trio = a_cluster_of(3, vms=3, users=500.0)
    assert predict(trio).verdict is Verdict.FITS
    first, *others = trio.hosts
    partly = replace(trio, hosts=(replace(first, unlisted_vms=7), *others))
    prediction = predict(partly)
    assert prediction.verdict is Verdict.NOT_KNOWN
    said = "CPU, RAM, I/O and space not known for 7 VMs that aren’t listed"
    assert said in prediction.sentence
    assert "Fits in" in prediction.sentence
    verdicts = [prediction.hosts.verdict_of(row) for row in range(3)]
    assert verdicts == [Verdict.NOT_KNOWN, Verdict.FITS, Verdict.FITS]
    assert prediction.pools.verdict_of(0) is Verdict.NOT_KNOWN
    for number in ("cpu_pct", "ram_pct"):
        quantity = prediction.hosts.quantity(first.id, number)
        assert (quantity.unknown, quantity.at_least) == (7, True)
    assert {mode.verdict for mode in prediction.failures} == {Verdict.NOT_KNOWN}
    assert {mode.ram_pct.unknown for mode in prediction.failures} == {7}
    dials = gauges(partly, prediction)
    assert [dial.verdict for dial in dials[:2]] == [Verdict.NOT_KNOWN] * 2
    told = prediction_to_json(prediction)
    assert told["by_resource"]["cpu"] == told["by_resource"]["ram"] == "not known"
    assert told["hosts"][0]["ram_pct"]["at_least"] is True
    assert any(each["rule"] == "unlisted-vms" for each in told["findings"])
    found = what_if(partly, KNOWLEDGE, factor=[1.0])
    assert found.verdict.tolist() == [Verdict.NOT_KNOWN]


def test_vms_that_no_list_has_make_no_empty_host_the_headline() -> None:
    hosts = (a_host("h1", unlisted_vms=4), a_host("h2"))
    prediction = predict(a_scenario(hosts=hosts, pools=(), vms=(a_vm(host=None, pool=None),)))
    assert prediction.verdict is Verdict.AT_RISK
    assert prediction.binding is None
    assert prediction.sentence.startswith("At risk: 1 VM has no host")
    assert "CPU and RAM of 4 VMs that aren’t listed" in prediction.sentence
    assert prediction.hosts.verdict_of(0) is Verdict.NOT_KNOWN

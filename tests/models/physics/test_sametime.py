"""What is vouched for of Sametime: the one configuration that worked, and no more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.physics.sametime import CORES, RATE_PER_CORE, known_feasible
from models.predict.prediction import Severity, Verdict
from models.scenario.scenario import Policy, Scenario, Vm
from models.scenario.workloads import WorkloadKind
from models.whatif import what_if
from tests.models.physics.chat import in_cluster, servers
from tests.models.worlds import (
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    found,
    inputs_of,
    predict,
)


def on_one(server: str, vms: tuple[Vm, ...]) -> Scenario:
    host = a_host(server=server, hypervisor="esx-3.0.2", ram_gib=48.0)
    return a_scenario(hosts=(host,), pools=(a_pool(),), vms=vms)


def test_the_host_that_carried_it_is_that_of_the_catalog() -> None:
    server = CATALOG.servers["ibm-x3650"]
    assert server.spec_rate_per_core == pytest.approx(RATE_PER_CORE)
    assert server.cores == CORES


def test_the_published_configuration_is_vouched_for() -> None:
    prediction = predict(on_one("ibm-x3650", servers(2)))
    assert prediction.verdict is Verdict.NOT_KNOWN
    assert "are within the published design of 100,000 chat users" in prediction.sentence
    assert all("is within that" in each.text for each in found(prediction, "sametime-no-data"))


@pytest.mark.parametrize(
    ("server", "pairs", "users"),
    [("ibm-x3650", 6, 50_000.0), ("ibm-x3650", 3, 40_000.0), ("ibm-x366", 2, 50_000.0)],
)
def test_more_of_it_on_a_host_or_a_lesser_host_is_not(
    server: str, pairs: int, users: float
) -> None:
    prediction = predict(on_one(server, servers(pairs, users)))
    assert prediction.verdict is Verdict.AT_RISK
    spoken = found(prediction, "sametime-no-data")
    assert spoken
    assert not any("is within that" in each.text for each in spoken)
    if server == "ibm-x366":
        assert all("has fewer or slower cores" in each.text for each in spoken)
        assert all(each.fix.startswith("Take a host with as many cores") for each in spoken)
    else:
        assert all("with the other servers on" in each.text for each in spoken)
        assert all(each.fix.startswith("Spread the servers") for each in spoken)


def test_a_survivor_vouches_for_no_more_than_one_host_carried() -> None:
    """Two hosts with the published configuration each: either alone may not carry both."""
    hosts = tuple(
        a_host(id, cluster="c1", server="ibm-x3650", hypervisor="esx-3.0.2", ram_gib=48.0)
        for id in ("h1", "h2")
    )
    here = servers(2)
    there = tuple(replace(vm, id=f"{vm.id}-b", name=f"{vm.name}-b", host="h2") for vm in here)
    base = a_scenario(hosts=hosts, pools=(a_pool(),), vms=here)

    clusters = a_cluster_of(2, vms=0).clusters
    assert predict(replace(base, clusters=clusters)).verdict is Verdict.NOT_KNOWN
    assert (
        predict(replace(base, clusters=clusters, vms=(*here, *there))).verdict is not Verdict.FITS
    )


def test_each_survivor_is_asked_for_what_comes_to_it() -> None:
    three = dict.fromkeys(("h1", "h2", "h3"), "ibm-x3650")
    assert predict(in_cluster(three, 20_000.0)).verdict is Verdict.NOT_KNOWN, "60,000 on a survivor"
    over = predict(in_cluster(three, 40_000.0))
    assert over.verdict is Verdict.AT_RISK, "120,000 on a survivor"
    assert {mode.verdict for mode in over.failures} == {Verdict.AT_RISK}


def test_a_lesser_survivor_vouches_for_nothing() -> None:
    prediction = predict(in_cluster({"h1": "ibm-x3650", "h2": "ibm-x366"}, 20_000.0))
    modes = {mode.host: mode.verdict for mode in prediction.failures}
    assert modes["h1"] is Verdict.AT_RISK
    assert prediction.verdict is Verdict.AT_RISK


def test_a_what_if_of_users_vouches_as_a_prediction_does() -> None:
    scenario = on_one("ibm-x3650", servers(2, 40_000.0))
    many = what_if(scenario, KNOWLEDGE, factor=[1.0, 1.5])
    verdicts = [predict(on_one("ibm-x3650", servers(2, 40_000.0 * f))).verdict for f in (1.0, 1.5)]
    assert verdicts == [Verdict.NOT_KNOWN, Verdict.AT_RISK]
    assert [Verdict(code) for code in many.verdict.tolist()] == verdicts


def without(scenario: Scenario, *ids: str) -> Scenario:
    return replace(scenario, vms=tuple(vm for vm in scenario.vms if vm.id not in ids))


@pytest.mark.parametrize("gone", [("sametime-mux-0",), ("sametime-mux-0", "sametime-mux-1")])
def test_multiplexers_for_all_users_belong_to_the_known_design(
    gone: tuple[str, ...],
) -> None:
    prediction = predict(without(on_one("ibm-x3650", servers(2)), *gone))
    spoken = [f for f in found(prediction, "sametime-no-data") if "mux" not in f.subject]
    assert len(spoken) == 2
    assert all(each.severity is Severity.WARNING for each in spoken)
    assert all("beyond the known design" in each.text for each in spoken)
    assert prediction.verdict is not Verdict.FITS


def test_a_multiplexer_that_is_switched_off_or_small_carries_nobody() -> None:
    scenario = on_one("ibm-x3650", servers(2))
    for change in ({"powered_on": False}, {"ram_gib": 1.0}):
        vms = tuple(
            replace(vm, **change) if vm.workload.kind is WorkloadKind.SAMETIME_MUX else vm
            for vm in scenario.vms
        )
        feasible = known_feasible(inputs_of(replace(scenario, vms=vms)))
        community = [vm.workload.kind is WorkloadKind.SAMETIME_COMMUNITY for vm in vms]
        assert not feasible[community].any()


def test_the_distance_to_the_known_design_is_said() -> None:
    vms = tuple(vm for vm in servers(1) if vm.workload.kind is WorkloadKind.SAMETIME_COMMUNITY)
    huge = tuple(replace(vm, workload=replace(vm.workload, active_users=2e6)) for vm in vms)
    (finding,) = found(predict(on_one("ibm-x3650", huge)), "sametime-no-data")
    assert "40.0 times those of a server of the known design" in finding.text


def test_chat_has_a_derating_of_its_own() -> None:
    mail = a_vm("m1", 1000.0)
    both = on_one("ibm-x3650", (mail, *servers(1, 1000.0)))
    for chat, users in ((None, 3000.0), (1.0, 1000.0), (4.0, 4000.0)):
        policy = Policy(benchmark_derating=3.0, benchmark_derating_chat=chat)
        inputs = inputs_of(replace(both, policy=policy))
        assert inputs.users.tolist() == [3000.0, users, users]

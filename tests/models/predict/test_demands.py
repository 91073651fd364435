"""What VMs ask for is worked out once for all that is asked of a scenario."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.physics.estimates import NoSources, Sources
from models.predict.demands import demands_of
from models.resilience.study import study_failures
from models.scenario.scenario import Scenario, Vm
from tests.models.worlds import KNOWLEDGE, a_host, a_scenario, a_vm, predict


def two_blocks() -> Scenario:
    hosts = a_host("h1"), a_host("h2")
    return a_scenario(hosts=hosts, vms=(a_vm("m1", 4000.0), a_vm("m2", 4000.0, host="h2")))


def test_edits_that_no_vm_feels_leave_them() -> None:
    scenario = two_blocks()
    before = demands_of(scenario, KNOWLEDGE)
    for after in (
        scenario,
        replace(scenario, policy=replace(scenario.policy, cpu_limit_pct=55.0)),
        replace(scenario, name="another", affinity=(), notes="more"),
    ):
        stage = demands_of(after, KNOWLEDGE)
        assert stage.cores is before.cores
        assert stage.places.figures is before.places.figures


@pytest.mark.parametrize("of", ["derating", "users", "host"])
def test_edits_that_vms_feel_do_not(of: str) -> None:
    scenario = two_blocks()
    before = demands_of(scenario, KNOWLEDGE)
    after = {
        "derating": replace(scenario, policy=replace(scenario.policy, benchmark_derating=2.0)),
        "users": scenario.edit(
            Vm, "m1", lambda vm: replace(vm, workload=replace(vm.workload, active_users=8000.0))
        ),
        "host": scenario.with_item(
            a_host("h1", server="intel-clovertown-whitebox", hypervisor="esx-3.0.1")
        ),
    }[of]
    stage = demands_of(after, KNOWLEDGE)
    assert stage.cores.value[0] != before.cores.value[0]


def test_nobody_writes_to_what_is_kept() -> None:
    stage = demands_of(two_blocks(), KNOWLEDGE)
    columns = stage.cores.ends, stage.io.ends, stage.network.ends, stage.ram_gib, stage.asked_ends
    places = stage.places.cores, stage.places.asked, stage.places.ram_gib
    hosts, pools = stage.on_hosts, stage.on_pools
    sums = hosts.sums.figures, hosts.busy.ends, hosts.traffic.ends, pools.ends, pools.evidence
    for column in (
        *columns,
        *places,
        *sums,
        stage.places.figures,
        stage.in_turn,
        stage.by_law.spread,
    ):
        with pytest.raises(ValueError, match="read-only"):
            column[:] = 0


def test_each_prediction_numbers_its_evidence_by_itself() -> None:
    scenario = two_blocks()
    demands_of(scenario, KNOWLEDGE).inputs.sources.code(("of somebody else",))
    study_failures(scenario, KNOWLEDGE)
    again = predict(scenario)
    assert ("of somebody else",) not in again.hosts.cpu_pct.sources
    fresh = predict(replace(scenario, vms=tuple(replace(vm) for vm in scenario.vms)))
    assert again.hosts.cpu_pct.sources == fresh.hosts.cpu_pct.sources


@pytest.mark.parametrize("sources", [Sources(), NoSources()])
def test_whoever_numbers_evidence_goes_on_doing_so(sources: Sources) -> None:
    stage = demands_of(two_blocks(), KNOWLEDGE, sources)
    assert stage.inputs.sources is sources
    assert stage.places.kinds[0].inputs.sources is sources

"""Edits of scenarios and projects return new values and keep every reference sound."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.base.errors import ModelError
from models.project.project import Project
from models.scenario.scenario import (
    Admission,
    Affinity,
    AffinityKind,
    Cluster,
    DiskMode,
    Host,
    Pool,
    Scenario,
    Vm,
    Workload,
)
from models.scenario.workloads import WorkloadKind
from tests.models.worlds import a_cluster_of


def a_host(id: str, cluster: str | None = "c1") -> Host:
    return Host(id=id, name=id, server="s", hypervisor="e", ram_gib=16, cluster=cluster)


def a_vm(id: str, host: str | None = "h1", partners: tuple[str, ...] = ()) -> Vm:
    return Vm(
        id=id,
        name=id,
        host=host,
        pool="p1",
        log_pool="p2",
        vcpus=2,
        ram_gib=8,
        disk_mode=DiskMode.VMFS,
        workload=Workload(kind=WorkloadKind.DOMINO_NRPC, release="7.0.2", active_users=10),
        cluster_partners=partners,
    )


def a_pool(id: str) -> Pool:
    return Pool(id=id, name=id, array="a", disk="d", spindles=8, raid="5")


@pytest.fixture
def scenario() -> Scenario:
    return Scenario(
        name="S",
        clusters=(Cluster(id="c1", name="Mail"),),
        hosts=(a_host("h1"), a_host("h2")),
        pools=(a_pool("p1"), a_pool("p2")),
        vms=(a_vm("m1", partners=("m2",)), a_vm("m2", "h2", ("m1",)), a_vm("m3", None)),
        affinity=(
            Affinity(id="r1", kind=AffinityKind.APART, vms=("m1", "m2")),
            Affinity(id="r2", kind=AffinityKind.MUST_RUN_ON, vms=("m1",), hosts=("h1",)),
        ),
    )


def test_placing_there_and_back_is_the_same_scenario(scenario: Scenario) -> None:
    assert scenario.place(["m1"], "h2").place(["m1"], "h1") == scenario
    assert scenario.place(["m1"], None).vms_on(None) == (
        replace(scenario.vm("m1"), host=None),
        scenario.vm("m3"),
    )


def test_disks_go_along_from_a_physical_server_to_a_hypervisor_and_back(
    scenario: Scenario,
) -> None:
    metal = replace(a_host("x"), hypervisor="none")
    at_home = scenario.with_item(metal).place(["m3"], "x")
    assert at_home.vm("m3").disk_mode is DiskMode.PHYSICAL
    moved = at_home.place(["m3"], "h1")
    assert moved.vm("m3").disk_mode is DiskMode.VMFS
    assert moved.place(["m3"], "x") == at_home
    assert moved.place(["m3"], None).vm("m3").disk_mode is DiskMode.VMFS


def test_placing_keeps_what_does_not_move(scenario: Scenario) -> None:
    moved = scenario.place(["m1"], "h2")
    assert moved.vm("m2") is scenario.vm("m2")


@pytest.mark.parametrize(("vms", "host"), [(["m9"], "h1"), (["m1"], "h9")])
def test_placing_what_is_not_there_is_refused(
    scenario: Scenario, vms: list[str], host: str
) -> None:
    with pytest.raises(ModelError, match="there is no"):
        scenario.place(vms, host)


def test_removing_a_host_leaves_its_vms_unplaced(scenario: Scenario) -> None:
    left = scenario.without(["h1"])
    assert left.vm("m1").host is None
    assert [rule.id for rule in left.affinity] == ["r1"]


def test_removing_a_failover_host_leaves_the_cluster_without_one(scenario: Scenario) -> None:
    led = Cluster(id="c1", name="Mail", admission=Admission(failover_host="h2"))
    assert scenario.with_item(led).without(["h2"]).cluster("c1").admission.failover_host is None


def test_the_next_failover_host_takes_the_place_of_a_removed_one(scenario: Scenario) -> None:
    both = Admission(failover_host="h1", more_failover_hosts=("h2",))
    assert both.failover_hosts == ("h1", "h2")
    led = scenario.with_item(Cluster(id="c1", name="Mail", admission=both)).without(["h1"])
    assert led.cluster("c1").admission == Admission(failover_host="h2")


def test_a_waiver_needs_a_reason_and_something_to_speak_of(scenario: Scenario) -> None:
    waived = scenario.waive("ft-single-vcpu", "m1", "Tested by us").waive("unplaced", "", "Later")
    assert [(w.rule, w.subject) for w in waived.waivers] == [
        ("ft-single-vcpu", "m1"),
        ("unplaced", ""),
    ]
    again = waived.waive("ft-single-vcpu", "m1", "Signed off")
    assert [w.reason for w in again.waivers] == ["Signed off", "Later"]
    assert again.without_waiver("ft-single-vcpu", "m1").waivers == again.waivers[1:]
    assert again.without(["m1"]).waivers == again.waivers[1:]
    for subject, reason in (("m1", "  "), ("m99", "why")):
        with pytest.raises(ModelError):
            scenario.waive("unplaced", subject, reason)


def test_removing_a_pool_a_cluster_and_a_vm_leaves_no_dangling_id(scenario: Scenario) -> None:
    left = scenario.without(["p1", "p2", "c1", "m2"])
    assert left.host("h1").cluster is None
    assert left.vm("m1").pool is None
    assert left.vm("m1").log_pool is None
    assert left.vm("m1").cluster_partners == ()
    assert left.affinity[0].vms == ("m1",)


def test_an_item_replaces_its_namesake_or_comes_last(scenario: Scenario) -> None:
    bigger = scenario.edit(Host, "h1", lambda host: replace(host, ram_gib=64))
    assert [host.ram_gib for host in bigger.hosts] == [64, 16]
    assert scenario.with_item(a_host("h3")).hosts[-1].id == "h3"


def test_a_fresh_id_is_new_to_all_kinds(scenario: Scenario) -> None:
    assert scenario.fresh_id("m") == "m4"
    assert scenario.fresh_id("c") == "c2"


def test_a_project_keeps_names_unique_and_remembers_the_parent(scenario: Scenario) -> None:
    project = Project.of(scenario).duplicated("s1")
    assert [entry.scenario.name for entry in project.entries] == ["S", "S 2"]
    assert project.entries[1].parent == "s1"
    assert project.active == "s2"


def test_removing_the_parent_and_baseline_leaves_neither(scenario: Scenario) -> None:
    project = Project.of(scenario).duplicated("s1").with_baseline("s1").removed("s1")
    assert project.baseline is None
    assert project.entries[0].parent is None
    assert project.active == "s2"


def test_the_last_scenario_stays(scenario: Scenario) -> None:
    with pytest.raises(ModelError, match="at least one"):
        Project.of(scenario).removed("s1")


def test_the_default_is_the_baseline_else_the_first(scenario: Scenario) -> None:
    project = Project.of(scenario).duplicated("s1")
    assert project.default_entry().id == "s1"
    assert project.with_baseline("s2").default_entry().id == "s2"
    assert project.default_entry("S 2").id == "s2"
    with pytest.raises(ModelError, match="called “X”"):
        project.default_entry("X")


@pytest.mark.parametrize("name", ["", "  ", "S"])
def test_an_empty_or_taken_name_is_refused(scenario: Scenario, name: str) -> None:
    with pytest.raises(ModelError):
        Project.of(scenario).duplicated("s1").renamed("s2", name)


def test_many_vms_are_placed_at_once_as_one_by_one() -> None:
    scenario = a_cluster_of(3, vms=6)
    hosts = [host.id for host in scenario.hosts]
    places = {vm.id: hosts[number % 3] for number, vm in enumerate(scenario.vms[1:])}
    expected = scenario
    for vm, host in places.items():
        expected = expected.place([vm], host)
    assert scenario.place_each(places) == expected
    assert scenario.place_each({}) == scenario

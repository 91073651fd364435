"""What answers put onto the board: one change, with what was measured, and said before."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.cli_advise import knowledge
from models.advise.advice import found_in
from models.advise.io import IoDiagnosis, IoTest
from models.advise.sametime import SametimePlan
from models.advise.topics import TOPICS
from models.advise.upgrade import Upgrade
from models.advise.users import UserCounts
from models.base.errors import ModelError
from models.scenario.inputs import origin_of, with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import Cluster, DiskMode, MeasuredOn, Scenario, Vm
from models.scenario.workloads import WorkloadKind
from models.tell.put import Effect, effect
from tests.models.worlds import a_host, a_scenario, a_vm


def put(
    topic: str, scenario: Scenario, subject: str = "", inputs: Any = None, **more: Any
) -> Effect:
    """The effect of what a scenario says to a topic, of one server, with other inputs."""
    if inputs is None:
        found = found_in(TOPICS[topic], scenario, knowledge())
        inputs = next(each for each in found if each.subject == subject).inputs
    return effect(TOPICS[topic], scenario, replace(inputs, **more), knowledge(), subject)


def physical(**more: Any) -> Scenario:
    """A mail server on a machine of its own, beside a host of VMs."""
    old = a_host("h1", server="r710", hypervisor="none")
    new = a_host("h2", server="r740-6148", hypervisor="vsphere-6.7")
    vm = a_vm("m1", 300.0, disk_mode=DiskMode.PHYSICAL, vcpus=2, **more)
    return a_scenario(hosts=(old, new), vms=(vm,))


def measured(scenario: Scenario, **more: Any) -> Scenario:
    """The same with a server as it was measured, of which nobody said where."""
    vm = scenario.vm("m1")
    work = replace(vm.workload, kind=WorkloadKind.DOMINO_OTHER, cpu_mhz=1500.0, iops=90.0, **more)
    there = with_origin(replace(vm, workload=work), Origin.MEASURED, "workload.cpu_mhz")
    return scenario.with_item(there)


def test_a_server_moves_to_the_new_host_and_the_old_one_stays() -> None:
    before = physical()
    found = put("migration", before, "m1", new_vcpus=4)
    vm = found.scenario.vm("m1")
    assert (vm.host, vm.disk_mode, vm.vcpus) == ("h2", DiskMode.VMFS, 4)
    assert vm.workload == before.vm("m1").workload
    assert len(found.scenario.hosts) == 2
    assert "disk path physical → VMFS" in found.told


def test_a_new_host_comes_where_there_is_none_like_it() -> None:
    found = put("migration", physical(), "m1", new_server="r760-6530")
    (new,) = found.scenario.hosts[2:]
    assert new.server == "r760-6530"
    assert found.scenario.vm("m1").host == new.id
    assert new.name in found.told


def test_what_was_measured_travels_with_where_it_was() -> None:
    scenario = measured(physical())
    found = put("candidates", scenario)
    (vm,) = found.scenario.vms
    assert (vm.id, vm.host, vm.disk_mode) == ("m1", None, DiskMode.VMFS), "no second one comes"
    assert (vm.workload.cpu_mhz, vm.workload.iops) == (1500.0, 90.0)
    assert vm.workload.measured_on == MeasuredOn(server="r710", hypervisor="none")
    assert origin_of(vm, "workload.cpu_mhz") is Origin.MEASURED
    assert origin_of(vm, "workload.measured_on.server") is Origin.AUTO


def test_a_path_and_a_larger_experiment_go_onto_the_board() -> None:
    vm = a_vm("m1", 4000.0, ram_gib=7.25, disk_mode=DiskMode.RDM)
    large = TOPICS["storage-path"].inputs(bed="clovertown/14.5gb", users=4000)
    bed = type(TOPICS["storage-path"].example.bed)(large.bed)
    found = put("storage-path", a_scenario(vms=(vm,)), "m1", bed=bed)
    there = found.scenario.vm("m1")
    assert (there.disk_mode, there.ram_gib) == (DiskMode.VMFS, 14.5)
    with pytest.raises(ModelError, match="the board has it already"):
        put("storage-path", found.scenario, "m1")


def two_hosts(*vms: Vm) -> Scenario:
    return a_scenario(hosts=(a_host("h1"), a_host("h2")), vms=vms)


def test_servers_become_partners_and_no_user_is_added() -> None:
    scenario = two_hosts(a_vm("m1", 300.0, host="h1"), a_vm("m2", 200.0, host="h2"))
    found = put("cluster", scenario, "m1").scenario
    assert [vm.cluster_partners for vm in found.vms] == [("m2",), ("m1",)]
    found = put("cluster", scenario, "m1", members=3).scenario
    standby = found.vms[2]
    assert standby.workload.active_users == 0.0
    assert standby.host is None, "both hosts have a member"
    assert {*standby.cluster_partners} == {"m1", "m2"}
    alone = put("cluster", two_hosts(a_vm("m1", 300.0, host="h1")), "m1").scenario
    assert alone.vms[1].host == "h2"


def test_copies_of_mail_files_stay_what_the_cluster_has() -> None:
    three = tuple(a_vm(f"m{n}", 300.0, host=f"h{n}") for n in (1, 2, 3))
    hosts = tuple(a_host(f"h{n}", cluster="c1") for n in (1, 2, 3))
    cluster = Cluster(id="c1", name="C1", replicas_per_user=3)
    scenario = a_scenario(clusters=(cluster,), hosts=hosts, vms=three)
    scenario = scenario.partnered("m1", ("m2", "m3")).partnered("m2", ("m1", "m3"))
    found = put("cluster", scenario, "m1", ram_gib=32.0)
    assert found.scenario.cluster("c1").replicas_per_user == 3
    (change,) = found.changes
    assert change.startswith("M1: RAM ")


def test_chat_servers_come_as_partners_with_their_share_of_the_people() -> None:
    scenario = two_hosts(a_vm("m1", 300.0))
    plan = SametimePlan(people=25_001.0, community_servers=2, multiplexers=1)
    found = put("sametime", scenario, inputs=plan).scenario
    kinds = [vm.workload.kind for vm in found.vms[1:]]
    community = [vm for vm in found.vms if vm.workload.kind is WorkloadKind.SAMETIME_COMMUNITY]
    assert kinds.count(WorkloadKind.SAMETIME_MUX) == 1
    assert [vm.workload.active_users for vm in community] == [12_501.0, 12_500.0]
    assert [vm.cluster_partners for vm in community] == [(community[1].id,), (community[0].id,)]
    assert {vm.host for vm in community} == {"h1", "h2"}
    fewer = put("sametime", found, inputs=replace(plan, community_servers=1)).scenario
    assert [vm.powered_on for vm in fewer.vms if vm.id in {each.id for each in community}] == [
        True,
        False,
    ]


def test_a_release_is_given_to_the_servers_of_the_old_one() -> None:
    scenario = two_hosts(a_vm("m1", 300.0), a_vm("m2", 300.0, release="12.0.2"))
    upgrade = Upgrade(from_release="8.5.1", to_release="14.0")
    found = put("upgrade", scenario, inputs=upgrade)
    assert [vm.workload.release for vm in found.scenario.vms] == ["14.0", "12.0.2"]
    with pytest.raises(ModelError) as error:
        put("upgrade", scenario, inputs=Upgrade(from_release="9.0", to_release="14.0"))
    assert error.value.field == "from_release"


def test_users_are_given_in_the_proportions_of_today() -> None:
    scenario = two_hosts(a_vm("m1", 100.0), a_vm("m2", 300.0))
    counts = UserCounts(active_users=1000.0, registered_users=2500.0)
    found = put("users", scenario, inputs=counts).scenario
    assert [vm.workload.active_users for vm in found.vms] == [250.0, 750.0]
    assert [vm.workload.registered_users for vm in found.vms] == [625.0, 1875.0]


def test_the_kernels_share_comes_with_the_cpu_that_was_measured_on_this_host() -> None:
    scenario = two_hosts(a_vm("m1", 300.0, vcpus=2))
    run = IoDiagnosis(test=IoTest.MAIL, esxtop_pct=40.0, planned_iops=120.0)
    found = put("io", scenario, "m1", inputs=run)
    work, host = found.scenario.vm("m1").workload, scenario.host("h1")
    clock = knowledge().catalog.servers[host.server].base_mhz
    assert work.cpu_mhz == pytest.approx(0.4 * 2 * (clock or 0.0))
    kept = put("io", measured(scenario), "m1", inputs=replace(run, planned_iops=None)).scenario
    assert kept.vm("m1").workload.iops == 90.0, "what was known of it stays"
    assert (work.iops, work.kind) == (120.0, WorkloadKind.DOMINO_OTHER)
    assert work.measured_on == MeasuredOn(server=host.server, hypervisor=host.hypervisor)
    assert origin_of(found.scenario.vm("m1"), "workload.cpu_mhz") is Origin.MEASURED
    with pytest.raises(ModelError) as error:
        put("io", scenario, "m1", inputs=replace(run, test=IoTest.COPY))
    assert error.value.field == "test"


@pytest.mark.parametrize("topic", ["storage-path", "io", "cluster"])
def test_an_answer_about_nobody_goes_nowhere(topic: str) -> None:
    run = IoDiagnosis(test=IoTest.MAIL, esxtop_pct=40.0)
    inputs = run if topic == "io" else TOPICS[topic].example
    with pytest.raises(ModelError, match="about no server"):
        put(topic, physical(), "", inputs=inputs)


def test_what_it_did_to_the_verdict_is_said() -> None:
    scenario = two_hosts(a_vm("m1", 300.0, host="h1"))
    more = UserCounts(active_users=100_000.0)
    found = put("users", scenario, inputs=more)
    assert found.was != found.now
    assert found.outcome.startswith("The verdict before: ")
    assert found.reason in found.outcome
    same = put("users", scenario, inputs=UserCounts(active_users=301.0))
    assert same.outcome.startswith("The verdict stays the same.")

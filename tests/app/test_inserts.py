"""What the catalog becomes on the board, and what it is called."""

from __future__ import annotations

import pytest

from app.inserts import Spot, plan
from app.mime import (
    CatalogItem,
    CatalogKind,
    VmClip,
    catalog_item,
    mime_of_catalog,
    mime_of_vms,
    vm_clip,
)
from app.moves import move_text
from models.check import check_scenario
from models.scenario.scenario import Scenario
from models.scenario.workloads import WorkloadKind
from resources.catalog_files import load_catalog
from tests.app import samples


@pytest.mark.parametrize("kind", list(WorkloadKind))
def test_every_workload_makes_a_vm_that_can_exist(kind: WorkloadKind) -> None:
    item = CatalogItem(CatalogKind.WORKLOAD, kind.value)
    planned = plan(Scenario(name="new"), load_catalog(), item, Spot())
    assert planned.scenario is not None
    check_scenario(planned.scenario, load_catalog())


def test_every_server_makes_a_host_that_can_exist() -> None:
    catalog = load_catalog()
    for id in catalog.servers:
        planned = plan(Scenario(name="new"), catalog, CatalogItem(CatalogKind.SERVER, id), Spot())
        assert planned.scenario is not None
        check_scenario(planned.scenario, catalog)
        assert planned.scenario.hosts[0].cluster == planned.scenario.clusters[0].id


def test_every_array_makes_a_pool_that_can_exist() -> None:
    catalog = load_catalog()
    for id in catalog.arrays:
        planned = plan(Scenario(name="new"), catalog, CatalogItem(CatalogKind.ARRAY, id), Spot())
        assert planned.scenario is not None
        check_scenario(planned.scenario, catalog)
        (pool,) = planned.scenario.pools
        assert catalog.arrays[id].takes(catalog.disks[pool.disk]), id


def test_a_host_is_like_the_last_of_its_model() -> None:
    item = CatalogItem(CatalogKind.SERVER, "nehalem-ept")
    planned = plan(samples.scenario(), load_catalog(), item, Spot(cluster="c1"))
    assert planned.scenario is not None
    added = planned.scenario.hosts[-1]
    assert (added.name, added.ram_gib, added.hypervisor) == ("esx4", 64.0, "vsphere-4.0")


def test_a_hypervisor_changes_a_cluster_at_once() -> None:
    item = CatalogItem(CatalogKind.HYPERVISOR, "vsphere-5.0")
    planned = plan(samples.scenario(), load_catalog(), item, Spot(cluster="c1"))
    assert planned.scenario is not None
    assert {host.hypervisor for host in planned.scenario.hosts} == {"vsphere-5.0"}
    assert planned.text.startswith("Run Mail on ")


def test_bare_metal_is_refused_where_several_vms_stand() -> None:
    item = CatalogItem(CatalogKind.HYPERVISOR, "none")
    planned = plan(samples.scenario(), load_catalog(), item, Spot(host="h1"))
    assert planned.scenario is None
    assert planned.reason == "A physical server runs one operating system"


def test_the_first_pool_serves_vms_that_had_none() -> None:
    bare = samples.scenario().without(["p1", "p2"])
    item = CatalogItem(CatalogKind.ARRAY, "ibm-ds4800")
    planned = plan(bare, load_catalog(), item, Spot())
    assert planned.scenario is not None
    assert {vm.pool for vm in planned.scenario.vms} == {planned.subject}


def test_mime_round_trip() -> None:
    item = CatalogItem(CatalogKind.ARRAY, "ibm-ds4800")
    clip = VmClip(("m1", "m2"), True, ("token", "s1"))
    assert catalog_item(mime_of_catalog(item)) == item
    data = mime_of_vms(clip, "Mail-01\nMail-02")
    assert vm_clip(data) == clip
    assert data.text() == "Mail-01\nMail-02"
    assert catalog_item(data) is None
    assert vm_clip(mime_of_catalog(item)) is None


def test_moves_have_one_wording() -> None:
    scenario = samples.scenario()
    assert move_text(scenario, ["m2"], "h3") == "Move Mail-02 to esx3"
    assert move_text(scenario, ["m1", "m2", "m3"], "h3") == "Move 3 VMs to esx3"
    assert move_text(scenario, ["m2"], None) == "Take Mail-02 off its host"
    assert move_text(scenario, ["m1", "m2"], None) == "Take 2 VMs off their hosts"

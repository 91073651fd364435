"""Sites, and which hosts see which pools: one rule for moves, restarts, arranging and verdicts."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from db.codec import scenario_from_json, scenario_to_json
from models.arrange.plan import arrange
from models.base.errors import ModelError
from models.catalog.placement import reason_against
from models.check import check_structure
from models.evaluate import evaluate
from models.predict.prediction import Verdict
from models.scenario.places import Across, Places, site_of, with_site
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Cluster,
    DataCenter,
    DiskMode,
    Host,
    Pool,
    Scenario,
    Vm,
    Workload,
)
from models.scenario.workloads import WorkloadKind
from resources.catalog_files import load_catalog
from tests.models.worlds import KNOWLEDGE

CATALOG = load_catalog()


def vm(id: str, host: str | None, pool: str, *, mhz: float = 900.0) -> Vm:
    work = Workload(kind=WorkloadKind.GENERIC, cpu_mhz=mhz, iops=20, memory_gib=3, disk_gib=20)
    return Vm(
        id=id,
        name=id,
        host=host,
        pool=pool,
        vcpus=2,
        ram_gib=4,
        disk_mode=DiskMode.VMFS,
        workload=work,
    )


def two_sites(hosts: int = 2, vms: int = 4) -> Scenario:
    """Two sites with a cluster and a pool each."""
    halves = ("a", "b")
    return Scenario(
        name="two sites",
        sites=tuple(DataCenter(id=f"s{half}", name=half.upper()) for half in halves),
        clusters=tuple(
            Cluster(
                id=f"c{half}",
                name=half,
                site=f"s{half}",
                admission=Admission(policy=AdmissionPolicy.HOST_FAILURES, host_failures=1),
            )
            for half in halves
        ),
        hosts=tuple(
            Host(
                id=f"{half}{at}",
                name=f"{half}{at}",
                server="r740-6148",
                hypervisor="vsphere-7.0",
                ram_gib=64,
                cluster=f"c{half}",
            )
            for half in halves
            for at in range(hosts)
        ),
        pools=tuple(
            Pool(
                id=f"p{half}",
                name=f"pool {half}",
                array="gen-afa-mid",
                disk="nvme",
                spindles=24,
                raid="6",
                hosts=tuple(f"{half}{at}" for at in range(hosts)),
            )
            for half in halves
        ),
        vms=tuple(
            vm(f"v{half}{at}", f"{half}{at % hosts}", f"p{half}")
            for half in halves
            for at in range(vms)
        ),
    )


def test_a_scenario_with_sites_survives_its_file() -> None:
    scenario = two_sites()
    again = scenario_from_json(scenario_to_json(scenario), name="x")
    assert (again.sites, again.clusters, again.pools) == (
        scenario.sites,
        scenario.clusters,
        scenario.pools,
    )
    assert site_of(scenario, scenario.host("a0")) == "sa"


def test_a_site_that_isn_t_there_is_refused() -> None:
    scenario = two_sites()
    odd = replace(
        scenario, clusters=(replace(scenario.clusters[0], site="x"), scenario.clusters[1])
    )
    with pytest.raises(ModelError, match="no site"):
        check_structure(odd)
    known = scenario.with_item(replace(scenario.clusters[0], site="x"))
    assert [site.id for site in known.sites] == ["sa", "sb", "x"]


def test_a_move_needs_a_host_that_sees_the_disks() -> None:
    scenario = two_sites()
    assert reason_against(scenario, CATALOG, ["va0"], "a1") is None
    reason = reason_against(scenario, CATALOG, ["va0"], "b0")
    assert str(reason) == "b0 does not see pool a, where va0 has its disks"


def test_a_vm_where_its_disks_are_not_seen_does_not_run() -> None:
    scenario = two_sites()
    assert evaluate(scenario, KNOWLEDGE).verdict is Verdict.FITS
    lost = scenario.place(["va0"], "b0")
    found = evaluate(lost, KNOWLEDGE)
    assert found.verdict is Verdict.DOES_NOT_FIT
    assert [each.subject for each in found.findings if each.rule == "pool-not-seen"] == ["va0"]


def test_a_restart_needs_a_host_that_sees_the_disks() -> None:
    """Of three hosts one sees the pool alone: whoever runs there stays down with it."""
    scenario = two_sites(hosts=3)
    narrow = replace(scenario.pool("pa"), hosts=("a0",))
    vms = tuple(replace(each, host="a0") if each.pool == "pa" else each for each in scenario.vms)
    odd = replace(scenario, pools=(narrow, scenario.pool("pb")), vms=vms)
    found = evaluate(odd, KNOWLEDGE)
    modes = {failure.mode.subject: failure for failure in found.failures}
    assert modes["b0"].verdict is Verdict.FITS
    assert modes["a0"].verdict is not Verdict.FITS
    assert found.verdict is not Verdict.FITS


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("across", Across)
def test_no_move_crosses_what_was_not_asked_for(seed: int, across: Across) -> None:
    chance = random.Random(seed)
    scenario = two_sites(hosts=3, vms=6)
    crowded = tuple(
        replace(each, host=each.host[0] + "0" if each.host else None, workload=each.workload)
        if chance.random() < 0.7
        else replace(each, host=None)
        for each in scenario.vms
    )
    pools = tuple(
        replace(pool, hosts=() if chance.random() < 0.3 else pool.hosts) for pool in scenario.pools
    )
    scenario = replace(scenario, vms=crowded, pools=pools)
    plan = arrange(scenario, KNOWLEDGE, seconds=0.05, clock=lambda: 0.0, across=across)
    places, before = Places.of(scenario), {each.id: each for each in scenario.vms}
    for after in plan.scenario.vms:
        if after.host is not None:
            assert places.may_go(before[after.id], after.host, across)


def test_a_site_is_found_by_its_name_and_made_where_there_is_none() -> None:
    plain = Scenario(
        name="x",
        sites=(DataCenter(id="dc-1", name="North"),),
        clusters=(Cluster(id="c1", name="C1"),),
    )
    there = with_site(plain, plain.clusters[0], "NORTH")
    assert (there.clusters[0].site, len(there.sites)) == ("dc-1", 1)
    new = with_site(there, there.clusters[0], "South")
    assert [site.name for site in new.sites] == ["North", "South"]
    assert new.clusters[0].site == new.sites[1].id
    assert with_site(new, new.clusters[0], None).clusters[0].site is None
    unlisted = replace(plain, sites=())
    assert with_site(unlisted, unlisted.clusters[0], "South").sites == ()

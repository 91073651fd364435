"""A first design fits, trips no rule of its own, and nothing smaller does the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.calibrated import shipped_calibration
from models.catalog import Role
from models.check import check_scenario
from models.errors import ModelError
from models.evaluate import evaluate
from models.first_design import FirstDesign, Layout, Totals, first_design, laid_out, objections
from models.inputs import origin_of
from models.origin import Origin
from models.prediction import Severity, Verdict
from models.scenario import PRODUCTION, LoadBasis, Policy, Posture, Scenario
from models.workloads import WorkloadKind
from resources.catalog_files import load_catalog

CATALOG, CALIBRATION = load_catalog(), shipped_calibration()
NEHALEM = Totals(
    users=10_000,
    server="nehalem-ept",
    hypervisor="vsphere-4.0",
    host_ram_gib=64,
    array="netapp-fas3020",
    disk="fc-15k-144gb",
    raid="dp",
    vm_ram_gib=8.0,
    vcpus=2,
    policy=Policy(),
)
"""By the documents' method, so that every branch is near."""
TODAY = replace(
    NEHALEM,
    server="xeon6-6730p",
    hypervisor="vsphere-8.0",
    host_ram_gib=512,
    array="pure-x50r3",
    disk="nvme",
    raid="6",
)


def designed(totals: Totals) -> FirstDesign:
    return first_design(totals, CATALOG, CALIBRATION)


def layout_of(scenario: Scenario) -> Layout:
    pools = scenario.pools
    return Layout(len(scenario.vms), len(pools), pools[0].spindles, len(scenario.hosts))


def fits(scenario: Scenario) -> bool:
    return not list(objections(evaluate(scenario, CATALOG, CALIBRATION)))


estates = st.builds(
    replace,
    st.sampled_from([NEHALEM, TODAY]),
    users=st.integers(1, 30_000),
    active_pct=st.floats(20, 100),
    growth_pct=st.sampled_from([0.0, 10.0, 33.3, 100.0]),
    mail_file_mb=st.floats(10, 1000),
    mail_growth_pct=st.sampled_from([0.0, 50.0]),
    kind=st.sampled_from([WorkloadKind.DOMINO_NRPC, WorkloadKind.DOMINO_INOTES]),
    vm_ram_gib=st.sampled_from([4.0, 8.0, 16.0]),
    vcpus=st.sampled_from([2, 4]),
)


@settings(max_examples=20)
@given(estates)
def test_what_is_laid_out_trips_no_rule_of_its_own(totals: Totals) -> None:
    design = designed(totals)
    prediction = evaluate(design.scenario, CATALOG, CALIBRATION)
    check_scenario(design.scenario, CATALOG)
    published = totals.kind is WorkloadKind.DOMINO_NRPC
    fits = Verdict.FITS if published else Verdict.NOT_KNOWN
    assert prediction.verdict is fits
    assert published or prediction.by_resource["response"] is Verdict.NOT_KNOWN
    assert {f.rule for f in prediction.findings if f.severity is not Severity.ADVICE} == set()
    verdicts = {mode.verdict for mode in prediction.failures}
    assert verdicts <= {fits, None}  # None: nothing stands on that host
    assert len(design.scenario.hosts) >= 2


@settings(max_examples=10)
@given(estates)
def test_users_are_whole_and_add_up_to_the_grown_total(totals: Totals) -> None:
    loads = [vm.workload for vm in designed(totals).scenario.vms]
    owners = [load.registered_users or 0 for load in loads]
    active = [load.active_users for load in loads]
    exact = totals.users * (1 + totals.growth_pct / 100)
    assert sum(owners) == totals.grown_users
    assert exact - 1e-6 <= sum(owners) < exact + 1
    assert max(owners) - min(owners) <= 1
    assert all(value == int(value) for value in owners + active)
    assert sum(owners) * totals.active_pct / 100 <= sum(active) + 1e-6


@settings(max_examples=10)
@given(estates)
def test_one_host_or_one_drive_less_does_not_fit(totals: Totals) -> None:
    found = layout_of(designed(totals).scenario)
    if found.hosts > 2:
        assert not fits(laid_out(totals, replace(found, hosts=found.hosts - 1)))
    if found.drives_each > 1:
        fewer = replace(found, drives_each=found.drives_each - 1, hosts=0)
        assert not fits(laid_out(totals, fewer))


def test_one_vm_less_does_not_fit() -> None:
    design = designed(NEHALEM)
    found = layout_of(design.scenario)
    assert found.vms > 1
    fewer = Layout(found.vms - 1, found.vms - 1, 84)
    assert NEHALEM.benchmark_users > fewer.vms * 4000 or not fits(laid_out(NEHALEM, fewer))


def test_no_vm_has_more_benchmark_users_than_the_building_block() -> None:
    totals = replace(TODAY, users=14_400, active_pct=40.0)
    vms = designed(totals).scenario.vms
    assert len(vms) >= 3
    assert max(vm.workload.active_users for vm in vms) * totals.policy.derating.mail <= 4000


def test_whole_users_take_no_vm_beyond_the_building_block() -> None:
    """A third of 40,000 owners is a part of one too many for three VMs."""
    totals = replace(
        NEHALEM,
        users=40_000,
        active_pct=30.0,
        policy=Policy(benchmark_derating=1.0),
        mail_file_mb=1.0,
    )
    vms = designed(totals).scenario.vms
    assert len(vms) == 4
    assert max(vm.workload.active_users for vm in vms) <= 4000.0


def test_growth_needs_no_less() -> None:
    now, later = designed(NEHALEM), designed(replace(NEHALEM, growth_pct=100))
    assert len(later.scenario.vms) > len(now.scenario.vms)
    assert later.drives > now.drives
    assert "20,000 after 100 % growth" in later.scenario.notes


def test_a_hundredth_of_a_growth_makes_no_user_out_of_nothing() -> None:
    totals = replace(NEHALEM, users=1000, growth_pct=10)
    assert totals.grown_users == 1100  # 1000 * 1.1 is 1100.0000000000002
    assert replace(totals, users=1, growth_pct=0).grown_users == 1
    assert replace(totals, users=1, growth_pct=1).grown_users == 2


def test_more_drives_than_an_array_takes_become_several_pools() -> None:
    design = designed(replace(NEHALEM, users=50_000))
    most = CATALOG.arrays["netapp-fas3020"].max_drives
    assert most is not None
    assert len(design.scenario.pools) > 1
    assert all(pool.spindles <= most for pool in design.scenario.pools)


def test_every_server_for_sale_gives_a_design_or_a_reason() -> None:
    for server in CATALOG.servers.values():
        if server.role is not Role.PURCHASE:
            continue
        ram = min(64.0, server.max_ram_gib or 64.0)
        totals = replace(NEHALEM, users=3000, server=server.id, host_ram_gib=ram)
        assert ends_well(totals), server.id


def ends_well(totals: Totals) -> bool:
    try:
        return designed(totals).prediction.verdict is Verdict.FITS
    except ModelError as error:
        return ": " in error.reason


IMPOSSIBLE: list[tuple[str, dict[str, Any]]] = [
    ("users", {"users": 0}),
    ("users", {"users": 10**9}),
    ("active_pct", {"active_pct": 0.0}),
    ("growth_pct", {"growth_pct": float("nan")}),
    ("mail_file_mb", {"mail_file_mb": -1.0}),
    ("vcpus", {"vcpus": 0}),
    ("vm_ram_gib", {"vm_ram_gib": 0.0}),
    ("host_ram_gib", {"host_ram_gib": float("inf")}),
    ("kind", {"kind": WorkloadKind.SAMETIME_MUX}),
    ("array", {"array": "no such array"}),
    ("disk", {"disk": "no such disk"}),
]


@pytest.mark.parametrize(("field", "change"), IMPOSSIBLE)
def test_impossible_totals_are_refused_by_name(field: str, change: dict[str, Any]) -> None:
    with pytest.raises(ModelError) as refused:
        designed(replace(NEHALEM, **change))
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"server": "compaq-7000"}, "No SPEC rate is known"),
        ({"vm_ram_gib": 128.0}, "GiB of RAM"),
        ({"vcpus": 16}, "grants 8"),
        ({"raid": "10"}, "does not offer"),
        ({"users": 4_000_000}, "no number of drives fits"),
    ],
)
def test_what_does_not_fit_is_said_with_what_is_in_the_way(
    change: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ModelError, match=reason):
        designed(replace(NEHALEM, **change))


def test_what_the_search_chose_is_marked_so() -> None:
    scenario = designed(NEHALEM).scenario
    vm, host, pool = scenario.vms[0], scenario.hosts[0], scenario.pools[0]
    assert origin_of(pool, "spindles") is Origin.AUTO
    assert origin_of(vm, "host") is Origin.AUTO
    assert origin_of(host, "server") is Origin.MANUAL
    assert origin_of(vm, "workload.active_users") is Origin.MANUAL
    assert origin_of(vm, "lun") is Origin.DEFAULT
    assert origin_of(pool, "disk") is Origin.AUTO


def test_what_nobody_entered_is_no_figure_of_theirs() -> None:
    usual = replace(NEHALEM, vcpus=4, vm_ram_gib=16.0)
    asked = designed(replace(usual, mail_file_mb=200.0)).scenario.vms[0]
    assert origin_of(asked, "vcpus") is Origin.DEFAULT
    assert origin_of(asked, "workload.release") is Origin.DEFAULT
    assert origin_of(asked, "workload.mail_file_mb") is Origin.MANUAL


def test_totals_that_need_more_vms_than_are_laid_out_are_refused() -> None:
    with pytest.raises(ModelError) as caught:
        designed(replace(TODAY, users=10_000_000))
    assert caught.value.field == "users"
    assert str(caught.value.reason).startswith("5,000 VMs of 4,000 benchmark users")


def test_a_design_begins_with_production_and_the_usual_posture() -> None:
    """More servers than the benchmark asks for, each of a fourth of its users at most."""
    today = replace(TODAY, vcpus=4, vm_ram_gib=16.0, active_pct=35.0)
    produced = designed(replace(today, policy=PRODUCTION)).scenario
    assert produced.policy.load_basis is LoadBasis.PRODUCTION
    assert produced.policy.posture is Posture.STANDARD
    assert Totals.__dataclass_fields__["policy"].default is PRODUCTION
    assert len(produced.vms) > len(designed(today).scenario.vms)
    assert max(vm.workload.active_users for vm in produced.vms) <= 1000.0

"""A first design is the first option for its totals: it fits, trips no rule, and says who chose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.calibrated import shipped_knowledge
from models.base.errors import ModelError
from models.check import check_scenario
from models.evaluate import evaluate
from models.options.option import Option
from models.options.search import find_options
from models.options.totals import OPTIONS_KEPT, Totals, first_design, requirement_of
from models.predict.prediction import Severity, Verdict
from models.scenario.growth import grown
from models.scenario.inputs import origin_of
from models.scenario.origin import Origin
from models.scenario.scenario import LoadBasis, Policy, Posture
from models.scenario.workloads import WorkloadKind

KNOWLEDGE = shipped_knowledge()
CATALOG = KNOWLEDGE.catalog
TODAY = Totals(users=10_000, server="xeon6-6730p", array="pure-x50r3")
NEHALEM = Totals(users=3_000, server="nehalem-ept", array="netapp-fas3020", policy=Policy())
"""By the documents' method."""


def designed(totals: Totals) -> Option:
    return first_design(totals, KNOWLEDGE)


estates = st.builds(
    replace,
    st.sampled_from([NEHALEM, TODAY]),
    users=st.integers(1, 8_000),
    active_pct=st.floats(20, 100),
    growth_pct=st.sampled_from([0.0, 10.0]),
    years=st.sampled_from([0.0, 3.0]),
    mail_file_mb=st.floats(10, 500),
    kind=st.sampled_from([WorkloadKind.DOMINO_NRPC, WorkloadKind.DOMINO_INOTES]),
    host_failures=st.sampled_from([0, 1, 2]),
)


@settings(max_examples=8, deadline=None)
@given(estates)
def test_what_is_laid_out_fits_to_its_end_and_trips_no_rule(totals: Totals) -> None:
    scenario = designed(totals).scenario
    check_scenario(scenario, CATALOG)
    published = totals.kind is WorkloadKind.DOMINO_NRPC
    for years in (0.0, totals.years):
        prediction = evaluate(grown(scenario, years), KNOWLEDGE)
        assert prediction.verdict is (Verdict.FITS if published else Verdict.NOT_KNOWN)
        assert published or prediction.by_resource["response"] is Verdict.NOT_KNOWN
        assert {f.rule for f in prediction.findings if f.severity is not Severity.ADVICE} == set()
    admission = scenario.clusters[0].admission
    assert (admission.host_failures if admission.reserves else 0) == totals.host_failures


@settings(max_examples=8, deadline=None)
@given(estates)
def test_users_are_whole_and_add_up(totals: Totals) -> None:
    loads = [vm.workload for vm in designed(totals).scenario.vms]
    owners = [load.registered_users or 0 for load in loads]
    active = [load.active_users for load in loads]
    assert sum(owners) == totals.users
    assert max(owners) - min(owners) <= 1
    assert all(value == int(value) for value in owners + active)
    assert totals.users * totals.active_pct / 100 <= sum(active) + 1e-6


def test_it_is_the_option_of_least_units() -> None:
    found = find_options(requirement_of(TODAY, CATALOG), KNOWLEDGE, keep=OPTIONS_KEPT)
    design = designed(TODAY)
    assert design.units == min(each.units for each in found.options)
    assert design.drives == found.options[0].drives


def test_no_vm_has_more_benchmark_users_than_the_building_block() -> None:
    totals = replace(TODAY, users=14_400, active_pct=40.0)
    vms = designed(totals).scenario.vms
    assert max(vm.workload.active_users for vm in vms) * totals.policy.derating.mail <= 4000


def test_growth_needs_no_less() -> None:
    later = designed(replace(TODAY, growth_pct=20.0, years=3.0))
    assert len(later.scenario.vms) > len(designed(TODAY).scenario.vms)
    assert "20 % more each year for 3 years" in later.scenario.notes
    assert later.scenario.growth.users_pct == 20.0


def test_more_than_an_array_carries_becomes_several_pools() -> None:
    design = designed(replace(NEHALEM, users=50_000, release="8.5.1"))
    most = CATALOG.arrays["netapp-fas3020"].max_drives
    assert most is not None
    assert len(design.scenario.pools) > 1
    assert all(pool.spindles <= most for pool in design.scenario.pools)


def test_more_hosts_than_a_handful_are_found() -> None:
    """Old machines carry so little of production that ten are not enough."""
    design = designed(replace(NEHALEM, users=10_000, policy=TODAY.policy))
    assert design.hosts > 10


def test_what_is_settled_stays_settled() -> None:
    asked = replace(TODAY, vms=20, vm_ram_gib=16.0, host_ram_gib=512.0, disk="nvme", release="14.0")
    of_2021 = replace(asked, server="r750-6338", hypervisor="vsphere-7.0")
    scenario = designed(of_2021).scenario
    assert len(scenario.vms) == 20
    assert {vm.ram_gib for vm in scenario.vms} == {16.0}
    assert {vm.workload.release for vm in scenario.vms} == {"14.0"}
    assert {(h.ram_gib, h.hypervisor) for h in scenario.hosts} == {(512.0, "vsphere-7.0")}
    assert {pool.disk for pool in scenario.pools} == {"nvme"}


def test_the_hypervisor_is_of_the_machines_time() -> None:
    assert designed(replace(NEHALEM, users=500)).scenario.hosts[0].hypervisor == "vsphere-5.0"
    assert designed(TODAY).scenario.hosts[0].hypervisor == "vsphere-8.0"


IMPOSSIBLE: list[tuple[str, dict[str, Any]]] = [
    ("users", {"users": 0}),
    ("users", {"users": 10**9}),
    ("users", {"users": 10_000_000}),
    ("active_pct", {"active_pct": 0.0}),
    ("growth_pct", {"growth_pct": float("nan")}),
    ("mail_file_mb", {"mail_file_mb": -1.0}),
    ("vms", {"vms": 0}),
    ("vm_ram_gib", {"vm_ram_gib": 0.0}),
    ("host_ram_gib", {"host_ram_gib": float("inf")}),
    ("host_failures", {"host_failures": 99}),
    ("kind", {"kind": WorkloadKind.SAMETIME_MUX}),
    ("array", {"array": "no such array"}),
    ("server", {"server": "no such server"}),
    ("disk", {"disk": "no such disk"}),
    ("hypervisor", {"hypervisor": "no such release"}),
]


@pytest.mark.parametrize(("field", "change"), IMPOSSIBLE)
def test_impossible_totals_are_refused_by_name(field: str, change: dict[str, Any]) -> None:
    with pytest.raises(ModelError) as refused:
        designed(replace(TODAY, **change))
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"server": "compaq-7000"}, "No SPEC rate is known"),
        ({"users": 1_500_000}, "no design fits"),
        ({"vms": 1}, "no design fits"),
    ],
)
def test_what_does_not_fit_is_said_with_what_is_in_the_way(
    change: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ModelError, match=reason):
        designed(replace(TODAY, **change))


def test_what_the_search_chose_is_marked_so() -> None:
    scenario = designed(TODAY).scenario
    vm, host, pool = scenario.vms[0], scenario.hosts[0], scenario.pools[0]
    assert origin_of(pool, "spindles") is Origin.AUTO
    assert origin_of(vm, "host") is Origin.AUTO
    assert origin_of(host, "server") is Origin.MANUAL
    assert origin_of(vm, "workload.active_users") is Origin.MANUAL
    assert origin_of(vm, "lun") is Origin.DEFAULT
    assert origin_of(pool, "disk") is Origin.AUTO
    assert origin_of(vm, "workload.release") is Origin.DEFAULT
    asked = designed(replace(TODAY, mail_file_mb=200.0)).scenario.vms[0]
    assert origin_of(asked, "workload.mail_file_mb") is Origin.MANUAL


def test_a_design_begins_with_production_and_the_usual_posture() -> None:
    policy = designed(TODAY).scenario.policy
    assert policy.load_basis is LoadBasis.PRODUCTION
    assert policy.posture is Posture.STANDARD

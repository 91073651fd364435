"""Designs for a customer's whole site: as small as they can be, and said to be no more."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest

from db.requirement import options_to_json
from models.evaluate import evaluate
from models.options.design import admission_of, design_of
from models.options.judging import fits, objection
from models.options.option import (
    FEWEST_HOSTS,
    LEAST_UNITS,
    MOST_HEADROOM,
    Option,
    Options,
    headroom_of,
    least_of,
)
from models.options.purchasable import hypervisor_for
from models.options.requirement import Requirement
from models.options.search import find_options
from models.options.shrink import RAM_SIZES
from models.scenario.growth import grown
from models.scenario.scenario import AdmissionPolicy, Scenario
from models.tell.options import option_sections, requirement_of
from tests.models.customer_site import GIB, customer_site
from tests.models.worlds import CATALOG, KNOWLEDGE

SERVERS, ARRAYS = ("dl380g10p", "xeon6-6730p"), ("gen-afa-mid",)


def wanted(scenario: Scenario | None = None) -> Requirement:
    asked = requirement_of(scenario or customer_site(), "Site")
    return replace(asked, servers=SERVERS, arrays=ARRAYS)


@cache
def found() -> Options:
    return find_options(wanted(), KNOWLEDGE, keep=5)


def holds(scenario: Scenario) -> bool:
    """Whether it fits and no rule has an error or a warning, today and at the end."""
    moments = (scenario, grown(scenario, scenario.growth.years))
    there = [evaluate(each, KNOWLEDGE) for each in moments]
    return all(fits(each) and objection(each) is None for each in there)


def test_two_reservations_make_no_site_of_sixteen_hosts_of_four_tebibytes() -> None:
    for name in (FEWEST_HOSTS, LEAST_UNITS):
        option = found().named(name)
        assert option is not None
        assert option.hosts <= 8
        assert option.hosts * option.stand.ram_gib <= 4 * GIB
        assert holds(option.scenario)
        admission = option.scenario.clusters[0].admission
        assert admission.policy is AdmissionPolicy.PERCENTAGE
        assert admission.cpu_pct == pytest.approx(100.0 / option.hosts)


def smaller(option: Option) -> list[tuple[str, Scenario]]:
    """The option with one host less, the next smaller memory, and one drive less."""
    stand, disks = option.stand, option.disks
    asked = wanted()
    less = [each for each in RAM_SIZES if each < stand.ram_gib][-1]
    return [
        ("hosts", design_of(asked, replace(stand, hosts=stand.hosts - 1), disks)),
        ("ram_gib", design_of(asked, replace(stand, ram_gib=less), disks)),
        ("drives", design_of(asked, stand, replace(disks, each=disks.each - 1))),
    ]


@pytest.mark.parametrize("name", [FEWEST_HOSTS, LEAST_UNITS])
def test_one_less_of_anything_breaks_the_rule_that_is_said(name: str) -> None:
    option = found().named(name)
    assert option is not None
    assert option.holds is not None
    for what, scenario in smaller(option):
        assert not holds(scenario), what
        assert getattr(option.holds, what), what


def test_the_most_headroom_is_held_by_its_headroom() -> None:
    option = found().named(MOST_HEADROOM)
    assert option is not None
    for what, scenario in smaller(option):
        end = evaluate(grown(scenario, scenario.growth.years), KNOWLEDGE)
        left = least_of(headroom_of(end, scenario))
        assert not holds(scenario) or left < option.least_headroom, what


def test_no_other_option_beats_a_named_one() -> None:
    options = found().options
    fewest, least = found().named(FEWEST_HOSTS), found().named(LEAST_UNITS)
    assert fewest is not None
    assert least is not None
    for each in options:
        assert (each.hosts, each.units) >= (fewest.hosts, fewest.units)
        assert each.units >= least.units


def test_what_holds_it_is_told_everywhere() -> None:
    option = found().named(LEAST_UNITS)
    assert option is not None
    assert option.holds is not None
    told = options_to_json(found())["options"][0]
    assert told["holds"]["hosts"] == option.holds.hosts
    assert told["evaluated"] == "fits"
    assert "What holds it" in repr(option_sections(found(), CATALOG))


def test_slots_that_are_asked_for_say_what_makes_them() -> None:
    asked = replace(wanted(), admission=AdmissionPolicy.HOST_FAILURES, max_hosts=8)
    options = find_options(asked, KNOWLEDGE, keep=1)
    assert not options.options
    assert any(
        "2 reservations of 8,000 MHz make the slot" in each.reason for each in options.refused
    )


@pytest.mark.parametrize("hypervisor", ["vsphere-6.0", "vsphere-6.5", "vsphere-8.0"])
@pytest.mark.parametrize("failures", [0, 1, 2])
def test_shares_are_the_default_since_vsphere_6_5(hypervisor: str, failures: int) -> None:
    option = found().options[0]
    release = hypervisor_for(CATALOG.servers[option.server], CATALOG, hypervisor)
    stand = replace(option.stand, hypervisor=release)
    admission = admission_of(replace(wanted(), host_failures=failures), stand)
    by_share = release.version >= (6, 5, 0)
    expected = AdmissionPolicy.PERCENTAGE if by_share else AdmissionPolicy.HOST_FAILURES
    assert admission.policy is (expected if failures else AdmissionPolicy.NONE)
    if failures:
        assert admission.host_failures == failures


def test_hosts_that_stand_by_are_empty() -> None:
    asked = replace(wanted(), admission=AdmissionPolicy.DEDICATED)
    option = find_options(asked, KNOWLEDGE, keep=1).options[0]
    (by,) = option.scenario.clusters[0].admission.failover_hosts
    assert by == option.scenario.hosts[-1].id
    assert all(vm.host != by for vm in option.scenario.vms)
    assert holds(option.scenario)


@pytest.mark.parametrize(
    ("field", "way_out"), [("cpu_mhz", "--assume-cpu"), ("iops", "--assume-iops")]
)
def test_what_nobody_measured_is_said_before_anything_is_looked_at(
    field: str, way_out: str
) -> None:
    site = customer_site()
    change: dict[str, Any] = {field: None}
    silent = tuple(
        replace(vm, workload=replace(vm.workload, **change)) if place % 2 else vm
        for place, vm in enumerate(site.vms)
    )

    def check() -> None:
        pytest.fail("the search began")

    asked = wanted(replace(site, vms=silent))
    options = find_options(asked, KNOWLEDGE, check=check)
    assert options.considered == 0
    told = repr(option_sections(options, CATALOG))
    assert "129 VMs" in told
    assert way_out in told
    assert options_to_json(options)["not_known"] == {field.partition("_")[0]: 129}


def test_large_vms_are_spread_rather_than_dealt_in_turn() -> None:
    option = found().options[0]
    total = {host.id: 0.0 for host in option.scenario.hosts}
    for vm in option.scenario.vms:
        total[vm.host or ""] += vm.ram_gib
    assert max(total.values()) < 1.1 * min(total.values())
    assert len(total) == option.hosts


def test_domino_partners_stand_apart_whatever_their_sizes() -> None:
    site = customer_site(vms=24)
    pairs = [(site.vms[n].id, site.vms[n + 1].id) for n in range(0, 24, 2)]
    partner = dict(pairs) | {other: one for one, other in pairs}
    vms = tuple(replace(vm, cluster_partners=(partner[vm.id],)) for vm in site.vms)
    asked = wanted(replace(site, vms=vms))
    option = found().options[0]
    for hosts, ram_gib in product((2, 3, 5), (512.0,)):
        plan = replace(option.stand.plan, vms=vms)
        stand = replace(option.stand, plan=plan, hosts=hosts, ram_gib=ram_gib)
        placed = {vm.id: vm.host for vm in design_of(asked, stand, option.disks).vms}
        assert all(placed[one] != placed[other] for one, other in pairs)

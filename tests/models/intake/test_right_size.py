"""VMs larger than they need: what is listed, what is taken by choice, and what never is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.intake.right_size import Sizes, chosen, right_sizes, saved, with_right_sizes
from models.scenario.inputs import origin_of, with_origin, with_pin
from models.scenario.origin import Origin
from models.scenario.scenario import Scenario, Vm, Workload
from models.scenario.workloads import WorkloadKind
from resources.catalog_files import load_catalog
from tests.models.worlds import a_scenario, a_vm

SERVERS = load_catalog().servers


def a_site(*vms: Vm) -> Scenario:
    return a_scenario(vms=vms)


def a_machine(id: str, *, mhz: float | None, used_gib: float | None) -> Vm:
    work = Workload(kind=WorkloadKind.GENERIC, cpu_mhz=mhz, memory_gib=used_gib)
    return replace(a_vm(id), vcpus=8, ram_gib=32.0, workload=work)


def clock(scenario: Scenario) -> float:
    mhz = SERVERS[scenario.hosts[0].server].base_mhz
    assert mhz
    return mhz


def test_a_vm_is_as_large_as_its_use_at_the_limit() -> None:
    """70 % of 2 vCPUs are used to the full, and 7 of 10 GiB."""
    mhz = clock(a_site())
    site = a_site(a_machine("a", mhz=2 * 0.7 * mhz, used_gib=7.0))
    (found,) = right_sizes(site, SERVERS, {})
    assert (found.to_vcpus, found.to_ram_gib, found.by_moment) == (2, 10.0, False)
    assert saved([found]) == (6, 22.0)
    (after,) = with_right_sizes(site, [found]).vms
    assert (after.vcpus, after.ram_gib) == (2, 10.0)
    assert origin_of(after, "ram_gib") is Origin.AUTO


def test_what_was_active_for_a_moment_counts_only_where_that_is_said() -> None:
    site = a_site(a_machine("a", mhz=None, used_gib=None))
    found = right_sizes(site, SERVERS, {"a": 7.0})
    assert [each.by_moment for each in found] == [True]
    assert chosen(found, Sizes.MEASURED) == chosen(found, Sizes.AS_THEY_ARE) == ()
    (taken,) = chosen(found, Sizes.ACTIVE)
    assert (taken.to_vcpus, taken.to_ram_gib) == (8, 10.0)


@pytest.mark.parametrize("why", ["pinned", "assumed", "reserved", "users"])
def test_nobody_is_made_smaller_without_ground(why: str) -> None:
    vm = a_machine("a", mhz=100.0, used_gib=1.0)
    if why == "pinned":
        vm = with_pin(with_pin(vm, "vcpus", pinned=True), "ram_gib", pinned=True)
    elif why == "assumed":
        vm = replace(vm, workload=replace(vm.workload, memory_gib=None))
        vm = with_origin(vm, Origin.ASSUMED, "workload.cpu_mhz")
    elif why == "reserved":
        vm = replace(vm, vcpus=1, memory_reservation_gib=32.0)
    else:
        vm = a_vm("a")
    assert right_sizes(a_site(vm), SERVERS, {}) == ()

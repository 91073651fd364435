"""What the platform refuses is said in one line; everything else may be tried."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.base.errors import ModelError
from models.catalog.catalog import Catalog, Hypervisor, Platform, Provenance, Role, Server
from models.catalog.placement import reason_against
from models.scenario.scenario import Affinity, AffinityKind, Host, Scenario, Vm
from tests.app import samples

HERE = Provenance(source="made for this test", confidence="assumed")


def server(**changes: object) -> Server:
    plain = Server(
        id="nehalem-ept",
        name="Nehalem",
        vendor="",
        model="",
        year=2009,
        sockets=2,
        processor="",
        generation="",
        cores=8,
        threads=16,
        base_mhz=2933,
        spec_rate=None,
        hardware_virtualisation=True,
        nested_paging=True,
        max_ram_gib=144,
        nics=2,
        nic_gbps=1,
        rack_units=2,
        role=Role.REFERENCE,
        platform=Platform.NEHALEM,
        provenance=HERE,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def hypervisor(**changes: object) -> Hypervisor:
    plain = Hypervisor(
        id="vsphere-4.0",
        name="vSphere 4.0",
        version=(4, 0, 0),
        max_vcpus_per_vm=8,
        max_ram_gib_per_vm=255,
        max_ram_gib_per_host=1024,
        max_logical_cpus_per_host=64,
        max_vms_per_host=320,
        max_vcpus_per_core=20,
        max_hosts_per_cluster=32,
        console_gib=None,
        slot_cpu_mhz=256,
        ft_max_vcpus=1,
        ft_max_vms_per_host=4,
        ft_max_ram_gib=None,
        ft_disables_nested_paging=True,
        memory_overhead=None,
        transferred=(),
        provenance=HERE,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def catalog(of: Server | None = None, under: Hypervisor | None = None) -> Catalog:
    return Catalog(
        servers={"nehalem-ept": of or server()},
        hypervisors={"vsphere-4.0": under or hypervisor()},
    )


def with_vm(scenario: Scenario, id: str, **changes: object) -> Scenario:
    def change(vm: Vm) -> Vm:
        return replace(vm, **changes)  # type: ignore[arg-type]

    return scenario.edit(Vm, id, change)


def with_host(scenario: Scenario, id: str, **changes: object) -> Scenario:
    def change(host: Host) -> Host:
        return replace(host, **changes)  # type: ignore[arg-type]

    return scenario.edit(Host, id, change)


def test_an_ordinary_move_may_be() -> None:
    assert reason_against(samples.scenario(), catalog(), ["m1"], "h2") is None


def test_taking_off_a_host_may_always_be() -> None:
    assert reason_against(samples.scenario(), catalog(), ["m1", "m2"], None) is None


def test_where_it_stands_already_it_is_not_judged_again() -> None:
    scenario = with_vm(samples.scenario(), "m1", ram_gib=9999.0)
    assert reason_against(scenario, catalog(), ["m1"], "h1") is None


def test_an_unknown_vm_is_an_error() -> None:
    with pytest.raises(ModelError, match="nobody"):
        reason_against(samples.scenario(), catalog(), ["nobody"], "h1")


def test_a_physical_server_runs_one_operating_system() -> None:
    scenario = with_host(samples.scenario(), "h2", hypervisor="none")
    reason = reason_against(scenario.place(["m5"], "h1"), catalog(), ["m1"], "h2")
    assert reason == "esx2 is a physical server and already runs Mail-02"
    empty = scenario.place(["m2", "m5"], None)
    assert reason_against(empty, catalog(), ["m1"], "h2") is None
    both = reason_against(empty, catalog(), ["m1", "m3"], "h2")
    assert both == "esx2 is a physical server: it runs one operating system"


def test_more_ram_than_the_host_has() -> None:
    scenario = with_vm(samples.scenario(), "m1", ram_gib=100.0)
    reason = reason_against(scenario, catalog(), ["m1"], "h2")
    assert reason == "Mail-01 needs 100 GiB of RAM; esx2 has 64"
    off = with_vm(scenario, "m1", powered_on=False)
    assert reason_against(off, catalog(), ["m1"], "h2") is None


def test_more_vcpus_than_logical_cpus() -> None:
    scenario = with_vm(samples.scenario(), "m1", vcpus=4)
    reason = reason_against(scenario, catalog(server(threads=2)), ["m1"], "h2")
    assert reason == "Mail-01 has 4 vCPUs; esx2 has 2 logical CPUs"


def test_more_vcpus_than_the_release_allows() -> None:
    scenario = with_vm(samples.scenario(), "m1", vcpus=12)
    reason = reason_against(scenario, catalog(), ["m1"], "h2")
    assert reason == "Mail-01 has 12 vCPUs; vSphere 4.0 allows 8"


def test_64_bit_guests_need_hardware_virtualisation() -> None:
    scenario = with_vm(samples.scenario(), "m1", guest_bits=64)
    old = catalog(server(hardware_virtualisation=False))
    reason = reason_against(scenario, old, ["m1"], "h2")
    assert reason == "Mail-01 is a 64-bit guest; Nehalem has no hardware virtualisation"
    unknown = catalog(server(hardware_virtualisation=None))
    assert reason_against(scenario, unknown, ["m1"], "h2") is None


def test_fault_tolerance_wants_one_vcpu_and_a_logging_network() -> None:
    scenario = with_vm(samples.scenario(), "m1", fault_tolerance=True)
    reason = reason_against(scenario, catalog(), ["m1"], "h2")
    assert reason == "Mail-01 is fault tolerant; esx2 has no FT logging network"
    wired = with_host(scenario, "h2", ft_logging_gbps=1.0)
    reason = reason_against(wired, catalog(), ["m1"], "h2")
    assert reason == "Mail-01 is fault tolerant with 2 vCPUs; vSphere 4.0 allows one vCPU"
    single = with_vm(wired, "m1", vcpus=1)
    assert reason_against(single, catalog(), ["m1"], "h2") is None
    none = catalog(under=hypervisor(ft_max_vcpus=0))
    reason = reason_against(single, none, ["m1"], "h2")
    assert reason == "Mail-01 is fault tolerant; vSphere 4.0 can’t do that"


def test_a_host_holds_so_many_vms() -> None:
    few = catalog(under=hypervisor(max_vms_per_host=2))
    reason = reason_against(samples.scenario(), few, ["m1"], "h2")
    assert reason == "vSphere 4.0 allows 2 VMs on a host"


def ruled(kind: AffinityKind, vms: tuple[str, ...], hosts: tuple[str, ...] = ()) -> Scenario:
    rule = Affinity(id="r1", kind=kind, vms=vms, hosts=hosts)
    return replace(samples.scenario(), affinity=(rule,))


def test_vms_that_are_kept_apart() -> None:
    scenario = ruled(AffinityKind.APART, ("m1", "m2"))
    reason = reason_against(scenario, catalog(), ["m1"], "h2")
    assert reason == "Mail-02 and Mail-01 are to be kept apart"
    assert reason_against(scenario, catalog(), ["m1"], "h3") is None


def test_vms_that_are_kept_together_move_together() -> None:
    scenario = ruled(AffinityKind.TOGETHER, ("m1", "m4"))
    reason = reason_against(scenario, catalog(), ["m1"], "h2")
    assert reason == "Mail-01 is to be kept together with Print-04"
    assert reason_against(scenario, catalog(), ["m1", "m4"], "h2") is None


def test_vms_that_must_run_somewhere() -> None:
    scenario = ruled(AffinityKind.MUST_RUN_ON, ("m1",), ("h1", "h3"))
    reason = reason_against(scenario, catalog(), ["m1"], "h2")
    assert reason == "Mail-01 must run on esx1 or esx3"
    assert reason_against(scenario, catalog(), ["m1"], "h3") is None
    wish = ruled(AffinityKind.SHOULD_RUN_ON, ("m1",), ("h1",))
    assert reason_against(wish, catalog(), ["m1"], "h2") is None

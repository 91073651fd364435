"""Which hosts can take a VM at all: shared disks, HA, vCPUs, memory and processors; and FT."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from models.host_loss import lose_host, secondaries
from models.judgement.failure_modes import STANDS_ALONE
from models.predict.prediction import FailureMode, Verdict
from models.resilience.availability_study import study_availability
from models.resilience.modes import EVERY_KIND
from models.resilience.placements import NO_ALLOWED, NO_MACHINE
from models.resilience.study import study_failures
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Affinity,
    AffinityKind,
    Cluster,
    DiskMode,
    Scenario,
)
from tests.models.worlds import (
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_scenario,
    a_vm,
    predict,
)

LARGE = {"server": "r740-6148", "hypervisor": "vsphere-6.7"}
KIND = AffinityKind


def studied(scenario: Scenario, id: str) -> FailureMode:
    mode = study_failures(scenario, KNOWLEDGE, which=EVERY_KIND).of(id)
    assert mode is not None
    return mode


def places(scenario: Scenario, id: str) -> dict[str, str]:
    return {each.vm: each.host for each in studied(scenario, id).restarted}


# --- disks and hosts that HA leaves out -------------------------------------------------------


def test_a_vm_on_local_disks_is_not_restarted() -> None:
    """vSphere Availability 4.1, HA checklist: "otherwise they cannot be failed over"."""
    scenario = a_cluster_of(3, vms=2, disk_mode=DiskMode.LOCAL).with_item(a_vm("m9", host="h1"))
    mode = studied(scenario, "host h1")
    assert places(scenario, "host h1").keys() == {"m9"}
    assert mode.stays_down == ("m1",)
    assert mode.note == "1 VM stays down, 1 with disks local to a host that is gone"
    (of_h1, *_) = predict(scenario).failures
    assert of_h1.note == "1 of its VMs is not restarted"
    assert lose_host(scenario, KNOWLEDGE, "h1").down == ("m1",)


def test_nor_is_a_64_bit_guest_where_no_other_processor_runs_it() -> None:
    """However small it is."""
    machines = ("intel-clovertown-whitebox", "ibm-x366")
    hosts = tuple(
        a_host(f"h{n}", server=server, hypervisor="esx-3.0.1", cluster="c1")
        for n, server in enumerate(machines, 1)
    )
    wide = replace(a_cluster_of(2, vms=0), hosts=hosts, vms=(a_vm("m1", vcpus=1, guest_bits=64),))
    assert not places(wide, "host h1")
    narrow = wide.with_item(replace(wide.vms[0], guest_bits=32))
    assert places(narrow, "host h1") == {"m1": "h2"}


def test_nor_is_it_moved_away_for_maintenance() -> None:
    scenario = a_cluster_of(3, vms=1, disk_mode=DiskMode.LOCAL).with_item(a_vm("m9", host="h1"))
    mode = studied(scenario, "maintenance h1, host h2")
    assert [(each.vm, each.moved_before) for each in mode.restarted] == [("m9", True)]
    assert mode.stays_down == ("m1",)


@pytest.mark.parametrize("release", ["none", "esx-2.5"])
def test_a_host_without_ha_stands_alone_in_its_cluster(release: str) -> None:
    disks = DiskMode.PHYSICAL if release == "none" else DiskMode.VMFS
    hosts = (a_host("h1", cluster="c1", hypervisor=release), a_host("h2", cluster="c1"))
    base = replace(a_cluster_of(2, vms=0), hosts=(*hosts, a_host("h3", cluster="c1")))
    scenario = replace(
        base,
        vms=(
            a_vm("m1", host="h1", ram_gib=2.0, disk_mode=disks),
            a_vm("m2", host="h2", ram_gib=2.0),
        ),
    )
    mode = studied(scenario, "host h1")
    assert (mode.verdict, mode.note, mode.stays_down) == (None, STANDS_ALONE, ("m1",))
    assert places(scenario, "host h2") == {"m2": "h3"}
    study = study_availability(replace(scenario, clusters=(_slots(),)), KNOWLEDGE).admission
    assert [host.host.id for host in study[0].check.hosts] == ["h2", "h3"]  # type: ignore[union-attr]


def _slots() -> Cluster:
    return Cluster(id="c1", name="Mail", admission=Admission(policy=AdmissionPolicy.HOST_FAILURES))


# --- machines ---------------------------------------------------------------------------------


def mixed(*servers: dict[str, Any], **of_vm: Any) -> Scenario:
    hosts = tuple(
        a_host(f"h{n}", cluster="c1", **fields) for n, fields in enumerate(servers, start=1)
    )
    return replace(a_cluster_of(1, vms=0), hosts=hosts, vms=(a_vm("m1", **of_vm),))


NEHALEM: dict[str, Any] = {}
CLOVERTOWN = {"server": "intel-clovertown-whitebox", "hypervisor": "esx-3.0.1", "ram_gib": 60.0}
XEON_MP = {"server": "ibm-x366", "hypervisor": "vsphere-4.0", "ram_gib": 64.0}


@pytest.mark.parametrize(
    ("small", "fits", "too_much"),
    [
        (NEHALEM, {"vcpus": 8}, {"vcpus": 32}),
        (CLOVERTOWN, {"vcpus": 4}, {"vcpus": 8}),
        (CLOVERTOWN, {"ram_gib": 16.0}, {"ram_gib": 17.0}),
        (XEON_MP, {"guest_bits": 32}, {"guest_bits": 64}),
    ],
)
def test_a_vm_restarts_only_where_it_can_run(
    small: dict[str, Any], fits: dict[str, Any], too_much: dict[str, Any]
) -> None:
    """Logical processors, what a release grants a VM, and 64-bit guests without VT."""
    assert places(mixed(LARGE, small, **fits), "host h1") == {"m1": "h2"}
    mode = studied(mixed(LARGE, small, **too_much), "host h1")
    (stranded,) = mode.not_restarted
    assert (stranded.reason, mode.verdict) == (NO_MACHINE, Verdict.DOES_NOT_FIT)
    assert places(mixed(LARGE, small, LARGE, **too_much), "host h1") == {"m1": "h3"}


def test_must_rules_and_machines_bind_together() -> None:
    def ruled(*hosts: str) -> Scenario:
        rule = Affinity(id="r1", kind=KIND.MUST_RUN_ON, vms=("m1",), hosts=hosts)
        return replace(mixed(LARGE, NEHALEM, LARGE, vcpus=32), affinity=(rule,))

    assert places(ruled("h1", "h3"), "host h1") == {"m1": "h3"}
    (stranded,) = studied(ruled("h1", "h2"), "host h1").not_restarted
    assert stranded.reason == NO_MACHINE
    (stranded,) = studied(ruled("h1"), "host h1").not_restarted
    assert stranded.reason == NO_ALLOWED


def test_what_its_own_host_refuses_already_is_said_once() -> None:
    scenario = a_cluster_of(2, vms=1, vcpus=9)
    prediction = predict(scenario)
    assert "vm-maximum" in {finding.rule for finding in prediction.findings}
    assert not places(scenario, "host h1")
    never_ran = "1 VM can’t be powered on, so it did not run before either"
    assert prediction.failures[0].note == never_ran
    assert studied(scenario, "host h1").note == never_ran
    assert studied(scenario, "normal").verdict is Verdict.DOES_NOT_FIT
    alone = a_scenario(vms=(a_vm(vcpus=9), a_vm("m2", vcpus=9)))
    never_ran = "2 VMs can’t be powered on, so they did not run before either"
    assert predict(alone).failures[0].note == studied(alone, "host h1").note == never_ran
    one = alone.with_item(a_vm("m2"))
    note = f"{STANDS_ALONE}; 1 VM can’t be powered on, so it did not run before either"
    assert predict(one).failures[0].note == studied(one, "host h1").note == note


# --- Fault Tolerance --------------------------------------------------------------------------


def protected(*rules: Affinity, **of_vm: Any) -> Scenario:
    """Three hosts, h2 with less memory free than h3."""
    base = a_cluster_of(3, vms=0)
    vm = a_vm("m1", vcpus=1, fault_tolerance=True, **of_vm)
    return replace(
        base,
        hosts=tuple(replace(host, ft_logging_gbps=1.0) for host in base.hosts),
        vms=(vm, a_vm("m2", host="h2", ram_gib=20.0)),
        affinity=rules,
    )


def rule(kind: AffinityKind, vms: str, *hosts: str) -> Affinity:
    return Affinity(id=kind.value, kind=kind, vms=tuple(vms.split()), hosts=hosts)


def test_a_secondary_keeps_the_rules_between_vms_and_hosts() -> None:
    """vSphere 6.0 Availability: such a rule "applies to both the Primary VM and its Secondary"."""
    for given, expected in (
        (protected(), "h3"),
        (protected(rule(KIND.MUST_RUN_ON, "m1", "h1", "h2")), "h2"),
        (protected(rule(KIND.SHOULD_RUN_ON, "m1", "h1", "h2")), "h2"),
        (protected(rule(KIND.APART, "m1 m2"), rule(KIND.SHOULD_RUN_ON, "m1", "h2")), "h2"),
    ):
        assert secondaries(given, KNOWLEDGE) == {"m1": expected}
    alone = protected(rule(KIND.MUST_RUN_ON, "m1", "h1"))
    assert secondaries(alone, KNOWLEDGE) == {}
    assert "ft-no-secondary" in {finding.rule for finding in predict(alone).findings}


def test_a_preference_gives_way_where_no_room_is() -> None:
    given = protected(rule(KIND.SHOULD_RUN_ON, "m1", "h2"), ram_gib=60.0)
    assert secondaries(given, KNOWLEDGE) == {"m1": "h3"}


def test_no_secondary_runs_on_a_host_that_stands_by() -> None:
    standing_by = Admission(policy=AdmissionPolicy.DEDICATED, failover_host="h3")
    given = replace(protected(), clusters=(Cluster(id="c1", name="Mail", admission=standing_by),))
    assert secondaries(given, KNOWLEDGE) == {"m1": "h2"}
    assert "admission-not-met" not in {finding.rule for finding in predict(given).findings}


def test_disks_of_one_host_have_no_secondary() -> None:
    given = protected(disk_mode=DiskMode.LOCAL)
    assert secondaries(given, KNOWLEDGE) == {}
    assert studied(given, "ft m1").stays_down == ("m1",)

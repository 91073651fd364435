"""Fault Tolerance by release, its costs, and what is not known of it; HA restart times."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models.failure.fault_tolerance import (
    NO_RESPONSE,
    Protection,
    _logging,
    ft_limits,
    logging_mbps,
    per_host,
)
from models.failure.restart_time import restart_time
from models.physics.scenario_to_arrays import to_arrays
from models.predict.prediction import Severity, Verdict
from models.resilience.availability_study import AvailabilityStudy, study_availability
from models.scenario.scenario import (
    Affinity,
    AffinityKind,
    Assumptions,
    DiskMode,
    Host,
    RestartPriority,
    Scenario,
    Vm,
)
from models.scenario.workloads import WorkloadKind
from models.whatif import what_if
from tests.models.worlds import (
    CALIBRATION,
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_scenario,
    a_vm,
    found,
    predict,
    with_policy,
)


def study(scenario: Scenario) -> AvailabilityStudy:
    return study_availability(scenario, KNOWLEDGE)


def pair(release: str = "vsphere-4.0", gbps: float | None = 1.0, **fields: Any) -> Scenario:
    base = a_cluster_of(2, vms=0)
    hosts = tuple(replace(h, hypervisor=release, ft_logging_gbps=gbps) for h in base.hosts)
    vm = a_vm(**{"vcpus": 1, "fault_tolerance": True, **fields})
    return replace(base, hosts=hosts, vms=(vm,))


def the(scenario: Scenario) -> Protection:
    (found,) = study(scenario).protections
    return found


@pytest.mark.parametrize(
    ("release", "vcpus", "standard", "per_host_vcpus", "gbps"),
    [
        ("vsphere-4.0", 1, None, None, 1.0),
        ("vsphere-5.5", 1, None, None, 1.0),
        ("vsphere-6.0", 4, 2, 8, 10.0),
        ("vsphere-6.5", 4, 2, 8, 10.0),
        ("vsphere-6.7", 8, 2, 8, 10.0),
        ("vsphere-8.0", 8, 2, 8, 10.0),
        ("esx-3.5", 0, None, None, 1.0),
    ],
)
def test_what_a_release_grants(
    release: str, vcpus: int, standard: int | None, per_host_vcpus: int | None, gbps: float
) -> None:
    limits = ft_limits(CATALOG.hypervisors[release])
    assert (limits.max_vcpus, limits.max_vcpus_standard) == (vcpus, standard)
    assert (limits.max_vcpus_per_host, limits.logging_gbps) == (per_host_vcpus, gbps)
    assert limits.max_vms_per_host == (4 if vcpus else None)
    assert limits.disables_nested_paging == (release == "vsphere-4.0")
    assert limits.checkpointing == (gbps > 1)


def test_a_protected_vm_costs_the_same_again_on_another_host() -> None:
    scenario = pair()
    protection = the(scenario)
    assert protection.allowed
    assert (protection.host, protection.secondary) == ("h1", "h2")
    vm = a_vm(vcpus=1)
    (bare,) = study(replace(scenario, vms=(vm,))).admission
    assert bare.admitted
    assert protection.secondary_cores == pytest.approx(1000 * 0.574 / 4000, rel=0.05)
    assert protection.secondary_ram_gib == pytest.approx(8.2, abs=0.1)
    assert protection.response_ms == NO_RESPONSE
    number_of, vcpus = per_host(to_arrays(scenario, CATALOG), np.array([1]))
    assert (number_of.tolist(), vcpus.tolist()) == ([1, 1], [1.0, 1.0])


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        (pair(vcpus=2), "protects VMs with at most 1 vCPU."),
        (pair("vsphere-6.5", vcpus=5), "at most 4 vCPUs."),
        (pair("esx-3.5"), "VMware ESX 3.5 has no Fault Tolerance."),
        (pair(gbps=None), "no network for FT logging"),
        (pair(disk_mode=DiskMode.LOCAL), "local to one host"),
        (pair(ram_gib=65.0), "at most 64"),
        (
            a_scenario(
                hosts=(a_host(ft_logging_gbps=1.0),), vms=(a_vm(vcpus=1, fault_tolerance=True),)
            ),
            "No other host",
        ),
    ],
)
def test_what_stands_in_the_way_is_said(scenario: Scenario, words: str) -> None:
    protection = the(scenario)
    assert not protection.allowed
    assert words in " ".join(protection.obstacles)


def test_eight_vcpus_are_protected_from_6_7_on() -> None:
    assert the(pair("vsphere-6.7", gbps=10.0, vcpus=8, ram_gib=16.0)).allowed


def test_the_formula_by_hand() -> None:
    """5 MB/s read and 12 Mb/s received: (40 + 12) × 1.2 = 62.4 Mb/s."""
    assert logging_mbps(5.0, 12.0) == pytest.approx(62.4)


@pytest.mark.parametrize("received", [0.0, 10.04, 3.337, 0.0417, 512.96])
def test_printed_traffic_comes_to_its_printed_result(received: float) -> None:
    step = next(_logging(ft_limits(CATALOG.hypervisors["vsphere-4.0"]), received))
    first, factor = step.arithmetic.replace(",", "").split(" × ")
    assert f"{float(first) * float(factor):.1f} Mb/s" == step.result


def test_of_the_traffic_only_the_network_is_known() -> None:
    """1,000 users × about 0.49 packets × 1,518 bytes × 8 × 1.2."""
    packets = CALIBRATION.constants.mail85.packets_received_per_user.value
    first, second = the(pair()).logging
    assert first.result == f"{1000 * packets * 1518 * 8e-6 * 1.2:.1f} Mb/s"
    assert second.result == "no data"
    (only,) = the(pair("vsphere-6.7", gbps=10.0)).logging
    assert (only.result, "no formula" in only.arithmetic) == ("no data", True)
    generic: dict[str, Any] = {"kind": WorkloadKind.GENERIC, "cpu_mhz": 100.0}
    assert the(pair(**generic)).logging[0].result == "no data"


@pytest.mark.parametrize(
    ("release", "gbps", "users"),
    [("vsphere-4.0", 1.0, 2000.0), ("vsphere-4.1", 10.0, None), ("vsphere-6.7", 1.0, None)],
)
def test_the_measured_limit_holds_where_it_was_measured(
    release: str, gbps: float, users: float | None
) -> None:
    assert the(pair(release, gbps)).link_users == users


def test_a_link_carries_all_that_is_protected_on_its_hosts() -> None:
    """The measurement is of a link; it sends for primaries and receives for secondaries."""
    scenario = pair()
    alike = [
        replace(a_vm(f"m{n}", 1900.0, vcpus=1, fault_tolerance=True), host="h1" if n < 2 else "h2")
        for n in range(4)
    ]
    scenario = replace(scenario, vms=tuple(alike))
    for each in study_availability(scenario, KNOWLEDGE).protections:
        assert (each.link_load, each.link_users) == (3800.0, 2000.0)
    errors = found(predict(scenario), "ft-logging-users")
    assert [finding.severity for finding in errors] == [Severity.ERROR] * 4
    assert what_if(scenario, KNOWLEDGE, factor=[1.0]).verdict[0] >= Verdict.AT_RISK
    one_way = replace(scenario, vms=tuple(alike[1:3]))
    assert not found(predict(one_way), "ft-logging-users"), "one sent and one received each"


def test_the_slower_end_of_a_link_counts() -> None:
    scenario = pair(users=1900.0).edit(Host, "h2", lambda h: replace(h, ft_logging_gbps=0.1))
    each = the(scenario)
    assert (each.link_host, each.link_load, each.link_users) == ("h2", 1900.0, 200.0)
    assert found(predict(scenario), "ft-logging-users")


@pytest.mark.parametrize(("gbps", "severity"), [(10.0, "warning"), (9.9, "error")])
def test_too_many_users_for_a_link_that_was_tested_are_an_error(gbps: float, severity: str) -> None:
    """21,000 users on a link of 10 Gb/s, for which 20,000 is arithmetic, are a warning; a risk are
    both."""
    base = pair(gbps=gbps)
    vms = tuple(a_vm(f"m{n}", 4200.0, vcpus=1, ram_gib=4.0, fault_tolerance=True) for n in range(5))
    roomy = {"disk_limit_pct": 100.0, "cpu_limit_pct": 95.0, "response_limit_ms": 1e5}
    scenario = with_policy(replace(base, vms=vms), **roomy)
    prediction = predict(scenario)
    assert {each.severity for each in found(prediction, "ft-logging-users")} == {severity}
    assert prediction.verdict is Verdict.AT_RISK
    assert what_if(scenario, KNOWLEDGE, factor=[1.0]).verdict.tolist() == [2]


def test_notes_say_what_was_measured_and_what_was_not() -> None:
    old, new = the(pair()), the(pair("vsphere-6.7", gbps=10.0))
    assert "4,000 users came near the saturation" in " ".join(old.notes)
    assert "switches nested paging off" in " ".join(old.notes)
    assert "at most 2 vCPUs" in " ".join(new.notes)
    assert "nested paging" not in " ".join(new.notes)


@pytest.mark.parametrize(
    ("release", "gbps", "is_asked"), [("vsphere-5.5", 1.0, True), ("vsphere-6.0", 10.0, False)]
)
def test_record_and_replay_alone_asks_for_like_clocks(
    release: str, gbps: float, is_asked: bool
) -> None:
    unlike = pair(release, gbps).edit(Host, "h2", lambda h: replace(h, server="r740-6148"))
    assert the(unlike).secondary == "h2"
    said = any("clocks of its two hosts differ" in note for note in the(unlike).notes)
    assert (said, bool(found(predict(unlike), "ft-clock"))) == (is_asked, is_asked)


@pytest.mark.parametrize("linked", [("h2", "h3"), ("h1",), ()])
def test_without_a_logging_network_nothing_is_protected(linked: tuple[str, ...]) -> None:
    """It restarts like any other VM, and nothing runs twice; both hosts need the network."""
    base = a_cluster_of(3, vms=0)
    hosts = tuple(
        replace(host, ft_logging_gbps=1.0 if host.id in linked else None) for host in base.hosts
    )
    scenario = replace(base, hosts=hosts, vms=(a_vm(vcpus=1, fault_tolerance=True),))
    plain = scenario.with_item(replace(scenario.vms[0], fault_tolerance=False))
    prediction, unprotected = predict(scenario), predict(plain)
    assert prediction.hosts.cpu_pct.value.tolist() == unprotected.hosts.cpu_pct.value.tolist()
    assert prediction.failures[0] == unprotected.failures[0]
    assert prediction.verdict is not Verdict.FITS
    assert found(prediction, "ft-no-secondary" if "h1" in linked else "ft-logging-users")
    linked_all = replace(
        scenario, hosts=tuple(replace(host, ft_logging_gbps=1.0) for host in base.hosts)
    )
    assert predict(linked_all).hosts.cpu_pct.value[1] > 0


def test_what_is_off_or_not_placed_is_not_protected() -> None:
    assert study(pair(powered_on=False)).protections == ()
    assert study(pair(host=None)).protections == ()


# --- HA restarts ------------------------------------------------------------------------------


def test_a_restart_takes_what_was_assumed() -> None:
    assumptions = Assumptions(
        ha_detection_s=10.0,
        guest_boot_s=100.0,
        domino_start_s=50.0,
        log_replay_s=5.0,
        consistency_check_s_per_gib=2.0,
    )
    time = restart_time(a_vm(users=1000.0, mail_file_mb=100.0), assumptions)
    assert time.logged_s == 165.0
    assert time.unlogged_s == pytest.approx(160 + 2 * 100 * 1e9 / 2**30)
    assert {part.origin for part in (*time.logged, *time.unlogged)} == {"assumed"}
    names = set(Assumptions.__dataclass_fields__)
    assert {part.field for part in (*time.logged, *time.unlogged)} < names
    assert "minutes" in time.evidence


def test_restart_times_are_of_domino_servers_that_ha_restarts() -> None:
    base = a_cluster_of(2, vms=1)
    linked = tuple(replace(host, ft_logging_gbps=1.0) for host in base.hosts)
    bare = a_host("h4", cluster="c1", hypervisor="none")
    left_out = (
        a_vm("off", powered_on=False),
        a_vm("generic", kind=WorkloadKind.GENERIC),
        a_vm("nowhere", host=None),
        a_vm("alone", host="h3"),
        a_vm("physical", host="h4", disk_mode=DiskMode.PHYSICAL),
        a_vm("disabled", restart_priority=RestartPriority.DISABLED),
        a_vm("local", disk_mode=DiskMode.LOCAL),
        a_vm("protected", vcpus=1, fault_tolerance=True),
        a_vm("refused", vcpus=9),
    )
    scenario = replace(
        base,
        hosts=(*linked, a_host("h3"), bare),
        vms=(*base.vms, *left_out),
    )
    assert [each.vm for each in study(scenario).restart_times] == ["m1"]


def test_the_cause_that_leaves_no_secondary_is_the_one_that_is_named() -> None:
    base = a_cluster_of(2, vms=0)
    linked = tuple(replace(host, ft_logging_gbps=1.0) for host in base.hosts)
    vm = a_vm(vcpus=1, fault_tolerance=True)

    def why(vm: Vm, *hosts: Host) -> str:
        scenario = replace(base, hosts=hosts, vms=(vm,))
        (finding,) = found(predict(scenario), "ft-no-secondary")
        return finding.text

    one, other = linked
    assert "no other host of its cluster has a network" in why(vm, one, base.hosts[1])
    assert "is in no cluster with another host" in why(vm, one)
    assert "is in no cluster with another host" in why(vm, replace(one, cluster=None), other)
    assert "has 8.2 GiB for its secondary" in why(vm, one, replace(other, ram_gib=4.0))
    local = replace(vm, disk_mode=DiskMode.LOCAL)
    assert "disks are local" in why(local, one, other)
    rule = Affinity(id="r1", kind=AffinityKind.MUST_RUN_ON, vms=("m1",), hosts=("h1",))
    bound = replace(base, hosts=linked, vms=(vm,), affinity=(rule,))
    (finding,) = found(predict(bound), "ft-no-secondary")
    assert "is barred by its rules" in finding.text


def test_a_host_with_the_same_processor_takes_the_secondary_first() -> None:
    """However much more memory another one has; where only others are left, one of those."""
    base = a_cluster_of(3, vms=0)
    roomy = replace(base.hosts[1], server="ibm-x366", ram_gib=128.0)
    hosts = tuple(
        replace(host, ft_logging_gbps=1.0) for host in (base.hosts[0], roomy, base.hosts[2])
    )
    scenario = replace(base, hosts=hosts, vms=(a_vm(vcpus=1, fault_tolerance=True),))
    assert predict(scenario).hosts.cpu_pct.value[1:].tolist()[0] == 0
    full = scenario.with_item(replace(hosts[2], ram_gib=4.0))
    assert predict(full).hosts.cpu_pct.value[1] > 0
    (finding,) = found(predict(full), "ft-processors")
    assert "H2, which has another processor" in finding.text


def test_a_secondary_runs_its_vcpus_on_its_host_too() -> None:
    scenario = pair()
    hosts = predict(scenario).hosts
    cores = [CATALOG.servers[host.server].cores for host in scenario.hosts]
    assert hosts.vcpus_per_core.tolist() == [1.0 / count for count in cores]
    plain = replace(scenario, vms=(replace(scenario.vms[0], fault_tolerance=False),))
    assert predict(plain).hosts.vcpus_per_core.tolist() == [1.0 / cores[0], 0.0]

"""A scenario that cannot exist is refused with the path of the field that makes it so."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from models.base.errors import ModelError
from models.base.limits import Limit, check_line, check_text
from models.catalog.catalog import Catalog
from models.check import check_scenario
from models.scenario.scenario import (
    Admission,
    Affinity,
    AffinityKind,
    Assumptions,
    Cluster,
    DiskMode,
    Host,
    Policy,
    Pool,
    Scenario,
    Vm,
    Waiver,
    Workload,
)
from models.scenario.workloads import WorkloadKind
from resources.catalog_files import load_catalog

MAIL = Workload(
    kind=WorkloadKind.DOMINO_NRPC, release="7.0.2", active_users=1000.0, mail_file_mb=87.5
)


def a_vm(id: str, **fields: object) -> Vm:
    vm = Vm(
        id=id,
        name=id,
        host="h1",
        pool="p1",
        vcpus=4,
        ram_gib=8.0,
        disk_mode=DiskMode.VMFS,
        workload=MAIL,
    )
    return replace(vm, **fields)  # type: ignore[arg-type]


def a_host(id: str, **fields: object) -> Host:
    host = Host(
        id=id,
        name=id,
        server="intel-clovertown-whitebox",
        hypervisor="esx-3.0.1",
        ram_gib=16.0,
        cluster="c1",
    )
    return replace(host, **fields)  # type: ignore[arg-type]


def a_pool(**fields: object) -> Pool:
    pool = Pool(id="p1", name="Data", array="ibm-ds4800", disk="fc-15k-36gb", spindles=35, raid="5")
    return replace(pool, **fields)  # type: ignore[arg-type]


SOUND = Scenario(
    name="sound",
    clusters=(Cluster(id="c1", name="Mail", admission=Admission(failover_host="h2")),),
    hosts=(a_host("h1"), a_host("h2")),
    pools=(a_pool(),),
    vms=(a_vm("m1", cluster_partners=("m2",)), a_vm("m2", host=None, pool=None, log_pool="p1")),
    affinity=(
        Affinity(id="r1", kind=AffinityKind.APART, vms=("m1", "m2")),
        Affinity(id="r2", kind=AffinityKind.MUST_RUN_ON, vms=("m1",), hosts=("h1",)),
    ),
)

Change = Callable[[Scenario], Scenario]


def vm(id: str = "m1", **fields: object) -> Change:
    return lambda s: s.edit(Vm, id, lambda v: replace(v, **fields))  # type: ignore[arg-type]


def host(id: str = "h1", **fields: object) -> Change:
    return lambda s: s.edit(Host, id, lambda h: replace(h, **fields))  # type: ignore[arg-type]


def pool(**fields: object) -> Change:
    return lambda s: replace(s, pools=(a_pool(**fields),))


def top(**fields: object) -> Change:
    return lambda s: replace(s, **fields)  # type: ignore[arg-type]


def rule(**fields: object) -> Change:
    return lambda s: replace(
        s,
        affinity=(replace(s.affinity[0], **fields),),  # type: ignore[arg-type]
    )


def led(**fields: object) -> Change:
    """A cluster c1 with this admission control."""
    admission = Admission(**fields)  # type: ignore[arg-type]
    return top(clusters=(Cluster(id="c1", name="Mail", admission=admission),))


def waived(*waivers: tuple[str, str, str]) -> Change:
    return top(
        waivers=tuple(Waiver(rule=rule, subject=id, reason=why) for rule, id, why in waivers)
    )


def test_a_sound_scenario_passes() -> None:
    check_scenario(SOUND, load_catalog())


def test_a_cluster_can_not_be_larger_than_failures_are_worked_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("models.check.MOST_PAIRS", 3)
    with pytest.raises(ModelError, match="has 2 hosts") as caught:
        check_scenario(SOUND, load_catalog())
    assert caught.value.field == "clusters[0]"


def test_no_more_vms_are_kept_apart_than_are_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.check.MOST_PAIRS", 3)
    apart = replace(
        SOUND, clusters=(), hosts=(), vms=(a_vm("m1", host=None), a_vm("m2", host=None))
    )
    apart = replace(apart, affinity=SOUND.affinity[:1])
    with pytest.raises(ModelError, match="keeps 2 VMs apart") as caught:
        check_scenario(apart, load_catalog())
    assert caught.value.field == "affinity[0].vms"


def test_an_empty_scenario_passes() -> None:
    check_scenario(Scenario(name="empty"), Catalog())


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        (top(name=" "), "name", "must not be empty"),
        (top(customer="a\nb"), "customer", "must be one line without control characters"),
        (top(notes="a\0b"), "notes", "must not contain control characters"),
        (top(policy=Policy(cpu_limit_pct=0.0)), "policy.cpu_limit_pct", "must be ≥ 0.001"),
        (vm(vcpus=0), "vms[0].vcpus", "must be ≥ 1"),
        (vm("m2", ram_gib=math.nan), "vms[1].ram_gib", "must be ≥ 0.001"),
        (vm(ram_gib=math.inf), "vms[0].ram_gib", "must be ≤ 1,000,000"),
        (vm(name=""), "vms[0].name", "must not be empty"),
        (vm(guest_bits=16), "vms[0].guest_bits", "must be 32 or 64"),
        (vm(groups=("a", "")), "vms[0].groups[1]", "must not be empty"),
        (
            vm(workload=replace(MAIL, active_users=-1.0)),
            "vms[0].workload.active_users",
            "must be ≥ 0",
        ),
        (
            vm(memory_reservation_gib=9.0),
            "vms[0].memory_reservation_gib",
            "must not be more than ram_gib (8)",
        ),
        (
            vm(memory_reservation_gib=6.0, memory_limit_gib=5.0),
            "vms[0].memory_reservation_gib",
            "must not be more than memory_limit_gib (5)",
        ),
        (led(slot_cpu_cap_mhz=0.0), "clusters[0].admission.slot_cpu_cap_mhz", "must be ≥ 0.001"),
        (
            led(failover_host="h1", more_failover_hosts=("x",)),
            "clusters[0].admission.more_failover_hosts[0]",
            "there is no host “x” in the scenario",
        ),
        (
            led(failover_host="h1", more_failover_hosts=("h1",)),
            "clusters[0].admission.more_failover_hosts",
            "must name hosts beside failover_host",
        ),
        (
            top(assumptions=Assumptions(reconnect_s=86_401.0)),
            "assumptions.reconnect_s",
            "must be ≤ 86,400",
        ),
        (
            top(assumptions=Assumptions(holiday_login_s=1e6)),
            "assumptions.holiday_login_s",
            "must be ≤ 86,400",
        ),
        (
            top(assumptions=Assumptions(holiday_s=1e6)),
            "assumptions.holiday_s",
            "must be ≤ 86,400",
        ),
        (
            top(assumptions=Assumptions(holiday_peak_factor=0.5)),
            "assumptions.holiday_peak_factor",
            "must be ≥ 1",
        ),
        (
            waived(("unplaced", "x", "why")),
            "waivers[0].subject",
            "there is nothing called “x” in the scenario",
        ),
        (waived(("unplaced", "m1", " ")), "waivers[0].reason", "must not be empty"),
        (waived((" ", "m1", "why")), "waivers[0].rule", "must not be empty"),
        (
            waived(("a", "m1", "why"), ("a", "m1", "again")),
            "waivers[1].rule",
            "waives what waivers[0] does",
        ),
        (pool(hot_spares=35), "pools[0].hot_spares", "must be less than spindles (35)"),
        (pool(raid_group=1), "pools[0].raid_group", "must be ≥ 2"),
        (vm(host="x"), "vms[0].host", "there is no host “x” in the scenario"),
        (vm(host="p1"), "vms[0].host", "there is no host “p1” in the scenario"),
        (vm(pool="x"), "vms[0].pool", "there is no pool “x” in the scenario"),
        (vm(log_pool="x"), "vms[0].log_pool", "there is no pool “x” in the scenario"),
        (
            vm(cluster_partners=("m2", "x")),
            "vms[0].cluster_partners[1]",
            "there is no VM “x” in the scenario",
        ),
        (vm(cluster_partners=("m2", "m2")), "vms[0].cluster_partners[1]", "“m2” is named twice"),
        (vm(cluster_partners=("m1",)), "vms[0].cluster_partners", "must not name the VM itself"),
        (host(cluster="x"), "hosts[0].cluster", "there is no cluster “x” in the scenario"),
        (host(server="x"), "hosts[0].server", "no server called “x” in the catalog"),
        (host(hypervisor="x"), "hosts[0].hypervisor", "no hypervisor called “x” in the catalog"),
        (pool(array="x"), "pools[0].array", "no array called “x” in the catalog"),
        (pool(disk="x"), "pools[0].disk", "no disk called “x” in the catalog"),
        (pool(raid="7"), "pools[0].raid", "no RAID level called “7” in the catalog"),
        (
            top(clusters=(Cluster(id="c1", name="c", admission=Admission(failover_host="x")),)),
            "clusters[0].admission.failover_host",
            "there is no host “x” in the scenario",
        ),
        (rule(vms=()), "affinity[0].vms", "must name at least one VM"),
        (rule(vms=("x",)), "affinity[0].vms[0]", "there is no VM “x” in the scenario"),
        (rule(hosts=("h1",)), "affinity[0].hosts", "must be empty for apart"),
        (
            rule(kind=AffinityKind.SHOULD_RUN_ON),
            "affinity[0].hosts",
            "must name at least one host for should-run-on",
        ),
    ],
)
def test_what_cannot_exist_is_refused(change: Change, field: str, reason: str) -> None:
    with pytest.raises(ModelError) as caught:
        check_scenario(change(SOUND), load_catalog())
    assert (caught.value.field, caught.value.reason) == (field, reason)


def test_ids_are_unique_over_all_kinds() -> None:
    double = replace(SOUND, vms=(*SOUND.vms, a_vm("h2")))
    with pytest.raises(ModelError) as caught:
        check_scenario(double, load_catalog())
    assert str(caught.value) == "vms[2].id: “h2” is the id of hosts[1] too"


def test_ids_of_rules_are_unique_among_rules_only() -> None:
    named = replace(SOUND, affinity=(replace(SOUND.affinity[0], id="m1"),))
    check_scenario(named, load_catalog())
    with pytest.raises(ModelError) as caught:
        check_scenario(replace(SOUND, affinity=SOUND.affinity[:1] * 2), load_catalog())
    assert caught.value.field == "affinity[1].id"


def test_a_physical_server_carries_one_operating_system() -> None:
    one = SOUND.edit(Host, "h1", lambda h: replace(h, hypervisor="none"))
    check_scenario(one, load_catalog())
    with pytest.raises(ModelError) as caught:
        check_scenario(one.place(["m2"], "h1"), load_catalog())
    assert caught.value.field == "vms[1].host"
    assert "physical server" in caught.value.reason


@pytest.mark.parametrize("change", [vm(fault_tolerance=True), vm(vcpus=64), vm(ram_gib=512.0)])
def test_what_is_merely_unwise_passes(change: Change) -> None:
    check_scenario(change(SOUND), load_catalog())


@pytest.mark.parametrize(
    ("limit", "inside", "outside"),
    [
        (Limit(ge=0), (0.0, 1e300), (-1e-9, math.nan, -math.inf)),
        (Limit(gt=0, le=5), (1e-300, 5.0), (0.0, 5.1, math.nan, math.inf)),
    ],
)
def test_bounds(limit: Limit, inside: tuple[float, ...], outside: tuple[float, ...]) -> None:
    assert [limit.broken(value) for value in inside] == [None] * len(inside)
    assert all(limit.broken(value) for value in outside)


@pytest.mark.parametrize("text", ["a\n", "\x1b[0m", "a\u2028b", "\ud800", "x" * 201])
def test_a_line_is_one_printable_line(text: str) -> None:
    with pytest.raises(ModelError):
        check_line(text, field="name")


def test_texts_may_have_lines_but_no_half_characters() -> None:
    check_text("a\n\tb 😀", field="notes")
    check_line("Müller 😀", field="name")
    with pytest.raises(ModelError):
        check_text("a\n\udc00", field="notes")

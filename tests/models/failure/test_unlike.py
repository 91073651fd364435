"""VMs of clusters with unlike machines: judged on the slowest one on which they may restart."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from models.prediction import FailureMode
from models.scenario import (
    Admission,
    AdmissionPolicy,
    Affinity,
    AffinityKind,
    Cluster,
    Host,
    Scenario,
    Vm,
    WorkloadKind,
)
from tests.models.worlds import a_host, a_scenario, a_vm, predict

FAST, SLOW = "nehalem-ept", "intel-clovertown-whitebox"
GUEST = a_vm("m1", kind=WorkloadKind.GENERIC, vcpus=1, cpu_mhz=2933 * 0.4, iops=1.0, ram_gib=8.0)


def three_hosts(*vms: Vm) -> Scenario:
    """Two fast hosts of 96 GiB and a slow one of 32 GiB in a cluster."""
    return a_scenario(
        clusters=(Cluster(id="c1", name="Mail"),),
        hosts=(
            a_host("h1", server=FAST, ram_gib=96.0, cluster="c1"),
            a_host("h2", server=FAST, ram_gib=96.0, cluster="c1"),
            a_host("h3", server=SLOW, ram_gib=32.0, cluster="c1"),
        ),
        vms=vms,
    )


def own(scenario: Scenario, host: str) -> float:
    """CPU of the fullest VM [% of its vCPUs] when a host fails."""
    (mode,) = (mode for mode in predict(scenario).failures if mode.host == host)
    return own_of(mode)


def own_of(mode: FailureMode) -> float:
    assert mode.vm_cpu_pct.value is not None
    return mode.vm_cpu_pct.value


FASTER, SLOWER = (
    predict(three_hosts(replace(GUEST, host=host))).vms.cpu_pct.value[0] for host in ("h1", "h3")
)


def test_the_slowest_survivor_counts_though_another_one_is_emptier() -> None:
    busy = a_vm("m2", 10.0, host="h3", ram_gib=16.0)
    assert FASTER < SLOWER
    for scenario in (three_hosts(GUEST), three_hosts(GUEST, busy)):
        assert own(scenario, "h1") == SLOWER


def test_a_rule_keeps_a_vm_off_the_slow_host() -> None:
    kept = Affinity(id="r1", kind=AffinityKind.MUST_RUN_ON, vms=("m1",), hosts=("h1", "h2"))
    assert own(replace(three_hosts(GUEST), affinity=(kept,)), "h1") == FASTER


def test_a_host_that_has_not_the_memory_does_not_count() -> None:
    assert own(three_hosts(replace(GUEST, ram_gib=40.0)), "h1") == FASTER


def test_standby_hosts_go_before_the_others() -> None:
    for standby, expected in (("h2", FASTER), ("h3", SLOWER)):
        admission = Admission(policy=AdmissionPolicy.DEDICATED, failover_host=standby)
        cluster = Cluster(id="c1", name="Mail", admission=admission)
        assert own(replace(three_hosts(GUEST), clusters=(cluster,)), "h1") == expected


@st.composite
def unlike(draw: st.DrawFn) -> tuple[Scenario, Vm]:
    def host(number: int) -> Host:
        server, gib = draw(st.sampled_from([(FAST, 96.0), (SLOW, 32.0), ("x3650-e5430", 24.0)]))
        return a_host(f"h{number}", server=server, ram_gib=gib, cluster="c1")

    def vm(id: str) -> Vm:
        return a_vm(
            id,
            draw(st.sampled_from([500.0, 2000.0, 4000.0])),
            host=draw(st.sampled_from(hosts)).id,
            ram_gib=draw(st.sampled_from([1.0, 4.0, 12.0])),
            vcpus=draw(st.sampled_from([1, 2, 4])),
        )

    hosts = tuple(host(n) for n in range(draw(st.integers(2, 4))))
    vms = tuple(vm(f"m{n}") for n in range(draw(st.integers(1, 6))))
    scenario = a_scenario(clusters=(Cluster(id="c1", name="Mail"),), hosts=hosts, vms=vms)
    return scenario, vm("another")


@settings(max_examples=60)
@given(unlike())
def test_one_vm_more_never_makes_room_for_another(drawn: tuple[Scenario, Vm]) -> None:
    """Where a VM lands depends on the others, what it may ask of its vCPUs does not."""
    scenario, another = drawn
    fuller = predict(replace(scenario, vms=(*scenario.vms, another)))
    for before, after in zip(predict(scenario).failures, fuller.failures, strict=True):
        if before.vm_cpu_pct.value is not None and not after.not_restarted:
            assert own_of(after) >= before.vm_cpu_pct.value * (1 - 1e-12)

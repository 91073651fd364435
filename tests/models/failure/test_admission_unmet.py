"""The quick look at admission control never differs from the exact one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.failure.admission_unmet import unmet
from models.failure.reservations import admission_checks
from models.physics import memory
from models.physics.estimates import Sources
from models.physics.scenario_to_arrays import to_arrays
from models.predict.demands import vm_stage
from models.scenario.scenario import Admission, AdmissionPolicy, Cluster, Host, Scenario, Vm
from models.stages import host_stage
from tests.chance import dear
from tests.models.worlds import (
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_scenario,
    a_vm,
    found,
    predict,
)

RELEASES = ("esx-3.5", "vsphere-4.0", "vsphere-4.1", "vsphere-5.0", "vsphere-6.7")
maybe = st.one_of


@st.composite
def admissions(draw: st.DrawFn, hosts: tuple[str, ...]) -> Admission:
    none = st.none()
    return Admission(
        policy=draw(st.sampled_from(AdmissionPolicy)),
        host_failures=draw(st.integers(1, 4)),
        cpu_pct=draw(st.sampled_from((5.0, 25.0, 50.0, 90.0))),
        ram_pct=draw(st.sampled_from((5.0, 25.0, 50.0, 90.0))),
        failover_host=draw(st.sampled_from(hosts)) if hosts else None,
        slot_cpu_cap_mhz=draw(maybe(none, st.sampled_from((100.0, 1000.0)))),
        vm_cpu_min_mhz=draw(maybe(none, st.sampled_from((32.0, 3000.0)))),
        vm_ram_min_mib=draw(maybe(none, st.sampled_from((0.0, 4000.0)))),
    )


@st.composite
def estates(draw: st.DrawFn) -> Scenario:
    """Up to three clusters, and hosts alone."""
    names = ("c1", "c2", "c3")[: draw(st.integers(1, 3))]
    hosts = tuple(
        a_host(
            f"h{n}",
            cluster=draw(st.sampled_from((*names, None))),
            hypervisor=draw(st.sampled_from(RELEASES)),
            ram_gib=draw(st.sampled_from((8.0, 24.0, 72.0))),
            ft_logging_gbps=draw(st.sampled_from((None, 1.0, 10.0))),
        )
        for n in range(draw(st.integers(1, 6)))
    )
    clusters = []
    for name in names:
        of_cluster = tuple(h.id for h in hosts if h.cluster == name)
        clusters.append(Cluster(id=name, name=name, admission=draw(admissions(of_cluster))))
    return a_scenario(clusters=tuple(clusters), hosts=hosts, vms=draw(vms_on(hosts)))


@st.composite
def vms_on(draw: st.DrawFn, hosts: tuple[Host, ...]) -> tuple[Vm, ...]:
    some = st.none()
    return tuple(
        a_vm(
            f"m{n}",
            host=draw(st.sampled_from((*(h.id for h in hosts), None))),
            vcpus=1,
            ram_gib=4.0,
            powered_on=draw(st.sampled_from((True, True, False))),
            cpu_reservation_mhz=draw(maybe(some, st.sampled_from((500.0, 4000.0)))),
            memory_reservation_gib=draw(maybe(some, st.sampled_from((1.0, 4.0)))),
            fault_tolerance=draw(st.sampled_from((False, False, True))),
        )
        for n in range(draw(st.integers(0, 14)))
    )


@given(estates())
@dear()
def test_exactly_the_clusters_that_do_not_satisfy_their_policy(scenario: Scenario) -> None:
    arrays = to_arrays(scenario, CATALOG)
    stage = vm_stage(arrays, scenario.policy.derating, KNOWLEDGE, Sources())
    secondary = host_stage(stage, scenario.policy).secondary
    every = admission_checks(scenario, arrays, secondary)
    ram = memory.vm_ram_gib(arrays)[0]
    quick = unmet(scenario, arrays, secondary, ram_gib=ram)
    assert quick == tuple(each for each in every if each.admitted is False)


@pytest.mark.parametrize("home", ["h1", "h2"])
@pytest.mark.parametrize(("ram_pct", "is_unmet"), [(29.0, False), (30.0, True)])
def test_secondaries_reserve_memory_wherever_they_run(
    home: str, ram_pct: float, is_unmet: bool
) -> None:
    """Four of 4 GiB and their secondaries, with overhead, leave 29.9 % of two hosts of 24 GiB."""
    shares = Admission(policy=AdmissionPolicy.PERCENTAGE, cpu_pct=5.0, ram_pct=ram_pct)
    base = a_cluster_of(2, vms=4, vcpus=1, ram_gib=4.0, fault_tolerance=True)
    scenario = replace(
        base,
        clusters=(Cluster(id="c1", name="Mail", admission=shares),),
        hosts=tuple(replace(host, ram_gib=24.0, ft_logging_gbps=10.0) for host in base.hosts),
        vms=tuple(replace(vm, host=home) for vm in base.vms),
    )
    assert bool(found(predict(scenario), "admission-not-met")) == is_unmet


def test_no_policy_no_check() -> None:
    scenario = replace(a_scenario(), clusters=(Cluster(id="c1", name="Mail"),))
    arrays = to_arrays(scenario, CATALOG)
    none = arrays.vms.host * 0 - 1
    ram = arrays.vms.ram_gib
    assert unmet(scenario, arrays, none, ram_gib=ram) == ()

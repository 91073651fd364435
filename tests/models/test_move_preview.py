"""Every host after a move: held to `evaluate`, which predicts each drop on its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.synthetic import synthetic_scenario
from models.base.errors import ModelError
from models.catalog.placement import reason_against
from models.scenario.scenario import Affinity, AffinityKind, Host, Policy, Scenario, Vm
from models.scenario.workloads import WorkloadKind
from models.single_changes.move_preview import MovePreview, move_preview
from tests.app import samples
from tests.chance import dear
from tests.models.worlds import (
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    a_vm,
    predict,
    with_policy,
)

SERVERS = ("nehalem-ept", "intel-clovertown-whitebox", "ibm-x366")
PLATFORMS = ("vsphere-4.0", "vsphere-5.0")


def after(scenario: Scenario, *vms: str) -> MovePreview:
    return move_preview(scenario, KNOWLEDGE, vms)


@st.composite
def designs(draw: st.DrawFn) -> tuple[Scenario, tuple[str, ...]]:
    """Hosts of several kinds, alone and in a cluster, VMs with and without data, some of them FT
    or switched off; and which of them are being dragged."""
    hosts = tuple(
        replace(
            samples.host(n, draw(st.sampled_from(["c1", "c1", None]))),
            server=draw(st.sampled_from(SERVERS)),
            hypervisor=draw(st.sampled_from(PLATFORMS)),
            ram_gib=draw(st.sampled_from([24.0, 64.0])),
            ft_logging_gbps=1.0,
        )
        for n in range(1, draw(st.integers(1, 4)) + 1)
    )
    places = [None, *(host.id for host in hosts)]
    vms = tuple(
        replace(
            samples.vm(n, draw(st.sampled_from(places))),
            vcpus=draw(st.sampled_from([1, 1, 2, 64])),
            powered_on=draw(st.sampled_from([True, True, True, False])),
            fault_tolerance=draw(st.sampled_from([False, False, True])),
        )
        for n in range(1, draw(st.integers(1, 7)) + 1)
    )
    ids = draw(st.sets(st.sampled_from([vm.id for vm in vms]), min_size=1))
    base = samples.scenario(hosts=1, vms=0, unplaced=0)
    return replace(base, hosts=hosts, vms=vms), tuple(sorted(ids))


@given(designs())
@dear()
def test_it_says_what_evaluate_says_of_each_drop(
    design: tuple[Scenario, tuple[str, ...]],
) -> None:
    scenario, ids = design
    found = after(scenario, *ids)
    for row, host in enumerate(found.ids):
        dropped = predict(scenario.place(ids, host)).hosts
        expected = [*ends(dropped.cpu_pct, row), *ends(dropped.network_pct, row)]
        got = [*found.there.cpu_pct[:, row], *found.there.network_pct[:, row]]
        assert got == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True)
        if not np.isnan(dropped.cpu_pct.value[row]):
            judged_high = dropped.cpu_pct.judged_high[row]
            assert found.there.judged_high_pct[row] == pytest.approx(judged_high)
        assert found.there.ram_pct[row] == pytest.approx(dropped.ram_pct.value[row])
        assert found.there.vcpus_per_core[row] == pytest.approx(dropped.vcpus_per_core[row])


@given(designs())
@dear()
def test_it_says_what_evaluate_says_of_vms_taken_away(
    design: tuple[Scenario, tuple[str, ...]],
) -> None:
    scenario, ids = design
    found, gone = after(scenario, *ids), predict(scenario.place(ids, None)).hosts
    assert found.left.cpu_pct[0] == pytest.approx(gone.cpu_pct.value, nan_ok=True)
    assert found.left.ram_pct == pytest.approx(gone.ram_pct.value)
    assert found.left.vcpus_per_core == pytest.approx(gone.vcpus_per_core)


def ends(series: object, row: int) -> list[float]:
    return [float(getattr(series, name)[row]) for name in ("value", "low", "high")]


@given(designs())
@dear()
def test_it_refuses_what_a_drop_refuses(design: tuple[Scenario, tuple[str, ...]]) -> None:
    scenario, ids = design
    found = after(scenario, *ids)
    expected = {
        host.id: reason
        for host in scenario.hosts
        if (reason := reason_against(scenario, CATALOG, ids, host.id)) is not None
    }
    assert found.refused == expected
    assert found.best not in expected


@pytest.mark.parametrize(("users", "is_vouched"), [(50_000.0, True), (60_000.0, False)])
def test_what_is_known_to_have_worked_is_in_no_verdict_in_the_hand_either(
    users: float, is_vouched: bool
) -> None:
    chat = a_vm("s1", users, kind=WorkloadKind.SAMETIME_COMMUNITY, release="7.5.1", ram_gib=4.0)
    base = a_cluster_of(2, vms=2)
    mux = a_vm("x1", 0.0, kind=WorkloadKind.SAMETIME_MUX, release="7.5.1", ram_gib=2.0)
    scenario = with_policy(replace(base, vms=(*base.vms, chat, mux)), peak_factor_cpu=1.5)
    there = after(scenario, "s1").there
    dropped = predict(scenario.place(["s1"], "h2")).hosts.cpu_pct
    assert there.judged_high_pct[1] == pytest.approx(dropped.judged_high[1])
    assert bool(there.judged_high_pct[1] < 10.0) is is_vouched
    assert there.cpu_pct[2, 1] > 25.0


class TestBest:
    def test_the_emptiest_of_like_hosts_is_best(self) -> None:
        scenario = samples.scenario(hosts=3, vms=5, unplaced=0).place(["m3"], "h1")
        found = after(scenario, "m1")
        assert found.best == "h3"
        assert found.is_home.tolist() == [True, False, False]

    def test_the_scarcest_resource_decides(self) -> None:
        """More cores don't help where the memory is short."""

        def small(host: Host) -> Host:
            return replace(host, ram_gib=10.0)

        scenario = samples.scenario(hosts=3, vms=1, unplaced=0).edit(Host, "h2", small)
        found = after(scenario, "m1")
        assert found.best == "h3"
        assert found.headroom[1] < found.headroom[2]
        assert found.headroom[1] == pytest.approx(1 - found.there.ram_pct[1] / 100)

    def test_a_limit_of_the_policy_moves_the_choice(self) -> None:
        """h2 is empty and small, h3 large and in use: which is scarcer depends on the limits."""

        def small(host: Host) -> Host:
            return replace(host, ram_gib=11.0)

        scenario = samples.scenario(hosts=3, vms=2, unplaced=0).edit(Host, "h2", small)
        scenario = scenario.place(["m2"], "h3")
        assert after(scenario, "m1").best == "h3"
        strict = replace(scenario, policy=Policy(vcpus_per_core_limit=0.5))
        assert after(strict, "m1").best == "h2"

    def test_none_when_nobody_else_is_there(self) -> None:
        assert after(samples.scenario(hosts=1, vms=2, unplaced=0), "m1").best is None

    def test_none_when_all_refuse(self) -> None:
        scenario = samples.scenario(hosts=2, vms=2, unplaced=0)
        rule = Affinity(id="a1", kind=AffinityKind.APART, vms=("m1", "m2"))
        found = after(replace(scenario, affinity=(rule,)), "m1")
        assert found.refused == {"h2": "Mail-02 and Mail-01 are to be kept apart"}
        assert found.best is None

    def test_of_equals_none_is_best_and_the_first_is_roomiest(self) -> None:
        found = after(samples.scenario(hosts=4, vms=1, unplaced=0), "m1")
        assert (found.roomiest, found.best) == ("h2", None)

    def test_where_there_is_no_choice_none_is_best(self) -> None:
        found = after(samples.scenario(hosts=2, vms=2, unplaced=0), "m1")
        assert (found.roomiest, found.best) == ("h2", None)

    def test_what_has_no_data_counts_at_its_vcpus(self) -> None:
        """A host full of servers that nobody measured is not an empty one."""

        def unmeasured(vm: Vm) -> Vm:
            return replace(
                vm, vcpus=8, workload=replace(vm.workload, kind=WorkloadKind.GENERIC, cpu_mhz=None)
            )

        scenario = samples.scenario(hosts=3, vms=3, unplaced=0).edit(Vm, "m2", unmeasured)
        found = after(scenario, "m1")
        assert np.isfinite(found.there.cpu_pct[0]).all()
        assert found.headroom[1] < found.headroom[2]
        assert found.best == "h3"


def test_a_group_from_several_hosts_may_come_together_on_one_of_them() -> None:
    scenario = samples.scenario(hosts=3, vms=2, unplaced=0)
    found = after(scenario, "m1", "m2")
    assert not found.is_home.any()
    both = predict(scenario.place(["m1", "m2"], "h1")).hosts
    assert found.there.ram_pct[0] == pytest.approx(both.ram_pct.value[0])


def test_an_unknown_vm_is_named() -> None:
    with pytest.raises(ModelError, match="m99"):
        after(samples.scenario(), "m99")


def test_a_large_estate_answers_once_for_all_hosts() -> None:
    scenario = synthetic_scenario(100, 1_000)
    found = after(scenario, "m0")
    assert found.roomiest is not None
    assert len(found.headroom) == 100


def test_a_vm_that_can_not_be_powered_on_has_no_secondary_in_the_hand_either() -> None:
    """Fault Tolerance reserves all memory, and one host hasn't enough for two of its VMs."""
    hosts = tuple(
        replace(samples.host(n, "c1"), hypervisor="vsphere-4.0", ram_gib=gib, ft_logging_gbps=1.0)
        for n, gib in ((1, 16.0), (2, 96.0), (3, 96.0))
    )
    protected = [
        replace(samples.vm(n, "h1"), vcpus=1, ram_gib=12.0, fault_tolerance=True) for n in (1, 2)
    ]
    vms = (*protected, replace(samples.vm(3, "h2"), vcpus=1))
    base = samples.scenario(hosts=1, vms=0, unplaced=0)
    scenario = replace(base, hosts=hosts, vms=vms)
    assert any(finding.rule == "reservation-over-host" for finding in predict(scenario).findings)
    found = after(scenario, "m3")
    dropped = predict(scenario.place(["m3"], "h3")).hosts
    row = found.ids.index("h3")
    assert found.there.vcpus_per_core[row] == dropped.vcpus_per_core[row]
    assert found.there.ram_pct[row] == pytest.approx(dropped.ram_pct.value[row])

"""Many variants at once: each row is what `evaluate` says of the edited scenario."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from models import whatif
from models.base.errors import ModelError
from models.base.quantities import BoolArray, IntArray
from models.failure.standalone_hosts import down_by_design
from models.host_loss import lose_host
from models.physics.estimates import Sources
from models.physics.scenario_to_arrays import to_arrays
from models.predict.demands import vm_stage
from models.predict.prediction import Prediction, Verdict
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    DiskMode,
    RestartPriority,
    Scenario,
    Vm,
)
from models.scenario.workloads import WorkloadKind
from models.stages import host_stage
from models.whatif import Ends, WhatIf, what_if
from tests.chance import dear
from tests.models.worlds import (
    CATALOG,
    KNOWLEDGE,
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    predict,
)

SERVERS = ("nehalem-ept", "ibm-x366", "intel-clovertown-whitebox", "r740-6148")


def variants(scenario: Scenario, **varied: Any) -> WhatIf:
    return what_if(scenario, KNOWLEDGE, **varied)


@st.composite
def vms(draw: st.DrawFn, id: str, hosts: int) -> Vm:
    places = [f"h{n + 1}" for n in range(hosts)]
    return a_vm(
        id,
        draw(st.sampled_from([0.0, 700.0, 4000.0])),
        host=draw(st.sampled_from([*places, *places, None])),
        pool=draw(st.sampled_from(["p1", "p2", None])),
        vcpus=draw(st.integers(1, 4)),
        ram_gib=8.0,
        disk_mode=draw(st.sampled_from([DiskMode.VMFS, DiskMode.RDM, DiskMode.LOCAL])),
        kind=draw(st.sampled_from([WorkloadKind.DOMINO_NRPC, *WorkloadKind])),
        release=draw(st.sampled_from(["8.5.1", "7.0.2", "6.5", ""])),
        cpu_mhz=500.0,
        powered_on=draw(st.sampled_from([True, True, False])),
        fault_tolerance=draw(st.sampled_from([True, False, False])),
        cluster_partners=draw(st.sampled_from([(), ("m0",)])),
        restart_priority=draw(st.sampled_from(list(RestartPriority))),
        guest_bits=draw(st.sampled_from([None, 64])),
    )


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    hosts = draw(st.integers(1, 4))
    base = a_cluster_of(hosts, vms=0)
    server = draw(st.sampled_from(SERVERS))
    counted = AdmissionPolicy.HOST_FAILURES
    admission = Admission(policy=counted, host_failures=draw(st.sampled_from([1, 2, 2, 3])))
    return replace(
        base,
        clusters=(replace(base.clusters[0], admission=admission),),
        hosts=tuple(
            replace(
                host,
                server=draw(st.sampled_from([server, server, *SERVERS])),
                hypervisor=draw(st.sampled_from(["vsphere-4.0", "vsphere-4.0", "esx-3.0.1"])),
                ram_gib=draw(st.sampled_from([16.0, 48.0])),
                cluster=draw(st.sampled_from(["c1", "c1", "c1", None])),
                ft_logging_gbps=1.0,
            )
            for host in base.hosts
        ),
        pools=(a_pool("p1"), a_pool("p2", spindles=8)),
        vms=tuple(draw(vms(f"m{n}", hosts)) for n in range(draw(st.integers(0, 5)))),
    )


@st.composite
def cases(draw: st.DrawFn) -> tuple[Scenario, dict[str, np.ndarray]]:
    scenario = draw(scenarios())
    rows, n, h = draw(st.integers(1, 3)), len(scenario.vms), len(scenario.hosts)

    def table(values: st.SearchStrategy[Any], width: int) -> np.ndarray:
        drawn = [[draw(values) for _ in range(width)] for _ in range(rows)]
        return np.array(drawn).reshape(rows, width)

    return scenario, {
        "users": table(st.floats(0, 9000), n).astype(np.float64),
        "ram_gib": table(st.sampled_from([4.0, 7.25, 8.0, 14.5, 20.0]), n).astype(np.float64),
        "hosts_down": table(st.sampled_from([False, False, True]), h).astype(np.bool_),
    }


def edited(scenario: Scenario, row: int, varied: dict[str, np.ndarray], host: IntArray) -> Scenario:
    """The scenario of one row, with its VMs where the row has them.

    A VM that lost its Fault Tolerance secondary, or runs on in it, is protected no longer; what
    may stay down with its host is switched off.
    """
    ids = [h.id for h in scenario.hosts]
    down = varied["hosts_down"][row]
    loaded = replace(
        scenario,
        vms=tuple(
            replace(
                vm,
                ram_gib=float(varied["ram_gib"][row, n]),
                workload=replace(vm.workload, active_users=float(varied["users"][row, n])),
            )
            for n, vm in enumerate(scenario.vms)
        ),
    )
    unprotected = lost_protection(loaded, down)
    off = down_by_design(to_arrays(loaded, CATALOG), down)
    return replace(
        loaded,
        hosts=tuple(
            replace(h, cluster=None) if gone else h
            for h, gone in zip(scenario.hosts, down, strict=True)
        ),
        vms=tuple(
            replace(
                vm,
                host=None if host[n] < 0 else ids[host[n]],
                powered_on=vm.powered_on and not (off[n] and host[n] < 0),
                fault_tolerance=vm.fault_tolerance and vm.id not in unprotected,
            )
            for n, vm in enumerate(loaded.vms)
        ),
    )


def lost_protection(scenario: Scenario, down: BoolArray) -> set[str]:
    """VMs with a secondary of which one half was on a host that is down."""
    arrays = to_arrays(scenario, CATALOG)
    vm = vm_stage(arrays, scenario.policy.derating, KNOWLEDGE, Sources())
    gone = {h.id for h, is_down in zip(scenario.hosts, down, strict=True) if is_down}
    places = zip(scenario.vms, host_stage(vm, scenario.policy).secondary.tolist(), strict=True)
    return {
        vm.id for vm, there in places if there >= 0 and {vm.host, scenario.hosts[there].id} & gone
    }


def same_as(found: WhatIf, row: int, expected: Prediction) -> None:
    for name, table in (
        ("vm_cpu_pct", expected.vms.cpu_pct),
        ("vm_iops", expected.vms.iops),
        ("vm_ram_gib", expected.vms.ram_gib),
        ("vm_response_ms", expected.vms.response_ms),
        ("host_cpu_pct", expected.hosts.cpu_pct),
        ("host_ram_pct", expected.hosts.ram_pct),
        ("pool_utilisation_pct", expected.pools.utilisation_pct),
        ("pool_latency_ms", expected.pools.latency_ms),
    ):
        ends: Ends = getattr(found, name)
        for end in ("value", "low", "high"):
            own, other = getattr(ends, end)[row], getattr(table, end)
            assert own == pytest.approx(other, rel=1e-9, nan_ok=True), (name, end)
    for name in ("cpu", "ram", "iops", "response", "failure"):
        left = getattr(expected.headroom, f"{name}_pct")
        own = getattr(found, f"{name}_headroom_pct")[row]
        assert own == pytest.approx(np.nan if left is None else left, rel=1e-9, nan_ok=True), name
    if not refuses(expected):
        assert found.verdict[row] == expected.verdict


def refuses(prediction: Prediction) -> bool:
    """Whether admission control refuses VMs: of variants that is looked at before they vary."""
    return any(each.rule == "admission-not-met" for each in prediction.findings)


@dear()
@given(cases())
def test_each_row_is_the_prediction_of_the_edited_scenario(
    case: tuple[Scenario, dict[str, np.ndarray]],
) -> None:
    scenario, varied = case
    found = variants(scenario, **varied)
    assume(not refuses(predict(scenario)))
    for row in range(len(found)):
        same_as(found, row, predict(edited(scenario, row, varied, found.host[row])))


FOUR = replace(
    a_cluster_of(4, vms=0),
    pools=(a_pool("p1"),),
    vms=tuple(
        a_vm(f"m{n}", users, host=f"h{n % 4 + 1}", vcpus=2 + n % 3, ram_gib=4.0 + n % 5)
        for n, users in enumerate((900, 2500, 700, 3100, 1800, 400, 2200, 3600, 150, 2900))
    ),
)


@pytest.mark.parametrize("ram_gib", [72.0, 18.0])
def test_one_host_down_is_its_failure_mode(ram_gib: float) -> None:
    scenario = replace(FOUR, hosts=tuple(replace(h, ram_gib=ram_gib) for h in FOUR.hosts))
    found = variants(scenario, hosts_down=np.eye(4, dtype=np.bool_))
    for row, mode in enumerate(predict(scenario).failures):
        nowhere = [vm.id for n, vm in enumerate(scenario.vms) if found.host[row, n] < 0]
        assert sorted(nowhere) == mode.stranded
        assert np.max(found.host_cpu_pct.value[row]) == pytest.approx(mode.cpu_pct.value)
        assert np.max(found.host_ram_pct.value[row]) == pytest.approx(mode.ram_pct.value)
        if not nowhere:
            slowest = np.nanmax(found.vm_response_ms.value[row])
            assert slowest == pytest.approx(mode.response_ms.value)


def test_all_hosts_down_leave_nothing_running() -> None:
    found = variants(FOUR, hosts_down=np.ones((1, 4), dtype=np.bool_))
    assert (found.host == -1).all()
    assert (found.host_cpu_pct.value == 0).all()
    assert found.verdict[0] == Verdict.AT_RISK


def test_a_vm_whose_secondary_is_gone_has_no_other_one() -> None:
    plain = a_cluster_of(3, vms=2, vcpus=1, host="h1", fault_tolerance=True)
    scenario = replace(plain, hosts=tuple(replace(h, ft_logging_gbps=1.0) for h in plain.hosts))
    found = variants(scenario, hosts_down=[[False, False, True]])
    whole, with_one_less = predict(scenario).hosts.ram_pct.value, found.host_ram_pct.value[0]
    assert with_one_less[:2] == pytest.approx(whole[:2])
    assert with_one_less[2] < whole[2]


def test_a_secondary_takes_over_where_it_runs() -> None:
    plain = a_cluster_of(3, vms=1, vcpus=1, fault_tolerance=True)
    scenario = replace(plain, hosts=tuple(replace(h, ft_logging_gbps=1.0) for h in plain.hosts))
    found = variants(scenario, hosts_down=[[True, False, False], [False, True, False]])
    assert found.host[:, 0].tolist() == [1, 0]


@pytest.mark.parametrize("gone", ["h1", "h2", "h3"])
def test_what_is_left_of_fault_tolerance_is_what_a_loss_leaves(gone: str) -> None:
    """A secondary that took over is protected no longer, nor is what lost its secondary."""
    plain = a_cluster_of(3, vms=2, vcpus=1, fault_tolerance=True)
    scenario = replace(plain, hosts=tuple(replace(h, ft_logging_gbps=1.0) for h in plain.hosts))
    down = [[host.id == gone for host in scenario.hosts]]
    found = variants(scenario, hosts_down=down)
    left = predict(lose_host(scenario, KNOWLEDGE, gone).scenario)
    assert found.verdict[0] == left.verdict
    assert found.host_ram_pct.value[0] == pytest.approx(left.hosts.ram_pct.value)
    assert found.host_cpu_pct.value[0] == pytest.approx(left.hosts.cpu_pct.value)


def test_a_factor_multiplies_the_users_of_all() -> None:
    factors = np.array([0.5, 1.0, 2.0])
    own = np.array([vm.workload.active_users for vm in FOUR.vms])
    by_factor, by_users = (
        variants(FOUR, factor=factors),
        variants(FOUR, users=factors[:, None] * own),
    )
    assert (by_factor.vm_cpu_pct.value == by_users.vm_cpu_pct.value).all()
    assert (by_factor.vm_cpu_pct.value[2] > by_factor.vm_cpu_pct.value[0]).all()


def test_mail_files_are_those_of_the_registered() -> None:
    plain = a_scenario(vms=(a_vm(users=1000.0, mail_file_mb=150.0),))
    registered = [np.nan, 40_000.0, 80_000.0]
    codes = variants(plain, registered=[[owners] for owners in registered]).verdict
    for owners, code in zip(registered[1:], codes[1:], strict=True):
        work = replace(plain.vms[0].workload, registered_users=owners)
        alone = predict(replace(plain, vms=(replace(plain.vms[0], workload=work),)))
        assert code == alone.verdict
    assert codes[0] == predict(plain).verdict < codes[2]


def test_chunks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    factors = np.linspace(0.1, 3.0, 7)
    whole = variants(FOUR, factor=factors)
    monkeypatch.setattr(whatif, "CHUNK_ROWS", 20)
    parts = variants(FOUR, factor=factors)
    assert np.array_equal(whole.vm_response_ms.value, parts.vm_response_ms.value, equal_nan=True)
    assert (whole.verdict == parts.verdict).all()
    assert len(parts) == 7


def test_no_variants_and_no_vms_are_fine() -> None:
    assert len(variants(FOUR, factor=[])) == 0
    assert variants(a_scenario(vms=(), hosts=(a_host(),)), factor=[1.0]).verdict.tolist() == [0]


@pytest.mark.parametrize(
    ("varied", "message"),
    [
        ({}, "nothing is varied"),
        ({"users": [[1.0] * 10], "factor": [1.0]}, "not both"),
        ({"users": [[1.0] * 9]}, r"users: has the shape \(1, 9\) instead of \(1, 10\)"),
        ({"factor": [1.0, 2.0], "hosts_down": [[True] * 4]}, "hosts_down: has the shape"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(varied: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        variants(FOUR, **varied)

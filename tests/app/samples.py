"""Hand-made scenarios and predictions: known values without any model behind them."""

from __future__ import annotations

from functools import cache

import numpy as np

from models.base.quantities import Basis, FloatArray, Series, series
from models.predict.prediction import (
    Finding,
    Headroom,
    HostPrediction,
    PoolPrediction,
    Prediction,
    Severity,
    Verdict,
    VmPrediction,
    Why,
)
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Cluster,
    DiskMode,
    Host,
    Pool,
    Scenario,
    Vm,
    Workload,
)
from models.scenario.workloads import WorkloadKind

KINDS = (
    WorkloadKind.DOMINO_NRPC,
    WorkloadKind.DOMINO_NRPC,
    WorkloadKind.DOMINO_INOTES,
    WorkloadKind.SAMETIME_COMMUNITY,
    WorkloadKind.GENERIC,
)


def workload(kind: WorkloadKind = WorkloadKind.DOMINO_NRPC, users: float = 2000) -> Workload:
    if kind is WorkloadKind.GENERIC:
        return Workload(kind=kind, cpu_mhz=900.0, iops=60.0, memory_gib=4.0, disk_gib=80.0)
    return Workload(kind=kind, release="8.5.1", active_users=users, mail_file_mb=150.0)


def vm(number: int, host: str | None, *, kind: WorkloadKind | None = None) -> Vm:
    chosen = kind or KINDS[number % len(KINDS)]
    names = {WorkloadKind.SAMETIME_COMMUNITY: "Chat", WorkloadKind.GENERIC: "Print"}
    return Vm(
        id=f"m{number}",
        name=f"{names.get(chosen, 'Mail')}-{number:02d}",
        host=host,
        pool="p1",
        vcpus=2,
        ram_gib=8.0,
        disk_mode=DiskMode.VMFS,
        workload=workload(chosen, 1000 + 500 * (number % 7)),
    )


def host(number: int, cluster: str | None = "c1", hypervisor: str = "vsphere-4.0") -> Host:
    return Host(
        id=f"h{number}",
        name=f"esx{number}",
        server="nehalem-ept",
        hypervisor=hypervisor,
        ram_gib=64.0,
        cluster=cluster,
    )


def pool(number: int) -> Pool:
    return Pool(
        id=f"p{number}",
        name=f"Data {number}",
        array="ibm-ds4800",
        disk="fc-15k-144gb",
        spindles=24,
        raid="10",
    )


@cache
def scenario(hosts: int = 3, vms: int = 7, *, unplaced: int = 1) -> Scenario:
    """One cluster of `hosts`, `vms` spread over them in turn, `unplaced` VMs beside them."""
    placed = tuple(vm(n, f"h{(n - 1) % hosts + 1}") for n in range(1, vms + 1))
    beside = tuple(vm(n, None) for n in range(vms + 1, vms + unplaced + 1))
    admission = Admission(policy=AdmissionPolicy.HOST_FAILURES, host_failures=1)
    return Scenario(
        name="Sample",
        clusters=(Cluster(id="c1", name="Mail", admission=admission),),
        hosts=tuple(host(n) for n in range(1, hosts + 1)),
        pools=(pool(1), pool(2)),
        vms=placed + beside,
    )


def numbers(values: FloatArray, basis: Basis = Basis.INTERPOLATED) -> Series:
    return series(values, values * 0.9, values * 1.1, basis=basis)


def prediction(of: Scenario) -> Prediction:
    """Numbers that rise with position, so that each card shows others; every verdict occurs."""
    return Prediction(
        scenario=of.name,
        model_version="hand-made",
        verdict=Verdict.AT_RISK,
        by_resource={},
        normal=Verdict.DOES_NOT_FIT,
        why=Why("Hand-made: at risk", led=False),
        binding=None,
        runner_up=None,
        headroom=Headroom(
            cpu_pct=30.0, ram_pct=20.0, iops_pct=10.0, response_pct=None, failure_pct=-5.0
        ),
        vms=_vms(of),
        hosts=_hosts(of),
        pools=_pools(of),
        failures=(),
        findings=(
            Finding(
                rule="sample",
                severity=Severity.WARNING,
                subject=of.vms[0].id if of.vms else "",
                clause="A hand-made finding",
                fix="None needed.",
                source="hand-made",
            ),
        ),
    )


def _verdicts(count: int) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    return np.array([0, 2, 3, 1] * count, dtype=np.int8)[:count]


def _vms(of: Scenario) -> VmPrediction:
    count = len(of.vms)
    steps = np.arange(count, dtype=np.float64)
    response = 80.0 + 31.0 * steps
    response[3::5] = np.nan
    return VmPrediction(
        ids=tuple(vm.id for vm in of.vms),
        cpu_pct=numbers(20.0 + steps * 7 % 75),
        iops=numbers(40.0 + steps),
        ram_gib=numbers(8.3 + 0 * steps),
        ready_pct=numbers(0.5 + 0 * steps),
        response_ms=numbers(response),
        network_mbps=numbers(12.0 + steps),
        transactions_per_min=numbers(900.0 + steps),
        offered_users=1000.0 + steps,
        verdict=_verdicts(count),
    )


def _hosts(of: Scenario) -> HostPrediction:
    count = len(of.hosts)
    load = np.array([float(len(of.vms_on(h.id))) for h in of.hosts])
    cpu = np.minimum(12.0 * load + 5.0 * np.arange(count), 98.0)
    failure = cpu * 1.35 if count > 1 else np.full(count, np.nan)
    return HostPrediction(
        ids=tuple(host.id for host in of.hosts),
        cpu_pct=numbers(cpu),
        cpu_peak_pct=cpu,
        ram_pct=numbers(10.0 + 11.0 * load),
        ram_limit_pct=np.full(count, of.policy.memory_overcommit * 100.0),
        network_pct=numbers(np.full(count, np.nan) if count == 2 else 4.0 * load),
        vcpus_per_core=load / 2,
        failure_cpu_pct=failure,
        failure_ram_pct=(10.0 + 11.0 * load) * 1.3 if count > 1 else failure,
        verdict=_verdicts(count),
    )


def _pools(of: Scenario) -> PoolPrediction:
    count = len(of.pools)
    steps = np.arange(count, dtype=np.float64)
    return PoolPrediction(
        ids=tuple(pool.id for pool in of.pools),
        iops=numbers(900.0 + 100.0 * steps),
        utilisation_pct=numbers(40.0 + 25.0 * steps),
        latency_ms=numbers(6.0 + steps),
        capacity_pct=numbers(55.0 + steps),
        usable_gib=np.full(count, 1500.0),
        limit_iops=np.full(count, 2100.0),
        verdict=_verdicts(count),
    )

"""Scenarios of any size, for timing and tests: always the same for the same size."""

from __future__ import annotations

from models.scenario import (
    Admission,
    AdmissionPolicy,
    Cluster,
    DiskMode,
    Host,
    Pool,
    Scenario,
    Vm,
    Workload,
    WorkloadKind,
)

HOSTS_PER_CLUSTER = 16
VMS_PER_POOL = 50
_SERVERS = ("ibm-x3650", "nehalem-ept", "intel-clovertown-whitebox")
_KINDS = (
    WorkloadKind.DOMINO_NRPC,
    WorkloadKind.DOMINO_INOTES,
    WorkloadKind.DOMINO_NRPC,
    WorkloadKind.SAMETIME_MUX,
    WorkloadKind.GENERIC,
)


def synthetic_scenario(hosts: int, vms: int) -> Scenario:
    """Mixed servers and workloads in clusters that tolerate one failure, VMs spread evenly.

    >>> scenario = synthetic_scenario(20, 200)
    >>> len(scenario.hosts), len(scenario.vms), len(scenario.clusters)
    (20, 200, 2)
    """
    admission = Admission(policy=AdmissionPolicy.HOST_FAILURES, host_failures=1)
    return Scenario(
        name=f"{hosts} hosts, {vms} VMs",
        clusters=tuple(
            Cluster(id=f"c{i}", name=f"Cluster {i}", admission=admission)
            for i in range(-(-hosts // HOSTS_PER_CLUSTER))
        ),
        hosts=tuple(_host(i) for i in range(hosts)),
        pools=tuple(_pool(i) for i in range(-(-vms // VMS_PER_POOL))),
        vms=tuple(_vm(i, hosts) for i in range(vms)),
    )


def _host(i: int) -> Host:
    return Host(
        id=f"h{i}",
        name=f"ESX-{i}",
        server=_SERVERS[i % len(_SERVERS)],
        hypervisor="vsphere-4.1",
        ram_gib=96.0,
        cluster=f"c{i // HOSTS_PER_CLUSTER}",
    )


def _pool(i: int) -> Pool:
    return Pool(
        id=f"p{i}",
        name=f"Pool {i}",
        array=("ibm-ds4800", "netapp-fas3020")[i % 2],
        disk="fc-15k-144gb",
        spindles=60,
        raid=("10", "dp")[i % 2],
    )


def _vm(i: int, hosts: int) -> Vm:
    return Vm(
        id=f"m{i}",
        name=f"VM-{i}",
        host=f"h{i % hosts}",
        pool=f"p{i // VMS_PER_POOL}",
        vcpus=1 + i % 4,
        ram_gib=4.0 + 2 * (i % 5),
        disk_mode=(DiskMode.VMFS, DiskMode.RDM)[i % 2],
        workload=_workload(i),
    )


def _workload(i: int) -> Workload:
    kind = _KINDS[i % len(_KINDS)]
    if kind is WorkloadKind.GENERIC:
        return Workload(kind=kind, cpu_mhz=400.0, iops=50.0, memory_gib=2.0, disk_gib=80.0)
    return Workload(
        kind=kind, release="8.5.1", active_users=200.0 + 25 * (i % 9), mail_file_mb=100.0
    )

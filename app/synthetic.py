"""Scenarios of any size, for timing and tests: always the same for the same size."""

from __future__ import annotations

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

HOSTS_PER_CLUSTER = 16
VMS_PER_POOL = 50
OVERLOAD = 40.0
"""Load per server of an overloaded estate over those of a healthy one."""

_RELEASES = ("8.5.1", "8.5.1", "7.0.2")
_ROLES = (
    WorkloadKind.DOMINO_NRPC,
    WorkloadKind.DOMINO_NRPC,
    WorkloadKind.DOMINO_INOTES,
    WorkloadKind.DOMINO_NRPC,
    WorkloadKind.GENERIC,
)


def synthetic_scenario(hosts: int, vms: int, *, load: float = 1.0) -> Scenario:
    """A mail estate in clusters that tolerate one failure, VMs spread evenly.

    Healthy at about ten VMs a host, as far as is known: no response time of iNotes was published.
    Load is light, so that the high ends of response time stay within their limit with a host or a
    controller gone. `load` multiplies that of every server.

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
        vms=tuple(_vm(i, hosts, load) for i in range(vms)),
    )


def _host(i: int) -> Host:
    return Host(
        id=f"h{i}",
        name=f"ESX-{i}",
        server="nehalem-ept",
        hypervisor="vsphere-4.1",
        ram_gib=144.0,
        nics=4,
        cluster=f"c{i // HOSTS_PER_CLUSTER}",
    )


def _pool(i: int) -> Pool:
    return Pool(
        id=f"p{i}",
        name=f"Pool {i}",
        array=("ibm-ds4800", "netapp-fas3020")[i % 2],
        disk="fc-15k-144gb",
        spindles=80,
        raid=("10", "dp")[i % 2],
    )


def _vm(i: int, hosts: int, load: float) -> Vm:
    return Vm(
        id=f"m{i}",
        name=f"VM-{i}",
        host=f"h{i % hosts}",
        pool=f"p{i // VMS_PER_POOL}",
        vcpus=1 + i // 3 % 2,
        ram_gib=2.0 + 2 * (i % 3),
        disk_mode=(DiskMode.VMFS, DiskMode.RDM)[i % 2],
        system_disk_gib=20.0,
        workload=_workload(i, load),
    )


def _workload(i: int, load: float) -> Workload:
    kind = _ROLES[i % len(_ROLES)]
    if kind is WorkloadKind.GENERIC:
        return Workload(
            kind=kind,
            cpu_mhz=40.0 * load,
            iops=4.0 * load,
            memory_gib=2.0,
            disk_gib=40.0,
            network_mbps=0.2 * load,
        )
    return Workload(
        kind=kind,
        release=_RELEASES[i % len(_RELEASES)],
        active_users=(16.0 + 2 * (i % 9)) * load,
        mail_file_mb=150.0,
    )

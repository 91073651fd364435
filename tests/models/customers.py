"""A customer whose servers were measured."""

from __future__ import annotations

from models.scenario.scenario import (
    PRODUCTION,
    DiskMode,
    Host,
    Policy,
    Scenario,
    Vm,
    Workload,
)
from models.scenario.workloads import WorkloadKind

VCPUS = 16


def customer(users: list[float], policy: Policy = PRODUCTION) -> Scenario:
    """A Domino server a host, with these users, and one VM of another kind."""
    kinds = [
        Workload(
            kind=WorkloadKind.DOMINO_NRPC, release="9.0.1", active_users=count, mail_file_mb=300.0
        )
        for count in users
    ]
    work = [*kinds, Workload(kind=WorkloadKind.GENERIC, cpu_mhz=1000.0)]
    vms = tuple(
        Vm(
            id=f"m{n}",
            name=f"Mail{n}",
            host=f"h{n}",
            pool=None,
            vcpus=VCPUS,
            ram_gib=32.0,
            disk_mode=DiskMode.VMFS,
            workload=each,
        )
        for n, each in enumerate(work)
    )
    hosts = tuple(
        Host(id=f"h{n}", name=f"esx{n}", server="r720", hypervisor="vsphere-5.5", ram_gib=64.0)
        for n in range(len(work))
    )
    return Scenario(name="customer", policy=policy, hosts=hosts, vms=vms)

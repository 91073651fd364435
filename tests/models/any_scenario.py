"""Small scenarios of any kind, made at random from the catalog."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Cluster,
    DiskMode,
    Growth,
    Host,
    LoadBasis,
    Loss,
    Policy,
    Pool,
    Posture,
    Scenario,
    Vm,
    Workload,
)
from models.scenario.workloads import WorkloadKind

MACHINES = (
    ("nehalem-ept", "vsphere-4.0", 96.0, (2, 4), (4.0, 8.0)),
    ("r740-6148", "vsphere-6.7", 384.0, (2, 4, 8), (8.0, 16.0, 32.0)),
    ("r740-6148", "vsphere-7.0", 192.0, (4, 8), (8.0, 16.0)),
    ("r760-6530", "vsphere-8.0", 512.0, (4, 8, 16), (16.0, 32.0)),
    ("intel-clovertown-whitebox", "esx-3.0.1", 16.0, (2, 4), (2.0, 4.0)),
)
"""Server, hypervisor and memory [GiB]; vCPUs and memory of its VMs."""

POOLS = (
    ("netapp-fas3020", "fc-15k-144gb", "dp"),
    ("ibm-ds4800", "fc-15k-36gb", "5"),
    ("gen-afa-mid", "nvme", "6"),
    ("pure-c60", "nvme", "10"),
)
RELEASES = ("7.0.2", "8.5.1", "9.0.1", "12.0.2", "14.0")


def any_scenario(seed: int) -> Scenario:
    """One to four hosts, one or two pools, up to eight VMs, under any policy."""
    rng = np.random.default_rng(seed)
    server, hypervisor, ram, vcpus, gib = MACHINES[int(rng.integers(len(MACHINES)))]
    hosts = tuple(
        Host(
            id=f"h{row}",
            name=f"esx{row}",
            server=server,
            hypervisor=hypervisor,
            ram_gib=ram,
            cluster="c1" if rng.random() < 0.9 else None,
            failure_group=str(rng.choice(["rack 1", "rack 2"])) if rng.random() < 0.3 else None,
        )
        for row in range(1, int(rng.integers(1, 5)) + 1)
    )
    pools = tuple(_pool(rng, f"p{row}") for row in range(1, int(rng.integers(1, 3)) + 1))
    policy = _policy(rng)
    crowd = float(10 ** rng.uniform(0.7, 2.9))
    count = int(rng.integers(1, 9))
    vms = [
        replace(
            _vm(rng, row, hosts, pools, crowd),
            vcpus=int(rng.choice(vcpus)),
            ram_gib=float(rng.choice(gib)),
        )
        for row in range(1, count + 1)
    ]
    if rng.random() < 0.4:
        vms = _paired(vms)
    admission = Admission(
        policy=tuple(AdmissionPolicy)[int(rng.integers(len(AdmissionPolicy)))],
        host_failures=1,
        cpu_pct=float(rng.choice([1.0, 25.0, 50.0])),
        ram_pct=float(rng.choice([1.0, 25.0, 50.0])),
    )
    return Scenario(
        name=f"any {seed}",
        policy=policy,
        growth=Growth(
            years=float(rng.integers(1, 5)),
            users_pct=float(rng.integers(0, 30)),
            mail_pct=float(rng.integers(0, 30)),
            load_pct=float(rng.integers(0, 10)),
        ),
        clusters=(Cluster(id="c1", name="Mail", admission=admission),),
        hosts=hosts,
        pools=pools,
        vms=tuple(vms),
    )


def _pool(rng: np.random.Generator, id: str) -> Pool:
    array, disk, raid = POOLS[int(rng.integers(len(POOLS)))]
    drives = int(rng.choice([8, 16, 24]))
    return Pool(id=id, name=id.upper(), array=array, disk=disk, spindles=drives, raid=raid)


def _policy(rng: np.random.Generator) -> Policy:
    losses = [loss for loss in Loss if rng.random() < 0.6]
    return Policy(
        load_basis=tuple(LoadBasis)[int(rng.integers(2))],
        posture=tuple(Posture)[int(rng.integers(3))],
        survive=tuple(losses),
        benchmark_derating=float(rng.choice([1.0, 2.0, 4.0])),
        peak_factor_cpu=float(rng.choice([1.0, 1.5])),
        peak_factor_iops=float(rng.choice([1.0, 1.5])),
    )


def _vm(
    rng: np.random.Generator,
    row: int,
    hosts: tuple[Host, ...],
    pools: tuple[Pool, ...],
    crowd: float,
) -> Vm:
    generic = rng.random() < 0.15
    work = Workload(
        kind=WorkloadKind.DOMINO_INOTES if rng.random() < 0.15 else WorkloadKind.DOMINO_NRPC,
        release=str(rng.choice(RELEASES)),
        active_users=float(round(crowd * rng.uniform(0.5, 1.5))),
        registered_users=None
        if rng.random() < 0.5
        else float(round(crowd * rng.uniform(1.5, 4.0))),
        mail_file_mb=float(rng.choice([50, 200, 800])),
    )
    if generic:
        work = Workload(
            kind=WorkloadKind.GENERIC,
            active_users=0.0,
            cpu_mhz=None if rng.random() < 0.07 else float(rng.integers(200, 6000)),
            iops=None if rng.random() < 0.07 else float(rng.integers(5, 900)),
            disk_gib=float(rng.integers(20, 400)),
        )
    unplaced = rng.random() < 0.01
    return Vm(
        id=f"m{row}",
        name=f"Mail-{row:02}",
        host=None if unplaced else hosts[int(rng.integers(len(hosts)))].id,
        pool=pools[int(rng.integers(len(pools)))].id,
        vcpus=2,
        ram_gib=4.0,
        disk_mode=DiskMode.VMFS,
        workload=work,
        powered_on=bool(rng.random() > 0.05),
    )


def _paired(vms: list[Vm]) -> list[Vm]:
    """Domino servers two by two in clusters of their own."""
    domino = [vm for vm in vms if vm.workload.kind.is_domino]
    partner = dict[str, str]()
    for one, other in zip(domino[::2], domino[1::2], strict=False):
        partner |= {one.id: other.id, other.id: one.id}
    return [
        replace(vm, cluster_partners=(partner[vm.id],)) if vm.id in partner else vm for vm in vms
    ]

"""A session with the real model and a made-up scenario."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.calibrated import shipped_knowledge
from app.session import Session
from app.work import Job
from models.project.project import Project
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Cluster,
    DiskMode,
    Host,
    Policy,
    Pool,
    Scenario,
    Vm,
    Workload,
)
from models.scenario.workloads import WorkloadKind


class Waiting:
    """A pool that runs its jobs when it is told to."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def start(self, job: Job, /) -> None:
        self.jobs.append(job)

    def run(self) -> None:
        while self.jobs:
            self.jobs.pop(0).run()


def mail_vm(number: int, host: str | None, users: float = 2000.0) -> Vm:
    """A VM as WV21 measured it."""
    return Vm(
        id=f"m{number}",
        name=f"Mail-{number:02d}",
        host=host,
        pool="p1",
        vcpus=4,
        ram_gib=7.25,
        disk_mode=DiskMode.VMFS,
        workload=Workload(
            kind=WorkloadKind.DOMINO_NRPC, release="7.0.2", active_users=users, mail_file_mb=87.5
        ),
    )


def two_hosts(vms: int = 3) -> Scenario:
    """WV21's machine twice in one cluster, with VMs on both."""
    admission = Admission(policy=AdmissionPolicy.HOST_FAILURES)
    return Scenario(
        name="Two hosts",
        policy=Policy(benchmark_derating=1.0),
        clusters=(Cluster(id="c1", name="Mail", admission=admission),),
        hosts=tuple(
            Host(
                id=f"h{n}",
                name=f"esx{n}",
                cluster="c1",
                server="intel-clovertown-whitebox",
                hypervisor="esx-3.0.1",
                ram_gib=32.0,
            )
            for n in (1, 2)
        ),
        pools=(
            Pool(
                id="p1",
                name="DS4800 data",
                array="ibm-ds4800",
                disk="fc-15k-36gb",
                spindles=35,
                raid="5",
            ),
        ),
        vms=tuple(mail_vm(n, f"h{2 - n % 2}") for n in range(1, vms + 1)),
    )


def session_of(scenario: Scenario) -> Session:
    return Session(Project.of(scenario), shipped_knowledge())


Place = Callable[[QWidget, int, int], None]

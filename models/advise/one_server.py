"""One mail server on a host of its own, as the documents ran them: what the model says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from models.advise.advice import CitedKnowledge
from models.base.quantities import Quantity
from models.evaluate import evaluate
from models.predict.prediction import VmPrediction
from models.scenario.scenario import (
    NO_HYPERVISOR,
    DiskMode,
    Host,
    Policy,
    Pool,
    Scenario,
    Vm,
    Workload,
)
from models.scenario.workloads import WorkloadKind

ARRAY, DISK, SPINDLES, RAID = "ibm-ds4800", "fc-15k-36gb", 35, "5"
"""Disks of every run of WV21."""

NARROW_GIB = 4.0
"""Memory beyond which a 32-bit guest of the documents used PAE."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OneServer:
    """A mail server alone on its host.

    Attributes:
        hypervisor: of the catalog; ``none`` for a physical server.
        mode: how it reaches its disks; of a physical server it doesn't matter.
        bits: of its operating system.
        derating: benchmark users of each of its users.
    """

    server: str
    hypervisor: str
    users: float
    ram_gib: float
    mode: DiskMode = DiskMode.VMFS
    vcpus: int = 4
    bits: int = 64
    release: str = "7.0.2"
    mail_file_mb: float = 87.5
    derating: float = 1.0

    @property
    def scenario(self) -> Scenario:
        """It on drives like those of the documents."""
        physical = self.hypervisor == NO_HYPERVISOR
        host = Host(
            id="h",
            name="h",
            server=self.server,
            hypervisor=self.hypervisor,
            ram_gib=self.ram_gib + (0.0 if physical else 4.0),
        )
        pool = Pool(id="p", name="p", array=ARRAY, disk=DISK, spindles=SPINDLES, raid=RAID)
        workload = Workload(
            kind=WorkloadKind.DOMINO_NRPC,
            release=self.release,
            active_users=self.users,
            mail_file_mb=self.mail_file_mb,
        )
        vm = Vm(
            id="m",
            name="m",
            host="h",
            pool="p",
            vcpus=self.vcpus,
            ram_gib=self.ram_gib,
            disk_mode=DiskMode.PHYSICAL if physical else self.mode,
            guest_bits=self.bits,
            guest_pae=self.bits == 32 and self.ram_gib > NARROW_GIB,
            workload=workload,
        )
        policy = Policy(benchmark_derating=self.derating)
        return Scenario(name="one server", policy=policy, hosts=(host,), pools=(pool,), vms=(vm,))

    def predicted(self, knowledge: CitedKnowledge) -> ServerNumbers:
        """What the model says of it, and what was measured of this very server.

        Raises:
            ModelError: an id that the catalog doesn't have.
        """
        found = evaluate(self.scenario, knowledge).vms
        return ServerNumbers.of(found, 0)


@dataclass(frozen=True, slots=True)
class ServerNumbers:
    """CPU of its vCPUs [%] and response [ms]."""

    cpu_pct: Quantity
    response_ms: Quantity

    @classmethod
    def of(cls, vms: VmPrediction, row: int) -> ServerNumbers:
        return cls(vms.cpu_pct[row], vms.response_ms[row])


def predicted_each(
    servers: Sequence[OneServer], knowledge: CitedKnowledge
) -> tuple[ServerNumbers, ...]:
    """As `OneServer.predicted`, of several in one go: each has host and drives of its own. All
    have the derating of the first."""
    alone = [each.scenario for each in servers]
    together = replace(
        alone[0],
        hosts=tuple(replace(each.hosts[0], id=f"h{row}") for row, each in enumerate(alone)),
        pools=tuple(replace(each.pools[0], id=f"p{row}") for row, each in enumerate(alone)),
        vms=tuple(
            replace(each.vms[0], id=f"m{row}", host=f"h{row}", pool=f"p{row}")
            for row, each in enumerate(alone)
        ),
    )
    found = evaluate(together, knowledge).vms
    return tuple(ServerNumbers.of(found, row) for row in range(len(servers)))

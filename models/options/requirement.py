"""A requirement: who is to be served, on what, for how long, and what counts as cheap."""

from __future__ import annotations

from dataclasses import field
from functools import partial

from models.base.fields import described, needed, of_fields, optional
from models.base.limits import LEAST
from models.base.texts import say
from models.scenario.scenario import (
    PRODUCTION,
    AdmissionPolicy,
    Growth,
    Policy,
    Scenario,
    Vm,
    Workload,
)
from models.scenario.workloads import WORKLOADS, Law

MOST_HOSTS, MOST_FAILURES = 64, 8
MOST_VMS, MOST_LOADS = 2048, 24
"""Of a requirement; what is larger is several requirements."""

_units = partial(described, ge=0, le=1e6)


@of_fields
class Load:
    """Users of one kind and the VMs that are to be made for them.

    Attributes:
        work: users of all of these VMs together, today.
    """

    work: Workload = needed(say("workload"))
    vms: int | None = optional(
        say("VMs"), meaning="How many; null: what is worth looking at.", ge=1, le=MOST_VMS
    )
    vcpus: int | None = optional(say("vCPUs"), meaning="Of each VM; null: likewise.", ge=1, le=1024)
    ram_gib: float | None = optional(
        say("RAM"), meaning="Of each VM [GiB]; null: likewise.", ge=LEAST, le=65_536
    )


@of_fields
class Units:
    """What a host, a core, a GiB of its RAM and a drive count in units of the user's own: there are
    no price lists here."""

    host: float = _units(10.0, say("host"), meaning="Units of a host.")
    core: float = _units(0.2, say("core"), meaning="Units of a core of it.")
    gib: float = _units(0.01, say("RAM"), meaning="Units of a GiB of its RAM.")
    drive: float = _units(0.5, say("drive"), meaning="Units of a drive.")


@of_fields
class Requirement:
    """What is to be served, and what of the design is settled already.

    Attributes:
        loads: users that new VMs are made for; `vms`: VMs taken as they are, `board` the scenario
            that they and their rules come from, if any.
        max_pools: like pools, each of an array of its own, where one takes too few drives.
        growth: per year, compound; the design is to fit at its end.
    """

    name: str = described("Requirement", say("name"), meaning="What it is called.", text="name")
    loads: tuple[Load, ...] = ()
    vms: tuple[Vm, ...] = ()
    board: Scenario | None = None
    servers: tuple[str, ...] | None = optional(
        say("servers"), meaning="Of the catalog; null: all that can be bought today.", ids="servers"
    )
    arrays: tuple[str, ...] | None = optional(
        say("arrays"), meaning="Of the catalog; null: likewise.", ids="arrays"
    )
    disks: tuple[str, ...] | None = optional(
        say("drives"), meaning="Of the catalog; null: likewise.", ids="disks"
    )
    raids: tuple[str, ...] | None = optional(
        say("RAID levels"), meaning="RAID levels; null: all.", ids="raid_levels"
    )
    hypervisor: str | None = optional(
        say("hypervisor"),
        meaning="Of the catalog; null: the newest in support that goes with the server.",
        ids="hypervisors",
    )
    max_hosts: int = described(16, say("hosts"), meaning="Hosts at most.", ge=1, le=MOST_HOSTS)
    hosts: int | None = optional(
        say("hosts"), meaning="How many; null: what is worth looking at.", ge=1, le=MOST_HOSTS
    )
    host_ram_gib: float | None = optional(
        say("RAM"), meaning="Of each host [GiB]; null: likewise.", ge=LEAST, le=65_536
    )
    drives: int | None = optional(
        say("drives"), meaning="Of a pool; null: likewise.", ge=1, le=1024
    )
    max_pools: int = 1
    host_failures: int = described(
        1,
        say("host failures tolerated"),
        meaning="Hosts that may be gone at once; 0: the verdict survives none.",
        ge=0,
        le=MOST_FAILURES,
    )
    admission: AdmissionPolicy | None = optional(
        say("admission control"),
        meaning="How HA keeps room for them; null: shares from vSphere 6.5 on, slots before.",
    )
    cluster_partners: bool = described(
        False,
        say("Domino cluster partners"),
        meaning="Domino servers stand in pairs with a copy of each other's mail files.",
    )
    policy: Policy = PRODUCTION
    growth: Growth = field(default_factory=Growth)
    units: Units = described(Units(), say("units"), meaning="What counts as cheap.")

    @property
    def silent(self) -> dict[str, int]:
        """How many VMs that run bring no figure of what only they could know, by resource: no
        design can be said to carry them."""
        given = [
            vm.workload
            for vm in self.vms
            if vm.powered_on and WORKLOADS[vm.workload.kind].law is Law.GIVEN
        ]
        counts = {
            "cpu": sum(work.cpu_mhz is None for work in given),
            "iops": sum(work.iops is None for work in given),
        }
        return {resource: count for resource, count in counts.items() if count}

"""A requirement: who is to be served, on what, for how long, and what counts as cheap."""

from __future__ import annotations

from dataclasses import dataclass, field

from models.scenario import PRODUCTION, Growth, Policy, Scenario, Vm, Workload

MOST_HOSTS, MOST_FAILURES, MOST_YEARS = 64, 8, 20
MOST_VMS = 2048
"""Of a requirement; what is larger is several requirements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """Users of one kind and the VMs that are to be made for them.

    Attributes:
        work: users of all of these VMs together, today.
        vms, vcpus, ram_gib: how many VMs and how large each; None: what is worth looking at.
    """

    work: Workload
    vms: int | None = None
    vcpus: int | None = None
    ram_gib: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """What a host, a core, a GiB of its RAM and a drive count in units of the user's own: there are
    no price lists here."""

    host: float = 10.0
    core: float = 0.2
    gib: float = 0.01
    drive: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """What is to be served, and what of the design is settled already.

    Attributes:
        loads: users that new VMs are made for; `vms`: VMs taken as they are, `board` the scenario
            that they and their rules come from, if any.
        servers, arrays, disks, raids: catalog ids; None: all that can be bought today.
        hypervisor: catalog id; None: the newest in support that goes with the server.
        hosts, host_ram_gib, drives: settled numbers; None: what is worth looking at.
        max_pools: like pools, each of an array of its own, where one takes too few drives.
        host_failures: hosts that may be gone at once; 0: the verdict survives none.
        cluster_partners: Domino servers stand in pairs with a copy of each other's mail files.
        growth: per year, compound; the design is to fit at its end.
    """

    name: str
    loads: tuple[Load, ...] = ()
    vms: tuple[Vm, ...] = ()
    board: Scenario | None = None
    servers: tuple[str, ...] | None = None
    arrays: tuple[str, ...] | None = None
    disks: tuple[str, ...] | None = None
    raids: tuple[str, ...] | None = None
    hypervisor: str | None = None
    max_hosts: int = 16
    hosts: int | None = None
    host_ram_gib: float | None = None
    drives: int | None = None
    max_pools: int = 1
    host_failures: int = 1
    cluster_partners: bool = False
    policy: Policy = PRODUCTION
    growth: Growth = field(default_factory=Growth)
    units: Units = field(default_factory=Units)

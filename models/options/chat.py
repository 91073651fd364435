"""Sametime in a requirement: the one published design, and the room that is left for it.

Of Sametime servers no CPU was ever published, only a design that carried its users
(`models.physics.sametime`). A requirement's chat is laid out as that design has it, multiplexers
before community servers. So that nothing else rests on what isn't known, hosts are sized as if each
of these servers were about as busy as the policy lets a server be; what they take stays
*not known*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from models.catalog.catalog import Catalog
from models.options.requirement import Load
from models.scenario.scenario import Policy, Scenario, Vm, Workload
from models.scenario.workloads import WORKLOADS, Law, WorkloadKind

BUSY = 0.6
"""Share of the policy's limit that a Sametime server is taken to have of its vCPUs: the most whose
interval, a factor of 1.6 about figures of a VM, is within the limit under any posture."""

LAWS = frozenset({Law.COMMUNITY, Law.MUX})


def is_chat(vm: Vm) -> bool:
    return WORKLOADS[vm.workload.kind].law in LAWS


def with_multiplexers(loads: Sequence[Load]) -> tuple[Load, ...]:
    """The loads, with multiplexers for chat users that have none."""
    laws = {WORKLOADS[load.work.kind].law for load in loads}
    if Law.COMMUNITY not in laws or Law.MUX in laws:
        return tuple(loads)
    chats = [load.work for load in loads if WORKLOADS[load.work.kind].law is Law.COMMUNITY]
    users = sum(work.active_users for work in chats)
    front = replace(chats[0], kind=WorkloadKind.SAMETIME_MUX, active_users=users)
    return (*loads, Load(work=front))


def stood_in(scenario: Scenario, catalog: Catalog) -> Scenario:
    """The scenario with a VM of known figures for each Sametime server, as busy as the policy lets
    it be."""
    clocks = {host.id: catalog.servers[host.server].base_mhz or 0.0 for host in scenario.hosts}
    vms = tuple(
        _busy(vm, clocks.get(vm.host or "", 0.0), scenario.policy) if is_chat(vm) else vm
        for vm in scenario.vms
    )
    return replace(scenario, vms=vms)


def _busy(vm: Vm, mhz: float, policy: Policy) -> Vm:
    share = BUSY * policy.cpu_limit_pct / policy.peak_factor_cpu / 100.0
    work = Workload(
        kind=WorkloadKind.GENERIC,
        cpu_mhz=share * vm.vcpus * mhz,
        iops=0.0,
        memory_gib=vm.ram_gib,
        disk_gib=0.0,
    )
    return replace(vm, workload=work)

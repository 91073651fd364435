"""Servers of no published load in a requirement: Sametime, Traveler, and the room left for them.

Of Sametime servers no CPU was ever published, only a design that carried its users
(`models.physics.sametime`), of Traveler only devices a server (`models.physics.traveler`). A
requirement's chat is laid out as that design has it, multiplexers before community servers. So that
nothing else rests on what isn't known, hosts are sized as if each of these servers were about as
busy as the policy lets a server be; what they take stays *not known*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from models.catalog.catalog import Catalog
from models.options.requirement import Load
from models.scenario.scenario import Policy, Scenario, Vm, Workload
from models.scenario.workloads import WORKLOADS, Law, WorkloadKind

BUSY = 0.6
"""Share of the policy's limit that such a server is taken to have of its vCPUs: the most whose
interval, a factor of 1.6 about figures of a VM, is within the limit under any posture."""

LAWS = frozenset({Law.COMMUNITY, Law.MUX})


def is_chat(vm: Vm) -> bool:
    return WORKLOADS[vm.workload.kind].law in LAWS


def is_unpublished(vm: Vm) -> bool:
    """Whether nobody published its load, nor measured it: chat, and Traveler without CPU."""
    unmeasured = is_traveler(vm.workload) and vm.workload.cpu_mhz is None
    return is_chat(vm) or unmeasured


def is_traveler(work: Workload) -> bool:
    return work.kind is WorkloadKind.DOMINO_TRAVELER


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
    """The scenario with a VM of known figures for each server of no published load, as busy as the
    policy lets it be."""
    clocks = {host.id: catalog.servers[host.server].base_mhz or 0.0 for host in scenario.hosts}
    vms = tuple(
        _busy(vm, clocks.get(vm.host or "", 0.0), scenario.policy) if is_unpublished(vm) else vm
        for vm in scenario.vms
    )
    return replace(scenario, vms=vms)


def _busy(vm: Vm, mhz: float, policy: Policy) -> Vm:
    cpu_mhz = BUSY * policy.cpu_limit_pct / policy.peak_factor_cpu / 100.0 * vm.vcpus * mhz
    if is_traveler(vm.workload):
        return replace(vm, workload=replace(vm.workload, cpu_mhz=cpu_mhz, iops=0.0))
    work = Workload(
        kind=WorkloadKind.GENERIC,
        cpu_mhz=cpu_mhz,
        iops=0.0,
        memory_gib=vm.ram_gib,
        disk_gib=0.0,
    )
    return replace(vm, workload=work)

"""Admission control of a scenario's clusters: what is reserved there, by whom, on which hosts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.texts import joined, say
from models.failure.admission import (
    GUIDE,
    DedicatedCheck,
    Guest,
    HostCapacity,
    Options,
    PercentageCheck,
    SlotCheck,
    dedicated_check,
    percentage_check,
    slot_check,
)
from models.physics import memory
from models.physics.arrays import Arrays
from models.physics.memory import MIB_PER_GIB
from models.scenario.scenario import Admission, AdmissionPolicy, Cluster, Scenario

BEFORE_VSPHERE_4 = say(
    "no data: before vSphere 4, HA counted by the largest VM in a way that was never published in "
    "full"
)
CPU_NOTE = say(
    "A host’s CPU is counted as cores × clock; what ESX keeps of it for itself is not published."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionCheck:
    """Admission control of one cluster, as vCenter would have it.

    Attributes:
        cluster: id; `release` of its newest host, whose defaults count.
        policy: as configured; `check` is None without a policy, or where nothing can be said.
        notes: what to know about it, sentences.
    """

    cluster: str
    name: str
    release: str
    policy: AdmissionPolicy
    check: SlotCheck | PercentageCheck | DedicatedCheck | None
    notes: tuple[str, ...]
    source: str = GUIDE

    @property
    def admitted(self) -> bool | None:
        """Whether the running VMs satisfy the policy; None where there is none or no data."""
        return None if self.check is None else self.check.admitted


def admission_checks(
    scenario: Scenario, arrays: Arrays, secondary: IntArray
) -> tuple[AdmissionCheck, ...]:
    """Admission control of every cluster with hosts.

    Args:
        secondary: host of each VM's Fault Tolerance secondary, −1 for none: it takes a slot too.
    """
    overhead = memory.vm_ram_gib(arrays)[0] - arrays.vms.ram_gib
    found = []
    for row, cluster in enumerate(scenario.clusters):
        hosts = np.flatnonzero(arrays.hosts.cluster == row)
        if len(hosts):
            found.append(_checked(scenario, arrays, cluster, hosts, secondary, overhead))
    return tuple(found)


def host_capacities(
    scenario: Scenario, arrays: Arrays, hosts: IntArray
) -> tuple[HostCapacity, ...]:
    """What these hosts have for VMs: cores × clock, and memory without the hypervisor's own."""
    columns = arrays.hosts
    mhz = columns.cores * columns.base_mhz
    ram = (columns.ram_gib - columns.console_gib) * MIB_PER_GIB
    return tuple(
        HostCapacity(
            id=columns.ids[row],
            name=scenario.hosts[row].name,
            cpu_mhz=None if np.isnan(mhz[row]) else float(mhz[row]),
            ram_mib=float(ram[row]),
        )
        for row in hosts.tolist()
    )


def options_of(admission: Admission, slot_cpu_mhz: float) -> Options:
    """The cluster's options, the release's default where nothing is set."""
    cpu, ram = admission.vm_cpu_min_mhz, admission.vm_ram_min_mib
    return Options(
        cpu_min_mhz=slot_cpu_mhz if cpu is None else cpu,
        ram_min_mib=0.0 if ram is None else ram,
        cpu_cap_mhz=admission.slot_cpu_cap_mhz,
        ram_cap_mib=admission.slot_ram_cap_mib,
    )


def _checked(
    scenario: Scenario,
    arrays: Arrays,
    cluster: Cluster,
    hosts: IntArray,
    secondary: IntArray,
    overhead: FloatArray,
) -> AdmissionCheck:
    columns, policy = arrays.hosts, cluster.admission.policy
    newest = max(
        hosts.tolist(), key=lambda row: columns.hypervisors[columns.hypervisor[row]].version
    )
    hypervisor = columns.hypervisors[columns.hypervisor[newest]]
    check: SlotCheck | PercentageCheck | DedicatedCheck | None = None
    notes: list[str] = []
    if hypervisor.version < (4, 0, 0) or hypervisor.slot_cpu_mhz is None:
        notes.append(BEFORE_VSPHERE_4)
    elif policy is not AdmissionPolicy.NONE:
        capacities = host_capacities(scenario, arrays, hosts)
        guests = tuple(_guests(scenario, arrays, hosts, secondary, overhead))
        options = options_of(cluster.admission, hypervisor.slot_cpu_mhz)
        check = _by_policy(cluster.admission, capacities, guests, options)
        notes += _notes(cluster.admission, capacities, hypervisor.version)
    return AdmissionCheck(
        cluster=cluster.id,
        name=cluster.name,
        release=hypervisor.name,
        policy=policy,
        check=check,
        notes=tuple(notes),
    )


def _by_policy(
    admission: Admission,
    hosts: tuple[HostCapacity, ...],
    guests: tuple[Guest, ...],
    options: Options,
) -> SlotCheck | PercentageCheck | DedicatedCheck:
    if admission.policy is AdmissionPolicy.HOST_FAILURES:
        return slot_check(hosts, guests, options, configured=admission.host_failures)
    if admission.policy is AdmissionPolicy.PERCENTAGE:
        return percentage_check(
            hosts, guests, options, cpu_pct=admission.cpu_pct, ram_pct=admission.ram_pct
        )
    return dedicated_check(hosts, guests, standing_by=admission.failover_hosts)


def _notes(
    admission: Admission, hosts: tuple[HostCapacity, ...], version: tuple[int, int, int]
) -> Iterator[str]:
    silent = [host.name for host in hosts if host.cpu_mhz is None]
    if silent:
        names = joined(", ", silent)
        yield say("No clock is known of {names}: their CPU is not counted.", names=names)
    by_share = admission.policy is AdmissionPolicy.PERCENTAGE
    if by_share and version < (5, 0, 0) and max(admission.cpu_pct, admission.ram_pct) > MOST_PCT_4:
        yield say("vSphere 4 lets at most {most} % be kept free.", most=f"{MOST_PCT_4:.0f}")
    by_slots = admission.policy is AdmissionPolicy.HOST_FAILURES
    if by_slots and version < (5, 0, 0) and admission.host_failures > MOST_FAILURES_4:
        yield say(
            "vSphere 4 lets at most {most} host failures be set: a cluster has five primary "
            "hosts, of which one has to be left.",
            most=MOST_FAILURES_4,
        )
    dedicated = admission.policy is AdmissionPolicy.DEDICATED
    if dedicated and version < (5, 0, 0) and len(admission.failover_hosts) > 1:
        yield say("vSphere 4 knows one failover host; several came with 5.0.")
    if not dedicated:
        yield CPU_NOTE


MOST_PCT_4 = 50.0
"""Largest share that vSphere 4 lets be reserved."""

MOST_FAILURES_4 = 4
"""Host failures that vSphere 4 lets be set (vSphere Availability 4.1, HA clusters)."""


def _guests(
    scenario: Scenario,
    arrays: Arrays,
    hosts: IntArray,
    secondary: IntArray,
    overhead: FloatArray,
) -> Iterator[Guest]:
    vms = arrays.vms
    there = _on(hosts, vms.place, len(arrays.hosts))
    for row in np.flatnonzero(there).tolist():
        yield _guest(scenario, row, int(vms.place[row]), overhead)
    for row in np.flatnonzero(_on(hosts, secondary, len(arrays.hosts))).tolist():
        yield _guest(scenario, row, int(secondary[row]), overhead)


def _on(hosts: IntArray, place: IntArray, count: int) -> BoolArray:
    mask = np.zeros(count + 1, dtype=np.bool_)
    mask[hosts] = True
    return mask[place]


def _guest(scenario: Scenario, row: int, host: int, overhead: FloatArray) -> Guest:
    """With Fault Tolerance all of a VM's memory is reserved, for primary and secondary."""
    vm = scenario.vms[row]
    reserved = vm.ram_gib if vm.fault_tolerance else vm.memory_reservation_gib or 0.0
    return Guest(
        id=vm.id,
        name=vm.name,
        host=scenario.hosts[host].id,
        cpu_reservation_mhz=vm.cpu_reservation_mhz or 0.0,
        ram_reservation_mib=reserved * MIB_PER_GIB,
        overhead_mib=float(overhead[row]) * MIB_PER_GIB,
    )

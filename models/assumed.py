"""Stated assumptions: CPU and I/O by rule for VMs that nobody measured.

A size without them is *not known*; with them it is a size on assumptions, which every surface says:
the values bear the origin *assumed*, and a finding counts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from models.catalog import Server
from models.inputs import frozen, origin_of
from models.origin import Origin
from models.scenario import ImportNote, MeasuredOn, Scenario, Vm, Workload
from models.texts import Numeral, Text, say_many
from models.workloads import WorkloadKind

CPU, IOPS = "workload.cpu_mhz", "workload.iops"
ON = ("workload.measured_on.server", "workload.measured_on.hypervisor")


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """A rule for VMs without figures of their own; None assumes nothing.

    Attributes:
        mhz: CPU of each vCPU [MHz], or `pct`: in per cent of the clock of the VM's host.
        iops: host I/Os a second of each VM, or `iops_per_gib`: of each GiB of its disks.
    """

    mhz: float | None = None
    pct: float | None = None
    iops: float | None = None
    iops_per_gib: float | None = None

    def cpu_of(self, vm: Vm, server: Server | None) -> float | None:
        """CPU of a VM by the rule [MHz]; None where nothing says it, as without a host's clock."""
        if self.mhz is not None:
            return self.mhz * vm.vcpus
        if self.pct is None or server is None:
            return None
        if server.base_mhz is None:
            return None
        return self.pct / 100.0 * vm.vcpus * server.base_mhz

    def io_of(self, vm: Vm) -> float | None:
        """I/O of a VM by the rule [host I/Os a second]; None where nothing says it."""
        if self.iops is not None:
            return self.iops
        if self.iops_per_gib is None or vm.workload.disk_gib is None:
            return None
        return self.iops_per_gib * vm.workload.disk_gib


def is_assumed(vm: Vm) -> bool:
    """Whether the CPU or the I/O of a VM is assumed, not measured."""
    work = vm.workload
    return any(
        value is not None and origin_of(vm, path) is Origin.ASSUMED
        for path, value in ((CPU, work.cpu_mhz), (IOPS, work.iops))
    )


def with_assumed(scenario: Scenario, rule: Assumed, servers: Mapping[str, Server]) -> Scenario:
    """The scenario in which running VMs without figures have those of the rule.

    Args:
        servers: of the catalog, by id; their clocks are those of per cent.
    """
    hosts = {host.id: host for host in scenario.hosts}
    vms, cpus, rates = [], 0, 0
    for vm in scenario.vms:
        host = None if vm.host is None else hosts[vm.host]
        server = None if host is None else servers.get(host.server)
        work, given = vm.workload, dict[str, Origin]()
        if vm.powered_on and work.kind is WorkloadKind.GENERIC:
            cpu = rule.cpu_of(vm, server) if work.cpu_mhz is None else None
            if cpu is not None:
                on = work.measured_on
                if host is not None:
                    on = MeasuredOn(server=host.server, hypervisor=host.hypervisor)
                work = replace(work, cpu_mhz=cpu, measured_on=on)
                given |= dict.fromkeys((CPU, *(ON if host is not None else ())), Origin.ASSUMED)
            rate = rule.io_of(vm) if work.iops is None else None
            if rate is not None:
                work, given[IOPS] = replace(work, iops=rate), Origin.ASSUMED
        cpus, rates = cpus + (CPU in given), rates + (IOPS in given)
        vms.append(_with(vm, work, given))
    notes = tuple(_notes(rule, cpus, rates))
    return replace(scenario, vms=tuple(vms), import_notes=(*scenario.import_notes, *notes))


def _with(vm: Vm, work: Workload, given: Mapping[str, Origin]) -> Vm:
    if not given:
        return vm
    return replace(vm, workload=work, origins=frozen({**dict(vm.origins), **given}))


def _notes(rule: Assumed, cpus: int, rates: int) -> list[ImportNote]:
    """What is assumed of how many VMs, and what would tell."""
    found = []
    if cpus and rule.pct is not None:
        found.append(_of_pct(cpus, rule.pct))
    elif cpus and rule.mhz is not None:
        found.append(_of_mhz(cpus, rule.mhz))
    if rates and rule.iops is not None:
        found.append(_of_iops(rates, rule.iops))
    elif rates and rule.iops_per_gib is not None:
        found.append(_of_space(rates, rule.iops_per_gib))
    return [ImportNote.of("assumed", text) for text in found]


def _of_pct(count: int, pct: float) -> Text:
    return say_many(
        "The CPU of {count} VM is assumed, {pct} % of each vCPU: nobody measured it; a week of "
        "measuring would tell.",
        "The CPU of {count} VMs is assumed, {pct} % of each vCPU: nobody measured it; a week of "
        "measuring would tell.",
        count,
        pct=Numeral(f"{pct:g}"),
    )


def _of_mhz(count: int, mhz: float) -> Text:
    return say_many(
        "The CPU of {count} VM is assumed, {mhz} MHz a vCPU: nobody measured it; a week of "
        "measuring would tell.",
        "The CPU of {count} VMs is assumed, {mhz} MHz a vCPU: nobody measured it; a week of "
        "measuring would tell.",
        count,
        mhz=Numeral(f"{mhz:g}"),
    )


def _of_iops(count: int, iops: float) -> Text:
    return say_many(
        "The I/O of {count} VM is assumed, {iops} IOPS each: nobody measured it; a week of "
        "measuring would tell.",
        "The I/O of {count} VMs is assumed, {iops} IOPS each: nobody measured it; a week of "
        "measuring would tell.",
        count,
        iops=Numeral(f"{iops:g}"),
    )


def _of_space(count: int, iops: float) -> Text:
    return say_many(
        "The I/O of {count} VM is assumed, {iops} IOPS a GiB: nobody measured it; a week of "
        "measuring would tell.",
        "The I/O of {count} VMs is assumed, {iops} IOPS a GiB: nobody measured it; a week of "
        "measuring would tell.",
        count,
        iops=Numeral(f"{iops:g}"),
    )

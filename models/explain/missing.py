"""What a number leaves out: for every kind of number, in plain words."""

from __future__ import annotations

from collections.abc import Iterator

from models.explain.workings import Workings
from models.scenario import Vm
from models.texts import say

NEIGHBOURS = say(
    "Page sharing, ballooning and swapping between VMs: memory is taken as configured."
)
HYPER_THREADING = say(
    "What turning hyper-threading or turbo off costs: a core counts once, and what they add is in "
    "its measured rate."
)
MISSING: dict[tuple[str, str], tuple[str, ...]] = {
    ("vms", "cpu_pct"): (
        say("Agents, indexing, mail rules, antivirus and backup: the benchmarks ran without them."),
        say("How mail-file size changes the CPU of an action."),
        say("Power saving: processors are taken as they ran in the benchmarks."),
        HYPER_THREADING,
    ),
    ("vms", "iops"): (
        say("I/O of transaction logs, backup and full-text indexing."),
        say("How mail-file size or the number of folders changes the I/O of an action."),
    ),
    ("vms", "ram_gib"): (NEIGHBOURS,),
    ("vms", "ready_pct"): (
        say("Co-scheduling of several vCPUs, reservations, shares and limits."),
    ),
    ("vms", "response_ms"): (
        say("The network between user and server, and the client itself."),
        say(
            "What puts the knee where it was measured: its position is fitted, its cause "
            "is not known."
        ),
        say("Bursts: all figures are means over the hour of a benchmark."),
    ),
    ("vms", "network_mbps"): (
        say("The size of packets, which no document gives: frames are taken at their largest."),
        say("Replication, backup and vMotion."),
    ),
    ("hosts", "cpu_pct"): (
        say("The hypervisor’s own CPU beside its VMs, which is in the figures of the VMs."),
        say("NUMA: cores are taken as equally near to all memory."),
    ),
    ("hosts", "ram_pct"): (NEIGHBOURS,),
    ("hosts", "network_pct"): (say("Storage, vMotion and management traffic on the same ports."),),
    ("hosts", "vcpus_per_core"): (HYPER_THREADING,),
    ("pools", "iops"): (say("I/O of logs, backup and snapshots; other users of the same array."),),
    ("pools", "utilisation_pct"): (
        say("Writes that a cache coalesces, sequential reads, tiering and deduplication."),
        say("Other users of the same array."),
    ),
    ("pools", "latency_ms"): (
        say("The path to the array: host bus adapters, switches, queue depths."),
        say("Bursts: a queue is taken at its mean."),
    ),
    ("pools", "capacity_pct"): (
        say("Snapshots, swap files of VMs, templates, and space that formatting takes."),
    ),
    ("pools", "usable_gib"): (say("Space that formatting and the array’s own system take."),),
    ("failures", "cpu_pct"): (
        say("The minutes in between: detection, boot, and everybody logging in again."),
        say("DRS, which would move VMs afterwards."),
    ),
    ("failures", "ram_pct"): (say("DRS, which would move VMs afterwards."), NEIGHBOURS),
    ("failures", "response_ms"): (
        say(
            "The minutes in between: detection, boot, cold caches, and everybody logging in again."
        ),
    ),
}
_AS_WITH = {
    "failure_cpu_pct": ("failures", "cpu_pct"),
    "failure_ram_pct": ("failures", "ram_pct"),
    "failure_pct": ("failures", "cpu_pct"),
    "vm_cpu_pct": ("failures", "cpu_pct"),
}


def missing(w: Workings, table: str, subject: str, field: str) -> tuple[str, ...]:
    """What the number does not hold, the general first, then what this very item lacks."""
    key = _AS_WITH.get(field, (table, field))
    return (*MISSING.get(key, ()), *_of_item(w, table, subject, field))


def _of_item(w: Workings, table: str, subject: str, field: str) -> Iterator[str]:
    if table != "vms" or subject not in w.vm_rows:
        return
    vm = w.scenario.vms[w.vm_rows[subject]]
    row, laws = w.vm_rows[subject], w.inputs.laws
    if field == "response_ms" and vm.pool is None:
        yield say("Its disks: the VM has no pool, so nothing is shared there.")
    if laws.family_a[row] and field == "iops":
        yield say("IOPS of Domino 7.0.2 were never measured: they are those of 8.5.1 by a factor.")
    if vm.fault_tolerance:
        yield say(
            "What Fault Tolerance costs the VM itself: the document shows it as a chart only."
        )
    yield from _of_workload(vm, field)


def _of_workload(vm: Vm, field: str) -> Iterator[str]:
    if not vm.workload.kind.has_users:
        yield say("Everything but the figures that were entered for it.")
    elif vm.log_pool is not None and field == "iops":
        yield say("The I/O of its logs on a pool of their own: no document gives it.")

"""What performance files and Domino statistics say of each machine, as one set of figures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from models.customer.measured import MeasuredServer
from models.intake.records import (
    DominoRecord,
    Place,
    Quantity,
    Records,
    SeriesRecord,
    Subject,
    VmRecord,
)
from models.scenario.names import short_name
from models.scenario.transactions import TRANSACTIONS

MIB_PER_GIB = 1024.0

HOUR_OVER_MEAN = (1.33 / 0.62 * 1.50 / 1.21) ** 0.5
"""CPU of a working hour over the mean of day and night since the start: the geometric mean of the
two field servers of docs/model.md, “Production”, 2.15 and 1.24."""


@dataclass(slots=True, kw_only=True)
class Observed:
    """One machine by its name: series by what they measure, and statistics of its Domino server.

    Attributes:
        on: host that its VM ran on while it was measured, where a file says.
    """

    name: str
    subject: Subject
    on: str = ""
    series: dict[Quantity, SeriesRecord] = field(default_factory=dict)
    domino: DominoRecord | None = None

    def at(self, quantity: Quantity, percentile: int) -> float | None:
        found = self.series.get(quantity)
        return None if found is None else found.at(percentile)

    @property
    def counted_cpus(self) -> float | None:
        """Processors as a file of samples names them."""
        return next((float(each.vcpus) for each in self.series.values() if each.vcpus), None)

    def cores(self, percentile: int, cpus: float | None) -> float | None:
        """CPU in busy cores of where it ran; None for not measured.

        Args:
            cpus: how many it has, where the measured figure is per cent of all of them.
        """
        of_core = self.at(Quantity.CPU_CORE_PCT, percentile)
        if of_core is not None:
            return of_core / 100.0
        pct = self.at(Quantity.CPU_PCT, percentile)
        return None if pct is None or cpus is None else pct / 100.0 * cpus

    def ram_gib(self, percentile: int, total_mib: float | None) -> float | None:
        """Memory in use [GiB]: what can be had without paging is not, caches can."""
        used = self.at(Quantity.RAM_MIB, percentile)
        if used is None:
            free, total = self.at(Quantity.RAM_FREE_MIB, 0), self.at(Quantity.RAM_TOTAL_MIB, 0)
            total = total_mib if total is None else total
            used = None if free is None or total is None else max(total - free, 0.0)
        return None if used is None else used / MIB_PER_GIB


def observed_of(found: Sequence[Records]) -> list[Observed]:
    """The machines that files tell of; several files of one machine are one.

    Of a quantity that is measured twice the longer series counts.
    """
    machines: dict[str, Observed] = {}
    for record in _series(found):
        key = short_name(record.name)
        there = machines.setdefault(key, Observed(name=record.name, subject=record.subject))
        there.on = there.on or record.on
        other = there.series.get(record.quantity)
        if other is None or other.summary.n < record.summary.n:
            there.series[record.quantity] = record
    for records in found:
        for domino in records.domino:
            names = [short_name(each) for each in (domino.machine, domino.server) if each]
            key = next((each for each in names if each in machines), names[-1])
            there = machines.setdefault(
                key, Observed(name=domino.machine or domino.server, subject=Subject.MACHINE)
            )
            there.domino = domino
    return list(machines.values())


def _series(found: Iterable[Records]) -> Iterable[SeriesRecord]:
    wanted = (Subject.VM, Subject.MACHINE)
    for records in found:
        for record in records.series:
            if record.subject in wanted and record.quantity is not Quantity.OTHER:
                yield record


def measured_of(found: Sequence[Records], percentile: int = 95) -> list[MeasuredServer]:
    """The machines as measured servers, to calibrate by or to score.

    A Domino server without a series has its mean since the start, times `HOUR_OVER_MEAN`.
    """
    return [_measured(each, percentile) for each in observed_of(found)]


def _measured(machine: Observed, percentile: int) -> MeasuredServer:
    domino = machine.domino
    cpus = machine.counted_cpus if domino is None else domino.cpus
    cores, values = machine.cores(percentile, cpus), {}
    pct = machine.at(Quantity.CPU_PCT, percentile)
    if cores is None and pct is not None:
        values["cpu_pct"] = pct
    elif cores is None and domino is not None and domino.cpu_pct_avg and cpus:
        cores = min(domino.cpu_pct_avg * HOUR_OVER_MEAN, 100.0) / 100.0 * cpus
    iops = machine.at(Quantity.IOPS, percentile)
    ram = machine.ram_gib(percentile, None if domino is None else domino.ram_mib)
    if iops is not None:
        values["iops"] = iops
    if ram is not None:
        values["ram_gib"] = ram
    rate = machine.at(Quantity.TRANSACTIONS, percentile)
    if rate is None and domino is not None:
        rate = domino.trans_per_minute
    if rate is not None:
        values[TRANSACTIONS] = rate
    return MeasuredServer(server=machine.name, values=values, cores=cores)


def with_machines(sources: Sequence[Records], wanted: Collection[str] = ()) -> Sequence[Records]:
    """The same, where no inventory is among them with a VM for each machine that they tell of, by
    what is known of it: its vCPUs, its memory and the host it ran on.

    Args:
        wanted: names of measured machines that become VMs beside an inventory.
    """
    has_inventory = any(records.vms or records.hosts for records in sources)
    if not sources or (has_inventory and not wanted):
        return sources
    names = {short_name(name) for name in wanted}
    found = [
        _machine(each)
        for each in observed_of(sources)
        if not has_inventory or not names.isdisjoint(_names(each))
    ]
    return [replace(sources[0], vms=[*sources[0].vms, *found]), *sources[1:]] if found else sources


def _names(observed: Observed) -> set[str]:
    domino = observed.domino
    of_domino = () if domino is None else (domino.server, domino.machine)
    return {short_name(name) for name in (observed.name, *of_domino)}


def _machine(observed: Observed) -> VmRecord:
    domino, total = observed.domino, observed.series.get(Quantity.RAM_TOTAL_MIB)
    places: dict[str, Place] = {}
    vcpus = ram = None
    counted = next((each for each in observed.series.values() if each.vcpus), None)
    if counted is not None and counted.vcpus:
        vcpus, places["vcpus"] = float(counted.vcpus), counted.place
    elif domino is not None and domino.cpus:
        vcpus, places["vcpus"] = domino.cpus, domino.places["cpus"]
    if total is not None:
        ram, places["ram_mib"] = total.at(100), total.place
    elif domino is not None and domino.ram_mib:
        ram, places["ram_mib"] = domino.ram_mib, domino.places["ram_mib"]
    made = VmRecord(name=observed.name, host=observed.on, vcpus=vcpus, ram_mib=ram, places=places)
    if domino is not None and domino.disk_mib is not None:
        made.guest_mib, made.consumed_mib = domino.disk_mib, domino.disk_used_mib
        places["guest_mib"] = places["consumed_mib"] = domino.places["disk_mib"]
    return made

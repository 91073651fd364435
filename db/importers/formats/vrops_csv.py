"""vRealize and Aria Operations: views exported as CSV, and the time series of vrops-export."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np

from db.importers.importer import Importer
from db.importers.inventory import VM, means, read_vms
from db.importers.opening import Opened
from db.importers.sampled import moment
from db.importers.tables import (
    Columns,
    Table,
    count,
    factor_of,
    keyed,
    mhz,
    mib,
    needs,
    number,
    power,
    shown,
    text,
    text_table,
)
from models.base.texts import say
from models.intake.records import (
    Note,
    NotRead,
    Part,
    Place,
    Quantity,
    Records,
    SeriesRecord,
    Subject,
    VmRecord,
    summarised,
)

_COUNTERS = {
    "cpuDemand": (Quantity.CPU_PCT, "%"),
    "cpuUsage": (Quantity.CPU_PCT, "%"),
    "cpuReady": (Quantity.READY_PCT, "%"),
    "cpuCostop": (Quantity.COSTOP_PCT, "%"),
    "memDemand": (Quantity.OTHER, "KB"),
    "memSwapOut": (Quantity.SWAP_OUT, "KB/s"),
    "memSwapIn": (Quantity.SWAP_IN, "KB/s"),
    "storageDemandKbps": (Quantity.OTHER, "KB/s"),
    "netBytesRx": (Quantity.OTHER, "KB/s"),
    "netBytesTx": (Quantity.OTHER, "KB/s"),
    "hostCPUDemand": (Quantity.OTHER, "MHz"),
}
_VIEW = {
    **VM,
    "vcpus": count(
        *("cpuprovisionedvcpus", "cpunumberofcpus", "cpu#vcpus", "numberofvcpus", "vcpus"),
        *("configurationhardwarenumberofcpusvcpus", "configurationcpucount", "cpucorecount"),
        *("configurationhardwarenumberofcpus", "cpunumberofvcpus", "cputotalcapacityvcpus"),
    ),
    "ram_mib": mib(
        *("memorytotalcapacity", "memoryprovisionedmemory", "memoryguestconfiguredmemory"),
        *("configurationhardwarememory", "memoryconfigured", "memory"),
        unit="kb",
        is_whole=False,
    ),
    "provisioned_mib": mib(
        "diskspacetotalcapacity", "diskspaceprovisionedspace", unit="gb", is_whole=False
    ),
    "in_use_mib": mib(
        "diskspaceutilization",
        "diskspaceused",
        "diskspacevirtualmachineused",
        unit="gb",
        is_whole=False,
    ),
    "host": text("summaryparenthost", "parenthost"),
    "cluster": text("summaryparentcluster", "parentcluster", "cluster"),
    "power": power("systempoweredon", "summaryrunningpowerstate", "powerstate", "systempoweredon"),
    "cpu_pct": number("cpudemand%", "cpuusage%"),
    "cpu_mhz": mhz("cpudemand", "cpuusage", is_whole=False),
    "iops": number("storagetotaliops", "virtualdisktotaliops", "datastoretotaliops"),
    "used_ram_mib": mib("memoryconsumed", "memoryutilization", unit="kb", is_whole=False),
    "ready_pct": number("cpuready%", "cpureadiness%"),
}


_OF_TIME, _NAME = "intervalbreakdown", "name"
_KINDS = {"vm": Subject.VM, "virtual machine": Subject.VM, "host": Subject.HOST}
_KINDS |= {"host system": Subject.HOST}
_GROUPS = frozenset(("cluster", "cluster compute resource", "datastore", "datacenter", "vcenter"))
_MEANS = frozenset(("avg", "average", "mean", "last", "current"))
_OTHERS = frozenset(("max", "maximum", "min", "minimum", "sum", "first", "stddev"))
"""Statistics that a view shows of each interval: a mean stands for it, others are shown alone."""
_FIGURES = {
    "cpu_pct": (Quantity.CPU_PCT, "%"),
    "cpu_mhz": (Quantity.CPU_MHZ, "MHz"),
    "iops": (Quantity.IOPS, "IOPS"),
    "used_ram_mib": (Quantity.RAM_MIB, "MiB"),
    "ready_pct": (Quantity.READY_PCT, "%"),
}


class _Column(NamedTuple):
    """A column over time: of what, which quantity, and the factor to its unit."""

    subject: Subject
    quantity: Quantity
    unit: str
    factor: float


def _is_breakdown(table: Table) -> bool:
    return needs(table.keys, _OF_TIME, _NAME)


def _column(heading: str) -> _Column | None:
    """What a heading such as ``VM|CPU|Demand (MHz)|Avg`` says; None for what groups of VMs do.

    >>> _column("VM|CPU|Demand (MHz)|Avg").quantity, _column("Cluster|CPU|Demand|Avg")
    (<Quantity.CPU_MHZ: 'cpu_mhz'>, None)
    """
    parts = [each.strip() for each in heading.split("|")]
    kind = parts[0].casefold()
    if kind in _GROUPS:
        return None
    subject = _KINDS.get(kind, Subject.VM)
    parts = parts[1:] if kind in _KINDS else parts
    last = parts[-1].casefold()
    parts = parts[:-1] if last in _MEANS | _OTHERS else parts
    key, unit = keyed("|".join(parts))
    for name, (quantity, own) in _FIGURES.items():
        if key in _VIEW[name].keys and subject is Subject.VM and last not in _OTHERS:
            return _Column(subject, quantity, own, factor_of(_VIEW[name], unit))
    return _Column(subject, Quantity.OTHER, unit, 1.0)


def _is_series(table: Table) -> bool:
    return "timestamp" in table.head and "resName" in table.head


def _sniff(file: Opened) -> float | None:
    table = None if file.workbook is not None else text_table(file)
    if table is None:
        return None
    if _is_series(table) or _is_breakdown(table):
        return 0.95
    with_bar = sum("|" in heading for heading in table.head)
    return 0.75 if with_bar >= 2 and not needs(table.keys, "timestamp") else None


def _read(files: Sequence[Opened]) -> Records:
    file = files[0]
    records = Records(file=file.name, kind=IMPORTER.kind)
    table = text_table(file)
    if table is None:
        return records
    if _is_series(table):
        records.series += _series(records, table)
        records.previews.append(table.preview())
        return records
    if _is_breakdown(table):
        records.series += _breakdown(records, table)
        records.previews.append(table.preview())
        return records
    if needs(table.keys, (*_VIEW["vcpus"].keys, *_VIEW["ram_mib"].keys)):
        for vm, rest, places in read_vms(records, table, _VIEW):
            records.series += means(vm, rest, places)
    else:  # Of clusters, hosts or whatever: nothing says that its rows are VMs.
        records.series += _measured_only(records, table)
    if records.series:
        records.notes.append(Note("statistic-unsaid", _UNSAID))
    return records


def _measured_only(records: Records, table: Table) -> Iterator[SeriesRecord]:
    """Figures of a view that sizes nothing, for VMs of these names if there are any."""
    rows = 0
    columns = Columns(table, _VIEW)
    for _, row, places in columns.rows():
        rows += 1
        if row.get("name"):
            yield from means(VmRecord(name=row["name"]), row, places)
    records.tables[table.name or "rows"] = rows
    records.previews.append(table.preview())
    records.notes += columns.notes()


_UNSAID = say(
    "A view doesn’t say whether its figures are means or peaks of which time: they are taken for "
    "means."
)


def _series(records: Records, table: Table) -> Iterator[SeriesRecord]:
    wanted: dict[str, _Column] = {}
    for name in table.head:
        if name in _COUNTERS:
            quantity, unit = _COUNTERS[name]
            subject = Subject.HOST if name == "hostCPUDemand" else Subject.VM
            wanted[name] = _Column(subject, quantity, unit, 1.0)
    return _over_time(records, table, wanted, of="resName", when="timestamp")


def _breakdown(records: Records, table: Table) -> Iterator[SeriesRecord]:
    """The figures of a view for each interval of its time."""
    heads = {keyed(heading)[0]: heading for heading in reversed(table.head)}
    wanted: dict[str, _Column] = {}
    for heading in table.head:
        if heading in (heads[_NAME], heads[_OF_TIME]) or "|" not in heading:
            continue
        column = _column(heading)
        if column is None:
            records.not_read.append(NotRead(records.file, Part.COLUMN, heading, _OF_GROUPS))
        else:
            wanted[heading] = column
    if any(each.subject is Subject.HOST for each in wanted.values()):
        records.notes.append(Note("host-figures", _OF_HOSTS))
    return _over_time(records, table, wanted, of=heads[_NAME], when=heads[_OF_TIME])


_OF_HOSTS = say(
    "Figures of hosts are shown and in no number: what a design needs is that of their VMs."
)
_OF_GROUPS = say("figures of a cluster or another group, and of none of its VMs")


def _over_time(
    records: Records, table: Table, wanted: Mapping[str, _Column], *, of: str, when: str
) -> Iterator[SeriesRecord]:
    """Series of a table with a row for each name and time.

    Args:
        of, when: headings of the names and of the times.
    """
    at = {heading: index for index, heading in reversed(list(enumerate(table.head)))}
    times: dict[str, list[float]] = defaultdict(list)
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    first: dict[str, int] = {}
    rows = 0
    for row_number, row in table.rows():
        rows += 1
        if len(row) < len(table.head):
            continue
        name, time = shown(row[at[of]]), _moment(shown(row[at[when]]))
        if time is None or not name:
            continue
        first.setdefault(name, row_number)
        times[name].append(time)
        for counter in wanted:
            value = table.marks.number(shown(row[at[counter]]))
            values[name, counter].append(np.nan if value is None else value)
    records.tables[table.name or "rows"] = rows
    for (name, counter), samples in values.items():
        column = wanted[counter]
        moments, figures = np.array(times[name]), np.array(samples)
        order = np.argsort(moments, kind="stable")
        summary = summarised(moments[order], figures[order])
        if summary.n:
            yield SeriesRecord(
                subject=column.subject,
                name=name,
                counter=counter,
                unit=column.unit,
                factor=column.factor,
                summary=summary,
                place=Place(records.file, table.name, first[name], counter),
                quantity=column.quantity,
                times=moments[order],
                values=figures[order],
            )


def _moment(text: str) -> float | None:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return moment(text)


IMPORTER = Importer(
    kind="vrops-csv",
    title="vRealize Operations",
    looks_for=say("vRealize Operations (timestamp and resName, or headings such as CPU|Demand)"),
    sniff=_sniff,
    read=_read,
)

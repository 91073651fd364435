"""vRealize and Aria Operations: views exported as CSV, and the time series of vrops-export."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import numpy as np

from db.importers.importer import Importer
from db.importers.inventory import VM, means, read_vms
from db.importers.opening import Opened
from db.importers.tables import (
    Columns,
    Table,
    count,
    mhz,
    mib,
    needs,
    number,
    power,
    shown,
    text,
    text_table,
)
from models.intake.records import (
    Note,
    Place,
    Quantity,
    Records,
    SeriesRecord,
    Subject,
    VmRecord,
    summarised,
)
from models.texts import say

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


def _is_series(table: Table) -> bool:
    return "timestamp" in table.head and "resName" in table.head


def _sniff(file: Opened) -> float | None:
    table = None if file.workbook is not None else text_table(file)
    if table is None:
        return None
    if _is_series(table):
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
    at = {heading: index for index, heading in enumerate(table.head)}
    wanted = {name: at[name] for name in table.head if name in _COUNTERS}
    times: dict[str, list[float]] = defaultdict(list)
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    first: dict[str, int] = {}
    rows = 0
    for row_number, row in table.rows():
        rows += 1
        if len(row) < len(table.head):
            continue
        name, moment = shown(row[at["resName"]]), _moment(shown(row[at["timestamp"]]))
        if moment is None or not name:
            continue
        first.setdefault(name, row_number)
        times[name].append(moment)
        for counter, index in wanted.items():
            value = table.marks.number(shown(row[index]))
            values[name, counter].append(np.nan if value is None else value)
    records.tables[table.name or "rows"] = rows
    for (name, counter), samples in values.items():
        quantity, unit = _COUNTERS[counter]
        moments, figures = np.array(times[name]), np.array(samples)
        order = np.argsort(moments, kind="stable")
        summary = summarised(moments[order], figures[order])
        if summary.n:
            yield SeriesRecord(
                subject=Subject.HOST if counter == "hostCPUDemand" else Subject.VM,
                name=name,
                counter=counter,
                unit=unit,
                summary=summary,
                place=Place(records.file, table.name, first[name], counter),
                quantity=quantity,
                times=moments[order],
                values=figures[order],
            )


def _moment(text: str) -> float | None:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


IMPORTER = Importer(
    kind="vrops-csv",
    title="vRealize Operations",
    looks_for=say("vRealize Operations (timestamp and resName, or headings such as CPU|Demand)"),
    sniff=_sniff,
    read=_read,
)

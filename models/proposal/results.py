"""Predicted numbers with their ranges, response curves, failures and findings."""

from __future__ import annotations

from models.prediction import FailureMode, Severity, Shortfall
from models.proposal.blocks import Block, Column, FindingBlock, Paragraph, Section, Table
from models.proposal.subject import Subject
from models.quantities import Quantity, Series
from models.wording import THIN, UNITS, number, range_text, value_text

RANGE_NOTE = (
    "Ranges are nominal 90 % intervals. “No data” stands where no document holds a figure; "
    "nothing is made up."
)


def numbers(subject: Subject) -> Section:
    """Predictions per VM, host and pool, each with range and basis."""
    vms, hosts, pools = subject.prediction.vms, subject.prediction.hosts, subject.prediction.pools
    vm_table = _quantities(
        "VM",
        [subject.name_of(id) for id in vms.ids],
        [
            ("CPU of its vCPUs", vms.cpu_pct, "cpu_pct"),
            ("IOPS", vms.iops, "iops"),
            ("RAM with overhead", vms.ram_gib, "ram_gib"),
            ("Ready time", vms.ready_pct, "ready_pct"),
            ("Response", vms.response_ms, "response_ms"),
        ],
    )
    host_table = _quantities(
        "Host",
        [subject.name_of(id) for id in hosts.ids],
        [
            ("CPU of its cores", hosts.cpu_pct, "cpu_pct"),
            ("RAM", hosts.ram_pct, "ram_pct"),
            ("Network", hosts.network_pct, "network_pct"),
        ],
    )
    pool_table = _quantities(
        "Pool",
        [subject.name_of(id) for id in pools.ids],
        [
            ("IOPS", pools.iops, "iops"),
            ("Disk utilisation", pools.utilisation_pct, "utilisation_pct"),
            ("Latency", pools.latency_ms, "latency_ms"),
            ("Space used", pools.capacity_pct, "capacity_pct"),
        ],
    )
    tables = (vm_table, host_table, pool_table)
    return Section("Predicted load", (*(t for t in tables if t.rows), Paragraph(RANGE_NOTE)))


def _quantities(title: str, names: list[str], columns: list[tuple[str, Series, str]]) -> Table:
    heads = (Column(title, wide=True), *(Column(name, numeric=True) for name, _, _ in columns))
    rows = tuple(
        (name, *(cell(series[i], UNITS[unit]) for _, series, unit in columns))
        for i, name in enumerate(names)
    )
    return Table(heads, rows)


def cell(quantity: Quantity, unit: str) -> str:
    """Value, range below it, basis below that; as few lines as there is to say."""
    lines = [value_text(quantity, unit)]
    if quantity.value is not None:
        if quantity.low != quantity.high:
            lines.append(range_text(quantity))
        lines.append(quantity.basis.label)
    return "\n".join(lines)


def response(subject: Subject) -> Section:
    """Response time against users, for each VM that has a curve."""
    if not subject.plots:
        text = "No document holds response times for these workloads: no data."
        return Section("Response time", (Paragraph(text),))
    return Section("Response time", tuple(subject.plots))


def failures(subject: Subject) -> Section:
    """Each single host gone: where the rest would stand."""
    modes = subject.prediction.failures
    if not modes:
        return Section("When a host fails", (Paragraph("There is no host that could fail."),))
    columns = (
        Column("Host lost"),
        Column("Worst CPU", numeric=True),
        Column("Worst RAM", numeric=True),
        Column("Worst response", numeric=True),
        Column("Verdict"),
        Column("Missing", wide=True),
    )
    rows = tuple(_failure_row(subject, mode) for mode in modes)
    note = (
        "Load after every VM of the lost host has restarted on the hosts left in its cluster; "
        "CPU and RAM each of the host that is then worst off. Admission control, which looks at "
        "reservations, is a different question."
    )
    return Section("When a host fails", (Table(columns, rows, note),))


def _failure_row(subject: Subject, mode: FailureMode) -> tuple[str, ...]:
    name = subject.name_of(mode.host)
    if mode.verdict is None:
        return (name, "n/a", "n/a", "n/a", "n/a", mode.note)
    return (
        name,
        value_text(mode.cpu_pct, "%"),
        value_text(mode.ram_pct, "%"),
        value_text(mode.response_ms, "ms"),
        mode.verdict.label,
        _missing(subject, mode),
    )


def _missing(subject: Subject, mode: FailureMode) -> str:
    parts = [shortfall_text(mode.shortfall)]
    if mode.not_restarted:
        names = ", ".join(subject.name_of(id) for id in mode.not_restarted)
        parts.append(f"not restarted: {names}")
    parts.append(mode.note)
    return "; ".join(part for part in parts if part) or "nothing"


def shortfall_text(shortfall: Shortfall) -> str:
    """What is missing, in units: ``+514 GiB RAM, +12 GHz``; empty when nothing is.

    >>> shortfall_text(Shortfall(ram_gib=514.2, cpu_ghz=12.0))
    '+515\\u202fGiB RAM, +12.0\\u202fGHz CPU'
    """
    parts = []
    if shortfall.ram_gib > 0:
        parts.append(f"+{number(_ceil(shortfall.ram_gib))}{THIN}GiB RAM")
    if shortfall.cpu_ghz > 0:
        parts.append(f"+{number(shortfall.cpu_ghz, 1)}{THIN}GHz CPU")
    if shortfall.iops > 0:
        parts.append(f"+{number(_ceil(shortfall.iops))}{THIN}IOPS")
    return ", ".join(parts)


def _ceil(value: float) -> float:
    return float(-(-value // 1))


def findings(subject: Subject) -> Section:
    """What the rules say, gravest first."""
    order = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.ADVICE: 2}
    ranked = sorted(subject.prediction.findings, key=lambda finding: order[finding.severity])
    blocks: tuple[Block, ...] = tuple(
        FindingBlock(each.severity, each.text, each.fix, each.source) for each in ranked
    )
    return Section("Findings", blocks or (Paragraph("No rule is tripped."),))

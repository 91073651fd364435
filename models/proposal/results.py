"""Predicted numbers with their ranges, response curves and findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from models.base.quantities import Quantity
from models.base.texts import Text, joined, opening, say, say_many
from models.catalog.published import MakersSize, makers_size_of
from models.evidence.publishers import for_customers
from models.judgement.rules import Grouped, grouped
from models.predict.predicted import average_limit, judged_of, title_of, unit_of
from models.predict.prediction import Severity
from models.proposal.requests import Turn, request_of
from models.scenario.scenario import Policy
from models.scenario.wording import (
    NONE_TEXT,
    exact_text,
    first_of,
    input_text,
    number,
    range_text,
    value_text,
    with_unit,
)
from models.tell.blocks import (
    Block,
    Column,
    FindingBlock,
    Paragraph,
    Section,
    Table,
    cell_text,
)
from models.tell.subject import Subject
from models.tell.transactions import transactions_table

NO_BREAK = "\N{NO-BREAK SPACE}"
MOST_NAMES = 3
"""Items that a row names which says the same of several."""
MOST_ROWS = 40
"""A table of hosts, pools or VMs has as many; of more it has the worst."""


def kept(subject: Subject, table: str) -> tuple[str, ...]:
    """Ids of the items that a table shows: all in the order of the scenario, or the worst first.

    Worse is the worse verdict; among equal ones whichever is nearer to one of its limits, by the
    high end that verdicts look at.

    Args:
        table: ``vms``, ``hosts`` or ``pools`` of the prediction.
    """
    found = getattr(subject.prediction, table)
    if len(found.ids) <= MOST_ROWS:
        return tuple(found.ids)
    policy = subject.scenario.policy
    loads = [getattr(found, id).judged_high / average_limit(policy, id) for id in judged_of(table)]
    nearest = np.nan_to_num(np.array(loads), nan=-1.0).max(axis=0)
    order = np.lexsort((-nearest, -found.verdict.astype(int)))
    return tuple(found.ids[row] for row in order[:MOST_ROWS].tolist())


def cut_note(subject: Subject, table: str) -> str:
    """Says under a table that it has not all; empty where it has."""
    shown, there = len(kept(subject, table)), len(getattr(subject.prediction, table).ids)
    if shown == there:
        return ""
    return say(
        "The {shown} of {all} that are nearest to a limit, worst first; the workbook of this "
        "proposal has them all.",
        shown=number(shown),
        all=number(there),
    )


CPU_NOTE = say("CPU of a VM is of its vCPUs, that of a host of its cores.")
RANGE_NOTE = say(
    "Ranges are nominal 90\u202f% intervals. “No data” stands where no document holds a figure; "
    "nothing is made up."
)


PUBLISHED_NOTE = say(
    "Makers’ sizes are estimates for machines in a cloud, for registered users; between two that "
    "are printed they are read off a line through both."
)


def numbers(subject: Subject) -> Section:
    """Predictions per VM, host and pool, each with range and basis."""
    vm_table = _quantities(
        subject, "vms", "VM", ("cpu_pct", "iops", "ram_gib", "ready_pct", "response_ms")
    )
    host_table = _quantities(subject, "hosts", say("Host"), ("cpu_pct", "ram_pct", "network_pct"))
    pool_table = _quantities(
        subject, "pools", say("Pool"), ("iops", "utilisation_pct", "latency_ms", "capacity_pct")
    )
    tables = (vm_table, _published(subject), *_transactions(subject), host_table, pool_table)
    note = joined(" ", filter(None, (_peak_note(subject.scenario.policy), CPU_NOTE, RANGE_NOTE)))
    return Section(say("Predicted load"), (*(t for t in tables if t.rows), Paragraph(note)))


def _transactions(subject: Subject) -> tuple[Table, ...]:
    ids = kept(subject, "vms")
    found = transactions_table(subject.scenario, subject.prediction, ids)
    if found is None:
        return ()
    rows = (tuple(map(cell_text, row)) for row in found.rows)
    return (replace(found, rows=folded(rows)),)


def _published(subject: Subject) -> Table:
    """Makers' sizes of the servers that have one, beside what is planned and predicted."""
    rows = []
    for vm in map(subject.scenario.vm, kept(subject, "vms")):
        production = subject.scenario.policy.derating.production
        size = makers_size_of(subject.catalog, vm.workload, production=production)
        if size is None:
            continue
        asked = subject.prediction.vms.quantity(vm.id, "cpu_pct").times(vm.vcpus / 100.0)
        rows.append(
            (
                vm.name,
                number(size.users),
                _size_text(size),
                say_many(
                    "{count} vCPU, {ram}",
                    "{count} vCPUs, {ram}",
                    vm.vcpus,
                    ram=with_unit(input_text(vm.ram_gib), "GiB"),
                ),
                value_text(asked, "cores"),
            )
        )
    columns = (
        Column("VM"),
        Column(say("Users"), numeric=True),
        Column(say("Maker’s size")),
        Column(say("Planned")),
        Column(say("Predicted load"), numeric=True),
    )
    return Table(columns, tuple(rows), PUBLISHED_NOTE if rows else "")


def _size_text(size: MakersSize) -> Text:
    cores, ram_gib = round(size.cores, 1), round(size.ram_gib, 1)
    return say(
        "{cores} cores, {ram}", cores=exact_text(cores), ram=with_unit(exact_text(ram_gib), "GB")
    )


def _peak_note(policy: Policy) -> str:
    """Why verdicts and findings speak of higher numbers; empty where they don't."""
    raised = (("CPU", policy.peak_factor_cpu), ("IOPS", policy.peak_factor_iops))
    factors = [joined(" × ", (what, exact_text(each))) for what, each in raised if each != 1]
    if not factors:
        return ""
    return say(
        "These are averages; verdicts and findings speak of the peak: {factors}.",
        factors=joined(", ", factors),
    )


def _quantities(subject: Subject, table: str, title: str, numbers: Sequence[str]) -> Table:
    """Args: numbers: their ids."""
    found = getattr(subject.prediction, table)
    names = subject.names
    rows = []
    for id in kept(subject, table):
        cells = {each: cell(found.quantity(id, each)) for each in numbers}
        if table == "vms" and not found.has_response(found.index(id)):
            cells["response_ms"] = NONE_TEXT
        rows.append((names[id], *cells.values()))
    columns = (
        Column(title, wide=True),
        *(Column(head_with_unit(each), numeric=True) for each in numbers),
    )
    return Table(columns, folded(rows), cut_note(subject, table))


def head_with_unit(field: str) -> str:
    """What a number is called, with its unit below where that is no part of it."""
    title, unit = opening(title_of(field)), unit_of(field)
    return title if not unit or unit == title else joined("\n", (title, unit))


def folded(rows: Iterable[tuple[str, ...]], most: int = MOST_NAMES) -> tuple[tuple[str, ...], ...]:
    """Rows that say the same of several items as one, with the first of their names."""
    names: dict[tuple[str, ...], list[str]] = {}
    for name, *cells in rows:
        names.setdefault(tuple(cells), []).append(name)
    return tuple((first_of(alike, most), *cells) for cells, alike in names.items())


def cell(quantity: Quantity) -> str:
    """Value and range in a line, the basis below."""
    if quantity.value is None:
        return value_text(quantity)
    value, ends = value_text(quantity), "" if quantity.is_exact else range_text(quantity)
    first = joined("", (value, NO_BREAK, "(", ends, ")")) if ends else value
    return joined("\n", (first, quantity.basis.label))


def response(subject: Subject) -> Section:
    """Response time against users, for each VM that has a curve."""
    title = say("Response time")
    if subject.prediction.idle:
        return Section(title, (Paragraph(say("Nothing runs yet.")),))
    if not subject.plots:
        text = say("No document holds response times for these workloads: no data.")
        return Section(title, (Paragraph(text),))
    return Section(title, tuple(subject.plots), _slowest_text(subject))


def _slowest_text(subject: Subject) -> Text | str:
    """How slow the slowest VM is, and how slow it may be."""
    vms, limit = subject.prediction.vms, subject.scenario.policy.response_limit_ms
    known = [vms.quantity(id, "response_ms") for id in vms.ids]
    slowest = max(known, key=lambda each: each.value or 0.0)
    if slowest.value is None:
        return ""
    return say(
        "The slowest server answers in {response}; at most {limit} are allowed.",
        response=value_text(slowest, "ms"),
        limit=with_unit(exact_text(limit), "ms"),
    )


def findings(subject: Subject) -> Section:
    """What the rules say, by whose turn it is and then gravest first; what somebody answers for
    comes last, with the reason."""
    order = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.ADVICE: 2}
    ranked = sorted(subject.prediction.findings, key=lambda finding: order[finding.severity])
    names = subject.names
    said = grouped(ranked, lambda id: names.get(id, id))
    blocks: list[Block] = []
    for turn in Turn:
        of_turn = [each for each in said if request_of(each.first).turn is turn]
        told = [_finding(each) for each in of_turn if not each.first.waived]
        blocks += [Paragraph(joined("", (turn.words, ":"))), *told] if told else []
    if not blocks:
        blocks.append(Paragraph(say("No rule is tripped that nobody answers for.")))
    waived = [_finding(each) for each in said if each.first.waived]
    if waived:
        blocks += [Paragraph(WAIVED_NOTE), *waived]
    return Section(say("Findings"), tuple(blocks))


WAIVED_NOTE = say(
    "Accepted in writing: the findings below still hold, and somebody answers for each of them."
)


def _finding(each: Grouped) -> FindingBlock:
    first = each.first
    return FindingBlock(
        first.severity,
        first.severity.label,
        each.text,
        request_of(first).words,
        for_customers(first.source),
        first.waived,
    )

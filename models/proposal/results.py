"""Predicted numbers with their ranges, response curves and findings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from models.citation import in_short
from models.judgement.grouped import Grouped, grouped
from models.predicted import unit_of
from models.prediction import Severity
from models.published import MakersSize, makers_size_of
from models.quantities import Quantity, Series
from models.scenario import Policy
from models.tell.blocks import Block, Column, FindingBlock, Paragraph, Section, Table
from models.tell.subject import Subject
from models.texts import Text, joined, say, say_many
from models.wording import NONE_TEXT, exact_text, number, range_text, value_text, with_unit

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
    vms, hosts, pools = subject.prediction.vms, subject.prediction.hosts, subject.prediction.pools
    vm_table = _quantities(
        "VM",
        [subject.name_of(id) for id in vms.ids],
        [
            (say("CPU of its vCPUs"), vms.cpu_pct, "cpu_pct"),
            ("IOPS", vms.iops, "iops"),
            (say("RAM with overhead"), vms.ram_gib, "ram_gib"),
            (say("Ready time"), vms.ready_pct, "ready_pct"),
            (say("Response"), vms.response_ms, "response_ms"),
        ],
        without=[not vms.has_response(row) for row in range(len(vms.ids))],
    )
    host_table = _quantities(
        say("Host"),
        [subject.name_of(id) for id in hosts.ids],
        [
            (say("CPU of its cores"), hosts.cpu_pct, "cpu_pct"),
            ("RAM", hosts.ram_pct, "ram_pct"),
            (say("Network"), hosts.network_pct, "network_pct"),
        ],
    )
    pool_table = _quantities(
        say("Pool"),
        [subject.name_of(id) for id in pools.ids],
        [
            ("IOPS", pools.iops, "iops"),
            (say("Disk utilisation"), pools.utilisation_pct, "utilisation_pct"),
            (say("Latency"), pools.latency_ms, "latency_ms"),
            (say("Space used"), pools.capacity_pct, "capacity_pct"),
        ],
    )
    tables = (vm_table, _published(subject), host_table, pool_table)
    note = joined(" ", filter(None, (_peak_note(subject.scenario.policy), RANGE_NOTE)))
    return Section(say("Predicted load"), (*(t for t in tables if t.rows), Paragraph(note)))


def _published(subject: Subject) -> Table:
    """Makers' sizes of the servers that have one, beside what is planned and predicted."""
    rows = []
    for vm in subject.scenario.vms:
        size = makers_size_of(subject.catalog, vm.workload)
        if size is None or vm.id not in subject.prediction.vms:
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
                    ram=with_unit(exact_text(vm.ram_gib), "GiB"),
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


def _quantities(
    title: str,
    names: list[str],
    columns: list[tuple[str, Series, str]],
    *,
    without: Sequence[bool] = (),
) -> Table:
    """Args: without: rows of what never has the last number."""
    heads = (Column(title, wide=True), *(Column(name, numeric=True) for name, _, _ in columns))
    rows = [
        [name, *(cell(series[i], unit_of(id)) for _, series, id in columns)]
        for i, name in enumerate(names)
    ]
    for row in compress(rows, without):
        row[-1] = NONE_TEXT
    return Table(heads, tuple(map(tuple, rows)))


def cell(quantity: Quantity, unit: str) -> str:
    """Value, range below it, basis below that; as few lines as there is to say."""
    lines = [value_text(quantity, unit)]
    if quantity.value is not None:
        if not quantity.is_exact:
            lines.append(range_text(quantity))
        lines.append(quantity.basis.label)
    return joined("\n", lines)


def response(subject: Subject) -> Section:
    """Response time against users, for each VM that has a curve."""
    title = say("Response time")
    if subject.prediction.idle:
        return Section(title, (Paragraph(say("Nothing runs yet.")),))
    if not subject.plots:
        text = say("No document holds response times for these workloads: no data.")
        return Section(title, (Paragraph(text),))
    return Section(title, tuple(subject.plots))


def findings(subject: Subject) -> Section:
    """What the rules say, gravest first; what somebody answers for comes last, with the reason."""
    order = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.ADVICE: 2}
    ranked = sorted(subject.prediction.findings, key=lambda finding: order[finding.severity])
    names = subject.names
    said = grouped(ranked, lambda id: names.get(id, id))
    blocks: list[Block] = [_finding(each) for each in said if not each.first.waived]
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
        each.fix,
        in_short(first.source),
        first.waived,
    )

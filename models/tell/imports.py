"""What an import found, took, left out and doubts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from models.base.texts import Numeral, Text, joined, say, say_many
from models.intake.domino import expected_transactions
from models.intake.fills import Fill
from models.intake.notes import GIB_PER_MIB, number, unread_notes
from models.intake.options import PERCENTILES, REASON_WORDS
from models.intake.result import ClusterTotals, Effect, ImportResult
from models.intake.right_size import RightSize, Sizes, chosen, saved
from models.scenario.wording import NO_DATA_TEXT, range_text, with_unit
from models.tell.blocks import Block, Bullets, Column, Definitions, Paragraph, Section, Table

_MOST_ROWS, _MOST_PLACES = 40, 10


def import_sections(result: ImportResult, *, is_listed: bool = False) -> tuple[Section, ...]:
    """The files, the VMs and sums, series, statistics, guesses and remarks; empty ones left out.

    Args:
        is_listed: files and guesses have lists of their own beside it.
    """
    found = [] if is_listed else [Section(say("Files"), (_sources(result),))]
    found.append(Section(say("Taken"), tuple(_taken(result))))
    if result.right_sizes:
        found.append(Section(say("Larger than they need"), tuple(_right_sizes(result))))
    if result.series:
        found.append(Section(say("Measured over time"), tuple(_series(result))))
    if result.domino:
        found.append(Section(say("Domino servers"), (_domino(result),)))
    if result.guesses and not is_listed:
        found.append(Section(say("May be Domino or Sametime: please confirm"), (_guesses(result),)))
    if result.not_read:
        unread = tuple(note.text for note in unread_notes(result.not_read))
        found.append(Section(say("Not read"), (Bullets(unread),)))
    if result.notes:
        texts = tuple(note.text for note in result.notes)
        found.append(Section(say("Worth knowing"), (Bullets(texts),)))
    return tuple(found)


def unread_section(
    problems: Mapping[str, str], *, tables: Collection[str], looked_for: str
) -> Section:
    """What could not be read.

    Args:
        problems: reasons by the names of files.
        tables: names of those whose columns can be told.
        looked_for: what files of known kinds have, where one is of none; else empty.
    """
    items = [
        say("{file}: {reason}. Say under “Columns” what its columns are.", file=name, reason=reason)
        if name in tables
        else say("{file}: {reason}.", file=name, reason=reason)
        for name, reason in problems.items()
    ]
    blocks: tuple[Block, ...] = (Bullets(tuple(items)),)
    if looked_for:
        text = say("Known are: {wanted}. The kind can be chosen above.", wanted=looked_for)
        blocks = (*blocks, Paragraph(text))
    return Section(say("Not read"), blocks)


def _sources(result: ImportResult) -> Table:
    columns = (Column(say("File"), wide=True), Column(say("Kind")), Column(say("Version")))
    rows = tuple(
        (
            each.file,
            each.kind,
            each.tool_version,
            joined(", ", (f"{name} {count:,}" for name, count in each.tables.items())),
        )
        for each in result.sources
    )
    return Table((*columns, Column(say("Rows"), wide=True)), rows)


def _taken(result: ImportResult) -> Iterator[Block]:
    out = [
        joined(" ", (number(count), REASON_WORDS[reason]))
        for reason, count in result.left_out.items()
        if count
    ]
    text = say_many(
        "{taken} of {count} VM listed taken",
        "{taken} of {count} VMs listed taken",
        result.listed,
        taken=number(result.taken),
    )
    left = say("left out: {reasons}", reasons=joined(", ", out)) if out else say("none left out")
    yield Paragraph(joined("; ", (text, left)))
    totals = result.totals
    yield Definitions(
        (
            (say("Hosts"), number(totals.hosts)),
            (say("Clusters"), number(totals.clusters)),
            (say("Cores"), number(totals.cores)),
            (say("RAM of hosts"), _gib(totals.host_ram_mib or None)),
            (say("vCPUs"), number(totals.vcpus) if totals.vcpus else "–"),
            (say("RAM of VMs"), _gib(totals.ram_mib or None)),
        )
    )
    yield from _fills(result)
    if len(result.clusters) > 1:
        yield _clusters(result.clusters)


def _fills(result: ImportResult) -> Iterator[Table]:
    """What each meaning of space and of memory would decide, before one is taken."""
    fills, options = result.fills, result.options
    for head, there, found in (
        (say("Space of VMs"), say("Of data stores"), fills.space),
        (say("Memory of VMs"), say("Of hosts"), fills.memory),
    ):
        columns = (
            Column(head, wide=True),
            Column(say("GiB"), numeric=True),
            Column(there, numeric=True),
            Column(say("Fullest"), wide=True),
        )
        rows = tuple(
            (
                say("{basis} (taken)", basis=each.basis.label)
                if each.basis in (options.disk, options.memory)
                else each.basis.label,
                number(each.mib * GIB_PER_MIB),
                fill_pct(each.pct),
                _fullest(each),
            )
            for each in found
        )
        if rows:
            yield Table(columns, rows)


def fill_pct(pct: float | None) -> str:
    """A share of what there is; a dash where no file says how much that is."""
    return "–" if pct is None else with_unit(number(pct), "%")


def _fullest(fill: Fill) -> str:
    if fill.worst_pct is None:
        return "–"
    words = joined(" ", (fill.worst, fill_pct(fill.worst_pct)))
    return say("{fullest}: more than fits", fullest=words) if fill.over else words


def _clusters(clusters: tuple[ClusterTotals, ...]) -> Table:
    titles = (say("VMs"), say("vCPUs"), say("RAM GiB"), say("Hosts"), say("Cores"))
    rows = tuple(
        (
            each.name or say("no cluster"),
            number(each.vms),
            number(each.totals.vcpus),
            number(each.totals.ram_mib * GIB_PER_MIB),
            number(each.totals.hosts),
            number(each.totals.cores),
        )
        for each in clusters[:_MOST_ROWS]
    )
    columns = (Column(say("Cluster")), *(Column(title, numeric=True) for title in titles))
    return Table(columns, rows, _more(len(clusters)))


def _series(result: ImportResult) -> Iterator[Block]:
    if any(each.cpu_mhz is not None or each.iops is not None for each in result.effects):
        yield _effects(result.effects, result.options.percentile)
        yield from _by_place(result)
    titles = (say("Samples"), say("Every s"), say("Gaps"), say("Mean"), "50", "95", say("Peak"))
    columns = (
        Column(say("Of")),
        Column(say("Counter")),
        Column(say("Unit")),
        *(Column(title, numeric=True) for title in titles),
    )
    rows = tuple(
        (
            each.name,
            each.counter,
            each.unit,
            number(each.summary.n),
            _figure(each.summary.interval_s),
            number(each.summary.gaps),
            *map(
                _figure,
                (each.summary.mean, each.summary.p50, each.summary.p95, each.summary.max),
            ),
        )
        for each in result.series[:_MOST_ROWS]
    )
    yield Table(columns, rows, _more(len(result.series)))


def _right_sizes(result: ImportResult) -> Iterator[Block]:
    """What right-sizing saves by each choice, and the VMs that it is about."""
    for sizes in (Sizes.MEASURED, Sizes.ACTIVE):
        found = chosen(result.right_sizes, sizes)
        if found:
            yield Paragraph(joined("", (saving_text(found, sizes), _taken_mark(result, sizes))))
    rows = tuple(
        (
            each.name,
            _from_to(each.vcpus, each.to_vcpus),
            _from_to(each.ram_gib, each.to_ram_gib),
            say("at the export") if each.by_moment else say("over time"),
        )
        for each in result.right_sizes[:_MOST_ROWS]
    )
    columns = (
        Column(say("VM"), wide=True),
        Column(say("vCPUs"), numeric=True),
        Column(say("RAM GiB"), numeric=True),
        Column(say("Memory measured")),
    )
    yield Table(columns, rows, _more(len(result.right_sizes)))


def saving_text(found: Sequence[RightSize], sizes: Sizes) -> Text:
    """What a choice saves."""
    vcpus, gib = saved(found)
    return say_many(
        "Right-sized {by}: {count} VM, {vcpus} vCPUs and {gib} GiB less",
        "Right-sized {by}: {count} VMs, {vcpus} vCPUs and {gib} GiB less",
        len(found),
        by=sizes.label,
        vcpus=number(vcpus),
        gib=number(gib),
    )


def _taken_mark(result: ImportResult, sizes: Sizes) -> str:
    return say(" (taken).") if result.options.sizes is sizes else "."


def _from_to(there: float, wanted: float) -> str:
    if wanted == there:
        return number(there)
    return joined(" → ", (number(there), number(wanted)))


def _effects(effects: tuple[Effect, ...], chosen: int) -> Table:
    """What each percentile makes of all VMs together, before one is taken."""
    names = {0: say("mean"), 100: say("peak")}
    rows = []
    for each in effects:
        name = names.get(each.percentile, Numeral(f"{each.percentile} %"))
        if each.percentile == chosen:
            name = say("{percentile} (taken)", percentile=name)
        rows.append((name, _figure(each.cpu_mhz), _figure(each.iops)))
    columns = (
        Column(say("Percentile")),
        Column(say("CPU of all VMs MHz"), numeric=True),
        Column(say("IOPS of all VMs"), numeric=True),
    )
    return Table(columns, tuple(rows))


def _by_place(result: ImportResult) -> Iterator[Block]:
    """What each percentile makes of the busiest hosts and pools."""
    titles = (say("mean"), *(Numeral(f"{each} %") for each in PERCENTILES[1:-1]), say("peak"))
    columns = tuple(Column(title, numeric=True) for title in titles)
    chosen = PERCENTILES.index(result.options.percentile)
    for name, of_each in (
        (say("CPU of host, %"), [each.hosts for each in result.effects]),
        (say("IOPS of pool"), [each.pools for each in result.effects]),
    ):
        busiest = sorted(of_each[chosen], key=lambda each: -of_each[chosen][each])
        rows = tuple(
            (place, *(_figure(values.get(place)) for values in of_each))
            for place in busiest[:_MOST_PLACES]
        )
        if rows:
            left = _more(len(busiest), _MOST_PLACES)
            note = joined("; ", filter(None, (left, say("VMs that nobody measured are not in it"))))
            yield Table((Column(name, wide=True), *columns), rows, note)


def _domino(result: ImportResult) -> Table:
    titles = (
        *(say("Users"), say("Peak"), say("15 min"), say("CPU %"), say("Trans/min")),
        *(say("Predicted"), say("Most in a minute")),
    )
    rows = tuple(
        (
            each.server,
            each.release,
            *map(
                _figure,
                (
                    each.users,
                    each.users_peak,
                    each.active_15min,
                    each.cpu_pct_avg,
                    each.trans_per_minute,
                ),
            ),
            range_text(expected_transactions(each)) or NO_DATA_TEXT,
            _figure(each.trans_per_minute_peak),
        )
        for each in result.domino[:_MOST_ROWS]
    )
    columns = (Column(say("Server")), Column(say("Release")))
    numbers = tuple(Column(title, numeric=True) for title in titles)
    about = say(
        "Predicted: transactions a minute that so many users made on published mail servers, "
        "with its 90 % range. The most in a minute is mostly maintenance."
    )
    note = joined("; ", filter(None, (_more(len(result.domino)), about)))
    return Table((*columns, *numbers), rows, note)


def _guesses(result: ImportResult) -> Table:
    rows = tuple((each.name, each.why) for each in result.guesses[:_MOST_ROWS])
    columns = (Column(say("VM")), Column(say("Because"), wide=True))
    return Table(columns, rows, _more(len(result.guesses)))


def _more(count: int, shown: int = _MOST_ROWS) -> str:
    left = count - shown
    return say_many("and {count} more", "and {count} more", left) if left > 0 else ""


def _gib(mib: float | None) -> str:
    return "–" if mib is None else say("{count} GiB", count=number(mib * GIB_PER_MIB))


def _figure(value: float | None) -> str:
    if value is None:
        return "–"
    return Numeral(f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.3g}")

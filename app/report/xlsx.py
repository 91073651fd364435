"""A proposal's figures as a workbook: numbers as numbers, sums as formulas that stay alive.

Texts are written as texts whatever they begin with, so no name becomes a formula or a link.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import xlsxwriter
from xlsxwriter.utility import xl_col_to_name

from app.language import Language
from app.report.data import COLOURS
from app.report.paper import Paper
from app.report.plain import plain
from app.report.price_sheets import write_costs
from models.base.fields import field_at
from models.base.quantities import NO_DATA, Quantity
from models.base.rounding import NOISE, rounded
from models.base.texts import Text, opening, said, say
from models.catalog.field_values import value_words
from models.evidence.publishers import for_customers
from models.failure.mode import ModeKind
from models.predict.predicted import numbers_of, title_of, unit_of
from models.proposal import Proposal
from models.proposal.requests import request_of
from models.resilience.mode_words import mode_text
from models.scenario.inputs import inputs
from models.scenario.scenario import Host, Vm
from models.studies.runway import NUMBERS
from models.tell.blocks import Definitions, Table, cell_text
from models.tell.growth import step_head
from models.tell.materials import materials
from models.tell.subject import Subject

MOST_LETTERS = 32_000
"""A cell holds 32,767."""
SHEET_LETTERS = 31
WIDEST, NARROWEST = 60.0, 8.0
LINE_PT = 15.0
WHOLE, DIGITS = "#,##0", "[<100]0.0#;#,##0"
"""How numbers are shown; the cell holds all digits."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A cell that adds up cells of a column of another sheet, by their rows."""

    sheet: str
    column: int
    rows: tuple[int, ...]
    value: float


Cell = str | float | int | Sum | None
MOST_RANGES = 200
"""A function takes 255 of them."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of one sheet: `sums` names columns whose total stands below as a formula."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    sums: tuple[int, ...] = ()


def proposal_xlsx(
    proposal: Proposal,
    subjects: Sequence[Subject],
    language: Language,
    paper: Paper,
    now: datetime,
) -> bytes:
    """The figures of these scenarios, with words in a tongue, as XLSX."""
    stream = io.BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with xlsxwriter.Workbook(stream, options) as book:
        book.set_properties(
            {
                "title": plain(f"{said(proposal.title, language)} – {proposal.subject}"),
                "author": plain(proposal.author),
                "created": now.replace(tzinfo=None),
            }
        )
        head = book.add_format(
            {"bold": True, "bottom": 1, "font_color": COLOURS["muted"], "text_wrap": True}
        )
        total = book.add_format({"bold": True, "top": 1, "num_format": "#,##0.##"})
        for sheet in sheets(proposal, subjects):
            page = _written(book, sheet, language, head, total)
            page.set_paper(_PAPERS[paper])
        costs = [(each.scenario.name, each.cost) for each in subjects if each.cost is not None]
        if costs:
            write_costs(book, costs, language).set_paper(_PAPERS[paper])
    return stream.getvalue()


_PAPERS = {Paper.LETTER: 1, Paper.A4: 9}
"""How a workbook counts sizes of paper."""


def sheets(proposal: Proposal, subjects: Sequence[Subject]) -> Iterator[Sheet]:
    """What the workbook holds, in English texts that can be said otherwise."""
    yield _summary(proposal)
    yield Sheet(
        say("Inputs"),
        (_SCENARIO, say("Item"), say("Input"), say("Value"), say("Unit"), say("Origin")),
        tuple(row for subject in subjects for row in _inputs(subject)),
    )
    for table, title in _TABLES:
        yield _predictions(subjects, table, title)
    yield Sheet(
        say("Bill of materials"),
        (
            *(_SCENARIO, say("Item"), say("What"), say("Amount"), say("Unit")),
            *(say("There or to buy"), say("Remark")),
        ),
        tuple(_materials(subjects)),
    )
    yield Sheet(
        say("Failures"),
        (_SCENARIO, say("What fails"), *_MODE_HEADS, say("Verdict"), say("Remark")),
        tuple(row for subject in subjects for row in _failures(subject)),
    )
    if any(subject.runway for subject in subjects):
        yield _runway(subjects)
    yield Sheet(
        say("Findings"),
        (
            *(_SCENARIO, say("Severity"), say("Subject"), say("Finding")),
            *(say("Whose turn"), say("What is to be done"), say("Source")),
        ),
        tuple(row for subject in subjects for row in _findings(subject)),
    )


_SCENARIO = say("Scenario")
_TABLES = (
    ("hosts", say("Hosts")),
    ("pools", say("Storage pools")),
    ("vms", say("Virtual machines")),
)
_MODES = ("cpu_pct", "ram_pct", "iops", "response_ms", "ready_pct")
_SUMMED = frozenset({"iops", "ram_gib"})
"""Numbers whose sum over items means something."""


def _heads(name: str) -> tuple[str, ...]:
    unit = unit_of(name)
    title = opening(title_of(name))
    whole = say("{what}, {unit}", what=title, unit=unit) if unit and unit != title else title
    return (whole, say("from"), say("to"))


_MODE_HEADS = tuple(head for name in _MODES for head in _heads(name))


def _summary(proposal: Proposal) -> Sheet:
    """What the first page has, a row each."""
    rows: list[tuple[Cell, ...]] = [*proposal.cover]
    for name, box in proposal.verdicts:
        rows.append((name, opening(box.verdict.words)))
        rows.append(("", box.text))
        if box.remark:
            rows.append(("", box.remark))
    for block in proposal.first:
        if isinstance(block, Definitions):
            rows += block.rows
        elif isinstance(block, Table) and len(block.rows) == 1:
            heads = (column.title for column in block.columns)
            rows += zip(heads, map(cell_text, block.rows[0]), strict=True)
        elif isinstance(block, Table):
            titles = (block.columns[0].title, *(len(block.rows) - 1) * ("",))
            asked = (cell_text(row[0]) for row in block.rows)
            rows += zip(titles, asked, strict=True)
            rows += [("", block.note)] if block.note else []
    rows += [("", proposal.imprint), (say("Made with"), proposal.made_with)]
    return Sheet(say("Summary"), (proposal.title, proposal.subject), tuple(rows))


def _inputs(subject: Subject) -> Iterator[tuple[Cell, ...]]:
    scenario, names = subject.scenario, subject.names
    for each in inputs(scenario):
        field = field_at(each.kind, each.path)
        number = isinstance(each.value, int | float) and not isinstance(each.value, bool)
        value = each.value
        if not number:
            value = value_words(
                each.kind, each.path, value, catalog=subject.catalog, name_of=subject.name_of
            )
        whose = names.get(each.subject, each.subject)
        unit = field.unit if number else ""
        yield (scenario.name, whose, opening(field.label), value, unit, each.origin.label)


def _predictions(subjects: Sequence[Subject], table: str, title: str) -> Sheet:
    """Each item of a kind with all its numbers: value and the ends of its interval."""
    fields = numbers_of(table)
    heads: list[str] = [_SCENARIO, say("Item"), *_BESIDE.get(table, ())]
    sums = [*_BESIDE_SUMS[table]]
    for name in fields:
        if name in _SUMMED:
            sums.append(len(heads))
        heads += _heads(name)
    heads.append(say("Verdict"))
    rows = []
    for subject in subjects:
        found = getattr(subject.prediction, table)
        items, names = {each.id: each for each in subject.scenario.items()}, subject.names
        for row, id in enumerate(found.ids):
            beside = _beside(subject, items[id], names)
            cells: list[Cell] = [subject.scenario.name, names[id], *beside]
            for name in fields:
                asked = name != "response_ms" or table != "vms" or found.has_response(row)
                cells += _three(found.quantity(id, name) if asked else NO_DATA)
            rows.append((*cells, found.shown(row).words))
    return Sheet(title, tuple(heads), tuple(rows), tuple(sums) if len(subjects) == 1 else ())


_BESIDE = {
    "vms": (say("Active users"), "vCPUs", say("Host"), say("Storage pool")),
    "hosts": (say("Server"), say("Cores"), say("RAM installed, GiB")),
    "pools": (say("Array"), say("Drive"), say("Drives"), say("RAID level")),
}
"""Inputs that stand beside the numbers of an item, so that they can be calculated with."""
_BESIDE_SUMS = {"vms": (2, 3), "hosts": (3, 4), "pools": (4,)}
"""Columns of them whose sum means something."""
_ADDED = {"cores": ("hosts", 3), "ram_gib": ("hosts", 4), "spindles": ("pools", 4)}
"""Table and column of the numbers that a bill of materials adds up."""


def _beside(subject: Subject, item: Any, names: Mapping[str, str]) -> tuple[Cell, ...]:
    catalog = subject.catalog
    if isinstance(item, Vm):
        host, pool = subject.host_name(None), subject.pool_name(None)
        host, pool = names.get(item.host or "", host), names.get(item.pool or "", pool)
        return (item.workload.active_users or None, item.vcpus, host, pool)
    if isinstance(item, Host):
        server = catalog.servers[item.server]
        return (server.name, server.cores, item.ram_gib)
    array, disk = catalog.arrays[item.array].name, catalog.disks[item.disk].name
    return (array, disk, item.spindles, catalog.raid_levels[item.raid].name)


def _three(found: Quantity) -> tuple[float | None, float | None, float | None]:
    return found.value, found.low, found.high


def _materials(subjects: Sequence[Subject]) -> Iterator[tuple[Cell, ...]]:
    """What is added up of hosts and pools as sums of their cells."""
    before = dict.fromkeys(("hosts", "pools"), 1)
    for subject in subjects:
        ids = {table: getattr(subject.prediction, table).ids for table in before}
        places = {
            (table, id): before[table] + row
            for table in before
            for row, id in enumerate(ids[table])
        }
        for each in materials(subject.scenario, subject.catalog):
            count: Cell = None if each.count != each.count else each.count
            if each.adds and count is not None:
                table, column = _ADDED[each.adds]
                rows = tuple(places[table, id] for id in each.items)
                count = Sum(dict(_TABLES)[table], column, rows, each.count)
            told = (each.part, each.what, count, each.unit, each.whence, each.note)
            yield (subject.scenario.name, *told)
        before = {table: count + len(ids[table]) for table, count in before.items()}


def _failures(subject: Subject) -> Iterator[tuple[Cell, ...]]:
    study = subject.study
    ranked = [] if study is None else [study[row] for row in study.ranked()]
    for mode in sorted(ranked, key=lambda mode: mode.mode.kind is not ModeKind.NORMAL):
        cells: list[Cell] = [subject.scenario.name, mode_text(mode.mode, subject.names)]
        for name in _MODES:
            cells += _three(getattr(mode, name))
        shown = mode.shown
        yield (*cells, say("n/a") if shown is None else shown.words, mode.note)


def _runway(subjects: Sequence[Subject]) -> Sheet:
    """The months to come, each a full prediction of the design as it has grown."""
    heads = (
        *(_SCENARIO, say("Month"), say("Users"), *map(_step_head, NUMBERS)),
        *(say("CPU, worst host lost"), say("RAM, worst host lost"), say("Verdict")),
    )
    rows = tuple(
        (
            subject.scenario.name,
            step.month,
            step.users,
            *step.normal.values(),
            step.failure["cpu_pct"],
            step.failure["ram_pct"],
            step.shown.words,
        )
        for subject in subjects
        if subject.runway is not None
        for step in subject.runway.steps
    )
    return Sheet(say("In the years ahead"), heads, rows)


def _step_head(name: str) -> str:
    return say("CPU of a VM, %") if name == "vm_cpu_pct" else step_head(name)


def _findings(subject: Subject) -> Iterator[tuple[Cell, ...]]:
    for each in subject.prediction.findings:
        whose = subject.name_of(each.subject) if each.subject else ""
        word = each.severity.label
        asked = request_of(each)
        told = (each.text, asked.turn.words, asked.words, for_customers(each.source))
        yield (subject.scenario.name, word, whose, *told)


# ---------------------------------------------------------------- writing


def _written(book: Any, sheet: Sheet, language: Language, head: Any, total: Any) -> Any:
    page = book.add_worksheet(said(sheet.title, language)[:SHEET_LETTERS])
    wrapped = book.add_format({"text_wrap": True, "valign": "top", "indent": 1})
    digits = [{"valign": "top", "num_format": each} for each in (WHOLE, DIGITS)]
    formats = (wrapped, *map(book.add_format, digits))
    widths = [NARROWEST] * len(sheet.heads)
    for column, text in enumerate(sheet.heads):
        words = plain(said(text, language))
        page.write_string(0, column, words, head)
        widths[column] = max(widths[column], min(len(words) + 2.0, 18.0))
    for line, row in enumerate(sheet.rows, start=1):
        lines = 1
        for column, value in enumerate(row):
            written = [len(each) for each in _cell(page, line, column, value, language, formats)]
            lines = max(lines, sum(max(1, -(-each // int(WIDEST - 4))) for each in written))
            widths[column] = max(widths[column], min(max(written) + 2.0, WIDEST))
        if lines > 1:  # programs that don't look at the text would lay one row over the next
            page.set_row(line, lines * LINE_PT)
    last = len(sheet.rows)
    for column in sheet.sums if last else ():
        letter = xl_col_to_name(column)
        values = [row[column] for row in sheet.rows]
        known = rounded(math.fsum(v for v in values if isinstance(v, int | float)), NOISE)
        page.write_formula(last + 1, column, f"=SUM({letter}2:{letter}{last + 1})", total, known)
    if sheet.sums and last:
        page.write_string(last + 1, 0, said(say("Total"), language), total)
    for column, width in enumerate(widths):
        page.set_column(column, column, width)
    page.set_landscape()
    page.fit_to_pages(1, 0)
    page.repeat_rows(0)
    page.freeze_panes(1, 2 if len(sheet.heads) > 3 else 0)
    if last and len(sheet.heads) > 2:
        page.autofilter(0, 0, last, len(sheet.heads) - 1)
    return page


def _cell(
    page: Any,
    line: int,
    column: int,
    value: Cell | Text,
    language: Language,
    formats: Sequence[Any],
) -> list[str]:
    """Writes a cell and returns the lines that it needs room for."""
    if value is None:
        return [""]
    if isinstance(value, str):
        words = plain(said(value, language))[:MOST_LETTERS]
        page.write_string(line, column, words, formats[0])
        return words.split("\n")
    if isinstance(value, Sum):
        formula, value = _formula(value, language), value.value
        page.write_formula(line, column, formula, formats[1], value)
        return [f"{value:,.1f}"]
    value = rounded(value, NOISE)
    page.write_number(line, column, value, formats[1 if value.is_integer() else 2])
    return [f"{value:,.1f}"]


def _formula(value: Sum, language: Language) -> str:
    """``=SUM(Hosts!$D$2:$D$4,Hosts!$D$7)``; of too many ranges the number."""
    sheet = said(value.sheet, language)[:SHEET_LETTERS].replace("'", "''")
    letter = xl_col_to_name(value.column)
    ranges: list[tuple[int, int]] = []
    for row in sorted(value.rows):
        if ranges and ranges[-1][1] == row - 1:
            ranges[-1] = (ranges[-1][0], row)
        else:
            ranges.append((row, row))
    if len(ranges) > MOST_RANGES:
        return f"={value.value!r}"
    cells = (f"'{sheet}'!${letter}${first + 1}:${letter}${last + 1}" for first, last in ranges)
    return f"=SUM({','.join(cells)})"

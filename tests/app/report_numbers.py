"""Numbers as they stand in a proposal's files, read back by readers that aren't the writer's."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import docx
from pypdf import PdfReader
from python_calamine import CalamineWorkbook

from app.report.plain import plain
from models.base.lettering import APART, BREAK, TOGETHER
from models.base.quantities import NO_DATA, Quantity
from models.predict.predicted import numbers_of
from models.predict.prediction import Prediction
from models.proposal.names import shown_names
from models.proposal.results import head_with_unit
from models.scenario.scenario import Scenario
from models.scenario.wording import range_text, value_text

TABLES = {
    "vms": ("cpu_pct", "iops", "ram_gib", "ready_pct", "response_ms"),
    "hosts": ("cpu_pct", "ram_pct", "network_pct"),
    "pools": ("iops", "utilisation_pct", "latency_ms", "capacity_pct"),
}
"""Numbers of the document's tables, in the order of their columns."""
BESIDE = {"hosts": 3, "vms": 4, "pools": 4}
"""Inputs between an item's name and its numbers."""
SHEETS = {"hosts": 0, "pools": 1, "vms": 2}
"""Sheets of the workbook after its summary and its inputs."""
_HIDDEN = re.compile(f"[{BREAK}{APART}{TOGETHER}]")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def in_line(text: str) -> str:
    """The text with single blanks, without what only breaks or sets apart."""
    return " ".join(_HIDDEN.sub("", text).split())


def parsed(words: str) -> float:
    """The first number of English words."""
    found = _NUMBER.search(words)
    assert found is not None, words
    return float(found[0].replace(",", ""))


def check_words(words: str, quantity: Quantity) -> None:
    """Cell of a document against the prediction: its text, and what its digits come to."""
    lines = words.split("\n")
    if quantity.value is None:
        assert lines[0] in {"no data", "–"}, words
        return
    assert words == in_cell(quantity)
    if "<" not in lines[0]:
        shown = parsed(lines[0])
        width = abs((quantity.high or 0.0) - (quantity.low or 0.0)) if not quantity.is_exact else 0
        assert abs(shown - quantity.value) <= max(0.06 * quantity.value, 0.11 * width, 0.51), words


def in_cell(quantity: Quantity) -> str:
    """Value with its range in a line, its basis below."""
    ends = "" if quantity.is_exact else f"\N{NO-BREAK SPACE}({range_text(quantity)})"
    return f"{value_text(quantity)}{ends}\n{quantity.basis.label}"


def asked(found: Any, table: str, id: str, name: str) -> Quantity:
    """The number of an item; of a VM on whom no user waits no response."""
    is_none = name == "response_ms" and table == "vms" and not found.has_response(found.index(id))
    return NO_DATA if is_none else found.quantity(id, name)


def check_xlsx(content: bytes, scenario: Scenario, prediction: Prediction) -> None:
    """Every number of every item, to eleven digits; where nothing is known, an empty cell."""
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    names = {item.id: item.name for item in shown_names(scenario).items()}
    for table, place in SHEETS.items():
        found = getattr(prediction, table)
        of = partial(asked, found, table)
        rows = book.get_sheet_by_index(2 + place).to_python(skip_empty_area=False)[1:]
        for id, row in zip(found.ids, rows, strict=False):
            assert row[1] == plain(names[id])
            expected: list[Any] = []
            for name in numbers_of(table):
                number = of(id, name)
                expected += [number.value, number.low, number.high]
            first = 2 + BESIDE.get(table, 0)
            cells = [None if cell == "" else cell for cell in row[first : first + len(expected)]]
            cells += [None] * (len(expected) - len(cells))
            for cell, value in zip(cells, expected, strict=True):
                assert (cell is None) == (value is None), (table, id, cell, value)
                assert value is None or abs(cell - value) <= 1e-11 * max(abs(value), 1e-9)
        assert len(rows) >= len(found.ids)


def rows_of(prediction: Prediction, table: str, ids: Sequence[str]) -> list[tuple[Quantity, ...]]:
    """The numbers of a table's rows; items whose cells say the same share one."""
    found = getattr(prediction, table)
    rows: dict[tuple[tuple[str, ...], bool], tuple[Quantity, ...]] = {}
    for id in ids:
        numbers = tuple(asked(found, table, id, each) for each in TABLES[table])
        is_asked = table != "vms" or found.has_response(found.index(id))
        rows.setdefault((tuple(map(in_cell, numbers)), is_asked), numbers)
    return list(rows.values())


def check_docx(content: bytes, prediction: Prediction, ids: dict[str, Sequence[str]]) -> None:
    """Each cell of the tables of predicted numbers."""
    document = docx.Document(io.BytesIO(content))
    tables = {_heads(table): table for table in document.tables}
    for name, numbers in TABLES.items():
        if not ids[name]:
            continue
        rows = tables[tuple(head_with_unit(each) for each in numbers)].rows[1:]
        for quantities, row in zip(rows_of(prediction, name, ids[name]), rows, strict=True):
            cells = [cell.text for cell in row.cells][1:]
            for quantity, words in zip(quantities, cells, strict=True):
                check_words(words, quantity)


def _heads(table: Any) -> tuple[str, ...]:
    return tuple(cell.text for cell in table.rows[0].cells)[1:]


def check_pdf(content: bytes, prediction: Prediction, ids: dict[str, Sequence[str]]) -> None:
    """Each cell of these tables stands on the pages, one after the other."""
    text = in_line(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages))
    place = 0
    for words in _cells(prediction, ids):
        found = re.compile(rf"(?<!\S){re.escape(in_line(words))}(?!\S)").search(text, place)
        assert found is not None, (words, text[place : place + 300])
        place = found.end()


def _cells(prediction: Prediction, ids: dict[str, Sequence[str]]) -> Iterator[str]:
    for name in TABLES:
        for quantities in rows_of(prediction, name, ids[name]):
            yield from (in_cell(each) for each in quantities if each.value is not None)


_RANGE = r"(?:'[^'&<>]+'!)?\$?[A-Z]+\$?\d+:\$?[A-Z]+\$?\d+"
FORMULA = re.compile(rf"<f(?: [^>]*)?>(?!SUM\({_RANGE}(?:,{_RANGE})*\)</f>)")


def check_guarded(content: bytes) -> None:
    """A workbook or document calculates nothing but its own sums, and leads nowhere by itself."""
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        for name in parts.namelist():
            if name.endswith((".xml", ".rels")):
                xml = parts.read(name).decode()
                assert not FORMULA.search(xml), name
                assert 'TargetMode="External"' not in xml, name
                assert "<hyperlink" not in xml, name

"""One rounding: finished documents say the same number with the same digits, in every form."""

from __future__ import annotations

import html
import io
import re
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise

import docx
import pytest
from pypdf import PdfReader
from python_calamine import CalamineWorkbook

from app.calibrated import shipped_calibration
from app.language import language_of
from app.report.build import Print, report
from db.codec import scenario_from_json
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from resources.catalog_files import load_catalog
from resources.example_files import load_examples
from tests.sweeps import some

HOW = Print(now=datetime(2026, 3, 7, 9, 5, tzinfo=UTC), language=language_of("en"), file="x.json")
NAMES = ("wv21-migration.json", "building-block.json")
FILES = {file.name: file for each in load_examples() for file in each.files}
AMOUNT = re.compile(r"(?<![\d.,–-])(\d[\d,]*(?:\.\d+)?) ?(ms|%|GiB|GHz|users|IOPS)(?!\w)")
ALIKE = 1.03
"""Numbers nearer to each other than this are one number, said with other digits."""


def in_line(text: str) -> str:
    """With single blanks, without what only breaks or holds together."""
    return " ".join(re.sub("[\u200b\u2060\u00ad]", "", text).replace("\u202f", " ").split())


def words_of_docx(content: bytes) -> str:
    document = docx.Document(io.BytesIO(content))
    cells = (cell.text for table in document.tables for row in table.rows for cell in row.cells)
    return "\n".join([*(line.text for line in document.paragraphs), *cells])


def words_of_html(content: bytes) -> str:
    """But for what runs, and for what its reader plays with: no number of it is signed."""
    page = re.sub(r"<(script|style)\b.*?</\1>", " ", content.decode(), flags=re.DOTALL)
    page = re.sub(r'<section id="play">.*?</section>', " ", page, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", " ", page))


def words_of_summary(content: bytes) -> str:
    rows = CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(0).to_python()
    return "\n".join(str(cell) for row in rows for cell in row)


@cache
def amounts(name: str, ending: str) -> frozenset[tuple[str, str]]:
    """Every number with a unit that stands in a finished document."""
    scenario, catalog = scenario_from_json(FILES[name].text.encode(), name=name), load_catalog()
    prediction = evaluate(scenario, Knowledge(catalog, shipped_calibration()))
    content = report([(scenario, prediction)], catalog, ending, HOW).content
    match ending:
        case ".pdf":
            pages = PdfReader(io.BytesIO(content)).pages
            text = " ".join(page.extract_text() for page in pages)
        case ".docx":
            text = words_of_docx(content)
        case ".html":
            text = words_of_html(content)
        case _:
            text = words_of_summary(content)
    return frozenset(AMOUNT.findall(in_line(text)))


@pytest.mark.parametrize("ending", [".docx", ".html", ".xlsx"])
@pytest.mark.parametrize("name", some(NAMES))
def test_no_form_has_a_number_that_the_signed_pages_have_not(name: str, ending: str) -> None:
    found = amounts(name, ending)
    assert found
    assert not found - amounts(name, ".pdf")


@pytest.mark.parametrize("name", NAMES)
def test_a_number_has_one_form_in_a_document(name: str) -> None:
    """179 and 180 ms, 4 and 4.0 % are one number, told with two roundings."""
    found = amounts(name, ".pdf")
    times = sorted(float(each.replace(",", "")) for each, unit in found if unit == "ms")
    assert len(times) > 2
    assert not [pair for pair in pairwise(times) if pair[1] < ALIKE * pair[0]]
    forms: dict[tuple[float, str], set[str]] = {}
    for each, unit in found:
        forms.setdefault((float(each.replace(",", "")), unit), set()).add(each)
    assert not [written for written in forms.values() if len(written) > 1]

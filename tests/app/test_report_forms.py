"""The proposal as office files: they open, say what the prediction says, and run nothing."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

import docx
import pytest
from python_calamine import CalamineWorkbook

from app.calibrated import shipped_calibration
from app.language import language_of
from app.report.build import FORMS, Print, report
from app.report.paper import Paper
from db.codec import scenario_from_json
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.scenario.scenario import Scenario
from models.tell.meeting import Meeting, MeetingStep
from resources.catalog_files import load_catalog
from resources.example_files import load_examples
from tests.sweeps import some

NOW = datetime(2026, 3, 7, 9, 5, tzinfo=UTC)
HOSTILE = ("=1+1", "+A1", '@SUM("x")', '=HYPERLINK("http://x")', "a\x07b", "<b>&amp;", "한국")

OWN_STYLES = {"Table Text", "Table Head", "Narrow Text", "Narrow Head"}


def scenario(name: str = "building-block.json") -> Scenario:
    files = {file.name: file for each in load_examples() for file in each.files}
    return scenario_from_json(files[name].text.encode(), name=name)


@cache
def written(ending: str, language: str = "en", hostile: bool = False) -> bytes:
    given = scenario()
    if hostile:
        for name, item in zip(HOSTILE, given.items(), strict=False):
            given = given.with_item(replace(item, name=name))
    catalog = load_catalog()
    prediction = evaluate(given, Knowledge(catalog, shipped_calibration()))
    how = Print(now=NOW, language=language_of(language), file="x.headroom", paper=Paper.LETTER)
    return report([(given, prediction)], catalog, ending, how).content


def words_of(content: bytes) -> str:
    document = docx.Document(io.BytesIO(content))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return "\n".join([*(line.text for line in document.paragraphs), *cells])


def test_a_document_has_styles_tables_and_contents() -> None:
    document = docx.Document(io.BytesIO(written(".docx")))
    styles = {line.style.name for line in document.paragraphs if line.style is not None}
    assert {"Title", "Heading 1", "Heading 2", "List Bullet"} <= styles
    assert "TOC" in document.element.xml
    assert all(shape._inline.docPr.get("descr") for shape in document.inline_shapes), (
        "each picture says what it shows"
    )
    assert abs(document.sections[0].page_width.mm - Paper.LETTER.width_mm) < 0.1  # type: ignore[union-attr]


@pytest.mark.parametrize("language", ["en", "de"])
def test_numbers_are_those_of_the_prediction(language: str) -> None:
    given, catalog = scenario(), load_catalog()
    prediction = evaluate(given, Knowledge(catalog, shipped_calibration()))
    book = CalamineWorkbook.from_filelike(io.BytesIO(written(".xlsx", language)))
    rows = book.get_sheet_by_name({"en": "Hosts", "de": "Hosts"}[language]).to_python()
    assert [row[1] for row in rows[1 : 1 + len(given.hosts)]] == [h.name for h in given.hosts]
    for row, host in zip(rows[1:], given.hosts, strict=False):
        found = prediction.hosts.quantity(host.id, "cpu_pct")
        server = catalog.servers[host.server]
        assert row[2:5] == [server.name, server.cores, host.ram_gib]
        assert row[5:8] == pytest.approx([found.value, found.low, found.high], rel=1e-14)


def test_a_vm_of_the_workbook_has_its_users_and_where_it_stands() -> None:
    given = scenario()
    book = CalamineWorkbook.from_filelike(io.BytesIO(written(".xlsx")))
    head, *rows = book.get_sheet_by_name("Virtual machines").to_python()
    assert head[2:6] == ["Active users", "vCPUs", "Host", "Storage pool"]
    for row, vm in zip(rows, given.vms, strict=False):
        host, pool = given.host(vm.host or "").name, given.pool(vm.pool or "").name
        assert row[1:6] == [vm.name, vm.workload.active_users, vm.vcpus, host, pool]


def sheets_of(content: bytes) -> dict[str, str]:
    """The XML of each sheet of a workbook."""
    names = CalamineWorkbook.from_filelike(io.BytesIO(content)).sheet_names
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        files = (f"xl/worksheets/sheet{place}.xml" for place in range(1, len(names) + 1))
        return {name: parts.read(file).decode() for name, file in zip(names, files, strict=True)}


def test_what_is_added_up_are_formulas_over_the_cells_of_hosts_and_pools() -> None:
    given, content = scenario(), written(".xlsx")
    xml, last = sheets_of(content), len(given.hosts) + 1
    for letter in ("D", "E"):  # cores, RAM
        assert f"<f>SUM({letter}2:{letter}{last})</f>" in xml["Hosts"]
        assert f"<f>SUM('Hosts'!${letter}$2:${letter}${last})</f>" in xml["Bill of materials"]
    rows = CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_name(
        "Bill of materials"
    )
    amounts = {row[1]: row[3] for row in rows.to_python()[1:]}
    assert amounts["RAM"] == sum(host.ram_gib for host in given.hosts)


def test_a_workbook_has_the_first_page_and_the_paper_asked_for() -> None:
    content = written(".xlsx")
    assert all('paperSize="1"' in xml for xml in sheets_of(content).values())
    summary = CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_name("Summary")
    told = [row[0] for row in summary.to_python()]
    for title in ("When a host dies", "How sure", "Users at work at once", "Made with"):
        assert title in told
    assert any(str(title).startswith("To be settled") for title in told)


def test_each_release_of_the_bill_has_the_end_of_its_support() -> None:
    book = CalamineWorkbook.from_filelike(io.BytesIO(written(".xlsx")))
    rows = book.get_sheet_by_name("Bill of materials").to_python()
    found = {row[2]: row[-1] for row in rows if row[1] in ("VMs by release", "Hypervisor")}
    assert len(found) == 2
    assert all("support" in str(remark) for remark in found.values()), found


def test_tables_of_a_document_are_styled_and_not_painted() -> None:
    """Whoever changes a style changes every table."""
    tables = docx.Document(io.BytesIO(written(".docx"))).tables
    cells = [line for table in tables for cell in table._cells for line in cell.paragraphs]
    assert {line.style.name for line in cells if line.style} <= OWN_STYLES
    assert not [run.text for line in cells for run in line.runs if run.font.size]
    assert any(table.style and table.style.name == "Sizing Table" for table in tables)


@pytest.mark.parametrize("ending", [".docx", ".xlsx"])
def test_names_are_words_whatever_they_begin_with(ending: str) -> None:
    content = written(ending, hostile=True)
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        xml = "".join(parts.read(n).decode() for n in parts.namelist() if n.endswith(".xml"))
        for active in ("<f>1+1", "<hyperlink", "<w:hyperlink"):
            assert active not in xml
    if ending == ".docx":
        assert "=1+1" in words_of(content)


@pytest.mark.parametrize("ending", some(FORMS))
def test_the_same_input_gives_the_same_bytes(ending: str) -> None:
    assert written.__wrapped__(ending) == written(ending)


@pytest.mark.parametrize("ending", [".docx", ".zip"])
def test_what_is_in_an_archive_bears_the_time_of_the_proposal(ending: str) -> None:
    with zipfile.ZipFile(io.BytesIO(written(ending))) as archive:
        assert {each.date_time[:5] for each in archive.infolist()} == {NOW.timetuple()[:5]}


def test_charts_are_pictures_with_their_numbers() -> None:
    with zipfile.ZipFile(io.BytesIO(written(".zip"))) as archive:
        names = archive.namelist()
        assert names[0].endswith(".svg")
        assert {name[:-4] for name in names if name.endswith(".svg")} == {
            name[:-4] for name in names if name.endswith(".csv")
        }
        response = next(n for n in names if "Response" in n and n.endswith(".csv"))
        assert archive.read(response).decode("utf-8-sig").startswith("users,ms,low,high")


def test_a_meeting_is_told_where_it_is_asked_for() -> None:
    given, catalog = scenario(), load_catalog()
    prediction = evaluate(given, Knowledge(catalog, shipped_calibration()))
    step = MeetingStep(at="2026-03-07T09:10:00", what="Move Mail-02 to ESX-3", verdict="fits")
    meeting = Meeting(began="2026-03-07T09:05:00", ended="2026-03-07T09:30:00", steps=(step,))
    how = Print(now=NOW, language=language_of("en"), meetings={given.name: (meeting,)})
    asked = replace(how, sections=("summary", "meetings", "glossary"))
    texts = [
        words_of(report([(given, prediction)], catalog, ".docx", each).content)
        for each in (how, asked)
    ]
    assert ["Move Mail-02 to ESX-3" in text for text in texts] == [False, True]
    assert "Words used here" in texts[1]


def test_the_years_ahead_are_a_sheet_of_their_own() -> None:
    given, catalog = scenario(), load_catalog()
    planned = replace(given, growth=replace(given.growth, years=1.0, users_pct=10.0))
    how = Print(now=NOW, language=language_of("en"))
    for each, months in ((given, None), (planned, [0.0, 3.0, 6.0, 9.0, 12.0])):
        prediction = evaluate(each, Knowledge(catalog, shipped_calibration()))
        content = report([(each, prediction)], catalog, ".xlsx", how).content
        book = CalamineWorkbook.from_filelike(io.BytesIO(content))
        if months is None:
            assert "In the years ahead" not in book.sheet_names
            continue
        rows = book.get_sheet_by_name("In the years ahead").to_python()[1:]
        assert [row[1] for row in rows] == months
        assert rows[0][2] == pytest.approx(24_000.0)
        assert rows[-1][2] == pytest.approx(26_400.0)

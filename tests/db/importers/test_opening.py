"""Whatever is handed over is read within bounds, or refused with one sentence."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from db.errors import StoreError
from db.importers.opening import open_source
from db.importers.registry import read_files
from db.importers.watch import Cancelled, Watch
from tests.db.importers.estates import as_csv, as_folder, as_xlsx, as_zip, estate
from tests.db.importers.workbooks import SHEET, VINFO, refusal, workbook


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is empty"),
        (b"PK\x03\x04 and no more", "is damaged or cut off"),
        (b"\x1f\x8b\x08 cut", "is damaged or cut off"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            "is protected by a password",
        ),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 no sheets", "of another kind than .xlsx"),
        (b"just a letter to whom it may concern", "is of no known kind; looked for"),
        (b"VM,Powerstate,CPUs,Memory\n" + b"a" * 200_000 + b",poweredOn,1,2", "a cell of more"),
        (b"\x00" * 5000, "is of no known kind"),
    ],
)
def test_what_cannot_be_read_is_said(data: bytes, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "file.bin"
    path.write_bytes(data)
    assert sentence in refusal(path)


LAST = '<row r="9"><c r="XFD1048576"><v>1</v></c></row>'


@pytest.mark.parametrize(
    "cells",
    [
        f'<row r="1"><c r="A1"><v>1</v></c></row>{LAST}',
        '<row r="1048576"><c><v>1</v></c></row><row r="1"><c r="XFD1"><v>1</v></c></row>',
        "<row r='1'><c r='A1048576'><v>1</v></c><c r='ZZZ1'><v>1</v></c></row>",
        f'<row r="1"><c r="A{"9" * 40}2"><v>1</v></c></row>',
        f'<row r="1"><c r="{"A" * 40}2"><v>1</v></c></row>',
        "<x:row r='1'><x:c r = 'xfd1048576'><x:v>1</x:v></x:c></x:row>",
        '<x:row r="1048576"><x:c><x:v>1</x:v></x:c></x:row><x:row>'
        + "<x:c><x:v>1</x:v></x:c>" * 20
        + "</x:row>",
        f'<row r="{"9" * 40}"><c><v>1</v></c><c><v>1</v></c></row>',
    ],
)
def test_a_corner_far_out_is_refused_before_it_is_read(cells: str, tmp_path: Path) -> None:
    sheet = SHEET.format(f"<sheetData>{cells}</sheetData>")
    assert "more cells than any export" in refusal(workbook(tmp_path / "a.xlsx", sheet))


def test_a_million_rows_of_nothing_are_none(tmp_path: Path) -> None:
    head = "".join(
        f'<c r="{letter}1" t="inlineStr"><is><t>{name}</t></is></c>'
        for letter, name in zip("ABCD", VINFO[0], strict=True)
    )
    body = (
        '<c r="A2" t="inlineStr"><is><t>a</t></is></c>'
        '<c r="B2" t="inlineStr"><is><t>poweredOn</t></is></c><c r="C2"><v>2</v></c>'
        '<c r="D2"><v>4096</v></c>'
    )
    last = '<row r="1048576"><c r="A1048576" s="1"/><c r="XFD1048576" s="1"/></row>'
    rows = f'<sheetData><row r="1">{head}</row><row r="2">{body}</row>{last}</sheetData>'
    dimension = '<dimension ref="A1:XFD1048576"/>'
    path = workbook(tmp_path / "a.xlsx", SHEET.format(dimension + rows))
    (records,) = read_files([path], Watch())
    assert [(vm.name, vm.vcpus) for vm in records.vms] == [("a", 2.0)]


@pytest.mark.parametrize("kind", ['t="s"', "t='s'", 't = "s"', 't="s" s="1"', 't="&#115;"'])
@pytest.mark.parametrize(
    "text",
    [
        f"<si><t>{'x' * 30_000}</t></si>",
        f"<si>{f'<r><t>{chr(120) * 1900}</t></r>' * 16}</si>",
        f"<x:si><x:t>{'x' * 15_000}<!-- -->{'x' * 15_000}</x:t></x:si>",
    ],
    ids=["plain", "runs", "comment"],
)
def test_a_long_text_that_many_cells_share_is_refused(text: str, kind: str, tmp_path: Path) -> None:
    cells = "".join(f'<row r="{n}"><c r="A{n}" {kind}><v>0</v></c></row>' for n in range(1, 9000))
    sheet = SHEET.format(f"<sheetData>{cells}</sheetData>")
    path = workbook(tmp_path / "a.xlsx", sheet, f"<sst>{text}</sst>")
    assert "more text than any export" in refusal(path)


@pytest.mark.parametrize("stated", ["4000000000", "18446744073709551615", "50", "-1"])
def test_a_number_of_texts_that_is_only_stated_is_refused(stated: str, tmp_path: Path) -> None:
    texts = f"<sst count='1' uniqueCount = '{stated}'><si><t>a</t></si></sst>"
    path = workbook(tmp_path / "a.xlsx", SHEET.format("<sheetData/>"), texts)
    assert "states more texts than it has room for" in refusal(path)


def test_a_mark_without_end_is_refused(tmp_path: Path) -> None:
    sheet = SHEET.format(f"<sheetData><row r='1' spans='{'1' * 3_000_000}'/></sheetData>")
    path = workbook(tmp_path / "a.xlsx", sheet)
    assert "a cell of more than 131,072 characters" in refusal(path)


def test_bombs_do_not_unpack(tmp_path: Path) -> None:
    flat = tmp_path / "flat.zip"
    with zipfile.ZipFile(flat, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("RVTools_tabvInfo.csv", b"0" * (60 * 2**20))
    assert "unpacks to far more" in refusal(flat)
    nested = tmp_path / "nested.zip"
    inner = flat.read_bytes()[:100]
    for _ in range(6):
        with zipfile.ZipFile(nested, "w") as archive:
            archive.writestr("a.zip", inner)
        inner = nested.read_bytes()
    assert "archives within archives" in refusal(nested)


def test_entities_and_formulas_are_not_followed(tmp_path: Path) -> None:
    entity = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    cell = '<row r="1"><c r="A1" t="inlineStr"><is><t>&x;</t></is></c></row>'
    path = workbook(tmp_path / "a.xlsx", entity + SHEET.format(f"<sheetData>{cell}</sheetData>"))
    refusal(path)


def test_a_cut_workbook_is_refused_at_every_length(tmp_path: Path) -> None:
    whole = as_xlsx(estate(20)[0], tmp_path / "whole.xlsx").read_bytes()
    for part in range(1, 12):
        path = tmp_path / f"{part}.xlsx"
        path.write_bytes(whole[: len(whole) * part // 12])
        refusal(path)


def test_a_cut_table_loses_its_last_row_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "RVTools_tabvInfo.csv"
    path.write_bytes(as_csv(estate(20)[0]["vInfo"])[:-60])
    (records,) = read_files([path], Watch())
    assert len(records.vms) == 19
    assert "cut-row" in {note.rule for note in records.notes}


def test_folders_and_archives_hold_the_same(tmp_path: Path) -> None:
    folder = as_folder(estate(20)[0], tmp_path / "set")
    (folder / "letter.txt").write_text("dear all")
    packed = as_zip(folder, tmp_path / "set.zip")
    (one,), (other,) = read_files([folder], Watch()), read_files([packed], Watch())
    assert len(one.vms) == len(other.vms) == 20
    assert {note.rule for note in one.notes} == {"no-performance", "unknown-file"}
    single = tmp_path / "RVTools_tabvInfo.csv.gz"
    single.write_bytes(gzip.compress((folder / "RVTools_tabvInfo.csv").read_bytes()))
    assert len(read_files([single], Watch())[0].vms) == 20


def test_reading_ends_when_time_is_over_or_somebody_cancels(tmp_path: Path) -> None:
    path = as_xlsx(estate(20)[0], tmp_path / "a.xlsx")
    ticks = iter(range(10_000))
    with pytest.raises(StoreError, match="more than 3 seconds"):
        read_files([path], Watch(3.0, clock=lambda: float(next(ticks))))
    with pytest.raises(Cancelled):
        read_files([path], Watch(is_cancelled=lambda: True))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings_are_found(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("VM;Powerstate;CPUs;Memory\nMüller-Größe;poweredOn;1;2.048\n".encode(encoding))
    (file,) = open_source(path, Watch())
    assert [row[0] for row in file.rows(";")] == ["VM", "Müller-Größe"]
    assert open_source(path, Watch())[0].encoding.startswith(encoding[:5])


def test_cyrillic_code_page_is_told_from_western(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("Имя;Загруженность процессора\nсервер;5\n".encode("cp1251"))
    assert open_source(path, Watch())[0].encoding == "cp1251"


def test_more_rows_than_any_export_has_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("db.importers.rvtools.MOST_LISTED", 3)
    path = tmp_path / "RVTools_tabvInfo.csv"
    path.write_text("VM,Powerstate,CPUs,Memory\n" + "a,poweredOn,1,1024\n" * 4)
    assert refusal(path) == "has more than 3 rows"

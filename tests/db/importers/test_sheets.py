"""Workbooks are read in a process beside this one; what ends it is one sentence about the file."""

from __future__ import annotations

import sys
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest

from db.aside import Limits
from db.errors import StoreError
from db.importers.opening import open_source
from db.importers.registry import read_files, read_readable
from db.importers.sheets import FIRST_ROWS, MOST_ROWS, _tagged, cell_of
from db.importers.watch import Cancelled, Watch
from db.importers.workbook import Workbook
from tests.db.importers.estates import as_xlsx, estate
from tests.db.importers.workbooks import SHEET, VINFO, refusal, workbook

BOUND = pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds a process so")
LONG_SHEET = SHEET.format(
    "<sheetData>"
    + "".join(f'<row r="{n}"><c r="A{n}"><v>{n}</v></c></row>' for n in range(1, 1500))
    + "</sheetData>"
)


def book(path: Path, watch: Watch) -> Workbook:
    (opened,) = open_source(path, watch)
    assert opened.workbook is not None
    return opened.workbook


def test_rows_come_in_parts_and_from_the_first_again(tmp_path: Path) -> None:
    assert FIRST_ROWS < MOST_ROWS < 1500
    watch = Watch()
    found = book(workbook(tmp_path / "a.xlsx", LONG_SHEET), watch)
    (name,) = found.names
    rows = found.rows(name)
    assert [next(rows) for _ in range(70)] == [[float(n)] for n in range(1, 71)]
    whole = [[float(n)] for n in range(1, 1500)]
    assert list(found.rows(name)) == whole
    assert next(rows) == [71.0]
    found.forget(name)
    assert list(found.rows(name)) == whole
    watch.rest()
    assert list(found.rows(name)) == whole
    watch.rest()


def test_two_workbooks_of_one_watch_take_turns(tmp_path: Path) -> None:
    watch = Watch()
    one = book(workbook(tmp_path / "a.xlsx", LONG_SHEET), watch)
    other = book(as_xlsx({"vInfo": VINFO}, tmp_path / "b.xlsx"), watch)
    rows = one.rows(one.names[0])
    assert next(rows) == [1.0]
    assert list(other.rows("vInfo")) == [[*VINFO[0]], ["a", "poweredOn", 2.0, 4096.0]]
    assert len(list(rows)) == 1498
    watch.rest()


@pytest.mark.parametrize(
    "cell",
    [
        *("text", 1.5, 7, True),
        *(datetime(2026, 3, 7, 9, 5, 1), date(2026, 3, 7), time(9, 5), timedelta(hours=30)),  # noqa: DTZ001
    ],
)
def test_cells_come_as_they_were(cell: Any) -> None:
    sent = cell if isinstance(cell, str | float | int | bool) else _tagged(cell)
    assert cell_of(sent) == cell
    assert type(cell_of(sent)) is type(cell)


@BOUND
def test_a_process_that_is_ended_by_the_file_is_a_sentence(tmp_path: Path) -> None:
    texts = "<sst uniqueCount='4000000000'><si><t>a</t></si></sst>"
    path = workbook(tmp_path / "a.xlsx", SHEET.format("<sheetData/>"), texts)
    watch = Watch()
    found = book(path, watch)
    found._names = []  # as if it had been looked at: then calamine makes room for what is stated
    with pytest.raises(StoreError, match="could not be read within 320 MB of memory"):
        list(found.rows("vInfo"))
    with pytest.raises(StoreError, match="could not be read within 320 MB of memory"):
        list(found.rows("vInfo"))  # said again, not tried again
    other = book(as_xlsx({"vInfo": VINFO}, tmp_path / "b.xlsx"), watch)
    assert len(list(other.rows("vInfo"))) == 2
    watch.rest()


@BOUND
def test_what_takes_more_memory_than_there_is_keeps_nothing_else_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("db.importers.workbook.LIMITS", Limits(megabytes=60, seconds=20.0))
    cells = "".join(f'<row r="{n}"><c r="ZZ{n}"><v>1</v></c></row>' for n in range(1, 9000))
    first = '<row r="1"><c r="A1"><v>1</v></c></row>'
    sheet = SHEET.format(f"<sheetData>{first}{cells}</sheetData>")
    (tmp_path / "set").mkdir()
    bad = workbook(tmp_path / "set" / "a.xlsx", sheet)
    assert "of memory" in refusal(bad)
    as_xlsx(estate(20)[0], tmp_path / "set" / "b.xlsx")
    reading = read_readable([tmp_path / "set"], Watch())
    assert sum(len(each.vms) for each in reading.records) == 20
    assert [Path(each.file).name for each in reading.problems] == ["a.xlsx"]


def test_reading_a_workbook_can_be_given_up(tmp_path: Path) -> None:
    path = as_xlsx(estate(20)[0], tmp_path / "a.xlsx")
    asked = 0

    def is_cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 1

    watch = Watch(is_cancelled=is_cancelled)
    with pytest.raises(Cancelled):
        read_files([path], watch)
    assert not watch._asides


def test_reading_a_workbook_has_an_end(tmp_path: Path) -> None:
    ticks = iter(range(0, 10_000, 20))
    watch = Watch(clock=lambda: float(next(ticks)))
    path = as_xlsx(estate(20)[0], tmp_path / "a.xlsx")
    with pytest.raises(StoreError, match="takes more than 30 seconds"):
        read_files([path], watch)


def test_a_figure_that_two_columns_say_is_that_of_vms(tmp_path: Path) -> None:
    path = tmp_path / "vms.csv"
    path.write_text("Name,CPUs,vCPUs,Memory MB\na,2,8,4096\n")
    (records,) = read_files([path], Watch())
    assert records.vms[0].vcpus == 8
    (unread,) = records.not_read
    assert (unread.name, unread.matters) == ("CPUs", True)
    assert "vCPUs" in unread.why

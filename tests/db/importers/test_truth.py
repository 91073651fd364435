"""What an import says of files is true: of every form of file that any test makes.

What a file holds is told here by its bare words, by no reader: each sentence that something isn't
said, or that nobody measured it, must not stand where words of it do.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
import zipfile
from pathlib import Path

import pytest
from python_calamine import CalamineWorkbook

from db.importers.registry import read_files
from db.importers.watch import Watch
from models.intake.notes import unread_notes
from models.intake.records import Part
from models.intake.result import ImportResult
from tests.db.importers.forms import sources
from tests.db.importers.inventories import TEXTS, read, result_of, rules

KINDS = (
    *("rvtools-xlsx", "live-optics", "nutanix-collector", "rvtools-csv", "rvtools-csv in a zip"),
    *("vrops-csv over time", "table in Markdown", "table in a letter", "vcenter-csv of a console"),
    *("vcenter-csv", "vrops-csv", "azure-migrate", "table", "esxtop-csv", "perfmon-csv", "vmstat"),
    *("vmstat of AIX", "iostat", "sadf", "sadf -p", "sadf -j", "sar", "nmon", "domino-stat"),
    "sar in a gz",
)

TELLING: dict[str, str] = {
    "no-iops": r"\biops\b|\btps\b|\br/s\b|transfers?/s|bertragungen/s|commands/sec|diskxfer",
    "no-cpu": r"\boverall\b(?! cpu readiness)|cpu\s?demand|cpu.demand|% used|prozessorzeit|%user"
    r"|%usr|\bus sy id\b|cpu_all|pctcombinedcpuutil|cpu utili|vcpu % \(ghz\)|peak %",
    "no-vcpus": r"\bcpus\b|\bv?cpu \||\bvcpu\b +\w|numcpu|num cpus|virtual cpu|anzahl cpu|\bcores\b"
    r"|number of cpus|number-of-cpus|\(\d+ cpu\)|lcpu=|cpu\.count|vmx-vcpu",
    "no-ram_mib": r"memorymb|memorygb|\bmemory\b.{0,14}(mi?b|capacity|gb|kib)|ram \(gb\)|memtotal"
    r"|kbmemused|mem=|ram\.total",
    "no-hosts": r"esx hosts|vhosts?\b|# cores",
}
"""Words, in small letters, by which a file holds what a sentence denies."""


def sample(kind: str, folder: Path) -> Path:
    data = sources(folder)[kind]
    ending = {b"PK": ".xlsx", b"\x1f\x8b": ".txt.gz"}.get(data[:2], ".txt")
    if kind.endswith("in a zip"):
        ending = ".zip"
    path = folder / f"sample{ending}"
    path.write_bytes(data)
    return path


def words_of(path: Path) -> str:
    """All texts of a file in small letters, of workbooks cell by cell."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            texts = [name.casefold() for name in names]
            texts += [archive.read(name).decode("cp1252").casefold() for name in names]
        return "\n".join(texts)
    if path.suffix == ".xlsx":
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        cells = [
            f"{cell}"
            for name in book.sheet_names
            for row in book.get_sheet_by_name(name).to_python()
            for cell in row
        ]
        return "\n".join([*book.sheet_names, *cells]).casefold()
    return data.decode("utf-8", errors="replace").casefold()


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_denied_that_a_file_says(kind: str, tmp_path: Path) -> None:
    path = sample(kind, tmp_path)
    assert not held(words_of(path)) & rules(read(path))


def held(words: str) -> set[str]:
    """The sentences that would be false of a file with these words."""
    return {rule for rule, telling in TELLING.items() if re.search(telling, words)}


def test_every_form_is_tried_and_every_sentence_is_true_of_some(tmp_path: Path) -> None:
    assert set(sources(tmp_path)) == set(KINDS)
    said, false = set[str](), set[str]()
    for kind in KINDS:
        path = sample(kind, tmp_path)
        said |= rules(read(path))
        false |= held(words_of(path))
    assert false == set(TELLING)
    assert set(TELLING) <= said


# --- rows -------------------------------------------------------------------------------------

_STATES = ("poweredOn", "PoweredOff", "wach", "")


def rows_of(kind: str) -> tuple[str, list[str]]:
    """A list of a kind with many VMs, and its rows: some off, of some nobody knows it, one with a
    size that can't be, one that is cut in the middle."""
    *head, row = TEXTS[kind][0].splitlines()
    mark = ";" if ";" in row else ","
    heads = next(csv.reader(head[-1:], delimiter=mark))
    cells = next(csv.reader([row], delimiter=mark))
    power = next((n for n, each in enumerate(heads) if "power" in each.casefold()), None)
    name = next(n for n, each in enumerate(heads) if "name" in each.casefold())
    rows = []
    for at in range(12):
        own = list(cells)
        own[name] = f"vm-{at}"
        if power is not None:
            own[power] = _STATES[at % len(_STATES)]
        if heads[-1] == "Id":
            own[-1] = f"VirtualMachine-vm-{at // 2 * 2}"
        rows.append(own)
    rows.insert(5, [*cells, *["x"] * 3])
    packed = io.StringIO()
    csv.writer(packed, delimiter=mark, lineterminator="\n").writerows(rows)
    return "\n".join([*head, packed.getvalue()]), [mark.join(each) for each in rows]


@pytest.mark.parametrize("kind", sorted(TEXTS))
def test_rows_are_taken_left_out_or_named(kind: str, tmp_path: Path) -> None:
    text, rows = rows_of(kind)
    path = tmp_path / "list.csv"
    path.write_text(text, encoding="utf-8")
    records = read_files([path], Watch())
    assert [each.kind for each in records] == [kind]
    result = result_of(records)
    assert result.listed == result.taken + sum(result.left_out.values())
    assert len(rows) == result.listed + unread_rows(result)


def unread_rows(result: ImportResult) -> int:
    """Rows that are named as not read, and those of a note about cells that don't fit."""
    named = sum(each.count for each in result.not_read if each.part is Part.ROW)
    cut = [re.search(r": (\d+) rows? with", note.text) for note in result.notes]
    return named + sum(int(found[1]) for found in cut if found is not None)


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_not_read_has_a_name_a_reason_and_a_count(kind: str, tmp_path: Path) -> None:
    for each in read(sample(kind, tmp_path)).not_read:
        assert each.why
        assert each.count > 0
        assert unread_notes([each])[0].text.endswith(".")

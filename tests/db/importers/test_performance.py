"""Readers of performance files: every tool's series, by generated files of its shape."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from db.errors import StoreError
from db.importers.registry import read_files
from db.importers.watch import Watch
from models.catalog.catalog import Catalog
from models.intake.mapping import imported
from models.intake.options import Options
from models.intake.records import Part, Quantity, Records, SeriesRecord, Subject
from models.scenario.inputs import origin_of
from models.scenario.origin import Origin
from tests.db.importers.performance_files import (
    AIX,
    FRENCH,
    GERMAN,
    IOSTAT_NEW,
    IOSTAT_OLD,
    JSON,
    NMON,
    PAIRS,
    RUSSIAN,
    SADF,
    SAR,
    STATISTICS,
    VMSTAT,
    esxtop_file,
    iostat_text,
    perfmon_text,
)


def read(path: Path) -> Records:
    (records,) = read_files([path], Watch())
    return records


def written(folder: Path, text: str, encoding: str = "utf-8") -> Records:
    path = folder / "server7.txt"
    path.write_bytes(text.encode(encoding))
    return read(path)


def one(records: Records, quantity: Quantity) -> SeriesRecord:
    """The series of the whole that measures this."""
    (found,) = (
        each
        for each in records.series
        if each.quantity is quantity and each.subject is not Subject.DEVICE
    )
    return found


def test_esxtop_reads_what_is_wanted_of_many_columns(tmp_path: Path) -> None:
    path = esxtop_file(tmp_path / "e.csv", vms=2, vcpus=4, samples=40, columns=3000)
    records = read(path)
    assert records.kind == "esxtop-csv"
    used = [each for each in records.series if each.quantity is Quantity.CPU_CORE_PCT]
    assert [each.name for each in used] == ["vm:0 (a)", "vm:1 (a)"]
    lines = path.read_text().splitlines()
    column = lines[0].split('","').index(r"\\esx1\Group Cpu(1001:vm:1 (a))\% Used")
    # The first sample holds rates since the host started.
    values = np.array([float(line.split('","')[column]) for line in lines[2:]])
    summary = used[1].summary
    assert (summary.n, summary.interval_s, summary.gaps) == (39, 20.0, 0)
    assert summary.mean == pytest.approx(values.mean())
    assert summary.p95 == pytest.approx(np.percentile(values, 95))
    ready = next(each for each in records.series if each.quantity is Quantity.READY_PCT)
    assert ready.at(95) == pytest.approx((ready.summary.p95 or 0) / 4)
    assert ready.on == "esx1"
    assert len(records.series) == 2 * 5 + 1


def test_what_a_console_says_before_the_first_line_is_left_out(tmp_path: Path) -> None:
    path = esxtop_file(tmp_path / "e.csv", vms=2, vcpus=4, samples=5, columns=60)
    plain = read(path)
    talk = "esxtop\nno termcap entry for a `xterm-256color' terminal"
    path.write_text(talk + path.read_text(encoding="utf-8"), encoding="utf-8")
    found = read(path).series
    assert [each.summary for each in found] == [each.summary for each in plain.series]


def test_esxtop_holds_no_more_than_what_is_wanted(tmp_path: Path) -> None:
    path = esxtop_file(tmp_path / "e.csv", vms=20, vcpus=8, samples=60, columns=17_000)
    tracemalloc.start()
    try:
        read(path)
        assert tracemalloc.get_traced_memory()[1] < 60e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("counters", "encoding"),
    [(GERMAN, "cp1252"), (RUSSIAN, "cp1251"), (FRENCH, "utf-8"), (GERMAN, "utf-16")],
)
def test_perfmon_in_languages_with_blanks(
    tmp_path: Path, counters: tuple[str, ...], encoding: str
) -> None:
    rows = [(" ", " ", "1000"), ("50", "100", "1001"), ("60", "-1", "1002"), ("70", "300", "1003")]
    records = written(tmp_path, perfmon_text(counters, rows), encoding)
    assert records.kind == "perfmon-csv"
    cpu, disks = one(records, Quantity.CPU_PCT), one(records, Quantity.IOPS)
    assert (cpu.name, cpu.counter) == ("SRV1", r"Processor(_Total)\% Processor Time")
    assert (cpu.summary.n, cpu.summary.interval_s, cpu.summary.gaps) == (3, 15.0, 0)
    assert (disks.summary.n, disks.summary.gaps, disks.summary.mean) == (2, 1, 200.0)
    assert one(records, Quantity.RAM_FREE_MIB).summary.n == 4


def test_cut_rows_are_left_out_and_said(tmp_path: Path) -> None:
    rows = [("1", "2", "3"), ("4", "5", "6")]
    text = perfmon_text(GERMAN, rows).split("\r\n\r\n")[0] + '\r\n"11/24/2026 09:01'
    records = written(tmp_path, text)
    assert one(records, Quantity.CPU_PCT).summary.n == 2
    assert [note.rule for note in records.notes] == ["cut-row"]


def test_whole_minutes_of_a_spreadsheet_are_spread(tmp_path: Path) -> None:
    stamps = ["3/26/2015 22:42:00"] * 3 + ["3/26/2015 22:43:00"] * 3 + ["3/26/2015 22:44:00"]
    head = ",".join(('"(PDH-CSV 4.0) (UTC)(0)"', rf'"{GERMAN[0]}"'))
    text = "\n".join([head, *(f'"{each}","5"' for each in stamps)])
    summary = one(written(tmp_path, text), Quantity.CPU_PCT).summary
    assert (summary.n, summary.interval_s, summary.gaps) == (7, 20.0, 0)


def test_vmstat_leaves_out_what_was_since_the_start(tmp_path: Path) -> None:
    records = written(tmp_path, VMSTAT)
    cpu = one(records, Quantity.CPU_PCT)
    assert (cpu.name, cpu.summary.n, cpu.summary.interval_s) == ("server7", 2, 5.0)
    assert cpu.summary.mean == 20.0
    assert (one(records, Quantity.SWAP_OUT).at(100), one(records, Quantity.SWAP_IN).at(100)) == (
        0,
        0,
    )
    of_aix = written(tmp_path, AIX)
    assert one(of_aix, Quantity.CPU_PCT).summary.mean == 15.0
    assert one(of_aix, Quantity.RAM_MIB).at(0) == 8.0


def test_only_the_first_row_is_refused(tmp_path: Path) -> None:
    text = "".join(VMSTAT.splitlines(keepends=True)[:3])
    with pytest.raises(StoreError, match="since the server started"):
        written(tmp_path, text)


@pytest.mark.parametrize("columns", [IOSTAT_OLD, IOSTAT_NEW])
def test_iostat_counts_each_disk_once(tmp_path: Path, columns: str) -> None:
    records = written(tmp_path, iostat_text(columns))
    assert records.kind == "iostat"
    disks = one(records, Quantity.IOPS)
    assert (disks.name, disks.summary.n, disks.summary.gaps) == ("mail3", 3, 1)
    assert disks.summary.mean == 2 * (20 + 5)
    assert one(records, Quantity.CPU_PCT).summary.mean == 12.0


@pytest.mark.parametrize("text", [SADF, PAIRS, JSON])
def test_sadf_in_its_forms_says_the_same(tmp_path: Path, text: str) -> None:
    records = written(tmp_path, text)
    assert records.kind == "sadf"
    cpu, disks = one(records, Quantity.CPU_PCT), one(records, Quantity.IOPS)
    assert (cpu.name, cpu.summary.n, cpu.summary.interval_s) == ("srv", 2, 600.0)
    assert cpu.summary.mean == pytest.approx(17.5)
    assert disks.summary.mean == 150.0


def test_sar_goes_on_past_midnight_without_its_averages(tmp_path: Path) -> None:
    records = written(tmp_path, SAR)
    assert records.kind == "sar"
    cpu = one(records, Quantity.CPU_PCT)
    assert (cpu.name, cpu.summary.n, cpu.summary.gaps) == ("srv", 3, 0)
    assert (cpu.summary.interval_s, cpu.summary.mean) == (600.0, 3.0)
    assert one(records, Quantity.RAM_FREE_MIB).at(0) == 2.0


def test_nmon(tmp_path: Path) -> None:
    records = written(tmp_path, NMON)
    cpu = one(records, Quantity.CPU_PCT)
    assert (records.kind, cpu.name, cpu.summary.interval_s) == ("nmon", "lnx1", 60.0)
    assert cpu.summary.mean == 20.0
    assert one(records, Quantity.RAM_FREE_MIB).at(0) == 3500.0
    assert one(records, Quantity.IOPS).summary.mean == 60.0


def test_minus_one_of_nmon_is_no_figure(tmp_path: Path) -> None:
    text = NMON.replace("MEM,T0001,8000,1000,2000,500", "MEM,T0001,8000,1000,-1.0,500")
    records = written(tmp_path, text)
    assert not [each for each in records.series if each.summary.n and "cached" in each.counter]
    assert one(records, Quantity.RAM_TOTAL_MIB).at(100) == 8000.0


@pytest.mark.parametrize(("group", "mark"), [(",", "."), (".", ","), ("'", ".")])
@pytest.mark.parametrize("prefix", ["", "[07312:00018-06396] 06/05/2018 03:32:30 PM  "])
def test_show_stat_by_the_marks_of_its_file(
    tmp_path: Path, group: str, mark: str, prefix: str
) -> None:
    text = STATISTICS.format(group=group, mark=mark, average=f"2{mark}978", uptime="89 Seconds")
    text = "\r\n".join(prefix + line for line in text.splitlines())
    records = written(tmp_path, text)
    (domino,) = records.domino
    assert (records.kind, domino.server, domino.release) == (
        "domino-stat",
        "Mail01/Berlin/Acme",
        "9.0.1",
    )
    counts = domino.users, domino.users_peak, domino.active_15min, domino.uptime_s
    assert counts == (138, 412, 71, 89)
    assert domino.cpu_pct_avg == pytest.approx(2.978)
    assert domino.ram_mib == pytest.approx(64252.28)
    assert domino.statistics["Disk./local.Size"] == pytest.approx(1.6098053448e12)
    # Less than no load can't be: nothing is made of it.
    assert domino.cpu_pct_peak is None
    assert [note.rule for note in records.notes] == ["doubted-statistic"]
    assert domino.places["users"].row == 4


def test_without_an_inventory_machines_are_those_that_were_measured(tmp_path: Path) -> None:
    path = esxtop_file(tmp_path / "e.csv", vms=2, vcpus=4, samples=4, columns=60)
    statistics = tmp_path / "mail01.txt"
    statistics.write_text(
        STATISTICS.format(group=",", mark=".", average="2.9", uptime="89 Seconds")
    )
    found = read_files([path, statistics], Watch())
    made = imported(found, Options(), Catalog(), (), name="measured").scenario
    sizes = {vm.name: (vm.vcpus, round(vm.ram_gib, 2)) for vm in made.vms}
    assert sizes["vm:0 (a)"][0] == 4
    assert sizes["Mail01/Berlin/Acme"] == (16, 62.75)
    # No clock says what per cent of a core are: not known, not idle.
    assert all(vm.workload.cpu_mhz is None for vm in made.vms)


def test_what_a_guest_swapped_out_once_is_no_contention(tmp_path: Path) -> None:
    def pins(text: str) -> tuple[str, ...]:
        made = imported([written(tmp_path, text)], Options(), Catalog(), (), name="x").scenario
        return made.vms[0].pins

    assert "1024 27947" in VMSTAT
    assert pins(VMSTAT) == ()
    assert pins(VMSTAT.replace("312744    0    0", "312744    0   64")) == ("ram_gib",)


def test_vcpus_are_assumed_where_ready_is_of_all_of_them(tmp_path: Path) -> None:
    text = "timestamp,resName,cpuReady\n2026-11-24T09:00:00,a,0.3\n2026-11-24T09:05:00,a,0.4\n"
    found = imported([written(tmp_path, text)], Options(), Catalog(), (), name="x")
    (vm,) = found.scenario.vms
    assert (vm.vcpus, origin_of(vm, "vcpus")) == (1, Origin.ASSUMED)
    assert "no-vcpus" in {note.rule for note in found.notes}


def test_cpu_in_per_cent_is_measured_but_of_how_many_mhz_nobody_says(tmp_path: Path) -> None:
    statistics = STATISTICS.format(group=",", mark=".", average="2.9", uptime="89 Seconds")
    for text in (VMSTAT, iostat_text(IOSTAT_NEW), statistics):
        notes = imported([written(tmp_path, text)], Options(), Catalog(), (), name="x").notes
        rules = {note.rule for note in notes}
        assert "no-clock" in rules
        assert "no-cpu" not in rules


VIEW = (
    '"Name","Interval Breakdown","VM|CPU|Demand (GHz)|Avg","VM|CPU|Ready (%)|Max"\n'
    '"a","12:00 AM 21 July 2026","1.5","0.4"\n"a","1:00 AM 21 July 2026","2.5","0.6"\n'
    '"b","12:00 AM 21 July 2026","1,000.5","0.1"\n'
)


def test_a_view_by_intervals_is_over_time(tmp_path: Path) -> None:
    records = written(tmp_path, "\ufeff" + VIEW)
    assert records.kind == "vrops-csv"
    first, *_ = (each for each in records.series if each.quantity is Quantity.CPU_MHZ)
    assert (first.name, first.at(0), first.summary.interval_s) == ("a", 2000.0, 3600.0)
    ready = [each for each in records.series if "Ready" in each.counter]
    # The most within an hour is no mean of it.
    assert {each.quantity for each in ready} == {Quantity.OTHER}


def test_a_view_of_clusters_by_intervals_says_so(tmp_path: Path) -> None:
    records = written(tmp_path, VIEW.replace("VM|", "Cluster|"))
    assert not records.series
    assert [each.part for each in records.not_read] == [Part.COLUMN] * 2

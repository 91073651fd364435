"""Windows' counters: in any of the languages that are known, of the whole or of its parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from db.importers.registry import read_files
from db.importers.watch import Watch
from models.intake.records import Part, Quantity, Records, Subject
from tests.db.importers.performance_files import perfmon_text

LANGUAGES = {
    "English": (
        "Processor",
        "% Processor Time",
        "PhysicalDisk",
        "Disk Transfers/sec",
        "Memory",
        "Available MBytes",
    ),
    "German": (
        "Prozessor",
        "Prozessorzeit (%)",
        "Physikalischer Datenträger",
        "Übertragungen/s",
        "Arbeitsspeicher",
        "Verfügbare MB",
    ),
    "French": (
        "Processeur",
        "% temps processeur",
        "Disque physique",
        "Transferts disque/s",
        "Mémoire",
        "Mégaoctets disponibles",
    ),
    "Spanish": (
        "Procesador",
        "% de tiempo de procesador",
        "Disco físico",
        "Transferencias de disco/s",
        "Memoria",
        "MBytes disponibles",
    ),
    "Italian": (
        "Processore",
        "% Tempo processore",
        "Disco fisico",
        "Trasferimenti disco/sec",
        "Memoria",
        "MByte disponibili",
    ),
    "Portuguese": (
        "Processador",
        "% tempo de processador",
        "Disco Físico",
        "Transferências de Disco/s",
        "Memória",
        "MBytes disponíveis",
    ),
    "Polish": (
        "Procesor",
        "Czas procesora (%)",
        "Dysk fizyczny",
        "Transfery dysku/s",
        "Pamięć",
        "Dostępna pamięć (MB)",
    ),
    "Turkish": (
        "İşlemci",
        "% İşlemci Zamanı",
        "Fiziksel Disk",
        "Disk Aktarımı/sn",
        "Bellek",
        "Kullanılabilir MBayt",
    ),
    "Russian": (
        "Процессор",
        "% загруженности процессора",
        "Физический диск",
        "Обращений к диску/с",
        "Память",
        "Доступно МБ",
    ),
    "Japanese": (
        "プロセッサ",
        "% プロセッサ時間",
        "物理ディスク",
        "ディスク転送/秒",
        "メモリ",
        "利用可能なメガバイト",
    ),
    "Dutch": (
        "Processor",
        "% processortijd",
        "Fysieke schijf",
        "Schijfoverdrachten per seconde",
        "Geheugen",
        "Beschikbare MB's",
    ),
    "Swedish": (
        "Processor",
        "% processortid",
        "Fysisk disk",
        "Disköverföringar/sek",
        "Minne",
        "Tillgängliga megabyte",
    ),
    "Chinese": ("处理器", "% 处理器时间", "物理磁盘", "磁盘传输/秒", "内存", "可用 MBytes"),
}


def records_of(folder: Path, counters: tuple[str, ...], *values: str, text: str = "") -> Records:
    path = folder / "log.csv"
    path.write_text(text or perfmon_text(counters, [values] * 4), encoding="utf-8-sig")
    (found,) = read_files([path], Watch())
    return found


def means(records: Records) -> dict[Quantity, float | None]:
    """What the file comes to for its machine."""
    return {
        each.quantity: each.at(0)
        for each in records.series
        if each.subject is Subject.MACHINE and each.quantity
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_counters_in_any_language(language: str, tmp_path: Path) -> None:
    cpu, busy, disk, transfers, memory, free = LANGUAGES[language]
    counters = (
        rf"\\\\SRV1\\{cpu}(_Total)\\{busy}",
        rf"\\\\SRV1\\{disk}(_Total)\\{transfers}",
        rf"\\\\SRV1\\{memory}\\{free}",
    )
    found = means(
        records_of(tmp_path, tuple(c.replace("\\\\", "\\") for c in counters), "5", "80", "2048")
    )
    assert found == {
        Quantity.CPU_PCT: 5,
        Quantity.IOPS: 80,
        Quantity.RAM_FREE_MIB: 2048,
    }


def test_counters_in_another_language_are_named(tmp_path: Path) -> None:
    counters = tuple(
        rf"\\\\SRV1\\{each}".replace("\\\\", "\\") for each in (r"Suoritin(_Total)\x", r"Muisti\y")
    )
    records = records_of(tmp_path, counters, "1", "2")
    assert {each.part for each in records.not_read} == {Part.COUNTER}
    assert len(records.not_read) == 2
    assert "language" in str(records.not_read[0].why)


def test_reads_and_writes_make_up_for_transfers(tmp_path: Path) -> None:
    disk = r"\\SRV1\PhysicalDisk(_Total)"
    found = means(
        records_of(tmp_path, (disk + r"\Disk Reads/sec", disk + r"\Disk Writes/sec"), "70", "30")
    )
    assert found[Quantity.IOPS] == 100


def test_single_disks_and_processors_make_up_for_the_whole(tmp_path: Path) -> None:
    cpu, disk = (
        r"\\SRV1\Processor Information({})\% Processor Time",
        r"\\SRV1\PhysicalDisk({})\Disk Transfers/sec",
    )
    counters = (
        cpu.format("0,0"),
        cpu.format("0,1"),
        cpu.format("0,_Total"),
        disk.format("0 C:"),
        disk.format("1 D:"),
    )
    records = records_of(tmp_path, counters, "40", "60", "50", "25", "50")
    assert (means(records)[Quantity.CPU_PCT], means(records)[Quantity.IOPS]) == (50, 75)
    assert {each.vcpus for each in records.series if each.subject is Subject.MACHINE} == {2}


def test_logical_disks_count_where_no_physical_ones_are(tmp_path: Path) -> None:
    counter = r"\\SRV1\LogicalDisk({})\Disk Transfers/sec"
    found = means(records_of(tmp_path, (counter.format("C:"), counter.format("D:")), "10", "30"))
    assert found[Quantity.IOPS] == 40


def test_a_host_behind_one_mark_is_a_host(tmp_path: Path) -> None:
    counters = (r"\SRV1\Processor(_Total)\% Processor Time", r"\SRV1\Memory\Available MBytes")
    records = records_of(tmp_path, counters, "12", "100")
    assert {each.name for each in records.series} == {"SRV1"}
    assert means(records)[Quantity.CPU_PCT] == 12


def test_what_a_german_spreadsheet_saved(tmp_path: Path) -> None:
    head = r"(PDH-CSV 4.0) (W. Europe)(-60);\\SRV1\Prozessor(_Total)\Prozessorzeit (%)"
    rows = "".join(f"05.03.2026 10:0{at};12,5\n" for at in range(4))
    records = records_of(tmp_path, (), text=f"{head}\n{rows}")
    assert means(records)[Quantity.CPU_PCT] == 12.5

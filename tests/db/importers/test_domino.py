"""Statistics of Domino servers: several in one log, one at several times, all that they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from db.import_result import import_to_json
from db.importers.registry import read_files
from db.importers.watch import Watch
from models.catalog.catalog import Catalog
from models.intake.confirmed import Confirmed, with_confirmed
from models.intake.mapping import imported
from models.intake.options import DiskBasis, Options
from models.intake.records import Quantity, Records
from models.intake.result import ImportResult
from models.scenario.origin import Origin
from models.scenario.workloads import WorkloadKind
from tests.db.importers.inventories import read

SERVER = """  Server.Name = CN={name}/O=Acme
  Server.Users = {users}
  Server.Users.Peak = 500
  Server.CPU.Count = {cpus}
"""


def records_of(folder: Path, text: str) -> Records:
    path = folder / "console.log"
    path.write_text(text, encoding="utf-8")
    (found,) = read_files([path], Watch())
    return found


def result_of(records: Records, **options: object) -> ImportResult:
    return imported([records], Options(**options), Catalog(), (), name="x")  # type: ignore[arg-type]


def logged(text: str, *, process: str = "", at: str = "10:00:00", day: str = "05.03.2026") -> str:
    head = f"[{process}:0006-0A10] {day} {at} " if process else ""
    return "".join(f"{head}{line}\n" for line in text.splitlines())


def test_two_servers_in_one_log_are_two(tmp_path: Path) -> None:
    text = logged(SERVER.format(name="Mail01", users=412, cpus=4), process="0A0C")
    text += logged(SERVER.format(name="Hub01", users=9, cpus=2), process="0B0C")
    text += logged("  Mem.PhysicalRAM = 8,589,934,592\n", process="0A0C")
    found = records_of(tmp_path, text).domino
    assert [(each.server, each.users, each.cpus, each.ram_mib) for each in found] == [
        ("Mail01/Acme", 412, 4, 8192),
        ("Hub01/Acme", 9, 2, None),
    ]


def test_several_prints_of_one_server_are_a_series(tmp_path: Path) -> None:
    prints = (
        SERVER.format(name="Mail01", users=users, cpus=4)
        + f"  Platform.System.PctCombinedCpuUtil = {cpu}\n"
        for users, cpu in ((100, 20), (300, 60), (200, 40))
    )
    text = "".join(
        logged(each, process="0A0C", at=f"1{at}:00:00") for at, each in enumerate(prints)
    )
    records = records_of(tmp_path, text)
    (server,) = records.domino
    assert server.users == 200  # The last print is of now.
    series = {each.counter: each for each in records.series}
    assert (series["Server.Users"].summary.n, series["Server.Users"].summary.max) == (3, 300)
    cpu = series["Platform.System.PctCombinedCpuUtil"]
    assert (cpu.quantity, cpu.summary.mean, cpu.vcpus) == (Quantity.CPU_PCT, 40, 4)
    assert cpu.summary.interval_s == 3600


def test_exported_statistics_documents_are_a_series(tmp_path: Path) -> None:
    text = "".join(
        f"Server:  CN=Mail01/O=Acme\nTime:  0{day}.03.2026 10:00:00\nServer.Users:  {users}\n"
        f"Server.Trans.PerMinute:  {users * 10}\nMail.TotalRouted:  5\n\f\n"
        for day, users in ((3, 10), (4, 30))
    )
    records = records_of(tmp_path, text)
    assert [each.server for each in records.domino] == ["Mail01/Acme"]
    (trans,) = (each for each in records.series if each.counter == "Server.Trans.PerMinute")
    assert (trans.summary.mean, trans.summary.interval_s) == (200, 86_400)


def test_memory_in_bytes_and_drives_of_a_server(tmp_path: Path) -> None:
    text = SERVER.format(name="Mail01", users=1, cpus=4) + (
        "  Mem.PhysicalRAM = 8,589,463,552\n"
        "  Disk.C.Size = 42,949,672,960\n  Disk.C.Free = 21,474,836,480\n"
        "  Disk.D.Size = 85,899,345,920\n  Disk.D.Free = 42,949,672,960\n"
        "  Platform.LogicalDisk.1.PctUtil.Avg = 12\n  Platform.LogicalDisk.2.PctUtil.Avg = 31\n"
    )
    found = result_of(records_of(tmp_path, text), disk=DiskBasis.CONSUMED)
    (vm,) = found.scenario.vms
    assert vm.ram_gib == pytest.approx(8.0, abs=0.01)
    assert vm.workload.disk_gib == pytest.approx(60.0)
    assert "no-ram_mib" not in {note.rule for note in found.notes}
    (server,) = import_to_json(found)["domino"]
    assert server["disk_busy_pct"] == 31


def test_reads_and_writes_of_all_disks_are_the_servers_iops(tmp_path: Path) -> None:
    text = SERVER.format(name="Mail01", users=1, cpus=4) + "".join(
        f"  Platform.LogicalDisk.{disk}.{kind}PerSec{stat} = {value}\n"
        for disk in (1, 2)
        for kind in ("Reads", "Writes")
        for stat, value in (("", 5), (".Avg", 10), (".Peak", 40))
    )
    found = result_of(records_of(tmp_path, text), percentile=0)
    assert found.scenario.vms[0].workload.iops == 40
    assert "no-iops" not in {note.rule for note in found.notes}


def test_what_a_server_says_of_cache_queue_and_answer(tmp_path: Path) -> None:
    text = SERVER.format(name="Mail01", users=1, cpus=4) + (
        "  Database.DbCache.MaxEntries = 6000\n  Database.DbCache.HighWaterMark = 5741\n"
        "  Replica.Cluster.SecondsOnQueue.Avg = 4\n  Replica.Cluster.WorkQueueDepth.Max = 77\n"
        "  Server.ExpansionFactor = 1.5\n"
    )
    (server,) = records_of(tmp_path, text).domino
    assert (server.db_cache_most, server.db_cache_high, server.queue_s) == (6000, 5741, 4)
    assert (server.queue_depth_most, server.expansion_factor) == (77, 1.5)


def of_console(folder: Path, name: str, **figures: float) -> ImportResult:
    statistics = "".join(f"  Server.{key} = {value}\n" for key, value in figures.items())
    return result_of(records_of(folder, SERVER.format(name=name, users=138, cpus=4) + statistics))


@pytest.mark.parametrize(
    ("name", "figures", "value"),
    [
        ("Mail01", {"Users.Active15Min": 92}, 749.8),
        ("Mail01", {}, 688.62),
        ("Hub01", {"Users.Active15Min": 92}, None),
    ],
)
def test_transactions_stand_beside_those_of_so_many_users(
    tmp_path: Path, name: str, figures: dict[str, float], value: float | None
) -> None:
    result = of_console(tmp_path, name, **figures, **{"Trans.PerMinute": 852})
    (server,) = import_to_json(result)["domino"]
    assert server["trans_per_minute"] == 852
    assert server["trans_per_minute_predicted"]["value"] == value
    assert "transactions-unlike" not in [each.rule for each in result.notes]


def test_a_console_that_counts_other_work_is_named(tmp_path: Path) -> None:
    result = of_console(tmp_path, "Mail01", **{"Trans.PerMinute": 20_000})
    (note,) = (each for each in result.notes if each.rule == "transactions-unlike")
    assert "20,000 transactions a minute" in note.text


def test_traveler_is_known_by_its_name_and_has_its_users_and_devices(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        "VM,Powerstate,CPUs,Memory MB,Host\nTraveler01,on,4,16384,esx1\nHub01,on,2,4096,esx1\n"
    )
    (tmp_path / "console.log").write_text(
        SERVER.format(name="Traveler01", users=3, cpus=4)
        + "  Traveler.Push.Users.Total = 1,200\n  Traveler.Push.Devices.Total = 1,800\n"
    )
    found = read(tmp_path / "a.csv", tmp_path / "console.log")
    guess = {each.name: each for each in found.guesses}["Traveler01"]
    assert (guess.kind, guess.users, guess.devices) == (WorkloadKind.DOMINO_TRAVELER, 1200.0, 1.5)
    said = {guess.vm: Confirmed(guess.kind, guess.users)}
    (vm,) = (v for v in with_confirmed(found.scenario, found.guesses, said).vms if v.id in said)
    work, origins = vm.workload, dict(vm.origins)
    assert (work.traveler_users, work.devices_per_user) == (1200.0, 1.5)
    assert work.active_users == 0.0
    assert origins["workload.traveler_users"] is Origin.IMPORTED
    assert "console.log" in vm.imported_from

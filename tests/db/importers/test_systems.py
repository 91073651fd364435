"""What tools of Unix systems say: which devices are disks, what a machine has, what can't be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from db.errors import StoreError
from db.importers.disks import disks_among
from db.importers.registry import read_files
from db.importers.watch import Watch
from models.catalog.catalog import Catalog
from models.intake.mapping import imported
from models.intake.options import Options
from models.intake.records import Part, Quantity, Records, Subject
from models.scenario.scenario import Vm
from tests.db.importers.inventories import result_of, rules

LINUX = "Linux 5.14.0 (srv1) \t03/05/2026 \t_x86_64_\t(8 CPU)\n\n"
CPU_HEAD = "CPU %user %nice %system %iowait %steal %idle"


def records_of(folder: Path, text: str) -> Records:
    path = folder / "server7.txt"
    path.write_text(text, encoding="utf-8")
    (found,) = read_files([path], Watch())
    return found


def vm_of(records: Records) -> Vm:
    (vm,) = imported([records], Options(percentile=0), Catalog(), (), name="x").scenario.vms
    return vm


def mean(records: Records, quantity: Quantity) -> float:
    (found,) = (
        each.at(0)
        for each in records.series
        if each.quantity is quantity and each.subject is Subject.MACHINE
    )
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("devices", "disks"),
    [
        ("sda sdb rhel-root mpatha dm-0", "sda sdb"),
        ("emcpowera sda sdb", "sda sdb"),
        ("emcpowera emcpowerb vg-lv", "emcpowera emcpowerb"),
        ("dev8-0 dev8-16 dev253-0", "dev8-0 dev8-16"),
        ("nvme0n1 nvme0n1p1 md0 md127 sr0 loop7 zram0", "nvme0n1"),
        ("vda vda1 vda2", "vda"),
        ("hdisk0 hdisk13 hdiskpower2 cd0 vpath1", "hdisk0 hdisk13"),
        ("c0t0d0 c0t0d0s0 c0t0d0s1", "c0t0d0"),
        ("disk3 disk5", "disk3 disk5"),
        ("dasda dasda1 cciss!c0d0 cciss!c0d0p1", "dasda cciss!c0d0"),
        ("sda1 sda2", "sda1 sda2"),
        ("vgdata-notes vgdata-logs", "vgdata-notes vgdata-logs"),
    ],
)
def test_what_is_a_disk_counts_once(devices: str, disks: str) -> None:
    assert disks_among(devices.split()) == disks.split()


def test_what_lies_on_disks_is_said(tmp_path: Path) -> None:
    block = "avg-cpu:  %user %idle\n 10 90\n\nDevice r/s w/s\nsda 40 60\nrhel-root 40 60\n\n"
    records = records_of(tmp_path, LINUX + block * 3)
    assert mean(records, Quantity.IOPS) == 100
    assert [(each.part, each.name) for each in records.not_read] == [(Part.DEVICE, "rhel-root")]


def test_each_run_of_iostat_begins_with_averages_since_the_start(tmp_path: Path) -> None:
    run = LINUX + "".join(f"Device r/s w/s\nsda {each} 0\n\n" for each in (9000, 10, 20))
    assert mean(records_of(tmp_path, run * 2), Quantity.IOPS) == 15


def test_sar_says_processors_and_memory(tmp_path: Path) -> None:
    text = LINUX + (
        f"10:00:01 {CPU_HEAD}\n10:10:01 all 20 0 5 1 0 74\n\n"
        "10:00:01 kbmemfree kbavail kbmemused %memused\n10:10:01 2097152 8388608 6291456 75.00\n"
    )
    vm = vm_of(records_of(tmp_path, text))
    assert (vm.vcpus, vm.ram_gib) == (8, 8.0)


def test_a_newer_sar_counts_caches_neither_as_used_nor_as_free(tmp_path: Path) -> None:
    """Then the share that is used tells the whole."""
    rows = (
        "10:00:01 kbmemfree kbavail kbmemused %memused\n10:10:01 1048576 12582912 4194304 25.00\n"
    )
    assert vm_of(records_of(tmp_path, LINUX + rows)).ram_gib == 16.0


def test_nmon_says_processors_and_their_clock(tmp_path: Path) -> None:
    text = (
        "AAA,progname,nmon\nAAA,host,dom1\nAAA,cpus,4\nAAA,x86,MHz,2500.000\n"
        "CPU_ALL,CPU Total dom1,User%,Sys%,Wait%,Idle%\nDISKXFER,Disk,hdisk0,hdisk6\n"
        "ZZZZ,T0001,10:01:00,05-MAR-2026\nCPU_ALL,T0001,20,10,1,69\nDISKXFER,T0001,30,70\n"
        "JFSFILE,T0001,1,2\n"
    )
    records = records_of(tmp_path, text)
    vm = vm_of(records)
    assert (vm.vcpus, vm.workload.cpu_mhz, vm.workload.iops) == (4, 3000.0, 100.0)
    endless = text.replace("Idle%", "Idle%,CPUs").replace(",69", ",69,1e999")
    assert vm_of(records_of(tmp_path, endless)).vcpus == 4
    assert [(each.part, each.name, each.count) for each in records.not_read] == [
        (Part.SECTION, "JFSFILE", 1)
    ]


def test_rows_of_headings_that_nobody_knows_are_no_other_s(tmp_path: Path) -> None:
    text = LINUX + (
        "10:00:01 kbmemfree kbmemused %memused\n10:10:01 4194304 12582912 75.00\n"
        "Average: 4194304 12582912 75.00\n\n"
        "10:00:01 dentunusd file-sz inode-sz\n10:10:01 36868 12750 33784\n10:20:01 1 2 3\n"
    )
    records = records_of(tmp_path, text)
    (used,) = (each for each in records.series if each.counter == "kbmemused")
    assert (used.summary.n, used.summary.mean) == (1, 12582912)
    assert [(each.part, each.count) for each in records.not_read] == [(Part.SECTION, 2)]


@pytest.mark.parametrize(
    ("first", "clock"),
    [
        ("2026年03月05日", "17時{m}分02秒"),
        ("2026年03月05日", "下午05时{m}分02秒"),
        ("2026년 03월 05일", "17시 {m}분 02초"),
        ("05.03.2026", "17:{m}:02"),
        ("03/05/2026", "05:{m}:02 PM"),
    ],
)
def test_sar_in_other_languages(first: str, clock: str, tmp_path: Path) -> None:
    title = f"Linux 4.13.0 (dom1) \t{first} \t_x86_64_\t(4 CPU)\n\n"
    rows = f"{clock.format(m=45)} all 20 0 5 1 0 74\n{clock.format(m=55)} all 30 0 5 1 0 64\n"
    records = records_of(
        tmp_path, title + f"{clock.format(m=35)} {CPU_HEAD}\n{rows}平均値: all 9\n"
    )
    (cpu,) = (each for each in records.series if each.quantity is Quantity.CPU_PCT)
    assert (cpu.name, cpu.vcpus, cpu.summary.n, cpu.summary.interval_s) == ("dom1", 4, 2, 600.0)
    assert cpu.summary.mean == 30
    assert cpu.summary.start == 1772732702.0  # 5 March 2026, 17:45:02


@pytest.mark.parametrize(
    "title",
    ["HP-UX hp1 B.11.31 U ia64 03/05/26", "AIX hp1 2 7 00F6D0 03/05/26", "SunOS hp1 5.11 x"],
)
def test_waiting_for_disks_is_no_work(title: str, tmp_path: Path) -> None:
    text = (
        f"{title}\n\n10:00:00 %usr %sys %wio %idle\n10:05:00 20 5 30 45\n\n"
        "10:00:00 device %busy avque r+w/s blks/s avwait avserv\n"
        "10:05:00 hdisk0 1 0.0 30 5 0 0\n         hdisk1 1 0.0 20 5 0 0\n\nAverage 20 5 30 45\n"
    )
    records = records_of(tmp_path, text)
    assert {each.name for each in records.series if each.subject is Subject.MACHINE} == {"hp1"}
    assert mean(records, Quantity.CPU_PCT) == 25
    assert mean(records, Quantity.IOPS) == 50


def test_two_machines_in_one_file_are_two(tmp_path: Path) -> None:
    rows = f"10:00:01 {CPU_HEAD}\n10:10:01 all 20 0 5 1 0 74\n\n"
    other = LINUX.replace("srv1", "srv2").replace("8 CPU", "2 CPU")
    found = imported(
        [records_of(tmp_path, LINUX + rows + other + rows)], Options(), Catalog(), (), name="x"
    )
    assert [(vm.name, vm.vcpus) for vm in found.scenario.vms] == [("srv1", 8), ("srv2", 2)]


def test_a_share_that_can_t_be_has_no_value(tmp_path: Path) -> None:
    head = "procs memory\n r b swpd free buff cache si so bi bo in cs us sy id wa st\n"
    rows = " 1 0 0 9 9 9 0 0 0 0 1 1 10 5 80 5 0\n" * 3
    odd = " 1 0 0 9 9 9 0 0 0 0 1 1 10 5 80 3035110221 0\n"
    records = records_of(tmp_path, head + rows + odd)
    (waits,) = (each for each in records.series if each.counter == "wa")
    assert (waits.summary.n, waits.summary.max) == (2, 5)
    assert mean(records, Quantity.CPU_PCT) == 15
    assert [(each.part, each.name, each.count) for each in records.not_read] == [
        (Part.COUNTER, "wa", 1)
    ]


def test_a_partition_of_aix_says_what_it_has(tmp_path: Path) -> None:
    text = (
        "System configuration: lcpu=8 mem=16384MB ent=2.00\n\n"
        "kthr memory page faults cpu\n r b avm fre re pi po fr sr cy in sy cs us sy id wa pc ec\n"
        + " 1 0 9 9 0 0 0 0 0 0 1 1 1 10 5 80 5 0.5 25\n"
        * 3
    )
    vm = vm_of(records_of(tmp_path, text))
    assert (vm.vcpus, vm.ram_gib) == (8, 16.0)


def test_processors_stand_where_each_has_rows(tmp_path: Path) -> None:
    head = "Linux 2.6.18-194.el5 (old)\t03/05/2026\n\n10:00:01 CPU %user %nice %system %idle\n"
    rows = "".join(
        f"10:0{at}:01 {cpu} 1.00 0.00 1.00 98.00\n" for at in (1, 2) for cpu in ("all", "0", "1")
    )
    assert vm_of(records_of(tmp_path, head + rows)).vcpus == 2


def test_one_processor_of_some_is_no_count(tmp_path: Path) -> None:
    head = "Linux 2.6.18-194.el5 (old)\t03/05/2026\n\n10:00:01 CPU %user %nice %system %idle\n"
    rows = "".join(f"10:0{at}:01 {cpu} 1 0 1 98\n" for at in (1, 2) for cpu in ("all", "3"))
    found = result_of([records_of(tmp_path, head + rows)])
    assert "no-vcpus" in rules(found)


def test_a_memory_that_can_t_be_is_not_said_to_be_absent(tmp_path: Path) -> None:
    text = (
        "Linux 5.14.0 (srv)\t03/05/2026\t_x86_64_\t(8 CPU)\n\n"
        "10:00:01 kbmemfree kbavail kbmemused\n10:10:01 1000 2048 3000\n10:20:01 1000 2048 3000\n"
    )
    found = rules(result_of([records_of(tmp_path, text)]))
    assert "odd-ram_mib" in found
    assert "no-ram_mib" not in found


def test_devices_at_the_ends_of_rows_are_devices(tmp_path: Path) -> None:
    head = f"{LINUX}10:00:01 tps rkB/s %util DEV\n"
    rows = "".join(
        f"10:0{at}:01 {tps} 1.0 2.0 {name}\n"
        for at in (1, 2)
        for name, tps in (("sda", 100), ("sda1", 100), ("sdb", 50))
    )
    assert mean(records_of(tmp_path, head + rows), Quantity.IOPS) == 150


def test_figures_for_people_are_figures(tmp_path: Path) -> None:
    text = (
        f"{LINUX}10:00:01 {CPU_HEAD}\n10:10:01 all 2.0% 0.0% 1.0% 0.0% 0.0% 97.0%\n"
        "10:20:01 all 4.0% 0.0% 1.0% 0.0% 0.0% 95.0%\n\n"
        "10:00:01 kbmemfree kbavail kbmemused %memused\n"
        "10:10:01 1.0G 2.0G 3.0G 75.0%\n10:20:01 1.0G 2.0G 3.0G 75.0%\n"
    )
    records = records_of(tmp_path, text)
    assert mean(records, Quantity.CPU_PCT) == pytest.approx(4.0)
    assert vm_of(records).ram_gib == pytest.approx(4.0)


@pytest.mark.parametrize(
    "rows",
    [
        "     tps kB_read/s Device\n 10.0 1.5k sda\n 10.0 1.5k sda1\n",
        "Device: tps kB_read/s\nsda\n 10.0 1.5k\nsda1\n 10.0 1.5k\n",
    ],
)
def test_iostat_for_people(rows: str, tmp_path: Path) -> None:
    cpu = "avg-cpu: %user %nice %system %iowait %steal %idle\n 10.0% 0.0% 2.0% 0.0% 0.0% 88.0%\n\n"
    records = records_of(tmp_path, LINUX + (cpu + rows + "\n") * 3)
    assert mean(records, Quantity.CPU_PCT) == pytest.approx(12.0)
    assert mean(records, Quantity.IOPS) == 10


def test_iostat_as_json_leaves_out_what_was_since_the_start(tmp_path: Path) -> None:
    report = {
        "avg-cpu": {"user": 10.0, "nice": 0.0, "system": 2.0, "iowait": 0.0, "idle": 88.0},
        "disk": [
            {"disk_device": "sda", "r/s": 20.0, "w/s": 30.0},
            {"disk_device": "sda1", "r/s": 20.0, "w/s": 30.0},
        ],
    }
    since = {"avg-cpu": {"user": 99.0, "idle": 1.0}, "disk": [{"disk_device": "sda", "r/s": 999.0}]}
    host = {"nodename": "srv", "number-of-cpus": 4, "date": "03/05/26"}
    tree = {"sysstat": {"hosts": [{**host, "statistics": [since, report, report]}]}}
    records = records_of(tmp_path, json.dumps(tree))
    assert (mean(records, Quantity.CPU_PCT), mean(records, Quantity.IOPS)) == (12.0, 50.0)
    assert vm_of(records).vcpus == 4


def test_mpstat_as_json_and_by_place(tmp_path: Path) -> None:
    load = [
        {"cpu": cpu, "usr": 10.0, "sys": 2.0, "iowait": 1.0, "idle": 87.0} for cpu in ("all", "0")
    ]
    nodes = [{"node": "0", "usr": 99.0, "idle": 1.0}]
    samples = [{"timestamp": f"10:0{at}:00", "cpu-load": load, "node-load": nodes} for at in (1, 2)]
    host = {"nodename": "srv", "date": "03/05/26", "statistics": samples}
    tree = {"sysstat": {"hosts": [host]}}
    assert mean(records_of(tmp_path, json.dumps(tree)), Quantity.CPU_PCT) == 12.0
    text = (
        f"{LINUX}10:00:00 CPU CORE SOCK NODE %usr %sys %idle\n10:01:00 all 10.0 2.0 88.0\n"
        "10:01:00 0 0 0 0 99.0 0.0 1.0\n\n10:00:00 NODE %usr %sys %idle\n10:01:00 0 99.0 0.0 1.0\n"
    )
    assert mean(records_of(tmp_path, text), Quantity.CPU_PCT) == pytest.approx(12.0)


def test_rows_of_one_processor_alone_are_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as error:
        records_of(tmp_path, f"{LINUX}10:00:01 {CPU_HEAD}\n10:10:01 3 2 0 1 0 0 97\n")
    assert "single processors" in error.value.sentence


def test_a_comment_between_rows_ends_nothing(tmp_path: Path) -> None:
    text = (
        f"{LINUX}10:00:01 {CPU_HEAD}\n10:10:01 all 2 0 0 0 0 98\n10:12:00 COM backup began\n"
        "10:20:01 all 4 0 0 0 0 96\n"
    )
    records = records_of(tmp_path, text)
    assert mean(records, Quantity.CPU_PCT) == 3

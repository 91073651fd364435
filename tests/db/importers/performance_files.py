"""Performance files as the tools write them, made for tests."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

START = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)


def esxtop_file(path: Path, *, vms: int, vcpus: int, samples: int, columns: int) -> Path:
    """A batch of esxtop of one host, filled with columns that nobody asks for; the last is broken
    as the tool breaks it."""
    host, draw = r"\\esx1", random.Random(1)
    head = ["(PDH-CSV 4.0) (UTC)(0)"]
    for vm in range(vms):
        group = f"{1000 + vm}:vm:{vm} (a)"
        head += [rf"{host}\Group Cpu({group})\{each}" for each in ("% Used", "% Ready", "% CoStop")]
        head += [rf"{host}\Vcpu({group}:{n}:vmx-vcpu-{n}:vm)\% Used" for n in range(vcpus)]
        head.append(rf"{host}\Group Memory({group})\Memory Consumed Size MBytes")
        head.append(rf"{host}\Virtual Disk(vm:{vm} (a))\Commands/sec")
    head.append(rf"{host}\Group Cpu(8:helper)\% Used")
    head.append(rf"{host}\Physical Cpu(_Total)\% Util Time")
    head += [rf"{host}\Interrupt({n})\Count/sec" for n in range(columns - len(head) - 1)]
    rows = [",".join(f'"{each}"' for each in head) + ",   -"]
    for sample in range(samples):
        time = (START + timedelta(seconds=20 * sample)).strftime("%m/%d/%Y %H:%M:%S")
        values = ",".join(f'"{draw.random() * 100:.2f}"' for _ in head[1:])
        rows.append(f'"{time}",{values},   -')
    path.write_text("\n".join(rows) + "\n")
    return path


GERMAN = (
    r"\\SRV1\Prozessor(_Total)\Prozessorzeit (%)",
    r"\\SRV1\Physikalischer Datenträger(_Total)\Übertragungen/s",
    r"\\SRV1\Arbeitsspeicher\Verfügbare MB",
)
RUSSIAN = (
    r"\\SRV1\Процессор(_Total)\% загруженности процессора",
    r"\\SRV1\Физический диск(_Total)\Обращений к диску/с",
    r"\\SRV1\Память\Доступно МБ",
)
FRENCH = (
    r"\\SRV1\Processeur(_Total)\% temps processeur",
    r"\\SRV1\Disque physique(_Total)\Transferts disque/s",
    r"\\SRV1\Mémoire\Mégaoctets disponibles",
)


def perfmon_text(
    counters: tuple[str, ...], rows: Sequence[tuple[str, ...]], seconds: int = 15
) -> str:
    """A log of perfmon, a blank being one space, that ends as typeperf ends."""
    lines = [",".join(f'"{each}"' for each in ("(PDH-CSV 4.0) (RTZ 2 ()(-180)", *counters))]
    for index, row in enumerate(rows):
        time = (START + timedelta(seconds=seconds * index)).strftime("%m/%d/%Y %H:%M:%S.123")
        lines.append(",".join(f'"{each}"' for each in (time, *row)))
    return "\r\n".join([*lines, "", "Exiting, please wait...", ""])


VMSTAT = """procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -time-
 r  b   swpd   free  inact active   si   so    bi    bo   in   cs us sy id wa st          PDT
 9  0      0 27947 295968 312724    0    0     1     3   29   57 90  9  1  0  0 2021-09-16 20:33:13
 1  0   1024 27947 295968 312744    0    0     0     0   41   84 10  5 85  0  0 2021-09-16 20:33:18
 3  0   1024 27947 295968 312744    0    0     0     0   41   84 20  5 75  0  0 2021-09-16 20:33:23
"""
AIX = """System configuration: lcpu=8 mem=16384MB ent=2.00
kthr    memory              page              faults              cpu
----- ----------- ------------------------ ------------ -----------------------
 r  b   avm   fre  re  pi  po  fr   sr  cy  in   sy  cs us sy id wa    pc    ec
 1  1 1024 300000   0   0   0   0    0   0  50 9000 700 99  1  0  0  2.00 100.0
 1  1 2048 300000   0   0   0   0    0   0  50 9000 700 10  5 85  0  0.30  15.0
"""
SADF = """# hostname;interval;timestamp;CPU;%usr;%nice;%sys;%iowait;%steal;%irq;%soft;%guest;%idle
srv;600;2026-11-24 00:10:01 UTC;-1;10,5;0,0;2,0;1,0;0,5;0;0;0;86,0
srv;600;2026-11-24 00:10:01 UTC;0;99,5;0,0;2,0;1,0;0,5;0;0;0;86,0
srv;600;2026-11-24 00:20:01 UTC;-1;20,5;0,0;2,0;1,0;0,5;0;0;0;76,0
srv;-1;2026-11-24 00:25:01 UTC;LINUX-RESTART\t(4 CPU)
# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;await;%util
srv;600;2026-11-24 00:10:01 UTC;sda;100;1;1;2.5;10
srv;600;2026-11-24 00:20:01 UTC;sda;200;1;1;2.5;10
"""
PAIRS = "\n".join(
    f"srv\t600\t2026-11-24 00:{m}0:01 UTC\t{device}\t{name}\t{value}"
    for m in (1, 2)
    for device, name, value in (
        ("all", "%user", 10 * m),
        ("all", "%iowait", 1),
        ("all", "%steal", 0.5),
        ("all", "%idle", 98.5 - 10 * m - 2.5),
        ("cpu0", "%user", 99),
        ("sda", "tps", 100 * m),
    )
)
JSON = """{"sysstat": {"hosts": [{"nodename": "srv", "number-of-cpus": 4, "statistics": [
{"timestamp": {"date": "2026-11-24", "time": "00:10:01", "utc": 1, "interval": 600},
 "cpu-load": [{"cpu": "all", "user": 12.5, "iowait": 1.0, "steal": 0.5, "idle": 86.0}],
 "disk": [{"disk-device": "sda", "tps": 100.0, "rkB": 1}]},
{"timestamp": {"date": "2026-11-24", "time": "00:20:01", "utc": 1, "interval": 600},
 "cpu-load": [{"cpu": "all", "user": 22.5, "iowait": 1.0, "steal": 0.5, "idle": 76.0}],
 "disk": [{"disk-device": "sda", "tps": 200.0, "rkB": 1}]}]}]}}"""
SAR = """Linux 3.10.0 (srv) \t11/24/2026 \t_x86_64_\t(4 CPU)

11:40:01 PM     CPU     %user     %nice   %system   %iowait    %steal     %idle
11:50:01 PM     all      1.00      0.00      1.00      0.00      0.00     98.00
12:00:01 AM     all      2.00      0.00      1.00      0.00      0.00     97.00

12:00:01 AM     CPU     %user     %nice   %system   %iowait    %steal     %idle
12:10:01 AM     all      3.00      0.00      1.00      0.00      0.00     96.00
Average:        all     50.00      0.00      1.00      0.00      0.00     49.00

11:40:01 PM kbmemfree   kbavail kbmemused
11:50:01 PM   1000      2048     3000
"""
NMON = """AAA,progname,nmon
AAA,host,lnx1
CPU_ALL,CPU Total lnx1,User%,Sys%,Wait%,Idle%,Steal%,Busy,CPUs
MEM,Memory MB lnx1,memtotal,memfree,cached,buffers
DISKXFER,Disk transfers per second lnx1,sda,sda1,dm-0
ZZZZ,T0001,23:59:31,24-NOV-2026
CPU_ALL,T0001,10.0,5.0,1.0,84.0,0.0,,4
MEM,T0001,8000,1000,2000,500
DISKXFER,T0001,50,50,50
ZZZZ,T0002,00:00:31,25-NOV-2026
CPU_ALL,T0002,20.0,5.0,1.0,74.0,0.0,,4
DISKXFER,T0002,70,70,70
"""
STATISTICS = """> sh stat
  Server.Name = CN=Mail01/OU=Berlin/O=Acme
  Server.Version.Notes = Release 9.0.1FP8
  Server.Users = 138
  Server.Users.Peak = 412
  Server.Users.Active15Min = 71
  Server.Trans.PerMinute.Peak = 65278
  Server.ElapsedTime = {uptime}
  Server.Task = Router: Idle: [06/04/2018 15:40:48 ZW3]
  Server.Task = Agent Manager: Idle
  Server.CPU.Count = 16
  Platform.System.PctCombinedCpuUtil.Avg = {average}
  Platform.System.PctCombinedCpuUtil.Peak = -2{mark}7
  Platform.Memory.RAM.TotalMBytes = 64{group}252{mark}28
  Disk./local.Size = 1{mark}6098053448E+12
  Disk./boot.Size = 1{group}063{group}256{group}064
  Replica.Cluster.Servers = 2
 412 statistics found
"""
IOSTAT_HEAD = "Linux 5.8.0-53-generic (mail3) \t12/02/2021 \t_x86_64_\t(2 CPU)\n"
IOSTAT_OLD, IOSTAT_NEW = (
    "Device:         rrqm/s   r/s     w/s  await",
    "Device            r/s     w/s     f/s f_await",
)


def iostat_text(columns: str) -> str:
    """Four reports, the first since the start of the server, of disks, a partition and others."""
    names = columns.split()[1:]

    def row(device: str, reads: float, writes: float) -> str:
        values = {"r/s": reads, "w/s": writes}
        return " ".join([device, *(f"{values.get(name, 9.0):.2f}" for name in names)])

    def block(time: str, reads: float) -> str:
        cpu = "avg-cpu: %user %nice %system %iowait %steal %idle\n 10,00 0,00 2,00 3,00 1,00 84,00"
        rows = (row(each, reads, 5) for each in ("sda", "sda1", "dm-0", "loop3", "nvme0n1"))
        return f"{time}\n{cpu}\n\n{columns}\n" + "\n".join(rows) + "\n\n"

    blocks = [("12/02/2021 03:16:15 PM", 999), ("12/02/2021 03:16:20 PM", 10)]
    blocks += [("12/02/2021 03:16:25 PM", 20), ("12/02/2021 03:16:45 PM", 30)]
    return IOSTAT_HEAD + "".join(block(*each) for each in blocks)


def every_kind(folder: Path) -> dict[str, bytes]:
    """One file of each kind, by the kind and what sets apart several of one."""
    rows = [(" ", " ", "1000"), ("50", "100", "1001"), ("60", "-1", "1002"), ("70", "300", "1003")]
    esxtop = esxtop_file(folder / "esxtop.csv", vms=2, vcpus=2, samples=4, columns=40)
    marks = {"group": ".", "mark": ",", "average": "2,978", "uptime": "24 days 23:51:42"}
    texts = {
        "esxtop-csv": esxtop.read_text(),
        "perfmon-csv": perfmon_text(GERMAN, rows),
        "vmstat": VMSTAT,
        "vmstat of AIX": AIX,
        "iostat": iostat_text(IOSTAT_NEW),
        "sadf": SADF,
        "sadf -p": PAIRS,
        "sadf -j": JSON,
        "sar": SAR,
        "nmon": NMON,
        "domino-stat": STATISTICS.format(**marks),
    }
    return {name: text.encode() for name, text in texts.items()}

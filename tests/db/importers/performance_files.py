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
        head.append(rf"{host}\Virtual Disk(vm{vm})\Commands/sec")
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

"""The line that tools of an operating system begin with: machine, day, processors, memory."""

from __future__ import annotations

import re
from dataclasses import dataclass

from db.importers.sampled import Tracks, day_of

_LINUX = re.compile(r"^Linux\s+\S+\s+\(([^()\s]+)\)\s+(.*)$")
_OTHER = re.compile(r"^(?:AIX|SunOS|HP-UX|Darwin)\s+(\S+)\s+(.*)$")
_CPUS = re.compile(r"\((\d+)\s+\S{1,20}\)\s*$")
_RESTART = re.compile(r"(?:LINUX|unix|System)[- ]?restart", re.IGNORECASE)
_CONFIGURED = re.compile(r"^System configuration:.*")
_LCPU, _MEMORY = re.compile(r"\blcpu=(\d+)"), re.compile(r"\bmem=(\d+)MB")


@dataclass(frozen=True, slots=True)
class Title:
    """What such a line says; `day` is midnight [s since 1970], None where it names no date."""

    machine: str
    day: float | None
    cpus: int | None


def title_of(line: str) -> Title | None:
    """The title that a line is, None for any other line.

    >>> title_of("Linux 5.14.0 (srv1) \\t03/05/2026 \\t_x86_64_\\t(8 CPU)")
    Title(machine='srv1', day=1772668800.0, cpus=8)
    >>> title_of("AIX aix1 2 7 00F6D0324C00    03/05/26").machine, title_of("SunOS s1 5.11 a").day
    ('aix1', None)
    """
    found = _LINUX.match(line) or _OTHER.match(line)
    if found is None:
        return None
    cpus = _CPUS.search(found[2].rstrip())
    return Title(found[1], day_of(found[2]), int(cpus[1]) if cpus is not None else None)


def note_restart(tracks: Tracks, machine: str, line: str) -> bool:
    """Take note of the processors of a machine that started; False for any other line."""
    if not _RESTART.search(line):
        return False
    if (found := _CPUS.search(line.rstrip())) is not None:
        tracks.cpus[machine] = int(found[1])
    return True


def note_configuration(tracks: Tracks, machine: str, line: str) -> bool:
    """Take note of processors and memory of an AIX partition; False for any other line."""
    if not _CONFIGURED.match(line):
        return False
    if (found := _LCPU.search(line)) is not None:
        tracks.cpus[machine] = int(found[1])
    if (found := _MEMORY.search(line)) is not None:
        tracks.ram_mib[machine] = float(found[1])
    return True

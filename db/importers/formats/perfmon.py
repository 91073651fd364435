r"""Performance counters of Windows: files of perfmon, relog and typeperf.

Windows writes counters in its own language, in the code page of that language. They are known by
their words (`windows_words.py`) in the languages that stand there; counters of a machine whose
objects have no word of these are named as not read.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping

from db.importers.opening import Opened
from db.importers.pdh import Path, is_pdh, read_pdh
from db.importers.sampled import Counter, Known, Track, Tracks, machine_counter, sampled, sum_tracks
from db.importers.windows_words import counter_of, object_of
from models.base.texts import say
from models.intake.records import Part, Quantity, Subject

MOST_COLUMNS = 2_000
"""Up to so many columns all are read, of more only those that mean something for sizing."""

_MEASURES: dict[tuple[str, str], Known] = {
    ("Processor", "% Processor Time"): Known("%", Quantity.CPU_PCT),
    ("Processor Information", "% Processor Time"): Known("%", Quantity.CPU_PCT),
    ("System", "Processor Queue Length"): Known("threads", Quantity.RUN_QUEUE),
    ("Memory", "Available MBytes"): Known("MiB", Quantity.RAM_FREE_MIB),
    ("Memory", "Available KBytes"): Known("KiB", Quantity.RAM_FREE_MIB, 2.0**-10),
    ("Memory", "Available Bytes"): Known("B", Quantity.RAM_FREE_MIB, 2.0**-20),
    ("Memory", "Pages/sec"): Known("pages/s", Quantity.PAGING),
    ("Memory", "% Committed Bytes In Use"): Known("%"),
    ("PhysicalDisk", "Disk Transfers/sec"): Known("IO/s", Quantity.IOPS),
    ("PhysicalDisk", "Disk Reads/sec"): Known("IO/s", Quantity.OTHER),
    ("PhysicalDisk", "Disk Writes/sec"): Known("IO/s", Quantity.OTHER),
    ("PhysicalDisk", "Avg. Disk sec/Transfer"): Known("s", Quantity.LATENCY_MS, 1000.0),
    ("PhysicalDisk", "Avg. Disk sec/Read"): Known("s"),
    ("PhysicalDisk", "Avg. Disk sec/Write"): Known("s"),
    ("PhysicalDisk", "Current Disk Queue Length"): Known(""),
    ("PhysicalDisk", "Disk Bytes/sec"): Known("B/s"),
    ("Network Interface", "Bytes Total/sec"): Known("B/s", Quantity.NETWORK_MBPS, 8e-6),
    ("Network Adapter", "Bytes Total/sec"): Known("B/s", Quantity.NETWORK_MBPS, 8e-6),
    ("Paging File", "% Usage"): Known("%"),
}
_WHOLE = frozenset({"", "_total", "_global_"})
_PROCESSORS = ("Processor", "Processor Information")
_DISKS = ("PhysicalDisk", "LogicalDisk")
_TRANSFERS, _BOTH = "Disk Transfers/sec", frozenset(("Disk Reads/sec", "Disk Writes/sec"))
_BUSY = "% Processor Time"
CPU_NAME, IOPS_NAME = "% Processor Time, mean of all processors", "Disk Transfers/sec, all disks"
LANGUAGE = say("in a language that isn’t known")


def read_perfmon(lines: Iterable[str], file: str, unnamed: str) -> Tracks:
    """The series of a file of counters, with CPU and I/Os of each machine as a whole.

    A blank is no value, nor is −1, by which Windows says that it could not count.

    Args:
        unnamed: the server's name where columns don't say it.
    """
    tracks = Tracks(file)
    known_hosts: set[str] = set()
    chosen: dict[int, Counter] = {}

    def choose(paths: list[Path | None]) -> dict[int, Counter]:
        chosen.update(_chosen(paths, unnamed))
        of = {path.host or unnamed for path in paths if path and object_of(path.object)}
        known_hosts.update(of)
        return chosen

    read_pdh(lines, tracks, choose)
    for track in tracks.of.values():
        for index, value in enumerate(track.values):
            if value == -1.0:
                track.values[index] = float("nan")
    for counter in chosen.values():
        if counter.subject not in known_hosts:
            tracks.unread[Part.COUNTER, f"{counter.subject}: {counter.name}", LANGUAGE] += 1
    for host in sorted(known_hosts):
        _add_wholes(tracks, host)
    return tracks


def _chosen(paths: list[Path | None], unnamed: str) -> dict[int, Counter]:
    found = {
        column: _counter(path, column, unnamed)
        for column, path in enumerate(paths)
        if path is not None
    }
    if len(found) <= MOST_COLUMNS:
        return found
    return {
        column: counter
        for column, counter in found.items()
        if counter.known.quantity is not Quantity.OTHER
        or _DOMINO.match(counter.device)
        or counter.name.rpartition("\\")[2] in _BOTH
    }


_DOMINO = re.compile(r"n(server|update|http|imap|router|ldap|replica|adminp|amgr)", re.IGNORECASE)


def _counter(path: Path, column: int, unnamed: str) -> Counter:
    object = object_of(path.object) or path.object.strip()
    counter = counter_of(object, path.counter) or path.counter.strip()
    known = _MEASURES.get((object, counter), Known("%" if "%" in counter else ""))
    whole = path.instance.strip().casefold() in _WHOLE
    if object.startswith("Network"):
        whole = False
    instance = f"({path.instance})" if path.instance else ""
    return Counter(
        subject=path.host or unnamed,
        kind=Subject.MACHINE if whole else Subject.DEVICE,
        name=f"{object}{instance}\\{counter}",
        known=known,
        device="" if whole else path.instance,
        column=f"#{column + 1}",
    )


# --- a machine as a whole ---------------------------------------------------------------------


def _add_wholes(tracks: Tracks, host: str) -> None:
    """Add CPU and I/Os of a machine where no counter is of the whole, and count its processors."""
    of = [track for track in tracks.of.values() if track.counter.subject == host]
    there = {track.counter.known.quantity for track in of if not track.counter.device}
    cores = next((found for each in _PROCESSORS if (found := _parts(of, each, {_BUSY}))), {})
    cores = {name: found for name, found in cores.items() if "_total" not in name.casefold()}
    if cores:
        tracks.cpus[host] = len(cores)
        if Quantity.CPU_PCT not in there:
            known = Known("%", Quantity.CPU_PCT)
            _add_sum(tracks, machine_counter(host, CPU_NAME, known), cores, 1.0 / len(cores))
    if Quantity.IOPS not in there:
        disks = _disks(of)
        _add_sum(tracks, machine_counter(host, IOPS_NAME, Known("IO/s", Quantity.IOPS)), disks)


def _disks(of: Iterable[Track]) -> Mapping[str, list[Track]]:
    """What adds up to the I/Os of a machine: the whole before its disks, transfers before reads
    and writes, physical disks before logical ones."""
    of = list(of)
    for object in _DISKS:
        for wanted in (frozenset((_TRANSFERS,)), _BOTH):
            parts = _parts(of, object, wanted)
            whole = {name: found for name, found in parts.items() if name.casefold() in _WHOLE}
            if whole or parts:
                return whole or parts
    return {}


def _parts(of: Iterable[Track], object: str, wanted: Iterable[str]) -> dict[str, list[Track]]:
    """Tracks of these counters of an object by its instances."""
    found: dict[str, list[Track]] = defaultdict(list)
    for track in of:
        head, _, counter = track.counter.name.rpartition("\\")
        name, _, instance = head.partition("(")
        if name == object and counter in wanted:
            found[instance.removesuffix(")")].append(track)
    return found


def _add_sum(
    tracks: Tracks, counter: Counter, parts: Mapping[str, list[Track]], factor: float = 1.0
) -> None:
    total = sum_tracks((track for each in parts.values() for track in each), counter)
    if total is not None:
        total.values = array("d", (value * factor for value in total.values))
        tracks.count(len(total.values))
        tracks.of[counter.subject, "", counter.name] = total


def _sniff(file: Opened) -> float | None:
    return 0.8 if is_pdh(file.start) else None


IMPORTER = sampled(
    kind="perfmon-csv",
    title=say("Windows counters"),
    looks_for=say("Windows performance counters: a first line with PDH-CSV or PDH-TSV"),
    sniff=_sniff,
    tracks=lambda file: read_perfmon(file.lines(), file.name, file.stem),
)

r"""Performance counters of Windows: files of perfmon, relog and typeperf.

Windows writes counters in its own language, in the code page of that language. Names in German,
French and Russian are known by a table; a counter in another language keeps its own name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from db.importers.opening import Opened
from db.importers.pdh import Path, is_pdh, read_pdh
from db.importers.sampled import Counter, Known, Tracks, sampled
from models.intake.records import Quantity, Subject
from models.texts import say

MOST_COLUMNS = 2_000
"""Up to so many columns all are read, of more only those that mean something for sizing."""

_OBJECTS = {
    "Processor": ("processor", "prozessor", "processeur", "процессор"),
    "Processor Information": (
        "processor information",
        "prozessorinformationen",
        "informations sur le processeur",
        "сведения о процессоре",
    ),
    "System": ("system", "système", "система"),
    "Memory": ("memory", "arbeitsspeicher", "speicher", "mémoire", "память"),
    "PhysicalDisk": (
        "physicaldisk",
        "physikalischer datenträger",
        "physischer datenträger",
        "disque physique",
        "физический диск",
    ),
    "LogicalDisk": (
        "logicaldisk",
        "logischer datenträger",
        "disque logique",
        "логический диск",
    ),
    "Network Interface": (
        "network interface",
        "netzwerkschnittstelle",
        "interface réseau",
        "сетевой интерфейс",
    ),
    "Network Adapter": ("network adapter", "netzwerkadapter", "carte réseau", "сетевой адаптер"),
    "Process": ("process", "prozess", "processus", "процесс"),
    "Paging File": ("paging file", "auslagerungsdatei", "fichier d'échange", "файл подкачки"),
}
_COUNTERS = {
    "% Processor Time": (
        "% processor time",
        "prozessorzeit (%)",
        "% prozessorzeit",
        "% temps processeur",
        "% de temps processeur",
        "pourcentage de temps processeur",
        "% загруженности процессора",
    ),
    "Processor Queue Length": (
        "processor queue length",
        "prozessor-warteschlangenlänge",
        "longueur de la file du processeur",
        "длина очереди процессора",
    ),
    "Available MBytes": (
        "available mbytes",
        "verfügbare mb",
        "mégaoctets disponibles",
        "доступно мб",
    ),
    "Pages/sec": ("pages/sec", "seiten/s", "pages/s", "обмен страниц/с"),
    "% Committed Bytes In Use": (
        "% committed bytes in use",
        "zugesicherte verwendete bytes (%)",
        "pourcentage d'octets dédiés utilisés",
        "% использования выделенной памяти",
    ),
    "Disk Transfers/sec": (
        "disk transfers/sec",
        "übertragungen/s",
        "transferts disque/s",
        "обращений к диску/с",
    ),
    "Disk Reads/sec": (
        "disk reads/sec",
        "lesevorgänge/s",
        "lectures disque/s",
        "обращений чтения с диска/с",
    ),
    "Disk Writes/sec": (
        "disk writes/sec",
        "schreibvorgänge/s",
        "écritures disque/s",
        "обращений записи на диск/с",
    ),
    "Avg. Disk sec/Read": (
        "avg. disk sec/read",
        "mittlere sek./lesevorgänge",
        "moyenne disque s/lecture",
        "среднее время чтения с диска (с)",
    ),
    "Avg. Disk sec/Write": (
        "avg. disk sec/write",
        "mittlere sek./schreibvorgänge",
        "moyenne disque s/écriture",
        "среднее время записи на диск (с)",
    ),
    "Avg. Disk sec/Transfer": (
        "avg. disk sec/transfer",
        "mittlere sek./übertragung",
        "durchschn. sek./übertragung",
        "moyenne disque s/transfert",
        "среднее время обращения к диску (с)",
    ),
    "Current Disk Queue Length": (
        "current disk queue length",
        "aktuelle warteschlangenlänge",
        "taille de file d'attente du disque actuelle",
        "текущая длина очереди диска",
    ),
    "Disk Bytes/sec": ("disk bytes/sec", "bytes/s", "octets disque/s"),
    "Bytes Total/sec": (
        "bytes total/sec",
        "gesamtanzahl bytes/s",
        "total des octets/s",
        "всего байт/с",
    ),
    "% Usage": ("% usage", "belegung (%)", "pourcentage d'utilisation", "% использования"),
}
_ENGLISH_OBJECT = {word: name for name, words in _OBJECTS.items() for word in words}
_ENGLISH_COUNTER = {word: name for name, words in _COUNTERS.items() for word in words}

_MEASURES: dict[tuple[str, str], Known] = {
    ("Processor", "% Processor Time"): Known("%", Quantity.CPU_PCT),
    ("Processor Information", "% Processor Time"): Known("%", Quantity.CPU_PCT),
    ("System", "Processor Queue Length"): Known("threads", Quantity.RUN_QUEUE),
    ("Memory", "Available MBytes"): Known("MiB", Quantity.RAM_FREE_MIB),
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
_DOMINO = re.compile(r"n(server|update|http|imap|router|ldap|replica|adminp|amgr)", re.IGNORECASE)


def read_perfmon(lines: Iterable[str], file: str, unnamed: str) -> Tracks:
    """The series of a file of counters.

    A blank is no value, nor is −1, by which Windows says that it could not count.

    Args:
        unnamed: the server's name where columns don't say it.
    """
    tracks = Tracks(file)
    read_pdh(lines, tracks, lambda paths: _chosen(paths, unnamed))
    for track in tracks.of.values():
        for index, value in enumerate(track.values):
            if value == -1.0:
                track.values[index] = float("nan")
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
        if counter.known.quantity is not Quantity.OTHER or _DOMINO.match(counter.device)
    }


def _counter(path: Path, column: int, unnamed: str) -> Counter:
    plain = path.object.replace("\u2019", "'").strip(), path.counter.replace("\u2019", "'").strip()
    object = _ENGLISH_OBJECT.get(plain[0].casefold(), plain[0])
    counter = _ENGLISH_COUNTER.get(plain[1].casefold(), plain[1])
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


def _sniff(file: Opened) -> float | None:
    return 0.8 if is_pdh(file.start) else None


IMPORTER = sampled(
    kind="perfmon-csv",
    title=say("Windows counters"),
    looks_for=say("Windows performance counters: a first line with PDH-CSV or PDH-TSV"),
    sniff=_sniff,
    tracks=lambda file: read_perfmon(file.lines(), file.name, file.stem),
)

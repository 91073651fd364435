r"""Performance counters of Windows: files of perfmon, relog and typeperf.

Windows writes counters in its own language, in the code page of that language. Names in German,
French and Russian are known by a table; a counter in another language keeps its own name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from db.importers.pdh import Path, read_pdh
from db.importers.sampled import Counter, Measure, Subject, Tracks

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

_MEASURES: dict[tuple[str, str], tuple[str, Measure | None]] = {
    ("Processor", "% Processor Time"): ("%", Measure.CPU_PCT),
    ("Processor Information", "% Processor Time"): ("%", Measure.CPU_PCT),
    ("System", "Processor Queue Length"): ("threads", Measure.RUN_QUEUE),
    ("Memory", "Available MBytes"): ("MiB", Measure.RAM_FREE_MIB),
    ("Memory", "Pages/sec"): ("pages/s", Measure.SWAP_PER_S),
    ("Memory", "% Committed Bytes In Use"): ("%", None),
    ("PhysicalDisk", "Disk Transfers/sec"): ("IO/s", Measure.IOPS),
    ("PhysicalDisk", "Disk Reads/sec"): ("IO/s", Measure.READ_IOPS),
    ("PhysicalDisk", "Disk Writes/sec"): ("IO/s", Measure.WRITE_IOPS),
    ("PhysicalDisk", "Avg. Disk sec/Transfer"): ("s", Measure.LATENCY_MS),
    ("PhysicalDisk", "Avg. Disk sec/Read"): ("s", None),
    ("PhysicalDisk", "Avg. Disk sec/Write"): ("s", None),
    ("PhysicalDisk", "Current Disk Queue Length"): ("", None),
    ("PhysicalDisk", "Disk Bytes/sec"): ("B/s", None),
    ("Network Interface", "Bytes Total/sec"): ("B/s", Measure.NETWORK_MBPS),
    ("Network Adapter", "Bytes Total/sec"): ("B/s", Measure.NETWORK_MBPS),
    ("Paging File", "% Usage"): ("%", None),
}
_WHOLE = frozenset({"", "_total", "_global_"})
_DOMINO = re.compile(r"n(server|update|http|imap|router|ldap|replica|adminp|amgr)", re.IGNORECASE)


def read_perfmon(lines: Iterable[str], file: str, unnamed: str) -> tuple[Tracks, int]:
    """The series of a file of counters, and the rows that were cut.

    A blank is no value, nor is −1, by which Windows says that it could not count.

    Args:
        unnamed: the server's name where columns don't say it.
    """
    tracks = Tracks(file)
    cut = read_pdh(lines, tracks, lambda paths: _chosen(paths, unnamed))
    for track in tracks.of.values():
        for index, value in enumerate(track.values):
            if value == -1.0:
                track.values[index] = float("nan")
    return tracks, cut


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
        if counter.measure is not None or _DOMINO.match(counter.device)
    }


def _counter(path: Path, column: int, unnamed: str) -> Counter:
    plain = path.object.replace("\u2019", "'").strip(), path.counter.replace("\u2019", "'").strip()
    object = _ENGLISH_OBJECT.get(plain[0].casefold(), plain[0])
    counter = _ENGLISH_COUNTER.get(plain[1].casefold(), plain[1])
    unit, measure = _MEASURES.get((object, counter), ("%" if "%" in counter else "", None))
    whole = path.instance.strip().casefold() in _WHOLE
    if object.startswith("Network"):
        whole = False
    instance = f"({path.instance})" if path.instance else ""
    return Counter(
        subject=path.host or unnamed,
        kind=Subject.SERVER if whole else Subject.DEVICE,
        name=f"{object}{instance}\\{counter}",
        unit=unit,
        measure=measure,
        device="" if whole else path.instance,
        column=f"column {column + 1}",
    )

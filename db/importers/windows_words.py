"""Words of Windows' counters in the languages that it writes them in.

An object and a counter are known by the words that have to stand in them and those that must not,
without accents and case, rather than by whole names: releases of Windows spell these differently.
English, German, French, Spanish, Italian, Portuguese, Polish, Turkish, Russian, Japanese, Chinese,
Dutch, Swedish, Czech.

Source: Microsoft, names of counters in perfc*.dat of Windows and in its documentation by language.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

_WORDS = {
    "processor": (
        "processor prozessor processeur procesador processore processador procesor islemci "
        "процессор プロセッサ 处理器 處理器"
    ),
    "time": "time zeit temps tiempo tempo hora czas zaman загруженност 時間 时间 tijd ortid casu",
    "idle": "idle leerlauf inactiv inattiv ocios bezczynn bosta простоя アイドル 空闲 閒置",
    "disk": "disk datentrager disque disco dysk диск ディスク 磁盘 磁碟 schijf",
    "physical": "physi fisic fizyczn fiziksel физич 物理 实体 實體 fysi fyzick",
    "logical": "logi mantiksal логич 論理 逻辑 邏輯",
    "memory": (
        "memory speicher memoire memoria pamiec bellek память メモリ 内存 記憶體 "
        "geheugen minne hukommelse pamet"
    ),
    "system": "system systeme sistema sistem система システム 系统 系統",
    "queue": "queue warteschlange file cola coda fila kolejk kuyru очеред キュー 队列 佇列",
    "network": "network netzwerk reseau _red _rete _rede siec ag_ сет ネットワーク 网络 網路",
    "process": "process prozess processus proceso processo proces islem процесс プロセス 进程",
    "paging file": (
        "paging auslagerungsdatei echange paginacion paging paginacao stronicowani disk-bellegi "
        "подкачки ページング 页面文件"
    ),
    "transfers": (
        "transfer ubertragung transfert trasferiment aktarim обращени 転送 传输 傳輸 "
        "overdracht overforing prenos"
    ),
    "reads": (
        "read lese lecture lectura lettur leitura odczyt okuma чтени 読み取り 读取 讀取 "
        "lezen lasning cteni"
    ),
    "writes": (
        "write schreib ecriture escritura scrit gravac zapis yazma запис 書き込み 写入 寫入 "
        "schrijven skrivning"
    ),
    "bytes": "byte octet bajt bayt байт バイト 字节 位元組",
    "average": (
        "avg mittlere durchschn moyenne promedio media sredni ortalama средн 平均 gem. genomsn"
    ),
    "seconds": "sec sek seg sn s/ сек (с) 秒",
    "available": (
        "available verfugbar disponib disponiv dostepn kullanilab доступно 利用可能 可用 "
        "beschikbar tillganglig dostupn"
    ),
    "mega": "mbyte mb megaoctet megabyte mo_ megabajt мб メガ 兆",
    "kilo": "kbyte _kb (kb kilooctet kilobyte ko_ кб キロ 千",
    "committed": "committed zugesichert dedies confirmad vincolat zadeklar выделенн コミット 提交",
    "pages": "pages/ seiten/ paginas/ pagine/ strony/ sayfa/ страниц/ ページ 页/",
    "total": "total gesamt totale calkowit laczn toplam всего 合計 总数 總數",
    "sent": "sent gesendet envoye enviad inviat wysylan gonderilen отправлено 送信 发送",
    "received": "received empfangen recu recibid ricevut recebid odebran alinan получено 受信 接收",
    "usage": "usage belegung utilisation uso utilizzo uzyci kullanim использования 使用率",
    "percent": "% pourcent porcent percentu prozent yuzde процент",
    "adapter": "adapter adaptateur adaptador scheda kart адаптер アダプター 适配器",
}
"""Parts of words, or whole signs, by what they mean; an underscore is a blank."""


@dataclass(frozen=True, slots=True)
class _Known:
    """An English name, and the meanings whose words have to stand in it or must not."""

    name: str
    has: tuple[str, ...]
    not_: tuple[str, ...] = ()


_OBJECTS = (
    _Known("PhysicalDisk", ("physical", "disk")),
    _Known("LogicalDisk", ("logical", "disk")),
    _Known("Paging File", ("paging file",)),
    _Known("Processor", ("processor",)),
    _Known("Memory", ("memory",)),
    _Known("Network Adapter", ("network", "adapter")),
    _Known("Network Interface", ("network",)),
    _Known("Process", ("process",)),
    _Known("System", ("system",)),
)
_NO_RATE = ("bytes", "average", "percent", "queue")
_COUNTERS = {
    "Processor": (_Known("% Processor Time", ("processor", "time", "percent"), ("idle",)),),
    "Process": (_Known("% Processor Time", ("processor", "time", "percent"), ("idle",)),),
    "System": (_Known("Processor Queue Length", ("processor", "queue")),),
    "Memory": (
        _Known("% Committed Bytes In Use", ("committed", "bytes", "percent")),
        _Known("Available MBytes", ("available", "mega"), ("percent", "kilo")),
        _Known("Available KBytes", ("available", "kilo"), ("percent",)),
        _Known("Available Bytes", ("available", "bytes"), ("percent", "mega", "kilo")),
        _Known("Pages/sec", ("pages",), ("reads", "writes", "bytes")),
    ),
    "Disk": (
        _Known("Disk Transfers/sec", ("transfers",), _NO_RATE),
        _Known("Disk Reads/sec", ("reads",), (*_NO_RATE, "time")),
        _Known("Disk Writes/sec", ("writes",), (*_NO_RATE, "time")),
        _Known("Avg. Disk sec/Transfer", ("average", "seconds", "transfers"), ("bytes", "queue")),
        _Known("Avg. Disk sec/Read", ("average", "seconds", "reads"), ("bytes", "queue")),
        _Known("Avg. Disk sec/Write", ("average", "seconds", "writes"), ("bytes", "queue")),
        _Known("Disk Bytes/sec", ("bytes",), ("average", "reads", "writes", "transfers")),
    ),
    "Network": (_Known("Bytes Total/sec", ("bytes", "total"), ("sent", "received")),),
    "Paging File": (_Known("% Usage", ("usage",)),),
}


def object_of(words: str) -> str | None:
    """The English name of a counter's object, None where no known language has it.

    >>> object_of("Disco físico"), object_of("Physikalischer Datenträger"), object_of("İşlemci")
    ('PhysicalDisk', 'PhysicalDisk', 'Processor')
    >>> object_of("Processor Information"), object_of("Fizikai lemez"), object_of("SQLServer:Locks")
    ('Processor Information', None, None)
    """
    folded = _folded(words)
    if folded.startswith(("sqlserver", "mssql", "hyper-v", "asp.net", ".net", "thread", "job ")):
        return None
    name = _first(folded, _OBJECTS)
    if name == "Processor" and len(folded.split()) + len(folded) // 20 > 1:
        return "Processor Information"
    return name


def counter_of(object: str, words: str) -> str | None:
    """The English name of a counter of an object (in English), None where it isn't known.

    >>> counter_of("Processor", "% de tiempo de procesador")
    '% Processor Time'
    >>> counter_of("PhysicalDisk", "Letture disco/sec"), counter_of("PhysicalDisk", "% tempo disco")
    ('Disk Reads/sec', None)
    >>> counter_of("Memory", "Mégaoctets disponibles"), counter_of("Memory", "Beschikbare MB's")
    ('Available MBytes', 'Available MBytes')
    """
    for part in ("Paging File", "Processor", "Process", "System", "Memory", "Disk", "Network"):
        if object.startswith(part) or (part == "Disk" and object.endswith(part)):
            return _first(_folded(words), _COUNTERS[part])
    return None


def _first(folded: str, of: tuple[_Known, ...]) -> str | None:
    for each in of:
        if all(_means(folded, word) for word in each.has) and not any(
            _means(folded, word) for word in each.not_
        ):
            return each.name
    return None


def _means(folded: str, meaning: str) -> bool:
    return any(word.replace("_", " ") in folded for word in _WORDS[meaning].split())


def _folded(words: str) -> str:
    """Without accents and case; marks that make other letters of eastern scripts stay.

    >>> _folded("Übertragungen/s"), _folded("İşlemci Zamanı"), _folded("Prędkość")
    ('ubertragungen/s', 'islemci zamani', 'predkosc')
    """
    plain = words.replace("\u2019", "'").replace("İ", "I").replace("ı", "i").replace("ł", "l")
    decomposed = unicodedata.normalize("NFKD", plain.strip())
    kept = "".join(each for each in decomposed if not "\u0300" <= each <= "\u036f")
    return unicodedata.normalize("NFC", kept).casefold()

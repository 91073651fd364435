"""ICU's data with Headroom's languages only, for the bundle on Linux.

PySide6 brings ICU with all languages of the world, 32 MB, of which Qt opens the rules of sorting,
letters and time zones. The data is one table of named items in a library of its own
(`icudt73_dat`, format "CmnD" of ICU's source/common/ucmndata.h), so a smaller table makes a smaller
library; ICU falls back to its root where a language is not there.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

from contents import LANGUAGES

_HEADER = struct.Struct("<H2x")
_COUNT = struct.Struct("<I")
_ENTRY = struct.Struct("<II")
_ALIGN = 16

# Of no use to Qt, which has its own breaking of words, names of countries and currencies and
# its own Unicode: dictionaries, transliterations, spelt numbers, names, code pages, look-alikes.
_UNUSED = re.compile(
    r"[^/]+/((brkitr|translit|rbnf|unit|curr|lang|region)/.*|.*\.(cnv|spp|cfu)|unames\.icu)$"
)
_LOCALE = re.compile(r".*/([a-z]{2,3})(_\w+)?\.res$")


def is_wanted(item: str) -> bool:
    """Whether an item of the table stays: `icudt73l/coll/fr.res` doesn't."""
    locale = _LOCALE.match(item)
    return not _UNUSED.match(item) and (locale is None or locale[1] in LANGUAGES)


def items_of(data: bytes) -> tuple[bytes, dict[str, bytes]]:
    """The header of a table and its items by name.

    Raises: ValueError: no table of ICU's on a machine with low bytes first.
    """
    if data[2:4] != b"\xda\x27" or data[12:16] != b"CmnD" or data[8]:
        raise ValueError("no table of ICU's data")
    at = _HEADER.unpack_from(data)[0]
    count = _COUNT.unpack_from(data, at)[0]
    entries = [_ENTRY.unpack_from(data, at + 4 + 8 * index) for index in range(count)]
    ends = [start for _, start in entries[1:]] + [len(data) - at]
    items = {}
    for (name, start), end in zip(entries, ends, strict=True):
        text = data[at + name : data.index(b"\0", at + name)].decode("ascii")
        items[text] = data[at + start : at + end]
    return data[:at], items


def table_of(header: bytes, items: dict[str, bytes]) -> bytes:
    """The table of items, which ICU looks up by halving: in the order of their names."""
    names = sorted(items)
    text = b"".join(name.encode("ascii") + b"\0" for name in names)
    first = 4 + 8 * len(names)
    body = bytearray(_COUNT.pack(len(names)))
    starts, where, at = [], first, first + len(text)
    for name in names:
        at += -at % _ALIGN
        starts.append(at)
        body += _ENTRY.pack(where, at)
        where += len(name) + 1
        at += len(items[name])
    body += text
    for name, start in zip(names, starts, strict=True):
        body += b"\0" * (start - len(body)) + items[name]
    return header + bytes(body)


def thinned(data: bytes) -> bytes:
    """A table without what `is_wanted` leaves out."""
    header, items = items_of(data)
    return table_of(header, {name: item for name, item in items.items() if is_wanted(name)})


def symbol_of(library: Path) -> tuple[str, bytes]:
    """The name of the table in ICU's data library and its bytes."""
    said = subprocess.run(
        ["readelf", "--dyn-syms", "-W", str(library)], capture_output=True, text=True, check=True
    ).stdout
    found = re.search(r"\s(\w+)\s+OBJECT\s.*\s(icudt\d+_dat)\b", said)
    if found is None:
        raise ValueError(f"{library.name}: no data of ICU's")
    content = library.read_bytes()
    at = content.index(b"CmnD") - 12
    return found[2], content[at : at + int(found[1], 0)]


def link(symbol: str, data: bytes, target: Path) -> None:
    """Write a library that holds nothing but a table, by binutils' assembler and linker."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "data").write_bytes(data)
        (folder / "data.s").write_text(
            f".section .rodata\n.globl {symbol}\n.type {symbol}, @object\n.balign {_ALIGN}\n"
            f'{symbol}:\n.incbin "data"\n.size {symbol}, . - {symbol}\n'
            '.section .note.GNU-stack,"",@progbits\n',
            encoding="ascii",
        )
        subprocess.run(["as", "-o", "data.o", "data.s"], cwd=folder, check=True)
        options = ["-shared", "-z", "noexecstack", "-soname", target.name]
        subprocess.run(["ld", *options, "-o", "out", "data.o"], cwd=folder, check=True)
        shutil.copy(folder / "out", target)


def write_thin(library: str, folder: Path) -> Path:
    """Write ICU's data library with the wanted items into a folder; its path."""
    target = folder / Path(library).name
    symbol, data = symbol_of(Path(library))
    link(symbol, thinned(data), target)
    return target

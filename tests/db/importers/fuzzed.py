"""Files of every form changed at random, and what the importers make of them."""

from __future__ import annotations

import gzip
import random
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import ClassVar

from db.aside import Aside, Limits
from db.errors import StoreError
from db.importers.registry import read_files
from db.importers.watch import Watch
from models.catalog.catalog_check import check_catalog
from models.check import check_structure, check_values
from models.intake.mapping import imported
from models.intake.options import Options
from resources.catalog_files import load_catalog, load_processors


def repacked(data: bytes, chance: random.Random) -> bytes:
    """A workbook with one of its parts changed, still a sound archive."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice(sorted(parts))
    parts[name] = mutated(parts[name], chance)
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in parts.items():
            archive.writestr(each, content)
    return packed.getvalue()


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Bytes turned, cut, doubled or put in, a few times, one of them over and over."""
    found = bytearray(data)
    for _ in range(chance.randrange(1, 8)):
        at = chance.randrange(len(found) + 1)
        length = chance.randrange(1, 40)
        match chance.randrange(5):
            case 0:
                found[at : at + length] = chance.randbytes(length)
            case 1:
                del found[at : at + length]
            case 2:
                found[at:at] = found[at : at + length] * chance.randrange(1, 50)
            case 3:
                found[at:at] = chance.choice(RUNS) * chance.randrange(1, LONGEST_RUN)
            case _:
                found[at:at] = chance.choice(WORDS)
    return bytes(found)


WORDS = (
    *(b"\x00", b'"', b";", b",", b"\n", b"\r", b"1e999", b"-1", b"NaN", b"=cmd|' /C calc'!A0"),
    *(b"9" * 40, b"\xff\xfe", "٣".encode(), b"<", b"&x;", b"VM", b"\xe2\x80\xae", b"1.234.567,8"),
)
RUNS = (b" ", b"\t", b"9", b"a", b".", b"-", b":", b'"', b",", b"|", b"a.", b"1,", b"- ", b" \n")
LONGEST_RUN = 10_000
"""A pattern that goes back in its text takes seconds for so many of one letter."""


class Lasting(Watch):
    """Keeps the process beside from one file to the next: its start takes longer than a file."""

    beside: ClassVar[dict[str, Aside]] = {}

    def aside(self, module: str, limits: Limits) -> Aside:
        found = self.beside.get(module)
        if found is None or not found.is_there:
            found = self.beside[module] = Aside(module, limits)
        return found

    def rest(self) -> None:
        """Nothing ends before the program does."""


def try_one(path: Path, data: bytes, kind: str | None, watched: Callable[[], Watch] = Watch) -> str:
    """``refused`` in one sentence, or ``read``: what comes of it can stand in a scenario.

    Raises:
        Exception: anything else comes of it.
    """
    path.write_bytes(data)
    try:
        records = read_files([path], watched(), kind=kind)
    except StoreError as error:
        if "\n" in error.sentence:
            raise
        return "refused"
    processors = load_processors().values()
    result = imported(records, Options(), load_catalog(), processors, name="x")
    check_values(result.scenario)
    check_structure(result.scenario)
    check_catalog(result.own_catalog)
    return "read"


def changed(data: bytes, chance: random.Random) -> bytes:
    """A form of file changed, an archive most of the time within."""
    is_within = chance.random() < 0.8
    if is_within and data.startswith(b"PK"):
        return repacked(data, chance)
    if is_within and data.startswith(b"\x1f\x8b"):
        return gzip.compress(mutated(gzip.decompress(data), chance))
    return mutated(data, chance)

"""Files changed at random are read or refused with a sentence: nothing else comes of them."""

from __future__ import annotations

import gzip
import random
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from db.errors import StoreError
from db.importers.registry import importers, read_files
from db.importers.watch import Watch
from models.catalog.catalog_check import check_catalog
from models.check import check_structure, check_values
from models.intake.mapping import imported
from models.intake.options import Options
from resources.catalog_files import load_catalog, load_processors
from tests.db.importers.forms import sources

QUICK, MANY = 100, 50_000


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
    """Bytes turned, cut, doubled or put in, a few times."""
    found = bytearray(data)
    for _ in range(chance.randrange(1, 8)):
        at = chance.randrange(len(found) + 1)
        length = chance.randrange(1, 40)
        match chance.randrange(4):
            case 0:
                found[at : at + length] = chance.randbytes(length)
            case 1:
                del found[at : at + length]
            case 2:
                found[at:at] = found[at : at + length] * chance.randrange(1, 50)
            case _:
                found[at:at] = chance.choice(WORDS)
    return bytes(found)


WORDS = (
    *(b"\x00", b'"', b";", b",", b"\n", b"\r", b"1e999", b"-1", b"NaN", b"=cmd|' /C calc'!A0"),
    *(b"9" * 40, b"\xff\xfe", "٣".encode(), b"<", b"&x;", b"VM", b"\xe2\x80\xae", b"1.234.567,8"),
)


def try_one(path: Path, data: bytes, kind: str | None) -> bool:
    """Whether one sentence refuses it; what comes of it otherwise can stand in a scenario."""
    path.write_bytes(data)
    try:
        records = read_files([path], Watch(), kind=kind)
    except StoreError as error:
        return "\n" not in str(error.sentence)
    processors = load_processors().values()
    result = imported(records, Options(), load_catalog(), processors, name="x")
    check_values(result.scenario)
    check_structure(result.scenario)
    check_catalog(result.own_catalog)
    return True


def changed(data: bytes, chance: random.Random) -> bytes:
    """A form of file changed, an archive most of the time within."""
    is_within = chance.random() < 0.8
    if is_within and data.startswith(b"PK"):
        return repacked(data, chance)
    if is_within and data.startswith(b"\x1f\x8b"):
        return gzip.compress(mutated(gzip.decompress(data), chance))
    return mutated(data, chance)


def fuzz(folder: Path, rounds: int, seed: int) -> None:
    """Every form in turn, half the time as if somebody had said, at times wrongly, what it is."""
    chance = random.Random(seed)
    kinds = [None, *importers()]
    data = sources(folder)
    for number in range(rounds):
        name = sorted(data)[number % len(data)]
        kind = chance.choice([None, None, name.split()[0], chance.choice(kinds)])
        assert try_one(folder / name, changed(data[name], chance), kind)


def test_changed_files_are_read_or_refused(tmp_path: Path) -> None:
    fuzz(tmp_path, QUICK, seed=1)


@pytest.mark.slow
def test_many_changed_files_are_read_or_refused(tmp_path: Path) -> None:
    fuzz(tmp_path, MANY, seed=2)

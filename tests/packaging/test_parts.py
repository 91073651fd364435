"""The table of parts: what it makes, and what it finds wrong with a bundle."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from tests.packaging.loading import ROOT, load

TIME = 1_700_000_000


@pytest.fixture
def parts() -> ModuleType:
    return load("parts")


@pytest.fixture
def bundle(tmp_path: Path, parts: ModuleType) -> Path:
    """A bundle of three parts, sound."""
    for name in ("headroom", "_internal/app/a.svg", "_internal/base_library.zip"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"123")
    parts.lay_licences(parts.load_parts(), tmp_path / parts.LICENCES)
    return tmp_path


def few(parts: ModuleType) -> tuple[object, ...]:
    return tuple(p for p in parts.load_parts() if p.name in ("Headroom", "PyInstaller", "Python"))


def test_a_sound_bundle_has_no_problem(parts: ModuleType, bundle: Path) -> None:
    assert parts.problems(few(parts), bundle) == []


def test_a_file_of_nobody_and_a_missing_text_are_problems(parts: ModuleType, bundle: Path) -> None:
    (bundle / "_internal" / "libforeign.so.1").write_bytes(b"")
    (bundle / parts.LICENCES / "python" / "LICENSE.txt").unlink()
    first, second = parts.problems(few(parts), bundle)
    assert "_internal/libforeign.so.1: belongs to no part" in first
    assert "Python: _internal/licences/python/LICENSE.txt is missing" in second


def test_the_narrower_of_two_parts_has_the_file(parts: ModuleType) -> None:
    table = parts.load_parts()
    assert parts.owner(table, "_internal/resources/fonts/a.otf").name == "Inter"
    assert parts.owner(table, "_internal/resources/catalog/a.csv").name == "Headroom"
    assert parts.owner(table, "_internal/PySide6/Qt/lib/libicudata.so.73").name == "ICU"


def test_list_of_parts_says_versions_and_sizes(parts: ModuleType, bundle: Path) -> None:
    parts.write_bill(few(parts), bundle, TIME)
    text = (bundle / parts.BOM).read_text(encoding="utf-8")
    bill = json.loads(text)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    python = next(each for each in bill["components"] if each["name"] == "Python")
    assert re.fullmatch(r"pkg:generic/python@3\.\d+\.\d+", python["purl"])
    assert {"name": "headroom:bytes-of-part", "value": "3"} in python["properties"]
    (bundle / parts.BOM).unlink()
    parts.write_bill(few(parts), bundle, TIME)
    assert (bundle / parts.BOM).read_text(encoding="utf-8") == text


def test_what_comes_inside_another_has_no_version_of_its_own(parts: ModuleType) -> None:
    table = {part.name: part for part in parts.load_parts()}
    (found,) = parts.components(table["OpenBLAS"], 1, 1)
    assert "version" not in found
    assert found["properties"][3]["value"].startswith("numpy ")


def test_every_locked_distribution_is_a_part(parts: ModuleType) -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = set(re.findall(r"^([a-z0-9-]+)==", lock, re.MULTILINE))
    assert locked == {p.distribution for p in parts.load_parts()} - {"", "pyinstaller"}


def test_third_party_is_the_table(parts: ModuleType) -> None:
    text = (ROOT / "THIRD_PARTY.md").read_text(encoding="utf-8")
    assert text == parts.with_table(text, parts.load_parts())

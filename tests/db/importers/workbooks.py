"""Workbooks with whatever somebody wants in them, and what is said of them."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from db.errors import StoreError
from db.importers.registry import read_files
from db.importers.watch import Watch
from tests.db.importers.estates import Cell, as_xlsx

SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{}</worksheet>'
)
VINFO: list[list[Cell]] = [["VM", "Powerstate", "CPUs", "Memory"], ["a", "poweredOn", 2, 4096]]


def workbook(path: Path, sheet: str, texts: str = "") -> Path:
    """A sound workbook, its first sheet replaced by this XML."""
    as_xlsx({"vInfo": VINFO}, path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["xl/worksheets/sheet1.xml"] = sheet.encode()
    if texts:
        parts["xl/sharedStrings.xml"] = texts.encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(StoreError) as caught:
        read_files([path], Watch())
    sentence = str(caught.value.sentence)
    assert "\n" not in sentence
    return sentence

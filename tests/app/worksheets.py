"""Cells of a workbook as it was written, and its formulas worked out as a spreadsheet does."""

from __future__ import annotations

import io
import re
from decimal import ROUND_HALF_UP, Decimal
from xml.etree import ElementTree as ET
from zipfile import ZipFile

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_SPAN = re.compile(r"([A-Z]+)(\d+):[A-Z]+(\d+)")


def sheet_cells(book: bytes, sheet: int = 1) -> dict[str, str | Decimal]:
    """By place: numbers, texts, and formulas with their sign of equality."""
    with ZipFile(io.BytesIO(book)) as parts:
        texts = ET.fromstring(parts.read("xl/sharedStrings.xml"))
        page = ET.fromstring(parts.read(f"xl/worksheets/sheet{sheet}.xml"))
    strings = ["".join(each.itertext()) for each in texts]
    found: dict[str, str | Decimal] = {}
    for cell in page.iter(f"{_MAIN}c"):
        formula, value = cell.find(f"{_MAIN}f"), cell.find(f"{_MAIN}v")
        if formula is not None:
            found[cell.attrib["r"]] = f"={formula.text}"
        elif value is not None and value.text is not None:
            is_text = cell.attrib.get("t") == "s"
            found[cell.attrib["r"]] = strings[int(value.text)] if is_text else Decimal(value.text)
    return found


def worked_out(cells: dict[str, str | Decimal], place: str) -> Decimal:
    """A cell of numbers, sums (SUM, SUMIF) and rounded products (ROUND)."""
    value = cells.get(place, Decimal(0))
    if isinstance(value, Decimal):
        return value
    name, _, inside = value.removeprefix("=").removesuffix(")").partition("(")
    if name == "ROUND":
        one, other = inside.rpartition(",")[0].split("*")
        product = worked_out(cells, one) * worked_out(cells, other)
        return product.quantize(Decimal("0.01"), ROUND_HALF_UP)
    if name == "SUMIF":
        keys, wanted, summed = inside.split(",")
        key = worked_out(cells, wanted)
        pairs = zip(_places(keys), _places(summed), strict=True)
        chosen = [at for of, at in pairs if worked_out(cells, of) == key]
        return sum((worked_out(cells, at) for at in chosen), Decimal(0))
    assert name == "SUM", value
    places = [at for span in inside.split(",") for at in _places(span)]
    return sum((worked_out(cells, at) for at in places), Decimal(0))


def _places(span: str) -> list[str]:
    found = _SPAN.fullmatch(span)
    assert found is not None, span
    return [f"{found[1]}{row}" for row in range(int(found[2]), int(found[3]) + 1)]

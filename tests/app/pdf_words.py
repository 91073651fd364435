"""Where the letters of a page stand: the little of PDF that Typst writes, read with pypdf."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pypdf import PageObject
from pypdf.generic import ByteStringObject, ContentStream, TextStringObject

Matrix = tuple[float, float, float, float, float, float]
START: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def runs_of(page: PageObject) -> Iterator[tuple[float, float, float]]:
    """Left end, right end and height above the foot of each run of letters [pt]."""
    content: Any = page.get_contents()
    yield from _runs(ContentStream(content, page.pdf), page["/Resources"], START)


def _runs(
    stream: ContentStream, resources: Any, base: Matrix
) -> Iterator[tuple[float, float, float]]:
    matrix, kept, text = base, list[Matrix](), START
    widths: dict[int, float] = {}
    fonts: dict[str, dict[int, float]] = {}
    size = 0.0
    for operands, operator in stream.operations:
        if operator == b"q":
            kept.append(matrix)
        elif operator == b"Q":
            matrix = kept.pop()
        elif operator == b"cm":
            matrix = _times(_matrix(operands), matrix)
        elif operator == b"BT":
            text = START
        elif operator == b"Tm":
            text = _matrix(operands)
        elif operator == b"Tf":
            name = operands[0]
            if name not in fonts:
                fonts[name] = _widths(resources["/Font"][name])
            widths = fonts[name]
            size = float(operands[1])
        elif operator in (b"TJ", b"Tj"):
            parts = operands[0] if operator == b"TJ" else operands
            advance = _advance(parts, widths) * size / 1000
            whole = _times(text, matrix)
            ends = whole[4], whole[0] * advance + whole[4]
            yield min(ends), max(ends), whole[5]
            text = _times((1.0, 0.0, 0.0, 1.0, advance, 0.0), text)
        elif operator == b"Do":
            inner = resources["/XObject"][operands[0]].get_object()
            if inner["/Subtype"] == "/Form":
                inside = ContentStream(inner, None)
                yield from _runs(inside, inner.get("/Resources", resources), matrix)


def _matrix(operands: Any) -> Matrix:
    a, b, c, d, e, f = map(float, operands)
    return a, b, c, d, e, f


def _advance(parts: Any, widths: dict[int, float]) -> float:
    total = 0.0
    for part in parts:
        if isinstance(part, ByteStringObject | TextStringObject):
            raw = bytes(part.original_bytes)
            codes = [int.from_bytes(raw[at : at + 2], "big") for at in range(0, len(raw), 2)]
            total += sum(widths.get(code, widths[-1]) for code in codes)
        else:
            total -= float(part)
    return total


def _widths(font: Any) -> dict[int, float]:
    descendant = font["/DescendantFonts"][0].get_object()
    found = {-1: float(descendant.get("/DW", 1000))}
    entries = iter(descendant.get("/W", ()))
    for first in entries:
        second = next(entries)
        if isinstance(second, list):
            found |= {int(first) + place: float(width) for place, width in enumerate(second)}
        else:
            width = float(next(entries))
            found |= dict.fromkeys(range(int(first), int(second) + 1), width)
    return found


def _times(one: Matrix, two: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = two
    return (
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + m,
    )

"""Whether a file is a picture that a page can take: its kind by its content, and its pixels."""

from __future__ import annotations

import struct
from xml.parsers import expat

from models.base.errors import ModelError
from models.base.texts import say

MOST_PIXELS = 16_000_000
"""Four bytes each while it is set; a logo of 4,000 × 4,000 is sharp on any paper."""
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Marks of a JPEG behind which its size stands."""


def check_logo(data: bytes, ending: str) -> None:
    """Raises:
    ModelError: it is no picture of the kind that its ending says, or has too many pixels.
    """
    if ending == ".svg":
        _check_svg(data)
        return
    size = _size_of_png(data) if ending == ".png" else _size_of_jpeg(data)
    if size is None or 0 in size:
        raise ModelError(say("is no picture in {kind}", kind=ending))
    if size[0] * size[1] > MOST_PIXELS:
        pixels = f"{MOST_PIXELS:,}"
        raise ModelError(say("has more than {most} pixels", most=pixels))


def _size_of_png(data: bytes) -> tuple[int, int] | None:
    """Width and height; None for what is cut or none."""
    at, size = len(_PNG), None
    if not data.startswith(_PNG):
        return None
    while at + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"IHDR" and length == 13:
            size = struct.unpack_from(">II", data, at + 8)
        if kind == b"IEND":
            return size
        at += 12 + length
    return None


def _size_of_jpeg(data: bytes) -> tuple[int, int] | None:
    """Width and height; None for what is cut or none."""
    at = 2
    if not data.startswith(_JPEG):
        return None
    while at + 9 <= len(data) and data[at] == 0xFF:
        mark = data[at + 1]
        if mark == 0xFF:  # fills up
            at += 1
            continue
        if mark in _FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _check_svg(data: bytes) -> None:
    roots: list[str] = []

    def start(name: str, _: dict[str, str]) -> None:
        if not roots:
            roots.append(name.rpartition(":")[2])

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    try:
        parser.Parse(data, True)
    except expat.ExpatError:
        roots.clear()
    if roots != ["svg"]:
        raise ModelError(say("is no picture in {kind}", kind=".svg"))

"""The program's icon for each system, drawn from resources/icons/headroom.svg.

Windows' .ico and macOS' .icns are plain boxes around PNG pictures, so they are packed here.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgRenderer

SIZES = (16, 32, 48, 64, 128, 256, 512)
ICO_LARGEST = 256
# The four letters under which macOS looks for a PNG of a size.
ICNS_TYPES = {16: b"icp4", 32: b"icp5", 64: b"icp6", 128: b"ic07", 256: b"ic08", 512: b"ic09"}


def png(svg: Path, size: int) -> bytes:
    """The drawing as a square PNG of `size` pixels.

    Raises: ValueError when the file is no SVG.
    """
    renderer = QSvgRenderer(str(svg))
    if not renderer.isValid():
        raise ValueError(f"{svg}: not an SVG drawing")
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not QImageWriter(buffer, QByteArray(b"png")).write(image):
        raise ValueError(f"{svg}: could not be drawn at {size} pixels")
    return bytes(data.data())


def ico(pictures: Mapping[int, bytes]) -> bytes:
    """PNG pictures by size as a Windows icon (ICONDIR, one ICONDIRENTRY each, the PNGs)."""
    fitting = {size: data for size, data in sorted(pictures.items()) if size <= ICO_LARGEST}
    head = struct.pack("<HHH", 0, 1, len(fitting))
    at = len(head) + 16 * len(fitting)
    entries = b""
    for size, data in fitting.items():
        side = size % ICO_LARGEST  # 256 is written as 0
        entries += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(data), at)
        at += len(data)
    return head + entries + b"".join(fitting.values())


def icns(pictures: Mapping[int, bytes]) -> bytes:
    """PNG pictures by size as a macOS icon: type, length, data, over and over."""
    body = b"".join(
        ICNS_TYPES[size] + struct.pack(">I", len(data) + 8) + data
        for size, data in sorted(pictures.items())
        if size in ICNS_TYPES
    )
    return b"icns" + struct.pack(">I", len(body) + 8) + body


def write_icons(svg: Path, folder: Path, name: str) -> None:
    """Write `name`.png, .ico and .icns into `folder`."""
    pictures = {size: png(svg, size) for size in SIZES}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.png").write_bytes(pictures[256])
    (folder / f"{name}.ico").write_bytes(ico(pictures))
    (folder / f"{name}.icns").write_bytes(icns(pictures))

"""Line icons tinted at run time: one SVG serves both themes and every scale.

The drawings are Lucide's (ISC licence, `resources/icons/LICENSE-lucide.txt`), except for the
program's own icon and those whose names begin with ``own-``, which are made for it.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPaintEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.look import LOOK

APP_ICON = "headroom"


@lru_cache(maxsize=128)
def _source(name: str) -> str:
    return (resources.files("resources") / "icons" / f"{name}.svg").read_text(encoding="utf-8")


@lru_cache(maxsize=512)
def _renderer(name: str, colour: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(_source(name).replace("currentColor", colour).encode()))


def draw_icon(painter: QPainter, rect: QRectF, name: str, colour: str) -> None:
    """Draws the icon `name` into `rect` in one colour; as vectors where the device has them."""
    if painter.paintEngine().type() is not QPaintEngine.Type.Raster:
        _renderer(name, colour).render(painter, rect)
        return
    ratio = painter.deviceTransform().m11()
    pixels = round(rect.width() * ratio)
    if pixels > 0:
        painter.drawPixmap(rect, _pixels(name, colour, pixels), QRectF(0, 0, pixels, pixels))


@lru_cache(maxsize=512)
def _pixels(name: str, colour: str, pixels: int) -> QPixmap:
    """The icon as so many device pixels: rendering a drawing anew costs more than a card."""
    pixmap = QPixmap(pixels, pixels)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    _renderer(name, colour).render(painter, QRectF(0, 0, pixels, pixels))
    painter.end()
    return pixmap


def icon_pixmap(name: str, colour: str, size: int, ratio: float = 1.0) -> QPixmap:
    """The icon as a pixmap of `size` device-independent pixels, sharp at `ratio`."""
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    draw_icon(painter, QRectF(0, 0, size, size), name, colour)
    painter.end()
    return pixmap


class _Engine(QIconEngine):
    """Draws an icon in the theme of the moment, paler where it can't be used."""

    def __init__(self, name: str, ink: str) -> None:
        super().__init__()
        self._name = name
        self._ink = ink

    def _colour(self, mode: QIcon.Mode) -> str:
        theme = LOOK.theme
        return theme.line_strong if mode is QIcon.Mode.Disabled else theme.ink(self._ink)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        draw_icon(painter, QRectF(rect), self._name, self._colour(mode))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return _pixels(self._name, self._colour(mode), size.width())

    def scaledPixmap(
        self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float
    ) -> QPixmap:
        return self.pixmap(size, mode, state)

    def clone(self) -> QIconEngine:
        return _Engine(self._name, self._ink)

    def isNull(self) -> bool:
        return False


@lru_cache(maxsize=512)
def icon(name: str, ink: str = "text") -> QIcon:
    """The icon for menus and buttons; it follows the theme by itself.

    Args:
        name: file of `resources/icons`.
        ink: colour of a `Theme`, by name.
    """
    return QIcon(_Engine(name, ink))


def app_icon() -> QIcon:
    """The program's icon in the sizes that window systems ask for."""
    result = QIcon()
    for size in (16, 24, 32, 48, 64, 128, 256):
        result.addPixmap(icon_pixmap(APP_ICON, "", size))
    return result

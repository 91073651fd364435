"""Pictures of widgets as arrays, and what changed between two of them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

Pixels = npt.NDArray[np.uint8]


def pixels_of(image: QImage) -> Pixels:
    """Blue, green and red of every pixel, shape (height, width, 3)."""
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), -1, 4)
    return rows[:, : plain.width(), :3].copy()


def picture_of(widget: QWidget, area: QRect | None = None) -> Pixels:
    """What a widget looks like; a part of it."""
    pixmap = widget.grab() if area is None else widget.grab(area)
    return pixels_of(pixmap.toImage())


def luminance(picture: Pixels) -> npt.NDArray[np.float64]:
    """Relative luminance of each pixel, as in `app.theme.contrast`."""
    channels = picture / 255.0
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.0722, 0.7152, 0.2126]))


def changed_visibly(before: Pixels, after: Pixels, least: float = 3.0) -> int:
    """How many pixels have another luminance, by at least this contrast."""
    first, second = luminance(before), luminance(after)
    lighter, darker = np.maximum(first, second), np.minimum(first, second)
    return int(np.count_nonzero((lighter + 0.05) / (darker + 0.05) >= least))

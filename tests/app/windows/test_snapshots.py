"""The main pages look as they did: small pictures, compared with some tolerance.

Who changes the look on purpose renews them: `python packaging/screenshots.py --references`, and
looks at what changed.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

from tests.app.pictures import Pixels, pixels_of
from tests.packaging.loading import load

SCREENSHOTS = load("screenshots")
OTHER, SHARE = 48, 0.02
"""A pixel is another one from this difference of a channel on; so many of them may be."""

LARGEST_BYTES = 80_000


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages as they look now; all in one process."""
    folder = tmp_path_factory.mktemp("pages")
    assert SCREENSHOTS.take(SCREENSHOTS.PLAIN, folder, SCREENSHOTS.SNAPSHOTS)
    return folder / str(SCREENSHOTS.PLAIN.name)


def differing(first: Pixels, second: Pixels) -> float:
    """Share of pixels that differ; all of them where the sizes do."""
    if first.shape != second.shape:
        return 1.0
    apart = np.abs(first.astype(np.int16) - second.astype(np.int16)).max(axis=2)
    return float((apart > OTHER).mean())


@pytest.mark.parametrize("name", SCREENSHOTS.SNAPSHOTS)
def test_a_page_looks_as_it_did(qapp: QGuiApplication, taken: Path, name: str) -> None:
    reference = SCREENSHOTS.REFERENCES / f"{name}.png"
    assert reference.stat().st_size <= LARGEST_BYTES
    now = SCREENSHOTS.small(QImage(str(taken / f"{name}.png")), SCREENSHOTS.SNAPSHOT_WIDTH)
    share = differing(pixels_of(QImage(str(reference))), pixels_of(now))
    assert share <= SHARE, f"{share:.1%} of {name} is different: {taken / name}.png"


def test_there_is_a_picture_for_each_and_no_other() -> None:
    names = {path.stem for path in SCREENSHOTS.REFERENCES.glob("*.png")}
    assert names == set(SCREENSHOTS.SNAPSHOTS)


class TestTheComparison:
    """It sees what a person would see, and no more."""

    @pytest.fixture
    def picture(self, qapp: QGuiApplication) -> QImage:
        return QImage(str(SCREENSHOTS.REFERENCES / "window.png"))

    def test_the_same_is_the_same(self, picture: QImage) -> None:
        assert differing(pixels_of(picture), pixels_of(picture)) == 0

    def test_a_shade_is_let_through(self, picture: QImage) -> None:
        pixels = pixels_of(picture)
        shaded = np.clip(pixels.astype(np.int16) - 12, 0, 255).astype(np.uint8)
        assert differing(pixels, shaded) == 0

    def test_a_panel_that_is_gone_is_seen(self, picture: QImage) -> None:
        plain = picture.convertToFormat(QImage.Format.Format_RGB32)
        without = QImage(plain)
        painter = QPainter(without)
        painter.fillRect(0, without.height() // 2, without.width() // 5, 200, QColor("#808080"))
        painter.end()
        assert differing(pixels_of(plain), pixels_of(without)) > SHARE

    def test_another_theme_is_seen(self, picture: QImage) -> None:
        dark = QImage(picture.convertToFormat(QImage.Format.Format_RGB32))
        dark.invertPixels()
        assert differing(pixels_of(picture), pixels_of(dark)) > SHARE

    def test_another_size_is_seen(self, picture: QImage) -> None:
        assert differing(pixels_of(picture), pixels_of(picture.scaledToWidth(400))) == 1.0

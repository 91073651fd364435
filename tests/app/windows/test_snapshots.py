"""Every page looks as it did: small pictures, compared with some tolerance.

The main pages are looked at in every run; every page and dialog in three colours, two sizes and at
150 % in the slow ones. Who changes the look on purpose renews the pages it changed, by name
(`python packaging/screenshots.py --references window why`), and looks at what became of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

from tests.app.pictures import Pixels, pixels_of
from tests.packaging.loading import load

SCREENSHOTS = load("screenshots")
OTHER, SHARE = 48, 0.02
"""A pixel is another one from this difference of a channel on; so many of them may be."""

SMALL_SHARE = 0.04
"""The same of the small pictures of all pages, where a line of text is a pixel or two high."""

LARGEST_BYTES = 80_000
MOST_BYTES = 5_000_000
"""All pictures together."""


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
@pytest.mark.slow
def test_a_page_looks_as_it_did(qapp: QGuiApplication, taken: Path, name: str) -> None:
    reference = SCREENSHOTS.REFERENCES / f"{name}.png"
    assert reference.stat().st_size <= LARGEST_BYTES
    now = SCREENSHOTS.small(QImage(str(taken / f"{name}.png")), SCREENSHOTS.SNAPSHOT_WIDTH)
    share = differing(pixels_of(QImage(str(reference))), pixels_of(now))
    assert share <= SHARE, f"{share:.1%} of {name} is different: {taken / name}.png"


def test_there_is_a_picture_for_each_and_no_other() -> None:
    names = {path.stem for path in SCREENSHOTS.REFERENCES.glob("*.png")}
    assert names == set(SCREENSHOTS.SNAPSHOTS)


@pytest.mark.parametrize("which", SCREENSHOTS.SETS, ids=[each.name for each in SCREENSHOTS.SETS])
def test_there_is_a_picture_of_every_page_in_every_set(which: Any) -> None:
    names = {path.stem for path in (SCREENSHOTS.REFERENCES / which.name).glob("*.png")}
    assert names == {page.name for page in SCREENSHOTS.pages.PAGES}


def test_they_are_small() -> None:
    files = SCREENSHOTS.REFERENCES.rglob("*.png")
    assert sum(path.stat().st_size for path in files) <= MOST_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("which", SCREENSHOTS.SETS, ids=[each.name for each in SCREENSHOTS.SETS])
def test_every_page_looks_as_it_did(qapp: QGuiApplication, tmp_path: Path, which: Any) -> None:
    assert SCREENSHOTS.take(which, tmp_path)
    shares = {}
    for page in SCREENSHOTS.pages.PAGES:
        reference = SCREENSHOTS.REFERENCES / which.name / f"{page.name}.png"
        now = SCREENSHOTS.thumbnail(QImage(str(tmp_path / which.name / f"{page.name}.png")))
        shares[page.name] = differing(pixels_of(QImage(str(reference))), pixels_of(now))
    assert {name: share for name, share in shares.items() if share > SMALL_SHARE} == {}


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

    def test_a_thumbnail_keeps_a_rare_colour_beside_many_shades(
        self, qapp: QGuiApplication
    ) -> None:
        page = QImage(240, 135, QImage.Format.Format_RGB32)
        page.fill(QColor("black"))
        painter = QPainter(page)
        for row in range(100):
            painter.fillRect(0, row, 240, 1, QColor(row, row, row))
        painter.fillRect(0, 120, 20, 4, QColor("#22c55e"))
        painter.end()
        assert differing(pixels_of(page), pixels_of(SCREENSHOTS.thumbnail(page))) == 0

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

"""The pictures of the handbook: all there, small, and made from pages that exist."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

from tests.app.pictures import pixels_of
from tests.packaging.loading import ROOT, load

SCREENSHOTS, PAGES = load("screenshots"), load("pages")
DOCS = ROOT / "docs"
GUIDES = (DOCS / "user-guide.md", *sorted((DOCS / "tutorials").glob("*.md")))
MOST_BYTES = 2_000_000


def test_every_picture_of_the_guides_is_there_and_every_one_there_is_shown() -> None:
    texts = (guide.read_text(encoding="utf-8") for guide in GUIDES)
    shown = {
        name for text in texts for name in re.findall(r"\]\([./]*pictures/([\w-]+)\.png\)", text)
    }
    files = {path.stem for path in SCREENSHOTS.HANDBOOK.glob("*.png")}
    assert shown == set(SCREENSHOTS.HANDBOOK_PAGES) == files


def test_links_of_the_documents_lead_somewhere() -> None:
    documents = (*DOCS.rglob("*.md"), *ROOT.glob("*.md"))
    links = [
        (each, target)
        for each in documents
        for target in re.findall(r"\]\(([\w./-]+)(?:#[\w-]+)?\)", each.read_text(encoding="utf-8"))
    ]
    assert len(links) > 50
    assert [(str(d), t) for d, t in links if not (d.parent / t).exists()] == []


def test_they_are_small() -> None:
    files = list(SCREENSHOTS.HANDBOOK.glob("*.png"))
    assert files
    assert sum(path.stat().st_size for path in files) < MOST_BYTES


def test_pages_are_named_once_and_those_asked_for_exist() -> None:
    names = [page.name for page in PAGES.PAGES]
    assert len(names) == len(set(names))
    wanted = {page for page, _ in SCREENSHOTS.HANDBOOK_PAGES.values()}
    assert wanted | set(SCREENSHOTS.SNAPSHOTS) <= set(names)


def test_sets_cover_three_themes_two_sizes_and_150_per_cent() -> None:
    assert {each.theme for each in SCREENSHOTS.SETS} == {"Light", "Dark", "High contrast"}
    sizes = {(each.width, each.height, each.scale) for each in SCREENSHOTS.SETS}
    assert sizes == {(1366, 768, 1.0), (1920, 1080, 1.0), (1366, 768, 1.5)}
    assert SCREENSHOTS.PLAIN.name == "light-1366x768"


class TestSmall:
    @pytest.fixture
    def picture(self, qapp: QGuiApplication) -> QImage:
        """Many colours, and one that covers half of it."""
        image = QImage(301, 200, QImage.Format.Format_RGB32)
        image.fill(QColor("#336699"))
        painter = QPainter(image)
        for x in range(150):
            for y in range(0, 200, 2):
                painter.fillRect(x, y, 1, 2, QColor(x, y, (x * y) % 256))
        painter.end()
        return image

    def test_it_looks_much_the_same_in_256_colours(self, picture: QImage) -> None:
        made = SCREENSHOTS.small(picture, 400)
        assert made.size() == picture.size()
        assert len(made.colorTable()) <= 256
        assert QColor(made.pixel(290, 100)).name() == "#336699"
        apart = pixels_of(made).astype(int) - pixels_of(picture).astype(int)
        assert np.abs(apart).mean() < 20

    def test_it_is_made_narrower_when_it_is_too_wide(self, picture: QImage) -> None:
        made = SCREENSHOTS.small(picture, 100)
        assert (made.width(), made.height()) == (100, 66)

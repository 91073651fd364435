"""No text is cut on any page or dialog, at any of the usual scales.

The fullest pages are looked at in every run, in the least room; all of them in the slow tests.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel, QPushButton, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.fields.choice import Dropdown
from app.widgets.labels import OneLine
from app.windows.frame import NARROW_PX
from tests.app.clipping import LAYOUT, clipped
from tests.app.layout import faults
from tests.packaging.loading import ROOT, load

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
SCRIPT = ROOT / "tests" / "app" / "clipping.py"
LEAST_ROOM = 1.5, (1280, 720)
"""Scale and size of a window that fills 1920 × 1080 at 150 %."""

FULLEST = (
    *("totals", "window", "long-names", "inspector-vm", "inspector-host", "charts-failures"),
    *("why", "meeting", "evidence-points", "custom-server", "question-save"),
)


def cut_at(
    scale: float, size: tuple[int, int], folder: Path, names: Sequence[str] = ()
) -> dict[str, list[str]]:
    """What is cut, page by page, in a process of this scale; only pages where something is.

    On the pages of these names, or all.
    """
    width, height = size
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "Light", str(width), str(height), *names],
        env=load("pages").environment(scale, folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = json.loads(done.stdout)
    pages = names or [page.name for page in load("pages").PAGES]
    assert set(found) == {f"{page}{kind}" for page in pages for kind in ("", LAYOUT)}
    return {name: cut for name, cut in found.items() if cut}


def of_text(found: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: cut for name, cut in found.items() if not name.endswith(LAYOUT)}


@pytest.mark.slow
def test_no_text_of_the_fullest_pages_is_cut(tmp_path: Path) -> None:
    assert of_text(cut_at(*LEAST_ROOM, tmp_path, FULLEST)) == {}


@pytest.mark.slow
def test_as_long_as_the_right_side_stands_it_is_in_sight(tmp_path: Path) -> None:
    cut = cut_at(1.0, (NARROW_PX, 720), tmp_path, ("start", "window"))
    assert not any("to scroll" in each for page in cut.values() for each in page)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scale", "size"),
    [
        pytest.param(*LEAST_ROOM, id="150 % of 1920 x 1080"),
        pytest.param(1.0, (1366, 768), id="100 %"),
        pytest.param(1.25, (1366, 768), id="125 %"),
        pytest.param(1.5, (1366, 768), id="150 %"),
        pytest.param(2.0, (1366, 768), id="200 %"),
        pytest.param(1.0, (1920, 1080), id="large"),
    ],
)
def test_no_text_is_cut(scale: float, size: tuple[int, int], tmp_path: Path) -> None:
    assert of_text(cut_at(scale, size, tmp_path)) == {}


LAID_OUT = ("recommend", "years", "compare", "advisors", "import", "evidence-rows", "custom-array")
"""Pages of the journey that hold fields and tables; the fullest is looked at in every run."""


@pytest.mark.parametrize(
    ("language", "scale", "size", "names"),
    [
        pytest.param("de", 1.0, (1366, 768), ("import", "custom-array"), id="German"),
        *(
            pytest.param(language, scale, size, LAID_OUT, marks=pytest.mark.slow)
            for language in ("en", "de")
            for scale in (1.0, 1.5, 2.0)
            for size in ((1366, 768), (1920, 1080), (2560, 1440))
        ),
    ],
)
def test_the_layout_holds(
    language: str,
    scale: float,
    size: tuple[int, int],
    names: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At 150 and 200 % the window has so many points fewer."""
    monkeypatch.setenv("HEADROOM_LANGUAGE", language)
    points = round(size[0] / scale), round(size[1] / scale)
    found = cut_at(scale, (max(points[0], 1280), max(points[1], 720)), tmp_path, names)
    assert {name: cut for name, cut in found.items() if name.endswith(LAYOUT)} == {}


class TestTheSearch:
    """It finds what is there to be found."""

    @pytest.fixture
    def window(self, qtbot: QtBot) -> QWidget:
        window = QWidget()
        qtbot.addWidget(window)
        window.resize(300, 200)
        window.show()
        return window

    def test_a_label_without_room(self, window: QWidget) -> None:
        label = QLabel("A name that is longer than its place", window)
        label.setGeometry(0, 0, 60, 20)
        label.show()
        assert len(clipped(window)) == 1
        label.resize(label.sizeHint())
        assert clipped(window) == []

    def test_a_paragraph_without_height(self, window: QWidget) -> None:
        label = QLabel("Several words that need more than one line of this width", window)
        label.setWordWrap(True)
        label.setGeometry(0, 0, 100, 20)
        label.show()
        assert "high" in clipped(window)[0]

    def test_a_button_without_room(self, window: QWidget) -> None:
        button = QPushButton("Export the proposal", window)
        button.setGeometry(0, 0, 60, 30)
        button.show()
        assert len(clipped(window)) == 1

    def test_what_stands_over_the_edge(self, window: QWidget) -> None:
        label = QLabel("Here", window)
        label.move(280, 0)
        label.resize(QSize(60, 20))
        label.show()
        assert "outside" in clipped(window)[0]

    def test_tabs_that_do_not_fit(self, window: QWidget) -> None:
        tabs = QTabBar(window)
        tabs.setUsesScrollButtons(True)
        for name in ("Response by users", "Load by host", "Failures of hosts"):
            tabs.addTab(name)
        tabs.setGeometry(0, 0, 120, 30)
        tabs.show()
        assert len(clipped(window)) == 1

    def test_a_field_narrower_than_its_choices(self, window: QWidget) -> None:
        field = Dropdown(window)
        field.addItems(["short", "a name of some length"])
        field.setGeometry(0, 0, 60, 30)
        field.show()
        assert "a name of some length" in faults(window)[0]
        field.hold_whole()
        field.resize(field.minimumWidth(), 30)
        assert faults(window) == []

    def test_a_line_that_is_cut_needs_a_tip(self, window: QWidget) -> None:
        line = OneLine("A name that is longer than its place", window)
        line.setGeometry(0, 0, 60, 20)
        line.show()
        assert faults(window) == []
        line.setToolTip("")
        assert "no tip" in faults(window)[0]

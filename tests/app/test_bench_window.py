"""The benchmark of the window in use: its figures have the promised names and come from work."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from PySide6.QtWidgets import QApplication

from app import bench_window
from app.widgets.board.gestures import Hand
from resources.example_files import load_examples

# Qt's offscreen platform says so when a window with a least size is shown.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

SPREADS = (
    "hover_frame_ms",
    "hover_rest_ms",
    "pan_frame_ms",
    "zoom_frame_ms",
    "host_lost_ms",
    "edit_to_paint_ms",
    "theme_cpu_ms",
)


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch, qapp: QApplication) -> None:
    for name, value in {
        "LARGE": (4, 20),
        "USUAL": (2, 6),
        "ROUNDS": 1,
        "PANS": 3,
        "ZOOMS": 4,
        "EDITS": 3,
        "THEMES": 2,
        "OPENINGS": 1,
        "STEPS": 3,
        "REST_S": 0.0,
        "FRAME_S": 0.0,
        "SETTLED_S": 0.0,
        "IDLE_S": 0.05,
    }.items():
        monkeypatch.setattr(bench_window, name, value)
    monkeypatch.setattr(bench_window, "load_examples", lambda: load_examples()[:1])


@pytest.mark.slow
@pytest.mark.usefixtures("_small")
def test_figures_under_the_promised_names(monkeypatch: pytest.MonkeyPatch) -> None:
    carried: list[str | None] = []
    hover = Hand.move

    def watched(self: Hand, *place: object) -> None:
        hover(self, *place)  # type: ignore[arg-type]
        carried.append(self.carry.target if self.carry is not None else None)

    monkeypatch.setattr(Hand, "move", watched)
    out = StringIO()
    assert bench_window.measure(out) == 0
    found = json.loads(out.getvalue())
    assert found["open_ms"] > 0
    assert found["idle_cpu_pct"] > 0
    for name in SPREADS:
        assert 0 < found[name]["p50"] <= found[name]["p95"]
    assert len({target for target in carried if target is not None}) > 1


def test_the_spread_is_median_and_95th_percentile() -> None:
    assert bench_window._spread([float(n) for n in range(101)]) == {"p50": 50.0, "p95": 95.0}

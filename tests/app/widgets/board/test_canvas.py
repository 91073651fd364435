"""Cells that are kept look like cells that are painted anew, and a frame in a hurry keeps time."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.session import View
from app.theme import DARK, LIGHT
from app.widgets.board.arrange import layout_board
from app.widgets.board.canvas import Canvas
from app.widgets.board.cells import cells_in, looks
from app.widgets.board.faces import FaceBook
from app.widgets.board.layout import Box
from app.widgets.board.paint import paint_board
from app.widgets.board.scene import TRAY, BoardState, Lost, Scene, Standing
from app.widgets.board.tints import RISKS
from models.predict.prediction import Verdict
from models.scenario.scenario import Scenario
from resources.catalog_files import load_catalog
from tests.app import samples
from tests.sweeps import some

AREA = Box(0, 0, 900, 700)
STATES = {
    "plain": BoardState(),
    "selected": BoardState(selected=frozenset({"m1", "h2"}), current="m1", has_focus=True),
    "found": BoardState(matches=frozenset({"m2"})),
    "coloured": BoardState(tints={"m1": RISKS[None]}),
    "aimed": BoardState(standings={"h1": Standing.BEST, "h2": Standing.REFUSED}),
    "lost": BoardState(
        lost=Lost(host="h1", words="", places={"m1": "h2"}, verdict=Verdict.AT_RISK)
    ),
}


@pytest.fixture(autouse=True)
def _app(qapp: QApplication) -> None:
    """Pictures need an application."""


def scene_of(scenario: Scenario, **changes: object) -> Scene:
    prediction = samples.prediction(scenario)
    view = View(scenario, prediction, prediction, False)
    layout = layout_board(scenario, AREA.w, folded=changes.pop("folded", frozenset()))  # type: ignore[arg-type]
    plain = Scene(
        layout=layout,
        scenario=scenario,
        faces=FaceBook(view, scenario, load_catalog(), is_compact=layout.is_compact),
        theme=LIGHT,
        is_live=True,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def image() -> QImage:
    found = QImage(round(AREA.w), round(AREA.h), QImage.Format.Format_ARGB32_Premultiplied)
    found.fill(0xFFEEF0F3)
    return found


def by_canvas(canvas: Canvas, scene: Scene, within_s: float | None = None) -> tuple[QImage, bool]:
    found = image()
    painter = QPainter(found)
    is_complete = canvas.paint(painter, scene, AREA, within_s=within_s)
    painter.end()
    return found, is_complete


def directly(scene: Scene) -> QImage:
    found = image()
    painter = QPainter(found)
    paint_board(painter, scene, AREA)
    painter.end()
    return found


def difference(one: QImage, other: QImage) -> float:
    """Share of pixels that differ visibly."""
    points = [(x, y) for x in range(0, one.width(), 3) for y in range(0, one.height(), 3)]
    far = 0
    for x, y in points:
        a, b = one.pixelColor(x, y), other.pixelColor(x, y)
        far += abs(a.red() - b.red()) + abs(a.green() - b.green()) > 40
    return far / len(points)


@pytest.mark.parametrize("name", some([name for name in STATES if name not in ("aimed", "lost")]))
def test_kept_cells_look_like_painted_ones(name: str) -> None:
    scene = scene_of(samples.scenario(), state=STATES[name])
    canvas = Canvas()
    for _ in range(2):
        found, is_complete = by_canvas(canvas, scene)
        assert is_complete
        assert difference(found, directly(scene)) < 0.01


@pytest.mark.parametrize("name", list(STATES))
def test_what_the_user_does_changes_the_looks(name: str) -> None:
    """A cell is painted anew when, and only when, it is to look different."""
    scenario = samples.scenario()
    plain = scene_of(scenario)
    other = replace(plain, state=STATES[name])
    changed = {
        cell.id for cell in cells_in(plain.layout, AREA) if looks(plain, cell) != looks(other, cell)
    }
    expected = {
        "plain": set(),
        "selected": {"h1", "h2"},
        "found": {"h1", "h2", "h3", TRAY, "p1", "p2"},
        "coloured": {"h1", "h2", "h3", TRAY, "p1", "p2"},
        "aimed": {"h1", "h2"},
        "lost": {"h1"},
    }[name]
    assert changed <= expected
    assert changed >= (expected & {"h1"})


def test_folding_changes_the_looks() -> None:
    scenario = samples.scenario()
    plain, folded = scene_of(scenario), scene_of(scenario, folded=frozenset({"h1"}))
    one, other = (next(cells_in(scene.layout, AREA)) for scene in (plain, folded))
    assert (one.id, other.id) == ("h1", "h1")
    assert looks(plain, one) != looks(folded, other)


def test_themes_are_not_mixed() -> None:
    canvas, scenario = Canvas(), samples.scenario()
    light = scene_of(scenario)
    by_canvas(canvas, light)
    dark = replace(light, theme=DARK)
    assert difference(by_canvas(canvas, dark)[0], directly(dark)) < 0.01
    assert difference(by_canvas(canvas, light)[0], directly(light)) < 0.01


def test_a_frame_in_a_hurry_comes_first_and_complete_later() -> None:
    canvas, scene = Canvas(), scene_of(samples.scenario(hosts=6, vms=60))
    found, is_complete = by_canvas(canvas, scene, within_s=0.0)
    assert not is_complete
    for _ in range(100):
        found, is_complete = by_canvas(canvas, scene, within_s=0.002)
        if is_complete:
            break
    assert is_complete
    assert difference(found, directly(scene)) < 0.02


def test_hurry_shows_nothing_out_of_date() -> None:
    """A kept cell whose numbers changed is painted anew even when time is up."""
    scenario = samples.scenario()
    canvas, scene = Canvas(), scene_of(scenario)
    by_canvas(canvas, scene)
    other = replace(scene, state=BoardState(selected=frozenset({"m1"})))
    found, is_complete = by_canvas(canvas, other, within_s=0.0)
    assert is_complete
    assert difference(found, directly(other)) < 0.01

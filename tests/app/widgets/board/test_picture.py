"""The board as a picture: tolerant of type and antialiasing, strict about what must be there."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from app.session import View
from app.theme import DARK, LIGHT, Theme
from app.widgets.board.arrange import layout_board
from app.widgets.board.card_cache import CachedCards
from app.widgets.board.faces import FaceBook
from app.widgets.board.hand_paint import PILL, ghost_corner, meters_box, pill_corner
from app.widgets.board.layout import Box
from app.widgets.board.paint import paint_board
from app.widgets.board.picture import board_picture
from app.widgets.board.scene import BoardState, Carry, Scene
from app.widgets.board.sizes import card_sizes
from models.scenario.scenario import Scenario
from resources.catalog_files import load_catalog
from tests.app import samples

SIZE = QSize(900, 700)
NEAR = 14


def is_near(first: QColor, second: QColor) -> bool:
    pairs = zip(first.getRgb()[:3], second.getRgb()[:3], strict=True)  # type: ignore[index]
    return all(abs(a - b) <= NEAR for a, b in pairs)


def pixels(image: QImage) -> np.ndarray:
    """Red, green and blue of every second pixel each way, shape (h, w, 3)."""
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(plain.constBits(), dtype=np.uint8)
    table = rows.reshape(plain.height(), plain.bytesPerLine() // 4, 4)[:, : plain.width()]
    return table[::2, ::2, 2::-1].astype(np.int64)


def share_of(image: QImage, colour: str) -> float:
    """The share of sampled pixels near a colour."""
    wanted = np.array(QColor(colour).getRgb()[:3])  # type: ignore[index]
    return float((np.abs(pixels(image) - wanted) <= NEAR).all(axis=2).mean())


@pytest.fixture(params=[LIGHT, DARK], ids=["light", "dark"])
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Theme:
    chosen: Theme = request.param
    return chosen


def picture(scenario: Scenario, theme: Theme, ratio: float = 1.0) -> QImage:
    prediction = samples.prediction(scenario)
    return board_picture(scenario, prediction, load_catalog(), SIZE, theme=theme, ratio=ratio)


def test_the_ground_cards_and_meters_are_there(theme: Theme) -> None:
    image = picture(samples.scenario(), theme)
    assert share_of(image, theme.panel) > 0.2
    for colour in (theme.ok_fill, theme.track, theme.text, theme.bad, theme.warn):
        assert share_of(image, colour) > 0.0001, colour


def test_a_host_card_stands_where_the_layout_says(theme: Theme) -> None:
    scenario = samples.scenario()
    sizes = card_sizes(scenario, samples.prediction(scenario), load_catalog())
    layout = layout_board(scenario, 900.0, sizes=sizes)
    image = picture(scenario, theme)
    box = layout.hosts["h2"]
    corner = image.pixelColor(round(box.x + 3), round(box.bottom - 12))
    assert is_near(corner, QColor(theme.panel))


def test_twice_the_pixels_show_the_same(theme: Theme) -> None:
    one, two = picture(samples.scenario(), theme), picture(samples.scenario(), theme, 2.0)
    assert two.width() == 2 * one.width()
    for colour in (theme.panel, theme.ok_fill):
        assert share_of(two, colour) == pytest.approx(share_of(one, colour), rel=0.2)


def test_an_empty_board_says_what_to_do(theme: Theme) -> None:
    image = picture(Scenario(name="empty"), theme)
    assert 0.0 < share_of(image, theme.text) < 0.02
    assert share_of(image, theme.ground) > 0.95


def test_a_large_board_is_made_smaller(theme: Theme) -> None:
    scenario = samples.scenario(hosts=9, vms=30)
    image = picture(scenario, theme)
    assert is_near(image.pixelColor(450, 698), QColor(theme.ground))


def test_the_cache_paints_what_direct_painting_does(theme: Theme) -> None:
    scenario = samples.scenario()
    prediction = samples.prediction(scenario)
    moved = samples.prediction(scenario.place(["m1"], "h2"))
    view = View(scenario.place(["m1"], "h2"), moved, prediction, True)
    carry = Carry(ids=("m1",), x=400, y=300, target="h2", words="Move Mail-01 to esx2")
    scene = Scene(
        layout=layout_board(scenario, 900.0),
        scenario=scenario,
        faces=FaceBook(view, scenario, load_catalog()),
        theme=theme,
        state=BoardState(selected=frozenset({"m2"}), current="m2", has_focus=True, carry=carry),
    )
    images = [drawn(scene, None), drawn(scene, CachedCards())]
    differing = sum(
        not is_near(images[0].pixelColor(x, y), images[1].pixelColor(x, y))
        for x in range(0, 900, 3)
        for y in range(0, 700, 3)
    )
    # Type may stand a part of a pixel aside.
    assert differing < 300 * 233 * 0.02


def drawn(scene: Scene, cards: CachedCards | None) -> QImage:
    from PySide6.QtGui import QPainter

    image = QImage(SIZE, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor(scene.theme.ground))
    painter = QPainter(image)
    paint_board(painter, scene, None, cards)
    painter.end()
    return image


@pytest.mark.parametrize("target", ["h1", "h2", "h3", "p1"])
@pytest.mark.parametrize(("dx", "dy"), [(5, 5), (150, 60), (220, 120)])
def test_the_hand_keeps_clear_of_meters_and_edges(target: str, dx: float, dy: float) -> None:
    layout = layout_board(samples.scenario(), 900.0)
    area = Box(0, 0, 900, layout.height)
    box = layout.box(target)
    meters = meters_box(layout, target)
    assert box is not None
    assert meters is not None
    carry = Carry(ids=("m1",), x=box.x + dx, y=box.y + dy, grab_x=60, grab_y=20, target=target)
    card = layout.vms["m1"]
    ghost = Box(*ghost_corner(layout, carry, area), card.w, card.h)
    pill = Box(*pill_corner(layout, carry, area, 240.0), 240.0, PILL)
    for each in (ghost, pill):
        assert not each.meets(meters)
        assert 0 <= each.x <= each.right <= area.right
        assert 0 <= each.y <= each.bottom <= area.bottom
    assert not pill.meets(ghost)

"""The board as a picture, without any window: for the proposal, the command line and the handbook.

Needs a `QGuiApplication`, which may be an offscreen one.
"""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage, QPainter

from app.session import View
from app.stylesheet import load_fonts
from app.theme import LIGHT, Theme
from app.widgets.board.arrange import layout_board
from app.widgets.board.faces import FaceBook
from app.widgets.board.layout import Box
from app.widgets.board.paint import paint_board, paint_empty
from app.widgets.board.scene import Scene
from app.widgets.board.sites import site_verdicts
from app.widgets.board.sizes import card_sizes
from models.catalog.catalog import Catalog
from models.predict.prediction import Prediction
from models.scenario.scenario import Scenario
from models.scenario.wording import ENGLISH, Style

LEAST_ZOOM = 0.5
ZOOM_STEP = 0.05


def board_picture(
    scenario: Scenario,
    prediction: Prediction,
    catalog: Catalog,
    size: QSize,
    *,
    theme: Theme = LIGHT,
    style: Style = ENGLISH,
    ratio: float = 1.0,
) -> QImage:
    """The board in `size` device-independent pixels, at the largest zoom that shows all of it.

    A board that is too large even at half size is cut off below.
    """
    image = QImage(size * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor(theme.ground))
    painter = QPainter(image)
    _paint(painter, size, _fitting(scenario, prediction, catalog, size, theme, style))
    painter.end()
    return image


def _paint(painter: QPainter, size: QSize, scene: Scene) -> None:
    load_fonts()
    if scene.scenario.items():
        paint_board(painter, scene)
    else:
        paint_empty(painter, Box(0, 0, size.width(), size.height()), scene.theme)


def _fitting(
    scenario: Scenario,
    prediction: Prediction,
    catalog: Catalog,
    size: QSize,
    theme: Theme,
    style: Style,
) -> Scene:
    zoom = 1.0
    while True:
        scene = _scene(scenario, prediction, catalog, size.width(), zoom, theme, style)
        if scene.layout.height <= size.height() or zoom <= LEAST_ZOOM:
            return scene
        zoom -= ZOOM_STEP


def _scene(
    scenario: Scenario,
    prediction: Prediction,
    catalog: Catalog,
    width: int,
    zoom: float,
    theme: Theme,
    style: Style,
) -> Scene:
    view = View(scenario, prediction, prediction, False)
    sizes = card_sizes(scenario, prediction, catalog)
    layout = layout_board(scenario, float(width), zoom, sizes=sizes)
    return Scene(
        layout=layout,
        scenario=scenario,
        faces=FaceBook(view, scenario, catalog, style),
        theme=theme,
        verdicts=site_verdicts(layout, scenario, prediction),
    )

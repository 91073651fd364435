"""The board of a project as a picture, without a window."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QColor, QImage, QPainter

from app.calibrated import shipped_knowledge
from app.session import Session
from app.stylesheet import load_fonts
from app.theme import LIGHT
from app.widgets.board.arrange import layout_board
from app.widgets.board.faces import FaceBook
from app.widgets.board.paint import paint_board
from app.widgets.board.scene import Scene
from app.widgets.board.sites import site_verdicts
from app.widgets.board.sizes import card_sizes
from app.windows.main import application
from models.project.project import Project

WIDTH = 900
SCALE = 2


def board_png(project: Project) -> bytes:
    """The whole board of the scenario in view, at twice the size of the screen."""
    application()
    load_fonts()
    session = Session(project, shipped_knowledge())
    scenario = session.scenario
    sizes = card_sizes(scenario, session.view.prediction, session.catalog)
    layout = layout_board(scenario, float(WIDTH), sizes=sizes)
    image = QImage(
        round(layout.width * SCALE), round(layout.height * SCALE), QImage.Format.Format_RGB32
    )
    image.fill(QColor(LIGHT.ground))
    painter = QPainter(image)
    painter.scale(SCALE, SCALE)
    faces = FaceBook(session.view, scenario, session.catalog)
    scene = Scene(
        layout=layout,
        scenario=scenario,
        faces=faces,
        theme=LIGHT,
        verdicts=site_verdicts(layout, scenario, session.view.prediction),
    )
    paint_board(painter, scene)
    painter.end()
    return _png(image)


def _png(image: QImage) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    # PySide6 6.11 declares bytes for the format and takes text only.
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload]
        raise RuntimeError("Qt has no writer for PNG")
    return bytes(buffer.data().data())

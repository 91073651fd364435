"""Charts of a proposal as pictures of their own: vector (SVG) or 300 dpi (PNG)."""

from __future__ import annotations

import json
from typing import Literal

import typst

from app.language import Language
from app.report.data import block_data
from app.report.write import folders
from models.tell.blocks import Bars, Block, Drawing, ResponsePlot, TimePlot, VerdictGrid

TEMPLATE = "figure.typ"
DOTS_PER_INCH = 300.0
CHARTS = (ResponsePlot, TimePlot, Bars, VerdictGrid, Drawing)


def is_chart(block: Block) -> bool:
    """Whether the block is drawn and not written."""
    return isinstance(block, CHARTS)


def figure(block: Block, language: Language, form: Literal["svg", "png"]) -> bytes:
    """A chart that is said in its language, alone on a page of its own size."""
    data = json.dumps(block_data(block, language))
    with folders() as (templates, fonts):
        picture = typst.compile(
            f"{templates}/{TEMPLATE}",
            root=templates,
            font_paths=[fonts],
            format=form,
            ppi=DOTS_PER_INCH if form == "png" else None,
            sys_inputs={"figure": data},
        )
    if not isinstance(picture, bytes):
        raise TypeError("a figure is one page")
    return picture

"""Charts of a proposal as pictures of their own: vector (SVG) or 300 dpi (PNG)."""

from __future__ import annotations

from typing import Literal

from app.language import Language
from app.report.data import block_data
from app.report.typesetter import Typesetter
from models.tell.blocks import Bars, Block, Drawing, ResponsePlot, TimePlot, VerdictGrid

TEMPLATE = "figure.typ"
DOTS_PER_INCH = 300.0
CHARTS = (ResponsePlot, TimePlot, Bars, VerdictGrid, Drawing)


def is_chart(block: Block) -> bool:
    """Whether the block is drawn and not written."""
    return isinstance(block, CHARTS)


def figure(
    setter: Typesetter, block: Block, language: Language, form: Literal["svg", "png"]
) -> bytes:
    """A chart that is said in its language, alone on a page of its own size."""
    dots = DOTS_PER_INCH if form == "png" else None
    data = block_data(block, language)
    return setter.pages(data, TEMPLATE, name="figure", format=form, ppi=dots)[0]

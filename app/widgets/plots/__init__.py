"""The charts on screen; pyqtgraph stays behind the words of `canvas`.

Import them when a chart is first shown: they bring pyqtgraph with them.
"""

from app.widgets.plots.accuracy import AccuracyChart, path_colour, point_words
from app.widgets.plots.canvas import Chart
from app.widgets.plots.hosts import LoadBars, load_words
from app.widgets.plots.response import (
    ResponseChart,
    crossing_words,
    curve_words,
    reading_words,
    same_picture,
)
from app.widgets.plots.utilisation import UtilisationBars
from app.widgets.plots.whatif import WhatIfChart

__all__ = [
    "AccuracyChart",
    "Chart",
    "LoadBars",
    "ResponseChart",
    "UtilisationBars",
    "WhatIfChart",
    "crossing_words",
    "curve_words",
    "load_words",
    "path_colour",
    "point_words",
    "reading_words",
    "same_picture",
]

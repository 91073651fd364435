"""Every resource against its limit, the bottleneck named."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QWidget

from app.language import local, tr
from app.look import LOOK
from app.widgets.gauge_text import limit_text, number_text
from app.widgets.marks import scaled_font
from app.widgets.plots.canvas import TYPE, Chart
from app.wording import locale_style
from models.base.spreadsheets import table_text
from models.scenario.wording import number
from models.studies.bottleneck import ResourceLoad, bottleneck

BAR = 0.62
AXIS = tr("% of its limit")
LEAST_END, MOST_END = 125.0, 250.0
"""Ends of the scale [% of the limit] for the bars: what is beyond the last one is cut there. The
scale goes on as far as the words beside them take."""
LEAST_SHARE = 0.4
"""Share of the picture's width that words leave to the bars at least."""
GOES_ON = "\N{RIGHTWARDS ARROW}"
EVEN = 1e-6
SMALLEST = 0.75
"""Of the usual type; smaller letters would not be read."""


class UtilisationBars(Chart):
    """A lying bar a resource, in per cent of its limit; hatched in the failure worst for it.

    Signals:
        picked: id of the item whose bar was clicked.
        asked: the `ResourceLoad` whose bar was double-clicked.
    """

    picked = Signal(str)
    asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.loads: tuple[ResourceLoad, ...] = ()
        self.rows: tuple[ResourceLoad, ...] = ()
        self._names: dict[str, str] = {}
        self._axes["left"].setGrid(0)
        self._name_scale()
        self._axes["bottom"].setGrid(30)
        self.setAccessibleName(tr("Utilisation by resource"))

    def _dress(self) -> None:
        super()._dress()
        self._name_scale()

    def _name_scale(self) -> None:
        """And how many resources have no room."""
        left = len(self.loads) - len(self.rows)
        self._name_level(tr("{axis}, +{count}", axis=AXIS, count=left) if left else AXIS)

    def show_loads(self, loads: tuple[ResourceLoad, ...], names: dict[str, str]) -> None:
        """Shows resources; `names` of items by id."""
        if (loads, names) != (self.loads, self._names):
            self.loads, self._names = loads, names
            said = [words for each in loads if (words := self.words_of(each))]
            self.setAccessibleDescription("; ".join(said))
            self.redraw()

    def words_of(self, each: ResourceLoad) -> str:
        """``host RAM: 96 % of 100 % on esx1, the bottleneck``."""
        return load_words(each, self._names, is_bottleneck=each is bottleneck(self.loads))

    def data_text(self) -> str:
        heads = (tr("resource"), tr("item"), tr("value"), tr("limit"), tr("% of limit"))
        rows = (
            (
                local(each.label),
                self._names.get(each.gauge.subject, each.gauge.subject),
                each.gauge.quantity.value,
                each.gauge.limit,
                None if each.load is None else 100.0 * each.load,
            )
            for each in self.loads
        )
        return table_text(heads, rows)

    def _draw(self) -> None:
        if not self.loads:
            return
        self.rows = self._fullest()
        self._name_scale()
        self._axes["left"].names = [local(each.label) for each in reversed(self.rows)]
        self._fit_type()
        known = [100.0 * each.load for each in self.rows if each.load is not None]
        end = self._with_words(min(max([LEAST_END, *(1.3 * load for load in known)]), MOST_END))
        self._show_range((0.0, end), (-0.6, len(self.rows) - 0.4))
        longest = self._longest(end)
        for row, each in enumerate(self.rows):
            self._draw_bar(len(self.rows) - 1 - row, each, longest)
        self._upright(100.0, self._pen(LOOK.theme.text, 2.2))
        for row, each in enumerate(self.rows):
            self._write(len(self.rows) - 1 - row, each, longest, end)

    def _fullest(self) -> tuple[ResourceLoad, ...]:
        """As many as can be read in this height, those nearest to their limits, in their order."""
        line = QFontMetricsF(scaled_font(self.font(), TYPE)).height() * SMALLEST
        most = max(math.floor(self.box.height() / line), 1)
        decides = bottleneck(self.loads)
        by_load = sorted(self.loads, key=lambda e: (e is not decides, -(e.load or 0.0)))
        kept = {id(each) for each in by_load[:most]}
        return tuple(each for each in self.loads if id(each) in kept)

    def _resized(self, _box: object = None) -> None:
        self.redraw()  # where the words go depends on their length

    def _fit_type(self) -> None:
        """In low rows the type is smaller, as far as it can be read: words stand apart."""
        line = QFontMetricsF(scaled_font(self.font(), TYPE)).height()
        row = self.box.height() / max(len(self.rows), 1)
        self._type = TYPE * min(max(row / line, SMALLEST), 1.0)
        font = scaled_font(self.font(), self._type)
        if self._axes["left"].style["tickFont"] != font:
            self._axes["left"].setTickFont(font)

    def _with_words(self, end: float) -> float:
        """The end of the scale at which words have room beside the bars."""
        for _ in range(2):  # a longer scale may put words beyond the line of the limit
            needed = [end]
            for each in self.rows:
                if each.load is not None:
                    text = self._text(each, is_cut=100.0 * each.load > LEAST_END)
                    start = min(self._start(100.0 * each.load, text, end), LEAST_END)
                    needed.append(start / max(1.0 - self._width(text, 1.0), LEAST_SHARE))
            end = max(needed)
        return end

    def _start(self, length: float, text: str, end: float) -> float:
        """Where the words of a bar begin: at its end, or beyond the line of the limit."""
        return 100.0 if length < 100.0 < length + self._width(text, end) else length

    def _longest(self, end: float) -> float:
        """Where long bars are cut, so that the words of each have room beside it: rows are too low
        for a ground."""
        lengths = [(100.0 * e.load, e) for e in self.rows if e.load is not None]
        wide = [(length, self._width(self._text(e, is_cut=True), end)) for length, e in lengths]
        if all(length + room <= end for length, room in wide):
            return end
        return max(end - max(room for _, room in wide), LEAST_END)

    def _width(self, text: str, end: float) -> float:
        """The width of words on the scale."""
        pixels = self.fontMetrics().horizontalAdvance(text) + 12
        return pixels * end / max(float(self.box.width()), 1.0)

    def _text(self, each: ResourceLoad, *, is_cut: bool = False) -> str:
        """The number beside the bar; an arrow says that the bar goes on."""
        words = f"{GOES_ON} {of_limit(each)}" if is_cut else of_limit(each)
        return tr("{words}, bottleneck", words=words) if each is bottleneck(self.loads) else words

    def _draw_bar(self, y: int, each: ResourceLoad, longest: float) -> None:
        theme = LOOK.theme
        if each.load is None:
            return
        is_first = each is bottleneck(self.loads)
        verdict = each.gauge.verdict
        colour = theme.line_strong if verdict is None else theme.fill(verdict)
        pattern = Qt.BrushStyle.BDiagPattern if each.failing else Qt.BrushStyle.SolidPattern
        pen = self._pen(theme.text if is_first else colour, 2.2 if is_first else 1.2)
        length = min(100.0 * each.load, longest)
        self._lying_bars([y], [length], width=BAR, pen=pen, brush=self._brush(colour, pattern))

    def _write(self, y: int, each: ResourceLoad, longest: float, end: float) -> None:
        """The number at the end of the bar; on a ground where it stands on the bar."""
        if each.load is None:
            note = local(each.gauge.note) or tr("no data")
            self._put_words(note, LOOK.theme.muted, (0, 0.5), 0, y, ground=False)
            return
        text = self._text(each, is_cut=100.0 * each.load > longest)
        length = min(100.0 * each.load, longest)
        wide, at = self._width(text, end), self._start(length, text, end)
        if at + wide > end + EVEN:
            self._put_words(text, LOOK.theme.text, (1.04, 0.5), length, y)
            return
        self._put_words(text, LOOK.theme.text, (-0.04, 0.5), at, y, ground=False)

    def _at(self, at: QPointF) -> ResourceLoad | None:
        if not self._inside(at) or not self.loads:
            return None
        row = len(self.rows) - 1 - round(float(self.box.mapSceneToView(at).y()))
        return self.rows[row] if 0 <= row < len(self.rows) else None

    def _hovered(self, at: QPointF) -> None:
        each = self._at(at)
        self.read.emit("" if each is None else self.words_of(each))

    def _clicked(self, event: Any) -> None:
        each = self._at(event.scenePos())
        if each is None or not each.gauge.subject:
            return
        self.picked.emit(each.gauge.subject)
        if event.double():
            self.asked.emit(each)


def of_limit(each: ResourceLoad) -> str:
    """The number and its limit, ``22 % of 70 %``: the bars are of the limit, the number is not."""
    style = locale_style()
    value, limit = number_text(each.gauge, style=style), limit_text(each.gauge, style=style)
    return tr("{value} of {limit}", value=value, limit=limit) if limit else value


def load_words(each: ResourceLoad, names: dict[str, str], *, is_bottleneck: bool = False) -> str:
    """A resource as it is said."""
    style = locale_style()
    if each.load is None or not math.isfinite(each.load):
        return tr("{label}: no data", label=each.label)
    who = names.get(each.gauge.subject, each.gauge.subject)
    where = tr("with {who} gone", who=who) if each.failing else tr("on {who}", who=who)
    percent = 100.0 * each.load
    digits = 2 - math.floor(math.log10(percent)) if percent >= 1000.0 else 0
    share = number(percent, digits, style=style)
    value, limit = number_text(each.gauge, style=style), limit_text(each.gauge, style=style)
    words = tr(
        "{label}: {value} of {limit} {where}, {share}\u202f% of the limit",
        label=each.label,
        value=value,
        limit=limit,
        where=where,
        share=share,
    )
    return tr("{words}, the bottleneck", words=words) if is_bottleneck else words

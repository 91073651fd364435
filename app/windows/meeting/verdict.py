"""The verdict in type that is read from the back of a room."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QAccessible, QColor, QFont, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.language import local, tr
from app.look import LOOK
from app.session import View
from app.widgets.dials import DialText, Reading, draw_bar
from app.widgets.gauge_text import preview_text, readings
from app.widgets.marks import draw_verdict, verdict_colour
from app.widgets.meters import LEFT, RIGHT, draw_text, text_width, type_font
from app.widgets.verdict import reason_text
from models.base.lettering import set_apart
from models.base.texts import opening
from models.judgement.gauges import nearest_gauges
from models.predict.prediction import ASSUMED, FailureMode
from models.resilience.mode_words import beyond_verdict_text
from models.scenario.scenario import Scenario

WORD, SENTENCE, TITLE, VALUE, SMALL = 2.0, 1.15, 1.0, 1.7, 1.0
"""Sizes of type, in the smallest one that may be used."""

LINE = 1.3
"""Height of a line, in its size of type."""

SENTENCE_LINES = 2
BAR, BETWEEN, BESIDE = 0.9, 1.2, 13.0
"""Height of a bar, room between two, and width from which on a limit stands beside its number."""


class MeetingVerdict(QWidget):
    """Word, sentence and five bars; `unit` is the smallest size of type [px]."""

    spoken_role = QAccessible.Role.StaticText

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unit = 24.0
        self._view: View | None = None
        self._besides: FailureMode | None = None
        self._warning = ""
        self._gauges: list[tuple[DialText, Reading]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_unit(self, unit: float) -> None:
        self._unit = unit
        self.updateGeometry()

    def show_view(self, view: View, stored: Scenario, besides: FailureMode | None = None) -> None:
        """Shows a view; while something is being dragged, also where the stored numbers stand.

        Args:
            besides: the failure that is worse than what the verdict speaks of, if there is one.
        """
        self._view, self._besides = view, besides
        names = {item.id: set_apart(item.name) for item in stored.items()}
        self._warning = "" if besides is None else local(beyond_verdict_text(besides, names))
        shown = nearest_gauges(view.scenario, view.prediction)
        self._gauges = [(text, bar) for bar, text in readings(view, stored, shown)]
        self.updateGeometry()
        said = (f"{self.word}: {self.sentence}", self._warning)
        self.setAccessibleName(" ".join(filter(None, said)))
        self.update()

    @property
    def word(self) -> str:
        if self._view is None:
            return ""
        shown = self._view.prediction.shown.words
        words = local(shown)
        if self._view.is_preview:
            return tr("{what}: {word}", what=preview_text(self._view), word=words)
        return local(opening(shown))

    @property
    def sentence(self) -> str:
        view = self._view
        if view is None:
            return ""
        badge = local(opening(view.prediction.badge))
        caveats = (local(chip.detail) for chip in view.prediction.caveats if chip.id == ASSUMED)
        reason = reason_text(view.prediction, view.scenario)
        said = (reason, *caveats, f"{badge}." if badge else "")
        return " ".join(filter(None, said))

    def sizeHint(self) -> QSize:
        high = LINE * (WORD + SENTENCE_LINES * SENTENCE) + self._gauge_units()
        return QSize(40, round((high + 1.0) * self._unit))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    @property
    def _gauge_width(self) -> float:
        inner = self.width() - 2 * self._unit
        return inner / max(len(self._gauges), 1) - BETWEEN * self._unit

    @property
    def _lines(self) -> int:
        """Lines below the bars for what has no room beside its number; 0: all of it has."""
        wide = self._gauge_width
        texts = [text for text, _ in self._gauges]
        if wide >= BESIDE * self._unit and not any(self._is_cut(text, wide) for text in texts):
            return 0
        return max((len(self._below(text, wide)) for text in texts), default=1)

    def _is_cut(self, text: DialText, wide: float) -> bool:
        """Whether a failure that is worse, or the host of the number, has no room in two lines."""
        if not text.reach:
            return False
        is_moved = not self._fits(text.item, self._name_width(text, wide))
        return not self._is_beside(_beside(text), text, wide) or (
            is_moved and self._is_beside(text.item, text, wide)
        )

    def _is_beside(self, words: str, text: DialText, wide: float) -> bool:
        """Whether words have room beside the number at its full size."""
        taken = text_width(text.value, VALUE * self._unit, QFont.Weight.DemiBold)
        return self._fits(words, wide - taken - 0.4 * self._unit)

    def _name_width(self, text: DialText, wide: float) -> float:
        """What the title leaves of its line."""
        return wide - text_width(text.title, TITLE * self._unit) - 0.8 * self._unit

    def _below(self, text: DialText, wide: float) -> tuple[str, ...]:
        """The same in as few lines as that takes."""
        said = _beside(text)
        if text.before or not text.failing or text_width(said, SMALL * self._unit) <= wide:
            return (said,)
        whose = next((each for each in text.whose if self._fits(each, wide)), text.whose[1])
        return whose, text.reach

    def _fits(self, words: str, wide: float) -> bool:
        return text_width(words, SMALL * self._unit) <= wide

    def _gauge_units(self) -> float:
        return LINE * (TITLE + VALUE + SMALL * self._lines) + BAR

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._view is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        unit, box = self._unit, QRectF(self.rect())
        words = LINE * (WORD + SENTENCE_LINES * SENTENCE) * unit
        top = QRectF(box.left() + unit, box.top() + 0.3 * unit, box.width() - 2 * unit, words)
        self._paint_words(painter, top)
        wide = self._gauge_width
        for place, (text, shown) in enumerate(self._gauges):
            left = top.left() + place * (wide + BETWEEN * unit)
            area = QRectF(left, top.bottom() + 0.5 * unit, wide, self._gauge_units() * unit)
            self._paint_gauge(painter, area, text, shown)
        painter.end()

    def _paint_words(self, painter: QPainter, area: QRectF) -> None:
        assert self._view is not None
        unit, theme = self._unit, LOOK.theme
        verdict = self._view.prediction.shown
        side = 3.4 * unit
        sign = QRectF(area.left(), area.top() + 0.4 * unit, side, side)
        draw_verdict(painter, sign, verdict, theme)
        words = area.adjusted(side + unit, 0, 0, 0)
        line = QRectF(words.left(), words.top(), words.width(), LINE * WORD * unit)
        colour, weight = verdict_colour(verdict, theme), QFont.Weight.DemiBold
        draw_text(painter, line, self.word, colour=colour, size_px=WORD * unit, weight=weight)
        self._paint_warning(painter, line)
        painter.setFont(type_font(self._sentence_size(words), QFont.Weight.Medium))
        painter.setPen(QColor(theme.text))
        flags = int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignTop)
        painter.drawText(words.adjusted(0, line.height(), 0, 0), flags, self.sentence)

    def _paint_warning(self, painter: QPainter, line: QRectF) -> None:
        """Beside the verdict's word: the failure that is worse than what it speaks of."""
        shown = None if self._besides is None else self._besides.shown
        if shown is None:
            return
        unit = self._unit
        used = text_width(self.word, WORD * unit, QFont.Weight.DemiBold) + 1.2 * unit
        place = line.adjusted(min(used, line.width()), 0, 0, 0)
        sign = QRectF(place.left(), place.center().y() - 0.6 * unit, 1.2 * unit, 1.2 * unit)
        draw_verdict(painter, sign, shown.verdict, LOOK.theme)
        colour = verdict_colour(shown.verdict, LOOK.theme)
        words = place.adjusted(1.7 * unit, 0, 0, 0)
        draw_text(painter, words, self._warning, colour=colour, size_px=unit)

    def _sentence_size(self, words: QRectF) -> float:
        """Large where two lines are enough; never below the smallest size."""
        size = SENTENCE * self._unit
        takes = text_width(self.sentence, size) / max(words.width(), 1.0)
        return size if takes <= SENTENCE_LINES - 0.1 else self._unit

    def _paint_gauge(self, painter: QPainter, area: QRectF, text: DialText, shown: Reading) -> None:
        """Title; the number with its limit or what it was, to the right or below; the bar."""
        unit, theme, lines = self._unit, LOOK.theme, self._lines
        title = QRectF(area.left(), area.top(), area.width(), LINE * TITLE * unit)
        draw_text(painter, title, text.title, colour=theme.muted, size_px=TITLE * unit)
        name = QRectF(title)
        name.setLeft(title.right() - max(self._name_width(text, title.width()), 0.0))
        line = QRectF(area.left(), title.bottom(), area.width(), LINE * VALUE * unit)
        bar = QRectF(area.left(), line.bottom(), area.width(), BAR * unit)
        said = self._below(text, area.width()) if lines else (_beside(text),)
        beside = "" if lines else said[0]
        if said[0] != text.item:
            is_named = self._fits(text.item, name.width())
            if lines and not is_named and self._is_beside(text.item, text, area.width()):
                beside = text.item
            elif name.width() > 3 * unit:
                ink, size = theme.text, SMALL * unit
                draw_text(painter, name, text.item, colour=ink, size_px=size, align=RIGHT)
        taken = text_width(beside, SMALL * unit) + 0.4 * unit if beside else 0.0
        value = line.adjusted(0, 0, -min(taken, 0.6 * area.width()), 0)
        size = self._fitting(text.value, VALUE * unit, value.width())
        colour, weight = verdict_colour(shown.verdict, theme), QFont.Weight.DemiBold
        draw_text(painter, value, text.value, colour=colour, size_px=size, weight=weight)
        draw_bar(painter, bar, shown, theme)
        used = text_width(text.value, size, weight) + 0.4 * unit
        right = line.adjusted(min(used, line.width()), 0, 0, 0)
        ink = theme.text if beside == text.item else theme.muted
        draw_text(painter, right, beside, colour=ink, size_px=SMALL * unit, align=RIGHT)
        for number, words in enumerate(said if lines else ()):
            high = LINE * SMALL * unit
            row = QRectF(area.left(), bar.bottom() + number * high, area.width(), high)
            draw_text(painter, row, words, colour=theme.muted, size_px=SMALL * unit, align=LEFT)

    def _fitting(self, words: str, size: float, width: float) -> float:
        """`size`, or what fits into the width in whole pixels; never below the smallest size."""
        takes = text_width(words, size, QFont.Weight.DemiBold)
        return size if takes <= width else max(self._unit, math.floor(size * width / takes))


def _beside(text: DialText) -> str:
    """What stands beside a number, or below its bar."""
    reach = " ".join(filter(None, (text.whose[0], text.reach)))
    return text.before or reach or text.below or text.item

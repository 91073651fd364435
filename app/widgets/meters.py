"""Meters, chips and marks as free functions: the same ones paint window, picture and paper.

Lengths are in the painter's units; `scale` 1 means pixels of the window at 100 %.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from app.icons import draw_icon
from app.language import local
from app.stylesheet import FONT_FAMILY
from app.theme import Theme
from app.widgets.marks import verdict_colour, verdict_icon
from app.widgets.painting import draw_box
from models.predict.prediction import Shown, Verdict
from models.scenario.wording import THIN

MIDDLE = Qt.TextElideMode.ElideMiddle
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTRE = Qt.AlignmentFlag.AlignCenter


CAPTION, CAPTION_SIZE = 16.0, 12.0
"""Height of the line above the track, and size of its type [px]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """What a meter shows; shares are of the whole track, 0 to 1, None where there is nothing.

    Attributes:
        share: the value; None: no data. `peak`: at the policy's peak factor; `high`: the high end
            of its interval there, which may be more than the track.
        limit: where the limit line stands. `ghost`: the value before what is being dragged.
        failure: the value with the worst host lost, `failure_text` as words.
        verdict: colours the fill; never the only sign.
    """

    label: str
    text: str
    share: float | None
    peak: float | None = None
    high: float | None = None
    limit: float | None = None
    ghost: float | None = None
    failure: float | None = None
    failure_text: str = ""
    verdict: Verdict = Verdict.FITS
    has_track: bool = True


@lru_cache(maxsize=64)
def type_font(size_px: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The program's type at a size in painter units."""
    font = QFont(FONT_FAMILY)
    font.setPixelSize(max(1, round(size_px)))
    font.setWeight(weight)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


@lru_cache(maxsize=64)
def _metrics(size_px: float, weight: QFont.Weight) -> QFontMetricsF:
    return QFontMetricsF(type_font(size_px, weight))


@lru_cache(maxsize=8192)
def text_width(text: str, size_px: float, weight: QFont.Weight = QFont.Weight.Normal) -> float:
    return _metrics(size_px, weight).horizontalAdvance(text)


def draw_text(
    painter: QPainter,
    rect: QRectF,
    text: str,
    *,
    colour: str,
    size_px: float,
    weight: QFont.Weight = QFont.Weight.Normal,
    align: Qt.AlignmentFlag = LEFT,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    """One line in `rect`, shortened with an ellipsis when it is too long: a name in its middle, as
    names of a kind differ at their ends."""
    if rect.width() <= 0:
        return
    painter.setFont(type_font(size_px, weight))
    painter.setPen(QColor(colour))
    if text_width(text, size_px, weight) > rect.width() + 0.5:
        metrics = _metrics(size_px, weight)
        text = metrics.elidedText(text, elide, rect.width() + 0.5)
    painter.drawText(rect, int(align | Qt.AlignmentFlag.AlignVCenter), text)


def draw_meter(
    painter: QPainter, rect: QRectF, meter: Meter, theme: Theme, scale: float = 1.0
) -> None:
    """A label and its value above a track with limit line, ghost and failure mark."""
    line = QRectF(rect.x(), rect.y(), rect.width(), CAPTION * scale)
    _draw_caption(painter, line, meter, theme, scale)
    if meter.has_track:
        top = rect.y() + 19 * scale
        draw_track(painter, QRectF(rect.x(), top, rect.width(), 7 * scale), meter, theme, scale)


def _draw_caption(
    painter: QPainter, rect: QRectF, meter: Meter, theme: Theme, scale: float
) -> None:
    size = CAPTION_SIZE * scale
    is_over = meter.verdict is not Verdict.FITS
    colour = theme.muted if meter.share is None else theme.verdict(meter.verdict)
    value_colour = colour if is_over or meter.share is None else theme.text
    weight = QFont.Weight.Normal if meter.share is None else QFont.Weight.DemiBold
    width = text_width(meter.text, size, weight)
    value = QRectF(rect.right() - width, rect.y(), width, rect.height())
    draw_text(
        painter, value, meter.text, colour=value_colour, size_px=size, weight=weight, align=RIGHT
    )
    label = QRectF(rect.x(), rect.y(), rect.width() - width - 5 * scale, rect.height())
    draw_text(painter, label, meter.label, colour=theme.muted, size_px=11.5 * scale)
    if meter.failure_text:
        used = label.width() - _failure_room(meter, rect.width(), scale)
        _draw_failure_text(painter, label.adjusted(used, 0, 0, 0), meter, theme, scale)


def _failure_room(meter: Meter, width: float, scale: float) -> float:
    """What label and value leave for the value with a host lost and its mark."""
    weight = QFont.Weight.Normal if meter.share is None else QFont.Weight.DemiBold
    value = text_width(meter.text, CAPTION_SIZE * scale, weight)
    return width - value - text_width(meter.label, 11.5 * scale) - 11 * scale


@lru_cache(maxsize=2048)
def alike(meters: tuple[Meter, ...], width: float, scale: float) -> tuple[Meter, ...]:
    """Meters of this width side by side: where one has no room for the unit of its value with a
    host lost, none has it."""
    if all(
        text_width(each.failure_text, 11 * scale) <= _failure_room(each, width, scale) - 11 * scale
        for each in meters
        if each.failure_text
    ):
        return meters
    return tuple(replace(each, failure_text=without_unit(each.failure_text)) for each in meters)


def without_unit(text: str) -> str:
    return text.removesuffix(f"{THIN}%")


def _draw_failure_text(
    painter: QPainter, rect: QRectF, meter: Meter, theme: Theme, scale: float
) -> None:
    """The value with a host lost, after its mark; without its unit, or not at all, where there is
    no room."""
    size, room = 11 * scale, rect.width() - 11 * scale
    said = (meter.failure_text, without_unit(meter.failure_text))
    words = next((each for each in said if text_width(each, size) <= room), None)
    if words is None:
        return
    width = text_width(words, size)
    text = QRectF(rect.right() - width - 3 * scale, rect.y(), width, rect.height())
    draw_text(painter, text, words, colour=theme.muted, size_px=size, align=RIGHT)
    draw_failure_mark(painter, QPointF(text.x() - 6 * scale, rect.center().y()), theme, scale)


def draw_track(
    painter: QPainter, rect: QRectF, meter: Meter, theme: Theme, scale: float = 1.0
) -> None:
    """The bar of a meter; dashed where there is no data."""
    radius = rect.height() / 2
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if meter.share is None:
        painter.setPen(QPen(QColor(theme.line_strong), scale, Qt.PenStyle.DotLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawLine(
            QPointF(rect.x() + radius, rect.center().y()),
            QPointF(rect.right() - radius, rect.center().y()),
        )
    else:
        _draw_bar(painter, rect, 1.0, theme.track)
        _draw_fill(painter, rect, meter, theme)
        _draw_marks(painter, rect, meter, theme, scale)
    painter.restore()


def _draw_fill(painter: QPainter, rect: QRectF, meter: Meter, theme: Theme) -> None:
    fill = theme.fill(meter.verdict)
    if meter.peak is not None and meter.share is not None and meter.peak > meter.share:
        painter.setOpacity(painter.opacity() * 0.4)
        _draw_bar(painter, rect, meter.peak, fill)
        painter.setOpacity(painter.opacity() / 0.4)
    _draw_bar(painter, rect, meter.share or 0.0, fill)


def _draw_bar(painter: QPainter, rect: QRectF, share: float, colour: str) -> None:
    if share <= 0:
        return
    radius = rect.height() / 2
    width = max(rect.height(), rect.width() * min(share, 1.0))
    draw_box(painter, QRectF(rect.x(), rect.y(), width, rect.height()), radius, ground=colour)


def _draw_marks(painter: QPainter, rect: QRectF, meter: Meter, theme: Theme, scale: float) -> None:
    if meter.limit is not None and meter.limit <= 1.0:
        x = rect.x() + rect.width() * meter.limit
        draw_limit_mark(painter, QPointF(x, rect.center().y()), theme, scale, rect.height())
    if meter.failure is not None:
        x = rect.x() + rect.width() * min(meter.failure, 1.0)
        draw_failure_mark(painter, QPointF(x, rect.center().y()), theme, scale)
    if meter.ghost is not None:
        _draw_ghost(painter, rect, meter, theme, scale)


def _draw_ghost(painter: QPainter, rect: QRectF, meter: Meter, theme: Theme, scale: float) -> None:
    """A hollow bar: where the value stands without what is being dragged."""
    width = max(rect.height(), rect.width() * min(meter.ghost or 0.0, 1.0))
    box = QRectF(rect.x(), rect.y(), width, rect.height()).adjusted(-scale, -scale, scale, scale)
    draw_box(painter, box, box.height() / 2, edge=theme.ghost, width=1.5 * scale)


def draw_limit_mark(
    painter: QPainter, at: QPointF, theme: Theme, scale: float, height: float | None = None
) -> None:
    """An upright line: where the limit stands."""
    reach = (7 * scale if height is None else height) / 2 + 3 * scale
    painter.setPen(QPen(QColor(theme.text), 1.5 * scale))
    painter.drawLine(QPointF(at.x(), at.y() - reach), QPointF(at.x(), at.y() + reach))


def draw_failure_mark(painter: QPainter, at: QPointF, theme: Theme, scale: float) -> None:
    """A diamond: where the value would stand with the worst host lost."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    reach = 4.2 * scale
    painter.setPen(QPen(QColor(theme.panel), 1.2 * scale))
    painter.setBrush(QColor(theme.text))
    x, y = at.x(), at.y()
    painter.drawPolygon(
        QPolygonF(
            [
                QPointF(x, y - reach),
                QPointF(x + reach, y),
                QPointF(x, y + reach),
                QPointF(x - reach, y),
            ]
        )
    )
    painter.restore()


def verdict_width(verdict: Shown, size_px: float) -> float:
    """The width that `draw_verdict` takes."""
    return size_px * 1.45 + text_width(local(verdict.brief), size_px, QFont.Weight.Medium)


def draw_verdict(
    painter: QPainter, rect: QRectF, verdict: Shown, theme: Theme, size_px: float
) -> None:
    """Icon and word of a verdict, at the right end of `rect`."""
    width = min(verdict_width(verdict, size_px), rect.width())
    colour = verdict_colour(verdict, theme)
    box = QRectF(rect.right() - width, rect.y(), width, rect.height())
    draw_verdict_icon(
        painter, QPointF(box.x() + size_px * 0.58, box.center().y()), verdict, theme, size_px * 1.16
    )
    word = box.adjusted(size_px * 1.4, 0, 0, 0)
    weight = QFont.Weight.Medium
    draw_text(painter, word, local(verdict.brief), colour=colour, size_px=size_px, weight=weight)


def draw_verdict_icon(
    painter: QPainter, centre: QPointF, verdict: Shown, theme: Theme, size: float
) -> None:
    rect = QRectF(centre.x() - size / 2, centre.y() - size / 2, size, size)
    draw_icon(painter, rect, verdict_icon(verdict), verdict_colour(verdict, theme))


def draw_badge(painter: QPainter, rect: QRectF, text: str, theme: Theme, size_px: float) -> float:
    """A small outlined badge at the right end of `rect`; returns its width."""
    width = text_width(text, size_px, QFont.Weight.Medium) + size_px * 1.1
    height = size_px * 1.6
    box = QRectF(rect.right() - width, rect.center().y() - height / 2, width, height)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_box(painter, box, height / 2, edge=theme.line_strong, width=max(1.0, size_px / 11))
    painter.restore()
    weight = QFont.Weight.Medium
    draw_text(painter, box, text, colour=theme.muted, size_px=size_px, weight=weight, align=CENTRE)
    return width

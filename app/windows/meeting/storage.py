"""The pools in type that is read from the back of a room: below the board, always in sight."""

from __future__ import annotations

from operator import attrgetter

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QAccessible, QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.icons import draw_icon
from app.language import local, tr, trn
from app.look import LOOK
from app.session import View
from app.widgets.board.arrange import MARGIN
from app.widgets.board.cells import group_ground
from app.widgets.board.faces import FaceBook, PoolFace
from app.widgets.meters import (
    MIDDLE,
    Meter,
    draw_text,
    draw_track,
    draw_verdict,
    text_width,
    verdict_width,
)
from app.windows.meeting.board import SMALLEST_TYPE
from app.wording import locale_style
from models.catalog.catalog import Catalog
from models.judgement.against_limits import NEAR
from models.predict.prediction import Verdict
from models.scenario.scenario import Policy, Scenario
from models.scenario.wording import THIN, exact_text, reach_text

LINE, GAP, SIDE = 1.9, 2.0, 0.6
"""Height of a line, room between two pools and at the sides, in the smallest size of type."""

LEAST_WIDTH = 36.0
"""Width of a pool, in the same."""

TRACK = 9.0
MOST_LINES = 2
NAME, SMALL = 1.15, 1.0


class MeetingStorage(QWidget):
    """A line a pool: name, what is nearest its limit with that limit, other numbers, verdict.

    The worst pools come first; those that two lines have no room for are counted.
    """

    spoken_role = QAccessible.Role.StaticText

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unit = 24.0
        self._policy = Policy()
        self._faces: list[PoolFace] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_unit(self, unit: float) -> None:
        """The smallest size of type that may be used [px]."""
        self._unit = unit
        self.updateGeometry()

    def show_view(self, view: View, stored: Scenario, catalog: Catalog) -> None:
        book = FaceBook(view, stored, catalog, locale_style())
        faces = [face for pool in stored.pools if isinstance(face := book.face(pool.id), PoolFace)]
        self._faces = sorted(faces, key=_badness, reverse=True)
        self._policy = view.scenario.policy
        said = [", ".join(self._said(face)) for face in self._faces]
        self.setAccessibleName(tr("Storage: {pools}", pools="; ".join(said)))
        self.updateGeometry()
        self.update()

    @property
    def lines(self) -> int:
        """Lines that it takes; none without pools."""
        return min(-(-len(self._faces) // self._columns), MOST_LINES)

    @property
    def shown(self) -> int:
        """How many pools are named; the others are counted in the place of one."""
        places = self.lines * self._columns
        return len(self._faces) if len(self._faces) <= places else places - 1

    @property
    def _columns(self) -> int:
        wide = (self.width() - 2 * SIDE * self._unit) / self._unit
        return max(1, min(int((wide + GAP) // (LEAST_WIDTH + GAP)), len(self._faces)))

    def sizeHint(self) -> QSize:
        high = (self.lines * LINE + 2 * SIDE) * self._unit if self._faces else 0.0
        return QSize(40, round(high))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _said(self, face: PoolFace) -> list[str]:
        meter, limit = nearest(face, self._policy)
        verdict = [] if face.verdict is None else [local(face.verdict.words)]
        return [face.name, f"{meter.label} {meter.text}", limit, *verdict]

    # ------------------------------------------------------------------ painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._faces:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        unit, theme, columns = self._unit, LOOK.theme, self._columns
        margin = MARGIN / SMALLEST_TYPE * unit
        frame = QRectF(self.rect()).adjusted(margin, 0, -margin, -margin)
        painter.setPen(QPen(QColor(theme.line), 1.0))
        painter.setBrush(group_ground(theme))
        painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 0.6 * unit, 0.6 * unit)
        inner = frame.adjusted(SIDE * unit, SIDE * unit / 2, -SIDE * unit, -SIDE * unit / 2)
        wide = (inner.width() - (columns - 1) * GAP * unit) / columns
        high = inner.height() / max(self.lines, 1)
        shown = self.shown
        for place in range(min(shown + 1, len(self._faces))):
            row, column = divmod(place, columns)
            left = inner.left() + column * (wide + GAP * unit)
            box = QRectF(left, inner.top() + row * high, wide, high)
            if place < shown:
                self._paint_pool(painter, box, self._faces[place])
            else:
                self._paint_more(painter, box, self._faces[shown:])
        painter.end()

    def _paint_pool(self, painter: QPainter, box: QRectF, face: PoolFace) -> None:
        unit, theme = self._unit, LOOK.theme
        icon = QRectF(box.left(), box.center().y() - 0.6 * unit, 1.2 * unit, 1.2 * unit)
        draw_icon(painter, icon, "database", theme.muted)
        rest = box.adjusted(1.7 * unit, 0, 0, 0)
        if face.verdict is not None:
            draw_verdict(painter, rest, face.verdict, theme, unit)
            rest.setWidth(rest.width() - verdict_width(face.verdict, unit) - unit)
        weight = QFont.Weight.DemiBold
        wide = min(text_width(face.name, NAME * unit, weight) + 2, 0.4 * rest.width())
        name = QRectF(rest.left(), rest.top(), wide, rest.height())
        size = NAME * unit
        draw_text(
            painter, name, face.name, colour=theme.text, size_px=size, weight=weight, elide=MIDDLE
        )
        rest.setLeft(name.right() + unit)
        self._paint_numbers(painter, rest, face)

    def _paint_numbers(self, painter: QPainter, rest: QRectF, face: PoolFace) -> None:
        """What is nearest its limit with its track; of the others those that have room."""
        unit, theme = self._unit, LOOK.theme
        meter, limit = nearest(face, self._policy)
        x = self._paint_number(painter, rest, meter)
        others = [each for each in face.meters if each is not meter]
        after = text_width(limit, SMALL * unit) + 0.6 * unit
        spare = rest.right() - x - after - TRACK * unit
        kept: list[Meter] = []
        for each in others:
            needed = self._number_width(each) + unit
            if needed > spare:
                break
            spare -= needed
            kept.append(each)
        track = QRectF(x, rest.center().y() - 0.36 * unit, TRACK * unit, 0.72 * unit)
        track.setRight(min(track.right() + max(spare, 0.0), rest.right() - after))
        if track.width() > 2 * unit:
            draw_track(painter, track, meter, theme, unit / 9.5)
            x = track.right() + 0.6 * unit
        words = QRectF(x, rest.top(), max(rest.right() - x, 0.0), rest.height())
        draw_text(painter, words, limit, colour=theme.muted, size_px=SMALL * unit)
        x += after - 0.6 * unit + unit
        for each in kept:
            x = self._paint_number(
                painter, QRectF(QPointF(x, rest.top()), rest.bottomRight()), each
            )

    def _paint_number(self, painter: QPainter, rest: QRectF, meter: Meter) -> float:
        """Label and value; returns where they end, with some room after them."""
        unit, theme = self._unit, LOOK.theme
        draw_text(painter, rest, meter.label, colour=theme.muted, size_px=SMALL * unit)
        value = rest.adjusted(text_width(meter.label, SMALL * unit) + 0.4 * unit, 0, 0, 0)
        is_over = meter.share is not None and meter.verdict is not Verdict.FITS
        colour = theme.verdict(meter.verdict) if is_over else theme.text
        weight = QFont.Weight.DemiBold
        draw_text(painter, value, meter.text, colour=colour, size_px=SMALL * unit, weight=weight)
        return rest.left() + self._number_width(meter) + unit

    def _number_width(self, meter: Meter) -> float:
        size = SMALL * self._unit
        words = text_width(meter.label, size)
        return words + 0.4 * self._unit + text_width(meter.text, size, QFont.Weight.DemiBold)

    def _paint_more(self, painter: QPainter, box: QRectF, faces: list[PoolFace]) -> None:
        unit, theme = self._unit, LOOK.theme
        words = trn("{count} more pool", "{count} more pools", len(faces))
        left = box.adjusted(1.7 * unit, 0, 0, 0)
        draw_text(painter, left, words, colour=theme.text, size_px=unit)
        verdicts = [face.verdict for face in faces if face.verdict is not None]
        if verdicts:
            draw_verdict(painter, box, max(verdicts, key=attrgetter("badness")), theme, unit)


def nearest(face: PoolFace, policy: Policy) -> tuple[Meter, str]:
    """What of a pool is in most trouble, or nearest its limit, disks or space; and that limit in
    words, or how far its interval goes where that alone puts it at risk."""
    _iops, busy, space, _latency = face.meters
    meter, style = max((busy, space), key=_trouble), locale_style()
    limit = policy.disk_limit_pct if meter is busy else policy.capacity_limit_pct
    most = 0.0 if meter.high is None else 100.0 * meter.high
    if _load(meter) <= NEAR and most > limit:
        return meter, tr("may reach {high}", high=reach_text(most, "%", limit=limit, style=style))
    return meter, tr("limit {limit}", limit=f"{exact_text(limit, style=style)}{THIN}%")


def _trouble(meter: Meter) -> tuple[Verdict, float]:
    return meter.verdict, _load(meter)


def _load(meter: Meter) -> float:
    value = meter.share if meter.peak is None else meter.peak
    return 0.0 if value is None or not meter.limit else value / meter.limit


def _badness(face: PoolFace) -> tuple[int, bool, float]:
    """By verdict, then by what is nearest its limit; what nobody knows comes last."""
    code = (-1, False) if face.verdict is None else face.verdict.badness
    return *code, max(_load(meter) for meter in face.meters)

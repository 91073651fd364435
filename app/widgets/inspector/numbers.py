"""Predicted numbers as rows: value, range, limit, where it comes from, and the evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.language import local, tr
from app.look import LOOK
from app.widgets.dials import draw_bar
from app.widgets.gauge_text import evidence_lines, limit_text, number_text, reading
from app.widgets.inspector.facts import Fact
from app.widgets.labels import FoldButton
from app.widgets.marks import draw_basis, scaled_font, verdict_colour
from app.widgets.painting import LEFT, RIGHT, draw_ground, draw_line
from app.widgets.parts import in_column
from app.widgets.roles import tell_value
from app.wording import locale_style
from models.base.quantities import Basis
from models.scenario.wording import about_text, full_text, range_text, value_text

WHY_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_E)


class FactRow(QWidget):
    """One number; click, Enter, Space or E ask for its evidence.

    Signals:
        asked: the field of the number.
    """

    spoken_role = QAccessible.Role.Button

    asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fact: Fact | None = None
        self._before: Fact | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleDescription(tr("Enter shows the evidence"))

    @property
    def spoken_value(self) -> str:
        return _value(self.fact) if self.fact is not None else ""

    def show_fact(self, fact: Fact, before: Fact | None) -> None:
        """Shows a number, and the stored one while something else is being dragged."""
        if (fact, before) == (self.fact, self._before):
            return
        self.fact, self._before = fact, before
        said = local(full_text(fact.quantity, fact.unit, style=locale_style()))
        self.setAccessibleName(f"{fact.label}: {said}")
        self.setToolTip(tooltip_text(fact))
        tell_value(self)
        self.updateGeometry()
        self.update()

    def ask(self) -> None:
        """Asks for the evidence of the number."""
        if self.fact is not None:
            self.asked.emit(self.fact.field)

    def sizeHint(self) -> QSize:
        line = QFontMetricsF(self.font()).height()
        return QSize(round(line * 14), round(line * 2.55))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.fact is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        draw_ground(painter, box, is_near=self.underMouse(), has_focus=self.hasFocus())
        line = QFontMetricsF(self.font()).height()
        inner = box.adjusted(6, line * 0.18, -6, -line * 0.18)
        first = QRectF(inner.left(), inner.top(), inner.width(), line * 1.2)
        second = QRectF(inner.left(), first.bottom(), inner.width(), line * 0.95)
        self._paint_first(painter, first, self.fact)
        self._paint_second(painter, second, self.fact)
        painter.end()

    def _paint_first(self, painter: QPainter, box: QRectF, fact: Fact) -> None:
        """Label left, value right; the stored value before it while something is being dragged."""
        theme = LOOK.theme
        painter.setPen(QColor(theme.text))
        painter.drawText(box, LEFT, fact.label)
        value = _value(fact)
        font = scaled_font(self.font(), 1.15, QFont.Weight.DemiBold)
        painter.setFont(font)
        is_missing = fact.quantity.value is None
        verdict = fact.gauge.verdict
        plain = theme.muted if is_missing else theme.text
        painter.setPen(QColor(plain if verdict is None else verdict_colour(verdict, theme)))
        painter.drawText(box, RIGHT, value)
        if self._before is not None and _value(self._before) != value:
            width = QFontMetricsF(font).horizontalAdvance(value) + 8
            painter.setFont(scaled_font(self.font(), 0.92))
            painter.setPen(QColor(theme.ghost))
            painter.drawText(box.adjusted(0, 0, -width, 0), RIGHT, f"{_value(self._before)} →")

    def _paint_second(self, painter: QPainter, box: QRectF, fact: Fact) -> None:
        """Basis with its sketch, range, and the bar where there is a limit."""
        theme = LOOK.theme
        small = scaled_font(self.font(), 0.86)
        metrics = QFontMetricsF(small)
        side = metrics.ascent() + 1
        sketch = QRectF(box.left(), box.center().y() - side / 2, side, side)
        basis = fact.quantity.basis
        draw_basis(painter, sketch, basis, theme.muted)
        spread = _range(fact)
        wide = metrics.horizontalAdvance(spread)
        beside = box.adjusted(side + 5, 0, -wide - 5, 0)
        draw_line(painter, beside, local(basis.label), small, theme.muted)
        painter.drawText(box, RIGHT, spread)
        left = (
            box.left() + side + 5 + metrics.horizontalAdvance(local(Basis.EXTRAPOLATED.label)) + 10
        )
        right = box.right() - wide - 10
        if fact.gauge.load is not None and right - left > 30:
            before = self._before.gauge if self._before else None
            bar = QRectF(left, box.center().y() - 6, right - left, 12)
            draw_bar(painter, bar, reading(fact.gauge, before), theme)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(
            event.position().toPoint()
        ):
            self.ask()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in WHY_KEYS:
            self.ask()
        else:
            super().keyPressEvent(event)


class FactRows(QWidget):
    """Rows that are kept and only refilled.

    `ready` of them are made at once, so that Tab finds them in the order of the screen.

    Signals:
        asked: the field of the number whose evidence is wanted.
    """

    asked = Signal(str)

    def __init__(self, ready: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[FactRow] = []
        self._column = in_column(self, gap=0)
        for _ in range(ready):
            self._add_row()

    @property
    def rows(self) -> tuple[FactRow, ...]:
        """The rows in use."""
        return tuple(row for row in self._rows if not row.isHidden())

    def show_facts(self, facts: Sequence[Fact], before: Mapping[str, Fact]) -> None:
        while len(self._rows) < len(facts):
            self._add_row()
        for row, fact in zip(self._rows, facts, strict=False):
            row.show_fact(fact, before.get(fact.label))
        for index, row in enumerate(self._rows):
            row.setVisible(index < len(facts))

    def _add_row(self) -> None:
        row = FactRow(self)
        row.hide()
        row.asked.connect(self.asked)
        self._rows.append(row)
        self._column.addWidget(row)


class Numbers(QWidget):
    """The predicted numbers of one item: the main ones in sight, the others on demand.

    Signals:
        asked: the field of the number whose evidence is wanted.
    """

    asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._main = FactRows(3, self)
        self.fold = FoldButton(tr("More numbers"), self)
        """Opens what is not in sight."""
        self._more = FactRows(4, self)
        self.fold.toggled.connect(self._more.setVisible)
        self._more.hide()
        for rows in (self._main, self._more):
            rows.asked.connect(self.asked)
        in_column(self, gap=2).put(self._main, self.fold, self._more)

    @property
    def rows(self) -> tuple[FactRow, ...]:
        """All rows in use, the folded ones as well."""
        return (*self._main.rows, *self._more.rows)

    def show_facts(self, facts: Sequence[Fact], before: Sequence[Fact] = ()) -> None:
        earlier = {fact.label: fact for fact in before}
        others = [fact for fact in facts if not fact.is_main]
        self._main.show_facts([fact for fact in facts if fact.is_main], earlier)
        self._more.show_facts(others, earlier)
        self.fold.setVisible(bool(others))
        self._more.setVisible(bool(others) and self.fold.isChecked())
        self.setVisible(bool(facts))


def _value(fact: Fact) -> str:
    style = locale_style()
    if fact.gauge.load is not None:
        return number_text(fact.gauge, style=style)
    return local(value_text(fact.quantity, fact.unit, style=style))


def _range(fact: Fact) -> str:
    quantity = fact.quantity
    if quantity.value is None or quantity.low == quantity.high:
        return ""
    return range_text(quantity, fact.unit, style=locale_style())


def tooltip_text(fact: Fact) -> str:
    """Number, interval, basis and limit; the evidence is one click away."""
    style = locale_style()
    if fact.quantity.value is None:
        return tr("{label}: no data; there is no evidence for this number", label=fact.label)
    lines = [f"{fact.label}: {local(about_text(fact.quantity, fact.unit, style=style))}"]
    if spread := _range(fact):
        lines.append(
            tr("90 % interval {spread}, {label}", spread=spread, label=fact.quantity.basis.label)
        )
    else:
        lines.append(local(fact.quantity.basis.label))
    if fact.gauge.limit:
        lines.append(tr("limit {gauge}", gauge=limit_text(fact.gauge, style=style)))
    return "\n".join([*lines, *evidence_lines(fact.quantity)])

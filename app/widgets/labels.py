"""Labels that fit where they are put."""

from __future__ import annotations

from math import ceil

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
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QLabel, QSizePolicy, QWidget

from app.icons import draw_icon
from app.look import LOOK
from app.widgets.marks import scaled_font
from app.wording import tip_text


def in_lines(text: str, metrics: QFontMetricsF, room: float, most: int) -> tuple[str, ...]:
    """The words in up to `most` lines; what even these have no room for ends in an ellipsis."""
    rest, parts = text.split(" "), list[str]()
    while rest and len(parts) < most - 1:
        count = len(rest)
        while count > 1 and metrics.horizontalAdvance(" ".join(rest[:count])) > room:
            count -= 1
        parts.append(" ".join(rest[:count]))
        rest = rest[count:]
    elide = Qt.TextElideMode.ElideRight
    return tuple(metrics.elidedText(part, elide, room) for part in (*parts, " ".join(rest)) if part)


class OneLine(QLabel):
    """One line of text that never asks for width; what doesn't fit ends in an ellipsis.

    The whole text stays readable as the tool tip.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setToolTip(tip_text(text))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def setText(self, text: str) -> None:
        if text != self.text():
            super().setText(text)
            self.setToolTip(tip_text(text))

    @property
    def shown(self) -> str:
        """What is painted."""
        return self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width()
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(
            self.contentsRect(), self.alignment() | Qt.AlignmentFlag.AlignVCenter, self.shown
        )
        painter.end()


class ShorterLine(OneLine):
    """One line that says the same in fewer words where there is no room for all of them.

    Args:
        is_dispensable: nothing is said, rather than a part, where the fewer words have no room.
    """

    def __init__(self, parent: QWidget | None = None, *, is_dispensable: bool = False) -> None:
        super().__init__("", parent)
        self._shorter: tuple[str, ...] = ()
        self._is_dispensable = is_dispensable

    def say(self, text: str, *shorter: str) -> None:
        """Shows the first of these that has room, or part of the last; `text` gives the first."""
        self._shorter = tuple(filter(None, shorter))
        self.setText(text)
        self.update()

    @property
    def shown(self) -> str:
        """What is painted."""
        metrics, room = self.fontMetrics(), self.contentsRect().width()
        said = (self.text(), *self._shorter)
        text = next((each for each in said if metrics.horizontalAdvance(each) <= room), None)
        if text is None and self._is_dispensable:
            return ""
        return metrics.elidedText(text or said[-1], Qt.TextElideMode.ElideRight, room)


class AskLabel(QLabel):
    """Words that can be asked about: by a click, by Return, Space or `E`.

    Signals:
        asked: somebody wants to know why.
    """

    AROUND = 5
    ABOVE = 2
    """Between the words and the ring of the focus [px], left and right; above and below."""

    asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setContentsMargins(self.AROUND, self.ABOVE, self.AROUND, self.ABOVE)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.asked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_E):
            self.asked.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        self.paint_words(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setPen(QPen(self.palette().highlight().color(), 1.5))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
            painter.end()

    def paint_words(self, event: QPaintEvent) -> None:
        """Paints all but the ring of the focus."""
        super().paintEvent(event)


class AskParagraph(AskLabel):
    """The same over as many lines as it takes; where fewer have room the last one ends in an
    ellipsis.

    All the words stay readable as the tool tip.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._most: int | None = None
        self.setWordWrap(True)

    def keep_to(self, lines: int | None) -> None:
        """Takes no more than so many lines; None: as many as the words need."""
        self._most = lines
        self.updateGeometry()

    def heightForWidth(self, width: int) -> int:
        high = super().heightForWidth(width)
        if self._most is None:
            return high
        words = QFontMetricsF(self.font()).lineSpacing() * self._most
        return min(high, ceil(words) + 2 * self.ABOVE)

    def setText(self, text: str) -> None:
        if text != self.text():
            super().setText(text)
            self.setToolTip(tip_text(text))

    @property
    def shown(self) -> str:
        """What is painted, a line each where it is not all of it."""
        # Not by `heightForWidth`: asked while painting, a label that takes the focus calls for
        # the next painting, and so on for ever.
        metrics, room = QFontMetricsF(self.font()), QRectF(self.contentsRect())
        wrap = int(Qt.TextFlag.TextWordWrap)
        if metrics.boundingRect(room, wrap, self.text()).height() <= room.height():
            return self.text()
        lines = max(int(room.height() / metrics.lineSpacing()), 1)
        return "\n".join(in_lines(self.text(), metrics, room.width(), lines))

    def paint_words(self, event: QPaintEvent) -> None:
        shown = self.shown
        if shown == self.text():
            super().paint_words(event)
            return
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self.palette().color(self.foregroundRole()))
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        painter.drawText(QRectF(self.contentsRect()), flags, shown)
        painter.end()


class AskLines(AskLabel):
    """The same in at most so many lines; what doesn't fit ends in an ellipsis.

    All the words stay readable as the tool tip.
    """

    def __init__(self, most: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._most = most
        self.words = ""
        """All of it, also where there is room for a part only."""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def say(self, words: str) -> None:
        if words != self.words:
            self.words = words
            self.setToolTip(tip_text(words))
            self.setAccessibleName(words)
            self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        metrics, room = QFontMetricsF(self.font()), self.contentsRect().width()
        self.setText("\n".join(in_lines(self.words, metrics, room, self._most)))


def tint(label: QLabel, ink: str) -> None:
    """Writes a label in a colour of the theme, by its name; see `app.stylesheet.INKS`."""
    if label.property("ink") != ink:
        label.setProperty("ink", ink)
        label.style().polish(label)


class Sign(QWidget):
    """An icon in a colour of the theme, as high as so many lines of text or pixels."""

    spoken_role = QAccessible.Role.Graphic

    def __init__(
        self,
        name: str = "",
        ink: str = "muted",
        parent: QWidget | None = None,
        *,
        lines: float = 1.0,
        side: int = 0,
    ) -> None:
        super().__init__(parent)
        self._sign = (name, ink)
        self._lines = lines
        self._side = side
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_sign(self, name: str, ink: str) -> None:
        if (name, ink) != self._sign:
            self._sign = (name, ink)
            self.update()

    def sizeHint(self) -> QSize:
        side = self._side or round(QFontMetricsF(self.font()).height() * self._lines)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        name, ink = self._sign
        if name:
            painter = QPainter(self)
            draw_icon(painter, QRectF(self.rect()), name, LOOK.theme.ink(ink))
            painter.end()


class FoldButton(QAbstractButton):
    """A heading that opens and closes what stands below it."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(text)
        self.setCheckable(True)
        self.setAccessibleName(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 30, metrics.height() + 10)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect())
        theme = LOOK.theme
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawLine(box.topLeft(), box.topRight())
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.drawRoundedRect(box.adjusted(1, 3, -1, -1), 4, 4)
        font = scaled_font(self.font(), 1.0, QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(QColor(theme.text))
        words = box.adjusted(1, 4, -24, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text())
        side = 14.0
        sign = QRectF(box.right() - side - 4, box.center().y() - side / 2 + 2, side, side)
        name = "chevron-down" if self.isChecked() else "chevron-right"
        draw_icon(painter, sign, name, theme.muted)
        painter.end()


class Empty(QWidget):
    """What stands where there is nothing to show: a sign and a sentence."""

    spoken_role = QAccessible.Role.StaticText

    def __init__(self, icon: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        self.text = text
        self.setAccessibleName(text)

    def say(self, text: str) -> None:
        if text != self.text:
            self.text = text
            self.setAccessibleName(text)
            self.update()

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(line * 12, line * 5)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        box = QRectF(self.rect()).adjusted(12, 0, -12, 0)
        side = self.fontMetrics().height() * 1.6
        flags = int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignHCenter)
        needed = painter.boundingRect(box, flags, self.text).height()
        top = max(box.center().y() - (side + 8 + needed) / 2, box.top())
        sign = QRectF(box.center().x() - side / 2, top, side, side)
        draw_icon(painter, sign, self._icon, LOOK.theme.muted)
        painter.setPen(QColor(LOOK.theme.muted))
        words = QRectF(box.left(), sign.bottom() + 8, box.width(), needed)
        painter.drawText(words, flags, self.text)
        painter.end()

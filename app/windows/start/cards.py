"""A worked example as a card: its board, its title, and its story in one sentence."""

from __future__ import annotations

import re
from collections import Counter

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.look import LOOK
from app.widgets.board.picture import board_picture
from app.widgets.marks import scaled_font
from app.wording import kept_together, locale_style
from models.catalog.catalog import Catalog
from models.predict.prediction import Prediction
from models.scenario.scenario import Scenario

PAD, GAP = 12.0, 6.0
PICTURE_WIDTHS, PICTURE_HEIGHT = (340, 440, 600), 420
"""The board is laid out for one, two or more cards beside each other, and then made small."""

WORDS_LINES = 4
LEAST_WIDTH, HIGHEST = 180, 330
PICTURE_SHARE = 0.5
_SENTENCE_END = re.compile(r"(?<=\.)\s+(?=[A-ZÄÖÜ“„])")


def first_sentence(text: str) -> str:
    """
    >>> first_sentence("It moves to ESX 3.0.1 on two hosts. Drag it.")
    'It moves to ESX 3.0.1 on two hosts.'
    >>> first_sentence("Aus 2.0 wird 3. „Empfehlen“ sagt, wie.")
    'Aus 2.0 wird 3.'
    """
    return _SENTENCE_END.split(" ".join(text.split()), maxsplit=1)[0]


def _picture_size(scenario: Scenario) -> QSize:
    """As wide as its longest row of cards asks for, so that no half of it is empty."""
    clusters = Counter(host.cluster for host in scenario.hosts)
    longest = max(*clusters.values(), len(scenario.pools), 1)
    return QSize(PICTURE_WIDTHS[min(longest, len(PICTURE_WIDTHS)) - 1], PICTURE_HEIGHT)


class ExampleCard(QAbstractButton):
    """Opens an example; the picture comes when there is time to predict it."""

    def __init__(self, id: str, title: str, story: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.id = id
        self._story = kept_together(first_sentence(story))
        self._shown: tuple[Scenario, Prediction, Catalog] | None = None
        self._picture = QPixmap()
        self._scaled = QPixmap()
        LOOK.changed.connect(self._draw_board)
        self.setText(title)
        self.setAccessibleName(title)
        self.setAccessibleDescription(first_sentence(story))
        self.setToolTip(" ".join(story.split()))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMaximumHeight(HIGHEST)

    @property
    def has_picture(self) -> bool:
        return not self._picture.isNull()

    def show_board(self, scenario: Scenario, prediction: Prediction, catalog: Catalog) -> None:
        self._shown = (scenario, prediction, catalog)
        self._draw_board()

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().lineSpacing()
        title = 2 * self._title_font_height()
        picture = round(LEAST_WIDTH * 1.3 * PICTURE_SHARE)
        words = title + WORDS_LINES * line
        return QSize(LEAST_WIDTH, round(picture + words + 2 * PAD + GAP))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def _title_font_height(self) -> int:
        return self.fontMetrics().lineSpacing() + 2

    def _draw_board(self) -> None:
        if self._shown is not None:
            size = _picture_size(self._shown[0])
            picture = board_picture(
                *self._shown, size, theme=LOOK.theme, style=locale_style(), ratio=2.0
            )
            self._picture = QPixmap.fromImage(picture)
            self._scaled = QPixmap()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        self._paint_frame(painter, box)
        high = box.height() - self._words_height(box.width() - 2 * PAD) - 2 * PAD - GAP
        picture = QRectF(box.left() + PAD, box.top() + PAD, box.width() - 2 * PAD, high)
        self._paint_picture(painter, picture)
        top = picture.bottom() + GAP
        rest = QRectF(picture.left(), top, picture.width(), box.bottom() - top)
        wrap = Qt.TextFlag.TextWordWrap
        painter.setFont(scaled_font(self.font(), 1.0, QFont.Weight.DemiBold))
        painter.setPen(QColor(LOOK.theme.text))
        used = painter.boundingRect(rest, wrap, self.text()).height()
        painter.drawText(rest, wrap, self.text())
        story = QRectF(rest.left(), rest.top() + used + 2, rest.width(), box.bottom() - rest.top())
        painter.setFont(self.font())
        painter.setPen(QColor(LOOK.theme.muted))
        painter.drawText(story.adjusted(0, 0, 0, -used - PAD), wrap, self._story)
        painter.end()

    def _words_height(self, width: float) -> float:
        """The room of title and story; where a narrow card needs more, its picture gets less."""
        line, wrap = self.fontMetrics().lineSpacing(), Qt.TextFlag.TextWordWrap
        usual = 2 * self._title_font_height() + WORDS_LINES * line
        room = QRect(0, 0, int(width), self.height())
        heading = QFontMetrics(scaled_font(self.font(), 1.0, QFont.Weight.DemiBold))
        title = heading.boundingRect(room, wrap, self.text()).height()
        story = self.fontMetrics().boundingRect(room, wrap, self._story).height()
        return float(max(usual, title + 2 + story))

    def _paint_frame(self, painter: QPainter, box: QRectF) -> None:
        theme = LOOK.theme
        hot = self.underMouse() or self.isDown()
        painter.setBrush(QColor(theme.accent_soft if hot else theme.panel))
        focused = self.hasFocus()
        painter.setPen(QPen(QColor(theme.accent if focused else theme.line), 2 if focused else 1))
        painter.drawRoundedRect(box, 9, 9)

    def _paint_picture(self, painter: QPainter, box: QRectF) -> None:
        """The upper part of the board, made small once for each size."""
        painter.fillRect(box, QColor(LOOK.theme.ground))
        if self._picture.isNull():
            return
        ratio = self.devicePixelRatioF()
        wide = round(box.width() * ratio)
        if self._scaled.width() != wide:
            smooth = Qt.TransformationMode.SmoothTransformation
            self._scaled = self._picture.scaledToWidth(wide, smooth)
        high = min(float(self._scaled.height()), box.height() * ratio)
        target = QRectF(box.left(), box.top(), box.width(), high / ratio)
        painter.drawPixmap(target, self._scaled, QRectF(0, 0, wide, high))

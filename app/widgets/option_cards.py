"""The options that are best at something as cards: drawing, parts, verdict, and what holds each."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QPushButton, QSizePolicy, QWidget

from app.language import local, tr
from app.look import LOOK
from app.widgets.labels import OneLine
from app.widgets.marks import chip_size, draw_chip, scaled_font, verdict_colour, verdict_icon
from app.widgets.painting import draw_box
from app.widgets.parts import STRETCH, in_column, in_row, styled, wrapped
from app.widgets.thumbnails import Look, Thumbnail, thumbnail
from models.base.texts import opening
from models.options.option import Option
from models.predict.prediction import Shown
from models.tell.options import Card

PICTURE_LINES, PICTURE_SHAPE = 3.4, 1.5
"""Height of a drawing in lines of text, and its width over its height."""
LEAST_LETTERS, MOST_LETTERS = 28, 44
PARTS, HOLDS = 4, 4
"""Lines of what is bought, and of what holds it and what more of it costs."""
AROUND = 9


class VerdictChip(QWidget):
    """A verdict as icon and word."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = Shown(None, "")

    def show_verdict(self, shown: Shown) -> None:
        self._shown = shown
        self.setToolTip(opening(local(shown.words)))
        self.setAccessibleName(local(shown.words))
        self.update()

    @property
    def words(self) -> str:
        """What is written: fewer words where there is little room."""
        whole = local(self._shown.words)
        is_room = chip_size(self.font(), whole).width() <= self.width()
        return whole if is_room else local(self._shown.brief)

    def sizeHint(self) -> QSize:
        return chip_size(self.font(), local(self._shown.brief)).toSize()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        size = chip_size(self.font(), self.words)
        box = QRectF(0, 0, min(size.width(), self.width()), min(size.height(), self.height()))
        colour = verdict_colour(self._shown, LOOK.theme)
        draw_chip(painter, box, verdict_icon(self._shown), self.words, colour)
        painter.end()


class Drawing(QWidget):
    """The board of an option as a small picture."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._option: Option | None = None
        self._drawn: Thumbnail | None = None
        high = round(QFontMetricsF(self.font()).height() * PICTURE_LINES)
        self.setFixedSize(round(high * PICTURE_SHAPE), high)

    def show_option(self, option: Option) -> None:
        self._option = option
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        option = self._option
        if option is None:
            return
        look = Look(self.size(), LOOK.theme, self.devicePixelRatioF())
        drawn = self._drawn
        if drawn is None or drawn.scenario is not option.scenario or drawn.look != look:
            drawn = self._drawn = thumbnail(option.scenario, option.end, look)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, drawn.picture)
        painter.end()


class OptionCard(QAbstractButton):
    """One option; a click or Space chooses it, the button on it makes it a scenario.

    Signals:
        chosen: its number; `taken`: the same, to become a scenario.
    """

    chosen = Signal(str)
    taken = Signal(str)

    def __init__(self, number: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number = number
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.drawing = Drawing(self)
        self.title = wrapped("", self)
        self.title.setFont(scaled_font(self.font(), 1.0, QFont.Weight.DemiBold))
        self.chip = VerdictChip(self)
        self.left = OneLine("", self)
        self.parts = [OneLine("", self) for _ in range(PARTS)]
        self.cost = OneLine("", self)
        self.holds = [styled(OneLine("", self), "muted") for _ in range(HOLDS)]
        self.take = QPushButton(self)
        self.take.clicked.connect(self._take)
        self.clicked.connect(self._choose)
        letter = QFontMetricsF(self.font()).averageCharWidth()
        self.setMinimumWidth(round(LEAST_LETTERS * letter) + 2 * AROUND)
        self.setMaximumWidth(round(MOST_LETTERS * letter) + 2 * AROUND)
        head = in_column(gap=2).put(self.title, self.chip, self.left)
        top = in_row(gap=8).put((self.drawing, 0, Qt.AlignmentFlag.AlignTop), (head, 1))
        in_column(self, gap=1, around=(AROUND, 8, AROUND, 8)).put(
            top, 3, *self.parts, self.cost, 2, *self.holds, (STRETCH, 1), 4, self.take
        )
        for child in (self.drawing, self.chip, self.title, self.left, *self.parts, *self.holds):
            child.setMouseTracking(True)

    def show_card(self, option: Option, card: Card, take: str) -> None:
        """Shows an option; `take` is what its button says."""
        self.drawing.show_option(option)
        self.chip.show_verdict(card.shown)
        self.title.setText(local(card.title))
        self.left.setText(local(card.left))
        for labels, texts in ((self.parts, card.parts), (self.holds, card.holds)):
            for label, text in zip(labels, (*texts, *[""] * len(labels)), strict=False):
                label.setText(local(text))
        self.holds[-1].setVisible(len(card.holds) == HOLDS)
        self.cost.setText(local(card.cost))
        self.cost.setVisible(bool(card.cost))
        said = (card.title, card.shown.words, card.left, *card.parts, card.cost, *card.holds)
        self.setAccessibleName("; ".join(local(text) for text in said if text))
        self.take.setText(take)
        self.take.setAccessibleName(f"{self.take.text()}: {local(card.title)}")

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return super().sizeHint() if layout is None else layout.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._take()

    def _choose(self) -> None:
        self.chosen.emit(self._number)

    def _take(self) -> None:
        self.taken.emit(self._number)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = LOOK.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_marked = self.isChecked() or self.hasFocus()
        draw_box(
            painter,
            QRectF(self.rect()).adjusted(1, 1, -1, -1),
            8,
            ground=theme.accent_soft if self.isChecked() else theme.panel,
            edge=theme.accent if is_marked else theme.line,
            width=1.5 if is_marked else 1.0,
        )
        painter.end()


class OptionCards(QWidget):
    """Cards beside each other, one for each option that is best at something.

    Signals:
        chosen: number of an option, from 1; `taken`: the same, to become a scenario.
    """

    chosen = Signal(str)
    taken = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Options that are best at something"))
        self.cards: dict[str, OptionCard] = {}
        self._row = in_row(self, gap=8)

    def show_cards(self, told: Mapping[str, tuple[Option, Card]], current: str, take: str) -> None:
        """Shows these by the numbers of their options; the card of `current` is marked."""
        if list(told) != list(self.cards):
            for card in self.cards.values():
                self._row.removeWidget(card)
                card.hide()
                card.deleteLater()
            self.cards = {number: self._made(number) for number in told}
        for number, (option, text) in told.items():
            self.cards[number].show_card(option, text, take)
            self.cards[number].setChecked(number == current)

    def _made(self, number: str) -> OptionCard:
        card = OptionCard(number, self)
        card.chosen.connect(self.chosen)
        card.taken.connect(self.taken)
        self._row.put((card, 1))
        return card

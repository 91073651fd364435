"""The bar above the board: find, colour by, fold, and what the signs on the cards mean."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QFont,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from app.icons import draw_icon, icon
from app.language import lowered, tr
from app.look import LOOK
from app.theme import Theme
from app.widgets.board.faces import KINDS
from app.widgets.board.signs import draw_stripe
from app.widgets.board.tints import ColourBy, Tint
from app.widgets.fields.choice import Choice, ChoiceField
from app.widgets.legend import Legend
from app.widgets.marks import verdict_colour, verdict_icon
from app.widgets.meters import draw_failure_mark, draw_limit_mark, draw_text
from app.widgets.painting import draw_box
from app.widgets.parts import STRETCH, in_row, styled, switch
from app.wording import tip_text
from models.predict.prediction import Verdict
from models.scenario.scenario import Scenario
from models.scenario.workloads import WORKLOADS, WorkloadKind

HEIGHT = 36
FIND_WIDTH = 190
FIND_LEAST = 150
FAILURE = ("failure", tr("with the worst host lost"))
LIMIT = ("limit", tr("limit"))
TALLER = ("taller", tr("taller: asks for more of its host"))


class BoardBar(QWidget):
    """What belongs to the whole board, in one line above it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = _FindField(self)
        self.count = styled(QLabel(self), "muted")
        self.colour = ChoiceField(parent=self)
        tip = tr("Fold all hosts to their meters")
        self.fold = switch(self, "", tip=tip, name=tr("Fold all hosts"))
        self.legend = BoardLegend((FAILURE, LIMIT), self)
        self.banner = Banner(self)
        self._set_up()

    def _set_up(self) -> None:
        self.setFixedHeight(HEIGHT)
        self.colour.setMinimumContentsLength(11)
        self.colour.setAccessibleName(tr("Colour the VM cards by"))
        self.colour.offer(
            [
                Choice(
                    by,
                    tr("By {what}", what=by.value if by is ColourBy.DOMINO else lowered(by.value)),
                )
                for by in ColourBy
            ]
        )
        self.colour.hold_whole()
        self.colour.show_value(ColourBy.WORKLOAD)
        self.colour.setToolTip(tr("What the colours of the VM cards stand for"))
        in_row(self, gap=6, around=(4, 2, 6, 4)).put(
            self.field, self.count, self.colour, self.fold, (STRETCH, 1), self.legend
        )
        self.count.hide()
        self._show_fold()

    def show_folded(self, is_folded: bool) -> None:
        """Whether all hosts are folded, without asking for anything."""
        if is_folded == self.fold.isChecked():
            return
        self.fold.blockSignals(True)
        self.fold.setChecked(is_folded)
        self.fold.blockSignals(False)
        self._show_fold()

    def show_colour(self, by: ColourBy) -> None:
        self.colour.show_value(by)

    def show_count(self, words: str) -> None:
        """How many things are found; nothing while nothing is looked for."""
        if words != self.count.text():
            self.count.setText(words)
            self.count.setVisible(bool(words))
            self._fit()

    def show_key(self, scenario: Scenario, tints: Iterable[Tint], by: ColourBy) -> None:
        """What the colours stand for."""
        self.legend.show_key(scenario, tuple(tints), by)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.banner.setGeometry(self.rect().adjusted(4, 1, -4, -3))
        self._fit()

    def _fit(self) -> None:
        """The legend takes what room is left; where there is none its words are in its tip."""
        wide = self.width() >= 620
        self.field.setFixedWidth(FIND_WIDTH if wide else FIND_LEAST)
        used = self.field.width() + self.colour.sizeHint().width() + self.fold.sizeHint().width()
        used += self.count.sizeHint().width() + 6 if self.count.isVisibleTo(self) else 0
        self.legend.setVisible(self.legend.fit(self.width() - used - 46))

    def _show_fold(self) -> None:
        name = "chevron-right" if self.fold.isChecked() else "chevron-down"
        self.fold.setIcon(icon(name))


class Banner(QWidget):
    """One sentence over the whole bar, with the sign of a verdict."""

    spoken_role = QAccessible.Role.AlertMessage

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.words = ""
        """What it says; nothing while it is hidden."""
        self._verdict: Verdict | None = None
        self.hide()

    def say(self, words: str, verdict: Verdict | None = None) -> None:
        """Shows a sentence; hides when there is none."""
        if (words, verdict) == (self.words, self._verdict):
            return
        self.words, self._verdict = words, verdict
        self.setAccessibleName(words)
        self.setToolTip(tip_text(words))
        self.setVisible(bool(words))
        self.raise_()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, box = LOOK.theme, QRectF(self.rect())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_fit = self._verdict is Verdict.FITS
        ground = theme.accent if is_fit else verdict_colour(self._verdict, theme)
        draw_box(painter, box, 7, ground=ground)
        sign = QRectF(12, box.center().y() - 9, 18, 18)
        draw_icon(painter, sign, verdict_icon(self._verdict), theme.on_accent)
        draw_text(
            painter,
            box.adjusted(38, 0, -12, 0),
            self.words,
            colour=theme.on_accent,
            size_px=13.0,
            weight=QFont.Weight.DemiBold,
        )
        painter.end()


class _FindField(QLineEdit):
    """Words to look for on the board; Enter goes on, Escape goes back.

    Signals:
        stepped: go to the next thing found; True: to the one before.
        left: the board gets the keys back.
    """

    stepped = Signal(bool)
    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAcceptDrops(False)
        self.setPlaceholderText(tr("Find on the board"))
        self.setAccessibleName(tr("Find on the board"))
        self.setToolTip(tr("Names, kinds of work, machines, verdicts: “iNotes at risk”"))
        sign = self.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        sign.setText(self.accessibleName())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.stepped.emit(bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.left.emit()
        else:
            super().keyPressEvent(event)


class BoardLegend(Legend):
    """The signs of the board: marks on the meters, and what the cards are coloured by."""

    def __init__(self, entries: tuple[tuple[str, str], ...], parent: QWidget) -> None:
        super().__init__(entries, parent)
        self._tints: dict[str, Tint] = {}

    def show_key(self, scenario: Scenario, tints: tuple[Tint, ...], by: ColourBy) -> None:
        """The colours of the cards: icons for kinds of work, else stripes."""
        self._tints = {tint.words: tint for tint in tints}
        if by is ColourBy.WORKLOAD:
            kinds = {vm.workload.kind for vm in scenario.vms}
            colours = tuple((kind.value, KINDS[kind]) for kind in WorkloadKind if kind in kinds)
        else:
            colours = tuple((f"tint {tint.words}", tint.words) for tint in tints)
        self.set_entries((FAILURE, LIMIT, *colours, TALLER))

    def draw_sign(self, painter: QPainter, box: QRectF, sign: str, theme: Theme) -> None:
        middle = box.center()
        tint = self._tints.get(sign.removeprefix("tint "))
        if sign == FAILURE[0]:
            draw_failure_mark(painter, middle, theme, 1.1)
        elif sign == LIMIT[0]:
            draw_limit_mark(painter, middle, theme, 1.0)
        elif sign == TALLER[0]:
            _draw_taller(painter, middle, theme)
        elif tint is not None:
            stripe = QRectF(middle.x() - 3, middle.y() - 7, 6, 14)
            draw_stripe(painter, stripe, tint, theme, 1.0)
        else:
            kind = WorkloadKind(sign)
            square = QRectF(middle.x() - 7, middle.y() - 7, 14, 14)
            draw_icon(painter, square, WORKLOADS[kind].icon, theme.workload(kind))


def _draw_taller(painter: QPainter, middle: QPointF, theme: Theme) -> None:
    """A low card beside a tall one."""
    for x, y, high in ((-9, -2, 6), (1, -7, 12)):
        card = QRectF(middle.x() + x, middle.y() + y, 8, high)
        draw_box(painter, card, 1.5, edge=theme.line_strong, width=1.2)

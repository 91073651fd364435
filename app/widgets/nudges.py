"""Plus and minus beside the dials: each press acts at once, a press held down is one step.

**Restore** goes back to the design as it was when nudging began: before the first of the nudges
that follow each other. Any other edit ends the row; undoing nudges does not. Of a scenario that was
recommended it goes back to that, whatever was done since.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QPushButton, QSizePolicy, QToolButton, QWidget

from app.icons import icon
from app.language import local, tr, trn
from app.look import LOOK
from app.selection import Selection
from app.session import Session, View
from app.widgets.marks import scaled_font
from app.widgets.painting import draw_box
from app.widgets.parts import STRETCH, in_row
from app.widgets.roles import tell_value
from app.wording import locale_style, tip_text
from models.base.errors import ModelError
from models.scenario.edit_origins import keeping_pins
from models.scenario.scenario import Scenario
from models.scenario.wording import Style
from models.single_changes.nudge import TITLES as KNOB_WORDS
from models.single_changes.nudge import Aim, Knob, aim, turned

MORE_KEYS = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Plus})
LESS_KEYS = frozenset({Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Minus})
REPEAT_MS, WAIT_MS = 90, 350
HEIGHT_LINES = 2.55
TITLE_LINES, TITLE_FACTOR = 1.0, 0.86
SIGN_PX, SIGN_GAP = 12, 2
VALUE_FACTORS = (1.0, 0.92, 0.84, 0.76)
TITLE_EDGE = 5
WIDEST = "1,000\N{EN DASH}2,000"
TITLES = {knob: local(words) for knob, words in KNOB_WORDS.items()}
SHORT = {Knob.HOST_RAM: "RAM", Knob.VM_RAM: "RAM"}
"""What a knob turns, where the name of the item beside it says the rest."""


class Nudger(QWidget):
    """One knob: minus, what it turns and has now, plus.

    The whole takes the focus; arrow keys, plus and minus act on it.

    Signals:
        nudged: the knob and +1 or −1; once more for each repetition while it is held.
        finished: the hand has left it.
    """

    spoken_role = QAccessible.Role.SpinBox

    nudged = Signal(object, int)
    finished = Signal()

    def __init__(self, knob: Knob, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.knob = knob
        self.aim = Aim(knob, (), "", "")
        self.less = self._button("own-minus", tr("Less: {titles}", titles=TITLES[knob]))
        self.more = self._button("plus", tr("More: {titles}", titles=TITLES[knob]))
        self.less.pressed.connect(self._pressed_less)
        self.more.pressed.connect(self._pressed_more)
        for button in (self.less, self.more):
            button.released.connect(self._released)
        in_row(self, gap=0, around=(1, round(self._title_height()), 1, 1)).put(
            self.less, (STRETCH, 1), self.more
        )
        self.setAccessibleName(TITLES[knob])
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)

    @property
    def spoken_value(self) -> str:
        return self.aim.value

    def show_aim(self, aim: Aim) -> None:
        if aim == self.aim:
            return
        self.aim = aim
        words = TITLES[self.knob]
        if aim.who:
            words = tr("{what} of {who}", what=words, who=local(aim.who))
        self.setAccessibleName(f"{words}: {aim.value}")
        self.setAccessibleDescription(tr("Up and Down change it"))
        tip = tr(
            "{words}: {value}. Press and hold to go on; Up and Down do the same.",
            words=words,
            value=aim.value,
        )
        self.setToolTip(tip_text("\n".join(filter(None, (tip, local(aim.note))))))
        self.setEnabled(bool(aim.ids))
        tell_value(self)
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(scaled_font(self.font(), 1.05))
        words = max(metrics.horizontalAdvance(WIDEST), metrics.height() * 4.4)
        return QSize(round(words) + 2 * self.less.sizeHint().width(), self._height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.sizeHint().width() - 24, self._height())

    def _height(self) -> int:
        return round(QFontMetricsF(self.font()).height() * HEIGHT_LINES)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, box = LOOK.theme, QRectF(self.rect()).adjusted(1, 1, -1, -1)
        edge = theme.accent if self.hasFocus() else theme.line
        draw_box(painter, box, 7, ground=theme.raised, edge=edge, width=1.5)
        title = box.adjusted(TITLE_EDGE, 2, -TITLE_EDGE, 0)
        title.setHeight(self._title_height())
        self._line(painter, title, self.title, TITLE_FACTOR, theme.muted)
        value = self.aim.value or "\N{EN DASH}"
        ink = theme.text if self.aim.ids else theme.muted
        self._line(painter, self._value_box(box), value, self.value_factor, ink)
        painter.end()

    def _value_box(self, box: QRectF) -> QRectF:
        """Between the signs of the buttons, which have room around them."""
        aside = (self.less.width() + SIGN_PX) / 2 + SIGN_GAP
        return box.adjusted(aside, self._title_height(), -aside, -1)

    @property
    def value_factor(self) -> float:
        """The largest type in which the value has room: the ends of a range are numbers, which are
        never cut short."""
        room = self._value_box(QRectF(self.rect()).adjusted(1, 1, -1, -1)).width()
        for factor in VALUE_FACTORS:
            metrics = QFontMetricsF(scaled_font(self.font(), factor))
            if metrics.horizontalAdvance(self.aim.value) <= room:
                return factor
        return VALUE_FACTORS[-1]

    def _title_height(self) -> float:
        return QFontMetricsF(self.font()).height() * TITLE_LINES

    @property
    def title(self) -> str:
        """What it turns, and of what."""
        who = local(self.aim.who)
        return f"{SHORT.get(self.knob, TITLES[self.knob])} · {who}" if who else TITLES[self.knob]

    def _line(self, painter: QPainter, box: QRectF, words: str, factor: float, colour: str) -> None:
        font = scaled_font(self.font(), factor)
        painter.setFont(font)
        painter.setPen(QColor(colour))
        shown = QFontMetricsF(font).elidedText(words, Qt.TextElideMode.ElideMiddle, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shown)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.finished.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in MORE_KEYS | LESS_KEYS:
            self.nudged.emit(self.knob, 1 if event.key() in MORE_KEYS else -1)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() in MORE_KEYS | LESS_KEYS and not event.isAutoRepeat():
            self.finished.emit()
        else:
            super().keyReleaseEvent(event)

    def _button(self, sign: str, words: str) -> QToolButton:
        button = QToolButton(self)
        button.setIconSize(QSize(SIGN_PX, SIGN_PX))
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        button.setAutoRepeat(True)
        button.setAutoRepeatDelay(WAIT_MS)
        button.setAutoRepeatInterval(REPEAT_MS)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setAccessibleName(words)
        button.setToolTip(words)
        button.setIcon(icon(sign))
        return button

    def _pressed_less(self) -> None:
        self.nudged.emit(self.knob, -1)

    def _pressed_more(self) -> None:
        self.nudged.emit(self.knob, 1)

    def _released(self) -> None:
        """A button that repeats itself says so too, but stays down."""
        if not (self.less.isDown() or self.more.isDown()):
            self.finished.emit()


@dataclass(slots=True)
class _Gesture:
    """A knob being dragged: where it began, what it turns, and how far it is."""

    knob: Knob
    start: Scenario
    ids: tuple[str, ...]
    steps: int = 0


class NudgeStrip(QWidget):
    """All knobs and *Restore*, in one row.

    Signals:
        nudged: the words of the step that was made.
    """

    nudged = Signal(str)

    def __init__(
        self,
        session: Session,
        selection: Selection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._selection = selection
        self._gesture: _Gesture | None = None
        self._place = session.place
        self._aimed: tuple[View, tuple[str, ...], Style] | None = None
        self._row: list[tuple[str, Scenario]] = []
        self._turned: dict[Knob, tuple[str, ...]] = {}
        self.nudgers = {knob: Nudger(knob, self) for knob in Knob}
        self.restore_button = QPushButton(icon("own-restore"), tr("Restore"), self)
        self.restore_button.clicked.connect(self.restore)
        for nudger in self.nudgers.values():
            nudger.nudged.connect(self.nudge)
            nudger.finished.connect(self.finish)
        in_row(self, gap=5).put(*self.nudgers.values(), 3, self.restore_button)
        self.setAccessibleName(tr("Nudges"))
        session.view_changed.connect(self._view_changed)
        session.project_changed.connect(self._project_changed)
        selection.changed.connect(self._selected)
        self._view_changed(session.view)
        self._show_restore()

    @property
    def count(self) -> int:
        """Number of nudges that *Restore* takes back."""
        return max(len(self._row) - 1, 0)

    @property
    def can_restore(self) -> bool:
        """There is something else to go back to."""
        recommended = self._session.recommended
        if recommended is not None:
            return recommended != self._session.scenario
        return bool(self.count)

    def nudge(self, knob: Knob, by: int) -> None:
        """Turns a knob by one step; within a gesture the steps add up to one edit."""
        held = self._gesture
        if held is None or held.knob is not knob:
            self.finish()
            held = _Gesture(knob, self._session.scenario, self.nudgers[knob].aim.ids)
            self._gesture = held
        try:
            after, text = self._after(held, held.steps + by)
        except ModelError as error:
            self._session.message.emit(tr("Not changed: {error}.", error=error.reason))
            return
        held.steps += by
        self._turned = {knob: held.ids}  # once more is of the same items, whatever binds by then
        self._make(after, text, f"nudge {knob}")

    def _after(self, held: _Gesture, steps: int) -> tuple[Scenario, str]:
        if not steps:
            return held.start, TITLES[held.knob]
        style = locale_style()
        catalog, earlier = self._session.catalog, self._earlier(held.start)
        change = turned(
            held.start, catalog, held.knob, held.ids, steps, earlier=earlier, style=style
        )
        after = keeping_pins(held.start, change.scenario)
        if after == held.start:
            raise ModelError(tr("it is pinned"))
        return after, self._priced(local(change.text), held.start, after)

    def _priced(self, words: str, before: Scenario, after: Scenario) -> str:
        """With what more or less is to be bought, where there is a price book."""
        book = self._session.prices
        if book is None:
            return words
        from models.prices.cost import bought_more
        from models.tell.costs import more_text

        more = bought_more(before, after, self._session.catalog, book)
        return words if more is None else f"{words}: {local(more_text(more, book.currency))}"

    def _earlier(self, start: Scenario) -> list[Scenario]:
        """The designs of the row before the one in which a knob was taken."""
        designs = [scenario for _, scenario in self._row]
        places = [place for place, design in enumerate(designs) if design is start]
        return designs[: places[-1]] if places else []

    def finish(self) -> None:
        """The hand has left the knob: the next nudge is a step of its own."""
        if self._gesture is None:
            return
        self._gesture = None
        self._session.end_gesture()
        if self._row and self._row[-1][1] == self._row[0][1]:
            self._row.clear()  # there and back: nothing is left to restore
            self._show_restore()

    def restore(self) -> None:
        """Back to what was recommended, or to the design before the first nudge, as one step."""
        self.finish()
        count, recommended = self.count, self._session.recommended
        if not self.can_restore:
            return
        if recommended is not None:
            self._row.clear()
            self._session.edit(recommended, tr("Restore the recommendation"))
            self._show_restore()
            return
        words = trn("{count} nudge", "{count} nudges", count)
        first = self._row[0][1]
        self._row.clear()
        self._session.edit(first, tr("Restore the design before {words}", words=words))
        self._show_restore()

    # ------------------------------------------------------------------ the row of nudges

    def _make(self, after: Scenario, text: str, merge_key: str) -> None:
        """Makes the edit and notes it in the row, which begins with what stood before."""
        session = self._session
        active, before = session.project.active, session.scenario
        row = self._row or [(active, before)]
        held = self._gesture
        is_merged = len(row) > 1 and held is not None and row[-2][1] is held.start
        session.edit(after, text, merge_key=merge_key)
        now = (session.project.active, session.scenario)
        row = row[:-1] if is_merged else row
        is_back = held is not None and not held.steps
        self._row = row if is_back else [*row, now]
        self._show_restore()
        self.nudged.emit(text)

    def _project_changed(self, _project: object) -> None:
        """What is not one of the row's own designs ends the row; undo goes back in it."""
        if self._place != self._session.place:  # what is held belongs to another scenario
            self._place, self._gesture = self._session.place, None
        now = (self._session.project.active, self._session.scenario)
        there = [n for n, each in enumerate(self._row) if each[0] == now[0] and each[1] is now[1]]
        if self._gesture is None:
            self._row = self._row[: there[0] + 1] if there and there[0] else []
            if not self._row:
                self._turned = {}
        self._show_restore()

    def _show_restore(self) -> None:
        count = self.count
        self.restore_button.setEnabled(self.can_restore)
        if self._session.recommended is not None:
            self.restore_button.setToolTip(
                tr("Back to the design as it was recommended, whatever was changed since")
            )
            return
        words = trn("{count} nudge", "{count} nudges", count)
        tip = tr("Back to the design as it was when nudging began")
        self.restore_button.setToolTip(
            tr("{tip}: {words} ago", tip=tip, words=words) if count else tip
        )

    def _view_changed(self, view: View) -> None:
        """Knobs turn what is stored: a host that is held down leaves them alone."""
        if view.lost:
            return
        if self._gesture is None:
            self._aim(view)
        else:
            self._aim_held(view)

    def _aim(self, view: View) -> None:
        style, selected = locale_style(), self._selection.ids
        if self._is_aimed(view, selected, style):
            return
        self._aimed = (view, selected, style)
        there = {item.id for item in view.today.items()}
        for knob, nudger in self.nudgers.items():
            again = self._turned.get(knob, ())
            if again and there.issuperset(again):
                nudger.show_aim(aim(view.today, None, again, knob, style=style))
            else:
                nudger.show_aim(aim(view.today, view.prediction, selected, knob, style=style))

    def _is_aimed(self, view: View, selected: tuple[str, ...], style: Style) -> bool:
        """It shows this already: a host that was held down is there again."""
        if self._aimed is None:
            return False
        at, others, spoken = self._aimed
        is_same = (
            at.scenario is view.scenario
            and at.today is view.today
            and at.prediction is view.prediction
        )
        return is_same and (others, spoken) == (selected, style)

    def _aim_held(self, view: View) -> None:
        """While a knob is held, what it turns stays the same whatever binds now."""
        held, style = self._gesture, locale_style()
        there = {item.id for item in view.today.items()}
        if held is not None:
            ids = [id for id in held.ids if id in there]
            nudger = self.nudgers[held.knob]
            self._aimed = None
            nudger.show_aim(aim(view.today, None, ids, held.knob, style=style))

    def _selected(self) -> None:
        self.finish()
        self._turned = {}
        session = self._session
        self._aim(session.stored_view if session.view.lost else session.view)

"""One field of the inspector: label, editor, unit, and a line for what is to be said about it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QPushButton,
    QWidget,
)

from app.language import local, tr
from app.widgets.fields.choice import Choice, ChoiceField, FlagField
from app.widgets.fields.line import MIXED
from app.widgets.fields.number import NumberField
from app.widgets.fields.several import SeveralField
from app.widgets.fields.slider import NumberSlider
from app.widgets.fields.text import NotesField, TextField
from app.widgets.inspector.badge import OriginBadge
from app.widgets.inspector.specs import Form, Section, Spec
from app.widgets.labels import FoldButton, Sign, tint
from app.widgets.parts import Line, in_column, in_row, styled
from app.widgets.users_asked import LINK
from app.wording import locale_style
from models.catalog.catalog import Catalog
from models.scenario.inputs import origin_of
from models.scenario.origin import Origin
from models.scenario.scenario import Scenario

USER_COUNTS = {
    "workload.active_users": "active_users",
    "workload.registered_users": "registered_users",
}
"""Fields that user arithmetic can fill, and the number of it that goes there."""

Editor = NumberField | TextField | NotesField | ChoiceField | SeveralField | FlagField


class Remark(QWidget):
    """A refusal with its sign, or how a number was read; takes no room when there is nothing.

    Every field has one and few say anything: its parts are made with the first words.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: tuple[Sign, QLabel] | None = None
        self.hide()

    @property
    def text(self) -> str:
        return self._parts[1].text() if self._parts else ""

    def say(self, text: str, is_refusal: bool) -> None:
        if self._parts is None and not text:
            return
        self._parts = sign, words = self._parts or self._made()
        words.setText(text)
        ink = "bad" if is_refusal else "muted"
        sign.show_sign("circle-x" if is_refusal else "info", ink)
        tint(words, ink)
        self.setVisible(bool(text))

    def _made(self) -> tuple[Sign, QLabel]:
        sign = Sign(parent=self, side=self.fontMetrics().height() - 2)
        words = QLabel(self)
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setWordWrap(True)
        in_row(self, gap=5, around=(0, 0, 0, 2)).put(
            (sign, 0, Qt.AlignmentFlag.AlignTop), (words, 1)
        )
        return sign, words


class FieldRow(QWidget):
    """A field that shows one value of the selected items and asks for another.

    Signals:
        asked: the spec and the new value.
        origin_asked: the spec and who is to have given the value.
        pin_asked: the spec and whether the value is to be pinned.
        users_asked: the spec of users that are to be worked out.
        finished: the hand has left the field.
    """

    asked = Signal(object, object)
    users_asked = Signal(object)
    origin_asked = Signal(object, object)
    pin_asked = Signal(object, bool)
    finished = Signal()

    def __init__(self, spec: Spec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spec = spec
        self.editor = make_editor(spec, self)
        self.remark = Remark(self)
        self.slider = _slider(spec, self)
        self._is_below = False
        label = "" if spec.form is Form.FLAG else spec.label
        self._label = styled(QLabel(label, self), "muted")
        self._label.setBuddy(self.editor)
        self.badge = OriginBadge(spec.label, self) if spec.path else None
        self._unit = styled(QLabel(spec.unit, self), "muted")
        self.link = self._link()
        self._name_for_screen_readers()
        self._lay_out()
        self.editor.committed.connect(self._committed)
        self.editor.said.connect(self.remark.say)
        self.editor.finished.connect(self.finished)
        if self.slider is not None:
            self.slider.moved_to.connect(self._committed)
            self.slider.finished.connect(self.finished)
        if self.badge is not None:
            self.badge.origin_asked.connect(self._ask_origin)
            self.badge.pin_asked.connect(self._ask_pin)

    @property
    def label_width(self) -> int:
        """Room that the label needs; the badge below it may need more."""
        return self._label.sizeHint().width()

    @property
    def unit_width(self) -> int:
        return self._unit.sizeHint().width()

    def set_columns(self, label_width: int, unit_width: int) -> None:
        """Lines the row up with the others."""
        self._grid.setColumnMinimumWidth(0, label_width)
        self._unit.setFixedWidth(unit_width)
        self._make_room()

    def show_items(self, items: Sequence[Any], scenario: Scenario, catalog: Catalog) -> None:
        """Shows the items' value; where they differ, that they do."""
        applies = all(self.spec.applies(item) for item in items)
        self.setVisible(applies)
        if not applies:
            return
        self._offer(items, scenario, catalog)
        values = [self.spec.shown(item, scenario) for item in items]
        is_mixed = any(value != values[0] for value in values)
        self._show(values[0], is_mixed)
        self._show_origins(items)
        if self.link is not None:
            self.link.setVisible(all(item.workload.kind.is_domino for item in items))
        if self.slider is not None:
            self.slider.show_value(values[0], " ".join(str(getattr(i, "id", "")) for i in items))
            self.slider.setEnabled(not is_mixed)
            self.slider.setAccessibleDescription(self._spoken(values[0], is_mixed))
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """A choice that can't be read whole beside its label stands below it."""
        if not isinstance(self.editor, ChoiceField):
            return
        beside = self.width() - self._grid.columnMinimumWidth(0) - self._grid.horizontalSpacing()
        is_below = self.editor.words_width > beside
        if is_below != self._is_below:
            self._is_below = is_below
            self._grid.removeWidget(self.editor)
            place = (1, 0, 1, 3) if is_below else (0, 1, 1, 2)
            self._grid.addWidget(self.editor, *place)

    def choices(self, scenario: Scenario, catalog: Catalog) -> Sequence[Choice]:
        is_chosen = self.spec.form in (Form.CHOICE, Form.SEVERAL)
        return self.spec.offers(scenario, catalog) if is_chosen else ()

    def refuse(self, reason: str) -> None:
        self.editor.refuse(reason)

    def forget(self) -> None:
        """Drops what was being typed or said: other items are shown now."""
        self.remark.say("", False)
        if isinstance(self.editor, NumberField | TextField | NotesField):
            self.editor.forget()

    def _offer(self, items: Sequence[Any], scenario: Scenario, catalog: Catalog) -> None:
        if isinstance(self.editor, SeveralField):
            ids = frozenset(getattr(item, "id", "") for item in items)
            self.editor.offer_from(partial(self._others, ids, scenario, catalog))
        if isinstance(self.editor, ChoiceField):
            self.editor.offer(self.choices(scenario, catalog))
        if self.spec.suggests and isinstance(self.editor, TextField):
            self.editor.suggest(self.spec.texts(scenario))

    def _spoken(self, value: Any, is_mixed: bool) -> str:
        """The number of the slider in words: its positions are no gibibytes."""
        return MIXED if is_mixed else self.spec.words(value, locale_style())

    def _others(
        self, ids: frozenset[str], scenario: Scenario, catalog: Catalog
    ) -> tuple[Choice, ...]:
        """What is offered, without the items themselves."""
        return tuple(c for c in self.choices(scenario, catalog) if c.value not in ids)

    def _show(self, value: Any, is_mixed: bool) -> None:
        if self.spec.form is Form.TEXT:
            value = value or ""
        self.editor.show_value(value, mixed=is_mixed)

    def _show_origins(self, items: Sequence[Any]) -> None:
        if self.badge is None:
            return
        path = self.spec.path
        found = {origin_of(item, path) for item in items}
        is_pinned = all(path in item.pins for item in items)
        self.badge.show_origin(found.pop() if len(found) == 1 else None, is_pinned=is_pinned)

    def _ask_origin(self, origin: Origin) -> None:
        self.origin_asked.emit(self.spec, origin)

    def _ask_pin(self, is_pinned: bool) -> None:
        self.pin_asked.emit(self.spec, is_pinned)

    def _committed(self, value: Any) -> None:
        self.asked.emit(self.spec, self.spec.kept(value))

    def _name_for_screen_readers(self) -> None:
        unit = self._unit.text()
        name = f"{self.spec.label} [{unit}]" if unit else self.spec.label
        self.editor.setAccessibleName(name)
        hint = local(self.spec.field.hint)
        self.editor.setAccessibleDescription(hint)
        self.editor.setToolTip(hint)
        self._label.setToolTip(hint)
        if self.slider is not None:
            self.slider.setAccessibleName(tr("{label}, slider", label=self.spec.label))

    def _lay_out(self) -> None:
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        top = isinstance(self.editor, NotesField)
        side = Qt.AlignmentFlag.AlignTop if top else Qt.AlignmentFlag(0)
        grid.addLayout(self._side(), 0, 0, side)
        has_unit = self.spec.form is Form.NUMBER
        grid.addWidget(self.editor, 0, 1, 1, 1 if has_unit else 2)
        if has_unit:
            grid.addWidget(self._unit, 0, 2)
        self._unit.setVisible(has_unit)
        if self.slider is not None:
            grid.addWidget(self.slider, 1, 1, 1, 2)
        grid.addWidget(self.remark, 2, 1, 1, 2)
        if self.link is not None:
            grid.addWidget(self.link, 3, 1, 1, 2, Qt.AlignmentFlag.AlignLeft)

    def _link(self) -> QPushButton | None:
        """The way to user arithmetic, below a number of users."""
        if self.spec.path not in USER_COUNTS:
            return None
        link = styled(QPushButton(LINK, self), "link")
        link.setAutoDefault(False)
        link.setCursor(Qt.CursorShape.PointingHandCursor)
        link.clicked.connect(self._ask_users)
        return link

    def _ask_users(self) -> None:
        self.users_asked.emit(self.spec)

    def _side(self) -> Line:
        """Label and badge, one below the other."""
        column = in_column(gap=0).put(self._label, self.badge)
        self._label.setVisible(bool(self._label.text()))
        return column


def make_editor(spec: Spec, parent: QWidget) -> Editor:
    """The widget that edits a spec's value."""
    field, empty = spec.field, spec.empty
    if spec.form is Form.NUMBER:
        return NumberField(
            limit=field.limit,
            step=field.step,
            whole=field.is_whole,
            scale=spec.scale,
            optional=field.is_optional,
            empty=empty,
            unit=spec.unit,
            parent=parent,
        )
    if spec.form is Form.CHOICE:
        return ChoiceField(parent=parent)
    if spec.form is Form.SEVERAL:
        return SeveralField(empty=empty, parent=parent)
    if spec.form is Form.FLAG:
        return FlagField(spec.label, parent)
    if field.text == "lines":
        return NotesField(empty=empty, parent=parent)
    return TextField(empty=empty, parent=parent)


def _slider(spec: Spec, parent: QWidget) -> NumberSlider | None:
    """Beside a number: its smallest difference, and the end of the range for small numbers."""
    field = spec.field
    if field.slide is None:
        return None
    grain, least_top = field.slide
    return NumberSlider(
        limit=field.limit, step=field.step, grain=grain, least_top=least_top, parent=parent
    )


class SectionBox(QWidget):
    """Rows under a heading; a folded section opens by click, Space or Enter, and has no rows before
    somebody wants one.

    Signals:
        made: its rows stand.
    """

    made = Signal(object)

    def __init__(self, section: Section, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.specs = section.specs
        self.rows: tuple[FieldRow, ...] = ()
        self._fold = FoldButton(section.title, self)
        self._body = QWidget(self)
        in_column(self, gap=6).put(self._fold, self._body)
        self._fold.toggled.connect(self._open)
        self._fold.setChecked(not section.folded)
        self._body.setVisible(not section.folded)

    def _open(self, is_open: bool) -> None:
        if is_open:
            self.make()
        self._body.setVisible(is_open)

    def make(self) -> None:
        """Makes the rows, if they don't stand yet."""
        if not self.rows:
            self.rows = tuple(FieldRow(spec, self._body) for spec in self.specs)
            in_column(self._body, gap=6, around=(0, 0, 0, 4)).put(*self.rows)
            self.made.emit(self.rows)

    def show_items(self, items: Sequence[Any], scenario: Scenario, catalog: Catalog) -> None:
        for row in self.rows:
            row.show_items(items, scenario, catalog)

"""One field of the inspector: label, editor, unit, and a line for what is to be said about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.icons import icon_pixmap
from app.theme import LIGHT, Theme
from app.widgets.fields import (
    Choice,
    ChoiceField,
    FlagField,
    NotesField,
    NumberField,
    TextField,
    UserSlider,
)
from app.widgets.inspector.specs import (
    ChoiceSpec,
    FlagSpec,
    NumberSpec,
    Section,
    Spec,
    TextSpec,
)
from app.widgets.labels import FoldButton, tint
from models.catalog import Catalog
from models.scenario import Scenario

Editor = NumberField | TextField | NotesField | ChoiceField | FlagField


class Remark(QWidget):
    """A refusal with its sign, or how a number was read; takes no room when there is nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._is_refusal = False
        self._sign = QLabel(self)
        self._words = QLabel(self)
        self._words.setWordWrap(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 2)
        row.setSpacing(5)
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._words, 1)
        self.hide()

    @property
    def text(self) -> str:
        return self._words.text()

    def say(self, text: str, is_refusal: bool) -> None:
        self._words.setText(text)
        self._is_refusal = is_refusal
        self._paint()
        self.setVisible(bool(text))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._paint()

    def _paint(self) -> None:
        colour = self._theme.bad if self._is_refusal else self._theme.muted
        name = "circle-x" if self._is_refusal else "info"
        side = self.fontMetrics().height() - 2
        self._sign.setPixmap(icon_pixmap(name, colour, side, self.devicePixelRatioF()))
        tint(self._words, colour)


class FieldRow(QWidget):
    """A field that shows one value of the selected items and asks for another.

    Signals:
        asked: the spec and the new value.
        finished: the hand has left the field.
    """

    asked = Signal(object, object)
    finished = Signal()

    def __init__(self, spec: Spec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spec = spec
        self.editor = make_editor(spec, self)
        self.remark = Remark(self)
        self.slider = _slider(spec, self)
        self._label = QLabel("" if isinstance(spec, FlagSpec) else spec.label, self)
        self._label.setProperty("role", "muted")
        self._label.setBuddy(self.editor)
        self._unit = QLabel(spec.unit if isinstance(spec, NumberSpec) else "", self)
        self._unit.setProperty("role", "muted")
        self._name_for_screen_readers()
        self._lay_out()
        self.editor.committed.connect(self._committed)
        self.editor.said.connect(self.remark.say)
        self.editor.finished.connect(self.finished)
        if self.slider is not None:
            self.slider.moved_to.connect(self._committed)
            self.slider.finished.connect(self.finished)

    @property
    def label_width(self) -> int:
        return self._label.sizeHint().width()

    def set_columns(self, label_width: int, unit_width: int) -> None:
        """Lines the row up with the others."""
        self._label.setFixedWidth(label_width)
        self._unit.setFixedWidth(unit_width)

    def set_theme(self, theme: Theme) -> None:
        self.remark.set_theme(theme)
        if isinstance(self.editor, ChoiceField):
            self.editor.set_theme(theme)
        if self.slider is not None:
            self.slider.set_theme(theme)

    def show_items(self, items: Sequence[Any], scenario: Scenario, catalog: Catalog) -> None:
        """Shows the items' value; where they differ, that they do."""
        applies = all(self.spec.applies(item) for item in items)
        self.setVisible(applies)
        if not applies:
            return
        self._offer(scenario, catalog)
        values = [self.spec.get(item) for item in items]
        is_mixed = any(value != values[0] for value in values)
        self._show(values[0], is_mixed)
        if self.slider is not None:
            self.slider.show_value(values[0], " ".join(str(getattr(i, "id", "")) for i in items))
            self.slider.setEnabled(not is_mixed)

    def choices(self, scenario: Scenario, catalog: Catalog) -> Sequence[Choice]:
        spec = self.spec
        return spec.offers(scenario, catalog) if isinstance(spec, ChoiceSpec) else ()

    def refuse(self, reason: str) -> None:
        self.editor.refuse(reason)

    def forget(self) -> None:
        """Drops what was being typed or said: other items are shown now."""
        self.remark.say("", False)
        if isinstance(self.editor, NumberField | TextField):
            self.editor.setModified(False)

    def _offer(self, scenario: Scenario, catalog: Catalog) -> None:
        if isinstance(self.editor, ChoiceField):
            self.editor.offer(self.choices(scenario, catalog))
        suggest = self.spec.suggest if isinstance(self.spec, TextSpec) else None
        if suggest is not None and isinstance(self.editor, TextField):
            self.editor.suggest(suggest(scenario))

    def _show(self, value: Any, is_mixed: bool) -> None:
        if isinstance(self.spec, TextSpec):
            value = value or ""
        self.editor.show_value(value, mixed=is_mixed)

    def _committed(self, value: Any) -> None:
        if isinstance(self.spec, NumberSpec):
            value = self.spec.kept(value)
        elif isinstance(self.spec, TextSpec) and self.spec.optional:
            value = value or None
        self.asked.emit(self.spec, value)

    def _name_for_screen_readers(self) -> None:
        unit = self._unit.text()
        name = f"{self.spec.label} [{unit}]" if unit else self.spec.label
        self.editor.setAccessibleName(name)
        self.editor.setAccessibleDescription(self.spec.hint)
        self.editor.setToolTip(self.spec.hint)
        self._label.setToolTip(self.spec.hint)
        if self.slider is not None:
            self.slider.setAccessibleName(f"{self.spec.label}, slider")

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        top = isinstance(self.spec, TextSpec) and self.spec.lines
        grid.addWidget(self._label, 0, 0, Qt.AlignmentFlag.AlignTop if top else Qt.AlignmentFlag(0))
        has_unit = isinstance(self.spec, NumberSpec)
        grid.addWidget(self.editor, 0, 1, 1, 1 if has_unit else 2)
        if has_unit:
            grid.addWidget(self._unit, 0, 2)
        self._unit.setVisible(has_unit)
        if self.slider is not None:
            grid.addWidget(self.slider, 1, 1, 1, 2)
        grid.addWidget(self.remark, 2, 1, 1, 2)


def make_editor(spec: Spec, parent: QWidget) -> Editor:
    """The widget that edits a spec's value."""
    if isinstance(spec, NumberSpec):
        return NumberField(
            limit=spec.limit,
            step=spec.step,
            whole=spec.whole,
            scale=spec.scale,
            optional=spec.optional,
            empty=spec.empty,
            parent=parent,
        )
    if isinstance(spec, ChoiceSpec):
        return ChoiceField(empty=spec.empty, parent=parent)
    if isinstance(spec, FlagSpec):
        return FlagField(spec.label, parent)
    if isinstance(spec, TextSpec) and spec.lines:
        return NotesField(empty=spec.empty, parent=parent)
    return TextField(empty=spec.empty if isinstance(spec, TextSpec) else "", parent=parent)


def _slider(spec: Spec, parent: QWidget) -> UserSlider | None:
    return UserSlider(parent) if isinstance(spec, NumberSpec) and spec.slider else None


class SectionBox(QWidget):
    """Rows under a heading; a folded section opens by click, Space or Enter."""

    def __init__(self, section: Section, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = tuple(FieldRow(spec, self) for spec in section.specs)
        self._fold = FoldButton(section.title, self)
        self._body = QWidget(self)
        body = QVBoxLayout(self._body)
        body.setContentsMargins(0, 0, 0, 4)
        body.setSpacing(6)
        for row in self.rows:
            body.addWidget(row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._fold)
        column.addWidget(self._body)
        self._fold.toggled.connect(self._body.setVisible)
        self._fold.setChecked(not section.folded)
        self._body.setVisible(not section.folded)

    def set_theme(self, theme: Theme) -> None:
        self._fold.set_theme(theme)
        for row in self.rows:
            row.set_theme(theme)

    def show_items(self, items: Sequence[Any], scenario: Scenario, catalog: Catalog) -> None:
        for row in self.rows:
            row.show_items(items, scenario, catalog)

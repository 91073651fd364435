"""The form of an advisor, made from the fields of its inputs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.language import local, tr
from app.widgets.fields.choice import Dropdown, TickBox
from app.widgets.parts import Scroller
from db.advice import inputs_to_json
from models.advise.advice import Topic
from models.base.fields import REQUIRED, Field, fields_of, value_at
from models.base.texts import Text, opening
from models.catalog.catalog import Catalog
from models.scenario.wording import number, with_unit

Editor = QLineEdit | Dropdown | QCheckBox | QPlainTextEdit
ROWS_HEIGHT, LABEL_PX, GAP_PX = 96, 5, 3
NO_ORIGINS: Mapping[str, Any] = {}


def leaves(kind: type, path: str = "") -> Iterator[tuple[str, Field]]:
    """The fields of inputs by path, those of values inside them too, lists of items as a whole."""
    for name, field in fields_of(kind).items():
        if field.is_nested and not field.is_list:
            yield from leaves(field.type, f"{path}{name}.")
        elif not (path and field.is_list):
            yield path + name, field


EDGE_PX, MOST_PX = 4, 340
"""Of the form, which is as wide as its fields ask for, up to a quarter of a small screen [px]."""


class AdvisorForm(Scroller):
    """An editor for each field of a topic; what a list of items holds is a line an item.

    Signals:
        changed: somebody entered something.
    """

    changed = Signal()

    def __init__(self, topic: Topic, catalog: Catalog, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.topic, self._catalog = topic, catalog
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setProperty("role", "reading")
        self.setAccessibleName(local(topic.title))
        content = QWidget()
        column = QVBoxLayout(content)
        self._form = QFormLayout()
        column.addLayout(self._form)
        column.addStretch(1)
        self._form.setVerticalSpacing(GAP_PX)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.fields = dict(leaves(topic.inputs))
        self.editors: dict[str, Editor] = {}
        self._labels: dict[str, tuple[QLabel, str]] = {}
        self._origins: dict[str, Text] = {}
        for path, field in self.fields.items():
            if field.is_list and field.is_nested and topic.read is not None:
                continue
            self._add(path, field)
        self.hold(content)
        beside = self.verticalScrollBar().sizeHint().width() + EDGE_PX
        self.setMinimumWidth(min(content.minimumSizeHint().width() + beside, MOST_PX))
        self.show_blank()
        self.changed.connect(self._forget_origins)

    def _add(self, path: str, field: Field) -> None:
        editor = self._editor(field)
        label = local(opening(field.short or field.label))
        if "." in path:
            outer = self.topic.inputs
            head = fields_of(outer)[path.partition(".")[0]]
            label = f"{local(opening(head.label))}: {local(field.label)}"
        unit = local(with_unit("", field.unit)).strip()
        if unit and unit.casefold() not in re.split(r"\W+", label.casefold()):
            label = f"{label} [{unit}]"
        editor.setAccessibleName(label)
        editor.setToolTip(field.meaning)
        self.editors[path] = editor
        if isinstance(editor, QCheckBox):
            editor.setText(label)
            self._form.addRow(editor)
        else:
            shown = QLabel(label, self)
            shown.setBuddy(editor)
            shown.setWordWrap(True)
            shown.setContentsMargins(0, LABEL_PX, 0, 0)
            self._labels[path] = (shown, label)
            self._form.addRow(shown)
            self._form.addRow(editor)

    def _editor(self, field: Field) -> Editor:
        if field.is_list:
            several = QPlainTextEdit(self)
            several.setTabChangesFocus(True)
            several.setFixedHeight(ROWS_HEIGHT)
            names = fields_of(field.type) if field.is_nested else {field.name: field}
            several.setPlaceholderText("; ".join(_head(each) for each in names.values()))
            several.textChanged.connect(self.changed)
            return several
        if field.type is bool:
            box = TickBox("", self)
            box.toggled.connect(self.changed)
            return box
        choices = self._choices(field)
        if choices:
            combo = Dropdown(self)
            if field.is_optional:
                combo.addItem(local(field.empty) or tr("not known"), None)
            for value, label in choices:
                combo.addItem(label, value)
            combo.setSizeAdjustPolicy(
                Dropdown.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            combo.hold_whole()
            combo.currentIndexChanged.connect(self.changed)
            return combo
        line = QLineEdit(self)
        line.setPlaceholderText(local(field.empty) if field.is_optional else "")
        line.textChanged.connect(self.changed)
        return line

    def _choices(self, field: Field) -> list[tuple[Any, str]]:
        if field.is_word:
            return [(str(each), local(each.label)) for each in field.type]
        if field.choices:
            return [(each, local(number(each))) for each in field.choices]
        if field.ids:
            entries = getattr(self._catalog, field.ids)
            return sorted(((id, each.name) for id, each in entries.items()), key=lambda e: e[1])
        return []

    @property
    def origins(self) -> dict[str, Text]:
        """Of the fields that hold what the scenario said: whose it is, and who gave it there."""
        return dict(self._origins)

    def show_origins(self, origins: Mapping[str, Text], name: str = "") -> None:
        """Says beside these fields whose their values are, until somebody enters another; of what
        is called `name`, which is said elsewhere, who gave them alone."""
        self._origins = dict(origins)
        for path, (shown, label) in self._labels.items():
            told = local(origins.get(path, "")).removeprefix(f"{name}: ")
            shown.setText(f"{label} \N{MIDDLE DOT} {told}" if told else label)

    def _forget_origins(self) -> None:
        now = self.values()
        for path in [each for each in self._origins if now.get(each) != self._shown.get(each)]:
            del self._origins[path]
            if path in self._labels:
                shown, label = self._labels[path]
                shown.setText(label)

    @property
    def untouched(self) -> tuple[str, ...]:
        """Fields that must name something of the catalog and hold what nobody chose."""
        now = self.values()
        return tuple(
            label
            for path, (_, label) in self._labels.items()
            if (of := self.fields[path]).ids and not of.is_optional and now.get(path) == of.default
        )

    def show_blank(self) -> None:
        """What nobody gave has its default; what has none stays empty."""
        needed = {name for name, of in self.fields.items() if of.default is REQUIRED}
        self._fill({name: of.default for name, of in self.fields.items() if name not in needed})
        self.show_origins(NO_ORIGINS)

    def show_inputs(
        self, inputs: Any, origins: Mapping[str, Text] = NO_ORIGINS, name: str = ""
    ) -> None:
        """Fills the form with inputs, without a signal; the others as `show_origins`."""
        self._fill({path: value_at(inputs, path) for path in self.editors}, inputs_to_json(inputs))
        self.show_origins(origins, name)

    def _fill(self, values: Mapping[str, Any], lists: Mapping[str, Any] = NO_ORIGINS) -> None:
        self.blockSignals(True)
        for path, editor in self.editors.items():
            value = values.get(path)
            if isinstance(editor, QPlainTextEdit):
                editor.setPlainText("\n".join(map(_line, lists.get(path, []))))
            elif isinstance(editor, QCheckBox):
                editor.setChecked(bool(value))
            elif isinstance(editor, Dropdown):
                editor.setCurrentIndex(max(editor.findData(None if value is None else value), 0))
                if isinstance(value, str):
                    editor.setCurrentIndex(max(editor.findData(str(value)), 0))
            else:
                editor.setText("" if value is None else _plain(value))
        self._shown = self.values()
        self.blockSignals(False)

    def values(self) -> dict[str, Any]:
        """What was entered, as inputs have it in JSON; what can't be is left for a refusal."""
        found: dict[str, Any] = {}
        for path, editor in self.editors.items():
            value = self._value(self.fields[path], editor)
            if value is None:
                continue
            *outer, name = path.split(".")
            inside = found
            for each in outer:
                inside = inside.setdefault(each, {})
            inside[name] = value
        return {name: each for name, each in found.items() if each != {"is_beta": False}}

    def _value(self, field: Field, editor: Editor) -> Any:
        if isinstance(editor, QCheckBox):
            return editor.isChecked()
        if isinstance(editor, Dropdown):
            return editor.currentData(Qt.ItemDataRole.UserRole)
        if isinstance(editor, QPlainTextEdit):
            lines = [line for line in editor.toPlainText().splitlines() if line.strip()]
            return [_item(field, line) for line in lines]
        text = editor.text().strip()
        if not text:
            return None if field.is_optional or field.is_number else ""
        return _number(text) if field.is_number else text


def _head(field: Field) -> str:
    """What stands at this place of a line."""
    return local(with_unit(field.short or field.label, f"[{field.unit}]" if field.unit else ""))


def _line(item: Any) -> str:
    if isinstance(item, Mapping):
        return "; ".join(_plain(value) for value in item.values())
    return str(item)


def _item(field: Field, line: str) -> Any:
    if not field.is_nested:
        return line.strip()
    cells = [cell.strip() for cell in line.replace("\t", ";").split(";")]
    names = fields_of(field.type).items()
    return {
        name: _number(cell) if of.is_number else cell
        for (name, of), cell in zip(names, cells, strict=False)
        if cell
    }


def _number(text: str) -> float | int | str:
    """A number as it is typed, in either mark of decimals; the text where it is none."""
    plain = text.replace("\N{NARROW NO-BREAK SPACE}", "").replace(" ", "")
    if plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    try:
        value = float(plain)
    except ValueError:
        return text
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def _plain(value: Any) -> str:
    return f"{value:.10g}" if isinstance(value, int | float) else str(value)

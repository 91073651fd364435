"""The dialog for a catalog entry of the user's own, made from a list of its rows.

Names, units and bounds are those of the table of catalog fields; a kind of entry
(`app/windows/own_kinds.py`) says which fields are asked for, in which order, and what is made of
the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListView,
    QWidget,
)

from app.language import local, tr
from app.widgets.fields.choice import Choice, ChoiceField, FlagField, TickBox
from app.widgets.fields.number import NumberField
from app.widgets.fields.several import SeveralField
from app.widgets.parts import clearable, in_column, in_row, wrapped
from app.windows.dialogs import without_icons
from app.windows.tabbing import go_on
from models.base.errors import ModelError
from models.base.fields import fields_of
from models.base.texts import opening
from models.catalog.catalog import Array, Profile, Server

UNKNOWN = tr("not known")
LIST_HEIGHT = 130
LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)

EntryT = TypeVar("EntryT", bound=Server | Array | Profile)
Values = Mapping[str, Any]
"""What the rows that are shown say, by name."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a form asks for.

    Attributes:
        label: a number without one has that of its catalog field, of the class `of`.
        begins: what it holds at first.
        choices: one of them; `several`: any of them. `is_long`: too many to look through.
        empty: what stands where nothing is said.
        step: of a number; `is_grouped`: whether there are marks between its digits.
        beside: the row that it stands in.
    """

    name: str
    label: str = ""
    of: type | None = None
    begins: Any = None
    choices: tuple[Choice, ...] = ()
    several: bool = False
    is_long: bool = False
    empty: str = ""
    step: float = 1.0
    is_grouped: bool = True
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Kind(Generic[EntryT]):
    """A kind of entry.

    Attributes:
        title, example: of the dialog and of a name.
        shows: which rows are asked for, as far as the others are answered.
        make: the entry of these answers, with an id that isn't taken.
        answers: those that an entry is made of.
        facts: what follows from them, in `lines` as a rule.
    """

    title: str
    example: str
    rows: tuple[Row, ...]
    shows: Callable[[Values, str], bool]
    make: Callable[[Values, Container[str]], EntryT]
    answers: Callable[[EntryT], Values]
    facts: Callable[[EntryT], str]
    lines: int = 3


@dataclass(frozen=True, slots=True)
class Entered(Generic[EntryT]):
    """What was entered, and whether it is to be kept beyond this project."""

    entry: EntryT
    keep: bool


class TextLine(QLineEdit):
    """A line of text, which Escape leaves as it is."""

    def show_value(self, value: str) -> None:
        self.setText(value)


class SearchField(QWidget):
    """One of a long list, found by words."""

    committed = Signal(object)

    def __init__(self, label: str, choices: Sequence[Choice], parent: QWidget) -> None:
        super().__init__(parent)
        self._names = [each.text for each in choices]
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(tr("Search {count} entries", count=len(self._names)))
        self.search.setAccessibleName(tr("Search: {label}", label=label))
        clearable(self.search)
        self.search.installEventFilter(self)
        self._shown = QStringListModel(self._names, self)
        self.list = QListView(self)
        self.list.setModel(self._shown)
        self.list.setUniformItemSizes(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setFixedHeight(LIST_HEIGHT)
        self.list.setAccessibleName(label)
        in_column(self, around=(0, 0, 0, 8)).put(self.search, self.list)
        self.setFocusProxy(self.search)
        self.search.textChanged.connect(self._narrow)
        self.list.selectionModel().currentChanged.connect(self._chosen)

    @property
    def value(self) -> str:
        index = self.list.currentIndex()
        return str(index.data()) if index.isValid() else ""

    def show_value(self, value: str) -> None:
        if value in self._shown.stringList():
            at = self._shown.stringList().index(value)
            self.list.setCurrentIndex(self._shown.index(at))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys that go up and down move in the list while the search is typed."""
        is_key = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if is_key and event.key() in LIST_KEYS:  # type: ignore[attr-defined]
            QApplication.sendEvent(self.list, event)
            return True
        return super().eventFilter(watched, event)

    def _narrow(self, text: str) -> None:
        """Lists what has all the words; the chosen one stays where it is among them."""
        before, words = self.value, text.casefold().split()
        names = [each for each in self._names if all(word in each.casefold() for word in words)]
        self._shown.setStringList(names)
        if before in names:
            self.show_value(before)
        elif words and names:
            self.list.setCurrentIndex(self._shown.index(0))
        self._chosen()

    def _chosen(self, *_index: object) -> None:
        self.committed.emit(self.value)


Part = NumberField | TextLine | FlagField | ChoiceField | SeveralField | SearchField


class OwnForm(QDialog, Generic[EntryT]):
    """The fields of an entry; what follows from them is shown while they are entered.

    Args:
        taken: ids in use.
        edited: the entry that is to be changed; None: a new one. It keeps its id.
        keep: whether the library is to have it.
    """

    def __init__(
        self,
        kind: Kind[EntryT],
        taken: Container[str],
        parent: QWidget | None = None,
        *,
        edited: EntryT | None = None,
        keep: bool = True,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(
            kind.title if edited is None else tr("Change {edited}", edited=edited.name)
        )
        self._kind = kind
        self._taken = taken
        self._edited: EntryT | None = edited
        self._entered: Entered[EntryT] | None = None
        self._words: dict[str, str] = {}
        self._whole: set[str] = set()
        self._places: dict[str, QWidget] = {}
        self.fields: dict[str, Part] = {}
        self.facts = wrapped("", self, role="muted")
        self.facts.setMinimumHeight(kind.lines * self.fontMetrics().lineSpacing())
        self.facts.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.keep = TickBox(tr("&Keep in my library"), self)
        self.keep.setToolTip(tr("Offer it in other projects too."))
        self.keep.setChecked(keep)
        self.form = QFormLayout()
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.form.setSpacing(8)
        self._lay_out()
        begun = {row.name: row.begins for row in kind.rows if row.begins is not None}
        for name, value in (begun if edited is None else {**kind.answers(edited)}).items():
            self.fields[name].show_value(value)
        self._listen()
        self.renew()

    @classmethod
    def ask(
        cls,
        kind: Kind[EntryT],
        taken: Container[str],
        parent: QWidget | None = None,
        *,
        edited: EntryT | None = None,
        keep: bool = True,
    ) -> Entered[EntryT] | None:
        """Runs the dialog's own loop; None when the user thought better."""
        dialog = cls(kind, taken, parent, edited=edited, keep=keep)
        try:
            dialog.exec()
            return dialog.entered
        finally:
            dialog.deleteLater()

    @property
    def entered(self) -> Entered[EntryT] | None:
        """What was confirmed."""
        return self._entered

    def focusNextPrevChild(self, next: bool) -> bool:
        """Tab goes down the form, whichever field was made first."""
        return go_on([self], self, 1 if next else -1)

    # ------------------------------------------------------------------ how it looks

    def _lay_out(self) -> None:
        for row in self._kind.rows:
            field = self._made(row)
            field.setObjectName(row.name)
            self.fields[row.name] = field
            if row.beside:
                line = self._places[row.beside].layout()
                assert line is not None  # every row has one
                if not isinstance(field, FlagField):
                    line.addWidget(self._label(self._called(row), field))
                line.addWidget(field)
                self._places[row.name] = field
                continue
            place = QWidget(self)
            line = in_row(place).put(field)
            self._places[row.name] = place
            is_flag = isinstance(field, FlagField)
            label = QLabel(self) if is_flag else self._label(self._called(row), field)
            self.form.addRow(label, place)
        has = self._label(tr("It has"), self.facts)
        has.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.form.addRow(has, self.facts)
        self.form.addRow("", self.keep)
        in_column(self, gap=14, around=(20, 18, 20, 14)).put(self.form, self._buttons())
        self._give_keys()
        self.setMinimumWidth(460)

    def _made(self, row: Row) -> Part:
        """The field of a row."""
        label = self._words[row.name] = row.label
        if row.is_long:
            return SearchField(label, row.choices, self)
        if row.several:
            several = SeveralField(empty=row.empty, parent=self)
            several.offer(row.choices)
            several.setAccessibleName(label)
            return several
        if row.choices:
            choice = ChoiceField(parent=self)
            choice.offer(row.choices)
            choice.hold_whole()
            choice.setAccessibleName(label)
            return choice
        if isinstance(row.begins, bool):
            return FlagField(label, self)
        if row.of is None:
            line = TextLine(self)
            line.setPlaceholderText(self._kind.example if row.name == "name" else row.empty)
            return line
        return self._number(row, row.of)

    def _number(self, row: Row, cls: type) -> NumberField:
        """A number, bounded as its field is; it shows what was typed as it
        was understood."""
        known = fields_of(cls)[row.name]
        optional = row.begins is None and known.is_optional
        unit, words = local(known.unit), local(opening(known.label))
        self._words[row.name] = words
        whole = known.type is int
        self._whole |= {row.name} if whole else set()
        return NumberField(
            parent=self,
            limit=known.limit,
            step=row.step,
            whole=whole,
            scale=100.0 if known.is_share else 1.0,
            grouped=row.is_grouped,
            optional=optional,
            empty=UNKNOWN if optional else "",
            unit=unit,
        )

    def _called(self, row: Row) -> str:
        """The words before a field, with the unit that they don’t name."""
        words, field = row.label or self._words[row.name], self.fields[row.name]
        unit = field.unit if isinstance(field, NumberField) and not row.label else ""
        return words if unit.casefold() in words.casefold() else f"{words}, {unit}"

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        words = tr("Add to the catalog") if self._edited is None else tr("Change")
        self.add = buttons.addButton(words, QDialogButtonBox.ButtonRole.AcceptRole)
        self.add.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        without_icons(self)
        return buttons

    def _label(self, text: str, field: QWidget) -> QLabel:
        """The label of a field that shares its row."""
        label = QLabel(text, self)
        label.setBuddy(field)
        return label

    def _give_keys(self) -> None:
        """A key for each label: its first letter that no other one has."""
        labels = [each for each in self.findChildren(QLabel) if each.buddy() is not None]
        texts = [each.text() for each in self.findChildren(QAbstractButton)]
        taken = {text[text.index("&") + 1].casefold() for text in texts if "&" in text[:-1]}
        for label in labels:
            text = label.text()
            free = (at for at, each in enumerate(text) if each.isalpha())
            place = next((at for at in free if text[at].casefold() not in taken), None)
            if place is not None:
                taken.add(text[place].casefold())
                label.setText(f"{text[:place]}&{text[place:]}")

    # ------------------------------------------------------------------ what it says

    def _listen(self) -> None:
        for field in self.fields.values():
            if isinstance(field, NumberField | TextLine):
                field.textChanged.connect(self.renew)
            if not isinstance(field, TextLine):
                field.committed.connect(field.show_value)
                field.committed.connect(self.renew)

    def _answers(self, names: Sequence[str]) -> dict[str, Any]:
        """What the rows of these names say.

        Raises:
            ModelError: a number is none; `field` names it.
        """
        return {name: self._read(name) for name in names}

    def _read(self, name: str) -> Any:
        field = self.fields[name]
        if isinstance(field, TextLine):
            return field.text().strip()
        if isinstance(field, FlagField):
            return field.isChecked()
        if not isinstance(field, NumberField):
            return field.value
        try:
            value = field.read()
        except ModelError as error:
            raise ModelError(error.reason, field=name) from None
        return int(value) if name in self._whole and value is not None else value

    def _asked(self) -> list[str]:
        """Rows that are asked for; numbers decide about none."""
        firm = {
            name: self._read(name)
            for name, field in self.fields.items()
            if not isinstance(field, NumberField)
        }
        return [name for name in self.fields if self._kind.shows(firm, name)]

    def entry(self) -> EntryT:
        """What the fields say now; a changed entry keeps its id.

        Raises:
            ModelError: `field` says which one can't be.
        """
        made = self._kind.make(self._answers(self._asked()), self._taken)
        return made if self._edited is None else replace(made, id=self._edited.id)

    def renew(self, *_change: object) -> None:
        """Shows what is asked for; says what follows from it, or why nothing does."""
        asked = self._asked()
        for row in self._kind.rows:
            if not row.beside:
                self.form.setRowVisible(self._places[row.name], row.name in asked)
        try:
            entry = self.entry()
        except ModelError as error:
            self.add.setEnabled(False)
            self._tell(self._sentence(error))
        else:
            self.add.setEnabled(True)
            self._tell(self._kind.facts(entry))

    def _tell(self, text: str) -> None:
        """Says it below the fields; where it takes more lines than ever, the dialog grows."""
        self.facts.setText(text)
        if self.isVisible():
            self._make_room()

    def _make_room(self) -> None:
        needed = self.facts.heightForWidth(self.facts.width())
        self.facts.setMinimumHeight(max(self.facts.minimumHeight(), needed))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._make_room()

    def _sentence(self, error: ModelError) -> str:
        name = error.field.rpartition(".")[2]
        is_number = isinstance(self.fields.get(name), NumberField)
        label = self._words[name] if is_number else ""
        reason = local(error.reason)
        return f"{label}: {reason}." if label else f"{reason[0].upper()}{reason[1:]}."

    def accept(self) -> None:
        try:
            entry = self.entry()
        except ModelError as error:
            self._tell(self._sentence(error))
            return
        self._entered = Entered(entry, self.keep.isChecked())
        super().accept()

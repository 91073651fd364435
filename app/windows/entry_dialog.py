"""What the dialogs for catalog entries of the user's own have in common."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import ClassVar, Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.language import local, tr
from app.widgets.fields import NumberField, TickBox
from app.windows.dialogs import without_icons
from app.windows.tabbing import go_on
from models.catalog import Array, Profile, Server
from models.catalog_fields import field_of, is_whole, may_be_unknown
from models.errors import ModelError
from models.texts import opening

UNKNOWN = tr("not known")
EntryT = TypeVar("EntryT", Server, Array, Profile)


@dataclass(frozen=True, slots=True)
class Entered(Generic[EntryT]):
    """What was entered, and whether it is to be kept beyond this project."""

    entry: EntryT
    keep: bool


class EntryDialog(QDialog, Generic[EntryT]):
    """Name and fields of an entry; what follows from them is shown while they are entered.

    Args:
        taken: ids in use.
        edited: the entry that is to be changed; None: a new one. It keeps its id.
        keep: whether the library is to have it.
    """

    TITLE: ClassVar[str] = ""
    EXAMPLE: ClassVar[str] = ""
    KIND: ClassVar[type]
    FACT_LINES: ClassVar[int] = 3

    def __init__(
        self,
        taken: Container[str],
        parent: QWidget | None = None,
        *,
        edited: EntryT | None = None,
        keep: bool = True,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(
            self.TITLE if edited is None else tr("Change {edited}", edited=edited.name)
        )
        self._taken = taken
        self._edited: EntryT | None = edited
        self._entered: Entered[EntryT] | None = None
        self._words: dict[str, str] = {}
        self.name = QLineEdit(self)
        self.name.setPlaceholderText(self.EXAMPLE)
        self.facts = QLabel(self)
        self.facts.setWordWrap(True)
        self.facts.setProperty("role", "muted")
        self.facts.setMinimumHeight(self.FACT_LINES * self.fontMetrics().lineSpacing())
        self.facts.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.keep = TickBox(tr("&Keep in my library"), self)
        self.keep.setToolTip(tr("Offer it in other projects too."))
        self.keep.setChecked(keep)
        self.form = QFormLayout()
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.form.setSpacing(8)

    @property
    def entered(self) -> Entered[EntryT] | None:
        """What was confirmed."""
        return self._entered

    def focusNextPrevChild(self, next: bool) -> bool:
        """Tab goes down the form, whichever field was made first."""
        return go_on([self], self, 1 if next else -1)

    def _finish(self) -> None:
        """Called by the dialog when its fields stand: adds what all have, and listens."""
        has = self._label(tr("It has"), self.facts)
        has.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.form.addRow(has, self.facts)
        self.form.addRow("", self.keep)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 14)
        layout.setSpacing(14)
        layout.addLayout(self.form)
        layout.addWidget(self._buttons())
        self._give_keys()
        self.setMinimumWidth(460)
        self.name.textChanged.connect(self.renew)
        for field in self.findChildren(NumberField):
            field.textChanged.connect(self.renew)
        if self._edited is not None:
            self._show_entry(self._edited)
        self.renew()

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        words = tr("Add to the catalog") if self._edited is None else tr("Change")
        self.add = buttons.addButton(words, QDialogButtonBox.ButtonRole.AcceptRole)
        self.add.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        without_icons(self)
        return buttons

    def _wide_row(self, text: str, field: QWidget, *beside: QWidget) -> None:
        """A row with several widgets beside each other; its label belongs to the first."""
        line = QHBoxLayout()
        for part in (field, *beside):
            line.addWidget(part)
        self.form.addRow(self._label(text, field), line)

    def _label(self, text: str, field: QWidget) -> QLabel:
        """The label of a field that does not stand alone in its row."""
        label = QLabel(text, self)
        label.setBuddy(field)
        return label

    def _number(
        self,
        name: str,
        *,
        of: type | None = None,
        step: float = 1.0,
        optional: bool | None = None,
        grouped: bool = True,
    ) -> NumberField:
        """A number, bounded as the table of catalog fields has it.

        It shows what was typed as it was understood.

        Args:
            of: the class whose field it is; by default that of the entry.
            optional: whether it may be left empty; by default where it may be unknown.
            grouped: whether there are marks between its digits; a year has none.
        """
        cls = of or self.KIND
        known = field_of(cls, name)
        optional = may_be_unknown(cls, name) if optional is None else optional
        field = NumberField(
            parent=self,
            limit=known.limit,
            step=step,
            whole=is_whole(cls, name),
            scale=known.scale,
            grouped=grouped,
            optional=optional,
            empty=UNKNOWN if optional else "",
            unit=local(known.words.unit),
        )
        field.setObjectName(name)
        field.committed.connect(field.show_value)
        self._words[name] = local(opening(known.words.label))
        return field

    def _row(self, name: str, widget: QWidget | None = None) -> None:
        """A row for a number under the words of its field, with its unit; `widget` holds it."""
        field = next(each for each in self.findChildren(NumberField) if each.objectName() == name)
        text, unit = self._words[name], field.unit
        if unit and unit.casefold() not in text.casefold():
            text = f"{text}, {unit}"
        self.form.addRow(self._label(text, field), widget or field)

    def _give_keys(self) -> None:
        """A key for each label that has none yet: its first letter that no other one has."""
        labels: list[QLabel] = [
            each for each in self.findChildren(QLabel) if each.buddy() is not None
        ]
        texts = [each.text() for each in labels]
        texts += [each.text() for each in self.findChildren(QAbstractButton)]
        taken = {text[text.index("&") + 1].casefold() for text in texts if "&" in text[:-1]}
        for label in labels:
            text = label.text()
            free = (at for at, each in enumerate(text) if each.isalpha())
            place = next((at for at in free if text[at].casefold() not in taken), None)
            if "&" not in text and place is not None:
                taken.add(text[place].casefold())
                label.setText(f"{text[:place]}&{text[place:]}")

    @staticmethod
    def _read(field: NumberField) -> float | None:
        """The number in a field.

        Raises:
            ModelError: it is none; `field` names it.
        """
        try:
            return field.read()
        except ModelError as error:
            raise ModelError(error.reason, field=field.objectName()) from None

    def _whole(self, field: NumberField) -> int | None:
        value = self._read(field)
        return None if value is None else int(value)

    def _show_entry(self, entry: EntryT) -> None:
        """Fills the fields from an entry that is to be changed."""
        raise NotImplementedError

    def _made(self) -> EntryT:
        """What the fields say now, with an id of its own.

        Raises:
            ModelError: `field` says which one can't be.
        """
        raise NotImplementedError

    def _facts(self, entry: EntryT) -> str:
        """What follows from the fields, in lines."""
        raise NotImplementedError

    def entry(self) -> EntryT:
        """What the fields say now; a changed entry keeps its id.

        Raises:
            ModelError: `field` says which one can't be.
        """
        made = self._made()
        return made if self._edited is None else replace(made, id=self._edited.id)

    def renew(self, *_change: object) -> None:
        """Says what follows from the fields, or why nothing does."""
        try:
            entry = self.entry()
        except ModelError as error:
            self.add.setEnabled(False)
            self._tell(self._sentence(error))
        else:
            self.add.setEnabled(True)
            self._tell(self._facts(entry))

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
        field = self._words.get(error.field.rpartition(".")[2], "")
        reason = local(error.reason)
        return f"{field}: {reason}." if field else f"{reason[0].upper()}{reason[1:]}."

    def accept(self) -> None:
        try:
            entry = self.entry()
        except ModelError as error:
            self._tell(self._sentence(error))
            return
        self._entered = Entered(entry, self.keep.isChecked())
        super().accept()


def asked(dialog: EntryDialog[EntryT]) -> Entered[EntryT] | None:
    """Runs the dialog's own loop; None when the user thought better."""
    try:
        dialog.exec()
        return dialog.entered
    finally:
        dialog.deleteLater()

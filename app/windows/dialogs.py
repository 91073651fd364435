"""Questions to the user, behind one small interface that tests replace."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QInputDialog,
    QLineEdit,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from app.language import local, tr
from app.widgets.parts import wrapped
from models.base.texts import SpokenError

if TYPE_CHECKING:
    from db.importers.profile import Profile
    from db.importers.saved_profiles import TableFound
    from models.tell.blocks import Section

PROJECT_FILTER = tr(
    "Headroom projects, scenarios, answers (*.headroom *.json *.html);;All files (*)"
)
SAVE_FILTER = tr("Headroom project (*.headroom)")
JSON_FILTER = tr("Headroom scenario (*.json)")
CATALOG_FILTER = tr("Catalog entries (*.toml)")
PRICES_FILTER = tr("Price books (*.xlsx *.csv)")
FIELD_LEAST_PX, FIELD_MOST_PX, ROOM_PX = 300, 640, 60
"""Width of a field for one line, which shows what stands in it with room to go on."""


class Answer(Enum):
    """What to do with unsaved changes."""

    SAVE = "save"
    DISCARD = "discard"
    CANCEL = "cancel"


class Instead(Enum):
    """What to do where a file can't or must not be written unasked."""

    SAVE_AS = "save-as"
    REPLACE = "replace"
    CANCEL = "cancel"


class Dialogs:
    """Asks by Qt's own dialogs, on top of the window in use: a page that asks stays in front.

    Args:
        parent: the window where none is in use.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        self._window = parent

    @property
    def _parent(self) -> QWidget | None:
        active = QApplication.activeWindow()
        kinds = Qt.WindowType.Window, Qt.WindowType.Dialog
        is_page = active is not None and active.windowType() in kinds
        return active if is_page else self._window

    def open_file(self, title: str, folder: Path, filter: str) -> Path | None:
        name, _ = QFileDialog.getOpenFileName(self._parent, title, str(folder), filter)
        return Path(name) if name else None

    def price_columns(self, name: str, tables: Sequence[TableFound]) -> Profile | None:
        """What the columns of a price list are; None where it is called off."""
        from app.windows.price_columns import PriceColumns

        return PriceColumns.ask(name, tables, self._parent)

    def save_file(self, title: str, proposed: Path, filter: str, ending: str) -> Path | None:
        """A path to write to, with this ending whatever the user typed.

        What the dialog did not ask about, because the ending was missing, is asked here.
        """
        found = self._saved(title, proposed, filter, ending)
        return None if found is None else found[0]

    def write(self, path: Path, content: bytes) -> bool:
        """Writes a file, whole or not at all; False once it is said why that can't be."""
        from db.atomic import write_atomically

        try:
            write_atomically(path, content)
        except SpokenError as error:
            self.show_problem(local(error))
            return False
        return True

    def _saved(
        self, title: str, proposed: Path, filter: str, ending: str
    ) -> tuple[Path, str] | None:
        """The path, and which of the filters was chosen."""
        name, chosen = QFileDialog.getSaveFileName(self._parent, title, str(proposed), filter)
        if not name:
            return None
        path = Path(name)
        if path.suffix.lower() == ending:
            return path, chosen
        path = path.with_name(path.name + ending)
        if not path.exists() or self.ask_to_replace(
            tr("“{name}” is there already.", name=path.name), tr("What is in it is lost.")
        ):
            return path, chosen
        return self._saved(title, path, filter, ending)

    def ask_to_save(self, name: str) -> Answer:
        question = tr("Save the changes to “{name}”?", name=name)
        box = self._box(question, tr("Without saving they are lost."))
        save = box.addButton(tr("Save"), QMessageBox.ButtonRole.AcceptRole)
        discard = box.addButton(tr("Don’t save"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(save)
        box.exec()
        if box.clickedButton() is save:
            return Answer.SAVE
        return Answer.DISCARD if box.clickedButton() is discard else Answer.CANCEL

    def ask_text(self, title: str, label: str, text: str) -> str | None:
        box = QInputDialog(self._parent)
        box.setWindowTitle(title)
        box.setLabelText(label)
        box.setTextValue(text)
        without_icons(box)
        field = box.findChild(QLineEdit)
        if field is not None:
            wide = field.fontMetrics().horizontalAdvance(text) + ROOM_PX
            field.setMinimumWidth(min(max(wide, FIELD_LEAST_PX), FIELD_MOST_PX))
        return box.textValue() if box.exec() else None

    def ask_yes(self, question: str, detail: str, yes: str, no: str) -> bool:
        return self._ask(question, detail, yes, no, is_yes_likely=True)

    def ask_to_delete(self, what: str, detail: str) -> bool:
        """Whether to delete what can't be brought back; Return alone keeps it."""
        return self._ask(what, detail, tr("Delete"), tr("Keep"), is_yes_likely=False)

    def ask_to_replace(self, what: str, detail: str) -> bool:
        """Whether what stands in a file may go; Return alone keeps it."""
        return self._ask(what, detail, tr("Replace"), tr("Cancel"), is_yes_likely=False)

    def ask_instead(self, what: str, detail: str = "", *, may_replace: bool = False) -> Instead:
        """Whether to save under another name what a file can't take, or, if that may be, to replace
        it; Return alone never does."""
        icon = QMessageBox.Icon.Question if may_replace else QMessageBox.Icon.Warning
        box = self._box(what, detail, icon=icon)
        save_as = box.addButton(tr("Save as…"), QMessageBox.ButtonRole.AcceptRole)
        replace = None
        if may_replace:
            replace = box.addButton(tr("Replace"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(save_as)
        box.exec()
        if box.clickedButton() is save_as:
            return Instead.SAVE_AS
        return Instead.REPLACE if box.clickedButton() is replace else Instead.CANCEL

    def _box(
        self, text: str, detail: str = "", icon: QMessageBox.Icon = QMessageBox.Icon.Question
    ) -> QMessageBox:
        """Without buttons; what looks like markup is shown as it is."""
        box = QMessageBox(icon, "Headroom", text, parent=self._parent)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText(detail)
        return box

    def _ask(self, question: str, detail: str, yes: str, no: str, *, is_yes_likely: bool) -> bool:
        box = self._box(question, detail)
        accept = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
        reject = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(accept if is_yes_likely else reject)
        box.exec()
        return box.clickedButton() is accept

    def show_problem(self, sentence: str) -> None:
        """One sentence about what went wrong."""
        box = self._box(sentence, icon=QMessageBox.Icon.Warning)
        box.setStandardButtons(QMessageBox.StandardButton.Ok)
        without_icons(box)
        box.exec()

    def show_sections(self, title: str, sentence: str, sections: Sequence[Section]) -> None:
        """Sections in a window of their own, under a sentence that says what they are."""
        from app.widgets.sections.view import SectionsView

        dialog = QDialog(self._parent)
        dialog.setWindowTitle(title)
        view = SectionsView(title, dialog)
        view.show_sections(sections)
        head = wrapped(sentence, dialog)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, parent=dialog)
        buttons.rejected.connect(dialog.reject)
        layout = QVBoxLayout(dialog)
        for widget in (head, view, buttons):
            layout.addWidget(widget, 1 if widget is view else 0)
        dialog.resize(760, 480)
        without_icons(dialog)
        dialog.exec()


def without_icons(dialog: QDialog) -> None:
    """Takes the pictures off a dialog's buttons: Qt brings them where the desktop has none."""
    for button in dialog.findChildren(QAbstractButton):
        button.setIcon(QIcon())

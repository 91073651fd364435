"""Help ▸ Report a problem: what will be saved is shown before it is, with names replaced."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QWidget

from app.language import tr
from app.widgets.parts import in_column, wrapped
from app.windows.dialogs import without_icons


class ProblemDialog(QDialog):
    """Asks what happened, and shows the report as it will be saved.

    Args:
        text_of: the report with what was told; `save`: writes it, and says whether it did.
    """

    def __init__(
        self, parent: QWidget, text_of: Callable[[str], str], save: Callable[[str], bool]
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Report a problem"))
        self._text_of = text_of
        self._save = save
        self.told = QPlainTextEdit()
        self.told.setTabChangesFocus(True)
        self.told.setPlaceholderText(tr("What did you do, what came, what had you expected?"))
        self.told.setAccessibleName(tr("What happened"))
        self.told.setMaximumHeight(self.told.fontMetrics().lineSpacing() * 6)
        self.report = QPlainTextEdit()
        self.report.setReadOnly(True)
        self.report.setTabChangesFocus(True)
        self.report.setAccessibleName(tr("The report"))
        self.report.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.told.textChanged.connect(self._show)
        column = in_column(self, gap=8, around=(18, 16, 18, 14))
        column.put(self._label(tr("&What happened"), self.told), self.told)
        column.put(self._label(tr("&The report, with names replaced"), self.report))
        column.put((self.report, 1), self._note(), self._buttons())
        self.resize(720, 560)
        self._show()

    def _label(self, text: str, of: QWidget) -> QLabel:
        label = QLabel(text, self)
        label.setBuddy(of)
        return label

    def _note(self) -> QLabel:
        words = tr(
            "It is saved where you choose, and sent nowhere. Read it before you hand it on: "
            "what you typed is taken as it is but for names in this project."
        )
        return wrapped(words, self, role="muted")

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.saving = buttons.addButton(tr("Save report…"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)
        without_icons(self)
        return buttons

    def _show(self) -> None:
        self.report.setPlainText(self._text_of(self.told.toPlainText()))

    def _accept(self) -> None:
        if self._save(self.report.toPlainText()):
            self.accept()

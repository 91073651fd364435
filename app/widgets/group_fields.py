"""Which VMs are meant: a way to tell them apart, and a group that there is or a pattern."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QWidget

from app.language import local, tr
from app.widgets.fields.choice import Dropdown
from app.widgets.parts import in_row
from models.base.errors import ModelError
from models.base.texts import opening
from models.intake.assumed import Group, GroupBy

MOST_CHOICES = 5_000
PATTERN_TIP = tr("* stands for anything, ? for one letter; type any part of a name to search")


class GroupFields(QWidget):
    """A list of ways to tell VMs apart, and beside it a line with the groups of that way, which are
    searched by typing any part of one."""

    def __init__(
        self, ways: Sequence[GroupBy] = tuple(GroupBy), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._ways = ways
        self._names: Mapping[GroupBy, Sequence[str]] = {}
        self.by, self.pattern = Dropdown(self), Dropdown(self)
        self.pattern.setEditable(True)
        self.pattern.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.pattern.setToolTip(PATTERN_TIP)
        self.pattern.setAccessibleName(tr("Which ones"))
        self.pattern.setMinimumContentsLength(14)
        self.pattern.setMaxVisibleItems(18)
        search = self.pattern.completer()
        if search is not None:
            search.setFilterMode(Qt.MatchFlag.MatchContains)
            search.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.by.setAccessibleName(tr("For"))
        self.by.currentIndexChanged.connect(self._show_names)
        in_row(self, gap=6).put((self.by, 1), (self.pattern, 2))
        self.offer({})

    def offer(self, names: Mapping[GroupBy, Sequence[str]]) -> None:
        """The groups that there are: names of each kind, of which all may be told by a pattern."""
        self._names = names
        chosen = self.by.currentData()
        self.by.blockSignals(True)
        self.by.clear()
        for by in self._ways:
            if by in (GroupBy.ALL, GroupBy.NAME) or names.get(by):
                self.by.addItem(local(opening(by.label)), by.value)
        self.by.setCurrentIndex(max(self.by.findData(chosen), 0))
        self.by.blockSignals(False)
        self._show_names()

    def _show_names(self, _at: int = 0) -> None:
        by = GroupBy(self.by.currentData())
        typed = self.pattern.currentText()
        self.pattern.clear()
        for name in list(self._names.get(by, ()))[:MOST_CHOICES]:
            self.pattern.addItem(local(Group(by, name).words), name)
        self.pattern.setEditText(typed if by is GroupBy.NAME else self.pattern.itemText(0))
        line = self.pattern.lineEdit()
        if isinstance(line, QLineEdit):
            line.setPlaceholderText(tr("such as db-*"))
        self.pattern.setVisible(by is not GroupBy.ALL)

    def read(self) -> Group:
        """The group that is chosen or typed.

        Raises:
            ModelError: nothing says which.
        """
        by, text = GroupBy(self.by.currentData()), self.pattern.currentText().strip()
        if by is GroupBy.ALL:
            return Group()
        if not text:
            raise ModelError(tr("Say which VMs it is for."))
        at = self.pattern.findText(text)
        return Group(by, text if at < 0 else str(self.pattern.itemData(at)))

"""Which VMs of an inventory are taken: all, or those of the groups that are named."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFileDialog, QLabel, QListWidget, QPushButton, QWidget

from app.language import local, tr, trn
from app.widgets.group_fields import GroupFields
from app.widgets.parts import STRETCH, in_column, in_row, wrapped
from db.errors import StoreError
from db.importers.name_list import names_in
from models.base.errors import ModelError
from models.base.texts import joined, opening
from models.intake.assumed import Group, GroupBy, counted_groups
from models.intake.chosen import Chosen, said_of
from models.intake.result import ImportResult
from models.scenario.names import plain

WAYS = tuple(by for by in GroupBy if by is not GroupBy.ALL)
MOST_ROWS = 4
"""Rows that are seen at once; more are scrolled."""


class GroupPanel(QWidget):
    """A group to be named, and those that are, each with how many VMs it holds: VMs of any of them
    are taken.

    Signals:
        changed: other groups are named.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._groups: list[Group | tuple[str, frozenset[str]]] = []
        """Groups, and lists by their names."""
        heading = QLabel(tr("Only VMs of these groups"))
        heading.setProperty("role", "heading")
        self.fields = GroupFields(WAYS, self)
        self.add = QPushButton(tr("Only these"))
        self.of_file = QPushButton(tr("A list of names…"))
        self.remove = QPushButton(tr("Take back"))
        self.list = QListWidget()
        self.list.setAccessibleName(heading.text())
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.complaint = wrapped("", self, role="refusal")
        self.complaint.hide()
        heading.setBuddy(self.fields.by)
        acts = in_row().put(self.add, self.of_file, (STRETCH, 1))
        below = in_row().put(self.remove, (STRETCH, 1))
        in_column(self, gap=5, around=(0, 0, 0, 0)).put(
            heading, self.fields, acts, self.complaint, self.list, below
        )
        self.add.clicked.connect(self._add)
        self.of_file.clicked.connect(self._add_file)
        self.remove.clicked.connect(self.take_back)
        self._show(None)

    @property
    def chosen(self) -> Chosen:
        """VMs of any of the groups; all where there is none."""
        groups = tuple(each for each in self._groups if isinstance(each, Group))
        lists = (each[1] for each in self._groups if not isinstance(each, Group))
        return Chosen(groups=groups, names=frozenset().union(*lists), is_strict=False)

    def show_result(self, result: ImportResult | None) -> None:
        """The groups that the files have, and how many VMs each that is named holds."""
        if result is not None and not result.aliases:
            said = (said_of(vm) for each in result.sources for vm in each.vms)
            names = dict(counted_groups(said))
            names.pop(GroupBy.NAME, None)
            self.fields.offer(names)
        self._show(result)

    def _show(self, result: ImportResult | None) -> None:
        self.list.clear()
        for each in self._groups:
            self.list.addItem(_words(each, result))
        row = self.list.sizeHintForRow(0) if self._groups else 0
        count = min(len(self._groups), MOST_ROWS)
        self.list.setFixedHeight(row * count + 2 * self.list.frameWidth())
        for widget in (self.list, self.remove):
            widget.setVisible(bool(self._groups))

    def _add(self) -> None:
        try:
            group = self.fields.read()
        except ModelError as error:
            self._complain(local(error))
            return
        if group not in self._groups:
            self._take(group)

    def _add_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, tr("A list of names"), "", LISTS)
        if name:
            self.add_list(Path(name))

    def add_list(self, path: Path) -> None:
        """The VMs that a text names, one a line."""
        try:
            names = names_in(str(path))
        except StoreError as error:
            self._complain(f"{local(error)}.")
            return
        self._take((path.name, names))

    def _take(self, group: Group | tuple[str, frozenset[str]]) -> None:
        self._complain("")
        self._groups.append(group)
        self.changed.emit()

    def take_back(self) -> None:
        """The group that is chosen, else the last one."""
        at = self.list.currentRow()
        if self._groups:
            self._groups.pop(at if 0 <= at < len(self._groups) else -1)
            self.changed.emit()

    def _complain(self, words: str) -> None:
        self.complaint.setText(words)
        self.complaint.setVisible(bool(words))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.list.hasFocus():
            self.take_back()
        else:
            super().keyPressEvent(event)


LISTS = tr("Lists of names (*.txt *.csv);;All files (*)")


def _words(each: Group | tuple[str, frozenset[str]], result: ImportResult | None) -> str:
    """A group with how many VMs it holds, as far as that is known."""
    if isinstance(each, Group):
        words = local(joined(": ", (opening(each.by.label), each.words)))
    else:
        words = tr("List {name}", name=each[0])
    if result is None or result.aliases:
        return words
    vms = (vm for source in result.sources for vm in source.vms)
    if isinstance(each, Group):
        count = sum(each.holds(said_of(vm)) for vm in vms)
    else:
        count = sum(plain(vm.name) in each[1] for vm in vms)
    return trn("{words} ({count} VM)", "{words} ({count} VMs)", count, words=words)

"""Measurements under names that no VM has: a person says which VM each is of."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QLabel, QTableWidget, QTableWidgetItem, QWidget

from app.language import tr
from app.widgets.parts import in_column
from app.widgets.plain_table import make_plain
from app.windows.import_page.choices import CHOICES, ChoiceDelegate
from models.intake.result import ImportResult

NAME, VM = range(2)
TITLES = (tr("Measured under"), tr("Is the VM"))
VALUE = Qt.ItemDataRole.UserRole
NAME_PX = 340
MOST_ROWS, MOST_VMS = 200, 2000
"""More of either nobody goes through by hand: files whose names match are the way then."""


class TiePanel(QWidget):
    """One row a name; what is tied stays among them, so that it can be taken back.

    Signals:
        changed: another VM is said.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._same: dict[str, str] = {}
        self.head = QLabel(
            tr("Measured, but of no VM that is taken: in no number until you say which VM it is.")
        )
        self.head.setWordWrap(True)
        self.table = QTableWidget(0, len(TITLES))
        make_plain(self.table, tr("Measured, but of no VM"), lines=1.7)
        self.table.setHorizontalHeaderLabels(list(TITLES))
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(VM, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnWidth(NAME, NAME_PX)
        self.table.setItemDelegateForColumn(VM, ChoiceDelegate(self.table))
        self.table.setEditTriggers(QTableWidget.EditTrigger.AllEditTriggers)
        self.table.itemChanged.connect(self._changed)
        in_column(self, around=None).put(self.head, (self.table, 1))

    @property
    def same(self) -> Mapping[str, str]:
        """Names of VMs by the names that they were measured under."""
        return dict(self._same)

    @property
    def is_filled(self) -> bool:
        return self.table.rowCount() > 0

    def show_result(self, result: ImportResult | None) -> None:
        """The names that are of no VM, and those that somebody said something of."""
        real: dict[str, str] = {}
        vms: list[str] = []
        unmatched: tuple[str, ...] = ()
        if result is not None:
            for kind in ("vm", "domino"):
                real |= {alias: name for name, alias in result.aliases.get(kind, {}).items()}
            vms = [real.get(vm.name, vm.name) for vm in result.scenario.vms]
            unmatched = tuple(real.get(name, name) for name in result.unmatched) if vms else ()
            self._same = {name: vm for name, vm in self._same.items() if vm in set(vms)}
        names = list(dict.fromkeys((*self._same, *unmatched)))[:MOST_ROWS]
        choices = [("", "–"), *((vm, vm) for vm in dict.fromkeys(vms[:MOST_VMS]))]
        self.table.blockSignals(True)
        self.table.setRowCount(len(names))
        for at, name in enumerate(names):
            shown = QTableWidgetItem(name)
            shown.setToolTip(name)
            shown.setFlags(shown.flags() & ~Qt.ItemFlag.ItemIsEditable)
            chosen = QTableWidgetItem(self._same.get(name) or "–")
            chosen.setData(VALUE, self._same.get(name, ""))
            chosen.setData(CHOICES, choices)
            self.table.setItem(at, NAME, shown)
            self.table.setItem(at, VM, chosen)
        self.table.blockSignals(False)
        self.setVisible(self.is_filled)

    def _changed(self, item: QTableWidgetItem) -> None:
        if item.column() != VM:
            return
        name = self.table.item(item.row(), NAME)
        vm = item.data(VALUE)
        if name is not None and vm:
            self._same[name.text()] = vm
        elif name is not None:
            self._same.pop(name.text(), None)
        self.changed.emit()

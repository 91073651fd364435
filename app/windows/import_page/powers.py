"""Words for power that nobody knows: a person says whether a VM with one runs."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QLabel, QTableWidget, QTableWidgetItem, QWidget

from app.language import tr
from app.widgets.parts import in_column
from app.widgets.plain_table import make_plain
from app.windows.import_page.choices import CHOICES, ChoiceDelegate
from models.intake.records import Power
from models.intake.result import ImportResult

WORD, MEANS = range(2)
TITLES = (tr("Word in the file"), tr("Means"))
CHOOSABLE = (("", "–"), (Power.ON.value, tr("it runs")), (Power.OFF.value, tr("it is off")))
VALUE = Qt.ItemDataRole.UserRole
MOST_ROWS, SEEN_ROWS, EDGE_PX = 50, 4, 8


class PowerPanel(QWidget):
    """One row a word; what was said stays, so that it can be taken back.

    Signals:
        changed: another meaning is said.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._said: dict[str, Power] = {}
        self.head = QLabel(tr("Does a VM run of which the file says this?"))
        self.head.setProperty("role", "heading")
        self.head.setWordWrap(True)
        self.table = QTableWidget(0, len(TITLES))
        make_plain(self.table, self.head.text(), lines=1.7)
        self.table.setHorizontalHeaderLabels(list(TITLES))
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.setItemDelegateForColumn(MEANS, ChoiceDelegate(self.table))
        self.table.setEditTriggers(QTableWidget.EditTrigger.AllEditTriggers)
        self.table.itemChanged.connect(self._changed)
        self.head.setBuddy(self.table)
        in_column(self, gap=5, around=(0, 0, 0, 0)).put(self.head, self.table)
        self.hide()

    @property
    def said(self) -> Mapping[str, Power]:
        """What each word means, by the word in small letters; an empty one is an empty cell."""
        return dict(self._said)

    def show_result(self, result: ImportResult | None) -> None:
        """The words of the files that nobody knows, those of which something was said first."""
        sources = () if result is None else result.sources
        there = {
            vm.power_word.casefold(): vm.power_word
            for records in sources
            for vm in records.vms
            if vm.power_word is not None
        }
        said = (word for word in self._said if word in there)
        words = list(dict.fromkeys((*said, *there)))[:MOST_ROWS]
        labels = dict(CHOOSABLE)
        self.table.blockSignals(True)
        self.table.setRowCount(len(words))
        for at, word in enumerate(words):
            shown = QTableWidgetItem(there[word] or tr("empty cell"))
            shown.setToolTip(shown.text())
            shown.setData(VALUE, word)
            shown.setFlags(shown.flags() & ~Qt.ItemFlag.ItemIsEditable)
            power = self._said.get(word)
            value = "" if power is None else power.value
            chosen = QTableWidgetItem(labels[value])
            chosen.setData(VALUE, value)
            chosen.setData(CHOICES, CHOOSABLE)
            self.table.setItem(at, WORD, shown)
            self.table.setItem(at, MEANS, chosen)
        self.table.blockSignals(False)
        high = self.table.verticalHeader().defaultSectionSize() * min(len(words), SEEN_ROWS)
        head = self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(head + high + EDGE_PX)
        self.setVisible(bool(words))

    def _changed(self, item: QTableWidgetItem) -> None:
        of = self.table.item(item.row(), WORD)
        if item.column() != MEANS or of is None:
            return
        word, value = str(of.data(VALUE)), item.data(VALUE)
        if value:
            self._said[word] = Power(value)
        else:
            self._said.pop(word, None)
        self.changed.emit()

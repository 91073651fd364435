"""What the columns of a table are, where its headings don't say: chosen column by column."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.language import local, tr
from app.widgets.fields.choice import Dropdown
from app.widgets.parts import STRETCH, in_column, in_row, styled, wrapped
from app.widgets.plain_table import make_plain
from app.windows.import_page.choices import CHOICES, ChoiceDelegate
from db.importers.profile import SPACES, WORDS, ColumnOf, Profile
from db.importers.saved_profiles import TableFound

HEADING, EXAMPLES, FIELD, UNIT = range(4)
TITLES = (tr("Column"), tr("Begins with"), tr("Is"), tr("Unit"))
UNITS = ("", "MiB", "GiB", "TiB", "MB", "GB", "TB", "KB", "bytes")
FREQUENCIES = ("", "MHz", "GHz")
VALUE = Qt.ItemDataRole.UserRole
HEADING_PX, EXAMPLES_PX, FIELD_PX, DECIMAL_PX = 200, 210, 210, 140


class ColumnsPanel(QWidget):
    """A table of columns; what is said of them is a profile, to be used, kept and opened again.

    Signals:
        applied: the profile that was put together.
        load_wanted, save_wanted: a profile is to be opened, or kept.
    """

    applied = Signal(object)
    load_wanted = Signal()
    save_wanted = Signal()

    def __init__(
        self,
        parent: QWidget | None = None,
        words: Mapping[str, str] = WORDS,
        asked: Callable[[str], str] | None = None,
    ) -> None:
        super().__init__(parent)
        self._words = {"": "–"} | {name: local(each) for name, each in words.items()}
        self._asked = asked or _asked_of_vms
        self._tables: Sequence[TableFound] = ()
        self.sheet = Dropdown()
        self.sheet.setAccessibleName(tr("Table"))
        self.decimal = Dropdown()
        for mark, shown in (("", tr("as found")), (",", "1,5"), (".", "1.5")):
            self.decimal.addItem(shown, mark)
        self.decimal.setMinimumWidth(DECIMAL_PX)
        self.on = QLineEdit()
        self.on.setPlaceholderText(tr("known words, else say them here"))
        self.on.setToolTip(
            tr("Words that mean powered on, set apart by commas: all others mean off.")
        )
        self.columns = QTableWidget(0, len(TITLES))
        self.apply = styled(QPushButton(tr("Read it so")), "primary")
        self.load = QPushButton(tr("Open a column profile…"))
        self.save = QPushButton(tr("Save the column profile…"))
        self._set_up()
        self._lay_out()
        self.sheet.currentIndexChanged.connect(self._show_table)
        self.columns.itemChanged.connect(self._changed)
        self.apply.clicked.connect(self._apply)
        self.load.clicked.connect(self.load_wanted)
        self.save.clicked.connect(self.save_wanted)

    def _set_up(self) -> None:
        table = self.columns
        make_plain(table, tr("Columns"), lines=1.7)
        table.setHorizontalHeaderLabels(list(TITLES))
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column, wide in ((HEADING, HEADING_PX), (EXAMPLES, EXAMPLES_PX), (FIELD, FIELD_PX)):
            table.setColumnWidth(column, wide)
        header.setSectionResizeMode(UNIT, QHeaderView.ResizeMode.Stretch)
        for column in (FIELD, UNIT):
            table.setItemDelegateForColumn(column, ChoiceDelegate(table))
        table.setEditTriggers(QTableWidget.EditTrigger.AllEditTriggers)

    def _lay_out(self) -> None:
        self.head = wrapped()
        choices = QHBoxLayout()
        self.sheet_label, self.decimal_label = QLabel(tr("Table")), QLabel(tr("Numbers"))
        self.on_label = QLabel(tr("Powered on"))
        for label, widget in (
            (self.sheet_label, self.sheet),
            (self.decimal_label, self.decimal),
            (self.on_label, self.on),
        ):
            label.setBuddy(widget)
            choices.addWidget(label)
            choices.addWidget(widget, int(widget is self.on))
        buttons = in_row().put(self.apply, (STRETCH, 1), self.load, self.save)
        in_column(self, around=None).put(self.head, choices, (self.columns, 1), buttons)

    def leave_out_what_vms_have(self) -> None:
        """Without units, power states and files of profiles, for tables that have none of them."""
        self.columns.setColumnHidden(UNIT, True)
        self.columns.horizontalHeader().setSectionResizeMode(FIELD, QHeaderView.ResizeMode.Stretch)
        of_vms: tuple[QWidget, ...] = (self.on, self.on_label, self.decimal, self.decimal_label)
        for each in (*of_vms, self.load, self.save):
            each.hide()

    # ---------------------------------------------------------------- content

    def show_tables(self, name: str, tables: Sequence[TableFound], profile: Profile | None) -> None:
        """The tables of a file, and what is said of them so far; None: their headings speak."""
        self.head.setText(self._asked(name))
        self._tables = tables
        self.sheet.blockSignals(True)
        self.sheet.clear()
        for each in tables:
            self.sheet.addItem(each.name or tr("the whole file"), each.name)
        at = self.sheet.findData(profile.sheet) if profile is not None else 0
        self.sheet.setCurrentIndex(max(at, 0))
        self.sheet.blockSignals(False)
        for widget in (self.sheet, self.sheet_label):
            widget.setVisible(len(tables) > 1)
        self.show_profile(profile or self._table.guess)

    @property
    def _table(self) -> TableFound:
        return self._tables[max(self.sheet.currentIndex(), 0)]

    def _show_table(self, _at: int) -> None:
        self.show_profile(self._table.guess)

    def show_profile(self, profile: Profile) -> None:
        """What is said of the columns."""
        fields = {column.heading: (name, column) for name, column in profile.columns.items()}
        self.decimal.setCurrentIndex(max(self.decimal.findData(profile.decimal), 0))
        self.on.setText(", ".join(profile.on))
        table = self._table
        self.columns.blockSignals(True)
        self.columns.setRowCount(len(table.head))
        for row, heading in enumerate(table.head):
            name, column = fields.get(heading, ("", ColumnOf(heading)))
            self._write(row, HEADING, heading)
            self._write(row, EXAMPLES, ", ".join(filter(None, table.examples[row])))
            self._choose(row, FIELD, name, self._words)
            self._choose(row, UNIT, column.unit, _unit_words(name))
        self.columns.blockSignals(False)
        self.columns.viewport().update()

    def _write(self, row: int, column: int, text: str) -> None:
        item = QTableWidgetItem(text)
        item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
        item.setToolTip(text)
        self.columns.setItem(row, column, item)

    def _choose(self, row: int, column: int, value: str, words: Mapping[str, str]) -> None:
        item = QTableWidgetItem(words.get(value, value))
        item.setData(VALUE, value)
        item.setData(CHOICES, list(words.items()))
        if len(words) < 2:
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
        self.columns.setItem(row, column, item)

    def _changed(self, item: QTableWidgetItem) -> None:
        """A field is that of one column: another that had it gives it up."""
        value, row = str(item.data(VALUE) or ""), item.row()
        self.columns.blockSignals(True)
        if item.column() == FIELD:
            for other in range(self.columns.rowCount()):
                if other != row and value and self._said(other, FIELD) == value:
                    self._choose(other, FIELD, "", self._words)
                    self._choose(other, UNIT, "", _unit_words(""))
            self._choose(row, FIELD, value, self._words)
            self._choose(row, UNIT, "", _unit_words(value))
        elif item.column() == UNIT:
            self._choose(row, UNIT, value, _unit_words(self._said(row, FIELD)))
        self.columns.blockSignals(False)

    def _said(self, row: int, column: int) -> str:
        found: Any = self.columns.item(row, column)
        return "" if found is None else str(found.data(VALUE) or "")

    def _apply(self) -> None:
        self.applied.emit(self.profile())

    def profile(self) -> Profile:
        """What is said of the columns."""
        rows = range(self.columns.rowCount())
        columns = {
            name: ColumnOf(self._table.head[row], self._said(row, UNIT).lower())
            for row in rows
            if (name := self._said(row, FIELD))
        }
        words = (word.strip().casefold() for word in self.on.text().split(","))
        return Profile(
            columns={name: columns[name] for name in self._words if name in columns},
            sheet=self._table.name,
            decimal=str(self.decimal.currentData()),
            on=tuple(filter(None, words)),
        )


def _asked_of_vms(name: str) -> str:
    return tr(
        "{name}: say what each column is; a name and one of vCPUs or RAM will do. It is kept for "
        "tables with the same headings.",
        name=name,
    )


def _unit_words(field: str) -> dict[str, str]:
    """Units that a field may have, by what a profile calls them."""
    if field in SPACES or field == "cpu_mhz":
        units = UNITS if field in SPACES else FREQUENCIES
        return {each.lower(): each or tr("as it says") for each in units}
    return {"": ""}

"""VMs that may be Domino or Sametime servers: ticked, and told what they are, by a person."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.language import local, tr
from app.widgets.fields.choice import TickDelegate
from app.widgets.parts import in_column
from app.widgets.plain_table import make_plain
from app.windows.import_page.choices import CHOICES, ChoiceDelegate
from app.windows.import_page.ties import TiePanel
from app.wording import read_amount
from models.base.errors import ModelError
from models.intake.confirmed import OFFERED, Confirmed
from models.intake.result import Guess, ImportResult
from models.scenario.wording import number
from models.scenario.workloads import WORKLOADS, WorkloadKind

NAME, WHY, KIND, USERS, LOAD = range(5)
TITLES = (tr("VM"), tr("Because"), tr("Is"), tr("Active users"), tr("Its load"))
VALUE = Qt.ItemDataRole.UserRole
NAME_PX, WHY_PX, KIND_PX, USERS_PX = 135, 205, 195, 118
_WORDS = {kind: local(WORKLOADS[kind].name) for kind in OFFERED}
Key = tuple[str, int]
"""Name of a VM, and which of that name it is: ids follow what is taken."""


@dataclass(slots=True)
class _Row:
    """A guess with what somebody made of it."""

    guess: Guess
    is_measured: bool
    kind: WorkloadKind
    users: float | None
    is_ticked: bool = False

    @property
    def said(self) -> Confirmed:
        return Confirmed(self.kind, self.users if self.kind.people else None)


class GuessPanel(QWidget):
    """One row a guess; what is not ticked stays any other server.

    Signals:
        changed: something else is ticked or said.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: dict[Key, _Row] = {}
        self._kept: dict[Key, _Row] = {}
        """Of VMs that some files had, whether they are among them now or not."""
        self.head = QLabel(
            tr(
                "Tick what is a Domino or Sametime server. Mail and chat load their hosts by their "
                "active users; all others, and those whose users nobody knows, by what was "
                "measured."
            )
        )
        self.head.setWordWrap(True)
        self.table = QTableWidget(0, len(TITLES))
        make_plain(self.table, tr("May be Domino or Sametime"), lines=1.7)
        self.table.setHorizontalHeaderLabels(list(TITLES))
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(LOAD, QHeaderView.ResizeMode.Stretch)
        for column, wide in ((NAME, NAME_PX), (WHY, WHY_PX), (KIND, KIND_PX), (USERS, USERS_PX)):
            self.table.setColumnWidth(column, wide)
        self.table.setItemDelegateForColumn(NAME, TickDelegate(self.table))
        self.table.setItemDelegateForColumn(KIND, ChoiceDelegate(self.table))
        self.table.setEditTriggers(QTableWidget.EditTrigger.AllEditTriggers)
        self.table.itemChanged.connect(self._changed)
        self.ties = TiePanel()
        in_column(self, around=None).put(self.head, (self.table, 2), (self.ties, 1))

    @property
    def is_filled(self) -> bool:
        return bool(self._rows) or self.ties.is_filled

    def show_result(self, result: ImportResult | None) -> None:
        """The guesses of a result; what was said of the same VMs before is kept."""
        self._kept |= self._rows
        before, self._rows = self._kept, {}
        seen: Counter[str] = Counter()
        real = {}
        if result is not None:
            real = {alias: name for name, alias in result.aliases.get("vm", {}).items()}
        for guess in () if result is None else result.guesses:
            name = real.get(guess.name, guess.name)
            seen[name] += 1
            row = before.get((name, seen[name])) or _Row(guess, False, guess.kind, guess.users)
            row.guess = guess
            if result is not None:
                vm = result.scenario.vm(guess.vm)
                row.is_measured = vm.workload.cpu_mhz is not None
            self._rows[name, seen[name]] = row
        self.table.blockSignals(True)
        self.table.setRowCount(len(self._rows))
        for at, row in enumerate(self._rows.values()):
            self._show(at, row)
        self.table.blockSignals(False)
        for widget in (self.head, self.table):
            widget.setVisible(bool(self._rows))
        self.ties.show_result(result)

    @property
    def confirmed(self) -> dict[str, Confirmed]:
        """What somebody says of VMs, by their ids."""
        return {row.guess.vm: row.said for row in self._rows.values() if row.is_ticked}

    def words(self) -> str:
        """How many there are, and how many are confirmed."""
        ticked, all_of = len(self.confirmed), len(self._rows)
        if not all_of:
            return tr("Names that mean something else")
        if not ticked:
            return tr("May be Domino or Sametime: {count}", count=local(number(all_of)))
        return tr(
            "Domino or Sametime: {ticked} of {count} confirmed",
            ticked=local(number(ticked)),
            count=local(number(all_of)),
        )

    def _show(self, at: int, row: _Row) -> None:
        name = self._write(at, NAME, row.guess.name, is_open=False)
        name.setFlags(name.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        name.setCheckState(Qt.CheckState.Checked if row.is_ticked else Qt.CheckState.Unchecked)
        self._write(at, WHY, local(row.guess.why), is_open=False)
        kind = self._write(at, KIND, _WORDS[row.kind], is_open=True)
        kind.setData(VALUE, row.kind.value)
        kind.setData(CHOICES, [(each.value, words) for each, words in _WORDS.items()])
        users = "" if row.users is None else local(number(row.users))
        self._write(at, USERS, users, is_open=bool(row.kind.people))
        self._write(at, LOAD, _load(row), is_open=False)

    def _write(self, at: int, column: int, text: str, *, is_open: bool) -> QTableWidgetItem:
        item = QTableWidgetItem(text)
        item.setToolTip(text)
        if not is_open:
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
        self.table.setItem(at, column, item)
        return item

    def _changed(self, item: QTableWidgetItem) -> None:
        at = item.row()
        row = list(self._rows.values())[at]
        if item.column() == NAME:
            row.is_ticked = item.checkState() is Qt.CheckState.Checked
        elif item.column() == KIND:
            row.kind, row.is_ticked = WorkloadKind(item.data(VALUE)), True
            row.users = row.guess.users if row.users is None else row.users
        elif item.column() == USERS:
            row.users, row.is_ticked = _read(item.text(), row.users), True
        self.table.blockSignals(True)
        self._show(at, row)
        self.table.blockSignals(False)
        self.changed.emit()


def _read(text: str, before: float | None) -> float | None:
    """The users that somebody typed; what is no number changes nothing."""
    if not text.strip():
        return None
    try:
        value = read_amount(text, "").value
    except ModelError:
        return before
    return value if value >= 0 else before


def _load(row: _Row) -> str:
    """What its load is taken from."""
    if row.said.taken.has_users:
        return tr("by its users")
    if row.is_measured:
        return tr("as measured")
    if row.kind.has_users:
        return tr("not known: enter its users")
    return tr("not known")

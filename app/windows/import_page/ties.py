"""Names that no VM or host has, and those that were matched over domain or case: a person says what
each is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QLabel, QTableWidget, QTableWidgetItem, QWidget

from app.language import local, tr
from app.widgets.parts import in_column
from app.widgets.plain_table import make_plain
from app.windows.import_page.choices import CHOICES, SearchDelegate
from models.customer.measured import MeasuredServer, matched
from models.intake.result import ImportResult
from models.scenario.names import How, Tie, plain
from models.scenario.scenario import Scenario

NAME, VM, HOW = range(3)
TITLES = (tr("Goes by the name"), tr("Is"), tr("Because"))
VALUE = Qt.ItemDataRole.UserRole
NAME_PX, HOW_PX = 300, 190
NONE = "–"
OWN = "\N{FULL BLOCK}"
"""Value of a choice that no VM is called."""
MOST_ROWS, MOST_CHOICES = 200, 20_000
"""More of either nobody goes through by hand: files whose names match are the way then."""


@dataclass(frozen=True, slots=True)
class TieRow:
    """A name, what it is taken for and why; `choices`: what it may be, or with `may_be_own` a VM of
    its own."""

    name: str
    to: str
    how: str
    choices: Sequence[str]
    may_be_own: bool = False


class TiePanel(QWidget):
    """One row a name; what is tied or untied stays among them, so that it can be taken back.

    Signals:
        changed: something else is said.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._same: dict[str, str] = {}
        self._own: set[str] = set()
        self._matched: set[str] = set()
        """Names that mean something unless somebody says that they don't."""
        self.head = QLabel(
            tr(
                "These names are of no VM or host that is taken, or of one that is called "
                "otherwise: say what each is. What is tied to nothing is in no number."
            )
        )
        self.head.setWordWrap(True)
        self.table = QTableWidget(0, len(TITLES))
        make_plain(self.table, tr("Names that mean something else"), lines=1.7)
        self.table.setHorizontalHeaderLabels(list(TITLES))
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(VM, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnWidth(NAME, NAME_PX)
        self.table.setColumnWidth(HOW, HOW_PX)
        self.table.setItemDelegateForColumn(VM, SearchDelegate(self.table))
        self.table.setEditTriggers(QTableWidget.EditTrigger.AllEditTriggers)
        self.table.itemChanged.connect(self._changed)
        in_column(self, around=None).put(self.head, (self.table, 1))

    @property
    def same(self) -> Mapping[str, str]:
        """Names of VMs and hosts by other names that they go by, empty for none of them."""
        return dict(self._same)

    @property
    def as_vms(self) -> frozenset[str]:
        """Names of measured servers that become VMs."""
        return frozenset(self._own)

    @property
    def is_filled(self) -> bool:
        return self.table.rowCount() > 0

    def show_result(self, result: ImportResult | None) -> None:
        """The names of an import that are of nothing, or of something else, and those that somebody
        said something of."""
        if result is None:
            self.show_rows((), ())
            return
        real: dict[str, str] = {}
        for kind in ("vm", "domino", "host"):
            real |= {alias: name for name, alias in result.aliases.get(kind, {}).items()}
        vms = [real.get(vm.name, vm.name) for vm in result.scenario.vms]
        hosts = [real.get(host.name, host.name) for host in result.scenario.hosts]
        of_vms = [real.get(name, name) for name in result.unmatched] if vms else []
        of_hosts = [real.get(name, name) for name in result.unlisted_hosts]
        rows = [
            *(TieRow(name, "", "", hosts) for name in of_hosts),
            *(TieRow(name, "", "", vms, may_be_own=True) for name in of_vms),
            *(TieRow(name, OWN, "", vms, may_be_own=True) for name in sorted(self._own)),
        ]
        there = set(map(plain, hosts))
        ties = [(tie, hosts if plain(tie.to) in there else vms) for tie in result.ties]
        self.show_rows(rows, ties)

    def show_servers(self, scenario: Scenario, measured: Sequence[MeasuredServer]) -> None:
        """The same of measured servers and the VMs of a scenario."""
        vms = [vm.name for vm in scenario.vms]
        found = matched(measured, scenario, self._same)
        rows = [TieRow(name, "", "", vms) for name in found.unknown]
        self.show_rows(rows, [(tie, vms) for tie in found.ties])

    def show_rows(
        self, unknown: Iterable[TieRow], ties: Iterable[tuple[Tie, Sequence[str]]]
    ) -> None:
        """Names of nothing, and ties with what they could be instead; what was said of names that
        no file has now is kept."""
        rows = {each.name: each for each in unknown}
        for tie, choices in ties:
            if tie.how is not How.HAND:
                self._matched.add(tie.name)
            rows[tie.name] = TieRow(tie.name, tie.to, local(tie.how.label), choices)
        order = dict.fromkeys((*(name for name in self._same if name in rows), *rows))
        self._fill([rows[name] for name in order][:MOST_ROWS])

    def _fill(self, rows: Sequence[TieRow]) -> None:
        self.table.blockSignals(True)
        self.table.setRowCount(len(rows))
        offered: dict[int, list[tuple[str, str]]] = {}
        for at, row in enumerate(rows):
            for column, words in ((NAME, row.name), (HOW, row.how)):
                shown = QTableWidgetItem(words)
                shown.setToolTip(words)
                shown.setFlags(shown.flags() & ~Qt.ItemFlag.ItemIsEditable)
                self.table.setItem(at, column, shown)
            choices = offered.get(id(row.choices))
            if choices is None:
                names = dict.fromkeys(row.choices[:MOST_CHOICES])
                own = [(OWN, tr("a VM of its own"))] if row.may_be_own else []
                choices = [("", NONE), *own, *((name, name) for name in names)]
                offered[id(row.choices)] = choices
            chosen = QTableWidgetItem(dict(choices[:2]).get(row.to, row.to) or NONE)
            chosen.setData(VALUE, row.to)
            chosen.setData(CHOICES, choices)
            self.table.setItem(at, VM, chosen)
        self.table.blockSignals(False)
        self.setVisible(self.is_filled)

    def _changed(self, item: QTableWidgetItem) -> None:
        name = self.table.item(item.row(), NAME)
        if item.column() != VM or name is None:
            return
        to = item.data(VALUE)
        self._own.discard(name.text())
        if to == OWN:
            self._own.add(name.text())
            self._same.pop(name.text(), None)
        elif to or name.text() in self._matched:
            self._same[name.text()] = to
        else:
            self._same.pop(name.text(), None)
        self.changed.emit()

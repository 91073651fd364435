"""The files of the import page: what each was taken for, and what it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from app.language import local, tr
from app.widgets.plain_table import make_plain
from app.windows.import_page.choices import CHOICES, ChoiceDelegate
from app.windows.import_page.reading import PASTED, Found, reason_of
from db.importers.letters import ENCODINGS
from db.importers.registry import Told, UnknownKind, Unread, importers
from models.base.texts import joined, say, say_many
from models.intake.records import Records
from models.scenario.wording import number

FILE, KIND, VERSION, LETTERS, HOLDS = range(5)
TITLES = (tr("File"), tr("Kind"), tr("Version"), tr("Letters"), tr("Contents"))
KIND_PX, VERSION_PX, LETTERS_PX, FILE_PX, EDGE_PX = 220, 130, 90, 250, 8
_WIDE = (
    (FILE, FILE_PX),
    (KIND, KIND_PX),
    (VERSION, VERSION_PX),
    (LETTERS, LETTERS_PX),
)
MOST_ROWS = 5
"""So many are seen at once."""


@dataclass(frozen=True, slots=True)
class FileRow:
    """What there is to say of one file, folder or archive; `told`: what somebody said of it."""

    name: str
    told: Told = field(default_factory=Told)


def shown_name(name: str) -> str:
    """What people call a file, without where it lies."""
    return tr("pasted table") if name == PASTED else Path(name).name


class FileTable(QTableWidget):
    """Each file with its kind and the encoding of its letters, which can be chosen.

    Signals:
        kind_chosen, letters_chosen: name of the file, and which; None: as its content says.
    """

    kind_chosen = Signal(str, object)
    letters_chosen = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, len(TITLES), parent)
        make_plain(self, tr("Files"), lines=1.7)
        self.setHorizontalHeaderLabels(list(TITLES))
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(HOLDS, QHeaderView.ResizeMode.Stretch)
        for column, wide in _WIDE:
            self.setColumnWidth(column, wide)
        for column in (KIND, LETTERS):
            self.setItemDelegateForColumn(column, ChoiceDelegate(self))
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.itemChanged.connect(self._changed)

    def show_rows(self, rows: Sequence[FileRow], found: Found | None) -> None:
        """The files, and what came of them; None: they are being read."""
        self.blockSignals(True)
        self.setRowCount(len(rows))
        for at, row in enumerate(rows):
            records = [each for each in found.records if row.name in each.named] if found else []
            item = self._write(at, FILE, shown_name(row.name))
            item.setToolTip(row.name)
            item.setData(Qt.ItemDataRole.UserRole, row.name)
            self._write_kind(at, row, records, found)
            versions = dict.fromkeys(filter(None, (each.tool_version for each in records)))
            self._write(at, VERSION, ", ".join(versions))
            self._write_letters(at, row, records)
            self._write(at, HOLDS, _held(row.name, records, found))
        self.blockSignals(False)
        high = self.verticalHeader().defaultSectionSize() * min(max(len(rows), 1), MOST_ROWS)
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + high + EDGE_PX)
        self.viewport().update()

    def _write_kind(
        self, at: int, row: FileRow, records: Sequence[Records], found: Found | None
    ) -> None:
        kinds = dict.fromkeys(each.kind for each in records)
        is_own = found is not None and row.name in found.projects
        known = tr("Headroom") if is_own else ", ".join(local(importers()[k].title) for k in kinds)
        shown = known or (_unknown(found.problems_of(row.name)) if found else tr("reading…"))
        choices: list[tuple[str | None, str]] = [(None, tr("as its content says"))]
        if not is_own:
            choices += [(kind, local(each.title)) for kind, each in importers().items()]
        item = self._write(at, KIND, shown, is_editable=not is_own)
        item.setData(Qt.ItemDataRole.UserRole, row.told.kind)
        item.setData(CHOICES, choices)
        item.setToolTip(tr("Double-click, or press F2, to say that it is of another kind."))

    def _write_letters(self, at: int, row: FileRow, records: Sequence[Records]) -> None:
        """The encoding of a text; of a workbook there is none to choose."""
        said = row.told.encoding
        found = dict.fromkeys(each.encoding for each in records if each.encoding)
        names = [] if row.name == PASTED else [said] if said else list(found)
        item = self._write(at, LETTERS, ", ".join(names), is_editable=bool(names))
        if names:
            item.setData(Qt.ItemDataRole.UserRole, said)
            offered = ((name, f"{name}, {local(words)}") for name, words in ENCODINGS.items())
            item.setData(CHOICES, [(None, tr("as its content says")), *offered])
            item.setToolTip(tr("Double-click, or press F2, where letters of names are wrong."))

    def _write(
        self, at: int, column: int, text: str, *, is_editable: bool = False
    ) -> QTableWidgetItem:
        item = QTableWidgetItem(text)
        item.setToolTip(text)
        if not is_editable:
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
        self.setItem(at, column, item)
        return item

    def _changed(self, item: QTableWidgetItem) -> None:
        chosen = self.letters_chosen if item.column() == LETTERS else self.kind_chosen
        chosen.emit(self._name(item.row()), item.data(Qt.ItemDataRole.UserRole))

    def _name(self, row: int) -> str:
        item = self.item(row, FILE)
        return "" if item is None else str(item.data(Qt.ItemDataRole.UserRole))

    @property
    def current(self) -> str:
        """Name of the file that is chosen; empty where none is."""
        return self._name(self.currentRow())


def _unknown(problems: Sequence[Unread]) -> str:
    is_unknown = any(isinstance(each.error, UnknownKind) for each in problems)
    return tr("not known") if is_unknown else tr("not read")


def _held(name: str, records: Sequence[Records], found: Found | None) -> str:
    if found is None:
        return ""
    problems = found.problems_of(name)
    if problems and not records:
        return local(reason_of(problems[0]))
    if name in found.projects:
        count = len(found.projects[name].entries)
        return local(say_many("{count} scenario", "{count} scenarios", count, count=number(count)))
    vms, hosts = (sum(len(getattr(each, of)) for each in records) for of in ("vms", "hosts"))
    series, domino = (
        sum(len(getattr(each, of)) for each in records) for of in ("series", "domino")
    )
    told = (
        vms and say_many("{count} VM", "{count} VMs", vms, count=number(vms)),
        hosts and say_many("{count} host", "{count} hosts", hosts, count=number(hosts)),
        series and say_many("{count} counter", "{count} counters", series, count=number(series)),
        domino and say_many("{count} server", "{count} servers", domino, count=number(domino)),
        problems and say("{count} not read", count=number(len(problems))),
    )
    return local(joined(", ", (each for each in told if each)))

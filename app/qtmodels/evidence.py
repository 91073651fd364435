"""Every row of evidence as a table to search: what is doubted or blank says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QSortFilterProxyModel

from app.language import local, tr
from app.qtmodels.cells import SORT_ROLE, CellRow, CellTable
from app.qtmodels.keyed import Index
from models.evidence.rows import EvidenceRow
from models.explain.words import known
from models.predict.predicted import title_of
from models.scenario.wording import ENGLISH, THIN, Style, number
from models.tell import accuracy
from models.tell.blocks import Column

COLUMNS = (
    Column(tr("Quantity")),
    Column(tr("As printed"), tip=tr("The figure as the document prints it"), numeric=True),
    Column(tr("Users"), numeric=True),
    Column(tr("Storage, RAM"), tip=tr("Storage mode and RAM as printed")),
    Column(tr("Kind"), tip=tr("Measured, claimed, configured …; doubted and blank cells say so")),
    Column(tr("Table"), tip=tr("Table or section in which the figure stands")),
    Column(tr("Document"), tip=tr("Title of the document")),
    Column(
        tr("Family"), tip=tr("Figures of one family are fitted together; families are never pooled")
    ),
)
QUANTITY, VALUE, USERS, STORAGE, KIND, TABLE, DOCUMENT, FAMILY = range(len(COLUMNS))
DOUBTED, BLANK = "doubted", "blank"
NOTHING = "–"
_NOT_UNITS = frozenset({"vmstat column", "value", "formula", "notes.ini", "qualitative", "version"})
_HUGE = 1 << 60


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceFilter:
    """Which rows are wanted; what is empty wants all.

    Attributes:
        words: all of them stand somewhere in the row.
        kind: kind of the figure, `DOUBTED` and `BLANK` among them.
    """

    words: tuple[str, ...] = ()
    family: str = ""
    document: str = ""
    metric: str = ""
    kind: str = ""

    def holds(self, row: EvidenceRow, text: str) -> bool:
        """Whether a row, and `text` that is searched of it, are wanted."""
        pairs = (
            (self.family, row.family),
            (self.document, row.document),
            (self.metric, row.metric),
            (self.kind, kind_of(row)),
        )
        return all(not wanted or wanted == found for wanted, found in pairs) and all(
            word in text for word in self.words
        )


def kind_of(row: EvidenceRow) -> str:
    """The kind of a row; a doubted one is that before all else."""
    return DOUBTED if row.doubted else row.kind


def kind_text(row: EvidenceRow) -> str:
    """The kind in words that need no explaining."""
    kind = kind_of(row)
    words = {DOUBTED: tr("doubted by its authors"), BLANK: tr("blank in the source")}
    return words.get(kind, kind_word(kind))


def kind_word(kind: str) -> str:
    """The name of a kind."""
    return local(known(kind))


def storage_text(row: EvidenceRow) -> str:
    """The storage mode as the document has it, or that it has none."""
    return local(known(row.storage_mode))


def family_text(family: str) -> str:
    """``A · Domino mail on ESX 3``."""
    return local(accuracy.family_text(family))


def document_text(document: str) -> str:
    """The title up to its colon: enough to know it by.

    >>> document_text("VMworld 2007 WV21: IBM Lotus Domino and IBM Lotus Sametime")
    'VMworld 2007 WV21'
    """
    return document.partition(": ")[0]


def quantity_text(metric: str) -> str:
    """``CPU`` for ``cpu_pct``; other quantities as the document names them."""
    name = local(title_of(metric))
    return name[:1].upper() + name[1:]


def printed_text(row: EvidenceRow) -> str:
    """The figure as printed, with its unit where the print has none."""
    if not row.printed:
        return kind_word(BLANK) if row.kind == BLANK else NOTHING
    if not row.unit or row.unit in _NOT_UNITS or row.printed.endswith(row.unit):
        return row.printed
    return f"{row.printed}{THIN}{row.unit}"


def ram_text(row: EvidenceRow) -> str:
    """RAM as printed, with its unit."""
    if not row.ram_gb:
        return NOTHING
    return row.ram_gb if "MB" in row.ram_gb else f"{row.ram_gb}{THIN}GB"


def run_text(row: EvidenceRow, style: Style = ENGLISH) -> str:
    """Which figure of its table a row is: ``CPU, VMFS, 14.5 GB, 4,000 users``."""
    parts = [quantity_text(row.metric), storage_text(row)]
    if row.ram_gb:
        parts.append(ram_text(row))
    if row.users is not None:
        parts.append(tr("{active_users} users", active_users=number(row.users, style=style)))
    return ", ".join(filter(None, parts))


def evidence_row(row: EvidenceRow, style: Style = ENGLISH) -> CellRow:
    """One row of the table."""
    users = NOTHING if row.users is None else number(row.users, style=style)
    cells = (
        quantity_text(row.metric),
        printed_text(row),
        users,
        ", ".join(part for part in (storage_text(row), ram_text(row)) if part != NOTHING and part)
        or NOTHING,
        kind_word(kind_of(row)),
        row.table or NOTHING,
        document_text(row.document) or NOTHING,
        row.family if row.family != "rules" else tr("Rules"),
    )
    folded = [cell.casefold() for cell in cells]
    folded[STORAGE] = f"{row.storage_mode.casefold()} {_leading(row.ram_gb):08.2f}"
    sorts = (
        folded[QUANTITY],
        (-_HUGE if row.value is None else row.value),
        row.users or 0,
        *folded[STORAGE:],
    )
    tips = ((DOCUMENT, row.document), (KIND, kind_text(row)), (FAMILY, family_text(row.family)))
    kind = kind_of(row)
    marks = ((VALUE, kind), (KIND, kind)) if kind in (DOUBTED, BLANK) else ()
    return CellRow(key=row.id, cells=cells, sorts=sorts, marks=marks, tips=tips, value=row)


def _leading(text: str) -> float:
    """The number with which a text begins; 0 without one."""
    digits = text.partition("-")[0].partition(" ")[0]
    return float(digits) if digits.replace(".", "", 1).isdigit() else 0.0


def haystack(row: EvidenceRow) -> str:
    """All words of a row, for the search."""
    texts = (
        *(row.id, row.document, row.table, row.platform, row.hypervisor, row.storage_mode),
        *(row.cpu, row.workload, row.metric, quantity_text(row.metric), row.unit, row.printed),
        *(kind_text(row), local(row.note), "" if row.users is None else str(row.users)),
    )
    return " ".join(texts).casefold()


def choices(rows: Iterable[EvidenceRow], field: str) -> list[tuple[str, int]]:
    """The values of `field` with their number of rows, the most frequent first."""
    counts = Counter(kind_of(row) if field == "kind" else str(getattr(row, field)) for row in rows)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0].casefold()))


class EvidenceProxy(QSortFilterProxyModel):
    """The wanted rows in the wanted order."""

    def __init__(self, rows: Iterable[EvidenceRow], style: Style, parent: QObject | None) -> None:
        super().__init__(parent)
        self.table = evidence_table(rows, style, self)
        self._wanted = EvidenceFilter()
        self._texts: dict[str, str] = {}
        self.setSortRole(SORT_ROLE)
        self.setSourceModel(self.table)

    @property
    def wanted(self) -> EvidenceFilter:
        return self._wanted

    def set_wanted(self, wanted: EvidenceFilter) -> None:
        if wanted != self._wanted:
            self.beginFilterChange()
            self._wanted = wanted
            self.endFilterChange(self.Direction.Rows)

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        row: EvidenceRow = self.table.rows[source_row].value
        if row.id not in self._texts:
            self._texts[row.id] = haystack(row)
        return self._wanted.holds(row, self._texts[row.id])


def evidence_table(rows: Iterable[EvidenceRow], style: Style, parent: QObject) -> CellTable:
    """The table of all these rows."""
    table = CellTable(COLUMNS, parent)
    table.set_rows([evidence_row(row, style) for row in rows])
    return table

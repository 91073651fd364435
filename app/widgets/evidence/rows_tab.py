"""Every figure of every document, to search and to read in full."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QSplitter,
    QStackedLayout,
    QWidget,
)

from app.language import tr
from app.qtmodels.cells import CellRow
from app.qtmodels.evidence import (
    BLANK,
    DOCUMENT,
    DOUBTED,
    KIND,
    QUANTITY,
    STORAGE,
    TABLE,
    VALUE,
    EvidenceFilter,
    EvidenceProxy,
    choices,
    family_text,
    kind_word,
    quantity_text,
)
from app.widgets.evidence.cell_view import CellView
from app.widgets.evidence.choice import Filter
from app.widgets.evidence.source import SourceCard
from app.widgets.labels import Empty
from app.widgets.parts import clearable, in_column, in_row, styled
from app.wording import locale_style
from models.base.texts import opening
from models.evidence.rows import EvidenceRow
from models.scenario.wording import number

HINT = tr("Choose a row to see where its figure stands.")
CAPS = {TABLE: 16, QUANTITY: 16, STORAGE: 15, VALUE: 11, KIND: 9}
KINDS = {DOUBTED: tr("Doubted"), BLANK: tr("Blank")}


class Search(QLineEdit):
    """The search field; Down goes to the rows."""

    def __init__(self, rows: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = rows
        self.setPlaceholderText(tr("Search documents, tables, quantities, platforms, notes …"))
        self.setAccessibleName(tr("Search the evidence"))
        clearable(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._rows.setFocus()
        else:
            super().keyPressEvent(event)


class RowsTab(QWidget):
    """The evidence browser."""

    def __init__(self, rows: Sequence[EvidenceRow], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = tuple(rows)
        self.proxy = EvidenceProxy(rows, locale_style(), self)
        self.view = CellView(
            self.proxy.table,
            tr("Evidence"),
            stretch=DOCUMENT,
            proxy=self.proxy,
            parent=self,
        )
        self.view.fit_columns(CAPS)
        self.search = Search(self.view, self)
        self.family = Filter(tr("Family"), 16, self)
        self.document = Filter(tr("Document"), 20, self)
        self.quantity = Filter(tr("Quantity"), 14, self)
        self.kind = Filter(tr("Kind of figure"), 12, self)
        self.count = styled(QLabel(self), "muted")
        self.empty = Empty("search", tr("No row holds all of that."), self)
        self.card = SourceCard(HINT, is_linked=False, parent=self)
        self._offer_all()
        self._lay_out()
        self.search.textChanged.connect(self._filter)
        for choice in self._filters():
            choice.picked.connect(self._narrowed)
        self.view.chosen.connect(self._chosen)
        self._filter()

    def _filters(self) -> tuple[Filter, ...]:
        return (self.family, self.document, self.quantity, self.kind)

    def show_id(self, id: str) -> bool:
        """Chooses the row with this id, without any filter; whether there is one."""
        if not any(row.id == id for row in self._rows):
            return False
        self.clear_filters()
        return self.view.choose(id)

    def clear_filters(self) -> None:
        self.search.clear()
        for choice in self._filters():
            choice.choose("")

    # ------------------------------------------------------------------ filters

    def _wanted(self) -> EvidenceFilter:
        return EvidenceFilter(
            words=tuple(self.search.text().casefold().split()),
            family=str(self.family.value or ""),
            document=str(self.document.value or ""),
            metric=str(self.quantity.value or ""),
            kind=str(self.kind.value or ""),
        )

    def _filter(self, _change: object = None) -> None:
        self.proxy.set_wanted(self._wanted())
        found, all_rows = self.proxy.rowCount(), len(self._rows)
        style = locale_style()
        of_all = number(all_rows, style=style)
        shown = number(found, style=style)
        self.count.setText(
            tr("{of_all} rows", of_all=of_all)
            if found == all_rows
            else tr("{shown} of {of_all} rows", shown=shown, of_all=of_all)
        )
        self._place.setCurrentWidget(self.view if found else self.empty)
        if not self.view.currentIndex().isValid():
            self._chosen(None)

    def _narrowed(self, _value: object) -> None:
        """Documents and quantities on offer are those of what is chosen already."""
        self._offer_within()
        self._filter()

    def _offer_all(self) -> None:
        families = sorted(family for family, _ in choices(self._rows, "family"))
        named = [(family_text(family), family) for family in families]
        self.family.fill([(tr("All families"), ""), *named])
        kinds = [kind for kind, _ in choices(self._rows, "kind") if kind not in KINDS]
        named = [(text, kind) for kind, text in KINDS.items()]
        named += [(opening(kind_word(kind)), kind) for kind in kinds]
        self.kind.fill([(tr("All kinds"), ""), *named])
        self._offer_within()

    def _offer_within(self) -> None:
        family = self.family.value
        rows = [row for row in self._rows if family in ("", row.family)]
        documents = choices(rows, "document")
        self.document.fill(
            [(tr("All documents"), ""), *((f"{name} ({n})", name) for name, n in documents if name)]
        )
        document = self.document.value
        rows = [row for row in rows if document in ("", row.document)]
        self.quantity.fill(
            [
                (tr("All quantities"), ""),
                *((f"{quantity_text(name)} ({n})", name) for name, n in choices(rows, "metric")),
            ]
        )

    def _chosen(self, row: CellRow | None) -> None:
        self.card.show_row(row.value if row is not None else None)

    # ------------------------------------------------------------------ layout

    def _lay_out(self) -> None:
        filters = in_row(gap=6).put((self.search, 1), *self._filters(), self.count)
        self._place = QStackedLayout()
        self._place.addWidget(self.view)
        self._place.addWidget(self.empty)
        left = QWidget(self)
        left.setLayout(self._place)
        self._place.setContentsMargins(0, 0, 0, 0)
        both = QSplitter(Qt.Orientation.Horizontal, self)
        both.setChildrenCollapsible(False)
        both.setHandleWidth(10)
        both.addWidget(left)
        both.addWidget(self.card)
        both.setSizes([1000, 310])
        both.setStretchFactor(0, 1)
        in_column(self, gap=8, around=(8, 8, 8, 8)).put(filters, (both, 1))

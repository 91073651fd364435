"""The catalog beside the board: search, sections, and rows to drag or to add with Enter."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QLabel,
    QLineEdit,
    QToolButton,
    QWidget,
)

from app.icons import icon
from app.language import tr
from app.mime import CatalogItem, CatalogKind
from app.qtmodels.catalog_model import CatalogModel
from app.widgets.catalog_list import CatalogList
from app.widgets.own_bar import OwnBar
from app.widgets.parts import Line, clearable, in_column, in_row, styled, switch
from models.catalog.catalog import Catalog

TITLES = {
    CatalogKind.SERVER: tr("Servers"),
    CatalogKind.ARRAY: tr("Arrays"),
    CatalogKind.WORKLOAD: tr("Workloads"),
    CatalogKind.HYPERVISOR: tr("Hypervisors"),
}
HINTS = {
    CatalogKind.SERVER: tr("Drag onto the board to add a host, or press Enter."),
    CatalogKind.ARRAY: tr("Drag onto the board to add a storage pool, or press Enter."),
    CatalogKind.WORKLOAD: tr("Drag onto a host to add a VM, or press Enter."),
    CatalogKind.HYPERVISOR: tr("Drag onto a host or cluster to change its release."),
}


class CatalogPanel(QWidget):
    """Search field, sections and list.

    Signals:
        add_requested: a `CatalogItem` that is to go onto the board.
    """

    add_requested = Signal(object)

    def __init__(self, catalog: Catalog, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("catalog")
        self._model = CatalogModel(catalog, self)
        self.search = QLineEdit(self)
        self.search.setAcceptDrops(False)
        self.list = CatalogList(self._model, self)
        self.hint = styled(QLabel(self), "muted")
        self.own = OwnBar(self)
        self._group = QButtonGroup(self)
        self._buttons: dict[CatalogKind, QToolButton] = {}
        self._set_up()
        self.search.textChanged.connect(self._search)
        self.search.installEventFilter(self)
        self.list.chosen.connect(self.add_requested)
        self._group.idClicked.connect(self._switch)
        self.list.selectionModel().currentChanged.connect(self._show_own)
        self._model.modelReset.connect(self._show_own)
        self.list.removal_asked.connect(self.own.ask_removal)
        self.list.menu_asked.connect(self.own.open_menu)
        self.show_kind(CatalogKind.SERVER)

    def _set_up(self) -> None:
        self.search.setPlaceholderText(tr("Search the catalog"))
        self.search.addAction(icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        clearable(self.search)
        self.search.setAccessibleName(tr("Search the catalog"))
        self.hint.setWordWrap(True)
        in_column(self, gap=7, around=(8, 8, 8, 8)).put(
            self.search, self._sections(), (self.list, 1), self.hint, self.own
        )
        self.setFocusProxy(self.search)

    def _sections(self) -> Line:
        row = in_row(gap=0)
        for position, kind in enumerate(CatalogKind):
            button = switch(self, TITLES[kind], role="section")
            self._group.addButton(button, position)
            self._buttons[kind] = button
            row.addWidget(button, 1)
        return row

    @property
    def sections(self) -> tuple[QToolButton, ...]:
        return tuple(self._buttons.values())

    def set_catalog(self, catalog: Catalog, own: Catalog | None = None) -> None:
        """Shows other entries; what was selected stays so."""
        index = self.list.currentIndex()
        chosen = self._model.row(index).item if index.isValid() else None
        self._model.set_catalog(catalog, own)
        self._say_found()
        if chosen is not None:
            self.list.setCurrentIndex(self._model.index_of(chosen))

    def show_kind(self, kind: CatalogKind) -> None:
        """Brings a section to the front; a search ends."""
        self._model.set_kind(kind)
        self.clear_search()
        self._show_section()

    def clear_search(self) -> None:
        self.search.clear()

    def _show_section(self) -> None:
        """Marks the section in view; while all are searched it is none of them."""
        is_searching = bool(self.search.text().strip())
        self._group.setExclusive(not is_searching)
        for kind, button in self._buttons.items():
            button.setChecked(not is_searching and kind is self._model.kind)
        self.own.show_kind(None if is_searching else self._model.kind)
        if not is_searching:
            self.hint.setText(HINTS[self._model.kind])

    def show_item(self, item: CatalogItem) -> None:
        """Selects one row."""
        self.show_kind(item.kind)
        self.list.setCurrentIndex(self._model.index_of(item))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Down and Enter in the search field lead to the list; Escape ends the search."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape and self.search.text():
                self.clear_search()
                return True
            if event.key() == Qt.Key.Key_Down:
                self._enter_list()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._model.rowCount():
                index = self.list.currentIndex()
                row = self._model.row(index if index.isValid() else self._model.index(0))
                self.add_requested.emit(row.item)
                return True
        return super().eventFilter(watched, event)

    def _enter_list(self) -> None:
        self.list.setFocus()
        if not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self._model.index(0))

    def _search(self, text: str) -> None:
        self._model.set_search(text)
        self._say_found()
        self._show_section()

    def _say_found(self) -> None:
        """How many entries a search finds, below the list."""
        count = self._model.rowCount()
        if self.search.text().strip():
            found = (
                tr("{count} found in all sections.", count=count) if count else tr("Nothing found.")
            )
            self.hint.setText(found)

    def _show_own(self, *_change: object) -> None:
        index = self.list.currentIndex()
        self.own.show_row(self._model.row(index) if index.isValid() else None)

    def _switch(self, position: int) -> None:
        self.show_kind(tuple(CatalogKind)[position])

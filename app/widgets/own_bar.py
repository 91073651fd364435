"""Below the catalog: makes an entry of one's own, and changes, copies or removes it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Signal
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton, QWidget

from app.icons import icon
from app.language import tr
from app.mime import CatalogKind
from app.qtmodels.catalog_model import CatalogRow
from app.widgets.parts import in_row, tool_button

CUSTOM = {
    CatalogKind.SERVER: (
        tr("Custom server…"),
        tr("Enter a server that the catalog does not have."),
    ),
    CatalogKind.ARRAY: (tr("Custom array…"), tr("Enter an array that the catalog does not have.")),
    CatalogKind.WORKLOAD: (
        tr("Custom workload…"),
        tr("Enter a kind of VM with figures of its own."),
    ),
}


class OwnBar(QWidget):
    """A button for a new entry, and three for the user's own entry that is chosen.

    Signals:
        custom_requested: a `CatalogKind` of which an entry is to be made.
        edit_requested, keep_requested, remove_requested: the `CatalogItem` that is to be changed,
            copied to the library, or taken away.
    """

    custom_requested = Signal(object)
    edit_requested = Signal(object)
    keep_requested = Signal(object)
    remove_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind: CatalogKind | None = None
        self._row: CatalogRow | None = None
        self.custom = QPushButton(self)
        self.edit = self._button("pencil", tr("Change this entry of yours…"))
        self.keep = self._button("copy-plus", tr("Copy this entry of yours to your library"))
        self.remove = self._button("trash-2", tr("Remove this entry of yours"))
        in_row(self).put((self.custom, 1), self.edit, self.keep, self.remove)
        self.custom.clicked.connect(self._ask_for_custom)
        self.edit.clicked.connect(self._ask_to_edit)
        self.keep.clicked.connect(self._ask_to_keep)
        self.remove.clicked.connect(self.ask_removal)
        self.show_row(None)

    def _button(self, sign: str, tip: str) -> QToolButton:
        button = tool_button(self, sign, tip=tip, name=tip.removesuffix("…"))
        button.setObjectName(sign)
        button.setIconSize(QSize(16, 16))
        button.setAutoRaise(True)
        return button

    def show_kind(self, kind: CatalogKind | None) -> None:
        """Offers what can be made in this section; nothing while all are searched."""
        self._kind = kind
        words, tip = CUSTOM.get(kind, ("", "")) if kind is not None else ("", "")
        self.custom.setText(words)
        self.custom.setToolTip(tip)
        self.custom.setVisible(bool(words))
        self._fit()

    def show_row(self, row: CatalogRow | None) -> None:
        """The three buttons are there for the user's own entries only."""
        self._row = row if row is not None and row.is_own else None
        can_edit = self._row is not None and self._row.item.kind in CUSTOM
        self.edit.setVisible(can_edit)
        for button in (self.keep, self.remove):
            button.setVisible(self._row is not None)
        self._fit()

    def _fit(self) -> None:
        self.setVisible(not self.custom.isHidden() or self._row is not None)

    def open_menu(self, at: QPoint) -> None:
        """The same acts as a menu."""
        if self._row is None:
            return
        menu = QMenu(self)
        if self._row.item.kind in CUSTOM:
            menu.addAction(icon("pencil"), tr("Change…"), self._ask_to_edit)
        menu.addAction(icon("copy-plus"), tr("Copy to my library"), self._ask_to_keep)
        menu.addAction(icon("trash-2"), tr("Remove"), self.ask_removal)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def _ask_for_custom(self) -> None:
        if self._kind is not None:
            self.custom_requested.emit(self._kind)

    def _ask_to_edit(self) -> None:
        if self._row is not None:
            self.edit_requested.emit(self._row.item)

    def _ask_to_keep(self) -> None:
        if self._row is not None:
            self.keep_requested.emit(self._row.item)

    def ask_removal(self) -> None:
        if self._row is not None:
            self.remove_requested.emit(self._row.item)

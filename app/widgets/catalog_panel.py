"""The catalog beside the board: search, sections, and rows to drag or to add with Enter."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtCore import Signal as QtSignal
from PySide6.QtGui import QColor, QDrag, QFont, QIcon, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.icons import draw_icon, icon_pixmap
from app.mime import CatalogItem, CatalogKind, mime_of_catalog
from app.qtmodels.catalog_model import ROW_ROLE, CatalogModel, CatalogRow
from app.theme import LIGHT, Theme
from app.widgets.meters import draw_badge, draw_text, text_width
from models.catalog import Catalog

ICONS = {
    CatalogKind.SERVER: "server",
    CatalogKind.ARRAY: "database",
    CatalogKind.WORKLOAD: "users",
    CatalogKind.HYPERVISOR: "layers",
}
TITLES = {
    CatalogKind.SERVER: "Servers",
    CatalogKind.ARRAY: "Arrays",
    CatalogKind.WORKLOAD: "Workloads",
    CatalogKind.HYPERVISOR: "Hypervisors",
}
HINTS = {
    CatalogKind.SERVER: "Drag onto the board to add a host, or press Enter.",
    CatalogKind.ARRAY: "Drag onto the board to add a storage pool.",
    CatalogKind.WORKLOAD: "Drag onto a host to add a VM.",
    CatalogKind.HYPERVISOR: "Drag onto a host or cluster to change its release.",
}
ROW_HEIGHT = 44


class CatalogDelegate(QStyledItemDelegate):
    """Paints a row: icon, name, and below it the figures."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme = LIGHT

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(120, ROW_HEIGHT)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(option.rect).adjusted(1, 1, -1, -1)
        state = option.state
        self._draw_ground(painter, rect, state)
        draw_row(painter, rect, index.data(ROW_ROLE), self.theme)
        painter.restore()

    def _draw_ground(self, painter: QPainter, rect: QRectF, state: QStyle.StateFlag) -> None:
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        is_hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        if not (is_selected or is_hovered):
            return
        theme = self.theme
        has_focus = is_selected and bool(state & QStyle.StateFlag.State_HasFocus)
        painter.setPen(QColor(theme.accent) if has_focus else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent_soft if is_selected else theme.raised))
        painter.drawRoundedRect(rect, 6, 6)


def draw_row(painter: QPainter, rect: QRectF, row: CatalogRow, theme: Theme) -> None:
    """One catalog row, in the list and under the pointer."""
    icon = QRectF(rect.x() + 8, rect.y() + 6, 16, 16)
    draw_icon(painter, icon, ICONS[row.item.kind], theme.muted)
    line = QRectF(rect.x() + 32, rect.y() + 4, rect.width() - 40, 19)
    weight = QFont.Weight.Medium
    if row.mark:
        width = text_width(row.mark, 12, weight)
        mark = QRectF(line.right() - width, line.y(), width, line.height())
        draw_text(painter, mark, row.mark, colour=theme.accent, size_px=12, weight=weight)
        line = line.adjusted(0, 0, -width - 8, 0)
    fits = not row.short or text_width(row.name, 13, weight) <= line.width()
    name = row.name if fits else row.short
    draw_text(painter, line, name, colour=theme.text, size_px=13, weight=weight)
    below = QRectF(line.x(), rect.y() + 22, line.width(), 16)
    if row.badge:
        used = draw_badge(painter, below, row.badge, theme, 9.5)
        below = below.adjusted(0, 0, -used - 6, 0)
    draw_text(painter, below, row.detail, colour=theme.muted, size_px=11)


class CatalogList(QListView):
    """The rows; what is dragged shows as the row itself.

    Signals:
        chosen: a `CatalogItem`, by Enter or double-click.
    """

    chosen = QtSignal(object)

    def __init__(self, model: CatalogModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._catalog = model
        self._delegate = CatalogDelegate(self)
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Catalog entries")
        self.doubleClicked.connect(self._choose)

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.currentIndex())
            event.accept()
        else:
            super().keyPressEvent(event)

    def startDrag(self, supportedActions: Qt.DropAction) -> None:
        index = self.currentIndex()
        if not index.isValid():
            return
        row = self._catalog.row(index)
        drag = QDrag(self)
        drag.setMimeData(mime_of_catalog(row.item))
        drag.setPixmap(drag_pixmap(row, self._delegate.theme, self.devicePixelRatioF()))
        drag.exec(Qt.DropAction.CopyAction)

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(self._catalog.row(index).item)


def drag_pixmap(row: CatalogRow, theme: Theme, ratio: float) -> QPixmap:
    """The row as it hangs on the pointer."""
    weight = QFont.Weight.Medium
    width = min(320.0, text_width(row.label, 13, weight) + 56)
    pixmap = QPixmap(round(width * ratio), round(34 * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QColor(theme.accent))
    painter.setBrush(QColor(theme.panel))
    painter.drawRoundedRect(QRectF(0.5, 0.5, width - 1, 33), 8, 8)
    draw_icon(painter, QRectF(12, 9, 16, 16), ICONS[row.item.kind], theme.accent)
    text = QRectF(36, 0, width - 46, 34)
    draw_text(painter, text, row.label, colour=theme.text, size_px=13, weight=weight)
    painter.end()
    return pixmap


class CatalogPanel(QWidget):
    """Search field, sections and list.

    Signals:
        add_requested: a `CatalogItem` that is to go onto the board.
        custom_requested: a server that the catalog does not have is to be entered.
    """

    add_requested = QtSignal(object)
    custom_requested = QtSignal()

    def __init__(self, catalog: Catalog, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("catalog")
        self._model = CatalogModel(catalog, self)
        self.search = QLineEdit(self)
        self.list = CatalogList(self._model, self)
        self._hint = QLabel(self)
        self.custom = QPushButton("Custom server…", self)
        self.custom.setToolTip("Enter a server that the catalog does not have.")
        self._group = QButtonGroup(self)
        self._buttons: dict[CatalogKind, QToolButton] = {}
        self._set_up()
        self.search.textChanged.connect(self._search)
        self.search.installEventFilter(self)
        self.list.chosen.connect(self.add_requested)
        self._group.idClicked.connect(self._switch)
        self.custom.clicked.connect(self._ask_for_custom)
        self.show_kind(CatalogKind.SERVER)

    def _set_up(self) -> None:
        self.search.setPlaceholderText("Search the catalog")
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Search the catalog")
        self._hint.setProperty("role", "muted")
        self._hint.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(7)
        layout.addWidget(self.search)
        layout.addLayout(self._sections())
        layout.addWidget(self.list, 1)
        layout.addWidget(self._hint)
        layout.addWidget(self.custom)
        self.setFocusProxy(self.search)

    def _sections(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(0)
        for position, kind in enumerate(CatalogKind):
            button = QToolButton(self)
            button.setText(TITLES[kind])
            button.setCheckable(True)
            button.setProperty("role", "section")
            self._group.addButton(button, position)
            self._buttons[kind] = button
            row.addWidget(button, 1)
        return row

    @property
    def hint(self) -> str:
        """The line below the list."""
        return self._hint.text()

    @property
    def sections(self) -> tuple[QToolButton, ...]:
        return tuple(self._buttons.values())

    def set_catalog(self, catalog: Catalog, own: Catalog | None = None) -> None:
        """Shows other entries; what was selected stays so."""
        index = self.list.currentIndex()
        chosen = self._model.row(index).item if index.isValid() else None
        self._model.set_catalog(catalog, own)
        if chosen is not None:
            self.list.setCurrentIndex(self._model.index_of(chosen))

    def set_theme(self, theme: Theme) -> None:
        self.list.set_theme(theme)
        for action in self.search.actions():
            self.search.removeAction(action)
        glass = QIcon(icon_pixmap("search", theme.muted, 16, 2.0))
        self.search.addAction(glass, QLineEdit.ActionPosition.LeadingPosition)

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
        self.custom.setVisible(not is_searching and self._model.kind is CatalogKind.SERVER)
        if not is_searching:
            self._hint.setText(HINTS[self._model.kind])

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
        count = self._model.rowCount()
        if text.strip():
            found = f"{count} found in all sections." if count else "Nothing found."
            self._hint.setText(found)
        self._show_section()

    def _ask_for_custom(self) -> None:
        self.custom_requested.emit()

    def _switch(self, position: int) -> None:
        self.show_kind(tuple(CatalogKind)[position])

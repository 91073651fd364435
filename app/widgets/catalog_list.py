"""The rows of the catalog: painted, dragged onto the board, or chosen with Enter."""

from __future__ import annotations

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QDrag,
    QFocusEvent,
    QFont,
    QKeyEvent,
    QPainter,
    QPixmap,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.icons import draw_icon
from app.language import tr
from app.look import LOOK
from app.mime import CatalogKind, mime_of_catalog
from app.qtmodels.catalog_model import ROW_ROLE, CatalogModel, CatalogRow
from app.theme import Theme
from app.widgets.meters import MIDDLE, draw_badge, draw_text, text_width
from app.widgets.painting import draw_box, draw_ground
from app.widgets.plain_table import mark_current

ICONS = {
    CatalogKind.SERVER: "server",
    CatalogKind.ARRAY: "database",
    CatalogKind.WORKLOAD: "users",
    CatalogKind.HYPERVISOR: "layers",
}
ROW_HEIGHT = 44


class CatalogDelegate(QStyledItemDelegate):
    """Paints a row: icon, name, and below it the figures."""

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
        state, flags = option.state, QStyle.StateFlag
        is_selected = bool(state & flags.State_Selected)
        draw_ground(
            painter,
            rect,
            is_near=bool(state & flags.State_MouseOver),
            has_focus=is_selected and bool(state & flags.State_HasFocus),
            is_chosen=is_selected,
            width=1.0,
        )
        draw_row(painter, rect, index.data(ROW_ROLE), LOOK.theme)
        painter.restore()


def draw_row(painter: QPainter, rect: QRectF, row: CatalogRow, theme: Theme) -> None:
    """One catalog row, in the list and under the pointer."""
    icon = QRectF(rect.x() + 8, rect.y() + 6, 16, 16)
    draw_icon(painter, icon, ICONS[row.item.kind], theme.muted)
    line = QRectF(rect.x() + 32, rect.y() + 4, rect.width() - 40, 19)
    below = line.translated(0, 18)
    below.setHeight(16)
    weight = QFont.Weight.Medium
    if row.mark:
        width = text_width(row.mark, 12, weight)
        mark = QRectF(line.right() - width, line.y(), width, line.height())
        draw_text(painter, mark, row.mark, colour=theme.accent, size_px=12, weight=weight)
        line = line.adjusted(0, 0, -width - 8, 0)
    fits = not row.short or text_width(row.name, 13, weight) <= line.width()
    name = row.name if fits else row.short
    draw_text(painter, line, name, colour=theme.text, size_px=13, weight=weight, elide=MIDDLE)
    if row.badge:
        used = draw_badge(painter, below, row.badge, theme, 9.5)
        below = below.adjusted(0, 0, -used - 6, 0)
    draw_text(painter, below, row.detail, colour=theme.muted, size_px=11)


class CatalogList(QListView):
    """The rows; what is dragged shows as the row itself.

    Signals:
        chosen: a `CatalogItem`, by Enter or double-click.
        removal_asked: Del was pressed.
        menu_asked: the context menu is wanted, at a point of the screen.
    """

    chosen = Signal(object)
    removal_asked = Signal()
    menu_asked = Signal(QPoint)

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
        self.setAccessibleName(tr("Catalog entries"))
        self.doubleClicked.connect(self._choose)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        mark_current(self, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.currentIndex())
            event.accept()
        elif event.key() == Qt.Key.Key_Delete:
            self.removal_asked.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        rect = self.visualRect(self.currentIndex())
        at = self.viewport().mapToGlobal(rect.center()) if by_key else event.globalPos()
        self.menu_asked.emit(at)

    def startDrag(self, supportedActions: Qt.DropAction) -> None:
        index = self.currentIndex()
        if not index.isValid():
            return
        row = self._catalog.row(index)
        drag = QDrag(self)
        drag.setMimeData(mime_of_catalog(row.item))
        drag.setPixmap(drag_pixmap(row, LOOK.theme, self.devicePixelRatioF()))
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
    draw_box(painter, QRectF(0.5, 0.5, width - 1, 33), 8, ground=theme.panel, edge=theme.accent)
    draw_icon(painter, QRectF(12, 9, 16, 16), ICONS[row.item.kind], theme.accent)
    text = QRectF(36, 0, width - 46, 34)
    draw_text(painter, text, row.label, colour=theme.text, size_px=13, weight=weight)
    painter.end()
    return pixmap

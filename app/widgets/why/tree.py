"""The formula in the drawer: names and values, and below each how it is worked out."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from app.language import tr
from app.look import LOOK
from app.qtmodels.terms import NODE_ROLE, Node, TermsModel
from app.widgets.marks import scaled_font
from app.widgets.painting import LEFT, RIGHT, draw_line, draw_row_ground

Index = QModelIndex | QPersistentModelIndex
ROW_LINES = 2.3
OPEN_ROWS = 9
"""Level after level is opened at first, as long as no more rows than these are seen."""


class TermDelegate(QStyledItemDelegate):
    """Two lines: the name with its value, and how it follows or where it comes from."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, round(QFontMetricsF(option.font).height() * ROW_LINES))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        node: Node = index.data(NODE_ROLE)
        painter.save()
        box = QRectF(option.rect).adjusted(2, 1, -6, -1)
        draw_row_ground(painter, box, option.state, radius=5)
        half = box.height() / 2
        first = QRectF(box.left() + 3, box.top(), box.width() - 6, half)
        theme = LOOK.theme
        strong = scaled_font(option.font, 1.0, QFont.Weight.DemiBold)
        room = QFontMetricsF(strong).horizontalAdvance(node.value) + 8
        draw_line(painter, first, node.value, strong, theme.text, RIGHT)
        ink = theme.accent if node.follows is not None else theme.text
        draw_line(painter, first.adjusted(0, 0, -room, 0), node.label, option.font, ink, LEFT)
        small, second = scaled_font(option.font, 0.88), first.translated(0, half)
        whole = f"{node.below}; {node.note}" if node.note else node.below
        has_room = QFontMetricsF(small).horizontalAdvance(whole) <= second.width()
        draw_line(painter, second, whole if has_room else node.below, small, theme.muted, LEFT)
        painter.restore()


class TermsTree(QTreeView):
    """The tree; what is another predicted number can be followed.

    Signals:
        followed: the `Predicted` of the row, by Return, double click, or a click on its name.
    """

    followed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.terms = TermsModel(self)
        self.delegate = TermDelegate(self)
        self.setModel(self.terms)
        self.setItemDelegate(self.delegate)
        self.setHeaderHidden(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setIndentation(16)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setMouseTracking(True)
        self.setExpandsOnDoubleClick(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName(tr("Formula"))

    def open_first(self) -> None:
        """Opens the first levels, and puts the current row on the number itself."""
        self._open_levels()
        self.setCurrentIndex(self.terms.index(0, 0))
        self.scrollToTop()

    def _open_levels(self) -> None:
        seen = 0
        for depth in range(4):
            self.expandToDepth(depth)
            count = self._open_count()
            if count > OPEN_ROWS and depth:
                self.collapseAll()
                self.expandToDepth(depth - 1)
            if count > OPEN_ROWS or count == seen:
                return
            seen = count

    def _open_count(self) -> int:
        count, index = 0, self.terms.index(0, 0)
        while index.isValid():
            count += 1
            index = self.indexBelow(index)
        return count

    def content_height(self) -> int:
        """Height of the rows that are open."""
        return self._open_count() * self.sizeHintForRow(0) + 4

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._follow(
            self.currentIndex()
        ):
            return
        if event.key() == Qt.Key.Key_E:
            event.ignore()  # it is the drawer's, not the beginning of a search
            return
        super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and index == self.currentIndex():
            self._follow(index)

    def _follow(self, index: QModelIndex) -> bool:
        node: Node | None = index.data(NODE_ROLE) if index.isValid() else None
        if node is None or node.follows is None:
            return False
        self.followed.emit(node.follows)
        return True

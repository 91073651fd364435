"""A choice in a cell of a table: a list opens where it is clicked, or a line to search a long one,
and no cell holds a widget."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.icons import draw_icon
from app.look import LOOK
from app.widgets.fields.choice import Choice, ChoiceField, Dropdown
from app.widgets.plain_table import Index

CHOICES = Qt.ItemDataRole.UserRole + 1
"""Role of what can be chosen: pairs of a value and its words; the value itself is `UserRole`."""
SIGN_PX = 14


class ChoiceDelegate(QStyledItemDelegate):
    """Words with the arrow of a list; what is chosen becomes the cell's value at once."""

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Index) -> QWidget:
        box = Dropdown(parent)
        for value, words in index.data(CHOICES):
            box.addItem(words, value)
        box.setCurrentIndex(box.findData(index.data(Qt.ItemDataRole.UserRole)))
        box.activated.connect(self._done)
        return box

    def _done(self, _at: int) -> None:
        box = self.sender()
        if isinstance(box, QComboBox):
            self.commitData.emit(box)
            self.closeEditor.emit(box)

    def setEditorData(self, editor: QWidget, _index: Index) -> None:
        if isinstance(editor, QComboBox):
            editor.showPopup()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Any) -> None:
        if isinstance(editor, QComboBox):
            value = editor.currentData()
            if value != index.data(Qt.ItemDataRole.UserRole):
                model.setData(index, value, Qt.ItemDataRole.UserRole)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        style = QStyleOptionViewItem(option)
        is_open = bool(index.flags() & Qt.ItemFlag.ItemIsEditable)
        super().paint(painter, style, index)
        if is_open:
            box = QRectF(option.rect)
            sign = QRectF(box.right() - SIGN_PX - 6, box.center().y() - 7, SIGN_PX, SIGN_PX)
            draw_icon(painter, sign, "chevron-down", LOOK.theme.muted)


class SearchDelegate(ChoiceDelegate):
    """The same for long lists: a line in which names are searched by typing any part of one. No
    list lies under the mouse, so that clicking twice chooses nothing."""

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Index) -> QWidget:
        field = ChoiceField(is_searched=True, parent=parent)
        field.offer([Choice(value, words) for value, words in index.data(CHOICES)])
        field.show_value(index.data(Qt.ItemDataRole.UserRole))
        field.committed.connect(field.show_value)
        field.activated.connect(self._done)
        return field

    def setEditorData(self, editor: QWidget, _index: Index) -> None:
        if isinstance(editor, ChoiceField) and (line := editor.lineEdit()) is not None:
            line.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Any) -> None:
        if isinstance(editor, ChoiceField):
            editor.commit()
            if editor.value != index.data(Qt.ItemDataRole.UserRole):
                model.setData(index, editor.value, Qt.ItemDataRole.UserRole)

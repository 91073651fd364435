"""Every act by its name: type a few letters, press Enter."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QIcon, QKeyEvent, QKeySequence, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QVBoxLayout,
)

from app.icons import icon
from app.theme import Theme
from app.windows.menus import ActionBook, full_words

WIDTH, HEIGHT = 480, 380


def blank_icon() -> QIcon:
    """Keeps the words of acts without an icon in line with the others."""
    pixmap = QPixmap(16, 16)
    pixmap.fill(Qt.GlobalColor.transparent)
    return QIcon(pixmap)


class CommandPalette(QDialog):
    """A field and the acts that match it; acts that can't be done now are left out."""

    def __init__(self, window: QMainWindow, actions: ActionBook, theme: Theme) -> None:
        super().__init__(window, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName("Commands")
        self._actions = actions
        self._theme = theme
        self._blank = blank_icon()
        self.field = QLineEdit(self)
        self.field.setPlaceholderText("What do you want to do?")
        self.list = QListWidget(self)
        self.list.setUniformItemSizes(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 10, 10, 10)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        self.field.installEventFilter(self)
        self.field.textChanged.connect(self._search)
        self.list.itemClicked.connect(self._run)
        self._search("")
        self.resize(WIDTH, HEIGHT)
        self.move(window.mapToGlobal(window.rect().center()) - self.rect().center())
        self.field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None:
                count = max(1, self.list.count())
                self.list.setCurrentRow((self.list.currentRow() + step) % count)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run(self.list.currentItem())
                return True
        return super().eventFilter(watched, event)

    def _search(self, text: str) -> None:
        words = text.casefold().split()
        self.list.clear()
        for spec in self._actions:
            action = self._actions[spec.id]
            haystack = f"{full_words(spec)} {spec.tip}".casefold()
            if action.isEnabled() and all(word in haystack for word in words):
                self.list.addItem(self._item(action, spec.icon, full_words(spec)))
        self.list.setCurrentRow(0)

    def _item(self, action: QAction, icon_name: str, words: str) -> QListWidgetItem:
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        item = QListWidgetItem(f"{words}    {keys}" if keys else words)
        item.setIcon(icon(icon_name, self._theme) if icon_name else self._blank)
        item.setData(Qt.ItemDataRole.UserRole, action.objectName())
        return item

    def _run(self, item: QListWidgetItem | None) -> None:
        id = item.data(Qt.ItemDataRole.UserRole) if item is not None else None
        self.close()
        if id is not None:
            self._actions[id].trigger()

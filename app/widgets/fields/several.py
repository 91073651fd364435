"""Several of a list: the chosen ones as one line, and the list to tick below it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHideEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QWidget,
)

from app.icons import draw_icon
from app.language import tr
from app.look import LOOK
from app.widgets.fields.choice import Choice, TickDelegate
from app.widgets.fields.line import MIXED, elided
from app.widgets.painting import draw_box
from app.widgets.parts import in_column
from app.wording import tip_text

_VALUE = Qt.ItemDataRole.UserRole
SEARCH_FROM = 8


class TickList(QFrame):
    """A list to tick in, with a search where it is long; Enter and Escape close it.

    Signals:
        closed: the list has gone from the screen.
    """

    closed = Signal()

    def __init__(
        self, choices: Sequence[Choice], ticked: Sequence[object], parent: QWidget
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._order = {choice.value: place for place, choice in enumerate(choices)}
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(tr("Search"))
        self.search.setAccessibleName(tr("Search the list"))
        self.search.setVisible(len(choices) >= SEARCH_FROM)
        self.list = QListWidget(self)
        self.list.setItemDelegate(TickDelegate(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        for choice in choices:
            self._add(choice, choice.value in ticked)
        in_column(self, around=(6, 6, 6, 6)).put(self.search, self.list)
        self.search.textChanged.connect(self._narrow)
        self.search.installEventFilter(self)
        self.list.installEventFilter(self)

    @property
    def ticked(self) -> tuple[object, ...]:
        """The values that are ticked, in the order of the choices."""
        items = [self.list.item(place) for place in range(self.list.count())]
        return tuple(
            item.data(_VALUE) for item in items if item.checkState() is Qt.CheckState.Checked
        )

    def _add(self, choice: Choice, is_ticked: bool) -> None:
        item = QListWidgetItem(choice.text, self.list)
        item.setData(_VALUE, choice.value)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsSelectable)
        item.setCheckState(Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked)

    def _narrow(self, text: str) -> None:
        words = text.casefold().split()
        for place in range(self.list.count()):
            item = self.list.item(place)
            item.setHidden(not all(word in item.text().casefold() for word in words))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Down leads from the search into the list; Enter and Escape close."""
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self.close()
            return True
        if event.key() == Qt.Key.Key_Down and watched is self.search:
            self.list.setFocus()
            self.list.setCurrentRow(0)
            return True
        return super().eventFilter(watched, event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.closed.emit()


class SeveralField(QAbstractButton):
    """Several of a list; click, Space, Enter or Down open it.

    Signals:
        committed: a tuple of values, in the order of the choices.
    """

    committed = Signal(object)
    said = Signal(str, bool)
    finished = Signal()

    def __init__(self, *, empty: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._empty = empty
        self._offers: Callable[[], Sequence[Choice]] = tuple
        self.value: tuple[object, ...] = ()
        self._is_mixed = False
        self._open: TickList | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self.open_list)

    def offer(self, choices: Sequence[Choice]) -> None:
        self.offer_from(partial(tuple, choices))

    def offer_from(self, offers: Callable[[], Sequence[Choice]]) -> None:
        """Offers what `offers` gives when it is looked at: there may be thousands."""
        self._offers = offers
        self._write()

    def show_value(self, value: Sequence[object], *, mixed: bool = False) -> None:
        self.value = () if mixed else tuple(value)
        self._is_mixed = mixed
        self._write()

    def refuse(self, reason: str) -> None:
        self.said.emit(reason, True)

    def _write(self) -> None:
        names = {c.value: c.text for c in self._offers()} if self.value else {}
        words = ", ".join(names.get(value, str(value)) for value in self.value)
        shown = MIXED if self._is_mixed else words
        if shown != self.text():
            self.setText(shown)
            self.setToolTip(tip_text(shown))
            self.setAccessibleDescription(shown or self._empty)
            self.update()

    def open_list(self) -> TickList:
        """Opens the list below the field; what is ticked when it closes is asked for."""
        choices = self._offers()
        opened = TickList(choices, self.value, self)
        self._open = opened
        opened.closed.connect(self._close)
        opened.resize(max(self.width(), 220), min(60 + 24 * max(len(choices), 2), 320))
        opened.move(self.mapToGlobal(QPoint(0, self.height() + 2)))
        opened.show()
        (opened.list if opened.search.isHidden() else opened.search).setFocus()
        return opened

    def _close(self) -> None:
        opened, self._open = self._open, None
        if opened is None:
            return
        ticked = opened.ticked
        opened.deleteLater()
        if ticked != self.value or (self._is_mixed and ticked):
            self.said.emit("", False)
            self.committed.emit(ticked)
        self.finished.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.click()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(120, self.fontMetrics().height() + 12)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = LOOK.theme
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        edge = theme.accent if self.hasFocus() else theme.line
        draw_box(painter, box, 6, ground=theme.raised, edge=edge)
        words = self.text() or self._empty
        is_plain = bool(self.text()) and not self._is_mixed
        painter.setPen(QColor(theme.text if is_plain else theme.muted))
        room = box.adjusted(8, 0, -24, 0)
        text = elided(words, self.fontMetrics(), int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        sign = QRectF(box.right() - 20, box.center().y() - 7, 14, 14)
        draw_icon(painter, sign, "chevron-down", theme.muted)
        painter.end()

"""The table of a section on screen: verdicts as chips, widths by one rule, copied as a whole."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, isnan
from typing import Any, Protocol

from PySide6.QtCore import QModelIndex, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QFocusEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
)
from PySide6.QtWidgets import QHeaderView, QMenu, QStyleOptionViewItem, QTableView, QWidget

from app.language import local, tr
from app.qtmodels.keyed import LEFT, RIGHT, HeadedRows, Index
from app.widgets.marks import chip_size
from app.widgets.plain_table import PaintedDelegate, draw_verdict_cell, make_plain, mark_current
from app.wording import tip_text
from models.base.spreadsheets import table_text
from models.predict.prediction import Shown
from models.tell.blocks import Column, Table, cell_text

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
PADDING_PX, FRAME_PX, LEAST_LETTERS, ROW_LINES = 18, 2, 9, 1.8
LISTED_LETTERS = 22
"""So many letters of a cell in a list are seen; it is scrolled aside rather than cut further."""
SORT_PX = 14
"""What the sign of the order takes beside a title."""
IN_LINE = 0.8
"""How much of the least width of a column does where what has no room is cut anyway."""

WHOLE_ROWS = 14
"""Rows that are shown without a scroll bar of their own, however little room there is."""

WORDS_PX, WORDS_MARGIN_PX = 10_000, 6
"""Height that no cell reaches, and what stands above and below the words of one."""

MOST_WRAPPED = 300
"""Rows that are measured one by one; a longer table has rows of one height."""


class ColumnStore(Protocol):
    """Remembers of the columns of a table, by their English titles, which are shown or hidden."""

    def columns(self, table: str) -> dict[str, bool]: ...

    def set_columns(self, table: str, shown: Mapping[str, bool]) -> None: ...


@dataclass(frozen=True, slots=True)
class Row:
    """A row on screen: what is read in its cells, the verdicts among them, and its subject.

    `place`: among the rows as they were told; `values`: as `Table` has them.
    """

    key: Hashable
    words: tuple[str, ...]
    shown: tuple[Shown | None, ...]
    subject: str
    place: int = 0
    values: tuple[float | None, ...] = ()

    def sorts_by(self, column: int) -> tuple[float, str]:
        value = self.values[column]
        return (0.0, self.words[column].casefold()) if value is None else (value, "")


class SectionTable(HeadedRows):
    """The rows of a `Table` of a section, in the language of the window."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._order: tuple[int, Qt.SortOrder] = (-1, Qt.SortOrder.AscendingOrder)

    def show_table(self, table: Table) -> None:
        """Turns into this table; a row of the same subject stays the same row."""
        if table.columns != self.heads:
            self.beginResetModel()
            self.set_heads(table.columns)
            self.rows = []
            self._order = (-1, Qt.SortOrder.AscendingOrder)
            self.endResetModel()
        subjects = table.subjects or ("",) * len(table.rows)
        count: dict[str, int] = {}
        rows = []
        values = table.values or ((),) * len(table.rows)
        told = zip(table.rows, subjects, values, strict=True)
        for place, (cells, subject, numbers) in enumerate(told):
            count[subject] = count.get(subject, -1) + 1
            words = tuple(local(cell_text(cell)) for cell in cells)
            shown = tuple(cell if isinstance(cell, Shown) else None for cell in cells)
            key = subject, count[subject]
            rows.append(Row(key, words, shown, subject, place, numbers))
        self.set_rows(self._sorted(rows))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """By the values of a column, what has none last; -1: as the rows were told."""
        self._order = column, order
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        keys = [self.rows[index.row()].key for index in before]
        self.rows = self._sorted(self.rows)
        after = [
            self.index(self.row_of(key), index.column())
            for key, index in zip(keys, before, strict=True)
        ]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def _sorted(self, rows: list[Row]) -> list[Row]:
        column, order = self._order
        told = sorted(rows, key=lambda row: row.place)
        if column < 0 or not all(row.values for row in rows):
            return told
        known = [row for row in told if not isnan(row.sorts_by(column)[0])]
        known.sort(
            key=lambda row: row.sorts_by(column), reverse=order is Qt.SortOrder.DescendingOrder
        )
        return known + [row for row in told if isnan(row.sorts_by(column)[0])]

    @property
    def text(self) -> str:
        """All of it, for a spreadsheet."""
        heads = [local(head.title) for head in self.heads]
        return table_text(heads, [row.words for row in self.rows])

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row: Row = self.rows[index.row()]
        words, head = row.words[index.column()], self.heads[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return words
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_text(words)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if head.numeric else LEFT
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{local(head.title)}: {words}".replace("\n", " ")
        return row if role == ROW_ROLE else None


class VerdictDelegate(PaintedDelegate):
    """Verdicts as icon and word; everything else as text."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        model = index.model()
        if isinstance(model, SectionTable) and model.heads[index.column()].in_line:
            wrapping = QStyleOptionViewItem.ViewItemFeature.WrapText
            option.features = option.features & ~wrapping

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ROW_ROLE)
        shown = row.shown[index.column()]
        if shown is None:
            super().paint(painter, option, index)
            return
        self.draw_ground(painter, option, index)
        painter.save()
        words = row.words[index.column()]
        draw_verdict_cell(painter, QRectF(option.rect), shown.verdict, words, option.font)
        painter.restore()


class TableView(QTableView):
    """A table as wide as it is given and as high as its rows; Ctrl+C copies all of it.

    One that has values is a list: its rows take one line, a title sorts them, and a menu chooses
    its columns.

    Signals:
        chosen: id of the item that a row which was clicked or entered is about.
        asked: row and column of the cell that is asked about, by `E`, Return or a double click.
    """

    chosen = Signal(str)
    asked = Signal(int, int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = SectionTable(self)
        self._delegate = VerdictDelegate(self)
        self._room, self._most = 0, 0
        self.setModel(self.table)
        self.setItemDelegate(self._delegate)
        make_plain(self, name, lines=ROW_LINES)
        self.setWordWrap(True)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setMinimumSectionSize(0)
        copy = QAction(tr("Copy the figures, for a spreadsheet"), self)
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self.copy)
        self.addAction(copy)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._columns = QMenu(tr("Columns"), self)
        self._columns.triggered.connect(self._choose_column)
        self._store: ColumnStore | None = None
        self._store_name = ""
        self.clicked.connect(self._activated)
        self.activated.connect(self._activated)
        self.doubleClicked.connect(self._ask)

    def show_table(self, table: Table) -> None:
        is_other = table.columns != self.table.heads
        self.table.show_table(table)
        if is_other and table.values:
            self._become_list()
        self.fit(self.viewport().width(), self._most)

    # ---------------------------------------------------------------- a list

    @property
    def is_list(self) -> bool:
        return self.isSortingEnabled()

    def keep_columns(self, store: ColumnStore, name: str) -> None:
        """Remembers under a name which columns are shown."""
        self._store, self._store_name = store, name

    def mark(self, subject: str) -> None:
        """The row of a subject is the current one."""
        row = next((at for at, each in enumerate(self.table.rows) if each.subject == subject), -1)
        self.setCurrentIndex(self.table.index(row, 0))

    def _become_list(self) -> None:
        header = self.horizontalHeader()
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.setWordWrap(False)
        self._columns.clear()
        chosen = {} if self._store is None else self._store.columns(self._store_name)
        for place, head in enumerate(self.table.heads):
            action = self._columns.addAction(local(head.title))
            action.setData(place)
            action.setCheckable(True)
            action.setChecked(chosen.get(str(head.title), not head.aside))
            action.setEnabled(place > 0)
            self.setColumnHidden(place, not action.isChecked())
        if self._columns.menuAction() not in self.actions():
            self.addAction(self._columns.menuAction())
            header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            header.customContextMenuRequested.connect(self._offer_columns)

    def _offer_columns(self, at: QPoint) -> None:
        self._columns.popup(self.horizontalHeader().mapToGlobal(at))

    def _choose_column(self, action: QAction) -> None:
        self.setColumnHidden(int(action.data()), not action.isChecked())
        if self._store is not None:
            title = str(self.table.heads[int(action.data())].title)
            chosen = self._store.columns(self._store_name)
            self._store.set_columns(self._store_name, {**chosen, title: action.isChecked()})
        self.fit(self._room, self._most)

    # ---------------------------------------------------------------- its size

    def copy(self) -> None:
        """Puts the table on the clipboard, as text for a spreadsheet."""
        QGuiApplication.clipboard().setText(self.table.text)

    def fit(self, room: int, most: int) -> None:
        """Lays it out in a width [px]; of many rows those beyond the height
        `most` [px] are scrolled to."""
        self._room, self._most = room, most
        count = len(self.table.rows)
        usual = self.verticalHeader().defaultSectionSize()
        if most and count > WHOLE_ROWS:  # rows of several lines may need the bar as well
            room -= self.verticalScrollBar().sizeHint().width()
        room -= 2 * FRAME_PX
        seen = [each for each in range(self.table.columns) if not self.isColumnHidden(each)]
        heads = [self.table.heads[place] for place in seen]
        titles = [self._title_px(place) for place in seen]
        needed = [
            max(title, self._natural(place)) for title, place in zip(titles, seen, strict=True)
        ]
        letter = QFontMetricsF(self.font()).averageCharWidth()
        listed = letter * LISTED_LETTERS + PADDING_PX
        floors = [
            max(title, min(whole, listed) if head.in_line else whole) if self.is_list else title
            for head, title, whole in zip(heads, titles, needed, strict=True)
        ]
        least = letter * LEAST_LETTERS + PADDING_PX
        found = widths(needed, heads, room, least, floors)
        for place, width in zip(seen, found, strict=True):
            self.setColumnWidth(place, width)
        is_wide = sum(found) > room
        bars = Qt.ScrollBarPolicy
        self.setHorizontalScrollBarPolicy(
            bars.ScrollBarAlwaysOn if is_wide else bars.ScrollBarAlwaysOff
        )
        if count <= MOST_WRAPPED and not self.is_list:
            for row in range(count):
                self.setRowHeight(row, max(usual, self._high(row)))
        high = self.verticalHeader().length() + self.horizontalHeader().sizeHint().height() + 4
        high += self.horizontalScrollBar().sizeHint().height() if is_wide else 0
        self.setFixedHeight(min(high, most) if most and count > WHOLE_ROWS else high)

    def sizeHint(self) -> QSize:
        return QSize(0, self.height())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        mark_current(self, event)

    def _title_px(self, place: int) -> float:
        """What the title of a column takes [px]."""
        metrics = QFontMetricsF(self.horizontalHeader().font())
        title = metrics.horizontalAdvance(local(self.table.heads[place].title))
        return ceil(title) + PADDING_PX + (SORT_PX if self.is_list else 0)

    def _natural(self, place: int) -> float:
        """What the words of a column take in one line [px]."""
        metrics = QFontMetricsF(self.font())
        cells = {(row.words[place], row.shown[place] is not None) for row in self.table.rows}
        needed = (
            chip_size(self.font(), line).width() if is_chip else metrics.horizontalAdvance(line)
            for words, is_chip in cells
            for line in words.split("\n")
        )
        return ceil(max(needed, default=0.0)) + PADDING_PX

    def _high(self, row: int) -> int:
        """What the words of a row take in the widths that its columns have [px]; Qt's own hint
        leaves the padding of a style sheet out, and with it sometimes the last line."""
        metrics, flags = self.fontMetrics(), int(Qt.TextFlag.TextWordWrap)
        in_line = [head.in_line for head in self.table.heads]
        lines = (
            metrics.boundingRect(
                0, 0, self.columnWidth(place) - PADDING_PX, WORDS_PX, flags, words
            ).height()
            for place, words in enumerate(self.table.rows[row].words)
            if not in_line[place]
        )
        own = 0 if any(in_line) else self.sizeHintForRow(row)
        return max(own, max(lines, default=0) + WORDS_MARGIN_PX)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_E, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._ask(self.currentIndex())
        super().keyPressEvent(event)

    def _ask(self, index: QModelIndex) -> None:
        if index.isValid():
            self.asked.emit(index.data(ROW_ROLE).place, index.column())

    def _activated(self, index: QModelIndex) -> None:
        row: Row = index.data(ROW_ROLE)
        if row.subject:
            self.chosen.emit(row.subject)


def widths(
    needed: Sequence[float],
    columns: Sequence[Column],
    room: float,
    least: float,
    floors: Sequence[float] = (),
) -> list[int]:
    """Widths of columns [px] that share a room.

    Where all are wide and have room, their weights alone decide, so that tables below each other
    have the same columns. Else each gets what its words need. Room that is left goes to the `wide`
    ones by their weight; where there is too little, columns of words give way, the widest first,
    down to `least`, those that are `in_line` first, and none below its own of `floors`.

    >>> from models.tell.blocks import Column
    >>> columns = (Column("VM"), Column("Users", numeric=True), Column("Why", wide=True))
    >>> widths((60.0, 50.0, 40.0), columns, 200.0, 30.0)
    [60, 50, 90]
    >>> widths((60.0, 50.0, 90.0), columns, 150.0, 30.0)
    [50, 50, 50]
    """
    shares = [column.weight if column.wide else 0 for column in columns]
    by_weight = [room * share / max(sum(shares), 1) for share in shares]
    if all(share >= wide for share, wide in zip(by_weight, needed, strict=True)):
        return list(map(int, by_weight))
    spare = room - sum(needed)
    if spare >= 0:
        whole = max(sum(shares), 1)
        return [
            int(wide + spare * share / whole) for wide, share in zip(needed, shares, strict=True)
        ]
    found = list(map(float, needed))
    floors = floors or [0.0] * len(needed)
    for gives, least_of in (
        ([each.in_line for each in columns], IN_LINE * least),
        ([not each.numeric and not each.in_line for each in columns], least),
    ):
        fixed = sum(wide for wide, give in zip(found, gives, strict=True) if not give)
        cap = _cap(sorted(w for w, give in zip(found, gives, strict=True) if give), room - fixed)
        found = [
            min(wide, max(cap, least_of, floor)) if give else wide
            for wide, give, floor in zip(found, gives, floors, strict=True)
        ]
    return list(map(int, found))


def _cap(rising: Sequence[float], room: float) -> float:
    """The greatest width so that these, none wider than it, have room."""
    for place, width in enumerate(rising):
        share = room / (len(rising) - place)
        if width > share:
            return share
        room -= width
    return rising[-1] if rising else 0.0

"""Layout that holds: what of a window is too narrow, too low, or too long to look through.

Beside what is cut (`tests.app.clipping`): fields narrower than their choices, columns narrower than
their headings, cells cut without a tip, a chart without height, long lists without a search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableView,
    QTreeView,
    QWidget,
)

from app.widgets.fields.choice import ARROW_PX, Dropdown
from app.widgets.labels import OneLine
from app.widgets.plots.canvas import Chart

W = TypeVar("W", bound=QWidget)

LETTERS = 30
"""Of a choice that has to be read whole."""
LONG_LIST = 30
CHART_PX = 160
SLACK = 2


def faults(window: QWidget) -> list[str]:
    """What doesn't hold, in words."""
    return [
        *_each(window, Dropdown, _field),
        *_each(window, QTableView, _table),
        *_each(window, QTreeView, _tree),
        *_each(window, Chart, _chart),
        *_each(window, OneLine, _line),
    ]


def _each(window: QWidget, kind: type[W], look: Callable[[W], Iterator[str]]) -> Iterator[str]:
    for widget in window.findChildren(kind):
        if widget.isVisibleTo(window) and widget.window() is window and not widget.size().isEmpty():
            yield from look(widget)


def _field(field: Dropdown) -> Iterator[str]:
    name = field.accessibleName() or type(field).__name__
    texts = [field.itemText(place)[:LETTERS] for place in range(field.count())]
    needed = max(map(field.fontMetrics().horizontalAdvance, texts), default=0) + ARROW_PX
    if needed > field.width() + SLACK:
        longest = max(texts, key=field.fontMetrics().horizontalAdvance)
        yield f"field “{name}”: “{longest}” needs {needed}, it has {field.width()}"
    if field.count() > LONG_LIST and not field.isEditable():
        yield f"field “{name}”: {field.count()} choices without a search"


def _columns(view: QAbstractItemView, header: QHeaderView) -> Iterator[str]:
    name = view.accessibleName() or type(view).__name__
    model: QAbstractItemModel | None = view.model()
    if model is None:
        return
    if not header.isVisible():
        return
    for column in range(model.columnCount()):
        words = str(model.headerData(column, Qt.Orientation.Horizontal) or "")
        if header.isSectionHidden(column) or not words:
            continue
        needed = max(map(header.fontMetrics().horizontalAdvance, words.split("\n")))
        if needed > header.sectionSize(column) + SLACK:
            yield f"table “{name}”: “{words}” needs {needed}, has {header.sectionSize(column)}"


def _table(view: QTableView) -> Iterator[str]:
    yield from _columns(view, view.horizontalHeader())
    yield from _cells(view)


def _tree(view: QTreeView) -> Iterator[str]:
    yield from _columns(view, view.header())


def _cells(view: QTableView) -> Iterator[str]:
    """Cells in sight whose text is cut, and no tip says it."""
    name = view.accessibleName() or type(view).__name__
    model: QAbstractItemModel | None = view.model()
    if model is None:
        return
    top, bottom = view.rowAt(0), view.rowAt(view.viewport().height() - 1)
    last = model.rowCount() - 1 if bottom < 0 else bottom
    for row in range(max(top, 0), min(last, 40) + 1):
        for column in range(model.columnCount()):
            index = model.index(row, column)
            if view.isColumnHidden(column) or view.indexWidget(index) is not None:
                continue
            words = str(index.data() or "")
            is_cut = _widest(view, words) > view.columnWidth(column)
            if is_cut and not view.wordWrap() and not index.data(Qt.ItemDataRole.ToolTipRole):
                yield f"table “{name}”: “{words}” is cut and has no tip"


def _widest(view: QTableView, words: str) -> int:
    return max(map(view.fontMetrics().horizontalAdvance, words.split("\n")), default=0)


def _chart(chart: Chart) -> Iterator[str]:
    if chart.height() < CHART_PX:
        yield f"chart “{chart.accessibleName()}” is {chart.height()} high"


def _line(line: OneLine) -> Iterator[str]:
    if line.shown != line.text() and not (line.toolTip() or _tip_above(line)):
        yield f"“{line.text()}” is cut and has no tip"


def _tip_above(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    return parent is not None and bool(parent.toolTip())

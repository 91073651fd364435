"""The two windows of the Help menu."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from app.actions import BOARD_KEYS, MENUS, ActionSpec
from app.icons import APP_ICON, icon_pixmap
from app.language import tr
from app.widgets.parts import Line, in_column, in_row, styled, wrapped
from app.windows.dialogs import without_icons
from app.windows.menus import full_words

ABOUT = tr(
    "Sizing and what-if studies of Lotus/HCL Domino and Sametime on VMware ESX. "
    "Every number says where it comes from."
)
LICENCES = tr(
    "Licensed under the MIT licence. Icons by Lucide (ISC). Type: Inter (SIL Open Font License). "
    "Qt for Python is used under the LGPL."
)


class _Dialog(QDialog):
    """A window that goes away by itself when it is closed."""

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)

    def _close_box(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        without_icons(self)
        return buttons


class AboutDialog(_Dialog):
    """What this is, and in which versions."""

    def __init__(self, parent: QWidget, versions: Sequence[tuple[str, str]]) -> None:
        super().__init__(parent, tr("About Headroom"))
        top = in_row(gap=18)
        sign = QLabel(self)
        sign.setPixmap(icon_pixmap(APP_ICON, "", 64, self.devicePixelRatioF()))
        top.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        top.addLayout(self._words(versions), 1)
        in_column(self, gap=16, around=(22, 20, 22, 16)).put(top, self._close_box())

    def _words(self, versions: Sequence[tuple[str, str]]) -> Line:
        column = in_column(gap=10)
        title = styled(QLabel("Headroom", self), "title")
        column.addWidget(title)
        for text in (ABOUT, LICENCES):
            label = wrapped(text, self)
            label.setMinimumWidth(380)
            column.addWidget(label)
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        for row, (name, version) in enumerate(versions):
            _add_row(grid, row, name, version, self)
        column.addLayout(grid)
        return column


Group = tuple[str, Sequence[tuple[str, str]]]
COLUMNS = 3


class KeysDialog(_Dialog):
    """All keys at a glance, in the groups of the menus."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, tr("Keys"))
        body = QWidget(self)
        columns = in_row(body, gap=28, around=None)
        for groups in in_columns(key_groups(), COLUMNS):
            columns.addLayout(self._column(groups))
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setProperty("role", "reading")
        area.setAccessibleName(tr("Keys"))
        area.setWidget(body)
        in_column(self, around=None).put(area, self._close_box())
        wanted = body.sizeHint() + QSize(48, 90)
        room = parent.window().size()
        self.resize(
            min(wanted.width(), room.width() - 20), min(wanted.height(), room.height() - 20)
        )

    def _column(self, groups: Sequence[Group]) -> Line:
        column = in_column(gap=5)
        for title, rows in groups:
            heading = styled(QLabel(title, self), "heading")
            heading.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            column.addWidget(heading)
            grid = QGridLayout()
            grid.setHorizontalSpacing(14)
            grid.setVerticalSpacing(3)
            grid.setColumnMinimumWidth(0, self.fontMetrics().horizontalAdvance("Ctrl+Shift+M"))
            for row, (keys, words) in enumerate(rows):
                _add_row(grid, row, keys, words, self)
            grid.setColumnStretch(1, 1)
            column.addLayout(grid)
            column.addSpacing(8)
        column.addStretch(1)
        return column


def key_groups() -> Iterator[Group]:
    """Keys and what they do: on the board, then menu by menu; each act where it is first met."""
    yield tr("On the board"), BOARD_KEYS
    on_board = {keys for keys, _ in BOARD_KEYS}
    listed: set[str] = set()
    for menu in MENUS:
        specs = [
            spec
            for spec in menu.entries
            if isinstance(spec, ActionSpec) and spec.keys and spec.id not in listed
        ]
        listed.update(spec.id for spec in specs)
        rows = [(_keys(spec), full_words(spec)) for spec in specs if _keys(spec) not in on_board]
        if rows:
            yield menu.text.replace("&", ""), rows


def in_columns(groups: Iterable[Group], count: int) -> list[list[Group]]:
    """The groups in their order, in so many columns of about the same height."""
    kept = list(groups)
    height = sum(len(rows) + 2 for _, rows in kept) / count
    columns: list[list[Group]] = [[] for _ in range(count)]
    above = 0.0
    for group in kept:
        middle = above + (len(group[1]) + 2) / 2
        columns[min(int(middle / height), count - 1)].append(group)
        above += len(group[1]) + 2
    return columns


def _keys(spec: ActionSpec) -> str:
    """The first of an act, and a plain character that does the same: ``F1, ?``."""
    first, *others = spec.keys
    return ", ".join(map(_native, (first, *(each for each in others if len(each) == 1))))


def _native(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def _add_row(grid: QGridLayout, row: int, name: str, words: str, parent: QWidget) -> None:
    left = styled(QLabel(name, parent), "muted")
    right = QLabel(words, parent)
    right.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    grid.addWidget(left, row, 0, Qt.AlignmentFlag.AlignTop)
    grid.addWidget(right, row, 1, Qt.AlignmentFlag.AlignTop)

"""Every act and place by its name: type a few letters, press Enter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from app.fuzzy import score
from app.icons import draw_icon
from app.language import tr
from app.look import LOOK
from app.widgets.parts import in_column
from app.windows.asked import Asked
from app.windows.menus import ActionBook, full_words
from app.windows.places import ALSO, Place
from app.wording import tip_text

WIDTH, HEIGHT = 560, 420
PAD, ICON = 10, 16
NOTHING = tr("Nothing has this name. Try fewer letters, or a word of the menu.")
ASKED = tr("What do you want to do or see?")
ENTRY = Qt.ItemDataRole.UserRole
BEHIND_ACTS, BY_TIP, REFUSED = 1.5, 1.4, 3.0
"""What counts less: choices and items; each word that another word or the tip has, not the name;
what can't be done now."""

MOST_ITEMS = 40
"""Of the design's own things so many are listed: more letters find the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One act or place: its words, its key, and why it can't be done now (empty when it can).

    Attributes:
        run: does it. id: of an act of the table.
        also: other words by which it is found.
        is_choice: an entry of a submenu, or an item of the design; there are many of them.
        is_item: listed only where its name was typed.
    """

    run: Callable[[], None]
    words: str
    keys: str = ""
    icon: str = ""
    tip: str = ""
    also: str = ""
    refusal: str = ""
    id: str = ""
    is_choice: bool = False
    is_item: bool = False

    @property
    def spoken(self) -> str:
        return ", ".join(part for part in (self.words, self.keys, self.refusal) if part)


class EntryDelegate(QStyledItemDelegate):
    """Paints an act: icon, words, and on the right its key or what it needs first."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(WIDTH // 2, option.fontMetrics.height() + 12)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        theme, entry = LOOK.theme, index.data(ENTRY)
        rect = QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(QColor(theme.accent))
            painter.setBrush(QColor(theme.accent_soft))
            painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        if not isinstance(entry, Entry):
            painter.setPen(QColor(theme.muted))
            painter.drawText(rect.adjusted(PAD, 0, -PAD, 0), _LEFT, str(index.data()))
            painter.restore()
            return
        colour = theme.muted if entry.refusal else theme.text
        if entry.icon:
            top = rect.center().y() - ICON / 2 + 1
            draw_icon(painter, QRectF(rect.left() + PAD, top, ICON, ICON), entry.icon, colour)
        aside = entry.refusal or entry.keys
        room = rect.adjusted(2 * PAD + ICON, 0, -PAD, 0)
        used = option.fontMetrics.horizontalAdvance(aside)
        painter.setPen(QColor(theme.muted))
        painter.drawText(room, _RIGHT, aside)
        painter.setPen(QColor(colour))
        words = room.adjusted(0, 0, -used - PAD, 0)
        elide = Qt.TextElideMode.ElideRight
        shown = option.fontMetrics.elidedText(entry.words, elide, words.width())
        painter.drawText(words, _LEFT, shown)
        painter.restore()


_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


class CommandPalette(QDialog):
    """A field and the acts and places that match it, those first that can be done now."""

    MOST_LETTERS = 100
    """Of what is typed or pasted: every word is looked for in every name."""

    def __init__(
        self,
        window: QMainWindow,
        actions: ActionBook,
        places: Iterable[Place] = (),
        asked: Callable[[str], Iterable[Asked]] = lambda _typed: (),
    ) -> None:
        super().__init__(window, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(tr("Commands"))
        self._entries = [*_entries(actions), *map(_entry_of, places)]
        self._asked = asked
        self.field = QLineEdit(self)
        self.field.setMaxLength(self.MOST_LETTERS)
        self.field.setPlaceholderText(ASKED)
        self.field.setAccessibleName(ASKED)
        self.list = QListWidget(self)
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setAccessibleName(tr("Commands that match"))
        self.list.setItemDelegate(EntryDelegate(self))
        in_column(self, around=(10, 10, 10, 10)).put(self.field, self.list)
        self.field.installEventFilter(self)
        self.field.textChanged.connect(self._search)
        self.list.itemClicked.connect(self._run)
        self._search("")
        room = window.rect()
        self.resize(min(WIDTH, room.width() - 40), min(HEIGHT, room.height() - 80))
        self.move(window.mapToGlobal(room.center()) - self.rect().center())
        self.field.setFocus()

    @property
    def entries(self) -> list[Entry]:
        """What is listed now."""
        items = (self.list.item(row) for row in range(self.list.count()))
        return [entry for item in items if isinstance(entry := item.data(ENTRY), Entry)]

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
        self.list.clear()
        asked = [
            Entry(run=each.run, words=each.words, icon=each.icon, refusal=each.refusal)
            for each in self._asked(text)
        ]
        for entry in [*asked, *ranked(self._entries, text)]:
            item = QListWidgetItem(entry.words)
            item.setData(ENTRY, entry)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, entry.spoken)
            item.setToolTip(tip_text(entry.tip))
            self.list.addItem(item)
        if not self.list.count():
            item = QListWidgetItem(NOTHING)
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _run(self, item: QListWidgetItem | None) -> None:
        """Does it; what can't be done now leaves the list open, which says why."""
        entry = item.data(ENTRY) if item is not None else None
        if isinstance(entry, Entry) and not entry.refusal:
            self.close()
            entry.run()


def ranked(entries: list[Entry], typed: str) -> list[Entry]:
    """The entries that match, the best first; of like ones those that can be done now."""
    there = [entry for entry in entries if typed.strip() or not entry.is_item]
    found = [(_match(typed, entry), entry) for entry in there]
    kept = [
        (REFUSED * bool(entry.refusal) - value, entry)
        for value, entry in found
        if value is not None
    ]
    in_order = [entry for _, entry in sorted(kept, key=itemgetter(0))]
    surplus = {id(entry) for entry in [e for e in in_order if e.is_item][MOST_ITEMS:]}
    return [entry for entry in in_order if id(entry) not in surplus]


def _match(typed: str, entry: Entry) -> float | None:
    """A name that matches counts more than an explanation, or another word for it, that does as
    well; a whole word of those more than scattered letters of a name."""
    around = score(typed, f"{entry.words} {entry.also} {entry.tip}")
    if around is None:
        return None
    named, words = score(typed, entry.words), len(typed.split())
    value = around - BY_TIP * words
    return max(value, value if named is None else named) - BEHIND_ACTS * entry.is_choice


def _entries(actions: ActionBook) -> Iterator[Entry]:
    for spec in actions:
        action = actions[spec.id]
        yield Entry(
            run=action.trigger,
            words=actions.words(spec),
            keys=action.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
            icon=spec.icon,
            tip=spec.tip,
            also=f"{ALSO.get(spec.id, '')} {spec.words}",
            refusal="" if action.isEnabled() else spec.needs or tr("Can’t be done now"),
            id=spec.id,
        )
    for submenu, action in actions.choices():
        words = f"{full_words(submenu)}: {action.text().replace('&&', '&')}"
        yield Entry(run=action.trigger, words=words, icon=submenu.icon, is_choice=True)


def _entry_of(place: Place) -> Entry:
    return Entry(
        run=place.go,
        words=place.words,
        keys=place.where,
        icon=place.icon,
        also=place.also,
        is_choice=place.is_item,
        is_item=place.is_item,
    )

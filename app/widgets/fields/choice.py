"""One of several, and yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QCompleter,
    QLabel,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QStylePainter,
    QWidget,
)

from app.icons import draw_icon
from app.language import local
from app.look import LOOK
from app.widgets.fields.line import MIXED, LineEditor, elided_name, paint_at_rest
from app.widgets.roles import IS_AT_SPI
from app.widgets.searched_menu import SEARCHED_FROM
from app.wording import tip_text

Index = QModelIndex | QPersistentModelIndex
FIELD_SEARCHED_FROM = 12
"""Entries from which on a list is searched by typing that a field is filled in from; of any other
`SEARCHED_FROM`."""

ARROW_PX = 54
"""What of a closed list is not for its words: the arrow, and the room at both ends."""
WHOLE_LETTERS = 30
"""A longer name may be cut in its middle."""

_PLAIN_ARROW = """
QComboBox { padding-right: 20px; }
QComboBox::drop-down { border: none; background: transparent; width: 20px; }
QComboBox::down-arrow { image: none; }
QComboBox QLineEdit { border: none; background: transparent; padding: 0; }
"""


class ChoiceLine(LineEditor):
    """The line of a list that is searched by typing; at rest a long name is cut in its middle."""

    def settle(self, text: str) -> None:
        self._shown = text
        self.setText(text)
        self.setCursorPosition(0)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not paint_at_rest(self):
            super().paintEvent(event)


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry of a `ChoiceField`: the value behind it and its words."""

    value: object
    text: str


class Dropdown(QComboBox):
    """A closed list with the arrow of the program; a name that has no room is cut in its middle,
    and one of many is found by typing any part of it."""

    searched_from = SEARCHED_FROM

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setStyleSheet(_PLAIN_ARROW)
        self._line: ChoiceLine | None = None
        self.model().rowsInserted.connect(self._grown)

    def setAccessibleName(self, name: str) -> None:
        """Over AT-SPI a list is called by what is chosen in it: its name is the description."""
        super().setAccessibleName(name)
        if IS_AT_SPI:
            self.setAccessibleDescription(name)

    def _grown(self) -> None:
        if self._line is not None or self.count() < self.searched_from:
            return
        self._line = ChoiceLine(self)
        self.setLineEdit(self._line)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        completer = self.completer()
        if completer is not None:
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self._name_line()
        self._settle()
        self.currentIndexChanged.connect(self._settle)
        self._line.editingFinished.connect(self._typed)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._name_line()

    def _name_line(self) -> None:
        """The line has the list's name: screen readers come to the line, not to what is around."""
        line, parent = self.lineEdit(), self.parentWidget()
        if line is None or line.accessibleName():
            return
        labels = [] if parent is None else parent.findChildren(QLabel)
        of_label = next((each.text() for each in labels if each.buddy() is self), "")
        line.setAccessibleName(self.accessibleName() or of_label)

    def _settle(self) -> None:
        """The line says what is chosen."""
        if self._line is not None:
            self._line.settle(self.itemText(self.currentIndex()))

    def _typed(self) -> None:
        """Typed words that name one entry choose it; others are taken back."""
        typed = self.currentText().strip().casefold()
        texts = [self.itemText(place).casefold() for place in range(self.count())]
        found = [place for place, text in enumerate(texts) if typed in text]
        exact = [place for place in found if texts[place] == typed]
        if typed and (exact or len(found) == 1):
            self._pick((exact or found)[0])
        else:
            self._settle()

    def _pick(self, place: int) -> None:
        """Somebody chose an entry by typing."""
        if place == self.currentIndex():
            self._settle()
            return
        self.setCurrentIndex(place)
        self.activated.emit(place)

    def commit(self) -> None:
        if self._line is not None and self._line.is_edited:
            self._typed()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving the window is leaving the field too; `editingFinished` leaves that out."""
        super().focusOutEvent(event)
        if event.reason() is Qt.FocusReason.ActiveWindowFocusReason:
            self.commit()

    @property
    def words_width(self) -> int:
        """Room that it needs to show any of its choices whole, as far as they are short [px]."""
        texts = [self.itemText(place)[:WHOLE_LETTERS] for place in range(self.count())]
        return max(map(self.fontMetrics().horizontalAdvance, texts), default=0) + ARROW_PX

    def hold_whole(self) -> None:
        """Never gets too narrow for any of its choices, as far as they are short."""
        self.setMinimumWidth(max(self.minimumWidth(), self.words_width))

    def paintEvent(self, event: QPaintEvent) -> None:
        """As Qt paints it, but a name that has no room is cut in its middle."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        if not self.isEditable():
            room = self.style().subControlRect(
                QStyle.ComplexControl.CC_ComboBox,
                option,
                QStyle.SubControl.SC_ComboBoxEditField,
                self,
            )
            words = option.currentText or self.placeholderText()
            option.currentText = elided_name(words, self.fontMetrics(), room.width() - 2)
            painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        box = QRectF(self.rect())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        sign = QRectF(box.right() - 20, box.center().y() - 7, 14, 14)
        draw_icon(painter, sign, "chevron-down", LOOK.theme.muted)
        painter.end()


class ChoiceField(Dropdown):
    """One of several; long lists, and with `is_searched` any, can be searched by typing any part of
    a name."""

    committed = Signal(object)
    said = Signal(str, bool)
    finished = Signal()

    def __init__(
        self, *, empty: str = "", is_searched: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.searched_from = 1 if is_searched else FIELD_SEARCHED_FROM
        self._choices: tuple[Choice, ...] = ()
        self._index = -1
        self._empty = empty
        self.setPlaceholderText(empty)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.setMaxVisibleItems(18)
        self.view().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.activated.connect(self._chosen)

    def showPopup(self) -> None:
        """All rows where they have room: Qt's arrows to scroll by may come first and keep it."""
        super().showPopup()
        view = self.view()
        frame = view.parentWidget()
        layout = None if frame is None else frame.layout()
        if frame is None or layout is None or self.count() > self.maxVisibleItems():
            return
        rows = (self.model().index(row, self.modelColumn()) for row in range(self.count()))
        items = (layout.itemAt(place) for place in range(layout.count()))
        gaps = (item.spacerItem() for item in items if item is not None)
        height = 2 * view.frameWidth() + sum(view.visualRect(row).height() for row in rows)
        height += sum(gap.sizeHint().height() for gap in gaps if gap is not None)
        place, room = frame.geometry(), frame.screen().availableGeometry()
        if height > room.height():
            return
        place.setHeight(max(height, place.height()))
        place.moveBottom(min(place.bottom(), room.bottom()))
        frame.setGeometry(place)
        for arrows in frame.findChildren(
            QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly
        ):
            if arrows is not view:
                arrows.hide()

    def offer(self, choices: Sequence[Choice]) -> None:
        """Fills the list, in the language of the window; the value shown stays chosen."""
        choices = tuple(replace(choice, text=local(choice.text)) for choice in choices)
        if choices == self._choices:
            return
        value = self.value
        self._choices = choices
        self.clear()
        for position, choice in enumerate(choices):
            self.addItem(choice.text)
            self.setItemData(position, tip_text(choice.text), Qt.ItemDataRole.ToolTipRole)
        self.show_value(value)

    @property
    def value(self) -> object:
        return self._choices[self._index].value if 0 <= self._index < len(self._choices) else None

    def show_value(self, value: object, *, mixed: bool = False) -> None:
        indices = (i for i, choice in enumerate(self._choices) if choice.value == value)
        self._index = -1 if mixed else next(indices, -1)
        self.setPlaceholderText(MIXED if mixed else self._empty)
        self.setCurrentIndex(self._index)
        line = self._line
        if line is not None:
            line.setPlaceholderText(MIXED if mixed else "")
            self._settle()
        self.setToolTip(tip_text(self.currentText()))

    def refuse(self, reason: str) -> None:
        self.said.emit(reason, True)
        if 0 <= self._index < len(self._choices):
            self.show_value(self._choices[self._index].value)

    def _settle(self) -> None:
        """Back to what is stored; a choice is so once whoever asked has taken it."""
        if self._line is not None:
            self._line.settle("" if self._index < 0 else self._choices[self._index].text)

    def _pick(self, place: int) -> None:
        if place == self._index:
            self.show_value(self.value)
        self._chosen(place)

    def _chosen(self, index: int) -> None:
        if index != self._index and 0 <= index < len(self._choices):
            self.said.emit("", False)
            self.committed.emit(self._choices[index].value)
        self.finished.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Never changed by scrolling over it."""
        event.ignore()


class TickBox(QCheckBox):
    """A box that is seen on every ground: Qt's own is as dark as a dark theme."""

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        style = self.style()
        place = style.subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self)
        words = style.subElementRect(QStyle.SubElement.SE_CheckBoxContents, option, self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_tick_box(painter, QRectF(place), self.checkState(), self.palette(), self.hasFocus())
        painter.setPen(self.palette().color(self.foregroundRole()))
        how = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextShowMnemonic.value
        painter.drawText(words, how, self.text())
        painter.end()


class FlagField(TickBox):
    """Yes or no."""

    committed = Signal(object)
    said = Signal(str, bool)
    finished = Signal()

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._value = False
        self.clicked.connect(self._clicked)

    def show_value(self, value: bool, *, mixed: bool = False) -> None:
        self._value = value
        state = Qt.CheckState.Checked if value else Qt.CheckState.Unchecked
        self.setCheckState(Qt.CheckState.PartiallyChecked if mixed else state)

    def refuse(self, reason: str) -> None:
        self.said.emit(reason, True)
        self.show_value(self._value)

    def _clicked(self) -> None:
        self.said.emit("", False)
        self.committed.emit(self.checkState() is not Qt.CheckState.Unchecked)
        self.finished.emit()


class TickDelegate(QStyledItemDelegate):
    """Boxes in a list that are seen on every ground, as those of `TickBox`."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        style_option = QStyleOptionViewItem(option)
        self.initStyleOption(style_option, index)
        style = style_option.widget.style()
        element = QStyle.SubElement.SE_ItemViewItemCheckIndicator
        place = style.subElementRect(element, style_option, style_option.widget)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        state = style_option.checkState
        draw_tick_box(painter, QRectF(place), state, style_option.palette, has_focus=False)
        painter.restore()


def draw_tick_box(
    painter: QPainter, rect: QRectF, state: Qt.CheckState, palette: QPalette, has_focus: bool
) -> None:
    """Empty, with a tick, or with a dash for several."""
    box = rect.adjusted(0.5, 0.5, -0.5, -0.5)
    is_empty = state is Qt.CheckState.Unchecked
    edge = palette.shadow() if is_empty and not has_focus else palette.highlight()
    painter.setPen(QPen(edge.color(), 2 if has_focus else 1))
    painter.setBrush(palette.base() if is_empty else palette.highlight())
    painter.drawRoundedRect(box, 3, 3)
    if is_empty:
        return
    painter.setPen(QPen(palette.highlightedText().color(), 1.8))
    x, y, side = box.x(), box.y(), box.width()
    marks = {
        Qt.CheckState.Checked: ((0.22, 0.52), (0.42, 0.72), (0.78, 0.3)),
        Qt.CheckState.PartiallyChecked: ((0.25, 0.5), (0.75, 0.5)),
    }
    painter.drawPolyline([QPointF(x + a * side, y + b * side) for a, b in marks[state]])

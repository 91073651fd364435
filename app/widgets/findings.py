"""The findings: what a rule objects to, how to mend it, and who says so."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLabel,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.icons import draw_icon
from app.language import local, lowered, tr
from app.look import LOOK
from app.qtmodels.findings import (
    ORDER,
    ROW_ROLE,
    SEVERITY_WORDS,
    FindingRow,
    FindingsModel,
    Kind,
    finding_rows,
    severity_count,
)
from app.selection import Selection
from app.session import Session, View
from app.widgets.gauge_text import BETWEEN
from app.widgets.labels import Empty, ShorterLine
from app.widgets.marks import SEVERITY_ICONS, scaled_font, severity_colour
from app.widgets.painting import draw_row_ground
from app.widgets.parts import in_column, in_row, styled
from app.widgets.plain_table import mark_current
from app.widgets.waive_bar import WaiveBar
from app.wording import kept_together
from models.base.errors import ModelError
from models.base.lettering import breakable, set_apart
from models.evidence.citation import in_short
from models.judgement.rules import rule_title
from models.predict.prediction import Finding
from models.scenario.scenario import Scenario

Index = QModelIndex | QPersistentModelIndex
MOST_HEIGHTS = 20_000
MEDIUM = QFont.Weight.Medium
WAIVED_ICON = "flag"
WRAP = int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)


def counts_text(findings: tuple[Finding, ...]) -> str:
    """``1 error · 3 warnings · 2 waived``; what isn't there isn't named.

    >>> counts_text(())
    ''
    """
    return BETWEEN.join(words for _, words in _counts(findings))


def fewer_counts(findings: tuple[Finding, ...]) -> tuple[str, ...]:
    """The same with ever fewer of them, those left out counted: ``1 error · 3 warnings · +8``."""
    counts = _counts(findings)
    return tuple(
        BETWEEN.join((*(words for _, words in counts[:n]), f"+{sum(c for c, _ in counts[n:])}"))
        for n in range(len(counts) - 1, 0, -1)
    )


def _counts(findings: tuple[Finding, ...]) -> list[tuple[int, str]]:
    """How many there are of each kind, the worst first, and the words for it."""
    counts = {s: sum(f.severity is s and not f.waived for f in findings) for s in ORDER}
    parts = [(n, severity_count(severity, n)) for severity, n in counts.items() if n]
    waived = sum(bool(f.waived) for f in findings)
    return [*parts, (waived, tr("{waived} waived", waived=waived))] if waived else parts


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph of a finding: its words, type, colour, and the gap after it."""

    text: str
    font: QFont
    colour: str
    gap: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", kept_together(self.text))


class FindingDelegate(QStyledItemDelegate):
    """Paints a finding: sign and word, sentence, fix, source; as high as its text needs.

    Heights are kept: measuring wrapped text is what costs.
    """

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view
        self._heights: dict[tuple[FindingRow, int, str], int] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width = self._view.viewport().width()
        row: FindingRow = index.data(ROW_ROLE)
        key = (row, width, option.font.key())
        if key not in self._heights:
            if len(self._heights) > MOST_HEIGHTS:
                self._heights.clear()
            self._heights[key] = self._measured(row, option.font, width)
        return QSize(width, self._heights[key])

    def _measured(self, row: FindingRow, font: QFont, width: int) -> int:
        room = width - self._left(row, font) - 14
        blocks = self._blocks(row, font)
        return round(sum(_height(b.text, b.font, room) + b.gap for b in blocks) + 14)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: FindingRow = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(3, 2, -3, -2)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        draw_row_ground(painter, box, option.state, is_chosen=is_selected)
        left = option.rect.left() + self._left(row, option.font)
        self._signs(painter, box, row, option.font, left)
        y, width = box.top() + 5, option.rect.right() - left - 8
        for block in self._blocks(row, option.font):
            height = _height(block.text, block.font, width)
            painter.setFont(block.font)
            painter.setPen(QColor(block.colour))
            painter.drawText(QRectF(left, y, width, height + 2), WRAP, block.text)
            y += height + block.gap
        painter.restore()

    def _signs(
        self, painter: QPainter, box: QRectF, row: FindingRow, font: QFont, left: float
    ) -> None:
        side = QFontMetricsF(font).height() * 1.05
        colour = self._colour(row)
        sign = QRectF(left - side - 7, box.top() + 5, side, side)
        icon = WAIVED_ICON if row.is_waived else SEVERITY_ICONS[row.finding.severity]
        draw_icon(painter, sign, icon, colour)
        if row.count:
            fold = QRectF(box.right() - side - 5, box.top() + 4, side, side)
            name = "chevron-down" if row.is_open else "chevron-right"
            draw_icon(painter, fold, name, LOOK.theme.muted)

    def _left(self, row: FindingRow, font: QFont) -> float:
        side = QFontMetricsF(font).height() * 1.05
        return side + 16 + (side if row.is_below else 0)

    def _colour(self, row: FindingRow) -> str:
        theme = LOOK.theme
        return theme.muted if row.is_waived else severity_colour(row.finding.severity, theme)

    def _blocks(self, row: FindingRow, font: QFont) -> list[Block]:
        finding, theme = row.finding, LOOK.theme
        colour = self._colour(row)
        word = SEVERITY_WORDS[finding.severity]
        if row.is_waived:
            word = tr("Waived {severity}", severity=lowered(word))
        head = f"{word} · {row.name}" if row.name else word
        head = breakable(head)
        blocks = [Block(head, scaled_font(font, 0.92, QFont.Weight.DemiBold), colour, 2.0)]
        text = (
            tr("{finding} (the first of {count})", finding=finding.text, count=row.count)
            if row.count
            else local(finding.text)
        )
        text = breakable(text)
        blocks.append(Block(text, QFont(font), theme.muted if row.is_waived else theme.text, 3.0))
        if row.is_waived:
            reason = tr("Accepted: {waived}", waived=finding.waived)
            blocks.append(Block(reason, scaled_font(font, 1.0, MEDIUM), theme.text, 3.0))
            return blocks
        if finding.fix and not row.is_below:
            blocks.append(Block(f"→ {breakable(local(finding.fix))}", QFont(font), theme.text, 3.0))
        if finding.source and not row.is_below:
            blocks.append(Block(in_short(finding.source), scaled_font(font, 0.9), theme.muted, 0.0))
        return blocks


def _height(text: str, font: QFont, width: float) -> float:
    box = QFontMetricsF(font).boundingRect(QRectF(0, 0, max(width, 40.0), 1e5), WRAP, text)
    return box.height()


class FindingsList(QListView):
    """The list; its rows are measured anew when it gets another width.

    Signals:
        fold_asked: Left or Right was pressed: whether what is below the current row is wanted.
        waive_asked: `W` was pressed: the current finding is to be waived, or no longer.
    """

    fold_asked = Signal(bool)
    waive_asked = Signal()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        mark_current(self, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_W and not event.modifiers():
            self.waive_asked.emit()
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.fold_asked.emit(event.key() == Qt.Key.Key_Right)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()


class FindingsPanel(QWidget):
    """All findings of the scenario in view; a click selects what one speaks of.

    `W` or the button below waives the current one, with a reason, or takes the waiver back.
    """

    def __init__(
        self,
        session: Session,
        selection: Selection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._selection = selection
        self._opened: frozenset[Kind] = frozenset()
        self._place = session.place
        self.model = FindingsModel(self)
        self.view = FindingsList(self)
        self._delegate = FindingDelegate(self.view)
        self._title = styled(QLabel(tr("Findings"), self), "heading")
        self.counts = styled(ShorterLine(self), "muted")
        self.waiving = WaiveBar(self)
        self._empty = Empty("circle-check", tr("No rule objects to this scenario."), self)
        self._set_up_view()
        self._lay_out()
        session.view_changed.connect(self.show_view)
        self.show_view(session.view)

    @property
    def is_empty(self) -> bool:
        return self._empty.isVisibleTo(self)

    def show_view(self, view: View) -> None:
        if view.lost:
            view = self._session.stored_view
        if self._session.place != self._place:
            self._place = self._session.place
            self.waiving.forget()
        findings = view.prediction.findings
        names = {item.id: set_apart(item.name) for item in view.scenario.items()}
        self.model.set_rows(finding_rows(findings, names, self._opened))
        self.counts.say(counts_text(findings), *fewer_counts(findings))
        self.view.setVisible(bool(findings))
        self._empty.setVisible(not findings)
        self._offer()

    def _offer(self) -> None:
        """What can be done about the current finding."""
        row: FindingRow | None = self.view.currentIndex().data(ROW_ROLE)
        self.waiving.offer(row, self._below(row))

    def _below(self, row: FindingRow | None) -> tuple[Finding, ...]:
        """The findings that a row stands for: itself, or all below a head."""
        if row is None:
            return ()
        if not row.count:
            return (row.finding,)
        found = self._session.view.prediction.findings
        return tuple(f for f in found if (f.severity, f.rule) == row.kind and not f.waived)

    def _waive(self, findings: tuple[Finding, ...], reason: str) -> None:
        """One step for all of them; with a reason they are waived, without one no longer."""
        if self._session.place != self._place:
            return
        before = after = self._session.scenario
        try:
            for each in findings:
                if reason:
                    after = after.waive(each.rule, each.subject, reason)
                else:
                    after = after.without_waiver(each.rule, each.subject)
        except ModelError as error:
            self._session.message.emit(tr("Not waived: {error}.", error=error.reason))
            return
        self._session.edit(after, _step_text(before, findings, is_waived=bool(reason)))
        self._session.flush()
        self._follow(findings[0])

    def _follow(self, finding: Finding) -> None:
        """The finding stays the current one, wherever it stands now."""
        who = (finding.rule, finding.subject)
        for place, row in enumerate(self.model.rows):
            if not row.count and (row.finding.rule, row.finding.subject) == who:
                self.view.setCurrentIndex(self.model.index(place, 0))
                self.view.scrollTo(self.model.index(place, 0))
                break
        self.view.setFocus()

    def _set_up_view(self) -> None:
        view = self.view
        view.setModel(self.model)
        view.setItemDelegate(self._delegate)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setMouseTracking(True)
        view.setAccessibleName(tr("Findings"))
        view.clicked.connect(self._clicked)
        view.activated.connect(self._activated)
        view.fold_asked.connect(self._fold)
        view.waive_asked.connect(self.waiving.act)
        view.selectionModel().currentRowChanged.connect(self._offer)
        self.waiving.decided.connect(self._waive)
        self.waiving.left.connect(view.setFocus)

    def _activated(self, index: QModelIndex) -> None:
        """Selects what the finding speaks of; of a head all of it."""
        row: FindingRow | None = index.data(ROW_ROLE)
        if row is not None and row.subjects:
            self._selection.set(row.subjects, row.subjects[0])

    def _clicked(self, index: QModelIndex) -> None:
        self._activated(index)
        row: FindingRow | None = index.data(ROW_ROLE)
        if row is not None and row.count:
            self._set_open(row, not row.is_open)

    def _fold(self, is_wanted: bool) -> None:
        row: FindingRow | None = self.view.currentIndex().data(ROW_ROLE)
        if row is not None and row.count:
            self._set_open(row, is_wanted)

    def _set_open(self, row: FindingRow, is_open: bool) -> None:
        kinds = {row.kind}
        self._opened = self._opened | kinds if is_open else self._opened - kinds
        self.show_view(self._session.view)

    def _lay_out(self) -> None:
        self.counts.setAlignment(Qt.AlignmentFlag.AlignRight)
        head = in_row(around=(6, 0, 6, 0)).put(self._title, (self.counts, 1))
        in_column(self, gap=4, around=(8, 8, 8, 8)).put(
            head, (self.view, 1), (self._empty, 1), self.waiving
        )


def _step_text(scenario: Scenario, findings: tuple[Finding, ...], *, is_waived: bool) -> str:
    """``Waive Disk latency, DS4800 data``; of several how many."""
    first = findings[0]
    names = {item.id: set_apart(item.name) for item in scenario.items()}
    title = local(rule_title(first.rule))
    words = ", ".join(part for part in (title, names.get(first.subject, "")) if part)
    if len(findings) > 1:
        words = tr("{count} findings: {rule}", count=len(findings), rule=title)
    return (
        tr("Waive {words}", words=words)
        if is_waived
        else tr("Take back the waiver of {words}", words=words)
    )

"""The findings: what a rule objects to, how to mend it, and who says so."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.icons import draw_icon
from app.qtmodels.findings import ORDER, ROW_ROLE, FindingRow, FindingsModel, finding_rows
from app.selection import Selection
from app.session import Session, View
from app.theme import LIGHT, Theme
from app.widgets.labels import Empty
from app.widgets.marks import SEVERITY_ICONS, scaled_font, severity_colour
from models.prediction import Finding, Severity

Index = QModelIndex | QPersistentModelIndex
WRAP = int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
PLURALS = {Severity.ERROR: "errors", Severity.WARNING: "warnings", Severity.ADVICE: "advice"}


def counts_text(findings: tuple[Finding, ...]) -> str:
    """``1 error · 3 warnings``; what isn't there isn't named.

    >>> counts_text(())
    ''
    """
    counts = {s: sum(f.severity is s for f in findings) for s in ORDER}
    return " · ".join(
        f"{n} {severity.value if n == 1 else PLURALS[severity]}"
        for severity, n in counts.items()
        if n
    )


class FindingDelegate(QStyledItemDelegate):
    """Paints a finding: sign and word, sentence, fix, source; as high as its text needs."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view
        self.theme = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width = self._view.viewport().width()
        row: FindingRow = index.data(ROW_ROLE)
        blocks = self._blocks(row, option.font)
        text_width = width - self._left(option.font) - 14
        height = sum(_height(text, font, text_width) + gap for text, font, _, gap in blocks)
        return QSize(width, round(height + 14))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: FindingRow = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(3, 2, -3, -2)
        self._ground(painter, box, option)
        colour = severity_colour(row.finding.severity, self.theme)
        line = QFontMetricsF(option.font).height()
        sign = QRectF(box.left() + 6, box.top() + 5, line * 1.05, line * 1.05)
        draw_icon(painter, sign, SEVERITY_ICONS[row.finding.severity], colour)
        left = option.rect.left() + self._left(option.font)
        y, width = box.top() + 5, option.rect.right() - left - 8
        for text, font, ink, gap in self._blocks(row, option.font):
            height = _height(text, font, width)
            painter.setFont(font)
            painter.setPen(QColor(ink))
            painter.drawText(QRectF(left, y, width, height + 2), WRAP, text)
            y += height + gap
        painter.restore()

    def _left(self, font: QFont) -> float:
        return QFontMetricsF(font).height() * 1.05 + 16

    def _blocks(self, row: FindingRow, font: QFont) -> list[tuple[str, QFont, str, float]]:
        """Text, type, colour and the gap after it."""
        finding, theme = row.finding, self.theme
        word = finding.severity.value.capitalize()
        head = f"{word} · {row.name}" if row.name else word
        small = scaled_font(font, 0.9)
        blocks = [
            (
                head,
                scaled_font(font, 0.92, QFont.Weight.DemiBold),
                severity_colour(finding.severity, theme),
                2.0,
            ),
            (finding.text, QFont(font), theme.text, 3.0),
        ]
        if finding.fix:
            blocks.append((f"→ {finding.fix}", QFont(font), theme.text, 3.0))
        if finding.source:
            blocks.append((finding.source, small, theme.muted, 0.0))
        return blocks

    def _ground(self, painter: QPainter, box: QRectF, option: QStyleOptionViewItem) -> None:
        theme = self.theme
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        is_hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        has_focus = bool(option.state & QStyle.StateFlag.State_HasFocus)
        if is_selected or is_hovered or has_focus:
            painter.setPen(QPen(QColor(theme.accent), 1.5) if has_focus else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent_soft if is_selected else theme.raised))
            painter.drawRoundedRect(box, 6, 6)


def _height(text: str, font: QFont, width: float) -> float:
    box = QFontMetricsF(font).boundingRect(QRectF(0, 0, max(width, 40.0), 1e5), WRAP, text)
    return box.height()


class FindingsList(QListView):
    """The list; its rows are measured anew when it gets another width."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()


class FindingsPanel(QWidget):
    """All findings of the scenario in view; a click selects what one speaks of."""

    def __init__(
        self,
        session: Session,
        selection: Selection,
        theme: Theme = LIGHT,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._selection = selection
        self.model = FindingsModel(self)
        self.view = FindingsList(self)
        self._delegate = FindingDelegate(self.view)
        self._title = QLabel("Findings", self)
        self._counts = QLabel(self)
        self._empty = Empty("circle-check", "No rule objects to this scenario.", self)
        self._set_up_view()
        self._lay_out()
        session.view_changed.connect(self.show_view)
        self.set_theme(theme)
        self.show_view(session.view)

    @property
    def counts(self) -> str:
        return self._counts.text()

    @property
    def is_empty(self) -> bool:
        return self._empty.isVisibleTo(self)

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme
        self._empty.set_theme(theme)
        self.view.viewport().update()

    def show_view(self, view: View) -> None:
        findings = view.prediction.findings
        names = {item.id: item.name for item in view.scenario.items()}
        self.model.set_rows(finding_rows(findings, names))
        self._counts.setText(counts_text(findings))
        self.view.setVisible(bool(findings))
        self._empty.setVisible(not findings)

    def _set_up_view(self) -> None:
        view = self.view
        view.setModel(self.model)
        view.setItemDelegate(self._delegate)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setMouseTracking(True)
        view.setAccessibleName("Findings")
        view.clicked.connect(self._activated)
        view.activated.connect(self._activated)

    def _activated(self, index: QModelIndex) -> None:
        row: FindingRow | None = index.data(ROW_ROLE)
        if row is not None and row.finding.subject:
            self._selection.select(row.finding.subject)

    def _lay_out(self) -> None:
        self._title.setProperty("role", "heading")
        self._counts.setProperty("role", "muted")
        head = QHBoxLayout()
        head.setContentsMargins(6, 0, 6, 0)
        head.addWidget(self._title)
        head.addStretch()
        head.addWidget(self._counts)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.view, 1)
        column.addWidget(self._empty, 1)

"""The accuracy table, its rows in words, naive curves beside it, and what could not be checked."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.language import tr
from app.qtmodels.accuracy import (
    ACCURACY_COLUMNS,
    BASELINE_COLUMNS,
    accuracy_rows,
    baseline_rows,
)
from app.qtmodels.cells import CellRow, CellTable
from app.qtmodels.evidence import family_text
from app.widgets.evidence.cell_view import CellView
from app.widgets.evidence.words import accuracy_words, transfer_words, unchecked_words
from app.widgets.marks import scaled_font
from app.wording import locale_style
from models.fitting.validation import Accuracy, Validation

HELD_OUT, BASELINE = 2, 2
NAIVE_NOTE = tr(
    "Naive curves are fitted to one series alone: they can’t say anything about a configuration "
    "that was not measured."
)


class AccuracyTab(QWidget):
    """How far off the model is, quantity by quantity.

    Signals:
        points_requested: the `Accuracy` whose points are to be shown.
    """

    points_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = CellView(
            CellTable(ACCURACY_COLUMNS, self), tr("Accuracy"), stretch=HELD_OUT, parent=self
        )
        self.naive = CellView(
            CellTable(BASELINE_COLUMNS, self), tr("Naive curves"), stretch=BASELINE, parent=self
        )
        self.words = QLabel(self)
        self.button = QPushButton(tr("Show these points"), self)
        self._unchecked = QGridLayout()
        self._lay_out()
        self.view.chosen.connect(self._chosen)
        self.view.opened.connect(self._opened)
        self.button.clicked.connect(self._asked)

    def show_validation(self, validation: Validation) -> None:
        style = locale_style()
        self.view.table.set_rows(accuracy_rows(validation.accuracy, style))
        self.naive.table.set_rows(baseline_rows(validation.baselines, style))
        for view in (self.view, self.naive):
            view.fit_columns({})
        self._fit_height(len(validation.accuracy))
        self._show_unchecked(validation)
        if validation.accuracy:
            first = validation.accuracy[0]
            self.view.choose((first.family, first.quantity, first.split))

    def _fit_height(self, rows: int) -> None:
        line = self.view.verticalHeader().defaultSectionSize()
        head = self.view.horizontalHeader().sizeHint().height()
        self.view.setFixedHeight(rows * line + head + 4)

    def _show_unchecked(self, validation: Validation) -> None:
        self._add_words(unchecked_words(validation))
        transfers = transfer_words(validation, locale_style())
        if transfers:
            heading = self._heading(tr("Held against figures of other families"))
            self._unchecked.addWidget(heading, self._unchecked.rowCount(), 0, 1, 2)
            self._add_words(transfers)

    def _add_words(self, pairs: list[tuple[str, str]]) -> None:
        """One line a family: its name, and what there is to say."""
        top = Qt.AlignmentFlag.AlignTop
        for row, (family, text) in enumerate(pairs, start=self._unchecked.rowCount()):
            name, words = QLabel(family_text(family), self), QLabel(text, self)
            words.setWordWrap(True)
            words.setProperty("role", "muted")
            self._unchecked.addWidget(name, row, 0, top)
            self._unchecked.addWidget(words, row, 1, top)

    def _chosen(self, row: CellRow | None) -> None:
        self.words.setText("" if row is None else accuracy_words(row.value, locale_style()))
        self.button.setEnabled(row is not None)

    def _opened(self, row: CellRow) -> None:
        self.points_requested.emit(row.value)

    def _asked(self) -> None:
        row = self.view.current
        if row is not None:
            accuracy: Accuracy = row.value
            self.points_requested.emit(accuracy)

    # ------------------------------------------------------------------ layout

    def _lay_out(self) -> None:
        self.words.setWordWrap(True)
        self.words.setFont(scaled_font(self.font(), 1.1))
        says = QHBoxLayout()
        says.setContentsMargins(8, 4, 8, 8)
        says.setSpacing(16)
        says.addWidget(self.words, 1)
        says.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        below = QHBoxLayout()
        below.setSpacing(20)
        below.addLayout(self._naive_column(), 1)
        below.addLayout(self._unchecked_column(), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        column.addWidget(self.view)
        column.addLayout(says)
        column.addLayout(below, 1)
        self.setTabOrder(self.view, self.button)

    def _naive_column(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.addWidget(self._heading(tr("Naive curves for comparison")))
        column.addWidget(self.naive, 1)
        note = QLabel(NAIVE_NOTE, self)
        note.setWordWrap(True)
        note.setProperty("role", "muted")
        column.addWidget(note)
        return column

    def _unchecked_column(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.addWidget(self._heading(tr("Too few figures to hold any out")))
        content = QWidget(self)
        self._unchecked.setColumnStretch(1, 1)
        self._unchecked.setHorizontalSpacing(16)
        self._unchecked.setVerticalSpacing(8)
        inner = QVBoxLayout(content)
        inner.setContentsMargins(0, 4, 4, 0)
        inner.addLayout(self._unchecked)
        inner.addStretch()
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(content)
        area.setProperty("role", "reading")
        area.setAccessibleName(tr("Families without a held-out check"))
        content.setAutoFillBackground(False)
        area.viewport().setAutoFillBackground(False)
        column.addWidget(area, 1)
        return column

    def _heading(self, text: str) -> QLabel:
        label = QLabel(text, self)
        label.setProperty("role", "heading")
        label.setFont(scaled_font(self.font(), 1.0, QFont.Weight.DemiBold))
        return label

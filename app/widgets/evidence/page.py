"""The page: one sentence that can be read out, and below it table, chart and evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QShowEvent
from PySide6.QtWidgets import (
    QLabel,
    QPushButton,
    QTabWidget,
    QWidget,
)

from app.language import local, tr
from app.session import Session
from app.widgets.evidence.accuracy_tab import AccuracyTab
from app.widgets.evidence.points_tab import PointsTab
from app.widgets.evidence.run import AccuracyRun
from app.widgets.evidence.words import (
    CALCULATING,
    CALCULATING_MORE,
)
from app.widgets.labels import Empty
from app.widgets.late import Late
from app.widgets.marks import scaled_font
from app.widgets.parts import ProgressLine, in_column, in_row, styled
from app.work import Worker
from models.evidence.rows import EvidenceRow, by_id
from models.fitting.validation import Accuracy
from models.tell.accuracy import below_headline, headline

if TYPE_CHECKING:
    from app.widgets.evidence.opinion_tab import OpinionTab
    from app.widgets.evidence.rows_tab import RowsTab


class EvidencePage(QWidget):
    """How right the model is; starts the calculation when it is first shown.

    With the scenario in view, of a session, a tab holds a network of queues against it.
    """

    def __init__(
        self,
        run: AccuracyRun,
        rows: Sequence[EvidenceRow],
        parent: QWidget | None = None,
        scenario: tuple[Session, Worker] | None = None,
    ) -> None:
        super().__init__(parent)
        self._run = run
        self._evidence, self._scenario = rows, scenario
        self.headline = QLabel(self)
        self.below = styled(QLabel(self), "muted")
        self.progress = ProgressLine(self)
        self.again = QPushButton(tr("Try again"), self)
        self.tabs = QTabWidget(self)
        self.tabs.setAccessibleName(tr("Evidence"))
        self.accuracy = AccuracyTab(self)
        self.points = PointsTab(by_id(rows), self)
        self.all_rows = Late(self._rows_tab, self)
        self.opinion = None if scenario is None else Late(self._opinion_tab, self)
        self.waiting = Empty("circle-dashed", CALCULATING, self)
        self._lay_out()
        self._connect()
        self._show_state()

    def _connect(self) -> None:
        self._run.changed.connect(self._show_state)
        self._run.progressed.connect(self.progress.show_share)
        self.again.clicked.connect(self._run.start)
        self.accuracy.points_requested.connect(self._show_points)
        self.points.card.all_requested.connect(self.open_row)

    @property
    def rows(self) -> RowsTab:
        """All evidence."""
        return self.all_rows.widget

    def _rows_tab(self, parent: QWidget) -> RowsTab:
        from app.widgets.evidence.rows_tab import RowsTab

        return RowsTab(self._evidence, parent)

    def _opinion_tab(self, parent: QWidget) -> OpinionTab:
        from app.widgets.evidence.opinion_tab import OpinionTab

        assert self._scenario is not None  # there is no such tab without
        return OpinionTab(*self._scenario, parent)

    def open_row(self, id: str) -> None:
        """Shows a row of evidence among all others."""
        if self.rows.show_id(id):
            self.tabs.setCurrentWidget(self.all_rows)
            self.rows.view.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._run.start()

    def _show_points(self, accuracy: Accuracy) -> None:
        self.points.show_split(accuracy)
        self.tabs.setCurrentWidget(self.points)

    # ------------------------------------------------------------------ calculating

    def _show_state(self) -> None:
        run = self._run
        self.progress.setVisible(run.is_running)
        self.again.setVisible(bool(run.problem))
        if run.result is not None:
            self._show_result()
        elif run.problem:
            self._say(tr("The accuracy could not be calculated."), f"{run.problem}.")
        else:
            self._say(CALCULATING, CALCULATING_MORE)
        self._turn(is_done=run.result is not None)

    def _show_result(self) -> None:
        held = self._run.result
        if held is not None:
            below = below_headline(held.validation, len(held.doubted))
            self._say(local(headline(held.validation)), local(below))
            self.accuracy.show_validation(held.validation)
            self.points.show_held(held)

    def _turn(self, *, is_done: bool) -> None:
        """The accuracy takes the place of the waiting sign."""
        self.waiting.say(self.headline.text())
        wanted: QWidget = self.accuracy if is_done else self.waiting
        if self.tabs.widget(0) is wanted:
            return
        is_current = self.tabs.currentIndex() == 0
        self.tabs.removeTab(0)
        self.tabs.insertTab(0, wanted, tr("Accuracy"))
        if is_current:
            self.tabs.setCurrentIndex(0)

    def _say(self, sentence: str, more: str) -> None:
        self.headline.setText(sentence)
        self.below.setText(more)

    # ------------------------------------------------------------------ layout

    def _lay_out(self) -> None:
        self.setAccessibleName(tr("Evidence"))
        self.headline.setFont(scaled_font(self.font(), 1.35, QFont.Weight.DemiBold))
        self.headline.setWordWrap(True)
        self.headline.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.below.setWordWrap(True)
        self.tabs.addTab(self.waiting, tr("Accuracy"))
        self.tabs.addTab(self.points, tr("Measured and predicted"))
        self.tabs.addTab(self.all_rows, tr("All evidence"))
        if self.opinion is not None:
            self.tabs.addTab(self.opinion, tr("Second opinion"))
        self.accuracy.hide()
        head = in_row().put((self.headline, 1), (self.again, 0, Qt.AlignmentFlag.AlignTop))
        in_column(self, gap=6, around=(14, 12, 14, 12)).put(
            head, self.below, self.progress, (self.tabs, 1)
        )

"""Admission control of a cluster with its arithmetic; beside it the check by demand."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.background import StudyPanel
from app.language import local, tr
from app.qtmodels.admission import (
    ANOTHER,
    BY_DEMAND,
    BY_RESERVATION,
    COLUMNS,
    demand_lines,
    step_rows,
    verdict_of,
    worst_failure,
)
from app.qtmodels.cells import CellTable
from app.selection import Selection
from app.session import Session, View
from app.widgets.fields import Choice, ChoiceField
from app.widgets.inspector.page import FieldPage
from app.widgets.inspector.tables import SECTIONS
from app.widgets.labels import Empty, OneLine, tint
from app.widgets.marks import verdict_ink
from app.widgets.plain_table import make_plain
from app.wording import locale_style
from app.work import Context, Worker
from models.calibration import Calibration
from models.catalog import Catalog
from models.citation import in_short
from models.failure.admission_words import POLICIES, admission_text
from models.failure.reservations import AdmissionCheck
from models.lettering import set_apart
from models.resilience.availability_study import AvailabilityStudy, study_availability
from models.scenario import Cluster, Scenario
from models.texts import joined, opening

NO_CLUSTER = tr("No cluster with hosts, no admission control.")
CALCULATING = tr("calculating …")
FIELDS_PX = 250
MOST_BESIDE = 0.3
"""Share of the table's width that a column beside the arithmetic takes at most."""


def studied(
    scenario: Scenario, catalog: Catalog, calibration: Calibration, context: Context
) -> AvailabilityStudy:
    """Admission control as the scenario stands, in a thread of the pool."""
    context.check()
    return study_availability(scenario, catalog, calibration)


class StepTable(QTableView):
    """Steps with all of their words: it is as high as it has to be, and who holds it scrolls."""

    def fit(self) -> None:
        width = self.viewport().width()
        most = round(width * MOST_BESIDE)
        what, result = (min(self.sizeHintForColumn(column), most) for column in (0, 2))
        for column, px in enumerate((what, width - what - result, result)):
            self.setColumnWidth(column, px)
        self.resizeRowsToContents()
        high = sum(self.rowHeight(row) for row in range(self.model().rowCount()))
        self.setFixedHeight(high + 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()


class AdmissionPanel(StudyPanel):
    """Policy, arithmetic and verdict of one cluster: the selected one, or the one chosen here."""

    def __init__(
        self,
        session: Session,
        selection: Selection,
        worker: Worker | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(session, worker, studied, parent)
        self._selection = selection
        self._cluster = ""
        self.chooser = ChoiceField(empty=tr("no cluster"), parent=self)
        self.chooser.setAccessibleName(tr("Cluster"))
        self.chooser.committed.connect(self._choose)
        self.fields = FieldPage(SECTIONS[Cluster], session, self)
        self.verdict = _words(self, is_strong=True)
        self.notes = _words(self)
        self.model = CellTable(COLUMNS, self)
        self.view = StepTable(self)
        self.demand_verdict = _words(self, is_strong=True)
        self.demand = _words(self)
        self._empty = Empty("layers", NO_CLUSTER, self)
        self._body = QWidget(self)
        self._set_up_view()
        self._lay_out()
        selection.changed.connect(self._selected)

    @property
    def cluster(self) -> str:
        """Id of the cluster that is shown; empty for none."""
        return self._cluster

    def show_view(self, view: View) -> None:
        if view.lost:
            view = self._session.stored_view
        scenario = view.scenario
        used = {host.cluster for host in scenario.hosts}
        clusters = [each for each in scenario.clusters if each.id in used]
        ids = [each.id for each in clusters]
        if self._cluster not in ids:
            self._cluster = ids[0] if ids else ""
        self._empty.setVisible(not clusters)
        self._body.setVisible(bool(clusters))
        if not clusters:
            return
        self.chooser.offer(tuple(Choice(each.id, each.name) for each in clusters))
        self.chooser.show_value(self._cluster)
        self.chooser.setVisible(len(clusters) > 1)
        self.fields.show_items((scenario.cluster(self._cluster),), scenario)
        self._show_check(view)
        self._show_demand(view)

    def showEvent(self, event: QShowEvent) -> None:
        self._follow_selection()
        super().showEvent(event)

    def _check(self) -> AdmissionCheck | None:
        study: AvailabilityStudy | None = self._background.value
        found = study.admission if study is not None else ()
        return next((each for each in found if each.cluster == self._cluster), None)

    def _show_check(self, view: View) -> None:
        check = None if view.is_preview else self._check()
        if check is None:
            problem = self._background.problem
            self.verdict.setText(problem or CALCULATING)
            tint(self.verdict, "muted")
            return
        names = {item.id: set_apart(item.name) for item in view.scenario.items()}
        self.verdict.setText(local(admission_text(check, names, locale_style())))
        tint(self.verdict, verdict_ink(verdict_of(check)))
        policy = f"{check.release}; {local(POLICIES[check.policy])}"
        source = tr("Source: {source}.", source=in_short(check.source))
        if check.check is None:
            first = [
                *(local(joined("", (opening(note), "."))) for note in check.notes),
                f"{policy}.",
            ]
        else:
            first = [f"{policy}.", *map(local, check.notes)]
        self.notes.setText("\n".join([*first, ANOTHER, source]))
        self.model.set_rows(step_rows(check.check.steps) if check.check is not None else [])
        self.view.setVisible(bool(self.model.rows))
        self.view.fit()

    def _show_demand(self, view: View) -> None:
        mode = worst_failure(view.scenario, view.prediction, self._cluster)
        first, *others = demand_lines(view.scenario, view.prediction, mode, locale_style())
        self.demand_verdict.setText(first)
        shown = mode.shown if mode else None
        tint(self.demand_verdict, verdict_ink(shown.verdict if shown else None))
        self.demand.setText(" · ".join(others))

    def _choose(self, id: str) -> None:
        self._cluster = id
        self._refresh()

    def _selected(self) -> None:
        self._follow_selection()
        self._refresh()

    def _follow_selection(self) -> None:
        """The cluster of what is selected comes into view."""
        scenario, current = self._session.scenario, self._selection.current
        for host in scenario.hosts:
            if host.cluster and current in (host.id, host.cluster):
                self._cluster = host.cluster
                return

    def _set_up_view(self) -> None:
        view = self.view
        view.setModel(self.model)
        make_plain(view, tr("Arithmetic of admission control"), lines=1.5)
        view.setWordWrap(True)
        view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.horizontalHeader().setMinimumSectionSize(0)
        view.horizontalHeader().hide()

    def _lay_out(self) -> None:
        left = _column(self.chooser, self.fields)
        left.addStretch()
        heads = QHBoxLayout()
        heads.setSpacing(14)
        for side in (
            _column(_heading(BY_RESERVATION, self), self.verdict),
            _column(_heading(BY_DEMAND, self), self.demand_verdict, self.demand),
        ):
            side.addStretch()
            heads.addLayout(side, 1)
        right = QVBoxLayout()
        right.setSpacing(4)
        right.addLayout(heads)
        right.addWidget(self.view)
        right.addWidget(self.notes)
        right.addStretch()
        row = QHBoxLayout(self._body)
        row.setContentsMargins(8, 4, 8, 4)
        row.setSpacing(10)
        fields = _scrolled(left)
        fields.setFixedWidth(FIELDS_PX)
        row.addWidget(fields)
        row.addWidget(_scrolled(right), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._body, 1)
        column.addWidget(self._empty, 1)


def _column(*widgets: QWidget) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2)
    for widget in widgets:
        column.addWidget(widget)
    return column


def _scrolled(layout: QVBoxLayout) -> QScrollArea:
    content = QWidget()
    layout.setContentsMargins(2, 0, 8, 0)
    content.setLayout(layout)
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setWidget(content)
    content.setAutoFillBackground(False)
    scroll.viewport().setAutoFillBackground(False)
    return scroll


def _heading(text: str, parent: QWidget) -> OneLine:
    label = OneLine(text, parent)
    label.setProperty("role", "heading")
    return label


def _words(parent: QWidget, *, is_strong: bool = False) -> QLabel:
    """Takes as many lines as it needs, and no width of its own."""
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    if is_strong:
        font = QFont(label.font())
        font.setWeight(QFont.Weight.DemiBold)
        label.setFont(font)
    else:
        label.setProperty("role", "muted")
    return label

"""Admission control of a cluster with its arithmetic; beside it the check by demand."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.language import tr
from app.selection import Selection
from app.session import Session, View
from app.widgets.fields.choice import Choice, ChoiceField
from app.widgets.inspector.page import FieldPage
from app.widgets.inspector.tables import SECTIONS
from app.widgets.parts import STRETCH, Scroller, in_column
from app.widgets.sections.view import SectionsPanel
from app.work import Context, Worker
from models.evidence.knowledge import Knowledge
from models.resilience.availability_study import AvailabilityStudy, study_availability
from models.scenario.scenario import Cluster, Scenario
from models.tell.availability import admission_sections, demand_section
from models.tell.blocks import Section

NO_CLUSTER = tr("No cluster with hosts, no admission control.")
FIELDS_PX = 250


def studied(scenario: Scenario, knowledge: Knowledge, context: Context) -> AvailabilityStudy:
    """Admission control as the scenario stands, in a thread of the pool."""
    context.check()
    return study_availability(scenario, knowledge)


class AdmissionPanel(SectionsPanel):
    """Policy, arithmetic and verdict of one cluster: the selected one, or the one chosen here."""

    def __init__(
        self,
        session: Session,
        selection: Selection,
        worker: Worker | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(
            session,
            worker,
            studied,
            name=tr("Admission control"),
            icon="layers",
            nothing=NO_CLUSTER,
            parent=parent,
        )
        self._clusters = selection
        self.cluster = ""
        """Id of the cluster that is shown; empty for none."""
        self.chooser = ChoiceField(empty=tr("no cluster"), parent=self)
        self.chooser.setAccessibleName(tr("Cluster"))
        self.chooser.committed.connect(self._choose_cluster)
        self.fields = FieldPage(SECTIONS[Cluster], session, self)
        content = QWidget()
        in_column(content, gap=2, around=(8, 4, 8, 4)).put(self.chooser, self.fields, STRETCH)
        self._side = Scroller()
        self._side.hold(content)
        self._side.setFixedWidth(FIELDS_PX)
        self.row.insertWidget(0, self._side)
        selection.changed.connect(self._selected)

    def tell(self, value: AvailabilityStudy, view: View) -> Sequence[Section]:
        checks = [each for each in value.admission if each.cluster == self.cluster]
        if not checks:
            return ()
        demand = demand_section(view.scenario, view.prediction, self.cluster)
        return (*admission_sections(checks, view.scenario), demand)

    def show_view(self, view: View) -> None:
        scenario = self._session.studied if view.lost else view.scenario
        used = {host.cluster for host in scenario.hosts}
        clusters = [each for each in scenario.clusters if each.id in used]
        ids = [each.id for each in clusters]
        if self.cluster not in ids:
            self.cluster = ids[0] if ids else ""
        self._side.setVisible(bool(clusters))
        if clusters:
            self.chooser.offer(tuple(Choice(each.id, each.name) for each in clusters))
            self.chooser.show_value(self.cluster)
            self.chooser.setVisible(len(clusters) > 1)
            self.fields.show_items((scenario.cluster(self.cluster),), scenario)
        super().show_view(view)

    def showEvent(self, event: QShowEvent) -> None:
        self._follow_selection()
        super().showEvent(event)

    def _choose_cluster(self, id: str) -> None:
        self.cluster = id
        self._refresh()

    def _selected(self) -> None:
        self._follow_selection()
        self._refresh()

    def _follow_selection(self) -> None:
        """The cluster of what is selected comes into view."""
        current = self._clusters.current
        for host in self._session.scenario.hosts:
            if host.cluster and current in (host.id, host.cluster):
                self.cluster = host.cluster
                return

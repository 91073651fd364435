"""Response time against users."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QToolButton, QWidget

from app.background import Background
from app.language import local, tr
from app.opinion import asked
from app.selection import Selection
from app.session import Session, View
from app.widgets.chart_data import CurveView, Standing, curve_grid, reaches
from app.widgets.chart_pages.page import ChartPage, log_button
from app.widgets.labels import Empty, OneLine
from app.widgets.parts import styled, switch
from app.wording import tip_text
from app.work import Worker, pause
from models.base.lettering import set_apart
from models.base.quantities import Basis, FloatArray
from models.catalog.catalog import Catalog
from models.evidence.calibration import Calibration
from models.judgement.gauges import worst
from models.predict.predicted import NumberRef
from models.predict.prediction import Prediction
from models.scenario.scenario import Scenario, Vm
from models.studies.curves import ResponseCurve, response_curve

if TYPE_CHECKING:
    from app.widgets.plots.response import ResponseChart

HAND_MS = 40
"""Pause between two lines while something is being dragged: a line costs more than a frame."""

WITHIN, BEYOND = ("line", tr("within data")), ("dashed", tr("beyond data"))
MEASURED, DOUBTED = ("dot", tr("measured")), ("cross", tr("doubted"))
RANGE = ("band", tr("90 % range"))


class CurvePage(ChartPage):
    """Response time against users for the selected VM, or for the one that decides.

    Signals:
        asked: the response time of that VM, as `NumberRef`: the chart was double-clicked.
    """

    asked = Signal(object)
    chart: ResponseChart | None = None

    def __init__(
        self,
        session: Session,
        selection: Selection | None,
        worker: Worker,
        parent: QWidget | None = None,
    ) -> None:
        empty = Empty("users", tr("Add a VM with users to see its response time."))
        super().__init__((WITHIN, BEYOND, RANGE), empty, parent)
        self._session = session
        self._selection = selection
        self._ground: tuple[str, Scenario, Catalog, Calibration] | None = None
        self._line: ResponseCurve | None = None
        self._later = pause(self, 0, self.refresh)
        self.log_button = log_button(self)
        self.buttons.addWidget(self.log_button)
        self.opinion = styled(OneLine("", self), "muted")
        self.opinion.hide()
        self.opinion_button = _opinion_button(self)
        self.buttons.insertWidget(0, self.opinion_button)
        self.under_head.addWidget(self.opinion)
        self._background = Background(session, worker, asked, self)
        self._background.changed.connect(self._show_opinion)
        self.opinion_button.toggled.connect(self._want_opinion)
        session.view_changed.connect(self._view_changed)
        session.moved.connect(self._put_off)
        if selection is not None:
            selection.changed.connect(self._selected)

    @property
    def is_settled(self) -> bool:
        """The line belongs to the view that is shown."""
        return not self._later.isActive()

    def load(self) -> None:
        from app.widgets.plots.response import ResponseChart

        self.chart = self._put(ResponseChart(self))
        self.chart.double_clicked.connect(self._ask)
        self.log_button.toggled.connect(self.chart.set_log)
        self.refresh()

    def refresh(self) -> None:
        """Computes the line for the view as it is and shows it."""
        self._later.stop()
        if self.chart is None:
            return
        view = self._session.view
        vm = subject_vm(view.scenario, view.prediction, self._selection)
        if vm is None:
            self.show_empty(tr("Add a VM with users to see its response time."))
            return
        curve = self._curve_view(view, vm)
        if not curve.has_data:
            self.show_empty(_why_empty(view, vm))
            return
        self.chart.show_curve(curve)
        self.legend.set_entries(curve_legend(curve))
        self._show_opinion()
        words = self.chart.accessibleDescription()
        self.show_chart(f"{set_apart(vm.name)}: {words}")

    def _ask(self) -> None:
        view = self._session.view
        vm = subject_vm(view.scenario, view.prediction, self._selection)
        if vm is not None:
            self.asked.emit(NumberRef("vms", vm.id, "response_ms"))

    def _curve_view(self, view: View, vm: Vm) -> CurveView:
        curve = self._curve(view.scenario, vm)
        before = _standing(self._session.scenario, view.committed, vm.id)
        return CurveView(
            curve=curve,
            title=set_apart(vm.name),
            limit_ms=view.scenario.policy.response_limit_ms,
            now=_standing(view.scenario, view.prediction, vm.id),
            before=before if view.is_preview else None,
        )

    def _curve(self, scenario: Scenario, vm: Vm) -> ResponseCurve:
        """The line up to past its knee; where the knee is is only known once it is computed.

        More users on the VM are another place on the same line, not another line.
        """
        session = self._session
        users = vm.workload.active_users
        ground = (vm.id, _without_users(scenario, vm), session.catalog, session.calibration)
        if ground != self._ground:
            self._ground, self._line = ground, None
        if self._line is None or not reaches(self._line, users):
            known = self._line or self._computed(scenario, vm, curve_grid(users, None))
            if known is self._line or not reaches(known, users):
                wanted = curve_grid(users, known.knee_users, known.crossing.users)
                known = self._computed(scenario, vm, wanted)
            self._line = known
        return self._line

    def _computed(self, scenario: Scenario, vm: Vm, grid: FloatArray) -> ResponseCurve:
        session = self._session
        return response_curve(scenario, session.knowledge, vm.id, grid)

    def _view_changed(self, view: View) -> None:
        if self.chart is None or not self.isVisible():
            return
        is_held = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton
        if not (view.is_dragged or is_held):
            self._later.start(0)
        elif not self._later.isActive():
            self.summarise(tr("calculating …"))
            self._later.start(HAND_MS)

    def _put_off(self) -> None:
        """Frames of a moving hand come first: the line is drawn when it rests."""
        if self._later.isActive():
            self._later.start(HAND_MS)

    def _selected(self) -> None:
        if self.chart is not None and self.isVisible():
            self._later.start(0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
        self._want_opinion(self.opinion_button.isChecked())

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._background.want(False)

    def _want_opinion(self, is_wanted: bool) -> None:
        self._background.want(is_wanted)
        self._show_opinion()

    def _show_opinion(self) -> None:
        """What a network of queues says of the VM whose line is drawn, beside it."""
        self.opinion.setVisible(self.has_chart and self.opinion_button.isChecked())
        if not self.opinion_button.isChecked():
            return
        view = self._session.view
        vm = subject_vm(view.scenario, view.prediction, self._selection)
        opinion = self._background.value
        server = opinion.of(vm.id) if opinion is not None and vm is not None else None
        if server is not None:
            from models.second_opinion.words import in_short, reason

            self.opinion.setText(local(in_short(server)))
            self.opinion.setToolTip(tip_text(local(reason(server))))
        else:
            is_waiting = opinion is None and not self._background.problem
            none = tr("network of queues: none")
            self.opinion.setText(tr("network of queues: calculating …") if is_waiting else none)
            self.opinion.setToolTip("")

    def _furnish(self, has_chart: bool) -> None:
        super()._furnish(has_chart)
        self.log_button.setVisible(has_chart)
        self.opinion_button.setVisible(has_chart)
        self.opinion.setVisible(has_chart and self.opinion_button.isChecked())


def _why_empty(view: View, vm: Vm) -> str:
    """Why there is no line."""
    if why := view.prediction.why_no_response(vm.id):
        return f"{local(why)}."
    if vm.host is None:
        reason = tr("it stands on no host")
    else:
        reason = tr("no document holds any for it")
    return tr("No response times of {vm}: {reason}.", vm=vm.name, reason=reason)


def _opinion_button(parent: QWidget) -> QToolButton:
    """Sets what a network of queues says beside the line."""
    tip = tr("Second opinion: the scenario solved as a network of queues")
    return switch(parent, tr("2nd opinion"), tip=tip, name=tr("Second opinion"))


def curve_legend(curve: CurveView) -> tuple[tuple[str, str], ...]:
    """What is drawn, that alone; what it can't be read without stands first."""
    covered = curve.is_covered
    doubts = {point.doubted for point in curve.points}
    signs = {
        WITHIN: bool(covered.any()),
        BEYOND: not covered.all(),
        MEASURED: False in doubts,
        RANGE: True,
        DOUBTED: True in doubts,
    }
    return tuple(sign for sign, is_drawn in signs.items() if is_drawn)


def subject_vm(
    scenario: Scenario, prediction: Prediction, selection: Selection | None
) -> Vm | None:
    """The VM whose line is shown: the selected one, else the one that decides, else the slowest.

    A VM whose response nobody can predict is shown only when it is selected.
    """
    by_id = {vm.id: vm for vm in scenario.vms}
    chosen = selection.current if selection is not None else None
    if chosen in by_id:
        return by_id[chosen]
    binding = prediction.binding
    if binding is not None and binding.subject in by_id and binding.resource == "response_ms":
        return by_id[binding.subject]
    limit_ms = scenario.policy.response_limit_ms
    slowest = worst(prediction.vms.ids, prediction.vms.response_ms, limit_ms)
    if slowest is not None and slowest.subject in by_id:
        return by_id[slowest.subject]
    return next((vm for vm in scenario.vms if vm.workload.active_users > 0), None)


def _without_users(scenario: Scenario, vm: Vm) -> Scenario:
    """What a line rests on: everything but the number of users it runs over, and who gave it."""
    work = replace(vm.workload, active_users=0.0)
    return scenario.with_item(replace(vm, workload=work, origins=()))


def _standing(scenario: Scenario, prediction: Prediction, id: str) -> Standing | None:
    """None as well where one of the two is a step ahead of the other."""
    if id not in prediction.vms.ids or all(vm.id != id for vm in scenario.vms):
        return None
    response = prediction.vms.quantity(id, "response_ms")
    if response.basis is Basis.NO_DATA:
        return None
    return Standing(scenario.vm(id).workload.active_users, response)

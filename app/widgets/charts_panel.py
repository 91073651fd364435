"""The charts below the board: response against users, load by host, failures."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QStackedLayout,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.icons import icon
from app.selection import Selection
from app.session import Session, View
from app.theme import LIGHT, Theme
from app.widgets.chart_data import CurveView, Standing, curve_grid, host_loads, reaches
from app.widgets.failures import FailureTable
from app.widgets.labels import Empty, OneLine
from app.widgets.legend import Legend
from models.calibration import Calibration
from models.catalog import Catalog
from models.curves import ResponseCurve, response_curve
from models.gauges import gauges
from models.prediction import Prediction
from models.quantities import Basis, FloatArray
from models.scenario import Scenario, Vm

if TYPE_CHECKING:
    from app.widgets.plots import Chart, LoadBars, ResponseChart

HAND_MS = 40
"""Pause between two lines while something is in the hand: a line costs more than a frame."""

CURVE_LEGEND = (
    ("dashed", "beyond data"),
    ("band", "90 % range"),
    ("dot", "measured"),
    ("cross", "doubted"),
    ("line", "within data"),
)
"""The first ones are what a chart can't be read without: they stay where there is little room."""
LOAD_LEGEND = (
    ("full", "CPU"),
    ("hatched", "RAM"),
    ("outline", "if another host fails"),
    ("mark", "limit"),
)


class ChartPage(QWidget):
    """A chart under a line that reads it, with what to say where there is nothing to draw.

    `load` makes the chart when it is first shown: that brings pyqtgraph. The legend belongs to
    the page, but stands where there is room for it, beside the tabs.

    Signals:
        furnished: whether there is a chart (`has_chart`) may have changed.
    """

    furnished = Signal()

    def __init__(
        self, legend: tuple[tuple[str, str], ...], empty: Empty, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.legend = Legend(legend, self)
        self.reading = OneLine("", self)
        self.empty = empty
        self.copy_button = QToolButton(self)
        self.copy_button.setToolTip("Copy the chart as a picture")
        self.copy_button.setAccessibleName("Copy the chart as a picture")
        self.copy_button.clicked.connect(self.copy)
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(2)
        self.has_chart = False
        self._theme = LIGHT
        self._summary = ""
        self._place = QStackedLayout()
        self._place.addWidget(empty)
        self._lay_out()

    @property
    def chart(self) -> Chart | None:
        """The chart; None until the page was first shown."""
        raise NotImplementedError

    def load(self) -> None:
        """Makes the chart."""
        raise NotImplementedError

    def copy(self) -> None:
        """Puts a picture of the chart on the clipboard."""
        if self.chart is not None:
            QGuiApplication.clipboard().setPixmap(self.chart.picture())

    def show_empty(self, text: str) -> None:
        self.empty.say(text)
        self.summarise("")
        self._place.setCurrentWidget(self.empty)
        self._furnish(False)

    def show_chart(self, chart: QWidget, summary: str) -> None:
        self.summarise(summary)
        self._place.setCurrentWidget(chart)
        self._furnish(True)

    def summarise(self, text: str) -> None:
        self._summary = text
        self.reading.setText(text)

    def read(self, words: str) -> None:
        """What stands under the pointer; without it the summary."""
        self.reading.setText(words or self._summary)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.legend.set_theme(theme)
        self.empty.set_theme(theme)
        self.copy_button.setIcon(icon("copy", theme))
        if self.chart is not None:
            self.chart.set_theme(theme)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.chart is None:
            self.load()

    def _put(self, chart: Chart) -> None:
        self._place.addWidget(chart)
        chart.set_theme(self._theme)

    def _furnish(self, has_chart: bool) -> None:
        self.copy_button.setVisible(has_chart)
        self.has_chart = has_chart
        self.furnished.emit()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(10, 4, 6, 0)
        head.addWidget(self.reading, 1)
        head.addLayout(self.buttons)
        head.addWidget(self.copy_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(2)
        column.addLayout(head)
        column.addLayout(self._place, 1)


class CurvePage(ChartPage):
    """Response time against users for the selected VM, or for the one that decides."""

    def __init__(
        self, session: Session, selection: Selection | None, parent: QWidget | None = None
    ) -> None:
        self._chart: ResponseChart | None = None
        empty = Empty("users", "Add a VM with users to see its response time.")
        super().__init__(CURVE_LEGEND, empty, parent)
        self._session = session
        self._selection = selection
        self._ground: tuple[str, Scenario, Catalog, Calibration] | None = None
        self._line: ResponseCurve | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self.refresh)
        self.log_button = QToolButton(self)
        self.log_button.setText("log")
        self.log_button.setCheckable(True)
        self.log_button.setToolTip("Logarithmic scale of response time")
        self.log_button.setAccessibleName("Logarithmic scale")
        self.buttons.addWidget(self.log_button)
        session.view_changed.connect(self._view_changed)
        if selection is not None:
            selection.changed.connect(self._selected)

    @property
    def chart(self) -> ResponseChart | None:
        return self._chart

    @property
    def is_settled(self) -> bool:
        """The line belongs to the view that is shown."""
        return not self._later.isActive()

    def load(self) -> None:
        from app.widgets.plots import ResponseChart

        self._chart = ResponseChart(self)
        self._chart.read.connect(self.read)
        self.log_button.toggled.connect(self._chart.set_log)
        self._put(self._chart)
        self.refresh()

    def refresh(self) -> None:
        """Computes the line for the view as it is and shows it."""
        self._later.stop()
        if self._chart is None:
            return
        view = self._session.view
        vm = subject_vm(view.scenario, view.prediction, self._selection)
        if vm is None:
            self.show_empty("Add a VM with users to see its response time.")
            return
        curve = self._curve_view(view, vm)
        if not curve.has_data:
            reason = "it stands on no host" if vm.host is None else "no document holds any for it"
            self.show_empty(f"No response times of {vm.name}: {reason}.")
            return
        self._chart.show_curve(curve)
        words = self._chart.accessibleDescription()
        self.show_chart(self._chart, f"{vm.name}: {words}")

    def _curve_view(self, view: View, vm: Vm) -> CurveView:
        curve = self._curve(view.scenario, vm)
        before = _standing(self._session.scenario, view.committed, vm.id)
        return CurveView(
            curve=curve,
            title=vm.name,
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
        return response_curve(scenario, session.catalog, session.calibration, vm.id, grid)

    def _view_changed(self, view: View) -> None:
        if self._chart is None or not self.isVisible():
            return
        is_held = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton
        if not (view.is_preview or is_held):
            self._later.start(0)
        elif not self._later.isActive():
            self.summarise("calculating …")
            self._later.start(HAND_MS)

    def _selected(self) -> None:
        if self._chart is not None and self.isVisible():
            self._later.start(0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _furnish(self, has_chart: bool) -> None:
        super()._furnish(has_chart)
        self.log_button.setVisible(has_chart)


class LoadPage(ChartPage):
    """CPU and RAM of every host.

    Signals:
        picked: id of the host that was clicked.
    """

    picked = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        self._chart: LoadBars | None = None
        super().__init__(LOAD_LEGEND, Empty("server", "Add a host to see its load."), parent)
        self._session = session
        session.view_changed.connect(self._view_changed)

    @property
    def chart(self) -> LoadBars | None:
        return self._chart

    def load(self) -> None:
        from app.widgets.plots import LoadBars

        self._chart = LoadBars(self)
        self._chart.read.connect(self.read)
        self._chart.picked.connect(self.picked)
        self._put(self._chart)

    def refresh(self) -> None:
        view = self._session.view
        if self._chart is None:
            return
        loads = host_loads(view.scenario, view.prediction)
        if not loads:
            self.show_empty("Add a host to see its load.")
            return
        self._chart.show_loads(loads)
        word = "host" if len(loads) == 1 else "hosts"
        self.show_chart(self._chart, f"{len(loads)} {word}, per cent of cores and of memory")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _view_changed(self, _view: View) -> None:
        if self.isVisible():
            self.refresh()


class ChartsPanel(QTabWidget):
    """Response time, load by host and failures, as tabs; only the shown one is kept up to date."""

    def __init__(
        self,
        session: Session,
        selection: Selection | None = None,
        theme: Theme = LIGHT,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._selection = selection or Selection(self)
        self.curve = CurvePage(session, self._selection, self)
        self.load = LoadPage(session, self)
        self.failures = FailureTable(session, self._selection, theme, self)
        self.setDocumentMode(True)
        self.addTab(self.curve, "Response by users")
        self.addTab(self.load, "Load by host")
        self.addTab(self.failures, "Failures")
        self.load.picked.connect(self._selection.select)
        self._corner = QWidget(self)
        corner = QHBoxLayout(self._corner)
        corner.setContentsMargins(0, 0, 6, 0)
        for page in (self.curve, self.load):
            corner.addWidget(page.legend)
            page.furnished.connect(self._show_legend)
        self.setCornerWidget(self._corner)
        self.currentChanged.connect(self._show_legend)
        self.setAccessibleName("Charts")
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.curve.set_theme(theme)
        self.load.set_theme(theme)
        self.failures.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_legend()

    def _show_legend(self) -> None:
        """The legend of the chart on screen, as much of it as the tabs leave room for."""
        room = self.width() - self.tabBar().sizeHint().width() - 24
        for page in (self.curve, self.load):
            fits = page.legend.fit(room)
            page.legend.setVisible(page is self.currentWidget() and page.has_chart and fits)


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
    slowest = next((g for g in gauges(scenario, prediction) if g.field == "response_ms"), None)
    if slowest is not None and slowest.subject in by_id:
        return by_id[slowest.subject]
    return next((vm for vm in scenario.vms if vm.workload.active_users > 0), None)


def _without_users(scenario: Scenario, vm: Vm) -> Scenario:
    """What a line rests on: everything but the number of users it runs over."""
    work = replace(vm.workload, active_users=0.0)
    return scenario.with_item(replace(vm, workload=work))


def _standing(scenario: Scenario, prediction: Prediction, id: str) -> Standing | None:
    """None as well where one of the two is a step ahead of the other."""
    if id not in prediction.vms.ids or all(vm.id != id for vm in scenario.vms):
        return None
    response = prediction.vms.quantity(id, "response_ms")
    if response.basis is Basis.NO_DATA:
        return None
    return Standing(scenario.vm(id).workload.active_users, response)

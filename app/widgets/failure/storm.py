"""Storms: everybody reconnects, or the first day after a holiday."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.background import Background
from app.language import local, tr
from app.session import Session, View
from app.widgets.chart_pages.page import ChartPage
from app.widgets.fields.choice import Choice, ChoiceField
from app.widgets.fields.number import NumberField
from app.widgets.labels import AskLines, Empty
from app.widgets.parts import in_row, styled, switch, tool_button
from app.widgets.sections.view import CALCULATING, in_one_line
from app.work import Context, Worker
from models.base.limits import Limit
from models.base.texts import opening
from models.evidence.knowledge import Knowledge
from models.explain.storm_terms import RESPONSE, VCPUS, WAITING, Enough, storm_numbers
from models.resilience.storms import (
    StormKind,
    StormStudy,
    drain_times,
    storm_inputs,
    storms_asked,
    study_storm,
)
from models.scenario.inputs import with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import Scenario
from models.tell.storms import (
    input_facts,
    left_out,
    no_storm_text,
    spare_fact,
    storm_facts,
    storm_plots,
)

if TYPE_CHECKING:
    from app.widgets.plots.blocks import StormChart

KINDS = {kind: local(opening(kind.label)) for kind in StormKind}
LEGEND = (("line", tr("users waiting")), ("dashed", tr("not logged in")))
NOTHING = tr("Put a Domino server with users on a host to see what a storm does to it.")
WHERE_FROM = tr("Where these numbers come from")
WITHIN_MIN = 5.0
LINES_BELOW = 3


class StormPage(ChartPage):
    """Who waits in a storm and how long, worked out in the background.

    Signals:
        told: derivations of all its numbers; that of the one that is asked about comes first.
    """

    told = Signal(object)
    chart: StormChart | None = None

    def __init__(
        self, session: Session, worker: Worker | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(LEGEND, Empty("users", NOTHING), parent)
        self._session = session
        self._kind = StormKind.RECONNECT
        self._within_min = WITHIN_MIN
        worker = worker or Worker(parent=self)
        self._storm = Background(session, worker, Storming(self._kind), self)
        self._spare = Background(session, worker, Sparing(self._kind, WITHIN_MIN * 60.0), self)
        self.kind = ChoiceField(parent=self)
        self.kind.setAccessibleName(tr("Kind of storm"))
        self.kind.setToolTip(
            tr(
                "Everybody logs in again after the network was cut, "
                "or on the first day after a holiday"
            )
        )
        self.kind.offer(tuple(Choice(kind, words) for kind, words in KINDS.items()))
        self.kind.hold_whole()
        self.kind.show_value(self._kind)
        self.within = NumberField(limit=Limit(gt=0.0, le=600.0), step=1.0, unit="min", parent=self)
        self.within.setAccessibleName(tr("Time in which the storm shall be over, minutes"))
        self.within.setFixedWidth(self.fontMetrics().height() * 4)
        self.within.show_value(WITHIN_MIN)
        tip = tr(
            "States the inputs of this storm as yours, so that the proposal has its chart; "
            "without that they stay assumed and the proposal says so"
        )
        self.stated = switch(self, tr("In proposal"), tip=tip, role="switch")
        self.why_button = tool_button(self, "own-why", tip=WHERE_FROM)
        self.why_button.clicked.connect(self._tell_response)
        self.buttons.addWidget(self.why_button)
        self.below = styled(AskLines(LINES_BELOW, self), "muted")
        self._put_controls()
        self.stated.toggled.connect(self._state)
        self.kind.committed.connect(self._choose)
        self.within.committed.connect(self.within.show_value)
        self.within.committed.connect(self._ask_within)
        self.within.said.connect(self._say)
        self.below.asked.connect(self._tell_vcpus)
        self._storm.changed.connect(self.refresh)
        self._spare.changed.connect(self._say_below)
        session.view_changed.connect(self._view_changed)

    @property
    def study(self) -> StormStudy | None:
        """The storm over the stored scenario in view; None while it isn't known."""
        found: StormStudy | None = self._storm.value
        return found

    @property
    def is_settled(self) -> bool:
        """The storm of the scenario in view stands there, and what would help against it."""
        return self.study is not None and not self._spare.is_calculating

    def load(self) -> None:
        from app.widgets.plots.blocks import StormChart

        self.chart = self._put(StormChart(self))
        self.chart.users.double_clicked.connect(self._tell_waiting)
        self.chart.response.double_clicked.connect(self._tell_response)

    def refresh(self) -> None:
        """Shows the storm that is known; what is on screen of another one says so."""
        if self.chart is None or not self.isVisible():
            return
        study, scenario = self.study, self._session.scenario
        self._show_stated(scenario)
        if study is None:
            self._wait()
            return
        if study.worst is None:
            self.show_empty(local(no_storm_text(study)) if study.is_any else NOTHING)
            self.below.say(in_one_line(left_out(study, scenario)))
            return
        words = in_one_line(storm_facts(study, scenario))
        self.chart.show_plots(storm_plots(study, scenario), words)
        self.show_chart(words)
        self._spare.want(True)
        self._say_below()

    def _wait(self) -> None:
        """Says why there is no storm of this scenario yet; what is drawn is of another one."""
        words = self._storm.problem or CALCULATING
        if self.has_chart:
            self.summarise(words)
        else:
            self.show_empty(words)
            self.summarise(words)
        self._say_below()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
        self._storm.want(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._storm.want(False)
        self._spare.want(False)

    def _view_changed(self, _view: View) -> None:
        """What is drawn belongs to another scenario until the storm was worked out anew."""
        if self.isVisible():
            if self.study is None:
                self._spare.want(False)
            self.refresh()

    def _say_below(self) -> None:
        study = self.study
        if study is None:
            self.below.say("")
            return
        said = (left_out(study, self._session.scenario), self._spare_facts(), input_facts(study))
        self.below.say(in_one_line(fact for facts in said for fact in facts))

    def _spare_facts(self) -> tuple[tuple[str, str], ...]:
        spare: Enough | None = self._spare.value
        if self._spare.is_calculating or spare is None:
            words = CALCULATING if self._spare.is_calculating else self._spare.problem
            return (("", words),) if words else ()
        vm = self._session.scenario.vm(spare.vm)
        return (spare_fact(vm.name, spare.vcpus, vm.vcpus, spare.within_s),)

    def _tell_waiting(self) -> None:
        self._tell(WAITING)

    def _tell_response(self) -> None:
        self._tell(RESPONSE)

    def _tell_vcpus(self) -> None:
        self._tell(VCPUS)

    def _tell(self, field: str) -> None:
        """The number of this field, where it is known, and the others after it."""
        study = self.study
        if study is None:
            return
        enough: Enough | None = None if self._spare.is_calculating else self._spare.value
        found = storm_numbers(study, self._session.scenario, enough)
        at = next((n for n, each in enumerate(found) if each.asked.field == field), 0)
        if found:
            self.told.emit((*found[at:], *found[:at]))

    def _furnish(self, has_chart: bool) -> None:
        super()._furnish(has_chart)
        self.why_button.setVisible(has_chart)

    def _choose(self, kind: StormKind) -> None:
        self._kind = kind
        for widget in self._asking:
            widget.setVisible(kind is StormKind.RECONNECT)
        self._show_stated(self._session.scenario)
        self._spare.want(False)
        self._storm.study(Storming(kind))
        self._ask_spare()

    def _say(self, what: str, is_refused: bool) -> None:
        if is_refused:
            self._session.message.emit(tr("Not changed: {error}.", error=what))

    def _ask_within(self, minutes: float) -> None:
        self._within_min = minutes
        self._ask_spare()

    def _ask_spare(self) -> None:
        self._spare.study(Sparing(self._kind, self._within_min * 60.0))
        self._spare.want(self.study is not None and self.isVisible())

    def _show_stated(self, scenario: Scenario) -> None:
        """Whether the proposal will speak of this storm."""
        self.stated.blockSignals(True)
        self.stated.setChecked(self._kind in storms_asked(scenario))
        self.stated.blockSignals(False)

    def _state(self, is_stated: bool) -> None:
        """The inputs of the storm are somebody's own from now on, or assumed as they were."""
        origin = Origin.MANUAL if is_stated else Origin.DEFAULT
        paths = (f"assumptions.{name}" for name in storm_inputs(self._kind))
        session, storm = self._session, KINDS[self._kind]
        text = (
            tr("State the inputs of a storm: {storm}", storm=storm)
            if is_stated
            else tr("Leave the inputs of a storm open: {storm}", storm=storm)
        )
        session.edit(with_origin(session.scenario, origin, *paths), text)

    def _put_controls(self) -> None:
        """Below the chart: the line above it belongs to what the storm comes to."""
        label, unit = QLabel(tr("over within"), self), QLabel("min", self)
        label.setBuddy(self.within)
        self._asking = (label, self.within, unit)
        self.column.put(
            in_row(gap=6, around=(8, 0, 8, 2)).put(
                self.kind, label, self.within, unit, 6, (self.below, 1), self.stated
            )
        )


class Storming:
    """A storm of this kind over a scenario."""

    def __init__(self, kind: StormKind) -> None:
        self._kind = kind

    def __call__(self, scenario: Scenario, knowledge: Knowledge, context: Context) -> StormStudy:
        return study_storm(scenario, knowledge, self._kind, check=context.check)


class Sparing:
    """vCPUs that the server worst off would need; no number of them shortens a busy day."""

    def __init__(self, kind: StormKind, within_s: float) -> None:
        self._kind = kind
        self._within_s = within_s

    def __call__(self, scenario: Scenario, knowledge: Knowledge, context: Context) -> Enough | None:
        if self._kind is not StormKind.RECONNECT:
            return None
        given = (scenario, knowledge, self._kind)
        worst = study_storm(*given, check=context.check).worst
        if worst is None:
            return None
        found = drain_times(*given, vm=worst.vm, check=context.check)
        within_s = self._within_s
        return Enough(vm=worst.vm, vcpus=found.fewest(within_s), within_s=within_s)

"""Any input over a range against any number."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.language import local, tr
from app.selection import Selection
from app.session import Session, View
from app.widgets.chart_pages.page import ChartPage, log_button
from app.widgets.fields.choice import Choice, ChoiceField
from app.widgets.fields.number import NumberField
from app.widgets.labels import Empty
from app.widgets.legend import VERDICT_SIGNS
from app.widgets.parts import STRETCH, in_row
from app.widgets.whatif_view import WhatIfView
from app.wording import ahead_words, locale_style
from app.work import Context, OneTask, Worker, pause, raise_own, reason
from models.base.errors import ModelError
from models.base.quantities import FloatArray
from models.evidence.knowledge import Knowledge
from models.predict.predicted import NumberRef, brief_of
from models.scenario.scenario import Scenario
from models.scenario.wording import exact_text, with_unit
from models.studies.sweep import (
    ALL_CHAT,
    ALL_USERS,
    HOST_COUNT,
    Sweep,
    SweepInput,
    SweepOutput,
    read,
    sweep,
    sweep_inputs,
    sweep_outputs,
    value_range,
    varied,
)
from models.tell.outlook import cause_text

if TYPE_CHECKING:
    from app.widgets.plots.whatif import WhatIfChart

REST_MS = 120
SAME = 1e-9
"""Share of a range that is rounding."""

KEY_STEPS = 20
"""Presses of an arrow key from one end of the range to the other."""
APART_PX = 60
"""Margins of the line of controls, and what is between them."""

CALCULATING = tr("calculating …")
NOTHING = tr("Add hosts and VMs to see what happens when something is changed.")
HINT = tr("Drag the point to try")
RANGE = ("band", tr("90 % range"))
SIGNS = {verdict: (name, local(verdict.label)) for name, verdict in VERDICT_SIGNS.items()}
LEGEND = (*SIGNS.values(), RANGE)


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """One sweep, of so many years ahead; owns no Qt object."""

    scenario: Scenario
    knowledge: Knowledge
    input: SweepInput
    output: SweepOutput
    values: FloatArray
    years: float

    def __call__(self, context: Context) -> Found:
        what = self.input, self.output, self.values
        return Found(
            self, sweep(self.scenario, self.knowledge, *what, years=self.years, check=context.check)
        )


class Found(NamedTuple):
    """What came of a task."""

    task: Task
    sweep: Sweep


class WhatIfPage(ChartPage):
    """Chooses input, number and range; the handle on today's point drags the input.

    Signals:
        asked: the number that is looked at, as `NumberRef`: the chart was double-clicked.
    """

    asked = Signal(object)
    chart: WhatIfChart | None = None

    def __init__(
        self,
        session: Session,
        selection: Selection,
        worker: Worker,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(LEGEND, Empty("users", NOTHING), parent)
        self._session = session
        self._selection = selection
        self._work = OneTask(worker)
        self._inputs: dict[tuple[str, str], SweepInput] = {}
        self._outputs: dict[tuple[str, str, str], SweepOutput] = {}
        self._ranges: dict[tuple[str, str], tuple[float, float]] = {}
        self._shown: Found | None = None
        self._tried: tuple[float, Scenario] | None = None
        self._causes: tuple[str, ...] = ()
        self._moved: list[tuple[float, Scenario]] = []
        self._later = pause(self, REST_MS, self.refresh)
        self.input_field = self._choice(tr("Input that is varied"))
        self.output_field = self._choice(tr("Number that is looked at"))
        self.first_field, self.last_field = self._number(tr("From")), self._number(tr("To"))
        self.log_button = log_button(self)
        self.buttons.addWidget(self.log_button)
        self._range_box, self._is_below = QWidget(self), False
        self._row = in_row(gap=6)
        self._below = in_row(around=(10, 0, 6, 0)).put((STRETCH, 1))
        self._lay_out_controls()
        session.view_changed.connect(self._view_changed)
        selection.changed.connect(self._selected)

    @property
    def is_settled(self) -> bool:
        """What is shown belongs to the stored scenario."""
        return not self._later.isActive() and not self._work.is_running

    def load(self) -> None:
        from app.widgets.plots.whatif import WhatIfChart

        self.chart = self._put(WhatIfChart(self))
        self.chart.dragged.connect(self._drag)
        self.chart.dropped.connect(self._drop)
        self.chart.let_go.connect(self._session.clear_preview)
        self.chart.stepped.connect(self._step)
        self.chart.double_clicked.connect(self._ask)
        self.log_button.toggled.connect(self.chart.set_log)

    # ------------------------------------------------------------------ what is chosen

    def forget(self) -> None:
        """Another project is open: nothing was chosen for it, and no range."""
        self._ranges.clear()
        for field in (self.input_field, self.output_field):
            field.show_value(None)
        self._selected()

    @property
    def input(self) -> SweepInput | None:
        """What is varied, as it stands today."""
        return self._inputs.get(self.input_field.value)  # type: ignore[call-overload,no-any-return]

    @property
    def output(self) -> SweepOutput | None:
        return self._outputs.get(self.output_field.value)  # type: ignore[call-overload,no-any-return]

    def _offer(self) -> None:
        """Offers what there is; what was chosen stays chosen, else what the selection suggests."""
        scenario, selected = self._session.scenario, self._selection.ids
        found = sweep_inputs(scenario, selected, self._session.earlier)
        inputs = {each.key: each for each in found}
        outputs = {each.key: each for each in sweep_outputs(scenario, selected)}
        was = set(self._inputs) == set(inputs)
        self._inputs, self._outputs = inputs, outputs
        self.input_field.offer([Choice(key, local(each.label)) for key, each in inputs.items()])
        self.output_field.offer([Choice(key, local(each.label)) for key, each in outputs.items()])
        is_of_all = self.input is not None and self.input.path in (ALL_USERS, ALL_CHAT)
        if self.input is None or (not was and is_of_all and selected):
            self.input_field.show_value(self._suggested_input())
        if self.output is None or (not was and self.output.table == "dials" and selected):
            self.output_field.show_value(self._suggested_output())
        self._make_room()

    def _suggested_input(self) -> tuple[str, str] | None:
        current = self._selection.current or ""
        wished = (
            (current, "workload.active_users"),
            (current, "spindles"),
            ("", ALL_USERS),
        )
        return next((key for key in wished if key in self._inputs), next(iter(self._inputs), None))

    def _suggested_output(self) -> tuple[str, str, str] | None:
        current = self._selection.current or ""
        wished = (
            ("vms", current, "response_ms"),
            ("hosts", current, "cpu_pct"),
            ("pools", current, "utilisation_pct"),
            ("dials", "", "response_ms"),
        )
        return next((key for key in wished if key in self._outputs), None)

    def _range(self, of: SweepInput) -> tuple[float, float]:
        """The range of an input: kept as long as today's value lies in it."""
        kept = self._ranges.get(of.key)
        slack = 0.0 if kept is None else SAME * (kept[1] - kept[0])
        if kept is None or not kept[0] - slack <= of.value <= kept[1] + slack:
            values = value_range(of)
            kept = (float(values[0]), float(values[-1]))
            self._ranges[of.key] = kept
        return kept

    # ------------------------------------------------------------------ the sweep

    def refresh(self) -> None:
        """Starts the sweep of what is chosen, for the stored scenario."""
        self._later.stop()
        self._work.cancel()
        if self.chart is None:
            return
        self._offer()
        of, output = self.input, self.output
        if of is None or output is None or not self._session.scenario.vms:
            self.show_empty(NOTHING)
            return
        first, last = self._range(of)
        self.first_field.show_value(first)
        self.last_field.show_value(last)
        session = self._session
        task = Task(
            session.scenario,
            session.knowledge,
            of,
            output,
            value_range(of, first=first, last=last),
            session.years,
        )
        if not self.has_chart:
            self.empty.say(CALCULATING)
        self.summarise(CALCULATING)
        self._work.start(task, self._done, self._failed)

    def summarise(self, text: str) -> None:
        super().summarise(text)
        if self.chart is not None:
            self.chart.say(text if text == CALCULATING else self.chart.turns)

    def _done(self, found: Found) -> None:
        if self._is_of_now(found.task):
            self._shown, self._moved, self._causes = found, [], _causes_in_words(found)
            self._show()

    def _is_of_now(self, task: Task) -> bool:
        """It varies the stored scenario in view, in its years, with the catalog as it is."""
        session = self._session
        is_same = task.scenario is session.scenario and task.knowledge.catalog is session.catalog
        return is_same and task.years == session.years

    def _failed(self, error: Exception) -> None:
        self.show_empty(tr("This could not be worked out: {error}", error=reason(error)))
        raise_own(error)

    def _show(self) -> None:
        """The sweep, with the point where it stands by now."""
        place = self._stands_at
        if self._shown is None or self.chart is None or place is None:
            return
        task, found = self._shown
        of = replace(task.input, value=place)
        try:
            view = self._session.studied_view
            now = read(view.scenario, view.prediction, task.output)
        except ModelError:
            self.show_empty(NOTHING)
            return
        if not np.isfinite(found.number).any():
            self.show_empty(tr("{number}: no data", number=local(task.output.label)))
            return
        self.chart.show_view(WhatIfView(found, of, task.output, place, now, self._causes))
        self.log_button.setVisible(task.output.unit == "ms")
        met = [sign for verdict, sign in SIGNS.items() if (found.verdict == verdict).any()]
        self.legend.set_entries((*met, RANGE))
        when = ahead_words(task.years)
        self.show_chart(
            tr("{when}, by today’s input: drag the point to try", when=when) if when else HINT
        )

    def _ask(self) -> None:
        if self.output is not None:
            self.asked.emit(NumberRef(*self.output.key))

    # ------------------------------------------------------------------ the hand

    def _drag(self, value: float) -> None:
        """While the handle is held the whole window shows what it would mean; where it can't be,
        what is."""
        after = self._after(value)
        if after is None:
            self._tried = None
            self._session.clear_preview()
        else:
            self._tried = (value, after)
            self._session.preview(after)

    def _tell(self, view: View) -> None:
        """The handle's number is that of the dials, which are of the value that it is held at."""
        if self._tried is None or self._shown is None or self.chart is None:
            return
        value, after = self._tried
        if view.today is after:
            self.chart.tell(value, read(view.scenario, view.prediction, self._shown.task.output))

    def _step(self, way: int) -> None:
        """By a key: the point moves a little from where it stands by now, and that is the edit."""
        place = self._stands_at
        if place is None or self._shown is None:
            return
        first, last = (float(self._shown.sweep.values[end]) for end in (0, -1))
        span, is_whole = last - first, self._shown.task.input.is_whole
        step = max(round(span / KEY_STEPS), 1) if is_whole else span / KEY_STEPS
        value = place + way * step
        value = next((end for end in (first, last) if abs(value - end) < SAME * span), value)
        value = min(max(value, first), last)
        if abs(value - place) > SAME * span:
            self._drop(value)

    def _drop(self, value: float) -> None:
        """Let go, it is one step; the point stands there before the line is worked out anew."""
        after = self._after(value)
        if after is None or self._shown is None:
            self._session.clear_preview()
            return
        of = self._shown.task.input
        unit = "" if of.unit == "users" else of.unit
        self._session.edit(
            after,
            tr(
                "Set {label} to {amount}",
                label=local(of.label).replace(": ", " "),
                amount=local(with_unit(exact_text(value, style=locale_style()), unit)),
            ),
        )
        self._moved.append((value, self._session.scenario))

    @property
    def _stands_at(self) -> float | None:
        """Where the point stands on the line; None where the line is of another design or catalog.

        The line stays as it is where its point alone moves.
        """
        session = self._session
        if self._shown is None or session.catalog is not self._shown.task.knowledge.catalog:
            return None
        task, scenario = self._shown.task, session.scenario
        if task.years != session.years:
            return None
        moved = (value for value, after in self._moved if after is scenario)
        return task.input.value if scenario is task.scenario else next(moved, None)

    def _after(self, value: float) -> Scenario | None:
        """The line's design at another value of its input."""
        if self._shown is None or self._stands_at is None:
            return None
        try:
            return varied(self._shown.task.scenario, self._shown.task.input, value)
        except ModelError as error:
            self._session.message.emit(tr("Not changed: {error}.", error=error.reason))
            return None

    # ------------------------------------------------------------------ events

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _view_changed(self, view: View) -> None:
        if self.chart is None or not self.isVisible():
            return
        if view.is_dragged:
            self._tell(view)
            return
        self._tried = None
        self._show()
        if self._shown is not None and self._is_of_now(self._shown.task):
            if self._work.is_running:
                self._later.start()  # what is under way is of a design that was undone
            return
        self.summarise(CALCULATING)
        self._later.start()

    def _selected(self) -> None:
        if self.chart is not None and self.isVisible():
            self._later.start()

    def _chosen_input(self, key: object) -> None:
        self.input_field.show_value(key)
        self.refresh()

    def _chosen_output(self, key: object) -> None:
        self.output_field.show_value(key)
        self.refresh()

    def _range_given(self, _value: object = None) -> None:
        """Another range; ends that can't be change nothing."""
        of = self.input
        first, last = self.first_field.value, self.last_field.value
        given = {self.first_field: first, self.last_field: last}
        if isinstance(sender := self.sender(), NumberField) and sender in given:
            given[sender] = _value if isinstance(_value, float) else given[sender]
        first, last = given[self.first_field], given[self.last_field]
        if of is None or first is None or last is None or not first < last:
            self._session.message.emit(tr("The range must rise from its first to its last value."))
            self.refresh()
            return
        self._ranges[of.key] = (min(first, of.value), max(last, of.value))
        self.refresh()

    # ------------------------------------------------------------------ layout

    def _choice(self, name: str) -> ChoiceField:
        field = ChoiceField(parent=self)
        field.setAccessibleName(name)
        field.setToolTip(name)
        field.setMinimumContentsLength(5)  # names without room end in an ellipsis
        return field

    def _number(self, name: str) -> NumberField:
        field = NumberField(parent=self)
        field.setAccessibleName(tr("{name}: end of the range", name=name))
        field.setFixedWidth(self.fontMetrics().averageCharWidth() * 11)
        field.committed.connect(self._range_given)
        field.said.connect(self._say)
        return field

    def _say(self, what: str, is_refused: bool) -> None:
        """Beside the range there is no room to say why an entry can't be."""
        if is_refused:
            self._session.message.emit(tr("Not changed: {error}.", error=what))

    def _lay_out_controls(self) -> None:
        self.input_field.committed.connect(self._chosen_input)
        self.output_field.committed.connect(self._chosen_output)
        in_row(self._range_box, gap=6).put(
            self.first_field, QLabel(tr("to"), self), self.last_field
        )
        against = QLabel(tr("against"), self)
        self._row.put(self.input_field, self._range_box, against, self.output_field)
        self.head.insertLayout(0, self._row, 1)
        self.column.insertLayout(1, self._below)
        self.reading.hide()  # the chart says it too: the names need the room

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def minimumSizeHint(self) -> QSize:
        """That with the range in a line of its own, where it goes when there is no more room."""
        least = super().minimumSizeHint()
        if not self._is_below:
            beside = self._range_box.minimumSizeHint().width() + self._row.spacing()
            least.setWidth(least.width() - beside)
        return least

    def _make_room(self) -> None:
        """The range stands in a line of its own where the names have no room beside it."""
        names = 0
        for field in (self.input_field, self.output_field):
            names += field.words_width
            self._row.setStretchFactor(field, field.words_width)
        others = self._range_box.sizeHint().width() + self.fontMetrics().horizontalAdvance(
            tr("against")
        )
        all_buttons = (self.log_button, self.copy_button, self.data_button)
        buttons = sum(b.sizeHint().width() for b in all_buttons if b.isVisibleTo(self))
        is_below = names + others + buttons + APART_PX > self.width()
        if is_below != self._is_below:
            self._is_below = is_below
            self._row.removeWidget(self._range_box)
            self._below.removeWidget(self._range_box)
            if is_below:
                self._below.insertWidget(0, self._range_box)
            else:
                self._row.insertWidget(1, self._range_box)

    def _furnish(self, has_chart: bool) -> None:
        super()._furnish(has_chart)
        self.log_button.setVisible(has_chart and self.log_button.isVisibleTo(self))
        for field in (self.first_field, self.last_field):
            field.setEnabled(has_chart)


def _causes_in_words(found: Found) -> tuple[str, ...]:
    """What decides at each point; empty where it fits."""
    task, line = found
    return tuple(
        local(cause_text(cause, _named(task, value), brief_of)) if cause else ""
        for cause, value in zip(line.causes, line.values.tolist(), strict=True)
    )


def _named(task: Task, value: float) -> Scenario:
    """A scenario with the names of all that may decide at a value: only hosts come and go."""
    is_other = task.input.path == HOST_COUNT
    return varied(task.scenario, task.input, value) if is_other else task.scenario

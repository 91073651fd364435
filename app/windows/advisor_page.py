"""The page of an advisor: what is asked, and the answer, which follows while it is entered."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.cli_advise import knowledge
from app.language import local, tr
from app.session import Session
from app.widgets.advisor_form import AdvisorForm
from app.widgets.fields.choice import Dropdown, TickBox
from app.widgets.labels import Empty, tint
from app.widgets.parts import in_column, in_row, styled, wrapped
from app.widgets.sections.view import CALCULATING, SectionsView
from app.widgets.users_asked import UsersAsked
from app.widgets.waterfall import DRAG_TIP, StepBar, Waterfall
from app.windows.dialogs import Dialogs
from app.work import Context, OneTask, Worker, pause, raise_own
from db.advice import (
    inputs_from,
    inputs_to_json,
    kept_inputs,
    read_inputs,
    table_to_csv,
    text_of_file,
)
from db.errors import StoreError, refused
from models.advise.advice import (
    Advice,
    AdviceNumber,
    CitedKnowledge,
    Found,
    Step,
    Topic,
    advise,
    found_in,
    with_step,
)
from models.base.errors import ModelError
from models.base.texts import Text, joined, opening, say
from models.evidence.citation import in_short
from models.scenario.scenario import Scenario
from models.tell.advice import advice_sections, value_of
from models.tell.blocks import Section, VerdictBox

if TYPE_CHECKING:
    from models.tell.put import Effect

PASTE_HEIGHT = 76
PAUSE_MS = 250
"""After the last key before it is worked out again."""

MOST_AT_ONCE, MOST_ROWS_AT_ONCE = 20_000, 25
"""Characters of a pasted text and rows of inputs that are worked out between two keys; more of them
in a thread."""


EXAMPLE = tr("Example, not your data")


def as_example(sections: Sequence[Section]) -> tuple[Section, ...]:
    """The sections of an answer to figures that are not this scenario's: its verdict says so."""
    first, *rest = sections
    box, *more = first.blocks
    assert isinstance(box, VerdictBox)
    marked = replace(box, remark=EXAMPLE)
    return (replace(first, blocks=(marked, *more)), *rest)


Worked = tuple[bytes, Any, Advice]
"""Inputs as JSON and as values, and the answer to them."""


def worked_out(
    topic: Topic,
    said: Mapping[str, Any],
    base: Found | None,
    text: str,
    known: CitedKnowledge,
    _: Context | None = None,
) -> Worked:
    """The answer to what the form says, with those lists of `base` that no form has and with its
    origins, and over it what was pasted.

    Raises:
        ModelError, StoreError: they can't be; names the field.
    """
    found = dict(said)
    if base is not None:
        for name, value in inputs_to_json(base.inputs).items():
            if isinstance(value, list):
                found.setdefault(name, value)
    pasted = None
    if takes_text(topic) and text.strip():
        pasted = read_inputs(topic, text.encode("utf-8"), name="")
        plain = inputs_to_json(pasted.inputs)
        told = (
            each
            for each in fields(pasted.inputs)
            if getattr(pasted.inputs, each.name) != each.default
        )
        found |= {each.name: plain[each.name] for each in told if each.name in plain}
    document = json.dumps(found).encode("utf-8")
    inputs = inputs_from(topic, document, name="")
    advice = advise(topic, inputs, known)
    of = pasted or base
    return document, inputs, advice if of is None else of.told(advice)


def takes_text(topic: Topic) -> bool:
    """Whether text can be pasted for a topic."""
    return topic.read is not None or topic.of_records is not None


def _weighed(
    topic: Topic,
    scenario: Scenario,
    inputs: Any,
    known: CitedKnowledge,
    subject: str,
    _: Context,
) -> Effect:
    from models.tell.put import effect  # once something can be put somewhere

    return effect(topic, scenario, inputs, known, subject)


class Shown(Enum):
    """Whose inputs the form shows; nobody's, where the topic asks for what the scenario lacks."""

    NOBODY = "nobody"
    EXAMPLE = "example"
    CHANGED = "changed"
    SCENARIO = "scenario"
    OWN = "own"


class AdvisorPage(QWidget):
    """One topic: what is asked, and what follows.

    Signals:
        done: a number went back to where it was asked for.
    """

    done = Signal()

    def __init__(
        self,
        topic: Topic,
        dialogs: Dialogs,
        session: Session,
        worker: Worker | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.topic, self._dialogs, self._session = topic, dialogs, session
        self._knowledge = replace(knowledge(), catalog=session.catalog)
        self._found: tuple[Found, ...] = ()
        self._of, self._place = session.scenario, session.place
        worker = worker or Worker(parent=self)
        self._work, self._weighing = OneTask(worker), OneTask(worker)
        self._effect: Effect | None = None
        self._worked: Worked | None = None
        self._asked: UsersAsked | None = None
        self._shown: Shown = Shown.NOBODY
        self._base: Found | None = None
        self._is_entered = False
        self._pause = pause(self, PAUSE_MS, self.ask)
        self._make_left()
        self._make_right()
        self._lay_out()
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)
        self._begin()

    def _begin(self) -> None:
        """What the project keeps of the topic, what the scenario says, or what it lacks."""
        if not self._show_kept() and not self._show_scenario():
            self._ask_for_more()
        self.ask()

    def follow(self) -> None:
        """Goes with the scenario in view, unless somebody entered something about this one."""
        session = self._session
        if session.place != self._place:
            self.pasted.clear()
            self.kept.setChecked(False)
        elif session.scenario is self._of:
            return
        elif self._shown not in (Shown.SCENARIO, Shown.NOBODY):
            self._of = session.scenario
            if self._worked is not None:
                self._weigh(self._worked[1])
            return
        self._of, self._place = session.scenario, session.place
        self._begin()

    @property
    def is_held(self) -> bool:
        """Whether somebody entered figures that are neither kept nor put on the board since."""
        is_own = self._shown is Shown.OWN and self._worked is not None
        return is_own and self._is_entered and not self.kept.isChecked()

    @property
    def answer(self) -> Advice | None:
        """The answer to what is entered; None where it can't be, or isn't worked out yet."""
        return None if self._worked is None else self._worked[2]

    def stop(self) -> None:
        """Nothing is worked out any more: the window closes."""
        self._pause.stop()
        self._work.cancel()
        self._weighing.cancel()

    # ------------------------------------------------------------------ parts

    def _make_left(self) -> None:
        topic = self.topic
        self.about = wrapped(local(topic.about), self)
        self.form = AdvisorForm(topic, self._knowledge.catalog, self)
        self.form.changed.connect(self._entered)
        self.server = Dropdown(self)
        self.server.setAccessibleName(tr("Server on the board"))
        self.server.hide()
        self.server.activated.connect(self._choose_server)
        self.pasted = QPlainTextEdit(self)
        self.pasted.setTabChangesFocus(True)
        self.pasted.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.pasted.setFixedHeight(PASTE_HEIGHT)
        self.pasted.textChanged.connect(self._pasted)
        self.load = QPushButton(tr("Open a file…"), self)
        self.load.clicked.connect(self._open)
        self.example = QPushButton(tr("Example"), self)
        self.example.clicked.connect(self._show_example)
        self.of_scenario = QPushButton(tr("From this scenario"), self)
        self.of_scenario.clicked.connect(self._again_from_scenario)

    def _make_right(self) -> None:
        topic = self.topic
        self.refusal = wrapped("", self)
        self.refusal.hide()
        self.whose = styled(QLabel("", self), "badge")
        self.view = SectionsView(local(topic.title), self)
        self.lacks = Empty("own-unknown", local(topic.lacks), self)
        self.waterfall = Waterfall(local(topic.title), self) if topic.steps else None
        if self.waterfall is not None:
            self.waterfall.dragged.connect(self._drag)
        self.kept = TickBox(tr("In the proposal, as migration notes"), self)
        self.kept.toggled.connect(self._keep)
        self.effect = wrapped("", self, role="muted")
        self.effect.hide()
        self.board = QPushButton(local(topic.board_text or ""), self)
        self.board.clicked.connect(self._put_on_board)
        self.board.setVisible(topic.board is not None)
        self.save = QPushButton(tr("Save as CSV…"), self)
        self.save.clicked.connect(self._save)
        self.save.setVisible(bool(topic.saved))
        self.put_back = styled(QPushButton("", self), "primary")
        self.put_back.clicked.connect(self._put_back)
        self.put_back.hide()

    def _lay_out(self) -> None:
        left, right = QWidget(self), QWidget(self)
        column, beside = QVBoxLayout(left), QVBoxLayout(right)
        column.addWidget(self.about)
        is_pasted = takes_text(self.topic)
        self.pasted.setVisible(is_pasted)
        self.load.setVisible(is_pasted)
        if self.topic.paste is not None:
            self.pasted.setPlaceholderText(local(self.topic.paste))
            self.pasted.setAccessibleName(local(self.topic.paste))
            column.addWidget(self.pasted)
            column.addWidget(self.load)
        column.addWidget(self.server)
        column.addWidget(self.form, 1)
        column.addLayout(in_row().put(self.example, self.of_scenario).put((QWidget(self), 1)))
        beside.addWidget(self.whose, 0, Qt.AlignmentFlag.AlignLeft)
        beside.addWidget(self.refusal)
        if self.waterfall is not None:
            beside.addWidget(self.waterfall)
        beside.addWidget(self.view, 1)
        beside.addWidget(self.lacks, 1)
        beside.addWidget(self.effect)
        below = in_row().put(self.kept)
        below.addStretch()
        for button in (self.board, self.save, self.put_back):
            below.addWidget(button)
        beside.addLayout(below)
        parts = QSplitter(Qt.Orientation.Horizontal, self)
        for part in (left, right):
            parts.addWidget(part)
        parts.setStretchFactor(1, 1)
        parts.setSizes([290, 900])
        in_column(self).put(parts)

    # ------------------------------------------------------------------ the answer

    def _pasted(self) -> None:
        """What somebody brings is judged by itself: figures of the example or of the scenario must
        not mix in."""
        if self.pasted.toPlainText().strip():
            if self._shown in (Shown.EXAMPLE, Shown.SCENARIO):
                self._base = None
                self.form.show_blank()
            self._name_shown(Shown.OWN)
            self._is_entered = True
        self._pause.start()

    def _entered(self) -> None:
        self._is_entered = True
        of_example = self._shown in (Shown.EXAMPLE, Shown.CHANGED)
        self._name_shown(Shown.CHANGED if of_example else Shown.OWN)
        self._pause.start()

    def _name_shown(self, shown: Shown) -> None:
        """Says whose inputs these are; an invented example goes neither onto the board nor into a
        proposal."""
        self._shown = shown
        base, name = self._base, self._session.scenario.name
        if base is not None and base.name:
            name = f"{name} \N{MIDDLE DOT} {local(base.name)}"
        words = {
            Shown.EXAMPLE: EXAMPLE,
            Shown.CHANGED: tr("Example with your changes"),
            Shown.SCENARIO: tr("From the scenario {name}", name=name),
        }
        if shown is Shown.OWN and base is None and (untouched := self.form.untouched):
            words[shown] = tr("Not chosen, the documents’: {fields}", fields=", ".join(untouched))
        self.whose.setText(words.get(shown, ""))
        self.whose.setVisible(shown in words)
        tint(self.whose, "muted" if shown is Shown.SCENARIO else "warn")
        self.server.setVisible(shown is Shown.SCENARIO and len(self._found) > 1)
        why = (
            "" if self._is_free else tr("These figures are invented: enter or paste your own first")
        )
        self.kept.setEnabled(self._is_free)
        self.kept.setToolTip(why)
        self.board.setEnabled(False)
        self.board.setToolTip(why)

    @property
    def _is_free(self) -> bool:
        """Whether the answer may go onto the board and into a proposal."""
        return self._shown not in (Shown.EXAMPLE, Shown.NOBODY)

    def ask(self) -> None:
        """Works the answer out from what was pasted and entered."""
        self._pause.stop()
        self._work.cancel()
        has_answer = self._shown is not Shown.NOBODY
        for part in filter(None, (self.view, self.waterfall)):
            part.setVisible(has_answer)
        self.lacks.setVisible(not has_answer)
        if not has_answer:
            self._wait("", "muted")
            return
        if self._is_much:
            self._wait(CALCULATING, "muted")
            self._work.start(self._task(), self._show, self._failed)
            return
        try:
            self._show(self._task()(None))
        except (ModelError, StoreError) as error:
            self._failed(error)

    @property
    def _is_much(self) -> bool:
        """Whether it would hold up the window."""
        base = None if self._base is None else self._base.inputs
        rows = [] if base is None else [getattr(base, each.name) for each in fields(base)]
        return len(self.pasted.toPlainText()) > MOST_AT_ONCE or any(
            isinstance(each, tuple) and len(each) > MOST_ROWS_AT_ONCE for each in rows
        )

    def _task(self) -> partial[Worked]:
        said, text = self.form.values(), self.pasted.toPlainText()
        base = self._base
        if base is not None:
            base = replace(base, origins=self.form.origins)
        return partial(worked_out, self.topic, said, base, text, self._knowledge)

    def _show(self, worked: Worked) -> None:
        self._worked = worked
        self.refusal.hide()
        self.view.setEnabled(True)
        for button in (self.save, self.put_back):
            button.setEnabled(True)
        self._weigh(worked[1])
        sections = advice_sections(self.topic, worked[2])
        if self._shown in (Shown.EXAMPLE, Shown.CHANGED):
            sections = as_example(sections)
        self.view.show_sections(sections)
        if self.waterfall is not None:
            self.waterfall.show_bars(tuple(map(self._bar, self.topic.steps)))
        self._name_put_back()
        if self.kept.isChecked():
            self._keep()

    def _failed(self, error: Exception) -> None:
        raise_own(error)
        known = refused(error, "") if isinstance(error, ModelError) else error
        self._wait(local(known).lstrip(": "), "bad")

    def _wait(self, why: str, ink: str) -> None:
        """There is no answer to what is entered; the one before stands there in grey."""
        self._worked = None
        self.refusal.setText(why)
        tint(self.refusal, ink)
        self.refusal.setVisible(bool(why))
        self.view.setEnabled(False)
        self._weighing.cancel()
        self.effect.hide()
        for button in (self.save, self.board, self.put_back):
            button.setEnabled(False)

    # ------------------------------------------------------------------ the waterfall

    def _numbers(self) -> Mapping[str, AdviceNumber]:
        return {} if self.answer is None else {each.id: each for each in self.answer.numbers}

    def _bar(self, step: Step) -> StepBar:
        """A bar of the waterfall, with how it follows and where that stands."""
        numbers = self._numbers()
        each = numbers[step.number]
        by, before = numbers.get(step.factor), numbers.get(step.of)
        how = each.note
        is_given = getattr(self._worked[1], step.input, None) is not None if self._worked else False
        if by is not None and by.value is not None and not is_given:
            how = say("× {factor}", factor=value_of(by.value, by.unit.replace("×", "")))
        source = each.source if isinstance(each.source, Text) else in_short(each.source)
        told = joined(" \N{MIDDLE DOT} ", filter(None, (how, source)))
        tip = "\n".join(filter(None, (local(told), DRAG_TIP if step.input else "")))
        return StepBar(
            label=local(opening(each.label)),
            value=each.value,
            of=None if before is None else before.value,
            text=local(value_of(each.value, each.unit)),
            how=local(told),
            tip=tip,
            is_free=bool(step.input),
        )

    def _drag(self, place: int, value: float) -> None:
        """Sets the field of a bar; where that can't be, the bar goes no further."""
        if self._worked is None:
            return
        inputs = with_step(self.topic, self._worked[1], self.topic.steps[place], value)
        try:
            answer = advise(self.topic, inputs, self._knowledge)
        except ModelError:
            return
        self._pause.stop()
        self.form.show_inputs(inputs)
        if self._shown is Shown.EXAMPLE:
            self._name_shown(Shown.CHANGED)
        elif self._shown is Shown.SCENARIO:
            self._name_shown(Shown.OWN)
        self._base = None if self._base is None else replace(self._base, origins={})
        self._is_entered = True
        document = json.dumps(inputs_to_json(inputs)).encode("utf-8")
        self._show((document, inputs, answer))

    # ------------------------------------------------------------------ back to the field

    def serve(self, asked: UsersAsked) -> None:
        """Begins with what is known where somebody asks, and can bring the number back there."""
        self._asked = asked
        self._show_inputs(Found(asked.counts), Shown.OWN)
        self.ask()
        self.put_back.show()

    def _name_put_back(self) -> None:
        if self._asked is None:
            return
        numbers = self._numbers()
        found = (numbers[id] for id in self._asked.numbers)
        words = local(joined(", ", (value_of(each.value, each.unit) for each in found)))
        self.put_back.setText(tr("Put {value} into {field}", value=words, field=self._asked.name))

    def _put_back(self) -> None:
        assert self._asked is not None  # the button is hidden
        numbers = self._numbers()
        values = tuple(numbers[id].value or 0.0 for id in self._asked.numbers)
        why = self._asked.put(*values)
        if why:
            self._dialogs.show_problem(why)
        else:
            self._is_entered = False
            self.done.emit()

    # ------------------------------------------------------------------ kept, loaded, saved

    def _keep(self) -> None:
        """The proposal has the answer to these inputs while this is ticked; the project keeps
        them."""
        worked = self._worked if self.kept.isChecked() else None
        self._session.keep_advice(self.topic.id, None if worked is None else worked[0])

    def _show_kept(self) -> bool:
        """What the project keeps of this topic, if it does."""
        project = self._session.project
        kept = kept_inputs(project.entry(project.active)).get(self.topic.id)
        if kept is None:
            return False
        with suppress(StoreError):
            self._show_inputs(Found(inputs_from(self.topic, kept, name="")), Shown.OWN)
            self.kept.setChecked(True)
        return self.kept.isChecked()

    def _show_scenario(self) -> bool:
        """What the scenario in view says of this topic, if it does and that has an answer; of the
        server that was looked at before, if it is still there."""
        session, before = self._session, self.server.currentText()
        self._knowledge = replace(self._knowledge, catalog=session.catalog)
        self._found = found_in(self.topic, session.scenario, self._knowledge)
        self.server.clear()
        self.server.addItems([local(each.name) for each in self._found])
        if not self._found:
            return False
        row = max(self.server.findText(before), 0)
        self.server.setCurrentIndex(row)
        self._show_inputs(self._found[row], Shown.SCENARIO)
        return True

    def _choose_server(self, row: int) -> None:
        self._show_inputs(self._found[row], Shown.SCENARIO)
        self.ask()

    def _ask_for_more(self) -> None:
        """The scenario doesn't say what the topic asks for: nothing is answered until somebody
        does."""
        self._base, self._is_entered = None, False
        self.form.show_blank()
        self._name_shown(Shown.NOBODY)

    def _show_inputs(self, found: Found, shown: Shown) -> None:
        self._base, self._is_entered = found, False
        self.form.show_inputs(found.inputs, found.origins, local(found.name))
        self._name_shown(shown)

    def _again_from_scenario(self) -> None:
        self.pasted.clear()
        self.kept.setChecked(False)
        if not self._show_scenario():
            self._ask_for_more()
        self.ask()

    def _show_example(self) -> None:
        self.pasted.clear()
        self.kept.setChecked(False)
        self._show_inputs(Found(self.topic.example), Shown.EXAMPLE)
        self.ask()

    def _open(self) -> None:
        path = self._dialogs.open_file(
            tr("Open a table"),
            Path.home(),
            tr("Tables and texts (*.xlsx *.csv *.txt *.tsv *.json);;All files (*)"),
        )
        if path is not None:
            self.open_file(path)

    def open_file(self, path: Path) -> None:
        """Takes the text of a file as if it were pasted."""
        try:
            self.pasted.setPlainText(text_of_file(path))
        except StoreError as error:
            self._dialogs.show_problem(local(error))
            return
        self.ask()

    def _put_on_board(self) -> None:
        """One step that can be undone: what the answer means for the scenario in view."""
        effect, session = self._effect, self._session
        assert effect is not None  # the button is off
        if effect.of is not session.scenario:
            assert self._worked is not None
            self._weigh(self._worked[1])
            return
        session.change(lambda _: effect.scenario, local(self.topic.board_text or self.topic.title))
        self._of, self._is_entered = session.scenario, False
        self.board.setEnabled(False)  # once is enough: other inputs give another answer
        done = tr("Done on the board; undo there takes it back.")
        self._tell_effect(f"{done} {local(effect.outcome)}", "ok")

    def _weigh(self, inputs: Any) -> None:
        """Says what the answer would change on the board, before anybody puts it there."""
        self._weighing.cancel()
        self._effect = None
        self.board.setEnabled(False)
        self.effect.hide()
        if self.topic.board is None or not self._is_free:
            return
        subject = "" if self._base is None else self._base.subject
        scenario = self._session.scenario
        task = partial(_weighed, self.topic, scenario, inputs, self._knowledge, subject)
        self._weighing.start(task, self._weighed, self._not_weighed)

    def _weighed(self, effect: Effect) -> None:
        self._effect = effect
        self.board.setEnabled(True)
        self._tell_effect(local(effect.told), "muted")

    def _not_weighed(self, error: Exception) -> None:
        raise_own(error)
        known = refused(error, "") if isinstance(error, ModelError) else error
        why = local(known).lstrip(": ")
        self._tell_effect(tr("Not for the board: {why}.", why=why.rstrip(".")), "muted")

    def _tell_effect(self, words: str, ink: str) -> None:
        self.effect.setText(words)
        tint(self.effect, ink)
        self.effect.show()

    def _save(self) -> None:
        path = self._dialogs.save_file(
            tr("Save as CSV"), Path.home() / f"{self.topic.saved}.csv", tr("CSV (*.csv)"), ".csv"
        )
        if path is not None:
            self.save_to(path)

    def save_to(self, path: Path) -> None:
        """Writes the table of the answer that people save."""
        assert self.answer is not None  # the button is off
        (table,) = (each for each in self.answer.tables if each.id == self.topic.saved)
        self._dialogs.write(path, table_to_csv(table).encode("utf-8"))

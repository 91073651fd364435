"""Where the VMs had better stand: the moves with their reasons, previewed on the board."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import thread_time

from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFormLayout, QPushButton, QWidget

from app.language import local, tr, trn
from app.session import Session
from app.widgets.board_pair import BoardPair
from app.widgets.fields.choice import Dropdown
from app.widgets.fields.number import NumberField
from app.widgets.parts import STRETCH, in_column, in_row, styled
from app.widgets.sections.view import SectionsView
from app.windows.dialogs import Dialogs
from app.windows.pages import WorkingPage
from app.work import Context
from db.placement import moves_to_csv
from models.arrange.plan import SECONDS, Plan, arrange
from models.base.limits import Limit
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.predict.prediction import Prediction
from models.scenario.places import Across
from models.scenario.scenario import Scenario
from models.tell.arrange import plan_sections

FIELD_PX = 240


class ArrangePage(WorkingPage):
    """What may be asked at the top, the plan below; the board shows it while the page is open."""

    def __init__(
        self,
        session: Session,
        dialogs: Dialogs,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Arrange"), tr("Cancel"), parent)
        self._session, self._dialogs = session, dialogs
        self._of: Scenario | None = None
        self.plan: Plan | None = None
        self._is_saved = False
        self._make()
        self._lay_out()
        self.show_work()

    def _make(self) -> None:
        self.most = _field(0, 1_000_000, None, tr("any number"))
        self.seconds = _field(0.1, 600, SECONDS)
        self.across = Dropdown(self)
        for each in Across:
            self.across.addItem(local(each.label), each)
        self.go = QPushButton(tr("Look again"), self)
        self.progress.setRange(0, 0)
        self.picture = BoardPair(self)
        self.view = SectionsView(tr("Arrangement"), self)
        self.save = QPushButton(tr("Save as CSV…"), self)
        self.apply = styled(QPushButton(tr("Apply"), self), "primary")
        self.go.clicked.connect(self.look)
        self.save.clicked.connect(self._save)
        self.apply.clicked.connect(self.adopt)
        self._session.project_changed.connect(self._edited)

    def _lay_out(self) -> None:
        form = QFormLayout()
        for label, field in (
            (tr("Moves at most"), self.most),
            (tr("Seconds"), self.seconds),
            (tr("VMs may move"), self.across),
        ):
            field.setAccessibleName(label)
            field.setMaximumWidth(FIELD_PX)
            form.addRow(label, field)
        row = in_row().put(self.go, self.progress, self.stop, (STRETCH, 1))
        last = in_row().put(self.save, (STRETCH, 1), self.apply)
        asked = in_column().put(form, row, self.state, (STRETCH, 1))
        top = in_row(gap=16).put(asked, (self.picture, 1))
        in_column(self, around=None).put(top, (self.view, 1), last)

    def look(self) -> None:
        """Looks for a better placement in the background."""
        session = self._session
        session.commit_typed()
        session.clear_preview()
        self._of, self.plan, self._is_saved = session.scenario, None, False
        self.picture.show_states(None, None)
        most = self.most.value
        task = partial(
            _arranged,
            session.scenario,
            session.knowledge,
            None if most is None else int(most),
            self.seconds.value or SECONDS,
            self.across.currentData(),
        )
        self.work.start(task, self._done, self.failed)

    def _done(self, found: tuple[Plan, Prediction, Prediction]) -> None:
        assert self._of is not None
        plan, before, after = found
        self.plan = plan
        if plan.moves:
            self.picture.show_states((self._of, before), (plan.scenario, after))
        self.state.setText("")
        self.view.show_sections(plan_sections(plan, self._of))
        if plan.moves and self.isVisible():
            self._session.preview(plan.scenario)
        self.show_work()

    def _edited(self, _project: object) -> None:
        """What the plan was made for has changed."""
        if self._of is not None and self._session.scenario is not self._of:
            self.work.cancel()
            self._of = self.plan = None
            self.picture.show_states(None, None)
            self.state.setText(tr("The scenario has changed: look again."))
            self.show_work()

    def show_work(self) -> None:
        super().show_work()
        self.go.setEnabled(not self.work.is_running)
        has_moves = self.plan is not None and bool(self.plan.moves)
        self.apply.setEnabled(has_moves)
        self.save.setEnabled(has_moves)

    def adopt(self) -> None:
        """All moves as one step."""
        plan = self.plan
        if plan is None or not plan.moves:
            return
        self._of = self.plan = None
        self._session.clear_preview()
        self._session.edit(plan.scenario, tr("Arrange VMs"))
        self.leave()

    def _save(self) -> None:
        path = self._dialogs.save_file(
            tr("Save as CSV"), Path.home() / "moves.csv", tr("CSV (*.csv)"), ".csv"
        )
        if path is not None:
            self.save_to(path)

    def save_to(self, path: Path) -> None:
        """Writes the moves in their order."""
        if self.plan is None or self._of is None:
            return
        content = moves_to_csv(self.plan, self._of, local).encode("utf-8")
        self._is_saved = self._dialogs.write(path, content) or self._is_saved

    def holds_work(self) -> str:
        """A plan that is neither applied nor saved."""
        count = 0 if self.plan is None or self._is_saved else len(self.plan.moves)
        if not count:
            return ""
        return trn(
            "“Arrange” has {count} move that is neither applied nor saved.",
            "“Arrange” has {count} moves that are neither applied nor saved.",
            count,
        )

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.plan is not None and self.plan.moves and not event.spontaneous():
            self._session.preview(self.plan.scenario)

    def hideEvent(self, event: QHideEvent) -> None:
        """What is planned is seen as long as the page is."""
        super().hideEvent(event)
        if not event.spontaneous():
            self._session.clear_preview()


def _field(low: float, high: float, value: float | None, empty: str = "") -> NumberField:
    limit, is_whole = Limit(ge=low, le=high), bool(empty)
    field = NumberField(limit=limit, whole=is_whole, optional=is_whole, empty=empty)
    field.committed.connect(field.show_value)
    field.show_value(value)
    return field


def _arranged(
    scenario: Scenario,
    knowledge: Knowledge,
    most: int | None,
    seconds: float,
    across: Across,
    context: Context,
) -> tuple[Plan, Prediction, Prediction]:
    """Runs in the background: the plan, and what is predicted before and after it."""
    plan = arrange(
        scenario,
        knowledge,
        most_moves=most,
        seconds=seconds,
        clock=thread_time,
        check=context.check,
        across=across,
    )
    return plan, evaluate(scenario, knowledge), evaluate(plan.scenario, knowledge)

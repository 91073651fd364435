"""The one object that holds the project in view, its prediction and its history.

Widgets show what `prediction_changed` brings and ask for the next value; nothing else changes
anything. A preview is a scenario still being dragged: it is evaluated and shown, never stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from os import urandom
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from app.edits import ReplaceProject
from app.work import pause
from models.catalog.catalog import Catalog
from models.evaluate import evaluate
from models.evidence.calibration import Calibration
from models.evidence.knowledge import Knowledge
from models.predict.prediction import Prediction
from models.prices.book import PriceBook
from models.project.catalog_use import catalog_for
from models.project.project import ADVICE, MEETING, SIGNED, STATED, Project, with_records_of
from models.scenario.edit_origins import keeping_pins, marked
from models.scenario.growth import grown
from models.scenario.origin import Origin
from models.scenario.scenario import Scenario

if TYPE_CHECKING:
    from models.tell.meeting import Meeting

UNDO_LIMIT = 500
FEW_VMS = 1000
"""VMs and scenarios that are worked out in a moment."""


@dataclass(frozen=True, slots=True)
class View:
    """What the window shows at one moment.

    Attributes:
        scenario: the one in view, or the one being dragged.
        prediction: of `scenario`.
        committed: prediction of the stored scenario; the same object unless `is_preview`.
        is_preview: the scenario is not stored (yet).
        lost: id of the host that it is shown without; empty while none is held down.
        years: how far ahead it shows the scenario; `today` is what it grew from.
        is_at_rest: it is a preview because it looks ahead; nothing is being dragged.
    """

    scenario: Scenario
    prediction: Prediction
    committed: Prediction
    is_preview: bool
    lost: str = ""
    years: float = 0.0
    grew_from: Scenario | None = None
    is_at_rest: bool = False

    @property
    def today(self) -> Scenario:
        """The scenario as it can be edited: its numbers are today's."""
        return self.grew_from or self.scenario

    @property
    def is_dragged(self) -> bool:
        """Something is tried that is not stored (yet), besides the years ahead."""
        return self.is_preview and not self.is_at_rest


class Session(QObject):
    """Holds the project and says what follows from it.

    Signals:
        view_changed: a `View`; after every edit, undo, change of scenario, and during a drag.
        project_changed: the `Project`; names, entries, baseline or content changed.
        catalog_changed: the `Catalog`, or which of its entries are the user's own.
        file_changed: path or "modified" changed.
        message: one sentence for the status bar.
        waiting_changed: whether a preview is shown that another one is about to replace.
        moved: what is being dragged moves: what costs more than a frame waits until it rests.
        prices_changed: another price book is there, or none any more.
        commit_wanted: what is being typed is to become an edit now: the project is about to be
            saved, or to give way.
    """

    view_changed = Signal(object)
    project_changed = Signal(object)
    catalog_changed = Signal(object)
    file_changed = Signal()
    message = Signal(str)
    waiting_changed = Signal(bool)
    moved = Signal()
    commit_wanted = Signal()
    prices_changed = Signal()

    def __init__(
        self,
        project: Project,
        knowledge: Knowledge,
        *,
        path: Path | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._shipped = knowledge.catalog
        self._library = Catalog()
        self._prices: PriceBook | None = None
        self._catalog = catalog_for(project, knowledge.catalog)
        self._calibration = knowledge.calibration
        self._project = project
        self._token = urandom(8).hex()
        self._path = path
        self._preview: Scenario | None = None
        self._foreseen: Prediction | None = None
        self._lost = ""
        self._years = 0.0
        self._grown: tuple[Scenario, float, Scenario] | None = None
        self._is_expected = False
        self._recommended: dict[str, Scenario] = {}
        self.stack = QUndoStack(self)
        self.stack.setUndoLimit(UNDO_LIMIT)
        self.stack.cleanChanged.connect(self._clean_changed)
        self._refresh = pause(self, 0, self.flush)
        self._gesture = 0
        self._is_stale = False
        self._committed = self._evaluate(project.scenario)
        self._view = View(project.scenario, self._committed, self._committed, False)

    @property
    def project(self) -> Project:
        return self._project

    @property
    def token(self) -> str:
        """Tells the project from every other one that is or was open, here or elsewhere."""
        return self._token

    @property
    def place(self) -> tuple[str, str]:
        """What tells the scenario in view from those in view before: ids of items don't."""
        return self._token, self._project.active

    @property
    def scenario(self) -> Scenario:
        """The stored scenario in view (never the one being dragged)."""
        return self._project.scenario

    @property
    def recommended(self) -> Scenario | None:
        """What the scenario in view was recommended as; None where it was not, or in an earlier
        session."""
        return self._recommended.get(self._project.active)

    @property
    def earlier(self) -> tuple[Scenario, ...]:
        """The scenario in view as it was before each step that led to it, the latest first."""
        return tuple(self._earlier())

    def _earlier(self) -> Iterator[Scenario]:
        for index in reversed(range(self.stack.index())):
            for step in _replacements(self.stack.command(index)):
                there = step.before.entries
                found = next((each for each in there if each.id == self._project.active), None)
                if found is None:
                    return
                yield found.scenario

    @property
    def catalog(self) -> Catalog:
        """What was shipped, under the library, the rows of the project's file, its own entries."""
        return self._catalog

    @property
    def shipped_catalog(self) -> Catalog:
        """What every Headroom has."""
        return self._shipped

    @property
    def known_catalog(self) -> Catalog:
        """The catalog whatever project is open: what was shipped, under the user's library."""
        return self._shipped.merged(self._library)

    @property
    def library(self) -> Catalog:
        """The user's entries that all projects see."""
        return self._library

    @property
    def own_catalog(self) -> Catalog:
        """The user's entries: of the library and of the project."""
        return self._library.merged(self._project.own_catalog)

    @property
    def calibration(self) -> Calibration:
        return self._calibration

    @property
    def knowledge(self) -> Knowledge:
        """The catalog as the open project has it, and the calibration."""
        return Knowledge(self._catalog, self._calibration)

    @property
    def view(self) -> View:
        return self._view

    @property
    def stored_view(self) -> View:
        """The stored scenario in view, whatever is being dragged or held down."""
        return View(self.scenario, self._committed, self._committed, False)

    @property
    def years(self) -> float:
        """How far ahead the window looks; 0: today."""
        return self._years

    @property
    def studied(self) -> Scenario:
        """The stored scenario in view, in the years that the window looks ahead; the same object as
        long as neither changes."""
        return self._ahead(self.scenario)

    @property
    def studied_view(self) -> View:
        """The stored scenario in view, in the years that the window looks ahead, whatever is being
        dragged or held down."""
        if not self._view.is_dragged:
            return self._view
        if not self._years:
            return self.stored_view
        there = self.studied
        found = self._evaluate(there)
        return View(
            there,
            found,
            self._committed,
            True,
            years=self._years,
            grew_from=self.scenario,
            is_at_rest=True,
        )

    def look_ahead(self, years: float) -> None:
        """Shows the scenario in view, and all that is tried with it, so many years from now.

        It is a preview that stays while today's scenario is edited; nothing is stored of it.
        """
        if years != self._years:
            self._years = years
            self._refresh.start()

    def _ahead(self, scenario: Scenario) -> Scenario:
        """The scenario in the years that are looked at."""
        if not self._years:
            return scenario
        found = self._grown
        if found is None or found[0] is not scenario or found[1] != self._years:
            self._grown = found = (scenario, self._years, grown(scenario, self._years))
        return found[2]

    @property
    def path(self) -> Path | None:
        return self._path

    @property
    def is_modified(self) -> bool:
        return not self.stack.isClean()

    @property
    def is_settled(self) -> bool:
        """Everything shown follows from the project as it is now."""
        return not (self._refresh.isActive() or self._is_expected)

    def edit(
        self,
        scenario: Scenario,
        text: str,
        *,
        merge_key: str = "",
        origin: Origin = Origin.MANUAL,
    ) -> None:
        """Makes `scenario` the one in view, as one named step; nothing when it is the same.

        What it changes was given by `origin`; what acts by itself (AUTO) leaves pins alone.
        """
        if origin is Origin.AUTO:
            scenario = keeping_pins(self.scenario, scenario)
        scenario = marked(self._gesture_start(merge_key), self.scenario, scenario, origin)
        self.edit_project(self._project.with_scenario(scenario), text, merge_key=merge_key)

    def _gesture_start(self, merge_key: str) -> Scenario:
        """The scenario before the step that an edit with this key would become part of."""
        last = self.stack.command(self.stack.index() - 1)
        key = self._step_key(merge_key)
        if key and isinstance(last, ReplaceProject) and last.merge_key == key:
            return last.before.scenario
        return self.scenario

    def _step_key(self, merge_key: str) -> str:
        return f"{merge_key}#{self._gesture}" if merge_key else ""

    def edit_project(self, project: Project, text: str, *, merge_key: str = "") -> None:
        """Makes `project` the current one, as one named step; nothing when it is the same."""
        self._preview = None
        if project == self._project:
            self._refresh.start()
            return
        key = self._step_key(merge_key)
        self.stack.push(ReplaceProject(self._project, project, text, self._apply, merge_key=key))

    def take_recommended(self, project: Project, text: str) -> None:
        """Makes `project` the current one, whose scenario in view is one that was recommended."""
        self._recommended[project.active] = project.scenario
        self.edit_project(project, text)

    @property
    def prices(self) -> PriceBook | None:
        """The user's price book, of this project or of all; None: there is none."""
        return self._prices

    def set_prices(self, book: PriceBook | None) -> None:
        """Has costs told by this price book."""
        if book != self._prices:
            self._prices = book
            self.prices_changed.emit()

    def set_library(self, library: Catalog) -> None:
        """Puts the personal library between the shipped entries and those of the project."""
        self._library = library
        self._renew_catalog()
        self._refresh.start()

    def commit_typed(self) -> None:
        """Has whoever holds text that is being typed make it an edit."""
        self.commit_wanted.emit()

    def end_gesture(self) -> None:
        """The hand has left the control: later edits with the same merge key are a new step."""
        self._gesture += 1

    def change(self, change: Callable[[Scenario], Scenario], text: str) -> None:
        """Edits by a function of the scenario in view."""
        self.edit(change(self.scenario), text)

    def show(self, id: str) -> None:
        """Brings another scenario into view; looking is not an edit, so it is no step."""
        self.commit_typed()
        self.end_gesture()
        self._apply(self._project.show(id))

    def preview(
        self, scenario: Scenario, prediction: Prediction | None = None, *, lost: str = ""
    ) -> None:
        """Shows what `scenario` would mean, without storing anything.

        Args:
            prediction: of the scenario, where somebody has it already.
            lost: id of the host whose failure it shows.
        """
        self._preview, self._foreseen, self._lost = scenario, prediction, lost
        self._refresh.start()

    def expect_preview(self) -> None:
        """Another preview is about to come: the one that is shown is out of date until then."""
        self._expect(True)

    def clear_preview(self) -> None:
        self._expect(False)
        if self._preview is not None:
            self._preview = None
            self._refresh.start()

    def _expect(self, is_expected: bool) -> None:
        was_expected, self._is_expected = self._is_expected, is_expected
        if was_expected != is_expected and self._view.is_preview:
            self.waiting_changed.emit(is_expected)

    def foreseen(self, project: Project) -> Prediction:
        """What would be predicted of the scenario in view of another project; nothing changes.

        A small project is worked out whole, to see that all of it can be.
        """
        known = Knowledge(catalog_for(project, self.known_catalog), self._calibration)
        if sum(1 + len(entry.scenario.vms) for entry in project.entries) <= FEW_VMS:
            for entry in project.entries:
                evaluate(entry.scenario, known)
        return evaluate(project.scenario, known)

    def open(
        self,
        project: Project,
        path: Path | None,
        *,
        is_saved: bool = True,
        prediction: Prediction | None = None,
    ) -> None:
        """Starts over with another project: its history begins here.

        Args:
            is_saved: false: it counts as modified until it is saved, as recovered work does.
            prediction: what `foreseen` said of it; worked out where it isn't given.
        """
        self.stack.clear()
        self._token = urandom(8).hex()
        self._path = path
        self._preview = None
        self._years = 0.0
        self._recommended.clear()
        self._apply(project, is_another=True)
        if prediction is not None:
            self._committed, self._is_stale = prediction, False
        if not is_saved:
            self.stack.resetClean()
        self.file_changed.emit()

    def saved(self, path: Path, project: Project) -> None:
        """Notes that the project as it is now stands in the file `path`."""
        self._path = path
        self._project = replace(self._project, used_catalog=project.used_catalog)
        self.keep_stated(project)
        self.stack.setClean()
        self.file_changed.emit()

    def keep_meeting(self, meeting: Meeting) -> None:
        """Notes what was changed in a meeting beside the scenario in view: no edit either."""
        from db.meeting import with_meeting

        self._project = with_meeting(self._project, self._project.active, meeting)
        self.stack.resetClean()
        self.file_changed.emit()

    def keep_advice(self, topic: str, inputs: bytes | None) -> None:
        """Notes that the proposal is to have an advisor's answer to these inputs, or is not."""
        from db.advice import with_inputs

        self._project = with_inputs(self._project, self._project.active, topic, inputs)
        self.stack.resetClean()
        self.file_changed.emit()

    def keep_signed(self, project: Project) -> None:
        """Notes what was exported as a proposal: no edit, but to be saved."""
        self.keep_stated(project)
        self._project = with_records_of(self._project, project, SIGNED)
        self.stack.resetClean()
        self.file_changed.emit()

    def keep_stated(self, project: Project) -> None:
        """Notes what was stated of scenarios, which is no edit and no undo takes back."""
        self._project = with_records_of(self._project, project, STATED)

    def flush(self) -> None:
        """Evaluates now whatever waits to be evaluated."""
        self._refresh.stop()
        if self._is_stale:
            self._committed = self._evaluate(self.scenario)
            self._is_stale = False
        self._view = self._looked_at()
        self._expect(False)
        self.view_changed.emit(self._view)

    def _looked_at(self) -> View:
        """A host that is lost is lost today."""
        tried, lost = self._preview, self._lost if self._preview is not None else ""
        if self._years and not lost:
            today = tried or self.scenario
            there = self._ahead(today)
            return View(
                there,
                self._evaluate(there),
                self._committed,
                True,
                years=self._years,
                grew_from=today,
                is_at_rest=tried is None,
            )
        if tried is None:
            return View(self.scenario, self._committed, self._committed, False)
        return View(
            tried, self._foreseen or self._evaluate(tried), self._committed, True, self._lost
        )

    def _apply(self, project: Project, *, is_another: bool = False) -> None:
        previous = self._project
        if not is_another:
            for kind in (STATED, MEETING, ADVICE, SIGNED):
                project = with_records_of(project, previous, kind)
        self._project = project
        self._preview = None
        catalogs = (project.own_catalog, project.used_catalog)
        if catalogs != (previous.own_catalog, previous.used_catalog):
            self._renew_catalog()
        self._is_stale |= project.scenario is not previous.scenario
        self.project_changed.emit(project)
        self._refresh.start()

    def _renew_catalog(self) -> None:
        self._catalog = catalog_for(self._project, self.known_catalog)
        self._is_stale = True
        self.catalog_changed.emit(self._catalog)

    def _evaluate(self, scenario: Scenario) -> Prediction:
        return evaluate(scenario, self.knowledge)

    def _clean_changed(self, _clean: bool) -> None:
        self.file_changed.emit()


def _replacements(step: QUndoCommand) -> Iterator[ReplaceProject]:
    """What a step does to the project, the last first: a step of many may do other things too."""
    if isinstance(step, ReplaceProject):
        yield step
    for index in reversed(range(step.childCount())):
        yield from _replacements(step.child(index))

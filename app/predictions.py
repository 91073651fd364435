"""What is predicted of every scenario of the project, each worked out once and one at a time.

The list of scenarios, their pictures and comparisons ask the same questions; the answers belong to
exactly this scenario and this catalog, and are dropped with them.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.session import Session, View
from app.work import pause
from models.catalog.catalog import Catalog
from models.evaluate import evaluate
from models.predict.prediction import Prediction
from models.project.project import Entry, Project
from models.scenario.scenario import Scenario


class Predictions(QObject):
    """Predictions by id of the scenario's entry.

    Signals:
        changed: another prediction is known, or one that was known no longer holds.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._known: dict[str, tuple[Scenario, Catalog, Prediction]] = {}
        self._later = pause(self, 0, self._next)
        session.view_changed.connect(self._view_changed)
        session.project_changed.connect(self._project_changed)
        self._view_changed(session.view)

    def known(self, id: str) -> Prediction | None:
        """The prediction, if it was worked out already; nothing is calculated."""
        project = self._session.project
        entry = next((each for each in project.entries if each.id == id), None)
        return None if entry is None else self._held(entry)

    def of(self, id: str) -> Prediction:
        """The prediction; worked out now where it isn't known.

        Raises:
            ModelError: there is no such scenario.
        """
        entry = self._session.project.entry(id)
        held = self._held(entry)
        if held is None:
            session = self._session
            held = evaluate(entry.scenario, session.knowledge)
            self._note(entry, held)
        return held

    def want_all(self) -> None:
        """Works out what isn't known, a scenario at a time between events."""
        if self._missing():
            self._later.start()

    @property
    def is_complete(self) -> bool:
        return not self._missing()

    def _missing(self) -> list[Entry]:
        return [each for each in self._session.project.entries if self._held(each) is None]

    def _held(self, entry: Entry) -> Prediction | None:
        scenario, catalog, prediction = self._known.get(entry.id, (None, None, None))
        is_true = scenario is entry.scenario and catalog is self._session.catalog
        return prediction if is_true else None

    def _note(self, entry: Entry, prediction: Prediction) -> None:
        self._known[entry.id] = (entry.scenario, self._session.catalog, prediction)

    def _next(self) -> None:
        missing = self._missing()
        if not missing:
            return
        if missing[0].id == self._session.project.active:
            self._session.flush()
            return
        self.of(missing[0].id)
        self.changed.emit()
        self.want_all()

    def _view_changed(self, view: View) -> None:
        project = self._session.project
        self._note(project.entry(project.active), view.committed)
        if not view.is_dragged:
            self.changed.emit()

    def _project_changed(self, project: Project) -> None:
        there = {entry.id for entry in project.entries}
        for id in self._known.keys() - there:
            del self._known[id]

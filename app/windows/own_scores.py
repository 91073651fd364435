"""Servers that were measured elsewhere: one's own by a table, and the scores of several projects.

Both show what they would change in the calibration before anybody takes it over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QPushButton, QWidget

from app.cli_file import json_text
from app.language import local, tr
from app.session import Session
from app.widgets.fields.choice import Dropdown
from app.widgets.parts import STRETCH, in_column, in_row, styled, wrapped
from app.widgets.sections.view import SectionsView
from app.windows.dialogs import Dialogs
from app.work import Context, OneTask
from db.own_servers import ServerTable, read_own_servers, template_text
from db.registry import read_scored, registry_to_json, scored_of
from models.against.errors import Against, against
from models.against.registry import Change, ScoredProject, added_up, changes, taken
from models.base.errors import ModelError
from models.base.texts import SpokenError, say
from models.customer.score import Score
from models.evidence.knowledge import Knowledge
from models.scenario.origin import Origin
from models.scenario.scenario import LoadBasis
from models.tell.against import against_sections
from models.tell.blocks import Paragraph, Section
from models.tell.registry import registry_sections
from models.version import MODEL_VERSION

Failed = Callable[[Exception], None]


class _ChangesPanel(QWidget):
    """Sections about projects, what they would change in this scenario, and its taking over."""

    def __init__(self, title: str, step: str, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._step = session, step
        self._found: tuple[Change, ...] = ()
        self.view = SectionsView(title, self)
        self.why_not = wrapped("", self)
        self.take = QPushButton(tr("Take over"), self)
        self.take.setAutoDefault(False)
        self.take.setEnabled(False)
        self.take.clicked.connect(self.take_over)

    def _lay_out(self, *top: QWidget, below: Sequence[QWidget] = ()) -> None:
        in_column(self, around=None).put(
            in_row().put(*top, (STRETCH, 1)),
            (self.view, 1),
            self.why_not,
            in_row().put(self.take, *below, (STRETCH, 1)),
        )

    def _show(self, sections: tuple[Section, ...], found: tuple[Change, ...]) -> None:
        self.view.show_sections(sections)
        self._found = found
        self.scenario_changed()

    def scenario_changed(self) -> None:
        """Whether this scenario can take over what would change, and why not."""
        reason = ""
        if self._found:
            try:
                taken(self._session.scenario, self._found)
            except ModelError as error:
                reason = tr("This scenario {reason}.", reason=local(error.reason))
                if error.field == "policy.load_basis":
                    reason = tr("Nothing to take over: {reason}.", reason=local(error.reason))
        self.why_not.setText(reason)
        self.why_not.setVisible(bool(reason))
        self.take.setEnabled(bool(self._found) and not reason)

    def take_over(self) -> None:
        """Demands of this scenario are shifted by what would change, as one step."""
        changed = taken(self._session.scenario, self._found)
        self._session.edit(changed, self._step, origin=Origin.MANUAL)


class OwnServersPanel(_ChangesPanel):
    """A table of somebody's own servers, predicted without a look at what was measured of them."""

    def __init__(
        self, session: Session, dialogs: Dialogs, work: OneTask, failed: Failed, parent: QWidget
    ) -> None:
        super().__init__(tr("Own servers"), tr("Calibrate by own servers"), session, parent)
        self._dialogs, self._work, self._failed = dialogs, work, failed
        self._table: ServerTable | None = None
        self.open = styled(QPushButton(tr("Open a table of servers…"), self), "primary")
        self.open.clicked.connect(self._choose)
        self.basis = Dropdown(self)
        for each in LoadBasis:
            self.basis.addItem(local(each.label), each.value)
        at = self.basis.findData(session.scenario.policy.load_basis.value)
        self.basis.setCurrentIndex(at)
        self.basis.setAccessibleName(tr("Basis of the load"))
        self.basis.currentIndexChanged.connect(self._again)
        self.template = QPushButton(tr("Save a table to fill in…"), self)
        self.template.setAutoDefault(False)
        self.template.clicked.connect(self._save_template)
        self._lay_out(self.open, self.basis, below=(self.template,))
        self._show(_BEFORE_SERVERS, ())

    def _choose(self) -> None:
        path = self._dialogs.open_file(
            tr("Open a table of servers"),
            Path.home(),
            tr("Tables (*.csv *.xlsx *.json);;All files (*)"),
        )
        if path is not None:
            self.read(path)

    def read(self, path: Path) -> None:
        """Reads a table in the background and predicts its servers."""
        self._work.start(partial(_read_servers, path), self._took, self._failed)

    def _took(self, table: ServerTable) -> None:
        self._table = table
        self._again()

    def _again(self, _index: int = 0) -> None:
        if self._table is None:
            return
        task = partial(
            _predicted, self._table, LoadBasis(self.basis.currentData()), self._session.knowledge
        )
        self._work.start(task, self._told, self._failed)

    def _told(self, found: Against) -> None:
        table = self._table
        sections = against_sections(found, () if table is None else table.not_read)
        projects = () if found.score is None else _project_of(found.score)
        would = changes(projects, MODEL_VERSION)
        more = registry_sections(projects, would, MODEL_VERSION)[1:] if projects else ()
        self._show((*sections, *more), would)

    def _save_template(self) -> None:
        path = self._dialogs.save_file(
            tr("Save a table to fill in"), Path.home() / "servers.csv", tr("CSV (*.csv)"), ".csv"
        )
        if path is not None:
            self._dialogs.write(path, template_text().encode("utf-8-sig"))


_BEFORE_SERVERS = (
    Section(
        say("Own servers against the model"),
        (
            Paragraph(
                say(
                    "A table with a row for each server: its users, its machine and what was "
                    "measured of it in a busy hour. Each is predicted without a look at what was "
                    "measured; the errors, and what they would change here, stand below."
                )
            ),
        ),
    ),
)


class RegistryPanel(_ChangesPanel):
    """Scores of several projects, without names, and what together they would change."""

    def __init__(
        self,
        session: Session,
        dialogs: Dialogs,
        score: Callable[[], Score | None],
        parent: QWidget,
    ) -> None:
        super().__init__(tr("Registry"), tr("Calibrate by the registry"), session, parent)
        self._dialogs, self._score = dialogs, score
        self.projects: tuple[ScoredProject, ...] = ()
        self.open = styled(QPushButton(tr("Open a registry or a score…"), self), "primary")
        self.open.clicked.connect(self._choose)
        self.add = QPushButton(tr("Add the score of this scenario"), self)
        self.add.clicked.connect(self._add_score)
        self.save = QPushButton(tr("Save the registry…"), self)
        self.save.clicked.connect(self._choose_place)
        for each in (self.add, self.save):
            each.setAutoDefault(False)
        self._lay_out(self.open, self.add, below=(self.save,))
        self._tell()

    def _choose(self) -> None:
        path = self._dialogs.open_file(
            tr("Open a registry or a score"), Path.home(), tr("JSON (*.json);;All files (*)")
        )
        if path is not None:
            self.read(path)

    def read(self, path: Path) -> None:
        """Adds the projects of a file; each counts once, however often it is read."""
        try:
            self.projects = added_up((*self.projects, *read_scored(path)))
        except SpokenError as error:
            self._dialogs.show_problem(local(error))
            return
        self._tell()

    def _add_score(self) -> None:
        score = self._score()
        if score is None:
            return
        try:
            self.projects = added_up((*self.projects, *_project_of(score)))
        except SpokenError as error:
            self._dialogs.show_problem(local(error))
            return
        self._tell()

    def scenario_changed(self) -> None:
        """The same, and whether anything measured of this scenario can be added."""
        super().scenario_changed()
        self.add.setEnabled(self._score() is not None)

    def _tell(self) -> None:
        would = changes(self.projects, MODEL_VERSION)
        self.save.setEnabled(bool(self.projects))
        self._show(registry_sections(self.projects, would, MODEL_VERSION), would)

    def _choose_place(self) -> None:
        path = self._dialogs.save_file(
            tr("Save the registry"), Path.home() / "registry.json", tr("JSON (*.json)"), ".json"
        )
        if path is not None:
            self._dialogs.write(path, json_text(registry_to_json(self.projects), 1).encode())


def _project_of(score: Score) -> tuple[ScoredProject, ...]:
    """A score as a project of a registry; none where nothing of it says anything of the model."""
    found = scored_of(score, MODEL_VERSION)
    return () if found is None else (found,)


def _read_servers(path: Path, _context: Context) -> ServerTable:
    """Runs in the background."""
    return read_own_servers(path)


def _predicted(
    table: ServerTable,
    basis: LoadBasis,
    knowledge: Knowledge,
    _context: Context,
) -> Against:
    """Runs in the background."""
    from resources.catalog_files import load_processors

    return against(
        table.servers, basis, knowledge.catalog, load_processors(), knowledge.calibration
    )

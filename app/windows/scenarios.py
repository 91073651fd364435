"""The scenarios of the project: each act is one named step."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.language import tr
from app.session import Session
from app.windows.dialogs import Dialogs
from app.windows.menus import ActionBook
from models.base.errors import ModelError
from models.project.project import Project
from models.scenario.scenario import Scenario


class ScenarioCommands(QObject):
    """Owner of the Scenario menu."""

    def __init__(self, session: Session, dialogs: Dialogs, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._dialogs = dialogs
        self._actions: ActionBook | None = None
        self._known = {entry.id: entry.scenario for entry in session.project.entries}
        self._gone: dict[str, str] = {}
        self._seen, self._before = session.project.active, ""
        session.project_changed.connect(self._project_changed)

    def set_actions(self, actions: ActionBook) -> None:
        self._actions = actions
        self._project_changed(self._session.project)

    def new(self) -> None:
        """An empty scenario under the policy of the one in view."""
        seen = self._session.scenario
        empty = Scenario(
            name="Scenario 1", policy=seen.policy, customer=seen.customer, author=seen.author
        )
        project = self._session.project.added(empty)
        self._session.edit_project(project, tr("Add scenario “{name}”", name=project.scenario.name))

    def duplicate(self) -> None:
        project = self._session.project
        name = project.scenario.name
        self._session.edit_project(
            project.duplicated(project.active), tr("Duplicate “{name}”", name=name)
        )

    def rename(self) -> None:
        project = self._session.project
        name = self._dialogs.ask_text(tr("Rename scenario"), tr("Name"), project.scenario.name)
        if name is None or name.strip() == project.scenario.name:
            return
        try:
            renamed = project.renamed(project.active, name)
        except ModelError as error:
            self._dialogs.show_problem(tr("Not renamed: {error}.", error=error))
            return
        self._session.edit_project(renamed, tr("Rename to “{name}”", name=renamed.scenario.name))

    def delete(self) -> None:
        project = self._session.project
        name = project.scenario.name
        try:
            self._session.edit_project(
                project.removed(project.active), tr("Delete “{name}”", name=name)
            )
        except ModelError as error:
            self._session.message.emit(tr("Not deleted: {error}.", error=error))

    def make_baseline(self) -> None:
        project = self._session.project
        name = project.scenario.name
        self._session.edit_project(
            project.with_baseline(project.active), tr("Use “{name}” as baseline", name=name)
        )

    def next(self) -> None:
        self._step(1)

    def previous(self) -> None:
        self._step(-1)

    def flip(self) -> None:
        """Shows the scenario that was in view before this one, and from there this one again."""
        project = self._session.project
        other = self._other(project)
        if other is None:
            self._session.message.emit(
                tr("There is one scenario; duplicate it to flip between two.")
            )
            return
        here = project.scenario.name
        self._session.show(other)
        there = self._session.scenario.name
        self._session.message.emit(
            tr("In view: “{there}”. Flip again for “{here}”.", there=there, here=here)
        )

    def _other(self, project: Project) -> str | None:
        """The one seen last, else the baseline, the parent, the neighbour."""
        there = [entry.id for entry in project.entries if entry.id != project.active]
        active = project.entry(project.active)
        wished = (self._before, project.baseline, active.parent)
        return next((id for id in wished if id in there), there[0] if there else None)

    def _note_view(self, project: Project) -> None:
        if project.active != self._seen:
            self._seen, self._before = project.active, self._seen

    def _step(self, step: int) -> None:
        ids = [entry.id for entry in self._session.project.entries]
        position = ids.index(self._session.project.active)
        self._session.show(ids[(position + step) % len(ids)])

    def _say(self, project: Project) -> None:
        """Says which scenario came or went, by whatever way: the window looks much the same."""
        before, now = self._known, {entry.id: entry.scenario for entry in project.entries}
        self._known = now
        kept = [id for id in before if id in now]
        if not kept or any(before[id] is not now[id] for id in kept):
            return
        for id in now.keys() - before.keys():
            verb = tr("Restored") if self._gone.pop(id, None) == now[id].name else tr("Added")
            self._session.message.emit(
                tr("{verb} scenario “{name}”.", verb=verb, name=now[id].name)
            )
        for id in before.keys() - now.keys():
            self._gone[id] = before[id].name
            self._session.message.emit(tr("Removed scenario “{name}”.", name=before[id].name))

    def _project_changed(self, project: Project) -> None:
        self._say(project)
        self._note_view(project)
        if self._actions is None:
            return
        several = len(project.entries) > 1
        for id in ("delete", "next", "previous", "flip"):
            self._actions[f"scenarios.{id}"].setEnabled(several)
        self._actions["scenarios.make_baseline"].setEnabled(project.baseline != project.active)

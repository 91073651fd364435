"""Projects and files: new, open, save, import, export. Errors are one sentence, work is kept.

What reads and writes files is imported when it is first needed: the window stands sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from app import __version__, crash
from app.language import local, tr
from app.memory import give_back
from app.session import Session
from app.settings import Settings
from app.windows.dialogs import (
    JSON_FILTER,
    PROJECT_FILTER,
    SAVE_FILTER,
    Answer,
    Dialogs,
    Instead,
)
from app.windows.frame import UNTITLED
from app.windows.menus import add_choice, hear_choice
from app.work import Context, Worker
from db.atomic import digest_of, stamp_of, write_atomically
from db.errors import ChangedContent, StoreError
from models.base.errors import ModelError
from models.base.texts import joined, opening
from models.catalog.catalog import Catalog
from models.predict.prediction import Prediction
from models.project.catalog_use import used_rows
from models.project.importing import as_imported, with_imported
from models.project.project import Entry, Project
from models.scenario.scenario import PRODUCTION, Scenario
from resources.example_files import Example, load_examples

NEW_NAME = "Scenario 1"
ANSWER_ENDING = ".html"
"""Of what is left with a customer, which leads back to its project."""
FAULTS = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError),
    *(RuntimeError, TypeError, ValueError),
)
"""What working out can come to that nobody foresaw."""

if TYPE_CHECKING:
    from app.windows.export import Export, Ready
    from app.windows.pages import PageStack
    from models.signing.signed import Signed


def empty_project() -> Project:
    return Project.of(Scenario(name=NEW_NAME, policy=PRODUCTION))


def example_project(example: Example) -> Project:
    """All scenarios of an example as one project; the first is in view and the baseline."""
    from db.codec import scenario_from_json

    scenarios = [scenario_from_json(f.text.encode(), name=f.name) for f in example.files]
    entries = tuple(
        Entry(id=f"s{number}", scenario=scenario)
        for number, scenario in enumerate(scenarios, start=1)
    )
    return Project(entries=entries, active="s1", baseline="s1" if len(entries) > 1 else None)


class FileCommands(QObject):
    """Owner of the File menu.

    Signals:
        opened: another project has taken the place of the one before.
        first_saved: the project has a file of its own from now on.
        import_wanted: paths that are to be read, and a table as text; both may be empty.
        proposal_wanted: somebody wants to see and write a proposal.
    """

    opened = Signal()
    first_saved = Signal()
    import_wanted = Signal(object, str)
    proposal_wanted = Signal()

    def __init__(
        self,
        session: Session,
        settings: Settings,
        worker: Worker,
        dialogs: Dialogs,
        pages: PageStack,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._pages = pages
        self._session = session
        self._settings = settings
        self._worker = worker
        self._dialogs = dialogs
        self._name = ""
        self._content = None if session.path is None else digest_of(session.path)

    @property
    def title(self) -> str:
        """What the project is called in the title bar."""
        path = self._session.path
        return path.name if path is not None else self._name or UNTITLED

    # ------------------------------------------------------------------ open

    def new(self) -> None:
        if self.may_close():
            self._begin(empty_project(), None)

    def open(self) -> None:
        if not self.may_close():
            return
        path = self._dialogs.open_file(tr("Open"), self._folder(), PROJECT_FILTER)
        if path is not None:
            self.open_path(path)

    def open_path(self, path: Path) -> bool:
        """Opens a project or scenario file; on failure says why and keeps what is open."""
        from db.door import check_ordinary
        from db.files import holds_project, open_any

        if path.suffix.lower() == ANSWER_ENDING:
            return self._open_answer(path)
        content = digest_of(path)  # before it is read, so that no later content passes for it
        try:
            check_ordinary(path)  # a pipe that nobody writes to would hold up the window
            project = open_any(path, self._session.known_catalog)
            is_project = path.is_file() and holds_project(path)
        except ChangedContent as error:
            return self._open_changed(path, error)
        except StoreError as error:
            self._dialogs.show_problem(f"{local(error)}.")
            if stamp_of(path) is None and stamp_of(path.parent) is not None:
                self._settings.forget_recent(path)
            return False
        if not self._begin(project, path if is_project else None, content=content, file=path.name):
            return False
        self._settings.add_recent(path)
        self._session.message.emit(tr("Opened {path}.", path=path.name))
        self._tell_what_changed()
        return True

    def _open_answer(self, path: Path) -> bool:
        """Opens the project that a page left with a customer is about."""
        from db.answers import hash_of, project_with
        from db.known_projects import read_known

        known = (each.path for each in read_known(self._settings.projects))
        paths = dict.fromkeys([*map(str, self._settings.recent), *known])
        try:
            found = project_with(hash_of(path), paths, self._session.known_catalog)
        except StoreError as error:
            self._dialogs.show_problem(f"{local(error)}.")
            return False
        if found is None:
            self._dialogs.show_problem(
                tr(
                    "No project that was open on this computer has the design of {name}. Open the "
                    "folder of its project on the first page.",
                    name=path.name,
                )
            )
            return False
        return self.open_path(found)

    def _tell_what_changed(self) -> None:
        """Says which numbers are others than in the last saved or signed state, if any are."""
        from app.exported import broken_exports
        from app.stated import changed
        from models.tell.stated import what_changed

        project = self._session.project
        sections = [
            what_changed(each.scenario, each.stated, each.differences, are_same=True)
            for each in changed(project, self._session.catalog)
        ]
        broken = tuple(broken_exports(project, by_inputs=False))
        if broken:
            self._dialogs.show_problem(f"{local(opening(joined('; ', broken)))}.")
        if sections:
            self._dialogs.show_sections(
                tr("Numbers are others now"),
                tr("The same inputs give other numbers than when this was last saved or exported."),
                sections,
            )

    def _open_changed(self, path: Path, error: ChangedContent) -> bool:
        """Offers what a damaged file still holds, as unsaved work apart from the file."""
        from db.files import open_any

        detail = tr(
            "Look through every figure before you rely on it, and save it under another name."
        )
        if not self._dialogs.ask_yes(
            f"{local(error)}.", detail, tr("Open it all the same"), tr("Leave it")
        ):
            return False
        try:
            project = open_any(path, self._session.known_catalog, as_it_is=True)
        except StoreError as reason:
            self._dialogs.show_problem(f"{local(reason)}.")
            return False
        return self.resume(project, None, tr("{stem} (damaged)", stem=path.stem))

    def open_example(self, id: str) -> None:
        """Opens a worked example as a new, unsaved project."""
        if not self.may_close():
            return
        example = next(each for each in load_examples() if each.id == id)
        title = local(example.title)
        self._begin(example_project(example), None, name=title)
        self._session.message.emit(tr("Example: {title}.", title=title))

    @property
    def content(self) -> str | None:
        """Digest of what the file held when it was opened or saved; None: not known."""
        return self._content

    def resume(
        self, project: Project, path: Path | None, name: str, content: str | None = None
    ) -> bool:
        """Opens recovered work, which goes on from what the file held with this digest: it counts
        as changed until it is saved."""
        return self._begin(project, path, content=content, name=name, is_saved=False)

    def _begin(
        self,
        project: Project,
        path: Path | None,
        *,
        content: str | None = None,
        name: str = "",
        file: str = "",
        is_saved: bool = True,
    ) -> bool:
        """Starts over with a project; an unsaved one may have a name of its own.

        It is worked out before anything of the one that is open gives way to it.
        """
        prediction = self._worked_out(project, file or name)
        if prediction is None:
            return False
        self._name, self._content = name, content
        self._session.open(project, path, is_saved=is_saved, prediction=prediction)
        self.opened.emit()
        return True

    def _worked_out(self, project: Project, name: str) -> Prediction | None:
        """What is predicted of a project; None, and said, where a fault comes of it.

        Whatever the fault is: what somebody sent must not end what is open.
        """
        try:
            return self._session.foreseen(project)
        except FAULTS as error:
            crash.write_log(error, error.__traceback__, crash.log_path())
            self._dialogs.show_problem(
                tr("“{name}” can’t be worked out, so that it was not opened.", name=name)
            )
            return None

    def fill_examples(self, menu: QMenu) -> None:
        for example in load_examples():
            action = add_choice(menu, local(example.title), example.id)
            action.setStatusTip(local(example.story))
        hear_choice(menu, self._example_chosen)

    def fill_recent(self, menu: QMenu) -> None:
        recent = self._settings.recent
        for path in recent:
            add_choice(menu, path.name, str(path)).setStatusTip(str(path))
        if recent:
            menu.addSeparator()
        add_choice(
            menu, tr("Clear this list") if recent else tr("Nothing yet"), None, enabled=bool(recent)
        )
        hear_choice(menu, self._recent_chosen)

    def _example_chosen(self, action: QAction) -> None:
        self.open_example(action.data())

    def _recent_chosen(self, action: QAction) -> None:
        if action.data() is None:
            self._settings.clear_recent()
        elif self.may_close():
            self.open_path(Path(action.data()))

    # ------------------------------------------------------------------ save

    def may_close(self) -> bool:
        """Asks about work that stands on a page alone, then about unsaved changes; False when the
        user wants to go on."""
        self._session.commit_typed()
        for name, work in self._pages.holding():
            if not self._dialogs.ask_yes(
                work, tr("It goes with the project that is open."), tr("Let it go"), tr("Go there")
            ):
                self._pages.bring(name)
                return False
        if not self._session.is_modified:
            return True
        answer = self._dialogs.ask_to_save(self.title)
        if answer is Answer.SAVE:
            return self.save()
        return answer is Answer.DISCARD

    def save(self) -> bool:
        path = self._session.path
        return self.save_as() if path is None else self.save_to(path)

    def save_as(self) -> bool:
        from db.project import ENDING

        path = self._dialogs.save_file(tr("Save as"), self.proposed(ENDING), SAVE_FILTER, ENDING)
        return path is not None and self.save_to(path)

    def save_to(self, path: Path) -> bool:
        """Writes the project; on failure says why, and what was in the file stays there.

        Another name is offered, unless no file could take it.
        """
        from app.stated import SAVED, with_stated
        from db.files import save_whole

        self._session.commit_typed()
        session = self._session
        if path == session.path and digest_of(path) not in (None, self._content):
            answer = self._ask_about_changed(path)
            if answer is not Instead.REPLACE:
                return answer is Instead.SAVE_AS and self.save_as()
        stated = with_stated(session.project, session.catalog, SAVED, datetime.now().astimezone())
        try:
            project = save_whole(path, stated, session.catalog, program_version=__version__)
        except StoreError as error:
            if error.field:
                self._dialogs.show_problem(f"{local(error)}.")
                return False
            answer = self._dialogs.ask_instead(f"{local(error)}.")
            return answer is Instead.SAVE_AS and self.save_as()
        self._content, is_first = digest_of(path), session.path is None
        self._session.saved(path, project)
        self._settings.add_recent(path)
        self._session.message.emit(tr("Saved {path}.", path=path.name))
        if is_first:
            self.first_saved.emit()
        return True

    def _ask_about_changed(self, path: Path) -> Instead:
        """Asks where the file is no longer the one that was opened or saved here."""
        return self._dialogs.ask_instead(
            tr("“{name}” has been changed elsewhere since you opened it.", name=path.name),
            tr("Replacing it loses what was changed there; save under another name to keep both."),
            may_replace=True,
        )

    # ------------------------------------------------------------------ import and export

    def import_files(self) -> None:
        """Opens the import page, empty."""
        self.import_wanted.emit((), "")

    def take_dropped(self, paths: Sequence[Path]) -> None:
        """What was dropped on the window: a project alone is opened, all else is read on the import
        page."""
        from db.project import ENDING

        if len(paths) == 1 and paths[0].suffix.lower() == ENDING:
            if self.may_close():
                self.open_path(paths[0])
        elif paths:
            self.import_wanted.emit(tuple(paths), "")

    def take_pasted(self, text: str) -> None:
        """A table that was pasted from a spreadsheet or a mail."""
        self.import_wanted.emit((), text)

    def import_path(self, path: Path) -> bool:
        """Adds the scenarios of a file to the project as one step."""
        from db.files import open_any

        self._session.commit_typed()
        catalog = self._session.catalog
        try:
            imported = open_any(path, catalog)
        except StoreError as error:
            self._dialogs.show_problem(f"{local(error)}.")
            return False
        together = with_imported(self._session.project, as_imported(imported), catalog)
        if self._worked_out(together, path.name) is None:
            return False
        self._session.edit_project(together, tr("Import {path}", path=path.name))
        return True

    def export_json(self) -> None:
        path = self._dialogs.save_file(
            tr("Export scenario"), self.proposed(".json"), JSON_FILTER, ".json"
        )
        if path is None:
            return
        from db.codec import scenario_to_json

        self._session.commit_typed()
        try:
            own = self._session.project.own_catalog
            write_atomically(path, scenario_to_json(self._session.scenario, own))
        except (StoreError, ModelError) as error:
            self._dialogs.show_problem(f"{local(error)}.")
            return
        self._session.message.emit(tr("Wrote {path}.", path=path.name))
        left_out = self._left_out()
        if left_out:
            self._dialogs.show_problem(
                tr(
                    "A scenario file holds no catalog entries: whoever opens {path} needs "
                    "{entries}. A project takes them along.",
                    path=path.name,
                    entries=", ".join(left_out),
                )
            )

    def _left_out(self) -> list[str]:
        """Names of the entries that the scenario in view uses and no other Headroom has."""
        session = self._session
        used = used_rows((session.scenario,), session.catalog).without(session.shipped_catalog)
        return [each.name for kind in Catalog.__slots__ for each in getattr(used, kind).values()]

    def export_proposal(self) -> None:
        """Opens the page of the proposal."""
        self._session.commit_typed()
        self._session.clear_preview()
        self.proposal_wanted.emit()

    def write_proposal(self, export: Export) -> None:
        """Writes a proposal in the background, of exactly what is on screen now."""
        from app.windows.export import order_of

        session = self._session
        session.commit_typed()
        session.clear_preview()
        session.flush()
        if not export.signed:
            self._name_people(export)
        try:
            name = self.title if session.path else ""
            order = order_of(session, export, name)
        except StoreError as error:
            self._dialogs.show_problem(f"{local(error)}.")
            return
        task = partial(_write_proposal, order, export)
        self._session.message.emit(tr("Writing the proposal…"))
        done = partial(self._proposal_done, session.token)
        self._worker.start(task, done, self._proposal_failed)

    def _name_people(self, export: Export) -> None:
        """The customer and the author whom the export asked for become the scenarios'."""
        project = self._session.project
        ids = export.entries or (project.active,)
        entries = tuple(export.named(e) if e.id in ids else e for e in project.entries)
        if entries != project.entries:
            named = replace(project, entries=entries)
            self._session.edit_project(named, tr("Name customer and author"))

    def _proposal_done(self, token: str, written: tuple[Export, str, Signed | None]) -> None:
        """What was signed is kept in the project that it is of, where that is still open."""
        from app.signed import with_kept

        export, notice, signed = written
        give_back()
        path = export.path
        if signed is not None and self._session.token == token:
            self._session.keep_signed(with_kept(self._session.project, signed))
        self._session.message.emit(tr("Wrote {path}.", path=path.name))
        if notice:
            self._dialogs.show_problem(local(notice))

    def _proposal_failed(self, error: Exception) -> None:
        from app.report.typesetter import ReportError

        if isinstance(error, StoreError | ReportError):
            self._dialogs.show_problem(f"{local(error)}.")
        else:
            raise error

    def _folder(self) -> Path:
        path = self._session.path
        return path.parent if path is not None else Path.home()

    # ------------------------------------------------------------------ problems

    def report_problem(self) -> None:
        """Shows a report without names, and saves it where its user wants it."""
        from app.problem import names_in, newest_faults, report_text, versions
        from app.windows.problem import ProblemDialog
        from models.version import MODEL_VERSION

        session = self._session
        session.commit_typed()
        project, faults = session.project, newest_faults(crash.log_path())
        names = names_in(project, session.path)
        facts = versions(MODEL_VERSION)
        parent = self.parent()
        assert isinstance(parent, QWidget)
        dialog = ProblemDialog(
            parent,
            lambda told: report_text(told, facts, project, faults, names),
            self._save_report,
        )
        dialog.open()

    def _save_report(self, text: str) -> bool:
        proposed = self._folder() / f"headroom-{tr('problem')}.txt"
        path = self._dialogs.save_file(tr("Save report"), proposed, tr("Text (*.txt)"), ".txt")
        if path is None:
            return False
        try:
            write_atomically(path, text.encode())
        except StoreError as error:
            self._dialogs.show_problem(f"{local(error)}.")
            return False
        self._session.message.emit(tr("Wrote {path}.", path=path.name))
        return True

    def proposed(self, ending: str) -> Path:
        """Where to save: beside the project, under its name or the customer's."""
        session = self._session
        known = session.path.stem if session.path else self._name or session.scenario.customer
        name = known or session.scenario.name
        if name == NEW_NAME:
            name = tr("Domino sizing")
        plain = name.replace(",", "")
        safe = "".join(letter if letter.isalnum() or letter in " -_." else " " for letter in plain)
        return self._folder() / f"{' '.join(safe.split())}{ending}"


def _write_proposal(
    order: Callable[[Context], Ready], export: Export, context: Context
) -> tuple[Export, str, Signed | None]:
    """Runs in the background; typesetting is imported there too, for it is heavy.

    Returns:
        what was written, what of it could not be printed as it was written, and what is kept.
    """
    from app.report.build import report

    ready = order(context)
    ending = export.path.suffix.lower()
    found = report(ready.pairs, ready.catalog, ending, ready.how)
    write_atomically(export.path, found.content)
    return export, found.notice, ready.signed

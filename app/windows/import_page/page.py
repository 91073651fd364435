"""The page itself: files above, choices at the left, what would be taken at the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QWidget,
)

from app.language import local, tr, trn
from app.session import Session
from app.widgets.labels import Empty
from app.widgets.parts import STRETCH, in_column, in_row
from app.widgets.sections.view import SectionsView
from app.windows.import_page.assume import AssumePanel
from app.windows.import_page.choosing import Choosing
from app.windows.import_page.columns import ColumnsPanel
from app.windows.import_page.files import FileRow, FileTable, shown_name
from app.windows.import_page.guesses import GuessPanel
from app.windows.import_page.reading import PASTED, Found, mapped, read, reason_of
from app.windows.import_page.rows import FirstRows
from app.windows.import_page.totals import TotalsDialog
from app.windows.pages import WorkingPage
from app.work import Task, Worker
from db.atomic import write_atomically
from db.errors import StoreError
from db.import_result import names_to_json
from db.importers.profile import Profile, profile_text, read_profile
from db.importers.registry import Told, UnknownKind, Unread, looked_for, titles
from db.importers.saved_profiles import keep_profile
from models.base.texts import joined, say_many
from models.catalog.catalog import Server
from models.intake.confirmed import with_confirmed
from models.intake.result import ImportResult
from models.intake.right_size import chosen, with_right_sizes
from models.project.catalog_use import catalog_for
from models.project.importing import with_imported
from models.project.project import Project
from models.scenario.scenario import Scenario
from models.scenario.wording import number
from models.tell.blocks import Section
from models.tell.imports import import_sections, unread_section

CHOICES_PX, FOUND_PX = 330, 950
"""Widths of both sides at first [px]."""
FILES = tr(
    "Exports, measurements, scenarios (*.xlsx *.csv *.tsv *.txt *.zip *.gz *.nmon *.out *.log "
    "*.json *.headroom);;All files (*)"
)
PROFILES = tr("Column profiles (*.toml)")


class ImportPage(WorkingPage):
    """Reads in the background; every choice shows at once what it would make of the files.

    Signals:
        ended: taken over or given up; the next files begin with a new page.
    """

    ended = Signal()

    def __init__(
        self,
        session: Session,
        paths: Sequence[Path],
        text: str,
        profiles: Path,
        parent: QWidget | None = None,
        worker: Worker | None = None,
    ) -> None:
        super().__init__(tr("Import"), tr("Stop"), parent, worker=worker)
        self.setAcceptDrops(True)
        self._session = session
        self._profiles = profiles
        self._names: list[str] = []
        self._text = text
        self._told: dict[str, Told] = {}
        self._found: Found | None = None
        self.result_shown: ImportResult | None = None
        self._make_parts()
        self._lay_out()
        self._hear()
        self._forget("")
        self._show_files()
        if paths or text:
            self.add_paths(paths, is_reading=bool(text))

    # ---------------------------------------------------------------- widgets

    def _make_parts(self) -> None:
        self.files = FileTable()
        self.add = QPushButton(tr("Add files…"))
        self.folder = QPushButton(tr("Add a folder…"))
        self.paste = QPushButton(tr("Paste a table"))
        self.totals = QPushButton(tr("Totals alone…"))
        self.totals.setToolTip(tr("Where nobody has a list: so many VMs, vCPUs, GiB and IOPS."))
        self.remove = QPushButton(tr("Remove"))
        self.choosing = Choosing()
        self.view = SectionsView(tr("What is taken"), self)
        self.rows = FirstRows()
        self.columns = ColumnsPanel()
        self.guesses = GuessPanel()
        self.assume = AssumePanel()
        self.answers = QTabWidget()
        self.answers.setAccessibleName(tr("Answers"))
        self.answers.setDocumentMode(True)
        for widget, title in (
            (self.view, tr("What is taken")),
            (self.guesses, tr("Domino and Sametime")),
            (self.assume, tr("Not measured")),
            (self.rows, tr("First rows")),
            (self.columns, tr("Columns")),
        ):
            self.answers.addTab(widget, title)
        self._drop = tr(
            "Drop files, folders or archives here, or paste any table of VMs. Known are {formats}, "
            "and scenarios of Headroom.",
            formats=local(titles()),
        )
        self.nothing = Empty("file-down", self._drop)
        self.right = QStackedWidget()
        self.right.addWidget(self.nothing)
        self.right.addWidget(self.answers)
        self.progress.setTextVisible(False)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.take = self.buttons.addButton(tr("Take over"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.take.setProperty("role", "primary")

    def _lay_out(self) -> None:
        parts = QSplitter()
        parts.addWidget(self.choosing)
        parts.addWidget(self.right)
        parts.setStretchFactor(1, 1)
        parts.setSizes([CHOICES_PX, FOUND_PX])
        parts.setChildrenCollapsible(False)
        acts = in_row().put(
            self.add, self.folder, self.paste, self.totals, self.remove, (STRETCH, 1)
        )
        below = in_row().put((self.state, 1), self.progress, self.stop, self.buttons)
        in_column(self, around=None).put(acts, self.files, (parts, 1), below)

    def _hear(self) -> None:
        self.add.clicked.connect(self._add_files)
        self.folder.clicked.connect(self._add_folder)
        self.paste.clicked.connect(self.paste_table)
        self.totals.clicked.connect(self.ask_totals)
        self.remove.clicked.connect(self._remove)
        self.files.kind_chosen.connect(self._choose_kind)
        self.files.letters_chosen.connect(self._choose_letters)
        self.files.currentCellChanged.connect(self._show_columns)
        self.choosing.changed.connect(self.show_result)
        self.choosing.guesses.clicked.connect(self._open_guesses)
        self.choosing.assume.clicked.connect(self._open_assume)
        self.guesses.changed.connect(self._show_guesses)
        self.assume.changed.connect(self._show_assumed)
        self.guesses.ties.changed.connect(self.show_result)
        self.columns.applied.connect(self._apply_profile)
        self.columns.load_wanted.connect(self._load_profile)
        self.columns.save_wanted.connect(self._save_profile)
        self.take.clicked.connect(self.take_over)
        self.buttons.rejected.connect(self.discard)

    # ---------------------------------------------------------------- files

    def _add_files(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, tr("Import"), "", FILES)
        self.add_paths(list(map(Path, names)))

    def _add_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, tr("Import a folder"))
        self.add_paths([Path(name)] if name else [])

    def add_paths(self, paths: Sequence[Path], *, is_reading: bool = False) -> None:
        """Further files, each once.

        Args:
            is_reading: read even where none of them is new.
        """
        new = [name for name in dict.fromkeys(map(str, paths)) if name not in self._names]
        self._names += new
        if new or is_reading:
            self.read()

    def bring_in(self, paths: Sequence[Path], text: str) -> None:
        """What somebody dropped on the window, or pasted there."""
        self._text = text or self._text
        self.add_paths(paths, is_reading=bool(text))

    def discard(self) -> None:
        """Back to the board; no file is left here, and no choice for the next ones."""
        self._names, self._text, self._told = [], "", {}
        self.read()
        self.leave()
        self.ended.emit()

    @property
    def is_busy(self) -> bool:
        return self.work.is_running

    def paste_table(self) -> None:
        """A table that was copied out of a spreadsheet or a mail; it replaces one before it."""
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            self._say(tr("There is no text to paste: copy a table first."))
            return
        self._text = text
        self.read()

    def ask_totals(self) -> TotalsDialog:
        """A form for totals, which are read as a text that was pasted."""
        form = TotalsDialog(self)
        form.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        form.stated.connect(self._take_totals)
        form.open()
        return form

    def _take_totals(self, text: str) -> None:
        self._text = text
        self.read()

    def _remove(self) -> None:
        name = self.files.current
        if name == PASTED:
            self._text = ""
        elif name:
            self._names.remove(name)
        self._told.pop(name, None)
        if name:
            self.read()

    @property
    def names(self) -> tuple[str, ...]:
        """What is to be read, as it was named, what was pasted last."""
        return (*self._names, *([PASTED] if self._text else []))

    def _show_files(self) -> None:
        told = self._told
        rows = [FileRow(each, told.get(each, Told())) for each in self.names]
        self.files.show_rows(rows, self._found)
        self.files.setVisible(bool(rows))
        self.remove.setEnabled(bool(rows))

    def _choose_kind(self, name: str, kind: str | None) -> None:
        self._tell(name, replace(self._told.get(name, Told()), kind=kind))

    def _choose_letters(self, name: str, encoding: str | None) -> None:
        self._tell(name, replace(self._told.get(name, Told()), encoding=encoding))

    def _tell(self, name: str, told: Told) -> None:
        self._told[name] = told
        self.read()

    # ---------------------------------------------------------------- columns

    def _show_columns(self, *_where: int) -> None:
        """The columns of the file that is chosen, else of the first whose columns can be told."""
        tables = {} if self._found is None else self._found.tables
        name = self.files.current
        self._explained = name if name in tables else next(iter(tables), "")
        self.answers.setTabVisible(self.answers.indexOf(self.columns), bool(self._explained))
        if self._explained:
            told = self._told.get(self._explained, Told())
            kept = None if self._found is None else self._found.kept.get(self._explained)
            name = shown_name(self._explained)
            self.columns.show_tables(name, tables[self._explained], told.profile or kept)

    def _apply_profile(self, profile: Profile) -> None:
        if not profile.columns:
            self._say(tr("Say what at least one column is."))
            return
        try:
            keep_profile(self._profiles, profile)
        except StoreError as error:
            self._session.message.emit(f"{local(error)}.")
        told = self._told.get(self._explained, Told())
        self._tell(self._explained, replace(told, kind=None, profile=profile))

    def _load_profile(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, tr("Column profile"), "", PROFILES)
        if not name:
            return
        try:
            profile = read_profile(name)
        except StoreError as error:
            self._say(f"{local(error)}.")
            return
        self.columns.show_profile(profile)
        self._apply_profile(profile)

    def _save_profile(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, tr("Column profile"), "columns.toml", PROFILES)
        if name:
            text = profile_text(self.columns.profile())
            self._write(Path(name), text.encode())

    def _write(self, path: Path, data: bytes, *, is_secret: bool = False) -> bool:
        try:
            write_atomically(path, data, is_secret=is_secret)
        except StoreError as error:
            self._say(f"{local(error)}.")
            return False
        self._say(tr("Wrote {path}.", path=path.name))
        return True

    # ---------------------------------------------------------------- reading

    def read(self) -> None:
        """Reads the files in the background."""
        self.give_up()
        self._found = None
        self._forget("")
        self._show_files()
        if self.names:
            task = partial(
                read,
                tuple(self._names),
                self._text,
                dict(self._told),
                self._session.catalog,
                self._profiles,
            )
            self._start(task, self._was_read, tr("Reading…"))

    def _was_read(self, found: Found) -> None:
        self._found = found
        self._show_files()
        self._show_columns()
        self.show_result()

    def show_result(self) -> None:
        """Makes of what was read what the choices say, in the background."""
        self.give_up()
        if self._found is not None:
            ties = self.guesses.ties
            options = replace(self.choosing.options(), same=ties.same, as_vms=ties.as_vms)
            name = tr("Pasted") if not self._names else Path(self._names[0]).stem
            task = partial(
                mapped,
                self._found.records,
                options,
                self._session.known_catalog,
                tr("Import") if options.has_pseudonyms else name,
            )
            self._start(task, self._show, tr("Working it out…"))

    def _show(self, result: ImportResult | None) -> None:
        found = self._found
        assert found is not None
        self.result_shown = result
        self.view.show_sections(self._sections(found, result))
        self.rows.show_records(
            () if result is None else result.sources, has_names=bool(result and result.aliases)
        )
        self.answers.setTabVisible(self.answers.indexOf(self.rows), self.rows.is_filled)
        self.right.setCurrentWidget(self.answers)
        self.choosing.show_result(result)
        self.guesses.show_result(result)
        self._show_guesses()
        self.choosing.setVisible(result is not None)
        has_vms = result is not None and bool(result.scenario.items())
        self.take.setEnabled(has_vms or bool(found.projects))
        self._say(self._summary(found, result))
        if result is None and found.tables:
            self.answers.setCurrentWidget(self.columns)

    def _open_assume(self) -> None:
        self.answers.setCurrentWidget(self.assume)

    def _show_assumed(self) -> None:
        """How many VMs are left without figures, after what is said of them elsewhere."""
        result = self.result_shown
        scenario = None if result is None else self._sized(result)
        self.assume.show_scenario(
            scenario, self._servers(result), {} if result is None else result.traits
        )
        is_filled = self.assume.is_filled and result is not None
        self.answers.setTabVisible(self.answers.indexOf(self.assume), is_filled)
        self.choosing.show_assumed(self.assume.words() if is_filled else "")

    def _servers(self, result: ImportResult | None) -> Mapping[str, Server]:
        own = {} if result is None else result.own_catalog.servers
        return {**self._session.known_catalog.servers, **own}

    def _open_guesses(self) -> None:
        self.answers.setCurrentWidget(self.guesses)

    def _show_guesses(self) -> None:
        is_filled = self.guesses.is_filled
        self.answers.setTabVisible(self.answers.indexOf(self.guesses), is_filled)
        self.choosing.show_guesses(self.guesses.words() if is_filled else "")
        self._show_assumed()

    def _sections(self, found: Found, result: ImportResult | None) -> tuple[Section, ...]:
        sections = () if result is None else import_sections(result, is_listed=True)
        if not found.problems:
            return sections
        is_unknown = any(isinstance(each.error, UnknownKind) for each in found.problems)
        unread = unread_section(
            {_shown(each): reason_of(each) for each in found.problems},
            tables=list(map(shown_name, found.tables)),
            looked_for=looked_for() if is_unknown else "",
        )
        return (unread, *sections)

    def _summary(self, found: Found, result: ImportResult | None) -> str:
        told = []
        if result is not None:
            told.append(tr("{what} would be taken.", what=_counted(result)))
        if found.projects:
            count = sum(len(each.entries) for each in found.projects.values())
            told.append(tr("Scenarios to be added: {count}.", count=local(number(count))))
        if found.kept:
            names = ", ".join(map(shown_name, found.kept))
            told.append(tr("Columns as you said before: {names}.", names=names))
        if found.problems:
            count = len(found.problems)
            told.append(tr("Not read: {count}.", count=local(number(count))))
        return " ".join(told)

    # ---------------------------------------------------------------- running

    def _start(self, task: Task, done: Any, words: str) -> None:
        self._say(words)
        self.take.setEnabled(False)
        self.work.start(task, done, self.failed, self._progressed)

    def _progressed(self, share: float) -> None:
        self.progress.setRange(0, 100)
        self.progress.setValue(round(share * 100))

    def failed(self, error: Exception) -> None:
        self._found = None
        self._forget("")
        super().failed(error)

    def holds_work(self) -> str:
        count = len(self.names)
        if not count:
            return ""
        return trn(
            "“Import” has {count} file that isn’t taken over.",
            "“Import” has {count} files that aren’t taken over.",
            count,
        )

    def give_up(self) -> None:
        """Stops whatever is under way; what was read before is kept."""
        if not self.work.is_running:
            return
        super().give_up()
        self._say(tr("Stopped."))
        if self._found is None:
            self._show_files()

    def _forget(self, words: str) -> None:
        self.result_shown = None
        self.view.show_sections(())
        self.rows.show_records(())
        self.choosing.hide()
        self._show_columns()
        self.right.setCurrentWidget(self.nothing)
        self.nothing.say(tr("Reading…") if self.names and not words else self._drop)
        self.take.setEnabled(False)
        self.show_work()
        self._say(words)

    def show_work(self) -> None:
        self.progress.setRange(0, 0)
        super().show_work()

    def _say(self, words: str) -> None:
        self.state.setText(words)

    # ---------------------------------------------------------------- taking over

    def take_over(self) -> None:
        """What is shown becomes scenarios of the project, in one step that can be undone."""
        found, result = self._found, self.result_shown
        if found is None or not (result or found.projects):
            return
        if result is not None and result.aliases and not self._keep_names(result):
            return
        session = self._session
        session.commit_typed()
        project, names = session.project, []
        parts = [(Path(name).name, each) for name, each in found.projects.items()]
        if result is not None and result.scenario.items():
            parts.append((result.scenario.name, self._project(result)))
        for name, part in parts:
            known = catalog_for(project, session.known_catalog)
            project = with_imported(project, part, known)
            names.append(name)
        session.edit_project(project, tr("Import {name}", name=", ".join(names)))
        session.message.emit(self._taken(found, result))
        self.discard()

    def _project(self, result: ImportResult) -> Project:
        """What was read as a project, with what somebody said of its servers."""
        scenario = self.assume.assumed(self._sized(result), self._servers(result), result.traits)
        return replace(Project.of(scenario), own_catalog=result.own_catalog)

    def _sized(self, result: ImportResult) -> Scenario:
        """With what somebody said of its servers, and the sizes that are chosen."""
        scenario = with_confirmed(result.scenario, result.guesses, self.guesses.confirmed)
        return with_right_sizes(scenario, chosen(result.right_sizes, result.options.sizes))

    def _keep_names(self, result: ImportResult) -> bool:
        """Asks where the real names go, beside the project: without them nobody could tell."""
        name, _ = QFileDialog.getSaveFileName(
            self,
            tr("Save the real names behind the invented ones"),
            str(self._beside()),
            tr("Names (*.json)"),
        )
        if not name:
            self._say(tr("Nothing was taken: the real names need a file of their own."))
            return False
        return self._write(Path(name), names_to_json(result), is_secret=True)

    def _beside(self) -> Path:
        path = self._session.path
        return Path("import.names.json") if path is None else path.with_suffix(".names.json")

    def _taken(self, found: Found, result: ImportResult | None) -> str:
        if result is None:
            return tr("Imported {names}.", names=", ".join(Path(n).name for n in found.projects))
        return tr("Imported: {what}.", what=_counted(result))

    # ---------------------------------------------------------------- events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste):
            self.paste_table()
        elif event.key() == Qt.Key.Key_Delete and self.files.hasFocus():
            self._remove()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        urls = event.mimeData().urls()
        event.acceptProposedAction()
        self.add_paths([Path(url.toLocalFile()) for url in urls if url.isLocalFile()])


def _shown(problem: Unread) -> str:
    return shown_name(problem.named) if problem.file == problem.named else problem.file


def _counted(result: ImportResult) -> str:
    """VMs and hosts as words."""
    vms, hosts = result.taken, len(result.scenario.hosts)
    told = (
        say_many("{count} VM", "{count} VMs", vms, count=number(vms)),
        say_many("{count} host", "{count} hosts", hosts, count=number(hosts)),
    )
    return local(joined(", ", told))

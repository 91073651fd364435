"""The import page: files of a customer, and what would be taken of them, before it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.language import local, tr
from app.session import Session
from app.widgets.fields import Dropdown
from app.widgets.sections import SectionsView
from app.work import Cancelled, Context, Worker
from db.atomic import write_atomically
from db.errors import StoreError
from db.importers.inventory import guessed_profile
from db.importers.opening import open_source, open_text
from db.importers.profile import Profile, profile_text, read_profile
from db.importers.registry import importers, read_files, read_opened
from db.importers.tables import tables_of
from db.importers.watch import Cancelled as GivenUp
from db.importers.watch import Watch
from models.catalog import Catalog
from models.importing import with_imported
from models.intake.mapping import imported
from models.intake.options import PERCENTILES, REASON_WORDS, DiskBasis, Options
from models.intake.records import Records
from models.intake.result import ImportResult
from models.project import Project
from models.tell.imports import import_sections
from models.wording import number
from resources.catalog_files import load_processors

SIZE = QSize(1200, 760)
PREVIEW_ROWS = 200
FILES = tr(
    "Exports and measurements (*.xlsx *.csv *.zip *.txt *.tsv *.nmon *.out *.log *.json);;"
    "All files (*)"
)
GIB_PER_MIB = 1.0 / 1024.0
PASTED = "pasted"


class ImportPage(QDialog):
    """Reads in the background; every choice shows at once what it would make of the files."""

    def __init__(
        self,
        session: Session,
        paths: Sequence[Path] = (),
        text: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Import"))
        self._session = session
        self._worker = Worker(parent=self)
        self._token: int | None = None
        self._paths = list(paths)
        self._text = text
        self._profile: Profile | None = None
        self._records: list[Records] = []
        self.result_shown: ImportResult | None = None
        self._make_choices()
        self._make_answers()
        self._lay_out()
        self._hear()
        self.resize(SIZE.boundedTo(self.screen().availableGeometry().size()))
        self._show_files()
        if self._paths or self._text:
            self.read()

    # ---------------------------------------------------------------- widgets

    def _make_choices(self) -> None:
        self.files = QListWidget()
        self.files.setAccessibleName(tr("Files"))
        self.files.setMaximumHeight(110)
        self.add = QPushButton(tr("Add files…"))
        self.folder = QPushButton(tr("Add a folder…"))
        self.remove = QPushButton(tr("Remove"))
        self.kind = Dropdown()
        self.kind.addItem(tr("as their content says"), None)
        for kind in importers():
            self.kind.addItem(kind, kind)
        self.columns = QPushButton(tr("Column profile…"))
        self.save_columns = QPushButton(tr("Save the columns as they were found…"))
        self.reasons = {
            reason: QCheckBox(tr("take what is: {reason}", reason=local(words)))
            for reason, words in REASON_WORDS.items()
        }
        self.disk = Dropdown()
        for basis in DiskBasis:
            self.disk.addItem(local(basis.label), basis.value)
        self.percentile = Dropdown()
        for each in PERCENTILES:
            words = {0: tr("mean"), 100: tr("peak")}.get(each, tr("{each} %", each=each))
            self.percentile.addItem(words, each)
        self.percentile.setCurrentIndex(PERCENTILES.index(Options().percentile))
        self.pseudonyms = QCheckBox(tr("invented names in place of the real ones"))
        self.guesses = QListWidget()
        self.guesses.setAccessibleName(tr("May be Domino or Sametime"))
        self.guesses.setMaximumHeight(120)

    def _make_answers(self) -> None:
        self.state = QLabel()
        self.state.setWordWrap(True)
        self.progress = QProgressBar()
        self.stop = QPushButton(tr("Stop"))
        self.view = SectionsView(tr("What is taken"), self)
        self.preview = QTabWidget()
        self.preview.setDocumentMode(True)
        self.answers = QTabWidget()
        self.answers.addTab(self.view, tr("What is taken"))
        self.answers.addTab(self.preview, tr("First rows"))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.take = self.buttons.addButton(tr("Take over"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.take.setEnabled(False)

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.addWidget(self.files)
        row = QHBoxLayout()
        for button in (self.add, self.folder, self.remove):
            row.addWidget(button)
        column.addLayout(row)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(tr("Kind"), self.kind)
        form.addRow(tr("Space of a VM"), self.disk)
        form.addRow(tr("Of measured series"), self.percentile)
        column.addLayout(form)
        for box in (*self.reasons.values(), self.pseudonyms):
            column.addWidget(box)
        column.addWidget(QLabel(tr("Confirm those that are Domino or Sametime:")))
        column.addWidget(self.guesses)
        column.addWidget(self.columns)
        column.addWidget(self.save_columns)
        column.addStretch(1)
        right = QWidget()
        beside = QVBoxLayout(right)
        head = QHBoxLayout()
        head.addWidget(self.state, 1)
        head.addWidget(self.progress)
        head.addWidget(self.stop)
        beside.addLayout(head)
        beside.addWidget(self.answers, 1)
        beside.addWidget(self.buttons)
        parts = QSplitter()
        parts.addWidget(left)
        parts.addWidget(right)
        parts.setStretchFactor(1, 1)
        parts.setSizes([380, 820])
        QVBoxLayout(self).addWidget(parts)
        self._show_running(is_running=False)

    def _hear(self) -> None:
        self.add.clicked.connect(self._add_files)
        self.folder.clicked.connect(self._add_folder)
        self.remove.clicked.connect(self._remove)
        self.kind.currentIndexChanged.connect(self.read)
        self.columns.clicked.connect(self._pick_profile)
        self.save_columns.clicked.connect(self._save_profile)
        for box in (*self.reasons.values(), self.pseudonyms):
            box.toggled.connect(self.show_result)
        for choice in (self.disk, self.percentile):
            choice.currentIndexChanged.connect(self.show_result)
        self.stop.clicked.connect(self.give_up)
        self.take.clicked.connect(self.take_over)
        self.buttons.rejected.connect(self.reject)

    # ---------------------------------------------------------------- files

    def _add_files(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, tr("Import"), "", FILES)
        self.add_paths(list(map(Path, names)))

    def _add_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, tr("Import a folder"))
        self.add_paths([Path(name)] if name else [])

    def add_paths(self, paths: Sequence[Path]) -> None:
        """Further files, each once."""
        new = [path for path in paths if path not in self._paths]
        if new:
            self._paths += new
            self._show_files()
            self.read()

    def _remove(self) -> None:
        row = self.files.currentRow()
        if row < 0:
            return
        if row < len(self._paths):
            del self._paths[row]
        else:
            self._text = ""
        self._show_files()
        self.read()

    def _show_files(self) -> None:
        self.files.clear()
        for path in self._paths:
            item = QListWidgetItem(path.name, self.files)
            item.setToolTip(str(path))
        if self._text:
            QListWidgetItem(tr("pasted table"), self.files)

    def _pick_profile(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, tr("Column profile"), "", tr("Column profiles (*.toml)")
        )
        if not name:
            return
        try:
            self._profile = read_profile(name)
        except StoreError as error:
            self._say(f"{local(error)}.")
            return
        self.read()

    def _save_profile(self) -> None:
        """What the columns of the first file were taken for, to be changed and used again."""
        name, _ = QFileDialog.getSaveFileName(
            self, tr("Column profile"), "columns.toml", tr("Column profiles (*.toml)")
        )
        if name:
            self.save_profile(Path(name))

    def save_profile(self, path: Path) -> None:
        try:
            watch = Watch()
            opened = (
                open_source(self._paths[0], watch)
                if self._paths
                else (open_text(self._text, PASTED, watch),)
            )
            table = next(iter(tables_of(opened[0]).values()))
            write_atomically(path, profile_text(guessed_profile(table)).encode("utf-8"))
        except (StoreError, StopIteration, IndexError) as error:
            self._say(
                tr("There is no table to save the columns of.")
                if not isinstance(error, StoreError)
                else f"{local(error)}."
            )
            return
        self._say(tr("Wrote {path}.", path=path.name))

    # ---------------------------------------------------------------- reading

    def read(self) -> None:
        """Reads the files in the background."""
        self.give_up()
        self._records = []
        if not (self._paths or self._text):
            self._forget(tr("Drop files here, or add some."))
            return
        kind = self.kind.currentData()
        task = partial(_read, tuple(self._paths), self._text, kind, self._profile)
        self._start(task, self._was_read, tr("Reading…"))

    def _was_read(self, records: list[Records]) -> None:
        self._token, self._records = None, records
        self._show_previews()
        self.show_result()

    def show_result(self) -> None:
        """Makes of what was read what the choices say, in the background."""
        self.give_up()
        if not self._records:
            return
        name = self._paths[0].stem if self._paths else tr("Pasted")
        task = partial(_mapped, self._records, self.options(), self._session.known_catalog, name)
        self._start(task, self._show, tr("Working it out…"))

    def options(self) -> Options:
        """What is chosen."""
        return Options(
            taken=frozenset(each for each, box in self.reasons.items() if box.isChecked()),
            disk=DiskBasis(self.disk.currentData()),
            percentile=int(self.percentile.currentData()),
            has_pseudonyms=self.pseudonyms.isChecked(),
        )

    def _show(self, result: ImportResult) -> None:
        self._token, self.result_shown = None, result
        self._show_running(is_running=False)
        self.view.show_sections(import_sections(result))
        self.take.setEnabled(bool(result.scenario.items()))
        for reason, box in self.reasons.items():
            count = number(result.left_out.get(reason, 0))
            words = local(REASON_WORDS[reason])
            box.setText(tr("take what is: {reason} ({count})", reason=words, count=local(count)))
        for place, basis in enumerate(DiskBasis):
            space = result.spaces.get(basis)
            words = local(basis.label)
            if space is not None:
                gib = local(number(space * GIB_PER_MIB))
                words = tr("{basis}: {gib} GiB", basis=words, gib=gib)
            self.disk.setItemText(place, words)
        self._show_guesses(result)
        self._say(
            tr(
                "{vms} VMs and {hosts} hosts would be taken.",
                vms=local(number(result.taken)),
                hosts=local(number(result.totals.hosts)),
            )
        )

    def _show_guesses(self, result: ImportResult) -> None:
        kept = self.confirmed
        self.guesses.clear()
        for each in result.guesses:
            item = QListWidgetItem(f"{each.name}: {local(each.why)}", self.guesses)
            item.setData(Qt.ItemDataRole.UserRole, each.name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            is_kept = each.name in kept
            item.setCheckState(Qt.CheckState.Checked if is_kept else Qt.CheckState.Unchecked)

    @property
    def confirmed(self) -> tuple[str, ...]:
        """Names of the VMs that somebody says are Domino or Sametime servers."""
        items = [self.guesses.item(row) for row in range(self.guesses.count())]
        return tuple(
            str(item.data(Qt.ItemDataRole.UserRole))
            for item in items
            if item.checkState() is Qt.CheckState.Checked
        )

    def _show_previews(self) -> None:
        self.preview.clear()
        for records in self._records:
            for each in records.previews:
                table = QTableWidget(min(len(each.rows), PREVIEW_ROWS), len(each.head))
                table.setHorizontalHeaderLabels([str(head) for head in each.head])
                table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
                for row, cells in enumerate(each.rows[:PREVIEW_ROWS]):
                    for column, cell in enumerate(cells[: len(each.head)]):
                        table.setItem(row, column, QTableWidgetItem(str(cell)))
                self.preview.addTab(table, each.table)

    # ---------------------------------------------------------------- running

    def _start(self, task: object, done: object, words: str) -> None:
        self._say(words)
        self._show_running(is_running=True)
        self.take.setEnabled(False)
        self._token = self._worker.start(task, done, self._failed, self._progressed)  # type: ignore[arg-type]

    def _progressed(self, share: float) -> None:
        self.progress.setValue(round(share * 100))

    def _failed(self, error: Exception) -> None:
        self._token = None
        self._forget("")
        if not isinstance(error, StoreError):
            raise error
        self._say(f"{local(error)}.")

    def give_up(self) -> None:
        if self._token is not None:
            self._worker.cancel(self._token)
            self._token = None
        self._show_running(is_running=False)

    def _forget(self, words: str) -> None:
        self.result_shown = None
        self.view.show_sections(())
        self.preview.clear()
        self.take.setEnabled(False)
        self._show_running(is_running=False)
        self._say(words)

    def _show_running(self, *, is_running: bool) -> None:
        self.progress.setVisible(is_running)
        self.stop.setVisible(is_running)

    def _say(self, words: str) -> None:
        self.state.setText(words)

    # ---------------------------------------------------------------- taking over

    def take_over(self) -> None:
        """What is shown becomes scenarios of the project, in one step that can be undone."""
        result = self.result_shown
        if result is None:
            return
        session = self._session
        session.commit_typed()
        scenario = result.scenario
        if self.confirmed:
            told = tr("Confirmed as Domino or Sametime: {names}.", names=", ".join(self.confirmed))
            scenario = replace(scenario, notes="\n".join(filter(None, (scenario.notes, told))))
        project = replace(Project.of(scenario), own_catalog=result.own_catalog)
        together = with_imported(session.project, project, session.catalog)
        session.edit_project(together, tr("Import {name}", name=scenario.name))
        session.message.emit(
            tr(
                "Imported {vms} VMs on {hosts} hosts.",
                vms=local(number(result.taken)),
                hosts=local(number(result.totals.hosts)),
            )
        )
        self.accept()

    def done(self, result: int) -> None:
        """However it is closed, it comes by here."""
        self.give_up()
        super().done(result)


def _read(
    paths: tuple[Path, ...], text: str, kind: str | None, profile: Profile | None, context: Context
) -> list[Records]:
    """Runs in the background.

    Raises:
        StoreError: a file can't be read, or is of no known kind.
    """

    def is_cancelled() -> bool:
        try:
            context.check()
        except Cancelled:
            return True
        return False

    watch = Watch(is_cancelled=is_cancelled, report=context.report)
    try:
        found = read_files(paths, watch, kind=kind, profile=profile) if paths else []
        if text:
            opened = replace(open_text(text, PASTED, watch), profile=profile)
            found += read_opened({PASTED: [opened]}, kind=kind)
    except GivenUp:
        raise Cancelled from None
    return found


def _mapped(
    records: list[Records], options: Options, catalog: Catalog, name: str, context: Context
) -> ImportResult:
    context.check()
    return imported(records, options, catalog, load_processors().values(), name=name)

"""The window of the *Advisors*: topics, a form, and the answer."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import fields
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.cli_advise import knowledge
from app.language import local, tr
from app.session import Session
from app.settings import Settings
from app.widgets.advisor_form import AdvisorForm
from app.widgets.sections import SectionsView
from app.windows.dialogs import Dialogs, without_icons
from db.advice import MOST_BYTES, inputs_from, inputs_to_json, kept_inputs, table_to_csv
from db.atomic import write_atomically
from db.errors import StoreError, refused
from models.advise.advice import Advice, Topic, advise
from models.advise.topics import TOPICS
from models.errors import ModelError
from models.tell.advice import advice_sections
from models.texts import SpokenError

SIZE = (1240, 760)
PASTE_HEIGHT = 120


class AdvisorPage(QWidget):
    """One topic: what is asked, and what follows."""

    def __init__(
        self,
        topic: Topic,
        dialogs: Dialogs,
        session: Session | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.topic, self._dialogs, self._session = topic, dialogs, session
        self._knowledge = knowledge()
        self.answer: Advice | None = None
        self.about = QLabel(local(topic.about), self)
        self.about.setWordWrap(True)
        self.form = AdvisorForm(topic, self._knowledge.catalog, self)
        self.form.changed.connect(self.ask)
        self.pasted = QPlainTextEdit(self)
        self.pasted.setTabChangesFocus(True)
        self.pasted.setFixedHeight(PASTE_HEIGHT)
        self.load = QPushButton(tr("Open a file…"), self)
        self.load.clicked.connect(self._open)
        self.work_out = QPushButton(tr("Work it out"), self)
        self.work_out.clicked.connect(self.ask)
        self.example = QPushButton(tr("Example"), self)
        self.example.clicked.connect(self._show_example)
        self.save = QPushButton(tr("Save as CSV…"), self)
        self.save.clicked.connect(self._save)
        self.board = QPushButton(local(topic.board_text or ""), self)
        self.board.clicked.connect(self._put_on_board)
        self.kept = QCheckBox(tr("In the proposal, as migration notes"), self)
        self.kept.toggled.connect(self._keep)
        self.refusal = QLabel("", self)
        self.refusal.setWordWrap(True)
        self.view = SectionsView(local(topic.title), self)
        self._lay_out()
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)
        self._show_kept()
        self.ask()

    def _lay_out(self) -> None:
        left = QWidget(self)
        column = QVBoxLayout(left)
        column.addWidget(self.about)
        is_pasted = self.topic.read is not None
        self.pasted.setVisible(is_pasted)
        self.load.setVisible(is_pasted)
        if self.topic.paste is not None:
            self.pasted.setPlaceholderText(local(self.topic.paste))
            self.pasted.setAccessibleName(local(self.topic.paste))
            column.addWidget(self.pasted)
            column.addWidget(self.load)
        column.addWidget(self.form, 1)
        buttons = QHBoxLayout()
        for button in (self.work_out, self.example):
            buttons.addWidget(button)
        buttons.addStretch()
        column.addLayout(buttons)
        right = QWidget(self)
        beside = QVBoxLayout(right)
        beside.addWidget(self.refusal)
        beside.addWidget(self.view, 1)
        self.save.setVisible(bool(self.topic.saved))
        self.board.setVisible(self.topic.board is not None and self._session is not None)
        below = QHBoxLayout()
        below.addWidget(self.kept)
        below.addStretch()
        below.addWidget(self.board)
        below.addWidget(self.save)
        beside.addLayout(below)
        parts = QSplitter(Qt.Orientation.Horizontal, self)
        for part in (left, right):
            parts.addWidget(part)
        parts.setStretchFactor(1, 1)
        parts.setSizes([330, 700])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(parts)

    def ask(self) -> None:
        """Works the answer out from what was pasted and entered."""
        try:
            inputs = inputs_from(self.topic, self._document(), name="")
            self.answer = advise(self.topic, inputs, self._knowledge)
        except ModelError as error:
            self._refuse(refused(error, ""))
            return
        except StoreError as error:
            self._refuse(error)
            return
        self.refusal.hide()
        self.save.setEnabled(True)
        self.board.setEnabled(True)
        self.view.show_sections(advice_sections(self.topic, self.answer))
        if self.kept.isChecked():
            self._keep()

    def _keep(self) -> None:
        """The proposal has the answer to these inputs while this is ticked; the project keeps
        them."""
        if self._session is None:
            return
        wanted = self.kept.isChecked() and self.answer is not None
        self._session.keep_advice(self.topic.id, self._document() if wanted else None)

    def _show_kept(self) -> None:
        """What the project keeps of this topic."""
        if self._session is None:
            return
        project = self._session.project
        kept = kept_inputs(project.entry(project.active)).get(self.topic.id)
        if kept is not None:
            with suppress(StoreError):
                self.form.show_inputs(inputs_from(self.topic, kept, name=""))
                self.kept.setChecked(True)

    def _document(self) -> bytes:
        """Inputs as JSON: what the form says, and over it what was pasted."""
        found = self.form.values()
        text, example = self.pasted.toPlainText(), inputs_to_json(self.topic.example)
        for name, value in example.items():
            if isinstance(value, list) and name not in self.form.editors:
                found[name] = value
        if self.topic.read is not None and text.strip():
            pasted = inputs_from(self.topic, text.encode("utf-8"), name="")
            plain = inputs_to_json(pasted)
            said = (each for each in fields(pasted) if getattr(pasted, each.name) != each.default)
            found |= {each.name: plain[each.name] for each in said if each.name in plain}
        return json.dumps(found).encode("utf-8")

    def _refuse(self, error: SpokenError) -> None:
        self.answer = None
        self.refusal.setText(local(error).lstrip(": "))
        self.refusal.show()
        self.save.setEnabled(False)
        self.board.setEnabled(False)

    def _show_example(self) -> None:
        self.pasted.clear()
        self.form.show_inputs(self.topic.example)
        self.ask()

    def _open(self) -> None:
        path = self._dialogs.open_file(
            tr("Open a table"),
            Path.home(),
            tr("Tables and texts (*.csv *.txt *.tsv *.json);;All files (*)"),
        )
        if path is not None:
            self.open_file(path)

    def open_file(self, path: Path) -> None:
        """Takes the text of a file as if it were pasted."""
        try:
            with path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
            if len(data) > MOST_BYTES:
                raise StoreError(tr("is larger than {most} MiB", most=MOST_BYTES // 2**20), path)
            self.pasted.setPlainText(data.decode("utf-8-sig"))
        except (OSError, UnicodeDecodeError, StoreError) as error:
            self._dialogs.show_problem(
                tr("{file} can’t be read: {why}", file=path.name, why=str(error))
            )
            return
        self.ask()

    def _put_on_board(self) -> None:
        """One step that can be undone: what the answer means for the scenario in view."""
        board, session = self.topic.board, self._session
        assert board is not None  # the button is hidden
        assert session is not None
        inputs = inputs_from(self.topic, self._document(), name="")
        try:
            scenario = board(session.scenario, inputs, self._knowledge)
        except ModelError as error:
            self._dialogs.show_problem(local(refused(error, "")).lstrip(": "))
            return
        session.change(lambda _: scenario, local(self.topic.board_text or self.topic.title))

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
        try:
            write_atomically(path, table_to_csv(table).encode("utf-8"))
        except StoreError as error:
            self._dialogs.show_problem(local(error))


class AdvisorsWindow(QDialog):
    """Stands beside the project: topics on the left, the chosen one beside them."""

    def __init__(
        self,
        settings: Settings,
        dialogs: Dialogs,
        session: Session | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Advisors \N{EN DASH} Headroom"))
        self._settings, self._dialogs, self._session = settings, dialogs, session
        self.topics = QListWidget(self)
        self.topics.setAccessibleName(tr("Topics"))
        for topic in TOPICS.values():
            item = QListWidgetItem(local(topic.title))
            item.setToolTip(local(topic.about))
            item.setData(Qt.ItemDataRole.UserRole, topic.id)
            self.topics.addItem(item)
        self.topics.setFixedWidth(210)
        self.topics.setWordWrap(True)
        self.pages = QStackedWidget(self)
        self._shown: dict[str, AdvisorPage] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.topics)
        row.addWidget(self.pages, 1)
        self.topics.currentItemChanged.connect(self._chosen)
        self.topics.setCurrentRow(0)
        without_icons(self)
        self._restore()

    def page(self, id: str) -> AdvisorPage:
        """The page of a topic, shown."""
        for row in range(self.topics.count()):
            if self.topics.item(row).data(Qt.ItemDataRole.UserRole) == id:
                self.topics.setCurrentRow(row)
        return self._shown[id]

    def _chosen(self, item: QListWidgetItem | None, _before: object = None) -> None:
        if item is None:
            return
        id = item.data(Qt.ItemDataRole.UserRole)
        if id not in self._shown:
            page = AdvisorPage(TOPICS[id], self._dialogs, self._session, self)
            self._shown[id] = page
            self.pages.addWidget(self._shown[id])
        self.pages.setCurrentWidget(self._shown[id])

    def _restore(self) -> None:
        geometry = self._settings.state("advisors")
        if geometry is None or not self.restoreGeometry(geometry):
            room = self.screen().availableGeometry().size()
            self.resize(min(SIZE[0], room.width()), min(SIZE[1], room.height()))

    def done(self, result: int) -> None:
        """However it is closed, it comes by here."""
        self._settings.set_state("advisors", self.saveGeometry())
        super().done(result)

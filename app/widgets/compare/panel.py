"""Two to four scenarios of the project side by side, kept up to date."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QLabel,
    QMenu,
    QPushButton,
    QStackedLayout,
    QWidget,
)

from app.language import tr, trn
from app.predictions import Predictions
from app.session import Session
from app.widgets.fields.choice import Choice, ChoiceField
from app.widgets.labels import Empty
from app.widgets.parts import STRETCH, in_column, in_row, tool_button
from app.widgets.searched_menu import add_search
from app.widgets.sections.view import SectionsView
from app.work import pause
from models.base.lettering import set_apart
from models.comparison.compare import (
    MOST_SIDES,
    Comparison,
    Side,
    against_first,
    against_parents,
    compare,
)
from models.comparison.compare_alike import Line
from models.comparison.compare_text import Words
from models.project.project import Project
from models.tell.comparison import compared_parts, comparison_sections

FIRST, PARENT = "first", "parent"
LEAST_SIDES = 2


class ComparePanel(QWidget):
    """Which scenarios, against what, and the table of what differs.

    Signals:
        shown_requested: id of a scenario to bring into view.
        why_requested: id of a scenario, id of an item and the field of one of its numbers.
    """

    shown_requested = Signal(str)
    why_requested = Signal(str, str, str)

    def __init__(
        self,
        session: Session,
        predictions: Predictions | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._predictions = predictions or Predictions(session, self)
        self.chosen: tuple[str, ...] = ()
        """Ids of the scenarios side by side, the first of them the one to compare with."""
        self.comparison: Comparison | None = None
        self._parts: tuple[tuple[Line, ...], ...] = ()
        self.view = SectionsView(tr("Differences"), self)
        self.choose_button = QPushButton(self)
        self.against_field = ChoiceField(parent=self)
        tip = tr("Copy the table as text for a spreadsheet")
        self.copy_button = tool_button(self, "copy", tip=tip, name=tr("Copy the table"))
        self._empty = Empty("copy-plus", "", self)
        self._menu = QMenu(self)
        self._later = pause(self, 0, self.refresh)
        self._lay_out()
        self._connect()

    @property
    def is_settled(self) -> bool:
        return not self._later.isActive()

    def choose(self, ids: Sequence[str]) -> None:
        """Puts these side by side, the baseline first, the others as they stand in the project."""
        project = self._session.project
        place = {entry.id: place for place, entry in enumerate(project.entries)}
        wanted = [id for id in dict.fromkeys(ids) if id in place][:MOST_SIDES]
        wanted.sort(key=lambda id: (id != project.baseline, place[id]))
        self.chosen = tuple(wanted)
        self.refresh()

    def refresh(self) -> None:
        """Compares the scenarios as they are now."""
        self._later.stop()
        project = self._session.project
        there = {entry.id for entry in project.entries}
        self.chosen = tuple(id for id in self.chosen if id in there)
        self._fill_menu(project)
        if len(self.chosen) < LEAST_SIDES:
            self._show_nothing(project)
            return
        sides = [
            Side(id, project.entry(id).scenario, self._predictions.of(id)) for id in self.chosen
        ]
        comparison = self.comparison = compare(sides, self._references(project))
        words = Words(comparison, self._session.catalog)
        parts = compared_parts(words)
        self._parts = tuple(lines for _title, lines in parts)
        sections = comparison_sections(words, parts)
        self.view.show_sections(sections)
        self._place.setCurrentWidget(self.view)
        self.copy_button.setEnabled(not comparison.is_identical)

    def copy(self) -> None:
        """Puts the table on the clipboard as text for a spreadsheet."""
        QGuiApplication.clipboard().setText(self.view.text)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _references(self, project: Project) -> tuple[int | None, ...]:
        if self.against_field.value != PARENT:
            return against_first(len(self.chosen))
        parents = {entry.id: entry.parent for entry in project.entries}
        return against_parents(self.chosen, parents)

    def _show_nothing(self, project: Project) -> None:
        self.comparison = None
        only = len(project.entries) < LEAST_SIDES
        self._empty.say(
            tr("There is one scenario. Duplicate it, change the copy, and compare the two.")
            if only
            else tr("Choose two to four scenarios above.")
        )
        self.copy_button.setEnabled(False)
        self._place.setCurrentWidget(self._empty)

    # ------------------------------------------------------------------ choosing

    def _fill_menu(self, project: Project) -> None:
        """The scenarios as choices; what is one too many can't be chosen."""
        self._menu.clear()
        is_full = len(self.chosen) >= MOST_SIDES
        for entry in project.entries:
            action = self._menu.addAction(set_apart(entry.scenario.name).replace("&", "&&"))
            action.setData(entry.id)
            action.setCheckable(True)
            action.setChecked(entry.id in self.chosen)
            action.setEnabled(entry.id in self.chosen or not is_full)
        add_search(self._menu)
        count = len(self.chosen)
        self.choose_button.setText(
            trn("{count} scenario", "{count} scenarios", count) if count else tr("Choose scenarios")
        )

    def _toggled(self, action: QAction) -> None:
        id = str(action.data())
        kept = [each for each in self.chosen if each != id]
        self.choose([*self.chosen, id] if action.isChecked() else kept)

    def _against(self, value: str) -> None:
        self.against_field.show_value(value)
        self.refresh()

    def _asked(self, block: int, row: int, column: int) -> None:
        """The last blocks are the parts of the comparison, one table each."""
        place = block - (len(self.view.blocks) - len(self._parts))
        if self.comparison is not None and place >= 0:
            found, _cells = self._parts[place][row]
            at = max(column - 1, 0)
            self.why_requested.emit(self.chosen[at], found.subject_in(at), found.field)

    def _changed(self, _what: object = None) -> None:
        if self.isVisible():
            self._later.start()

    # ------------------------------------------------------------------ layout

    def _connect(self) -> None:
        self._menu.triggered.connect(self._toggled)
        self.against_field.committed.connect(self._against)
        self.copy_button.clicked.connect(self.copy)
        self.view.chosen.connect(self.shown_requested)
        self.view.asked.connect(self._asked)
        self._session.project_changed.connect(self._changed)
        self._session.view_changed.connect(self._changed)

    def _lay_out(self) -> None:
        self.choose_button.setMenu(self._menu)
        self.choose_button.setAccessibleName(tr("Scenarios to compare"))
        self.choose_button.setToolTip(tr("Which scenarios stand side by side, two to four"))
        self.against_field.setAccessibleName(tr("Compared with"))
        self.against_field.offer(
            [Choice(FIRST, tr("the first one")), Choice(PARENT, tr("what each was copied from"))]
        )
        self.against_field.hold_whole()
        self.against_field.show_value(FIRST)
        head = in_row(gap=8, around=(10, 6, 8, 0)).put(
            self.choose_button,
            QLabel(tr("compared with"), self),
            self.against_field,
            STRETCH,
            self.copy_button,
        )
        self._place = QStackedLayout()
        self._place.addWidget(self._empty)
        self._place.addWidget(self.view)
        in_column(self, gap=4).put(head, (self._place, 1))

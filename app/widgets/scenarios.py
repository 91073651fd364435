"""The scenarios of the project: look at one, copy, rename, take as baseline, delete."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QSize,
    Qt,
)
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QToolButton,
    QWidget,
)

from app.icons import icon
from app.language import tr
from app.look import LOOK
from app.predictions import Predictions
from app.qtmodels.scenarios import ROW_ROLE, ScenarioRow, ScenariosModel, scenario_rows
from app.session import Session
from app.widgets.parts import STRETCH, in_column, in_row, styled
from app.widgets.scenario_row import ScenarioDelegate
from app.widgets.thumbnails import Look, Thumbnail, thumbnail
from app.work import pause
from models.base.errors import ModelError
from models.project.project import Project
from models.scenario.scenario import Scenario

KEYS = "keys"
HELD_MS = 250
"""After the last edit: only then pictures are drawn anew, for an edit must not wait for them."""


class ScenariosView(QListView):
    """The list; Return shows, and the keys of its actions act on it while it has the focus.

    The window has the same keys for the board: the list claims them before they get there.
    """

    def event(self, event: QEvent) -> bool:
        is_claim = isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride
        if is_claim and self._action_for(event) is not None:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = self._action_for(event)
        if action is not None:
            action.trigger()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.activated.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def commit(self) -> None:
        """Takes the name that is being written in a row."""
        editor = self.viewport().findChild(QLineEdit)
        if self.state() is QAbstractItemView.State.EditingState and editor is not None:
            self.commitData(editor)
            self.closeEditor(editor, QAbstractItemDelegate.EndEditHint.NoHint)

    def _action_for(self, event: QEvent) -> QAction | None:
        if not isinstance(event, QKeyEvent):
            return None
        keys = QKeySequence(event.keyCombination())
        actions = (action for action in self.actions() if action.isEnabled())
        return next((a for a in actions if a.property(KEYS) == keys.toString()), None)


class ScenarioList(QWidget):
    """The project's scenarios; a click shows one, every change can be undone."""

    def __init__(
        self,
        session: Session,
        predictions: Predictions | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._predictions = predictions or Predictions(session, self)
        self._followed = ""
        self._token = session.token
        self._listed: tuple[object, ...] = ()
        self.model = ScenariosModel(self)
        self.view = ScenariosView(self)
        self._delegate = ScenarioDelegate(self.view, self._picture)
        self._made: dict[str, Thumbnail] = {}
        self._old: dict[str, Look] = {}
        self._redrawing = pause(self, 0, self._redraw)
        self.duplicate_action = self._action(tr("Duplicate"), "copy-plus", "Ctrl+D", self.duplicate)
        self.rename_action = self._action(tr("Rename"), "pencil", "F2", self.rename)
        self.baseline_action = self._action(tr("Use as baseline"), "flag", "", self.toggle_baseline)
        self.delete_action = self._action(tr("Delete"), "trash-2", "Del", self.delete)
        self._set_up_view()
        self._lay_out()
        session.project_changed.connect(self._project_changed)
        self._predictions.changed.connect(self._refresh)
        self._refresh()

    @property
    def actions_shown(self) -> tuple[QAction, ...]:
        return (
            self.duplicate_action,
            self.rename_action,
            self.baseline_action,
            self.delete_action,
        )

    @property
    def current_id(self) -> str:
        """The scenario that the actions mean; the one in view unless another row is current."""
        row: ScenarioRow | None = self.view.currentIndex().data(ROW_ROLE)
        return row.key if row is not None and self._has(row.key) else self._session.project.active

    def _has(self, id: str) -> bool:
        """A row stays until the list hears of a change: what it stands for may be gone by then."""
        session = self._session
        there = any(entry.id == id for entry in session.project.entries)
        return there and session.token == self._token

    def duplicate(self) -> None:
        project = self._session.project
        name = project.entry(self.current_id).scenario.name
        self._session.edit_project(
            project.duplicated(self.current_id), tr("Duplicate “{name}”", name=name)
        )

    def rename(self) -> None:
        """Opens the name for editing in its row."""
        index = self.model.index(self.model.row_of(self.current_id), 0)
        self.view.setCurrentIndex(index)
        self.view.edit(index)

    def toggle_baseline(self) -> None:
        project, id = self._session.project, self.current_id
        name = project.entry(id).scenario.name
        if project.baseline == id:
            self._session.edit_project(
                project.with_baseline(None), tr("Take “{name}” as baseline no more", name=name)
            )
        else:
            self._session.edit_project(
                project.with_baseline(id), tr("Use “{name}” as baseline", name=name)
            )

    def delete(self) -> None:
        project, id = self._session.project, self.current_id
        name = project.entry(id).scenario.name
        try:
            self._session.edit_project(project.removed(id), tr("Delete “{name}”", name=name))
        except ModelError as error:
            self._session.message.emit(tr("Not deleted: {error}.", error=error.reason))

    def menu(self) -> QMenu:
        """The context menu of the current row."""
        self._name_baseline_action()
        menu = QMenu(self)
        menu.addActions(self.actions_shown)
        return menu

    def _renamed(self, id: str, name: str) -> None:
        project = self._session.project
        if not self._has(id) or name.strip() == project.entry(id).scenario.name:
            return
        try:
            self._session.edit_project(
                project.renamed(id, name), tr("Rename to “{name}”", name=name.strip())
            )
        except ModelError as error:
            self._session.message.emit(tr("Not renamed: {error}.", error=error.reason))

    def _show(self, index: QModelIndex) -> None:
        row: ScenarioRow | None = index.data(ROW_ROLE)
        if row is not None and row.key != self._session.project.active and self._has(row.key):
            self._session.show(row.key)

    def _project_changed(self, project: Project) -> None:
        there = {entry.id for entry in project.entries}
        for id in self._made.keys() - there:
            del self._made[id]
        if self._redrawing.isActive():
            self._redrawing.start(HELD_MS)
        if self._listing() != self._listed:  # else its predictions tell, a moment later
            self._refresh()

    def _listing(self) -> tuple[object, ...]:
        """All of the list but how the scenarios fare."""
        project = self._session.project
        entries = ((each.id, each.parent, each.scenario.name) for each in project.entries)
        return (self._session.token, project.active, project.baseline, *entries)

    def _refresh(self) -> None:
        self._listed = self._listing()
        project = self._session.project
        if self._token != self._session.token:  # a name that is being written was not for this one
            self._token = self._session.token
            self.view.reset()
        known = {entry.id: self._predictions.known(entry.id) for entry in project.entries}
        verdicts = {id: each.shown for id, each in known.items() if each is not None}
        self.model.set_rows(scenario_rows(project, verdicts))
        self._follow(project.active)
        self.delete_action.setEnabled(len(project.entries) > 1)
        self._name_baseline_action()
        self._predictions.want_all()
        self.view.viewport().update()

    def _picture(self, id: str, size: QSize) -> QPixmap | None:
        """The board of a scenario; after an edit, until nobody is busy, as it was before."""
        entries = (each for each in self._session.project.entries if each.id == id)
        scenario = next((each.scenario for each in entries), None)
        if scenario is None:
            return None
        look = Look(size, LOOK.theme, self.devicePixelRatioF())
        made = self._made.get(id)
        if made is None or made.look != look:
            return self._draw(id, scenario, look)
        if made.scenario is not scenario:
            self._old[id] = look
            if not self._redrawing.isActive():
                self._redrawing.start(HELD_MS)
            return made.picture
        if made.prediction is not self._predictions.known(id):
            return self._draw(id, scenario, look)
        return made.picture

    def _draw(self, id: str, scenario: Scenario, look: Look) -> QPixmap:
        made = thumbnail(scenario, self._predictions.known(id), look, self._made.get(id))
        self._made[id] = made
        self._old.pop(id, None)
        return made.picture

    def _redraw(self) -> None:
        """One of the pictures that no longer hold; while the mouse is down nobody looks here."""
        if QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._redrawing.start(HELD_MS)
            return
        there = {each.id: each.scenario for each in self._session.project.entries}
        self._old = {id: look for id, look in self._old.items() if id in there}
        if self._old:
            id, look = next(iter(self._old.items()))
            self._draw(id, there[id], look)
            self.view.viewport().update()
        if self._old:
            self._redrawing.start(0)

    def _follow(self, active: str) -> None:
        """Puts the current row on the scenario in view when another one came into view."""
        if self._followed == active and self.view.currentIndex().isValid():
            return
        self._followed = active
        index = self.model.index(self.model.row_of(active), 0)
        self.view.selectionModel().setCurrentIndex(
            index, QItemSelectionModel.SelectionFlag.ClearAndSelect
        )

    def _name_baseline_action(self, *_rows: object) -> None:
        """Action and button say what they do to the current row: both mark it and take it back."""
        is_baseline = self._session.project.baseline == self.current_id
        words = tr("No baseline") if is_baseline else tr("Use as baseline")
        self.baseline_action.setText(words)
        self.baseline_action.setToolTip(words)
        self._baseline_button.setAccessibleName(words)

    def _action(self, text: str, sign: str, keys: str, slot: Callable[[], None]) -> QAction:
        action = QAction(icon(sign), text, self)
        action.setProperty(KEYS, QKeySequence(keys).toString())
        action.setToolTip(f"{text} ({keys})" if keys else text)
        action.triggered.connect(self._session.commit_typed)
        action.triggered.connect(slot)
        return action

    def _set_up_view(self) -> None:
        view = self.view
        view.setModel(self.model)
        view.setItemDelegate(self._delegate)
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setMouseTracking(True)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.setAccessibleName(tr("Scenarios"))
        view.addActions(self.actions_shown)
        view.clicked.connect(self._show)
        view.activated.connect(self._show)
        view.customContextMenuRequested.connect(self._open_menu)
        view.selectionModel().currentChanged.connect(self._name_baseline_action)
        self.model.rename_asked.connect(self._renamed)

    def _open_menu(self, at: QPoint) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.view.viewport().mapToGlobal(at))

    def _lay_out(self) -> None:
        title = styled(QLabel(tr("Scenarios"), self), "heading")
        head = in_row(gap=0, around=(6, 0, 0, 0)).put(title, STRETCH)
        for action in self.actions_shown:
            button = QToolButton(self)
            button.setDefaultAction(action)
            button.setAccessibleName(action.text())
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            head.addWidget(button)
            if action is self.baseline_action:
                self._baseline_button = button
        in_column(self, gap=4, around=(8, 6, 8, 8)).put(head, (self.view, 1))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self.view.scheduleDelayedItemsLayout()

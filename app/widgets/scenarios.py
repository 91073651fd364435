"""The scenarios of the project: look at one, copy, rename, take as baseline, delete."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import (
    QAction,
    QColor,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.icons import draw_icon, icon
from app.qtmodels.scenarios import ROW_ROLE, ScenarioRow, ScenariosModel, scenario_rows
from app.session import Session, View
from app.theme import LIGHT, Theme
from app.widgets.marks import NO_DATA_ICON, VERDICT_ICONS, scaled_font, verdict_colour
from models.catalog import Catalog
from models.errors import ModelError
from models.evaluate import evaluate
from models.prediction import Shown
from models.project import Project
from models.scenario import Scenario

Index = QModelIndex | QPersistentModelIndex
KEYS = "keys"
CALCULATING = Shown(None, "calculating")


class ScenarioDelegate(QStyledItemDelegate):
    """Name, verdict as icon and word, and the flag of the baseline."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, round(QFontMetricsF(option.font).height() * 2.6))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ScenarioRow = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(2, 1, -2, -1)
        self._ground(painter, box, option, row)
        line = QFontMetricsF(option.font).height()
        inner = box.adjusted(12, line * 0.18, -8, -line * 0.18)
        if row.is_baseline:
            sign = QRectF(inner.right() - line, inner.top() + line * 0.1, line, line)
            draw_icon(painter, sign, "flag", self.theme.accent)
            inner.setRight(sign.left() - 4)
        half = inner.height() / 2
        weight = QFont.Weight.DemiBold if row.is_shown else QFont.Weight.Medium
        name = QRectF(inner.left(), inner.top(), inner.width(), half)
        _elided(painter, name, row.name, scaled_font(option.font, 1.0, weight), self.theme.text)
        self._second(painter, QRectF(inner.left(), name.bottom(), box.width() - 20, half), row)
        painter.restore()

    def _second(self, painter: QPainter, box: QRectF, row: ScenarioRow) -> None:
        font = scaled_font(painter.font(), 0.9)
        shown = row.shown or CALCULATING
        colour = verdict_colour(shown.verdict, self.theme)
        side = QFontMetricsF(font).ascent() + 2
        sign = QRectF(box.left(), box.center().y() - side / 2, side, side)
        name = NO_DATA_ICON if shown.verdict is None else VERDICT_ICONS[shown.verdict]
        draw_icon(painter, sign, name, colour)
        left = box.adjusted(side + 5, 0, 0, 0)
        _elided(painter, left, shown.words, font, colour)
        used = side + 5 + QFontMetricsF(font).horizontalAdvance(shown.words)
        rest = " · ".join(["baseline"] * row.is_baseline + [row.detail] * bool(row.detail))
        if rest:
            after = box.adjusted(used, 0, 0, 0)
            _elided(painter, after, f" · {rest}", font, self.theme.muted)

    def _ground(
        self, painter: QPainter, box: QRectF, option: QStyleOptionViewItem, row: ScenarioRow
    ) -> None:
        theme, state = self.theme, option.state
        has_focus = bool(state & QStyle.StateFlag.State_HasFocus)
        is_hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        if row.is_shown or is_hovered or has_focus:
            painter.setPen(QPen(QColor(theme.accent), 1.5) if has_focus else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent_soft if row.is_shown else theme.raised))
            painter.drawRoundedRect(box, 6, 6)
        if row.is_shown:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent))
            painter.drawRoundedRect(box.adjusted(3, 6, -(box.width() - 6), -6), 1.5, 1.5)


def _elided(painter: QPainter, box: QRectF, text: str, font: QFont, colour: str) -> None:
    shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
    painter.setFont(font)
    painter.setPen(QColor(colour))
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)


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

    def _action_for(self, event: QEvent) -> QAction | None:
        if not isinstance(event, QKeyEvent):
            return None
        keys = QKeySequence(event.keyCombination())
        actions = (action for action in self.actions() if action.isEnabled())
        return next((a for a in actions if a.property(KEYS) == keys.toString()), None)


class Verdicts:
    """The verdicts of all scenarios, computed one at a time and only when one changed."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Scenario, Catalog, Shown]] = {}

    def note(self, id: str, scenario: Scenario, catalog: Catalog, shown: Shown) -> None:
        self._known[id] = (scenario, catalog, shown)

    def current(self, project: Project, catalog: Catalog) -> dict[str, Shown]:
        """Those that are still true."""
        found = {}
        for entry in project.entries:
            scenario, rows, shown = self._known.get(entry.id, (None, None, None))
            if scenario is entry.scenario and rows is catalog and shown is not None:
                found[entry.id] = shown
        return found


class ScenarioList(QWidget):
    """The project's scenarios; a click shows one, every change can be undone."""

    def __init__(
        self, session: Session, theme: Theme = LIGHT, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._verdicts = Verdicts()
        self._followed = ""
        self.model = ScenariosModel(self)
        self.view = ScenariosView(self)
        self._delegate = ScenarioDelegate(self.view)
        self._evaluating = QTimer(self)
        self._evaluating.setSingleShot(True)
        self._evaluating.setInterval(0)
        self._evaluating.timeout.connect(self._evaluate_next)
        self.duplicate_action = self._action("Duplicate", "copy-plus", "Ctrl+D", self.duplicate)
        self.rename_action = self._action("Rename", "pencil", "F2", self.rename)
        self.baseline_action = self._action("Use as baseline", "flag", "", self.toggle_baseline)
        self.delete_action = self._action("Delete", "trash-2", "Del", self.delete)
        self._set_up_view()
        self._lay_out()
        session.project_changed.connect(self._project_changed)
        session.view_changed.connect(self._view_changed)
        self.set_theme(theme)
        self._view_changed(session.view)

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
        return row.key if row is not None else self._session.project.active

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._delegate.theme = theme
        for action in self.actions_shown:
            action.setIcon(icon(str(action.data()), theme))
        self.view.viewport().update()

    def duplicate(self) -> None:
        project = self._session.project
        name = project.entry(self.current_id).scenario.name
        self._session.edit_project(project.duplicated(self.current_id), f"Duplicate “{name}”")

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
                project.with_baseline(None), f"Take “{name}” as baseline no more"
            )
        else:
            self._session.edit_project(project.with_baseline(id), f"Use “{name}” as baseline")

    def delete(self) -> None:
        project, id = self._session.project, self.current_id
        name = project.entry(id).scenario.name
        try:
            self._session.edit_project(project.removed(id), f"Delete “{name}”")
        except ModelError as error:
            self._session.message.emit(f"Not deleted: {error.reason}.")

    def menu(self) -> QMenu:
        """The context menu of the current row."""
        self._name_baseline_action()
        menu = QMenu(self)
        menu.addActions(self.actions_shown)
        return menu

    def _renamed(self, id: str, name: str) -> None:
        project = self._session.project
        if name.strip() == project.entry(id).scenario.name:
            return
        try:
            self._session.edit_project(project.renamed(id, name), f"Rename to “{name.strip()}”")
        except ModelError as error:
            self._session.message.emit(f"Not renamed: {error.reason}.")

    def _show(self, index: QModelIndex) -> None:
        row: ScenarioRow | None = index.data(ROW_ROLE)
        if row is not None and row.key != self._session.project.active:
            self._session.show(row.key)

    def _project_changed(self, _project: Project) -> None:
        self._refresh()

    def _view_changed(self, view: View) -> None:
        session = self._session
        self._verdicts.note(
            session.project.active, session.scenario, session.catalog, view.committed.shown
        )
        self._refresh()

    def _refresh(self) -> None:
        project = self._session.project
        verdicts = self._verdicts.current(project, self._session.catalog)
        self.model.set_rows(scenario_rows(project, verdicts))
        self._follow(project.active)
        self.delete_action.setEnabled(len(project.entries) > 1)
        self._name_baseline_action()
        if len(verdicts) < len(project.entries):
            self._evaluating.start()

    def _follow(self, active: str) -> None:
        """Puts the current row on the scenario in view when another one came into view."""
        if self._followed == active and self.view.currentIndex().isValid():
            return
        self._followed = active
        index = self.model.index(self.model.row_of(active), 0)
        self.view.selectionModel().setCurrentIndex(
            index, QItemSelectionModel.SelectionFlag.ClearAndSelect
        )

    def _evaluate_next(self) -> None:
        """Evaluates one scenario that isn't in view; the next one after events were served."""
        session = self._session
        known = self._verdicts.current(session.project, session.catalog)
        missing = [entry for entry in session.project.entries if entry.id not in known]
        if not missing:
            return
        entry = missing[0]
        if entry.id == session.project.active:
            session.flush()
            return
        prediction = evaluate(entry.scenario, session.catalog, session.calibration)
        self._verdicts.note(entry.id, entry.scenario, session.catalog, prediction.shown)
        self._refresh()

    def _name_baseline_action(self) -> None:
        is_baseline = self._session.project.baseline == self.current_id
        self.baseline_action.setText("No baseline" if is_baseline else "Use as baseline")

    def _action(self, text: str, sign: str, keys: str, slot: Callable[[], None]) -> QAction:
        action = QAction(text, self)
        action.setData(sign)
        action.setProperty(KEYS, QKeySequence(keys).toString())
        action.setToolTip(f"{text} ({keys})" if keys else text)
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
        view.setAccessibleName("Scenarios")
        view.addActions(self.actions_shown)
        view.clicked.connect(self._show)
        view.activated.connect(self._show)
        view.customContextMenuRequested.connect(self._open_menu)
        self.model.rename_asked.connect(self._renamed)

    def _open_menu(self, at: QPoint) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.view.viewport().mapToGlobal(at))

    def _lay_out(self) -> None:
        title = QLabel("Scenarios", self)
        title.setProperty("role", "heading")
        head = QHBoxLayout()
        head.setContentsMargins(6, 0, 0, 0)
        head.setSpacing(0)
        head.addWidget(title)
        head.addStretch()
        for action in self.actions_shown:
            button = QToolButton(self)
            button.setDefaultAction(action)
            button.setAccessibleName(action.text())
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            head.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 8)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.view, 1)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self.view.scheduleDelayedItemsLayout()

"""The projects of this machine on the start page: their boards, verdicts and dates, and a search.

Files are looked at one after the other on the worker, those in view first, and only ever read.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QDate,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QListView,
    QMenu,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.icons import icon
from app.language import local, tr
from app.look import LOOK
from app.session import Session
from app.settings import Settings
from app.widgets.meters import (
    MIDDLE,
    RIGHT,
    draw_text,
    draw_verdict,
    text_width,
    verdict_width,
)
from app.widgets.painting import draw_row_ground
from app.widgets.parts import clearable, in_column, wrapped
from app.widgets.thumbnails import Look, thumbnail
from app.work import Context, OneTask, Worker, pause
from db.errors import StoreError
from db.known_projects import (
    KnownProject,
    Looked,
    forget_known,
    is_current,
    looked_at,
    projects_in,
    read_known,
    together,
    write_known,
)
from models.evidence.knowledge import Knowledge

PROJECT_ROLE = int(Qt.ItemDataRole.UserRole)
PICTURE_ROLE, PROBLEM_ROLE = PROJECT_ROLE + 1, PROJECT_ROLE + 2
PICTURE = QSize(72, 46)
ROW_PX, LEAST_ROWS = 62, 3


class ProjectsModel(QAbstractListModel):
    """Projects that answer what is searched, in the order that they are known in."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: dict[str, KnownProject] = {}
        self._shown: list[str] = []
        self._asked = ""
        self.pictures: dict[str, QPixmap] = {}
        self.problems: dict[str, str] = {}

    @property
    def all(self) -> tuple[KnownProject, ...]:
        return tuple(self._all.values())

    def set_all(self, projects: Iterable[KnownProject]) -> None:
        self._all = {each.path: each for each in projects}
        self.search(self._asked)

    def search(self, asked: str) -> None:
        self.beginResetModel()
        self._asked = asked
        self._shown = [path for path, each in self._all.items() if each.answers(asked)]
        self.endResetModel()

    def replace(self, known: KnownProject, picture: QPixmap | None, problem: str = "") -> None:
        """What was found in a file that is listed."""
        if known.path not in self._all:
            return
        self._all[known.path] = known
        self.problems[known.path] = problem
        if picture is not None:
            self.pictures[known.path] = picture
        if known.path in self._shown:
            index = self.index(self._shown.index(known.path))
            self.dataChanged.emit(index, index)
        elif known.answers(self._asked):
            self.search(self._asked)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> Any:
        if not index.isValid():
            return None
        known = self._all[self._shown[index.row()]]
        if role == PROJECT_ROLE:
            return known
        if role == PICTURE_ROLE:
            return self.pictures.get(known.path)
        problem = self.problems.get(known.path, "")
        if role == PROBLEM_ROLE:
            return problem
        if role == Qt.ItemDataRole.DisplayRole:
            return known.name
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return "\n".join(filter(None, (known.path, problem, known.scenario, *said_of(known))))
        return None


def said_of(known: KnownProject) -> tuple[str, ...]:
    """Verdict, customer, date and proposal of a project in words."""
    shown = known.shown
    return tuple(
        filter(
            None,
            (
                "" if shown is None else local(shown.words),
                known.customer,
                _saved(known),
                _proposed(known),
            ),
        )
    )


def _saved(known: KnownProject) -> str:
    if known.stamp is None:
        return ""
    return _day(datetime.fromtimestamp(known.stamp[1] / 1e9, UTC).astimezone())


def _proposed(known: KnownProject) -> str:
    with suppress(ValueError):
        return tr("proposal {date}", date=_day(datetime.fromisoformat(known.proposed_at)))
    return ""


def _day(moment: datetime) -> str:
    return QLocale().toString(
        QDate(moment.year, moment.month, moment.day), QLocale.FormatType.ShortFormat
    )


class ProjectDelegate(QStyledItemDelegate):
    """Paints a row: the board, the name, whom it is for and when, the verdict."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(160, ROW_PX)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(1, 1, -1, -1)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        draw_row_ground(painter, box, option.state, is_chosen=chosen)
        picture = index.data(PICTURE_ROLE)
        place = QRectF(box.x() + 6, box.y() + 7, PICTURE.width(), PICTURE.height())
        if picture is None:
            painter.fillRect(place, LOOK.theme.ground)
        else:
            painter.drawPixmap(place.topLeft(), picture)
        words = box.adjusted(PICTURE.width() + 16, 5, -8, -5)
        self._paint_words(painter, words, index.data(PROJECT_ROLE), index.data(PROBLEM_ROLE))
        painter.restore()

    def _paint_words(
        self, painter: QPainter, box: QRectF, known: KnownProject, problem: str
    ) -> None:
        theme, line = LOOK.theme, box.height() / 3
        rows = [QRectF(box.x(), box.y() + at * line, box.width(), line) for at in range(3)]
        weight = QFont.Weight.DemiBold
        draw_text(
            painter, rows[0], known.name, colour=theme.text, size_px=13, weight=weight, elide=MIDDLE
        )
        if problem:
            draw_text(painter, rows[1], problem, colour=theme.warn, size_px=11)
            return
        draw_text(painter, rows[1], known.customer, colour=theme.muted, size_px=11)
        last, date = rows[2], _proposed(known) or _saved(known)
        room = text_width(date, 11)
        draw_text(painter, last, date, colour=theme.muted, size_px=11, align=RIGHT)
        if known.shown is not None:
            wide = min(verdict_width(known.shown, 11), last.width() - room - 6)
            draw_verdict(painter, QRectF(last.x(), last.y(), wide, line), known.shown, theme, 11)


class ProjectsList(QListView):
    """The rows.

    Signals:
        chosen: path, by click or Enter. forgotten: path, by Del or the context menu.
    """

    chosen = Signal(object)
    forgotten = Signal(str)

    def __init__(self, model: ProjectsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._delegate = ProjectDelegate(self)
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumHeight(LEAST_ROWS * ROW_PX)
        self.setAccessibleName(tr("Projects of this machine"))
        self.clicked.connect(self._choose)

    def in_view(self) -> tuple[KnownProject, ...]:
        """The rows that are on the screen, from above."""
        model, bottom = self.model(), self.viewport().height()
        first = self.indexAt(QPoint(1, 1))
        rows = range(max(first.row(), 0), model.rowCount())
        found = (model.index(row, 0) for row in rows)
        return tuple(
            index.data(PROJECT_ROLE) for index in found if self.visualRect(index).top() < bottom
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.currentIndex())
            event.accept()
        elif event.key() == Qt.Key.Key_Delete and self.currentIndex().isValid():
            self.forgotten.emit(self.currentIndex().data(PROJECT_ROLE).path)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if not index.isValid():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        path = index.data(PROJECT_ROLE).path
        menu.addAction(tr("Open"), partial(self.chosen.emit, Path(path)))
        menu.addAction(tr("Forget this project"), partial(self.forgotten.emit, path))
        at = self.visualRect(index).center()
        menu.popup(self.viewport().mapToGlobal(at if by_key else event.pos()))

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(Path(index.data(PROJECT_ROLE).path))


class ProjectsPanel(QWidget):
    """All of it: the search, the rows, and the switch that forgets them.

    Signals:
        chosen: path.
    """

    chosen = Signal(object)

    def __init__(
        self, session: Session, worker: Worker, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._settings = settings
        self._task = OneTask(worker)
        self._next = pause(self, 0, self._look_on)
        self._kept: tuple[KnownProject, ...] = ()
        self.model = ProjectsModel(self)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search customer, server, VM or text"))
        self.search.setAccessibleName(tr("Search projects"))
        clearable(self.search)
        self.list = ProjectsList(self.model)
        self.nothing = wrapped(
            tr("Projects that you save or open will be listed here."), self, role="muted"
        )
        self.finder = QPushButton(icon("search"), tr("Find projects on this machine"))
        self.remembers = QCheckBox(tr("Remember projects"))
        self.remembers.setToolTip(
            tr("Unticked, the list is emptied and nothing is added to it; files stay.")
        )
        column = in_column(self, gap=6, around=(0, 0, 0, 0))
        column.put(self.search, self.nothing, (self.list, 1), self.finder, self.remembers)
        self._connect()

    def _connect(self) -> None:
        self.search.textChanged.connect(self._search)
        self.list.chosen.connect(self.chosen)
        self.list.forgotten.connect(self._forget)
        self.list.verticalScrollBar().valueChanged.connect(self._next.start)
        self.finder.clicked.connect(self._find)
        self.remembers.toggled.connect(self._remember)
        LOOK.changed.connect(self._draw_anew)

    # ------------------------------------------------------------------ content

    def show_known(self) -> None:
        """What is known of the projects of this machine; what is other now is looked at."""
        self._kept = read_known(self._settings.projects)
        self.remembers.setChecked(self._settings.remembers_projects)
        self._show(together(self._kept, self._settings.known))

    def _show(self, projects: Iterable[KnownProject]) -> None:
        self.model.set_all(projects)
        self._fit()
        self._next.start()

    def _fit(self) -> None:
        has_any = bool(self.model.all)
        for part in (self.search, self.list):
            part.setVisible(has_any)
        self.nothing.setVisible(not has_any)

    def _search(self, asked: str) -> None:
        self.model.search(asked)
        self._next.start()

    # ------------------------------------------------------------------ files

    def _look_on(self) -> None:
        """At the next file: of those in view any without a picture, of the others any that is not
        the one that was read."""
        if self._task.is_running or not self.isVisible():
            return
        seen = self.model.pictures.keys() | self.model.problems.keys()
        unseen = (each for each in self.list.in_view() if each.path not in seen)
        unread = (each for each in self.model.all if self._is_unread(each))
        wanted = next(unseen, None) or next(unread, None)
        if wanted is None:
            self._keep()
            return
        knowledge = Knowledge(self._session.known_catalog, self._session.calibration)
        path = Path(wanted.path)
        self._task.start(
            lambda _context: looked_at(path, knowledge),
            self._take,
            partial(self._take_fault, wanted),
        )

    def _is_unread(self, known: KnownProject) -> bool:
        return not self.model.problems.get(known.path) and not is_current(known)

    def _take(self, looked: Looked) -> None:
        picture = None
        if looked.scenario is not None:
            look = Look(PICTURE, LOOK.theme, self.devicePixelRatioF())
            picture = thumbnail(looked.scenario, looked.prediction, look).picture
        self.model.replace(looked.known, picture, local(looked.problem))
        self._next.start()

    def _take_fault(self, known: KnownProject, _error: Exception) -> None:
        """What somebody's file does to the program is not to end the list."""
        self.model.replace(KnownProject(path=known.path), None, tr("can’t be worked out"))
        self._next.start()

    def _keep(self) -> None:
        if self.model.all != self._kept and self._settings.remembers_projects:
            self._kept = self.model.all
            with suppress(StoreError):  # it is made anew the next time
                write_known(self._settings.projects, self._kept)

    def _find(self) -> None:
        """Through the folders of this user, and those where projects have been."""
        folders = [Path.home(), *(Path(each.path).parent for each in self.model.all)]
        self.finder.setEnabled(False)
        self._task.start(partial(_found, folders), self._take_found, self._take_found)

    def _take_found(self, found: tuple[Path, ...] | Exception) -> None:
        self.finder.setEnabled(True)
        if not isinstance(found, Exception):
            there = {each.path for each in self.model.all}
            new = [KnownProject(path=str(each)) for each in found if str(each) not in there]
            self._show(together((*self.model.all, *new), ()))

    def _forget(self, path: str) -> None:
        self._settings.forget_recent(Path(path))
        self._show(each for each in self.model.all if each.path != path)

    def _remember(self, does: bool) -> None:
        self._settings.remembers_projects = does
        self.finder.setEnabled(does)
        if not does:
            self._task.cancel()
            with suppress(StoreError):
                forget_known(self._settings.projects)
            self._kept = ()
            self._show(())

    def _draw_anew(self) -> None:
        self.model.pictures.clear()
        self._next.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._next.start()

    def hideEvent(self, event: QHideEvent) -> None:
        self._task.cancel()
        super().hideEvent(event)


def _found(folders: list[Path], context: Context) -> tuple[Path, ...]:
    found: dict[Path, None] = {}
    for path in projects_in(dict.fromkeys(folders)):
        context.check()
        if path is not None:
            found[path] = None
    return tuple(found)

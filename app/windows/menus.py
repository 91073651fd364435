"""Turns the table of actions into menus whose slots are methods of their owners."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol, runtime_checkable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from app.actions import MENUS, ActionSpec, Submenu, action_specs
from app.icons import icon
from app.language import tr
from app.widgets.searched_menu import add_search
from app.windows.frame import Frame


@runtime_checkable
class Acting(Protocol):
    """Whoever owns acts and has to know them: to enable, check or show them elsewhere."""

    def set_actions(self, actions: ActionBook) -> None: ...


class ActionBook:
    """The window's actions by id, made once from the table."""

    def __init__(self, window: Frame, owners: Mapping[str, object]) -> None:
        self._window = window
        self._owners = owners
        self._actions: dict[str, QAction] = {}
        self._submenus: dict[str, QMenu] = {}
        self._fillers: list[_Filler] = []
        for spec in action_specs():
            self._actions[spec.id] = self._made(spec)
        for menu, place in zip(MENUS, window.menus, strict=True):
            self._fill(place, menu.entries)

    def __getitem__(self, id: str) -> QAction:
        return self._actions[id]

    def __iter__(self) -> Iterator[ActionSpec]:
        return action_specs()

    def submenu(self, id: str) -> QMenu:
        return self._submenus[id]

    def words(self, spec: ActionSpec) -> str:
        """What an act is called where no menu stands above it; undo and redo say of what."""
        if spec.id.startswith("stack."):
            return self._actions[spec.id].text().replace("&", "")
        return full_words(spec)

    def choices(self) -> Iterator[tuple[Submenu, QAction]]:
        """What the submenus offer now, filled anew."""
        for menu in MENUS:
            for entry in menu.entries:
                if isinstance(entry, Submenu) and entry.is_listed:
                    filled = self._submenus[entry.id]
                    filled.aboutToShow.emit()
                    for action in filled.actions():
                        if action.isEnabled() and action.data() is not None:
                            yield entry, action

    def _made(self, spec: ActionSpec) -> QAction:
        action = QAction(spec.text, self._window)
        if spec.icon:
            action.setIcon(icon(spec.icon))
        action.setObjectName(spec.id)
        action.setShortcuts([QKeySequence(key) for key in spec.keys])
        action.setCheckable(spec.is_checkable)
        if spec.tip:
            action.setStatusTip(spec.tip)
        action.triggered.connect(self._window.commit_typed)
        action.triggered.connect(self._slot(spec.id))
        if spec.is_local:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        else:
            self._window.addAction(action)
        return action

    def _fill(self, menu: QMenu, entries: tuple[ActionSpec | Submenu | None, ...]) -> None:
        for entry in entries:
            if entry is None:
                menu.addSeparator()
            elif isinstance(entry, Submenu):
                submenu = menu.addMenu(entry.text)
                if entry.icon:
                    submenu.setIcon(icon(entry.icon))
                filler = _Filler(self._slot(entry.filler), submenu)
                submenu.aboutToShow.connect(filler.fill)
                self._fillers.append(filler)
                self._submenus[entry.id] = submenu
            else:
                menu.addAction(self._actions[entry.id])

    def _slot(self, id: str) -> Callable[..., None]:
        owner, method = id.split(".")
        slot: Callable[..., None] = getattr(self._owners[owner], method)
        return slot


FULL_WORDS = {
    "files.new": tr("New project"),
    "files.open": tr("Open a project"),
    "files.save": tr("Save the project"),
    "files.save_as": tr("Save the project under another name"),
    "editing.cut": tr("Cut VMs"),
    "editing.copy": tr("Copy VMs"),
    "editing.paste": tr("Paste VMs"),
    "editing.add_cluster": tr("Add a cluster"),
    "examples": tr("Open example"),
    "recent": tr("Open recent"),
    "insert_host": tr("Add a host"),
    "insert_vm": tr("Add a VM"),
    "insert_pool": tr("Add a storage pool"),
    "view.follow_system": tr("Colours as the system has them"),
    "view.light": tr("Light colours"),
    "view.dark": tr("Dark colours"),
    "view.contrast": tr("High contrast colours"),
    "language": tr("Language of the window"),
    "view.zoom_in": tr("Zoom in on the board"),
    "view.zoom_out": tr("Zoom out of the board"),
    "view.zoom_reset": tr("Board at actual size"),
    "view.toggle_left": tr("Show or hide catalog and scenarios"),
    "view.toggle_below": tr("Show or hide charts"),
    "view.toggle_right": tr("Show or hide inspector and findings"),
    "scenarios.new": tr("New scenario"),
    "scenarios.duplicate": tr("Duplicate scenario"),
    "scenarios.rename": tr("Rename scenario"),
    "scenarios.delete": tr("Delete scenario"),
    "scenarios.make_baseline": tr("Use scenario as baseline"),
    "scenarios.flip": tr("Flip between two scenarios"),
    "compare.open": tr("Compare scenarios"),
}


def full_words(spec: ActionSpec | Submenu) -> str:
    """The words of an act where no menu stands above it to say what it is about."""
    return FULL_WORDS.get(spec.id, spec.words)


class _Filler:
    """Fills one submenu anew each time it opens."""

    def __init__(self, fill: Callable[[QMenu], None], menu: QMenu) -> None:
        self._fill = fill
        self._menu = menu

    def fill(self) -> None:
        self._menu.clear()
        self._fill(self._menu)


def hear_choice(menu: QMenu, slot: Callable[[QAction], None]) -> None:
    """Connects the choices of a menu, once: it is filled again and again."""
    add_search(menu)
    if not menu.property("heard"):
        menu.setProperty("heard", True)
        menu.triggered.connect(slot)


def add_choice(menu: QMenu, text: str, data: object, *, enabled: bool = True) -> QAction:
    """One entry of a filled menu; `data` says what was chosen."""
    action = menu.addAction(text.replace("&", "&&"))
    action.setData(data)
    action.setEnabled(enabled)
    return action

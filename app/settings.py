"""What the program remembers of its user from one start to the next: no project content."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

from app.paths import (
    LIBRARY,
    PRICES,
    PROFILES,
    PROJECTS,
    RECOVERY,
    config_path,
    data_path,
    prices_path,
    profiles_path,
    projects_path,
    recovery_path,
)
from app.stylesheet import SYSTEM

RECENT_LIMIT = 8
KNOWN_LIMIT = 1000


class Settings:
    """Typed access to one ini file; tests give it a path of their own.

    Attributes:
        library: path of the personal library; beside the ini file when that has a path of its own.
        recovery: folder of copies of unsaved work; likewise.
        profiles: folder of column profiles; likewise.
        prices: path of the price book for all projects; likewise.
        projects: path of what is known of projects; likewise.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or config_path()
        self.library = path.with_name(LIBRARY) if path else data_path()
        self.recovery = path.with_name(RECOVERY) if path else recovery_path()
        self.profiles = path.with_name(PROFILES) if path else profiles_path()
        self.prices = path.with_name(PRICES) if path else prices_path()
        self.projects = path.with_name(PROJECTS) if path else projects_path()
        self._store = QSettings(str(self._path), QSettings.Format.IniFormat)

    @property
    def recent(self) -> tuple[Path, ...]:
        """Files opened lately, the newest first.

        Nobody looks whether they are there: a drive that doesn't answer would hold up the window.
        """
        return self.known[:RECENT_LIMIT]

    @property
    def known(self) -> tuple[Path, ...]:
        """Files opened or saved here, the newest first; those opened lately are the first of
        them."""
        return tuple(map(Path, self._recent_names()))

    @property
    def remembers_projects(self) -> bool:
        """Whether files that are opened or saved are remembered."""
        return str(self._store.value("remember", "true")) == "true"

    @remembers_projects.setter
    def remembers_projects(self, does: bool) -> None:
        self._store.setValue("remember", "true" if does else "false")
        if not does:
            self.clear_recent()

    def add_recent(self, path: Path) -> None:
        name = str(path.resolve())
        if self.remembers_projects:
            names = [name, *(each for each in self._recent_names() if each != name)]
            self._store.setValue("recent", names[:KNOWN_LIMIT])

    def forget_recent(self, path: Path) -> None:
        """Leaves out a file that turned out to be gone."""
        self._store.setValue("recent", [each for each in self._recent_names() if each != str(path)])

    def clear_recent(self) -> None:
        self._store.remove("recent")

    def _recent_names(self) -> list[str]:
        return self._names("recent")

    def _names(self, key: str) -> list[str]:
        value: Any = self._store.value(key, [])
        names = [value] if isinstance(value, str) else value
        return [str(name) for name in names or []]

    @property
    def appearance(self) -> str:
        """Name of a theme, or `SYSTEM`."""
        return str(self._store.value("appearance", SYSTEM))

    @appearance.setter
    def appearance(self, name: str) -> None:
        self._store.setValue("appearance", name)

    @property
    def language(self) -> str:
        """Code of the language of the window; empty: that of the system."""
        return str(self._store.value("language", ""))

    @language.setter
    def language(self, code: str) -> None:
        self._store.setValue("language", code)

    @property
    def author(self) -> str:
        """Who answered for the last proposal."""
        return str(self._store.value("author", ""))

    @author.setter
    def author(self, name: str) -> None:
        self._store.setValue("author", name)

    @property
    def export(self) -> dict[str, str]:
        """What was chosen when a proposal was exported last: form, paper, template."""
        keys = ("form", "paper", "template")
        return {key: str(self._store.value(f"export/{key}", "")) for key in keys}

    @export.setter
    def export(self, choices: Mapping[str, str]) -> None:
        for key, value in choices.items():
            self._store.setValue(f"export/{key}", value)

    @property
    def has_toured(self) -> bool:
        """The tour was taken or begun."""
        return str(self._store.value("toured", "no")) == "yes"

    @has_toured.setter
    def has_toured(self, has: bool) -> None:
        self._store.setValue("toured", "yes" if has else "no")

    @property
    def reduce_motion(self) -> bool:
        """Nothing is to move by itself; without a word the style decides."""
        return str(self._store.value("reduce_motion", "")) == "true"

    @reduce_motion.setter
    def reduce_motion(self, is_reduced: bool) -> None:
        self._store.setValue("reduce_motion", "true" if is_reduced else "")

    def state(self, name: str) -> QByteArray | None:
        """Geometry of the window or sizes of a splitter, as Qt saved them."""
        value = self._store.value(f"state/{name}")
        return value if isinstance(value, QByteArray) else None

    def set_state(self, name: str, value: QByteArray) -> None:
        self._store.setValue(f"state/{name}", value)

    def columns(self, table: str) -> dict[str, bool]:
        """Which columns of a table are shown or hidden, of those that somebody chose."""
        shown = self._names(f"columns/{table}/shown")
        hidden = self._names(f"columns/{table}/hidden")
        return {**dict.fromkeys(hidden, False), **dict.fromkeys(shown, True)}

    def set_columns(self, table: str, shown: Mapping[str, bool]) -> None:
        for name, is_shown in (("shown", True), ("hidden", False)):
            titles = [title for title, each in shown.items() if each is is_shown]
            self._store.setValue(f"columns/{table}/{name}", titles)

    def flush(self) -> None:
        self._store.sync()

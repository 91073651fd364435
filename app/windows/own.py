"""The user's own catalog entries: in the project, and in the library that all projects see."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.mime import CatalogItem, CatalogKind
from app.session import Session
from app.widgets.catalog_panel import CatalogPanel
from app.windows.dialogs import CATALOG_FILTER, Dialogs
from models.catalog import Catalog, Server


class OwnEntries(QObject):
    """Owner of what adds to the catalog.

    The library is read once the window stands. One that can't be read is left alone: its entries
    are missing until it is mended, everything else works.
    """

    def __init__(
        self,
        session: Session,
        catalog: CatalogPanel,
        library: Path,
        dialogs: Dialogs,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._catalog = catalog
        self._library = library
        self._dialogs = dialogs
        self._window = parent
        self._is_read = False
        self._damage = ""
        session.catalog_changed.connect(self._show)
        catalog.custom_requested.connect(self.add_server)
        if count(session.own_catalog):
            self._show(session.catalog)

    def _show(self, catalog: Catalog) -> None:
        self._catalog.set_catalog(catalog, self._session.own_catalog)

    def read_library(self) -> None:
        """Brings the library's entries into the catalog, once; without them where it fails."""
        if self._is_read:
            return
        self._is_read = True
        from db.errors import StoreError
        from db.library import load_library

        try:
            library = load_library(self._library)
        except StoreError as error:
            self._damage = f"Your library of catalog entries is left out: {error}."
        else:
            if count(library):
                self._session.set_library(library)

    def report_library(self) -> None:
        """Reads the library if nobody did, and says why when it could not be read."""
        self.read_library()
        if self._damage:
            self._session.message.emit(self._damage)

    def add_server(self) -> None:
        """Asks for a server that the catalog does not have."""
        from app.windows.custom_server import CustomServerDialog

        entered = CustomServerDialog.ask(self._session.catalog.servers.keys(), self._window)
        if entered is None:
            return
        server: Server = entered.server
        entries = Catalog(servers={server.id: server})
        text = f"Add server {server.model} to the catalog"
        self._add(entries, text, f"Added {server.name}.", keep=entered.keep)
        self._catalog.show_item(CatalogItem(CatalogKind.SERVER, server.id))

    def add_entries(self) -> None:
        """Asks for a file with entries in the form of the shipped catalog."""
        path = self._session.path
        folder = path.parent if path is not None else Path.home()
        chosen = self._dialogs.open_file("Add catalog entries", folder, CATALOG_FILTER)
        if chosen is not None:
            self.add_file(chosen)

    def add_file(self, path: Path) -> bool:
        """Adds the entries of a file as one step; on failure says why and adds none."""
        from resources.catalog_files import CatalogError, parse_catalog

        try:
            entries = parse_catalog(path.read_text(encoding="utf-8"), path.name)
        except CatalogError as error:
            self._dialogs.show_problem(f"{error}.")
            return False
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "is not text in UTF-8"
            self._dialogs.show_problem(f"{path.name}: {reason}.")
            return False
        if not count(entries):
            self._dialogs.show_problem(f"{path.name}: there is no entry in it.")
            return False
        words = entries_words(count(entries))
        keep = self._dialogs.ask_yes(
            f"Keep the {words} in your library too?",
            "The library offers them in every project; this project has them in any case.",
            "Keep",
            "Only this project",
        )
        self._add(entries, f"Add {words} to the catalog", f"Added {words}.", keep=keep)
        return True

    def _add(self, entries: Catalog, text: str, said: str, *, keep: bool) -> None:
        session = self._session
        own = session.project.own_catalog.merged(entries)
        session.edit_project(replace(session.project, own_catalog=own), text)
        session.message.emit(said)
        if keep:
            self._keep(entries)

    def _keep(self, entries: Catalog) -> None:
        from db.errors import StoreError
        from db.library import extend_library

        try:
            library = extend_library(self._library, entries)
        except StoreError as error:
            self._dialogs.show_problem(f"Added to this project only: {error}.")
        else:
            self._session.set_library(library)


def count(catalog: Catalog) -> int:
    """How many entries of all kinds."""
    return sum(len(getattr(catalog, kind)) for kind in Catalog.__slots__)


def entries_words(number: int) -> str:
    """Such as “3 entries”."""
    return "1 entry" if number == 1 else f"{number} entries"

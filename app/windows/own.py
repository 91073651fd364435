"""The user's own catalog entries: in the project, and in the library that all projects see."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.language import local, tr, trn
from app.library_step import ChangeLibrary
from app.mime import CatalogItem, CatalogKind
from app.session import Session
from app.widgets.catalog_panel import CatalogPanel
from app.windows.dialogs import CATALOG_FILTER, PRICES_FILTER, Dialogs
from models.base.texts import say
from models.catalog.catalog import Catalog, Server
from models.project.catalog_use import users_of
from models.project.project import Project

if TYPE_CHECKING:
    from app.windows.own_form import Entered

MOST_NAMES = 5
COLLECTIONS = {
    CatalogKind.SERVER: "servers",
    CatalogKind.ARRAY: "arrays",
    CatalogKind.WORKLOAD: "profiles",
    CatalogKind.HYPERVISOR: "hypervisors",
}
NOUNS = {
    CatalogKind.SERVER: tr("server"),
    CatalogKind.ARRAY: tr("array"),
    CatalogKind.WORKLOAD: tr("workload"),
    CatalogKind.HYPERVISOR: tr("hypervisor"),
}


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
        *,
        prices: Path,
        profiles: Path,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._catalog = catalog
        self._library = library
        self._prices = prices
        self._profiles = profiles
        self._priced: Path | None = None
        self._dialogs = dialogs
        self._window = parent
        self._is_read = False
        self._damage = ""
        session.catalog_changed.connect(self._show)
        session.file_changed.connect(self._read_prices)
        catalog.own.custom_requested.connect(self.add)
        catalog.own.edit_requested.connect(self.edit)
        catalog.own.keep_requested.connect(self.keep)
        catalog.own.remove_requested.connect(self.remove)
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
            self._damage = tr("Your library of catalog entries is left out: {error}.", error=error)
        else:
            if count(library):
                self._session.set_library(library)

    def report_library(self) -> None:
        """Reads library and price book if nobody did, and says why when one could not be read."""
        self.read_library()
        self.read_prices()
        if self._damage:
            self._session.message.emit(self._damage)

    # ------------------------------------------------------------------ price book

    def _read_prices(self) -> None:
        """Brings the price book of a project that was opened or saved elsewhere."""
        if self._is_read and self._session.path != self._priced:
            self.read_prices()

    def read_prices(self) -> None:
        """Brings the price book of the project, else the one for all; without where it fails."""
        from app.price_books import kept_book
        from db.errors import StoreError

        self._priced = self._session.path
        try:
            self._session.set_prices(kept_book(self._priced, self._prices))
        except StoreError as error:
            self._session.set_prices(None)
            self._session.message.emit(tr("The price book is left out: {error}.", error=error))

    def add_prices(self) -> None:
        """Asks for a price book, and whether it is for all projects."""
        path = self._session.path
        folder = path.parent if path is not None else Path.home()
        chosen = self._dialogs.open_file(tr("Add price book"), folder, PRICES_FILTER)
        if chosen is not None:
            self.add_price_book(chosen)

    def add_price_book(self, chosen: Path) -> bool:
        """Keeps the prices of a file; on failure says why and keeps what there was."""
        from app.price_books import beside, keep_book
        from app.windows.price_columns import FOLDER, kept_for
        from db.errors import StoreError
        from db.importers.saved_profiles import keep_profile
        from db.price_book import is_plain, read_price_book, tables_of_prices

        project = self._session.path
        try:
            tables = tables_of_prices(chosen)
            said = None if is_plain(tables) or not tables else kept_for(tables, self._profiles)
            if said is None and tables and not is_plain(tables):
                said = self._dialogs.price_columns(chosen.name, tables)
                if said is None:
                    return False
            book = read_price_book(chosen, said)
            if said is not None:
                keep_profile(self._profiles / FOLDER, said)
            for_all = project is None or self._dialogs.ask_yes(
                tr("Keep these prices for all projects?"),
                tr("Those that are kept beside a project come before those for all."),
                tr("For all projects"),
                tr("Only this project"),
            )
            path = self._prices if for_all or project is None else beside(project)
            keep_book(book, path)
        except StoreError as error:
            self._dialogs.show_problem(f"{local(error)}.")
            return False
        self.read_prices()
        words = trn("{count} price", "{count} prices", len(book.prices) - len(book.gaps))
        self._session.message.emit(tr("Added {words}.", words=words))
        return True

    # ------------------------------------------------------------------ one entry

    def add(self, kind: CatalogKind) -> None:
        """Asks for an entry that the catalog does not have."""
        entered = self._ask(kind)
        if entered is None:
            return
        entry, noun = entered.entry, NOUNS[kind]
        name = entry.model if isinstance(entry, Server) else entry.name
        said = tr("Added {entry}.", entry=entry.name)
        text = tr("Add {noun} {name} to the catalog", noun=noun, name=name)
        self._add(entries_of(kind, entry), text, said, keep=entered.keep)
        self._catalog.show_item(CatalogItem(kind, entry.id))

    def add_server(self) -> None:
        self.add(CatalogKind.SERVER)

    def add_array(self) -> None:
        self.add(CatalogKind.ARRAY)

    def add_workload(self) -> None:
        self.add(CatalogKind.WORKLOAD)

    def _ask(
        self, kind: CatalogKind, edited: Any = None, *, keep: bool = True
    ) -> Entered[Any] | None:
        """Runs the dialog of this kind."""
        from app.windows.own_form import Kind, OwnForm
        from app.windows.own_kinds import WORKLOAD_KIND, array_kind, server_kind
        from resources.catalog_files import load_processors

        catalog = self._session.catalog
        form: Kind[Any] = WORKLOAD_KIND
        if kind is CatalogKind.SERVER:
            form = server_kind(load_processors())
        elif kind is CatalogKind.ARRAY:
            form = array_kind(catalog.raid_levels)
        taken = getattr(catalog, COLLECTIONS[kind]).keys()
        return OwnForm.ask(form, taken, self._window, edited=edited, keep=keep)

    def edit(self, item: CatalogItem) -> None:
        """Asks how an entry of the user's own is to be; whoever uses it follows."""
        entry = self._own_entry(item)
        if entry is None or item.kind is CatalogKind.HYPERVISOR:
            return
        was_kept = item.id in getattr(self._session.library, COLLECTIONS[item.kind])
        entered = self._ask(item.kind, entry, keep=was_kept)
        if entered is None or (entered.entry == entry and entered.keep == was_kept):
            return
        old, new = entries_of(item.kind, entry), entries_of(item.kind, entered.entry)
        project = self._session.project
        self._step(
            tr("Change {nouns} {entry}", nouns=NOUNS[item.kind], entry=entry.name),
            replace(project, own_catalog=project.own_catalog.merged(new)),
            library=(old if was_kept else Catalog(), new if entered.keep else Catalog()),
        )
        self._catalog.show_item(item)

    def remove(self, item: CatalogItem) -> None:
        """Takes an entry of the user's own away, unless something in the project uses it."""
        entry = self._own_entry(item)
        if entry is None:
            return
        project, kind = self._session.project, COLLECTIONS[item.kind]
        users = users_of(project, kind, item.id)
        if users:
            self._dialogs.show_problem(
                tr(
                    "{entry} is in use by {users_words}.",
                    entry=entry.name,
                    users_words=users_words(users),
                )
            )
            return
        gone = entries_of(item.kind, entry)
        was_kept = item.id in getattr(self._session.library, kind)
        self._step(
            tr("Remove {nouns} {entry}", nouns=NOUNS[item.kind], entry=entry.name),
            replace(
                project,
                own_catalog=project.own_catalog.without(gone),
                used_catalog=project.used_catalog.without(gone),
            ),
            library=(gone if was_kept else Catalog(), Catalog()),
        )

    def keep(self, item: CatalogItem) -> None:
        """Copies an entry of the user's own to the library, so that other projects offer it."""
        entry = self._own_entry(item)
        if entry is None:
            return
        kept = getattr(self._session.library, COLLECTIONS[item.kind]).get(item.id)
        if kept == entry:
            self._session.message.emit(tr("{entry} is in your library already.", entry=entry.name))
            return
        before = Catalog() if kept is None else entries_of(item.kind, kept)
        text = tr("Copy {nouns} {entry} to the library", nouns=NOUNS[item.kind], entry=entry.name)
        self._step(text, self._session.project, library=(before, entries_of(item.kind, entry)))

    def _own_entry(self, item: CatalogItem) -> Any:
        """The user's entry behind a row; None for a shipped one."""
        return getattr(self._session.own_catalog, COLLECTIONS[item.kind]).get(item.id)

    def _step(self, text: str, project: Project, *, library: tuple[Catalog, Catalog]) -> None:
        """One named step for project and library; says so where the library can't follow."""
        stack, session = self._session.stack, self._session
        before, after = library
        if count(before) + count(after) == 0:
            session.edit_project(project, text)
            return
        step = ChangeLibrary(session, self._library, before, after)
        stack.beginMacro(text)
        stack.push(step)
        session.edit_project(project, text)
        stack.endMacro()
        if step.problem is not None:
            step.give_up()
            self._dialogs.show_problem(tr("In this project only: {problem}.", problem=step.problem))
        else:
            session.message.emit(f"{text}.")

    # ------------------------------------------------------------------ many entries

    def add_entries(self) -> None:
        """Asks for a file with entries in the form of the shipped catalog."""
        path = self._session.path
        folder = path.parent if path is not None else Path.home()
        chosen = self._dialogs.open_file(tr("Add catalog entries"), folder, CATALOG_FILTER)
        if chosen is not None:
            self.add_file(chosen)

    def add_file(self, path: Path) -> bool:
        """Adds the entries of a file as one step; on failure says why and adds none."""
        from db.door import content
        from db.errors import StoreError
        from resources.catalog_files import MOST_LETTERS, CatalogError, parse_catalog

        try:
            data = content(path, 4 * MOST_LETTERS, say("is larger than any list of entries"))
            entries = parse_catalog(data.decode("utf-8"), path.name)
        except CatalogError as error:
            self._dialogs.show_problem(f"{local(error)}.")
            return False
        except StoreError as error:
            self._dialogs.show_problem(f"{path.name}: {local(error.sentence)}.")
            return False
        except UnicodeDecodeError:
            reason = tr("is not text in UTF-8")
            self._dialogs.show_problem(f"{path.name}: {reason}.")
            return False
        if not count(entries):
            self._dialogs.show_problem(tr("{path}: there is no entry in it.", path=path.name))
            return False
        words = entries_words(count(entries))
        keep = self._dialogs.ask_yes(
            tr("Keep the {words} in your library too?", words=words),
            tr("The library offers them in every project; this project has them in any case."),
            tr("Keep"),
            tr("Only this project"),
        )
        self._add(
            entries,
            tr("Add {words} to the catalog", words=words),
            tr("Added {words}.", words=words),
            keep=keep,
        )
        return True

    def _add(self, entries: Catalog, text: str, said: str, *, keep: bool) -> None:
        session = self._session
        own = session.project.own_catalog.merged(entries)
        there = Catalog()
        if keep:
            library = session.library
            there = library.without(library.without(entries))
        self._step(
            text,
            replace(session.project, own_catalog=own),
            library=(there, entries if keep else Catalog()),
        )
        session.message.emit(said)


def count(catalog: Catalog) -> int:
    """How many entries of all kinds."""
    return sum(len(getattr(catalog, kind)) for kind in Catalog.__slots__)


def entries_words(number: int) -> str:
    """Such as “3 entries”."""
    return trn("{count} entry", "{count} entries", number)


def entries_of(kind: CatalogKind, entry: Any) -> Catalog:
    """A catalog with this one entry."""
    return Catalog(**{COLLECTIONS[kind]: {entry.id: entry}})


def users_words(users: tuple[tuple[str, str], ...]) -> str:
    """Who uses an entry, by name: ``esx1 and esx2 in “Today”``.

    >>> users_words((("Today", "esx1"), ("Today", "esx2"), ("Later", "esx1")))
    'esx1 and esx2 in “Today”, esx1 in “Later”'
    """
    by_scenario: dict[str, list[str]] = {}
    for scenario, name in users:
        by_scenario.setdefault(scenario, []).append(name)
    return ", ".join(
        tr("{names} in “{scenario}”", names=_names(names), scenario=scenario)
        for scenario, names in by_scenario.items()
    )


def _names(names: list[str]) -> str:
    shown = names[:MOST_NAMES]
    if len(names) > len(shown):
        shown.append(trn("{count} more", "{count} more", len(names) - len(shown)))
    return tr(" and ").join(part for part in (", ".join(shown[:-1]), shown[-1]) if part)

"""Edits of the board from menus, keys and clipboard: the same steps as by hand."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu

from app.inserts import Spot, duplicate_of, new_cluster, plan
from app.language import local, tr, trn
from app.mime import CatalogItem, CatalogKind, VmClip, mime_of_vms, vm_clip
from app.moves import movable, move, move_choices
from app.selection import Selection
from app.session import Session
from app.widgets.board.layout import Hit, HitKind
from app.widgets.board.view import BoardView
from app.widgets.catalog_panel import CatalogPanel
from app.windows.menus import ActionBook, add_choice, hear_choice
from models.base.lettering import set_apart
from models.base.spreadsheets import inert
from models.catalog.catalog import Role
from models.catalog.placement import reason_against
from models.project.project import copy_name
from models.scenario.scenario import Host, Item, Pool, Scenario, Vm
from models.scenario.workloads import WORKLOADS, WorkloadKind

NOT_PLACED = tr("Not placed")


def copied_table() -> str:
    """The text of the clipboard where it is a table, of a spreadsheet, a mail or a console."""
    text = QGuiApplication.clipboard().text()
    if "\n" not in text:
        return ""  # Most of all: reading tables takes long to load.
    from db.importers.tables import is_table

    return text if is_table(text) else ""


class EditCommands(QObject):
    """Owner of the Edit and Insert menus and of the board's context menu.

    Signals:
        table_pasted: the text of a table that is on the clipboard.
    """

    table_pasted = Signal(str)

    def __init__(
        self,
        session: Session,
        selection: Selection,
        board: BoardView,
        catalog: CatalogPanel,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._selection = selection
        self._board = board
        self._catalog = catalog
        self._actions: ActionBook | None = None
        self._place = session.place
        selection.changed.connect(self.update_actions)
        session.project_changed.connect(self._project_changed)
        QGuiApplication.clipboard().dataChanged.connect(self.update_actions)
        board.menu_requested.connect(self.show_menu)
        catalog.add_requested.connect(self.add_from_catalog)

    def set_actions(self, actions: ActionBook) -> None:
        self._actions = actions
        self._board.addActions([actions[spec.id] for spec in actions if spec.is_local])
        self.update_actions()

    # ------------------------------------------------------------------ what is selected

    def _vms(self) -> tuple[Vm, ...]:
        return tuple(vm for vm in self._session.scenario.vms if vm.id in self._selection)

    def _hosts(self) -> tuple[Host, ...]:
        return tuple(host for host in self._session.scenario.hosts if host.id in self._selection)

    def _spot(self) -> Spot:
        """Where something new goes: the selected host, or the host or cluster of what is."""
        scenario, current = self._session.scenario, self._selection.current
        for host in scenario.hosts:
            if host.id == current:
                return Spot(host=host.id)
        for vm in scenario.vms:
            if vm.id == current and vm.host is not None:
                return Spot(host=vm.host)
        if any(cluster.id == current for cluster in scenario.clusters):
            return Spot(cluster=current)
        return Spot()

    def update_actions(self) -> None:
        if self._actions is None:
            return
        has_vms, scenario = bool(self._vms()), self._session.scenario
        clipboard = QGuiApplication.clipboard()
        has_clip = vm_clip(clipboard.mimeData()) is not None or bool(copied_table())
        for id, enabled in (
            ("editing.cut", has_vms),
            ("editing.copy", has_vms),
            ("editing.paste", has_clip),
            ("editing.duplicate", bool(self._selection.ids)),
            ("editing.delete", bool(self._selection.ids)),
            ("view.pick_up", has_vms),
            ("editing.set_maintenance", bool(self._hosts())),
            ("editing.choose_host", has_vms),
            ("editing.select_all", bool(scenario.vms)),
        ):
            self._actions[id].setEnabled(enabled)
        away = [host.in_maintenance for host in self._hosts()]
        self._actions["editing.set_maintenance"].setChecked(bool(away) and all(away))
        self._actions.submenu("move").setEnabled(has_vms)

    def _project_changed(self, _project: object) -> None:
        if self._place != self._session.place:
            self._place = self._session.place
            self._board.set_cut(frozenset())
        self._selection.keep(self._session.scenario)
        self.update_actions()

    # ------------------------------------------------------------------ clipboard

    def cut(self) -> None:
        self._put(is_cut=True)

    def copy(self) -> None:
        self._put(is_cut=False)

    def _put(self, *, is_cut: bool) -> None:
        vms = self._vms()
        clip = VmClip(tuple(vm.id for vm in vms), is_cut, self._session.place)
        names = "\n".join(inert(vm.name) for vm in vms)
        QGuiApplication.clipboard().setMimeData(mime_of_vms(clip, names))
        self._board.set_cut(frozenset(clip.ids) if is_cut else frozenset())
        where = tr("select a host and paste") if vms else tr("select a VM first")
        done = tr("Cut: {where}.", where=where) if is_cut else tr("Copied: {where}.", where=where)
        self._session.message.emit(done)

    def paste_table(self) -> None:
        """The table on the clipboard, if there is one."""
        text = copied_table()
        if text:
            self.table_pasted.emit(text)

    def paste(self) -> None:
        clip = vm_clip(QGuiApplication.clipboard().mimeData())
        if clip is None:
            self.paste_table()
            return
        there = {vm.id for vm in self._session.scenario.vms}
        known = tuple(id for id in clip.ids if id in there)
        if not known or clip.place != self._session.place:
            self._session.message.emit(tr("The VMs on the clipboard are not in this scenario."))
        elif clip.is_cut:
            self._move(known, self._spot().host)
            QGuiApplication.clipboard().clear()
            self._board.set_cut(frozenset())
        else:
            self._add_copies(known, self._spot().host)

    def _move(self, ids: tuple[str, ...], host: str | None) -> None:
        if move(self._session, ids, host):
            self._selection.set(ids)

    def _add_copies(self, ids: tuple[str, ...], host: str | None) -> None:
        scenario, copies = self._with_copies(self._session.scenario, ids)
        reason = reason_against(scenario, self._session.catalog, copies, host)
        if reason is not None:
            self._session.message.emit(tr("Not pasted: {reason}.", reason=reason))
            return
        self._session.edit(
            scenario.place(copies, host), tr("Paste {what}", what=_counted(scenario, copies))
        )
        self._selection.set(copies)

    @staticmethod
    def _with_copies(scenario: Scenario, ids: tuple[str, ...]) -> tuple[Scenario, tuple[str, ...]]:
        copies: list[str] = []
        for id in ids:
            vm = scenario.vm(id)
            name = copy_name(vm.name, {each.name for each in scenario.vms})
            copy = duplicate_of(vm, id=scenario.fresh_id("m"), name=name)
            scenario = scenario.with_item(copy)
            copies.append(copy.id)
        return scenario, tuple(copies)

    # ------------------------------------------------------------------ edits

    def duplicate(self) -> None:
        """VMs beside themselves, hosts and pools as new empty ones."""
        scenario = self._session.scenario
        vms = tuple(vm.id for vm in self._vms())
        holders: tuple[Host | Pool, ...] = (*scenario.hosts, *scenario.pools)
        others = tuple(item for item in holders if item.id in self._selection)
        scenario, copies = self._with_copies(scenario, vms)
        for original, copy in zip(vms, copies, strict=True):
            host = scenario.vm(original).host
            if reason_against(scenario, self._session.catalog, (copy,), host) is None:
                scenario = scenario.place((copy,), host)
        for item in others:
            scenario, id = _with_copy(scenario, item)
            copies = (*copies, id)
        if copies:
            named = self._session.scenario
            ids = (*vms, *(item.id for item in others))
            text = tr("Duplicate {what}", what=_counted(named, ids))
            self._session.edit(scenario, text)
            self._selection.set(copies)

    def set_maintenance(self) -> None:
        """The hosts that are selected into maintenance, or back where all of them are in it."""
        hosts, scenario = self._hosts(), self._session.scenario
        if not hosts:
            return
        into = not all(host.in_maintenance for host in hosts)
        for host in hosts:
            scenario = scenario.with_item(replace(host, in_maintenance=into))
        what = _counted(scenario, tuple(host.id for host in hosts))
        text = tr("{what} into maintenance", what=what) if into else tr("{what} back", what=what)
        self._session.edit(scenario, text)
        self.update_actions()

    def delete(self) -> None:
        ids = self._selection.ids
        if ids:
            scenario = self._session.scenario
            self._session.edit(
                scenario.without(ids), tr("Delete {what}", what=_counted(scenario, ids))
            )

    def select_all(self) -> None:
        self._selection.set(vm.id for vm in self._session.scenario.vms)

    def add_cluster(self) -> None:
        cluster = new_cluster(self._session.scenario)
        scenario = self._session.scenario.with_item(cluster)
        self._session.edit(scenario, tr("Add {cluster}", cluster=cluster.name))
        self._selection.select(cluster.id)

    def add_from_catalog(self, item: CatalogItem) -> None:
        """Adds what a catalog row becomes, where the selection is."""
        planned = plan(self._session.scenario, self._session.catalog, item, self._spot())
        if planned.scenario is None:
            self._session.message.emit(tr("Not added: {planned}.", planned=planned.reason))
            return
        self._session.edit(planned.scenario, local(planned.text))
        if planned.subject:
            self._selection.select(planned.subject)
            self._session.flush()
            self._board.reveal(planned.subject)

    # ------------------------------------------------------------------ menus

    def choose_host(self) -> None:
        """The hosts as a menu beside the current VM."""
        if not self._vms():
            self._session.message.emit(tr("Select one or more VMs first."))
            return
        menu = QMenu(self._board)
        self.fill_move(menu)
        menu.popup(self._board.anchor())
        menu.aboutToHide.connect(menu.deleteLater)
        first = next((action for action in menu.actions() if action.isEnabled()), None)
        if first is not None:
            menu.setActiveAction(first)

    def fill_move(self, menu: QMenu) -> None:
        """Every host with what a move there would bring, and why not where it can't be."""
        ids = tuple(vm.id for vm in self._vms())
        choices = {choice.host: choice for choice in move_choices(self._session, ids)}
        order = [id for ids in self._board.board_layout.members.values() for id in ids]
        for choice in (choices[id] for id in order if id in choices):
            text = f"{choice.name} ({choice.said})"
            add_choice(menu, text, choice.host, enabled=choice.is_possible)
        menu.addSeparator()
        can_leave = bool(movable(self._session.scenario, ids, None))
        add_choice(menu, NOT_PLACED, None, enabled=can_leave)
        hear_choice(menu, self._move_chosen)

    def _move_chosen(self, action: QAction) -> None:
        self._move(tuple(vm.id for vm in self._vms()), action.data())

    def fill_hosts(self, menu: QMenu) -> None:
        """The models in use, the newest models, and the way to all others."""
        catalog = self._session.catalog
        used = dict.fromkeys(host.server for host in self._session.scenario.hosts)
        for id in used:
            if id in catalog.servers:
                self._add_row(menu, CatalogKind.SERVER, id, catalog.servers[id].name)
        if used:
            menu.addSeparator()
        newest = sorted(
            (s for s in catalog.servers.values() if s.role is Role.PURCHASE),
            key=lambda server: -(server.year or 0),
        )
        for server in newest[:8]:
            if server.id not in used:
                self._add_row(menu, CatalogKind.SERVER, server.id, server.name)
        menu.addSeparator()
        add_choice(menu, tr("More in the catalog…"), None)
        hear_choice(menu, self._insert_chosen)

    def fill_vms(self, menu: QMenu) -> None:
        for kind in WorkloadKind:
            self._add_row(menu, CatalogKind.WORKLOAD, kind.value, local(WORKLOADS[kind].name))
        for id, profile in self._session.catalog.profiles.items():
            self._add_row(menu, CatalogKind.WORKLOAD, id, profile.name)
        hear_choice(menu, self._insert_chosen)

    def fill_pools(self, menu: QMenu) -> None:
        for id, array in self._session.catalog.arrays.items():
            self._add_row(menu, CatalogKind.ARRAY, id, array.name)
        hear_choice(menu, self._insert_chosen)

    @staticmethod
    def _add_row(menu: QMenu, kind: CatalogKind, id: str, text: str) -> None:
        add_choice(menu, text, (kind.value, id))

    def _insert_chosen(self, action: QAction) -> None:
        if action.data() is None:
            self._catalog.show_kind(CatalogKind.SERVER)
            self._catalog.setFocus()
            return
        kind, id = action.data()
        self.add_from_catalog(CatalogItem(CatalogKind(kind), id))

    def show_menu(self, position: QPoint, hit: Hit) -> None:
        """The context menu of what lies under the pointer."""
        if self._actions is None:
            return
        menu = QMenu(self._board)
        if self._vms():
            submenu = menu.addMenu(tr("Move to…"))
            self.fill_move(submenu)
            menu.addAction(self._actions["view.pick_up"])
            menu.addSeparator()
        for id in ("editing.cut", "editing.copy", "editing.paste", "editing.duplicate"):
            menu.addAction(self._actions[id])
        menu.addAction(self._actions["editing.delete"])
        if hit.host is not None:
            menu.addSeparator()
            menu.addAction(self._actions["view.lose_host"])
            menu.addAction(self._actions["editing.set_maintenance"])
        if hit.kind in (HitKind.HOST, HitKind.CLUSTER, HitKind.NOTHING):
            menu.addSeparator()
            menu.addMenu(self._actions.submenu("insert_vm"))
            menu.addMenu(self._actions.submenu("insert_host"))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(position)


def _with_copy(scenario: Scenario, item: Host | Pool) -> tuple[Scenario, str]:
    prefix = "h" if isinstance(item, Host) else "p"
    everything: tuple[Item, ...] = scenario.items()
    taken = {each.name for each in everything}
    id = scenario.fresh_id(prefix)
    return scenario.with_item(replace(item, id=id, name=copy_name(item.name, taken))), id


def _counted(scenario: Scenario, ids: tuple[str, ...]) -> str:
    """``Mail-02``, ``3 VMs``, ``4 items``."""
    everything: tuple[Item, ...] = scenario.items()
    items = [item for item in everything if item.id in ids]
    if len(items) == 1:
        return set_apart(items[0].name)
    if all(isinstance(item, Vm) for item in items):
        return trn("{count} VM", "{count} VMs", len(items))
    return trn("{count} item", "{count} items", len(items))

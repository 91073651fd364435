"""Own entries of every kind: entered, changed, copied to the library, removed, all undone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from app.inserts import Spot, plan
from app.mime import CatalogItem, CatalogKind
from app.qtmodels.catalog_model import ROW_ROLE
from app.settings import Settings
from app.windows.own import users_words
from app.windows.own_form import Entered, OwnForm
from app.windows.own_kinds import WORKLOAD_KIND, array_kind, server_kind
from app.windows.window import MainWindow
from db.errors import StoreError
from db.library import extend_library, load_library
from models.base.errors import ModelError
from models.catalog.catalog import Catalog
from models.catalog.own_hardware import BRIDGE, Suite, custom_array, custom_profile, rated_server
from models.scenario.inputs import origin_of
from models.scenario.origin import Origin
from models.scenario.scenario import Workload
from models.scenario.workloads import WorkloadKind
from resources.catalog_files import load_catalog, load_processors
from tests.app.windows.own import R999, Answers, answers, field, show, window
from tests.sweeps import some

__all__ = ["answers", "show", "window"]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

FILER = custom_array(name="Filer", ceiling_iops=20_000.0, raid_levels=("5", "10"))
PRINT = custom_profile(
    name="Print server",
    workload=Workload(kind=WorkloadKind.GENERIC, cpu_mhz=500.0, iops=40.0),
    vcpus=1,
    ram_gib=2.0,
)
ITEMS: dict[CatalogKind, tuple[Any, str]] = {
    CatalogKind.SERVER: (R999, "servers"),
    CatalogKind.ARRAY: (FILER, "arrays"),
    CatalogKind.WORKLOAD: (PRINT, "profiles"),
}


def put(window: MainWindow, kind: CatalogKind) -> CatalogItem:
    """An own entry of this kind in the project, chosen in the panel."""
    entry, collection = ITEMS[kind]
    project = window.session.project
    own = Catalog(**{collection: {entry.id: entry}})
    window.session.edit_project(replace(project, own_catalog=own), "prepare")
    item = CatalogItem(kind, entry.id)
    window.catalog.show_item(item)
    return item


def answered(monkeypatch: pytest.MonkeyPatch, dialog: type, entered: Any) -> list[Any]:
    """The dialog answers so; returns what it was asked to change."""
    asked: list[Any] = []

    def ask(*_given: Any, edited: Any = None, keep: bool = True) -> Any:
        asked.append((edited, keep))
        return entered

    monkeypatch.setattr(dialog, "ask", ask)
    return asked


def in_library(settings: Settings, collection: str) -> dict[str, Any]:
    return dict(getattr(load_library(settings.library), collection))


def test_the_dialog_grows_with_what_follows_rather_than_squeezing_its_fields(
    qtbot: QtBot,
) -> None:
    dialog = OwnForm(server_kind(load_processors()), ())
    qtbot.addWidget(dialog)
    dialog.show()
    field(dialog, "name").setText("R999")
    field(dialog, "processor").search.setText("6730P")
    assert dialog.add.isEnabled()
    told = dialog.facts
    qtbot.waitUntil(
        lambda: (
            told.height() >= told.heightForWidth(told.width())
            and field(dialog, "processor").height()
            >= field(dialog, "processor").sizeHint().height()
        )
    )


# --- changing -----------------------------------------------------------------------------------


def test_a_changed_server_changes_what_uses_it(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    item = put(window, CatalogKind.SERVER)
    session = window.session
    added = plan(session.scenario, session.catalog, item, Spot())
    assert added.scenario is not None
    session.edit(added.scenario, added.text)
    session.edit(session.scenario.place(("m1",), session.scenario.hosts[-1].id), "Move")
    session.flush()
    before = session.view.prediction.vms.quantity("m1", "cpu_pct").value
    assert R999.spec_rate is not None
    faster = replace(R999, spec_rate=2 * R999.spec_rate)
    asked = answered(monkeypatch, OwnForm, Entered(faster, False))
    window.catalog.own.edit.click()
    assert asked == [(R999, False)]
    assert session.stack.undoText() == f"Change server {R999.name}"
    session.flush()
    after = session.view.prediction.vms.quantity("m1", "cpu_pct").value
    assert before is not None
    assert after is not None
    assert after < before
    session.stack.undo()
    assert session.catalog.servers[R999.id] == R999
    assert not settings.library.exists()


def test_a_change_goes_to_the_library_too_and_is_undone_there(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    other = replace(FILER, id="own-other", name="Other")
    extend_library(settings.library, Catalog(arrays={FILER.id: FILER, other.id: other}))
    window.session.set_library(load_library(settings.library))
    window.catalog.show_item(CatalogItem(CatalogKind.ARRAY, FILER.id))
    larger = replace(FILER, ceiling_iops=50_000.0)
    asked = answered(monkeypatch, OwnForm, Entered(larger, True))
    window.catalog.own.edit.click()
    assert asked == [(FILER, True)]
    stack = window.session.stack
    assert (stack.count(), stack.undoText()) == (1, "Change array Filer")
    assert in_library(settings, "arrays") == {FILER.id: larger, other.id: other}
    stack.undo()
    assert in_library(settings, "arrays") == {FILER.id: FILER, other.id: other}
    assert window.session.catalog.arrays[FILER.id] == FILER
    stack.redo()
    assert in_library(settings, "arrays")[FILER.id] == larger


def test_taking_the_tick_away_takes_it_out_of_the_library(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    extend_library(settings.library, Catalog(profiles={PRINT.id: PRINT}))
    window.session.set_library(load_library(settings.library))
    answered(monkeypatch, OwnForm, Entered(PRINT, False))
    window.own.edit(CatalogItem(CatalogKind.WORKLOAD, PRINT.id))
    assert in_library(settings, "profiles") == {}
    assert window.session.project.own_catalog.profiles[PRINT.id] == PRINT


def test_nothing_changed_is_no_step(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    item = put(window, CatalogKind.ARRAY)
    for answer in (Entered(FILER, False), None):
        answered(monkeypatch, OwnForm, answer)
        window.own.edit(item)
    assert window.session.stack.undoText() == "prepare"


# --- removing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", some(ITEMS))
def test_what_nobody_uses_is_removed_and_undone(
    window: MainWindow, settings: Settings, kind: CatalogKind
) -> None:
    entry, collection = ITEMS[kind]
    extend_library(settings.library, Catalog(**{collection: {entry.id: entry}}))
    window.session.set_library(load_library(settings.library))
    put(window, kind)
    window.catalog.list.setFocus()
    QTest.keyClick(window.catalog.list, Qt.Key.Key_Delete)
    stack = window.session.stack
    assert stack.undoText().startswith("Remove ")
    assert entry.id not in getattr(window.session.catalog, collection)
    assert in_library(settings, collection) == {}
    stack.undo()
    assert getattr(window.session.catalog, collection)[entry.id] == entry
    assert in_library(settings, collection) == {entry.id: entry}


def test_what_a_search_found_is_counted_anew_when_an_entry_goes(window: MainWindow) -> None:
    put(window, CatalogKind.ARRAY)
    catalog = window.catalog
    catalog.search.setText(ITEMS[CatalogKind.ARRAY][0].name)
    assert catalog.hint.text() == "1 found in all sections."
    QTest.keyClick(catalog.search, Qt.Key.Key_Down)
    QTest.keyClick(catalog.list, Qt.Key.Key_Delete)
    assert catalog.hint.text() == "Nothing found."
    window.session.stack.undo()
    assert catalog.hint.text() == "1 found in all sections."


def test_what_is_in_use_is_not_removed_and_the_users_are_named(
    window: MainWindow, answers: Answers
) -> None:
    item = put(window, CatalogKind.SERVER)
    session = window.session
    for _ in range(2):
        added = plan(session.scenario, session.catalog, item, Spot())
        assert added.scenario is not None
        session.edit(added.scenario, added.text)
    names = [host.name for host in session.scenario.hosts[-2:]]
    steps = session.stack.count()
    window.own.remove(item)
    assert answers.problems == [
        f"{R999.name} is in use by {names[0]} and {names[1]} in “{session.scenario.name}”."
    ]
    assert session.stack.count() == steps


def test_many_users_are_counted() -> None:
    users = tuple(("Today", f"esx{n}") for n in range(1, 9))
    assert users_words(users) == "esx1, esx2, esx3, esx4, esx5 and 3 more in “Today”"


def test_a_shipped_entry_is_nobodys_to_remove(window: MainWindow) -> None:
    item = CatalogItem(CatalogKind.ARRAY, "ibm-ds4800")
    window.catalog.show_item(item)
    assert not window.catalog.own.remove.isVisible()
    window.own.remove(item)
    assert window.session.stack.count() == 0


# --- keeping ------------------------------------------------------------------------------------


def test_an_entry_is_copied_to_the_library(window: MainWindow, settings: Settings) -> None:
    put(window, CatalogKind.WORKLOAD)
    window.catalog.own.keep.click()
    assert in_library(settings, "profiles") == {PRINT.id: PRINT}
    assert window.session.stack.undoText() == "Copy workload Print server to the library"
    steps = window.session.stack.count()
    window.catalog.own.keep.click()
    assert window.session.stack.count() == steps
    assert "already" in window.statusBar().currentMessage()
    window.session.stack.undo()
    assert in_library(settings, "profiles") == {}


def test_a_library_that_cannot_be_written_is_said_and_not_undone(
    window: MainWindow, settings: Settings, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(window, CatalogKind.WORKLOAD)
    settings.library.write_bytes(b"no library " * 200)
    before = settings.library.read_bytes()
    window.catalog.own.keep.click()
    assert len(answers.problems) == 1
    assert answers.problems[0].startswith("In this project only: ")
    window.session.stack.undo()
    assert settings.library.read_bytes() == before


def test_a_library_that_goes_away_before_undo_is_said(
    window: MainWindow, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(window, CatalogKind.WORKLOAD)
    window.catalog.own.keep.click()

    def refuse(*_given: object, **_more: object) -> Catalog:
        raise StoreError("is in use by another program", settings.library)

    monkeypatch.setattr("db.library.extend_library", refuse)
    window.session.stack.undo()
    assert "Your library stays as it was" in window.statusBar().currentMessage()
    assert window.session.library.profiles[PRINT.id] == PRINT


def test_the_same_acts_as_a_menu(window: MainWindow) -> None:
    put(window, CatalogKind.ARRAY)
    window.catalog.own.open_menu(window.mapToGlobal(window.rect().center()))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [entry.text() for entry in menu.actions()] == ["Change…", "Copy to my library", "Remove"]
    menu.close()


# --- a workload of one's own ----------------------------------------------------------------------


def test_a_vm_begins_with_the_figures_of_its_profile(window: MainWindow) -> None:
    item = put(window, CatalogKind.WORKLOAD)
    window.editing.add_from_catalog(item)
    vm = window.session.scenario.vms[-1]
    assert (vm.name, vm.vcpus, vm.ram_gib) == ("Print server-01", 1, 2.0)
    assert vm.workload == PRINT.workload
    assert origin_of(vm, "workload.cpu_mhz") is Origin.DEFAULT


def test_an_array_of_ones_own_becomes_a_pool(window: MainWindow) -> None:
    item = put(window, CatalogKind.ARRAY)
    window.editing.add_from_catalog(item)
    pool = window.session.scenario.pools[-1]
    assert (pool.array, pool.raid) == (FILER.id, "10")
    window.session.flush()
    assert window.session.view.prediction.pools.ids[-1] == pool.id


def test_entries_of_every_kind_are_saved_with_the_project(
    window: MainWindow, answers: Answers, tmp_path: Path
) -> None:
    for kind, (entry, collection) in ITEMS.items():
        project = window.session.project
        own = project.own_catalog.merged(Catalog(**{collection: {entry.id: entry}}))
        window.session.edit_project(replace(project, own_catalog=own), f"Add {kind}")
    path = tmp_path / "own.headroom"
    assert window.files.save_to(path)
    window.files.new()
    assert window.files.open_path(path), answers.problems
    own = window.session.project.own_catalog
    assert [dict(getattr(own, c)) for _, c in ITEMS.values()] == [
        {entry.id: entry} for entry, _ in ITEMS.values()
    ]


# --- dialogs ------------------------------------------------------------------------------------


def test_an_array_by_keys_alone(qtbot: QtBot) -> None:
    dialog = OwnForm(array_kind(load_catalog().raid_levels), {"own-filer"})
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    assert not dialog.add.isEnabled()
    QTest.keyClicks(field(dialog, "name"), "Filer")
    assert "no data" in dialog.facts.text()
    QTest.keyClicks(field(dialog, "ceiling_iops"), "20000")
    assert "controllers for 20,000\N{NARROW NO-BREAK SPACE}IOPS" in dialog.facts.text()
    QTest.keyClicks(field(dialog, "read_cache_hit"), "120")
    assert dialog.facts.text() == "Share of reads served by the cache: must be ≤ 100."
    field(dialog, "read_cache_hit").selectAll()
    QTest.keyClicks(field(dialog, "read_cache_hit"), "30")
    assert not field(dialog, "latency_ms").isVisible()
    QTest.keyClick(field(dialog, "flash"), Qt.Key.Key_Space)
    assert field(dialog, "latency_ms").isVisible()
    field(dialog, "raid_levels").committed.emit(("5", "6"))
    assert dialog.facts.text().endswith("any drives")
    field(dialog, "drive_kinds").committed.emit(("nvme",))
    assert dialog.facts.text().endswith("NVMe")
    QTest.keyClick(field(dialog, "name"), Qt.Key.Key_Return)
    assert dialog.entered is not None
    array = dialog.entered.entry
    assert (array.id, array.ceiling_iops, array.latency_ms) == ("own-filer-2", 20_000.0, 0.5)
    assert (array.read_cache_hit, array.raid_levels, array.kind) == (0.3, ("5", "6"), "all flash")
    assert array.drive_kinds == ("nvme",)


def test_a_workload_by_keys_alone(qtbot: QtBot) -> None:
    dialog = OwnForm(WORKLOAD_KIND, set())
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    QTest.keyClicks(field(dialog, "name"), "Print server")
    QTest.keyClicks(field(dialog, "cpu_mhz"), "0.5 GHz")
    assert dialog.facts.text().startswith("no data: Own IOPS figure")
    assert not field(dialog, "active_users").isVisible()
    QTest.keyClick(field(dialog, "name"), Qt.Key.Key_Return)
    assert dialog.entered is not None
    assert dialog.entered.entry.workload.cpu_mhz == 500.0


def test_a_mail_workload_has_users_and_no_figures(qtbot: QtBot) -> None:
    dialog = OwnForm(WORKLOAD_KIND, set())
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    QTest.keyClicks(field(dialog, "name"), "Heavy mail")
    field(dialog, "kind").committed.emit(WorkloadKind.DOMINO_INOTES)
    assert field(dialog, "mail_file_mb").isVisible()
    assert not field(dialog, "iops").isVisible()
    field(dialog, "mail_file_mb").selectAll()
    QTest.keyClicks(field(dialog, "mail_file_mb"), "500")
    profile = dialog.entry()
    assert (profile.workload.kind, profile.workload.mail_file_mb) == ("domino-inotes", 500.0)
    assert profile.workload.cpu_mhz is None


def test_a_server_by_its_rate(qtbot: QtBot) -> None:
    dialog = OwnForm(server_kind(load_processors()), set())
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    QTest.keyClicks(field(dialog, "name"), "Box")
    field(dialog, "way").committed.emit("rate")
    assert not field(dialog, "processor").list.isVisible()
    assert "SPEC rate of the machine: no data" in dialog.facts.text()
    field(dialog, "cores").selectAll()
    QTest.keyClicks(field(dialog, "cores"), "8")
    QTest.keyClicks(field(dialog, "spec_rate"), "94.7")
    field(dialog, "suite").committed.emit(Suite.CPU2006)
    assert "SPEC rate of the machine: 10.0" in dialog.facts.text()
    field(dialog, "sockets").selectAll()
    QTest.keyClicks(field(dialog, "sockets"), "4")
    field(dialog, "cores").selectAll()
    QTest.keyClicks(field(dialog, "cores"), "2")
    assert dialog.facts.text() == "Cores in all: must be at least the sockets (4)."


@pytest.mark.parametrize(
    "server", [R999, rated_server(name="Box", sockets=2, cores=8, spec_rate=10.0, base_mhz=2000.0)]
)
def test_a_server_comes_back_into_its_dialog_unchanged(qtbot: QtBot, server: Any) -> None:
    dialog = OwnForm(server_kind(load_processors()), {R999.id}, edited=server, keep=False)
    qtbot.addWidget(dialog)
    assert dialog.entry() == replace(server, provenance=dialog.entry().provenance)
    assert not dialog.keep.isChecked()
    assert "Change" in dialog.windowTitle()


@pytest.mark.parametrize("entry", [FILER, replace(FILER, latency_ms=0.3, kind="all flash")])
def test_an_array_comes_back_into_its_dialog_unchanged(qtbot: QtBot, entry: Any) -> None:
    dialog = OwnForm(array_kind(load_catalog().raid_levels), {FILER.id}, edited=entry)
    qtbot.addWidget(dialog)
    assert dialog.entry() == entry


def test_a_workload_comes_back_into_its_dialog_unchanged(qtbot: QtBot) -> None:
    dialog = OwnForm(WORKLOAD_KIND, {PRINT.id}, edited=PRINT)
    qtbot.addWidget(dialog)
    assert dialog.entry() == PRINT


def test_a_rate_of_the_old_suite_is_bridged() -> None:
    old = rated_server(name="x", sockets=1, cores=4, spec_rate=BRIDGE * 3, suite=Suite.CPU2006)
    assert old.spec_rate == pytest.approx(3.0)
    assert str(BRIDGE) in old.provenance.note
    with pytest.raises(ModelError) as problem:
        rated_server(name="x", sockets=1, cores=4, spec_rate=-1.0)
    assert problem.value.field == "spec_rate"


def test_own_rows_are_marked_in_every_section(window: MainWindow) -> None:
    for kind, (entry, _) in ITEMS.items():
        put(window, kind)
        row = window.catalog.list.currentIndex().data(ROW_ROLE)
        assert (row.item.id, row.is_own) == (entry.id, True)

"""Own catalog entries: entered, read from a file, kept in project and library, undone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.inserts import Spot, plan
from app.mime import CatalogItem, CatalogKind, mime_of_catalog
from app.qtmodels.catalog_model import ROW_ROLE
from app.settings import Settings
from app.windows.files import empty_project
from app.windows.main import opened_window
from app.windows.own_form import Entered, OwnForm
from app.windows.own_kinds import server_facts, server_kind
from app.windows.window import MainWindow
from db.codec import scenario_to_json
from db.library import extend_library, load_library
from models.base.quantities import Basis
from models.catalog.catalog import Catalog, Server
from models.catalog.own_hardware import custom_server
from models.project.project import Project
from models.scenario.scenario import Host
from resources.catalog_files import dump_catalog, load_catalog, load_processors
from tests.app import samples
from tests.app.gestures import drag_enter, drop
from tests.app.windows import whole
from tests.app.windows.own import R999, Answers, Show, answers, field, show, window

__all__ = ["answers", "show", "window"]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

OTHER = replace(R999, id="own-lab", name="Lab box", model="Lab box")
MINE = CatalogItem(CatalogKind.SERVER, R999.id)
GOOD = f"""{dump_catalog(Catalog(servers={OTHER.id: OTHER}))}
[disks.own-disk]
name = "My disk"
iops = 150
service_ms = 6.0
source = "data sheet"
confidence = "verbatim"

[servers.ibm-x366]
name = "Our x366"
sockets = 4
cores = 4
threads = 8
source = "inventory"
confidence = "verbatim"
"""


def enter(
    monkeypatch: pytest.MonkeyPatch, window: MainWindow, server: Server, *, keep: bool
) -> None:
    """Triggers the menu entry; the dialog answers with `server`."""
    answer = Entered(server, keep)
    monkeypatch.setattr(OwnForm, "ask", lambda *_asked, **_more: answer)
    whole.trigger(window, "own.add_server")


def rows(window: MainWindow) -> list[str]:
    model = window.catalog.list.model()
    found = (model.index(at, 0).data(ROW_ROLE) for at in range(model.rowCount()))
    return [f"{row.name}{' [own]' * row.is_own}" for row in found]


def scenario_file(folder: Path) -> Path:
    """A scenario whose host is of the server R999."""
    host = Host(
        id="h1", name="esx1", server=R999.id, hypervisor="vsphere-6.7", ram_gib=64.0, cluster=None
    )
    scenario = replace(samples.scenario(), hosts=(host,), vms=(), pools=(), clusters=())
    path = folder / "own.json"
    path.write_bytes(scenario_to_json(scenario))
    return path


class TestLibrary:
    def test_it_is_read_once_the_window_stands(self, show: Show, settings: Settings) -> None:
        extend_library(settings.library, Catalog(servers={R999.id: R999}))
        window = show(empty_project())
        assert window.session.catalog.servers[R999.id] == R999
        assert rows(window)[0] == "R999 [own]"
        assert not window.session.is_modified

    def test_a_file_named_at_the_start_may_name_its_entries(
        self, qtbot: QtBot, settings: Settings, tmp_path: Path
    ) -> None:
        extend_library(settings.library, Catalog(servers={R999.id: R999}))
        window = opened_window([scenario_file(tmp_path)], settings=settings)
        with qtbot.waitSignal(window.completed):
            whole.begin(qtbot, window)
        assert window.session.scenario.hosts[0].server == R999.id

    def test_a_scenario_that_names_its_entries_is_imported(
        self, show: Show, settings: Settings, answers: Answers, tmp_path: Path
    ) -> None:
        window = show(empty_project())
        path = scenario_file(tmp_path)
        assert not window.files.import_path(path)
        assert "no server called “own-r999”" in answers.problems.pop()
        window.session.set_library(Catalog(servers={R999.id: R999}))
        assert window.files.import_path(path), answers.problems

    def test_the_project_goes_before_it_and_it_before_what_is_shipped(
        self, show: Show, settings: Settings
    ) -> None:
        x366 = replace(load_catalog().servers["ibm-x366"], name="Library’s")
        kept = Catalog(servers={x366.id: x366, R999.id: R999})
        extend_library(settings.library, kept)
        mine = replace(R999, name="Project’s")
        project = replace(empty_project(), own_catalog=Catalog(servers={R999.id: mine}))
        window = show(project)
        servers = window.session.catalog.servers
        assert (servers["ibm-x366"].name, servers[R999.id].name) == ("Library’s", "Project’s")

    @pytest.mark.parametrize("damage", ["text", "entry"])
    def test_a_damaged_one_is_left_alone(
        self,
        show: Show,
        settings: Settings,
        answers: Answers,
        monkeypatch: pytest.MonkeyPatch,
        damage: str,
    ) -> None:
        if damage == "text":
            settings.library.write_bytes(b"no library at all, but some text " * 20)
        else:
            extend_library(settings.library, Catalog(servers={OTHER.id: OTHER}))
            with closing(sqlite3.connect(settings.library, isolation_level=None)) as db:
                db.execute("UPDATE catalog_entry SET content = '{}'")
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before = settings.library.read_bytes()
        window = show(empty_project())
        said = window.statusBar().currentMessage()
        assert said.startswith("Your library of catalog entries is left out: ")
        assert "damaged" in said
        assert len(window.session.catalog.servers) == len(load_catalog().servers)
        enter(monkeypatch, window, R999, keep=True)
        assert R999.id in window.session.project.own_catalog.servers
        assert len(answers.problems) == 1
        assert answers.problems[0].startswith("In this project only: ")
        assert settings.library.read_bytes() == before


class TestCustomServer:
    def test_one_step_adds_it_and_undo_takes_it_back(
        self, window: MainWindow, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shipped = rows(window)
        enter(monkeypatch, window, R999, keep=False)
        stack = window.session.stack
        assert (stack.count(), stack.undoText()) == (1, "Add server R999 to the catalog")
        assert rows(window) == ["R999 [own]", *shipped]
        assert window.catalog.list.currentIndex().data(ROW_ROLE).item == MINE
        assert not settings.library.exists()
        stack.undo()
        assert rows(window) == shipped
        assert R999.id not in window.session.catalog.servers
        stack.redo()
        assert rows(window)[0] == "R999 [own]"

    def test_it_is_kept_for_other_projects(
        self, window: MainWindow, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        extend_library(settings.library, Catalog(servers={OTHER.id: OTHER}))  # another window
        enter(monkeypatch, window, R999, keep=True)
        assert dict(load_library(settings.library).servers) == {OTHER.id: OTHER, R999.id: R999}
        window.session.stack.setClean()
        whole.trigger(window, "files.new")
        assert not window.session.project.own_catalog.servers
        assert rows(window)[:2] == ["Lab box [own]", "R999 [own]"]

    def test_no_answer_changes_nothing(
        self, window: MainWindow, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(OwnForm, "ask", lambda *_asked, **_more: None)
        QTest.mouseClick(window.catalog.own.custom, Qt.MouseButton.LeftButton)
        assert window.session.stack.count() == 0

    def test_the_button_says_what_can_be_made_in_a_section(self, window: MainWindow) -> None:
        panel = window.catalog
        words = {
            CatalogKind.SERVER: "Custom server…",
            CatalogKind.ARRAY: "Custom array…",
            CatalogKind.WORKLOAD: "Custom workload…",
        }
        for kind, text in words.items():
            panel.show_kind(kind)
            assert (panel.own.custom.isVisible(), panel.own.custom.text()) == (True, text)
        panel.show_kind(CatalogKind.HYPERVISOR)
        assert not panel.own.custom.isVisible()
        panel.show_kind(CatalogKind.SERVER)
        panel.search.setText("x366")
        assert not panel.own.custom.isVisible()

    def test_a_search_finds_it_first(
        self, window: MainWindow, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        enter(monkeypatch, window, R999, keep=False)
        QTest.keyClicks(window.catalog.search, "xeon")
        assert len(rows(window)) > 1
        assert not any(row.endswith("[own]") for row in rows(window))
        window.catalog.search.clear()
        QTest.keyClicks(window.catalog.search, "e5")
        assert len(rows(window)) > 1
        assert rows(window)[0] == "R999 [own]"

    def test_it_is_dragged_and_evaluated_like_others(
        self, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        enter(monkeypatch, window, R999, keep=False)
        board = window.board
        data = mime_of_catalog(MINE)
        point = QPoint(board.viewport().width() // 2, 8)
        assert drag_enter(board, point, data)
        drop(board, point, data)
        whole.settle(qtbot, window)
        host = window.session.scenario.hosts[-1]
        assert host.server == R999.id
        window.session.change(lambda scenario: scenario.place(("m1",), host.id), "Move")
        whole.settle(qtbot, window)
        load = window.session.view.prediction.vms.quantity("m1", "cpu_pct")
        assert load.basis is Basis.TRANSFERRED
        assert load.value is not None
        assert load.value > 0

    def test_it_is_saved_with_the_project(
        self,
        qtbot: QtBot,
        window: MainWindow,
        answers: Answers,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        enter(monkeypatch, window, R999, keep=False)
        session = window.session
        added = plan(session.scenario, session.catalog, MINE, Spot())
        assert added.scenario is not None
        session.edit(added.scenario, added.text)
        path = tmp_path / "own.headroom"
        assert window.files.save_to(path)
        window.files.new()
        assert R999.id not in session.catalog.servers
        assert window.files.open_path(path), answers.problems
        assert dict(session.project.own_catalog.servers) == {R999.id: R999}
        assert session.scenario.hosts[-1].server == R999.id
        assert rows(window)[0] == "R999 [own]"

    def test_rows_of_the_library_are_saved_with_the_project(
        self, show: Show, settings: Settings, tmp_path: Path
    ) -> None:
        from db.project import load_project

        extend_library(settings.library, Catalog(servers={R999.id: R999}))
        window = show(Project.of(samples.scenario()))
        added = plan(window.session.scenario, window.session.catalog, MINE, Spot())
        assert added.scenario is not None
        window.session.edit(added.scenario, added.text)
        assert window.files.save_to(tmp_path / "p.headroom")
        project = load_project(tmp_path / "p.headroom")
        assert project.used_catalog.servers[R999.id] == R999
        assert not project.own_catalog.servers

    def test_the_inspector_offers_it(
        self, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        window.selection.select("h1")
        whole.settle(qtbot, window)
        enter(monkeypatch, window, R999, keep=False)
        whole.settle(qtbot, window)
        from PySide6.QtWidgets import QComboBox

        offered = [
            box.itemText(at)
            for box in window.inspector.findChildren(QComboBox)
            for at in range(box.count())
        ]
        assert R999.name in offered


class TestFile:
    def test_its_entries_are_one_step(
        self, window: MainWindow, settings: Settings, answers: Answers, tmp_path: Path
    ) -> None:
        answers.path = tmp_path / "mine.toml"
        answers.path.write_text(GOOD, encoding="utf-8")
        shipped = window.session.catalog
        whole.trigger(window, "own.add_entries")
        session = window.session
        assert (answers.problems, answers.asked) == (
            [],
            ["Keep the 3 entries in your library too?"],
        )
        assert session.stack.undoText() == "Add 3 entries to the catalog"
        assert session.catalog.disks["own-disk"].iops == 150
        assert session.catalog.servers["ibm-x366"].name == "Our x366"
        assert rows(window)[:2] == ["Lab box [own]", "Our x366 [own]"]
        assert not settings.library.exists()
        session.stack.undo()
        assert dict(session.catalog.servers) == dict(shipped.servers)
        assert dict(session.catalog.disks) == dict(shipped.disks)

    def test_on_request_they_are_kept(
        self, window: MainWindow, settings: Settings, answers: Answers, tmp_path: Path
    ) -> None:
        answers.path, answers.keep = tmp_path / "mine.toml", True
        answers.path.write_text(GOOD, encoding="utf-8")
        whole.trigger(window, "own.add_entries")
        library = load_library(settings.library)
        assert (set(library.servers), set(library.disks)) == (
            {OTHER.id, "ibm-x366"},
            {"own-disk"},
        )

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            (
                GOOD.replace("cores = 4\n", 'cores = "4"\n').encode(),
                "mine.toml: servers.ibm-x366.cores: must be a whole number, not '4'.",
            ),
            (b"[servers", "mine.toml: line 1: is no TOML"),
            (b"\xff\xfe\x00", "mine.toml: is not text in UTF-8."),
            (b"", "mine.toml: there is no entry in it."),
            (None, "mine.toml: there is no such file."),
        ],
    )
    def test_a_bad_one_changes_nothing(
        self,
        window: MainWindow,
        answers: Answers,
        tmp_path: Path,
        content: bytes | None,
        sentence: str,
    ) -> None:
        answers.path = tmp_path / "mine.toml"
        if content is not None:
            answers.path.write_bytes(content)
        whole.trigger(window, "own.add_entries")
        assert len(answers.problems) == 1
        assert answers.problems[0].startswith(sentence)
        assert window.session.stack.count() == 0


@pytest.fixture
def dialog(qtbot: QtBot) -> OwnForm[Any]:
    dialog = OwnForm(server_kind(load_processors()), {"own-r999"})
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    return dialog


class TestDialog:
    def test_by_keys_alone(self, qtbot: QtBot, dialog: OwnForm[Any]) -> None:
        assert not dialog.add.isEnabled()
        keys = QTest.keyClicks
        keys(field(dialog, "name"), "R999")
        assert dialog.facts.text() == "Choose a processor."
        keys(field(dialog, "processor").search, "e5 2650")
        QTest.keyClick(field(dialog, "processor").search, Qt.Key.Key_Down)
        chosen = field(dialog, "processor").list.currentIndex().data()
        assert "E5-2650" in chosen.upper()
        field(dialog, "processor").search.clear()
        assert field(dialog, "processor").list.currentIndex().data() == chosen
        keys(field(dialog, "processor").search, "E5-2650 v4")
        field(dialog, "sockets").selectAll()
        keys(field(dialog, "sockets"), "4")
        keys(field(dialog, "max_ram_gib"), "512")
        keys(field(dialog, "nics"), "2")
        keys(field(dialog, "nic_gbps"), "10")
        field(dialog, "year").setFocus()
        keys(field(dialog, "year"), "2016")
        assert "48 cores, 96 threads, 2.20 GHz" in dialog.facts.text()
        assert "SPEC rate of the machine: 210.0 (assumed)" in dialog.facts.text()
        QTest.keyClick(field(dialog, "year"), Qt.Key.Key_Return)
        assert dialog.entered is not None
        server = dialog.entered.entry
        assert dialog.entered.keep
        assert (server.id, server.model) == ("own-r999-2", "R999")
        assert (server.sockets, server.max_ram_gib, server.nics, server.nic_gbps, server.year) == (
            4,
            512.0,
            2,
            10.0,
            2016,
        )
        assert server.processor == "Intel Xeon E5-2650 v4"

    def test_not_kept_when_unticked(self, dialog: OwnForm[Any]) -> None:
        QTest.keyClicks(field(dialog, "name"), "Box")
        QTest.keyClicks(field(dialog, "processor").search, "E5345")
        QTest.keyClick(dialog.keep, Qt.Key.Key_Space)
        QTest.keyClick(field(dialog, "name"), Qt.Key.Key_Return)
        assert dialog.entered is not None
        assert not dialog.entered.keep
        assert dialog.entered.entry.year is None

    def test_a_year_stays_as_typed(self, dialog: OwnForm[Any]) -> None:
        field(dialog, "year").setFocus()
        QTest.keyClicks(field(dialog, "year"), "2016")
        QTest.keyClick(field(dialog, "year"), Qt.Key.Key_Up)
        field(dialog, "name").setFocus()
        assert field(dialog, "year").text() == "2017"

    def test_what_can_not_be_is_said_and_not_added(self, dialog: OwnForm[Any]) -> None:
        QTest.keyClicks(field(dialog, "name"), "Box")
        QTest.keyClicks(field(dialog, "processor").search, "E5345")
        assert dialog.add.isEnabled()
        field(dialog, "sockets").selectAll()
        QTest.keyClicks(field(dialog, "sockets"), "999")
        assert dialog.facts.text() == "Sockets: must be ≤ 256."
        QTest.keyClick(field(dialog, "sockets"), Qt.Key.Key_Return)
        assert dialog.entered is None
        assert dialog.isVisible()

    def test_escape_leaves_it(self, dialog: OwnForm[Any]) -> None:
        QTest.keyClicks(field(dialog, "name"), "Box")
        QTest.keyClick(field(dialog, "name"), Qt.Key.Key_Escape)
        assert (dialog.entered, dialog.isVisible()) == (None, False)

    def test_no_rate_is_no_data(self) -> None:
        processor = replace(load_processors()["intel-xeon-e5-2650-v4"], spec_rate=None)
        text = server_facts(custom_server(name="Box", processor=processor, sockets=2))
        assert "SPEC rate of the machine: no data\n" in text

    def test_it_is_asked_and_answered(self, qtbot: QtBot) -> None:
        """The one test that runs the dialog's own loop."""

        def answer() -> None:
            dialog = QApplication.activeModalWidget()
            assert isinstance(dialog, OwnForm)
            QTest.keyClicks(field(dialog, "name"), "Box")
            QTest.keyClicks(field(dialog, "processor").search, "E5345")
            QTest.keyClick(field(dialog, "name"), Qt.Key.Key_Return)

        QTimer.singleShot(0, answer)
        entered = OwnForm.ask(server_kind(load_processors()), set())
        assert entered is not None
        assert entered.entry.name == "Box, 2 × E5345"

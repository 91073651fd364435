"""The whole window: menus, files, clipboard and keys do the same as the hand."""

from __future__ import annotations

import gc
import os
import weakref
from dataclasses import astuple, replace
from itertools import product
from pathlib import Path
from unittest.mock import Mock

import pytest
from pypdf import PdfReader
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QUrl
from PySide6.QtGui import QColor, QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from app.actions import action_specs
from app.icons import icon_pixmap
from app.mime import CatalogItem, CatalogKind
from app.settings import Settings
from app.stylesheet import apply_theme
from app.theme import DARK, HIGH_CONTRAST, LIGHT, THEMES
from app.widgets.chart_pages.page import ChartPage
from app.windows.dialogs import Answer, Instead
from app.windows.help import AboutDialog, KeysDialog, key_groups
from app.windows.palette import CommandPalette
from app.windows.problem import ProblemDialog
from app.windows.window import MainWindow
from db.codec import scenario_to_json
from db.errors import StoreError
from db.files import save_whole
from db.project import load_project, save_project
from models.catalog.catalog import Catalog
from models.project.project import Project
from models.scenario.inputs import origin_of
from models.scenario.origin import Origin
from models.scenario.scenario import Host, Scenario
from models.scenario.wording import THIN
from resources.example_files import load_examples
from tests.app import samples
from tests.app.gestures import LEFT, at, at_rest, drag
from tests.app.pictures import Pixels, picture_of
from tests.app.sessions import two_hosts
from tests.app.windows.whole import (
    WITH_CHARTS,
    Answers,
    choices,
    forget_changes,
    made,
    propose,
    settle,
    trigger,
    wait_for_charts,
)
from tests.sweeps import some

# Qt's offscreen platform says so when a window with a least size or a popup is shown.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def host_of(window: MainWindow, vm: str) -> str | None:
    return window.session.scenario.vm(vm).host


class TestMoving:
    def test_the_menu_moves_like_the_hand(self, window: MainWindow) -> None:
        window.selection.select("m1")
        _, hosts = choices(window, "move")
        assert not hosts["esx1 (already there)"].isEnabled()
        esx2 = next(action for text, action in hosts.items() if text.startswith("esx2 (CPU "))
        esx2.trigger()
        assert host_of(window, "m1") == "h2"
        assert window.session.stack.undoText() == "Move Mail-01 to esx2"
        assert window.actions_by_id["stack.undo"].text() == "&Undo Move Mail-01 to esx2"

    def test_filling_the_menu_twice_moves_once(self, window: MainWindow) -> None:
        window.selection.select("m1")
        choices(window, "move")
        _, hosts = choices(window, "move")
        hosts["Not placed"].trigger()
        assert window.session.stack.count() == 1
        assert window.session.stack.undoText() == "Take Mail-01 off its host"

    def test_cut_and_paste(self, window: MainWindow) -> None:
        window.selection.set(["m1", "m2"])
        trigger(window, "editing.cut")
        assert window.board.state.cut == {"m1", "m2"}
        window.selection.select("h3")
        trigger(window, "editing.paste")
        assert (host_of(window, "m1"), host_of(window, "m2")) == ("h3", "h3")
        assert window.session.stack.undoText() == "Move 2 VMs to esx3"
        assert window.board.state.cut == frozenset()

    def test_copy_and_paste_duplicates(self, window: MainWindow) -> None:
        window.selection.select("m1")
        trigger(window, "editing.copy")
        window.selection.select("h2")
        trigger(window, "editing.paste")
        copy = window.session.scenario.vms[-1]
        assert (copy.name, copy.host) == ("Mail-03", "h2")
        assert copy.workload == window.session.scenario.vm("m1").workload
        assert window.session.stack.undoText() == "Paste Mail-03"

    @pytest.mark.parametrize("act", ["editing.cut", "editing.copy"])
    def test_what_was_taken_elsewhere_is_not_pasted(self, window: MainWindow, act: str) -> None:
        """Ids repeat: `m1` of another scenario or project is another VM."""
        messages: list[str] = []
        window.session.message.connect(messages.append)
        for change in ("scenarios.duplicate", "files.new"):
            window.selection.select("m1")
            trigger(window, act)
            trigger(window, change)
            assert window.board.state.cut == frozenset()
            window.session.stack.setClean()
            before = window.session.project
            trigger(window, "editing.paste")
            assert window.session.project == before
            assert messages[-1] == "The VMs on the clipboard are not in this scenario."

    def test_the_keyboard_alone(self, qtbot: QtBot, window: MainWindow) -> None:
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        window.board.setFocus()
        window.selection.select("m1")
        QTest.keyClick(window.board, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
        menu = window.board.findChildren(QMenu)[-1]
        qtbot.waitUntil(menu.isVisible)
        active = menu.activeAction()
        assert active is not None
        assert active.text().startswith("esx2 (CPU ")
        QTest.keyClick(menu, Qt.Key.Key_Return)
        assert host_of(window, "m1") == "h2"
        assert window.session.stack.undoText() == "Move Mail-01 to esx2"

    def test_picked_up_and_dropped_by_keys(self, window: MainWindow) -> None:
        window.board.setFocus()
        window.selection.select("m1")
        for key in (Qt.Key.Key_M, Qt.Key.Key_B, Qt.Key.Key_Return):
            QTest.keyClick(window.board, key)
        assert host_of(window, "m1") == "h2"
        assert window.session.stack.undoText() == "Move Mail-01 to esx2"

    def test_the_hand(self, qtbot: QtBot, window: MainWindow) -> None:
        drag(window.board, "m1", "h2")
        settle(qtbot, window)
        assert host_of(window, "m1") == "h2"
        trigger(window, "stack.undo")
        assert host_of(window, "m1") == "h1"
        trigger(window, "stack.redo")
        assert host_of(window, "m1") == "h2"


class TestEditing:
    def test_delete_and_undo(self, window: MainWindow) -> None:
        before = window.session.scenario
        window.selection.set(["m1", "h2"])
        trigger(window, "editing.delete")
        assert window.session.stack.undoText() == "Delete 2 items"
        assert window.selection.ids == ()
        trigger(window, "stack.undo")
        assert window.session.scenario == before

    def test_duplicate_stays_on_its_host(self, window: MainWindow) -> None:
        window.selection.set(["m1", "h1"])
        trigger(window, "editing.duplicate")
        scenario = window.session.scenario
        assert (scenario.vms[-1].name, scenario.vms[-1].host) == ("Mail-03", "h1")
        assert scenario.hosts[-1].name == "esx4"
        assert scenario.vms_on(scenario.hosts[-1].id) == ()
        assert window.session.stack.count() == 1

    def test_select_all_takes_the_vms(self, window: MainWindow) -> None:
        trigger(window, "editing.select_all")
        assert len(window.selection.ids) == len(window.session.scenario.vms)

    def test_insert_from_menus(self, window: MainWindow) -> None:
        window.selection.select("h3")
        _, kinds = choices(window, "insert_vm")
        kinds["Domino mail (NRPC)"].trigger()
        assert window.session.scenario.vms[-1].host == "h3"
        _, pools = choices(window, "insert_pool")
        next(iter(pools.values())).trigger()
        assert len(window.session.scenario.pools) == 3
        trigger(window, "editing.add_cluster")
        assert len(window.session.scenario.clusters) == 2
        _, hosts = choices(window, "insert_host")
        next(iter(hosts.values())).trigger()
        assert window.session.scenario.hosts[-1].server == "nehalem-ept"

    def test_keys_of_the_board_act_only_there(self, qtbot: QtBot, window: MainWindow) -> None:
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        window.selection.select("m1")
        window.catalog.list.setFocus()
        QTest.keyClick(window.catalog.list, Qt.Key.Key_Delete)
        assert window.session.stack.count() == 0
        window.board.setFocus()
        qtbot.waitUntil(window.board.hasFocus)
        QTest.keyClick(window.board, Qt.Key.Key_Delete)
        assert window.session.stack.undoText() == "Delete Mail-01"

    def test_acts_without_a_selection_are_disabled(self, window: MainWindow) -> None:
        window.selection.clear()
        for id in ("editing.cut", "editing.copy", "editing.delete", "editing.duplicate"):
            assert not window.actions_by_id[id].isEnabled()


class TestCatalog:
    def test_enter_in_the_search_adds_the_first_row(self, window: MainWindow) -> None:
        trigger(window, "view.search_catalog")
        window.catalog.search.setText("nehalem x5570")
        QTest.keyClick(window.catalog.search, Qt.Key.Key_Return)
        assert len(window.session.scenario.hosts) == 4
        assert window.selection.current == "h4"

    def test_a_double_click_adds(self, window: MainWindow) -> None:
        item = CatalogItem(CatalogKind.WORKLOAD, "domino-inotes")
        window.catalog.show_item(item)
        rows = window.catalog.list
        middle = rows.visualRect(rows.currentIndex()).center()
        QTest.mouseClick(rows.viewport(), LEFT, pos=middle)
        QTest.mouseDClick(rows.viewport(), LEFT, pos=middle)
        assert window.session.scenario.vms[-1].workload.kind == "domino-inotes"

    def test_a_search_without_a_hit_says_so(self, window: MainWindow) -> None:
        window.catalog.search.setText("no such thing")
        assert window.catalog.list.model().rowCount() == 0


class TestFiles:
    def test_save_and_open_again(
        self, window: MainWindow, answers: Answers, tmp_path: Path
    ) -> None:
        answers.path = tmp_path / "one.headroom"
        drag(window.board, "m1", "h2")
        assert window.isWindowModified()
        trigger(window, "files.save")
        assert not window.isWindowModified()
        assert window.windowTitle() == "one.headroom[*] \N{EN DASH} Headroom"
        saved = window.session.scenario
        trigger(window, "files.new")
        assert window.session.scenario.items() == ()
        trigger(window, "files.open")
        assert window.session.scenario == saved
        assert answers.problems == []
        _, recent = choices(window, "recent")
        assert "one.headroom" in recent
        (tmp_path / "one.headroom").unlink()
        recent["one.headroom"].trigger()
        assert "there is no such file" in answers.problems[-1]
        _, recent = choices(window, "recent")
        assert "one.headroom" not in recent

    def test_nothing_of_the_board_before_stays(self, qtbot: QtBot, window: MainWindow) -> None:
        forget_changes(window)
        window.board.fold_all(True)
        QTest.keyClicks(window.board.bar.field, "Mail-02")
        window.selection.select("m1")
        trigger(window, "editing.cut")
        assert window.board.matches == frozenset({"m2"})
        bar = window.board.verticalScrollBar()
        window.board.fold_all(False)
        at_rest(qtbot, window.board)
        bar.setValue(bar.maximum())
        assert bar.value() > 0
        wait_for_charts(qtbot, window)
        table = window.charts.failures.view
        table.selectRow(1)
        window.files.open_example("building-block")
        settle(qtbot, window)
        board = window.board
        qtbot.waitUntil(lambda: bar.maximum() > 0)
        assert bar.value() == 0
        assert not table.selectionModel().hasSelection()
        assert board.bar.field.text() == ""
        assert (board.folded, board.matches, board.cut) == (frozenset(), None, frozenset())

    @pytest.mark.parametrize("all_the_same", [True, False])
    def test_a_file_with_a_flipped_bit_is_opened_only_on_demand(
        self, window: MainWindow, answers: Answers, tmp_path: Path, all_the_same: bool
    ) -> None:
        path = answers.path = tmp_path / "one.headroom"
        trigger(window, "files.save")
        path.write_bytes(path.read_bytes().replace(b"Mail-01", b"Mail-00"))
        trigger(window, "files.new")
        answers.yes = all_the_same
        trigger(window, "files.open")
        assert answers.problems == []
        if all_the_same:
            assert window.session.scenario.vms[0].name == "Mail-00"
            assert (window.session.path, window.isWindowModified()) == (None, True)
            assert "one (damaged)" in window.windowTitle()
        else:
            assert window.session.scenario.items() == ()

    def test_a_bad_file_is_one_sentence(
        self, window: MainWindow, answers: Answers, tmp_path: Path
    ) -> None:
        answers.path = tmp_path / "bad.json"
        answers.path.write_text('{"format": "headroom-scenario", "version": 1}')
        before = window.session.project
        trigger(window, "files.open")
        assert len(answers.problems) == 1
        assert "bad.json" in answers.problems[0]
        assert "\n" not in answers.problems[0]
        assert window.session.project is before

    def test_a_folder_that_is_gone_is_one_sentence(
        self, window: MainWindow, answers: Answers, tmp_path: Path
    ) -> None:
        answers.path = tmp_path / "gone" / "one.headroom"
        drag(window.board, "m1", "h2")
        trigger(window, "files.save_as")
        assert len(answers.problems) == 1
        assert window.isWindowModified()

    def test_export_and_import(self, window: MainWindow, answers: Answers, tmp_path: Path) -> None:
        answers.path = tmp_path / "scenario.json"
        trigger(window, "files.export_json")
        assert window.files.import_path(answers.path)
        project = window.session.project
        assert [entry.scenario.name for entry in project.entries] == ["Sample", "Sample 2"]
        assert window.session.stack.undoText() == "Import scenario.json"

    def test_what_was_imported_says_so(
        self, window: MainWindow, answers: Answers, tmp_path: Path
    ) -> None:
        before = window.session.project
        answers.path = tmp_path / "scenario.json"
        trigger(window, "files.export_json")
        assert window.files.import_path(answers.path)
        host = window.session.scenario.hosts[0]
        assert origin_of(host, "ram_gib") is Origin.IMPORTED
        assert origin_of(window.session.scenario, "policy.cpu_limit_pct") is Origin.DEFAULT
        trigger(window, "stack.undo")
        assert window.session.project == before

    def test_the_proposal_is_a_pdf(
        self, window: MainWindow, answers: Answers, tmp_path: Path
    ) -> None:
        answers.path = tmp_path / "proposal.pdf"
        propose(window, answers.path)
        assert answers.problems == []
        assert answers.path.read_bytes().startswith(b"%PDF")
        assert str(PdfReader(answers.path).root_object["/Lang"]) == "en"

    def test_the_proposal_can_have_another_language(
        self, window: MainWindow, answers: Answers, tmp_path: Path
    ) -> None:
        answers.path = tmp_path / "proposal.pdf"
        propose(window, answers.path, "de")
        assert answers.problems == []
        assert str(PdfReader(answers.path).root_object["/Lang"]) == "de"

    def test_closing_asks_about_changes(self, window: MainWindow, answers: Answers) -> None:
        drag(window.board, "m1", "h2")
        assert not window.close()
        assert answers.asked == ["Untitled"]
        answers.answer = Answer.DISCARD
        assert window.close()

    def test_what_can_not_be_worked_out_leaves_what_is_open(
        self,
        window: MainWindow,
        answers: Answers,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        path = tmp_path / "theirs.json"
        path.write_bytes(scenario_to_json(replace(samples.scenario(), name="theirs")))
        before, token = window.session.project, window.session.token
        monkeypatch.setattr("app.crash.log_path", lambda: tmp_path / "log")

        faults = (ZeroDivisionError, OverflowError, MemoryError)
        for fault, way in product(faults, (window.files.open_path, window.files.import_path)):
            monkeypatch.setattr("app.session.evaluate", Mock(side_effect=fault))
            assert not way(path)
            said = "“theirs.json” can’t be worked out, so that it was not opened."
            assert answers.problems == [said]
            answers.problems.clear()
            assert window.session.project is before
            assert window.session.token == token

    def test_every_example_opens(self, window: MainWindow) -> None:
        for example in load_examples():
            window.files.open_example(example.id)
            assert len(window.session.project.entries) == len(example.files)
            window.session.flush()

    def test_what_is_imported_brings_its_models_and_can_be_saved(
        self, window: MainWindow, answers: Answers, tmp_path: Path
    ) -> None:
        """A colleague's project, with a server that only the colleague's library has."""
        before = window.session.view.prediction.findings
        scenario, catalog = samples.scenario(), window.session.catalog
        server = replace(catalog.servers[scenario.hosts[0].server], id="own-x", spec_rate=1000.0)
        theirs = scenario.edit(Host, scenario.hosts[0].id, lambda h: replace(h, server="own-x"))
        path = tmp_path / "theirs.headroom"
        whole = save_whole(
            path,
            Project.of(theirs),
            catalog.merged(Catalog(servers={"own-x": server})),
            program_version="1",
        )
        assert "own-x" in whole.used_catalog.servers
        assert window.files.import_path(path)
        window.session.flush()
        assert window.session.catalog.servers["own-x"] == server
        saved = tmp_path / "both.headroom"
        assert window.files.save_to(saved)
        assert window.files.open_path(saved)
        window.session.show("s1")
        window.session.flush()
        assert window.session.view.prediction.findings == before
        assert answers.problems == []

    def test_what_somebody_else_has_saved_since_is_not_replaced_unasked(
        self, window: MainWindow, answers: Answers, tmp_path: Path
    ) -> None:
        path = tmp_path / "a.headroom"
        assert window.files.save_to(path)
        window.session.change(lambda s: replace(s, notes="mine"), "Write")
        assert window.files.save_to(path)
        theirs, stamp = replace(load_project(path).scenario, notes="else"), path.stat()
        save_project(path, Project.of(theirs), program_version="1")
        path.write_bytes(path.read_bytes().ljust(stamp.st_size, b"\0"))
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # size and time tell nothing
        window.session.change(lambda s: replace(s, notes="mine again"), "Write")
        assert not window.files.save_to(path)
        assert answers.asked == ["“a.headroom” has been changed elsewhere since you opened it."]
        assert load_project(path).scenario == theirs
        assert window.session.is_modified
        answers.instead, answers.path = Instead.SAVE_AS, tmp_path / "b.headroom"
        assert window.files.save_to(path)
        assert window.session.path == answers.path
        assert load_project(path).scenario == theirs
        assert window.files.open_path(path)
        window.session.change(lambda s: replace(s, notes="after theirs"), "Write")
        assert window.files.save_to(path)
        assert len(answers.asked) == 2

    def test_what_a_file_cannot_take_may_be_saved_under_another_name(
        self, window: MainWindow, answers: Answers, tmp_path: Path
    ) -> None:
        nowhere = tmp_path / "gone" / "a.headroom"
        assert not window.files.save_to(nowhere)
        answers.instead, answers.path = Instead.SAVE_AS, tmp_path / "b.headroom"
        assert window.files.save_to(nowhere)
        assert len(answers.problems) == 2
        assert window.session.path == answers.path
        assert answers.path.exists()

    def test_what_a_file_is_says_its_content(self, window: MainWindow, tmp_path: Path) -> None:
        path = tmp_path / "Acme v2.1"
        assert window.files.save_to(path)
        assert window.files.open_path(path)
        assert window.session.path == path
        assert window.files.title == "Acme v2.1"

    def test_a_scenario_file_says_which_entries_it_needs(
        self, window: MainWindow, answers: Answers, tmp_path: Path
    ) -> None:
        answers.path = tmp_path / "a.json"
        trigger(window, "files.export_json")
        assert answers.problems == []
        session = window.session
        host = session.scenario.hosts[0]
        mine = replace(session.catalog.servers[host.server], id="own-x", name="Lab server")
        scenario = session.scenario.edit(Host, host.id, lambda h: replace(h, server="own-x"))
        own = Catalog(servers={"own-x": mine})
        session.edit_project(
            replace(session.project.with_scenario(scenario), own_catalog=own), "Use it"
        )
        trigger(window, "files.export_json")
        expected = (
            "A scenario file holds no catalog entries: whoever opens a.json needs Lab server. "
            "A project takes them along."
        )
        assert answers.problems == [expected]

    def test_what_could_not_be_opened_again_is_not_written(
        self, window: MainWindow, answers: Answers, tmp_path: Path
    ) -> None:
        scenario = window.session.scenario
        unknown = scenario.edit(Host, scenario.hosts[0].id, lambda h: replace(h, server="nobody"))
        with pytest.raises(StoreError, match="no server called “nobody”"):
            save_whole(
                tmp_path / "a.headroom",
                Project.of(unknown),
                window.session.catalog,
                program_version="1",
            )
        assert not (tmp_path / "a.headroom").exists()


class TestScenarios:
    def test_duplicate_rename_delete(self, window: MainWindow, answers: Answers) -> None:
        session = window.session
        trigger(window, "scenarios.duplicate")
        assert [e.scenario.name for e in session.project.entries] == ["Sample", "Sample 2"]
        answers.text = "Bigger"
        trigger(window, "scenarios.rename")
        assert session.scenario.name == "Bigger"
        trigger(window, "scenarios.make_baseline")
        assert session.project.baseline == session.project.active
        trigger(window, "scenarios.delete")
        assert len(session.project.entries) == 1
        assert not window.actions_by_id["scenarios.delete"].isEnabled()
        trigger(window, "stack.undo")
        assert len(session.project.entries) == 2

    def test_a_taken_name_is_refused(self, window: MainWindow, answers: Answers) -> None:
        trigger(window, "scenarios.new")
        answers.text = "Sample"
        trigger(window, "scenarios.rename")
        assert answers.problems == ["Not renamed: another scenario is called “Sample”."]


class TestLooks:
    def test_dark_and_back(self, window: MainWindow, settings: Settings) -> None:
        trigger(window, "view.dark")
        assert window.board.scene.theme is DARK
        assert settings.appearance == DARK.name
        assert window.actions_by_id["view.dark"].isChecked()
        trigger(window, "view.light")
        assert window.board.scene.theme is LIGHT

    def test_panels_fold_away(self, window: MainWindow) -> None:
        for id in ("view.toggle_left", "view.toggle_below", "view.toggle_right"):
            assert window.actions_by_id[id].isChecked()
            trigger(window, id)
            assert not window.actions_by_id[id].isChecked()
        assert not window.catalog.isVisible()
        trigger(window, "view.search_catalog")
        assert window.catalog.isVisible()

    def test_a_new_project_fits_whatever_was_chosen_for_the_one_before(
        self, qtbot: QtBot, window: MainWindow
    ) -> None:
        trigger(window, "view.zoom_in")
        assert window.board.camera.zoom > 1.0
        window.session.stack.setClean()
        window.files.open_example("building-block")
        board, zooms = window.board, set()
        for height in range(760, 1200, 40):
            window.resize(1600, height)
            settle(qtbot, window)
            zooms.add(board.camera.zoom)
            is_whole = board.board_layout.height <= board.viewport().height()
            assert is_whole or board.camera.zoom == 1.0, "smaller it could not be read"
            assert board.camera.zoom >= 0.8
        assert min(zooms) < 1.0 == max(zooms)
        trigger(window, "view.zoom_in")
        chosen = board.camera.zoom
        window.resize(1590, 760)
        settle(qtbot, window)
        assert board.camera.zoom == chosen
        assert window._zoom_label.text() == f"Board {chosen * 100:.0f}{THIN}%"

    @pytest.mark.parametrize("height", [760, 920, 1080])
    @pytest.mark.slow
    def test_one_project_after_the_other_fits(
        self, qtbot: QtBot, window: MainWindow, height: int
    ) -> None:
        window.resize(1600, height)
        settle(qtbot, window)
        board = window.board
        for id in ("building-block", "wv21-migration", "building-block", "sametime-100000"):
            window.session.stack.setClean()
            window.files.open_example(id)
            settle(qtbot, window)
            fitting = board.camera._fitting(board._laid_out_at) or 0.0
            assert board.camera.zoom == (fitting if fitting >= 0.8 else 1.0)

    def test_the_palette_runs_an_act(self, window: MainWindow) -> None:
        trigger(window, "view.palette")
        palette = window.findChild(CommandPalette)
        assert palette is not None
        QTest.keyClicks(palette.field, "select all")
        QTest.keyClick(palette.field, Qt.Key.Key_Return)
        assert len(window.selection.ids) == len(window.session.scenario.vms)

    def test_keys_and_about(self, window: MainWindow) -> None:
        trigger(window, "view.keys")
        trigger(window, "view.about")
        for kind in (KeysDialog, AboutDialog):
            dialog = window.findChild(kind)
            assert dialog is not None
            dialog.close()
        names = [name for name, _ in window.looks.versions()]
        assert names[:3] == ["Headroom", "Model", "Evidence"]

    def test_the_handbook_opens_in_the_browser(
        self, window: MainWindow, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opened: list[QUrl] = []

        def open_url(url: QUrl) -> bool:
            opened.append(url)
            return True

        monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
        trigger(window, "view.manual")
        assert [Path(url.toLocalFile()).exists() for url in opened] == [True]

    def test_a_problem_is_shown_before_it_is_saved(
        self, window: MainWindow, answers: Answers, tmp_path: Path
    ) -> None:
        trigger(window, "files.report_problem")
        dialog = window.findChild(ProblemDialog)
        assert dialog is not None
        vm = window.session.scenario.vms[0].name
        dialog.told.setPlainText(f"{vm} flickers")
        shown = dialog.report.toPlainText()
        assert "vm-1 flickers" in shown
        answers.path = tmp_path / "problem.txt"
        dialog.saving.click()
        assert answers.path.read_text() == shown

    def test_the_list_of_keys_has_each_act_once(self) -> None:
        keys = [key for _, rows in key_groups() for key, _ in rows]
        assert keys.count("Ctrl+E") == keys.count("M") == 1
        assert "F1, ?" in keys


class TestEmpty:
    def test_an_empty_board_offers_examples(
        self, qtbot: QtBot, settings: Settings, answers: Answers
    ) -> None:
        window = made(Project.of(Scenario(name="Empty")), settings, answers)
        qtbot.addWidget(window, before_close_func=forget_changes)
        with qtbot.waitExposed(window):
            window.show()
        wait_for_charts(qtbot, window)
        assert window.empty.isVisible()
        title = load_examples()[0].title
        button = next(b for b in window.empty.findChildren(QPushButton) if b.text() == title)
        QTest.mouseClick(button, LEFT)
        settle(qtbot, window)
        assert not window.empty.isVisible()
        assert window.session.scenario.hosts


def test_every_shortcut_is_used_once() -> None:
    keys = [key for spec in action_specs() for key in spec.keys]
    assert len(keys) == len(set(keys))


def test_every_icon_of_the_table_can_be_drawn(qapp: QCoreApplication) -> None:
    for spec in action_specs():
        if spec.icon:
            assert not icon_pixmap(spec.icon, "#000000", 16).isNull()


def test_geometry_is_remembered(qtbot: QtBot, settings: Settings, answers: Answers) -> None:
    first = made(Project.of(samples.scenario()), settings, answers)
    qtbot.addWidget(first)
    first.resize(1200, 700)
    first.close()
    assert settings.state("columns") is not None


def test_a_closed_window_is_gone(qtbot: QtBot, settings: Settings, answers: Answers) -> None:
    window = made(Project.of(samples.scenario()), settings, answers)
    gone = weakref.ref(window.board)
    with qtbot.waitExposed(window):
        window.show()
    wait_for_charts(qtbot, window)
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    del window
    gc.collect()
    assert gone() is None


@pytest.mark.xvfb
def test_a_real_window_takes_a_real_drag(
    qtbot: QtBot, settings: Settings, answers: Answers
) -> None:
    window = made(Project.of(samples.scenario()), settings, answers)
    qtbot.addWidget(window, before_close_func=forget_changes)
    window.resize(*WITH_CHARTS)
    with qtbot.waitExposed(window):
        window.show()
    wait_for_charts(qtbot, window)
    QTest.mouseClick(window.board.viewport(), LEFT, pos=at(window.board, "m1"))
    drag(window.board, "m1", "h2")
    assert host_of(window, "m1") == "h2"
    picture = window.grab().toImage()
    assert picture.width() == 1366
    qtbot.waitUntil(lambda: window.charts.curve.chart is not None)


class TestBoardActs:
    def test_fold_and_unfold(self, window: MainWindow) -> None:
        trigger(window, "view.fold_hosts")
        assert window.board.folded == {"h1", "h2", "h3"}
        trigger(window, "view.unfold_hosts")
        assert window.board.folded == set()

    def test_find(self, qtbot: QtBot, window: MainWindow) -> None:
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        trigger(window, "view.find_on_board")
        assert window.board.bar.field.hasFocus()

    def test_only_vms_are_picked_up(self, qtbot: QtBot, window: MainWindow) -> None:
        act = window.actions_by_id["view.pick_up"]
        assert act.shortcut().toString() == "M"
        for id, can in (("", False), ("h1", False), ("m1", True)):
            window.selection.set([id] if id else [])
            assert act.isEnabled() is can
        window.activateWindow()
        window.board.setFocus()
        qtbot.waitUntil(window.board.hasFocus)
        QTest.keyClick(window.board, Qt.Key.Key_M)
        carry = window.board.state.carry
        assert carry is not None
        QTest.keyClick(window.board, Qt.Key.Key_Right)
        QTest.keyClick(window.board, Qt.Key.Key_M)
        aimed = window.board.state.carry
        assert aimed is not None
        assert aimed.target != carry.target, "a second M changes nothing"
        QTest.keyClick(window.board, Qt.Key.Key_Escape)

    def test_pick_up_and_lose(self, qtbot: QtBot, window: MainWindow) -> None:
        window.selection.select("m1")
        trigger(window, "view.pick_up")
        carry = window.board.state.carry
        assert carry is not None
        assert carry.ids == ("m1",)
        QTest.keyClick(window.board, Qt.Key.Key_Escape)
        trigger(window, "view.lose_host")
        settle(qtbot, window)
        assert window.board.state.lost is not None
        assert "esx1" in window.board.bar.banner.words
        QTest.keyClick(window.board, Qt.Key.Key_Escape)
        settle(qtbot, window)
        assert window.board.state.lost is None

    def test_a_host_goes_into_maintenance_and_comes_back(self, window: MainWindow) -> None:
        assert not window.actions_by_id["editing.set_maintenance"].isEnabled()
        window.selection.select("h1")
        action = window.actions_by_id["editing.set_maintenance"]
        for into in (True, False):
            trigger(window, "editing.set_maintenance")
            assert window.session.scenario.host("h1").in_maintenance is into
            assert action.isChecked() is into
        window.session.stack.undo()
        assert action.isChecked()

    def test_less_motion_is_remembered(
        self, qtbot: QtBot, window: MainWindow, settings: Settings
    ) -> None:
        assert not settings.reduce_motion
        trigger(window, "view.reduce_motion")
        assert settings.reduce_motion
        assert not window.board.outage.is_moving_allowed
        trigger(window, "view.reduce_motion")
        assert window.board.outage.is_moving_allowed


@pytest.mark.parametrize("page", some(["curve", "load", "utilisation", "whatif", "storm"]))
def test_an_open_window_outlives_who_held_it(
    qtbot: QtBot,
    settings: Settings,
    answers: Answers,
    monkeypatch: pytest.MonkeyPatch,
    page: str,
) -> None:
    """A chart is drawn to its end, though the collector runs in the midst of it."""
    window = made(Project.of(two_hosts()), settings, answers)
    with qtbot.waitExposed(window):
        window.show()
    wait_for_charts(qtbot, window)
    window.charts.setCurrentWidget(getattr(window.charts, page))
    settle(qtbot, window)
    session, alive = window.session, weakref.ref(window)
    del window
    summarise, drawn = ChartPage.summarise, []

    def collecting(self: ChartPage, text: str) -> None:
        gc.collect()
        summarise(self, text)
        drawn.append(text)

    monkeypatch.setattr(ChartPage, "summarise", collecting)
    session.change(lambda scenario: scenario.place(["m1"], None), "Take it off")
    qtbot.waitUntil(lambda: bool(drawn))
    held = alive()
    assert held is not None
    forget_changes(held)
    held.close()
    held.deleteLater()
    del held
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    assert alive() is None


def test_the_findings_of_what_it_was_started_with_are_counted_at_once(
    qtbot: QtBot, tmp_path: Path
) -> None:
    project = Project.of(samples.scenario())
    window = made(project, Settings(tmp_path / "settings.ini"), Answers())
    qtbot.addWidget(window, before_close_func=forget_changes)
    number = len(window.session.view.prediction.findings)
    assert number
    assert window.right.tabs.tabText(1) == f"Findings ({number})"


@pytest.mark.xvfb
def test_an_open_window_takes_another_theme_whole(
    qtbot: QtBot, qapp: QApplication, request: pytest.FixtureRequest
) -> None:
    """Nothing stays in the colours of the one before, and back it is as it was."""
    apply_theme(qapp, LIGHT)  # as the program does before it opens a window
    window: MainWindow = request.getfixturevalue("window")
    window.selection.set([window.session.scenario.vms[0].id])
    window.why.open()
    pictures: dict[str, Pixels] = {}
    for theme in (LIGHT, DARK, HIGH_CONTRAST, DARK, LIGHT):
        window.looks.set_theme(theme)
        at_rest(qtbot, window)
        shown = picture_of(window)
        for other in THEMES.values():
            foreign = {getattr(other, name) for name in TOLD_APART} - set(astuple(theme))
            assert sum(count_of(shown, colour) for colour in foreign) < A_FEW, other.name
        assert (pictures.setdefault(theme.name, shown) == shown).all()


TOLD_APART = ("ground", "panel", "raised", "muted", "accent", "accent_soft")
A_FEW = 30
"""Pixels that have a colour of another theme by chance, where a letter ends."""


def count_of(picture: Pixels, colour: str) -> int:
    wanted = QColor(colour)
    return int((picture == (wanted.blue(), wanted.green(), wanted.red())).all(axis=2).sum())

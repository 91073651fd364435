"""What is being typed is part of the work: it is saved, asked about, and stays where it was meant.

With real keys, for a field keeps its text to itself until the focus leaves it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.settings import Settings
from app.widgets.inspector.waivers import WaiverEntry, WaiversBox
from app.windows.dialogs import Answer
from app.windows.window import MainWindow
from db.project import load_project
from models.project.project import Entry, Project
from models.scenario.scenario import Scenario, Waiver
from tests.app import samples
from tests.app.windows.whole import Answers, forget_changes, made, settle, trigger, wait_for_charts
from tests.sweeps import some

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

CTRL = Qt.KeyboardModifier.ControlModifier
FIELDS = ("customer", "notes", "policy.cpu_limit_pct")
TYPED = {"customer": "Acme", "notes": "Ask about mail quotas", "policy.cpu_limit_pct": "55"}


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, answers: Answers) -> MainWindow:
    first = samples.scenario()
    entries = tuple(
        Entry(id=id, scenario=replace(first, name=name))
        for id, name in (("s1", "First"), ("s2", "Second"))
    )
    project = Project(entries=entries, active="s1")
    window = made(project, Settings(tmp_path / "settings.ini"), answers)
    qtbot.addWidget(window, before_close_func=forget_changes)
    with qtbot.waitExposed(window):
        window.show()
    wait_for_charts(qtbot, window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.looks.unfold(window.right)
    return window


def type_into(qtbot: QtBot, field: QWidget, text: str) -> None:
    """Puts the text in place of what stands in the field, without leaving it."""
    assert isinstance(field, QLineEdit | QPlainTextEdit)
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    field.selectAll()
    QTest.keyClicks(field, text)


def type_field(qtbot: QtBot, window: MainWindow, name: str) -> QWidget:
    window.inspector.show_field(name)
    assert window.inspector.page is not None
    editor = window.inspector.page.row(name).editor
    type_into(qtbot, editor, TYPED[name])
    return editor


def value(scenario: Scenario, name: str) -> str:
    if name == "policy.cpu_limit_pct":
        return f"{scenario.policy.cpu_limit_pct:g}"
    return str(getattr(scenario, name))


def scenario_of(window: MainWindow, id: str) -> Scenario:
    return window.session.project.entry(id).scenario


class TestSaving:
    @pytest.mark.parametrize("name", some(FIELDS))
    def test_the_keys_that_save_save_what_is_being_typed(
        self, qtbot: QtBot, window: MainWindow, tmp_path: Path, name: str
    ) -> None:
        path = tmp_path / "a.headroom"
        assert window.files.save_to(path)
        editor = type_field(qtbot, window, name)
        QTest.keyClick(editor, Qt.Key.Key_S, CTRL)
        qtbot.waitUntil(lambda: value(load_project(path).scenario, name) == TYPED[name])
        assert not window.session.is_modified

    def test_a_heading_too(self, qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
        path = tmp_path / "a.headroom"
        assert window.files.save_to(path)
        type_into(qtbot, window.inspector.head.name, "Renamed")
        QTest.keyClick(window.inspector.head.name, Qt.Key.Key_S, CTRL)
        qtbot.waitUntil(lambda: load_project(path).scenario.name == "Renamed")

    def test_a_name_in_the_list_too(self, qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
        path = tmp_path / "a.headroom"
        assert window.files.save_to(path)
        window.scenarios.rename()
        editor = window.scenarios.view.viewport().findChild(QLineEdit)
        assert isinstance(editor, QLineEdit)
        type_into(qtbot, editor, "Renamed")
        trigger(window, "files.save")
        assert load_project(path).scenario.name == "Renamed"

    def test_a_scenario_is_written_with_what_is_being_typed(
        self, qtbot: QtBot, window: MainWindow, answers: Answers, tmp_path: Path
    ) -> None:
        answers.path = tmp_path / "a.json"
        type_field(qtbot, window, "notes")
        trigger(window, "files.export_json")
        assert TYPED["notes"] in answers.path.read_text()

    @pytest.mark.parametrize("name", some(FIELDS))
    def test_closing_asks_about_what_is_being_typed(
        self, qtbot: QtBot, window: MainWindow, answers: Answers, tmp_path: Path, name: str
    ) -> None:
        path = tmp_path / "a.headroom"
        assert window.files.save_to(path)
        editor = type_field(qtbot, window, name)
        QTest.keyClick(editor, Qt.Key.Key_Q, CTRL)
        qtbot.waitUntil(lambda: answers.asked == ["a.headroom"])
        assert window.isVisible()
        answers.answer = Answer.SAVE
        type_field(qtbot, window, name)
        assert window.close()
        assert value(load_project(path).scenario, name) == TYPED[name]

    def test_notes_count_after_a_pause(self, qtbot: QtBot, window: MainWindow) -> None:
        editor = type_field(qtbot, window, "notes")
        qtbot.waitUntil(lambda: window.session.scenario.notes == TYPED["notes"])
        settle(qtbot, window)
        assert editor.hasFocus()
        QTest.keyClicks(editor, ", and archives")
        qtbot.waitUntil(lambda: window.session.scenario.notes.endswith(", and archives"))
        settle(qtbot, window)
        QTest.keyClick(editor, Qt.Key.Key_Z, CTRL)
        qtbot.waitUntil(lambda: window.session.scenario.notes == TYPED["notes"])

    def test_another_project_is_asked_about_first(
        self, qtbot: QtBot, window: MainWindow, answers: Answers
    ) -> None:
        type_field(qtbot, window, "customer")
        window.files.open_example("building-block")
        assert len(answers.asked) == 1
        assert window.session.scenario.customer == "Acme"
        answers.answer = Answer.DISCARD
        type_field(qtbot, window, "notes")
        window.files.open_example("building-block")
        settle(qtbot, window)
        window.board.setFocus()
        assert window.session.scenario.notes != TYPED["notes"]
        assert not window.session.is_modified


class TestPlace:
    @pytest.mark.parametrize(
        ("name", "way"),
        some(
            [
                ("customer", "scenarios.new"),
                ("notes", "scenarios.next"),
                ("policy.cpu_limit_pct", "scenarios.duplicate"),
            ]
        ),
    )
    def test_it_is_the_scenarios_it_was_typed_for(
        self, qtbot: QtBot, window: MainWindow, name: str, way: str
    ) -> None:
        before = value(scenario_of(window, "s2"), name)
        type_field(qtbot, window, name)
        trigger(window, way)
        settle(qtbot, window)
        window.board.setFocus()
        settle(qtbot, window)
        assert window.session.project.active != "s1"
        assert value(scenario_of(window, "s1"), name) == TYPED[name]
        assert value(scenario_of(window, "s2"), name) == before

    def test_a_heading_names_the_scenario_it_was_typed_for(
        self, qtbot: QtBot, window: MainWindow
    ) -> None:
        type_into(qtbot, window.inspector.head.name, "Renamed")
        trigger(window, "scenarios.next")
        settle(qtbot, window)
        window.board.setFocus()
        names = [entry.scenario.name for entry in window.session.project.entries]
        assert names == ["Renamed", "Second"]

    @pytest.mark.parametrize("name", some(FIELDS[1:]))
    def test_what_nobody_could_commit_is_dropped(
        self, qtbot: QtBot, window: MainWindow, name: str
    ) -> None:
        """The project changes behind the field's back, as by a step of the history."""
        trigger(window, "scenarios.next")
        settle(qtbot, window)
        before = window.session.project
        window.session.edit_project(before.removed("s1"), "Delete First")
        settle(qtbot, window)
        editor = type_field(qtbot, window, name)
        window.session.edit_project(before.show("s1"), "Bring it back")
        window.board.setFocus()
        settle(qtbot, window)
        assert not editor.hasFocus()
        assert window.session.project.entries == before.entries

    def test_of_a_vm_it_is_the_vms(self, qtbot: QtBot, window: MainWindow) -> None:
        window.selection.select("m1")
        type_into(qtbot, window.inspector.head.name, "Postbox")
        window.selection.select("m2")
        settle(qtbot, window)
        names = [window.session.scenario.vm(id).name for id in ("m1", "m2")]
        assert names == ["Postbox", samples.scenario().vm("m2").name]

    def test_a_reason_is_the_findings(self, qtbot: QtBot, window: MainWindow) -> None:
        waived = [Waiver(rule=rule, subject="", reason=rule) for rule in ("a", "b")]
        for id, waivers in (("s2", waived[1:]), ("s1", waived)):
            window.session.show(id)
            scenario = replace(window.session.scenario, waivers=tuple(waivers))
            window.session.edit(scenario, "Waive")
        settle(qtbot, window)
        box = window.inspector.lists[1]
        assert isinstance(box, WaiversBox)
        box.fold.setChecked(True)
        entry = box.entries[0]
        assert isinstance(entry, WaiverEntry)
        type_into(qtbot, entry.reason, "Agreed")
        trigger(window, "scenarios.next")
        settle(qtbot, window)
        window.board.setFocus()
        reasons = [[w.reason for w in scenario_of(window, id).waivers] for id in ("s1", "s2")]
        assert reasons == [["Agreed", "b"], ["b"]]

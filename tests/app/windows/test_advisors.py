"""The window of the advisors: every topic answers, pasted tables count, refusals are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.cli_advise import notes_in
from app.settings import Settings
from app.windows.advisors import AdvisorCommands
from app.windows.advisors_window import AdvisorsWindow
from app.windows.dialogs import Dialogs
from app.windows.places import advisor_places
from db.files import save_whole
from db.project import load_project
from models.advise.topics import TOPICS
from models.project import Project
from models.tell.blocks import VerdictBox
from tests.app.sessions import session_of, two_hosts

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> AdvisorsWindow:
    opened = AdvisorsWindow(Settings(tmp_path / "settings.ini"), Dialogs())
    qtbot.addWidget(opened)
    opened.show()
    return opened


@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_answers_its_example(window: AdvisorsWindow, topic: str) -> None:
    page = window.page(topic)
    assert page.answer is not None
    assert page.refusal.isHidden()
    assert isinstance(page.view.sections[0].blocks[0], VerdictBox)
    assert all(editor.accessibleName() for editor in page.form.editors.values())


def test_what_is_entered_changes_the_answer(window: AdvisorsWindow) -> None:
    page = window.page("availability")
    editor = page.form.editors["mean_transaction_ms"]
    assert isinstance(editor, QLineEdit)
    editor.setText("2,5")
    editor.editingFinished.emit()
    assert page.answer is not None
    assert "Server_TransInfo_Normalize=250" in page.answer.lines


def test_a_refusal_names_the_field_and_the_answer_stays_away(window: AdvisorsWindow) -> None:
    page = window.page("cluster")
    editor = page.form.editors["cpu_pct"]
    assert isinstance(editor, QLineEdit)
    editor.setText("much")
    editor.editingFinished.emit()
    assert page.answer is None
    assert "cpu_pct" in page.refusal.text()
    editor.setText("30")
    editor.editingFinished.emit()
    assert page.answer is not None
    assert page.refusal.isHidden()


def test_a_pasted_table_is_balanced_and_the_plan_saved(
    window: AdvisorsWindow, tmp_path: Path
) -> None:
    page = window.page("rebalance")
    lines = [f"a{n},S1,{n + 1}" for n in range(30)] + [f"b{n},S2,{n + 1}" for n in range(10)]
    source, target = tmp_path / "files.csv", tmp_path / "plan.csv"
    source.write_text("\n".join(["file,server,cpu", *lines]), encoding="utf-8")
    page.open_file(source)
    assert page.answer is not None
    assert page.answer.conclusion == "can be balanced"
    page.save_to(target)
    assert target.read_text(encoding="utf-8").startswith("file,replica_id,from,to")
    page.pasted.setPlainText("nonsense")
    page.ask()
    assert page.answer is None
    assert not page.save.isEnabled()


def test_a_sheet_of_servers_keeps_the_host_of_the_form(window: AdvisorsWindow) -> None:
    page = window.page("candidates")
    page.pasted.setPlainText("name;role;cpu\nA;test;3\nB;mail;\n")
    page.ask()
    assert page.answer is not None
    assert [row[0] for row in page.answer.tables[0].rows] == ["A", "B"]


def test_figures_of_a_listing_go_over_the_form(window: AdvisorsWindow) -> None:
    page = window.page("io")
    page.pasted.setPlainText("cpu: 3\nkernel: 3\n")
    page.ask()
    assert page.answer is not None
    assert page.answer.conclusion == "no sign of it"


def test_the_example_comes_back(window: AdvisorsWindow) -> None:
    page = window.page("cluster")
    box = page.form.editors["transaction_logging"]
    assert isinstance(box, QCheckBox)
    before = page.answer
    box.toggle()
    assert page.answer != before
    page.example.click()
    assert page.answer == before


def test_candidates_come_onto_the_board_in_one_step(qtbot: QtBot, tmp_path: Path) -> None:
    session = session_of(two_hosts())
    opened = AdvisorsWindow(Settings(tmp_path / "settings.ini"), Dialogs(), session)
    qtbot.addWidget(opened)
    opened.show()
    before = session.scenario
    page = opened.page("candidates")
    page.pasted.setPlainText("name;role;cpu\nA;test;3\nB;mail;\n")
    page.ask()
    page.board.click()
    assert [vm.name for vm in session.scenario.vms[len(before.vms) :]] == ["A"]
    session.stack.undo()
    assert session.scenario == before


def test_each_topic_is_found_by_its_words_and_opened(qtbot: QtBot, tmp_path: Path) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    commands = AdvisorCommands(
        owner, Settings(tmp_path / "s.ini"), Dialogs(), session_of(two_hosts())
    )
    found = list(advisor_places(commands))
    assert len(found) == len(TOPICS)
    (place,) = (each for each in found if "vmstat" in each.also)
    place.go()
    assert commands.opened is not None
    assert commands.opened.topics.currentItem().text() == TOPICS["io"].title
    commands.close()


def test_an_answer_that_is_kept_stands_among_the_notes_of_its_project(
    qtbot: QtBot, tmp_path: Path
) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    session = session_of(two_hosts())
    commands = AdvisorCommands(owner, Settings(tmp_path / "s.ini"), Dialogs(), session)
    assert notes_in(session.project.entries) == ()
    commands.open()
    assert commands.opened is not None
    page = commands.opened.page("cluster")
    page.kept.setChecked(True)
    commands.close()
    assert notes_in(session.project.entries)[0].title == TOPICS["cluster"].title
    path = tmp_path / "kept.headroom"
    save_whole(path, session.project, session.catalog, program_version="test")
    assert notes_in(load_project(path).entries)[0].title == TOPICS["cluster"].title
    session.open(Project.of(two_hosts()), None)
    assert notes_in(session.project.entries) == ()

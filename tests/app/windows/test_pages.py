"""The pages of the window: reached by a key, kept as they were left, torn off and taken back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.windows.journey import BOARD, JOURNEY, START
from app.windows.pages import TornPage
from app.windows.window import MainWindow
from resources.example_files import load_examples
from tests.app.gestures import LEFT
from tests.app.windows.whole import Answers, trigger

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture(autouse=True)
def active(qtbot: QtBot, window: MainWindow) -> None:
    """Keys are heard by a window in use."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def in_front(window: MainWindow) -> str:
    """The stage that the bar marks."""
    return JOURNEY[window.journey.currentIndex()].name


def at(window: MainWindow, stage: str) -> QPoint:
    place = [each.name for each in JOURNEY].index(stage)
    return window.journey.tabRect(place).center()


def torn_off(window: MainWindow) -> list[TornPage]:
    return [each for each in window.findChildren(TornPage) if each.isVisible()]


def test_the_bar_tells_the_key_that_goes_there(window: MainWindow) -> None:
    for place, stage in enumerate(JOURNEY):
        id = "start.open" if stage.name == START else f"journey.{stage.name}"
        key = window.actions_by_id[id].shortcut()
        assert window.journey.tabToolTip(place).endswith(f"({key.toString()})")
        assert key == QKeySequence(f"Ctrl+{place + 1}")


def test_a_page_takes_the_place_of_the_board_and_escape_gives_it_back(window: MainWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_4, CTRL)
    page = window.recommend.opened
    assert page is not None
    assert page.isVisible()
    assert window.verdict.isVisible()
    assert not window.board.isVisible()
    assert in_front(window) == "options"
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert window.board.isVisible()
    assert in_front(window) == BOARD


def test_a_page_comes_back_as_it_was_left(window: MainWindow) -> None:
    window.recommend.open()
    page = window.recommend.opened
    assert page is not None
    page.numbers["users"].show_value(4321)
    window.compare.open()
    QTest.mouseClick(window.journey, LEFT, pos=at(window, BOARD))
    QTest.mouseClick(window.journey, LEFT, pos=at(window, "options"))
    assert window.stack.name == "compare"  # the one that was in front last
    window.recommend.open()
    assert window.recommend.opened is page
    assert page.numbers["users"].value == 4321


def test_a_page_is_torn_off_and_comes_back_when_its_window_closes(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.recommend.open()
    page = window.recommend.opened
    assert page is not None
    trigger(window, "journey.tear_off")
    (torn,) = torn_off(window)
    assert page.window() is torn
    assert page.isVisible()
    assert window.board.isVisible()
    assert in_front(window) == BOARD
    QTest.mouseClick(window.journey, LEFT, pos=at(window, "options"))
    assert in_front(window) == BOARD  # it stays in its own window
    torn.close()
    qtbot.waitUntil(lambda: page.window() is window)
    assert page.isVisible()
    assert in_front(window) == "options"
    assert torn_off(window) == []


def test_with_another_project_no_page_of_the_one_before_is_left(window: MainWindow) -> None:
    window.recommend.open()
    trigger(window, "journey.tear_off")
    window.history.open()
    window.files.open_example(load_examples()[0].id)
    assert window.recommend.opened is None
    assert window.history.opened is None
    assert torn_off(window) == []
    assert in_front(window) == BOARD


def test_an_act_on_the_board_brings_the_board(window: MainWindow) -> None:
    window.history.open()
    trigger(window, "view.zoom_in")
    assert window.board.isVisible()
    window.history.open()
    trigger(window, "view.find_on_board")
    assert window.board.isVisible()
    assert window.board.bar.field.hasFocus()


def test_choices_of_one_import_are_not_those_of_the_next(window: MainWindow) -> None:
    first = window.imports.shown()
    first.bring_in((), "VM\tvCPU\tRAM (GB)\nmail1\t4\t8\n")
    first.assume.form.io.low.setText("40")
    first.discard()
    assert window.imports.opened is None
    assert window.imports.shown() is not first
    assert not window.imports.shown().assume.rules


def test_a_proposal_names_the_customer_of_what_it_tells(window: MainWindow) -> None:
    session = window.session
    session.change(lambda scenario: replace(scenario, customer="Acme"), "customer")
    told = session.project.active
    page = window.proposal.shown()
    other = replace(session.scenario, customer="Beta", name="Another")
    session.edit_project(session.project.added(other), "another")
    page._follow()
    export = page.export(Path("out.pdf"))
    assert export.entries == (told,)
    assert export.customer == "Acme"


def test_options_for_another_board_are_not_offered(window: MainWindow, qtbot: QtBot) -> None:
    page = window.recommend.shown()
    page.of.setCurrentIndex(page.of.findData("board"))
    page.server.show_value("dl380g10p")
    page.array.show_value("gen-afa-mid")
    page.go.click()
    qtbot.waitUntil(lambda: not page.work.is_running)
    window.session.change(
        lambda scenario: replace(scenario, vms=scenario.vms[:1]), "fewer VMs than before"
    )
    window.session.flush()
    assert page.option is None
    assert not page.take.isEnabled()


def test_files_that_are_not_taken_over_go_only_after_a_question(
    window: MainWindow, answers: Answers, qtbot: QtBot
) -> None:
    window.files.take_pasted("Name\tvCPUs\tMemory MB\nmail-01\t4\t8192\n")
    page = window.imports.opened
    assert page is not None
    qtbot.waitUntil(lambda: not page.is_busy)
    window.stack.bring(BOARD)
    answers.yes = False
    assert not window.files.may_close()
    assert window.stack.name == "files"  # whoever stays is taken there
    answers.yes = True
    assert window.files.may_close()
    answers.yes = False
    page.take_over()
    window.session.stack.setClean()
    assert window.files.may_close()

"""Customer and author are asked for once, when a project is first saved, and block nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.windows.window import MainWindow
from tests.app.windows.whole import Answers

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def unnamed(window: MainWindow) -> None:
    scenario = replace(window.session.scenario, customer="", author="")
    window.session.edit(scenario, "Name nobody")
    window.session.flush()


def test_they_are_asked_for_at_the_first_save_only(
    window: MainWindow, answers: Answers, tmp_path: Path
) -> None:
    unnamed(window)
    answers.path = tmp_path / "bank.headroom"
    bar = window.people
    assert bar.isHidden()
    assert window.files.save()
    assert bar.isVisible()
    assert not window.session.is_modified
    bar.skip.click()
    window.session.edit(replace(window.session.scenario, notes="more"), "Note")
    assert window.files.save()
    assert bar.isHidden()


def test_what_is_said_is_named_saved_and_remembered(
    window: MainWindow, answers: Answers, tmp_path: Path
) -> None:
    unnamed(window)
    window.session.edit_project(window.session.project.duplicated("s1"), "Duplicate")
    answers.path = tmp_path / "bank.headroom"
    assert window.files.save()
    bar = window.people
    bar.customer.setText("Bank")
    bar.author.setText("Ada")
    QTest.keyClick(bar.author, Qt.Key.Key_Return)
    assert bar.isHidden()
    scenarios = [entry.scenario for entry in window.session.project.entries]
    assert {(each.customer, each.author) for each in scenarios} == {("Bank", "Ada")}
    assert not window.session.is_modified
    assert window.settings.author == "Ada"
    window.session.stack.undo()
    assert window.session.scenario.customer == ""


def test_nothing_is_asked_where_both_are_known(
    window: MainWindow, answers: Answers, tmp_path: Path
) -> None:
    named = replace(window.session.scenario, customer="Bank", author="Ada")
    window.session.edit(named, "Name")
    window.session.flush()
    answers.path = tmp_path / "bank.headroom"
    assert window.files.save()
    assert window.people.isHidden()


def test_designs_are_recommended_from_the_start_page(window: MainWindow) -> None:
    window.start.open()
    assert window.start.page is not None
    assert window.recommend.opened is None
    window.start.page.recommend.click()
    assert window.recommend.opened is not None
    window.recommend.close()

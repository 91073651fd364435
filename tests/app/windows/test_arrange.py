"""The page of arrangements: previewed on the board, taken as one step, saved as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.session import Session
from app.synthetic import synthetic_scenario
from app.windows.arrange_page import ArrangePage
from app.windows.dialogs import Dialogs
from models.project.project import Project
from tests.app.sessions import session_of

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def session() -> Session:
    plain = synthetic_scenario(4, 16)
    return session_of(replace(plain, vms=tuple(replace(vm, host="h0") for vm in plain.vms)))


@pytest.fixture
def page(qtbot: QtBot, session: Session) -> Iterator[ArrangePage]:
    window = ArrangePage(session, Dialogs(None))
    qtbot.addWidget(window)
    window.show()
    window.look()
    qtbot.waitUntil(lambda: window.plan is not None)
    yield window
    window.give_up()


def test_the_plan_is_previewed_and_taken_as_one_step(
    page: ArrangePage, session: Session, qtbot: QtBot
) -> None:
    assert page.plan is not None
    planned = page.plan.scenario
    assert page.picture.moved == {move.vm for move in page.plan.moves}
    assert "Before" in page.picture.accessibleName()
    qtbot.waitUntil(lambda: session.view.is_preview)
    before = session.scenario
    page.adopt()
    assert [vm.host for vm in session.scenario.vms] == [vm.host for vm in planned.vms]
    session.stack.undo()
    assert session.scenario == before


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_preview_is_there_as_long_as_the_page_is_seen(
    page: ArrangePage, session: Session, qtbot: QtBot
) -> None:
    page.show()
    qtbot.waitUntil(lambda: session.view.is_preview)
    page.hide()
    qtbot.waitUntil(lambda: not session.view.is_preview)
    page.show()
    qtbot.waitUntil(lambda: session.view.is_preview)


def test_a_plan_is_held_until_it_is_saved_or_applied(page: ArrangePage, tmp_path: Path) -> None:
    assert page.plan is not None
    assert str(len(page.plan.moves)) in page.holds_work()
    page.save_to(tmp_path / "moves.csv")
    assert not page.holds_work()
    page._is_saved = False
    page.adopt()
    assert not page.holds_work()


def test_an_edit_outdates_the_plan(page: ArrangePage, session: Session) -> None:
    session.change(lambda scenario: scenario.place(("m0",), "h1"), "Move")
    assert page.plan is None
    assert not page.apply.isEnabled()


def test_what_is_worked_out_for_another_scenario_is_no_plan(
    page: ArrangePage, session: Session, qtbot: QtBot
) -> None:
    page.look()
    assert page.work.is_running
    session.open(Project.of(replace(session.scenario, name="Other")), None)
    assert not page.work.is_running
    page.adopt()
    assert session.scenario.name == "Other"
    assert "look again" in page.state.text()


def test_the_moves_are_saved_in_their_order(page: ArrangePage, tmp_path: Path) -> None:
    page.save_to(tmp_path / "moves.csv")
    assert page.plan is not None
    head, *rows = (tmp_path / "moves.csv").read_text(encoding="utf-8").splitlines()
    assert head.startswith("step,vm,vm_id,from,to")
    assert [row.split(",")[2] for row in rows] == [move.vm for move in page.plan.moves]


def test_a_plan_that_comes_while_nobody_looks_is_not_on_the_board(
    page: ArrangePage, session: Session, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: session.view.is_preview)
    page.hide()
    page.look()
    qtbot.waitUntil(lambda: page.plan is not None)
    session.flush()
    assert not session.view.is_preview
    page.show()
    qtbot.waitUntil(lambda: session.view.is_preview)

"""The page that sets a scenario beside what was exported of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest
from pytestqt.qtbot import QtBot

from app.signed import kept, with_kept
from app.windows.changed_page import ChangedPage
from app.windows.window import MainWindow
from tests.app.signing import HOW
from tests.app.windows.whole import settle, trigger

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def export(window: MainWindow, at: datetime) -> None:
    """Keeps what stands in the window as exported then."""
    session = window.session
    entry = session.project.entries[0]
    pairs = [(entry.scenario, session.stored_view.prediction)]
    signed = kept([entry], pairs, session.catalog, replace(HOW, now=at))
    session.keep_signed(with_kept(session.project, signed))


def with_users(window: MainWindow, qtbot: QtBot, users: float) -> None:
    session = window.session
    vm = session.scenario.vms[0]
    work = replace(vm.workload, active_users=users)
    session.edit(session.scenario.with_item(replace(vm, workload=work)), "Users")
    settle(qtbot, window)


def told(qtbot: QtBot, page: ChangedPage) -> str:
    qtbot.waitUntil(lambda: not page.panel.is_calculating)
    return str(page.panel.view.sections)


def test_nothing_exported_is_said_and_edits_are_told(window: MainWindow, qtbot: QtBot) -> None:
    trigger(window, "changed.open")
    page = window.changed.opened
    assert page is not None
    assert told(qtbot, page) == "()"
    assert page.panel.empty.text.startswith("No proposal about this scenario is kept")
    assert not page.which.isVisible()
    export(window, HOW.now)
    assert "Nothing was changed since the proposal of 7 March 2026" in told(qtbot, page)
    with_users(window, qtbot, 777.0)
    assert "777" in told(qtbot, page)


def test_an_earlier_proposal_is_chosen(window: MainWindow, qtbot: QtBot) -> None:
    export(window, HOW.now)
    with_users(window, qtbot, 777.0)
    export(window, HOW.now.replace(month=5))
    trigger(window, "changed.open")
    page = window.changed.opened
    assert page is not None
    assert "Nothing was changed since the proposal of 7 May 2026" in told(qtbot, page)
    assert page.which.itemText(0) == "7 May 2026, 09:05"
    page.which.setCurrentIndex(1)
    assert "777" in told(qtbot, page)

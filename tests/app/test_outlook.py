"""The outlook is worked out at rest, belongs to the scenario in view, and is kept for a while."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.outlook import Outlook, OutlookRun
from app.session import Session
from app.work import InlineWorker, Worker
from models.base.errors import ModelError
from models.catalog.catalog import Catalog
from models.project.project import Project
from models.scenario.scenario import Host, Scenario
from models.single_changes.fixes import Fixes, fixes
from models.studies.flip import Flips, flips
from tests.app.kept import kept
from tests.app.sessions import Waiting, session_of, two_hosts

FLIPS, FIXES = kept(flips), kept(fixes)


@pytest.fixture(autouse=True)
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found about the same scenario is worked out once."""
    monkeypatch.setattr("models.studies.flip.flips", FLIPS)
    monkeypatch.setattr("models.single_changes.fixes.fixes", FIXES)


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    session = session_of(two_hosts())
    yield session
    session.deleteLater()


def with_ram(scenario: Scenario, ram_gib: float) -> Scenario:
    return scenario.edit(Host, "h1", lambda host: replace(host, ram_gib=ram_gib))


def test_it_is_there_after_a_rest(qtbot: QtBot, session: Session) -> None:
    run = OutlookRun(session, InlineWorker(session), session)
    assert (run.outlook, run.is_calculating) == (None, True)
    qtbot.waitUntil(lambda: run.outlook is not None)
    assert not run.is_calculating
    assert run.outlook is not None
    assert isinstance(run.outlook.flips, Flips)
    assert isinstance(run.outlook.fixes, Fixes)
    assert run.outlook.scenario is session.scenario


def test_an_edit_takes_it_away_until_it_is_known_again(qtbot: QtBot, session: Session) -> None:
    run = OutlookRun(session, InlineWorker(session), session)
    run.begin()
    first = run.outlook
    session.edit(with_ram(session.scenario, 64.0), "Set RAM")
    session.flush()
    assert (run.outlook, run.is_calculating) == (None, True)
    run.begin()
    assert run.outlook is not None
    assert run.outlook is not first
    session.stack.undo()
    session.flush()
    assert run.outlook is first, "what was known is kept"
    assert not run.is_calculating


def with_cores(session: Session, cores: int) -> Project:
    """The same scenario, with its machine of so many cores in the project's own catalog."""
    server = session.catalog.servers[session.scenario.hosts[0].server]
    own = Catalog(servers={server.id: replace(server, cores=cores)})
    return replace(session.project, own_catalog=own)


def test_another_catalog_takes_it_away_too(qtbot: QtBot, session: Session) -> None:
    run = OutlookRun(session, InlineWorker(session), session)
    run.begin()
    first = run.outlook
    assert first is not None
    session.edit_project(with_cores(session, 2), "Fewer cores")
    session.flush()
    assert (run.outlook, run.is_calculating) == (None, True)
    run.begin()
    assert run.outlook is not None
    assert run.outlook.catalog is session.catalog


def test_what_another_catalog_gave_comes_too_late(qtbot: QtBot, session: Session) -> None:
    pool = Waiting()
    run = OutlookRun(session, Worker(pool, session), session)
    run.begin()
    session.edit_project(with_cores(session, 2), "Fewer cores")
    pool.run()
    assert run.outlook is None
    session.flush()
    assert run.outlook is None
    run.cancel()


def test_another_project_takes_with_it_what_was_known(qtbot: QtBot, session: Session) -> None:
    run = OutlookRun(session, InlineWorker(session), session)
    run.begin()
    before = session.project
    session.edit(with_ram(session.scenario, 64.0), "Set RAM")
    session.flush()
    run.begin()
    now = run.outlook
    run.forget()
    session.open(before, None)
    session.flush()
    assert (run.outlook, run.is_calculating) == (None, True)
    assert now is not None
    run.cancel()


def test_what_comes_too_late_is_dropped(qtbot: QtBot, session: Session) -> None:
    pool = Waiting()
    run = OutlookRun(session, Worker(pool, session), session)
    run.begin()
    assert run.is_calculating
    session.edit(with_ram(session.scenario, 64.0), "Set RAM")
    session.flush()
    pool.run()
    assert run.outlook is None
    run.begin()
    pool.run()
    found: Outlook | None = run.outlook
    assert found is not None
    assert found.scenario is session.scenario


def test_a_preview_changes_nothing_and_waits(qtbot: QtBot, session: Session) -> None:
    run = OutlookRun(session, InlineWorker(session), session)
    run.begin()
    before = run.outlook
    session.preview(with_ram(session.scenario, 8.0))
    session.flush()
    assert run.outlook is before
    session.clear_preview()
    session.flush()
    assert run.outlook is before


def test_what_is_in_the_hand_comes_first(qtbot: QtBot, session: Session) -> None:
    pool = Waiting()
    run = OutlookRun(session, Worker(pool, session), session)
    run.begin()
    begun = len(pool.jobs)
    session.preview(with_ram(session.scenario, 8.0))
    session.flush()
    pool.run()
    assert (begun, run.outlook, run.is_calculating) == (1, None, True), "given up, to be begun anew"
    run.begin()
    assert pool.jobs == []
    session.clear_preview()
    session.flush()
    run.begin()
    pool.run()
    assert run.outlook is not None


def test_nothing_starts_while_a_button_is_down(qtbot: QtBot, session: Session) -> None:
    pool = Waiting()
    run = OutlookRun(session, Worker(pool, session), session)
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    QTest.mousePress(widget, Qt.MouseButton.LeftButton)
    run.begin()
    assert pool.jobs == []
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton)
    run.begin()
    assert len(pool.jobs) == 1
    run.cancel()
    pool.run()
    assert run.outlook is None


def test_what_can_not_be_varied_is_said(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_of: object, **_more: object) -> Fixes:
        raise ModelError("must be ≥ 0", field="vms[0].ram_gib")

    monkeypatch.setattr("models.single_changes.fixes.fixes", refuses)
    run = OutlookRun(session, InlineWorker(session), session)
    with qtbot.waitSignal(session.message) as said:
        run.begin()
    assert said.args[0].endswith("could not be worked out: vms[0].ram_gib: must be ≥ 0")
    assert (run.outlook, run.is_calculating) == (None, False)


def test_an_error_of_the_program_is_reported(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_of: object, **_more: object) -> Fixes:
        raise KeyError("m1")

    monkeypatch.setattr("models.single_changes.fixes.fixes", breaks)
    run = OutlookRun(session, InlineWorker(session), session)
    with (
        qtbot.captureExceptions() as raised,
        qtbot.waitSignal(session.message) as said,
    ):
        run.begin()
    assert [kind for kind, _error, _trace in raised] == [KeyError]
    assert said.args[0].endswith("could not be worked out: an error of the program")
    assert (run.outlook, run.is_calculating) == (None, False)

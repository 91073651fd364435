"""The copy of unsaved work follows the session: there while it is modified, gone when it isn't."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from app import autosave
from app.autosave import Autosave
from app.calibrated import shipped_knowledge
from app.recovery import Slot, Slots
from app.session import Session
from app.work import InlineWorker, Worker
from db.recovery import Origin, copies_in, read_copy, read_origin, settle
from models.project.project import Project
from models.scenario.scenario import Scenario
from tests.app import samples
from tests.app.sessions import Waiting


@pytest.fixture
def owner(qtbot: QtBot) -> Iterator[QObject]:
    owner = QObject()
    yield owner
    owner.deleteLater()


@pytest.fixture
def session(owner: QObject) -> Session:
    project = Project.of(samples.scenario())
    return Session(project, shipped_knowledge(), parent=owner)


def saver(session: Session, folder: Path, worker: Worker | None = None) -> Autosave:
    owner = session.parent()
    assert owner is not None
    origin = Origin(name="Estate")
    return Autosave(session, Slots(folder), worker or InlineWorker(owner), lambda: origin, owner)


def move(session: Session, host: str = "h2") -> None:
    session.edit(session.scenario.place(["m1"], host), "Move")


def test_an_edit_is_kept_within_seconds(
    qtbot: QtBot, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert autosave.DELAY_MS <= 3000
    monkeypatch.setattr(autosave, "DELAY_MS", 0)
    kept = saver(session, tmp_path)
    move(session)
    qtbot.waitUntil(lambda: len(copies_in(tmp_path)) == 1)
    assert kept.path is not None
    assert read_copy(kept.path).scenario == session.scenario
    assert read_origin(kept.path).name == "Estate"
    kept.close()


def test_going_on_with_edits_does_not_put_the_copy_off(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    kept = saver(session, tmp_path)
    timer = kept.findChild(QTimer)
    assert timer is not None
    move(session)
    assert timer.isActive()
    timer.start(60_000)
    move(session, "h3")
    assert timer.interval() == 60_000  # the second edit did not start it anew
    kept.close()


def test_saving_or_undoing_all_removes_the_copy(session: Session, tmp_path: Path) -> None:
    kept = saver(session, tmp_path)
    for leave in (session.stack.undo, session.stack.setClean):
        move(session)
        kept.write()
        assert len(copies_in(tmp_path)) == 1
        leave()
        assert copies_in(tmp_path) == []
    kept.close()


def test_a_copy_that_comes_too_late_is_not_written(session: Session, tmp_path: Path) -> None:
    pool = Waiting()
    kept = saver(session, tmp_path, Worker(pool, session.parent()))
    move(session)
    kept.write()
    session.stack.undo()
    pool.run()
    assert copies_in(tmp_path) == []
    kept.close()


def test_one_copy_is_written_at_a_time(session: Session, tmp_path: Path) -> None:
    pool = Waiting()
    kept = saver(session, tmp_path, Worker(pool, session.parent()))
    move(session)
    kept.write()
    move(session, "h3")
    kept.write()
    assert len(pool.jobs) == 1
    pool.run()
    kept.write()
    pool.run()
    assert kept.path is not None
    assert read_copy(kept.path).scenario == session.scenario
    kept.close()


def test_what_can_not_be_kept_is_said_once(session: Session, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file where the folder should be")
    kept = saver(session, tmp_path / "taken")
    said: list[str] = []
    session.message.connect(said.append)
    move(session)
    kept.write()
    kept.write()
    assert len(said) == 1
    assert said[0].startswith("No copy of unsaved work can be kept")
    kept.close()


def test_a_scenario_that_can_not_be_stored_is_said(session: Session, tmp_path: Path) -> None:
    kept = saver(session, tmp_path)
    said: list[str] = []
    session.message.connect(said.append)
    twice = (samples.host(1), samples.host(1))
    project = Project.of(Scenario(name="Twice", hosts=twice))
    session._project = project  # no edit leads there
    session.stack.resetClean()
    kept.write()
    assert len(said) == 1
    assert "no copy" in said[0].lower()
    kept.close()


class TestSlots:
    def test_a_slot_in_use_is_not_abandoned(self, qtbot: QtBot, tmp_path: Path) -> None:
        slots = Slots(tmp_path)
        mine = slots.fresh()
        assert mine is not None
        mine.path.write_bytes(b"a copy")
        assert Slots(tmp_path).abandoned() == []
        assert Slot.taken(mine.path) is None
        mine.release()
        found = Slots(tmp_path).abandoned()
        assert [slot.path for slot in found] == [mine.path]
        assert slots.abandoned() == []  # offered by one program alone
        found[0].release()

    def test_what_is_settled_is_kept_and_not_offered(self, qtbot: QtBot, tmp_path: Path) -> None:
        (tmp_path / "a.headroom").write_bytes(b"a copy")
        settle(tmp_path / "a.headroom")
        assert Slots(tmp_path).abandoned() == []
        assert Slots(tmp_path).kept() == [tmp_path / "a.headroom"]

    def test_two_programs_have_two_slots(self, qtbot: QtBot, tmp_path: Path) -> None:
        first, second = Slots(tmp_path).fresh(), Slots(tmp_path).fresh()
        assert first is not None
        assert second is not None
        assert first.path != second.path
        first.release()
        second.release()

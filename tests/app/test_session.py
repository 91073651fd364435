"""The session without any widget: edits, previews, undo, merging and files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.calibrated import shipped_calibration
from app.session import Session, View
from db.codec import scenario_from_json
from models.catalog import Catalog, Platform
from models.project import Project
from models.scenario import Host, Scenario, Vm
from resources.catalog_files import load_catalog
from resources.example_files import load_examples


@pytest.fixture
def owner(qapp: object) -> Iterator[QObject]:
    owner = QObject()
    yield owner
    owner.deleteLater()


@pytest.fixture
def project() -> Project:
    file = load_examples()[1].files[0]
    return Project.of(scenario_from_json(file.text.encode(), name=file.name))


@pytest.fixture
def session(owner: QObject, project: Project) -> Session:
    return Session(project, load_catalog(), shipped_calibration(), parent=owner)


def with_users(scenario: Scenario, users: float) -> Scenario:
    return scenario.edit(
        Vm, "m1", lambda vm: replace(vm, workload=replace(vm.workload, active_users=users))
    )


def test_an_edit_is_one_named_step_and_undo_restores_everything(
    session: Session, qtbot: QtBot
) -> None:
    before, prediction = session.project, session.view.prediction
    with qtbot.waitSignal(session.view_changed):
        session.edit(session.scenario.place(["m1"], "h2"), "Move Mail-01 to esx2")
    assert session.stack.undoText() == "Move Mail-01 to esx2"
    assert session.is_modified
    moved = session.view.prediction.hosts.quantity("h1", "cpu_pct").value
    assert moved != prediction.hosts.quantity("h1", "cpu_pct").value
    with qtbot.waitSignal(session.view_changed):
        session.stack.undo()
    assert session.project == before
    assert not session.is_modified
    again = session.view.prediction.hosts.quantity("h1", "cpu_pct")
    assert again == prediction.hosts.quantity("h1", "cpu_pct")


def test_a_preview_shows_and_stores_nothing(session: Session, qtbot: QtBot) -> None:
    before = session.project
    with qtbot.waitSignal(session.view_changed) as shown:
        session.preview(session.scenario.place(["m1"], "h2"))
    view: View = shown.args[0]
    assert view.is_preview
    assert view.scenario.vm("m1").host == "h2"
    assert view.committed is not view.prediction
    assert session.project is before
    assert session.stack.count() == 0
    with qtbot.waitSignal(session.view_changed) as shown:
        session.clear_preview()
    assert not shown.args[0].is_preview
    assert shown.args[0].prediction is view.committed


def test_previews_of_one_moment_are_evaluated_once(session: Session, qtbot: QtBot) -> None:
    shown: list[View] = []
    session.view_changed.connect(shown.append)
    with qtbot.waitSignal(session.view_changed):
        session.preview(session.scenario.place(["m1"], "h2"))
        session.preview(session.scenario.place(["m1"], "h3"))
        assert not session.is_settled
    assert [view.scenario.vm("m1").host for view in shown] == ["h3"]
    assert session.is_settled


def test_edits_of_one_gesture_are_one_step(session: Session) -> None:
    for users in (4100.0, 4200.0, 4300.0):
        session.edit(with_users(session.scenario, users), "Set users", merge_key="users m1")
    assert session.stack.count() == 1
    session.end_gesture()
    session.edit(with_users(session.scenario, 4400.0), "Set users", merge_key="users m1")
    assert session.stack.count() == 2
    session.stack.undo()
    assert session.scenario.vm("m1").workload.active_users == 4300


def test_a_gesture_that_ends_where_it_began_leaves_no_step(session: Session) -> None:
    start = session.scenario
    session.edit(with_users(start, 4100.0), "Set users", merge_key="users m1")
    session.edit(start, "Set users", merge_key="users m1")
    assert session.stack.count() == 0
    assert not session.is_modified


def test_an_edit_that_changes_nothing_is_no_step(session: Session) -> None:
    session.edit(session.scenario.place(["m1"], "h1"), "Move Mail-01 to esx1")
    assert session.stack.count() == 0


def test_looking_at_another_scenario_is_no_step(session: Session) -> None:
    session.edit_project(session.project.duplicated("s1"), "Duplicate scenario")
    steps = session.stack.count()
    session.show("s1")
    assert session.project.active == "s1"
    assert session.stack.count() == steps


def test_deleting_a_scenario_can_be_undone(session: Session) -> None:
    session.edit_project(session.project.duplicated("s1"), "Duplicate scenario")
    before = session.project
    session.edit_project(session.project.removed("s2"), "Delete scenario")
    session.stack.undo()
    assert session.project == before


def test_saving_marks_the_state_as_clean_and_undo_as_modified(
    session: Session, tmp_path: Path
) -> None:
    session.edit(with_users(session.scenario, 4100.0), "Set users")
    session.saved(tmp_path / "a.headroom", session.project)
    assert not session.is_modified
    session.stack.undo()
    assert session.is_modified


def test_opening_starts_a_new_history(session: Session, project: Project) -> None:
    session.edit(with_users(session.scenario, 4100.0), "Set users")
    session.open(project, None)
    assert session.stack.count() == 0
    assert not session.is_modified


def test_an_own_catalog_entry_reaches_the_numbers(session: Session, qtbot: QtBot) -> None:
    server = session.catalog.servers["nehalem-ept"]
    rate = 2 * (server.spec_rate or 0)
    faster = replace(server, id="mine", spec_rate=rate, platform=Platform.NONE)
    own = replace(session.project.own_catalog, servers={"mine": faster})
    session.edit_project(replace(session.project, own_catalog=own), "Add server")
    session.flush()
    slow = session.view.prediction.vms.quantity("m1", "cpu_pct").value
    session.change(
        lambda scenario: scenario.edit(Host, "h1", lambda host: replace(host, server="mine")),
        "Change server",
    )
    session.flush()
    fast = session.view.prediction.vms.quantity("m1", "cpu_pct").value
    assert slow is not None
    assert fast is not None
    assert fast < slow


def test_the_library_stands_between_what_is_shipped_and_the_project(
    session: Session, qtbot: QtBot
) -> None:
    shipped = session.catalog.servers["ibm-x366"]
    library = Catalog(servers={"ibm-x366": replace(shipped, name="A"), "own-b": shipped})
    with qtbot.waitSignals([session.catalog_changed, session.view_changed]):
        session.set_library(library)
    assert session.catalog.servers["ibm-x366"].name == "A"
    assert set(session.own_catalog.servers) == {"ibm-x366", "own-b"}
    own = Catalog(servers={"ibm-x366": replace(shipped, name="C")})
    session.edit_project(replace(session.project, own_catalog=own), "Add server C")
    assert session.catalog.servers["ibm-x366"].name == "C"
    assert session.known_catalog.servers["ibm-x366"].name == "A"
    session.stack.undo()
    assert session.catalog.servers["ibm-x366"].name == "A"
    session.flush()


def test_a_library_counts_in_the_prediction(session: Session) -> None:
    host = session.scenario.hosts[0]
    server = session.catalog.servers[host.server]
    before = float(session.view.prediction.hosts.vcpus_per_core[0])
    assert before
    more = replace(server, cores=2 * server.cores, threads=2 * server.threads)
    session.set_library(Catalog(servers={server.id: more}))
    session.flush()
    after = float(session.view.prediction.hosts.vcpus_per_core[0])
    assert after == pytest.approx(before / 2)

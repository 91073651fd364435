"""The session without any widget: edits, previews, undo, merging and files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand
from pytestqt.qtbot import QtBot

from app.calibrated import shipped_knowledge
from app.session import Session, View
from db.codec import scenario_from_json, scenario_to_json
from models.base.fields import with_value
from models.catalog.catalog import Catalog, Platform
from models.project.project import Project
from models.scenario.inputs import origin_of, with_origin, with_pin
from models.scenario.origin import Origin
from models.scenario.scenario import Host, Scenario, Vm
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
    return Session(project, shipped_knowledge(), parent=owner)


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


def test_what_was_earlier_is_of_the_scenario_in_view(session: Session) -> None:
    began = session.scenario
    for users in (1000.0, 2000.0):
        session.edit(with_users(session.scenario, users), "Set users")
    last, middle = session.scenario, session.earlier[0]
    assert middle.vm("m1").workload.active_users == 1000.0
    assert [*session.earlier] == [middle, began]
    session.stack.undo()
    assert [*session.earlier] == [began]
    session.stack.redo()
    session.edit_project(session.project.duplicated("s1"), "Duplicate")
    assert not session.earlier, "it has only just come to be"
    session.show("s1")
    assert [*session.earlier] == [last, middle, began]


def test_what_was_earlier_is_found_behind_and_in_steps_of_another_kind(session: Session) -> None:
    began = session.scenario
    session.edit(with_users(began, 0.0), "Set users")
    nobody = session.scenario
    session.stack.push(QUndoCommand("Copy a server to the library"))
    assert [*session.earlier] == [began]
    session.stack.beginMacro("Add a server")
    session.stack.push(QUndoCommand())
    session.edit(with_users(nobody, 1000.0), "Add a server")
    session.stack.endMacro()
    assert [*session.earlier] == [nobody, began]


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


# --- origins and pins -------------------------------------------------------------------------


def ram_origin(session: Session, vm: str = "m1") -> Origin:
    return origin_of(session.scenario.vm(vm), "ram_gib")


def with_ram(scenario: Scenario, ram_gib: float) -> Scenario:
    return scenario.edit(Vm, "m1", lambda vm: replace(vm, ram_gib=ram_gib))


def test_what_the_hand_changes_becomes_manual(session: Session) -> None:
    assert ram_origin(session) is Origin.BENCHMARK
    session.edit(with_ram(session.scenario, 3.0), "Less RAM")
    assert ram_origin(session) is Origin.MANUAL
    assert origin_of(session.scenario.vm("m1"), "vcpus") is Origin.BENCHMARK
    session.stack.undo()
    assert ram_origin(session) is Origin.BENCHMARK


def test_a_gesture_back_to_the_start_leaves_origins_and_history_alone(session: Session) -> None:
    before = session.project
    for ram in (9.0, 10.0, 11.0, before.scenario.vm("m1").ram_gib):
        session.edit(with_ram(session.scenario, ram), "RAM", merge_key="ram")
    assert session.project == before
    assert session.stack.count() == 0
    assert not session.is_modified


def test_undo_inside_a_gesture_begins_another_step(session: Session) -> None:
    session.edit(with_ram(session.scenario, 9.0), "RAM", merge_key="ram")
    session.stack.undo()
    session.edit(with_ram(session.scenario, 10.0), "RAM", merge_key="ram")
    assert ram_origin(session) is Origin.MANUAL
    session.stack.undo()
    assert ram_origin(session) is Origin.BENCHMARK


def test_what_acts_by_itself_says_so_and_leaves_pins_alone(session: Session) -> None:
    pinned = session.scenario.edit(Vm, "m1", lambda vm: with_pin(vm, "ram_gib", pinned=True))
    session.edit(pinned, "Pin")
    wanted = with_ram(with_users(session.scenario, 4444.0), 3.0)
    session.edit(wanted, "Size", origin=Origin.AUTO)
    vm = session.scenario.vm("m1")
    assert (vm.workload.active_users, vm.ram_gib) == (4444.0, pinned.vm("m1").ram_gib)
    assert origin_of(vm, "workload.active_users") is Origin.AUTO
    assert ram_origin(session) is Origin.BENCHMARK
    assert session.stack.undoText() == "Size"


def test_what_only_pins_would_stop_is_no_step(session: Session) -> None:
    pinned = session.scenario.edit(Vm, "m1", lambda vm: with_pin(vm, "ram_gib", pinned=True))
    session.edit(pinned, "Pin")
    session.edit(with_ram(session.scenario, 3.0), "Size", origin=Origin.AUTO)
    assert session.stack.undoText() == "Pin"


# --- history ----------------------------------------------------------------------------------


def names(session: Session) -> list[str]:
    stack = session.stack
    return [stack.text(place) for place in range(stack.count())]


def test_the_history_is_a_list_of_names_to_go_back_to(session: Session) -> None:
    start = session.project
    for ram in (5.0, 6.0, 7.0):
        session.edit(with_ram(session.scenario, ram), f"RAM {ram:g}")
    session.stack.undo()
    assert (names(session), session.stack.index()) == (["RAM 5", "RAM 6", "RAM 7"], 2)
    session.stack.setIndex(0)
    assert session.project == start
    session.stack.setIndex(3)
    assert session.scenario.vm("m1").ram_gib == 7.0


def test_two_hundred_steps_and_more_can_be_undone(session: Session) -> None:
    start = session.project
    for number in range(250):
        session.edit(with_ram(session.scenario, 1.0 + number), f"Step {number}")
    assert all(names(session))
    session.stack.setIndex(0)
    assert session.project == start


def test_a_gesture_ends_where_another_scenario_comes_into_view(session: Session) -> None:
    session.edit_project(session.project.duplicated("s1"), "Duplicate")
    session.edit(with_ram(session.scenario, 5.0), "RAM", merge_key="ram")
    session.show("s1")
    session.edit(with_ram(session.scenario, 6.0), "RAM", merge_key="ram")
    assert names(session) == ["Duplicate", "RAM", "RAM"]
    session.stack.undo()
    assert [e.scenario.vm("m1").ram_gib for e in session.project.entries][-1] == 5.0


@pytest.mark.parametrize("seed", range(3))
def test_random_gestures_with_undo_and_redo_end_where_they_began(
    session: Session, seed: int
) -> None:
    """Byte for byte, origins and pins included."""
    random = Random(seed)
    states = [scenario_to_json(session.scenario)]
    for _ in range(170):
        act = random.random()
        if act < 0.2 and session.stack.canUndo():
            session.stack.undo()
        elif act < 0.3 and session.stack.canRedo():
            session.stack.redo()
        else:
            random_edit(session, random)
        del states[session.stack.count() + 1 :]
        if session.stack.index() == session.stack.count():
            states[session.stack.count() :] = [scenario_to_json(session.scenario)]
    assert scenario_to_json(session.scenario) == states[session.stack.index()]
    for place in (session.stack.count(), 0, session.stack.count() // 2, 0):
        session.stack.setIndex(place)
        assert scenario_to_json(session.scenario) == states[place]


def random_edit(session: Session, random: Random) -> None:
    """One of the edits that a hand or an automatic feature makes; some of them change nothing."""
    id = random.choice([vm.id for vm in session.scenario.vms])
    path = random.choice(("ram_gib", "vcpus", "workload.active_users", "powered_on"))
    values = {"powered_on": [True, False]}.get(path, [1, 2, 4])
    kind = random.random()

    def change(vm: Vm) -> Vm:
        if kind < 0.15:
            return with_origin(vm, random.choice(list(Origin)), path)
        if kind < 0.3:
            return with_pin(vm, path, pinned=random.random() < 0.5)
        return with_value(vm, path, random.choice(values))

    if kind > 0.95:
        session.end_gesture()
    origin = Origin.AUTO if kind > 0.85 else Origin.MANUAL
    merge_key = path if kind > 0.5 else ""
    scenario = session.scenario.edit(Vm, id, change)
    session.edit(scenario, f"Change {id}", merge_key=merge_key and f"{path}:{id}", origin=origin)

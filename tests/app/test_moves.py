"""One set of words for a move, whichever way it is made, and what it would bring beforehand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from app.calibrated import shipped_knowledge
from app.moves import ALREADY_THERE, move, move_choices, move_data, move_text
from app.session import Session
from app.synthetic import synthetic_scenario
from models.evaluate import evaluate
from models.project.project import Project
from models.scenario.scenario import Affinity, AffinityKind, Scenario
from models.scenario.wording import value_text
from tests.app import samples


def session_of(scenario: Scenario) -> Session:
    return Session(Project.of(scenario), shipped_knowledge())


@pytest.fixture
def session(qapp: QApplication) -> Iterator[Session]:
    session = session_of(samples.scenario())
    yield session
    session.deleteLater()


def test_choices_say_what_evaluate_says(session: Session) -> None:
    choices = {choice.host: choice for choice in move_choices(session, ("m1",))}
    assert choices["h1"].said == ALREADY_THERE
    assert not choices["h1"].is_possible
    for host in ("h2", "h3"):
        scenario = session.scenario.place(["m1"], host)
        after = evaluate(scenario, session.knowledge).hosts
        cpu = value_text(after.quantity(host, "cpu_pct"), "%")
        ram = value_text(after.quantity(host, "ram_pct"), "%")
        assert choices[host].said.removesuffix(", most headroom") == f"CPU {cpu}, RAM {ram}"
    assert [choice.said.endswith(", most headroom") for choice in choices.values()].count(True) == 1


def test_choices_say_why_not(qapp: QApplication) -> None:
    rule = Affinity(id="a1", kind=AffinityKind.APART, vms=("m1", "m2"))
    session = session_of(replace(samples.scenario(), affinity=(rule,)))
    refused = next(choice for choice in move_choices(session, ("m1",)) if choice.host == "h2")
    assert (refused.said, refused.is_possible) == (
        "Mail-02 and Mail-01 are to be kept apart",
        False,
    )
    session.deleteLater()


def test_a_large_estate_has_its_choices_too(qapp: QApplication) -> None:
    session = session_of(synthetic_scenario(40, 100))
    choices = move_choices(session, ("m0", "m1"))
    assert len(choices) == 40
    assert all(choice.said.startswith("CPU ") for choice in choices if choice.is_possible)
    session.deleteLater()


def test_nothing_selected_has_no_choices(session: Session) -> None:
    assert move_choices(session, ()) == ()


def test_words_of_a_move(session: Session) -> None:
    scenario = session.scenario
    assert move_text(scenario, ("m1",), "h2") == "Move Mail-01 to esx2"
    assert move_text(scenario, ("m1", "m2"), "h2") == "Move 2 VMs to esx2"
    assert move_text(scenario, ("m1",), None) == "Take Mail-01 off its host"
    assert move_text(scenario, ("m1", "m2"), None) == "Take 2 VMs off their hosts"


def test_a_move_is_one_step_and_none_where_nothing_moves(session: Session) -> None:
    assert move(session, ("m1", "m2"), "h2")
    assert session.stack.undoText() == "Move Mail-01 to esx2"
    assert not move(session, ("m1", "m2"), "h2")
    assert session.stack.count() == 1


def test_data_moves_as_one_step(session: Session) -> None:
    assert move_data(session, ("m1", "m2"), "p2")
    assert session.stack.undoText() == "Put the data of 2 VMs on Data 2"
    assert not move_data(session, ("m1",), "p2")

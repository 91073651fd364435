"""Transactions a minute stand beside what a console counted, on every surface that has numbers."""

from __future__ import annotations

from dataclasses import replace

from app.cli_evaluate import as_text
from models.evaluate import evaluate
from models.scenario.scenario import LoadBasis, Observed, Scenario
from models.tell.transactions import transactions_table
from tests.models.worlds import KNOWLEDGE, a_scenario, a_vm, with_policy


def counted() -> Scenario:
    """Two alike mail servers, of which the console of one was read."""
    one, other = a_vm("m1", 350.0), a_vm("m2", 350.0)
    one = replace(one, observed=Observed(transactions_per_min=3100.0))
    return with_policy(a_scenario(vms=(one, other)), load_basis=LoadBasis.PRODUCTION)


def test_what_was_counted_stands_beside_what_is_predicted() -> None:
    scenario = counted()
    found = transactions_table(scenario, evaluate(scenario, KNOWLEDGE), ("m1", "m2"))
    assert found is not None
    (name, predicted, told), (_, alike, untold) = found.rows
    assert (name, told, untold) == ("M1", "3,100", "no data")
    assert predicted == alike == "2,900 (1,400\N{EN DASH}5,900)"


def test_a_terminal_has_them() -> None:
    scenario = counted()
    text = as_text(scenario, evaluate(scenario, KNOWLEDGE))
    (line,) = (each for each in text.splitlines() if "3,100" in each)
    assert line.startswith("M1")


def test_of_a_benchmark_there_are_none() -> None:
    scenario = a_scenario(vms=(a_vm("m1", 350.0),))
    prediction = evaluate(scenario, KNOWLEDGE)
    assert transactions_table(scenario, prediction, ("m1",)) is None

"""Questions: what nobody has answered, by what it would change."""

from __future__ import annotations

from dataclasses import replace

from app.calibrated import shipped_knowledge
from models.customer.measured import MeasuredServer
from models.customer.site import calibrated_to_site
from models.customer.value_of_information import MOST_ASKED, Question, questions
from models.scenario.inputs import with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import PRODUCTION, Scenario
from tests.models.customers import customer

KNOWLEDGE = shipped_knowledge()


def asked(scenario: Scenario) -> dict[str, Question]:
    return {each.input: each for each in questions(scenario, KNOWLEDGE)}


def test_what_is_answered_is_not_asked() -> None:
    scenario = customer([900.0])
    open_ones = asked(scenario)
    assert {"workload.registered_users", "policy.site"} <= set(open_ones)
    assert all(each.command for each in open_ones.values())
    vm = replace(
        scenario.vms[0], workload=replace(scenario.vms[0].workload, registered_users=2000.0)
    )
    assert "workload.registered_users" not in asked(scenario.with_item(vm))
    said = with_origin(scenario.vms[0], Origin.CUSTOMER, "workload.profile")
    assert "workload.profile" not in asked(scenario.with_item(said))


def test_measured_servers_are_not_asked_for_again() -> None:
    scenario = customer([900.0])
    known = [MeasuredServer(server="m0", values={"cpu_pct": 20.0})]
    found = calibrated_to_site(scenario, known, KNOWLEDGE)
    assert "policy.site" not in asked(found.scenario)


def test_an_unknown_load_turns_what_is_not_known() -> None:
    scenario = customer([100.0])
    other = scenario.vms[1]
    unknown = scenario.with_item(replace(other, workload=replace(other.workload, cpu_mhz=None)))
    found = asked(unknown)["workload.cpu_mhz"]
    assert (found.subjects, bool(found.turns)) == (("m1",), True)
    assert found.command.startswith("esxtop")


def test_questions_are_few_and_in_order() -> None:
    found = questions(customer([float(n) for n in range(100, 1100, 100)]), KNOWLEDGE)
    assert 0 < len(found) <= MOST_ASKED
    ranks = [(not each.turns, -each.narrows_pct) for each in found]
    assert ranks == sorted(ranks)


def test_an_empty_scenario_has_no_question() -> None:
    empty = Scenario(name="x", policy=PRODUCTION)
    assert questions(empty, KNOWLEDGE) == ()


def test_items_that_are_alike_are_asked_about_together() -> None:
    scenario = customer([900.0] * 6)
    ids = {vm.id for vm in scenario.vms if vm.workload.kind.is_domino}
    found = [q for q in questions(scenario, KNOWLEDGE) if set(q.subjects) <= ids]
    named = [each for each in found if each.subjects]
    assert named
    assert all(set(each.subjects) == ids for each in named if each.input != "policy.site")

"""The numbers of a storm: each adds up to what the study has, and names what it rests on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.explain.storm_terms import DRAINED, RESPONSE, VCPUS, WAITING, Enough, storm_numbers
from models.explain.words import source_words
from models.formulas.terms import Operation, Predicted, applied
from models.resilience.storms import StormKind, storm_inputs, study_storm
from models.scenario.scenario import Scenario
from tests.models.explain.terms import names_in, unsaid
from tests.models.worlds import CATALOG, KNOWLEDGE, a_scenario, a_vm, predict

MANY = a_scenario(vms=tuple(a_vm(f"m{n}", users=200.0 + n, ram_gib=6.0) for n in range(1, 11)))
BLOCK = a_scenario(vms=(a_vm(users=4000.0),))


@pytest.mark.parametrize("scenario", [BLOCK, MANY], ids=["one server", "ten servers"])
def test_every_number_adds_up_to_that_of_the_study(scenario: Scenario) -> None:
    study = study_storm(scenario, KNOWLEDGE, StormKind.RECONNECT)
    worst = study.worst
    assert worst is not None
    enough = Enough(vm=worst.vm, vcpus=3, within_s=300.0)
    found = {each.asked.field: each for each in storm_numbers(study, scenario, enough)}
    assert list(found) == [WAITING, RESPONSE, DRAINED, VCPUS]
    assert found[WAITING].quantity.value == pytest.approx(study.waiting.max())
    assert found[RESPONSE].quantity.value == pytest.approx(worst.peak_response_ms)
    assert found[DRAINED].quantity.value == study.drained_s
    assert found[VCPUS].quantity.value == 3
    for each in found.values():
        assert each.root is not None
        assert each.quantity.value == each.root.value
        for term in each.root.walk():
            if term.operation is not Operation.LEAF:
                again = applied(term.operation, [part.value for part in term.terms])
                assert again == pytest.approx(term.value)
        fields = [used.source.path.removeprefix("assumptions.") for used in each.inputs]
        assert fields == list(storm_inputs(StormKind.RECONNECT))


def test_they_can_be_said_in_another_language() -> None:
    study = study_storm(MANY, KNOWLEDGE, StormKind.HOLIDAY)
    assert study.worst is not None
    enough = Enough(vm=study.worst.vm, vcpus=3, within_s=300.0)
    names = names_in(MANY)
    for each in storm_numbers(study, MANY, enough):
        assert each.root is not None
        told = [each.title, *each.interval, *each.missing]
        told += [words for used in each.inputs for words in (used.label, used.unit)]
        for term in each.root.walk():
            told += [term.label, term.unit, term.note, source_words(term.source, MANY, CATALOG)]
        assert not [words for words in told if unsaid(words, names)], each.asked


def test_the_undisturbed_part_is_the_predicted_number() -> None:
    study = study_storm(BLOCK, KNOWLEDGE, StormKind.HOLIDAY)
    response = next(n for n in storm_numbers(study, BLOCK) if n.asked.field == RESPONSE)
    assert response.root is not None
    usual = response.root.terms[0]
    assert usual.source == Predicted("vms", "m1", "response_ms")
    assert usual.value == pytest.approx(float(predict(BLOCK).vms.response_ms.value[0]))


def test_servers_that_are_left_out_are_named_with_what_they_lack() -> None:
    wide = a_vm("m2", users=1000.0, vcpus=99)
    beside = replace(BLOCK, vms=(*BLOCK.vms, wide))
    storm = study_storm(beside, KNOWLEDGE, StormKind.RECONNECT)
    for each in storm_numbers(storm, beside):
        assert each.missing == ("Servers that can’t be powered on are left out: M2.",)
    for each in storm_numbers(replace(storm, silent=("m2",), refused=()), beside):
        assert each.missing == ("Servers without CPU data are left out: M2.",)


def test_a_storm_over_nothing_has_no_numbers() -> None:
    empty = replace(BLOCK, vms=())
    study = study_storm(empty, KNOWLEDGE, StormKind.RECONNECT)
    assert storm_numbers(study, empty) == ()

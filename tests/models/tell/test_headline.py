"""What is said first of a verdict: short, of what decides, and never against the whole account."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.language import language_of
from models.base.texts import said
from models.predict.prediction import Verdict
from models.scenario.scenario import Scenario
from models.tell.headline import MOST_ACTION_WORDS, MOST_WORDS, headline
from tests.models.any_scenario import any_scenario
from tests.models.worlds import a_cluster_of, predict


def words(scenario: Scenario, language: str) -> tuple[str, str]:
    told = headline(scenario, predict(scenario))
    tongue = language_of(language)
    return said(told.sentence, tongue), said(told.action, tongue)


@pytest.mark.parametrize(("language", "more"), [("en", 0), ("de", 3)])
@pytest.mark.seeds(plain=6, slow=200)
def test_it_is_short(seed: int, language: str, more: int) -> None:
    """German takes some more words for the same."""
    sentence, action = words(any_scenario(seed), language)
    assert len(sentence.split()) <= MOST_WORDS + more, sentence
    assert len(action.split()) <= MOST_ACTION_WORDS + more, action


@pytest.mark.seeds(plain=6, slow=200)
def test_what_is_no_fit_has_a_reason_and_what_to_do(seed: int) -> None:
    scenario = any_scenario(seed)
    prediction = predict(scenario)
    told = headline(scenario, prediction)
    assert told.sentence.startswith(prediction.shown.words.capitalize())
    assert told.reason
    assert bool(told.action) is (prediction.verdict is not Verdict.FITS)


def test_what_may_be_lost_is_said_with_what_is_nearest() -> None:
    sentence, action = words(a_cluster_of(3, vms=3, users=500.0), "en")
    assert sentence.startswith("Fits: any one host may fail; ")
    assert not action


def test_what_is_over_its_limit_is_said_with_the_fix_of_its_finding() -> None:
    scenario = a_cluster_of(2, vms=2, users=500.0)
    small = tuple(replace(host, ram_gib=4.0) for host in scenario.hosts)
    prediction = predict(full := replace(scenario, hosts=small))
    told = headline(full, prediction)
    assert told.sentence.startswith("Does not fit: RAM of H1 at ")
    assert told.action in {each.fix for each in prediction.findings}

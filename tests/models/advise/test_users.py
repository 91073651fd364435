"""User arithmetic: one count from another, and drags of the waterfall."""

from __future__ import annotations

import pytest

from app.cli_advise import knowledge
from models.advise.advice import Advice, advise, with_step
from models.advise.topics import TOPICS
from models.advise.users import UserCounts
from models.base.errors import ModelError

TOPIC = TOPICS["users"]
STEPS = {step.number: step for step in TOPIC.steps}


def _advised(inputs: UserCounts) -> Advice:
    return advise(TOPIC, inputs, knowledge())


def _value(inputs: UserCounts, id: str) -> float:
    (found,) = (each.value for each in _advised(inputs).numbers if each.id == id)
    assert found is not None
    return found


def test_benchmark_users_are_divided_by_two() -> None:
    assert _value(UserCounts(benchmark_users=6000), "active_users") == 3000


def test_registered_users_follow_the_document() -> None:
    inputs = UserCounts(registered_users=870)
    assert _value(inputs, "active_users") == pytest.approx(348)
    assert _value(inputs, "benchmark_users") == pytest.approx(696)


def test_no_source_is_a_page_of_our_own() -> None:
    for inputs in (UserCounts(registered_users=870), UserCounts(active_users=500)):
        advice = _advised(inputs)
        texts = [each.text for each in advice.sources] + [each.source for each in advice.numbers]
        assert not [text for text in texts if "docs/model" in text or "field-" in text]
        assert all(each.source for each in advice.numbers)


def test_a_drag_keeps_the_factor_until_both_counts_are_given() -> None:
    share = UserCounts(registered_users=1000, active_share_pct=40)
    more = with_step(TOPIC, share, STEPS["registered_users"], 2000)
    assert more == UserCounts(registered_users=2000, active_share_pct=40)
    both = with_step(TOPIC, more, STEPS["active_users"], 500)
    assert both == UserCounts(registered_users=2000, active_users=500)
    assert _value(both, "active_share_pct") == 25


def test_every_step_is_a_number_of_the_answer() -> None:
    ids = {each.id for each in _advised(UserCounts(registered_users=870)).numbers}
    for step in TOPIC.steps:
        assert {step.number, step.of, step.factor} - {""} <= ids


@pytest.mark.parametrize(
    ("inputs", "field"),
    [
        (UserCounts(), "registered_users"),
        (UserCounts(registered_users=100, active_users=200), "active_users"),
        (UserCounts(active_users=200, benchmark_users=100), "benchmark_users"),
        (
            UserCounts(registered_users=100, active_users=20, active_share_pct=50),
            "active_share_pct",
        ),
    ],
)
def test_counts_that_cannot_be_are_refused(inputs: UserCounts, field: str) -> None:
    with pytest.raises(ModelError) as error:
        _advised(inputs)
    assert error.value.field == field

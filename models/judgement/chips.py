"""What a verdict rests on, in a word or two each, to stand beside it wherever it is shown."""

from __future__ import annotations

from collections.abc import Iterator

from models.field_values import choice_words
from models.fields import field_at
from models.prediction import ASSUMED, Chip
from models.scenario import DataGrade, Scenario
from models.texts import Text, opening, say, say_many
from models.wording import number


def chips_of(scenario: Scenario, assumed: int, carried: str) -> Iterator[Chip]:
    """The chips of a prediction.

    Args:
        assumed: running VMs whose CPU or I/O is assumed.
        carried: how far the numbers are carried; empty for not far.
    """
    for id, path in (("basis", "policy.load_basis"), ("posture", "policy.posture")):
        value = getattr(scenario.policy, path.removeprefix("policy."))
        yield Chip(id, choice_words(value), opening(field_at(Scenario, path).label))
    if carried:
        yield Chip("carried", carried, say("Nothing as recent was measured."))
    if assumed:
        yield Chip(ASSUMED, say("on assumptions"), _assumed(assumed, len(scenario.vms)))
    if scenario.grade is not None:
        yield _graded(scenario.grade)


def _assumed(count: int, total: int) -> Text:
    return say_many(
        "CPU or I/O of {count} VM of {total} is assumed, not measured; a week of measuring would "
        "tell.",
        "CPU or I/O of {count} VMs of {total} is assumed, not measured; a week of measuring would "
        "tell.",
        count,
        total=number(total),
    )


def _graded(grade: DataGrade) -> Chip:
    pct = number(grade.measured_vms_pct)
    if not grade.measured_vms_pct:
        detail = say("The files measure CPU and I/O of no VM over time.")
    elif grade.days is None:
        detail = say(
            "The files measure CPU and I/O of {pct} % of the VMs; they don’t say for how long.",
            pct=pct,
        )
    else:
        detail = say(
            "The files measure CPU and I/O of {pct} % of the VMs, half of them for {days} days or "
            "more; a week shows its peaks.",
            pct=pct,
            days=number(grade.days, 1),
        )
    return Chip("grade", say("{pct} % measured", pct=pct), detail)

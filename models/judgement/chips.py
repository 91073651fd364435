"""What a verdict rests on, in a word or two each, to stand beside it wherever it is shown."""

from __future__ import annotations

from collections.abc import Iterator

from models.base.texts import Text, say, say_many
from models.catalog.field_values import choice_words
from models.judgement.sentence import basis_remark, load_remark, posture_remark
from models.predict.prediction import ASSUMED, Chip
from models.scenario.scenario import DataGrade, Scenario
from models.scenario.wording import exact_text, number


def chips_of(scenario: Scenario, assumed: int, carried: str) -> Iterator[Chip]:
    """The chips of a prediction.

    Args:
        assumed: running VMs whose CPU or I/O is assumed.
        carried: how far the numbers are carried; empty for not far.
    """
    policy = scenario.policy
    yield Chip("basis", choice_words(policy.load_basis), basis_remark(policy))
    if policy.load_factor != 1.0:
        factor = exact_text(policy.load_factor)
        yield Chip("load", say("{factor} times today’s load", factor=factor), load_remark(policy))
    yield Chip("posture", choice_words(policy.posture), posture_remark(policy))
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
        detail = say("The files measure both CPU and I/O of no VM.")
    elif grade.days is None:
        detail = say(
            "The files measure both CPU and I/O of {pct} % of the VMs; they don’t say for how "
            "long.",
            pct=pct,
        )
    else:
        detail = say(
            "The files measure both CPU and I/O of {pct} % of the VMs, half of them for {days} "
            "days or more; a week shows its peaks.",
            pct=pct,
            days=number(grade.days, 1),
        )
    return Chip("grade", say("{pct} % measured", pct=pct), detail)

"""``failures``: what each way to fail does to one scenario, as JSON or as tables for people."""

from __future__ import annotations

from collections.abc import Collection

from app.cli_file import given, json_text, refusing
from app.cli_text import text_lines
from app.render.terminal import sections_text
from db.failure_study import failures_to_json
from models.base.texts import joined, say
from models.evaluate import evaluate
from models.failure.mode import ModeKind
from models.predict.prediction import Prediction
from models.resilience.availability_study import AvailabilityStudy, study_availability
from models.resilience.mode_words import beyond_verdict_text, worst_beyond_verdict
from models.resilience.modes import EVERY_KIND, USUAL
from models.resilience.study import FailureStudy, study_failures
from models.scenario.scenario import Scenario
from models.tell.availability import (
    admission_sections,
    protection_sections,
    restart_sections,
)
from models.tell.failures import detail_sections, failure_rows, failure_sections
from models.version import MODEL_VERSION

USUAL_WORD, ALL_WORD = "usual", "all"
MODE_WORDS = (USUAL_WORD, ALL_WORD, *(kind.value.replace(" ", "-") for kind in ModeKind))


def kinds_named(words: Collection[str]) -> tuple[ModeKind, ...]:
    """Kinds of modes by the words of the command line; without any the usual ones.

    >>> [kind.value for kind in kinds_named(["two-hosts", "group"])]
    ['two hosts', 'group']
    """
    if ALL_WORD in words:
        return EVERY_KIND
    named = {kind for kind in ModeKind if kind.value.replace(" ", "-") in words}
    usual = USUAL if USUAL_WORD in words or not words else ()
    return tuple(kind for kind in ModeKind if kind in named or kind in usual)


def failures_of_file(path: str, name: str | None, *, modes: Collection[str], as_json: bool) -> str:
    """What ``failures`` prints about the scenario called `name` in the file.

    Raises:
        StoreError: the file can't be read, or its scenario can't exist.
    """
    of = given(path, name)
    scenario, knowledge = of.scenario, of.knowledge
    with refusing(path):
        study = study_failures(scenario, knowledge, which=kinds_named(modes))
        availability = study_availability(scenario, knowledge)
    if as_json:
        return json_text(failures_to_json(scenario.name, MODEL_VERSION, study, availability))
    prediction = evaluate(scenario, knowledge)
    return as_text(scenario, prediction, study, availability)


def as_text(
    scenario: Scenario,
    prediction: Prediction,
    study: FailureStudy,
    availability: AvailabilityStudy,
) -> str:
    """What there is to tell of every way to fail."""
    head = say(
        "{scenario}: what fails, worst first; model {version}",
        scenario=scenario.name,
        version=MODEL_VERSION,
    )
    names = {item.id: item.name for item in scenario.items()}
    worse = worst_beyond_verdict(study)
    beside = [] if worse is None else [joined("", (beyond_verdict_text(worse, names), "."))]
    every = len(study)
    sections = (
        *failure_sections(scenario, prediction, study, most=every),
        *detail_sections(failure_rows(scenario, prediction, study=study, most=every)),
        *admission_sections(availability.admission, scenario),
        *protection_sections(availability.protections, scenario),
        *restart_sections(availability.restart_times, scenario),
    )
    return joined("\n", (text_lines([head, *beside]), sections_text(sections)))

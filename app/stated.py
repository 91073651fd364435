"""Numbers as they were saved or signed, and which of them are others now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from app import __version__
from app.calibrated import shipped_calibration
from db.stated import contents_with, fingerprint, fingerprints, known_fingerprints, stated_of
from models.base.errors import ModelError
from models.base.texts import Text, say
from models.catalog.catalog import Catalog
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.predict.prediction import Prediction
from models.project.project import STATED, Entry, Project
from models.scenario.scenario import Scenario
from models.signing.stated import Difference, Stated, differences, highest

SAVED, EXPORTED = "saved", "exported"


@dataclass(frozen=True, slots=True)
class Compared:
    """A scenario with a state of the same inputs, and what of that is predicted otherwise now."""

    scenario: str
    stated: Stated
    differences: tuple[Difference, ...]


def with_stated(
    project: Project, catalog: Catalog, why: str, now: datetime, ids: tuple[str, ...] = ()
) -> Project:
    """The project with what is predicted of its scenarios now beside them.

    Args:
        why: `SAVED` or `EXPORTED`.
        ids: of the entries; none: all of them.
    """
    for entry in project.entries:
        if ids and entry.id not in ids:
            continue
        try:
            prediction = evaluate(entry.scenario, Knowledge(catalog, shipped_calibration()))
        except ModelError:
            continue
        new = stated_now(entry.scenario, prediction, why, now)
        project = project.with_records(entry.id, STATED, contents_with(entry, new))
    return project


def stated_now(scenario: Scenario, prediction: Prediction, why: str, now: datetime) -> Stated:
    """What is predicted of a scenario, to be kept.

    Args:
        why: `SAVED` or `EXPORTED`.
    """
    inputs, core = fingerprints(scenario)
    return Stated(
        at=now.isoformat(timespec="seconds"),
        why=why,
        program=__version__,
        model=prediction.model_version,
        inputs=inputs,
        core=core,
        verdict=str(prediction.shown.words),
        numbers=highest(prediction),
    )


def compared(project: Project, catalog: Catalog) -> Iterator[Compared]:
    """Scenarios that a state with the same inputs is kept of, by their hash.

    The last exported state is what a customer holds; else the last saved one.
    """
    for entry in project.entries:
        last = _last(entry)
        if last is None:
            continue
        prediction = evaluate(entry.scenario, Knowledge(catalog, shipped_calibration()))
        yield Compared(entry.scenario.name, last, tuple(differences(last, prediction)))


def changed(project: Project, catalog: Catalog) -> Iterator[Compared]:
    """Those of them whose numbers are others now."""
    return (each for each in compared(project, catalog) if each.differences)


def told_of_inputs(project: Project) -> Iterator[Text]:
    """A sentence for each state, saved or exported last, whose inputs are others now."""
    for entry in project.entries:
        given = known_fingerprints(entry.scenario)
        last = {each.why: each for each in stated_of(entry)}
        for each in last.values():
            if given.isdisjoint((each.inputs, each.core)):
                yield _other_inputs(each, entry.scenario)


SHOWN = 12
"""Digits of a hash that people compare."""


def _other_inputs(stated: Stated, scenario: Scenario) -> Text:
    told = {
        "name": scenario.name,
        "day": stated.at[:16].replace("T", " "),
        "then": stated.inputs[:SHOWN],
        "now": fingerprint(scenario)[:SHOWN],
    }
    if stated.why == EXPORTED:
        return say(
            "“{name}” is not what was exported as a proposal {day}: its inputs were changed since "
            "(hash {then} then, {now} now)",
            **told,
        )
    return say(
        "“{name}” is not what was saved with its numbers {day}: its inputs were changed since, and "
        "not saved by the window (hash {then} then, {now} now)",
        **told,
    )


def _last(entry: Entry) -> Stated | None:
    """The last state of the inputs as they are now, rather an exported one."""
    given = known_fingerprints(entry.scenario)
    known = [each for each in stated_of(entry) if not given.isdisjoint((each.inputs, each.core))]
    signed = [each for each in known if each.why == EXPORTED]
    found = signed or known
    return found[-1] if found else None

"""``failures``: what each way to fail does to one scenario, as JSON or as tables for people."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

from app.calibrated import shipped_calibration
from app.cli_evaluate import cell, chosen
from app.cli_text import indented, text_lines, text_table
from app.render.terminal import sections_text
from db.errors import refused
from db.failure_study import failures_to_json
from db.files import open_any
from db.prediction import NOT_JUDGED
from models.catalog_use import catalog_for
from models.errors import ModelError
from models.failure.mode import Mode, ModeKind
from models.lettering import set_apart
from models.predicted import average_limit, title_of, unit_of
from models.prediction import FailureMode
from models.reasons import mode_reason
from models.resilience.availability_study import AvailabilityStudy, study_availability
from models.resilience.besides import besides_text, worse_besides
from models.resilience.mode_words import detail_lines, mode_text, shortfall_text
from models.resilience.modes import EVERY_KIND, USUAL, beside_text
from models.resilience.study import FailureStudy, study_failures
from models.scenario import Policy, Scenario
from models.tell.availability import (
    admission_sections,
    protection_sections,
    restart_sections,
)
from models.texts import joined, say
from models.version import MODEL_VERSION
from models.wording import NONE_TEXT, number
from resources.catalog_files import load_catalog

Names = Mapping[str, str]

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


def failures_of_file(
    path: str, name: str | None, *, which: Collection[ModeKind], as_json: bool
) -> str:
    """What ``failures`` prints about the scenario called `name` in the file.

    Raises:
        StoreError: the file can't be read, or its scenario can't exist.
    """
    project = open_any(path, load_catalog())
    scenario = chosen(project, name, path).scenario
    catalog, calibration = catalog_for(project, load_catalog()), shipped_calibration()
    try:
        study = study_failures(scenario, catalog, calibration, which=which)
        availability = study_availability(scenario, catalog, calibration)
    except ModelError as error:
        raise refused(error, path) from error
    if as_json:
        found = failures_to_json(scenario.name, MODEL_VERSION, study, availability)
        return json.dumps(found, ensure_ascii=False) + "\n"
    return as_text(scenario, study, availability)


def as_text(scenario: Scenario, study: FailureStudy, availability: AvailabilityStudy) -> str:
    """The study as tables, items by name."""
    names = {item.id: set_apart(item.name) for item in scenario.items()}
    modes = [study[row] for row in study.ranked()]
    head = say(
        "{scenario}: what fails, worst first; model {version}",
        scenario=scenario.name,
        version=MODEL_VERSION,
    )
    parts = (
        text_lines([head]),
        _table(names, modes, scenario),
        _besides(names, study),
        _details(names, modes),
        _worst(names, study),
        sections_text(
            (
                *admission_sections(availability.admission, scenario),
                *protection_sections(availability.protections, scenario),
                *restart_sections(availability.restart_times, scenario),
            )
        ),
    )
    return joined("\n", filter(None, parts))


def _table(names: Names, modes: Sequence[FailureMode], scenario: Scenario) -> str:
    rows = [
        (
            mode_text(mode.mode, names),
            *_numbers(mode, scenario.policy),
            _restarts(mode),
            _verdict(mode, scenario),
            shortfall_text(mode.shortfall),
        )
        for mode in modes
    ]
    head = (
        *(say("What fails"), say("Host CPU %"), say("Host RAM %"), "IOPS", say("Response ms")),
        *(say("Ready %"), say("Restarts"), say("Verdict"), say("Missing")),
    )
    return text_table(head, rows, "<>>>>>><<")


def _besides(names: Names, study: FailureStudy) -> str:
    worse = worse_besides(study)
    return "" if worse is None else joined("", (besides_text(worse, names), "\n"))


def _verdict(mode: FailureMode, scenario: Scenario) -> str:
    if mode.shown is None:
        return NOT_JUDGED
    said = joined(": ", filter(None, (mode.shown.words, mode_reason(scenario.policy, mode))))
    beside = beside_text(mode.mode, scenario, mode.shown.verdict)
    return joined("", (said, " (", beside, ")")) if beside else said


def _numbers(mode: FailureMode, policy: Policy) -> tuple[str, ...]:
    """A host that runs nothing has no numbers to have no data of."""
    if mode.verdict is None:
        return (NONE_TEXT,) * 5
    ram = NONE_TEXT if mode.ram_pct.value is None else cell(mode.ram_pct, mode.ram_limit_pct)
    return (
        cell(mode.cpu_pct, average_limit(policy, "cpu_pct")),
        ram,
        cell(mode.iops),
        cell(mode.response_ms, policy.response_limit_ms),
        cell(mode.ready_pct),
    )


def _restarts(mode: FailureMode) -> str:
    """``12``, or ``10 of 12`` where some find no place."""
    placed = sum(not each.moved_before for each in mode.restarted)
    if not mode.not_restarted:
        return number(placed)
    return say("{part} of {all}", part=number(placed), all=number(placed + len(mode.not_restarted)))


def _details(names: Names, modes: Sequence[FailureMode]) -> str:
    """What becomes of the VMs in modes that have more to say than their numbers."""
    lines: list[str] = []
    for mode in modes:
        telling = mode.not_restarted or mode.taken_over or mode.stays_down or mode.note
        if telling and mode.mode.kind is not ModeKind.NORMAL:
            lines.append(joined("", (mode_text(mode.mode, names), ":")))
            lines += map(indented, (*_notes(mode), *detail_lines(mode, names)))
    return text_lines(lines)


def _notes(mode: FailureMode) -> tuple[str, ...]:
    return (mode.note,) if mode.note else ()


def _worst(names: Names, study: FailureStudy) -> str:
    modes = {mode.id: mode for mode in study.modes}
    rows = [
        (
            title_of(each.resource),
            _mode_name(modes, each.mode, names),
            cell(each.value),
            joined(" ", (number(each.limit), unit_of(each.resource))),
            joined(" ", (number(100 * each.load), "%")),
        )
        for each in study.worst_hosts()
    ]
    head = (
        *(say("Worst host for"), say("What fails"), say("Value"), say("Limit")),
        say("Of limit, at peak"),
    )
    return text_table(head, rows, "<<>>>")


def _mode_name(modes: Mapping[str, Mode], id: str, names: Names) -> str:
    return mode_text(modes[id], names)

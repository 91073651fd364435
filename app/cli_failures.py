"""``failures``: what each way to fail does to one scenario, as JSON or as tables for people."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from app.calibrated import shipped_calibration
from app.cli_evaluate import cell, chosen
from app.cli_text import indented, text_lines, text_table
from db.errors import refused
from db.failure_study import failures_to_json
from db.files import open_any
from db.prediction import NOT_JUDGED
from models.catalog_use import catalog_for
from models.citation import in_short
from models.errors import ModelError
from models.failure.admission import Step
from models.failure.admission_words import POLICIES, admission_text
from models.failure.reservations import AdmissionCheck
from models.lettering import set_apart
from models.predicted import average_limit, title_of, unit_of
from models.reasons import mode_reason
from models.resilience.availability_study import AvailabilityStudy, study_availability
from models.resilience.besides import besides_text, worse_besides
from models.resilience.mode_words import detail_lines, mode_text, shortfall_text
from models.resilience.modes import EVERY_KIND, USUAL, Mode, ModeKind, beside_text
from models.resilience.study import FailureStudy, StudiedMode, study_failures
from models.scenario import AdmissionPolicy, Policy, Scenario
from models.texts import joined, say, say_many
from models.version import MODEL_VERSION
from models.wording import NONE_TEXT, duration_text, number
from resources.catalog_files import load_catalog

Names = Mapping[str, str]

USUAL_WORD, ALL_WORD = "usual", "all"
MODE_WORDS = (USUAL_WORD, ALL_WORD, *(kind.value.replace(" ", "-") for kind in ModeKind))
MOST_NAMES = 3


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
        _admission(names, availability),
        _protections(names, availability),
        _restart_times(names, availability),
    )
    return joined("\n", filter(None, parts))


def _table(names: Names, modes: Sequence[StudiedMode], scenario: Scenario) -> str:
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


def _verdict(mode: StudiedMode, scenario: Scenario) -> str:
    if mode.shown is None:
        return NOT_JUDGED
    said = joined(": ", filter(None, (mode.shown.words, mode_reason(scenario.policy, mode))))
    beside = beside_text(mode.mode, scenario, mode.shown.verdict)
    return joined("", (said, " (", beside, ")")) if beside else said


def _numbers(mode: StudiedMode, policy: Policy) -> tuple[str, ...]:
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


def _restarts(mode: StudiedMode) -> str:
    """``12``, or ``10 of 12`` where some find no place."""
    placed = sum(not each.moved_before for each in mode.restarted)
    if not mode.not_restarted:
        return number(placed)
    return say("{part} of {all}", part=number(placed), all=number(placed + len(mode.not_restarted)))


def _details(names: Names, modes: Sequence[StudiedMode]) -> str:
    """What becomes of the VMs in modes that have more to say than their numbers."""
    lines: list[str] = []
    for mode in modes:
        telling = mode.not_restarted or mode.taken_over or mode.stays_down or mode.note
        if telling and mode.mode.kind is not ModeKind.NORMAL:
            lines.append(joined("", (mode_text(mode.mode, names), ":")))
            lines += map(indented, (*_notes(mode), *detail_lines(mode, names)))
    return text_lines(lines)


def _notes(mode: StudiedMode) -> tuple[str, ...]:
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


def _admission(names: Names, availability: AvailabilityStudy) -> str:
    return joined(
        "\n", [text_lines(_admission_lines(names, check)) for check in availability.admission]
    )


def _admission_lines(names: Names, check: AdmissionCheck) -> Iterator[str]:
    """Reservations only: what vCenter counts, not what the VMs ask for."""
    policy = POLICIES[check.policy]
    yield say(
        "Admission control of {cluster} ({release}): {policy}, by reservations",
        cluster=check.name,
        release=check.release,
        policy=policy,
    )
    if check.check is not None:
        for step in check.check.steps:
            yield indented(_step(step))
    if check.check is not None or check.policy is AdmissionPolicy.NONE:
        yield indented(joined("", (admission_text(check, names), ".")))
    yield from map(indented, check.notes)
    yield f"  [{in_short(check.source)}]"


def _step(step: Step) -> str:
    worked_out = step.arithmetic and not step.result.startswith(step.arithmetic)
    equation = (step.arithmetic, " = ") if worked_out else ()
    return joined("", (step.what, ": ", *equation, step.result))


def _protections(names: Names, availability: AvailabilityStudy) -> str:
    lines: list[str] = []
    for each in availability.protections:
        secondary = each.secondary
        where = say("no host") if secondary is None else names.get(secondary, secondary)
        vm = names.get(each.vm, each.vm)
        lines.append(
            say(
                "Fault Tolerance of {vm}: secondary on {host}, as large, all reserved",
                vm=vm,
                host=where,
            )
        )
        lines += [indented(say("Refused: {reason}", reason=why)) for why in each.obstacles]
        lines += [indented(_step(step)) for step in each.logging]
        response = say("Response across a failover: {answer}", answer=each.response_ms)
        lines += [indented(response), *map(indented, each.notes)]
    return text_lines(lines)


def _restart_times(names: Names, availability: AvailabilityStudy) -> str:
    alike: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in availability.restart_times:
        times = tuple(map(duration_text, (each.logged_s, each.unlogged_s)))
        alike[times[0], times[1]].append(names.get(each.vm, each.vm))
    rows = [(_some(vms), *times) for times, vms in alike.items()]
    head = (say("Restart by HA (assumed)"), say("With transaction logs"), say("Without"))
    return text_table(head, rows, "<>>")


def _some(names: Sequence[str]) -> str:
    rest = len(names) - MOST_NAMES
    first = joined(", ", names[:MOST_NAMES])
    if rest <= 0:
        return first
    return say_many("{first} and {count} more", "{first} and {count} more", rest, first=first)

"""From predicted scenarios to the proposal's bytes: the one way, for window and command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np

from app import __version__
from app.calibrated import shipped_accuracy, shipped_calibration, shipped_evidence
from app.language import Language
from app.report.data import in_one_line
from app.report.paper import Paper
from app.report.template import Template
from app.report.write import proposal_pdf, proposal_pictures
from app.since import since_kept
from db.stated import fingerprint
from models.base.dates import date_text
from models.base.lettering import mark_of, set_apart
from models.base.texts import Text, joined, say
from models.catalog.catalog import Catalog
from models.evidence.knowledge import Knowledge
from models.evidence.rows import by_id
from models.fitting.validation import UNCHECKED
from models.predict.prediction import Prediction
from models.prices.book import PriceBook
from models.prices.cost import cost_of
from models.proposal import Proposal, propose
from models.proposal.names import names_with, shown_names
from models.proposal.response_frame import frame_of
from models.resilience.availability_study import study_availability
from models.resilience.designs import MOST_HOSTS, DesignRow, compare_designs
from models.resilience.storms import StormKind, drain_times, storms_asked, study_storm
from models.resilience.study import study_failures
from models.scenario.scenario import Maintenance, Scenario, Vm
from models.scenario.wording import about_text, crossing_text, number, with_unit
from models.signing.signed import SignedScenario
from models.signing.since import SinceProposal
from models.studies.curves import Crossing, ResponseCurve, response_curve
from models.studies.leave_behind import MANY_VMS, answers
from models.studies.runway import FEWEST_YEARS, Runway, runway
from models.tell.blocks import MeasuredPoint, ResponsePlot, Section
from models.tell.meeting import Meeting
from models.tell.storms import Storm
from models.tell.subject import Subject

MOST_TIMES = 20.0
"""Today's users to those at the limit, up to which a chart shows both."""
MOST_PLOTS = 4
POINTS = 121
MOST_NAMED = 8
"""Characters, and names, that a notice lists."""
NAME_LETTERS = 40
"""Of a name in such a list."""
UNSHOWN_NOTE = say(
    "Some characters of names had no typeface where this was printed: they stand as their numbers "
    "in Unicode, such as ⟨U+D55C⟩."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Print:
    """How a proposal is written.

    Attributes:
        now: printed as its date and time.
        language: what all of it is said in.
        file: name of the project file, without its folder; empty when it has none.
        sections: ids of `SECTIONS` in the order wanted; none: all of them.
        notes: answers of advisors, as an appendix.
        meetings: what was changed in meetings, by name of the scenario.
        others: which numbers are others than when the same was exported.
        book: prices by which costs are told; None: no costs are.
        earlier: the scenarios as an earlier proposal had them, by their names now.
    """

    now: datetime
    language: Language
    file: str = ""
    paper: Paper = Paper.A4
    sections: tuple[str, ...] = ()
    template: Template | None = None
    notes: tuple[Section, ...] = ()
    meetings: Mapping[str, tuple[Meeting, ...]] = field(default_factory=dict)
    others: tuple[Section, ...] = ()
    book: PriceBook | None = None
    earlier: Mapping[str, SignedScenario] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Report:
    """A proposal as a file; `notice` says what of it could not be printed as it was written."""

    content: bytes
    notice: str = ""


Scenarios = Sequence[tuple[Scenario, Prediction]]


def report(scenarios: Scenarios, catalog: Catalog, ending: str, how: Print) -> Report:
    """The proposal about these scenarios, in this order, in the form of an ending.

    Raises:
        KeyError: there is no such form.
        ReportError: the proposal can't be typeset.
    """
    return FORMS[ending](scenarios, catalog, how)


def _told(scenarios: Scenarios, catalog: Catalog, how: Print) -> tuple[Proposal, list[Subject]]:
    """What is to be said, and of what."""
    day = how.now.date()
    book = None if how.book is None else replace(how.book, asked_on=day)
    subjects = [
        replace(
            subject_of(shown_names(scenario), prediction, catalog),
            fingerprint=fingerprint(scenario),
            meetings=how.meetings.get(scenario.name, ()),
            cost=None if book is None else cost_of(scenario, catalog, book),
            since=_since(how.earlier.get(scenario.name), (scenario, prediction), catalog),
        )
        for scenario, prediction in scenarios
    ]
    proposal = propose(
        subjects,
        date=date_text(how.now),
        program=f"Headroom {__version__}",
        file=set_apart(how.file),
        sections=how.sections,
        notes=how.notes,
        others=how.others,
    )
    if how.template is not None:
        proposal = how.template.applied(proposal)
    return proposal, subjects


def _since(
    earlier: SignedScenario | None, now: tuple[Scenario, Prediction], catalog: Catalog
) -> SinceProposal | None:
    """What was changed since an earlier proposal; None where there is none."""
    return None if earlier is None else since_kept(earlier, *now, catalog)


def _pdf(scenarios: Scenarios, catalog: Catalog, how: Print) -> Report:
    proposal, _ = _told(scenarios, catalog, how)
    typeset = proposal_pdf(
        proposal, how.language, how.paper, how.now, note=UNSHOWN_NOTE, template=how.template
    )
    given = [scenario for scenario, _ in scenarios]
    return Report(typeset.pdf, unshown_text(typeset.unshown, given))


def page_pictures(
    scenarios: Scenarios, catalog: Catalog, how: Print, dpi: float
) -> tuple[bytes, ...]:
    """The pages of the proposal as PNG pictures, to be looked at or printed.

    Raises:
        ReportError: the proposal can't be typeset.
    """
    proposal, _ = _told(scenarios, catalog, how)
    return proposal_pictures(proposal, how.language, how.paper, how.now, how.template, dpi)


def _docx(scenarios: Scenarios, catalog: Catalog, how: Print) -> Report:
    from app.report.docx import proposal_docx

    proposal, _ = _told(scenarios, catalog, how)
    return Report(proposal_docx(proposal, how.language, how.paper, how.now))


def _xlsx(scenarios: Scenarios, catalog: Catalog, how: Print) -> Report:
    from app.report.xlsx import proposal_xlsx

    proposal, subjects = _told(scenarios, catalog, how)
    return Report(proposal_xlsx(proposal, subjects, how.language, how.paper, how.now))


def _html(scenarios: Scenarios, catalog: Catalog, how: Print) -> Report:
    from app.report.html import proposal_html

    proposal, subjects = _told(scenarios, catalog, how)
    answered = answers(subjects[0].scenario, Knowledge(catalog, shipped_calibration()))
    return Report(proposal_html(proposal, answered, subjects[0], how.language))


def _zip(scenarios: Scenarios, catalog: Catalog, how: Print) -> Report:
    from app.report.charts import proposal_charts

    proposal, _ = _told(scenarios, catalog, how)
    return Report(proposal_charts(proposal, how.language, how.now))


FORMS: Mapping[str, Callable[[Scenarios, Catalog, Print], Report]] = {
    ".pdf": _pdf,
    ".docx": _docx,
    ".xlsx": _xlsx,
    ".html": _html,
    ".zip": _zip,
}
"""Each form of a proposal by the ending of its file."""


def unshown_text(characters: Sequence[str], scenarios: Sequence[Scenario]) -> str:
    """Which characters of which names no typeface has; empty where there are none."""
    if not characters:
        return ""
    wanted = frozenset(characters)
    names = dict.fromkeys(name for each in scenarios for name in names_with(each, wanted))
    return say(
        "No typeface on this computer has {characters}: the proposal shows their numbers, such as "
        "{mark}, in {names}. Install a typeface that has them and write the proposal again.",
        characters=_some([say("“{letter}”", letter=each) for each in characters]),
        mark=mark_of(characters[0]),
        names=_some([say("“{name}”", name=in_one_line(each, NAME_LETTERS)) for each in names])
        or say("its words"),
    )


def _some(words: Sequence[str]) -> Text:
    """Words one after the other, and how many more there are where they are many."""
    named = joined(", ", words[:MOST_NAMED])
    if len(words) <= MOST_NAMED:
        return named
    return say("{named} and {more} more", named=named, more=number(len(words) - MOST_NAMED))


def subject_of(scenario: Scenario, prediction: Prediction, catalog: Catalog) -> Subject:
    """The scenario with all that the proposal says about it."""
    vms = plotted_vms(scenario, prediction)
    plots = [response_plot(scenario, prediction, catalog, vm) for vm in vms]
    knowledge = Knowledge(catalog, shipped_calibration())
    return Subject(
        scenario=scenario,
        prediction=prediction,
        catalog=catalog,
        plots=tuple(plot for plot in plots if len(plot.users) > 1),
        evidence=by_id(shipped_evidence()),
        accuracy=shipped_accuracy(),
        unchecked=UNCHECKED,
        study=study_failures(scenario, knowledge),
        availability=study_availability(scenario, knowledge),
        designs=_designs(scenario, catalog),
        runway=_runway(scenario, catalog),
        storms=tuple(_storm(scenario, catalog, kind) for kind in storms_asked(scenario)),
    )


def _runway(scenario: Scenario, catalog: Catalog) -> Runway | None:
    """The planned years, or one where a season or a maintenance window is stated; None without."""
    years = scenario.growth.years
    if scenario.growth.season_pct or scenario.maintenance != Maintenance():
        years = max(years, FEWEST_YEARS)
    if not years:
        return None
    return runway(
        scenario, Knowledge(catalog, shipped_calibration()), years=years, every=_every(scenario)
    )


def _every(scenario: Scenario) -> int:
    """Months between two steps: fewer of a large design, which takes its time."""
    return 3 if len(scenario.vms) < MANY_VMS else 12


def _storm(scenario: Scenario, catalog: Catalog, kind: StormKind) -> Storm:
    """The storm; what more vCPUs would do is asked where it ends, not of a busy day."""
    given = (scenario, Knowledge(catalog, shipped_calibration()), kind)
    study = study_storm(*given)
    worst = study.worst
    if worst is None or kind is not StormKind.RECONNECT:
        return Storm(study=study, drain=None)
    return Storm(study=study, drain=drain_times(*given, vm=worst.vm))


def _designs(scenario: Scenario, catalog: Catalog) -> tuple[DesignRow, ...]:
    """HA, Domino clusters or both, where the scenario asks: it has partners or Fault Tolerance."""
    asks = any(vm.cluster_partners or vm.fault_tolerance for vm in scenario.vms)
    if not asks or len(scenario.hosts) > MOST_HOSTS:
        return ()
    return compare_designs(scenario, Knowledge(catalog, shipped_calibration()))


def plotted_vms(scenario: Scenario, prediction: Prediction) -> tuple[Vm, ...]:
    """The VMs whose response is charted: the slowest of each kind of VM, at most four."""
    worst: dict[Any, tuple[float, Vm]] = {}
    for position, vm in enumerate(scenario.vms):
        response = prediction.vms.response_ms[position].value
        if response is None or vm.host is None:
            continue
        host = scenario.host(vm.host)
        kind = (vm.workload.kind, vm.workload.release, vm.vcpus, vm.ram_gib, vm.disk_mode)
        key = (*kind, host.server, host.hypervisor, vm.pool)
        if key not in worst or response > worst[key][0]:
            worst[key] = (response, vm)
    ranked = sorted(worst.values(), key=lambda entry: -entry[0])
    return tuple(vm for _, vm in ranked[:MOST_PLOTS])


def response_plot(
    scenario: Scenario, prediction: Prediction, catalog: Catalog, vm: Vm
) -> ResponsePlot:
    """The chart of one VM, with the same line as in the window."""
    curve = _curve(scenario, catalog, vm, (0.0, _furthest(vm)))
    if near := _near_limit(vm, curve.crossing):
        curve = _curve(scenario, catalog, vm, near)
    known = np.isfinite(curve.response_ms.value)
    now = prediction.vms.quantity(vm.id, "response_ms")
    limit = scenario.policy.response_limit_ms
    answer = about_text(now, "ms")
    plot = ResponsePlot(
        vm=vm.name,
        users=_floats(curve.users[known]),
        value=_floats(curve.response_ms.value[known]),
        low=_floats(curve.response_ms.low[known]),
        high=_floats(curve.response_ms.high[known]),
        covered=tuple(map(bool, curve.covered[known])),
        points=tuple(
            MeasuredPoint(p.users, p.response_ms, p.doubted)
            for p in curve.measured
            if p.users >= curve.users[0]
        ),
        limit=limit,
        limit_label=say("limit {limit}", limit=with_unit(number(limit), "ms")),
        knee=curve.knee_users,
        current_users=vm.workload.active_users,
        current_ms=now.value,
        current_label=joined(": ", (with_unit(number(vm.workload.active_users), "users"), answer)),
        alt=say(
            "Response time of {vm} against active users; {answer} at present.",
            vm=vm.name,
            answer=answer,
        ),
        note=_note(curve, limit),
    )
    if not plot.users:
        return plot
    frame = frame_of(plot)
    if not frame.cut:
        return plot
    cut = say("Above {limit} the curve is cut off.", limit=with_unit(number(frame.high), "ms"))
    return replace(plot, note=joined(" ", (plot.note, cut)))


def _curve(
    scenario: Scenario, catalog: Catalog, vm: Vm, ends: tuple[float, float]
) -> ResponseCurve:
    users = np.linspace(*ends, POINTS)
    return response_curve(scenario, Knowledge(catalog, shipped_calibration()), vm.id, users)


def _near_limit(vm: Vm, crossing: Crossing) -> tuple[float, float] | None:
    """From half of today's users to past those with which the limit is reached, on round figures;
    None where it isn't, or so far away that today would be at the chart's edge."""
    there, now = crossing.users, vm.workload.active_users
    if crossing.from_the_first or there is None or not now or there > MOST_TIMES * now:
        return None
    step = 10.0 ** np.floor(np.log10(min(there, now)))
    first, last = 0.5 * min(there, now), 1.15 * max(there, now)
    return float(np.floor(first / step) * step), float(np.ceil(last / step) * step)


def _furthest(vm: Vm) -> float:
    """Where the chart ends: well past today's users, on a round figure [users]."""
    return float(np.ceil(max(1.75 * vm.workload.active_users, 2000.0) / 1000.0) * 1000.0)


def _note(curve: ResponseCurve, limit: float) -> str:
    covered = curve.covered[np.isfinite(curve.response_ms.value)]
    if covered.all():
        line = say("Line: model; band: its 90 % interval; square: this design.")
    elif covered.any():
        line = say(
            "Line: model, solid within measured users, dashed beyond data; band: its 90 % "
            "interval; square: this design."
        )
    else:
        line = say("Line: model, dashed beyond data; band: its 90 % interval; square: this design.")
    dots = say("Dots: measured; open: doubted by the authors of the measurement.")
    parts = (line, dots if curve.measured else "", _crossing_text(curve.crossing, limit))
    return joined(" ", filter(None, parts))


def _crossing_text(crossing: Crossing, limit: float) -> str:
    if crossing.from_the_first:
        return say("Above {limit} from the first user on.", limit=with_unit(number(limit), "ms"))
    ends = (crossing.low, crossing.high)
    words = crossing_text(crossing.users, ends, crossing.basis, limit)
    return say("{crossing}: no run in the documents passed 1 s.", crossing=words) if words else ""


def _floats(values: Any) -> tuple[float, ...]:
    return tuple(float(value) for value in values)

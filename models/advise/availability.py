"""When a member of a Domino cluster calls itself busy: settings to start with, and what they do."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil, log2

import numpy as np

from models.advise.advice import (
    GIVEN,
    Advice,
    AdviceColumn,
    AdviceNumber,
    AdvicePlot,
    AdviceTable,
    CitedKnowledge,
    Found,
    Topic,
    given,
    printed,
)
from models.advise.cluster import MOST_MEMBERS, release_number, servertasks
from models.advise.found import (
    STATISTICS,
    about,
    cluster_members,
    dominos,
    mail_servers,
    origins_of,
    values_of,
)
from models.base.errors import ModelError
from models.base.fields import Word, described, of_fields, optional
from models.base.quantities import Basis, FloatArray
from models.base.texts import Text, say
from models.evidence.domino_cluster import recommended_replicators
from models.intake.records import Records
from models.predict.prediction import Verdict
from models.scenario.scenario import Scenario
from models.scenario.wording import number

_ROWS = "r5-clusters/sat-stn-tuning/"
_INDEX = "rule/domino-availability-index/"
_LATER = 6
"""Release from which the index is worked out from the least transaction time ever seen."""


class PublishedServer(Word):
    """A server whose settings were published."""

    COMPAQ = "compaq-7000", say("Compaq 7000, 2 Pentium Pro of 200 MHz")
    NETFINITY = "netfinity-7000-m10", say("IBM Netfinity 7000 M10, 4 Pentium II Xeon of 400 MHz")


_PRINTED = {
    PublishedServer.COMPAQ: (_ROWS + "recommended-sat", _ROWS + "recommended-stn"),
    PublishedServer.NETFINITY: (_ROWS + "recommended-sat-2", _ROWS + "recommended-stn-2"),
}


@of_fields
class AvailabilitySettings:
    """A member of a Domino cluster, its transactions, and what it is set to."""

    release: str = described(
        "R5", say("release"), meaning="Domino release; from 6 on the index is another one."
    )
    mean_transaction_ms: float | None = optional(
        say("mean transaction time"),
        meaning="Mean time of a Domino transaction under usual load [ms].",
        empty=say("not measured"),
        ge=0.01,
        le=60_000,
    )
    server: PublishedServer | None = optional(
        say("published server"),
        meaning="A server whose settings were published; instead of its transaction time.",
        empty=say("none of them"),
    )
    threshold: float | None = optional(
        say("threshold today (SAT)"),
        meaning="Server_Availability_Threshold as it is set; null: not set.",
        empty=say("not set"),
        ge=0,
        le=100,
        is_whole=True,
    )
    normalize: float | None = optional(
        say("normalising time today (STN)"),
        meaning="Server_TransInfo_Normalize as it is set, of R4.6 and R5; null: not set.",
        empty=say("not set: 3,000"),
        ge=1,
        le=1e7,
        is_whole=True,
    )
    expansion_factor: float | None = optional(
        say("highest expansion factor seen"),
        unit="×",
        meaning="Highest Server.ExpansionFactor under heavy load, of Domino 6 and later.",
        empty=say("not measured"),
        ge=1,
        le=1e9,
    )
    members: int = described(
        2, say("members"), meaning="Servers of the cluster.", ge=2, le=MOST_MEMBERS
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Start:
    """Settings to start with, and what they come from."""

    sat: float
    stn: float | None
    mean_ms: float | None
    source: str


def _start(inputs: AvailabilitySettings, knowledge: CitedKnowledge) -> _Start:
    times = knowledge.figure(_ROWS + "stn-multiplier")
    source = knowledge.cited(_ROWS + "stn-multiplier")
    sat = knowledge.figure(_ROWS + "sat-starting-point")
    if inputs.server is not None:
        ids = _PRINTED[inputs.server]
        printed_sat, stn = (knowledge.figure(id) for id in ids)
        return _Start(sat=printed_sat, stn=stn, mean_ms=stn / times, source=source)
    mean = inputs.mean_transaction_ms
    due = None if mean is None else float(round(mean * times))
    return _Start(sat=sat, stn=due, mean_ms=mean, source=source)


def _answer(inputs: AvailabilitySettings, knowledge: CitedKnowledge) -> Advice:
    if inputs.server is not None and inputs.mean_transaction_ms is not None:
        raise ModelError(say("is given beside server"), field="mean_transaction_ms")
    if release_number(inputs.release) >= (_LATER,):
        return _later(inputs, knowledge)
    start = _start(inputs, knowledge)
    conclusion, verdict, sentence = _judged(inputs, start, knowledge)
    runs = _runs(start, knowledge)
    return Advice(
        conclusion=conclusion,
        verdict=verdict,
        sentence=sentence,
        numbers=(*_numbers(inputs, start, knowledge), *_fallen(runs)),
        tables=(_simulated(runs),),
        plots=(_plot(runs, start),),
        reasons=tuple(_reasons(knowledge)),
        next=tuple(_next()),
        lines=(*_settings(start), _tasks(inputs, knowledge), "MailClusterFailover=0"),
        sources=knowledge.sources(
            _ROWS + "stn-multiplier",
            "r5-clusters/varying-cluster-replicators/recommended-replicators-n-1",
            _INDEX + "last-release-of-server-transinfo-normalize",
        ),
    )


def _settings(start: _Start) -> Iterator[str]:
    yield f"Server_Availability_Threshold={start.sat:.0f}"
    if start.stn is not None:
        yield f"Server_TransInfo_Normalize={start.stn:.0f}"


def _tasks(inputs: AvailabilitySettings, knowledge: CitedKnowledge) -> str:
    beyond = knowledge.calibration.constants.cluster_r5.replicators_beyond
    return servertasks(recommended_replicators(inputs.members - 1, beyond))


def _numbers(
    inputs: AvailabilitySettings, start: _Start, knowledge: CitedKnowledge
) -> Iterator[AdviceNumber]:
    yield AdviceNumber(
        "sat",
        say("threshold to start with (SAT)"),
        start.sat,
        source=start.source,
        note=say("95 to 97 held for most of the tests"),
    )
    yield AdviceNumber(
        "stn",
        say("normalising time to start with (STN)"),
        start.stn,
        basis=Basis.NO_DATA if start.stn is None else Basis.RULE,
        source=start.source,
        note=say("mean transaction time in ms × 100")
        if start.stn is not None
        else say("measure the mean transaction time"),
    )
    if start.mean_ms is not None:
        is_given = inputs.server is None
        yield AdviceNumber(
            "mean_transaction_ms",
            say("mean transaction time"),
            start.mean_ms,
            source=GIVEN if is_given else start.source,
            note="" if is_given else say("inferred from the printed setting: none was printed"),
        )
    yield printed(
        knowledge, _ROWS + "stn-default", "stn_default", say("STN where nothing is set"), unit=""
    )
    if inputs.threshold is not None:
        yield given("sat_today", say("threshold today (SAT)"), inputs.threshold)
    if inputs.normalize is not None:
        yield given("stn_today", say("normalising time today (STN)"), inputs.normalize)


def _judged(
    inputs: AvailabilitySettings, start: _Start, knowledge: CitedKnowledge
) -> tuple[Text, Verdict | None, Text]:
    low, high = (knowledge.figure(_ROWS + f"sat-range-{end}") for end in ("low", "high"))
    late, eager = say("too late"), say("too eager")
    if inputs.threshold is not None and inputs.threshold < low:
        return late, Verdict.AT_RISK, say(
            "With a threshold of {sat} the server is overwhelmed before it fails over, and slow "
            "to recover; start at {start}.",
            sat=number(inputs.threshold),
            start=number(start.sat),
        )  # fmt: skip
    if inputs.threshold is not None and inputs.threshold > high:
        return eager, Verdict.AT_RISK, say(
            "With a threshold of {sat} the server fails over too soon and gives too much away; "
            "start at {start}.",
            sat=number(inputs.threshold),
            start=number(start.sat),
        )  # fmt: skip
    found = _judged_stn(inputs, start, knowledge)
    if found is not None:
        return found
    if inputs.threshold is not None:
        words = say(
            "The settings are where the tests were balanced; find the optimum by measuring."
        )
        return say("balanced"), Verdict.FITS, words
    words = say("Start here, and find the optimum of your servers by measuring.")
    return say("starting values"), None, words


_ABOUT = 1.25
"""How far from the start a normalising time is the same for a first judgement: ours, stated."""


def _judged_stn(
    inputs: AvailabilitySettings, start: _Start, knowledge: CitedKnowledge
) -> tuple[Text, Verdict | None, Text] | None:
    if start.stn is None or (inputs.threshold is None and inputs.normalize is None):
        return None
    today = inputs.normalize
    if today is None:
        today = knowledge.figure(_ROWS + "stn-default")
    values = {"today": number(today), "start": number(start.stn)}
    if today > start.stn * _ABOUT:
        return say("too late"), Verdict.AT_RISK, say(
            "A normalising time of {today} is too large for this server, which would not fail "
            "over until it is too loaded to recover soon; start at {start}.",
            **values,
        )  # fmt: skip
    if today * _ABOUT < start.stn:
        return say("too eager"), Verdict.AT_RISK, say(
            "A normalising time of {today} is too small for this server, which calls itself busy "
            "under usual load; start at {start}.",
            **values,
        )  # fmt: skip
    return None


def _reasons(knowledge: CitedKnowledge) -> Iterator[Text]:
    yield say(
        "The index falls as transactions take longer than the normalising time says. A client that "
        "opens a database on a server below its threshold is sent to the least busy member that "
        "has a replica; what is open stays open."
    )
    yield say(
        "The default of 3,000 stands for 30 ms, which was right for the servers of its time: a "
        "faster server needs a lower one."
    )
    yield say(
        "The behaviour to aim for: near its limit the index goes quickly below the threshold, some "
        "of the work goes elsewhere, and it comes back, like a sine wave around the threshold."
    )
    yield say(
        "How R5 gets from times to the index was not published: the simulation shows directions "
        "only, by the simplest law that divides by the normalising time."
    )


def _next() -> Iterator[Text]:
    yield say(
        "Log Server.AvailabilityIndex beside CPU and disks in Performance Monitor while the server "
        "is under load, first with failover off (MailClusterFailover=0), and vary STN until the "
        "index falls gradually."
    )
    yield say(
        "Then take MailClusterFailover=0 out again and vary SAT from 95 to 97 until the index "
        "swings around it. Lines for NOTES.INI of each member:"
    )


# --- a simulation -------------------------------------------------------------------------------

PROCESSORS, USUAL_LOAD, FULL_LOAD = 2, 0.6, 0.98
RAMP_MIN, STEP_MIN, SESSION_MIN = 60.0, 0.25, 20.0
TESTED_MS = 6.0
"""Mean transaction time that the printed setting of the tested server stands for."""


def simulated_index(
    mean_ms: float, stn: float, *, sat: float | None, averaged: int
) -> tuple[FloatArray, FloatArray]:
    """Index of a server whose users become more and more [min, index], direction only.

    Transactions take mean·(1 − u²)/(1 − ρ²), u the usual load and ρ that of the moment: two
    processors with one queue. The index is 100·min(1, STN/(100·time)). Users come so that the load
    without failover rises evenly to 98 %, and leave after 20 minutes on average; while the index of
    the last periods is below `sat`, new ones go elsewhere.

    Valid for directions: what is steep and what is gradual, what stays high. The law of R5 was
    never published; "the response times are divided by this value" is all (Iris Today, 1999).

    >>> _, steep = simulated_index(6.0, 1000.0, sat=None, averaged=5)
    >>> _, gradual = simulated_index(6.0, 600.0, sat=None, averaged=5)
    >>> bool(np.diff(steep).min() < np.diff(gradual).min() < 0)
    True
    """
    moments = np.arange(0.0, RAMP_MIN + STEP_MIN / 2, STEP_MIN)
    least = mean_ms * (1.0 - USUAL_LOAD**PROCESSORS)
    load, times = 0.0, []
    index = np.full(len(moments), 100.0)
    for step, moment in enumerate(moments.tolist()):
        times.append(least / (1.0 - load**PROCESSORS))
        recent = sum(times[-averaged:]) / len(times[-averaged:])
        index[step] = 100.0 * min(1.0, stn / (100.0 * recent))
        come = FULL_LOAD / RAMP_MIN * (1.0 + moment / SESSION_MIN)
        if sat is not None and index[step] < sat:
            come = 0.0
        load = min(max(load + STEP_MIN * (come - load / SESSION_MIN), 0.0), FULL_LOAD)
    return moments, index


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of the simulation."""

    id: str
    label: Text
    moments: FloatArray
    index: FloatArray


def _runs(start: _Start, knowledge: CitedKnowledge) -> tuple[_Run, ...]:
    mean, stn = (TESTED_MS, 100.0 * TESTED_MS) if start.stn is None or start.mean_ms is None else (
        start.mean_ms, start.stn
    )  # fmt: skip
    steep = knowledge.figure(_ROWS + "stn-in-figure-1-undesirable")
    large = stn * steep / knowledge.figure(_ROWS + "stn-in-figure-2-better")
    averaged = round(knowledge.figure(_INDEX + "periods-averaged"))
    run = partial(simulated_index, mean, averaged=averaged)
    return (
        _Run("too_large", _no_failover(large), *run(large, sat=None)),
        _Run("start", _no_failover(stn), *run(stn, sat=None)),
        _Run(
            "failover",
            say("STN {stn}, SAT {sat}", stn=number(stn), sat=number(start.sat)),
            *run(stn, sat=start.sat),
        ),
    )


def _no_failover(stn: float) -> Text:
    return say("STN {stn}, no failover", stn=number(stn))


def _fallen(runs: tuple[_Run, ...]) -> Iterator[AdviceNumber]:
    note, source = say("direction only"), say("our simulation")
    number_of = partial(AdviceNumber, basis=Basis.RULE, source=source, note=note, decimals=1)
    for run in runs:
        yield number_of(
            f"steepest_fall_{run.id}",
            say("steepest fall of the index: {run}", run=run.label),
            -float(np.diff(run.index).min()) / STEP_MIN,
            unit=say("per minute"),
        )
        yield number_of(
            f"lowest_index_{run.id}",
            say("lowest index: {run}", run=run.label),
            float(run.index.min()),
        )
    yield number_of(
        "last_return",
        say("last moment at which the index rises again"),
        _last_return(runs[-1]),
        unit="min",
    )


def _last_return(run: _Run) -> float:
    """When the index last rose [min]; 0 where it never fell."""
    rises = np.flatnonzero(np.diff(run.index) > 0)
    return float(run.moments[rises[-1] + 1]) if len(rises) else 0.0


def _simulated(runs: tuple[_Run, ...]) -> AdviceTable:
    every = round(2.0 / STEP_MIN)
    return AdviceTable(
        id="simulation",
        title=say("The index while the load rises, direction only"),
        columns=(
            AdviceColumn("minute", say("minute"), decimals=0),
            *(AdviceColumn(run.id, run.label, decimals=1) for run in runs),
        ),
        rows=tuple(
            zip(
                *(
                    column[::every].tolist()
                    for column in (runs[0].moments, *(r.index for r in runs))
                ),
                strict=True,
            )
        ),
    )


def _plot(runs: tuple[_Run, ...], start: _Start) -> AdvicePlot:
    return AdvicePlot(
        title=say("Availability index while the load rises, direction only"),
        x=tuple(runs[0].moments.tolist()),
        x_label=say("minutes"),
        y_label=say("availability index"),
        curves=tuple((run.label, tuple(run.index.tolist())) for run in runs),
        limit=start.sat,
        limit_label=say("threshold {sat}", sat=number(start.sat)),
        alt=say(
            "With too large a normalising time the index stays at 100 and then falls steeply; with "
            "the right one it falls gradually; with failover it stays near the threshold."
        ),
    )


# --- Domino 6 and later -------------------------------------------------------------------------


def index_of(expansion_factor: float, power: float) -> float:
    """Availability index of Domino 6 and later [0 to 100]: 100·(1 − log₂ factor / range).

    The ends are published: 100 at a factor of 1, 0 at 2^range (HCL Domino 10.0.1 Help, "Cluster
    Manager statistics"; Domino Administrator 6 Help, "Server_Transinfo_Range"). Between them the
    logarithm is ours; Notes KnowledgeBase 1196871 agrees where it has 70 for a range of 20 at what
    was the full load of the default, and has 85 for one of 30, where this is 80.

    >>> index_of(1.0, 6.0), index_of(64.0, 6.0), round(index_of(64.0, 20.0))
    (100.0, 0.0, 70)
    """
    return min(max(100.0 * (1.0 - log2(expansion_factor) / power), 0.0), 100.0)


def _later(inputs: AvailabilitySettings, knowledge: CitedKnowledge) -> Advice:
    """What there is to set from Domino 6 on."""
    for field in ("normalize", "server"):
        if getattr(inputs, field) is not None:
            reason = say("is of R5 and earlier; {release} has none", release=inputs.release)
            raise ModelError(reason, field=field)
    numbers = tuple(_later_numbers(inputs, knowledge))
    return Advice(
        conclusion=say("starting values"),
        verdict=None,
        sentence=say(
            "From Domino 6 on Server_TransInfo_Normalize does nothing: the index compares "
            "transaction times with the least ever seen, and Server_Transinfo_Range says which "
            "factor is a full load."
        ),
        numbers=numbers,
        reasons=(
            say("An index of R5 and one of a later release can’t be compared."),
            say("A fast server with little to do shows a low index while the range is too small."),
        ),
        next=(
            say(
                "Note the expansion factor under heavy load, set the range so that 2 to its power "
                "is not passed, and choose the threshold by the index at which you want failover:"
            ),
        ),
        lines=(
            "show ai",
            "show stat Server.ExpansionFactor",
            f"Server_TransInfo_Range={numbers[0].value:.0f}",
            _tasks(inputs, knowledge),
        ),
        sources=knowledge.sources(
            _INDEX + "expansion-factor-of-a-fully-loaded-server",
            _INDEX + "server-transinfo-range-default",
            _INDEX + "index-at-a-range-of-20",
            _INDEX + "last-release-of-server-transinfo-normalize",
        ),
    )


def _later_numbers(
    inputs: AvailabilitySettings, knowledge: CitedKnowledge
) -> Iterator[AdviceNumber]:
    default = knowledge.figure(_INDEX + "server-transinfo-range-default")
    source = knowledge.cited(_INDEX + "server-transinfo-range-default")
    seen = inputs.expansion_factor
    number_of = partial(AdviceNumber, source=source, decimals=0)
    yield number_of(
        "server_transinfo_range",
        say("Server_Transinfo_Range"),
        default if seen is None else float(max(ceil(log2(seen) - 1e-9), 1)),
        note=say("the default; measure the expansion factor")
        if seen is None
        else say("the power of two that the highest expansion factor doesn’t pass"),
    )
    if seen is not None:
        yield given("expansion_factor", say("highest expansion factor seen"), seen, "×")
        yield number_of(
            "index_today",
            say("index then, with the default"),
            index_of(seen, default),
            note=_ASSUMED_BETWEEN,
        )
    if inputs.threshold:
        yield given("threshold", say("threshold today (SAT)"), inputs.threshold)
        power = default if seen is None else max(ceil(log2(seen) - 1e-9), 1)
        yield number_of(
            "busy_factor",
            say("expansion factor at which it calls itself busy"),
            2.0 ** (power * (1.0 - inputs.threshold / 100.0)),
            unit="×",
            basis=Basis.TRANSFERRED,
            decimals=1,
            note=_ASSUMED_BETWEEN,
        )


_ASSUMED_BETWEEN = say("the ends are published, the logarithm between them is assumed")


def _of_records(records: Sequence[Records]) -> Found | None:
    """The member whose statistics are read: its release, its threshold and its cluster."""
    for record in dominos(records):
        values, places = values_of(record, {"release": "release"})
        threshold = record.statistics.get(_THRESHOLD)
        if threshold and threshold <= 100:
            values["threshold"] = float(round(threshold))
        members = cluster_members(record)
        if members is not None:
            values["members"] = min(max(members, 2), MOST_MEMBERS)
        if values:
            return Found(AvailabilitySettings(**values), places)
    return None


_THRESHOLD = "Server.AvailabilityThreshold"


def _of_scenario(scenario: Scenario, _: CitedKnowledge) -> tuple[Found, ...]:
    """The mail servers whose release is known, those of a Domino cluster first."""
    servers = sorted(mail_servers(scenario), key=lambda vm: not vm.cluster_partners)
    return tuple(
        about(
            vm,
            AvailabilitySettings(
                release=vm.workload.release,
                members=min(max(1 + len(vm.cluster_partners), 2), MOST_MEMBERS),
            ),
            origins_of(vm, {"release": "workload.release", "members": "cluster_partners"}),
        )
        for vm in servers
        if vm.workload.release
    )


TOPIC = Topic(
    id="availability",
    title=say("Availability settings"),
    about=say("When a member of a Domino cluster calls itself busy: SAT and STN to start with"),
    inputs=AvailabilitySettings,
    example=AvailabilitySettings(mean_transaction_ms=6.0),
    answer=_answer,
    words=("availability", "SAT", "STN", "threshold", "failover", "BUSY", "NOTES.INI"),
    paste=STATISTICS,
    of_records=_of_records,
    of_scenario=_of_scenario,
    lacks=say("No mail server on the board says its release: enter the release."),
)

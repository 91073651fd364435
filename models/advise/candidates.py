"""Which servers of today are candidates for VMs: judged by their load after the move."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from models.advise.advice import (
    Advice,
    AdviceColumn,
    AdviceNumber,
    AdviceTable,
    CitedKnowledge,
    Found,
    Topic,
    derating,
    given,
    percent,
)
from models.advise.found import (
    BUSY_HOUR,
    BUSY_PERCENTILE,
    Places,
    busy_hour_pct,
    cell,
    derating_of,
    hosts_of_vms,
    is_physical,
    origins_of,
    placed,
)
from models.advise.migration import MODEL, told_apart, with_range
from models.advise.one_server import OneServer
from models.advise.pasted import PastedTable, pasted_table
from models.advise.put import kept_load, with_host
from models.base.errors import ModelError
from models.base.fields import Word, described, fields_of, needed, of_fields, optional, value_at
from models.base.quantities import Basis, Quantity, judged_end
from models.base.texts import Text, joined, say, say_many
from models.catalog.catalog import Catalog, Platform, Server
from models.evaluate import evaluate
from models.intake.observed import Observed, observed_of
from models.intake.records import Quantity as Measure
from models.intake.records import Records
from models.physics.measured_load import later_ms_per_io
from models.predict.prediction import Shown, Verdict
from models.scenario.inputs import applies, frozen
from models.scenario.origin import Origin
from models.scenario.scenario import (
    NO_HYPERVISOR,
    DiskMode,
    MeasuredOn,
    Posture,
    Scenario,
    Vm,
    Workload,
)
from models.scenario.wording import number, range_text, signed
from models.scenario.workloads import WorkloadKind

MOST_CANDIDATES = 2000
POOR_OF_LIMIT, CARE_OF_LIMIT = 0.9, 0.5
"""Of the limit of CPU, from which a candidate is poor, as rule `poor-candidate` has it, and from
which it needs care where nothing is known of its response: ours."""

SAME_RESPONSE_PCT = 5.0
"""Rise of response that is none: ours."""

KERNEL_PCT = 50.0
"""Kernel’s share of the busy time from which I/O is the question, between the note’s 90 % and what
is usual: ours."""

OLD_YEARS = 3.0
"""Age of the old machine in the document: “about three years”."""

_GOAL = "wv21/domino-benchmark-goal/acceptable-response-time-upper-bound"
_RATIO = "wv21/x366-results-comments/x366-cpu-ratio-rdm-physical"
_KERNEL = "technote/share-of-cpu-in-os-kernel-during-mail-routing"


class Role(Word):
    """What a server is for."""

    MAIL = "mail", say("mail in production")
    APPLICATION = "application", say("applications")
    TEST = "test", say("test")
    DEVELOPMENT = "development", say("development")
    BRANCH = "branch", say("branch office")
    OTHER = "other", say("other")

    @property
    def is_mail(self) -> bool:
        """Whether its users are those of a mail server, as far as anybody knows."""
        return self not in (Role.APPLICATION, Role.OTHER)

    @property
    def is_easy(self) -> bool:
        """Whether such servers are generally fine as VMs."""
        return self in (Role.TEST, Role.DEVELOPMENT, Role.BRANCH)


class Suitability(Word):
    """What is to be said of a candidate."""

    GOOD = "good", say("good")
    CARE = "with care", say("with care")
    POOR = "poor", say("poor")
    MEASURE = "measure first", say("measure first")


_optional = partial(optional, ge=0, le=1e9, empty=say("not measured"))


@of_fields
class Candidate:
    """A server of today with what is known of it."""

    name: str = needed(say("name"), meaning="Name of the server.", text="name")
    role: Role = described(Role.MAIL, say("role"), meaning="What it is for.")
    server: str | None = optional(
        say("machine"),
        meaning="Catalog id of the machine; null: like the new host.",
        ids="servers",
        empty=say("like the new host"),
    )
    machine: str = described(
        "",
        say("machine, as people call it"),
        meaning="Name of the machine where no catalog id is given; looked up in the catalog.",
        empty=say("not said"),
    )
    year: int | None = optional(
        say("year"), meaning="Year of the machine.", empty=say("not said"), ge=1990, le=2100
    )
    age_years: float | None = optional(
        say("age"),
        unit=say("years"),
        meaning="Age of the machine [years].",
        empty=say("not said"),
        ge=0,
        le=50,
    )
    cpus: int = described(4, say("CPUs"), meaning="CPUs or cores that it uses.", ge=1, le=1024)
    cpu_pct: float | None = percent(say("CPU, mean"), meaning="Mean CPU in busy hours [%].")
    cpu_peak_pct: float | None = percent(say("CPU, peak"), meaning="Peak CPU [%].")
    kernel_pct: float | None = percent(say("kernel’s share"), meaning="Of the busy time [%].")
    iops: float | None = _optional(say("disk I/O"), unit="IO/s", meaning="Disk I/O [IO/s].")
    ram_gib: float | None = _optional(say("RAM"), meaning="RAM in use [GiB].")
    users: float | None = _optional(say("active users"), unit="users", meaning="Active mail users.")
    response_ms: float | None = _optional(say("response"), meaning="Mean response today [ms].")


@of_fields
class Screening:
    """Servers of today and a host that is proposed for them."""

    servers: tuple[Candidate, ...] = needed(say("servers"), meaning="Servers of today.")
    host: str = described(
        "r740-6148", say("new host"), meaning="Catalog id of the proposed host.", ids="servers"
    )
    hypervisor: str = described(
        "vsphere-6.7", say("hypervisor"), meaning="Catalog id of its hypervisor.", ids="hypervisors"
    )
    disk_mode: DiskMode = described(
        DiskMode.VMFS, say("disk path"), meaning="How the VMs reach their disks."
    )
    ram_gib: float | None = optional(
        say("RAM of a VM"),
        meaning="RAM of each VM [GiB]; null: as much as its server has.",
        empty=say("as today"),
        ge=0.5,
        le=24_576,
    )
    vcpus: int | None = optional(
        say("vCPUs of a VM"),
        meaning="vCPUs of each VM; null: as many as its server has CPUs.",
        empty=say("as today"),
        ge=1,
        le=1024,
    )
    release: str = described("7.0.2", say("release"), meaning="Domino release.")
    benchmark_derating: float = derating(1.0)
    cpu_limit_pct: float = described(
        70.0, say("CPU limit"), meaning="Of a VM’s vCPUs [%].", ge=1, le=100
    )
    posture: Posture = described(
        Posture.STANDARD, say("posture"), meaning="Which end of CPU after the move is judged."
    )


# --- a pasted sheet -----------------------------------------------------------------------------

_HEADS = {
    "name": ("server", "server name", "host name", "hostname", "Servername"),
    "role": ("purpose", "use", "Rolle", "Zweck"),
    "machine": ("model", "hardware", "Maschine", "Modell"),
    "year": ("built", "Jahr", "Baujahr"),
    "age_years": ("age", "Alter"),
    "cpus": ("CPUs", "cores", "processors", "Kerne"),
    "cpu_pct": ("CPU average", "CPU avg", "CPU mean", "CPU", "CPU Mittel"),
    "cpu_peak_pct": ("CPU peak", "CPU max", "peak CPU", "CPU Spitze"),
    "kernel_pct": ("kernel", "kernel share", "Kernel"),
    "iops": ("I/O", "disk I/O"),
    "ram_gib": ("RAM", "memory", "Speicher"),
    "users": ("active users", "Benutzer"),
    "response_ms": ("response", "response time", "Antwortzeit"),
    "unread": (
        "CPU type",
        "CPU model",
        "CPU name",
        "CPU clock",
        "CPU speed",
        "CPU MHz",
        "CPU GHz",
        "CPU Typ",
        "CPU Takt",
        "server type",
        "server id",
        "registered users",
    ),
}
_NAMED = re.compile(r"(?:^|[\t;,])\W*name\W*(?:[\t;,]|$)", re.IGNORECASE)
_BESIDE_NAME = {
    **_HEADS, "name": _HEADS["name"][1:], "machine": (*_HEADS["machine"], "server"),
}  # fmt: skip
"""In a sheet with a column of names, that of servers names machines, as in the inputs as JSON."""
_NUMBERS = (
    "age_years", "cpu_pct", "cpu_peak_pct", "kernel_pct", "iops", "ram_gib", "users", "response_ms",
)  # fmt: skip
_ROLES = {
    Role.TEST: ("test", "qa", "qe", "abnahme"),
    Role.DEVELOPMENT: ("dev", "entwickl"),
    Role.BRANCH: ("branch", "filial", "zweigst", "niederlass", "aussenst"),
    Role.APPLICATION: ("app", "anwendung", "database", "datenbank"),
    Role.MAIL: ("mail", "rout", "hub", "messag", "prod"),
}
"""How words for a role begin; a test server for mail is one for tests."""

_UNITS: Mapping[str, Mapping[str, float]] = {
    "ram_gib": {"gb": 1.0, "gib": 1.0, "g": 1.0, "mb": 1 / 1024, "mib": 1 / 1024, "tb": 1024.0},
    "response_ms": {"ms": 1.0, "s": 1000.0},
    "iops": {"iops": 1.0, "io/s": 1.0},
    "users": {"users": 1.0, "user": 1.0, "benutzer": 1.0},
    "age_years": {"years": 1.0, "year": 1.0, "y": 1.0, "jahre": 1.0, "jahr": 1.0},
}
"""Units that may stand in a cell."""


def servers_from_text(text: str) -> Screening:
    """Servers of a pasted sheet with a line of names above its rows.

    Raises:
        ModelError: a column is missing, or a cell can't be read; names line and column.
    """
    head = text.lstrip().partition("\n")[0].strip()
    heads = _BESIDE_NAME if _NAMED.search(head) else _HEADS
    table = pasted_table(text, heads, needed=("name",), most=MOST_CANDIDATES)
    return Screening(servers=tuple(_candidate(table, row) for row in range(len(table.rows))))


def _candidate(table: PastedTable, row: int) -> Candidate:
    name = table.text(row, "name")
    if not name:
        raise ModelError(say("is missing"), field=table.where(row, "name"))
    plain = {each: table.number(row, each, _UNITS.get(each)) for each in _NUMBERS}
    cpus, year = table.number(row, "cpus"), table.number(row, "year")
    found = Candidate(
        name=name,
        role=_role(table.text(row, "role")),
        machine=table.text(row, "machine"),
        year=None if year is None else int(year),
        cpus=4 if cpus is None else int(cpus),
    )
    return replace(found, **plain)  # type: ignore[arg-type]


def _role(text: str) -> Role:
    """The role that a word stands for; mail in production where nothing is said."""
    words = re.findall(r"[^\W\d_]+", text.casefold())
    if not words:
        return Role.MAIL
    each_of = (role for role, starts in _ROLES.items() if any(w.startswith(starts) for w in words))
    return next(each_of, Role.MAIL if "mail" in text.casefold() else Role.OTHER)


# --- one candidate ------------------------------------------------------------------------------


def _machine(each: Candidate, catalog: Catalog) -> Server | None:
    """Its machine: by id, or of those whose names have all words of what people call it the one
    that does most a core, so that too much is asked of the new host rather than too little."""
    if each.server is not None:
        return catalog.servers[each.server]
    wanted = _words(each.machine)
    if not wanted:
        return None
    every = catalog.servers.values()
    by_id = [one for one in every if wanted <= _words(one.id)]
    found = by_id or [one for one in every if wanted <= _words(f"{one.id} {one.name}")]
    return max(found, key=lambda one: one.spec_rate_per_core or 0.0, default=None)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", text.casefold()))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Screened:
    """A candidate after the move.

    Attributes:
        cpu, cpu_low, cpu_high: of its vCPUs on the new host, with ends [%]; None: not known.
        judged: the end of it that the posture judges, likewise.
        peak: that end at its peak.
        response_change: of response [%]; None: not known.
        unclear: where the ranges of both responses overlap, so that a change can't be told, these.
        measured: rows of evidence where both ends of the move were measured; else none.
    """

    candidate: Candidate
    cpu: float | None
    cpu_high: float | None
    judged: float | None
    peak: float | None
    response_change: float | None
    unclear: Text | str
    measured: tuple[str, ...]
    suitability: Suitability
    reasons: tuple[Text, ...]
    cpu_low: float | None


def _screened(inputs: Screening, each: Candidate, knowledge: CitedKnowledge) -> _Screened:
    machine = _machine(each, knowledge.catalog)
    placed = each if machine is None else replace(each, server=machine.id)
    after = _after(inputs, placed, knowledge) or _UNKNOWN
    (cpu, low, high), change, measured = after
    judged = None if cpu is None else _judged_end(cpu, cpu if high is None else high, inputs)
    grown = 1.0 if not each.cpu_pct else (judged or 0.0) / each.cpu_pct
    found = _Screened(
        candidate=placed,
        cpu=cpu,
        cpu_low=low,
        cpu_high=high,
        judged=judged,
        peak=None if each.cpu_peak_pct is None or cpu is None else each.cpu_peak_pct * grown,
        response_change=change if isinstance(change, float) else None,
        unclear="" if change is None or isinstance(change, float) else change,
        measured=measured,
        suitability=Suitability.MEASURE,
        reasons=(),
    )
    suitability, reasons = _judged(inputs, found, knowledge)
    taken = _told_machine(placed, knowledge.catalog)
    return replace(found, suitability=suitability, reasons=(*reasons, *taken))


_Ends = tuple[float | None, float | None, float | None]
_After = tuple[_Ends, float | Text | None, tuple[str, ...]]
"""CPU after the move with its ends; the change of response [%], or why it can't be told, or None;
and where both were measured."""
_UNKNOWN: _After = ((None, None, None), None, ())


def _judged_end(value: float, high: float, inputs: Screening) -> float:
    """The end of a number that the posture judges."""
    return float(judged_end(np.array(value), np.array(high), inputs.posture.share))


def _after(inputs: Screening, each: Candidate, knowledge: CitedKnowledge) -> _After | None:
    """CPU after the move with its ends, the change of response, and where both were measured.

    CPU that was measured is carried as the board carries it, whatever else is
    known of the server; users say the response.
    """
    by_users = None
    if each.users and each.role.is_mail:
        by_users = _mail_after(inputs, each, knowledge)
    if each.cpu_pct is None or (by_users is not None and _is_early(inputs, knowledge)):
        return by_users
    measured = _generic_after(inputs, each, knowledge)
    if by_users is None or measured is None or by_users[2]:
        return by_users or measured
    return measured[0], by_users[1], ()


def _mail_after(inputs: Screening, each: Candidate, knowledge: CitedKnowledge) -> _After:
    """Of a mail server with users: measured of both ends, or today's figure times the model's
    ratio of the two."""
    old_server = each.server or inputs.host
    ram = each.ram_gib or 6.0
    narrow = knowledge.catalog.servers[old_server].year
    old = OneServer(
        server=old_server, hypervisor=NO_HYPERVISOR, users=each.users or 0.0, ram_gib=ram,
        vcpus=each.cpus, bits=32 if narrow is not None and narrow < _WIDE_FROM else 64,
        release=inputs.release, derating=inputs.benchmark_derating,
    )  # fmt: skip
    new = replace(
        old, server=inputs.host, hypervisor=inputs.hypervisor, mode=inputs.disk_mode,
        ram_gib=inputs.ram_gib or ram, vcpus=inputs.vcpus or each.cpus,
        bits=old.bits if inputs.host == old_server else 64,
    )  # fmt: skip
    today, then = old.predicted(knowledge), new.predicted(knowledge)
    is_measured = _is_near(today.cpu_pct.measured, each.cpu_pct)
    ends: _Ends = (then.cpu_pct.value, then.cpu_pct.low, then.cpu_pct.high)
    if is_measured and (measured := then.cpu_pct.measured) is not None:
        ends = (measured, measured, measured)
    elif each.cpu_pct is not None and today.cpu_pct.value:
        ends = _times(ends, each.cpu_pct / today.cpu_pct.value)
    change: float | Text | None = _change(today.response_ms, then.response_ms)
    if each.response_ms and then.response_ms.measured is not None and is_measured:
        change = 100.0 * (then.response_ms.measured / each.response_ms - 1.0)
    known = is_measured and then.cpu_pct.measured is not None
    return ends, change, then.cpu_pct.evidence if known else ()


def _times(ends: _Ends, factor: float) -> _Ends:
    value, low, high = (None if end is None else end * factor for end in ends)
    return value, low, high


_WIDE_FROM = 2006
"""Year of machines from which the documents ran 64-bit systems."""


def _is_near(measured: float | None, given: float | None) -> bool:
    """Whether a figure is the measured one, or none was given."""
    return measured is not None and (given is None or abs(given - measured) < 0.05 * measured)


def _change(old: Quantity, new: Quantity) -> float | Text | None:
    """Of response [%] as measured on both, else as predicted; where that can't be told why not."""
    if old.measured and new.measured is not None:
        return 100.0 * (new.measured / old.measured - 1.0)
    if not old.value or new.value is None:
        return None
    if told_apart(old, new):
        return 100.0 * (new.value / old.value - 1.0)
    return say(
        "whether its response changes can’t be told, {before} and {after}",
        before=with_range(old, "ms"),
        after=with_range(new, "ms"),
    )


def _generic_after(inputs: Screening, each: Candidate, knowledge: CitedKnowledge) -> _After | None:
    """Of any server by its CPU: carried by SPEC rate, with what its I/O costs under ESX."""
    old = knowledge.catalog.servers[each.server or inputs.host]
    if old.base_mhz is None:
        return None
    base = OneServer(
        server=inputs.host, hypervisor=inputs.hypervisor, users=0.0, ram_gib=each.ram_gib or 4.0,
        vcpus=inputs.vcpus or each.cpus, mode=inputs.disk_mode,
    ).scenario  # fmt: skip
    vm = base.vms[0]
    workload = _measured(inputs, each, knowledge.catalog)
    scenario = replace(base, vms=(replace(vm, workload=workload),))
    found = evaluate(scenario, knowledge).vms.cpu_pct[0]
    ends: _Ends = (found.value, found.low, found.high)
    if each.iops is None and _is_early_mail(inputs, each, knowledge) and found.value is not None:
        least, most = _measured_ratios(inputs, knowledge)
        value, low, high = found.value, found.low or found.value, found.high or found.value
        ends = (value * knowledge.figure(_RATIO), low * least, high * most)
    elif each.iops is None and each.role.is_mail and found.high is not None:
        ends = (found.value, found.low, found.high * (1.0 + _io_share(knowledge)))
    return ends, None, ()


def _io_share(knowledge: CitedKnowledge) -> float:
    """CPU that mail takes for its I/O in a VM at most, over what it takes besides: of I/O that
    nobody counted the benchmark's part, with what an I/O costs at most."""
    constants = knowledge.calibration.constants
    mail = constants.mail85
    each_ms = later_ms_per_io(constants.inotes85) * mail.iops_per_user.value
    cpu_ms = 10.0 * mail.cpu_core_pct_per_user.value
    return each_ms / (cpu_ms - each_ms)


def _measured(inputs: Screening, each: Candidate, catalog: Catalog) -> Workload:
    """What was measured of a server, and where; without a clock of its machine no CPU."""
    old = catalog.servers[each.server or inputs.host]
    mhz = None
    if each.cpu_pct is not None and old.base_mhz is not None:
        mhz = each.cpu_pct / 100.0 * each.cpus * old.base_mhz
    return Workload(
        kind=WorkloadKind.GENERIC if each.role is Role.OTHER else WorkloadKind.DOMINO_OTHER,
        release="" if each.role is Role.OTHER else inputs.release,
        active_users=float(round(each.users or 0.0)),
        cpu_mhz=mhz,
        iops=each.iops,
        memory_gib=each.ram_gib,
        measured_on=MeasuredOn(server=old.id, hypervisor=NO_HYPERVISOR),
    )


_X366 = ("x366", "6gb", (1000, 2000, 3000))
_CLOVERTOWN = ("clovertown", "7.25gb", (1000, 2000, 3000, 4000, 5000))
_Pairs = tuple[str, str, tuple[int, ...]]


def _ratios(knowledge: CitedKnowledge, pairs: _Pairs) -> tuple[float, float]:
    """CPU on a machine under ESX 3.0.1 over that without, the least and the most of its pairs."""
    machine, ram, counts = pairs
    found = [
        knowledge.figure(f"wv21/{machine}/{path}/{ram}/{users}/cpu_pct")
        / knowledge.figure(f"wv21/{machine}/physical/{ram}/{users}/cpu_pct")
        for path in ("rdm", "vmfs")
        for users in counts
    ]
    return min(found), max(found)


def _measured_ratios(inputs: Screening, knowledge: CitedKnowledge) -> tuple[float, float]:
    """The same for the new host: of its own pairs, else of both machines."""
    ends = [_ratios(knowledge, each) for each in (_X366, _CLOVERTOWN)]
    platform = knowledge.catalog.servers[inputs.host].platform
    of_own = {Platform.X366: ends[:1], Platform.CLOVERTOWN: ends[1:]}.get(platform, ends)
    return min(low for low, _ in of_own), max(high for _, high in of_own)


def _is_early(inputs: Screening, knowledge: CitedKnowledge) -> bool:
    return (0,) < knowledge.catalog.hypervisors[inputs.hypervisor].version < (3, 5)


def _is_early_mail(inputs: Screening, each: Candidate, knowledge: CitedKnowledge) -> bool:
    """Whether only the document's ratio says what I/O makes of a mail server’s CPU."""
    return each.role.is_mail and _is_early(inputs, knowledge)


# --- the judgement ------------------------------------------------------------------------------


def _judged(
    inputs: Screening, each: _Screened, knowledge: CitedKnowledge
) -> tuple[Suitability, list[Text]]:
    reasons = list(_told(inputs, each))
    kernel = each.candidate.kernel_pct
    early = _is_early(inputs, knowledge)
    if kernel is not None and kernel >= KERNEL_PCT:
        reasons.append(
            say(
                "{kernel} % of its CPU is the kernel’s, for I/O: the technote 1252786 has {most} % "
                "for mail routing, which ESX 2.5 and 3.0 multiply",
                kernel=number(kernel),
                most=number(knowledge.figure(_KERNEL)),
            )
        )
        return (Suitability.POOR if early else Suitability.MEASURE), reasons
    if each.cpu is None:
        if each.candidate.role.is_easy:
            reasons.append(say("servers for test, development and branches are generally fine"))
            return Suitability.GOOD, reasons
        is_mail = each.candidate.role.is_mail or not each.candidate.users
        why = say("its CPU isn’t known, and users tell the load of a mail server only")
        reasons.append(say("neither CPU nor users are known") if is_mail else why)
        return Suitability.MEASURE, reasons
    return _by_load(inputs, each, knowledge.catalog), [
        *reasons,
        *_exception(inputs, each),
    ]


def _by_load(inputs: Screening, each: _Screened, catalog: Catalog) -> Suitability:
    limit, cpu = inputs.cpu_limit_pct, each.judged or 0.0
    change = each.response_change
    hypervisor = catalog.hypervisors[inputs.hypervisor]
    too_wide = (inputs.vcpus or each.candidate.cpus) > (hypervisor.max_vcpus_per_vm or 1e9)
    too_large = (each.candidate.ram_gib or 0.0) > (hypervisor.max_ram_gib_per_vm or 1e9)
    if cpu > POOR_OF_LIMIT * limit or (each.peak or 0.0) > 100.0 or too_large:
        return Suitability.POOR
    if each.candidate.role.is_easy:
        return Suitability.GOOD
    if too_wide:
        return Suitability.CARE
    if change is not None:
        is_better = change <= 0.0
        is_like = change <= SAME_RESPONSE_PCT and cpu <= CARE_OF_LIMIT * limit
        return Suitability.GOOD if is_better or is_like else Suitability.CARE
    return Suitability.GOOD if cpu <= CARE_OF_LIMIT * limit else Suitability.CARE


def _told_numbers(each: _Screened) -> Iterator[Text]:
    """What a table has in its columns."""
    if each.cpu is not None:
        yield say("{cpu} % CPU then", cpu=number(each.cpu, 1))
    if each.response_change is not None:
        yield say("response {change} %", change=signed(each.response_change, 1))


def _told(inputs: Screening, each: _Screened) -> Iterator[Text]:
    """What is behind the numbers, in a clause each."""
    if each.measured:
        yield say("as measured")
    if each.cpu is not None and each.judged is not None:
        yield from _told_limit(each.cpu, each.judged, inputs)
    if each.unclear:
        yield joined("", (each.unclear,))
    if each.peak is not None:
        yield say("{peak} % at its peak", peak=number(each.peak))
    if each.candidate.role.is_easy:
        yield say("for {role}", role=each.candidate.role.label)
    elif each.cpu is not None and each.candidate.iops is None and not _has_mail_users(each):
        yield say("its disk I/O isn’t known")


def _told_limit(cpu: float, judged: float, inputs: Screening) -> Iterator[Text]:
    limit, near = inputs.cpu_limit_pct, POOR_OF_LIMIT * inputs.cpu_limit_pct
    if cpu > 100.0:
        share = number(cpu / 100.0, 1)
        yield say("asks for {share} times what its vCPUs have", share=share)
    elif cpu > limit:
        yield say("above the limit of {limit} %", limit=number(limit))
    elif cpu > near:
        share = number(100 * POOR_OF_LIMIT)
        yield say("above {share} % of the limit {limit} %", share=share, limit=number(limit))
    elif judged > near:
        yield say(
            "may take {judged} % ({posture}), above {share} % of the limit {limit} %",
            judged=number(judged),
            posture=inputs.posture.label,
            share=number(100 * POOR_OF_LIMIT),
            limit=number(limit),
        )


def _has_mail_users(each: _Screened) -> bool:
    return each.candidate.role.is_mail and bool(each.candidate.users)


def _told_machine(each: Candidate, catalog: Catalog) -> Iterator[Text]:
    """What is taken for its machine, where nobody gave an id of the catalog."""
    if each.machine and each.server is not None:
        name = catalog.servers[each.server].name
        if name != each.machine:
            yield say("{machine} taken as {id}", machine=each.machine, id=name)
    elif each.server is None and (each.cpu_pct is not None or each.users):
        yield say("its machine isn’t in the catalog: taken as one like the new host")


def _exception(inputs: Screening, each: _Screened) -> Iterator[Text]:
    """The document's exception for old servers on much faster hardware."""
    old = each.candidate.server
    change, age = each.response_change, each.candidate.age_years
    if old is None and age is not None and age >= OLD_YEARS:
        yield say(
            "{age} years old: on much faster hardware the document’s exception may hold, which "
            "takes the name of its machine",
            age=number(age),
        )
    if old is not None and old != inputs.host and change is not None and change <= 0:
        yield say(
            "an old machine on faster hardware, and response no worse: the document’s exception"
        )


# --- the answer ---------------------------------------------------------------------------------


def _answer(inputs: Screening, knowledge: CitedKnowledge) -> Advice:
    _check(inputs)
    found = tuple(_screened(inputs, each, knowledge) for each in inputs.servers)
    counts = Counter(each.suitability for each in found)
    worst = next((each for each in reversed(Suitability) if counts[each]), Suitability.GOOD)
    return Advice(
        conclusion=_conclusion(counts, worst),
        verdict=_VERDICTS[worst] if len(found) == 1 else None,
        sentence=_sentence(found, counts),
        numbers=tuple(_numbers(found, knowledge)),
        tables=(_table(found),),
        reasons=tuple(_reasons(inputs, knowledge)),
        next=tuple(_next()),
        sources=knowledge.sources(_GOAL, _RATIO, _KERNEL),
    )


_VERDICTS = {
    Suitability.GOOD: Verdict.FITS,
    Suitability.CARE: Verdict.AT_RISK,
    Suitability.POOR: Verdict.DOES_NOT_FIT,
    Suitability.MEASURE: Verdict.NOT_KNOWN,
}


def _check(inputs: Screening) -> None:
    if not inputs.servers:
        raise ModelError(say("must have one at least"), field="servers")
    if inputs.hypervisor == NO_HYPERVISOR:
        raise ModelError(say("must be a hypervisor"), field="hypervisor")
    for index, each in enumerate(inputs.servers):
        if each.cpu_pct is not None and (each.cpu_peak_pct or 100.0) < each.cpu_pct:
            reason = say("must not be less than the mean, {mean} %", mean=number(each.cpu_pct, 1))
            raise ModelError(reason, field=f"servers[{index}].cpu_peak_pct")


def _conclusion(counts: Counter[Suitability], worst: Suitability) -> Text:
    if sum(counts.values()) == 1:
        return joined("", (worst.label,))
    parts = (
        say("{count} {what}", count=counts[each], what=each.label)
        for each in Suitability
        if counts[each]
    )
    return joined(", ", parts)


def _sentence(found: tuple[_Screened, ...], counts: Counter[Suitability]) -> Text:
    if len(found) == 1:
        return say(
            "{name}: {reasons}.",
            name=found[0].candidate.name,
            reasons=joined("; ", (*_told_numbers(found[0]), *found[0].reasons)),
        )
    return say_many(
        "{good} of {count} server is a good candidate.",
        "{good} of {count} servers are good candidates.",
        len(found),
        good=counts[Suitability.GOOD],
    )


def _numbers(found: tuple[_Screened, ...], knowledge: CitedKnowledge) -> Iterator[AdviceNumber]:
    for index, each in enumerate(found, start=1):
        name = each.candidate.name
        basis = Basis.MEASURED if each.measured else Basis.TRANSFERRED
        number_of = partial(
            AdviceNumber,
            source=knowledge.cited(*each.measured) or MODEL,
            unit="%",
            decimals=1,
            is_shown=len(found) == 1,
        )
        if each.candidate.cpu_pct is not None:
            yield replace(
                given(
                    f"cpu_before_pct_{index}", say("CPU today: {name}", name=name),
                    each.candidate.cpu_pct, "%",
                ),
                is_shown=len(found) == 1,
            )  # fmt: skip
        yield number_of(
            id=f"cpu_after_pct_{index}", label=say("CPU after the move: {name}", name=name),
            value=each.cpu, basis=Basis.NO_DATA if each.cpu is None else basis,
            low=each.cpu_low, high=each.cpu_high,
        )  # fmt: skip
        if each.peak is not None:
            yield number_of(
                id=f"cpu_peak_after_pct_{index}", label=say("CPU at its peak: {name}", name=name),
                value=each.peak, basis=basis,
            )  # fmt: skip
        if each.response_change is not None or each.unclear:
            told = basis if each.response_change is not None else Basis.NO_DATA
            yield number_of(
                id=f"response_change_pct_{index}",
                label=say("change of response: {name}", name=name),
                value=each.response_change, basis=told, note=each.unclear,
            )  # fmt: skip


def _table(found: tuple[_Screened, ...]) -> AdviceTable:
    return AdviceTable(
        id="candidates",
        title=say("Candidates"),
        columns=(
            AdviceColumn("name", say("server"), numeric=False),
            AdviceColumn("suitability", say("candidate"), numeric=False),
            AdviceColumn("cpu_before_pct", say("CPU today"), unit="%", decimals=1),
            AdviceColumn("cpu_after_pct", say("CPU then"), unit="%", decimals=1),
            AdviceColumn("cpu_after_range", say("range"), numeric=False),
            AdviceColumn(
                "response_change_pct", say("response"), unit="%", decimals=1, is_signed=True
            ),
            AdviceColumn("reasons", say("why"), numeric=False),
        ),
        rows=tuple(
            (
                each.candidate.name,
                Shown(_VERDICTS[each.suitability], each.suitability.label),
                each.candidate.cpu_pct,
                each.cpu,
                _range(each),
                each.response_change,
                joined("; ", each.reasons),
            )
            for each in found
        ),
    )


def _range(each: _Screened) -> str | None:
    """Of its CPU after the move."""
    if each.cpu is None or each.measured:
        return None
    return range_text(Quantity(each.cpu, each.cpu_low, each.cpu_high, Basis.TRANSFERRED), "%")


def _reasons(inputs: Screening, knowledge: CitedKnowledge) -> Iterator[Text]:
    if _is_early(inputs, knowledge):
        (least, most), (low, high) = (_ratios(knowledge, each) for each in (_X366, _CLOVERTOWN))
        yield say(
            "Judged is the load after the move: under ESX 3.0.1 on like hardware mail took {ratio} "
            "times the CPU, {least} to {most} in single pairs on the x366, {low} to {high} on "
            "Clovertown.",
            ratio=number(knowledge.figure(_RATIO), 1),
            least=number(least, 1),
            most=number(most, 1),
            low=number(low, 1),
            high=number(high, 1),
        )
    else:
        yield say(
            "Judged is the load after the move: measured CPU by SPEC rate and clock of both "
            "machines, with what its I/O costs in a VM; of mail that nobody measured, what its "
            "users cost."
        )
    yield say(
        "Very busy, saturated and I/O-heavy servers are poor candidates, except from an old "
        "machine onto a much faster one if response is no worse. Servers for test, development "
        "and branches are generally fine; what is in production has to be tested."
    )


def _next() -> Iterator[Text]:
    yield say(
        "Ask before: why is this server to become a VM, what is to be gained, how will success be "
        "measured, and was it tested with a load like yours? No size fits all: what else runs on "
        "the host counts."
    )
    yield say(
        "Measure those with too little known: CPU with kernel time, disks and active users over a "
        "working week; then test in production’s load."
    )


def on_board(
    scenario: Scenario, inputs: Screening, knowledge: CitedKnowledge, _: str = ""
) -> Scenario:
    """The scenario with a VM, not placed yet, for each candidate that is good or needs care, and
    with the proposed host where there is none like it. A physical server of the scenario becomes
    that VM itself.

    What was measured travels with the VM, and where; so the board says on the proposed host what
    the advisor says.

    Raises:
        ModelError: there is none.
    """
    found = [_screened(inputs, each, knowledge) for each in inputs.servers]
    fit = [each for each in found if each.suitability in (Suitability.GOOD, Suitability.CARE)]
    if not fit:
        raise ModelError(say("has no candidate that is good or needs care"), field="servers")
    standing = {vm.name: vm for vm in scenario.vms if is_physical(scenario, vm)}
    needed = 0.0
    for each in fit:
        known = standing.get(each.candidate.name)
        if known is None:
            vm = _vm(inputs, each, scenario.fresh_id("m"), knowledge)
        else:
            vm = _left(inputs, known, scenario.host(known.host or "").server)
        scenario, needed = scenario.with_item(vm), needed + vm.ram_gib
    return with_host(scenario, inputs.host, inputs.hypervisor, needed, knowledge.catalog)


def _left(inputs: Screening, vm: Vm, server: str) -> Vm:
    """A physical server of the scenario that leaves its machine as it is known there."""
    left = replace(kept_load(vm, server), host=None, disk_mode=inputs.disk_mode)
    return replace(left, vcpus=inputs.vcpus or left.vcpus, ram_gib=inputs.ram_gib or left.ram_gib)


def _vm(inputs: Screening, found: _Screened, id: str, knowledge: CitedKnowledge) -> Vm:
    each, known = found.candidate, Origin.CUSTOMER
    workload = _measured(inputs, each, knowledge.catalog)
    said = {
        "workload.kind": known,
        "workload.cpu_mhz": Origin.MEASURED,
        "workload.iops": Origin.MEASURED,
        "workload.memory_gib": known,
        "workload.measured_on.server": known if each.server else Origin.ASSUMED,
        "workload.measured_on.hypervisor": known,
        "vcpus": known,
        "ram_gib": known,
    }
    if inputs.release == fields_of(Screening)["release"].default:
        said["workload.release"] = Origin.ASSUMED
    if each.cpu_pct is None and each.users and each.role.is_mail:
        workload = Workload(
            kind=WorkloadKind.DOMINO_NRPC,
            release=inputs.release,
            active_users=float(round(each.users)),
        )
        said["workload.active_users"] = known
    elif found.cpu is not None and _is_early_mail(inputs, each, knowledge):
        # Only the documents say what such a hypervisor makes of mail: their figure stands there.
        clock = knowledge.catalog.servers[inputs.host].base_mhz
        if clock is not None:
            busy = found.cpu / 100.0 * (inputs.vcpus or each.cpus)
            there = MeasuredOn(server=inputs.host, hypervisor=inputs.hypervisor)
            workload = replace(workload, cpu_mhz=busy * clock, measured_on=there)
            said |= dict.fromkeys(
                (path for path in said if "cpu_mhz" in path or "measured_on" in path), Origin.AUTO
            )
    if inputs.vcpus is not None:
        said["vcpus"] = Origin.MANUAL
    if inputs.ram_gib is not None or each.ram_gib is None:
        said["ram_gib"] = Origin.ASSUMED if inputs.ram_gib is None else Origin.MANUAL
    vm = Vm(
        id=id,
        name=each.name,
        host=None,
        pool=None,
        vcpus=inputs.vcpus or each.cpus,
        ram_gib=inputs.ram_gib or each.ram_gib or LEAST_GIB,
        disk_mode=inputs.disk_mode,
        workload=workload,
    )
    given = {path: origin for path, origin in said.items() if _is_said(vm, path)}
    return replace(vm, origins=frozen(given))


LEAST_GIB = 4.0
"""RAM of a VM of which nobody said any; ours."""


def _is_said(vm: Vm, path: str) -> bool:
    return applies(vm, path) and value_at(vm, path) is not None


def _of_records(records: Sequence[Records]) -> Found | None:
    """Machines that were measured; of an inventory of VMs there are none left to screen."""
    if any(each.vms or each.hosts for each in records):
        return None
    found = [_measured_server(each) for each in observed_of(records)]
    if not found:
        return None
    places = {
        f"{name}_{row}": place
        for row, (_, where) in enumerate(found, start=1)
        for name, place in where.items()
    }
    notes = {
        f"cpu_before_pct_{row}": BUSY_HOUR
        for row, each in enumerate(observed_of(records), start=1)
        if not each.series
    }
    return Found(Screening(servers=tuple(each for each, _ in found)), places, notes)


def _measured_server(machine: Observed) -> tuple[Candidate, Places]:
    """A machine at the 95th percentile of what was measured, or as its server's statistics have
    it."""
    domino, places = machine.domino, Places()
    cpus = None if domino is None else domino.cpus
    cores = machine.cores(BUSY_PERCENTILE, cpus)
    pct = machine.at(Measure.CPU_PCT, BUSY_PERCENTILE)
    if pct is None and cores is not None and cpus:
        pct = 100.0 * cores / cpus
    peak = machine.at(Measure.CPU_PCT, 100)
    if Measure.CPU_PCT in machine.series:
        places["cpu_before_pct"] = cell(machine.series[Measure.CPU_PCT].place)
    if pct is None and domino is not None and domino.cpu_pct_avg is not None:
        pct, peak = busy_hour_pct(domino.cpu_pct_avg), domino.cpu_pct_peak
        places |= placed("cpu_before_pct", domino, "cpu_pct_avg")
    ram = machine.ram_gib(BUSY_PERCENTILE, None if domino is None else domino.ram_mib)
    if ram is None and domino is not None and domino.ram_mib:
        ram = domino.ram_mib / 1024.0
    users = None if domino is None else domino.active_15min
    if domino is not None:
        places |= placed("users", domino, "active_15min") | placed("ram_gib", domino, "ram_mib")
    found = Candidate(
        name=machine.name.partition("/")[0] or say("server"),
        role=Role.MAIL if users else Role.APPLICATION if domino is not None else Role.OTHER,
        cpus=int(cpus or 4),
        cpu_pct=pct,
        cpu_peak_pct=None if peak is None or pct is None else min(max(peak, pct), 100.0),
        iops=machine.at(Measure.IOPS, BUSY_PERCENTILE),
        ram_gib=ram,
        users=users or None,
    )
    return found, places


def _of_scenario(scenario: Scenario, knowledge: CitedKnowledge) -> tuple[Found, ...]:
    """The physical servers with what is known of them, and the first host of VMs."""
    today = [vm for vm in scenario.vms if vm.powered_on and is_physical(scenario, vm)]
    today = today[:MOST_CANDIDATES]
    if not today:
        return ()
    servers = tuple(_standing(scenario, vm, knowledge) for vm in today)
    paths = {"cpu_before_pct": "workload.cpu_mhz", "users": "workload.active_users"}
    origins = {
        f"{name}_{row}": words
        for row, vm in enumerate(today, start=1)
        for name, words in origins_of(vm, paths | {"ram_gib": "ram_gib"}).items()
    }
    for host in hosts_of_vms(scenario)[:1]:
        origins |= origins_of(host, {"host": "server", "hypervisor": "hypervisor"})
    return (Found(replace(_screening_of(scenario), servers=servers), origins=origins),)


def _screening_of(scenario: Scenario) -> Screening:
    policy = scenario.policy
    plain = Screening(servers=(), benchmark_derating=derating_of(policy), posture=policy.posture)
    for host in hosts_of_vms(scenario)[:1]:
        return replace(plain, host=host.server, hypervisor=host.hypervisor)
    return plain


def _standing(scenario: Scenario, vm: Vm, knowledge: CitedKnowledge) -> Candidate:
    """A physical server of the scenario; its measured CPU where that was measured on it."""
    work, server = vm.workload, scenario.host(vm.host or "").server
    entry = knowledge.catalog.servers.get(server)
    at = work.measured_on
    is_here = at is None or at.server in (None, server)
    clock = None if entry is None else entry.base_mhz
    cpu = None
    if work.cpu_mhz is not None and is_here and clock:
        cpu = min(100.0 * work.cpu_mhz / (clock * vm.vcpus), 100.0)
    is_mail = work.kind.is_domino or work.active_users > 0
    other = Role.APPLICATION if work.kind is WorkloadKind.DOMINO_OTHER else Role.OTHER
    return Candidate(
        name=vm.name,
        role=Role.MAIL if is_mail else other,
        server=None if entry is None else server,
        cpus=min(vm.vcpus, 1024),
        cpu_pct=cpu,
        iops=work.iops,
        ram_gib=vm.ram_gib,
        users=work.active_users or None,
    )


_TODAY = Candidate(
    name="Example-Mail",
    server="ibm-x366",
    users=4000.0,
    cpu_pct=27.7,
    response_ms=696.0,
    ram_gib=6.0,
)
TOPIC = Topic(
    id="candidates",
    title=say("Candidate screening"),
    about=say("Which servers of today are candidates for VMs, by their load after the move"),
    inputs=Screening,
    example=Screening(
        servers=(
            _TODAY,
            Candidate(name="Example-Test", role=Role.TEST, server="ibm-x366", cpu_pct=3.0),
        ),
        host="ibm-x366",
        hypervisor="esx-3.0.1",
        ram_gib=6.0,
    ),
    answer=_answer,
    words=("candidates", "screening", "poor", "good", "virtualise", "show stat", "perfmon"),
    of_records=_of_records,
    of_scenario=_of_scenario,
    lacks=say(
        "No physical server is on the board: paste or open a sheet of the servers of today, or "
        "enter them one a line."
    ),
    read=servers_from_text,
    paste=say(
        "A sheet with the columns name, role, machine, CPUs, CPU average, CPU peak, kernel, I/O, "
        "RAM, users, response and year"
    ),
    saved="candidates",
    board=on_board,
    board_text=say("Put them on the board"),
)

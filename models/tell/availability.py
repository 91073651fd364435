"""Admission control with its arithmetic, the check by demand beside it, and Fault Tolerance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from models.base.texts import joined, opening, say, say_many
from models.evidence.citation import in_short
from models.failure.admission import (
    FEWEST_HOSTS,
    DedicatedCheck,
    PercentageCheck,
    SlotCheck,
    Step,
    shown,
)
from models.failure.fault_tolerance import Protection
from models.failure.reservations import AdmissionCheck
from models.failure.restart_time import RestartTime
from models.predict.predicted import average_limit, unit_of
from models.predict.prediction import FailureMode, Prediction, Shown, Verdict
from models.resilience.mode_words import missing_text
from models.scenario.scenario import AdmissionPolicy, Scenario
from models.scenario.wording import (
    NO_DATA_TEXT,
    duration_text,
    exact_text,
    first_of,
    input_text,
    number,
    with_ends,
    with_unit,
)
from models.tell.blocks import (
    Block,
    Bullets,
    Column,
    Definitions,
    Paragraph,
    Section,
    Table,
    VerdictBox,
)

Names = Mapping[str, str]

POLICIES = {
    AdmissionPolicy.NONE: say("no admission control"),
    AdmissionPolicy.HOST_FAILURES: say("host failures tolerated (slots)"),
    AdmissionPolicy.PERCENTAGE: say("percentage of resources"),
    AdmissionPolicy.DEDICATED: say("dedicated failover hosts"),
}
RESERVATIONS = say(
    "vSphere HA counts reservations, not load: a power-on that is allowed says nothing about "
    "whether all VMs find room after a failure and are served well. Failures by demand answer that."
)

RESTARTS = say(
    "A restart by HA takes “minutes” in the documents, without a figure. The parts below are "
    "inputs of the scenario, none of them measured unless it says so:"
)
MOST_NAMED = 4


def admission_sections(checks: Sequence[AdmissionCheck], scenario: Scenario) -> tuple[Section, ...]:
    """The arithmetic of every cluster's admission control; none without clusters."""
    if not checks:
        return ()
    names = {item.id: item.name for item in scenario.items()}
    alike: dict[tuple[object, ...], tuple[list[str], tuple[Block, ...]]] = {}
    for check in checks:
        said = tuple(_check_blocks(check, names))
        key = (check.release, check.policy, *map(_without_names, said))
        alike.setdefault(key, ([], said))[0].append(check.name)
    blocks = [
        block for clusters, said in alike.values() for block in (_head(clusters, checks), *said)
    ]
    return (Section(say("Admission control"), (Paragraph(RESERVATIONS), *blocks)),)


def _without_names(block: Block) -> object:
    """What two clusters have in common whose arithmetic is the same."""
    return tuple(row[1:] for row in block.rows) if isinstance(block, Table) else block


def _head(clusters: Sequence[str], checks: Sequence[AdmissionCheck]) -> Paragraph:
    """Clusters whose arithmetic is the same, with their release and policy."""
    check = next(each for each in checks if each.name == clusters[0])
    return Paragraph(
        say(
            "{cluster}, {release}, {policy}:",
            cluster=first_of(clusters, MOST_NAMED),
            release=check.release,
            policy=POLICIES[check.policy],
        )
    )


def _check_blocks(check: AdmissionCheck, names: Names) -> Iterator[Block]:
    if check.check is not None or check.policy is AdmissionPolicy.NONE:
        yield _verdict(check, names)
    notes = [joined("", (opening(note), "" if note.endswith(".") else ".")) for note in check.notes]
    source = say("Source: {source}.", source=in_short(check.source))
    if check.check is None or not check.check.steps:
        yield Paragraph(joined(" ", (*notes, source)))
        return
    columns = (
        Column(say("Step")),
        Column(say("Arithmetic"), wide=True),
        Column(say("Result"), numeric=True),
    )
    alike: dict[tuple[str, str], list[str]] = {}
    for each in check.check.steps:
        alike.setdefault((each.arithmetic, each.result), []).append(each.what)
    rows = tuple((first_of(what, 1), *said) for said, what in alike.items())
    yield Table(columns, rows, joined(" ", (*notes, source)))


def _verdict(check: AdmissionCheck, names: Names) -> VerdictBox:
    """Whether a further power-on is allowed, and on what grounds."""
    found = check.check
    if found is None:
        head = Shown(None, say("every power-on is allowed"))
        return VerdictBox(head, say("There is no admission control."))
    full = isinstance(found, SlotCheck) and not found.available
    allowed = say("no room for a further power-on") if full else say("power-on allowed")
    head = Shown(Verdict.DOES_NOT_FIT, say("power-on refused"))
    if found.admitted:
        head = Shown(Verdict.FITS, allowed)
    return VerdictBox(head, joined("", (opening(_grounds(found, names)), ".")))


def _grounds(check: SlotCheck | PercentageCheck | DedicatedCheck, names: Names) -> str:
    if isinstance(check, SlotCheck):
        return say(
            "{hosts}, {configured} configured; {left}",
            hosts=say_many("{count} host may fail", "{count} hosts may fail", check.current),
            configured=check.configured,
            left=say_many("{count} slot left", "{count} slots left", check.available),
        )
    if isinstance(check, PercentageCheck):
        return _shares(check)
    standing = joined(", ", (names.get(id, id) for id in check.hosts))
    if not standing:
        return say("no failover host is chosen")
    if check.occupied:
        return say_many(
            "{count} VM runs on {host}",
            "{count} VMs run on {host}",
            len(check.occupied),
            host=standing,
        )
    small = joined(", ", (names.get(id, id) for id in check.smaller))
    warning = (
        say("; {small} is smaller than a host that it stands by for", small=small) if small else ""
    )
    return say("{standing} stands by empty{warning}", standing=standing, warning=warning)


def _shares(check: PercentageCheck) -> str:
    if check.hosts < FEWEST_HOSTS:
        return say("there is no other host to fail over to")
    parts = [
        say(
            "{free}\u202f% of {name} free, {wanted} needed",
            name=name,
            free=shown(current),
            wanted=with_unit(input_text(wanted), "%"),
        )
        for name, current, wanted in (
            ("CPU", check.cpu_current_pct, check.cpu_configured_pct),
            (say("memory"), check.ram_current_pct, check.ram_configured_pct),
        )
        if current is not None
    ]
    return joined(", ", parts)


# --- by demand --------------------------------------------------------------------------------


def demand_section(scenario: Scenario, prediction: Prediction, cluster: str) -> Section:
    """What the worst failure of one host of the cluster comes to."""
    title = say("By demand: another question")
    mode = worst_failure(scenario, prediction, cluster)
    if mode is None or mode.shown is None:
        return Section(title, (Paragraph(say("There is no host that could fail.")),))
    names = {item.id: item.name for item in scenario.items()}
    policy = scenario.policy
    rows: list[tuple[str, str]] = [
        (
            label,
            say(
                "{value}, limit {limit}",
                value=with_ends(value, unit_of(field)),
                limit=with_unit(exact_text(average_limit(policy, field)), unit_of(field)),
            ),
        )
        for label, field, value in (
            (say("CPU"), "cpu_pct", mode.cpu_pct),
            (say("RAM"), "ram_pct", mode.ram_pct),
            (say("Response"), "response_ms", mode.response_ms),
        )
    ]
    if missing := missing_text(mode.shortfall, mode.stranded, names):
        rows.append((say("Missing"), missing))
    worst = say("Worst failure of a single host: {host}.", host=names.get(mode.host, mode.host))
    return Section(title, (VerdictBox(mode.shown, worst), Definitions(tuple(rows))))


def worst_failure(scenario: Scenario, prediction: Prediction, cluster: str) -> FailureMode | None:
    """The worst failure of a single host of the cluster; None where nothing fails over."""
    members = {host.id for host in scenario.hosts if host.cluster == cluster}
    judged = [
        mode for mode in prediction.failures if mode.host in members and mode.verdict is not None
    ]
    return max(judged, key=_badness, default=None)


def _badness(mode: FailureMode) -> tuple[int, float, float]:
    assert mode.verdict is not None
    cpu, ram = mode.cpu_pct.value or 0.0, mode.ram_pct.value or 0.0
    return (int(mode.verdict), mode.shortfall.ram_gib, max(cpu, ram))


# --- Fault Tolerance --------------------------------------------------------------------------


def protection_sections(
    protections: Sequence[Protection], scenario: Scenario
) -> tuple[Section, ...]:
    """VMs with Fault Tolerance: whether they may have it, and what it costs; none without any."""
    if not protections:
        return ()
    names = {item.id: item.name for item in scenario.items()}
    columns = (
        Column("VM"),
        Column(say("Primary")),
        Column(say("Secondary")),
        Column(say("Allowed")),
        Column(say("Secondary takes"), wide=True),
        Column(say("Logging link"), wide=True),
    )
    rows = tuple(_protection_row(each, names) for each in protections)
    answer = say("Response across a failover: {answer}.", answer=protections[0].response_ms)
    blocks: list[Block] = [Table(columns, rows, answer, tuple(each.vm for each in protections))]
    for head, lines in (
        (
            say("Refused:"),
            [
                joined(": ", (names.get(each.vm, each.vm), sentence))
                for each in protections
                for sentence in each.obstacles
            ],
        ),
        (
            say("Logging traffic (Mb/s), as far as it can be worked out:"),
            [
                joined(", ", (names.get(each.vm, each.vm), _logging_text(step)))
                for each in protections
                for step in each.logging
            ],
        ),
        (
            say("What else it takes:"),
            list(dict.fromkeys(note for each in protections for note in each.notes)),
        ),
    ):
        if lines:
            blocks += [Paragraph(head), Bullets(tuple(lines))]
    return (Section(say("Fault Tolerance"), tuple(blocks)),)


def _logging_text(step: Step) -> str:
    if not step.arithmetic:
        return joined(": ", (step.what, NO_DATA_TEXT))
    sign = " = " if any(digit in step.result for digit in "0123456789") else ": "
    return joined("", (step.what, ": ", step.arithmetic, sign, step.result))


def _protection_row(each: Protection, names: Names) -> tuple[str, ...]:
    cores = each.secondary_cores
    takes = [
        say("no CPU data") if cores is None else say("{cores} cores", cores=number(cores, 2)),
        with_unit(number(each.secondary_ram_gib, 1), "GiB"),
    ]
    if each.link_gbps is None:
        link = say("none")
    elif each.link_users is None:
        rate = with_unit(number(each.link_gbps, 1), "Gb/s")
        link = say("{rate}, not measured", rate=rate)
    else:
        link = say(
            "{rate}, {users} of {most} benchmark users",
            rate=with_unit(number(each.link_gbps, 1), "Gb/s"),
            users=number(each.link_load),
            most=number(each.link_users),
        )
    return (
        names.get(each.vm, each.vm),
        names.get(each.host, each.host),
        say("none") if each.secondary is None else names.get(each.secondary, each.secondary),
        say("yes") if each.allowed else say("no"),
        joined(", ", takes),
        link,
    )


# --- restarts by HA ---------------------------------------------------------------------------


def restart_sections(times: Sequence[RestartTime], scenario: Scenario) -> tuple[Section, ...]:
    """How long a restart by HA takes, VMs that are alike in one row; none without any."""
    if not times:
        return ()
    names = {item.id: item.name for item in scenario.items()}
    alike: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in times:
        found = (duration_text(each.logged_s), duration_text(each.unlogged_s))
        alike[found].append(names.get(each.vm, each.vm))
    columns = (
        Column("VM", wide=True),
        Column(say("With transaction logs"), numeric=True),
        Column(say("Without"), numeric=True),
    )
    rows = tuple((first_of(vms, MOST_NAMED), *found) for found, vms in alike.items())
    parts = [*times[0].logged, times[0].unlogged[-1]]
    note = joined("; ", [joined(": ", (part.what, part.origin)) for part in parts])
    table = Table(columns, rows, joined("", (opening(note), ".")))
    return (Section(say("Restart by HA"), (Paragraph(RESTARTS), table)),)

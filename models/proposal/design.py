"""Requirement and design: what was asked for, and what would stand where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from models.base.texts import Text, joined, opening, say, say_many
from models.catalog.catalog import Role
from models.catalog.field_values import entry_name
from models.judgement.binding import (
    DECIDED_BY,
    binding_quantity,
    binding_text,
    bound_words,
    nearest,
    other_reason,
)
from models.judgement.gauges import NOTHING_RUNS, REASON, Gauge, nearest_gauges
from models.predict.predicted import RESOURCES, head_of, unit_of
from models.predict.prediction import Binding, Prediction, Verdict
from models.proposal.results import MOST_NAMES, cut_note, folded, kept
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Host,
    Policy,
    Scenario,
    Vm,
    active_users,
)
from models.scenario.wording import (
    AT_LEAST,
    AT_MOST,
    NO_DATA_TEXT,
    NONE_TEXT,
    exact_text,
    first_of,
    host_text,
    input_text,
    listed,
    number,
    range_text,
    unknown_text,
    with_unit,
)
from models.scenario.workloads import WORKLOADS
from models.tell.blocks import (
    Bar,
    Bars,
    Column,
    Definitions,
    Paragraph,
    Section,
    Table,
)
from models.tell.failures import failure_rows
from models.tell.growth import growth_text
from models.tell.subject import Subject

MOST_TOLD = 2
"""Numbers near their limits that are told in words: the bars below have the others."""


def requirement(subject: Subject) -> Section:
    """What decides the verdict, and the load that was asked for."""
    policy = Definitions(_policy_rows(subject))
    asked = (_workload_table(subject),) if subject.scenario.vms else ()
    if subject.prediction.idle:
        return Section(say("Requirement"), (*asked, policy))
    bars = headroom_bars(subject.scenario, subject.prediction)
    deciding = Definitions(_deciding(subject))
    return Section(say("Requirement, and what decides"), (deciding, bars, *asked, policy))


def _interval(subject: Subject, binding: Binding) -> str:
    found = binding_quantity(subject.prediction, binding, subject.scenario.policy.posture.share)
    if found.value is None or found.low == found.high:
        return ""
    return range_text(found, unit_of(binding.resource))


def design(subject: Subject) -> Section:
    """Hosts, storage pools and the placement of VMs, as far as there are any."""
    tables = (_host_table(subject), _pool_table(subject), _vm_table(subject))
    references = _reference_note(subject)
    return Section(
        say("Hosts, storage and virtual machines"),
        (*(t for t in tables if t.rows), *([] if references is None else [references])),
    )


def headroom_bars(scenario: Scenario, prediction: Prediction) -> Bars:
    """What is left until each limit, as bars of what is used, judged as the dials are."""
    names = {item.id: item.name for item in scenario.items()}

    def name_of(id: str) -> str:
        return names.get(id, id)

    shown = nearest_gauges(scenario, prediction)
    rows = tuple(
        _with_worse(_headroom_bar(_bar_name(each, name_of), each), scenario, prediction, each)
        for each in shown
    )
    if prediction.verdict is Verdict.NOT_KNOWN and all(row.verdict is Verdict.FITS for row in rows):
        found = prediction.by_resource.items()
        lacking = [RESOURCES[each] for each, code in found if code is Verdict.NOT_KNOWN]
        what = listed(lacking) or NO_DATA_TEXT
        rows = (*rows, Bar(say("Not known"), None, 100.0, what, Verdict.NOT_KNOWN))
    return Bars(rows, say("Share used of the limits that are nearest"))


def _with_worse(bar: Bar, scenario: Scenario, prediction: Prediction, dial: Gauge) -> Bar:
    """With the failure that is worse for another reason than CPU and RAM."""
    shown = None if dial.worse is None else dial.worse.shown
    if dial.worse is None or shown is None or bar.value is None:
        return bar
    rows = failure_rows(scenario, prediction)
    label = next((row.label for row in rows if row.key == dial.worse.id), "")
    worse = joined(": ", filter(None, (label, shown.words)))
    return replace(bar, text=say("{left} in CPU and RAM; {worse}", left=bar.text, worse=worse))


def _bar_name(dial: Gauge, name_of: Callable[[str], str]) -> str:
    if dial.binding is not None:
        return opening(bound_words(dial.binding, name_of))
    return say("Decides") if dial.field == REASON else opening(head_of(dial.field))


def _headroom_bar(name: str, dial: Gauge) -> Bar:
    """Of what is known where that is a part; then no more than that can be left."""
    if dial.field == REASON:
        return Bar(name, None, 100.0, dial.note, dial.verdict or Verdict.NOT_KNOWN)
    if dial.stranded:
        text = say_many("{count} VM finds no room", "{count} VMs find no room", dial.stranded)
        return Bar(name, 100.0, 100.0, text, Verdict.DOES_NOT_FIT)
    left_pct = None if dial.load is None else 100.0 * (1.0 - dial.load)
    if dial.note is NOTHING_RUNS:
        return Bar(name, None, 100.0, NOTHING_RUNS, Verdict.NOT_KNOWN)
    if left_pct is None:
        unknown = dial.unknown and joined("; ", (NO_DATA_TEXT, unknown_text(dial.unknown)))
        why = unknown or dial.note or NO_DATA_TEXT
        return Bar(name, None, 100.0, why, Verdict.NOT_KNOWN)
    over = left_pct < 0
    share = with_unit(number(abs(left_pct)), "%")
    text = (
        say("{share} over the limit", share=share)
        if over
        else say("{share} of the limit left", share=share)
    )
    if dial.may_pass:
        text = say("{left}; may pass it", left=text)
    if dial.unknown:
        most = text if over else joined(" ", (AT_MOST, text))
        text = joined("; ", (most, unknown_text(dial.unknown)))
    verdict = max(Verdict.DOES_NOT_FIT if over else Verdict.FITS, dial.verdict or Verdict.FITS)
    return Bar(name, 100.0 - left_pct, 100.0, text, verdict)


def _deciding(subject: Subject) -> tuple[tuple[str, str], ...]:
    prediction = subject.prediction
    rows = tuple((name, _binding_text(subject, at)) for name, at in nearest(prediction)[:MOST_TOLD])
    reason, why = other_reason(prediction), prediction.why
    first = ((DECIDED_BY, reason),) if reason else ()
    besides = joined("", (opening(why.besides, subject.names.values()), ".")) if why.besides else ""
    told = ((say("Besides"), besides), (say("Not known"), why.lacking))
    return (*first, *rows, *(row for row in told if row[1]))


def _binding_text(subject: Subject, binding: Binding) -> str:
    text = opening(binding_text(binding, subject.name_of))
    ends = _interval(subject, binding)
    return say("{decides} (90\u202f% interval {ends})", decides=text, ends=ends) if ends else text


def _workload_table(subject: Subject) -> Table:
    groups: dict[tuple[str, str], list[Vm]] = {}
    for vm in subject.scenario.vms:
        groups.setdefault((WORKLOADS[vm.workload.kind].name, vm.workload.release), []).append(vm)
    rows = tuple(
        (kind, release or "–", number(len(vms)), _users(vms), _registered(vms), _mail_file(vms))
        for (kind, release), vms in groups.items()
    )
    columns = (
        Column(say("Workload"), wide=True),
        Column(say("Release")),
        Column("VMs", numeric=True),
        Column(say("Active users"), numeric=True),
        Column(say("Registered"), numeric=True),
        Column(say("Mail file"), numeric=True),
    )
    policy = replace(subject.scenario.policy, load_factor=1.0, site=None)
    derating, chat, production, _ = policy.derating
    note: Text = (
        say(
            "Each active user does a benchmark user’s work, and the server other work besides "
            "(Headroom, description of the model, “Production”)."
        )
        if production
        else say(
            "Each active user counts as {factor} benchmark users (VMworld 2007 WV21, "
            "Considerations: divide benchmark results by 2).",
            factor=exact_text(derating),
        )
        if derating > 1
        else say(
            "One active user counts as one benchmark user: the benchmark is reproduced. "
            "Production users are heavier (VMworld 2007 WV21, Considerations)."
        )
    )
    if chat != derating and active_users(subject.scenario.vms).chat:
        of_chat = say("Each chat user counts as {factor}.", factor=exact_text(chat))
        note = joined(" ", (note, of_chat))
    if (load := subject.scenario.policy.load_factor) != 1.0:
        more = say("The work of each is {factor} times today’s.", factor=exact_text(load))
        note = joined(" ", (note, more))
    return Table(
        columns,
        rows,
        note if any(vm.workload.kind.has_users for vm in subject.scenario.vms) else "",
    )


def _users(vms: Sequence[Vm]) -> str:
    """Those of one kind of workload; a server that serves nobody by name has none."""
    if vms[0].workload.kind.has_users:
        return number(active_users(vms).first)
    served = sum(vm.workload.people for vm in vms)
    return number(served) if served else NONE_TEXT


def _registered(vms: list[Vm]) -> str:
    """Owners of mail files, as many as are active where nobody said; of other servers none."""
    given = (vm.workload.registered_users for vm in vms)
    owners = [each for each in given if each is not None]
    taken = [
        vm.workload.active_users
        for vm in vms
        if vm.workload.registered_users is None and vm.workload.mail_file_mb
    ]
    if owners:
        return number(sum(owners) + sum(taken))
    return say("as active") if taken else "–"


def _mail_file(vms: list[Vm]) -> str:
    sizes = {vm.workload.mail_file_mb for vm in vms if vm.workload.mail_file_mb}
    if not sizes:
        return "–"
    low, high = exact_text(min(sizes)), exact_text(max(sizes))
    return with_unit(low if low == high else joined("–", (low, high)), "MB")


def _policy_rows(subject: Subject) -> tuple[tuple[str, str], ...]:
    policy = subject.scenario.policy
    admission = joined(
        "; ",
        [
            joined(": ", (cluster.name, _admission_text(cluster.admission)))
            for cluster in subject.scenario.clusters
        ],
    )
    return (
        (
            say("CPU limit"),
            say("{share} average", share=with_unit(exact_text(policy.cpu_limit_pct), "%")),
        ),
        (say("Response limit"), with_unit(exact_text(policy.response_limit_ms), "ms")),
        (say("Peak over average"), _peak_text(policy)),
        (
            say("vCPUs per core"),
            say("at most {most}", most=exact_text(policy.vcpus_per_core_limit)),
        ),
        (
            say("Memory"),
            say(
                "configured at most {factor} × installed",
                factor=exact_text(policy.memory_overcommit),
            ),
        ),
        (say("Growth"), growth_text(subject.scenario)),
        (say("Admission control"), admission or say("no cluster")),
    )


def _peak_text(policy: Policy) -> str:
    cpu, iops = exact_text(policy.peak_factor_cpu), exact_text(policy.peak_factor_iops)
    return joined("", ("CPU × ", cpu, ", IOPS × ", iops))


def _admission_text(admission: Admission) -> str:
    if admission.policy is AdmissionPolicy.HOST_FAILURES:
        return say_many(
            "{count} host failure tolerated",
            "{count} host failures tolerated",
            admission.host_failures,
        )
    return {
        AdmissionPolicy.NONE: say("none"),
        AdmissionPolicy.PERCENTAGE: say("percentage of resources reserved"),
        AdmissionPolicy.DEDICATED: say("dedicated failover host"),
    }[admission.policy]


def _host_table(subject: Subject) -> Table:
    columns = (
        Column(say("Host")),
        Column(say("Server"), wide=True),
        Column(say("Hypervisor")),
        Column(say("Cores"), numeric=True),
        Column("RAM", numeric=True),
        Column(say("Cluster")),
        Column("VMs", numeric=True),
    )
    shown = map(subject.scenario.host, kept(subject, "hosts"))
    rows = folded(_host_row(subject, host) for host in shown)
    return Table(columns, rows, cut_note(subject, "hosts"))


def _host_row(subject: Subject, host: Host) -> tuple[str, ...]:
    server = subject.catalog.servers[host.server]
    cluster = "–" if host.cluster is None else subject.scenario.cluster(host.cluster).name
    mark = " *" if server.role is Role.REFERENCE else ""
    there = number(len(subject.scenario.vms_on(host.id)))
    return (
        host_text(host),
        server.name + mark,
        entry_name(subject.catalog.hypervisors[host.hypervisor]),
        str(server.cores),
        with_unit(input_text(host.ram_gib), "GiB"),
        cluster,
        joined(" ", (AT_LEAST, there)) if host.unlisted_vms else there,
    )


def _reference_note(subject: Subject) -> Paragraph | None:
    uses_reference = any(
        subject.catalog.servers[host.server].role is Role.REFERENCE
        for host in subject.scenario.hosts
    )
    if not uses_reference:
        return None
    return Paragraph(
        say(
            "* A reference system: the machine that was measured, shown so that the measurement "
            "can be followed. It is not offered for purchase."
        )
    )


def _pool_table(subject: Subject) -> Table:
    columns = (
        Column(say("Pool")),
        Column("Array", wide=True),
        Column(say("Disks"), wide=True),
        Column("RAID"),
        Column(say("Spares among them"), numeric=True),
    )
    rows = folded(
        (
            pool.name,
            subject.catalog.arrays[pool.array].name,
            f"{pool.spindles} × {subject.catalog.disks[pool.disk].name}",
            subject.catalog.raid_levels[pool.raid].name,
            str(pool.hot_spares),
        )
        for pool in map(subject.scenario.pool, kept(subject, "pools"))
    )
    return Table(columns, rows, cut_note(subject, "pools"))


def _vm_table(subject: Subject) -> Table:
    columns = (
        Column("VM"),
        Column(say("Workload"), wide=True),
        Column(say("Users"), numeric=True),
        Column(say("Size"), numeric=True),
        Column(say("Disks")),
        Column(say("Hosts")),
        Column(say("Pool")),
    )
    hosts: dict[tuple[str, ...], dict[str, None]] = {}
    rows = []
    for vm in map(subject.scenario.vm, kept(subject, "vms")):
        cells = _vm_cells(subject, vm)
        hosts.setdefault(cells, {})[subject.host_name(vm.host)] = None
        rows.append((vm.name, *cells))
    return Table(
        columns,
        tuple(
            (name, *cells[:-1], first_of(list(hosts[tuple(cells)]), MOST_NAMES), cells[-1])
            for name, *cells in folded(rows)
        ),
        cut_note(subject, "vms"),
    )


def _vm_cells(subject: Subject, vm: Vm) -> tuple[str, ...]:
    """What several VMs may have in common: all but names and hosts."""
    return (
        joined(" ", filter(None, (WORKLOADS[vm.workload.kind].name, vm.workload.release))),
        _users([vm]),
        say_many(
            "{count} vCPU, {ram}",
            "{count} vCPUs, {ram}",
            vm.vcpus,
            ram=with_unit(input_text(vm.ram_gib), "GiB"),
        ),
        vm.disk_mode.label,
        subject.pool_name(vm.pool),
    )

"""Rules about what the numbers stand on: missing, doubted, transferred and benchmark figures,
work of production and measured loads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter

import numpy as np

from models.base.texts import Text, joined, opening, say, say_many
from models.catalog.catalog import Product
from models.catalog.published import release_of
from models.evidence.profiles import (
    LEAST_BENCHMARK_USERS,
    MOST_BENCHMARK_USERS,
    USUAL_BENCHMARK_USERS,
)
from models.judgement.host_set_words import unseen
from models.judgement.rulebook import (
    COUNTED,
    FIND_OUT,
    OWN,
    PRACTICE,
    VSPHERE4,
    WV21,
    WV21_GOAL,
    WV21_SAMETIME,
    Context,
    Found,
    advice,
    in_production,
    names,
    number,
    rule,
    some_generic,
    some_sametime,
    warning,
)
from models.physics.arrays import COMMUNITY, MUX
from models.physics.columns import some
from models.physics.laws import BEFORE_NEWEST, MEASURED, nearest_release
from models.physics.responses import groups
from models.physics.sametime import known_feasible, vouching
from models.predict.prediction import RESPONSE_RANGE
from models.scenario.scenario import LoadBasis, Vm
from models.scenario.wording import exact_text, wait_text

FROM_FACTOR = say("was not measured itself; its cost follows from a published factor")
LIKE_OLDER = say(
    "was not measured itself; its CPU is counted like that of 7.0.2, as the published factor does "
    "not tell them apart"
)

NEAR_USERS = 500
"""Benchmark users within which a doubted cell is worth a word."""


@rule("release-without-evidence", say("Release without measurements"), unweighed=COUNTED)
def release_without_evidence(context: Context) -> Iterator[Found]:
    vms, laws = context.inputs.arrays.vms, context.inputs.laws
    family_a = laws.family_a & ~laws.family_b
    for code, release in enumerate(vms.releases):
        like, exact = nearest_release(release)
        if (exact and like in MEASURED) or _unknown(context, release):
            continue
        there = (vms.release == code) & vms.domino
        if not exact:
            how = {say("has no evidence; it is counted like {like}", like=like): there}
        elif like == BEFORE_NEWEST:
            how = {FROM_FACTOR: there & ~family_a, LIKE_OLDER: there & family_a}
        else:
            how = {FROM_FACTOR: there}
        named = (
            say("Domino {release}", release=release)
            if release
            else say("The Domino release, which is not stated,")
        )
        for words, rows in how.items():
            if not (servers := [vm for _, vm in context.vms_where(rows)]):
                continue
            yield advice(
                min(servers, key=attrgetter("id")),
                joined("", (named, " ", words, " (", names([vm.name for vm in servers]), ")")),
                say("Compare with a measurement of your own servers."),
                f"{WV21_GOAL}; {VSPHERE4}, table 1",
            )


def _unknown(context: Context, release: str) -> bool:
    """Whether it is no release at all, of which `release-unknown` speaks."""
    return bool(release) and release_of(context.inputs.catalog, Product.DOMINO, release) is None


@rule("doubted-cell", say("Doubted measurement"), unweighed=COUNTED)
def doubted_cell(context: Context) -> Iterator[Found]:
    laws, vms = context.inputs.laws, context.inputs.arrays.vms
    near_machine = laws.family_a & laws.direct & vms.running
    if not some(near_machine):
        return
    for run in context.inputs.calibration.runs:
        if not run.doubted:
            continue
        same = near_machine & (laws.platform == run.platform) & (laws.storage == run.storage)
        same &= np.abs(context.inputs.ram_gib / run.ram_gib - 1) <= 0.01
        same &= np.abs(context.inputs.users - run.users) <= NEAR_USERS
        for row, vm in context.vms_where(same):
            value = context.vms.response_ms.value[row]
            yield advice(
                vm,
                say(
                    "{vm} stands near a figure that its authors doubt: {value} ms at "
                    "{users} users; "
                    "the model, fitted without it, says about {predicted} ms",
                    vm=vm.name,
                    value=number(run.value),
                    users=number(run.users),
                    predicted=number(value),
                ),
                say("Trust neither to the digit; measure before you build on it."),
                f"{WV21}, {run.id}",
            )


@rule("sametime-no-data", say("Sametime without figures"), when=some_sametime)
def sametime_no_data(context: Context) -> Iterator[Found]:
    vms, point = context.inputs.arrays.vms, context.inputs.calibration.constants.sametime751
    sametime = ((vms.law == COMMUNITY) | (vms.law == MUX)) & vms.running
    feasible, asked = known_feasible(context.inputs), vouching(context.inputs)
    assert asked is not None  # the rule asks for Sametime
    worked = say(
        "{users} chat users were the target of a benchmark with {servers} community servers and "
        "{multiplexers} multiplexers on one host with 8 cores, of whose results only charts are "
        "left",
        users=number(point.users.value),
        servers=number(point.community_servers.value),
        multiplexers=number(point.multiplexers.value),
    )
    for row, vm in context.vms_where(sametime):
        is_mux = bool(vms.law[row] == MUX)
        most = _most_of(context, is_mux)
        if feasible[row]:
            yield advice(
                vm,
                say(
                    "{vm}’s CPU and response time were never published; {worked}, and it "
                    "is within that design",
                    vm=vm.name,
                    worked=worked,
                ),
                say(
                    "Keep it within that ({most}); before you go beyond, {measure}.",
                    most=most,
                    measure=PILOT,
                ),
                WV21_SAMETIME,
            )
            continue
        if not asked.sized[row]:
            what, fix = _server_beyond(context, row, worked, most, is_mux=is_mux)
        elif not asked.alone[row]:
            what, fix = _unfronted(vm, worked, some((vms.law == MUX) & vms.powered_on), context)
        else:
            what, fix = _host_beyond(context, row, worked, able=bool(asked.able[vms.host[row]]))
        yield warning(vm, what, fix, WV21_SAMETIME)


def _unfronted(vm: Vm, worked: Text, has_some: bool, context: Context) -> tuple[Text, Text]:
    """Why a community server without multiplexers for all chat users isn't vouched for."""
    names = {"vm": vm.name, "worked": worked}
    what = (
        say(
            "{vm}’s CPU and response time were never published, and the multiplexers can’t carry "
            "all chat users, so that it is beyond the known design: {worked}",
            **names,
        )
        if has_some
        else say(
            "{vm}’s CPU and response time were never published, and no multiplexer carries the "
            "connections of its users, so that it is beyond the known design: {worked}",
            **names,
        )
    )
    return what, say("Add multiplexers: one for {most}.", most=_most_of(context, is_mux=True))


def _host_beyond(context: Context, row: int, worked: Text, *, able: bool) -> tuple[Text, Text]:
    """Why a server that is no larger than those of the design isn't vouched for, and what helps."""
    vm = context.scenario.vms[row]
    host = context.scenario.hosts[context.inputs.arrays.vms.host[row]]
    names = {"vm": vm.name, "host": host.name, "worked": worked}
    if able:
        return (
            say(
                "{vm}’s CPU and response time were never published, and with the other servers on "
                "{host} it is beyond the known design: {worked}",
                **names,
            ),
            say("Spread the servers over more hosts, or {measure}.", measure=PILOT),
        )
    return (
        say(
            "{vm}’s CPU and response time were never published, and {host} has fewer or slower "
            "cores than the known design: {worked}",
            **names,
        ),
        say("Take a host with as many cores, as fast, or {measure}.", measure=PILOT),
    )


def _server_beyond(
    context: Context, row: int, worked: Text, most: Text, *, is_mux: bool
) -> tuple[Text, Text]:
    """What of a server itself is beyond those of the design and how far, and what helps."""
    vm, vms = context.scenario.vms[row], context.inputs.arrays.vms
    point = context.inputs.calibration.constants.sametime751
    servers = point.multiplexers if is_mux else point.community_servers
    factor = float(context.inputs.users[row]) * servers.value / point.users.value
    what = say_many(
        "{vm} has {users} benchmark users ({factor} times those of a server of the known design), "
        "{count} vCPU and {ram_gib}\u202fGiB: its CPU and response time were never published, and "
        "it is beyond that: {worked}",
        "{vm} has {users} benchmark users ({factor} times those of a server of the known design), "
        "{count} vCPUs and {ram_gib}\u202fGiB: its CPU and response time were never published, and "
        "it is beyond that: {worked}",
        vm.vcpus,
        vm=vm.name,
        users=number(context.inputs.users[row]),
        factor=number(factor, 1),
        ram_gib=number(vms.effective_ram_gib[row], 1),
        worked=worked,
    )
    return what, say("Stay within that design ({most}), or {measure}.", most=most, measure=PILOT)


def _most_of(context: Context, is_mux: bool) -> Text:
    """The size of a server that worked: users at most, vCPUs and memory at least."""
    point = context.inputs.calibration.constants.sametime751
    servers, vcpus, ram = (
        (point.multiplexers, point.multiplexer_vcpus, point.multiplexer_ram_gib)
        if is_mux
        else (point.community_servers, point.community_vcpus, point.community_ram_gib)
    )
    return say(
        "at most {users} users with at least {vcpus} vCPU and {ram_gib}\u202fGiB",
        users=number(point.users.value / servers.value),
        vcpus=number(vcpus.value),
        ram_gib=number(ram.value),
    )


PILOT = say(
    "measure a pilot at the login peak (MHz of its CPU, I/Os per second) and enter these as a "
    "workload with figures of its own"
)


@rule(
    "unknown-cpu",
    say("CPU that nothing is known of"),
    unweighed="what has no data is judged by itself (`Evaluated.hosts_at_risk`)",
)
def unknown_cpu(context: Context) -> Iterator[Found]:
    for each in unseen(context.numbers):
        yield warning(
            context.scenario.hosts[each.host],
            opening(each.words(context.scenario)),
            FIND_OUT,
            f"{OWN}, “From users to a verdict”",
        )


def some_not_listed(context: Context) -> bool:
    """A host runs VMs that no list has."""
    return context.numbers.hosts_not_listed is not None


@rule("unlisted-vms", say("VMs that no list has"), when=some_not_listed)
def unlisted_vms(context: Context) -> Iterator[Found]:
    """Their load is in no number, so that hosts, their failures and pools that they use are not
    known: a part of a sum is no sum."""
    there = [host for host in context.scenario.hosts if host.unlisted_vms]
    clause = say_many(
        "{count} VM runs on {hosts} that no list has: what it takes is in no number",
        "{count} VMs run on {hosts} that no list has: what they take is in no number",
        sum(host.unlisted_vms for host in there),
        hosts=names([host.name for host in there]),
    )
    fix = say(
        "Have the list made by somebody who may see all VMs, without a filter; of hosts where it "
        "is complete set “VMs not listed” to 0."
    )
    yield warning(None, clause, fix, f"{OWN}, “From users to a verdict”")


_IMPORT_LOST: Mapping[str, Callable[[int], Text]] = {
    "left-out": lambda count: say_many(
        "{count} VM of the list, which is off, a template, a placeholder or listed twice",
        "{count} VMs of the list, which are off, templates, placeholders or listed twice",
        count,
    ),
    "not-chosen": lambda count: say_many(
        "{count} VM that is not of what was chosen",
        "{count} VMs that are not of what was chosen",
        count,
    ),
    "in-maintenance": lambda count: say_many(
        "{count} host that is in maintenance", "{count} hosts that are in maintenance", count
    ),
    "host-incomplete": lambda count: say_many(
        "{count} host whose cores or memory aren’t said",
        "{count} hosts whose cores or memory aren’t said",
        count,
    ),
    "unmatched-statistics": lambda count: say_many(
        "statistics of {count} Domino server that is no VM here",
        "statistics of {count} Domino servers that are no VMs here",
        count,
    ),
    "unmatched-series": lambda count: say_many(
        "what was measured of {count} name that no VM has",
        "what was measured of {count} names that no VM has",
        count,
    ),
    "unread-file": lambda count: say_many(
        "{count} file that could not be read", "{count} files that could not be read", count
    ),
}
"""What an import may leave out of the load, by the rule of its note."""


def some_imported(context: Context) -> bool:
    """An import left something to be said."""
    return bool(context.scenario.import_notes)


@rule("import-left-out", say("Left out by the import"), when=some_imported, unweighed=PRACTICE)
def import_left_out(context: Context) -> Iterator[Found]:
    counts: Counter[str] = Counter()
    for note in context.scenario.import_notes:
        counts[note.rule] += 1 if note.count is None else note.count
    lost = [words(counts[name]) for name, words in _IMPORT_LOST.items() if counts[name]]
    if lost:
        yield advice(
            None,
            say("The import left out {what}", what=joined("; ", lost)),
            say("See that nothing of it belongs to this design, else import it again with it."),
            f"{OWN}, “From users to a verdict”",
        )


@rule(
    "stated-totals",
    say("Totals alone"),
    when=some_imported,
    unweighed="figures that are assumed say so themselves",
)
def stated_totals(context: Context) -> Iterator[Found]:
    if any(note.rule == "stated-totals" for note in context.scenario.import_notes):
        yield advice(
            None,
            say(
                "VMs are equal shares of stated totals: the largest of them, the peak of one, and "
                "how they wait for processors are in no number"
            ),
            say("Get a list of the VMs and a week of their CPU and I/O, and import these instead."),
            f"{OWN}, “From users to a verdict”",
        )


@rule("assumed-load", say("Assumed load"), unweighed="somebody chose to assume it")
def assumed_load(context: Context) -> Iterator[Found]:
    vms = context.arrays.vms
    count = int((vms.powered_on & vms.load_assumed).sum())
    if count:
        yield advice(
            None,
            say_many(
                "{count} VM carries CPU or I/O that is assumed, not measured: what this design is "
                "found to be holds on these assumptions",
                "{count} VMs carry CPU or I/O that is assumed, not measured: what this design is "
                "found to be holds on these assumptions",
                count,
            ),
            say("Measure a week of CPU and I/O of these VMs, and import it with their list."),
            f"{OWN}, “From users to a verdict”",
        )


@rule("no-spec-rate", say("Machine without a published rate"))
def no_spec_rate(context: Context) -> Iterator[Found]:
    vms, hosts = context.inputs.arrays.vms, context.inputs.arrays.hosts
    laws = context.inputs.laws
    lost = laws.unrated & vms.running
    if not some(lost):
        return
    for row in sorted(set(vms.host[lost].tolist())):
        host = context.scenario.hosts[row]
        yield warning(
            host,
            say(
                "No SPEC rate is known for {name}, so the CPU of {host}’s Domino servers can’t "
                "be predicted",
                name=hosts.servers[hosts.server[row]].name,
                host=host.name,
            ),
            say("Choose a server with a published rate, or enter one in the catalog."),
            hosts.servers[hosts.server[row]].provenance.source,
        )


@rule("no-pool", say("VM without a pool"))
def no_pool(context: Context) -> Iterator[Found]:
    vms = context.inputs.arrays.vms
    bare = context.vm_names(vms.serving & ~vms.on_pool)
    if bare:
        yield warning(
            None,
            say_many(
                "{names} has no disk pool: storage is not in its response time, and "
                "disk load and space aren’t judged",
                "{names} have no disk pool: storage is not in their response time, and "
                "disk load and space aren’t judged",
                len(bare),
                names=names(bare),
            ),
            say("Assign a pool."),
            f"{OWN}, “From users to a verdict”",
        )


@rule("knee-shared", say("Shared knee"), unweighed=COUNTED)
def knee_shared(context: Context) -> Iterator[Found]:
    group = groups(context.inputs)
    _, place, counts = np.unique(group, return_inverse=True, return_counts=True)
    shared = np.flatnonzero((group >= 0) & (counts[place] > 1))
    if len(shared):
        servers = [context.scenario.vms[row].name for row in shared]
        yield advice(
            None,
            say(
                "{names} share a host and a pool with others that are predicted from the runs with "
                "Domino 7. What makes their response times rise was never found: if it is what "
                "they share, they rise as those of one server with all the users, which is where "
                "their intervals reach",
                names=names(servers),
            ),
            say(
                "Measure before you count on splitting a server, or split it over hosts and pools."
            ),
            f"{WV21}, Intel Clovertown results",
        )


@rule("site-basis", say("Calibration that is not used"), unweighed=COUNTED)
def site_basis(context: Context) -> Iterator[Found]:
    """Measurements of this customer that were compared on another basis than the scenario's."""
    policy = context.policy
    if policy.site is None or not policy.site.is_used or policy.uses_site:
        return
    then, now = ((each.load_basis, each.benchmark_derating) for each in (policy.site, policy))
    yield advice(
        None,
        say_many(
            "What was measured of {count} server here isn’t used: it was compared in the basis "
            "{then}, and the load is counted in {now}",
            "What was measured of {count} servers here isn’t used: it was compared in the basis "
            "{then}, and the load is counted in {now}",
            policy.site.servers,
            then=_basis(*then),
            now=_basis(*now),
        ),
        say("Calibrate again on the basis that the scenario has, or go back to that one."),
        f"{OWN}, “Calibration to the site”",
    )


def _basis(basis: LoadBasis, derating: float) -> Text:
    """``benchmark, derating 2``; in production nothing is derated."""
    if basis is LoadBasis.PRODUCTION:
        return joined("", (basis.label,))
    return say("{basis}, derating {derating}", basis=basis.label, derating=exact_text(derating))


@rule(RESPONSE_RANGE, say("Response that may be anything"))
def response_range(context: Context) -> Iterator[Found]:
    """Responses that are not known as their range says nothing, with what makes it so wide."""
    for row, vm in context.vms_where(context.numbers.vague):
        _, low, high = (float(end) for end in context.numbers.response_ends[:, row])
        why, fix = _why_vague(context, row)
        clause = say(
            "{vm}’s response isn’t known: it may be anything from {low} to {high}, as {why}",
            vm=vm.name,
            low=wait_text(low),
            high=wait_text(high),
            why=why,
        )
        yield warning(vm, clause, fix, f"{OWN}, “Intervals”")


def _why_vague(context: Context, row: int) -> tuple[Text, Text]:
    """What makes the range of a response so wide, and what would tell."""
    e, vms = context.numbers, context.arrays.vms
    host, pool = int(vms.host[row]), int(vms.pool[row])
    unknown = vms.running & ~e.asked_cores.known & (vms.host == host)
    where = context.scenario.hosts[host].name
    if some(unknown):
        why = say_many(
            "nobody knows what {count} VM beside it asks of {host}",
            "nobody knows what {count} VMs beside it ask of {host}",
            int(np.count_nonzero(unknown)),
            host=where,
        )
        who = names(context.vm_names(unknown))
        return why, say("Measure CPU and I/O of {who}, or enter what they take.", who=who)
    if context.hosts.cpu_pct.high[host] >= FULL_PCT:
        why = say("{host} may be full", host=where)
        return why, say("Measure CPU of the servers on {host}, or take load off it.", host=where)
    if pool >= 0 and context.pools.utilisation_pct.high[pool] >= FULL_PCT:
        disks = context.scenario.pools[pool].name
        why = say("the drives of {pool} may be busy all the time", pool=disks)
        return why, say("Measure the I/O of what stands on {pool}, or add drives.", pool=disks)
    if context.inputs.laws.knee[row] > 0.0:
        return (
            say("it is not known what makes responses rise in the runs that it follows"),
            say("Measure response and disks at such a load before you count on it."),
        )
    return (
        say("it is far from all that was measured"),
        say("Measure its CPU and its response once, under load."),
    )


FULL_PCT = 95.0
"""Load from which on waiting has no end to speak of: ours."""


@rule(
    "space-unstated",
    say("Size of system disks not stated"),
    unweighed="what isn’t stated counts as none, as everywhere",
)
def space_unstated(context: Context) -> Iterator[Found]:
    vms = context.inputs.arrays.vms
    silent = np.isnan(vms.system_disk_gib)
    count = int(np.count_nonzero(silent & (vms.pool >= 0))) if some(silent) else 0
    if count:
        yield advice(
            None,
            say_many(
                "{count} VM has no stated size of system disk, which counts as none in the "
                "pools’ space",
                "{count} VMs have no stated size of system disk, which counts as none in the "
                "pools’ space",
                count,
            ),
            say("Enter system and log disks, or keep space for them."),
            f"{OWN}, “From users to a verdict”",
        )


@rule("between-families", say("Between two families of runs"), unweighed=COUNTED)
def between_families(context: Context) -> Iterator[Found]:
    """VMs that a comparison with vSphere 4 and later, or with WV21's machines, crosses families."""
    laws, vms = context.inputs.laws, context.inputs.arrays.vms
    apart = context.vm_names(laws.between & vms.running)
    beside = some(laws.family_a & ~laws.family_b & vms.running) and some(
        laws.family_b & vms.running
    )
    if not apart and not beside:
        return
    if not apart:
        apart = context.vm_names(laws.family_a & vms.running)
    yield advice(
        None,
        say_many(
            "{names} is predicted at least in part from runs of 2007 with Domino 7 on ESX 3, where "
            "designs on vSphere 4 and later follow runs of 2010 with another workload: of a "
            "difference between them, up to a factor of two or three is that of the measurements",
            "{names} are predicted at least in part from runs of 2007 with Domino 7 on ESX 3, "
            "where designs on vSphere 4 and later follow runs of 2010 with another workload: of a "
            "difference between them, up to a factor of two or three is that of the measurements",
            len(apart),
            names=names(apart),
        ),
        say("Measure one server before you decide between them by the number alone."),
        f"{OWN}, “From users to a verdict”",
    )


PAGE = f"{OWN}, “Production”"


@rule("production-sum", say("Sum of a production load"), when=in_production, unweighed=COUNTED)
def production_sum(context: Context) -> Iterator[Found]:
    """The known ratio as a check of the sum, by the server with the largest of them."""
    other, asked = context.inputs.other, context.numbers.asked_cores
    assert other is not None  # in production there is one
    own = asked.value - other.cores[0]
    counted = context.inputs.arrays.vms.serving_users & (own > 0)
    if not some(counted):
        return
    ratio = np.where(counted, asked.value / np.where(counted, own, 1.0), -np.inf)
    row = int(ratio.argmax())
    vm = context.scenario.vms[row]
    yield advice(
        vm,
        say(
            "{vm}: with the server’s other work an active user takes the CPU of {ratio} benchmark "
            "users, and that counts here. The known ratio, {usual} ({least} to {most}), is of "
            "servers without browsers and full text: it checks the sum and is no factor of it",
            vm=vm.name,
            ratio=number(float(ratio[row]), 1),
            usual=exact_text(USUAL_BENCHMARK_USERS),
            least=exact_text(LEAST_BENCHMARK_USERS),
            most=exact_text(MOST_BENCHMARK_USERS),
        ),
        say("Measure one server of this customer: users, CPU and I/Os of a working hour."),
        PAGE,
    )


@rule("io-costs-cpu", say("I/O costs CPU under ESX"), when=some_generic, unweighed=COUNTED)
def io_costs_cpu(context: Context) -> Iterator[Found]:
    """Kernel CPU that I/O costs under ESX over a physical server, by the VM with most of it."""
    own, vms = context.inputs.own, context.inputs.arrays.vms
    assert own is not None  # there are such loads
    most = np.where(context.inputs.laws.generic & vms.running, np.fmax(own.by_io[2], 0.0), 0.0)
    if not some(most > 0):
        return
    row = int(most.argmax())
    vm, (value, low, high) = context.scenario.vms[row], own.by_io[:, row].tolist()
    yield advice(
        vm,
        say(
            "{vm}: {iops} I/Os a second cost {value} cores under ESX ({low} to {high}) on top of "
            "what was measured on a physical server",
            vm=vm.name,
            iops=number(vms.own_iops[row]),
            value=number(value, 2),
            low=number(low, 2),
            high=number(high, 2),
        ),
        say("Measure it under ESX, and say so at the VM."),
        "IBM technote 1252786; vSphere 4 paper, tables 5 and 6",
    )

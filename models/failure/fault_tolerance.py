"""VMware Fault Tolerance: which VMs it may protect, by release, and what protecting them costs.

A protected VM runs twice, on two hosts, with the same CPU and the same fully reserved memory. Up to
vSphere 5.5 it is *record and replay*: one vCPU, and the primary sends its secondary all network
packets received and all disk reads. From 6.0 on it is *checkpointing*: several vCPUs, and memory
changes are sent, for which no formula was published.

Sources: Virtualizing IBM Lotus Domino 8.5.1 on VMware vSphere 4, "VMware FT Test"; VMware vSphere 4
Fault Tolerance white paper, p. 6 (what is logged; round trip below 1 ms; clocks within 400 MHz);
vSphere Availability 6.0, 6.7 and 8.0, "Fault Tolerance Requirements, Limits, and Licensing".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.base.texts import joined, opening, say, say_many
from models.catalog.catalog import Hypervisor
from models.evidence.constants import FamilyConstants
from models.failure.admission import Step
from models.failure.failover import HostLoads
from models.physics.arrays import LOCAL, NRPC, Arrays
from models.physics.columns import NOBODY, filled, looked_up, some, sum_by
from models.physics.network import ft_logging_users
from models.physics.other_hosts import ALIKE
from models.scenario.scenario import Scenario, Vm
from models.scenario.wording import NO_DATA_TEXT, decimals_until, number, with_unit


def ft_secondaries(arrays: Arrays, loads: HostLoads, candidates: BoolArray) -> IntArray:
    """Host of each VM's FT secondary, −1 for none.

    In order of id, each goes to the other host of its cluster with the most memory free, if it
    fits there: a secondary takes as much CPU and memory as its primary (vSphere 4 release notes).
    "A VM-Host affinity rule applies to both the Primary VM and its Secondary VM", a rule between
    VMs to the primary only (vSphere 6.0 Availability, "Using Fault Tolerance with DRS"); hosts that
    stand by for failures run nothing, and a VM on local disks has no secondary; nor has one larger
    than its release protects. Both hosts need a network for FT logging: without it there is no
    secondary to take over. Processors of another maker run no secondary: those of both have to go
    together for vMotion (vSphere 6.5 Availability, “Differences Between Legacy FT and vSphere FT”).
    A host with the same processor goes before others: "At least two hosts must have processors from
    the same compatible processor group" (vSphere 4 Availability, cluster prerequisites of Fault
    Tolerance). Of hosts with equal room the first by id.
    """
    vms = arrays.vms
    secondary = filled(len(vms), NOBODY, np.int64)
    ram, limit, needed = loads.ram_gib.copy(), loads.limits[0], loads.on[0, ALIKE]
    wanted = np.flatnonzero(candidates & ~vms.rooted & (vms.host >= 0))
    for vm in wanted[vms.id_rank[wanted].argsort()].tolist():
        others = secondary_hosts(arrays, vm, vms.host[vm])
        others = others[ram[others] + needed[vm] <= limit[others]]
        if len(others):
            free = limit[others] - ram[others]
            best = best_secondary(arrays, vm, vms.host[vm], others, free)
            secondary[vm] = best
            ram[best] += needed[vm]
    return secondary


def secondary_hosts(arrays: Arrays, vm: int, home: int) -> IntArray:
    """Hosts that may run the secondary of a VM whose primary runs on `home`, by id."""
    vms, hosts, rules = arrays.vms, arrays.hosts, arrays.binding
    most_gib = hosts.hypervisors[int(hosts.hypervisor[home])].ft_max_ram_gib or np.inf
    too_large = vms.ram_gib[vm] > most_gib or vms.vcpus[vm] > hosts.ft_max_vcpus[home]
    if too_large or np.isnan(hosts.ft_gbps[home]) or hosts.cluster[home] < 0:
        return np.zeros(0, dtype=np.int64)
    others = hosts.members[hosts.cluster[home]]
    others = others[(others >= 0) & (others != home)]
    others = others[~np.isnan(hosts.ft_gbps[others])]
    makers = hosts.maker[others]
    others = others[(makers == hosts.maker[home]) | (makers == 0) | (hosts.maker[home] == 0)]
    if rules is not None:
        others = others[~rules.standing_by[others] & rules.allowed(np.asarray(vm), others)]
    return np.asarray(others)


def best_secondary(
    arrays: Arrays, vm: int, home: int, others: IntArray, free_gib: FloatArray
) -> int:
    """The host for the secondary among `others` with room for it, whose free memory is given."""
    hosts, rules = arrays.hosts, arrays.binding
    best = np.ones(len(others), dtype=np.bool_)
    tests = [hosts.processor[others] == hosts.processor[home]]
    if rules is not None and rules.drawn[vm]:
        tests.append(rules.preferred(np.asarray(vm), others))
    for test in tests:
        if some(best & test):
            best &= test
    return int(others[np.where(best, free_gib, -np.inf).argmax()])


VSPHERE4_FT = "Virtualizing IBM Lotus Domino 8.5.1 on VMware vSphere 4, “VMware FT Test”"

CHECKPOINTING_FROM = (6, 0, 0)
LOGGING_FACTOR = 1.2
"""Covers TCP/IP and timer events; from an account of VMware's paper, not from the paper itself."""

RECORD_GBPS, CHECKPOINT_GBPS = 1.0, 10.0
"""Links that VMware asks for, by mechanism."""

UNTESTED_GBPS = 10.0
"""Link from which on nobody measured record and replay."""

MOST_CLOCK_DIFFERENCE_MHZ = 400.0

NO_RESPONSE = say("no data: response times across a failover were published as a chart only")
NO_EPT_FIGURE = say("no data: what Domino loses without nested paging was never published")


@dataclass(frozen=True, slots=True, kw_only=True)
class FtLimits:
    """What a release grants.

    Attributes:
        max_vcpus: of a VM; 0: no Fault Tolerance. `max_vcpus_standard`: with the Standard and
            Enterprise licences, None where that makes no difference.
        max_vms_per_host, max_vcpus_per_host: primaries and secondaries on a host; None: no limit
            found.
        checkpointing: from 6.0 on.
        logging_gbps: link that is asked for.
        disables_nested_paging: EPT or RVI is switched off for the VM (vSphere 4.0).
    """

    release: str
    max_vcpus: int
    max_vcpus_standard: int | None
    max_ram_gib: float | None
    max_vms_per_host: int | None
    max_vcpus_per_host: int | None
    checkpointing: bool
    logging_gbps: float
    disables_nested_paging: bool


def ft_limits(hypervisor: Hypervisor) -> FtLimits:
    """Fault Tolerance of a release, from the catalog.

    One vCPU on 4.x to 5.5, four on 6.0 and 6.5, eight from 6.7 on, two of these on Standard.
    """
    checkpointing = hypervisor.version >= CHECKPOINTING_FROM
    return FtLimits(
        release=hypervisor.name,
        max_vcpus=hypervisor.ft_max_vcpus,
        max_vcpus_standard=hypervisor.ft_max_vcpus_standard,
        max_ram_gib=hypervisor.ft_max_ram_gib,
        max_vms_per_host=hypervisor.ft_max_vms_per_host,
        max_vcpus_per_host=hypervisor.ft_max_vcpus_per_host,
        checkpointing=checkpointing,
        logging_gbps=CHECKPOINT_GBPS if checkpointing else RECORD_GBPS,
        disables_nested_paging=hypervisor.ft_disables_nested_paging,
    )


def logging_mbps(disk_read_mb_per_s: float, network_receive_mbps: float) -> float:
    """Logging traffic of record and replay [Mb/s], vSphere 4.x and 5.x.

    (disk reads [MB/s] × 8 + network received [Mb/s]) × 1.2. Writes and what is sent aren't logged.
    Derived from VMware's list of what is logged and a second-hand account of the factor. Valid up
    to vSphere 5.5: from 6.0 on memory changes are sent.

    >>> logging_mbps(10.0, 20.0)
    120.0
    """
    return (disk_read_mb_per_s * 8 + network_receive_mbps) * LOGGING_FACTOR


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection:
    """A VM with Fault Tolerance: whether it may have it, where its secondary runs, what it costs.

    Attributes:
        obstacles: why the release or the design refuses it, sentences; empty when nothing does.
        secondary: id of its host; None: none has room.
        secondary_cores, secondary_ram_gib: what the secondary takes [core-seconds per second, GiB];
            None without data.
        users: benchmark users it serves.
        link_host: host of the two whose logging link is the fuller one, with all that is sent, or
            received, there; `link_gbps`: that link; `link_load`: benchmark users on it under record
            and replay; `link_users`: what it carries by the one measurement there is, None without
            a link or beyond what was measured.
        logging: the traffic as far as it can be worked out.
        notes: what to know about it.
        response_ms: across a failover: no data, ever.
    """

    vm: str
    host: str
    limits: FtLimits
    obstacles: tuple[str, ...]
    secondary: str | None
    secondary_cores: float | None
    secondary_ram_gib: float
    link_host: str
    link_gbps: float | None
    link_load: float
    users: float
    link_users: float | None
    logging: tuple[Step, ...]
    notes: tuple[str, ...]
    response_ms: str = NO_RESPONSE

    @property
    def allowed(self) -> bool:
        return not self.obstacles


def protections(
    scenario: Scenario,
    arrays: Arrays,
    *,
    secondary: IntArray,
    cores: FloatArray,
    ram_gib: FloatArray,
    users: FloatArray,
    received_mbps: FloatArray,
    constants: FamilyConstants,
) -> tuple[Protection, ...]:
    """Every running VM with Fault Tolerance.

    Args:
        secondary: host of each VM's secondary, −1 for none.
        cores, ram_gib: what each VM asks of its host; NaN for no data.
        users: benchmark users; received_mbps: network that each VM receives at most, NaN for no
            data.
    """
    hosts = arrays.hosts
    links = logging_links(arrays, secondary, users)
    found = []
    for row in np.flatnonzero(arrays.vms.fault_tolerance & arrays.vms.running).tolist():
        vm, home = scenario.vms[row], int(arrays.vms.host[row])
        limits = ft_limits(hosts.hypervisors[int(hosts.hypervisor[home])])
        gbps = float(links.gbps[row])
        there = int(secondary[row])
        found.append(
            Protection(
                vm=vm.id,
                host=hosts.ids[home],
                limits=limits,
                obstacles=tuple(_obstacles(vm, limits, arrays, row, there)),
                secondary=None if there < 0 else hosts.ids[there],
                secondary_cores=_known(cores[row]),
                secondary_ram_gib=float(ram_gib[row]),
                link_host=hosts.ids[int(links.host[row])],
                link_gbps=_known(gbps),
                link_load=float(links.users[row]),
                users=float(users[row]),
                link_users=_link_users(gbps, limits, constants),
                logging=tuple(_logging(limits, float(received_mbps[row]))),
                notes=tuple(_notes(arrays, limits, home, there, constants)),
            )
        )
    return tuple(found)


@record
class LoggingLinks:
    """The fuller of the two logging links of each VM with Fault Tolerance, shape (n,).

    Attributes:
        host: where it ends; without a secondary that of the VM.
        gbps: its speed, NaN for none.
        users: benchmark users whose logging it carries in the direction of this VM's, 0 where
            nothing is recorded and replayed.
    """

    host: IntArray
    gbps: FloatArray
    users: FloatArray


def logging_links(arrays: Arrays, secondary: IntArray, users: FloatArray) -> LoggingLinks:
    """What the links carry by the secondaries there are: a host sends for its primaries and
    receives for its secondaries, and its link does both at once.

    Counts NRPC mail before vSphere 6.0, which is what was measured.

    Args:
        secondary: host of each VM's secondary, −1 for none; `users`: benchmark users, (n,) each.
    """
    vms, hosts = arrays.vms, arrays.hosts
    logged = vms.fault_tolerance & vms.running & ~vms.at.physical & (vms.law == NRPC)
    logged &= vms.at.version < CHECKPOINTING_FROM[0]
    ends = np.where(logged, [vms.host, secondary], -1)
    carried = np.array(
        [looked_up(sum_by(end, users, len(hosts)), end, 0.0) for end in ends], dtype=np.float64
    )
    gbps = np.array([looked_up(hosts.ft_gbps, end, np.nan) for end in (vms.host, secondary)])
    received = np.flatnonzero(carried[1] / gbps[1] > carried[0] / gbps[0])
    host, link, load = vms.host.copy(), gbps[0], carried[0]
    host[received] = secondary[received]
    link[received], load[received] = gbps[1, received], carried[1, received]
    return LoggingLinks(host, link, load)


def per_host(arrays: Arrays, secondary: IntArray) -> tuple[IntArray, FloatArray]:
    """Primaries and secondaries on every host, and their vCPUs, (h,) each."""
    vms, count = arrays.vms, len(arrays.hosts)
    protected = vms.fault_tolerance & vms.running
    place = np.concatenate([np.where(protected, vms.host, -1), np.where(protected, secondary, -1)])
    vcpus = np.concatenate([vms.vcpus, vms.vcpus])
    number_of = np.bincount(place + 1, minlength=count + 1)[1:]
    return number_of, np.bincount(place + 1, vcpus, count + 1)[1:].astype(np.float64)


def _obstacles(vm: Vm, limits: FtLimits, arrays: Arrays, row: int, there: int) -> Iterator[str]:
    if limits.max_vcpus == 0:
        yield say("{release} has no Fault Tolerance.", release=limits.release)
        return
    if vm.vcpus > limits.max_vcpus:
        yield say_many(
            "It has {vcpus} vCPUs; {release} protects VMs with at most {count} vCPU.",
            "It has {vcpus} vCPUs; {release} protects VMs with at most {count} vCPUs.",
            limits.max_vcpus,
            vcpus=vm.vcpus,
            release=limits.release,
        )
    if limits.max_ram_gib is not None and vm.ram_gib > limits.max_ram_gib:
        yield say(
            "It has {ram}; {release} protects VMs with at most {most}.",
            ram=with_unit(number(vm.ram_gib, 1), "GiB"),
            release=limits.release,
            most=with_unit(number(limits.max_ram_gib), "GiB"),
        )
    if arrays.vms.mode[row] == LOCAL:
        yield say("Its disks are local to one host; both hosts have to reach them.")
    if np.isnan(arrays.hosts.ft_gbps[arrays.vms.host[row]]):
        yield say("Its host has no network for FT logging.")
    elif there < 0 and vm.vcpus <= limits.max_vcpus:
        yield say("No other host of a cluster has room for its secondary.")


def _link_users(gbps: float, limits: FtLimits, constants: FamilyConstants) -> float | None:
    """2,000 users on 1 Gb/s in proportion, for record and replay on links that were tested."""
    if np.isnan(gbps) or limits.checkpointing or gbps >= UNTESTED_GBPS:
        return None
    return float(ft_logging_users(np.array(gbps), constants))


def _logging(limits: FtLimits, received_mbps: float) -> Iterator[Step]:
    if limits.checkpointing:
        yield Step(
            say("Logging traffic"),
            say("memory changes are sent; no formula was published"),
            NO_DATA_TEXT,
        )
        return
    if np.isnan(received_mbps):
        yield Step(say("Network received"), "", NO_DATA_TEXT)
        return
    sent = logging_mbps(0.0, received_mbps)
    decimals = decimals_until(
        lambda d: round(logging_mbps(0.0, round(received_mbps, d)), 1) == round(sent, 1), 1
    )
    share = joined(" × ", (number(received_mbps, decimals), number(LOGGING_FACTOR, 1)))
    sum_of_it = joined(" ", (number(sent, 1), "Mb/s"))
    yield Step(say("Network received, at most"), share, sum_of_it)
    yield Step(
        say("Disk reads × 8 × {factor}", factor=number(LOGGING_FACTOR, 1)),
        say("how large Domino’s reads are was never published"),
        NO_DATA_TEXT,
    )


def _notes(
    arrays: Arrays, limits: FtLimits, home: int, there: int, constants: FamilyConstants
) -> Iterator[str]:
    measured = constants.fault_tolerance
    yield say(
        "Primary and secondary each take the VM’s CPU and memory; all of the memory is reserved."
    )
    if not limits.checkpointing:
        yield say(
            "{users} users came near the saturation of a redundant link of 1 Gb/s, and some "
            "secondaries did not start; {recommended} are recommended, 10 Gb/s was not tested.",
            users=number(measured.saturating_users_at_1gbps.value),
            recommended=number(measured.users_at_1gbps.value),
        )
    if limits.disables_nested_paging:
        yield say(
            "{release} switches nested paging off for it. {no_figure}.",
            release=limits.release,
            no_figure=opening(NO_EPT_FIGURE),
        )
    if limits.max_vcpus_standard is not None:
        yield say_many(
            "With the Standard and Enterprise licences at most {count} vCPU.",
            "With the Standard and Enterprise licences at most {count} vCPUs.",
            limits.max_vcpus_standard,
        )
    clocks = arrays.hosts.base_mhz
    if limits.checkpointing or there < 0:
        return
    if abs(clocks[home] - clocks[there]) > MOST_CLOCK_DIFFERENCE_MHZ:
        yield say(
            "The clocks of its two hosts differ by {difference} MHz; vSphere 4 asks for at most "
            "{most}.",
            difference=number(abs(clocks[home] - clocks[there])),
            most=number(MOST_CLOCK_DIFFERENCE_MHZ),
        )


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)

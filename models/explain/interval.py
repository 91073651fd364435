"""What stands beside a derivation: where the ends of its interval come from, what it leaves out."""

from __future__ import annotations

import math
from collections.abc import Iterator

from models.base.quantities import Basis, Quantity
from models.base.texts import Numeral, say
from models.evidence.constants import VCPUS_PER_VM
from models.evidence.uncertainty import widening
from models.explain.workings import Workings
from models.physics.demand import MAIL85_HALF_WIDTH
from models.physics.inputs_of_formulas import LIKE_FILES
from models.physics.laws import (
    A_VCPUS,
    MEMBER_HALF_WIDTH,
    SETTING_HALF_WIDTH,
    SPEC_HALF_WIDTH,
    release_cost,
    steps_of,
)
from models.physics.responses import SINGLE_POINT_HALF_WIDTH
from models.physics.storage import LATENCY_HALF_WIDTH
from models.physics.transfer_distance import GENERATIONS, HYPERVISORS, RELEASES, grown
from models.predict.predicted import FAILURE
from models.scenario.scenario import Vm
from models.scenario.transactions import TRANSACTIONS
from models.scenario.wording import ENGLISH, Style, number, signed

VALUE_ALONE = "failure_cpu_pct"
"""A number whose parts have intervals, of which the value alone is carried through failures."""

SUMS = frozenset({("hosts", "cpu_pct"), ("pools", "iops"), ("hosts", "network_pct")})


def interval_words(
    w: Workings, table: str, subject: str, field: str, quantity: Quantity, style: Style = ENGLISH
) -> tuple[str, ...]:
    """How the nominal 90 % interval comes about."""
    if quantity.value is None or quantity.low is None or quantity.high is None:
        return ()
    if field == VALUE_ALONE:
        return (say("Of its parts the values alone are used here, not their intervals."),)
    if quantity.low == quantity.high:
        return (say("Follows from the inputs without error, so it has no interval."),)
    if field == FAILURE:
        return (say("The interval is that of the load that decides."),)
    return tuple(_sentences(w, table, subject, field, quantity, style))


def _sentences(
    w: Workings, table: str, subject: str, field: str, quantity: Quantity, style: Style
) -> Iterator[str]:
    if table == "vms" and field in ("cpu_pct", "iops", "response_ms"):
        yield _factors(quantity, style)
        yield from _of_vm(w, subject, field)
        if field == "response_ms":
            yield from _of_stations(w, w.vm_rows[subject], quantity)
    elif field == "ready_pct":
        yield say("The ends of what it is worked out from.")
        yield _of_its_run(w, style)
    elif field == "network_mbps":
        yield say("The low end takes the smallest frames, the high end the largest.")
    elif field == TRANSACTIONS:
        yield say("How far the published servers lie apart: so may one more.")
    elif (table, field) in SUMS:
        yield say("The ends of its parts add up: they share one law and err together.")
    elif table == "pools":
        if field == "latency_ms":
            yield say(
                "Three measured averages of one array are off by a third and more: a factor of "
                "{factor} either way (stated).",
                factor=number(math.exp(LATENCY_HALF_WIDTH), 1, style=style),
            )
        yield (
            say(
                "The ends of the load over the limit at its best and worst read share: "
                "66 to 75 % of reads where it is assumed."
            )
        )
    else:
        yield say("The ends of what it is worked out from.")


def _of_its_run(w: Workings, style: Style) -> str:
    """Ready time is spoken of as a mean; what it reached is known of one run."""
    mail = w.constants.mail85
    return say(
        "Two VMs of 4,000 users side by side: {mean}\u202f% on average, {most}\u202f% at most "
        "(vSphere 4 paper, table 1).",
        mean=number(mail.ready_pct.value, 2, style=style),
        most=number(mail.ready_pct_max.value, 1, style=style),
    )


def _factors(quantity: Quantity, style: Style) -> str:
    """Low and high over the value, as per cents."""
    value, low, high = quantity.value, quantity.low, quantity.high
    if not value or low is None or high is None:
        return ""
    below, above = 100 * (low / value - 1), 100 * (high / value - 1)
    ends = say(
        "{below}\u202f% to {above}\u202f%",
        below=signed(below, style=style),
        above=signed(above, style=style),
    )
    return say("Nominal 90\u202f% interval, from errors on held-out points: {ends}.", ends=ends)


def _of_vm(w: Workings, subject: str, field: str) -> Iterator[str]:
    row, laws = w.vm_rows[subject], w.inputs.laws
    if laws.generic[row]:
        yield from _of_measured(w, row, field)
        return
    if w.inputs.other is not None and field != "response_ms":
        yield say(
            "Other work of the server has an interval of its own, as wide as its sources are."
        )
    if laws.between[row]:
        yield say(
            "Between the runs on ESX 3 and those on vSphere 4: the interval holds both of theirs."
        )
    if laws.family_a[row]:
        yield from _of_family_a(w, row, field)
    if laws.b_law[row]:
        yield from _of_family_b(w, row, field)
    if field != "cpu_pct" and (width := float(w.inputs.cache.files_half_width[row])) > LIKE_FILES:
        yield say(
            "Mail files of another size than ran: ±{width} more on disk I/O (stated).",
            width=f"{width:.0%}",
        )


def _of_family_a(w: Workings, row: int, field: str) -> Iterator[str]:
    quantity = "response_ms" if field == "response_ms" else "cpu_pct"
    cover = w.inputs.family_a(quantity)
    yield (
        say("Domino mail on ESX 3: this configuration was run.")
        if cover.configuration_measured[row]
        else say(
            "Domino mail on ESX 3: this configuration was not run, so whole series held out decide."
        )
    )
    yield from _steps(float(cover.steps[row]))
    if field == "response_ms" and cover.past[row] > 0:
        yield (
            say(
                "Past the last run nothing says that the knee is a limit: the low end "
                "stays there "
                "until the CPU is short."
            )
        )
    yield from _transfers(w, row, of_a=True)


def _of_family_b(w: Workings, row: int, field: str) -> Iterator[str]:
    yield say(
        "Domino 8.5.1 on vSphere 4: its own runs, ±{width} (stated).",
        width=f"{MAIL85_HALF_WIDTH:.0%}",
    )
    yield from _steps(float(w.inputs.family_b.steps[row]))
    if field == "response_ms":
        yield (
            say(
                "One run with a response time: ±{width} more, its shape "
                "borrowed from the runs on ESX 3.",
                width=f"{SINGLE_POINT_HALF_WIDTH:.0%}",
            )
        )
    yield from _transfers(w, row, of_a=False)


def _of_stations(w: Workings, row: int, quantity: Quantity) -> Iterator[str]:
    """What the disks, and neighbours on disks and cores, change of a response that was run."""
    laws = w.inputs.laws
    if laws.generic[row]:
        return
    if not (laws.drives_as_measured[row] and w.arrays.vms.pool[row] >= 0):
        yield say(
            "Not on drives as measured: ±{width} more (stated).",
            width=f"{SETTING_HALF_WIDTH:.0%}",
        )
    elif laws.family_a[row] and _weakened(w, row, quantity):
        yield say("Neighbours on its disks or cores add to it: that part was never run.")


def _weakened(w: Workings, row: int, quantity: Quantity) -> bool:
    """Whether a response is transferred, and would not be without neighbours."""
    alone = w.inputs.family_a("response_ms").basis[row]
    return quantity.basis is Basis.TRANSFERRED and alone != Basis.TRANSFERRED


def _steps(steps: float) -> Iterator[str]:
    if steps > 0.005:
        yield (
            say(
                "{steps} steps outside what was measured (thousands of users and doublings of "
                "RAM): {factor} times as wide.",
                steps=Numeral(f"{steps:.1f}"),
                factor=Numeral(f"{float(widening(steps)):.1f}"),
            )
        )


def _transfers(w: Workings, row: int, *, of_a: bool) -> Iterator[str]:
    """What leads away from a family's measurement, with what each step adds."""
    laws, vms = w.inputs.laws, w.arrays.vms
    here, vcpus = (laws.of_a, A_VCPUS) if of_a else (laws.of_b, VCPUS_PER_VM)
    apart = steps_of(w.arrays, w.knowledge.catalog, of_a=of_a)[:, row]
    if here.slowness[row] != 1.0:
        yield _by_steps(
            say("Another machine, by SPEC rate per core"), SPEC_HALF_WIDTH, apart[GENERATIONS]
        )
    if vms.vcpus[row] != vcpus:
        yield say(
            "Another number of vCPUs: ±{width} more (stated).",
            width=f"{SETTING_HALF_WIDTH:.0%}",
        )
    if not laws.direct[row]:
        words = say("Another hypervisor, storage path, array or mail file than measured")
        yield _by_steps(words, SETTING_HALF_WIDTH, apart[HYPERVISORS])
    if of_a and vms.replicating[row]:
        yield say(
            "Member of a Domino cluster, by family C: ±{width} more (stated).",
            width=f"{MEMBER_HALF_WIDTH:.0%}",
        )
    if not laws.release_measured[row] and not math.isclose(float(here.cpu_factor[row]), 1.0):
        yield say(
            "Another release: the document says “up to”, so the half width is the whole step."
        )
    if guess := release_cost(vms.releases[vms.release[row]], w.constants.releases).guess:
        yield _by_steps(say("A release without evidence"), guess, apart[RELEASES])


def _by_steps(words: str, each: float, count: float) -> str:
    """What steps of one kind add, with how many there are."""
    width = f"{float(grown(each, count)):.0%}"
    if count > 1:
        return say(
            "{words}: ±{width} more, over {count} generations (stated).",
            words=words,
            width=width,
            count=Numeral(f"{count:g}"),
        )
    return say("{words}: ±{width} more (stated).", words=words, width=width)


def _of_measured(w: Workings, row: int, field: str) -> Iterator[str]:
    """Of a load that somebody measured."""
    own = w.inputs.own
    if own is None or field != "cpu_pct":
        return
    if own.half_width[row]:
        yield say(
            "Measured elsewhere, or nobody said where: ±{width} (stated).",
            width=f"{float(own.half_width[row]):.0%}",
        )
    if own.by_io[2, row]:
        yield say("I/O costs CPU under ESX: the high end takes the most that sources say.")


NEIGHBOURS = say(
    "Page sharing, ballooning and swapping between VMs: memory is taken as configured."
)
HYPER_THREADING = say(
    "What turning hyper-threading or turbo off costs: a core counts once, and what they add is in "
    "its measured rate."
)
MISSING: dict[tuple[str, str], tuple[str, ...]] = {
    ("vms", "cpu_pct"): (
        say("Agents, indexing, mail rules, antivirus and backup: the benchmarks ran without them."),
        say("How mail-file size changes the CPU of an action."),
        say("Power saving: processors are taken as they ran in the benchmarks."),
        HYPER_THREADING,
    ),
    ("vms", "iops"): (
        say("I/O of transaction logs, backup and full-text indexing."),
        say("How mail-file size or the number of folders changes the I/O of an action."),
    ),
    ("vms", "ram_gib"): (NEIGHBOURS,),
    ("vms", "ready_pct"): (
        say("Co-scheduling of several vCPUs, reservations, shares and limits."),
    ),
    ("vms", "response_ms"): (
        say("The network between user and server, and the client itself."),
        say(
            "What puts the knee where it was measured: its position is fitted, its cause "
            "is not known."
        ),
        say("Bursts: all figures are means over the hour of a benchmark."),
    ),
    ("vms", "network_mbps"): (
        say("The size of packets, which no document gives: frames are taken at their largest."),
        say("Replication, backup and vMotion."),
    ),
    ("vms", TRANSACTIONS): (
        say("Agents, replication and the maintenance of nights, which count as transactions too."),
    ),
    ("hosts", "cpu_pct"): (
        say("The hypervisor’s own CPU beside its VMs, which is in the figures of the VMs."),
        say("NUMA: cores are taken as equally near to all memory."),
    ),
    ("hosts", "ram_pct"): (NEIGHBOURS,),
    ("hosts", "network_pct"): (say("Storage, vMotion and management traffic on the same ports."),),
    ("hosts", "vcpus_per_core"): (HYPER_THREADING,),
    ("pools", "iops"): (say("I/O of logs, backup and snapshots; other users of the same array."),),
    ("pools", "utilisation_pct"): (
        say("Writes that a cache coalesces, sequential reads, tiering and deduplication."),
        say("Other users of the same array."),
    ),
    ("pools", "latency_ms"): (
        say("The path to the array: host bus adapters, switches, queue depths."),
        say("Bursts: a queue is taken at its mean."),
    ),
    ("pools", "capacity_pct"): (
        say("Snapshots, swap files of VMs, templates, and space that formatting takes."),
    ),
    ("pools", "usable_gib"): (say("Space that formatting and the array’s own system take."),),
    ("failures", "cpu_pct"): (
        say("The minutes in between: detection, boot, and everybody logging in again."),
        say("DRS, which would move VMs afterwards."),
    ),
    ("failures", "ram_pct"): (say("DRS, which would move VMs afterwards."), NEIGHBOURS),
    ("failures", "response_ms"): (
        say(
            "The minutes in between: detection, boot, cold caches, and everybody logging in again."
        ),
    ),
}
_AS_WITH = {
    "failure_cpu_pct": ("failures", "cpu_pct"),
    "failure_ram_pct": ("failures", "ram_pct"),
    "failure_pct": ("failures", "cpu_pct"),
    "vm_cpu_pct": ("failures", "cpu_pct"),
}


def missing(w: Workings, table: str, subject: str, field: str) -> tuple[str, ...]:
    """What the number does not hold, the general first, then what this very item lacks."""
    key = _AS_WITH.get(field, (table, field))
    return (*MISSING.get(key, ()), *_of_item(w, table, subject, field))


def _of_item(w: Workings, table: str, subject: str, field: str) -> Iterator[str]:
    if table != "vms" or subject not in w.vm_rows:
        return
    vm = w.scenario.vms[w.vm_rows[subject]]
    row, laws = w.vm_rows[subject], w.inputs.laws
    if field == "response_ms" and vm.pool is None:
        yield say("Its disks: the VM has no pool, so nothing is shared there.")
    if laws.family_a[row] and field == "iops":
        yield say("IOPS of Domino 7.0.2 were never measured: they are those of 8.5.1 by a factor.")
    if vm.fault_tolerance:
        yield say(
            "What Fault Tolerance costs the VM itself: the document shows it as a chart only."
        )
    yield from _of_workload(vm, field)


def _of_workload(vm: Vm, field: str) -> Iterator[str]:
    if not vm.workload.kind.has_users:
        yield say("Everything but the figures that were entered for it.")
    elif vm.log_pool is not None and field == "iops":
        yield say("The I/O of its logs on a pool of their own: no document gives it.")

"""Where the ends of an interval come from, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator

from models.evidence.constants import VCPUS_PER_VM
from models.evidence.uncertainty import widening
from models.explain.workings import Workings
from models.physics.demand import MAIL85_HALF_WIDTH
from models.physics.laws import (
    A_VCPUS,
    MEMBER_HALF_WIDTH,
    SETTING_HALF_WIDTH,
    SPEC_HALF_WIDTH,
    release_cost,
    steps_of,
)
from models.physics.loads import LIKE_FILES
from models.physics.responses import SINGLE_POINT_HALF_WIDTH
from models.physics.steps import GENERATIONS, HYPERVISORS, RELEASES, grown
from models.physics.storage import LATENCY_HALF_WIDTH
from models.predicted import FAILURE
from models.quantities import Basis, Quantity
from models.texts import Numeral, say
from models.wording import ENGLISH, Style, number, signed

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
    apart = steps_of(w.arrays, w.catalog, of_a=of_a)[:, row]
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

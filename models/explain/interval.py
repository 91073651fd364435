"""Where the ends of an interval come from, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator

from models.evidence.uncertainty import widening
from models.explain.workings import Workings
from models.physics.demand import MAIL85_HALF_WIDTH
from models.physics.laws import MEMBER_HALF_WIDTH, SETTING_HALF_WIDTH, SPEC_HALF_WIDTH
from models.physics.responses import SINGLE_POINT_HALF_WIDTH
from models.quantities import Quantity
from models.wording import ENGLISH, THIN, Style, number

SUMS = frozenset({("hosts", "cpu_pct"), ("pools", "iops"), ("hosts", "network_pct")})


def interval_words(
    w: Workings, table: str, subject: str, field: str, quantity: Quantity, style: Style = ENGLISH
) -> tuple[str, ...]:
    """How the nominal 90 % interval comes about."""
    if quantity.value is None or quantity.low is None or quantity.high is None:
        return ()
    if quantity.low == quantity.high:
        return ("Follows from the inputs without error, so it has no interval.",)
    return tuple(_sentences(w, table, subject, field, quantity, style))


def _sentences(
    w: Workings, table: str, subject: str, field: str, quantity: Quantity, style: Style
) -> Iterator[str]:
    if table == "vms" and field in ("cpu_pct", "iops", "response_ms"):
        yield _factors(quantity, style)
        yield from _of_vm(w, subject, field)
    elif field == "network_mbps":
        yield "The low end takes the smallest frames, the high end the largest."
    elif (table, field) in SUMS:
        yield "The ends of its parts add up: they share one law and err together."
    elif table == "pools":
        yield (
            "The ends of the load over the limit at its best and worst read share: "
            "66 to 75 % of reads where it is assumed."
        )
    else:
        yield "The ends of what it is worked out from."


def _factors(quantity: Quantity, style: Style) -> str:
    """Low and high over the value, as per cents."""
    value, low, high = quantity.value, quantity.low, quantity.high
    if not value or low is None or high is None:
        return ""
    below, above = 100 * (low / value - 1), 100 * (high / value - 1)
    ends = f"{number(below, style=style)}{THIN}% to +{number(above, style=style)}{THIN}%"
    return f"Nominal 90{THIN}% interval, from errors on held-out points: {ends}."


def _of_vm(w: Workings, subject: str, field: str) -> Iterator[str]:
    row, laws = w.vm_rows[subject], w.inputs.laws
    if laws.generic[row]:
        return
    if laws.family_a[row]:
        quantity = "response_ms" if field == "response_ms" else "cpu_pct"
        cover = w.inputs.family_a(quantity)
        yield (
            "Family A: this configuration was run."
            if cover.configuration_measured[row]
            else "Family A: this configuration was not run, so whole series held out decide."
        )
        yield from _steps(float(cover.steps[row]))
        if field == "response_ms" and cover.past[row] > 0:
            yield (
                "Past the last run nothing says that the knee is a limit: the low end stays there "
                "until the CPU is short."
            )
    else:
        yield f"Family B: its own runs, ±{MAIL85_HALF_WIDTH:.0%} (stated)."
        yield from _steps(float(w.inputs.family_b.steps[row]))
        if field == "response_ms":
            yield (
                f"One run with a response time: ±{SINGLE_POINT_HALF_WIDTH:.0%} more, "
                "its shape borrowed from family A."
            )
    yield from _transfers(w, row)


def _steps(steps: float) -> Iterator[str]:
    if steps > 0.005:
        yield (
            f"{steps:.1f} steps outside what was measured (thousands of users and doublings of "
            f"RAM): {float(widening(steps)):.1f} times as wide."
        )


def _transfers(w: Workings, row: int) -> Iterator[str]:
    """What leads away from the measurement, with what each step adds."""
    laws, vms = w.inputs.laws, w.arrays.vms
    if laws.slowness[row] != 1.0:
        yield f"Another machine, by SPEC rate per core: ±{SPEC_HALF_WIDTH:.0%} more (stated)."
    if not laws.vcpus_as_measured[row]:
        yield f"Another number of vCPUs: ±{SETTING_HALF_WIDTH:.0%} more (stated)."
    if not laws.direct[row]:
        words = "Another hypervisor, storage path, array or mail file than measured"
        yield f"{words}: ±{SETTING_HALF_WIDTH:.0%} more (stated)."
    if laws.family_a[row] and vms.clustered[row]:
        yield f"Member of a Domino cluster, by family C: ±{MEMBER_HALF_WIDTH:.0%} more (stated)."
    if not laws.release_measured[row] and not math.isclose(float(laws.cpu_factor[row]), 1.0):
        yield "Another release: the document says “up to”, so the half width is the whole step."

"""The predicted numbers: what each is called, its unit, whose it is, and what it is held to.

One row a number, in the order in which numbers stand beside one another. Window, command line,
documents, comparison, sweep and JSON read it here; how a number is worked out again, term by term,
is `models.explain`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from models.base.texts import joined, say
from models.scenario.scenario import Policy
from models.scenario.transactions import PER_MINUTE, TRANSACTIONS

RESOURCES: Mapping[str, str] = {
    "cpu": "CPU",
    "ram": "RAM",
    "iops": "I/O",
    "space": say("space"),
    "network": say("network"),
    "response": say("response time"),
}
"""What verdicts are made of, by resource: the words of a sentence."""

OfPolicy = Callable[[Policy], float]
FAILURE = "failure_pct"
"""What is left of the limits in the worst failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dial:
    """A number as the design's own: that of the item nearest to its limit.

    Attributes:
        explained: what the dial shows; `compared`, `swept`: its row and its axis elsewhere.
        widest: what the dial has room for even while it says less.
    """

    explained: str
    compared: str
    swept: str
    widest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictedNumber:
    """One predicted number.

    Attributes:
        title: its name in a sentence: ``response time``.
        head: over a column or a dial; `brief`: where there is little room; `used`: as a share in
            use; `failing`: in a failure. Empty: as `title`.
        of: tables of the prediction that have it; ``failures``: each way to fail.
        limit, peak: by policy, in its unit: what it is held to, and the factor of its peak over the
            average that is shown. None: to nothing; judged as it is.
        resource: whose verdict it is judged for, of `RESOURCES`; empty: of none.
        dial: where it is one of the numbers of the whole design.
    """

    title: str
    unit: str = ""
    of: tuple[str, ...] = ()
    head: str = ""
    brief: str = ""
    used: str = ""
    failing: str = ""
    limit: OfPolicy | None = None
    peak: OfPolicy | None = None
    resource: str = ""
    dial: Dial | None = None


PREDICTED: Mapping[str, PredictedNumber] = {
    "cpu_pct": PredictedNumber(
        title="CPU",
        resource="cpu",
        unit="%",
        of=("vms", "hosts", "failures"),
        failing=say("CPU of the busiest survivor"),
        limit=lambda policy: policy.cpu_limit_pct,
        peak=lambda policy: policy.peak_factor_cpu,
        dial=Dial(
            explained=say("CPU of the host or VM nearest to the limit"),
            compared=say("CPU at the item nearest its limit"),
            swept=say("CPU, nearest its limit"),
            widest="100\u202f%",
        ),
    ),
    "vm_cpu_pct": PredictedNumber(
        title=say("CPU of a VM"),
        unit="%",
        of=("failures",),
        limit=lambda policy: policy.cpu_limit_pct,
        peak=lambda policy: policy.peak_factor_cpu,
    ),
    "ram_pct": PredictedNumber(
        title="RAM",
        resource="ram",
        unit="%",
        of=("hosts", "failures"),
        used=say("RAM in use"),
        failing=say("RAM of the fullest survivor"),
        limit=lambda policy: policy.memory_overcommit * 100.0,
        dial=Dial(
            explained=say("RAM of the fullest host, per cent of what is installed"),
            compared=say("RAM of the fullest host"),
            swept=say("RAM, fullest host"),
            widest="100\u202f%",
        ),
    ),
    "network_pct": PredictedNumber(
        title=say("network"),
        resource="network",
        unit="%",
        of=("hosts",),
        head=say("Network"),
        used=say("network load"),
        limit=lambda policy: policy.network_limit_pct,
    ),
    "iops": PredictedNumber(
        title="IOPS",
        resource="iops",
        unit="IOPS",
        of=("vms", "pools"),
        dial=Dial(
            explained=say("I/Os per second of the pool nearest to its limit"),
            compared=say("IOPS of the pool nearest its limit"),
            swept=say("IOPS, pool nearest its limit"),
            widest="10,000",
        ),
    ),
    "utilisation_pct": PredictedNumber(
        title=say("disk utilisation"),
        resource="iops",
        unit="%",
        of=("pools",),
        head=say("Busy"),
        brief=say("disks"),
        limit=lambda policy: policy.disk_limit_pct,
        peak=lambda policy: policy.peak_factor_iops,
    ),
    "latency_ms": PredictedNumber(
        title=say("disk latency"), unit="ms", of=("pools",), head=say("Latency")
    ),
    "capacity_pct": PredictedNumber(
        title=say("disk space"),
        resource="space",
        unit="%",
        of=("pools",),
        head=say("Full"),
        brief=say("space"),
        used=say("disk space used"),
        limit=lambda policy: policy.capacity_limit_pct,
    ),
    "ram_gib": PredictedNumber(title=say("RAM with overhead"), unit="GiB", of=("vms",), head="RAM"),
    "ready_pct": PredictedNumber(title=say("ready time"), unit="%", of=("vms",), head=say("Ready")),
    "response_ms": PredictedNumber(
        title=say("response time"),
        resource="response",
        unit="ms",
        of=("vms", "failures"),
        head=say("Response"),
        brief=say("response"),
        failing=say("response time of the slowest VM"),
        limit=lambda policy: policy.response_limit_ms,
        dial=Dial(
            explained=say("mean response time of the slowest VM"),
            compared=say("response time of the slowest VM"),
            swept=say("Response, slowest VM"),
            widest="1,000\u202fms",
        ),
    ),
    "network_mbps": PredictedNumber(
        title=say("network load"), unit="Mb/s", of=("vms",), head=say("Network")
    ),
    TRANSACTIONS: PredictedNumber(
        title=say("transactions a minute"),
        unit=PER_MINUTE,
        of=("vms",),
        head=say("Transactions"),
    ),
    "vcpus_per_core": PredictedNumber(title=say("vCPUs per core")),
    "usable_gib": PredictedNumber(title=say("usable space"), unit="GiB"),
    "failure_cpu_pct": PredictedNumber(title=say("CPU with the worst other host gone"), unit="%"),
    "failure_ram_pct": PredictedNumber(title=say("RAM with the worst other host gone"), unit="%"),
    FAILURE: PredictedNumber(
        title=say("headroom in the worst failure"),
        unit="%",
        head=say("Failure headroom"),
        dial=Dial(
            explained=say("what is left of the CPU and RAM limits"),
            compared=say("CPU and RAM left after the worst failover"),
            swept=say("Headroom in the worst failure"),
            widest=say("100\u202f% left"),
        ),
    ),
    "disk_pct": PredictedNumber(
        title=say("disk utilisation"),
        unit="%",
        limit=lambda policy: policy.disk_limit_pct,
        peak=lambda policy: policy.peak_factor_iops,
    ),
    "power_on": PredictedNumber(title=say("powering on")),
}

DIALS: Mapping[str, Dial] = {id: row.dial for id, row in PREDICTED.items() if row.dial is not None}


def numbers_of(table: str) -> tuple[str, ...]:
    """Ids of the numbers of a table of the prediction, in their order.

    >>> numbers_of("hosts")
    ('cpu_pct', 'ram_pct', 'network_pct')
    """
    return tuple(id for id, row in PREDICTED.items() if table in row.of)


def judged_of(table: str) -> tuple[str, ...]:
    """Those of them that the policy holds to a limit.

    >>> judged_of("pools")
    ('utilisation_pct', 'capacity_pct')
    """
    return tuple(id for id in numbers_of(table) if PREDICTED[id].limit is not None)


def title_of(id: str) -> str:
    """The name of a number; the id itself of what is none, such as a metric of a document."""
    return PREDICTED[id].title if id in PREDICTED else id


def head_of(id: str) -> str:
    """The name over a column or a dial."""
    return PREDICTED[id].head or PREDICTED[id].title


def head_with_unit(id: str) -> str:
    """The name over a column, with the unit where that is not the name.

    >>> head_with_unit("cpu_pct"), head_with_unit("iops")
    ('CPU %', 'IOPS')
    """
    head, unit = head_of(id), PREDICTED[id].unit
    return head if head == unit else joined(" ", (head, unit))


def brief_of(id: str) -> str:
    """The name where there is little room."""
    return (PREDICTED[id].brief if id in PREDICTED else "") or title_of(id)


def used_of(id: str) -> str:
    """The name of how much is used."""
    return PREDICTED[id].used or PREDICTED[id].title


def failing_of(id: str) -> str:
    """The name of what survives a failure: of its worst item."""
    return (PREDICTED[id].failing if id in PREDICTED else "") or title_of(id)


def unit_of(id: str) -> str:
    """The unit of a number; none of what is none."""
    return PREDICTED[id].unit if id in PREDICTED else ""


def limit_of(policy: Policy, id: str) -> float:
    """What a number is held to, in its unit.

    Raises:
        KeyError: to nothing.
    """
    limit = PREDICTED[id].limit
    if limit is None:
        raise KeyError(id)
    return limit(policy)


def peak_of(policy: Policy, id: str) -> float:
    """Peak over average of a number that is judged at peak; 1 of the others."""
    peak = PREDICTED[id].peak
    return 1.0 if peak is None else peak(policy)


def average_limit(policy: Policy, id: str) -> float:
    """The limit of a number that is shown as an average, whether or not it is judged at peak."""
    return limit_of(policy, id) / peak_of(policy, id)


@dataclass(frozen=True, slots=True)
class NumberRef:
    """Which number is asked about.

    Attributes:
        table: ``vms``, ``hosts``, ``pools``, ``failures`` or ``dials``.
        subject: id of the item (of a failure the host that is gone); empty for a dial.
        field: of the table, such as ``cpu_pct``; of hosts also ``failure_cpu_pct``.
    """

    table: str
    subject: str
    field: str

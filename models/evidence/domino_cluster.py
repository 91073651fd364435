"""What a Domino cluster adds to the demand of its members: the law of evidence family C.

From "Optimizing server performance: Domino clusters (Part 2)" (Iris Today, 1999): Domino R5, two
servers, 500 users of the R4 clustered mail workload on one of them. A member pushes the changes of
its databases to the members that hold replicas, and receives theirs:

    demand = own·(1 + push·replicas) + receive·Σ own of those who replicate here

with `own` what its users ask for without a cluster, in core-seconds or in disk I/O, and `replicas`
how many further copies of its databases the cluster keeps. A lost partner takes its pushing and
receiving along and leaves its users.

How much is pushed "is proportional to how update-intensive the workload is": from 5 % more CPU
where most of it reads to three times that of the server alone. All intervals are that range.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from models.base.errors import ModelError
from models.base.quantities import Basis, FloatArray
from models.evidence.rows import Constant, Rows, basis_of, figure, increase, ratio, scaled

MOST_OVER_BASE = 3.0
"""CPU of a member over that without a cluster, at most: "more than three times that needed for
the non-clustered base workload in a very intense workload environment" (Sizing a cluster)."""

PUSH_OF_A_COPY = {"cpu": (0.936, 0.608, 1.641), "disk": (0.071, 0.057, 0.086)}
"""What pushing to a further copy adds to an active member of R4.6, of that without a cluster:
value, least and most. CPU: straight lines through the three measured numbers of standbys, of both
counts of replicator tasks together, of one task, and of as many tasks as standbys; disk: the mean,
least and most of the steps from two standbys to four (`rule/domino-r4-6-cluster/…`)."""

RECEIVED_EXPONENT = (1.0, 0.0, 1.45)
"""Power of the copies with which CPU of a standby grows by what it receives: value (the mean of
four steps of R4.6, 1.01), none (what is received is received once), and the most of the steps."""

_TEST = "r5-clusters/cluster-testing/"
_QUEUE = "r5-clusters/varying-cluster-replicators/average-replicator-queue-time-"
_BOTH = "r5-clusters/testing-summary/"
_SIZING = "r5-clusters/sizing-a-cluster/"
_CPU_ALONE = _TEST + "cpu-without-clustering-active"
_DISK_UNLOGGED = _TEST + "data-disk-busy-without-transaction-logging-clustered"
_DISK_INCREASE = _TEST + "relative-disk-utilization-increase-from-clustering"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterR5:
    """Family C: what clustering and transaction logging added with R5 and 500 users.

    Attributes:
        cpu_factor, disk_factor: of the active member over the server alone.
        receive_cpu_share, receive_disk_share: load of the standby over that of the active server
            alone.
        least_extra: the least that a member of a cluster takes more, of the server alone.
        logging_disk_factor: disk with transaction logging over that without; CPU stays the same.
        standby_cpu_pct, standby_disk_pct: of the standby machine, as printed.
        replicator_queue_s_1, replicator_queue_s_3: queue of one and three replicators.
        replicators_beyond: replicators recommended beyond the members replicated to.
        cpu_limit_pct, network_limit_pct: rules of sizing.
    """

    cpu_factor: Constant
    disk_factor: Constant
    receive_cpu_share: Constant
    receive_disk_share: Constant
    least_extra: Constant
    logging_disk_factor: Constant
    standby_cpu_pct: Constant
    standby_disk_pct: Constant
    replicator_queue_s_1: Constant
    replicator_queue_s_3: Constant
    replicators_beyond: Constant
    cpu_limit_pct: Constant
    network_limit_pct: Constant


def cluster_r5(rows: Rows) -> ClusterR5:
    """The constants of family C, read from the evidence.

    Raises:
        ModelError: a row that a constant stands on is missing or blank.
    """
    return ClusterR5(
        cpu_factor=ratio(rows, _TEST + "cpu-with-clustering-active", _CPU_ALONE),
        disk_factor=increase(rows, _DISK_INCREASE),
        receive_cpu_share=_receive_cpu(rows),
        receive_disk_share=_receive_disk(rows),
        least_extra=scaled(
            rows,
            _SIZING + "additional-cpu-for-cluster-member-minimum",
            0.01,
            "1",
            "5 %, as a share",
        ),
        logging_disk_factor=ratio(
            rows,
            _TEST + "data-disk-busy-with-transaction-logging",
            _DISK_UNLOGGED,
            "74 to 61 % is -17.6 %; the text prints a decrease of 21 %, which does not follow",
        ),
        standby_cpu_pct=scaled(rows, _TEST + "standby-cpu-due-to-cluster-replication", 1.0, "%"),
        standby_disk_pct=scaled(
            rows, _TEST + "standby-disk-activity-due-to-cluster-replication", 1.0, "%"
        ),
        replicator_queue_s_1=scaled(rows, _QUEUE + "1-replicator", 1.0, "s"),
        replicator_queue_s_3=scaled(rows, _QUEUE + "3-replicators", 1.0, "s"),
        replicators_beyond=scaled(
            rows,
            "r5-clusters/varying-cluster-replicators/recommended-replicators-n-1",
            1.0,
            "tasks",
            "n + 1 for n members replicated to",
        ),
        cpu_limit_pct=scaled(rows, _SIZING + "average-total-cpu-not-to-exceed", 1.0, "%"),
        network_limit_pct=scaled(
            rows, _SIZING + "network-utilization-threshold-needing-upgrade", 1.0, "%"
        ),
    )


def _receive_cpu(rows: Rows) -> Constant:
    points = _BOTH + "extra-cpu-when-both-members-carry-500-users"
    return ratio(
        rows,
        points,
        _CPU_ALONE,
        "8 points for 500 users of a partner, over the 25 % that 500 users take alone; the standby "
        "that took 8 % was another machine (2 Pentium II of 300 MHz, not 2 Pentium Pro of 200)",
    )


def _receive_disk(rows: Rows) -> Constant:
    points = _BOTH + "extra-disk-when-both-members-carry-500-users"
    ids = (points, _DISK_UNLOGGED, _DISK_INCREASE)
    alone = figure(rows, ids[1]) / (1.0 + figure(rows, ids[2]) / 100.0)
    return Constant(
        value=figure(rows, points) / alone,
        unit="1",
        basis=max(basis_of(rows, id) for id in ids),
        evidence=ids,
        note="35 points for 500 users of a partner, over the 61 % that 500 users take alone (74 % "
        "in the cluster over 1.21); the standby that took 35 % had other disks",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What clustering adds, as a share of a server's own demand without a cluster [1].

    Attributes:
        value, low, high: with the range of how much a workload updates.
        basis, evidence: behind it.
    """

    value: float
    low: float
    high: float
    basis: Basis
    evidence: tuple[str, ...]

    @property
    def ends(self) -> FloatArray:
        """Value, low and high, shape (3,)."""
        return np.array([self.value, self.low, self.high])


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterLaw:
    """Shares that a member pushes and receives, of CPU and of disk I/O."""

    push_cpu: Share
    push_disk: Share
    receive_cpu: Share
    receive_disk: Share

    @property
    def evidence(self) -> tuple[str, ...]:
        """Every row behind the law, once each."""
        shares = (getattr(self, field.name) for field in fields(self))
        return tuple(dict.fromkeys(id for share in shares for id in share.evidence))


def cluster_law(constants: ClusterR5) -> ClusterLaw:
    """The law from family C's constants.

    Both CPU shares together range from `least_extra` to `MOST_OVER_BASE` − 1 of the server alone;
    every share, of disk too, moves by the same factor, as all of them come from updates.

    Valid: R5, 500 users, two members, NotesBench R4 clustered mail. Used elsewhere it is
    *transferred*: family B's cluster run of 8.5.1 took 32 % CPU where the law says 47 % (30 to
    86), and 1,130 I/Os per second where it says 961 (570 to 1,860); see `fitting.transfers`.
    """
    push, receive = constants.cpu_factor.value - 1.0, constants.receive_cpu_share.value
    least = constants.least_extra.value / (push + receive)
    most = (MOST_OVER_BASE - 1.0) / (push + receive)
    rule = constants.least_extra.evidence

    def share(value: float, constant: Constant) -> Share:
        return Share(
            value=value,
            low=value * least,
            high=value * most,
            basis=constant.basis,
            evidence=constant.evidence + rule,
        )

    return ClusterLaw(
        push_cpu=share(push, constants.cpu_factor),
        push_disk=share(constants.disk_factor.value - 1.0, constants.disk_factor),
        receive_cpu=share(receive, constants.receive_cpu_share),
        receive_disk=share(constants.receive_disk_share.value, constants.receive_disk_share),
    )


def copies_growth(copies: npt.ArrayLike, quantity: str, pushed: npt.ArrayLike) -> FloatArray:
    """Demand of an active member with so many further copies over that with one [1], shape (3, …).

    (1 + p·copies)/(1 + p), p of `PUSH_OF_A_COPY`; the low end where no copy costs more than the
    first did on the server in question.

    Valid: R4.6, 100 medium mail users, one active server, two to five standbys that hold all;
    elsewhere transferred. Source: Iris Today, "Optimizing server performance: Domino clusters
    (Part 1)", test results with several Cluster Replicators.

    Args:
        copies: further copies of the member's databases, 1 and more.
        quantity: ``cpu`` or ``disk``.
        pushed: what the first copy adds there, of the demand without a cluster; broadcasts.

    From two standbys to five measured CPU rose to 1.82 times with one replicator task, and to 2.16
    times with as many tasks as standbys:

    >>> two, five = copies_growth([2.0, 5.0], "cpu", 0.055)[0]
    >>> round(float(five / two), 2)
    1.98
    >>> copies_growth(1.0, "cpu", 0.055).tolist()
    [1.0, 1.0, 1.0]
    """
    found, first = np.asarray(copies, dtype=np.float64), np.asarray(pushed, dtype=np.float64)
    value, least, most = PUSH_OF_A_COPY[quantity]
    shares = (value, np.minimum(first, least), np.maximum(first, most))
    grown = [(1.0 + share * found) / (1.0 + share) for share in shares]
    return np.array(np.broadcast_arrays(*grown))


def member_demand(
    own: npt.ArrayLike,
    received: npt.ArrayLike,
    *,
    push: Share,
    receive: Share,
    replicas: npt.ArrayLike = 1.0,
) -> FloatArray:
    """Demand of a cluster member with its ends, shape (3, …), in the unit of `own`.

    own·(1 + push·replicas) + receive·received

    Valid: R5, two members, 500 users each; elsewhere transferred. Source: Iris Today, "Cluster
    testing" and "Testing summary".

    Args:
        own: what the member's users ask for without a cluster (CPU or disk), any shape.
        received: sum of what the users of the members that replicate to this one ask for there,
            without a cluster; broadcasts. 0 on a member that holds no replicas of others.
        replicas: further copies of the member's databases: 1 with one partner, 0 when it is lost.

    The standby of family C, 25 % of a like machine replicated to it:

    >>> law = Share(value=0.32, low=0.025, high=1.0, basis=Basis.RULE, evidence=())
    >>> member_demand(0.0, 25.0, push=law, receive=law).round(3).tolist()
    [8.0, 0.625, 25.0]

    Both members with 500 users, "approximately 8 %" on top of 33 %:

    >>> member_demand(25.0, 25.0, push=law, receive=law).round(3).tolist()
    [41.0, 26.25, 75.0]
    """
    alone = np.asarray(own, dtype=np.float64)
    shape = (3,) + (1,) * np.broadcast(alone, np.asarray(received)).ndim
    pushed, taken = push.ends.reshape(shape), receive.ends.reshape(shape)
    return np.asarray(alone * (1.0 + pushed * np.asarray(replicas)) + taken * np.asarray(received))


def split_extra(extra: float, push: Share, receive: Share) -> tuple[float, float]:
    """What both members of a pair took more, divided as family C divides it [1].

    extra·push/(push + receive) and extra·receive/(push + receive): of two like servers that push to
    each other each takes `extra` of itself alone, whichever of the two it comes from.

    Valid for a run with both members active, as family B's: 32 % CPU instead of 28.7, which leaves
    half of the 11 % on either side. Sources: of the shares Iris Today, of that run the vSphere 4
    paper, table 3; the division is arithmetic.

    >>> half = Share(value=0.32, low=0.0, high=1.0, basis=Basis.RULE, evidence=())
    >>> split_extra(0.11, half, half)
    (0.055, 0.055)
    """
    whole = push.value + receive.value
    return extra * push.value / whole, extra * receive.value / whole


def recommended_replicators(members: int, beyond: Constant) -> int:
    """Replicator tasks on a member that replicates to `members` others: n + 1 [tasks].

    Args:
        beyond: `ClusterR5.replicators_beyond`.

    Source: "Recommended number of cluster replicators", a rule to start from.

    >>> from models.base.quantities import Basis
    >>> rule = Constant(value=1.0, unit="tasks", basis=Basis.RULE, evidence=(), note="n + 1")
    >>> recommended_replicators(1, rule)
    2
    """
    return members + round(beyond.value)


def replicator_queue_s(replicators: npt.ArrayLike, *, one_s: float, three_s: float) -> FloatArray:
    """Mean time that a change waits for a replicator [s]: q₁·c^(−x), x = ln(q₁/q₃)/ln 3.

    Source: "Varying cluster replicators". Valid for 500 users and one to three replicators: 45 s
    with one and 14 s with three were measured, two are interpolated, more extrapolated (four were
    run, but only drawn).

    Args:
        replicators: tasks c, 1 and more.
        one_s, three_s: `ClusterR5.replicator_queue_s_1` and `…_3` [s].

    Raises:
        ModelError: less than one replicator.

    >>> replicator_queue_s([1.0, 2.0, 3.0], one_s=45.0, three_s=14.0).round(1).tolist()
    [45.0, 21.5, 14.0]
    """
    count = np.asarray(replicators, dtype=np.float64)
    if np.any(count < 1.0):
        raise ModelError("a cluster member needs at least one replicator")
    exponent = np.log(one_s / three_s) / np.log(3.0)
    return np.asarray(one_s * count**-exponent)


LOGGING_RANGE = (0.80, 0.90)
"""Disk I/O with transaction logging over that without, by the source's own claim for R5: 10 to 20
per cent less."""


def logged_disk(disk: npt.ArrayLike, factor: float) -> FloatArray:
    """Disk load with transaction logging from that without, value, low and high, shape (3, …).

    Args:
        disk: load without logging, in any unit.
        factor: `ClusterR5.logging_disk_factor`, 61/74 [1]; the ends are `LOGGING_RANGE`.

    Valid: R5, in a cluster, 500 users. Source: Iris Today, "Cluster testing". CPU "remained the
    same". The log's own sequential writes go to another disk and are not in the figure.

    >>> logged_disk(74.0, 61 / 74).round(1).tolist()
    [61.0, 59.2, 66.6]
    """
    factors = np.array([factor, *LOGGING_RANGE])
    return np.asarray(np.multiply.outer(factors, np.asarray(disk, dtype=np.float64)))

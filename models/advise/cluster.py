"""From one running Domino server to a cluster: what every member does, and what it can take."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from models.advise.advice import (
    GIVEN,
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
    printed,
)
from models.advise.found import (
    BUSY_HOUR,
    STATISTICS,
    about,
    busy_hour_pct,
    cluster_members,
    derating_of,
    dominos,
    mail_servers,
    origins_of,
    placed,
    predicted_of,
    values_of,
)
from models.advise.put import fresh_name, one_more, subject_of
from models.base.errors import ModelError
from models.base.fields import described, of_fields, optional
from models.base.quantities import Basis, FloatArray
from models.base.texts import Text, opening, say, say_many
from models.evaluate import evaluate
from models.evidence.domino_cluster import (
    RECEIVED_EXPONENT,
    ClusterLaw,
    Share,
    cluster_law,
    copies_growth,
    member_demand,
    recommended_replicators,
    replicator_queue_s,
)
from models.evidence.rows import Constant
from models.intake.records import Records
from models.physics.demand import member_costs
from models.predict.prediction import Prediction, Verdict
from models.resilience.domino_members import (
    MOST_MEASURED_REPLICATORS,
    PATTERN_SOURCE,
    pattern_users,
)
from models.scenario.scenario import Policy, Scenario, Vm
from models.scenario.wording import number

_TEST, _SIZING = "r5-clusters/cluster-testing/", "r5-clusters/sizing-a-cluster/"
_WORKLOAD = "r5-clusters/r4-clustered-mail-workload/mail-"
_WRITES = (
    _WORKLOAD + "documents-updated-per-user-per-8-h",
    _WORKLOAD + "documents-deleted-per-user-per-8-h",
    _WORKLOAD + "messages-sent-per-user-per-8-h",
)
_USERS = _TEST + "test-users"
_MEMORY = _SIZING + "memory-per-notes-client"
_QUEUE = "r5-clusters/varying-cluster-replicators/average-replicator-queue-time-"
_OTHER_LAW = (8, 5)
"""The release from which the clustered run of 8.5.1 speaks rather than that of R5."""


MOST_MEMBERS = 6


@of_fields
class ClusterPlan:
    """A running server, measured in its busy hours, and the cluster that it is to become."""

    release: str = described(
        "R5", say("release"), meaning="Domino release of the measured server, such as R5, 8.5.1."
    )
    members: int = described(
        2,
        say("members"),
        meaning="Servers of the cluster, this one among them.",
        ge=2,
        le=MOST_MEMBERS,
    )
    replicas_per_user: int = described(
        2,
        say("copies of a mail file"),
        meaning="Members that hold each mail file, the home server among them.",
        ge=2,
        le=6,
    )
    users: float | None = optional(
        say("active users on each member"),
        unit="users",
        meaning="Active users of each member in normal operation; null: not known.",
        empty=say("not known"),
        ge=0,
        le=1e6,
        is_whole=True,
    )
    benchmark_derating: float = derating(
        1.0,
        meaning="Benchmark users of an active user: 2 in production, as the documents halve "
        "what a benchmark shows; 1 where the users are those of a benchmark.",
    )
    cpu_pct: float | None = percent(
        say("CPU without a cluster"), meaning="CPU of the server today, without a cluster [%]."
    )
    disk_pct: float | None = percent(
        say("data disks busy without a cluster"),
        meaning="Busy time of the data disks today, without a cluster [%].",
    )
    disk_in_cluster_pct: float | None = percent(
        say("data disks busy as active member"),
        meaning="Busy time of the data disks of a server that replicates to a partner without "
        "users of its own [%]; instead of `disk_pct`.",
    )
    transaction_logging: bool = described(
        False,
        say("transaction logging"),
        meaning="The measured server writes a transaction log on disks of its own.",
    )
    network_pct: float | None = percent(
        say("network load"), meaning="Load of the network that members share, today [%]."
    )
    writes_per_user_day: float | None = optional(
        say("documents written per user and day"),
        meaning="Documents that a user changes, deletes and sends within 8 hours; null: as the "
        "tested workload, 133.",
        empty=say("as tested, 133"),
        ge=0,
        le=1e5,
    )
    clients: float | None = optional(
        say("connected Notes clients"),
        unit="users",
        meaning="Notes clients connected to a member with a partner lost; null: its active "
        "users then.",
        empty=say("as many as users"),
        ge=0,
        le=1e6,
        is_whole=True,
    )
    vcpus: int | None = optional(
        say("vCPUs of a member"), meaning="vCPUs of a member.", empty=say("not said"), ge=1, le=128
    )
    ram_gib: float | None = optional(
        say("RAM of a member"),
        meaning="RAM of a member [GiB].",
        empty=say("not said"),
        ge=0.25,
        le=24_576,
    )
    has_spare_cpu: bool = described(
        False, say("CPU to spare"), meaning="There is CPU to spare for one more replicator task."
    )


# --- the law, for this workload -----------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Members:
    """The plan with what is known of its kind.

    Attributes:
        law: shares that are pushed and received, for the writes of these users.
        intensity: writes of a user over those of the tested workload [1].
        is_tested: whether the release and the copies are the tested ones.
    """

    plan: ClusterPlan
    knowledge: CitedKnowledge
    law: ClusterLaw
    intensity: float
    is_tested: bool

    @property
    def others(self) -> int:
        """Members that each replicates to."""
        return self.plan.members - 1

    @property
    def copies(self) -> float:
        """Further copies of each mail file."""
        return float(self.plan.replicas_per_user - 1)

    @property
    def copies_with_one_lost(self) -> float:
        """Further copies of the mail files of those who are left, on average."""
        return max(self.copies - self.plan.replicas_per_user / self.plan.members, 0.0)

    def mine(self, own: float, quantity: str, copies: float) -> FloatArray:
        """Load of a member for its own users and for pushing so many further copies, (3,)."""
        push, receive = self._shares(quantity)
        growth = copies_growth(max(copies, 1.0), quantity, push.value)[0]
        pushed = member_demand(own, 0.0, push=push, receive=receive, replicas=min(copies, 1.0))
        return np.asarray(pushed * growth)

    def taken(self, own: float, quantity: str, copies: float) -> FloatArray:
        """Load of a member for so many copies from members with `own` each, (3,)."""
        push, receive = self._shares(quantity)
        power = RECEIVED_EXPONENT[0] if quantity == "cpu" else 1.0
        return member_demand(0.0, own * copies**power, push=push, receive=receive)

    def _shares(self, quantity: str) -> tuple[Share, Share]:
        if quantity == "cpu":
            return self.law.push_cpu, self.law.receive_cpu
        return self.law.push_disk, self.law.receive_disk

    @property
    def logging_factor(self) -> float:
        """Data disks with a transaction log over those without [1]."""
        return self.knowledge.calibration.constants.cluster_r5.logging_disk_factor.value

    @property
    def disk_alone(self) -> float | None:
        """Busy time of the data disks without a cluster and without logging [%]."""
        plan = self.plan
        logging = self.logging_factor if plan.transaction_logging else 1.0
        if plan.disk_pct is not None:
            return plan.disk_pct / logging
        if plan.disk_in_cluster_pct is None:
            return None
        return plan.disk_in_cluster_pct / logging / (1.0 + self.law.push_disk.value)


def _members(plan: ClusterPlan, knowledge: CitedKnowledge) -> _Members:
    tested = sum(knowledge.figure(id) for id in _WRITES)
    writes = tested if plan.writes_per_user_day is None else plan.writes_per_user_day
    constants = knowledge.calibration.constants
    law, later = cluster_law(constants.cluster_r5), release_number(plan.release) >= _OTHER_LAW
    shares = (law.push_cpu, law.push_disk, law.receive_cpu, law.receive_disk)
    values = [each.value for each in shares]
    if later:
        costs = member_costs(constants)
        values = [costs.cpu_push, costs.io_push, costs.cpu_received, costs.io_received]
    intensity = writes / tested
    scaled = [value * intensity for value in values]
    return _Members(
        plan=plan,
        knowledge=knowledge,
        law=ClusterLaw(
            push_cpu=_within(law.push_cpu, scaled[0], intensity, constants.cluster_r5.least_extra),
            push_disk=_within(law.push_disk, scaled[1], intensity),
            receive_cpu=_within(law.receive_cpu, scaled[2], intensity),
            receive_disk=_within(law.receive_disk, scaled[3], intensity),
        ),
        intensity=intensity,
        is_tested=not later and plan.replicas_per_user == 2 and intensity == 1.0,
    )


def _within(share: Share, value: float, intensity: float, least: Constant | None = None) -> Share:
    """A share with another value, which is never below what the source has as the least; who writes
    more than was tested may take as much more than its most, which is “more than three times”.

    Args:
        least: what every member takes more at least, also one that only pushes.
    """
    low = max(share.low, 0.0 if least is None else least.value)
    value = max(value, low)
    return Share(
        value=value,
        low=low,
        high=max(share.high * max(intensity, 1.0), value),
        basis=share.basis,
        evidence=share.evidence,
    )


def release_number(release: str) -> tuple[int, ...]:
    """Major and minor number of a release; nothing where it has none.

    >>> release_number("R5"), release_number("Domino 8.5.1"), release_number("new")
    ((5,), (8, 5), ())
    """
    digits = "".join(each if each.isdigit() else " " for each in release).split()
    return tuple(map(int, digits[:2]))


# --- numbers ------------------------------------------------------------------------------------


def _answer(plan: ClusterPlan, knowledge: CitedKnowledge) -> Advice:
    if plan.replicas_per_user > plan.members:
        reason = say("must not be more than the {count} members", count=plan.members)
        raise ModelError(reason, field="replicas_per_user")
    if plan.disk_pct is not None and plan.disk_in_cluster_pct is not None:
        raise ModelError(say("is given beside disk_pct"), field="disk_in_cluster_pct")
    members = _members(plan, knowledge)
    numbers = (
        *_cpu(members),
        *_disk(members),
        *_network(members),
        *_users(members),
        *_replicators(members),
        *_memory(members),
    )
    verdict, why = _verdict(members, numbers)
    limit = knowledge.calibration.constants.cluster_r5.network_limit_pct.value
    is_network_short = any(_network_words(_values(numbers), limit))
    words = {
        Verdict.FITS: say("fits"),
        Verdict.AT_RISK: say("at risk"),
        Verdict.DOES_NOT_FIT: say("over capacity"),
        Verdict.NOT_KNOWN: say("measure first"),
    }
    return Advice(
        conclusion=words[verdict],
        verdict=verdict,
        sentence=why[0],
        numbers=numbers,
        tables=(_queues(members),),
        reasons=(*why[1:], *_reasons(members)),
        next=tuple(_next(members, is_network_short=is_network_short)),
        lines=(servertasks(_tasks(members)),),
        sources=knowledge.sources(
            _TEST + "cpu-with-clustering-active",
            "r5-clusters/testing-summary/testing-summary-cpu-increase",
            _QUEUE + "1-replicator",
            _SIZING + "average-total-cpu-not-to-exceed",
            _WRITES[0],
            "vsphere4/clustering-test/cluster-vm-ram",
        ),
    )


def _number(
    members: _Members,
    id: str,
    label: Text,
    found: FloatArray | float,
    *,
    evidence: str,
    unit: str = "%",
    note: str = "",
) -> AdviceNumber:
    """A number of the law, with its ends where it has some."""
    value, low, high = np.broadcast_to(found, 3).tolist()
    return AdviceNumber(
        id,
        label,
        value,
        unit=unit,
        basis=Basis.RULE if members.is_tested else Basis.TRANSFERRED,
        source=members.knowledge.cited(evidence),
        low=low,
        high=high,
        note=note,
    )


def _cpu(members: _Members) -> Iterator[AdviceNumber]:
    plan, law, copies = members.plan, members.law, members.copies
    number_of = partial(_number, members, evidence=_TEST + "cpu-with-clustering-active")
    yield number_of(
        "active_cpu_increase_pct",
        say("more CPU on a member that replicates to a silent partner"),
        100.0 * law.push_cpu.ends,
        note=say("of the server without a cluster"),
    )
    if plan.cpu_pct is None:
        return
    own = plan.cpu_pct
    mine, taken = members.mine(own, "cpu", copies), members.taken(own, "cpu", copies)
    left, more = members.copies_with_one_lost, plan.members / members.others
    failed = members.mine(own * more, "cpu", left) + members.taken(own * more, "cpu", left)
    yield given("cpu_pct", say("CPU without a cluster"), own, "%")
    yield number_of("active_cpu_pct", say("CPU of a member whose partners stand by"), mine)
    yield number_of(
        "standby_cpu_pct",
        say("CPU of a member that stands by"),
        members.taken(own, "cpu", 1.0),
        note=say("on a machine like the active one"),
    )
    yield number_of("both_active_cpu_pct", say("CPU of a member when all have users"), mine + taken)
    yield number_of(
        "failover_cpu_pct",
        say("CPU of a member with a partner lost"),
        failed,
        note=say("its users are spread evenly; what was lost is no longer replicated to"),
    )


def _disk(members: _Members) -> Iterator[AdviceNumber]:
    alone, copies = members.disk_alone, members.copies
    evidence = _TEST + "data-disk-busy-with-transaction-logging"
    number_of = partial(_number, members, evidence=evidence)
    if alone is None:
        if members.plan.users is None or members.plan.users == members.knowledge.figure(_USERS):
            yield printed(
                members.knowledge,
                _TEST + "standby-disk-activity-due-to-cluster-replication",
                "standby_disk_pct",
                say("data disks of a member that stands by"),
            )
        return
    mine, taken = members.mine(alone, "disk", copies), members.taken(alone, "disk", copies)
    standby = members.taken(alone, "disk", 1.0)
    logged = say("what is received is not less for it")
    yield number_of("disk_alone_pct", say("data disks without a cluster or a log"), alone)
    yield number_of("standby_disk_pct", say("data disks of a member that stands by"), standby)
    for id, factor in (("disk", 1.0), ("disk_logged", members.logging_factor)):
        if id == "disk" and members.plan.transaction_logging:
            continue
        note = logged if factor < 1.0 else ""
        active, both = _DISK_LABELS[id]
        yield number_of(f"active_{id}_pct", active, mine * factor)
        yield number_of(f"both_active_{id}_pct", both, mine * factor + taken, note=note)
    yield number_of(
        "logging_change_pct",
        say("data disks of an active member by transaction logging"),
        100.0 * (members.logging_factor - 1.0),
        note=say("74 to 61 % busy is −17.6 %; the article prints 21 %, which is 13 of 61"),
    )


_DISK_LABELS = {
    "disk": (
        say("data disks of a member whose partners stand by"),
        say("data disks of a member when all have users"),
    ),
    "disk_logged": (
        say("the same with a transaction log: partners stand by"),
        say("the same with a transaction log: all have users"),
    ),
}


def _network(members: _Members) -> Iterator[AdviceNumber]:
    load, law = members.plan.network_pct, members.law
    if load is None:
        return
    more = law.push_disk.ends * members.copies + law.receive_disk.ends * members.copies
    evidence = _SIZING + "network-utilization-threshold-needing-upgrade"
    yield given("network_pct", say("network load today"), load, "%")
    yield printed(members.knowledge, evidence, "network_limit_pct", say("network load to act at"))
    yield _number(
        members,
        "network_after_pct",
        say("network load when all members have users"),
        load * (1.0 + more),
        evidence=evidence,
        note=say("grows as the I/O of replication does; rarely a problem at 100 Mb/s"),
    )


def _users(members: _Members) -> Iterator[AdviceNumber]:
    plan = members.plan
    if plan.users is None:
        return
    yield given("users", say("active users on each member"), plan.users, "users")
    yield AdviceNumber(
        "failover_users",
        say("active users on each member with a partner lost"),
        plan.users * plan.members / members.others,
        unit="users",
        source=GIVEN,
    )
    limit = _pattern(plan)
    if limit is not None:
        yield AdviceNumber(
            "tested_failover_users",
            say("active users in failover that were tested on such a server"),
            limit,
            unit="users",
            basis=Basis.MEASURED if plan.benchmark_derating == 1.0 else Basis.RULE,
            source=PATTERN_SOURCE,
        )


def _pattern(plan: ClusterPlan) -> float | None:
    if plan.vcpus is None or plan.ram_gib is None:
        return None
    return pattern_users(plan.vcpus, plan.ram_gib, plan.benchmark_derating)


def _tasks(members: _Members) -> int:
    """Replicator tasks of each member."""
    constants = members.knowledge.calibration.constants.cluster_r5
    tasks = recommended_replicators(members.others, constants.replicators_beyond)
    return tasks + 1 if members.plan.has_spare_cpu and members.others == 1 else tasks


def _queue(members: _Members, tasks: int) -> tuple[float | None, Basis]:
    """Mean time that a change waits [s], as measured or between the two that were."""
    if tasks > MOST_MEASURED_REPLICATORS:
        return None, Basis.NO_DATA
    constants = members.knowledge.calibration.constants.cluster_r5
    one, three = constants.replicator_queue_s_1.value, constants.replicator_queue_s_3.value
    wait = float(replicator_queue_s(float(tasks), one_s=one, three_s=three))
    return wait, Basis.INTERPOLATED if tasks == 2 else Basis.MEASURED


def _replicators(members: _Members) -> Iterator[AdviceNumber]:
    source = members.knowledge.cited(_QUEUE + "1-replicator")
    tasks = _tasks(members)
    yield AdviceNumber(
        "replicators",
        say("replicator tasks on each member"),
        float(tasks),
        unit="tasks",
        source=source,
        note=say("one more than the members replicated to; to start from"),
    )
    for count in range(1, tasks + 1) if tasks > 4 else range(1, 5):
        wait, basis = _queue(members, count)
        yield AdviceNumber(
            f"queue_s_{count}",
            say_many(
                "mean wait for a replicator with {count} task",
                "mean wait for a replicator with {count} tasks",
                count,
            ),
            wait,
            unit="s",
            basis=basis,
            source=source,
            note=_queue_note(count),
        )


def _queue_note(tasks: int) -> Text:
    if tasks > MOST_MEASURED_REPLICATORS:
        return say("drawn only, no figure in the text")
    if tasks == 2:
        return say("interpolated between the two that were measured; CPU is lowest with two")
    return say("R5, 500 users")


def _memory(members: _Members) -> Iterator[AdviceNumber]:
    plan, each = members.plan, members.knowledge.figure(_MEMORY)
    yield printed(members.knowledge, _MEMORY, "client_memory_kb", say("memory of a Notes client"))
    clients = plan.clients
    if clients is None and plan.users is not None:
        clients = plan.users * plan.members / members.others
    if clients is not None:
        yield _number(
            members,
            "clients_memory_mb",
            say("memory of all clients with a partner lost"),
            clients * each / 1024.0,
            unit="MB",
            evidence=_MEMORY,
        )


# --- words --------------------------------------------------------------------------------------


def _values(numbers: tuple[AdviceNumber, ...]) -> dict[str, float]:
    return {each.id: each.value or 0.0 for each in numbers}


def _verdict(
    members: _Members, numbers: tuple[AdviceNumber, ...]
) -> tuple[Verdict, tuple[Text, ...]]:
    """What the numbers come to, and a sentence for each that is too much, the worst first."""
    by_id = _values(numbers)
    constants = members.knowledge.calibration.constants.cluster_r5
    limit = constants.cpu_limit_pct.value
    full: list[Text] = []
    high: list[Text] = []
    for each in numbers:
        words = {"what": opening(each.label), "pct": number(each.value or 0.0)}
        if each.id in _LOADS and (each.value or 0.0) > 100.0:
            full.append(say("{what}: {pct} %, over capacity.", **words))
        elif each.id in _LIMITED and (each.value or 0.0) > limit:
            high.append(
                say(
                    "{what}: {pct} %, above the {limit} % that a server should not exceed.",
                    limit=number(limit),
                    **words,
                )
            )
        elif each.id in _DISKS and (each.value or 0.0) > Policy().disk_limit_pct:
            high.append(
                say(
                    "{what}: {pct} %, above the {limit} % that a new project allows its disks.",
                    limit=number(Policy().disk_limit_pct),
                    **words,
                )
            )
    tested = by_id.get("tested_failover_users")
    if tested is not None and by_id["failover_users"] > tested * (1 + 1e-9):
        high.append(
            say(
                "With a partner lost a member has {users} active users; {tested} were tested on "
                "two vCPUs and 16 GB.",
                users=number(by_id["failover_users"]),
                tested=number(tested),
            )
        )
    high += _network_words(by_id, constants.network_limit_pct.value)
    if full:
        return Verdict.DOES_NOT_FIT, (*full, *high)
    if high:
        return Verdict.AT_RISK, tuple(high)
    if not any(id in by_id for id in _JUDGED):
        unknown = say(
            "Nothing that decides was given: measure the CPU of a member, its data disks or its "
            "network."
        )
        return Verdict.NOT_KNOWN, (unknown,)
    return Verdict.FITS, (_fits(members, by_id),)


_LIMITED = ("both_active_cpu_pct", "failover_cpu_pct")
_DISKS = ("both_active_disk_pct", "both_active_disk_logged_pct")
_LOADS = (*_LIMITED, *_DISKS)
_JUDGED = (*_LOADS, "network_pct", "tested_failover_users")


NEAR_LIMIT = 0.9
"""Of the limit, from which a network is “at or near” it: ours."""


def _network_words(by_id: dict[str, float], limit: float) -> Iterator[Text]:
    """That the network is too busy already, or will be once members replicate."""
    load, after = by_id.get("network_pct", 0.0), by_id.get("network_after_pct", 0.0)
    if load >= NEAR_LIMIT * limit:
        yield say(
            "The network is at {load} %, and at or near {limit} % members need a faster one or a "
            "private network of the cluster.",
            load=number(load),
            limit=number(limit),
        )
    elif after > limit:
        yield say(
            "The network comes from {load} % to {after} % with replication, and at or near {limit} "
            "% members need a faster one or a private network of the cluster.",
            load=number(load),
            after=number(after),
            limit=number(limit),
        )


def _fits(members: _Members, by_id: dict[str, float]) -> Text:
    if "both_active_cpu_pct" not in by_id:
        return say("Nothing that was given is beyond what was tested or recommended.")
    return say(
        "Each of {count} members comes to {cpu} % CPU with users on all, and to {failed} % with a "
        "partner lost.",
        count=members.plan.members,
        cpu=number(by_id["both_active_cpu_pct"]),
        failed=number(by_id["failover_cpu_pct"]),
    )


def _reasons(members: _Members) -> Iterator[Text]:
    tested = sum(members.knowledge.figure(id) for id in _WRITES)
    yield say(
        "What a cluster adds goes with what is written: from {least} % more CPU where most of the "
        "work is reading to more than three times that of the server alone. The tested user wrote "
        "{writes} documents in 8 hours; yours are counted {factor} times as many.",
        least=number(100 * members.knowledge.calibration.constants.cluster_r5.least_extra.value),
        writes=number(tested),
        factor=number(members.intensity, 2),
    )
    if not members.is_tested:
        yield say(
            "The shares are those of R5 with 500 users and two members, or of the clustered run "
            "of 8.5.1; anything else is carried over from there."
        )
    yield say(
        "More replicator tasks shorten the queue only while there is CPU for them; without it they "
        "do harm."
    )


def _next(members: _Members, *, is_network_short: bool) -> Iterator[Text]:
    yield say(
        "Measure CPU, busy time of the data disks, network and what users write over a working "
        "week, before the members are bought."
    )
    yield say(
        "Keep page file and transaction log on disks of their own, the log on a RAID 1 set; no "
        "RAID 0 for data."
    )
    if not members.plan.transaction_logging and members.disk_alone is not None:
        yield say(
            "Turn transaction logging on, with the log on disks of its own: it takes about "
            "{less} % off the data disks and no CPU.",
            less=number(100.0 * (1.0 - members.logging_factor)),
        )
    if is_network_short:
        yield say("Give replication a private network of the cluster, or upgrade the network.")
    yield say(
        "After the start watch the replicators’ queue: the smaller Replica.Cluster.WorkQueueDepth "
        "and SecondsOnQueue, the better. Vary the tasks from there. In NOTES.INI of each member:"
    )


def servertasks(replicators: int) -> str:
    """The line of NOTES.INI that starts so many cluster replicators.

    >>> servertasks(2)
    'ServerTasks=ROUTER,UPDALL,ADMINP,CLDBDIR,CLREPL,CLREPL'
    """
    return ",".join(("ServerTasks=ROUTER,UPDALL,ADMINP,CLDBDIR", *("CLREPL",) * replicators))


def _queues(members: _Members) -> AdviceTable:
    constants = members.knowledge.calibration.constants.cluster_r5
    rows = tuple(
        (float(others), float(recommended_replicators(others, constants.replicators_beyond)))
        for others in (1, 2, 3)
    )
    return AdviceTable(
        id="replicators",
        title=say("Replicator tasks to start with"),
        columns=(
            AdviceColumn("members_replicated_to", say("members replicated to")),
            AdviceColumn("tasks", say("tasks")),
        ),
        rows=rows,
        note=say("With one member three tasks are worth trying where there is CPU to spare."),
    )


def _of_records(records: Sequence[Records]) -> Found | None:
    """The server whose statistics are read. CPU and disks of one that is in a cluster already are
    none of a server without; elsewhere those of a working hour are what the means since the start
    make of them."""
    for record in dominos(records):
        values, places = values_of(
            record, {"release": "release", "users": "active_15min", "vcpus": "cpus"}
        )
        if "vcpus" in values:
            values["vcpus"] = int(values["vcpus"])
        if record.ram_mib:
            values["ram_gib"] = record.ram_mib / 1024.0
            places |= placed("ram_gib", record, "ram_mib")
        members = cluster_members(record)
        if members is not None:
            values["members"] = min(max(members, 2), MOST_MEMBERS)
        elif record.cpu_pct_avg is not None:
            values["cpu_pct"] = busy_hour_pct(record.cpu_pct_avg)
            places |= placed("cpu_pct", record, "cpu_pct_avg")
        if members is None and record.disk_busy_pct is not None:
            values["disk_pct"] = busy_hour_pct(record.disk_busy_pct)
            places |= placed("disk_pct", record, "disk_busy_pct")
        if values:
            notes = dict.fromkeys(("cpu_pct", "disk_alone_pct"), BUSY_HOUR)
            return Found(ClusterPlan(**values), places, notes)
    return None


def _of_scenario(scenario: Scenario, knowledge: CitedKnowledge) -> tuple[Found, ...]:
    """The mail servers with what is predicted of each, those in no cluster yet first."""
    servers = sorted(mail_servers(scenario), key=lambda vm: bool(vm.cluster_partners))
    if not servers:
        return ()
    alone = replace(scenario, vms=tuple(replace(vm, cluster_partners=()) for vm in scenario.vms))
    prediction = evaluate(alone, knowledge)
    return tuple(_one(scenario, vm, prediction) for vm in servers)


def _one(scenario: Scenario, vm: Vm, prediction: Prediction) -> Found:
    """A server with what is predicted of it without a cluster."""
    own = None if vm.host is None else scenario.host(vm.host).cluster
    copies = 2 if own is None else scenario.cluster(own).replicas_per_user
    members = 1 + len(vm.cluster_partners) if vm.cluster_partners else 2
    loads = {"cpu_pct": prediction.vms.quantity(vm.id, "cpu_pct").value}
    if vm.pool is not None:
        loads["disk_pct"] = prediction.pools.quantity(vm.pool, "utilisation_pct").value
    if vm.host is not None:
        loads["network_pct"] = prediction.hosts.quantity(vm.host, "network_pct").value
    known: dict[str, Any] = {
        name: min(round(each, 1), 100.0) for name, each in loads.items() if each is not None
    }
    plan = ClusterPlan(
        release=vm.workload.release or "R5",
        members=min(members, MOST_MEMBERS),
        users=float(round(vm.workload.active_users)),
        replicas_per_user=min(copies, members, MOST_MEMBERS),
        benchmark_derating=derating_of(scenario.policy),
        vcpus=min(vm.vcpus, 128),
        ram_gib=vm.ram_gib,
        **known,
    )
    paths = {"users": "workload.active_users", "release": "workload.release"}
    paths |= {"members": "cluster_partners", "vcpus": "vcpus", "ram_gib": "ram_gib"}
    return about(vm, plan, {**origins_of(vm, paths), **dict.fromkeys(known, predicted_of(vm))})


def on_board(scenario: Scenario, inputs: ClusterPlan, _: CitedKnowledge, subject: str) -> Scenario:
    """The scenario in which the server has as many partners as the plan: mail servers that are in
    no cluster yet, on other hosts; where there are too few, standbys like it, without users of
    their own, each on a host without a member. No user is added.

    Raises:
        ModelError: the answer is about no server of it.
    """
    vm = subject_of(scenario, subject)
    members = [vm.id, *vm.cluster_partners]
    free = [
        each
        for each in mail_servers(scenario)
        if not each.cluster_partners and each.id not in members and each.host != vm.host
    ]
    members += [each.id for each in free[: max(inputs.members - len(members), 0)]]
    vm = replace(vm, vcpus=inputs.vcpus or vm.vcpus, ram_gib=inputs.ram_gib or vm.ram_gib)
    scenario = scenario.with_item(vm)
    while len(members) < inputs.members:
        alone = replace(vm.workload, active_users=0.0, registered_users=None)
        name = fresh_name(scenario, vm.name, first=2)
        standby = one_more(scenario, replace(vm, workload=alone), name, apart=members)
        scenario = scenario.with_item(standby)
        members.append(standby.id)
    for id in members:
        scenario = scenario.partnered(id, (each for each in members if each != id))
    return _with_copies(scenario, vm, inputs.replicas_per_user)


def _with_copies(scenario: Scenario, vm: Vm, copies: int) -> Scenario:
    """The scenario in which mail files of the cluster of its host have so many copies."""
    own = None if vm.host is None else scenario.host(vm.host).cluster
    if own is None:
        return scenario
    return scenario.with_item(replace(scenario.cluster(own), replicas_per_user=copies))


TOPIC = Topic(
    id="cluster",
    title=say("Domino cluster planner"),
    about=say("From a running server to a cluster of several members"),
    inputs=ClusterPlan,
    example=ClusterPlan(users=500.0, cpu_pct=25.0, disk_in_cluster_pct=74.0, network_pct=20.0),
    answer=_answer,
    words=("cluster", "replicator", "CLREPL", "failover", "standby", "members", "show stat"),
    paste=STATISTICS,
    of_records=_of_records,
    of_scenario=_of_scenario,
    board=on_board,
    board_text=say("Make them partners on the board"),
    lacks=say("No mail server with users is on the board: enter the load of one, or paste it."),
)

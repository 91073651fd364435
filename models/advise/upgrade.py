"""What a new Domino release saves: by what was published, by task, and by two samples of a server.

The article's method: CPU per active 15-minute user, without maintenance, before and after. A total
says nothing while users come and go.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import ceil, floor, log

from models.advise.advice import (
    GIVEN,
    Advice,
    AdviceColumn,
    AdviceNumber,
    AdviceTable,
    CitedKnowledge,
    Found,
    Source,
    Topic,
    unknown,
)
from models.advise.found import (
    STATISTICS,
    Places,
    dominos,
    mail_servers,
    origins_of,
    placed,
    values_of,
)
from models.base.errors import ModelError
from models.base.fields import Word, described, needed, of_fields, optional
from models.base.quantities import Basis
from models.base.texts import Text, say
from models.catalog.catalog import Catalog, Product
from models.catalog.published import release_of
from models.intake.records import Records
from models.physics.laws import nearest_release, release_cost
from models.predict.prediction import Verdict
from models.scenario.scenario import Scenario
from models.scenario.wording import listed, number, signed

_count = partial(optional, ge=0, le=1e12, empty=say("not measured"))
_RESULTS, _USERS = "zseries/results/", "zseries/users/"
_CACHES = (
    (_USERS + "nsf_dbcache_maxentries-2", _USERS + "15-minute-active-users"),
    (_USERS + "nsf_dbcache_maxentries", _USERS + "15-minute-active-users-2"),
)
"""Entries of the database cache and active 15-minute users of the article's two servers."""

_CACHE_GROWS = _RESULTS + "nsf-dbcache-dynamic-extension"
LEAST_ENTRIES, KB_PER_ENTRY, POOL_MB = 25.0, 300.0, 512.0
"""Entries of the database cache that a server has without the line: the buffer pool over 300 KB,
25 at least (Notes and Domino wiki, “Managing the database cache”). The pool is 512 MB by default
since Domino 8."""
_DOCUMENTED = (
    (_USERS + "registered-users-now", _USERS + "15-minute-active-users", _USERS + "active-rate"),
    (
        _USERS + "registered-users-now-2",
        _USERS + "15-minute-active-users-2",
        _USERS + "active-rate-2",
    ),
)
SAME_PCT = 3.0
"""Change that is none: maintenance alone moved the article's costs by several points. Ours."""

MAINTENANCE = ("compact", "fixup", "adminp", "updall", "backup", "restore", "tmmscan", "tmscan")
"""Tasks that are no work for users, or no part of Domino, by the article."""

REPLICATION_TASK, ROUTER, LOGASIO = "server", "router", "logasio"


class UpgradeWorkload(Word):
    """What a server does."""

    MAIL = "mail", say("mail")
    APPLICATION = "application", say("applications")


@of_fields
class TaskCpu:
    """CPU of a server task within a sample."""

    task: str = needed(say("task"), meaning="Server task, such as Server, Router.", text="name")
    cpu_seconds: float = needed(
        say("CPU"),
        unit="s",
        meaning="CPU within the sample [s].",
        empty=say("not measured"),
        ge=0,
        le=1e12,
    )


@of_fields
class TaskSaving:
    """What a task takes of a server, and what it is said to save."""

    task: str = needed(say("task"), meaning="Server task or tasks.", text="name")
    share_pct: float = needed(
        say("share of the CPU"), meaning="Of the server’s CPU [%].", ge=0, le=100
    )
    saving_pct: float = needed(
        say("saving"), meaning="Less CPU of the task itself [%]; below 0: more.", ge=-1000, le=100
    )


@of_fields
class UpgradeSample:
    """Some weeks of a server in its prime shift, by sums or means over the same time."""

    cpu_seconds: float | None = _count(
        say("CPU"), meaning="CPU of the whole server, in any unit that both samples have."
    )
    active_users: float | None = _count(
        say("active users"), unit="users", meaning="Server.Users.Active15Min, its mean."
    )
    connected_users: float | None = _count(
        say("connected users"), unit="users", meaning="Server.Users; no measure of load."
    )
    registered_users: float | None = _count(
        say("registered users"), unit="users", meaning="Mail files with this home server."
    )
    session_timeout_min: float | None = _count(
        say("session time-out"), unit="min", meaning="Server_Session_Timeout [min]."
    )
    transactions: float | None = _count(
        say("transactions"), meaning="Server.Trans.Total within the sample."
    )
    messages: float | None = _count(say("messages"), meaning="Messages routed within the sample.")
    replications: float | None = _count(
        say("replications"), meaning="Replications initiated within the sample."
    )
    buffer_pool_mb: float | None = optional(
        say("buffer pool"),
        meaning="Database.Database.BufferPool.Maximum.Megabytes [MB]; null: 512, the default.",
        empty=say("512 MB"),
        ge=1,
        le=1_000_000,
    )
    cache_entries: float | None = _count(
        say("entries of the database cache"),
        meaning="Database.DbCache.MaxEntries; null: as its buffer pool makes them.",
    )
    month: int | None = optional(
        say("month"), meaning="Month of the sample, 1 to 12.", empty=say("not said"), ge=1, le=12
    )
    is_beta: bool = described(
        False, say("beta"), meaning="The server ran a beta, with debugging code."
    )
    templates: str = described(
        "",
        say("mix of mail templates"),
        meaning="Which templates the mail files have, such as 85 % Notes 6, 10 % Notes 5.",
        empty=say("not said"),
    )
    tasks: tuple[TaskCpu, ...] = described(
        (), say("tasks"), meaning="CPU of server tasks; maintenance is taken out by their names."
    )


@of_fields
class Upgrade:
    """An upgrade: releases, shares of tasks, or samples of a server before and after."""

    workload: UpgradeWorkload = described(
        UpgradeWorkload.MAIL, say("workload"), meaning="What the server does; mail only."
    )
    from_release: str = described(
        "", say("from release"), meaning="Domino release today; empty: not asked."
    )
    to_release: str = described(
        "", say("to release"), meaning="Domino release afterwards; empty: not asked."
    )
    savings: tuple[TaskSaving, ...] = described(
        (), say("savings by task"), meaning="Tasks with their shares and savings."
    )
    before: UpgradeSample | None = optional(
        say("sample before"), meaning="A sample before the upgrade."
    )
    after: UpgradeSample | None = optional(
        say("sample after"), meaning="A sample after the upgrade."
    )


# --- what was published -------------------------------------------------------------------------


def _answer(inputs: Upgrade, knowledge: CitedKnowledge) -> Advice:
    _check(inputs, knowledge.catalog)
    costs = _costs(inputs)
    numbers = (
        *_published(inputs, knowledge),
        *_weighted(inputs),
        *_shares(inputs, knowledge),
        *_changes(inputs, costs),
    )
    conclusion, verdict, sentence = _concluded(inputs, numbers)
    checks = tuple(_checks(inputs, knowledge))
    return Advice(
        conclusion=conclusion,
        verdict=verdict,
        sentence=sentence,
        numbers=numbers,
        tables=(_task_table(inputs), _check_table(checks)),
        reasons=(*(text for _, text in checks), *_reasons(inputs, knowledge)),
        next=tuple(_next()),
        lines=tuple(_lines(inputs, knowledge)),
        sources=knowledge.sources(
            _RESULTS + "cpu-usage-improvement-domino-6.5-7-best-dpar",
            _USERS + "registered-users-now",
            "vsphere4/performance-enhancements/domino-8.5.1-cpu-reduction-vs-domino-8-and-earlier",
            "vsphere4/footnote-1/footnote-1-user-load",
        ),
    )


def _check(inputs: Upgrade, catalog: Catalog) -> None:
    if inputs.workload is UpgradeWorkload.APPLICATION:
        reason = say(
            "must be mail: what was measured on mail servers can’t be carried over to servers of "
            "applications, which make other calls"
        )
        raise ModelError(reason, field="workload")
    has_releases = bool(inputs.from_release and inputs.to_release)
    if not (has_releases or inputs.savings or inputs.before or inputs.after):
        reason = say("or savings of tasks, or a sample of the server are needed")
        raise ModelError(reason, field="from_release")
    _check_releases(inputs, catalog)
    share = sum(each.share_pct for each in inputs.savings)
    if share > 100.0 + 1e-9:
        reason = say("come to {share} % of the CPU together", share=number(share, 1))
        raise ModelError(reason, field="savings")
    for name in ("before", "after"):
        sample = getattr(inputs, name)
        if sample is not None:
            _check_sample(sample, name)


def _check_releases(inputs: Upgrade, catalog: Catalog) -> None:
    found = []
    for name in ("from_release", "to_release"):
        text = getattr(inputs, name)
        release = release_of(catalog, Product.DOMINO, text) if text else None
        if text and release is None:
            reason = say("no Domino release is called “{text}”", text=text)
            raise ModelError(reason, field=name)
        found += [float(release.number)] if release else []
    if len(found) == 2 and found[1] < found[0]:
        reason = say("must not be older than {old}", old=inputs.from_release)
        raise ModelError(reason, field="to_release")


def _check_sample(sample: UpgradeSample, name: str) -> None:
    active, registered = sample.active_users, sample.registered_users
    if active is not None and registered is not None and active > registered:
        most = number(registered)
        reason = say("must not be more than the {most} registered users", most=most)
        raise ModelError(reason, field=f"{name}.active_users")
    of_tasks = sum(each.cpu_seconds for each in sample.tasks)
    if sample.cpu_seconds is not None and of_tasks > sample.cpu_seconds * (1 + 1e-9):
        reason = say("is less than that of its tasks, {of_tasks}", of_tasks=number(of_tasks, 1))
        raise ModelError(reason, field=f"{name}.cpu_seconds")


def _published(inputs: Upgrade, knowledge: CitedKnowledge) -> Iterator[AdviceNumber]:
    if not (inputs.from_release and inputs.to_release):
        return
    factors = knowledge.calibration.constants.releases
    old, new = (release_cost(each, factors) for each in (inputs.from_release, inputs.to_release))
    number_of = partial(
        AdviceNumber,
        basis=Basis.RULE if old.exact and new.exact else Basis.TRANSFERRED,
        source="; ".join(each.text for each in _published_sources(old.like, new.like, knowledge)),
        note=say(
            "as {old} to {new}; “up to”, measured on physical servers, 4,000 users or a "
            "production server",
            old=old.like,
            new=new.like,
        ),
    )
    for what, factor, then_id, saved_id in (
        (say("CPU"), new.cpu / old.cpu, "cpu_factor", "cpu_saving_pct"),
        (say("disk I/O"), new.iops / old.iops, "iops_factor", "iops_saving_pct"),
    ):
        then, saved = (
            say("{what} then over today", what=what),
            say("{what} saved, up to", what=what),
        )
        if factor == 1.0:
            why = say("nothing was published of these releases")
            yield unknown(then_id, then, "×", why)
            yield unknown(saved_id, saved, "%", why)
            continue
        yield number_of(then_id, then, factor, unit="×", decimals=2)
        yield number_of(saved_id, saved, 100 * (1 - factor), unit="%")


def _published_sources(old: str, new: str, knowledge: CitedKnowledge) -> tuple[Source, ...]:
    ids = []
    if old == "6.5":
        ids.append(_RESULTS + "cpu-usage-improvement-domino-6.5-7-best-dpar")
    if new == nearest_release("8.5.1")[0] or not ids:
        ids.append(
            "vsphere4/performance-enhancements/domino-8.5.1-cpu-reduction-vs-domino-8-and-earlier"
        )
    return knowledge.sources(*ids)


def _weighted(inputs: Upgrade) -> Iterator[AdviceNumber]:
    """What tasks save of the whole server: the sum of share × saving."""
    if not inputs.savings:
        return
    yield AdviceNumber(
        "weighted_saving_pct",
        say("CPU saved of the whole server"),
        sum(each.share_pct * each.saving_pct for each in inputs.savings) / 100.0,
        source=GIVEN,
        note=say("shares × savings; what isn’t named saves nothing"),
        decimals=2,
    )


def _task_table(inputs: Upgrade) -> AdviceTable:
    return AdviceTable(
        id="tasks",
        title=say("What tasks save of the whole server"),
        columns=(
            AdviceColumn("task", say("task"), numeric=False),
            AdviceColumn("share_pct", say("share of the CPU"), unit="%"),
            AdviceColumn("saving_pct", say("saving"), unit="%"),
            AdviceColumn("of_all_pct", say("saving of the whole"), unit="%", decimals=2),
        ),
        rows=tuple(
            (each.task, each.share_pct, each.saving_pct, each.share_pct * each.saving_pct / 100.0)
            for each in inputs.savings
        ),
    )


# --- samples ------------------------------------------------------------------------------------


def is_maintenance(task: str) -> bool:
    """Whether a task is no work for users: maintenance, backup or what others added.

    >>> is_maintenance("UpdAll"), is_maintenance("tmmscan 2"), is_maintenance("Server")
    (True, True, False)
    """
    return task.casefold().startswith(MAINTENANCE)


def _filtered(sample: UpgradeSample | None) -> float | None:
    """CPU of a sample without maintenance, in its unit."""
    if sample is None or sample.cpu_seconds is None:
        return None
    extra = sum(each.cpu_seconds for each in sample.tasks if is_maintenance(each.task))
    return sample.cpu_seconds - extra


def _per(total: float | None, users: float | None) -> float | None:
    return None if total is None or not users else total / users


def _costs(inputs: Upgrade) -> tuple[float | None, float | None]:
    """CPU per active 15-minute user, before and after, in the unit of the samples."""
    costs = [
        None if each is None else _per(_filtered(each), each.active_users)
        for each in (inputs.before, inputs.after)
    ]
    return costs[0], costs[1]


def _shares(inputs: Upgrade, knowledge: CitedKnowledge) -> Iterator[AdviceNumber]:
    """Active of registered users of the samples."""
    for when, label, sample in (
        ("before", say("active of registered users before"), inputs.before),
        ("after", say("active of registered users after"), inputs.after),
    ):
        share = None if sample is None else _per(sample.active_users, sample.registered_users)
        if sample is None or share is None:
            continue
        flag = _misprint(sample, knowledge)
        yield AdviceNumber(
            f"active_share_{when}_pct",
            label,
            100.0 * share,
            unit="%",
            source=GIVEN,
            note="" if flag is None else flag,
            decimals=1,
        )


def _misprint(sample: UpgradeSample, knowledge: CitedKnowledge) -> Text | None:
    """That the article prints another share for these very users."""
    for registered, active, rate in _DOCUMENTED:
        printed, found = knowledge.figure(rate), 100.0 * knowledge.figure(active)
        found /= knowledge.figure(registered)
        same = (sample.registered_users, sample.active_users) == (
            knowledge.figure(registered),
            knowledge.figure(active),
        )
        if same and round(found) != round(printed):
            return say("the article prints {printed} %", printed=number(printed))
    return None


def _changes(inputs: Upgrade, costs: tuple[float | None, float | None]) -> Iterator[AdviceNumber]:
    """What changed between the samples, in per cent."""
    before, after = inputs.before, inputs.after
    if before is None and after is None:
        return
    for when, label, cost in (
        ("before", say("CPU per active user before"), costs[0]),
        ("after", say("CPU per active user after"), costs[1]),
    ):
        if cost is not None:
            note = say("without maintenance")
            yield AdviceNumber(f"cost_{when}", label, cost, source=GIVEN, note=note)
        elif (before if when == "before" else after) is not None:
            why = say("needs CPU and active 15-minute users; connected users are no measure")
            yield unknown(f"cost_{when}", label, "", why)
    if before is not None and after is not None:
        yield from _between(inputs, before, after, costs)


def _between(
    inputs: Upgrade,
    before: UpgradeSample,
    after: UpgradeSample,
    costs: tuple[float | None, float | None],
) -> Iterator[AdviceNumber]:
    """Changes from one sample to the other, of what both have."""
    totals = (before.cpu_seconds, after.cpu_seconds)
    pairs = (
        ("cost_change_pct", say("CPU per active user"), costs),
        ("total_change_pct", say("CPU in all"), totals),
        (
            "work_change_pct",
            say("CPU in all without maintenance"),
            (_filtered(before), _filtered(after)),
        ),
        ("active_change_pct", say("active users"), (before.active_users, after.active_users)),
        (
            "connected_change_pct",
            say("connected users"),
            (before.connected_users, after.connected_users),
        ),
        (
            "transactions_change_pct",
            say("transactions per active user"),
            _each(inputs, "transactions"),
        ),
        ("messages_change_pct", say("messages per active user"), _each(inputs, "messages")),
        (
            "replications_change_pct",
            say("replications per active user"),
            _each(inputs, "replications"),
        ),
        ("router_user_change_pct", say("Router per active user"), _router(inputs, "active_users")),
        ("router_message_change_pct", say("Router per message"), _router(inputs, "messages")),
    )
    for id, what, (old, new) in pairs:
        if old and new is not None:
            yield AdviceNumber(
                id,
                say("change: {what}", what=what),
                100.0 * (new / old - 1.0),
                unit="%",
                source=GIVEN,
                decimals=1,
                is_shown=id != "work_change_pct" or (old, new) != totals,
            )


def _each(inputs: Upgrade, name: str) -> tuple[float | None, float | None]:
    """A count per active user, before and after."""
    found = [
        None if each is None else _per(getattr(each, name), each.active_users)
        for each in (inputs.before, inputs.after)
    ]
    return found[0], found[1]


def _router(inputs: Upgrade, name: str) -> tuple[float | None, float | None]:
    """CPU of the Router per user or message, before and after."""
    found = []
    for each in (inputs.before, inputs.after):
        cpu = None if each is None else _task_cpu(each, ROUTER)
        found.append(None if each is None else _per(cpu, getattr(each, name)))
    return found[0], found[1]


def _task_cpu(sample: UpgradeSample, task: str) -> float | None:
    found = [each.cpu_seconds for each in sample.tasks if each.task.casefold().startswith(task)]
    return sum(found) if found else None


# --- what it comes to ---------------------------------------------------------------------------


def _concluded(
    inputs: Upgrade, numbers: tuple[AdviceNumber, ...]
) -> tuple[Text, Verdict | None, Text]:
    by_id = {each.id: each.value for each in numbers}
    cost, work = by_id.get("cost_change_pct"), by_id.get("work_change_pct")
    if cost is not None and work is not None:
        return _measured(cost, work, by_id.get("total_change_pct") or 0.0)
    weighted = by_id.get("weighted_saving_pct")
    if weighted is not None:
        words = say(
            "Tasks with these shares save {saving} % of the server’s CPU.",
            saving=number(weighted, 2),
        )
        return say("estimate"), None, words
    if "cpu_saving_pct" in by_id:
        return _released(inputs, by_id["cpu_saving_pct"], by_id["iops_saving_pct"])
    words = say("Two samples with CPU and active users are needed to tell what an upgrade saved.")
    return say("measure first"), Verdict.NOT_KNOWN, words


def _released(
    inputs: Upgrade, cpu: float | None, iops: float | None
) -> tuple[Text, Verdict | None, Text]:
    """What was published of two releases [%], None: nothing."""
    releases = {"old": inputs.from_release, "new": inputs.to_release}
    if cpu is None:
        words = say("From {old} to {new}: nothing was published of what it saves.", **releases)
        return say("measure first"), Verdict.NOT_KNOWN, words
    if iops is None:
        words = say(
            "From {old} to {new}: up to {cpu} % less CPU was published, and nothing of I/O.",
            cpu=number(cpu),
            **releases,
        )
    else:
        words = say(
            "From {old} to {new}: up to {cpu} % less CPU and {iops} % less I/O were published.",
            cpu=number(cpu),
            iops=number(iops),
            **releases,
        )
    return say("estimate"), None, words


def _measured(cost: float, work: float, total: float) -> tuple[Text, Verdict | None, Text]:
    """What the change of the cost per user says, of the CPU without maintenance, and of all [%]."""
    values = {"cost": signed(cost, 1), "total": signed(work, 1)}
    if abs(cost) <= SAME_PCT and abs(work) > SAME_PCT:
        return say("workload"), None, say(
            "CPU per active user stayed ({cost} %) while the total moved ({total} %): more or "
            "fewer users, not the release.",
            **values,
        )  # fmt: skip
    if abs(cost) <= SAME_PCT and abs(total) > SAME_PCT:
        words = say(
            "CPU per active user stayed ({cost} %), the total without maintenance too ({total} "
            "%): what moved the total ({all} %) is maintenance, not the release.",
            all=signed(total, 1),
            **values,
        )
        return say("no change"), None, words
    if abs(cost) <= SAME_PCT:
        return (
            say("no change"),
            None,
            say("CPU per active user stayed ({cost} %), the total too ({total} %).", **values),
        )
    values["cost"] = number(abs(cost), 1)
    if cost < 0:
        return (
            say("improvement"),
            Verdict.FITS,
            say("CPU per active user fell by {cost} %, with {total} % in the total.", **values),
        )
    return (
        say("dearer"),
        Verdict.AT_RISK,
        say("CPU per active user rose by {cost} %, with {total} % in the total.", **values),
    )


def _checks(inputs: Upgrade, knowledge: CitedKnowledge) -> Iterator[tuple[str, Text]]:
    """The article's traps that these inputs are in: what is wrong with them, and why."""
    before, after = inputs.before, inputs.after
    for sample in (before, after):
        if (
            sample is not None
            and sample.active_users is None
            and sample.connected_users is not None
        ):
            yield "connected", say(
                "Connected users aren’t active ones: a longer session time-out alone can show "
                "{more} % more for the same work.",
                more=number(knowledge.figure(_TIMEOUT)),
            )  # fmt: skip
            break
    if any(each is not None and each.is_beta for each in (before, after)):
        yield "beta", say("A first beta has debugging code and is dearer than what is sold.")
    if before is None or after is None:
        return
    yield from _unlike(before, after)
    yield from _moved(inputs, knowledge)


_TIMEOUT = _RESULTS + "example-server.users-increase-from-longer-timeout"


def _unlike(before: UpgradeSample, after: UpgradeSample) -> Iterator[tuple[str, Text]]:
    """What makes two samples unlike ones."""
    old, new = before.session_timeout_min, after.session_timeout_min
    if old is not None and new is not None and old != new:
        yield "timeout", say(
            "The session time-out changed from {old} to {new} minutes: connected users can’t be "
            "compared.",
            old=number(old),
            new=number(new),
        )  # fmt: skip
    yield from _tasks_apart(before, after)
    if before.templates and after.templates and before.templates != after.templates:
        yield "templates", say(
            "The mix of mail templates changed: {before} before, {after} after. Clients of several "
            "releases make different calls for the same work.",
            before=before.templates,
            after=after.templates,
        )  # fmt: skip
    if before.month is not None and after.month is not None and before.month != after.month:
        yield (
            "season",
            say(
                "The samples are from different months: users fall off in summer and around "
                "Thanksgiving and the turn of the year, and can rise by 10 % and more from "
                "mid-August to mid-September. Compare per active user only."
            ),
        )
    if before.registered_users and after.registered_users:
        change = 100.0 * (after.registered_users / before.registered_users - 1.0)
        if abs(change) > SAME_PCT:
            yield "registered", say(
                "Registered users changed by {change} %: people leave and are replaced, so the "
                "total doesn’t compare.",
                change=signed(change, 1),
            )  # fmt: skip


def _tasks_apart(before: UpgradeSample, after: UpgradeSample) -> Iterator[tuple[str, Text]]:
    """Tasks that ran, as far as anybody knows, in one of two samples."""
    names = [{each.task.casefold(): each.task for each in one.tasks} for one in (before, after)]
    only = sorted(
        task
        for mine, other in (names, names[::-1])
        for key, task in mine.items()
        if key not in other and (other or is_maintenance(task))
    )
    if only and all(names):
        yield (
            "samples",
            say("Different samples: {tasks} ran in one of them only.", tasks=listed(only)),
        )
    elif only:
        yield "samples", say(
            "Different samples: maintenance ({tasks}) was taken out of one of them, the other "
            "doesn’t say which tasks ran.",
            tasks=listed(only),
        )  # fmt: skip


def _moved(inputs: Upgrade, knowledge: CitedKnowledge) -> Iterator[tuple[str, Text]]:
    """What moved between the samples and misleads."""
    changes = {each.id: each.value or 0.0 for each in _changes(inputs, _costs(inputs))}
    transactions = changes.get("transactions_change_pct", 0.0)
    if abs(transactions) > SAME_PCT:
        most = number(knowledge.figure(_RESULTS + "per-user-transaction-change-domino-5-6-largest"))
        yield "transactions", say(
            "Transactions per user changed by {change} %. A release alone changed them by almost "
            "{most} %, as clients make other calls: they are no measure of work.",
            change=signed(transactions, 1),
            most=most,
        )  # fmt: skip
    messages = changes.get("messages_change_pct", 0.0)
    if abs(messages) > SAME_PCT:
        yield "messages", say(
            "Messages per user changed by {change} %: the Router may be dearer per user and "
            "cheaper per message.",
            change=signed(messages, 1),
        )  # fmt: skip
    replications = changes.get("replications_change_pct", 0.0)
    if abs(replications) > SAME_PCT:
        yield "replications", say(
            "Replications changed by {change} %. Most of their CPU is in the Server task, so its "
            "saving is not the release’s alone.",
            change=signed(replications, 1),
        )  # fmt: skip
    cost, total = changes.get("cost_change_pct"), changes.get("work_change_pct")
    if cost is not None and total is not None and cost * total < 0:
        yield (
            "total",
            say("The total and the cost per user went opposite ways: go by the cost per user."),
        )


def _check_table(checks: tuple[tuple[str, Text], ...]) -> AdviceTable:
    return AdviceTable(
        id="checks",
        title=say("Traps"),
        columns=(
            AdviceColumn("check", say("check"), numeric=False),
            AdviceColumn("text", say("what it is"), numeric=False),
        ),
        rows=checks,
        shown=0,
    )


def _reasons(inputs: Upgrade, knowledge: CitedKnowledge) -> Iterator[Text]:
    if inputs.before is not None and inputs.before.templates:
        yield say("Mail templates before: {templates}.", templates=inputs.before.templates)
    if inputs.after is not None and inputs.after.templates:
        yield say("Mail templates after: {templates}.", templates=inputs.after.templates)
    sample = inputs.after or inputs.before
    if sample is not None and sample.active_users:
        small, large = _CACHES
        yield say(
            "The database cache: two production servers had {small} entries for {few} active users "
            "and {large} for {many}. A server has {own} without a line in NOTES.INI, its buffer "
            "pool over 300 KB, and adds {more} % to them by itself: more than 100 % in use is no "
            "fault.",
            small=number(knowledge.figure(small[0])),
            few=number(knowledge.figure(small[1])),
            large=number(knowledge.figure(large[0])),
            many=number(knowledge.figure(large[1])),
            own=number(own_entries(sample.buffer_pool_mb)),
            more=number(knowledge.figure(_CACHE_GROWS)),
        )
    yield say(
        "Benchmarks of Domino 7 showed {cpu} % less CPU, mainly in the Server task, with only "
        "Server and Router running; on half of a server’s CPU that is {half} %.",
        cpu=number(knowledge.figure(_RESULTS + "notesbench-nrpc-benchmark-cpu-reduction-domino-7")),
        half=number(knowledge.figure(_RESULTS + "dilution-example-resulting-saving"), 1),
    )
    yield say(
        "A task with a large saving may be small in the whole: Logasio saved {least} to {most} % "
        "of very little, by compression in the hardware of zSeries.",
        least=number(knowledge.figure(_RESULTS + "logasio-cpu-saving-low-hw-compression")),
        most=number(knowledge.figure(_RESULTS + "logasio-cpu-saving-high")),
    )


def _next() -> Iterator[Text]:
    yield say(
        "Sum CPU by task over several weeks of prime shift, Monday to Friday, 8 to 16 h, before "
        "and after; leave holidays out."
    )
    yield say(
        "Ask what else changed between the samples: a new feature in use, a mass mailing or a "
        "virus, other clients, users who came or left, the season, a new agent, the schedule of "
        "replication or clusters, other views or indexes, or administration such as AdminP, "
        "Fixup, Compact and backup."
    )
    yield say(
        "Upgrade over one weekend, so that the weeks before and after compare; look at the peaks "
        "of 15 minutes too, not at means alone."
    )
    yield say(
        "Compare the busiest semaphores before and after: they are no CPU, but show where tasks "
        "wait for one another. Names that are new came with the release."
    )
    yield say(
        "Tell the mix of mail templates with the result: clients of several releases make "
        "different calls. On the console, and for NOTES.INI:"
    )


def _lines(inputs: Upgrade, knowledge: CitedKnowledge) -> Iterator[str]:
    yield from (
        "show stat Server.Users.Active15Min",
        "show stat Server.Trans.*",
        "show stat Mail.TotalRouted",
        "show stat Replica.*",
        "show stat Database.DbCache.*",
        "show stat Sem.Timeouts",
    )
    sample = inputs.after or inputs.before
    if sample is None or not sample.active_users:
        return
    entries = cache_entries(sample.active_users, knowledge)
    if entries > max(own_entries(sample.buffer_pool_mb), sample.cache_entries or 0.0):
        yield f"NSF_DbCache_MaxEntries={entries}"


def cache_entries(active_users: float, knowledge: CitedKnowledge) -> int:
    """Entries of the database cache for so many active users, by the article's server nearest in
    size."""
    servers = [(knowledge.figure(users), knowledge.figure(entries)) for entries, users in _CACHES]
    users, entries = min(servers, key=lambda each: abs(log(max(active_users, 1.0) / each[0])))
    return ceil(active_users * entries / users - 1e-9)


def own_entries(buffer_pool_mb: float | None) -> int:
    """Entries that a server has without a line in NOTES.INI.

    >>> own_entries(None), own_entries(1.0)
    (1747, 25)
    """
    pool = POOL_MB if buffer_pool_mb is None else buffer_pool_mb
    return floor(max(LEAST_ENTRIES, pool * 1024.0 / KB_PER_ENTRY))


def _of_records(records: Sequence[Records]) -> Found | None:
    """One print of a server's statistics is a sample before, a later one of it the sample after.

    Rates are per minute since its start; active users are those of the moment. CPU of a sample is
    for whoever measured it, as no print has users and CPU of the same time.
    """
    found = dominos(records)[:2]
    samples: list[UpgradeSample] = []
    places: Places = {}
    releases: list[str] = []
    for when, record in zip(("before", "after"), found, strict=False):
        values, where = values_of(
            record,
            {
                "active_users": "active_15min",
                "connected_users": "users",
                "buffer_pool_mb": "buffer_pool_mb",
                "cache_entries": "db_cache_most",
            },
        )
        minutes = (record.uptime_s or 0.0) / 60.0
        for name, field in (("transactions", "trans_total"), ("messages", "mail_routed")):
            total = getattr(record, field)
            if total is not None and minutes > 0:
                values[name] = total / minutes
                where |= placed(name, record, field)
        samples.append(UpgradeSample(**values))
        places |= {f"{when}.{name}": place for name, place in where.items()}
        releases.append(record.release)
    if not samples:
        return None
    before, *rest = samples
    inputs = Upgrade(
        from_release=releases[0],
        to_release=releases[1] if rest else "",
        before=before,
        after=rest[0] if rest else None,
    )
    return Found(inputs, places)


def _of_scenario(scenario: Scenario, knowledge: CitedKnowledge) -> tuple[Found, ...]:
    """From each release of mail servers to the latest, that of most servers first."""
    named = Counter(vm.workload.release for vm in mail_servers(scenario) if vm.workload.release)
    lines = [each for each in knowledge.catalog.releases.values() if each.product is Product.DOMINO]
    found = []
    for text, _ in named.most_common():
        today = release_of(knowledge.catalog, Product.DOMINO, text)
        later = [each for each in lines if today is not None and each.ordinal > today.ordinal]
        if later:
            newest = max(later, key=lambda each: each.ordinal)
            (first, *more) = (vm for vm in scenario.vms if vm.workload.release == text)
            found.append(
                Found(
                    Upgrade(from_release=text, to_release=newest.number),
                    origins={} if more else origins_of(first, {"from_release": "workload.release"}),
                    name=say("release {release}", release=text),
                )
            )
    return tuple(found)


def on_board(
    scenario: Scenario, inputs: Upgrade, _: CitedKnowledge, _subject: str = ""
) -> Scenario:
    """The scenario in which the mail servers of the old release have the new one; what was
    measured of a server stays what it is.

    Raises:
        ModelError: no mail server of it has the old release.
    """
    old = [vm for vm in mail_servers(scenario) if vm.workload.release == inputs.from_release]
    if not old or not inputs.to_release:
        raise ModelError(say("is that of no mail server on the board"), field="from_release")
    for vm in old:
        new = replace(vm.workload, release=inputs.to_release)
        scenario = scenario.with_item(replace(vm, workload=new))
    return scenario


TOPIC = Topic(
    id="upgrade",
    title=say("Release upgrade"),
    about=say("What a new Domino release saves, by task and per active user"),
    inputs=Upgrade,
    example=Upgrade(
        from_release="6.5",
        to_release="7.0.2",
        before=UpgradeSample(cpu_seconds=100.0, active_users=348.0, registered_users=870.0),
        after=UpgradeSample(cpu_seconds=105.0, active_users=626.0, registered_users=1565.0),
    ),
    answer=_answer,
    words=(
        "upgrade",
        "release",
        "saving",
        "active users",
        "Logasio",
        "Router",
        "semaphore",
        "database cache",
        "template",
        "show stat",
    ),
    paste=STATISTICS,
    of_records=_of_records,
    of_scenario=_of_scenario,
    board=on_board,
    board_text=say("Upgrade them on the board"),
    lacks=say(
        "No mail server on the board has a release before the latest: enter both releases, or what "
        "was measured before and after."
    ),
)

"""Registered, connected, active and benchmark users: which is which, one from another."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import log

from models.advise.advice import (
    GIVEN,
    Advice,
    AdviceNumber,
    CitedKnowledge,
    Found,
    Product,
    Step,
    Topic,
    of_constant,
    ranged,
    unknown,
)
from models.advise.found import STATISTICS, dominos, mail_servers, origins_of, values_of
from models.base.errors import ModelError
from models.base.fields import of_fields, optional
from models.base.quantities import Basis
from models.base.texts import Text, joined, say
from models.catalog.published import PRODUCTION_TO_BENCHMARK
from models.evidence.profiles import LEAST_BENCHMARK_USERS, MOST_BENCHMARK_USERS
from models.intake.records import Records
from models.predict.prediction import Verdict
from models.scenario.owners import ACTIVE_OF_REGISTERED, LEAST_ACTIVE, MOST_ACTIVE
from models.scenario.scenario import Scenario
from models.scenario.wording import number
from models.single_changes.changes import spread, whole_parts

_users = partial(optional, unit="users", ge=0, le=1e9, is_whole=True, empty=say("not known"))
_factor = partial(optional, unit="×", ge=1, le=1000, step=0.1)

_SMALL = ("zseries/users/registered-users-now", "zseries/users/15-minute-active-users")
_LARGE = ("zseries/users/registered-users-now-2", "zseries/users/15-minute-active-users-2")
_DIVISOR = "wv21/considerations/divide-benchmark-result-by"
_TIMEOUT = "zseries/results/example-server.users-increase-from-longer-timeout"
_GUIDE = "field/e/registered-users"
_RANGE = (*_SMALL, *_LARGE, _GUIDE, "field/a/home-users", "field/b/home-users")
"""Servers between which the active share lies; those of `owners.ACTIVE_OF_REGISTERED`."""

_CEILING = (_DIVISOR, "field/e/benchmark-users")
"""Rows behind `published.PRODUCTION_TO_BENCHMARK`."""


@of_fields
class UserCounts:
    """What is known of the users of a server; one count at least."""

    registered_users: float | None = _users(
        say("registered users"), meaning="Mail files whose owners have this home server."
    )
    connected_users: float | None = _users(
        say("connected users"),
        meaning="Server.Users: sessions that have not timed out; no measure of load.",
    )
    active_users: float | None = _users(
        say("active users"),
        meaning="Server.Users.Active15Min: different users at work within 15 minutes.",
    )
    benchmark_users: float | None = _users(
        say("benchmark users"), meaning="Simulated users of a NotesBench run."
    )
    active_share_pct: float | None = optional(
        say("active share of registered users"),
        meaning="Active of registered users [%]; null: that of the documented server nearest "
        "in size.",
        empty=say("as documented"),
        ge=0.1,
        le=100,
    )
    benchmark_derating: float | None = _factor(
        say("derating: benchmark users per user"),
        meaning="Benchmark users of an active user; null: 2, the documents’ “divide by 2”.",
        empty=say("2, as documented"),
    )


def _answer(inputs: UserCounts, knowledge: CitedKnowledge) -> Advice:
    _check(inputs)
    derating = _derating(inputs, knowledge)
    active = _active(inputs, knowledge, derating)
    share = _share(inputs, knowledge, active)
    registered = _registered(inputs, active, share)
    benchmark = _benchmark(inputs, active, derating)
    unusual = registered.source == GIVEN and not (
        100 * LEAST_ACTIVE <= (share.value or 0.0) <= 100 * MOST_ACTIVE
    )
    numbers = (
        registered,
        _connected(inputs, knowledge),
        share,
        active,
        replace(derating, id="benchmark_derating"),
        benchmark,
        *_peaks(benchmark, knowledge),
        AdviceNumber(
            "ceiling_users",
            say("users to compare with the largest benchmark load"),
            None if active.value is None else active.value * PRODUCTION_TO_BENCHMARK,
            unit="users",
            source=_cited(knowledge, *_CEILING),
            note=say("× 4 (2 to 12): for ceilings only, never a factor of a prediction"),
            low=(active.value or 0.0) * LEAST_BENCHMARK_USERS,
            high=(active.value or 0.0) * MOST_BENCHMARK_USERS,
        ),
    )
    return Advice(
        conclusion=say("unusual") if unusual else say("as documented"),
        verdict=Verdict.AT_RISK if unusual else Verdict.FITS,
        sentence=_sentence(registered, active, benchmark),
        numbers=numbers,
        reasons=tuple(_reasons(inputs, knowledge, share, unusual=unusual)),
        next=(say("Read the active users where the server runs, over a working week, 8 to 16 h:"),),
        lines=("show stat Server.Users.*", "show stat Server.Users.Active15Min"),
        sources=knowledge.sources(_DIVISOR, *_SMALL, *_LARGE, _TIMEOUT),
    )


def _cited(knowledge: CitedKnowledge, *ids: str) -> str:
    """Documents of rows; a server in the field has a name of ours, which no reader knows."""
    field = [knowledge.rows[id].document for id in ids if id.startswith("field/")]
    tables = knowledge.sources(*(id for id in ids if not id.startswith("field/")))
    return "; ".join(dict.fromkeys([*(each.text for each in tables), *field]))


def _check(inputs: UserCounts) -> None:
    counts = (inputs.registered_users, inputs.active_users, inputs.benchmark_users)
    if all(each is None for each in counts):
        raise ModelError(
            say("one of registered, active and benchmark users is needed"),
            field="registered_users",
        )
    for name in ("connected_users", "active_users"):
        value, most = getattr(inputs, name), inputs.registered_users
        if value is not None and most is not None and value > most:
            reason = say("must not be more than the {most} registered users", most=number(most))
            raise ModelError(reason, field=name)
    active, benchmark = inputs.active_users, inputs.benchmark_users
    if active is not None and benchmark is not None and benchmark < active:
        reason = say("must not be less than the {least} active users", least=number(active))
        raise ModelError(reason, field="benchmark_users")
    registered, share = inputs.registered_users, inputs.active_share_pct
    if None not in (registered, active, share):
        _check_product("active_share_pct", registered or 0.0, (share or 0.0) / 100, active or 0.0)
    if None not in (active, benchmark, inputs.benchmark_derating):
        of = inputs.benchmark_derating or 0.0
        _check_product("benchmark_derating", active or 0.0, of, benchmark or 0.0)


def _check_product(field: str, of: float, factor: float, product: float) -> None:
    """Three inputs of which each two say the third: to half a user and half a per cent."""
    if abs(of * factor - product) > max(0.5, 0.005 * product):
        reason = say(
            "contradicts the counts: {of} give {found}, not {product}",
            of=number(of),
            found=number(of * factor),
            product=number(product),
        )
        raise ModelError(reason, field=field)


def _derating(inputs: UserCounts, knowledge: CitedKnowledge) -> AdviceNumber:
    label = say("benchmark users of an active user")
    number_of = partial(AdviceNumber, id="derating", label=label, unit="×")
    if inputs.benchmark_derating is not None:
        return number_of(value=inputs.benchmark_derating, source=GIVEN)
    if inputs.active_users and inputs.benchmark_users is not None:
        ratio = inputs.benchmark_users / inputs.active_users
        return number_of(value=ratio, source=GIVEN, note=say("benchmark over active users"))
    source = knowledge.cited(_DIVISOR)
    return number_of(value=knowledge.figure(_DIVISOR), source=source)


def _documented_share(registered: float, knowledge: CitedKnowledge) -> tuple[float, str]:
    """Active share of the documented server nearest in size [1], and where that stands."""
    sizes = [(knowledge.figure(ids[0]), ids) for ids in (_SMALL, _LARGE)]
    size, ids = min(sizes, key=lambda each: abs(log(max(registered, 1.0) / each[0])))
    return knowledge.figure(ids[1]) / size, knowledge.cited(ids[0])


def _active(inputs: UserCounts, knowledge: CitedKnowledge, derating: AdviceNumber) -> AdviceNumber:
    number_of = partial(
        AdviceNumber, id="active_users", label=say("active users (production)"), unit="users"
    )
    if inputs.active_users is not None:
        return number_of(value=inputs.active_users, source=GIVEN)
    if inputs.benchmark_users is not None:
        value = inputs.benchmark_users / (derating.value or 1.0)
        return number_of(
            value=value, source=derating.source, note=say("benchmark users over derating")
        )
    registered = inputs.registered_users or 0.0
    if inputs.active_share_pct is not None:
        return number_of(value=registered * inputs.active_share_pct / 100, source=GIVEN)
    share, source = _documented_share(registered, knowledge)
    return number_of(
        value=registered * share,
        basis=Basis.TRANSFERRED,
        source=source,
        low=registered * LEAST_ACTIVE,
        high=registered * MOST_ACTIVE,
        note=say("by the documented server nearest in size"),
    )


def _share(inputs: UserCounts, knowledge: CitedKnowledge, active: AdviceNumber) -> AdviceNumber:
    number_of = partial(
        AdviceNumber, id="active_share_pct", label=say("active of registered users"), unit="%"
    )
    if inputs.active_share_pct is not None:
        return number_of(value=inputs.active_share_pct, source=GIVEN)
    if inputs.registered_users:
        share = 100 * (active.value or 0.0) / inputs.registered_users
        return number_of(value=share, basis=active.basis, source=active.source)
    return number_of(
        value=100 * ACTIVE_OF_REGISTERED,
        source=_cited(knowledge, *_RANGE),
        low=100 * LEAST_ACTIVE,
        high=100 * MOST_ACTIVE,
    )


def _registered(inputs: UserCounts, active: AdviceNumber, share: AdviceNumber) -> AdviceNumber:
    number_of = partial(
        AdviceNumber, id="registered_users", label=say("registered users"), unit="users"
    )
    if inputs.registered_users is not None:
        return number_of(value=inputs.registered_users, source=GIVEN)
    users, part = active.value or 0.0, (share.value or 1.0) / 100
    why = say("active users over their share")
    found = number_of(value=users / part, source=share.source, note=why)
    if share.high is None or share.low is None:
        return found
    return ranged(found, users / share.high * 100, users / share.low * 100)


def _benchmark(inputs: UserCounts, active: AdviceNumber, derating: AdviceNumber) -> AdviceNumber:
    number_of = partial(
        AdviceNumber, id="benchmark_users", label=say("benchmark users"), unit="users"
    )
    if inputs.benchmark_users is not None:
        return number_of(value=inputs.benchmark_users, source=GIVEN)
    factor = derating.value or 1.0
    return number_of(
        value=(active.value or 0.0) * factor,
        basis=active.basis,
        source=derating.source,
        low=None if active.low is None else active.low * factor,
        high=None if active.high is None else active.high * factor,
        note=say("active users × derating"),
    )


def _connected(inputs: UserCounts, knowledge: CitedKnowledge) -> AdviceNumber:
    label = say("connected users")
    if inputs.connected_users is not None:
        return AdviceNumber(
            "connected_users",
            label,
            inputs.connected_users,
            unit="users",
            source=GIVEN,
            note=say("no measure of load: it moves with the session time-out"),
        )
    more = number(knowledge.figure(_TIMEOUT))
    why = say("depends on the session time-out: 4 h for 2 h showed {more} % more", more=more)
    return replace(
        unknown("connected_users", label, "users", why), source=knowledge.cited(_TIMEOUT)
    )


def _peaks(benchmark: AdviceNumber, knowledge: CitedKnowledge) -> Iterator[AdviceNumber]:
    """Load at peak over its mean, in mean benchmark users."""
    mail = knowledge.calibration.constants.mail85
    cpu, iops = say("at the peak of CPU"), say("at the peak of disk I/O")
    for id, label, constant in (
        ("peak_cpu_users", cpu, mail.peak_factor_cpu),
        ("peak_iops_users", iops, mail.peak_factor_iops),
    ):
        found = of_constant(knowledge, constant, id, label, "users")
        yield replace(
            found,
            value=(benchmark.value or 0.0) * constant.value,
            basis=max(Basis.TRANSFERRED, found.basis),
            note=say("× {factor}, peak over mean", factor=number(constant.value, 2)),
        )


def _sentence(registered: AdviceNumber, active: AdviceNumber, benchmark: AdviceNumber) -> Text:
    return say(
        "{registered} registered users are {active} active ones, the load of {benchmark} "
        "benchmark users.",
        registered=number(registered.value or 0.0),
        active=number(active.value or 0.0),
        benchmark=number(benchmark.value or 0.0),
    )


def _reasons(
    inputs: UserCounts, knowledge: CitedKnowledge, share: AdviceNumber, *, unusual: bool
) -> Iterator[Text]:
    if unusual:
        yield say(
            "{share} % active is outside what production servers showed, {least} to {most} %: "
            "count again which users are meant.",
            share=number(share.value or 0.0, 1),
            least=number(100 * LEAST_ACTIVE),
            most=number(100 * MOST_ACTIVE),
        )
    for ids in (_SMALL, _LARGE):
        all_of, at_work = knowledge.figure(ids[0]), knowledge.figure(ids[1])
        note = say("; the article prints 36 %") if ids is _LARGE else joined("", ())
        yield say(
            "Of {all} registered users {active} were active within 15 minutes: {share} %{note}.",
            all=number(all_of),
            active=number(at_work),
            share=number(100 * at_work / all_of, 1),
            note=note,
        )
    yield say(
        "A user of a benchmark is active every 15 minutes and does nothing else; it is standard "
        "practice to divide its users by {by}.",
        by=number(knowledge.figure(_DIVISOR)),
    )
    if inputs.connected_users is not None:
        yield say("Connected users are sessions that have not timed out; they are not load.")


def _of_records(records: Sequence[Records]) -> Found | None:
    """Connected and active users of the one server whose statistics are read."""
    for record in dominos(records):
        values, places = values_of(
            record, {"connected_users": "users", "active_users": "active_15min"}
        )
        if values:
            return Found(UserCounts(**values), places)
    return None


def _of_scenario(scenario: Scenario, _: CitedKnowledge) -> tuple[Found, ...]:
    """The users of all mail servers together."""
    found = mail_servers(scenario)
    servers = [vm.workload for vm in found]
    if not servers:
        return ()
    owners = [each.registered_users for each in servers]
    active = sum(each.active_users for each in servers)
    known = None if None in owners else sum(each or 0.0 for each in owners)
    counts = UserCounts(
        registered_users=None if known is None else max(known, active), active_users=active
    )
    paths = {"active_users": "workload.active_users", "registered_users": _OWNERS}
    origins = {} if len(found) > 1 else origins_of(found[0], paths)
    return (Found(counts, origins=origins),)


def on_board(
    scenario: Scenario, inputs: UserCounts, knowledge: CitedKnowledge, _subject: str = ""
) -> Scenario:
    """The scenario in which its mail servers have so many active and registered users together, in
    the proportions of today.

    Raises:
        ModelError: it has no mail server with users, or an answer has no users.
    """
    servers = mail_servers(scenario)
    if not servers:
        raise ModelError(say("are of no mail server on the board"), field="active_users")
    numbers = {each.id: each.value for each in _answer(inputs, knowledge).numbers}
    active = numbers["active_users"]
    if not active:
        raise ModelError(say("aren’t known"), field="active_users")
    given = spread(servers, float(round(active)))
    if inputs.registered_users is not None:
        weights = [vm.workload.registered_users or vm.workload.active_users for vm in servers]
        owners = whole_parts(weights, inputs.registered_users)
        given = tuple(
            replace(vm, workload=replace(vm.workload, registered_users=count))
            for vm, count in zip(given, owners, strict=True)
        )
    for vm in given:
        scenario = scenario.with_item(vm)
    return scenario


_OWNERS = "workload.registered_users"


TOPIC = Topic(
    id="users",
    title=say("User arithmetic"),
    about=say("Registered, connected, active and benchmark users, one from another"),
    inputs=UserCounts,
    example=UserCounts(registered_users=870),
    answer=_answer,
    words=("users", "registered", "active", "benchmark", "derating", "peak", "show stat"),
    paste=STATISTICS,
    of_records=_of_records,
    of_scenario=_of_scenario,
    board=on_board,
    board_text=say("Give them to the servers"),
    lacks=say("No mail server on the board has users: enter registered or active users."),
    steps=(
        Step("registered_users", input="registered_users"),
        Step("connected_users", input="connected_users"),
        Step("active_users", "registered_users", "active_share_pct", "active_users"),
        Step("benchmark_users", "active_users", "benchmark_derating", "benchmark_users"),
        Step("peak_cpu_users", "benchmark_users"),
        Step("peak_iops_users", "benchmark_users"),
    ),
    products=(
        Product("registered_users", "active_share_pct", "active_users"),
        Product("active_users", "benchmark_derating", "benchmark_users"),
    ),
)

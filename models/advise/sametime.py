"""Sametime chat: from people and their clients to servers, by the one design that was published."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import ceil

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
    derating,
    given,
    unknown,
)
from models.advise.cluster import release_number
from models.advise.found import origins_of
from models.advise.put import fresh_name, one_more
from models.base.errors import ModelError
from models.base.fields import Word, described, needed, of_fields, optional
from models.base.quantities import Basis
from models.base.texts import Text, say
from models.evidence.citation import in_short
from models.predict.prediction import Verdict
from models.scenario.scenario import DiskMode, Scenario, Vm, Workload
from models.scenario.wording import number
from models.scenario.workloads import WORKLOADS, WorkloadKind
from models.single_changes.changes import whole_parts

_ROWS = "wv21/sametime-benchmark/"
_LATER = (10,)
"""Release from which the maker's limits of 12 are held against the plan."""
AT_LEAST = 2
"""Community servers and multiplexers of a cluster: the published design has two of each."""

LATER_MULTIPLEXERS = 1
"""Of Sametime 12: one stands before all community servers (`sizings.sametime-12-logins`)."""


class Directory(Word):
    """Where users are looked up."""

    REMOTE = "remote", say("a clustered LDAP directory elsewhere")
    LOCAL = "local", say("a Domino directory on the community servers")


class Sprayer(Word):
    """What hands users out to the multiplexers."""

    IP = "ip-sprayer", say("an IP sprayer")
    DNS = "dns", say("DNS round robin")
    NONE = "none", say("nothing")


@of_fields
class SametimePlan:
    """People who chat, and a design if there is one."""

    people: float = needed(
        say("people at once"),
        unit="users",
        meaning="People who are logged in at the same time.",
        ge=1,
        le=1e8,
        is_whole=True,
    )
    clients_per_person: float = described(
        1.0,
        say("clients of a person"),
        meaning="Sametime Connect, Notes, web pages with chat: each connection is a user.",
        ge=1,
        le=10,
        step=0.1,
    )
    benchmark_derating: float = derating(2.0)
    release: str = described("7.5.1", say("release"), meaning="Sametime release.")
    community_servers: int | None = optional(
        say("community servers"),
        meaning="Of the design; null: as many as it takes.",
        empty=say("as many as it takes"),
        ge=0,
        le=1000,
    )
    multiplexers: int | None = optional(
        say("multiplexers"),
        meaning="Of the design; null: as many as it takes.",
        empty=say("as many as it takes"),
        ge=0,
        le=1000,
    )
    directory: Directory = described(
        Directory.REMOTE, say("directory"), meaning="Where users are looked up."
    )
    has_pictures: bool = described(
        False, say("pictures"), meaning="The directory has pictures of people."
    )
    has_notes_clients: bool = described(
        False, say("chat in Notes"), meaning="People chat in Notes."
    )
    sprayer: Sprayer = described(
        Sprayer.IP, say("sprayer"), meaning="What hands users out to the multiplexers."
    )
    has_meetings: bool = described(
        False, say("meetings"), meaning="There are meetings as well, audio or video."
    )
    within_s: float = described(
        60.0,
        say("all log in within"),
        meaning="Time in which all come back after a cut of the network [s].",
        ge=1,
        le=86_400,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Design:
    """A plan with its servers, beside the published design.

    Attributes:
        connections: of all clients; `benchmark`: the same as users of the benchmark.
        servers, multiplexers: of the design; `needed`, `needed_multiplexers`: by the published one
            or, of a later release, by the maker's limits.
    """

    plan: SametimePlan
    knowledge: CitedKnowledge
    connections: float
    benchmark: float
    needed: int
    needed_multiplexers: int
    servers: int
    multiplexers: int

    def known(self, name: str) -> float:
        """A figure of the published design."""
        return self.knowledge.figure(_ROWS + name)

    @property
    def hosts(self) -> int:
        """Hosts like the published one."""
        return max(ceil(self.benchmark / self.known(_TARGET) - 1e-9), 1)

    @property
    def vcpus(self) -> float:
        return self.servers * self.known("vcpu-per-community-server") + self.multiplexers * (
            self.known("vcpu-per-multiplexer")
        )

    @property
    def ram_gb(self) -> float:
        return self.servers * self.known("ram-per-community-server") + self.multiplexers * (
            self.known("ram-per-multiplexer")
        )

    @property
    def users(self) -> float:
        """Users that a limit is held against: a maker's counts log-ins, a benchmark its own."""
        return self.connections if _is_later(self.plan) else self.benchmark

    def of_known(self, count: int) -> float:
        """Users on each server over those of the published design, or the maker's limit [1]."""
        return float("inf") if count == 0 else self.users / count / _each(self.plan, self.knowledge)

    @property
    def is_later(self) -> bool:
        """Whether the maker's limits of its release hold, not the published design."""
        return _is_later(self.plan)

    @property
    def is_known(self) -> bool:
        """Whether no server has more users than those of the published design or than its limit;
        nobody published one of later multiplexers, but that there is one."""
        most = self.of_known(self.servers)
        if not self.is_later:
            most = max(most, self.of_known(self.multiplexers))
        elif self.multiplexers < LATER_MULTIPLEXERS:
            return False
        return most <= 1.0 + 1e-9


_TARGET = "target-concurrent-chat-users-on-one-esx-host"


def _is_later(plan: SametimePlan) -> bool:
    return release_number(plan.release) >= _LATER


def _each(plan: SametimePlan, knowledge: CitedKnowledge) -> float:
    """Users of a server: of the published design, or log-ins by the maker's limit."""
    if _is_later(plan):
        return knowledge.catalog.sizings[_LIMIT].users or 0.0
    return knowledge.figure(_ROWS + _TARGET) / knowledge.figure(_ROWS + "community-server-vms")


_LIMIT = "sametime-12-logins"


def _design(plan: SametimePlan, knowledge: CitedKnowledge) -> _Design:
    connections = plan.people * plan.clients_per_person
    benchmark = connections * plan.benchmark_derating
    users = connections if _is_later(plan) else benchmark
    needed = max(ceil(users / _each(plan, knowledge) - 1e-9), 1 if _is_later(plan) else AT_LEAST)
    of_multiplexers = LATER_MULTIPLEXERS if _is_later(plan) else needed
    servers, multiplexers = plan.community_servers, plan.multiplexers
    return _Design(
        plan=plan,
        knowledge=knowledge,
        connections=connections,
        benchmark=benchmark,
        needed=needed,
        needed_multiplexers=of_multiplexers,
        servers=needed if servers is None else servers,
        multiplexers=of_multiplexers if multiplexers is None else multiplexers,
    )


def _answer(plan: SametimePlan, knowledge: CitedKnowledge) -> Advice:
    if plan.community_servers == 0:
        raise ModelError(say("must be ≥ 1"), field="community_servers")
    design = _design(plan, knowledge)
    conclusion, verdict, sentence = _concluded(design)
    return Advice(
        conclusion=conclusion,
        verdict=verdict,
        sentence=sentence,
        numbers=(
            *_users(design),
            *_servers(design),
            *_logins(design),
            *_traffic(design),
            *_each_thousand(design),
            *_later(design),
        ),
        tables=(_operations(design),),
        reasons=tuple(_reasons(design)),
        next=tuple(_next(design)),
        sources=_sources(design),
    )


def _concluded(design: _Design) -> tuple[Text, Verdict | None, Text]:
    values = {
        "servers": number(design.servers),
        "multiplexers": number(design.multiplexers),
        "hosts": number(design.hosts),
    }
    if not design.is_known and design.is_later:
        words = say(
            "Community servers: {servers}, multiplexers: {multiplexers}. By the maker’s limit of "
            "log-ins there are to be {needed} and {before}.",
            **values,
            needed=number(design.needed),
            before=number(design.needed_multiplexers),
        )
        return say("not within the maker’s limit"), Verdict.AT_RISK, words
    if not design.is_known:
        words = say(
            "Community servers: {servers}, multiplexers: {multiplexers}. Some carry more users "
            "than was ever planned for; {needed} of each would be within the known configuration.",
            **values,
            needed=number(design.needed),
        )
        return say("not within the known configuration"), Verdict.AT_RISK, words
    if design.plan.has_meetings:
        words = say(
            "Community servers: {servers}, multiplexers: {multiplexers}, for chat. Meetings are "
            "out of scope: they need servers and figures of their own.",
            **values,
        )
        return say("meetings are out of scope"), Verdict.NOT_KNOWN, words
    if design.is_later:
        words = say(
            "Community servers: {servers}, multiplexers: {multiplexers}, by the maker’s limit of "
            "log-ins; CPU and response are not published.",
            **values,
        )
        return say("within the maker’s limit"), Verdict.NOT_KNOWN, words
    words = say(
        "Community servers: {servers}, multiplexers: {multiplexers}, hosts like the published one: "
        "{hosts}. That is within what a benchmark was planned for; its CPU and response are charts "
        "only, and not known.",
        **values,
    )
    return say("within the known configuration"), Verdict.NOT_KNOWN, words


def _users(design: _Design) -> Iterator[AdviceNumber]:
    plan = design.plan
    number_of = partial(AdviceNumber, unit="users")
    yield given("people", say("people at once"), plan.people, "users")
    yield number_of(
        id="connections", label=say("connections of clients"), value=design.connections,
        source=GIVEN, note=say("each client of a person is a user"),
    )  # fmt: skip
    yield number_of(
        id="benchmark_users", label=say("benchmark users"), value=design.benchmark, source=GIVEN,
        note=say("connections × derating"),
    )  # fmt: skip
    if design.is_later:
        return
    yield number_of(
        id="people_per_host", label=say("people on one host like the published one"),
        value=design.known(_TARGET) / plan.benchmark_derating / plan.clients_per_person,
        source=_source(design), note=say("100,000 were the target of the benchmark, not a result"),
    )  # fmt: skip


def _source(design: _Design) -> str:
    return design.knowledge.cited(_ROWS + _TARGET)


def _servers(design: _Design) -> Iterator[AdviceNumber]:
    source = _limit(design) if design.is_later else _source(design)
    number_of = partial(AdviceNumber, source=source, basis=Basis.RULE)
    yield number_of("community_servers", say("community servers"), float(design.servers))
    yield number_of("multiplexers", say("multiplexers"), float(design.multiplexers))
    yield from _later_sizes() if design.is_later else _sizes(design, number_of)
    yield number_of(
        "of_known_community",
        say("users of a community server over the maker’s limit")
        if design.is_later
        else say("users of a community server over the known design"),
        design.of_known(design.servers),
        unit="×",
    )
    if design.is_later:
        yield unknown("cpu_pct", say("CPU of the servers"), "%", say("nothing was published"))
        return
    yield from _distance(design, number_of)
    why = say("of the benchmark only charts are left")
    yield unknown("cpu_pct", say("CPU of the servers"), "%", why)


def _sizes(design: _Design, number_of: Callable[..., AdviceNumber]) -> Iterator[AdviceNumber]:
    """VMs and hosts like those of the published design."""
    known = design.known
    cores = known("sockets-quad-core") * 4 * design.hosts
    for id, label, value, unit in (
        ("community_vcpus", say("vCPUs of each"), known("vcpu-per-community-server"), "vCPUs"),
        ("community_ram_gb", say("RAM of each"), known("ram-per-community-server"), "GB"),
        (
            "multiplexer_vcpus",
            say("vCPUs of a multiplexer"),
            known("vcpu-per-multiplexer"),
            "vCPUs",
        ),
        ("multiplexer_ram_gb", say("RAM of a multiplexer"), known("ram-per-multiplexer"), "GB"),
        ("hosts", say("hosts like the published one"), float(design.hosts), ""),
        ("vcpus", say("vCPUs in all"), design.vcpus, "vCPUs"),
        ("ram_gb", say("RAM in all"), design.ram_gb, "GB"),
        ("vcpus_per_core", say("vCPUs a core"), design.vcpus / cores, ""),
        (
            "ram_pct",
            say("RAM of the hosts, before overhead"),
            100.0 * design.ram_gb / (known("ram") * design.hosts),
            "%",
        ),
    ):
        yield number_of(id, label, value, unit=unit)


def _later_sizes() -> Iterator[AdviceNumber]:
    """The design of 2007 tells nothing of a later release's servers."""
    why = say("the published sizes are those of 7.5.1; measure a pilot")
    for id, label, unit in (
        ("vcpus", say("vCPUs in all"), "vCPUs"),
        ("ram_gb", say("RAM in all"), "GB"),
    ):
        yield unknown(id, label, unit, why)


def _limit(design: _Design) -> str:
    """Where the maker's limit stands."""
    return in_short(design.knowledge.catalog.sizings[_LIMIT].provenance.source)


def _distance(design: _Design, number_of: Callable[..., AdviceNumber]) -> Iterator[AdviceNumber]:
    """How far the multiplexers are from the known design, and what physical servers took."""
    known = design.known
    if design.multiplexers:
        yield number_of(
            id="of_known_multiplexer",
            label=say("users of a multiplexer over the known design"),
            value=design.of_known(design.multiplexers), unit="×",
        )  # fmt: skip
    for id, row, label in (
        (
            "physical_servers_low",
            "physical-servers-needed-beyond-35k-users-low",
            say("physical servers beyond 35,000 users, from"),
        ),
        (
            "physical_servers_high",
            "physical-servers-needed-beyond-35k-users-high",
            say("physical servers beyond 35,000 users, to"),
        ),
    ):
        yield number_of(id, label, known(row), is_shown=False)


def _per_user(design: _Design, name: str) -> float:
    """Operations of a benchmark user in a minute."""
    return design.known(name) / design.known(_TARGET)


def _each_thousand(design: _Design) -> Iterator[AdviceNumber]:
    """Operations of 1,000 benchmark users in a minute."""
    source = design.knowledge.cited(_ROWS + "logins")
    for name, label in _OPERATIONS:
        yield AdviceNumber(
            f"{name.replace('-', '_')}_per_1000",
            say("of 1,000 users in a minute: {what}", what=label),
            1000.0 * _per_user(design, name),
            basis=Basis.MEASURED,
            source=source,
            decimals=2,
            is_shown=False,
        )


def _logins(design: _Design) -> Iterator[AdviceNumber]:
    each, users = _per_user(design, "logins"), design.connections
    source = design.knowledge.cited(_ROWS + "logins")
    usual, storm = each * users / 60.0, users / design.plan.within_s
    number_of = partial(AdviceNumber, source=source)
    yield number_of(
        id="login_all_min", label=say("time for all to log in at the usual rate"),
        value=1.0 / each, unit="min", decimals=0,
    )  # fmt: skip
    yield number_of(
        "logins_per_s", say("log-ins when all come back"), storm, unit=say("per second"), decimals=0
    )
    yield number_of(
        "login_storm_factor", say("of the usual rate"), storm / usual, unit="×", decimals=0
    )


def _traffic(design: _Design) -> Iterator[AdviceNumber]:
    a_minute = _per_user(design, "large-ims-sent") * design.benchmark
    kb = a_minute * design.known("large-im-size") / 60.0
    source = design.knowledge.cited(_ROWS + "large-im-size")
    number_of = partial(AdviceNumber, source=source)
    yield number_of(
        "large_messages_kb_per_s", say("large messages, one way"), kb, unit="KB/s", decimals=0
    )
    yield number_of(
        "large_messages_mbps", say("large messages, one way"), kb * 8.0 / 1000.0, decimals=1
    )


_OPERATIONS = (
    ("logins", say("log-ins")),
    ("status-changes", say("status changes")),
    ("status-change-notifications", say("notifications of them")),
    ("im-channels-created", say("channels")),
    ("small-ims-sent", say("small messages")),
    ("large-ims-sent", say("large messages, 40 KB")),
    ("user-info-requests", say("business cards")),
    ("storage-reads", say("buddy lists read")),
    ("storage-updates", say("buddy lists updated")),
    ("n-way-chats-started", say("n-way chats")),
)


def _operations(design: _Design) -> AdviceTable:
    return AdviceTable(
        id="operations",
        title=say("What users do in a minute"),
        columns=(
            AdviceColumn("operation", say("operation"), numeric=False),
            AdviceColumn("per_1000_users", say("of 1,000 users"), decimals=2),
            AdviceColumn("per_minute", say("of all"), decimals=0),
        ),
        rows=tuple(
            (label, 1000.0 * _per_user(design, name), _per_user(design, name) * design.benchmark)
            for name, label in _OPERATIONS
        ),
        note=say("Each status change tells 100 others."),
    )


def _later(design: _Design) -> Iterator[AdviceNumber]:
    """The maker's limits for later releases."""
    if not design.is_later:
        return
    limits = design.knowledge.catalog.sizings
    logins, meetings = limits[_LIMIT], limits["sametime-12-meetings"]
    each = logins.users or 0.0
    yield AdviceNumber(
        id="later_logins", label=say("Sametime 12: log-ins of a community server"), value=each,
        unit="users", source=in_short(logins.provenance.source), note=logins.provenance.note,
    )  # fmt: skip
    if design.plan.has_meetings:
        yield AdviceNumber(
            id="later_meeting_users", label=say("Sametime 12: users in meetings of an instance"),
            value=meetings.users, unit="users", source=in_short(meetings.provenance.source),
            note=meetings.provenance.note,
        )  # fmt: skip


def _sources(design: _Design) -> tuple[Source, ...]:
    logins = design.knowledge.sources(_ROWS + "logins")
    if design.is_later:
        return (Source(_limit(design)), *logins)
    return (*design.knowledge.sources(_ROWS + _TARGET), *logins)


def _reasons(design: _Design) -> Iterator[Text]:
    plan = design.plan
    if design.is_later:
        yield say(
            "By its maker a community server of Sametime 12 takes {each} log-ins, with one "
            "multiplexer and a proxy before it; each further one takes as many more. Of CPU and "
            "RAM for so many nothing was published, and the benchmark of 7.5.1 doesn’t tell it.",
            each=number(_each(plan, design.knowledge)),
        )
    else:
        yield from _published(design)
    if design.multiplexers < (LATER_MULTIPLEXERS if design.is_later else AT_LEAST):
        yield say("Multiplexers of their own take the connections: they are part of the design.")
    if plan.directory is Directory.LOCAL:
        yield say(
            "A local directory takes CPU, as log-ins are checked there, and its disks matter; the "
            "design had a clustered LDAP directory elsewhere."
        )
    if plan.has_pictures:
        yield say("Pictures in the directory are more data and more load; the design had none.")
    if plan.has_notes_clients:
        yield say("A Notes client is heavier than Sametime Connect.")
    if plan.has_meetings:
        yield say(
            "Meetings are out of scope: only chat was measured, and they take more network and CPU."
        )
    if plan.sprayer is Sprayer.NONE and design.servers > 1:
        yield say("A cluster needs something that hands users out: nothing does here.")


def _published(design: _Design) -> Iterator[Text]:
    """What the one published design is, and that there is no smaller one."""
    known = design.known
    yield say(
        "One design was published: {users} chat users as target of two community servers (2 vCPUs, "
        "4 GB) and two multiplexers (1 vCPU, 2 GB) on one host with 8 cores and 24 GB; beyond "
        "{single} users {low} to {high} physical servers were usual. Customers were testing more "
        "than {customers} users.",
        users=number(known(_TARGET)),
        single=number(35_000),
        low=number(known("physical-servers-needed-beyond-35k-users-low")),
        high=number(known("physical-servers-needed-beyond-35k-users-high")),
        customers=number(design.knowledge.figure(_CUSTOMERS)),
    )
    if design.benchmark <= _each(design.plan, design.knowledge):
        yield say("No smaller design was published: two of each are for availability, not load.")


_CUSTOMERS = "wv21/ibm-sametime-customers/customer-sametime-concurrent-users-under-test-on-esx"


def _next(design: _Design) -> Iterator[Text]:
    yield say(
        "In production spread the servers over several hosts, so that partners don’t stand on one."
    )
    if design.plan.sprayer is not Sprayer.IP:
        yield say("Plan an IP sprayer; DNS round robin is cheaper and less robust.")
    if design.is_later and design.servers == 1:
        yield say("With one community server nobody chats while it is away: plan a second one.")
    yield say(
        "Measure a pilot: CPU and response of community servers and multiplexers were never "
        "published. Try what happens when the network is cut for 30 seconds."
    )


def _of_scenario(scenario: Scenario, _: CitedKnowledge) -> tuple[Found, ...]:
    """The chat servers that run, and the people on them."""
    on = [vm for vm in scenario.vms if vm.powered_on]
    chat = [vm for vm in on if vm.workload.kind is WorkloadKind.SAMETIME_COMMUNITY]
    people = sum(vm.workload.active_users for vm in chat)
    if people < 1:
        return ()
    before = [vm for vm in on if vm.workload.kind is WorkloadKind.SAMETIME_MUX]
    plan = SametimePlan(
        people=people,
        benchmark_derating=float(scenario.policy.derating.chat),
        release=chat[0].workload.release or "7.5.1",
        community_servers=len(chat),
        multiplexers=len(before),
    )
    paths = {"people": "workload.active_users", "release": "workload.release"}
    return (Found(plan, origins={} if len(chat) > 1 else origins_of(chat[0], paths)),)


def on_board(
    scenario: Scenario, inputs: SametimePlan, knowledge: CitedKnowledge, _subject: str = ""
) -> Scenario:
    """The scenario with the community servers and multiplexers of the plan, and its people spread
    over them; community servers are partners of one another. What the scenario has more of is
    switched off.

    Raises:
        ModelError: nobody published a size of such servers, and none stands there.
    """
    design = _design(inputs, knowledge)
    people = float(round(design.connections))
    sizes = {
        WorkloadKind.SAMETIME_COMMUNITY: (design.servers, "community-server"),
        WorkloadKind.SAMETIME_MUX: (design.multiplexers, "multiplexer"),
    }
    for kind, (count, name) in sizes.items():
        scenario = _with_servers(scenario, design, kind, count, name)
        ids = [vm.id for vm in _running(scenario, kind)[:count]]
        shares = dict(zip(ids, whole_parts([1.0] * count, people), strict=True))
        for vm in _running(scenario, kind):
            work = replace(vm.workload, active_users=shares.get(vm.id, vm.workload.active_users))
            scenario = scenario.with_item(replace(vm, workload=work, powered_on=vm.id in shares))
        if kind is WorkloadKind.SAMETIME_COMMUNITY:
            for id in ids:
                scenario = scenario.partnered(id, (each for each in ids if each != id))
    return scenario


def _running(scenario: Scenario, kind: WorkloadKind) -> list[Vm]:
    return [vm for vm in scenario.vms if vm.powered_on and vm.workload.kind is kind]


def _with_servers(
    scenario: Scenario, design: _Design, kind: WorkloadKind, count: int, name: str
) -> Scenario:
    """The scenario with so many servers of a kind; new ones are like those that stand there, else
    as the published design has them."""
    there = _running(scenario, kind)
    if not there and count and design.is_later:
        reason = say("has no published size of a {server}: put one on the board first", server=name)
        raise ModelError(reason, field="release")
    for _ in range(count - len(there)):
        like = there[0] if there else _as_published(scenario, design, kind, name)
        new = one_more(scenario, like, fresh_name(scenario, WORKLOADS[kind].vm_name))
        scenario = scenario.with_item(new)
        there = _running(scenario, kind)
    return scenario


def _as_published(scenario: Scenario, design: _Design, kind: WorkloadKind, name: str) -> Vm:
    workload = Workload(kind=kind, release=design.plan.release, active_users=0.0)
    return Vm(
        id=name,
        name=name,
        host=None,
        pool=scenario.pools[0].id if len(scenario.pools) == 1 else None,
        vcpus=int(design.known(f"vcpu-per-{name}")),
        ram_gib=design.known(f"ram-per-{name}"),
        disk_mode=DiskMode.VMFS,
        workload=workload,
    )


TOPIC = Topic(
    id="sametime",
    title=say("Sametime sizing"),
    about=say("Chat users to community servers, multiplexers and hosts, by the known design"),
    inputs=SametimePlan,
    example=SametimePlan(people=50_000.0),
    answer=_answer,
    words=("Sametime", "chat", "multiplexer", "community", "meetings"),
    of_scenario=_of_scenario,
    board=on_board,
    board_text=say("Put these servers on the board"),
    lacks=say("No chat server with users is on the board: enter how many people chat at once."),
)

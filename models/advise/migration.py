"""Today's box and a new one: what was measured of both, what the model says, and the claims."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from models.advise.advice import (
    Advice,
    AdviceColumn,
    AdviceNumber,
    AdviceTable,
    CitedKnowledge,
    Found,
    Topic,
    derating,
    of_quantity,
    printed,
    unknown,
)
from models.advise.found import (
    STATISTICS,
    Places,
    about,
    cell,
    derating_of,
    hosts_of_vms,
    is_physical,
    mail_servers,
    origins_of,
    placed,
    values_of,
)
from models.advise.one_server import OneServer, ServerNumbers, predicted_each
from models.advise.put import fresh_name, hosts_like, kept_load, seeing, with_host
from models.base.errors import ModelError
from models.base.fields import described, of_fields
from models.base.quantities import Basis, Quantity
from models.base.texts import Text, say
from models.intake.observed import MIB_PER_GIB, Observed, observed_of
from models.intake.records import Quantity as Measure
from models.intake.records import Records
from models.predict.prediction import Shown, Verdict
from models.scenario.inputs import with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import NO_HYPERVISOR, DiskMode, Host, Scenario, Vm, Workload
from models.scenario.wording import number, range_text, signed, with_unit
from models.scenario.workloads import WORKLOADS, WorkloadKind

_TABLE = "wv21/old-vs-new/"
_OLD_BOX = _TABLE + "x366/physical/6gb/{users}/response_ms"
_NEW_BOXES = (
    ("clovertown/rdm/7.25gb", say("RDM, 7.25 GB"), DiskMode.RDM, 7.25),
    ("clovertown/vmfs/7.25gb", say("VMFS, 7.25 GB"), DiskMode.VMFS, 7.25),
    ("clovertown/vmfs/14.5gb", say("VMFS, 14.5 GB"), DiskMode.VMFS, 14.5),
)
_USERS = (1000, 2000, 3000, 4000, 5000, 6000)
_CLAIM = (
    "wv21/lesson-learned/response-time-decrease-reported-by-some-customers-migrating-old-new-hw-on-"
    "vmware"
)
MODEL = say("Headroom’s model")
_ram = partial(described, ge=0.5, le=24_576)


@of_fields
class Migration:
    """A mail server today and the VM that it is to become."""

    users: float = described(
        3000.0,
        say("active users"),
        unit="users",
        meaning="Active users.",
        ge=1,
        le=1e6,
        is_whole=True,
    )
    benchmark_derating: float = derating(1.0)
    release: str = described("7.0.2", say("release"), meaning="Domino release of both.")
    mail_file_mb: float = described(
        87.5, say("mail file"), meaning="Mean mail file [MB].", ge=0.1, le=1e6
    )
    old_server: str = described(
        "ibm-x366", say("server today"), meaning="Catalog id of today’s server.", ids="servers"
    )
    old_ram_gib: float = _ram(6.0, say("RAM today"), meaning="RAM in use today [GiB].")
    old_cpus: int = described(
        4, say("CPUs today"), meaning="CPUs that Domino uses today.", ge=1, le=128
    )
    old_guest_bits: int = described(
        32, say("bits today"), meaning="Bits of today’s system.", choices=(32, 64)
    )
    new_server: str = described(
        "intel-clovertown-whitebox",
        say("new server"),
        meaning="Catalog id of the new host.",
        ids="servers",
    )
    new_hypervisor: str = described(
        "esx-3.0.1", say("hypervisor"), meaning="Catalog id; of the new host.", ids="hypervisors"
    )
    new_ram_gib: float = _ram(7.25, say("RAM of the VM"), meaning="RAM of the VM [GiB].")
    new_vcpus: int = described(4, say("vCPUs of the VM"), meaning="vCPUs of the VM.", ge=1, le=128)
    new_disk_mode: DiskMode = described(
        DiskMode.VMFS, say("disk path"), meaning="How the VM reaches its disks."
    )


# --- the document's table -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell of the migration table: `kind` by the document's rule, the change [%], and the change
    that the model predicts, None where there is nothing to compare with."""

    box: Text
    users: int
    old: float | None
    new: float | None
    kind: str
    change: float | None
    predicted: float | None

    @property
    def turns(self) -> bool:
        """Whether the model has the other colour than what was measured and nobody doubts."""
        known = self.change is not None and self.predicted is not None
        is_sure = known and self.kind in ("better", "worse")
        return is_sure and ((self.change or 0.0) < 0) != ((self.predicted or 0.0) < 0)


def _model_changes(knowledge: CitedKnowledge) -> dict[tuple[str, int], float | None]:
    """What the model has for each cell of the table, by box and users [%]."""
    old = [
        OneServer(
            server="ibm-x366", hypervisor=NO_HYPERVISOR, users=float(users), ram_gib=6.0, bits=32
        )
        for users in _USERS
    ]
    new = {
        (path, users): OneServer(
            server="intel-clovertown-whitebox", hypervisor="esx-3.0.1", users=float(users),
            ram_gib=ram, mode=mode,
        )
        for path, _, mode, ram in _NEW_BOXES
        for users in _USERS
    }  # fmt: skip
    found = predicted_each([*old, *new.values()], knowledge)
    before = dict(zip(_USERS, found, strict=False))
    after = dict(zip(new, found[len(old) :], strict=True))
    return {
        (path, users): _change(before[users].response_ms.value, each.response_ms.value)
        for (path, users), each in after.items()
    }


def _cells(knowledge: CitedKnowledge) -> Iterator[_Cell]:
    model = _model_changes(knowledge)
    for path, label, *_ in _NEW_BOXES:
        for users in _USERS:
            id = f"{_TABLE}{path}/{users}/response_ms"
            if id not in knowledge.rows:
                id = f"wv21/{path}/{users}/response_ms"
            old, new = knowledge.value(_OLD_BOX.format(users=users)), knowledge.value(id)
            row = knowledge.rows.get(id)
            change = None if old is None or new is None else 100.0 * (new / old - 1.0)
            if new is None:
                kind = "blank"
            elif change is None:
                kind = "no partner"
            elif row is not None and row.doubted:
                kind = "doubted"
            else:
                kind = "better" if change < 0 else "worse"
            predicted = None if change is None else model[path, users]
            yield _Cell(label, users, old, new, kind, change, predicted)


_KINDS = {
    "better": say("better"),
    "worse": say("worse"),
    "doubted": say("doubted"),
    "no partner": say("nothing to compare"),
    "blank": say("not measured"),
}


_VERDICTS = {
    "better": Verdict.FITS,
    "worse": Verdict.AT_RISK,
    "doubted": Verdict.NOT_KNOWN,
}
"""Colours of cells; one that has nothing to be compared with has none."""


def _table(cells: tuple[_Cell, ...]) -> AdviceTable:
    return AdviceTable(
        id="migration",
        title=say("The document’s table: response of the x366 and of a new box"),
        columns=(
            AdviceColumn("new_box", say("new box (Clovertown)"), numeric=False),
            AdviceColumn("users", say("users"), decimals=0),
            AdviceColumn("old_ms", say("IBM x366"), unit="ms", decimals=0),
            AdviceColumn("new_ms", say("new"), unit="ms", decimals=0),
            AdviceColumn("change_pct", say("change"), unit="%", decimals=1, is_signed=True),
            AdviceColumn("cell", say("by the document’s rule"), numeric=False),
            AdviceColumn("predicted_pct", say("predicted"), unit="%", decimals=1, is_signed=True),
        ),
        rows=tuple(
            (
                each.box,
                float(each.users),
                each.old,
                each.new,
                each.change,
                Shown(_VERDICTS.get(each.kind), _KINDS[each.kind]),
                each.predicted,
            )
            for each in cells
        ),
        note=say("Better is a shorter response than the x366 at the same users."),
    )


def _counted(cells: tuple[_Cell, ...], knowledge: CitedKnowledge) -> Iterator[AdviceNumber]:
    counts = Counter(each.kind for each in cells)
    claim = knowledge.figure(_CLAIM)
    source = knowledge.cited(_OLD_BOX.format(users=1000))
    number_of = partial(AdviceNumber, unit=say("cells"), basis=Basis.MEASURED, source=source)
    for kind, id, label in (
        ("better", "table_better", say("cells in which the new box is better")),
        ("worse", "table_worse", say("cells in which it is worse")),
        ("doubted", "table_doubted", say("cells that their authors doubt")),
        ("no partner", "table_no_partner", say("cells with nothing to compare with")),
        ("blank", "table_blank", say("cells that are blank")),
    ):
        yield number_of(id, label, float(counts[kind]))
    old = [knowledge.value(_OLD_BOX.format(users=users)) for users in _USERS]
    yield number_of("old_blank", say("blank cells of the x366"), float(old.count(None)))
    yield printed(knowledge, _CLAIM, "claim_pct", say("claim: response shorter by up to"), unit="%")
    yield AdviceNumber(
        id="predicted_otherwise", label=say("cells that the model has the other way round"),
        value=float(sum(each.turns for each in cells)), unit=say("cells"),
        basis=Basis.INTERPOLATED, source=MODEL,
    )  # fmt: skip
    beyond = [each for each in cells if each.kind == "better" and (each.change or 0.0) < -claim]
    yield number_of("beyond_claim", say("better cells beyond the claim"), float(len(beyond)))


# --- the pair that is asked for -----------------------------------------------------------------


def _answer(inputs: Migration, knowledge: CitedKnowledge) -> Advice:
    if inputs.new_hypervisor == NO_HYPERVISOR:
        raise ModelError(say("must be a hypervisor"), field="new_hypervisor")
    shared = {
        "users": inputs.users,
        "release": inputs.release,
        "mail_file_mb": inputs.mail_file_mb,
        "derating": inputs.benchmark_derating,
    }
    old = OneServer(
        server=inputs.old_server, hypervisor=NO_HYPERVISOR, ram_gib=inputs.old_ram_gib,
        vcpus=inputs.old_cpus, bits=inputs.old_guest_bits, **shared,  # type: ignore[arg-type]
    ).predicted(knowledge)  # fmt: skip
    new = OneServer(
        server=inputs.new_server, hypervisor=inputs.new_hypervisor, ram_gib=inputs.new_ram_gib,
        vcpus=inputs.new_vcpus, mode=inputs.new_disk_mode, **shared,  # type: ignore[arg-type]
    ).predicted(knowledge)  # fmt: skip
    cells = tuple(_cells(knowledge))
    numbers = (*_pair(old, new, knowledge), *_counted(cells, knowledge))
    conclusion, verdict, sentence = _concluded(old, new)
    return Advice(
        conclusion=conclusion,
        verdict=verdict,
        sentence=sentence,
        numbers=numbers,
        tables=(_table(cells),),
        reasons=tuple(_reasons(old, new, cells, knowledge)),
        next=tuple(_next()),
        lines=("show stat Platform.*", "esxtop"),
        sources=knowledge.sources(
            _OLD_BOX.format(users=1000),
            _CLAIM,
            "wv21/x366-results-comments/x366-response-time-increase-at-3000-users",
        ),
    )


def _pair(
    old: ServerNumbers, new: ServerNumbers, knowledge: CitedKnowledge
) -> Iterator[AdviceNumber]:
    for when, label, found in (
        ("old", say("today, response"), old.response_ms),
        ("new", say("then, response"), new.response_ms),
    ):
        yield _measured(
            f"{when}_response_measured_ms",
            say("{what}, measured", what=label),
            found,
            "ms",
            knowledge,
        )
        yield _predicted(f"{when}_response_ms", say("{what}, predicted", what=label), found, "ms")
    for when, label, found in (
        ("old", say("today, CPU"), old.cpu_pct),
        ("new", say("then, CPU"), new.cpu_pct),
    ):
        yield _measured(
            f"{when}_cpu_measured_pct",
            say("{what}, measured", what=label),
            found,
            "%",
            knowledge,
        )
        yield _predicted(f"{when}_cpu_pct", say("{what}, predicted", what=label), found, "%")
    measured = _change(old.response_ms.measured, new.response_ms.measured)
    predicted = _change(old.response_ms.value, new.response_ms.value)
    label = say("change of response")
    if measured is None:
        why = say("not measured on both")
        yield unknown("change_measured_pct", say("{what}, measured", what=label), "%", why)
    else:
        yield AdviceNumber(
            id="change_measured_pct", label=say("{what}, measured", what=label), value=measured,
            unit="%", basis=Basis.MEASURED, decimals=1,
            source=knowledge.cited(*old.response_ms.evidence, *new.response_ms.evidence),
        )  # fmt: skip
    if predicted is not None:
        yield AdviceNumber(
            id="change_predicted_pct", label=say("{what}, predicted", what=label), value=predicted,
            unit="%", basis=max(old.response_ms.basis, new.response_ms.basis, Basis.INTERPOLATED),
            source=MODEL, decimals=1, low=_change(old.response_ms.high, new.response_ms.low),
            high=_change(old.response_ms.low, new.response_ms.high),
        )  # fmt: skip


def _measured(
    id: str, label: Text, found: Quantity, unit: str, knowledge: CitedKnowledge
) -> AdviceNumber:
    if found.measured is None:
        return unknown(id, label, unit, say("this very server was not measured"))
    return AdviceNumber(
        id=id, label=label, value=found.measured, unit=unit, basis=Basis.MEASURED,
        source=knowledge.cited(*found.evidence),
    )  # fmt: skip


def _predicted(id: str, label: Text, found: Quantity, unit: str) -> AdviceNumber:
    """The model's figure, which is none that was measured even where one was."""
    value = of_quantity(found, id, label, unit, MODEL)
    return replace(value, basis=max(value.basis, Basis.INTERPOLATED))


def _change(old: float | None, new: float | None) -> float | None:
    return None if not old or new is None else 100.0 * (new / old - 1.0)


def told_apart(old: Quantity, new: Quantity) -> bool:
    """Whether ranges say which is more: they don't where they overlap."""
    if None in (old.low, old.high, new.low, new.high):
        return False
    return (new.high or 0.0) < (old.low or 0.0) or (new.low or 0.0) > (old.high or 0.0)


def _concluded(old: ServerNumbers, new: ServerNumbers) -> tuple[Text, Verdict | None, Text]:
    before, after = old.response_ms, new.response_ms
    measured = _change(before.measured, after.measured)
    change = _change(before.value, after.value) if measured is None else measured
    if change is None:
        why = say("The response of one of the two isn’t known.")
        return say("not known"), Verdict.NOT_KNOWN, why
    if measured is None and not told_apart(before, after):
        sentence = say(
            "Whether response changes can’t be told: today {before}, then {after}; the ranges "
            "overlap.",
            before=with_range(before, "ms"),
            after=with_range(after, "ms"),
        )
        return say("can’t be told"), Verdict.NOT_KNOWN, sentence
    pair = (
        (before.measured, after.measured) if measured is not None else (before.value, after.value)
    )
    sentence = say(
        "Response goes from {before} to {after} ms, {change} % ({how}).",
        before=number(pair[0] or 0.0),
        after=number(pair[1] or 0.0),
        change=signed(change, 1),
        how=say("predicted") if measured is None else say("measured"),
    )
    is_better = change < 0
    word = say("better") if is_better else say("worse")
    return word, Verdict.FITS if is_better else Verdict.AT_RISK, sentence


def with_range(found: Quantity, unit: str) -> Text:
    """A number with the ends of its range."""
    value = with_unit(number(found.value or 0.0), unit)
    return say("{value} ({range})", value=value, range=range_text(found))


def _turned(cells: tuple[_Cell, ...]) -> Iterator[Text]:
    """Where the model misses the colour of a cell."""
    for each in cells:
        if each.turns:
            yield say(
                "Measured comes before predicted: for {box} at {users} users the model says "
                "{model} % and the table {measured} %.",
                box=each.box,
                users=number(each.users),
                model=signed(each.predicted or 0.0, 1),
                measured=signed(each.change or 0.0, 1),
            )


def _reasons(
    old: ServerNumbers, new: ServerNumbers, cells: tuple[_Cell, ...], knowledge: CitedKnowledge
) -> Iterator[Text]:
    before, after = old.cpu_pct.value, new.cpu_pct.value
    if before and after is not None:
        yield say(
            "CPU goes from {before} to {after} % (predicted).",
            before=number(before, 1),
            after=number(after, 1),
        )  # fmt: skip
    changes = [each.change or 0.0 for each in cells if each.kind == "better"]
    claim = knowledge.figure(_CLAIM)
    yield say(
        "“Up to {claim} %” shorter response is what customers told; the document’s own table has "
        "{least} to {most} %, {beyond} of {count} better cells beyond the claim.",
        claim=number(claim),
        least=signed(max(changes), 0),
        most=signed(min(changes), 0),
        beyond=sum(each < -claim for each in changes),
        count=len(changes),
    )
    yield from _turned(cells)
    yield say(
        "On like hardware response rises with the load: {more} % at 3,000 users of the x366 with "
        "raw devices.",
        more=number(
            knowledge.figure("wv21/x366-results-comments/x366-response-time-increase-at-3000-users")
        ),
    )


def _next() -> Iterator[Text]:
    yield say(
        "Leave hyper-threading on under ESX, as its maker asks; the physical runs had it off."
    )
    yield say(
        "Measure response, CPU and disks of today’s server at its busy hours, and the same with a "
        "pilot on the new host, inside Domino and on the host:"
    )


def _of_scenario(scenario: Scenario, _: CitedKnowledge) -> tuple[Found, ...]:
    """The mail servers that are physical, and the first host of VMs."""
    hosts = hosts_of_vms(scenario)
    old = [vm for vm in mail_servers(scenario) if is_physical(scenario, vm)] if hosts else []
    return tuple(_moved(scenario, vm, hosts[0]) for vm in old)


def _moved(scenario: Scenario, vm: Vm, new: Host) -> Found:
    old = scenario.host(vm.host or "")
    inputs = Migration(
        users=float(round(vm.workload.active_users)),
        benchmark_derating=derating_of(scenario.policy),
        release=vm.workload.release or "7.0.2",
        mail_file_mb=vm.workload.mail_file_mb or 87.5,
        old_server=old.server,
        old_ram_gib=vm.ram_gib,
        old_cpus=min(vm.vcpus, 128),
        old_guest_bits=vm.guest_bits or 32,
        new_server=new.server,
        new_hypervisor=new.hypervisor,
        new_ram_gib=vm.ram_gib,
        new_vcpus=min(vm.vcpus, 128),
    )
    paths = {"users": "workload.active_users", "release": "workload.release"}
    paths |= {"mail_file_mb": "workload.mail_file_mb", "old_ram_gib": "ram_gib"}
    origins = {
        **origins_of(vm, paths | {"old_cpus": "vcpus", "old_guest_bits": "guest_bits"}),
        **origins_of(old, {"old_server": "server"}),
        **origins_of(new, {"new_server": "server", "new_hypervisor": "hypervisor"}),
    }
    return about(vm, inputs, origins)


def on_board(
    scenario: Scenario, inputs: Migration, knowledge: CitedKnowledge, subject: str
) -> Scenario:
    """The scenario with the server as a VM on the new host, which comes where there is none like
    it; the old machine stays. What was measured travels along.

    A server that is none of the scenario comes as a VM with its users.
    """
    known = next((vm for vm in scenario.vms if vm.id == subject), None)
    scenario = with_host(
        scenario, inputs.new_server, inputs.new_hypervisor, inputs.new_ram_gib, knowledge.catalog
    )
    hosts = hosts_like(scenario, inputs.new_server, inputs.new_hypervisor)
    reached = seeing(scenario, None if known is None else known.pool, hosts)
    host = min(reached or hosts, key=lambda each: sum(vm.vcpus for vm in scenario.vms_on(each.id)))
    if known is None:
        vm = with_origin(_as_vm(scenario, inputs), Origin.CUSTOMER)
    else:
        vm = kept_load(known, inputs.old_server)
    there = replace(vm, host=host.id, disk_mode=inputs.new_disk_mode)
    return scenario.with_item(replace(there, vcpus=inputs.new_vcpus, ram_gib=inputs.new_ram_gib))


def _as_vm(scenario: Scenario, inputs: Migration) -> Vm:
    workload = Workload(
        kind=WorkloadKind.DOMINO_NRPC,
        release=inputs.release,
        active_users=float(round(inputs.users)),
        mail_file_mb=inputs.mail_file_mb,
    )
    return Vm(
        id=scenario.fresh_id("m"),
        name=fresh_name(scenario, WORKLOADS[WorkloadKind.DOMINO_NRPC].vm_name),
        host=None,
        pool=scenario.pools[0].id if len(scenario.pools) == 1 else None,
        vcpus=inputs.new_vcpus,
        ram_gib=inputs.new_ram_gib,
        disk_mode=inputs.new_disk_mode,
        guest_bits=inputs.old_guest_bits,
        workload=workload,
    )


def _of_records(records: Sequence[Records]) -> Found | None:
    """The first machine that was measured or whose statistics are read, as today's server; of an
    inventory there is none that is to become a VM."""
    if any(each.vms or each.hosts for each in records):
        return None
    for machine in observed_of(records):
        values, places = _today(machine)
        if values:
            return Found(Migration(**values), places)
    return None


def _today(machine: Observed) -> tuple[dict[str, Any], Places]:
    """Inputs that are of a machine, and where they stand."""
    domino, values, places = machine.domino, dict[str, Any](), Places()
    if domino is not None:
        of_statistics = {"users": "active_15min", "release": "release", "old_cpus": "cpus"}
        values, places = values_of(domino, of_statistics)
    cpus = values.get("old_cpus") or machine.counted_cpus
    if cpus:
        values["old_cpus"] = min(max(int(cpus), 1), 128)
    ram = None if domino is None else domino.ram_mib
    total = machine.series.get(Measure.RAM_TOTAL_MIB)
    if ram is None and total is not None:
        ram, places["old_ram_gib"] = total.at(100), cell(total.place)
    elif domino is not None:
        places |= placed("old_ram_gib", domino, "ram_mib")
    if ram:
        values["old_ram_gib"] = min(max(ram / MIB_PER_GIB, 0.5), 24_576.0)
    if not values.get("users"):
        values.pop("users", None)
        places.pop("users", None)
    return values, places


TOPIC = Topic(
    id="migration",
    title=say("Old box, new box"),
    about=say("Today’s server and a new host: what was measured, what is predicted"),
    inputs=Migration,
    example=Migration(),
    answer=_answer,
    words=("migration", "old", "new", "x366", "Clovertown", "response"),
    paste=STATISTICS,
    of_records=_of_records,
    of_scenario=_of_scenario,
    board=on_board,
    board_text=say("Move it to the new host"),
    lacks=say(
        "No physical mail server stands beside a host of VMs on the board: choose the machine of "
        "today and the new host."
    ),
)

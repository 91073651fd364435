"""Raw devices or the file system of ESX, and how much RAM: the experiments side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from models.advise.advice import (
    Advice,
    AdviceColumn,
    AdviceNumber,
    AdviceTable,
    CitedKnowledge,
    Found,
    Topic,
    unknown,
)
from models.advise.found import about, derating_of, is_physical, mail_servers, origins_of
from models.advise.put import subject_of
from models.base.errors import ModelError
from models.base.fields import Word, described, of_fields
from models.base.quantities import Basis
from models.base.texts import Text, say
from models.catalog.catalog import Platform
from models.predict.prediction import Verdict
from models.scenario.scenario import DiskMode, Scenario, Vm
from models.scenario.wording import number, signed

_USERS = (1000, 2000, 3000, 4000, 5000, 6000)
_FREE = "wv21/conclusions/free-ram-reported-in-{gb}-gb-domino-vm"
_IN_USE = "vsphere4/table1/dominomail-0{vm}/memory_avg"


class TestBed(Word):
    """A machine of the experiments, with the RAM of the VM."""

    __test__ = False

    X366 = "x366/6gb", say("x366, 6 GB")
    CLOVERTOWN = "clovertown/7.25gb", say("Clovertown, 7.25 GB")
    CLOVERTOWN_LARGE = "clovertown/14.5gb", say("Clovertown, 14.5 GB")

    @property
    def ram_gib(self) -> float:
        """RAM of its VM."""
        return float(self.partition("/")[2].removesuffix("gb"))

    def row(self, path: str, users: int, quantity: str) -> str:
        """Id of a figure of it."""
        machine, ram = self.split("/")
        return f"wv21/{machine}/{path}/{ram}/{users}/{quantity}"


@of_fields
class StoragePath:
    """Which experiment to look at more closely."""

    bed: TestBed = described(
        TestBed.CLOVERTOWN,
        say("machine and RAM"),
        meaning="The experiment that is like your server.",
    )
    users: int = described(
        4000, say("users"), unit="users", meaning="Users of the run.", choices=_USERS
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """A pair of runs that differ in the path only; None where a cell is blank."""

    bed: TestBed
    users: int
    rdm: float | None
    vmfs: float | None
    doubted: bool


def _runs(knowledge: CitedKnowledge, quantity: str) -> Iterator[_Run]:
    for bed in TestBed:
        for users in _USERS:
            ids = [bed.row(path, users, quantity) for path in ("rdm", "vmfs")]
            rows = [knowledge.rows.get(id) for id in ids]
            if all(row is None for row in rows):
                continue
            yield _Run(
                bed,
                users,
                knowledge.value(ids[0]),
                knowledge.value(ids[1]),
                any(row is not None and row.doubted for row in rows),
            )


def _answer(inputs: StoragePath, knowledge: CitedKnowledge) -> Advice:
    cpu, response = (tuple(_runs(knowledge, each)) for each in ("cpu_pct", "response_ms"))
    numbers = (
        *_asked(inputs, knowledge),
        *_claims(cpu, response, knowledge),
        *_ratios(knowledge),
        *_responses(knowledge),
        *_doubled(knowledge),
    )
    by_id = {each.id: each.value for each in numbers}
    faster = _asked_faster(by_id)
    return Advice(
        conclusion=say("VMFS") if faster is None or faster else say("RDM"),
        verdict=Verdict.FITS if faster is not None else Verdict.NOT_KNOWN,
        sentence=_sentence(faster, inputs, by_id),
        numbers=numbers,
        tables=(_pairs_table(cpu, response), _ratio_table(knowledge), _ram_table(knowledge)),
        reasons=tuple(_reasons(knowledge, by_id)),
        next=tuple(_next()),
        lines=("show stat Platform.LogicalDisk.*", "show stat Database.Database.BufferPool.*"),
        sources=knowledge.sources(
            TestBed.X366.row("rdm", 1000, "cpu_pct"),
            TestBed.X366.row("rdm", 1000, "response_ms"),
            TestBed.CLOVERTOWN.row("rdm", 1000, "cpu_pct"),
            TestBed.CLOVERTOWN.row("rdm", 1000, "response_ms"),
            _FREE.format(gb=1),
            _IN_USE.format(vm=1),
        ),
    )


_DOUBTED = say("doubted by its authors")
_measured = partial(AdviceNumber, basis=Basis.MEASURED)


def _asked(inputs: StoragePath, knowledge: CitedKnowledge) -> Iterator[AdviceNumber]:
    """The figures of the experiment that is looked at."""
    labels = (
        ("rdm", "cpu_pct", say("CPU with raw devices"), "%"),
        ("vmfs", "cpu_pct", say("CPU with VMFS"), "%"),
        ("rdm", "response_ms", say("response with raw devices"), "ms"),
        ("vmfs", "response_ms", say("response with VMFS"), "ms"),
    )
    for path, quantity, label, unit in labels:
        id = inputs.bed.row(path, inputs.users, quantity)
        value, row = knowledge.value(id), knowledge.rows.get(id)
        if value is None:
            yield unknown(f"{path}_{quantity}", label, unit, say("not measured, or left blank"))
        else:
            note = _DOUBTED if row is not None and row.doubted else ""
            yield _measured(
                f"{path}_{quantity}", label, value, unit=unit, note=note, source=knowledge.cited(id)
            )


def _asked_faster(by_id: dict[str, float | None]) -> bool | None:
    """Whether VMFS answers faster in the experiment that is looked at."""
    rdm, vmfs = by_id["rdm_response_ms"], by_id["vmfs_response_ms"]
    return None if rdm is None or vmfs is None else vmfs < rdm


def _sentence(faster: bool | None, inputs: StoragePath, by_id: dict[str, float | None]) -> Text:
    where = {"bed": inputs.bed.label, "users": number(inputs.users)}
    if faster is None:
        return say(
            "{bed}, {users} users: the two paths can’t be compared; wherever they can, VMFS "
            "answered faster.",
            **where,
        )  # fmt: skip
    values = {
        "vmfs": number(by_id["vmfs_response_ms"] or 0.0),
        "rdm": number(by_id["rdm_response_ms"] or 0.0),
    }
    return say(
        "{bed}, {users} users: {vmfs} ms with VMFS, {rdm} ms with raw devices.", **where, **values
    )


def _claims(
    cpu: tuple[_Run, ...], response: tuple[_Run, ...], knowledge: CitedKnowledge
) -> Iterator[AdviceNumber]:
    """In how many pairs the document's sentences hold."""
    on_clovertown = [each for each in cpu if each.bed is not TestBed.X366]
    pairs = [(each.rdm, each.vmfs) for each in on_clovertown if None not in (each.rdm, each.vmfs)]
    less = sum((rdm or 0.0) < (vmfs or 0.0) for rdm, vmfs in pairs)
    number_of = partial(_measured, source=_told_by(on_clovertown, "cpu_pct", knowledge))
    yield number_of("rdm_less_cpu", say("pairs in which raw devices took less CPU"), float(less))
    yield number_of("cpu_pairs", say("pairs in which CPU can be compared"), float(len(pairs)))
    for id, label, beds in (
        ("clovertown", say("Clovertown"), (TestBed.CLOVERTOWN, TestBed.CLOVERTOWN_LARGE)),
        ("x366", say("x366"), (TestBed.X366,)),
    ):
        there = [each for each in response if each.bed in beds]
        there = [each for each in there if None not in (each.rdm, each.vmfs)]
        sure = [each for each in there if not each.doubted]
        faster = [each for each in there if (each.vmfs or 0.0) < (each.rdm or 0.0)]
        number_of = partial(_measured, source=_told_by(there, "response_ms", knowledge))
        yield number_of(
            f"vmfs_faster_{id}",
            say("pairs in which VMFS answered faster: {machine}", machine=label),
            float(sum(not each.doubted for each in faster)),
        )
        yield number_of(
            f"response_pairs_{id}",
            say("pairs that nobody doubts: {machine}", machine=label),
            float(len(sure)),
        )
        yield number_of(
            f"response_pairs_{id}_doubted",
            say("pairs with those in doubt: {machine}", machine=label),
            float(len(there)),
            is_shown=False,
        )


def _told_by(runs: Sequence[_Run], quantity: str, knowledge: CitedKnowledge) -> str:
    """Where the figures of pairs stand."""
    return knowledge.cited(*(each.bed.row("vmfs", each.users, quantity) for each in runs))


def _ratio(knowledge: CitedKnowledge, bed: TestBed, path: str, users: int) -> float | None:
    """CPU of a path over that without ESX [1]; Clovertown without ESX had 7.25 GB only."""
    alone = TestBed.CLOVERTOWN if bed is TestBed.CLOVERTOWN_LARGE else bed
    under = knowledge.value(bed.row(path, users, "cpu_pct"))
    physical = knowledge.value(alone.row("physical", users, "cpu_pct"))
    return None if under is None or not physical else under / physical


def _ratios(knowledge: CitedKnowledge) -> Iterator[AdviceNumber]:
    for bed in TestBed:
        for path in ("rdm", "vmfs"):
            for users in _USERS:
                ratio = _ratio(knowledge, bed, path, users)
                if ratio is not None:
                    yield _measured(
                        id=f"{path}_over_physical_{bed.replace('/', '_')}_{users}",
                        label=say(
                            "CPU over that without ESX: {bed}, {path}, {users} users",
                            bed=bed.label, path=path.upper(), users=number(users),
                        ),
                        value=ratio, unit="×", decimals=2, is_shown=False,
                        source=knowledge.cited(bed.row(path, users, "cpu_pct")),
                    )  # fmt: skip


def _response_change(
    knowledge: CitedKnowledge, bed: TestBed, path: str, users: int
) -> tuple[float | None, bool]:
    """Response of a path against that without ESX [%], and whether its authors doubt it."""
    alone = TestBed.CLOVERTOWN if bed is TestBed.CLOVERTOWN_LARGE else bed
    id = bed.row(path, users, "response_ms")
    under, physical = (
        knowledge.value(each) for each in (id, alone.row("physical", users, "response_ms"))
    )
    if under is None or not physical:
        return None, False
    return 100.0 * (under / physical - 1.0), knowledge.rows[id].doubted


def _responses(knowledge: CitedKnowledge) -> Iterator[AdviceNumber]:
    for bed in TestBed:
        for path in ("rdm", "vmfs"):
            for users in _USERS:
                change, doubted = _response_change(knowledge, bed, path, users)
                if change is not None:
                    yield _measured(
                        id=f"{path}_response_over_physical_{bed.replace('/', '_')}_{users}",
                        label=say(
                            "response against that without ESX: {bed}, {path}, {users} users",
                            bed=bed.label, path=path.upper(), users=number(users),
                        ),
                        value=change, unit="%", decimals=1, is_shown=False,
                        note=_DOUBTED if doubted else "",
                        source=knowledge.cited(bed.row(path, users, "response_ms")),
                    )  # fmt: skip


def _change(knowledge: CitedKnowledge, path: str, users: int, quantity: str) -> float | None:
    """What doubling RAM changed [%]."""
    old = knowledge.value(TestBed.CLOVERTOWN.row(path, users, quantity))
    new = knowledge.value(TestBed.CLOVERTOWN_LARGE.row(path, users, quantity))
    return None if not old or new is None else 100.0 * (new / old - 1.0)


def _doubled(knowledge: CitedKnowledge) -> Iterator[AdviceNumber]:
    for path in ("rdm", "vmfs"):
        for quantity, what in (("cpu_pct", say("CPU")), ("response_ms", say("response"))):
            for users in _USERS:
                change = _change(knowledge, path, users, quantity)
                if change is not None:
                    row = knowledge.rows[TestBed.CLOVERTOWN_LARGE.row(path, users, quantity)]
                    yield _measured(
                        id=f"ram_doubled_{path}_{quantity}_{users}",
                        label=say(
                            "RAM doubled, {what}: {path}, {users} users",
                            what=what, path=path.upper(), users=number(users),
                        ),
                        value=change, unit="%", decimals=1, is_shown=False,
                        note=_DOUBTED if row.doubted else "", source=knowledge.cited(row.id),
                    )  # fmt: skip


def _pairs_table(cpu: tuple[_Run, ...], response: tuple[_Run, ...]) -> AdviceTable:
    times = {(each.bed, each.users): each for each in response}
    rows = []
    for each in cpu:
        answer = times.get((each.bed, each.users))
        rdm, vmfs = (None, None) if answer is None else (answer.rdm, answer.vmfs)
        doubted = answer is not None and answer.doubted
        rows.append(
            (
                each.bed.label, float(each.users), each.rdm, each.vmfs, rdm, vmfs,
                say("doubted") if doubted else "",
            )
        )  # fmt: skip
    return AdviceTable(
        id="paths",
        title=say("Raw devices and VMFS"),
        columns=(
            AdviceColumn("bed", say("machine and RAM"), numeric=False),
            AdviceColumn("users", say("users"), decimals=0),
            AdviceColumn("rdm_cpu_pct", say("CPU, RDM"), unit="%", decimals=1),
            AdviceColumn("vmfs_cpu_pct", say("CPU, VMFS"), unit="%", decimals=1),
            AdviceColumn("rdm_response_ms", say("response, RDM"), unit="ms", decimals=0),
            AdviceColumn("vmfs_response_ms", say("response, VMFS"), unit="ms", decimals=0),
            AdviceColumn("doubted", say("remark"), numeric=False),
        ),
        rows=tuple(rows),
    )


def _ratio_table(knowledge: CitedKnowledge) -> AdviceTable:
    return AdviceTable(
        id="over_physical",
        title=say("Under ESX against without: CPU and response"),
        columns=(
            AdviceColumn("bed", say("machine and RAM"), numeric=False),
            AdviceColumn("users", say("users"), decimals=0),
            AdviceColumn("rdm", say("CPU, RDM"), unit="×", decimals=2),
            AdviceColumn("vmfs", say("CPU, VMFS"), unit="×", decimals=2),
            *(
                AdviceColumn(id, title, unit="%", decimals=1, is_signed=True)
                for id, title in (
                    ("rdm_response_pct", say("response, RDM")),
                    ("vmfs_response_pct", say("response, VMFS")),
                )
            ),
        ),
        rows=tuple(
            (
                bed.label,
                float(users),
                *pair,
                *(_response_change(knowledge, bed, path, users)[0] for path in ("rdm", "vmfs")),
            )
            for bed in TestBed
            for users in _USERS
            if (pair := [_ratio(knowledge, bed, path, users) for path in ("rdm", "vmfs")])
            != [None, None]
        ),
        note=say(
            "Clovertown without ESX ran on four of its eight cores, with 7.25 GB. Doubted are the "
            "responses with VMFS of the x366 at 1,000 and of 14.5 GB at 3,000 users."
        ),
    )


def _ram_table(knowledge: CitedKnowledge) -> AdviceTable:
    return AdviceTable(
        id="ram",
        title=say("RAM of the VM doubled, from 7.25 to 14.5 GB"),
        columns=(
            AdviceColumn("path", say("disk path"), numeric=False),
            AdviceColumn("users", say("users"), decimals=0),
            AdviceColumn("cpu_change_pct", say("CPU"), unit="%", decimals=1, is_signed=True),
            AdviceColumn(
                "response_change_pct", say("response"), unit="%", decimals=1, is_signed=True
            ),
        ),
        rows=tuple(
            (path.upper(), float(users), *pair)
            for path in ("rdm", "vmfs")
            for users in _USERS
            if (
                pair := [
                    _change(knowledge, path, users, quantity)
                    for quantity in ("cpu_pct", "response_ms")
                ]
            )
            != [None, None]
        ),
        note=say("At 3,000 users with VMFS the response of the larger one, 861 ms, is doubted."),
    )


def _reasons(knowledge: CitedKnowledge, by_id: dict[str, float | None]) -> Iterator[Text]:
    yield say(
        "The text says that raw devices used less CPU; its tables have it in {less} of {pairs} "
        "pairs. In theory raw devices are faster and take less CPU; where prose and tables "
        "disagree, the tables count.",
        less=number(by_id["rdm_less_cpu"] or 0.0),
        pairs=number(by_id["cpu_pairs"] or 0.0),
    )
    yield say(
        "The text says that VMFS answers faster: so it is in {faster} of {pairs} pairs on "
        "Clovertown that nobody doubts, and in {old} of {old_pairs} on the x366.",
        faster=number(by_id["vmfs_faster_clovertown"] or 0.0),
        pairs=number(by_id["response_pairs_clovertown"] or 0.0),
        old=number(by_id["vmfs_faster_x366"] or 0.0),
        old_pairs=number(by_id["response_pairs_x366"] or 0.0),
    )
    yield say(
        "Doubled RAM made response faster in general, and slower at 2,000 users on both paths "
        "({rdm} and {vmfs} %); it takes less CPU below 4,000 users and more from there.",
        rdm=signed(by_id["ram_doubled_rdm_response_ms_2000"] or 0.0, 0),
        vmfs=signed(by_id["ram_doubled_vmfs_response_ms_2000"] or 0.0, 0),
    )
    yield say(
        "Free memory inside a guest misleads: a VM of 1 GB showed {small} % of it free, one of "
        "2 GB {large} %. Domino and the system fill what they get; spare RAM is a cache of the "
        "disks. Two servers of 8.5.1 with 4,000 users each used {one} and {two} MB of 8 GB.",
        small=number(knowledge.figure(_FREE.format(gb=1))),
        large=number(knowledge.figure(_FREE.format(gb=2))),
        one=number(knowledge.figure(_IN_USE.format(vm=1))),
        two=number(knowledge.figure(_IN_USE.format(vm=2))),
    )


def _next() -> Iterator[Text]:
    yield say(
        "Start with VMFS on a LUN of its own for each server, data on RAID 5, transaction log on "
        "RAID 1; page files of 4,096 to 20,000 MB stood apart from the data. Your load may differ: "
        "run a pilot on either path and compare:"
    )


def _of_scenario(scenario: Scenario, knowledge: CitedKnowledge) -> tuple[Found, ...]:
    """The experiment nearest to each mail server that is a VM, by machine, RAM and users."""
    return tuple(
        _nearest(scenario, vm, knowledge)
        for vm in mail_servers(scenario)
        if not is_physical(scenario, vm)
    )


def _bed(scenario: Scenario, vm: Vm, knowledge: CitedKnowledge) -> TestBed:
    """The experiment of its machine and RAM."""
    host = None if vm.host is None else knowledge.catalog.servers.get(scenario.host(vm.host).server)
    bed = TestBed.CLOVERTOWN if vm.ram_gib < SEAM_GIB else TestBed.CLOVERTOWN_LARGE
    return TestBed.X366 if host is not None and host.platform is Platform.X366 else bed


def _nearest(scenario: Scenario, vm: Vm, knowledge: CitedKnowledge) -> Found:
    bed = _bed(scenario, vm, knowledge)
    users = vm.workload.active_users * derating_of(scenario.policy)
    nearest = min(_USERS, key=lambda each: abs(each - users))
    measured = (bed.row("rdm", nearest, "cpu_pct"), bed.row("vmfs", nearest, "cpu_pct"))
    if any(knowledge.value(id) is None for id in measured):
        nearest = LAST_OF_X366
    near = {"users": "workload.active_users", "bed": "ram_gib"}
    origins = {
        name: say("nearest to {what}", what=each) for name, each in origins_of(vm, near).items()
    }
    return about(vm, StoragePath(bed=bed, users=nearest), origins)


def on_board(
    scenario: Scenario, inputs: StoragePath, knowledge: CitedKnowledge, subject: str
) -> Scenario:
    """The scenario with the server on the path that answered faster, and with the RAM of the
    experiment where somebody chose one of another size than its own.

    Raises:
        ModelError: the answer is about no server of it, or no path is known to be faster.
    """
    vm = subject_of(scenario, subject)
    by_id = {each.id: each.value for each in _asked(inputs, knowledge)}
    faster = _asked_faster(by_id)
    if faster is None:
        raise ModelError(say("can’t be compared at so many users"), field="users")
    own = _bed(scenario, vm, knowledge)
    ram = vm.ram_gib if inputs.bed is own else inputs.bed.ram_gib
    mode = DiskMode.VMFS if faster else DiskMode.RDM
    return scenario.with_item(replace(vm, disk_mode=mode, ram_gib=ram))


SEAM_GIB, LAST_OF_X366 = 10.9, 3000
"""RAM half way between the experiments on Clovertown; the most users of a pair on the x366."""


TOPIC = Topic(
    id="storage-path",
    title=say("RDM or VMFS, and how much RAM"),
    about=say("The experiments with raw devices, VMFS and doubled RAM side by side"),
    inputs=StoragePath,
    example=StoragePath(),
    answer=_answer,
    words=("RDM", "VMFS", "raw devices", "RAM", "disks"),
    of_scenario=_of_scenario,
    board=on_board,
    board_text=say("Put this path on the board"),
    lacks=say("No mail server is a VM on the board: choose the experiment that is like yours."),
)

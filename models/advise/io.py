"""Does this host show what I/O cost under early ESX: a copied file, a mail run, the kernel."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from models.advise.advice import (
    GIVEN,
    Advice,
    AdviceColumn,
    AdviceNumber,
    AdviceTable,
    CitedKnowledge,
    Found,
    Topic,
    given,
    percent,
    printed,
    unknown,
)
from models.advise.found import (
    BUSY_PERCENTILE,
    Places,
    about,
    cell,
    is_physical,
    mail_servers,
    origins_of,
    placed,
    predicted_of,
)
from models.advise.put import subject_of
from models.base.errors import ModelError
from models.base.fields import Word, described, needed, of_fields, optional
from models.base.quantities import Basis
from models.base.texts import Text, say
from models.evaluate import evaluate
from models.intake.observed import Observed, observed_of
from models.intake.records import DominoRecord, Quantity, Records, SeriesRecord, Subject
from models.physics.measured_load import early_ms_per_io
from models.predict.prediction import Verdict
from models.scenario.inputs import with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import MeasuredOn, Scenario
from models.scenario.wording import number
from models.scenario.workloads import WorkloadKind

_ROWS = "technote/"
COLUMNS = (
    "r", "b", "swpd", "free", "buff", "cache", "si", "so", "bi", "bo", "in", "cs", "us", "sy", "id",
    "wa", "st",
)  # fmt: skip
"""Columns of the listings of the note, as vmstat of Linux names them."""

MOST_ROWS = 5000
PROBLEM_KERNEL_PCT = 50.0
"""Of the busy time, from which on the kernel has most of it: ours, between the note's 90 % and what
is usual."""


class IoTest(Word):
    """What was run while it was measured."""

    COPY = "copy", say("a file of 300 MB or more copied")
    MAIL = "mail", say("mail routed to a few users")


@of_fields
class VmstatRow:
    """One row of vmstat."""

    us: float = needed(say("user"), unit="%", meaning="User time [%].", ge=0, le=100)
    sy: float = needed(say("kernel"), unit="%", meaning="Kernel time [%].", ge=0, le=100)
    bi: float = described(0.0, say("read"), meaning="Blocks of 1 KiB read a second.", ge=0)
    bo: float = described(0.0, say("written"), meaning="Blocks of 1 KiB written a second.", ge=0)


@of_fields
class IoDiagnosis:
    """Figures of a test inside a VM, on its host, or without ESX."""

    test: IoTest = described(
        IoTest.COPY, say("test"), meaning="What ran while these figures were taken."
    )
    hypervisor: str | None = optional(
        say("hypervisor"),
        meaning="Catalog id of the hypervisor; null: not said.",
        ids="hypervisors",
        empty=say("not said"),
    )
    cpu_pct: float | None = percent(
        say("CPU inside the VM"), meaning="Busy CPU by the guest’s own tools [%]."
    )
    kernel_pct: float | None = percent(
        say("of it kernel"), meaning="Kernel time [%] of all CPU: the red line of Task Manager."
    )
    esxtop_pct: float | None = percent(
        say("CPU by esxtop"), meaning="CPU of the VM by esxtop on the host [%]."
    )
    native_pct: float | None = percent(
        say("CPU without ESX"), meaning="CPU of the same test without a hypervisor [%]."
    )
    planned_iops: float | None = optional(
        say("planned I/O"),
        unit="IO/s",
        meaning="I/O that the VM is to do [IO/s].",
        empty=say("not said"),
        ge=0,
        le=1e7,
    )
    rows: tuple[VmstatRow, ...] = described(
        (), say("rows of vmstat"), meaning="Rows of vmstat, in order."
    )
    interval_s: float = described(
        2.0, say("interval"), meaning="Between rows [s].", ge=0.1, le=3600
    )
    has_first_since_boot: bool = described(
        True,
        say("first row since boot"),
        meaning="The first row has means since the system started and is left out.",
    )
    file_bytes: float | None = optional(
        say("file"),
        unit="bytes",
        meaning="Size of the file [bytes], by dd: bs × count.",
        empty=say("not said"),
        ge=0,
        le=1e15,
    )


# --- a pasted text ------------------------------------------------------------------------------

_HEAD = re.compile(
    r"\br\s+b\s+swpd\s+free\s+(?:buff\s+cache|inact\s+active)\s+si\s+so\s+bi\s+bo\s+in\s+cs"
    r"\s+us\s+sy\s+id(\s+wa)?(\s+st)?(\s+gu)?"
)
_STAMP = re.compile(r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d")
_ROW = re.compile(r"(?:\d+\s+){15,}\d+")
_DD = re.compile(r"\bbs=(\d+)(k|K|M)?\s+count=(\d+)|\bcount=(\d+)\s+bs=(\d+)(k|K|M)?")
_INTERVAL = re.compile(r"\bvmstat\s+(\d+)")
_COPIED = re.compile(r"\b(\d+) bytes\b.*(?:copied|kopiert)", re.I)
_TOLD = re.compile(
    r"^[ \t]*([^\W\d][^\d\n:=]*?)[ \t]*[:=]?[ \t]*(\d[\d.,]*)[ \t]*(?:%|IO/s)?[ \t\r]*$", re.M
)
_FIELDS = {
    "kernel_pct": ("kernel", "system time"),
    "esxtop_pct": ("esxtop",),
    "native_pct": ("native", "without esx", "ohne esx"),
    "planned_iops": ("iops", "i/o"),
    "cpu_pct": ("cpu",),
}
"""Words in the name of a figure, in the order in which they count: Task Manager’s “CPU Usage” and
“Kernel Times” among them."""

_SIZES = {"": 1, "k": 1024, "m": 1024 * 1024}


def diagnosis_from_text(text: str) -> IoDiagnosis:
    """What a pasted listing of vmstat, a `dd` line or lines such as ``cpu: 50`` say.

    Rows may stand in lines or one after the other. A listing without names of its columns goes on
    from one that began before, so that none of its rows is since boot.

    Raises:
        ModelError: it holds none of these, or a row that can't be one.
    """
    found: dict[str, object] = {}
    for name, value in _TOLD.findall(text):
        words = name.casefold()
        of = (each for each, known in _FIELDS.items() if any(word in words for word in known))
        if (field := next(of, None)) is not None:
            found.setdefault(field, _figure(value))
    if (each := _COPIED.search(text)) is not None:
        found["file_bytes"] = float(each[1])
    if (each := _DD.search(text)) is not None:
        size, unit, count = (each[1], each[2], each[3]) if each[1] else (each[5], each[6], each[4])
        found["file_bytes"] = float(int(size) * _SIZES[(unit or "").casefold()] * int(count))
    text = _STAMP.sub("", text)
    head = _HEAD.search(text)
    if rows := tuple(_rows(text if head is None else text[head.end() :], head)):
        found |= {"rows": rows, "has_first_since_boot": head is not None}
    if (each := _INTERVAL.search(text)) is not None and rows:
        found["interval_s"] = float(each[1])
    if not found:
        raise ModelError(say("holds no rows of vmstat, no dd line and no lines such as “cpu: 50”"))
    return IoDiagnosis(**found)  # type: ignore[arg-type]


def _figure(text: str) -> float:
    """A figure with either mark of decimals, and marks between thousands.

    >>> _figure("52,5"), _figure("1,800"), _figure("50")
    (52.5, 1800.0, 50.0)
    """
    whole, mark, rest = text.rstrip(".,").replace(",", ".").rpartition(".")
    is_grouped = len(rest) == 3 and whole.isdigit() and whole != "0"
    return float(f"{whole}{rest}" if is_grouped or not mark else f"{whole.replace('.', '')}.{rest}")


def _rows(text: str, head: re.Match[str] | None) -> Iterator[VmstatRow]:
    """Rows of numbers, as many to a row as the head has names."""
    width = len(COLUMNS) if head is None else len(head[0].split())
    count = 0
    for run in _ROW.finditer(text):
        numbers = [float(each) for each in run[0].split()]
        if len(numbers) % width:
            raise ModelError(
                say(
                    "has {count} numbers, rows of vmstat have {width}",
                    count=len(numbers),
                    width=width,
                ),
                field="rows",
            )
        for start in range(0, len(numbers), width):
            row = dict(zip(COLUMNS, numbers[start : start + width], strict=False))
            count += 1
            if count > MOST_ROWS:
                raise ModelError(say("has more than {most} rows", most=MOST_ROWS), field="rows")
            if row["us"] > 100 or row["sy"] > 100:
                raise ModelError(say("row {row} has more than 100 %", row=count), field="rows")
            yield VmstatRow(us=row["us"], sy=row["sy"], bi=row["bi"], bo=row["bo"])


# --- the answer ---------------------------------------------------------------------------------


def _counted(inputs: IoDiagnosis) -> tuple[VmstatRow, ...]:
    """The rows of the test itself."""
    return inputs.rows[1:] if inputs.has_first_since_boot else inputs.rows


def _kernel_share(inputs: IoDiagnosis) -> float | None:
    """Kernel time of the busy time [%]."""
    rows = _counted(inputs)
    busy = sum(row.us + row.sy for row in rows)
    if rows:
        return 100.0 * sum(row.sy for row in rows) / busy if busy else 0.0
    if inputs.cpu_pct and inputs.kernel_pct is not None:
        return 100.0 * inputs.kernel_pct / inputs.cpu_pct
    return None


def _peak(inputs: IoDiagnosis) -> float | None:
    """The most kernel time, or what there is of it [%]."""
    rows = _counted(inputs)
    if rows:
        return max(row.sy for row in rows)
    return inputs.cpu_pct if inputs.kernel_pct is None else inputs.kernel_pct


def _answer(inputs: IoDiagnosis, knowledge: CitedKnowledge) -> Advice:
    _check(inputs)
    conclusion, verdict, sentence = _judged(inputs, knowledge)
    return Advice(
        conclusion=conclusion,
        verdict=verdict,
        sentence=sentence,
        numbers=(
            *_given(inputs),
            *_listed(inputs),
            *_documented(inputs, knowledge),
            *_planned(inputs, knowledge),
        ),
        tables=(_table(inputs),),
        reasons=tuple(_reasons(inputs, knowledge)),
        next=tuple(_next(inputs)),
        lines=_LINES,
        sources=knowledge.sources(
            _ROWS + "cpu-during-file-copy-in-vm-all-kernel",
            _ROWS + "share-of-cpu-in-os-kernel-during-mail-routing",
            "technote/vmstat/dd/1/r",
        ),
    )


def _check(inputs: IoDiagnosis) -> None:
    measured = (inputs.cpu_pct, inputs.esxtop_pct, inputs.file_bytes, inputs.planned_iops)
    if all(each is None for each in measured) and not inputs.rows:
        reason = say("or rows of vmstat, a figure of esxtop or planned I/O are needed")
        raise ModelError(reason, field="cpu_pct")
    cpu, kernel = inputs.cpu_pct, inputs.kernel_pct
    if kernel is not None and cpu is not None and kernel > cpu:
        reason = say("must not be more than the {cpu} % of CPU", cpu=number(cpu, 1))
        raise ModelError(reason, field="kernel_pct")
    if inputs.rows and not _counted(inputs):
        raise ModelError(say("hold only the averages since the system started"), field="rows")


def _judged(inputs: IoDiagnosis, knowledge: CitedKnowledge) -> tuple[Text, Verdict | None, Text]:
    peak, share = _peak(inputs), _kernel_share(inputs)
    peak = inputs.esxtop_pct if peak is None else peak
    if peak is None:
        words = say("Only a test tells whether this host shows the problem.")
        return say("measure first"), Verdict.NOT_KNOWN, words
    old_pcs = knowledge.figure(_ROWS + "native-file-copy-cpu-older-pcs-up-to")
    values = {"peak": number(peak), "native": number(old_pcs)}
    if peak <= old_pcs and inputs.test is IoTest.COPY:
        words = say("{peak} % is what the same copy took without ESX, up to {native} %.", **values)
        return say("no sign of it"), Verdict.FITS, words
    least = knowledge.figure(_ROWS + "esxtop-cpu-by-the-vm-during-copy-low")
    if share is None and inputs.test is IoTest.COPY and peak >= least:
        words = say(
            "A copy takes {peak} % of the CPU: the note has 30 to 50 %, all of it kernel, and up "
            "to {native} % without ESX.",
            **values,
        )
        return say("shows the problem"), Verdict.AT_RISK, words
    if share is None:
        words = say(
            "{peak} % is more than without ESX; how much of it is kernel isn’t said.", **values
        )
        return say("measure first"), Verdict.NOT_KNOWN, words
    if share < PROBLEM_KERNEL_PCT:
        words = say("Most of the CPU is user time: {share} % of it kernel.", share=number(share, 1))
        return say("no sign of it"), Verdict.FITS, words
    words = say(
        "{share} % of the busy time is the kernel’s, up to {peak} % of the CPU: this host shows "
        "what the note describes.",
        share=number(share, 1),
        peak=number(peak),
    )
    return say("shows the problem"), Verdict.AT_RISK, words


def _given(inputs: IoDiagnosis) -> Iterator[AdviceNumber]:
    for id, label in (
        ("cpu_pct", say("CPU inside the VM")),
        ("kernel_pct", say("of it kernel")),
        ("esxtop_pct", say("CPU by esxtop")),
        ("native_pct", say("CPU without ESX")),
    ):
        value = getattr(inputs, id)
        if value is not None:
            yield given(id, label, value, "%")
    top = inputs.esxtop_pct if inputs.esxtop_pct is not None else inputs.cpu_pct
    if inputs.native_pct and top is not None:
        yield AdviceNumber(
            id="over_native", label=say("CPU under ESX over that without"),
            value=top / inputs.native_pct, unit="×", source=GIVEN, decimals=1,
        )  # fmt: skip


def _listed(inputs: IoDiagnosis) -> Iterator[AdviceNumber]:
    """What the rows come to."""
    share = _kernel_share(inputs)
    number_of = partial(AdviceNumber, source=GIVEN)
    if inputs.rows:
        rows, every = _counted(inputs), inputs.interval_s
        written = sum(row.bo for row in rows) * every / 1024.0
        kernel_s = sum(row.sy for row in rows) / 100.0 * every
        yield number_of("rows", say("rows"), float(len(inputs.rows)))
        yield number_of("rows_counted", say("rows that count"), float(len(rows)))
        yield number_of("peak_kernel_pct", say("most kernel time"), max(row.sy for row in rows))
        yield number_of("written_mib", say("written"), written, decimals=1)
        yield number_of("kernel_s", say("kernel CPU in all"), kernel_s, decimals=2)
        if written:
            yield number_of(
                id="kernel_ms_per_mib", label=say("kernel CPU of a MiB"),
                value=1000.0 * kernel_s / written, unit="ms", decimals=1,
            )  # fmt: skip
    if share is not None:
        yield number_of(
            "kernel_share_pct", say("kernel’s share of the busy time"), share, decimals=1
        )
    if inputs.file_bytes is not None:
        yield given("file_bytes", say("file"), inputs.file_bytes, "bytes")
        yield number_of("file_mib", say("file"), inputs.file_bytes / 2**20, decimals=2)


_PRINTED = (
    (
        "documented_copy_pct",
        "cpu-during-file-copy-in-vm-all-kernel",
        say("the note: a copy in the VM, all kernel"),
    ),
    (
        "documented_esxtop_low_pct",
        "esxtop-cpu-by-the-vm-during-copy-low",
        say("the note: by esxtop, from"),
    ),
    (
        "documented_esxtop_high_pct",
        "esxtop-cpu-by-the-vm-during-copy-high",
        say("the note: by esxtop, to"),
    ),
    (
        "documented_native_low_pct",
        "native-file-copy-cpu-recent-hw-low",
        say("the note: without ESX, from"),
    ),
    (
        "documented_native_high_pct",
        "native-file-copy-cpu-recent-hw-high",
        say("the note: without ESX, to"),
    ),
    (
        "documented_native_old_pct",
        "native-file-copy-cpu-older-pcs-up-to",
        say("the note: without ESX on older PCs, up to"),
    ),
)


def _documented(inputs: IoDiagnosis, knowledge: CitedKnowledge) -> Iterator[AdviceNumber]:
    """The note's own figures."""
    if inputs.test is IoTest.MAIL:
        yield printed(
            knowledge,
            _ROWS + "share-of-cpu-in-os-kernel-during-mail-routing",
            "documented_kernel_share_pct",
            say("the note: kernel’s share while mail was routed"),
        )
    for id, row, label in _PRINTED:
        yield printed(knowledge, _ROWS + row, id, label)
    kernel = knowledge.calibration.constants.kernel
    source = knowledge.cited(_ROWS + "native-suse-9.3-cp-cpu")
    number_of = partial(AdviceNumber, unit="×", basis=Basis.MEASURED, source=source)
    low, high, few, more = (knowledge.figure(_ROWS + row) for _, row, _ in _PRINTED[1:5])
    yield number_of(
        "documented_ratio",
        say("the note: ESX over native"),
        kernel.kernel_multiplier.value,
        low=low / more,
        high=high / few,
        note=say("geometric means; the corners are the range"),
        decimals=0,
    )
    yield number_of(
        "documented_linux_ratio",
        say("the note: ESX over native, Linux"),
        knowledge.figure(_ROWS + "linux-guest-system-cpu-during-copy")
        / knowledge.figure(_ROWS + "native-suse-9.3-cp-cpu"),
        decimals=1,
    )
    yield AdviceNumber(
        "documented_kernel_ms_per_mib",
        say("the note: kernel CPU of a MiB copied"),
        1000.0 * kernel.copy_cpu_s_per_mib.value,
        unit="ms",
        basis=Basis.MEASURED,
        source=say("{document}, listing of cp", document=source),
        decimals=1,
    )


def _planned(inputs: IoDiagnosis, knowledge: CitedKnowledge) -> Iterator[AdviceNumber]:
    """What the planned I/O costs under early ESX [cores]."""
    if inputs.planned_iops is None:
        return
    yield given("planned_iops", say("planned I/O"), inputs.planned_iops, "IO/s")
    label = say("what it costs under ESX 2.5 and 3.0")
    if not _is_early(inputs, knowledge):
        why = say("for ESX 3.5 and later nobody published it; evaluate a scenario for a range")
        yield unknown("planned_cores", label, "cores", why)
        return
    value, low, high = (early_ms_per_io(knowledge.calibration.constants.kernel) / 1000.0).tolist()
    source = knowledge.cited("technote/vmstat/dd/1/r")
    yield AdviceNumber(
        id="planned_cores", label=label, value=value * inputs.planned_iops, unit="cores",
        low=low * inputs.planned_iops, high=high * inputs.planned_iops, source=source,
        basis=Basis.TRANSFERRED, decimals=2,
        note=say("I/Os of 8 to 64 KiB, on cores of 2.33 GHz of 2007"),
    )  # fmt: skip


def _is_early(inputs: IoDiagnosis, knowledge: CitedKnowledge) -> bool:
    if inputs.hypervisor is None:
        return True
    return (0,) < knowledge.catalog.hypervisors[inputs.hypervisor].version < (3, 5)


def _table(inputs: IoDiagnosis) -> AdviceTable:
    return AdviceTable(
        id="rows",
        title=say("Rows of vmstat"),
        columns=(
            AdviceColumn("row", say("row"), decimals=0),
            AdviceColumn("us", say("user"), unit="%", decimals=0),
            AdviceColumn("sy", say("kernel"), unit="%", decimals=0),
            AdviceColumn("bo", say("written"), unit="KiB/s", decimals=0),
        ),
        rows=tuple(
            (float(index), row.us, row.sy, row.bo) for index, row in enumerate(inputs.rows, start=1)
        ),
        note=say("The first row has means since the system started and doesn’t count.")
        if inputs.has_first_since_boot
        else "",
        shown=30,
    )


def _reasons(inputs: IoDiagnosis, knowledge: CitedKnowledge) -> Iterator[Text]:
    if inputs.esxtop_pct is None and (inputs.cpu_pct is not None or inputs.rows):
        yield say("Figures inside a guest may mislead: look at esxtop on the host as well.")
    yield say(
        "Under ESX 2.5 and 3.0 each I/O is translated in software: the more I/O, the more kernel "
        "time. ESX 3.0 was only marginally better than 2.5, and local disks and SAN were alike."
    )
    yield say(
        "Transfer sizes of {small} KB and {large} MB for the LSI driver did not help.",
        small=number(knowledge.figure(_ROWS + "lsi-driver-transfer-size-tried")),
        large=number(knowledge.figure(_ROWS + "lsi-driver-transfer-size-tried-2")),
    )
    yield say(
        "The note tested VMs with one vCPU and 1 to 2 GB on hosts with four CPUs; CPU that I/O "
        "takes is not there for Domino, and response can become unacceptable."
    )


def _next(inputs: IoDiagnosis) -> Iterator[Text]:
    if inputs.esxtop_pct is None:
        yield say(
            "On the host run esxtop, press d for disks, f for its fields, and A, H, I and J to add "
            "those of commands and latency; compare the VM’s CPU there with the guest’s."
        )
    if inputs.native_pct is None:
        yield say("Take the steps below without ESX on the same hardware too.")
    yield say(
        "In Windows open Task Manager, Performance, View, Show Kernel Times: green is all CPU, red "
        "the kernel’s. Copy a file of 300 MB and more from the local disk to the same disk, and "
        "route mail to a few users:"
    )


_LINES = (
    "esxtop",
    "copy largefile.iso test.iso",
    "vmstat 2",
    "dd if=/dev/zero bs=1024 count=365536 > ivd.out",
    "cp ivd.out ivd2.out",
    "show stat Platform.*",
)


def _of_records(records: Sequence[Records]) -> Found | None:
    """The busiest machine or VM of what was measured; rows of vmstat are the topic's own to read,
    and of an inventory there is nothing to test."""
    if any(each.vms or each.hosts or each.kind == _VMSTAT for each in records):
        return None
    series = [each for of_file in records for each in of_file.series]
    found = [_tested(each, series) for each in observed_of(records)]
    known = [each for each in found if each[0]]
    if not known:
        return None
    busiest = max(known, key=lambda each: each[0].get("esxtop_pct", each[0].get("cpu_pct", -1.0)))
    return Found(IoDiagnosis(**busiest[0]), busiest[1])


_VMSTAT = "vmstat"
_KERNEL = re.compile(r"%sys(?:tem)?|(?:Processor|.*\\)?% Privileged Time", re.IGNORECASE)
_PRIVILEGED = "Platform.System.PctTotalPrivilegedCpuUtil"


def _tested(machine: Observed, series: Sequence[SeriesRecord]) -> tuple[dict[str, Any], Places]:
    """Inputs that are of a machine, and where they stand: CPU on the average, I/O at its 95th
    percentile."""
    values, places = dict[str, Any](), Places()
    name = "esxtop_pct" if machine.subject is Subject.VM else "cpu_pct"
    measure = Quantity.CPU_PCT if Quantity.CPU_PCT in machine.series else Quantity.CPU_CORE_PCT
    share = machine.at(measure, 0)
    cores = 1.0 if measure is Quantity.CPU_PCT else machine.counted_cpus
    if share is not None and cores:
        values[name] = min(share / cores, 100.0)
        places[name] = cell(machine.series[measure].place)
    rate = machine.at(Quantity.IOPS, BUSY_PERCENTILE)
    if rate is None:
        rate = machine.at(Quantity.IOPS, 0)
    if rate is not None:
        values["planned_iops"] = rate
        places["planned_iops"] = cell(machine.series[Quantity.IOPS].place)
    kernel = next((each for each in series if _is_kernel(each, machine.name)), None)
    if kernel is not None and kernel.summary.mean is not None and "cpu_pct" in values:
        values["kernel_pct"] = min(kernel.summary.mean, values["cpu_pct"])
        places["kernel_pct"] = cell(kernel.place)
    if machine.domino is not None and "cpu_pct" not in values:
        values |= _of_statistics(machine.domino)
        places |= placed("cpu_pct", machine.domino, "cpu_pct_avg")
    return values, places


def _is_kernel(series: SeriesRecord, name: str) -> bool:
    """Whether it is the kernel time of a whole machine."""
    is_whole = series.subject is Subject.MACHINE and series.name == name
    return is_whole and _KERNEL.fullmatch(series.counter) is not None


def _of_statistics(domino: DominoRecord) -> dict[str, Any]:
    """CPU of a server's machine since its start, and what of it is the kernel's: mail is routed."""
    if domino.cpu_pct_avg is None:
        return {}
    values: dict[str, Any] = {"test": IoTest.MAIL, "cpu_pct": domino.cpu_pct_avg}
    kernel = domino.statistics.get(f"{_PRIVILEGED}.Avg")
    if kernel is not None and 0 <= kernel <= domino.cpu_pct_avg:
        values["kernel_pct"] = kernel
    return values


def _of_scenario(scenario: Scenario, knowledge: CitedKnowledge) -> tuple[Found, ...]:
    """The I/O that each mail server, and each VM with a figure of its own, is predicted to do."""
    with_users = {vm.id for vm in mail_servers(scenario)}
    asked = [
        vm
        for vm in scenario.vms
        if vm.powered_on
        and vm.host is not None
        and not is_physical(scenario, vm)
        and (vm.id in with_users or vm.workload.iops is not None)
    ]
    if not asked:
        return ()
    iops = evaluate(scenario, knowledge).vms.iops
    rows = {vm.id: row for row, vm in enumerate(scenario.vms)}
    known = [(vm, value) for vm in asked if (value := iops[rows[vm.id]].value) is not None]
    return tuple(
        about(
            vm,
            IoDiagnosis(
                hypervisor=scenario.host(vm.host or "").hypervisor,
                planned_iops=float(f"{value:.3g}"),
            ),
            {
                "planned_iops": predicted_of(vm),
                **origins_of(scenario.host(vm.host or ""), {"hypervisor": "hypervisor"}),
            },
        )
        for vm, value in sorted(known, key=lambda each: -each[1])
    )


def on_board(
    scenario: Scenario, inputs: IoDiagnosis, knowledge: CitedKnowledge, subject: str
) -> Scenario:
    """The scenario in which the server has the CPU that was measured of it on this host, what the
    kernel takes for I/O among it, and the I/O of that time.

    Raises:
        ModelError: the answer is about no server of it, or what was measured is not its load.
    """
    vm = subject_of(scenario, subject)
    host = None if vm.host is None else scenario.host(vm.host)
    busy = inputs.cpu_pct if inputs.esxtop_pct is None else inputs.esxtop_pct
    if inputs.test is not IoTest.MAIL:
        raise ModelError(say("must be a mail run: a copy is no load of a server"), field="test")
    if busy is None:
        raise ModelError(say("is what goes onto the board: measure it"), field="esxtop_pct")
    clock = None if host is None else knowledge.catalog.servers[host.server].base_mhz
    if host is None or clock is None:
        raise ModelError(say("is of a host whose clock isn’t known"), field="esxtop_pct")
    kind = vm.workload.kind
    work = replace(
        vm.workload,
        kind=WorkloadKind.DOMINO_OTHER if kind.is_domino else kind,
        cpu_mhz=busy / 100.0 * vm.vcpus * clock,
        iops=vm.workload.iops if inputs.planned_iops is None else inputs.planned_iops,
        measured_on=MeasuredOn(server=host.server, hypervisor=host.hypervisor),
    )
    measured = replace(vm, workload=work)
    return scenario.with_item(with_origin(measured, Origin.MEASURED, "workload.cpu_mhz"))


TOPIC = Topic(
    id="io",
    title=say("What I/O costs under ESX"),
    about=say(
        "vmstat, Task Manager or esxtop of a copied file or a mail run, held against the note"
    ),
    inputs=IoDiagnosis,
    example=IoDiagnosis(cpu_pct=50.0, kernel_pct=50.0, hypervisor="esx-3.0.1", planned_iops=500.0),
    answer=_answer,
    words=("I/O", "kernel", "vmstat", "esxtop", "Task Manager", "copy"),
    read=diagnosis_from_text,
    of_records=_of_records,
    of_scenario=_of_scenario,
    board=on_board,
    board_text=say("Take what was measured"),
    lacks=say(
        "No VM with known I/O stands on a host of the board: enter what was measured, or paste it."
    ),
    paste=say(
        "Output of vmstat, a dd command, a file of esxtop, perfmon, sar or iostat, or lines such "
        "as cpu: 50, kernel: 50, esxtop: 40"
    ),
)

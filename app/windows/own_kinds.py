"""The catalog entries that people make: servers, arrays and kinds of VM."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from app.language import local, tr
from app.widgets.fields.choice import Choice
from app.windows.own_form import Kind, Row, Values
from app.wording import locale_style, with_unit
from models.base.errors import ModelError
from models.base.fields import fields_of
from models.base.texts import opening
from models.catalog.catalog import Array, DriveKind, Processor, Profile, RaidLevel, Server, Vsan
from models.catalog.own_hardware import (
    Suite,
    custom_array,
    custom_profile,
    custom_server,
    measured_nearest,
    rated_server,
)
from models.scenario.inputs import workload_applies
from models.scenario.scenario import Workload
from models.scenario.wording import NO_DATA_TEXT, exact_text, number
from models.scenario.workloads import WORKLOADS, WorkloadKind

PROCESSOR, RATE = "processor", "rate"
BY_RATE = ("cores", "threads", "base_mhz", "spec_rate", "suite", "nested_paging")

_WAYS = (Choice(PROCESSOR, tr("A processor of the table")), Choice(RATE, tr("Its SPEC rate")))
_HELPS = (
    Choice(None, tr("EPT or RVI: not known")),
    Choice(True, tr("with EPT or RVI")),
    Choice(False, tr("without EPT or RVI")),
)
_NAME = tr("Name")


def server_kind(processors: Mapping[str, Processor]) -> Kind[Server]:
    """A server by one of these processors, or by its SPEC rate."""
    by_name: dict[str, list[Processor]] = {}
    for each in processors.values():
        by_name.setdefault(each.name, []).append(each)

    def make(values: Values, taken: Container[str]) -> Server:
        its: dict[str, Any] = {**values}
        if its.pop("way") == PROCESSOR:
            found = by_name.get(its.pop("processor"))
            if not found:
                raise ModelError(tr("choose a processor"), field="processor")
            processor = measured_nearest(found, its["sockets"] or 0)
            return custom_server(processor=processor, taken=taken, **its)
        threads = 2 if its.pop("threads") else 1
        return rated_server(threads_per_core=threads, taken=taken, **its)

    def answers(entry: Server) -> Values:
        names = (*BY_RATE, "sockets", "max_ram_gib", "nics", "nic_gbps", "year")
        its = {name: getattr(entry, name, Suite.CPU2017) for name in names}
        its |= {"name": entry.model, "threads": entry.threads > entry.cores}
        is_known = entry.processor in by_name
        return its | (
            {"way": PROCESSOR, "processor": entry.processor} if is_known else {"way": RATE}
        )

    return Kind(
        tr("Custom server"),
        tr("Such as PowerEdge R999"),
        _server_rows(sorted(by_name, key=str.casefold)),
        lambda firm, name: (
            firm["way"]
            == (PROCESSOR if name == "processor" else RATE if name in BY_RATE else firm["way"])
        ),
        make,
        answers,
        server_facts,
        lines=4,
    )


def _server_rows(processors: list[str]) -> tuple[Row, ...]:
    return (
        Row("name", _NAME),
        Row("way", tr("Known by"), choices=_WAYS, begins=PROCESSOR),
        Row(
            "processor",
            tr("Processor"),
            choices=tuple(Choice(each, each) for each in processors),
            is_long=True,
        ),
        Row("sockets", of=Server, begins=2),
        Row("cores", of=Server, begins=16),
        Row("threads", tr("2 threads a core"), begins=False, beside="cores"),
        Row("base_mhz", of=Server, step=100),
        Row("spec_rate", of=Server),
        Row(
            "suite",
            tr("Benchmark"),
            choices=tuple(Choice(suite, suite.value) for suite in Suite),
            begins=Suite.CPU2017,
        ),
        Row("nested_paging", tr("Virtual memory"), choices=_HELPS),
        Row("max_ram_gib", of=Server, step=16),
        Row("nics", of=Server),
        Row("nic_gbps", tr("at Gb/s"), of=Server, beside="nics"),
        Row("year", of=Server, is_grouped=False),
    )


def array_kind(levels: Mapping[str, RaidLevel]) -> Kind[Array]:
    """An array with some of these RAID levels."""

    def make(values: Values, taken: Container[str]) -> Array:
        its = {name: value for name, value in values.items() if name != "flash"}
        if values["flash"] and its["latency_ms"] is None:
            raise ModelError(tr("a number is needed here"), field="latency_ms")
        return custom_array(taken=taken, **its)

    def answers(entry: Array) -> Values:
        names = ("name", "ceiling_iops", "max_drives", "drive_kinds", "raid_levels", "cache_gib")
        more = ("vsan", "read_cache_hit", "year")
        its = {name: getattr(entry, name) for name in (*names, *more)}
        is_flash = entry.latency_ms is not None
        return its | ({"flash": True, "latency_ms": entry.latency_ms} if is_flash else {})

    def facts(entry: Array) -> str:
        ceiling = entry.ceiling_iops
        if ceiling is None:
            carried = tr(
                "its controllers’ limit is {no_data_text}: it is not checked",
                no_data_text=NO_DATA_TEXT,
            )
        else:
            iops = with_unit(exact_text(ceiling, style=locale_style()), "IOPS")
            carried = tr("controllers for {ceiling}", ceiling=iops)
        offered = ", ".join(levels[id].name for id in entry.raid_levels if id in levels)
        kinds = ", ".join(local(kind.label) for kind in entry.drive_kinds)
        return "\n".join((carried, offered or tr("any RAID level"), kinds or tr("any drives")))

    return Kind(
        tr("Custom array"),
        tr("Such as FAS3240 HA pair"),
        _array_rows(levels),
        lambda firm, name: name != "latency_ms" or firm["flash"],
        make,
        answers,
        facts,
    )


def _array_rows(levels: Mapping[str, RaidLevel]) -> tuple[Row, ...]:
    return (
        Row("name", _NAME),
        Row("ceiling_iops", of=Array, step=1000),
        Row("flash", tr("All &flash"), begins=False),
        Row("latency_ms", of=Array, step=0.1, begins=0.5),
        Row("max_drives", of=Array),
        Row(
            "drive_kinds",
            tr("Drives"),
            choices=tuple(Choice(kind.value, local(kind.label)) for kind in DriveKind),
            several=True,
            empty=tr("any"),
        ),
        Row(
            "raid_levels",
            tr("RAID levels"),
            choices=tuple(Choice(level.id, level.name) for level in levels.values()),
            several=True,
            empty=tr("any"),
        ),
        Row("cache_gib", of=Array),
        Row(
            "vsan",
            tr("Drives in hosts"),
            choices=tuple(Choice(each.value, local(each.label)) for each in Vsan),
            begins=Vsan.NONE.value,
        ),
        Row("read_cache_hit", of=Array, step=5),
        Row("year", of=Array, is_grouped=False),
    )


_FIGURES = {"cpu_mhz": 100, "iops": 10, "memory_gib": 1, "disk_gib": 10, "network_mbps": 1}
"""The figures of a workload of its own kind, and the step of each."""

_SIZE = ("name", "vcpus", "ram_gib")


def _workload_facts(entry: Profile) -> str:
    workload = entry.workload
    if workload.kind.has_users:
        return f"{local(WORKLOADS[workload.kind].name)} {workload.release}".strip()
    missing = [
        local(opening(fields_of(Workload)[name].label))
        for name in _FIGURES
        if getattr(workload, name) is None
    ]
    if not missing:
        return tr("all its figures are known")
    return f"{local(NO_DATA_TEXT)}: {', '.join(missing)}"


def _workload_of(values: Values, taken: Container[str]) -> Profile:
    its: dict[str, Any] = {n: value for n, value in values.items() if n not in _SIZE}
    its |= {name: its[name] or 0.0 for name in ("active_users", "mail_file_mb") if name in its}
    return custom_profile(
        name=values["name"],
        workload=Workload(**its),
        vcpus=values["vcpus"] or 0,
        ram_gib=values["ram_gib"] or 0.0,
        taken=taken,
    )


def _workload_answers(entry: Profile) -> Values:
    names = ("kind", "release", "active_users", "mail_file_mb", *_FIGURES)
    its = {name: getattr(entry.workload, name) for name in names}
    return its | {name: getattr(entry, name) for name in _SIZE}


WORKLOAD_KIND: Kind[Profile] = Kind(
    tr("Custom workload"),
    tr("Such as Print server"),
    (
        Row("name", _NAME),
        Row(
            "kind",
            tr("Workload"),
            choices=tuple(Choice(kind, local(work.name)) for kind, work in WORKLOADS.items()),
            begins=WorkloadKind.GENERIC,
        ),
        Row("release", tr("Release"), empty=tr("not said")),
        Row("active_users", of=Workload, step=100, begins=0.0),
        Row("mail_file_mb", of=Workload, step=10, begins=0.0),
        *(Row(name, of=Workload, step=step) for name, step in _FIGURES.items()),
        Row("vcpus", of=Profile, begins=2),
        Row("ram_gib", of=Profile, begins=8),
    ),
    lambda firm, name: name in _SIZE or workload_applies(WorkloadKind(firm["kind"]), name),
    _workload_of,
    _workload_answers,
    _workload_facts,
    lines=2,
)


def server_facts(server: Server) -> str:
    """What follows from the processor, in lines; what is not known is "no data"."""
    style = locale_style()
    clock, rate = server.base_mhz, server.spec_rate
    ghz = local(NO_DATA_TEXT) if clock is None else f"{number(clock / 1000, 2, style=style)} GHz"
    spec = local(NO_DATA_TEXT) if rate is None else number(rate, 1, style=style)
    helps = tr(
        "VT-x or AMD-V: {known}{mark}, EPT or RVI: {nested}{nested_mark}",
        known=_known(server.hardware_virtualisation),
        mark=_mark(server, "hardware_virtualisation"),
        nested=_known(server.nested_paging),
        nested_mark=_mark(server, "nested_paging"),
    )
    lines = (
        tr(
            "{cores} cores, {threads} threads, {ghz}",
            cores=server.cores,
            threads=server.threads,
            ghz=ghz,
        ),
        tr("SPEC rate of the machine: {spec}{mark}", spec=spec, mark=_mark(server, "spec_rate")),
        helps,
        server.provenance.note,
    )
    return "\n".join(line for line in lines if line)


def _mark(server: Server, field: str) -> str:
    return tr(" (assumed)") if field in server.provenance.assumed else ""


def _known(has: bool | None) -> str:
    return local(NO_DATA_TEXT) if has is None else tr("yes") if has else tr("no")

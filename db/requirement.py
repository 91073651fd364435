"""Requirements from JSON, and options to JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, get_args

import msgspec
from msgspec import defstruct

from db.codec import check_doubled_keys, check_header, scenario_to_json, without_mark
from db.errors import StoreError, bounded
from db.explain import explained, explaining
from db.plain import plain, rounded, told
from db.prediction import chips_to_json
from db.price_book import cost_to_json, lasting_to_json
from db.wire import FORMAT as SCENARIO_FORMAT
from db.wire import Growth as GrowthFile
from db.wire import Header, members_of, part_of
from db.wire import Policy as PolicyFile
from db.wire import Vm as VmFile
from models.base.errors import ModelError
from models.base.fields import fields_of
from models.base.texts import say
from models.catalog.catalog import Catalog
from models.options.age import Aged
from models.options.chat import is_traveler
from models.options.option import Option, Options
from models.options.refresh import Figures, Refresh
from models.options.requirement import Load, Requirement, Units
from models.predict.prediction import Prediction
from models.prices.cost import Cost
from models.prices.lasting import Lasting
from models.scenario.scenario import PRODUCTION, Growth, Policy, Vm, Workload
from models.scenario.workloads import WORKLOADS, WorkloadKind
from models.tell.refresh import why_none

FORMAT, VERSION = "headroom-requirement", 1
MAX_BYTES = 8 * 2**20
_ELSEWHERE = {"work", "board", "policy", "growth"}
"""Fields that the file has in another shape, or not at all."""

_PINS = tuple(each for each in members_of(Load) if each[0] not in _ELSEWHERE)
_Pins: Any = defstruct("Pins", _PINS, kw_only=True)
part_of(Units)
_SETTLED = tuple(each for each in members_of(Requirement) if each[0] not in _ELSEWHERE)
_File: Any = defstruct(
    "Requirement",
    [
        ("format", Literal["headroom-requirement"]),
        ("version", Literal[1]),
        ("workloads", tuple[dict[str, Any], ...], ()),
        ("vms", tuple[VmFile, ...], ()),
        *_SETTLED,
        ("policy", dict[str, Any], {}),
        ("growth", dict[str, Any], {}),
    ],
    rename={"raids": "raid"},
    forbid_unknown_fields=True,
    kw_only=True,
)


def is_requirement(data: bytes) -> bool:
    """Whether text is JSON that is meant as a requirement: it says so, or isn't a scenario."""
    try:
        return msgspec.json.decode(data, type=Header).format != SCENARIO_FORMAT
    except (msgspec.DecodeError, RecursionError):
        return FORMAT.encode() in data[:4096]


EXAMPLE = {
    "format": FORMAT,
    "version": VERSION,
    "name": "Bank",
    "workloads": [
        {
            "kind": "domino-nrpc",
            "release": "12.0.2",
            "active_users": 12000,
            "registered_users": 30000,
            "mail_file_mb": 500,
        }
    ],
    "growth": {"years": 3, "users_pct": 5, "mail_pct": 20},
}
"""A requirement that has options."""


def requirement_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a requirement.

    Its workloads, policy and growth may say what those of a scenario file may, and workloads what
    `_Pins` holds.
    """
    kinds = (_File, PolicyFile, GrowthFile, _Pins, *get_args(_WORKLOAD))
    (file, policy, growth, pins, *loads), parts = msgspec.json.schema_components(
        kinds, ref_template="#/$defs/{name}"
    )
    whole, settled = (parts.pop(each["$ref"].rpartition("/")[2]) for each in (file, pins))
    alone = [parts[each["$ref"].rpartition("/")[2]] for each in loads]
    items = [each | {"properties": each["properties"] | settled["properties"]} for each in alone]
    whole["properties"] |= {
        "workloads": {"type": "array", "items": {"anyOf": items}, "default": []},
        "policy": policy,
        "growth": growth,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **whole,
        "title": f"Headroom requirement file, version {VERSION}",
        "$defs": parts,
    }


def requirement_from_json(data: bytes, *, name: str) -> Requirement:
    """The requirement that a file called `name` holds.

    Raises:
        StoreError: it is none; names the field where it isn't.
    """
    if len(data) > MAX_BYTES:
        raise StoreError(say("is too large for a requirement"), name)
    with bounded(name):
        text = without_mark(data, name)
    with explaining(text, name, _File):
        header = msgspec.json.decode(text, type=Header)
        check_header(header, name, (FORMAT, SCENARIO_FORMAT))
        file = msgspec.json.decode(text, type=_File)
        check_doubled_keys(text, name)
        return _requirement(file)


def _requirement(file: Any) -> Requirement:
    loads = tuple(_load(each, place) for place, each in enumerate(file.workloads))
    vms = tuple(msgspec.convert(each, type=Vm, from_attributes=True) for each in file.vms)
    seen: set[str] = set()
    for place, vm in enumerate(vms):
        if vm.id in seen:
            raise ModelError(say("has an id twice"), field=f"vms[{place}].id")
        seen.add(vm.id)
    policy = _filled(file.policy, PRODUCTION, PolicyFile, Policy, "policy")
    growth = _filled(file.growth, Growth(), GrowthFile, Growth, "growth")
    plain = {name: getattr(file, name) for name, *_ in _SETTLED}
    plain["units"] = msgspec.convert(plain["units"], type=Units, from_attributes=True)
    return Requirement(loads=loads, vms=vms, policy=policy, growth=growth, **plain)


def _filled(given: dict[str, Any], default: Any, file: Any, kind: Any, field: str) -> Any:
    """A policy or growth that says no more than a few of its fields."""
    whole = msgspec.to_builtins(default) | given
    try:
        checked = msgspec.convert(whole, type=file)
    except msgspec.ValidationError as error:
        path, sentence = explained(str(error), b"", file)
        raise ModelError(sentence, field=f"{field}.{path}" if path else field) from None
    return msgspec.convert(checked, type=kind, from_attributes=True)


def _load(given: dict[str, Any], place: int) -> Load:
    """A workload with users, and its pins."""
    field = f"workloads[{place}]"
    kinds = [each.value for each in WorkloadKind if WORKLOADS[each].law is not None]
    if given.get("kind") not in kinds:
        raise ModelError(
            say("must be one of {kinds}", kinds=", ".join(kinds)), field=f"{field}.kind"
        )
    names = [name for name, *_ in _PINS]
    own = {name: value for name, value in given.items() if name not in names}
    unknown = set(own) - set(fields_of(Workload))
    if unknown:
        raise ModelError(say("there is no such field"), field=f"{field}.{sorted(unknown)[0]}")
    try:
        pins = msgspec.convert({n: given[n] for n in names if n in given}, type=_Pins)
        work = msgspec.convert(own, type=_WORKLOAD)
    except msgspec.ValidationError as error:
        path, sentence = explained(str(error), b"", Workload)
        raise ModelError(sentence, field=f"{field}.{path}" if path else field) from None
    work = msgspec.convert(work, type=Workload, from_attributes=True)
    if not work.people > 0:
        people = work.kind.people or "active_users"
        raise ModelError(say("must be more than 0"), field=f"{field}.{people}")
    load = Load(work=work, **msgspec.structs.asdict(pins))
    for pin in ("vcpus", "ram_gib"):
        if is_traveler(work) and getattr(load, pin) is None:
            reason = say("is needed: of Traveler its maker publishes devices a server, no size")
            raise ModelError(reason, field=f"{field}.{pin}")
    return load


_WORKLOAD = part_of(Workload)
"""The workloads of a scenario file."""


# --- options ----------------------------------------------------------------------------------


def options_to_json(
    found: Options, own: Catalog | None = None, lasts: Mapping[str, Lasting] | None = None
) -> dict[str, Any]:
    """The options as plain dictionaries, lists, texts and finite numbers.

    Args:
        own: entries that the shipped catalog lacks, for the scenarios that name them.
        lasts: whether options last, by what they are best at.
    """
    known = lasts or {}
    return {
        "format": "headroom-options",
        "version": 1,
        "considered": found.considered,
        "not_known": found.requirement.silent,
        "refused": [
            {"server": each.server or None, "array": each.array or None, "reason": str(each.reason)}
            for each in found.refused
        ],
        **({"ranked_by": "cost" if found.by_cost else "units"} if found.is_priced else {}),
        "options": [
            _option(rank, each, own, next((known[n] for n in each.names if n in known), None))
            for rank, each in enumerate(found.options, 1)
        ],
    }


def _cost(cost: Cost, lasts: Lasting | None) -> dict[str, Any]:
    """Sums by the price book; `lasts` where it was asked."""
    told_ = cost_to_json(cost)
    return told_ | ({} if lasts is None else {"lasts": lasting_to_json(lasts)})


def _option(
    rank: int, option: Option, own: Catalog | None, lasts: Lasting | None = None
) -> dict[str, Any]:
    scenario = option.scenario
    response = _slowest(option.today)
    return {
        "rank": rank,
        **told(option, "names", "server", "hosts", "licensed_cores"),
        "host_ram_gib": scenario.hosts[0].ram_gib,
        "hypervisor": scenario.hosts[0].hypervisor,
        **told(option, "array=storage.array.id", "disk=storage.disk.id"),
        **told(option, "spindles=drives", "raid=storage.raid.id"),
        "vms": [
            {
                "kind": made.load.work.kind.value,
                "count": made.count,
                "users_each": rounded(made.load.work.people / made.count),
                "vcpus": made.vcpus,
                "ram_gib": made.ram_gib,
            }
            for made in option.plan.made
        ],
        **told(option, "verdict=today.verdict", "verdict_at_end=end.verdict"),
        "chips": chips_to_json(option.today.chips),
        "headroom_pct": plain(option.headroom),
        "response_ms": response,
        "units": rounded(option.units),
        **({} if option.cost is None else {"cost": _cost(option.cost, lasts)}),
        "runs_out": None
        if option.runs_out is None
        else {"resource": option.runs_out[0], "month": rounded(option.runs_out[1])},
        "holds": None if option.holds is None else told(option.holds, "hosts", "ram_gib", "drives"),
        "evaluated": plain(option.today.verdict),
        "scenario": json.loads(scenario_to_json(scenario, own)),
    }


def refresh_to_json(found: Refresh, own: Catalog | None = None) -> dict[str, Any]:
    """One design a site as options, and what stood there beside it; `own` as `options_to_json`."""
    options = [each for each in found.parts if each.option is not None]
    return {
        "format": "headroom-options",
        "version": 1,
        "considered": sum(each.found.considered for each in found.parts),
        "refused": [
            {"site": each.part.site or None, "name": str(each.part.name), "reason": why_none(each)}
            for each in found.parts
            if each.option is None
        ],
        "options": [
            {
                "site": each.part.site or None,
                "site_name": str(each.part.name),
                "clusters": [cluster.name for cluster in each.part.now.clusters],
                **_option(rank, each.option, own),
                "before": _figures(each.before),
                "after": None if each.after is None else _figures(each.after),
            }
            for rank, each in enumerate(options, 1)
            if each.option is not None
        ],
        "total": {"before": _figures(found.before), "after": _figures(found.after)},
        "stays": {"hosts": found.stays, "vms_without_host": found.unplaced},
        "age": None if found.aged is None else _aged(found.aged),
        "scenario": json.loads(scenario_to_json(found.scenario, own)),
    }


def _aged(aged: Aged) -> dict[str, Any]:
    return {
        "older_than": aged.years,
        "in": aged.year,
        "replaced": [
            {"id": each.host.id, "name": each.host.name, "year": each.year, "by": str(each.by)}
            for each in aged.older
        ],
        "not_known": [{"id": host.id, "name": host.name} for host in aged.unknown],
    }


def _figures(figures: Figures) -> dict[str, Any]:
    names = ("hosts", "cores", "ram_gib", "drives", "rack_units", "licensed_cores", "verdict")
    return told(figures, *names, "years_left", "years_seen", "in_maintenance")


def _slowest(prediction: Prediction) -> dict[str, Any]:
    """The response of the slowest VM today."""
    vms = prediction.vms
    found = [vms.quantity(id, "response_ms") for id in vms.ids]
    known = [each for each in found if each.value is not None]
    if not known:
        return {"value": None, "low": None, "high": None, "basis": "no data"}
    worst = max(known, key=lambda each: each.value or 0.0)
    return told(worst, "value", "low", "high", "basis=basis.label")

"""The inputs of a scenario one by one: their values, who gave them, and which are pinned.

An input is a field of a cluster, host, pool or VM, or of the scenario's policy and assumptions, by
its path inside the item: ``ram_gib``, ``workload.active_users``, ``policy.cpu_limit_pct``. Ids,
names and texts for people are no inputs.

What nobody spoke about is inferred: a value that the program would give is a *default*, any other
one was entered by somebody, *manual*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from models.base.fields import REQUIRED, Field, leaves_of, reader_of, value_at
from models.scenario.origin import Origin, Origins
from models.scenario.scenario import (
    AdmissionPolicy,
    Cluster,
    Host,
    Pool,
    Scenario,
    Vm,
)
from models.scenario.workloads import WORKLOADS, WorkloadKind

Subject = Cluster | Host | Pool | Vm | Scenario
SubjectT = TypeVar("SubjectT", bound=Subject)

KINDS: tuple[type, ...] = (Scenario, Cluster, Host, Pool, Vm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One input as it stands.

    Attributes:
        kind: class of the item; `subject`: its id, empty for the scenario.
        path: of the field inside the item.
    """

    kind: type
    subject: str
    path: str
    value: Any
    origin: Origin
    is_pinned: bool


def input_paths(kind: type) -> tuple[str, ...]:
    """The paths of the inputs of a kind of item, in the order of its fields.

    >>> input_paths(Cluster)[:2]
    ('admission.policy', 'admission.host_failures')
    """
    return _PATHS[kind]


_INPUTS: Mapping[type, Mapping[str, Field]] = {
    kind: {path: each for path, each in leaves_of(kind).items() if each.is_input} for kind in KINDS
}
KINDS_BY_NUMBER = frozenset(
    path for found in _INPUTS.values() for path, each in found.items() if each.choices
)
"""Inputs whose number names a kind: they have no differences and nothing in between."""
_PATHS = {kind: tuple(found) for kind, found in _INPUTS.items()}
_READERS = {kind: reader_of(kind, paths) for kind, paths in _PATHS.items()}


def values_of(item: Subject) -> tuple[Any, ...]:
    """The values of all inputs of an item, in the order of `input_paths`."""
    return _READERS[type(item)](item)


# --- origins and pins -------------------------------------------------------------------------


def origin_of(item: Subject, path: str) -> Origin:
    """Who gave the value of an input.

    >>> origin_of(Scenario(name="x"), "policy.cpu_limit_pct").value
    'default'
    """
    said = dict(item.origins).get(path)
    return _inferred(item, path) if said is None else said


def _inferred(item: Subject, path: str) -> Origin:
    given = _INPUTS[type(item)][path].default
    is_default = given is not REQUIRED and value_at(item, path) == given
    return Origin.DEFAULT if is_default else Origin.MANUAL


def given_by_hand(item: Subject) -> list[str]:
    """The inputs of which `origin_of` says that somebody gave them."""
    said = dict(item.origins)
    values = zip(_INPUTS[type(item)].items(), values_of(item), strict=True)
    return [
        path
        for (path, each), value in values
        if (
            said[path] is Origin.MANUAL
            if path in said
            else each.default is REQUIRED or value != each.default
        )
    ]


def unsaid(item: Subject) -> list[str]:
    """The inputs that nobody spoke about and no default gives."""
    said = dict(item.origins)
    values = zip(_INPUTS[type(item)].items(), values_of(item), strict=True)
    return [
        path
        for (path, each), value in values
        if path not in said
        and (each.default is REQUIRED or value != each.default)
        and applies(item, path)
    ]


def with_origin(item: SubjectT, origin: Origin, *paths: str) -> SubjectT:
    """The item with these inputs given by `origin`; all of them where none is named."""
    said = dict(item.origins) | dict.fromkeys(paths or input_paths(type(item)), origin)
    return replace(item, origins=frozen(said))


def frozen(said: Mapping[str, Origin]) -> Origins:
    """Origins by path as an item holds them."""
    return tuple(sorted(said.items()))


def is_pinned(item: Subject, path: str) -> bool:
    return path in item.pins


def with_pin(item: SubjectT, path: str, *, pinned: bool) -> SubjectT:
    """The item with this input pinned or not."""
    others = {each for each in item.pins if each != path}
    return replace(item, pins=tuple(sorted(others | {path} if pinned else others)))


def inputs(scenario: Scenario) -> Iterator[Input]:
    """Every input that means something, the scenario's own first."""
    for item in (scenario, *scenario.items()):
        said, pins = dict(item.origins), item.pins
        kind = type(item)
        id = "" if isinstance(item, Scenario) else item.id
        for path, value in zip(input_paths(kind), values_of(item), strict=True):
            if applies(item, path):
                origin = said.get(path) or _inferred(item, path)
                yield Input(
                    kind=kind,
                    subject=id,
                    path=path,
                    value=value,
                    origin=origin,
                    is_pinned=path in pins,
                )


def applies(item: Subject, path: str) -> bool:
    """Whether an input means something for an item: users of a VM that has some, and so on."""
    if isinstance(item, Vm) and path.startswith("workload."):
        is_there = path not in SPREADS.values() or value_at(item, path) is not None
        return is_there and workload_applies(item.workload.kind, path)
    if path.startswith(MEASURED_ALONG):
        return value_at(item, path.rpartition(".")[0]) is not None
    if path == "unlisted_vms":
        return isinstance(item, Host) and item.unlisted_vms > 0
    if path in OF_SOME_POOLS:
        return value_at(item, path) not in ((), None)
    if path == "guest_pae":
        return isinstance(item, Vm) and item.guest_bits == 32
    if path == "policy.benchmark_derating_chat":
        return isinstance(item, Scenario) and any(vm.workload.kind.is_chat for vm in item.vms)
    if isinstance(item, Cluster):
        policies = _NUMBERS_OF_POLICIES.get(path)
        return policies is None or item.admission.policy in policies
    return True


SPREADS = {
    "workload.cpu_mhz": "workload.cpu_spread",
    "workload.iops": "workload.iops_spread",
}
"""Ranges of figures that are assumed, by the figure."""


def is_assumed(vm: Vm) -> bool:
    """Whether the CPU or the I/O of a VM is assumed, not measured."""
    said = dict(vm.origins)
    return any(
        said.get(path) is Origin.ASSUMED and value_at(vm, path) is not None for path in SPREADS
    )


OF_SOME_POOLS = ("hosts", "failures_to_tolerate", "reserve_pct")
"""Inputs of a pool that most leave as they are: of vSAN, whose drives stand in hosts."""
MEASURED_ALONG = ("policy.site.", "observed.", "calibrated.")
"""Inputs that come with measurements, and mean nothing without."""
_NUMBERS_OF_POLICIES = {
    "admission.host_failures": (AdmissionPolicy.HOST_FAILURES, AdmissionPolicy.PERCENTAGE),
    "admission.cpu_pct": (AdmissionPolicy.PERCENTAGE,),
    "admission.ram_pct": (AdmissionPolicy.PERCENTAGE,),
    "admission.failover_host": (AdmissionPolicy.DEDICATED,),
    "admission.more_failover_hosts": (AdmissionPolicy.DEDICATED,),
}


def workload_applies(kind: WorkloadKind, path: str) -> bool:
    """Whether a workload of this kind has this input.

    >>> workload_applies(WorkloadKind.GENERIC, "workload.active_users")
    False
    """
    name = path.removeprefix("workload.").partition(".")[0]
    return name == "kind" or name in WORKLOADS[kind].fields


def unknown_mark(item: Subject) -> tuple[str, str] | None:
    """Where an origin or a pin speaks of a field that the item does not have; None: nowhere."""
    known = _INPUTS[type(item)]
    for path, _ in item.origins:
        if path not in known:
            return f"origins.{path}", path
    for index, path in enumerate(item.pins):
        if path not in known:
            return f"pins[{index}]", path
    return None

"""Entries that the catalog does not have: servers, arrays and kinds of VM of the user's own.

What isn't said of one is not known, and its numbers are held to the table of catalog fields.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable
from dataclasses import fields, replace
from enum import StrEnum
from typing import Any, TypeVar, get_type_hints

from models.base.errors import ModelError
from models.base.lettering import is_seen
from models.base.limits import check_line, fitting
from models.base.texts import say
from models.catalog.catalog import (
    Array,
    DriveKind,
    Platform,
    Processor,
    Profile,
    Provenance,
    Role,
    Server,
    Vsan,
)
from models.catalog.catalog_check import check_entry
from models.scenario.scenario import Workload

OWN = "own"
EntryT = TypeVar("EntryT", Server, Array, Profile)

BRIDGE = 9.47
"""SPECint_rate base 2006 over SPECrate 2017 Integer base: a bridge over 11 processors measured in
both suites, about −20 % to +8 % (docs/catalog.md)."""
_MAKERS = re.compile(r"^(?:Intel|AMD) (?:Xeon )?")
_TAKEN_OVER = ("spec_rate", "hardware_virtualisation", "nested_paging")
_KINDS = {
    Server: ("server", say("a server needs a name")),
    Array: ("array", say("an array needs a name")),
    Profile: ("workload", say("a workload needs a name")),
}
_UNSAID: dict[object, object] = {
    str: "",
    tuple[str, ...]: (),
    tuple[DriveKind, ...]: (),
    Role: Role.PURCHASE,
    Vsan: Vsan.NONE,
    Platform: Platform.NONE,
    Provenance: Provenance(source="own entry", confidence=OWN),
}
"""By type, what a field holds of which nothing is said; others are not known."""


def own_id(name: str, taken: Container[str] = (), fallback: str = "server") -> str:
    """An id for an entry of the user's own, numbered where it must be.

    >>> own_id("PowerEdge R999 (lab)"), own_id("R999", {"own-r999"}), own_id("機")
    ('own-poweredge-r999-lab', 'own-r999-2', 'own-server')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    base = f"{OWN}-{re.sub('[^a-z0-9]+', '-', plain).strip('-') or fallback}"
    id, number = fitting(base, ""), 2
    while id in taken:
        id, number = fitting(base, f"-{number}"), number + 1
    return id


def _entry(cls: type[EntryT], name: str, taken: Container[str], **said: Any) -> EntryT:
    """An entry with what is said of it, by its fields.

    Args:
        taken: ids in use.

    Raises:
        ModelError: no name, or a number out of bounds; `field` says which.
    """
    fallback, missing = _KINDS[cls]
    name = name.strip()
    if not is_seen(name):
        raise ModelError(missing, field="name")
    check_line(name, field="name", required=True)
    hints = get_type_hints(cls)
    begun: dict[str, Any] = {each.name: _UNSAID.get(hints[each.name]) for each in fields(cls)}
    begun |= {"id": own_id(name, taken, fallback), "name": name}
    if "model" in hints:
        begun["model"] = name
    entry = cls(**(begun | said))
    check_entry(entry)
    return entry


def custom_array(
    *, name: str, latency_ms: float | None = None, taken: Container[str] = (), **said: Any
) -> Array:
    """An array for purchase, as its maker or its owner describes it.

    Args:
        latency_ms: of an all-flash array at light load; None for one with disks.
        said: other fields of `Array`; without `raid_levels` or `drive_kinds` any can be chosen.
        taken: ids in use.

    Raises:
        ModelError: no name, or a number out of bounds; `field` says which.

    >>> custom_array(name="Filer", ceiling_iops=20_000.0).id
    'own-filer'
    """
    kind = "all flash" if latency_ms is not None else ""
    said["raid_levels"] = tuple(said.get("raid_levels", ()))
    said["drive_kinds"] = tuple(map(DriveKind, said.get("drive_kinds", ())))
    said["vsan"] = Vsan(said.get("vsan", ""))
    return _entry(Array, name, taken, kind=kind, latency_ms=latency_ms, **said)


def custom_profile(
    *, name: str, workload: Workload, vcpus: int, ram_gib: float, taken: Container[str] = ()
) -> Profile:
    """A kind of VM: those made from it begin with these values and can be changed one by one.

    Raises:
        ModelError: no name, or a number out of bounds; `field` says which.
    """
    return _entry(Profile, name, taken, vcpus=vcpus, ram_gib=ram_gib, workload=workload)


def custom_server(
    *, name: str, processor: Processor, sockets: int, taken: Container[str] = (), **said: Any
) -> Server:
    """A server for purchase with `sockets` of these processors.

    Fields that the processor's source assumes stay assumed; so is a SPEC rate that was measured
    on another number of chips. No Domino was measured on it: its platform is NONE, and figures
    come by transfer, SPEC rate per core against SPEC rate per core.

    Args:
        said: other fields of `Server`.
        taken: ids in use.

    Raises:
        ModelError: no name, or a number out of bounds; `field` says which.
    """
    cores = sockets * processor.cores_per_socket
    server = _entry(
        Server,
        name,
        taken,
        sockets=sockets,
        processor=processor.name,
        generation=processor.generation,
        cores=cores,
        threads=cores * processor.threads_per_core,
        base_mhz=processor.base_mhz,
        spec_rate=whole_rate(processor, sockets),
        hardware_virtualisation=processor.hardware_virtualisation,
        nested_paging=processor.nested_paging,
        provenance=_provenance(processor, sockets),
        **said,
    )
    size = f", {sockets} × {_MAKERS.sub('', processor.name)}"
    return replace(server, name=fitting(server.name, size))


class Suite(StrEnum):
    """The benchmark that a SPEC rate is of."""

    CPU2017 = "SPECrate 2017 Integer base"
    CPU2006 = "SPECint_rate base 2006"


def rated_server(
    *,
    name: str,
    sockets: int,
    cores: int,
    spec_rate: float | None,
    suite: Suite = Suite.CPU2017,
    threads_per_core: int = 1,
    nested_paging: bool | None = None,
    taken: Container[str] = (),
    **said: Any,
) -> Server:
    """A server by the SPEC rate of the whole machine: R = R_2017, or R_2006 / 9.47.

    Nothing is assumed: what isn't said is not known. Nested paging needs hardware virtualisation,
    so that one is known where the other is there.

    Args:
        cores: of the whole machine.
        spec_rate: of the whole machine, of `suite`; None: not known, and then no load follows.
        said: other fields of `Server`.
        taken: ids in use.

    Raises:
        ModelError: no name, or a number out of bounds; `field` says which.

    >>> made = rated_server(name="Box", sockets=2, cores=8, spec_rate=94.7, suite=Suite.CPU2006)
    >>> made.spec_rate, made.spec_rate_per_core
    (10.0, 1.25)
    """
    if name.strip() and cores < sockets:
        raise ModelError(
            say("must be at least the sockets ({sockets})", sockets=sockets), field="cores"
        )
    return _entry(
        Server,
        name,
        taken,
        sockets=sockets,
        cores=cores,
        threads=cores * threads_per_core,
        spec_rate=None if spec_rate is None else spec_rate / _SCALES[suite],
        hardware_virtualisation=True if nested_paging else None,
        nested_paging=nested_paging,
        provenance=_by_hand(spec_rate, suite),
        **said,
    )


_SCALES = {Suite.CPU2017: 1.0, Suite.CPU2006: BRIDGE}


def _by_hand(spec_rate: float | None, suite: Suite) -> Provenance:
    if spec_rate is None:
        return Provenance(source="own entry; no SPEC rate", confidence=OWN)
    is_bridged = suite is Suite.CPU2006
    note = f"Divided by {BRIDGE} to stand on the scale of CPU2017." if is_bridged else ""
    return Provenance(source=f"own entry; {suite.value} by hand", confidence=OWN, note=note)


def whole_rate(processor: Processor, sockets: int) -> float | None:
    """SPEC rate [1] of a machine with this many sockets: R = R_measured / chips × sockets.

    Valid and exact where `sockets` are the chips that were measured. Elsewhere it assumes that
    rates grow with the sockets in proportion; published results stay a little below that.
    None when the processor has no result. Source: the processor's published result.

    Two chips of 120, in a machine with four:

    >>> from types import SimpleNamespace
    >>> whole_rate(SimpleNamespace(spec_rate=120.0, chips=2), 4)
    240.0
    """
    if processor.spec_rate is None:
        return None
    return processor.spec_rate / processor.chips * sockets


def measured_nearest(processors: Iterable[Processor], sockets: int) -> Processor:
    """Of one processor's results, the one measured on the number of chips closest to `sockets`."""
    return min(processors, key=lambda each: (abs(each.chips - sockets), each.chips))


def _provenance(processor: Processor, sockets: int) -> Provenance:
    assumed = [name for name in _TAKEN_OVER if name in processor.provenance.assumed]
    source = f"own entry; SPEC rate of {processor.name}: {processor.provenance.source}"
    if processor.spec_rate is None:
        source, note = f"own entry; no SPEC rate of {processor.name} was published", ""
    elif sockets == processor.chips:
        note = f"SPEC rate as measured on {processor.chips} chips, {processor.spec_basis}."
    else:
        assumed = list(dict.fromkeys(("spec_rate", *assumed)))
        note = (
            f"SPEC rate measured on {processor.chips} chips ({processor.spec_basis}), "
            f"taken in proportion for {sockets}."
        )
    return Provenance(source=source, confidence=OWN, note=note, assumed=tuple(assumed))

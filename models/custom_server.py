"""A server that the catalog does not have, made from a processor with published results."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable

from models.catalog import Platform, Processor, Provenance, Role, Server
from models.errors import ModelError
from models.limits import LIMITS, Limit, check_line
from models.scenario import Host

SOCKETS = Limit(ge=1, le=8)
YEAR = Limit(ge=1960, le=2100)
RAM_GIB = LIMITS[Host]["ram_gib"]
NICS = Limit(ge=1, le=1000)
NIC_GBPS = LIMITS[Host]["nic_gbps"]
OWN = "own"
_MAKERS = re.compile(r"^(?:Intel|AMD) (?:Xeon )?")
_TAKEN_OVER = ("spec_rate", "hardware_virtualisation", "nested_paging")


def custom_server(
    *,
    name: str,
    processor: Processor,
    sockets: int,
    max_ram_gib: float | None = None,
    nics: int | None = None,
    nic_gbps: float | None = None,
    year: int | None = None,
    taken: Container[str] = (),
) -> Server:
    """A server for purchase with `sockets` of these processors.

    Fields that the processor's source assumes stay assumed; so is a SPEC rate that was measured
    on another number of chips. No Domino was measured on it: its platform is NONE, and figures
    come by transfer, SPEC rate per core against SPEC rate per core.

    Args:
        taken: ids in use; the new one is ``own-`` and the name, numbered where it must be.

    Raises:
        ModelError: no name, or a number out of bounds; `field` says which.
    """
    name = name.strip()
    if not name:
        raise ModelError("a server needs a name", field="name")
    check_line(name, field="name")
    _check("sockets", sockets, SOCKETS)
    _check("max_ram_gib", max_ram_gib, RAM_GIB)
    _check("nics", nics, NICS)
    _check("nic_gbps", nic_gbps, NIC_GBPS)
    _check("year", year, YEAR)
    cores = sockets * processor.cores_per_socket
    return Server(
        id=own_id(name, taken),
        name=f"{name}, {sockets} × {_MAKERS.sub('', processor.name)}",
        vendor="",
        model=name,
        year=year,
        sockets=sockets,
        processor=processor.name,
        generation=processor.generation,
        cores=cores,
        threads=cores * processor.threads_per_core,
        base_mhz=processor.base_mhz,
        spec_rate=whole_rate(processor, sockets),
        hardware_virtualisation=processor.hardware_virtualisation,
        nested_paging=processor.nested_paging,
        max_ram_gib=max_ram_gib,
        nics=nics,
        nic_gbps=nic_gbps,
        rack_units=None,
        role=Role.PURCHASE,
        platform=Platform.NONE,
        provenance=_provenance(processor, sockets),
    )


def whole_rate(processor: Processor, sockets: int) -> float | None:
    """SPEC rate of a machine with this many sockets: R = R_measured / chips × sockets.

    Exact where `sockets` are the chips that were measured. Elsewhere it assumes that rates grow
    with the sockets in proportion; published results stay a little below that.
    None when the processor has no result.
    """
    if processor.spec_rate is None:
        return None
    return processor.spec_rate / processor.chips * sockets


def measured_nearest(processors: Iterable[Processor], sockets: int) -> Processor:
    """Of one processor's results, the one measured on the number of chips closest to `sockets`."""
    return min(processors, key=lambda each: (abs(each.chips - sockets), each.chips))


def own_id(name: str, taken: Container[str] = ()) -> str:
    """An id for an entry of the user's own.

    >>> own_id("PowerEdge R999 (lab)"), own_id("R999", {"own-r999"}), own_id("機")
    ('own-poweredge-r999-lab', 'own-r999-2', 'own-server')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    base = f"{OWN}-{re.sub('[^a-z0-9]+', '-', plain).strip('-') or 'server'}"
    id, number = base, 2
    while id in taken:
        id, number = f"{base}-{number}", number + 1
    return id


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


def _check(field: str, value: float | None, limit: Limit) -> None:
    reason = None if value is None else limit.broken(value)
    if reason is not None:
        raise ModelError(reason, field=field)

"""A server that the catalog does not have, from a processor with published results or by a rate."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from enum import StrEnum

from models.catalog import Platform, Processor, Provenance, Role, Server
from models.catalog_check import check_entry
from models.errors import ModelError
from models.limits import fitting
from models.own_entry import OWN, checked_name, own_id
from models.texts import say

BRIDGE = 9.47
"""SPECint_rate base 2006 over SPECrate 2017 Integer base: a bridge over 11 processors measured in
both suites, about −20 % to +8 % (docs/catalog.md)."""
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
    name = checked_name(name, say("a server needs a name"))
    cores = sockets * processor.cores_per_socket
    server = Server(
        id=own_id(name, taken),
        name=fitting(name, f", {sockets} × {_MAKERS.sub('', processor.name)}"),
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
    check_entry(server)
    return server


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
    base_mhz: float | None = None,
    nested_paging: bool | None = None,
    max_ram_gib: float | None = None,
    nics: int | None = None,
    nic_gbps: float | None = None,
    year: int | None = None,
    taken: Container[str] = (),
) -> Server:
    """A server by the SPEC rate of the whole machine: R = R_2017, or R_2006 / 9.47.

    Nothing is assumed: what isn't said is not known. Nested paging needs hardware virtualisation,
    so that one is known where the other is there.

    Args:
        cores: of the whole machine.
        spec_rate: of the whole machine, of `suite`; None: not known, and then no load follows.
        taken: ids in use.

    Raises:
        ModelError: no name, or a number out of bounds; `field` says which.

    >>> made = rated_server(name="Box", sockets=2, cores=8, spec_rate=94.7, suite=Suite.CPU2006)
    >>> made.spec_rate, made.spec_rate_per_core
    (10.0, 1.25)
    """
    name = checked_name(name, say("a server needs a name"))
    if cores < sockets:
        raise ModelError(
            say("must be at least the sockets ({sockets})", sockets=sockets), field="cores"
        )
    server = Server(
        id=own_id(name, taken),
        name=name,
        vendor="",
        model=name,
        year=year,
        sockets=sockets,
        processor="",
        generation="",
        cores=cores,
        threads=cores * threads_per_core,
        base_mhz=base_mhz,
        spec_rate=None if spec_rate is None else spec_rate / _SCALES[suite],
        hardware_virtualisation=True if nested_paging else None,
        nested_paging=nested_paging,
        max_ram_gib=max_ram_gib,
        nics=nics,
        nic_gbps=nic_gbps,
        rack_units=None,
        role=Role.PURCHASE,
        platform=Platform.NONE,
        provenance=_by_hand(spec_rate, suite),
    )
    check_entry(server)
    return server


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

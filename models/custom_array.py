"""A storage array that the catalog does not have."""

from __future__ import annotations

from collections.abc import Container, Sequence

from models.catalog import Array, Provenance, Role
from models.catalog_check import check_entry
from models.own_entry import OWN, checked_name, own_id
from models.texts import say


def custom_array(
    *,
    name: str,
    raid_levels: Sequence[str] = (),
    ceiling_iops: float | None = None,
    latency_ms: float | None = None,
    max_drives: int | None = None,
    cache_gib: float | None = None,
    read_cache_hit: float | None = None,
    year: int | None = None,
    taken: Container[str] = (),
) -> Array:
    """An array for purchase, as its maker or its owner describes it; None is not known.

    Args:
        raid_levels: ids of those it offers; none: not known, and then any can be chosen.
        ceiling_iops: host I/Os per second that its controllers carry.
        latency_ms: of an all-flash array at light load; None for one with disks.
        read_cache_hit: share of reads that its cache serves, 0 to 1.
        taken: ids in use; the new one is ``own-`` and the name, numbered where it must be.

    Raises:
        ModelError: no name, or a number out of bounds; `field` says which.

    >>> custom_array(name="Filer", ceiling_iops=20_000.0).id
    'own-filer'
    """
    name = checked_name(name, say("an array needs a name"))
    array = Array(
        id=own_id(name, taken, "array"),
        name=name,
        vendor="",
        model=name,
        kind="all flash" if latency_ms is not None else "",
        year=year,
        cache_gib=cache_gib,
        max_drives=max_drives,
        raid_levels=tuple(raid_levels),
        ceiling_iops=ceiling_iops,
        latency_ms=latency_ms,
        write_penalty=None,
        read_cache_hit=read_cache_hit,
        role=Role.PURCHASE,
        provenance=Provenance(source="own entry", confidence=OWN),
    )
    check_entry(array)
    return array

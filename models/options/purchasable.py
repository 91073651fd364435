"""What of the catalog can be bought today, what goes together, and why the rest was left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from models.base.errors import ModelError
from models.base.texts import Text, say
from models.catalog.catalog import Array, Catalog, Disk, Hypervisor, RaidLevel, Role, Server, find
from models.catalog.published import CHECKED
from models.judgement.platform_limits import YEARS_AFTER, YEARS_BEFORE
from models.scenario.scenario import NO_HYPERVISOR

NEWER_YEARS, OLDER_YEARS = 2, 5
"""How much newer or older than the machine a release may be to be offered with it."""

SOLD_YEARS = {Server: 5, Array: 8}
"""So long after its release a model is taken to be on sale. Assumed: makers follow up servers after
three to five years and arrays more slowly, and few say when they sold the last one."""

Entry = TypeVar("Entry", Server, Array, Disk, RaidLevel)


@dataclass(frozen=True, slots=True)
class Refused:
    """What was left out, and why in one line; `server` or `array` is empty where it doesn't matter
    which.

    Attributes:
        is_sold: False where it can't be bought and was not looked at.
    """

    server: str
    array: str
    reason: str
    is_sold: bool = True


def servers_of(
    catalog: Catalog, wanted: tuple[str, ...] | None
) -> tuple[list[Server], list[Refused]]:
    """Servers by id, or all that can be bought today."""
    found, outdated = _chosen(catalog.servers, wanted, "servers", "server")
    return found, [Refused(each.id, "", _why(each), is_sold=False) for each in outdated]


def arrays_of(
    catalog: Catalog, wanted: tuple[str, ...] | None
) -> tuple[list[Array], list[Refused]]:
    """Arrays by id, or all that can be bought today; none whose drives stand in the hosts: hosts
    and drives are looked for apart from one another."""
    found, outdated = _chosen(catalog.arrays, wanted, "arrays", "array")
    refused = [Refused("", each.id, _why(each), is_sold=False) for each in outdated]
    refused += [Refused("", each.id, IN_HOSTS) for each in found if each.stands_in_hosts]
    return [each for each in found if not each.stands_in_hosts], refused


IN_HOSTS = say(
    "its drives stand in the hosts, and designs are looked for with drives in arrays: build it by "
    "hand, and it is judged"
)


def _chosen(
    entries: Mapping[str, Entry], wanted: tuple[str, ...] | None, field: str, kind: str
) -> tuple[list[Entry], list[Entry]]:
    if wanted is not None:
        named = [
            find(entries, id, field=f"{field}[{place}]", kind=kind)
            for place, id in enumerate(wanted)
        ]
        return named, []
    sold = [each for each in entries.values() if is_sold(each)]
    return sold, [each for each in entries.values() if not is_sold(each)]


def is_sold(entry: Server | Array | Disk | RaidLevel) -> bool:
    """Whether it can be bought today, as far as its year tells."""
    if not isinstance(entry, Server | Array):
        return True
    newest = CHECKED.year - SOLD_YEARS[type(entry)]
    return entry.role is Role.PURCHASE and entry.year is not None and entry.year >= newest


def _why(entry: Server | Array) -> Text:
    if entry.role is Role.REFERENCE:
        return say("a reference system, not for sale")
    if entry.year is None:
        return say("nobody says of what year it is")
    return say("out of date: of {year}", year=str(entry.year))


def hypervisor_for(server: Server, catalog: Catalog, wanted: str | None) -> Hypervisor:
    """The release wanted, or the newest of the machine's time, of those in support if there is one.

    Raises:
        ModelError: the one that is wanted isn't in the catalog, or there is none.
    """
    if wanted is not None:
        return find(catalog.hypervisors, wanted, field="hypervisor", kind="hypervisor")
    known = [each for id, each in catalog.hypervisors.items() if id != NO_HYPERVISOR]
    if not known:
        raise ModelError(say("the catalog has no hypervisor"), field="hypervisor")
    of_time = [each for each in known if is_of_the_time(each, server)] or known
    supported = [each for each in of_time if _lasts(each)]
    return max(supported or of_time, key=lambda each: each.version)


def _lasts(release: Hypervisor) -> bool:
    return release.end_of_support is not None and release.end_of_support >= CHECKED


def is_of_the_time(hypervisor: Hypervisor, server: Server) -> bool:
    """Whether release and machine are near enough in years to be offered together."""
    if server.year is None or hypervisor.year is None:
        return True
    return -NEWER_YEARS <= server.year - hypervisor.year <= OLDER_YEARS


def apart(server: Server, hypervisor: Hypervisor, catalog: Catalog) -> Text | None:
    """Why a release won't do on a machine of another time, and which one would; None: it does.

    By the rule ``hypervisor-era``, which no design may break.
    """
    if server.year is None or hypervisor.year is None:
        return None
    if -YEARS_BEFORE <= hypervisor.year - server.year <= YEARS_AFTER:
        return None
    said = {"release": hypervisor.name, "of": str(hypervisor.year), "year": str(server.year)}
    fitting = hypervisor_for(server, catalog, None).name
    if hypervisor.year < server.year:
        return say(
            "{release} of {of} is too old for a server of {year}: raise the release to {fitting}",
            fitting=fitting,
            **said,
        )
    return say(
        "{release} of {of} is too new for a server of {year}, whose release was {fitting}",
        fitting=fitting,
        **said,
    )


@dataclass(frozen=True, slots=True)
class Storage:
    """Drives in an array at a RAID level."""

    array: Array
    disk: Disk
    raid: RaidLevel


def storages(
    catalog: Catalog,
    arrays: Iterable[Array],
    disks: tuple[str, ...] | None,
    raids: tuple[str, ...] | None,
) -> tuple[list[Storage], list[Refused]]:
    """What goes together, and arrays of which nothing does."""
    named_disks, _ = _chosen(catalog.disks, disks, "disks", "disk")
    levels, _ = _chosen(catalog.raid_levels, raids, "raid", "RAID level")
    found: list[Storage] = []
    refused: list[Refused] = []
    for array in arrays:
        fitting = [
            Storage(array, disk, raid)
            for disk in named_disks
            if _takes(array, disk, asked=disks is not None)
            for raid in _levels(array, levels, raids)
        ]
        found += fitting
        if not fitting:
            reason = say("offers none of the RAID levels or drives that are asked for")
            refused.append(Refused("", array.id, reason))
    return found, refused


def _takes(array: Array, disk: Disk, *, asked: bool) -> bool:
    """What is known to go in; where that isn't known what is asked for, else flash in arrays for
    flash, turning drives in the others, either in what takes both."""
    known = array.takes(disk)
    if known is False or asked:
        return known is not False
    if disk.capacity_gb is None:
        return False  # nothing could be said of the space
    if known:
        return True
    if array.latency_ms is not None or array.kind.startswith("all-flash"):
        return disk.flash
    return not disk.flash or array.kind.startswith("hybrid")


def _levels(
    array: Array, levels: list[RaidLevel], wanted: tuple[str, ...] | None
) -> Iterator[RaidLevel]:
    for level in levels:
        protected = level.id != "0" or wanted is not None
        offered = level.id in array.raid_levels if array.raid_levels else level.id in _USUAL
        if protected and offered:
            yield level


_USUAL = ("10", "5", "6")
"""Of an array of which nobody says what it offers."""

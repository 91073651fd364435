"""The bill of materials: what a design takes to buy or to keep, with totals, and no prices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import nan

from models.base.texts import Text, joined, opening, say, say_many
from models.catalog.catalog import (
    Array,
    Catalog,
    Hypervisor,
    Metric,
    Product,
    Provenance,
    Release,
    Role,
    Server,
    Vsan,
)
from models.catalog.own_hardware import OWN
from models.catalog.published import CHECKED, release_of
from models.evidence.citation import documents, instead_of_document
from models.options.purchasable import is_sold
from models.physics.scenario_to_arrays import hosts_with_drives
from models.prices.licences import licence_counts, saving, support_ends
from models.scenario.scenario import Pool, Scenario
from models.scenario.wording import NO_DATA_TEXT, exact_text, input_text, with_unit
from models.tell.blocks import Block, Column, Paragraph, Section, Table
from models.tell.subject import Subject

LICENCE_SOURCE = "Broadcom KB 313548"
_NOT_LISTED = {Metric.DOMINO_PVU, Metric.WINDOWS_DATACENTER, Metric.WINDOWS_STANDARD}
"""Of contracts that aren't sold any more, and of guest systems, which are in no design: the two
editions of Windows stand for each other, and neither for a VM with another system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """One line: so many of one thing.

    Attributes:
        each, unit: of what one of it has (cores, GiB, rack units); None: no data.
        note: why it is counted like this, and until when it is sold or supported.
        whence: whether it is there or to be bought; empty for a sum over both.
        items: hosts or pools that it is the count of, or the sum of their number `adds`.
    """

    part: Text | str
    what: Text | str
    count: float
    unit: str = ""
    note: Text | str = ""
    whence: Text | str = ""
    adds: str = ""
    items: tuple[str, ...] = ()


def materials(scenario: Scenario, catalog: Catalog) -> tuple[Material, ...]:
    """Servers, processors, cores, licences, RAM, ports, rack units, arrays, drives and releases."""
    return (
        *_servers(scenario, catalog),
        *_in_all_servers(scenario, catalog),
        *_licences(scenario, catalog),
        *_storage(scenario, catalog),
        *_releases(scenario, catalog),
    )


def bill_of_materials(subject: Subject) -> Section | None:
    """The bill as a section; None where there is nothing to buy."""
    rows = materials(subject.scenario, subject.catalog)
    if not rows:
        return None
    columns = (
        Column(say("Item"), wide=True, weight=8),
        Column(say("What"), wide=True, weight=9),
        Column(say("Amount"), numeric=True),
        Column(say("There or to buy")),
        Column(say("Remark"), wide=True, weight=11),
    )
    cells = tuple(
        (
            row.part,
            row.what,
            NO_DATA_TEXT if row.count != row.count else with_unit(exact_text(row.count), row.unit),
            row.whence,
            row.note,
        )
        for row in rows
    )
    blocks: list[Block] = [Table(columns, cells)]
    blocks.append(
        Paragraph(
            say(
                "Counted from the design; what was imported is there, and whether a model is still "
                "sold is judged by its year. {more}",
                more=say(
                    "Prices are not part of this document. Cabling, racks, network switches, "
                    "licences of Sametime and of guest systems, backup and support contracts are "
                    "not counted; of electrical power the catalog has no figures."
                )
                if subject.cost is None
                else say(
                    "What has a price stands among the costs as well, with backup, licences of "
                    "guest systems, rack units, power and support as far as the price book has "
                    "them. Cabling, racks, network switches and licences of Sametime are not "
                    "counted."
                ),
            )
        )
    )
    more = saving(licence_counts(subject.scenario, subject.catalog)), _ending(subject)
    blocks += [Paragraph(each) for each in more if each is not None]
    return Section(say("Bill of materials"), tuple(blocks))


def _ending(subject: Subject) -> Text | None:
    """Whose support ends within the planned years; None where nothing is planned, or none does."""
    if not subject.scenario.growth.years:
        return None
    ends = [each for each in support_ends(subject.scenario, subject.catalog) if each.in_plan]
    if not ends:
        return None
    named = [say("{what} on {day}", what=each.what, day=str(each.last)) for each in ends]
    return say(
        "Support ends within the planned years: {named}. Guest systems are not in the design.",
        named=joined("; ", named),
    )


def _servers(scenario: Scenario, catalog: Catalog) -> Iterator[Material]:
    by_model: dict[tuple[str, float, bool], list[str]] = {}
    for host in scenario.hosts:
        kind = (host.server, host.ram_gib, bool(host.imported_from))
        by_model.setdefault(kind, []).append(host.id)
    for (id, ram_gib, is_there), hosts in by_model.items():
        server = catalog.servers[id]
        yield Material(
            part=say("Server"),
            what=say(
                "{server}, {ram} RAM each",
                server=server.name,
                ram=with_unit(input_text(ram_gib), "GiB"),
            ),
            count=len(hosts),
            note=_remark(server),
            whence=_whence(server, is_there=is_there),
            items=tuple(hosts),
        )


def _in_all_servers(scenario: Scenario, catalog: Catalog) -> Iterator[Material]:
    """Processors, cores, RAM, ports and rack units."""
    if not scenario.hosts:
        return
    servers = [catalog.servers[host.server] for host in scenario.hosts]
    processors: Counter[str] = Counter()
    for server in servers:
        processors[server.processor] += server.sockets
    for processor, count in processors.items():
        yield Material(
            part=say("Processors"), what=processor or say("nobody says which"), count=count
        )
    yield Material(
        part=say("Processor cores"),
        what=say("physical cores, all servers"),
        count=sum(server.cores for server in servers),
        adds="cores",
        items=tuple(host.id for host in scenario.hosts),
    )
    yield Material(
        part="RAM",
        what=say("installed, all servers"),
        count=round(sum(host.ram_gib for host in scenario.hosts), 2),
        unit="GiB",
        adds="ram_gib",
        items=tuple(host.id for host in scenario.hosts),
    )
    yield _ports(scenario, servers)
    yield Material(
        part=say("Rack units"),
        what=say("servers; drives and arrays come on top"),
        count=_sum(server.rack_units for server in servers),
        unit="U",
    )


def _ports(scenario: Scenario, servers: Iterable[Server]) -> Material:
    """Network ports, of a host as somebody stated them, else as its server has them."""
    stated = [
        server.nics if host.nics is None else host.nics
        for host, server in zip(scenario.hosts, servers, strict=True)
    ]
    return Material(
        part=say("Network ports"),
        what=say("on the servers, for VMs and storage"),
        count=_sum(stated),
    )


def _licences(scenario: Scenario, catalog: Catalog) -> Iterator[Material]:
    """Cores and users to license by the makers' rules, where one is known."""
    hosts = Counter(host.hypervisor for host in scenario.hosts)
    for each in licence_counts(scenario, catalog):
        if each.metric in _NOT_LISTED:
            continue
        if each.metric is not Metric.HYPERVISOR_CORE:
            yield Material(
                part=opening(each.metric.label),
                what=each.what,
                count=nan if each.count is None else each.count,
                note=each.note,
            )
            continue
        support = support_text(catalog.hypervisors[each.id])
        if each.ordered is None:
            yield Material(
                part=say("Hypervisor"),
                what=each.what,
                count=hosts[each.id],
                note=joined("; ", (say("hosts; {why}", why=each.note), support)),
            )
            continue
        rule = say("to license: {rule} ({source})", rule=each.note, source=LICENCE_SOURCE)
        yield Material(
            part=say("Hypervisor cores"),
            what=each.what,
            count=each.ordered,
            note=joined("; ", (rule, support)),
        )


def _storage(scenario: Scenario, catalog: Catalog) -> Iterator[Material]:
    arrays = Counter((pool.array, bool(pool.imported_from)) for pool in scenario.pools)
    for (id, is_there), count in arrays.items():
        array = catalog.arrays[id]
        if array.vsan is not Vsan.NONE:
            yield _nodes(scenario, array)
            continue
        yield Material(
            part=say("Storage array"),
            what=array.name,
            count=count,
            note=joined(
                "; ", filter(None, (_own(array.provenance) or _remark(array), _shared(count)))
            ),
            whence=_whence(array, is_there=is_there),
        )
    drives: dict[tuple[str, str, str], list[Pool]] = {}
    for pool in scenario.pools:
        # Drives are sold for an array: for one that nobody sells any more there are none either.
        whence = _whence(catalog.arrays[pool.array], is_there=bool(pool.imported_from))
        drives.setdefault((pool.disk, pool.raid, whence), []).append(pool)
    for (disk, raid, where), pools in drives.items():
        spares = sum(pool.hot_spares for pool in pools)
        yield Material(
            part=say("Drives"),
            what=joined(", ", (catalog.disks[disk].name, catalog.raid_levels[raid].name)),
            count=sum(pool.spindles for pool in pools),
            note=_own(catalog.disks[disk].provenance) or _spares(spares),
            whence=where,
            adds="spindles",
            items=tuple(pool.id for pool in pools),
        )


def _releases(scenario: Scenario, catalog: Catalog) -> Iterator[Material]:
    """Releases of Domino and Sametime with the VMs that run them, and until when each is
    supported."""
    found: Counter[Text | str] = Counter()
    ends: dict[Text | str, Text] = {}
    for vm in scenario.vms:
        kind = vm.workload.kind
        if not kind.is_domino and not kind.is_chat:
            continue
        product = Product.DOMINO if kind.is_domino else Product.SAMETIME
        line = release_of(catalog, product, vm.workload.release)
        what = say("of a release that is not known") if line is None else line.name
        found[what] += 1
        ends[what] = support_text(line)
    for what, count in found.items():
        yield Material(part=say("VMs by release"), what=what, count=count, note=ends[what])


def _nodes(scenario: Scenario, array: Array) -> Material:
    """Hosts that carry drives of vSAN: no article beside them."""
    pools = [pool for pool in scenario.pools if pool.array == array.id]
    hosts = {host.id for pool in pools for host in hosts_with_drives(pool, scenario.hosts)}
    cache = array.vsan is Vsan.OSA
    return Material(
        part=say("vSAN in hosts"),
        what=array.name,
        count=len(hosts),
        note=say("hosts with these drives; drives for cache, one a disk group, are not counted")
        if cache
        else say("hosts with these drives"),
    )


def _own(provenance: Provenance) -> Text | str:
    """What stands for something that the catalog doesn't know is no article."""
    is_own = provenance.confidence == OWN
    return instead_of_document(documents(provenance.source)[0]) if is_own else ""


def _spares(count: int) -> Text | str:
    """Hot spares are drives like the others, and counted with them."""
    if not count:
        return say("no hot spares among them")
    return say_many("{count} of them a hot spare", "{count} of them hot spares", count)


def _shared(count: int) -> Text | str:
    """A scenario says of each pool which array it is on, not whether that is one array."""
    return say("one a pool; fewer where pools share an array") if count > 1 else ""


def _whence(entry: Server | Array, *, is_there: bool) -> Text:
    """What was imported stands at the customer; of the rest the age says whether it is sold."""
    if is_there:
        return THERE
    if _own(entry.provenance):
        return say("nobody says")
    return TO_BUY if is_sold(entry) else say("not sold any more")


THERE, TO_BUY = say("there"), say("to buy")


def _remark(entry: Server | Array) -> Text | str:
    if entry.role is Role.REFERENCE:
        return say("reference system: can’t be bought")
    if entry.year is None:
        return say("of what year is not known, nor until when it is sold or supported")
    return say(
        "model of {year}; no maker’s day of end of sale or support known", year=str(entry.year)
    )


def support_text(entry: Hypervisor | Release | None) -> Text:
    """Until when its maker supports a release, as far as that was ever published."""
    end = None if entry is None else entry.end_of_support
    if end is None:
        return say("end of support not known")
    extended = entry.extended_support if isinstance(entry, Release) else None
    day = end.isoformat()
    if extended is not None:
        last = extended.isoformat()
        if end <= CHECKED:
            return say("support ended on {day}; bought on top until {last}", day=day, last=last)
        return say("supported until {day}; bought on top until {last}", day=day, last=last)
    if end <= CHECKED:
        return say("support ended on {day}", day=day)
    return say("supported until {day}", day=day)


def _sum(values: Iterable[int | None]) -> float:
    """NaN where one is not known: a part of a sum is no sum."""
    found = list(values)
    return float("nan") if None in found else float(sum(each or 0 for each in found))

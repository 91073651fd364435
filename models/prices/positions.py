"""How much of what a design takes: the quantities that a price book is applied to.

They are those of the bill of materials (`models.tell.materials`), which shows the same counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from models.base.texts import Text, say
from models.catalog.catalog import Catalog, Vsan
from models.physics.scenario_to_arrays import to_arrays
from models.physics.storage import pool_used_gib
from models.prices.book import Article, PriceBook
from models.prices.licences import licence_counts
from models.scenario.scenario import Pool, Scenario
from models.scenario.wording import first_of

HOURS_OF_A_YEAR = 8760
GIB_IN_TB = Decimal(2**30) / Decimal(10**12)
MOST_NAMES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """So much of one article.

    Attributes:
        names: id and name in the catalog, by which a book may price it; empty for what has none.
        count: all there is, for what is paid each year; None: not known, `why` says why.
        new: of it what is to be bought.
        least: of an order, where the maker has one.
        of_storage: it is part of the storage, whatever hosts there are.
    """

    article: Article
    what: Text | str
    names: tuple[str, ...] = ()
    count: Decimal | None
    new: Decimal | None = None
    least: int = 0
    why: Text | str = ""
    of_storage: bool = False


def positions(scenario: Scenario, catalog: Catalog, book: PriceBook) -> tuple[Position, ...]:
    """Everything of a design that a book can price: what was imported is there, the rest is new."""
    return (
        *_servers(scenario, catalog, book),
        *(replace(each, of_storage=True) for each in _storage(scenario.pools, catalog, book)),
        *_licences(scenario, catalog),
        *_backup(scenario, catalog),
    )


def _servers(scenario: Scenario, catalog: Catalog, book: PriceBook) -> Iterator[Position]:
    all_, new = Counter[str](), Counter[str]()
    sockets, new_sockets = Counter[str](), Counter[str]()
    ram = new_ram = units = 0.0
    without = list[str]()
    for host in scenario.hosts:
        server = catalog.servers[host.server]
        is_new = not host.imported_from
        all_[host.server] += 1
        sockets[server.processor] += server.sockets
        ram += host.ram_gib
        if is_new:
            new[host.server] += 1
            new_sockets[server.processor] += server.sockets
            new_ram += host.ram_gib
        if server.rack_units is None:
            without.append(server.name)
        units += server.rack_units or 0
    if not all_:
        return
    for id, count in all_.items():
        name = catalog.servers[id].name
        yield _position(Article.SERVER, name, count, new[id], names=(id, name))
    for processor, count in sockets.items():
        what = processor or say("nobody says which")
        yield _position(Article.PROCESSOR, what, count, new_sockets[processor], names=(processor,))
    yield _position(Article.RAM, say("installed, all servers"), ram, new_ram)
    rack = _position(Article.RACK_UNIT, say("servers"), units, units)
    why = say("height not known: {names}", names=first_of(sorted(set(without)), MOST_NAMES))
    yield replace(rack, count=None, new=None, why=why) if without else rack
    named = {id: (Article.SERVER, id, catalog.servers[id].name) for id in all_}
    yield _electricity(say("servers, all year"), [(*named[id], n) for id, n in all_.items()], book)


def _storage(pools: Iterable[Pool], catalog: Catalog, book: PriceBook) -> Iterator[Position]:
    arrays, new_arrays = Counter[str](), Counter[str]()
    drives, new_drives = Counter[str](), Counter[str]()
    for pool in pools:
        drives[pool.disk] += pool.spindles
        new_drives[pool.disk] += 0 if pool.imported_from else pool.spindles
        if catalog.arrays[pool.array].vsan is Vsan.NONE:
            arrays[pool.array] += 1
            new_arrays[pool.array] += not pool.imported_from
    for id, count in arrays.items():
        name = catalog.arrays[id].name
        yield _position(Article.ARRAY, name, count, new_arrays[id], names=(id, name))
    for id, count in drives.items():
        name = catalog.disks[id].name
        yield _position(Article.DRIVE, name, count, new_drives[id], names=(id, name))
    if arrays:
        drawn = [(Article.ARRAY, id, catalog.arrays[id].name, n) for id, n in arrays.items()]
        yield _electricity(say("storage arrays, all year"), drawn, book)


def _licences(scenario: Scenario, catalog: Catalog) -> Iterator[Position]:
    for each in licence_counts(scenario, catalog):
        hypervisor = catalog.hypervisors.get(each.id)
        yield Position(
            article=Article(each.metric.value),
            what=each.what,
            names=() if hypervisor is None else (each.id, hypervisor.name),
            count=None if each.count is None else Decimal(each.count),
            new=None if each.new is None else Decimal(each.new),
            least=each.least,
            why=each.note,
        )


def _backup(scenario: Scenario, catalog: Catalog) -> Iterator[Position]:
    """Backup of all VMs."""
    if scenario.vms:
        count = len(scenario.vms)
        yield _position(Article.BACKUP_VM, say("virtual machines"), count, count)
        yield _space(scenario, catalog)


def _electricity(
    what: Text, drawn: Iterable[tuple[Article, str, str, int]], book: PriceBook
) -> Position:
    """kWh a year, Σ watts·8,760 h/1,000, as the book says what each draws.

    Args:
        drawn: article, id, name and count of what draws power.
    """
    watts, without = Decimal(0), list[str]()
    for article, id, name, count in drawn:
        row = book.row_of(article, id, name)
        if row is None or row.watts is None:
            without.append(name)
        else:
            watts += row.watts * count
    known = _position(Article.KWH, what, watts * HOURS_OF_A_YEAR / 1000, 0)
    if not without:
        return known
    names = first_of(without, MOST_NAMES)
    return replace(known, count=None, new=None, why=say("power not known: {names}", names=names))


def _space(scenario: Scenario, catalog: Catalog) -> Position:
    """Space on pools in use [TB, decimal]; that of VMs on none is not known."""
    what = say("space in use on storage pools")
    if not scenario.pools or any(vm.pool is None for vm in scenario.vms):
        why = say("not every VM has a storage pool")
        return Position(article=Article.BACKUP_TB, what=what, count=None, why=why)
    arrays = to_arrays(scenario, catalog)
    used = pool_used_gib(arrays.vms, arrays.pools, scenario.policy.mail_growth_pct)
    terabytes = round(Decimal(float(used.sum())) * GIB_IN_TB, 2)
    return _position(Article.BACKUP_TB, what, terabytes, terabytes)


def _position(
    article: Article,
    what: Text | str,
    count: float | Decimal,
    new: float | Decimal,
    *,
    names: tuple[str, ...] = (),
) -> Position:
    return Position(article=article, what=what, names=names, count=_exact(count), new=_exact(new))


def _exact(count: float | Decimal) -> Decimal:
    """As a decimal number of two places at most, as people read it.

    >>> _exact(0.1 + 0.2), _exact(4)
    (Decimal('0.3'), Decimal('4'))
    """
    found = round(Decimal(count), 2).normalize()
    return found.quantize(Decimal(1)) if found == found.to_integral_value() else found

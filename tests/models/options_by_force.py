"""Options of small catalogs by brute force: every combination judged, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from models.catalog.catalog import Catalog
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.options.design import design_of
from models.options.drives import rounded_up
from models.options.judging import fits, objection
from models.options.option import (
    FEWEST_HOSTS,
    LEAST_COST,
    LEAST_UNITS,
    MOST_HEADROOM,
    Disks,
    Options,
    Stand,
    headroom_of,
    least_of,
    units_of,
)
from models.options.purchasable import hypervisor_for, is_sold, storages
from models.options.requirement import Load, Requirement, Units
from models.options.search import find_options
from models.options.shrink import RAM_SIZES
from models.options.vm_plans import Made, VmPlan, new_vms
from models.predict.prediction import Severity, Verdict
from models.prices.book import Article, Price, PriceBook
from models.prices.ranking import MoneyRank
from models.scenario.growth import grown
from models.scenario.scenario import PRODUCTION, Growth, LoadBasis, Posture, Scenario, Workload
from models.scenario.workloads import WorkloadKind
from tests.models.worlds import CALIBRATION, CATALOG

SERVERS = ("r760-6530", "xeon6-6730p", "r7725-9655", "dl380g10p", "dl380g11")
ARRAYS = ("af150s3", "aff-a800", "pure-c60", "gen-afa-mid", "pure-x50r3")
DISKS = ("nvme", "ssd-sata")
NEAR_POINTS = 0.5
"""Points of headroom that are as good as the most: more of them isn't worth more hosts."""


@dataclass(frozen=True)
class Judged:
    """A combination that holds; `order`: its units, or its cost."""

    server: str
    array: str
    hosts: int
    order: float
    headroom: float


def small_world(seed: int, *, quick: bool = True) -> tuple[Requirement, Catalog]:
    """A requirement, and a catalog whose servers and arrays take so little that all can be tried.

    Args:
        quick: memory or drives are settled, and there is less to try.
    """
    rng = np.random.default_rng(seed)
    work = Workload(
        kind=WorkloadKind.DOMINO_NRPC,
        release="12.0.2",
        active_users=float(rng.integers(200, 2500 if quick else 4000)),
        registered_users=None,
        mail_file_mb=float(rng.choice([50, 200, 500])),
    )
    work = replace(work, registered_users=float(round(work.active_users * 2.5)))
    vms = int(np.ceil(work.active_users / 950)) + int(rng.integers(0, 3))
    load = Load(work=work, vms=vms, vcpus=int(rng.choice([4, 8])), ram_gib=16.0)
    servers = tuple(rng.choice(SERVERS, 2, replace=False).tolist())
    arrays = tuple(rng.choice(ARRAYS, 2, replace=False).tolist())
    settled = int(rng.integers(0, 2 if quick else 3))
    wanted = Requirement(
        name="small",
        loads=(load,),
        servers=servers,
        arrays=arrays,
        disks=(str(rng.choice(DISKS)),),
        raids=("5", "dp", "10") if rng.random() < 0.3 else ("5", "dp"),
        hypervisor="vsphere-8.0",
        max_hosts=int(rng.integers(2, 4 if quick else 5)),
        host_failures=int(rng.integers(0, 2)),
        host_ram_gib=128.0 if settled == 0 else None,
        drives=int(rng.integers(3, 7)) * 2 if settled == 1 else None,
        growth=Growth(years=float(rng.integers(0, 3)), users_pct=8.0, mail_pct=10.0),
        units=Units(host=float(rng.choice([0, 10])), gib=float(rng.choice([0.01, 0.2]))),
    )
    most_ram, most_drives = (256.0, 9) if quick else (512.0, 14)
    catalog = replace(
        CATALOG,
        servers=dict(CATALOG.servers)
        | {id: replace(CATALOG.servers[id], max_ram_gib=most_ram) for id in servers},
        arrays=dict(CATALOG.arrays)
        | {id: replace(CATALOG.arrays[id], max_drives=most_drives) for id in arrays},
    )
    return wanted, catalog


def any_prices(seed: int, catalog: Catalog) -> MoneyRank:
    """A price book that turns the order of servers and arrays around."""
    rng = np.random.default_rng(seed)

    def price(article: Article, what: str, low: int, high: int) -> Price:
        once, yearly = (Decimal(int(rng.integers(low, high))) / 100 for _ in range(2))
        return Price(article=article, what=what, once=once, yearly=yearly / 10)

    prices = (
        *(price(Article.SERVER, id, 200_000, 3_000_000) for id in SERVERS),
        *(price(Article.ARRAY, id, 200_000, 6_000_000) for id in ARRAYS),
        *(price(Article.DRIVE, id, 10_000, 200_000) for id in DISKS),
        Price(article=Article.PROCESSOR, once=Decimal(0)),
        price(Article.RAM, "", 100, 2_000),
        price(Article.HYPERVISOR_CORE, "", 1_000, 30_000),
        price(Article.WINDOWS_STANDARD, "", 5_000, 20_000),
        price(Article.BACKUP_TB, "", 1_000, 20_000),
    )
    book = PriceBook(prices=prices, currency="EUR", name="own.csv")
    return MoneyRank(book=book, catalog=catalog, years=3)


def all_that_hold(
    wanted: Requirement, catalog: Catalog, rank: MoneyRank | None = None
) -> Iterator[Judged]:
    """Every combination of the requirement's own numbers of VMs that fits, one by one."""
    (load,) = wanted.loads
    made = Made(load, load.vms or 1, load.vcpus or 1, load.ram_gib or 1.0)
    plan = VmPlan((made,), tuple(new_vms(made, wanted)))
    arrays = [catalog.arrays[id] for id in wanted.arrays or ()]
    fitting, _ = storages(catalog, arrays, wanted.disks, wanted.raids)
    for server in (catalog.servers[id] for id in wanted.servers or ()):
        hypervisor = hypervisor_for(server, catalog, wanted.hypervisor)
        sizes = [wanted.host_ram_gib] if wanted.host_ram_gib else RAM_SIZES
        for ram_gib in (each for each in sizes if each <= (server.max_ram_gib or 0)):
            for hosts in range(1, wanted.max_hosts + 1):
                stand = Stand(server, hypervisor, plan, hosts, ram_gib)
                for storage in fitting:
                    most = storage.array.max_drives or 0
                    for drives in [wanted.drives] if wanted.drives else range(4, most + 1):
                        if rounded_up(drives, storage) != drives or drives > most:
                            continue
                        scenario = design_of(wanted, stand, Disks(storage, drives))
                        left = holds(scenario, catalog)
                        if left is not None:
                            order = (
                                units_of(wanted.units, hosts, server.cores, ram_gib, drives)
                                if rank is None
                                else float(rank.cost_of(scenario).total)
                            )
                            yield Judged(server.id, storage.array.id, hosts, order, left)


def holds(scenario: Scenario, catalog: Catalog) -> float | None:
    """What is left at the end of what there is least of [%]; None: it doesn't fit."""
    years = scenario.growth.years
    end = evaluate(grown(scenario, years), Knowledge(catalog, CALIBRATION))
    if not fits(end) or objection(end):
        return None
    if years:
        today = evaluate(scenario, Knowledge(catalog, CALIBRATION))
        if not fits(today) or objection(today):
            return None
    return least_of(headroom_of(end, scenario))


def assert_the_best(wanted: Requirement, catalog: Catalog, rank: MoneyRank | None = None) -> bool:
    """By each of the three aims nothing is better; what is refused has nothing that holds; the
    named ones are what they say. True where there is any option."""
    found = find_options(wanted, Knowledge(catalog, CALIBRATION), keep=10, rank=rank)
    every = list(all_that_hold(wanted, catalog, rank))
    assert bool(every) == bool(found.options), (len(every), found.refused)
    for refused in found.refused:
        wrongly = [
            each
            for each in every
            if refused.server in ("", each.server) and refused.array in ("", each.array)
        ]
        assert not wrongly, (refused, wrongly[0])
    if not every:
        return False
    cheapest = LEAST_UNITS if rank is None else LEAST_COST
    named = {name: found.named(name) for name in (FEWEST_HOSTS, cheapest, MOST_HEADROOM)}
    assert all(named.values())
    assert named[FEWEST_HOSTS].hosts == min(each.hosts for each in every)  # type: ignore[union-attr]
    least = min(each.order for each in every)
    assert named[cheapest].order <= least + 1e-6, (named[cheapest].order, least)  # type: ignore[union-attr]
    if rank is not None:
        assert all(o.order == float(rank.cost_of(o.scenario).total) for o in found.options)
    most = max(each.headroom for each in every)
    left = named[MOST_HEADROOM].least_headroom  # type: ignore[union-attr]
    assert left >= most - NEAR_POINTS, (left, most)
    assert_stated(found, catalog)
    return True


def assert_stated(found: Options, catalog: Catalog) -> None:
    """Each has the verdicts that it states, and no finding graver than advice."""
    for each in found.options:
        end = grown(each.scenario, each.scenario.growth.years)
        for scenario, stated in ((each.scenario, each.today), (end, each.end)):
            there = evaluate(scenario, Knowledge(catalog, CALIBRATION))
            assert there.verdict is stated.verdict
            assert there.verdict in (Verdict.FITS, Verdict.NOT_KNOWN)
            graver = [f.text for f in there.findings if f.severity is not Severity.ADVICE]
            assert not graver, graver


def any_requirement(seed: int) -> Requirement:
    """What an architect may ask of the whole catalog."""
    rng = np.random.default_rng(seed)
    kind = (WorkloadKind.DOMINO_NRPC, WorkloadKind.DOMINO_INOTES)[int(rng.random() < 0.2)]
    users = float(round(10 ** rng.uniform(1.5, 4.5)))
    mail = Workload(
        kind=kind,
        release=str(rng.choice(["7.0.2", "8.5.3", "12.0.2", "14.0"])),
        active_users=users,
        registered_users=None if rng.random() < 0.3 else float(round(users * rng.uniform(1, 4))),
        mail_file_mb=float(rng.integers(50, 1500)),
    )
    chat = Workload(
        kind=WorkloadKind.SAMETIME_COMMUNITY, active_users=float(rng.integers(100, 60_000))
    )
    posture = tuple(Posture)[int(rng.integers(0, 3))]
    basis = tuple(LoadBasis)[int(rng.random() < 0.8)]
    sold = [id for id, each in CATALOG.servers.items() if is_sold(each)]
    some = tuple(rng.choice(sold, 3, replace=False).tolist())
    return Requirement(
        name="any",
        loads=(Load(work=mail), Load(work=chat)) if rng.random() < 0.2 else (Load(work=mail),),
        servers=some,
        max_hosts=int(rng.integers(2, 33)),
        host_failures=int(rng.integers(0, 3)),
        cluster_partners=bool(rng.random() < 0.25),
        policy=replace(PRODUCTION, posture=posture, load_basis=basis),
        growth=Growth(
            years=float(rng.integers(0, 6)),
            users_pct=float(rng.integers(-5, 20)),
            mail_pct=float(rng.integers(0, 30)),
        ),
    )

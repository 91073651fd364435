"""Costs of designs: sums to the cent, rules of licences, years ahead, what has no price."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from models.prices.book import Article, Price, PriceBook, cents
from models.prices.cost import Cost, cost_of, least_more
from models.prices.licences import licence_counts, saving, support_ends
from models.prices.positions import positions
from models.scenario.scenario import Scenario
from models.tell.materials import materials
from tests.models.prices.designs import SERVER, a_design
from tests.models.worlds import CATALOG


def a_price(article: Article, once: str = "", yearly: str = "", **more: object) -> Price:
    return Price(
        article=article,
        once=Decimal(once) if once else None,
        yearly=Decimal(yearly) if yearly else None,
        **more,  # type: ignore[arg-type]
    )


def a_book(*prices: Price) -> PriceBook:
    return PriceBook(prices=prices, currency="EUR", name="own.csv")


FULL = (
    a_price(Article.SERVER, "12400.55", "620.10", watts=Decimal(450)),
    a_price(Article.PROCESSOR, "0"),
    a_price(Article.RAM, "6.333"),
    a_price(Article.ARRAY, "20000", "1500", watts=Decimal(800)),
    a_price(Article.DRIVE, "410.25"),
    a_price(Article.RACK_UNIT, yearly="120"),
    a_price(Article.KWH, yearly="0.285"),
    a_price(Article.HYPERVISOR_CORE, yearly="190"),
    a_price(Article.WINDOWS_DATACENTER, "700"),
    a_price(Article.WINDOWS_STANDARD, "130.10"),
    a_price(Article.DOMINO_USER, yearly="31.35"),
    a_price(Article.BACKUP_TB, "90", "45"),
)


def cost(scenario: Scenario, *prices: Price, years: int | None = None) -> Cost:
    return cost_of(scenario, CATALOG, a_book(*prices), years)


def test_sums_are_those_of_rounded_lines() -> None:
    found = cost(a_design(), *FULL, years=3)
    assert not found.missing
    by_hand = sum(
        cents(each.bought * (each.price.once or 0)) + cents(each.kept * (each.price.yearly or 0))
        for each in found.lines
        if each.price is not None
    )
    assert found.total == by_hand
    assert found.total == sum(found.once_in(y) + found.yearly_in(y) for y in (1, 2, 3))
    ram = next(each for each in found.lines if each.position.article is Article.RAM)
    assert ram.once == Decimal("3242.50")  # 512 · 6.333 = 3242.496


def test_what_has_no_price_is_named_and_the_total_is_a_lower_bound() -> None:
    found = cost(a_design(), *(each for each in FULL if each.article is not Article.DRIVE))
    assert found.at_least
    assert [each.article for each in found.missing] == [Article.DRIVE]
    assert found.lacks_hardware == 1
    free = [each for each in FULL if each.article is not Article.DRIVE]
    assert not cost(a_design(), *free, a_price(Article.DRIVE, "0")).at_least


def test_of_alternatives_the_cheaper_one_is_paid() -> None:
    found = cost(a_design(), *FULL)
    paid = {each.position.article for each in found.lines}
    assert Article.WINDOWS_STANDARD in paid
    assert Article.WINDOWS_DATACENTER not in paid
    assert not {each.article for each in found.missing} & {Article.DOMINO_PVU, Article.BACKUP_VM}


def test_what_is_there_is_not_bought_but_kept() -> None:
    design = a_design()
    there = tuple(replace(host, imported_from="vcenter") for host in design.hosts)
    found = cost(replace(design, hosts=there), *FULL)
    server = next(each for each in found.lines if each.position.article is Article.SERVER)
    assert (server.once, server.yearly) == (Decimal("0.00"), Decimal("1240.20"))


def test_users_grow_and_their_licences_with_them() -> None:
    by_user = a_price(Article.DOMINO_USER, "10", "2")
    found = cost(a_design(years=3.0, users_pct=10.0), by_user)
    users = [
        (each.year, int(each.bought), int(each.kept))
        for each in found.lines
        if each.position.article is Article.DOMINO_USER
    ]
    assert users == [(1, 6000, 6000), (2, 600, 6600), (3, 660, 7260)]


def test_cores_are_licensed_by_the_rule_with_the_least_of_an_order() -> None:
    one = a_design(hosts=1)
    server = CATALOG.servers[SERVER]
    small = replace(server, id="small", cores=16, threads=32, sockets=2)
    catalog = CATALOG.merged(replace(CATALOG, servers={"small": small}))
    design = replace(one, hosts=(replace(one.hosts[0], server="small"),))
    found = licence_counts(design, catalog)[0]
    assert (found.count, found.ordered, found.physical, found.saved) == (32, 72, 16, 0)
    assert "16 more are paid" in str(saving([found]))
    price = a_price(Article.HYPERVISOR_CORE, yearly="100")
    of_rule = cost_of(design, catalog, a_book(price), 1)
    of_book = cost_of(design, catalog, a_book(replace(price, minimum=40)), 1)
    assert (of_rule.total, of_book.total) == (Decimal("7200.00"), Decimal("4000.00"))


def test_windows_standard_is_licensed_again_for_every_two_vms() -> None:
    design = a_design(hosts=1)
    three = tuple(replace(design.vms[0], id=f"v{n}", name=f"v{n}") for n in range(3))
    counts = {
        each.metric.value: each for each in licence_counts(replace(design, vms=three), CATALOG)
    }
    cores = CATALOG.servers[SERVER].cores
    assert counts["windows-datacenter"].count == cores // 2
    assert counts["windows-standard"].count == 2 * cores // 2


def test_quantities_are_those_of_the_bill_of_materials() -> None:
    design = a_design()
    counted = {str(row.part): row.count for row in materials(design, CATALOG)}
    taken = {each.article: each for each in positions(design, CATALOG, a_book(*FULL))}
    names = {
        Article.SERVER: "Server",
        Article.PROCESSOR: "Processors",
        Article.RAM: "RAM",
        Article.RACK_UNIT: "Rack units",
        Article.ARRAY: "Storage array",
        Article.DRIVE: "Drives",
        Article.HYPERVISOR_CORE: "Hypervisor cores",
    }
    for article, part in names.items():
        quantity = taken[article].count
        assert quantity is not None
        assert max(float(quantity), taken[article].least) == counted[part], part


def test_support_that_ends_within_the_plan_is_said() -> None:
    ends = {each.what: each.in_plan for each in support_ends(a_design(years=3.0), CATALOG)}
    assert ends["VMware vSphere 8.0"] is True
    assert {each.what: each.in_plan for each in support_ends(a_design(), CATALOG)}[
        "VMware vSphere 8.0"
    ] is False


def test_a_step_costs_what_it_adds_whatever_else_has_no_price() -> None:
    def step(without: Article) -> tuple[Decimal, bool]:
        prices = (each for each in FULL if each.article is not without)
        return least_more(a_design(), a_design(hosts=3), CATALOG, a_book(*prices))

    more, at_least = step(Article.DRIVE)
    assert (more > 0, at_least) == (True, False)
    less, at_least = step(Article.SERVER)
    assert (less < more, at_least) == (True, True)

"""A hardware refresh: one design a site, what isn't chosen stays, before and after side by side."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cache

import pytest

from db.requirement import refresh_to_json
from models.base.errors import ModelError
from models.catalog.catalog import Catalog
from models.check import check_scenario
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.options.refresh import (
    Figures,
    Refresh,
    hosts_of_age,
    parts_of,
    refreshed,
    together,
    total,
)
from models.options.requirement import Requirement
from models.options.shrink import wider
from models.predict.prediction import Verdict
from models.prices.book import HARDWARE, Article, Price, PriceBook
from models.prices.cost import bought_more
from models.prices.ranking import MoneyRank
from models.scenario.scenario import Scenario
from models.tell.options import fitting_text
from models.tell.refresh import refresh_sections, why_none
from tests.models.customer_site import customer_site, two_sites
from tests.models.random_site import random_site
from tests.models.worlds import CALIBRATION, CATALOG, KNOWLEDGE

SETTLED = Requirement(servers=("dl380g10p",), arrays=("gen-afa-mid",), disks=("nvme",))


@cache
def found() -> Refresh:
    return refreshed(two_sites(), KNOWLEDGE, settled=SETTLED)


def test_each_site_has_a_design_of_its_own_and_keeps_its_vms() -> None:
    before, after = two_sites(), found().scenario
    assert [each.part.name for each in found().parts] == ["North", "South"]
    check_scenario(after, CATALOG)
    at = {each.id: each.site for each in before.clusters}
    was = {host.id: at[host.cluster or ""] for host in before.hosts}
    at |= {each.id: each.site for each in after.clusters}
    now = {host.id: at[host.cluster or ""] for host in after.hosts}
    assert {vm.id: was[vm.host or ""] for vm in before.vms} == {
        vm.id: now[vm.host or ""] for vm in after.vms
    }
    for each in found().parts:
        assert each.option is not None
        assert evaluate(each.option.scenario, KNOWLEDGE).verdict.label == "fits"


def test_figures_of_the_sites_add_up() -> None:
    scenario = two_sites()
    assert found().before.hosts == len(scenario.hosts)
    assert found().before.drives == sum(pool.spindles for pool in scenario.pools)
    assert found().after.hosts == len(found().scenario.hosts)
    assert found().after.drives == sum(pool.spindles for pool in found().scenario.pools)
    assert found().after.hosts < found().before.hosts


def test_what_is_not_chosen_stays() -> None:
    scenario = two_sites()
    north = refreshed(scenario, KNOWLEDGE, sites=["north"], settled=SETTLED)
    kept = {host.id for host in scenario.hosts if host.cluster not in ("c0", "c1", "c2")}
    assert kept <= {host.id for host in north.scenario.hosts}
    assert north.stays == len(kept)
    old = {vm.id: vm for vm in scenario.vms}
    assert all(vm == old[vm.id] for vm in north.scenario.vms if old[vm.id].host in kept)


def test_clusters_are_apart_where_no_site_is_said() -> None:
    parts = parts_of(customer_site(vms=60), clusters=["Centre 1", "c2"])
    assert [each.name for each in parts] == ["Centre 1", "Centre 2"]


def test_all_may_go_to_one_of_the_sites_where_somebody_says_so() -> None:
    scenario = two_sites()
    merged = refreshed(scenario, KNOWLEDGE, into="South", settled=SETTLED)
    assert [each.part.name for each in merged.parts] == ["South"]
    assert merged.before.hosts == len(scenario.hosts)
    assert {each.site for each in merged.scenario.clusters} == {"south"}
    assert merged.after.hosts < found().after.hosts
    check_scenario(merged.scenario, CATALOG)
    with pytest.raises(ModelError, match="Elsewhere"):
        parts_of(scenario, into="Elsewhere")


def test_a_pool_that_stays_is_seen_by_the_hosts_that_come() -> None:
    scenario = two_sites()
    on_first = {host.id for host in scenario.hosts if host.cluster == "c0"}
    pools = tuple(
        replace(each, hosts=tuple(sorted(on_first)) if each.id == "p0" else ())
        for each in scenario.pools
    )
    waiting = next(vm for vm in scenario.vms if vm.host in on_first and vm.pool == "p0")
    vms = tuple(replace(vm, host=None) if vm is waiting else vm for vm in scenario.vms)
    after = refreshed(
        replace(scenario, pools=pools, vms=vms),
        KNOWLEDGE,
        sites=["north"],
        settled=SETTLED,
    ).scenario
    pool = next(each for each in after.pools if each.id == "p0")
    assert pool.hosts
    assert set(pool.hosts) == {host.id for host in after.hosts if host.id.startswith("new")}
    check_scenario(after, CATALOG)


def test_another_option_is_taken_without_a_search() -> None:
    parts = list(found().parts)
    place = next(place for place, each in enumerate(parts) if len(each.choices) > 1)
    parts[place] = replace(parts[place], taken=1)
    other = together(two_sites(), parts)
    assert other.after.hosts == len(other.scenario.hosts)
    assert other.parts[place].after == parts[place].choices[1].figures
    for each in other.parts:
        for choice in each.choices:
            assert choice.figures.verdict is Verdict.FITS
            assert choice.option.holds is not None


def test_a_site_that_is_not_there_is_named() -> None:
    with pytest.raises(ModelError, match="Nowhere"):
        parts_of(two_sites(), sites=["Nowhere"])


def test_what_does_not_fit_today_has_no_years_left() -> None:
    for each in found().parts:
        if each.before.verdict is Verdict.DOES_NOT_FIT:
            assert each.before.years_left == 0.0
    assert any(each.before.verdict is Verdict.DOES_NOT_FIT for each in found().parts)


def test_before_and_after_are_told() -> None:
    text = repr(refresh_sections(found(), CATALOG))
    assert "Before and after" in text
    assert "What holds it" in text
    told = refresh_to_json(found())
    assert [each["site"] for each in told["options"]] == ["north", "south"]
    assert told["total"]["before"]["hosts"] == len(two_sites().hosts)
    for each in told["options"]:
        assert each["evaluated"] == "fits"
        assert set(each["holds"]) == {"hosts", "ram_gib", "drives"}
        assert each["after"]["hosts"] == each["hosts"]


def aged_site() -> Scenario:
    """One host of 2010 by its model, one bought in 2016, one of a server without a year."""
    scenario = two_sites()
    first, second, third, *rest = scenario.hosts
    hosts = (
        replace(first, server="r710"),
        replace(second, bought_year=2016),
        replace(third, server="undated"),
        *rest,
    )
    return replace(scenario, hosts=hosts)


def undated() -> Catalog:
    servers = dict(CATALOG.servers)
    servers["undated"] = replace(servers["dl380g10p"], id="undated", year=None, generation="")
    return replace(CATALOG, servers=servers)


def test_hosts_of_an_age_are_replaced_and_the_others_stay() -> None:
    scenario, catalog = aged_site(), undated()
    aged = hosts_of_age(scenario, catalog, 6.0, 2026)
    assert [(each.host.id, each.year) for each in aged.older] == [("h0", 2010), ("h1", 2016)]
    assert [host.id for host in aged.unknown] == ["h2"]
    after = refreshed(scenario, Knowledge(catalog, CALIBRATION), aged=aged, settled=SETTLED)
    assert after.stays == len(scenario.hosts) - 2
    assert {"h0", "h1"}.isdisjoint(host.id for host in after.scenario.hosts)
    stayed = {vm.id: vm.host for vm in scenario.vms if vm.host not in ("h0", "h1")}
    assert {vm.id: vm.host for vm in after.scenario.vms if vm.id in stayed} == stayed
    told = repr(refresh_sections(after, catalog))
    assert "stays: age not known" in told
    assert [each["id"] for each in refresh_to_json(after)["age"]["not_known"]] == ["h2"]


def test_of_that_age_in_a_year_is_not_older() -> None:
    scenario = aged_site()
    assert hosts_of_age(scenario, undated(), 9.5, 2026).ids == {"h0", "h1"}
    assert hosts_of_age(scenario, undated(), 10.0, 2026).ids == {"h0"}


def test_a_server_without_a_year_is_as_old_as_its_processors_may_be() -> None:
    generation = next(iter(CATALOG.generations.values()))
    servers = dict(undated().servers)
    servers["undated"] = replace(servers["undated"], generation=generation.name)
    found = hosts_of_age(aged_site(), replace(CATALOG, servers=servers), 6.0, 2026)
    assert (found.older[-1].host.id, found.older[-1].year) == ("h2", generation.year)
    assert not found.unknown


def test_where_none_is_older_the_way_out_is_said() -> None:
    with pytest.raises(ModelError, match="older than 30 years; of 1 host nobody says"):
        hosts_of_age(aged_site(), undated(), 30.0, 2026)
    with pytest.raises(ModelError, match="Elsewhere"):
        hosts_of_age(aged_site(), undated(), 3.0, 2026, sites=["Elsewhere"])


def test_a_release_that_is_too_old_for_the_servers_is_to_be_raised() -> None:
    settled = Requirement(servers=("r760-8592", "r7725-9355"), hypervisor="vsphere-6.7")
    for part in refreshed(two_sites(), KNOWLEDGE, settled=settled).parts:
        assert part.option is None
        assert "raise the release to VMware vSphere 8" in why_none(part)


def test_only_servers_of_the_release_s_time_are_offered() -> None:
    settled = replace(SETTLED, servers=None, hypervisor="vsphere-7.0")
    for part in refreshed(two_sites(), KNOWLEDGE, settled=settled).parts:
        assert part.choices
        for choice in part.choices:
            assert (CATALOG.servers[choice.option.server].year or 0) <= 2023
        assert any("raise the release" in each.reason for each in part.found.refused)


def test_more_than_an_array_takes_gets_several() -> None:
    scenario = two_sites()
    vms = tuple(replace(vm, workload=replace(vm.workload, disk_gib=3000.0)) for vm in scenario.vms)
    found = refreshed(replace(scenario, vms=vms), KNOWLEDGE, settled=SETTLED)
    counts = [len(part.option.scenario.pools) for part in found.parts if part.option is not None]
    assert len(counts) == len(found.parts)
    assert max(counts) > 1


def test_a_site_that_no_cluster_holds_says_so_at_once_and_the_way_out() -> None:
    """Nothing is judged where sums tell that nothing will do."""
    site = random_site(5, vms=9000, sites=1)
    halves = tuple(replace(site.clusters[0], id=id, name=id) for id in ("c0", "c1"))
    hosts = tuple(replace(host, cluster=f"c{place % 2}") for place, host in enumerate(site.hosts))
    settled = replace(SETTLED, arrays=("aff-a800",))
    found = refreshed(replace(site, clusters=halves, hosts=hosts), KNOWLEDGE, settled=settled)
    (part,) = found.parts
    assert part.option is None
    said = why_none(part)
    assert "a cluster has 8,000 at most" in said
    assert "Choose its clusters one after another." in said


def test_sums_of_sites_count_hosts_in_maintenance() -> None:
    site = Figures(3, 96, 768.0, drives=None, rack_units=None, in_maintenance=1)
    assert total([site, site]).in_maintenance == 2


def test_licensed_cores_of_sites_add_up_and_one_not_known_makes_the_sum_unknown() -> None:
    known = Figures(2, 8, 64.0, drives=None, rack_units=None, licensed_cores=64)
    assert total([known, known]).licensed_cores == 128
    assert total([known, replace(known, licensed_cores=None)]).licensed_cores is None


def test_by_money_the_cheapest_design_comes_first_and_the_next_step_is_priced() -> None:
    def price(article: Article, once: int) -> Price:
        return Price(article=article, once=Decimal(once), yearly=Decimal(0))

    hardware = (price(each, 1000 * place) for place, each in enumerate(HARDWARE, 1))
    book = PriceBook(
        prices=tuple(hardware),
        currency="EUR",
        name="own.csv",
        valid_until=date(2026, 1, 31),
        asked_on=date(2026, 2, 1),
    )
    money = MoneyRank(book=book, catalog=CATALOG, years=3)
    after = refreshed(two_sites(), KNOWLEDGE, sites=("North",), settled=SETTLED, rank=money)
    (part,) = after.parts
    costs = [each.option.cost for each in part.choices]
    assert part.option is not None
    assert part.option.cost is not None
    assert all(each is None or part.option.cost.rank <= each.rank for each in costs)
    told = str(refresh_sections(after, CATALOG))
    assert "own.csv was valid until 2026-01-31" in told
    steps = dict(wider(part.option))
    server, processors, ram = (book.prices[at].once or 0 for at in range(3))
    assert bought_more(part.option.scenario, next(iter(steps.values())), CATALOG, book) == (
        server + 2 * processors + ram * int(part.option.stand.ram_gib)
    )
    assert "One host more: +" in told
    (printed,) = refresh_to_json(after)["options"]
    assert printed["cost"]["prices_are_over"] is True
    assert printed["licensed_cores"] == part.option.licensed_cores
    assert fitting_text(part.found).endswith("more may.") == part.found.is_cut

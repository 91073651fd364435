"""A hardware refresh: one design a site, what isn't chosen stays, before and after side by side."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from db.requirement import refresh_to_json
from models.base.errors import ModelError
from models.check import check_scenario
from models.evaluate import evaluate
from models.options.refresh import Refresh, parts_of, refreshed, together
from models.options.requirement import Requirement
from models.predict.prediction import Verdict
from models.tell.refresh import refresh_sections
from tests.models.customer_site import customer_site, two_sites
from tests.models.worlds import CALIBRATION, CATALOG

SETTLED = Requirement(servers=("dl380g10p",), arrays=("gen-afa-mid",), disks=("nvme",))


@cache
def found() -> Refresh:
    return refreshed(two_sites(), CATALOG, CALIBRATION, settled=SETTLED)


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
        assert evaluate(each.option.scenario, CATALOG, CALIBRATION).verdict.label == "fits"


def test_figures_of_the_sites_add_up() -> None:
    scenario = two_sites()
    assert found().before.hosts == len(scenario.hosts)
    assert found().before.drives == sum(pool.spindles for pool in scenario.pools)
    assert found().after.hosts == len(found().scenario.hosts)
    assert found().after.drives == sum(pool.spindles for pool in found().scenario.pools)
    assert found().after.hosts < found().before.hosts


def test_what_is_not_chosen_stays() -> None:
    scenario = two_sites()
    north = refreshed(scenario, CATALOG, CALIBRATION, sites=["north"], settled=SETTLED)
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
    merged = refreshed(scenario, CATALOG, CALIBRATION, into="South", settled=SETTLED)
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
        CATALOG,
        CALIBRATION,
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

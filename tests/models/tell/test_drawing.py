"""The design as a picture: what colours its bars."""

from __future__ import annotations

from dataclasses import replace

from models.predict.prediction import Verdict
from models.tell.drawing import drawing
from models.tell.subject import Subject
from tests.models.customer_site import two_sites
from tests.models.worlds import CATALOG, a_host, a_scenario, a_vm, predict


def verdict_of_ram(ram_gib: float) -> Verdict | None:
    """Of a host of 16 GiB with one VM, as its bar shows it."""
    scenario = a_scenario(hosts=(a_host(ram_gib=16.0),), vms=(a_vm(ram_gib=ram_gib),))
    picture = drawing(Subject(scenario=scenario, prediction=predict(scenario), catalog=CATALOG))
    assert picture is not None
    (drawn,) = picture.clusters[0].hosts
    return drawn.ram.verdict


def test_a_bar_near_its_limit_has_the_colour_that_the_board_gives_it() -> None:
    verdicts = [verdict_of_ram(ram_gib) for ram_gib in (6.0, 15.0, 24.0)]
    assert verdicts == [Verdict.FITS, Verdict.AT_RISK, Verdict.DOES_NOT_FIT]


def test_sites_are_headings_over_what_stands_there() -> None:
    scenario = two_sites()
    picture = drawing(Subject(scenario=scenario, prediction=predict(scenario), catalog=CATALOG))
    assert picture is not None
    assert [each.site for each in picture.clusters] == ["North"] * 3 + ["South"] * 8
    assert {each.site for each in picture.pools} == {"North", "South"}
    plain = replace(
        scenario,
        sites=(),
        clusters=tuple(replace(each, site=None) for each in scenario.clusters),
    )
    picture = drawing(Subject(scenario=plain, prediction=predict(plain), catalog=CATALOG))
    assert picture is not None
    found = {each.site for each in picture.clusters} | {each.site for each in picture.pools}
    assert found == {""}

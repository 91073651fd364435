"""A design with nothing to spare: it fits, and one less of anything breaks what is said."""

from __future__ import annotations

from dataclasses import replace

from models.catalog.catalog import Catalog
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.options.design import design_of
from models.options.drives import fewest_of, rounded_up
from models.options.judging import fits, objection
from models.options.option import MOST_HEADROOM, Option, headroom_of, least_of
from models.options.refresh import Refreshed
from models.options.requirement import Requirement
from models.options.shrink import RAM_SIZES
from models.scenario.growth import grown
from models.scenario.scenario import Scenario
from tests.models.worlds import CALIBRATION, CATALOG


def holds(scenario: Scenario, catalog: Catalog = CATALOG) -> bool:
    """Whether it fits and no rule has an error or a warning, today and at the end."""
    moments = (scenario, grown(scenario, scenario.growth.years))
    there = [evaluate(each, Knowledge(catalog, CALIBRATION)) for each in moments]
    return all(fits(each) and objection(each) is None for each in there)


def less_of(option: Option, wanted: Requirement) -> dict[str, Scenario]:
    """The option with one host less, the next smaller memory, and one drive less, built anew."""
    stand, disks = option.stand, option.disks
    found = {}
    if stand.hosts > 1:
        found["hosts"] = design_of(wanted, replace(stand, hosts=stand.hosts - 1), disks)
    less = [each for each in RAM_SIZES if each < stand.ram_gib]
    if less:
        found["ram_gib"] = design_of(wanted, replace(stand, ram_gib=less[-1]), disks)
    fewer = disks.each - rounded_up(1, disks.storage)
    if fewer >= fewest_of(disks.storage):
        found["drives"] = design_of(wanted, stand, replace(disks, each=fewer))
    return found


def headroom(scenario: Scenario, catalog: Catalog = CATALOG) -> float:
    end = evaluate(grown(scenario, scenario.growth.years), Knowledge(catalog, CALIBRATION))
    return least_of(headroom_of(end, scenario))


def check_held(part: Refreshed, catalog: Catalog = CATALOG) -> None:
    """Every named option of a part; `catalog`: with the entries of its file."""
    for choice in part.choices:
        option = choice.option
        assert holds(option.scenario, catalog)
        assert option.holds is not None
        for what, less in less_of(option, part.found.requirement).items():
            assert getattr(option.holds, what), what
            if set(option.names) == {MOST_HEADROOM}:
                assert (
                    not holds(less, catalog) or headroom(less, catalog) < option.least_headroom
                ), what
            else:
                assert not holds(less, catalog), (option.names, what)

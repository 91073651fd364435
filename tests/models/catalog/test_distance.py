"""How far a measurement is carried."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.catalog.catalog import Platform
from models.catalog.distance import (
    MEASURED_ON,
    NOWHERE,
    Distance,
    Standpoint,
    distance,
    farthest,
    on_bare_metal,
)
from tests.models.worlds import CATALOG

NEHALEM, CLOVERTOWN = MEASURED_ON[Platform.NEHALEM], MEASURED_ON[Platform.CLOVERTOWN]
NEAR = Standpoint(server="neh-x5550", hypervisor="vsphere-4.1", release="8.5.3")
FAR = Standpoint(server="xeon6-6767p", hypervisor="vsphere-8.0", release="14.5")


def counts(of: Distance) -> tuple[int | None, ...]:
    return of.years, of.generations, of.hypervisors, of.releases


def test_measured_machines_are_those_of_the_platforms() -> None:
    assert set(MEASURED_ON) == set(Platform) - {Platform.NONE}
    for platform, standpoint in MEASURED_ON.items():
        assert CATALOG.servers[standpoint.server].platform is platform
        assert standpoint.hypervisor in CATALOG.hypervisors


@pytest.mark.parametrize("standpoint", [NEHALEM, CLOVERTOWN, FAR, on_bare_metal(CLOVERTOWN)])
def test_nothing_is_carried_to_where_it_was_measured(standpoint: Standpoint) -> None:
    assert counts(distance(CATALOG, standpoint, standpoint)) == (0, 0, 0, 0)
    assert not distance(CATALOG, standpoint, standpoint).far


def test_the_transfer_that_was_checked_is_one_of_each() -> None:
    checked = distance(CATALOG, CLOVERTOWN, NEHALEM)
    assert counts(checked) == (2, 1, 1, 1)
    assert not checked.far


def test_far_machines_are_farther_than_near_ones() -> None:
    assert counts(distance(CATALOG, NEHALEM, NEAR)) == (0, 0, 0, 0)
    far = distance(CATALOG, NEHALEM, FAR)
    assert (far.measured, *counts(far)) == (2009, 16, 6, 4, 5)
    assert far.far


def test_the_way_back_is_as_long() -> None:
    assert counts(distance(CATALOG, FAR, NEHALEM)) == counts(distance(CATALOG, NEHALEM, FAR))


@pytest.mark.parametrize(
    ("changed", "count"),
    [
        ({"server": "compaq-7000"}, "generations"),
        ({"server": "nowhere"}, "years"),
        ({"hypervisor": "none"}, "hypervisors"),
        ({"release": "banana"}, "releases"),
        ({"release": ""}, "releases"),
    ],
)
def test_what_no_table_knows_is_not_known_and_far(changed: dict[str, str], count: str) -> None:
    found = distance(CATALOG, NEHALEM, replace(NEHALEM, **changed))
    assert getattr(found, count) is None
    assert found.far or count == "years"


def test_the_farthest_has_the_most_of_each() -> None:
    near, far = distance(CATALOG, NEHALEM, NEAR), distance(CATALOG, NEHALEM, FAR)
    checked = distance(CATALOG, CLOVERTOWN, NEHALEM)
    assert farthest([near, far, checked]) == far
    assert farthest([near, checked]) == checked
    assert farthest([]) == NOWHERE


def test_one_that_is_not_known_leaves_all_not_known() -> None:
    blank = distance(CATALOG, NEHALEM, replace(NEHALEM, release="banana"))
    most = farthest([blank, distance(CATALOG, NEHALEM, FAR)])
    assert (most.years, most.releases) == (16, None)

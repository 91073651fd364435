"""What makers published: which release a text names, what is said of it, and its sizes."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from models.catalog.catalog import Catalog, Figure, Product
from models.catalog.published import (
    applying,
    largest_load,
    makers_size,
    makers_size_of,
    on_hypervisor,
    only_64_bit,
    release_of,
    statements,
)
from models.scenario.workloads import WorkloadKind
from tests.models.worlds import CATALOG, workload

RELEASES = CATALOG.releases


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("8.5.1", "8.5"),
        ("7.0.2", "7.0"),
        ("9.0.1FP9", "9.0"),
        ("Domino 9.0.1 FP10 IF5", "9.0"),
        ("HCL Domino 14.5.1", "14.5"),
        ("14", "14.0"),
        ("R5", "5.0"),
        (" 12.0.2 ", "12.0"),
    ],
)
def test_a_text_names_a_release(text: str, number: str) -> None:
    found = release_of(CATALOG, Product.DOMINO, text)
    assert found is not None
    assert found.number == number


@pytest.mark.parametrize("text", ["banana", "", "13.0", "8.5 or 9", "9.1", "851", "-8.5", "8,5.1"])
def test_other_texts_name_none(text: str) -> None:
    assert release_of(CATALOG, Product.DOMINO, text) is None


def test_products_have_releases_of_their_own() -> None:
    assert release_of(CATALOG, Product.DOMINO, "7.5.1") is None
    assert release_of(CATALOG, Product.SAMETIME, "7.5.1") == RELEASES["sametime-7.5"]
    assert release_of(CATALOG, Product.SAMETIME, "14.5") is None


def test_a_release_of_the_users_own_is_known() -> None:
    own = replace(RELEASES["domino-14.5"], id="domino-15.0", number="15.0", ordinal=11)
    both = CATALOG.merged(Catalog(releases={own.id: own}))
    assert release_of(both, Product.DOMINO, "15.0.1") == own
    assert release_of(CATALOG, Product.DOMINO, "15.0.1") is None


def test_statements_speak_of_pairs() -> None:
    seven = statements(CATALOG, RELEASES["domino-7.0"])
    assert on_hypervisor(seven, "esx-3.0.1")
    assert not on_hypervisor(seven, "vsphere-4.0")
    assert on_hypervisor(statements(CATALOG, RELEASES["domino-8.5"]), "vsphere-4.0")
    fourteen = statements(CATALOG, RELEASES["domino-14.5"])
    assert fourteen
    assert not any(on_hypervisor(fourteen, id) for id in CATALOG.hypervisors)
    assert not statements(CATALOG, RELEASES["domino-10.0"])


def test_64_bits_are_said_by_a_statement_that_supports() -> None:
    assert only_64_bit(statements(CATALOG, RELEASES["domino-14.0"])) is not None
    assert only_64_bit(statements(CATALOG, RELEASES["domino-8.5"])) is None


def test_the_largest_load_is_the_largest() -> None:
    largest = largest_load(CATALOG)
    assert largest is not None
    assert largest.users == 7008
    assert largest_load(Catalog()) is None


def test_a_figure_holds_for_its_releases_and_later_ones() -> None:
    wanted = {"domino-12.0", "domino-14.0", "domino-14.5"}
    domino = [line for line in RELEASES.values() if line.product is Product.DOMINO]
    assert {line.id for line in domino if applying(CATALOG, line, Figure.LEAST)} == wanted


@pytest.mark.parametrize(
    ("users", "cores", "ram_gib", "exact"),
    [
        (1.0, 1.0, 4.0, True),
        (10.0, 1.0, 4.0, True),
        (100.0, 2.0, 8.0, True),
        (math.sqrt(10.0 * 100.0), math.sqrt(2.0), math.sqrt(32.0), False),
        (math.sqrt(100.0 * 1000.0), math.sqrt(8.0), math.sqrt(128.0), False),
        (1000.0, 4.0, 16.0, True),
    ],
)
def test_sizes_between_the_printed_ones_lie_between_them(
    users: float, cores: float, ram_gib: float, exact: bool
) -> None:
    size = makers_size(CATALOG, RELEASES["domino-14.5"], users)
    assert size is not None
    assert (size.cores, size.ram_gib) == pytest.approx((cores, ram_gib))
    assert size.exact is exact


def test_no_size_beyond_the_largest_nor_of_older_releases() -> None:
    assert makers_size(CATALOG, RELEASES["domino-14.5"], 1000.5) is None
    assert makers_size(CATALOG, RELEASES["domino-9.0"], 100.0) is None


def test_a_servers_size_is_that_of_its_registered_users() -> None:
    size = makers_size_of(CATALOG, workload(50.0, release="14.5", registered_users=100.0))
    assert size is not None
    assert (size.users, size.cores, size.exact) == (100.0, 2.0, True)
    none = (
        workload(50.0, release="8.5.1"),
        workload(0.0, release="14.5"),
        workload(50.0, release="12.0", kind=WorkloadKind.SAMETIME_COMMUNITY),
    )
    assert [makers_size_of(CATALOG, work) for work in none] == [None, None, None]

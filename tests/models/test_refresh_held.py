"""Random sites: each design that is named fits, and one less of anything breaks what is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.options.design import design_of
from models.options.option import (
    FEWEST_HOSTS,
    LEAST_UNITS,
    units_of,
)
from models.options.purchasable import hypervisor_for
from models.options.refresh import Refreshed, refreshed
from models.options.requirement import Requirement
from models.options.shrink import RAM_SIZES
from tests.models.held import check_held, holds
from tests.models.random_site import random_site
from tests.models.worlds import CATALOG, KNOWLEDGE

SERVERS = ("dl380g10p", "r760-6530", "r7625-9554")
ARRAYS = ("gen-afa-mid", "aff-a800")
SETTLED = Requirement(servers=SERVERS, arrays=ARRAYS)
QUICK = [(1, 60, 1, 0.0)]
LONG = [(2, 140, 1, 3.0)]
LONG += [(seed, 50 + 97 * seed % 900, 1 + seed % 3, float(seed % 4)) for seed in range(10, 30)]


def check_not_beaten(part: Refreshed) -> None:
    """By no other server with fewer hosts or units, whatever its memory, with these drives."""
    found, wanted = part.found, part.found.requirement
    fewest, least = found.named(FEWEST_HOSTS), found.named(LEAST_UNITS)
    assert fewest is not None
    assert least is not None
    for id in SERVERS:
        server = CATALOG.servers[id]
        stand = replace(
            fewest.stand, server=server, hypervisor=hypervisor_for(server, CATALOG, None)
        )
        largest = min(server.max_ram_gib or RAM_SIZES[-1], RAM_SIZES[-1])
        fewer = replace(stand, hosts=fewest.hosts - 1, ram_gib=largest)
        if fewer.hosts:
            assert not holds(design_of(wanted, fewer, fewest.disks))
        for hosts in range(max(fewest.hosts, 1), least.hosts + 3):
            for ram_gib in RAM_SIZES:
                units = units_of(wanted.units, hosts, server.cores, ram_gib, least.drives)
                cheaper = replace(stand, hosts=hosts, ram_gib=ram_gib)
                if ram_gib <= largest and least.units - 25.0 < units < least.units - 1e-6:
                    assert not holds(design_of(wanted, cheaper, least.disks)), (id, hosts, ram_gib)


@pytest.mark.parametrize(("seed", "vms", "sites", "years"), QUICK)
def test_one_less_of_anything_breaks_what_is_said(
    seed: int, vms: int, sites: int, years: float
) -> None:
    site = random_site(seed, vms=vms, sites=sites, years=years)
    found = refreshed(site, KNOWLEDGE, settled=SETTLED)
    assert len(found.parts) == sites
    for part in found.parts:
        assert part.choices
        check_held(part)
        check_not_beaten(part)


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "vms", "sites", "years"), LONG)
def test_one_less_of_anything_breaks_what_is_said_at_length(
    seed: int, vms: int, sites: int, years: float
) -> None:
    test_one_less_of_anything_breaks_what_is_said(seed, vms, sites, years)

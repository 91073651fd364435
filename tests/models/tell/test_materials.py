"""The list of parts: each part once."""

from __future__ import annotations

from models.tell.materials import materials
from tests.models.worlds import CATALOG, a_pool, a_scenario, on_vsan


def test_hot_spares_are_among_the_drives_and_counted_once() -> None:
    pools = (a_pool("p1", spindles=66, hot_spares=2), a_pool("p2", spindles=10))
    (drives,) = (
        each for each in materials(a_scenario(pools=pools), CATALOG) if each.part == "Drives"
    )
    assert (drives.count, drives.note) == (76, "2 of them hot spares")
    without = materials(a_scenario(pools=pools[1:], vms=()), CATALOG)
    (drives,) = (each for each in without if each.part == "Drives")
    assert (drives.count, drives.note) == (10, "no hot spares among them")


def test_vsan_is_no_array_beside_its_hosts() -> None:
    parts = {each.part: each for each in materials(on_vsan(4), CATALOG)}
    assert "Storage array" not in parts
    assert parts["vSAN in hosts"].count == 4
    assert parts["Drives"].count == 16
    assert "cache" in parts["vSAN in hosts"].note

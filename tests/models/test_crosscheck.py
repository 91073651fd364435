"""The closed forms against networks solved exactly: as near as docs/queueing.md says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models.crosscheck import (
    DRIVES,
    Deviation,
    band,
    family_a_grid,
    grid,
    table,
    worst_wait,
)

PAGE = (Path(__file__).parents[2] / "docs" / "queueing.md").read_text(encoding="utf-8")


EVERY_TIME = "the most drives"


@pytest.fixture(scope="module", params=[EVERY_TIME, pytest.param("all", marks=pytest.mark.slow)])
def found(request: pytest.FixtureRequest) -> list[Deviation]:
    """Against exact networks; those whose drives are overloaded take long and are `slow`."""
    return grid((max(DRIVES),) if request.param == EVERY_TIME else DRIVES)


@pytest.mark.slow
def test_the_page_prints_the_table_of_today() -> None:
    assert table(grid()) in PAGE


@pytest.mark.slow
def test_what_neighbours_add_is_what_the_network_says(found: list[Deviation]) -> None:
    for row in band(found, 0.0, 0.95):
        assert row.shared == pytest.approx(row.solved_shared, abs=0.021 * row.response)


def test_below_saturation_offered_and_carried_load_are_the_same(found: list[Deviation]) -> None:
    for row in band(found, 0.0, 0.95):
        assert row.cpu == pytest.approx(row.solved_cpu, abs=0.3)
        assert row.pool == pytest.approx(row.solved_pool, abs=0.3)


def test_overload_tends_to_the_same_asymptote(found: list[Deviation]) -> None:
    for row in band(found, 1.05, 9.0):
        assert row.response == pytest.approx(row.solved, rel=0.02)


def test_the_law_errs_high_where_it_parts_from_the_network(found: list[Deviation]) -> None:
    assert all(row.response > 0.9 * row.solved for row in found)


def test_waiting_for_cores_needs_no_solver(found: list[Deviation]) -> None:
    assert abs(worst_wait(found)) < 0.03


def test_the_knee_of_family_a_is_no_knee_of_its_known_demands() -> None:
    runs = {users: (law, network) for users, law, network in family_a_grid()}
    assert runs[6000.0][0] == pytest.approx(660.0, abs=1.0)
    assert max(network for _, network in runs.values()) < 40.0

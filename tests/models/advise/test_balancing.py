"""Plans that balance mail files: within the limit, few moves, pins and copies kept."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from models.advise.balancing import Files, balanced
from tests.sweeps import some


def estate(
    seed: int, *, files: int = 1500, servers: int = 8, copies: int = 1, pinned: float = 0.02
) -> Files:
    """Random mail files, log-normal in three measures, on servers of unlike load."""
    chance = np.random.default_rng(seed)
    weight = np.exp(chance.normal(size=(files, 1)) + 0.6 * chance.normal(size=(files, 3)))
    share = np.exp(0.3 * chance.normal(size=servers))
    homes = [
        chance.choice(servers, copies, replace=False, p=share / share.sum()) for _ in range(files)
    ]
    replica = np.repeat(np.arange(files), copies)
    weight = weight[replica]
    return Files(
        weight=weight / weight.sum(axis=0) * servers,
        server=np.concatenate(homes),
        servers=servers,
        replica=replica,
        pinned=chance.random(len(replica)) < pinned,
        limit=np.full(3, 1.02),
    )


@pytest.mark.parametrize("seed", some(range(4)))
@pytest.mark.parametrize("copies", some([1, 2]))
def test_a_plan_keeps_to_the_limit_pins_and_copies_with_few_moves(seed: int, copies: int) -> None:
    files = estate(seed, copies=copies)
    after = balanced(files)
    assert (files.loads(after) <= 1.02 + 1e-9).all()
    assert (after[files.pinned] == files.server[files.pinned]).all()
    places = set(zip(files.replica.tolist(), after.tolist(), strict=True))
    assert len(places) == len(after)
    assert (after != files.server).sum() <= 1.1 * files.least_moves() + 2


def test_what_is_balanced_stays_as_it_is() -> None:
    files = estate(0)
    done = replace(files, server=balanced(files))
    assert (balanced(done) == done.server).all()
    assert done.least_moves() == 0


def test_the_bound_is_reached_with_one_measure() -> None:
    files = estate(1)
    alone = replace(files, weight=files.weight[:, :1], limit=files.limit[:1])
    assert (balanced(alone) != alone.server).sum() == alone.least_moves() > 0


def test_no_plan_beats_the_bound_of_a_small_estate() -> None:
    """Against every plan there is."""
    compared = 0
    for seed in range(8):
        files = replace(estate(seed, files=9, servers=2, pinned=0.0), limit=np.full(3, 1.4))
        plans = map(np.array, np.ndindex(*(2,) * 9))
        within = [plan for plan in plans if (files.loads(plan) <= 1.4).all()]
        if within:
            least = min(int((plan != files.server).sum()) for plan in within)
            assert files.least_moves() <= least <= (balanced(files) != files.server).sum()
            compared += least > 0
    assert compared


@pytest.mark.parametrize("seed", range(2))
def test_small_estates_are_balanced_with_as_few_moves_as_by_brute_force(seed: int) -> None:
    """Of some seeds; every plan of one move, of two and so on is looked at."""
    files = replace(estate(seed, files=14, servers=3, pinned=0.1), limit=np.full(3, 1.25))
    plan = balanced(files)
    assert (files.loads(plan) <= 1.25).all()
    moves = int((plan != files.server).sum())
    for fewer in range(min(moves, 4)):
        for rows in map(list, combinations(np.flatnonzero(~files.pinned).tolist(), fewer)):
            for targets in product(range(3), repeat=fewer):
                other = files.server.copy()
                other[rows] = targets
                assert (files.loads(other) > 1.25).any()


@pytest.mark.parametrize("seed", some([1, 5, 6, 0]))
def test_small_estates_keep_all_rules_and_both_bounds(seed: int) -> None:
    files = estate(seed, files=70, servers=4, copies=1 + seed % 2, pinned=0.05)
    files = replace(files, limit=np.full(3, 1.1))
    plan = balanced(files)
    assert (files.loads(plan) <= 1.1 + 1e-9).all()
    assert (plan[files.pinned] == files.server[files.pinned]).all()
    assert len(set(zip(files.replica.tolist(), plan.tolist(), strict=True))) == len(plan)
    moves = int((plan != files.server).sum())
    priced, price = files.prices(moves)
    assert max(priced, files.least_moves()) <= moves
    assert (price >= 0).all()
    assert (balanced(files) == plan).all()


def test_a_file_that_is_too_heavy_alone_bounds_the_busiest() -> None:
    weight = np.array([[3.0], [0.5], [0.5]])
    files = Files(
        weight=weight * 2 / 4,
        server=np.array([0, 0, 1]),
        servers=2,
        replica=np.arange(3),
        pinned=np.zeros(3, dtype=bool),
        limit=np.array([1.02]),
    )
    assert files.least_busiest().tolist() == [1.5]
    assert files.loads(balanced(files)).max() == pytest.approx(1.5)

"""Ready time's queue against a simulation of VMs whose virtual CPUs share the cores of a host."""

from __future__ import annotations

import random

import numpy as np
import pytest

from models.physics.cpu import neighbour_ratio, waiting_ratio

pytestmark = pytest.mark.slow

EVENTS = 120_000


def simulated(vms: int, vcpus: int, cores: int, busy: float, seed: int) -> float:
    """Ready over run time of like VMs, to each of which work comes at random and waits inside for
    one of its virtual CPUs; those with work share the cores evenly."""
    chance = random.Random(seed)
    rate = busy * cores / vms
    work, at_work, ready, ran = [0] * vms, 0, 0.0, 0.0
    for event in range(EVENTS):
        served = min(at_work, cores)
        span = chance.expovariate(rate * vms + served)
        if event > EVENTS / 10:
            ready += max(at_work - cores, 0) * span
            ran += served * span
        if chance.random() * (rate * vms + served) < rate * vms:
            vm = chance.randrange(vms)
            at_work += work[vm] < vcpus
            work[vm] += 1
        else:
            vm = chance.choices(range(vms), [min(each, vcpus) for each in work])[0]
            work[vm] -= 1
            at_work -= work[vm] < vcpus
    return ready / ran


@pytest.mark.parametrize(
    ("cores", "vcpus", "vms"),
    [(2, 1, 4), (4, 2, 4), (8, 2, 6), (8, 2, 8), (8, 2, 12), (8, 4, 4), (16, 2, 16), (16, 4, 8)],
)
@pytest.mark.parametrize("busy", [0.5, 0.7, 0.86])
def test_the_queue_is_that_of_the_simulation(cores: int, vcpus: int, vms: int, busy: float) -> None:
    load, count = np.array([busy * cores]), np.array([float(cores)])
    found = neighbour_ratio(
        count,
        np.array([float(vcpus * vms)]),
        np.array([float(vcpus)]),
        load,
        load,  # without the moments beside busy cores
        waiting_ratio(count, load),
        np.zeros(1),
    )
    expected = np.mean([simulated(vms, vcpus, cores, busy, seed) for seed in (1, 2)])
    assert found[0] == pytest.approx(expected, abs=0.12)

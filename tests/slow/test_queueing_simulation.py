"""Solvers against a discrete-event simulation, which knows nothing of product form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from models.queueing.network import CustomerClass, Network, Station
from models.queueing.solve import solve

ciw: Any = pytest.importorskip("ciw", reason="the simulator is installed for slow tests only")

pytestmark = pytest.mark.slow

WARM_UP, LENGTH, RUNS = 200.0, 3_000.0, 4


def closed_simulation(
    population: int, think: float, services: list[float], servers: list[int], seed: int
) -> tuple[float, float]:
    """Throughput and mean response time of one closed class passing queues in order.

    Node 1 holds the thinkers: as many servers as customers. The customers enter in a burst at
    the start and then circulate.
    """
    nodes = len(services) + 1
    routing = np.roll(np.eye(nodes), 1, axis=1).tolist()
    network = ciw.create_network(
        arrival_distributions=[
            ciw.dists.Sequential([1e-9] * population + [float("inf")]),
            *[None] * len(services),
        ],
        service_distributions=[
            ciw.dists.Exponential(1.0 / think),
            *[ciw.dists.Exponential(1.0 / service) for service in services],
        ],
        routing=routing,
        number_of_servers=[population, *servers],
    )
    ciw.seed(seed)
    simulation = ciw.Simulation(network)
    simulation.simulate_until_max_time(LENGTH + WARM_UP)
    records = [record for record in simulation.get_all_records() if record.exit_date > WARM_UP]
    queues = [record for record in records if record.node > 1]
    jobs = sum(record.node == nodes for record in queues)
    stay = sum(record.exit_date - record.arrival_date for record in queues)
    return jobs / LENGTH, stay / jobs


@pytest.mark.parametrize(
    ("population", "think", "services", "servers"),
    [
        (30, 2.0, [0.1, 0.05], [1, 1]),
        (40, 2.0, [0.3, 0.04], [8, 1]),
        (60, 1.5, [0.2, 0.08], [4, 2]),
    ],
)
def test_closed_network(
    population: int, think: float, services: list[float], servers: list[int]
) -> None:
    stations = tuple(
        Station(f"s{m}", "queue", (1.0,), (service,), c)
        for m, (service, c) in enumerate(zip(services, servers, strict=True))
    )
    exact = solve(Network((CustomerClass("users", population, think),), stations))
    runs = np.array(
        [closed_simulation(population, think, services, servers, seed) for seed in range(RUNS)]
    )
    means = runs.mean(axis=0)
    errors = runs.std(axis=0, ddof=1) / np.sqrt(RUNS)
    expected = np.array([exact.throughput[0], exact.response_time[0]])
    # Six standard errors of four runs, and never more than 3 %.
    assert np.all(np.abs(means - expected) <= np.maximum(6.0 * errors, 0.005 * expected))
    assert np.all(np.abs(means / expected - 1.0) < 0.03)

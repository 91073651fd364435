"""The fluid of a storm against the same storm user by user: peak response and time to drain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.transient.network import DRAINED, ClosedNetwork, Disturbance, run_storm
from tests.slow.storm_simulation import World

pytestmark = pytest.mark.slow

RUNS = 8
BINS = 60
TOLERANCE = 0.10

MAIL = ClosedNetwork(
    users=np.array([2000.0]),
    think_s=78.26,
    cpu_s=np.array([0.0115]),
    disk_s=np.array([0.02]),
    vcpus=np.array([[2.0]]),
    host=np.array([0]),
    pool=np.array([0]),
    cores=np.array([8.0]),
    disks=np.array([40.0]),
)
"""About a building block: 2,000 users, 2 vCPUs, 11.5 ms of CPU an action."""

TWO_ON_A_HOST = replace(
    MAIL,
    users=np.array([1000.0, 800.0]),
    cpu_s=np.array([0.0115, 0.02]),
    disk_s=np.array([0.02, 0.01]),
    vcpus=np.array([[2.0, 2.0]]),
    host=np.array([0, 0]),
    pool=np.array([0, 0]),
    cores=np.array([2.5]),
)

CASES = {
    "a cut WAN, CPU is short": (MAIL, Disturbance(login_s=60.0, login_actions=8.0)),
    "everybody at once": (MAIL, Disturbance(login_s=1.0, login_actions=5.0)),
    "drives are short": (
        replace(MAIL, vcpus=np.array([[8.0]]), disks=np.array([3.0])),
        Disturbance(login_s=60.0, login_actions=8.0),
    ),
    "two servers on too few cores": (TWO_ON_A_HOST, Disturbance(login_s=60.0, login_actions=10.0)),
    "the day after a holiday": (
        replace(MAIL, cpu_s=np.array([0.03])),
        Disturbance(login_s=300.0, login_actions=8.0, activity=3.0, active_s=600.0),
    ),
}


def simulated(
    network: ClosedNetwork, storm: Disturbance, until: float
) -> tuple[np.ndarray, np.ndarray]:
    """Mean time of an action by moment of its end and server, over several runs."""
    edges = np.linspace(0.0, until, BINS + 1)
    sums, counts = np.zeros((2, BINS, len(network.users)))
    for seed in range(RUNS):
        world = World.offline(network, storm, seed)
        world.run(until)
        for server, finished in enumerate(world.finished):
            moments, took = np.array(finished).T
            row = np.clip(np.searchsorted(edges, moments) - 1, 0, BINS - 1)
            np.add.at(sums[:, server], row, took)
            np.add.at(counts[:, server], row, 1)
    return (edges[1:] + edges[:-1]) / 2, sums / np.where(counts > 0, counts, np.nan)


@pytest.mark.parametrize(("network", "storm"), CASES.values(), ids=list(CASES))
def test_peak_and_drain_agree_with_the_simulation(
    network: ClosedNetwork, storm: Disturbance
) -> None:
    fluid = run_storm(network, storm, horizon_s=4 * 3600.0)
    assert fluid.over.all()
    time, action_s = simulated(network, storm, float(fluid.drained_s.max()) * 1.4)
    for server in range(len(network.users)):
        took, settled = action_s[:, server], fluid.settled_s[0, server]
        peak = np.nanmax(took)
        assert fluid.peak_s[0, server] == pytest.approx(peak, rel=TOLERANCE)
        late = np.flatnonzero(took - settled > DRAINED * (peak - settled))
        assert fluid.drained_s[0, server] == pytest.approx(time[late[-1]], rel=TOLERANCE)

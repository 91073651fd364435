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


def one_server(
    users: float, *, cpu_s: float, disk_s: float, vcpus: float, cores: float, disks: float
) -> ClosedNetwork:
    return replace(
        MAIL,
        users=np.array([users]),
        cpu_s=np.array([cpu_s]),
        disk_s=np.array([disk_s]),
        vcpus=np.array([[vcpus]]),
        cores=np.array([cores]),
        disks=np.array([disks]),
    )


DRAWN = {
    "fewer cores than vCPUs, at once": (
        one_server(1325, cpu_s=0.0154, disk_s=0.0126, vcpus=2, cores=1.9, disks=15),
        Disturbance(login_s=1.0, login_actions=3.1),
    ),
    "one vCPU, heavy logins": (
        one_server(513, cpu_s=0.0173, disk_s=0.0072, vcpus=1, cores=1.2, disks=22),
        Disturbance(login_s=20.0, login_actions=10.5),
    ),
    "one vCPU, light actions": (
        one_server(960, cpu_s=0.0050, disk_s=0.0218, vcpus=1, cores=1.2, disks=24),
        Disturbance(login_s=20.0, login_actions=5.7),
    ),
    "three drives": (
        one_server(1417, cpu_s=0.0096, disk_s=0.0146, vcpus=1, cores=8.0, disks=3),
        Disturbance(login_s=20.0, login_actions=5.9),
    ),
}
"""Small servers and short storms, drawn at random: few actions end in a bin, so many runs."""

MANY_RUNS = 40


def simulated(
    network: ClosedNetwork, storm: Disturbance, until: float, runs: int
) -> tuple[np.ndarray, np.ndarray]:
    """Mean time of an action by moment of its end and server, over several runs."""
    edges = np.linspace(0.0, until, BINS + 1)
    sums, counts = np.zeros((2, BINS, len(network.users)))
    for seed in range(runs):
        world = World.offline(network, storm, seed)
        world.run(until)
        for server, finished in enumerate(world.finished):
            moments, took = np.array(finished).T
            row = np.clip(np.searchsorted(edges, moments) - 1, 0, BINS - 1)
            np.add.at(sums[:, server], row, took)
            np.add.at(counts[:, server], row, 1)
    return (edges[1:] + edges[:-1]) / 2, sums / np.where(counts > 0, counts, np.nan)


@pytest.mark.parametrize(
    ("network", "storm", "runs"),
    [(*case, RUNS) for case in CASES.values()] + [(*case, MANY_RUNS) for case in DRAWN.values()],
    ids=[*CASES, *DRAWN],
)
def test_peak_and_drain_agree_with_the_simulation(
    network: ClosedNetwork, storm: Disturbance, runs: int
) -> None:
    fluid = run_storm(network, storm, horizon_s=4 * 3600.0)
    assert fluid.over.all()
    time, action_s = simulated(network, storm, float(fluid.drained_s.max()) * 1.4, runs)
    for server in range(len(network.users)):
        took, settled = action_s[:, server], fluid.settled_s[0, server]
        peak = np.nanmax(took)
        assert fluid.peak_s[0, server] == pytest.approx(peak, rel=TOLERANCE)
        late = np.flatnonzero(took - settled > DRAINED * (peak - settled))
        assert fluid.drained_s[0, server] == pytest.approx(time[late[-1]], rel=TOLERANCE)

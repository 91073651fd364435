"""Designs whose hosts fail."""

from __future__ import annotations

import random
from dataclasses import replace

from models.failure.failover import Failover
from models.scenario.scenario import Host, Scenario, Vm
from models.stages import restarts
from tests.models.worlds import (
    KNOWLEDGE,
    RESERVING,
    a_host,
    a_scenario,
    a_vm,
)


def failover_of(scenario: Scenario) -> Failover:
    """The restarts behind a prediction."""
    return restarts(scenario, KNOWLEDGE)


FAST, SLOW = "nehalem-ept", "intel-clovertown-whitebox"


def a_cluster(hosts: tuple[Host, ...], *vms: Vm) -> Scenario:
    inside = tuple(replace(host, cluster="c1") for host in hosts)
    return a_scenario(clusters=(RESERVING,), hosts=inside, vms=vms)


def a_design(chance: random.Random, *, mixed: bool) -> Scenario:
    """Two to five hosts with a handful of VMs of all sizes."""
    servers = (FAST, SLOW, "ibm-x3650", "ibm-x366")
    one, count = chance.choice(servers), chance.randint(2, 5)
    hosts = tuple(
        a_host(
            f"h{n}",
            server=chance.choice(servers) if mixed else one,
            ram_gib=chance.choice([32.0, 48.0, 72.0]) if mixed else 64.0,
        )
        for n in range(count)
    )
    return a_cluster(
        hosts, *(one_more(chance, f"m{n}", hosts) for n in range(chance.randint(2, 4 * count)))
    )


def one_more(chance: random.Random, id: str, hosts: tuple[Host, ...]) -> Vm:
    return a_vm(
        id,
        chance.uniform(100.0, 3000.0),
        host=chance.choice(hosts).id,
        ram_gib=chance.choice([4.0, 8.0, 16.0]),
        vcpus=chance.choice([1, 2, 4]),
    )

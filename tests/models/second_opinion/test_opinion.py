"""The network of a scenario: what stands in it, its solution by hand, and the words about both."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from app.synthetic import OVERLOAD, synthetic_scenario
from models.predict.demands import demands_of
from models.queueing.network import Network
from models.queueing.solve import solve
from models.scenario.scenario import Scenario, Vm
from models.scenario.workloads import WorkloadKind
from models.second_opinion.demands import demands_at_stations, like_servers
from models.second_opinion.network import FOLLOWING, MOST_QUEUES, OTHERS
from models.second_opinion.opinion import MOST_CLASSES, Agreement, Cause, Opinion, second_opinion
from models.second_opinion.words import headline, how_solved, notes, reason
from models.stages import Undisturbed, undisturbed
from tests.models.crosscheck import both, building_blocks
from tests.models.queueing.brute import mmc_response
from tests.models.worlds import (
    CALIBRATION,
    KNOWLEDGE,
    a_pool,
    a_scenario,
    a_vm,
    predict,
    wv21,
)

THINK_S = CALIBRATION.law.think_time_ms / 1000.0


def opinion_of(scenario: Scenario) -> Opinion:
    return second_opinion(scenario, KNOWLEDGE)


def normal_of(scenario: Scenario) -> Undisturbed:
    return undisturbed(demands_of(scenario, KNOWLEDGE), scenario.policy)


def network_of(opinion: Opinion) -> Network:
    assert opinion.solved is not None
    return opinion.solved.network


def generic(id: str, **fields: float) -> Vm:
    return a_vm(id, 0.0, kind=WorkloadKind.GENERIC, release="", mail_file_mb=0.0, **fields)


# --- one VM, one host, one pool ------------------------------------------------------------------


def test_one_server_is_open_queues_by_hand() -> None:
    """Thousands who think for 78 s are as good as Poisson arrivals, and every queue is M/M/c."""
    scenario = a_scenario(vms=(a_vm("m1", 4000.0),), pools=(a_pool(spindles=20),))
    (server,), normal = opinion_of(scenario).servers, normal_of(scenario)
    parts, alone = normal.responses.parts, normal.responses.alone
    cpu, disk, base = (float(ms[0]) / 1000 for ms in (parts.cpu_ms, parts.disk_ms, alone.base_ms))
    rate = 4000.0 / (THINK_S + server.network_ms / 1000)
    at_cpu = mmc_response(rate, cpu, 2)
    busy = float(normal.vm.io.value[0]) / float(normal.pool.limit_iops[0])
    busy *= rate * THINK_S / 4000.0
    by_hand = 1000 * (base - cpu - disk + at_cpu + disk / (1 - busy))
    assert busy > 0.15
    assert server.network_ms == pytest.approx(by_hand, rel=2e-3)


def test_stations_carry_what_the_prediction_says_of_vm_host_and_pool() -> None:
    scenario = building_blocks(6, 4000.0, 64)
    opinion, prediction = opinion_of(scenario), predict(scenario)
    assert opinion.plan is not None
    assert opinion.solved is not None
    solution = opinion.solved.solution
    slower = 1 + opinion.servers[0].network_ms / 1000 / THINK_S
    busy = {
        place.kind: float(np.nansum(solution.utilisation[m]))
        for m, place in zip(
            np.cumsum([0, *(p.count for p in opinion.plan.places[:-1])]),
            opinion.plan.places,
            strict=True,
        )
    }
    assert 100 * slower * busy["vcpus"] == pytest.approx(prediction.vms.cpu_pct[0].value, rel=1e-3)
    assert 100 * slower * busy["cores"] == pytest.approx(
        prediction.hosts.cpu_pct[0].value, rel=1e-3
    )
    assert 100 * slower * busy["drives"] == pytest.approx(
        prediction.pools.utilisation_pct[0].value, rel=1e-3
    )


@pytest.mark.parametrize(
    ("vms", "users", "drives"), [(1, 6000.0, 64), (2, 8000.0, 24), (4, 4000.0, 64), (6, 1e4, 64)]
)
def test_it_is_the_network_that_the_closed_forms_were_checked_against(
    vms: int, users: float, drives: int
) -> None:
    """There like servers are one class, and what is written follows by another search."""
    opinion = opinion_of(building_blocks(vms, users, drives))
    known = both(vms, users, drives)[1].response
    for server in opinion.servers:
        assert server.network_ms == pytest.approx(known, rel=max(1e-4, opinion.error))


def test_the_network_solves_to_what_is_said_of_it() -> None:
    opinion = opinion_of(building_blocks(6, 4000.0, 64))
    assert opinion.plan is not None
    again = solve(network_of(opinion))
    twice = opinion.plan.twice * opinion.plan.cpu_s
    assert twice.all()  # 12 virtual CPUs on 8 cores
    for r, server in enumerate(opinion.servers):
        said = 1000 * (again.response_time[r] - twice[r])
        assert server.network_ms == pytest.approx(float(said), rel=1e-9)


def test_responses_are_the_sums_of_their_parts() -> None:
    for server in opinion_of(building_blocks(4, 6000.0, 24)).servers:
        assert server.closed.total == pytest.approx(server.shown.value)
        assert server.solved.total == pytest.approx(server.network_ms)
        assert server.solved.idle == pytest.approx(server.closed.idle)


# --- who is in it ---------------------------------------------------------------------------------


def test_vms_without_a_response_are_open_load() -> None:
    alone = opinion_of(a_scenario())
    beside = opinion_of(a_scenario(vms=(a_vm(), generic("g1", cpu_mhz=4000.0, iops=2000.0))))
    assert [each.name for each in network_of(alone).classes] == ["M1", FOLLOWING]
    assert [each.name for each in network_of(beside).classes] == ["M1", FOLLOWING, OTHERS]
    assert beside.silent == ("g1",)
    assert beside.servers[0].solved.drives > 2 * alone.servers[0].solved.drives
    assert any("1 running VM has no response" in note for note in notes(beside, a_scenario()))


def test_servers_whom_others_leave_nothing_are_named_not_solved() -> None:
    full = generic("g1", cpu_mhz=100.0, iops=1e6)
    scenario = a_scenario(vms=(a_vm(), full))
    opinion = opinion_of(scenario)
    assert (opinion.servers, opinion.crowded) == ((), ("m1",))
    assert any("M1" in note for note in notes(opinion, scenario))


@pytest.mark.parametrize(
    "vms",
    [
        (),
        (a_vm(host=None),),
        (a_vm(powered_on=False),),
        (a_vm(users=0.0),),
        (a_vm(kind=WorkloadKind.SAMETIME_COMMUNITY, release="8.5", mail_file_mb=0.0),),
    ],
    ids=["no VM", "not placed", "off", "no users", "no response"],
)
def test_without_a_response_there_is_no_network(vms: tuple[Vm, ...]) -> None:
    opinion = opinion_of(a_scenario(vms=vms))
    assert opinion.solved is None
    assert math.isinf(opinion.error)
    assert headline(opinion).startswith("No server has a response")
    assert how_solved(opinion) == ""


def test_without_a_pool_there_are_no_drives() -> None:
    opinion = opinion_of(a_scenario(vms=(a_vm(pool=None),)))
    assert {s.name for s in network_of(opinion).stations} == {
        "vCPUs of M1", "rest of an idle response",
    }  # fmt: skip


def test_of_many_drives_several_are_one_queue() -> None:
    scenario = a_scenario(pools=(a_pool(spindles=600),))
    opinion = opinion_of(scenario)
    drives = [s for s in network_of(opinion).stations if "drive" in s.name]
    assert len(drives) <= MOST_QUEUES
    assert {s.servers for s in drives} == {3}
    assert opinion.shared == ("P1",)
    busy = float(predict(scenario).pools.utilisation_pct[0].value or 0.0)
    assert opinion.solved is not None
    slower = 1 + opinion.servers[0].network_ms / 1000 / THINK_S
    used = np.nansum(opinion.solved.solution.utilisation[1]) * 100 * slower
    assert used == pytest.approx(busy, rel=1e-3)


# --- many -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("load", [1.0, OVERLOAD], ids=["healthy", "overloaded"])
def test_a_large_estate_is_a_bounded_network(load: float) -> None:
    scenario = synthetic_scenario(100, 1000, load=load)
    told: list[float] = []
    opinion = second_opinion(scenario, KNOWLEDGE, told.append)
    network = network_of(opinion)
    assert opinion.solved is not None
    assert sum(not each.is_open for each in network.classes) <= MOST_CLASSES
    assert len(network.stations) < 3 * MOST_QUEUES
    assert opinion.solved.mismatch < 1e-5
    assert len(told) < 70  # as many solutions; a test of time would depend on the machine
    assert all(0 <= a <= b <= 1 for a, b in pairwise(told))
    like = [vm for server in opinion.servers for vm in server.like]
    known = predict(scenario).vms.response_ms
    assert len(opinion.servers) + len(like) == int((~np.isnan(known.value)).sum())
    assert any("stand for each other" in note for note in notes(opinion, scenario))


def test_like_servers_are_one_and_answer_as_if_each_were_itself() -> None:
    """24 like servers on one host and pool as 24 classes, 25 as one."""
    scenario = building_blocks(24, 900.0, 64)
    apart = opinion_of(scenario)
    normal = normal_of(scenario)
    asks = demands_at_stations(normal)
    group, width = like_servers(asks, 23)
    assert (set(group.tolist()), width) == ({0}, 0.0)
    more = replace(scenario, vms=(*scenario.vms, a_vm("last", 900.0)))
    together = opinion_of(more)
    assert len(apart.servers) == 24
    assert len(together.servers) == 1
    assert together.servers[0].network_ms == pytest.approx(apart.servers[0].network_ms, rel=0.02)


def test_giving_up_ends_the_work() -> None:
    class Stopped(Exception):
        pass

    def stop(_share: float) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        second_opinion(a_scenario(), KNOWLEDGE, stop)


# --- what is said of it ---------------------------------------------------------------------------


def test_a_knee_whose_cause_is_not_known_is_not_reconciled() -> None:
    opinion = opinion_of(wv21("clovertown", "vmfs", 14.5, 6000.0))
    (server,) = opinion.servers
    assert (server.cause, server.agreement) == (Cause.KNEE, Agreement.OPEN)
    assert server.ratio < 0.1
    assert "6,210 users" in reason(server)
    assert "can’t be reconciled" in reason(server)
    assert "was measured: 682" in reason(server)
    assert headline(opinion) == "1 response can’t be reconciled with a network of queues."
    assert how_solved(opinion).startswith("Solved exactly (convolution): 1 class of users")


def test_where_both_are_the_same_it_is_said() -> None:
    opinion = opinion_of(a_scenario())
    (server,) = opinion.servers
    assert (server.cause, server.agreement) == (Cause.NONE, Agreement.SAME)
    assert reason(server).startswith("Both come to the same")


def test_the_law_stretches_more_than_cpu() -> None:
    (server,) = opinion_of(building_blocks(1, 1e4, 100)).servers
    assert server.cause is Cause.STRETCH
    assert "stretches the whole idle response" in reason(server)


def test_open_load_in_an_overloaded_pool_is_named() -> None:
    opinion = opinion_of(synthetic_scenario(20, 200, load=OVERLOAD))
    assert {server.cause for server in opinion.servers} == {Cause.OPEN_LOAD}
    assert "without a response take their share" in reason(opinion.servers[0])


def test_a_vm_is_found_by_the_one_that_stands_for_it() -> None:
    opinion = opinion_of(synthetic_scenario(20, 200))
    server = next(each for each in opinion.servers if each.like)
    assert opinion.of(server.like[-1]) is server
    assert opinion.of("nobody") is None

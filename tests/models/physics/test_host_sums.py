"""What adds up on hosts does so wherever hosts are summed: a row that somebody leaves out shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.arrange.problem import COUNT, RAM, VCPUS, problem_of
from models.failure import failover
from models.failure.availability import fail_each_host
from models.host_loss import lose_host
from models.physics.host_sums import ROWS, Asked, no_sums
from models.predict.demands import VmStage, demands_of
from models.scenario.scenario import Scenario
from models.scenario.workloads import WorkloadKind
from models.single_changes.move_preview import Move
from models.stages import host_stage
from tests.models.worlds import KNOWLEDGE, a_cluster_of, a_vm, predict

CLOSE = 1e-12


def unlike_hosts() -> Scenario:
    """A cluster of two kinds of hosts, with mail, a measured VM and one without any data; chat on
    two of them."""
    base = a_cluster_of(3, vms=6, users=600.0)
    work = {"cpu_mhz": 900.0, "iops": 70.0, "network_mbps": 12.0}
    chat = WorkloadKind.SAMETIME_COMMUNITY
    others = (
        a_vm("g1", 0.0, host="h1", kind=WorkloadKind.GENERIC, **work),
        a_vm("g2", 0.0, host="h2", kind=WorkloadKind.GENERIC),
        *(a_vm(f"s{n}", 900.0, host=f"h{n}", kind=chat, vcpus=4) for n in (1, 3)),
    )
    hosts = (*base.hosts[:2], replace(base.hosts[2], server="intel-clovertown-whitebox"))
    return replace(base, hosts=hosts, vms=(*base.vms, *others))


def stage_of(scenario: Scenario) -> VmStage:
    return demands_of(scenario, KNOWLEDGE)


def on_hosts(scenario: Scenario) -> Asked:
    return host_stage(stage_of(scenario), scenario.policy).on.sums


@pytest.fixture(scope="module")
def sums() -> Asked:
    return on_hosts(unlike_hosts())


@pytest.mark.parametrize("name", [row.name for row in ROWS])
def test_every_row_is_summed_at_all(name: str, sums: Asked) -> None:
    assert np.any(sums[name])


def test_sums_in_the_hand_are_those_of_the_host_that_vms_are_dropped_on() -> None:
    scenario, moved = unlike_hosts(), {"m1", "g2", "s1"}
    there = Move.of(stage_of(scenario), scenario.policy, moved, KNOWLEDGE).there()
    for at, host in enumerate(scenario.hosts):
        dropped = on_hosts(scenario.place(moved, host.id))
        for row in ROWS:
            assert there[row.name][..., at] == pytest.approx(dropped[row.name][..., at], rel=CLOSE)


@pytest.mark.parametrize("most_cells", [1, failover.MOST_CELLS])
def test_sums_after_a_loss_are_those_of_what_is_left(
    most_cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All failures at once, or one after the other."""
    monkeypatch.setattr(failover, "MOST_CELLS", most_cells)
    scenario = unlike_hosts()
    stage = stage_of(scenario)
    found = fail_each_host(stage.inputs.arrays, host_stage(stage, scenario.policy).loads)
    for modes in found.blocks():
        for mode in range(modes.start, modes.stop):
            gone = scenario.hosts[int(found.failed[mode])].id
            left = on_hosts(lose_host(scenario, KNOWLEDGE, gone).scenario)
            alive = found.alive[mode]
            for row in ROWS:
                after = found.sums(row.name, modes=modes)[row.name][..., mode - modes.start, :]
                expected = left[row.name][..., found.members[mode]]
                assert after[..., alive] == pytest.approx(expected[..., alive], rel=CLOSE)
                assert not np.any(after[..., ~alive])


def test_hosts_that_vms_come_to_have_the_same_sums() -> None:
    scenario = unlike_hosts()
    stage = stage_of(scenario)
    found = fail_each_host(stage.inputs.arrays, host_stage(stage, scenario.policy).loads)
    assert len(found.crowded)
    for row in ROWS:
        table = found.sums(row.name)[row.name]
        cells = table.reshape(*table.shape[:-2], -1)[..., found.crowded]
        assert found.sums_of_crowded(row.name)[row.name] == pytest.approx(cells, rel=CLOSE)


def test_hosts_are_arranged_by_the_same_sums(sums: Asked) -> None:
    problem = problem_of(unlike_hosts(), KNOWLEDGE)
    loads = problem.loads(problem.home)
    for resource, name in ((RAM, "ram_gib"), (COUNT, "vms"), (VCPUS, "vcpus")):
        assert loads[resource] == pytest.approx(sums[name], rel=CLOSE)


def test_rows_of_what_is_unknown_are_left_away_where_nothing_is() -> None:
    known = on_hosts(a_cluster_of(2, vms=2))
    assert not known.is_whole
    for row in ROWS:
        assert known[row.name].shape == no_sums(row.name, (2,)).shape
        assert bool(np.any(known[row.name])) != row.of_unknown


@pytest.mark.parametrize("ram_gib", [20.0, 96.0])
def test_failures_are_the_same_however_many_are_worked_out_at_a_time(
    ram_gib: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With room for all VMs and without."""
    base = unlike_hosts()
    hosts = tuple(replace(host, ram_gib=ram_gib) for host in base.hosts)
    scenario = replace(base, hosts=hosts)
    whole = predict(scenario)
    monkeypatch.setattr(failover, "MOST_CELLS", 1)
    one_by_one = predict(scenario)
    assert tuple(one_by_one.failures) == tuple(whole.failures)
    assert (one_by_one.sentence, one_by_one.findings) == (whole.sentence, whole.findings)
    assert one_by_one.hosts.failure_cpu_pct == pytest.approx(whole.hosts.failure_cpu_pct)

"""An arrangement keeps every rule and is never worse; its moves can be made one by one."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count, product
from pathlib import Path

import numpy as np
import pytest

from app.cli_place import placement_of_file
from app.synthetic import synthetic_scenario
from db.codec import scenario_to_json
from models.arrange.bound import bound_of
from models.arrange.descent import Clock
from models.arrange.plan import Plan, arrange
from models.arrange.problem import CPU, Problem, problem_of
from models.arrange.search import Key, key_of, search
from models.arrange.survival import stranded, stranded_each
from models.base.quantities import IntArray
from models.catalog.placement import reason_against
from models.evaluate import evaluate
from models.scenario.scenario import Affinity, AffinityKind, Loss, Scenario
from models.tell.arrange import headline
from tests.models.arrange.estates import with_spare_host
from tests.models.worlds import CATALOG, KNOWLEDGE

SECONDS = 0.3


def scattered(hosts: int, vms: int, *, load: float = 1.0, seed: int = 0) -> Scenario:
    """An estate whose VMs stand anywhere in one cluster."""
    rng = np.random.default_rng(seed)
    plain = synthetic_scenario(hosts, vms, load=load)
    plain = replace(
        plain,
        clusters=plain.clusters[:1],
        hosts=tuple(replace(host, cluster=plain.clusters[0].id) for host in plain.hosts),
        policy=replace(plain.policy, survive=(Loss.HOST,)),
    )
    places = {vm.id: plain.hosts[int(rng.integers(hosts))].id for vm in plain.vms}
    return plain.place_each(places)


def plan_of(scenario: Scenario, **asked: int | None) -> Plan:
    return arrange(scenario, KNOWLEDGE, seconds=SECONDS, clock=lambda: 0.0, **asked)  # type: ignore[arg-type]


def assert_sound(scenario: Scenario, plan: Plan) -> None:
    """Never worse; and the moves, one after the other, lead from one to the other."""
    now, then = (evaluate(each, KNOWLEDGE) for each in (scenario, plan.scenario))
    assert then.verdict <= now.verdict
    assert plan.after.verdict is then.verdict
    assert plan.before.verdict is now.verdict
    before, after = (
        (each.without_room, each.stranded, each.peak_load) for each in (plan.before, plan.after)
    )
    assert after <= before
    assert plan.after.peak_load >= plan.bound_load - 1e-9 or plan.unplaced
    there = scenario
    for move in plan.moves:
        assert there.vm(move.vm).host == move.origin
        there = there.place((move.vm,), move.to)
    assert [vm.host for vm in there.vms] == [vm.host for vm in plan.scenario.vms]


def test_a_scattered_estate_is_levelled_and_each_move_is_admissible() -> None:
    scenario = scattered(20, 200)
    plan = plan_of(scenario)
    assert_sound(scenario, plan)
    assert plan.after.peak_load < plan.before.peak_load
    assert plan.distance_pct < 2.0
    there = scenario
    for move in plan.moves:
        assert move.in_order
        assert reason_against(there, CATALOG, (move.vm,), move.to) is None
        there = there.place((move.vm,), move.to)


def test_few_moves_are_kept_to_and_none_is_none() -> None:
    scenario = scattered(12, 80)
    for most in (0, 1, 7):
        plan = plan_of(scenario, most_moves=most)
        assert_sound(scenario, plan)
        assert len(plan.moves) <= most


def ruled(scenario: Scenario) -> Scenario:
    """With pins, rules, Domino partners and VMs that have no host yet."""
    vms = list(scenario.vms)
    vms[0] = replace(vms[0], pins=("host",))
    vms[1] = replace(vms[1], cluster_partners=(vms[3].id,))
    vms[3] = replace(vms[3], cluster_partners=(vms[1].id,))
    vms[5] = replace(vms[5], host=None)
    vms[6] = replace(vms[6], host=None)
    return replace(
        scenario,
        vms=tuple(vms),
        affinity=(
            Affinity(id="a", kind=AffinityKind.APART, vms=("m7", "m8", "m9")),
            Affinity(id="t", kind=AffinityKind.TOGETHER, vms=("m10", "m11")),
            Affinity(id="r", kind=AffinityKind.MUST_RUN_ON, vms=("m12", "m13"), hosts=("h2", "h3")),
        ),
    )


@pytest.mark.seeds(plain=2, slow=20)
def test_rules_pins_and_partners_are_kept(seed: int) -> None:
    scenario = ruled(scattered(8, 48, seed=seed))
    plan = plan_of(scenario)
    assert_sound(scenario, plan)
    place = {vm.id: vm.host for vm in plan.scenario.vms}
    assert place["m0"] == scenario.vm("m0").host
    assert place["m1"] != place["m3"]
    assert len({place["m7"], place["m8"], place["m9"]}) == 3
    assert place["m10"] == place["m11"]
    assert {place["m12"], place["m13"]} <= {"h2", "h3"}
    assert None not in place.values()
    assert plan.unplaced == ()
    assert not [
        f.text
        for f in evaluate(plan.scenario, KNOWLEDGE).findings
        if f.rule in ("affinity-broken", "partners-on-one-host")
    ]


def test_what_has_no_room_says_why() -> None:
    scenario = scattered(3, 6)
    large = replace(scenario.vms[0], id="big", name="Big", ram_gib=4000.0, host=None)
    plan = plan_of(replace(scenario, vms=(*scenario.vms, large)))
    assert [vm for vm, _ in plan.unplaced] == ["big"]
    assert "4000" in plan.unplaced[0][1]


def test_small_problems_are_solved_as_by_brute_force() -> None:
    for seed in range(2):
        scenario = scattered(3, 7, load=6.0, seed=seed)
        problem = problem_of(scenario, KNOWLEDGE)
        best = min(key_of(problem, np.array(place))[:3] for place in product(range(3), repeat=7))
        plan = plan_of(scenario)
        assert (plan.after.without_room, plan.after.stranded) == best[:2]
        assert plan.after.peak_load == pytest.approx(best[2], abs=6e-4)


@pytest.mark.seeds(plain=1, slow=6)
@pytest.mark.parametrize(
    ("per_host", "odd"), [(3, {}), (3, {"mixed": True}), (3, {"ruled": True}), (8, {})]
)
def test_a_placement_that_survives_each_lost_host_is_found(
    per_host: int, odd: dict[str, bool], seed: int
) -> None:
    """Even though a higher peak load is the price."""
    problem, known = with_spare_host(10, per_host, 0.85, seed, **odd)
    assert key_of(problem, known)[:2] == (0, 0)
    best, place = search_of(problem)[0]
    assert best[:2] == (0, 0)
    assert best == key_of(problem, place)


def search_of(problem: Problem, clock: Clock = lambda: 0.0) -> list[tuple[Key, IntArray]]:
    return search(problem, most_moves=None, seconds=0.5, clock=clock, check=lambda: None)


def test_the_same_input_gives_the_same_plan_however_fast_the_machine_is() -> None:
    problem, _ = with_spare_host(8, 5, 0.9, 1)
    ticks = count()
    slow = search_of(problem, lambda: next(ticks) * 1e-6)
    for (key, place), (other, there) in zip(search_of(problem), slow, strict=True):
        assert key == other
        assert place.tobytes() == there.tobytes()


def test_what_a_host_over_its_limit_has_no_room_for_is_without_room() -> None:
    scenario = scattered(3, 6)
    large = tuple(replace(vm, ram_gib=100.0, host="h0") for vm in scenario.vms[:2])
    crowded = replace(scenario, vms=(*large, *scenario.vms[2:]))
    problem = problem_of(crowded, KNOWLEDGE)
    assert problem.peak(problem.home) > 1
    assert problem.without_room(problem.home) == 1
    plan = plan_of(crowded)
    assert (plan.before.without_room, plan.after.without_room) == (1, 0)
    assert plan.unplaced == ()
    alone = replace(crowded, hosts=crowded.hosts[:1], vms=large)
    plan = plan_of(alone)
    assert plan.after.without_room == 1
    assert [vm for vm, _ in plan.unplaced] == [large[0].id]
    assert plan.scenario.vm(large[0].id).host == "h0"


def odd(rng: np.random.Generator, hosts: int, vms: int) -> Scenario:
    """Unlike hosts and VMs of any size, some without a host, some protected, with rules and pins;
    seldom with room for all."""
    plain = scattered(hosts, vms, load=float(rng.uniform(1, 20)), seed=int(rng.integers(99)))
    largest = float(rng.uniform(0.5, 1.6)) * 144.0 * hosts / vms
    servers = tuple(
        replace(host, ram_gib=float(rng.choice([144.0, 96.0])), ft_logging_gbps=1.0)
        for host in plain.hosts
    )
    guests = [
        replace(
            vm,
            ram_gib=float(np.ceil(rng.uniform(0.2, 1.0) * largest)),
            host=None if rng.random() < 0.1 else vm.host,
            pins=("host",) if rng.random() < 0.05 else (),
            fault_tolerance=vm.vcpus == 1 and bool(rng.random() < 0.05),
        )
        for vm in plain.vms
    ]
    rules = tuple(
        Affinity(id=f"a{row}", kind=kind, vms=(f"m{row}", f"m{row + 1}"), hosts=hosts_of)
        for row, kind, hosts_of in (
            (0, AffinityKind.APART, ()),
            (2, AffinityKind.TOGETHER, ()),
            (4, AffinityKind.MUST_RUN_ON, ("h0", "h1")),
        )
    )
    return replace(plain, hosts=servers, vms=tuple(guests), affinity=rules)


@pytest.mark.seeds(plain=3, slow=20)
def test_every_move_of_any_plan_is_admissible_when_it_is_made_or_says_so(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scenario = odd(rng, int(rng.integers(2, 7)), int(rng.integers(8, 30)))
    plan = plan_of(scenario)
    end = problem_of(plan.scenario, KNOWLEDGE, one_by_one=True)
    final, limit, there = end.loads(end.home), end.limit, scenario
    secondaries = end.loads(np.where(end.shadow, end.home, -1))
    for move in plan.moves:
        assert there.vm(move.vm).host == move.origin
        reason = reason_against(there, CATALOG, (move.vm,), move.to)
        there = there.place((move.vm,), move.to)
        assert not move.in_order or reason is None or "kept together" in reason
        now = problem_of(there, KNOWLEDGE, one_by_one=True)
        host = [each.id for each in there.hosts].index(move.to)
        load = now.loads(np.where(now.shadow, -1, now.home))[:, host] + secondaries[:, host]
        fits = (load <= np.maximum(limit, final)[:, host] + 1e-6).all()
        assert not move.in_order or fits
    assert {vm.id: vm.host for vm in there.vms} == {vm.id: vm.host for vm in plan.scenario.vms}
    pinned = [vm for vm in scenario.vms if vm.pins and vm.host]
    assert all(there.vm(vm.id).host == vm.host for vm in pinned)
    assert plan.after.peak_load == pytest.approx(end.peak(end.home))
    assert plan.unplaced or plan.bound_load <= plan.after.peak_load + 1e-9


@pytest.mark.seeds(plain=2, slow=20)
def test_of_too_many_vms_as_few_as_can_be_are_without_room(seed: int) -> None:
    """The largest that have to go until the rest fits in sum; two more at most where that packs
    badly."""
    rng = np.random.default_rng(seed)
    scenario = scattered(10, 80, seed=seed)
    vms = tuple(replace(vm, ram_gib=float(rng.integers(14, 24))) for vm in scenario.vms)
    crowded = replace(scenario, vms=vms)
    problem = problem_of(crowded, KNOWLEDGE)
    need, room = np.sort(problem.need[0, 0])[::-1], problem.limit[0].sum()
    least = int((need.sum() - np.cumsum(need) > room).sum()) + 1
    plan = plan_of(crowded)
    assert least <= plan.after.without_room <= least + 2 < plan.before.without_room
    assert len(plan.unplaced) == plan.after.without_room


def test_losses_of_many_placements_are_those_of_each() -> None:
    problem, known = with_spare_host(6, 4, 1.1, 2, mixed=True)
    rng = np.random.default_rng(0)
    places = np.array([np.where(rng.random(20) < 0.2, rng.integers(-1, 6, 20), known)] * 3)
    places[1] = rng.integers(0, 6, 20)
    found = stranded_each(problem, places).tolist()
    assert found == [stranded(problem, place) for place in places]
    assert len(set(found)) > 1


def dense(problem: Problem) -> Problem:
    """Three large VMs a host, of sizes that don't pack evenly."""
    rng = np.random.default_rng(5)
    need = problem.need.copy()
    need[: CPU + 1] *= rng.uniform(0.7, 1.3, need[: CPU + 1].shape)
    return replace(problem, need=need)


def test_the_bound_holds_for_every_placement() -> None:
    problem = dense(problem_of(scattered(5, 15), KNOWLEDGE))
    rng = np.random.default_rng(0)
    load, hosts = bound_of(problem)
    for _ in range(200):
        assert problem.peak(rng.integers(0, 5, 15)) >= load - 1e-9
    assert 1 <= hosts <= 5


def test_each_lost_host_is_survived_vm_by_vm() -> None:
    """In sum there is room; but no survivor can take the large VM."""
    scenario = scattered(3, 3)
    vms = tuple(
        replace(vm, ram_gib=80.0, host=host.id, memory_reservation_gib=80.0)
        for vm, host in zip(scenario.vms, scenario.hosts, strict=True)
    )
    problem = problem_of(replace(scenario, vms=vms), KNOWLEDGE)
    need = problem.need.copy()
    need[0] = 80.0
    problem = replace(problem, need=need)
    assert problem.loads(problem.home)[0].sum() < problem.limit[0, :2].sum()
    assert stranded(problem, problem.home) == 3


def test_unlike_hosts_share_by_what_they_have() -> None:
    scenario = scattered(6, 40)
    hosts = tuple(
        replace(host, ram_gib=64.0) if row % 2 else host for row, host in enumerate(scenario.hosts)
    )
    scenario = replace(scenario, hosts=hosts)
    plan = plan_of(scenario)
    assert_sound(scenario, plan)
    assert plan.distance_pct < 5.0


def test_nothing_to_place_is_no_fault() -> None:
    plan = plan_of(Scenario(name="Empty"))
    assert not plan.moves
    assert not plan.unplaced
    lone = replace(scattered(2, 2), hosts=(), clusters=(), vms=())
    assert plan_of(lone).moves == ()


def test_without_hosts_each_vm_says_that_there_is_none() -> None:
    estate = scattered(2, 3)
    vms = tuple(replace(vm, host=None, fault_tolerance=vm is estate.vms[0]) for vm in estate.vms)
    plan = plan_of(replace(estate, hosts=(), clusters=(), vms=vms))
    assert plan.unplaced == tuple((vm.id, "there is no host") for vm in estate.vms)
    assert (plan.moves, plan.after.without_room) == ((), 3)
    assert headline(plan) == "There is no host for the VMs to stand on: add hosts first."


def test_the_command_says_it_and_writes_the_scenario(tmp_path: Path) -> None:
    scenario = scattered(6, 40)
    path, out = tmp_path / "s.json", tmp_path / "o.json"
    path.write_bytes(scenario_to_json(scenario))
    said = placement_of_file(str(path), None, output=str(out), as_json=True)
    found = json.loads(said)
    assert found["before"]["peak_load"] > found["after"]["peak_load"] >= found["bound"] - 1e-6
    places = {vm["id"]: vm["host"] for vm in json.loads(out.read_bytes())["vms"]}
    for move in found["moves"]:
        assert move["why"]
    last = {move["vm"]: move["to"] for move in found["moves"]}
    assert all(places[vm] == host for vm, host in last.items())
    assert "Peak load" in placement_of_file(str(path), None)

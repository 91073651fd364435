"""Calibration to the site, on customers whose true demands are known."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from app.calibrated import shipped_knowledge
from models.base.errors import ModelError
from models.customer.measured import MeasuredServer, matched
from models.customer.site import calibrated_to_site, shift_of, with_site
from models.evaluate import evaluate
from models.physics.scenario_to_arrays import to_arrays
from models.physics.site_load import OWN_HALF_WIDTH
from models.scenario.inputs import origin_of
from models.scenario.origin import Origin
from models.scenario.scenario import (
    PRODUCTION,
    LoadBasis,
    Policy,
)
from tests.models.customers import customer

KNOWLEDGE = shipped_knowledge()
CATALOG = KNOWLEDGE.catalog


def measured(values: dict[str, float], quantity: str = "cpu_pct") -> list[MeasuredServer]:
    return [MeasuredServer(server=id, values={quantity: each}) for id, each in values.items()]


def test_ten_servers_halve_the_error_of_the_eleventh() -> None:
    draw = np.random.default_rng(7)
    before, after, inside = [], [], []
    for trial in range(60):
        policy = PRODUCTION if trial % 2 else Policy()
        scenario = customer([float(n) for n in draw.integers(200, 2000, 11)], policy)
        plain = evaluate(scenario, KNOWLEDGE).vms.cpu_pct
        site, scatter = math.exp(draw.normal(0.0, 0.35)), draw.uniform(0.05, 0.25)
        truth = plain.value[:11] * site * np.exp(draw.normal(0.0, scatter, 11))
        known = measured({f"m{n}": float(truth[n]) for n in range(10)})
        found = calibrated_to_site(scenario, known, KNOWLEDGE)
        shifted = evaluate(found.scenario, KNOWLEDGE).vms.cpu_pct
        before.append(abs(math.log(plain.value[10] / truth[10])))
        after.append(abs(math.log(shifted.value[10] / truth[10])))
        inside.append(shifted.low[10] <= truth[10] <= shifted.high[10])
    assert np.mean(after) < np.mean(before) / 2
    assert np.mean(inside) > 0.8


@pytest.mark.parametrize("servers", [4, 10, 20])
@pytest.mark.parametrize("published", [0.3, 1.2])
@pytest.mark.parametrize(("site", "scatter"), [(0.1, 0.05), (0.4, 0.2), (0.8, 0.35)])
def test_intervals_hold_what_they_say(
    servers: int, published: float, site: float, scatter: float
) -> None:
    draw = np.random.default_rng(servers)
    trials = 600
    held = 0
    for _ in range(trials):
        logs = draw.normal(0.0, site) + draw.normal(0.0, scatter, servers + 1)
        after = shift_of("cpu_pct", logs[:-1].tolist(), [published] * servers).after
        held += after.low <= math.exp(logs[-1]) <= after.high
    assert 0.85 <= held / trials <= 0.95


def test_a_server_alone_moves_half_way_and_keeps_the_published_scatter() -> None:
    found = shift_of("cpu_pct", [math.log(2.0)], [0.7])
    assert found.after.value == pytest.approx(math.sqrt(2.0))
    assert found.weight_pct == pytest.approx(50.0)
    assert found.half_width == pytest.approx(0.7 * math.sqrt(0.75))
    sure = shift_of("cpu_pct", [math.log(2.0)] * 3, [0.7] * 3)
    assert found.weight_pct < sure.weight_pct


def test_what_a_server_does_not_share_with_those_measured_stays_uncertain() -> None:
    scenario = customer([1000.0] * 6)
    plain = evaluate(scenario, KNOWLEDGE).vms.cpu_pct
    known = measured({f"m{n}": float(plain.value[n]) * 1.5 for n in range(5)})
    found = calibrated_to_site(scenario, known, KNOWLEDGE)
    hosts = (
        *scenario.hosts[:5],
        replace(scenario.hosts[5], server="r760-6530"),
        *scenario.hosts[6:],
    )
    moved = evaluate(replace(found.scenario, hosts=hosts), KNOWLEDGE).vms.cpu_pct
    widths = np.log(moved.high / moved.low)
    assert widths[5] > 1.5 * widths[0]
    assert widths[0] < 0.5 * np.log(plain.high[0] / plain.low[0])


def test_only_domino_servers_shift_and_only_under_the_same_basis() -> None:
    scenario = customer([500.0, 800.0])
    plain = evaluate(scenario, KNOWLEDGE)
    known = measured({"m0": float(plain.vms.iops.value[0]) * 3, "m2": 5.0}, "iops")
    found = calibrated_to_site(scenario, known, KNOWLEDGE)
    assert found.others == ("m2",)
    shifted = evaluate(found.scenario, KNOWLEDGE)
    ratio = shifted.vms.iops.value[:2] / plain.vms.iops.value[:2]
    assert ratio == pytest.approx([3.0, math.sqrt(3.0)], rel=1e-4)
    assert shifted.vms.cpu_pct.value.tolist() == plain.vms.cpu_pct.value.tolist()
    policy = replace(found.scenario.policy, load_basis=LoadBasis.BENCHMARK)
    other = evaluate(replace(found.scenario, policy=policy), KNOWLEDGE)
    without = evaluate(with_site(replace(found.scenario, policy=policy), None), KNOWLEDGE)
    assert other.vms.iops.value[:2].tolist() == without.vms.iops.value[:2].tolist()
    assert found.site is not None
    unused = replace(found.scenario.policy, site=replace(found.site, is_used=False))
    again = evaluate(replace(found.scenario, policy=unused), KNOWLEDGE)
    assert again.vms.iops.value[:2].tolist() == plain.vms.iops.value[:2].tolist()


def test_calibrated_twice_is_as_calibrated_once() -> None:
    scenario = customer([500.0, 800.0])
    known = [*measured({"m0": 20.0, "m1": 25.0}), *measured({"m9": 1.0})]
    once = calibrated_to_site(scenario, known, KNOWLEDGE)
    assert calibrated_to_site(once.scenario, known, KNOWLEDGE) == once
    assert once.unknown == ("m9",)
    assert once.coverage_pct == pytest.approx(100.0)
    assert origin_of(once.scenario, "policy.site.cpu_factor") is Origin.CALIBRATED


def test_nothing_of_a_domino_server_is_refused() -> None:
    with pytest.raises(ModelError, match="no measured CPU"):
        calibrated_to_site(customer([1.0]), measured({"m1": 5.0}), KNOWLEDGE)


def test_a_name_that_two_vms_have_is_nobodys() -> None:
    scenario = customer([1.0, 1.0])
    vms = tuple(replace(vm, name="Mail") for vm in scenario.vms)
    found = matched(measured({"Mail": 1.0, "m1": 2.0}), replace(scenario, vms=vms))
    assert (list(found.by_vm), found.unknown) == (["m1"], ("Mail",))


def test_a_measured_server_is_predicted_as_it_was_measured() -> None:
    """At whatever it was measured: shrinkage is for the others."""
    scenario = customer([1000.0] * 3)
    plain = evaluate(scenario, KNOWLEDGE).vms.cpu_pct
    own = {"m0": 80.0, "m1": 2.0}
    found = calibrated_to_site(scenario, measured(own), KNOWLEDGE)
    shifted = evaluate(found.scenario, KNOWLEDGE).vms.cpu_pct
    assert shifted.value[:2] == pytest.approx([80.0, 2.0], rel=1e-4)
    factor = found.quantities[0].after.value
    assert shifted.value[2] == pytest.approx(factor * plain.value[2], rel=1e-4)
    widths = np.log(shifted.high / shifted.value)
    assert widths[1] == pytest.approx(OWN_HALF_WIDTH, rel=1e-3)
    assert widths[1] < widths[2]
    assert [each.predicted for each in found.servers] == [80.0, 2.0]
    assert all(each.shifted != each.measured for each in found.servers)


def test_its_own_measurement_goes_where_the_server_goes() -> None:
    scenario = customer([1000.0] * 2)
    known = measured({"m0": 40.0}) + measured({"m1": 300.0}, "iops")
    found = calibrated_to_site(scenario, known, KNOWLEDGE).scenario
    elsewhere = found.with_item(replace(found.hosts[0], server="r760-8592"))
    here, there = (evaluate(each, KNOWLEDGE).vms.cpu_pct for each in (found, elsewhere))
    assert there.value[0] < here.value[0]
    assert there.high[0] / there.value[0] > here.high[0] / here.value[0]
    work = found.vms[0].workload
    more = found.with_item(replace(found.vms[0], workload=replace(work, active_users=1500.0)))
    busier = evaluate(more, KNOWLEDGE).vms.cpu_pct.value[0]
    assert here.value[0] < busier < 1.6 * here.value[0]
    io = evaluate(found, KNOWLEDGE).vms.iops.value
    assert io[1] == pytest.approx(300.0, rel=1e-4)


def test_of_the_ram_of_a_server_its_own_measurement_counts() -> None:
    scenario = customer([1000.0] * 2)
    given = scenario.vms[0].ram_gib
    known = measured({"m0": 0.3 * given, "m1": 0.9 * given}, "ram_gib")
    found = calibrated_to_site(scenario, known, KNOWLEDGE).scenario
    used = to_arrays(found, CATALOG).vms.own_memory_gib[:2] / given
    assert used == pytest.approx([0.3 * math.exp(OWN_HALF_WIDTH), 1.0], rel=1e-4)


def test_a_calibration_that_goes_takes_what_the_servers_keep_of_it() -> None:
    scenario = customer([1000.0] * 2)
    found = calibrated_to_site(scenario, measured({"m0": 40.0}), KNOWLEDGE).scenario
    assert found.vms[0].calibrated is not None
    assert origin_of(found.vms[0], "calibrated.cpu_factor") is Origin.CALIBRATED
    assert with_site(found, None) == scenario


def test_under_another_basis_the_model_speaks_and_a_finding_says_so() -> None:
    scenario = customer([1000.0] * 2)
    found = calibrated_to_site(scenario, measured({"m0": 40.0}), KNOWLEDGE).scenario
    policy = replace(found.policy, load_basis=LoadBasis.BENCHMARK)
    other, plain = (
        evaluate(replace(each, policy=replace(each.policy, load_basis=policy.load_basis)),
                 KNOWLEDGE)
        for each in (found, scenario)
    )  # fmt: skip
    assert other.vms.cpu_pct.value == pytest.approx(plain.vms.cpu_pct.value)
    assert "site-basis" in {each.rule for each in other.findings}
    assert "site-basis" not in {each.rule for each in plain.findings}

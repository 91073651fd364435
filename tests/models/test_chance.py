"""Many samples: they are predictions, spread as stated, and the same from the same seed."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from db.chance import chance_to_json, sensitivity_to_json
from models.errors import ModelError
from models.growth import busier
from models.origin import Origin
from models.prediction import Verdict
from models.quantities import Series
from models.scenario import LoadBasis, Posture, Scenario
from models.tell.chance import chance_sections, sensitivity_sections
from models.uncertainty.chance import (
    MODEL,
    PERCENTILES,
    Z_90,
    drawn,
    drivers,
    latin_hypercube,
    simulate,
    uncertain_inputs,
)
from models.uncertainty.sensitivity import OF, number, sensitivity, swings
from models.whatif import Ends, what_if
from tests.models.worlds import CALIBRATION, CATALOG, a_cluster_of, predict

SCENARIO = a_cluster_of(2, vms=2)
AT = (SCENARIO, CATALOG, CALIBRATION)


def test_work_and_mail_of_a_batch_are_those_of_a_prediction() -> None:
    mail = [[vm.workload.mail_file_mb * 2.0 for vm in SCENARIO.vms]]
    found = what_if(*AT, work=[1.3], mail_file_mb=mail)
    vms = tuple(
        replace(vm, workload=replace(vm.workload, mail_file_mb=vm.workload.mail_file_mb * 2.0))
        for vm in SCENARIO.vms
    )
    alone = predict(busier(replace(SCENARIO, vms=vms), 1.3))
    assert found.host_cpu_pct.value[0].tolist() == alone.hosts.cpu_pct.value.tolist()
    assert (
        found.pool_utilisation_pct.value[0].tolist() == alone.pools.utilisation_pct.value.tolist()
    )
    assert found.vm_response_ms.value[0].tolist() == alone.vms.response_ms.value.tolist()


def test_every_column_of_the_cube_has_one_share_in_each_stripe() -> None:
    shares = latin_hypercube(50, 4, seed=3)
    stripes = np.sort(np.floor(shares * 50).astype(int), axis=0)
    assert (stripes == np.arange(50)[:, None]).all()


def test_an_input_has_its_range_for_its_percentiles() -> None:
    users = uncertain_inputs(SCENARIO)[0]
    low, middle, high = users.at(np.array([0.05, 0.5, 0.95]))
    assert (low, middle, high) == pytest.approx((users.low, 1.0, users.high))


def test_what_was_measured_is_known_more_narrowly() -> None:
    paths = (("workload.active_users", Origin.MEASURED),)
    vms = tuple(replace(vm, origins=paths) for vm in SCENARIO.vms)
    measured, said = (uncertain_inputs(each)[0] for each in (replace(SCENARIO, vms=vms), SCENARIO))
    assert measured.high < said.high


def test_a_number_drawn_many_times_has_its_own_interval() -> None:
    """Closed form: of a split log-normal law the ends are the 5th and the 95th percentile."""
    z = np.random.default_rng(1).standard_normal(40_000)
    one = np.ones((len(z), 1))
    values = drawn(Ends(one * 100.0, one * 60.0, one * 190.0), z)[:, 0]
    assert np.percentile(values, [5, 50, 95]) == pytest.approx([60.0, 100.0, 190.0], rel=0.02)


def test_of_a_linear_case_percentiles_are_in_closed_form() -> None:
    """These VMs' CPU and I/O are in proportion to users and to their work, and their intervals are
    even: logarithms add up, and so do their variances; the middle is the prediction itself. Of the
    size of mail files, whose distance from what was measured widens an interval, there is none."""
    samples = 4000
    vms = tuple(replace(vm, workload=replace(vm.workload, mail_file_mb=0.0)) for vm in SCENARIO.vms)
    plain = replace(SCENARIO, vms=vms)
    found = simulate(plain, CATALOG, CALIBRATION, samples=samples, seed=1)
    today = predict(plain)
    inputs = [math.log(each.high) for each in uncertain_inputs(SCENARIO)[:2]]
    for table, subject, quantity in (
        (today.hosts, "h1", "cpu_pct"),
        (today.vms, "m1", "cpu_pct"),
        (today.vms, "m1", "iops"),
    ):
        number = table.quantity(subject, quantity)
        assert number.value
        assert number.high
        assert number.low
        own = math.log(number.high / number.value)
        assert own == pytest.approx(math.log(number.value / number.low))
        sigma = math.hypot(*inputs, own) / Z_90
        z = [NormalDist().inv_cdf(share / 100) for share in PERCENTILES]
        expected = [number.value * math.exp(sigma * each) for each in z]
        (spread,) = [s for s in found.spreads if (s.subject, s.quantity) == (subject, quantity)]
        # Three standard errors of a quantile, √(p(1 − p)/n)/φ(z), of the logarithm.
        density = [NormalDist().pdf(each) for each in z]
        errors = [
            3.0 * sigma * math.sqrt(p / 100 * (1 - p / 100) / samples) / d
            for p, d in zip(PERCENTILES, density, strict=True)
        ]
        for there, here, error in zip(spread.percentiles, expected, errors, strict=True):
            assert abs(math.log(there / here)) < error


def one_by_one(
    scenario: Scenario, factors: dict[str, np.ndarray], errors: np.ndarray
) -> tuple[np.ndarray, list[Verdict]]:
    """Host CPU and verdict of each sample by a prediction of its own: scenario by scenario.

    Args:
        factors: of the inputs, (s,) each; `errors`: z of each quantity of `MODEL`, (s, 4).
    """
    scenario = replace(scenario, policy=replace(scenario.policy, posture=Posture.AGGRESSIVE))
    cpu, verdicts = [], []
    for row, z in enumerate(errors):
        users, work, mail = (float(factors[each.id][row]) for each in uncertain_inputs(scenario))
        vms = tuple(
            replace(
                vm,
                workload=replace(
                    vm.workload,
                    active_users=vm.workload.active_users * users,
                    mail_file_mb=vm.workload.mail_file_mb * mail,
                ),
            )
            for vm in scenario.vms
        )
        found = predict(busier(replace(scenario, vms=vms), work))
        numbers = [
            (found.vms.cpu_pct, z[0], 70.0),
            (found.vms.response_ms, z[2], 1000.0),
            (found.hosts.cpu_pct, z[0], 70.0),
            (found.hosts.ram_pct, z[3], 100.0),
            (found.pools.utilisation_pct, z[1], scenario.policy.disk_limit_pct),
        ]
        values = [shifted(series, each) for series, each, _ in numbers]
        over = any((v > limit).any() for v, (_, _, limit) in zip(values, numbers, strict=True))
        over |= (found.headroom.failure_pct or 0.0) < 0.0
        cpu.append(values[2][0])
        verdicts.append(Verdict.DOES_NOT_FIT if over else found.verdict)
    return np.array(cpu), verdicts


def shifted(series: Series, z: float) -> np.ndarray:
    """A number with an error of so many standard deviations: the interval's ends at ±1.645."""
    end = series.high if z >= 0 else series.low
    return np.asarray(series.value * (end / series.value) ** (abs(z) / Z_90))


def test_samples_are_those_of_a_loop_over_predictions() -> None:
    """The very same draws, each as a scenario of its own: the same percentiles and chances."""
    laden, samples, seed = busier(SCENARIO, 9.0), 80, 3
    found = simulate(laden, CATALOG, CALIBRATION, samples=samples, seed=seed)
    inputs = uncertain_inputs(laden)
    shares = latin_hypercube(samples, len(inputs) + len(MODEL), seed)
    factors = {each.id: each.at(shares[:, row]) for row, each in enumerate(inputs)}
    z = np.vectorize(NormalDist().inv_cdf)(shares[:, len(inputs) :])
    cpu, verdicts = one_by_one(laden, factors, z)
    (host,) = [s for s in found.spreads if (s.subject, s.quantity) == ("h1", "cpu_pct")]
    assert host.percentiles == pytest.approx(np.percentile(cpu, PERCENTILES))
    counted = {each: 100.0 * verdicts.count(each) / samples for each in Verdict}
    assert found.verdicts == pytest.approx(counted)
    assert 0.0 < found.verdicts[Verdict.DOES_NOT_FIT] < 100.0


def test_quantiles_are_those_of_plain_random_draws_within_sampling_error() -> None:
    """A loop with draws of its own, without stripes: as many apart as its size explains."""
    laden, samples = busier(SCENARIO, 9.0), 150
    rng = np.random.default_rng(11)
    inputs = uncertain_inputs(laden)
    factors = {each.id: each.at(rng.uniform(size=samples)) for each in inputs}
    cpu, verdicts = one_by_one(laden, factors, rng.standard_normal((samples, len(MODEL))))
    found = simulate(laden, CATALOG, CALIBRATION, samples=2000, seed=0)
    (host,) = [s for s in found.spreads if (s.subject, s.quantity) == ("h1", "cpu_pct")]
    for share, quantile in zip(PERCENTILES, host.percentiles, strict=True):
        below = float(np.mean(cpu <= quantile))
        p = share / 100.0
        assert abs(below - p) < 3.5 * math.sqrt(p * (1 - p) / samples)
    p = found.verdicts[Verdict.DOES_NOT_FIT] / 100.0
    mine = verdicts.count(Verdict.DOES_NOT_FIT) / samples
    assert abs(mine - p) < 3.5 * math.sqrt(p * (1 - p) / samples)


def test_chances_are_of_all_verdicts_and_add_up() -> None:
    found = simulate(*AT, samples=200, seed=2)
    assert set(found.verdicts) == set(Verdict)
    assert sum(found.verdicts.values()) == pytest.approx(100.0)
    assert sum(share for _, share in found.drivers) == pytest.approx(100.0)


def test_twice_the_load_is_less_likely_to_fit() -> None:
    light = simulate(*AT, samples=200).verdicts[Verdict.DOES_NOT_FIT]
    heavy = simulate(busier(SCENARIO, 6.0), CATALOG, CALIBRATION, samples=200)
    assert heavy.verdicts[Verdict.DOES_NOT_FIT] > light


def test_the_same_seed_gives_the_same_bytes() -> None:
    one, two = (json.dumps(chance_to_json(simulate(*AT, samples=100, seed=7))) for _ in range(2))
    assert one == two
    assert one != json.dumps(chance_to_json(simulate(*AT, samples=100, seed=8)))


def test_a_cancelled_simulation_ends() -> None:
    def check() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        simulate(*AT, samples=50, check=check)


def test_a_driver_that_alone_moves_the_result_has_all_of_it() -> None:
    x = np.linspace(0.0, 1.0, 50)
    assert drivers({"a": x, "b": np.zeros(50)}, 3.0 * x) == [("a", 100.0), ("b", 0.0)]


def test_bars_are_predictions_at_the_ends_widest_first() -> None:
    found = sensitivity(*AT)
    widths = [bar.width for bar in found.bars]
    assert widths == sorted(widths, reverse=True)
    for bar in found.bars:
        there = bar.swing.change(SCENARIO, bar.swing.high)
        assert bar.at_high == number(predict(there), there.policy, found.of)


def test_the_verdict_turns_where_it_is_said_to() -> None:
    for bar in sensitivity(*AT).bars:
        if bar.turns_at is not None:
            turned = predict(bar.swing.change(SCENARIO, bar.turns_at)).verdict
            assert turned is not predict(SCENARIO).verdict


@pytest.mark.parametrize("of", OF)
def test_every_number_can_be_asked_about(of: str) -> None:
    found = sensitivity(*AT, of=of)
    assert json.loads(json.dumps(sensitivity_to_json(found)))["of"] == of
    assert sensitivity_sections(found, SCENARIO)


def test_a_number_there_is_not_is_refused() -> None:
    with pytest.raises(ModelError, match="there is no number"):
        sensitivity(*AT, of="luck")


def test_production_does_not_move_what_it_does_not_use() -> None:
    policy = replace(SCENARIO.policy, load_basis=LoadBasis.PRODUCTION)
    moved = [
        {each.input for each in swings(replace(SCENARIO, policy=p))}
        for p in (SCENARIO.policy, policy)
    ]
    assert moved[0] - moved[1] == {"policy.benchmark_derating"}


def test_what_is_told_has_every_verdict() -> None:
    found = simulate(*AT, samples=50)
    text = repr(chance_sections(found, SCENARIO)).lower()
    assert all(str(verdict.label) in text for verdict in Verdict)

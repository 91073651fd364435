"""Many samples: they are predictions, spread as stated, and the same from the same seed."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from db.chance import chance_to_json, sensitivity_to_json
from models.chance import drawn, drivers, latin_hypercube, simulate, uncertain_inputs
from models.errors import ModelError
from models.growth import busier
from models.origin import Origin
from models.prediction import Verdict
from models.scenario import LoadBasis
from models.sensitivity import OF, number, sensitivity, swings
from models.tell.chance import chance_sections, sensitivity_sections
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


def test_samples_are_those_of_a_loop_over_predictions() -> None:
    """The median CPU is that of today: inputs are spread evenly about it, and errors too."""
    found = simulate(*AT, samples=400, seed=1)
    (host,) = [s for s in found.spreads if (s.subject, s.quantity) == ("h1", "cpu_pct")]
    today = predict(SCENARIO).hosts.quantity("h1", "cpu_pct").value
    assert host.percentiles[1] == pytest.approx(today, rel=0.05)
    assert list(host.percentiles) == sorted(host.percentiles)


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

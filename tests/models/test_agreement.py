"""All that is said of a scenario is what `evaluate` says of it: random scenarios, one by one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.cli_file import given
from app.cli_place import placement_of_file
from db.codec import scenario_to_json
from models.arrange.plan import arrange
from models.base.fields import Grows
from models.base.quantities import Z_90
from models.judgement.draws import DRAWN
from models.predict.prediction import Prediction, Verdict
from models.scenario.growth import growing, with_more
from models.scenario.scenario import Scenario, Vm
from models.studies.runway import runway
from models.studies.sweep import read, sweep, sweep_inputs, sweep_outputs, value_range, varied
from models.uncertainty.sensitivity import LOAD, number, sensitivity
from models.whatif import what_if
from tests.models.any_scenario import any_scenario
from tests.models.worlds import KNOWLEDGE, predict

SEEDS = pytest.mark.seeds(plain=6, slow=1000)
FACTORS = (0.4, 1.0, 1.6)


@pytest.fixture
def scenario(seed: int) -> Scenario:
    return any_scenario(seed)


@SEEDS
def test_a_batch_has_the_verdicts_of_predictions_one_by_one(scenario: Scenario) -> None:
    found = what_if(scenario, KNOWLEDGE, factor=FACTORS)
    each = [predict(with_more(scenario, factor, *growing(Grows.USERS))) for factor in FACTORS]
    assert [Verdict(int(code)) for code in found.verdict] == [there.verdict for there in each]
    for row, there in enumerate(each):
        # A batch moves whole owners of mail files.
        cpu = there.hosts.cpu_pct.value
        assert found.host_cpu_pct.value[row] == pytest.approx(cpu, rel=1e-2, nan_ok=True)


@SEEDS
def test_a_sample_at_the_end_that_is_judged_fits_as_the_prediction_does(scenario: Scenario) -> None:
    """Where all errors are as the posture judges them, a drawn verdict fits only if the prediction
    does; and does so if no response, whose error is its law's and the load's, is near its limit."""
    z = np.array([Z_90 * scenario.policy.posture.share])
    found = what_if(scenario, KNOWLEDGE, factor=[1.0], errors=dict.fromkeys(DRAWN, z))
    today = predict(scenario)
    if today.verdict is not Verdict.FITS:
        assert found.verdict[0] != Verdict.FITS
    elif _slow(today) < 0.5 * scenario.policy.response_limit_ms:
        assert found.verdict[0] == Verdict.FITS


def _slow(prediction: Prediction) -> float:
    """The worst response as it is judged, losses included."""
    normal = prediction.vms.response_ms.high
    lost = [mode.response_ms.high or 0.0 for mode in prediction.failures]
    return float(np.nanmax([0.0, *normal, *lost]))


@SEEDS
def test_years_ahead_are_those_of_a_scenario_grown_by_hand(scenario: Scenario) -> None:
    found = runway(scenario, KNOWLEDGE, years=2.0, every=12)
    for step in found.steps:
        there = predict(grown_by_hand(scenario, step.month / 12.0))
        assert step.verdict is there.verdict
        cpu = [there.hosts.quantity(id, "cpu_pct").value for id in there.hosts.ids]
        known = [each for each in cpu if each is not None]
        assert step.normal["cpu_pct"] == pytest.approx(max(known, default=None))
    verdicts = [step.verdict for step in found.steps]
    turned = [i for i in range(1, len(verdicts)) if verdicts[i] is not verdicts[i - 1]]
    assert [turn.month for turn in found.turns] == [found.steps[i].month for i in turned]
    assert all(
        turn.resource or turn.rule or turn.why
        for turn in found.turns
        if turn.verdict > Verdict.NOT_KNOWN
    )


def grown_by_hand(scenario: Scenario, years: float) -> Scenario:
    plan = scenario.growth
    users, mail, load = (
        (1.0 + rate / 100.0) ** years for rate in (plan.users_pct, plan.mail_pct, plan.load_pct)
    )

    def later(vm: Vm) -> Vm:
        work = vm.workload
        return replace(
            vm,
            workload=replace(
                work,
                active_users=work.active_users * users,
                registered_users=_times(work.registered_users, users),
                mail_file_mb=work.mail_file_mb * mail,
                disk_gib=_times(work.disk_gib, mail),
                cpu_mhz=_times(work.cpu_mhz, load),
                iops=_times(work.iops, load),
            ),
        )

    policy = replace(scenario.policy, load_factor=scenario.policy.load_factor * load)
    return replace(scenario, policy=policy, vms=tuple(map(later, scenario.vms)))


def _times(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


@SEEDS
def test_a_plan_of_moves_ends_as_it_says(scenario: Scenario) -> None:
    plan = arrange(scenario, KNOWLEDGE, seconds=0.05, clock=lambda: 0.0)
    assert plan.before.verdict is predict(scenario).verdict
    assert plan.after.verdict is predict(plan.scenario).verdict
    assert plan.after.verdict <= plan.before.verdict


@pytest.mark.seeds(plain=2, slow=20)
def test_what_place_writes_evaluates_as_it_says(tmp_path: Path, seed: int) -> None:
    there, after = tmp_path / "there.json", tmp_path / "after.headroom"
    scenario = any_scenario(seed)
    there.write_bytes(scenario_to_json(scenario))
    placement_of_file(str(there), None, seconds=0.1, output=str(after), as_json=True)
    plan = arrange(scenario, KNOWLEDGE, seconds=0.1, clock=lambda: 0.0)
    written = given(str(after), None).scenario
    assert predict(written).verdict is plan.after.verdict


@pytest.mark.seeds(plain=2, slow=20)
def test_a_line_over_an_input_is_of_predictions(seed: int) -> None:
    scenario = any_scenario(seed)
    of = next(iter(sweep_inputs(scenario, ())))
    output = next(each for each in sweep_outputs(scenario, ()) if each.field == "cpu_pct")
    found = sweep(scenario, KNOWLEDGE, of, output, value_range(of))
    for row, value in enumerate(found.values.tolist()):
        there = varied(scenario, of, value)
        prediction = predict(there)
        assert found.verdict[row] == prediction.verdict
        expected = read(there, prediction, output).value
        assert found.number[row] == pytest.approx(
            np.nan if expected is None else expected, nan_ok=True
        )


@pytest.mark.seeds(plain=2, slow=20)
def test_bars_are_of_predictions_and_stand_on_todays(seed: int) -> None:
    scenario = any_scenario(seed)
    found = sensitivity(scenario, KNOWLEDGE)
    assert found.base == number(predict(scenario), scenario.policy, LOAD)
    for bar in found.bars:
        low, high = (bar.swing.change(scenario, end) for end in (bar.swing.low, bar.swing.high))
        assert bar.at_low == number(predict(low), low.policy, LOAD)
        assert bar.at_high == number(predict(high), high.policy, LOAD)

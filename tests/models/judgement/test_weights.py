"""What the product says in a finding reaches the verdict, in every way of asking for one."""

from __future__ import annotations

import pytest

from models.judgement.platform_limits import WEIGHTS, Kind
from models.judgement.rulebook import RULES
from models.predict.predicted import RESOURCES
from models.predict.prediction import Prediction, Severity, Verdict
from models.whatif import what_if
from tests.models.judgement.cases import CASES
from tests.models.worlds import KNOWLEDGE, found, predict
from tests.sweeps import some


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_weighs_or_says_why_it_does_not(rule: str) -> None:
    reason = RULES[rule].unweighed
    assert (rule in WEIGHTS) is not bool(reason)
    assert not reason or len(reason) > 10


def test_what_weighs_is_a_rule_and_weighs_something() -> None:
    assert set(WEIGHTS) <= set(RULES)
    for weight in (each for weights in WEIGHTS.values() for each in weights):
        assert weight.at_least > Verdict.FITS
        assert (weight.trips is None) is (weight.of is Kind.SCENARIO)
        assert set(weight.resources) <= set(RESOURCES)


@pytest.mark.parametrize("rule", some(sorted(CASES)))
def test_a_batch_of_what_ifs_says_the_same(rule: str) -> None:
    for scenario in (each for pair in CASES[rule] for each in pair if each.vms):
        codes = what_if(scenario, KNOWLEDGE, factor=[1.0, 1.0]).verdict.tolist()
        assert codes == [predict(scenario).verdict] * 2


@pytest.mark.parametrize("rule", sorted(set(WEIGHTS) & set(CASES)))
def test_what_a_rule_weighs_is_on_item_resource_and_scenario(rule: str) -> None:
    for tripping, clean in CASES[rule]:
        prediction = predict(tripping)
        spoken = found(prediction, rule)
        most = max(each.weight for each in spoken)
        assert most in {each.at_least for each in WEIGHTS[rule]} | {Verdict.FITS}
        assert prediction.verdict >= most
        assert not any(each.weight for each in found(predict(clean), rule))
        for each in spoken:
            assert _item(prediction, each.subject) >= each.weight
        for weight in WEIGHTS[rule]:
            if weight.at_least is most and len(WEIGHTS[rule]) == 1:
                for name in weight.resources:
                    assert (prediction.by_resource[name] or Verdict.FITS) >= most


@pytest.mark.parametrize("rule", sorted(set(CASES) - set(WEIGHTS)))
def test_what_weighs_nothing_is_no_error(rule: str) -> None:
    for tripping, _ in CASES[rule]:
        for each in found(predict(tripping), rule):
            assert each.weight is Verdict.FITS
            assert each.severity is not Severity.ERROR


def _item(prediction: Prediction, id: str) -> Verdict:
    """The verdict on an item; what is none has the scenario's."""
    for table in (prediction.vms, prediction.hosts, prediction.pools):
        if id in table:
            return table.verdict_of(table.index(id)) or Verdict.FITS
    return prediction.verdict

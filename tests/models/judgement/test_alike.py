"""Findings of items that are alike are told apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.synthetic import OVERLOAD, synthetic_scenario
from models.base.quantities import FloatArray
from models.judgement.failure_table import FailureTable
from models.scenario.scenario import Scenario
from tests.models.worlds import a_cluster_of, a_vm, found, predict, with_policy

BUSY = synthetic_scenario(4, 40, load=OVERLOAD)
SLOW = with_policy(synthetic_scenario(4, 40), response_limit_ms=1.0)
OF_ITEMS = [
    ("cpu-over-limit", BUSY),
    ("lun-queue-depth", BUSY),
    ("n-plus-one", BUSY),
    ("response-over-limit", SLOW),
]


def test_items_alike_in_all_but_their_id_have_findings_of_their_own() -> None:
    base = a_cluster_of(2, vms=0)
    hosts = tuple(replace(host, name="Twin") for host in base.hosts)
    vms = tuple(replace(a_vm(id, 9000.0, host="h1"), name="Mail") for id in ("m1", "m2"))
    scenario = with_policy(replace(base, hosts=hosts, vms=vms), response_limit_ms=1.0)
    findings = found(predict(scenario), "response-over-limit")
    assert [each.subject for each in findings] == ["m1", "m2"]
    assert findings[0].text == findings[1].text


@pytest.mark.parametrize(("rule", "scenario"), OF_ITEMS)
def test_another_name_is_told(rule: str, scenario: Scenario) -> None:
    finding = found(predict(scenario), rule)[0]
    item = next(each for each in scenario.items() if each.id == finding.subject)
    renamed = scenario.with_item(replace(item, name="Elsewhere"))
    (other,) = (each for each in found(predict(renamed), rule) if each.subject == item.id)
    assert other.text == finding.text.replace(item.name, "Elsewhere", 1) != finding.text
    assert found(predict(scenario), rule)[0] == finding


def test_how_it_stood_before_is_worked_out_once_for_all_failures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[int] = []
    work_out = FailureTable.worst_before

    def counted(self: FailureTable, response_ms: FloatArray) -> FloatArray:
        calls.append(len(self.ids))
        return work_out(self, response_ms)

    monkeypatch.setattr(FailureTable, "worst_before", counted)
    scenario = synthetic_scenario(20, 200, load=OVERLOAD)
    assert len(found(predict(scenario), "n-plus-one")) == 20
    assert calls == [20]

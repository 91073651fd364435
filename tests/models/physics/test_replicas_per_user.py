"""Copies of mail files in a Domino cluster move CPU, I/O, network and space of its members."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest

from models.base.quantities import Basis
from models.evidence.domino_cluster import PUSH_OF_A_COPY, RECEIVED_EXPONENT, copies_growth
from models.explain.derivation import explain
from models.predict.predicted import NumberRef
from models.predict.prediction import Prediction
from models.scenario.scenario import Scenario
from resources.evidence_files import external_rule_records
from tests.models.worlds import KNOWLEDGE, inputs_of, members, predict

PRINTED = {
    record["id"].removeprefix("rule/domino-r4-6-cluster/"): float(record["value"])
    for record in external_rule_records()
    if record["id"].startswith("rule/domino-r4-6-cluster/")
}
TASKS = ("one-replicator", "as-many-replicators")


def measured(what: str, tasks: str, *standbys: str) -> list[float]:
    return [PRINTED[f"{what}-{count}-standbys-{tasks}"] for count in standbys]


def one_active(standbys: int, copies: int, users: float = 3300.0) -> Scenario:
    """One server with users, and so many that hold its files for it."""
    base = members(standbys + 1, 0.0, vcpus=2)
    first = base.vms[0]
    busy = replace(first, workload=replace(first.workload, active_users=users))
    (cluster,) = base.clusters
    return replace(
        base,
        clusters=(replace(cluster, replicas_per_user=copies),),
        vms=(busy, *base.vms[1:]),
    )


def cpu(prediction: Prediction, row: int) -> float:
    return float(prediction.vms.cpu_pct.value[row])


class TestEvidence:
    def test_what_a_copy_pushes_is_the_lines_through_what_was_measured(self) -> None:
        copies = np.array([2.0, 4.0, 5.0])
        points = [
            measured("cpu-of-the-active-server", each, "two", "four", "five") for each in TASKS
        ]
        lines = [
            np.polyfit(np.tile(copies, len(y) // 3), y, 1)
            for y in (*points, [*points[0], *points[1]])
        ]
        one, many, both = (slope / base for slope, base in lines)
        assert PUSH_OF_A_COPY["cpu"] == pytest.approx((both, one, many), abs=1e-3)
        steps = [measured("disk-of-the-active-server", each, "two", "four") for each in TASKS]
        found = [(four - two) / (4 * two - 2 * four) for two, four in steps]
        assert PUSH_OF_A_COPY["disk"] == pytest.approx(
            (fmean(found), min(found), max(found)), abs=1e-3
        )

    def test_what_a_standby_takes_grows_as_it_was_measured(self) -> None:
        powers = []
        for each in TASKS:
            two, four, five = measured("cpu-of-a-standby", each, "two", "four", "five")
            powers += [np.log(four / two) / np.log(2.0), np.log(five / two) / np.log(2.5)]
        value, least, most = RECEIVED_EXPONENT
        assert value == pytest.approx(fmean(powers), abs=0.1)
        assert least < min(powers)
        assert most == pytest.approx(max(powers), abs=0.01)

    def test_the_growth_holds_what_was_measured(self) -> None:
        for each in TASKS:
            two, *more = measured("cpu-of-the-active-server", each, "two", "four", "five")
            for copies, found in zip((4.0, 5.0), more, strict=True):
                value, low, high = copies_growth([2.0, copies], "cpu", 0.055)[:, 1]
                assert low < found / two * copies_growth(2.0, "cpu", 0.055)[0] < 1.15 * high
                assert low < value < high


class TestStandbys:
    def test_active_and_standby_grow_with_the_standbys_that_hold_everything(self) -> None:
        two, five = (predict(one_active(count, count + 1)) for count in (2, 5))
        assert 1.6 <= cpu(five, 0) / cpu(two, 0) <= 2.2
        assert 2.0 <= cpu(five, 1) / cpu(two, 1) <= 2.7
        assert five.vms.network_mbps.value[0] > 1.5 * two.vms.network_mbps.value[0]
        assert five.vms.iops.value[0] > two.vms.iops.value[0]
        assert five.vms.iops.value[1] == pytest.approx(two.vms.iops.value[1])
        assert five.pools.capacity_pct.value[0] == pytest.approx(
            2.0 * two.pools.capacity_pct.value[0]
        )

    def test_more_than_one_further_copy_is_never_measured(self) -> None:
        for row, prediction in ((0, predict(one_active(3, 4))), (1, predict(one_active(3, 4)))):
            quantity = prediction.vms.cpu_pct[row]
            assert quantity.basis is Basis.TRANSFERRED
            assert quantity.high is not None
            assert quantity.low is not None
            assert quantity.high / quantity.low > 2.0

    def test_copies_are_no_more_than_members(self) -> None:
        assert cpu(predict(one_active(2, 9)), 0) == cpu(predict(one_active(2, 3)), 0)

    def test_two_copies_are_what_files_without_the_field_mean(self) -> None:
        pair = members(4, 900.0)
        assert pair.clusters[0].replicas_per_user == 2
        inputs = inputs_of(pair)
        assert inputs.more_copies is None
        assert inputs.received is not None
        assert inputs.received.tolist() == pytest.approx([900.0] * 4)

    def test_without_further_copies_nobody_takes_any(self) -> None:
        prediction = predict(one_active(2, 1))
        assert cpu(prediction, 1) == 0.0


@pytest.mark.parametrize("quantity", ["cpu_pct", "iops", "network_mbps"])
@pytest.mark.parametrize("row", [0, 2])
def test_the_derivation_adds_up(quantity: str, row: int) -> None:
    scenario = one_active(4, 4, users=1700.0)
    prediction = predict(scenario)
    expected = getattr(prediction.vms, quantity).value[row]
    asked = NumberRef("vms", f"m{row + 1}", quantity)
    found = explain(asked, scenario, KNOWLEDGE, prediction)
    assert found.root is not None
    assert found.root.value == pytest.approx(float(expected), rel=1e-9)

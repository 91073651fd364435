"""A host that is lost takes its drives along."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models.base.quantities import GIB_PER_GB
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.host_loss import lose_host
from models.physics.scenario_to_arrays import pools_of
from models.predict.prediction import Prediction, Verdict
from models.resilience.study import study_failures
from models.scenario.scenario import Admission, AdmissionPolicy, Cluster, Loss, Posture, Scenario
from models.whatif import what_if
from tests.models.worlds import CALIBRATION, CATALOG, KNOWLEDGE, on_vsan, predict, with_policy

TWO_GONE = Cluster(
    id="c1",
    name="Mail",
    admission=Admission(policy=AdmissionPolicy.HOST_FAILURES, host_failures=2),
)


def busy(prediction: Prediction) -> float:
    return float(prediction.pools.utilisation_pct.value[0])


def usable_gib(scenario: Scenario) -> float:
    pools = pools_of(scenario, CATALOG)
    return float(pools.data_drives[0] * pools.capacity_gb[0] * GIB_PER_GB)


@pytest.mark.parametrize(
    ("hosts", "pool", "held"),
    [
        (4, {"raid": "5"}, 3 / 4),
        (4, {"raid": "1"}, 1 / 2),
        (5, {"raid": "1", "failures_to_tolerate": 2}, 1 / 3),
        (6, {"raid": "6"}, 4 / 6),
        (3, {"array": "vsan-esa", "disk": "nvme"}, 2 / 3 / 1.131),
        (6, {"array": "vsan-esa", "disk": "nvme"}, 4 / 5 / 1.131),
    ],
)
def test_space_by_policy(hosts: int, pool: dict[str, Any], held: float) -> None:
    raw = 4 * hosts * (3200 if pool.get("disk") else 960) * GIB_PER_GB
    old = on_vsan(hosts, **pool)
    assert usable_gib(old) == pytest.approx(raw * 0.7 * held)
    new = on_vsan(hosts, release="vsphere-8.0", **pool)
    assert usable_gib(new) == pytest.approx((raw * 0.95 - 255 * hosts * GIB_PER_GB) * held)
    asked = on_vsan(hosts, reserve_pct=20.0, **pool)
    assert usable_gib(asked) == pytest.approx(raw * 0.8 * held)


def test_nodes_add_up() -> None:
    pools = pools_of(on_vsan(4), CATALOG)
    assert pools.ceiling_iops[0] == 4 * (CATALOG.arrays["vsan-osa-af-8"].ceiling_iops or 0)
    assert pools.write_penalty[0] == 4
    three = pools_of(on_vsan(5, raid="1", failures_to_tolerate=2), CATALOG)
    assert three.write_penalty[0] == 3


def test_hosts_that_are_not_of_the_pool_carry_none_of_it() -> None:
    all_four = on_vsan(4, raid="1", spindles=12)
    few = all_four.with_item(replace(all_four.pools[0], hosts=("h1", "h2", "h3")))
    assert pools_of(few, CATALOG).host_count[0] == 3
    gone = {mode.mode.subject: mode.disk_pct.value for mode in predict(few).failures}
    assert gone["h4"] is None
    assert gone["h1"] is not None
    assert few.without(("h2",)).pools[0].hosts == ("h1", "h3")


def test_what_is_left_is_busier() -> None:
    """By n over n − 1, in the table of failures, the study and what is left as a scenario."""
    scenario = on_vsan(4, users=600.0, disk="sata-7k2", array="vsan-osa-hy-8", raid="1")
    prediction = predict(scenario)
    (first, *_) = prediction.failures
    assert first.disk_pct.value == pytest.approx(busy(prediction) * 4 / 3)
    assert first.response_ms.value is not None
    assert first.response_ms.value > float(np.nanmax(prediction.vms.response_ms.value))
    study = study_failures(scenario, KNOWLEDGE)
    mode = study.of("host h1")
    assert mode is not None
    assert mode.disk_pct.value == pytest.approx(busy(prediction) * 4 / 3)
    assert mode.note == first.note
    left = lose_host(scenario, KNOWLEDGE, "h1").scenario
    assert left.pools[0].hosts == ("h2", "h3", "h4")
    assert busy(predict(left)) == pytest.approx(busy(prediction) * 4 / 3)


def of_users(users: float) -> Scenario:
    return on_vsan(4, users=users, disk="sata-7k2", array="vsan-osa-hy-8", raid="1")


def test_drives_that_are_too_few_with_a_host_gone_put_at_risk() -> None:
    """In evaluate and in a batch alike; not where the loss need not be survived."""
    limit = 52.0
    scenario = with_policy(of_users(400.0), posture=Posture.AGGRESSIVE)
    normal = busy(predict(scenario))
    users = 400.0 * limit / normal
    scenario = with_policy(of_users(users), posture=Posture.AGGRESSIVE, response_limit_ms=1e6)
    prediction = predict(scenario)
    assert 0.9 * 70 > busy(prediction) > 0.75 * 0.9 * 70
    assert prediction.verdict is Verdict.AT_RISK
    assert "with H1 gone, disk utilisation of P1 would reach" in prediction.sentence
    assert {mode.verdict for mode in prediction.failures} == {Verdict.AT_RISK}
    assert "drives that are left of a pool" in prediction.failures[0].note
    batch = what_if(scenario, KNOWLEDGE, factor=[1.0, 0.5])
    assert batch.verdict.tolist()[0] == Verdict.AT_RISK
    careless = with_policy(scenario, survive=(Loss.PARTNER,))
    assert predict(careless).verdict < Verdict.AT_RISK
    assert predict(of_users(10.0)).verdict is Verdict.FITS


def test_data_that_no_host_may_take_along() -> None:
    bare = on_vsan(4, users=10.0, raid="1", failures_to_tolerate=0)
    prediction = predict(bare)
    assert prediction.verdict is Verdict.AT_RISK
    assert "with 1 of its hosts gone, data of P1 is out of reach" in prediction.sentence
    assert prediction.failures[0].verdict is Verdict.DOES_NOT_FIT
    assert "data is out of reach" in prediction.failures[0].note
    batch = what_if(bare, KNOWLEDGE, factor=[1.0])
    assert batch.verdict.tolist() == [Verdict.AT_RISK]


def test_two_hosts_at_once_need_a_policy_that_bears_it() -> None:
    one = replace(on_vsan(5, users=10.0, raid="1"), clusters=(TWO_GONE,))
    assert predict(one).verdict is Verdict.AT_RISK
    assert "with 2 of its hosts gone" in predict(one).sentence
    two = replace(one, pools=(replace(one.pools[0], failures_to_tolerate=2),))
    assert predict(two).verdict is Verdict.FITS


def test_a_host_without_vms_takes_its_drives_along_all_the_same() -> None:
    scenario = on_vsan(4, users=10.0)
    spare = replace(scenario, vms=scenario.vms[:3])
    last = predict(spare).failures[-1]
    assert last.mode.subject == "h4"
    assert last.disk_pct.value == pytest.approx(busy(predict(spare)) * 4 / 3)


def test_vsan_has_no_controllers_to_lose() -> None:
    study = study_failures(on_vsan(users=10.0), KNOWLEDGE)
    assert study.of("controller p1") is None
    alone = replace(
        on_vsan(users=10.0), assumptions=replace(on_vsan().assumptions, array_controllers=1)
    )
    assert predict(alone).verdict is Verdict.FITS


def test_nodes_without_a_figure_are_not_known_in_a_loss() -> None:
    silent = CATALOG.arrays["vsan-osa-af-8"]
    own = replace(
        CATALOG,
        arrays={**CATALOG.arrays, "own-node": replace(silent, id="own-node", ceiling_iops=None)},
    )
    scenario = on_vsan(users=10.0, array="own-node")
    prediction = evaluate(scenario, Knowledge(own, CALIBRATION))
    assert prediction.verdict is Verdict.NOT_KNOWN
    assert "loss of a host with its drives not known for P1" in prediction.sentence

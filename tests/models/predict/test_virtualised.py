"""Physical servers as VMs on the hardware that they have."""

from __future__ import annotations

import pytest

from models.predict.virtualised import virtualised
from tests.models.worlds import KNOWLEDGE, a_scenario, found, predict, wv21


@pytest.mark.parametrize(("users", "least", "most"), [(3000.0, 44.0, 56.0), (4000.0, 66.0, 75.0)])
def test_what_the_same_box_would_ask_for(users: float, least: float, most: float) -> None:
    """WV21: 19.5 and 27.7 % as a physical server, 2.4 to 2.7 times as much under ESX 3.0.1."""
    after = virtualised(wv21("x366", "physical", 6.0, users), KNOWLEDGE)
    assert least <= after.cpu_pct[0] <= most
    assert {each.id for each in after.hypervisors.values()} == {"esx-3.0.1"}


def test_what_is_a_vm_already_stays_as_it_is() -> None:
    scenario = a_scenario()
    after = virtualised(scenario, KNOWLEDGE)
    assert after.cpu_pct == pytest.approx(predict(scenario).vms.cpu_pct.value)


def test_a_poor_candidate_is_one_after_the_move() -> None:
    poor = found(predict(wv21("x366", "physical", 6.0, 4000.0)), "poor-candidate")
    assert "as a VM under VMware ESX 3.0.1 on the same hardware it would ask for" in poor[0].text
    for good in (
        wv21("x366", "physical", 6.0, 500.0),
        wv21("x366", "physical", 6.0, 3000.0),
        wv21("clovertown", "vmfs", 14.5, 4000.0),
    ):
        assert not found(predict(good), "poor-candidate")

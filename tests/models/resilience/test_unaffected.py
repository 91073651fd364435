"""Slower VMs that a failure leaves alone are named, so that no loss looks like a gain."""

from __future__ import annotations

from dataclasses import replace

from models.base.quantities import NO_DATA
from models.scenario.wording import THIN, value_text
from models.tell.failures import Unaffected
from tests.models.worlds import a_cluster_of, predict


def test_the_slowest_of_those_left_alone_is_named_where_it_is_slower() -> None:
    scenario = a_cluster_of(3, vms=3, users=1000.0)
    alone = replace(scenario.hosts[2], cluster=None)
    scenario = replace(scenario, hosts=(*scenario.hosts[:2], alone))
    there = next(vm for vm in scenario.vms if vm.host == alone.id)
    busy = replace(there, workload=replace(there.workload, active_users=4000.0))
    scenario = replace(scenario, vms=tuple(busy if vm.id == busy.id else vm for vm in scenario.vms))
    prediction = predict(scenario)
    own = prediction.failures[0].response_ms
    slow = prediction.vms.quantity(busy.id, "response_ms")
    assert (slow.value or 0.0) > (own.value or 0.0)
    text = Unaffected(scenario, prediction).text(["h1"], own)
    assert text == f"elsewhere {value_text(slow, 'ms')} as before ({busy.name})"
    assert THIN in text
    assert Unaffected(scenario, prediction).text([alone.id], slow) == ""
    assert Unaffected(scenario, prediction).text(["h1"], slow) == ""
    assert Unaffected(scenario, prediction).text(["h1"], NO_DATA) == text


def test_in_one_cluster_nothing_is_left_alone() -> None:
    scenario = a_cluster_of(2, vms=2)
    assert Unaffected(scenario, predict(scenario)).text(["h1"], NO_DATA) == ""

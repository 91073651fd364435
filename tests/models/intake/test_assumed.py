"""Figures that are assumed: by whom, how wide, and until somebody knows better."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.calibrated import shipped_knowledge
from models.customer.value_of_information import questions
from models.evaluate import evaluate
from models.intake.assumed import Assumed, CpuUnit, Group, GroupBy, Range, lacking, with_assumed
from models.scenario.edit_origins import marked
from models.scenario.origin import Origin
from models.scenario.scenario import Scenario, Vm, Workload
from models.scenario.workloads import WorkloadKind
from resources.catalog_files import load_catalog
from tests.models.worlds import a_scenario, a_vm

RULE = Assumed(cpu=Range(500.0, 2000.0), cpu_unit=CpuUnit.MHZ, io=Range(10.0, 40.0))


def unmeasured(*names: str) -> Scenario:
    vms = [
        replace(a_vm(name), name=name, vcpus=1, workload=Workload(kind=WorkloadKind.GENERIC))
        for name in names
    ]
    return a_scenario(vms=tuple(vms))


def assumed() -> Scenario:
    return with_assumed(unmeasured("a"), [RULE], load_catalog().servers)


def test_a_stated_range_is_that_of_the_prediction() -> None:
    prediction = evaluate(assumed(), shipped_knowledge())
    iops = prediction.vms.quantity("a", "iops")
    assert (iops.low, iops.value, iops.high) == pytest.approx((10.0, 20.0, 40.0))
    cpu = prediction.vms.quantity("a", "cpu_pct")
    assert cpu.high is not None
    assert cpu.low is not None
    assert cpu.high / cpu.low == pytest.approx(4.0)


def test_the_first_rule_for_a_vm_holds_and_others_stay_unknown() -> None:
    first = replace(RULE, io=None, group=Group(GroupBy.NAME, "web*"))
    both = [first, replace(RULE, cpu=Range.around(100.0), group=Group(GroupBy.NAME, "*-1"))]
    before = unmeasured("web-1", "db-1", "db-2")
    after = with_assumed(before, both, load_catalog().servers)
    assert [vm.workload.cpu_mhz for vm in after.vms] == pytest.approx([1000.0, 100.0, None])
    assert (lacking(before), lacking(after)) == ((3, 3, 3), (1, 1, 1))


def test_who_says_the_figure_takes_its_range_away() -> None:
    before = assumed()
    (vm,) = before.vms
    said = replace(vm, workload=replace(vm.workload, cpu_mhz=700.0))
    (after,) = marked(before, before, before.with_item(said), Origin.MANUAL).vms
    assert isinstance(after, Vm)
    assert (after.workload.cpu_spread, after.workload.iops_spread) == (None, 2.0)


def test_what_is_assumed_is_asked_for_within_its_range() -> None:
    found = questions(assumed(), shipped_knowledge())
    asked = {each.input: each.narrows_pct for each in found}
    assert asked["workload.cpu_mhz"] > 0

"""Every input has an origin, said or inferred; an edit marks what it changed and keeps pins."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from models.base.errors import ModelError
from models.base.fields import leaves_of, value_at, with_value
from models.check import check_values
from models.scenario.data_coverage import (
    DATA_FIELDS,
    coverage_text,
    data_coverage,
    is_data,
    origin_counts,
)
from models.scenario.edit_origins import keeping_pins, marked
from models.scenario.inputs import (
    KINDS,
    applies,
    input_paths,
    inputs,
    is_pinned,
    origin_of,
    unsaid,
    with_origin,
    with_pin,
)
from models.scenario.origin import Origin
from models.scenario.scenario import Admission, AdmissionPolicy, Cluster, Host, Scenario, Vm
from models.scenario.workloads import WorkloadKind
from tests.chance import dear
from tests.db.strategies import scenarios
from tests.models.worlds import a_pool, a_scenario, a_vm

NO_INPUTS = {"id", "name", "origins", "pins"}
TEXTS = {"customer", "author", "notes", "imported_from"}
OF_FILES = {"grade.measured_vms_pct", "grade.days"}


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_is_an_input_but_for_names_texts_and_grades(kind: type) -> None:
    apart = NO_INPUTS | TEXTS | OF_FILES
    assert set(input_paths(kind)) == {path for path in leaves_of(kind) if path not in apart}


def test_data_fields_are_inputs() -> None:
    for kind, paths in DATA_FIELDS.items():
        assert paths <= set(input_paths(kind))


def test_what_nobody_said_is_inferred() -> None:
    vm = a_vm(ram_gib=8.0)
    assert origin_of(vm, "ram_gib") is Origin.MANUAL
    assert origin_of(vm, "restart_priority") is Origin.DEFAULT
    assert origin_of(replace(vm, guest_bits=64), "guest_bits") is Origin.MANUAL
    assert origin_of(Scenario(name="x"), "policy.benchmark_derating") is Origin.DEFAULT
    said = with_origin(vm, Origin.CUSTOMER, "restart_priority")
    assert origin_of(said, "restart_priority") is Origin.CUSTOMER


def test_pins_come_and_go() -> None:
    vm = with_pin(with_pin(a_vm(), "ram_gib", pinned=True), "host", pinned=True)
    assert vm.pins == ("host", "ram_gib")
    assert is_pinned(vm, "host")
    assert with_pin(vm, "host", pinned=False).pins == ("ram_gib",)


@pytest.mark.parametrize(("path", "value"), [("ram_gib", 3.0), ("workload.active_users", 7.0)])
def test_a_value_is_put_where_it_is_read(path: str, value: float) -> None:
    assert value_at(with_value(a_vm(), path, value), path) == value


def test_inputs_that_mean_nothing_are_left_out() -> None:
    generic = a_vm(kind=WorkloadKind.GENERIC)
    assert not applies(generic, "workload.active_users")
    assert applies(generic, "workload.cpu_mhz")
    assert not applies(a_vm(kind=WorkloadKind.SAMETIME_MUX), "workload.mail_file_mb")
    percentage = Admission(policy=AdmissionPolicy.PERCENTAGE)
    cluster = Cluster(id="c1", name="c1", admission=percentage)
    assert applies(cluster, "admission.cpu_pct")
    assert applies(cluster, "admission.host_failures")
    assert not applies(cluster, "admission.failover_host")
    listed = {(each.subject, each.path) for each in inputs(a_scenario(vms=(generic,)))}
    assert ("m1", "workload.cpu_mhz") in listed
    assert ("m1", "workload.active_users") not in listed
    assert ("", "policy.cpu_limit_pct") in listed


@dear()
@given(scenarios())
def test_every_input_of_any_scenario_has_an_origin(scenario: Scenario) -> None:
    found = list(inputs(scenario))
    assert all(isinstance(each.origin, Origin) for each in found)
    assert sum(count for _, count in origin_counts(scenario)) == len(found)
    coverage = data_coverage(scenario)
    assert coverage.data == sum(map(is_data, found))
    assert coverage.known == sum(is_data(each) and each.origin.is_data for each in found)


# --- edits ------------------------------------------------------------------------------------


def edited(scenario: Scenario, **change: object) -> Scenario:
    return scenario.edit(Vm, "m1", lambda vm: replace(vm, **change))  # type: ignore[arg-type]


def test_an_edit_marks_what_it_changed_and_nothing_else() -> None:
    before = a_scenario(vms=(a_vm("m1"), a_vm("m2")))
    after = marked(before, before, edited(before, ram_gib=9.0), Origin.MANUAL)
    assert after.vm("m1").origins == (("ram_gib", Origin.MANUAL),)
    assert after.vm("m2") is before.vm("m2")
    assert marked(before, before, before, Origin.MANUAL) is before


def test_a_gesture_that_comes_back_leaves_no_mark() -> None:
    vm = with_origin(a_vm("m1", ram_gib=8.0), Origin.BENCHMARK, "ram_gib")
    before = a_scenario(vms=(vm,))
    half_way = marked(before, before, edited(before, ram_gib=9.0), Origin.MANUAL)
    assert origin_of(half_way.vm("m1"), "ram_gib") is Origin.MANUAL
    back = marked(before, half_way, edited(half_way, ram_gib=8.0), Origin.MANUAL)
    assert back == before


def test_origins_that_the_edit_says_itself_stay() -> None:
    before = a_scenario(vms=(a_vm("m1"),))
    said = before.edit(Vm, "m1", lambda vm: with_origin(vm, Origin.CUSTOMER, "vcpus"))
    assert marked(before, before, said, Origin.MANUAL) == said
    both = edited(said, vcpus=4)
    assert origin_of(marked(before, before, both, Origin.AUTO).vm("m1"), "vcpus") is (
        Origin.CUSTOMER
    )


def test_the_scenarios_own_values_are_marked_too() -> None:
    before = a_scenario()
    after = replace(before, policy=replace(before.policy, cpu_limit_pct=61.0))
    assert marked(before, before, after, Origin.MANUAL).origins == (
        ("policy.cpu_limit_pct", Origin.MANUAL),
    )


def test_added_and_removed_items_are_left_as_they_are() -> None:
    before = a_scenario(vms=(a_vm("m1"), a_vm("m2")))
    new = with_origin(a_vm("m9"), Origin.DEFAULT)
    after = before.without(["m2"]).with_item(new)
    result = marked(before, before, after, Origin.MANUAL)
    assert result.vm("m9") == new
    assert [vm.id for vm in result.vms] == ["m1", "m9"]


def test_what_acts_on_its_own_leaves_pinned_values_alone() -> None:
    vm = with_pin(
        with_origin(a_vm("m1", ram_gib=8.0), Origin.CUSTOMER, "ram_gib"), "ram_gib", pinned=True
    )
    before = a_scenario(vms=(vm,))
    auto = marked(before, before, edited(before, ram_gib=64.0, vcpus=8), Origin.AUTO)
    kept = keeping_pins(before, auto).vm("m1")
    assert (kept.ram_gib, kept.vcpus) == (8.0, 8)
    assert origin_of(kept, "ram_gib") is Origin.CUSTOMER
    assert origin_of(kept, "vcpus") is Origin.AUTO


def test_a_pinned_host_that_is_gone_is_not_put_back() -> None:
    before = a_scenario(vms=(with_pin(a_vm("m1"), "host", pinned=True),))
    after = before.without([before.hosts[0].id])
    assert keeping_pins(before, after).vm("m1").host is None


def test_a_pinned_policy_stays() -> None:
    before = with_pin(a_scenario(), "policy.cpu_limit_pct", pinned=True)
    after = replace(before, policy=replace(before.policy, cpu_limit_pct=20.0))
    assert keeping_pins(before, after) == before


# --- checks -----------------------------------------------------------------------------------


def test_marks_of_fields_that_do_not_exist_are_refused() -> None:
    scenario = a_scenario()
    host = scenario.hosts[0]
    for wrong, field in (
        (replace(host, origins=(("ram_gb", Origin.MANUAL),)), "hosts[0].origins.ram_gb"),
        (replace(host, pins=("name",)), "hosts[0].pins[0]"),
        (replace(host, pins=("ram_gib", "ram_gib")), "hosts[0].pins"),
    ):
        with pytest.raises(ModelError) as problem:
            check_values(scenario.with_item(wrong))
        assert problem.value.field == field


# --- coverage ---------------------------------------------------------------------------------


def test_coverage_counts_what_is_known_of_this_customer() -> None:
    plain = a_scenario(vms=(a_vm("m1"),))
    before = data_coverage(plain)
    assert before.known == 0
    said = plain.edit(
        Vm, "m1", lambda vm: with_origin(vm, Origin.CUSTOMER, "workload.active_users", "ram_gib")
    )
    after = data_coverage(said)
    assert (after.known, after.data) == (1, before.data)
    assert dict(origin_counts(said))[Origin.CUSTOMER] == 2
    assert after.share == pytest.approx(1 / before.data)


def test_an_empty_scenario_has_only_the_policy_to_ask_about() -> None:
    coverage = data_coverage(Scenario(name="empty", hosts=(), vms=()))
    assert coverage.data == len(DATA_FIELDS[Scenario])
    assert "0 of 4" in coverage_text(coverage)


def test_hosts_describe_no_load() -> None:
    assert Host not in DATA_FIELDS


def test_what_vsan_alone_has_is_told_of_no_other_pool() -> None:
    pool = a_pool()
    assert not {"hosts", "failures_to_tolerate", "reserve_pct"} & {*unsaid(pool)}
    scenario = a_scenario(pools=(pool, a_pool("p2", reserve_pct=20.0)))
    told = {(each.subject, each.path) for each in inputs(scenario)}
    assert ("p2", "reserve_pct") in told
    assert ("p1", "reserve_pct") not in told
    assert ("p1", "hosts") not in told

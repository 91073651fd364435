"""Comparisons list what differs, no more and no less, with sums that add up."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Any

import pytest

from models.base.fields import leaves_of
from models.base.quantities import Quantity
from models.catalog.field_values import value_words
from models.comparison.compare import (
    ABSENT,
    Comparison,
    Difference,
    Group,
    Side,
    against_parents,
    compare,
    overall,
)
from models.comparison.compare_text import Words
from models.scenario.inputs import KINDS
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Affinity,
    Cluster,
    DiskMode,
    Host,
    Pool,
    Scenario,
    Vm,
    Workload,
)
from models.scenario.wording import GERMAN, THIN, value_text
from models.scenario.workloads import WorkloadKind
from tests.models.worlds import (
    CATALOG,
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    predict,
    with_policy,
    wv21,
)

SILENT = Workload(kind=WorkloadKind.GENERIC)
"""Of a server that nobody measured."""


def side(scenario: Scenario, id: str = "") -> Side:
    return Side(id or scenario.name, scenario, predict(scenario))


def compared(*scenarios: Scenario, **arguments: Any) -> Comparison:
    return compare([side(each) for each in scenarios], **arguments)


def words(comparison: Comparison, **arguments: Any) -> Words:
    return Words(comparison, CATALOG, **arguments)


def only(rows: tuple[Difference, ...], **wanted: Any) -> Difference:
    found = [row for row in rows if all(getattr(row, k) == v for k, v in wanted.items())]
    assert len(found) == 1
    return found[0]


def test_identical_ones_are_identical_whatever_they_are_called() -> None:
    scenario = a_cluster_of(2, vms=4)
    comparison = compared(scenario, replace(scenario, name="A copy", notes="Same"))
    assert comparison.is_identical
    assert comparison.inputs == comparison.outcomes == ()
    assert comparison.unseen == 0
    assert comparison.identical_to_reference(1)
    assert not comparison.identical_to_reference(0)


def test_only_what_was_changed_is_listed() -> None:
    before = a_scenario()
    after = before.edit(Host, "h1", lambda host: replace(host, ram_gib=96.0))
    comparison = compared(before, after)
    assert [(row.subject, row.field) for row in comparison.inputs] == [("h1", "ram_gib")]
    row = comparison.inputs[0]
    assert row.change(1, 0) == 24.0
    spoken = words(comparison)
    assert spoken.label(row) == "H1: RAM"
    assert [spoken.value(row, 0), spoken.value(row, 1)] == [f"72{THIN}GiB", f"96{THIN}GiB"]
    assert spoken.change(row, 1) == f"+24{THIN}GiB"
    changed = {(row.subject, row.field) for row in comparison.outcomes}
    assert ("h1", "ram_pct") in changed
    assert ("", "host_ram_gib") in changed
    assert not any(subject == "m1" for subject, _ in changed)


def test_every_change_adds_up_as_it_is_shown() -> None:
    before = a_cluster_of(2, vms=4)
    after = before.edit(
        Vm, "m1", lambda vm: replace(vm, workload=replace(vm.workload, active_users=2750.0))
    )
    comparison = compared(before, after)
    assert comparison.outcomes
    for row in comparison.outcomes:
        found = row.change_and_decimals(1, 0)
        if found is None or row.decimals is None:
            continue
        change, at = found
        numbers = [getattr(value, "value", value) for value in row.values]
        shown = [round(each, d) for each, d in zip(numbers, row.decimals, strict=True)]
        assert round(shown[0] + change, at) == pytest.approx(round(shown[1], at))
        assert change != 0


def test_a_number_has_the_digits_that_it_has_elsewhere() -> None:
    """Whatever stands beside it: dials and tables show it alone."""
    before = a_cluster_of(2, vms=4)
    after = before.edit(
        Vm, "m1", lambda vm: replace(vm, workload=replace(vm.workload, active_users=30_000.0))
    )
    comparison = compared(before, after)
    spoken, seen = words(comparison), 0
    for row in comparison.outcomes:
        for column, value in enumerate(row.values):
            if isinstance(value, Quantity) and row.group in (Group.HOSTS, Group.POOLS, Group.VMS):
                assert spoken.value(row, column) == value_text(value, row.unit)
                seen += 1
            elif isinstance(value, Quantity) and row.group == Group.FAILURES:
                limit = 1000.0 if row.unit == "ms" else 100.0 if row.field == "ram_pct" else 70.0
                assert spoken.value(row, column) == value_text(value, row.unit, limit=limit)
    assert seen > 10


@pytest.mark.parametrize(
    ("users", "field", "shown"),
    [
        ((1000.0, 30_000.0), "response_ms", ["72 ms", "91,000 ms", "+91,000 ms"]),
        ((1000.0, 30_000.0), "iops", ["180 IOPS", "5,400 IOPS", "+5,200 IOPS"]),
        ((1.0, 1000.0), "network_mbps", ["< 0.1 Mb/s", "9.1 Mb/s", "+9.1 Mb/s"]),
    ],
)
def test_of_unlike_numbers_each_keeps_its_digits_and_the_change_has_the_coarser_ones(
    users: tuple[float, float], field: str, shown: list[str]
) -> None:
    comparison = compared(*(a_scenario(vms=(a_vm(users=each),)) for each in users))
    row = only(comparison.outcomes, subject="m1", field=field)
    spoken = words(comparison)
    said = [spoken.value(row, 0), spoken.value(row, 1), spoken.change(row, 1)]
    assert [each.replace(THIN, " ") for each in said] == shown


def test_what_differs_by_less_than_is_shown_is_counted_not_listed() -> None:
    before = a_scenario()
    after = before.edit(
        Vm, "m1", lambda vm: replace(vm, workload=replace(vm.workload, active_users=1000.01))
    )
    comparison = compared(before, after)
    assert [row.field for row in comparison.inputs] == ["workload.active_users"]
    assert [row.field for row in comparison.outcomes] == ["users"]
    assert comparison.unseen > 0


def test_a_moved_vm_is_told_by_the_names_of_its_hosts() -> None:
    before = a_cluster_of(2, vms=2)
    comparison = compared(before, before.place(["m1"], "h2"))
    row = only(comparison.inputs, subject="m1")
    spoken = words(comparison)
    assert (spoken.value(row, 0), spoken.value(row, 1)) == ("H1", "H2")
    assert spoken.change(row, 1) == "changed"


def test_unlike_ones_list_what_came_and_went_as_one_row_each() -> None:
    before = a_scenario()
    after = replace(
        a_scenario(hosts=(a_host("h9"),), pools=(a_pool("p9"),)),
        vms=(a_vm("m9", host="h9", pool="p9"),),
    )
    comparison = compared(before, after)
    rows = [(row.subject, row.field) for row in comparison.inputs]
    assert rows == [("h1", ""), ("h9", ""), ("p1", ""), ("p9", ""), ("m1", ""), ("m9", "")]
    spoken = words(comparison)
    assert [spoken.change(row, 1) for row in comparison.inputs] == ["removed", "added"] * 3
    gone = comparison.inputs[0]
    assert gone.values[1] is ABSENT
    assert spoken.value(gone, 1) == "–"
    assert spoken.label(gone) == "host H1"
    assert spoken.value(comparison.inputs[4], 0).endswith("1,000\u202fusers")


def test_the_same_id_in_another_kind_is_another_item() -> None:
    before = a_scenario()
    after = replace(before, hosts=(*before.hosts, a_host("x1")))
    other = replace(before, pools=(*before.pools, a_pool("x1")))
    comparison = compared(after, other)
    assert {(row.kind, row.subject) for row in comparison.inputs} == {(Host, "x1"), (Pool, "x1")}


def test_an_item_of_some_columns_is_compared_among_those_that_have_it() -> None:
    one = a_scenario()
    two = replace(one, vms=(*one.vms, a_vm("m2", users=500.0)))
    three = two.edit(Vm, "m2", lambda vm: replace(vm, ram_gib=16.0))
    comparison = compared(one, two, three, references=(None, 0, 1))
    there = only(comparison.inputs, subject="m2", field="")
    assert there.values[0] is ABSENT
    ram = only(comparison.inputs, subject="m2", field="ram_gib")
    assert (ram.values[0], ram.change(2, 1)) == (ABSENT, 8.0)
    spoken = words(comparison)
    assert spoken.change(ram, 2) == f"+8{THIN}GiB"
    assert spoken.change(there, 2) == ""
    assert comparison.references == (None, 0, 1)


def test_an_item_that_one_lacks_is_one_row_and_what_the_others_differ_in() -> None:
    one = a_scenario()
    two = one.edit(Vm, "m1", lambda vm: replace(vm, ram_gib=16.0))
    comparison = compared(one, two, replace(one, vms=()))
    assert [row.field for row in comparison.inputs] == ["", "ram_gib"]
    of_it = [
        [row.field for row in each.outcomes if row.subject == "m1" and row.group is Group.VMS]
        for each in (comparison, compared(one, two))
    ]
    assert of_it[0] == of_it[1]
    ram = only(comparison.outcomes, subject="m1", field="ram_gib")
    spoken = words(comparison)
    assert (spoken.value(ram, 2), spoken.change(ram, 2)) == ("–", "")


def test_against_parents_falls_back_on_the_first() -> None:
    parents = {"b": "a", "c": "elsewhere", "d": "b"}
    assert against_parents(["a", "b", "c", "d"], parents) == (None, 0, 0, 1)
    assert against_parents(["b", "a"], parents) == (1, 0)


def test_verdict_and_dials_are_outcomes_of_the_whole() -> None:
    comparison = compared(
        wv21("clovertown", "vmfs", 7.25, 1000.0), wv21("clovertown", "vmfs", 7.25, 5000.0)
    )
    verdict = only(comparison.outcomes, group=Group.SUMMARY, field="verdict")
    assert verdict.values == tuple(s.prediction.shown.words for s in comparison.sides)
    response = only(comparison.outcomes, field="response_ms", group=Group.SUMMARY)
    change = response.change(1, 0)
    assert change is not None
    assert change > 0
    spoken = words(comparison)
    assert spoken.label(response) == "Response time of the slowest VM"
    assert spoken.change(response, 1).startswith("+")
    assert spoken.change(verdict, 1) == "changed"


def test_errors_stand_before_other_findings() -> None:
    """Though those of the first scenario are warnings, and the other's error comes after them."""
    base = a_cluster_of(2, vms=2)
    before = with_policy(base, vcpus_per_core_limit=0.1)
    after = replace(base, vms=(*base.vms, a_vm("m9", vcpus=64)))
    rows = [row for row in compared(before, after).outcomes if row.group is Group.FINDINGS]
    assert rows[0].subject == "m9"
    assert "vcpus-per-core" in [row.field for row in rows[1:]]


def test_a_failure_in_which_nothing_runs_is_said_once() -> None:
    before = a_cluster_of(2, vms=2)
    comparison = compared(before, replace(before, vms=()))
    rows = [row for row in comparison.outcomes if row.group is Group.FAILURES]
    assert {row.field for row in rows} == {"verdict"}
    spoken = words(comparison)
    assert [spoken.value(row, 1) for row in rows] == ["nothing to fail over"] * 2
    assert spoken.label(rows[0]) == f"{before.hosts[0].name}: verdict with it gone"


def test_who_is_down_with_a_host_that_stands_alone_is_compared() -> None:
    before = a_scenario()
    after = before.edit(
        Vm, "m1", lambda vm: replace(vm, workload=replace(vm.workload, active_users=999.0))
    )
    rows = [row for row in compared(before, after).outcomes if row.group is Group.FAILURES]
    assert [row.field for row in rows] == ["verdict"]
    assert all(str(value).startswith("down: ") for value in rows[0].values)


def test_findings_come_and_go() -> None:
    before = a_cluster_of(2, vms=2)
    after = with_policy(before, vcpus_per_core_limit=0.1)
    rows = [row for row in compared(before, after).outcomes if row.group is Group.FINDINGS]
    assert rows
    assert all(row.values == (False, True) for row in rows)
    spoken = words(compared(before, after))
    assert spoken.change(rows[0], 1) == "new"
    assert spoken.label(rows[0]) == rows[0].label


def test_no_data_is_no_number() -> None:
    before = a_scenario()
    after = before.place(["m1"], None)
    comparison = compared(before, after)
    row = only(comparison.outcomes, subject="m1", field="response_ms")
    spoken = words(comparison)
    assert spoken.value(row, 1) == "no data"
    assert spoken.change(row, 1) == "changed"
    assert row.change(1, 0) is None


def test_a_part_of_a_sum_is_said_to_be_one() -> None:
    """Without data of one VM, what its host carries is a lower bound and what is left an upper."""
    before = a_cluster_of(2, vms=4)
    after = before.edit(Vm, "m1", lambda vm: replace(vm, workload=SILENT))
    comparison = compared(before, after)
    spoken = words(comparison)
    cpu = only(comparison.outcomes, group=Group.HOSTS, subject="h1", field="cpu_pct")
    assert not spoken.value(cpu, 0).startswith("≥")
    assert spoken.value(cpu, 1).startswith("≥ ")
    left = only(tuple(overall(comparison.sides)), field="failure_pct")
    assert spoken.value(left, 1).startswith("≤ ")


def test_optional_numbers_may_be_not_said() -> None:
    before = a_scenario()
    after = before.edit(Vm, "m1", lambda vm: replace(vm, memory_reservation_gib=8.0))
    comparison = compared(before, after)
    row = only(comparison.inputs, subject="m1")
    spoken = words(comparison)
    assert (spoken.value(row, 0), spoken.value(row, 1)) == ("not said", f"8{THIN}GiB")
    assert spoken.change(row, 1) == "changed"


def test_policy_and_admission_are_inputs() -> None:
    before = replace(a_cluster_of(2, vms=2), clusters=(Cluster(id="c1", name="Mail"),))
    admission = Admission(policy=AdmissionPolicy.HOST_FAILURES, host_failures=2)
    after = with_policy(before, cpu_limit_pct=62.5)
    after = after.edit(Cluster, "c1", lambda cluster: replace(cluster, admission=admission))
    comparison = compared(before, after)
    spoken = words(comparison, style=GERMAN)
    assert [spoken.label(row) for row in comparison.inputs] == [
        "CPU limit",
        "Mail: admission control",
        "Mail: host failures tolerated",
    ]
    assert spoken.value(comparison.inputs[0], 1) == f"62,5{THIN}%"
    assert spoken.change(comparison.inputs[0], 1) == f"−7,5{THIN}points"


def test_catalog_entries_and_choices_are_told_by_name() -> None:
    before = a_scenario()
    after = before.edit(Vm, "m1", lambda vm: replace(vm, disk_mode=DiskMode.RDM))
    after = after.edit(Host, "h1", lambda host: replace(host, hypervisor="vsphere-5.0"))
    comparison = compared(before, after)
    spoken = words(comparison)
    rows = {row.field: row for row in comparison.inputs}
    assert spoken.value(rows["disk_mode"], 1) == "RDM"
    assert spoken.value(rows["hypervisor"], 1) == CATALOG.hypervisors["vsphere-5.0"].name


def test_every_choice_of_a_scenario_has_words() -> None:
    fields = [each for kind in (*KINDS, Affinity) for each in leaves_of(kind).values()]
    kinds = {each.type for each in fields if issubclass(each.type, StrEnum)}
    choices = [one for kind in kinds for one in kind]
    assert len(choices) > 15
    for one in choices:
        assert value_words(Vm, "", one, catalog=CATALOG, name_of=str)

"""The proposal lists every input with its origin, and says how well the customer is known."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from models.proposal import propose
from models.proposal.inputs import MOST_VALUES, appendix, coverage
from models.scenario.affinity import new_rule, with_rule
from models.scenario.inputs import inputs, with_origin, with_pin
from models.scenario.origin import Origin
from models.scenario.scenario import Scenario, Vm, Workload
from models.scenario.workloads import WorkloadKind
from models.tell.blocks import Bullets, Paragraph, Section, Table
from models.tell.subject import Subject
from tests.models.worlds import CATALOG, a_cluster_of, a_scenario, a_vm, predict


def subject(scenario: Scenario) -> Subject:
    return Subject(scenario=scenario, prediction=predict(scenario), catalog=CATALOG)


def tables(section: Section) -> dict[str, Table]:
    return {b.columns[0].title: b for b in section.blocks if isinstance(b, Table)}


def filled(table: Table) -> list[tuple[str, ...]]:
    """The rows with the label of a field on each of them."""
    label, rows = "", []
    for row in table.rows:
        label = str(row[0]) or label
        rows.append((label, *map(str, row[1:])))
    return rows


def test_every_input_is_in_a_row_with_its_origin() -> None:
    scenario = a_cluster_of(2, vms=3)
    scenario = scenario.edit(
        Vm, "m2", lambda vm: with_origin(vm, Origin.CUSTOMER, "workload.active_users")
    )
    found = tables(appendix(subject(scenario)))
    rows = filled(found["Virtual machines"])
    assert ("Active users", "1,000\N{NARROW NO-BREAK SPACE}users", "customer said", "M2") in rows
    assert ("Active users", "1,000\N{NARROW NO-BREAK SPACE}users", "manual", "M1, M3") in rows
    hosts = filled(found["Hosts"])
    assert ("RAM", "72\N{NARROW NO-BREAK SPACE}GiB", "manual", "both hosts") in hosts
    listed = sum(len(table.rows) for table in found.values())
    distinct = {(e.kind, e.path, e.value, e.origin) for e in inputs(scenario)}
    assert listed + len(untouched(scenario)) == len(distinct)


def untouched(scenario: Scenario) -> list[str]:
    """Each of the inputs that nobody touched: ``CPU limit: 70 %``, ``author``."""
    items = next(b.items for b in appendix(subject(scenario)).blocks if isinstance(b, Bullets))
    lists = [each.partition(": ")[2].split("; ") for each in items]
    return [
        each
        for entries in lists
        for entry in entries
        for each in (entry.split(": ")[1].split(", ") if entry.startswith("not said") else [entry])
    ]


def test_what_nobody_touched_stands_in_one_list() -> None:
    scenario = a_cluster_of(2, vms=3)
    assert "Powered on: yes" in untouched(scenario)
    assert "log pool" in untouched(scenario)
    scenario = scenario.edit(Vm, "m2", lambda vm: replace(vm, powered_on=False))
    assert "Powered on: yes" not in untouched(scenario)
    rows = filled(tables(appendix(subject(scenario)))["Virtual machines"])
    assert ("Powered on", "yes", "default", "M1, M3") in rows


def _with_ram(gib: float, vm: Vm) -> Vm:
    return replace(vm, ram_gib=gib)


def test_many_values_and_many_names_are_cut() -> None:
    scenario = a_cluster_of(20, vms=60)
    for i in range(60):
        ram = 1.0 + i // 2 if i < 40 else 99.0 if i < 58 else 98.0
        scenario = scenario.edit(Vm, f"m{i + 1}", partial(_with_ram, ram))
    rows = filled(tables(appendix(subject(scenario)))["Virtual machines"])
    ram_rows = [row for row in rows if row[0] == "RAM"]
    assert ram_rows[0][1].startswith("99"), "those that most items have"
    assert len(ram_rows) == MOST_VALUES + 1
    assert ram_rows[-1][1:] == ("14 more values", "", "in the workbook of this proposal")
    hosts = [row[3] for row in rows if row[0] == "Data pool"]
    assert hosts == ["all 60 VMs"]


def test_a_value_of_many_items_names_some_of_them() -> None:
    scenario = a_cluster_of(2, vms=60)
    for i in range(20):
        scenario = scenario.edit(Vm, f"m{i + 1}", lambda vm: replace(vm, ram_gib=4.0))
    rows = filled(tables(appendix(subject(scenario)))["Virtual machines"])
    whose = [row[3] for row in rows if row[0] == "RAM"]
    assert whose[0].startswith("M1, M2, ")
    assert whose[0].endswith("M6 and 14 more")
    assert whose[1] == "the other 40 VMs"


def test_names_stand_for_ids() -> None:
    found = tables(appendix(subject(a_scenario(vms=(replace(a_vm(), log_pool="p1"),)))))
    rows = {row[0]: row[1] for row in filled(found["Virtual machines"])}
    assert (rows["Host"], rows["Data pool"], rows["Log pool"]) == ("H1", "P1", "P1")
    assert rows["Workload"] == "Domino mail (NRPC)"
    hosts = {row[0]: row[1] for row in filled(found["Hosts"])}
    assert hosts["Server"] == CATALOG.servers["nehalem-ept"].name
    assert "network ports" in untouched(a_scenario())


def test_a_pinned_value_says_so() -> None:
    scenario = a_scenario(vms=(with_pin(a_vm(), "ram_gib", pinned=True),))
    rows = filled(tables(appendix(subject(scenario)))["Virtual machines"])
    assert ("RAM", "8\N{NARROW NO-BREAK SPACE}GiB", "manual, pinned", "M1") in rows


def test_many_alike_items_make_few_rows() -> None:
    scenario = a_cluster_of(2, vms=60)
    scenario = scenario.edit(Vm, "m7", lambda vm: replace(vm, ram_gib=4.0))
    rows = filled(tables(appendix(subject(scenario)))["Virtual machines"])
    assert ("RAM", "8\N{NARROW NO-BREAK SPACE}GiB", "manual", "the other 59 VMs") in rows
    assert ("RAM", "4\N{NARROW NO-BREAK SPACE}GiB", "manual", "M7") in rows
    assert len(rows) < 40


def test_rules_and_waivers_are_listed() -> None:
    scenario = a_cluster_of(2, vms=2)
    scenario = with_rule(scenario, new_rule(scenario, ("m1", "m2")))
    scenario = scenario.waive("hot-spares", "p1", "agreed")
    lists = [b for b in appendix(subject(scenario)).blocks if isinstance(b, Bullets)]
    assert [each.items for each in lists[1:]] == [
        ("Keep apart: M1, M2",),
        ("Hot spares, P1: agreed (nothing trips this rule now)",),
    ]


def test_the_coverage_is_a_statement_of_its_own() -> None:
    scenario = a_scenario(
        vms=(with_origin(a_vm(), Origin.MEASURED, "workload.active_users", "workload.release"),)
    )
    said, table = coverage(subject(scenario))
    assert said.text.startswith("2 of 9 inputs about the load are measured, imported or said")
    assert table.rows[0][0] == "measured"
    assert sum(int(str(row[1])) for row in table.rows) == len(list(inputs(scenario)))


def test_the_proposal_has_both() -> None:
    proposal = propose([subject(a_scenario())], date="today", program="Headroom")
    sections = {section.title: section for part in proposal.parts for section in part.sections}
    assert "Inputs and their origin" in sections
    texts = [b.text for b in sections["How sure this is"].blocks if isinstance(b, Paragraph)]
    assert any("said by the customer" in text for text in texts)


def test_a_field_that_only_some_have_is_not_said_to_be_of_all() -> None:
    scenario = a_cluster_of(2, vms=4)
    chat = Workload(kind=WorkloadKind.SAMETIME_COMMUNITY, release="7.5.1", active_users=100)
    scenario = scenario.edit(Vm, "m4", lambda vm: replace(vm, workload=chat))
    rows = {
        row[0]: row[3] for row in filled(tables(appendix(subject(scenario)))["Virtual machines"])
    }
    assert rows["Mail file"] == "all 3 VMs that it applies to"
    assert rows["vCPUs"] == "all 4 VMs"

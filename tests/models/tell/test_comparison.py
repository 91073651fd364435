"""Scenarios side by side in the proposal: every predicted number says how sure it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.language import Language
from app.widgets.gauge_text import number_text
from models.base.texts import said
from models.comparison.compare import Group, Side, compare
from models.comparison.compare_text import Words
from models.judgement.gauges import gauges
from models.predict.predicted import FAILURE
from models.scenario.scenario import DiskMode, Host, RestartPriority, Scenario, Vm
from models.scenario.wording import ENGLISH, GERMAN, THIN, range_text
from models.tell.blocks import Bars, Section, Table, cell_text
from models.tell.comparison import compared_parts, comparison_sections, side_by_side
from models.tell.subject import Subject
from resources.translation_files import load_messages
from tests.models.worlds import CATALOG, a_cluster_of, predict, workload


def subject(scenario: Scenario) -> Subject:
    return Subject(scenario=scenario, prediction=predict(scenario), catalog=CATALOG)


def rows(*subjects: Subject) -> dict[str, tuple[str, ...]]:
    part = side_by_side(subjects)
    assert part is not None
    table = part.sections[0].blocks[0]
    assert isinstance(table, Table)
    return {cell_text(row[0]): tuple(map(cell_text, row[1:])) for row in table.rows}


def test_each_predicted_number_has_its_change_beside_it_and_its_interval_below() -> None:
    one = subject(a_cluster_of(3, vms=3))
    more = replace(one.scenario.vms[0], vcpus=1)
    two = subject(replace(one.scenario.with_item(more), name="Fewer vCPUs"))
    cells = rows(one, two)["CPU at the item nearest its limit"]
    for each, cell in zip((one, two), cells, strict=True):
        dial = gauges(each.scenario, each.prediction)[0].quantity
        assert dial.low != dial.high
        assert cell.split("\n")[1] == range_text(dial, "%")
    assert "(" not in cells[0].split("\n")[0]
    assert "(+" in cells[1].split("\n")[0]


def test_what_is_exact_has_none() -> None:
    one = subject(a_cluster_of(3, vms=3))
    found = rows(one, one)
    assert found["VMs"] == ("3", "3")
    assert all("\n" not in cell for cell in found["RAM of the fullest host"])


def compared(*scenarios: Scenario) -> Words:
    comparison = compare([Side(f"s{n}", each, predict(each)) for n, each in enumerate(scenarios)])
    return Words(comparison, CATALOG)


def more_ram(scenario: Scenario, ram_gib: float) -> Scenario:
    return scenario.edit(Host, "h1", lambda host: replace(host, ram_gib=ram_gib))


def listed(section: Section) -> list[tuple[str, ...]]:
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    return [tuple(map(cell_text, row)) for row in table.rows]


def test_parts_stand_below_the_scenarios() -> None:
    base = a_cluster_of(2, vms=2)
    words = compared(base, more_ram(base, 96.0))
    standing, *parts = comparison_sections(words)
    assert listed(standing)[0][2] == "the others are compared with it"
    assert listed(standing)[1][2] == "test"
    titles = [title for title, _rows in compared_parts(words)]
    assert [part.title for part in parts] == titles
    assert titles[0] == "What differs between them"
    assert listed(parts[0]) == [("H1: RAM", f"72{THIN}GiB", f"96{THIN}GiB (+24{THIN}GiB)")]


def test_like_items_are_one_row_and_what_differs_is_their_highest() -> None:
    base = a_cluster_of(6, vms=8)
    names = {host.id: host.name for host in base.hosts}
    more = replace(base, hosts=tuple(replace(host, ram_gib=96.0) for host in base.hosts))
    words = compared(base, replace(more, vms=more.vms[:-1]))
    told = dict(compared_parts(words))
    inputs = [words.label(row) for row, _cells in told["What differs between them"]]
    first, last = (names[host.id] for host in (base.hosts[0], base.hosts[-1]))
    assert f"6 hosts ({first} … {last}): RAM" in inputs
    (row,) = [row for row, _ in told["Hosts"] if row.field == "ram_pct"]
    assert set(row.alike) <= set(names)
    for column, side in enumerate(words.comparison.sides):
        alike = (side.prediction.hosts.quantity(id, "ram_pct").value for id in row.alike)
        highest = max(value for value in alike if value is not None)
        assert row.values[column].value == highest
        shown = side.prediction.hosts.quantity(row.subject_in(column), "ram_pct")
        assert shown.value == highest


def test_unlike_items_keep_rows_of_their_own() -> None:
    base = a_cluster_of(2, vms=2)
    mixed = more_ram(base, 96.0)
    words = compared(mixed, replace(mixed, vms=mixed.vms[:1]))
    told = dict(compared_parts(words))
    rows = [row for row, _ in told.get("Hosts", ()) if row.field == "ram_pct"]
    assert all(not row.alike for row in rows)


def test_each_dial_has_a_bar_a_scenario_with_its_interval() -> None:
    base = a_cluster_of(2, vms=2)
    words = compared(base, base.edit(Vm, "m1", lambda vm: replace(vm, workload=workload(3000.0))))
    blocks = comparison_sections(words)[0].blocks
    (block,) = [block for block in blocks if isinstance(block, Bars)]
    dials = [gauges(side.scenario, side.prediction) for side in words.comparison.sides]
    known = [same for same in zip(*dials, strict=True) if any(g.load is not None for g in same)]
    gauged = [gauge for same in known for gauge in same]
    assert len(known) > 3
    assert len([bar for bar in block.rows if bar.head]) == len(known)
    for bar, gauge in zip(block.rows, gauged, strict=True):
        assert (bar.value is None) == (gauge.load is None)
        if gauge.load is not None and gauge.high is not None:
            assert (bar.value, bar.high) == (100.0 * gauge.load, 100.0 * gauge.high)


def test_identical_ones_say_so() -> None:
    base = a_cluster_of(1, vms=1)
    (section,) = comparison_sections(compared(base, base))
    assert "Identical: no input differs" in str(section.blocks)


def test_words_that_merely_differ_speak_for_themselves() -> None:
    base = a_cluster_of(2, vms=2)
    other = base.edit(Vm, "m1", lambda vm: replace(vm, disk_mode=DiskMode.RDM))
    _, inputs, *_ = comparison_sections(compared(base, other))
    assert listed(inputs)[0][2] == "RDM"


@pytest.mark.parametrize("users", [1.0, 1210.0, 9000.0, 30_000.0])
def test_a_dial_and_its_line_have_the_same_digits(users: float) -> None:
    base = a_cluster_of(2, vms=2)
    other = base.edit(Vm, "m1", lambda vm: replace(vm, workload=workload(users)))
    words = compared(base, other)
    comparison = words.comparison
    lines = {row.field: row for row in comparison.outcomes if row.group == Group.SUMMARY}
    assert lines
    assert FAILURE in lines or users < 9000.0
    for column, side in enumerate(comparison.sides):
        for gauge in gauges(side.scenario, side.prediction):
            if gauge.field not in lines or gauge.quantity.value is None or gauge.stranded:
                continue
            dial = number_text(gauge, style=ENGLISH).removeprefix("> ").removesuffix(" left")
            if dial.endswith(" short"):
                dial = f"\N{MINUS SIGN}{dial.removesuffix(' short')}"
            said = words.value(lines[gauge.field], column)
            assert said.removesuffix(f"{THIN}IOPS") == dial.removesuffix(f"{THIN}IOPS")


def test_a_comparison_is_german_all_through() -> None:
    """Whatever is put together of words stays theirs: labels, items, what came and what went."""
    base = a_cluster_of(2, vms=2)
    first = base.vms[0]
    smaller = replace(
        first,
        vcpus=1,
        workload=replace(first.workload, active_users=1.0),
        fault_tolerance=True,
        restart_priority=RestartPriority.HIGH,
    )
    new = replace(smaller, id="n", name="Neu", host=None)
    comparison = compared(base, replace(base, vms=(smaller, base.vms[1], new))).comparison
    words = Words(comparison, CATALOG, GERMAN)
    german = Language("de", load_messages("de"), GERMAN)
    told = {
        said(words.label(row), german): (
            said(words.value(row, 1), german).replace(THIN, " "),
            said(words.change(row, 1), german).replace(THIN, " "),
        )
        for row in (*comparison.inputs, *comparison.outcomes)
    }
    assert told["VM Neu"] == ("1 vCPU, 8,0 GiB, 1 Benutzer", "hinzugefügt")
    assert told["M1: vCPUs"] == ("1 vCPU", "−1 vCPU")
    assert told["M1: aktive Benutzer"] == ("1 Benutzer", "−999 Benutzer")
    assert told["Aktive Benutzer von Mail"] == ("1.002", "−998")
    assert told["Urteil"] == ("passt nicht", "geändert")
    assert told["M1: Fault Tolerance"] == ("ja", "geändert")
    assert told["M1: Neustartpriorität"] == ("hoch", "geändert")
    assert any(change.endswith(" Punkte") for _, change in told.values())
    assert "H1: CPU im schlimmsten Fall ohne ihn" in told

"""Scenarios side by side in the proposal: every predicted number says how sure it is."""

from __future__ import annotations

from dataclasses import replace

from models.judgement.gauges import gauges
from models.proposal.side_by_side import side_by_side
from models.scenario import Scenario
from models.tell.blocks import Table
from models.tell.subject import Subject
from models.wording import range_text
from tests.models.worlds import CATALOG, a_cluster_of, predict


def subject(scenario: Scenario) -> Subject:
    return Subject(scenario=scenario, prediction=predict(scenario), catalog=CATALOG)


def rows(*subjects: Subject) -> dict[str, tuple[str, ...]]:
    part = side_by_side(subjects)
    assert part is not None
    table = part.sections[0].blocks[0]
    assert isinstance(table, Table)
    return {row[0]: row[1:] for row in table.rows}


def test_each_predicted_number_has_its_interval_below_and_then_the_change() -> None:
    one = subject(a_cluster_of(3, vms=3))
    more = replace(one.scenario.vms[0], vcpus=1)
    two = subject(replace(one.scenario.with_item(more), name="Fewer vCPUs"))
    cells = rows(one, two)["CPU at the item nearest its limit"]
    for each, cell in zip((one, two), cells, strict=True):
        dial = gauges(each.scenario, each.prediction)[0].quantity
        assert dial.low != dial.high
        assert cell.split("\n")[1] == range_text(dial, "%")
    assert cells[0].count("\n") == 1
    assert cells[1].split("\n")[2].startswith("+")


def test_what_is_exact_has_none() -> None:
    one = subject(a_cluster_of(3, vms=3))
    found = rows(one, one)
    assert found["VMs"] == ("3", "3")
    assert all("\n" not in cell for cell in found["RAM of the fullest host"])

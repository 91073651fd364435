"""The map of two inputs: every cell is a prediction, and what is said is what stands there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from db.chance import map_to_json
from models.base.errors import ModelError
from models.tell.blocks import Table, VerdictGrid
from models.tell.chance import map_sections
from models.uncertainty.sensitivity import number
from models.uncertainty.verdict_map import VerdictMap, default_pair, map_inputs, verdict_map
from tests.models.worlds import KNOWLEDGE, a_cluster_of, predict

SCENARIO = a_cluster_of(2, vms=2)
DERATING = "policy.benchmark_derating"


@pytest.fixture(scope="module")
def found() -> VerdictMap:
    return verdict_map(SCENARIO, KNOWLEDGE, x="active_users", y=DERATING, steps=5)


def test_every_cell_is_the_prediction_of_both_values(found: VerdictMap) -> None:
    for value_of_y, row in zip(found.y.values, found.spots, strict=True):
        for value_of_x, spot in zip(found.x.values, row, strict=True):
            there = found.y.swing.change(SCENARIO, value_of_y)
            there = found.x.swing.change(there, value_of_x)
            prediction = predict(there)
            assert spot.verdict is prediction.verdict
            assert spot.load == number(prediction, there.policy, "load_pct")


def test_today_is_the_middle_of_a_factor_and_where_it_is_of_a_number(found: VerdictMap) -> None:
    assert found.x.values[2] == pytest.approx(1.0)
    assert found.x.place_of(1.0) == pytest.approx(2.0)
    first, *_, last = found.y.values
    base = found.y.swing.base
    assert found.y.place_of(base) == pytest.approx(4.0 * (base - first) / (last - first))
    assert found.here.verdict is predict(SCENARIO).verdict


def test_the_verdict_turns_in_it_and_never_back_with_more_users(found: VerdictMap) -> None:
    verdicts = [[spot.verdict for spot in row] for row in found.spots]
    assert len({each for row in verdicts for each in row}) > 1
    assert all(row == sorted(row) for row in verdicts)


def test_the_grid_and_the_table_say_the_same(found: VerdictMap) -> None:
    (section,) = map_sections(found, SCENARIO)
    (grid,) = [each for each in section.blocks if isinstance(each, VerdictGrid)]
    (table,) = [each for each in section.blocks if isinstance(each, Table)]
    verdicts = {each for row in grid.verdicts for each in row}
    assert grid.verdicts == tuple(tuple(spot.verdict for spot in row) for row in found.spots)
    assert [each.title.lower() for each in table.columns[1:]] == [v.label for v in sorted(verdicts)]
    assert all(v.label in text for v, text in zip(grid.verdicts[0], grid.texts[0], strict=True))


def test_inputs_that_change_nothing_are_not_offered() -> None:
    vms = tuple(replace(vm, workload=replace(vm.workload, mail_file_mb=0.0)) for vm in SCENARIO.vms)
    without = replace(SCENARIO, vms=vms)
    assert default_pair(SCENARIO) == ("active_users", "mail_file_mb")
    assert "mail_file_mb" not in map_inputs(without)
    assert default_pair(without) == ("active_users", "work")


@pytest.mark.parametrize("pair", [("active_users", "rain"), ("work", "work")])
def test_a_pair_that_is_none_is_refused(pair: tuple[str, str]) -> None:
    with pytest.raises(ModelError):
        verdict_map(SCENARIO, KNOWLEDGE, x=pair[0], y=pair[1])


def test_as_json_it_has_a_row_for_each_value(found: VerdictMap) -> None:
    told = map_to_json(found)
    assert len(told["verdicts"]) == len(told["y"]["values"]) == 5
    assert told["verdicts"][0][0] == found.spots[0][0].verdict.label

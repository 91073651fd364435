"""Storms as they are told: the model's numbers, who is left out, and what would help."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.resilience.storms import DrainTimes, StormKind, StormStudy, study_storm
from models.scenario.scenario import Scenario
from models.scenario.wording import THIN, rounded
from models.tell.blocks import Definitions, Paragraph, Table, TimePlot
from models.tell.storms import (
    Needed,
    Storm,
    left_out,
    over_text,
    spare_fact,
    storm_facts,
    storm_plots,
    storm_sections,
)
from tests.models.worlds import KNOWLEDGE, a_scenario, a_vm, members

PAIR = members(2, 2000.0)


def storm(scenario: Scenario) -> StormStudy:
    return study_storm(scenario, KNOWLEDGE, StormKind.RECONNECT)


@pytest.fixture(scope="module")
def study() -> StormStudy:
    return storm(PAIR)


def test_a_section_has_facts_curves_servers_and_inputs(study: StormStudy) -> None:
    drain = DrainTimes(vm="m1", has=2, vcpus=np.array([2, 3]), drained_s=np.array([200.0, 100.0]))
    needed = Needed(within_s=60.0, vcpus={"m1": 3, "m2": None})
    (section,) = storm_sections([Storm(study=study, drain=drain, needed=needed)], PAIR)
    kinds = [type(block) for block in section.blocks]
    plots = [TimePlot, TimePlot]
    assert kinds == [Paragraph, Definitions, *plots, Table, Definitions, Definitions, Paragraph]
    table = next(block for block in section.blocks if isinstance(block, Table))
    assert table.subjects == ("m1", "m2")
    assert [row[-1] for row in table.rows] == ["3", "more than its host has"]
    assert storm_sections((), PAIR) == ()


def test_the_numbers_are_the_models(study: StormStudy) -> None:
    facts = dict(storm_facts(study, PAIR))
    most = rounded(float(study.waiting.max()))
    assert facts["Users waiting"] == f"up to {most} of 4,000 at once"
    users, response = storm_plots(study, PAIR)
    assert max(users.curves[0].values) == pytest.approx(float(study.waiting.max()), rel=0.02)
    assert response.limit is not None
    assert response.limit_label.startswith("limit 1")


def test_when_it_is_over() -> None:
    assert over_text(None) == "not within four hours"
    assert over_text(45.0) == f"after 45{THIN}s"
    few = replace(PAIR, vms=(a_vm(users=4.0),))
    unnoticed = dict(storm_facts(storm(few), few))["Over"]
    assert unnoticed == f"at once: no response is over 1{THIN}% longer than usual"


def test_who_is_left_out_is_named_with_the_reason(study: StormStudy) -> None:
    some = replace(study, silent=("m2",), refused=("m1",))
    (fact,) = left_out(some, PAIR)
    assert fact == ("Left out", "M2 (no CPU data), M1 (can’t be powered on)")
    wide = a_scenario(vms=(a_vm(users=2000.0, vcpus=99),))
    (section,) = storm_sections([Storm(study=storm(wide))], wide)
    said = [block.text for block in section.blocks if isinstance(block, Paragraph)]
    assert "No server with users and CPU data can be powered on." in said


@pytest.mark.parametrize(
    ("fewest", "said"),
    [
        (None, "more vCPUs than the host of M1 has"),
        (3, "with the 3 vCPUs that M1 has"),
        (5, "5 vCPUs of M1 instead of 3"),
    ],
)
def test_how_many_vcpus_end_it_in_time(fewest: int | None, said: str) -> None:
    assert spare_fact("M1", fewest, 3, 300.0) == (f"Over within 5{THIN}min", said)

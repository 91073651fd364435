"""`study`: what members of Domino clusters take over, designs side by side, and storms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli_study import as_text
from db.codec import scenario_from_json, scenario_to_json
from models.resilience.designs import compare_designs
from models.resilience.domino_members import member_capacities
from models.resilience.storms import StormKind, StormStudy, study_storm
from models.scenario.wording import THIN
from models.tell.storms import Needed, Storm
from resources.example_files import load_examples
from tests.app.terminal import call, refused
from tests.models.worlds import (
    KNOWLEDGE,
    a_cluster_of,
    a_scenario,
    a_vm,
    members,
)

PAIR = members(2, 2000.0)


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("study") / "plan.json"
    path.write_bytes(scenario_to_json(PAIR))
    return path


@pytest.fixture(scope="module")
def as_json(plan: Path) -> Any:
    return json.loads(call("study", plan, "--json").out)


@pytest.fixture(scope="module")
def storm() -> StormStudy:
    return study_storm(PAIR, KNOWLEDGE, StormKind.RECONNECT)


def test_json_says_what_the_model_says(as_json: Any) -> None:
    found = as_json
    assert (found["format"], found["scenario"]) == ("headroom-study", "test")
    shown = [(m["vm"], m["in_failover"], m["fits"]) for m in found["domino_members"]]
    capacities = member_capacities(PAIR, KNOWLEDGE)
    assert shown == [(each.vm, each.in_failover, each.fits) for each in capacities]
    rows = compare_designs(PAIR, KNOWLEDGE)
    assert [(d["design"], d["downtime"], d["worst_host"]) for d in found["designs"]] == [
        (row.design.value, row.downtime.value, row.worst_host) for row in rows
    ]
    assert [d["verdict"] for d in found["designs"]] == [
        max(row.normal.verdict, row.worst.verdict).label for row in rows
    ]
    assert [storm["kind"] for storm in found["storms"]] == [kind.value for kind in StormKind]


def test_the_verdict_of_a_design_is_the_worse_one_and_names_what_decides(tmp_path: Path) -> None:
    files = {f.name: f for example in load_examples() for f in example.files}
    block = tmp_path / "block.json"
    block.write_text(files["building-block.json"].text, encoding="utf-8")
    designs = json.loads(call("study", block, "--json").out)["designs"]
    cluster = next(each for each in designs if each["design"] == "Domino cluster")
    assert cluster["normal"]["verdict"] == cluster["verdict"] == "does not fit"
    decided = cluster["decided_by"]
    assert (decided["resource"], decided["limit"], decided["host_lost"]) == (
        "utilisation_pct",
        70.0,
        "",
    )
    assert decided["at_peak"]["evidence"]
    assert cluster["worst"]["cpu_pct"]["evidence"]
    scenario = scenario_from_json(block.read_bytes(), name=block.name)
    rows = compare_designs(scenario, KNOWLEDGE)
    lines = as_text(scenario, (), rows, ()).splitlines()
    line = next(line for line in lines if line.startswith("Domino cluster "))
    assert "normal operation: disk utilisation of FAS3020 data 77 % (60–98 %)" in plain(line)


def test_a_storm_comes_with_its_course_and_its_inputs(as_json: Any, storm: StormStudy) -> None:
    shown = as_json["storms"][0]
    assert shown["drained_s"] == pytest.approx(storm.drained_s, rel=1e-3)
    server, peak = shown["servers"][0], storm.servers[0].peak_response_ms
    assert len(shown["time_s"]) == len(server["response_ms"]) == len(storm.time_s)
    assert server["peak_response_ms"] == pytest.approx(peak, rel=1e-3)
    assert {each["origin"] for each in shown["inputs"]} == {"assumed"}
    assert "vcpus_needed" not in server


def test_vcpus_to_drain_are_found_when_a_time_is_given(tmp_path: Path, storm: StormStudy) -> None:
    alone = tmp_path / "alone.json"
    alone.write_bytes(scenario_to_json(a_scenario(vms=(a_vm(users=2000.0),))))
    found = json.loads(call("study", alone, "--within", "3600", "--json").out)
    assert found["storms"][0]["servers"][0]["vcpus_needed"] == 2
    needed = Needed(within_s=3600.0, vcpus={"m1": 3, "m2": None})
    told = as_text(PAIR, (), (), [Storm(study=storm, needed=needed)])
    assert "vCPUs to be over within 60 min" in plain(told)
    assert "more than its host has" in told


def plain(text: str) -> str:
    return text.replace(THIN, " ")


def test_tables_name_items_and_where_inputs_come_from(plan: Path) -> None:
    text = call("study", plan).out
    assert text.startswith("test: clusters and storms; model ")
    (member,) = [line for line in text.splitlines() if line.startswith("M1 ") and "M2" in line]
    assert member.split() == ["M1", "2,000", "4,000", "M2", "4,000", "yes", "2"]
    assert "HA alone" in text
    assert "All log in again after a network cut within  60 s (assumed)" in plain(text)


def test_without_servers_there_is_nothing_but_the_title() -> None:
    empty = a_scenario(vms=(a_vm(host=None),))
    assert as_text(empty, (), (), ()).count("\n") == 1


@pytest.mark.parametrize("within", ["0", "-1", "soon", "inf"])
def test_a_time_that_is_none_is_refused(plan: Path, within: str) -> None:
    said = refused("study", plan, f"--within={within}")
    assert "argument --within: must be a time above 0 in seconds (" in said


def test_a_storm_over_servers_that_cannot_be_powered_on_says_so(tmp_path: Path) -> None:
    wide = tmp_path / "wide.json"
    wide.write_bytes(scenario_to_json(a_cluster_of(2, vms=2, users=2000.0, vcpus=99)))
    text = call("study", wide).out
    assert text.count("No server with users and CPU data can be powered on.") == 2
    assert text.count("Left out  M1, M2 (can’t be powered on)") == 2
    storms = json.loads(call("study", wide, "--json").out)["storms"]
    assert [(storm["silent"], storm["refused"]) for storm in storms] == [([], ["m1", "m2"])] * 2

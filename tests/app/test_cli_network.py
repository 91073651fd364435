"""``network``: the comparison, and files that `solve` and JMT take."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from db.codec import scenario_to_json
from models.base.lettering import visible
from tests.app.terminal import call
from tests.models.crosscheck import building_blocks
from tests.models.worlds import a_scenario, a_vm, wv21


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.json"
    path.write_bytes(scenario_to_json(wv21("clovertown", "vmfs", 14.5, 6000.0)))
    return path


@pytest.fixture
def crowd(tmp_path: Path) -> Path:
    """Six like servers that wait for eight cores."""
    path = tmp_path / "crowd.json"
    path.write_bytes(scenario_to_json(building_blocks(6, 4000.0, 64)))
    return path


def test_without_a_file_it_prints_both_and_the_reason(plan: Path) -> None:
    answer = call("network", plan)
    assert (answer.status, answer.err) == (0, "")
    assert "1 response can’t be reconciled with a network of queues" in answer.out
    assert "The knee at 6,210 users" in answer.out
    assert "Network of queues" in answer.out


def test_solve_of_what_is_written_gives_the_numbers_that_are_said(
    crowd: Path, tmp_path: Path
) -> None:
    out = tmp_path / "n.json"
    said = call("network", crowd, "-o", out, "--json").json
    solved = call("solve", out, "--json").json
    assert said["format"] == "headroom-opinion"
    assert solved["method"] == said["method"]
    for server, found in zip(said["servers"], solved["classes"], strict=False):
        assert found["response_time"] == pytest.approx(server["solved_s"], rel=1e-5)
        rest = 1000 * (server["solved_s"] - server["counted_twice_s"])
        assert server["network_ms"] == pytest.approx(rest, rel=1e-5)
        assert sum(server["parts"]["network"].values()) == pytest.approx(rest, rel=1e-5)


@pytest.mark.parametrize("ending", ["jsimg", "jmva", "JMVA"])
def test_models_for_jmt_have_the_classes_of_the_json(
    crowd: Path, tmp_path: Path, ending: str
) -> None:
    model, plain = tmp_path / f"n.{ending}", tmp_path / "n.json"
    answer = call("network", crowd, "-o", model)
    assert answer.out.startswith(f"wrote {model}: 7 classes")
    call("network", crowd, "-o", plain)
    names = [each["name"] for each in json.loads(plain.read_bytes())["classes"]]
    tags = {"closedclass", "openclass"} if ending.lower() == "jmva" else {"userClass"}
    root = ET.parse(model).getroot()
    classes = root.find("parameters/classes") if ending.lower() == "jmva" else root.find("sim")
    assert classes is not None
    assert [each.attrib["name"] for each in classes if each.tag in tags] == names


def test_what_hides_in_a_name_comes_into_no_file(tmp_path: Path) -> None:
    source = tmp_path / "s.json"
    source.write_bytes(scenario_to_json(a_scenario(vms=(a_vm(name="\u202egpj & <b>"),))))
    for ending in ("json", "jsimg", "jmva"):
        out = tmp_path / f"n.{ending}"
        assert call("network", source, "-o", out).status == 0
        assert "\u202e" not in out.read_text(encoding="utf-8")
    assert visible("\u202egpj") in call("network", source).out


def test_refusals_name_the_file_and_write_nothing(plan: Path, tmp_path: Path) -> None:
    other = tmp_path / "n.xml"
    answer = call("network", plan, "-o", other)
    assert answer.status == 2
    assert answer.err == f"{other}: must end in .json, .jsimg or .jmva\n"
    empty, out = tmp_path / "e.json", tmp_path / "n.json"
    empty.write_bytes(scenario_to_json(a_scenario(vms=())))
    answer = call("network", empty, "-o", out)
    assert (answer.status, out.exists()) == (2, False)
    assert "no server of the scenario has a response" in answer.err
    assert call("network", plan, "--scenario", "nobody").status == 2
    assert call("network", empty).status == 0

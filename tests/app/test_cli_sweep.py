"""Parameter studies: rows are predictions, the same whoever works them out, and resumable."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.cli_sweep import read_study, sweep_to_file
from db.codec import scenario_from_json, scenario_to_json
from db.errors import StoreError
from models.base.fields import with_value
from tests.app.sessions import two_hosts
from tests.app.terminal import ROOT
from tests.models.worlds import predict

SPEC = {
    "format": "headroom-sweep",
    "version": 1,
    "scenario": "scenario.json",
    "inputs": [
        {"path": "vms[*].workload.active_users", "values": [0.5, 1.0, 2.0], "factor": True},
        {"path": "policy.cpu_limit_pct", "from": 50, "to": 90, "steps": 3},
    ],
    "outputs": ["verdict", "hosts.cpu_pct", "vms[m1].response_ms", "failure_pct", "users"],
}


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    (tmp_path / "scenario.json").write_bytes(scenario_to_json(two_hosts()))
    return written(tmp_path, SPEC)


def written(folder: Path, content: dict[str, Any]) -> Path:
    path = folder / "spec.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_every_row_is_the_prediction_of_its_values(spec: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    assert sweep_to_file(str(spec), str(out), workers=1) == 9
    rows = rows_of(out)
    assert len(rows) == 9
    scenario = scenario_from_json((tmp_path / "scenario.json").read_bytes(), name="s")
    for row in rows:
        there = with_value(scenario, "policy.cpu_limit_pct", float(row["policy.cpu_limit_pct"]))
        factor = float(row["vms[*].workload.active_users"])
        for vm in there.vms:
            more = vm.workload.active_users * factor
            there = there.with_item(with_value(vm, "workload.active_users", more))
        prediction = predict(there)
        assert row["verdict"] == prediction.verdict.label
        found = [prediction.hosts.quantity(id, "cpu_pct").value for id in prediction.hosts.ids]
        most = max(each for each in found if each is not None)
        assert float(row["hosts.cpu_pct"]) == pytest.approx(most)


def test_processes_and_a_loop_write_the_same_bytes(spec: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    sweep_to_file(str(spec), str(one), workers=1)
    sweep_to_file(str(spec), str(two), workers=2)
    assert one.read_bytes() == two.read_bytes()


def test_a_study_that_was_broken_off_goes_on(
    spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.cli_sweep.CHUNK", 2)
    whole, out = tmp_path / "whole.csv", tmp_path / "out.csv"
    sweep_to_file(str(spec), str(whole), workers=1)

    def stop(done: int, _whole: int) -> None:
        if done >= 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep_to_file(str(spec), str(out), workers=1, progress=stop)
    part = tmp_path / "out.csv.part"
    part.write_bytes(part.read_bytes() + b"1.0,5")
    seen: list[int] = []
    sweep_to_file(
        str(spec), str(out), workers=1, resume=True, progress=lambda done, _: seen.append(done)
    )
    assert seen[0] == 6
    assert out.read_bytes() == whole.read_bytes()
    assert not part.exists()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"inputs": []}, "inputs"),
        ({"outputs": ["luck"]}, "outputs[0]"),
        ({"outputs": ["vms[nobody].cpu_pct"]}, "outputs[0]"),
        ({"inputs": [{"path": "vms[m9].vcpus", "values": [1]}]}, "inputs[0].path"),
        ({"inputs": [{"path": "policy.luck", "values": [1]}]}, "inputs[0].path"),
        ({"inputs": [{"path": "policy.cpu_limit_pct"}]}, "inputs[0]"),
        ({"inputs": [{"path": "policy.cpu_limit_pct", "values": [0]}]}, "inputs[0].path"),
        (
            {"inputs": [{"path": "policy.cpu_limit_pct", "values": [60, "a"]}]},
            "inputs[0].values[1]",
        ),
        ({"inputs": [{"path": "vms[*].powered_on", "values": ["x"]}]}, "inputs[0].values[0]"),
        ({"inputs": [{"path": "vms[*].powered_on", "values": [True, None]}]}, "values[1]: needs"),
        ({"inputs": [{"path": "vms[*].powered_on", "values": [True, 3]}]}, "values[1]: must be"),
        ({"inputs": [{"path": "vms[*].vcpus", "values": [2, True]}]}, "values[1]: must be"),
        ({"inputs": [{"path": "vms[*].name", "values": ["a", 3]}]}, "values[1]: must be a text"),
        ({"inputs": [{"path": "policy.posture", "values": ["wild"]}]}, "must be one of"),
        ({"inputs": [{"path": "vms[*].groups", "values": ["a"]}]}, "more than one value"),
        ({"colour": 1}, "colour"),
    ],
)
def test_a_wrong_study_names_the_field(
    spec: Path, tmp_path: Path, change: dict[str, Any], field: str
) -> None:
    path = written(tmp_path, SPEC | change)
    with pytest.raises(StoreError) as refusal:
        read_study(str(path))
    assert field in f"{refusal.value.field}{refusal.value}"


def test_values_that_can_not_be_leave_their_outputs_empty(spec: Path, tmp_path: Path) -> None:
    inputs = [{"path": "vms[m1].host", "values": ["h1", "nowhere"]}]
    path = written(tmp_path, SPEC | {"inputs": inputs, "outputs": ["verdict"]})
    out = tmp_path / "out.csv"
    sweep_to_file(str(path), str(out), workers=1)
    assert [bool(row["verdict"]) for row in rows_of(out)] == [True, False]


def test_the_command_says_what_it_wrote(spec: Path, tmp_path: Path) -> None:
    out, err = StringIO(), StringIO()
    target = tmp_path / "rows.csv"
    call = ["sweep", str(spec), "-o", str(target), "--workers", "1"]
    assert main(call, out, err, None) == 0  # type: ignore[arg-type]
    assert "9 rows" in out.getvalue()
    assert target.exists()


def test_other_endings_are_refused(spec: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="must end in"):
        sweep_to_file(str(spec), str(tmp_path / "rows.txt"))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_cell_is_no_formula(spec: Path, tmp_path: Path, workers: int) -> None:
    names = ["=cmd|' /C calc'!A0", "@x", "\x1b[31m", "a\u202eb"]
    inputs = [{"path": "vms[m1].name", "values": names}]
    path = written(tmp_path, SPEC | {"inputs": inputs, "outputs": ["verdict"]})
    out = tmp_path / "out.csv"
    sweep_to_file(str(path), str(out), workers=workers)
    cells = [row["vms[m1].name"] for row in rows_of(out)]
    assert cells == ["'=cmd|' /C calc'!A0", "'@x", "⟨U+001B⟩[31m", "a⟨U+202E⟩b"]


def test_what_has_no_row_yet_leaves_nothing(
    spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("app.cli_sweep.chunk_of", fail)
    with pytest.raises(RuntimeError):
        sweep_to_file(str(spec), str(tmp_path / "out.csv"), workers=1)
    assert not list(tmp_path.glob("*.part"))


def test_its_processes_end_with_it_however_it_ends(spec: Path, tmp_path: Path) -> None:
    """What they write to is closed only once the last of them is gone."""
    many = [{"path": "policy.cpu_limit_pct", "from": 1, "to": 99, "steps": 50_000}]
    written(tmp_path, {**SPEC, "inputs": many})
    command = [sys.executable, "-m", "app", "sweep", str(spec), "-o", str(tmp_path / "out.csv")]
    with subprocess.Popen(
        [*command, "--workers", "2"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as study:
        assert study.stderr is not None
        assert study.stderr.read(1)  # rows have come
        study.kill()
        study.communicate()

"""The command `solve`: lines, tables, exit status."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from app.cli_solve import run
from app.language import ENGLISH, language_of
from models.queueing.solve import Method

GOOD = {
    "classes": [{"name": "users", "population": 4000, "think_time": 10}],
    "stations": [
        {"name": "cpu", "type": "queue", "servers": 8, "visits": [1], "service": [0.02]},
        {"name": "disk", "type": "queue", "servers": 1, "visits": [1], "service": [0.002]},
        {"name": "net", "type": "delay", "visits": [2], "service": [0.001]},
    ],
}
SATURATED = {
    "classes": [{"name": "mail", "arrival_rate": 3}],
    "stations": [{"name": "disk", "type": "queue", "visits": [1], "service": [0.5]}],
}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, document in (("good", GOOD), ("saturated", SATURATED)):
        (tmp_path / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
    return [str(tmp_path / f"{name}.json") for name in ("good", "saturated", "missing")]


def call(paths: list[str], *, as_json: bool, method: Method = "auto") -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = run(paths, method, as_json, out, err, language_of(ENGLISH))
    return status, out.getvalue(), err.getvalue()


def test_one_file_as_json(files: list[str]) -> None:
    status, out, err = call(files[:1], as_json=True)
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    answer = json.loads(out)
    assert answer["method"] == "convolution"
    assert answer["classes"][0]["throughput"] == pytest.approx(394.45, rel=1e-3)


def test_several_files_stay_in_line_with_their_answers(files: list[str]) -> None:
    status, out, err = call([files[0], *files], as_json=True)
    lines = [json.loads(line) for line in out.splitlines()]
    assert (status, err, len(lines)) == (2, "", 4)
    assert lines[0] == lines[1]
    assert lines[2] == {
        "error": f"{files[1]}: stations[0]: station 'disk' is saturated by open classes: "
        "utilisation 1.5"
    }
    assert lines[3] == {"error": f"{files[2]}: there is no such file"}


def test_one_bad_file_says_so_on_the_other_stream(files: list[str]) -> None:
    for as_json in (True, False):
        status, out, err = call(files[1:2], as_json=as_json)
        assert (status, out) == (2, "")
        assert err.count("\n") == 1
        assert "'disk' is saturated" in err


def test_tables_for_people(files: list[str]) -> None:
    status, out, err = call(files, as_json=False)
    assert status == 2
    assert err.count("\n") == 2
    assert "convolution, estimated error of response times 1.0e-09" in out
    assert [line.split()[0] for line in out.splitlines() if line.startswith(("cpu", "disk", "net"))]
    assert next(line for line in out.splitlines() if line.startswith("net")).split()[2] == "–"


def test_method_is_obeyed(files: list[str]) -> None:
    _, out, _ = call(files[:1], as_json=True, method="approximate")
    answer = json.loads(out)
    assert answer["method"].startswith("linearizer")
    assert 0 < answer["error_estimate"] < 0.1

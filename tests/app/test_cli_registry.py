"""registry: scores of several projects, added up without names, and what they would change."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any

import pytest

from app.cli import DONE, REFUSED, main
from app.render.terminal import sections_text as terminal_text
from db.files import open_any
from models.customer.value_of_information import SITE
from models.scenario.origin import Origin
from models.tell.site import kept_sections
from resources.catalog_files import load_catalog
from tests.app.terminal import NoWindows

NO_RATIO = {
    "format": "headroom-registry",
    "version": 1,
    "projects": [
        {
            "id": "a",
            "model_version": "1",
            "load_basis": "production",
            "benchmark_derating": 1,
            "figures": [{"server": 1, "quantity": "cpu_pct", "measured": 0, "low": 1, "high": 2}],
        }
    ],
}
EXAMPLE = "resources/examples/production-today.json"


def run(*argv: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = main(list(argv), out, err, NoWindows())
    return status, out.getvalue(), err.getvalue()


def printed(*argv: str) -> Any:
    status, out, err = run(*argv, "--json")
    assert (status, err) == (DONE, "")
    return json.loads(out)


def scored(tmp_path: Path, name: str, over: float) -> Path:
    """A score of two servers whose CPU is so many times what is predicted."""
    predicted = {
        each["id"]: each["cpu_pct"]["value"] for each in printed("evaluate", EXAMPLE)["vms"]
    }
    servers = [
        {"id": id, "cpu_pct": predicted[id] * over * more}
        for id, more in (("m1", 0.98), ("m2", 1.02))
    ]
    measured = tmp_path / "measured.json"
    measured.write_text(json.dumps({"servers": servers}))
    path = tmp_path / name
    status, out, _ = run("score", EXAMPLE, "--measured", str(measured), "--json")
    assert status == DONE
    path.write_text(out)
    return path


@pytest.fixture
def scores(tmp_path: Path) -> list[Path]:
    return [scored(tmp_path, f"{n}.json", over) for n, over in enumerate((0.6, 0.62, 0.58, 0.61))]


def test_what_would_change_is_shown_and_nothing_is_written(
    tmp_path: Path, scores: list[Path]
) -> None:
    before = sorted(tmp_path.iterdir())
    found = printed("registry", *map(str, scores))
    assert sorted(tmp_path.iterdir()) == before
    (change,) = found["changes"]
    assert (found["projects"], change["projects"], change["servers"]) == (4, 4, 8)
    (cpu,) = change["quantities"]
    assert cpu["after"]["value"] == pytest.approx(0.6, rel=0.03)
    assert cpu["after"]["low"] < 0.58
    assert cpu["after"]["high"] > 0.62
    assert cpu["before"]["value"] == 1.0
    assert "4 projects scored." in run("registry", *map(str, scores))[1]


def test_few_projects_change_less(scores: list[Path]) -> None:
    found = printed("registry", str(scores[0]))
    (cpu,) = found["changes"][0]["quantities"]
    assert 0.6 < cpu["after"]["value"] < 1.0
    assert "Fewer than 4 projects" in run("registry", str(scores[0]))[1]


def test_a_registry_grows_and_has_no_names(tmp_path: Path, scores: list[Path]) -> None:
    first, second = (str(tmp_path / f"{name}.json") for name in ("first", "second"))
    assert run("registry", *map(str, scores[:3]), "-o", first)[0] == DONE
    assert run("registry", first, *map(str, scores[2:]), "-o", second)[0] == DONE
    assert printed("registry", second) == printed("registry", *map(str, scores))
    text = Path(second).read_text()
    assert len(json.loads(text)["projects"]) == 4
    scenario = open_any(EXAMPLE, load_catalog()).default_entry(None).scenario
    for name in (scenario.name, scenario.customer, *(vm.name for vm in scenario.vms)):
        assert not name or name not in text
    # Nor a load: ratios alone.
    assert all(
        math.isclose(figure["measured"], 0.6, rel_tol=0.1)
        for each in json.loads(text)["projects"]
        for figure in each["figures"]
    )


def test_it_is_taken_into_a_scenario(tmp_path: Path, scores: list[Path]) -> None:
    output = str(tmp_path / "taken.json")
    files = [*map(str, scores), "--site", EXAMPLE, "--take", output]
    assert run("registry", *files)[0] == DONE
    before, after = (
        {each["id"]: each["cpu_pct"]["value"] for each in printed("evaluate", name)["vms"]}
        for name in (EXAMPLE, output)
    )
    assert after["m1"] / before["m1"] == pytest.approx(0.6, rel=0.03)
    scenario = open_any(output, load_catalog()).default_entry(None).scenario
    told = terminal_text(kept_sections(scenario))
    assert "servers of other projects, none of this customer" in told
    assert Origin.CALIBRATED not in dict(scenario.origins).values()
    assert SITE in {each["input"] for each in printed("ask", output)}
    again = run("registry", *map(str, scores), "--site", output, "--take", output)
    assert again[0] == REFUSED
    assert "calibrated to its own servers already" in again[2]


def test_shifted_predictions_say_nothing_of_the_model(tmp_path: Path, scores: list[Path]) -> None:
    output = str(tmp_path / "taken.json")
    run("registry", *map(str, scores), "--site", EXAMPLE, "--take", output)
    score = tmp_path / "score.json"
    measured = str(tmp_path / "measured.json")
    score.write_text(run("score", output, "--measured", measured, "--json")[1])
    status, out, err = run("registry", str(score))
    assert (status, out) == (REFUSED, "")
    assert "is_shifted" in err


def test_another_version_counts_for_nothing(tmp_path: Path, scores: list[Path]) -> None:
    old = json.loads(scores[0].read_text()) | {"model_version": "0.1"}
    scores[0].write_text(json.dumps(old))
    found = printed("registry", *map(str, scores))
    assert (found["projects"], found["of_other_versions"]) == (4, 1)
    assert found["changes"][0]["projects"] == 3


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "is no valid JSON"),
        ("[]", "is no registry and no score"),
        ('{"format": "headroom-scenario", "version": 1}', "format: must be one of"),
        ('{"format": "headroom-registry", "version": 2}', "version: must be 1"),
        ('{"format": "headroom-registry", "version": 1}', "projects"),
        (
            '{"format": "headroom-score", "version": 1, "model_version": "1", "servers": []}',
            "load_basis: is not said",
        ),
        (
            json.dumps(NO_RATIO),
            "projects[0].figures[0]: is no ratio",
        ),
    ],
)
def test_a_file_that_is_neither(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(text)
    status, out, err = run("registry", str(path))
    assert (status, out) == (REFUSED, "")
    assert err.startswith(str(path))
    assert sentence in err

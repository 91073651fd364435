"""The benchmark: its scenarios can exist, its keys are those that scripts rely on."""

from __future__ import annotations

import json
from io import StringIO

import pytest

from app import bench, bench_studies
from app.calibrated import shipped_knowledge
from app.synthetic import OVERLOAD, synthetic_scenario
from models.check import check_scenario
from models.evaluate import evaluate
from models.predict.prediction import Severity, Verdict
from resources.catalog_files import load_catalog

KEYS = {
    "python",
    "loop_ms",
    "evaluate_ms",
    "evaluate_edit_ms",
    "evaluate_afresh_ms",
    "evaluate_first_ms",
    "evaluate_users_ms",
    "evaluate_policy_ms",
    "evaluate_overloaded_ms",
    "batch_evaluations_per_s",
    "batch_times_a_loop",
    "what_ifs_per_s",
    "studies",
    "single_failures_ms",
    "failing_pairs_ms",
    "network_solutions_per_s",
    "approximate",
    "save_ms",
    "load_ms",
    "first_window_ms",
    "full_window_ms",
    "bare_window_ms",
    "idle_cpu_pct",
    "hover_frame_ms",
    "edit_to_paint_ms",
    "theme_cpu_ms",
}


@pytest.mark.parametrize(("hosts", "vms"), [(1, 0), (20, 200), (33, 120)])
def test_synthetic_scenarios_can_exist(hosts: int, vms: int) -> None:
    scenario = synthetic_scenario(hosts, vms)
    check_scenario(scenario, load_catalog())
    assert (len(scenario.hosts), len(scenario.vms)) == (hosts, vms)
    assert scenario == synthetic_scenario(hosts, vms)


@pytest.mark.parametrize(("hosts", "vms"), [(20, 200), (100, 1000)])
def test_the_estate_is_healthy_and_can_be_overloaded(hosts: int, vms: int) -> None:
    healthy, overloaded = (
        evaluate(synthetic_scenario(hosts, vms, load=load), shipped_knowledge())
        for load in (1.0, OVERLOAD)
    )
    assert healthy.verdict is Verdict.NOT_KNOWN
    unknown = {name for name, each in healthy.by_resource.items() if each is Verdict.NOT_KNOWN}
    assert unknown == {"response"}
    assert set(healthy.by_resource.values()) == {Verdict.FITS, Verdict.NOT_KNOWN}
    assert {each.severity for each in healthy.findings} == {Severity.ADVICE}
    assert len(healthy.findings) < 20
    assert overloaded.verdict is Verdict.DOES_NOT_FIT
    assert len(overloaded.findings) > 100


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The benchmark of a toy, once around."""
    monkeypatch.setattr(bench, "SIZES", ((2, 10), (3, 20)))
    monkeypatch.setattr(bench, "STORED", (10,))
    monkeypatch.setattr(bench, "WINDOW_RUNS", 1)
    monkeypatch.setattr(bench, "SHORTEST_S", 0.0)
    monkeypatch.setattr(bench, "VARIANT_VMS", 40)
    monkeypatch.setattr(bench_studies, "USERS", (300,))
    monkeypatch.setattr(bench_studies, "SERVERS", 1)
    monkeypatch.setattr(bench_studies, "KEPT", 1)
    monkeypatch.setattr(bench_studies, "SAMPLES", 10)
    monkeypatch.setattr(bench_studies, "STUDY_ROWS", 2)
    monkeypatch.setattr(bench_studies, "YEARS", 1)
    monkeypatch.setattr(bench_studies, "PLACE_S", 0.01)
    gestures = {
        "idle_cpu_pct": 0.1,
        "hover_frame_ms": {"p50": 1.0, "p95": 2.0},
        "edit_to_paint_ms": {"p50": 3.0},
        "theme_cpu_ms": {"p50": 4.0},
    }
    monkeypatch.setattr(bench, "_gesture_figures", lambda: gestures)
    monkeypatch.setattr(
        bench,
        "queueing_figures",
        lambda: {
            "network_solutions_per_s": 2.0,
            "approximate": [
                {"method": "m", "error": 0.1, "light_per_s": 3.0, "saturated_per_s": 4.0}
            ],
        },
    )


@pytest.mark.slow
@pytest.mark.usefixtures("_small")
def test_figures_are_measured_under_the_promised_names() -> None:
    out = StringIO()
    assert bench.run(as_json=True, out=out) == 0
    assert out.getvalue().count("\n") == 1
    found = json.loads(out.getvalue())
    assert set(found) >= KEYS
    assert set(found["evaluate_ms"]) == {"2x10", "3x20"}
    assert set(found["save_ms"]) == set(found["load_ms"]) == {"10"}
    durations = [*found["evaluate_ms"].values(), *found["save_ms"].values()]
    assert all(duration > 0 for duration in durations)
    studies = ["options 300", "simulate", "sensitivity", "sweep", "grow"]
    assert list(found["studies"])[:5] == studies
    for each in found["studies"].values():
        assert each["times"] == pytest.approx(each["loop_ms"] / each["ms"], rel=0.01)
    assert found["first_window_ms"] > 0
    assert found["full_window_ms"] > 0
    assert found["bare_window_ms"] > 0


def test_the_table_has_a_line_a_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    approximate = {"method": "m", "error": 0.1, "light_per_s": 3.0, "saturated_per_s": 4.0}
    found = {"evaluate_ms": {"2x10": 1.0}, "approximate": [approximate]}
    monkeypatch.setattr(bench, "figures", lambda: found)
    out = StringIO()
    assert bench.run(as_json=False, out=out) == 0
    lines = out.getvalue().splitlines()
    assert any(line.startswith("evaluate_ms 2x10") for line in lines)
    assert any(line.startswith("approximate 1 method") and line.endswith("m") for line in lines)


def test_the_median_counts_only_the_action() -> None:
    calls: list[int] = []
    assert bench.median_ms(lambda: calls.append(1)) < 100.0
    assert len(calls) > 3

"""`failures`: worst first, arithmetic shown, JSON as the model says."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli_failures import MODE_WORDS, as_text, kinds_named
from db.codec import scenario_to_json
from db.failure_study import failures_to_json
from models.failure.mode import ModeKind
from models.failure.restart_time import ASSUMED
from models.resilience.availability_study import study_availability
from models.resilience.modes import EVERY_KIND, USUAL
from models.resilience.study import study_failures
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Affinity,
    AffinityKind,
    Cluster,
    Scenario,
)
from tests.app.terminal import ROOT, call, refused
from tests.models.worlds import KNOWLEDGE, a_cluster_of, a_vm, predict

THREE = a_cluster_of(3, vms=3, memory_reservation_gib=8.0)
SLOTS = replace(
    THREE,
    clusters=(
        Cluster(id="c1", name="Mail", admission=Admission(policy=AdmissionPolicy.HOST_FAILURES)),
    ),
    affinity=(Affinity(id="a1", kind=AffinityKind.MUST_RUN_ON, vms=("m1",), hosts=("h1",)),),
)


def text_of(scenario: Scenario, *which: ModeKind) -> str:
    study = study_failures(scenario, KNOWLEDGE, which=which or USUAL)
    availability = study_availability(scenario, KNOWLEDGE)
    return as_text(scenario, predict(scenario), study, availability)


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.json"
    path.write_bytes(scenario_to_json(SLOTS))
    return path


def test_modes_stand_worst_first_with_what_becomes_of_the_vms() -> None:
    text = text_of(SLOTS)
    lines = text.splitlines()
    assert lines[0].startswith("test: what fails, worst first; model ")
    table = lines[lines.index("") + 2 :]
    starts = [line.split("  ")[0] for line in table if line and not line.startswith(" ")]
    assert starts[:3] == ["What fails", "Normal operation", "H1 fails"]
    worst = next(line for line in table if line.startswith("H1 fails"))
    assert "does not fit" in worst
    assert "M1 finds no room" in worst
    assert "- H1 fails, M1: " in text
    assert "- M1 finds no room: " in text


def test_the_arithmetic_of_admission_control_is_shown() -> None:
    text = text_of(SLOTS)
    part = text[text.index("Admission control\n") :]
    assert ", host failures tolerated (slots):\n" in part
    assert "8,523" in part, "8 GiB and 331.1 MiB of overhead"
    assert "Power-on allowed: 2 hosts may fail, 1 configured" in part
    assert "Source: VMware, vSphere Availability" in part


def test_a_cluster_without_admission_control_and_one_without_data() -> None:
    without = replace(THREE, clusters=(Cluster(id="c1", name="Mail"),))
    assert "Every power-on is allowed" in text_of(without)
    old = tuple(replace(host, hypervisor="esx-3.5") for host in SLOTS.hosts)
    text = text_of(replace(SLOTS, hosts=old))
    assert "No data: before vSphere 4" in text
    assert "Power-on" not in text


def test_times_of_restarts_are_called_assumed_and_told_once() -> None:
    text = text_of(a_cluster_of(2, vms=5))
    assert text.count("Restart by HA") == 1
    assert ASSUMED in text[text.index("Restart by HA") :]
    assert "M1, M2, M3, M4 and 1 more" in text


def test_fault_tolerance_says_where_and_that_response_has_no_data() -> None:
    hosts = tuple(replace(host, ft_logging_gbps=1.0) for host in a_cluster_of(2, vms=0).hosts)
    vms = (a_vm(vcpus=1, fault_tolerance=True),)
    text = text_of(replace(a_cluster_of(2, vms=0), hosts=hosts, vms=vms))
    (row,) = [line for line in text.splitlines() if line.startswith("M1  ")]
    assert row.split()[:4] == ["M1", "H1", "H2", "yes"]
    assert "Response across a failover: no data" in text
    assert "M1: FT primary dies" in text


def test_json_is_one_object_with_every_part(plan: Path) -> None:
    answer = call("failures", plan, "--json", "--modes", "all")
    assert (answer.status, answer.err) == (0, "")
    told = answer.json
    assert (told["format"], told["version"]) == ("headroom-failures", 1)
    ids = [mode["id"] for mode in told["modes"]]
    assert "normal" in ids
    assert "hosts h1, h2" in ids
    verdicts = [mode["verdict"] for mode in told["modes"]]
    assert verdicts[0] == "does not fit"
    (first,) = [mode for mode in told["modes"] if mode["id"] == "host h1"]
    assert first["not_restarted"][0]["vm"] == "m1"
    assert {"value", "low", "high", "basis", "evidence"} <= set(first["cpu_pct"])
    (admission,) = told["admission"]
    assert admission["admitted"] is True
    assert admission["current_failover_hosts"] == 2
    assert all(step["result"] for step in admission["steps"])
    assert [each["vm"] for each in told["restart_times"]] == ["m1", "m2", "m3"]
    parts = told["restart_times"][0]["with_transaction_logs"]
    assert {part["origin"] for part in parts} == {"assumed"}


def test_json_follows_the_order_of_the_study() -> None:
    study = study_failures(SLOTS, KNOWLEDGE, which=EVERY_KIND)
    availability = study_availability(SLOTS, KNOWLEDGE)
    told = failures_to_json("test", "1", study, availability)
    assert [mode["id"] for mode in told["modes"]] == [study.modes[row].id for row in study.ranked()]
    assert [each["host"] for each in told["worst_hosts"]] == [
        each.host for each in study.worst_hosts()
    ]


@pytest.mark.parametrize(
    ("policy", "fields"),
    [
        (AdmissionPolicy.PERCENTAGE, {"cpu_current_pct", "ram_required_mib"}),
        (AdmissionPolicy.DEDICATED, {"hosts", "occupied"}),
        (AdmissionPolicy.NONE, {"steps"}),
    ],
)
def test_json_of_every_policy(policy: AdmissionPolicy, fields: set[str]) -> None:
    admission = Admission(policy=policy, failover_host="h3")
    scenario = replace(THREE, clusters=(Cluster(id="c1", name="Mail", admission=admission),))
    study = study_failures(scenario, KNOWLEDGE)
    availability = study_availability(scenario, KNOWLEDGE)
    (told,) = failures_to_json("test", "1", study, availability)["admission"]
    assert fields <= set(told)
    assert json.dumps(told)


def test_kinds_by_their_words() -> None:
    assert kinds_named(()) == USUAL
    assert kinds_named(["all", "host"]) == EVERY_KIND
    assert kinds_named(["maintenance", "usual"]) == tuple(
        kind for kind in ModeKind if kind in {*USUAL, ModeKind.MAINTENANCE}
    )
    for word in MODE_WORDS[2:]:
        (kind,) = kinds_named([word])
        assert kind.value.replace(" ", "-") == word


def test_wrong_usage_and_bad_files_are_one_line(plan: Path, tmp_path: Path) -> None:
    assert "invalid choice: 'fire'" in refused("failures", plan, "--modes", "fire")
    assert "none.json" in refused("failures", tmp_path / "none.json")
    assert "Nobody" in refused("failures", plan, "--scenario", "Nobody")


def test_it_needs_no_qt(plan: Path) -> None:
    code = (
        "import sys, io, app.cli as cli\n"
        "status = cli.main(sys.argv[1:], io.StringIO(), sys.stderr, None)\n"
        "found = [name for name in sys.modules if name.startswith('PySide6')]\n"
        "sys.exit(f'Qt was imported: {found[:3]}' if found else status)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "failures", str(plan)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")

"""A report of a problem names nobody."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.problem import names_in, newest_faults, report_text, versions, without_names
from models.project.project import Project
from tests.app import samples


def test_a_report_has_versions_and_no_names(tmp_path: Path) -> None:
    scenario = replace(samples.scenario(), name="Bank move", customer="Example Ltd")
    project = Project.of(scenario)
    path = Path.home() / "Example Ltd" / "bank.headroom"
    names = names_in(project, path)
    told = f"{scenario.vms[0].name.upper()} of example ltd is lost, see {path}"
    text = report_text(
        told, versions("1.0"), project, f'  File "{Path.home()}/a.py", line 3', names
    )
    for name in ("example ltd", "bank", str(Path.home()), *(vm.name for vm in scenario.vms)):
        assert name.casefold() not in text.casefold()
    assert "vm-1 of customer is lost" in text
    assert "Model: 1.0" in text
    assert f"{len(scenario.vms)} VMs" in text


def test_a_name_inside_of_a_word_stays() -> None:
    assert without_names("risk of esx10", {"is": "vm-1", "esx1": "host-1"}) == "risk of esx10"


def test_the_newest_faults_begin_with_a_whole_line(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    assert newest_faults(log) == ""
    log.write_text("".join(f"line {number}\n" for number in range(5000)))
    assert newest_faults(log).startswith("line ")
    assert newest_faults(log).endswith("line 4999\n")

"""What was changed since a proposal: in a check, in the next one, and in that made again."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.language import language_of
from app.report.build import Print, report
from app.signed import kept, remade, with_kept, with_kept_beside
from app.since import last_kept
from db.signed import all_signed
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.project.project import Project
from resources.catalog_files import load_catalog
from tests.app.sessions import two_hosts
from tests.app.signing import exported, older, run, saved
from tests.models.worlds import CALIBRATION


def edited(project: Project) -> Project:
    """A VM with half of its users."""
    vm = project.scenario.vms[0]
    fewer = replace(vm.workload, active_users=vm.workload.active_users / 2)
    return project.with_scenario(project.scenario.with_item(replace(vm, workload=fewer)))


def told(project: Project, tmp_path: Path) -> dict[str, object]:
    path = saved(project, tmp_path / "a.headroom")
    (found,) = json.loads(run("check", path, "--signed", "--json")[1])["changed_since"]
    return dict(found)


def test_an_edit_is_told_with_its_value_then_and_now(tmp_path: Path) -> None:
    project, signed, _ = exported()
    found = told(edited(project), tmp_path)
    assert found["at"] == signed.scenarios[0].stated.at
    inputs = found["inputs"]
    assert isinstance(inputs, list)
    (row,) = inputs
    assert (row["field"], row["values"]) == ("workload.active_users", [2000.0, 1000.0])
    assert found["outcomes"]
    assert not found["otherwise"]
    words = run("check", str(tmp_path / "a.headroom"), "--signed")[1]
    assert "Since the proposal of 7 March 2026" in words
    assert "2,000" in words


def test_nothing_changed_and_nothing_exported_are_said(tmp_path: Path) -> None:
    project, _, _ = exported()
    assert told(project, tmp_path)["changed"] is False
    assert "Nothing was changed" in run("check", str(tmp_path / "a.headroom"), "--signed")[1]
    never = saved(Project.of(two_hosts()), tmp_path / "b.headroom")
    assert (
        json.loads(run("check", never, "--signed", "--json")[1])["changed_since"][0]["at"] is None
    )
    assert "No proposal about this scenario is kept" in run("check", never, "--signed")[1]
    assert "changed_since" not in json.loads(run("check", never, "--json")[1])


def test_what_the_model_says_otherwise_is_no_edit(tmp_path: Path) -> None:
    project, signed, _ = exported()
    found = told(older(project, signed), tmp_path)
    assert (found["inputs"], found["outcomes"]) == ([], [])
    assert [each["quantity"] for each in found["otherwise"]] == ["hosts.cpu_pct"]  # type: ignore[attr-defined]


def test_the_next_proposal_says_it_and_is_made_again_with_it(tmp_path: Path) -> None:
    project, _, _ = exported()
    later = edited(project)
    catalog, entry = load_catalog(), later.entries[0]
    pairs = [(entry.scenario, evaluate(entry.scenario, Knowledge(catalog, CALIBRATION)))]
    how = Print(now=datetime(2026, 5, 1, 8, tzinfo=UTC), language=language_of("de"))
    how = with_kept_beside(how, [entry], last_kept(later, [entry.id]))
    content = report(pairs, catalog, ".html", how).content
    assert "Seit dem Angebot vom 7. März 2026" in content.decode()
    signed = kept([entry], pairs, catalog, how)
    third = with_kept(later, signed)
    again = remade(all_signed(third)[-1], catalog)
    assert report(again.scenarios, again.catalog, ".html", again.how).content == content


@pytest.mark.parametrize("changes", [True, False])
def test_a_report_has_it_where_an_export_is_kept(changes: bool, tmp_path: Path) -> None:
    project, _, _ = exported()
    path, out = saved(edited(project), tmp_path / "a.headroom"), tmp_path / "a.html"
    asked = ("--changes", "2026-03-07", "--sections", "numbers") if changes else ()
    assert run("report", path, "-o", str(out), *asked)[0] == 0
    assert "Since the proposal of 7 March 2026" in out.read_text(encoding="utf-8")
    code, _, err = run("report", path, "-o", str(out), "--changes", "2025")
    assert (code, "exported" in err) == (2, True)

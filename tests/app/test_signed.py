"""A proposal made again as it was exported: the same bytes, or a word about what is other."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest

from app import __version__
from app.calibrated import shipped_calibration
from app.cli import main
from app.language import language_of
from app.report.build import Print, report
from app.report.paper import Paper
from app.signed import kept, remade, with_kept
from db.files import open_any, save_whole
from db.signed import all_signed, signed_of, with_signed
from models.evaluate import evaluate
from models.project import Project, Record
from models.signing.signed import Signed
from resources.catalog_files import load_catalog
from tests.app.sessions import two_hosts

NOW = datetime(2026, 3, 7, 9, 5, 31, tzinfo=UTC)
HOW = Print(
    now=NOW,
    language=language_of("de"),
    file="old.headroom",
    paper=Paper.LETTER,
    sections=("summary", "numbers"),
)


def exported() -> tuple[Project, Signed, bytes]:
    """A project that keeps what it exported, and the bytes that the customer has."""
    project, catalog = Project.of(replace(two_hosts(), customer="Acme")), load_catalog()
    entry = project.entries[0]
    pairs = [(entry.scenario, evaluate(entry.scenario, catalog, shipped_calibration()))]
    signed = kept([entry], pairs, catalog, HOW)
    return with_kept(project, signed), signed, report(pairs, catalog, ".pdf", HOW).content


def older(project: Project, signed: Signed) -> Project:
    """The same as an older model said it."""
    (one,) = signed.scenarios
    numbers = {**one.stated.numbers, "hosts.cpu_pct": 12.0}
    then = replace(one, stated=replace(one.stated, model="1.18", numbers=numbers))
    emptied = project.with_records(project.active, "signed", ())
    return with_signed(emptied, replace(signed, scenarios=(then,)))


def saved(project: Project, path: Path) -> str:
    save_whole(path, project, load_catalog(), program_version=__version__)
    return str(path)


def run(*arguments: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    code = main(list(arguments), out, err, None)  # type: ignore[arg-type]
    return code, out.getvalue(), err.getvalue()


def test_a_project_that_was_edited_since_gives_the_same_bytes(tmp_path: Path) -> None:
    project, _, content = exported()
    vm = project.scenario.vms[0]
    edited = project.with_scenario(project.scenario.with_item(replace(vm, vcpus=1, name="Other")))
    path, out = saved(edited, tmp_path / "now.headroom"), tmp_path / "again.pdf"
    code, _, err = run("report", path, "-o", str(out), "--signed")
    assert (code, err) == (0, "")
    assert out.read_bytes() == content


def test_an_export_is_chosen_by_its_day(tmp_path: Path) -> None:
    project, signed, content = exported()
    later = replace(signed, at=NOW.replace(day=9).isoformat())
    path, out = saved(with_signed(project, later), tmp_path / "a.headroom"), tmp_path / "a.pdf"
    assert run("report", path, "-o", str(out), "--signed", "2026-03-07")[0] == 0
    assert out.read_bytes() == content
    code, _, err = run("report", path, "-o", str(out), "--signed", "2025")
    assert (code, "exported" in err) == (2, True)


def test_what_an_older_model_said_is_told_in_the_document_and_beside_it(tmp_path: Path) -> None:
    project, signed, _ = exported()
    path, out = saved(older(project, signed), tmp_path / "a.headroom"), tmp_path / "a.html"
    code, _, err = run("report", path, "-o", str(out), "--signed")
    assert code == 0
    assert "others than then" in err
    page = out.read_text(encoding="utf-8")
    assert "1.18" in page
    assert "Anders als exportiert" in page


def test_check_lists_what_was_exported(tmp_path: Path) -> None:
    project, signed, _ = exported()
    path = saved(project, tmp_path / "a.headroom")
    found = json.loads(run("check", path, "--json")[1])
    assert [each["at"] for each in found["exported"]] == [NOW.isoformat()]
    assert found["exported"][0]["inputs"] == [signed.scenarios[0].stated.inputs]
    assert "2026-03-07 09:05" in run("check", path)[1]


def test_a_catalog_row_that_changed_since_stays_as_it_was() -> None:
    _, signed, content = exported()
    catalog = load_catalog()
    id = two_hosts().hosts[0].server
    slower = replace(catalog.servers[id], cores=2)
    changed = replace(catalog, servers={**catalog.servers, id: slower})
    again = remade(signed, changed)
    assert not again.others
    assert report(again.scenarios, again.catalog, ".pdf", again.how).content == content


@pytest.mark.parametrize("content", ['{"packed": "AAAA"}', '{"packed": 3}', '{"other": 1}'])
def test_what_cannot_be_read_is_left_out(content: str) -> None:
    project = Project.of(two_hosts())
    entry = replace(project.entries[0], records=(Record(kind="signed", content=content),))
    assert not list(signed_of(entry))


def test_records_survive_the_file_and_the_same_scenario_is_kept_once_more(tmp_path: Path) -> None:
    project, signed, _ = exported()
    path = saved(with_kept(project, signed), tmp_path / "a.headroom")
    assert all_signed(open_any(path, load_catalog())) == (signed, signed)

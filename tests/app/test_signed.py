"""A proposal made again as it was exported: the same bytes, or a word about what is other."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from app.calibrated import shipped_calibration
from app.report.build import report
from app.report.template import load_template
from app.signed import kept, remade, with_kept
from db.files import open_any
from db.signed import all_signed, signed_of, with_signed
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.prices.book import Article, Price, PriceBook
from models.project.project import SIGNED, Project, Record
from resources.catalog_files import load_catalog
from tests.app.sessions import two_hosts
from tests.app.signing import HOW, NOW, exported, older, run, saved


def test_an_export_is_chosen_by_its_day(tmp_path: Path) -> None:
    project, signed, content = exported()
    later = replace(signed, at=NOW.replace(day=9).isoformat())
    path, out = saved(with_signed(project, later), tmp_path / "a.headroom"), tmp_path / "a.pdf"
    assert run("report", path, "-o", str(out), "--signed", "2026-03-07")[0] == 0
    assert out.read_bytes() == content
    code, _, err = run("report", path, "-o", str(out), "--signed", "2025")
    assert (code, "exported" in err) == (2, True)


def test_the_last_one_is_the_last_in_time_not_by_the_clock_on_the_wall() -> None:
    project, signed, _ = exported()
    here, there = "2026-03-08T09:00:00+01:00", "2026-03-08T05:00:00-05:00"
    for at in (there, here):
        project = with_signed(project, replace(signed, at=at))
    assert [each.at for each in all_signed(project)][1:] == [here, there]


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


def test_the_prices_of_a_proposal_are_kept_to_the_cent(tmp_path: Path) -> None:
    project, signed, _ = exported()
    price = Price(article=Article.SERVER, once=Decimal("8400.05"), row=2)
    book = PriceBook(prices=(price,), currency="EUR", name="own.csv", day=date(2026, 3, 1))
    path = saved(with_signed(project, replace(signed, book=book)), tmp_path / "a.headroom")
    (*_, again) = all_signed(open_any(path, load_catalog()))
    assert again.is_whole
    assert remade(again, load_catalog()).how.book == book


def test_other_numbers_in_a_kept_proposal_than_beside_it_are_named(tmp_path: Path) -> None:
    project, signed, _ = exported()
    (one,) = signed.scenarios
    numbers = {**one.stated.numbers, "hosts.cpu_pct": 12.0}
    forged = replace(signed, scenarios=(replace(one, stated=replace(one.stated, numbers=numbers)),))
    altered = with_signed(project.with_records(project.active, SIGNED, ()), forged)
    code, _, err = run("check", saved(altered, tmp_path / "a.headroom"))
    assert code == 2
    assert "states other numbers than are kept beside" in err


def test_what_cannot_be_read_is_named_by_check(tmp_path: Path) -> None:
    project = exported()[0].with_records("s1", SIGNED, ['{"packed": "AAAA"}'])
    code, told, err = run("check", saved(project, tmp_path / "a.headroom"), "--json")
    assert (code, json.loads(told)["integrity"]) == (2, "broken")
    assert "1 kept proposal can’t be read" in err


def test_a_design_edited_since_it_was_exported_is_named(tmp_path: Path) -> None:
    project, signed, _ = exported()
    host = project.scenario.hosts[0]
    more = replace(host, ram_gib=host.ram_gib + 64)
    edited = project.with_scenario(project.scenario.with_item(more))
    path = saved(edited, tmp_path / "a.headroom")
    code, told, err = run("check", path)
    assert (code, err) == (0, "")
    assert "“Two hosts” is not what was exported as a proposal 2026-03-07 09:05" in told
    assert signed.scenarios[0].stated.inputs[:12] in told
    assert "sound; the inputs were changed since" in told
    assert (
        "is not what was exported" not in run("check", saved(project, tmp_path / "b.headroom"))[1]
    )


def test_a_changed_template_changes_nothing_that_was_exported(tmp_path: Path) -> None:
    file = tmp_path / "look.toml"
    logo = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    (tmp_path / "logo.svg").write_text(logo)
    terms = '[texts]\nagreement = "{words}"\n[look]\nlogo = "logo.svg"\n'
    file.write_text(terms.format(words="As agreed by hand."))
    project, catalog = Project.of(two_hosts()), load_catalog()
    how = replace(HOW, template=load_template(file))
    entry = project.entries[0]
    pairs = [(entry.scenario, evaluate(entry.scenario, Knowledge(catalog, shipped_calibration())))]
    content = report(pairs, catalog, ".pdf", how).content
    kept_so = with_kept(project, kept([entry], pairs, catalog, how))
    path = saved(kept_so, tmp_path / "a.headroom")
    file.write_text(terms.format(words="The customer waives all claims."))
    (tmp_path / "logo.svg").unlink()
    out = tmp_path / "a.pdf"
    assert run("report", path, "-o", str(out), "--signed")[0] == 0
    assert out.read_bytes() == content


def test_a_template_of_which_only_the_path_was_kept_is_refused(tmp_path: Path) -> None:
    project, signed, _ = exported()
    emptied = project.with_records(project.active, SIGNED, ())
    older = with_signed(emptied, replace(signed, template="look.toml"))
    path, out = saved(older, tmp_path / "a.headroom"), tmp_path / "a.pdf"
    code, _, err = run("report", path, "-o", str(out), "--signed")
    assert (code, out.exists()) == (2, False)
    assert "keeps only the path of its template, look.toml" in err


def test_a_proposal_that_was_taken_away_is_told(tmp_path: Path) -> None:
    project = exported()[0].with_records("s1", SIGNED, ())
    code, told, _ = run("check", saved(project, tmp_path / "a.headroom"))
    assert (code, "that proposal is not kept here" in told) == (0, True)

"""What a proposal recommends, counts and cites, as the one who signs reads it."""

from __future__ import annotations

from dataclasses import replace

from app.calibrated import shipped_calibration
from app.report.build import subject_of
from db.codec import scenario_from_json
from models.evaluate import evaluate
from models.proposal import propose
from models.proposal.grounds import sources
from models.proposal.summary import summary
from models.scenario import Scenario
from models.tell.blocks import Table
from models.tell.materials import materials
from models.tell.subject import Subject
from resources.catalog_files import load_catalog
from resources.example_files import load_examples


def example(name: str) -> Scenario:
    files = {file.name: file for each in load_examples() for file in each.files}
    return scenario_from_json(files[name].text.encode(), name=name)


def subject(name: str) -> Subject:
    scenario, catalog = example(name), load_catalog()
    prediction = evaluate(scenario, catalog, shipped_calibration())
    return subject_of(scenario, prediction, catalog)


def test_only_what_fits_and_can_be_bought_is_recommended() -> None:
    fits = subject("production-today.json")
    assert "Recommended" in str(summary(fits))
    assert "Recommended" not in str(summary(replace(fits, is_option=True)))
    for name in ("wv21-migration.json", "building-block.json"):  # at risk; a reference system
        assert "This design" in str(summary(subject(name)))


def test_nobody_waits_for_a_restart_that_never_comes() -> None:
    assert "wait for the restart" not in str(summary(subject("wv21-migration.json")))
    assert "wait for the restart" in str(summary(subject("building-block.json")))


def test_an_array_of_two_pools_may_be_one() -> None:
    found = subject("wv21-migration.json")
    (array,) = [m for m in materials(found.scenario, found.catalog) if m.part == "Storage array"]
    assert (array.count, "share an array" in array.note) == (2, True)


def test_words_that_hold_for_all_scenarios_stand_once() -> None:
    one = subject("wv21-today.json")
    proposal = propose([one, one], date="today", program="Headroom")
    titles = [section.title for part in proposal.parts for section in part.sections]
    assert titles.count("Words used here") == 1
    assert titles.count("In short") == 2


def test_a_source_is_a_document_not_a_code_of_ours() -> None:
    table = next(
        b for b in sources(subject("production-today.json")).blocks if isinstance(b, Table)
    )
    assert any("Console statistics" in str(row[0]) for row in table.rows)
    assert "field-" not in str(table.rows)

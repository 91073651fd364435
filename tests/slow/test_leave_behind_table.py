"""The table of the leave-behind against the program: what its script reads, asked at random."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from app.calibrated import shipped_knowledge
from app.language import language_of
from app.report.build import Print, report
from db.codec import scenario_from_json
from db.stated import fingerprint
from models.evaluate import evaluate
from models.proposal.names import shown_names
from models.scenario.growth import grown, with_more, with_users
from models.scenario.scenario import Growth
from models.studies.leave_behind import NUMBERS, answers
from resources.example_files import load_examples
from tests.slow.leave_behind import numbers_of, table_of


@pytest.mark.slow
@pytest.mark.parametrize("name", ["building-block.json", "production-today.json"])
def test_random_questions_are_answered_as_the_program_does(name: str) -> None:
    files = {file.name: file for each in load_examples() for file in each.files}
    given = scenario_from_json(files[name].text.encode(), name=name)
    given = replace(given, growth=Growth(years=3.0, users_pct=15.0, mail_pct=10.0))
    knowledge = shipped_knowledge()
    table = answers(given, knowledge)
    assert table is not None
    rng = random.Random(7)
    for _ in range(100):
        users, mail, year = rng.uniform(0.5, 1.6), rng.uniform(0.5, 2.2), rng.randrange(6)
        grows = replace(given, growth=replace(given.growth, users_pct=rng.uniform(-10.0, 18.0)))
        asked = with_more(with_users(grown(grows, float(year)), users), mail, "mail_file_mb")
        answer = evaluate(asked, knowledge)
        factors = (1.0 + grows.growth.users_pct / 100.0) ** year, 1.1**year
        there = table.at(users * factors[0], mail * factors[1], 0, year)
        if there is None:
            assert users * factors[0] < table.users[0]
            continue
        verdict, numbers = there
        assert verdict >= int(answer.verdict), (users, mail, year)
        own = numbers_of(answer)
        for found, number, error in zip(numbers, own, table.errors, strict=True):
            if np.isfinite(found) and np.isfinite(number):
                assert number * (1.0 - 1e-6) <= found <= number * (1.0 + error.above / 100.0 + 1e-6)
            else:
                assert np.isnan(found) or np.isnan(number)


@pytest.mark.slow
def test_the_page_carries_the_table_and_the_hash_of_the_design() -> None:
    files = {file.name: file for each in load_examples() for file in each.files}
    given = scenario_from_json(files["wv21-today.json"].text.encode(), name="wv21-today.json")
    knowledge = shipped_knowledge()
    how = Print(now=datetime(2026, 3, 7, 9, 5, tzinfo=UTC), language=language_of("de"))
    pairs = [(given, evaluate(given, knowledge))]
    page = report(pairs, knowledge.catalog, ".html", how).content
    assert len(page) < 2 * 2**20
    told = table_of(page)
    assert told["hash"] == fingerprint(given)
    table = answers(shown_names(given), knowledge)
    assert table is not None
    assert told["codes"] == "".join(map(str, table.verdicts.ravel()))
    assert [len(each) for each in told["values"]] == [table.verdicts.size] * len(NUMBERS)

"""The table of the leave-behind against the program: what its script reads, asked at random."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.calibrated import shipped_knowledge
from app.language import language_of
from app.report.build import Print, report
from db.codec import scenario_from_json
from models.base.fields import Grows
from models.evaluate import evaluate
from models.scenario.growth import growing, grown, with_more
from models.scenario.scenario import Growth
from models.scenario.wording import value_text
from models.studies.leave_behind import MAIL, USERS
from resources.example_files import load_examples

_TABLE = re.compile(r'<script type="application/json" id="table">(.*?)</script>', re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["building-block.json", "production-today.json"])
def test_random_questions_are_answered_as_the_program_does(name: str) -> None:
    files = {file.name: file for each in load_examples() for file in each.files}
    given = scenario_from_json(files[name].text.encode(), name=name)
    given = replace(given, growth=Growth(years=3.0, users_pct=15.0, mail_pct=10.0))
    knowledge = shipped_knowledge()
    how = Print(now=datetime(2026, 3, 7, 9, 5, tzinfo=UTC), language=language_of("en"))
    pairs = [(given, evaluate(given, knowledge))]
    page = report(pairs, knowledge.catalog, ".html", how).content
    assert len(page) < 2 * 2**20
    found = _TABLE.search(page.decode("utf-8"))
    assert found is not None
    table = json.loads(found[1])
    sizes = [len(axis["labels"]) for axis in table["axes"]]
    rng = random.Random(7)
    for _ in range(100):
        users, mail, lost, year = (rng.randrange(size) for size in sizes)
        place = ((users * sizes[1] + mail) * sizes[2]) * sizes[3] + year
        asked = with_more(grown(given, float(year)), USERS[users], *growing(Grows.USERS))
        asked = with_more(asked, MAIL[mail], "mail_file_mb")
        answer = evaluate(asked, knowledge)
        verdict, *numbers = table["rows"][place]
        assert verdict == int(answer.verdict), (users, mail, year)
        cpu = answer.hosts.cpu_pct
        worst = max(range(len(given.hosts)), key=lambda at: cpu[at].value or 0.0)
        assert numbers[1] == value_text(cpu[worst], "%"), (users, mail, year)
        assert table["rows"][place + lost * sizes[3]][0] >= verdict

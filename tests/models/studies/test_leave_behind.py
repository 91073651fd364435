"""The table that is left with a customer, asked as its page asks it."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from app.calibrated import shipped_knowledge
from models.evaluate import evaluate
from models.scenario.growth import grown, with_more, with_users
from models.scenario.scenario import Growth
from models.studies.leave_behind import NUMBERS, USERS, Answers, answers
from tests.models.worlds import a_cluster_of

GIVEN = replace(
    a_cluster_of(2, vms=2, active_users=1500.0, mail_file_mb=200.0),
    growth=Growth(years=2.0, users_pct=10.0, mail_pct=20.0),
)


def table_of_given() -> Answers:
    table = answers(GIVEN, shipped_knowledge())
    assert table is not None
    return table


def test_answers_are_those_of_the_program_or_worse_and_within_the_error() -> None:
    table, rng, compared = table_of_given(), random.Random(45), 0
    assert table.places > 20
    assert table.worse < table.places
    for each in range(20):
        # Today and the planned growth are rows; anything else is between them.
        users, mail, year = (1.0, 1.0, each) if each < 3 else (rng.uniform(0.5, 3.0), 0.7, each % 6)
        asked = with_more(with_users(grown(GIVEN, year), users), mail, "mail_file_mb")
        own = evaluate(asked, shipped_knowledge())
        found = table.at(users * 1.1**year, mail * 1.2**year, 0, year)
        if found is None:
            assert users * 1.1**year > USERS[1]
            continue
        verdict, numbers = found
        assert verdict >= int(own.verdict)
        cpu, error = numbers[NUMBERS.index("cpu_pct")], table.errors[NUMBERS.index("cpu_pct")]
        most = max(host.value or 0.0 for host in own.hosts.cpu_pct)
        if each < 3:
            assert verdict == int(own.verdict)
            assert np.isclose(cpu, most, rtol=1e-6)
        assert most * (1 - 1e-6) <= cpu <= most * (1 + error.above / 100.0 + 1e-6)
        compared += 1
    assert compared > 10


def test_beyond_the_table_there_is_no_answer_and_a_host_less_is_never_better() -> None:
    table = table_of_given()
    assert table.at(USERS[1] * 1.01, 1.0, 0, 0) is None
    assert table.at(USERS[0] * 0.99, 1.0, 0, 0) is None
    assert [len(each) for each in table.lost] == [0, 1]
    assert np.all(table.verdicts[:, 1] >= table.verdicts[:, 0])

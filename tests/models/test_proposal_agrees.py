"""No two sentences of one proposal disagree: random designs, one by one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache

import pytest

from app.calibrated import shipped_calibration
from app.report.build import subject_of
from models.base.quantities import Basis
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.proposal import propose
from models.proposal.design import requirement
from models.proposal.grounds import basis_counts, confidence
from models.proposal.inputs import shares
from models.proposal.summary import summary
from models.proposal.verdict import shown
from models.scenario.scenario import Scenario
from models.scenario.wording import number
from models.tell.blocks import Bars, Definitions, Proposal, Table, cell_text
from models.tell.growth import growth_sections
from models.tell.subject import Subject
from resources.catalog_files import load_catalog
from tests.models.any_scenario import any_scenario
from tests.sweeps import often

CATALOG = load_catalog()
SEEDS = often(range(300), range(4))
MILLISECONDS = re.compile(r"(?<![\d,.–-])(\d[\d,]*(?:\.\d+)?)\u202fms")
PER_CENT = re.compile(r"(\d+)\u202f%")


def told_of(scenario: Scenario) -> Subject:
    return subject_of(
        scenario, evaluate(scenario, Knowledge(CATALOG, shipped_calibration())), CATALOG
    )


@cache
def subject(seed: int) -> Subject:
    return told_of(any_scenario(seed))


def proposal(of: Subject) -> Proposal:
    return propose([of], date="today", program="Headroom")


def texts(value: object) -> Iterator[str]:
    """Every text of a proposal."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from texts(each)
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from texts(getattr(value, each.name))


def row_of(blocks: object, name: str) -> str:
    assert isinstance(blocks, tuple)
    lists = (block.rows for block in blocks if isinstance(block, Definitions))
    return next((text for rows in lists for title, text in rows if title == name), "")


@pytest.mark.parametrize("seed", SEEDS)
def test_shares_add_up_and_are_the_same_on_each_page(seed: int) -> None:
    of = subject(seed)
    table = next(b for b in confidence(of).blocks if isinstance(b, Table))
    listed = [int(found[1]) for row in table.rows if (found := PER_CENT.search(str(row[2])))]
    few = [row for row in table.rows if "under" in str(row[2])]
    assert sum(listed) - len(few) == 100
    pct = shares(basis_counts(of))
    said = row_of(summary(of), "How sure").split(". ")[0]
    groups = (
        (Basis.MEASURED, Basis.INTERPOLATED),
        (Basis.EXTRAPOLATED, Basis.TRANSFERRED),
        (Basis.RULE,),
        (Basis.NO_DATA,),
    )
    sums = [sum(pct.get(each, 0) for each in group) for group in groups]
    assert [int(each) for each in PER_CENT.findall(said)] == [each for each in sums if each]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_verdict_has_the_same_word_in_all_places(seed: int) -> None:
    of = subject(seed)
    made, words = proposal(of), shown(of).words
    (_, box), last = made.verdicts[0], made.parts[-1].sections[0]
    assert box.verdict.words == words
    agreed = row_of(last.blocks, "Verdict")
    assert agreed.casefold().startswith(words.casefold())
    if of.runway is not None and of.runway.holds_until is not None:
        assert f"until month {of.runway.holds_until}" in words
        assert f"until month {of.runway.holds_until}" in row_of(summary(of), "How long it lasts")


@pytest.mark.parametrize("seed", SEEDS)
def test_the_bars_are_no_better_than_the_verdict(seed: int) -> None:
    """Who reads how much is left reads what is the reason of the verdict as well."""
    of = subject(seed)
    bars = next(b for b in requirement(of).blocks if isinstance(b, Bars))
    verdicts = [row.verdict for row in bars.rows if row.verdict is not None]
    assert of.prediction.idle or max(verdicts) >= of.prediction.verdict


@pytest.mark.parametrize("seed", SEEDS)
def test_a_response_has_the_same_digits_wherever_it_stands(seed: int) -> None:
    found = defaultdict[str, set[str]](set)
    for text in texts(proposal(subject(seed))):
        for digits in MILLISECONDS.findall(text):
            found[f"{float(digits.replace(',', '')):.1e}"].add(digits)
    limit = number(subject(seed).scenario.policy.response_limit_ms)
    assert not [forms for forms in found.values() if len(forms - {limit}) > 1]


@pytest.mark.parametrize("seed", SEEDS)
def test_years_ahead_begin_with_the_numbers_of_today(seed: int) -> None:
    of = subject(seed)
    if of.runway is None or of.prediction.idle:
        return
    (section,) = growth_sections(of.runway, of.scenario)
    by_year = [b for b in section.blocks if isinstance(b, Table)][-1]
    today = {cell_text(row[0]): cell_text(row[1]) for row in by_year.rows}
    quantities = of.runway.steps[0].quantities
    assert today["Verdict"] == of.prediction.shown.words
    response = quantities["response_ms"]
    if response.value is not None:
        drawn = [text for text in texts(summary(of)) if text.split("\n")[0].endswith("ms")]
        said = next(text for head, text in today.items() if head.endswith("ms"))
        assert any(text.startswith(f"{said}\u202fms") for text in drawn), (today, drawn)

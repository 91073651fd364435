"""The first page is for the one who signs: no word that only the program's users know."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from functools import cache

import pytest

from app.calibrated import shipped_calibration
from app.language import language_of
from app.report.build import subject_of
from app.report.data import spoken
from db.codec import scenario_from_json
from models.base.texts import said
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.evidence.publishers import UNPUBLISHED, for_customers
from models.judgement.rulebook import RULES
from models.proposal import propose
from models.proposal.requests import REQUESTS
from models.proposal.summary import FOR_A_DATE
from models.tell.blocks import Proposal, Table
from resources.catalog_files import load_catalog
from resources.example_files import load_examples
from tests.sweeps import often, some

FILES = {file.name: file for each in load_examples() for file in each.files}
SOME = ("wv21-migration.json", "building-block.json", "production-today.json")
NAME = "wv21-two-hosts.json"
JARGON = {
    "en": r"basis|posture|carried|transferred|derating|high ends?|interpolated|extrapolated|policy|"
    r"catalog|benchmark users?",
    "de": r"Grundlage|Haltung|übertragen\w*|Abschlag\w*|oberen? Enden?|interpoliert|extrapoliert|"
    r"Katalogs?|Benchmark-Benutzer\w*",
}
WINDOW = {
    "en": r"[Dd]rag|hold a host|set it to|purchase list|peak factors of the policy|"
    r"Choose the basis|Enter (?:its|the|how|system|those)",
    "de": r"[Zz]iehen Sie|gedrückt|Einkaufsliste|Spitzenfaktoren der|Wählen Sie die Grundlage",
}


@cache
def proposal(name: str, code: str) -> Proposal:
    scenario, catalog = scenario_from_json(FILES[name].text.encode(), name=name), load_catalog()
    prediction = evaluate(scenario, Knowledge(catalog, shipped_calibration()))
    made = propose([subject_of(scenario, prediction, catalog)], date="7.3.2026", program="Headroom")
    return spoken(made, language_of(code))


def words(value: object) -> str:
    """All that is said, in one text."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return "\n".join(map(words, value))
    if is_dataclass(value) and not isinstance(value, type):
        return "\n".join(words(getattr(value, each.name)) for each in fields(value))
    return ""


@pytest.mark.parametrize("code", ["en", "de"])
@pytest.mark.parametrize("name", often(FILES, SOME))
def test_it_has_no_word_that_needs_the_manual(name: str, code: str) -> None:
    made = proposal(name, code)
    (_, box) = made.verdicts[0]
    first = "\n".join((words(box), words(made.first), made.imprint))
    assert not re.findall(rf"\b(?:{JARGON[code]})\b", first, re.IGNORECASE)


@pytest.mark.parametrize("code", ["en", "de"])
@pytest.mark.parametrize("name", often(FILES, SOME))
def test_nobody_is_told_to_work_the_window(name: str, code: str) -> None:
    assert not re.findall(WINDOW[code], words(proposal(name, code)))


@pytest.mark.parametrize("name", some(FILES))
def test_what_is_asked_has_room_for_a_name_and_a_day(name: str) -> None:
    asked = [b for b in proposal(name, "en").first if isinstance(b, Table)][-1]
    assert asked.rows
    assert all(row[-1] == FOR_A_DATE for row in asked.rows)
    decides = proposal(name, "en").verdicts[0][1].text
    if proposal(name, "en").verdicts[0][1].verdict.words == "at risk":
        assert str(asked.rows[0][0]).split(": ")[-1] in decides or "Agree" in str(asked.rows[0][0])


@pytest.mark.parametrize("name", FILES)
def test_no_table_has_more_columns_than_a_page_is_wide(name: str) -> None:
    made = proposal(name, "en")
    tables = [b for part in made.parts for s in part.sections for b in s.blocks]
    assert all(len(each.columns) <= 7 for each in tables if isinstance(each, Table))


OPERATORS = re.compile(
    r"(?:^|[.:;,] )(?:Enter|Choose|Set|Drag|Hold|Click|Import|Calibrate|Assign|Place|Move|Give|"
    r"Take|Add|Put|Keep|Make|Use|Cap|Reserve|Watch|Try|Look|Name|Count|Install|Plan)\b"
    r"|\b(?:policy|catalog|posture|basis|scenario|perfmon|esxtop|purchase list|drag|click)\b"
)
"""What is said to whoever works on the design: what he does in the window, and its words."""


def test_each_rule_has_words_for_the_customer_and_no_verb_of_the_window() -> None:
    assert set(REQUESTS) == set(RULES)
    assert not {id: each.words for id, each in REQUESTS.items() if OPERATORS.search(each.words)}
    german = [said(each.words, language_of("de")) for each in REQUESTS.values()]
    assert all(words != each.words for words, each in zip(german, REQUESTS.values(), strict=True))
    window = re.compile(WINDOW["de"])
    assert not list(filter(window.search, german))


def test_a_fix_of_the_window_would_be_found() -> None:
    for fix in ("Enter its average CPU in MHz.", "Set a restart priority.", "Move VMs away."):
        assert OPERATORS.search(fix)


def test_nobodys_blog_is_named_to_a_customer() -> None:
    assert for_customers("K. Elatov, 2012: Disks <https://github.com/e/e.github.io>") == UNPUBLISHED
    assert for_customers("A. Person blog, 2011 <https://a.example.com/x>; IBM DS4800 manual, p. 3")
    for name in FILES:
        text = words(proposal(name, "en"))
        for person in ("Elatov", "Steinke", "Tarzan", "noah.org", "ukdramatherapy", "cyberdude"):
            assert person not in text, (name, person)

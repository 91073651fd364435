"""A proposal is in one language: no English word in a German one but names and titles."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from pypdf import PdfReader
from python_calamine import CalamineWorkbook

from app.cli_evaluate import predicted
from app.language import Language, language_of
from app.report.build import Print, report, subject_of
from app.report.data import spoken, template_data
from app.report.paper import Paper
from models.base.dates import date_text
from models.base.texts import said, say
from models.evidence.citation import documents, instead_of_document, is_document
from models.proposal import propose
from models.scenario.origin import Origin
from models.scenario.scenario import Affinity, AffinityKind, Scenario, Waiver
from models.tell.subject import Subject
from resources.catalog_files import load_catalog
from tests.app.tongues import FOLDER, english_in, names_of, subject
from tests.sweeps import often

GERMAN = language_of("de")
NOW = datetime(2026, 3, 7, 9, 5, tzinfo=UTC)
FILES = sorted(path.stem for path in FOLDER.glob("*.json"))
OF_ONE_MACHINE = ("wv21-today", "wv21-4000-users", "wv21-6000-users")
"""Alike: one of them is the migration's as well."""

PLACES = ("colours", "kind", "source", "language")
"""Parts of the data that people don't read, or that are titles of documents alone."""


def data_of(subjects: list[Subject], language: Language) -> dict[str, Any]:
    proposal = propose(
        subjects, date=said(date_text(NOW), language), program="Headroom", file="x.json"
    )
    return template_data(spoken(proposal, language), language, Paper.A4)


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value.replace("\N{ZERO WIDTH SPACE}", "")
    elif isinstance(value, dict):
        for key, each in value.items():
            if key not in PLACES:
                yield from texts_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts_in(each)


@pytest.mark.parametrize("stem", often(FILES, set(FILES) - set(OF_ONE_MACHINE)))
def test_a_german_proposal_has_no_english_word(stem: str) -> None:
    of = subject(stem)
    names = names_of(of)
    found = {text: english_in(text, names) for text in texts_in(data_of([of], GERMAN))}
    assert not {text: words for text, words in found.items() if words}


def test_nor_has_its_workbook_but_for_sources() -> None:
    of = subject("wv21-migration")
    names = names_of(of)
    how = Print(now=NOW, language=GERMAN, file="x.json")
    content = report([(of.scenario, of.prediction)], of.catalog, ".xlsx", how).content
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    cells = [
        cell
        for name in book.sheet_names
        for row in book.get_sheet_by_name(name).to_python()
        for cell in (row[:-1] if name == "Befunde" else row)
        if isinstance(cell, str)
    ]
    assert len(cells) > 100
    found = {cell: english_in(cell, names) for cell in cells}
    assert not {cell: words for cell, words in found.items() if words}


def test_nor_has_one_about_several_scenarios() -> None:
    several = [subject(stem) for stem in ("wv21-migration", "wv21-today", "building-block")]
    names = sorted({name for of in several for name in names_of(of)}, key=len, reverse=True)
    found = {text: english_in(text, names) for text in texts_in(data_of(several, GERMAN))}
    assert not {text: words for text, words in found.items() if words}


def everything() -> Scenario:
    """A scenario about which a proposal says all that it can say."""
    scenario = subject("building-block").scenario
    first, second, third, fourth, fifth, *rest = scenario.vms
    return replace(
        scenario,
        vms=(
            replace(first, cluster_partners=(third.id,)),
            replace(second, fault_tolerance=True),
            replace(third, cluster_partners=(first.id,)),
            replace(fourth, fault_tolerance=True, vcpus=1),
            replace(fifth, host=None),
            *rest,
        ),
        hosts=tuple(
            replace(each, failure_group="R1", ft_logging_gbps=1.0) for each in scenario.hosts
        ),
        affinity=(
            Affinity(id="r1", kind=AffinityKind.APART, vms=(first.id, third.id)),
            Affinity(
                id="r2",
                kind=AffinityKind.MUST_RUN_ON,
                vms=(first.id,),
                hosts=(scenario.hosts[0].id,),
            ),
        ),
        waivers=(
            Waiver(rule="third-party-tasks", subject="", reason="X1"),
            Waiver(rule="n-plus-one", subject="", reason="X2"),
        ),
        assumptions=replace(scenario.assumptions, reconnect_s=300.0, holiday_login_s=900.0),
        origins=(
            *scenario.origins,
            ("assumptions.reconnect_s", Origin.CUSTOMER),
            ("assumptions.holiday_login_s", Origin.CUSTOMER),
        ),
        policy=replace(scenario.policy, peak_factor_cpu=1.5, mail_growth_pct=20.0),
    )


def test_nor_has_one_that_says_all_there_is_to_say() -> None:
    scenario, catalog = everything(), load_catalog()
    of = subject_of(scenario, predicted(scenario, catalog, "x"), catalog)
    data = data_of([of], GERMAN)
    titles = {section["title"] for part in data["parts"] for section in part["sections"]}
    wanted = {
        "Fault Tolerance",
        "HA, Domino-Cluster oder beides",
        "Anmeldestürme",
        "Zugangssteuerung",
    }
    assert wanted <= titles
    names = names_of(of)
    found = {text: english_in(text, names) for text in texts_in(data)}
    assert not {text: words for text, words in found.items() if words}


def test_english_would_be_found() -> None:
    of = subject("wv21-migration")
    names = names_of(of)
    english = list(texts_in(data_of([of], language_of("en"))))
    assert sum(bool(english_in(text, names)) for text in english) > 100
    assert english_in("RAM von esx1 beträgt 96 %, Grenze 100 %", names) == []


@pytest.mark.parametrize("stem", often(FILES, ["wv21-migration", "building-block"]))
def test_numbers_have_the_marks_of_the_language(stem: str) -> None:
    english = list(texts_in(data_of([subject(stem)], language_of("en"))))
    german = list(texts_in(data_of([subject(stem)], GERMAN)))
    thousands = r"\d,\d{3}(?!\d)"
    names = re.compile("|".join(map(re.escape, names_of(subject(stem)))))
    assert any(re.search(thousands, text) for text in english)
    for said_in_german in german:
        assert not re.search(thousands, names.sub(" ", said_in_german)), said_in_german


def test_what_the_catalog_has_instead_of_a_document_is_said_too() -> None:
    catalog = load_catalog()
    found = {
        name
        for kind in catalog.__slots__
        for entry in getattr(catalog, kind).values()
        for name in documents(entry.provenance.source)
        if not is_document(name)
    }
    assert found
    for name in found:
        said_in_german = instead_of_document(name).said(GERMAN)
        assert "checked" not in said_in_german
        assert said_in_german != name


def test_the_pages_are_german() -> None:
    of = subject("wv21-migration")
    how = Print(now=NOW, language=GERMAN, file="x.json")
    found = report([(of.scenario, of.prediction)], of.catalog, ".pdf", how)
    reader = PdfReader(io.BytesIO(found.content))
    assert str(reader.root_object["/Lang"]) == "de"
    first = reader.pages[0].extract_text()
    assert "7. März 2026, 09:05 Uhr" in first
    assert f"Seite 1 von {len(reader.pages)}" in first
    charts = "".join(page.extract_text() for page in reader.pages[2:7])
    assert "aktive Benutzer auf Mail-01" in charts
    assert "3.000" in charts
    assert "Knick" in charts


def test_the_date_does_not_ask_the_locale() -> None:
    assert date_text(NOW) == "7 March 2026, 09:05"
    assert [date_text(NOW.replace(month=month)).split()[1] for month in (1, 5, 12)] == [
        *("January", "May", "December"),
    ]
    assert said(say("limit {limit}", limit="x"), GERMAN) == "Grenze x"

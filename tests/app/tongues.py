"""English words in texts of another language."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from app.cli_evaluate import predicted
from app.cli_file import chosen
from app.report.build import subject_of
from db.files import open_any
from models.evidence.citation import documents, is_document
from models.evidence.publishers import titled
from models.scenario.scenario import NO_HYPERVISOR
from models.tell.subject import Subject
from resources.catalog_files import load_catalog

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "examples"
_WORDS = """
    about above after against all and any are as at be below beside beyond but by can each every
    fails fix for found from has have he held how if inside into is it its left limit lost made may
    measured more most no none not of on one only or other out over per since than that the their
    them then there these they this through to under until up used user users verdict was what when
    where which while who whole why with within without worst would yes you your
"""
ENGLISH_WORDS = frozenset(_WORDS.split()) - {"was", "hat", "am"}
"""Those of them that are German words too are left out."""


@cache
def subject(stem: str) -> Subject:
    path, catalog = str(FOLDER / f"{stem}.json"), load_catalog()
    scenario = chosen(open_any(path, catalog), None, path).scenario
    return subject_of(scenario, predicted(scenario, catalog, path), catalog)


def names_of(of: Subject) -> list[str]:
    """What may stand in English: names of people and makers, titles of documents, longest first."""
    scenario, catalog = of.scenario, of.catalog
    found = {scenario.name, scenario.customer, scenario.author, scenario.notes}
    found |= {item.name for item in scenario.items()}
    for kind in catalog.__slots__:
        for entry in getattr(catalog, kind).values():
            found |= {entry.name, *filter(is_document, documents(entry.provenance.source))}
    for row in of.evidence.values():
        found |= {row.document, *documents(row.document), row.table}
    for finding in of.prediction.findings:
        found |= set(documents(finding.source))
    found |= set(map(titled, found))
    found -= {catalog.hypervisors[NO_HYPERVISOR].name}
    return sorted(filter(None, found), key=len, reverse=True)


def english_in(text: str, names: list[str]) -> list[str]:
    for name in names:
        text = text.replace(name, " ")
    text = re.sub(r"\{\w+\}", " ", text)
    text = re.sub(r"“[^”]*”|„[^“]*“", " ", text)
    words = re.findall(r"[^\W\d_]+(?:['’][a-z]+)?", text)
    return [word for word in words if word.lower() in ENGLISH_WORDS or "’s" in word]

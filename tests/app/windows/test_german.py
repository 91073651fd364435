"""A German window: what it shows and says is checked against the English texts of the source."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterator

import pytest

from models.explain.derivation import FAILURE_TERMS, HOST_TERMS, POOL_TERMS, VM_TERMS
from models.explain.storm_terms import WAITING
from models.resilience.storms import StormKind
from resources.example_files import load_examples
from resources.translation_files import load_messages
from tests.golden.renew import FOLDER

GERMAN = load_messages("de")
FORMS: dict[str, tuple[str, ...]] = {
    **{english: (german,) for english, german in GERMAN.words.items()},
    **GERMAN.counted,
}
PRODUCT = "Headroom"
"""The product's name; as a term of the glossary it is translated."""
DATA = frozenset(
    str(json.loads(file.text)["customer"]) for each in load_examples() for file in each.files
)
"""What the examples' files say in a field that people edit stays as it is, whatever is printed."""

LEAST_WORDS = 2
"""Of its own a text with placeholders needs to be known again."""


@pytest.fixture(scope="module")
def found() -> dict[str, str]:
    """Every text of the window with its place, as the golden output has it."""
    places: dict[str, list[str]] = json.loads((FOLDER / "window-de.json").read_text("utf-8"))
    return {text: place for place, texts in places.items() for text in texts}


def pattern(message: str) -> re.Pattern[str]:
    """What a message looks like with its placeholders filled."""
    parts = string.Formatter().parse(message.replace("&", ""))
    return re.compile(
        "".join(re.escape(text) + ("" if n is None else ".+") for text, n, _, _ in parts)
    )


def own_words(message: str) -> list[str]:
    words = " ".join(text for text, _, _, _ in string.Formatter().parse(message))
    return re.findall(r"[A-Za-z]{2,}", words)


def english(found: dict[str, str]) -> Iterator[str]:
    """Texts that are those of the source, where German has others."""
    mine = {form.replace("&", "") for forms in FORMS.values() for form in forms}
    plain = {one.replace("&", "") for one in FORMS if "{" not in one} - mine - {PRODUCT} - DATA
    german = [pattern(form) for form in mine if "{" in form and own_words(form)]
    open_ones = [
        pattern(one)
        for one, forms in FORMS.items()
        if "{" in one and one not in forms and len(own_words(one)) >= LEAST_WORDS
    ]
    for text, place in found.items():
        for line in re.split(r"\n| · ", text.replace("&", "")):
            clause = line.strip().rstrip(".")
            same = {clause, f"{clause}."}
            is_german = any(each.fullmatch(one) for each in german for one in same)
            is_open = any(each.fullmatch(one) for each in open_ones for one in same)
            if same & plain or (is_open and not is_german):
                yield f"{place}: {text}"
                break


def test_no_text_of_the_source_is_left_in_english(found: dict[str, str]) -> None:
    assert not list(english(found))


def test_it_was_gone_through(found: dict[str, str]) -> None:
    places = set(found.values())
    assert {"window", "inspector", "refusal", "why", "start", "dialogs"} <= places
    assert len(found) > 1000


def test_every_kind_of_derivation_was_gone_through(found: dict[str, str]) -> None:
    places = set(found.values())
    for table, fields in (
        ("vms", VM_TERMS),
        ("hosts", HOST_TERMS),
        ("pools", POOL_TERMS),
        ("failures", FAILURE_TERMS),
    ):
        assert {f"why {table} {field}" for field in fields} <= places
    assert {f"why {kind} {WAITING}" for kind in StormKind} <= places


@pytest.mark.parametrize(
    "text",
    [
        "Antwortzeit von Mail-01",
        "3.000 Benutzer",
        "interpoliert: cpu_growth, an die WV21-Tabellen angepasst",
        "CPU ohne esx1, höchster Wert",
        "neu gestartet: Mail-02 auf esx2",
        "Benutzer, die im schlimmsten Augenblick warten",
    ],
)
def test_a_derivation_is_said_in_german(found: dict[str, str], text: str) -> None:
    assert text in found


@pytest.mark.parametrize(
    ("policy", "text"),
    [
        ("slots", "begrenzt auf 1.000 MHz"),
        ("slots", "⌊18.664 / 1.000⌋ = 18, "),
        ("slots", "Ohne die 2 größten Hosts"),
        ("slots", "kein Ziel für ein Failover"),
        ("slots", "2 Hosts, eingestellt\u00a01"),
        ("slots", "1 seiner VMs wird nicht neu gestartet"),
        ("share", "(55.992 − 2.032) / 55.992"),
        ("share", "Arbeitsspeicher reserviert, mit Overhead"),
        ("share", "96 %, eingestellt\u00a025\u00a0%"),
        ("dedicated", "VMs auf esx9"),
        ("alone", "der Standardwert, da keine eingeschaltete VM mehr CPU reserviert"),
        ("alone", "keine eingeschaltete VM"),
    ],
)
def test_admission_control_is_said_in_german(found: dict[str, str], policy: str, text: str) -> None:
    there = [words for words, place in found.items() if place.startswith(f"admission {policy}")]
    assert any(text in words for words in there)


@pytest.mark.parametrize(
    "text",
    [
        "/empty.headroom: ist leer.",
        "/gone.headroom: diese Datei gibt es nicht.",
        "/broken.json: ist kein vollständiges JSON: es endet zu früh, in Zeile 1, Spalte 33.",
        "/other.json: format: muss „headroom-scenario“ sein, nicht „other“.",
        "Benutzer: muss ≥ 1 sein.",
        "x366 ist ein physischer Server und betreibt bereits Mail-01",
        "Baustein: 24.000 Mailbenutzer auf drei Hosts",
    ],
)
def test_what_is_wrong_is_said_in_german(found: dict[str, str], text: str) -> None:
    assert text in found


def test_numbers_have_german_marks(found: dict[str, str]) -> None:
    assert any(", 2,67 GHz, bis 144 GiB" in text for text in found)
    assert not [text for text in found if re.search(r", \d\.\d\d GHz", text)]

"""A partner's look of the proposal: it is taken over, and what is wrong with it is one sentence."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pypdf import PdfReader

from app.calibrated import shipped_calibration
from app.language import language_of
from app.report.build import Print, report
from app.report.template import COPIED, copy_template, load_template
from app.report.write import ReportError
from db.errors import StoreError
from models.evaluate import evaluate
from models.proposal import SECTIONS
from resources.catalog_files import load_catalog
from tests.app.sessions import two_hosts

HOW = Print(now=datetime(2026, 3, 7, 9, 5, tzinfo=UTC), language=language_of("en"))
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="6"></svg>'


def pdf_text(how: Print) -> str:
    scenario = two_hosts()
    prediction = evaluate(scenario, load_catalog(), shipped_calibration())
    found = report([(scenario, prediction)], load_catalog(), ".pdf", how)
    reader = PdfReader(io.BytesIO(found.content))
    return " ".join("".join(page.extract_text() for page in reader.pages).split())


def template(folder: Path, text: str) -> Path:
    path = folder / "look.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_texts_and_logo_are_taken_over(tmp_path: Path) -> None:
    (tmp_path / "logo.svg").write_text(LOGO)
    path = template(
        tmp_path,
        '[look]\nlogo = "logo.svg"\naccent = "#b0326f"\n[cover]\nsupplier = "Example Systems"\n'
        'validity = "Valid for 60 days."\n[texts]\nagreement = "Our own terms apply."\n',
    )
    text = pdf_text(replace(HOW, template=load_template(path)))
    for words in ("Example Systems", "Valid for 60 days.", "Our own terms apply."):
        assert words in text
    assert "The signatories have read" not in text


def test_chosen_sections_stand_in_the_order_wanted() -> None:
    text = pdf_text(replace(HOW, sections=("materials", "summary")))
    body = text[text.rindex("Design and prediction") :]
    assert body.index("Bill of materials") < body.index("In short")
    assert str(SECTIONS["findings"][0]) not in body.split("Agreement")[0]


def test_the_own_look_can_be_copied_and_used(tmp_path: Path) -> None:
    copy_template(tmp_path)
    path = template(tmp_path, '[look]\nlayout = "proposal.typ"\n')
    assert pdf_text(replace(HOW, template=load_template(path))) == pdf_text(HOW)
    assert load_template(tmp_path / COPIED[0]).accent == ""
    with pytest.raises(StoreError, match="is there already"):
        copy_template(tmp_path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[look\n", "line 1: is no TOML"),
        ('[look]\naccent = "red"\n', "line 2, accent: must be a colour such as #0a5aa8"),
        ("[look]\ntypeface = 3\n", "line 2, typeface: must be a text"),
        ('[cover]\n\nlog = "x"\n', "line 3, log: there is no such entry"),
        ("[covers]\n", "line 1, covers: there is no such table"),
        ('[look]\nlogo = "x.exe"\n', "line 2, logo: must end in .svg, .png, .jpg, .jpeg"),
        ('[look]\nlogo = "../x.svg"\n', "line 2, logo: must lie beside the template"),
        ('[look]\nlogo = "gone.svg"\n', "can’t be read"),
        ("x = 1\n" * 20_000, "is larger than 64 KB"),
    ],
)
def test_a_broken_template_is_one_sentence(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(StoreError) as found:
        load_template(template(tmp_path, text))
    assert problem in str(found.value)


def test_a_broken_layout_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "own.typ").write_text("#let x = 1\n\n#let y = (\n")
    path = template(tmp_path, '[look]\nlayout = "own.typ"\n')
    with pytest.raises(ReportError, match=r"own\.typ, line 3"):
        pdf_text(replace(HOW, template=load_template(path)))

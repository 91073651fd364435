"""A partner's look of the proposal: it is taken over, and what is wrong with it is one sentence."""

from __future__ import annotations

import io
import struct
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pypdf import PdfReader

from app.calibrated import shipped_knowledge
from app.language import language_of
from app.report.build import Print, report
from app.report.template import COPIED, copy_template, load_template
from db.errors import StoreError
from models.evaluate import evaluate
from models.proposal import SECTIONS
from resources.catalog_files import load_catalog
from tests.app.sessions import two_hosts

HOW = Print(now=datetime(2026, 3, 7, 9, 5, tzinfo=UTC), language=language_of("en"))
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="6"></svg>'


def pdf_text(how: Print) -> str:
    scenario = two_hosts()
    prediction = evaluate(scenario, shipped_knowledge())
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
    assert "Bill of materials" in body
    assert "When a host dies" in text[: text.index("Bill of materials")]
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
        (f"a = {'[' * 50_000}", "is nested too deeply"),
        (f"{'.'.join('a' * 30_000)} = 1", "is nested too deeply"),
        (f"x = {'1' * 60_000}", "is no TOML"),
        ('[cover]\nvalidity = "a\\u0000b"', "line 2, validity: must not contain control"),
        ("[covers]\n", "line 1, covers: there is no such table"),
        ('[look]\nlogo = "x.exe"\n', "line 2, logo: must end in .svg, .png, .jpg, .jpeg"),
        ('[look]\nlogo = "../x.svg"\n', "line 2, logo: must lie beside the template"),
        ('[look]\nlogo = "gone.svg"\n', "there is no such file"),
        ("x = 1\n" * 20_000, "is larger than 64 KB"),
    ],
)
def test_a_broken_template_is_one_sentence(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(StoreError) as found:
        load_template(template(tmp_path, text))
    assert problem in str(found.value)


@pytest.mark.parametrize(
    ("layout", "problem"),
    [
        ("#let x = 1\n\n#let y = (\n", "line 3: unclosed delimiter"),
        ('\n#import "@preview/cetz:0.3.1"', "line 2: packages are not loaded"),
        ("\n#import str.from-unicode(64) + 'preview/cetz:0.3.1'", "line 2: "),
        ("#panic(repr(sys.inputs))", "line 1: the layout itself ends it with a panic"),
        ("#assert(false, message: repr(sys.inputs))", "line 1: assertion failed"),
        (f"#assert(false, message: '{'x' * 5000}')".replace("'", '"'), "line 1: assertion"),
    ],
)
def test_a_layout_that_can_t_be_set_names_its_line_in_short(
    tmp_path: Path, layout: str, problem: str
) -> None:
    (tmp_path / "own.typ").write_text(layout)
    path = template(tmp_path, '[look]\nlayout = "own.typ"\n')
    with pytest.raises(StoreError) as found:
        pdf_text(replace(HOW, template=load_template(path)))
    text = str(found.value)
    assert f"own.typ: {problem}" in text
    assert "\n" not in text
    assert len(text) < 500


def png(width: int, height: int, *, whole: bool = True) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    lines = zlib.compress(b"\0" * (width + 1) * min(height, 10))
    end = chunk(b"IEND", b"") if whole else b""
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", lines) + end


def jpeg(width: int, height: int) -> bytes:
    frame = struct.pack(">BHH", 8, height, width) + b"\x01\x01\x11\x00"
    head = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
    return head + b"\xff\xc0\x00\x0b" + frame


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("logo.png", png(30, 10), ""),
        ("logo.png", png(30_000, 30_000), "has more than 16,000,000 pixels"),
        ("logo.png", png(30, 10, whole=False), "is no picture in .png"),
        ("logo.png", b"no picture", "is no picture in .png"),
        ("logo.jpg", jpeg(10, 30), ""),
        ("logo.jpg", jpeg(65_000, 65_000), "has more than 16,000,000 pixels"),
        ("logo.jpg", png(30, 10), "is no picture in .jpg"),
        ("logo.svg", LOGO.encode(), ""),
        ("logo.svg", b"<html/>", "is no picture in .svg"),
        ("logo.svg", b"<svg", "is no picture in .svg"),
    ],
)
def test_a_logo_is_a_picture_that_a_page_can_take(
    tmp_path: Path, name: str, data: bytes, problem: str
) -> None:
    (tmp_path / name).write_bytes(data)
    path = template(tmp_path, f'[look]\nlogo = "{name}"\n')
    if not problem:
        assert load_template(path).logo == tmp_path / name
        return
    with pytest.raises(StoreError, match=problem):
        load_template(path)

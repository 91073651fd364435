"""Documents are set in a process beside this one; what ends it is one sentence."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.report.template import Template
from app.report.typesetter import ReportError, Typesetter, Unset
from db.aside import Limits
from db.errors import StoreError
from models.signing.signed import KeptFile

BOUND = pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds a process so")


def layout(folder: Path, text: str) -> Template:
    (folder / "own.typ").write_text(text, encoding="utf-8")
    kept = KeptFile(name="own.typ", content=text.encode())
    return Template(path=folder / "look.toml", layout=folder / "own.typ", files=(kept,))


def pages(template: Template | None, **data: Any) -> tuple[bytes, ...]:
    with Typesetter(template) as setter:
        return setter.pages(data, "proposal.typ")


def test_one_process_sets_one_document_after_the_other(tmp_path: Path) -> None:
    text = "#let a = json(bytes(sys.inputs.proposal))\n#set page(width: 5cm, height: 5cm)\n#a.word"
    with Typesetter(layout(tmp_path, text)) as setter:
        one = setter.pages({"word": "one"}, "proposal.typ", format="svg")
        two = setter.pages({"word": "two, and a page more"}, "proposal.typ", format="svg")
        with pytest.raises(Unset, match="dictionary does not contain key"):
            setter.pages({}, "proposal.typ")
        again = setter.pages({"word": "one"}, "proposal.typ", format="svg")
    assert one == again != two


@BOUND
@pytest.mark.parametrize(
    "text",
    [
        "#let a = range(300000000)",
        "#for i in range(1000000) [#pagebreak()]",
        '#let s = "abcdefgh"\n#for i in range(40) { s = s + s }\n#s',
    ],
    ids=["range", "pages", "text"],
)
def test_a_layout_has_so_much_memory_and_no_more(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.report.typesetter.PARTNERS", Limits(90, 60.0))
    with pytest.raises(StoreError) as found:
        pages(layout(tmp_path, text))
    assert str(found.value) == f"{tmp_path / 'own.typ'}: could not be set within 90 MB of memory"


@BOUND
def test_a_layout_has_so_much_time_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.report.typesetter.PARTNERS", Limits(280, 0.0))
    loops = "#for i in range(10000) { for j in range(100000) { let a = calc.sin(i * j) } }"
    with pytest.raises(StoreError, match="takes more than 0 seconds to set"):
        pages(layout(tmp_path, loops))


def test_without_limits_of_the_system_there_is_the_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.report.typesetter.WAIT", 0.0)
    with pytest.raises(StoreError, match="takes more than 6 seconds to set"):
        pages(layout(tmp_path, "#for i in range(10000) { for j in range(100000) { } }"))


@BOUND
def test_our_own_template_has_its_bounds_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.report.typesetter.OWN", Limits(5, 60.0))
    with pytest.raises(ReportError, match="could not be typeset: "):
        pages(None)


@BOUND
def test_no_package_is_fetched(tmp_path: Path) -> None:
    way = "#import str.from-unicode(64) + 'preview/cetz:0.3.1'".replace("'", '"')
    with pytest.raises(Unset, match="failed to download package"):
        pages(layout(tmp_path, way))
    # There is no socket: the name of the server is not even asked for.
    with pytest.raises(Unset, match=r"denied|proxy|Connect"):
        pages(layout(tmp_path, way))


def test_a_picture_that_can_t_be_set_names_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.report.typesetter.WAIT", 0.0)
    logo = KeptFile(name="logo.svg", content=b'<svg xmlns="http://www.w3.org/2000/svg"/>')
    look = replace(layout(tmp_path, ""), layout=None, logo=tmp_path / logo.name, files=(logo,))
    with pytest.raises(StoreError, match=r"logo\.svg: takes more"):
        pages(look)

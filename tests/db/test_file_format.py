"""The table of fields in docs/file-format.md is the one that the fields make."""

from __future__ import annotations

from tests.packaging.loading import load


def test_the_documented_fields_are_those_of_the_file() -> None:
    tool = load("fields")
    text = tool.DOCUMENT.read_text(encoding="utf-8")
    assert text == tool.renewed(text), "`python packaging/fields.py` brings it up to date"

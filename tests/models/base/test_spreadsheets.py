"""What goes to a spreadsheet are words and figures."""

from __future__ import annotations

import math

import pytest

from models.base.spreadsheets import inert, table_text


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1+cmd|' /C calc'!A0",
        "-2+3",
        "@SUM(A1)",
        "\t=1+1",
        "\r=1",
        "＝1+1",
        "-esx",
        "+",
        "--5",
    ],
)
def test_what_begins_as_a_formula_is_a_word(text: str) -> None:
    cell = inert(text)
    assert cell.startswith("'")
    assert not {"\t", "\r", "\n"} & set(cell)


@pytest.mark.parametrize(
    "text", ["-5", "-5.25 %", "+13", "-0,5\u202f%", "-1.5e-05", "+3\u202fGiB", "esx=1", "a@b", "'x"]
)
def test_figures_and_other_words_stay(text: str) -> None:
    assert inert(text) == text


def test_numbers_stay_numbers_and_a_row_stays_a_row() -> None:
    text = table_text(("host", "@ms"), [("=a\tb\nc", -73.25), ("esx", math.nan), ("x", None)])
    assert text == "host\t'@ms\n'=a b c\t-73.25\nesx\t\nx\t\n"

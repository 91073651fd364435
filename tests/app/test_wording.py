"""Numbers go in and out by the locale, and both marks are understood."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QLocale

from app.wording import locale_style, read_number
from models.base.errors import ModelError
from models.scenario.wording import ENGLISH, GERMAN, exact_text

US = QLocale("en_US")
DE = QLocale("de_DE")
FR = QLocale("fr_FR")


@pytest.mark.parametrize(
    ("text", "locale", "value"),
    [
        ("1.5", US, 1.5),
        ("1,5", US, 1.5),
        ("1,5", DE, 1.5),
        ("1.5", DE, 1.5),
        ("4,000", US, 4000.0),
        ("4.000", DE, 4000.0),
        ("4 000", FR, 4000.0),
        ("4000", DE, 4000.0),
        (" 14.5 ", US, 14.5),
        ("-3", US, -3.0),
    ],
)
def test_both_marks_are_understood(text: str, locale: QLocale, value: float) -> None:
    assert read_number(text, locale).value == value


@pytest.mark.parametrize("text", ["", "many", "1,2,3.4.5", "nan", "inf", "4 GiB"])
def test_what_is_no_number_is_said_so(text: str) -> None:
    with pytest.raises(ModelError, match="is not a number"):
        read_number(text, US)


@pytest.mark.parametrize(
    ("text", "locale", "echo"),
    [
        ("1.5", US, ""),
        ("4000", US, ""),
        ("1,5", US, "read as 1.5"),
        ("4,000", US, ""),
        ("5,600", US, ""),
        ("1.500", US, "read as 1.5"),
        ("1.500", DE, ""),
        ("12345,5", US, "read as 12,345.5"),
        ("1.5", DE, "read as 1,5"),
    ],
)
def test_what_could_mean_two_things_is_echoed(text: str, locale: QLocale, echo: str) -> None:
    assert read_number(text, locale).echo == echo


def test_inputs_keep_their_decimals_and_no_more() -> None:
    assert exact_text(14.5, style=ENGLISH) == "14.5"
    assert exact_text(4000.0, style=GERMAN) == "4.000"
    assert exact_text(0.1 + 0.2, style=ENGLISH) == "0.3"


def test_marks_of_the_locale() -> None:
    assert locale_style(US) == ENGLISH
    assert locale_style(DE) == GERMAN

"""What the window shows of a number is read back as the same, in every locale."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.widgets.fields.number import NumberField
from app.wording import locale_style, read_amount, read_number
from models.scenario.wording import Style, exact_text, number, with_unit


def _of_all() -> list[QLocale]:
    """One locale for each way of writing numbers that Qt knows."""
    every = QLocale.matchingLocales(
        QLocale.Language.AnyLanguage, QLocale.Script.AnyScript, QLocale.Country.AnyCountry
    )
    samples = (0, 1234, 12345, 123456, 1234567)
    ways = {
        (locale.decimalPoint(), *(locale.toString(n) for n in samples), locale.toString(-1.5)): (
            locale
        )
        for locale in every
    }
    assert len(every) > 400, "Qt has lost its locales"
    return list(ways.values())


LOCALES = _of_all()
CHANCE = random.Random(29)
SIZES = range(8)
VALUES = [
    *(0.0, 0.5, 1.0, 1.5, 12.0, 0.001, 1.234, 999.999, 1000.0, 1234.5, 2000.0, 4500.0, 100_000.0),
    *(float(CHANCE.randrange(10**size, 10 ** (size + 1))) for size in SIZES for _ in range(60)),
    *(round(CHANCE.uniform(0, 10.0**n), k) for n in SIZES for k in range(1, 7) for _ in range(11)),
]


@pytest.fixture
def default() -> Iterator[None]:
    before = QLocale()
    yield
    QLocale.setDefault(before)


@pytest.mark.parametrize("locale", LOCALES, ids=QLocale.name)
def test_what_is_shown_is_read_back(locale: QLocale) -> None:
    style = locale_style(locale)
    wrong = [
        (value, text)
        for value in (*VALUES, *(-value for value in VALUES))
        if read_number(text := exact_text(value, style=style), locale).value != value
    ]
    assert not wrong


@pytest.mark.parametrize("locale", LOCALES, ids=QLocale.name)
def test_the_locales_own_writing_is_read(locale: QLocale) -> None:
    """Its digits and grouping, as other programs write them; and a number without any marks."""
    for whole in (0, 7, -12, 345, 4000, -12345, 123456, 7654321):
        assert read_number(locale.toString(whole), locale).value == whole
        assert read_number(str(whole), locale).value == whole
    for value in (0.5, -1.25, 1234.5, 2000.125, 123456.75):
        own = locale.toString(value, "f", 3)
        assert read_number(own, locale).value == value
        assert read_number(f"{value}".replace(".", locale.decimalPoint()), locale).value == value


@pytest.mark.parametrize("locale", LOCALES, ids=QLocale.name)
@pytest.mark.usefixtures("default")
def test_a_step_is_a_step_from_what_is_stored(qtbot: QtBot, locale: QLocale) -> None:
    QLocale.setDefault(locale)
    field = NumberField(step=100.0, whole=True)
    qtbot.addWidget(field)
    field.committed.connect(field.show_value)
    for stored in (300.0, 2000.0, 4500.0, 12_000.0, 123_456.0, 1_234_567.0):
        field.show_value(stored)
        QTest.keyClick(field, Qt.Key.Key_Up)
        assert field.value == stored + 100
        QTest.keyClick(field, Qt.Key.Key_Down)
        assert field.value == stored


@pytest.mark.usefixtures("default")
def test_a_step_does_not_lose_what_is_not_shown(qtbot: QtBot) -> None:
    """A field shows seven decimals at most."""
    field = NumberField(step=0.5)
    qtbot.addWidget(field)
    field.committed.connect(field.show_value)
    field.show_value(1.0 / 3.0)
    QTest.keyClick(field, Qt.Key.Key_Up)
    assert field.value == 1.0 / 3.0 + 0.5


@pytest.mark.parametrize(
    ("name", "typed", "value", "echo"),
    [
        ("es_ES", "3.000", 3000.0, ""),
        ("es_ES", "4.500", 4500.0, ""),
        ("it_IT", "1.234,5", 1234.5, ""),
        ("it_IT", "2000,5", 2000.5, ""),
        ("en_IN", "1,00,000", 100_000.0, ""),
        ("en_IN", "100,000", 100_000.0, ""),
        ("de_CH", "1’234.5", 1234.5, ""),
        ("fr_FR", "1.234,5", 1234.5, "read as 1\u202f234,5"),
        ("fr_FR", "4.500", 4.5, "read as 4,5"),
        ("en_US", "1.234.567", 1_234_567.0, "read as 1,234,567"),
        ("en_US", "1.234,5", 1234.5, "read as 1,234.5"),
        ("en_US", "1234,567", 1234.567, "read as 1,234.567"),
        ("en_US", "0,125", 0.125, "read as 0.125"),
        ("en_US", "1e3", 1000.0, ""),
        ("ar_EG", "١٬٢٣٤٫٥", 1234.5, ""),
        ("fa_IR", "۱۲٬۳۴۵", 12_345.0, ""),
        ("en_US", "١٬٢٣٤٫٥", 1234.5, ""),
        ("hi_IN", "१२,३४,५६७", 1_234_567.0, ""),
    ],
)
def test_variants_are_read_as_meant_or_said(name: str, typed: str, value: float, echo: str) -> None:
    read = read_number(typed, QLocale(name))
    assert (read.value, read.echo) == (value, echo)


def test_groups_as_the_country_has_them() -> None:
    assert locale_style(QLocale("es_ES")) == Style(",", ".", grouped_from=5)
    assert number(2000, style=locale_style(QLocale("it_IT"))) == "2000"
    assert number(-12345.6, 1, style=locale_style(QLocale("it_IT"))) == "−12.345,6"
    assert number(1234567, style=locale_style(QLocale("en_IN"))) == "12,34,567"
    assert number(2000.5, 1, style=locale_style(QLocale("fa_IR"))) == "2,000.5"


@pytest.mark.parametrize("locale", LOCALES, ids=QLocale.name)
def test_a_unit_beside_it_changes_nothing(locale: QLocale) -> None:
    for value in (0.5, 8.0, 1536.0, 2000.5, 65_536.0):
        text = with_unit(exact_text(value, style=locale_style(locale)), "GiB")
        assert read_amount(text, "GiB", locale).value == value

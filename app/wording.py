"""Between people's numbers and the model's: the marks of the system's locale, in and out."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QLocale

from app.language import local, tr
from models.errors import ModelError
from models.units import converted
from models.wording import THIN, Style, exact_text

_UNIT = re.compile(r"^(.*[\d.,٫])\s*([^\W\d_][^\s\d]*|[%×])$", re.DOTALL)
_PARTED = re.compile(r"(?<=\d) (?=(?:[KMG]i?B|[MG]Hz|ms|s|min|h|vCPUs?|VMs?|IOPS|%)(?!\w))")
_SLASHED = re.compile(r"\b(I/Os?|E/A)\b")
_SPACES = re.compile(r"[\s\u00a0\u202f']+")


def kept_together(text: str) -> str:
    """The text as it is painted over several lines: neither between a number and its unit nor
    within “I/O” one ends.

    >>> print(ascii(kept_together("8 GB, 29 I/Os")))
    '8\\xa0GB, 29 I/\\u2060Os'
    """
    whole = _PARTED.sub("\N{NO-BREAK SPACE}", text)
    return _SLASHED.sub(lambda found: found[0].replace("/", "/\N{WORD JOINER}"), whole)


@dataclass(frozen=True, slots=True)
class Read:
    """A number as it was understood; `echo` says how, where the text could mean two things."""

    value: float
    echo: str = ""


def locale_style(locale: QLocale | None = None) -> Style:
    """Decimal and grouping marks of the user's locale."""
    locale = locale or QLocale()
    return Style(decimal=locale.decimalPoint(), group=locale.groupSeparator())


def read_number(text: str, locale: QLocale | None = None) -> Read:
    """A number typed by a person; ``1,5`` and ``1.5`` are both understood.

    The locale's own reading counts first. Where it has none, a single comma or point is a decimal
    mark. `echo` is set where people of another country would read the text otherwise.

    Raises:
        ModelError: it is no number.
    """
    locale = locale or QLocale()
    plain = _SPACES.sub("", text)
    value, understood = locale.toDouble(plain)
    if not understood:
        value, understood = QLocale.c().toDouble(plain.replace(",", "."))
    if not understood or not math.isfinite(value):
        raise ModelError(tr("“{text}” is not a number", text=text.strip()))
    return Read(value, _echo(plain, value, locale))


def read_amount(text: str, unit: str = "", locale: QLocale | None = None) -> Read:
    """A number with or without a unit, in the unit of the field it was typed into.

    `echo` says how it was understood, with its unit, wherever it was not taken as it stands.

    Raises:
        ModelError: it is no number, or the unit is none of this field's.
    """
    parts = _UNIT.match(text.strip())
    if parts is None:
        read = read_number(text, locale)
        return Read(read.value, with_unit(read.echo, unit) if read.echo else "")
    number_text, typed = parts[1], parts[2]
    read = read_number(number_text, locale)
    value = converted(read.value, typed, unit)
    if value == read.value:
        return Read(value, with_unit(read.echo, unit) if read.echo else "")
    style = locale_style(locale)
    given = with_unit(exact_text(read.value, style=style), typed)
    return Read(
        value,
        tr(
            "{given} are {value}",
            given=given,
            value=with_unit(exact_text(value, style=style), unit),
        ),
    )


def with_unit(text: str, unit: str) -> str:
    """A number's text and its unit, which no line break parts."""
    return f"{local(text)}{THIN}{local(unit)}" if unit else local(text)


def _echo(plain: str, value: float, locale: QLocale) -> str:
    """Set where the mark is not the locale's, or where it may have been meant to group."""
    _, is_own = locale.toDouble(plain)
    decimal = re.escape(locale.decimalPoint())
    may_group = re.fullmatch(rf"[-+]?\d{{1,3}}{decimal}\d{{3}}", plain) is not None
    if is_own and not may_group:
        return ""
    return tr("read as {value}", value=exact_text(value, style=locale_style(locale)))


def tip_text(text: str) -> str:
    """Words for a tool tip: Qt reads what looks like markup in a name as such, and hides it.

    >>> tip_text("<new host> fails"), tip_text("esx1 fails")
    ('<qt>&lt;new host&gt; fails</qt>', 'esx1 fails')
    """
    if "<" not in text and "&lt;" not in text:
        return text
    return f"<qt>{escape(text)}</qt>".replace("\n", "<br>")

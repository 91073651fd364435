"""Between people's numbers and the model's: the marks of the system's locale, in and out."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QLocale

from app.language import local, tr
from app.marks import locale_style as locale_style  # noqa: PLC0414 - passed on
from models.base.errors import ModelError
from models.base.units import converted
from models.scenario.wording import THIN, Style, exact_text

_UNIT = re.compile(r"^(.*[\d.,٫])\s*([^\W\d_][^\s\d]*|[%×])$", re.DOTALL)
_PARTED = re.compile(r"(?<=\d) (?=(?:[KMG]i?B|[MG]Hz|ms|s|min|h|vCPUs?|VMs?|IOPS|%)(?!\w))")
_SLASHED = re.compile(r"\b(I/Os?|E/A)\b")
_UNREAD = re.compile(r"[\s'’\u061c\u200e\u200f\u2066-\u2069]+")
"""Between digits they group, before them they turn the direction of writing."""
_GROUPED = r"[1-9]\d{{0,2}}(?:{mark}\d{{3}})+|[1-9]\d?(?:{mark}\d{{2}})+{mark}\d{{3}}"
_LONG_WORD = re.compile(r"(?<!\S)(\S{17})\S{8,}(\S{15})(?!\S)")


def kept_together(text: str) -> str:
    """The text as it is painted over several lines: neither between a number and its unit nor
    within “I/O” one ends.

    >>> print(ascii(kept_together("8 GB, 29 I/Os")))
    '8\\xa0GB, 29 I/\\u2060Os'
    """
    whole = _PARTED.sub("\N{NO-BREAK SPACE}", text)
    return _SLASHED.sub(lambda found: found[0].replace("/", "/\N{WORD JOINER}"), whole)


def with_short_words(text: str) -> str:
    """A sentence for a place whose height is not its own: of names without a break the ends.

    >>> with_short_words("esx1 and ESX_FRA_PROD_MAIL_CLUSTER_RACK_07_TIER_GOLD_01 fail")
    'esx1 and ESX_FRA_PROD_MAIL…07_TIER_GOLD_01 fail'
    """
    return _LONG_WORD.sub(lambda found: f"{found[1]}…{found[2]}", text)


def ahead_words(years: float) -> str:
    """When what is shown so many years ahead is: ``In 2 years``; empty for today."""
    if not years:
        return ""
    from models.base.texts import opening
    from models.tell.growth import ahead_text  # once somebody looks ahead

    return local(opening(ahead_text(years)))


@dataclass(frozen=True, slots=True)
class Read:
    """A number as it was understood; `echo` says how, where the text could mean two things."""

    value: float
    echo: str = ""


def read_number(text: str, locale: QLocale | None = None) -> Read:
    """A number typed by a person; ``1,5`` and ``1.5`` are both understood.

    What `locale_style` writes is read back as it was written. A single mark is the locale's
    grouping mark where it stands as such, else a decimal one; of two kinds the last is the decimal
    mark, and a mark that comes again groups. `echo` is set where people of another country would
    read the text otherwise.

    Raises:
        ModelError: it is no number.
    """
    locale = locale or QLocale()
    style = locale_style(locale)
    plain = _plain(text, locale, style)
    written = re.fullmatch(r"([-+]?)(.*?)((?:[eE][-+]?\d+)?)", plain)
    sign, body, power = written.groups() if written else ("", "", "")
    marks = [c for c in body if c in (".", ",", style.decimal, style.group)]
    decimal, group = _meaning(body, marks, style)
    whole, _, decimals = body.partition(decimal) if decimal else (body, "", "")
    value = math.nan
    is_grouped = not group or re.fullmatch(_GROUPED.format(mark=re.escape(group)), whole)
    digits = whole.replace(group, "") if group else whole
    if is_grouped and re.fullmatch(r"\d+", digits + decimals):
        value = float(f"{sign}{digits or 0}.{decimals or 0}{power}")
    if not math.isfinite(value):
        raise ModelError(tr("“{text}” is not a number", text=text.strip()))
    is_own = decimal in ("", style.decimal) and group in ("", style.group)
    could_group = decimal and re.fullmatch(_GROUPED.format(mark=re.escape(decimal)), body)
    if is_own and not could_group:
        return Read(value)
    return Read(value, tr("read as {value}", value=exact_text(value, style=style)))


def _plain(text: str, locale: QLocale, style: Style) -> str:
    """The text in our digits, with nothing between them but marks; those of the locale's own script
    and Arabic ones, which mean one thing only, as ours."""
    for mark in (locale.decimalPoint(), "\N{ARABIC DECIMAL SEPARATOR}"):
        text = text.replace(mark, style.decimal)
    for mark in (locale.groupSeparator(), "\N{ARABIC THOUSANDS SEPARATOR}"):
        text = text.replace(mark, style.group)
    kept = _UNREAD.sub("", text.replace("\N{MINUS SIGN}", "-"))
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in kept)


def _meaning(body: str, marks: list[str], style: Style) -> tuple[str, str]:
    """Which of the marks is the decimal one and which groups; empty for none."""
    if not marks:
        return "", ""
    others = [mark for mark in marks if mark != marks[-1]]
    if others:
        return marks[-1], others[0]
    mark = marks[0]
    groups = re.fullmatch(_GROUPED.format(mark=re.escape(mark)), body) is not None
    if len(marks) > 1 or (mark == style.group and groups):
        return "", mark
    return mark, ""


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


def tip_text(text: str) -> str:
    """Words for a tool tip: Qt reads what looks like markup in a name as such, and hides it.

    >>> tip_text("<new host> fails"), tip_text("esx1 fails")
    ('<qt>&lt;new host&gt; fails</qt>', 'esx1 fails')
    """
    if "<" not in text and "&lt;" not in text:
        return text
    return f"<qt>{escape(text)}</qt>".replace("\n", "<br>")

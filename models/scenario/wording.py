"""Numbers and names in words: one place, so that screen, table and proposal agree to the digit.

Digits follow certainty: a number keeps no digit that its interval makes meaningless, but at least
two. ``Style`` carries the marks of a locale; without Qt, so that headless output is the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from models.base import rounding
from models.base.marks import ENGLISH as ENGLISH  # noqa: PLC0414 - passed on
from models.base.marks import GERMAN as GERMAN  # noqa: PLC0414
from models.base.marks import Style as Style  # noqa: PLC0414
from models.base.quantities import Basis, Quantity
from models.base.texts import Numeral, Text, joined, say, say_many
from models.scenario.scenario import Cluster, Host, Pool, Users, Vm

NONE_TEXT = "–"
AT_LEAST = "\N{GREATER-THAN OR EQUAL TO}"
"""Before a number of which a part has no data."""
AT_MOST = "\N{LESS-THAN OR EQUAL TO}"
"""Before what is left of a limit then."""
NO_DATA_TEXT = say("no data")
THIN = "\N{NARROW NO-BREAK SPACE}"


def host_text(host: Host) -> str:
    """A host by its name, in maintenance with the word for it."""
    return say("{host} (in maintenance)", host=host.name) if host.in_maintenance else host.name


def number(value: float, decimals: int = 0, *, style: Style = ENGLISH) -> str:
    """`value` with this many decimals, grouped; negative `decimals` round to tens, hundreds …

    >>> number(12345.678, 1), number(1234, -2), number(-0.04, 1), number(-22)
    ('12,345.7', '1,200', '0.0', '\u221222')
    """
    to_say = round(_steady(value, decimals), decimals) + 0.0
    text = f"{to_say:,.{max(decimals, 0)}f}".replace("-", "\N{MINUS SIGN}")
    if style is ENGLISH:
        return Numeral(text)
    return style.marked(text)


def _steady(value: float, decimals: int = 0) -> float:
    """Without the last bits, by which a half would be rounded up on one machine and down on
    another; itself where so many digits are said that no last bit decides."""
    if abs(value) * 10.0**decimals >= 10.0**rounding.DIGITS:
        return value
    return rounding.rounded(value, rounding.NOISE)


LEAST_SAID = 0.1
"""No limit and no interval of what is predicted lends a meaning to digits below it."""


def predicted_text(value: float, decimals: int = 0, *, style: Style = ENGLISH) -> str:
    """A predicted number; one that is next to nothing is only said to be less than what counts.

    >>> predicted_text(0.0044, 4), predicted_text(0.17, 2), predicted_text(0.0, 1)
    ('<\\u202f0.1', '0.17', '0.0')
    """
    if 0 < value < LEAST_SAID:
        return joined("", (f"<{THIN}", number(LEAST_SAID, 1, style=style)))
    return number(value, decimals, style=style)


def listed(words: Sequence[str]) -> str:
    """Words one after the other, as a sentence has them.

    >>> listed(["CPU"]), listed(["CPU", "RAM", "space"])
    ('CPU', 'CPU, RAM and space')
    """
    if len(words) < 2:
        return words[0] if words else ""
    return say("{first} and {last}", first=joined(", ", words[:-1]), last=words[-1])


def enough(value: float, decimals: int = 0, *, style: Style = ENGLISH) -> str:
    """`value` rounded up: what is said to be missing must be enough.

    >>> enough(15.0453), enough(12.01, 1), enough(16.0)
    ('16', '12.1', '16')
    """
    factor = 10.0**decimals
    return number(math.ceil(value * factor - 1e-9) / factor, decimals, style=style)


def decimals_until(holds: Callable[[int], bool], least: int = 0) -> int:
    """The fewest decimals with which printed arithmetic comes to its printed result.

    Args:
        holds: whether it does with so many.

    >>> decimals_until(lambda decimals: round(3 * round(92.67, decimals)) == 278)
    1
    """
    return next((d for d in range(least, least + 7) if holds(d)), least + 7)


def decimals_past(value: float, limit: float, decimals: int) -> int:
    """`decimals`, or up to four more where a value over its limit would not be seen to pass it.

    >>> (
    ...     decimals_past(70.19, 70.0, 0),
    ...     decimals_past(1040.0, 1000.0, -2),
    ...     decimals_past(69.6, 70.0, 0),
    ... )
    (1, -1, 0)
    """
    most, value = decimals + 4, _steady(value)
    while decimals < most and round(value, decimals) <= limit < value:
        decimals += 1
    return decimals


def decimals_for(value: float, half_width: float) -> int:
    """Decimals that the half width of an interval allows: at least two significant digits, no
    decimals beyond three, and one of what is below `LEAST_SAID`.

    A number without an interval (half width 0) is never rounded to tens.

    >>> decimals_for(45.31, 5.5), decimals_for(0.1532, 0.04), decimals_for(1234.0, 300.0)
    (0, 2, -2)
    >>> decimals_for(2.95017, 0.00002), decimals_for(1234.5, 0.2)
    (2, 0)
    >>> decimals_for(95.7, 0.0), decimals_for(512.4, 0.0), decimals_for(8.32, 0.0)
    (0, 0, 1)
    >>> decimals_for(0.000123, 0.0), decimals_for(0.0000096, 0.0)
    (1, 1)
    """
    if not math.isfinite(value) or not value:
        return 0
    value = _steady(value)
    if abs(value) < LEAST_SAID:
        return 1
    two_digits = 1 - math.floor(math.log10(abs(value)))
    if half_width <= 0 or not math.isfinite(half_width):
        return max(two_digits, 0)
    allowed = -math.floor(math.log10(half_width) + 1e-9)
    return max(two_digits, min(allowed, max(two_digits + 1, 0)))


def signed(value: float, decimals: int = 0, *, style: Style = ENGLISH) -> str:
    """A change with its sign, the minus a real one.

    >>> signed(13.2), signed(-0.5, 1), signed(0.2)
    ('+13', '\u22120.5', '\u00b10')
    """
    text = number(abs(value), decimals, style=style)
    if not round(value, decimals):
        return joined("", ("\N{PLUS-MINUS SIGN}", text))
    return joined("", ("+" if value > 0 else "\N{MINUS SIGN}", text))


def exact_text(value: float, *, style: Style = ENGLISH) -> str:
    """An input as it was given: grouped, with the decimals it has and no more.

    >>> exact_text(14.5), exact_text(4000.0)
    ('14.5', '4,000')
    """
    decimals = next((d for d in range(7) if abs(round(value, d) - value) < 1e-9), 7)
    return number(value, decimals, style=style)


def input_text(value: float, *, style: Style = ENGLISH) -> str:
    """An input as people read it: to a hundredth, a small one to three digits of its own. Files
    give memory in bytes and the like; workbook and JSON keep all of it.

    >>> input_text(255.6611328), input_text(14.5), input_text(0.00123456), input_text(4000.0)
    ('255.66', '14.5', '0.00123', '4,000')
    """
    small = 0 < abs(value) < 1 and math.isfinite(value)
    decimals = 2 - math.floor(math.log10(abs(value))) if small else 2
    return exact_text(round(value, min(max(decimals, 2), 6)), style=style)


def value_text(
    quantity: Quantity, unit: str = "", *, limit: float | None = None, style: Style = ENGLISH
) -> str:
    """The value with as many digits as its interval allows, and its unit; with more where it takes
    more to see that it passes its `limit`.

    >>> value_text(Quantity(45.31, 41.0, 52.0, Basis.INTERPOLATED), "%")
    '45\\u202f%'
    """
    if quantity.value is None:
        return NO_DATA_TEXT
    decimals = decimals_of(quantity)
    if limit is not None:
        decimals = decimals_past(quantity.value, limit, decimals)
    text = with_unit(predicted_text(quantity.value, decimals, style=style), unit)
    return joined(" ", (AT_LEAST, text)) if quantity.at_least else text


def judged_quantity(value: float, low: float, high: float) -> Quantity:
    """A number as it is judged, with its ends: what it is written from wherever it stands, so that
    it has the same digits in what decides, in sentences, in findings and in tables.

    >>> value_text(judged_quantity(155.2, 131.0, 183.0), limit=70.0)
    '160'
    """
    low, high = min(low, value), max(high, value)
    return Quantity(value, low, high, Basis.RULE if low == high else Basis.INTERPOLATED)


def shared_text(
    quantity: Quantity, unit: str = "", *, limit: float | None = None, style: Style = ENGLISH
) -> str:
    """RAM of the fullest host, a dash where there is none to speak of: nothing is unknown then."""
    if quantity.value is None:
        return NONE_TEXT
    return value_text(quantity, unit, limit=limit, style=style)


def range_text(quantity: Quantity, unit: str = "", *, style: Style = ENGLISH) -> str:
    """The ends of the 90 % interval, ``41–52 %``, ``0.40–∞ ms``, ``−85 to −19 %``; empty where
    there is no data. Of a lower bound what it leaves out: ``1 VM unknown``.

    Each end keeps two digits of its own: a low end is no 0 because the value is large.
    """
    if quantity.value is None or quantity.low is None or quantity.high is None:
        return ""
    if math.isnan(quantity.low) or math.isnan(quantity.high):
        return ""
    if quantity.at_least:
        return unknown_text(quantity.unknown)
    low, high = (_end(end, quantity, style) for end in (quantity.low, quantity.high))
    if low == high:
        return with_unit(low, unit)
    if quantity.low < 0:
        return with_unit(say("{low} to {high}", low=low, high=high), unit)
    return with_unit(joined("\N{EN DASH}", (low, high)), unit)


def unknown_text(count: int) -> Text:
    """What a lower bound leaves out."""
    return say_many("{count} VM unknown", "{count} VMs unknown", count)


def _end(end: float, quantity: Quantity, style: Style) -> str:
    """An end of a quantity's interval, by its own magnitude."""
    if math.isinf(end):
        return "\N{INFINITY}" if end > 0 else "−\N{INFINITY}"
    as_end = replace(quantity, value=end)
    if math.isinf(quantity.high or 0.0):
        as_end = replace(as_end, high=2 * end)
    return predicted_text(end, decimals_of(as_end), style=style)


def reach_text(
    end: float, unit: str = "", *, limit: float | None = None, style: Style = ENGLISH
) -> str:
    """An end of an interval that passes a limit: three digits, so that it is seen to pass it.

    Where the `limit` is given, two digits, and more only where it takes more to pass it. What has
    no end is said to be any value.

    >>> reach_text(23978.2), reach_text(1040.0), reach_text(76.4)
    ('24,000', '1,040', '76')
    >>> (
    ...     reach_text(2740.0, limit=2610.0),
    ...     reach_text(79.2, limit=70.0),
    ...     reach_text(70.04, limit=70.0),
    ... )
    ('2,700', '79', '70.04')
    >>> reach_text(math.inf, "%", limit=70.0), reach_text(math.nan)
    ('any value', 'no data')
    """
    if not math.isfinite(end):
        return NO_DATA_TEXT if math.isnan(end) else say("any value")
    if limit is None:
        digits = 0 if end < 100 else 2 - math.floor(math.log10(end))
    else:
        digits = 1 - math.floor(math.log10(end)) if end > 0 else 0
        digits = decimals_past(end, limit, digits)
    return with_unit(number(end, digits, style=style), unit)


def passing_text(value: float, limit: float, unit: str = "", *, style: Style = ENGLISH) -> str:
    """Three digits as `reach_text`, or more where a value over its limit would look like it.

    >>> passing_text(24_490.0, 24_000.0), passing_text(1004.0, 1000.0)
    ('24,500', '1,004')
    """
    text = reach_text(value, unit, style=style)
    if value > limit and text == reach_text(limit, unit, style=style):
        return reach_text(value, unit, limit=limit, style=style)
    return text


def about_text(
    quantity: Quantity, unit: str = "", *, limit: float | None = None, style: Style = ENGLISH
) -> str:
    """As it stands in a sentence: ``about 45 %``; a known figure stands without the word."""
    text = value_text(quantity, unit, limit=limit, style=style)
    value = quantity.value
    stands = value is None or quantity.low == quantity.high or 0 < value < LEAST_SAID
    return text if stands or quantity.at_least else say("about {value}", value=text)


def full_text(quantity: Quantity, unit: str = "", *, style: Style = ENGLISH) -> str:
    """Value, interval and basis: ``45 % (41–52 %, interpolated)``; without one ``24 s (rule)``.

    >>> full_text(Quantity(1.24, 1.24, 1.24, Basis.RULE), "%")
    '1.2\\u202f% (rule)'
    """
    if quantity.value is None:
        return NO_DATA_TEXT
    value = value_text(quantity, unit, style=style)
    ends = range_text(quantity, unit, style=style)
    if not ends or quantity.is_exact:
        return joined("", (value, " (", quantity.basis.label, ")"))
    return say("{value} ({range}, {basis})", value=value, range=ends, basis=quantity.basis.label)


SENSELESS = 5.0
"""An upper end this many times the value says no more than that there is none."""


def crossing_text(
    users: float | None,
    ends: tuple[float | None, float | None],
    basis: Basis,
    limit_ms: float,
    *,
    style: Style = ENGLISH,
) -> str:
    """Where a curve passes its limit: ``1,000 ms at about 5,000 users (4,400–5,600, …)``.

    Args:
        users: where the value passes it; None: nowhere, and nothing is said.
        ends: where the high and the low end of the interval pass it; None: nowhere.
    """
    if users is None:
        return ""
    low, high = users if ends[0] is None else ends[0], ends[1]
    is_open = high is None or high > SENSELESS * users
    closed = Quantity(users, low, 2 * users - low if is_open else high, basis)
    first = _whole(low, closed, style)
    last = "" if is_open or high is None else _whole(high, closed, style)
    if first == last:
        span = first
    else:
        span = joined("\N{EN DASH}", (first, last)) if last else say("{first} or more", first=first)
    limit = with_unit(number(limit_ms, style=style), "ms")
    about = _whole(users, closed, style)
    return say(
        "{limit} at about {about} users ({span}, {basis})",
        limit=limit,
        about=about,
        span=span,
        basis=basis.label,
    )


def _whole(users: float, of: Quantity, style: Style) -> str:
    """People, with the digits that the interval allows and no decimals."""
    return number(users, min(decimals_of(replace(of, value=users)), 0), style=style)


_COUNTED = {
    "drives": (say("drive"), say("drives")),
    "vCPUs": (say("vCPU"), say("vCPUs")),
    "cells": (say("cell"), say("cells")),
    "users": (say("user"), say("users")),
    "actions": (say("action"), say("actions")),
    "points": (say("point"), say("points")),
    "cores": (say("core"), say("cores")),
}
"""Units that are counted, by that of many: one and many."""


def counted(kind: type, count: int) -> Text:
    """How many items of a kind.

    >>> counted(Host, 1), counted(Vm, 1200)
    ('1 host', '1,200 VMs')
    """
    if kind is Vm:
        return say_many("{count} VM", "{count} VMs", count)
    if kind is Host:
        return say_many("{count} host", "{count} hosts", count)
    if kind is Pool:
        return say_many("{count} pool", "{count} pools", count)
    if kind is Cluster:
        return say_many("{count} cluster", "{count} clusters", count)
    return say_many("{count} scenario", "{count} scenarios", count)


def users_text(users: Users, *, active: bool = False) -> Text:
    """People by what they use; those of mail and of chat side by side where there are both.

    >>> users_text(Users(3000.0, 0.0)), users_text(Users(0.0, 1.0), active=True)
    ('3,000 users', '1 active user')
    >>> users_text(Users(12000.0, 100000.0))
    '12,000 mail users and 100,000 chat users'
    """
    mail, chat = round(users.mail), round(users.chat)
    if mail and chat:
        return joined(
            say(" and "),
            (
                say_many("{count} mail user", "{count} mail users", mail),
                say_many("{count} chat user", "{count} chat users", chat),
            ),
        )
    if active:
        return say_many("{count} active user", "{count} active users", mail or chat)
    return say_many("{count} user", "{count} users", mail or chat)


def with_unit(text: str, unit: str) -> str:
    """A number in words with its unit, a counted one by how many there are.

    >>> [with_unit(count, "drives").replace(THIN, " ") for count in ("35", "1", "−1")]
    ['35 drives', '1 drive', '−1 drive']
    """
    one, many = _COUNTED.get(unit, (unit, unit))
    named = one if text.lstrip("+−-") == "1" else many
    return joined(THIN, (text, named)) if unit else text


def decimals_of(quantity: Quantity) -> int:
    """Decimals with which a quantity is shown.

    >>> decimals_of(Quantity(1234.0, 950.0, 1600.0, Basis.INTERPOLATED))
    -2
    """
    value, low, high = quantity.value, quantity.low, quantity.high
    if value is None or low is None or high is None:
        return 0
    if quantity.basis is Basis.RULE and low == high and _steady(value).is_integer():
        return 0
    return decimals_for(value, (high - low) / 2)


def left_decimals(left: float) -> int:
    """Decimals of what is left of a limit [%]: one where it is less than a whole per cent.

    >>> left_decimals(8.31), left_decimals(-0.42), left_decimals(0.0)
    (0, 1, 0)
    """
    return 1 if 0 < abs(left) < 1 else 0


def first_of(names: Sequence[str], most: int) -> str:
    """The first of these names, and how many more there are.

    >>> first_of(["a", "b", "c"], 2), first_of(["a", "b"], 2)
    ('a, b and 1 more', 'a, b')
    """
    rest, first = len(names) - most, joined(", ", names[:most])
    if rest <= 0:
        return first
    return say_many("{first} and {count} more", "{first} and {count} more", rest, first=first)


def rounded(value: float, *, style: Style = ENGLISH) -> str:
    """Two digits, for what follows from assumed inputs.

    >>> rounded(64827.0), rounded(3.2)
    ('65,000', '3')
    """
    digits = 0 if value < 10 else 1 - math.floor(math.log10(value))
    return number(value, min(digits, 0), style=style)


def duration_text(seconds: float, style: Style = ENGLISH) -> str:
    """``45 s``, ``15 min``, ``2.1 h``.

    >>> duration_text(45.2).replace(THIN, " "), duration_text(931).replace(THIN, " ")
    ('45 s', '16 min')
    """
    if seconds < 100:
        return with_unit(number(seconds, style=style), "s")
    if seconds < 100 * 60:
        return with_unit(number(seconds / 60, style=style), "min")
    return with_unit(number(seconds / 3600, 1, style=style), "h")


def wait_text(milliseconds: float, style: Style = ENGLISH) -> str:
    """A long wait in two digits, in seconds from ten of them on.

    >>> wait_text(920.9).replace(THIN, " "), wait_text(36174.9).replace(THIN, " ")
    ('920 ms', '36 s')
    """
    if milliseconds < 10_000:
        return with_unit(rounded(milliseconds, style=style), "ms")
    return with_unit(rounded(milliseconds / 1000, style=style), "s")


def vague_response(low: float, high: float) -> Text:
    """Of a response [ms] whose range says nothing (`quantities.says_nothing`)."""
    return say(
        "the response time isn’t known, anything from {low} to {high}",
        low=wait_text(low),
        high=wait_text(high),
    )


def ranged(quantity: Quantity, unit: str = "", *, limit: float | None = None) -> str:
    """Value, seen to pass its `limit`, and its range below it where there is one."""
    value = value_text(quantity, unit, limit=limit)
    if quantity.value is None or quantity.is_exact:
        return value
    return joined("\n", (value, range_text(quantity)))


def with_ends(quantity: Quantity, unit: str) -> str:
    """Value, and its range in brackets where there is one."""
    value, ends = value_text(quantity, unit), range_text(quantity, unit)
    if not ends or quantity.is_exact:
        return value
    return joined("", (value, " (", ends, ")"))

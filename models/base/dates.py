"""Days and times as people write them, whatever the locale of the process."""

from __future__ import annotations

from datetime import datetime

from models.base.texts import Text, say

_MONTHS = (
    *(say("January"), say("February"), say("March"), say("April"), say("May"), say("June")),
    *(say("July"), say("August"), say("September"), say("October"), say("November")),
    say("December"),
)


def moment(at: str) -> datetime:
    """The time that ISO 8601 writes so."""
    return datetime.fromisoformat(at)


def day_text(day: datetime) -> Text:
    """The day alone.

    >>> day_text(datetime(2026, 3, 7, 9, 5))
    '7 March 2026'
    """
    return say("{day} {month} {year}", day=day.day, month=_MONTHS[day.month - 1], year=day.year)


def date_text(now: datetime) -> Text:
    """Day and time.

    >>> date_text(datetime(2026, 3, 7, 9, 5))
    '7 March 2026, 09:05'
    """
    month, time = _MONTHS[now.month - 1], f"{now:%H:%M}"
    return say("{day} {month} {year}, {time}", day=now.day, month=month, year=now.year, time=time)

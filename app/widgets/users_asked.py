"""Who asks for user arithmetic, and how its numbers come back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.language import tr

LINK = tr("User arithmetic…")


@dataclass(frozen=True, slots=True)
class UsersAsked:
    """A field of users that asks.

    Attributes:
        name: of the field, as people read it.
        counts: what is known there, `UserCounts`.
        numbers: ids of the numbers that come back.
        put: takes their values in this order; says why not where that can't be.
    """

    name: str
    counts: Any
    numbers: tuple[str, ...]
    put: Callable[..., str | None]

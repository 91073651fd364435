"""What a scenario's numbers were when somebody saved or signed them, and what they are now.

A customer holds a signed document. When the model or the catalog has changed since, whoever opens
the project is to see which numbers are others now, before he says the old ones again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from models.base.rounding import rounded
from models.base.texts import joined, say
from models.predict.predicted import numbers_of, title_of, unit_of
from models.predict.prediction import NOTHING_TO_JUDGE, Prediction, Verdict
from models.scenario.wording import NO_DATA_TEXT, exact_text, with_unit

SAME = 5e-4
"""Relative difference below which two numbers are said with the same digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """Numbers of one scenario at one time.

    Attributes:
        at: when, ISO 8601; `why`: ``saved`` or ``exported``.
        inputs: SHA-256 of the scenario file; `core`: of what in it is no default, which a later
            program with more inputs finds the same.
        numbers: of each number the highest of all items, None without data.
    """

    at: str
    why: str
    program: str
    model: str
    inputs: str
    verdict: str
    numbers: dict[str, float | None]
    core: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """A quantity that was stated otherwise than it is predicted now, in words."""

    quantity: str
    stated: str
    now: str


WORDS = {str(words): words for words in (*(each.label for each in Verdict), NOTHING_TO_JUDGE)}
"""Verdicts as they were kept, in English, with what says them in any language."""


def highest(prediction: Prediction) -> dict[str, float | None]:
    """Of each predicted number the highest of all items, by ``vms.cpu_pct`` and the like."""
    found: dict[str, float | None] = {}
    for table in ("vms", "hosts", "pools"):
        for name in numbers_of(table):
            part = getattr(prediction, table)
            values = [part.quantity(id, name).value for id in part.ids]
            found[f"{table}.{name}"] = max((v for v in values if v is not None), default=None)
    found["failures.failure_pct"] = prediction.headroom.failure_pct
    return {id: None if value is None else rounded(value) for id, value in found.items()}


def differences(stated: Stated, prediction: Prediction) -> Iterator[Difference]:
    """What is said otherwise now; the verdict first."""
    verdict = prediction.shown.words
    if stated.verdict != verdict:
        yield Difference("verdict", WORDS.get(stated.verdict, stated.verdict), verdict)
    for id, now in highest(prediction).items():
        before = stated.numbers.get(id)
        if id in stated.numbers and not _same(before, now):
            yield Difference(id, _text(id, before), _text(id, now))


def _same(before: float | None, now: float | None) -> bool:
    if before is None or now is None:
        return before is now
    return abs(before - now) <= SAME * max(abs(before), abs(now), 1e-9)


def _text(id: str, value: float | None) -> str:
    if value is None:
        return NO_DATA_TEXT
    digits = rounded(value, 4)
    return with_unit(exact_text(digits), unit_of(id.rpartition(".")[2]))


TABLES = {"vms": say("highest of all VMs"), "hosts": say("highest of all hosts")}
TABLES |= {"pools": say("highest of all pools"), "failures": say("worst failure")}


def quantity_text(id: str) -> str:
    """What a quantity of a difference is called."""
    if id == "verdict":
        return say("verdict")
    table, _, name = id.partition(".")
    title = say("headroom after failures") if name == "failure_pct" else title_of(name)
    return joined("", (title, " (", TABLES[table], ")"))

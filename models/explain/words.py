"""A derivation in words: formulas by name, formulas with values, and where leaves come from."""

from __future__ import annotations

import math
from collections.abc import Callable

from models.catalog import Catalog
from models.explain.terms import (
    Above,
    FromCatalog,
    FromEvidence,
    FromInput,
    Operation,
    Predicted,
    Source,
    Stated,
    Term,
)
from models.inputs import origin_of
from models.scenario import Scenario
from models.wording import ENGLISH, RESOURCES, THIN, Style, number

DIGITS = 6
"""Significant digits of a number in a formula: so many that the last one of the result re-adds."""

SIGNS = {
    Operation.SUM: " + ",
    Operation.DIFFERENCE: " \N{MINUS SIGN} ",
    Operation.PRODUCT: " × ",
    Operation.QUOTIENT: " ÷ ",
    Operation.POWER: " ^ ",
}
NAMES = {
    Operation.EXP: "exp",
    Operation.ROOT: "√",
    Operation.LEAST: "least of",
    Operation.GREATEST: "greatest of",
}
MOST_TERMS = 8
"""Of a long sum so many are written out in the line; the tree below has them all."""


def figure(value: float, *, style: Style = ENGLISH) -> str:
    """A number with the digits that a formula needs, and no zeros behind them.

    >>> figure(1.84), figure(1234567.0), figure(0.000143302), figure(100.0)
    ('1.84', '1,234,567', '0.000143302', '100')
    """
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "\N{INFINITY}"
    decimals = max(DIGITS - 1 - math.floor(math.log10(abs(value))), 0)
    text = number(value, decimals, style=style)
    if style.decimal in text and decimals:
        text = text.rstrip("0").removesuffix(style.decimal)
    return text


def value_words(term: Term, *, style: Style = ENGLISH) -> str:
    """The value with its unit."""
    text = figure(term.value, style=style)
    return f"{text}{THIN}{term.unit}" if term.unit else text


def formula_words(term: Term) -> str:
    """By the names of its terms: ``load per vCPU × per cent``; empty for a leaf."""
    return _joined(term, lambda each: each.label)


def worked_words(term: Term, *, style: Style = ENGLISH) -> str:
    """With the values of its terms: ``0.71 × 100``; empty for a leaf."""
    return _joined(term, lambda each: figure(each.value, style=style))


def _joined(term: Term, said: Callable[[Term], str]) -> str:
    if term.operation is Operation.LEAF:
        return ""
    words = [said(each) for each in term.terms]
    if term.operation is Operation.SAME:
        return words[0]
    if len(words) > MOST_TERMS:
        words = [*words[: MOST_TERMS - 1], f"… {len(words) - MOST_TERMS + 1} more"]
    sign = SIGNS.get(term.operation)
    if sign is not None:
        return sign.join(words)
    return f"{NAMES[term.operation]} ({', '.join(words)})"


def source_words(source: Source | None, scenario: Scenario, catalog: Catalog) -> str:
    """Where a leaf comes from, in a line; empty for what follows from others."""
    if isinstance(source, FromInput):
        return _input_words(source, scenario)
    if isinstance(source, FromCatalog):
        entry = getattr(catalog, source.collection).get(source.id)
        name = source.id if entry is None else entry.name
        return f"catalog: {name}"
    if isinstance(source, FromEvidence):
        return f"{source.basis.label}: {source.note}"
    if isinstance(source, Stated):
        return source.why
    if isinstance(source, Predicted):
        return _predicted_words(source, scenario)
    return "worked out above" if isinstance(source, Above) else ""


def _input_words(source: FromInput, scenario: Scenario) -> str:
    """``input of Mail-01, customer said``."""
    if source.kind is Scenario:
        return f"policy, {origin_of(scenario, source.path).label}"
    for item in scenario.items():
        if item.id == source.subject:
            return f"input of {item.name}, {origin_of(item, source.path).label}"
    return f"input of {source.subject}"


OTHERS = {
    "network_mbps": "network load",
    "vcpus_per_core": "vCPUs per core",
    "usable_gib": "usable space",
}
"""Numbers that are explained, but that no verdict names."""


def _predicted_words(source: Predicted, scenario: Scenario) -> str:
    names = {item.id: item.name for item in scenario.items()}
    what = OTHERS.get(source.field) or RESOURCES.get(source.field, source.field)
    words = f"predicted: {what} of {names.get(source.subject, source.subject)}"
    return f"{words}, with {names.get(source.gone, source.gone)} gone" if source.gone else words

"""Formulas as values: terms with numbers, the operations between them, and where leaves come from.

A `Term` either has terms of its own and an operation, and then its value follows from theirs, or it
is a leaf with a source. Nothing is calculated a second time by another way: the leaves are what the
model took in, and a test works every number out again from what is displayed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from models.base import rounding
from models.base.quantities import Basis
from models.base.texts import Numeral, say


class Operation(StrEnum):
    """How the value of a term follows from its terms."""

    LEAF = "leaf"
    SAME = "same"
    SUM = "sum"
    DIFFERENCE = "difference"
    PRODUCT = "product"
    QUOTIENT = "quotient"
    POWER = "power"
    EXP = "exp"
    ROOT = "root"
    LEAST = "least"
    GREATEST = "greatest"


@dataclass(frozen=True, slots=True)
class FromInput:
    """A field of the scenario: of the item `subject` of this class, of the policy without one."""

    kind: type
    subject: str
    path: str


@dataclass(frozen=True, slots=True)
class FromCatalog:
    """A figure of a catalog entry, by the collection that holds it."""

    collection: str
    id: str
    field: str


@dataclass(frozen=True, slots=True)
class FromEvidence:
    """A figure of the documents, or arithmetic on a few of them that `note` spells out."""

    evidence: tuple[str, ...]
    basis: Basis
    note: str


@dataclass(frozen=True, slots=True)
class Stated:
    """A constant of the model that no document gives, with the reason for it."""

    why: str


@dataclass(frozen=True, slots=True)
class Predicted:
    """Another predicted number, with a derivation of its own.

    `gone` is the id of a host without which it holds; empty in normal operation.
    """

    table: str
    subject: str
    field: str
    gone: str = ""


@dataclass(frozen=True, slots=True)
class Above:
    """A term of the same name that the formula has worked out already, further up."""


Source = FromInput | FromCatalog | FromEvidence | Stated | Predicted | Above


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A number in a formula.

    Attributes:
        label: what it is, in words.
        value: in `unit`.
        operation, terms: how it follows; `LEAF` and none where it is taken as it is.
        source: where a leaf comes from.
        note: what else is to be said of it.
    """

    label: str
    value: float
    unit: str = ""
    operation: Operation = Operation.LEAF
    terms: tuple[Term, ...] = ()
    source: Source | None = None
    note: str = ""

    def walk(self) -> Iterator[Term]:
        """This term and all below it, each before its own terms."""
        yield self
        for term in self.terms:
            yield from term.walk()


def folded(term: Term) -> Term:
    """The term with everything worked out once, where it is met first; after that by its name."""
    return _folded(term, set())


def _folded(term: Term, seen: set[tuple[str, float]]) -> Term:
    if term.operation is Operation.LEAF:
        return term
    key = (term.label, term.value)
    if key in seen:
        return Term(label=term.label, value=term.value, unit=term.unit, source=Above())
    seen.add(key)
    return replace(term, terms=tuple(_folded(each, seen) for each in term.terms))


def without_host(term: Term, gone: str) -> Term:
    """The term with every predicted number in it said to hold with that host gone."""
    source = term.source
    if isinstance(source, Predicted):
        source = replace(source, gone=gone)
    return replace(
        term, source=source, terms=tuple(without_host(each, gone) for each in term.terms)
    )


def applied(operation: Operation, values: Sequence[float]) -> float:
    """The value that an operation gives.

    >>> applied(Operation.QUOTIENT, [8.0, 4.0]), applied(Operation.LEAST, [3.0, 1.0])
    (2.0, 1.0)
    """
    first = values[0]
    if operation is Operation.PRODUCT:
        return math.prod(values)
    if operation is Operation.SUM:
        return math.fsum(values)
    if operation is Operation.LEAST:
        return min(values)
    if operation is Operation.GREATEST:
        return max(values)
    if operation in (Operation.EXP, Operation.ROOT, Operation.SAME):
        return {Operation.EXP: math.exp, Operation.ROOT: math.sqrt}.get(operation, float)(first)
    second = values[1]
    if operation is Operation.DIFFERENCE:
        return rounding.difference(first, second)
    if operation is Operation.POWER:
        return float(first**second)
    return first / second


def leaf(label: str, value: float, unit: str = "", *, source: Source, note: str = "") -> Term:
    """A number that is taken as it is."""
    return Term(label=label, value=float(value), unit=unit, source=source, note=note)


def worked(operation: Operation, label: str, *terms: Term, unit: str = "", note: str = "") -> Term:
    """A number that follows from others."""
    value = applied(operation, [term.value for term in terms])
    return Term(label=label, value=value, unit=unit, operation=operation, terms=terms, note=note)


def total(label: str, *terms: Term, unit: str = "", note: str = "") -> Term:
    """a + b + …; nothing at all is zero."""
    if not terms:
        nothing = Stated(note or say("there is none"))
        return leaf(label, 0.0, unit, source=nothing)
    return worked(Operation.SUM, label, *terms, unit=unit, note=note)


def product(label: str, *terms: Term, unit: str = "", note: str = "") -> Term:
    """a × b × …; a single factor stays what it is, under its own name."""
    if len(terms) == 1:
        return worked(Operation.SAME, label, *terms, unit=unit, note=note)
    return worked(Operation.PRODUCT, label, *terms, unit=unit, note=note)


def quotient(label: str, over: Term, under: Term, *, unit: str = "", note: str = "") -> Term:
    return worked(Operation.QUOTIENT, label, over, under, unit=unit, note=note)


def difference(label: str, first: Term, second: Term, *, unit: str = "", note: str = "") -> Term:
    return worked(Operation.DIFFERENCE, label, first, second, unit=unit, note=note)


def power(label: str, base: Term, exponent: Term, *, unit: str = "", note: str = "") -> Term:
    return worked(Operation.POWER, label, base, exponent, unit=unit, note=note)


def least(label: str, *terms: Term, unit: str = "", note: str = "") -> Term:
    return worked(Operation.LEAST, label, *terms, unit=unit, note=note)


def greatest(label: str, *terms: Term, unit: str = "", note: str = "") -> Term:
    return worked(Operation.GREATEST, label, *terms, unit=unit, note=note)


def number(value: float, label: str = "") -> Term:
    """A plain number of a formula, such as the 100 of per cent."""
    return leaf(label or Numeral(f"{value:g}"), value, source=OF_THE_FORMULA)


def percent(label: str, share: Term, *, note: str = "") -> Term:
    """100 × a share."""
    return product(label, HUNDRED, share, unit="%", note=note)


OF_THE_FORMULA = Stated(say("a number of the formula"))
HUNDRED = number(100.0, say("per cent"))
ONE = number(1.0)

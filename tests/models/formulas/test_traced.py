"""What formulas leave behind of one item."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from models.base.texts import say
from models.formulas.terms import Operation, Stated, Term, leaf
from models.formulas.traced import (
    Figure,
    at_least,
    at_most,
    entitled,
    labelled,
    plus,
    term_of,
    times,
    traced,
    where,
)


def a(value: float, label: str = "a") -> Any:
    return traced(leaf(label, value, source=Stated("given")))


def words(term: Term) -> str:
    """``sum(a, product(b, 2))``"""
    if term.operation is Operation.LEAF:
        return term.label
    return f"{term.operation.value}({', '.join(words(each) for each in term.terms)})"


TWO = Figure(2.0, say("two"), why=say("a pair"))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (a(3.0) + a(4.0, "b") + 2, "sum(a, b, 2)"),
        (2 * a(3.0) * a(4.0, "b"), "product(2, a, b)"),
        (a(3.0) / 2 - 1, "difference(quotient(a, 2), 1)"),
        (TWO * a(3.0), "product(two, a)"),
        (1.0 * a(3.0) + 0.0, "a"),
        (np.fmin(a(3.0), np.nan), "a"),
        (np.minimum(a(3.0), a(4.0, "b")), "least(a, b)"),
        (np.maximum(a(3.0), 0.0), "a"),
        (np.exp(np.sqrt(a(4.0))), "exp(root(a))"),
        (a(2.0) ** a(3.0, "b"), "power(a, b)"),
        (plus(a(3.0), a(0.0, "b")), "a"),
        (plus(a(3.0), a(1.0, "b")), "sum(a, b)"),
        (times(a(3.0), a(1.0, "b")), "a"),
        (at_most(a(3.0), TWO), "least(a, two)"),
        (at_most(a(1.0), TWO), "a"),
        (at_least(a(1.0), TWO), "greatest(a, two)"),
        (where(a(1.0) < 2, a(3.0), a(4.0, "b")), "a"),
        (where(np.isnan(a(1.0)), a(3.0), a(4.0, "b")), "b"),
    ],
)
def test_operations_become_those_of_the_term(found: Any, expected: str) -> None:
    assert words(term_of(found)) == expected


def test_a_named_part_is_not_taken_apart() -> None:
    part = labelled("usable space", a(3.0) + a(4.0, "b"), "GiB")
    term = term_of(part + a(1.0, "c"))
    assert [each.label for each in term.terms] == ["usable space", "c"]
    assert term.terms[0].unit == "GiB"
    assert term_of(labelled("drives", part)).label == "usable space"


def test_a_number_alone_goes_by_the_name_asked_for() -> None:
    assert words(entitled("whole", a(3.0), "GiB")) == "same(a)"
    assert entitled("whole", a(3.0) + 1, "GiB").label == "whole"


def test_columns_go_through_as_if_nothing_was_said() -> None:
    column = np.array([1.0, 3.0])
    assert labelled("load", column) is column
    assert plus(column, column).tolist() == [2.0, 6.0]
    assert times(column, TWO).tolist() == [2.0, 6.0]
    assert at_most(column, TWO).tolist() == [1.0, 2.0]
    assert at_least(column, TWO).tolist() == [2.0, 3.0]
    assert where(column > 2, column, 0.0).tolist() == [0.0, 3.0]


@pytest.mark.parametrize("formula", [np.log, np.add.reduce, np.negative])
def test_what_leaves_no_term_is_an_error(formula: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError):
        formula(a(3.0))

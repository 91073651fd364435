"""Formulas that say how they come to a number: the same function, over columns or for one item.

A formula of the model is a function of columns. Given `traced` terms in place of columns it works
out one item and keeps what it does: its operations become a `Term`, which *Why* shows. So nothing
is written twice, and what is added to a formula is in its derivation.

`labelled` says what a part is; for columns it is that part and nothing else. `plus`, `times`,
`at_most`, `at_least` and `where` are operations that a derivation leaves out where they change
nothing. A constant that isn't a plain number of the formula is a `Figure`, which says why it is so
much.

>>> import numpy as np
>>> def usable(drives, gib):
...     return labelled("usable space", drives * gib, "GiB")
>>> usable(np.array([2.0, 3.0]), 10.0).tolist()
[20.0, 30.0]
>>> term = term_of(usable(traced(leaf("drives", 2.0, source=Stated("two"))), 10.0))
>>> term.label, term.operation.value, term.value, [each.label for each in term.terms]
('usable space', 'product', 20.0, ['drives', '10'])
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt
from numpy.lib.mixins import NDArrayOperatorsMixin

from models.base.quantities import GIB_PER_GB, FloatArray
from models.base.rounding import steady
from models.base.texts import Numeral, filled, given, say
from models.formulas.terms import (
    OF_THE_FORMULA,
    Operation,
    Source,
    Stated,
    Term,
    leaf,
    number,
    worked,
)

Column = TypeVar("Column")

OPERATIONS: dict[np.ufunc, Operation] = {
    np.add: Operation.SUM,
    np.subtract: Operation.DIFFERENCE,
    np.multiply: Operation.PRODUCT,
    np.divide: Operation.QUOTIENT,
    np.power: Operation.POWER,
    np.exp: Operation.EXP,
    np.sqrt: Operation.ROOT,
    np.minimum: Operation.LEAST,
    np.fmin: Operation.LEAST,
    np.maximum: Operation.GREATEST,
    np.fmax: Operation.GREATEST,
}
TESTS = {
    *(np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal),
    *(np.isnan, np.logical_and, np.logical_or, np.logical_not),
}
NEUTRAL = {Operation.SUM: 0.0, Operation.PRODUCT: 1.0}
JOINED = {Operation.SUM, Operation.PRODUCT, Operation.LEAST, Operation.GREATEST}


class Figure(float):
    """A constant of a formula, with what it is called and why it is so much."""

    label: str
    unit: str
    source: Source

    def __new__(cls, value: float, label: str, unit: str = "", *, why: str = "") -> Figure:
        figure = super().__new__(cls, value)
        figure.label, figure.unit = label, unit
        figure.source = Stated(why) if why else OF_THE_FORMULA
        return figure


class Traced(NDArrayOperatorsMixin):
    """A term that formulas take for a column."""

    __slots__ = ("term",)

    def __init__(self, term: Term) -> None:
        self.term = term

    def __float__(self) -> float:
        return self.term.value

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **more: Any
    ) -> Any:
        # Nothing is overwritten: formulas use what comes back, as `x += y` does.
        if method != "__call__" or more or not (ufunc in OPERATIONS or ufunc in TESTS):
            raise TypeError(f"{ufunc.__name__} leaves no term")
        if ufunc in TESTS:
            return ufunc(*map(float, inputs))
        operation, terms = OPERATIONS[ufunc], [_term(each) for each in inputs]
        if ufunc in (np.fmin, np.fmax):
            terms = [each for each in terms if not math.isnan(each.value)] or terms[:1]
        return Traced(_applied(operation, terms, inputs))


def _applied(operation: Operation, terms: Sequence[Term], inputs: Sequence[Any]) -> Term:
    """Sums, products, least and greatest without names are part of what they stand in; a plain
    number that changes nothing is left out."""
    if operation in (Operation.QUOTIENT, Operation.POWER) and _is_plain(inputs[1], 1.0):
        return terms[0]
    if len(terms) == 2:
        for each, other, given_as in zip(terms, terms[::-1], inputs, strict=True):
            if each.source is OF_THE_FORMULA and each.value == NEUTRAL.get(operation):
                return other
            plain = not isinstance(given_as, Traced | Figure)
            if plain and operation in (Operation.LEAST, Operation.GREATEST):
                value = worked(operation, "", each, other).value
                return other if value == other.value else each
    if len(terms) == 1 and operation in JOINED:
        return terms[0]
    if operation in JOINED:
        terms = [
            part
            for each in terms
            for part in (each.terms if each.operation is operation and not each.label else (each,))
        ]
    return worked(operation, "", *terms)


def _is_plain(value: Any, number: float) -> bool:
    return not isinstance(value, Traced | Figure) and float(value) == number


def _term(value: Any) -> Term:
    if isinstance(value, Traced):
        return value.term
    if isinstance(value, Figure):
        return leaf(value.label, float(value), value.unit, source=value.source)
    return number(float(value))


def traced(term: Term) -> FloatArray:
    """A term, for formulas to take it for a column."""
    return cast(FloatArray, Traced(term))


def column(value: npt.ArrayLike) -> FloatArray:
    """What a formula is given, as a column."""
    if isinstance(value, Traced):
        return cast(FloatArray, value)
    return np.asarray(value, dtype=np.float64)


def opaque(english: str, function: Callable[[Any], Any], value: FloatArray, why: str) -> FloatArray:
    """function(value), of which a derivation gives the number and says why it is so much."""
    if not isinstance(value, Traced):
        return cast(FloatArray, function(value))
    source = Stated(filled(given(why), {"value": Numeral(f"{float(value):g}")}))
    return traced(leaf(given(english), float(function(float(value))), source=source))


def stated(english: str, value: Column, why: str) -> Column:
    """A part of which a derivation gives the number and says why it is so much, but not how."""
    if not isinstance(value, Traced):
        return value
    return cast(Column, Traced(leaf(given(english), float(value), source=Stated(why))))


def steadied(value: FloatArray) -> FloatArray:
    """As `rounding.steady`; of one item as it is."""
    one: Any = value
    return value if isinstance(one, Traced) else steady(value)


def term_of(value: Any) -> Term:
    """The term that a formula came to."""
    return _term(value)


def entitled(label: str, value: Any, unit: str, *, note: str = "") -> Term:
    """What a formula came to, under the name of its number; a single input stays what it is."""
    term = _term(value)
    if term.label or term.operation is Operation.LEAF:
        return worked(Operation.SAME, label, term, unit=unit, note=note)
    return replace(term, label=label, unit=unit, note=note)


def labelled(
    english: str, value: Column, unit: str = "", *, note: str = "", **values: Any
) -> Column:
    """A part of a formula with its name, words of the catalogue with values in their places; what
    has a name already keeps it. A value may be worked out by a function, once it is needed."""
    if not isinstance(value, Traced) or value.term.label:
        return value
    return renamed(english, value, unit, note=note, **values)


def renamed(
    english: str, value: Column, unit: str = "", *, note: str = "", **values: Any
) -> Column:
    """The same of a part that may have a name: it stays in its place, under this one."""
    if not isinstance(value, Traced):
        return value
    said = {place: value() if callable(value) else value for place, value in values.items()}
    words = filled(given(english), said)
    return cast(Column, Traced(entitled(words, value, unit, note=note)))


def plus(value: Column, more: Any) -> Column:
    """value + more; left out where it is nothing."""
    if isinstance(more, Traced) and float(more) == 0.0:
        return value
    return cast(Column, cast(Any, value) + more)


def times(value: Column, factor: Any) -> Column:
    """value · factor; left out where it is 1."""
    if isinstance(factor, Traced | float) and float(factor) == 1.0:
        return value
    return cast(Column, cast(Any, value) * factor)


def changed(value: Column, into: Column) -> Column:
    """`into`; the value as it stands where that comes to the same."""
    one: Any = value
    same = isinstance(one, Traced) and float(one) == float(cast(Any, into))
    return value if same else into


def at_most(value: Column, most: Any) -> Column:
    """No more than that; left out where it is less."""
    if isinstance(value, Traced) and float(value) <= float(most):
        return value
    return cast(Column, np.minimum(cast(Any, value), most))


def at_least(value: Column, least: Any) -> Column:
    """No less than that; left out where it is more."""
    if isinstance(value, Traced) and float(value) >= float(least):
        return value
    return cast(Column, np.maximum(cast(Any, value), least))


def where(which: Any, there: Any, elsewhere: Any) -> FloatArray:
    """`there` or `elsewhere`; of one item the one that holds."""
    if not getattr(which, "ndim", 0):
        found = there if which else elsewhere
        return cast(FloatArray, Traced(_term(found)) if isinstance(found, Figure) else found)
    return cast(FloatArray, np.where(which, there, elsewhere))


ONE, TWO = Figure(1.0, Numeral("1")), Figure(2.0, Numeral("2"))
PER_CENT = Figure(100.0, say("per cent"))
MS_IN_S = Figure(1000.0, say("ms in a second"))
GIB = Figure(GIB_PER_GB, say("GiB in a GB"), why=say("10⁹ over 2³⁰ bytes"))

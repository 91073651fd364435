"""Every public formula says what its numbers are measured in and shows one that can be checked."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

MODELS = Path(__file__).parents[2] / "models"
ROOMS = ("evidence", "fitting", "queueing")
UNIT = re.compile(r"\[[^\]\n]+\]|unit|share|probabilit", re.IGNORECASE)
WHERE_VALID = re.compile(r"valid|exact|measured|raises", re.IGNORECASE)

MACHINERY = {
    # Steps of a method whose whole is a formula with an example: what they take and give is said,
    # what they work out means nothing by itself.
    "models/fitting/baselines.py:held_out_baseline",
    "models/fitting/family_a_fit.py:path_response_ms",
    "models/queueing/contour.py:solve_by_contour",
    "models/queueing/lattice.py:unsaturated",
    "models/queueing/one_class.py:answer_of",
    "models/queueing/recursion.py:solve_by_recursion",
    "models/queueing/single_class.py:single_class_effort",
    "models/queueing/solve.py:accurate_error",
    "models/queueing/solve.py:fast_error",
    # A look-up, not a formula.
    "models/evidence/rows.py:figure",
}


def formulas() -> Iterator[tuple[str, str]]:
    """Name and docstring of every public function that gives numbers, with those around it."""
    for room in ROOMS:
        for path in sorted((MODELS / room).glob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in tree.body:
                if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
                    continue
                gives = ast.unparse(node.returns) if node.returns else ""
                if re.search(r"FloatArray|\bfloat\b|Measures|Batch", gives):
                    name = f"models/{room}/{path.name}:{node.name}"
                    yield name, ast.get_docstring(node) or ""


FORMULAS = dict(formulas())


def test_there_are_formulas_and_the_exceptions_are_some_of_them() -> None:
    assert len(FORMULAS) > 40
    assert set(FORMULAS) >= MACHINERY


@pytest.mark.parametrize("name", sorted(set(FORMULAS) - MACHINERY))
def test_a_formula_has_units_and_an_example(name: str) -> None:
    text = FORMULAS[name]
    assert ">>>" in text, "no worked example"
    assert UNIT.search(text), "no unit"


@pytest.mark.parametrize(
    "name", sorted(n for n in set(FORMULAS) - MACHINERY if n.startswith("models/evidence"))
)
def test_a_law_says_where_it_holds(name: str) -> None:
    assert WHERE_VALID.search(FORMULAS[name]), "no range of validity"

"""Every public formula has units, a source, and an example that calls it and can be checked."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from doctest import DocTestParser
from pathlib import Path

import pytest

MODELS = Path(__file__).parents[2] / "models"
ROOMS = ("evidence", "fitting", "physics", "queueing")
UNIT = re.compile(r"\[[^\]\n]+\]|unit|share|probabilit", re.IGNORECASE)
SOURCE = re.compile(r"\bSources?\b|\bWV21\b|\bpaper\b|\btechnote\b|Iris Today|docs/\w+\.md")
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
    "models/physics/responses.py:own_responses",
    "models/physics/responses.py:path_of_others",
    "models/physics/responses.py:ready_ratio",
    "models/physics/responses.py:spread",
    "models/physics/storage.py:pool_used_gib",
    # Columns and look-ups: they move numbers and work none out.
    "models/evidence/rows.py:figure",
    "models/physics/columns.py:blank",
    "models/physics/columns.py:sum_by",
    "models/physics/columns.py:sums_by",
    "models/physics/estimates.py:known_ends",
    "models/physics/machines.py:least",
    "models/physics/machines.py:or_else",
    "models/physics/machines.py:release_number",
    "models/physics/response.py:reference_cores",
    "models/physics/responses.py:busy_beside",
    "models/physics/storage.py:read_share",
}

UNITS_ELSEWHERE = {
    # Solvers of a whole network: the fields of what they take and give have the units.
    "models/queueing/approximate.py:solve_approximate",
    "models/queueing/lattice.py:exact_mva",
    # Arithmetic of plain numbers.
    "models/queueing/tilt.py:log_factorial",
    "models/queueing/tilt.py:multiply",
    "models/queueing/tilt.py:products_without_each",
}


def formulas() -> Iterator[tuple[str, tuple[str, str]]]:
    """Name, docstring and that of the module of every public function that gives numbers."""
    for room in ROOMS:
        for path in sorted((MODELS / room).glob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            around = ast.get_docstring(tree) or ""
            for node in tree.body:
                if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
                    continue
                gives = ast.unparse(node.returns) if node.returns else ""
                if re.search(r"FloatArray|\bfloat\b|Measures|Batch|Answer", gives):
                    name = f"models/{room}/{path.name}:{node.name}"
                    yield name, (ast.get_docstring(node) or "", around)


def without_examples(text: str) -> str:
    """A docstring's words: a list that an example prints is no unit."""
    return "".join(part for part in DocTestParser().parse(text) if isinstance(part, str))


FORMULAS = dict(formulas())


def test_there_are_formulas_and_the_exceptions_are_some_of_them() -> None:
    assert len(FORMULAS) > 40
    assert set(FORMULAS) >= MACHINERY | UNITS_ELSEWHERE


@pytest.mark.parametrize("name", sorted(set(FORMULAS) - MACHINERY))
def test_a_formula_has_units_and_an_example(name: str) -> None:
    text, _ = FORMULAS[name]
    called = rf"^(>>>|\.\.\.).*\b{name.partition(':')[2]}\b"
    assert re.search(called, text, re.MULTILINE), "no worked example that calls it"
    assert name in UNITS_ELSEWHERE or UNIT.search(without_examples(text)), "no unit"


@pytest.mark.parametrize("name", sorted(set(FORMULAS) - MACHINERY))
def test_a_formula_says_where_it_is_from(name: str) -> None:
    assert any(SOURCE.search(text) for text in FORMULAS[name]), "no source, here or of the module"


@pytest.mark.parametrize(
    "name", sorted(n for n in set(FORMULAS) - MACHINERY if n.startswith("models/evidence"))
)
def test_a_law_says_where_it_holds(name: str) -> None:
    assert WHERE_VALID.search(FORMULAS[name][0]), "no range of validity"

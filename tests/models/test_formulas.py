"""Every public formula has units, a source, and an example that calls it and can be checked."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from doctest import DocTestParser
from pathlib import Path

import pytest

MODELS = Path(__file__).parents[2] / "models"
ROOMS = ("evidence", "failure", "fitting", "physics", "queueing", "resilience", "transient")
BESIDE = ("catalog/own_hardware.py", "options/totals.py", "base/quantities.py")
NUMBERS = re.compile(r"FloatArray|\bfloat\b|Estimate|Measures|Batch|Answer")
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.MatMult)

UNIT = re.compile(r"\[[^\]\n]+\]|unit|share|probabilit", re.IGNORECASE)
EQUATION = re.compile(r"[=≈·/+×√Σ⌈^≤]")
SOURCE = re.compile(r"\bSources?\b|from\s+where")
VALID = re.compile(r"\bvalid\b", re.IGNORECASE)

MACHINERY = {
    # Steps of a method whose whole is a formula with an example: what they take and give is said,
    # what they work out means nothing by itself.
    "models/fitting/baselines.py:held_out_baseline",
    "models/queueing/one_class.py:Sums.stretch",
    "models/queueing/one_class.py:answer_of",
    "models/queueing/single_class.py:solve_by_recursion",
    "models/queueing/spread.py:Spread.correction",
    "models/physics/responses.py:Standing.among",
    "models/physics/responses.py:own_responses",
    "models/physics/responses.py:responses_on_host",
    # Columns and look-ups: they add up, count or mark.
    "models/failure/fault_tolerance.py:per_host",
    "models/failure/failover.py:Failover.sums_of_crowded",
    "models/failure/restarted.py:Restarted.busy_of_crowded",
    "models/physics/host_sums.py:named",
    "models/physics/columns.py:sum_by",
    "models/physics/columns.py:sums_by",
    "models/physics/estimates.py:scaled",
    "models/physics/host_columns.py:release_number",
    "models/transient/network.py:Groups.sums",
}

UNITS_ELSEWHERE = {
    # Solvers of a whole network: the fields of what they take and give have the units.
    "models/queueing/approximate.py:solve_approximate",
    "models/queueing/lattice.py:exact_mva",
    # Arithmetic of plain numbers.
    "models/queueing/distributions.py:log_factorial",
    "models/queueing/distributions.py:multiply",
    "models/queueing/distributions.py:products_without_each",
}


def formulas() -> Iterator[tuple[str, tuple[str, str]]]:
    """Name, docstring and that of the module of everything public that works numbers out.

    A property counts where it shows an example: most only keep what was worked out.
    """
    paths = [path for room in ROOMS for path in sorted((MODELS / room).glob("*.py"))]
    for path in [*paths, *(MODELS / name for name in BESIDE)]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        around = ast.get_docstring(tree) or ""
        for name, node in public(tree.body):
            text = ast.get_docstring(node) or ""
            gives = ast.unparse(node.returns) if node.returns else ""
            shown = called(name, text)
            computed = not is_property(node) and any(map(is_arithmetic, ast.walk(node)))
            if NUMBERS.search(gives) and (computed or shown):
                yield f"{path.relative_to(MODELS.parent).as_posix()}:{name}", (text, around)


def public(body: list[ast.stmt], owner: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions, and methods as ``Class.method``."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public(node.body, f"{node.name}.")
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield owner + node.name, node


def is_property(node: ast.FunctionDef) -> bool:
    names = {ast.unparse(each) for each in node.decorator_list}
    return bool(names & {"property", "cached_property", "lazy"})


def is_arithmetic(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ARITHMETIC)


def called(name: str, text: str) -> bool:
    """Whether an example of the docstring calls it."""
    leaf = name.rpartition(".")[2]
    return bool(re.search(rf"^(>>>|\.\.\.).*\b{leaf}\b", text, re.MULTILINE))


def without_examples(text: str) -> str:
    """A docstring's words: a list that an example prints is no unit."""
    return "".join(part for part in DocTestParser().parse(text) if isinstance(part, str))


FORMULAS = dict(formulas())


CHECKED = sorted(set(FORMULAS) - MACHINERY)


def test_there_are_formulas_and_the_exceptions_are_some_of_them() -> None:
    assert len(CHECKED) > 75
    assert set(FORMULAS) >= MACHINERY | UNITS_ELSEWHERE


@pytest.mark.parametrize("name", CHECKED)
def test_a_formula_has_units_an_equation_and_an_example(name: str) -> None:
    text, _ = FORMULAS[name]
    assert called(name.partition(":")[2], text), "no worked example that calls it"
    words = without_examples(text)
    assert name in UNITS_ELSEWHERE or UNIT.search(words), "no unit"
    assert EQUATION.search(re.sub(r"\[.*?\]|docs/", "", words)), "no equation"


@pytest.mark.parametrize("name", CHECKED)
def test_a_formula_says_where_it_is_from(name: str) -> None:
    assert any(SOURCE.search(text) for text in FORMULAS[name]), "no source, here or of the module"


@pytest.mark.parametrize("name", CHECKED)
def test_a_formula_says_where_it_holds(name: str) -> None:
    assert VALID.search(FORMULAS[name][0]), "no range of validity"

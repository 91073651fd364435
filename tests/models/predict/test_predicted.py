"""A predicted number is described once, and every table of the prediction by it."""

from __future__ import annotations

import ast
from collections.abc import Collection

import pytest

from models.explain.derivation import FAILURE_TERMS, HOST_TERMS, POOL_TERMS, VM_TERMS
from models.predict.predicted import PREDICTED, average_limit, judged_of, limit_of, numbers_of
from models.predict.prediction import FailureMode, HostPrediction, PoolPrediction, VmPrediction
from models.scenario.scenario import Policy
from tests.packaging.loading import ROOT

TEXT = ("tr(", "say")
TABLES: dict[str, tuple[type, Collection[str]]] = {
    "vms": (VmPrediction, VM_TERMS),
    "hosts": (HostPrediction, HOST_TERMS),
    "pools": (PoolPrediction, POOL_TERMS),
    "failures": (FailureMode, FAILURE_TERMS),
}


@pytest.mark.parametrize("table", TABLES)
def test_every_number_of_a_table_is_a_field_of_it_and_has_a_derivation(table: str) -> None:
    kind, terms = TABLES[table]
    assert set(numbers_of(table)) <= set(kind.__annotations__) & set(terms)


@pytest.mark.parametrize("table", TABLES)
def test_every_number_with_an_interval_is_described(table: str) -> None:
    kind, _ = TABLES[table]
    found = {
        name for name, type_ in kind.__annotations__.items() if type_ in ("Series", "Quantity")
    }
    of_studies = {"iops", "disk_pct", "ready_pct"} if table == "failures" else set()
    assert found - of_studies == set(numbers_of(table))


def test_a_limit_at_peak_is_lower_for_the_average() -> None:
    policy = Policy(cpu_limit_pct=80.0, peak_factor_cpu=2.0)
    assert average_limit(policy, "cpu_pct") == 40.0
    assert average_limit(policy, "response_ms") == policy.response_limit_ms


def test_what_the_policy_does_not_limit_is_not_judged() -> None:
    with pytest.raises(KeyError):
        limit_of(Policy(), "latency_ms")
    assert "latency_ms" not in judged_of("pools")


def test_no_other_table_gives_words_to_predicted_numbers() -> None:
    """A name, a unit or a brief of a number stands in its row and nowhere else."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for folder in ("app", "models", "db")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path.name != "predicted.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Dict) and gives_words(node)
    ]
    assert not found


def gives_words(table: ast.Dict) -> bool:
    """Whether every key is a predicted number, and a value is a text."""
    keys = {key.value for key in table.keys if isinstance(key, ast.Constant)}
    parts = [part for value in table.values for part in getattr(value, "elts", [value])]
    marked = [
        part for part in parts if isinstance(part, ast.Call) and ast.unparse(part)[:3] in TEXT
    ]
    plain = {part.value for part in parts if isinstance(part, ast.Constant)} - {*PREDICTED, *TABLES}
    return len(keys) > 1 and keys <= set(PREDICTED) and (any(marked) or bool(plain))

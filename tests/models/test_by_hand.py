"""docs/by-hand.md: every worked line comes to its number, and that is what is predicted."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from db.codec import scenario_from_json
from models.base.quantities import Series
from models.predict.prediction import Prediction, Verdict
from resources.example_files import load_examples
from tests.models.worlds import AS_BENCHMARKED, CALIBRATION, predict

PAGE = (Path(__file__).parents[2] / "docs" / "by-hand.md").read_text(encoding="utf-8")
EXAMPLE = "wv21-migration.json"
LINE = re.compile(
    r"^  (?P<name>[^=]*?)\s{2,}(?P<sum>[^=]+) = (?P<value>[\d.]+) ?(?P<unit>[^\[\n]*?)"
    r"(?: \[(?P<field>[^\]]+)\])?$"
)
OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


@dataclass(frozen=True)
class Worked:
    """One line: what is added up, what it comes to as printed, and the field that it explains."""

    name: str
    sum: str
    printed: str
    field: str


def worked() -> Iterator[Worked]:
    start = PAGE.index("```text")
    for line in PAGE[start : PAGE.index("```", start + 7)].splitlines():
        found = LINE.match(line)
        if found:
            field = found["field"] or ""
            yield Worked(found["name"], found["sum"], found["value"], field)


WORKED = list(worked())


def result(text: str) -> float:
    """The sum as a pocket calculator sees it."""
    plain = text.replace("·", "*").replace("−", "-").replace("^", "**")
    return _value(ast.parse(re.sub(r"\be\b", str(math.e), plain), mode="eval").body)


def _value(node: ast.expr) -> float:
    match node:
        case ast.BinOp(left, op, right):
            return float(OPERATORS[type(op)](_value(left), _value(right)))
        case ast.UnaryOp(ast.USub(), operand):
            return -_value(operand)
        case ast.Constant(value) if isinstance(value, int | float):
            return float(value)
        case other:
            raise AssertionError(ast.dump(other))


def rounded_as(printed: str, value: float) -> str:
    """The value with as many decimals as are printed."""
    return f"{value:.{len(printed.partition('.')[2])}f}"


@cache
def prediction() -> Prediction:
    files = {file.name: file for example in load_examples() for file in example.files}
    return predict(scenario_from_json(files[EXAMPLE].text.encode(), name=EXAMPLE))


def predicted(field: str) -> float:
    """``m2 cpu_pct low`` from the prediction of the example."""
    id, name, *end = field.split()
    for table in (prediction().vms, prediction().hosts, prediction().pools):
        if id in table.ids:
            series: Series = getattr(table, name)
            return float(getattr(series[table.ids.index(id)], end[0] if end else "value"))
    raise AssertionError(field)


def test_there_is_something_to_work_out() -> None:
    assert len(WORKED) > 60
    assert len({line.field for line in WORKED if line.field}) >= 30


@pytest.mark.parametrize("line", WORKED, ids=lambda line: line.name + "·" + line.printed)
def test_a_line_comes_to_its_number(line: Worked) -> None:
    assert rounded_as(line.printed, result(line.sum)) == line.printed


@pytest.mark.parametrize(
    "line", [line for line in WORKED if line.field], ids=lambda line: line.field
)
def test_its_number_is_what_is_predicted(line: Worked) -> None:
    assert rounded_as(line.printed, predicted(line.field)) == line.printed


def test_the_page_says_what_the_example_says() -> None:
    prose = " ".join(PAGE[PAGE.index("```\n") :].split())
    told = prose[prose.index("`evaluate` says") : prose.index("WV21 measured")]
    sentence = prediction().sentence.replace("\u202f", " ").replace("’", "'")
    verdict, _, remark = sentence.partition(". ")
    assert f'"{verdict}."' in told
    assert remark.startswith("Users are counted as benchmark users: the benchmark's part of")
    tables = (prediction().vms, prediction().hosts, prediction().pools)
    short = {
        id
        for table in tables
        for id, found in zip(table.ids, table.verdict, strict=True)
        if found > Verdict.FITS
    }
    assert short == set(re.findall(r"\b[hmp]\d\b", told))
    (pool,) = short & set(prediction().pools.ids)
    assert f"may reach {predicted(f'{pool} utilisation_pct high'):.0f} %" in told
    assert f"(limit {AS_BENCHMARKED.disk_limit_pct:.0f} %)" in told


def test_the_sums_use_the_constants_that_ship() -> None:
    law, text = CALIBRATION.law, " ".join(line.sum for line in WORKED)
    for name in ("x366_cpu_pct", "clovertown_cpu_pct", "esx_cpu_factor", "cpu_growth"):
        assert f"{getattr(law, name):.5g}" in text, name
    for name in ("vmfs_users", "base_response_ms", "miss_exponent", "ram_exponent"):
        assert f"{getattr(law, name):.5g}" in text, name

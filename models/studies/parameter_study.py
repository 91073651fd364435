"""A parameter study: any inputs over any values, any outputs, one row a combination.

A row is a pure function of its number, so that rows are the same whoever works them out and in
which order: a loop, the cores of a laptop, or a cluster.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import fsum, prod
from typing import Any

from models.base.errors import ModelError, kind_words, no_such
from models.base.fields import (
    NOUNS,
    SCENARIO_LISTS,
    Field,
    field_at,
    leaves_of,
    value_at,
    with_value,
)
from models.base.rounding import rounded
from models.base.texts import joined, say
from models.check import check_structure
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.physics.scenario_to_arrays import REGISTERED
from models.predict.predicted import numbers_of
from models.predict.prediction import Prediction
from models.prices.book import PriceBook
from models.prices.cost import cost_of
from models.scenario.scenario import Scenario
from models.single_changes.changes import grown
from models.studies.sweep import USERS

MOST_ROWS = 10_000_000
NOT_A_NUMBER, NOTHING = say("must be a number"), say("needs a value")
NO_FLAG, NO_TEXT = say("must be true or false"), say("must be a text")
_OF_VALUES = {NOT_A_NUMBER, NOTHING, NO_FLAG, NO_TEXT}
_PATH = re.compile(r"(?:(?P<list>\w+)\[(?P<id>[^\]]+)\]\.)?(?P<path>[\w.]+)")
_OUTPUT = re.compile(r"(?P<table>vms|hosts|pools)(?:\[(?P<id>[^\]]+)\])?\.(?P<number>\w+)")
EVERY = "*"
WHOLE = ("verdict", "failure_pct", "users")
"""Outputs of the whole scenario."""
_TABLES = tuple(f"{table}.…" for table in ("vms", "hosts", "pools"))


@dataclass(frozen=True, slots=True)
class Varied:
    """An input and its values.

    Attributes:
        path: ``policy.cpu_limit_pct``, ``vms[m1].ram_gib`` or ``hosts[*].ram_gib`` of all.
        is_factor: the values are factors on what stands there.
    """

    path: str
    values: tuple[Any, ...]
    is_factor: bool = False


COSTS = ("cost_capex", "cost_total", "cost_at_least")
"""Outputs by a price book: purchase, total over the planned years, and whether a price is missing,
so that both are the least that it costs."""


@dataclass(frozen=True, slots=True)
class ParameterStudy:
    """All combinations of the values of the inputs, the last one fastest.

    `book`: prices by which the outputs `COSTS` are told.
    """

    scenario: Scenario
    inputs: tuple[Varied, ...]
    outputs: tuple[str, ...]
    book: PriceBook | None = None

    def __len__(self) -> int:
        return prod(len(each.values) for each in self.inputs)

    @property
    def heads(self) -> tuple[str, ...]:
        return (*(each.path for each in self.inputs), *self.outputs)

    def values(self, row: int) -> tuple[Any, ...]:
        """The values of the inputs in a row.

        >>> study = ParameterStudy(
        ...     Scenario(name="x"), (Varied("a", (1, 2)), Varied("b", (3, 4, 5))), ()
        ... )
        >>> [study.values(row) for row in (0, 1, 3)]
        [(1, 3), (1, 4), (2, 3)]
        """
        found = []
        for each in reversed(self.inputs):
            row, place = divmod(row, len(each.values))
            found.append(each.values[place])
        return tuple(reversed(found))


def check_study(study: ParameterStudy) -> None:
    """Refuse a study that says what there isn't.

    Raises:
        ModelError: an input or output is none, there are none, or there are too many rows.
    """
    if not study.inputs:
        raise ModelError(say("nothing is varied"), field="inputs")
    if not study.outputs:
        raise ModelError(say("nothing is asked for"), field="outputs")
    if len(study) > MOST_ROWS:
        raise ModelError(say("makes more than {most} rows", most=f"{MOST_ROWS:,}"), field="inputs")
    for place, each in enumerate(study.inputs):
        field = f"inputs[{place}]"
        if not each.values:
            raise ModelError(say("has no values"), field=f"{field}.values")
        _check_values(study.scenario, each, field)
    for place, output in enumerate(study.outputs):
        if output in COSTS and study.book is None:
            raise ModelError(say("needs prices"), field=f"outputs[{place}]")
        if output in COSTS:
            continue
        found = _OUTPUT.fullmatch(output)
        known = numbers_of(found["table"]) if found else (*WHOLE, *_TABLES)
        name = found["number"] if found else output
        if name not in known or name in _TABLES:
            raise no_such(say("number"), name, known, field=f"outputs[{place}]")
        if found and found["id"]:
            _chosen(study.scenario, found["table"], found["id"], field=f"outputs[{place}]")


def _check_values(scenario: Scenario, varied: Varied, field: str) -> None:
    """Refuse a path that leads nowhere, and words where a number belongs; a number that can't stand
    there makes empty rows."""
    for row, value in enumerate(varied.values):
        if row and {type(value), type(varied.values[0])} <= {int, float}:
            continue  # as the first one, which was looked at
        try:
            changed(scenario, varied, value)
        except ModelError as error:
            is_value = row or error.reason in _OF_VALUES
            where = f"{field}.values[{row}]" if is_value else f"{field}.path"
            raise ModelError(error.reason, field=where) from None


def changed(
    scenario: Scenario, varied: Varied, value: Any, *, owners_follow: bool = True
) -> Scenario:
    """The scenario with another value of an input.

    Args:
        owners_follow: with active users go registered ones, as where users grow.

    Raises:
        ModelError: the path leads nowhere, or the value can't stand there.
    """
    found = _PATH.fullmatch(varied.path)
    if found is None:
        raise no_such(say("input"), varied.path, (), field="")
    if not found["list"]:
        other: Scenario = _changed(scenario, found["path"], varied, value, owners_follow)
        return other
    if found["list"] not in SCENARIO_LISTS:
        raise no_such(say("list"), found["list"], SCENARIO_LISTS, field="")
    items = getattr(scenario, found["list"])
    taken = _chosen(scenario, found["list"], found["id"])
    others: dict[str, Any] = {
        found["list"]: tuple(
            _changed(each, found["path"], varied, value, owners_follow)
            if each.id in taken
            else each
            for each in items
        )
    }
    return replace(scenario, **others)


def _chosen(scenario: Scenario, name: str, id: str, field: str = "") -> set[str]:
    """Ids of the items of a list that are meant.

    Raises:
        ModelError: there is none.
    """
    ids = {each.id for each in getattr(scenario, name) if id in (EVERY, each.id)}
    if not ids:
        raise no_such(kind_words(NOUNS[name]), id, (), field=field)
    return ids


def _changed(item: Any, path: str, varied: Varied, value: Any, owners_follow: bool) -> Any:
    try:
        field = field_at(type(item), path)
    except (KeyError, LookupError):
        raise no_such(say("input"), path, leaves_of(type(item)), field="") from None
    _check_type(field, value, is_number=varied.is_factor or field.is_number)
    if field.is_word:
        value = field.type(value)
    if varied.is_factor:
        now = value_at(item, path)
        value = None if now is None else now * value
    if field.is_number and value is not None:
        value = field.type(value)
        broken = field.limit.broken(value)
        if broken is not None:
            raise ModelError(broken)
    if path == USERS and owners_follow and value:
        return grown(item, value)
    return with_value(item, path, value)


def _check_type(field: Field, value: Any, *, is_number: bool) -> None:
    """Refuse what could stand in no scenario file."""
    if is_number and value is not None and type(value) not in (int, float):
        raise ModelError(NOT_A_NUMBER)
    if field.is_list or field.is_nested:
        raise ModelError(say("can’t be varied: it is more than one value"))
    if value is None:
        if not field.is_optional:
            raise ModelError(NOTHING)
    elif field.type is bool and type(value) is not bool:
        raise ModelError(NO_FLAG)
    elif field.is_word and value not in list(field.type):
        words = joined(", ", (each.value for each in field.type))
        raise ModelError(say("must be one of {words}", words=words))
    elif field.type is str and type(value) is not str:
        raise ModelError(NO_TEXT)


def rows(
    study: ParameterStudy, knowledge: Knowledge, numbers: Sequence[int]
) -> Iterator[tuple[Any, ...]]:
    """Rows of a study; the outputs of a scenario that can't be are empty."""
    for number in numbers:
        values = study.values(number)
        yield (*values, *_outputs(study, values, knowledge))


def _outputs(study: ParameterStudy, values: Sequence[Any], knowledge: Knowledge) -> tuple[Any, ...]:
    try:
        scenario = study.scenario
        stated = any(each.path.endswith(REGISTERED) for each in study.inputs)
        for varied, value in zip(study.inputs, values, strict=True):
            scenario = changed(scenario, varied, value, owners_follow=not stated)
        check_structure(scenario)
        prediction = evaluate(scenario, knowledge)
    except ModelError:
        return (None,) * len(study.outputs)
    costs = {} if study.book is None else _costs(scenario, knowledge, study.book)
    return tuple(
        costs[each] if each in costs else _output(scenario, prediction, each)
        for each in study.outputs
    )


def _costs(scenario: Scenario, knowledge: Knowledge, book: PriceBook) -> dict[str, Any]:
    cost = cost_of(scenario, knowledge.catalog, book)
    amounts = (float(cost.capex), float(cost.total), cost.at_least)
    return dict(zip(COSTS, amounts, strict=True))


def _output(scenario: Scenario, prediction: Prediction, output: str) -> Any:
    """A number, the highest of all items where none is named; None without data."""
    if output == "verdict":
        return str(prediction.verdict.label)
    found = _number(scenario, prediction, output)
    return None if found is None else rounded(found)


def _number(scenario: Scenario, prediction: Prediction, output: str) -> float | None:
    if output == "failure_pct":
        return prediction.headroom.failure_pct
    if output == "users":
        return fsum(vm.workload.active_users for vm in scenario.vms)
    found = _OUTPUT.fullmatch(output)
    assert found is not None
    table = getattr(prediction, found["table"])
    ids = [found["id"]] if found["id"] else table.ids
    values = [table.quantity(id, found["number"]).value for id in ids]
    return max((each for each in values if each is not None), default=None)

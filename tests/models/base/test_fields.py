"""What is said of a field beside its attribute: read, checked, reached and put."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from models.base.errors import ModelError
from models.base.fields import (
    REQUIRED,
    SCENARIO_LISTS,
    Field,
    Word,
    check_fields,
    described,
    field_at,
    fields_of,
    leaves_of,
    needed,
    of_fields,
    optional,
    reader_of,
    value_at,
    with_value,
)
from models.base.texts import say
from models.scenario import scenario as model
from models.scenario.inputs import KINDS


class Side(Word):
    """A choice."""

    LEFT = "left", say("left")
    RIGHT = "right", say("right")


@of_fields
class Growth:
    """A value that need not be there."""

    users_pct: float | None = optional("users", unit="%", ge=0, le=100)
    years: int | None = optional("years", choices=(1, 3, 5))


@of_fields
class Thing:
    """One field of every kind."""

    ram_gib: float = needed("RAM", unit="GiB", ge=1, le=8)
    side: Side = described(Side.LEFT, "side")
    sides: tuple[Side, ...] = described((), Field("sides"))
    names: tuple[str, ...] = described((), "names", text="name")
    growth: Growth | None = None
    apart: tuple[int, ...] = ()


def test_type_and_default_are_those_of_the_attribute() -> None:
    fields = fields_of(Thing)
    assert list(fields) == ["ram_gib", "side", "sides", "names", "growth"]
    assert fields["ram_gib"].default is REQUIRED
    assert fields["side"].is_word
    assert (fields["sides"].type, fields["sides"].is_list) == (Side, True)
    assert (fields["growth"].is_nested, fields["growth"].is_optional) == (True, True)
    assert field_at(Thing, "growth.years").is_whole
    assert str(fields["ram_gib"].title) == "RAM"


def test_a_value_inside_an_optional_one_comes_and_goes_with_it() -> None:
    thing = Thing(ram_gib=2.0)
    assert value_at(thing, "growth.users_pct") is None
    grown = with_value(thing, "growth.users_pct", 10.0)
    assert grown.growth == Growth(users_pct=10.0)
    assert reader_of(Thing, ("ram_gib", "growth.users_pct"))(grown) == (2.0, 10.0)
    assert reader_of(Thing, ("ram_gib", "growth.users_pct"))(thing) == (2.0, None)
    assert with_value(grown, "growth.users_pct", None) == thing


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"ram_gib": 9.0}, "ram_gib"),
        ({"ram_gib": float("nan")}, "ram_gib"),
        ({"names": ("a", " ")}, "names[1]"),
        ({"names": ("a\nb",)}, "names[0]"),
        ({"growth": Growth(users_pct=-1.0)}, "growth.users_pct"),
        ({"growth": Growth(years=2)}, "growth.years"),
    ],
)
def test_what_a_field_may_not_be_is_refused_by_its_path(change: dict[str, Any], field: str) -> None:
    check_fields(Thing(ram_gib=8.0, names=("a",), growth=Growth(users_pct=0.0, years=3)))
    with pytest.raises(ModelError) as caught:
        check_fields(dataclasses.replace(Thing(ram_gib=2.0), **change))
    assert caught.value.field == field


@pytest.mark.parametrize("kind", [*KINDS, model.Affinity, model.Waiver])
def test_every_attribute_is_told_and_every_number_bounded(kind: type) -> None:
    marks_and_lists = {"origins", "pins", *SCENARIO_LISTS, "affinity", "waivers"}
    marks_and_lists |= {"import_notes", "sites"}
    left = {each.name for each in dataclasses.fields(kind)} - set(fields_of(kind))
    assert left <= (marks_and_lists if kind is model.Scenario else {"origins", "pins"})
    for path, each in leaves_of(kind).items():
        assert each.label, path
        assert each.meaning, path
        assert each.limit.le is not None or not each.is_number or each.choices, path

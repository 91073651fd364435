"""What is said of a field of a scenario: once, beside the attribute that holds it.

Attributes of a class `of_fields`, as those of `scenario.scenario` are, have it where a default
stands: ``cores: int = needed(say("cores"), ge=1)``, ``described(70.0, say("CPU limit"))``. What
shows, bounds, stores or documents them reads them here: by their name in the class (`fields_of`),
or by their path inside an item (`leaves_of`, `field_at`), such as ``workload.active_users``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, MISSING, dataclass, fields, is_dataclass, replace
from dataclasses import Field as Attribute
from dataclasses import field as attribute_with
from enum import StrEnum
from functools import partial
from operator import attrgetter
from types import NoneType
from typing import (
    Any,
    Literal,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from models.base.errors import ModelError
from models.base.limits import Limit, check_line, check_text
from models.base.texts import Text, joined, opening, say

ItemT = TypeVar("ItemT")
DefaultT = TypeVar("DefaultT")
NO_LIMIT = Limit()
REQUIRED = object()
"""Default of a field that has none."""
NOUNS = {
    "clusters": "cluster",
    "hosts": "host",
    "pools": "pool",
    "vms": "VM",
    "servers": "server",
    "hypervisors": "hypervisor",
    "arrays": "array",
    "disks": "disk",
    "raid_levels": "RAID level",
}
"""What there is an id of, by the list of the scenario or the collection of the catalog."""
UNITS = {
    "pct": "%", "ms": "ms", "s": "s", "mhz": "MHz", "gbps": "Gb/s", "mbps": "Mb/s", "mb": "MB",
    "gb": "GB", "mib": "MiB", "gib": "GiB",
}  # fmt: skip
"""By what the names of attributes end in."""
SCENARIO_LISTS = ("clusters", "hosts", "pools", "vms")


class Word(StrEnum):
    """One of several words of the scenario file, with the words that people read for it.

    >>> class Side(Word):
    ...     LEFT = "left", say("on the left")
    >>> Side("left").label, f"{Side.LEFT}"
    ('on the left', 'left')
    """

    _value_: str
    label: str

    def __new__(cls, value: str, label: str = "") -> Word:
        word = str.__new__(cls, value)
        word._value_, word.label = value, label
        return word


class Grows(StrEnum):
    """What a number grows with in the years ahead (`models.scenario.growth`).

    A load is that of users where its machine has some, and then grows with them too.
    """

    USERS = "users"
    MAIL = "mail"
    LOAD = "load"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a scenario.

    Attributes:
        label: what it is called where it stands alone: in a step, a comparison, a formula.
        unit: of its number, by the end of its name (`UNITS`) where it isn't given; empty for words,
            flags and plain counts.
        meaning: for the schema and the documentation of the file.
        short: beside its editor, under a heading; as `label` where it isn't given.
        deed: in the name of a step, where `label` doesn't fit into it.
        empty: what a field without a value is.
        hint: tool tip.
        ge, le: bounds of its number.
        ids: it holds ids, of this list of the scenario or collection of the catalog.
        choices: numbers of which it is one.
        text: a ``line``, which may be a ``name`` (never blank), or ``lines``.
        suggests: texts that are offered beside those of other items.
        is_input: somebody gives it, so that it has an origin. Names and texts for people are none.
        is_needed: a file has to say it although the class has a default.
        column: of the arrays of VMs, where formulas read it.
        step: of its editor. `is_whole`: nobody has half of one, though formulas may.
        slide: of a slider beside it, the smallest difference and the least end of its range.
        is_share: a share of 1 that people read in per cent.
        grows: what its number grows with; None: nobody said. Every number of a workload says it.
        name, type, is_optional, is_list, default: as the attribute says them; not given here.
        limit: `ge` and `le`; is_number, is_word, is_nested: what `type` is, a number, one of
            several words, a value of several fields.
    """

    label: str
    _: KW_ONLY
    unit: str = ""
    meaning: str = ""
    short: str = ""
    deed: str = ""
    empty: str = ""
    hint: str = ""
    ge: float | None = None
    le: float | None = None
    ids: str = ""
    choices: tuple[int, ...] = ()
    text: Literal["line", "name", "lines"] = "line"
    suggests: tuple[str, ...] = ()
    is_input: bool = True
    is_needed: bool = False
    column: str = ""
    step: float = 1.0
    is_whole: bool = False
    slide: tuple[float, float] | None = None
    is_share: bool = False
    grows: Grows | None = None
    name: str = ""
    type: Any = None
    is_optional: bool = False
    is_list: bool = False
    default: Any = REQUIRED
    limit: Limit = NO_LIMIT
    is_number: bool = False
    is_word: bool = False
    is_nested: bool = False

    @property
    def must_be_seen(self) -> bool:
        """Whether it is a text that says something."""
        return self.text == "name" or (self.text == "lines" and self.is_needed)

    @property
    def title(self) -> Text:
        """What stands beside its editor."""
        return opening(self.short or self.label)

    def check(self, value: Any, path: str) -> None:
        """Hold a value, or one of several, to what the field may be; ids are looked up elsewhere.

        Raises:
            ModelError: with the path of the field.
        """
        if self.is_nested:
            check_fields(value, path)
        elif self.choices:
            if value not in self.choices:
                among = joined(say(" or "), map(str, self.choices))
                raise ModelError(say("must be {choices}", choices=among), field=path)
        elif self.is_number:
            if (reason := self.limit.broken(value)) is not None:
                raise ModelError(reason, field=path)
        elif self.text == "lines":
            check_text(value, field=path)
        else:
            check_line(value, field=path, required=self.text == "name")


def needed(said: str | Field, **more: Any) -> Any:
    """An attribute that has to be given, with what there is to say of it: its label and more of a
    `Field`, or that of another attribute."""
    return attribute_with(metadata=_with(said, more))


def described(
    default: DefaultT, said: str | Field, *, is_compared: bool = True, **more: Any
) -> DefaultT:
    """One that has a default; `is_compared`: whether it tells two values apart."""
    return attribute_with(default=default, compare=is_compared, metadata=_with(said, more))


optional = partial(described, None)
"""One that is None unless it is given."""
_SAID = "said"


def _with(said: str | Field, more: Mapping[str, Any]) -> Mapping[str, Field]:
    return {_SAID: replace(said, **more) if isinstance(said, Field) else Field(said, **more)}


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(needed,))
def of_fields(cls: type[ItemT]) -> type[ItemT]:
    """A frozen dataclass of such attributes, given by their names."""
    return dataclass(frozen=True, slots=True, kw_only=True)(cls)


def check_fields(item: Any, path: str = "") -> None:
    """Hold every field of a value to what it may be.

    Raises:
        ModelError: with the path of the first offending field.
    """
    for field in _checked(type(item)):
        name = f"{path}.{field.name}" if path else field.name
        value = getattr(item, field.name)
        if field.is_list:
            for index, each in enumerate(value):
                field.check(each, f"{name}[{index}]")
        elif value is not None:
            field.check(value, name)


def _checked(kind: type) -> tuple[Field, ...]:
    """The fields of a class whose types don't say yet what they may be."""
    if kind not in _CHECKED:
        every = fields_of(kind).values()
        _CHECKED[kind] = tuple(each for each in every if not each.is_word and each.type is not bool)
    return _CHECKED[kind]


_CHECKED: dict[type, tuple[Field, ...]] = {}


def fields_of(kind: type) -> Mapping[str, Field]:
    """The fields of a class by their names; lists of items and marks are none.

    >>> from models.scenario.scenario import Vm
    >>> fields_of(Vm)["ram_gib"].unit
    'GiB'
    """
    if kind not in _FIELDS:
        hints = get_type_hints(kind)
        found = (_field(each, hints[each.name]) for each in fields(kind))
        _FIELDS[kind] = {each.name: each for each in found if each is not None}
    return _FIELDS[kind]


_FIELDS: dict[type, Mapping[str, Field]] = {}
"""Those of each class that was asked for."""


def _field(attribute: Attribute[Any], hint: Any) -> Field | None:
    """What is said of an attribute, and what its type and default say; None of what is no field."""
    said, kind = attribute.metadata.get(_SAID), hint
    is_optional = NoneType in get_args(kind)
    kind = get_args(kind)[0] if is_optional else kind
    is_list = get_origin(kind) is tuple
    kind = get_args(kind)[0] if is_list else kind
    if said is None and (is_list or not is_dataclass(kind)):
        return None
    return replace(
        said or Field(""),
        name=attribute.name,
        unit=(said and said.unit) or unit_of(attribute.name),
        type=kind,
        is_optional=is_optional,
        is_list=is_list,
        is_whole=kind is int or bool(said and said.is_whole),
        limit=Limit(ge=said.ge, le=said.le) if said else NO_LIMIT,
        is_number=kind in (int, float),
        is_word=isinstance(kind, type) and issubclass(kind, StrEnum),
        is_nested=is_dataclass(kind),
        default=_default(attribute),
    )


def unit_of(name: str) -> str:
    """The unit that a name ends in.

    >>> unit_of("cpu_pct"), unit_of("users")
    ('%', '')
    """
    return UNITS.get(name.rpartition("_")[2], "")


def _default(each: Attribute[Any]) -> Any:
    if each.default_factory is not MISSING:
        return each.default_factory()
    return REQUIRED if each.default is MISSING else each.default


def leaves_of(kind: type) -> Mapping[str, Field]:
    """The fields of a class and of the values inside it by path, these values themselves left out.

    >>> from models.scenario.scenario import Cluster
    >>> list(leaves_of(Cluster))[2:4]
    ['admission.policy', 'admission.host_failures']
    """
    if kind not in _LEAVES:
        found: dict[str, Field] = {}
        for name, field in fields_of(kind).items():
            inside = leaves_of(field.type) if field.is_nested else {}
            found |= {f"{name}.{path}": each for path, each in inside.items()} or {name: field}
        _LEAVES[kind] = found
    return _LEAVES[kind]


_LEAVES: dict[type, Mapping[str, Field]] = {}


def references_of(kind: type) -> Mapping[str, Field]:
    """Those of `leaves_of` that hold ids."""
    if kind not in _REFERENCES:
        _REFERENCES[kind] = {path: each for path, each in leaves_of(kind).items() if each.ids}
    return _REFERENCES[kind]


_REFERENCES: dict[type, Mapping[str, Field]] = {}


def field_at(kind: type, path: str) -> Field:
    """The field at a path inside an item.

    >>> from models.scenario.scenario import Scenario
    >>> field_at(Scenario, "policy.cpu_limit_pct").label
    'CPU limit'

    Raises:
        KeyError: there is none.
    """
    return leaves_of(kind)[path]


def bounds_of(kind: type, path: str) -> Limit:
    """The bounds of the number at a path inside an item."""
    return field_at(kind, path).limit


# --- values at paths ----------------------------------------------------------------------------


def reader_of(kind: type, paths: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Reads the values at these paths of an item; inside an optional value that isn't there, None.

    Args:
        paths: two at least.
    """
    if not any(_is_hidden(kind, path) for path in paths):
        return attrgetter(*paths)
    return lambda item: tuple([value_at(item, path) for path in paths])


def _is_hidden(kind: type, path: str) -> bool:
    """Whether a path leads through a value that need not be there."""
    outer, _, rest = path.partition(".")
    field = fields_of(kind)[outer]
    return bool(rest) and (field.is_optional or _is_hidden(field.type, rest))


def value_at(item: Any, path: str) -> Any:
    """The value at a path; None inside an optional value that isn't there.

    >>> from models.scenario.scenario import Scenario
    >>> value_at(Scenario(name="x"), "policy.cpu_limit_pct")
    70.0
    """
    for name in path.split("."):
        if item is not None:
            item = getattr(item, name)
    return item


def with_value(item: ItemT, path: str, value: Any) -> ItemT:
    """The item with another value at a path. An optional value inside it comes into being with the
    first of its fields that is given, and goes with the last."""
    name, _, rest = path.partition(".")
    if rest:
        kind: Any = type(item)
        field, inner = fields_of(kind)[name], getattr(item, name)
        value = with_value(field.type() if inner is None else inner, rest, value)
        if field.is_optional and value == field.type():
            value = None
    change: dict[str, Any] = {name: value}
    return replace(item, **change)  # type: ignore[type-var]

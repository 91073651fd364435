"""The scenario file as types, made from the fields of `scenario.scenario`, and its JSON Schema.

A file has to say what the class has no default for, and what `is_needed`; of Domino workloads more
than of others. The `name` of an item may be left out.
"""

# Annotations are not postponed here: evaluating their texts costs the start several milliseconds.
from dataclasses import replace
from functools import reduce
from itertools import starmap
from operator import or_
from typing import Annotated, Any, Literal

from msgspec import NODEFAULT, Meta, Struct, defstruct, field

from models.base.fields import REQUIRED, Field, fields_of
from models.base.limits import LINE_LENGTH, LINE_PATTERN, TEXT_LENGTH, TEXT_PATTERN
from models.catalog.catalog import Array, Disk, Server
from models.scenario import scenario as model
from models.scenario.inputs import input_paths
from models.scenario.origin import Origin
from models.scenario.workloads import WORKLOADS, KindOfWork, WorkloadKind

FORMAT = "headroom-scenario"
VERSION = 1

_FILLED_IN = ("name", "admission")
"""What a file may leave out of an item, and its struct fills in."""


class _Wire(Struct, forbid_unknown_fields=True, kw_only=True):
    """Unknown keys are refused: they are slips of the pen, such as `ram_gb`."""


class _Marked(_Wire, kw_only=True):
    """What carries origins and pins; each kind says which fields they may speak of."""

    origins: dict[str, Origin] = {}
    pins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """The model holds a mapping that can't change."""
        self.origins = tuple(sorted(self.origins.items()))  # type: ignore[assignment]
        self.pins = tuple(sorted(self.pins))


class _Item(_Marked, kw_only=True):
    id: str
    name: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.name is None:
            self.name = self.id


class _Cluster(_Item, kw_only=True):
    admission: Any = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.admission is None:
            self.admission = Admission(policy=model.AdmissionPolicy.NONE)


# --- fields -------------------------------------------------------------------------------------

_Type = Any
"""A type as `msgspec` reads it, bounds and description among its annotations."""
_MANY: Any = tuple
_STRUCTS: dict[type, _Type] = {}


def _type(field: Field) -> _Type:
    """The type of a field in the file."""
    meaning = field.meaning or None
    said = Meta(description=meaning)
    if field.is_list:
        least = 1 if field.is_needed else None
        one = _one(field, None)
        many = Annotated[_MANY[one, ...], Meta(min_length=least, description=meaning)]
        return many | None if field.is_optional else many
    if field.type in (str, int, float) and not (field.ids or field.choices):
        bounded = _one(field, meaning)
        return bounded | None if field.is_optional else bounded
    one = _one(field, None)
    return Annotated[one | None if field.is_optional else one, said] if meaning else one


def _one(field: Field, meaning: str | None) -> _Type:
    """The type of a value, or of each of several."""
    if field.choices:
        return Literal[field.choices]
    if field.is_number:
        return Annotated[field.type, Meta(ge=field.ge, le=field.le, description=meaning)]
    if field.ids:
        return _line("An id.")
    if field.type is not str:
        return _STRUCTS.get(field.type, field.type)
    if field.text != "lines":
        return _line(meaning, least=1 if field.text == "name" else None)
    least = 1 if field.is_needed else None
    limits = Meta(min_length=least, max_length=TEXT_LENGTH, pattern=TEXT_PATTERN)
    return Annotated[str, limits, Meta(description=meaning)]


def _line(meaning: str | None, least: int | None = None) -> _Type:
    limits = Meta(min_length=least, max_length=LINE_LENGTH, pattern=LINE_PATTERN)
    return Annotated[str, limits, Meta(description=meaning)]


def _default(each: Field) -> Any:
    if each.default is REQUIRED or each.is_needed:
        return NODEFAULT
    if each.is_nested and not (each.is_optional or each.is_list):
        return field(default_factory=_STRUCTS[each.type])
    return each.default


# --- structs ------------------------------------------------------------------------------------

Members = list[tuple[str, _Type, Any]]


def members_of(kind: type, *needed: str) -> Members:
    """The fields of a class; the file has to say the `needed` ones whatever the class says."""
    return [
        (name, _type(each), NODEFAULT if name in needed else _default(each))
        for name, each in fields_of(kind).items()
    ]


def _struct(kind: type, members: Members, base: type[Struct]) -> _Type:
    doc = {"__doc__": kind.__doc__}
    return defstruct(kind.__name__, members, bases=(base,), namespace=doc, kw_only=True)


def _part(kind: type) -> _Type:
    """The struct of a value inside an item, or of one of a list, without origins and pins."""
    _STRUCTS[kind] = _struct(kind, members_of(kind), _Wire)
    return _STRUCTS[kind]


def part_of(kind: type) -> _Type:
    """The struct of a class of fields, and of the classes inside it, made when first asked for."""
    if kind not in _STRUCTS:
        for each in fields_of(kind).values():
            if each.is_nested:
                part_of(each.type)
        _part(kind)
    return _STRUCTS[kind]


def _marks(kind: type) -> Members:
    paths = list(input_paths(kind))
    one = Annotated[str, Meta(extra_json_schema={"enum": paths})]
    origins = Meta(
        description="Who gave a value, by the path of the field; not said of the others.",
        extra_json_schema={"propertyNames": {"enum": paths}},
    )
    pins = Meta(
        description="Paths of the fields that no automatic change may touch.",
        extra_json_schema={"uniqueItems": True},
    )
    return [
        ("origins", Annotated[dict[str, Origin], origins], field(default_factory=dict)),
        ("pins", Annotated[_MANY[one, ...], pins], ()),
    ]


def _item(kind: type, base: type[_Item] = _Item) -> _Type:
    members = [
        (name, _type(replace(each, is_optional=True)), None)
        if name in _FILLED_IN
        else (name, _type(each), _default(each))
        for name, each in fields_of(kind).items()
    ]
    return _struct(kind, [*members, *_marks(kind)], base)


def _workload(kind: WorkloadKind, work: KindOfWork) -> _Type:
    """The struct of a workload of this kind: the word in `kind` tells them apart."""
    members = [each for each in members_of(model.Workload, *work.required) if each[0] != "kind"]
    return defstruct(
        kind.value.title().replace("-", ""),
        members,
        bases=(_Wire,),
        namespace={"__doc__": work.described, "kind": kind},
        tag_field="kind",
        tag=kind.value,
        kw_only=True,
    )


Policy = _part(model.Policy)
Assumptions = _part(model.Assumptions)
Growth = _part(model.Growth)
Maintenance = _part(model.Maintenance)
Admission = _part(model.Admission)
Affinity = _part(model.Affinity)
Waiver = _part(model.Waiver)
ImportNote = _part(model.ImportNote)
DataCenter = _part(model.DataCenter)
_STRUCTS[model.Workload] = reduce(or_, starmap(_workload, WORKLOADS.items()))
Cluster = _item(model.Cluster, _Cluster)
Host = _item(model.Host)
Pool = _item(model.Pool)
Vm = _item(model.Vm)


class Header(Struct):
    """What tells a scenario file from any other JSON; looked at before the rest."""

    format: object = None
    version: object = None


OwnCatalog = defstruct(
    "OwnCatalog",
    [
        (kind, Annotated[_MANY[entry, ...], Meta(description="Entries by their own ids.")], ())
        for kind, entry in (("servers", Server), ("arrays", Array), ("disks", Disk))
    ],
    bases=(_Wire,),
    namespace={"__doc__": "Entries that the shipped catalog lacks, and the scenario names."},
    kw_only=True,
)
_LISTS: Members = [
    ("hosts", _MANY[Host, ...], NODEFAULT),
    ("pools", _MANY[Pool, ...], NODEFAULT),
    ("vms", _MANY[Vm, ...], NODEFAULT),
    ("clusters", _MANY[Cluster, ...], ()),
    ("affinity", _MANY[Affinity, ...], ()),
    ("waivers", _MANY[Waiver, ...], ()),
    ("import_notes", _MANY[ImportNote, ...], ()),
    ("sites", _MANY[DataCenter, ...], ()),
]
Document = defstruct(
    "Document",
    [
        ("format", Literal["headroom-scenario"]),
        ("version", Literal[1]),
        *members_of(model.Scenario),
        *_LISTS,
        ("catalog", OwnCatalog, field(default_factory=OwnCatalog)),
        *_marks(model.Scenario),
    ],
    bases=(_Marked,),
    namespace={"__doc__": "A scenario file of Headroom, version 1."},
    kw_only=True,
)

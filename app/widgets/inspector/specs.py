"""What the inspector can edit, as a table of values: one entry a field, no widgets.

A spec knows how to read its value from an item, how to put another one in, and the words for the
step. Items are `Vm`, `Host`, `Pool`, `Cluster`, or the `Scenario` itself for the policy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from app.language import lowered, tr
from app.widgets.fields import Choice
from models.catalog import Catalog
from models.lettering import set_apart
from models.limits import LIMITS, Limit
from models.scenario import (
    Admission,
    Assumptions,
    Cluster,
    Host,
    Policy,
    Pool,
    Scenario,
    Vm,
    Workload,
)
from models.wording import THIN, Style, exact_text

Subject = Vm | Host | Pool | Cluster | Scenario
Get = Callable[[Any], Any]
Put = Callable[[Any, Any], Any]
Offers = Callable[[Scenario, Catalog], Sequence[Choice]]


FREE = Limit()
"""No bounds."""


def always(_item: Any) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """One field.

    Attributes:
        name: unique within its kind of item.
        path: of the input inside the item; empty for what is no input, such as notes.
        label: beside the field; `noun`: in the name of the step.
        applies: whether the field means something for an item.
        hint: tool tip.
    """

    name: str
    path: str
    label: str
    noun: str
    get: Get
    put: Put
    applies: Callable[[Any], bool] = always
    hint: str = ""

    def put_into(self, scenario: Scenario, item: Any, value: Any) -> Scenario:
        """The scenario with the value put into its item."""
        changed = self.put(item, value)
        return changed if isinstance(changed, Scenario) else scenario.with_item(changed)

    def words(self, value: Any, style: Style, choices: Sequence[Choice] = ()) -> str:
        """The value in the name of the step."""
        return str(value) if value not in (None, "") else tr("nothing")

    def step_text(self, who: str, value: Any, style: Style, choices: Sequence[Choice] = ()) -> str:
        """``Set Mail-01 active users to 4,500``."""
        subject = f"{who} {self.noun}".strip()
        return tr(
            "Set {subject} to {words}", subject=subject, words=self.words(value, style, choices)
        )


@dataclass(frozen=True, slots=True)
class Slide:
    """A slider beside a number: smallest difference, and end of the range for small numbers."""

    grain: float
    least_top: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberSpec(Spec):
    """A number; `scale` is from the model's unit to the shown one."""

    unit: str = ""
    step: float = 1.0
    whole: bool = False
    scale: float = 1.0
    optional: bool = False
    empty: str = ""
    limit: Limit = FREE
    slide: Slide | None = None

    def words(self, value: Any, style: Style, choices: Sequence[Choice] = ()) -> str:
        if value is None:
            return self.empty or tr("nothing")
        text = exact_text(value * self.scale, style=style)
        return f"{text}{THIN}{self.unit}" if self.unit not in ("", tr("users")) else text

    def kept(self, value: Any) -> Any:
        """The value as the model's type holds it."""
        return int(value) if self.whole and value is not None else value


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceSpec(Spec):
    """One of several, offered from scenario and catalog."""

    offers: Offers
    empty: str = ""

    def words(self, value: Any, style: Style, choices: Sequence[Choice] = ()) -> str:
        return next((c.text for c in choices if c.value == value), str(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralSpec(Spec):
    """Several of what the scenario has, the items themselves left out; a tuple of ids."""

    offers: Offers
    empty: str = ""

    def words(self, value: Any, style: Style, choices: Sequence[Choice] = ()) -> str:
        names = {choice.value: choice.text for choice in choices}
        return (
            ", ".join(set_apart(names.get(each, str(each))) for each in value)
            or self.empty
            or tr("nothing")
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnersSpec(SeveralSpec):
    """The other members of a VM's Domino cluster; they name the VM in turn."""

    def put_into(self, scenario: Scenario, item: Any, value: Any) -> Scenario:
        return scenario.partnered(item.id, value)


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagSpec(Spec):
    """Yes or no."""

    def step_text(self, who: str, value: Any, style: Style, choices: Sequence[Choice] = ()) -> str:
        if value:
            return tr("Switch {noun} of {who} on", noun=self.noun, who=who)
        return tr("Switch {noun} of {who} off", noun=self.noun, who=who)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSpec(Spec):
    """A line of text, or several when `lines`; `optional` text is None when empty."""

    lines: bool = False
    optional: bool = False
    empty: str = ""
    suggest: Callable[[Scenario], Sequence[str]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Fields under one heading; `folded` ones open on demand."""

    title: str
    specs: tuple[Spec, ...]
    folded: bool = False


# --- how to reach a value ---------------------------------------------------------------------


def _own(name: str) -> tuple[Get, Put]:
    def get(item: Any) -> Any:
        return getattr(item, name)

    def put(item: Any, value: Any) -> Any:
        return replace(item, **{name: value})

    return get, put


def _inner(part: str, name: str) -> tuple[Get, Put]:
    def get(item: Any) -> Any:
        return getattr(getattr(item, part), name)

    def put(item: Any, value: Any) -> Any:
        return replace(item, **{part: replace(getattr(item, part), **{name: value})})

    return get, put


_PARTS: Mapping[type, str] = {
    Workload: "workload",
    Admission: "admission",
    Policy: "policy",
    Assumptions: "assumptions",
}


def _reach(cls: type, name: str, label: str, more: dict[str, Any]) -> dict[str, Any]:
    """What every spec says of a field of `cls`, reached through the item that holds it."""
    part = _PARTS.get(cls)
    get, put = _own(name) if part is None else _inner(part, name)
    path = name if part is None else f"{part}.{name}"
    return {
        "name": name,
        "path": path if cls is not Scenario else "",
        "label": label,
        "noun": more.pop("noun", lowered(label)),
        "get": get,
        "put": put,
    }


def number_spec(cls: type, name: str, label: str, **more: Any) -> NumberSpec:
    limit = LIMITS[cls].get(name, Limit())
    return NumberSpec(**_reach(cls, name, label, more), limit=limit, **more)


def choice_spec(cls: type, name: str, label: str, offers: Offers, **more: Any) -> ChoiceSpec:
    return ChoiceSpec(**_reach(cls, name, label, more), offers=offers, **more)


def several_spec(cls: type, name: str, label: str, offers: Offers, **more: Any) -> SeveralSpec:
    return SeveralSpec(**_reach(cls, name, label, more), offers=offers, **more)


def partners_spec(label: str, **more: Any) -> PartnersSpec:
    reach = _reach(Vm, "cluster_partners", label, more)
    return PartnersSpec(**reach, offers=from_scenario("vms"), **more)


def list_spec(cls: type, name: str, label: str, **more: Any) -> TextSpec:
    """Names in a line, with commas between them."""
    reach = _reach(cls, name, label, more)
    get, put = reach["get"], reach["put"]
    reach["get"] = lambda item: ", ".join(get(item))
    reach["put"] = lambda item, text: put(item, _listed(text))
    return TextSpec(**reach, **more)


def _listed(text: str | None) -> tuple[str, ...]:
    """The names between the commas, each once.

    >>> _listed("rack 1, site A,, rack 1")
    ('rack 1', 'site A')
    """
    return tuple(dict.fromkeys(name for part in (text or "").split(",") if (name := part.strip())))


def flag_spec(cls: type, name: str, label: str, **more: Any) -> FlagSpec:
    return FlagSpec(**_reach(cls, name, label, more), **more)


def text_spec(cls: type, name: str, label: str, **more: Any) -> TextSpec:
    return TextSpec(**_reach(cls, name, label, more), **more)


# --- what can be chosen -----------------------------------------------------------------------


def fixed(words: Mapping[Any, str]) -> Offers:
    choices = tuple(Choice(value, text) for value, text in words.items())

    def offers(scenario: Scenario, catalog: Catalog) -> Sequence[Choice]:
        return choices

    return offers


def of_enum(kind: type[Enum], words: Mapping[Any, str] | None = None) -> Offers:
    return fixed(
        {member: (words or {}).get(member, str(member.value).replace("-", " ")) for member in kind}
    )


def from_catalog(name: str) -> Offers:
    def offers(scenario: Scenario, catalog: Catalog) -> Sequence[Choice]:
        entries = getattr(catalog, name).values()
        return tuple(Choice(e.id, e.name) for e in sorted(entries, key=_shelf))

    return offers


def _shelf(entry: Any) -> tuple[Any, ...]:
    """Order in lists: hypervisors by release, the rest by name."""
    return (getattr(entry, "version", ()), entry.name.casefold())


def from_scenario(name: str, none: str = "") -> Offers:
    def offers(scenario: Scenario, catalog: Catalog) -> Sequence[Choice]:
        items = tuple(Choice(item.id, item.name) for item in getattr(scenario, name))
        return (Choice(None, none), *items) if none else items

    return offers


def raid_levels(scenario: Scenario, catalog: Catalog) -> Sequence[Choice]:
    return tuple(Choice(level.id, level.name) for level in catalog.raid_levels.values())


def groups(scenario: Scenario) -> Sequence[str]:
    """Groups that VMs are in already."""
    return sorted({group for vm in scenario.vms for group in vm.groups})


def failure_groups(scenario: Scenario) -> Sequence[str]:
    return sorted({host.failure_group for host in scenario.hosts if host.failure_group})


def luns(scenario: Scenario) -> Sequence[str]:
    return sorted({vm.lun for vm in scenario.vms if vm.lun})


def releases(scenario: Scenario) -> Sequence[str]:
    known = {vm.workload.release for vm in scenario.vms if vm.workload.release}
    return sorted(known | {"7.0.2", "8.5.1"})

"""How the fields of `models.scenario` are edited in the inspector; no widgets.

A spec knows how to read its value from an item, how to put another one in, and the words for the
step. Items are `Vm`, `Host`, `Pool`, `Cluster`, or the `Scenario` itself for the policy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from app.language import local, tr
from app.widgets.fields.choice import Choice
from models.catalog import Catalog, RaidLevel
from models.field_values import choice_words, entry_name
from models.fields import SCENARIO_LISTS, Field, field_at, value_at, with_value
from models.inputs import MEASURED_ALONG, applies
from models.lettering import set_apart
from models.limits import Limit
from models.scenario import Cluster, Host, Pool, Scenario, Vm
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


# --- specs of the fields ------------------------------------------------------------------------


def spec_of(kind: type, path: str) -> Spec:
    """How the field at a path of an item is edited."""
    field = field_at(kind, path)
    common: dict[str, Any] = {
        # Names of what is measured stand beside those of what is asked for.
        "name": path if path.startswith(MEASURED_ALONG) else field.name,
        "path": path if field.is_input else "",
        "label": local(field.title),
        "noun": local(field.deed or field.label),
        "get": partial(value_at, path=path),
        "put": partial(_put, path),
        "applies": lambda item: (
            not field.is_input or path.startswith("observed.") or applies(item, path)
        ),
        "hint": local(field.hint),
    }
    empty = local(field.empty)
    if field.is_list and (field.ids or field.is_word):
        several = PartnersSpec if path == "cluster_partners" else SeveralSpec
        return several(**common, empty=empty, offers=_offers(field))
    if field.is_list:
        common["get"] = lambda item: ", ".join(value_at(item, path))
        common["put"] = lambda item, text: with_value(item, path, _listed(text))
    if field.type is bool and not field.is_optional:
        return FlagSpec(**common)
    if field.ids or field.choices or field.is_word or field.type is bool:
        return ChoiceSpec(**common, offers=_offers(field))
    if field.is_number:
        return NumberSpec(
            **common,
            unit="%" if field.is_share else local(field.unit),
            step=field.step,
            whole=field.is_whole,
            scale=100.0 if field.is_share else 1.0,
            optional=field.is_optional,
            empty=empty,
            limit=field.limit,
            slide=Slide(*field.slide) if field.slide else None,
        )
    offers_texts = kind is not Scenario and not field.is_list
    return TextSpec(
        **common,
        lines=field.text == "lines",
        optional=field.is_optional,
        empty=empty,
        suggest=partial(_texts, kind, path, field.suggests) if offers_texts else None,
    )


def _put(path: str, item: Any, value: Any) -> Any:
    return with_value(item, path, value)


def _listed(text: str | None) -> tuple[str, ...]:
    """The names between the commas, each once.

    >>> _listed("rack 1, site A,, rack 1")
    ('rack 1', 'site A')
    """
    return tuple(dict.fromkeys(name for part in (text or "").split(",") if (name := part.strip())))


def _offers(field: Field) -> Offers:
    """What can be chosen, nothing first where that is a choice."""
    none = (Choice(None, local(field.empty)),) if field.is_optional else ()

    def words(scenario: Scenario, catalog: Catalog) -> Sequence[Choice]:
        return (*none, *(Choice(each, local(choice_words(each))) for each in field.type))

    def numbers(scenario: Scenario, catalog: Catalog) -> Sequence[Choice]:
        unit = local(field.unit)
        return (*none, *(Choice(each, f"{each} {unit}".strip()) for each in field.choices))

    def either(scenario: Scenario, catalog: Catalog) -> Sequence[Choice]:
        return (*none, Choice(True, tr("yes")), Choice(False, tr("no")))

    def items(scenario: Scenario, catalog: Catalog) -> Sequence[Choice]:
        return (*none, *(Choice(each.id, each.name) for each in getattr(scenario, field.ids)))

    def entries(scenario: Scenario, catalog: Catalog) -> Sequence[Choice]:
        found = getattr(catalog, field.ids).values()
        return (
            *none,
            *(Choice(each.id, local(entry_name(each))) for each in sorted(found, key=_shelf)),
        )

    if field.choices:
        return numbers
    if field.type is bool:
        return either
    if not field.ids:
        return words
    return items if field.ids in SCENARIO_LISTS else entries


def _shelf(entry: Any) -> tuple[Any, ...]:
    """Order in lists: hypervisors by release, RAID levels as in the catalog, the rest by name."""
    if isinstance(entry, RaidLevel):
        return ()
    return (getattr(entry, "version", ()), entry.name.casefold())


def _texts(kind: type, path: str, more: Sequence[str], scenario: Scenario) -> Sequence[str]:
    """What items of the scenario have there already."""
    found = {value_at(item, path) for item in scenario.items() if isinstance(item, kind)}
    return sorted({*found, *more} - {None, ""})

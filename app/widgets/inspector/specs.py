"""How the fields of `models.scenario.scenario` are edited in the inspector; no widgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from app.language import local, tr
from app.widgets.fields.choice import Choice
from models.base.fields import SCENARIO_LISTS, Field, field_at, value_at, with_value
from models.base.lettering import set_apart
from models.catalog.catalog import Catalog, RaidLevel
from models.catalog.field_values import choice_words, entry_name
from models.scenario.inputs import OF_SOME_POOLS, applies
from models.scenario.places import site_names, with_site
from models.scenario.scenario import Cluster, Host, Pool, Scenario, Vm
from models.scenario.wording import THIN, Style, exact_text

Subject = Vm | Host | Pool | Cluster | Scenario


class Form(Enum):
    """What kind of editor a field has."""

    NUMBER = auto()
    CHOICE = auto()
    SEVERAL = auto()
    FLAG = auto()
    TEXT = auto()


@dataclass(frozen=True, slots=True)
class Spec:
    """A field of a kind of item: `Vm`, `Host`, `Pool`, `Cluster`, or `Scenario` for the policy.

    Attributes:
        at: its path inside the item, by which it is known: other paths may end in the same name.
    """

    kind: type
    at: str

    @property
    def field(self) -> Field:
        return field_at(self.kind, self.at)

    @property
    def form(self) -> Form:
        field = self.field
        if field.is_list:
            return Form.SEVERAL if field.ids or field.is_word else Form.TEXT
        if field.type is bool and not field.is_optional:
            return Form.FLAG
        if field.ids or field.choices or field.is_word or field.type is bool:
            return Form.CHOICE
        return Form.NUMBER if field.is_number else Form.TEXT

    @property
    def path(self) -> str:
        """Of the input inside the item; empty for what is no input, such as notes."""
        return self.at if self.field.is_input else ""

    @property
    def label(self) -> str:
        """Beside the field."""
        return local(self.field.title)

    @property
    def noun(self) -> str:
        """In the name of the step."""
        return local(self.field.deed or self.field.label)

    @property
    def empty(self) -> str:
        return local(self.field.empty)

    @property
    def unit(self) -> str:
        """As it is shown; empty of what is no number."""
        shown = "%" if self.field.is_share else local(self.field.unit)
        return shown if self.form is Form.NUMBER else ""

    @property
    def scale(self) -> float:
        """From the model's unit to the shown one."""
        return 100.0 if self.field.is_share else 1.0

    def applies(self, item: Any) -> bool:
        """Whether the field means something for an item."""
        is_any = not self.field.is_input or self.at.startswith("observed.")
        is_any |= isinstance(item, Pool) and self.at in OF_SOME_POOLS
        return is_any or applies(item, self.at)

    def get(self, item: Any) -> Any:
        value = value_at(item, self.at)
        return ", ".join(value) if self.form is Form.TEXT and self.field.is_list else value

    @property
    def is_place(self) -> bool:
        """Whether it is the site of something, which people know by its name."""
        return self.at == "site" and self.kind in (Host, Cluster)

    def shown(self, item: Any, scenario: Scenario) -> Any:
        """The value as its editor takes it."""
        value = self.get(item)
        return site_names(scenario).get(value) if self.is_place else value

    def put(self, item: Any, value: Any) -> Any:
        if self.form is Form.TEXT and self.field.is_list:
            value = _listed(value)
        return with_value(item, self.at, value)

    def put_into(self, scenario: Scenario, item: Any, value: Any) -> Scenario:
        """The scenario with the value put into its item; partners name one another."""
        if self.at == "cluster_partners":
            return scenario.partnered(item.id, value)
        if self.is_place:
            return with_site(scenario, item, value)
        changed = self.put(item, value)
        return changed if isinstance(changed, Scenario) else scenario.with_item(changed)

    def kept(self, value: Any) -> Any:
        """What was entered, as the model's type holds it."""
        if self.form is Form.NUMBER and self.field.is_whole and value is not None:
            return int(value)
        is_unsaid = self.form is Form.TEXT and self.field.is_optional and not value
        return None if is_unsaid else value

    def words(self, value: Any, style: Style, choices: Sequence[Choice] = ()) -> str:
        """The value in the name of the step."""
        names = {choice.value: choice.text for choice in choices}
        if self.form is Form.CHOICE:
            return names.get(value, str(value))
        if self.form is Form.SEVERAL:
            several = ", ".join(set_apart(names.get(each, str(each))) for each in value)
            return several or self.empty or tr("nothing")
        if self.form is Form.NUMBER and value is not None:
            text = exact_text(value * self.scale, style=style)
            return f"{text}{THIN}{self.unit}" if self.unit not in ("", tr("users")) else text
        nothing = (self.form is Form.NUMBER and self.empty) or tr("nothing")
        return str(value) if value not in (None, "") else nothing

    def step_text(self, who: str, value: Any, style: Style, choices: Sequence[Choice] = ()) -> str:
        """``Set Mail-01 active users to 4,500``."""
        if self.form is Form.FLAG:
            if value:
                return tr("Switch {noun} of {who} on", noun=self.noun, who=who)
            return tr("Switch {noun} of {who} off", noun=self.noun, who=who)
        subject = f"{who} {self.noun}".strip()
        return tr(
            "Set {subject} to {words}", subject=subject, words=self.words(value, style, choices)
        )

    def offers(self, scenario: Scenario, catalog: Catalog) -> tuple[Choice, ...]:
        """What can be chosen, nothing first where that is a choice."""
        field = self.field
        none = (Choice(None, self.empty),) if field.is_optional else ()
        if field.choices:
            unit = local(field.unit)
            return (*none, *(Choice(each, f"{each} {unit}".strip()) for each in field.choices))
        if field.type is bool:
            return (*none, Choice(True, tr("yes")), Choice(False, tr("no")))
        if not field.ids:
            return (*none, *(Choice(each, local(choice_words(each))) for each in field.type))
        if field.ids in SCENARIO_LISTS:
            return (*none, *(Choice(each.id, each.name) for each in getattr(scenario, field.ids)))
        entries = sorted(getattr(catalog, field.ids).values(), key=_shelf)
        return (*none, *(Choice(each.id, local(entry_name(each))) for each in entries))

    @property
    def suggests(self) -> bool:
        """Whether texts are offered."""
        return self.form is Form.TEXT and self.kind is not Scenario and not self.field.is_list

    def texts(self, scenario: Scenario) -> list[str]:
        """What items of the scenario have there already, and what is offered beside it."""
        if self.is_place:
            return sorted(site_names(scenario).values())
        found = {value_at(item, self.at) for item in scenario.items() if type(item) is self.kind}
        return sorted({*found, *self.field.suggests} - {None, ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Fields under one heading; `folded` ones open on demand."""

    title: str
    specs: tuple[Spec, ...]
    folded: bool = False


def _listed(text: str | None) -> tuple[str, ...]:
    """The names between the commas, each once.

    >>> _listed("rack 1, site A,, rack 1")
    ('rack 1', 'site A')
    """
    return tuple(dict.fromkeys(name for part in (text or "").split(",") if (name := part.strip())))


def _shelf(entry: Any) -> tuple[Any, ...]:
    """Order in lists: hypervisors by release, RAID levels as in the catalog, the rest by name."""
    if isinstance(entry, RaidLevel):
        return ()
    return (getattr(entry, "version", ()), entry.name.casefold())

"""A comparison in words: what stands in each cell, and the change beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from models.base.quantities import Quantity
from models.base.texts import joined, opening, say, say_many
from models.catalog.catalog import Catalog
from models.catalog.field_values import NOT_SAID, value_words
from models.comparison.compare import ABSENT, Comparison, Difference, Group
from models.predict.predicted import FAILURE
from models.scenario.inputs import KINDS_BY_NUMBER
from models.scenario.scenario import Affinity, Cluster, Host, Pool, Scenario, Vm
from models.scenario.wording import (
    AT_LEAST,
    AT_MOST,
    ENGLISH,
    NO_DATA_TEXT,
    Style,
    counted,
    number,
    predicted_text,
    signed,
    with_unit,
)

CHANGED = say("changed")
"""Of words that differ; these speak for themselves where both can be seen."""

KINDS: Mapping[type, str] = {
    Cluster: say("cluster"),
    Host: say("host"),
    Pool: say("pool"),
    Vm: "VM",
    Affinity: say("rule"),
}


@dataclass(frozen=True, slots=True)
class Words:
    """What is needed to write a comparison: names of catalog entries, and the locale's marks."""

    comparison: Comparison
    catalog: Catalog
    style: Style = ENGLISH

    def subject(self, row: Difference) -> str:
        """``Mail-01``, by the first of the scenarios that has it; empty for the scenario."""
        return self._name(row.subject)

    def _name(self, id: str) -> str:
        for side in self.comparison.sides:
            for item in side.scenario.items():
                if item.id == id:
                    return item.name
        return id

    def _items(self, row: Difference) -> str:
        """``20 hosts (esx1 … esx20)``; of two or three the names."""
        names = [self._name(id) for id in (row.alike[:3] if row.alike[3:] else row.alike)]
        if not row.alike[3:]:
            return joined(", ", names)
        what = counted(row.kind, len(row.alike))
        ends = joined(" … ", (names[0], self._name(row.alike[-1])))
        return say("{what} ({ends})", what=what, ends=ends)

    def label(self, row: Difference) -> str:
        """``esx1: RAM``; of a finding its sentence."""
        if row.group is Group.FINDINGS:
            return row.label
        if row.alike:
            who = self._items(row)
            return joined(": ", (who, row.label)) if row.field else who
        who = self.subject(row)
        if not row.field:
            return joined(" ", (KINDS.get(row.kind, row.kind.__name__.lower()), who))
        return joined(": ", (who, row.label)) if who else _capital(row.label)

    def value(self, row: Difference, column: int) -> str:
        """What a scenario has there."""
        value = row.values[column]
        if value is ABSENT:
            return "\N{EN DASH}"
        if not row.field:
            return self._described(value)
        if row.group is Group.FINDINGS:
            return say("found") if value else "\N{EN DASH}"
        if row.decimals is None:
            return self._word(row, value, self.comparison.sides[column].scenario)
        return self._number(row, value, row.decimals[column])

    def change(self, row: Difference, column: int) -> str:
        """The change against the column's reference: ``+16 GiB``, ``added``, ``no data before``.

        Empty where nothing changes or there is nothing to compare with; words that merely differ
        speak for themselves.
        """
        reference = self.comparison.references[column]
        if reference is None or not row.differs(column, reference):
            return ""
        here, there = row.values[column], row.values[reference]
        if there is ABSENT or here is ABSENT:
            return say("added") if there is ABSENT else say("removed")
        if row.group is Group.FINDINGS:
            return say("new") if here else say("gone")
        found = row.change_and_decimals(column, reference)
        if found is None or row.field in KINDS_BY_NUMBER:
            return CHANGED
        change, decimals = found
        return with_unit(signed(change, decimals, style=self.style), _step(row.unit))

    def _number(self, row: Difference, value: Any, decimals: int) -> str:
        if isinstance(value, str):
            return value
        found = value.value if isinstance(value, Quantity) else value
        if found is None:
            return NO_DATA_TEXT if isinstance(value, Quantity) else NOT_SAID
        if not isinstance(value, Quantity):
            return with_unit(number(found, decimals, style=self.style), row.unit)
        text = with_unit(predicted_text(found, decimals, style=self.style), row.unit)
        if not value.at_least:
            return text
        return joined(" ", (AT_MOST if row.field == FAILURE else AT_LEAST, text))

    def _word(self, row: Difference, value: Any, scenario: Scenario) -> str:
        name_of = partial(_name_of, scenario)
        return value_words(row.kind, row.field, value, catalog=self.catalog, name_of=name_of)

    def _described(self, item: Any) -> str:
        """An item in a few words, for a scenario that has it where another has not."""
        style = self.style
        if isinstance(item, Host):
            server = self.catalog.servers.get(item.server)
            name = server.name if server is not None else item.server
            return joined(", ", (name, with_unit(number(item.ram_gib, style=style), "GiB")))
        if isinstance(item, Pool):
            disk = self.catalog.disks.get(item.disk)
            return f"{item.spindles} × {disk.name if disk is not None else item.disk}"
        if isinstance(item, Vm):
            users = number(item.workload.active_users, style=style)
            shape = say_many(
                "{count} vCPU, {ram_gib}\u202fGiB",
                "{count} vCPUs, {ram_gib}\u202fGiB",
                item.vcpus,
                ram_gib=number(item.ram_gib, 1, style=style),
            )
            return (
                joined(", ", (shape, with_unit(users, "users")))
                if item.workload.active_users
                else shape
            )
        return say("there")


def _capital(words: str) -> str:
    """As a line begins; ``vCPUs`` stays what it is."""
    return words if words[1:2].isupper() else opening(words)


def _step(unit: str) -> str:
    """The unit of a difference: per cents differ by points."""
    return "points" if unit == "%" else unit


def _name_of(scenario: Scenario, id: str) -> str:
    return next((item.name for item in scenario.items() if item.id == id), id)

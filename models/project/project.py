"""A project: several scenarios, which one is the baseline, and the user's own catalog entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from models.base.errors import ModelError
from models.base.lettering import is_seen
from models.base.limits import LINE_LENGTH, check_line, fitting
from models.base.texts import say
from models.catalog.catalog import Catalog
from models.scenario.scenario import Scenario

STATED, ADVICE, MEETING, SIGNED = "stated", "advice", "meeting", "signed"
"""Kinds of records: numbers as they were saved or signed, inputs of an advisor, what was changed
before a customer, whole proposals as they were exported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Something kept beside a scenario that no prediction reads: JSON that its kind makes sense of.

    Kinds are `STATED`, `ADVICE`, `MEETING`, `SIGNED`, and ``score`` (measured after going live).
    """

    kind: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A scenario in a project.

    Attributes:
        id: stable within the project, whatever the scenario is called.
        parent: id of the entry it was duplicated from.
        records: what is kept beside it, oldest first; a duplicate begins without.
    """

    id: str
    scenario: Scenario
    parent: str | None = None
    records: tuple[Record, ...] = ()

    def records_of(self, kind: str) -> tuple[Record, ...]:
        return tuple(each for each in self.records if each.kind == kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """What one file holds: one or more entries, the one in view, and the baseline.

    `own_catalog` holds the entries the user made; `used_catalog` the rows that the scenarios used
    when they were saved, so that an old proposal stays reproducible.
    """

    entries: tuple[Entry, ...]
    active: str
    baseline: str | None = None
    own_catalog: Catalog = field(default_factory=Catalog)
    used_catalog: Catalog = field(default_factory=Catalog)

    @classmethod
    def of(cls, scenario: Scenario) -> Project:
        """A new project with this one scenario."""
        return cls(entries=(Entry(id="s1", scenario=scenario),), active="s1")

    @property
    def scenario(self) -> Scenario:
        """The scenario in view."""
        return self.entry(self.active).scenario

    def entry(self, id: str) -> Entry:
        for entry in self.entries:
            if entry.id == id:
                return entry
        raise ModelError(say("there is no scenario “{id}” in the project", id=id))

    def default_entry(self, name: str | None = None) -> Entry:
        """The entry whose scenario is called `name`; without a name the baseline, else the first.

        Raises:
            ModelError: no scenario has that name.
        """
        if name is None:
            return self.entry(self.baseline) if self.baseline else self.entries[0]
        for entry in self.entries:
            if entry.scenario.name == name:
                return entry
        raise ModelError(say("there is no scenario called “{name}” in the project", name=name))

    def with_scenario(self, scenario: Scenario) -> Project:
        """The project with `scenario` in place of the one in view."""
        return replace(
            self,
            entries=tuple(
                replace(e, scenario=scenario) if e.id == self.active else e for e in self.entries
            ),
        )

    def with_records(self, id: str, kind: str, contents: Iterable[str]) -> Project:
        """The project with these records of a kind beside a scenario, in place of those there."""
        entry = self.entry(id)
        kept = tuple(each for each in entry.records if each.kind != kind)
        new = tuple(Record(kind=kind, content=content) for content in contents)
        changed = replace(entry, records=(*kept, *new))
        return replace(self, entries=tuple(changed if e.id == id else e for e in self.entries))

    def show(self, id: str) -> Project:
        self.entry(id)
        return replace(self, active=id)

    def added(self, scenario: Scenario, *, parent: str | None = None) -> Project:
        """The project with one more scenario at the end, in view; its name is made unique."""
        id = self._fresh_id()
        names = {entry.scenario.name for entry in self.entries}
        scenario = replace(scenario, name=unique_name(scenario.name, names))
        entry = Entry(id=id, scenario=scenario, parent=parent)
        return replace(self, entries=(*self.entries, entry), active=id)

    def duplicated(self, id: str) -> Project:
        return self.added(self.entry(id).scenario, parent=id)

    def renamed(self, id: str, name: str) -> Project:
        """The project with the entry's scenario called `name`.

        Raises:
            ModelError: the name is empty, is no line, or another scenario has it.
        """
        name = name.strip()
        if not is_seen(name):
            raise ModelError(say("a scenario needs a name"))
        check_line(name, field="name")
        if any(e.scenario.name == name and e.id != id for e in self.entries):
            raise ModelError(say("another scenario is called “{name}”", name=name))
        entry = self.entry(id)
        changed = replace(entry, scenario=replace(entry.scenario, name=name))
        return replace(self, entries=tuple(changed if e.id == id else e for e in self.entries))

    def removed(self, id: str) -> Project:
        """The project without this entry; its neighbour comes into view.

        Raises:
            ModelError: it is the only one.
        """
        self.entry(id)
        if len(self.entries) == 1:
            raise ModelError(say("a project keeps at least one scenario"))
        index = [e.id for e in self.entries].index(id)
        entries = tuple(
            replace(e, parent=None) if e.parent == id else e for e in self.entries if e.id != id
        )
        active = entries[min(index, len(entries) - 1)].id if self.active == id else self.active
        baseline = None if self.baseline == id else self.baseline
        return replace(self, entries=entries, active=active, baseline=baseline)

    def with_baseline(self, id: str | None) -> Project:
        if id is not None:
            self.entry(id)
        return replace(self, baseline=id)

    def _fresh_id(self) -> str:
        taken = {entry.id for entry in self.entries}
        number = len(self.entries) + 1
        while f"s{number}" in taken:
            number += 1
        return f"s{number}"


def with_records_of(project: Project, other: Project, kind: str) -> Project:
    """The project with the records of a kind that another one has beside the same scenarios."""
    known = {entry.id: entry.records_of(kind) for entry in other.entries}
    for entry in project.entries:
        found = known.get(entry.id, ())
        if found and found != entry.records_of(kind):
            project = project.with_records(entry.id, kind, (each.content for each in found))
    return project


def unique_name(name: str, taken: set[str]) -> str:
    """`name`, or `name` and the smallest number from 2 that makes it new; a number of up to two
    digits at its end counts on where it counts already: after the same name without it, or after
    ``Scenario``.

    >>> unique_name("Mail", {"Mail", "Mail 2"}), unique_name("Mail 2", {"Mail", "Mail 2"})
    ('Mail 3', 'Mail 3')
    >>> unique_name("Scenario 9", {"Scenario 9"}), unique_name("vSphere 4", {"vSphere 4"})
    ('Scenario 10', 'vSphere 4 2')
    >>> unique_name("Scenario 2026", {"Scenario 2026"})
    'Scenario 2026 2'
    """
    if name not in taken:
        return name
    stem, _, digits = name.rpartition(" ")
    number = 2
    if digits.isdecimal() and len(digits) <= 2 and (stem in taken or stem == "Scenario"):
        name, number = stem, int(digits) + 1
    while (candidate := fitting(name, f" {number}")) in taken:
        number += 1
    return candidate


def copy_name(name: str, taken: set[str]) -> str:
    """A name for a duplicate: the number at the end counts on.

    >>> copy_name("Mail-02", {"Mail-02", "Mail-03"})
    'Mail-04'
    """
    stem = name.rstrip("0123456789")
    digits = name[len(stem) :]
    if not digits or len(digits) == LINE_LENGTH:
        return unique_name(name, taken)
    number = int(digits) + 1
    while (candidate := fitting(stem, f"{number:0{len(digits)}}")) in taken:
        number += 1
    return candidate

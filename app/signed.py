"""A proposal kept as it was exported, and made again from that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from app.calibrated import shipped_calibration
from app.exported import altered, read_kept, reads_as_then, template_gone
from app.language import language_of
from app.report.build import Print
from app.report.paper import Paper
from app.report.template import template_of
from app.stated import EXPORTED, stated_now
from db.codec import scenario_to_json
from db.errors import StoreError
from db.signed import all_signed, with_signed
from db.stated import contents_with
from models.base.errors import ModelError
from models.base.texts import joined, say
from models.catalog.catalog import Catalog
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.predict.prediction import Prediction
from models.project.catalog_use import used_rows
from models.project.project import ADVICE, MEETING, STATED, Entry, Project
from models.scenario.scenario import Scenario
from models.scenario.wording import first_of
from models.signing.signed import Signed, SignedScenario
from models.signing.stated import differences
from models.tell.blocks import Section
from models.tell.stated import what_changed


@dataclass(frozen=True, slots=True)
class Remade:
    """What it takes to make an exported proposal again.

    Attributes:
        project: its scenarios as they were, with what was beside them.
        catalog: the rows as they were.
        others: which numbers are others now, a section a scenario; none: all are as signed.
    """

    project: Project
    scenarios: tuple[tuple[Scenario, Prediction], ...]
    catalog: Catalog
    how: Print
    others: tuple[Section, ...]


def kept(
    entries: Sequence[Entry],
    predicted: Sequence[tuple[Scenario, Prediction]],
    catalog: Catalog,
    how: Print,
) -> Signed:
    """What is kept of a proposal.

    Args:
        entries: those that it is about, in its order.
        predicted: their scenarios as they were printed.
    """
    scenarios = tuple(
        SignedScenario(
            id=entry.id,
            file=scenario_to_json(scenario, used_rows((scenario,), catalog)).decode(),
            records=tuple(r for r in entry.records if r.kind in (ADVICE, MEETING)),
            stated=stated_now(scenario, prediction, EXPORTED, how.now),
        )
        for entry, (scenario, prediction) in zip(entries, predicted, strict=True)
    )
    return Signed(
        at=how.now.isoformat(),
        language=how.language.code,
        paper=how.paper.code,
        sections=how.sections,
        name=how.file,
        template="" if how.template is None else str(how.template.path),
        look=() if how.template is None else how.template.files,
        earlier=tuple(how.earlier.values()),
        book=None if how.book is None else replace(how.book, asked_on=None),
        scenarios=scenarios,
    )


def with_kept(project: Project, signed: Signed) -> Project:
    """The project that keeps it, and what was stated in it; a scenario that is gone keeps none."""
    there = {entry.id for entry in project.entries}
    for each in signed.scenarios:
        if each.id in there:
            contents = contents_with(project.entry(each.id), each.stated)
            project = project.with_records(each.id, STATED, contents)
    return with_signed(project, signed) if signed.scenarios[0].id in there else project


def signed_on(project: Project, day: str, names: Sequence[str], path: str) -> Signed:
    """The last exported proposal of a day that is about these scenarios.

    Args:
        day: ISO 8601, or its beginning; empty: any.
        names: of its scenarios; none: any.

    Raises:
        StoreError: there is none.
    """
    there = all_signed(project)
    found = [
        each
        for each in there
        if each.at.startswith(day) and (not names or set(names) == set(_names(each)))
    ]
    if found:
        return found[-1]
    if not there:
        raise StoreError(say("keeps no exported proposal"), path)
    offered = first_of([_about(each) for each in reversed(there)], MOST_OFFERED)
    raise StoreError(
        say("keeps no exported proposal like that; there are {offered}", offered=offered), path
    )


MOST_OFFERED = 5


def _about(signed: Signed) -> str:
    """``2026-03-07 09:05 (Bank, Bank 2)``."""
    day = signed.at[:16].replace("T", " ")
    return joined("", (day, " (", joined(", ", _names(signed)), ")"))


def _names(signed: Signed) -> Iterator[str]:
    for each in signed.scenarios:
        yield read_kept(each)[0].name


def remade(signed: Signed, shipped: Catalog, file: str = "") -> Remade:
    """The proposal as this program makes it again.

    Args:
        file: that it is kept in, for what is refused.

    Raises:
        StoreError: it isn't what was exported, or only the path of its template was kept; a
            scenario can't be read or predicted any more.
    """
    problem = next(altered(signed), None) or template_gone(signed)
    if problem:
        raise StoreError(problem, file or signed.name)
    entries, catalog = [], shipped
    for each in signed.scenarios:
        scenario, own = read_kept(each)
        catalog = catalog.merged(own)
        entries.append(Entry(id=each.id, scenario=scenario, records=each.records))
    project = Project(entries=tuple(entries), active=entries[0].id)
    found, others = [], []
    for entry, each in zip(entries, signed.scenarios, strict=True):
        try:
            prediction = evaluate(entry.scenario, Knowledge(catalog, shipped_calibration()))
        except ModelError as error:
            raise StoreError(error.reason, entry.scenario.name) from error
        found.append((entry.scenario, prediction))
        now_otherwise = tuple(differences(each.stated, prediction))
        if now_otherwise:
            are_same = reads_as_then(each.stated, entry.scenario)
            others.append(
                what_changed(entry.scenario.name, each.stated, now_otherwise, are_same=are_same)
            )
    how = replace(_how(signed, project), others=tuple(others))
    return Remade(project, tuple(found), catalog, how, tuple(others))


def _how(signed: Signed, project: Project) -> Print:
    how = Print(
        now=datetime.fromisoformat(signed.at),
        language=language_of(signed.language),
        file=signed.name,
        paper=Paper.named(signed.paper),
        sections=signed.sections,
        template=template_of(signed.look) if signed.look else None,
        book=signed.book,
    )
    return with_kept_beside(how, project.entries, signed.earlier)


def with_kept_beside(
    how: Print, entries: Sequence[Entry], earlier: Iterable[SignedScenario] = ()
) -> Print:
    """With what is kept beside these scenarios: meetings, and answers of advisors.

    Args:
        earlier: scenarios as proposals before had them, which this one says the changes since.
    """
    from app.cli_advise import notes_in
    from db.meeting import meetings_in

    meetings = {entry.scenario.name: tuple(meetings_in(entry)) for entry in entries}
    names = {entry.id: entry.scenario.name for entry in entries}
    return replace(
        how,
        meetings=meetings,
        notes=(*how.notes, *notes_in(entries)),
        earlier={names[each.id]: each for each in earlier if each.id in names},
    )

"""``report``: the sizing proposal of one or more scenarios of a file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.cli_advise import knowledge
from app.cli_evaluate import predicted
from app.cli_file import chosen, given, refusing
from app.exported import not_compared
from app.report.build import FORMS, Print, Report, report
from app.report.cap_sheets import cap_sheet_files
from app.signed import remade, signed_on, with_kept_beside
from app.since import last_kept
from db.atomic import check_writable, write_atomically
from db.errors import StoreError
from db.files import open_any
from models.base.texts import joined, say
from models.project.catalog_use import catalog_for
from models.project.project import Project
from models.proposal import COSTS, SECTIONS
from resources.catalog_files import load_catalog

CHANGES = "changes"
"""The section that says what was changed since an earlier proposal."""


def write_report(
    path: str, output: str, names: Sequence[str], how: Print, since: str | None = None
) -> str:
    """Write the proposal about the scenarios of these names, or the default one, in the form of
    the ending.

    Args:
        since: the day of the export to say the changes since, ISO 8601 or its beginning; empty: the
            last one; None: the last one, if there is any.

    Returns:
        what of it could not be printed as it was written; empty: nothing.

    Raises:
        StoreError: the file can't be read, a scenario isn't in it or can't exist, no proposal of
            that day is kept, or the proposal can't be written; then nothing is.
        ReportError: the proposal can't be typeset.
    """
    ending = _ending(output)
    project = open_any(path, load_catalog())
    if since is not None and how.sections and CHANGES not in how.sections:
        how = replace(how, sections=(*how.sections, CHANGES))
    found = project_report(project, names, ending, how, path=path, since=since)
    write_atomically(output, found.content)
    return found.notice


def write_cap_sheets(path: str, output: str, names: Sequence[str], how: Print) -> None:
    """Write the cap sheets of the servers of one scenario, the first of these names.

    Raises:
        StoreError: the file can't be read, or the sheets can't be written.
        ReportError: a page can't be typeset.
    """
    if Path(output).suffix.lower() != ".zip":
        raise StoreError(say("must end in {endings}", endings=".zip"), output)
    check_writable(output)
    of = given(path, names[0] if names else None)
    known = knowledge()
    with refusing(path):
        content = cap_sheet_files(
            of.scenario,
            replace(known, catalog=of.catalog),
            of.project.own_catalog,
            how.language,
            how.paper,
            how.now,
        )
    write_atomically(output, content)


def write_signed(path: str, output: str, day: str, names: Sequence[str]) -> tuple[str, bool]:
    """Write an exported proposal once more: as it was, as far as this program's model says the
    same; where it doesn't, the document says which numbers are others.

    Args:
        day: of the export, ISO 8601 or its beginning; empty: the last one.

    Returns:
        what of it could not be printed as it was written, and whether all numbers are as then.

    Raises:
        StoreError: the file can't be read, there is no such export, or it can't be written.
        ReportError: the proposal can't be typeset.
    """
    ending = _ending(output)
    shipped = load_catalog()
    project = open_any(path, shipped)
    signed = signed_on(project, day, names, path)
    again = remade(signed, catalog_for(project, shipped), path)
    found = report(again.scenarios, again.catalog, ending, again.how)
    write_atomically(output, found.content)
    told = filter(None, (not_compared(signed), found.notice))
    return joined("; ", told), not again.others


def _ending(output: str) -> str:
    """The form that a file's name asks for.

    Raises:
        StoreError: there is none, or it can't be written.
    """
    ending = Path(output).suffix.lower()
    if ending not in FORMS:
        raise StoreError(say("must end in {endings}", endings=joined(", ", FORMS)), output)
    check_writable(output)
    return ending


def chosen_sections(text: str, *, priced: bool = False) -> tuple[str, ...]:
    """The sections that somebody names, by id, and costs where prices are given; none: all.

    Raises:
        StoreError: there is no such section, or it is that of costs and there are no prices.
    """
    found = tuple(filter(None, (each.strip() for each in text.split(","))))
    for each in found:
        if each not in SECTIONS:
            offered = joined(", ", SECTIONS)
            raise StoreError(
                say("there is no section {id}; there are {offered}", id=each, offered=offered),
                "--sections",
            )
    if COSTS in found and not priced:
        raise StoreError(say("{id} needs --prices PRICES", id=COSTS), "--sections")
    return (*found, COSTS) if found and priced and COSTS not in found else found


def project_report(
    project: Project,
    names: Sequence[str],
    ending: str,
    how: Print,
    *,
    path: str,
    since: str | None = None,
) -> Report:
    """The proposal about scenarios of a project that was read from `path`.

    Args:
        since: as `write_report` has it.

    Raises:
        StoreError: a scenario isn't in it or can't exist, or no proposal of that day is kept.
        ReportError: the proposal can't be typeset.
    """
    catalog = catalog_for(project, load_catalog())
    entries = [chosen(project, name, path) for name in names] or [chosen(project, None, path)]
    scenarios = [entry.scenario for entry in entries]
    earlier = tuple(last_kept(project, [entry.id for entry in entries], since or ""))
    if since is not None and not earlier:
        raise StoreError(say("keeps no exported proposal like that"), path)
    # Bytes of the name that are no text can't stand on a page.
    file = os.fsencode(Path(path).name).decode(errors="replace")
    return report(
        [(scenario, predicted(scenario, catalog, path)) for scenario in scenarios],
        catalog,
        ending,
        with_kept_beside(replace(how, file=file), entries, earlier),
    )

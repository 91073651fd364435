"""``report``: the sizing proposal of one or more scenarios of a file, as PDF."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from app.cli_evaluate import chosen, predicted
from app.language import Language
from app.report import Report, report_pdf
from db.atomic import check_writable, write_atomically
from db.errors import StoreError
from db.files import open_any
from models.catalog_use import catalog_for
from models.project import Project
from models.texts import say
from resources.catalog_files import load_catalog

ENDING = ".pdf"


def write_report(path: str, output: str, names: Sequence[str], language: Language) -> str:
    """Write the proposal in a tongue about the scenarios of these names, or the default one.

    Returns:
        what of it could not be printed as it was written; empty: nothing.

    Raises:
        StoreError: the file can't be read, a scenario isn't in it or can't exist, or the PDF
            can't be written; then nothing is.
        ReportError: the proposal can't be typeset.
    """
    if Path(output).suffix.lower() != ENDING:
        raise StoreError(say("must end in {endings}", endings=ENDING), output)
    check_writable(output)
    project = open_any(path, load_catalog())
    report = project_pdf(project, names, language, path=path)
    write_atomically(output, report.pdf)
    return report.notice


def project_pdf(project: Project, names: Sequence[str], language: Language, *, path: str) -> Report:
    """The proposal as PDF about scenarios of a project that was read from `path`.

    Raises:
        StoreError: a scenario isn't in it or can't exist.
        ReportError: the proposal can't be typeset.
    """
    catalog = catalog_for(project, load_catalog())
    entries = [chosen(project, name, path) for name in names] or [chosen(project, None, path)]
    scenarios = [entry.scenario for entry in entries]
    return report_pdf(
        [(scenario, predicted(scenario, catalog, path)) for scenario in scenarios],
        catalog,
        # Bytes of the name that are no text can't stand on a page.
        file=os.fsencode(Path(path).name).decode(errors="replace"),
        now=datetime.now().astimezone(),
        language=language,
    )

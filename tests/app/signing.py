"""A project that keeps a proposal, and the commands that speak of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

from app import __version__
from app.calibrated import shipped_calibration
from app.cli import main
from app.language import language_of
from app.report.build import Print, report
from app.report.paper import Paper
from app.signed import kept, with_kept
from db.files import save_whole
from db.signed import with_signed
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.project.project import Project
from models.signing.signed import Signed
from resources.catalog_files import load_catalog
from tests.app.sessions import two_hosts

NOW = datetime(2026, 3, 7, 9, 5, 31, tzinfo=UTC)
HOW = Print(
    now=NOW,
    language=language_of("de"),
    file="old.headroom",
    paper=Paper.LETTER,
    sections=("summary", "numbers"),
)


def exported() -> tuple[Project, Signed, bytes]:
    """A project that keeps what it exported, and the bytes that the customer has."""
    project, catalog = Project.of(replace(two_hosts(), customer="Acme")), load_catalog()
    entry = project.entries[0]
    pairs = [(entry.scenario, evaluate(entry.scenario, Knowledge(catalog, shipped_calibration())))]
    signed = kept([entry], pairs, catalog, HOW)
    return with_kept(project, signed), signed, report(pairs, catalog, ".pdf", HOW).content


def older(project: Project, signed: Signed) -> Project:
    """The same as an older model said it."""
    (one,) = signed.scenarios
    numbers = {**one.stated.numbers, "hosts.cpu_pct": 12.0}
    then = replace(one, stated=replace(one.stated, model="1.18", numbers=numbers))
    emptied = project.with_records(project.active, "signed", ())
    return with_signed(emptied, replace(signed, scenarios=(then,)))


def saved(project: Project, path: Path) -> str:
    save_whole(path, project, load_catalog(), program_version=__version__)
    return str(path)


def run(*arguments: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    code = main(list(arguments), out, err, None)  # type: ignore[arg-type]
    return code, out.getvalue(), err.getvalue()

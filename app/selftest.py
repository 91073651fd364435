"""``--self-test``: every part of the program tried once, in the bundle as in a checkout."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TextIO

from app import __version__
from app.display import has_display
from app.report.typesetter import ReportError
from db.codec import scenario_from_json
from db.errors import StoreError
from models.project.project import Project
from resources.example_files import load_examples


def check_resources() -> str:
    """Catalog, calibration, evidence and examples can be read and go together."""
    from app.calibrated import shipped_calibration, shipped_evidence
    from models.check import check_scenario
    from resources.catalog_files import load_catalog, load_processors

    files = [file for example in load_examples() for file in example.files]
    for file in files:
        scenario = scenario_from_json(file.text.encode(), name=file.name)
        check_scenario(scenario, load_catalog())
    shipped_calibration()
    return (
        f"{len(load_catalog().servers)} servers, {len(load_processors())} processors, "
        f"{len(shipped_evidence())} rows of evidence, {len(files)} example files"
    )


def check_store() -> str:
    """A project comes back from a file as it went in."""
    from app.synthetic import synthetic_scenario
    from db.project import load_project, save_project

    project = Project.of(synthetic_scenario(5, 50))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "self-test.headroom"
        save_project(path, project, program_version=__version__)
        if load_project(path).scenario != project.scenario:
            raise AssertionError("what was loaded is not what was saved")
        return f"a project of {path.stat().st_size:,} bytes saved and loaded"


def check_model() -> str:
    """The model predicts the first example."""
    from app.cli_evaluate import predicted
    from models.version import MODEL_VERSION
    from resources.catalog_files import load_catalog

    prediction = predicted(_example().scenario, load_catalog(), "example")
    return f"model {MODEL_VERSION}, {prediction.scenario}: {prediction.verdict.label}"


def check_pdf() -> str:
    """The proposal of the first example can be written in every form."""
    from app.cli_report import project_report
    from app.language import ENGLISH, language_of
    from app.report.build import FORMS, Print

    how = Print(now=datetime.now().astimezone(), language=language_of(ENGLISH))
    begins = {".pdf": b"%PDF-", ".html": b"<!doctype html>"}
    sizes = []
    for ending in FORMS:
        found = project_report(_example(), (), ending, how, path="example.json").content
        if not found.startswith(begins.get(ending, b"PK")):
            raise AssertionError(f"the proposal is no {ending}")
        sizes.append(f"{ending} {len(found):,}")
    return f"a proposal of {', '.join(sizes)} bytes"


def check_window() -> str:
    """The window opens on the first example and is painted."""
    from app.settings import Settings
    from app.windows.main import application, main_window

    with tempfile.TemporaryDirectory() as folder:
        app = application()
        window = main_window(demo=True, settings=Settings(Path(folder) / "settings.ini"))
        window.show()
        app.processEvents()
        picture = window.grab()
        window.hide()
        window.deleteLater()
        app.processEvents()
    if picture.isNull():
        raise AssertionError("the window was not painted")
    return f"{picture.width()} × {picture.height()} on {app.platformName()}"


# What a bundle with something missing raises; anything else is a bug and ends the program.
FAILURES = (
    *(ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, OSError),
    *(ReportError, RuntimeError, StoreError, TypeError, ValueError),
)

CHECKS: tuple[tuple[str, Callable[[], str]], ...] = (
    ("resources", check_resources),
    ("store", check_store),
    ("model", check_model),
    ("pdf", check_pdf),
    ("window", check_window),
)


def self_test(out: TextIO) -> int:
    """Run all checks, one line each; 1 when one failed."""
    if not has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return 1 if sum(not _passes(name, check, out) for name, check in CHECKS) else 0


def _passes(name: str, check: Callable[[], str], out: TextIO) -> bool:
    try:
        found = check()
    except FAILURES as error:
        out.write(f"{name}: FAILED: {type(error).__name__}: {error}\n")
        return False
    out.write(f"{name}: ok, {found}\n")
    return True


def _example() -> Project:
    file = load_examples()[0].files[0]
    return Project.of(scenario_from_json(file.text.encode(), name=file.name))

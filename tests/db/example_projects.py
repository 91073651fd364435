"""A worked example, saved as a project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app import __version__
from db.codec import scenario_from_json
from db.files import save_whole
from models.project.project import Project
from models.scenario.scenario import Scenario
from resources.catalog_files import load_catalog
from resources.example_files import load_examples


def example() -> Scenario:
    found = next(each for each in load_examples() if each.id == "building-block")
    return scenario_from_json(found.files[0].text.encode(), name="example")


def saved(folder: Path, name: str, customer: str = "") -> Path:
    path = folder / f"{name}.headroom"
    scenario = replace(example(), customer=customer)
    save_whole(path, Project.of(scenario), load_catalog(), program_version=__version__)
    return path

"""Project files as tests write them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path

from db.project import save_project
from models.catalog.catalog import Catalog
from models.project.project import Project

NOW = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)


def save(path: Path, project: Project, **more: object) -> bool:
    return save_project(path, project, program_version="1.2", now=NOW, **more)  # type: ignore[arg-type]


def same(one: Project, other: Project) -> bool:
    """Catalogs compare by identity; here by their entries and the order of these."""
    bare = {"own_catalog": Catalog(), "used_catalog": Catalog()}
    empty = Catalog()
    plain = [replace(p, own_catalog=empty, used_catalog=empty) for p in (one, other)]
    catalogs = [
        [list(getattr(getattr(p, which), each.name).items()) for each in fields(Catalog)]
        for p in (one, other)
        for which in bare
    ]
    return plain[0] == plain[1] and catalogs[:2] == catalogs[2:]


def stamp(path: Path) -> tuple[str, str]:
    """Who wrote a project file, and when."""
    with closing(sqlite3.connect(path)) as db:
        ((version, at),) = db.execute("SELECT program_version, saved_at FROM written")
    return version, at

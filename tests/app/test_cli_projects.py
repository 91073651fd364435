"""``projects`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

from app.cli_projects import projects_of
from tests.app.terminal import refused
from tests.db.example_projects import saved


def test_projects_of_a_folder(tmp_path: Path) -> None:
    saved(tmp_path, "one", customer="Example Ltd")
    saved(tmp_path, "two")
    text = str(projects_of([str(tmp_path)], None, as_json=False))
    assert "one" in text
    assert "two" in text
    found = json.loads(projects_of([str(tmp_path)], "example", as_json=True))["projects"]
    assert [(each["customer"], each["verdict"]) for each in found] == [("Example Ltd", "at risk")]


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    assert refused("projects", tmp_path / "nowhere").endswith("is no folder")

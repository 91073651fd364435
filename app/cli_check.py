"""``check``: whether a file is sound, and whether its last stated numbers still follow."""

from __future__ import annotations

from app.cli_file import json_text
from app.render.terminal import sections_text
from app.stated import changed
from db.files import open_any
from models.catalog_use import catalog_for
from models.tell.stated import what_changed
from models.texts import Text, joined, say
from resources.catalog_files import load_catalog


def check_of_file(path: str, *, as_json: bool) -> str | Text:
    """What ``check`` prints about a file that could be opened.

    Raises:
        StoreError: its content isn't what was saved, its schema isn't known, or something in it
            leads nowhere: the sentence says which.
    """
    project = open_any(path, load_catalog())
    found = list(changed(project, catalog_for(project, load_catalog())))
    if as_json:
        results = [
            {
                "scenario": each.scenario,
                "quantity": difference.quantity,
                "stored": str(difference.stated),
                "now": str(difference.now),
            }
            for each in found
            for difference in each.differences
        ]
        sound = {"integrity": "ok", "schema": "ok", "references": "ok", "results": results}
        return json_text(sound)
    if not found:
        return say("{file}: sound; no stated number is another now\n", file=path)
    sections = [what_changed(each.scenario, each.stated, each.differences) for each in found]
    head = say("{file}: sound; stated numbers are others now", file=path)
    return joined("\n", (head, sections_text(sections)))

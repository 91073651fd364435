"""``check``: whether a file is sound, and whether its last stated numbers still follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.cli_file import json_text
from app.render.terminal import sections_text
from app.stated import changed
from db.door import check_ordinary
from db.files import open_any
from db.signed import all_signed
from models.catalog_use import catalog_for
from models.signing.signed import Signed
from models.tell.blocks import Column, Section, Table
from models.tell.stated import what_changed
from models.texts import Text, joined, say
from resources.catalog_files import load_catalog


def check_of_file(path: str, *, as_json: bool) -> str | Text:
    """What ``check`` prints about a file that could be opened.

    Raises:
        StoreError: its content isn't what was saved, its schema isn't known, or something in it
            leads nowhere: the sentence says which.
    """
    check_ordinary(path)
    project = open_any(path, load_catalog())
    kept = all_signed(project)
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
        sound: dict[str, Any] = {
            "integrity": "ok",
            "schema": "ok",
            "references": "ok",
            "results": results,
        }
        sound["exported"] = [_exported(each) for each in kept]
        return json_text(sound)
    exports = [_exports(kept)] if kept else []
    if not found:
        head = say("{file}: sound; no stated number is another now\n", file=path)
        return joined("\n", (head, sections_text(exports))) if exports else head
    sections = [what_changed(each.scenario, each.stated, each.differences) for each in found]
    sections += exports
    head = say("{file}: sound; stated numbers are others now", file=path)
    return joined("\n", (head, sections_text(sections)))


def _exported(signed: Signed) -> dict[str, Any]:
    states = [each.stated for each in signed.scenarios]
    return {
        "at": signed.at,
        "model": states[0].model,
        "language": signed.language,
        "inputs": [each.inputs for each in states],
        "verdicts": [each.verdict for each in states],
    }


def _exports(kept: Sequence[Signed]) -> Section:
    """What was exported, and what makes it again."""
    columns = (Column(say("Exported")), Column(say("Model")), Column(say("Hash of the inputs")))
    rows = tuple(
        (
            signed.at[:16].replace("T", " "),
            signed.scenarios[0].stated.model,
            joined(", ", (each.stated.inputs[:12] for each in signed.scenarios)),
        )
        for signed in kept
    )
    note = say("report … --signed DAY makes one of these once more.")
    return Section(say("Exported proposals"), (Table(columns, rows, note),))

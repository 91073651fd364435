"""``check``: whether a file is sound, and whether its last stated numbers still follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.cli_file import json_text
from app.exported import broken_exports, told_of_exports
from app.render.terminal import sections_text
from app.stated import SHOWN, Compared, compared, told_of_inputs
from db.checksum import Proof
from db.door import check_ordinary
from db.files import holds_project, open_any
from db.project import proof_of
from db.signed import all_signed
from models.base.texts import Text, joined, say
from models.project.catalog_use import catalog_for
from models.signing.signed import Signed
from models.tell.blocks import Bullets, Column, Section, Table
from models.tell.stated import what_changed
from resources.catalog_files import load_catalog

CHECKSUMS = {
    Proof.AS_SAVED: say("what it holds has the checksum that it was saved with"),
    Proof.OLDER: say("it is older than checksums: whether it was changed since is not known"),
}


@dataclass(frozen=True, slots=True)
class Checked:
    """What was compared in a file that could be opened.

    Attributes:
        checksum: what it shows; None: a scenario file, which has none.
        compared: each scenario that numbers are kept of, with those that are others now.
        broken: a sentence for each thing that isn't what was kept; `changed`: for each state with
            other inputs; `notices`: for what else one should know of a file that is sound.
    """

    path: str
    checksum: Proof | None
    compared: tuple[Compared, ...]
    kept: tuple[Signed, ...]
    broken: tuple[Text, ...]
    changed: tuple[Text, ...]
    notices: tuple[Text, ...]


def checked(path: str) -> Checked:
    """What a comparison of all that a file holds with itself gives.

    Raises:
        StoreError: its content isn't what was saved, its schema isn't known, or something in it
            leads nowhere: the sentence says which.
    """
    check_ordinary(path)
    shipped = load_catalog()
    project = open_any(path, shipped)
    return Checked(
        path=path,
        checksum=proof_of(path) if holds_project(path) else None,
        compared=tuple(compared(project, catalog_for(project, shipped))),
        kept=all_signed(project),
        broken=tuple(broken_exports(project)),
        changed=tuple(told_of_inputs(project)),
        notices=tuple(told_of_exports(project)),
    )


def checked_json(found: Checked) -> str:
    """The same as JSON."""
    results = [
        {
            "scenario": each.scenario,
            "quantity": difference.quantity,
            "stored": str(difference.stated),
            "now": str(difference.now),
        }
        for each in found.compared
        for difference in each.differences
    ]
    told: dict[str, Any] = {
        "integrity": "broken" if found.broken else "ok",
        "schema": "ok",
        "references": "ok",
        "results": results,
        "checksum": None if found.checksum is None else found.checksum.value,
        "compared": [each.scenario for each in found.compared],
        "broken": list(map(str, found.broken)),
        "notices": [*map(str, found.changed), *map(str, found.notices)],
        "exported": [_exported(each) for each in found.kept],
    }
    return json_text(told)


def checked_text(found: Checked) -> Text:
    """The same for people: nothing is claimed but what was compared."""
    others = [each for each in found.compared if each.differences]
    if found.broken:
        state = say("not what was kept")
    elif others:
        state = say("sound; stated numbers are others now")
    elif found.compared:
        state = say("sound; no stated number is another now")
    elif found.changed:
        state = say("sound; the inputs were changed since numbers of them were kept")
    else:
        state = say("sound; no stated numbers of these inputs are kept, so none was compared")
    lines = [*found.broken, *found.changed, *found.notices]
    if found.checksum is not None:
        lines.append(CHECKSUMS[found.checksum])
    sections = [Section(say("What was compared"), (Bullets(tuple(lines)),))] if lines else []
    sections += [
        what_changed(each.scenario, each.stated, each.differences, are_same=True) for each in others
    ]
    if found.kept:
        sections.append(_exports(found.kept))
    head = joined(": ", (found.path, state))
    return joined("\n", (head, sections_text(sections)))


def _exported(signed: Signed) -> dict[str, Any]:
    states = [each.stated for each in signed.scenarios]
    return {
        "at": signed.at,
        "model": states[0].model,
        "language": signed.language,
        "inputs": [each.inputs for each in states],
        "verdicts": [each.verdict for each in states],
        "whole": signed.is_whole,
    }


def _exports(kept: Sequence[Signed]) -> Section:
    """What was exported, and what makes it again."""
    columns = (Column(say("Exported")), Column(say("Model")), Column(say("Hash of the inputs")))
    rows = tuple(
        (
            signed.at[:16].replace("T", " "),
            signed.scenarios[0].stated.model,
            joined(", ", (each.stated.inputs[:SHOWN] for each in signed.scenarios)),
        )
        for signed in kept
    )
    note = say(
        "report … --signed DAY makes one of these once more. The hash stands on the signed paper "
        "too: compare it there, for whoever can write this file can write it anew."
    )
    return Section(say("Exported proposals"), (Table(columns, rows, note),))

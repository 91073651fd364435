"""``check``: whether a file is sound, and whether its last stated numbers still follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.cli_compare import comparison_to_json
from app.cli_evaluate import predicted
from app.cli_file import json_text
from app.exported import broken_exports, told_of_exports
from app.render.terminal import sections_text
from app.since import last_kept, since_kept
from app.stated import SHOWN, Compared, compared, told_of_inputs
from db.checksum import Proof
from db.door import check_ordinary
from db.files import holds_project, open_any
from db.project import proof_of
from db.signed import all_signed
from models.base.texts import Text, joined, say
from models.catalog.catalog import Catalog
from models.project.catalog_use import catalog_for
from models.project.project import Project
from models.signing.signed import Signed
from models.signing.since import SinceProposal
from models.signing.stated import Difference
from models.tell.blocks import Bullets, Column, Paragraph, Section, Table
from models.tell.since import NEVER, since_sections
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
        since: what was changed of each scenario by name since it was exported, None of one that
            never was; None: nobody asked.
    """

    path: str
    checksum: Proof | None
    compared: tuple[Compared, ...]
    kept: tuple[Signed, ...]
    broken: tuple[Text, ...]
    changed: tuple[Text, ...]
    notices: tuple[Text, ...]
    since: Mapping[str, SinceProposal | None] | None = None


def checked(path: str, day: str | None = None) -> Checked:
    """What a comparison of all that a file holds with itself gives.

    Args:
        day: of the export to say the changes since, ISO 8601 or its beginning; empty: the last one;
            None: none.

    Raises:
        StoreError: its content isn't what was saved, its schema isn't known, or something in it
            leads nowhere: the sentence says which.
    """
    check_ordinary(path)
    shipped = load_catalog()
    project = open_any(path, shipped)
    catalog = catalog_for(project, shipped)
    return Checked(
        path=path,
        checksum=proof_of(path) if holds_project(path) else None,
        compared=tuple(compared(project, catalog)),
        kept=all_signed(project),
        broken=tuple(broken_exports(project)),
        changed=tuple(told_of_inputs(project)),
        notices=tuple(told_of_exports(project)),
        since=None if day is None else _since(project, day, catalog, path),
    )


def _since(
    project: Project, day: str, catalog: Catalog, path: str
) -> dict[str, SinceProposal | None]:
    """What was changed of each scenario since that day's proposal about it."""
    found = dict[str, SinceProposal | None]()
    kept = {each.id: each for each in last_kept(project, [e.id for e in project.entries], day)}
    for entry in project.entries:
        scenario, then = entry.scenario, kept.get(entry.id)
        prediction = predicted(scenario, catalog, path)
        found[scenario.name] = (
            None if then is None else since_kept(then, scenario, prediction, catalog)
        )
    return found


def checked_json(found: Checked) -> str:
    """The same as JSON."""
    results = [
        {"scenario": each.scenario} | _result(difference)
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
    if found.since is not None:
        told["changed_since"] = [_since_json(*each) for each in found.since.items()]
    return json_text(told)


def _since_json(name: str, found: SinceProposal | None) -> dict[str, Any]:
    if found is None:
        return {"scenario": name, "at": None}
    compared, stated = comparison_to_json(found.comparison), found.stated
    now = found.comparison.sides[1].prediction.shown.words
    return {
        "scenario": name,
        "at": stated.at,
        "model": stated.model,
        "changed": found.is_changed,
        "verdict": {"then": stated.verdict, "now": str(now)},
        "inputs": compared["inputs"],
        "outcomes": compared["outcomes"],
        "otherwise": list(map(_result, found.otherwise)),
    }


def _result(found: Difference) -> dict[str, str]:
    return {"quantity": found.quantity, "stored": str(found.stated), "now": str(found.now)}


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
    for name, since in (found.since or {}).items():
        sections += [Section(name, (Paragraph(NEVER),))] if since is None else since_sections(since)
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

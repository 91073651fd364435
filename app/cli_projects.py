"""``projects``: those of this machine, or in folders, with what each answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.calibrated import shipped_knowledge
from app.cli_file import json_text
from app.cli_text import text_lines, text_table
from app.paths import projects_path
from db.errors import StoreError
from db.known_projects import KnownProject, Looked, looked_at, projects_in, read_known
from models.base.texts import joined, opening, say

HEAD = (say("Project"), say("Customer"), say("Verdict"), say("Proposal"), say("File"))


def projects_of(folders: Sequence[str], search: str | None, *, as_json: bool) -> str:
    """What ``projects`` prints; nothing is written.

    Args:
        folders: looked through with theirs; none: the projects that the window knows.

    Raises:
        StoreError: a folder isn't there.
    """
    for folder in folders:
        if not Path(folder).is_dir():
            raise StoreError(say("is no folder"), folder)
    if folders:
        paths = [path for path in projects_in(map(Path, folders)) if path is not None]
    else:
        paths = [Path(each.path) for each in read_known(projects_path())]
    looked = [looked_at(path, shipped_knowledge()) for path in dict.fromkeys(paths)]
    found = [each for each in looked if each.known.answers(search or "")]
    if as_json:
        return json_text({"projects": [_to_json(each) for each in found]})
    if not found:
        return text_lines([say("No project.")])
    return text_table(HEAD, map(_row, found), "<<<<<")


def _row(looked: Looked) -> tuple[str, ...]:
    known = looked.known
    return (known.name, known.customer, _words(looked), known.proposed_at[:10], known.path)


def _words(looked: Looked) -> str:
    shown = looked.known.shown
    return looked.problem if shown is None else joined("", [opening(shown.words)])


def _to_json(looked: Looked) -> dict[str, object]:
    known: KnownProject = looked.known
    return {
        "file": known.path,
        "customer": known.customer,
        "scenario": known.scenario,
        "verdict": None if known.verdict is None else known.verdict.label,
        "on_assumptions": known.is_assumed,
        "proposed_at": known.proposed_at or None,
        "scenarios": known.scenarios,
        "hosts": known.hosts,
        "vms": known.vms,
        "problem": looked.problem or None,
    }

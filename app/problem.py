"""A report of a problem: a text that names versions, sizes and faults, and nobody.

It is written where its user wants it, and sent by nobody but him.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import PySide6

from app import __version__
from app.language import tr
from models.project.project import Project
from models.scenario.scenario import Cluster, Host, Pool, Vm
from resources.evidence_files import evidence_date, evidence_digest

LAST_BYTES = 16 * 1024
"""Of the log: some of the newest faults."""
SHORTEST = 2
"""A name of one letter stands in every word."""

Names = Mapping[str, str]
_Named = Cluster | Host | Pool | Vm


def evidence_version() -> str:
    """Of which day the shipped evidence is, and the beginning of its SHA-256."""
    changed = tr("changed by somebody")
    return f"{evidence_date() or changed}, sha256 {evidence_digest()[:12]}"


def versions(model: str) -> tuple[tuple[str, str], ...]:
    """What a report of a problem should name."""
    return (
        ("Headroom", __version__),
        (tr("Model"), model),
        (tr("Evidence"), evidence_version()),
        ("Python", platform.python_version()),
        ("Qt", PySide6.__version__),
        ("NumPy", np.__version__),
        ("System", platform.platform(terse=True)),
    )


def names_in(project: Project, path: Path | None) -> dict[str, str]:
    """Everything in a project that names somebody or something of his, and a word in its place."""
    found: dict[str, str] = {}

    def take(name: str, word: str) -> None:
        if len(name.strip()) >= SHORTEST:
            found.setdefault(name.strip(), word)

    for number, entry in enumerate(project.entries, start=1):
        scenario = entry.scenario
        take(scenario.customer, "customer")
        take(scenario.author, "author")
        take(scenario.name, f"scenario-{number}")
        kinds: tuple[tuple[str, tuple[_Named, ...]], ...] = (
            ("cluster", scenario.clusters),
            ("host", scenario.hosts),
            ("pool", scenario.pools),
            ("vm", scenario.vms),
        )
        for kind, items in kinds:
            for place, each in enumerate(items, start=1):
                take(each.name, f"{kind}-{place}")
                take(each.id, f"{kind}-{place}")
    if path is not None:
        take(str(path), "file")
        take(path.stem, "file")
    return found


def without_names(text: str, names: Names) -> str:
    """The text with a word in place of each name, whatever its letters' case, and ``~`` for the
    folder of the user.

    >>> without_names("mail-01 on esx1, not mail-010", {"Mail-01": "vm-1", "esx1": "host-1"})
    'vm-1 on host-1, not mail-010'
    """
    text = text.replace(str(Path.home()), "~")
    if not names:
        return text
    there = {name.casefold(): word for name, word in names.items()}
    longest = sorted(there, key=len, reverse=True)
    pattern = rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)"
    return re.sub(pattern, lambda found: there[found[0].casefold()], text, flags=re.IGNORECASE)


def newest_faults(log: Path) -> str:
    """The end of the log of faults, whose entries hold no message; empty without one."""
    try:
        with log.open("rb") as file:
            file.seek(max(log.stat().st_size - LAST_BYTES, 0))
            return file.read(LAST_BYTES).decode("utf-8", "replace").partition("\n")[2]
    except OSError:
        return ""


def report_text(
    told: str, facts: Sequence[tuple[str, str]], project: Project, faults: str, names: Names
) -> str:
    """The whole report.

    Args:
        told: what its user says happened. facts: of program and machine. faults: of the log.
    """
    sizes = [
        f"{len(s.hosts)} hosts, {len(s.pools)} pools, {len(s.vms)} VMs"
        for s in (entry.scenario for entry in project.entries)
    ]
    parts = (
        ("What happened", told.strip() or "-"),
        ("Versions", "\n".join(f"{name}: {value}" for name, value in facts)),
        ("Scenarios", "\n".join(sizes)),
        ("Faults noted", faults.strip() or "-"),
    )
    text = "\n\n".join(f"{head}\n{'-' * len(head)}\n{body}" for head, body in parts)
    return f"{without_names(text, names)}\n"

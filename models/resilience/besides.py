"""What is worse than what the verdict speaks of: it looks at hosts that fail, not at the rest."""

from __future__ import annotations

from collections.abc import Mapping

from models.prediction import Verdict
from models.resilience.mode_words import mode_text
from models.resilience.modes import ModeKind
from models.resilience.study import FailureStudy, StudiedMode
from models.texts import say

COVERED = frozenset({ModeKind.NORMAL, ModeKind.HOST, ModeKind.SEVERAL})
"""What the verdict of a scenario speaks of: normal operation and the loss of hosts."""


def worse_besides(study: FailureStudy) -> StudiedMode | None:
    """The worst mode of another kind, where its verdict is worse than that of every covered one.

    A controller, a cluster partner, a group of hosts, an FT primary; two hosts and maintenance
    where they were studied. None where nothing is worse.
    """
    covered = [row for row, mode in enumerate(study.modes) if mode.kind in COVERED]
    known = max((int(study.columns.codes[row]) for row in covered), default=Verdict.FITS)
    row = next((row for row in study.ranked() if study.modes[row].kind not in COVERED), None)
    shown = None if row is None else study[row].shown
    if row is None or shown is None or shown.verdict is None:
        return None
    return study[row] if shown.verdict > max(known, Verdict.FITS) else None


def besides_text(mode: StudiedMode, names: Mapping[str, str]) -> str:
    """``Besides: FAS3020 data loses a controller: does not fit``."""
    shown = mode.shown
    words = "" if shown is None else shown.words
    return say("Besides: {what}: {verdict}", what=mode_text(mode.mode, names), verdict=words)

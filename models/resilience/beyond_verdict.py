"""What is worse than the failures that decide a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from models.failure.mode import ModeKind
from models.prediction import Verdict
from models.resilience.mode_words import mode_text
from models.resilience.modes import decides
from models.texts import say

if TYPE_CHECKING:
    from models.prediction import FailureMode
    from models.resilience.study import FailureStudy


def worst_beyond_verdict(study: FailureStudy) -> FailureMode | None:
    """The worst failure that the verdict need not survive, where its own is worse than that of
    every one that decides; None where nothing is worse.

    Whom a host that stands alone takes down is told by the sentence itself.
    """
    decisive = [decides(mode, study.scenario) for mode in study.modes]
    codes = study.columns.codes
    known = max((int(codes[row]) for row, is_one in enumerate(decisive) if is_one), default=0)
    row = next(
        (row for row in study.ranked() if not decisive[row] and not _alone(study, row)), None
    )
    shown = None if row is None else study[row].shown
    if row is None or shown is None or shown.verdict is None:
        return None
    return study[row] if shown.verdict > max(known, Verdict.FITS) else None


def _alone(study: FailureStudy, row: int) -> bool:
    return study.modes[row].kind is ModeKind.HOST and study[row].down is not None


def beyond_verdict_text(mode: FailureMode, names: Mapping[str, str]) -> str:
    """``Besides: FAS3020 data loses a controller: does not fit``."""
    shown = mode.shown
    words = "" if shown is None else shown.words
    return say("Besides: {what}: {verdict}", what=mode_text(mode.mode, names), verdict=words)

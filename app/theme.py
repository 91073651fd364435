"""All colours, type sizes and distances of the window and the board picture.

State is never told by colour alone: every use of `ok`, `warn` and `bad` stands beside a word or
an icon.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # The frame of the window is painted before the model is imported.
    from models.predict.prediction import Verdict
    from models.scenario.workloads import WorkloadKind


VERDICT_INKS = ("ok", "unknown", "warn", "bad")
"""Names of the colours of verdicts, by their number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """One set of colours, as ``#rrggbb``.

    Attributes:
        ground: behind panels; `panel`: panels and cards; `raised`: cards on panels, inputs.
        line: hairlines; `line_strong`: borders that carry meaning (focus aside), limit lines.
        text, muted: on ground, panel and raised.
        accent, on_accent: selection, focus, primary actions.
        ok, unknown, warn, bad: verdicts, readable as text, what isn't known of no colour of theirs;
            `ok_fill` … `bad_fill`: meter fills.
        ghost: what is still being dragged.
    """

    name: str
    is_dark: bool
    ground: str
    panel: str
    raised: str
    line: str
    line_strong: str
    text: str
    muted: str
    accent: str
    on_accent: str
    accent_soft: str
    ok: str
    unknown: str
    warn: str
    bad: str
    ok_fill: str
    unknown_fill: str
    warn_fill: str
    bad_fill: str
    track: str
    ghost: str
    nrpc: str
    inotes: str
    sametime: str
    mux: str
    generic: str

    def verdict(self, verdict: Verdict) -> str:
        return self.ink(VERDICT_INKS[verdict])

    def fill(self, verdict: Verdict) -> str:
        return self.ink(f"{VERDICT_INKS[verdict]}_fill")

    def ink(self, name: str) -> str:
        """The colour called `name`."""
        colour: str = getattr(self, name)
        return colour

    def workload(self, kind: WorkloadKind) -> str:
        from models.scenario.workloads import WORKLOADS

        return self.ink(WORKLOADS[kind].colour)


_COLOURS = {
    "ground": ("#eef0f3", "#12161b", "#000000"),
    "panel": ("#ffffff", "#1a1f26", "#000000"),
    "raised": ("#f7f8fa", "#222933", "#0d0d0d"),
    "line": ("#dbe0e6", "#313a46", "#6b6b6b"),
    "line_strong": ("#717d8a", "#8390a0", "#c4c4c4"),
    "text": ("#1a1f26", "#e8edf3", "#ffffff"),
    "muted": ("#55606c", "#a7b2bf", "#e4e4e4"),
    "accent": ("#0a5aa8", "#6db3ff", "#ffe14d"),
    "on_accent": ("#ffffff", "#0b1722", "#000000"),
    "accent_soft": ("#dcebfa", "#1d3450", "#332b00"),
    "ok": ("#1a6e34", "#62cf86", "#7dff9b"),
    "unknown": ("#4b5a70", "#b3bfd0", "#e4e8f0"),
    "warn": ("#8a5300", "#e8b84a", "#ffc95c"),
    "bad": ("#b3202b", "#ff8a86", "#ffa3a3"),
    "ok_fill": ("#35804d", "#3f9a5c", "#2fc964"),
    "unknown_fill": ("#728093", "#8391a5", "#b4bcc9"),
    "warn_fill": ("#b07208", "#c88f27", "#ffb000"),
    "bad_fill": ("#d1414b", "#d8525a", "#ff5c5c"),
    "track": ("#e3e7ec", "#2b333e", "#333333"),
    "ghost": ("#0a5aa8", "#6db3ff", "#5fd7ff"),
    "nrpc": ("#2f6fb7", "#6aa5e8", "#7cc4ff"),
    "inotes": ("#137a7f", "#4fc0c0", "#5ff0e0"),
    "sametime": ("#7a4bb0", "#b48be6", "#d9b3ff"),
    "mux": ("#a2478f", "#e08acb", "#ff9ee5"),
    "generic": ("#606b78", "#9aa6b4", "#d0d7de"),
}
"""Each colour in the light theme, in the dark one and in that of high contrast."""


def _theme(place: int, name: str) -> Theme:
    colours = {colour: row[place] for colour, row in _COLOURS.items()}
    return Theme(name=name, is_dark=place > 0, **colours)


LIGHT, DARK = _theme(0, "Light"), _theme(1, "Dark")
HIGH_CONTRAST = _theme(2, "High contrast")
"""For eyes and projectors that need it: black, white, and colours that carry far."""

THEMES = {theme.name: theme for theme in (LIGHT, DARK, HIGH_CONTRAST)}

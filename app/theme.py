"""All colours, type sizes and distances of the window and the board picture.

State is never told by colour alone: every use of `ok`, `warn` and `bad` stands beside a word or
an icon. `contrast` is what the tests hold the pairs of text and ground to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # The frame of the window is painted before the model is imported.
    from models.prediction import Verdict
    from models.workloads import WorkloadKind


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
        from models.workloads import WORKLOADS

        return self.ink(WORKLOADS[kind].colour)


LIGHT = Theme(
    name="Light",
    is_dark=False,
    ground="#eef0f3",
    panel="#ffffff",
    raised="#f7f8fa",
    line="#dbe0e6",
    line_strong="#717d8a",
    text="#1a1f26",
    muted="#55606c",
    accent="#0a5aa8",
    on_accent="#ffffff",
    accent_soft="#dcebfa",
    ok="#1a6e34",
    unknown="#4b5a70",
    warn="#8a5300",
    bad="#b3202b",
    ok_fill="#35804d",
    unknown_fill="#728093",
    warn_fill="#b07208",
    bad_fill="#d1414b",
    track="#e3e7ec",
    ghost="#0a5aa8",
    nrpc="#2f6fb7",
    inotes="#137a7f",
    sametime="#7a4bb0",
    mux="#a2478f",
    generic="#606b78",
)

DARK = Theme(
    name="Dark",
    is_dark=True,
    ground="#12161b",
    panel="#1a1f26",
    raised="#222933",
    line="#313a46",
    line_strong="#8390a0",
    text="#e8edf3",
    muted="#a7b2bf",
    accent="#6db3ff",
    on_accent="#0b1722",
    accent_soft="#1d3450",
    ok="#62cf86",
    unknown="#b3bfd0",
    warn="#e8b84a",
    bad="#ff8a86",
    ok_fill="#3f9a5c",
    unknown_fill="#8391a5",
    warn_fill="#c88f27",
    bad_fill="#d8525a",
    track="#2b333e",
    ghost="#6db3ff",
    nrpc="#6aa5e8",
    inotes="#4fc0c0",
    sametime="#b48be6",
    mux="#e08acb",
    generic="#9aa6b4",
)

HIGH_CONTRAST = Theme(
    name="High contrast",
    is_dark=True,
    ground="#000000",
    panel="#000000",
    raised="#0d0d0d",
    line="#6b6b6b",
    line_strong="#c4c4c4",
    text="#ffffff",
    muted="#e4e4e4",
    accent="#ffe14d",
    on_accent="#000000",
    accent_soft="#332b00",
    ok="#7dff9b",
    unknown="#e4e8f0",
    warn="#ffc95c",
    bad="#ffa3a3",
    ok_fill="#2fc964",
    unknown_fill="#b4bcc9",
    warn_fill="#ffb000",
    bad_fill="#ff5c5c",
    track="#333333",
    ghost="#5fd7ff",
    nrpc="#7cc4ff",
    inotes="#5ff0e0",
    sametime="#d9b3ff",
    mux="#ff9ee5",
    generic="#d0d7de",
)
"""For eyes and projectors that need it: black, white, and colours that carry far."""

THEMES = {theme.name: theme for theme in (LIGHT, DARK, HIGH_CONTRAST)}


def contrast(first: str, second: str) -> float:
    """Contrast ratio of two ``#rrggbb`` colours, 1 to 21.

    Source: W3C, Web Content Accessibility Guidelines 2.1 (2018), definition of contrast ratio.

    >>> round(contrast("#ffffff", "#000000"), 1)
    21.0
    """
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

"""Text can be read on every ground it stands on, in both themes."""

from __future__ import annotations

import pytest

from app.stylesheet import palette, style_sheet
from app.theme import DARK, LIGHT, Theme, contrast
from models.prediction import Verdict
from models.scenario import WorkloadKind

READABLE = 4.5
VISIBLE = 3.0

both = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


@both
def test_text_is_readable(theme: Theme) -> None:
    grounds = (theme.ground, theme.panel, theme.raised, theme.accent_soft)
    for ground in grounds:
        assert contrast(theme.text, ground) >= 7
        assert contrast(theme.muted, ground) >= READABLE
    assert contrast(theme.on_accent, theme.accent) >= READABLE
    assert contrast(theme.on_accent, theme.bad) >= READABLE
    assert contrast(theme.accent, theme.panel) >= READABLE


@both
def test_verdicts_are_readable_as_words(theme: Theme) -> None:
    for verdict in Verdict:
        for ground in (theme.ground, theme.panel, theme.raised):
            assert contrast(theme.verdict(verdict), ground) >= READABLE


@both
def test_marks_are_visible(theme: Theme) -> None:
    for kind in WorkloadKind:
        assert contrast(theme.workload(kind), theme.raised) >= VISIBLE
    assert contrast(theme.line_strong, theme.panel) >= VISIBLE
    assert contrast(theme.ghost, theme.panel) >= VISIBLE


@both
def test_the_style_sheet_is_complete(theme: Theme) -> None:
    text = style_sheet(theme)
    assert "$" not in text
    assert theme.accent in text


def test_the_palette_follows_the_theme() -> None:
    assert palette(DARK).window().color().name() == DARK.ground
    assert palette(LIGHT).text().color().name() == LIGHT.text

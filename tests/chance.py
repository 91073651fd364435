"""How often a property is tried that takes long to try once."""

from __future__ import annotations

from hypothesis import settings


def dear() -> settings:
    """Two fifths of what the profile gives the others: 4 in every run, 160 in the slow one."""
    return settings(max_examples=settings().max_examples * 2 // 5)

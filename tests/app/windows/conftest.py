"""What holds for every test of a whole window."""

from __future__ import annotations

import pytest

from app import outlook

NEVER_MS = 24 * 3_600_000


@pytest.fixture(autouse=True)
def no_outlook(monkeypatch: pytest.MonkeyPatch) -> None:
    """How far the verdict holds is not worked out by itself.

    An InlineWorker would stop the window for it in the midst of a test, once the window rests;
    and it takes longer than most of these tests. `test_outlook.py` has it to itself.
    """
    monkeypatch.setattr(outlook, "REST_MS", NEVER_MS)

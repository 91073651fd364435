"""Projects and windows that come and go leave nothing behind, not even memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.loading import ROOT, load

pytestmark = pytest.mark.slow
SCRIPT = ROOT / "tests" / "slow" / "leaks.py"
GROWTH = 1.15
"""Threads take up to a tenth more on a busy machine; 45 windows or projects kept, far more."""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc")
@pytest.mark.parametrize("kind", ["projects", "windows"])
def test_sixty_take_no_more_than_fifteen(kind: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), kind],
        env=load("pages").environment(1.0, tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    few, many = json.loads(done.stdout)
    assert many["memory_mib"] <= GROWTH * few["memory_mib"]
    assert many["timers"] <= few["timers"]
    if kind == "windows":
        assert (many["objects"], many["windows"]) == (few["objects"], few["windows"])
    else:  # pages and popups of the one window are made when they are first needed
        assert many["objects"] <= GROWTH * few["objects"]

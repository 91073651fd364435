"""What another processor made is made here again, byte for byte.

`make test-portable` makes it (`promised.py`) and names its folder; without one there is nothing to
compare with.
"""

from __future__ import annotations

import difflib
import os
from io import StringIO
from itertools import islice
from pathlib import Path

import pytest

from app.cli import main
from app.report.build import FORMS
from tests.portable.promised import SIGNED, made

PROMISED = os.environ.get("HEADROOM_PROMISED", "")
MOST_LINES = 20
MOST_COMPARED = 5_000
"""Lines beyond which what differs is not looked for: it would take minutes."""

pytestmark = [
    pytest.mark.portable,
    pytest.mark.skipif(not PROMISED, reason="`make test-portable` makes what is compared with"),
]


def differing(before: bytes, after: bytes) -> str:
    """Where two answers differ, in words if they are words."""
    try:
        there, here = (each.decode().replace(", ", ",\n").splitlines() for each in (before, after))
    except UnicodeDecodeError:
        return f"{len(before)} and {len(after)} bytes"
    if max(len(there), len(here)) > MOST_COMPARED:
        return f"{len(before)} and {len(after)} bytes"
    lines = difflib.unified_diff(there, here, "there", "here", n=0)
    return "\n".join(islice(lines, MOST_LINES))


def test_every_promise_is_kept(tmp_path: Path) -> None:
    now = dict(made(tmp_path))
    others = {path.name for path in Path(PROMISED).iterdir() if path.is_file()}
    assert {*now, SIGNED} == others
    broken = []
    for name, after in now.items():
        before = (Path(PROMISED) / name).read_bytes()
        if before != after:
            broken.append(f"{name}:\n{differing(before, after)}")
    if broken:
        pytest.fail("\n".join(broken), pytrace=False)


@pytest.mark.parametrize("ending", FORMS)
def test_a_signed_proposal_is_made_again(tmp_path: Path, ending: str) -> None:
    again, err = tmp_path / f"again{ending}", StringIO()
    arguments = ["report", str(Path(PROMISED) / SIGNED), "-o", str(again), "--signed"]
    assert main(arguments, StringIO(), err, None) == 0  # type: ignore[arg-type]
    assert err.getvalue() == "", "numbers are others than when it was signed"
    assert again.read_bytes() == (Path(PROMISED) / f"proposal{ending}").read_bytes()

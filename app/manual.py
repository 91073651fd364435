"""Where the handbook is: in the package as a site, in a checkout as `make docs` builds it, else its
source."""

from __future__ import annotations

from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
PLACES = ("help/index.html", "out/site/index.html", "docs/user-guide.md")


def manual_path(root: Path = _ROOT) -> Path | None:
    """The first of the places where it is; None where it isn't."""
    return next((root / place for place in PLACES if (root / place).is_file()), None)

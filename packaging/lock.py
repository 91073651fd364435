"""Rewrite the hash-pinned lock files from pyproject.toml (`make lock`; needs uv and a network).

One lock serves Linux, Windows and macOS and every Python from 3.11 on. Existing pins stay where
they still satisfy pyproject.toml; `--upgrade` takes the newest of everything.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUN, DEV, SLOW = "requirements.lock", "requirements-dev.lock", "requirements-slow.lock"
DOCS = "requirements-docs.lock"

# Each lock is a superset of the one before, which it takes as constraint: a pin never differs
# between two of them.
LOCKS: tuple[tuple[str, Sequence[str], Sequence[str]], ...] = (
    (RUN, (), ()),
    (DEV, ("dev",), (RUN,)),
    (SLOW, ("dev", "slow"), (RUN, DEV)),
    (DOCS, ("dev", "docs"), (RUN, DEV)),
)

COMMON = (
    "--universal",
    "--python-version=3.11",
    "--generate-hashes",
    "--no-emit-index-url",
    "--no-emit-find-links",
    "--no-annotate",
    "--no-header",
    "--no-sources",
    "--quiet",
)


def find_uv() -> str:
    """The path of uv: the one in .venv, else the one on PATH."""
    local = ROOT / ".venv" / ("Scripts/uv.exe" if sys.platform == "win32" else "bin/uv")
    found = str(local) if local.exists() else shutil.which("uv")
    if found is None:
        sys.exit("lock: uv is not installed; `python -m pip install uv` puts it there")
    return found


def compile_lock(
    uv: str, name: str, groups: Sequence[str], constraints: Sequence[str], upgrade: bool
) -> None:
    """Resolve pyproject.toml with `groups` into the lock file `name`."""
    command = [uv, "pip", "compile", "pyproject.toml", "-o", name, *COMMON]
    command += [f"--group={group}" for group in groups]
    command += [f"--constraints={other}" for other in constraints]
    command += ["--upgrade"] * upgrade
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def problems(text: str) -> list[str]:
    """What would make a lock unsafe or unportable: addresses, paths, pins without hash."""
    found = [
        line for line in text.splitlines() if "://" in line or line.startswith(("-", "/", "#"))
    ]
    entries = text.replace("\\\n", " ").splitlines()
    return found + [line for line in entries if line.strip() and "--hash=sha256:" not in line]


def main(argv: Sequence[str] | None = None) -> int:
    """Write all locks, then check that none names a place or lacks a hash."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--upgrade", action="store_true", help="take the newest of everything")
    arguments = parser.parse_args(argv)
    uv = find_uv()
    for name, groups, constraints in LOCKS:
        compile_lock(uv, name, groups, constraints, arguments.upgrade)
        wrong = problems((ROOT / name).read_text(encoding="utf-8"))
        if wrong:
            print(f"lock: {name}: not portable or without hash: {wrong[0]}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

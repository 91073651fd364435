"""Everything that `make` does, for machines without make too: `python packaging/run.py TASK`.

Each task first brings `.venv` to where it can run (packaging/bootstrap.py), then calls the tools
of `.venv`. Arguments after the task's name are handed on: `run.py test tests/models -x`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import bootstrap
from bootstrap import ROOT, SetupProblem

# import-linter can't be run as a module, and its script is missing where .venv was moved.
LINT_IMPORTS = "from importlinter.cli import lint_imports_command as c; c(prog_name='lint-imports')"

# What the checks of `test` are called, and the modules that run them.
CHECKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ruff check", ("-m", "ruff", "check", ".")),
    ("ruff format", ("-m", "ruff", "format", "--check", ".")),
    ("import-linter", ("-c", LINT_IMPORTS, "--no-logo")),
)
TYPED = ("-m", "mypy")
SIDE_BY_SIDE = ("-n", str((os.cpu_count() or 1) + 1), "--dist", "worksteal")
"""One process more than there are cores, as tests of windows wait for their timers; a file of tests
in one of them: pages of a file share what is costly.

In the order of the folders, which ends with many small files: no process waits long for the last.
"""
AGAIN = ("--last-failed", "--last-failed-no-failures", "none")
LAST_FAILED = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
TESTS_FAILED = 1
"""pytest's exit status when tests ran and some failed."""
MADE = (
    *("build", "dist", "out"),
    *(".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".import_linter_cache"),
)


def in_venv(*arguments: str) -> int:
    """Call the interpreter of `.venv` in the checkout; its exit status."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # compiling takes a third of every start
    if not any(environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG")):
        environ["LANG"] = "C.UTF-8"  # Qt warns where there is no UTF-8 locale
    command = [str(bootstrap.venv_python()), *arguments]
    return subprocess.run(command, cwd=ROOT, env=environ, check=False).returncode


def timed(name: str, arguments: Sequence[str]) -> int:
    """Run one check under a heading; its exit status."""
    print(f"--- {name}", flush=True)
    started = time.monotonic()
    status = in_venv(*arguments)
    print(
        f"--- {name}: {'FAILED' if status else 'ok'}, {time.monotonic() - started:.0f} s\n",
        flush=True,
    )
    return status


def typed() -> bool:
    """Check the types on all cores, and where that fails alone, in what is known by then.

    mypy gives up on a helper that isn't there within three seconds, as on a busy machine.
    """
    on_all_cores = timed("mypy", (*TYPED, "--num-workers", "auto")) == 0
    return on_all_cores or timed("mypy, alone", TYPED) == 0


def tested() -> bool:
    """Run all tests side by side, and those that failed once more, alone and by name.

    A window that gets no processor time for seconds can fail a test that passes alone. Such a
    test is named as unsteady at the end, not hidden; one that fails twice fails the run, and so
    does anything but failed tests (a crash, an error of collection).
    """
    status = timed("pytest", ("-m", "pytest", *SIDE_BY_SIDE))
    if status != TESTS_FAILED:
        return status == 0
    unsteady = failed_tests()
    passed = timed("pytest, unsteady tests alone", ("-m", "pytest", "-v", *AGAIN)) == 0
    if passed:
        heading = f"unsteady, failed side by side and passed alone: {len(unsteady)}"
        print("\n  ".join((heading, *unsteady)), flush=True)
    return passed


def failed_tests() -> list[str]:
    """The tests that failed in the last run, as pytest has noted them."""
    try:
        noted: dict[str, bool] = json.loads(LAST_FAILED.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    return sorted(noted)


# ---------------------------------------------------------------------------- the tasks


def setup(arguments: Sequence[str]) -> int:
    """Put everything that the commands need into .venv (`--dev`: and what developing needs)."""
    return bootstrap.main(arguments)


def run(arguments: Sequence[str]) -> int:
    """Open the worked example in a window; without a display, write its proposal and picture."""
    bootstrap.ensure(window=bootstrap.has_display())
    return in_venv("-m", "app", *(arguments or ("--demo",)))


def test(arguments: Sequence[str]) -> int:
    """Check style, types, dependency rule and tests (with arguments: only pytest, with these)."""
    bootstrap.ensure(bootstrap.DEV, tests=True)
    if arguments:
        return in_venv("-m", "pytest", *arguments)
    failed = [name for name, check in CHECKS if timed(name, check)]
    failed += [] if typed() else ["mypy"]
    failed += [] if tested() else ["pytest"]
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def test_slow(arguments: Sequence[str]) -> int:
    """Run the slow tests: simulation against theory, long random walks, every page, the bundle.

    And once more what is tried with random examples, with more of them.
    """
    bootstrap.ensure(bootstrap.SLOW, tests=True, bundle=True)
    chosen = ("-m", "slow or hypothesis", "--hypothesis-profile", "slow")
    return in_venv("-m", "pytest", *chosen, "-o", "faulthandler_timeout=1800", *arguments)


def test_portable(arguments: Sequence[str]) -> int:
    """Make what is promised to the byte as other processors would (`--least`: one); compare."""
    bootstrap.ensure(bootstrap.DEV, tests=True)
    return in_venv("packaging/portable.py", *arguments)


def reliability(arguments: Sequence[str]) -> int:
    """Kill, fill and spoil many times (`--kills`, `--mutants`), and write docs/reliability.md."""
    bootstrap.ensure(bootstrap.DEV, tests=True)
    return in_venv("-m", "tests.db.reliability", *arguments)


def golden(arguments: Sequence[str]) -> int:
    """Freeze anew what the program says: tests/golden/outputs (`--check`: name what changed)."""
    bootstrap.ensure(bootstrap.DEV, tests=True)
    return in_venv("-m", "tests.golden.renew", *arguments)


def bench(arguments: Sequence[str]) -> int:
    """Time the model, the store and the window."""
    bootstrap.ensure()
    return in_venv("-m", "app", "bench", *arguments)


def bundle(arguments: Sequence[str]) -> int:
    """Build dist/headroom and run its self-test."""
    bootstrap.ensure(bootstrap.DEV, window=True, bundle=True)
    return in_venv("packaging/bundle.py", *arguments)


def package(arguments: Sequence[str]) -> int:
    """Build handbook and bundle, and of them what installs: a .deb and an AppImage."""
    bootstrap.ensure(bootstrap.DOCS, window=True, bundle=True)
    if missing := bootstrap.absent(bootstrap.PACKAGER):
        bootstrap.install_packages(missing)
    return in_venv("packaging/handbook.py") or in_venv("packaging/package.py", *arguments)


def package_check(arguments: Sequence[str]) -> int:
    """Install, use and remove both packages in a bare Debian 12 and 13 (as root)."""
    bootstrap.ensure(bootstrap.DEV, window=True)
    if missing := bootstrap.absent({"debootstrap": "debootstrap"}):
        bootstrap.install_packages(missing)
    return in_venv("packaging/check_package.py", *arguments)


def format_code(arguments: Sequence[str]) -> int:
    """Rewrite the code in the house's style."""
    bootstrap.ensure(bootstrap.DEV)
    where = arguments or (".",)
    return in_venv("-m", "ruff", "check", "--fix", *where) or in_venv(
        "-m", "ruff", "format", *where
    )


def lock(arguments: Sequence[str]) -> int:
    """Rewrite the lock files from pyproject.toml."""
    bootstrap.ensure(bootstrap.DEV)
    return in_venv("packaging/lock.py", *arguments)


def screenshots(arguments: Sequence[str]) -> int:
    """Make the pictures of the user guide, and one of every page in each theme."""
    bootstrap.ensure(bootstrap.DEV, tests=True)
    return in_venv("packaging/screenshots.py", *arguments)


def docs(arguments: Sequence[str]) -> int:
    """Build the handbook as a site: out/site/index.html."""
    bootstrap.ensure(bootstrap.DOCS)
    return in_venv("packaging/handbook.py", *arguments)


def clean(arguments: Sequence[str]) -> int:
    """Remove what the tools have made (`--all`: .venv too)."""
    for name in (*MADE, ".venv") if "--all" in arguments else MADE:
        shutil.rmtree(ROOT / name, ignore_errors=True)
    for folder in ("app", "db", "models", "resources", "tests", "packaging"):
        for cache in sorted((ROOT / folder).rglob("__pycache__")):
            shutil.rmtree(cache, ignore_errors=True)
    return 0


@dataclass(frozen=True)
class Task:
    """A name on the command line and what it does."""

    name: str
    act: Callable[[Sequence[str]], int]


TASKS = (
    Task("setup", setup),
    Task("run", run),
    Task("test", test),
    Task("test-slow", test_slow),
    Task("test-portable", test_portable),
    Task("reliability", reliability),
    Task("golden", golden),
    Task("bench", bench),
    Task("bundle", bundle),
    Task("package", package),
    Task("package-check", package_check),
    Task("format", format_code),
    Task("lock", lock),
    Task("screenshots", screenshots),
    Task("docs", docs),
    Task("clean", clean),
)


def usage() -> str:
    """The tasks, one a line."""
    lines = [f"  {task.name:<13} {(task.act.__doc__ or '').splitlines()[0]}" for task in TASKS]
    return "usage: python packaging/run.py TASK [ARGUMENTS]\n\n" + "\n".join(lines)


def main(argv: Sequence[str]) -> int:
    """Do one task; its exit status."""
    found = next((task for task in TASKS if argv and task.name == argv[0]), None)
    if found is None:
        print(usage(), file=sys.stderr if argv else sys.stdout)
        return 2 if argv and argv[0] not in ("-h", "--help", "help") else 0
    try:
        return found.act(argv[1:])
    except SetupProblem as problem:
        print(f"setup: {problem}", file=sys.stderr)
        return problem.status
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

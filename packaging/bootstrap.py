"""Make `.venv` in the checkout with the locked dependencies, on a machine that may have nothing.

Standard library only; Linux, Windows, macOS; Python 3.11 or later. What the system lacks (the
venv module, the libraries that Qt opens, an X server for the tests) is looked for first. On
Debian and its kin root gets it installed by apt; anyone else is told the one command that does
it, with exit status 2. A run that finds everything in place takes a fraction of a second.

    python packaging/bootstrap.py            what the program needs
    python packaging/bootstrap.py --dev      and what developing it needs
    python packaging/bootstrap.py --tests    and an X server for the tests of real windows
    python packaging/bootstrap.py --slow     and what the slow tests need

`packaging/run.py` (and the Makefile through it) calls this before every task.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import importlib.util
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "headroom-stamp.json"
OLDEST = (3, 11)
PACKAGES = ("app", "db", "models", "resources")

RUN, DEV, SLOW = "requirements.lock", "requirements-dev.lock", "requirements-slow.lock"
DOCS = "requirements-docs.lock"
# The locks that each one holds.
HOLDS = {RUN: (RUN,), DEV: (RUN, DEV), SLOW: (RUN, DEV, SLOW), DOCS: (RUN, DEV, DOCS)}

# Debian package -> what shows that it is there: a library to open or a program to find.
# The Qt wheel brings Qt itself; these are the libraries that it expects of the system.
_LIBRARIES = json.loads((ROOT / "resources" / "system_libraries.json").read_text(encoding="utf-8"))
OFFSCREEN: dict[str, str] = _LIBRARIES["any"]
WINDOW: dict[str, str] = _LIBRARIES["x"]
X_SERVER = {"xvfb": "xvfb-run", "xauth": "xauth"}
BUNDLER = {"binutils": "objdump"}
# What the .deb and the AppImage are built with; the last are linked to what starts an AppImage.
PACKAGER = {
    **BUNDLER,
    "build-essential": "gcc",
    "squashfs-tools": "mksquashfs",
    "libsquashfuse-dev": "libsquashfuse.so",
    "libfuse3-dev": "libfuse3.so",
    "libzstd-dev": "libzstd.so",
    "liblzma-dev": "liblzma.so",
    "zlib1g-dev": "libz.so",
}


class SetupProblem(Exception):
    """A sentence for the person at the keyboard, and the exit status that goes with it."""

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(text)
        self.status = status


def say(text: str) -> None:
    """One line of progress, at once even through a pipe."""
    print(f"setup: {text}", flush=True)


# ---------------------------------------------------------------------------- the system


def has_display(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether a window can be opened here, as far as the environment tells."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def is_present(evidence: str) -> bool:
    """Whether a shared library can be opened or a program is on PATH."""
    if ".so" not in evidence:
        return shutil.which(evidence) is not None
    try:
        ctypes.CDLL(evidence)
    except OSError:
        return False
    return True


def absent(packages: Mapping[str, str]) -> list[str]:
    """The packages of `packages` whose evidence is not found."""
    return [package for package, evidence in packages.items() if not is_present(evidence)]


def is_debian() -> bool:
    """Whether apt and dpkg rule this system."""
    return shutil.which("apt-get") is not None and Path("/etc/debian_version").exists()


def base_python() -> str:
    """The interpreter that is to make the environment: never the one inside it."""
    return str(getattr(sys, "_base_executable", None) or sys.executable)


def is_systems_python() -> bool:
    """Whether the interpreter came with the system, so that apt completes it."""
    return Path(base_python()).resolve().parent == Path("/usr/bin")


def can_make_venv() -> bool:
    """Whether this Python has venv and, for pip, ensurepip (Debian packs them apart)."""
    return all(importlib.util.find_spec(name) is not None for name in ("venv", "ensurepip"))


def missing_for_venv() -> list[str]:
    """The package that adds venv to the system's Python, where it is missing.

    Raises: SetupProblem when another Python lacks it, which apt can't mend.
    """
    if can_make_venv():
        return []
    if is_debian() and is_systems_python():
        return [f"python3.{sys.version_info.minor}-venv"]
    raise SetupProblem(
        f"{base_python()} lacks the modules venv and ensurepip; install a complete Python "
        f"{OLDEST[0]}.{OLDEST[1]} or later",
        status=2,
    )


def missing_libraries(*, window: bool, tests: bool, bundle: bool) -> list[str]:
    """The packages of shared libraries and programs that Linux lacks; none elsewhere."""
    if not sys.platform.startswith("linux"):
        return []
    wanted = dict(OFFSCREEN)
    if window or tests:
        wanted |= WINDOW
    if tests:
        wanted |= X_SERVER
    if bundle:
        wanted |= BUNDLER
    if bundle and is_systems_python():  # Debian's is linked statically, PyInstaller wants it shared
        name = f"libpython{sys.version_info.major}.{sys.version_info.minor}"
        wanted[name] = f"{name}.so.1.0"
    return absent(wanted)


def root_command(packages: Sequence[str]) -> str:
    """The one command that installs `packages`, for a person without root's rights."""
    install = "apt-get update && apt-get install -y --no-install-recommends " + " ".join(packages)
    become = "sudo sh -c" if shutil.which("sudo") else "su -c"
    return f"{become} {shlex.quote(install)}"


def install_packages(packages: Sequence[str]) -> None:
    """Have apt install `packages` (as root), or say what to do.

    Raises: SetupProblem, status 2 when a person has to act, 1 when apt failed.
    """
    names = " ".join(packages)
    if not is_debian():
        raise SetupProblem(
            f"missing system libraries or programs, by their Debian names: {names}; "
            "install them with this system's package manager",
            status=2,
        )
    if os.geteuid() != 0:
        raise SetupProblem(
            f"missing system packages: {names}\n"
            f"Install them with this command, then try again:\n\n    {root_command(packages)}\n",
            status=2,
        )
    say(f"installing system packages: {names}")
    run_apt("update")
    run_apt("install", "-y", "--no-install-recommends", *packages)


def run_apt(*arguments: str) -> None:
    """Run apt-get without questions; its many lines are shown only when it fails.

    Raises: SetupProblem.
    """
    command = ["apt-get", "-q", *arguments]
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(
        command,
        env=quiet,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        print(done.stdout, file=sys.stderr)
        raise SetupProblem(f"`{shlex.join(command)}` failed; its own words stand above")


# ---------------------------------------------------------------------------- the environment


def venv_python() -> Path:
    """The interpreter of `.venv`."""
    return VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def answer(command: Sequence[str | Path]) -> str | None:
    """What a command prints, or None when it can't be run or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def venv_version() -> str | None:
    """Python's version in `.venv`; None when it is missing or broken."""
    script = "import sys; print('%d.%d' % sys.version_info[:2])"
    return answer([venv_python(), "-I", "-S", "-c", script])


def digest(name: str) -> str:
    """A lock file's SHA-256, indifferent to the line ends that git may have changed."""
    return hashlib.sha256((ROOT / name).read_bytes().replace(b"\r\n", b"\n")).hexdigest()


def read_stamp() -> dict[str, object]:
    """What the last complete run noted; empty when there was none."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def write_stamp(version: str, locks: Mapping[str, str]) -> None:
    """Note what is installed, whole or not at all."""
    text = json.dumps({**identity(version), "locks": dict(locks)}, indent=1)
    fresh = STAMP.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(STAMP)


def identity(version: str) -> dict[str, object]:
    """What binds an environment to its place: it can't be moved, nor shared by two systems."""
    return {"python": version, "machine": platform.machine(), "place": str(VENV)}


def installed_locks(version: str) -> dict[str, str]:
    """Lock name -> digest of what `.venv` holds, as far as the stamp can be trusted."""
    stamp = read_stamp()
    if any(stamp.get(key) != value for key, value in identity(version).items()):
        return {}
    locks = stamp.get("locks")
    return dict(locks) if isinstance(locks, dict) else {}


def make_venv() -> str:
    """Create `.venv` afresh; its Python's version."""
    say(f"creating .venv with Python {platform.python_version()}")
    command = [base_python(), "-m", "venv", "--clear", str(VENV)]
    if subprocess.run(command, check=False).returncode:
        raise SetupProblem(f"`{shlex.join(command)}` failed; its own words stand above")
    version = venv_version()
    if version is None:
        raise SetupProblem(f"the interpreter in {VENV} does not start")
    return version


def usable_venv() -> str:
    """Python's version in `.venv`, made afresh when it is missing, broken or of another kind."""
    version = venv_version()
    stamp = read_stamp()
    if version is not None and not stamp and answer([venv_python(), "-m", "pip", "--version"]):
        return version  # made by hand, or a first run was interrupted: complete it
    if version is None or any(stamp.get(k) != v for k, v in identity(version).items()):
        return make_venv()
    return version


def install_lock(name: str) -> None:
    """Have pip install a lock file: exact versions, verified hashes, nothing built."""
    say(f"installing {name} into .venv; the first time this fetches some 100 to 200 MB")
    STAMP.unlink(missing_ok=True)
    command = [str(venv_python()), "-m", "pip", "install", "--quiet", "--no-input"]
    command += ["--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]
    command += ["--require-hashes", "--progress-bar=off", "-r", str(ROOT / name)]
    environ = {**os.environ, "PIP_ROOT_USER_ACTION": "ignore"}
    if subprocess.run(command, env=environ, check=False, stdin=subprocess.DEVNULL).returncode:
        raise SetupProblem(f"pip could not install {name}; its own words stand above")


def is_current(name: str) -> bool:
    """Whether `.venv` holds lock file `name` as it is now."""
    version = venv_version()
    have = installed_locks(version) if version else {}
    return all(have.get(lock) == digest(lock) for lock in HOLDS[name])


def ensure_lock(name: str) -> None:
    """Bring `.venv` up to lock file `name`, if it is not."""
    if is_current(name):
        return
    started = time.monotonic()
    version = usable_venv()
    install_lock(name)
    write_stamp(version, {lock: digest(lock) for lock in HOLDS[name]})
    say(f"ready after {time.monotonic() - started:.0f} s")


@contextmanager
def alone() -> Iterator[None]:
    """Let one process at a time set up this checkout; a second one waits.

    The system takes the lock back when its holder dies, so none is ever left over.

    Raises: SetupProblem when nothing can be written to the checkout.
    """
    try:
        file = (ROOT / ".venv.lock").open("w", encoding="utf-8")
    except OSError as error:
        raise SetupProblem(
            f"{ROOT} can't be written ({error.strerror}); "
            "put the checkout where you may write, for .venv belongs into it",
            status=2,
        ) from error
    with file:
        if sys.platform == "win32":
            import msvcrt

            while True:
                try:
                    msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                    break
                except OSError:  # it gives up after ten seconds, we don't
                    continue
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


# ---------------------------------------------------------------------------- the whole


def ensure(
    lock: str = RUN, *, window: bool = False, tests: bool = False, bundle: bool = False
) -> None:
    """Bring system and `.venv` to where the tasks can run.

    Raises: SetupProblem.
    """
    if sys.version_info < OLDEST:
        raise SetupProblem(
            f"Headroom needs Python {OLDEST[0]}.{OLDEST[1]} or later, this is "
            f"{platform.python_version()} ({sys.executable})",
            status=2,
        )
    kinds = {"window": window, "tests": tests, "bundle": bundle}
    if is_current(lock) and not missing_libraries(**kinds):
        return
    with alone():  # and look again: whoever was first may have done it all
        packages = missing_libraries(**kinds)
        if not is_current(lock):
            packages = missing_for_venv() + packages
        if packages:
            install_packages(packages)
        ensure_lock(lock)


def compile_program() -> None:
    """Compile the program, as pip does what it installs: a third of its start would be that."""
    command = [str(venv_python()), "-m", "compileall", "-qq", *PACKAGES]
    subprocess.run(command, cwd=ROOT, check=False)  # without it the program starts all the same


def main(argv: Sequence[str] | None = None) -> int:
    """The command line: see the top of this file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--dev", action="store_true", help="also what developing needs")
    parser.add_argument("--tests", action="store_true", help="also an X server (implies --dev)")
    parser.add_argument("--slow", action="store_true", help="also what the slow tests need")
    parser.add_argument("--bundle", action="store_true", help="also what PyInstaller needs")
    parser.add_argument("--window", action="store_true", help="also X11's libraries")
    wish = parser.parse_args(argv)
    lock = SLOW if wish.slow else DEV if wish.dev or wish.tests or wish.bundle else RUN
    try:
        ensure(
            lock,
            window=wish.window or has_display(),
            tests=wish.tests or wish.slow,
            bundle=wish.bundle,
        )
        compile_program()
    except SetupProblem as problem:
        print(f"setup: {problem}", file=sys.stderr)
        return problem.status
    return 0


if __name__ == "__main__":
    sys.exit(main())

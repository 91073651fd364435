"""Build dist/headroom with PyInstaller, then run the frozen program's self-test (`make bundle`).

Tried on Linux. The parts for Windows and macOS are written from the documentation, not tried.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import contents
import parts
from contents import ROOT

HERE = ROOT / "packaging"
DIST = ROOT / "dist" / "headroom"
DRAWN = ROOT / "build" / "drawn"
SELF_TEST_S = 120


def commit_time() -> int:
    """When the commit was made, unless SOURCE_DATE_EPOCH says another time. [s since 1970]"""
    said = os.environ.get("SOURCE_DATE_EPOCH")
    if said is None:
        command = ["git", "log", "-1", "--format=%ct"]
        said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return int(said)


def draw() -> None:
    """Write what the recipe reads and the repository doesn't hold: icons, version resource,
    licence texts."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    import icons

    icons.write_icons(ROOT / "resources" / "icons" / "headroom.svg", DRAWN, "headroom")
    parts.lay_licences(parts.load_parts(), DRAWN / "licences")
    (DRAWN / "version.txt").write_text(contents.version_resource(), encoding="utf-8")


def freeze(log_level: str) -> None:
    """Run PyInstaller with the recipe."""
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", f"--log-level={log_level}"]
    command += ["--distpath", str(ROOT / "dist"), "--workpath", str(ROOT / "build" / "pyinstaller")]
    # The same commit makes the same archives: with its time, and sets in one order.
    environ = {**os.environ, "SOURCE_DATE_EPOCH": str(commit_time()), "PYTHONHASHSEED": "1"}
    recipe = str(HERE / "headroom.spec")
    subprocess.run([*command, recipe], cwd=ROOT, check=True, env=environ)


def add_desktop_files() -> None:
    """Lay beside the program what makes the system know it and its documents."""
    system = {"win32": "windows", "darwin": None}.get(sys.platform, "linux")
    if system is None:
        return  # Info.plist says it all
    for path in (HERE / system).iterdir():
        if path.suffix != ".iss":  # of the installer, not of what is installed
            shutil.copy(path, DIST)
    shutil.copy(DRAWN / ("headroom.ico" if system == "windows" else "headroom.png"), DIST)


def strip_libraries(folder: Path) -> None:
    """Take the symbols of debuggers out of the libraries for Linux, where they load without.

    strip misplaces the segments of libraries that were patched after linking (NumPy's OpenBLAS):
    the loader refuses those, and they stay as they were.
    """
    for path in sorted(folder.rglob("*.so*")):
        if path.is_symlink():
            continue
        thin = path.with_name(path.name + ".thin")
        subprocess.run(["strip", "-o", str(thin), str(path)], check=True, capture_output=True)
        if is_loadable(thin):
            shutil.copymode(path, thin)
            thin.replace(path)
        else:
            thin.unlink()


def needed(library: str) -> list[str]:
    """The names of the libraries that a library for Linux is itself linked to."""
    said = subprocess.run(["readelf", "-dW", library], capture_output=True, text=True, check=True)
    return re.findall(r"\(NEEDED\).*\[(.+)\]", said.stdout)


def is_loadable(library: Path) -> bool:
    """Whether every segment lies in the file as it will lie in a page of memory."""
    said = subprocess.run(
        ["readelf", "-lW", str(library)], capture_output=True, text=True, check=True
    ).stdout
    loads = [line.split() for line in said.splitlines() if line.split()[:1] == ["LOAD"]]
    places = [(int(load[1], 16), int(load[2], 16), int(load[-1], 16)) for load in loads]
    return all(in_file % page == in_memory % page for in_file, in_memory, page in places)


def program() -> Path:
    """The frozen program."""
    return DIST / ("headroom.exe" if sys.platform == "win32" else "headroom")


def self_test() -> float:
    """Run the frozen program's self-test in an empty folder, without our Python; its seconds.

    Raises: subprocess.CalledProcessError, subprocess.TimeoutExpired.
    """
    hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "QT_PLUGIN_PATH")
    environ = {name: value for name, value in os.environ.items() if name not in hidden}
    if sys.platform.startswith("linux") and not environ.get("DISPLAY"):
        environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory() as elsewhere:
        started = time.monotonic()
        subprocess.run(
            [str(program()), "--self-test"],
            cwd=elsewhere,
            env=environ,
            check=True,
            timeout=SELF_TEST_S,
        )
        return time.monotonic() - started


def size_mb(folder: Path) -> float:
    """What a folder holds, links not counted. [MB]"""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files) / 1e6


def main(argv: Sequence[str] | None = None) -> int:
    """Build, test, tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--log-level", default="ERROR", help="PyInstaller's (default: ERROR)")
    parser.add_argument("--no-self-test", action="store_true")
    wish = parser.parse_args(argv)
    started = time.monotonic()
    try:
        draw()
        freeze(wish.log_level)
        if sys.platform.startswith("linux"):
            strip_libraries(DIST)
        add_desktop_files()
        table = parts.load_parts()
        parts.write_bill(table, DIST, commit_time())
        if wrong := parts.problems(table, DIST):
            print("bundle: " + "\nbundle: ".join(wrong), file=sys.stderr)
            if sys.platform.startswith("linux"):  # nobody has seen the files of the others yet
                return 1
        print(f"bundle: {DIST.relative_to(ROOT)}, {size_mb(DIST):.0f} MB, ", end="")
        print(f"built in {time.monotonic() - started:.0f} s", flush=True)
        if not wish.no_self_test:
            print(f"bundle: self-test passed in {self_test():.1f} s")
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as problem:
        print(f"bundle: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

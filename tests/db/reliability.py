"""What becomes of a project when its program is killed, its disk fails or its file is spoiled:
tried many times, counted, and written down in docs/reliability.md.

    python -m tests.db.reliability --kills 1000 --mutants 100000

Each try is made from its number: the same numbers give the same tries, but for the moment at which
a kill comes.
"""

from __future__ import annotations

import argparse
import errno
import os
import platform
import random
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from app import __version__
from db.backup import dated_copy
from db.errors import StoreError
from db.project import load_project, save_project
from db.recovery import Origin, write_copy
from db.sqlite import reading
from models.project.project import Project
from tests.db.documents import a_project
from tests.db.hostile import outcome, project_file, scenario_text
from tests.db.importers.forms import sources
from tests.db.importers.fuzzed import Lasting, changed, try_one

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
MEMORY = Path("/dev/shm")
"""A disk would be waited for half of the time."""
LONGEST_S = 0.06
"""Within this time of its first save a program is killed: that takes a fraction of it."""


@dataclass(slots=True)
class Tried:
    """What was tried so many times: how often it came out as what, and every fault in words."""

    what: str
    found: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def count(self, outcome: str, fault: str = "") -> None:
        self.found[outcome] += 1
        if fault:
            self.faults.append(fault)


# --- kills ------------------------------------------------------------------------------------


def numbered(number: int) -> Project:
    """A project that says which one it is."""
    project = a_project()
    return project.with_scenario(replace(project.scenario, notes=str(number)))


def number_in(path: Path) -> int:
    """Which one a file holds.

    Raises:
        StoreError: it can't be read, or isn't what was saved.
    """
    return int(load_project(path).scenario.notes)


def kills(folder: Path, count: int, seed: int = 1) -> Tried:
    """Programs that save one project after the other, killed at any moment: what was saved is
    there whole, the last one that was reported or the one after."""
    tried, chance = Tried("a program killed while it saves"), random.Random(seed)
    path, first = folder / "plan.headroom", 1
    for _ in range(count):
        save_project(path, numbered(first), program_version="1")
        reported = _killed(path, first, 1e-4 + chance.random() * LONGEST_S)
        left = [each for each in folder.iterdir() if each != path]
        for each in left:
            each.unlink()
        try:
            found = number_in(path)
        except (StoreError, ValueError) as error:
            tried.count("lost", str(error))
            continue
        is_kept = reported <= found <= reported + 1
        outcome = "the last save whole" if is_kept else "an older save"
        tried.count(outcome, "" if is_kept else f"{found} where {reported} was reported")
        if left:
            tried.found["a file left beside"] += 1
        first = found + 1
    return tried


def _killed(path: Path, first: int, after_s: float) -> int:
    """The last number that a program reported as saved before a signal ended it: one that nothing
    in it catches, sent by a timer, as a program under load may not run for long."""
    readable, writable = os.pipe()
    child = os.fork()
    if not child:
        os.close(readable)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, after_s)
        try:
            for number in range(first + 1, first + 10_000):
                save_project(path, numbered(number), program_version="1")
                os.write(writable, number.to_bytes(8, "big"))
        finally:
            os._exit(1)
    os.close(writable)
    os.waitpid(child, 0)
    reported = first
    with os.fdopen(readable, "rb") as pipe:
        while report := pipe.read(8):
            reported = int.from_bytes(report, "big")
    return reported


# --- faults of the disk -----------------------------------------------------------------------

ERRNOS = (errno.EIO, errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EDQUOT)
CALLS = ("os.open", "os.write", "os.fsync", "os.link", "os.chmod", "os.replace")
"""What a save asks of the system, in its order."""
BEARABLE = {"os.chmod", "os.link"}
"""A drive may refuse these, and be written all the same."""


@contextmanager
def failing(call: str, code: int) -> Iterator[None]:
    """Every such call to the system fails, as far as it writes."""

    def refuse(*given: Any, **_: Any) -> Any:
        raise OSError(code, os.strerror(code))

    real, through = os.open, os.fdopen

    def no_new(path: Any, flags: int, *given: Any, **named: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR):
            refuse()
        return real(path, flags, *given, **named)

    class Full:
        """A file that takes nothing."""

        def __init__(self, file: Any) -> None:
            self.file = file

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None:
            self.file.close()

        def write(self, _: bytes) -> int:
            self.file.write(b"half")
            raise OSError(code, os.strerror(code))

    def full(handle: int, mode: str = "r", **named: Any) -> Any:
        file = through(handle, mode, **named)
        return Full(file) if "w" in mode else file

    target, stand_in = {
        "os.open": ("os.open", no_new),
        "os.write": ("os.fdopen", full),
        "os.chmod": ("pathlib.Path.chmod", refuse),
        "os.replace": ("pathlib.Path.replace", refuse),
    }.get(call, (call, refuse))
    with patch(target, stand_in):
        yield


Write = Callable[[Path], object]


def _copied(path: Path) -> Path:
    with reading(path) as file:
        return dated_copy(file, path, "version 1", datetime(2026, 3, 1, tzinfo=UTC))


def _recovered(path: Path) -> None:
    write_copy(path, numbered(2), Origin(name="plan"), program_version="1")


WRITES: dict[str, Write] = {
    "a project": lambda path: save_project(path, numbered(2), program_version="1"),
    "a dated copy": _copied,
    "a copy of unsaved work": _recovered,
}


def faults(folder: Path) -> Tried:
    """Each fault at each call of each write: what was there stays whole, one sentence says why,
    and nothing is left beside."""
    tried, path = Tried("a fault of the disk in a save"), folder / "plan.headroom"
    for name, write in WRITES.items():
        for call in CALLS:
            for code in ERRNOS:
                what = f"{name}, {call}, {errno.errorcode[code]}"
                save_project(path, numbered(1), program_version="1")
                outcome, fault = _after_fault(path, write, call, code)
                tried.count(outcome, fault and f"{what}: {fault}")
                _emptied(folder)
        for most in (0, 1, 4096, 20_000):
            save_project(path, numbered(1), program_version="1")
            fault = _within(path, write, most)
            tried.count("old file whole, one sentence", fault and f"{name}, {most} bytes: {fault}")
            _emptied(folder)
    return tried


def _emptied(folder: Path) -> None:
    for each in folder.iterdir():
        each.unlink()


def _after_fault(path: Path, write: Write, call: str, code: int) -> tuple[str, str]:
    """What came of it, and what is wrong with that; empty: nothing."""
    try:
        with failing(call, code):
            write(path)
    except StoreError as error:
        fault = "" if "\n" not in str(error) else "several lines"
        return "old file whole, one sentence", fault or _untouched(path)
    except OSError as error:
        return "a fault", repr(error)
    if call not in BEARABLE:
        return "a fault", "nothing was said"
    names = [each.name for each in path.parent.iterdir() if each.suffix == ".tmp"]
    return "written all the same", f"left beside: {names}" if names else ""


def _untouched(path: Path) -> str:
    """What is wrong with a file that could not be replaced."""
    names = {each.name for each in path.parent.iterdir()} - {path.name, path.stem + ".json"}
    if names:
        return f"left beside: {sorted(names)}"
    try:
        return "" if number_in(path) == 1 else "another file"
    except StoreError as error:
        return str(error)


def _within(path: Path, write: Write, most: int) -> str:
    """The same on a disk that takes so many bytes of a file, in a process of its own."""
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        try:
            write(path)
        except StoreError:
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    return _untouched(path) or ("" if status == 0 else "no sentence")


# --- spoiled files ----------------------------------------------------------------------------


SLOWEST_S = 5.0
"""Of the processor, for one file of these: more is as good as a program that ended."""
Try = Callable[[int], str]


def forms(folder: Path) -> dict[str, Try]:
    """What makes and reads the spoiled file of a number, for each form that is read: it is refused
    in one sentence, or what comes of it can stand in a scenario and is worked out."""
    rooms = [folder / each for each in ("project", "scenario", "others")]
    for room in rooms:
        room.mkdir()
    data = sources(rooms[2])
    return {
        "project": partial(_opened, project_file, rooms[0]),
        "scenario": partial(_opened, _scenario_file, rooms[1]),
        **{name: partial(_read, rooms[2] / name, data[name]) for name in sorted(data)},
    }


def _scenario_file(folder: Path, number: int) -> Path:
    path = folder / "odd.json"
    path.write_bytes(scenario_text(number))
    return path


def _opened(made: Callable[[Path, int], Path], folder: Path, number: int) -> str:
    return outcome(made(folder, number))


def _read(path: Path, data: bytes, number: int) -> str:
    chance = random.Random(f"{path.name} {number}")
    kind = chance.choice([None, path.name.split()[0]])
    return try_one(path, changed(data, chance), kind, Lasting)


def spoiled(form: tuple[str, Try], count: int, within_s: float = 0.0) -> Tried:
    """So many files of a form, and more as long as `within_s` of the processor are not used up."""
    what, one = form
    tried, number, begun = Tried(what), 0, time.process_time()
    while number < count or time.process_time() < begun + within_s:
        since, found, fault = time.process_time(), "a fault", ""
        try:
            found = one(number)
        except Exception as error:  # noqa: BLE001 - the fault is what is looked for
            fault = f"{what} {number}: {type(error).__name__}: {error}"[:300]
        if (taken_s := time.process_time() - since) > SLOWEST_S:
            found, fault = "a fault", fault or f"{what} {number}: took {taken_s:.0f} s"
        tried.count(found, fault)
        number += 1
    return tried


# --- what is written down ---------------------------------------------------------------------

HEAD = """# Reliability: tried, not promised

What is done to a project here is what happens to files: the program is killed in the middle of a
save, the disk is full or fails, a file arrives spoiled. Each was tried so many times, and every
outcome counted. A fault would be a file lost, a save lost that was reported as done, a message that
is no sentence, a program that ends, or one that a small file keeps busy for more than {slowest} s.

`make reliability` repeats all of it and writes this page, in about three hours of a processor;
`make reliability ARGS="--kills 100 --mutants 1000"` fewer. With `--seconds 60` a form of file that
is quickly read is tried more often: as long as that takes.

**Kills**: a program saves one project after the other and is ended by a signal at any moment,
without a last word; then the file is opened.

**Faults of the disk**: each of {calls}
fails with each of {errnos}, and the disk takes a part of a file
only, while a project, a dated copy of an older file and a copy of unsaved work are written. Where
only {bearable} fails, the file is written all the same.

**Spoiled files**: bytes
turned, cut out, doubled, put in once or thousands of times, values exchanged, in each form of file
that is read; half the time as if somebody had said, wrongly at times, what it is.

| tried | times | came out as | faults |
|---|---:|---|---:|
"""
FOOT = """
{total} tries, {faults} faults, with `{asked}`. Headroom {version}, Python {python} on {system}.
"""


def page(tried: Sequence[Tried], asked: str) -> str:
    """The page of what was `asked` at the command line, and below it every fault in words."""
    names = {
        "calls": ", ".join(f"`{each}`" for each in CALLS),
        "errnos": ", ".join(errno.errorcode[each] for each in ERRNOS),
        "slowest": f"{SLOWEST_S:.0f}",
        "bearable": " or ".join(f"`{each}`" for each in sorted(BEARABLE)),
    }
    rows = []
    for each in tried:
        came = "; ".join(f"{count:,} {outcome}" for outcome, count in each.found.most_common())
        times = each.found.total() - each.found["a file left beside"]
        rows.append(f"| {each.what} | {times:,} | {came} | {len(each.faults):,} |\n")
    every = [fault for each in tried for fault in each.faults]
    foot = FOOT.format(
        total=f"{sum(e.found.total() - e.found['a file left beside'] for e in tried):,}",
        faults=f"{len(every):,}" if every else "no",
        asked=asked,
        version=__version__,
        python=platform.python_version(),
        system=platform.system(),
    )
    listed = "".join(f"- {each}\n" for each in every[:100])
    return HEAD.format(**names) + "".join(rows) + foot + (f"\n{listed}" if listed else "")


def main(arguments: Sequence[str]) -> int:
    """Try all of it and write the page; 1 where there was a fault."""
    parser = argparse.ArgumentParser(prog="make reliability", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--mutants", type=int, default=100_000, help="of each form of file")
    parser.add_argument("--seconds", type=float, default=0.0, help="more of each within this time")
    parser.add_argument("--page", type=Path, default=PAGE)
    asked = parser.parse_args(arguments)

    with tempfile.TemporaryDirectory(prefix="headroom-") as name:
        rooms = [Path(name) / each for each in ("kills", "faults")]
        for room in rooms:
            room.mkdir()
        tried = [kills(rooms[0], asked.kills), faults(rooms[1])]
    memory = MEMORY if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="headroom-", dir=memory) as name:
        one = partial(spoiled, count=asked.mutants, within_s=asked.seconds)
        with ProcessPoolExecutor() as side_by_side:
            for each in side_by_side.map(one, forms(Path(name)).items()):
                sys.stderr.write(f"{each.what}: {each.found.total():,}\n")
                tried.append(each)
    asked.page.write_text(page(tried, " ".join(arguments)), encoding="utf-8")
    return 1 if any(each.faults for each in tried) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

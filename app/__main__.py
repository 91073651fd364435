"""The composition root: `python -m app`, and `headroom` in the bundle."""

from __future__ import annotations

import builtins
import gc
import io
import os
import sys
from pathlib import Path
from typing import TextIO

from app import cli, crash, libraries
from app.display import has_display
from models.base.texts import say

RECORDS_LOOKED_THROUGH = 50_000
"""New objects after which the garbage collector looks through them."""


class Windows:
    """What needs Qt, imported when it is asked for."""

    def open(self, path: str | None) -> int:
        if not has_display():
            raise cli.Usage(say("there is no display to open a window on; `headroom --help`"))
        check_libraries()
        hasten()
        speak()
        from app.windows.main import run

        return run([] if path is None else [Path(path)])

    def demo(self, out: TextIO) -> int:
        if has_display():
            check_libraries()
            hasten()
            speak()
        from app.demo import demo

        return demo(out)

    def self_test(self, out: TextIO) -> int:
        from app.selftest import self_test

        return self_test(out)

    def paint_once(self, kind: str, out: TextIO) -> int:
        if kind != "bare":
            hasten()
        from app.paint_once import paint_once

        return paint_once(kind, out)


def check_libraries() -> None:
    """Says what to install where Qt could not open a window, rather than let it abort.

    Raises:
        Usage: libraries of the system are missing.
    """
    if lacking := libraries.missing():
        raise cli.Usage(libraries.remedy(lacking))


def speak() -> None:
    """The window takes its language before any module of it is read."""
    from app.settings import Settings
    from app.speech import begin

    begin(Settings())


def hasten() -> None:
    """Leaves out what takes a quarter of the start and finds nothing.

    The start makes some 100,000 objects (modules, classes, catalog) that stay to the end. The
    garbage collector would look through them dozens of times; `app.windows.main` switches it on
    again. PySide would read the source of every module imported after it, in search of
    ``__feature__``, which nothing here uses. Threads for the algebra of large matrices would wait
    for work in a loop; no matrix here is large.
    """
    gc.disable()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    importing = builtins.__import__
    import PySide6.QtCore  # noqa: F401 - it is what puts its own `__import__` there

    builtins.__import__ = importing


def _give_streams() -> None:
    """Without a console, as under Windows' pythonw, there are none: words then go nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.StringIO())


def main() -> int:
    """The exit status of this process's command line."""
    # Predictions are records by the thousand that hold no cycles: to look through them after every
    # 700 takes a tenth of a long command.
    gc.set_threshold(RECORDS_LOOKED_THROUGH, 10, 10)
    crash.install()
    _give_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        status = cli.main(sys.argv[1:], sys.stdout, sys.stderr, Windows())
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output, such as `head`, has seen enough.
        _leave_output()
        return cli.DONE
    except OSError as error:
        from db.atomic import OF_THE_MACHINE, write_sentence

        if error.errno not in OF_THE_MACHINE or error.filename is not None:
            raise  # of a file, not of the output
        _leave_output()
        print(f"standard output: {write_sentence(error)}", file=sys.stderr)
        return cli.FAILED
    return status


def _leave_output() -> None:
    """What is still to be written goes nowhere, lest the end of the process fails with it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())

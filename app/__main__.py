"""The composition root: `python -m app`, and `headroom` in the bundle."""

from __future__ import annotations

import gc
import io
import os
import sys
from pathlib import Path
from typing import TextIO

from app import cli, crash, libraries
from app.display import has_display
from models.texts import say


class Windows:
    """What needs Qt, imported when it is asked for."""

    def open(self, path: str | None) -> int:
        if not has_display():
            raise cli.Usage(say("there is no display to open a window on; `headroom --help`"))
        check_libraries()
        hold_collector()
        speak()
        from app.windows.main import run

        return run([] if path is None else [Path(path)])

    def demo(self, out: TextIO) -> int:
        if has_display():
            check_libraries()
            hold_collector()
            speak()
        from app.demo import demo

        return demo(out)

    def self_test(self, out: TextIO) -> int:
        from app.selftest import self_test

        return self_test(out)

    def paint_once(self, kind: str, out: TextIO) -> int:
        if kind != "bare":
            hold_collector()
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


def hold_collector() -> None:
    """Switches the garbage collector off until the window has its content.

    The start makes some 100,000 objects (modules, classes, catalog) that stay to the end. The
    collector would look through them dozens of times, find nothing, and take a tenth of the
    start; `app.windows.main` switches it on again.
    """
    gc.disable()


def _give_streams() -> None:
    """Without a console, as under Windows' pythonw, there are none: words then go nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.StringIO())


def main() -> int:
    """The exit status of this process's command line."""
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

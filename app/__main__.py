"""The composition root: `python -m app`, and `headroom` in the bundle."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TextIO

from app import cli, crash
from app.display import has_display


class Windows:
    """What needs Qt, imported when it is asked for."""

    def open(self, path: str | None) -> int:
        if not has_display():
            raise cli.Usage("there is no display to open a window on; `headroom --help`")
        from app.windows.main import run

        return run([] if path is None else [Path(path)])

    def demo(self, out: TextIO) -> int:
        from app.demo import demo

        return demo(out)

    def self_test(self, out: TextIO) -> int:
        from app.selftest import self_test

        return self_test(out)

    def paint_once(self, kind: str, out: TextIO) -> int:
        from app.paint_once import paint_once

        return paint_once(kind, out)


def main() -> int:
    """The exit status of this process's command line."""
    crash.install()
    for stream in (sys.stdout, sys.stderr):
        # None without a console, as in the window program of Windows
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        status = cli.main(sys.argv[1:], sys.stdout, sys.stderr, Windows())
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output, such as `head`, has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return cli.DONE
    return status


if __name__ == "__main__":
    sys.exit(main())

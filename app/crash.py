"""The last resort: a failure of the program as one sentence, its details in a log file."""

from __future__ import annotations

import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from app import __version__


def install() -> None:
    """From now on a failure is written to the log and said in one sentence; status 1 follows."""
    sys.excepthook = report


def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Say that the program failed, and where the details are."""
    if issubclass(kind, KeyboardInterrupt):
        sys.stderr.write("headroom: interrupted\n")
        return
    log = write_log(error, trace, log_path())
    where = f"details are in {log}" if log else "the log file can't be written"
    sys.stderr.write(f"headroom: the program failed ({kind.__name__}); {where}\n")


def log_path() -> Path:
    """Where this user's log file is."""
    from platformdirs import user_log_path

    return user_log_path("headroom", appauthor=False) / "headroom.log"


def write_log(error: BaseException, trace: TracebackType | None, path: Path) -> Path | None:
    """Append kind and place of the failure, without its message: that could name a customer."""
    lines = [
        f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} headroom {__version__} {type(error).__name__}\n",
        *traceback.format_tb(trace),
    ]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as log:
            log.writelines(lines)
    except OSError:
        return None
    return path

"""The one way in for files of other people: ordinary files, read up to a bound.

A pipe that nobody writes to is waited for without end, and a device has none: neither is opened
where an ordinary file is meant.
"""

from __future__ import annotations

import os
import stat
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from db.errors import StoreError
from models.base.texts import say

NOT_ORDINARY = say("must be an ordinary file")
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Without waiting: what is there may have become a pipe meanwhile."""


def opened(path: str | Path, *, may_be_pipe: bool = False) -> BinaryIO:
    """A file, open for reading.

    Args:
        may_be_pipe: for what people pass from one program to the next.

    Raises:
        StoreError: it can't be read, or is a folder, a pipe or a device; one sentence.
    """
    try:
        mode = Path(path).stat().st_mode
        if may_be_pipe and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            return Path(path).open("rb")
        _check(mode, path)
        with ExitStack() as unless_done:
            handle = os.open(path, _FLAGS)
            unless_done.callback(os.close, handle)
            _check(os.fstat(handle).st_mode, path)
            unless_done.pop_all()
        return os.fdopen(handle, "rb")
    except OSError as error:
        raise StoreError(read_sentence(error), path) from error
    except ValueError as error:  # a NUL in the name
        raise StoreError(say("there is no such file"), path) from error


def content(path: str | Path, most: int, too_large: str, *, may_be_pipe: bool = False) -> bytes:
    """All of a file.

    Args:
        most: bytes that it may have; `too_large`: what is said of one with more.

    Raises:
        StoreError: as `opened`, or it is larger.
    """
    try:
        with opened(path, may_be_pipe=may_be_pipe) as file:
            data = file.read(most + 1)
    except OSError as error:
        raise StoreError(read_sentence(error), path) from error
    if len(data) > most:
        raise StoreError(too_large, path)
    return data


def check_ordinary(path: str | Path) -> None:
    """Raises:
    StoreError: there is something of this name that is neither an ordinary file nor a folder.
    """
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return
    if not stat.S_ISDIR(mode):
        _check(mode, path)


def _check(mode: int, path: str | Path) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError
    if not stat.S_ISREG(mode):
        raise StoreError(NOT_ORDINARY, path)


def read_sentence(error: OSError) -> str:
    """What an `OSError` while reading means for the person who named the file."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return say("there is no such file")
    if isinstance(error, IsADirectoryError):
        return say("is a folder, not a file")
    if isinstance(error, PermissionError):
        return say("can't be read: you have no permission")
    reason = (error.strerror or type(error).__name__).lower()
    return say("can't be read: {reason}", reason=reason)

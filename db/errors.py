"""What can go wrong between a value and a file: one sentence for whoever named the file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from models.base.errors import ModelError
from models.base.texts import SpokenError, joined, say

_LONGEST = 120


class StoreError(SpokenError):
    """A file that can't be read or written, and what to do about it.

    Attributes:
        sentence: the reason in plain words, on one line, without the file's name.
        path: the file as its user named it.
        field: path of the offending field inside the file, empty when the whole file is meant.
        text: all of it, as `str` has it.
    """

    def __init__(self, sentence: str, path: str | Path, *, field: str = "") -> None:
        self.sentence = sentence
        self.path = str(path)
        self.field = _printable(field)
        self.text = joined(": ", (part for part in (self.path, self.field, sentence) if part))
        super().__init__(self.text)


class MachineProblem(StoreError):
    """The machine fails, not what was asked of it: the disk is full, or reports an error."""


class ChangedContent(StoreError):
    """A sound file that holds something else than what was saved: it may be opened all the same."""


TOO_DEEP = say("is nested more deeply than any file of Headroom")
_NO_MEMORY = say("there is not enough memory for it")


@contextmanager
def bounded(path: str | Path) -> Iterator[None]:
    """What a file does to the interpreter inside the block as a `StoreError` about this file."""
    try:
        yield
    except RecursionError:
        raise StoreError(TOO_DEEP, path) from None
    except MemoryError:
        raise StoreError(_NO_MEMORY, path) from None


def _printable(field: str) -> str:
    """A path whose keys came from a file, fit for one line."""
    line = "".join(letter if letter.isprintable() else "?" for letter in field[:_LONGEST])
    return line + "…" if len(field) > _LONGEST else line


def refused(error: ModelError, path: str | Path) -> StoreError:
    """The `StoreError` for a file whose content cannot exist."""
    return StoreError(error.reason, path, field=error.field)

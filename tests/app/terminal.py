"""The command line as tests call it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any, TextIO

from app import cli

ROOT = Path(__file__).parents[2]


@dataclass
class NoWindows:
    """Stands for the windows and notes what was asked of them."""

    asked: list[str | None] = field(default_factory=list)

    def open(self, path: str | None) -> int:
        self.asked.append(path)
        return 0

    def demo(self, out: TextIO) -> int:
        self.asked.append("demo")
        return 0

    def self_test(self, out: TextIO) -> int:
        self.asked.append("self-test")
        return 0

    def paint_once(self, kind: str, out: TextIO) -> int:
        self.asked.append(kind)
        return 0


@dataclass(frozen=True)
class Answer:
    """What a call said and left."""

    status: int
    out: str
    err: str
    asked: list[str | None]

    @property
    def json(self) -> Any:
        assert self.out.count("\n") == 1
        return json.loads(self.out)


def call(*argv: str | Path) -> Answer:
    out, err, windows = StringIO(), StringIO(), NoWindows()
    status = cli.main([str(word) for word in argv], out, err, windows)
    return Answer(status, out.getvalue(), err.getvalue(), windows.asked)


def refused(*argv: str | Path) -> str:
    """The one line of a call that must be refused."""
    answer = call(*argv)
    assert answer.status == 2
    assert answer.out == ""
    assert answer.asked == []
    assert answer.err.count("\n") == 1
    assert answer.err.endswith("\n")
    return answer.err.rstrip("\n")

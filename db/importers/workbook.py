"""Sheets of a workbook (.xlsx), as `db.importers.sheets` reads them in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NoReturn

import msgspec

from db.aside import Aside, Died, Limits
from db.errors import StoreError
from db.importers.sheets import MAX_TEXT, MAX_UNPACKED, Answer, Cell, Fault, Question, cell_of
from db.importers.watch import SECONDS, Watch, too_slow
from models.base.texts import say

MODULE = "db.importers.sheets"
LIMITS = Limits(megabytes=320, seconds=SECONDS)
"""Enough for the largest sheet that is read."""

_NO_MEMORY = say("could not be read within {count} MB of memory", count=str(LIMITS.megabytes))
_SENTENCES: Mapping[str, str] = {
    Fault.UNSOUND: say("is not a sound workbook"),
    Fault.PROTECTED: say("is protected by a password; save it without one"),
    Fault.UNPACKED: say("holds more than {count} MB", count=str(MAX_UNPACKED // 2**20)),
    Fault.CELLS: say("has a sheet of more cells than any export"),
    Fault.LONG_CELL: say("holds a cell of more than {count} characters", count=f"{MAX_TEXT:,}"),
    Fault.TEXTS: say("holds more text than any export"),
    Fault.STATED: say("states more texts than it has room for"),
    Fault.MEMORY: _NO_MEMORY,
}


class Workbook:
    """Its sheets by name; they are read when asked for.

    All workbooks of a watch are read by one process, which has one of them open: who is asked
    after another one is opened anew.

    Raises:
        StoreError: it is no sound workbook, or would need more memory than any export.
    """

    def __init__(self, data: bytes, name: str, watch: Watch) -> None:
        self._data = data
        self._name = name
        self._watch = watch
        self._names: list[str] | None = None
        self._refusal: StoreError | None = None

    @property
    def names(self) -> list[str]:
        if self._names is None:
            self._reader()
        return list(self._names or ())

    def rows(self, sheet: str) -> Iterator[list[Cell]]:
        """Rows from the first one of the sheet; empty cells are empty text."""
        start, is_last = 0, False
        while not is_last:
            answer = self._asked(Question(sheet=sheet, start=start))
            for row in answer.rows:
                yield [cell_of(each) for each in row]
            start, is_last = start + len(answer.rows), answer.is_last

    def forget(self, sheet: str) -> None:
        """Give back the memory of a sheet that is done with."""
        if self._watch.aside(MODULE, LIMITS).holds is self:
            self._asked(Question(sheet=sheet, forget=True))

    def _asked(self, question: Question) -> Answer:
        return self._answer(self._reader(), question)

    def _reader(self) -> Aside:
        """The process, with this workbook open."""
        if self._refusal is not None:
            raise self._refusal
        aside = self._watch.aside(MODULE, LIMITS)
        if aside.holds is not self:
            aside.holds = self
            question = Question(open=True, is_known=self._names is not None)
            self._names = self._answer(aside, question, self._data).names
        return aside

    def _answer(self, aside: Aside, question: Question, *more: bytes) -> Answer:
        """What the process answers; of a workbook that it doesn't read, the same each time."""
        asked = [msgspec.msgpack.encode(question), *more]
        try:
            (found,) = aside.ask(asked, lambda: self._watch.check(self._name))
            answer = msgspec.msgpack.decode(found, type=Answer)
        except Died as death:
            reason: str = say("ends the program that reads it, and is not read")
            if death.of_memory:
                reason = _NO_MEMORY
            elif death.of_time:
                reason = too_slow(LIMITS.seconds)
            self._refuse(reason)
        except (ValueError, msgspec.DecodeError):
            self._refuse(_SENTENCES[Fault.UNSOUND])
        if answer.fault:
            self._refuse(_SENTENCES.get(answer.fault, _SENTENCES[Fault.UNSOUND]))
        return answer

    def _refuse(self, reason: str) -> NoReturn:
        self._refusal = StoreError(reason, self._name)
        raise self._refusal

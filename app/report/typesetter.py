"""Has documents set by Typst, in a process beside this one (`app.report.typesetting`)."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import resources
from app.report.template import Template
from db.aside import Aside, Died, Limits
from db.errors import StoreError
from models.base.texts import SpokenError, say

MODULE = "app.report.typesetting"
TEMPLATE = "proposal.typ"
OWN, OWN_PER_KB = Limits(500, 60.0), Limits(1, 0.25)
"""What the program's own templates may take, for themselves and for each KB of data: three times
what the proposals of large estates take."""
PARTNERS, PARTNERS_PER_KB = Limits(280, 6.0), Limits(1, 0.05)
"""The same of what a partner wrote."""
WAIT = 30.0 if hasattr(signal, "SIGXCPU") else 4.0
"""Seconds by the clock for one of the processor, as others work here too: where the system bounds
the processor itself they are the last resort."""


class ReportError(SpokenError):
    """The proposal could not be set; the sentence says why."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(text)


class Unset(Exception):
    """Typst can't set it; as it says so, and with where."""

    def __init__(self, message: str, diagnostic: str) -> None:
        self.message, self.diagnostic = message, diagnostic
        super().__init__(message)


class Typesetter:
    """Sets one document after the other, within a `with`.

    Args:
        template: what a partner gave lies beside the own templates.
    """

    def __init__(self, template: Template | None = None) -> None:
        self._template = template
        self._stack = ExitStack()
        self._places = ("", "")
        self._aside: Aside | None = None

    def __enter__(self) -> Typesetter:
        self._places = self._stack.enter_context(_folders(self._template))
        return self

    def __exit__(self, *_: object) -> None:
        if self._aside is not None:
            self._aside.close()
        self._stack.close()

    def pages(
        self, data: dict[str, Any], file: str, name: str = "proposal", **how: Any
    ) -> tuple[bytes, ...]:
        """The pages of a template, or its one document.

        Args:
            file: of the templates; `name`: what it calls its data.
            how: as Typst takes it.

        Raises:
            Unset: it can't be set.
            StoreError: what a partner gave takes more memory or time than there is.
            ReportError: our own does.
        """
        templates, fonts = self._places
        content = json.dumps(data, ensure_ascii=False).encode()
        asked: dict[str, Any] = {"file": f"{templates}/{file}", "root": templates, "fonts": [fonts]}
        asked |= {"name": name, "how": how}
        limits = self._limits(len(content) / 1024)
        if self._aside is None or self._aside.limits.megabytes < limits.megabytes:
            self._aside = Aside(MODULE, limits)
        try:
            told, *pages = self._aside.ask([json.dumps(asked).encode(), content], _clock(limits))
        except Died as death:
            raise self._too_much(death, limits) from death
        refusal = json.loads(told)
        if refusal:
            raise Unset(refusal["message"], refusal["diagnostic"])
        return tuple(pages)

    @property
    def _partners(self) -> Path | None:
        """What a partner gave, of which Typst reads every byte."""
        return None if self._template is None else self._template.layout or self._template.logo

    def _limits(self, kb: float) -> Limits:
        least, each = (OWN, OWN_PER_KB) if self._partners is None else (PARTNERS, PARTNERS_PER_KB)
        return Limits(least.megabytes + int(each.megabytes * kb), least.seconds + each.seconds * kb)

    def _too_much(self, death: Died, limits: Limits) -> ReportError | StoreError:
        reason = say("ends the program that sets it")
        if death.of_memory:
            count = str(limits.megabytes)
            reason = say("could not be set within {count} MB of memory", count=count)
        elif death.of_time:
            seconds = f"{limits.seconds:.0f}"
            reason = say("takes more than {seconds} seconds to set", seconds=seconds)
        if self._partners is not None:
            return StoreError(reason, self._partners)
        return ReportError(say("the document could not be typeset: {reason}", reason=reason))


def _clock(limits: Limits) -> Callable[[], None]:
    """For systems that bound no processor."""
    end = monotonic() + WAIT * limits.seconds

    def check() -> None:
        if monotonic() > end:
            raise Died(of_time=True)

    return check


@contextmanager
def _folders(template: Template | None) -> Iterator[tuple[str, str]]:
    """Where templates and typefaces lie while something is typeset."""
    with (
        as_file(files(resources) / "templates") as templates,
        as_file(files(resources) / "fonts") as fonts,
        TemporaryDirectory(prefix="headroom-") as beside,
    ):
        if template is None or not (template.logo or template.layout):
            yield str(templates), str(fonts)
            return
        for file in templates.iterdir():
            shutil.copyfile(file, Path(beside) / file.name)
        if template.logo is not None:
            name = template.logo.name
            (Path(beside) / name).write_bytes(template.content(name))
        if template.layout is not None:
            (Path(beside) / TEMPLATE).write_bytes(template.content(template.layout.name))
        yield beside, str(fonts)

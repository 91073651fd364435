"""Typesets a proposal."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typst

import resources
from app.language import Language
from app.report.data import spoken, template_data
from app.report.paper import Paper
from app.report.template import NO_PACKAGES, Template
from db.errors import StoreError
from models.lettering import is_seen, mark_of
from models.limits import shortened
from models.proposal import Proposal
from models.texts import SpokenError, said, say

TEMPLATE = "proposal.typ"
ACCESSIBLE = ["ua-1"]
SUSPECTS = b"/Suspects false"
MOST_TRIALS = 4
"""Typst names all characters it can't show at once; more trials than two are for safety."""
MOST_MARKS = 12
"""Characters written out one after the other: a mark takes the room of eight letters."""
_UNSHOWN = re.compile(r'the text `("(?:[^"\\`]|\\.)+")` could not be displayed')
_ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}")


class ReportError(SpokenError):
    """The proposal could not be set; the sentence says why."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(text)


@dataclass(frozen=True, slots=True)
class Typeset:
    """A proposal on pages.

    Attributes:
        pdf: the document.
        unshown: characters that no typeface here has, sorted; they stand on the pages as
            ``⟨U+D55C⟩``.
    """

    pdf: bytes
    unshown: tuple[str, ...] = ()


def proposal_pdf(
    proposal: Proposal,
    language: Language,
    paper: Paper,
    now: datetime,
    note: str = "",
    template: Template | None = None,
) -> Typeset:
    """The proposal in a tongue, as a tagged PDF with bookmarks.

    PDF/UA forbids characters that no typeface shows. Names may hold any character, so where the
    shipped typeface has not all of them the system's are taken too, and what none of them has is
    written out by its number, which the `note` on the cover explains.

    Raises:
        ReportError: the template itself cannot be set, which is a fault of the program.
        StoreError: a partner's layout cannot be set.
    """
    told, note = spoken(proposal, language), said(note, language)

    def data(unshown: frozenset[str]) -> dict[str, Any]:
        written = replace(written_out(told, unshown), note=note) if unshown else told
        return template_data(written, language, paper, template)

    typeface = "" if template is None else template.typeface
    return typeset(data, now, TEMPLATE, template, system_fonts=bool(typeface))


def typeset(
    data: Callable[[frozenset[str]], dict[str, Any]],
    now: datetime,
    file: str,
    template: Template | None = None,
    *,
    system_fonts: bool = False,
) -> Typeset:
    """A template with its data, as a tagged PDF.

    Args:
        data: with these characters written out by their numbers.
        file: name of the program's own template; `template`: what a partner has beside it.
        system_fonts: take those of the system from the first trial on.

    Raises:
        ReportError: the template itself cannot be set, which is a fault of the program.
        StoreError: a partner's layout cannot be set.
    """
    unshown: frozenset[str] = frozenset()
    with folders(template) as places:
        for trial in range(MOST_TRIALS):
            try:
                pages = _compiled(
                    places,
                    file,
                    data(unshown),
                    ignore_system_fonts=not (trial or system_fonts),
                    timestamp=int(now.timestamp()),
                    pdf_standards=ACCESSIBLE,
                )
            except typst.TypstError as error:
                found = unshown_in(f"{error.diagnostic}")
                if not found:
                    raise _refusal(error, template) from error
                unshown |= found if trial else frozenset()
            else:
                # It says what is so without it, and some readers take it for an error; lengths
                # stay.
                pdf = pages[0].replace(SUSPECTS, b" " * len(SUSPECTS), 1)
                return Typeset(pdf, tuple(sorted(unshown)))
    raise ReportError(say("the document could not be typeset: its letters have no typeface"))


def proposal_pictures(
    proposal: Proposal,
    language: Language,
    paper: Paper,
    now: datetime,
    template: Template | None,
    dpi: float,
) -> tuple[bytes, ...]:
    """The pages of the proposal in a tongue as PNG pictures; letters without typeface stand empty.

    Raises:
        ReportError, StoreError: the template cannot be set.
    """
    data = template_data(spoken(proposal, language), language, paper, template)
    try:
        with folders(template) as places:
            return _compiled(
                places, TEMPLATE, data, format="png", ppi=dpi, timestamp=int(now.timestamp())
            )
    except typst.TypstError as error:
        raise _refusal(error, template) from error


def picture(data: dict[str, Any], file: str, form: str, dpi: float | None) -> bytes:
    """A template that is one page, as SVG or PNG."""
    with folders() as places:
        return _compiled(places, file, data, name="figure", format=form, ppi=dpi)[0]


def _compiled(
    places: tuple[str, str], file: str, data: dict[str, Any], name: str = "proposal", **how: Any
) -> tuple[bytes, ...]:
    """The pages of a template, or its one document.

    Args:
        places: `folders`. name: what the template calls its data.

    Raises:
        typst.TypstError: it can't be set.
    """
    templates, fonts = places
    pages: Any = typst.compile(
        f"{templates}/{file}",
        root=templates,
        font_paths=[fonts],
        sys_inputs={name: json.dumps(data, ensure_ascii=False)},
        **how,
    )
    return (pages,) if isinstance(pages, bytes) else tuple(pages)


@contextmanager
def folders(template: Template | None = None) -> Iterator[tuple[str, str]]:
    """Where templates and typefaces lie while something is typeset; what a partner gave lies
    beside the own templates."""
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
            shutil.copyfile(template.logo, Path(beside) / template.logo.name)
        if template.layout is not None:
            shutil.copyfile(template.layout, Path(beside) / TEMPLATE)
        yield beside, str(fonts)


def unshown_in(refusal: str) -> frozenset[str]:
    """The characters beyond ASCII that Typst says it has no typeface for.

    >>> sorted(unshown_in('the text `"한"` could not be displayed with font `"Inter"`'))
    ['한']
    """
    texts = (_ESCAPED.sub(_character, found[1:-1]) for found in _UNSHOWN.findall(refusal))
    return frozenset(
        letter for text in texts for letter in text if not letter.isascii() and is_seen(letter)
    )


def _refusal(error: typst.TypstError, template: Template | None) -> ReportError | StoreError:
    """Why nothing could be set: of a partner's own layout with its line, as a fault of it."""
    reason = _in_short(error.message)
    if template is None or template.layout is None:
        return ReportError(say("the document could not be typeset: {reason}", reason=reason))
    found = re.search(r"proposal\.typ:(\d+)", f"{error.diagnostic}")
    line = found[1] if found else "1"
    return StoreError(say("line {line}: {reason}", line=line, reason=reason), template.layout)


def _in_short(message: str) -> str:
    """What Typst says, in one sentence: a layout may have it say all that it was given."""
    if "package" in message:
        return NO_PACKAGES
    if message.startswith("panicked"):
        return say("the layout itself ends it with a panic")
    return shortened(message.partition("\n")[0])


def _character(escaped: re.Match[str]) -> str:
    return chr(int(escaped[1], 16))


def written_out(value: Any, unshown: frozenset[str]) -> Any:
    """The value, records and tuples within, with these characters of its texts written out."""
    if isinstance(value, str) and not unshown.isdisjoint(value):
        return _run_of(unshown).sub(_marks, value)
    if isinstance(value, tuple):
        return tuple(written_out(each, unshown) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        given = {each.name: getattr(value, each.name) for each in fields(value)}
        changed = {name: written_out(each, unshown) for name, each in given.items()}
        return replace(value, **{n: each for n, each in changed.items() if each is not given[n]})
    return value


def _run_of(characters: frozenset[str]) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(''.join(sorted(characters)))}]+")


def _marks(run: re.Match[str]) -> str:
    """A run of characters by their numbers, no more than a line holds."""
    marks = "".join(map(mark_of, run[0][:MOST_MARKS]))
    left = len(run[0]) - MOST_MARKS
    return f"{marks}⟨+{left}⟩" if left > 0 else marks

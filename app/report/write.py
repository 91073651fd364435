"""Typesets a proposal."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime
from typing import Any

from app.language import Language
from app.report.data import spoken, template_data
from app.report.paper import Paper
from app.report.template import NO_PACKAGES, Template
from app.report.typesetter import TEMPLATE, ReportError, Typesetter, Unset
from db.errors import StoreError
from models.base.lettering import is_seen, mark_of
from models.base.limits import shortened
from models.base.texts import said, say
from models.proposal import Proposal

ACCESSIBLE = ["ua-1"]
SUSPECTS = b"/Suspects false"
MOST_TRIALS = 4
"""Typst names all characters it can't show at once; more trials than two are for safety."""
MOST_MARKS = 12
"""Characters written out one after the other: a mark takes the room of eight letters."""
_UNSHOWN = re.compile(r'the text `("(?:[^"\\`]|\\.)+")` could not be displayed')
_OF_PACKAGE = re.compile(r"failed to \w+ package|package not found")
_ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}")


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
    with Typesetter(template) as setter:
        for trial in range(MOST_TRIALS):
            try:
                pages = setter.pages(
                    data(unshown),
                    file,
                    ignore_system_fonts=not (trial or system_fonts),
                    timestamp=int(now.timestamp()),
                    pdf_standards=ACCESSIBLE,
                )
            except Unset as error:
                found = unshown_in(error.diagnostic)
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
        with Typesetter(template) as setter:
            return setter.pages(
                data, TEMPLATE, format="png", ppi=dpi, timestamp=int(now.timestamp())
            )
    except Unset as error:
        raise _refusal(error, template) from error


def unshown_in(refusal: str) -> frozenset[str]:
    """The characters beyond ASCII that Typst says it has no typeface for.

    >>> sorted(unshown_in('the text `"한"` could not be displayed with font `"Inter"`'))
    ['한']
    """
    texts = (_ESCAPED.sub(_character, found[1:-1]) for found in _UNSHOWN.findall(refusal))
    return frozenset(
        letter for text in texts for letter in text if not letter.isascii() and is_seen(letter)
    )


def _refusal(error: Unset, template: Template | None) -> ReportError | StoreError:
    """Why nothing could be set: of a partner's own layout with its line, as a fault of it."""
    reason = _in_short(error.message)
    if template is None or template.layout is None:
        return ReportError(say("the document could not be typeset: {reason}", reason=reason))
    found = re.search(r"proposal\.typ:(\d+)", error.diagnostic)
    line = found[1] if found else "1"
    return StoreError(say("line {line}: {reason}", line=line, reason=reason), template.layout)


def _in_short(message: str) -> str:
    """What Typst says, in one sentence: a layout may have it say all that it was given."""
    if _OF_PACKAGE.match(message):
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

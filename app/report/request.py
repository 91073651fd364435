"""A request for data, typeset on a page."""

from __future__ import annotations

import json
from datetime import datetime

import typst

from app.language import Language
from app.report.data import plain, spoken
from app.report.paper import Paper
from app.report.write import MOST_TRIALS, ReportError, compiled, folders, unshown_in, written_out
from models.tell.blocks import Section
from models.texts import say

TEMPLATE = "request.typ"


def request_pdf(
    sections: tuple[Section, ...], language: Language, paper: Paper, now: datetime
) -> bytes:
    """Paragraphs, lists and definitions as a tagged PDF; the first title is that of the page.

    Raises:
        ReportError: the template itself cannot be set, which is a fault of the program.
    """
    said, unshown = spoken(sections, language), frozenset[str]()
    with folders() as (templates, fonts):
        for trial in range(MOST_TRIALS):
            data = {
                "title": said[0].title,
                "language": language.code,
                "paper": {Paper.A4: "a4", Paper.LETTER: "us-letter"}[paper],
                "sections": plain(written_out(said, unshown)),
            }
            text = json.dumps(data, ensure_ascii=False)
            try:
                return compiled(
                    templates, fonts, text, now, system_fonts=trial > 0, template=TEMPLATE
                )
            except typst.TypstError as error:
                found = unshown_in(f"{error.diagnostic}")
                if not found:
                    reason = say("the request could not be typeset: {reason}", reason=error.message)
                    raise ReportError(reason) from error
                unshown |= found if trial else frozenset()
    raise ReportError(say("the request could not be typeset: its letters have no typeface"))

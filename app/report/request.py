"""A request for data, typeset on a page."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from app.language import Language
from app.report.data import plain, spoken
from app.report.paper import Paper
from app.report.write import typeset, written_out
from models.tell.blocks import Section

TEMPLATE = "request.typ"


def request_pdf(
    sections: tuple[Section, ...], language: Language, paper: Paper, now: datetime
) -> bytes:
    """Paragraphs, lists and definitions as a tagged PDF; the first title is that of the page.

    Raises:
        ReportError: the template itself cannot be set, which is a fault of the program.
    """
    said = spoken(sections, language)

    def data(unshown: frozenset[str]) -> dict[str, Any]:
        return {
            "title": said[0].title,
            "language": language.code,
            "paper": paper.in_template,
            "sections": plain(written_out(said, unshown)),
        }

    return typeset(data, now, TEMPLATE).pdf

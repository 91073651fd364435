"""Typesets a proposal."""

from __future__ import annotations

import json
from contextlib import ExitStack
from importlib.resources import as_file, files

import typst

import resources
from app.report.data import template_data
from models.proposal import Proposal

TEMPLATE = "proposal.typ"
ACCESSIBLE = ["ua-1"]


class ReportError(Exception):
    """The proposal could not be set; the sentence says why."""


def proposal_pdf(proposal: Proposal) -> bytes:
    """The proposal as a tagged PDF with bookmarks.

    PDF/UA forbids characters that no font can show. Names may hold any character, so a proposal
    that the shipped typeface can't show in full is set with the system's typefaces beside it and
    without that promise: tagged all the same, never refused.

    Raises:
        ReportError: the template itself cannot be set, which is a fault of the program.
    """
    data = json.dumps(template_data(proposal), ensure_ascii=False)
    with ExitStack() as stack:
        templates = str(stack.enter_context(as_file(files(resources) / "templates")))
        fonts = str(stack.enter_context(as_file(files(resources) / "fonts")))
        try:
            return _compiled(templates, fonts, data, system_fonts=False, standards=ACCESSIBLE)
        except typst.TypstError:
            pass
        try:
            return _compiled(templates, fonts, data, system_fonts=True, standards=[])
        except typst.TypstError as error:
            raise ReportError(f"the proposal could not be typeset: {error.message}") from error


def _compiled(
    templates: str, fonts: str, data: str, *, system_fonts: bool, standards: list[str]
) -> bytes:
    pdf = typst.compile(
        f"{templates}/{TEMPLATE}",
        root=templates,
        font_paths=[fonts],
        ignore_system_fonts=not system_fonts,
        sys_inputs={"proposal": data},
        pdf_standards=standards,  # type: ignore[arg-type]
    )
    if not isinstance(pdf, bytes):
        raise ReportError("the proposal could not be typeset: there is no page")
    return pdf

"""Typesets a proposal and puts it where it belongs, whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import ExitStack
from importlib.resources import as_file, files
from pathlib import Path

import typst

import resources
from app.report.data import template_data
from models.proposal import Proposal

TEMPLATE = "proposal.typ"


class ReportError(Exception):
    """The proposal could not be written; the sentence says where and why."""


def proposal_pdf(proposal: Proposal) -> bytes:
    """The proposal as a tagged PDF with bookmarks.

    Raises:
        ReportError: the template cannot be set, which is a fault of the program.
    """
    data = json.dumps(template_data(proposal), ensure_ascii=False)
    with ExitStack() as stack:
        templates = stack.enter_context(as_file(files(resources) / "templates"))
        fonts = stack.enter_context(as_file(files(resources) / "fonts"))
        try:
            pdf = typst.compile(
                str(templates / TEMPLATE),
                root=str(templates),
                font_paths=[str(fonts)],
                ignore_system_fonts=True,
                sys_inputs={"proposal": data},
                pdf_standards=["ua-1"],
            )
        except typst.TypstError as error:
            raise ReportError(f"the proposal could not be typeset: {error.message}") from error
    if not isinstance(pdf, bytes):
        raise ReportError("the proposal could not be typeset: there is no page")
    return pdf


def write_proposal(proposal: Proposal, path: Path) -> None:
    """Writes the proposal to `path`; a file that is there is replaced only by a whole one.

    Raises:
        ReportError: the proposal cannot be set or the file cannot be written.
    """
    pdf = proposal_pdf(proposal)
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(pdf)
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ReportError(f"{path}: cannot be written: {error.strerror}") from error

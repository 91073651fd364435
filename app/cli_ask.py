"""``ask``: what to find out next, with the lines to run, and as a request to send."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from app.cli_file import given, json_text, refusing
from app.language import Language
from app.render.terminal import sections_text
from db.ask import questions_to_json
from db.atomic import check_writable, write_atomically
from db.errors import MachineProblem, StoreError
from models.base.texts import joined, said, say
from models.customer.value_of_information import Question, questions
from models.scenario.scenario import Scenario
from models.tell.site import ask_sections, request_sections

ENDINGS = ".pdf", ".txt"


def ask_about(
    path: str, name: str | None, output: str | None, *, as_json: bool, tongue: Language
) -> str:
    """What ``ask`` prints; with `output` the request to a customer is written there.

    Raises:
        StoreError: a file can't be read or written, or its scenario can't exist.
    """
    if output is not None:
        if Path(output).suffix.lower() not in ENDINGS:
            one, other = ENDINGS
            raise StoreError(say("must end in {one} or {other}", one=one, other=other), output)
        check_writable(output)
    of = given(path, name)
    scenario = of.scenario
    with refusing(path):
        found = questions(scenario, of.knowledge)
    if output is not None:
        write_atomically(output, _request(scenario, found, output, tongue))
    if as_json:
        return json_text(questions_to_json(found))
    written = [] if output is None else [say("wrote {file}", file=output)]
    return joined("\n", (sections_text(ask_sections(scenario, found)), *written, ""))


def _request(
    scenario: Scenario, found: tuple[Question, ...], output: str, language: Language
) -> bytes:
    sections = request_sections(scenario, found)
    if Path(output).suffix.lower() == ".txt":
        return said(sections_text(sections), language).encode()
    from app.report.paper import Paper
    from app.report.request import request_pdf
    from app.report.typesetter import ReportError

    try:
        return request_pdf(sections, language, Paper.A4, datetime.now().astimezone())
    except ReportError as error:
        raise MachineProblem(error.text, output) from error

"""Cap sheets as a ZIP file: a page a server, and what `score` asks for at each step of the ramp."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from app.language import Language
from app.report.archive import archived
from app.report.paper import Paper
from app.report.plain import plain
from app.report.request import request_pdf
from db.codec import scenario_to_json
from db.measured import FORMAT, VERSION
from models.advise.advice import CitedKnowledge
from models.catalog.catalog import Catalog
from models.proposal.names import shown_names
from models.scenario.scenario import Scenario
from models.tell.cap_sheet import MEASURED, RAMP, at_step, cap_sheets

_NAME = re.compile(r"[^\w]+")
MOST_LETTERS = 60


def cap_sheet_files(
    scenario: Scenario,
    knowledge: CitedKnowledge,
    own: Catalog | None,
    language: Language,
    paper: Paper,
    now: datetime,
) -> bytes:
    """All sheets of a scenario.

    Args:
        own: entries that the shipped catalog lacks, for the files of the steps.

    Raises:
        ReportError: a page cannot be set, which is a fault of the program.
    """
    return archived(_members(scenario, knowledge, own, language, paper, now), now)


def _members(
    scenario: Scenario,
    knowledge: CitedKnowledge,
    own: Catalog | None,
    language: Language,
    paper: Paper,
    now: datetime,
) -> Iterator[tuple[str, bytes]]:
    sheets = list(cap_sheets(shown_names(scenario), knowledge))
    digits = len(str(len(sheets)))
    for number, sheet in enumerate(sheets, start=1):
        stem = _NAME.sub("-", plain(sheet.vm.name)).strip("-")[:MOST_LETTERS]
        yield f"{number:0{digits}}-{stem}.pdf", request_pdf(sheet.sections, language, paper, now)
    names = {sheet.vm.id: sheet.vm.name for sheet in sheets}
    for share in RAMP:
        folder = f"ramp-{round(100 * share):03}"
        step = replace(at_step(scenario, share), name=f"{scenario.name}, {share:.0%}")
        yield f"{folder}/design.json", scenario_to_json(step, own)
        yield f"{folder}/measured.json", _to_fill_in(names)


def _to_fill_in(names: dict[str, str]) -> bytes:
    """Servers without figures, as `score` reads them once they are filled in."""
    servers = [{"id": id, **dict.fromkeys(MEASURED)} for id in names]
    told = {"format": FORMAT, "version": VERSION, "servers": servers}
    return (json.dumps(told, indent=1) + "\n").encode("utf-8")

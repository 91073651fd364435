"""``advise``: the tools of the published documents, from a file, a pipe or a pasted text."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from app.calibrated import shipped_calibration, shipped_evidence
from app.render.terminal import sections_text
from db.advice import (
    MOST_BYTES,
    advice_to_json,
    inputs_from,
    inputs_schema,
    inputs_to_json,
    plain_inputs,
)
from db.errors import StoreError, refused
from db.project import read_sentence
from models.advise.advice import Knowledge, advise
from models.advise.topics import topic_of
from models.errors import ModelError
from models.evidence.rows import by_id
from models.tell.advice import advice_sections
from models.version import MODEL_VERSION
from resources.catalog_files import load_catalog

PIPE = "-"


def schema_of(id: str) -> str:
    """The JSON Schema of a topic's inputs."""
    return _as_json(inputs_schema(topic_of(id)))


def example_of(id: str) -> str:
    """Inputs of a topic that have an answer, as JSON."""
    return _as_json(inputs_to_json(topic_of(id).example))


def advice_on(id: str, path: str | None, *, as_json: bool) -> str:
    """What ``advise`` prints: the answer to the inputs of a file, of a pipe (``-``), or to none.

    Raises:
        StoreError: the file can't be read, or its inputs can't be.
    """
    topic, name = topic_of(id), id if path is None else path
    inputs = (
        plain_inputs(topic, name) if path is None else inputs_from(topic, _content(path), name=name)
    )
    try:
        advice = advise(topic, inputs, knowledge())
    except ModelError as error:
        raise refused(error, name) from error
    if as_json:
        return _as_json(advice_to_json(topic, advice, MODEL_VERSION))
    return sections_text(advice_sections(topic, advice))


def knowledge() -> Knowledge:
    """What advisors of this program know."""
    return Knowledge(
        rows=by_id(shipped_evidence()), catalog=load_catalog(), calibration=shipped_calibration()
    )


def _content(path: str) -> bytes:
    if path == PIPE:
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    try:
        with Path(path).open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise StoreError(read_sentence(error), path) from error


def _as_json(found: object) -> str:
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"

"""``advise``: the tools of the published documents, from a file, a pipe or a pasted text."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress

from app.calibrated import shipped_calibration, shipped_evidence
from app.cli_file import json_text, refusing
from app.render.terminal import sections_text
from db.advice import (
    MOST_BYTES,
    advice_to_json,
    inputs_from,
    inputs_schema,
    inputs_to_json,
    kept_inputs,
    plain_inputs,
    read_inputs,
    table_to_csv,
    text_of_file,
)
from db.atomic import write_atomically
from db.errors import StoreError
from models.advise.advice import Advice, CitedKnowledge, Found, Topic, advise
from models.advise.topics import TOPICS, topic_of
from models.base.errors import ModelError
from models.base.texts import joined, say
from models.evidence.rows import by_id
from models.project.project import Entry
from models.tell.advice import advice_sections, note_sections
from models.tell.blocks import Section
from models.version import MODEL_VERSION
from resources.catalog_files import load_catalog

PIPE = "-"


def schema_of(id: str) -> str:
    """The JSON Schema of a topic's inputs."""
    return _as_json(inputs_schema(topic_of(id)))


def example_of(id: str) -> str:
    """Inputs of a topic that have an answer, as JSON."""
    return _as_json(inputs_to_json(topic_of(id).example))


def advice_on(topic: str, path: str | None, *, as_json: bool, output: str | None) -> str:
    """What ``advise`` prints: the answer to the inputs of a file, of a pipe (``-``), or to none.

    Args:
        output: CSV file for the table of the answer that people save.

    Raises:
        StoreError: a file can't be read or written, or the inputs can't be.
    """
    of, name = topic_of(topic), topic if path is None else path
    if path is None:
        found = Found(plain_inputs(of, name), {})
    else:
        found = read_inputs(of, _content(path), name=name)
    with refusing(name):
        advice = found.told(advise(of, found.inputs, knowledge()))
    if output is not None:
        _save(of, advice, output)
    if as_json:
        return _as_json(advice_to_json(of, advice, MODEL_VERSION))
    return sections_text(advice_sections(of, advice))


def notes_of(asked: Sequence[str]) -> tuple[Section, ...]:
    """Notes for a proposal: the answers to ``TOPIC=FILE``, one after the other.

    Raises:
        StoreError: there is no such topic, or its inputs can't be read.
    """
    found: list[Section] = []
    for each in asked:
        id, _, path = each.partition("=")
        if id not in TOPICS or not path:
            offered = joined(", ", TOPICS)
            raise StoreError(say("must be TOPIC=FILE, of {offered}", offered=offered), each)
        topic = topic_of(id)
        of_file = read_inputs(topic, _content(path), name=path)
        with refusing(path):
            advice = of_file.told(advise(topic, of_file.inputs, knowledge()))
        found += note_sections(topic, advice)
    return tuple(found)


def notes_in(entries: Iterable[Entry]) -> tuple[Section, ...]:
    """Notes for a proposal that were kept with these scenarios of a project; what another program
    kept and this one can't read is left out."""
    found: list[Section] = []
    for entry in entries:
        for id, inputs in kept_inputs(entry).items():
            if id not in TOPICS:
                continue
            with suppress(ModelError, StoreError):
                topic = topic_of(id)
                given = inputs_from(topic, inputs, name=id)
                found += note_sections(topic, advise(topic, given, knowledge()))
    return tuple(found)


def _save(topic: Topic, advice: Advice, output: str) -> None:
    tables = {each.id: each for each in advice.tables}
    if topic.saved not in tables:
        raise StoreError(say("is of no use: {topic} has no table to save", topic=topic.id), output)
    write_atomically(output, table_to_csv(tables[topic.saved]).encode("utf-8"))


def knowledge() -> CitedKnowledge:
    """What advisors of this program know."""
    rows = by_id(shipped_evidence())
    return CitedKnowledge(load_catalog(), shipped_calibration(), rows=rows)


def _content(path: str) -> bytes:
    if path == PIPE:
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    return text_of_file(path).encode("utf-8")


def _as_json(found: object) -> str:
    return json_text(found, indent=2)

"""``advise``: the tools of the published documents, from a file, a pipe or a pasted text."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from app.calibrated import shipped_calibration, shipped_evidence
from app.cli_file import given, json_text, refusing, write_changed
from app.render.terminal import sections_text
from db.advice import (
    MOST_BYTES,
    advice_to_json,
    effect_to_json,
    glance_to_json,
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
from db.files import holds_scenario
from models.advise.advice import Advice, CitedKnowledge, Found, Topic, advise, found_in
from models.advise.overview import glance
from models.advise.topics import TOPICS, topic_of
from models.base.errors import ModelError
from models.base.texts import joined, say, say_many
from models.evidence.rows import by_id
from models.project.project import Entry
from models.tell.advice import advice_sections, note_sections, overview_section
from models.tell.blocks import Paragraph, Section
from models.tell.put import Effect, effect, effect_sections
from models.version import MODEL_VERSION
from resources.catalog_files import load_catalog

PIPE = "-"


def schema_of(id: str) -> str:
    """The JSON Schema of a topic's inputs."""
    return _as_json(inputs_schema(_with_inputs(id)))


def example_of(id: str) -> str:
    """Inputs of a topic that have an answer, as JSON."""
    return _as_json(inputs_to_json(_with_inputs(id).example))


def _with_inputs(id: str) -> Topic:
    """The topic of an id.

    Raises:
        StoreError: it is none that has inputs.
    """
    if id not in TOPICS:
        raise StoreError(say("has no inputs of its own"), id)
    return topic_of(id)


OVERVIEW = "overview"
"""In place of a topic: what each of them finds in a scenario."""


def advice_on(
    topic: str,
    path: str | None,
    name: str | None,
    server: str | None,
    *,
    as_json: bool,
    output: str | None,
    put: str | None = None,
) -> str:
    """What ``advise`` prints: the answer to the inputs of a file, of a pipe (``-``), or to none;
    of a project or a scenario, to what it says of a topic.

    Args:
        name: of the scenario; by default the baseline or the first.
        server: of the scenario that a topic is about; None: the first that it would open with.
        output: CSV file for the table of the answer that people save.
        put: file for the project with the answer put onto the board.

    Raises:
        StoreError: a file can't be read or written, or the inputs can't be.
    """
    if topic == OVERVIEW:
        return _overview(path, name, as_json=as_json)
    of = topic_of(topic)
    known, found, others = _read(of, path, name, server)
    with refusing(topic if path is None else path):
        advice = found.told(advise(of, found.inputs, known))
    if output is not None:
        _save(of, advice, output)
    changed = None if put is None else _put(of, found, path, name, put)
    if as_json:
        about: dict[str, Any] = {"server": found.name} if found.name else {}
        if changed is not None:
            about["board"] = effect_to_json(changed)
        return _as_json({**advice_to_json(of, advice, MODEL_VERSION), **about})
    told = () if changed is None else effect_sections(changed)
    return sections_text((*_about(found, others), *advice_sections(of, advice), *told))


def _put(topic: Topic, found: Found, path: str | None, name: str | None, output: str) -> Effect:
    """Writes the project with the answer put onto the board, and says what that did."""
    if path is None or path == PIPE or not holds_scenario(path):
        raise StoreError(say("needs a project or a scenario to put the answer into"), output)
    of = given(path, name)
    known = replace(knowledge(), catalog=of.catalog)
    with refusing(path):
        changed = effect(topic, of.scenario, found.inputs, known, found.subject)
    write_changed(of, changed.scenario, output)
    return changed


def _read(
    topic: Topic, path: str | None, name: str | None = None, server: str | None = None
) -> tuple[CitedKnowledge, Found, int]:
    """What is known, the inputs that a file holds, and about how many other servers of it they
    could be."""
    if path is None:
        return knowledge(), Found(plain_inputs(topic, topic.id)), 0
    if path == PIPE or not holds_scenario(path):
        return knowledge(), read_inputs(topic, _content(path), name=path), 0
    of = given(path, name)
    known = replace(knowledge(), catalog=of.catalog)
    found = found_in(topic, of.scenario, known)
    if not found:
        raise StoreError(topic.lacks, path)
    (one, *_) = found
    if server is not None:
        named = [each for each in found if server in (each.name, each.subject)]
        if not named:
            offered = joined(", ", filter(None, (each.name for each in found)))
            sentence = say("is no server that this topic asks about: {offered}", offered=offered)
            raise StoreError(sentence, server)
        one = named[0]
    return known, one, len(found) - 1


def _about(found: Found, others: int) -> tuple[Section, ...]:
    """Which server an answer is about, where it could be another."""
    if not others:
        return ()
    words = say_many(
        "About {name}; --server names {count} other.",
        "About {name}; --server names one of {count} others.",
        others,
        name=found.name,
    )
    return (Section("", (Paragraph(words),)),)


def _overview(path: str | None, name: str | None, *, as_json: bool) -> str:
    if path is None or path == PIPE:
        raise StoreError(say("needs the file of a project or a scenario"), OVERVIEW)
    of = given(path, name)
    known = replace(knowledge(), catalog=of.catalog)
    with refusing(path):
        glances = [glance(each, of.scenario, known) for each in TOPICS.values()]
    if as_json:
        head = {"format": "headroom-advice-overview", "version": 1, "scenario": of.scenario.name}
        topics = list(map(glance_to_json, glances))
        return _as_json({**head, "model_version": MODEL_VERSION, "topics": topics})
    return sections_text((overview_section(of.scenario.name, glances),))


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
        known, of_file, _ = _read(topic, path)
        with refusing(path):
            advice = of_file.told(advise(topic, of_file.inputs, known))
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
                kept = inputs_from(topic, inputs, name=id)
                found += note_sections(topic, advise(topic, kept, knowledge()))
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

"""Inputs of advisors from JSON or text, and their answers as JSON."""

from __future__ import annotations

import csv
import io
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import msgspec

from db.codec import check_doubled_keys, without_mark
from db.errors import StoreError, bounded
from db.explain import decoded, explaining
from db.importers.opening import open_source, opened_text
from db.importers.registry import recognised
from db.importers.tables import shown, tables_of
from db.importers.watch import Watch
from db.json_tree import MOST_EXACT
from db.plain import rounded
from db.wire import part_of
from models.advise.advice import Advice, AdviceNumber, AdviceTable, Cell, Found, Topic
from models.advise.overview import Glance
from models.base.spreadsheets import inert, table_text
from models.base.texts import say
from models.predict.prediction import Shown
from models.project.project import ADVICE, Entry, Project
from models.tell.put import Effect

FORMAT, VERSION = "headroom-advice", 1
MOST_BYTES = 16 * 2**20


def text_of_file(path: str | Path) -> str:
    """What an advisor reads of a file: its text in whatever letters it is written, of a workbook
    the first sheet with headings, its cells set apart by tabs.

    Raises:
        StoreError: it can't be read, is larger than any input, or holds no sheet with headings.
    """
    opened = open_source(path, Watch())[0]
    if opened.workbook is None:
        text = "".join(opened.lines()).removeprefix("\ufeff")
    else:
        table = next(iter(tables_of(opened).values()), None)
        if table is None:
            raise StoreError(say("holds no table"), path)
        rows = (tuple(map(shown, cells)) for _, cells in table.rows())
        text = table_text(table.head, rows)
    if len(text.encode("utf-8")) > MOST_BYTES:
        raise StoreError(say("is larger than {most} MiB", most=MOST_BYTES // 2**20), path)
    return text


def inputs_from(topic: Topic, data: bytes, *, name: str) -> Any:
    """The inputs of a topic that a file or a pipe called `name` holds, as `read_inputs`.

    Raises:
        StoreError: they are no such inputs; names the field.
    """
    return read_inputs(topic, data, name=name).inputs


def read_inputs(topic: Topic, data: bytes, *, name: str) -> Found:
    """The inputs of a topic that a file or a pipe called `name` holds, and where they stand: JSON,
    what an importer of customers' files reads, such as statistics of a Domino server, or text as
    the topic reads it.

    Raises:
        StoreError: they are no such inputs; names the field.
    """
    if len(data) > MOST_BYTES:
        raise StoreError(
            say("is larger than {most} MiB, no input is", most=MOST_BYTES // 2**20), name
        )
    with bounded(name):
        text = without_mark(data, name)
        is_json = text.lstrip().startswith(b"{")
        found = None if is_json else _of_records(topic, text, name)
        if found is not None:
            return found
        if topic.of_records is not None and topic.read is None and not is_json and text.strip():
            raise StoreError(
                say(
                    "holds neither inputs as JSON nor statistics of a Domino server that are asked "
                    "for here: lines such as Server.Users = 138"
                ),
                name,
            )
    with explaining(text, name, topic.inputs):
        if topic.read is not None and not is_json:
            return Found(topic.read(text.decode("utf-8")), {})
        document = decoded(text, part_of(topic.inputs))
        check_doubled_keys(text, name)
        return Found(msgspec.convert(document, type=topic.inputs, from_attributes=True), {})


def _of_records(topic: Topic, text: bytes, name: str) -> Found | None:
    """What an importer's records say to a topic; None where no format is surely that of the text,
    or it says nothing to it."""
    if topic.of_records is None:
        return None
    opened = opened_text(text, Path(name).name, Watch())
    importer = recognised(opened)
    if importer is None or importer.is_general:
        return None
    return topic.of_records([importer.read([opened])])


def plain_inputs(topic: Topic, name: str) -> Any:
    """The inputs of a topic where nobody gave any.

    Raises:
        StoreError: it can't do without.
    """
    needed = [
        each.name
        for each in fields(topic.inputs)
        if each.default is MISSING and each.default_factory is MISSING
    ]
    if needed:
        raise StoreError(say("is missing"), name, field=needed[0])
    return topic.inputs()


def inputs_schema(topic: Topic) -> dict[str, Any]:
    """The JSON Schema (2020-12) of the inputs of a topic."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Inputs of the advisor {topic.id}",
        **msgspec.json.schema(part_of(topic.inputs)),
    }


def inputs_to_json(inputs: Any) -> dict[str, Any]:
    """Inputs as plain values, without what nobody said."""
    plain: dict[str, Any] = _said(msgspec.to_builtins(inputs))
    return plain


def _said(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _said(each) for name, each in value.items() if each is not None}
    return [_said(each) for each in value] if isinstance(value, list | tuple) else value


def advice_to_json(topic: Topic, advice: Advice, model_version: str) -> dict[str, Any]:
    """An answer as plain dictionaries, lists, English texts and finite numbers."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "topic": topic.id,
        "model_version": model_version,
        "conclusion": advice.conclusion,
        "verdict": None if advice.verdict is None else advice.verdict.label,
        "sentence": advice.sentence,
        "numbers": list(map(_number, advice.numbers)),
        "tables": {table.id: _table(table) for table in advice.tables},
        "reasons": list(advice.reasons),
        "next": [*advice.next, *advice.lines],
        "lines": list(advice.lines),
        "sources": [{"document": each.document, "table": each.table} for each in advice.sources],
    }


def glance_to_json(of: Glance) -> dict[str, Any]:
    """What a topic finds in a scenario: the worst of its conclusions, and that on each server."""
    answer = None if not of.answers else of.shown
    return {
        "topic": of.topic.id,
        "conclusion": None if answer is None else answer.words,
        "verdict": None if answer is None or answer.verdict is None else answer.verdict.label,
        "sentence": of.sentence,
        "servers": [
            {
                "server": found.name,
                "conclusion": each.conclusion,
                "verdict": None if each.verdict is None else each.verdict.label,
                "sentence": each.sentence,
            }
            for found, each in of.answers
            if found.name
        ],
    }


def effect_to_json(of: Effect) -> dict[str, Any]:
    """What an answer changed on the board, and the verdict before and after."""
    return {
        "changes": list(of.changes),
        "verdict_before": of.was,
        "verdict_after": of.now,
        "sentence": of.outcome,
    }


def table_to_csv(table: AdviceTable) -> str:
    """A table of an answer as CSV with names of its columns for programs; no cell is a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([each.id for each in table.columns])
    for row in table.rows:
        plain = map(_plain, row)
        writer.writerow([inert(cell) if isinstance(cell, str) else cell for cell in plain])
    return out.getvalue()


def _plain(cell: Cell) -> str | float | None:
    """A cell as CSV and JSON have it."""
    if isinstance(cell, Shown):
        return cell.words
    return cell if isinstance(cell, str) else _exact(cell)


def _number(each: AdviceNumber) -> dict[str, Any]:
    found = {
        "id": each.id,
        "label": each.label,
        "value": _exact(each.value),
        "unit": each.unit,
        "basis": each.basis.label,
        "source": each.source,
    }
    if each.low is not None:
        found |= {"low": _exact(each.low), "high": _exact(each.high)}
    return found | ({"note": each.note} if each.note else {})


def _exact(value: float | None) -> float | None:
    """A number as `rounded`, a whole one with all its digits: bytes and users are counted."""
    whole = value is not None and abs(value) <= MOST_EXACT and float(value).is_integer()
    return float(value or 0.0) if whole else rounded(value)


def _table(table: AdviceTable) -> list[dict[str, Any]]:
    names = [each.id for each in table.columns]
    return [
        {name: _plain(cell) for name, cell in zip(names, row, strict=True)} for row in table.rows
    ]


# --- kept with a project ------------------------------------------------------------------------


def kept_inputs(entry: Entry) -> dict[str, bytes]:
    """Inputs of the advisors whose answers the proposal is to have, as JSON by topic."""
    found: dict[str, bytes] = {}
    for record in entry.records_of(ADVICE):
        content = msgspec.json.decode(record.content, type=dict[str, Any])
        if isinstance(content.get("topic"), str) and isinstance(content.get("inputs"), dict):
            found[content["topic"]] = msgspec.json.encode(content["inputs"])
    return found


def with_inputs(project: Project, id: str, topic: str, inputs: bytes | None) -> Project:
    """The project with these inputs of a topic beside a scenario; None: without."""
    kept = kept_inputs(project.entry(id))
    kept.pop(topic, None)
    if inputs is not None:
        kept[topic] = inputs
    contents = [
        msgspec.json.encode({"topic": name, "inputs": msgspec.Raw(given)}).decode()
        for name, given in kept.items()
    ]
    return project.with_records(id, ADVICE, contents)

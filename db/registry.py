"""A registry of scores as a JSON file, and the files of ``score --json`` that add up to it.

A registry has no name of a customer, project or server, and no absolute load; it stays where it is
written, and can be handed on.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from db.door import content
from db.errors import StoreError, bounded
from db.plain import plain
from db.score import FORMAT as SCORE
from db.score import score_to_json
from models.against.registry import Ratio, ScoredProject, added_up
from models.base.rounding import rounded
from models.base.texts import joined, say
from models.customer.score import Score
from models.scenario.scenario import LoadBasis
from models.scenario.workloads import WorkloadKind

FORMAT, VERSION = "headroom-registry", 1
MOST_BYTES = 64 * 2**20
MOST_PROJECTS, MOST_FIGURES = 10_000, 100_000
DIGITS = 4
"""Of a ratio: what it was measured to, and too few to tell a load from."""


class _Quantity(msgspec.Struct):
    value: float | None = None
    low: float | None = None
    high: float | None = None


class _Figure(msgspec.Struct):
    id: str
    quantity: str
    measured: float
    predicted: _Quantity
    kind: str = ""


class _Score(msgspec.Struct):
    format: str
    version: int
    model_version: str
    servers: list[_Figure]
    load_basis: LoadBasis | None = None
    benchmark_derating: float | None = None
    is_shifted: bool | None = None


class _Ratio(msgspec.Struct, forbid_unknown_fields=True):
    server: int
    quantity: str
    measured: float
    low: float
    high: float


class _Project(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    model_version: str
    load_basis: LoadBasis
    benchmark_derating: float
    figures: list[_Ratio]


class _Registry(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    version: int
    projects: list[_Project]


class _Header(msgspec.Struct):
    format: str = ""
    version: int = 0


def read_scored(path: str | Path) -> tuple[ScoredProject, ...]:
    """The projects of a registry, or the one of a score.

    Raises:
        StoreError: it is neither, or a score that can't be added.
    """
    data = content(path, MOST_BYTES, say("is larger than any registry"))
    data = data.removeprefix(b"\xef\xbb\xbf")
    with bounded(path):
        header = _decoded(data, _Header, path)
        if header.format not in {SCORE, FORMAT}:
            words = joined(", ", (SCORE, FORMAT))
            raise StoreError(say("must be one of {words}", words=words), path, field="format")
        if header.version != VERSION:
            raise StoreError(say("must be {version}", version=VERSION), path, field="version")
        if header.format == SCORE:
            return (_scored(_decoded(data, _Score, path), path),)
        return _kept(_decoded(data, _Registry, path), path)


def scored_of(score: Score, model_version: str) -> ScoredProject | None:
    """A score as a registry keeps it; None where nothing in it is of the model.

    Raises:
        StoreError: its predictions are shifted to its site.
    """
    found = msgspec.convert(plain(score_to_json(score, model_version)), _Score)
    return _scored(found, score.scenario.name) if any(map(_is_of_model, found.servers)) else None


def _decoded(data: bytes, kind: Any, path: str | Path) -> Any:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        reason, _, place = str(error).partition(" - at `$")
        field = place.rstrip("`").lstrip(".")
        if isinstance(error, msgspec.ValidationError):
            raise StoreError(
                say("is no registry and no score: {why}", why=reason), path, field=field
            ) from None
        raise StoreError(say("is no valid JSON"), path) from None


def _scored(score: _Score, path: str | Path) -> ScoredProject:
    """A score without its names.

    Raises:
        StoreError: it doesn't say what its predictions are of, or they aren't the model's own.
    """
    if score.load_basis is None or score.benchmark_derating is None or score.is_shifted is None:
        reason = say("is not said: it was written by an older version; make the score again")
        raise StoreError(reason, path, field="load_basis")
    if score.is_shifted:
        reason = say("its predictions are shifted to its site, and say nothing of the model")
        raise StoreError(reason, path, field="is_shifted")
    if len(score.servers) > MOST_FIGURES:
        raise StoreError(say("has too many entries"), path, field="servers")
    own = [each for each in score.servers if _is_of_model(each)]
    if not own:
        raise StoreError(say("holds no measured Domino server with a prediction"), path)
    ids = sorted({each.id for each in own})
    ratios = [_ratio(each, ids.index(each.id)) for each in own]
    # In an order that is not that of names either.
    ratios.sort(key=lambda each: (each.quantity, each.measured, each.low, each.high))
    order = {old: new for new, old in enumerate(dict.fromkeys(each.server for each in ratios), 1)}
    figures = tuple(_renumbered(each, order) for each in ratios)
    project = ScoredProject(
        id="",
        model_version=score.model_version,
        load_basis=score.load_basis,
        benchmark_derating=score.benchmark_derating,
        figures=figures,
    )
    return _with_id(project)


def _is_of_model(each: _Figure) -> bool:
    """Whether it sets a load against the model: of a Domino server with users, not of a figure of
    its own, with an interval."""
    try:
        is_domino = WorkloadKind(each.kind).is_domino
    except ValueError:
        return False
    found = each.predicted
    if found.value is None or found.low is None or found.high is None:
        return False
    return is_domino and each.measured > 0 and 0 < found.low < found.high and found.value > 0


def _ratio(each: _Figure, server: int) -> Ratio:
    found = each.predicted
    value = found.value or 1.0  # `_is_of_model` has seen that all three are there
    measured, low, high = (
        rounded(end / value, DIGITS)
        for end in (each.measured, found.low or value, found.high or value)
    )
    return Ratio(server=server, quantity=each.quantity, measured=measured, low=low, high=high)


def _renumbered(each: Ratio, order: Mapping[int, int]) -> Ratio:
    return replace(each, server=order[each.server])


def _with_id(project: ScoredProject) -> ScoredProject:
    plain = json.dumps(_project_to_json(project), sort_keys=True)
    digest = hashlib.sha256(plain.encode()).hexdigest()[:16]
    return replace(project, id=digest)


def _kept(registry: _Registry, path: str | Path) -> tuple[ScoredProject, ...]:
    if len(registry.projects) > MOST_PROJECTS:
        raise StoreError(say("has too many entries"), path, field="projects")
    if sum(len(each.figures) for each in registry.projects) > MOST_FIGURES:
        raise StoreError(say("has too many entries"), path, field="figures")
    return tuple(
        _project(each, f"projects[{index}]", path) for index, each in enumerate(registry.projects)
    )


def _project(each: _Project, place: str, path: str | Path) -> ScoredProject:
    for at, figure in enumerate(each.figures):
        ends = (figure.low, figure.measured, figure.high)
        if not all(math.isfinite(end) and 1e-6 <= end <= 1e6 for end in ends) or not (
            figure.low < figure.high
        ):
            raise StoreError(say("is no ratio"), path, field=f"{place}.figures[{at}]")
    if not 1.0 <= each.benchmark_derating <= 1000.0:
        raise StoreError(say("must be from 1 to 1,000"), path, field=f"{place}.benchmark_derating")
    return ScoredProject(
        id=each.id[:64],
        model_version=each.model_version[:64],
        load_basis=each.load_basis,
        benchmark_derating=each.benchmark_derating,
        figures=tuple(
            Ratio(
                server=figure.server,
                quantity=figure.quantity[:64],
                measured=figure.measured,
                low=figure.low,
                high=figure.high,
            )
            for figure in each.figures
        ),
    )


def registry_to_json(projects: tuple[ScoredProject, ...]) -> dict[str, Any]:
    """The registry as a file holds it."""
    found = [{"id": each.id, **_project_to_json(each)} for each in added_up(projects)]
    return {"format": FORMAT, "version": VERSION, "projects": found}


def _project_to_json(each: ScoredProject) -> dict[str, Any]:
    return {
        "model_version": each.model_version,
        "load_basis": each.load_basis.value,
        "benchmark_derating": each.benchmark_derating,
        "figures": [
            {
                "server": figure.server,
                "quantity": figure.quantity,
                "measured": figure.measured,
                "low": figure.low,
                "high": figure.high,
            }
            for figure in each.figures
        ],
    }

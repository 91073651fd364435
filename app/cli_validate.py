"""``validate``: the accuracy table of the model, as text and as JSON."""

from __future__ import annotations

import json

from app.cli_text import text_lines
from app.render.terminal import sections_text
from models.base.texts import Numeral, Text, joined, say, say_many
from models.fitting.validation import (
    ALL,
    BEYOND,
    INSIDE,
    RUN,
    SERIES_SPLIT,
    TRANSFER,
    Validation,
)
from models.scenario.wording import number
from models.tell.accuracy import headline_sections

SPLITS = {
    INSIDE: say("inside"),
    BEYOND: say("beyond"),
    SERIES_SPLIT: say("series"),
    TRANSFER: say("transfer"),
    RUN: say("run"),
}


def validation_json(validation: Validation, *, model_version: str) -> str:
    """The validation as the JSON object of ``validate --json``."""
    data = {"model_version": model_version} | validation.to_data()
    return json.dumps(data, ensure_ascii=False)


def validation_text(validation: Validation) -> Text:
    """The accuracy for a terminal, and what could not be checked."""
    below = text_lines((pooled(validation), past_limit(validation)))
    return joined("\n", (sections_text(headline_sections(validation, 0)), below))


def past_limit(validation: Validation) -> Text:
    """Which measured responses are predicted over 1 s when they are held out."""
    over: dict[str, list[str]] = {}
    for point in validation.points:
        if point.quantity == "response_ms" and point.predicted > LIMIT_MS:
            measured = Numeral(f"{point.measured:g}")
            head = say("{point}, {ms} ms measured", point=point.evidence, ms=measured)
            predicted, split = number(point.predicted), SPLITS[point.split]
            over.setdefault(head, []).append(say("{ms} ms ({split})", ms=predicted, split=split))
    if not over:
        return joined(" ", (_FITTED, say("Nor is any that is left out of the fit.")))
    parts = [
        say("{point}, {found} predicted", point=head, found=joined(say(" and "), found))
        for head, found in over.items()
    ]
    left_out = say_many(
        "Left out of the fit, {count} would be: {points}.",
        "Left out of the fit, {count} would be: {points}.",
        len(over),
        points=joined("; ", parts),
    )
    return joined(" ", (_FITTED, left_out))


_FITTED = say("The fit to all points predicts no measured response over 1 s.")


LIMIT_MS = 1000.0


def pooled(validation: Validation) -> Text:
    """How many held-out points lie inside their intervals."""
    rows = {(row.quantity, row.split): row for row in validation.coverage()}
    whole = rows[ALL, ALL]
    parts = [
        say("{inside} of {n} for {quantity}", inside=row.inside, n=row.n, quantity=quantity)
        for (quantity, split), row in rows.items()
        if split == ALL and quantity != ALL
    ]
    return say(
        "{inside} of {n} held-out points lie inside their 90 % intervals, {share} % ({parts}).",
        inside=whole.inside,
        n=whole.n,
        share=number(whole.coverage_pct, 1),
        parts=joined(", ", parts),
    )

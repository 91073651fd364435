"""docs/accuracy.md made again, and the errors that were accepted at last.

``python -m tests.app.accuracy`` writes the page and leaves the accepted errors alone, so that a
model that errs more doesn't make its own errors the measure. With ``--accept`` it lowers those
that have become smaller. A larger one is accepted by hand, in `accepted_errors.json`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from app.calibrated import shipped_validation
from models.fitting.validation import Accuracy
from tests.app.accuracy_page import accuracy_page

PAGE = Path(__file__).parents[2] / "docs" / "accuracy.md"
RECORD = Path(__file__).parent / "accepted_errors.json"
MOST_WORSE_PCT = 2.0

Errors = dict[str, dict[str, float]]
"""Mean error [%] and log error of each quantity and split, such as ``cpu_pct inside``."""


def errors_of(accuracy: Sequence[Accuracy]) -> Errors:
    """What the model errs by today."""
    return {
        f"{row.quantity} {row.split}": {
            "mean_pct": round(row.mape_pct, 2),
            "log_error": round(row.log_error, 4),
        }
        for row in accuracy
    }


def accepted() -> Errors:
    """What is on record."""
    found: Errors = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def lowered(before: Errors, today: Errors) -> Errors:
    """The smaller of each error on record and today's; one that only one of them has as it is."""
    return before | {
        row: before.get(row, {})
        | {name: min(before.get(row, {}).get(name, now), now) for name, now in found.items()}
        for row, found in today.items()
    }


def worsened(before: Errors, today: Errors) -> list[str]:
    """Errors that are more than 2 points above those on record, not on it, or no longer known."""
    most = {"mean_pct": MOST_WORSE_PCT, "log_error": MOST_WORSE_PCT / 100}
    found = {
        (row, name): (before.get(row, {}).get(name), today.get(row, {}).get(name))
        for row in before | today
        for name in most
    }
    return [
        f"{row} {name}: {'none' if now is None else now}, accepted {'none' if was is None else was}"
        for (row, name), (was, now) in found.items()
        if was is None or now is None or not now <= was + most[name]
    ]


def main(arguments: Sequence[str]) -> None:
    validation, today = shipped_validation(), datetime.now(tz=UTC).date()
    PAGE.write_text(accuracy_page(validation, on=today), encoding="utf-8", newline="\n")
    if "--accept" in arguments:
        text = json.dumps(lowered(accepted(), errors_of(validation.accuracy)), indent=2)
        RECORD.write_text(text + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])

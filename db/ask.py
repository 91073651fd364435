"""The next best questions as the list that ``ask --json`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from db.prediction import rounded
from models.ask import Question


def questions_to_json(found: Sequence[Question]) -> list[dict[str, Any]]:
    """`subject` is the first of `subjects`, empty for the scenario's own inputs; `turns` lists
    verdicts other than now's that the answer may bring."""
    return [
        {
            "input": each.input,
            "subject": each.subjects[0] if each.subjects else "",
            "subjects": list(each.subjects),
            "what": str(each.what),
            "narrows_pct": rounded(each.narrows_pct),
            "turns": [verdict.label for verdict in each.turns],
            "system": str(each.system),
            "command": each.command,
        }
        for each in found
    ]

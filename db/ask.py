"""The next best questions as the list that ``ask --json`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from db.plain import told
from models.customer.value_of_information import Question


def questions_to_json(found: Sequence[Question]) -> list[dict[str, Any]]:
    """`subject` is the first of `subjects`, empty for the scenario's own inputs; `turns` lists
    verdicts other than now's that the answer may bring."""
    return [
        told(each, "input")
        | {"subject": each.subjects[0] if each.subjects else ""}
        | told(each, "subjects", "what", "narrows_pct", "turns", "system", "command")
        for each in found
    ]

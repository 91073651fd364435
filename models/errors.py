"""The one kind of error a scenario can cause: it describes something impossible."""

from __future__ import annotations

from models.texts import joined


class ModelError(ValueError):
    """A scenario, catalog entry or network that cannot exist.

    Attributes:
        field: path of the offending field, such as ``vms[3].workload.active_users``;
            empty when the whole value is meant.
        reason: one clause in plain words, such as ``must be ≥ 0``.
        text: field and reason, as `str` has them, to be said in the language of a window.
    """

    def __init__(self, reason: str, *, field: str = "") -> None:
        self.field = field
        self.reason = reason
        self.text = joined(": ", (field, reason)) if field else reason
        super().__init__(self.text)

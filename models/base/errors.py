"""The one kind of error a scenario can cause: it describes something impossible."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from models.base.texts import SpokenError, joined, say


class ModelError(SpokenError, ValueError):
    """A scenario, catalog entry or network that cannot exist.

    Attributes:
        field: path of the offending field, such as ``vms[3].workload.active_users``;
            empty when the whole value is meant.
        reason: one clause in plain words, such as ``must be ≥ 0``.
        text: field and reason, as `str` has them.
    """

    def __init__(self, reason: str, *, field: str = "") -> None:
        self.field = field
        self.reason = reason
        self.text = joined(": ", (field, reason)) if field else reason
        super().__init__(self.text)


def no_such(what: str, name: str, known: Iterable[str], *, field: str) -> ModelError:
    """Refusal of a name in a question; `what` it names, `known` is what there is of it."""
    reason = say("there is no {what} “{name}”", what=what, name=name)
    names = tuple(known)
    if len(names) <= _MOST_NAMED:
        only = say("{reason}, only {names}", reason=reason, names=joined(", ", names))
        return ModelError(only if names else reason, field=field)
    near = get_close_matches(name, names, n=1, cutoff=0.75)
    hint = say(", did you mean “{near}”?", near=near[0]) if near else ""
    return ModelError(joined("", (reason, hint)), field=field)


_MOST_NAMED = 12
_KINDS = {
    "cluster": say("cluster"),
    "host": say("host"),
    "pool": say("pool"),
    "VM": say("VM"),
    "server": say("server"),
    "hypervisor": say("hypervisor"),
    "array": say("array"),
    "disk": say("disk"),
    "RAID level": say("RAID level"),
}


def kind_words(kind: str) -> str:
    """What there is none of, to be said in the language of a window."""
    return _KINDS.get(kind, kind)

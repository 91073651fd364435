"""Answers that many tests wait for and none is about: worked out once, and kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from models.catalog.catalog import Catalog
from models.evidence.knowledge import Knowledge


def kept(
    search: Callable[..., Any], but: Callable[..., object] = lambda *rest, **named: None
) -> Callable[..., Any]:
    """A pure search that answers at once where it was asked the same before.

    Of what it is about, the catalog and the calibration; whatever else it is given follows from
    these, but for what `but` makes of it. A catalog is another object in each session: the same
    is one with equal entries.
    """
    known: list[tuple[Any, object, Knowledge, Any]] = []

    def asked(about: Any, knowledge: Knowledge, *rest: Any, **named: Any) -> Any:
        if "check" in named:
            named["check"]()
        more = but(*rest, **named)
        for before, with_more, earlier, answer in known:
            if (
                with_more == more
                and earlier.calibration is knowledge.calibration
                and before == about
                and _are_equal(earlier.catalog, knowledge.catalog)
            ):
                return answer
        answer = search(about, knowledge, *rest, **named)
        known.append((about, more, knowledge, answer))
        return answer

    return asked


def _are_equal(one: Catalog, other: Catalog) -> bool:
    return all(getattr(one, kind) == getattr(other, kind) for kind in one.__slots__)

"""Answers that many tests wait for and none is about: worked out once, and kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from models.catalog.catalog import Catalog


def kept(search: Callable[..., Any]) -> Callable[..., Any]:
    """A pure search that answers at once where it was asked the same before.

    Of what it is about, the catalog and the calibration; whatever else it is given follows from
    these. A catalog is another object in each session: the same is one with equal entries.
    """
    known: list[tuple[Any, Catalog, Any, Any]] = []

    def asked(about: Any, catalog: Catalog, calibration: Any, *rest: Any, **named: Any) -> Any:
        if "check" in named:
            named["check"]()
        for before, with_entries, constants, answer in known:
            if constants is calibration and before == about and _are_equal(with_entries, catalog):
                return answer
        answer = search(about, catalog, calibration, *rest, **named)
        known.append((about, catalog, calibration, answer))
        return answer

    return asked


def _are_equal(one: Catalog, other: Catalog) -> bool:
    return all(getattr(one, kind) == getattr(other, kind) for kind in one.__slots__)

"""Sweeps of which every run takes some cases, and `make test-slow` all."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def some(all: Iterable[Any], every: int = 4) -> list[ParameterSet]:
    """Every case; all but one in `every` are `slow`: what breaks one breaks its neighbours."""
    cases = list(all)
    return often(cases, cases[::every])


def often(all: Iterable[Any], now: Collection[Any]) -> list[ParameterSet]:
    """Every case; those that are not among `now` are `slow`.

    A case that is several values is a tuple of them, as in `parametrize`.
    """
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if case in now else pytest.mark.slow,
        )
        for case in all
    ]

"""Sweeps of which every run takes some cases, and `make test-slow` all."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


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

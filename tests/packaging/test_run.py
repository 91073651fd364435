"""What `make test` makes of failed tests: once more alone, and only those."""

from __future__ import annotations

import pytest

from tests.packaging.loading import load

RUN = load("run")


@pytest.mark.parametrize(
    ("statuses", "passes"),
    [((0,), True), ((1, 0), True), ((1, 1), False), ((2,), False), ((3,), False), ((5,), False)],
)
def test_failed_tests_get_one_more_chance_and_nothing_else_does(
    monkeypatch: pytest.MonkeyPatch, statuses: tuple[int, ...], passes: bool
) -> None:
    left, calls = list(statuses), []

    def in_venv(*arguments: str) -> int:
        calls.append(arguments)
        return left.pop(0)

    monkeypatch.setattr(RUN, "in_venv", in_venv)
    assert RUN.tested() is passes
    assert not left
    assert ["--last-failed" in call for call in calls] == [False, True][: len(calls)]

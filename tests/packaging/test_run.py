"""What `make test` makes of failed tests: once more alone, and only those."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.packaging.loading import load

RUN = load("run")


def asked(monkeypatch: pytest.MonkeyPatch, statuses: tuple[int, ...]) -> list[tuple[str, ...]]:
    """What is called in the environment from now on; each call ends with the next status."""
    left, calls = list(statuses), []

    def in_venv(*arguments: str) -> int:
        calls.append(arguments)
        return left.pop(0)

    monkeypatch.setattr(RUN, "in_venv", in_venv)
    return calls


@pytest.mark.parametrize(
    ("statuses", "passes"),
    [((0,), True), ((1, 0), True), ((1, 1), False), ((2,), False), ((3,), False), ((5,), False)],
)
def test_failed_tests_get_one_more_chance_and_nothing_else_does(
    monkeypatch: pytest.MonkeyPatch, statuses: tuple[int, ...], passes: bool
) -> None:
    calls = asked(monkeypatch, statuses)
    assert RUN.tested() is passes
    assert ["--last-failed" in call for call in calls] == [False, True][: len(statuses)]


@pytest.mark.parametrize(("statuses", "passes"), [((0,), True), ((2, 0), True), ((1, 1), False)])
def test_types_are_checked_alone_where_helpers_fail(
    monkeypatch: pytest.MonkeyPatch, statuses: tuple[int, ...], passes: bool
) -> None:
    calls = asked(monkeypatch, statuses)
    assert RUN.typed() is passes
    assert ["--num-workers" in call for call in calls] == [True, False][: len(statuses)]


def test_unsteady_tests_are_counted_and_named_at_the_end(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As they were after the first run: the second one, when they pass, empties the list."""
    noted, left = tmp_path / "lastfailed", [1, 0]

    def in_venv(*_arguments: str) -> int:
        status = left.pop(0)
        noted.write_text('{"tests/b.py::test_b": true, "tests/a.py::test_a": true}' * status)
        return status

    monkeypatch.setattr(RUN, "LAST_FAILED", noted)
    monkeypatch.setattr(RUN, "in_venv", in_venv)
    assert RUN.tested()
    assert capsys.readouterr().out.endswith(
        "unsteady, failed side by side and passed alone: 2\n"
        "  tests/a.py::test_a\n  tests/b.py::test_b\n"
    )

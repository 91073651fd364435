"""A process beside this one answers; whatever ends it is told, and this one goes on."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest

from db.aside import Aside, Died, Limits

MODULE = "tests.db.answering"
BOUND = pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds a process so")


@pytest.fixture
def aside() -> Iterator[Aside]:
    made = Aside(MODULE, Limits(megabytes=120, seconds=1.0))
    yield made
    made.close()
    assert not made.is_there


def test_questions_are_answered_one_after_the_other(aside: Aside) -> None:
    assert aside.ask([b"a", b"", b"b" * 100_000]) == [b"b" * 100_000, b"", b"a"]
    assert aside.ask([b"again"]) == [b"again"]
    assert aside.is_there


@BOUND
def test_it_has_so_much_memory_and_no_more(aside: Aside) -> None:
    with pytest.raises(Died) as death:
        aside.ask([b"memory"])
    assert death.value.of_memory
    assert not aside.is_there


@BOUND
def test_it_has_so_much_time_and_no_more(aside: Aside) -> None:
    with pytest.raises(Died) as death:
        aside.ask([b"time"])
    assert death.value.of_time
    assert not death.value.of_memory


@BOUND
def test_it_has_no_network(aside: Aside) -> None:
    assert aside.ask([b"net"]) == [b"PermissionError"]


@pytest.mark.parametrize("end", [b"abort", b"leave"])
def test_who_ends_without_an_answer_is_gone(aside: Aside, end: bytes) -> None:
    with pytest.raises(Died) as death:
        aside.ask([end])
    assert not death.value.of_memory
    assert not aside.is_there


def test_what_is_printed_is_no_answer(aside: Aside) -> None:
    assert aside.ask([b"lie"]) == [b"lie"]


def test_nobody_waits_for_what_is_not_wanted_any_more(aside: Aside) -> None:
    class GivenUp(Exception):
        pass

    asked = threading.Event()

    def check() -> None:
        if asked.is_set():
            raise GivenUp
        asked.set()

    with pytest.raises(GivenUp):
        aside.ask([b"time"], check)
    assert not aside.is_there


def test_it_goes_with_who_made_it() -> None:
    threads = threading.active_count()
    made = Aside(MODULE, Limits(megabytes=120, seconds=1.0))
    assert made.ask([b"a"]) == [b"a"]
    del made
    assert threading.active_count() == threads

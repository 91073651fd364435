"""Freed memory is given back where the system has a way to."""

from __future__ import annotations

import platform

from app.memory import give_back


def test_it_is_given_back_to_glibc_and_elsewhere_left_alone() -> None:
    assert give_back() is (platform.libc_ver()[0] == "glibc")

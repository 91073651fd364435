"""The tree that arrives at a screen reader, read by another process over AT-SPI."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.packaging.loading import load

AT_SPI = load("at_spi")
NODE = AT_SPI.Node("push button", "", "", None, "", frozenset({"showing", "focusable"}), ())


def test_a_button_without_a_name_is_a_fault_and_a_hidden_one_is_not() -> None:
    hidden = AT_SPI.Node("push button", "", "", None, "", frozenset({"focusable"}), ())
    named = AT_SPI.Node("push button", "Copy", "", None, "", frozenset({"showing"}), ())
    assert NODE.fault == "no name"
    assert not hidden.fault
    assert not named.fault


@pytest.mark.slow
def test_every_page_says_role_name_and_value() -> None:
    if lacking := AT_SPI.missing():
        pytest.skip(f"the tree can't be read: {lacking}")
    script = str(AT_SPI.__file__)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout

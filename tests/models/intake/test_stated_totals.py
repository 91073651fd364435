"""Totals alone, as a text states them."""

from __future__ import annotations

import pytest

from models.base.errors import ModelError
from models.intake.stated_totals import totals_of


@pytest.mark.parametrize(
    "text", ["vms=10,vms=20,vcpus=40,ram_gib=80", "vms=10,vcpus=40,ram_gib=80,ram_tib=1"]
)
def test_a_total_that_is_stated_twice_is_refused(text: str) -> None:
    with pytest.raises(ModelError, match="twice"):
        totals_of(text)

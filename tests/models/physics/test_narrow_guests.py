"""32-bit guests: what of their memory counts, with PAE and without."""

from __future__ import annotations

import pytest

from tests.models.worlds import a_scenario, a_vm, found, inputs_of, predict


@pytest.mark.parametrize(
    ("bits", "pae", "ram_gib", "counted"),
    [
        (32, True, 6.0, 6.0),
        (32, True, 14.5, 6.0),
        (32, None, 14.5, 6.0),
        (32, False, 6.0, 4.0),
        (32, False, 2.0, 2.0),
        (64, False, 14.5, 14.5),
        (None, False, 14.5, 14.5),
    ],
)
def test_what_of_the_memory_counts(
    bits: int | None, pae: bool | None, ram_gib: float, counted: float
) -> None:
    vm = a_vm(guest_bits=bits, guest_pae=pae, ram_gib=ram_gib)
    assert inputs_of(a_scenario(vms=(vm,))).ram_gib.tolist() == [counted]


@pytest.mark.parametrize(
    ("pae", "ram_gib", "said"),
    [
        (True, 6.0, ""),
        (True, 8.0, "with PAE"),
        (None, 6.0, "it isn’t said whether"),
        (False, 6.0, "without PAE"),
        (False, 4.0, ""),
    ],
)
def test_memory_that_is_not_used_is_warned_of(pae: bool | None, ram_gib: float, said: str) -> None:
    vm = a_vm(guest_bits=32, guest_pae=pae, ram_gib=ram_gib)
    texts = [f.text for f in found(predict(a_scenario(vms=(vm,))), "guest-32-over-4-gib")]
    assert [said in text for text in texts] == [True] * bool(said)

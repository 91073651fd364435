"""Family F: kernel time per I/O, and what it says of family A's RAM."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.calibrated import shipped_calibration, shipped_evidence
from models.evidence.kernel_io import (
    cpu_ms_per_io,
    cpu_over_ram,
    native_kernel_share,
    virtual_kernel_share,
)
from models.evidence.rows import by_id, figure

CALIBRATION = shipped_calibration()
KERNEL = CALIBRATION.constants.kernel


def test_the_copy_moves_what_the_file_holds() -> None:
    rows = by_id(shipped_evidence())
    written = sum(figure(rows, f"technote/vmstat/cp/{i}/bo") for i in range(1, 7)) * 2.0
    file_kib = (
        figure(rows, "technote/dd-block-count") * figure(rows, "technote/dd-block-size") / 1024
    )
    assert written == pytest.approx(file_kib, rel=0.002)
    assert KERNEL.copy_cpu_s_per_mib.value == pytest.approx(6.9 / 357.5, rel=1e-3)


def test_kernel_time_costs_some_27_times_as_much_in_a_vm() -> None:
    assert KERNEL.kernel_multiplier.value == pytest.approx(np.sqrt(30 * 50 / (1 * 2)))


@given(st.floats(1.0, 10.0), st.floats(10.5, 100.0))
def test_the_shares_make_up_the_esx_factor(esx: float, multiplier: float) -> None:
    kernel = float(native_kernel_share(esx, multiplier))
    assert 1.0 - kernel + kernel * multiplier == pytest.approx(esx)
    assert 0.0 <= float(virtual_kernel_share(esx, multiplier)) <= 1.0


@pytest.mark.parametrize("multiplier", [15.0, 27.4, 50.0])
def test_the_multiplier_hardly_matters_for_ram(multiplier: float) -> None:
    """Corners of 30-50 % over 1-2 %: CPU falls to 0.82 or 0.83 all the same."""
    share = virtual_kernel_share(CALIBRATION.law.esx_cpu_factor, multiplier)
    exponent = CALIBRATION.law.miss_exponent
    fall = float(cpu_over_ram(2.0, kernel_share=share, miss_exponent=exponent))
    assert fall == pytest.approx(0.823, abs=0.004)


@given(st.floats(1.0, 64.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_more_ram_never_takes_more_cpu(ratio: float, share: float, exponent: float) -> None:
    fall = float(cpu_over_ram(ratio, kernel_share=share, miss_exponent=exponent))
    assert 1.0 / ratio - 1e-12 <= fall <= 1.0 + 1e-12


def test_cost_per_io_is_in_proportion_to_its_size() -> None:
    small, large = cpu_ms_per_io([8.0, 64.0], KERNEL.copy_cpu_s_per_mib.value)
    assert large == pytest.approx(8.0 * small)
    assert small == pytest.approx(0.075, abs=0.001)

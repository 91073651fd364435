"""The accuracy of the model as it is told."""

from __future__ import annotations

from models.fitting.validation import Accuracy
from models.scenario.wording import THIN
from models.tell.accuracy import accuracy_table, accuracy_words


def test_a_split_without_a_naive_curve_says_nothing_of_it() -> None:
    row = Accuracy(
        family="A",
        quantity="cpu_pct",
        split="series",
        n=35,
        mape_pct=4.2,
        median_ape_pct=2.5,
        p90_ape_pct=9.3,
        coverage_pct=97.1,
        log_error=0.04,
        bias=-0.03,
        parameters=14,
        baseline_mape_pct=None,
        baseline_log_error=None,
    )
    (shown,) = accuracy_table([row]).rows
    assert shown == (
        *("A", "CPU", "each whole series", "35", f"4.2{THIN}%", f"2.5{THIN}%", f"9.3{THIN}%"),
        *("–", "0.04", "–", "\N{MINUS SIGN}0.03", f"97{THIN}%", "14"),
    )
    assert "naive" not in accuracy_words(row)
    (short,) = accuracy_table([row], in_short=True).rows
    assert set(short) < set(shown)

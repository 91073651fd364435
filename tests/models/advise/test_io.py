"""I/O under ESX: pasted listings, and what they show."""

from __future__ import annotations

from typing import Any

import pytest

from app.cli_advise import knowledge
from models.advise.advice import Advice, advise
from models.advise.io import COLUMNS, TOPIC, IoDiagnosis, IoTest, VmstatRow, diagnosis_from_text
from models.base.errors import ModelError

HEAD = " ".join(COLUMNS)


def asked(**inputs: Any) -> Advice:
    return advise(TOPIC, IoDiagnosis(**inputs), knowledge())


def values(advice: Advice) -> dict[str, float | None]:
    return {each.id: each.value for each in advice.numbers}


def listing(name: str, count: int, between: str) -> str:
    """The note's own listing from the evidence."""
    rows = knowledge().rows
    named = {"swpd": "swpd_kb", "free": "free_kb", "buff": "buff_kb", "cache": "cache_kb"}
    named |= {each: f"{each}_pct" for each in ("us", "sy", "id", "wa", "st")}
    lines = (
        " ".join(
            f"{rows[f'technote/vmstat/{name}/{row}/{named.get(column, column)}'].value:.0f}"
            for column in COLUMNS
        )
        for row in range(1, count + 1)
    )
    return between.join(lines)


@pytest.mark.parametrize("between", ["\n", " "])
def test_the_first_listing_of_the_note(between: str) -> None:
    text = f"# vmstat 2\nprocs ---memory---\n{HEAD}{between}{listing('dd', 13, between)}"
    advice = advise(TOPIC, diagnosis_from_text(text), knowledge())
    found = values(advice)
    assert (found["rows"], found["rows_counted"], found["peak_kernel_pct"]) == (13, 12, 100)
    assert found["kernel_share_pct"] == pytest.approx(98.1, abs=0.05)
    assert advice.conclusion == "shows the problem"
    assert any("esxtop" in each for each in advice.next)


def test_a_listing_without_its_head_goes_on_from_another() -> None:
    text = f"vmstat 2\nprocs --- cpu\n{listing('cp', 6, chr(10))}"
    found = values(advise(TOPIC, diagnosis_from_text(text), knowledge()))
    assert found["rows_counted"] == 6
    assert found["written_mib"] == pytest.approx(357.5, abs=0.05)
    assert found["kernel_s"] == pytest.approx(6.90)
    assert found["kernel_ms_per_mib"] == pytest.approx(19.3, abs=0.05)


def test_a_file_of_dd() -> None:
    found = values(
        advise(TOPIC, diagnosis_from_text("dd if=/dev/zero bs=1024 count=365536"), knowledge())
    )
    assert found["file_bytes"] == 374_308_864
    assert found["file_mib"] == pytest.approx(356.97, abs=0.005)


def test_the_documented_ratios() -> None:
    found = {each.id: each for each in asked(cpu_pct=50.0).numbers}
    ratio = found["documented_ratio"]
    assert (ratio.low, ratio.high) == (15.0, 50.0)
    assert ratio.value == pytest.approx(27.4, abs=0.1)
    assert found["documented_linux_ratio"].value == pytest.approx(19.8)


@pytest.mark.parametrize(
    ("inputs", "word"),
    [
        ({"cpu_pct": 50.0, "kernel_pct": 50.0, "hypervisor": "esx-3.0.1"}, "shows the problem"),
        ({"cpu_pct": 97.0, "kernel_pct": 88.0, "test": IoTest.MAIL}, "shows the problem"),
        ({"esxtop_pct": 45.0}, "shows the problem"),
        ({"cpu_pct": 5.0, "kernel_pct": 5.0}, "no sign of it"),
        ({"cpu_pct": 60.0, "kernel_pct": 10.0}, "no sign of it"),
        ({"cpu_pct": 20.0}, "measure first"),
        ({"planned_iops": 100.0}, "measure first"),
    ],
)
def test_figures_are_judged(inputs: dict[str, Any], word: str) -> None:
    assert asked(**inputs).conclusion == word


def test_a_guests_figure_alone_asks_for_the_hosts() -> None:
    asks = [asked(cpu_pct=50.0, kernel_pct=50.0, **more) for more in ({}, {"esxtop_pct": 40.0})]
    assert [any("press d" in each for each in advice.next) for advice in asks] == [True, False]
    assert "may mislead" in asks[0].reasons[0]


def test_planned_io_costs_cores_under_early_esx_only() -> None:
    found = {each.id: each for each in asked(planned_iops=1000.0).numbers}
    cost = found["planned_cores"]
    assert (cost.low or 0) < (cost.value or 0) < (cost.high or 0)
    later = values(asked(planned_iops=1000.0, hypervisor="vsphere-8.0"))
    assert later["planned_cores"] is None


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("nothing of the kind", ""),
        (HEAD + " " + "1 " * 18, "rows"),
        (HEAD + " " + "999 " * 17, "rows"),
    ],
)
def test_what_is_no_listing_is_refused(text: str, field: str) -> None:
    with pytest.raises(ModelError) as refused:
        diagnosis_from_text(text)
    assert refused.value.field == field


def test_a_first_row_alone_is_refused() -> None:
    with pytest.raises(ModelError) as refused:
        asked(rows=(VmstatRow(us=1.0, sy=2.0),))
    assert refused.value.field == "rows"


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("CPU Usage 52 %\nKernel Times 50 %\n", "kernel_pct", 50.0),
        ("CPU-Auslastung: 52,5 %\n", "cpu_pct", 52.5),
        ("planned IOPS: 1,800\n", "planned_iops", 1800.0),
        ("374308864 bytes (374 MB) copied, 7.1 s, 52 MB/s\n", "file_bytes", 374_308_864.0),
    ],
)
def test_figures_as_tools_write_them(text: str, field: str, value: float) -> None:
    assert getattr(diagnosis_from_text(text), field) == value


def test_a_newer_vmstat_has_stamps_and_more_columns() -> None:
    text = """procs -----memory----- ---swap-- --io-- -system-- -------cpu------- ----timestamp----
 r  b  swpd  free  inact active si so bi bo in cs us sy id wa st gu                 UTC
 1  0     0  1234   1234   2345  0  0  4 43 44  7  6  5 89  0  0  0 2026-01-01 10:00:00
 2  0     0  1234   1234   2345  0  0  0 99 30 24  1 98  1  0  0  0 2026-01-01 10:00:02
"""
    rows = diagnosis_from_text(text).rows
    assert [(row.us, row.sy, row.bo) for row in rows] == [(6.0, 5.0, 43.0), (1.0, 98.0, 99.0)]

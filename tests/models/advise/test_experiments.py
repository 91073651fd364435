"""Old box and new box, raw devices and VMFS: the document's tables, counted."""

from __future__ import annotations

from typing import Any

import pytest

from app.cli_advise import knowledge
from models.advise import migration, storage_path
from models.advise.advice import Advice, advise
from models.advise.migration import Migration
from models.advise.storage_path import StoragePath, TestBed
from models.base.errors import ModelError
from models.predict.prediction import Verdict
from models.scenario.scenario import DiskMode
from models.tell.blocks import cell_text


def values(advice: Advice) -> dict[str, float | None]:
    return {each.id: each.value for each in advice.numbers}


def moved(**inputs: Any) -> Advice:
    return advise(migration.TOPIC, Migration(**inputs), knowledge())


def test_the_migration_table() -> None:
    found = values(moved())
    counts = [
        found[f"table_{kind}"] for kind in ("better", "worse", "doubted", "no_partner", "blank")
    ]
    assert counts == [10, 1, 1, 3, 3]
    assert (found["old_blank"], found["claim_pct"], found["beyond_claim"]) == (2, 30, 5)


@pytest.mark.parametrize(
    ("inputs", "change", "word"),
    [
        ({"users": 3000.0}, -54.8, "better"),
        ({"users": 4000.0, "new_ram_gib": 14.5}, -90.7, "better"),
        ({"users": 1000.0, "new_disk_mode": DiskMode.RDM}, 66.1, "worse"),
        ({"users": 2000.0, "new_ram_gib": 14.5}, -12.1, "better"),
    ],
)
def test_measured_pairs_come_first(inputs: dict[str, Any], change: float, word: str) -> None:
    advice = moved(**inputs)
    assert values(advice)["change_measured_pct"] == pytest.approx(change, abs=0.05)
    assert advice.conclusion == word


def test_what_was_not_measured_is_predicted() -> None:
    advice = moved(users=2500.0, new_server="r740-6148", new_hypervisor="vsphere-6.7")
    found = values(advice)
    assert found["change_measured_pct"] is None
    assert found["change_predicted_pct"] is not None
    with pytest.raises(ModelError) as refused:
        moved(new_hypervisor="none")
    assert refused.value.field == "new_hypervisor"


def test_ranges_that_overlap_tell_no_better_and_no_worse() -> None:
    """An x3650 M3 and an R760 answer in 11 to 526 and in 3 to 1,251 ms, or whatever it is."""
    advice = moved(
        old_server="x3650m3", new_server="r760-8592", new_hypervisor="vsphere-8.0",
        old_guest_bits=64, old_ram_gib=16.0, new_ram_gib=16.0,
    )  # fmt: skip
    assert advice.conclusion == "can’t be told"
    assert advice.verdict is Verdict.NOT_KNOWN
    (change,) = (each for each in advice.numbers if each.id == "change_predicted_pct")
    assert (change.low or 0.0) < 0.0 < (change.high or 0.0)


def test_ranges_that_lie_apart_do_tell() -> None:
    advice = moved(users=3900.0, new_ram_gib=14.5)
    assert advice.conclusion == "better"
    assert "predicted" in advice.sentence


def paths(**inputs: Any) -> Advice:
    return advise(storage_path.TOPIC, StoragePath(**inputs), knowledge())


def test_where_prose_and_tables_disagree_the_tables_count() -> None:
    found = values(paths())
    assert (found["rdm_less_cpu"], found["cpu_pairs"]) == (5, 10)
    assert (found["vmfs_faster_clovertown"], found["response_pairs_clovertown"]) == (7, 7)
    assert found["response_pairs_clovertown_doubted"] == 8
    assert (found["vmfs_faster_x366"], found["response_pairs_x366"]) == (2, 2)


def test_ratios_and_doubled_memory() -> None:
    found = values(paths())
    of_x366 = [
        [found[f"{path}_over_physical_x366_6gb_{users}"] for users in (1000, 2000, 3000)]
        for path in ("rdm", "vmfs")
    ]
    assert of_x366[0] == pytest.approx([2.44, 2.43, 2.52], abs=0.006)
    assert of_x366[1] == pytest.approx([2.49, 2.56, 2.69], abs=0.006)
    cpu = [
        [found[f"ram_doubled_{path}_cpu_pct_{users}"] for users in range(1000, 6000, 1000)]
        for path in ("rdm", "vmfs")
    ]
    assert cpu[0] == pytest.approx([-39.4, -37.5, -4.3, 38.0, 35.3], abs=0.05)
    assert cpu[1] == pytest.approx([-18.0, -15.8, -4.8, 15.3, 22.3], abs=0.06)


def test_a_blank_cell_is_no_data() -> None:
    found = values(paths(bed=TestBed.X366, users=4000))
    assert found["rdm_cpu_pct"] is None
    assert found["vmfs_response_ms"] is None


def test_response_against_that_without_esx() -> None:
    numbers = {each.id: each for each in paths().numbers}
    at = "response_over_physical_x366_6gb"
    assert numbers[f"rdm_{at}_3000"].value == pytest.approx(16.1, abs=0.05)
    assert numbers[f"vmfs_{at}_3000"].value == pytest.approx(5.8, abs=0.05)
    assert all((numbers[f"rdm_{at}_{users}"].value or 0.0) < 0.0 for users in (1000, 2000))
    assert numbers[f"vmfs_{at}_1000"].note == "doubted by its authors"
    assert numbers["ram_doubled_vmfs_response_ms_3000"].note == "doubted by its authors"
    assert not numbers["ram_doubled_rdm_response_ms_3000"].note


def test_the_model_stands_beside_what_was_measured() -> None:
    advice = moved()
    (table,) = advice.tables
    columns = [each.id for each in table.columns]
    found = [dict(zip(columns, row, strict=True)) for row in table.rows]
    turned = [
        (each["new_box"], each["users"])
        for each in found
        if cell_text(each["cell"]) in ("better", "worse")  # type: ignore[arg-type]
        and (each["change_pct"] < 0) != (each["predicted_pct"] < 0)  # type: ignore[operator]
    ]
    assert turned == [("RDM, 7.25 GB", 1000.0)]
    assert values(advice)["predicted_otherwise"] == 1.0

"""More rows than a scenario may have are refused before anything is made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from db.errors import StoreError
from db.importers.registry import read_files
from db.importers.watch import Watch
from models.base.errors import ModelError
from models.intake.mapping import imported
from models.intake.options import Options
from models.intake.records import Records
from resources.catalog_files import load_catalog, load_processors

VMS = 600


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "vms.csv"
    rows = (f"vm-{at},poweredOn,2,4096,esx-{at}" for at in range(VMS))
    file.write_text("\n".join(["VM,Powerstate,CPUs,Memory,Host", *rows]), encoding="utf-8")
    return file


def made(records: list[Records], **more: object) -> None:
    imported(records, Options(), load_catalog(), load_processors().values(), name="x", **more)  # type: ignore[arg-type]


def test_more_vms_than_a_scenario_has_are_refused_before_they_are_made(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("models.intake.mapping.MOST_ITEMS", VMS - 1)
    monkeypatch.setattr("models.intake.mapping._Work.scenario", None)
    with pytest.raises(ModelError, match="600 are more than a scenario may have, which is 599"):
        made(read_files([table], Watch()))


def test_more_rows_than_any_list_of_vms_are_not_read(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("inventory", "rvtools"):
        monkeypatch.setattr(f"db.importers.{name}.MOST_LISTED", VMS - 1)
    with pytest.raises(StoreError, match="has more than 599 rows"):
        read_files([table], Watch())


def test_making_a_scenario_can_be_given_up(table: Path) -> None:
    class GivenUp(Exception):
        pass

    asked = 0

    def check() -> None:
        nonlocal asked
        asked += 1
        if asked > 2:  # those that come before the first VM
            raise GivenUp

    records = read_files([table], Watch())
    with pytest.raises(GivenUp):
        made(records, check=check)

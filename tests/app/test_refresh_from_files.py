"""From an inventory to what replaces its hosts, on the command line: three commands, all held."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import DONE, main
from app.cli_file import given
from models.evidence.knowledge import Knowledge
from models.options.refresh import parts_of, refreshed
from models.options.requirement import Requirement
from tests.app.terminal import NoWindows
from tests.db.importers.centres import CENTRES, HOSTS, centres
from tests.models.held import check_held
from tests.models.worlds import CALIBRATION

ASSUMED = ("--assume-cpu", "10%", "--assume-iops", "0.3/GiB", "--disk", "used")


def told(*words: str) -> Any:
    out, err = io.StringIO(), io.StringIO()
    assert main([*words, "--json"], out, err, NoWindows()) == DONE, err.getvalue()
    return json.loads(out.getvalue())


def check_refreshed(folder: Path, *, vms: int, seed: int, parts: int | None) -> None:
    """Import, refresh, evaluate: totals are the file's, all of it fits, nothing is to spare."""
    file, project = centres(folder / "export.xlsx", vms=vms, seed=seed), folder / "site.json"
    taken = told("import", str(file), "-o", str(project), *ASSUMED)
    found = told("size", str(project), "--refresh", "-o", str(folder / "new.headroom"))
    assert taken["vms"]["taken"] == vms
    assert taken["totals"]["hosts"] == found["total"]["before"]["hosts"] == HOSTS
    assert found["total"]["before"]["cores"] == taken["totals"]["cores"]
    was, now = (json.loads(project.read_text())["vms"], found["scenario"]["vms"])
    for field in ("vcpus", "ram_gib"):
        assert sum(vm[field] for vm in was) == sum(vm[field] for vm in now)
    assert len(found["options"]) == len(CENTRES)
    sums = {
        field: sum(each["after"][field] for each in found["options"])
        for field in ("hosts", "cores", "ram_gib", "drives", "rack_units")
    }
    assert sums == {field: found["total"]["after"][field] for field in sums}
    assert sums["hosts"] == len(found["scenario"]["hosts"])
    (folder / "after.json").write_text(json.dumps(found["scenario"]))
    after = told("evaluate", str(folder / "after.json"))
    assert after["verdict"] == "fits"
    assert not [each for each in after["findings"] if each["severity"] == "error"]
    scenario = given(str(project), None).scenario
    catalog = given(str(project), None).catalog
    for part in parts_of(scenario)[:parts]:
        names = [each.name for each in part.now.clusters]
        again = refreshed(
            scenario, Knowledge(catalog, CALIBRATION), clusters=names, settled=Requirement()
        )
        check_held(again.parts[0], catalog)


@pytest.mark.slow
def test_an_inventory_becomes_designs_that_fit_with_nothing_to_spare(tmp_path: Path) -> None:
    check_refreshed(tmp_path, vms=50, seed=11, parts=1)


@pytest.mark.slow
@pytest.mark.parametrize(("vms", "seed"), [(50, 2), (258, 3), (500, 4), (1000, 5), (2000, 6)])
def test_inventories_of_all_sizes_become_designs(vms: int, seed: int, tmp_path: Path) -> None:
    check_refreshed(tmp_path, vms=vms, seed=seed, parts=None)

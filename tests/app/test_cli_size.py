"""``size`` at the command line, as far as it differs from the search itself."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli import DONE, main
from app.cli_size import example_text
from db.codec import scenario_to_json
from tests.app.terminal import NoWindows, refused
from tests.models.customer_site import two_sites
from tests.models.worlds import CATALOG


def test_a_search_that_takes_too_long_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.cli_size.DEADLINE_S", -1.0)
    file = tmp_path / "bank.json"
    file.write_text(example_text(), encoding="utf-8")
    said = refused("size", file)
    assert "takes more than -1 seconds: name fewer workloads" in said


def test_a_requirement_with_an_id_twice_names_the_second(tmp_path: Path) -> None:
    vm: dict[str, object] = {
        "id": "m",
        "name": "m",
        "host": None,
        "pool": None,
        "vcpus": 2,
        "ram_gib": 8,
    }
    vm |= {"disk_mode": "vmfs", "workload": {"kind": "generic", "cpu_mhz": 500}}
    asked = json.loads(example_text()) | {"vms": [vm, vm]}
    file = tmp_path / "bank.json"
    file.write_text(json.dumps(asked), encoding="utf-8")
    assert "vms[1].id: has an id twice" in refused("size", file)


def test_a_refresh_tells_each_site_as_it_is_found(tmp_path: Path) -> None:
    """On stderr, so that the answer stays whole."""
    path = tmp_path / "sites.json"
    path.write_bytes(scenario_to_json(two_sites(), CATALOG))
    out, err = io.StringIO(), io.StringIO()
    assert main(["size", str(path), "--refresh", "--json"], out, err, NoWindows()) == DONE
    names = [each["site_name"] for each in json.loads(out.getvalue())["options"]]
    lines = err.getvalue().splitlines()
    assert [line.partition(":")[0] for line in lines] == names


def test_hosts_of_an_age_are_replaced_and_named(tmp_path: Path) -> None:
    scenario = two_sites()
    hosts = tuple(
        replace(host, bought_year=1990 if host.cluster == "c0" else 2100) for host in scenario.hosts
    )
    path = tmp_path / "sites.json"
    path.write_bytes(scenario_to_json(replace(scenario, hosts=hosts), CATALOG))
    out, err = io.StringIO(), io.StringIO()
    words = ["size", str(path), "--refresh", "--older-than", "20"]
    assert main([*words, "--json"], out, err, NoWindows()) == DONE
    told = json.loads(out.getvalue())
    old = {host.id for host in hosts if host.cluster == "c0"}
    assert {each["id"] for each in told["age"]["replaced"]} == old
    assert told["total"]["before"]["hosts"] == len(old)
    assert told["stays"]["hosts"] == len(hosts) - len(old)


def test_where_no_host_is_so_old_nothing_is_looked_for(tmp_path: Path) -> None:
    path = tmp_path / "sites.json"
    path.write_bytes(scenario_to_json(two_sites(), CATALOG))
    said = refused("size", str(path), "--refresh", "--older-than", "90")
    assert "no host there is known to be older than 90 years" in said
    assert "--refresh alone" in refused("size", str(path), "--older-than", "5")

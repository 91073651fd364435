"""The worked examples: readable, possible, and true to the documents they tell of."""

from __future__ import annotations

import json
from typing import Any

import pytest

from db.codec import scenario_from_json
from models.base.quantities import NO_DATA
from models.catalog.catalog import Role
from models.check import check_scenario
from models.failure.mode import ModeKind
from models.predict.prediction import Verdict
from models.scenario.data_coverage import data_coverage
from models.scenario.inputs import origin_of
from models.scenario.origin import Origin
from models.scenario.scenario import DiskMode, LoadBasis, Posture, Scenario
from models.scenario.workloads import WorkloadKind
from models.tell.failures import failure_rows
from models.tell.headline import headline
from resources.catalog_files import load_catalog
from resources.example_files import ExampleFile, load_examples
from tests.models.worlds import predict

FILES = [file for example in load_examples() for file in example.files]


def scenario(name: str) -> Scenario:
    file = next(file for file in FILES if file.name == name)
    return scenario_from_json(file.text.encode(), name=file.name)


def test_the_stories() -> None:
    assert [e.id for e in load_examples()] == [
        "wv21-migration",
        "building-block",
        "sametime-100000",
        "production-today",
        "site-refresh",
    ]
    for example in load_examples():
        assert example.title
        assert len(example.story) > 100
        assert "\n" not in example.story


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_each_file_is_a_scenario_that_can_exist(file: ExampleFile) -> None:
    read = scenario_from_json(file.text.encode(), name=file.name)
    check_scenario(read, load_catalog())
    assert read.notes
    assert read.customer
    if read.policy.load_basis is LoadBasis.BENCHMARK:
        assert read.policy.benchmark_derating == 1.0


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_each_file_has_the_contracts_required_fields(file: ExampleFile) -> None:
    data: dict[str, Any] = json.loads(file.text)
    assert (data["format"], data["version"]) == ("headroom-scenario", 1)
    assert {"name", "hosts", "pools", "vms"} <= set(data)
    for vm in data["vms"]:
        assert {"host", "pool", "vcpus", "ram_gib", "disk_mode", "workload"} <= set(vm)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_memory_holds_on_every_host(file: ExampleFile) -> None:
    read = scenario_from_json(file.text.encode(), name=file.name)
    for host in read.hosts:
        assert sum(vm.ram_gib for vm in read.vms_on(host.id)) < host.ram_gib


def test_scenarios_of_one_project_have_names_of_their_own() -> None:
    for example in load_examples():
        names = [scenario(file.name).name for file in example.files]
        assert len(set(names)) == len(names)


def test_a_reference_system_is_not_passed_off_as_a_purchase() -> None:
    for file in FILES:
        if "intel-clovertown-whitebox" in file.text:
            assert "reference system" in scenario(file.name).notes


def test_wv21_as_documented() -> None:
    today, moved = scenario("wv21-today.json"), scenario("wv21-4000-users.json")
    assert today.vms[0].disk_mode is DiskMode.PHYSICAL
    assert (today.vms[0].ram_gib, today.vms[0].guest_bits) == (6, 32)
    assert today.vms[0].workload.active_users == 3000
    assert (moved.vms[0].vcpus, moved.vms[0].ram_gib) == (4, 14.5)
    assert moved.vms[0].disk_mode is DiskMode.VMFS
    assert moved.vms[0].workload.active_users == 4000
    assert scenario("wv21-6000-users.json").vms[0].workload.active_users == 6000
    for each in (today, moved):
        data, logs = each.pools
        assert (data.spindles, data.raid, data.disk) == (35, "5", "fc-15k-36gb")
        assert logs.raid == "1"
        assert each.vms[0].log_pool == logs.id
        assert each.vms[0].workload.mail_file_mb == 87.5
        assert each.vms[0].workload.release == "7.0.2"


def test_two_hosts_leave_room_for_every_vm_on_either() -> None:
    two = scenario("wv21-two-hosts.json")
    assert len(two.hosts) == 2
    assert sum(vm.ram_gib for vm in two.vms) < min(host.ram_gib for host in two.hosts)
    assert sum(vm.workload.active_users for vm in two.vms) == 6000


def test_building_block_survives_a_host_in_memory() -> None:
    block = scenario("building-block.json")
    assert len(block.hosts) == 3
    for host in block.hosts:
        assert len(block.vms_on(host.id)) == 2
    assert {(v.vcpus, v.ram_gib, v.workload.active_users) for v in block.vms} == {(2, 8, 4000)}
    survivors = sum(host.ram_gib for host in block.hosts[1:])
    assert block.hosts[1].ram_gib > 3 * 8
    assert sum(vm.ram_gib for vm in block.vms) < survivors
    assert block.clusters[0].admission.host_failures == 1


def test_sametime_as_documented() -> None:
    chat = scenario("sametime-100000.json")
    kinds = [vm.workload.kind for vm in chat.vms]
    assert kinds.count(WorkloadKind.SAMETIME_COMMUNITY) == 2
    assert kinds.count(WorkloadKind.SAMETIME_MUX) == 2
    for vm in chat.vms:
        mux = vm.workload.kind is WorkloadKind.SAMETIME_MUX
        assert (vm.vcpus, vm.ram_gib) == ((1, 2) if mux else (2, 4))
        assert vm.workload.active_users == 50_000
        assert vm.guest_bits == 32
    assert {vm.lun for vm in chat.vms} == {"vmfs-1"}
    assert chat.hosts[0].ram_gib == 24


def test_a_production_server_of_today_is_bought_and_fits() -> None:
    today, catalog = scenario("production-today.json"), load_catalog()
    assert (today.policy.load_basis, today.policy.posture) == (
        LoadBasis.PRODUCTION,
        Posture.STANDARD,
    )
    for host in today.hosts:
        server = catalog.servers[host.server]
        assert server.role is Role.PURCHASE
        assert (server.year or 0) >= 2023
    prediction = predict(today)
    assert prediction.verdict is Verdict.FITS
    assert prediction.badge


def test_a_site_to_be_refreshed_fits_on_assumptions_and_is_of_old_hosts() -> None:
    site, catalog = scenario("site-refresh.json"), load_catalog()
    assert (len(site.vms), len(site.hosts), len(site.sites)) == (200, 12, 2)
    assert all((catalog.servers[host.server].year or 9999) <= 2016 for host in site.hosts)
    assert predict(site).verdict is Verdict.FITS
    assumed = [vm for vm in site.vms if origin_of(vm, "workload.iops") is Origin.ASSUMED]
    assert len(assumed) == 196


BY_US = ("production-today.json", "site-refresh.json")
OF_DOCUMENTS = [file for file in FILES if file.name not in BY_US]


@pytest.mark.parametrize("file", OF_DOCUMENTS, ids=lambda file: file.name)
def test_what_the_documents_say_is_marked_as_benchmark(file: ExampleFile) -> None:
    read = scenario_from_json(file.text.encode(), name=file.name)
    for vm in read.vms:
        for path in ("vcpus", "ram_gib", "workload.active_users", "workload.release"):
            assert origin_of(vm, path) is Origin.BENCHMARK
    assert origin_of(read, "policy.benchmark_derating") is Origin.BENCHMARK
    assert data_coverage(read).known == 0


def test_a_mode_whose_response_is_vague_says_why_it_is_at_risk() -> None:
    two = scenario("wv21-two-hosts.json")
    prediction = predict(two)
    row = next(row for row in failure_rows(two, prediction) if row.kind is ModeKind.HOST)
    assert prediction.failures[0].response_ms == NO_DATA
    assert row.verdict is Verdict.AT_RISK
    assert row.told.startswith("the response time isn’t known, anything from ")


def test_where_an_end_alone_passes_a_limit_measuring_is_the_next_step() -> None:
    two = scenario("wv21-two-hosts.json")
    told = headline(two, predict(two))
    assert told.sentence.startswith("At risk: disk utilisation of DS4800 data at 45 of 70")
    assert told.action == "Measure the I/O of DS4800 data for a week."

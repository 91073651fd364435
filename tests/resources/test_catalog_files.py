"""The shipped catalog: complete, sourced, sane, and read without losing a figure."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import fields, replace
from importlib.resources import files
from itertools import chain, pairwise, takewhile

import pytest

from models.catalog.catalog import Catalog, Hypervisor, Platform, Product, Provenance, Role
from resources.catalog_files import (
    TOML_FILES,
    load_catalog,
    load_memory_overheads,
    load_processors,
)

KINDS = (
    *("servers", "arrays", "disks", "raid_levels", "hypervisors"),
    *("generations", "releases", "support", "sizings", "licences"),
)
RELEASES = (
    *("esx-2.5", "esx-3.0.1", "esx-3.0.2", "esx-3.5", "vsphere-4.0", "vsphere-4.1"),
    *("vsphere-5.0", "vsphere-5.1", "vsphere-5.5", "vsphere-6.0", "vsphere-6.5", "vsphere-6.7"),
    *("vsphere-7.0", "vsphere-8.0"),
)
REFERENCE_SYSTEMS = {
    "intel-clovertown-whitebox",
    "compaq-7000",
    "ibm-netfinity-7000-m10",
    "dell-dimension",
    "ibm-z2086-ml96",
}


def everything(catalog: Catalog) -> list[tuple[str, Provenance, object]]:
    entries = chain.from_iterable(getattr(catalog, kind).items() for kind in KINDS)
    processors = load_processors().items()
    return [(id, entry.provenance, entry) for id, entry in (*entries, *processors)]


def test_every_row_of_the_survey_is_there() -> None:
    catalog = load_catalog()
    assert len(catalog.servers) == 43 + 4  # and the machines of the R5 and zSeries articles
    assert len(catalog.arrays) == 25
    assert len(load_processors()) == 724
    assert len(catalog.disks) == 11


@pytest.mark.parametrize(
    ("kind", "ids"),
    [
        ("servers", "ibm-x366 ibm-x3650 intel-clovertown-whitebox nehalem-ept x3650m4 r7725-9965"),
        ("arrays", "ibm-ds4800 netapp-fas3020 fas3140 vsan-esa"),
        ("disks", "fc-15k-36gb fc-15k-144gb sas-10k sata-7k2 ssd-sata nvme"),
        ("raid_levels", "0 1 10 5 6 dp"),
        ("hypervisors", "none " + " ".join(RELEASES)),
    ],
)
def test_ids_that_scenario_files_rely_on(kind: str, ids: str) -> None:
    assert set(ids.split()) <= set(getattr(load_catalog(), kind))


def test_the_start_does_not_pay_for_the_processors() -> None:
    assert not load_catalog().processors


def test_every_entry_says_where_it_comes_from() -> None:
    for id, provenance, _ in everything(load_catalog()):
        assert provenance.source, id
        assert provenance.confidence, id


def test_an_assumed_entry_says_what_is_assumed() -> None:
    for id, provenance, _ in everything(load_catalog()):
        if provenance.confidence == "assumed":
            assert provenance.assumed, id


def test_an_assumed_figure_is_there() -> None:
    for id, provenance, entry in everything(load_catalog()):
        for name in provenance.assumed:
            assert getattr(entry, name) is not None, (id, name)


def test_documents_are_cited_by_title_never_by_a_file_name() -> None:
    for id, provenance, _ in everything(load_catalog()):
        assert not re.search(r"\.(csv|txt)\b", provenance.source + provenance.note), id


def test_no_source_is_a_bare_address_or_nobodys_knowledge() -> None:
    for id, provenance, _ in everything(load_catalog()):
        bare = re.search(r"//\d+\.\d+\.\d+\.\d+|[?&]share=|general knowledge", provenance.source)
        assert not bare, id


def test_measured_platforms_are_exactly_the_machines_of_the_documents() -> None:
    marked = {s.platform: s.id for s in load_catalog().servers.values() if s.platform}
    assert marked == {
        Platform.X366: "ibm-x366",
        Platform.CLOVERTOWN: "intel-clovertown-whitebox",
        Platform.NEHALEM: "nehalem-ept",
    }


def test_reference_systems_are_not_for_sale() -> None:
    servers = load_catalog().servers.values()
    assert {s.id for s in servers if s.role is Role.REFERENCE} == REFERENCE_SYSTEMS


def test_machines_of_the_old_articles_have_no_made_up_figures() -> None:
    for id in REFERENCE_SYSTEMS - {"intel-clovertown-whitebox"}:
        server = load_catalog().servers[id]
        assert server.spec_rate is None
        assert server.max_ram_gib is None
        assert server.year is None
    assert load_catalog().servers["ibm-z2086-ml96"].base_mhz is None


def test_clovertown_and_x3650_stand_on_one_scale() -> None:
    servers = load_catalog().servers
    assert servers["ibm-x3650"].spec_rate == servers["intel-clovertown-whitebox"].spec_rate == 8.63
    assert servers["ibm-x366"].spec_rate == 2.96
    assert "spec_rate" in servers["ibm-x366"].provenance.assumed


def test_servers_are_sane() -> None:
    for server in load_catalog().servers.values():
        assert server.cores % server.sockets == 0
        assert server.threads in (server.cores, 2 * server.cores)
        assert server.nested_paging is not True or server.hardware_virtualisation, server.id
        if server.spec_rate_per_core is not None:
            assert 0.5 < server.spec_rate_per_core < 20, server.id


def test_servers_agree_with_the_processor_table() -> None:
    processors = {(p.name, p.chips): p for p in load_processors().values()}
    matched = 0
    for server in load_catalog().servers.values():
        processor = processors.get((server.processor, server.sockets))
        if processor is not None:
            matched += 1
            assert server.cores == processor.chips * processor.cores_per_socket, server.id
            assert server.base_mhz == processor.base_mhz, server.id
            assert server.spec_rate == processor.spec_rate, server.id
    assert matched == 43


def test_no_two_entries_share_a_name() -> None:
    for kind in KINDS:
        names = Counter(entry.name for entry in getattr(load_catalog(), kind).values())
        assert max(names.values()) == 1, names.most_common(1)


def test_text_in_numeric_columns_became_a_value_and_a_mark() -> None:
    x3650 = load_catalog().servers["ibm-x3650"]
    assert x3650.max_ram_gib == 48
    assert "max_ram_gib" in x3650.provenance.assumed
    assert "48 GB" in x3650.provenance.note
    fas3020 = load_catalog().arrays["netapp-fas3020"]
    assert fas3020.ceiling_iops == 15_000
    assert "ceiling_iops" in fas3020.provenance.assumed
    assert "15,000 to 20,000" in fas3020.provenance.note


def test_arrays_offer_known_raid_levels_only() -> None:
    catalog = load_catalog()
    for array in catalog.arrays.values():
        assert set(array.raid_levels) <= set(catalog.raid_levels), array.id


def test_every_array_takes_a_drive_that_there_is() -> None:
    catalog = load_catalog()
    for array in catalog.arrays.values():
        assert any(array.takes(disk) for disk in catalog.disks.values()), array.id


def test_what_nobody_says_of_drives_lets_them_in() -> None:
    catalog = load_catalog()
    filer, nvme = catalog.arrays["netapp-fas3020"], catalog.disks["nvme"]
    assert filer.takes(nvme) is False
    assert replace(filer, drive_kinds=()).takes(nvme) is None
    assert filer.takes(replace(nvme, kinds=())) is None


def test_an_implausible_figure_is_no_figure() -> None:
    assert load_catalog().arrays["fas8020"].ceiling_iops is None


def test_disks_are_not_faster_than_their_service_time_allows() -> None:
    for disk in load_catalog().disks.values():
        if not disk.flash:
            assert disk.iops is not None
            assert disk.service_ms is not None
            assert disk.iops <= 1000 / disk.service_ms * 1.02, disk.id


def test_raid_levels() -> None:
    levels = load_catalog().raid_levels
    assert [levels[id].write_penalty for id in ("0", "1", "10", "5", "6")] == [1, 2, 2, 4, 6]
    assert (levels["dp"].group_drives, levels["dp"].parity_drives) == (16, 2)
    assert 1.3 <= levels["dp"].write_penalty <= 2
    assert "write_penalty" in levels["dp"].provenance.assumed
    assert {id for id, level in levels.items() if level.mirrored} == {"1", "10"}


def releases() -> list[Hypervisor]:
    return [load_catalog().hypervisors[id] for id in RELEASES]


NOT_IN_EVERY_RELEASE = {
    "max_vcpus_per_host",
    "max_vms_per_cluster",
    "ha_max_vms_per_host",
    "ha_max_vms_per_host_large",
    "ft_max_vcpus_standard",
    "ft_max_vcpus_per_host",
    "end_of_support",
    "licensed_cores",
}
"""Limits that were stated of some releases only: where one is missing, none was found."""


def test_every_release_has_every_limit_or_says_from_where() -> None:
    for release in releases():
        for each in fields(release):
            no_ft = each.name.startswith("ft_") and release.ft_max_vcpus == 0
            if not no_ft and each.name not in NOT_IN_EVERY_RELEASE:
                assert getattr(release, each.name) is not None, (release.id, each.name)


@pytest.mark.parametrize(
    "limit",
    [
        "max_vcpus_per_vm",
        "max_ram_gib_per_vm",
        "max_ram_gib_per_host",
        "max_logical_cpus_per_host",
        "max_vms_per_host",
        "max_vcpus_per_core",
        "max_hosts_per_cluster",
        "ft_max_vcpus",
        "version",
    ],
)
def test_limits_do_not_shrink_from_release_to_release(limit: str) -> None:
    values = [getattr(release, limit) for release in releases()]
    assert all(before <= after for before, after in pairwise(values)), values


LIMITS = [each.name for each in fields(Hypervisor) if "max_" in each.name]


def test_every_limit_has_a_page_of_its_own_or_is_marked() -> None:
    """Printed on a page that is named, taken from another release, or marked as unverified."""
    documented = re.compile(r"(?P<title>.*) \((?P<fields>[a-z0-9_]+(?:, [a-z0-9_]+)*)\)")
    for release in releases():
        printed: set[str] = set()
        for part in release.provenance.source.split("; "):
            found = documented.fullmatch(part)
            if found and "not checked" not in found["title"]:
                printed |= set(found["fields"].split(", "))
        marked = {*release.transferred, *release.provenance.assumed}
        for name in LIMITS:
            if getattr(release, name) not in (None, 0):
                assert name in printed | marked, (release.id, name)


def test_logical_cpus_by_release() -> None:
    by_id = {release.id: release.max_logical_cpus_per_host for release in releases()}
    newer = [by_id[f"vsphere-{n}"] for n in ("4.1", "5.0", "5.1", "5.5", "6.0", "6.5", "6.7")]
    assert newer == [160, 160, 160, 320, 480, 576, 768]
    unverified = [r.id for r in releases() if "max_logical_cpus_per_host" in r.provenance.assumed]
    assert unverified == ["esx-2.5", "esx-3.0.1", "esx-3.0.2", "vsphere-6.7"]


def test_releases_stand_in_order() -> None:
    for product in Product:
        lines = [e for e in load_catalog().releases.values() if e.product is product]
        numbers = [tuple(map(int, line.number.split("."))) for line in lines]
        assert numbers == sorted(set(numbers))
        ordinals = [line.ordinal for line in lines]
        assert sorted(set(ordinals)) == list(range(1, max(ordinals) + 1))
        assert ordinals == sorted(ordinals)
        years = [line.year or 0 for line in lines]
        assert years == sorted(years)


def test_statements_and_sizes_name_what_is_there() -> None:
    catalog = load_catalog()
    speaking = [(each.product, each.releases) for each in catalog.support.values()]
    speaking += [(each.product, each.releases) for each in catalog.sizings.values()]
    for product, numbers in speaking:
        assert {f"{product}-{number}" for number in numbers} <= set(catalog.releases)
    for statement in catalog.support.values():
        assert set(statement.hypervisors) <= set(catalog.hypervisors)
        assert statement.hypervisors or statement.guests


def test_generations_are_those_of_machines() -> None:
    catalog = load_catalog()
    named = {each.name: each for each in catalog.generations.values()}
    of_servers = {server.generation for server in catalog.servers.values()}
    of_processors = {processor.generation for processor in load_processors().values()}
    assert set(named) <= of_servers | of_processors
    for server in catalog.servers.values():
        if server.year is not None:
            assert named[server.generation].year <= server.year, server.id


def test_a_transferred_limit_is_that_of_another_release() -> None:
    for release in releases():
        for name in release.transferred:
            others = [o for o in releases() if o is not release and name not in o.transferred]
            assert getattr(release, name) in [getattr(o, name) for o in others], (release.id, name)


def test_fault_tolerance_by_release() -> None:
    by_id = {release.id: release.ft_max_vcpus for release in releases()}
    assert Counter(by_id.values()) == {0: 4, 1: 5, 4: 2, 8: 3}
    assert by_id["vsphere-5.5"] == 1
    assert by_id["vsphere-6.0"] == 4
    assert [r.id for r in releases() if r.ft_disables_nested_paging] == ["vsphere-4.0"]
    assert {r.ft_max_vms_per_host for r in releases() if r.ft_max_vcpus} == {4}
    several = [r for r in releases() if r.ft_max_vcpus > 1]
    assert {(r.ft_max_vcpus_standard, r.ft_max_vcpus_per_host) for r in several} == {(2, 8)}


def test_large_ha_clusters_of_vsphere_4_hold_fewer_vms() -> None:
    release = load_catalog().hypervisors["vsphere-4.0"]
    assert (release.ha_max_vms_per_host, release.ha_max_vms_per_host_large) == (100, 40)
    assert release.max_vcpus_per_host == 512


def test_slot_size_by_release() -> None:
    for release in releases():
        assert release.slot_cpu_mhz == (256 if release.version < (5, 0, 0) else 32)


def test_physical_server_has_no_hypervisor_memory() -> None:
    none = load_catalog().hypervisors["none"]
    assert none.console_gib == 0
    assert none.memory_overhead is None
    assert none.max_vcpus_per_vm is None


def test_memory_overhead_tables_keep_printed_cells_and_gaps() -> None:
    tables = load_memory_overheads()
    table = tables["4.0"]
    assert len(table.ram_mib) * len(table.vcpus) == 88
    assert table.mib[table.ram_mib.index(8192.0)][:2] == (222.3, 331.13)
    newer = tables["6.5"]
    assert newer.mib[newer.ram_mib.index(16384.0)] == (139.62, 143.98, 151.93, 168.6, None)
    assert tables["2.x"].mib == ((54.0, 64.0), (102.0, 112.0))


def test_memory_overhead_rises_with_ram_and_vcpus() -> None:
    for name, table in load_memory_overheads().items():
        for line in (*table.mib, *zip(*table.mib, strict=True)):
            known = [cell for cell in line if cell is not None]
            assert known == sorted(known), name


def test_processors_are_read_as_printed() -> None:
    e5345 = load_processors()["intel-xeon-e5345"]
    assert (e5345.cores_per_socket, e5345.threads_per_core, e5345.base_mhz) == (4, 1, 2333)
    assert e5345.spec_rate == 8.63
    assert "81.75" in e5345.provenance.note
    assert "58.8 to 86.5" in e5345.provenance.note
    assert e5345.nested_paging is False


def test_processor_rates_say_on_which_suite_they_stand() -> None:
    bases = Counter(p.spec_basis for p in load_processors().values())
    assert set(bases) == {"CPU2017", "CPU2006 / 9.47", "estimate / 9.47"}
    assert bases["estimate / 9.47"] == 2


def test_processor_rates_follow_from_their_medians() -> None:
    text = (files("resources") / "catalog" / "processors.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    for row in rows:
        bridged = row["spec_basis"].endswith("/ 9.47")
        median = float(row["cpu2006_median"]) / 9.47 if bridged else float(row["cpu2017_median"])
        assert float(row["spec_rate"]) == pytest.approx(median, abs=0.06), row["id"]


@pytest.mark.parametrize("name", [*TOML_FILES, "memory_overhead.csv", "processors.csv"])
def test_every_file_begins_with_how_to_read_it(name: str) -> None:
    text = (files("resources") / "catalog" / name).read_text(encoding="utf-8")
    head = list(takewhile(lambda line: line.startswith("#"), text.splitlines()))
    assert len(head) >= 5

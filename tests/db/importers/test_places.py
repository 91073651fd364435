"""Data centres, clusters and who sees which data store, as an export of RVTools has them."""

from __future__ import annotations

from pathlib import Path

from models.catalog.placement import reason_against
from models.scenario.inputs import origin_of
from models.scenario.origin import Origin
from models.scenario.places import site_names
from models.scenario.scenario import AdmissionPolicy
from resources.catalog_files import load_catalog
from tests.db.importers.estates import Cell, Tabs, as_xlsx
from tests.db.importers.inventories import read

CPU = "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz"


def estate(path: Path, *, with_hosts: bool) -> Path:
    """Three data centres of one vCenter, a cluster of two hosts each; the last has a lone host."""
    centers = ("Berlin", "Lyon", "Kobe")
    vms: list[list[Cell]] = [
        ["VM", "Powerstate", "CPUs", "Memory", "Host", "Cluster", "Datacenter", "VM ID", "Path"]
    ]
    hosts: list[list[Cell]] = [
        [
            "Host",
            "Datacenter",
            "Cluster",
            "CPU Model",
            "Speed",
            "# CPU",
            "# Cores",
            "# Memory",
            "ESX Version",
        ]
    ]
    stores: list[list[Cell]] = [["Name", "Type", "Capacity MiB", "In Use MiB", "# Hosts"]]
    stores[0] += ["Hosts"] if with_hosts else []
    for number, center in enumerate(centers):
        names = [f"esx{number}{at}.acme.example" for at in range(2)]
        cluster = f"cluster {center}" if center != "Kobe" else ""
        hosts += [[name, center, cluster, CPU, 2500, 2, 40, 2**19, "ESXi 7.0.3"] for name in names]
        store: list[Cell] = [f"ds{number}", "VMFS", 2**22, 2**20, 2]
        stores.append([*store, *([", ".join(names)] if with_hosts else [])])
        vms += [
            [
                f"vm{number}{at}",
                "poweredOn",
                2,
                4096,
                names[at],
                cluster,
                center,
                f"vm-{number}{at}",
                f"[ds{number}] vm/vm.vmx",
            ]
            for at in range(2)
        ]
    tabs: Tabs = {"vInfo": vms, "vHost": hosts, "vDatastore": stores}
    return as_xlsx(tabs, path)


def test_places_are_read(tmp_path: Path) -> None:
    scenario = read(estate(tmp_path / "a.xlsx", with_hosts=True)).scenario
    names = site_names(scenario)
    assert sorted(names.values()) == ["Berlin", "Kobe", "Lyon"]
    assert {each.name: names[each.site or ""] for each in scenario.clusters} == {
        "cluster Berlin": "Berlin",
        "cluster Lyon": "Lyon",
    }
    alone = [host for host in scenario.hosts if host.cluster is None]
    assert [names[host.site or ""] for host in alone] == ["Kobe", "Kobe"]
    assert [len(pool.hosts) for pool in scenario.pools] == [2, 2, 2]
    catalog = load_catalog()
    by_name = {host.name.partition(".")[0]: host.id for host in scenario.hosts}
    first = scenario.vms[0]
    assert reason_against(scenario, catalog, [first.id], by_name["esx01"]) is None
    assert reason_against(scenario, catalog, [first.id], by_name["esx10"]) is not None


def test_where_data_stores_name_no_hosts_clusters_tell(tmp_path: Path) -> None:
    scenario = read(estate(tmp_path / "a.xlsx", with_hosts=False)).scenario
    by_name = {host.name.partition(".")[0]: host.id for host in scenario.hosts}
    seen = {frozenset(pool.hosts) for pool in scenario.pools}
    assert frozenset((by_name["esx00"], by_name["esx01"])) in seen


def test_what_was_imported_names_files_without_their_folders(tmp_path: Path) -> None:
    scenario = read(estate(tmp_path / "site.xlsx", with_hosts=True)).scenario
    sources = [host.imported_from for host in scenario.hosts]
    sources += [pool.imported_from for pool in scenario.pools]
    sources += [vm.imported_from for vm in scenario.vms]
    assert all(sources)
    assert not [each for each in sources if str(tmp_path) in each]


def test_admission_control_that_is_on_is_not_taken_for_none(tmp_path: Path) -> None:
    """A share for one host, and marked as assumed: the file says neither which nor how much."""
    vms: list[list[Cell]] = [["VM", "Powerstate", "CPUs", "Memory", "Host", "Cluster", "VM ID"]]
    vms += [["a", "poweredOn", 2, 4096, "esx1", "on", "vm-1"]]
    clusters: list[list[Cell]] = [["Name", "NumHosts", "HA enabled", "AdmissionControlEnabled"]]
    clusters += [["on", 4, "True", "True"], ["off", 4, "True", "False"]]
    book = as_xlsx({"vInfo": vms, "vCluster": clusters}, tmp_path / "site.xlsx")
    found = {each.name: each for each in read(book).scenario.clusters}
    admission = found["on"].admission
    assert (admission.policy, admission.cpu_pct) == (AdmissionPolicy.PERCENTAGE, 25.0)
    assert origin_of(found["on"], "admission.policy") is Origin.ASSUMED
    assert "off" not in found or found["off"].admission.policy is AdmissionPolicy.NONE

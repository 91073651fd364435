"""One estate in many files gives one scenario, with the sums that were put in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from db.errors import StoreError
from db.importers.inventory import guessed_profile
from db.importers.opening import open_text
from db.importers.profile import ColumnOf, Profile, profile_text, read_profile
from db.importers.registry import Told, UnknownKind, importers, read_each, read_files
from db.importers.tables import is_table, text_table
from db.importers.watch import Watch
from models.intake.chosen import Chosen
from models.intake.options import DiskBasis, Reason
from models.intake.records import Power, Records
from models.scenario.scenario import Scenario
from tests.db.importers.estates import (
    LOCALES,
    SECRET,
    Cell,
    Locale,
    Sums,
    Tabs,
    as_csv,
    as_folder,
    as_xlsx,
    estate,
)
from tests.db.importers.inventories import (
    BOXED,
    LETTER,
    LIVE_OPTICS,
    MARKDOWN,
    NUTANIX,
    POWERSHELL,
    PSQL,
    TEXTS,
    read,
    result_of,
    rules,
)

Rows = list[list[Cell]]


def pasted(text: str) -> list[Records]:
    return read_each({"pasted": [open_text(text, "pasted", Watch())]}, {}).records


def bare(scenario: Scenario) -> Scenario:
    """The scenario without the cells that it came from."""
    return replace(
        scenario,
        clusters=tuple(replace(item, imported_from="") for item in scenario.clusters),
        hosts=tuple(replace(item, imported_from="") for item in scenario.hosts),
        pools=tuple(replace(item, imported_from="") for item in scenario.pools),
        vms=tuple(replace(item, imported_from="") for item in scenario.vms),
    )


@pytest.fixture(scope="module")
def an_estate() -> tuple[Tabs, Sums]:
    return estate(200)


def test_every_form_and_language_is_the_same_scenario(
    an_estate: tuple[Tabs, Sums], tmp_path: Path
) -> None:
    tabs, sums = an_estate
    whole = read(as_xlsx(tabs, tmp_path / "a.xlsx"))
    for name, locale in LOCALES.items():
        other = read(as_folder(tabs, tmp_path / name, locale))
        assert bare(other.scenario) == bare(whole.scenario), name
        assert other.totals == whole.totals
    totals = whole.totals
    assert (whole.listed, whole.taken) == (sums.listed, sums.taken)
    assert whole.left_out[Reason.OFF] == sums.off
    assert whole.left_out[Reason.TEMPLATE] == sums.templates
    for name in ("vcpus", "ram_mib", "provisioned_mib", "disks_mib", "in_use_mib"):
        assert getattr(totals, name) == getattr(sums, name), name
    assert (totals.hosts, totals.clusters, totals.cores) == (5, 1, 200)
    assert sum(each.vms for each in whole.clusters) == whole.taken
    assert rules(whole) == {"no-performance", "moment-cpu", "no-iops"}


def renamed(tabs: Tabs, names: dict[str, str], **headings: str) -> Tabs:
    """The tabs with other headings, by their old ones."""
    changed = {key.replace("_", " "): value for key, value in headings.items()} | names
    return {
        tab: [[changed.get(str(each), each) for each in rows[0]], *rows[1:]]
        for tab, rows in tabs.items()
    }


def with_columns(tabs: Tabs, at: int) -> Tabs:
    """The tabs with columns of the customer's own in the middle."""
    return {
        tab: [
            [*row[:at], "mine" if n else "Our own column", n, *row[at:]]
            for n, row in enumerate(rows)
        ]
        for tab, rows in tabs.items()
    }


OLD = {
    heading: heading.replace("MiB", "MB")
    for heading in ("Provisioned MiB", "In Use MiB", "Capacity MiB", "Consumed MiB", "Size MiB")
}
DATABASE = {
    "vInfo": {
        "VM": "vInfoVMName",
        "Powerstate": "vInfoPowerstate",
        "CPUs": "vInfoCPUs",
        "Memory": "vInfoMemory",
        "Provisioned MiB": "vInfoProvisioned",
        "In Use MiB": "vInfoInUse",
        "Datacenter": "vInfoDataCenter",
        "Host": "vInfoHost",
        "Cluster": "vInfoCluster",
        "Template": "vInfoTemplate",
        "Path": "vInfoPath",
    },
    "vDisk": {"VM": "vDiskVMName", "Disk": "vDiskName", "Capacity MiB": "vDiskCapacityMiB"},
    "vPartition": {"VM": "vPartitionVMName", "Consumed MiB": "vPartitionConsumedMiB"},
    "vMemory": {"VM": "vMemoryVMName", "Size MiB": "vMemorySizeMiB"},
    "vHost": {
        "Host": "vHostName",
        "Cluster": "vHostCluster",
        "CPU Model": "vHostCpuModel",
        "Speed": "vHostCpuMhz",
        "# CPU": "vHostNumCpu",
        "# Cores": "vHostNumCpuCores",
        "# Memory": "vHostMemorySize",
        "ESX Version": "vHostFullName",
        "# VMs": "vHostVMs",
        "# VMs total": "vHostVMsTotal",
        "# NICs": "vHostNumNics",
        "Model": "vHostModel",
    },
    "vCluster": {"Name": "vClusterName", "NumHosts": "vClusterNumHosts"},
    "vDatastore": {"Name": "vDatastoreName", "Capacity MiB": "vDatastoreCapacity"},
}


def test_schemas_of_every_age_are_the_same_scenario(
    an_estate: tuple[Tabs, Sums], tmp_path: Path
) -> None:
    tabs, _ = an_estate
    whole = bare(read(as_xlsx(tabs, tmp_path / "a.xlsx")).scenario)
    forms: Iterable[Tabs] = (
        renamed(tabs, OLD),
        {tab: renamed({tab: rows}, DATABASE.get(tab, {}))[tab] for tab, rows in tabs.items()},
        with_columns(tabs, 2),
        {
            name: [[f" {cell} " if not n else cell for cell in row] for n, row in enumerate(rows)]
            for name, rows in tabs.items()
        },
    )
    for number, form in enumerate(forms):
        assert bare(read(as_xlsx(form, tmp_path / f"{number}.xlsx")).scenario) == whole, number
    named = as_xlsx(tabs, tmp_path / "named.xlsx", lambda tab: f"tab{tab}")
    assert bare(read(named).scenario) == whole
    wanted = {tab: rows for tab, rows in tabs.items() if tab not in ("vLicense", "vMetaData")}
    numbered = as_xlsx(wanted, tmp_path / "sheets.xlsx", lambda tab: f"Sheet {tab[1:]} 2")
    assert bare(read(numbered).scenario) == whole


def test_options_change_what_is_taken_and_not_what_was_read(
    an_estate: tuple[Tabs, Sums], tmp_path: Path
) -> None:
    tabs, sums = an_estate
    records = read_files([as_xlsx(tabs, tmp_path / "a.xlsx")], Watch())
    left = result_of(records)
    everything = result_of(records, taken=frozenset({Reason.OFF}))
    assert everything.taken == sums.taken + sums.off
    assert everything.left_out[Reason.OFF] == 0
    assert everything.listed_totals == left.listed_totals
    assert sum(vm.powered_on for vm in everything.scenario.vms) == sums.taken
    for basis in DiskBasis:
        chosen = result_of(records, disk=basis)
        space = sum(vm.workload.disk_gib or 0.0 for vm in chosen.scenario.vms) * 1024
        assert space == pytest.approx(chosen.spaces[basis])
    assert result_of(records).scenario == left.scenario


def test_nothing_measured_is_not_known_and_hardware_is_recognised(
    an_estate: tuple[Tabs, Sums], tmp_path: Path
) -> None:
    found = read(as_xlsx(an_estate[0], tmp_path / "a.xlsx"))
    assert {vm.workload.cpu_mhz for vm in found.scenario.vms} == {None}
    assert {vm.workload.iops for vm in found.scenario.vms} == {None}
    (server,) = found.own_catalog.servers.values()
    assert (server.cores, server.threads, server.spec_rate) == (40, 80, 242.0)
    assert {host.hypervisor for host in found.scenario.hosts} == {"vsphere-7.0"}
    assert {disk.iops for disk in found.own_catalog.disks.values()} == {None}
    first = found.scenario.vms[0]
    assert "vInfo, 2: vcpus=CPUs" in first.imported_from


def test_tabs_named_one_by_one_are_one_export(an_estate: tuple[Tabs, Sums], tmp_path: Path) -> None:
    folder = as_folder(an_estate[0], tmp_path / "csv")
    apart = read(*(path for path in sorted(folder.iterdir()) if "License" not in path.name))
    assert bare(apart.scenario) == bare(read(folder).scenario)


def test_several_exports_in_one_folder_are_all_read(tmp_path: Path) -> None:
    for number in range(2):
        row: list[Cell] = [f"vm{number}", "poweredOn", "False", 1, 1024, "h", "vm-1", f"x{number}"]
        (tmp_path / f"site{number}_RVTools_tabvInfo.csv").write_bytes(vinfo(row))
    assert [vm.name for vm in read(tmp_path).scenario.vms] == ["vm0", "vm1"]


def test_licence_keys_are_never_read(an_estate: tuple[Tabs, Sums], tmp_path: Path) -> None:
    tabs, _ = an_estate
    for path in (as_xlsx(tabs, tmp_path / "a.xlsx"), as_folder(tabs, tmp_path / "csv")):
        records = read_files([path], Watch())
        assert SECRET not in repr(records) + repr(result_of(records))


def test_pseudonyms_are_consistent_and_hide_every_name(
    an_estate: tuple[Tabs, Sums], tmp_path: Path
) -> None:
    records = read_files([as_xlsx(an_estate[0], tmp_path / "customer.xlsx")], Watch())
    plain, hidden = result_of(records), result_of(records, has_pseudonyms=True)
    assert hidden.totals == plain.totals
    said = repr((hidden.scenario, hidden.own_catalog, hidden.clusters, hidden.notes))
    for word in ("srv-0", "esx0", "cluster-0", "customer.xlsx", "vc.example"):
        assert word not in said.replace("cluster-000", ""), word
    behind = {alias: name for name, alias in hidden.aliases["vm"].items()}
    assert [behind[vm.name] for vm in hidden.scenario.vms] == [v.name for v in plain.scenario.vms]
    assert [vm.host for vm in hidden.scenario.vms] == [vm.host for vm in plain.scenario.vms]


def vinfo(*rows: list[Cell]) -> bytes:
    first: Sequence[Cell] = (
        "VM",
        "Powerstate",
        "Template",
        "CPUs",
        "Memory",
        "Host",
        "VM ID",
        "VI SDK UUID",
    )
    return as_csv([first, *rows])


def test_a_duplicate_is_an_id_of_one_vcenter_never_a_name(tmp_path: Path) -> None:
    path = tmp_path / "RVTools_tabvInfo.csv"
    row: list[Cell] = ["a", "poweredOn", "False", 1, 1024, "h"]
    path.write_bytes(vinfo([*row, "vm-1", "x"], [*row, "vm-2", "x"], [*row, "vm-1", "y"]))
    assert read(path).taken == 3
    path.write_bytes(vinfo([*row, "vm-1", "x"], [*row, "vm-1", "x"]))
    found = read(path)
    assert (found.taken, found.left_out[Reason.DUPLICATE]) == (1, 1)
    assert "duplicate" in rules(found)


def test_what_does_not_add_up_is_said(an_estate: tuple[Tabs, Sums], tmp_path: Path) -> None:
    tabs, _ = an_estate
    few = {**tabs, "vInfo": tabs["vInfo"][:50], "vHost": tabs["vHost"][:-1]}
    few["vInfo"] = [[cell if cell != "cluster-0" else "" for cell in row] for row in few["vInfo"]]
    big = few["vInfo"][1]
    few["vInfo"][1] = [99 if at == 4 else cell for at, cell in enumerate(big)]
    found = rules(read(as_xlsx(few, tmp_path / "a.xlsx")))
    wanted = {"filtered-export", "unlisted-host", "blank-cluster", "vcpus-over-threads"}
    assert wanted <= found


def test_disks_that_vms_share_count_once(tmp_path: Path) -> None:
    rows: Rows = [
        ["VM", "Powerstate", "CPUs", "Memory"],
        ["a", "poweredOn", 1, 1],
        ["b", "poweredOn", 1, 1],
    ]
    disk: list[Cell] = [
        "VM",
        "Disk",
        "Capacity MiB",
        "Disk Mode",
        "Sharing mode",
        "Disk Path",
        "Thin",
    ]
    shared: list[Cell] = [
        "Hard disk 1",
        1000,
        "persistent",
        "sharingMultiWriter",
        "[d] x.vmdk",
        "True",
    ]
    own: list[Cell] = ["Hard disk 2", 10, "persistent", "sharingNone", "[d] x"]
    disks: Rows = [disk, ["a", *shared], ["b", *shared], ["a", *own], ["b", *own]]
    found = read(as_xlsx({"vInfo": rows, "vDisk": disks}, tmp_path / "a.xlsx"))
    assert found.totals.disks_mib == 1020


def test_hosts_that_are_left_out_are_not_among_those_taken(tmp_path: Path) -> None:
    tabs: Tabs = {
        "vInfo": [["VM", "Powerstate", "CPUs", "Memory"], ["a", "poweredOn", 1, 1024]],
        "vHost": [
            ["Host", "CPU Model", "Speed", "# CPU", "# Cores", "# Memory", "Cluster"],
            ["esx1", "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz", 2500, 2, 40, 2**19, "c"],
            ["esx2", "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz", 2500, 2, 40, None, "c"],
        ],
    }
    found = read(as_xlsx(tabs, tmp_path / "a.xlsx"))
    assert len(found.scenario.hosts) == found.totals.hosts == 1
    assert (found.totals.cores, found.listed_totals.cores) == (40, 80)
    assert sum(each.totals.hosts for each in found.clusters) == 1
    assert found.listed_totals.hosts == 2


def test_what_hosts_report_says_how_many_of_it_run(tmp_path: Path) -> None:
    tabs: Tabs = {
        "vInfo": [["VM", "Powerstate", "CPUs", "Memory", "Host"], ["a", "poweredOn", 1, 1, "esx1"]],
        "vHost": [
            ["Host", "# CPU", "# Cores", "# Memory", "# VMs", "# VMs total"],
            ["esx1", 2, 40, 2**19, 5, 12],
        ],
    }
    found = read(as_xlsx(tabs, tmp_path / "a.xlsx"))
    (text,) = (str(note.text) for note in found.notes if note.rule == "filtered-export")
    assert "report 12 VMs" in text
    assert "in no list: 4." in text
    assert sum(host.unlisted_vms for host in found.scenario.hosts) in (0, 4)


CONTENTION = ("VM", "Size MiB", "Ballooned", "Swapped")


def test_contention_pins_what_it_was_short_of(tmp_path: Path) -> None:
    tabs: Tabs = {
        "vInfo": [
            ["VM", "Powerstate", "CPUs", "Memory", "Overall Cpu Readiness"],
            ["waits", "poweredOn", 1, 1024, "9%"],
            ["swaps", "poweredOn", 1, 1024, "1%"],
            ["well", "poweredOn", 1, 1024, "0%"],
        ],
        "vMemory": [list(CONTENTION), ["swaps", 1024, 0, 64], ["well", 1024, 0, 0]],
    }
    vms = read(as_xlsx(tabs, tmp_path / "a.xlsx")).scenario.vms
    assert [vm.pins for vm in vms] == [("vcpus",), ("ram_gib",), ()]


# --- other tools ------------------------------------------------------------------------------


def test_live_optics_joins_by_id_and_says_that_peaks_stand_in(tmp_path: Path) -> None:
    found = read(as_xlsx(LIVE_OPTICS, tmp_path / "a.xlsx"))
    assert found.sources[0].kind == "live-optics"
    assert [vm.workload.iops for vm in found.scenario.vms] == [200.0, 900.0]
    assert found.totals.host_ram_mib == 512 * 1024
    assert {"percentile-stands-in", "live-optics-peaks"} <= rules(found)
    mean = read(tmp_path / "a.xlsx", percentile=0)
    assert [vm.workload.cpu_mhz for vm in mean.scenario.vms] == [250.0, 500.0]


def test_nutanix_collector_s_word_for_power_may_be_one_that_nobody_knows(tmp_path: Path) -> None:
    tabs = {name: [list(row) for row in rows] for name, rows in NUTANIX.items()}
    tabs["vInfo"][1][1] = "schläft"
    (vm,) = read_files([as_xlsx(tabs, tmp_path / "a.xlsx")], Watch())[0].vms
    assert (vm.power, vm.power_word) == (Power.ON, None)
    tabs["vmList"][1][1] = "schläft"
    path = as_xlsx(tabs, tmp_path / "b.xlsx")
    (vm,) = read_files([path], Watch())[0].vms
    assert (vm.power, vm.power_word) == (None, "schläft")
    assert not read(path).scenario.vms


def test_nutanix_collector_is_told_from_rvtools_by_its_columns(tmp_path: Path) -> None:
    found = read(as_xlsx(NUTANIX, tmp_path / "a.xlsx"))
    assert (found.sources[0].kind, found.sources[0].tool_version) == ("nutanix-collector", "7.1.1")
    (vm,) = found.scenario.vms
    assert vm.workload.iops == 100.5
    assert vm.workload.cpu_mhz == pytest.approx(0.25 * 8 * 2400)
    assert vm.workload.measured_on is not None
    (host,) = found.scenario.hosts
    assert host.ram_gib == pytest.approx(511.661)
    assert vm.workload.measured_on.server == host.server


@pytest.mark.parametrize("kind", TEXTS)
def test_lists_of_other_tools_are_read_in_their_units(kind: str) -> None:
    text, wanted = TEXTS[kind]
    (records,) = pasted(text)
    assert records.kind == kind
    (vm,) = records.vms
    assert (vm.vcpus, vm.ram_mib, vm.provisioned_mib, vm.in_use_mib) == wanted
    assert vm.power is None or vm.power.value == "on"


def test_a_list_of_the_web_client_has_units_in_its_cells_in_any_language() -> None:
    text = (
        "Nom,État,Statut,Espace provisionné,Espace utilisé,CPU hôte,Mémoire hôte\n"
        'a,Allumé,Normal,"104.08 GB",52 GB,120 MHz,"2,048 MB"\n'
    )
    (records,) = pasted(text)
    (vm,) = records.vms
    assert records.kind == "vcenter-csv"
    assert vm.provisioned_mib == pytest.approx(104.08 * 1024)
    assert "no-vcpus" in rules(result_of([records]))


def test_a_table_out_of_a_mail_is_set_apart_by_blanks() -> None:
    text = "VM name      vCPU   RAM (GB)  Power state\nmail 01         2       4,5   poweredOn\n"
    (records,) = pasted(text)
    (vm,) = records.vms
    assert (vm.name, vm.vcpus, vm.ram_mib) == ("mail 01", 2.0, 4.5 * 1024)


@pytest.mark.parametrize("text", [MARKDOWN, PSQL, BOXED, POWERSHELL, LETTER])
def test_tables_of_letters_and_consoles_are_tables_of_vms(text: str) -> None:
    assert is_table(text)
    (records,) = pasted(text)
    (vm,) = records.vms
    assert records.kind in ("table", "vcenter-csv")
    assert (vm.name, vm.vcpus, vm.ram_mib, vm.power) == ("mail 01", 2.0, 4.5 * 1024, Power.ON)
    assert "no-hosts" in rules(result_of([records]))


def test_an_assessment_s_sheets_hold_the_same_machines_once(tmp_path: Path) -> None:
    head: list[Cell] = ["Machine Name", "Cores", "Memory (in MB)", "Storage (in GB)"]
    row: list[Cell] = ["a", 2, 4096, 100]
    tabs: Tabs = {
        "Discovery_Report": [[*head, "Power Stats"], [*row, "ON"]],
        "All_VM_IaaS_Server_Rehost_Perf": [[*head, "CPU Utilization (in %)"], [*row, 12]],
    }
    found = read(as_xlsx(tabs, tmp_path / "a.xlsx"))
    assert (found.sources[0].kind, found.taken) == ("azure-migrate", 1)
    assert found.series[0].summary.p95 == 12
    assert "sheets-left-out" in rules(found)


def test_a_view_of_clusters_is_measured_and_no_vm() -> None:
    text = (
        "Name,Disk Space|Total Capacity,Storage|Total IOPS,Memory|Consumed,CPU|Demand (%)\n"
        '"c1","68.1 TB","5,053.5","2.5 TB","27.88"\n"c2","60.34 TB","5,866.6","899.42 GB","24.43"\n'
    )
    (records,) = pasted(text)
    assert (records.kind, records.vms) == ("vrops-csv", [])
    by_name = {(each.name, each.unit): each.summary.mean for each in records.series}
    assert by_name["c1", "IOPS"] == 5053.5
    assert by_name["c2", "MiB"] == pytest.approx(899.42 * 1024)
    assert by_name["c2", "%"] == 24.43


def test_a_profile_says_what_columns_are(tmp_path: Path) -> None:
    profile = tmp_path / "columns.toml"
    profile.write_text(
        'on = ["läuft"]\ndecimal = ","\n[columns]\nname = "Kürzel"\nvcpus = "Kerne"\n'
        'ram_mib = { heading = "Hauptspeicher", unit = "GB" }\npower = "Betrieb"\niops = "E/A"\n'
    )
    table = tmp_path / "list.csv"
    table.write_text("Kürzel;Kerne;Hauptspeicher;Betrieb;E/A\na;2;1,5;läuft;10,5\nb;1;2;aus;1\n")
    records = read_files([table], Watch(), profiles=[read_profile(profile)])
    found = result_of(records)
    (vm,) = found.scenario.vms
    assert (vm.name, vm.vcpus, vm.ram_gib, vm.workload.iops) == ("a", 2, 1.5, 10.5)
    assert found.left_out[Reason.OFF] == 1
    profile.write_text('[columns]\nname = "nowhere"\n')
    with pytest.raises(StoreError, match="no column “nowhere”"):
        read_files([table], Watch(), profiles=[read_profile(profile)])


def test_of_several_profiles_each_table_takes_its_own(tmp_path: Path) -> None:
    texts = {"a": "Kürzel;Kerne\nx;2\n", "b": "Bezeichnung;Rechenwerke\ny;3\n"}
    profiles = []
    for name, text in texts.items():
        (tmp_path / f"{name}.csv").write_text(text)
        heads = text.splitlines()[0].split(";")
        columns = {
            field: ColumnOf(head) for field, head in zip(("name", "vcpus"), heads, strict=True)
        }
        profiles.append(Profile(columns=columns))
    paths = [tmp_path / f"{name}.csv" for name in texts]
    found = read_files(paths, Watch(), profiles=profiles[::-1])
    assert [[(vm.name, vm.vcpus) for vm in each.vms] for each in found] == [
        [("x", 2.0)],
        [("y", 3.0)],
    ]


def test_a_guess_of_columns_can_be_kept_and_used_again(tmp_path: Path) -> None:
    text = 'Servername;Anzahl CPU;RAM (GB);"Platte ""neu"""\na;2;4;1.000,5\n'
    table = text_table(open_text(text, "pasted", Watch()))
    assert table is not None
    guess = guessed_profile(table)
    assert {name: column.heading for name, column in guess.columns.items()} == {
        "name": "Servername",
        "vcpus": "Anzahl CPU",
        "ram_mib": "RAM (GB)",
    }
    mended = replace(guess, columns={**guess.columns, "disks_mib": ColumnOf('Platte "neu"', "gb")})
    kept = tmp_path / "columns.toml"
    kept.write_text(profile_text(mended))
    assert read_profile(kept) == mended
    file = open_text(text, "pasted", Watch())
    (records,) = read_each({"pasted": [file]}, {"pasted": Told(profile=mended)}).records
    assert records.vms[0].disks_mib == 1000.5 * 1024


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a = 1", "is not known"),
        ("[columns]", "needs a table"),
        ('[columns]\nspeed = "x"', "is not known"),
        ("[columns]\nname = 1", "must be a heading"),
        ("=", "line 1: is no TOML"),
        ('[columns]\nram_mib = { heading = "x", unit = "furlong" }', "is no unit"),
    ],
)
def test_a_wrong_profile_is_refused(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "columns.toml"
    path.write_text(text)
    with pytest.raises(StoreError, match=sentence):
        read_profile(path)


def test_a_unit_that_nobody_says_is_said_to_be_assumed() -> None:
    text = "VM Name,vCPU,Memory\na,2,4\nb,2,8\n"
    (records,) = pasted(text)
    assert [vm.ram_mib for vm in records.vms] == [4096.0, 8192.0]
    assert "unit-assumed" in {note.rule for note in records.notes}


def test_a_number_that_could_be_either_follows_the_file() -> None:
    for locale, value in ((Locale(";", ".", ","), 1.5), (Locale(",", ",", "."), 1.5)):
        rows: Rows = [["VM Name", "vCPU", "RAM (GB)"], ["a", 2, value], ["b", 1, 16.25]]
        text = as_csv(rows, locale).decode()
        (records,) = pasted(text)
        assert [vm.ram_mib for vm in records.vms] == [1536.0, 16_640.0]


def test_one_that_is_unknown_keeps_nothing_else_out() -> None:
    texts = {"letter": "Dear all,\nsee below.\n", "list": "Name,CPUs,Memory\na,2,4096\n"}
    opened = {name: (open_text(text, name, Watch()),) for name, text in texts.items()}
    found = read_each(opened, {})
    assert [(each.named, len(each.vms)) for each in found.records] == [(("list",), 1)]
    assert [(each.file, type(each.error)) for each in found.problems] == [("letter", UnknownKind)]
    assert read_each(opened, {"list": Told(kind="vmstat")}).records == []


@pytest.mark.parametrize("kind", sorted(importers()))
def test_a_letter_is_of_no_kind_whatever_is_said(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear all,\n\nsee below.\n")
    with pytest.raises(StoreError):
        read_files([path], Watch(), kind=kind)


def test_every_format_says_what_it_looks_for() -> None:
    assert all(each.looks_for and each.kind == kind for kind, each in importers().items())


@pytest.mark.parametrize(("total", "said"), [(2, set()), (3, set()), (4, {"filtered-export"})])
def test_templates_are_in_neither_total_or_in_both(
    total: int, said: set[str], tmp_path: Path
) -> None:
    """A host's number of VMs counts templates with some tools, with others not."""
    rows: Rows = [
        ["VM", "Powerstate", "Template", "CPUs", "Memory", "Host"],
        ["a", "poweredOn", "False", 1, 1024, "esx1"],
        ["b", "poweredOff", "False", 1, 1024, "esx1"],
        ["t", "poweredOff", "True", 1, 1024, "esx1"],
    ]
    hosts: Rows = [
        ["Host", "# CPU", "# Cores", "# Memory", "# VMs", "# VMs total"],
        ["esx1", 2, 40, 2**19, 1, total],
    ]
    estate = as_xlsx({"vInfo": rows, "vHost": hosts}, tmp_path / "a.xlsx")
    other = tmp_path / "other.csv"
    other.write_text("Name,CPUs,Memory\nx,2,4096\ny,2,4096\nz,2,4096\n")
    assert rules(read(estate, other)) & {"filtered-export", "hosts-missing"} == said


def test_what_is_not_chosen_is_in_both_totals(tmp_path: Path) -> None:
    """Hosts report the running VMs of all clusters, be they taken or not."""
    rows: Rows = [
        ["VM", "Powerstate", "Template", "CPUs", "Memory", "Host", "Cluster"],
        ["a", "poweredOn", "False", 1, 1024, "esx1", "A"],
        ["b", "poweredOn", "False", 1, 1024, "esx2", "B"],
        ["c", "poweredOff", "False", 1, 1024, "esx2", "B"],
    ]
    hosts: Rows = [
        ["Host", "# CPU", "# Cores", "# Memory", "# VMs", "Cluster"],
        ["esx1", 2, 40, 2**19, 1, "A"],
        ["esx2", 2, 40, 2**19, 1, "B"],
    ]
    estate = as_xlsx({"vInfo": rows, "vHost": hosts}, tmp_path / "a.xlsx")
    chosen = Chosen(clusters=frozenset({"A"}))
    assert not rules(read(estate, chosen=chosen)) & {"filtered-export", "hosts-missing"}


def test_a_row_may_name_its_server_and_no_id_of_its_vcenter(tmp_path: Path) -> None:
    path = tmp_path / "RVTools_tabvInfo.csv"
    path.write_text(
        "VM,Powerstate,CPUs,Memory,VI SDK Server,VI SDK UUID\n"
        "a,poweredOn,2,4096,vc1.example,\n"
        "b,poweredOn,2,4096,vc1.example,0d3c\n"
    )
    (records,) = read_files([path], Watch())
    assert [(vm.name, vm.vcenter) for vm in records.vms] == [("a", ""), ("b", "0d3c")]
    assert records.vcenters == {"0d3c": "vc1.example"}


def test_the_year_in_which_a_host_was_bought_is_taken(tmp_path: Path) -> None:
    processor = "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz"
    tabs: Tabs = {
        "vInfo": [["VM", "Powerstate", "CPUs", "Memory"], ["a", "poweredOn", 1, 1024]],
        "vHost": [
            ["Host", "CPU Model", "Speed", "# CPU", "# Cores", "# Memory", "Purchase Date"],
            ["esx1", processor, 2500, 2, 40, 2**19, "14.03.2018"],
            ["esx2", processor, 2500, 2, 40, 2**19, "2021-06-30"],
            ["esx3", processor, 2500, 2, 40, 2**19, "next spring"],
        ],
    }
    found = read(as_xlsx(tabs, tmp_path / "a.xlsx"))
    hosts = found.scenario.hosts
    assert [host.bought_year for host in hosts] == [2018, 2021, None]
    assert "bought_year=Purchase Date" in hosts[0].imported_from

"""An inventory and what was measured of its VMs, in files of their own, make one scenario."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from db.codec import scenario_from_json, scenario_to_json
from db.importers.tables import mib
from models.check import check_structure, check_values
from models.intake.cell_origins import cell_of
from models.intake.confirmed import Confirmed, with_confirmed
from models.intake.result import ImportResult
from models.scenario.inputs import inputs, origin_of
from models.scenario.origin import Origin
from models.scenario.workloads import WorkloadKind
from tests.db.importers.estates import Cell, Tabs, as_xlsx, one_host
from tests.db.importers.inventories import read, rules
from tests.db.importers.performance_files import esxtop_file, perfmon_text

SPEED = 2500
CPU = r"\\SRV1\Processor(_Total)\% Processor Time"
DISK = r"\\SRV1\PhysicalDisk(_Total)\Disk Transfers/sec"
FREE = r"\\SRV1\Memory\Available MBytes"


def inventory(path: Path, *names: str) -> Path:
    head: list[Cell] = ["VM", "Powerstate", "CPUs", "Memory", "Host", "VM ID"]
    rows: list[list[Cell]] = [
        [name, "poweredOn", 2, 4096, "esx1", f"vm-{at}"] for at, name in enumerate(names)
    ]
    tabs: Tabs = {
        "vInfo": [head, *rows],
        "vHost": [
            ["Host", "CPU Model", "Speed", "# CPU", "# Cores", "# Memory", "ESX Version"],
            ["esx1", "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz", SPEED, 2, 40, 2**19, "ESXi 6.7.0"],
        ],
    }
    return as_xlsx(tabs, path)


def perfmon(path: Path) -> Path:
    rows = [(str(cpu), str(10 * cpu), str(4096 - 20 * cpu)) for cpu in range(1, 101)]
    path.write_text(perfmon_text((CPU, DISK, FREE), [("0", "0", "0"), *rows]))
    return path


def test_a_guest_s_counters_are_its_vm_s(tmp_path: Path) -> None:
    files = inventory(tmp_path / "a.xlsx", "srv1", "srv2"), perfmon(tmp_path / "srv1.csv")
    found = read(*files, percentile=50)
    one, other = found.scenario.vms
    assert one.workload.cpu_mhz == pytest.approx(0.505 * 2 * SPEED, rel=0.02)
    assert one.workload.iops == pytest.approx(505, rel=0.02)
    assert one.workload.memory_gib == pytest.approx(50.5 * 20 / 1024, rel=0.03)
    assert one.workload.measured_on is not None
    assert one.workload.measured_on.hypervisor == "vsphere-6.7"
    assert (other.workload.cpu_mhz, other.workload.iops) == (None, None)
    assert "workload.cpu_mhz=" in one.imported_from
    assert sums(read(*files, percentile=95)) > sums(found) > 0


def sums(result: ImportResult) -> float:
    return sum(vm.workload.cpu_mhz or 0.0 for vm in result.scenario.vms)


def test_effects_are_known_before_a_percentile_is_taken(tmp_path: Path) -> None:
    files = inventory(tmp_path / "a.xlsx", "srv1"), perfmon(tmp_path / "srv1.csv")
    found = read(*files, percentile=95)
    by_percentile = {each.percentile: each.cpu_mhz for each in found.effects}
    assert by_percentile[95] == sums(found)
    assert by_percentile[50] == sums(read(*files, percentile=50))
    (host,) = (each.hosts["esx1"] for each in found.effects if each.percentile == 95)
    assert host == pytest.approx(sums(found) / (40 * SPEED) * 100)
    assert "peaks" in rules(found)
    assert "peaks" not in rules(read(*files, percentile=50))


def test_esxtop_is_joined_by_name_and_per_cent_of_a_core(tmp_path: Path) -> None:
    batch = esxtop_file(tmp_path / "e.csv", vms=2, vcpus=2, samples=20, columns=60)
    found = read(inventory(tmp_path / "a.xlsx", "vm:0 (a)", "other"), batch, percentile=0)
    used = {each.name: each.summary.mean for each in found.series if "% Used" in each.counter}
    one, other = found.scenario.vms
    mean = used["vm:0 (a)"]
    assert mean is not None
    assert one.workload.cpu_mhz == pytest.approx(mean / 100 * SPEED)
    assert other.workload.cpu_mhz is None
    assert "unmatched-series" in rules(found)


def test_a_log_of_no_known_counter_is_said_to_be_one(tmp_path: Path) -> None:
    log = tmp_path / "srv1.csv"
    queue = r"\\SRV1\LogicalDisk(_Total)\Avg. Disk Read Queue Length"
    log.write_text(perfmon_text((queue,), [("1",)] * 4))
    found = read(inventory(tmp_path / "a.xlsx", "srv1"), log)
    (said,) = (str(each.text) for each in found.notes if each.rule == "unused-series")
    assert "SRV1" in said
    assert "Avg. Disk Read Queue Length" in said
    assert "unmatched-series" not in rules(found)
    alone = read(log)
    assert not alone.scenario.vms
    assert "unused-series" in rules(alone)
    assert "unmatched-series" not in rules(alone)


def test_statistics_of_domino_offer_their_vm_and_take_nothing(tmp_path: Path) -> None:
    stat = tmp_path / "show-stat.txt"
    pairs = {
        "Server.Name": "CN=Mail01/O=Acme",
        "Server.Users": "138",
        "Server.Users.Peak": "400",
        "Server.Users.Active15Min": "71",
        "Server.Version.Notes": "Release 9.0.1FP8",
        "Server.Trans.PerMinute": "1200",
        "Server.CPU.Count": "2",
    }
    stat.write_text("".join(f"  {key} = {value}\r\n" for key, value in pairs.items()))
    found = read(inventory(tmp_path / "a.xlsx", "mail01", "hub-7", "sql1"), stat)
    assert [guess.name for guess in found.guesses] == ["mail01", "hub-7"]
    assert {vm.workload.kind.value for vm in found.scenario.vms} == {"generic"}
    assert found.domino[0].users == 138
    (alone,) = read(stat).guesses
    assert (alone.kind, alone.users) == (WorkloadKind.DOMINO_NRPC, 71)

    mail, hub = found.guesses
    assert (mail.kind, mail.users) == (WorkloadKind.DOMINO_NRPC, 71)
    assert (hub.kind, hub.users) == (WorkloadKind.DOMINO_OTHER, None)
    said = {mail.vm: Confirmed(mail.kind, mail.users), hub.vm: Confirmed(mail.kind)}
    made = with_confirmed(found.scenario, found.guesses, said)
    check_structure(made)
    check_values(made)
    server, gateway, other = made.vms
    assert (server.workload.kind, server.workload.active_users) == (mail.kind, 71)
    assert server.workload.release == "9.0.1"
    assert cell_of(server.imported_from, "workload.active_users").endswith("Users.Active15Min")
    assert server.system_disk_gib == found.scenario.vms[0].workload.disk_gib
    # Nobody knows its users, nor what it needs: its load is not known, and it says what it is.
    assert (gateway.workload.kind, gateway.workload.cpu_mhz) == (hub.kind, None)
    assert other == found.scenario.vms[2]
    saved = scenario_to_json(made, found.own_catalog)
    assert scenario_from_json(saved, name="a").vms[0].workload == server.workload


def test_what_was_measured_of_a_server_stays_its_load(tmp_path: Path) -> None:
    path = esxtop_file(tmp_path / "e.csv", vms=1, vcpus=2, samples=4, columns=40)
    found = read(inventory(tmp_path / "a.xlsx", "vm:0 (a)", "mail-2"), path)
    vm, guess = found.scenario.vms[0], found.guesses[-1]
    guess = replace(guess, vm=vm.id)
    said = {vm.id: Confirmed(WorkloadKind.SAMETIME_COMMUNITY)}
    made = with_confirmed(found.scenario, [guess], said).vms[0]
    assert made.workload.kind is WorkloadKind.SAMETIME_OTHER
    assert made.workload == replace(vm.workload, kind=WorkloadKind.SAMETIME_OTHER)
    assert made.workload.cpu_mhz


def test_what_no_file_says_is_assumed_and_nobody_s_hand(tmp_path: Path) -> None:
    found = read(inventory(tmp_path / "a.xlsx", "srv1")).scenario
    (vm,), (host,) = found.vms, found.hosts
    for item, path in (
        (vm, "disk_mode"),
        (vm, "workload.kind"),
        (vm, "pool"),
        (found, "policy.load_basis"),
        (found, "policy.posture"),
    ):
        assert origin_of(item, path) is Origin.ASSUMED, path
    assert origin_of(host, "hypervisor") is Origin.IMPORTED
    assert origin_of(vm, "ram_gib") is Origin.IMPORTED
    origins = {each.origin for each in inputs(found)}
    assert Origin.MANUAL not in origins


def test_a_release_that_no_file_names_is_assumed(tmp_path: Path) -> None:
    tabs: Tabs = {
        "vInfo": [["VM", "Powerstate", "CPUs", "Memory", "Host"], ["a", "poweredOn", 2, 4096, "h"]],
        "vHost": [
            ["Host", "CPU Model", "Speed", "# CPU", "# Cores", "# Memory"],
            ["h", "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz", SPEED, 2, 40, 2**19],
        ],
    }
    (host,) = read(as_xlsx(tabs, tmp_path / "a.xlsx")).scenario.hosts
    assert origin_of(host, "hypervisor") is Origin.ASSUMED


def test_hosts_keep_how_many_vms_no_list_has(tmp_path: Path) -> None:
    def hosts(**counts: tuple[int, int]) -> dict[str, int]:
        head: list[Cell] = ["Host", "CPU Model", "Speed", "# CPU", "# Cores", "# Memory"]
        model = "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz"
        rows: list[list[Cell]] = [
            [name, model, SPEED, 2, 40, 2**19, *(each[at] for each in counts.values())]
            for at, name in enumerate(("h1", "h2"))
        ]
        vms: list[list[Cell]] = [
            ["a", "poweredOn", 2, 4096, "h1"],
            ["b", "poweredOff", 2, 4096, "h1"],
            ["c", "poweredOn", 2, 4096, "h2"],
        ]
        tabs: Tabs = {
            "vInfo": [["VM", "Powerstate", "CPUs", "Memory", "Host"], *vms],
            "vHost": [[*head, *counts], *rows],
        }
        found = read(as_xlsx(tabs, tmp_path / "a.xlsx")).scenario.hosts
        for host in found:
            if host.unlisted_vms:
                assert origin_of(host, "unlisted_vms") is Origin.IMPORTED
        return {host.name: host.unlisted_vms for host in found}

    assert hosts(**{"# VMs": (5, 1)}) == {"h1": 4, "h2": 0}
    assert hosts(**{"# VMs": (1, 1), "# VMs total": (9, 9)}) == {"h1": 0, "h2": 0}
    assert hosts(**{"# VMs total": (9, 0)}) == {"h1": 7, "h2": 0}


def test_statistics_of_no_vm_are_said_and_can_be_tied(tmp_path: Path) -> None:
    stat = tmp_path / "show-stat.txt"
    pairs = {
        "Server.Name": "CN=Old/O=Acme",
        "Server.Users.Active15Min": "71",
        "Server.Trans.PerMinute": "1200",
        "Server.CPU.Count": "2",
    }
    stat.write_text("".join(f"  {key} = {value}\r\n" for key, value in pairs.items()))
    files = inventory(tmp_path / "a.xlsx", "srv1", "srv2"), stat, perfmon(tmp_path / "p.csv")
    found = read(*files)
    assert found.unmatched == ("Old/Acme",)
    assert not found.guesses
    (note,) = [each for each in found.notes if each.rule == "unmatched-statistics"]
    assert "Old/Acme" in note.text
    said = read(*files, same={"old": "srv2", "SRV1": "srv2"})
    assert said.unmatched == ()
    assert "unmatched-statistics" not in rules(said)
    (guess,) = said.guesses
    assert (guess.name, guess.users) == ("srv2", 71)
    assert [vm.workload.cpu_mhz is None for vm in said.scenario.vms] == [True, False]


def test_of_two_series_of_one_quantity_the_longer_is_taken(tmp_path: Path) -> None:
    short, long = tmp_path / "one.csv", tmp_path / "two.csv"
    short.write_text(perfmon_text((DISK,), [("900",)] * 3))
    long.write_text(perfmon_text((DISK,), [("100",)] * 9))
    listed = inventory(tmp_path / "a.xlsx", "srv1")
    for files in ((short, long), (long, short)):
        (vm,) = read(listed, *files).scenario.vms
        assert vm.workload.iops == pytest.approx(100)


def test_a_machine_is_its_vm_s_by_the_first_part_of_its_name(tmp_path: Path) -> None:
    measured = tmp_path / "one.csv"
    counter = DISK.replace("SRV1", "srv1.acme.example")
    measured.write_text(perfmon_text((counter,), [("100",)] * 3))
    (vm,) = read(inventory(tmp_path / "a.xlsx", "srv1"), measured).scenario.vms
    assert vm.workload.iops == pytest.approx(100)


def test_a_value_names_the_cell_that_it_is_from(tmp_path: Path) -> None:
    scenario = read(inventory(tmp_path / "a.xlsx", "srv1")).scenario
    ((vm,), (host,)) = (scenario.vms, scenario.hosts)
    assert cell_of(vm.imported_from, "host") == "a.xlsx, vInfo, 2, Host"
    assert cell_of(vm.imported_from, "vcpus") == "a.xlsx, vInfo, 2, CPUs"
    assert cell_of(host.imported_from, "server") == "a.xlsx, vHost, 2, CPU Model"
    assert cell_of(host.imported_from, "hypervisor") == "a.xlsx, vHost, 2, ESX Version"


def test_an_unknown_unit_is_an_error_at_once() -> None:
    with pytest.raises(ValueError, match="zzz"):
        mib("memory", unit="zzz")


def test_names_are_joined_over_domain_and_case(tmp_path: Path) -> None:
    """Of measurements and of hosts; what somebody says goes first."""
    rows = [(str(cpu), "10", "4000") for cpu in range(1, 101)]
    measured = tmp_path / "a.csv"
    measured.write_text(perfmon_text((CPU, DISK, FREE), [("0", "0", "0"), *rows]))
    listed = inventory(tmp_path / "a.xlsx", "SRV1.acme.example", "srv2")
    found = read(listed, measured)
    assert [(tie.name, tie.to, tie.how.value) for tie in found.ties] == [
        ("SRV1", "SRV1.acme.example", "short")
    ]
    assert [vm.workload.cpu_mhz is not None for vm in found.scenario.vms] == [True, False]
    assert "vms-matched" in rules(found)
    untied = read(listed, measured, same={"srv1": ""})
    assert untied.unmatched == ("SRV1",)
    assert [vm.workload.cpu_mhz for vm in untied.scenario.vms] == [None, None]
    by_hand = read(listed, measured, same={"srv1": "srv2"})
    assert [vm.workload.cpu_mhz is not None for vm in by_hand.scenario.vms] == [False, True]
    assert "vms-matched" not in rules(by_hand)


def test_a_host_is_known_by_its_other_name(tmp_path: Path) -> None:
    listed = one_host(tmp_path / "a.xlsx", on="ESX1.acme.local ", host="esx1", vcenter="vc1")
    found = read(listed)
    (vm,) = found.scenario.vms
    assert vm.host == found.scenario.hosts[0].id
    assert {"hosts-matched"} == rules(found) & {"hosts-matched", "unlisted-host"}
    apart = read(listed, same={"esx1.acme.local": ""})
    assert apart.scenario.vms[0].host is None
    other = one_host(tmp_path / "b.xlsx", on="old-esx.acme.local", host="esx1", vcenter="vc1")
    assert read(other).scenario.vms[0].host is None
    assert read(other, same={"old-esx.acme.local": "esx1"}).scenario.vms[0].host is not None


def test_what_two_vcenters_call_alike_are_two_things(tmp_path: Path) -> None:
    files = [
        one_host(tmp_path / f"{at}.xlsx", on="esx1", host="esx1", vcenter=f"vc{at}.acme.example")
        for at in (1, 2)
    ]
    found = read(*files)
    scenario = found.scenario
    assert [host.name for host in scenario.hosts] == [
        "esx1 (vc1.acme.example)",
        "esx1 (vc2.acme.example)",
    ]
    assert len({host.cluster for host in scenario.hosts}) == 2
    assert len(scenario.sites) == 2
    assert [vm.host for vm in scenario.vms] == [host.id for host in scenario.hosts]
    assert "several-vcenters" in rules(found)
    assert [host.name for host in read(files[0]).scenario.hosts] == ["esx1"]


def test_a_measured_server_without_a_vm_becomes_one(tmp_path: Path) -> None:
    files = inventory(tmp_path / "a.xlsx", "other"), perfmon(tmp_path / "srv1.csv")
    assert read(*files).unmatched == ("SRV1",)
    for options in ({}, {"has_pseudonyms": True}):
        found = read(*files, as_vms=frozenset({"SRV1"}), **options)
        other, made = found.scenario.vms
        assert (made.host, made.workload.iops is None) == (None, False)
        assert other.workload.iops is None
        assert found.listed == found.taken == 2
        assert not found.unmatched

"""``import`` as a script meets it: JSON, exit status, and files that other commands accept."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from app.cli import DONE, REFUSED, main
from tests.app.terminal import NoWindows
from tests.db.importers.estates import Cell, Tabs, as_xlsx, estate
from tests.db.importers.performance_files import perfmon_text


def run(*words: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = main(words, out, err, NoWindows())
    return status, out.getvalue(), err.getvalue()


def json_of(*words: str) -> dict[str, Any]:
    status, out, err = run(*words, "--json")
    assert (status, err) == (DONE, "")
    found: dict[str, Any] = json.loads(out)
    return found


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return as_xlsx(estate(60)[0], tmp_path_factory.mktemp("export") / "acme.xlsx")


@pytest.mark.parametrize("ending", [".json", ".headroom"])
def test_what_is_imported_can_be_evaluated(ending: str, export: Path, tmp_path: Path) -> None:
    output = tmp_path / f"out{ending}"
    found = json_of("import", str(export), "-o", str(output))
    assert (found["format"], found["version"]) == ("headroom-import", 1)
    assert found["sources"][0]["kind"] == "rvtools-xlsx"
    assert found["sources"][0]["tool_version"] == "4.7.1.4"
    assert found["vms"]["listed"] == 60
    assert found["vms"]["taken"] == 60 - sum(each["count"] for each in found["vms"]["left_out"])
    assert {each["reason"] for each in found["vms"]["left_out"]} == {
        *("powered off", "template", "placeholder", "duplicate"),
    }
    prediction = json_of("evaluate", str(output))
    assert len(prediction["vms"]) == found["vms"]["taken"]
    assert prediction["by_resource"]["cpu"] in ("not known", "at risk")
    assert prediction["by_resource"]["space"] == "fits"
    assert {vm["cpu_pct"]["value"] for vm in prediction["vms"]} == {None}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such permissions")
def test_nobody_else_may_read_the_real_names(export: Path, tmp_path: Path) -> None:
    out = tmp_path / "plan.json"
    names = tmp_path / "plan.names.json"
    names.write_text("{}")
    names.chmod(0o644)
    assert run("import", str(export), "-o", str(out), "--pseudonyms")[0] == 0
    assert names.stat().st_mode & 0o777 == 0o600


def test_real_names_stand_beside_the_file_and_not_in_it(export: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.json"
    status, _, _ = run("import", str(export), "-o", str(output), "--pseudonyms")
    assert status == DONE
    assert "srv-0" not in output.read_text()
    assert "acme" not in output.read_text()
    names = json.loads((tmp_path / "out.names.json").read_text())
    assert names["vm"]["vm-0001"] == "srv-00000"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("{export}", "-o", "{folder}/out.pdf"), "must end in .headroom or .json"),
        (("{folder}/nowhere.csv", "-o", "{folder}/out.json"), "nowhere.csv"),
        (("{export}", "-o", "{folder}/out.json", "--as", "esxtop-csv"), ""),
        (("{export}", "-o", "{folder}/out.json", "--columns", "{folder}/no.toml"), "no.toml"),
    ],
)
def test_what_is_refused_writes_nothing(
    words: tuple[str, ...], said: str, export: Path, tmp_path: Path
) -> None:
    places = {"export": str(export), "folder": str(tmp_path)}
    status, out, err = run("import", *(word.format(**places) for word in words), "--json")
    assert (status, out) == (REFUSED, "")
    assert err.count("\n") == 1
    assert said in err
    assert list(tmp_path.iterdir()) == []


def test_a_summary_for_people_has_what_was_left_out(export: Path) -> None:
    status, out, _ = run("import", str(export), "--language", "de")
    assert status == DONE
    assert "von 60 gelisteten VMs übernommen" in out


def test_what_a_server_is_can_be_said(tmp_path: Path) -> None:
    table, output = tmp_path / "vms.csv", tmp_path / "out.json"
    table.write_text("Name,vCPUs,RAM (GB),Cluster\nmail-01,4,8,c\nhub-02,2,4,c\nsql,2,4,c\n")
    found = json_of(
        *("import", str(table), "-o", str(output), "--confirm", "mail-01=domino-nrpc:1200"),
        *("--confirm", "hub-02=domino-nrpc"),
    )
    assert [guess["kind"] for guess in found["guesses"]] == ["domino-nrpc", "domino-other"]
    works = [vm["workload"] for vm in json.loads(output.read_text())["vms"]]
    assert [work["kind"] for work in works] == ["domino-nrpc", "domino-other", "generic"]
    assert works[0]["active_users"] == 1200
    for told in ("sql=domino-nrpc", "mail-01=web", "mail-01=domino-nrpc:many"):
        assert run("import", str(table), "--confirm", told)[0] == REFUSED


def test_what_was_confirmed_is_not_asked_and_what_is_assumed_is_said(tmp_path: Path) -> None:
    table = tmp_path / "vms.csv"
    table.write_text("Name,vCPUs,RAM (GB),Cluster\nmail-01,4,8,c\nhub-02,2,4,c\nsql,2,4,c\n")
    confirmed = ("--confirm", "mail-01=domino-nrpc:1200", "--confirm", "hub-02=domino-nrpc")
    _, asked, _ = run("import", str(table), "--assume-iops", "20")
    assert "please confirm" in asked
    _, told, _ = run("import", str(table), *confirmed, "--assume-iops", "20")
    assert "please confirm" not in told
    assert "The I/O of 1 VM is assumed" in told


LISTED = "Name,CPUs,Memory\na,2,4096\n"


def test_what_can_t_be_read_in_a_folder_keeps_the_rest_in(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text(LISTED)
    broken, out = tmp_path / "broken.xlsx", tmp_path / "out.json"
    broken.write_bytes(b"PK\x03\x04 and no workbook")
    status, told, complaints = run("import", str(tmp_path), "-o", str(out))
    assert status == REFUSED
    assert (complaints.count("\n"), "broken.xlsx: " in complaints) == (1, True)
    assert "broken.xlsx could not be read" in told
    assert [vm["name"] for vm in json.loads(out.read_bytes())["vms"]] == ["a"]
    out.unlink()
    assert run("import", str(broken), str(tmp_path / "list.csv"), "-o", str(out))[0] == REFUSED
    (tmp_path / "list.csv").unlink()
    assert run("import", str(tmp_path), "-o", str(out))[0] == REFUSED
    assert not out.exists()


def test_a_locked_file_of_a_folder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "list.csv").write_text(LISTED)
    (tmp_path / "locked.csv").write_text(LISTED)
    opened = os.open

    def locked(path: Any, *how: Any, **more: Any) -> int:
        if Path(path).name == "locked.csv":
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *how, **more)

    monkeypatch.setattr("db.door.os.open", locked)
    status, told, complaints = run("import", str(tmp_path), "--json")
    assert (status, "locked.csv: can't be read: you have no permission" in complaints) == (2, True)
    found = json.loads(told)
    assert found["vms"]["taken"] == 1
    assert "unread-file" in {each["rule"] for each in found["warnings"]}


def test_what_was_measured_under_another_name_is_tied(tmp_path: Path) -> None:
    listed, stat, out = tmp_path / "list.csv", tmp_path / "old.txt", tmp_path / "out.json"
    listed.write_text(LISTED)
    pairs = {"Server.Users.Active15Min": "71", "Server.Trans.PerMinute": "12", "Mem.Allocated": "9"}
    stat.write_text("".join(f"  {key} = {value}\r\n" for key, value in pairs.items()))
    files = ("import", str(listed), str(stat), "-o", str(out))
    _, told, _ = run(*files)
    assert ("--same VM=NAME" in told, "a=old" in told) == (True, False)  # They are not alike.
    status, told, _ = run(*files, "--same", "a=old", "--confirm", "a=domino-nrpc:50")
    assert (status, "--same" in told) == (DONE, False)
    (vm,) = json.loads(out.read_bytes())["vms"]
    assert (vm["workload"]["kind"], vm["workload"]["active_users"]) == ("domino-nrpc", 50.0)
    assert run(*files, "--as-vm", "old")[0] == DONE
    assert {vm["name"] for vm in json.loads(out.read_bytes())["vms"]} == {"old", "a"}
    assert run(*files, "--as-vm", "none")[0] == REFUSED
    for wrong in ("b=old", "a=new", "a"):
        status, _, complaint = run(*files, "--same", wrong)
        assert (status, "--same" in complaint) == (REFUSED, True)


MEASURED = "VM name,Power state,vCPU,RAM (GB),CPU Usage %,IOPS\n"


def test_what_was_measured_of_a_vm_that_is_left_out_is_no_other_s(tmp_path: Path) -> None:
    listed = tmp_path / "list.csv"
    listed.write_text(MEASURED + "mail1,poweredOn,4,8,12,50\nmail2,poweredOff,2,4,0,0\n")
    status, told, _ = run("import", str(listed), "-o", str(tmp_path / "out.json"))
    assert (status, "--same" in told, "belongs to no VM" in told) == (DONE, False, False)
    assert "What was measured of 1 VM that is left out is in no number: mail2." in told


def test_a_hint_names_a_pair_that_is_called_alike(tmp_path: Path) -> None:
    listed, measured = tmp_path / "list.csv", tmp_path / "mail_01.csv"
    listed.write_text("Name,CPUs,Memory\nweb,2,4096\nmail-01,2,4096\n")
    cpu = r"\\\\MAIL_01\Processor(_Total)\% Processor Time"
    measured.write_text(perfmon_text((cpu,), [("5",), ("6",)]))
    _, told, _ = run("import", str(listed), str(measured))
    assert '--same "mail-01=MAIL_01"' in told


def test_an_import_of_nothing_is_no_success(tmp_path: Path) -> None:
    """It says what was seen instead, and writes nothing."""
    listed, out = tmp_path / "list.csv", tmp_path / "out.json"
    listed.write_text("Name,Power state,CPUs,Memory\na,poweredOff,2,4096\n")
    status, _, complaint = run("import", str(listed), "-o", str(out))
    assert (status, out.exists()) == (REFUSED, False)
    assert "1 VM of the list is powered off and left out" in complaint


def test_folders_of_the_machine_do_not_go_along(tmp_path: Path) -> None:
    listed, out = tmp_path / "list.csv", tmp_path / "out.json"
    listed.write_text("Name,CPUs,RAM\na,2,4\n")
    assert run("import", str(listed), "-o", str(out))[0] == DONE
    assert str(tmp_path) not in out.read_text(encoding="utf-8")


@pytest.mark.parametrize("ending", [".json", ".headroom"])
def test_what_an_import_left_out_goes_with_it(ending: str, tmp_path: Path) -> None:
    """Into the file, its findings and its proposal, in the language of that."""
    listed, out = tmp_path / "list.csv", tmp_path / f"out{ending}"
    listed.write_text(
        "Name,Power state,CPUs,Memory\na,poweredOn,2,4096\n"
        "b,poweredOff,2,4096\nc,poweredOff,2,4096\n"
    )
    assert run("import", str(listed), "-o", str(out))[0] == DONE
    found = json_of("evaluate", str(out))
    (told,) = [each["text"] for each in found["findings"] if each["rule"] == "import-left-out"]
    assert told.startswith("The import left out 2 VMs of the list")
    pages = tmp_path / "out.html"
    assert run("report", str(out), "-o", str(pages))[0] == DONE
    said = pages.read_text()
    assert "2 VMs of the list are powered off and left out." in said
    assert "Workload: Other server (a)" in said
    assert run("report", str(out), "-o", str(pages), "--language", "de")[0] == DONE
    assert "2 VMs der Liste sind ausgeschaltet und nicht übernommen." in pages.read_text()


def test_what_nobody_measured_is_assumed_by_a_rule(tmp_path: Path) -> None:
    """In the file, its origins, its notes and what evaluate says of it."""
    listed, out = tmp_path / "list.csv", tmp_path / "out.json"
    listed.write_text("Name,CPUs,Memory MB,Provisioned GB\na,2,4096,100\nb,4,8192,50\n")
    rule = ("--assume-cpu", "300", "--assume-iops", "0.5/GiB")
    assert run("import", str(listed), "-o", str(out), *rule)[0] == DONE
    vms = json.loads(out.read_bytes())["vms"]
    assert [vm["workload"]["cpu_mhz"] for vm in vms] == [600, 1200]
    assert [vm["workload"]["iops"] for vm in vms] == [50, 25]
    assert {vm["origins"]["workload.cpu_mhz"] for vm in vms} == {"assumed"}
    assert {vm["workload"]["cpu_spread"] for vm in vms} == {2.0}
    texts = {each["rule"] for each in json_of("evaluate", str(out))["findings"]}
    assert "assumed-load" in texts
    for wrong in (
        ("--assume-cpu", "x:y=3"),
        ("--assume-cpu", "30-10%"),
        ("--assume-cpu", "x"),
        ("--assume-cpu", "150%"),
        ("--assume-iops", "3/VM"),
    ):
        status, _, complaint = run("import", str(listed), *wrong)
        assert (status, wrong[0] in complaint) == (REFUSED, True)


def test_a_share_is_of_the_clock_of_the_host(tmp_path: Path) -> None:
    tabs: Tabs = {
        "vInfo": [["VM", "Powerstate", "CPUs", "Memory", "Host"], ["a", "poweredOn", 2, 4096, "h"]],
        "vHost": [
            ["Host", "CPU Model", "Speed", "# CPU", "# Cores", "# Memory", "ESX Version"],
            ["h", "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz", 2500, 2, 40, 2**19, "ESXi 7.0.3"],
        ],
    }
    out = tmp_path / "out.json"
    listed = as_xlsx(tabs, tmp_path / "a.xlsx")
    assert run("import", str(listed), "-o", str(out), "--assume-cpu", "10%")[0] == DONE
    (vm,) = json.loads(out.read_bytes())["vms"]
    assert vm["workload"]["cpu_mhz"] == pytest.approx(500)
    assert vm["workload"]["measured_on"]["server"]


def test_groups_have_rules_of_their_own_and_ranges(tmp_path: Path) -> None:
    """The first rule that is for a VM holds; a range is that of the numbers of the model."""
    listed, out = tmp_path / "list.csv", tmp_path / "out.json"
    listed.write_text(
        "Name,CPUs,Memory MB,Provisioned GB,Guest OS,Folder\n"
        "a,1,4096,100,Windows 2019,/Prod\nb,1,4096,50,Debian 12,/Prod\nc,1,4096,50,,/Test\n"
    )
    rules = [
        *("--assume-cpu", "guest:windows*=100-400", "--assume-cpu", "folder:/Prod=50-200"),
        *("--assume-iops", "name:c=9-16"),
    ]
    assert run("import", str(listed), "-o", str(out), *rules)[0] == DONE
    vms = [vm["workload"] for vm in json.loads(out.read_bytes())["vms"]]
    assert [vm.get("cpu_mhz") for vm in vms] == [200, 100, None]
    assert [vm.get("cpu_spread") for vm in vms] == [2, 2, None]
    assert [vm.get("iops") for vm in vms] == [None, None, 12]
    predicted = json_of("evaluate", str(out))["vms"][2]["iops"]
    ends = [round(predicted[each], 6) for each in ("low", "value", "high")]
    assert ends == [9, 12, 16]
    notes = [each["values"] for each in json.loads(out.read_bytes())["import_notes"]]
    assert any("whose= (windows*)" in each for each in notes)


def test_tags_and_power_make_groups(tmp_path: Path) -> None:
    """Tags as Aria Operations writes them; a VM that is off gets figures by its power alone."""
    listed, out = tmp_path / "list.csv", tmp_path / "out.json"
    listed.write_text(
        "Name,CPUs,Memory MB,Provisioned GB,Power,Tags\n"
        'a,1,4096,100,poweredOn,"[<Tier-gold>, <Owner-web>]"\nb,1,4096,50,poweredOff,gold\n'
        "c,1,4096,50,poweredOn,silver;gold\nd,1,4096,50,suspended,\n"
    )
    taken = ("import", str(listed), "-o", str(out), "--powered-off", "take")
    rules = ("tag:*gold=100-400", "power:OFF=50-200", "power:sus*=25-100")
    found = json_of(*taken, *(word for rule in rules for word in ("--assume-cpu", rule)))
    vms = [vm["workload"] for vm in json.loads(out.read_bytes())["vms"]]
    assert [vm.get("cpu_mhz") for vm in vms] == [200, 100, 200, 50]
    assert found["vms"]["taken"] == 4
    for group, names in (
        ("tag:gold", ["b", "c"]),
        ("power:on", ["a", "c"]),
        ("power:off", ["b"]),
    ):
        assert run(*taken, "--group", group)[0] == DONE
        assert [vm["name"] for vm in json.loads(out.read_bytes())["vms"]] == names


def test_the_grade_says_who_was_measured_and_is_kept(tmp_path: Path) -> None:
    listed, out = tmp_path / "list.csv", tmp_path / "out.json"
    listed.write_text("Name,CPUs,Memory MB,Provisioned GB\na,2,4096,100\nb,,8192,50\n")
    found = json_of("import", str(listed), "-o", str(out), "--assume-cpu", "300")
    assert found["grade"]["measured_vms_pct"] == 0
    assert {each["input"]: each["vms"] for each in found["grade"]["assumed"]} == {
        "vcpus": 1,
        "workload.cpu_mhz": 2,
    }
    project = tmp_path / "out.headroom"
    assert run("convert", str(out), str(project))[0] == DONE
    chips = {each["id"]: each for each in json_of("evaluate", str(project))["chips"]}
    assert chips["grade"]["text"] == "0 % measured"
    assert "2 VMs of 2" in chips["assumed"]["detail"]


def thin(tmp_path: Path, *, ram_mib: float) -> Path:
    """Two VMs that are promised more than the data store and, maybe, the host have."""
    head: list[str | float | int | None] = ["VM", "Powerstate", "CPUs", "Memory"]
    head += ["Provisioned MiB", "In Use MiB", "Host", "Path"]
    use: list[list[str | float | int | None]] = [
        [name, ram_mib, ram_mib / 2, ram_mib / 8] for name in ("a", "b")
    ]
    rows: list[list[str | float | int | None]] = [
        [name, "poweredOn", 2, ram_mib, 200 * 1024, 30 * 1024, "h", "[ds] x/x.vmx"]
        for name in ("a", "b")
    ]
    tabs: Tabs = {
        "vInfo": [head, *rows],
        "vMemory": [
            ["VM", "Size MiB", "Consumed", "Active"],
            *use,
        ],
        "vHost": [
            ["Host", "CPU Model", "Speed", "# CPU", "# Cores", "# Memory", "ESX Version"],
            ["h", "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz", 2500, 2, 40, 65536, "ESXi 7.0.3"],
        ],
        "vDatastore": [["Name", "Type", "Capacity MiB"], ["ds", "NFS", 100 * 1024]],
    }
    return as_xlsx(tabs, tmp_path / "thin.xlsx")


def test_a_thin_site_that_runs_is_not_refused(tmp_path: Path) -> None:
    """Every choice says what it would decide; the one that is started with can be told."""
    source, out = str(thin(tmp_path, ram_mib=8192)), tmp_path / "out.json"
    found = json_of("import", source, "-o", str(out))
    shares = {each["basis"]: round(each["pct"]) for each in found["space"]}
    assert shares == {"provisioned": 400, "used": 60}
    assert [each["basis"] for each in found["space"] if each["taken"]] == ["used"]
    assert [each["basis"] for each in found["memory"] if each["taken"]] == ["configured"]
    assert "space-meant" in {each["rule"] for each in found["warnings"]}
    assert json_of("evaluate", str(out))["by_resource"]["space"] == "fits"
    assert run("import", source, "-o", str(out), "--disk", "provisioned")[0] == DONE
    assert json_of("evaluate", str(out))["by_resource"]["space"] == "does not fit"


def test_memory_that_hosts_only_promise_is_held_to_what_is_consumed(tmp_path: Path) -> None:
    source, out = str(thin(tmp_path, ram_mib=49152)), tmp_path / "out.json"
    found = json_of("import", source, "-o", str(out))
    shares = {each["basis"]: round(each["pct"]) for each in found["memory"]}
    assert shares == {"configured": 150, "consumed": 75, "active": 19}
    assert [each["basis"] for each in found["memory"] if each["taken"]] == ["consumed"]
    assert json.loads(out.read_bytes())["policy"]["memory_overcommit"] == 2
    assert json_of("evaluate", str(out))["by_resource"]["ram"] != "does not fit"
    assert run("import", source, "-o", str(out), "--memory", "configured")[0] == DONE
    assert json_of("evaluate", str(out))["by_resource"]["ram"] == "does not fit"


def test_right_sizing_is_listed_and_taken_by_choice(tmp_path: Path) -> None:
    """12 GiB, of which 1.5 were active: 3 GiB at the limit of 70 %."""
    source, out = str(thin(tmp_path, ram_mib=12288)), tmp_path / "out.json"
    found = json_of("import", source, "-o", str(out))["right_sizing"]
    assert (found["taken"], found["saves"][0]["ram_gib"]) == ("as-they-are", 18)
    assert [vm["ram_gib"] for vm in json.loads(out.read_bytes())["vms"]] == [12, 12]
    assert "Larger than they need" in run("import", source)[1]
    assert run("import", source, "-o", str(out), "--right-size", "measured")[0] == DONE
    assert [vm["ram_gib"] for vm in json.loads(out.read_bytes())["vms"]] == [12, 12]
    assert run("import", source, "-o", str(out), "--right-size", "active")[0] == DONE
    assert [vm["ram_gib"] for vm in json.loads(out.read_bytes())["vms"]] == [3, 3]


def test_the_nearest_meaning_is_taken_where_files_have_not_the_usual_one(tmp_path: Path) -> None:
    listed = tmp_path / "list.csv"
    listed.write_text("Name,CPUs,Memory MB,Disk GB\na,2,4096,100\nb,2,8192,50\n")
    found = json_of("import", str(listed))
    taken = [each["basis"] for each in found["space"] if each["taken"]]
    assert taken == [found["space"][0]["basis"]]


def test_who_was_measured_counts_though_no_clock_makes_mhz_of_it(tmp_path: Path) -> None:
    """A sentence that the files measure nobody would be false of them."""
    listed = tmp_path / "template.csv"
    listed.write_text(
        "*Server name,*Cores,*Memory (In MB),*OS name,CPU utilization percentage,"
        "Memory utilization percentage,Disk 1 size (In GB),"
        "Disk 1 read ops (operations per second),Disk 1 write ops (operations per second)\n"
        "a,4,8192,Windows,50,50,100,20,10\nb,4,8192,Windows,,,100,,\n"
    )
    assert json_of("import", str(listed))["grade"]["measured_vms_pct"] == 50


def a_site(path: Path) -> Path:
    """Two data centres with a cluster each; a host of the second is in maintenance."""
    vms: list[list[Cell]] = [
        ["web1", "poweredOn", 2, 4096, "esx1", "vm-1", "A", "North", "Linux", "/prod"],
        ["web2", "poweredOff", 2, 4096, "esx1", "vm-2", "A", "North", "Linux", "/test"],
        ["sql1", "poweredOn", 4, 8192, "esx2", "vm-3", "B", "South", "Windows 2019", "/prod"],
        ["sql2", "poweredOn", 4, 8192, "esx3", "vm-4", "B", "South", "Windows 2019", "/test"],
    ]
    hosts: list[list[Cell]] = [
        [f"esx{at}", "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz", 2500, 2, 40, 2**19, "ESXi 6.7.0",
         cluster, site, away]
        for at, cluster, site, away in (
            (1, "A", "North", "False"), (2, "B", "South", "False"), (3, "B", "South", "True")
        )
    ]  # fmt: skip
    head: list[Cell] = ["VM", "Powerstate", "CPUs", "Memory", "Host", "VM ID", "Cluster"]
    tabs: Tabs = {
        "vInfo": [
            [*head, "Datacenter", "OS according to the VMware Tools", "Folder"],
            *vms,
        ],
        "vHost": [
            ["Host", "CPU Model", "Speed", "# CPU", "# Cores", "# Memory", "ESX Version", "Cluster",
             "Datacenter", "in Maintenance Mode"],
            *hosts,
        ],
    }  # fmt: skip
    return as_xlsx(tabs, path)


def test_only_what_is_chosen_is_taken_and_the_rest_is_counted(tmp_path: Path) -> None:
    listed, out = str(a_site(tmp_path / "a.xlsx")), tmp_path / "out.json"
    names = tmp_path / "names.txt"
    names.write_text("SQL1\n\nweb1\n")
    every = ["esx1", "esx2", "esx3"]
    for chosen, taken, hosts in (
        (("--site", "north"), ["web1"], ["esx1"]),
        (("--cluster", "B"), ["sql1", "sql2"], ["esx2", "esx3"]),
        (("--group", "guest:*windows*"), ["sql1", "sql2"], every),
        (("--group", "folder:/test", "--group", "name:web*"), ["web1", "sql2"], every),
        (("--group", f"list:{names}"), ["web1", "sql1"], every),
        (("--cluster", "B", "--group", "folder:/prod"), ["sql1"], ["esx2", "esx3"]),
    ):
        found = json_of("import", listed, "-o", str(out), *chosen)
        made = json.loads(out.read_bytes())
        assert [vm["name"] for vm in made["vms"]] == taken
        assert [host["name"] for host in made["hosts"]] == hosts
        left = {each["reason"]: each["count"] for each in found["vms"]["left_out"]}
        assert found["vms"]["taken"] + sum(left.values()) == found["vms"]["listed"] == 4
        assert left["not chosen"] > 0
    for wrong in (
        ("--site", "East"),
        ("--cluster", "C"),
        ("--group", "guest:OS/2"),
        ("--group", "colour:red"),
        ("--group", f"list:{tmp_path / 'none.txt'}"),
    ):
        status, _, complaint = run("import", listed, *wrong)
        assert (status, complaint.count("\n")) == (REFUSED, 1)


def test_a_host_in_maintenance_counts_as_away(tmp_path: Path) -> None:
    listed, out = str(a_site(tmp_path / "a.xlsx")), tmp_path / "out.json"
    found = json_of("import", listed, "-o", str(out))
    made = json.loads(out.read_bytes())
    away = {host["name"]: host.get("in_maintenance", False) for host in made["hosts"]}
    assert away == {"esx1": False, "esx2": False, "esx3": True}
    assert "in-maintenance" in {each["rule"] for each in found["warnings"]}
    said = {each["rule"]: each["text"] for each in json_of("evaluate", str(out))["findings"]}
    assert "esx3 is in maintenance" in said["host-in-maintenance"]
    assert "sql2 stands on esx3, which is in maintenance" in said["unplaced"]
    assert "esx3 (in maintenance)" in run("evaluate", str(out))[1]


def test_a_vcenter_is_chosen_by_its_name(tmp_path: Path) -> None:
    listed, out = tmp_path / "list.csv", tmp_path / "out.json"
    listed.write_text("Name,CPUs,Memory MB,vCenter\na,1,4096,vc1\nb,1,4096,vc2\n")
    assert run("import", str(listed), "-o", str(out), "--vcenter", "VC2")[0] == DONE
    assert [vm["name"] for vm in json.loads(out.read_bytes())["vms"]] == ["b"]
    status, _, complaint = run("import", str(listed), "--vcenter", "vc3")
    assert (status, "vc1, vc2" in complaint) == (REFUSED, True)


TOTALS = "vms=30,vcpus=100,ram_tib=0.25,disk_gib=3000,iops=900,cpu_ghz=30"


def test_totals_alone_are_sized_and_fit_on_assumptions(tmp_path: Path) -> None:
    """From the totals to a design: nothing on the way takes them for a list."""
    stated, out, after = (str(tmp_path / name) for name in ("t.txt", "t.json", "t.headroom"))
    Path(stated).write_text(TOTALS.replace(",", "\n") + "\n# of vCenter\n")
    by_file = json_of("import", stated, "-o", out)
    assert by_file["sources"][0]["kind"] == "totals"
    found = json_of("import", "--totals", TOTALS, "-o", out)
    assert found["vms"]["taken"] == 30
    assert found["totals"]["vcpus"] == by_file["totals"]["vcpus"] == 100
    assert found["totals"]["ram_mib"] == pytest.approx(2**18)
    assert found["grade"]["measured_vms_pct"] == 0
    vms = json.loads(Path(out).read_bytes())["vms"]
    assert sum(vm["workload"]["iops"] for vm in vms) == pytest.approx(900)
    assert sum(vm["workload"]["cpu_mhz"] for vm in vms) == pytest.approx(30_000)
    assert run("size", out, "--refresh", "-o", after)[0] == DONE
    told = json_of("evaluate", after, "--scenario", "totals, refreshed")
    assert told["verdict"] == "fits"
    assert "assumed" in {chip["id"] for chip in told["chips"]}
    assert "stated-totals" in {each["rule"] for each in told["findings"]}


@pytest.mark.parametrize(
    ("totals", "named"),
    [
        ("vms=4,vcpus=3,ram_gib=8", "vcpus"),
        ("vms=4,vcpus=8", "ram_gib"),
        ("vms=4,vcpus=8,ram_gib=nan", "ram_gib"),
        ("vms=4,vcpus=8,ram_gib=8,ram_tib=1", "ram_tib"),
        ("vms=4.5,vcpus=8,ram_gib=8", "vms"),
        ("vms=4,vcpus=8,ram_gib=8,users=4", "users"),
        ("vms=99999999999,vcpus=99999999999,ram_gib=8", "vms"),
    ],
)
def test_totals_that_can_not_be_are_named(totals: str, named: str) -> None:
    status, _, complaint = run("import", "--totals", totals)
    assert (status, complaint.count("\n")) == (REFUSED, 1)
    assert f"--totals: {named}: " in complaint

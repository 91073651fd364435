"""What an import guesses is said and can be told otherwise; what it doesn't read is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from db.errors import StoreError
from db.importers.letters import encoding_of
from db.importers.registry import read_files
from db.importers.watch import Watch
from models.intake.options import Reason
from models.intake.records import Part, Power
from models.intake.result import ImportResult
from tests.db.importers.estates import as_xlsx
from tests.db.importers.inventories import read, result_of, rules

HEAD = "VM,Powerstate,CPUs,Memory MB,Host\n"


def listed(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def accounted(found: ImportResult) -> bool:
    """Whether each row of a list was taken, or left out for a reason."""
    return found.listed == found.taken + sum(found.left_out.values())


# --- letters ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "encoding"),
    [
        (("Köln-01", "Käln-01", "Küln-01"), "cp1252"),
        (("ÄÖÜ-01", "Übung"), "cp1252"),
        (("Serwer-łączność", "Poczta-główna", "żółw"), "cp1250"),
        (("Сервер-почты", "Архив"), "cp1251"),
        (("サーバー", "メール"), "shift_jis"),
        (("邮件服务器", "数据库"), "gbk"),
        (("Größe", "naïve", "東京"), "utf-8"),
    ],
)
@pytest.mark.slow
def test_letters_far_into_a_file_tell_its_encoding(
    names: tuple[str, ...], encoding: str, tmp_path: Path
) -> None:
    plain = "".join(f"vm{at:05d},on,2,4096,esx1\n" for at in range(4000))
    rows = "".join(f"{name},on,2,4096,esx1\n" for name in names)
    found = read(listed(tmp_path / "a.csv", HEAD + plain + rows, encoding))
    assert {vm.name for vm in found.scenario.vms} >= set(names)
    assert ("encoding-guessed" in rules(found)) == (encoding != "utf-8")


def test_one_foreign_byte_spoils_no_other_name(tmp_path: Path) -> None:
    data = (HEAD + "Köln,on,2,4096,h\nMünchen,on,2,4096,h\n").encode()
    (tmp_path / "a.csv").write_bytes(data + b"B\xe4r,on,2,4096,h\n")
    assert {vm.name for vm in read(tmp_path / "a.csv").scenario.vms} == {"Köln", "München", "Bär"}


def test_somebody_says_the_encoding(tmp_path: Path) -> None:
    path = listed(tmp_path / "a.csv", HEAD + "Žďár,on,2,4096,h\n", "cp1250")
    (records,) = read_files([path], Watch(), encoding="cp1250")
    assert [vm.name for vm in records.vms] == ["Žďár"]
    with pytest.raises(StoreError, match="no encoding"):
        read_files([path], Watch(), encoding="klingon")
    assert encoding_of([]) == "utf-8"


# --- power ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "is_on"),
    [
        *(("Eingeschaltet", True), ("Ausgeschaltet", False), ("Angehalten", False)),
        *(("Sous tension", True), ("Hors tension", False), ("Encendido", True)),
        *(("Apagado", False), ("Acceso", True), ("Spento", False), ("Ligado", True)),
        *(("Desligado", False), ("Włączony", True), ("Kapalı", False), ("Включен", True)),
        *(("POWERED ON", True), ("powered-off", False), ("パワーオン", True), ("关机", False)),
    ],
)
def test_words_for_power(word: str, is_on: bool, tmp_path: Path) -> None:
    rows = f"a,{word},2,4096,h\nb,on,2,4096,h\n"
    found = read(listed(tmp_path / "a.csv", HEAD + rows))
    assert found.taken == 1 + is_on
    assert found.left_out[Reason.UNKNOWN_POWER] == 0


def test_an_unknown_word_and_an_empty_cell_are_asked_about(tmp_path: Path) -> None:
    path = listed(tmp_path / "a.csv", HEAD + "a,on,2,4096,h\nb,dormant,2,4096,h\nc,,2,4096,h\n")
    found = read(path)
    assert (found.taken, found.left_out[Reason.UNKNOWN_POWER]) == (1, 2)
    assert accounted(found)
    assert "power-unknown" in rules(found)
    told = read(path, power={"dormant": Power.ON, "": Power.OFF})
    assert ([vm.name for vm in told.scenario.vms], told.left_out[Reason.OFF]) == (["a", "b"], 1)


def test_a_list_without_power_is_of_vms_that_run(tmp_path: Path) -> None:
    rows = "a,,2,4096,h\nb,,2,4096,h\n"
    assert read(listed(tmp_path / "a.csv", HEAD + rows)).taken == 2


# --- quotation marks --------------------------------------------------------------------------


def test_a_quotation_mark_that_does_not_end_swallows_nothing(tmp_path: Path) -> None:
    rows = "".join(f"vm{at},on,2,4096,h\n" for at in range(9))
    odd = '"odd,on,2,4096,h\n'
    for text in (odd + rows, rows + odd, rows + odd + rows.replace("vm", "w") + odd + rows):
        found = read(listed(tmp_path / "a.csv", HEAD + text))
        assert found.listed == text.count("\n")
        assert "stray-quote" in rules(found)


def test_cells_of_several_lines_stay_cells(tmp_path: Path) -> None:
    text = 'VM,Powerstate,CPUs,Memory MB,Note\na,on,2,4096,"one, two\nthree"\nb,on,2,4096,x\n'
    found = read(listed(tmp_path / "a.csv", text))
    assert (found.taken, "stray-quote" in rules(found)) == (2, False)


# --- figures, columns, rows, sheets -----------------------------------------------------------


@pytest.mark.parametrize("cells", ["1000000000,4096", "2.5,4096", "2,16"])
def test_a_size_that_can_t_be_is_named_so(cells: str, tmp_path: Path) -> None:
    found = read(listed(tmp_path / "a.csv", HEAD + f"big,on,{cells},h\nb,on,2,4096,h\n"))
    assert (found.taken, len(found.not_read)) == (2, 1)
    assert found.not_read[0].name.startswith("big: ")
    assert found.totals.vcpus <= 4


def test_a_column_that_stands_twice_is_said(tmp_path: Path) -> None:
    text = "VM,CPUs,Memory MB,CPUs,Colour\na,2,4096,8,red\n"
    found = read(listed(tmp_path / "a.csv", text))
    assert found.scenario.vms[0].vcpus == 2
    assert {(each.part, each.name, each.matters) for each in found.not_read} == {
        (Part.COLUMN, "CPUs", True),
        (Part.COLUMN, "Colour", False),
    }


@pytest.mark.parametrize("name", ["Total", "Summe", "", "All VMs"])
def test_a_row_that_adds_up_the_others_is_no_vm(name: str, tmp_path: Path) -> None:
    rows = f"a,on,2,4096,h\nb,on,4,8192,h\n{name},,6,12288,\n"
    found = read(listed(tmp_path / "a.csv", HEAD + rows))
    assert (found.listed, found.totals.vcpus) == (2, 6)
    assert not name or [each.part for each in found.not_read] == [Part.ROW]


def test_a_vm_called_total_is_a_vm(tmp_path: Path) -> None:
    rows = "a,on,2,4096,h\nb,on,4,8192,h\nTotal,on,2,4096,h\n"
    assert read(listed(tmp_path / "a.csv", HEAD + rows)).taken == 3


def test_every_sheet_is_read_or_named(tmp_path: Path) -> None:
    vms = ["VM Name", "vCPUs", "Memory (GB)", "Host"]
    path = as_xlsx(
        {
            "Cluster A": [list(vms), ["a1", 4, 16, "esx1"]],
            "Cluster B": [list(vms), ["b1", 2, 8, "esx2"], ["b2", 2, 8, "esx2"]],
            "Hosts": [
                [
                    "Host Name",
                    "Cluster",
                    "Manufacturer",
                    "CPU Sockets",
                    "Total Cores",
                    "CPU GHz",
                    "Memory (GB)",
                    "ESXi Version",
                ],
                ["esx1", "Cluster A", "HPE", 2, 40, 2.4, 384, "7.0.3"],
                ["esx2", "Cluster B", "HPE", 2, 40, 2.4, 384, "7.0.3"],
            ],
            "Datastores": [
                ["Datastore Name", "Type", "Capacity (GB)", "Used (GB)"],
                ["ds1", "VMFS", 2048, 600],
            ],
            "Remarks": [["Who", "What"], ["we", "hello"]],
        },
        tmp_path / "a.xlsx",
    )
    found = read(path)
    assert (found.taken, found.totals.hosts, found.totals.cores) == (3, 2, 80)
    assert {each.name for each in found.clusters} == {"Cluster A", "Cluster B"}
    assert len(found.scenario.pools) == 1
    assert rules(found).isdisjoint({"no-hosts", "no-spec-rate"})
    assert "no-processor" in rules(found)  # "CPU GHz" is a clock.
    sheets = [each.name for each in found.not_read if each.part is Part.SHEET]
    assert sheets == ["Remarks"]


def test_the_template_of_azure_migrate(tmp_path: Path) -> None:
    text = (
        "*Server name,*Cores,*Memory (In MB),*OS name,CPU utilization percentage,"
        "Memory utilization percentage,Storage in use (In GB),Disk 1 size (In GB),"
        "Disk 1 read ops (operations per second),Disk 1 write ops (operations per second),"
        "Disk 2 size (In GB),Disk 2 read ops (operations per second),"
        "Disk 2 write ops (operations per second)\n"
        "dom1,4,16384,Windows,50,50,150,100,300,250,80,100,50\ndom2,8,32768,Linux,10,30,35,50,90,9,,,\n"
    )
    path = listed(tmp_path / "a.csv", text)
    (records,) = read_files([path], Watch())
    assert records.kind == "azure-migrate"
    found = result_of([records])
    assert [vm.workload.iops for vm in found.scenario.vms] == [700, 99]
    assert [vm.workload.disk_gib for vm in found.scenario.vms] == [180, 50]
    assert rules(found).isdisjoint({"no-cpu", "no-iops", "no-vcpus", "no-ram_mib"})


def test_headings_of_programs(tmp_path: Path) -> None:
    text = "vm_name,power_state,num_vcpu,ram_gb,disk_gb\na,on,4,16,200\nb,on,8,32,500\n"
    found = read(listed(tmp_path / "a.csv", text.replace("num_vcpu", "vcpu")))
    assert [(vm.vcpus, vm.ram_gib) for vm in found.scenario.vms] == [(4, 16.0), (8, 32.0)]
    assert found.totals.provisioned_mib == 700 * 1024


def test_of_sheets_of_an_assessment_the_one_with_most_machines_counts(tmp_path: Path) -> None:
    heads = ["Machine Name", "Cores", "Memory (in MB)", "CPU Utilization (in %)"]
    of_vms = [*heads[:3], "Disk Read (in OPS)", "Disk Write (in OPS)"]
    path = as_xlsx(
        {
            "None": [list(heads)],
            "Some": [list(heads), ["a", 2, 4096, 10]],
            "All": [list(of_vms), ["a", 2, 4096, 30, 20], ["b", 4, 8192, 5, 5]],
        },
        tmp_path / "a.xlsx",
    )
    found = read(path)
    assert (found.taken, found.totals.vcpus) == (2, 6)
    assert [vm.workload.iops for vm in found.scenario.vms] == [50, 10]

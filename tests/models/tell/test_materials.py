"""The list of parts: each part once."""

from __future__ import annotations

from dataclasses import replace

from models.scenario.scenario import Host
from models.tell.blocks import Paragraph
from models.tell.materials import Material, bill_of_materials, materials
from models.tell.subject import Subject
from tests.models.prices.designs import a_design
from tests.models.worlds import CATALOG, a_host, a_pool, a_scenario, on_vsan, predict

SOLD = "r760-6430"


def test_hot_spares_are_among_the_drives_and_counted_once() -> None:
    pools = (a_pool("p1", spindles=66, hot_spares=2), a_pool("p2", spindles=10))
    (drives,) = (
        each for each in materials(a_scenario(pools=pools), CATALOG) if each.part == "Drives"
    )
    assert (drives.count, drives.note) == (76, "2 of them hot spares")
    without = materials(a_scenario(pools=pools[1:], vms=()), CATALOG)
    (drives,) = (each for each in without if each.part == "Drives")
    assert (drives.count, drives.note) == (10, "no hot spares among them")


def test_vsan_is_no_array_beside_its_hosts() -> None:
    parts = {each.part: each for each in materials(on_vsan(4), CATALOG)}
    assert "Storage array" not in parts
    assert parts["vSAN in hosts"].count == 4
    assert parts["Drives"].count == 16
    assert "cache" in parts["vSAN in hosts"].note


def of(part: str, hosts: tuple[Host, ...]) -> list[Material]:
    scenario = a_scenario(hosts=hosts, vms=())
    return [each for each in materials(scenario, CATALOG) if each.part == part]


def test_what_is_there_stands_apart_from_what_is_to_be_bought() -> None:
    new = a_host("h1", server=SOLD)
    there = replace(a_host("h2", server=SOLD), imported_from="vHost!A2")
    old = a_host("h3", server="ibm-x366")
    found = of("Server", (new, there, replace(there, id="h4"), old))
    assert [(each.count, each.whence) for each in found] == [
        (1, "to buy"),
        (2, "there"),
        (1, "not sold any more"),
    ]


def test_each_processor_has_a_line_and_a_name() -> None:
    hosts = (a_host("h1", server=SOLD), a_host("h2", server=SOLD), a_host("h3", server="ibm-x366"))
    lines = of("Processors", hosts)
    servers = [CATALOG.servers[SOLD], CATALOG.servers["ibm-x366"]]
    assert [(each.what, each.count) for each in lines] == [
        (servers[0].processor, 2 * servers[0].sockets),
        (servers[1].processor, servers[1].sockets),
    ]
    nameless = replace(servers[0], id="own", processor="")
    catalog = replace(CATALOG, servers={**CATALOG.servers, "own": nameless})
    scenario = a_scenario(hosts=(a_host("h1", server="own"),), vms=())
    (line,) = (each for each in materials(scenario, catalog) if each.part == "Processors")
    assert line.what == "nobody says which"


def test_end_of_support_stands_beside_the_hypervisor() -> None:
    (line,) = of("Hypervisor cores", (a_host("h1", hypervisor="vsphere-8.0"),))
    assert line.note.endswith("supported until 2027-10-11")
    (line,) = of("Hypervisor", (a_host("h1", hypervisor="esx-3.0.1"),))
    assert line.note.endswith("end of support not known")


def test_drives_of_an_array_that_nobody_sells_are_not_called_to_be_bought() -> None:
    scenario = a_scenario(pools=(a_pool("p1"), replace(a_pool("p2"), imported_from="disks!A2")))
    found = [each for each in materials(scenario, CATALOG) if each.part == "Drives"]
    assert [each.whence for each in found] == ["not sold any more", "there"]


def test_licences_are_counted_and_what_fewer_cores_save_is_said() -> None:
    design = a_design(years=3.0)
    rows = {str(each.part): each for each in materials(design, CATALOG)}
    assert rows["Domino, a user"].count == 6000
    assert not any("Windows" in str(part) for part in rows)
    subject = Subject(scenario=design, prediction=predict(design), catalog=CATALOG)
    section = bill_of_materials(subject)
    assert section is not None
    told = " ".join(each.text for each in section.blocks if isinstance(each, Paragraph))
    assert "One core less in each processor saves 4 licences" in told
    assert "Support ends within the planned years: VMware vSphere 8.0 on 2027-10-11" in told

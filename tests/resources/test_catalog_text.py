"""Entries as text: what goes in comes back, and what is wrong is named."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base.errors import ModelError
from models.base.lettering import is_seen
from models.catalog.catalog import Catalog, Server
from models.scenario.scenario import Workload
from models.scenario.workloads import WorkloadKind
from resources.catalog_files import (
    CatalogError,
    dump_catalog,
    load_catalog,
    load_processors,
    parse_catalog,
)
from resources.catalog_text import parse_overheads, parse_processors

BOX = """
[servers.my-box]
name = "My box"
sockets = 2
cores = 16
threads = 32
base_mhz = 2600
source = "the customer's inventory"
confidence = "verbatim"
"""
KINDS = (
    *("servers", "arrays", "disks", "raid_levels", "hypervisors", "processors"),
    *("generations", "releases", "support", "sizings", "licences"),
)


def test_the_least_that_an_entry_needs() -> None:
    box = parse_catalog(BOX, "own.toml").servers["my-box"]
    assert box.cores == 16
    assert box.base_mhz == 2600.0
    assert isinstance(box.base_mhz, float)
    assert box.spec_rate is None
    assert box.provenance.assumed == ()


PRINT = """
[profiles.own-print]
name = "Print server"
vcpus = 2
ram_gib = 4
workload = { kind = "generic", cpu_mhz = 800, iops = 40.5, disk_gib = 60 }
source = "perfmon of May"
confidence = "own"
"""


def test_a_workload_of_the_users_own() -> None:
    catalog = parse_catalog(PRINT, "own.toml")
    profile = catalog.profiles["own-print"]
    assert (profile.vcpus, profile.ram_gib) == (2, 4.0)
    wanted = Workload(kind=WorkloadKind.GENERIC, cpu_mhz=800.0, iops=40.5, disk_gib=60.0)
    assert profile.workload == wanted
    assert parse_catalog(dump_catalog(catalog), "again.toml").profiles == catalog.profiles


def test_a_workload_may_be_a_table_of_its_own() -> None:
    inline = next(line for line in PRINT.splitlines() if line.startswith("workload"))
    table = """
[profiles.own-print.workload]
kind = "domino-nrpc"
release = "8.5.1"
active_users = 500
mail_file_mb = 200
"""
    read = parse_catalog(PRINT.replace(inline, "") + table, "own.toml").profiles["own-print"]
    assert (read.workload.kind, read.workload.active_users) == (WorkloadKind.DOMINO_NRPC, 500.0)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ('"generic"', "must be a table with the kind"),
        ('{ kind = "web" }', "workload.kind: must be one of"),
        ('{ kind = "generic", iop = 3 }', "did you mean “iops”?"),
        ('{ kind = "generic", iops = "3" }', "workload.iops: must be a number, not '3'"),
        ('{ kind = "generic", iops = -3 }', "workload.iops: must be ≥ 0"),
    ],
)
def test_what_is_wrong_with_a_workload_is_named(given: str, sentence: str) -> None:
    inline = next(line for line in PRINT.splitlines() if line.startswith("workload"))
    with pytest.raises(CatalogError) as refused:
        parse_catalog(PRINT.replace(inline, f"workload = {given}"), "own.toml")
    assert sentence in str(refused.value)
    assert "profiles.own-print.workload" in str(refused.value)


def test_an_empty_library_is_a_library() -> None:
    assert not parse_catalog("", "own.toml").servers
    assert dump_catalog(Catalog()) == ""


def test_the_whole_catalog_survives_the_round_trip() -> None:
    whole = load_catalog().merged(Catalog(processors=load_processors()))
    again = parse_catalog(dump_catalog(whole), "again.toml")
    for kind in KINDS:
        assert getattr(again, kind) == getattr(whole, kind)


def test_text_of_an_entry_stays_the_same() -> None:
    once = dump_catalog(parse_catalog(BOX, "own.toml"))
    assert dump_catalog(parse_catalog(once, "own.toml")) == once


words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=30)
rates = st.floats(min_value=1e-3, max_value=1e6)
clocks = st.floats(min_value=1, max_value=20_000)


@given(name=words.filter(is_seen), note=words, rate=st.none() | rates, mhz=clocks)
def test_any_entry_survives_the_round_trip(
    name: str, note: str, rate: float | None, mhz: float
) -> None:
    box = parse_catalog(BOX, "own.toml").servers["my-box"]
    provenance = replace(box.provenance, note=note)
    changed = replace(box, name=name, spec_rate=rate, base_mhz=mhz, provenance=provenance)
    text = dump_catalog(Catalog(servers={box.id: changed}))
    assert dict(parse_catalog(text, "own.toml").servers) == {box.id: changed}


def other(old: str, new: str) -> str:
    assert old in BOX
    return BOX.replace(old, new)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[servers", "own.toml: line 1: is no TOML"),
        ("[server.x]", "own.toml: server: “server” is not a table of a catalog (did you mean"),
        ("servers = 3", "own.toml: servers: must be tables [servers.ID]"),
        ("[servers]\nbox = 3", "own.toml: servers.box: must be a table [servers.box]"),
        (other("my-box", "'My box'"), "own.toml: servers.My box.id: an id has small letters"),
        (other("cores = 16\n", ""), "own.toml: servers.my-box: needs the field “cores”"),
        (other("source", "sauce"), "servers.my-box.sauce: “sauce” is not a field of this kind"),
        (other("16", '"16"'), "servers.my-box.cores: must be a whole number, not '16'"),
        (other("16", "16.5"), "servers.my-box.cores: must be a whole number, not 16.5"),
        (other("16", "true"), "servers.my-box.cores: must be a whole number, not True"),
        (other("16", "0"), "servers.my-box.cores: must be ≥ 1"),
        (other("2600", "-1"), "servers.my-box.base_mhz: must be ≥ 1"),
        (other("2600", "nan"), "servers.my-box.base_mhz: must be ≥ 1"),
        (other("2600", "inf"), "servers.my-box.base_mhz: must be ≤ 20,000"),
        (other("32", "8"), "servers.my-box: needs sockets ≤ cores ≤ threads"),
        (other('"My box"', '" "'), "servers.my-box.name: must have a character"),
        (other('"My box"', "7"), "servers.my-box.name: must be text in quotation marks"),
        (BOX + 'role = "spare"', "my-box.role: must be one of “purchase”, “reference”"),
        (BOX + "year = 1066", "servers.my-box.year: must be ≥ 1,960"),
        (BOX + "nested_paging = 1", "servers.my-box.nested_paging: must be true or false"),
        (BOX + 'assumed = "cores"', "servers.my-box.assumed: must be a list of texts"),
        (BOX + 'assumed = ["core"]', "assumed: “core” is not a field of this kind of entry (did"),
    ],
)
def test_one_sentence_names_file_entry_field_and_reason(text: str, message: str) -> None:
    with pytest.raises(CatalogError) as caught:
        parse_catalog(text, "own.toml")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, ModelError)


RAID = """
[raid_levels.x]
name = "X"
write_penalty = 2
parity_drives = 2
group_drives = 8
source = "s"
confidence = "assumed"
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("group_drives = 8", "group_drives = 2", "raid_levels.x.group_drives: must be more than"),
        ("write_penalty = 2", "write_penalty = 0.5", "write_penalty: must be ≥ 1"),
        ("parity_drives = 2", "parity_drives = -1", "raid_levels.x.parity_drives: must be ≥ 0"),
    ],
)
def test_raid_levels_are_checked(old: str, new: str, message: str) -> None:
    assert parse_catalog(RAID, "r.toml").raid_levels["x"].group_drives == 8
    with pytest.raises(CatalogError, match=message.replace(".", r"\.")):
        parse_catalog(RAID.replace(old, new), "r.toml")


DRIVES = """
[disks.x]
name = "X"
kinds = ["sas", "fc"]
source = "s"
confidence = "assumed"
"""


def test_kinds_of_drive_are_words_of_a_list() -> None:
    own = parse_catalog(DRIVES, "d.toml")
    assert own.disks["x"].kinds == ("sas", "fc")
    assert parse_catalog(dump_catalog(own), "again").disks == own.disks
    with pytest.raises(CatalogError, match=r"disks\.x\.kinds: must be one of “fc”, “sas”"):
        parse_catalog(DRIVES.replace("sas", "scsi"), "d.toml")


RELEASE = """
[hypervisors.new]
name = "New"
version = [9, 0, 0]
memory_overhead = {}
source = "s"
confidence = "assumed"
"""


def test_a_hypervisor_names_a_table_or_brings_its_own() -> None:
    named = parse_catalog(RELEASE.format('"6.5"'), "h.toml").hypervisors["new"]
    assert named.memory_overhead == load_catalog().hypervisors["vsphere-6.5"].memory_overhead
    table = "{ ram_mib = [1024, 4096], vcpus = [1, 2], mib = [[26, 30], [49, nan]] }"
    own = parse_catalog(RELEASE.format(table), "h.toml").hypervisors["new"]
    assert own.memory_overhead is not None
    assert own.memory_overhead.mib == ((26.0, 30.0), (49.0, None))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('"6.6"', "“6.6” is not a memory overhead table (did you mean “6.5”?)"),
        ("{ ram_mib = [1] }", "must name a table, or be one with ram_mib, vcpus and mib"),
        ("{ ram_mib = [2, 1], vcpus = [1], mib = [[1], [2]] }", "ram_mib: must rise"),
        ("{ ram_mib = [1, 2], vcpus = [1], mib = [[1]] }", "mib: must have a row for each"),
        ("{ ram_mib = [1], vcpus = [1], mib = [[-4]] }", "mib: must be ≥ 0.001"),
        ("{ ram_mib = [], vcpus = [1], mib = [[1]] }", "must have lists that are not empty"),
    ],
)
def test_a_wrong_overhead_table_is_refused(table: str, message: str) -> None:
    with pytest.raises(CatalogError) as caught:
        parse_catalog(RELEASE.format(table), "h.toml")
    at = "h.toml: hypervisors.new.memory_overhead"
    assert str(caught.value).startswith((f"{at}: {message}", f"{at}.{message}"))


@pytest.mark.parametrize(
    "version", ["[4, 1]", "[4, 1, 0, 0]", '["4", 1, 0]', "4.1", "[true, 1, 0]"]
)
def test_a_version_is_three_numbers(version: str) -> None:
    text = RELEASE.format('"4.0"').replace("[9, 0, 0]", version)
    with pytest.raises(CatalogError, match="version: must be three whole numbers"):
        parse_catalog(text, "h.toml")


HEADER = (
    "id,name,vendor,generation,chips,cores_per_socket,threads_per_core,base_mhz,spec_rate,"
    "spec_basis,hardware_virtualisation,nested_paging,assumed,note,source,confidence"
)
ROW = "p-1,P 1,V,G,2,4,1,2333,8.63,CPU2017,yes,,,,published,derived"


def test_a_processor_row() -> None:
    table = parse_processors(f"# remark\n{HEADER}\n{ROW}\n", "p.csv")
    assert table["p-1"].hardware_virtualisation is True
    assert table["p-1"].nested_paging is None
    assert table["p-1"].spec_rate == 8.63


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (ROW.replace(",2333,", ",fast,"), "p.csv: line 3, p-1.base_mhz: must be a number, not 'fa"),
        (ROW.replace(",yes,", ",perhaps,"), "p.csv: line 3, p-1.hardware_virtualisation: must be"),
        (ROW.replace(",8.63,", ",0,"), "p.csv: line 3, p-1.spec_rate: must be ≥ 0.001"),
        (ROW.replace("published", ""), "p.csv: line 3, p-1.source: must have a character"),
        (ROW.replace("P 1", ""), "p.csv: line 3, p-1: needs the field “name”"),
        (ROW + ",more", "p.csv: line 3: has 17 cells, the header has 16"),
        (f"{ROW}\n{ROW}", "p.csv: line 4, p-1: needs an id of its own"),
        (ROW.replace("p-1", ""), "p.csv: line 3, no id: needs an id of its own"),
    ],
)
def test_a_wrong_processor_row_is_named_by_its_line(rows: str, message: str) -> None:
    with pytest.raises(CatalogError) as caught:
        parse_processors(f"# remark\n{HEADER}\n{rows}\n", "p.csv")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("a,256,1,lots", "m.csv: line 2, a: needs ram_mib, vcpus and overhead_mib as numbers"),
        ("a,256,1,0", "m.csv: a: mib: must be ≥ 0.001"),
        ("a,256,1,5\na,256,1,6", "m.csv: line 3, a: gives the same cell twice"),
    ],
)
def test_a_wrong_overhead_row_is_named_by_its_line(rows: str, message: str) -> None:
    with pytest.raises(CatalogError) as caught:
        parse_overheads(f"table,ram_mib,vcpus,overhead_mib\n{rows}\n", "m.csv")
    assert message in str(caught.value)


def test_a_personal_entry_hides_a_shipped_one() -> None:
    own = parse_catalog(BOX.replace("my-box", "ibm-x3650"), "own.toml")
    merged = load_catalog().merged(own)
    assert isinstance(merged.servers["ibm-x3650"], Server)
    assert merged.servers["ibm-x3650"].name == "My box"
    assert len(merged.servers) == len(load_catalog().servers)


LINE = """
[releases."domino-15.0"]
name = "Domino 15.0"
product = "domino"
number = "15.0"
ordinal = 11
end_of_support = {day}
source = "the maker's letter"
confidence = "verbatim"
"""


def test_a_release_of_the_users_own_may_have_a_last_day() -> None:
    catalog = parse_catalog(LINE.format(day="2031-12-31"), "own.toml")
    line = catalog.releases["domino-15.0"]
    assert (line.ordinal, line.year, line.end_of_support) == (11, None, date(2031, 12, 31))
    assert parse_catalog(dump_catalog(catalog), "again.toml").releases == catalog.releases


@pytest.mark.parametrize("day", ['"2031-12-31"', "2031", "2031-12-31T08:00:00"])
def test_a_last_day_is_a_day(day: str) -> None:
    with pytest.raises(CatalogError) as refused:
        parse_catalog(LINE.format(day=day), "own.toml")
    assert "own.toml: releases.domino-15.0.end_of_support: must be a day" in str(refused.value)

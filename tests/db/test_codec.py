"""The scenario file: what it holds comes back, and what is wrong is said in one sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from db.codec import MAX_BYTES, json_schema, scenario_from_json, scenario_to_json
from db.errors import StoreError
from models.base.errors import ModelError
from models.check import check_structure
from models.scenario import scenario as model
from models.scenario.origin import Origin
from models.scenario.scenario import AdmissionPolicy, DiskMode, Policy, RestartPriority
from models.scenario.workloads import WorkloadKind
from tests.chance import dear
from tests.db.documents import EXAMPLE, encoded, example
from tests.db.schema import Schema
from tests.db.strategies import scenarios


def read(document: object) -> model.Scenario:
    return scenario_from_json(encoded(document), name="plan.json")


def sentence(data: bytes) -> str:
    with pytest.raises(StoreError) as caught:
        scenario_from_json(data, name="plan.json")
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith("plan.json: ")
    return text.removeprefix("plan.json: ")


def refused(change: Callable[[dict[str, Any]], object]) -> str:
    """The sentence about the example after a change that makes it wrong."""
    document = example()
    change(document)
    return sentence(encoded(document))


def test_example_of_the_description_is_read() -> None:
    scenario = scenario_from_json(EXAMPLE.encode(), name="plan.json")
    assert scenario.name == "WV21 migration"
    assert scenario.clusters[0].admission.policy is AdmissionPolicy.HOST_FAILURES
    assert scenario.hosts[0].ft_logging_gbps == 1.0
    assert scenario.pools[0].spindles == 35
    vm = scenario.vm("m1")
    assert (vm.disk_mode, vm.vcpus, vm.ram_gib) == (DiskMode.VMFS, 4, 14.5)
    assert vm.workload.kind is WorkloadKind.DOMINO_NRPC
    assert vm.workload.active_users == 4000.0


def test_what_is_optional_has_the_promised_defaults() -> None:
    document = example()
    for key in ("policy", "clusters"):
        del document[key]
    for key in ("name", "cluster", "ft_logging_gbps"):
        del document["hosts"][0][key]
    for key in ("name", "fault_tolerance"):
        del document["vms"][0][key]
    scenario = read(document)
    assert scenario.policy == Policy()
    assert scenario.policy.benchmark_derating == 2.0
    assert (scenario.customer, scenario.author, scenario.notes) == ("", "", "")
    host, vm = scenario.hosts[0], scenario.vms[0]
    assert (host.name, host.cluster, host.ft_logging_gbps) == ("h1", None, None)
    assert (vm.name, vm.fault_tolerance, vm.powered_on) == ("m1", False, True)
    assert vm.restart_priority is RestartPriority.MEDIUM


def test_empty_lists_are_a_scenario() -> None:
    head = {"format": "headroom-scenario", "version": 1, "name": "n"}
    assert read({**head, "hosts": [], "pools": [], "vms": []}) == model.Scenario(name="n")


def test_a_vm_may_stand_nowhere_and_have_no_pool() -> None:
    document = example()
    document["vms"][0].update(host=None, pool=None)
    assert (read(document).vms[0].host, read(document).vms[0].pool) == (None, None)


def test_origins_and_pins_stand_beside_the_values() -> None:
    document = example()
    document["origins"] = {"policy.cpu_limit_pct": "customer-said"}
    document["vms"][0]["origins"] = {"workload.active_users": "measured", "ram_gib": "benchmark"}
    document["vms"][0]["pins"] = ["vcpus", "ram_gib"]
    scenario = read(document)
    assert scenario.origins == (("policy.cpu_limit_pct", Origin.CUSTOMER),)
    assert scenario.vms[0].origins == (
        ("ram_gib", Origin.BENCHMARK),
        ("workload.active_users", Origin.MEASURED),
    )
    assert scenario.vms[0].pins == ("ram_gib", "vcpus")
    written = json.loads(scenario_to_json(scenario))
    assert written["vms"][0]["origins"] == document["vms"][0]["origins"]
    assert written["hosts"][0]["origins"] == {}


@pytest.mark.parametrize(
    ("origins", "expected"),
    [
        ({"ram_gb": "manual"}, "vms[0].origins.ram_gb: “ram_gb” is not an input of this item"),
        (
            {"vcpus": "manual", "ram_gib": "guessed"},
            (
                "vms[0].origins.ram_gib: must be one of measured, imported, calibrated, "
                "customer-said, benchmark, default, auto, assumed, manual, not “guessed”"
            ),
        ),
    ],
)
def test_origins_that_mean_nothing_are_refused(origins: dict[str, str], expected: str) -> None:
    assert refused(lambda d: d["vms"][0].update(origins=origins)) == expected


@pytest.mark.parametrize("kind", ["sametime-community", "sametime-mux", "generic"])
def test_other_workloads_need_only_their_kind(kind: str) -> None:
    document = example()
    document["vms"][0]["workload"] = {"kind": kind}
    assert read(document).vms[0].workload == model.Workload(kind=WorkloadKind(kind))


@pytest.mark.parametrize("key", ["release", "active_users", "mail_file_mb"])
def test_a_domino_workload_needs_its_figures(key: str) -> None:
    text = refused(lambda d: d["vms"][0]["workload"].pop(key))
    assert text == f"vms[0].workload.{key}: is missing"


@pytest.mark.parametrize("key", ["format", "version", "name", "hosts", "pools", "vms"])
def test_the_top_of_the_file_is_complete(key: str) -> None:
    assert refused(lambda d: d.pop(key)).startswith(f"{key}: ")
    assert "missing" in refused(lambda d: d.pop(key))


@pytest.mark.parametrize(
    ("collection", "key"),
    [
        *(("hosts", key) for key in ("id", "server", "hypervisor", "ram_gib")),
        *(("pools", key) for key in ("id", "array", "disk", "spindles", "raid")),
        *(("vms", key) for key in ("id", "host", "pool", "vcpus", "ram_gib", "disk_mode")),
        ("vms", "workload"),
        ("clusters", "id"),
    ],
)
def test_each_object_is_complete(collection: str, key: str) -> None:
    assert refused(lambda d: d[collection][0].pop(key)) == f"{collection}[0].{key}: is missing"


def _set(*path: Any, to: object) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        place: Any = document
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return change


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            _set("vms", 0, "workload", "active_users", to=-1),
            "vms[0].workload.active_users: must be ≥ 0",
        ),
        (_set("vms", 0, "vcpus", to=0), "vms[0].vcpus: must be ≥ 1"),
        (_set("vms", 0, "ram_gib", to=0), "vms[0].ram_gib: must be ≥ 0.001"),
        (_set("hosts", 0, "ram_gib", to=1e7), "hosts[0].ram_gib: must be ≤ 1,000,000"),
        (_set("pools", 0, "spindles", to=0), "pools[0].spindles: must be ≥ 1"),
        (_set("policy", "benchmark_derating", to=0.5), "policy.benchmark_derating: must be ≥ 1"),
        (_set("policy", "cpu_limit_pct", to=101), "policy.cpu_limit_pct: must be ≤ 100"),
        (_set("vms", 0, "vcpus", to="4"), "vms[0].vcpus: must be a whole number, not text"),
        (_set("vms", 0, "vcpus", to=2.5), "vms[0].vcpus: must be a whole number, not 2.5"),
        (_set("vms", 0, "ram_gib", to=None), "vms[0].ram_gib: must be a number, not null"),
        (
            _set("hosts", 0, "cluster", to=3),
            "hosts[0].cluster: must be text or null, not a whole number",
        ),
        (_set("hosts", to={}), "hosts: must be a list, not an object"),
        (_set("vms", 0, "workload", to=[]), "vms[0].workload: must be an object, not a list"),
        (
            _set("vms", 0, "fault_tolerance", to=1),
            "vms[0].fault_tolerance: must be true or false, not a whole number",
        ),
        (_set("vms", 0, "workload", "kind", to=None), "vms[0].workload.kind: must be text"),
        (
            _set("assumptions", to={"guest_boot": 90}),
            (
                "assumptions.guest_boot: is not a field of a scenario file, "
                "did you mean “guest_boot_s”?"
            ),
        ),
        (_set("name", to=""), "name: must not be empty"),
        (_set("name", to="  "), "name: must not be empty"),
        (_set("vms", 0, "id", to=""), "vms[0].id: must not be empty"),
        (_set("name", to="a\nb"), "name: must be one line without control characters"),
        (_set("name", to="a\n"), "name: must be one line without control characters"),
        (_set("name", to="x" * 201), "name: must not be longer than 200 characters"),
        (
            _set("vms", 0, "disk_mode", to="scsi"),
            "vms[0].disk_mode: must be one of vmfs, rdm, nfs, vsan, local, physical, not “scsi”",
        ),
        (
            _set("vms", 0, "workload", "kind", to="exchange"),
            f"vms[0].workload.kind: must be one of {', '.join(WorkloadKind)}, not “exchange”",
        ),
        (_set("vms", 0, "guest_bits", to=16), "vms[0].guest_bits: must be one of 32, 64, not “16”"),
        (
            _set("clusters", 0, "admission", "policy", to="maybe"),
            (
                "clusters[0].admission.policy: must be one of none, host-failures, percentage, "
                "dedicated-host, not “maybe”"
            ),
        ),
        (
            _set("hosts", 0, "ram_gb", to=16),
            "hosts[0].ram_gb: is not a field of a scenario file, did you mean “ram_gib”?",
        ),
        (_set("hosts", 0, "zzz", to=16), "hosts[0].zzz: is not a field of a scenario file"),
        (_set("colour", to="red"), "colour: is not a field of a scenario file"),
        (_set("format", to="jmt"), "format: must be “headroom-scenario”, not “jmt”"),
        (_set("version", to=2), "version: must be 1, not “2”; a newer program wrote this file"),
        (_set("version", to="1"), "version: must be 1, not “1”"),
        (_set("version", to=True), "version: must be 1, not true"),
        (
            _set("affinity", to=[{"id": "r1", "kind": "apart", "vms": []}]),
            "affinity[0].vms: must not be empty",
        ),
        (
            _set("affinity", to=[{"id": "r1", "kind": "apart", "vms": ["m1"], "hosts": ["h1"]}]),
            "affinity[0].hosts: must be empty for apart",
        ),
        (
            _set("pools", 0, "hot_spares", to=35),
            "pools[0].hot_spares: must be less than spindles (35)",
        ),
        (
            _set("vms", 0, "memory_reservation_gib", to=15),
            "vms[0].memory_reservation_gib: must not be more than ram_gib (14.5)",
        ),
    ],
)
def test_a_wrong_value_is_named_with_its_path(
    change: Callable[[dict[str, Any]], None], expected: str
) -> None:
    assert refused(change) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", "is empty"),
        (b" \n ", "is empty"),
        (b"[]", "must be an object, not a list"),
        (b"{}", "format: must be “headroom-scenario”, it is missing"),
        (b'{"format": "headroom-scenario"}', "version: must be 1, it is missing"),
        (b'{"format": ', "is not complete JSON: it ends too early, at line 1, column 12"),
        (b"[1", "is not complete JSON: it ends too early, at line 1, column 3"),
        (b'{"format":\n  ?}', "is not valid JSON at line 2, column 3"),
        (b'{"name": "\xff"}', "is not UTF-8 text"),
        ("{}".encode("utf-16"), "is UTF-16 text; save it as UTF-8"),
        (b'{"a":' * 100_000, "is nested more deeply than any file of Headroom"),
        (b"[" * 100_000, "must be an object, not a list"),
        (b" " * (MAX_BYTES + 1), "is larger than 160 MiB, no scenario is"),
    ],
)
def test_what_is_not_a_scenario_file_is_said_plainly(text: bytes, expected: str) -> None:
    assert sentence(text) == expected


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_numbers_are_finite(number: str) -> None:
    text = EXAMPLE.replace("4000", number)
    path = "vms[0].workload.active_users"
    assert sentence(text.encode()) == f"{path}: must be a finite number, not {number}"


@pytest.mark.parametrize("number", ["1e999", "1" * 5000])
def test_numbers_have_an_end(number: str) -> None:
    text = EXAMPLE.replace("4000", number)
    assert sentence(text.encode()) == "vms[0].workload.active_users: is too large a number"


def test_a_byte_order_mark_does_no_harm() -> None:
    data = b"\xef\xbb\xbf" + EXAMPLE.encode()
    assert scenario_from_json(data, name="n").name == "WV21 migration"


def test_a_key_given_twice_is_refused() -> None:
    text = EXAMPLE.replace('"vcpus": 4,', '"vcpus": 4, "vcpus": 8,')
    assert sentence(text.encode()) == "vms[0].vcpus: is given twice"


def test_a_long_or_unprintable_key_makes_no_long_or_broken_sentence() -> None:
    text = refused(_set("hosts", 0, "\x1b[31m\n" + "x" * 10_000, to=1))
    assert len(text) < 200
    assert text.isprintable()


@dear()
@given(scenarios())
def test_what_is_written_is_read_back(scenario: model.Scenario) -> None:
    data = scenario_to_json(scenario)
    assert scenario_from_json(data, name="n") == scenario
    assert scenario_to_json(scenario_from_json(data, name="n")) == data


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_a_scenario_or_one_sentence(data: bytes) -> None:
    assert sentence(data)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=10)
    | st.sampled_from(["none", "percentage", "vmfs", "generic", "m1", "h1"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


def _places(tree: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of a JSON tree."""
    keys = (
        list(tree) if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ()
    )
    return [place for key in keys for place in [(tree, key), *_places(tree[key])]]


@given(st.data())
def test_a_mutated_scenario_is_a_scenario_or_one_sentence(data: st.DataObject) -> None:
    document = deepcopy(example())
    for _ in range(data.draw(st.integers(1, 3))):
        container, key = data.draw(st.sampled_from(_places(document)))
        if data.draw(st.booleans()):
            container[key] = data.draw(json_values)
        else:
            del container[key]
        if not _places(document):
            break
    _read_or_refuse(encoded(document))


@given(st.integers(0, len(EXAMPLE)), st.integers(0, 30), st.binary(max_size=5))
def test_a_spoiled_file_is_a_scenario_or_one_sentence(at: int, cut: int, put: bytes) -> None:
    data = EXAMPLE.encode()
    _read_or_refuse(data[:at] + put + data[at + cut :])


def _read_or_refuse(data: bytes) -> None:
    try:
        scenario_from_json(data, name="plan.json")
    except StoreError as error:
        text = str(error)
    else:
        return
    assert text.startswith("plan.json: ")
    assert len(text) < 500
    assert text.isprintable()


def test_schema_names_all_fields_bounds_and_choices() -> None:
    schema = json_schema()
    text = json.dumps(schema)
    definitions = schema["$defs"]
    vm = definitions["Vm"]["properties"]
    assert vm["vcpus"]["minimum"] == 1
    assert vm["restart_priority"]["$ref"].endswith("RestartPriority")
    assert definitions["DiskMode"]["enum"] == sorted(mode.value for mode in DiskMode)
    assert definitions["Policy"]["properties"]["benchmark_derating"]["minimum"] == 1
    assert definitions["Document"]["required"] == [
        "format",
        "version",
        "name",
        "hosts",
        "pools",
        "vms",
    ]
    assert definitions["Document"]["additionalProperties"] is False
    for name in ("guest_bits", "cluster_partners", "failure_group", "affinity", "lun", "notes"):
        assert f'"{name}"' in text


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (_set("version", to=1.0), "version"),
        (_set("vms", 0, "vcpus", to=4.0), "vcpus"),
        (_set("vms", 0, "guest_bits", to=64.0), "guest_bits"),
        (_set("pools", 0, "spindles", to=3.5e1), "spindles"),
    ],
)
def test_whole_numbers_may_be_written_with_a_point(
    change: Callable[[dict[str, Any]], None], field: str
) -> None:
    document = example()
    change(document)
    vm = read(document).vms[0]
    assert isinstance(vm.vcpus, int)
    assert vm.guest_bits in (None, 64)


def test_a_fraction_is_still_no_whole_number() -> None:
    assert "must be a whole number" in refused(_set("vms", 0, "vcpus", to=4.5))
    assert "must be a whole number" in refused(
        lambda d: (d["vms"][0].update(vcpus=4.5), d["pools"][0].update(spindles=35.0))
    )


@pytest.mark.parametrize("field", ["id", "name", "host", "pool", "lun"])
def test_half_a_surrogate_pair_is_refused_by_reader_and_schema(field: str) -> None:
    document = example()
    document["vms"][0][field] = "x\ud800"
    assert not Schema(json_schema()).accepts(document)
    assert sentence(json.dumps(document).encode())


BEYOND = re.compile(
    "there is no|too$|is named twice|must name at least one host|must be empty for|"
    "must be less than spindles|must not be more than|must not name|waives what|"
    "must name hosts beside"
)
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 1.0, 4.0, 2.5, 1e12, "", " ", "x", "m1", "h1", "p1", "\t"),
    *("\ud800", "\u2028", "none", "64", [], {}, ["m1"], [""], {"ram_gib": "auto"}, {"x": 1}),
    *("ram_gib", ["ram_gib"], ["ram_gib", "ram_gib"], 64.0, 32, "dedicated-host", "x" * 201),
)


def places(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of everything in a document."""
    steps = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for step, value in steps:
        yield (*path, step)
        if isinstance(value, dict | list):
            yield from places(value, (*path, step))


FULL = json.loads(scenario_to_json(scenario_from_json(EXAMPLE.encode(), name="example")))
FULL["affinity"] = [{"id": "r1", "kind": "apart", "vms": ["m1"], "hosts": []}]
FULL["import_notes"] = [
    {"rule": "left-out", "text": "{count} of {of}", "count": 2, "values": ["of=9"]}
]
FULL["waivers"] = [{"rule": "ft-single-vcpu", "reason": "agreed", "subject": "m1"}]


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_schema_and_reader_agree(data: st.DataObject) -> None:
    """But for what no schema can say: references, and fields held against each other."""
    document = deepcopy(FULL)
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(list(places(document))))
        _set(*path, to=deepcopy(data.draw(st.sampled_from(ODD))))(document)
    reason = reason_of_reader(document)
    if SCHEMA.accepts(document):
        assert reason is None or BEYOND.search(reason)
    else:
        assert reason is not None


def reason_of_reader(document: object) -> str | None:
    try:
        check_structure(scenario_from_json(json.dumps(document).encode(), name="n"))
    except (StoreError, ModelError) as error:
        return str(error)
    return None


SCHEMA = Schema(json_schema())

"""Networks as JSON: what is read, what is refused and how, and how answers are written."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from db.errors import StoreError
from db.importers.network import network_from_json, read_network, solution_to_json
from models.queueing.network import CustomerClass, Network, Station
from models.queueing.solve import solve

GOOD: dict[str, Any] = {
    "classes": [
        {"name": "users", "population": 4, "think_time": 10},
        {"name": "mail", "arrival_rate": 0.5},
    ],
    "stations": [
        {"name": "cpu", "type": "queue", "servers": 8, "visits": [1, 2], "service": [0.02, 0.1]},
        {"name": "net", "type": "delay", "visits": [1, 1], "service": [0.05, 0]},
    ],
}


def read(document: object) -> Network:
    return network_from_json(json.dumps(document).encode(), name="n.json")


def changed(path: str, value: object) -> str:
    """GOOD as text with one value replaced, or removed where `value` is ..."""
    document = json.loads(json.dumps(GOOD))
    *parts, last = [int(p) if p.isdigit() else p for p in path.split("/")]
    place: Any = document
    for part in parts:
        place = place[part]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return json.dumps(document)


def test_good_file() -> None:
    assert read(GOOD) == Network(
        (CustomerClass("users", 4, 10.0), CustomerClass("mail", arrival_rate=0.5)),
        (
            Station("cpu", "queue", (1.0, 2.0), (0.02, 0.1), 8),
            Station("net", "delay", (1.0, 1.0), (0.05, 0.0)),
        ),
    )


def test_names_may_be_left_out() -> None:
    network = read(
        {
            "classes": [{"population": 1}, {"population": 0, "arrival_rate": None}],
            "stations": [{"type": "queue", "visits": [1, 1], "service": [1, 1]}],
        }
    )
    assert [each.name for each in network.classes] == ["class 1", "class 2"]
    assert network.stations[0].name == "station 1"
    assert network.classes[0].think_time == 0.0


def test_whole_numbers_may_have_a_decimal_point() -> None:
    with_points = changed("classes/0/population", 4.0).replace('"servers": 8', '"servers": 8.0')
    assert "4.0" in with_points
    assert "8.0" in with_points
    assert network_from_json(with_points.encode(), name="n.json") == read(GOOD)


def test_byte_order_mark_is_skipped() -> None:
    text = b"\xef\xbb\xbf" + json.dumps(GOOD).encode()
    assert network_from_json(text, name="n.json") == read(GOOD)


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("classes/0/population", -1, "classes[0].population: must be ≥ 0"),
        (
            "classes/0/population",
            "4",
            "classes[0].population: must be a number or null, not",
        ),
        ("classes/0/population", 2.5, "classes[0].population: must be a whole number, not 2.5"),
        ("classes/0/population", True, "classes[0].population: must be a number or null"),
        ("classes/0/population", 10**12, "classes[0].population: must be ≤ 1,000,000,000"),
        ("classes/0/population", ..., "classes[0]: either population or arrival_rate is needed"),
        ("classes/0/arrival_rate", 1, "classes[0]: population and arrival_rate exclude each other"),
        ("classes/0/think_time", -0.5, "classes[0].think_time: must be ≥ 0"),
        ("classes/1/think_time", 5, "classes[1].think_time: only a closed class has one"),
        ("classes/1/arrival_rate", -2, "classes[1].arrival_rate: must be ≥ 0"),
        (
            "classes/0/popul",
            3,
            "classes[0].popul: is not a field of a network, did you",
        ),
        ("classes", [], "classes: at least one class is needed"),
        ("classes", {}, "classes: must be a list, not an object"),
        ("classes/0", 7, "classes[0]: must be an object, not a whole number"),
        ("classes/0/name", "a\nb", "classes[0].name: must be one line without control characters"),
        ("stations", ..., "stations: is missing"),
        ("stations", [], "stations: at least one station is needed"),
        ("stations/1/type", "pool", "stations[1].type: must be queue or delay, not “pool”"),
        ("stations/0/servers", 0, "stations[0].servers: must be ≥ 1"),
        ("stations/0/servers", 1.5, "stations[0].servers: must be a whole number, not 1.5"),
        ("stations/0/visits", [1], "stations[0].visits: must have one number per class (2), has 1"),
        ("stations/0/service", [1, 2, 3], "stations[0].service: must have one number per class"),
        ("stations/0/service/1", -1, "stations[0].service[1]: must be ≥ 0"),
        ("stations/0/service/1", None, "stations[0].service[1]: must be a number, not null"),
        ("extra", 1, "extra: is not a field of a network"),
    ],
)
def test_bad_values_are_named(path: str, value: object, sentence: str) -> None:
    with pytest.raises(StoreError) as refused:
        network_from_json(changed(path, value).encode(), name="n.json")
    assert str(refused.value).startswith(f"n.json: {sentence}")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "is empty"),
        (b"  \n", "is empty"),
        (b"\xff\xfe{", "is not UTF-8 text"),
        (json.dumps(GOOD).encode()[:-30], "is not complete JSON: it ends too early, at line 1, "),
        (b"[1", "is not complete JSON: it ends too early, at line 1, column 3"),
        (b'{"classes":\n [7', "is not complete JSON: it ends too early, at line 2, column 4"),
        (b"[1,, 2]", "is not valid JSON at line 1, column 4"),
        (b"[]", "must be an object, not a list"),
        (b"{'classes': 1}", "is not valid JSON at line 1, column 2"),
        (
            json.dumps(GOOD).replace("0.02", "NaN").encode(),
            "stations[0].service[0]: must be",
        ),
        (json.dumps(GOOD).replace("0.02", "1e999").encode(), "stations[0].service[0]: "),
        (
            json.dumps(GOOD).replace("0.05", "-Infinity").encode(),
            "stations[1].service[0]: ",
        ),
        (
            json.dumps(GOOD).replace('"think_time"', '"population"').encode(),
            "classes[0].population: ",
        ),
        (b"[" * 100_000, ""),
    ],
)
def test_broken_files_are_refused(text: bytes, sentence: str) -> None:
    with pytest.raises(StoreError) as refused:
        network_from_json(text, name="n.json")
    assert str(refused.value).startswith(f"n.json: {sentence}")
    assert "\n" not in str(refused.value)


@given(st.binary(max_size=200))
def test_any_bytes_give_a_network_or_one_sentence(data: bytes) -> None:
    with pytest.raises(StoreError) as refused:
        network_from_json(data, name="n.json")
    assert "\n" not in str(refused.value)


JSON_VALUES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False)
        | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
        max_leaves=8,
    ),
    st.sampled_from(("classes", "classes/0", "stations/0", "stations/0/visits", "classes/0/name")),
)
def test_any_value_in_any_place_gives_a_network_or_is_refused(value: object, path: str) -> None:
    with suppress(StoreError):
        network_from_json(changed(path, value).encode(), name="n.json")


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"none\.json: there is no such file$"):
        read_network(tmp_path / "none.json")
    with pytest.raises(StoreError, match=r"is a folder, not a file$"):
        read_network(tmp_path)


def test_answer_has_the_promised_form() -> None:
    network = read(GOOD)
    answer = json.loads(solution_to_json(network, solve(network)))
    assert list(answer) == ["method", "error_estimate", "classes", "stations"]
    assert [list(each) for each in answer["classes"]] == [
        ["name", "throughput", "response_time", "customers"]
    ] * 2
    lists = ["utilization", "throughput", "queue_length", "residence_time", "response_time"]
    assert [list(each) for each in answer["stations"]] == [["name", *lists]] * 2
    assert answer["stations"][1]["utilization"] is None
    assert all(len(answer["stations"][0][key]) == 2 for key in lists)
    cpu = answer["stations"][0]
    assert cpu["residence_time"][1] == pytest.approx(2 * cpu["response_time"][1])
    assert answer["classes"][0]["customers"] == 4

"""Networks in files: read back for `solve`, and as models of JMT."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from db.importers.network import network_from_json, network_to_json, unlike_names
from db.jmt import ARRIVALS, DEPARTURES, THINK, jmva, jsimg
from models.queueing.network import CustomerClass, Network, Station

NAMED = 'a & b <\u202eevil\u202c> "c" ]]> \u05d0'
NETWORK = Network(
    (
        CustomerClass(NAMED, 400, 78.25),
        CustomerClass("users", 100, 10.0),
        CustomerClass("users", arrival_rate=2.5),
    ),
    (
        Station("think", "queue", (1.0, 0.0, 1.0), (0.011, 0.0, 0.4), 2),
        Station("drive\n1", "queue", (0.25, 0.5, 0.0), (0.0055, 0.0055, 0.0)),
        Station("rest", "delay", (1.0, 0.0, 0.0), (0.02, 0.0, 0.0)),
    ),
)
MEANS = {
    (station, name): each.visits[r] * each.service[r]
    for station, each in zip(unlike_names(NETWORK)[1], NETWORK.stations, strict=True)
    for r, name in enumerate(unlike_names(NETWORK)[0])
}


def test_json_is_read_back_with_names_that_files_can_hold() -> None:
    again = network_from_json(network_to_json(NETWORK), name="n.json")
    plain = 'a & b <evil> "c" ]]> \u05d0'
    assert [each.name for each in again.classes] == [plain, "users", "users (2)"]
    assert [each.name for each in again.stations] == ["think", "drive1", "rest"]
    for found, given in zip(again.classes, NETWORK.classes, strict=True):
        assert (found.population, found.think_time) == (given.population, given.think_time)
        assert found.arrival_rate == given.arrival_rate
    for here, there in zip(again.stations, NETWORK.stations, strict=True):
        assert (here.kind, here.servers) == (there.kind, there.servers)
        assert (here.visits, here.service) == (there.visits, there.service)


@pytest.mark.parametrize("name", ["\u202e", "", "x" * 500])
def test_names_without_letters_or_end_are_replaced(name: str) -> None:
    one = Network((CustomerClass(name, 1, 1.0),), (Station("s", "queue", (1.0,), (1.0,)),))
    (found,), _ = unlike_names(one)
    assert 0 < len(found) <= 100
    assert network_from_json(network_to_json(one), name="n.json").classes[0].name == found


def test_jmva_has_the_classes_stations_and_demands() -> None:
    root = ET.fromstring(jmva(NETWORK, "A & B"))
    classes, _ = unlike_names(NETWORK)
    assert root.tag == "model"
    assert root.findtext("description") == "A & B"
    listed = root.find("parameters/classes")
    assert listed is not None
    assert [(each.tag, each.attrib["name"]) for each in listed] == [
        ("closedclass", classes[0]), ("closedclass", classes[1]), ("openclass", classes[2]),
    ]  # fmt: skip
    assert listed.attrib["number"] == "3"
    assert [each.get("population") for each in listed] == ["400", "100", None]
    places = root.find("parameters/stations")
    assert places is not None
    assert [(each.tag, each.get("servers")) for each in places] == [
        ("delaystation", None), ("listation", "2"), ("listation", "1"), ("delaystation", None),
    ]  # fmt: skip
    assert int(places.attrib["number"]) == len(places)
    for place in places:
        assert [each.attrib["customerclass"] for each in place.iter("servicetime")] == classes
        assert [each.attrib["customerclass"] for each in place.iter("visit")] == classes
    found = {
        (place.attrib["name"], time.attrib["customerclass"]):
            float(time.text or "") * float(visit.text or "")
        for place in places
        for time, visit in zip(place.iter("servicetime"), place.iter("visit"), strict=True)
    }  # fmt: skip
    thinking = {key: found.pop(key) for key in tuple(found) if key[0] == THINK}
    assert list(thinking.values()) == [78.25, 10.0, 0.0]
    assert sum(found.values()) == pytest.approx(sum(MEANS.values()), rel=1e-12)
    for (station, name), demand in MEANS.items():
        where = f"{station} (station)" if station == THINK else station
        assert found[where, name] == pytest.approx(demand, rel=1e-12)
    references = [each.attrib for each in root.iter("Class")]
    assert [each["refStation"] for each in references] == [THINK, THINK, "Arrival Process"]


def test_jsimg_sends_each_class_through_its_stations_and_back() -> None:
    root = ET.fromstring(jsimg(NETWORK, "n.jsimg"))
    classes, stations = unlike_names(NETWORK)
    sim = root.find("sim")
    assert root.tag == "archive"
    assert sim is not None
    kinds = {each.attrib["name"]: dict(each.attrib) for each in sim.iter("userClass")}
    assert [kinds[name]["type"] for name in classes] == ["closed", "closed", "open"]
    assert [kinds[name].get("customers") for name in classes] == ["400", "100", None]
    nodes = {each.attrib["name"]: each for each in sim.iter("node")}
    queues = [f"{stations[0]} (station)", *stations[1:]]
    assert set(nodes) == {THINK, ARRIVALS, DEPARTURES, *queues}
    links = {(each.attrib["source"], each.attrib["target"]) for each in sim.iter("connection")}
    assert {end for link in links for end in link} == set(nodes)
    for name in classes:
        start = kinds[name]["referenceSource"]
        way = walked(nodes, name, start)
        assert all(pair in links for pair in pairwise(way))
        assert way[-1] == (DEPARTURES if start == ARRIVALS else THINK)
        visited = {place: mean_at(nodes[place], name) for place in way[1:-1]}
        expected = {
            where: MEANS[station, name]
            for station, where in zip(stations, queues, strict=True)
            if MEANS[station, name] > 0
        }
        assert visited == pytest.approx(expected, rel=1e-12)
    assert mean_at(nodes[THINK], classes[0]) == pytest.approx(78.25)
    assert mean_at(nodes[ARRIVALS], classes[2]) == pytest.approx(0.4)
    servers = nodes[queues[0]].findtext(".//parameter[@name='maxJobs']/value")
    assert servers == "2"
    drawn = {each.attrib["name"] for each in root.iter("station")}
    assert drawn == set(nodes)


def walked(nodes: dict[str, ET.Element], name: str, start: str) -> list[str]:
    """The nodes that a class passes from `start` on, until it leaves or is back."""
    way = [start]
    while len(way) < 9:
        target = part_of(nodes[way[-1]], "RoutingStrategy", name).findtext(".//value")
        assert target is not None
        way.append(target)
        if target in (start, DEPARTURES):
            return way
    raise AssertionError(way)


def mean_at(node: ET.Element, name: str) -> float:
    text = part_of(node, "ServiceStrategy", name).findtext(".//subParameter[@name='lambda']/value")
    assert text is not None
    return 1 / float(text)


def part_of(node: ET.Element, kind: str, name: str) -> ET.Element:
    """What a parameter of a node says of a class: it follows the class's name."""
    parameter = node.find(f".//parameter[@name='{kind}']")
    assert parameter is not None
    parts = list(parameter)
    at = next(i for i, each in enumerate(parts) if each.tag == "refClass" and each.text == name)
    return parts[at + 1]


def test_files_are_text_that_xml_can_hold(tmp_path: Path) -> None:
    for data in (jmva(NETWORK, "\x00\u202e"), jsimg(NETWORK, "\x1b")):
        path = tmp_path / "model.xml"
        path.write_bytes(data)
        assert ET.parse(path).getroot() is not None
        assert "\u202e" not in data.decode()

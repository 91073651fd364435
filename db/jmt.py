"""Networks of queues as models of the Java Modelling Tools (JMT): `.jmva` and `.jsimg`.

Written by the schemas that JMT ships with (`JMTmodel.xsd`; `Archive.xsd`, `SIMmodeldefinition.xsd`
and `JModelGUI.xsd`). In `.jmva`, for mean value analysis, a station has visits and service times as
here. In `.jsimg`, for simulation, a customer goes once to each station that it visits, in order,
for as long as all of its visits there take together: in product form that is the same. Stations
share their servers out (processor sharing), so that service times may differ by class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from xml.etree import ElementTree as ET

from db.importers.network import unlike_names
from models.queueing.network import Network, Station

THINK, ARRIVALS, DEPARTURES = "think", "arrivals", "departures"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_SCHEMA = "xsi:noNamespaceSchemaLocation"
_STRATEGIES = "jmt.engine.NetStrategies"
_SERVICE = f"{_STRATEGIES}.ServiceStrategy"
_COLOURS = "#FF0000FF", "#FF0000CC", "#FF009900", "#FFCC6600", "#FF990099", "#FF666666"
_ACROSS, _PX = 8, 120


def jmva(network: Network, description: str) -> bytes:
    """The network for mean value analysis.

    Args:
        description: shown with the model.
    """
    classes, stations = _names(network)
    model = ET.Element("model", {"xmlns:xsi": _XSI, _SCHEMA: "JMTmodel.xsd"})
    ET.SubElement(model, "description").text = _printable(description)
    parameters = ET.SubElement(model, "parameters")
    listed = ET.SubElement(parameters, "classes", number=str(len(classes)))
    for name, each in zip(classes, network.classes, strict=True):
        if each.is_open:
            ET.SubElement(listed, "openclass", name=name, rate=_number(each.arrival_rate or 0.0))
        else:
            ET.SubElement(listed, "closedclass", name=name, population=str(each.population))
    places = ET.SubElement(parameters, "stations", number=str(len(stations) + 1))
    thinking = ET.SubElement(places, "delaystation", name=THINK)
    _fill(thinking, classes, [0.0 if c.is_open else 1.0 for c in network.classes], [
        each.think_time for each in network.classes
    ])  # fmt: skip
    for name, station in zip(stations, network.stations, strict=True):
        if station.kind == "delay":
            place = ET.SubElement(places, "delaystation", name=name)
        else:
            place = ET.SubElement(places, "listation", name=name, servers=str(station.servers))
        _fill(place, classes, station.visits, station.service)
    references = ET.SubElement(parameters, "ReferenceStation", number=str(len(classes)))
    for name, each in zip(classes, network.classes, strict=True):
        where = "Arrival Process" if each.is_open else THINK
        ET.SubElement(references, "Class", name=name, refStation=where)
    algorithm = ET.SubElement(model, "algParams")
    ET.SubElement(algorithm, "algType", name="MVA", tolerance="1.0E-7")
    ET.SubElement(algorithm, "compareAlgs", value="false")
    return _written(model)


def _fill(
    place: ET.Element, classes: list[str], visits: Iterable[float], service: Iterable[float]
) -> None:
    times, counts = ET.SubElement(place, "servicetimes"), ET.SubElement(place, "visits")
    for name, count, time in zip(classes, visits, service, strict=True):
        ET.SubElement(times, "servicetime", customerclass=name).text = _number(time)
        ET.SubElement(counts, "visit", customerclass=name).text = _number(count)


def jsimg(network: Network, name: str) -> bytes:
    """The network for simulation and for JMT's drawing board.

    Args:
        name: of the model.
    """
    return _written(_Simulation(network, _printable(name)).archive())


class _Simulation:
    """One `.jsimg` file in the making: each class has its way through the nodes."""

    def __init__(self, network: Network, name: str) -> None:
        self.network, self.name = network, name
        self.classes, self.stations = _names(network)
        self.ways = [self._way(r) for r in range(len(self.classes))]

    def _way(self, r: int) -> list[str]:
        """Nodes that class r passes one after the other; a closed one comes back to the first."""
        met = [
            name
            for name, station in zip(self.stations, self.network.stations, strict=True)
            if _demand(station, r) > 0
        ]
        if self.network.classes[r].is_open:
            return [ARRIVALS, *met, DEPARTURES]
        return [THINK, *met, THINK]

    def archive(self) -> ET.Element:
        root = ET.Element("archive", {"xmlns:xsi": _XSI, "name": self.name, _SCHEMA: "Archive.xsd"})
        sim = ET.SubElement(root, "sim", {
            "name": self.name, "disableStatisticStop": "false", "logDecimalSeparator": ".",
            "logDelimiter": ",", "logPath": "", "logReplaceMode": "0", "maxSamples": "1000000",
            "polling": "1.0", _SCHEMA: "SIMmodeldefinition.xsd",
        })  # fmt: skip
        for name, each in zip(self.classes, self.network.classes, strict=True):
            kind = {"name": name, "priority": "0", "type": "open" if each.is_open else "closed"}
            kind["referenceSource"] = ARRIVALS if each.is_open else THINK
            if not each.is_open:
                kind["customers"] = str(each.population)
            ET.SubElement(sim, "userClass", kind)
        nodes = list(self._nodes())
        sim.extend(nodes)
        sim.extend(self._measures())
        links = dict.fromkeys(pair for way in self.ways for pair in pairwise(way))
        for source, target in links:
            ET.SubElement(sim, "connection", source=source, target=target)
        root.append(self._drawing([node.attrib["name"] for node in nodes]))
        return root

    def _nodes(self) -> Iterator[ET.Element]:
        times = [each.think_time for each in self.network.classes]
        closed = [not each.is_open for each in self.network.classes]
        if any(closed):
            means = [
                time if is_closed else None for time, is_closed in zip(times, closed, strict=True)
            ]
            yield self._node(THINK, [_queue(self.classes), self._delay(means)])
        if not all(closed):
            rates = [each.arrival_rate for each in self.network.classes]
            gaps = [1.0 / rate if rate else None for rate in rates]
            source = ET.Element("section", className="RandomSource")
            source.append(self._services(gaps))
            yield self._node(ARRIVALS, [source, ET.Element("section", className="ServiceTunnel")])
            last = ET.Element("node", name=DEPARTURES)
            ET.SubElement(last, "section", className="JobSink")
            yield last
        for name, station in zip(self.stations, self.network.stations, strict=True):
            demands = [_demand(station, r) for r in range(len(self.classes))]
            means = [demand if demand > 0 else None for demand in demands]
            is_delay = station.kind == "delay"
            serving = self._delay(means) if is_delay else self._sharing(means, station.servers)
            yield self._node(name, [_queue(self.classes), serving])

    def _node(self, name: str, sections: list[ET.Element]) -> ET.Element:
        node = ET.Element("node", name=name)
        node.extend([*sections, self._router(name)])
        return node

    def _delay(self, means: list[float | None]) -> ET.Element:
        section = ET.Element("section", className="Delay")
        section.append(self._services(means))
        return section

    def _sharing(self, means: list[float | None], servers: int) -> ET.Element:
        section = ET.Element("section", className="PSServer")
        section.append(_value("parameter", "java.lang.Integer", "maxJobs", servers))
        each = [_value("subParameter", "java.lang.Integer", "numberOfVisits", 1) for _ in means]
        section.append(self._by_class("java.lang.Integer", "numberOfVisits", each))
        section.append(self._services(means))
        equally = f"{_STRATEGIES}.PSStrategies.EPSStrategy"
        shared = [_sub(equally, "EPSStrategy") for _ in means]
        section.append(self._by_class(f"{_STRATEGIES}.PSStrategy", "PSStrategy", shared))
        weights = [_value("subParameter", "java.lang.Double", "serviceWeight", 1.0) for _ in means]
        section.append(self._by_class("java.lang.Double", "serviceWeights", weights))
        return section

    def _services(self, means: list[float | None]) -> ET.Element:
        return self._by_class(_SERVICE, "ServiceStrategy", [_exponential(mean) for mean in means])

    def _router(self, name: str) -> ET.Element:
        routes = []
        for way in self.ways:
            after = next((target for source, target in pairwise(way) if source == name), None)
            routes.append(_route(after))
        section = ET.Element("section", className="Router")
        section.append(self._by_class(f"{_STRATEGIES}.RoutingStrategy", "RoutingStrategy", routes))
        return section

    def _by_class(self, path: str, name: str, parts: Iterable[ET.Element]) -> ET.Element:
        return _by_class(self.classes, path, name, parts)

    def _measures(self) -> Iterator[ET.Element]:
        """Throughput of closed classes, of which N/X − Z is the response; busy stations."""
        common = {"alpha": "0.01", "precision": "0.03", "verbose": "false"}
        for name, each in zip(self.classes, self.network.classes, strict=True):
            if not each.is_open:
                yield ET.Element("measure", {
                    **common, "name": f"{name}_System Throughput", "type": "System Throughput",
                    "nodeType": "", "referenceNode": "", "referenceUserClass": name,
                })  # fmt: skip
        for name, station in zip(self.stations, self.network.stations, strict=True):
            if station.kind == "queue":
                yield ET.Element("measure", {
                    **common, "name": f"{name}_Utilization", "type": "Utilization",
                    "nodeType": "station", "referenceNode": name, "referenceUserClass": "",
                })  # fmt: skip

    def _drawing(self, nodes: list[str]) -> ET.Element:
        drawing = ET.Element("jmodel", {_SCHEMA: "JModelGUI.xsd"})
        for r, name in enumerate(self.classes):
            ET.SubElement(drawing, "userClass", color=_COLOURS[r % len(_COLOURS)], name=name)
        for place, name in enumerate(nodes):
            station = ET.SubElement(drawing, "station", name=name)
            row, column = divmod(place, _ACROSS)
            x, y = _number(60.0 + _PX * column), _number(60.0 + _PX * row)
            ET.SubElement(station, "position", rotate="false", x=x, y=y)
        return drawing


def _queue(classes: list[str]) -> ET.Element:
    """A place to wait without limit, in which nobody passes another."""
    section = ET.Element("section", className="Queue")
    section.append(_value("parameter", "java.lang.Integer", "size", -1))
    drops = [_value("subParameter", "java.lang.String", "dropStrategy", "drop") for _ in classes]
    section.append(_by_class(classes, "java.lang.String", "dropStrategies", drops))
    getting = f"{_STRATEGIES}.QueueGetStrategies.FCFSstrategy"
    ET.SubElement(section, "parameter", classPath=getting, name="FCFSstrategy")
    tail = f"{_STRATEGIES}.QueuePutStrategies.TailStrategy"
    puts = [_sub(tail, "TailStrategy") for _ in classes]
    section.append(_by_class(classes, f"{_STRATEGIES}.QueuePutStrategy", "QueuePutStrategy", puts))
    return section


def _by_class(classes: list[str], path: str, name: str, parts: Iterable[ET.Element]) -> ET.Element:
    parameter = ET.Element("parameter", {"array": "true", "classPath": path, "name": name})
    for each, part in zip(classes, parts, strict=True):
        ET.SubElement(parameter, "refClass").text = each
        parameter.append(part)
    return parameter


def _exponential(mean: float | None) -> ET.Element:
    """Times of this mean [s]; None: no customer of the class is ever here."""
    strategies = f"{_STRATEGIES}.ServiceStrategies"
    if mean is None:
        path = f"{strategies}.DisabledServiceTimeStrategy"
        return _sub(path, "DisabledServiceTimeStrategy")
    if mean == 0.0:
        return _sub(f"{strategies}.ZeroServiceTimeStrategy", "ZeroServiceTimeStrategy")
    strategy = _sub(f"{strategies}.ServiceTimeStrategy", "ServiceTimeStrategy")
    strategy.append(_sub("jmt.engine.random.Exponential", "Exponential"))
    parameters = _sub("jmt.engine.random.ExponentialPar", "distrPar")
    parameters.append(_value("subParameter", "java.lang.Double", "lambda", 1.0 / mean))
    strategy.append(parameters)
    return strategy


def _route(target: str | None) -> ET.Element:
    strategies = f"{_STRATEGIES}.RoutingStrategies"
    if target is None:
        return _sub(f"{strategies}.DisabledRoutingStrategy", "Disabled")
    entry = _sub("jmt.engine.random.EmpiricalEntry", "EmpiricalEntry")
    entry.append(_value("subParameter", "java.lang.String", "stationName", target))
    entry.append(_value("subParameter", "java.lang.Double", "probability", 1.0))
    entries = _sub("jmt.engine.random.EmpiricalEntry", "EmpiricalEntryArray", array="true")
    entries.append(entry)
    strategy = _sub(f"{strategies}.EmpiricalStrategy", "Probabilities")
    strategy.append(entries)
    return strategy


def _sub(path: str, name: str, **more: str) -> ET.Element:
    return ET.Element("subParameter", {**more, "classPath": path, "name": name})


def _value(tag: str, path: str, name: str, value: float | str) -> ET.Element:
    element = ET.Element(tag, {"classPath": path, "name": name})
    ET.SubElement(element, "value").text = str(value)
    return element


def _demand(station: Station, r: int) -> float:
    return station.visits[r] * station.service[r]


def _names(network: Network) -> tuple[list[str], list[str]]:
    """As in JSON, but for those of the nodes that are added here."""
    classes, stations = unlike_names(network)
    own = {THINK, ARRIVALS, DEPARTURES}
    return classes, [f"{name} (station)" if name in own else name for name in stations]


def _number(value: float) -> str:
    return repr(float(value))


def _printable(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable()).strip() or "network"


def _written(root: ET.Element) -> bytes:
    ET.indent(root)
    written: bytes = ET.tostring(root, encoding="UTF-8", xml_declaration=True)
    return written + b"\n"

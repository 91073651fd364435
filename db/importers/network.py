"""Queueing networks as JSON: read for `solve`, and they and its answers written.

    {"classes": [{"name", "population", "think_time"} or {"name", "arrival_rate"}],
     "stations": [{"name", "type": "queue" | "delay", "servers", "visits": […], "service": […]}]}

Names may be left out; a class is then called "class 1", a station "station 1" and so on.
"""

from __future__ import annotations

import codecs
import re
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, overload

import msgspec
import numpy as np

from db.door import opened, read_sentence
from db.errors import StoreError, refused
from db.explain import explained, quoted
from db.json_tree import doubled_key, not_a_number
from models.base.errors import ModelError
from models.base.quantities import FloatArray
from models.base.texts import say
from models.queueing.network import CustomerClass, Network, Station
from models.queueing.solve import Solution

MAX_BYTES = 16 * 2**20
LONGEST_NAME = 200

_UNKNOWN = re.compile(r"Object contains unknown field `(.*?)`(?: - at `\$\.?([^`]*)`)?$", re.DOTALL)
_VALUE = re.compile(r"Invalid enum value '(.*?)'(?: - at `\$\.?([^`]*)`)?$", re.DOTALL)


class _Class(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    name: str | None = None
    population: float | None = None
    think_time: float | None = None
    arrival_rate: float | None = None


class _Station(msgspec.Struct, forbid_unknown_fields=True):
    type: Literal["queue", "delay"]
    visits: list[float]
    service: list[float]
    name: str | None = None
    servers: float = 1.0


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    classes: list[_Class]
    stations: list[_Station]


_FIELDS: dict[str, type[msgspec.Struct]] = {
    "": _Document,
    "classes": _Class,
    "stations": _Station,
}


def read_network(path: str | Path) -> Network:
    """The network in the file at `path`.

    Raises:
        StoreError: the file can't be read or holds no network; names the field where it doesn't.
    """
    try:
        with opened(path, may_be_pipe=True) as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise StoreError(read_sentence(error), path) from error
    return network_from_json(data, name=str(path))


def network_from_json(data: bytes, *, name: str) -> Network:
    """The network that a file called `name` holds.

    Raises:
        StoreError: `data` is no network; names the field where it isn't.
    """
    text = _text(data, name)
    try:
        document = msgspec.json.decode(text, type=_Document)
        twice = doubled_key(text)
        if twice is not None:
            raise StoreError(say("is given twice"), name, field=twice)
        return _network(document)
    except ModelError as error:
        raise refused(error, name) from None
    except RecursionError:
        raise StoreError(say("is nested more deeply than any network"), name) from None
    except msgspec.DecodeError as error:
        field, sentence = not_a_number(text) or _explained(str(error), text)
        raise StoreError(sentence, name, field=field) from None


def solution_to_builtins(network: Network, solution: Solution) -> dict[str, Any]:
    """The answer as objects, lists, text and numbers, ready for JSON."""
    return {
        "method": solution.method,
        "error_estimate": solution.error_estimate,
        "classes": [
            {
                "name": customer_class.name,
                "throughput": float(solution.throughput[r]),
                "response_time": float(solution.response_time[r]),
                "customers": float(solution.customers[r]),
            }
            for r, customer_class in enumerate(network.classes)
        ],
        "stations": [
            {
                "name": station.name,
                "utilization": _numbers(solution.utilisation[m]),
                "throughput": _numbers(solution.station_throughput[m]),
                "queue_length": _numbers(solution.queue_length[m]),
                "residence_time": _numbers(solution.residence_time[m]),
                "response_time": _numbers(solution.station_response[m]),
            }
            for m, station in enumerate(network.stations)
        ],
    }


def network_to_json(network: Network) -> bytes:
    """The network as a file that `read_network` reads back, with names that it takes."""
    classes, stations = unlike_names(network)
    document = _Document(
        [
            _Class(
                name, each.population, None if each.is_open else each.think_time, each.arrival_rate
            )
            for name, each in zip(classes, network.classes, strict=True)
        ],
        [
            _Station(each.kind, list(each.visits), list(each.service), name, each.servers)
            for name, each in zip(stations, network.stations, strict=True)
        ],
    )
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"


def unlike_names(network: Network) -> tuple[list[str], list[str]]:
    """Names of classes and of stations as files can hold them, none of them twice.

    Without what is not printed, direction marks too, and with a number where it was given already.
    """
    taken: set[str] = set()
    return (
        [_unlike(each.name, f"class {r + 1}", taken) for r, each in enumerate(network.classes)],
        [_unlike(each.name, f"station {m + 1}", taken) for m, each in enumerate(network.stations)],
    )


def _unlike(name: str, default: str, taken: set[str]) -> str:
    letters = "".join(letter for letter in name if letter.isprintable()).strip()
    plain = found = letters[: LONGEST_NAME // 2].rstrip() or default
    number = 1
    while found in taken:
        number += 1
        found = f"{plain} ({number})"
    taken.add(found)
    return found


def solution_to_json(network: Network, solution: Solution) -> str:
    """The answer as one line of JSON."""
    return msgspec.json.encode(solution_to_builtins(network, solution)).decode()


def _numbers(values: FloatArray) -> list[float] | None:
    """A list per class; None where the measure has no meaning (utilization of a delay)."""
    return None if np.all(np.isnan(values)) else [float(value) for value in values]


def _text(data: bytes, name: str) -> bytes:
    if len(data) > MAX_BYTES:
        raise StoreError(
            say("is larger than {most} MiB, no network is", most=MAX_BYTES // 2**20), name
        )
    text = data.removeprefix(codecs.BOM_UTF8)
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        raise StoreError(say("is not UTF-8 text"), name) from None
    if not text.strip():
        raise StoreError(say("is empty"), name)
    return text


def _network(document: _Document) -> Network:
    classes = tuple(
        CustomerClass(
            _name(each.name, f"class {r + 1}", f"classes[{r}].name"),
            _whole(each.population, f"classes[{r}].population"),
            _think_time(each, f"classes[{r}].think_time"),
            each.arrival_rate,
        )
        for r, each in enumerate(document.classes)
    )
    stations = tuple(
        Station(
            _name(each.name, f"station {m + 1}", f"stations[{m}].name"),
            each.type,
            tuple(each.visits),
            tuple(each.service),
            _whole(each.servers, f"stations[{m}].servers"),
        )
        for m, each in enumerate(document.stations)
    )
    return Network(classes, stations)


@overload
def _whole(number: float, path: str) -> int: ...
@overload
def _whole(number: float | None, path: str) -> int | None: ...
def _whole(number: float | None, path: str) -> int | None:
    """A count, which JSON may also write as ``8.0``."""
    if number is None:
        return None
    if not number.is_integer():
        raise ModelError(
            say("must be a whole number, not {number}", number=repr(number)), field=path
        )
    return int(number)


def _think_time(each: _Class, path: str) -> float:
    if each.think_time is None:
        return 0.0
    if each.arrival_rate is not None and each.population is None:
        raise ModelError(say("only a closed class has one"), field=path)
    return each.think_time


def _name(given: str | None, default: str, path: str) -> str:
    name = default if given is None else given
    if len(name) > LONGEST_NAME:
        raise ModelError(
            say("must not be longer than {most} characters", most=LONGEST_NAME), field=path
        )
    if not name.isprintable():
        raise ModelError(say("must be one line without control characters"), field=path)
    return name


def _explained(message: str, text: bytes) -> tuple[str, str]:
    """Field and sentence for a message of the JSON reader."""
    if unknown := _UNKNOWN.match(message):
        key, path = unknown[1], unknown[2] or ""
        fields = _FIELDS.get(path.split("[")[0], _Document).__struct_fields__
        near = get_close_matches(key[:LONGEST_NAME], fields, n=1)
        hint = f", did you mean “{near[0]}”?" if near else ""
        field = quoted(key)[1:-1]
        return f"{path}.{field}" if path else field, f"is not a field of a network{hint}"
    if value := _VALUE.match(message):
        return value[2] or "", f"must be queue or delay, not {quoted(value[1])}"
    field, sentence = explained(message, text)
    return field, sentence.replace("a scenario file", "a network")

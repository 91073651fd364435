"""``solve``: queueing networks from files, their answers as JSON lines or as tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TextIO

from app.cli_text import text_lines, text_table
from db.errors import StoreError
from db.importers.network import read_network, solution_to_json
from models.base.errors import ModelError
from models.base.texts import Numeral, Text, Tongue, joined, said, say
from models.queueing.network import Network
from models.queueing.solve import Method, Solution, solve

DONE, REFUSED = 0, 2


def run(
    paths: Sequence[str],
    method: Method,
    as_json: bool,
    out: TextIO,
    err: TextIO,
    tongue: Tongue,
) -> int:
    """Solve the networks in order and say how each came out.

    Args:
        paths: files, solved in this order.
        method: "auto", "exact" or "approximate".
        as_json: one JSON object a line; with several files a bad one is `{"error": …}` there,
            so that line and file correspond.
        out, err: where answers and complaints go.
        tongue: of both; an error in JSON is in English.

    Returns:
        0, or 2 when a file was refused.
    """
    status = DONE
    for index, path in enumerate(paths):
        try:
            network = read_network(path)
            solution = _solved(network, method, path)
        except StoreError as problem:
            status = REFUSED
            if as_json and len(paths) > 1:
                sentence = _one_line(str(problem))
                out.write(json.dumps({"error": sentence}, ensure_ascii=False) + "\n")
            else:
                err.write(_one_line(said(problem, tongue)) + "\n")
            continue
        if as_json:
            out.write(solution_to_json(network, solution) + "\n")
        else:
            out.write("\n" * (index > 0) + said(table(network, solution, path), tongue))
    return status


def _solved(network: Network, method: Method, path: str) -> Solution:
    try:
        return solve(network, method)
    except ModelError as error:
        raise StoreError(error.reason, path, field=error.field) from None


def table(network: Network, solution: Solution, title: str) -> Text:
    """The answer for people: one block for the classes, one for the stations."""
    head = say(
        "{title}: {method}, estimated error of response times {error}",
        title=title,
        method=solution.method,
        error=Numeral(f"{solution.error_estimate:.1e}"),
    )
    classes = [
        (
            each.name,
            _number(solution.throughput[r]),
            _number(solution.response_time[r]),
            _number(solution.customers[r]),
        )
        for r, each in enumerate(network.classes)
    ]
    of_class = (say("class"), say("throughput /s"), say("response s"), say("customers"))
    of_station = (
        *(say("station"), say("class"), say("utilisation %"), say("throughput /s")),
        *(say("queue length"), say("residence s")),
    )
    stations = _station_rows(network, solution)
    parts = (
        text_lines([head]),
        text_table(of_class, classes, "<>>>"),
        text_table(of_station, stations, "<>>>>>"),
    )
    return joined("\n", parts)


def _station_rows(network: Network, solution: Solution) -> Iterator[tuple[str, ...]]:
    for m, station in enumerate(network.stations):
        for r, each in enumerate(network.classes):
            used = solution.utilisation[m, r]
            yield (
                station.name,
                each.name,
                "–" if station.kind == "delay" else _number(100.0 * used),
                _number(solution.station_throughput[m, r]),
                _number(solution.queue_length[m, r]),
                _number(solution.residence_time[m, r]),
            )


def _number(value: float) -> Numeral:
    return Numeral(f"{value:.6g}")


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)

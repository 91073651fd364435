"""``solve``: queueing networks from files, their answers as JSON lines or as tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TextIO

from db.errors import StoreError
from db.importers.network import read_network, solution_to_json
from models.errors import ModelError
from models.queueing.network import Network
from models.queueing.solve import Method, Solution, solve

DONE, REFUSED = 0, 2


def run(paths: Sequence[str], method: Method, as_json: bool, out: TextIO, err: TextIO) -> int:
    """Solve the networks in order and say how each came out.

    Args:
        paths: files, solved in this order.
        method: "auto", "exact" or "approximate".
        as_json: one JSON object a line; with several files a bad one is `{"error": …}` there,
            so that line and file correspond.
        out, err: where answers and complaints go.

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
            sentence = _one_line(str(problem))
            if as_json and len(paths) > 1:
                out.write(json.dumps({"error": sentence}, ensure_ascii=False) + "\n")
            else:
                err.write(sentence + "\n")
            continue
        if as_json:
            out.write(solution_to_json(network, solution) + "\n")
        else:
            out.write("\n" * (index > 0) + table(network, solution, path))
    return status


def _solved(network: Network, method: Method, path: str) -> Solution:
    try:
        return solve(network, method)
    except ModelError as error:
        raise StoreError(error.reason, path, field=error.field) from None


def table(network: Network, solution: Solution, title: str) -> str:
    """The answer for people: one block for the classes, one for the stations."""
    head = (
        f"{title}: {solution.method}, estimated error of response times "
        f"{solution.error_estimate:.1e}"
    )
    classes = [("class", "throughput /s", "response s", "customers")]
    classes += [
        (
            each.name,
            _number(solution.throughput[r]),
            _number(solution.response_time[r]),
            _number(solution.customers[r]),
        )
        for r, each in enumerate(network.classes)
    ]
    return "\n".join([head, *_aligned(classes), *_aligned(list(_station_rows(network, solution)))])


def _station_rows(network: Network, solution: Solution) -> Iterator[tuple[str, ...]]:
    yield "station", "class", "utilisation %", "throughput /s", "queue length", "residence s"
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


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
    yield ""


def _number(value: float) -> str:
    return f"{value:.6g}"


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)

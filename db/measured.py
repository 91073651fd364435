"""What was measured of servers, as JSON or as the files that a customer hands over.

    {"format": "headroom-measured", "version": 1,
     "servers": [{"id": "m1", "cpu_pct": 46.0, "iops": 350, "ram_gib": 12.5, "response_ms": 120}]}

`id` is a VM's id or name, or the name of the server in the network or in Domino. Figures are those
of a busy hour; what wasn't measured is left out. `cores`, busy cores, may stand for `cpu_pct`,
which is per cent of the VM's vCPUs. Of a prediction of `evaluate --json` its `vms` are read.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec

from db.door import opened, read_sentence
from db.errors import StoreError, bounded
from db.importers.registry import read_files
from db.importers.watch import Watch
from models.base.texts import say
from models.customer.measured import QUANTITIES, MeasuredServer
from models.intake.observed import measured_of

FORMAT, VERSION = "headroom-measured", 1
MOST_BYTES = 64 * 2**20
MOST_SERVERS = 100_000
PREDICTION = "headroom-prediction"


def read_measured(path: str | Path, watch: Watch, *, percentile: int = 95) -> list[MeasuredServer]:
    """The servers that a file tells of.

    Args:
        percentile: of series; 0 for the mean, 100 for the peak.

    Raises:
        StoreError: it can't be read, or tells of no server.
    """
    data = _json_of(path)
    if data is not None:
        found = _servers(data, path)
    else:
        found = measured_of(read_files([path], watch), percentile)
    if not any(each.values or each.cores is not None for each in found):
        raise StoreError(
            say("holds no measured CPU, I/O, RAM, response or transactions of a server"), path
        )
    return found


def _json_of(path: str | Path) -> Any | None:
    """What a file in JSON holds; None where it is none, or one that another tool writes."""
    try:
        if Path(path).is_dir():
            return None
        with opened(path) as file:
            head = file.read(4096)
            if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
                return None
            data = head + file.read(MOST_BYTES)
    except OSError as error:
        raise StoreError(read_sentence(error), path) from error
    with bounded(path):
        try:
            tree = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise StoreError(say("is no valid JSON"), path) from None
    return None if isinstance(tree, dict) and "sysstat" in tree else tree


def _servers(tree: Any, path: str | Path) -> list[MeasuredServer]:
    if not isinstance(tree, dict):
        raise StoreError(say("must be an object with “servers”"), path)
    said = tree.get("format", FORMAT)
    if said not in (FORMAT, PREDICTION):
        raise StoreError(say("must be “{format}”", format=FORMAT), path, field="format")
    if tree.get("version", VERSION) != VERSION:
        raise StoreError(say("must be {version}", version=VERSION), path, field="version")
    name = "vms" if "vms" in tree else "servers"
    items = tree.get(name)
    if not isinstance(items, list):
        raise StoreError(say("must be a list"), path, field=name)
    if len(items) > MOST_SERVERS:
        raise StoreError(say("has too many entries"), path, field=name)
    seen: set[str] = set()
    return [_server(each, f"{name}[{index}]", path, seen) for index, each in enumerate(items)]


def _server(item: Any, field: str, path: str | Path, seen: set[str]) -> MeasuredServer:
    if not isinstance(item, dict):
        raise StoreError(say("must be an object"), path, field=field)
    id = item.get("id", item.get("name"))
    if not isinstance(id, str) or not id.strip():
        raise StoreError(say("must be the id or the name of a server"), path, field=f"{field}.id")
    if id in seen:
        raise StoreError(say("is given twice"), path, field=f"{field}.id")
    seen.add(id)
    figures = {
        key: value
        for key in (*QUANTITIES, "cores")
        if (value := _figure(item.get(key), f"{field}.{key}", path)) is not None
    }
    cores = figures.pop("cores", None)
    return MeasuredServer(server=id, values=figures, cores=cores)


def _figure(value: Any, field: str, path: str | Path) -> float | None:
    """A number, or the value of a predicted one; None for not measured."""
    if isinstance(value, dict):
        value = value.get("value")
    if value is None:
        return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or not 0 <= value <= 1e12:
        raise StoreError(say("must be a number from 0 on"), path, field=field)
    return float(value)

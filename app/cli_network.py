"""``network``: the scenario as a network of queues, written, or set beside what is shown."""

from __future__ import annotations

import json
from pathlib import Path

from app.calibrated import shipped_calibration
from app.cli_evaluate import cell, chosen, text_table
from db.atomic import check_writable, write_atomically
from db.errors import StoreError, refused
from db.files import open_any
from db.importers.network import network_to_json
from db.jmt import jmva, jsimg
from db.opinion import opinion_to_json
from models.catalog_use import catalog_for
from models.errors import ModelError
from models.evaluate import MODEL_VERSION
from models.lettering import set_apart
from models.scenario import Scenario
from models.second_opinion.opinion import Opinion, second_opinion
from models.second_opinion.words import (
    AGREEMENTS,
    headline,
    how_solved,
    milliseconds,
    notes,
    reason,
)
from models.texts import say_many
from models.wording import number
from resources.catalog_files import load_catalog

ENDINGS = ".json", ".jsimg", ".jmva"


def network_of_file(path: str, name: str | None, output: str | None, *, as_json: bool) -> str:
    """Writes the network of the scenario called `name` to `output`, if any is given, and returns
    what ``network`` prints: the comparison, or with `output` alone what was written.

    Raises:
        StoreError: the file can't be read, its scenario can't exist or has no network, or
            `output` can't be written.
    """
    if output is not None:
        _ending(output)
        check_writable(output)
    project = open_any(path, load_catalog())
    scenario = chosen(project, name, path).scenario
    catalog = catalog_for(project, load_catalog())
    try:
        opinion = second_opinion(scenario, catalog, shipped_calibration())
    except ModelError as error:
        raise refused(error, path) from error
    written = "" if output is None else _write(opinion, scenario, path, output)
    if as_json:
        found = opinion_to_json(opinion, scenario, MODEL_VERSION)
        return json.dumps(found, ensure_ascii=False) + "\n"
    return written or as_text(opinion, scenario)


def _ending(output: str) -> str:
    ending = Path(output).suffix.lower()
    if ending not in ENDINGS:
        raise StoreError(f"must end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}", output)
    return ending


def _write(opinion: Opinion, scenario: Scenario, path: str, output: str) -> str:
    if opinion.solved is None:
        raise StoreError("no server of the scenario has a response, so it is no network", path)
    network, ending = opinion.solved.network, _ending(output)
    if ending == ".json":
        data = network_to_json(network)
    elif ending == ".jmva":
        data = jmva(network, f"{scenario.name}. {how_solved(opinion)}")
    else:
        data = jsimg(network, Path(output).name)
    write_atomically(output, data)
    return f"wrote {output}: {len(network.classes)} classes, {len(network.stations)} stations\n"


def as_text(opinion: Opinion, scenario: Scenario) -> str:
    """The comparison as a table, its reasons below, items by name."""
    names = {vm.id: set_apart(vm.name) for vm in scenario.vms}
    labels = [
        names[each.vm]
        + (f" {say_many('and {count} more', 'and {count} more', len(each.like))}" * bool(each.like))
        for each in opinion.servers
    ]
    rows = [
        (
            label,
            cell(each.shown),
            milliseconds(each.network_ms),
            number(each.ratio, 2),
            AGREEMENTS[each.agreement],
        )
        for label, each in zip(labels, opinion.servers, strict=True)
    ]
    head = [f"{scenario.name}: {headline(opinion)}", how_solved(opinion), *notes(opinion, scenario)]
    reasons: dict[str, list[str]] = {}
    for label, each in zip(labels, opinion.servers, strict=True):
        reasons.setdefault(reason(each), []).append(label)
    parts = [
        "".join(f"{line}\n" for line in head if line),
        text_table(("Server", "Shown ms", "Network", "Ratio", ""), rows, "<>>><"),
        "".join(f"{', '.join(who)}: {why}\n" for why, who in reasons.items()),
    ]
    return "\n".join(part for part in parts if part)

"""``network``: the scenario as a network of queues, written, or set beside what is shown."""

from __future__ import annotations

from pathlib import Path

from app.cli_file import given, json_text, refusing
from app.cli_text import text_lines
from app.render.terminal import sections_text
from db.atomic import check_writable, write_atomically
from db.errors import StoreError
from db.importers.network import network_to_json
from db.jmt import jmva, jsimg
from db.opinion import opinion_to_json
from models.base.texts import joined, say, say_many
from models.scenario.scenario import Scenario
from models.second_opinion.opinion import Opinion, second_opinion
from models.second_opinion.words import how_solved
from models.tell.second_opinion import opinion_sections
from models.version import MODEL_VERSION

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
    of = given(path, name)
    scenario = of.scenario
    with refusing(path):
        opinion = second_opinion(scenario, of.knowledge)
    written = "" if output is None else _write(opinion, scenario, path, output)
    if as_json:
        return json_text(opinion_to_json(opinion, scenario, MODEL_VERSION))
    return written or joined(
        "\n", (text_lines([scenario.name]), sections_text(opinion_sections(opinion, scenario)))
    )


def _ending(output: str) -> str:
    ending = Path(output).suffix.lower()
    if ending not in ENDINGS:
        endings = ", ".join(ENDINGS[:-1])
        raise StoreError(
            say("must end in {one} or {other}", one=endings, other=ENDINGS[-1]), output
        )
    return ending


def _write(opinion: Opinion, scenario: Scenario, path: str, output: str) -> str:
    if opinion.solved is None:
        reason = say("no server of the scenario has a response, so it is no network")
        raise StoreError(reason, path)
    network, ending = opinion.solved.network, _ending(output)
    if ending == ".json":
        data = network_to_json(network)
    elif ending == ".jmva":
        data = jmva(network, f"{scenario.name}. {how_solved(opinion)}")
    else:
        data = jsimg(network, Path(output).name)
    write_atomically(output, data)
    classes = say_many("{count} class", "{count} classes", len(network.classes))
    stations = say_many("{count} station", "{count} stations", len(network.stations))
    what = joined(", ", (classes, stations))
    return text_lines([say("wrote {file}: {what}", file=output, what=what)])

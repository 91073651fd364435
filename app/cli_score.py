"""``score``: predicted against measured after going live."""

from __future__ import annotations

from collections.abc import Sequence

from app.cli_evaluate import predicted
from app.cli_file import given, json_text, percentile_of, write_changed
from app.cli_same import same_of_servers
from app.render.terminal import sections_text
from db.atomic import check_writable
from db.errors import StoreError
from db.files import ending_of
from db.importers.watch import Watch
from db.measured import read_measured
from db.score import score_to_json
from models.base.errors import ModelError
from models.base.texts import joined, say
from models.customer.measured import Matched
from models.customer.score import score_of, with_observed
from models.tell.site import score_sections
from models.version import MODEL_VERSION


def score_file(
    path: str,
    measured: str | None,
    output: str | None,
    *,
    name: str | None,
    percentile: str,
    same: Sequence[str],
    as_json: bool,
) -> str:
    """What ``score`` prints; with `output` the file with what was measured is written there.

    Args:
        measured: None for what the file keeps already.

    Raises:
        StoreError: a file can't be read or written, or nothing was measured of the scenario.
    """
    if output is not None:
        ending_of(output)
        check_writable(output)
    of = given(path, name)
    scenario = of.scenario
    found: Matched | None = None
    if measured is not None:
        servers = read_measured(measured, Watch(), percentile=percentile_of(percentile))
        tied = same_of_servers(same, servers, scenario)
        scenario, found = with_observed(scenario, servers, tied)
    try:
        score = score_of(scenario, predicted(scenario, of.catalog, path), found)
    except ModelError as error:
        raise StoreError(error.reason, path) from error
    if output is not None:
        write_changed(of, scenario, output)
    if as_json:
        return json_text(score_to_json(score, MODEL_VERSION))
    written = [] if output is None else [say("wrote {file}", file=output)]
    return joined("\n", (sections_text(score_sections(score)), *written, ""))

"""``calibrate --site``: a scenario shifted by what was measured of its servers."""

from __future__ import annotations

from collections.abc import Sequence

from app.cli_file import given, json_text, percentile_of, write_changed
from app.cli_same import same_of_servers
from app.render.terminal import sections_text
from db.atomic import check_writable
from db.errors import StoreError, refused
from db.files import ending_of
from db.importers.watch import Watch
from db.measured import read_measured
from db.site import site_to_json
from models.base.errors import ModelError
from models.base.texts import joined, say
from models.customer.site import calibrated_to_site
from models.tell.site import site_sections
from models.version import MODEL_VERSION


def calibrate_site(
    site: str,
    measured: str,
    output: str,
    *,
    name: str | None,
    percentile: str,
    same: Sequence[str],
    as_json: bool,
) -> str:
    """Writes the calibrated scenario to `output` and returns what is printed about it.

    Raises:
        StoreError: a file can't be read or written, or nothing in it was measured of a Domino
            server of the scenario.
    """
    ending_of(output)
    check_writable(output)
    of = given(site, name)
    servers = read_measured(measured, Watch(), percentile=percentile_of(percentile))
    tied = same_of_servers(same, servers, of.scenario)
    try:
        found = calibrated_to_site(of.scenario, servers, of.knowledge, tied)
    except ModelError as error:
        if error.field:
            raise refused(error, site) from error
        raise StoreError(error.reason, measured) from error
    write_changed(of, found.scenario, output)
    if as_json:
        return json_text(site_to_json(found, MODEL_VERSION))
    written = say("wrote {file}", file=output)
    return joined("", (sections_text(site_sections(found)), "\n", written, "\n"))

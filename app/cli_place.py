"""``place``: where the VMs of a scenario had better stand, and the moves that lead there."""

from __future__ import annotations

import json
from time import monotonic

from app import __version__
from app.calibrated import shipped_calibration
from app.cli_evaluate import chosen
from app.render.terminal import sections_text
from db.atomic import check_writable
from db.errors import refused
from db.files import open_any, save_as
from db.placement import plan_to_json
from models.arrange.plan import SECONDS, arrange
from models.catalog_use import catalog_for
from models.errors import ModelError
from models.tell.arrange import plan_sections
from resources.catalog_files import load_catalog


def placement_of_file(
    path: str,
    name: str | None,
    *,
    most_moves: int | None = None,
    seconds: float = SECONDS,
    output: str | None = None,
    as_json: bool = False,
) -> str:
    """What ``place`` prints; with an `output` the scenario is written with all moves made.

    Raises:
        StoreError: the file can't be read or written, or its scenario can't exist.
    """
    if output is not None:
        check_writable(output)
    project = open_any(path, load_catalog())
    catalog = catalog_for(project, load_catalog())
    entry = chosen(project, name, path)
    try:
        plan = arrange(
            entry.scenario,
            catalog,
            shipped_calibration(),
            most_moves=most_moves,
            seconds=seconds,
            clock=monotonic,
        )
    except ModelError as error:
        raise refused(error, path) from error
    if output is not None:
        changed = project.show(entry.id).with_scenario(plan.scenario)
        save_as(output, changed, catalog, program_version=__version__)
    if as_json:
        return json.dumps(plan_to_json(plan), ensure_ascii=False) + "\n"
    return sections_text(plan_sections(plan, entry.scenario))

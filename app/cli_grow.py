"""``grow``: the years ahead of a scenario, and what runs out when."""

from __future__ import annotations

import json
from dataclasses import dataclass

from app.calibrated import shipped_calibration
from app.cli_evaluate import chosen
from app.render.terminal import sections_text
from db.errors import refused
from db.files import open_any
from db.runway import runway_to_json
from models.catalog_use import catalog_for
from models.errors import ModelError
from models.runway import runway, with_growth
from models.tell.growth import growth_sections
from resources.catalog_files import load_catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberRef:
    """What of the years is asked; None: as the scenario has it."""

    years: float | None = None
    users_pct: float | None = None
    mail_pct: float | None = None
    load_pct: float | None = None
    season_pct: float = 0.0
    every: int = 3


def growth_of_file(path: str, name: str | None, asked: NumberRef, *, as_json: bool) -> str:
    """What ``grow`` prints about the scenario called `name` in the file.

    Raises:
        StoreError: the file can't be read, or its scenario can't exist.
    """
    project = open_any(path, load_catalog())
    catalog = catalog_for(project, load_catalog())
    scenario = with_growth(
        chosen(project, name, path).scenario,
        users_pct=asked.users_pct,
        mail_pct=asked.mail_pct,
        load_pct=asked.load_pct,
    )
    years = asked.years if asked.years is not None else scenario.growth.years or 5.0
    try:
        found = runway(
            scenario,
            catalog,
            shipped_calibration(),
            years=years,
            every=asked.every,
            season_pct=asked.season_pct,
        )
    except ModelError as error:
        raise refused(error, path) from error
    if as_json:
        return json.dumps(runway_to_json(found), ensure_ascii=False) + "\n"
    return sections_text(growth_sections(found, scenario))

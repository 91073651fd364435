"""``grow``: the years ahead of a scenario, and what runs out when."""

from __future__ import annotations

from dataclasses import dataclass

from app.calibrated import shipped_calibration
from app.cli_file import given, json_text, refusing
from app.render.terminal import sections_text
from db.runway import runway_to_json
from models.runway import runway, with_growth
from models.tell.growth import growth_sections


@dataclass(frozen=True, slots=True, kw_only=True)
class YearsAsked:
    """What of the years is asked; None: as the scenario has it."""

    years: float | None = None
    users_pct: float | None = None
    mail_pct: float | None = None
    load_pct: float | None = None
    season_pct: float | None = None
    every: int = 3


def growth_of_file(path: str, name: str | None, asked: YearsAsked, *, as_json: bool) -> str:
    """What ``grow`` prints about the scenario called `name` in the file.

    Raises:
        StoreError: the file can't be read, or its scenario can't exist.
    """
    of = given(path, name)
    scenario = with_growth(
        of.scenario,
        users_pct=asked.users_pct,
        mail_pct=asked.mail_pct,
        load_pct=asked.load_pct,
    )
    years = asked.years if asked.years is not None else scenario.growth.years or 5.0
    with refusing(path):
        found = runway(
            scenario,
            of.catalog,
            shipped_calibration(),
            years=years,
            every=asked.every,
            season_pct=asked.season_pct,
        )
    if as_json:
        return json_text(runway_to_json(found))
    return sections_text(growth_sections(found, scenario))

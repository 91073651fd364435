"""``grow``: the years ahead of a scenario, and what runs out when."""

from __future__ import annotations

from app.cli_file import given, json_text, refusing
from app.render.terminal import sections_text
from db.runway import runway_to_json
from models.studies.runway import runway, with_growth
from models.tell.growth import growth_sections


def growth_of_file(
    path: str,
    name: str | None,
    *,
    years: float | None,
    users_pct: float | None,
    mail_pct: float | None,
    load_pct: float | None,
    season_pct: float | None,
    every: float,
    as_json: bool,
) -> str:
    """What ``grow`` prints about the scenario called `name` in the file.

    Args:
        years, users_pct, mail_pct, load_pct, season_pct: None: as the scenario has it.
        every: months between two predictions, a whole number.

    Raises:
        StoreError: the file can't be read, or its scenario can't exist.
    """
    of = given(path, name)
    scenario = with_growth(of.scenario, users_pct=users_pct, mail_pct=mail_pct, load_pct=load_pct)
    with refusing(path):
        found = runway(
            scenario,
            of.knowledge,
            years=years if years is not None else scenario.growth.years or 5.0,
            every=round(every),
            season_pct=season_pct,
        )
    if as_json:
        return json_text(runway_to_json(found))
    return sections_text(growth_sections(found, scenario))

"""``place``: where the VMs of a scenario had better stand, and the moves that lead there."""

from __future__ import annotations

from time import thread_time

from app import __version__
from app.cli_file import given, json_text, refusing
from app.render.terminal import sections_text
from db.atomic import check_writable
from db.files import save_as
from db.placement import plan_to_json
from models.arrange.plan import SECONDS, arrange
from models.scenario.places import Across
from models.tell.arrange import plan_sections


def placement_of_file(
    path: str,
    name: str | None,
    *,
    most_moves: int | None = None,
    seconds: float = SECONDS,
    across: str = Across.NOTHING.value,
    output: str | None = None,
    as_json: bool = False,
) -> str:
    """What ``place`` prints; with an `output` the scenario is written with all moves made.

    Raises:
        StoreError: the file can't be read or written, or its scenario can't exist.
    """
    if output is not None:
        check_writable(output)
    of = given(path, name)
    with refusing(path):
        plan = arrange(
            of.scenario,
            of.knowledge,
            most_moves=most_moves,
            seconds=seconds,
            clock=thread_time,
            across=Across(across),
        )
    if output is not None:
        changed = of.project.show(of.entry.id).with_scenario(plan.scenario)
        save_as(output, changed, of.catalog, program_version=__version__)
    if as_json:
        return json_text(plan_to_json(plan))
    return sections_text(plan_sections(plan, of.scenario))

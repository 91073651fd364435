"""``study``: what Domino clusters can take over, which design keeps users served, and storms."""

from __future__ import annotations

from collections.abc import Sequence

from app.cli_file import given, json_text, refusing
from app.cli_text import text_lines
from app.render.terminal import sections_text
from db.resilience_study import study_to_json
from models.base.texts import joined, say
from models.evidence.knowledge import Knowledge
from models.resilience.designs import DesignRow, compare_designs
from models.resilience.domino_members import MemberCapacity, member_capacities
from models.resilience.storms import StormKind, StormStudy, study_storm, vcpus_to_drain
from models.scenario.scenario import Scenario
from models.tell.designs import design_sections, member_sections
from models.tell.storms import Needed, Storm, storm_sections
from models.version import MODEL_VERSION


def study_of_file(path: str, name: str | None, *, within_s: float | None, as_json: bool) -> str:
    """What ``study`` prints about the scenario called `name` in the file.

    Args:
        within_s: time in which every server shall be through its storm; None: not asked.

    Raises:
        StoreError: the file can't be read, or its scenario can't exist.
    """
    of = given(path, name)
    scenario, knowledge = of.scenario, of.knowledge
    with refusing(path):
        members = member_capacities(scenario, knowledge)
        designs = compare_designs(scenario, knowledge)
        storms = [study_storm(scenario, knowledge, kind) for kind in StormKind]
        told = [_asked(scenario, knowledge, storm, within_s) for storm in storms]
    if as_json:
        return json_text(study_to_json(scenario.name, MODEL_VERSION, members, designs, told))
    return as_text(scenario, members, designs, told)


def _asked(
    scenario: Scenario,
    knowledge: Knowledge,
    study: StormStudy,
    within_s: float | None,
) -> Storm:
    """The storm with the vCPUs that end it in time, where that is asked."""
    if within_s is None:
        return Storm(study=study)
    asked = (scenario, knowledge, study.kind)
    vcpus = {
        server.vm: vcpus_to_drain(*asked, vm=server.vm, within_s=within_s)
        for server in study.servers
    }
    return Storm(study=study, needed=Needed(within_s=within_s, vcpus=vcpus))


def as_text(
    scenario: Scenario,
    members: Sequence[MemberCapacity],
    designs: Sequence[DesignRow],
    storms: Sequence[Storm],
) -> str:
    """What there is to tell of members, designs and storms."""
    head = say(
        "{scenario}: clusters and storms; model {version}",
        scenario=scenario.name,
        version=MODEL_VERSION,
    )
    stormy = [each for each in storms if each.study.is_any]
    sections = (
        *member_sections(members, scenario),
        *design_sections(designs, scenario),
        *storm_sections(stormy, scenario),
    )
    return joined("\n", filter(None, (text_lines([head]), sections_text(sections))))

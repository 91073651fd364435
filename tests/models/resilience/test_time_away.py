"""How long Domino is away after a restart: the assumed parts, in two digits."""

from __future__ import annotations

from dataclasses import replace

from models.failure.mode import ModeKind
from models.resilience.availability_study import away_text, times_away
from models.resilience.study import study_failures
from models.scenario.inputs import with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import Scenario
from models.scenario.wording import THIN
from models.scenario.workloads import WorkloadKind
from tests.models.worlds import KNOWLEDGE, a_cluster_of


def text_of(scenario: Scenario, kind: ModeKind = ModeKind.HOST) -> str:
    study = study_failures(scenario, KNOWLEDGE)
    mode = next(study[row] for row, mode in enumerate(study.modes) if mode.kind is kind)
    return away_text(mode, times_away(scenario)).replace(THIN, " ")


def test_the_parts_add_up_and_are_called_assumed() -> None:
    scenario = a_cluster_of(2, vms=2, users=1000.0)
    (one, _) = times_away(scenario)
    assert one.logged_s == 15 + 120 + 60 + 60
    unlogged = f"{one.unlogged_s / 60:.0f} min"
    assert text_of(scenario) == (
        f"Domino is away 4 min with transaction logs, {unlogged} without (assumed)"
    )


def test_servers_that_differ_give_a_span() -> None:
    scenario = a_cluster_of(2, vms=3, users=1000.0)
    first = scenario.vms[0]
    bigger = replace(first, workload=replace(first.workload, active_users=8000.0))
    on_one_host = replace(
        scenario, vms=(bigger, *(replace(vm, host=first.host) for vm in scenario.vms[1:]))
    )
    assert "\N{EN DASH}" in text_of(on_one_host)


def test_what_somebody_gave_is_no_assumption() -> None:
    scenario = a_cluster_of(2, vms=2, users=1000.0)
    fields = {
        part.field for each in times_away(scenario) for part in (*each.logged, *each.unlogged)
    }
    given = with_origin(scenario, Origin.MEASURED, *(f"assumptions.{name}" for name in fields))
    assert text_of(given).endswith("(measured)")


def test_where_no_domino_server_restarts_nothing_is_said() -> None:
    generic = a_cluster_of(2, vms=2, kind=WorkloadKind.GENERIC, cpu_mhz=100.0)
    assert text_of(generic) == ""
    assert text_of(a_cluster_of(2, vms=2), ModeKind.NORMAL) == ""

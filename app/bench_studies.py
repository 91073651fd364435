"""What a requirement, a chance or a study takes, beside a plain loop over `evaluate` for the same.

The loop is not run as a whole: one of its predictions is timed, of a scenario that differs from the
one before in every VM, as those of the loop do.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count

from app.calibrated import shipped_knowledge
from models.arrange.plan import arrange
from models.evaluate import evaluate
from models.options.option import Options
from models.options.purchasable import is_sold
from models.options.requirement import Load, Requirement
from models.options.search import find_options
from models.scenario.growth import busier, grown
from models.scenario.scenario import PRODUCTION, Growth, Loss, Scenario, Workload
from models.scenario.workloads import WorkloadKind
from models.studies.parameter_study import ParameterStudy, Varied, rows
from models.studies.runway import runway
from models.uncertainty.chance import simulate
from models.uncertainty.sensitivity import sensitivity, swings
from resources.catalog_files import load_catalog

USERS = (3_000, 12_000, 40_000)
SERVERS, KEPT = 20, 50
SAMPLES, STUDY_ROWS = 2_000, 50
YEARS = 5
PLACE_S = 0.5

Median = Callable[[Callable[[], object]], float]
"""Median duration of an action [ms]."""


def study_figures(scenario: Scenario, median_ms: Median) -> dict[str, dict[str, float]]:
    """By study: its time [ms], that of a loop over `evaluate`, and how many times faster it is.

    Args:
        scenario: what options aside is studied.
    """
    each_ms = prediction_ms(scenario, median_ms)
    found = {
        name: _beside(median_ms(study), each_ms * predictions)
        for name, (study, predictions) in _studies(scenario).items()
    }
    return {**dict(_options_figures(median_ms)), **found}


def prediction_ms(scenario: Scenario, median_ms: Median) -> float:
    """One prediction of a loop: of every VM another load than in the one before."""
    turn = count(1)
    known = shipped_knowledge()
    return median_ms(lambda: evaluate(busier(scenario, 1.0 + next(turn) * 1e-6), known))


def _studies(scenario: Scenario) -> dict[str, tuple[Callable[[], object], int]]:
    """What is timed, and how many predictions a loop would make for it."""
    at = scenario, shipped_knowledge()
    factors = tuple(1.0 + 0.01 * step for step in range(STUDY_ROWS))
    study = ParameterStudy(
        scenario,
        (Varied("vms[*].workload.active_users", factors, is_factor=True),),
        ("verdict", "hosts.cpu_pct"),
    )
    elsewhere = len(scenario.vms) * max(len(scenario.hosts) - 1, 1)
    placing = partial(arrange, *at, seconds=PLACE_S, clock=time.perf_counter)
    return {
        "simulate": (partial(simulate, *at, samples=SAMPLES), SAMPLES),
        "sensitivity": (partial(sensitivity, *at), 1 + 2 * len(tuple(swings(scenario)))),
        "sweep": (lambda: list(rows(study, shipped_knowledge(), range(len(study)))), len(study)),
        "grow": (partial(runway, *at, years=float(YEARS), every=12), YEARS + 1),
        "place, against each VM on each host once": (placing, elsewhere),
    }


def _options_figures(median_ms: Median) -> Iterator[tuple[str, dict[str, float]]]:
    known = shipped_knowledge()
    for users in USERS:
        wanted = requirement(users)
        found = find_options(wanted, known, keep=KEPT)
        took = median_ms(partial(find_options, wanted, known, keep=KEPT))
        yield f"options {users}", _beside(took, _loop_ms(found, median_ms))


def _loop_ms(found: Options, median_ms: Median) -> float:
    """All combinations of it, each judged as one that was found."""
    option = found.options[len(found.options) // 2]
    end = grown(option.scenario, option.scenario.growth.years)
    return found.considered * prediction_ms(end, median_ms)


def requirement(users: float) -> Requirement:
    """Mail of so many active users in three years, on whatever can be bought.

    The loss of a controller need not be survived: no single array bears it with 40,000 users, and
    a search that finds nothing would be no figure.
    """
    work = Workload(
        kind=WorkloadKind.DOMINO_NRPC,
        release="12.0.2",
        active_users=float(users),
        registered_users=users * 2.5,
        mail_file_mb=500.0,
    )
    sold = [each.id for each in load_catalog().servers.values() if is_sold(each)]
    return Requirement(
        name=f"{users} users",
        loads=(Load(work=work),),
        servers=tuple(sold[:SERVERS]),
        growth=Growth(years=3.0, users_pct=5.0, mail_pct=20.0),
        policy=replace(
            PRODUCTION,
            survive=(
                Loss.HOST,
                Loss.PARTNER,
            ),
        ),
    )


def _beside(took_ms: float, loop_ms: float) -> dict[str, float]:
    return {"ms": took_ms, "loop_ms": loop_ms, "times": loop_ms / took_ms}
